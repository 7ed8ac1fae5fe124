"""Temperatures of grains: the input array, Initial Temperature, the selection of the output array,
.dem files, rewinding, checkpoints, shapes, and inputs that are refused."""
import os

import numpy
from dem_testing import WORK, Messages, arrays, check, differences, everything, expect, fetch, main, packing, simulation
from paraview import simple

SHOWN = ["Velocity", "Temperature"]
CASE = """{
  "version": 1, "initial_temperature": 310,
  "particles": { "position": [[0, 0, 0.01], [0.02, 0, 0.01]], "radius": 0.004, "temperature": [400.5, 0] },
  "packings": [
    { "kind": "Lattice", "lower": [-0.05, -0.05, 0.02], "upper": [0.05, 0.05, 0.04], "radius": 0.005, "temperature": 350 },
    { "kind": "Lattice", "lower": [-0.05, -0.05, 0.05], "upper": [0.05, 0.05, 0.07], "radius": 0.005 }
  ],
  "end_time": 0.02, "output_interval": 0.01
}
"""


def with_array(source, expression, name="Temperature"):
    """The points with an array made by an expression of numpy, in which `n` is the number of points
    and `i` their numbers."""
    script = f"n = inputs[0].GetNumberOfPoints(); import numpy; i = numpy.arange(n); output.PointData.append({expression}, '{name}')"
    return simple.ProgrammableFilter(Input=source, Script=script, CopyArrays=1)


def temperatures(proxy, time):
    data = arrays(fetch(proxy, 0, time))
    check(("point", "Temperature") in data, f"no Temperature among {sorted(k[1] for k in data if k[0] == 'point')}")
    return data["point", "Id"], data["point", "Temperature"]


def expect_by_id(proxy, time):
    ids, got = temperatures(proxy, time)
    check(len(ids) > 10 and got.dtype == numpy.float64)
    check(numpy.array_equal(got, 300 + 0.1 * ids), f"{numpy.abs(got - 300 - 0.1 * ids).max()} at {time}")
    return len(ids)


def selection_is_off_at_first():
    s = simulation()
    check("Temperature" in s.GetProperty("ParticleArrays").GetAvailable(), "not offered")
    check("Temperature" not in list(s.ParticleArrays) and "Velocity" in list(s.ParticleArrays), str(list(s.ParticleArrays)))
    before = everything(s, 0.1)
    check(("point", "Temperature") not in before[0], "shown without being selected")
    s.ParticleArrays = list(s.ParticleArrays) + ["Temperature"]
    check(numpy.all(temperatures(s, 0.1)[1] == 293.15))
    s.ParticleArrays = [name for name in s.ParticleArrays if name != "Temperature"]
    check(not differences(everything(s, 0.1), before))


def of_the_input_array():
    s = simulation(with_array(packing(), "300 + 0.1 * i"), ParticleArrays=SHOWN, InitialTemperature=500, ExitX="Periodic", ExitY="Remove",
                   AutomaticDomain=0, Domain=[-0.03, 0.03, -0.03, 0.03, 0, 0.2], Gravity=[3, 0.3, -9.81])
    at_start = expect_by_id(s, 0)
    check(expect_by_id(s, 0.2) < at_start, "no grain has left")
    late = everything(s, 0.2)
    for time in (0.05, 0.15, 0, 0.2):
        expect_by_id(s, time)
    s.FrameMemory = 0
    expect_by_id(s, 0.07)
    check(not differences(everything(s, 0.2), late))


def initial_temperature():
    s = simulation(ParticleArrays=SHOWN, InitialTemperature=350.5)
    check(numpy.all(temperatures(s, 0.05)[1] == 350.5))
    s.InitialTemperature = 360
    check(numpy.all(temperatures(s, 0.05)[1] == 360), "a changed property changed nothing")
    s.InitialTemperature = 0
    check(numpy.all(temperatures(s, 0.05)[1] == 0))


def of_one_of_several_inputs():
    warm = with_array(packing(), "numpy.full(n, 400.0)")
    cold = packing(LowerCorner=[0.1, 0, 0])
    s = simulation([cold, warm], ParticleArrays=SHOWN, InitialTemperature=280)
    got = arrays(fetch(s, 0, 0.02))
    there = got["points"][:, 0] < 0.08
    check(there.any() and not there.all())
    check(numpy.array_equal(got["point", "Temperature"], numpy.where(there, 400, 280)))
    s.InitialTemperature = 293.15
    check(numpy.array_equal(temperatures(s, 0.02)[1], numpy.where(there, 400, 293.15)))


def of_other_shapes():
    for shape in (dict(Shape="Tablet"), dict(Shape="Clump")):
        p = with_array(packing(**shape), "300 + 0.1 * i")
        s = simulation(p, ParticleArrays=SHOWN + ["Shape", "Orientation"], EndTime=0.1)
        for time in (0.1, 0.03):
            expect_by_id(s, time)
        surfaces = arrays(fetch(simple.DEMShapes(Input=s), 0, 0.1))
        kinds = [k for k in surfaces if k != "points" and k[1] == "Temperature"]
        check(kinds, "DEM Shapes dropped Temperature")
        check(set(surfaces[kinds[0]]) == set(temperatures(s, 0.1)[1]))


def of_a_case_file():
    path = os.path.join(WORK, "warm.dem")
    with open(path, "w") as out:
        out.write(CASE)
    reader = simple.DEMCaseReader(FileName=path, ParticleArrays=SHOWN, Device="CPU")
    for time in (0, 0.02):
        ids, got = temperatures(reader, time)
        check(got[0] == 400.5 and got[1] == 0, str(got[:4]))
        values, counts = numpy.unique(got[2:], return_counts=True)
        check(list(values) == [310, 350] and counts[0] == counts[1], f"{values} {counts}")
    with open(path, "w") as out:
        out.write(CASE.replace("400.5", "-1"))
    expect(lambda: simple.DEMCaseReader(FileName=path, Device="CPU").UpdatePipeline(0), "/particles/temperature/0: found -1", "K, 0 or above")


def checkpoints():
    path = os.path.join(WORK, "warm.dem-checkpoint")
    plain = os.path.join(WORK, "plain.dem-checkpoint")
    p = packing()
    warm = with_array(p, "300 + 0.1 * i")
    s = simulation(warm, ParticleArrays=SHOWN, CheckpointFile=path)
    s.UpdatePipeline(0.1)
    s.InvokeCommand("SaveCheckpoint")
    late = everything(s, 0.2)
    other = simulation(warm, ParticleArrays=SHOWN, RestartFile=path)
    check(not differences(everything(other, 0.2), late))
    # a scene without temperatures takes those of the file
    bare = simulation(p, ParticleArrays=SHOWN, RestartFile=path)
    expect_by_id(bare, 0.2)
    simple.Delete(bare)
    # a file without temperatures
    cold = simulation(p, CheckpointFile=plain)
    cold.UpdatePipeline(0.1)
    cold.InvokeCommand("SaveCheckpoint")
    tepid = simulation(p, ParticleArrays=SHOWN, InitialTemperature=320, RestartFile=plain)
    check(numpy.all(temperatures(tepid, 0.2)[1] == 320))
    lost = simulation(warm, ParticleArrays=SHOWN, RestartFile=plain)
    expect(lambda: lost.UpdatePipeline(0.2), "plain.dem-checkpoint", "has no Temperature of the particles", "leave the array Temperature out",
           "Initial Temperature")
    lost.RestartFile = path
    expect_by_id(lost, 0.2)


def another_run_takes_them_from_the_output():
    s = simulation(with_array(packing(), "300 + 0.1 * i"), ParticleArrays=SHOWN)
    s.UpdatePipeline(0)
    expect_by_id(simulation(s, ParticleArrays=SHOWN), 0.05)


def refused():
    p = packing()
    for expression, words in (
            ("numpy.where(i == 7, -5.0, 300.0)", ["point 7 has the Temperature -5 K", "at least 0 K", "Calculator", "Initial Temperature"]),
            ("numpy.where(i == 7, float('nan'), 300.0)", ["point 7 has the Temperature nan K"]),
            ("numpy.where(i == 7, float('inf'), 300.0)", ["point 7 has the Temperature inf K", "finite"]),
            ("numpy.ones((n, 3))", ["\"Temperature\" has 3 components, but needs 1", "Calculator"])):
        bad = with_array(p, expression)
        simple.RenameSource("Warm Grains", bad)
        s = simulation(bad)
        expect(lambda: s.UpdatePipeline(0), "Warm Grains", *words)  # noqa: B023
        with Messages():
            check(fetch(s, 0).GetNumberOfPoints() == 0)
    s = simulation(p)
    s.InitialTemperature = -1
    expect(lambda: s.UpdatePipeline(0), "Initial Temperature is -1 K; it must be at least 0")


main(selection_is_off_at_first, of_the_input_array, initial_temperature, of_one_of_several_inputs, of_other_shapes, of_a_case_file,
     checkpoints, another_run_takes_them_from_the_output, refused)
