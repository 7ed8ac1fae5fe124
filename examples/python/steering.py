"""A sphere on a belt. While the run goes on, the script starts the belt and then tilts gravity. Shows
walls that move, steering (When Changed = Steer) and the list of steering events.

A belt with the speed V drags a sphere at rest until it rolls, then with the speed 2/7 V. A tilt
accelerates a rolling sphere by 5/7 g_x. Compares both speeds with these closed forms, within 1 %.
Then a second simulation reads the events as text and must end with the same bits.

    PV_PLUGIN_PATH=<plugins> pvpython steering.py
"""
import checks
from paraview import servermanager
from paraview.simple import *

RADIUS = 0.01  # m
BELT = 0.7  # m/s
TILT = 1.0  # m/s^2, along x
STARTS, TILTS, ENDS = 0.1, 0.4, 0.7  # s


def simulation(belt, **properties):
    sphere = DEMPacking(LowerCorner=[-RADIUS, -RADIUS, 0], Size=[2 * RADIUS] * 3, Count=1,
                        Arrangement="Lattice", RadiusDistribution="Single", Radius=RADIUS, Spacing=0)
    return DEMSimulation(Particles=sphere, Walls=belt, EndTime=ENDS, OutputInterval=0.01,
                         WallFriction=0.5, LimitDomain=0, Device="CPU", **properties)


def state(run, time):
    """Position (m) and velocity (m/s) along x."""
    run.UpdatePipeline(time)
    data = servermanager.Fetch(run, idx=0)
    return data.GetPoint(0)[0], data.GetPointData().GetArray("Velocity").GetTuple3(0)[0]


sheet = Plane(Origin=[-2, -0.1, 0], Point1=[2, -0.1, 0], Point2=[-2, 0.1, 0])
belt = DEMWall(Input=sheet, WallName="Belt", Motion="Translation", Velocity=[0, 0, 0])
run = simulation(belt, WhenChanged="Steer")

run.UpdatePipeline(STARTS)
belt.Velocity = [BELT, 0, 0]  # from the time shown on
rolling = state(run, TILTS)[1]
run.Gravity = [TILT, 0, -9.81]
end = state(run, ENDS)

print("Steering events:")
print(run.SteeringEvents)
checks.near("speed on the belt, m/s", rolling, 2 / 7 * BELT, 0.01)
checks.near("speed after the tilt, m/s", end[1], rolling + 5 / 7 * TILT * (ENDS - TILTS), 0.01)
checks.true("back to the start and again: same bits", state(run, 0)[1] == 0 and state(run, ENDS) == end)

still = DEMWall(Input=sheet, WallName="Belt", Motion="Translation", Velocity=[0, 0, 0])
replay = simulation(still)
checks.true("without the events the sphere rests", abs(state(replay, ENDS)[1]) < 1e-9)
replay.SteeringEvents = run.SteeringEvents
checks.true("with the events as text: same bits", state(replay, ENDS) == end)
checks.finish()
