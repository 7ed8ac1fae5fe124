"""Frames of a movie without a window: grains run out of a flat hopper, coloured by speed. Shows views,
colours, a legend and pictures over time.

Writes hopper_00.png, hopper_01.png, ... to OUT. Checks in every frame that the grains inside and
those that left are together the grains at the start, and that none is faster than a free fall from the
top; and that the pictures show fewer grains at the end.

    PV_PLUGIN_PATH=<plugins> xvfb-run -a -s "-screen 0 1400x1000x24" pvbatch movie.py [OUT]
"""
import math
import os
import sys

import checks
from paraview import servermanager
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOImage import vtkPNGReader

OUT = sys.argv[1] if len(sys.argv) > 1 else "."
os.makedirs(OUT, exist_ok=True)
HALF, DEPTH, TOP = 0.06, 0.012, 0.16  # m: half width, depth and height of the hopper
GAP, CORNER = 0.014, 0.05  # m: half width of the orifice, height where the slopes begin
END, FRAMES = 0.9, 12  # s; pictures after the first one
SIZE = [480, 640]  # pixels

grains = DEMPacking(LowerCorner=[-HALF, -DEPTH / 2, CORNER], Size=[2 * HALF, DEPTH, TOP - CORNER - 0.005],
                    Spacing=0, RadiusDistribution="Uniform", MinimumRadius=0.0022, MaximumRadius=0.0028)
# Each side is a slope: from the orifice at z = 0 to the side of the domain.
slopes = [DEMWall(Input=Plane(Origin=[side * GAP, -DEPTH, 0], Point1=[side * HALF, -DEPTH, CORNER],
                              Point2=[side * GAP, DEPTH, 0]), WallName=name)
          for side, name in ((-1, "Left"), (1, "Right"))]
# The domain is the rest of the hopper. Grains that fall through its bottom are removed.
run = DEMSimulation(Particles=grains, Walls=slopes, EndTime=END, OutputInterval=END / FRAMES, Device="CPU",
                    Friction=0.3, WallFriction=0.3, TimeStep=4e-5, AutomaticDomain=0,
                    Domain=[-HALF, HALF, -DEPTH / 2, DEPTH / 2, -0.03, TOP], ExitZ="Remove")

view = CreateView("RenderView")
view.ViewSize = SIZE
view.OrientationAxesVisibility = 0
view.UseColorPaletteForBackground = 0
view.Background = [1, 1, 1]
shown = Show(OutputPort(run, 0), view)  # spheres of their true radius
ColorBy(shown, ("POINTS", "Velocity", "Magnitude"))
colors = GetColorTransferFunction("Velocity")
colors.RescaleTransferFunction(0, 1)  # the same colours in all frames
legend = GetScalarBar(colors, view)
legend.Title, legend.ComponentTitle = "Speed (m/s)", ""
legend.TitleColor = legend.LabelColor = [0, 0, 0]
shown.SetScalarBarVisibility(view, True)
walls = Show(OutputPort(run, 2), view)
walls.ColorArrayName = [None, ""]
Render(view)  # the first picture of a view places its camera
view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.02, -0.43, 0.065], [0.02, 0, 0.065], [0, 0, 1]

start, counted, slower, coloured = None, True, True, []
for k in range(FRAMES + 1):
    time = k * run.OutputInterval
    run.UpdatePipeline(time)
    data = servermanager.Fetch(run, idx=0)
    left = servermanager.Fetch(run, idx=3).GetRowData().GetArray("LostCount").GetTuple1(0)
    fastest = data.GetPointData().GetArray("Velocity").GetRange(-1)[1]  # m/s
    print(f"{time:.3f} s: {data.GetNumberOfPoints()} grains, {left:.0f} left, fastest {fastest:.2f} m/s")
    start = start or data.GetNumberOfPoints()
    counted = counted and data.GetNumberOfPoints() + left == start
    slower = slower and fastest < math.sqrt(2 * 9.81 * (TOP + 0.03))

    view.ViewTime = time
    Render(view)
    name = os.path.join(OUT, f"hopper_{k:02d}.png")
    SaveScreenshot(name, view)
    picture = vtkPNGReader()
    picture.SetFileName(name)
    picture.Update()
    rgb = vtk_to_numpy(picture.GetOutput().GetPointData().GetScalars()).astype(int)
    coloured.append((rgb.max(axis=1) - rgb.min(axis=1) > 40).mean())  # share of pixels that are not grey

print(f"{100 * coloured[0]:.1f} % of the first and {100 * coloured[-1]:.1f} % of the last picture are coloured")
checks.true("no grain is missing", counted)
checks.true("slower than a free fall", slower)
checks.true("more than half of the grains left", left > start / 2)
checks.true("the pictures show it", 0.02 < coloured[-1] < 0.7 * coloured[0])
checks.finish()
