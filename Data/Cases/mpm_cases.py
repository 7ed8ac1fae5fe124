"""Five scenes of the Material Point Method, each played and photographed.

    PV_PLUGIN_PATH=<plugins> pvbatch Data/Cases/mpm_cases.py [short] [block] [rings] [column]
[jelly] [dam] OUT

No name means all scenes. `short` doubles the size of the cells and grains and, except for the
column, stops at the second of the four times. Writes to OUT for each scene: mpm_NAME.png (the scene
at four times) and mpm_NAME.pvsm, the scene to open in ParaView. For the column also
mpm_column_difference.png: the material in each cell by the Discrete Element Method and by the
Material Point Method, and the difference.
"""
import math
import os
import sys

import numpy
from paraview import servermanager
from paraview.simple import *
from vtkmodules.numpy_interface import dataset_adapter as dsa
from vtkmodules.vtkFiltersCore import vtkImageAppend
from vtkmodules.vtkIOImage import vtkPNGReader, vtkPNGWriter

GEOMETRY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Geometry")


def apply_preset(colors, name):
    """Chooses a colour map. ParaView 5 calls Viridis "Viridis (matplotlib)"."""
    presets = servermanager.vtkSMTransferFunctionPresets.GetInstance()
    colors.ApplyPreset(name if presets.HasPreset(name) else name + " (matplotlib)", True)


def block():
    """A cube of jelly, 1 m wide, falls half a metre onto the border and rebounds."""
    cube = Box(registrationName="Cube")
    run = MPMSimulation(registrationName="Jelly", Particles=cube, EndTime=1.4, OutputInterval=0.02)
    return dict(run=run, times=(0, 0.4, 0.66, 1.2), color=("VonMises", 0, 3e4, "Viridis"), camera=((2.6, -4.2, 0.8), (0, 0, -0.3)))


def rings():
    """Two rubber rings collide, flatten, and separate. No gravity, no walls."""
    bodies = []
    for name, side in (("Left", -1), ("Right", 1)):
        disk = Disk(InnerRadius=0.03, OuterRadius=0.04, CircumferentialResolution=96)
        ring = LinearExtrusion(Input=disk, Vector=[0, 0, 1], ScaleFactor=0.01, Capping=1)
        placed = Transform(Input=ring)
        placed.Transform.Translate = [side * 0.05, 0, 0]
        bodies.append(Calculator(registrationName=name, Input=placed, ResultArrayName="Velocity", Function=f"{-side * 15}*iHat"))
    run = MPMSimulation(registrationName="Rubber", Particles=bodies, EndTime=0.012, OutputInterval=0.0002, GridSpacing=0.002, Gravity=[0, 0, 0],
                        AutomaticDomain=0, Domain=[-0.14, 0.14, -0.08, 0.08, -0.01, 0.02])
    run.MaterialModel = "Neo-Hookean"
    run.MaterialModel.Density, run.MaterialModel.YoungsModulus, run.MaterialModel.PoissonsRatio = 1010, 7.3e7 / 40, 0.4
    return dict(run=run, times=(0, 0.002, 0.004, 0.008), color=("VonMises", 0, 4e5, "Viridis"), camera=((0, 0, 0.42), (0, 0, 0)), up=(0, 1, 0))


def column(coarse=1):
    """A column of dry sand, twice as high as its radius, collapses on a rough floor. Next to it
    5,800 grains of the same friction and total mass collapse on the same floor."""
    radius, height, friction = 0.06, 0.12, 0.5
    across, below = 0.24, 0.032
    domain = [-across, across, -across, across, -below, 0.18]
    ground = Plane(registrationName="Ground", Origin=[-across, -across, 0], Point1=[across, -across, 0], Point2=[-across, across, 0])
    floor = DEMWall(registrationName="Floor", Input=ground, WallName="Floor", OwnMaterial=1, YoungsModulus=2e6, Restitution=0.3, Friction=friction,
                    RollingFriction=0.1)
    grain = 0.003 * coarse
    # Room for centres up to the radius.
    wider = Transform(Input=Cylinder(Radius=radius + grain, Height=height, Resolution=48, Capping=1))
    wider.Transform.Rotate, wider.Transform.Translate = [90, 0, 0], [0, 0, 0.5 * height]
    room = radius + 2 * grain
    lattice = DEMPacking(registrationName="Lattice", Region=wider, LowerCorner=[-room, -room, 0], Size=[2 * room, 2 * room, height],
                         Arrangement="Jittered Lattice", Spacing=2 * grain, RadiusDistribution="Uniform", MinimumRadius=0.9 * grain, MaximumRadius=grain)
    grains = DEMSimulation(registrationName="Grains", Particles=lattice, Walls=floor, EndTime=0.6, OutputInterval=0.01, AutomaticDomain=0, Domain=domain,
                           YoungsModulus=2e6, Restitution=0.3, Friction=friction, RollingFriction=0.1)
    grains.RollingModel = "CDT"
    pipe = Cylinder(Radius=radius, Height=height, Resolution=48, Capping=1)
    upright = Transform(registrationName="Column", Input=pipe)
    upright.Transform.Rotate, upright.Transform.Translate = [90, 0, 0], [0, 0, 0.5 * height]
    run = MPMSimulation(registrationName="Sand", Particles=upright, Walls=floor, EndTime=0.6, OutputInterval=0.01, GridSpacing=0.008 * coarse,
                        AutomaticDomain=0, Domain=domain)
    run.MaterialModel = "Drucker-Prager"
    run.MaterialModel.YoungsModulus, run.MaterialModel.FrictionAngle = 5e5, math.degrees(math.atan(friction))
    run.MaterialModel.Density = mass(grains) / points_of(run, "Volume").sum()
    check_the_same(run, grains, floor, friction)
    return dict(run=run, times=(0, 0.12, 0.25, 0.6), color=("Velocity", 0, 1, "Viridis"), camera=((0.2, -0.6, 0.25), (0, 0, 0.02)),
                beside=grains, bounds=domain[:4] + [-0.015, 0.18], cells=[60, 60, 26])


def points_of(run, name):
    run.UpdatePipeline(0)
    return dsa.WrapDataObject(servermanager.Fetch(run, idx=0)).PointData[name].astype(float)


def mass(run):
    return points_of(run, "Mass").sum()


def check_the_same(continuum, grains, floor, friction):
    """Both runs differ only in the method."""
    a, b = mass(continuum), mass(grains)
    print(f"column: {a:.5f} kg of continuum, {b:.5f} kg of grains, difference {a / b - 1:.1e}; the floor and both materials rub with {friction}", flush=True)
    if not abs(a / b - 1) < 1e-4:
        raise RuntimeError(f"the column of sand weighs {a} kg, that of grains {b} kg")
    angle = math.tan(math.radians(continuum.MaterialModel.FrictionAngle))
    for name, value in (("grains", grains.Friction), ("floor", floor.Friction), ("sand", angle)):
        if not abs(value - friction) < 1e-9:
            raise RuntimeError(f"the {name} rub with {value}, not {friction}")
    if continuum.Walls[0].SMProxy != grains.Walls[0].SMProxy or continuum.Walls[0].SMProxy != floor.SMProxy:
        raise RuntimeError("the columns do not stand on the same floor")


def jelly():
    """A ball of soft jelly falls into the hopper of an STL file and squeezes through the outlet,
    which is narrower than the ball."""
    ball = Sphere(registrationName="Ball", Radius=0.042, Center=[0.012, 0, 0.2], ThetaResolution=48, PhiResolution=24)
    body = STLReader(registrationName="STL", FileNames=[os.path.join(GEOMETRY, "demo_hopper.stl")])
    hopper = DEMWall(registrationName="Hopper", Input=body, WallName="Hopper", OwnMaterial=1, Friction=0.05)
    run = MPMSimulation(registrationName="Jelly", Particles=ball, Walls=hopper, EndTime=1, OutputInterval=0.01, GridSpacing=0.004, AutomaticDomain=0,
                        Domain=[-0.1, 0.1, -0.1, 0.1, -0.12, 0.28])
    run.MaterialModel.YoungsModulus = 4e3
    return dict(run=run, times=(0, 0.2, 0.4, 0.8), color=("VonMises", 0, 1500, "Viridis"), camera=((0.3, -0.75, 0.2), (0, 0, 0.08)))


def dam():
    """A column of water is released, runs through a box and climbs the far side."""
    water = Box(registrationName="Water", XLength=0.3, YLength=0.12, ZLength=0.3, Center=[0.15, 0.06, 0.15])
    run = MPMSimulation(registrationName="Dam", Particles=water, EndTime=1, OutputInterval=0.01, GridSpacing=0.012, AutomaticDomain=0,
                        Domain=[0, 1.2, 0, 0.12, 0, 0.6], BorderFriction=0)
    run.MaterialModel = "Fluid"
    run.MaterialModel.BulkModulus, run.MaterialModel.Viscosity = 3e4, 0.001
    return dict(run=run, times=(0, 0.2, 0.4, 0.7), color=("Velocity", 0, 2.5, "Viridis"), camera=((0.6, -1.9, 0.55), (0.6, 0.06, 0.2)))


CASES = dict(block=block, rings=rings, column=column, jelly=jelly, dam=dam)


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


def row(run, time):
    run.UpdatePipeline(time)
    table = servermanager.Fetch(run, idx=3)
    return {table.GetColumnName(i): table.GetValue(0, i).ToDouble() for i in range(table.GetNumberOfColumns()) if not table.GetColumn(i).IsA("vtkStringArray")
            and table.GetColumn(i).GetNumberOfComponents() == 1}


def difference(name, case, out):
    """Cuts through the middle: the material in each cell by both methods at the last time, and the
    difference."""
    time = case["times"][-1]
    averages = [DEMCellAverage(registrationName=f"Average of {method}", Input=run, AutomaticBounds=0, Bounds=case["bounds"], Dimensions=case["cells"])
                for method, run in (("Grains", case["beside"]), ("Continuum", case["run"]))]
    both = PythonCalculator(registrationName="Difference", Input=averages, ArrayAssociation="Cell Data", ArrayName="MassDensity",
                            Expression="inputs[1].CellData['MassDensity'] - inputs[0].CellData['MassDensity']")
    pictures = []
    for title, source, low, high, preset in (("Grains", averages[0], 0, 1600, "Viridis"), ("Continuum", averages[1], 0, 1600, "Viridis"),
                                             ("Continuum - grains", both, -1600, 1600, "Cool to Warm")):
        view = CreateView("RenderView")
        view.ViewSize = [850, 400]
        view.OrientationAxesVisibility = 0
        view.UseColorPaletteForBackground = 0
        view.Background = [1, 1, 1]
        view.ViewTime = time
        if low == 0:  # the air is not shown
            source = Threshold(Input=source, Scalars=["CELLS", "MassDensity"], LowerThreshold=1, UpperThreshold=1e5)
        cut = Slice(registrationName=f"{title} in the middle", Input=source, SliceType="Plane")
        cut.SliceType.Origin, cut.SliceType.Normal = [0, 1e-4, 0], [0, 1, 0]
        shown = Show(cut, view)
        ColorBy(shown, ("CELLS", "MassDensity"), separate=True)
        colors = GetColorTransferFunction("MassDensity", shown, separate=True)
        colors.AutomaticRescaleRangeMode = "Never"
        apply_preset(colors, preset)
        colors.RescaleTransferFunction(low, high)
        text = Show(Text(registrationName=f"Title of {title}", Text=f"{title}: kg/m\u00b3, {low} to {high}"), view)
        text.Color, text.FontSize, text.WindowLocation = [0, 0, 0], 20, "Upper Center"
        Render(view)
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, -1, 0.06], [0, 0, 0.06], [0, 0, 1]
        view.CameraParallelProjection, view.CameraParallelScale = 1, 0.115
        pictures.append(os.path.join(out, f"{name}_difference_{len(pictures)}.png"))
        SaveScreenshot(pictures[-1], view)
    beside(pictures, os.path.join(out, f"mpm_{name}_difference.png"))
    density = [dsa.WrapDataObject(servermanager.Fetch(a)).CellData["MassDensity"].reshape(case["cells"][::-1]) for a in averages]
    low, high = case["bounds"][0], case["bounds"][1]
    x = low + (numpy.arange(case["cells"][0]) + 0.5) * (high - low) / case["cells"][0]
    r = numpy.hypot(*numpy.meshgrid(x, x))
    volume = numpy.prod([(case["bounds"][2 * k + 1] - case["bounds"][2 * k]) / case["cells"][k] for k in range(3)])
    thick = (case["bounds"][5] - case["bounds"][4]) / case["cells"][2]
    total = [values.sum() * volume for values in density]
    for method, values, weight in zip(("grains", "continuum"), density, total):
        outwards = numpy.argsort(r, axis=None)
        share = numpy.cumsum(values.sum(0).ravel()[outwards]) * volume / weight
        run_out = r.ravel()[outwards][numpy.searchsorted(share, 0.98)]
        top = case["bounds"][4] + ((values > 300).any((1, 2)).nonzero()[0].max() + 1) * thick
        print(f"{name} of {method}: {weight:.4f} kg, 98 % of it within {run_out:.3f} m of the axis, {top:.3f} m high", flush=True)
    if abs(total[0] / total[1] - 1) > 0.01:
        raise RuntimeError(f"{name}: {total[0]} kg of grains and {total[1]} kg of continuum are left")


def play(name, case, out):
    run, times = case["run"], case["times"]
    view = CreateView("RenderView")
    view.ViewSize = [640, 520]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    array, low, high, preset = case["color"]
    points = Show(run, view)
    ColorBy(points, ("POINTS", array))
    colors = GetColorTransferFunction(array)
    colors.AutomaticRescaleRangeMode = "Never"
    apply_preset(colors, preset)
    colors.RescaleTransferFunction(low, high)
    points.SetScalarBarVisibility(view, False)
    Show(OutputPort(run, 2), view)
    run.UpdatePipeline(0)
    run.UpdatePropertyInformation()
    domain = run.DomainInUse
    room = Box(registrationName="Domain", XLength=domain[1] - domain[0], YLength=domain[3] - domain[2], ZLength=domain[5] - domain[4],
               Center=[0.5 * (domain[k] + domain[k + 1]) for k in (0, 2, 4)])
    edges = Show(room, view)
    edges.Representation, edges.AmbientColor = "Outline", [0.5, 0.5, 0.5]
    scene = GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    pictures = []
    for time in times:
        scene.AnimationTime = time
        Render(view)
        view.CameraPosition, view.CameraFocalPoint = case["camera"]
        view.CameraViewUp = case.get("up", (0, 0, 1))
        pictures.append(os.path.join(out, f"{name}_{len(pictures)}.png"))
        SaveScreenshot(pictures[-1], view)
        now = row(run, time)
        if not (now["PointCount"] > 100 and 0.05 < now["SmallestJ"] <= now["LargestJ"] < 5 and (time == 0 or now["KineticEnergy"] > 0)):
            raise RuntimeError(f"{name} at {time} s is not what it should be: {now}")
        print(f"{name} t = {time} s: kinetic {now['KineticEnergy']:.4g} J, elastic {now['ElasticEnergy']:.4g} J, potential {now['PotentialEnergy']:.4g} J, "
              f"J {now['SmallestJ']:.3f} to {now['LargestJ']:.3f}, {now['StepsPerSecond']:.0f} steps/s, {now['PointCount']:.0f} points", flush=True)
    beside(pictures, os.path.join(out, f"mpm_{name}.png"))
    if "beside" in case:
        difference(name, case, out)
    SaveState(os.path.join(out, f"mpm_{name}.pvsm"))


def shorten(case):
    run = case["run"]
    run.UpdatePipeline(0)
    run.UpdatePropertyInformation()
    run.GridSpacing = 2 * run.GridSpacingInUse
    case["times"] = case["times"][:2]


def main():
    words = sys.argv[1:]
    out = words.pop() if words and words[-1] not in CASES and words[-1] != "short" else "out"
    short = "short" in words
    words = [word for word in words if word != "short"]
    unknown = [word for word in words if word not in CASES]
    if unknown:
        raise ValueError(f"unknown case {unknown[0]}; known are {', '.join(CASES)}")
    os.makedirs(out, exist_ok=True)
    for name in words or CASES:
        case = column(coarse=2) if short and name == "column" else CASES[name]()
        if short and name != "column":
            shorten(case)
        play(name, case, out)
        for proxy in list(GetSources().values()) + GetViews():
            Delete(proxy)


main()
print("ALL PASSED")
