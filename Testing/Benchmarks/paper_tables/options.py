"""Lists of options of paragrain-bench that the tables of several papers share."""
EVERY_STEP, EVERY_20 = ["--rebuild", "1"], ["--rebuild", "20"]
# The papers sort cell numbers by a radix sort; the default here counts by atomics.
COUNTED, BVH, LEVELS = ["--broad-phase", "Sorted Grid"], ["--broad-phase", "BVH"], ["--broad-phase", "Hierarchical Grid"]
GRID = COUNTED + ["--cell-sort", "Radix"]
UNMOVED = ["--sort-particles", "Never"]

# Kureck's fastest versions (6.3.3, 5.3): each pair once, in the order in which the search finds it; no history, which would need sorted lists (5.5).
UNSORTED = ["--list-order", "Unsorted", "--symmetric-list", "--half-search", "--no-history"]
PER = {"contact": "Contact, Halving Reduction", "particle": "Particle", "contact, atomics alone": "Contact"}


def hybrid(size, per):
    return ["--neighbor-list", *(["Hybrid", "--static-size", str(size)] if size else ["Dynamic"]), "--thread-per", per]


def lists(sizes, pers=("contact", "particle")):
    """Kureck's hybrid lists: static size 0 is the dynamic list alone, which has no rows for a thread a particle."""
    return {f"{size}, per {per}": hybrid(size, PER[per]) + UNSORTED for per in pers for size in sizes if size or per != "particle"}


def with_all(methods, more):
    return {name: options + more for name, options in methods.items()}


FUSED = ["--neighbor-list", "None"]  # search and force in one loop, as Nakahara's before the split

# Stages of a step, timed apart in more steps; 0 for what the default does in one launch. Forces of shapes are one stage with those of walls: pair_force_ms.
STAGES = ["build_ms", "collect_ms", "collect_walls_ms", "pair_force_ms", "wall_force_ms"]
