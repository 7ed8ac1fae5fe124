"""Output Averages: means that the run accumulates, compared with DEM Cell Average on the same
samples and with numpy."""
import os

import numpy
from dem_testing import WORK, Messages, arrays, check, differences, everything, expect, fetch, main, packing, simulation
from paraview import simple

FIELDS = ["MassDensity", "NumberDensity", "SolidFraction", "Velocity", "GranularTemperature", "AngularVelocity", "KineticStress",
          "ContactStress", "CoordinationNumber", "SpeciesFraction"]
NAMES = set(FIELDS) | {name + "StandardError" for name in FIELDS} | {"Count"}
BOUNDS, CELLS = [-0.04, 0.05, -0.05, 0.04, -0.01, 0.05], [4, 5, 6]


def averaging(**properties):
    values = dict(AccumulateAverages=1, AveragesFillDomain=0, AveragesBounds=BOUNDS, AveragesDimensions=CELLS)
    values.update(properties)
    particles = values.pop("Particles", None) or packing(Velocity=[0.3, 0.1, 0])
    return simulation(particles, **values)


def averages(proxy, t):
    data = fetch(proxy, 4, t)
    got = arrays(data)
    return data, {key[1]: value for key, value in got.items() if key[0] == "cell"}, int(got["field", "Samples"][0])


def same(a, b):
    return a.shape == b.shape and numpy.array_equal(a, b, equal_nan=True)


def the_same_as_the_filter_on_the_same_samples():
    s = averaging(AveragesFrom=0.11, AveragesTo=0.17)
    window = simple.DEMCellAverage(Input=s, TimeWindow=0.04, AutomaticBounds=0, Bounds=BOUNDS, Dimensions=CELLS)
    expected = {key[1]: value for key, value in arrays(fetch(window, 0, 0.15)).items() if key[0] == "cell"}
    data, got, samples = averages(s, 0.15)
    check(samples == 5 and set(got) == NAMES == set(expected), f"{samples} {sorted(got)}")
    check(data.GetDimensions() == (5, 6, 7) and numpy.allclose(data.GetBounds(), BOUNDS, rtol=0, atol=1e-15), str(data.GetBounds()))
    for name in sorted(NAMES):
        check(same(got[name], expected[name]), f"{name} differs from the filter's")
    check(numpy.abs(got["ContactStress"]).max() > 1 and got["Count"].max() == 5 and got["Count"].min() == 0)
    check(numpy.isfinite(got["VelocityStandardError"]).any() and numpy.nanmax(got["VelocityStandardError"]) > 0)
    check(data.GetCellData().GetArray("ContactStress").GetComponentName(3) == "XY")
    check([averages(s, t)[2] for t in (0.1, 0.11, 0.16, 0.17, 0.2)] == [0, 1, 6, 7, 7])


def one_cell_as_numpy_has_it():
    # Larger than the domain, because grains are pressed into its borders.
    s = averaging(AveragesBounds=[-0.5, 0.5] * 3, AveragesDimensions=[1, 1, 1], AveragesFrom=0.05)
    data, got, samples = averages(s, 0.2)
    check(samples == 16, str(samples))
    velocity, number, mass = [], [], None
    for k in range(5, 21):
        grains = arrays(fetch(s, 0, 0.01 * k))
        mass = grains["point", "Mass"].astype(float)
        velocity.append((mass[:, None] * grains["point", "Velocity"]).sum(axis=0) / mass.sum())
        number.append(grains["point", "CoordinationNumber"].mean())
    volume = numpy.prod(numpy.array(data.GetBounds())[1::2] - numpy.array(data.GetBounds())[::2])
    check(numpy.isclose(got["MassDensity"][0] * volume, mass.sum(), rtol=1e-9))
    for name, values in (("Velocity", numpy.array(velocity)), ("CoordinationNumber", numpy.array(number))):
        error = values.std(axis=0, ddof=1) / numpy.sqrt(16)  # all samples have the same weight
        check(numpy.allclose(got[name][0], values.mean(axis=0), rtol=1e-9, atol=1e-12), name)
        check(numpy.allclose(got[name + "StandardError"][0], error, rtol=1e-6, atol=1e-12), name + "StandardError")
    s = averaging(AveragesFillDomain=1)
    data, got, samples = averages(s, 0.05)
    check(samples == 6 and numpy.allclose(data.GetBounds(), list(s.DomainInUse), rtol=1e-12, atol=1e-15), str(data.GetBounds()))
    check(0.999 < got["MassDensity"].sum() * numpy.prod(data.GetSpacing()) / mass.sum() < 1 + 1e-9)


def any_order_threads_and_checkpoints_give_the_same_bits():
    path = os.path.join(WORK, "averages.dem-checkpoint")
    options = dict(AveragesInterval=0.0037)  # not a multiple of the output interval
    s = averaging(**options)
    expected = {t: everything(s, t) for t in (0.05, 0.1, 0.2)}
    check(int(expected[0.2][4]["field", "Samples"][0]) == 55)
    other = averaging(Threads=1, FrameMemory=1, SnapshotMemory=1, **options)
    for t in (0.1, 0.2, 0.05, 0.2, 0.1):
        # The device name contains the number of threads.
        wrong = [d for d in differences(everything(other, t), expected[t]) if d[1][1] != "Device"]
        check(not wrong, f"{t}: {wrong}")
    s.CheckpointFile = path
    fetch(s, 0, 0.1)
    s.InvokeCommand("SaveCheckpoint")
    restarted = averaging(RestartFile=path, **options)
    check(not differences(everything(restarted, 0.2), expected[0.2]), "restarted")
    check(not differences(everything(restarted, 0.05), expected[0.05]), "restarted and rewound")
    # Averages do not change the run.
    plain = everything(simulation(packing(Velocity=[0.3, 0.1, 0])), 0.2)
    check(not differences({k: v for k, v in plain.items() if k != 4}, {k: v for k, v in expected[0.2].items() if k != 4}))
    with Messages() as messages:
        averaging(RestartFile=path, AveragesInterval=0.004).UpdatePipeline(0.2)
    check("averages of another grid or other times" in messages.text, messages.text)


def another_grid_restarts():
    s = averaging(WhenChanged="Steer")
    averages(s, 0.1)
    s.Friction = 0.1
    steered = everything(s, 0.15)
    check(int(steered[4]["field", "Samples"][0]) == 16 and s.GetProperty("SteeringEvents").GetData() != "")
    s.AveragesDimensions = [3, 3, 3]
    check(not differences(everything(s, 0.15), everything(averaging(Friction=0.1, AveragesDimensions=[3, 3, 3]), 0.15)))
    s.AccumulateAverages = 0
    data, got, samples = averages(s, 0.15)
    check(data.GetNumberOfCells() == 0 and samples == 0 and set(got) == NAMES, str(sorted(got)))


def off_and_empty():
    data, got, samples = averages(simulation(), 0.1)
    check(data.IsA("vtkImageData") and data.GetNumberOfCells() == 0 and set(got) == NAMES and samples == 0, str(sorted(got)))
    check(data.GetCellData().GetArray("Velocity").GetNumberOfComponents() == 3)


def refused(proxy, *words):
    text = expect(lambda: fetch(proxy, 4, 0.1), *words, exact=True)
    check(text.count("ERR") <= 2, text)
    with Messages():  # the message may repeat
        data = fetch(proxy, 4)
    check(data.GetCellData().GetNumberOfArrays() == 0, "averages of a run that there is not")


def bad_input_is_refused():
    refused(averaging(AveragesDimensions=[1000, 1000, 1000]), "1000 x 1000 x 1000 cells would take", "the limit is 4.0 GiB")
    refused(averaging(AveragesMemoryLimit=1, AveragesDimensions=[20, 20, 20]), "MiB of memory; the limit is 1.0 MiB")
    refused(averaging(AveragesTo=0.3), "last until 0.3 s, but the run ends at 0.2 s")
    refused(averaging(AveragesFrom=0.3), "begin at 0.3 s, but the run ends at 0.2 s")
    refused(averaging(AveragesBounds=[0, 1, 0, 1, 0.5, 0.5]), "from 0.5 m to 0.5 m along z")
    refused(averaging(AveragesFillDomain=1, LimitDomain=0), "the domain has no limits")


def a_case_declares_them():
    path = os.path.join(WORK, "averages.dem")
    scene = """{ "version": 1, "end_time": 0.2, "output_interval": 0.1,
      "packings": [{ "kind": "Lattice", "lower": [-0.05, -0.05, 0.02], "upper": [0.05, 0.05, 0.1], "radius": 0.005,
                     "radius_distribution": "Single", "spacing": 0.02 }],
      "walls": [{ "name": "Floor", "kind": "Plane", "origin": [0, 0, 0], "normal": [0, 0, 1] }]%s }"""
    with open(path, "w") as out:
        out.write(scene % ', "averages": { "lower": [-0.1, -0.1, -0.01], "upper": [0.1, 0.1, 0.2], "cells": [2, 3, 4], "interval": 0.01 }')
    reader = simple.DEMCaseReader(FileName=path, Device="CPU")
    data, got, samples = averages(reader, 0.2)
    check(data.GetDimensions() == (3, 4, 5) and samples == 21 and set(got) == NAMES)
    grains = arrays(fetch(reader, 0, 0.2))
    check(numpy.isclose(got["NumberDensity"].sum() * numpy.prod(data.GetSpacing()), len(grains["point", "Id"]), rtol=1e-9))
    # A slice, as users look at it.
    cut = simple.Slice(Input=simple.OutputPort(reader, 4), SliceType="Plane")
    cut.SliceType.Origin, cut.SliceType.Normal = [0, 0, 0.01], [0, 0, 1]
    shown = arrays(fetch(cut, 0, 0.2))["cell", "SolidFraction"]
    check(len(shown) >= 6 and set(shown) == set(got["SolidFraction"][:6]), str(shown))
    with open(path, "w") as out:
        out.write(scene % "")
    reader.InvokeCommand("Refresh")
    reader.UpdatePipelineInformation()
    check(averages(reader, 0.2)[0].GetNumberOfCells() == 0)


main(the_same_as_the_filter_on_the_same_samples, one_cell_as_numpy_has_it, any_order_threads_and_checkpoints_give_the_same_bits,
     another_grid_restarts, off_and_empty, bad_input_is_refused, a_case_declares_them)
