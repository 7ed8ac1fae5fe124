"""What ParaView adds to the bare solver, on the CPU.

    PV_PLUGIN_PATH=build/lib/paraview-5.11/plugins pvpython Testing/Benchmarks/time_pvpython.py --bench build-bench/bin/paragrain-bench

1. The settled bed of paragrain-bench (100,000 grains) as a case, 100 steps a frame, default arrays: the time of a frame that is not
   spent in steps, as a share of the steps. Both are taken in one process from the same frames, so that other work on the machine
   weighs on both. Beside it, alternating with paragrain-bench on the same file, the processor time of 100 steps.
2. One million grains with Radius and Velocity alone: a request with the state in place to filled VTK arrays.
"""
import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

from paraview import simple

ROOT = pathlib.Path(__file__).resolve().parents[2]
ALLOWED = 0.05


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=str(ROOT / "build-bench/bin/paragrain-bench"), help="the paragrain-bench to compare with")
    p.add_argument("--particles", type=int, default=100000)
    p.add_argument("--bed", help="a bed exported by paragrain-bench before; made there when it is missing")
    p.add_argument("--frames", type=int, default=3, help="timed frames a round")
    p.add_argument("--rounds", type=int, default=3, help="alternations with paragrain-bench")
    p.add_argument("--threads", type=int, default=1)
    p.add_argument("--large", type=int, default=1000000, help="grains of the second part; 0 leaves it out")
    p.add_argument("--json", help="write the figures here")
    p.add_argument("--require", action="store_true", help=f"exit 1 when the overhead is above {100 * ALLOWED:g} %%")
    return p.parse_args()


def field(source, name):
    data = source.GetClientSideObject().GetOutputDataObject(0)
    return data.GetFieldData().GetArray(name).GetTuple1(0)


def frame(source, at):
    """Seconds of a request, of the steps in it, and of the processor."""
    before, processor = time.perf_counter(), time.process_time()
    source.UpdatePipeline(at)
    whole, processor = time.perf_counter() - before, time.process_time() - processor
    return whole, processor, field(source, "Step"), field(source, "StepsPerSecond")


def bench(a, bed, steps, folder):
    out = folder / "bench.json"
    subprocess.run([a.bench, "--scene", bed, "--device", "cpu", "--threads", str(a.threads), "--rebuild", "0", "--warm", "100",
                    "--steps", str(steps), "--json", out], check=True, stdout=subprocess.DEVNULL)
    j = json.loads(out.read_text())
    return j["cpu_seconds"] / steps


def overhead(a, bed, folder):
    scene = json.loads(bed.read_text())
    interval = scene["output_interval"]
    source = simple.DEMCaseReader(FileName=str(bed), Device="CPU", Threads=a.threads)
    frame(source, 0)
    _, _, step, _ = frame(source, interval)
    source.UpdatePropertyInformation()
    print(f"{len(scene['particles']['position'])} grains, {step:.0f} steps a frame, {source.DeviceInUse}")
    print("  round   a frame   of it steps   overhead   processor time a step: ParaView, paragrain-bench, ratio")
    shares, ratios, at = [], [], 1
    for k in range(a.rounds):
        whole = steps = processor = 0
        for _ in range(a.frames):
            at += 1
            t, cpu, now, rate = frame(source, at * interval)
            whole, processor, steps, step, done = whole + t, processor + cpu, steps + (now - step) / rate, now, now - step
        bare = bench(a, bed, int(a.frames * done), folder)
        shares.append(whole / steps - 1)
        ratios.append(processor / (a.frames * done) / bare)
        print(f"  {k + 1:5d}   {whole / a.frames:6.3f} s     {steps / a.frames:6.3f} s    {100 * shares[-1]:6.2f} %   "
              f"{1e3 * processor / (a.frames * done):8.2f} ms {1e3 * bare:8.2f} ms   {ratios[-1]:.3f}", flush=True)
    share = statistics.median(shares)
    print(f"  median overhead {100 * share:.2f} %, allowed {100 * ALLOWED:g} %: {'met' if share <= ALLOWED else 'NOT MET'}; "
          f"median ratio of processor time {statistics.median(ratios):.3f}")
    simple.Delete(source)
    return {"overhead": share, "rounds": shares, "processor_ratio": statistics.median(ratios)}


def large_frame(a):
    side = round(a.large ** (1 / 3))
    pitch, dt = 0.0101, 1e-5
    packing = simple.DEMPacking(Arrangement="Lattice", LowerCorner=[0, 0, 0], Size=[side * pitch * 1.0001] * 3, Spacing=pitch,
                                RadiusDistribution="Single", Radius=0.005)
    source = simple.DEMSimulation(Particles=packing, Device="CPU", TimeStep=dt, OutputInterval=dt, EndTime=20 * dt, SnapshotMemory=1,
                                  ParticleArrays=["Velocity"], ContactArrays=[])
    frame(source, 0)
    times = []
    for k in range(1, 12):
        whole, _, step, rate = frame(source, k * dt)
        times.append(1e3 * (whole - 1 / rate))
    data = source.GetClientSideObject().GetOutputDataObject(0)
    n = data.GetNumberOfPoints()
    median = statistics.median(times)
    names = ", ".join(data.GetPointData().GetArrayName(i) for i in range(data.GetPointData().GetNumberOfArrays()))
    print(f"{n} grains, points, {names}: {median:.1f} ms a frame beside the step ({min(times):.1f} to {max(times):.1f})")
    return {"particles": n, "milliseconds": median, "least": min(times)}


def main():
    a = arguments()
    a.bench = os.path.abspath(a.bench)
    if not hasattr(simple, "DEMCaseReader"):
        sys.exit("The plugin is not loaded: set PV_PLUGIN_PATH to the folder that holds ParaGrain/ParaGrain.so")
    results = {}
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        bed = pathlib.Path(a.bed).resolve() if a.bed else folder / "bed.dem"
        if not bed.exists():
            print(f"settling {a.particles} grains ...", flush=True)
            subprocess.run([a.bench, "--particles", str(a.particles), "--device", "cpu", "--export", bed], check=True)
        results["overhead"] = overhead(a, bed, folder)
        if a.large:
            results["frame"] = large_frame(a)
    if a.json:
        pathlib.Path(a.json).write_text(json.dumps(results, indent=2) + "\n")
    return 1 if a.require and results["overhead"]["overhead"] > ALLOWED else 0


if __name__ == "__main__":
    sys.exit(main())
