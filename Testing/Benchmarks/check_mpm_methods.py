#!/usr/bin/env python3
"""Each combination of the case `transfer` of paragrain-bench-mpm, small, on the CPU: it runs, or is refused by an error that names both parts.

    check_mpm_methods.py build/bin/paragrain-bench-mpm
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile

BLOCK_METHODS = ("pull", "shared-atomic", "sync")


def run(bench, options):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "out.json")
        done = subprocess.run([bench, "--device", "cpu", "--json", path, *options], capture_output=True, text=True, check=False)
        rows = []
        if done.returncode == 0:
            with open(path, encoding="utf-8") as f:
                rows = json.load(f)
        return done.returncode, rows, done.stderr


def clash(sort, to_grid, to_points, batching, block, precision):
    """What the error must name, or nothing where all goes together."""
    if sort == "none" and (to_grid in BLOCK_METHODS or to_points == "shared"):
        return "none", to_grid if to_grid in BLOCK_METHODS else "shared"
    if batching != "1" and to_grid not in ("shared-atomic", "sync"):
        return f"Batching {batching}", to_grid
    if to_grid == "pull" and block == "8x4x4" and precision == "double":
        return "Double", "pull"
    return ()


def main():
    bench, small = sys.argv[1], ["--case", "transfer", "--particles", "500", "--cells", "16", "--repeat", "1"]
    wrong, ran, refused = [], 0, 0

    def expect(options, words):
        nonlocal ran, refused
        code, rows, text = run(bench, options)
        if words:
            refused += 1
            if code != 1 or not all(w in text for w in words):
                wrong.append(f"{' '.join(options)}: should name {' and '.join(words)}, but returned {code}: {text.strip()}")
        else:
            ran += 1
            stages = [r["stage"] for r in rows if r["case"] == "transfer" and r["us"] > 0]
            if code != 0 or stages[-2:] != ["to grid", "to points"] or len(stages) != (2 if "none" in options else 6):
                wrong.append(f"{' '.join(options)}: returned {code}, stages {stages}: {text.strip()}")

    for sort, to_grid, to_points, batching, precision in itertools.product(("none", "index", "deep"), ("global", "global-support", "warp-sums") + BLOCK_METHODS,
                                                                           ("global", "shared"), ("1", "2", "4"), ("single", "double")):
        k = ran + refused  # the other choices take turns
        block, active = ("8x4x4", "4x4x4")[k % 2], ("on", "off")[k // 2 % 2]
        options = small + ["--sort", sort, "--to-grid", to_grid, "--to-points", to_points, "--batching", batching, "--precision", precision,
                           "--spline", ("cubic", "quadratic")[k // 4 % 2], "--points", ("cube", "random")[k // 8 % 2], "--transfer", ("pic", "apic")[k // 16 % 2]]
        in_blocks = to_grid in BLOCK_METHODS or to_points == "shared"
        if sort != "none":
            options += ["--block", block] + (["--active-blocks", active] if in_blocks else [])
        expect(options, clash(sort, to_grid, to_points, batching, block, precision))

    for options, words in (
            (["--sort", "none", "--to-grid", "global", "--block", "4x4x4"], ["--block", "--sort none"]),
            (["--to-grid", "global", "--active-blocks", "on"], ["--active-blocks", "--to-grid global and --to-points global"]),
            (["--points", "random", "--per-cell", "2"], ["--per-cell", "--points random"]),
            (["--transfer", "flip"], ["--transfer flip", "--case transfer"]),
            (["--material", "fluid"], ["--material", "--case transfer"]),
            (["--batching", "3"], ["Batching", "not 3"]),
            (["--sort", "deeply"], ["--sort", "deeply", "none, index, deep"])):
        expect(small + options, words)
    expect(["--case", "explicit", "--particles", "500", "--sort", "deep"], ["--sort", "--case explicit"])
    expect(["--case", "table99"], ["table99"])
    for line in wrong:
        print("FAILED", line)
    print(f"{ran} combinations ran, {refused} were refused")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
