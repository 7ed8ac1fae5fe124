"""The main demonstration: a hopper read from STL files empties. Run by `./dev demo`, or:

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/demo_hopper.py OUT

Writes to OUT: frame_NNN.png (a series of pictures), film_strip.png, mass_flow.csv, mass_flow.png,
and particles_*.vtp and contacts_*.vtp at a few times. Exits with 1 if fewer than 95 % of the grains
leave, or if the rate differs by more than 15 % from Beverloo's law.

Beverloo's law (Beverloo, Leniger, van de Velde, Chem. Eng. Sci. 15 (1961) 260): W = C rho_b sqrt(g)
(D - k d)^2.5 with C = 0.58, k = 1.5 (spheres; Nedderman, Statics and Kinematics of Granular
Materials, 1992) and the bulk density rho_b measured in the settled bed.
"""
import csv
import math
import os
import sys
import time

import numpy
from paraview.simple import *
from paraview import servermanager
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersCore import vtkImageAppend
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

HERE = os.path.dirname(os.path.abspath(__file__))
OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
ORIFICE, BORE = 0.060, 0.150      # m, Data/Geometry/make_geometry.py
OPENS = 0.6                       # s, start of the gate's motion in demo_hopper.dem
GRAVITY, C, K = 9.81, 0.58, 1.5
PICTURE_EVERY = 2                 # outputs
KEPT = (0.56, 1.2, 2.0)           # s, times written as VTK files


def bulk_density(position, radius, mass):
    """Bulk density of the settled bed, in a cylinder away from walls, surface and cone."""
    low, high, inner = 0.05, 0.13, BORE / 2 - 0.012
    # Each sphere counts by its exact volume between the two heights. Across the side of the
    # cylinder it counts by its centre.
    inside = numpy.hypot(position[:, 0], position[:, 1]) < inner
    z, r = position[inside, 2], radius[inside]
    def below(h):
        t = numpy.clip(h - (z - r), 0, 2 * r)
        return t * t * (3 * r - t) / (4 * r ** 3)
    return float(numpy.sum(mass[inside] * (below(high) - below(low)))) / (math.pi * inner ** 2 * (high - low))


def film_strip(names, path):
    strip, writer = vtkImageAppend(), vtkPNGWriter()
    strip.SetAppendAxis(0)
    for k in range(6):
        reader = vtkPNGReader()
        reader.SetFileName(names[round(k * (len(names) - 1) / 5)])
        strip.AddInputConnection(reader.GetOutputPort())
    writer.SetFileName(path)
    writer.SetInputConnection(strip.GetOutputPort())
    writer.Write()


def plot_flow(rows, fit, law, path):
    try:
        import matplotlib
    except ModuleNotFoundError:
        print("matplotlib is not installed: no plot of the mass flow (python3-matplotlib); the curve is in mass_flow.csv")
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    times, out, rate = (numpy.array([row[k] for row in rows]) for k in (0, 2, 3))
    figure, (left, right) = plot.subplots(1, 2, figsize=(10, 4), layout="constrained")
    left.plot(times, out)
    left.set(xlabel="time (s)", ylabel="mass that left (kg)")
    right.plot(times, rate, color="0.6", label="between outputs")
    right.hlines(fit[0], fit[1], fit[2], color="C0", label=f"steady: {fit[0]:.3f} kg/s")
    right.axhline(law, color="C3", linestyle="--", label=f"Beverloo: {law:.3f} kg/s")
    right.axhspan(0.85 * law, 1.15 * law, color="C3", alpha=0.1)
    right.set(xlabel="time (s)", ylabel="rate (kg/s)")
    right.legend()
    figure.savefig(path, dpi=110)


def main():
    os.makedirs(OUT, exist_ok=True)
    case = DEMCaseReader(registrationName="hopper", FileName=os.path.join(HERE, "demo_hopper.dem"))
    case.UpdatePipelineInformation()
    times = list(case.TimestepValues)
    view = CreateView("RenderView")
    view.ViewSize = [480, 800]
    view.OrientationAxesVisibility = 0
    view.Background = [1, 1, 1]
    view.UseColorPaletteForBackground = 0
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.0, -0.72, 0.14], [0, 0, 0.095], [0, 0, 1]

    grains = Show(OutputPort(case, 0), view)  # DEM Spheres, the default
    ColorBy(grains, ("POINTS", "Velocity", "Magnitude"))
    colors = GetColorTransferFunction("Velocity")
    colors.RescaleTransferFunction(0, 1.2)
    bar = GetScalarBar(colors, view)
    bar.Title, bar.ComponentTitle = "Speed (m/s)", ""
    bar.TitleColor = bar.LabelColor = [0, 0, 0]
    bar.WindowLocation = "Any Location"
    bar.Position, bar.ScalarBarLength = [0.72, 0.06], 0.3
    grains.SetScalarBarVisibility(view, True)
    # Only the far half of the hopper is drawn, so that the grains are visible.
    half = Clip(Input=OutputPort(case, 2), ClipType="Plane")
    half.ClipType.Origin, half.ClipType.Normal = [0, 0.001, 0], [0, -1, 0]
    half.Invert = 1
    walls = Show(half, view)
    walls.ColorArrayName = [None, ""]
    walls.DiffuseColor = walls.AmbientColor = [0.75, 0.78, 0.82]

    began, first_mass, density, device = time.time(), None, None, ""
    rows, pictures, diameter = [], [], 0.0
    for k, t in enumerate(times):
        case.UpdatePipeline(t)
        data = servermanager.Fetch(case, idx=0)
        count = data.GetNumberOfPoints()
        array = lambda name: vtk_to_numpy(data.GetPointData().GetArray(name))
        mass = float(numpy.sum(array("Mass"), dtype=float)) if count else 0.0
        if first_mass is None:
            first_mass, first_count = mass, count
            diameter = 2 * float(numpy.mean(array("Radius")))
            device = data.GetFieldData().GetAbstractArray("Device").GetValue(0)
            print(f"{count} grains of {1e3 * diameter:.1f} mm on {device}", flush=True)
        if t < OPENS - 1e-9:
            position = vtk_to_numpy(data.GetPoints().GetData())
            density = bulk_density(position, array("Radius"), array("Mass"))
        out = first_mass - mass
        rate = (out - rows[-1][2]) / (t - rows[-1][0]) if rows else 0.0
        rows.append((t, count, out, rate))
        if any(abs(t - kept) < 1e-9 for kept in KEPT):
            # plain inline data: an up-to-date Debian 12 (libexpat) cannot read appended XML
            SaveData(os.path.join(OUT, f"particles_{t:.2f}s.vtp"), proxy=OutputPort(case, 0), DataMode="Binary")
            SaveData(os.path.join(OUT, f"contacts_{t:.2f}s.vtp"), proxy=OutputPort(case, 1), DataMode="Binary")
        if k % PICTURE_EVERY == 0:
            view.ViewTime = t
            Render(view)
            name = os.path.join(OUT, f"frame_{len(pictures):03d}.png")
            SaveScreenshot(name, view)
            pictures.append(name)
        if k % 10 == 0:
            print(f"t = {t:5.2f} s of {times[-1]:.2f} s: {100 * (1 - count / first_count):5.1f} % of the grains are out, {time.time() - began:4.0f} s", flush=True)
        if count < 0.02 * first_count:
            break

    with open(os.path.join(OUT, "mass_flow.csv"), "w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["time (s)", "grains left", "mass out (kg)", "rate (kg/s)"])
        table.writerows([f"{t:.6g}", n, f"{m:.6g}", f"{r:.6g}"] for t, n, m, r in rows)

    steady = [(t, m) for t, n, m, r in rows if 0.15 * first_mass <= m <= 0.65 * first_mass]
    rate = float(numpy.polyfit(*zip(*steady), 1)[0])
    law = C * density * math.sqrt(GRAVITY) * (ORIFICE - K * diameter) ** 2.5
    share = 1 - rows[-1][1] / first_count
    film_strip(pictures, os.path.join(OUT, "film_strip.png"))
    plot_flow(rows, (rate, steady[0][0], steady[-1][0]), law, os.path.join(OUT, "mass_flow.png"))
    good = share >= 0.95 and abs(rate / law - 1) <= 0.15
    print(f"{100 * share:.1f} % of {first_count} grains left; steady rate {rate:.3f} kg/s, Beverloo {law:.3f} kg/s ({100 * (rate / law - 1):+.1f} %); "
          f"bulk density {density:.0f} kg/m^3; {len(pictures)} pictures; {time.time() - began:.0f} s on {device}: {'good' if good else 'NOT AS EXPECTED'}")
    return 0 if good else 1


if __name__ == "__main__":
    # Only a failure calls sys.exit: in ParaView 5.11 it ends with an X error after rendering.
    if main():
        sys.stdout.flush()
        sys.exit(1)
