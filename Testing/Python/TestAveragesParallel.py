"""Averages on one rank, then on several: the fields must be equal. The first run stores them, the
others compare."""
import os

import numpy
from dem_testing import WORK, Messages, check, fetch, packing, simulation
from parallel_testing import RANK, RANKS, judge, stored
from paraview import simple
from vtkmodules.util.numpy_support import vtk_to_numpy

with Messages() as messages:
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), Threads=1)  # MPI may bind a rank to one core
    cells = simple.DEMCellAverage(Input=s, Device="CPU", TimeWindow=0.03, Dimensions=[20, 20, 20])
    ball = simple.Sphere(Radius=0.03, Center=[0, 0, 0.01])  # each rank has a piece
    fields = simple.DEMCoarseGraining(Input=s, SamplingPoints=ball, Device="CPU")
    grid = simple.DEMCoarseGraining(Input=s, Device="CPU")
    averaged, table = fetch(cells, 0, 0.15), fetch(cells, 1, 0.15)
    on_ball, on_grid = fetch(fields, 0, 0.15), fetch(grid, 0, 0.15)

    # ParaView's filters and writers must see each cell of the pieces once.
    # Fewer cells along an axis than ranks.
    coarse = simple.DEMCellAverage(Input=s, Device="CPU", Dimensions=[2, 2, 2])
    integrals = {}
    target = simple.Wavelet(WholeExtent=[-4, 4, -4, 4, -4, 4])  # each rank has a piece of it
    on_image = simple.DEMCoarseGraining(Input=s, SamplingPoints=target, Device="CPU")
    for name, source in (("image", on_image), ("cells", cells), ("coarse", coarse), ("grid", grid)):
        total = fetch(simple.IntegrateVariables(Input=source), 0, 0.15)
        if RANK == 0:
            density = total.GetCellData().GetArray("MassDensity") or total.GetPointData().GetArray("MassDensity")
            integrals[name] = [total.GetCellData().GetArray("Volume").GetValue(0), density.GetValue(0)]
    path = os.path.join(WORK, f"averages_{RANKS}.csv")
    simple.SaveData(path, proxy=coarse, FieldAssociation="Cell Data")


def compare():
    check("rror" not in messages.text, messages.text)
    got = {"cells": vtk_to_numpy(averaged.GetCellData().GetArray("ContactStress")),
           "errors": vtk_to_numpy(averaged.GetCellData().GetArray("VelocityStandardError")),
           "slabs": vtk_to_numpy(table.GetRowData().GetArray("MassDensity")),
           "grid": vtk_to_numpy(on_grid.GetPointData().GetArray("ContactStress"))}
    # Pieces of the ball repeat points on their seams, so places are compared as a set.
    places = numpy.round([on_ball.GetPoint(i) for i in range(on_ball.GetNumberOfPoints())], 6)
    density = vtk_to_numpy(on_ball.GetPointData().GetArray("MassDensity"))
    got["ball"] = numpy.unique(numpy.round(numpy.column_stack([places, density]), 3), axis=0)
    check(len(got["slabs"]) == 20 and numpy.abs(got["cells"]).max() > 0 and density.max() > 0, "nothing to compare")
    rows = open(path).read().count("\n") - 1
    check(rows == 8, f"{rows} rows of 8 cells were written on {RANKS} ranks")
    got["integrals"] = numpy.array([integrals[name] for name in sorted(integrals)])
    for name, expected in (stored("averages_parallel", got) or {}).items():
        same = numpy.allclose(got[name], expected, rtol=1e-6) if name == "integrals" else \
            numpy.array_equal(got[name], expected, equal_nan=True)
        check(same, f"{name} differs on {RANKS} ranks: {got[name]} {expected}")


judge(compare)
