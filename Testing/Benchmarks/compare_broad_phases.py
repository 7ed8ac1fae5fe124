#!/usr/bin/env python3
"""Times every broad phase on the same beds and prints the ratios to the default, Sorted Grid in row-major order.

    compare_broad_phases.py --bench build/bin/paragrain-bench --bed settled.dem --bed bidisperse.dem [--device cpu] [--rounds 5]

Beds come from `paragrain-bench --case settled|bidisperse --export FILE.dem`. Each run of a method comes right behind one of the default; what
is printed are medians over the rounds of the ratios of such neighbours, as speeds do not compare between machines or hours. `rebuild` is one whole rebuild of
the list: sorting, search, filling, history carried over, walls. `step` is a step with a rebuild every --rebuild steps. Above 1 is faster.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile

METHODS = {
    "Sorted Grid": ["--broad-phase", "Sorted Grid"],
    "Sorted Grid, half search": ["--broad-phase", "Sorted Grid", "--half-search"],
    "Sorted Grid, Morton": ["--broad-phase", "Sorted Grid", "--cell-order", "Morton"],
    "Linked Cells, Loose": ["--broad-phase", "Linked Cells"],
    "Linked Cells, Tight": ["--broad-phase", "Linked Cells", "--linked-cells", "Tight"],
    "Linked Cells, Loose Packed": ["--broad-phase", "Linked Cells", "--linked-cells", "Loose Packed"],
    "Fixed Cells, Row Major": ["--broad-phase", "Fixed Cells", "--fixed-cells", "Row Major"],
    "Fixed Cells, Column Major": ["--broad-phase", "Fixed Cells", "--fixed-cells", "Column Major"],
    "Fixed Cells, Counted": ["--broad-phase", "Fixed Cells", "--fixed-cells", "Counted"],
    "Hashed Infinite Grid, Uniform": ["--broad-phase", "Hashed Infinite Grid", "--hash-function", "Uniform"],
    "Hashed Infinite Grid, Morton": ["--broad-phase", "Hashed Infinite Grid", "--hash-function", "Morton"],
    "Hashed Infinite Grid, Universal": ["--broad-phase", "Hashed Infinite Grid", "--hash-function", "Universal"],
    "Hashed Infinite Grid, Morton, factor 1": ["--broad-phase", "Hashed Infinite Grid", "--hash-table-factor", "1"],
    "Hashed Infinite Grid, Morton, factor 5": ["--broad-phase", "Hashed Infinite Grid", "--hash-table-factor", "5"],
    "BVH, 63 bits": ["--broad-phase", "BVH"],
    "BVH, 30 bits": ["--broad-phase", "BVH", "--bvh-key-bits", "30"],
    "BVH, 63 bits, half search": ["--broad-phase", "BVH", "--half-search"],
    "Hierarchical Grid": ["--broad-phase", "Hierarchical Grid"],
    "Sorted Grid, never sorted": ["--broad-phase", "Sorted Grid", "--sort-particles", "Never"],
    "Sorted Grid, sorted every 1,000 steps": ["--broad-phase", "Sorted Grid", "--sort-particles", "Every Steps"],
}


def run(a, bed, method):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        subprocess.run([a.bench, "--scene", bed, "--steps", str(a.steps), "--warm", str(a.warm), "--rebuild", str(a.rebuild), "--device", a.device,
                        "--threads", str(a.threads), "--json", out.name] + METHODS[method], check=True, stdout=subprocess.DEVNULL)
        return json.load(out)


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("--bench", required=True)
    p.add_argument("--bed", action="append", required=True)
    p.add_argument("--device", default="cpu")
    p.add_argument("--threads", type=int, default=0)
    p.add_argument("--rounds", type=int, default=5)
    p.add_argument("--warm", type=int, default=20)
    p.add_argument("--steps", type=int, default=100)
    p.add_argument("--rebuild", type=int, default=10)
    p.add_argument("--only", nargs="+", default=list(METHODS), help="methods besides the default, by name")
    p.add_argument("--json")
    a = p.parse_args()
    unknown = [m for m in a.only if m not in METHODS]
    if unknown:
        sys.exit(f"unknown: {unknown}. Known: {list(METHODS)}")
    methods = ["Sorted Grid"] + [m for m in a.only if m != "Sorted Grid"]
    table = {}
    for bed in a.bed:
        ratios = {m: [] for m in methods}
        last = {}
        for _ in range(a.rounds):
            for m in methods:
                base = run(a, bed, "Sorted Grid")
                last[m] = run(a, bed, m)
                ratios[m].append((base["rebuild_ms"] / last[m]["rebuild_ms"], last[m]["steps_per_second"] / base["steps_per_second"]))
        table[bed] = {m: {"rebuild": statistics.median(r for r, _ in ratios[m]), "step": statistics.median(s for _, s in ratios[m]),
                          "bytes": last[m]["search_bytes_per_particle"], "particles": last[m]["particles"]} for m in methods}
    print("| method | " + " | ".join(f"{bed}: rebuild | step | search bytes a particle" for bed in a.bed) + " |")
    print("|---" * (1 + 3 * len(a.bed)) + "|")
    for m in methods:
        print(f"| {m} | " + " | ".join(f"{t[m]['rebuild']:.2f} | {t[m]['step']:.2f} | {t[m]['bytes']:.0f}" for t in table.values()) + " |")
    if a.json:
        with open(a.json, "w", encoding="utf-8") as out:
            json.dump(table, out, indent=2)


if __name__ == "__main__":
    main()
