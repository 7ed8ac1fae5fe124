"""Grains of other shapes than spheres: tablets in a drum coater, bricks and dice in a heap, clumps
in a hopper.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/shapes.py OUT [tablet_coater|brick_heap|clump_hopper
...]

Writes a few pictures of each case to OUT.
"""
import os
import sys

from paraview.simple import *

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
# case: times (s), camera position and focus (m), number of walls drawn (0 = all; the ends of the
# drum would hide the tablets), array that colours the grains
CASES = {
    "tablet_coater": ((0.0, 0.34, 0.7, 1.2), (0.06, -0.52, 0.09), (0, 0, -0.005), 2, "Velocity"),
    "brick_heap": ((0.0, 0.4, 0.9, 1.5), (0.26, -0.42, 0.24), (0, 0, 0.045), 0, "Shape"),
    "clump_hopper": ((0.0, 0.34, 0.6, 0.8), (0.08, -0.48, 0.24), (0, 0, 0.075), 0, "Shape"),
}
# Colours of the shapes: brick, sand, slate.
COLOURS = ((0.80, 0.42, 0.28), (0.88, 0.80, 0.62), (0.36, 0.50, 0.62))


def colour(shown, array):
    """Colours a speed by the default map, and shapes by one colour each."""
    if array == "Velocity":
        ColorBy(shown, ("CELLS", array, "Magnitude"))
        GetColorTransferFunction(array).RescaleTransferFunction(0, 1)
        return
    ColorBy(shown, ("CELLS", array))
    table = GetColorTransferFunction(array)
    table.InterpretValuesAsCategories = 1
    # 0 is the sphere.
    table.Annotations = [text for k in range(len(COLOURS)) for text in (str(k + 1), "")]
    table.IndexedColors = [c for rgb in COLOURS for c in rgb]


def show(name):
    times, place, focus, first, array = CASES[name]
    case = DEMCaseReader(registrationName=name, FileName=os.path.join(HERE, name + ".dem"))
    view = CreateRenderView(ViewSize=[900, 700])
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    grains = DEMShapes(registrationName="Shapes", Input=OutputPort(case, 0))
    grains.Resolution = 20
    shown = Show(grains, view)
    colour(shown, array)
    walls = OutputPort(case, 2)
    if first:
        walls = Threshold(Input=walls, Scalars=["CELLS", "Wall"], LowerThreshold=0, UpperThreshold=first - 1)
    walls = Show(walls, view)
    walls.Representation = "Surface"
    walls.ColorArrayName = ["POINTS", ""]
    walls.DiffuseColor = walls.AmbientColor = [0.45, 0.5, 0.58]
    walls.Opacity = 0.3
    for time in times:
        view.ViewTime = time
        Render(view)  # the first rendering resets the camera
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = place, focus, (0, 0, 1)
        SaveScreenshot(os.path.join(OUT, f"{name}_{int(round(1000 * time)):04d}.png"), view)
        print(name, time, "s:", case.GetDataInformation().GetNumberOfPoints(), "grains", flush=True)
    Delete(view)


os.makedirs(OUT, exist_ok=True)
for wanted in sys.argv[2:] or list(CASES):
    show(wanted)
