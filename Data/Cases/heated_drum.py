"""The grains of heated_drum.dem warm up in the hot drum: pictures and the heating curve.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/heated_drum.py OUT [END]

Writes to OUT: heated_drum_*.png (the drum at two times, grains coloured by their temperature),
heated_drum_curve.png and .csv (mean and standard deviation of the temperature over time). END in s,
default 6, is the end of the run.
"""
import csv
import os
import sys

import numpy
from paraview.simple import *
from vtkmodules.numpy_interface import dataset_adapter as dsa

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
END = float(sys.argv[2]) if len(sys.argv) > 2 else 6
HOT, START = 500.0, 300.0  # K: shell, grains at the start


def draw_drum(case, times):
    view = CreateRenderView(ViewSize=[900, 700])
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    grains = Show(OutputPort(case, 0), view)
    ColorBy(grains, ("POINTS", "Temperature"))
    GetColorTransferFunction("Temperature").RescaleTransferFunction(START, HOT)
    shell = Show(Threshold(Input=OutputPort(case, 2), Scalars=["CELLS", "Wall"], LowerThreshold=0, UpperThreshold=0), view)
    shell.Representation = "Surface"
    shell.ColorArrayName = ["POINTS", ""]
    shell.DiffuseColor = shell.AmbientColor = [0.45, 0.5, 0.58]
    shell.Opacity = 0.25
    for time in times:
        view.ViewTime = time
        Render(view)  # the first rendering resets the camera
        grains.SetScalarBarVisibility(view, True)
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = (0.3, -2.3, 0.4), (0, 0, 0), (0, 0, 1)
        SaveScreenshot(os.path.join(OUT, f"heated_drum_{int(round(1000 * time)):05d}.png"), view)


def follow(case, end):
    """Time, mean and standard deviation of the temperatures."""
    rows = []
    statistics = DEMStatistics(Input=OutputPort(case, 0))
    for time in numpy.linspace(0, end, 13):
        statistics.UpdatePipeline(time)
        row = dsa.WrapDataObject(servermanager.Fetch(statistics, idx=0)).RowData
        rows.append((float(time), float(row["MeanTemperature"][0]), float(row["TemperatureDeviation"][0])))
        print(f"{time:.1f} s: {rows[-1][1]:.2f} K, standard deviation {rows[-1][2]:.2f} K", flush=True)
    with open(os.path.join(OUT, "heated_drum_curve.csv"), "w", newline="", encoding="utf-8") as text:
        csv.writer(text).writerows([("time (s)", "mean (K)", "standard deviation (K)"), *rows])
    return rows


def draw_curve(rows):
    from matplotlib import use
    use("Agg")
    from matplotlib import pyplot
    time, mean, deviation = (numpy.array(column) for column in zip(*rows))
    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    axes.fill_between(time, numpy.maximum(mean - deviation, START), mean + deviation, color="#d9482b", alpha=0.2, label="standard deviation")
    axes.plot(time, mean, "o-", color="#d9482b", label="mean of the grains")
    axes.axhline(HOT, color="#5a5f66", linestyle="--", label="shell")
    axes.set_xlabel("time (s)")
    axes.set_ylabel("temperature (K)")
    axes.legend()
    figure.tight_layout()
    figure.savefig(os.path.join(OUT, "heated_drum_curve.png"), dpi=110)


os.makedirs(OUT, exist_ok=True)
reader = DEMCaseReader(registrationName="Heated drum", FileName=os.path.join(HERE, "heated_drum.dem"))
draw_drum(reader, [0.3 * END, END])
draw_curve(follow(reader, END))
