"""Cohesion through pvpython: chosen on the contact model, kept in state files, refused by name, read
from .dem files."""
import json
import os

import numpy
from dem_testing import WORK, arrays, check, differences, everything, expect, fetch, main, packing, simulation
from paraview import simple

GAMMA = 2.0


def pair(**properties):
    """Two grains of 5 mm radius fly together at 0.05 m/s, without gravity."""
    points = numpy.array([[-0.0055, 0, 0], [0.0055, 0, 0]])
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData")
    source.Script = f"""
import numpy
from vtkmodules.numpy_interface import dataset_adapter as dsa
points = numpy.array({points.tolist()})
output.Points = points
output.PointData.append(numpy.full(2, 0.005), "Radius")
output.PointData.append(numpy.array([[0.05, 0, 0], [-0.05, 0, 0]]), "Velocity")
"""
    values = dict(Gravity=[0, 0, 0], Domain=[-1, 1, -1, 1, -1, 1], AutomaticDomain=0, EndTime=0.05, OutputInterval=0.001)
    values.update(properties)
    return simulation(source, **values)


def stick(s, time=0.05):
    return fetch(s, 1, time).GetNumberOfCells() == 1


def grains_stick():
    s = pair(SurfaceEnergy=GAMMA)
    check(s.ContactModel.Cohesion.GetXMLLabel() == "None", "cohesion is off by default")
    check(not stick(s), "grains stick without cohesion")
    check(("cell", "CohesiveForce") not in arrays(fetch(s, 1)))
    s.ContactModel.Cohesion = "JKR"
    check(s.ContactModel.Cohesion.GetXMLLabel() == "JKR")
    check(stick(s), "grains do not stick")
    # At rest the overlap is that of zero force: a^2 / R* - 2 sqrt(pi gamma a / E*) with
    # a = (9 pi gamma R*^2 / E*)^(1/3), R* = R / 2 (Johnson, Kendall, Roberts 1971).
    youngs, radius = s.YoungsModulus / (2 * (1 - s.PoissonsRatio**2)), 0.0025
    a = (9 * numpy.pi * GAMMA * radius**2 / youngs)**(1 / 3)
    rest = a * a / radius - 2 * numpy.sqrt(numpy.pi * GAMMA * a / youngs)
    overlap = arrays(fetch(s, 1))["cell", "Overlap"][0]
    check(abs(overlap / rest - 1) < 0.02, f"overlap {overlap}, expected {rest}")
    # there the pull balances the elastic force 4/3 E* a^3 / R*
    pull = numpy.linalg.norm(arrays(fetch(s, 1))["cell", "CohesiveForce"][0])
    check(abs(pull / (4 / 3 * youngs * a**3 / radius) - 1) < 0.02, f"pull {pull}")
    s.SurfaceEnergy = 0.0
    check(not stick(s), "grains stick without surface energy")


def every_time_is_the_same():
    s = simulation(packing(Velocity=[0.2, 0, 0]), SurfaceEnergy=GAMMA, WallSurfaceEnergy=GAMMA)
    s.ContactModel.Cohesion = "JKR"
    late = everything(s, 0.2)
    everything(s, 0.05)
    wrong = differences(everything(s, 0.2), late)
    check(not wrong, str(wrong))


def state_file():
    path = os.path.join(WORK, "cohesion.pvsm")
    s = pair(SurfaceEnergy=GAMMA)
    s.ContactModel.Cohesion = "JKR"
    simple.RenameSource("Run", s)
    expected = everything(s, 0.05)
    simple.SaveState(path)
    for proxy in list(simple.GetSources().values()):
        simple.Delete(proxy)
    simple.LoadState(path)
    s = simple.FindSource("Run")
    check(s.ContactModel.Cohesion.GetXMLLabel() == "JKR" and s.SurfaceEnergy == GAMMA)
    wrong = differences(everything(s, 0.05), expected)
    check(not wrong, str(wrong))


def steered():
    s = pair(SurfaceEnergy=GAMMA, WhenChanged="Steer")
    s.ContactModel.Cohesion = "JKR"
    check(stick(s, 0.04))
    s.SurfaceEnergy = 0.0
    check(not stick(s, 0.05), "grains that lose their surface energy separate")
    check("SurfaceEnergy 0" in s.SteeringEvents, s.SteeringEvents)


def refused():
    s = pair(SurfaceEnergy=GAMMA)
    s.ContactModel = "Linear Spring-Dashpot"
    s.ContactModel.Cohesion = "JKR"
    expect(lambda: s.UpdatePipeline(0.01), "JKR", "Linear Spring-Dashpot", "Hertz-Mindlin")
    s = pair(SurfaceEnergy=-1)
    expect(lambda: s.UpdatePipeline(0.01), "Surface Energy", "-1")
    s = simulation(packing(Shape="Tablet"))
    s.ContactModel.Cohesion = "JKR"
    expect(lambda: s.UpdatePipeline(0.01), "JKR", "Bi-Convex Tablet", "clumps")


def case_file():
    path = os.path.join(WORK, "cohesion.dem")
    case = {"version": 1, "materials": [{"name": "Sticky", "youngs_modulus": 5e6, "surface_energy": GAMMA}],
            "contact_model": {"cohesion": "JKR"}, "gravity": [0, 0, 0],
            "particles": {"position": [[-0.0055, 0, 0], [0.0055, 0, 0]], "radius": [0.005, 0.005],
                          "velocity": [[0.05, 0, 0], [-0.05, 0, 0]], "material": ["Sticky", "Sticky"]},
            "domain": {"lower": [-1, -1, -1], "upper": [1, 1, 1]}, "end_time": 0.05, "output_interval": 0.001}
    with open(path, "w") as out:
        json.dump(case, out)
    s = simple.DEMCaseReader(FileName=path, Device="CPU")
    check(stick(s), "grains of the file do not stick")


main(grains_stick, every_time_is_the_same, state_file, steered, refused, case_file)
