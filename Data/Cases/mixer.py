"""Blades mix the grains of mixer.dem, left and right, as in figure 1.2 of Kureck 2016: pictures and Lacey's index.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/mixer.py OUT [END]

Writes to OUT: mixer_0.png to mixer_3.png (0, 1, 2 and 3 s after the blades began to turn, grains coloured by their side at the start), all of
them as mixer.png, mixer_lacey.csv and .png (the index over time; 0 = separate, 1 = as in a random mixture). END in s, default 3, is the last time.
"""
import csv
import os
import sys

import numpy
from paraview.simple import *
from vtkmodules.numpy_interface import dataset_adapter as dsa

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
END = float(sys.argv[2]) if len(sys.argv) > 2 else 3
BEGIN = 0.4  # s: the blades begin to turn
CELL = 0.04  # m: edge of the samples of Lacey's index


def make_view(case):
    view = CreateRenderView(ViewSize=[500, 460])
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    grains = Show(OutputPort(case, 0), view)
    ColorBy(grains, ("POINTS", "Material"))
    colors = GetColorTransferFunction("Material")
    colors.InterpretValuesAsCategories = 1
    colors.Annotations = ["0", "Left", "1", "Right", "2", "Steel"]
    colors.IndexedColors = [0.16, 0.38, 0.72, 0.93, 0.62, 0.11, 0.45, 0.5, 0.58]
    Hide(OutputPort(case, 2), view)
    for index, opacity in ((0, 0.12), (2, 1), (3, 1)):  # vessel, shaft, blades
        wall = Show(Threshold(Input=OutputPort(case, 2), Scalars=["CELLS", "Wall"], LowerThreshold=index, UpperThreshold=index), view)
        wall.Representation = "Surface"
        wall.ColorArrayName = ["POINTS", ""]
        wall.DiffuseColor = wall.AmbientColor = [0.45, 0.5, 0.58]
        wall.Opacity = opacity
    return view


def follow(case, times):
    """Time since the blades turn and Lacey's index."""
    statistics = DEMStatistics(Input=OutputPort(case, 0), SpeciesArray="Material", LaceyCellSize=CELL)
    rows = []
    for time in times:
        statistics.UpdatePipeline(BEGIN + time)
        row = dsa.WrapDataObject(servermanager.Fetch(statistics, idx=0)).RowData
        rows.append((float(time), float(row["LaceyIndex"][0])))
        print(f"{time:.2f} s: Lacey's index {rows[-1][1]:.3f}", flush=True)
    return rows


def draw_curve(rows):
    from matplotlib import use
    use("Agg")
    from matplotlib import pyplot
    time, index = zip(*rows)
    figure, axes = pyplot.subplots(figsize=(6, 3.6))
    axes.plot(time, index, "o-", color="#2961b8")
    axes.set_xlabel("time since the blades turn (s)")
    axes.set_ylabel("Lacey's mixing index")
    axes.set_ylim(0, 1.05)
    figure.tight_layout()
    figure.savefig(os.path.join(OUT, "mixer_lacey.png"), dpi=110)


def join(pictures):
    """Two in a row."""
    from matplotlib import image
    tiles = [image.imread(os.path.join(OUT, picture))[:, :, :3] for picture in pictures]
    tiles += [numpy.ones_like(tiles[0])] * (len(tiles) % 2)
    image.imsave(os.path.join(OUT, "mixer.png"), numpy.vstack([numpy.hstack(tiles[k:k + 2]) for k in range(0, len(tiles), 2)]))


os.makedirs(OUT, exist_ok=True)
reader = DEMCaseReader(registrationName="Mixer", FileName=os.path.join(HERE, "mixer.dem"))
scene = make_view(reader)
for second in range(int(END + 1e-9) + 1):
    scene.ViewTime = BEGIN + second
    Render(scene)  # the first rendering resets the camera
    scene.CameraPosition, scene.CameraFocalPoint, scene.CameraViewUp = (0, -0.45, 0.42), (0, 0, 0.065), (0, 0, 1)
    SaveScreenshot(os.path.join(OUT, f"mixer_{second}.png"), scene)
join([f"mixer_{second}.png" for second in range(int(END + 1e-9) + 1)])
curve = follow(reader, numpy.arange(0, END + 1e-9, 0.25))
with open(os.path.join(OUT, "mixer_lacey.csv"), "w", newline="", encoding="utf-8") as text:
    csv.writer(text).writerows([("time (s)", "Lacey index"), *curve])
draw_curve(curve)
