"""Grains and a computed flow: pictures of spouted_bed.dem, fluidised_bed.dem or wurster_coater.dem.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/fluid_cases.py CASE OUT [TIME ...]

CASE is the name of the case, with or without `.dem`. Writes to OUT: CASE_*.png, the grains on the left
and the speed of the fluid in the middle of the bed on the right, at the times in s; default 0.3, 0.6,
1, and CASE.csv with the pressure drop over time.
"""
import csv
import os
import sys

from paraview.simple import *

HERE = os.path.dirname(os.path.abspath(__file__))
CASE = os.path.splitext(os.path.basename(sys.argv[1]))[0] if len(sys.argv) > 1 else "spouted_bed"
OUT = sys.argv[2] if len(sys.argv) > 2 else "out"
TIMES = [float(t) for t in sys.argv[3:]] or [0.3, 0.6, 1.0]
os.makedirs(OUT, exist_ok=True)
COATED = CASE == "wurster_coater"


def view_of(run, part):
    view = CreateRenderView(ViewSize=[520, 900])
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    box = run.GetDataInformation(5).GetBounds()
    middle = [0.5 * (box[2 * k] + box[2 * k + 1]) for k in range(3)]
    top = part * (box[5] - box[4])
    x = middle[0] + 0.08 * top  # room for the colour legend
    view.CameraPosition = [x, middle[1] - 2.2 * top, box[4] + 0.5 * top]
    view.CameraFocalPoint = [x, middle[1], box[4] + 0.5 * top]
    view.CameraViewUp = [0, 0, 1]
    return view, middle


def label(representation, view, title):
    bar = GetScalarBar(representation.LookupTable, view)
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.Title, bar.ComponentTitle = title, ""
    representation.SetScalarBarVisibility(view, True)


run = DEMCaseReader(registrationName=CASE, FileName=os.path.join(HERE, CASE + ".dem"))
run.UpdatePipeline(0)
grains_view, middle = view_of(run, 0.75)
grains = Show(OutputPort(run, 0), grains_view)
ColorBy(grains, ("POINTS", "CoatingMass" if COATED else "Velocity"))
if COATED:  # the half behind the middle, so that the tube shows its inside
    Hide(OutputPort(run, 0), grains_view)
    half = Clip(Input=OutputPort(run, 0), ClipType="Plane", Invert=0)
    half.ClipType.Origin, half.ClipType.Normal = middle, [0, 1, 0]
    grains = Show(half, grains_view)
    grains.SetRepresentationType("DEM Spheres")
    ColorBy(grains, ("POINTS", "CoatingMass"))
    half_walls = Clip(Input=OutputPort(run, 2), ClipType="Plane", Invert=0)
    half_walls.ClipType.Origin, half_walls.ClipType.Normal = middle, [0, 1, 0]
    walls = Show(half_walls, grains_view)
    walls.ColorArrayName = [None, ""]
    walls.DiffuseColor, walls.Opacity = [0.45, 0.5, 0.6], 0.3
flow_view, _ = view_of(run, 0.75)
cut = Slice(Input=OutputPort(run, 5))
cut.SliceType.Origin, cut.SliceType.Normal = middle, [0, 1, 0]
flow = Show(cut, flow_view)
ColorBy(flow, ("CELLS", "Velocity"), separate=True)
layout = CreateLayout(name="Case")
layout.SplitHorizontal(0, 0.5)
layout.AssignView(1, grains_view)
layout.AssignView(2, flow_view)
layout.SetSize(1040, 900)
times = [0.01 * k for k in range(int(round(100 * max(TIMES))) + 1)]
rows = []
for time in times:
    run.UpdatePipeline(time)
    table = servermanager.Fetch(run, idx=3)
    rows.append((time, table.GetColumnByName("FluidPressureDrop").GetValue(0)))
    if not any(abs(time - t) < 1e-6 for t in TIMES):
        continue
    print(f"{time:.2f} s: pressure drop {rows[-1][1]:.0f} Pa", flush=True)
    for view, shown, title in ((grains_view, grains, "Coating (kg)" if COATED else "Grains (m/s)"), (flow_view, flow, "Air (m/s)")):
        view.ViewTime = time
        place = view.CameraPosition[:], view.CameraFocalPoint[:]
        Render(view)  # the first rendering resets the camera
        view.CameraPosition, view.CameraFocalPoint = place
        if shown is flow:
            shown.LookupTable.RescaleTransferFunction(0, 30 if CASE == "spouted_bed" else 16 if COATED else 4)
        elif COATED:
            shown.LookupTable.RescaleTransferFunction(0, 1e-7)
        else:
            shown.LookupTable.RescaleTransferFunction(0, 1.5 if CASE == "spouted_bed" else 0.6)
        label(shown, view, title)
    SaveScreenshot(os.path.join(OUT, f"{CASE}_{int(round(1000 * time)):04d}.png"), layout, ImageResolution=[1040, 900])
with open(os.path.join(OUT, CASE + ".csv"), "w", newline="", encoding="utf-8") as text:
    csv.writer(text).writerows([("time (s)", "pressure drop (Pa)"), *rows])
