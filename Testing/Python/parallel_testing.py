"""Helpers of the tests on several ranks: the first run, on one rank, stores what the others compare.
"""
import os

import numpy
from dem_testing import WORK, check
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
