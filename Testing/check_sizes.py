#!/usr/bin/env python3
"""Checks that files of Kernels, Filters and Plugin have at most 700 lines and functions at most 80. Exits 1 and names each that is longer.

A function is what stands between a line that is only an opening brace and the closing brace of the same indentation, as clang-format puts
them, with the lines of its head."""
import os
import re
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FILE_LINES, FUNCTION_LINES = 700, 80
SOURCES = (".h", ".cuh", ".cu", ".cpp", ".cxx", ".inl")
# Hot kernels that are longer: cutting them changes the code that a device runs (docs/notes/Testing.md).
LONG_FILES = set()
LONG_FUNCTIONS = {
    "Kernels/Bodies/DriftBodies.cuh: move",
    "Kernels/Forces/ShapeBlocks.cuh: operator",
    "Kernels/NeighborList/BuildRows.cuh: list",
    "Kernels/NeighborList/FindInTiles.cuh: findByTiles",
    "Kernels/Shapes/PolyhedraBlock.cuh: operator",
    "Kernels/Shapes/PolyhedraBlock.cuh: prepare",
}
NO_FUNCTION = re.compile(
    r"(struct|class|union|enum|namespace|if|else|for|while|do|switch|case|default|try|catch|return|extern)\b|.*=\s*\[|[^(]*=\s*$")


def functions(lines):
    """(first line, lines, head) of each function."""
    for k, line in enumerate(lines):
        brace = re.fullmatch(r"( *)\{", line)
        if not brace or k == 0:
            continue
        indent = brace.group(1)
        first = k - 1
        while first > 0 and not re.match(indent + r"\S", lines[first]):
            first -= 1
        head = " ".join(part.strip() for part in lines[first:k])
        plain = re.sub(r"^template <[^{]*?>\s*(?=(struct|class|union)\b)", "", head)
        if "(" not in head or NO_FUNCTION.match(plain):
            continue
        end = next((j for j in range(k, len(lines)) if re.match(indent + r"\}", lines[j])), len(lines) - 1)
        yield first + 1, end - first + 1, head


def check():
    wrong, seen_files, seen_functions = [], set(), set()
    for room in ("Filters", "Kernels", "Plugin"):
        for base, _, files in os.walk(os.path.join(root, room)):
            for name in sorted(files):
                if not name.endswith(SOURCES):
                    continue
                path = os.path.relpath(os.path.join(base, name), root)
                with open(os.path.join(root, path), encoding="utf-8") as text:
                    lines = text.read().split("\n")
                if len(lines) - 1 > FILE_LINES:
                    seen_files.add(path)
                    if path not in LONG_FILES:
                        wrong.append(f"{path}: {len(lines) - 1} lines, at most {FILE_LINES} are allowed")
                for first, length, head in functions(lines):
                    if length <= FUNCTION_LINES:
                        continue
                    called = re.search(r"([\w:~]+|operator\(\))\s*\($", head[:head.index("(") + 1].replace("operator()(", "operator()("))
                    key = f"{path}: {called.group(1) if called else head[:40]}"
                    seen_functions.add(key)
                    if key not in LONG_FUNCTIONS:
                        wrong.append(f"{path}:{first}: {key.split(': ')[1]} has {length} lines, at most {FUNCTION_LINES} are allowed")
    wrong += [f"{entry}: no longer needs its exception" for entry in sorted((LONG_FILES - seen_files) | (LONG_FUNCTIONS - seen_functions))]
    return wrong


if __name__ == "__main__":
    found = check()
    for line in found:
        print(line)
    print(f"{len(found)} broken size rules")
    sys.exit(1 if found else 0)
