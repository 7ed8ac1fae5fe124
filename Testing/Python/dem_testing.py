"""Helpers of the tests through pvpython: a small scene, data as numpy arrays, captured messages,
damaged files, a pvserver."""
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
from paraview.modules.vtkRemotingCore import vtkPVSession  # noqa: F401  (initialises classes)
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkOutputWindow, vtkStringOutputWindow

DATA = os.environ.get("PARAGRAIN_DATA", "")
WORK = os.environ.get("PARAGRAIN_WORK") or tempfile.mkdtemp()
PORTS = {"Particles": 0, "Contacts": 1, "Walls": 2, "Statistics": 3, "Averages": 4, "Fluid": 5}
MPM_PORTS = {"MaterialPoints": 0, "Grid": 1, "Walls": 2, "Statistics": 3}
# Field data that differ between equal runs: wall clock and the history of requests, not physics.
NOT_REPRODUCIBLE = {"StepsPerSecond", "ListRebuilds", "ReadFrom", "Devices", "Imbalance"}


def packing(**properties):
    """A packing of about a hundred grains of 5 mm radius in a box of 6 cm."""
    values = dict(LowerCorner=[-0.03, -0.03, 0], Size=[0.06, 0.06, 0.06], Spacing=0.012, RadiusDistribution="Single",
                  Radius=0.005)
    values.update(properties)
    return simple.DEMPacking(**values)


def simulation(particles=None, **properties):
    """A simulation of the small packing: 0.2 s, 21 outputs."""
    values = dict(Particles=particles or packing(), EndTime=0.2, OutputInterval=0.01, Device="CPU")
    values.update(properties)
    return simple.DEMSimulation(**values)


def fetch(proxy, port=0, time=None):
    if time is not None:
        proxy.UpdatePipeline(time)
    return servermanager.Fetch(proxy, idx=port)


def arrays(data):
    """Copies all arrays of a data set or table, by kind and name. A composite data set must have
    one block; its arrays are returned with the field data of the composite."""
    out = {}
    if data.IsA("vtkMultiBlockDataSet"):
        block = data.GetBlock(0)
        # On several ranks each has a block, and the first holds all data.
        while block and block.IsA("vtkMultiBlockDataSet"):
            block = block.GetBlock(0)
        out = arrays(block) if block else {}
        if block:
            # The origin may be moved to the first node in another process.
            out["place"] = numpy.round(block.GetDimensions() + block.GetBounds(), 9)
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


def ports_of(run):
    return MPM_PORTS if run.SMProxy.GetXMLName() == "MPMSimulation" else PORTS


def everything(run, time):
    """All arrays of all ports at a time. An image without cells has none, because ParaView keeps
    old arrays there in another process."""
    run.UpdatePipeline(time)
    out = {port: arrays(fetch(run, port)) for port in ports_of(run).values()}
    for port in (PORTS["Averages"], PORTS["Fluid"]):
        image = out.get(port, {})
        for name in [k for k, v in image.items() if k[0] == "cell" and len(v) == 0]:
            del image[name]
    return out


def at_times(run, times):
    return {t: everything(run, t) for t in times}


def kept(run, port=0):
    """The present output, without a new request."""
    return run.GetClientSideObject().GetOutputDataObject(port)


def time_of(data):
    return data.GetInformation().Get(data.DATA_TIME_STEP())


def clear():
    """Deletes all sources."""
    for proxy in list(simple.GetSources().values()):
        simple.Delete(proxy)


def produced(data):
    """A source of this data set."""
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data)
    return source


@contextlib.contextmanager
def progress(run, look):
    """Calls `look` with the algorithm at each event of its progress."""
    algorithm = run.GetClientSideObject()
    tag = algorithm.AddObserver("ProgressEvent", lambda caller, _: look(caller))
    yield
    algorithm.RemoveObserver(tag)


def equal(a, b):
    return numpy.array_equal(a, b, equal_nan=a.dtype.kind == "f" and b.dtype.kind == "f")


def differences(a, b):
    """Names of the arrays whose bits differ; empty if all are equal."""
    wrong = []
    for port in a:
        for name in sorted(set(a[port]) | set(b[port]), key=str):
            if name not in a[port] or name not in b[port]:
                wrong.append((port, name, "missing"))
            elif not equal(a[port][name], b[port][name]):
                wrong.append((port, name, "differs"))
    return wrong


def expect_same(got, expected, what=""):
    wrong = differences(got, expected)
    check(not wrong, f"{what}: {wrong}")


def expect_same_at(times, run, expected):
    """Asks for the times in their order. `expected`: everything at each time."""
    for t in times:
        expect_same(everything(run, t), expected[t], f"t = {t}")


class Messages:
    """Collects the messages that ParaView's message window would show."""

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


def expect(action, *words, exact=False):
    """Runs `action` and returns its messages, which must contain all `words`: letter by letter if
    exact, else in any case."""
    with Messages() as messages:
        action()
    text = messages.text
    for word in words:
        check(word in text if exact else word.lower() in text.lower(), f"expected {word!r} in: {text[:1500] or '(no message)'}")
    check("returned failure" not in text, "noise of the pipeline: " + text)
    return text


def damaged(path):
    """Writes damaged copies of a file next to it, one after another: cut short, altered, of another
    kind, empty."""
    with open(path, "rb") as source:
        content = source.read()
    for name, bad in (("cut", content[:len(content) // 2]), ("altered", content[:-9] + bytes([content[-9] ^ 1]) + content[-8:]),
                      ("foreign", b"solid nothing"), ("empty", b"")):
        copy = os.path.join(os.path.dirname(path), name + "-" + os.path.basename(path))
        with open(copy, "wb") as out:
            out.write(bad)
        yield copy


@contextlib.contextmanager
def connected_server(launcher=()):
    """Starts a pvserver for the test, by `launcher`, and connects this client to it."""
    # a launcher of MPI must not take itself for a process of this one
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "PMIX_")) or "RUN_AS_ROOT" in name}
    with tempfile.TemporaryFile("w+") as said:
        server = subprocess.Popen([*launcher, "pvserver", "--server-port=0"], stdout=subprocess.PIPE, stderr=said, text=True, env=environment)
        try:
            found = next(filter(None, (re.search(r"Accepting connection\(s\): \S+:(\d+)", line) for line in server.stdout)), None)
            said.seek(0)
            check(found, f"pvserver says no port: {said.read()[:2000]}")
            simple.Connect("127.0.0.1", int(found.group(1)))
            check(servermanager.ActiveConnection.IsRemote())
            yield
            simple.Disconnect()
        finally:
            server.kill()


@contextlib.contextmanager
def window():
    """Observers of progress stand for the window."""
    handler = servermanager.ActiveConnection.Session.GetProgressHandler()
    observer = handler.AddObserver("ProgressEvent", lambda *unused: None)
    try:
        yield
    finally:
        handler.RemoveObserver(observer)


def main(*tests):
    """Runs the tests, prints which failed, and sets the exit code."""
    failed = []
    for test in tests:
        clear()
        simple.GetAnimationScene()
        start = time.time()
        try:
            with Messages() as messages:
                test()
            if "ERR" in messages.text or "rror" in messages.text:
                raise AssertionError("messages: " + messages.text[:2000])
            print(f"passed {test.__name__} ({time.time() - start:.1f} s)", flush=True)
        except BaseException:  # noqa: B902  (the other tests must run)
            failed.append(test.__name__)
            print("FAILED", test.__name__, "\n", traceback.format_exc().replace("Traceback", "Trace"), flush=True)
    if failed:
        print("FAILED:", ", ".join(failed), flush=True)
        os._exit(1)
    print("ALL PASSED", flush=True)
    sys.stdout.flush()
