"""The ready cases open in DEM Case Reader. Walls that are not meshes are shown as moving surfaces.
"""
import glob
import json
import os
import sys

import numpy
from dem_testing import DATA, WORK, arrays, check, differences, everything, fetch, main
from paraview import simple

SCENE = """{
  "version": 1,
  "packings": [{ "kind": "Lattice", "lower": [-0.05, -0.05, 0.02], "upper": [0.05, 0.05, 0.1], "radius": 0.005,
                 "radius_distribution": "Single", "spacing": 0.02 }],
  "walls": [
    { "name": "Floor", "kind": "Plane", "origin": [0, 0, 0], "normal": [0, 0, 1] },
    { "name": "Plate", "kind": "Rectangle", "origin": [0.2, 0, 0], "edge_u": [0.1, 0, 0], "edge_v": [0, 0.1, 0],
      "motion": { "kind": "Translation", "velocity": [0, 0, 1] } },
    { "name": "Wire", "kind": "Line", "origin": [0.3, 0, 0.1], "end": [0.3, 0.1, 0.1] },
    { "name": "Crate", "kind": "Box", "origin": [0.4, 0, 0], "end": [0.5, 0.1, 0.1] },
    { "name": "Pipe", "kind": "Cylinder", "origin": [0, 0.3, 0], "end": [0, 0.3, 0.1], "radius": 0.05 },
    { "name": "Funnel", "kind": "Cone", "origin": [0, 0.5, 0], "end": [0, 0.5, 0.1], "radius": 0.05, "end_radius": 0.1 }
  ],
  "end_time": 0.2, "output_interval": 0.1
}
"""


def ready_cases_open():
    cases = sorted(glob.glob(os.path.join(DATA, "Cases", "*.dem")))
    check(len(cases) >= 3, str(cases))
    for case in cases:
        reader = simple.OpenDataFile(case)
        check(reader.SMProxy.GetXMLName() == "DEMCaseReader", f"{case} opens as {reader.SMProxy.GetXMLName()}")
        reader.UpdatePipeline(0.0)
        check(fetch(reader, 0).GetNumberOfPoints() > 500, f"{case}: no particles")
        with open(case, encoding="utf-8") as text:
            has_walls = "walls" in json.load(text)
        check((fetch(reader, 2).GetNumberOfPolys() > 0) == has_walls, f"{case}: walls")
        check(len(reader.TimestepValues) > 10, f"{case}: no times")


def cases_of_the_papers_run():
    """The problems of Pacevic: made by their script, with the paper's numbers of grains too, and a few steps of each."""
    sys.path.insert(0, os.path.join(DATA, "Cases"))
    import pacevic_cases
    for problem, paper, radius in (("fill", 117649, 0.01), ("discharge", 970299, 0.005), ("avalanche", 108640, 0.037)):
        ready = os.path.join(DATA, "Cases", f"pacevic_{problem}.dem")
        with open(ready, encoding="utf-8") as text:
            check(json.load(text) == pacevic_cases.case(problem, pacevic_cases.REDUCED[problem]), f"{ready}: run pacevic_cases.py")
        full = pacevic_cases.case(problem, paper)
        check(full["packings"][0]["count"] == paper and abs(full["packings"][0]["radius"] / radius - 1) < 0.02, str(full["packings"]))
        path = os.path.join(WORK, f"pacevic_{problem}.dem")
        pacevic_cases.write(problem, 500, path)
        reader = simple.DEMCaseReader(FileName=path, Device="CPU")
        before, after = (arrays(fetch(reader, 0, t))["points"] for t in (0.0, reader.TimestepValues[1]))
        check(len(before) == len(after) == 500)
        t = reader.TimestepValues[1]
        fallen = before[:, 2].mean() - after[:, 2].mean()
        check(0 < fallen <= 0.5 * 9.81 * t * t * 1.001, f"{problem}: fallen by {fallen} m in {t} s")


def analytic_walls_are_shown():
    path = os.path.join(WORK, "analytic.dem")
    with open(path, "w") as out:
        out.write(SCENE)
    reader = simple.DEMCaseReader(FileName=path, Device="CPU")
    got = everything(reader, 0.2)
    walls = got[2]
    check(list(walls["field", "WallName"]) == ["Floor", "Plate", "Wire", "Crate", "Pipe", "Funnel"])
    index = walls["cell", "Wall"]
    check([int((index == i).sum()) for i in range(6)] == [1, 1, 1, 6, 64, 64], str(numpy.bincount(index)))
    data = fetch(reader, 2)
    plate = data.GetCell(int(numpy.flatnonzero(index == 1)[0])).GetBounds()
    check(abs(plate[4] - 0.2) < 1e-9, f"the plate moves with 1 m/s and is at {plate[4]}")
    wire = data.GetCell(int(numpy.flatnonzero(index == 2)[0]))
    check(wire.GetNumberOfPoints() == 2)
    check(walls["cell", "Force"][index == 0][0][2] < 0, "the grains do not press on the floor")
    again = simple.DEMCaseReader(FileName=path, Device="CPU")
    again.UpdatePipeline(0.1)
    check(not differences(everything(again, 0.2), got))


def a_changed_file_is_read_again():
    path = os.path.join(WORK, "changing.dem")
    with open(path, "w") as out:
        out.write(SCENE)
    reader = simple.DEMCaseReader(FileName=path, Device="CPU")
    check(len(reader.TimestepValues) == 3)
    with open(path, "w") as out:
        out.write(SCENE.replace('"end_time": 0.2', '"end_time": 0.4'))
    reader.InvokeCommand("Refresh")
    reader.UpdatePipelineInformation()
    check(len(reader.TimestepValues) == 5)
    check(abs(arrays(fetch(reader, 3, 0.4))["row", "Time"][0] - 0.4) < 1e-12)


main(ready_cases_open, cases_of_the_papers_run, analytic_walls_are_shown, a_changed_file_is_read_again)
