"""What runs of DEM Simulation and of MPM Simulation must do alike. `make` makes a run of a small
scene of 0.2 s with 21 outputs, with properties by name."""
import numpy
from dem_testing import (arrays, at_times, check, differences, everything, expect_same, expect_same_at, fetch, kept,
                         ports_of, progress, time_of)
from paraview import simple


def times_snap_down(run):
    """On each port; the times are declared."""
    run.UpdatePipelineInformation()
    check(len(run.TimestepValues) == 21 and run.TimestepValues[20] == 0.2, str(list(run.TimestepValues)))
    for asked, given in ((0.0199, 0.01), (0.02, 0.02), (0.0300001, 0.03), (5, 0.2), (-1, 0)):
        for port in ports_of(run).values():
            step = time_of(fetch(run, port, asked))
            check(abs(step - given) < 1e-12, f"asked {asked}, port {port}: {step}")
        check(abs(arrays(fetch(run, 3))["row", "Time"][0] - given) < 1e-12)


def any_order_equals_a_straight_run(make):
    """Returns what the straight run shows at 0.2 s."""
    expected = at_times(make(), [0.0, 0.03, 0.08, 0.12, 0.2])
    check(differences(expected[0.12], expected[0.2]), "the comparison compares nothing")
    expect_same_at([0.2, 0.03, 0.12, 0.0, 0.08, 0.08, 0.2, 0.03], make(), expected)
    return expected[0.2]


def replays_without_kept_frames(make, **properties):
    """One MiB holds few frames, so most are computed again from snapshots. Returns what the run
    shows at 0.1 s."""
    expected = at_times(make(**properties), [0.05, 0.1, 0.15])
    run = make(FrameMemory=1, SnapshotMemory=1, **properties)
    run.UpdatePipeline(0.2)
    expect_same_at([0.15, 0.05, 0.1], run, expected)
    return expected[0.1]


def each_replays_and_differs(make, kinds):
    seen = [everything(make(), 0.1)]
    for properties in kinds:
        shown = replays_without_kept_frames(make, **properties)
        for other in seen:
            check(differences(shown, other), f"{properties} makes no difference")
        seen.append(shown)


def changes_no_bit(make, kinds, *names):
    """But for the given texts, such as that of the device, which contains the number of threads."""
    expected = everything(make(), 0.2)
    for properties in kinds:
        got = everything(make(**properties), 0.2)
        for each in (got, expected):
            for port in each.values():
                for kind in ("field", "row"):
                    for name in names:
                        port.pop((kind, name), None)
        expect_same(got, expected, str(properties))


def two_at_once(make, other):
    """`other` is a run of another scene."""
    run, expected = make(), at_times(make(), [0.05, 0.1])
    expect_same_at([0.1], run, expected)
    first = everything(other, 0.1)
    check(differences(first, expected[0.1]), "the other scene is the same")
    expect_same_at([0.05], run, expected)
    expect_same_at([0.1], other, {0.1: first})


def frames_outlive(run):
    data, more = fetch(run, 0, 0.1), fetch(run, 1)
    before = arrays(data)
    run.UpdatePipeline(0.2)
    simple.Delete(run)
    del run
    expect_same({0: arrays(data)}, {0: before})
    check(more.GetNumberOfPoints() > 0)


def panel_follows(run):
    # The value in the panel; the Python property TimeReached asks the server each time.
    shown = run.SMProxy.GetProperty("TimeReached")
    for t in (0.05, 0.2):
        run.UpdatePipeline(t)
        check(abs(shown.GetElement(0) - t) < 1e-9, f"at {t} s the panel shows {shown.GetElement(0)} s")


def in_slices(run, end, most=1000):
    """The times that a monitored run shows until it has reached its end."""
    seen = []
    while len(seen) < most:
        run.UpdatePipeline(end)
        seen.append(time_of(kept(run)))
        if seen[-1] == end:
            break
        run.GetClientSideObject().Modified()
    return seen


def monitor_shows_slices(make, end):
    """The run is long compared with a slice, so that a fast machine also needs several."""
    run = make(EndTime=end, OutputInterval=end, Monitor=1, MonitorInterval=0.05)
    seen = in_slices(run, end)
    check(len(seen) > 2 and seen == sorted(seen) and seen[-1] == end, str(seen))
    run.Monitor = 0
    expect_same(everything(make(EndTime=end, OutputInterval=end), end), everything(run, end), "a monitored run has other bits")


def interrupted(run, time):
    """Stops at the second text of progress. The texts, the output then and its time."""
    texts = []

    def stop(algorithm):
        texts.extend(t for t in [algorithm.GetProgressText()] if t)
        if len(texts) > 1:
            algorithm.SetAbortExecute(1)

    with progress(run, stop):
        run.UpdatePipeline(time)
    return texts, kept(run), time_of(kept(run))


def another_end_goes_on(make, before, end):
    """From `before`, which it has reached, to another end; then to an earlier one."""
    run = make(EndTime=before)
    expect_same(everything(run, before), everything(make(), before))
    texts = []
    with progress(run, lambda algorithm: texts.append(algorithm.GetProgressText() or "")):
        run.EndTime = end
        run.UpdatePipelineInformation()
        check(abs(run.TimestepValues[-1] - end) < 1e-12)
        expect_same(everything(run, end), everything(make(EndTime=end), end))
    began = [float(t.split("t=")[1].split()[0]) for t in texts if "t=" in t]
    # The first text is the last one of the earlier request.
    check(not began or min(began) > 0.9 * before - 1e-9, f"the run began anew: {began[:3]}")
    run.EndTime = 0.05
    expect_same(everything(run, 0.05), everything(make(), 0.05))
    return run, began


def starts_from_another(first, make):
    """`make` makes a run of the given input. Arrays of both at the common time."""
    first.UpdatePipeline(0.2)
    start = everything(make(simple.ForceTime(Input=first, ForcedTime=0.2)), 0.0)[0]
    end = everything(first, 0.2)[0]
    check(numpy.array_equal(start["points"], end["points"]) and numpy.array_equal(start["point", "Velocity"], end["point", "Velocity"]))
    return start, end
