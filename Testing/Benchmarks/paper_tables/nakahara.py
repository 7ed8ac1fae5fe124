"""Nakahara and Washizawa: search and forces in one loop or in two."""
from .findings import shorter
from .options import EVERY_STEP, FUSED, GRID, BVH, STAGES, with_all

SPLIT = ["--neighbor-list", "Split Loop"]

FIGURES = {
    "nakahara_4": dict(
        source="Nakahara and Washizawa, figure 4: before and after the loops are split (Tesla M2050)",
        matched="N; dense is a settled bed, dilute the lattice with gaps; sorted in every step, as there. `Collide` is pair_force_ms (search in the cells and forces); "
                "contacts in ascending Id, so that bits stay equal",
        cases=[(case, n << 17) for n in (1, 2, 4, 8, 16) for case in ("settled", "gas")], base=65536,
        variants=with_all({"before (None)": FUSED, "after (Split Loop)": SPLIT,
                           "after, a thread per contact": [*SPLIT, "--thread-per", "Contact"],
                           "after, warp reduction": [*SPLIT, "--thread-per", "Contact, Warp Reduction"]}, GRID + EVERY_STEP) |
        {"the default": EVERY_STEP},
        x=None, y=["pair_force_ms", "step_ms_without_rebuild"],
        quoted=["Collide is 2.5 times faster split, where particles are dense; the time of sorting is then comparable to Collide's",
                "the ratio is about the same from 0.1 to 2 million particles"],
        prepare=["--stages"], columns=["step_ms_without_rebuild", "rebuild_ms", "steps_per_second", "static_size", *STAGES]),
    "nakahara_sizes": dict(
        source="Nakahara and Washizawa, section 6: do split loops also pay for grains of different sizes?",
        matched="equal spheres, and spheres with one of ten times the radius for each 3,600; in the uniform grid, whose cells fit the largest grains, and with a "
                "tree (BVH); a Hierarchical Grid is searched for lists alone",
        cases=[("settled", 1 << 20), ("bidisperse", 1 << 20)], base=65536,
        variants=with_all({"grid, before (None)": FUSED + GRID, "grid, after (Split Loop)": SPLIT + GRID,
                           "BVH, before (None)": FUSED + BVH, "BVH, after (Split Loop)": SPLIT + BVH}, EVERY_STEP) | {"the default": EVERY_STEP},
        x=None, y=["pair_force_ms", "step_ms_without_rebuild"], quoted=["left for later work"],
        findings=[("split loops are faster in the grid", shorter("grid, after (Split Loop)", "grid, before (None)", "pair_force_ms")),
                  ("split loops are faster with a tree", shorter("BVH, after (Split Loop)", "BVH, before (None)", "pair_force_ms"))],
        prepare=["--stages"], columns=["step_ms_without_rebuild", "rebuild_ms", "steps_per_second", "static_size", *STAGES]),
}
