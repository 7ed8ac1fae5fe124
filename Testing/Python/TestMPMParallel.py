"""A continuum on one rank, then on two: data and picture must be equal. The first run stores them,
the second compares."""
import os

import numpy
from dem_testing import WORK, Messages, arrays, check, differences, fetch
from images import coloured, pixels
from mpm_testing import MPM_PORTS, block, mpm
from paraview import simple
from vtkmodules.vtkParallelCore import vtkMultiProcessController

controller = vtkMultiProcessController.GetGlobalController()
ranks = controller.GetNumberOfProcesses() if controller else 1
rank = controller.GetLocalProcessId() if controller else 0


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
    view = simple.CreateRenderView()
    view.ViewSize = [300, 300]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    display = simple.Show(s, view)
    simple.ColorBy(display, None)
    # Transparent objects are lost between ranks where nothing opaque is behind them.
    simple.Show(simple.OutputPort(s, 2), view).DEMWallOpacity = 1
    view.ViewTime = 0.16
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.6, -0.5, 0.35], [0, 0, 0.06], [0, 0, 1]
    view.CameraViewAngle = 25
    simple.SaveScreenshot(os.path.join(WORK, f"MPMParallel{ranks}.png"), view, ImageResolution=[300, 300])
# On two ranks the source's pieces meet in a seam that is open by 1e-18 m, and its edges are
# separate walls.
onto_pieces = scene(pieces=True)
pieces = {port: arrays(fetch(onto_pieces, port, 0.2)) for port in MPM_PORTS.values()}
spread = simple.Calculator(Input=simple.Sphere(Radius=0.03, Center=[0, 0, 0.1], ThetaResolution=16), ResultArrayName="Volume", Function="1e-6")
with Messages() as said:
    together = fetch(mpm(spread, FillSurfaces=0), 0, 0.0)  # points of several ranks are gathered

if rank == 0:
    try:
        check("rror" not in messages.text, messages.text)
        check(len(results[0.2][0]["points"]) > 4096 and len(results[0.2][3]["row", "Time"]) == 1)
        check(events == "start Gravity 0 0 -9.81\n0.04 Gravity 2 0 -9.81", events)
        check(numpy.nanmax(averages[0]["cell", "MassDensity"]) > 100, "the average of the continuum is empty")
        picture = pixels(os.path.join(WORK, f"MPMParallel{ranks}.png"))
        check(coloured(picture) > 5000, "nothing in the picture")
        store = os.path.join(WORK, "mpm_parallel.npy")
        check(not said.text and together.GetNumberOfPoints() >= 98, f"{together.GetNumberOfPoints()} points, {said.text}")
        check(results[0.2][MPM_PORTS["Walls"]]["cell", "Force"].sum(0)[2] < 0, "nothing lies on the table")
        got = dict(results=results, averages=averages, pieces=pieces)
        if ranks == 1:
            numpy.save(store, got, allow_pickle=True)
        else:
            expected = numpy.load(store, allow_pickle=True).item()
            for t, now in results.items():
                for port in MPM_PORTS:
                    k = MPM_PORTS[port]
                    wrong = differences({k: expected["results"][t][k]}, {k: now[k]})
                    check(not wrong, f"{ranks} ranks, t = {t}: {wrong}")
            one, two = expected["pieces"], pieces
            for name in ("KineticEnergy", "PotentialEnergy", "Momentum"):
                check(numpy.allclose(one[3]["row", name], two[3]["row", name], rtol=0.05, atol=0.05 * numpy.abs(one[3]["row", name]).max()),
                      f"{name}: {one[3]['row', name]} on one rank, {two[3]['row', name]} on {ranks}")
            check(len(one[2]["cell", "Wall"]) == len(two[2]["cell", "Wall"]), "triangles were lost")
            wrong = differences(averages, expected["averages"])
            check(not wrong, f"averages on {ranks} ranks: {wrong}")
            one = pixels(os.path.join(WORK, "MPMParallel1.png"))
            check(numpy.abs(one - picture).mean() < 0.002, f"pictures differ by {numpy.abs(one - picture).mean()}")
        print("ALL PASSED", flush=True)
    except Exception as failure:
        print("FAILED", failure, flush=True)
