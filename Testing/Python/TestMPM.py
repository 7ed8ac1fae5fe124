"""MPM Simulation: times in any order equal a straight run on every port; states, averages, invalid
input."""
import os

import numpy
import run_testing
from dem_testing import (MPM_PORTS, NOT_REPRODUCIBLE, WORK, Messages, arrays, check, clear, differences, everything,
                         expect, expect_same, fetch, main)
from mpm_testing import block, mpm
from paraview import simple, smstate


def times_are_declared_on_every_port():
    run_testing.times_snap_down(mpm())


def any_order_equals_a_straight_run():
    run_testing.any_order_equals_a_straight_run(mpm)


def replay_without_kept_frames():
    run_testing.replays_without_kept_frames(mpm, Threads=1)


def threads_change_no_bit():
    run_testing.changes_no_bit(mpm, (dict(Threads=1), dict(Threads=2)), "Device")


def arrays_are_the_promised_ones():
    run = mpm()
    got = everything(run, 0.2)
    points = {key[1] for key in got[0] if key[0] == "point"}
    check(points == {"Id", "Radius", "Velocity", "Mass", "Volume", "J", "DeformationGradient", "Stress", "VonMises", "PlasticStrain",
                     "Material"}, str(points))
    check({key[1] for key in got[1] if key[0] == "point"} == {"Mass", "Velocity", "Pressure"}, str(list(got[1])))
    row = {key[1] for key in got[3] if key[0] == "row"} | NOT_REPRODUCIBLE
    check({"Time", "Step", "KineticEnergy", "ElasticEnergy", "PotentialEnergy", "Momentum", "PointCount", "LostCount", "Device"} <= row, str(row))
    check(got[0]["points"].dtype == "float64" and fetch(run, 0).GetNumberOfVerts() == len(got[0]["points"]))
    check(len(got[0]["points"]) == 8 * 8 ** 3, str(len(got[0]["points"])))
    run.PointArrays, run.GridArrays = ["Velocity"], []
    got = everything(run, 0.1)
    check({key[1] for key in got[0] if key[0] == "point"} == {"Id", "Radius", "Velocity"})
    check(("point", "Mass") not in got[1])


def numbers_hang_together():
    run = mpm()
    got = everything(run, 0.1)
    points, grid, row = got[0], got[1], got[3]
    mass, volume = (points["point", name].astype(float) for name in ("Mass", "Volume"))
    check(abs(mass.sum() - 1.0) < 1e-5, f"a block of a litre with 1000 kg/m^3 has {mass.sum()} kg")
    check(abs(grid["point", "Mass"].sum(dtype=float) - mass.sum()) < 1e-5, "the grid has another mass than the points")
    check(numpy.allclose(4 / 3 * numpy.pi * points["point", "Radius"].astype(float) ** 3, volume, rtol=1e-5))
    velocity = points["point", "Velocity"].astype(float)
    momentum = (mass[:, None] * velocity).sum(0)
    check(numpy.allclose(row["row", "Momentum"][0], momentum, atol=1e-5), f"{row['row', 'Momentum']} {momentum}")
    check(numpy.allclose((grid["point", "Mass"].astype(float)[:, None] * grid["point", "Velocity"]).sum(0), momentum, atol=2e-2 * abs(momentum).max()))
    f = points["point", "DeformationGradient"].astype(float).reshape(-1, 3, 3)
    check(numpy.allclose(numpy.linalg.det(f), points["point", "J"], atol=1e-4))
    s = points["point", "Stress"].astype(float)
    mises = numpy.sqrt(0.5 * ((s[:, 0] - s[:, 1]) ** 2 + (s[:, 1] - s[:, 2]) ** 2 + (s[:, 2] - s[:, 0]) ** 2) + 3 * (s[:, 3:] ** 2).sum(1))
    check(numpy.allclose(mises, points["point", "VonMises"], rtol=1e-3, atol=1e-2), "von Mises")
    # The fall before the border is reached: closed form of symplectic Euler to first order in the
    # step.
    run = mpm()
    fallen = everything(run, 0.05)
    step = fallen[3]["row", "TimeStep"][0]
    drop = 0.1 - fallen[0]["points"][:, 2].mean()
    check(abs(drop - 0.5 * 9.81 * 0.05 ** 2) < 9.81 * 0.05 * step, f"fell {drop} m")


def each_law_is_taken():
    seen = {}
    for law in ("Corotated", "Fixed Corotated", "Neo-Hookean", "Drucker-Prager", "Von Mises", "Fluid", "Linear Elastic",
                "St. Venant-Kirchhoff"):
        got = everything(mpm(material=law, parameters=dict(YieldStress=500) if law == "Von Mises" else {}), 0.2)
        for other, positions in seen.items():
            check(not numpy.array_equal(positions, got[0]["points"]), f"{law} moves as {other}")
        seen[law] = got[0]["points"]


def a_changed_material_starts_anew():
    run = mpm()
    before = everything(run, 0.2)
    run.MaterialModel.YoungsModulus = 5e4
    check(differences(everything(run, 0.2), before), "another modulus makes no difference")
    run.MaterialModel.YoungsModulus = 2e4
    check(not differences(everything(run, 0.2), before))
    run.EndTime = 0.3
    run.UpdatePipelineInformation()
    check(len(run.TimestepValues) == 31)
    check(not differences(everything(run, 0.2), before), "a later end changes what was")


def materials_from_a_table():
    path = os.path.join(WORK, "materials.csv")
    with open(path, "w") as out:
        out.write("Name,Law,Density,YoungsModulus\nSoft,Fixed Corotated,500,2e4\nHard,Neo-Hookean,2000,1e5\n")
    table = simple.CSVReader(FileName=[path])
    light = block()
    heavy = simple.Calculator(Input=block(Center=[0, 0, 0.2], XLength=0.05, YLength=0.05, ZLength=0.05), ResultArrayName="Material", Function="1")
    run = mpm([light, heavy], TableOfMaterials=table)
    got = everything(run, 0.0)[0]
    material, mass = got["point", "Material"], got["point", "Mass"].astype(float)
    check(abs(mass[material == 0].sum() - 0.5) < 1e-5 and abs(mass[material == 1].sum() - 0.25) < 1e-5, str(numpy.bincount(material, mass)))
    check(list(got["field", "Materials"]) == ["Soft", "Hard"])
    blocks = everything(mpm(simple.GroupDatasets(Input=[light, heavy]), TableOfMaterials=table), 0.0)[0]
    check(numpy.array_equal(blocks["points"], got["points"]) and numpy.array_equal(blocks["point", "Mass"], got["point", "Mass"]), "bodies in blocks")
    # Appended packings keep only the names and keys of the first one.
    one = dict(Size=[.02] * 3, Spacing=.02, RadiusDistribution="Single", Radius=.005, Count=1)
    packings = [simple.DEMPacking(LowerCorner=[.05 * k, 0, .05], Material=name, **one)
                for k, name in enumerate(("Soft", "Hard"))]
    got = everything(mpm(simple.AppendDatasets(Input=packings), TableOfMaterials=table), 0.0)[0]
    check(sorted(got["point", "Material"]) == [0, 1], "appended packings")


def points_as_they_are():
    packing = simple.DEMPacking(LowerCorner=[-0.05, -0.05, 0.05], Size=[0.1, 0.1, 0.1], Spacing=0.01, RadiusDistribution="Single", Radius=0.004,
                                Arrangement="Lattice", Velocity=[1, 0, 0])
    got = everything(mpm(packing), 0.0)[0]
    check(numpy.allclose(got["point", "Radius"], 0.004, rtol=1e-5) and numpy.allclose(got["point", "Velocity"], [1, 0, 0]))
    check(numpy.allclose(got["point", "Mass"], 1000 * 4 / 3 * numpy.pi * 0.004 ** 3, rtol=1e-5))
    dense = simple.Calculator(Input=simple.Calculator(Input=packing, ResultArrayName="Volume", Function="1e-6"), ResultArrayName="Density", Function="2000")
    got = everything(mpm(dense), 0.0)[0]
    check(numpy.allclose(got["point", "Volume"], 1e-6, rtol=1e-5) and numpy.allclose(got["point", "Mass"], 2e-3, rtol=1e-5))
    moving = simple.Calculator(Input=block(), ResultArrayName="Velocity", Function="0.5*iHat-2*kHat")
    check(numpy.allclose(everything(mpm(moving), 0.0)[0]["point", "Velocity"], [0.5, 0, -2]), "a surface's velocity is not that of its inside")


def a_wall_that_moves_carries_the_block():
    plate = simple.Plane(Origin=[-0.1, -0.1, 0.03], Point1=[0.1, -0.1, 0.03], Point2=[-0.1, 0.1, 0.03])
    wall = simple.DEMWall(Input=plate, WallName="Belt", Motion="Translation", Velocity=[0.5, 0, 0], OwnMaterial=1, Friction=0.9)
    got = everything(mpm(Walls=wall), 0.2)
    check(abs(got[2]["points"][:, 0].mean() - 0.1) < 1e-9, "the wall is not where its motion brings it")
    lowest = got[0]["points"][:, 2].min()
    check(lowest > 0.02, f"the block fell through the plate, to {lowest} m")
    check(got[0]["point", "Velocity"][:, 0].mean() > 0.02, "the belt moves nothing")
    run, weight = mpm(Walls=wall), got[0]["point", "Mass"].sum() * 9.81
    loads = numpy.array([everything(run, time)[2]["cell", "Force"].sum(0) for time in numpy.arange(0.02, 0.201, 0.02)])
    check(loads[:, 2].max() < 1e-6 * weight and loads[:, 2].min() < -0.5 * weight, f"the block does not weigh on the belt: {loads} N, {weight} N")
    check(abs(loads[:, 0]).max() > 0.01 * weight and abs(loads[:, 1]).max() < 0.01 * weight, f"friction along the belt: {loads} N")
    check((got[2]["cell", "Pressure"] >= 0).all() and got[2]["cell", "Pressure"].max() > 0 and (got[2]["cell", "ShearStress"] >= 0).all(), "loads of a wall")


def a_sheet_holds():
    """An inclined plane without thickness, across the grid: no point crosses it, even with a soft
    material and a thin sheet."""
    slope = numpy.tan(numpy.radians(25))
    plate = simple.Plane(Origin=[-0.12, -0.12, 0.06 - 0.12 * slope], Point1=[0.12, -0.12, 0.06 + 0.12 * slope], Point2=[-0.12, 0.12, 0.06 - 0.12 * slope])
    for material, parameters in (("Fixed Corotated", dict(YoungsModulus=3e3)), ("Drucker-Prager", dict(YoungsModulus=5e4))):
        run = mpm(block(XLength=0.06, YLength=0.06, ZLength=0.06, Center=[0.02, 0, 0.12]), material, parameters, Walls=plate, EndTime=0.3)
        for time in (0.15, 0.3):
            places = everything(run, time)[0]["points"]
            over = places[:, 0] > -0.11  # points that slid off the lower edge may be anywhere
            check(over.sum() > 100 or time > 0.2, "too few points for a test")
            above = (places[over, 2] - 0.06 - slope * places[over, 0]) * numpy.cos(numpy.radians(25))
            check(len(above) == 0 or above.min() > -1e-7, f"{material}, {time} s: a point lies {-above.min()} m behind the plane")


def checkpoints():
    path = os.path.join(WORK, "block.mpm-checkpoint")
    run = mpm()
    expected = everything(run, 0.2)
    run.UpdatePipeline(0.1)
    run.CheckpointFile = path
    run.InvokeCommand("SaveCheckpoint")
    other = mpm(RestartFile=path)
    check(not differences(everything(other, 0.2), expected))
    other.InvokeCommand("Reset")
    check(not differences(everything(other, 0.2), expected))
    with Messages() as messages:
        everything(mpm(RestartFile=path, Kernel="Cubic"), 0.2)
    check("block.mpm-checkpoint" in messages.text, "a checkpoint of another scene: " + messages.text[:500])
    run.CheckpointFile = ""
    with Messages() as messages:
        run.InvokeCommand("SaveCheckpoint")
    check("Checkpoint File is empty" in messages.text, messages.text[:300])


def states():
    def build():
        run = mpm(material="Drucker-Prager", parameters=dict(FrictionAngle=40, YoungsModulus=5e4), Transfer="FLIP", FlipFraction=0.8,
                  BorderZLower="Stick", PointArrays=["Velocity", "Stress"])
        simple.RenameSource("Run", run)
        return run

    def same(run):
        check(run.MaterialModel.GetXMLLabel() == "Drucker-Prager" and run.MaterialModel.FrictionAngle == 40)
        check(run.Transfer == "FLIP" and run.FlipFraction == 0.8 and list(run.PointArrays) == ["Velocity", "Stress"])
        expect_same(everything(run, 0.1), expected)

    expected = everything(build(), 0.1)
    path = os.path.join(WORK, "mpm.pvsm")
    simple.SaveState(path)
    text = smstate.get_state()
    check("MPMSimulation(" in text, text[:2000])
    clear()
    simple.LoadState(path)
    same(simple.FindSource("Run"))
    clear()
    exec(compile(text, "state", "exec"), {})
    same(simple.FindSource("Run"))


def averages_of_a_continuum():
    run = mpm()
    run.UpdatePipeline(0.2)
    points = arrays(fetch(run, 0))
    volume, mass = points["point", "Volume"].astype(float), points["point", "Mass"].astype(float)
    box = [-0.125, 0.125, -0.125, 0.125, -0.025, 0.225]
    size = 0.25 ** 3
    cell = simple.DEMCellAverage(Input=run, AutomaticBounds=0, Bounds=box, Dimensions=[4, 3, 5], Device="CPU")
    cell.UpdatePipeline(0.2)
    got = arrays(fetch(cell))
    share = size / 60
    check(abs((got["cell", "MassDensity"] * share).sum() - mass.sum()) < 1e-6, "mass")
    check(abs((got["cell", "SolidFraction"] * share).sum() - volume.sum()) < 1e-6 * volume.sum(), "volume")
    want = (volume[:, None] * points["point", "Stress"].astype(float)).sum(0)
    have = (got["cell", "ContactStress"] * share).sum(0)
    check(numpy.allclose(have, want, rtol=1e-5, atol=1e-5 * abs(want).max()), f"stress: {have} {want}")
    check(numpy.isnan(got["cell", "CoordinationNumber"]).all(), "points of a continuum touch")
    run.PointArrays = ["Velocity", "Mass"]
    cell.UpdatePipeline(0.2)
    check(numpy.isnan(arrays(fetch(cell))["cell", "ContactStress"]).all(), "stress without the array Stress")
    run.PointArrays = ["Velocity", "Mass", "Stress"]
    smooth = simple.DEMCoarseGraining(Input=run, Device="CPU")
    smooth.UpdatePipeline(0.2)
    check(numpy.isfinite(arrays(fetch(smooth))["point", "ContactStress"]).all())


def refused(run, *words, time=0.0, **properties):
    """Creates a run, or sets properties first."""
    def change():
        for name, value in properties.items():
            setattr(run, name, value)
        run.UpdatePipeline(time)

    text = expect(change, *words)
    for port in MPM_PORTS.values():
        check(fetch(run, port) is not None)
    return text


def bad_input():
    refused(mpm(simple.Threshold(Input=simple.DEMPacking(), Scalars=["POINTS", "Radius"], LowerThreshold=5, UpperThreshold=6)), "Particles input is empty")
    refused(mpm(block(Center=[0, 0, 0.4])), "point", "domain")
    plane = simple.Plane(registrationName="Sheet")
    for spacing in (0.0125, 0):
        refused(mpm(plane, GridSpacing=spacing), "Sheet", "open surface", "closed")
    box = simple.Triangulate(Input=simple.Clean(Input=simple.Box(XLength=.1, YLength=.1, ZLength=.1)))
    doubled = simple.Clean(Input=simple.AppendGeometry(Input=[box, box]))
    refused(mpm(doubled), "12 facets", "occur twice")
    apart = simple.Transform(Input=box)
    apart.Transform.Translate = [0.3, 0, 0]
    refused(mpm(simple.AppendGeometry(Input=[box, box, apart])), "12 facets", "occur twice")
    refused(mpm(parameters=dict(PoissonsRatio=0.5)), "Poisson's Ratio", "0.5")
    refused(mpm(parameters=dict(YoungsModulus=-1)), "Young's Modulus", "-1")
    refused(mpm(parameters=dict(Density=0)), "Density")
    refused(mpm(TimeStep=0.01), "Time Step", "CFL")
    refused(mpm(GridSpacing=-1), "Grid Spacing", "-1")
    refused(mpm(GridSpacing=0.0025, PointsPerAxis=1, MemoryLimit=1), "Grid Spacing", "too large", "Memory Limit is 1 MiB")
    refused(mpm(GridSpacing=1e-6), "Grid Spacing", "points", "1e-06")
    refused(mpm(PointsPerAxis=9), "Points Per Axis", "9")
    refused(mpm(), "End Time", "-1", EndTime=-1)
    packing = simple.DEMPacking(LowerCorner=[-0.05, -0.05, 0.05], Size=[0.1, 0.1, 0.1], Spacing=0.01, RadiusDistribution="Single", Radius=0.004)
    refused(mpm(simple.Calculator(Input=packing, ResultArrayName="Mass", Function="0")), "mass", "point")
    refused(mpm(simple.Calculator(Input=packing, ResultArrayName="Material", Function="3")), "Material 3", "Table Of Materials")
    refused(mpm(simple.Calculator(Input=block(), ResultArrayName="Velocity", Function="coordsX*iHat")), "surface to fill", "Velocity", "Fill Surfaces")


def cells_larger_than_bodies_give_a_warning():
    def warned(bodies, **properties):
        with Messages() as messages:
            simple.MPMSimulation(Particles=bodies, Device="CPU", **properties).UpdatePipeline(0)
        check("ERR" not in messages.text and messages.text.count("arning") <= 1, messages.text)
        return messages.text

    def box(**properties):
        return simple.Box(registrationName="Block", **properties)

    text = warned(box(), GridSpacing=2)
    for word in ("Block measures 1 x 1 x 1 m", "a cell 2 m", "Set Grid Spacing to 0.25 m or less, or to 0"):
        check(word in text, text or "no warning")
    text = warned([box(ZLength=0.1), box(Center=[2, 0, 0], YLength=0.1)], GridSpacing=0.2)
    for word in ("Block measures 1 x 1 x 0.1 m", "a cell 0.2 m", "Set Grid Spacing to 0.025 m or less.", "as small: 1."):
        check(word in text, text or "no warning")
    points = simple.DEMPacking(registrationName="Points", Size=[0.1] * 3)
    text = warned(points, GridSpacing=1)
    check("Points measures" in text and "a cell 1 m" in text and "Set Grid Spacing to 0" in text, text or "no warning")
    for bodies, spacing in ((box(), 0), (box(), 1), (box(), 0.25), (points, 0), (points, 0.02)):
        check(not warned(bodies, GridSpacing=spacing), f"a warning for {spacing} m")


def a_run_that_failed_shows_how_far_it_came():
    # The time step is allowed at the start, but not at the speed reached in the fall.
    def build():
        return mpm(block(Center=[0, 0, 0.17]), TimeStep=0.002)

    run = build()
    with Messages() as messages:
        run.UpdatePipeline(0.2)
        data = run.GetClientSideObject().GetOutputDataObject(0)
        reached, points = data.GetInformation().Get(data.DATA_TIME_STEP()), data.GetNumberOfPoints()
    check("CFL" in messages.text and "Time Step" in messages.text, messages.text[:500] or "(no message)")
    check(0 <= reached < 0.2 and points == 4096, f"{points} points at {reached} s")
    check(not differences(everything(run, 0.05), everything(build(), 0.05)), "what was before the failure is lost")


def aborted_and_continued():
    expected = everything(mpm(), 0.2)
    run = mpm()
    texts, data, reached = run_testing.interrupted(run, 0.2)
    check(texts and texts[0].startswith("MPM t="), str(texts[:3]))
    check(data.GetNumberOfPoints() > 0, "the interruption emptied the output")
    check(0 <= reached < 0.2, f"reached {reached} s")
    expect_same(everything(run, 0.2), expected)


if __name__ == "__main__":
    main(times_are_declared_on_every_port, any_order_equals_a_straight_run, replay_without_kept_frames, threads_change_no_bit,
         arrays_are_the_promised_ones, numbers_hang_together, each_law_is_taken, a_changed_material_starts_anew,
         materials_from_a_table, points_as_they_are, a_wall_that_moves_carries_the_block, a_sheet_holds, checkpoints, states, averages_of_a_continuum,
         bad_input, cells_larger_than_bodies_give_a_warning, a_run_that_failed_shows_how_far_it_came, aborted_and_continued)
