#!/usr/bin/env python3
"""Draws the profiles of the cases spouted-bed and spouts, with matplotlib:

    paragrain-validate --device cuda --case spouted-bed --csv DIR
    paragrain-validate --device cuda --case spouts --csv DIR
    draw_spouts.py DIR Data/Pictures/spouts.png
"""
import csv
import os
import sys

import matplotlib
matplotlib.use("Agg")
from matplotlib import pyplot  # noqa: E402

folder, picture = sys.argv[1:3]


def table(name):
    with open(os.path.join(folder, name + ".csv"), encoding="utf-8") as text:
        rows = list(csv.reader(text))
    return [[float(x) for x in column] for column in zip(*rows[1:])]


figure, axes = pyplot.subplots(2, 4, figsize=(14, 6), layout="constrained")
bed = table("profiles")
for k, height in enumerate(("15 %", "30 %", "45 %", "60 %")):
    here = axes[0][k]
    here.plot(bed[0], bed[1 + 2 * k], "o", ms=3, color="black", label="Yue et al. 2020")
    here.plot(bed[0], [abs(v) for v in bed[2 + 2 * k]], color="tab:blue", label="here, at the walls")
    here.set_title(f"175,800 spheres, {height} of the height", fontsize=9)
    here.set_ylim(0, 0.85)
axes[0][0].legend(fontsize=8)
axes[0][0].set_ylabel("|vertical speed| (m/s)")
for k, name in enumerate(("1 spout", "2 spouts", "3 spouts")):
    here = axes[1][k]
    data = table(name)
    for n, height in enumerate(("20 mm", "50 mm", "100 mm")):
        here.errorbar(data[0], data[1 + 2 * n], yerr=data[2 + 2 * n], capsize=2, lw=1, label=height)
    here.set_title(f"12,000 spheres, {name}", fontsize=9)
    here.set_xlabel("x (mm)")
axes[1][0].legend(fontsize=8)
axes[1][0].set_ylabel("vertical speed (m/s)")
axes[1][3].axis("off")
figure.savefig(picture, dpi=80)
