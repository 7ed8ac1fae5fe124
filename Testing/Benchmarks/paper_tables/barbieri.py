"""Barbieri et al.: searches of neighbours in a uniform grid."""
from .options import COUNTED, GRID


def grids():
    """Barbieri's methods, by his names."""
    out = {"Sorting": GRID, "Sorting, Morton order": GRID + ["--cell-order", "Morton"], "sorted by counting (not in the paper)": COUNTED}
    for form, name in (("Loose", "Linked List Loose"), ("Tight", "Linked List Tight"), ("Loose Packed", "Linked List Loose Packed")):
        out[name] = ["--broad-phase", "Linked Cells", "--linked-cells", form]
    for form, name in (("Column Major", "Fixed Grid"), ("Row Major", "Fixed Grid, row major"), ("Counted", "Fixed Grid, counted")):
        out[name] = ["--broad-phase", "Fixed Cells", "--fixed-cells", form]
    return out


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
}
