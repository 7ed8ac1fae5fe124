"""Times in any order equal a straight run on every port. Two simulations do not affect each other.
"""

import run_testing
from dem_testing import NOT_REPRODUCIBLE, check, everything, fetch, main, packing, simulation


def moving(**properties):
    return simulation(packing(Velocity=[0.3, 0.1, 0]), **properties)


def times_are_declared_on_every_port():
    s = simulation()
    run_testing.times_snap_down(s)
    check(list(s.TimeRange) == [0, 0.2])
    s.OutputInterval = 0.05
    s.UpdatePipelineInformation()
    check(list(s.TimestepValues) == [k * 0.05 for k in range(5)])


def any_order_equals_a_straight_run():
    shown = run_testing.any_order_equals_a_straight_run(lambda: moving(ContactStatistics=1))
    check(len(shown[1]["cell", "Overlap"]) > 20, "too few contacts for a test")


def replay_without_kept_frames():
    run_testing.replays_without_kept_frames(moving, OutputInterval=0.0002)  # 1001 frames


def threads_skin_and_search_change_no_bit():
    run_testing.changes_no_bit(moving, (
        dict(Threads=1), dict(Skin=0.002), dict(BroadPhase="BVH", HalfSearch=1), dict(BroadPhase="Hierarchical Grid", SortParticles="Never"),
        dict(NeighborList="Hybrid", StaticSize=4, ThreadPer="Contact"), dict(NeighborList="Split Loop", BroadPhase="BVH")), "Device", "BroadPhase")


def each_integrator_replays():
    run_testing.each_replays_and_differs(moving, [dict(Integrator=name) for name in ("Semi-Implicit Euler", "Gear Predictor-Corrector")])


def two_simulations():
    run_testing.two_at_once(moving, simulation(packing(Velocity=[0.3, 0.1, 0], Radius=0.004), Friction=0.1))


def frames_outlive_the_simulation():
    run_testing.frames_outlive(simulation())


def arrays_are_the_promised_ones():
    s = simulation(ContactStatistics=1)
    got = everything(s, 0.2)
    points = {name for key in got[0] if key != "points" for kind, name in [key] if kind == "point"}
    check(points == {"Id", "Radius", "Velocity", "AngularVelocity", "Orientation", "Force", "Torque", "Mass", "Material", "Shape",
                     "CoordinationNumber", "Stress"}, str(points))
    cells = {key[1] for key in got[1] if key[0] == "cell"}
    check(cells == {"ParticleIds", "NormalForce", "TangentialForce", "Overlap", "Sliding", "Age", "SlipDistance",
                    "DissipatedEnergy"}, str(cells))
    check(("point", "Id") in got[1])
    row = {key[1] for key in got[3] if key[0] == "row"} | NOT_REPRODUCIBLE
    field = {key[1] for key in got[0] if key[0] == "field"} | NOT_REPRODUCIBLE
    # Properties of the particles that do not depend on time.
    more = {"Materials", "Box", "Periodic", "Gravity"}
    check(more <= field and row == field - more and {"Time", "Step", "KineticEnergy", "PotentialEnergy", "DissipatedEnergy", "StiffnessWork", "ParticleCount",
                            "LostCount", "LargestOverlapRatio", "Device"} <= row, str(row))
    check(got[0]["points"].dtype == "float64" and fetch(s, 0).GetNumberOfVerts() == len(got[0]["points"]))
    check(fetch(s, 0).GetPointData().GetScalars().GetName() == "Velocity")


def arrays_can_be_left_out():
    s = simulation(ParticleArrays=["Velocity"], ContactArrays=[])
    got = everything(s, 0.2)
    check({key[1] for key in got[0] if key[0] == "point"} == {"Id", "Radius", "Velocity"})
    check(len(got[1]["points"]) == 0)
    s.ParticleArrays = ["Velocity", "Force"]
    check({key[1] for key in everything(s, 0.2)[0] if key[0] == "point"} == {"Id", "Radius", "Velocity", "Force"})


def the_panel_follows_the_run():
    run_testing.panel_follows(simulation())


def the_panel_says_what_was_chosen():
    s = simulation()
    panel = [s.SMProxy.GetProperty(name) for name in ("SearchInUse", "CellSizeInUse", "SkinInUse", "ListEntriesInUse")]
    s.UpdatePipeline(0.1)
    said, cell, skin, entries = (shown.GetElement(0) for shown in panel)
    check(said in ("Sorted Grid", "Sorted Grid, in groups"), said)
    check(0 < skin < cell and entries > 0, f"{cell}, {skin}, {entries}")
    s.Skin = 3e-3
    s.BroadPhase = "BVH"
    s.NeighborList = "Hybrid"
    s.StaticSize = 5
    s.UpdatePipeline(0.1)
    said = [shown.GetElement(0) for shown in panel]
    check(said[:3] == ["BVH, 5 slots", 0, 3e-3] and said[3] > entries, f"{said}, {entries} before")


main(times_are_declared_on_every_port, any_order_equals_a_straight_run, replay_without_kept_frames,
     threads_skin_and_search_change_no_bit, each_integrator_replays, two_simulations, frames_outlive_the_simulation,
     arrays_are_the_promised_ones, arrays_can_be_left_out, the_panel_follows_the_run, the_panel_says_what_was_chosen)
