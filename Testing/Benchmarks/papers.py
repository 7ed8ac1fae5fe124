#!/usr/bin/env python3
"""The tables and figures of the papers, run again: CSV and a plot each, beside the numbers that the papers' texts quote.

    papers.py --bench build-bench/bin/paragrain-bench --out papers [--device cuda|cpu] [--seconds 2] [--scale 1] [NAME ...]
    papers.py --list                 the names, their sources, and what was matched where a paper gives none
    papers.py --out papers --plot    only draws the CSV files again (where the benchmark ran may have no matplotlib)
    papers.py --out papers --merge Data/Benchmarks/papers/papers.json [NAME ...]    stores the rows of OUT, in short, among those of that file

Without names all of them run; each prints first how long it takes on an H100, about. --seconds bounds each timed run (and what leads to it), --limit
each case with all its rows, --within all of the run; rows that were finished are kept. Columns paper_* have what the paper gives. "holds" and
"DOES NOT HOLD" say whether a paper's finding is true of the rows here. --scale multiplies the numbers of particles (1: the papers'). Steps/s of the papers were measured on their machines: what compares
are ratios. Kureck, Barbieri and Pacevic search in every step, and so do their rows here (`every step`); rows `20 steps` rebuild the list every 20.
"""
import argparse
import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import origin
from paper_tables import FIGURES
from paper_tables.findings import judged
from paper_tables.options import PER, STAGES
from paper_tables.rebound import rebound_faults

ROOT = pathlib.Path(__file__).resolve().parents[2]

# what does not depend on the search, and is 0 or absent where a case has no such thing
SAME = ["mean_height", "pair_contacts_per_particle", "largest_overlap"]


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--bench", default=str(ROOT / "build-bench/bin/paragrain-bench"))
    p.add_argument("--out", default="papers")
    p.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda"])
    p.add_argument("--seconds", type=float, default=1, help="of each timed run")
    p.add_argument("--settle-seconds", type=float, default=5, help="to prepare a case, at most (settled beds: checked every 1000 steps)")
    p.add_argument("--limit", type=float, default=0, help="seconds of a case; what is then not timed has no row (0: no limit)")
    p.add_argument("--within", type=float, default=0, help="seconds of all of the run (0: no limit)")
    p.add_argument("--scale", type=float, default=1, help="of the numbers of particles")
    p.add_argument("--base", type=int, default=100000, help="grains that are settled, or in a slice of the drum, before images are put together")
    p.add_argument("--only", metavar="TEXT", default="", help="variants whose name contains TEXT; with --merge their rows join the stored table")
    p.add_argument("--most", type=int, default=0, help="the most particles of a case (0: no limit)")
    p.add_argument("--commit", default="", help="of the benchmark, where the repository is not at hand; papers.json stores it with the figures")
    p.add_argument("--merge", metavar="FILE", help="runs nothing: stores the rows of --out in this JSON file")
    p.add_argument("--list", action="store_true")
    p.add_argument("--plot", action="store_true")
    p.add_argument("--smoke", action="store_true", help="tiny, on the CPU unless --device cuda; fails where a row is not sane")
    return p.parse_args()


def sizes(a, figure):
    """Cases and numbers of particles, each once."""
    out = []
    for case, particles in figure["cases"]:
        n = round(particles * a.scale)
        n = max(min(n, a.most) if a.most else n, figure.get("least", 500))
        if (case, n) not in out:
            out.append((case, n))
    return out


def estimate(a, figure):
    """Seconds on an H100, roughly: a run takes 0.3 s for each million of grains to start, and makes at least 80 steps."""
    seconds = 0
    prepare = figure.get("prepare", [])
    steps = int(prepare[prepare.index("--steps") + 1]) if "--steps" in prepare else 0
    for _, n in sizes(a, figure):
        millions = n / 1e6
        timed = max(2.5e-3 * steps, 0.5e-3 * 80) * millions
        seconds += a.settle_seconds + 0.15 * millions + len(figure["variants"]) * (0.3 + 0.3 * millions + max(timed, (1 if steps else 2) * a.seconds))
    return seconds


def time_left(a):
    """Seconds that a case may take, or None."""
    left = ([a.limit] if a.limit else []) + ([a.within - (time.time() - a.begin)] if a.within else [])
    return max(0, min(left)) if left else None


def of_paper(figure, variant, particles):
    """What the paper gives for a row, in columns of its own."""
    theirs = figure.get("theirs", {})
    columns = dict.fromkeys(c for values in theirs.values() for c in values)
    values = theirs.get((variant, particles), theirs.get(variant, {}))
    return {f"paper_{c}": values.get(c, "") for c in columns}


def run(a, folder, figure_name, figure):
    """One row of the CSV for each case, size and variant (and part of a series)."""
    rows = []
    names = [v for v in figure["variants"] if a.only in v]
    # Memory that one variant frees is used by the next: with tens of gigabytes, to get it from the system anew takes longer than the timed steps.
    environment = {"GLIBC_TUNABLES": "glibc.malloc.hugetlb=1:glibc.malloc.mmap_threshold=1099511627776:glibc.malloc.trim_threshold=1099511627776", **os.environ}
    for case, n in sizes(a, figure):
        base = max(a.base, 4000) if "base" in figure and a.smoke else figure.get("base", a.base)
        (folder / "variants.json").write_text(json.dumps([figure["variants"][v] for v in names]))
        command = [a.bench, "--case", case, "--particles", str(n), "--device", a.device, "--base", str(base), "--data", str(ROOT / "Data"),
                   "--seconds", str(a.seconds), "--settle-seconds", str(a.settle_seconds), "--variants", str(folder / "variants.json"),
                   "--json", str(folder / "out.json")] + figure.get("prepare", []) + a.more
        begin, limit = time.time(), time_left(a)
        out = folder / "out.json"
        out.unlink(missing_ok=True)
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=limit, env=environment)
            if done.returncode:
                sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
        except subprocess.TimeoutExpired:
            print(f"  {case} {n}: stopped after {limit:.0f} s", flush=True)
        for name, result in zip(names, json.loads(out.read_text()) if out.exists() else []):
            base = {"case": case, "variant": name, "particles": result.get("particles", n), "lost": result.get("lost", ""), "steps": result.get("steps", ""),
                    "device": result.get("device", ""), "error": result.get("error", ""), **{c: result.get(c, "") for c in SAME}}
            if "rows" in result:
                paper = figure["paper"].get(name, {})
                rows += [{**base, **row, "paper": paper.get(row["incidence"], "")} for row in result["rows"]]
            elif "series" in result:
                rows += [{**base, "time": t, "steps_per_second": rate} for t, rate in result["series"]]
            else:
                rows.append({**base, **{c: result.get(c, "") for c in figure["columns"]}, **of_paper(figure, name, base["particles"])})
                if "tablets" in case and "wall_force_ms" in rows[-1]:
                    rows[-1]["wall_force_ms"] = ""  # within pair_force_ms
                rows[-1].update({c: "" if result.get("error") else of(result) for c, of in figure.get("derive", {}).items()})
            print(f"  {case:16s} {base['particles']:>9} {name:34s} " + (base["error"] or
                  "  ".join(f"{y} {rows[-1][y]:.4g}" for y in figure["y"])), flush=True)
        print(f"  ({time.time() - begin:.0f} s)", flush=True)
        if rows:
            write(a, figure_name, figure, rows)
    return rows


def write(a, name, figure, rows):
    path = pathlib.Path(a.out) / f"{name}.csv"
    verdicts = [f"{verdict}: {text}" for verdict, text in judged(figure, rows)]
    with open(path, "w", newline="", encoding="utf-8") as out:
        for line in [figure["source"], "matched: " + figure["matched"]] + ["the paper: " + q for q in figure["quoted"]] + verdicts:
            out.write(f"# {line}\n")
        table = csv.DictWriter(out, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    origin.keep(pathlib.Path(a.out) / "papers.json", name, rows, a.commit, findings=verdicts)


def merge(a):
    """Stores the tables of OUT in another JSON file, without empty values and what only the test reads, to five digits."""
    left_out = {"lost", "steps", "device", *SAME}

    def short(value):
        return float(f"{value:.5g}") if isinstance(value, float) else value
    path = pathlib.Path(a.merge)
    tables = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    for name, table in json.loads((pathlib.Path(a.out) / "papers.json").read_text(encoding="utf-8")).items():
        if not a.names or name in a.names:
            rows = [{c: short(v) for c, v in r.items() if v != "" and c not in left_out} for r in table["rows"]]
            if a.only and name in tables:
                keys = ("case", "variant", "particles")
                new = [tuple(r[k] for k in keys) for r in rows]
                stored = [r for r in tables[name]["rows"] if tuple(r[k] for k in keys) not in new]
                rows = stored + [{**r, "date": table["date"], "commit": table["commit"]} for r in rows]
                table = tables[name]
            tables[name] = {**table, "rows": rows}
    path.write_text(json.dumps(tables, separators=(",", ":")), encoding="utf-8")


def read(path):
    with open(path, encoding="utf-8") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def plot(a, name, figure):
    """Draws the CSV; says so where it cannot."""
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        print("  no matplotlib here: draw later with --plot")
        return None
    rows = [r for r in read(pathlib.Path(a.out) / f"{name}.csv") if not r["error"]]
    fig, axes = plt.subplots(1, len(figure["y"]), figsize=(7.5 * len(figure["y"]), 6), squeeze=False)
    variants = list(dict.fromkeys(r["variant"] for r in rows))
    for axis, y in zip(axes[0], figure["y"]):
        if figure["x"]:
            several = len({r["case"] for r in rows}) > 1
            for case, variant in dict.fromkeys((r["case"], r["variant"]) for r in rows):
                points = sorted((float(r[figure["x"]]), float(r[y])) for r in rows if (r["case"], r["variant"]) == (case, variant))
                line, = axis.plot(*zip(*points), marker="o", markersize=3, label=f"{case}, {variant}" if several else variant)
                if variant in figure.get("paper", {}):
                    axis.plot(*zip(*figure["paper"][variant].items()), "x", color=line.get_color(), label=f"{variant}, the paper")
            for label, of in figure.get("lines", {}).items():
                ends = [min(float(r[figure["x"]]) for r in rows), max(float(r[figure["x"]]) for r in rows)]
                axis.plot(ends, [of(e) for e in ends], "k--", linewidth=0.7, label=label)
            axis.set_xlabel({"time": "time, s", "incidence": "v_t / v_n"}.get(figure["x"], figure["x"]))
            if figure["x"] == "particles":
                axis.set_xscale("log", base=2)
                axis.set_yscale("log")
        else:
            cases = list(dict.fromkeys((r["case"], r["particles"]) for r in rows))
            for k, variant in enumerate(variants):
                values = {(r["case"], r["particles"]): float(r[y]) for r in rows if r["variant"] == variant}
                at = [i + (k + 0.5) * 0.8 / len(variants) - 0.4 for i in range(len(cases))]
                axis.bar(at, [values.get(c, 0) for c in cases], 0.8 / len(variants), label=variant)
            axis.set_xticks(range(len(cases)))
            axis.set_xticklabels([f"{c}\n{int(n):,}" for c, n in cases])
        axis.set_ylabel({"reflexion": "-v_t' / v_n'", "pair_force_ms": "forces of pairs, ms", "rebuild_ms": "search and list, ms", "step_ms_without_rebuild": "a step without search and list, ms", "mpups": "million particle updates/s", "steps_per_second": "steps/s",
                         "inserts_per_second": "inserts/s", "inserts_per_second_slowest": "inserts/s in the slowest step", "search_bytes": "memory of the search, bytes",
                         "particle_steps_per_second": "particles x steps/s"}.get(y, y))
        axis.legend(fontsize=8)
        axis.grid(alpha=0.3)
    device = rows[0]["device"] if rows else ""
    fig.suptitle(f"{figure['source']}\nhere: {device}", fontsize=10)
    fig.text(0.02, 0.01, "The paper: " + "\n".join(figure["quoted"]), fontsize=7, va="bottom", wrap=True)
    fig.tight_layout(rect=(0, 0.03 + 0.025 * len(figure["quoted"]), 1, 1))
    path = pathlib.Path(a.out) / f"{name}.png"
    fig.savefig(path, dpi=110)
    plt.close(fig)
    return path


def check(name, figure, rows, path):
    """Complaints about a small run: columns, sizes, grains lost, methods that disagree (soft spheres: by more than the order of their sums)."""
    bad = [f"{r['case']}, {r['variant']}: {r['error']}" for r in rows if r["error"]]
    if not bad:
        back = read(path)
        bad += [f"column {c} is missing" for c in figure["columns"] if c not in back[0]]
        for r in back:
            who = f"{r['case']}, {r['variant']}: "
            bad += [f"{who}{r['lost']} grains lost"] if r["lost"] != "0" else []
            if "paper" in figure:
                continue
            bad += [f"{who}{y} is {r[y]}" for y in figure["y"] if not 0 < float(r[y]) < 1e15 and not (y in STAGES and r["variant"].startswith("the default"))]
        if {r["variant"] for r in back} != set(figure["variants"]) or {r["case"] for r in back} != {c for c, _ in figure["cases"]}:
            bad.append("not every case and variant has its row")
        for case in {r["case"] for r in back}:
            counts = {r["particles"] for r in back if r["case"] == case}
            bad += [f"{case}: the variants have {counts} particles"] if len(counts) > 1 else []
            for column in SAME:  # a search must not show in the physics
                for history in (True, False):
                    values = [float(r[column]) for r in back if r["case"] == case and r[column] and
                              not {"--symmetric-list", "Unsorted", PER["contact"]} & set(figure["variants"][r["variant"]]) and
                              history == ("--no-history" not in figure["variants"][r["variant"]])]
                    if values and max(values) - min(values) > (1e-4 if case == "soft" else 1e-6) * max(values):
                        bad.append(f"{case}: {column} differs between methods: {values}")
        bad += [f"not judged: {text}" for (verdict, text), (_, _, *least) in zip(judged(figure, rows), figure.get("findings", [])) if verdict == "not run" and not least]
        if "paper" in figure:
            return [f"{name}: {b}" for b in bad + rebound_faults(figure, back)]
        if not any(float(r[c]) > 0 for r in back for c in SAME if r[c]) and name not in ("kureck_6_6", "kureck_6_7"):
            bad.append("nothing touches in any row")
    return [f"{name}: {b}" for b in bad]


def main():
    a = arguments()
    a.more, a.begin = [], time.time()
    if a.smoke:
        a.device = "cuda" if a.device == "cuda" else "cpu"
        a.seconds, a.settle_seconds, a.base, a.most, a.scale = 100, 0.3, 300, 700, 1
        a.more = ["--warm", "20", "--steps", "40"]  # the same in all variants, whose physics must then be the same
    unknown = [n for n in a.names if n not in FIGURES]
    if unknown:
        sys.exit(f"unknown: {', '.join(unknown)}. Known: {', '.join(FIGURES)}")
    if a.list:
        for name, figure in FIGURES.items():
            print(f"{name:20s} {figure['source']}\n{'':20s} matched: {figure['matched']}")
        return 0
    if a.merge:
        merge(a)
        return 0
    os.makedirs(a.out, exist_ok=True)
    if not a.plot and not os.path.exists(a.bench):
        sys.exit(f"{a.bench} is missing: build it (./dev bench) or give --bench")
    bad = []
    timed = not a.plot and not a.smoke
    if timed:
        print(f"about {sum(estimate(a, FIGURES[name]) for name in a.names or FIGURES):.0f} s on an H100", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        for name in a.names or FIGURES:
            figure = FIGURES[name]
            print(f"{name}: {figure['source']}" + ("" if not timed else f" (about {estimate(a, figure):.0f} s)"), flush=True)
            if not a.plot:
                rows = run(a, pathlib.Path(folder), name, figure)
                if a.smoke:
                    bad += check(name, figure, rows, pathlib.Path(a.out) / f"{name}.csv")
                for verdict, text in judged(figure, rows):
                    print(f"  {verdict}: {text}", flush=True)
                if not rows:
                    continue
            elif not (pathlib.Path(a.out) / f"{name}.csv").exists():
                print("  not run yet")
                continue
            plot(a, name, figure)
    print(f"{time.time() - a.begin:.0f} s, in {a.out}")
    for line in bad:
        print("FAILED", line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
