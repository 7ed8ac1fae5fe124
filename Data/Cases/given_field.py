"""Water flows down and turns round a corner, and carries grains along: pictures and their path.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/given_field.py OUT [END]

The flow is made by a Calculator on an image: the corner flow u = S x, w = -S z of an ideal fluid,
with its pressure. A result of a CFD code takes its place in the same input. Writes to OUT:
given_field_*.png (grains by their speed, arrows of the flow), given_field_path.csv (mean place and speed
of grains and flow). END in s, default 1.2, is the end of the run.
"""
import csv
import os
import sys

import numpy
from paraview.simple import *
from vtkmodules.numpy_interface import dataset_adapter as dsa

OUT = sys.argv[1] if len(sys.argv) > 1 else "out"
END = float(sys.argv[2]) if len(sys.argv) > 2 else 1.2
STRAIN, WATER, WIDTH = 4.0, 1000.0, 0.4  # 1/s, kg/m^3, m


def corner_flow():
    box = ProgrammableSource(OutputDataSetType="vtkImageData")
    box.ScriptRequestInformation = """
executive = self.GetExecutive()
executive.GetOutputInformation(0).Set(executive.WHOLE_EXTENT(), 0, 40, 0, 4, 0, 40)
"""
    box.Script = f"""
output.SetExtent(0, 40, 0, 4, 0, 40)
output.SetSpacing({WIDTH / 40}, {WIDTH / 40}, {WIDTH / 40})
"""
    flow = Calculator(Input=box, ResultArrayName="Velocity", Function=f"{STRAIN}*(coordsX*iHat - coordsZ*kHat)")
    return Calculator(Input=flow, ResultArrayName="Pressure",
                      Function=f"-{WATER / 2 * STRAIN**2}*(coordsX*coordsX + coordsZ*coordsZ)")


def simulate(flow):
    packing = DEMPacking(Arrangement="Jittered Lattice", LowerCorner=[0.01, 0.002, 0.26], Size=[0.09, 0.036, 0.1], Spacing=0.0052,
                         RadiusDistribution="Uniform", MinimumRadius=0.0018, MaximumRadius=0.0022)
    run = DEMSimulation(registrationName="Grains", Particles=packing, EndTime=END, OutputInterval=0.02, Density=1100, YoungsModulus=1e5,
                        WallYoungsModulus=1e5, Domain=[0, WIDTH, 0, WIDTH / 10, 0, WIDTH], AutomaticDomain=0, ExitX="Remove", ExitZ="Wall")
    run.FluidCoupling = "Given Field"
    run.Fluid = flow
    run.FluidCoupling.DragLaw = "Beetstra"
    run.FluidCoupling.FluidDensity = WATER
    run.FluidCoupling.FluidViscosity = 1e-3
    return run


def draw(run, flow, times):
    view = CreateRenderView(ViewSize=[900, 800])
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    middle = Slice(Input=flow)
    middle.SliceType.Origin, middle.SliceType.Normal = [0, WIDTH / 20, 0], [0, 1, 0]
    arrows = Glyph(Input=middle, GlyphType="Arrow", OrientationArray=["POINTS", "Velocity"], ScaleArray=["POINTS", "Velocity"],
                   ScaleFactor=0.016, GlyphMode="Every Nth Point", Stride=7)
    shown = Show(arrows, view)
    shown.Representation = "Surface"
    shown.ColorArrayName = ["POINTS", ""]
    shown.DiffuseColor = shown.AmbientColor = [0.6, 0.66, 0.74]
    grains = Show(OutputPort(run, 0), view)
    ColorBy(grains, ("POINTS", "Velocity"))
    GetColorTransferFunction("Velocity").RescaleTransferFunction(0, 1.5)
    for time in times:
        view.ViewTime = time
        Render(view)  # the first rendering resets the camera
        grains.SetScalarBarVisibility(view, True)
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = (0.2, -1.15, 0.2), (0.2, 0, 0.2), (0, 0, 1)
        SaveScreenshot(os.path.join(OUT, f"given_field_{int(round(1000 * time)):04d}.png"), view)


def follow(run, times):
    rows = []
    for time in times:
        run.UpdatePipeline(time)
        data = dsa.WrapDataObject(servermanager.Fetch(run, idx=0))
        if data.GetNumberOfPoints() == 0:
            break
        place, velocity = numpy.array(data.Points), numpy.array(data.PointData["Velocity"])
        flow = STRAIN * numpy.stack([place[:, 0], -place[:, 2]], axis=1)
        slip = numpy.linalg.norm(velocity[:, [0, 2]] - flow, axis=1).mean()
        rows.append((float(time), len(place), *(float(x) for x in place[:, [0, 2]].mean(axis=0)), float(numpy.linalg.norm(velocity, axis=1).mean()),
                     float(slip)))
        print("t = {:.2f} s: {} grains, mean x = {:.3f} m, z = {:.3f} m, speed {:.2f} m/s, slower than the flow by {:.2f} m/s".format(*rows[-1]),
              flush=True)
    with open(os.path.join(OUT, "given_field_path.csv"), "w", newline="", encoding="utf-8") as text:
        csv.writer(text).writerows([("time (s)", "grains", "mean x (m)", "mean z (m)", "mean speed (m/s)", "mean slip (m/s)"), *rows])


os.makedirs(OUT, exist_ok=True)
fluid = corner_flow()
simulation = simulate(fluid)
draw(simulation, fluid, [0, 0.25 * END, 0.5 * END])
follow(simulation, numpy.linspace(0, END, 13))
