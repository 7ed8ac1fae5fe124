"""Grains fall on a floor and come to rest. Shows a packing, a wall, a simulation, its outputs and
the filter DEM Statistics.

Prints a table over time, and compares the load on the floor at the end with the weight of all
grains, within 1 %. The box is periodic in x and y, so the floor alone carries the grains. The energy
balance must be right to 1 % of the energy lost.

    PV_PLUGIN_PATH=<plugins> pvpython first_run.py
"""
import checks
from paraview import servermanager
from paraview.simple import *
from vtkmodules.util.numpy_support import vtk_to_numpy

G = 9.81  # m/s^2

grains = DEMPacking(LowerCorner=[-0.05, -0.05, 0.01], Size=[0.1, 0.1, 0.06], Spacing=0.0125,  # m
                    RadiusDistribution="Uniform", MinimumRadius=0.004, MaximumRadius=0.005)
plane = Plane(Origin=[-0.1, -0.1, 0], Point1=[0.1, -0.1, 0], Point2=[-0.1, 0.1, 0])
floor = DEMWall(Input=plane, WallName="Floor")
run = DEMSimulation(Particles=grains, Walls=floor, EndTime=0.7, OutputInterval=0.01, Gravity=[0, 0, -G],
                    Friction=0.4, WallFriction=0.4, Device="CPU",
                    AutomaticDomain=0, Domain=[-0.05, 0.05, -0.05, 0.05, -0.01, 0.15],
                    ExitX="Periodic", ExitY="Periodic")
statistics = DEMStatistics(Input=run, MixingIndices=0, RadialDistribution=0)


def row(proxy, port, name):
    return servermanager.Fetch(proxy, idx=port).GetRowData().GetArray(name).GetTuple1(0)


print("  time s   kinetic J    lost J   contacts   bed height mm")
for k in range(0, 71, 10):
    time = k * run.OutputInterval
    run.UpdatePipeline(time)  # all outputs of the run; a filter updates only the output that it reads
    statistics.UpdatePipeline(time)
    print(f"{time:8.2f} {row(run, 3, 'KineticEnergy'):11.3e} {row(run, 3, 'DissipatedEnergy'):9.3e}"
          f" {row(run, 3, 'ContactCount'):10.0f} {1e3 * row(statistics, 0, 'BedHeight'):15.2f}")

particles = servermanager.Fetch(run, idx=0)
weight = G * vtk_to_numpy(particles.GetPointData().GetArray("Mass")).sum(dtype=float)  # N
walls = servermanager.Fetch(run, idx=2)
load = -vtk_to_numpy(walls.GetCellData().GetArray("Force"))[:, 2].sum(dtype=float)  # N
lost = row(run, 3, "DissipatedEnergy")  # J
print(f"{particles.GetNumberOfPoints()} grains")
checks.near("load on the floor and weight, N", load, weight, 0.01)
checks.true("energy balance", abs(row(run, 3, "EnergyError")) < 0.01 * lost)
checks.finish()
