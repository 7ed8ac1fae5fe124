#!/usr/bin/env python3
"""The solver against LIGGGHTS and LAMMPS on the same bed, law and cores, in runs that take turns.

    python3 Testing/Benchmarks/compare_dem_codes.py --bench build-bench/bin/paragrain-bench [--against lammps] [--require]

paragrain-bench settles the bed of its case `settled` and exports it; the others (Debian packages liggghts and lammps) read the same
positions and velocities. All run Hertz-Mindlin, six plane walls, gravity, the same time step, and rebuild their neighbour lists
when something moved far enough (--rebuild K: all every K steps). The others run with the fastest of a few skins. What is printed
are steps/s of each run and the median of the ratios of neighbouring runs: on a shared machine only ratios mean something. Where
others compete for the cores, the ratio of processor time on one core is the one to read: it leaves out the time spent waiting for
a core (with more cores the others spin while they wait for messages, which counts as work).

The laws, E and nu of the material, e its restitution:
  LIGGGHTS  `gran model hertz tangential history`: the same terms.
  LAMMPS    `granular hertz/material ... tangential mindlin ... damping tsuji` for pairs and walls: the same elastic terms
            (4/3 E* sqrt(R* d) d and 8 G* sqrt(R* d) xi), the same cap (mu |Fn|). Its damping of alpha sqrt(m* 4/3 E* sqrt(R* d)) takes alpha
            from a polynomial in e that was fitted for the mass of one sphere, not for m* (Tsuji 1992; Thornton 2013): with e = 0.5
            given, spheres rebound with 0.62. So it is given the e at which the polynomial is sqrt(5) |ln e| / sqrt(pi^2 + ln^2 e), the
            closed form (Antypov and Elliott 2011) that ParaGrain and LIGGGHTS use, and the tangential share sqrt(2 (1 - nu) / (2 - nu)) that
            makes the damping theirs. Its walls divide E by 2 (1 - nu) where pairs divide by 2 (1 - nu^2); they are given E / (1 + nu).
            (Both seen in single forces of LAMMPS 29 Sep 2021, which --check-law measures again.) What differs: LAMMPS and LIGGGHTS add a whole step to the spring where ParaGrain takes the
            trapezoidal rule, and orientation is integrated by ParaGrain only. All compute in double; ParaGrain as the bed says, mixed
            unless exported with --precision double.
"""
import argparse
import json
import math
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
REQUIRED = 2.0
PROGRAMS = {"liggghts": "liggghts", "lammps": "lmp"}
NAMES = {"liggghts": "LIGGGHTS", "lammps": "LAMMPS"}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=str(ROOT / "build-bench/bin/paragrain-bench"), help="the paragrain-bench to time")
    p.add_argument("--particles", type=int, default=100000)
    p.add_argument("--steps", type=int, default=300, help="timed steps a run")
    p.add_argument("--warm", type=int, default=300, help="steps before them, in each run")
    p.add_argument("--rounds", type=int, default=5, help="pairs of runs for each number of cores")
    p.add_argument("--cores", type=int, nargs="+", default=[1, 2])
    p.add_argument("--skins", type=float, nargs="+", default=[0.05, 0.1, 0.2], help="skins the others try, diameters")
    p.add_argument("--against", nargs="+", choices=["liggghts", "lammps"], default=["liggghts", "lammps"])
    p.add_argument("--rebuild", type=int, default=0, help="rebuild lists every K steps in all (default: when needed)")
    p.add_argument("--bed", help="a bed exported before; made there when it is missing")
    p.add_argument("--json", help="write the figures here")
    p.add_argument("--check-law", action="store_true", help="only measure single forces of LAMMPS against closed forms")
    p.add_argument("--require", action="store_true", help=f"exit 1 when a ratio is below {REQUIRED:g}")
    return p.parse_args()


class Bed:
    """An exported bed, and the inputs of the other codes made from it."""

    def __init__(self, path, folder):
        self.path, self.folder = path, folder
        self.scene = scene = json.loads(path.read_text())
        grain, particles = scene["materials"][0], scene["particles"]
        radius, positions = particles["radius"], particles["position"]
        if isinstance(radius, list):
            if len(set(radius)) != 1:
                sys.exit("the bed must be of one radius")
            radius = radius[0]
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
        self.sides = [(a, lower[k], upper[k]) for k, a in enumerate("xyz")]

    def liggghts(self):
        """Its law, walls and contact count."""
        grain = self.scene["materials"][0]
        history = "tangential history" if self.scene["contact_model"]["tangential_history"] else "tangential no_history"
        return [f"fix m1 all property/global youngsModulus peratomtype {grain['youngs_modulus']!r}",
                f"fix m2 all property/global poissonsRatio peratomtype {grain['poissons_ratio']!r}",
                f"fix m3 all property/global coefficientRestitution peratomtypepair 1 {grain['restitution']!r}",
                f"fix m4 all property/global coefficientFriction peratomtypepair 1 {grain['friction']!r}",
                f"pair_style gran model hertz {history}", "pair_coeff * *"] + \
               [f"fix wall_{a}{side} all wall/gran model hertz {history} primitive type 1 {a}plane {at!r}"
                for a, lower, upper in self.sides for side, at in (("lo", lower), ("hi", upper))]

    def lammps(self):
        grain = self.scene["materials"][0]
        young, nu, friction = grain["youngs_modulus"], grain["poissons_ratio"], grain["friction"]
        share = math.sqrt(2 * (1 - nu) / (2 - nu))
        if self.scene["contact_model"]["tangential_history"]:
            tangential = f"mindlin {2 * young / ((2 - nu) * (1 + nu))!r} {share!r} {friction!r}"  # 8 G*
        else:
            tangential = f"linear_nohistory {share!r} {friction!r}"
        law, wall = (f"hertz/material {E!r} {tsuji(grain['restitution'])!r} {nu!r} tangential {tangential} damping tsuji"
                     for E in (young, young / (1 + nu)))
        return ["pair_style granular", f"pair_coeff * * {law}"] + \
               [f"fix wall_{a} all wall/gran granular {wall} {a}plane {lower!r} {upper!r}" for a, lower, upper in self.sides]

    def input(self, code, cores, skin, warm, steps, rebuild):
        """The bed is flat and square: split it along x and y."""
        y = max(d for d in range(1, cores + 1) if cores % d == 0 and d * d <= cores)
        lists = f"every {rebuild} check no" if rebuild else "every 1 check yes"
        law = "\n".join(getattr(self, code)())
        gravity = self.scene["gravity"]
        text = f"""atom_style {"sphere" if code == "lammps" else "granular"}
atom_modify map array
boundary f f f
newton off
{"comm_modify" if code == "lammps" else "communicate single"} vel yes
units si
processors {cores // y} {y} 1
read_data bed.data
neighbor {skin * self.diameter!r} bin
neigh_modify delay 0 {lists}
{law}
timestep {self.scene['time_step']!r}
fix fall all gravity {math.hypot(*gravity)!r} vector {" ".join(map(repr, gravity))}
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


def tsuji(restitution):
    """What LAMMPS must be told so that its damping has this coefficient of restitution: see above."""
    wanted = math.sqrt(5) * abs(math.log(restitution)) / math.hypot(math.pi, math.log(restitution))
    low, high = 0.0, 1.0  # the polynomial falls from 1.27 to 0
    for _ in range(60):
        e = (low + high) / 2
        alpha = 1.2728 + e * (-4.2783 + e * (11.087 + e * (-22.348 + e * (27.467 + e * (-18.022 + e * 4.8218)))))
        low, high = (e, high) if alpha > wanted else (low, e)
    return e


def run(command, **options):
    """The output of a command and the processor time it took, s."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout[-3000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def other(code, bed, cores, skin, a, steps=None):
    warm, steps = (0, steps) if steps else (a.warm, a.steps)
    bed.input(code, cores, skin, warm, steps, a.rebuild)
    environment = dict(os.environ, OMP_NUM_THREADS="1")
    command = [PROGRAMS[code], "-in", "in.bed"]
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


def check_law(bed):
    """Largest relative error of LAMMPS's forces on one grain that overlaps another, and a wall, at rest and moving along and across the
    contact, against the closed forms of Hertz, Mindlin and the damping above."""
    grain, r, overlap, speed, worst = bed.scene["materials"][0], bed.diameter / 2, 0.0025 * bed.diameter, 0.01, 0.0
    young, nu, mass = grain["youngs_modulus"], grain["poissons_ratio"], grain["density"] * 4 / 3 * math.pi * r ** 3
    log = math.log(grain["restitution"])
    pair_law, wall_law = bed.lammps()[1], bed.lammps()[2].split("granular ")[1].split(" xplane")[0]
    for radius, m, at, more in ((r / 2, mass / 2, 2 * r - overlap, "create_atoms 1 single 0 0 0"),
                                (r, mass, 5 * r + overlap, f"fix wall all wall/gran granular {wall_law} xplane {-6 * r!r} {6 * r!r}")):
        a, sign = math.sqrt(radius * overlap), 1 if m < mass else -1  # the force on grain 1 points away from the other, from the wall
        normal, tangential = young / (1 - nu * nu) * a, 2 * young / ((2 - nu) * (1 + nu)) * a
        elastic, damping = 2 / 3 * normal * overlap, 2 * math.sqrt(5 / 6) * -log / math.hypot(math.pi, log)
        step = 1e-4  # s: nothing is integrated, so grains stay where they are, but the tangential spring grows by one step
        wanted = {(0, 0): sign * elastic, (-sign * speed, 0): sign * (elastic + damping * math.sqrt(normal * m) * speed),
                  (0, 1e-3 * speed): -1e-3 * speed * (damping * math.sqrt(tangential * m) + tangential * step)}
        for (along, across), force in wanted.items():
            text = f"""atom_style sphere
atom_modify map array
boundary f f f
newton off
comm_modify vel yes
units si
region all block {-9 * r!r} {9 * r!r} {-9 * r!r} {9 * r!r} {-9 * r!r} {9 * r!r}
create_box 1 all
create_atoms 1 single {at!r} 0 0
{more if m < mass else ""}
set group all diameter {2 * r!r} density {grain['density']!r}
set atom 1 vx {along!r} vy {across!r}
pair_style granular
{pair_law}
timestep {step!r}
{"" if m < mass else more}
variable f equal {"fy" if across else "fx"}[1]
thermo_style custom step v_f
thermo_modify format float %.9e
run {1 if across else 0}
"""
            (bed.folder / "in.law").write_text(text)
            out, _ = run([PROGRAMS["lammps"], "-in", "in.law"], cwd=bed.folder)
            found = float(re.findall(r"^\s*[01]\s+(\S+)\s*$", out, re.M)[-1])
            print(f"  {'pair' if m < mass else 'wall'}, moving {along:g}, {across:g} m/s: {found:.6g} N, closed form {force:.6g} N")
            worst = max(worst, abs(found / force - 1))
    return worst


def compare(bed, code, cores, a):
    """Rounds of one run of each, after the other's best skin was found."""
    tried = {skin: other(code, bed, cores, skin, a)["steps_per_second"] for skin in a.skins}
    skin = max(tried, key=tried.get)
    print(f"\n{cores} core{'s' * (cores > 1)}; {NAMES[code]} by skin (diameters): " +
          ", ".join(f"{s:g}: {rate:.1f} steps/s" for s, rate in tried.items()))
    # processor time of reading, setting up and a first step, taken off below
    starts = paragrain(bed, cores, a, 1)["cpu_seconds"], other(code, bed, cores, skin, a, 1)["cpu_seconds"]
    more = a.warm + a.steps - 1
    print(f"  run   ParaGrain   {NAMES[code]:>9s}    ratio   ratio of cpu time   contacts a particle (pairs)   list builds")
    rounds = []
    for k in range(a.rounds):
        ours, theirs = paragrain(bed, cores, a), other(code, bed, cores, skin, a)
        ratio = ours["steps_per_second"] / theirs["steps_per_second"]
        cpu = [more / (each["cpu_seconds"] - start) for each, start in zip((ours, theirs), starts)]
        rounds.append({"paragrain": ours, code: theirs, "ratio": ratio, "cpu_ratio": cpu[0] / cpu[1]})
        print(f"  {k + 1:3d}   {ours['steps_per_second']:7.2f}/s   {theirs['steps_per_second']:7.2f}/s   {ratio:6.3f}      {cpu[0] / cpu[1]:6.3f}           "
              f"{ours['contacts']:8.3f} {theirs['contacts']:8.3f}          {ours['builds']:6d} {theirs['builds']:6d}", flush=True)
        if abs(ours["contacts"] / theirs["contacts"] - 1) > 0.05:
            sys.exit("the two beds differ: contacts a particle are more than 5 % apart")
    median = statistics.median(r["ratio"] for r in rounds)
    print(f"  median ratio {median:.3f} ({min(r['ratio'] for r in rounds):.3f} to {max(r['ratio'] for r in rounds):.3f}), "
          f"of cpu time {statistics.median(r['cpu_ratio'] for r in rounds):.3f}, "
          f"required {REQUIRED:g}: {'met' if median >= REQUIRED else 'NOT MET'}", flush=True)
    return {"cores": cores, "against": code, "skin": skin, "rounds": rounds, "median_ratio": median}


def main():
    a = arguments()
    a.bench = os.path.abspath(a.bench)
    codes = [c for c in a.against if shutil.which(PROGRAMS[c])]
    for code in set(a.against) - set(codes):
        print(f"SKIPPED: {PROGRAMS[code]} is not installed (apt-get install {code})")
    if not codes:
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
        if a.check_law:
            worst = check_law(bed)
            print(f"LAMMPS's forces against closed forms: largest error {worst:.2g}")
            return 0 if worst < 1e-6 else 1
        results = []
        for cores in a.cores:
            if cores > cores_here:
                print(f"SKIPPED: {cores} cores, there are {cores_here}")
                continue
            results += [compare(bed, code, cores, a) for code in codes]
        if a.json:
            pathlib.Path(a.json).write_text(json.dumps({"options": vars(a), "results": results}, indent=2) + "\n")
    return 1 if a.require and any(r["median_ratio"] < REQUIRED for r in results) else 0


if __name__ == "__main__":
    sys.exit(main())
