"""Times in any order equal a straight run on every port. Two simulations do not affect each other.
"""

from dem_testing import NOT_REPRODUCIBLE, PORTS, arrays, check, differences, everything, fetch, main, packing, simulation
from paraview import simple


def straight(times, **properties):
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), **properties)
    return {t: everything(s, t) for t in times}


TIMES = [0.0, 0.03, 0.08, 0.12, 0.2]


def times_are_declared_on_every_port():
    s = simulation()
    s.UpdatePipelineInformation()
    check(len(s.TimestepValues) == 21 and s.TimestepValues[20] == 0.2, str(list(s.TimestepValues)))
    check(list(s.TimeRange) == [0, 0.2])
    s.OutputInterval = 0.05
    s.UpdatePipelineInformation()
    check(list(s.TimestepValues) == [k * 0.05 for k in range(5)])


def any_order_equals_a_straight_run():
    expected = straight(TIMES, ContactStatistics=1)
    check(len(expected[0.2][1]["cell", "Overlap"]) > 20, "too few contacts for a test")
    check(differences(expected[0.12], expected[0.2]), "the comparison compares nothing")
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), ContactStatistics=1)
    for t in [0.2, 0.03, 0.12, 0.0, 0.08, 0.08, 0.2, 0.03]:
        wrong = differences(everything(s, t), expected[t])
        check(not wrong, f"t = {t}: {wrong}")


def replay_without_kept_frames():
    # One MiB holds few of the 1001 frames, so most are computed again from snapshots.
    expected = straight([0.05, 0.1, 0.15], OutputInterval=0.0002)
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), OutputInterval=0.0002, FrameMemory=1, SnapshotMemory=1)
    s.UpdatePipeline(0.2)
    for t in [0.15, 0.05, 0.1]:
        wrong = differences(everything(s, t), expected[t])
        check(not wrong, f"t = {t}: {wrong}")


def threads_skin_and_search_change_no_bit():
    expected = straight([0.2])[0.2]
    for properties in (dict(Threads=1), dict(Skin=0.002), dict(BroadPhase="BVH", HalfSearch=1),
                       dict(BroadPhase="Hierarchical Grid", SortParticles="Never"),
                       dict(NeighborList="Hybrid", StaticSize=4, ThreadPer="Contact"), dict(NeighborList="Split Loop", BroadPhase="BVH")):
        got = straight([0.2], **properties)[0.2]
        for port in got:  # the device name contains the number of threads
            for kind in ("field", "row"):
                for name in ("Device", "BroadPhase"):
                    got[port].pop((kind, name), None)
                    expected[port].pop((kind, name), None)
        wrong = differences(got, expected)
        check(not wrong, f"{properties}: {wrong}")


def each_integrator_replays():
    seen = [straight([0.1])[0.1]]
    for name in ("Semi-Implicit Euler", "Gear Predictor-Corrector"):
        expected = straight([0.05, 0.1, 0.15], Integrator=name)
        s = simulation(packing(Velocity=[0.3, 0.1, 0]), Integrator=name, FrameMemory=1, SnapshotMemory=1)
        s.UpdatePipeline(0.2)
        for t in [0.15, 0.05, 0.1]:
            wrong = differences(everything(s, t), expected[t])
            check(not wrong, f"{name}, t = {t}: {wrong}")
        for other in seen:
            check(differences(expected[0.1], other), f"{name} makes no difference")
        seen.append(expected[0.1])


def times_snap_down():
    s = simulation()
    for asked, given in ((0.0199, 0.01), (0.02, 0.02), (0.0300001, 0.03), (5, 0.2), (-1, 0)):
        for port in PORTS.values():
            data = fetch(s, port, asked)
            step = data.GetInformation().Get(data.DATA_TIME_STEP())
            check(abs(step - given) < 1e-12, f"asked {asked}, port {port}: {step}")
        check(abs(arrays(fetch(s, 3))["row", "Time"][0] - given) < 1e-12)


def two_simulations():
    a = simulation(packing(Velocity=[0.3, 0.1, 0]))
    b = simulation(packing(Velocity=[0.3, 0.1, 0], Radius=0.004), Friction=0.1)
    expected = straight([0.05, 0.1])
    check(not differences(everything(a, 0.1), expected[0.1]))
    first = everything(b, 0.1)
    check(differences(first, expected[0.1]))
    check(not differences(everything(a, 0.05), expected[0.05]))
    check(not differences(everything(b, 0.1), first))


def frames_outlive_the_simulation():
    s = simulation()
    data = fetch(s, 0, 0.1)
    before = arrays(data)
    contacts = fetch(s, 1)
    s.UpdatePipeline(0.2)
    simple.Delete(s)
    del s
    check(not differences({0: arrays(data)}, {0: before}))
    check(contacts.GetNumberOfCells() > 0)


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
    s = simulation()
    # The value in the panel; the Python property TimeReached asks the server each time.
    shown = s.SMProxy.GetProperty("TimeReached")
    for t in (0.05, 0.2):
        s.UpdatePipeline(t)
        check(abs(shown.GetElement(0) - t) < 1e-9, f"at {t} s the panel shows {shown.GetElement(0)} s")


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
     threads_skin_and_search_change_no_bit, each_integrator_replays, times_snap_down, two_simulations, frames_outlive_the_simulation,
     arrays_are_the_promised_ones, arrays_can_be_left_out, the_panel_follows_the_run, the_panel_says_what_was_chosen)
