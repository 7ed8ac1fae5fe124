#!/usr/bin/env python3
"""The solver against a discrete element program written with NVIDIA Warp, on the same GPU and the same settled bed, in one run.

    pip install warp-lang
    python3 Testing/Benchmarks/compare_gpu_peer.py --bench build-bench/bin/paragrain-bench [--particles 100000 1000000] [--out peer.csv]

Warp comes with an example of granular matter (warp/examples/core/example_dem.py): it finds neighbours by Warp's hash grid in every step, adds
the forces of a linear spring, a dashpot and viscous friction under Coulomb's limit, and moves the grains. The program here has its structure,
with the box, the material and the step of the bed that paragrain-bench settles and exports.

Without history friction is viscous and bears no load at rest: a bed that leans on friction creeps under such a law until it is as dense as one
without friction (in 0.08 s by 3 to 4 % of its height, under either code). So the grains are settled under the linear law without friction, where
both laws then have the same state of rest, and Hertz-Mindlin nearly so: mirror images of that make the bed, and all rows begin there.

    Warp              kn d - cn vn while grains approach (no damping as they part), friction min(ct |vt|, mu |Fn|); no rotation, no history;
                      single precision throughout; semi-implicit Euler
    ParaGrain linear  the nearest law it has: the same spring, dashpot (parting too) and friction, without history; with rotation; positions in
                      double, lists sorted by Id, equal bits
    ParaGrain         its default, Hertz-Mindlin with history, which the peer has not

Warp runs twice: "as its example" looks 5 radii far through cells of that size, made anew every 64 steps; "tuned" uses cells of a diameter and a
tenth, made anew as often as ParaGrain's lists (--rebuild), and particles that lie in the order of the cells. What is compared is what they
hold: all rows must end with the bed at the height where it began, within 0.5 %, and with contacts within 10 % of each other's (history and
stiffness differ), or the script fails.
"""
import argparse
import csv
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", default=str(ROOT / "build-bench/bin/paragrain-bench"), help="the paragrain-bench to time")
    p.add_argument("--particles", type=int, nargs="+", default=[100000, 1000000])
    p.add_argument("--device", choices=["cuda", "cpu"], default="cuda")
    p.add_argument("--base", type=int, default=20000, help="grains that are settled before mirror images make the bed")
    p.add_argument("--settle-seconds", type=float, default=10, help="to settle them, at most")
    p.add_argument("--steps", type=int, default=0, help="timed steps (0: as many as make 1e9 particle-steps, 20000 at most)")
    p.add_argument("--rest", type=int, default=30000, help="steps to settle them without friction")
    p.add_argument("--warm", type=int, default=2000, help="steps before the timed ones, in which mirror images settle to each other")
    p.add_argument("--rebuild", type=int, default=20, help="steps between two searches")
    p.add_argument("--out", help="write the table here as CSV")
    return p.parse_args()


def peer(wp):
    """Warp's kernels."""

    @wp.func
    def push(n: wp.vec3, v: wp.vec3, gap: float, kn: float, cn: float, ct: float, mu: float):
        # the force along and across n, which points to the grain; gap below 0 where it touches
        vn = wp.dot(n, v)
        normal = -kn * gap - cn * wp.min(vn, 0.0)
        vt = v - n * vn
        speed = wp.length(vt)
        across = wp.vec3()
        if speed > 0.0:
            across = vt * (wp.min(ct * speed, mu * wp.abs(normal)) / speed)
        return n * normal - across

    @wp.kernel
    def forces(grid: wp.uint64, x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), f: wp.array(dtype=wp.vec3), lower: wp.vec3,
               upper: wp.vec3, radius: float, look: float, kn: float, cn: float, mu: float, wall: float):
        i = wp.hash_grid_point_id(grid, wp.tid())
        xi = x[i]
        vi = v[i]
        sum = wp.vec3()
        for k in range(3):
            n = wp.vec3()
            n[k] = 1.0
            gap = xi[k] - lower[k] - radius
            if gap < 0.0:
                sum += push(n, vi, gap, kn, cn * wall, cn * wall, mu)
            gap = upper[k] - xi[k] - radius
            if gap < 0.0:
                sum += push(-n, vi, gap, kn, cn * wall, cn * wall, mu)
        for j in wp.hash_grid_query(grid, xi, look):
            if j != i:
                d = xi - x[j]
                distance = wp.length(d)
                gap = distance - 2.0 * radius
                if gap < 0.0:
                    sum += push(d / distance, vi - v[j], gap, kn, cn, cn, mu)
        f[i] = sum

    @wp.kernel
    def move(x: wp.array(dtype=wp.vec3), v: wp.array(dtype=wp.vec3), f: wp.array(dtype=wp.vec3), gravity: wp.vec3, dt: float,
             inverse_mass: float):
        i = wp.tid()
        u = v[i] + (f[i] * inverse_mass + gravity) * dt
        v[i] = u
        x[i] = x[i] + u * dt

    @wp.kernel
    def contacts(grid: wp.uint64, x: wp.array(dtype=wp.vec3), radius: float, look: float, count: wp.array(dtype=int)):
        i = wp.tid()
        c = int(0)
        for j in wp.hash_grid_query(grid, x[i], look):
            if j != i:
                if wp.length(x[i] - x[j]) < 2.0 * radius:
                    c += 1
        count[i] = c

    return forces, move, contacts


class Bed:
    """A bed of equal grains at rest under the linear law."""

    def __init__(self, a, n, folder, np):
        base = folder / "base.dem"
        bench(a, "--particles", str(min(n, a.base)), "--base", str(a.base), "--settle-seconds", str(a.settle_seconds), "--export", str(base))
        self.read(base, np)
        self.scene["materials"][0]["friction"] = 0
        self.write(base, self.linear())
        bench(a, "--scene", str(base), "--rebuild", "0", "--warm", str(a.rest), "--steps", "1", "--export", str(base))
        friction = self.friction
        self.read(base, np)
        self.scene["materials"][0]["friction"] = self.friction = friction
        self.tile(n, np)

    def read(self, path, np):
        self.scene = json.loads(path.read_text())
        grain, particles = self.scene["materials"][0], self.scene["particles"]
        self.x = np.array(particles["position"], dtype=np.float64)
        radii = np.array(particles["radius"])
        self.radius = float(radii.max())
        if radii.min() < self.radius:
            sys.exit("the bed must be of one radius")
        self.mass = 4 / 3 * math.pi * self.radius**3 * grain["density"]
        # the stiffness of Hertz's law at an overlap of a hundredth of the radius
        youngs = grain["youngs_modulus"] / (2 * (1 - grain["poissons_ratio"]**2))
        self.kn = 4 / 3 * youngs * math.sqrt(0.5 * self.radius * 0.01 * self.radius)
        loss = -math.log(grain["restitution"])
        self.damping = 2 * loss / math.sqrt(math.pi**2 + loss**2) * math.sqrt(self.kn * 0.5 * self.mass)
        self.friction = grain["friction"]
        self.lower, self.upper = self.scene["domain"]["lower"], self.scene["domain"]["upper"]

    def tile(self, n, np):
        """Mirror images across the side walls, n grains or somewhat more, at rest."""
        tiles = math.ceil(n / len(self.x))
        nx = math.ceil(math.sqrt(tiles))
        lower, upper = np.array(self.lower), np.array(self.upper)
        images = []
        for ix in range(nx):
            for iy in range(math.ceil(tiles / nx)):
                image = self.x.copy()
                for k, at in ((0, ix), (1, iy)):
                    if at % 2:
                        image[:, k] = lower[k] + upper[k] - image[:, k]
                    image[:, k] += at * (upper[k] - lower[k])
                images.append(image)
        self.x = np.concatenate(images)
        self.v = np.zeros_like(self.x)
        self.upper = [lower[0] + nx * (upper[0] - lower[0]), lower[1] + math.ceil(tiles / nx) * (upper[1] - lower[1]), upper[2]]
        self.scene["particles"] = {"radius": [self.radius] * len(self.x), "position": self.x.tolist()}
        self.scene["domain"]["upper"] = self.upper

    def linear(self):
        return {"law": "Linear Spring-Dashpot", "tangential_history": False, "normal_stiffness": self.kn, "tangential_damping": "Equal To Normal"}

    def write(self, path, law):
        path.write_text(json.dumps({**self.scene, "contact_model": law}))


def run_warp(a, bed, steps, np, wp, tuned):
    forces, move, contacts = run_warp.kernels
    every = a.rebuild if tuned else 64
    cell = 2.2 * bed.radius if tuned else 5 * bed.radius
    look = 2 * bed.radius if tuned else cell
    order = np.arange(len(bed.x))
    if tuned:
        c = np.floor((bed.x - bed.lower) / cell).astype(np.int64)
        order = np.lexsort((c[:, 0], c[:, 1], c[:, 2]))
    device = "cuda:0" if a.device == "cuda" else "cpu"
    with wp.ScopedDevice(device):
        x, v = wp.array(bed.x[order].astype(np.float32), dtype=wp.vec3), wp.array(bed.v[order].astype(np.float32), dtype=wp.vec3)
        f = wp.zeros_like(v)
        size = [max(3, min(512, math.ceil((u - l) / cell))) for l, u in zip(bed.lower, bed.upper)]  # more wrap around and cost nothing but tests
        grid = wp.HashGrid(*size)
        wp.load_module(sys.modules[__name__])
        dt = bed.scene["time_step"]

        def batch(count):
            for _ in range(count):
                # a wall has no mass of its own: its damping has sqrt(m), a pair's sqrt(m / 2)
                wp.launch(forces, dim=len(bed.x), inputs=[grid.id, x, v, f, wp.vec3(*bed.lower), wp.vec3(*bed.upper), bed.radius, look, bed.kn,
                                                          bed.damping, bed.friction, math.sqrt(2)])
                wp.launch(move, dim=len(bed.x), inputs=[x, v, f, wp.vec3(*bed.scene["gravity"]), dt, 1 / bed.mass])

        grid.build(x, cell)
        batch(1)  # compiles
        graph = None
        if a.device == "cuda":
            with wp.ScopedCapture() as capture:
                batch(every)
            graph = capture.graph

        def run(count):
            done = 0
            while done < count:
                grid.build(x, cell)
                if graph:
                    wp.capture_launch(graph)
                else:
                    batch(every)
                done += every
            wp.synchronize()
            return done

        run(a.warm)
        begin = time.perf_counter()
        done = run(steps)
        seconds = time.perf_counter() - begin
        count = wp.zeros(len(bed.x), dtype=int)
        grid.build(x, cell)
        wp.launch(contacts, dim=len(bed.x), inputs=[grid.id, x, bed.radius, look, count])
        end, speed = x.numpy().astype(np.float64), v.numpy().astype(np.float64)
        return {"steps_per_second": done / seconds, "height": float(end[:, 2].mean() - bed.lower[2]), "contacts": float(count.numpy().mean()),
                "kinetic": 0.5 * bed.mass * float((speed**2).sum()), "wp": wp.config.version}


def bench(a, *options):
    command = [a.bench, "--device", a.device, *options]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}")


def run_paragrain(a, scene, steps, folder):
    out = folder / "out.json"
    bench(a, "--scene", str(scene), "--rebuild", str(a.rebuild), "--warm", str(a.warm), "--steps", str(steps), "--json", str(out))
    r = json.loads(out.read_text())
    return {"steps_per_second": r["steps_per_second"], "height": r["mean_height"], "contacts": r["pair_contacts_per_particle"],
            "kinetic": r["kinetic_energy"], "device": r["device"]}


def main():
    a = arguments()
    try:
        import numpy as np
        import warp as wp
    except ImportError as e:
        print(f"SKIPPED: {e}: pip install warp-lang")
        return 0
    wp.config.quiet = True
    wp.init()
    if a.device == "cuda" and not wp.is_cuda_available():
        print("SKIPPED: Warp finds no CUDA device here")
        return 0
    run_warp.kernels = peer(wp)
    rows, bad = [], []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for n in a.particles:
            bed_file, linear_file = folder / "bed.dem", folder / "linear.dem"
            bed = Bed(a, n, folder, np)
            bed.write(bed_file, {"tangential_history": True})
            bed.write(linear_file, bed.linear())
            steps = a.steps or min(20000, max(100, round(1e9 / len(bed.x))))
            results = {"ParaGrain": run_paragrain(a, bed_file, steps, folder), "ParaGrain linear": run_paragrain(a, linear_file, steps, folder),
                       "Warp tuned": run_warp(a, bed, steps, np, wp, True), "Warp as its example": run_warp(a, bed, steps, np, wp, False)}
            device, fastest = results["ParaGrain"]["device"], max(results["Warp tuned"]["steps_per_second"], results["Warp as its example"]["steps_per_second"])
            print(f"{len(bed.x)} grains, {device}, Warp {results['Warp tuned']['wp']}, {steps} steps, kn {bed.kn:.4g} N/m, dt {bed.scene['time_step']:g} s", flush=True)
            for code, r in results.items():
                r["over_peer"] = r["steps_per_second"] / fastest
                print(f"  {code:20s} {r['steps_per_second']:10.1f} steps/s  {r['over_peer']:6.2f} x the peer at its best   mean height {r['height']:.5f} m   "
                      f"{r['contacts']:.3f} pair contacts a grain   kinetic energy {r['kinetic']:.2e} J", flush=True)
                rows.append({"particles": len(bed.x), "code": code, "steps_per_second": r["steps_per_second"], "over_peer": r["over_peer"],
                             "mean_height": r["height"], "pair_contacts": r["contacts"], "kinetic_energy": r["kinetic"], "steps": steps,
                             "rebuild": a.rebuild, "device": device, "warp": results["Warp tuned"]["wp"]})
            start, linear = float(bed.x[:, 2].mean() - bed.lower[2]), results["ParaGrain linear"]
            for code, r in results.items():
                if not abs(r["height"] - start) < 0.005 * start:
                    bad.append(f"{code}: the mean height went from {start:.5f} to {r['height']:.5f} m")
                if not abs(r["contacts"] - linear["contacts"]) < 0.1 * linear["contacts"]:
                    bad.append(f"{code}: {r['contacts']:.3f} contacts a grain where ParaGrain's linear law has {linear['contacts']:.3f}")
    if a.out:
        with open(a.out, "w", newline="", encoding="utf-8") as out:
            table = csv.DictWriter(out, list(rows[0]))
            table.writeheader()
            table.writerows(rows)
    for line in bad:
        print("FAILED", line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
