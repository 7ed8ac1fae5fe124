"""Velocity and solid fraction in an emptying hopper: slices through cell averages, and profiles
with error bars along its axis.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/hopper_fields.py OUT

Writes to OUT: hopper_fields.png (two slices, means over 0.2 s), hopper_profile.png,
hopper_profile.csv, and hopper_fields.pvsm, the same five views to open in ParaView. Error bars are
twice the standard error of the mean over the outputs of the window, which are assumed to be
independent.
"""
import os
import sys

from paraview.simple import *
from paraview import servermanager
from vtkmodules.vtkFiltersCore import vtkImageAppend
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
OPENS, TIME, WINDOW = 0.4, 0.8, 0.2                  # s; the flow is steady 0.1 s after the opening
GRAIN, ORIFICE, BORE, TOP = 0.006, 0.021, 0.054, 0.28  # m: mean diameter; radii; height
LOW, HIGH = -0.03, 0.15                              # m, range of the averages


def apply_preset(colors, name):
    """Chooses a colour map. ParaView 5 calls Viridis "Viridis (matplotlib)"."""
    presets = servermanager.vtkSMTransferFunctionPresets.GetInstance()
    colors.ApplyPreset(name if presets.HasPreset(name) else name + " (matplotlib)", True)


def pipeline():
    """Four thousand grains of 6 mm, a cone of 30 degrees below a cylinder, and a gate that moves
    down."""
    rings = Disk(registrationName="Rings", InnerRadius=ORIFICE, OuterRadius=2 * BORE - ORIFICE, RadialResolution=2, CircumferentialResolution=48)
    r = "sqrt(coordsX^2+coordsY^2)"
    cone = 0.57735 * (BORE - ORIFICE)
    surface = Calculator(registrationName="Cone and Cylinder", Input=rings, CoordinateResults=1, Function=(
        f"min(1,{BORE}/{r})*(coordsX*iHat+coordsY*jHat)"
        f"+if({r}<{1.001 * BORE},0.57735*({r}-{ORIFICE}),{cone}+{(TOP - cone) / (BORE - ORIFICE)}*({r}-{BORE}))*kHat"))
    hopper = DEMWall(registrationName="Hopper", Input=surface, WallName="Hopper")
    lid = Disk(registrationName="Lid", InnerRadius=0, OuterRadius=1.3 * ORIFICE, CircumferentialResolution=24)
    gate = DEMWall(registrationName="Gate", Input=lid, WallName="Gate", Motion="Translation", StartTime=OPENS, StopTime=OPENS + 0.2,
                   Velocity=[0, 0, -1.2])
    inside = 0.7 * BORE
    grains = DEMPacking(registrationName="Grains", LowerCorner=[-inside, -inside, 0.025], Size=[2 * inside, 2 * inside, TOP - 0.03],
                        Arrangement="Jittered Lattice", Spacing=1.1 * GRAIN, RadiusDistribution="Uniform", MinimumRadius=0.475 * GRAIN,
                        MaximumRadius=0.525 * GRAIN)
    run = DEMSimulation(registrationName="Simulation", Particles=grains, Walls=[hopper, gate], EndTime=1.2, OutputInterval=0.02, Friction=0.5, YoungsModulus=2e6,
                        WallYoungsModulus=2e6, WallFriction=0.3, Restitution=0.5, AutomaticDomain=0, Domain=[-0.06, 0.06, -0.06, 0.06, -0.06, TOP], ExitZ="Remove")
    across = BORE + GRAIN
    average = DEMCellAverage(registrationName="Average", Input=run, AutomaticBounds=0, Bounds=[-across, across, -across, across, LOW, HIGH],
                             CellSize=GRAIN, TimeWindow=WINDOW)
    half = 2 * GRAIN
    column = DEMCellAverage(registrationName="Column", Input=run, AutomaticBounds=0, Bounds=[-half, half, -half, half, LOW, HIGH],
                            Dimensions=[1, 1, 30], TimeWindow=WINDOW)
    filled = Threshold(registrationName="Filled", Input=average, Scalars=["CELLS", "SolidFraction"], LowerThreshold=0.02, UpperThreshold=1)
    middle = Slice(registrationName="Middle", Input=filled, SliceType="Plane")
    walls = Slice(registrationName="Walls", Input=OutputPort(run, 2), SliceType="Plane")
    for cut in (middle, walls):
        cut.SliceType.Origin, cut.SliceType.Normal = [0, 0.0001, 0], [0, 1, 0]
    for proxy in (average, column, middle, walls):
        proxy.UpdatePipeline(TIME)
    return run, average, column, middle, walls


def field_view(middle, walls, label, name, component, title, low, high, preset):
    view = CreateView("RenderView")
    view.ViewSize = [680, 760]
    view.OrientationAxesVisibility = 0
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.ViewTime = TIME
    outline = Show(walls, view)
    outline.ColorArrayName = [None, ""]
    outline.DiffuseColor = outline.AmbientColor = [0.2, 0.2, 0.25]
    outline.LineWidth = 3
    text = Show(Text(registrationName=label, Text=label), view)
    text.Color, text.FontSize, text.WindowLocation = [0, 0, 0], 20, "Upper Center"
    shown = Show(middle, view)
    shown.Representation = "Surface"
    colors = GetColorTransferFunction(name)
    ColorBy(shown, ("CELLS", name) + ((component,) if component else ()))
    colors.AutomaticRescaleRangeMode = "Never"
    apply_preset(colors, preset)
    colors.RescaleTransferFunction(low, high)
    bar = GetScalarBar(colors, view)
    bar.Title, bar.ComponentTitle = title, ""
    bar.HorizontalTitle = 1
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.WindowLocation = "Any Location"
    bar.Position, bar.ScalarBarLength = [0.86, 0.14], 0.5
    bar.RangeLabelFormat = bar.LabelFormat = "%.2f"
    shown.SetScalarBarVisibility(view, True)
    Render(view)  # the first rendering moves the camera
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.01, -1, 0.06], [0.01, 0, 0.06], [0, 0, 1]
    view.CameraParallelProjection, view.CameraParallelScale = 1, 0.105
    return view


def chart_view(column, name, bars, title, color):
    """A profile as points, and its error bars as the lines of the output Error Bars."""
    view = CreateView("XYChartView")
    view.ViewSize = [450, 420]
    view.ChartTitle = title
    view.BottomAxisTitle = "height above the orifice (m)"
    view.BottomAxisUseCustomRange, view.BottomAxisRangeMinimum, view.BottomAxisRangeMaximum = 1, LOW, HIGH
    view.ShowLegend = 0
    view.ViewTime = TIME
    for port, series, style, marker in ((1, name, "0", "4"), (2, bars, "1", "0")):
        shown = Show(OutputPort(column, port), view, "XYChartRepresentation")
        shown.AttributeType = "Row Data"
        shown.UseIndexForXAxis = 0
        shown.XArrayName = "Height"
        shown.SeriesVisibility = [series]
        shown.SeriesLineStyle = [series, style]
        shown.SeriesMarkerStyle = [series, marker]
        shown.SeriesMarkerSize = [series, "6"]
        shown.SeriesColor = [series] + color
    return view


def photograph(view, pictures):
    pictures.append(os.path.join(OUT, f"view_{len(pictures)}.png"))
    SaveScreenshot(pictures[-1], view)
    return view


def beside(names, path):
    strip, writer = vtkImageAppend(), vtkPNGWriter()
    strip.SetAppendAxis(0)
    for name in names:
        reader = vtkPNGReader()
        reader.SetFileName(name)
        reader.Update()
        strip.AddInputData(reader.GetOutput())
    writer.SetFileName(path)
    writer.SetInputConnection(strip.GetOutputPort())
    writer.Write()
    for name in names:
        os.remove(name)


def main():
    os.makedirs(OUT, exist_ok=True)
    run, average, column, middle, walls = pipeline()
    scene = GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.AnimationTime = TIME
    pictures = []
    # Charts come first: in ParaView 5.11 without a window, a text in a view damages the letters of
    # later charts.
    charts = [photograph(chart_view(column, *what), pictures) for what in (
        ("Velocity_Z", "VelocityBar_Z", "Vertical velocity on the axis (m/s)", ["0.12", "0.47", "0.71"]),
        ("SolidFraction", "SolidFractionBar", "Solid fraction on the axis", ["0.17", "0.63", "0.17"]),
        ("ContactStress_ZZ", "ContactStressBar_ZZ", "Vertical contact stress on the axis (Pa)", ["0.84", "0.15", "0.16"]))]
    fields = [photograph(field_view(middle, walls, *what), pictures) for what in (
        ("Mean velocity", "Velocity", "Magnitude", "m/s", 0, 0.8, "Viridis"),
        ("Solid fraction", "SolidFraction", None, " ", 0.2, 0.65, "Cool to Warm (Extended)"))]
    beside(pictures[3:], os.path.join(OUT, "hopper_fields.png"))
    beside(pictures[:3], os.path.join(OUT, "hopper_profile.png"))
    layout = CreateLayout("Hopper")
    lower = layout.SplitVertical(0, 0.6) + 1
    right = layout.SplitHorizontal(1, 0.5) + 1
    second = layout.SplitHorizontal(lower, 0.333) + 1
    third = layout.SplitHorizontal(second, 0.5) + 1
    for view, place in zip(fields + charts, (right - 1, right, second - 1, third - 1, third)):
        layout.AssignView(place, view)
    SaveData(os.path.join(OUT, "hopper_profile.csv"), OutputPort(column, 1), FieldAssociation="Row Data")
    SaveState(os.path.join(OUT, "hopper_fields.pvsm"))
    count = servermanager.Fetch(average).GetFieldData().GetArray("OutputCount").GetValue(0)
    grains = run.GetDataInformation(0).GetNumberOfPoints()
    print(f"{grains} grains left at {TIME} s; means over {count} outputs from {TIME - WINDOW:.2f} s on. "
          f"Wrote hopper_fields.png, .pvsm, hopper_profile.png and .csv to {OUT}", flush=True)


if __name__ == "__main__":
    main()
