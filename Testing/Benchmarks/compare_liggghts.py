#!/usr/bin/env python3
"""The solver against LIGGGHTS on the same bed, law and cores, in alternating runs.

    python3 Testing/Benchmarks/compare_liggghts.py --bench build-bench/bin/paragrain-bench

paragrain-bench settles the bed of its case `settled` and exports it; LIGGGHTS (Debian package liggghts) reads the same
positions and velocities. Both run Hertz-Mindlin with tangential history, six plane walls, gravity, the same time step, and
rebuild their neighbour lists when something moved far enough (--rebuild K: both every K steps). LIGGGHTS runs with the fastest
of a few skins. What is printed are steps/s of each run and the median of the ratios of neighbouring runs: on a shared machine
only ratios mean something. Where others compete for the cores, the ratio of processor time on one core is the one to read: it
leaves out the time spent waiting for a core (with more cores LIGGGHTS spins while it waits for messages, which counts as work).
"""
import argparse
import json
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
REQUIRED = 1.0


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=str(ROOT / "build-bench/bin/paragrain-bench"), help="the paragrain-bench to time")
    p.add_argument("--particles", type=int, default=100000)
    p.add_argument("--steps", type=int, default=300, help="timed steps a run")
    p.add_argument("--warm", type=int, default=300, help="steps before them, in each run")
    p.add_argument("--rounds", type=int, default=5, help="pairs of runs for each number of cores")
    p.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    p.add_argument("--skins", type=float, nargs="+", default=[0.05, 0.1, 0.2], help="LIGGGHTS skins to try, diameters")
    p.add_argument("--rebuild", type=int, default=0, help="rebuild lists every K steps in both (default: when needed)")
    p.add_argument("--bed", help="a bed exported before; made there when it is missing")
    p.add_argument("--json", help="write the figures here")
    p.add_argument("--require", action="store_true", help=f"exit 1 when a ratio is below {REQUIRED:g}")
    return p.parse_args()


class Bed:
    """An exported bed, and the LIGGGHTS input made from it."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        scene = json.loads(path.read_text())
        grain, particles = scene["materials"][0], scene["particles"]
        radius, positions = particles["radius"], particles["position"]
        self.diameter = 2 * radius
        lower, upper = scene["domain"]["lower"], scene["domain"]["upper"]
        lines = ["A settled bed", "", f"{len(positions)} atoms", "1 atom types", ""]
        # a little wider than the walls: a grain pressed into a wall must not leave the box
        lines += [f"{lower[k] - radius!r} {upper[k] + radius!r} {a}lo {a}hi" for k, a in enumerate("xyz")]
        lines += ["", "Atoms", ""]
        lines += [f"{i} 1 {self.diameter!r} {grain['density']!r} {x!r} {y!r} {z!r}" for i, (x, y, z) in enumerate(positions, 1)]
        lines += ["", "Velocities", ""]
        lines += ["%d %r %r %r %r %r %r" % (i, *v, *w)
                  for i, (v, w) in enumerate(zip(particles["velocity"], particles["angular_velocity"]), 1)]
        (folder / "bed.data").write_text("\n".join(lines) + "\n")
        gravity = scene["gravity"]
        size = sum(g * g for g in gravity) ** 0.5
        history = "tangential history" if scene["contact_model"]["tangential_history"] else "tangential no_history"
        self.physics = "\n".join(
            [f"fix m1 all property/global youngsModulus peratomtype {grain['youngs_modulus']!r}",
             f"fix m2 all property/global poissonsRatio peratomtype {grain['poissons_ratio']!r}",
             f"fix m3 all property/global coefficientRestitution peratomtypepair 1 {grain['restitution']!r}",
             f"fix m4 all property/global coefficientFriction peratomtypepair 1 {grain['friction']!r}",
             f"pair_style gran model hertz {history}",
             "pair_coeff * *",
             f"timestep {scene['time_step']!r}",
             f"fix fall all gravity {size!r} vector " + " ".join(repr(g) for g in gravity)] +
            [f"fix wall_{a}{side} all wall/gran model hertz {history} primitive type 1 {a}plane {at[k]!r}"
             for k, a in enumerate("xyz") for side, at in (("lo", lower), ("hi", upper))])

    def input(self, cores, skin, warm, steps, rebuild):
        """The bed is flat and square: split it along x and y."""
        y = max(d for d in range(1, cores + 1) if cores % d == 0 and d * d <= cores)
        lists = f"every {rebuild} check no" if rebuild else "every 1 check yes"
        text = f"""atom_style granular
atom_modify map array
boundary f f f
newton off
communicate single vel yes
units si
processors {cores // y} {y} 1
read_data bed.data
neighbor {skin * self.diameter!r} bin
neigh_modify delay 0 {lists}
{self.physics}
fix move all nve/sphere
compute touching all contact/atom
compute contacts all reduce sum c_touching
thermo_style custom step atoms c_contacts
thermo {max(warm, steps)}
thermo_modify lost error norm no
run {warm}
run {steps}
"""
        (self.folder / "in.bed").write_text(text)


def run(command, **options):
    """The output of a command and the processor time it took, s."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def liggghts(bed, cores, skin, a, steps=None):
    warm, steps = (0, steps) if steps else (a.warm, a.steps)
    bed.input(cores, skin, warm, steps, a.rebuild)
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    command = ["liggghts", "-in", "in.bed"]
    if cores > 1:
        command = ["mpirun", "-np", str(cores), "--bind-to", "none"] + command
        if os.geteuid() == 0:
            environment.update(OMPI_ALLOW_RUN_AS_ROOT="1", OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1")
    text, cpu = run(command, cwd=bed.folder, env=environment)
    loop = re.findall(r"Loop time of (\S+) on (\d+) procs for (\d+) steps with (\d+) atoms", text)[-1]
    assert int(loop[1]) == cores and int(loop[2]) == steps, loop
    contacts = float(re.findall(r"^\s*\d+\s+\d+\s+(\S+)\s*$", text, re.M)[-1])
    return {"steps_per_second": steps / float(loop[0]), "cpu_seconds": cpu, "contacts": contacts / int(loop[3]),
            "builds": int(re.findall(r"Neighbor list builds = (\d+)", text)[-1])}


def paragrain(bed, cores, a, steps=None):
    warm, steps = (0, steps) if steps else (a.warm, a.steps)
    out = bed.folder / "paragrain.json"
    _, cpu = run([a.bench, "--scene", bed.path, "--device", "cpu", "--threads", str(cores), "--warm", str(warm), "--steps", str(steps),
                  "--rebuild", str(a.rebuild), "--json", out])
    j = json.loads(out.read_text())
    return {"steps_per_second": j["steps_per_second"], "cpu_seconds": cpu, "contacts": j["pair_contacts_per_particle"],
            "builds": round(steps / j["steps_per_rebuild"])}


def main():
    a = arguments()
    a.bench = os.path.abspath(a.bench)
    if not shutil.which("liggghts"):
        print("SKIPPED: liggghts is not installed (apt-get install liggghts)")
        return 0
    if not os.path.exists(a.bench):
        sys.exit(f"{a.bench} is missing: build it (./dev bench) or give --bench")
    cores_here = len(os.sched_getaffinity(0))
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        path = pathlib.Path(a.bed).resolve() if a.bed else folder / "bed.dem"
        if not path.exists():
            print(f"settling {a.particles} grains ...", flush=True)
            run([a.bench, "--particles", str(a.particles), "--device", "cpu", "--export", path])
        bed = Bed(path, folder)
        results, worst = [], None
        for cores in a.cores:
            if cores > cores_here:
                print(f"SKIPPED: {cores} cores, there are {cores_here}")
                continue
            tried = {skin: liggghts(bed, cores, skin, a)["steps_per_second"] for skin in a.skins}
            skin = max(tried, key=tried.get)
            print(f"\n{cores} core{'s' * (cores > 1)}; LIGGGHTS by skin (diameters): " +
                  ", ".join(f"{s:g}: {rate:.1f} steps/s" for s, rate in tried.items()))
            # processor time of reading, setting up and a first step (and of the probe of paragrain-bench), taken off below
            starts = paragrain(bed, cores, a, 1)["cpu_seconds"], liggghts(bed, cores, skin, a, 1)["cpu_seconds"]
            more = a.warm + a.steps - 1
            print("  run   ParaGrain    LIGGGHTS    ratio   ratio of cpu time   contacts a particle (pairs)   list builds")
            rounds = []
            for k in range(a.rounds):
                ours, theirs = paragrain(bed, cores, a), liggghts(bed, cores, skin, a)
                ratio = ours["steps_per_second"] / theirs["steps_per_second"]
                cpu = [more / (each["cpu_seconds"] - start) for each, start in zip((ours, theirs), starts)]
                rounds.append({"paragrain": ours, "liggghts": theirs, "ratio": ratio, "cpu_ratio": cpu[0] / cpu[1]})
                print(f"  {k + 1:3d}   {ours['steps_per_second']:7.2f}/s   {theirs['steps_per_second']:7.2f}/s   {ratio:6.3f}      {cpu[0] / cpu[1]:6.3f}           "
                      f"{ours['contacts']:8.3f} {theirs['contacts']:8.3f}          {ours['builds']:6d} {theirs['builds']:6d}", flush=True)
                if abs(ours["contacts"] / theirs["contacts"] - 1) > 0.05:
                    sys.exit("the two beds differ: contacts a particle are more than 5 % apart")
            median = statistics.median(r["ratio"] for r in rounds)
            worst = median if worst is None else min(worst, median)
            print(f"  median ratio {median:.3f} ({min(r['ratio'] for r in rounds):.3f} to {max(r['ratio'] for r in rounds):.3f}), "
                  f"of cpu time {statistics.median(r['cpu_ratio'] for r in rounds):.3f}, "
                  f"required {REQUIRED:g}: {'met' if median >= REQUIRED else 'NOT MET'}")
            results.append({"cores": cores, "skin": skin, "rounds": rounds, "median_ratio": median})
        if a.json:
            pathlib.Path(a.json).write_text(json.dumps({"options": vars(a), "results": results}, indent=2) + "\n")
    return 1 if a.require and worst is not None and worst < REQUIRED else 0


if __name__ == "__main__":
    sys.exit(main())
