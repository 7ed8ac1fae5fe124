"""Filters behind a simulation read its newest frame on the device of the run, but only if they show
that frame; results are the same either way."""
import os

import dem_testing
import numpy
from dem_testing import arrays, check, expect_same, fetch, main, packing
from paraview import simple

DEVICE = os.environ.get("PARAGRAIN_DEVICE", "CPU")  # CUDA if there is a device


def simulation(*arguments, **properties):
    return dem_testing.simulation(*arguments, Device=DEVICE, **properties)


def network(source, **properties):
    return simple.DEMContactNetwork(Input=source, Device=DEVICE, **properties)


def chains(source, **properties):
    return simple.DEMForceChains(Input=source, Device=DEVICE, StressFactor=0.3, **properties)


def cells(source, **properties):
    return simple.DEMCellAverage(Input=source, Device=DEVICE, **properties)


def points(source, **properties):
    return simple.DEMCoarseGraining(Input=source, Device=DEVICE, Dimensions=[5, 5, 5], **properties)


def statistics(source, **properties):
    return simple.DEMStatistics(Input=source, Device=DEVICE, **properties)


FILTERS = {"network": (network, 3), "pairs": (lambda s: network(s, ShowWallContacts=0), 3),
           "radii": (lambda s: network(s, ContactSource="Radii", Tolerance=1e-4, ForceLaw="Hertz"), 3),
           "chains": (chains, 2), "strong": (lambda s: chains(s, Method="Strong Network"), 2), "cells": (cells, 2), "points": (points, 1),
           "statistics": (statistics, 2), "flow": (lambda s: statistics(s, FlowThrough="Plane", Origin=[0, 0, 0.02], RadialDistribution=0), 3)}


class Results(dict):
    """Arrays by port, and the memory from which the filter read its input."""


def read_from(found):
    return found.read_from


def results(proxy, ports, time):
    proxy.UpdatePipeline(time)
    found = Results({port: arrays(fetch(proxy, port)) for port in range(ports)})
    found.read_from = fetch(proxy, 0).GetFieldData().GetAbstractArray("ReadFrom").GetValue(0)
    return found


def newest_frame_and_no_other():
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), EndTime=0.3)
    for name, (make, ports) in FILTERS.items():
        f = make(s)
        s.DeviceFrameMemory = 2048
        by_frame = {time: results(f, ports, time) for time in (0.1, 0.2, 0.25)}
        for time, found in by_frame.items():
            check(read_from(found) == "Frame", f"{name} at {time} s read {read_from(found)}")
        check(len(by_frame[0.2][0]["points"] if "points" in by_frame[0.2][0] else [1]) > 0, f"{name} is empty")
        earlier = results(f, ports, 0.2)  # an earlier frame that was shown, not the newest one
        check(read_from(earlier) == "Arrays", f"{name}: a frame that is not the newest was read from the run")
        expect_same(earlier, by_frame[0.2], f"{name} at an earlier time")
        again = results(f, ports, 0.25)
        check(read_from(again) == "Frame", f"{name}: the newest frame is still kept")
        s.DeviceFrameMemory = 0
        without = results(f, ports, 0.25)
        check(read_from(without) == "Arrays", f"{name}: there is no frame to read")
        expect_same(without, by_frame[0.25], f"{name} from arrays")
        simple.Delete(f)
        s.DeviceFrameMemory = 2048
        s.Threads = 1 if s.Threads == 0 else 0  # starts a new run
        s.UpdatePipeline(0)


def another_run_or_data_are_read_from_arrays():
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), EndTime=0.2)
    s.UpdatePipeline(0.2)
    contacts = simple.OutputPort(s, 1)
    whole = results(network(s), 3, 0.2)
    check(read_from(whole) == "Frame")
    check(read_from(results(network(s, ListOfContacts=contacts), 3, 0.2)) == "Frame", "both ports of one run")
    check(read_from(results(statistics(s, SpeciesArray="CoordinationNumber"), 2, 0.2)) == "Arrays", "species of another array")

    # Equal points with other radii: the values must come from the array.
    larger = simple.Calculator(Input=s, ResultArrayName="Radius", Function="1.001*Radius")
    found = results(cells(larger, ListOfContacts=contacts, AutomaticBounds=0, Bounds=[-.1, .1, -.1, .1, -.1, .1],
                                          Dimensions=[1, 1, 1]), 2, 0.2)
    plain = results(cells(s, AutomaticBounds=0, Bounds=[-.1, .1, -.1, .1, -.1, .1], Dimensions=[1, 1, 1]), 2, 0.2)
    check(read_from(found) == "Arrays", "a changed radius")
    check(read_from(plain) == "Frame")
    ratio = found[0]["cell", "SolidFraction"][0] / plain[0]["cell", "SolidFraction"][0]
    check(abs(ratio - 1.001 ** 3) < 1e-5, f"the changed radius gives {ratio}")

    # A subset of the grains: the key of the points is copied, but not their memory.
    some = simple.Threshold(Input=s, Scalars=["POINTS", "Id"], LowerThreshold=10, UpperThreshold=1e9)
    found = results(cells(some, Dimensions=[2, 2, 2]), 2, 0.2)
    check(read_from(found) == "Arrays", "a part of the grains")

    # Contacts of one run with grains of another, equal run.
    other = simulation(packing(Velocity=[0.3, 0.1, 0]), EndTime=0.2)
    other.UpdatePipeline(0.2)
    mixed = results(network(other, ListOfContacts=contacts), 3, 0.2)
    check(read_from(mixed) == "Arrays", "contacts of another run")
    expect_same(mixed, whole, "contacts of another run with the same grains")

    # Arrays that are off are not read and count as missing.
    s.ContactArrays = ["NormalForce", "Overlap"]
    hidden = results(network(s), 3, 0.2)
    check(read_from(hidden) == "Frame")
    check(("cell", "TangentialForceMagnitude") not in hidden[0], "a hidden force is shown")
    s.ContactArrays = ["NormalForce"]
    check(read_from(results(network(s), 3, 0.2)) == "Arrays", "overlaps are not shown")


def window_of_time():
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), EndTime=0.2)
    f = cells(s, Dimensions=[2, 2, 2], AutomaticBounds=0, Bounds=[-.03, .03, -.03, .03, 0, .06], TimeWindow=0.05)
    a = results(f, 2, 0.2)
    s.DeviceFrameMemory = 0
    s.Threads = 1
    expect_same(a, results(f, 2, 0.2), "a mean over time")
    check(numpy.all(a[0]["cell", "Count"] <= 6) and a[0]["field", "OutputCount"][0] == 6)


main(newest_frame_and_no_other, another_run_or_data_are_read_from_arrays, window_of_time)
