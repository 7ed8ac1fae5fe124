"""Pacevic and Kaceniauskas 2022: contact search by a hash table of fixed size."""
from .options import EVERY_STEP, GRID, UNMOVED, with_all

DENSE = ["--cells-per-particle", "0"]  # the uniform grid of Pacevic: cells for all of the domain
PACEVIC = EVERY_STEP + ["--integrator", "Gear Predictor-Corrector", "--precision", "double"]


def hashes(factors):
    """Pacevic's: the pairs of bucket and grain are sorted once, the grains' data stay in place."""
    return {f"{function} S{k}": ["--broad-phase", "Hashed Infinite Grid", "--hash-function", function, "--hash-table-factor", str(k), *UNMOVED]
            for function in ("Morton", "Uniform", "Universal") for k in factors}


def ordered(methods):
    """The same, with the grains' data brought into the order of the table or of the cells, by the same sort."""
    return {f"{name}, data in its order": [o for o in options if o not in UNMOVED] + (["--hash-order", "Bucket"] if "--hash-function" in options else [])
            for name, options in methods.items()}


PACEVIC_MATCH = ("sizes of the paper; timed after at most 0.5 s of motion, not over the first 40,000 steps; double precision, Gear, search every step; "
                 "pairs of bucket and grain are sorted once and data stay in place, as there; 'data in its order': that sort also moves the data; a grain in each corner of the large boxes spans the grid")

FILL, AVALANCHE = (117649, 970299, 1906624, 2863288, 3723875), (108640, 963600, 1649520, 2053430, 3237300, 4241517)
PACEVIC_ALL = [(case, n) for case in ("hopper_fill", "hopper_discharge") for n in FILL] + [("avalanche", n) for n in AVALANCHE]
PACEVIC_SMALL = [("hopper_fill", 117649), ("hopper_discharge", 117649), ("avalanche", 108640)]
PACEVIC_LARGE = [("hopper_fill", 970299), ("hopper_discharge", 970299), ("avalanche", 963600)]
UGM = {"grid": GRID + DENSE + UNMOVED}

FIGURES = {
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
}
