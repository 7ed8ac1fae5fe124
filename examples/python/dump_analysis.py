"""Analyses a dump of another code. The script writes a small LAMMPS dump of three columns of spheres
whose overlaps carry the weight above, and reads it with DEM Dump Reader. Shows contacts found from
radii, forces estimated by Hertz's law, force chains, and statistics.

A contact below k grains carries k m g, so all results are known. Compares the number of contacts,
the mean and the largest force (within 0.1 %), the chains and their mean force, and the mass. In the
second frame gravity is twice as strong.

    PV_PLUGIN_PATH=<plugins> pvpython dump_analysis.py [OUT]     default: the current folder
"""
import math
import os
import sys

import checks
from paraview import servermanager
from paraview.simple import *

OUT = sys.argv[1] if len(sys.argv) > 1 else "."
os.makedirs(OUT, exist_ok=True)
COLUMNS, GRAINS = 3, 11  # grains in a column
RADIUS, DENSITY, YOUNG, POISSON, G = 0.005, 2500, 5e6, 0.3, 9.81  # m, kg/m^3, Pa, -, m/s^2
STEP = 1e-5  # s, duration of a step of the run that "wrote" the dump
MASS = 4 / 3 * math.pi * RADIUS ** 3 * DENSITY  # kg


def column(gravity):
    """Heights (m) of the centres, from the top down to 0."""
    stiffness = 4 / 3 * YOUNG / (2 * (1 - POISSON ** 2)) * math.sqrt(RADIUS / 2)  # F = stiffness d^1.5
    heights = [0.0]
    for k in range(GRAINS - 1, 0, -1):  # from the bottom up
        overlap = (k * MASS * gravity / stiffness) ** (2 / 3)
        heights.append(heights[-1] + 2 * RADIUS - overlap)
    return heights[::-1]


dump = os.path.join(OUT, "columns.dump")
with open(dump, "w") as file:
    for step, gravity in ((0, G), (1000, 2 * G)):
        file.write(f"ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n{COLUMNS * GRAINS}\n"
                   "ITEM: BOX BOUNDS ff ff ff\n-0.1 0.1\n-0.1 0.1\n-0.1 0.2\nITEM: ATOMS id x y z radius mass\n")
        for c in range(COLUMNS):
            for i, z in enumerate(column(gravity)):
                file.write(f"{c * GRAINS + i + 1} {0.03 * c} 0 {z:.12g} {RADIUS} {MASS:.9g}\n")

reader = DEMDumpReader(FileNames=[dump], TimeStep=STEP)
network = DEMContactNetwork(Input=reader, ForceLaw="Hertz", YoungsModulus=YOUNG, PoissonsRatio=POISSON)
# A grain carries the mean of the forces above and below it. The mean over a column is 5 m g, and
# with this factor the lower seven grains of each column are a chain.
chains = DEMForceChains(Input=reader, ListOfContacts=network, StressFactor=0.85)
statistics = DEMStatistics(Input=reader)


def value(proxy, port, name):
    return servermanager.Fetch(proxy, idx=port).GetRowData().GetArray(name).GetTuple1(0)


for time, gravity in ((0, G), (1000 * STEP, 2 * G)):
    for source in (network, chains, statistics):
        source.UpdatePipeline(time)
    weight = MASS * gravity  # N
    drawn = servermanager.Fetch(chains, idx=0)
    link = drawn.GetCellData().GetArray("MeanForce").GetRange()
    print(f"{time:g} s:")
    checks.near("contacts", servermanager.Fetch(network, idx=0).GetNumberOfCells(), COLUMNS * (GRAINS - 1), 0)
    checks.near("mean force, N", value(network, 1, "MeanNormalForce"), GRAINS / 2 * weight, 1e-3)
    checks.near("largest force, N", value(network, 1, "LargestNormalForce"), (GRAINS - 1) * weight, 1e-3)
    checks.near("force chains", drawn.GetNumberOfCells(), COLUMNS, 0)
    checks.near("least mean force of a chain, N", link[0], 7.5 * weight, 1e-3)
    checks.near("largest mean force of a chain, N", link[1], 7.5 * weight, 1e-3)
    checks.near("mass of all grains, kg", value(statistics, 0, "Mass"), COLUMNS * GRAINS * MASS, 1e-6)
checks.finish()
