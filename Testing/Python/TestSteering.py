"""A steered run is restored from its state files to the last bit. Run with `save` first; then with
`load` and with `server`, each in its own process."""
import os
import sys

import numpy
from dem_testing import (WORK, Messages, at_times, check, connected_server, differences, everything, expect_same,
                         main, packing, simulation)
from paraview import simple, smstate

TIMES = (0.0, 0.02, 0.03, 0.06, 0.1, 0.15, 0.2)
CASE = """{
  "version": 1,
  "packings": [{ "kind": "Lattice", "lower": [-0.05, -0.05, 0.005], "upper": [0.05, 0.05, 0.05], "radius": 0.005,
                 "radius_distribution": "Single", "spacing": 0.012 }],
  "walls": [{ "name": "Plate", "kind": "Rectangle", "origin": [-0.1, -0.1, 0], "edge_u": [0.2, 0, 0], "edge_v": [0, 0.2, 0],
              "motion": { "kind": "Translation", "velocity": [0, 0, %g] } }],
  "gravity": [%g, 0, -9.81],
  "events": [{ "time": 0.08, "property": "Gravity", "value": [0, 5, -9.81] }],
  "end_time": 0.2, "output_interval": 0.01
}
"""


def named(name):
    return os.path.join(WORK, name)


def same(proxy, name):
    """Compares all arrays at all times, requested in reverse order."""
    expected = numpy.load(named(name), allow_pickle=True).item()
    for t in reversed(TIMES):
        got = everything(proxy, t)
        # From another process ParaView transfers empty data without its arrays.
        if len(expected[t][1]["points"]) == 0:
            check(len(got.pop(1)["points"]) == 0, f"{name}, t = {t}: contacts where there were none")
        expect_same(got, expected[t], f"{name}, t = {t}")
    check(differences(expected[0.1], expected[0.2]))


def steered():
    """Changes of all kinds. The last one is earlier in time than the others."""
    plate = simple.Plane(Origin=[-0.1, -0.1, -0.005], Point1=[0.1, -0.1, -0.005], Point2=[-0.1, 0.1, -0.005])
    wall = simple.DEMWall(Input=plate, WallName="Plate", Motion="Rotation", RotationRate=100, Axis=[0, 0, 1])
    s = simulation(packing(Velocity=[0.2, 0, 0], Seed=7), Walls=[wall], WhenChanged="Steer", Threads=1)
    simple.RenameSource("Run", s)
    s.UpdatePipeline(0.06)
    s.Gravity = [3, 0, -9.81]
    s.UpdatePipeline(0.1)
    # A run with this value from the start would have another time step.
    s.YoungsModulus = 0.3 * s.YoungsModulus
    s.WallFriction = 0.1 + 0.2  # a number with many digits
    s.UpdatePipeline(0.1)
    s.UpdatePipeline(0.02)
    wall.RotationRate = -333.3
    s.UpdatePipeline(0.02)
    return s


def case_file(velocity, gravity):
    with open(named("steered.dem"), "w") as out:
        out.write(CASE % (velocity, gravity))


def steered_case():
    """The case file changes. Its own event does not enter the list of steering events."""
    case_file(0, 0)
    reader = simple.DEMCaseReader(FileName=named("steered.dem"), Device="CPU", WhenChanged="Steer", Threads=1)
    simple.RenameSource("Case", reader)
    reader.UpdatePipeline(0.03)
    case_file(0.1, 2)
    reader.InvokeCommand("Refresh")
    reader.UpdatePipeline(0.03)
    return reader


# ---- save ---------------------------------------------------------------------------------------

def the_run_writes_its_events():
    s = steered()
    lines = s.SteeringEvents.split("\n")
    check(lines[-1] == "0.1 WallFriction 0.30000000000000004" and "0.06 Gravity 3 0 -9.81" in lines and
          "start Gravity 0 0 -9.81" in lines and "start WallFriction 0.5" in lines, s.SteeringEvents)
    check(len(lines) == 8 and lines[4].startswith("0.02 WallRate 0 -5.8"), s.SteeringEvents)
    reader = steered_case()
    check(reader.SteeringEvents == "start Gravity 0 0 -9.81\nstart WallVelocity 0 0 0 0\n"
          "0.03 Gravity 2 0 -9.81\n0.03 WallVelocity 0 0 0 0.1", reader.SteeringEvents)
    numpy.save(named("steered-run.npy"), at_times(s, TIMES), allow_pickle=True)
    numpy.save(named("steered-case.npy"), at_times(reader, TIMES), allow_pickle=True)
    simple.SaveState(named("steered.pvsm"))
    with open(named("steered-state.py"), "w") as out:
        out.write(smstate.get_state())


def events_by_hand():
    s = simulation(packing(), WhenChanged="Steer")
    s.UpdatePipeline(0.05)
    s.Gravity = [3, 0, -9.81]
    expected = everything(s, 0.2)
    other = simulation(packing())
    before = everything(other, 0.2)
    other.SteeringEvents = "\n  0.05  Gravity 3.0 0 -981e-2\n\n"
    check(not differences(everything(other, 0.2), expected))
    check(other.SteeringEvents == "start Gravity 0 0 -9.81\n0.05 Gravity 3 0 -9.81", other.SteeringEvents)
    other.SteeringEvents = ""
    check(not differences(everything(other, 0.2), before))


def a_steered_plate_is_shown_where_it_is():
    reader = steered_case()
    for time, height in ((0.06, 0.003), (0.02, 0), (0.2, 0.017)):
        z = everything(reader, time)[2]["points"][:, 2]
        check(len(z) == 4 and numpy.abs(z - height).max() < 1e-12, (time, z))


def an_oscillating_wall_is_not_steered():
    """Properties that the motion of a wall does not use have no effect. An event that names one is
    an error."""
    plate = simple.Plane(Origin=[-0.1, -0.1, -0.005], Point1=[0.1, -0.1, -0.005], Point2=[-0.1, 0.1, -0.005])
    wall = simple.DEMWall(Input=plate, WallName="Sieve", Motion="Oscillation", Amplitude=0.002, Frequency=30, Axis=[0, 0, 1])
    s = simulation(packing(), Walls=[wall], WhenChanged="Steer")
    expected = everything(s, 0.1)
    s.UpdatePipeline(0.05)
    wall.Velocity = [0, 0, 3]
    wall.RotationRate = -720
    s.UpdatePipeline(0.05)
    check(s.SteeringEvents == "", s.SteeringEvents)
    check(not differences(everything(s, 0.1), expected))
    for text in ("0.05 WallVelocity 0 0 0 1", "0.05 WallRate 0 1"):
        s.SteeringEvents = text
        with Messages() as messages:
            s.UpdatePipeline(0.1)
        for word in ("Steering Events", text.split()[1], "wall 0", "Sieve", "Oscillation"):
            check(word in messages.text, f"{text!r}: expected {word!r} in: {messages.text[:1500] or '(no message)'}")


def the_last_of_two_changes_at_one_time_holds():
    s = simulation(packing(), WhenChanged="Steer")
    s.UpdatePipeline(0.05)
    for x in (1, 2, 3):
        s.Gravity = [x, 0, -9.81]
        s.UpdatePipeline(0.05)
    check(s.SteeringEvents == "start Gravity 0 0 -9.81\n0.05 Gravity 3 0 -9.81", s.SteeringEvents)
    expected = everything(s, 0.2)
    check(not differences(everything(simulation(packing(), SteeringEvents=s.SteeringEvents), 0.2), expected))


def a_new_run_of_the_same_scene_keeps_the_events():
    checkpoint = named("steered.dem-checkpoint")
    s = steered()
    expected = at_times(s, TIMES)
    s.Threads = 2
    check(not [d for d in differences(everything(s, 0.2), expected[0.2]) if d[1][1] != "Device"], "other threads gave other data")
    s.Threads = 1
    s.UpdatePipeline(0.15)
    s.CheckpointFile = checkpoint
    s.InvokeCommand("SaveCheckpoint")
    s.RestartFile = checkpoint
    for t in (0.2, 0.03, 0.1):
        check(not differences(everything(s, t), expected[t]), f"from the checkpoint, t = {t}")
    s.RestartFile = ""
    s.InvokeCommand("Reset")
    s.UpdatePipeline(0.0)
    s.CheckpointFile = checkpoint
    with Messages() as messages:
        s.InvokeCommand("LoadCheckpoint")
    check("does not fit this scene" in messages.text, "the values at the start are other ones now: " + messages.text)


def a_checkpoint_brings_its_events():
    checkpoint = named("gravity.dem-checkpoint")
    s = simulation(packing(), WhenChanged="Steer", CheckpointFile=checkpoint)
    s.UpdatePipeline(0.05)
    s.Gravity = [3, 0, -9.81]
    expected = everything(s, 0.2)
    s.InvokeCommand("SaveCheckpoint")
    other = simulation(packing(), CheckpointFile=checkpoint)
    other.UpdatePipeline(0.0)
    other.InvokeCommand("LoadCheckpoint")
    check(not differences(everything(other, 0.2), expected))
    check(other.SteeringEvents == s.SteeringEvents != "", other.SteeringEvents)


def a_restart_and_reset_clear_the_events():
    s = simulation(packing(), WhenChanged="Steer")
    plain = everything(simulation(packing(), Gravity=[3, 0, -9.81]), 0.1)

    def steer():
        s.UpdatePipeline(0.05)
        s.Gravity = [0, 0, -9.81] if s.Gravity[0] else [3, 0, -9.81]
        s.UpdatePipeline(0.1)
        check(s.SteeringEvents)

    steer()
    s.InvokeCommand("Reset")
    check(s.SteeringEvents == "", "Reset kept " + s.SteeringEvents)
    check(not differences(everything(s, 0.1), plain))
    steer()
    s.OutputInterval = 0.05
    s.UpdatePipeline(0.1)
    check(s.SteeringEvents == "", "a restart kept " + s.SteeringEvents)
    s.UpdatePipeline(0.05)
    s.Gravity = [3, 0, -9.81]
    s.UpdatePipeline(0.1)
    check(s.SteeringEvents)
    s.WhenChanged = "Restart"
    s.UpdatePipeline(0.1)
    check(s.SteeringEvents, "the mode alone changed the run")
    s.Gravity = [0, 0, -9.81]
    s.UpdatePipeline(0.1)
    check(s.SteeringEvents == "", "a change in the mode Restart kept " + s.SteeringEvents)


def bad_events_are_named():
    s = simulation(packing())
    for text, words in (("0.05 Gravity 3 0 -9.81\n\n0.1 Gravty 3 0 0", ["line 3", "Gravty", "Known: Gravity, YoungsModulus"]),
                        ("soon Gravity 0 0 0", ["line 1", "soon", "no time"]),
                        ("-1 Gravity 0 0 0", ["line 1", "-1", "no time"]),
                        ("0.1", ["line 1", "no property is given"]),
                        ("0.1 Gravity 0 0", ["line 1", "takes 3 numbers", "not 2"]),
                        ("0.1 Friction 0.1 0.2", ["line 1", "takes 1 number"]),
                        ("0.1 Friction much", ["line 1", "much", "no finite number"]),
                        ("0.1 Friction nan", ["line 1", "nan", "no finite number"]),
                        ("0.1 WallRate 3", ["line 1", "index of the wall or nozzle"]),
                        ("0.1 WallRate 0.5 3", ["line 1", "whole number"]),
                        ("start Friction 0.1\nstart Friction 0.2", ["line 2", "start of Friction"]),
                        ("0.1 Density 1", ["line 1", "Density"]),
                        ("0.1 WallRate 3 1", ["Steering Events", "WallRate", "wall 3"]),
                        ("start WallRate 3 1", ["Steering Events", "WallRate", "wall 3"]),
                        ("0.1 Friction -1", ["Steering Events", "Friction", "-1"])):
        s.SteeringEvents = text
        with Messages() as messages:
            s.UpdatePipeline(0.1)
        for word in words:
            check(word.lower() in messages.text.lower(), f"{text!r}: expected {word!r} in: {messages.text[:1500] or '(no message)'}")
        check(s.SteeringEvents == text, f"{text!r} became {s.SteeringEvents!r}")
    s.SteeringEvents = ""
    check(not differences(everything(s, 0.1), everything(simulation(packing()), 0.1)))


# ---- load ---------------------------------------------------------------------------------------

def comes_back():
    s, reader = simple.FindSource("Run"), simple.FindSource("Case")
    events = s.SteeringEvents
    check("0.06 Gravity 3 0 -9.81" in events and list(s.Gravity) == [3, 0, -9.81] and s.WhenChanged == "Steer")
    case_file(0.1, 2)  # as it was when the state was saved
    same(s, "steered-run.npy")
    same(reader, "steered-case.npy")
    check(s.SteeringEvents == events)
    return s


def pvsm():
    simple.LoadState(named("steered.pvsm"))
    s = comes_back()
    # The restored run can be steered further.
    s.UpdatePipeline(0.15)
    s.Gravity = [0, 0, 5]
    s.UpdatePipeline(0.15)
    check(s.SteeringEvents.endswith("\n0.15 Gravity 0 0 5") and "start Gravity 0 0 -9.81" in s.SteeringEvents)
    expected = numpy.load(named("steered-run.npy"), allow_pickle=True).item()
    check(not differences(everything(s, 0.1), expected[0.1]) and differences(everything(s, 0.2), expected[0.2]))
    s.InvokeCommand("Reset")
    check(s.SteeringEvents == "")
    check(differences(everything(s, 0.1), expected[0.1]), "the present values from the start on gave the steered run")


def python_state():
    with open(named("steered-state.py")) as text:
        exec(compile(text.read(), "state", "exec"), {})
    comes_back()


# ---- server -------------------------------------------------------------------------------------

def through_a_server():
    with connected_server():
        s = simulation(packing(), WhenChanged="Steer")
        s.UpdatePipeline(0.05)
        s.Gravity = [3, 0, -9.81]
        s.UpdatePipeline(0.05)
        check(s.SteeringEvents == "start Gravity 0 0 -9.81\n0.05 Gravity 3 0 -9.81", s.SteeringEvents)
        # Messages of the server contain names that only the client has.
        grains = packing(Material="Cheese")
        other = simulation(grains)
        simple.RenameSource("Cheese balls", grains)
        with Messages() as messages:
            other.UpdatePipeline(0.0)
        check("Cheese balls: material \"Cheese\" is unknown" in messages.text, messages.text)
        simple.Delete(other)
        simple.Delete(s)
        simple.LoadState(named("steered.pvsm"))
        same(simple.FindSource("Run"), "steered-run.npy")


TESTS = {
    "save": (the_run_writes_its_events, events_by_hand, a_steered_plate_is_shown_where_it_is, an_oscillating_wall_is_not_steered, the_last_of_two_changes_at_one_time_holds,
             a_new_run_of_the_same_scene_keeps_the_events, a_checkpoint_brings_its_events, a_restart_and_reset_clear_the_events,
             bad_events_are_named),
    "load": (pvsm, python_state),
    "server": (through_a_server,),
}
main(*TESTS[sys.argv[1]])
