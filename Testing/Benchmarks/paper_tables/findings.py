"""What papers say of their tables, as tests of the rows."""


def faster(first, second, by=1.0, column="steps_per_second"):
    """The rate of `first` is at least `by` times that of `second`."""
    return lambda t: t[first][column] >= by * t[second][column]


def best(wanted, among, column="steps_per_second"):
    """`wanted` has the largest rate."""
    return lambda t: t[wanted][column] == max(t[name][column] for name in among)


def shorter(first, second, column, most=1.0):
    """The time or size of `first` is at most `most` times that of `second`."""
    return lambda t: t[first][column] <= most * t[second][column]


def tables(rows):
    """{(case, particles): {variant: {column: mean over its rows}}}, of rows without an error."""
    sums = {}
    for r in rows:
        if r["error"]:
            continue
        variant = sums.setdefault((r["case"], r["particles"]), {}).setdefault(r["variant"], {})
        for column, value in r.items():
            if isinstance(value, (int, float)):
                variant.setdefault(column, []).append(value)
    return {at: {name: {c: sum(v) / len(v) for c, v in columns.items()} for name, columns in variants.items()} for at, variants in sums.items()}


def judged(figure, rows):
    """(verdict, text) of each finding: (text, test of a table, least number of particles to which it applies)."""
    out = []
    for text, holds, *least in figure.get("findings", []):
        results = {}
        for (case, particles), table in tables(rows).items():
            try:
                if particles >= sum(least):
                    results[f"{case} {particles}"] = holds(table)
            except KeyError:
                pass  # a row that was not run
        bad = [at for at, good in results.items() if not good]
        verdict = ("not run" if not results else "holds" if not bad else "DOES NOT HOLD" if len(bad) == len(results) else
                   f"holds in {len(results) - len(bad)} of {len(results)}, not in {', '.join(bad)}")
        out.append((verdict, text))
    return out
