"""Grains that are no spheres, as what they are: tablets in a drum coater, bricks and dice in a heap, clumps through a hopper.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/shapes.py OUT [tablet_coater|brick_heap|clump_hopper ...]

Leaves in OUT a few pictures of each case.
"""
import os
import sys

from paraview.simple import *

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
# case: times (s), camera place and focus (m), walls that hide grains are shown faintly
CASES = {
    "tablet_coater": ((0.0, 0.34, 0.7, 1.2), (0.05, -0.55, 0.05), (0, 0, -0.01)),
    "brick_heap": ((0.0, 0.3, 0.5, 1.0), (0.25, -0.4, 0.22), (0, 0, 0.03)),
    "clump_hopper": ((0.0, 0.34, 0.5, 0.8), (0.08, -0.5, 0.16), (0, 0, 0.06)),
}


def show(name):
    times, place, focus = CASES[name]
    case = DEMCaseReader(registrationName=name, FileName=os.path.join(HERE, name + ".dem"))
    view = CreateRenderView(ViewSize=[900, 700])
    view.OrientationAxesVisibility = 0
    grains = DEMShapes(registrationName="Shapes", Input=OutputPort(case, 0))
    grains.Resolution = 20
    shown = Show(grains, view)
    ColorBy(shown, ("CELLS", "Shape" if name != "tablet_coater" else "Velocity"))
    shown.RescaleTransferFunctionToDataRange(True)
    walls = Show(OutputPort(case, 2), view)
    walls.Opacity = 0.15
    for time in times:
        view.ViewTime = time
        Render(view)  # the first one looks at everything
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = place, focus, (0, 0, 1)
        shown.RescaleTransferFunctionToDataRange(False)
        SaveScreenshot(os.path.join(OUT, f"{name}_{int(round(1000 * time)):04d}.png"), view)
        print(name, time, "s:", case.GetDataInformation().GetNumberOfPoints(), "grains", flush=True)
    Delete(view)


os.makedirs(OUT, exist_ok=True)
for wanted in sys.argv[2:] or list(CASES):
    show(wanted)
