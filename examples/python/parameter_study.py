"""A sphere falls from three heights with three coefficients of restitution. Shows how to change
properties of a pipeline in a loop and to collect results.

Writes parameter_study.csv and, with matplotlib, parameter_study.png to OUT. Compares the root of the
height of the rebound over the height of the fall with the coefficient of restitution, within 1 %, at
every height.

    PV_PLUGIN_PATH=<plugins> pvpython parameter_study.py [OUT]     default: the current folder
"""
import csv
import math
import os
import sys

import checks
from paraview import servermanager
from paraview.simple import *

OUT = sys.argv[1] if len(sys.argv) > 1 else "."
os.makedirs(OUT, exist_ok=True)
RADIUS = 0.005  # m
HEIGHTS = (0.1, 0.2, 0.4)  # m, gap between sphere and floor
RESTITUTIONS = (0.4, 0.6, 0.8)
G = 9.81  # m/s^2

sphere = DEMPacking(Size=[2 * RADIUS] * 3, Count=1, Arrangement="Lattice", RadiusDistribution="Single",
                    Radius=RADIUS, Spacing=0)
# The lower border of the domain is the floor. For a contact with a wall the restitution of the wall
# counts, not that of the grain.
run = DEMSimulation(Particles=sphere, OutputInterval=0.002, TimeStep=1e-5, Gravity=[0, 0, -G],
                    Device="CPU", AutomaticDomain=0, Domain=[-0.1, 0.1, -0.1, 0.1, 0, 0.5],
                    YoungsModulus=5e7, WallYoungsModulus=5e7)  # Pa; an impact lasts 0.6 ms


def rebound(height, restitution):
    """Largest height (m) after the first impact. 2 ms between outputs change it by 5 micrometres."""
    sphere.LowerCorner = [-RADIUS, -RADIUS, height]
    run.WallRestitution = restitution
    fall = math.sqrt(2 * height / G)  # s
    run.EndTime = fall * (1 + 1.2 * restitution)
    run.UpdatePipelineInformation()
    top = 0
    for time in run.TimestepValues:
        if time > fall * (1 + 0.8 * restitution):  # the top of the rebound is at 1 + restitution
            run.UpdatePipeline(time)
            top = max(top, servermanager.Fetch(run, idx=0).GetPoint(0)[2] - RADIUS)
    return top


rows = [(h, e, rebound(h, e)) for h in HEIGHTS for e in RESTITUTIONS]
with open(os.path.join(OUT, "parameter_study.csv"), "w", newline="") as file:
    table = csv.writer(file)
    table.writerow(["height (m)", "restitution", "rebound (m)"])
    table.writerows([h, e, f"{top:.6g}"] for h, e, top in rows)

try:
    import matplotlib
    matplotlib.use("Agg")
    import matplotlib.pyplot as plot
    for h, size in zip(HEIGHTS, (14, 9, 4)):
        plot.plot(RESTITUTIONS, [top / h for height, e, top in rows if height == h], "o",
                  markersize=size, fillstyle="none", label=f"from {h} m")
    line = [0.01 * k for k in range(101)]
    plot.plot(line, [e * e for e in line], "k-", linewidth=0.8, label="e^2")
    plot.xlabel("restitution")
    plot.ylabel("rebound / height of the fall")
    plot.legend()
    plot.savefig(os.path.join(OUT, "parameter_study.png"), dpi=100)
except ModuleNotFoundError:
    print("matplotlib is not installed: no plot (Debian: python3-matplotlib)")

for h, e, top in rows:
    checks.near(f"e = {e:g} from {h:g} m", math.sqrt(top / h), e, 0.01)
checks.finish()
