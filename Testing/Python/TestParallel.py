"""A run on one rank, then on two: data and picture must be equal. The first run stores them, the
second compares."""
import os

import numpy
from dem_testing import PORTS, WORK, Messages, arrays, check, differences, fetch
from images import coloured, pixels
from paraview import simple
from vtkmodules.vtkParallelCore import vtkMultiProcessController

controller = vtkMultiProcessController.GetGlobalController()
ranks = controller.GetNumberOfProcesses() if controller else 1
rank = controller.GetLocalProcessId() if controller else 0


def scene():
    # The sphere source gives each rank a piece. The packing comes from rank 0.
    ball = simple.Sphere(Radius=0.02, Center=[0, 0, -0.02], ThetaResolution=16, PhiResolution=16)
    wall = simple.DEMWall(Input=ball, WallName="Ball", OwnMaterial=1, Friction=0.3)
    box = simple.Box(XLength=0.08, YLength=0.08, ZLength=0.08, Center=[0, 0, 0.04])
    p = simple.DEMPacking(Region=simple.Triangulate(Input=box), Spacing=0.012, RadiusDistribution="Single", Radius=0.005)
    return simple.DEMSimulation(Particles=p, Walls=[wall], EndTime=0.2, OutputInterval=0.02, Device="CPU",
                                AccumulateAverages=1, AveragesDimensions=[4, 4, 4],
                                Threads=1)  # MPI may bind a rank to one core


def sorted_walls(got):
    """On two ranks the pieces of a source come in another order, so walls are compared as sets of
    loaded triangles."""
    walls = got[PORTS["Walls"]]
    return numpy.sort(numpy.round(walls["cell", "Force"], 9), axis=0)


s = scene()
with Messages() as messages:
    results = {}
    for t in (0.1, 0.2, 0.04):
        s.UpdatePipeline(t)
        results[t] = {port: arrays(fetch(s, port)) for port in PORTS.values()}
    view = simple.CreateRenderView()
    view.ViewSize = [300, 300]
    view.OrientationAxesVisibility = 0
    view.UseColorPaletteForBackground = 0
    view.Background = [1, 1, 1]
    display = simple.Show(s, view)
    simple.ColorBy(display, None)
    simple.Show(simple.OutputPort(s, 2), view)
    view.ViewTime = 0.2
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0.5, -0.4, 0.3], [0, 0, 0.02], [0, 0, 1]
    view.CameraViewAngle = 20
    simple.SaveScreenshot(os.path.join(WORK, f"Parallel{ranks}.png"), view, ImageResolution=[300, 300])

if rank == 0:
    try:
        check("rror" not in messages.text, messages.text)
        check(display.Representation == "DEM Spheres")
        check(len(results[0.2][0]["points"]) > 100 and len(results[0.2][3]["row", "Time"]) == 1)
        picture = pixels(os.path.join(WORK, f"Parallel{ranks}.png"))
        check(coloured(picture) > 5000, "nothing in the picture")
        store = os.path.join(WORK, "parallel.npy")
        if ranks == 1:
            numpy.save(store, results, allow_pickle=True)
        else:
            expected = numpy.load(store, allow_pickle=True).item()
            for t, got in results.items():
                for port in ("Particles", "Contacts", "Statistics", "Averages"):
                    k = PORTS[port]
                    wrong = differences({k: expected[t][k]}, {k: got[k]})
                    check(not wrong, f"{ranks} ranks, t = {t}: {wrong}")
                check(numpy.array_equal(sorted_walls(expected[t]), sorted_walls(got)), f"walls, t = {t}")
            one = pixels(os.path.join(WORK, "Parallel1.png"))
            check(numpy.abs(one - picture).mean() < 0.002, f"pictures differ by {numpy.abs(one - picture).mean()}")
        print("ALL PASSED", flush=True)
    except Exception as failure:
        print("FAILED", failure, flush=True)
