"""Random point arrays, cells and field data into all filters that read grains, and into the simulations: errors are fine, crashes are not.

`pvpython fuzz_filters.py RUNS|SECONDSs [SEED]` (`./dev fuzz MINUTES filters`); an input that crashed is the one of the last seed that was printed.
"""
import math
import os
import random
import sys
import time

from paraview import simple
from vtkmodules import vtkCommonCore
from vtkmodules.vtkCommonCore import vtkFileOutputWindow, vtkOutputWindow, vtkPoints, vtkStringArray
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData, vtkUnstructuredGrid

TYPES = ["vtkDoubleArray", "vtkFloatArray", "vtkIntArray", "vtkIdTypeArray", "vtkUnsignedCharArray", "vtkCharArray", "vtkShortArray", "vtkUnsignedIntArray"]
POINT_ARRAYS = {"Radius": 1, "radius": 1, "Diameter": 1, "d": 1, "Velocity": 3, "vx": 1, "vy": 1, "vz": 1, "AngularVelocity": 3, "Orientation": 4, "Id": 1,
                "Material": 1, "type": 1, "Type": 1, "Mass": 1, "Shape": 1, "MaterialKey": 1, "ShapeKey": 1, "Stress": 6, "Force": 3, "ParticleIds": 2,
                "NormalForce": 3, "TangentialForce": 3, "Overlap": 1, "ContactPoint": 3, "vtkGhostType": 1}
FIELD_ARRAYS = {"Box": 6, "Periodic": 3, "ExitId": 1, "ExitPosition": 3, "Time": 1, "Gravity": 3, "ClosedBorders": 6, "Scale": 1, "Samples": 1, "Run": 1}
TEXTS = {"Materials": ["Grain", "Wall", "Steel", ""], "ShapeDefinitions": ['{"name": "s", "kind": "Sphere"}', "{", "", '{"name": "b", "kind": "Convex Polyhedron", '
         '"points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]], "faces": [[0,2,1],[0,1,3],[0,3,2],[1,2,3]]}', '{"name": "x", "kind": "Multi-Sphere"}'],
         "Method": ["MPM", "x"], "WallName": ["a"], "Device": ["CPU"]}
ODD = [0, -1, 1, 2, 1e-300, 1e300, math.nan, math.inf, -math.inf, 0.5, 2 ** 31, 2 ** 53, -2 ** 31]


def say(*words):
    os.write(1, (" ".join(map(str, words)) + "\n").encode())  # print() writes where messages go


def number(rng, kind):
    value = rng.choice(ODD) if rng.random() < 0.15 else rng.uniform(-1, 1) if rng.random() < 0.3 else rng.uniform(0.002, 0.01)
    if kind in ("vtkDoubleArray", "vtkFloatArray"):
        return value
    return rng.randrange(0, 4) if rng.random() < 0.9 or not math.isfinite(value) else int(max(-100, min(100, value)))


def array(rng, name, components, tuples):
    if rng.random() < 0.05:
        components = rng.randrange(1, 7)
    if rng.random() < 0.05:
        tuples = rng.randrange(0, 20)
    kind = rng.choice(TYPES[:4] if rng.random() < 0.7 else TYPES)
    out = getattr(vtkCommonCore, kind)()
    out.SetName(name)
    out.SetNumberOfComponents(components)
    out.SetNumberOfTuples(tuples)
    for i in range(tuples):
        for c in range(components):
            out.SetComponent(i, c, number(rng, kind))
    return out


def texts(rng, name, choices):
    out = vtkStringArray()
    out.SetName(name)
    for _ in range(rng.randrange(0, 4)):
        out.InsertNextValue(rng.choice(choices))
    return out


def data(rng):
    n = rng.choice([0, 1, 2, 5, 20])
    points = vtkPoints()
    points.SetDataType(rng.choice([10, 11]))
    for i in range(n):
        place = [0.02 * (i % 3), 0.02 * (i // 3 % 3), 0.02 * (i // 9)]
        points.InsertNextPoint([rng.choice(ODD) if rng.random() < 0.02 else x + rng.uniform(-0.004, 0.004) for x in place])
    out = vtkPolyData() if rng.random() < 0.7 else vtkUnstructuredGrid()
    out.SetPoints(points)
    if isinstance(out, vtkPolyData):
        for set_cells, size in ((out.SetVerts, 1), (out.SetLines, 2), (out.SetPolys, 3)):
            cells = vtkCellArray()
            for _ in range(rng.randrange(0, 6) if n and rng.random() < 0.5 else 0):
                cells.InsertNextCell(size, [rng.randrange(n) for _ in range(size)])
            set_cells(cells)
    for name, components in POINT_ARRAYS.items():
        if rng.random() < (0.9 if name == "Radius" else 0.15):
            out.GetPointData().AddArray(array(rng, name, components, n))
        if rng.random() < 0.1:
            out.GetCellData().AddArray(array(rng, name, components, out.GetNumberOfCells()))
    for name, choices in TEXTS.items():
        if rng.random() < 0.2:
            (out.GetFieldData() if rng.random() < 0.8 or n == 0 else out.GetPointData()).AddArray(texts(rng, name, choices))
    for name, components in FIELD_ARRAYS.items():
        if rng.random() < 0.2:
            out.GetFieldData().AddArray(array(rng, name, components, rng.choice([0, 1, 1, n])))
    return out


def run(seed):
    rng = random.Random(seed)
    source = simple.TrivialProducer()
    source.GetClientSideObject().SetOutput(data(rng))
    kinds = [lambda: simple.DEMSimulation(Particles=source, EndTime=0.002, OutputInterval=0.001, Device="CPU"),
             lambda: simple.DEMSimulation(Particles=source, Walls=[source], EndTime=0.001, OutputInterval=0.001, Device="CPU"),
             lambda: simple.MPMSimulation(Particles=source, EndTime=0.001, OutputInterval=0.001, Device="CPU"),
             lambda: simple.DEMContactNetwork(Input=source), lambda: simple.DEMForceChains(Input=source),
             lambda: simple.DEMCellAverage(Input=source, Dimensions=[3, 3, 3]), lambda: simple.DEMShapes(Input=source),
             lambda: simple.DEMCoarseGraining(Input=source), lambda: simple.DEMWall(Input=source),
             lambda: simple.DEMStatistics(Input=source, FlowThrough="Plane", Density=1000)]
    made = [source]
    try:
        made.append(rng.choice(kinds)())
        made[-1].UpdatePipeline()
        made[-1].UpdatePipeline(0.001)
    except (RuntimeError, ValueError, AttributeError) as refused:  # by ParaView's own client
        say("refused:", str(refused)[:200])
    for proxy in reversed(made):
        simple.Delete(proxy)


if __name__ == "__main__":
    quiet = vtkFileOutputWindow()
    quiet.SetFileName(os.devnull)
    vtkOutputWindow.SetInstance(quiet)
    limit, first = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 1
    begin, seed = time.time(), first
    while time.time() - begin < float(limit[:-1]) if limit.endswith("s") else seed < first + int(limit):
        say("seed", seed)
        run(seed)
        seed += 1
    say("runs:", seed - first)
    say("ALL PASSED")
