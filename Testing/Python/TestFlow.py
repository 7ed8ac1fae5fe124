"""A computed flow through pvpython: the output Fluid, a spout, pressure drops, walls inside, steering,
rewinding, saved states, .dem files, refusals."""
import json
import os

import numpy
from dem_testing import WORK, arrays, check, differences, everything, expect, fetch, main, packing, simulation
from paraview import simple

BOX = [-0.036, 0.036, -0.036, 0.036, 0, 0.2]


def bed(height=0.1, **properties):
    values = dict(Domain=BOX, AutomaticDomain=0, EndTime=0.1, OutputInterval=0.01, Density=2500, YoungsModulus=1e6, WallYoungsModulus=1e6)
    values.update(properties)
    s = simulation(packing(LowerCorner=[-0.036, -0.036, 0], Size=[0.072, 0.072, height], Spacing=0.0102), **values)
    s.FluidCoupling = "Volume-Averaged Flow"
    s.FluidCoupling.FluidCellSize = 0.012
    return s


def flow(s, time):
    image = fetch(s, 5, time)
    data = arrays(image)
    shape = tuple(n - 1 for n in image.GetDimensions())[::-1]
    return image, {name: values.reshape(shape + values.shape[1:]) for (kind, name), values in data.items() if kind == "cell"}


def the_output_fluid():
    s = bed()
    s.FluidCoupling.InletVelocity = 1.5
    image, data = flow(s, 0.05)
    check(image.GetDimensions() == (7, 7, 17), str(image.GetDimensions()))
    check(numpy.allclose(image.GetBounds(), BOX), str(image.GetBounds()))
    check(set(data) == {"Velocity", "Pressure", "VoidFraction", "DragForce"}, str(set(data)))
    # what enters leaves: the superficial velocity near the outlet
    out = (data["Velocity"][..., 2] * data["VoidFraction"])[-1].mean()
    check(abs(out - 1.5) < 1e-3, str(out))
    check(data["Pressure"][0].mean() > data["Pressure"][-1].mean() > -1)
    check(0.35 <= data["VoidFraction"].min() < 0.6 and data["VoidFraction"].max() == 1)
    table = arrays(fetch(s, 3))
    check(table["row", "FluidPressureDrop"][0] > 5 and table["row", "FluidRounds"][0] > 0)
    check(table["row", "FluidResidual"][0] < 1.01e-8, str(table["row", "FluidResidual"]))
    # filters of ParaView take the output
    cut = simple.Slice(Input=simple.OutputPort(s, 5), Triangulatetheslice=0)
    cut.SliceType.Origin, cut.SliceType.Normal = [0, 0.003, 0.1], [0, 1, 0]
    cells = len(arrays(fetch(cut, 0, 0.05))["cell", "Velocity"])
    check(cells == 6 * 16, str(cells))
    # nothing of it without a computed flow
    s.FluidCoupling = "None"
    check(fetch(s, 5, 0.02).GetNumberOfCells() == 0 and ("row", "FluidStep") not in arrays(fetch(s, 3)))


def filters_before_the_first_run():
    """A filter on Fluid gets the whole image at its first request, and after each change of the cells."""
    s = bed()
    cut = simple.Slice(Input=simple.OutputPort(s, 5), Triangulatetheslice=0)
    cut.SliceType.Origin, cut.SliceType.Normal = [0, 0.003, 0.1], [0, 1, 0]
    ones = simple.Calculator(Input=simple.OutputPort(s, 5), AttributeType="Cell Data", Function="1")
    for size, cells in ((0.012, 6 * 16), (0.0101, 7 * 19), (0.018, 4 * 11)):
        s.FluidCoupling.FluidCellSize = size
        for time in (0.01, 0.02):
            got = len(arrays(fetch(cut, 0, time))["cell", "Velocity"])
            check(got == cells, f"{size} m at {time} s: {got} cells")
        check(fetch(ones, 0, 0.02).GetNumberOfCells() == cells * int(0.072 / size + 1e-9), f"{size} m")
    s.AutomaticDomain = 1  # the grid follows from the particles
    check(len(arrays(fetch(cut, 0, 0.01))["cell", "Velocity"]) > 10, "automatic domain")


def rewinding_shows_the_same():
    s = bed(SnapshotMemory=64)
    s.FluidCoupling.InletVelocity = 2
    early = everything(s, 0.02)
    s.FrameMemory = 0
    everything(s, 0.1)
    check(not differences(everything(s, 0.02), early))


def a_bed_that_does_not_move():
    """Superficial 1 m/s through a cubic lattice: Ergun's pressure drop."""
    d = 0.006
    box = [0, 6 * d, 0, 6 * d, 0, 12 * d]
    places = [[(i + 0.5) * d, (j + 0.5) * d, (k + 0.5) * d] for k in range(12) for j in range(6) for i in range(6)]
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData")
    source.Script = f"""
import numpy
output.Points = numpy.array({places})
output.PointData.append(numpy.full({len(places)}, {d / 2 * (1 - 1e-7)}), "Radius")
"""
    s = simulation(source, Domain=box, AutomaticDomain=0, ExitX="Periodic", ExitY="Periodic", Gravity=[0, 0, 0], Density=1e9,
                   EndTime=0.1, OutputInterval=0.02, TimeStep=2e-4)
    s.FluidCoupling = "Volume-Averaged Flow"
    f = s.FluidCoupling
    f.DragLaw, f.FluidCellSize, f.InletVelocity = "Gidaspow", 2 * d, 1
    e, mu, rho = 1 - numpy.pi / 6, 1.8e-5, 1.2
    ergun = 12 * d * (150 * (1 - e)**2 * mu / (e**3 * d**2) + 1.75 * (1 - e) * rho / (e**3 * d))
    drops = {}
    for equations in ("Model A", "Model B"):
        f.FluidEquations = equations
        drops[equations] = arrays(fetch(s, 3, 0.1))["row", "FluidPressureDrop"][0]
        check(abs(drops[equations] / ergun - 1) < 1e-2, f"{equations}: {drops[equations]} {ergun}")


def a_spout_and_a_tube():
    """A rectangle of the floor as inlet; a tube inside leads the flow up."""
    tube = simple.Cylinder(Radius=0.02, Height=0.08, Center=[0, 0.08, 0], Capping=0, Resolution=32)
    upright = simple.Transform(Input=tube)
    upright.Transform.Rotate = [90, 0, 0]
    s = bed(height=0.03, Walls=[simple.DEMWall(Input=upright)])
    f = s.FluidCoupling
    f.ZMinBoundary = "Wall"
    f.Inlets = [4, -0.012, -0.012, 0.012, 0.012, 8]
    f.FluidCellSize = 0.0115
    image, data = flow(s, 0.05)
    through = data["Velocity"][8, :, :, 2]  # a layer in the middle of the tube
    middle, outside = through[2:4, 2:4].mean(), numpy.abs(through[:, 0]).mean()
    check(middle > 2 and middle > 4 * outside, f"{middle} {outside}")


def steering_the_inlets():
    s = bed(WhenChanged="Steer")
    s.FluidCoupling.InletVelocity = 1
    full = arrays(fetch(s, 3, 0.03))["row", "FluidMomentumZ"][0]
    s.FluidCoupling.InletFactor = 0
    off = arrays(fetch(s, 3, 0.06))["row", "FluidMomentumZ"][0]
    check(full > 0 and abs(off) < 0.2 * full, f"{full} {off}")
    check(arrays(fetch(s, 3, 0.03))["row", "FluidMomentumZ"][0] == full, "the past is as it was")


def saved_states():
    path = os.path.join(WORK, "flow.dem-checkpoint")
    s = bed()
    s.FluidCoupling.InletVelocity = 2
    s.CheckpointFile = path
    s.UpdatePipeline(0.05)
    s.SaveCheckpoint()
    later = everything(s, 0.08)
    again = bed(RestartFile=path)
    again.FluidCoupling.InletVelocity = 2
    check(not differences(everything(again, 0.08), later))
    again.FluidCoupling.InletVelocity = 3
    expect(lambda: again.UpdatePipeline(0.08), "other")


def of_a_case_file():
    path = os.path.join(WORK, "flow.dem")
    case = {"version": 1, "particles": {"position": [[0.05, 0.05, 0.05]], "radius": 0.004},
            "materials": [{"name": "Glass", "youngs_modulus": 1e6, "density": 2500}],
            "fluid": {"model": "Volume-Averaged Flow", "boundaries": {"z_min": "Wall", "x_min": "Slip", "x_max": "Slip"},
                      "inlets": [{"boundary": "z_min", "lower": [0, 0], "upper": [0.1, 0.05], "velocity": 4}]},
            "domain": {"lower": [0, 0, 0], "upper": [0.1, 0.1, 0.2]}, "end_time": 0.05, "output_interval": 0.01}
    with open(path, "w") as out:
        json.dump(case, out)
    reader = simple.DEMCaseReader(FileName=path, Device="CPU")
    image, data = flow(reader, 0.02)
    check(abs(data["Velocity"][-1, ..., 2].mean() - 2) < 1e-2, str(data["Velocity"][-1, ..., 2].mean()))
    case["fluid"]["boundaries"]["z_max"] = "Lid"
    with open(path, "w") as out:
        json.dump(case, out)
    expect(lambda: simple.DEMCaseReader(FileName=path, Device="CPU").UpdatePipeline(0), "/fluid/boundaries/z_max")


def refused():
    def says(*words, walls=None, **coupling):
        s = bed(height=0.03, **({"Walls": walls} if walls else {}))
        for name, value in coupling.items():
            setattr(s.FluidCoupling, name, value)
        expect(lambda: s.UpdatePipeline(0.01), *words)
    says("an Outlet", ZMaxBoundary="Wall")
    says("does not lie on", Inlets=[4, 1, 1, 2, 2, 1])
    says("smaller than the largest grain", FluidCellSize=1e-3)
    says("Inlets: rectangle 0 is on side 7", Inlets=[7, 0, 0, 1, 1, 1])
    turning = simple.DEMWall(Input=simple.Sphere(Radius=0.01, Center=[0, 0, 0.1]), Motion="Rotation", RotationRate=90)
    says("moves", walls=[turning])


main(the_output_fluid, filters_before_the_first_run, rewinding_shows_the_same, a_bed_that_does_not_move, a_spout_and_a_tube, steering_the_inlets, saved_states,
     of_a_case_file, refused)
