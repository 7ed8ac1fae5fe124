#!/usr/bin/env python3
"""The tables of Meyer 2019 on the transfers of the Material Point Method, run again: a CSV and a plot each, beside his times on a GTX 970, and
whether what he found holds on this device.

    meyer.py --bench build/bin/paragrain-bench-mpm --out meyer [--device cuda|cpu] [--particles N] [--cells N] [--repeat K] [table5 ...]
    meyer.py --out meyer --plot    only draws the CSV files again (where the benchmark ran may have no matplotlib)

Without names all of them run. Rows that he does not have (reductions and scans of the library, an index in place of a deep sort, four points a thread
in a map) come without a time of his. With --counters each table also runs under NVIDIA's profiler ncu, and NAME_counters.csv has of each row the number of
kernels and their time, and of the longest of them the occupancy (share of the warps that fit), shares of the peak of device memory and L2, and the reason for
which its warps wait most.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

import origin


def faster(first, second, by=1.0):
    """`first` takes less than `second` / by."""
    return lambda t: t[first] * by < t[second]


# What the thesis says of each table, as a test of the times.
FINDINGS = {
    "table5": [("SoA is faster where one attribute is read", faster("SoA", "AoS", 1.2)),
               ("the same, four points a thread", faster("SoA, 4 points a thread", "AoS, 4 points a thread", 1.2))],
    "table6": [("SoA is no slower where both are read", lambda t: t["SoA"] < 1.05 * t["AoS"]),
               ("the same, four points a thread", lambda t: t["SoA, 4 points a thread"] < 1.05 * t["AoS, 4 points a thread"])],
    "table7": [("a reduction takes as long as the map that reads the same, memory alone", lambda t: t["library"] < 1.5 * t["map alone"])],
    "table8": [("a scan takes less than twice as long as a copy", lambda t: t["library"] < 2 * t["copy alone"])],
    "table9": [("sorted points are binned several times as fast", faster("binning, deep sorted", "binning, random", 2)),
               ("an index does not help", lambda t: t["binning, index sorted"] > 0.9 * t["binning, random"])],
    "table10": [("a deep sort of sorted points is far faster than of random ones", faster("best: full (8 vec4)", "worst: full (8 vec4)", 2)),
                ("an index takes as long whether points are sorted or not", lambda t: t["worst: index"] < 1.25 * t["best: index"]),
                ("a deep sort of sorted points takes about as long as an index of random ones",
                 lambda t: t["best: full (8 vec4)"] < 1.25 * t["worst: index"])],
    "table11": [("sorting pays", faster("G2P-global sorted", "G2P-global", 2)),
                ("random points: global sorted is faster than shared", faster("G2P-global sorted", "G2P-shared")),
                ("an index pays less than a deep sort", faster("G2P-global sorted", "G2P-global sorted, index"))],
    "table12": [("sorting pays", faster("G2P-global sorted", "G2P-global", 2)),
                ("uniform points: shared is faster than global sorted", faster("G2P-shared", "G2P-global sorted")),
                ("an index pays less than a deep sort", faster("G2P-global sorted", "G2P-global sorted, index"))],
    "table13": [("unsorted: the support in parallel is faster than the loop", faster("[Mey15]", "global")),
                ("sorted: the loop is faster", faster("global sorted", "[Mey15] sorted")),
                ("sorting pays for the loop", faster("global sorted", "global", 2)),
                ("random points: pull is slower than global sorted", faster("global sorted", "P2G-pull")),
                ("sync is the fastest", lambda t: t["P2G-sync, batching 4"] == min(t.values())),
                ("an index pays less than a deep sort", faster("P2G-sync, batching 4", "P2G-sync, batching 4, index"))],
    "table14": [("unsorted: the support in parallel is no faster than the loop", lambda t: t["[Mey15]"] > 0.98 * t["global"]),
                ("sorting pays for the loop", faster("global sorted", "global", 2)),
                ("pull is faster than global sorted", faster("P2G-pull", "global sorted")),
                ("sync is the fastest", lambda t: t["P2G-sync, batching 4"] == min(t.values())),
                ("an index pays less than a deep sort", faster("P2G-sync, batching 4", "P2G-sync, batching 4, index"))],
    "table15": [("batching pays for atomics", faster("P2G-atomic both", "P2G-atomic indirect")),
                ("active blocks pay for atomics", faster("P2G-atomic indirect", "P2G-atomic")),
                ("batching pays for sync", faster("P2G-sync batching 4", "P2G-sync")),
                ("sync alone is as fast as atomics with both", lambda t: t["P2G-sync"] < 1.05 * t["P2G-atomic both"])],
    "table16": [("sync depends little on the points a cell",
                 lambda t: max(t[f"P2G-sync, {k} a cell, batching 1"] for k in (1, 2, 4)) < 1.5 * min(t[f"P2G-sync, {k} a cell, batching 1"] for k in (1, 2, 4))),
                ("batching 2 pays at 2 and 4 points a cell", lambda t: all(t[f"P2G-sync, {k} a cell, batching 2"] < t[f"P2G-sync, {k} a cell, batching 1"] for k in (2, 4))),
                ("batching 4 is the fastest at 4 points a cell", lambda t: t["P2G-sync, 4 a cell, batching 4"] == min(t[f"P2G-sync, 4 a cell, batching {b}"] for b in (1, 2, 4)))],
    "table17": [("APIC: shared is faster than global sorted", faster("G2P-shared, APIC", "G2P sorted, APIC")),
                ("APIC: batching 2 pays", faster("P2G-sync batching 2, APIC", "P2G-sync, APIC"))],
}


def run(a, name):
    with tempfile.NamedTemporaryFile(suffix=".json") as out:
        command = [a.bench, "--case", name, "--device", a.device, "--json", out.name]
        for option in ("particles", "cells", "repeat"):
            if getattr(a, option):
                command += [f"--{option}", str(getattr(a, option))]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
        with open(out.name, encoding="utf-8") as f:
            rows = json.load(f)
    with open(pathlib.Path(a.out) / f"{name}.csv", "w", newline="", encoding="utf-8") as f:
        writer = csv.writer(f)
        writer.writerow(["method", "us", "Meyer GTX 970 us"])
        for r in rows:
            writer.writerow([r["method"], r["us"], r["meyer_gtx970_us"] or ""])
    origin.keep(pathlib.Path(a.out) / "meyer.json", name, rows, a.commit)


OCCUPANCY = "sm__warps_active.avg.pct_of_peak_sustained_active"
MEMORY = "dram__throughput.avg.pct_of_peak_sustained_elapsed"
L2 = "lts__throughput.avg.pct_of_peak_sustained_elapsed"
TIME = "gpu__time_duration.sum"
STALL = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
STALLS = {STALL.format(name): text for name, text in (
    ("long_scoreboard", "global memory"), ("short_scoreboard", "shared memory"), ("lg_throttle", "queue of global memory"), ("mio_throttle", "queue of shared memory"),
    ("barrier", "barrier"), ("math_pipe_throttle", "arithmetic"), ("wait", "fixed latency"), ("membar", "memory fence"), ("drain", "writes at the end"))}


def count(a, name):
    """Runs the table under ncu. The benchmark names the launches that it times after their row (NVTX). Of each row: the sum of the times, and the
    other counters of the kernel that takes longest."""
    metrics = ",".join([TIME, OCCUPANCY, MEMORY, L2, *STALLS])
    command = ["ncu", "--csv", "--page", "raw", "--print-units", "base", "--nvtx", "--nvtx-include", "regex:.*/", "--metrics", metrics,
               a.bench, "--case", name, "--device", "cuda", "--repeat", "1"]
    for option in ("particles", "cells"):
        if getattr(a, option):
            command += [f"--{option}", str(getattr(a, option))]
    said = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines()
    begin = next((k for k, line in enumerate(said) if line.startswith('"ID"')), None)
    if begin is None:
        sys.exit("ncu printed no table: " + "\n".join(said[-5:]))
    methods = [r["method"] for r in read(a, name)]
    kernels = {method: [] for method in methods}
    for row in csv.DictReader(said[begin:]):
        if row["ID"]:  # the second line has the units
            kernels[row_of(row, methods)].append(row)
    rows = [summary(method, kernels[method]) for method in methods if kernels[method]]
    with open(pathlib.Path(a.out) / f"{name}_counters.csv", "w", newline="", encoding="utf-8") as f:
        writer = csv.DictWriter(f, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    origin.keep(pathlib.Path(a.out) / "meyer_counters.json", name, rows, a.commit)


def row_of(launch, methods):
    """The row whose name is the innermost NVTX range of this launch."""
    ranges = " ".join(text for column, text in launch.items() if "Push/Pop_Range" in column and text)
    found = [method for method in methods if method in ranges]
    if not found:
        sys.exit(f"ncu: no row of the table is named in '{ranges}'")
    return max(found, key=len)


def summary(method, launches):
    longest = max(launches, key=lambda row: number(row[TIME]))
    most = max(STALLS, key=lambda metric: number(longest[metric]))
    kernel = longest["Kernel Name"].removeprefix("void ").split("(")[0].replace("dem::", "").replace("mpm::", "")
    return {"method": method, "kernels": len(launches), "us": round(sum(number(row[TIME]) for row in launches) / 1000, 1), "longest kernel": kernel[:60],
            "occupancy %": round(number(longest[OCCUPANCY])), "memory %": round(number(longest[MEMORY])), "L2 %": round(number(longest[L2])),
            "waits most for": STALLS[most], "warps that wait for it per instruction": round(number(longest[most]), 1)}


def number(text):
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return 0.


def read(a, name):
    with open(pathlib.Path(a.out) / f"{name}.csv", encoding="utf-8") as f:
        return list(csv.DictReader(f))


def plot(a, name, rows):
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("  no matplotlib here: draw later with --plot")
        return
    fig, axes = plt.subplots(figsize=(9, 1 + 0.5 * len(rows)))
    at = range(len(rows))
    axes.barh([k - 0.2 for k in at], [float(r["us"]) for r in rows], 0.4, label="this device")
    theirs = [float(r["Meyer GTX 970 us"] or "nan") for r in rows]
    axes.barh([k + 0.2 for k in at], theirs, 0.4, label="Meyer 2019, GTX 970")
    axes.set_yticks(list(at), [r["method"] for r in rows])
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.set_xlabel("microseconds")
    axes.set_title(f"Meyer 2019, {name}")
    axes.legend()
    fig.tight_layout()
    fig.savefig(pathlib.Path(a.out) / f"{name}.png", dpi=110)
    plt.close(fig)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bench")
    parser.add_argument("--out", required=True)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--particles", type=int)
    parser.add_argument("--cells", type=int)
    parser.add_argument("--repeat", type=int)
    parser.add_argument("--plot", action="store_true")
    parser.add_argument("--counters", action="store_true")
    parser.add_argument("--commit", default="", help="of the benchmark, where the repository is not at hand; it is stored with the figures")
    parser.add_argument("names", nargs="*")
    a = parser.parse_args()
    pathlib.Path(a.out).mkdir(parents=True, exist_ok=True)
    unknown = [n for n in a.names if n not in FINDINGS]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}; known: {', '.join(FINDINGS)}")
    for name in a.names or FINDINGS:
        if not a.plot:
            if not a.bench:
                sys.exit("--bench is needed to run")
            run(a, name)
            if a.counters:
                count(a, name)
        rows = read(a, name)
        print(name)
        for r in rows:
            print(f"  {r['method']:36} {float(r['us']):12.1f} us   Meyer {r['Meyer GTX 970 us'] or '-':>9}")
        times = {r["method"]: float(r["us"]) for r in rows}
        for text, holds in FINDINGS[name]:
            print(f"  {'holds' if holds(times) else 'DOES NOT HOLD'}: {text}")
        plot(a, name, rows)


if __name__ == "__main__":
    main()
