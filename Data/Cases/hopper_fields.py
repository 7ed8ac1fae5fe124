"""Velocity and solid fraction in the hopper of demo_hopper.py while it empties: slices through cell averages and a profile along its axis
with error bars.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/hopper_fields.py OUT

Leaves in OUT: hopper_fields.png (two slices, means over 0.2 s), hopper_profile.png and hopper_profile.csv. The bars are twice the standard
error of the mean over the outputs of the window, taken as independent.
"""
import csv
import os
import sys

import numpy
from paraview.simple import *
from paraview import servermanager
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkImageAppend
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
TIME, WINDOW = 1.1, 0.2       # s; the gate opens at 0.6 s, the flow is steady from 0.8 s on
GRAIN = 0.006                 # m, mean diameter
LOW, HIGH, BORE = -0.03, 0.15, 0.156  # m


def view_of(walls, title):
    view = CreateView("RenderView")
    view.ViewSize = [680, 760]
    view.OrientationAxesVisibility = 0
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    outline = Show(walls, view)
    outline.ColorArrayName = [None, ""]
    outline.DiffuseColor = outline.AmbientColor = [0.2, 0.2, 0.25]
    outline.LineWidth = 3
    text = Show(Text(Text=title), view)
    text.Color, text.FontSize, text.WindowLocation = [0, 0, 0], 20, "Upper Center"
    return view


def show_field(source, view, name, component, title, low, high, preset):
    shown = Show(source, view)
    shown.Representation = "Surface"
    colors = GetColorTransferFunction(name)
    ColorBy(shown, ("CELLS", name) + ((component,) if component else ()))
    colors.AutomaticRescaleRangeMode = "Never"
    colors.ApplyPreset(preset, True)
    colors.RescaleTransferFunction(low, high)
    bar = GetScalarBar(colors, view)
    bar.Title, bar.ComponentTitle = title, ""
    bar.HorizontalTitle = 1
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.WindowLocation = "Any Location"
    bar.Position, bar.ScalarBarLength = [0.84, 0.14], 0.5
    bar.RangeLabelFormat = bar.LabelFormat = "%.2f"
    shown.SetScalarBarVisibility(view, True)


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


def profile(case):
    """Along the axis, over a column five grains wide: columns of the table as arrays."""
    half = 2.5 * GRAIN
    column = DEMCellAverage(registrationName="column", Input=OutputPort(case, 0), AutomaticBounds=0,
                            Bounds=[-half, half, -half, half, LOW, HIGH], Dimensions=[1, 1, 30], TimeWindow=WINDOW)
    column.UpdatePipeline(TIME)
    table = servermanager.Fetch(column, idx=1)
    rows = table.GetRowData()
    return {rows.GetArrayName(i): vtk_to_numpy(rows.GetArray(i)).copy() for i in range(rows.GetNumberOfArrays())}


def plot_profile(rows, path):
    try:
        import matplotlib
    except ModuleNotFoundError:
        print("matplotlib is not installed: no plot of the profile (python3-matplotlib); the numbers are in hopper_profile.csv")
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    filled = rows["Count"] > 1
    z = 1e3 * rows["Height"][filled]
    figure, axes = plot.subplots(1, 3, figsize=(11, 4.5), sharey=True, layout="constrained")
    bars = dict(fmt="o", markersize=3, capsize=2)
    axes[0].errorbar(-rows["Velocity"][filled, 2], z, xerr=2 * rows["VelocityStandardError"][filled, 2], **bars)
    axes[0].set(xlabel="downward velocity (m/s)", ylabel="height above the orifice (mm)")
    axes[1].errorbar(rows["SolidFraction"][filled], z, xerr=2 * rows["SolidFractionStandardError"][filled], color="C2", **bars)
    axes[1].set(xlabel="solid fraction")
    axes[2].errorbar(-rows["ContactStress"][filled, 2], z, xerr=2 * rows["ContactStressStandardError"][filled, 2], color="C3", **bars)
    axes[2].set(xlabel="vertical contact stress (Pa, pressure positive)")
    figure.suptitle(f"On the axis, {TIME - WINDOW:.1f} s to {TIME:.1f} s, two standard errors")
    figure.savefig(path, dpi=110)


def main():
    os.makedirs(OUT, exist_ok=True)
    case = DEMCaseReader(registrationName="hopper", FileName=os.path.join(HERE, "demo_hopper.dem"))
    half = BORE / 2
    average = DEMCellAverage(registrationName="average", Input=OutputPort(case, 0), AutomaticBounds=0,
                             Bounds=[-half, half, -half, half, LOW, HIGH], CellSize=GRAIN, TimeWindow=WINDOW)
    filled = Threshold(registrationName="filled", Input=average, Scalars=["CELLS", "SolidFraction"], LowerThreshold=0.02, UpperThreshold=1)
    middle = Slice(registrationName="middle", Input=filled, SliceType="Plane")
    middle.SliceType.Origin, middle.SliceType.Normal = [0, 0.0001, 0], [0, 1, 0]
    walls = Slice(registrationName="walls", Input=OutputPort(case, 2), SliceType="Plane")
    walls.SliceType.Origin, walls.SliceType.Normal = [0, 0.0001, 0], [0, 1, 0]
    for proxy in (average, middle, walls):
        proxy.UpdatePipeline(TIME)
    count = servermanager.Fetch(average).GetFieldData().GetArray("OutputCount").GetValue(0)
    print(f"means over {count} outputs from {TIME - WINDOW:.2f} s to {TIME:.2f} s", flush=True)

    rows = profile(case)
    names = [name for name in rows if rows[name].ndim == 1 or rows[name].shape[1] in (3, 6)]
    with open(os.path.join(OUT, "hopper_profile.csv"), "w", newline="") as file:
        table = csv.writer(file)
        table.writerow([f"{name}_{k}" if rows[name].ndim > 1 else name for name in names
                        for k in range(rows[name].shape[1] if rows[name].ndim > 1 else 1)])
        table.writerows(numpy.column_stack([rows[name] for name in names]).tolist())
    plot_profile(rows, os.path.join(OUT, "hopper_profile.png"))

    pictures = []
    for name, component, label, title, low, high, preset in (
            ("Velocity", "Magnitude", "Mean velocity", "m/s", 0, 1, "Viridis (matplotlib)"),
            ("SolidFraction", None, "Solid fraction", " ", 0.2, 0.65, "Cool to Warm (Extended)")):
        view = view_of(walls, label)
        show_field(middle, view, name, component, title, low, high, preset)
        view.ViewTime = TIME
        Render(view)  # the first time it moves the camera
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.02, -1, 0.06], [0.02, 0, 0.06], [0, 0, 1]
        view.CameraParallelProjection, view.CameraParallelScale = 1, 0.125
        Render(view)
        pictures.append(os.path.join(OUT, f"hopper_{name}.png"))
        SaveScreenshot(pictures[-1], view)
    beside(pictures, os.path.join(OUT, "hopper_fields.png"))
    for picture in pictures:
        os.remove(picture)
    print("wrote hopper_fields.png, hopper_profile.png and hopper_profile.csv to", OUT, flush=True)


if __name__ == "__main__":
    main()
