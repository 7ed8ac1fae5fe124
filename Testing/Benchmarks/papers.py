#!/usr/bin/env python3
"""The tables and figures of the papers, run again: CSV and a plot each, beside the numbers that the papers' texts quote.

    papers.py --bench build-bench/bin/paragrain-bench --out papers [--device cuda|cpu] [--seconds 2] [--scale 1] [NAME ...]
    papers.py --list                 the names, their sources, and what was matched where a paper gives none
    papers.py --out papers --plot    only draws the CSV files again (where the benchmark ran may have no matplotlib)

Without names all of them run. --seconds bounds each timed run (and what leads to it), --limit each case with all its rows, of which those that
were finished are kept; --scale multiplies the numbers of particles (1: the papers'). Steps/s of the papers were measured on their machines: what compares are ratios. Kureck,
Barbieri and Pacevic search in every step, and so do their rows here (`every step`); rows `20 steps` rebuild the list every 20.
"""
import argparse
import csv
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import origin

ROOT = pathlib.Path(__file__).resolve().parents[2]
EVERY_STEP, EVERY_20 = ["--rebuild", "1"], ["--rebuild", "20"]
# The papers sort cell numbers by a radix sort; the default here counts by atomics.
COUNTED, BVH, LEVELS = ["--broad-phase", "Sorted Grid"], ["--broad-phase", "BVH"], ["--broad-phase", "Hierarchical Grid"]
GRID = COUNTED + ["--cell-sort", "Radix"]
UNMOVED = ["--sort-particles", "Never"]
DENSE = ["--cells-per-particle", "0"]  # the uniform grid of Pacevic: cells for all of the domain
PACEVIC = EVERY_STEP + ["--integrator", "Gear Predictor-Corrector", "--precision", "double"]


def grids():
    """Barbieri's methods, by his names."""
    out = {"Sorting": GRID, "Sorting, Morton order": GRID + ["--cell-order", "Morton"], "sorted by counting (not in the paper)": COUNTED}
    for form, name in (("Loose", "Linked List Loose"), ("Tight", "Linked List Tight"), ("Loose Packed", "Linked List Loose Packed")):
        out[name] = ["--broad-phase", "Linked Cells", "--linked-cells", form]
    for form, name in (("Column Major", "Fixed Grid"), ("Row Major", "Fixed Grid, row major"), ("Counted", "Fixed Grid, counted")):
        out[name] = ["--broad-phase", "Fixed Cells", "--fixed-cells", form]
    return out


def hashes(factors):
    """Pacevic's: the pairs of bucket and grain are sorted once, the grains' data stay in place."""
    return {f"{function} S{k}": ["--broad-phase", "Hashed Infinite Grid", "--hash-function", function, "--hash-table-factor", str(k), *UNMOVED]
            for function in ("Morton", "Uniform", "Universal") for k in factors}


def ordered(methods):
    """The same, with the grains' data brought into the order of the table or of the cells, by the same sort."""
    return {f"{name}, data in its order": [o for o in options if o not in UNMOVED] + (["--hash-order", "Bucket"] if "--hash-function" in options else [])
            for name, options in methods.items()}


# Kureck's fastest versions (6.3.3, 5.3): each pair once, in the order in which the search finds it; no history, which would need sorted lists (5.5).
UNSORTED = ["--list-order", "Unsorted", "--symmetric-list", "--half-search", "--no-history"]
PER = {"contact": "Contact, Halving Reduction", "particle": "Particle", "contact, atomics alone": "Contact"}


def hybrid(size, per):
    return ["--neighbor-list", *(["Hybrid", "--static-size", str(size)] if size else ["Dynamic"]), "--thread-per", per]


def lists(sizes, pers=("contact", "particle")):
    """Kureck's hybrid lists: static size 0 is the dynamic list alone, which has no rows for a thread a particle."""
    return {f"{size}, per {per}": hybrid(size, PER[per]) + UNSORTED for per in pers for size in sizes if size or per != "particle"}


def sorted_lists(sizes):
    """Sorted lists with history and sums in the order of Ids, which give the bits of the default."""
    return {f"{size}, per {per.lower()}, sorted, history": hybrid(size, per) for per in ("Contact", "Particle") for size in sizes}


def with_all(methods, more):
    return {name: options + more for name, options in methods.items()}


def sort_intervals(search):
    """Kureck's, in steps and in seconds."""
    out = {"sorted every search": [], "never sorted": ["--sort-particles", "Never"],
           **{f"every {k} steps": ["--sort-particles", "Every Steps", "--sort-steps", str(k)] for k in (10, 100)},
           **{f"every {t} s": ["--sort-particles", "Every Time", "--sort-time", t] for t in ("0.0001", "0.001", "0.01")}}
    return with_all(out, search + EVERY_STEP + ["--series", "20"])


FUSED = ["--neighbor-list", "None"]  # search and force in one loop, as Nakahara's before the split
OLD = FUSED + ["--no-history"]  # the same in Kureck's old code

DRUM_MATCH = ("the coater's shape is not given: matched are N, the grid of 410 x 655 x 410 cells at 10 M, 8 rpm and a mesh of triangles; not a "
              "restart after a turn but slices tilted until they flow, put together as mirror images, history begun anew")
LIST_MATCH = ("Kureck's lists: each pair once, unsorted, sums by atomics, no history. Per contact: the slots of a particle halved in the warp (5.1), pairs beyond "
              "them by votes (5.2); atomics alone: without reductions. Per particle: a thread for the slots of a particle, one for each pair beyond them. A pair "
              "is in the row of its lower Id, so slots are counted by atomics; there in the row of the particle that found it. The slots of a particle lie N "
              "apart, there one after the other (5.1), so what he finds about memory alignment of many slots per particle cannot appear here. Rows 'sorted, history' of 6.2: ascending "
              "Ids, a pair in both rows, sums in a fixed order. Rows 'history' of 6.3.7 and 'sorted, symmetric': each pair once, ascending Ids, summed as the unsorted")
INTERVAL_MATCH = DRUM_MATCH + ("; data start in an order at random, as after long mixing; sort interval in steps of 2e-5 s, and in seconds as the "
                               "thesis's")
BOX_MATCH = "the box is not given: matched is N"
ENTRIES_MATCH = "; list entries a particle by the skin (9.31 at 1 M, 7.56 at 100 M; the thesis has no skin), but for lists of 20 steps"
ENTRIES_1M, ENTRIES_100M = ["--skin", "0.217"], ["--skin", "0.1"]
TABLET_MATCH = ("the tablet is not given: here diameter 1, cup radius 0.85, belt 0.3, 8.9 list entries each (the thesis has 11.95); bodies other than "
                "spheres are served by the default list alone, each pair once, so there are no rows by size of a static list")
PACEVIC_MATCH = ("sizes of the paper; timed after at most 0.5 s of motion, not over the first 40,000 steps; double precision, Gear, search every step; "
                 "pairs of bucket and grain are sorted once and data stay in place, as there; 'data in its order': that sort also moves the data; a grain in each corner of the large boxes spans the grid")

FILL, AVALANCHE = (117649, 970299, 1906624, 2863288, 3723875), (108640, 963600, 1649520, 2053430, 3237300, 4241517)
PACEVIC_ALL = [(case, n) for case in ("hopper_fill", "hopper_discharge") for n in FILL] + [("avalanche", n) for n in AVALANCHE]
PACEVIC_SMALL = [("hopper_fill", 117649), ("hopper_discharge", 117649), ("avalanche", 108640)]
PACEVIC_LARGE = [("hopper_fill", 970299), ("hopper_discharge", 970299), ("avalanche", 963600)]
UGM = {"grid": GRID + DENSE + UNMOVED}

# Kureck's list with both of his searches, and what the default takes for unequal radii.
BOTH_SEARCHES = {"grid": GRID + lists([8])["8, per contact"], "BVH": BVH + lists([8])["8, per contact"], "Hierarchical Grid, the default list": LEVELS}
TABLET_LISTS = {"every step": EVERY_STEP, "every step, no history": EVERY_STEP + ["--no-history"], "the default, 20 steps": EVERY_20}

# Stages of a step, timed apart in more steps; 0 for what the default does in one launch. Forces of shapes are one stage with those of walls: pair_force_ms.
STAGES = ["build_ms", "collect_ms", "collect_walls_ms", "pair_force_ms", "wall_force_ms"]

# what does not depend on the search, and is 0 or absent where a case has no such thing
SAME = ["mean_height", "pair_contacts_per_particle", "largest_overlap"]

# name: source, what was matched, cases and numbers of particles, variants, what to plot (x or None for bars, y), the numbers quoted
FIGURES = {
    "barbieri_2_3": dict(
        source="Barbieri et al., figures 2 and 3 (GeForce GTX 660)",
        matched="64^3 cells, Green's soft law, no guards, one loop that searches and adds impulses; timed from step 300 on, where the spheres have "
                "fallen, from the same state with all methods (the paper: mean of 2000 steps); positions are double; below 32,768 particles the grid "
                "has fewer cells (8 a particle, at least 65,536); above 262,144 a pair's impulse is 262,144 / N of Green's, or his damping is unstable",
        cases=[("soft", n << 10) for n in (1, 4, 16, 64, 256, 512, 1024, 4096)], variants=grids(), x="particles", y=["mpups", "inserts_per_second_slowest"],
        quoted=["Loose Packed is up to 7 times faster than sorting (figure 2, small sizes) and the fastest of those with atomics",
                "sorting is the fastest above 512 K; Loose is faster than Tight at all sizes; column major up to 15 % faster than row major",
                "inserts: the worst of the atomic methods 105 million/s at 16 K; sorting up to 17 times slower than the best, comparable near 512 K",
                "about 2e9 inserts/s of the best at 1 M (introduction)"],
        columns=["mpups", "inserts_per_second", "inserts_per_second_slowest", "neighbours_per_particle"]),
    "pacevic_3": dict(
        source="Pacevic and Kaceniauskas 2022, figure 3: memory (Tesla P100)",
        matched=PACEVIC_MATCH + "; grid: cells for all of the domain, at most 2e9, 4 bytes each, or 8 where they are more than 2^20 and 16 a grain (there 8); search_bytes: what is in use "
                "here, with the copies that the radix sort needs; paper_*_bytes are computed with the paper's arrays: 8 bytes a grain and 8 a bucket, which give its 59.6 and 67.9 MB, or "
                "8 a cell; the grid of eight cells a grain is the default here",
        cases=PACEVIC_ALL, variants=with_all({**UGM, "grid, eight cells a grain": GRID + UNMOVED, "Morton S1": hashes([1])["Morton S1"]}, PACEVIC), x="particles",
        y=["search_bytes"], derive={"paper_hash_bytes": lambda r: 16 * r["particles"], "paper_grid_bytes": lambda r: 8 * (r["particles"] + r["domain_cells"])},
        quoted=["hash: 59.6 MB, 59.6 MB, 67.9 MB at 3,723,875 / 3,723,875 / 4,241,517, at most 1.9 % of all memory",
                "grid over hash: 1.2 (fill), 65.1 (discharge), 69.7 (avalanche); 55.2 % and 56.9 % of all memory"],
        columns=["search_bytes", "device_bytes", "search_cells", "domain_cells"]),
    "pacevic_4": dict(
        source="Pacevic and Kaceniauskas 2022, figure 4: search time by hash function", matched=PACEVIC_MATCH, cases=PACEVIC_SMALL + PACEVIC_LARGE,
        variants=with_all({**UGM, **hashes([1]), **ordered({**UGM, **hashes([1])})}, PACEVIC), x=None, y=["rebuild_ms"],
        quoted=["the grid is the fastest near 100,000, Morton the slowest there; near a million Morton is the fastest hash"],
        columns=["rebuild_ms", "steps_per_second", "search_bytes"]),
    "pacevic_5": dict(
        source="Pacevic and Kaceniauskas 2022, figure 5: search time by table size", matched=PACEVIC_MATCH, cases=PACEVIC_LARGE,
        variants=with_all({**UGM, **hashes([1, 2, 5])}, PACEVIC), x=None, y=["rebuild_ms"],
        quoted=["larger tables are faster in most cases; from S2 to S5 little is gained with Uniform and Morton"],
        columns=["rebuild_ms", "steps_per_second", "search_bytes"]),
    "pacevic_6": dict(
        source="Pacevic and Kaceniauskas 2022, figure 6: a step by number of grains", matched=PACEVIC_MATCH, cases=PACEVIC_ALL,
        variants=with_all({**UGM, **hashes([1]), "Morton S5": hashes([5])["Morton S5"], **ordered({"Morton S1": hashes([1])["Morton S1"]})}, PACEVIC),
        x="particles", y=["particle_steps_per_second"],
        quoted=["Morton S5 over S1: 21.8 % less time in the discharge; 29.9 % fill, 28.1 % avalanche", "Cundall number (grains x steps/s): 3.05e7 discharge, 6.11e7 fill, 4.61e7 avalanche",
                "uniform hash within 4.9 % of the grid"],
        columns=["particle_steps_per_second", "rebuild_ms"]),
    "kureck_6_1": dict(
        source="Kureck 2016, table 6.1 and figure 6.5: oblique impacts of a steel sphere on a wall",
        matched="e = 0.95, mu = 0.75; the linear law without tangential damping, its stiffness ratio fitted so that the sphere rebounds with Walton's beta0 = 0.35 at the "
                "incidence 1 (fitted, so not a result there); without history the default damping (the thesis does not state its own, which slides sooner), so these values do not compare; between 1 and 8 the linear law is not Walton's model: it bends sooner (-0.56 at 2, -0.55 at 3), as an integration of "
                "its equations in papers.py, to 0.01; lines: Walton's rolling and sliding solutions (equation 6.1)",
        cases=[("rebound", 1)], least=1, variants={"with history": [], "without history": ["--no-history"]}, x="incidence", y=["reflexion"],
        lines={"rolling": lambda x: -0.35 / 0.95 * x, "sliding": lambda x: -3.5 * 0.75 * (1 + 1 / 0.95) + x / 0.95},
        paper={"with history": {0: 0, 1: -0.368, 2: -0.723, 3: -1.066, 3.5: -1.180, 4: -1.125, 5: -0.127, 6: 0.925, 7: 1.977, 8: 3.029, 9: 4.081},
               "without history": {0: 0, 1: 0.147, 2: 0.322, 3: 0.531, 4: 0.781, 5: 1.087, 6: 1.476, 7: 2.029, 8: 3.029, 9: 4.081}},
        quoted=["slopes: rolling -0.368, sliding 1.052, zero at 5.1188"], columns=["incidence", "reflexion"]),
    "kureck_6_2": dict(
        source="Kureck 2016, table 6.2: hybrid list by static size, 1 M spheres settled in a box (GTX Titan X)", matched=BOX_MATCH + ENTRIES_MATCH + "; " + LIST_MATCH,
        cases=[("settled", 1000000)], base=62500,  # sixteen images of it make a million
        variants=with_all({**lists([0, 1, 2, 4, 8, 16, 32]), **lists([0, 8], ["contact, atomics alone"]), **sorted_lists([0, 8, 16]),
                           "8, per contact, sorted, symmetric": hybrid(8, PER["contact"]) + ["--symmetric-list", "--half-search", "--no-history"],
                           "8, warp reduction, sorted, history": hybrid(8, "Contact, Warp Reduction"),
                           "static, tuned": ["--neighbor-list", "Static"]}, GRID + EVERY_STEP + ENTRIES_1M) |
        {"the default": EVERY_STEP + ENTRIES_1M, "the default, no history": EVERY_STEP + ENTRIES_1M + ["--no-history"]} |
        with_all({"the default, 20 steps": [], "8, per contact, 20 steps": GRID + hybrid(8, PER["contact"]) + UNSORTED,
                  "8, per particle, sorted, history, 20 steps": GRID + hybrid(8, "Particle"),
                  "static, tuned, 20 steps": GRID + ["--neighbor-list", "Static"]}, EVERY_20),
        x=None, y=["steps_per_second", "step_ms_without_rebuild"],
        quoted=["steps/s per contact / per particle: size 0 136 / 136, 1 134 / 133, 2 137 / 136, 4 142 / 146, 8 149 / 150, 16 126 / 148, 32 92 / 139",
                "static part, ms: 1 0.46 / 0.47, 2 0.74 / 0.75, 4 1.36 / 1.28, 8 1.79 / 1.75, 16 3.46 / 1.83, 32 5.66 / 1.93; search 1.98 (0) to 1.77 (8)",
                "size 8 is the best; per contact suffers from large sizes; 9.31 neighbours a sphere"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "static_size", "list_pairs_per_particle", "list_entries_per_particle", "device_bytes", *STAGES]),
    "kureck_6_3": dict(
        source="Kureck 2016, table 6.3: the same with 100 M spheres", matched=BOX_MATCH + ENTRIES_MATCH + "; " + LIST_MATCH, cases=[("settled", 100000000)],
        variants={"the default, 20 steps": EVERY_20, "the default": EVERY_STEP + ENTRIES_100M} |
        with_all({"0, per contact": lists([0])["0, per contact"],  # those that tell most first
                  **{f"{k}, per {per}": lists([k])[f"{k}, per {per}"] for k in (8, 4, 2, 1) for per in ("particle", "contact")}},
                 GRID + EVERY_STEP + ENTRIES_100M),
        x=None, y=["steps_per_second", "step_ms_without_rebuild"],
        quoted=["steps/s per contact / per particle: size 0 2.04 / 2.04, 1 1.85 / 1.84, 2 1.82 / 1.81, 4 2.08 / 1.91, 8 2.19 / 2.05",
                "static part, ms: 1 45 / 46, 2 75 / 75, 4 97 / 121, 8 122 / 150; search 194 (0) to 176 (8); 7.56 neighbours a sphere"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "static_size", "list_pairs_per_particle", "list_entries_per_particle", "device_bytes", *STAGES]),
    "kureck_6_4": dict(
        source="Kureck 2016, table 6.4: lists for 1 M tablets settled in a box (GTX Titan X)", matched=BOX_MATCH + "; " + TABLET_MATCH,
        cases=[("tablets", 1000000)], base=4000, variants=TABLET_LISTS, x=None, y=["steps_per_second", "step_ms_without_rebuild"],
        quoted=["steps/s per contact / per particle: size 0 68 / 68, 1 67 / 67, 2 68 / 67, 4 69 / 68, 8 61 / 59, 16 41 / 55",
                "search 2.88 to 2.48 ms; forces 8.6 ms (0), 5.05 + 3.22 ms (4); no history; hardly an advantage of static lists"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "list_entries_per_particle", "device_bytes", *STAGES]),
    "kureck_6_5": dict(
        source="Kureck 2016, table 6.5: the same with 10 M tablets", matched=BOX_MATCH + "; " + TABLET_MATCH, cases=[("tablets", 10000000)], base=4000,
        variants=TABLET_LISTS, x=None, y=["steps_per_second", "step_ms_without_rebuild"],
        quoted=["steps/s per contact / per particle: size 0 7.37 / 7.37, 1 7.22 / 7.21, 2 7.32 / 7.31, 4 6.91 / 6.84, 8 6.7 / 6.43, 16 4.41 / 6",
                "search 29 to 26 ms; forces 88 ms (0)"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "list_entries_per_particle", "device_bytes", *STAGES]),
    "nakahara_4": dict(
        source="Nakahara and Washizawa, figure 4: before and after the loops are split (Tesla M2050)",
        matched="N; dense is a settled bed, dilute the lattice with gaps; sorted in every step, as there. `Collide` is pair_force_ms (search in the cells and forces); "
                "contacts in ascending Id, so that bits stay equal",
        cases=[(case, n << 17) for n in (1, 2, 4, 8, 16) for case in ("settled", "gas")], base=65536,
        variants=with_all({"before (None)": FUSED, "after (Split Loop)": ["--neighbor-list", "Split Loop"],
                           "after, a thread per contact": ["--neighbor-list", "Split Loop", "--thread-per", "Contact"],
                           "after, warp reduction": ["--neighbor-list", "Split Loop", "--thread-per", "Contact, Warp Reduction"]}, GRID + EVERY_STEP) |
        {"the default": EVERY_STEP},
        x=None, y=["pair_force_ms", "step_ms_without_rebuild"],
        quoted=["Collide is 2.5 times faster split, where particles are dense; the time of sorting is then comparable to Collide's",
                "the ratio is about the same from 0.1 to 2 million particles"],
        prepare=["--stages"], columns=["step_ms_without_rebuild", "rebuild_ms", "steps_per_second", "static_size", *STAGES]),
    "kureck_6_6": dict(
        source="Kureck 2016, table 6.6: 10 M spheres in a grid without collisions", matched="a lattice with gaps of a diameter; matched is N; " + LIST_MATCH,
        cases=[("gas", 10000000)],
        variants={"every step": GRID + EVERY_STEP, "the default, 20 steps": EVERY_20, "old: search and force in one loop": GRID + EVERY_STEP + OLD,
                  "dynamic list, every step": GRID + EVERY_STEP + lists([0])["0, per contact"],
                  "static size 8, every step": GRID + EVERY_STEP + lists([8])["8, per contact"],
                  "the default, every step": EVERY_STEP + ["--no-history"]}, x=None, y=["steps_per_second"],
        quoted=["old 12.9 steps/s; new, dynamic list 36.8 (12.07 ms collecting); new with static list 30 (12.07 and 5.71 ms)"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "list_entries_per_particle", *STAGES]),
    "kureck_6_7": dict(
        source="Kureck 2016, table 6.7: 10 M tablets in a grid without collisions", matched="a lattice with gaps of a diameter; matched is N",
        cases=[("gas_tablets", 10000000)], variants={"every step": EVERY_STEP, "the default, 20 steps": EVERY_20}, x=None, y=["steps_per_second"],
        quoted=["old 2.8 steps/s; new 21.6 (18.85 ms collecting, 8.35 ms forces)"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "list_entries_per_particle", *STAGES]),
    "kureck_6_8": dict(
        source="Kureck 2016, table 6.8, and 6.10 (unsorted): 10 M spheres in a drum coater (GTX Titan X)", matched=DRUM_MATCH + "; " + LIST_MATCH + "; his old code puts the "
        "triangles into the grid in every step, ours once (triangles_ms), in the drum's own frame",
        cases=[("drum", 10000000)],
        variants={"the default, 20 steps": EVERY_20, "new: static 8, per contact, every step": GRID + EVERY_STEP + lists([8])["8, per contact"],
                  "new: static 8, per particle, every step": GRID + EVERY_STEP + lists([8])["8, per particle"],
                  "new: dynamic list, every step": GRID + EVERY_STEP + lists([0])["0, per contact"],
                  "the default, every step": EVERY_STEP, "the default, no history, every step": EVERY_STEP + ["--no-history"],
                  "triangles in the grid, every step": GRID + EVERY_STEP + lists([8])["8, per contact"] + ["--triangle-search", "Uniform Grid"],
                  "unsorted, every step": GRID + EVERY_STEP + lists([8])["8, per contact"] + UNMOVED,
                  "old: one loop, triangles in the grid": GRID + EVERY_STEP + OLD + ["--triangle-search", "Uniform Grid"],
                  "old, unsorted": GRID + EVERY_STEP + OLD + ["--triangle-search", "Uniform Grid", "--sort-particles", "Never"]},
        prepare=["--shuffle", "--stages"], x=None, y=["steps_per_second"],
        quoted=["new: 13.4 steps/s (16.1 ms collecting neighbours, 11.75 ms triangles, 19.6 + 1 ms forces, 2011 MiB), 4.3 neighbours a sphere",
                "old: 0.96 steps/s, of which 760 ms put triangles into the grid", "unsorted (6.10): 2.8 steps/s, 216 ms collecting, 103 ms forces", "old, unsorted: 0.76 steps/s"],
        columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "list_entries_per_particle", "device_bytes", "triangles_ms", "triangle_cells", "triangle_places", *STAGES]),
    "kureck_6_9": dict(
        source="Kureck 2016, tables 6.9 and 6.11 (unsorted): 10 M tablets in a drum coater (GTX Titan X)", matched=DRUM_MATCH + "; " + TABLET_MATCH,
        cases=[("drum_tablets", 10000000)],
        variants={"every step": EVERY_STEP, "the default, 20 steps": EVERY_20, "unsorted, every step": EVERY_STEP + ["--sort-particles", "Never"]},
        prepare=["--shuffle", "--stages"], x=None, y=["steps_per_second"],
        quoted=["new: 7.9 steps/s (24 ms collecting neighbours, 10.8 ms triangles, 63 + 4.3 ms forces, 1773 MiB), 7.85 neighbours a tablet", "old: 0.48 steps/s",
                "unsorted (6.11): 1.4 steps/s, 248 ms collecting, 428 ms forces"],
        columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "list_entries_per_particle", "device_bytes", *STAGES]),
    "kureck_6_12": dict(
        source="Kureck 2016, table 6.12: 10 M equal spheres in a box, grid and BVH", matched=BOX_MATCH + "; " + LIST_MATCH, cases=[("settled", 10000000)],
        variants={**with_all(BOTH_SEARCHES, EVERY_STEP), "the default, 20 steps": EVERY_20}, x=None,
        y=["steps_per_second", "rebuild_ms"],
        quoted=["grid 13.96 steps/s: 12 ms building, 18 ms collecting, 31.5 ms forces, 1700 MiB", "BVH 4.46 steps/s: 27, 153, 31 ms, 2187 MiB; about 3 times slower"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "search_bytes", "device_bytes", "list_entries_per_particle", *STAGES]),
    "kureck_6_13": dict(
        source="Kureck 2016, table 6.13: 1 M spheres and 276 of ten times the radius", matched="N and the radii's ratio; 243 large ones, evenly spread when settling begins; " + LIST_MATCH,
        cases=[("bidisperse", 1000000)], least=4000, base=130000,  # nine images of it make a million
        variants=with_all(BOTH_SEARCHES, EVERY_STEP), x=None, y=["steps_per_second", "rebuild_ms"],
        quoted=["grid 3 steps/s, 328 ms collecting, 326 MiB", "BVH 45 steps/s, 14 ms, 379 MiB; forces 2.3 ms in both"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "search_bytes", "device_bytes", *STAGES]),
    "kureck_figure_6_9": dict(
        source="Kureck 2016, figure 6.9: speed over time by sort interval, spheres in the drum", matched=INTERVAL_MATCH, cases=[("drum", 1000000)],
        variants=sort_intervals(GRID + lists([8])["8, per contact"]), prepare=["--shuffle"], x="time", y=["steps_per_second"],
        quoted=["sorting makes it 4 to 5 times faster", "sorting every 0.0001 to 0.001 s gains about 20 % more (spheres)"], columns=["time", "steps_per_second"]),
    "kureck_figure_6_10": dict(
        source="Kureck 2016, figure 6.10: the same with tablets", matched=INTERVAL_MATCH + "; " + TABLET_MATCH, cases=[("drum_tablets", 1000000)],
        variants=sort_intervals([]), prepare=["--shuffle"], x="time", y=["steps_per_second"],
        quoted=["sorting makes it 4 to 5 times faster", "every 0.0001 to 0.001 s is a good choice for tablets as well"], columns=["time", "steps_per_second"]),
    "kureck_figure_6_11": dict(
        source="Kureck 2016, figure 6.11: the same with the old code, which searches and computes forces in one loop", matched=INTERVAL_MATCH + "; spheres "
        "alone: bodies other than spheres are served by the default list", cases=[("drum", 1000000)], variants=sort_intervals(GRID + OLD),
        prepare=["--shuffle"], x="time", y=["steps_per_second"], quoted=["the effect of sorting is much smaller than with the new kernels"],
        columns=["time", "steps_per_second"]),
    "kureck_6_3_6": dict(
        source="Kureck 2016, 6.3.6: cost of history, 1 M spheres in the drum", matched=DRUM_MATCH + "; his dynamic list: with history sorted by row and kept in place, "
        "without it neither kept nor sorted; each pair once, pairs of a sphere summed by votes (5.2), then by atomics", cases=[("drum", 1000000)],
        variants={"dynamic list, history, every step": GRID + EVERY_STEP + hybrid(0, PER["contact"]) + ["--symmetric-list", "--half-search"],
                  "dynamic list, no history, every step": GRID + EVERY_STEP + hybrid(0, PER["contact"]) + UNSORTED,
                  "dynamic list, no history, sorted, every step": GRID + EVERY_STEP + hybrid(0, PER["contact"]) + [o for o in UNSORTED if o not in ("--list-order", "Unsorted")],
                  "the default, history, every step": EVERY_STEP, "the default, no history, every step": EVERY_STEP + ["--no-history"],
                  "the default, history, 20 steps": EVERY_20, "the default, no history, 20 steps": EVERY_20 + ["--no-history"]},
        x=None, y=["steps_per_second"],
        quoted=["83 steps/s without, 36 with history", "collecting neighbours 1.55 to 3.42 ms, triangles 1.94 to 6.10 ms; forces 2.21 to 2.32 ms, 0.40 to 0.46 ms"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "device_bytes", *STAGES]),
    "kureck_6_3_7": dict(
        source="Kureck 2016, 6.3.7: what static lists are for, and the fastest way to track contacts (his open questions), 1 M spheres", matched=BOX_MATCH +
        "; drum: " + DRUM_MATCH + "; " + LIST_MATCH, cases=[("settled", 1000000), ("drum", 1000000)], base=62500,
        variants={f"{name}, {often}": GRID + rate + options for often, rate in (("every step", EVERY_STEP), ("20 steps", EVERY_20)) for name, options in
                  {"dynamic, unsorted, no history": hybrid(0, PER["contact"]) + UNSORTED, "static 8, unsorted, no history": lists([8])["8, per contact"],
                   "dynamic, history in place": hybrid(0, PER["contact"]) + ["--symmetric-list", "--half-search"],
                   "static 8, history": hybrid(8, PER["contact"]) + ["--symmetric-list", "--half-search"],
                   "static 8, per particle, history": hybrid(8, "Particle") + ["--symmetric-list", "--half-search"],
                   "slots alone, per particle, history": ["--neighbor-list", "Static", "--symmetric-list", "--half-search"]}.items()} |
        {"the default, history, every step": EVERY_STEP, "the default, no history, every step": EVERY_STEP + ["--no-history"],
         "the default, history, 20 steps": EVERY_20, "the default, no history, 20 steps": EVERY_20 + ["--no-history"]},
        x=None, y=["steps_per_second"],
        quoted=["'Still to be analyzed is the role of static neighbor lists and what is the fastest way of tracking and re-using contacts'"],
        prepare=["--stages"], columns=["steps_per_second", "rebuild_ms", "step_ms_without_rebuild", "static_size", "list_pairs_per_particle", "device_bytes", *STAGES]),
}


def arguments():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("names", nargs="*", metavar="NAME")
    p.add_argument("--bench", default=str(ROOT / "build-bench/bin/paragrain-bench"))
    p.add_argument("--out", default="papers")
    p.add_argument("--device", default="auto", choices=["auto", "cpu", "cuda"])
    p.add_argument("--seconds", type=float, default=1, help="of each timed run")
    p.add_argument("--settle-seconds", type=float, default=5, help="to prepare a case, at most (settled beds: checked every 1000 steps)")
    p.add_argument("--limit", type=float, default=0, help="seconds of a case; what is then not timed has no row (0: no limit)")
    p.add_argument("--scale", type=float, default=1, help="of the numbers of particles")
    p.add_argument("--base", type=int, default=100000, help="grains that are settled, or in a slice of the drum, before images are put together")
    p.add_argument("--most", type=int, default=0, help="the most particles of a case (0: no limit)")
    p.add_argument("--commit", default="", help="of the benchmark, where the repository is not at hand; papers.json stores it with the figures")
    p.add_argument("--list", action="store_true")
    p.add_argument("--plot", action="store_true")
    p.add_argument("--smoke", action="store_true", help="tiny, on the CPU unless --device cuda; fails where a row is not sane")
    return p.parse_args()


def run(a, folder, figure_name, figure):
    """One row of the CSV for each case, size and variant (and part of a series)."""
    rows, seen = [], set()
    names = list(figure["variants"])
    for case, particles in figure["cases"]:
        n = round(particles * a.scale)
        n = max(min(n, a.most) if a.most else n, figure.get("least", 500))
        if (case, n) in seen:
            continue
        seen.add((case, n))
        base = max(a.base, 4000) if "base" in figure and a.smoke else figure.get("base", a.base)
        (folder / "variants.json").write_text(json.dumps([figure["variants"][v] for v in names]))
        command = [a.bench, "--case", case, "--particles", str(n), "--device", a.device, "--base", str(base), "--data", str(ROOT / "Data"),
                   "--seconds", str(a.seconds), "--settle-seconds", str(a.settle_seconds), "--variants", str(folder / "variants.json"),
                   "--json", str(folder / "out.json")] + figure.get("prepare", []) + a.more
        begin = time.time()
        out = folder / "out.json"
        out.unlink(missing_ok=True)
        try:
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=a.limit or None)
            if done.returncode:
                sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stdout[-2000:]}")
        except subprocess.TimeoutExpired:
            print(f"  {case} {n}: stopped after {a.limit:g} s", flush=True)
        for name, result in zip(names, json.loads(out.read_text()) if out.exists() else []):
            base = {"case": case, "variant": name, "particles": result.get("particles", n), "lost": result.get("lost", ""), "steps": result.get("steps", ""),
                    "device": result.get("device", ""), "error": result.get("error", ""), **{c: result.get(c, "") for c in SAME}}
            if "rows" in result:
                paper = figure["paper"].get(name, {})
                rows += [{**base, **row, "paper": paper.get(row["incidence"], "")} for row in result["rows"]]
            elif "series" in result:
                rows += [{**base, "time": t, "steps_per_second": rate} for t, rate in result["series"]]
            else:
                rows.append({**base, **{c: result.get(c, "") for c in figure["columns"]}})
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
    with open(path, "w", newline="", encoding="utf-8") as out:
        for line in [figure["source"], "matched: " + figure["matched"]] + ["the paper: " + q for q in figure["quoted"]]:
            out.write(f"# {line}\n")
        table = csv.DictWriter(out, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
    origin.keep(pathlib.Path(a.out) / "papers.json", name, rows, a.commit)


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


def integrated_rebound(incidence, ratio, e=0.95, mu=0.75, steps=4000):
    """-v_t' / v_n' by the linear law with history and without tangential damping. Units: mass, normal stiffness and normal velocity are 1. The normal motion
    is the closed form of a damped oscillator; the slip is integrated, where 3.5 is 1 + m r^2 / I."""
    damping = -math.log(e) / math.hypot(math.log(e), math.pi)
    swing = math.sqrt(1 - damping * damping)
    dt = math.pi / swing / steps
    slip, stretch = incidence, 0
    for k in range(steps):
        t = (k + 0.5) * dt
        depth = math.exp(-damping * t) * math.sin(swing * t) / swing
        approach = math.exp(-damping * t) * math.cos(swing * t) - damping * depth
        most = mu * abs(depth + 2 * damping * approach) / ratio
        stretch = max(-most, min(most, stretch + slip * dt))
        slip -= 3.5 * ratio * stretch * dt
    return slip / e


def fitted_ratio(wanted):
    """The stiffness ratio whose sphere rebounds so at the incidence 1."""
    low, high = 0.05, 2 / 7
    for _ in range(14):
        ratio = 0.5 * (low + high)
        low, high = (ratio, high) if integrated_rebound(1, ratio) > wanted else (low, ratio)
    return 0.5 * (low + high)


def rebound_faults(figure, rows):
    """With history: the integration above at all incidences, the table's values at 0 and 1 (to which the ratio is fitted), and Walton's sliding line from 8
    on. Without: the slip keeps its direction, as in the table."""
    bad, ratio = [], fitted_ratio(-0.35 / 0.95)
    for r in rows:
        x, y = float(r["incidence"]), float(r["reflexion"])
        if r["variant"] == "with history":
            walton = figure["lines"]["sliding"](x) if x >= 8 else figure["paper"]["with history"][x]
            good = abs(y - integrated_rebound(x, ratio)) < 0.01 and (1 < x < 8 or abs(y - walton) < 0.02)
        else:
            good = 0 <= y <= x / 0.95
        if not good:
            bad.append(f"{r['variant']}, {x:g}: {y:.3f}")
    return bad


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
        if "paper" in figure:
            return [f"{name}: {b}" for b in bad + rebound_faults(figure, back)]
        if not any(float(r[c]) > 0 for r in back for c in SAME if r[c]) and name not in ("kureck_6_6", "kureck_6_7"):
            bad.append("nothing touches in any row")
    return [f"{name}: {b}" for b in bad]


def main():
    a = arguments()
    a.more = []
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
    os.makedirs(a.out, exist_ok=True)
    if not a.plot and not os.path.exists(a.bench):
        sys.exit(f"{a.bench} is missing: build it (./dev bench) or give --bench")
    bad, begin = [], time.time()
    with tempfile.TemporaryDirectory() as folder:
        for name in a.names or FIGURES:
            figure = FIGURES[name]
            print(f"{name}: {figure['source']}", flush=True)
            if not a.plot:
                rows = run(a, pathlib.Path(folder), name, figure)
                if a.smoke:
                    bad += check(name, figure, rows, pathlib.Path(a.out) / f"{name}.csv")
                if not rows:
                    continue
            elif not (pathlib.Path(a.out) / f"{name}.csv").exists():
                print("  not run yet")
                continue
            plot(a, name, figure)
    print(f"{time.time() - begin:.0f} s, in {a.out}")
    for line in bad:
        print("FAILED", line)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
