"""Pacevic and Kaceniauskas 2022: contact search by a hash table of fixed size."""
from .findings import faster, shorter
from .options import EVERY_STEP, GRID, UNMOVED, with_all

DENSE = ["--cells-per-particle", "0"]  # the uniform grid of Pacevic: cells for all of the domain
PACEVIC = EVERY_STEP + ["--integrator", "Gear Predictor-Corrector", "--precision", "double", "--neighbor-list", "Static"]
HASHES = ("Morton", "Uniform", "Universal")


def hashes(factors):
    """Pacevic's: the pairs of bucket and grain are sorted once, the grains' data stay in place."""
    return {f"{function} S{k}": ["--broad-phase", "Hashed Infinite Grid", "--hash-function", function, "--hash-table-factor", str(k), *UNMOVED]
            for function in HASHES for k in factors}


def ordered(methods):
    """The same, with the grains' data brought into the order of the table or of the cells, by the same sort."""
    return {f"{name}, data in its order": [o for o in options if o not in UNMOVED] + (["--hash-order", "Bucket"] if "--hash-function" in options else [])
            for name, options in methods.items()}


PACEVIC_MATCH = ("sizes of the paper; timed after at most 0.5 s of motion, not over the first 40,000 steps; double precision, Gear, search every step, a thread a grain with a "
                 "slot for each neighbour (there 12, here as many as the longest row has: rows have a skin, his are what touches); "
                 "pairs of bucket and grain are sorted once and data stay in place, as there; 'data in its order': that sort also moves the data; a grain in each corner of the large boxes spans the grid")

FILL, AVALANCHE = (117649, 970299, 1906624, 2863288, 3723875), (108640, 963600, 1649520, 2053430, 3237300, 4241517)
PACEVIC_ALL = [(case, n) for case in ("hopper_fill", "hopper_discharge") for n in FILL] + [("avalanche", n) for n in AVALANCHE]
PACEVIC_SMALL = [("hopper_fill", 117649), ("hopper_discharge", 117649), ("avalanche", 108640)]
PACEVIC_LARGE = [("hopper_fill", 970299), ("hopper_discharge", 970299), ("avalanche", 963600)]
RATE = "particle_steps_per_second"
UGM = {"grid": GRID + DENSE + UNMOVED}


def step_by_size(cases, methods, cundall, saved):
    """Figure 6 for one of the problems."""
    findings = [("the uniform hash takes at most 4.9 % longer than the grid", faster("Uniform S1", "grid", 1 / 1.049, RATE)),
                ("Morton S5 takes 7.4 to 29.9 % less time than S1", faster("Morton S5", "Morton S1", 1 / (1 - 0.074), RATE)),
                ("Morton is faster than the uniform hash from 900,000 grains on", faster("Morton S1", "Uniform S1", 1, RATE), 900000)]
    if "Universal S1" in methods:
        findings += [("the universal hash is the slowest", lambda t: t["Universal S1"][RATE] == min(row[RATE] for row in t.values()))]
    return dict(
        source="Pacevic and Kaceniauskas 2022, figure 6: a step by number of grains (Tesla P100)", matched=PACEVIC_MATCH, cases=cases,
        variants=with_all({**UGM, **{name: hashes([1, 5])[name] for name in methods}}, PACEVIC), x="particles", y=[RATE],
        theirs={("Morton S5", max(n for _, n in cases)): {RATE: cundall}}, findings=findings,
        quoted=[f"Morton S5 over S1: {saved} less time where there are most grains; Cundall number (grains x steps/s): {cundall:g}",
                "uniform hash within 4.9 % of the grid; Morton differs from the grid by up to 19.4 % of a step"],
        columns=[RATE, "rebuild_ms"])


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
        findings=[(f"{name}: a table five times as large is searched faster", shorter(f"{name} S5", f"{name} S1", "rebuild_ms")) for name in HASHES] +
                 [(f"{name}: from S2 to S5 little is gained (5 % at most)", shorter(f"{name} S2", f"{name} S5", "rebuild_ms", 1.05)) for name in ("Morton", "Uniform")],
        quoted=["larger tables are faster in most cases; from S2 to S5 little is gained with Uniform and Morton"],
        columns=["rebuild_ms", "steps_per_second", "search_bytes"]),
    **{f"pacevic_6_{name}": step_by_size(*rest) for name, *rest in (
        ("fill", [("hopper_fill", n) for n in FILL], ["Uniform S1", "Morton S1", "Universal S1", "Morton S5"], 6.11e7, "29.9 %"),
        ("discharge", [("hopper_discharge", n) for n in FILL], ["Uniform S1", "Morton S1", "Universal S1", "Morton S5"], 3.05e7, "21.8 %"),
        ("avalanche", [("avalanche", n) for n in AVALANCHE], ["Uniform S1", "Morton S1", "Morton S5"], 4.61e7, "28.1 %"))},
}
