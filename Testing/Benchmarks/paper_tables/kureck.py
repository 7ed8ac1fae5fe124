"""Kureck 2016: neighbour lists, sorting and searches of XPS."""
from .findings import best, faster, shorter
from .options import (BVH, EVERY_20, EVERY_STEP, FUSED, GRID, LEVELS, PER, STAGES, UNMOVED, UNSORTED, hybrid, lists, with_all)


def sorted_lists(sizes):
    """Sorted lists with history and sums in the order of Ids, which give the bits of the default."""
    return {f"{size}, per {per.lower()}, sorted, history": hybrid(size, per) for per in ("Contact", "Particle") for size in sizes}


def gains_more(sorted_new, unsorted_new, sorted_old, unsorted_old):
    """Sorting gains more in the new code than in the old."""
    return lambda t: (t[sorted_new]["steps_per_second"] * t[unsorted_old]["steps_per_second"] >
                      t[sorted_old]["steps_per_second"] * t[unsorted_new]["steps_per_second"])


def sort_intervals(search):
    """Kureck's, in steps and in seconds."""
    out = {"sorted every search": [], "never sorted": ["--sort-particles", "Never"],
           **{f"every {k} steps": ["--sort-particles", "Every Steps", "--sort-steps", str(k)] for k in (10, 100)},
           **{f"every {t} s": ["--sort-particles", "Every Time", "--sort-time", t] for t in ("0.0001", "0.001", "0.01")}}
    return with_all(out, search + EVERY_STEP + ["--series", "20"])


OLD = FUSED + ["--no-history"]  # the same in Kureck's old code
NEW = GRID + lists([8])["8, per contact"]  # his fastest for spheres (6.3.3)
INTERVALS = ["--shuffle", "--steps", "750"]  # 15 ms of a drum, in which data sorted every 10 ms are sorted twice
SORTING_PAYS = [("sorting makes it at least 4 times as fast (there 4 to 5 times)", faster("sorted every search", "never sorted", 4))]

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

# Rows of table 6.3, those that tell most first: steps/s, ms of the search, ms of both lists.
SIZES_100M = {"8, per contact": (2.19, 176, 124), "0, per contact": (2.04, 194, 153), "8, per particle": (2.05, 176, 152), "4, per contact": (2.08, 182, 166),
              "4, per particle": (1.91, 182, 190), "1, per contact": (1.85, 193, 198), "2, per contact": (1.82, 190, 212), "1, per particle": (1.84, 193, 199),
              "2, per particle": (1.81, 190, 212)}
COATER = {"new: static 8, per contact, every step": (13.4, 16.1, 19.6, 11.75, 1, 2.5), "old: one loop, triangles in the grid": (0.96, "", 135, "", 104.5, 760),
          "unsorted, every step": (2.8, 216, 103, 15, 1.2, 2.5), "old, unsorted": (0.76, "", 400, "", 110, 760)}

# Kureck's list with both of his searches, and what the default takes for unequal radii.
BOTH_SEARCHES = {"grid": GRID + lists([8])["8, per contact"], "BVH": BVH + lists([8])["8, per contact"], "Hierarchical Grid, the default list": LEVELS}
TABLET_LISTS = {"every step": EVERY_STEP, "every step, no history": EVERY_STEP + ["--no-history"], "the default, 20 steps": EVERY_20}

FIGURES = {
    "kureck_6_1": dict(
        source="Kureck 2016, table 6.1 and figure 6.5: oblique impacts of a steel sphere on a wall",
        matched="e = 0.95, mu = 0.75; the linear law without tangential damping, its stiffness ratio fitted so that the sphere rebounds with Walton's beta0 = 0.35 at the "
                "incidence 1 (fitted, so not a result there); without history the default damping (the thesis does not state its own, which slides sooner), so these values do not compare; between 1 and 8 the linear law is not Walton's model: it bends sooner (-0.56 at 2, -0.55 at 3), as an integration of "
                "its equations in paper_tables/rebound.py, to 0.01; lines: Walton's rolling and sliding solutions (equation 6.1)",
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
        variants=with_all({name: lists([0, 1, 2, 4, 8])[name] for name in SIZES_100M}, GRID + EVERY_STEP + ENTRIES_100M) |
        {"the default": EVERY_STEP + ENTRIES_100M, "the default, 20 steps": EVERY_20},
        x=None, y=["steps_per_second", "step_ms_without_rebuild"],
        theirs={name: dict(zip(("steps_per_second", "collect_ms", "pair_force_ms"), values)) for name, values in SIZES_100M.items()},
        findings=[("8 slots are faster than the dynamic list, per contact", faster("8, per contact", "0, per contact")),
                  ("8 slots are faster than the dynamic list, per particle", faster("8, per particle", "0, per contact")),
                  ("8 slots are the best size, per contact", best("8, per contact", ["0, per contact", "4, per contact", "8, per contact"])),
                  ("8 slots are the best size, per particle", best("8, per particle", ["0, per contact", "4, per particle", "8, per particle"])),
                  ("1 and 2 slots are slower than the dynamic list, per contact", lambda t: max(t[f"{k}, per contact"]["steps_per_second"] for k in (1, 2)) < t["0, per contact"]["steps_per_second"]),
                  ("at 8 slots, per contact is faster than per particle", faster("8, per contact", "8, per particle")),
                  ("the search is shorter with slots", shorter("8, per contact", "0, per contact", "collect_ms"))],
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
        theirs={name: dict(zip(("steps_per_second", "collect_ms", "pair_force_ms", "collect_walls_ms", "wall_force_ms", "triangles_ms"), values))
                for name, values in COATER.items()},
        findings=[("the new code is 2.8 times as fast as the old without the time that triangles take (he computes 2.82)",
                   faster("new: static 8, per contact, every step", "old: one loop, triangles in the grid", 2.8)),
                  ("per contact is the fastest of the new", best("new: static 8, per contact, every step", [f"new: {name}, every step" for name in ("static 8, per contact", "static 8, per particle", "dynamic list")])),
                  ("forces of triangles take less than a tenth of those of pairs in the new code (1 ms, 19.6 ms)",
                   lambda t: t["new: static 8, per contact, every step"]["wall_force_ms"] < 0.1 * t["new: static 8, per contact, every step"]["pair_force_ms"]),
                  ("sorting makes the new code at least 3 times as fast (6.10: 4.8 times)", faster("new: static 8, per contact, every step", "unsorted, every step", 3)),
                  ("sorting gains more in the new code than in the old (6.10: 1.3 times)",
                   gains_more("new: static 8, per contact, every step", "unsorted, every step", "old: one loop, triangles in the grid", "old, unsorted"))],
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
        variants=sort_intervals(NEW), prepare=INTERVALS, x="time", y=["steps_per_second"],
        findings=SORTING_PAYS + [("sorting every 0.0001 or 0.001 s is at least 1.1 times as fast as in every search (there about 1.2 times)",
                                  lambda t: max(t[f"every {k} s"]["steps_per_second"] for k in ("0.0001", "0.001")) > 1.1 * t["sorted every search"]["steps_per_second"])],
        quoted=["sorting makes it 4 to 5 times faster", "sorting every 0.0001 to 0.001 s gains about 20 % more (spheres)"], columns=["time", "steps_per_second"]),
    "kureck_figure_6_10": dict(
        source="Kureck 2016, figure 6.10: the same with tablets", matched=INTERVAL_MATCH + "; " + TABLET_MATCH, cases=[("drum_tablets", 1000000)],
        variants=sort_intervals([]), prepare=INTERVALS, x="time", y=["steps_per_second"], findings=SORTING_PAYS,
        quoted=["sorting makes it 4 to 5 times faster", "every 0.0001 to 0.001 s is a good choice for tablets as well"], columns=["time", "steps_per_second"]),
    "kureck_figure_6_11": dict(
        source="Kureck 2016, figure 6.11: the same with the old code, which searches and computes forces in one loop", matched=INTERVAL_MATCH + "; spheres "
        "alone: bodies other than spheres are served by the default list; rows 'new' are those of figure 6.9", cases=[("drum", 1000000)],
        variants=sort_intervals(GRID + OLD) | {f"new, {name}": sort_intervals(NEW)[name] for name in ("sorted every search", "never sorted")},
        findings=[("sorting gains less in the old code than in the new", gains_more("new, sorted every search", "new, never sorted", "sorted every search", "never sorted"))],
        prepare=INTERVALS, x="time", y=["steps_per_second"], quoted=["the effect of sorting is much smaller than with the new kernels"],
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
