"""The coating of the tablets of tablet_coater.dem: pictures of the drum, its variation over turns, and
the map of one tablet.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/tablet_coating.py OUT [TURNS]

Writes to OUT: tablet_coating_*.png (the drum at several turns), tablet_coating_variation.png and .csv
(standard deviation over mean of the coating, between the tablets and within them), and
tablet_coating_map.png (one tablet, its patches coloured by their coating). TURNS of the drum, default
2; each takes some minutes on two cores.
"""
import csv
import json
import math
import os
import sys

import numpy
from paraview.simple import *
from vtkmodules.numpy_interface import dataset_adapter as dsa

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
TURNS = float(sys.argv[2]) if len(sys.argv) > 2 else 2
TURN, START = 4.0, 0.5  # s: one turn, begin of the spray


def case_of(turns):
    """tablet_coater.dem, to the end of the turns."""
    with open(os.path.join(HERE, "tablet_coater.dem"), encoding="utf-8") as text:
        scene = json.load(text)
    scene.pop("$schema", None)
    scene["end_time"] = math.ceil(50 * (START + TURN * turns)) / 50
    path = os.path.join(OUT, "tablet_coating.dem")
    with open(path, "w", encoding="utf-8") as text:
        json.dump(scene, text)
    return DEMCaseReader(registrationName="Tablet coater", FileName=path), scene["nozzles"][0]


def white_view(size):
    view = CreateRenderView(ViewSize=size)
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    return view


def patch_of(d, n):
    """Number of the patch in which the directions d lie: docs/theory/coating.md."""
    a = numpy.abs(d)
    axis = a.argmax(axis=1)
    rows = numpy.arange(len(d))
    x, y, z = a[rows, axis], d[rows, (axis + 1) % 3], d[rows, (axis + 2) % 3]
    face = 2 * axis + (d[rows, axis] < 0)
    edges = math.sqrt(2) * numpy.sin(math.pi / 6 * (2 * numpy.arange(1, n) / n - 1))
    column = numpy.searchsorted(edges, y / numpy.hypot(x, y), side="right")
    part = z * numpy.sqrt(2 * x * x + y * y) / (x * numpy.sqrt(x * x + y * y + z * z))
    row = numpy.clip((0.5 * (part + 1) * n).astype(int), 0, n - 1)
    return (face * n + row) * n + column


def within(patches):
    """Mean over the tablets of the standard deviation over mean of their patches."""
    mean = patches.mean(axis=1)
    some = mean > 0
    return float((patches[some].std(axis=1) / mean[some]).mean()) if some.any() else math.nan


def draw_drum(case, nozzle, times):
    view = white_view([900, 700])
    grains = DEMShapes(Input=OutputPort(case, 0), Resolution=20)
    shown = Show(grains, view)
    ColorBy(shown, ("CELLS", "CoatingMass"))
    walls = Threshold(Input=OutputPort(case, 2), Scalars=["CELLS", "Wall"], LowerThreshold=0, UpperThreshold=1)
    drum = Show(walls, view)
    drum.Representation = "Surface"
    drum.ColorArrayName = ["POINTS", ""]
    drum.DiffuseColor = drum.AmbientColor = [0.45, 0.5, 0.58]
    drum.Opacity = 0.25
    cone = DEMNozzle(Position=nozzle["position"], Axis=nozzle["axis"], Up=nozzle["up"], FullAngle=nozzle["full_angle"],
                     AcrossAngle=nozzle["across_angle"], ShownLength=0.1)
    spray = Show(cone, view)
    spray.Representation = "Surface"
    spray.DiffuseColor = spray.AmbientColor = [0.85, 0.28, 0.17]
    spray.Opacity = 0.3
    for time in times:
        view.ViewTime = time
        Render(view)  # the first rendering resets the camera
        shown.RescaleTransferFunctionToDataRange(False, True)
        shown.SetScalarBarVisibility(view, True)
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = (0.06, -0.52, 0.09), (0, 0, -0.005), (0, 0, 1)
        SaveScreenshot(os.path.join(OUT, f"tablet_coating_{int(round(1000 * time)):05d}.png"), view)
    Delete(view)


def follow(case, end):
    """Variation between and within the tablets, at ten times a turn."""
    rows = []
    for k in range(1, int(round(10 * (end - START) / TURN)) + 1):
        time = START + k * TURN / 10
        case.UpdatePipeline(time)
        data = dsa.WrapDataObject(servermanager.Fetch(case, idx=0))
        patches = numpy.array(data.PointData["CoatingPatchMass"])
        rows.append((k / 10, float(data.FieldData["CoatingVariation"][0]), within(patches)))
        print(f"{rows[-1][0]:.1f} turns: variation between tablets {rows[-1][1]:.3f}, within them {rows[-1][2]:.3f}", flush=True)
    with open(os.path.join(OUT, "tablet_coating_variation.csv"), "w", newline="", encoding="utf-8") as text:
        csv.writer(text).writerows([("turns", "between tablets", "within tablets"), *rows])
    return data, rows


def draw_variation(rows):
    from matplotlib import use
    use("Agg")
    from matplotlib import pyplot
    turns, between, inside = (numpy.array(column) for column in zip(*rows))
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    axes.loglog(turns, between, "o-", color="#27476e", label="between tablets")
    axes.loglog(turns, inside, "s-", color="#d9482b", label="within a tablet (54 patches)")
    axes.loglog(turns, between[-1] * numpy.sqrt(turns[-1] / turns), "--", color="#5a5f66", label="time to the power -1/2")
    axes.set_xlabel("turns of the drum")
    axes.set_ylabel("standard deviation / mean of the coating")
    axes.legend()
    figure.tight_layout()
    figure.savefig(os.path.join(OUT, "tablet_coating_variation.png"), dpi=110)


def draw_tablet(data, n=3):
    """The tablet of median coating, its surface coloured by the patches."""
    mass = numpy.array(data.PointData["CoatingMass"])
    which = int(numpy.argsort(mass)[len(mass) // 2])
    patches = numpy.array(data.PointData["CoatingPatchMass"])[which]
    packing = DEMPacking(Arrangement="Lattice", Count=1, Shape="Tablet", ShapeSize="As Stated", TabletDiameter=0.009, TabletCupRadius=0.008,
                         TabletBeltHeight=0.003, RandomOrientation=0, LowerCorner=[-0.01, -0.01, -0.01], Size=[0.02, 0.02, 0.02], Spacing=0)
    surface = DEMShapes(Input=packing, Resolution=256)
    place = dsa.WrapDataObject(servermanager.Fetch(packing)).Points[0]
    script = (f"import numpy\nn = {n}\nplace = numpy.array({list(map(float, place))})\nmass = numpy.array({[1e9 * float(m) for m in patches]})\n"
              f"import math\n{SOURCE}\noutput.PointData.append(mass[patch_of(inputs[0].Points - place, n)], 'Coating (ug)')")
    coloured = ProgrammableFilter(Input=surface, Script=script, CopyArrays=1)
    view = white_view([700, 500])
    shown = Show(coloured, view)
    ColorBy(shown, ("POINTS", "Coating (ug)"))
    shown.SetScalarBarVisibility(view, True)
    ResetCamera(view)
    view.CameraPosition = [place[0] + 0.014, place[1] - 0.02, place[2] + 0.013]
    view.CameraFocalPoint = list(map(float, place))
    view.CameraViewUp = [0, 0, 1]
    SaveScreenshot(os.path.join(OUT, "tablet_coating_map.png"), view)
    print(f"tablet {which}: {1e6 * mass[which]:.3f} mg, patches from {1e6 * patches.min():.4f} to {1e6 * patches.max():.4f} mg")


with open(os.path.abspath(__file__), encoding="utf-8") as own:
    SOURCE = own.read().split("def patch_of")[1].split("def within")[0]
SOURCE = "def patch_of" + SOURCE
os.makedirs(OUT, exist_ok=True)
reader, spray_of_case = case_of(TURNS)
last = START + TURN * TURNS
draw_drum(reader, spray_of_case, sorted({round(50 * (START + TURN * k)) / 50 for k in (0.25, 0.5, TURNS)}))
coated, curve = follow(reader, last)
draw_variation(curve)
draw_tablet(coated)
