"""What the tests through pvpython share: a small scene, data as numpy arrays, captured messages, damaged files, a server of their own."""
import contextlib
import os
import re
import subprocess
import sys
import tempfile
import time
import traceback

import numpy
from paraview import servermanager, simple
from paraview.modules.vtkRemotingCore import vtkPVSession  # noqa: F401  (initialises the session's classes)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

DATA = os.environ.get("PARAGRAIN_DATA", "")
WORK = os.environ.get("PARAGRAIN_WORK", os.getcwd())
PORTS = {"Particles": 0, "Contacts": 1, "Walls": 2, "Statistics": 3, "Averages": 4}
# Wall clock and the history of requests, not physics.
NOT_REPRODUCIBLE = {"StepsPerSecond", "ListRebuilds", "ReadFrom"}


def packing(**properties):
    """About a hundred grains of 5 mm in a box of 6 cm."""
    values = dict(LowerCorner=[-0.03, -0.03, 0], Size=[0.06, 0.06, 0.06], Spacing=0.012, RadiusDistribution="Single",
                  Radius=0.005)
    values.update(properties)
    return simple.DEMPacking(**values)


def simulation(particles=None, **properties):
    """0.2 s of the small packing, 21 outputs."""
    values = dict(Particles=particles or packing(), EndTime=0.2, OutputInterval=0.01, Device="CPU")
    values.update(properties)
    return simple.DEMSimulation(**values)


def fetch(proxy, port=0, time=None):
    if time is not None:
        proxy.UpdatePipeline(time)
    return servermanager.Fetch(proxy, idx=port)


def arrays(data):
    """All arrays of a data set or table by kind and name, copied; of a composite one those of its only block, with its own field data."""
    out = {}
    if data.IsA("vtkMultiBlockDataSet"):
        block = data.GetBlock(0)
        while block and block.IsA("vtkMultiBlockDataSet"):  # several ranks: a block for each, and all is on the first
            block = block.GetBlock(0)
        out = arrays(block) if block else {}
        if block:
            out["place"] = numpy.round(block.GetDimensions() + block.GetBounds(), 9)  # from another process the origin has moved to the first node
        return out
    kinds = [("row", data.GetRowData)] if data.IsA("vtkTable") else [("point", data.GetPointData), ("cell", data.GetCellData)]
    kinds.append(("field", data.GetFieldData))
    for kind, get in kinds:
        attributes = get()
        for i in range(attributes.GetNumberOfArrays()):
            array = attributes.GetAbstractArray(i)
            name = array.GetName()
            if name in NOT_REPRODUCIBLE:
                continue
            if array.IsA("vtkDataArray"):
                out[kind, name] = vtk_to_numpy(array).copy()
            else:
                out[kind, name] = numpy.array([str(array.GetValue(k)) for k in range(array.GetNumberOfValues())])
    if data.IsA("vtkPointSet"):
        points = data.GetPoints()
        out["points"] = vtk_to_numpy(points.GetData()).copy() if points else numpy.zeros((0, 3))
    return out


def everything(proxy, time, ports=PORTS):
    """All arrays of all ports at a time; not those of an image without cells, which ParaView leaves behind in another process."""
    proxy.UpdatePipeline(time)
    out = {port: arrays(fetch(proxy, port)) for port in ports.values()}
    averages = out.get(PORTS["Averages"], {})
    for name in [k for k, v in averages.items() if k[0] == "cell" and len(v) == 0]:
        del averages[name]
    return out


def equal(a, b):
    return numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f")


def differences(a, b):
    """Names of the arrays that are not equal to the bit; empty when all are."""
    wrong = []
    for port in a:
        for name in sorted(set(a[port]) | set(b[port]), key=str):
            if name not in a[port] or name not in b[port]:
                wrong.append((port, name, "missing"))
            elif not equal(a[port][name], b[port][name]):
                wrong.append((port, name, "differs"))
    return wrong


class Messages:
    """Collects what goes to ParaView's message window."""

    def __enter__(self):
        self.window = vtkStringOutputWindow()
        self.before = vtkOutputWindow.GetInstance()
        vtkOutputWindow.SetInstance(self.window)
        return self

    def __exit__(self, *unused):
        vtkOutputWindow.SetInstance(self.before)

    @property
    def text(self):
        return self.window.GetOutput() or ""


def check(condition, what="check failed"):
    if not condition:
        raise AssertionError(what)


def expect(action, *words):
    """Runs `action`; its messages must hold all `words`. Gives back the messages."""
    with Messages() as messages:
        action()
    text = messages.text
    for word in words:
        check(word.lower() in text.lower(), f"expected {word!r} in: {text[:1500] or '(no message)'}")
    check("returned failure" not in text, "noise of the pipeline: " + text)
    return text


def damaged(path):
    """Bad copies of a file beside it, one after another: cut short, altered, of another kind, empty."""
    with open(path, "rb") as source:
        content = source.read()
    for name, bad in (("cut", content[:len(content) // 2]), ("altered", content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]),
                      ("foreign", b"solid nothing"), ("empty", b"")):
        copy = os.path.join(os.path.dirname(path), name + "-" + os.path.basename(path))
        with open(copy, "wb") as out:
            out.write(bad)
        yield copy


@contextlib.contextmanager
def connected_server():
    """A pvserver of the test's own, with which its client is connected."""
    with tempfile.TemporaryFile("w+") as said:
        server = subprocess.Popen(["pvserver", "--server-port=0"], stdout=subprocess.PIPE, stderr=said, text=True)
        try:
            found = next(filter(None, (re.search(r"Accepting connection\(s\): \S+:(\d+)", line) for line in server.stdout)), None)
            check(found, "pvserver says no port")
            simple.Connect("127.0.0.1", int(found.group(1)))
            check(servermanager.ActiveConnection.IsRemote())
            yield
            simple.Disconnect()
        finally:
            server.kill()


def main(*tests):
    """Runs the tests, says which failed, and sets the exit code."""
    failed = []
    for test in tests:
        for proxy in list(simple.GetSources().values()):
            simple.Delete(proxy)
        simple.GetAnimationScene()
        start = time.time()
        try:
            with Messages() as messages:
                test()
            if "ERR" in messages.text or "rror" in messages.text:
                raise AssertionError("messages: " + messages.text[:2000])
            print(f"passed {test.__name__} ({time.time() - start:.1f} s)", flush=True)
        except BaseException:  # noqa: B902  (a test must not end the others)
            failed.append(test.__name__)
            print("FAILED", test.__name__, "\n", traceback.format_exc().replace("Traceback", "Trace"), flush=True)
    if failed:
        print("FAILED:", ", ".join(failed), flush=True)
        os._exit(1)
    print("ALL PASSED", flush=True)
    sys.stdout.flush()
