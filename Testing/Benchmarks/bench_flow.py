#!/usr/bin/env python3
"""Times beds with a computed flow against the same beds without it.

    bench_flow.py PARAGRAIN_BENCH [--device cuda] [--sizes 12000,175800,1000000] [--steps 2000] [--json FILE]

The beds: the single spout of van Buijtenen et al. 2011 (12,000 spheres of 3 mm, cells of 9 mm), the
rectangular spouted bed of Yue et al. 2020 (175,800 of 2.5 mm, cells of 7.5 mm) and one of 1,000,000
spheres of 2 mm (cells of 6 mm), from a lattice, in flow for 3000 steps before the timing begins.
Prints steps/s with and without the flow and their ratio, and the last step of the flow: its length in time steps and
the rounds of conjugate gradients for its pressure.
"""
import argparse
import json
import os
import subprocess
import tempfile

TIME_STEP = 1e-5  # s
BEDS = {
    12000: dict(radius=0.0015, size=[0.145, 0.02, 1.0], floor=2.4, slot=(0.0675, 0.0775), spout=43.5, cell=0.009),
    175800: dict(radius=0.00125, size=[0.28, 0.04, 0.9], floor=0.0, slot=(0.128, 0.152), spout=20.8, cell=0.0075),
    1000000: dict(radius=0.001, size=[0.4, 0.1, 0.9], floor=1.0, slot=(0.19, 0.21), spout=20.0, cell=0.006),
}


def scene(count, flow):
    bed = BEDS[count]
    pitch = 2.06 * bed["radius"]
    document = {
        "version": 1,
        "materials": [{"name": "Glass", "youngs_modulus": 1e7, "poissons_ratio": 0.25, "density": 2500, "restitution": 0.9, "friction": 0.3}],
        "packings": [{"kind": "Jittered Lattice", "lower": [1e-4] * 3, "upper": [x - 1e-4 for x in bed["size"]], "count": count,
                      "spacing": pitch, "radius": bed["radius"], "material": "Glass"}],
        "domain": {"lower": [0, 0, 0], "upper": bed["size"]},
        "time_step": TIME_STEP, "end_time": 1, "output_interval": 0.01}
    if flow:
        document["fluid"] = {
            "model": "Volume-Averaged Flow", "drag_law": "Di Felice", "cell_size": bed["cell"], "inlet_velocity": bed["floor"],
            "inlet_ramp": 0.02,
            "inlets": [{"boundary": "z_min", "lower": [bed["slot"][0], 0], "upper": [bed["slot"][1], bed["size"][1]], "velocity": bed["spout"]}]}
    return document


def timed(program, device, count, flow, steps, folder):
    path = os.path.join(folder, f"{count}_{int(flow)}.dem")
    with open(path, "w", encoding="utf-8") as text:
        json.dump(scene(count, flow), text)
    out = os.path.join(folder, "result.json")
    subprocess.run([program, "--device", device, "--scene", path, "--warm", "3000", "--steps", str(steps), "--json", out],
                   check=True, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as text:
        result = json.load(text)
    return result[0] if isinstance(result, list) else result


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--sizes", default="12000,175800,1000000")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--json")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for count in map(int, options.sizes.split(",")):
            without, flow = (timed(options.program, options.device, count, f, options.steps, folder) for f in (False, True))
            row = {"spheres": count, "without": without["steps_per_second"], "with": flow["steps_per_second"],
                   "ratio": flow["steps_per_second"] / without["steps_per_second"],
                   "steps_per_flow_step": flow["fluid_step"] / TIME_STEP, "rounds": flow["fluid_rounds"]}
            rows.append(row)
            print("{spheres:9d} spheres: {without:9.0f} steps/s without, {with:9.0f} with the flow, {ratio:.2f}; a step of the flow: "
                  "{steps_per_flow_step:.0f} steps, {rounds} rounds".format(**row), flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as text:
            json.dump(rows, text, indent=1)


if __name__ == "__main__":
    main()
