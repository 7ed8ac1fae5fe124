#!/usr/bin/env python3
"""The three problems of Pacevic and Kaceniauskas 2022 (section 4) as .dem files: their geometry, materials, integrator and search.

    pacevic_cases.py                    writes the reduced cases pacevic_fill.dem, pacevic_discharge.dem, pacevic_avalanche.dem beside itself
    pacevic_cases.py PROBLEM N FILE     one problem (fill, discharge, avalanche) with N grains, such as those of the paper

Sizes of the paper: fill and discharge 117649, 970299, 1906624, 2863288, 3723875; avalanche 108640, 963600, 1649520, 2053430, 3237300,
4241517. Radii follow from N, as there: 0.01 m at 117649, 0.037 m at 108640. Python alone is needed.
"""
import json
import math
import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
REDUCED = {"fill": 3375, "discharge": 3375, "avalanche": 3300}
SPACING = 2.02  # distance of neighbours, in radii
PAPER = "Pacevic and Kaceniauskas 2022"


def rounded(value):
    if isinstance(value, (list, tuple)):
        return [rounded(x) for x in value]
    return float(f"{value:.12g}")


def common(description, materials, packing, end, interval):
    """The paper integrates with Gear's method in double precision and searches in every step in a hashed grid. Here lists last for some
    steps, which changes no bit."""
    return {"$schema": "../dem.schema.json", "version": 1, "description": description, "materials": materials, "packings": [packing],
            "integrator": "Gear Predictor-Corrector", "precision": "Double", "broad_phase": "Hashed Infinite Grid",
            "end_time": end, "output_interval": interval}


def hopper(n, discharge):
    side = math.ceil(n ** (1 / 3) - 1e-6)
    radius = 0.49 / side
    grain = {"name": "Grain", "youngs_modulus": 2.36e8, "poissons_ratio": 0.2, "density": 1290, "restitution": 0.5, "friction": 0.4}
    wall = {"name": "Wall", "youngs_modulus": 2.63e9, "poissons_ratio": 0.35, "density": 7800, "restitution": 0.5, "friction": 0.4}
    text = (f"Hopper {'discharge' if discharge else 'fill'} of {PAPER}: cubic part of 1 m, pyramid 0.4 m high, orifice 0.5 m wide"
            + (", above a box of 8 m x 8 m x 0.5 m; the gate slides away at 0.5 s. " if discharge else ", closed by a gate. ")
            + f"{n} grains of radius {radius:.4g} m (the paper: 117,649 of 0.01 m and more). Nothing is softened. The paper gives no density and "
              "restitution of walls; 7800 kg/m^3 and 0.5 are ours. Made by pacevic_cases.py.")
    corner = -0.5 * SPACING * radius * side
    packing = {"kind": "Lattice", "lower": rounded([corner, corner, 0.9]), "upper": rounded([-corner, -corner, 0.9 - 2 * corner]), "count": n,
               "radius": rounded(radius), "spacing": rounded(SPACING * radius * (1 - 1e-9)), "material": "Grain"}
    out = common(text, [grain, wall], packing, 2 if discharge else 0.5, 0.02)
    gate = {"name": "Gate", "kind": "Mesh", "file": "../Geometry/hopper_gate.stl", "material": "Wall"}
    out["walls"] = [{"name": "Hopper", "kind": "Mesh", "file": "../Geometry/hopper.stl", "material": "Wall"}, gate]
    if discharge:
        gate["motion"] = {"kind": "Translation", "velocity": [4, 0, 0], "start": 0.5, "stop": 0.65}
        out["walls"].append({"name": "Box", "kind": "Mesh", "file": "../Geometry/hopper_box.stl", "material": "Wall"})
        out["domain"] = {"lower": [-4.1, -4.1, -0.1], "upper": [4.1, 4.1, 2.0]}
    else:
        out["domain"] = {"lower": [-0.55, -0.55, 0.45], "upper": [0.55, 0.55, 2.0]}
    out["domain"]["exit"] = {"x": "Remove", "y": "Remove", "z": "Remove"}
    return out


def avalanche(n):
    """The paper's counts are products such as 97 x 32 x 35 and 240 x 79 x 87: cuboids of 7.2 x 2.4 x 2.6 m."""
    radius = 0.037 * (108640 / n) ** (1 / 3)
    across = max(1, round(2.4 / (2 * radius)))
    along = max(1, round(7.2 / (2 * radius)))
    high = math.ceil(n / (along * across))
    angle, length, width, start = math.radians(10), 12, 4, -15
    foot = [start + length * math.cos(angle), -width / 2, 6 - length * math.sin(angle)]
    slope = [-length * math.cos(angle), 0, length * math.sin(angle)]
    up = [5.5 * math.sin(angle), 0, 5.5 * math.cos(angle)]
    pitch = SPACING * radius
    lower = [-14.8, -0.5 * across * pitch, 6.05]
    upper = [lower[0] + along * pitch, -lower[1], lower[2] + high * pitch]
    text = (f"Avalanche of {PAPER}: a cuboid of grains falls into a channel of 12 m x 4 m inclined by 10 degrees, with walls of 5.5 m; its ends "
            f"are 6 m and 4 m above the floor of a box of 32 m x 20 m x 9.5 m. {n} grains of radius {radius:.4g} m (the paper: 108,640 of "
            "0.037 m and more). Nothing is softened. The paper gives no material of walls and no place of the channel in the box; here walls are "
            "as grains. Made by pacevic_cases.py.")
    grain = {"name": "Grain", "youngs_modulus": 9.33e6, "poissons_ratio": 0.3, "density": 920, "restitution": 0.5, "friction": 0.05}
    packing = {"kind": "Lattice", "lower": rounded(lower), "upper": rounded(upper), "count": n, "radius": rounded(radius),
               "spacing": rounded(pitch * (1 - 1e-9)), "material": "Grain"}
    out = common(text, [grain], packing, 5, 0.05)

    def rectangle(name, corner, u, v):
        return {"name": name, "kind": "Rectangle", "origin": rounded(corner), "edge_u": rounded(u), "edge_v": rounded(v)}
    left = [foot[0], width / 2, foot[2]]
    out["walls"] = [rectangle("Channel", foot, slope, [0, width, 0]), rectangle("Right", foot, slope, up), rectangle("Left", left, slope, up)]
    out["domain"] = {"lower": [-16, -10, 0], "upper": [16, 10, 9.5]}
    return out


def case(problem, n):
    return avalanche(n) if problem == "avalanche" else hopper(n, problem == "discharge")


def write(problem, n, path):
    document = case(problem, n)
    # Files elsewhere get the path to the geometry from there.
    for wall in document["walls"]:
        if "file" in wall:
            wall["file"] = os.path.relpath(os.path.join(HERE, wall["file"]), os.path.dirname(os.path.abspath(path))).replace(os.sep, "/")
    if os.path.dirname(os.path.abspath(path)) != HERE:
        del document["$schema"]
    rows = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in document.items()]
    with open(path, "w", encoding="utf-8") as text:
        text.write("{\n" + ",\n".join(rows) + "\n}\n")


if __name__ == "__main__":
    if len(sys.argv) == 1:
        for problem, n in REDUCED.items():
            write(problem, n, os.path.join(HERE, f"pacevic_{problem}.dem"))
    elif len(sys.argv) == 4 and sys.argv[1] in REDUCED and sys.argv[2].isdigit() and int(sys.argv[2]) > 0:
        write(sys.argv[1], int(sys.argv[2]), sys.argv[3])
    else:
        sys.exit(__doc__)
