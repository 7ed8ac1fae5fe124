"""A run on one rank, then on two: data and picture must be equal. The first run stores them, the
second compares."""
import numpy
from dem_testing import PORTS, Messages, arrays, check, expect_same, fetch
from images import white_view
from parallel_testing import RANKS, expect_same_picture, judge, stored, taken
from paraview import simple


def scene():
    # The sphere source gives each rank a piece. The packing comes from rank 0.
    ball = simple.Sphere(Radius=0.02, Center=[0, 0, -0.02], ThetaResolution=16, PhiResolution=16)
    wall = simple.DEMWall(Input=ball, WallName="Ball", OwnMaterial=1, Friction=0.3)
    box = simple.Box(XLength=0.08, YLength=0.08, ZLength=0.08, Center=[0, 0, 0.04])
    p = simple.DEMPacking(Region=simple.Triangulate(Input=box), Spacing=0.012, RadiusDistribution="Single", Radius=0.005)
    return simple.DEMSimulation(Particles=p, Walls=[wall], EndTime=0.2, OutputInterval=0.02, Device="CPU",
                                AccumulateAverages=1, AveragesDimensions=[4, 4, 4],
                                Threads=1)  # MPI may bind a rank to one core


def flow_scene():
    p = simple.DEMPacking(LowerCorner=[0, 0, 0], Size=[0.06, 0.06, 0.05], Spacing=0.012, RadiusDistribution="Single", Radius=0.005)
    run = simple.DEMSimulation(Particles=p, Domain=[0, 0.06, 0, 0.06, 0, 0.12], AutomaticDomain=0, EndTime=0.02, OutputInterval=0.01,
                               Device="CPU", Threads=1)
    run.FluidCoupling = "Volume-Averaged Flow"
    run.FluidCoupling.FluidCellSize = 0.015
    return run


def carried():
    """Grains in a given field, of which each rank has a piece: an image, and the same as other data."""
    results = {}
    image = simple.ResampleToImage(Input=simple.Wavelet(WholeExtent=[0, 12, 0, 12, 0, 12]), SamplingDimensions=[14, 14, 14], UseInputBounds=0,
                                   SamplingBounds=[0.1, 11.9, 0.1, 11.9, 0.1, 11.9])  # a spacing of many digits
    flow = simple.Calculator(Input=image, ResultArrayName="Velocity", Function="0.02*coordsX*iHat+(2-0.01*coordsZ)*kHat")
    p = simple.DEMPacking(LowerCorner=[1, 1, 1], Size=[3, 3, 3], Spacing=1, RadiusDistribution="Single", Radius=0.4)
    for name, fluid in (("image", flow), ("tetrahedra", simple.Tetrahedralize(Input=flow))):
        run = simple.DEMSimulation(Particles=p, Fluid=fluid, Domain=[0, 12, 0, 12, 0, 12], AutomaticDomain=0, EndTime=0.2, OutputInterval=0.1,
                                   Gravity=[0, 0, 0], YoungsModulus=1e5, Device="CPU", Threads=1)
        run.FluidCoupling = "Given Field"
        run.FluidCoupling.DragLaw = "Schiller-Naumann"
        run.UpdatePipeline(0.2)
        results[name] = {port: arrays(fetch(run, PORTS[port])) for port in ("Particles", "Statistics")}
    return results


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
    flow = flow_scene()
    flow.UpdatePipeline(0.02)
    flow_results = {"flow": {port: arrays(fetch(flow, PORTS[port])) for port in ("Particles", "Statistics", "Fluid")}}
    carried_results = carried()
    view = white_view(camera=([0.5, -0.4, 0.3], [0, 0, 0.02]))
    display = simple.Show(s, view)
    simple.ColorBy(display, None)
    simple.Show(simple.OutputPort(s, 2), view)
    view.ViewTime = 0.2
    taken(view, "Parallel")


def compare():
    check("rror" not in messages.text, messages.text)
    check(display.Representation == "DEM Spheres")
    check(len(results[0.2][0]["points"]) > 100 and len(results[0.2][3]["row", "Time"]) == 1)
    expect_same_picture("Parallel")
    check(len(flow_results["flow"]["Fluid"]["cell", "Velocity"]) == 4 * 4 * 8, "cells of the flow")
    expected = stored("parallel_flow", flow_results)
    if expected:
        expect_same(flow_results["flow"], expected["flow"], f"{RANKS} ranks, flow")
    for name, got in carried_results.items():
        check(numpy.abs(got["Particles"]["point", "FluidForce"]).max() > 0, name)
    expected = stored("parallel_carried", carried_results)
    if expected:
        expect_same(carried_results["image"], expected["image"], f"{RANKS} ranks, carried by an image")
        a, b = (x["tetrahedra"]["Particles"]["points"] for x in (carried_results, expected))
        check(numpy.allclose(a, b, rtol=0, atol=1e-6 * 12), f"{RANKS} ranks, carried: {numpy.abs(a - b).max()}")
    expected = stored("parallel", results)
    for t, got in results.items() if expected else ():
        for port in ("Particles", "Contacts", "Statistics", "Averages"):
            k = PORTS[port]
            expect_same({k: got[k]}, {k: expected[t][k]}, f"{RANKS} ranks, t = {t}")
        check(numpy.array_equal(sorted_walls(expected[t]), sorted_walls(got)), f"walls, t = {t}")


judge(compare)
