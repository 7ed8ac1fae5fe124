"""Helpers of the tests on several ranks: the first run, on one rank, stores what the others compare.
"""
import os

import numpy
from dem_testing import PORTS, WORK, arrays, check, fetch
from images import coloured, pixels, screenshot
from vtkmodules.vtkParallelCore import vtkMultiProcessController

controller = vtkMultiProcessController.GetGlobalController()
RANKS = controller.GetNumberOfProcesses() if controller else 1
RANK = controller.GetLocalProcessId() if controller else 0


def judge(test):
    """Runs the test on the first rank and prints the result."""
    if RANK == 0:
        try:
            test()
            print("ALL PASSED", flush=True)
        except Exception as failure:
            print("FAILED", repr(failure), flush=True)


def stored(name, got):
    """What one rank has stored; None on one rank, which stores `got`."""
    path = os.path.join(WORK, name + ".npy")
    if RANKS == 1:
        numpy.save(path, got, allow_pickle=True)
        return None
    return numpy.load(path, allow_pickle=True).item()


def taken(view, name):
    """All ranks take a picture of the view."""
    screenshot(view, f"{name}{RANKS}", read=False)


def expect_same_picture(name):
    """The picture that was taken shows something, and what it shows on one rank."""
    now, one = (pixels(os.path.join(WORK, f"{name}{ranks}.png")) for ranks in (RANKS, 1))
    check(coloured(now) > 5000, "nothing in the picture")
    check(numpy.abs(one - now).mean() < 0.002, f"pictures differ by {numpy.abs(one - now).mean()}")


def in_order(port, data):
    """Grains by Id, contacts by their first grain: the order of a run on one rank. Fetch appends the pieces of the ranks."""
    if port == PORTS["Particles"]:
        order = {"point": numpy.argsort(data["point", "Id"], kind="stable")}
        order["points"] = order["point"]
    else:
        lines = numpy.argsort(data["cell", "ParticleIds"][:, 0], kind="stable")
        order = {"cell": lines, "point": numpy.column_stack([2 * lines, 2 * lines + 1]).ravel()}
        order["points"] = order["point"]
    kind = {name: name if isinstance(name, str) else name[0] for name in data}
    return {name: values[order[kind[name]]] if kind[name] in order else values for name, values in data.items()}


def shown(run, time):
    """All ports of the run, with grains and contacts in the order of one rank."""
    run.UpdatePipeline(time)
    out = {port: arrays(fetch(run, port)) for port in PORTS.values()}
    for port in (PORTS["Particles"], PORTS["Contacts"]):
        out[port] = in_order(port, out[port])
    return out
