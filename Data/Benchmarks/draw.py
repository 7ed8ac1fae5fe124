#!/usr/bin/env python3
"""The figures of BENCHMARKS.md and of docs/notes. Each table there stands between two comments, <!-- table NAME --> and <!-- end -->, and is
made from NAME.json.

  draw.py                writes the tables into these pages and draws the pictures (needs matplotlib)
  draw.py --tables       only writes the tables
  draw.py --check        writes nothing; exits 1 and names each row of a table that differs from its JSON, each JSON file without a
                         table, and each row without N, card, driver, command or date

A JSON file has "common", which holds for all rows, and "rows". A row may state anything of "common" otherwise.
"""
import json
import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
PAGES = ["BENCHMARKS.md"] + sorted("docs/notes/" + name for name in os.listdir(os.path.join(ROOT, "docs", "notes")) if name.endswith(".md"))
PICTURES = os.path.join(ROOT, "Data", "Pictures")
NEEDED = ("card", "driver", "command", "date", "precision")  # and one of SIZES
SIZES = ("particles", "points", "case", "at_120000")


def load(name):
    with open(os.path.join(HERE, name + ".json"), encoding="utf-8") as text:
        data = json.load(text)
    return [{**data["common"], **row} for row in data["rows"]]


def whole(value):
    return "" if value is None else f"{value:,}"


def plain(value):
    return "" if value is None else f"{value:g}"


def fixed(value):
    return "" if value is None else f"{value:.2f}"


def scaled(value):
    return "" if value is None else re.sub(r"e\+0?", "e", f"{value:.3g}" if value >= 1e10 else f"{value:.1e}")


def ratio_range(row, key):
    low, high = row[key + "_range"]
    return f"{row['over_' + key]:.2f} ({low:.2f} to {high:.2f})"


# Columns of each table: heading, text of a row.
TABLES = {
    "solver": [("particles", lambda r: r["label"]), ("contacts", lambda r: fixed(r["contacts_per_particle"])),
               ("list", lambda r: fixed(r["list_entries_per_particle"])), ("steps/s", lambda r: whole(r["steps_per_second"])),
               ("particle-steps/s", lambda r: scaled(r["particle_steps_per_second"])),
               ("ms a step, a rebuild", lambda r: f"{r['ms_per_step']:g}, {r['ms_per_rebuild']:g}"),
               ("bytes", lambda r: whole(r["bytes_per_particle"])), ("card", lambda r: r["card_number"])],
    "shapes": [("grains", lambda r: f"{whole(r['particles'])} {r['label']}"), ("contacts", lambda r: plain(r["contacts_per_particle"])),
               ("steps/s", lambda r: whole(r["steps_per_second"])), ("goal", lambda r: whole(r["asked"])),
               ("ms a step, a rebuild", lambda r: f"{r['ms_per_step']:g}, {r['ms_per_rebuild']:g}"),
               ("bytes", lambda r: whole(r["bytes_per_particle"]))],
    "devices": [("case", lambda r: f"{r['case']}, {whole(r['particles'])}"), ("devices", lambda r: f"{r['devices']}, {r['way']}" if r["devices"] > 1 else "1"),
                ("steps/s", lambda r: f"{r['steps_per_second']:,.0f}"), ("of one", lambda r: fixed(r["ratio"])),
                ("ms a step, a rebuild", lambda r: f"{r['step_ms_without_rebuild']:.3g}, {r['rebuild_ms']:.3g}")],
    "rays": [("grains", lambda r: f"{whole(r['particles'])} {r['label']}"), ("rays", lambda r: whole(r["rays"])),
             ("met", lambda r: fixed(r["met"])),
             ("grid: build, rays (ms)", lambda r: f"{r['grid_build_ms']:g}, {r['grid_ms']:g}"),
             ("BVH: build, rays (ms)", lambda r: f"{r['bvh_build_ms']:g}, {r['bvh_ms']:g}")],
    "mpm": [("10,077,696 points", lambda r: r["label"]), ("equal bits", lambda r: scaled(r["rate"])), ("any order", lambda r: scaled(r["any_order"])),
            ("goal", lambda r: scaled(r["asked"]))],
    "cpu": [("cores", lambda r: whole(r["cores"])), ("over LIGGGHTS, median (range)", lambda r: ratio_range(r, "liggghts")),
            ("by CPU time", lambda r: fixed(r["over_liggghts_by_cpu_time"])), ("over LAMMPS", lambda r: ratio_range(r, "lammps")),
            ("by CPU time", lambda r: fixed(r["over_lammps_by_cpu_time"]))],
    "peer": [("steps/s over Warp's best", lambda r: r["label"]), ("120,000", lambda r: fixed(r["at_120000"])),
             ("1,120,000", lambda r: fixed(r["at_1120000"]))],
    "searches": [("search", lambda r: r["method"]), ("CPU 1:1", lambda r: plain(r["cpu_1_1"])), ("CPU 1:10", lambda r: plain(r["cpu_1_10"])),
                 ("bytes", lambda r: whole(r["bytes_per_particle"])), ("CUDA 1:1, ms", lambda r: plain(r["cuda_ms"]))],
    "analysis": [("1,000,000 grains, ms", lambda r: r["label"]), ("on the device", lambda r: plain(r["frame_ms"])),
                 ("first call", lambda r: plain(r["frame_first_ms"])), ("from arrays", lambda r: plain(r["arrays_ms"])),
                 ("first call", lambda r: plain(r["arrays_first_ms"])), ("goal", lambda r: plain(r["limit_ms"]))],
    "changes": [("case", lambda r: r["case"]), ("unit", lambda r: r["unit"]), ("before", lambda r: plain_long(r["before"])),
                ("after", lambda r: plain_long(r["after"]))],
}


def plain_long(value):
    return whole(value) if isinstance(value, int) else f"{value:g}"


def table(name):
    columns = TABLES[name]
    lines = ["| " + " | ".join(heading for heading, _ in columns) + " |", "|" + "---|" * len(columns)]
    for row in load(name):
        lines.append("| " + " | ".join(text(row) for _, text in columns) + " |")
    return lines


BLOCK = re.compile(r"(<!-- table (\w+) -->\n)(.*?)(<!-- end -->)", re.S)


def read(page):
    with open(os.path.join(ROOT, page), encoding="utf-8") as text:
        return text.read()


def check():
    wrong, seen = [], set()
    for page, name, inside in ((page, block[1], block[2]) for page in PAGES for block in BLOCK.findall(read(page))):
        seen.add(name)
        if name not in TABLES:
            wrong.append(f"{page}: the table {name} has no JSON")
            continue
        stated, made = inside.strip().split("\n"), table(name)
        for k in range(max(len(stated), len(made))):
            if k >= len(stated) or k >= len(made) or stated[k] != made[k]:
                wrong.append(f"{page}: table {name}, line {k + 1}: {(stated + [''])[min(k, len(stated))]!r}, but {name}.json has "
                             f"{(made + [''])[min(k, len(made))]!r}; run Data/Benchmarks/draw.py --tables")
    names = sorted(file[:-5] for file in os.listdir(HERE) if file.endswith(".json"))
    wrong += [f"Data/Benchmarks/{name}.json: no table shows it" for name in names if name not in seen]
    for name in names:
        for number, row in enumerate(load(name), 1):
            missing = [key for key in NEEDED if key not in row]
            if not any(key in row for key in SIZES):
                missing.append("particles")
            if missing:
                wrong.append(f"Data/Benchmarks/{name}.json: row {number} has no {', '.join(missing)}")
    return wrong


def write_tables():
    for page in PAGES:
        text = read(page)
        made = BLOCK.sub(lambda m: m.group(1) + "\n".join(table(m.group(2))) + "\n" + m.group(4), text)
        if made != text:
            with open(os.path.join(ROOT, page), "w", encoding="utf-8") as out:
                out.write(made)


# ---- pictures

BLUE, ORANGE, GREEN, GREY = "#2a6fbb", "#d9822b", "#3a9d5d", "#777777"


def axes(plt, title, x, y):
    figure, ax = plt.subplots(figsize=(7, 4.4), dpi=130)
    ax.set_title(title, loc="left", fontsize=11)
    ax.set_xlabel(x)
    ax.set_ylabel(y)
    for side in ("top", "right"):
        ax.spines[side].set_visible(False)
    ax.grid(True, color="#dddddd", linewidth=0.6)
    ax.set_axisbelow(True)
    return figure, ax


def save(figure, name):
    figure.tight_layout()
    figure.savefig(os.path.join(PICTURES, name))
    print("wrote Data/Pictures/" + name)


def draw_solver(plt):
    rows = load("solver")
    figure, ax = axes(plt, "DEM on one NVIDIA H200: steps per second against the number of spheres", "particles", "steps/s")
    one = sorted((r["particles"], r["steps_per_second"]) for r in rows if r.get("series") == "1:1")
    ten = sorted((r["particles"], r["steps_per_second"]) for r in rows if r.get("series") == "1:10")
    bandwidth, each = rows[0]["memory_bandwidth"], rows[0]["floor_bytes_per_particle_step"]
    n = [1e6, one[-1][0]]
    ax.loglog(n, [bandwidth / each / k for k in n], "--", color=GREY, label=f"limit by memory traffic: {each} bytes a step at 4.3 TB/s")
    ax.loglog(*zip(*one), "o-", color=BLUE, label="equal spheres")
    ax.loglog(*zip(*ten), "s", color=ORANGE, label="diameters 1:10")
    ax.legend(frameon=False, fontsize=9)
    save(figure, "bench_solver.png")


def draw_cpu(plt):
    rows = load("cpu")
    figure, ax = axes(plt, "DEM on the CPU, 100,000 spheres: steps per second over those of other codes", "", "ratio of steps/s")
    for k, (key, name, color) in enumerate((("liggghts", "LIGGGHTS 3.8", BLUE), ("lammps", "LAMMPS 29 Sep 2021", ORANGE))):
        for i, row in enumerate(rows):
            value, (low, high) = row["over_" + key], row[key + "_range"]
            place = i + (k - 0.5) * 0.36
            ax.bar(place, value, 0.32, color=color, label="over " + name if i == 0 else None)
            ax.errorbar(place, value, [[value - low], [high - value]], color="black", capsize=4, linewidth=1)
            ax.text(place, high + 0.06, f"{value:.2f}", ha="center", fontsize=9)
    ax.axhline(1, color=GREY, linewidth=1, linestyle="--")
    ax.set_xticks(range(len(rows)), ["1 core", "2 cores"])
    ax.set_ylim(0, 3.4)
    ax.grid(False, axis="x")
    ax.legend(frameon=False, fontsize=9, loc="upper right")
    save(figure, "bench_cpu.png")


def draw_mpm(plt):
    rows = [row for row in load("mpm") if row["label"].startswith("explicit")]
    figure, ax = axes(plt, "MPM on one NVIDIA H200: 10 million points, explicit, equal bits", "1e9 point-steps/s", "")
    names = [row["label"].replace("explicit, ", "") for row in rows][::-1]
    ax.barh(names, [row["rate"] / 1e9 for row in rows][::-1], 0.55, color=GREEN)
    limit = rows[0]["memory_bandwidth"] / rows[0]["floor_bytes_per_point_step"] / 1e9
    ax.axvline(limit, color=GREY, linestyle="--", linewidth=1)
    ax.text(limit * 0.99, len(rows) - 0.45, f"limit by memory traffic (quadratic, single): {limit:.1f}", ha="right", fontsize=9, color=GREY)
    for place, row in enumerate(rows[::-1]):
        ax.text(row["rate"] / 1e9 + 0.1, place, plain(row["rate"] / 1e9), va="center", fontsize=9)
    ax.grid(False, axis="y")
    ax.set_ylim(-0.6, len(rows) - 0.2)
    save(figure, "bench_mpm.png")


def draw():
    try:
        import matplotlib
        matplotlib.use("Agg")
        import matplotlib.pyplot as plt
    except ImportError:
        sys.exit("The pictures need matplotlib. On Debian 12: apt-get install python3-matplotlib. --tables works without it.")
    draw_solver(plt)
    draw_cpu(plt)
    draw_mpm(plt)


def main():
    options = sys.argv[1:]
    if options and options not in (["--tables"], ["--check"]):
        sys.exit(__doc__)
    if options == ["--check"]:
        wrong = check()
        for line in wrong:
            print(line)
        print(f"{len(wrong)} faults of the benchmark tables")
        sys.exit(1 if wrong else 0)
    write_tables()
    if not options:
        draw()


if __name__ == "__main__":
    main()
