"""A run that all ranks share: the same bits on one rank, two and three, forward and backward, with steering, a saved state, and the
totals of ParaView's own filters. The first run stores them, the others compare."""
import os

import numpy
from dem_testing import PORTS, WORK, Messages, arrays, check, expect_same, fetch
from parallel_testing import RANK, RANKS, judge, stored
from paraview import simple

GRAINS = 20 * 20 * 20


def scene(**properties):
    p = simple.DEMPacking(LowerCorner=[0, 0, 0.03], Size=[0.22, 0.22, 0.22], Spacing=0.011, RadiusDistribution="Uniform", MinimumRadius=0.003,
                          MaximumRadius=0.005, Velocity=[0.5, 0.2, -2])
    ball = simple.DEMWall(Input=simple.Sphere(Radius=0.05, Center=[0.11, 0.11, -0.03], ThetaResolution=16, PhiResolution=16), Motion="Rotation",
                          RotationRate=60)
    return simple.DEMSimulation(Particles=p, Walls=[ball], EndTime=0.06, OutputInterval=0.02, YoungsModulus=1e6, WallYoungsModulus=1e6,
                                Device="CPU", Threads=1, AccumulateAverages=1, AveragesDimensions=[4, 4, 4], **properties)


def totals(run):
    """ParaView's integrals over all ranks: a run must count once."""
    average = simple.DEMCellAverage(Input=run, ListOfContacts=simple.OutputPort(run, 1), Dimensions=[5, 5, 5])
    average.UpdatePipeline(0.06)
    whole = simple.IntegrateVariables(Input=average)
    whole.UpdatePipeline(0.06)
    return arrays(fetch(whole, 0))


s = scene()
results = {}
with Messages() as messages:
    for t in (0.04, 0.06, 0.02):
        s.UpdatePipeline(t)
        results[t] = {port: arrays(fetch(s, port)) for port in PORTS.values()}
    table = fetch(s, PORTS["Statistics"])
    devices = table.GetColumnByName("Devices").GetValue(0) if RANK == 0 else None
    sums = totals(s)

    file = os.path.join(WORK, f"shared{RANKS}.demcheckpoint")
    s.UpdatePipeline(0.04)
    s.CheckpointFile = file
    s.SMProxy.InvokeCommand("SaveCheckpoint")
    again = scene(RestartFile=file)
    again.UpdatePipeline(0.06)
    results["restarted"] = {port: arrays(fetch(again, port)) for port in (0, 1)}

    folder = os.path.join(WORK, f"shared_files{RANKS}")
    os.makedirs(folder, exist_ok=True)
    filed = scene(CheckpointFile=os.path.join(folder, "run.dem-checkpoint"), CheckpointInterval=0.017, CheckpointsKept=1)
    filed.UpdatePipeline(0.06)
    results["with files"] = {port: arrays(fetch(filed, port)) for port in (0, 1)}
    continued = scene(RestartFile=os.path.join(folder, "run_000003.dem-checkpoint"))
    continued.UpdatePipeline(0.06)
    results["continued"] = {port: arrays(fetch(continued, port)) for port in (0, 1)}

    steered = scene(WhenChanged="Steer")
    steered.UpdatePipeline(0.02)
    steered.Gravity = [5, 0, -9.81]
    steered.UpdatePipeline(0.06)
    results["steered"] = {port: arrays(fetch(steered, port)) for port in (0, 1)}
with Messages() as refusal:
    scene(CheckpointFile=os.path.join(WORK, "no such folder", "run.dem-checkpoint"), CheckpointInterval=0.017).UpdatePipeline(0.06)


def compare():
    check("rror" not in messages.text, messages.text)
    check(len(results[0.06][0]["points"]) == GRAINS, len(results[0.06][0]["points"]))
    check(devices == RANKS, f"{devices} devices on {RANKS} ranks")
    check(len(results[0.06][1]["points"]) > 500, len(results[0.06][1]["points"]))
    for port in (0, 1):
        expect_same({port: results["restarted"][port]}, {port: results[0.06][port]}, f"restarted, port {port}")
    for kind in ("with files", "continued"):
        for port in (0, 1):
            expect_same({port: results[kind][port]}, {port: results[0.06][port]}, f"{kind}, port {port}")
    check(os.listdir(folder) == ["run_000003.dem-checkpoint"], os.listdir(folder))
    check("no such folder" in refusal.text, "a missing folder is no error: " + refusal.text)
    check(not numpy.array_equal(results["steered"][0]["points"], results[0.06][0]["points"]), "steering")
    expected = stored("shared_run", results)
    for t, got in results.items() if expected else ():
        for port in got:
            if port not in (PORTS["Walls"], PORTS["Fluid"]):  # pieces of the ball come in another order; there is no flow
                expect_same({port: got[port]}, {port: expected[t][port]}, f"{RANKS} ranks, {t}")
    expected = stored("shared_totals", sums)
    for name in sums if expected else ():
        check(sums[name].dtype.kind in "US" or numpy.allclose(sums[name], expected[name], rtol=1e-12, atol=0), f"{name}: {sums[name]} against {expected[name]}")


judge(compare)
