"""MPM Simulation: changes during a run (Steer), their text, states and checkpoints; filters that
read the newest frame on the device of the run."""
import os

import numpy
from dem_testing import WORK, Messages, arrays, at_times, check, clear, differences, everything, expect_same, fetch, main
from mpm_testing import mpm
from paraview import simple, smstate

TIMES = (0.0, 0.03, 0.05, 0.08, 0.12)


def steered(**properties):
    """The block falls, is pulled aside from 0.03 s on and gets stiffer at 0.05 s. The wall below
    reverses its rotation at 0.03 s."""
    plate = simple.Plane(Origin=[-0.1, -0.1, 0.03], Point1=[0.1, -0.1, 0.03], Point2=[-0.1, 0.1, 0.03])
    wall = simple.DEMWall(Input=plate, WallName="Plate", Motion="Translation", Velocity=[0, 0, 0.1])
    run = mpm(Walls=[wall], WhenChanged="Steer", Threads=1, EndTime=0.12, **properties)
    run.UpdatePipeline(0.03)
    run.Gravity = [3, 0, -9.81]
    wall.Velocity = [0, 0, -0.2]
    run.UpdatePipeline(0.05)
    run.MaterialModel.YoungsModulus = 1e5 * (0.1 + 0.2)  # a number with many digits
    run.WallFriction = 0.7
    run.UpdatePipeline(0.05)
    return run


def at_all_times(run):
    return at_times(run, TIMES)


def same(got, expected, what):
    for t in reversed(TIMES):
        expect_same(got[t], expected[t], f"{what}, t = {t}")


def mean_velocity(run, time):
    return numpy.asarray(arrays(fetch(run, 0, time))["point", "Velocity"]).mean(axis=0)


def changes_hold_from_the_shown_time_on():
    run = mpm(WhenChanged="Steer")
    expected = {t: everything(run, t) for t in (0.02, 0.05)}
    run.Gravity = [3, 0, 0]  # the time shown is 0.05 s
    v = mean_velocity(run, 0.09)
    check(numpy.allclose(v, [0.12, 0, -0.05 * 9.81], atol=2e-4), f"0.04 s of another gravity: {v}")
    for t, one in expected.items():
        check(not differences(everything(run, t), one), f"{t} s lies before the change")
    check(numpy.allclose(mean_velocity(run, 0.07), [0.06, 0, -0.05 * 9.81], atol=2e-4), "a replay meets the change again")
    check(run.SteeringEvents == "start Gravity 0 0 -9.81\n0.05 Gravity 3 0 0", run.SteeringEvents)


def the_wall_goes_on_from_where_it_is():
    run = steered()
    for t, z in ((0.0, 0.03), (0.03, 0.033), (0.05, 0.033 - 0.004), (0.08, 0.033 - 0.01)):
        points = arrays(fetch(run, 2, t))["points"]
        check(numpy.allclose(points[:, 2], z, atol=1e-9), f"the plate at {t} s: {points[:, 2]}")


def a_run_of_the_text_is_the_same():
    run = steered()
    lines = run.SteeringEvents.split("\n")
    for line in ("start Gravity 0 0 -9.81", "start WallVelocity 0 0 0 0.1", "start YoungsModulus 20000", "0.03 Gravity 3 0 -9.81",
                 "0.03 WallVelocity 0 0 0 -0.2", "0.05 YoungsModulus 30000.000000000004", "0.05 WallContactFriction 0 0.7"):
        check(line in lines, f"{line} is not in {lines}")
    expected = at_all_times(run)
    check(differences(expected[0.08], expected[0.12]))
    run.Threads = 2  # starts a new run of the same scene
    run.UpdatePipeline(0.0)
    run.Threads = 1
    same(at_all_times(run), expected, "begun anew")

    # A state file of ParaView.
    simple.RenameSource("Run", run)
    path = os.path.join(WORK, "mpm-steered.pvsm")
    simple.SaveState(path)
    text = smstate.get_state()
    for load in (lambda: simple.LoadState(path), lambda: exec(compile(text, "state", "exec"), {"__name__": "state"})):
        clear()
        load()
        back = simple.FindSource("Run")
        check(back.SteeringEvents.split("\n") == lines, back.SteeringEvents)
        same(at_all_times(back), expected, "from a state")


def checkpoints_bring_changes():
    run = steered(CheckpointFile=os.path.join(WORK, "mpm-steered.checkpoint"))
    run.UpdatePipeline(0.08)
    run.InvokeCommand("SaveCheckpoint")
    expected = at_all_times(run)
    run.RestartFile = run.CheckpointFile
    same(at_all_times(run), expected, "from the checkpoint")


def what_cannot_change_restarts_and_bad_events_are_named():
    run = mpm(WhenChanged="Steer")
    run.UpdatePipeline(0.05)
    run.Gravity = [3, 0, -9.81]
    run.UpdatePipeline(0.05)
    check(run.SteeringEvents)
    run.MaterialModel.Density = 900
    run.UpdatePipeline(0.05)
    check(run.SteeringEvents == "", "another density kept " + run.SteeringEvents)
    run.WhenChanged = "Restart"
    run.Gravity = [0, 0, -1]
    check(abs(mean_velocity(run, 0.05)[2] + 0.05) < 1e-4, "Restart: from 0 on")
    run.InvokeCommand("Reset")
    for text, words in (("0.05 Density 3", ["line 1", "Density", "Known: Gravity, YoungsModulus, PoissonsRatio, FrictionAngle"]),
                        ("0.1 Gravity 0 0", ["line 1", "takes 3 numbers", "not 2"]),
                        ("0.1 WallContactFriction 0.5 3", ["line 1", "whole number"]),
                        ("0.1 Cohesion nan", ["line 1", "nan"]),
                        ("0.1 WallRate 3 1", ["Steering Events", "WallRate", "wall 3"]),
                        ("0.1 PoissonsRatio 0.5", ["Steering Events", "0.5"])):
        run.SteeringEvents = text
        with Messages() as messages:
            run.UpdatePipeline(0.1)
        for word in words:
            check(word in messages.text, f"{text!r} should name {word!r}: {messages.text}")


def read_from(proxy, time):
    proxy.UpdatePipeline(time)
    data = fetch(proxy, 0)
    return {0: arrays(data)}, data.GetFieldData().GetAbstractArray("ReadFrom").GetValue(0)


def filters_read_the_newest_frame():
    device = os.environ.get("PARAGRAIN_DEVICE", "CPU")
    run = mpm(Device=device)
    box = dict(AutomaticBounds=0, Bounds=[-0.125, 0.125, -0.125, 0.125, 0, 0.25], Dimensions=[4, 3, 5], Device=device)
    for make in (lambda s: simple.DEMCellAverage(Input=s, **box), lambda s: simple.DEMCoarseGraining(Input=s, Dimensions=[5, 5, 5], Device=device)):
        run.DeviceFrameMemory = 2048
        run.Threads = 1 - run.Threads  # starts a new run
        average = make(run)
        found = {}
        for t in (0.1, 0.15, 0.2):
            found[t], source = read_from(average, t)
            check(source == "Frame", f"{t} s was read from {source}")
        field = [values for key, values in found[0.2][0].items() if key[0] in ("cell", "point") and "Stress" in key[1]]
        check(field and numpy.abs(field[0]).max() > 0, "the averages have no stress")
        earlier, source = read_from(average, 0.15)
        check(source == "Arrays" and not differences(earlier, found[0.15]), "a frame that is not the newest")
        again, source = read_from(average, 0.2)
        check(source == "Frame" and not differences(again, found[0.2]), "the newest frame is still kept")
        run.DeviceFrameMemory = 0
        without, source = read_from(average, 0.2)
        wrong = differences(without, found[0.2])
        check(source == "Arrays" and not wrong, f"arrays give other averages: {wrong}")
        run.DeviceFrameMemory = 2048
        run.Threads = 1 - run.Threads
        run.PointArrays = ["Velocity", "Mass"]  # no Stress
        hidden, source = read_from(average, 0.2)
        check(source == "Frame", "hidden stress")
        run.DeviceFrameMemory = 0
        check(not differences(hidden, read_from(average, 0.2)[0]), "without Stress")
        run.PointArrays = ["Velocity", "Mass", "Volume", "J", "DeformationGradient", "Stress", "VonMises", "PlasticStrain", "Material"]
        changed = simple.Calculator(Input=run, ResultArrayName="Stress6", Function="Radius")
        run.DeviceFrameMemory = 2048
        larger = simple.Calculator(Input=changed, ResultArrayName="Radius", Function="1.001*Radius")
        check(read_from(make(larger), 0.2)[1] == "Arrays", "a changed radius")
        simple.Delete(average)


main(changes_hold_from_the_shown_time_on, the_wall_goes_on_from_where_it_is, a_run_of_the_text_is_the_same, checkpoints_bring_changes,
     what_cannot_change_restarts_and_bad_events_are_named, filters_read_the_newest_frame)
