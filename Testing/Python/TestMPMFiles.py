"""DEM Case Reader runs .dem files with the method MPM: the bits of MPM Simulation, ports, time slider, events, errors, a change of method."""
import json
import os

import numpy
from dem_testing import DATA, WORK, Messages, arrays, check, differences, everything, fetch, main
from mpm_testing import block, mpm
from paraview import simple

HEAD = {"version": 1, "method": "MPM", "end_time": 0.2, "output_interval": 0.01, "grid_spacing": 0.0125}
DOMAIN = {"lower": [-0.125, -0.125, 0], "upper": [0.125, 0.125, 0.25], "border_friction": 0.3,
          "border": {side: "Separate" for side in ("x_min", "x_max", "y_min", "y_max", "z_min", "z_max")}}
JELLY = [{"name": "Jelly", "youngs_modulus": 2e4}]


def case(name, **keys):
    path = os.path.join(WORK, name + ".dem")
    with open(path, "w") as out:
        json.dump({**HEAD, "domain": DOMAIN, "materials": JELLY, **keys}, out)
    return simple.DEMCaseReader(FileName=path, Device="CPU")


def the_reader_has_the_bits_of_the_simulation():
    surface = simple.Triangulate(Input=block())
    stl = os.path.join(WORK, "block.stl")
    simple.SaveData(stl, proxy=surface)
    plate = os.path.join(WORK, "plate.stl")
    plane = simple.Plane(Origin=[-0.1, -0.1, 0.03], Point1=[0.1, -0.1, 0.03], Point2=[-0.1, 0.1, 0.03])
    simple.SaveData(plate, proxy=simple.Triangulate(Input=plane))
    wall = simple.DEMWall(Input=simple.STLReader(FileNames=[plate]), WallName="Belt", Motion="Translation", Velocity=[0.5, 0, 0], OwnMaterial=1,
                          Friction=0.9)
    run = mpm(simple.STLReader(FileNames=[stl]), Walls=wall, Transfer="FLIP")
    reader = case("belt", bodies=[{"kind": "Mesh", "file": "block.stl"}], transfer="FLIP",
                  walls=[{"name": "Belt", "kind": "Mesh", "file": "plate.stl", "wall_friction": 0.9,
                          "motion": {"kind": "Translation", "velocity": [0.5, 0, 0]}}])
    for time in (0.0, 0.2, 0.1):
        a, b = everything(run, time), arrays_of(reader, time)
        check(len(a[0]["points"]) > 1000, "no points")
        for key in ("points", ("point", "Velocity"), ("point", "Stress"), ("point", "J"), ("point", "DeformationGradient"), ("point", "Material"), ("point", "Id")):
            check(numpy.array_equal(a[0][key], b[0][key]), f"{key} differs at {time} s")
        check(numpy.allclose(a[2]["points"].mean(0), b[2]["points"].mean(0)), "the wall is elsewhere")
        for column in ("Time", "KineticEnergy", "ElasticEnergy", "SubSteps", "Points"):
            if ("row", column) in a[3]:
                check(a[3]["row", column][0] == b[3]["row", column][0], f"{column} of the statistics differs")


def arrays_of(reader, time):
    reader.UpdatePipeline(time)
    return {port: arrays(fetch(reader, port)) for port in (0, 2, 3)}


def a_box_and_events():
    reader = case("box", bodies=[{"kind": "Box", "lower": [-0.05, -0.05, 0.05], "upper": [0.05, 0.05, 0.15]}],
                  events=[{"time": 0.05, "property": "Gravity", "value": [0, 0, 0]}])
    run = mpm()
    check(differences_of_points(run, reader, 0.05) == 0, "the file and the panel differ before the event")
    check(differences_of_points(run, reader, 0.2) > 0.01, "the event has no effect")
    reader.UpdatePropertyInformation()
    check("CPU" in reader.DeviceInUse and reader.TimeStepInUse > 0)
    first = arrays_of(reader, 0.1)
    again = arrays_of(reader, 0.1)
    check(numpy.array_equal(first[0]["points"], again[0]["points"]))
    for port in (1, 4, 5):
        check(fetch(reader, port).GetNumberOfCells() == 0, f"port {port} is not empty")
    shown = list(reader.ParticleArrays)
    reader.ParticleArrays = ["Velocity"]
    got = arrays_of(reader, 0.1)[0]
    check(("point", "Velocity") in got and ("point", "Stress") not in got, "ParticleArrays has no effect")
    reader.ParticleArrays = shown


def differences_of_points(run, reader, time):
    run.UpdatePipeline(time)
    return float(numpy.abs(arrays(fetch(run, 0))["points"] - arrays_of(reader, time)[0]["points"]).max())


def the_method_may_change():
    path = os.path.join(WORK, "changing_method.dem")
    grains = {"version": 1, "packings": [{"kind": "Lattice", "lower": [-0.05] * 3, "upper": [0.05] * 3, "radius": 0.005,
                                          "radius_distribution": "Single", "spacing": 0.02}], "end_time": 0.2, "output_interval": 0.1}
    soft = {**HEAD, "bodies": [{"kind": "Box", "lower": [-0.05] * 3, "upper": [0.05] * 3}]}
    reader = None
    counts = []
    for document in (grains, soft, grains):
        with open(path, "w") as out:
            json.dump(document, out)
        if reader is None:
            reader = simple.DEMCaseReader(FileName=path, Device="CPU")
        else:
            reader.InvokeCommand("Refresh")
        got = arrays_of(reader, 0.1)[0]
        counts.append((len(got["points"]), ("point", "J") in got))
    check(counts[0] == counts[2] and not counts[0][1] and counts[1] == (8 * 8 ** 3, True), str(counts))


def bad_input_is_named():
    with Messages() as messages:
        case("bad", bodies=[{"kind": "Box", "lower": [0, 0, 0], "upper": [1, 1, 1], "weight": 2}]).UpdatePipeline(0.0)
    check("/bodies/0/weight" in messages.text and "unknown key" in messages.text, messages.text)


def a_checkpoint_goes_on():
    bodies = [{"kind": "Box", "lower": [-0.05, -0.05, 0.05], "upper": [0.05, 0.05, 0.15]}]
    reader = case("saved", bodies=bodies)
    whole = arrays_of(reader, 0.2)
    arrays_of(reader, 0.1)
    reader.CheckpointFile = os.path.join(WORK, "case.mpm")
    reader.InvokeCommand("SaveCheckpoint")
    rest = case("restarted", bodies=bodies)
    rest.RestartFile = reader.CheckpointFile
    check(numpy.array_equal(arrays_of(rest, 0.2)[0]["points"], whole[0]["points"]), "a restarted case differs")


main(the_reader_has_the_bits_of_the_simulation, a_box_and_events, the_method_may_change, bad_input_is_named, a_checkpoint_goes_on)
