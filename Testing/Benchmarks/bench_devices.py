#!/usr/bin/env python3
"""Times one run on several CUDA devices against one, and compares the states at the end.

    bench_devices.py PARAGRAIN_BENCH [--devices 2] [--sizes 100000,1000000,10000000] [--drum 10000000]
        [--shapes 1000000] [--steps 2000] [--json FILE]

Settled beds of spheres, tablets, clumps and cubes with a rebuild every 20 steps, and a turning drum that rebuilds when needed.
Prints steps/s, the ratio to one device, the time of a step without rebuilds, and of a rebuild; with devices that read each other's memory, and with devices that copy. States must have the same hash.
Also prints the imbalance (grains of the largest part over the mean) and the share of a step that is halo and waiting: what a step takes longer
than one device takes for the grains of one part.
"""
import argparse
import json
import os
import subprocess
import sys
import tempfile

SHAPES = ("tablets", "clumps", "cubes")


def timed(program, case, count, steps, variants, folder):
    given, out, base = (os.path.join(folder, name) for name in ("variants.json", "result.json", f"base_{case}_{count}.json"))
    with open(given, "w", encoding="utf-8") as text:
        json.dump(variants, text)
    command = [program, "--device", "cuda", "--case", case, "--particles", str(count), "--warm", "400", "--steps", str(steps), "--hash",
               "--variants", given, "--json", out]
    command += ["--rebuild", "0"] if case == "drum" else ["--keep-base", base]
    command += ["--base", "4000"] if case in SHAPES else []
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    with open(out, encoding="utf-8") as text:
        return json.load(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--devices", type=int, default=2)
    parser.add_argument("--sizes", default="100000,1000000,10000000")
    parser.add_argument("--drum", type=int, default=10000000)
    parser.add_argument("--shapes", type=int, default=1000000, help="grains of each shape; 0: none")
    parser.add_argument("--steps", type=int, default=2000)
    parser.add_argument("--json")
    options = parser.parse_args()
    cases = [("settled", int(size)) for size in options.sizes.split(",") if size]
    cases += [("drum", options.drum)] if options.drum else []
    cases += [(shape, options.shapes) for shape in SHAPES if options.shapes]
    rows, differ = [], False
    with tempfile.TemporaryDirectory() as folder:
        for case, count in cases:
            steps = max(200, min(options.steps, options.steps * 2000000 // count))
            several = ["--devices", str(options.devices)]
            results = timed(options.program, case, count, steps, [["--devices", "1"], several, [*several, "--no-peer-access"]], folder)
            alone = timed(options.program, case, count // options.devices, steps, [["--devices", "1"]], folder)[0]["step_ms_without_rebuild"]
            for result, way in zip(results, ("one device", "read each other", "copy")):
                if "error" in result:
                    sys.exit(result["error"])
                row = {"case": case, "way": way, "ratio": result["steps_per_second"] / results[0]["steps_per_second"]}
                row.update({key: result[key] for key in ("particles", "devices", "device", "steps_per_second", "step_ms_without_rebuild",
                                                         "rebuild_ms", "steps_per_rebuild", "imbalance", "state_hash")})
                row["share_of_halo"] = max(0., 1 - alone / row["step_ms_without_rebuild"]) if row["devices"] > 1 else 0.
                differ = differ or row["state_hash"] != results[0]["state_hash"]
                rows.append(row)
                print("{case:8s} {particles:9d} on {devices} ({way:15s}): {steps_per_second:8.1f} steps/s, {ratio:.2f}; step "
                      "{step_ms_without_rebuild:.4f} ms, {share_of_halo:.0%} halo and waiting, rebuild {rebuild_ms:.3f} ms, imbalance {imbalance:.2f}, state {state_hash}".format(**row), flush=True)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as text:
            json.dump({"rows": rows}, text, indent=1)  # Data/Benchmarks/devices.json also names card, driver and date
    if differ:
        sys.exit("the states differ")


if __name__ == "__main__":
    main()
