"""Heat transfer through pvpython: chosen by its name, conduction between grains and from walls,
friction heat, arrays of all outputs, rewinding, steering, state files, .dem files, refusals."""
import json
import os

import numpy
from dem_testing import WORK, arrays, check, differences, everything, expect, fetch, main, packing, simulation
from paraview import simple

R, D = 0.005, 5e-5  # radius and overlap of the pair, m
K, C, DENSITY = 20.0, 1e-6, 1e12  # W/m/K; the capacity of a grain is that of a light one, though it does not move


def points(positions, temperature):
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData")
    source.Script = f"""
import numpy
output.Points = numpy.array({[list(p) for p in positions]})
output.PointData.append(numpy.full({len(positions)}, {R}), "Radius")
output.PointData.append(numpy.array({temperature}), "Temperature")
"""
    return source


def pair(**properties):
    """Two grains that overlap and hardly move, at 400 and 300 K."""
    values = dict(Gravity=[0, 0, 0], Domain=[-1, 1, -1, 1, -1, 1], AutomaticDomain=0, EndTime=0.1, OutputInterval=0.01, TimeStep=1e-4,
                  Density=DENSITY, HeatCapacity=C, ThermalConductivity=K)
    values.update(properties)
    s = simulation(points([[0, 0, 0], [2 * R - D, 0, 0]], [400.0, 300.0]), **values)
    s.HeatTransfer = "Conduction"
    return s


def conductance():
    return 2 * K * numpy.sqrt(R / 2 * D)


def capacity():
    return 4 / 3 * numpy.pi * R**3 * DENSITY * C


def temperatures(s, time):
    return arrays(fetch(s, 0, time))["point", "Temperature"]


def grains_exchange_heat():
    s = pair()
    rate = 2 * conductance() / capacity()
    for time in (0.1, 0.05, 0):
        t = temperatures(s, time)
        expected = 100 * numpy.exp(-rate * time)
        check(abs((t[0] - t[1]) / expected - 1) < 1e-3, f"{t} at {time}, expected a difference of {expected}")
        check(abs(t.sum() - 700) < 1e-4, str(t))
    s.ParticleArrays = list(s.ParticleArrays) + ["HeatFlow"]
    flow = arrays(fetch(s, 0, 0.1))["point", "HeatFlow"]
    t = temperatures(s, 0.1)
    check(flow[0] == -flow[1] and abs(flow[1] / (conductance() * (t[0] - t[1])) - 1) < 1e-2, str(flow))
    # The lens is sqrt(2 pi) times the contact radius, so heat flows 2.5 times as fast.
    s.HeatTransfer.AreaModel = "Lens"
    faster = arrays(fetch(s, 0, 0))["point", "HeatFlow"][1]
    check(abs(faster / (conductance() * 100) / numpy.sqrt(2 * numpy.pi) - 1) < 0.02, str(faster))
    s.HeatTransfer.AreaModel = "Contact Radius"
    # Grains that are 1000 times softer than the material have contacts 10 times too large.
    s.TrueYoungsModulus = 1000 * s.YoungsModulus
    slower = arrays(fetch(s, 0, 0))["point", "HeatFlow"][1]
    check(abs(slower / (conductance() * 100) * 10 - 1) < 0.02, str(slower))
    s.TrueYoungsModulus = 0
    statistics = simple.DEMStatistics(Input=s)
    row = arrays(fetch(statistics, 0, 0.1))
    check(abs(row["row", "MeanTemperature"][0] - t.mean()) < 1e-9 and abs(row["row", "TemperatureDeviation"][0] - t.std()) < 1e-9, str(row))
    average = simple.DEMCellAverage(Input=s)
    cells = arrays(fetch(average, 0, 0.1))
    empty = cells["cell", "MassDensity"] == 0
    check(numpy.array_equal(numpy.isnan(cells["cell", "Temperature"]), empty), "0 K in empty cells")
    histogram = simple.Histogram(Input=s, SelectInputArray=["POINTS", "Temperature"], BinCount=10)
    check(arrays(fetch(histogram, 0, 0.1))["row", "bin_values"].sum() == 2, "histogram")
    s.HeatTransfer = "None"
    check(("point", "Temperature") not in arrays(fetch(s, 0, 0.1)), "shown without heat transfer")


def sheet(**properties):
    plane = simple.Plane(Origin=[-0.05, -0.05, 0], Point1=[0.05, -0.05, 0], Point2=[-0.05, 0.05, 0])
    return simple.DEMWall(Input=plane, **properties)


def on_wall(wall, **properties):
    values = dict(Gravity=[0, 0, 0], Domain=[-1, 1, -1, 1, -1, 1], AutomaticDomain=0, EndTime=0.1, OutputInterval=0.01, TimeStep=1e-4,
                  Density=DENSITY, HeatCapacity=C, ThermalConductivity=K, WallThermalConductivity=K, Walls=[wall])
    values.update(properties)
    s = simulation(points([[0.01, 0.02, R - D]], [300.0]), **values)
    s.HeatTransfer = "Conduction"
    return s


def walls_give_heat():
    s = on_wall(sheet(ThermalCondition="Temperature", Temperature=400))
    h = 2 * K * numpy.sqrt(R * D)
    expected = 400 - 100 * numpy.exp(-h / capacity() * 0.1)
    got = temperatures(s, 0.1)[0]
    check(abs(got - expected) < 0.1, f"{got}, expected {expected}")
    cells = arrays(fetch(s, 2, 0.1))
    check(numpy.all(cells["cell", "Temperature"] == 400))
    given = capacity() * (got - 300)
    check(abs(cells["cell", "Heat"].sum() / given - 1) < 1e-6, f"{cells['cell', 'Heat']}, expected {given}")
    table = arrays(fetch(s, 3, 0.1))
    value = {name: v[0] for (kind, name), v in table.items() if kind == "row"}
    check(abs(value["HeatFromWalls"] / given - 1) < 1e-6 and abs(value["ThermalEnergy"] / (capacity() * got) - 1) < 1e-6, str(value))

    s = on_wall(sheet(ThermalCondition="Heat Flux", HeatFlux=-50))
    given = -50 * 0.1 * 0.1 * 0.1
    got = temperatures(s, 0.1)[0]
    check(abs((got - 300) / (given / capacity()) - 1) < 1e-3, f"{got}")
    flux = arrays(fetch(s, 2, 0.1))["cell", "HeatFlux"]
    check(abs(flux.sum() * 0.01 / 2 + 0.5) < 1e-6, str(flux))  # on one of two triangles


def heat_of_friction(source):
    s = simulation(source)
    s.HeatTransfer = "Conduction"
    s.HeatTransfer.DissipationHeating = 1
    fetch(s, 3, 0.2)
    value = {name: v[0] for (kind, name), v in arrays(fetch(s, 3, 0.2)).items() if kind == "row"}
    check(0.5 * value["DissipatedEnergy"] < value["HeatFromDissipation"] < value["DissipatedEnergy"], str(value))
    check(temperatures(s, 0.2).max() > 293.15)
    late = everything(s, 0.2)
    everything(s, 0.05)
    wrong = differences(everything(s, 0.2), late)
    check(not wrong, str(wrong))
    return value


def friction_heats_all_shapes():
    heat_of_friction(packing())
    heat_of_friction(packing(Shape="Tablet"))


def steered_wall():
    wall = sheet(ThermalCondition="Temperature", Temperature=400)
    s = on_wall(wall, WhenChanged="Steer")
    warm = temperatures(s, 0.05)[0]
    wall.Temperature = 300
    cool = temperatures(s, 0.1)[0]
    check(cool < warm, f"{warm} then {cool}")
    check("WallTemperature 0 300" in s.SteeringEvents, s.SteeringEvents)
    again = temperatures(s, 0.05)[0]
    check(again == warm, f"{again} is not {warm}")
    check(temperatures(s, 0.1)[0] == cool)


def state_file():
    path = os.path.join(WORK, "heat.pvsm")
    s = on_wall(sheet(ThermalCondition="Temperature", Temperature=400))
    s.HeatTransfer.ThermalInterval = 5e-4
    simple.RenameSource("Run", s)
    expected = everything(s, 0.1)
    simple.SaveState(path)
    for proxy in list(simple.GetSources().values()):
        simple.Delete(proxy)
    simple.LoadState(path)
    s = simple.FindSource("Run")
    check(s.HeatTransfer.GetXMLLabel() == "Conduction" and s.HeatTransfer.ThermalInterval == 5e-4)
    wrong = differences(everything(s, 0.1), expected)
    check(not wrong, str(wrong))


def checkpoint():
    path = os.path.join(WORK, "heat.dem-checkpoint")
    s = simulation(packing(), CheckpointFile=path)
    s.HeatTransfer = "Conduction"
    s.HeatTransfer.DissipationHeating = 1
    everything(s, 0.1)
    s.InvokeCommand("SaveCheckpoint")
    expected = everything(s, 0.2)
    again = simulation(packing(), RestartFile=path)
    again.HeatTransfer = "Conduction"
    again.HeatTransfer.DissipationHeating = 1
    wrong = differences(everything(again, 0.2), expected)
    check(not wrong, str(wrong))


def refused():
    s = pair(HeatCapacity=0)
    expect(lambda: s.UpdatePipeline(0.01), "Heat Capacity is 0 J/kg/K", "above 0")
    s = pair(ThermalConductivity=-1)
    expect(lambda: s.UpdatePipeline(0.01), "Thermal Conductivity is -1 W/m/K", "above 0")
    s = on_wall(sheet(ThermalCondition="Temperature", Temperature=400))
    s.HeatTransfer = "None"
    expect(lambda: s.UpdatePipeline(0.01), "Thermal Condition", "Heat Transfer")
    s = pair(ThermalConductivity=1e6)
    s.HeatTransfer.ThermalInterval = 0.005
    expect(lambda: s.UpdatePipeline(0.1), "Grain 0", "Thermal Interval")
    mpm = simple.MPMSimulation(Particles=packing(), Walls=[sheet(ThermalCondition="Temperature")])
    expect(lambda: mpm.UpdatePipeline(0.01), "Thermal Condition", "MPM")


def case_file():
    path = os.path.join(WORK, "heat.dem")
    case = {"version": 1, "materials": [{"name": "Metal", "density": DENSITY, "heat_capacity": C, "thermal_conductivity": K}],
            "heat_transfer": {"model": "Conduction"}, "gravity": [0, 0, 0], "time_step": 1e-4,
            "particles": {"position": [[0, 0, 0], [2 * R - D, 0, 0]], "radius": [R, R], "temperature": [400, 300]},
            "walls": [{"name": "Lid", "kind": "Plane", "origin": [-R + D, 0, 0], "normal": [1, 0, 0],
                       "thermal": {"condition": "Temperature", "value": 500}}],
            "events": [{"time": 0.005, "property": "WallTemperature", "wall": "Lid", "value": 200}],
            "domain": {"lower": [-1, -1, -1], "upper": [1, 1, 1]}, "end_time": 0.1, "output_interval": 0.005}
    with open(path, "w") as out:
        json.dump(case, out)
    s = simple.DEMCaseReader(FileName=path, Device="CPU")
    start, middle, end = (temperatures(s, t) for t in (0, 0.005, 0.1))
    check(start[0] == 400 and middle[0] > 400 and end[0] < middle[0], f"{start} {middle} {end}")
    case["walls"][0]["thermal"]["flux"] = 3
    with open(path, "w") as out:
        json.dump(case, out)
    expect(lambda: simple.DEMCaseReader(FileName=path, Device="CPU").UpdatePipeline(0), "/walls/0/thermal", "flux")


main(grains_exchange_heat, walls_give_heat, friction_heats_all_shapes, steered_wall, state_file, checkpoint, refused, case_file)
