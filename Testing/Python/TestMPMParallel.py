"""A continuum on one rank, then on two: data and picture must be equal. The first run stores them,
the second compares."""
import numpy
from dem_testing import MPM_PORTS, Messages, arrays, check, expect_same, fetch
from images import white_view
from mpm_testing import block, mpm
from parallel_testing import RANKS, expect_same_picture, judge, stored, taken
from paraview import simple


def scene(pieces=False, **properties):
    # Boxes and packings come from rank 0. The sphere source gives each rank a piece.
    table = simple.Box(XLength=0.2, YLength=0.2, ZLength=0.02, Center=[0, 0, 0.02])
    ball = simple.Sphere(Radius=0.04, Center=[0, 0, -0.01], ThetaResolution=16, PhiResolution=16)
    wall = simple.DEMWall(Input=ball if pieces else table, OwnMaterial=1, Friction=0.3)
    packing = simple.DEMPacking(LowerCorner=[-0.05, -0.05, 0.17], Size=[0.1, 0.1, 0.05], Spacing=0.01, RadiusDistribution="Single", Radius=0.004,
                                Arrangement="Lattice")
    # MPI may bind a rank to one core.
    return mpm([block(), packing], Walls=[wall], Threads=1, **properties)


s = scene(WhenChanged="Steer")
with Messages() as messages:
    results = {}
    for t in (0.1, 0.2, 0.04):
        s.UpdatePipeline(t)
        results[t] = {port: arrays(fetch(s, port)) for port in MPM_PORTS.values()}
    s.Gravity = [2, 0, -9.81]  # steered: the changes are sent to all ranks
    s.UpdatePipeline(0.16)
    results[0.16] = {port: arrays(fetch(s, port)) for port in MPM_PORTS.values()}
    events = s.SteeringEvents
    average = simple.DEMCellAverage(Input=s, AutomaticBounds=0, Bounds=[-0.125, 0.125, -0.125, 0.125, 0, 0.25], Dimensions=[4, 3, 5], Device="CPU")
    average.UpdatePipeline(0.16)
    averages = {0: arrays(fetch(average))}
    averages[0].pop(("field", "Device"))  # the device name contains the number of threads
    view = white_view(camera=([0.6, -0.5, 0.35], [0, 0, 0.06]), angle=25)
    display = simple.Show(s, view)
    simple.ColorBy(display, None)
    # Transparent objects are lost between ranks where nothing opaque is behind them.
    simple.Show(simple.OutputPort(s, 2), view).DEMWallOpacity = 1
    view.ViewTime = 0.16
    taken(view, "MPMParallel")
# On two ranks the source's pieces meet in a seam that is open by 1e-18 m, and its edges are
# separate walls.
onto_pieces = scene(pieces=True)
pieces = {port: arrays(fetch(onto_pieces, port, 0.2)) for port in MPM_PORTS.values()}
spread = simple.Calculator(Input=simple.Sphere(Radius=0.03, Center=[0, 0, 0.1], ThetaResolution=16), ResultArrayName="Volume", Function="1e-6")
with Messages() as said:
    together = fetch(mpm(spread, FillSurfaces=0), 0, 0.0)  # points of several ranks are gathered


def compare():
    check("rror" not in messages.text, messages.text)
    check(len(results[0.2][0]["points"]) > 4096 and len(results[0.2][3]["row", "Time"]) == 1)
    check(events == "start Gravity 0 0 -9.81\n0.04 Gravity 2 0 -9.81", events)
    check(numpy.nanmax(averages[0]["cell", "MassDensity"]) > 100, "the average of the continuum is empty")
    expect_same_picture("MPMParallel")
    check(not said.text and together.GetNumberOfPoints() >= 98, f"{together.GetNumberOfPoints()} points, {said.text}")
    check(results[0.2][MPM_PORTS["Walls"]]["cell", "Force"].sum(0)[2] < 0, "nothing lies on the table")
    expected = stored("mpm_parallel", dict(results=results, averages=averages, pieces=pieces))
    if not expected:
        return
    for t, now in results.items():
        expect_same(now, expected["results"][t], f"{RANKS} ranks, t = {t}")
    one, two = expected["pieces"], pieces
    for name in ("KineticEnergy", "PotentialEnergy", "Momentum"):
        check(numpy.allclose(one[3]["row", name], two[3]["row", name], rtol=0.05, atol=0.05 * numpy.abs(one[3]["row", name]).max()),
              f"{name}: {one[3]['row', name]} on one rank, {two[3]['row', name]} on {RANKS}")
    check(len(one[2]["cell", "Wall"]) == len(two[2]["cell", "Wall"]), "triangles were lost")
    expect_same(averages, expected["averages"], f"averages on {RANKS} ranks")


judge(compare)
