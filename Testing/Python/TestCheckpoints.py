"""Checkpoint files at an interval of simulated time: names, number, and the bits of runs that continue from them; of DEM and MPM."""
import glob
import json
import os
import shutil

from dem_testing import DATA, WORK, arrays, check, differences, equal, everything, expect, fetch, main, packing, simulation
from mpm_testing import mpm
from paraview import simple
from run_testing import in_slices


FALL = dict(version=1, packings=[dict(kind="Lattice", lower=[-0.05, -0.05, 0.02], upper=[0.05, 0.05, 0.1], radius=0.005, spacing=0.02)],
            end_time=0.1, output_interval=0.01, time_step=5e-5, store_interval=0.03, stores_kept=0)
BLOCK = dict(version=1, method="MPM", end_time=0.1, output_interval=0.01, grid_spacing=0.0125,
             domain=dict(lower=[-0.125, -0.125, 0], upper=[0.125, 0.125, 0.25]), materials=[dict(name="Jelly", youngs_modulus=2e4)],
             bodies=[dict(kind="Box", lower=[-0.05, -0.05, 0.05], upper=[0.05, 0.05, 0.15])])


def case(path, name, document, **extra):
    file = os.path.join(path, name + ".dem")
    with open(file, "w", encoding="utf-8") as text:
        json.dump({**document, **extra}, text)
    return simple.DEMCaseReader(FileName=file, Device="CPU")


def fill_the_disk(path, name):
    """/dev/full takes no byte, like a full disk. The failed write removes the link: there is room again."""
    os.symlink("/dev/full", os.path.join(path, name + ".part"))


def folder(name):
    path = os.path.join(WORK, "checkpoints", name)
    shutil.rmtree(path, ignore_errors=True)
    os.makedirs(path)
    return path


def files(path):
    return sorted(os.path.basename(f) for f in glob.glob(os.path.join(path, "*")))


def files_are_written_and_continue_the_run():
    for name, make in (("dem", lambda **p: simulation(packing(), **p)), ("mpm", lambda **p: mpm(EndTime=0.2, OutputInterval=0.01, **p))):
        path = folder(name)
        plain = make()
        expected = everything(plain, 0.2)
        run = make(CheckpointFile=os.path.join(path, f"run.{name}-checkpoint"), CheckpointInterval=0.032, CheckpointsKept=0)
        check(not differences(everything(run, 0.2), expected), f"{name}: files change the result")
        wanted = [f"run_{k:06d}.{name}-checkpoint" for k in range(1, 7)]
        check(files(path) == wanted, f"{name}: {files(path)}")
        before = {f: os.path.getmtime(os.path.join(path, f)) for f in wanted}
        everything(run, 0.05)  # an earlier time, and back
        everything(run, 0.2)
        check(before == {f: os.path.getmtime(os.path.join(path, f)) for f in wanted}, "a replay writes files")
        for k in (1, 4):
            again = make(RestartFile=os.path.join(path, wanted[k - 1]))
            again.UpdatePipeline(0.2)
            check(not differences(everything(again, 0.2), expected), f"{name}: the run from file {k} differs")


def only_the_newest_are_kept():
    path = folder("kept")
    with open(os.path.join(path, "run_000001.dem-checkpoint.old"), "w", encoding="ascii") as other:
        other.write("not ours")
    run = simulation(packing(), CheckpointFile=os.path.join(path, "run.dem-checkpoint"), CheckpointInterval=0.02)
    check(run.CheckpointsKept == 2)
    run.UpdatePipeline(0.1)
    check(files(path) == ["run_000001.dem-checkpoint.old", "run_000004.dem-checkpoint", "run_000005.dem-checkpoint"], str(files(path)))
    run.CheckpointsKept = 3
    run.UpdatePipeline(0.2)
    check(files(path)[1:] == [f"run_{k:06d}.dem-checkpoint" for k in (8, 9, 10)], str(files(path)))
    run.CheckpointInterval = 0
    run.InvokeCommand("Reset")
    run.UpdatePipeline(0.1)
    check(len(files(path)) == 4, "files without an interval")


def monitored_runs_write_them():
    path = folder("monitor")
    run = simulation(packing(), Monitor=1, MonitorInterval=0.05, CheckpointFile=os.path.join(path, "run.dem-checkpoint"), CheckpointInterval=0.05,
                     CheckpointsKept=0)
    check(in_slices(run, 0.2)[-1] == 0.2)
    check(files(path) == [f"run_{k:06d}.dem-checkpoint" for k in range(1, 5)], str(files(path)))


def failures_say_what_to_do():
    run = simulation(packing(), CheckpointInterval=0.02)
    expect(lambda: run.UpdatePipeline(0.1), "Checkpoint File is empty", "Checkpoint Interval 0 writes no files")
    run.CheckpointFile = os.path.join(WORK, "no such folder", "run.dem-checkpoint")
    expect(lambda: run.UpdatePipeline(0.1), "no such folder", "does not exist")
    path = folder("full")
    run.CheckpointFile = os.path.join(path, "run.dem-checkpoint")
    fill_the_disk(path, "run_000003.dem-checkpoint")
    expect(lambda: run.UpdatePipeline(0.1), "run_000003.dem-checkpoint", "cannot be written", "MiB free", "change Checkpoint File", "go on")
    check(files(path) == ["run_000001.dem-checkpoint", "run_000002.dem-checkpoint"], str(files(path)))
    run.UpdatePipeline(0.12)
    check(not differences(everything(run, 0.12), everything(simulation(packing()), 0.12)), "the failure changed the run")
    check(files(path) == ["run_000005.dem-checkpoint", "run_000006.dem-checkpoint"], str(files(path)))


def files_of_cases_say_it_too():
    path = folder("case")

    def reader(**extra):
        return case(path, "fall", FALL, **extra)
    expected = everything(reader(), 0.1)
    check(files(path) == ["fall.dem"] + [f"fall_{k:06d}.dem-checkpoint" for k in (1, 2, 3)], str(files(path)))
    again = reader(restart="fall_000002.dem-checkpoint", store_interval=0)
    again.UpdatePipeline(0.1)
    check(not differences(everything(again, 0.1), expected), "the restarted case differs")
    # what the panel says comes first
    own = reader()
    own.CheckpointFile, own.CheckpointInterval = os.path.join(path, "own.dem-checkpoint"), 0.05
    own.UpdatePipeline(0.1)
    check("own_000002.dem-checkpoint" in files(path), str(files(path)))
    missing = reader(restart="gone.dem-checkpoint")
    expect(lambda: missing.UpdatePipeline(0.1), "gone.dem-checkpoint")
    for key, value in (("store_interval", -1), ("stores_kept", -1), ("restart", "")):
        expect(lambda: reader(**{key: value}).UpdatePipeline(0.1), key)  # noqa: B023


def the_panel_overrules_a_case():
    path = folder("overruled")
    run = case(path, "fall", FALL)
    check(run.CheckpointInterval == -1 and run.CheckpointsKept == -1, "the defaults of the reader")
    run.CheckpointInterval = 0
    run.UpdatePipeline(0.1)
    check(files(path) == ["fall.dem"], str(files(path)))
    run.CheckpointInterval, run.CheckpointsKept = -1, 1  # the interval of the file
    run.InvokeCommand("Reset")
    run.UpdatePipeline(0.1)
    check(files(path) == ["fall.dem", "fall_000003.dem-checkpoint"], str(files(path)))


def another_name_cures_a_case():
    path = folder("cured")
    run = case(path, "fall", FALL)
    fill_the_disk(path, "fall_000003.dem-checkpoint")
    expect(lambda: run.UpdatePipeline(0.1), "fall_000003.dem-checkpoint", "cannot be written")
    run.CheckpointFile = os.path.join(path, "other.dem-checkpoint")
    run.UpdatePipeline(0.1)  # the same time again
    check("other_000003.dem-checkpoint" in files(path), str(files(path)))
    check(not differences(everything(run, 0.1), everything(case(folder("plain"), "fall", FALL), 0.1)), "the failure changed the run")


def the_settings_of_a_case_end_with_it():
    path = folder("methods")
    case(path, "fall", FALL).UpdatePipeline(0.1)
    run = case(path, "again", FALL, restart="fall_000002.dem-checkpoint")
    run.UpdatePipeline(0.1)
    wanted = everything(case(folder("alone"), "block", BLOCK), 0.1)
    case(path, "block", BLOCK)
    before = files(path)
    run.FileName = os.path.join(path, "block.dem")
    run.UpdatePipeline(0.1)
    check(equal(arrays(fetch(run))["points"], wanted[0]["points"]) and len(wanted[0]["points"]) > 1000, "another run")
    check(files(path) == before, f"the run of the second file wrote {set(files(path)) - set(before)}")


def a_restart_file_stays():
    path = folder("restarted")
    run = simulation(packing(), CheckpointFile=os.path.join(path, "run.dem-checkpoint"), CheckpointInterval=0.02, CheckpointsKept=1)
    run.UpdatePipeline(0.1)
    check(files(path) == ["run_000005.dem-checkpoint"], str(files(path)))
    run.RestartFile = os.path.join(path, "run_000005.dem-checkpoint")
    run.UpdatePipeline(0.2)
    check(files(path) == ["run_000005.dem-checkpoint", "run_000010.dem-checkpoint"], str(files(path)))
    run.InvokeCommand("Reset")  # the file is still there to start from
    run.UpdatePipeline(0.18)
    check("run_000005.dem-checkpoint" in files(path), str(files(path)))


def a_change_needs_no_room():
    def steered(**properties):
        return simulation(packing(), WhenChanged="Steer", **properties)
    path = folder("steered")
    run = steered(CheckpointFile=os.path.join(path, "run.dem-checkpoint"), CheckpointInterval=0.05)
    for _ in range(2):  # before the change, and after it
        fill_the_disk(path, "run_000002.dem-checkpoint")
        expect(lambda: run.UpdatePipeline(0.2), "run_000002.dem-checkpoint", "cannot be written")
        run.UpdatePropertyInformation()
        check(abs(run.TimeReached - 0.1) < 1e-9, f"the run stands at {run.TimeReached} s")
        run.Gravity = [0, 0, -1]
    plain = steered()
    plain.UpdatePipeline(0.0)  # nothing later was shown, so the change is one of the start
    plain.Gravity = [0, 0, -1]
    check(not differences(everything(run, 0.19), everything(plain, 0.19)), "the change is not that of a run without files")
    check("run_000003.dem-checkpoint" in files(path), str(files(path)))


def intervals_below_a_step_are_refused():
    path = folder("short")
    for name, make in (("dem", lambda **p: simulation(packing(), **p)), ("mpm", lambda **p: mpm(EndTime=0.2, OutputInterval=0.01, **p))):
        for interval in (1e-300, 1e-9):
            run = make(CheckpointFile=os.path.join(path, f"{name}.{name}-checkpoint"), CheckpointInterval=interval)
            expect(lambda: run.UpdatePipeline(0.05), "Checkpoint Interval", "shorter than the time step")  # noqa: B023
        run.CheckpointInterval = 0.04
        run.UpdatePipeline(0.05)
        check(files(path)[-1] == f"{name}_000001.{name}-checkpoint", str(files(path)))
        run.CheckpointInterval = 1e-9
        expect(lambda: run.UpdatePipeline(0.06), "shorter than the time step")  # noqa: B023
    expect(lambda: case(path, "fall", FALL, store_interval=1e-9).UpdatePipeline(0.05), "store_interval", "5e-05 s")


def ready_cases_say_nothing():
    reader = simple.DEMCaseReader(FileName=os.path.join(DATA, "Cases", "mixer.dem"), Device="CPU")
    reader.UpdatePipeline(0.0)
    check(fetch(reader).GetNumberOfPoints() == 3000)


main(files_are_written_and_continue_the_run, only_the_newest_are_kept, monitored_runs_write_them, failures_say_what_to_do, files_of_cases_say_it_too,
     the_panel_overrules_a_case, another_name_cures_a_case, the_settings_of_a_case_end_with_it, a_restart_file_stays, a_change_needs_no_room,
     intervals_below_a_step_are_refused, ready_cases_say_nothing)
