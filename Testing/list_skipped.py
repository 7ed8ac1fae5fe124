#!/usr/bin/env python3
"""What a run of ctest left out inside of tests that passed: list_skipped.py BUILD_FOLDER reads the log of the last run, and prints each
reason that GoogleTest gave, with the number of tests."""
import collections
import os
import sys


def main(folder):
    reasons = collections.Counter()
    with open(os.path.join(folder, "Testing", "Temporary", "LastTest.log"), encoding="utf-8", errors="replace") as log:
        lines = iter(log)
        for line in lines:
            if line.rstrip().endswith(": Skipped"):
                reasons[next(lines, "").strip()] += 1
    for reason, count in sorted(reasons.items()):
        print(f"{count} test{'s' if count > 1 else ''} skipped: {reason}")


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
