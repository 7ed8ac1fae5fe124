"""Nakahara and Washizawa: search and forces in one loop or in two."""
from .options import EVERY_STEP, FUSED, GRID, STAGES, with_all

FIGURES = {
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
}
