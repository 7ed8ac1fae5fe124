"""MPM Simulation as a run: slices of a monitored run, interruption, another end time, device,
damaged checkpoints, two runs at once, a pvserver."""
import os
import struct

import numpy
import run_testing
from dem_testing import (MPM_PORTS, WORK, Messages, arrays, check, clear, connected_server, damaged, differences,
                         everything, expect, expect_same, fetch, kept, main, progress, simulation, time_of)
from mpm_testing import block, mpm
from paraview import simple


def statistic(proxy, name, when=None):
    return arrays(fetch(proxy, 3, when))["row", name][0]


def monitor_shows_slices():
    run_testing.monitor_shows_slices(mpm, 0.6)


def a_monitored_run_is_steered_between_slices():
    s = mpm(Monitor=1, MonitorInterval=0.05, WhenChanged="Steer", EndTime=0.5)
    s.UpdatePipeline(0.5)
    reached = time_of(kept(s))
    check(0 < reached < 0.5, f"one slice brought it to {reached} s")
    s.Gravity = [3, 0, -9.81]
    run_testing.in_slices(s, 0.5, 300)
    lines = s.SteeringEvents.split("\n")
    check(len(lines) == 2 and lines[0] == "start Gravity 0 0 -9.81" and lines[1].endswith(" Gravity 3 0 -9.81"), s.SteeringEvents)
    at = float(lines[1].split()[0])
    check(reached - 0.01 - 1e-9 <= at <= reached, f"changed at {at} s, the slice had brought it to {reached} s")
    again = mpm(EndTime=0.5, SteeringEvents=s.SteeringEvents)
    check(not differences(everything(again, 0.5), everything(s, 0.5)), "the text of the events gives another run")
    check(differences(everything(mpm(EndTime=0.5), 0.5), everything(s, 0.5)), "the change changed nothing")


def an_interruption_can_go_on():
    expected = everything(mpm(), 0.2)
    s = mpm()
    shares, stops = [], []

    def stop(algorithm):
        shares.append(algorithm.GetProgress())
        if len(shares) % 3 == 0:
            stops.append(len(shares))
            algorithm.SetAbortExecute(1)

    with progress(s, stop):
        for _ in range(2):
            s.UpdatePipeline(0.2)
    check(stops and all(0 <= p <= 1 for p in shares), f"{len(stops)} interruptions, progress {shares[:5]}")
    s.UpdatePipeline(0.2)
    check(time_of(kept(s)) == 0.2)
    check(not differences(everything(s, 0.2), expected))


def another_end_goes_on():
    s, began = run_testing.another_end_goes_on(mpm, 0.1, 0.3)
    check(began, "no progress was told")
    s.EndTime = 0  # only the start
    s.UpdatePipelineInformation()
    values = s.TimestepValues
    check(values == 0 or list(values) == [0], f"the times are {values}")
    check(not differences(everything(s, 0), everything(mpm(), 0)))


def equal_inputs_keep_the_run():
    box = block()
    s = mpm(box)
    s.UpdatePipeline(0.2)
    shares = []
    with progress(s, lambda algorithm: shares.append(algorithm.GetProgress())):
        box.XLength = 0.08
        box.UpdatePipeline()
        box.XLength = 0.1
        before = everything(s, 0.2)
    check(not [p for p in shares if 0 < p < 1], f"computed again: {shares}")
    box.XLength = 0.08
    other = everything(s, 0.2)
    check(len(other[0]["points"]) < len(before[0]["points"]), "a changed input changed nothing")


def each_integrator_and_precision_replays():
    run_testing.each_replays_and_differs(mpm, (dict(Integrator="Implicit Midpoint", TimeStep=0.0025),
                                               dict(Integrator="Backward Euler", TimeStep=0.0025), dict(Precision="Double"),
                                               dict(Kernel="Cubic"), dict(Transfer="PIC"), dict(GridTransfer="Pull"),
                                               dict(PointOrder="Index")))


def each_grid_transfer_agrees():
    expected = everything(mpm(EndTime=0.1), 0.1)[0]["points"]
    for transfer in mpm().GetProperty("GridTransfer").Available:
        got = everything(mpm(EndTime=0.1, EqualBits=0, GridTransfer=transfer), 0.1)[0]["points"]
        check(numpy.allclose(got, expected, rtol=0, atol=3e-6), f"{transfer}: {numpy.abs(got - expected).max()} m")


def two_simulations():
    run_testing.two_at_once(mpm, mpm(block(Center=[0, 0, 0.12]), parameters=dict(YoungsModulus=5e4)))


def frames_outlive_the_simulation():
    run_testing.frames_outlive(mpm())


def the_panel_follows_the_run():
    s = mpm()
    run_testing.panel_follows(s)
    s.UpdatePropertyInformation()
    check(s.TimeStepInUse > 0 and s.GridSpacingInUse == 0.0125 and s.DeviceMemoryInUse > 0, f"{s.TimeStepInUse} {s.GridSpacingInUse} {s.DeviceMemoryInUse}")


def the_device_is_the_one_asked_for():
    for threads, words in ((1, "1 thread"), (2, "2 threads")):
        s = mpm(Threads=threads)
        s.UpdatePipeline(0.01)
        s.UpdatePropertyInformation()
        said = arrays(fetch(s, 3))["row", "Device"][0]
        check(s.DeviceInUse == said and "CPU" in said and words in said, f"{said!r}, {s.DeviceInUse!r}: expected {words}")
    for device in ("CUDA", "Auto"):
        s = mpm(Device=device)
        with Messages() as messages:
            s.UpdatePipeline(0.01)
        s.UpdatePropertyInformation()
        if device == "CUDA" and kept(s).GetNumberOfPoints() == 0:
            check("CUDA" in messages.text, f"no reason why CUDA is not taken: {messages.text}")
        else:
            check(not messages.text and s.DeviceInUse and (device == "Auto" or "CUDA" in s.DeviceInUse), messages.text or s.DeviceInUse)


def broken_checkpoints():
    good = os.path.join(WORK, "good.mpm-checkpoint")
    s = mpm(CheckpointFile=good)
    before = everything(s, 0.1)
    s.InvokeCommand("SaveCheckpoint")
    for path in damaged(good):
        s.CheckpointFile = path
        expect(lambda: s.InvokeCommand("LoadCheckpoint"), "not loaded", os.path.basename(path))
        refused(mpm(RestartFile=path), os.path.basename(path))
    check(not differences(everything(s, 0.1), before), "a bad checkpoint disturbed the run")
    s.CheckpointFile = os.path.join(WORK, "no", "such", "folder.mpm-checkpoint")
    expect(lambda: s.InvokeCommand("SaveCheckpoint"), "not saved", "folder.mpm-checkpoint")
    # A DEM checkpoint is an error for a continuum.
    grains = os.path.join(WORK, "grains.dem-checkpoint")
    d = simulation(CheckpointFile=grains)
    d.UpdatePipeline(0.05)
    d.InvokeCommand("SaveCheckpoint")
    other = mpm(RestartFile=grains)
    expect(lambda: other.UpdatePipeline(0.0), "grains.dem-checkpoint")


def refused(run, *words):
    expect(lambda: run.UpdatePipeline(0.0), *words)
    check(all(fetch(run, port) is not None for port in MPM_PORTS.values()) and kept(run).GetNumberOfPoints() == 0)


def written(name, places, more):
    """Writes a file of these points. `more` holds further text or numbers."""
    path = os.path.join(WORK, name)
    with open(path, "wb") as out:
        out.write(f"# vtk DataFile Version 3.0\nbad\nBINARY\nDATASET POLYDATA\nPOINTS {len(places) // 3} double\n".encode())
        for piece in [places] + more:
            out.write(piece.encode() if isinstance(piece, str) else struct.pack(f">{len(piece)}{'i' if isinstance(piece[0], int) else 'd'}", *piece) + b"\n")
    return simple.LegacyVTKReader(FileNames=[path])


def bad_walls():
    refused(mpm(Walls=[simple.Line(registrationName="Edge")]), "Edge", "no surface", "no polygons")
    flat = simple.Calculator(Input=simple.Plane(), CoordinateResults=1, Function="0*coords")
    refused(mpm(Walls=[simple.DEMWall(Input=flat, WallName="Flat")]), "Flat", "none of its 2 triangles has an area")
    far = written("far.vtk", [0.0, 0, 0, 1, 0, numpy.nan, 0, 1, 0], ["POLYGONS 1 4\n", [3, 0, 1, 2]])
    refused(mpm(Walls=[simple.DEMWall(Input=far, WallName="Far")]), "Far", "finite")


def bad_points_and_tables():
    line = simple.Line(Point1=[0, 0, 0.1], Point2=[0.02, 0, 0.1], Resolution=1)
    refused(mpm(simple.Calculator(Input=line, ResultArrayName="Volume", Function="-1e-6")), "point 0", "mass", "-0.001")
    volume = ["VERTICES 1 2\n", [1, 0], "POINT_DATA 1\nSCALARS Volume double 1\nLOOKUP_TABLE default\n"]
    refused(mpm(written("volume.vtk", [0.0, 0, 0.1], volume + [[numpy.nan]])), "point 0", "nan")
    refused(mpm(written("place.vtk", [0.0, numpy.nan, 0.1], volume + [[1e-6]])), "point 0", "nan")
    path = os.path.join(WORK, "bad-mpm.csv")
    with open(path, "w") as out:
        out.write("Title,YoungsModulus\nJelly,1e4\n")
    refused(mpm(TableOfMaterials=simple.CSVReader(FileName=[path])), "no column \"Name\"", "Title, YoungsModulus")
    with open(path, "w") as out:
        out.write("Name,YoungsModulus\nJelly,soft\n")
    refused(mpm(TableOfMaterials=simple.CSVReader(FileName=[path])), "row 0", "YoungsModulus", "\"soft\" is no number")


def bad_times():
    s = mpm()
    expect(lambda: (setattr(s, "OutputInterval", 0), s.UpdatePipelineInformation()), "Output Interval", "> 0")
    expect(lambda: (setattr(s, "OutputInterval", 1e-12), s.UpdatePipelineInformation()), "Output Interval", "10 million")


def a_state_goes_on_from_its_restart_file():
    checkpoint, path = os.path.join(WORK, "state.mpm-checkpoint"), os.path.join(WORK, "mpm-restart.pvsm")
    s = mpm(WhenChanged="Steer")
    simple.RenameSource("Run", s)
    s.UpdatePipeline(0.05)
    s.Gravity = [3, 0, -9.81]
    s.UpdatePipeline(0.1)
    s.CheckpointFile = checkpoint
    s.InvokeCommand("SaveCheckpoint")
    expected = everything(s, 0.2)
    s.RestartFile = checkpoint
    simple.SaveState(path)
    clear()
    simple.LoadState(path)
    expect_same(everything(simple.FindSource("Run"), 0.2), expected)


def a_checkpoint_is_loaded_and_goes_on():
    path = os.path.join(WORK, "loaded.mpm-checkpoint")
    s = mpm(CheckpointFile=path)
    s.UpdatePipeline(0.1)
    s.InvokeCommand("SaveCheckpoint")
    expected = everything(s, 0.2)
    other = mpm(CheckpointFile=path)
    other.UpdatePipeline(0.0)
    other.InvokeCommand("LoadCheckpoint")
    other.UpdatePropertyInformation()
    check(abs(other.TimeReached - 0.1) < 1e-9, f"reached {other.TimeReached} s")
    check(not differences(everything(other, 0.2), expected))


def points_that_leave_are_lost():
    moving = simple.Calculator(Input=block(), ResultArrayName="Velocity", Function="iHat")
    s = mpm(moving, Gravity=[0, 0, 0], BorderXUpper="Remove")
    start = statistic(s, "PointCount", 0.0)
    check(100 < statistic(s, "LostCount", 0.1) < start, "none left, or all")
    check(statistic(s, "LostCount") + statistic(s, "PointCount") == start)
    check(arrays(fetch(s, 0))["points"][:, 0].max() <= 0.125)


def a_simulation_starts_from_another():
    start, end = run_testing.starts_from_another(mpm(), mpm)
    check(numpy.allclose(start["point", "Mass"], end["point", "Mass"], rtol=1e-6))


def through_a_server():
    expected = everything(mpm(Threads=1), 0.1)
    with connected_server():
        s = mpm(Threads=1, WhenChanged="Steer")
        got = everything(s, 0.1)
        # No walls: ParaView transfers empty data without its arrays.
        check(len(got.pop(2)["points"]) == 0)
        expect_same(got, expected, "through a server")
        s.MaterialModel.YoungsModulus = 5e4
        s.UpdatePipeline(0.1)
        check(s.SteeringEvents == "start YoungsModulus 20000\n0.1 YoungsModulus 50000", s.SteeringEvents)


main(monitor_shows_slices, a_monitored_run_is_steered_between_slices, an_interruption_can_go_on, another_end_goes_on, equal_inputs_keep_the_run,
     each_integrator_and_precision_replays, each_grid_transfer_agrees, two_simulations, frames_outlive_the_simulation, the_panel_follows_the_run,
     the_device_is_the_one_asked_for, broken_checkpoints, bad_walls, bad_points_and_tables, bad_times,
     a_state_goes_on_from_its_restart_file, a_checkpoint_is_loaded_and_goes_on, points_that_leave_are_lost,
     a_simulation_starts_from_another, through_a_server)
