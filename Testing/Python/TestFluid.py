"""Grains in a given flow through pvpython: drag and buoyancy without a field, fields of images, of
unstructured and composite data, of cells, in time; arrays, rewinding, .dem files, refusals."""
import json
import os

import numpy
from dem_testing import WORK, arrays, check, differences, everything, expect, fetch, main, simulation
from paraview import simple

WATER = dict(FluidDensity=1000, FluidViscosity=1e-3)


def grains(positions, radius):
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData")
    source.Script = f"""
import numpy
output.Points = numpy.array({[[float(x) for x in p] for p in positions]})
output.PointData.append(numpy.full({len(positions)}, {radius}), "Radius")
"""
    return source


def in_fluid(positions, radius, law="Stokes", fluid=None, **properties):
    values = dict(Domain=[-1, 1, -1, 1, -1, 1], AutomaticDomain=0, EndTime=0.1, OutputInterval=0.01, Density=2500, YoungsModulus=10.0,
                  WallYoungsModulus=10.0)
    values.update(properties)
    s = simulation(grains(positions, radius), **values)
    s.FluidCoupling = "Given Field"
    s.FluidCoupling.DragLaw = law
    for name, value in WATER.items():
        setattr(s.FluidCoupling, name, value)
    if fluid:
        s.Fluid = fluid
    return s


def at(s, time, port=0):
    return arrays(fetch(s, port, time))


def image(expression="(1 + 2*coordsX)*iHat", cells=8, pressure=None):
    """An image over [-1, 1]^3 with Velocity and, if given, Pressure."""
    source = simple.ProgrammableSource(OutputDataSetType="vtkImageData")
    source.ScriptRequestInformation = f"""
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
info.Set(executive.WHOLE_EXTENT(), 0, {cells}, 0, {cells}, 0, {cells}, )
"""
    source.Script = f"""
n = {cells}
output.SetExtent(0, n, 0, n, 0, n)
output.SetOrigin(-1, -1, -1)
output.SetSpacing(2.0 / n, 2.0 / n, 2.0 / n)
"""
    flow = simple.Calculator(Input=source, ResultArrayName="Velocity", Function=expression)
    return simple.Calculator(Input=flow, ResultArrayName="Pressure", Function=pressure) if pressure else flow


def a_grain_sinks_with_stokes():
    d = 1e-4
    s = in_fluid([[0, 0, 0]], d / 2)
    data, table = at(s, 0.05), at(s, 0.05, 3)
    expected = -(2500 - 1000) * 9.81 * d**2 / (18 * 1e-3)
    check(abs(data["point", "Velocity"][0][2] / expected - 1) < 2e-3, str(data["point", "Velocity"]))
    weight = 2500 * 9.81 * numpy.pi / 6 * d**3
    check(abs(data["point", "FluidForce"][0][2] / weight - 1) < 2e-3, "drag and buoyancy carry its weight")
    check(table["row", "FluidWork"][0] < 0 and table["row", "OutsideFluid"][0] == 0)
    check(abs(table["row", "EnergyError"][0]) < 1e-2 * abs(table["row", "FluidWork"][0]))
    early = everything(s, 0.02)
    s.FrameMemory = 0
    at(s, 0.1)
    check(not differences(everything(s, 0.02), early))
    # without a fluid there is nothing of it
    s.FluidCoupling = "None"
    check(("point", "FluidForce") not in at(s, 0.02) and ("row", "FluidWork") not in at(s, 0.02, 3))


def fields_of_all_kinds():
    """Stokes' drag of a linear flow, whatever the field is made of."""
    place, d = [0.3, -0.2, 0.1], 0.01
    stokes = 3 * numpy.pi * 1e-3 * d
    flow = image()
    cells = simple.PointDatatoCellData(Input=flow)
    mesh = simple.Tetrahedralize(Input=flow)
    for fluid, tolerance in ((flow, 1e-5), (mesh, 1e-3), (cells, 1e-3), (simple.GroupDatasets(Input=[mesh]), 1e-3)):
        s = in_fluid([place], d / 2, fluid=fluid, Gravity=[0, 0, 0], Density=1e6)
        force = at(s, 0)["point", "FluidForce"][0]
        check(abs(force[0] / (stokes * 1.6) - 1) < tolerance and abs(force[1]) < 1e-9, f"{fluid}: {force / stokes}")
    s = in_fluid([place], d / 2, fluid=image(pressure="100*coordsZ"), Gravity=[0, 0, 0], Density=1e6)
    force = at(s, 0)["point", "FluidForce"][0]
    check(abs(force[2] / (-100 * numpy.pi / 6 * d**3) - 1) < 1e-5, str(force))
    # a part of the domain only
    clip = simple.Clip(Input=flow, ClipType="Plane")
    clip.ClipType.Normal = [1, 0, 0]
    clip.ClipType.Origin = [0, 0, 0]
    s = in_fluid([place, [-0.3, -0.2, 0.1]], d / 2, fluid=clip, Gravity=[0, 0, 0])
    s.FluidCoupling.FluidResolution = 40
    force = at(s, 0)["point", "FluidForce"]
    moved = numpy.abs(force[:, 0]) > 0
    check(moved.sum() == 1 and at(s, 0, 3)["row", "OutsideFluid"][0] == 1, str(force))


def fields_in_time():
    folder = os.path.join(WORK, "flow")
    os.makedirs(folder, exist_ok=True)
    names = []
    for k, speed in enumerate((1, 3, 2)):
        name = os.path.join(folder, f"flow{k}.vti")
        simple.SaveData(name, proxy=image(f"{speed}*iHat"), PointDataArrays=["Velocity"])
        names.append(name)
    series = os.path.join(folder, "flow.pvd")
    with open(series, "w") as out:
        out.write('<VTKFile type="Collection" version="0.1"><Collection>' + "".join(
            f'<DataSet timestep="{t}" file="{os.path.basename(n)}"/>' for t, n in zip((0.02, 0.04, 0.08), names)) + "</Collection></VTKFile>")
    d = 0.01
    s = in_fluid([[0, 0, 0]], d / 2, fluid=simple.OpenDataFile(series), Gravity=[0, 0, 0], Density=1e9)
    stokes = 3 * numpy.pi * 1e-3 * d
    for time, speed in ((0, 1), (0.02, 1), (0.03, 2), (0.04, 3), (0.06, 2.5), (0.1, 2), (0.03, 2)):
        force = at(s, time)["point", "FluidForce"][0][0]
        check(abs(force / stokes - speed) < 1e-3, f"{force / stokes} at {time}")


def warnings():
    folder = os.path.join(WORK, "flow")
    s = in_fluid([[0, 0, 0]], 5e-3, fluid=simple.OpenDataFile(os.path.join(folder, "flow.pvd")), EndTime=1)
    expect(lambda: s.UpdatePipeline(0), "its last time is 0.08 s", "its last flow stays")
    far = simple.Transform(Input=image())
    far.Transform.Translate = [50, 0, 0]
    s = in_fluid([[0, 0, 0]], 5e-3, fluid=far)
    expect(lambda: s.UpdatePipeline(0), "away from the nearest grain, so no grain feels it")
    check(at(s, 0, 3)["row", "OutsideFluid"][0] == 1)
    s = in_fluid([[0, 0, 0]], 5e-3, fluid=simple.PointDatatoCellData(Input=image()))
    expect(lambda: s.UpdatePipeline(0), "Velocity is an array of the cells")


def a_bed_feels_its_void_fraction():
    d = 0.01
    places = [[(i + 0.5) * d, (j + 0.5) * d, (k + 0.5) * d] for i in range(6) for j in range(6) for k in range(6)]
    s = in_fluid(places, d / 2 * (1 - 1e-7), law="Gidaspow", Gravity=[0, 0, 0], Domain=[0, 6 * d, 0, 6 * d, 0, 6 * d], ExitX="Periodic",
                 ExitY="Periodic", ExitZ="Periodic", Density=1e9)
    s.FluidCoupling.FluidVelocity = [0, 0, 0.5]
    e = 1 - numpy.pi / 6
    superficial = 0.5 * e
    drop = 150 * (1 - e)**2 * 1e-3 * superficial / (e**3 * d**2) + 1.75 * (1 - e) * 1000 * superficial**2 / (e**3 * d)
    total = at(s, 0)["point", "FluidForce"][:, 2].sum()
    check(abs(total / (drop * (6 * d)**3) - 1) < 1e-4, f"{total} {drop * (6 * d)**3}")


def of_a_case_file():
    path = os.path.join(WORK, "fluid.dem")
    case = {"version": 1, "particles": {"position": [[0, 0, 0]], "radius": 5e-5},
            "materials": [{"name": "Glass", "youngs_modulus": 10, "density": 2500}],
            "fluid": {"model": "Given Field", "drag_law": "Stokes", "density": 1000, "viscosity": 1e-3, "velocity": [0.1, 0, 0]},
            "domain": {"lower": [-1, -1, -1], "upper": [1, 1, 1]}, "end_time": 0.05, "output_interval": 0.01}
    with open(path, "w") as out:
        json.dump(case, out)
    velocity = at(simple.DEMCaseReader(FileName=path, Device="CPU"), 0.05)["point", "Velocity"][0]
    check(abs(velocity[0] - 0.1) < 1e-4 and abs(velocity[2] + 1500 * 9.81 * 1e-8 / 18e-3) < 2e-5, str(velocity))
    case["fluid"]["viscosity"] = 0
    with open(path, "w") as out:
        json.dump(case, out)
    expect(lambda: simple.DEMCaseReader(FileName=path, Device="CPU").UpdatePipeline(0), "/fluid/viscosity")


def refused():
    def says(words, law="Stokes", fluid=None, coupling=None, **properties):
        s = in_fluid([[0, 0, 0]], 5e-3, law=law, fluid=fluid, **properties)
        for name, value in (coupling or {}).items():
            setattr(s.FluidCoupling, name, value)
        expect(lambda: s.UpdatePipeline(0.01), *words)
    says(["Fluid Density is 0 kg/m^3"], coupling=dict(FluidDensity=0))
    says(["Limit the domain"], law="Koch-Hill", LimitDomain=0)
    says(["smaller than the largest grain"], law="Di Felice", coupling=dict(FluidCellSize=1e-3))
    says(['no array "Velocity"', "Elevation"], fluid=simple.Elevation(Input=simple.Wavelet()))
    says(["has 1 components, but needs 3"], fluid=simple.Calculator(Input=simple.Wavelet(), ResultArrayName="Velocity", Function="coordsX"))
    says(["'Density' is 0"], fluid=simple.Calculator(Input=image(), ResultArrayName="Density", Function="0"))
    s = in_fluid([[0, 0, 0]], 5e-3, fluid=image())
    s.FluidCoupling = "None"
    expect(lambda: s.UpdatePipeline(0.01), "Fluid Coupling is None, so it has no effect")
    says(["overshoot"], coupling=dict(FluidViscosity=1e5), TimeStep=1e-4)


main(a_grain_sinks_with_stokes, fields_of_all_kinds, fields_in_time, warnings, a_bed_feels_its_void_fraction, of_a_case_file, refused)
