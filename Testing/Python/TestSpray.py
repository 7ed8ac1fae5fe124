"""Spray coating: DEM Nozzle, Spray Nozzles of DEM Simulation and of .dem files, rewinding, checkpoints,
DEM Spray Coating over the frames of a run and points of other codes, and what is refused."""
import os

import numpy
from dem_testing import WORK, Messages, arrays, check, differences, everything, expect, fetch, main, packing, produced, simulation
from paraview import simple, vtk
from paraview.vtk.util.numpy_support import numpy_to_vtk

CASE = """{
  "version": 1, "coating_patches": 1,
  "packings": [{ "kind": "Lattice", "lower": [-0.03, -0.03, 0], "upper": [0.03, 0.03, 0.06], "radius": 0.005, "spacing": 0.012,
                 "radius_distribution": "Single" }],
  "nozzles": [{ "position": [0, 0, 0.15], "axis": [0, 0, -1], "full_angle": 40, "rays_per_sample": 1000, "sample_interval": 0.02,
                "mass_rate": 0.5 }],
  "end_time": 0.1, "output_interval": 0.02
}
"""


def nozzle(**properties):
    values = dict(Position=[0, 0, 0.15], FullAngle=40, RaysPerSample=2000, SampleInterval=0.01, MassRate=0.001)
    values.update(properties)
    return simple.DEMNozzle(**values)


def coating(proxy, time, port=0):
    return arrays(fetch(proxy, port, time))


def books(data):
    emitted, grains, walls, missed = (data["field", "Spray" + name][0] for name in ("Emitted", "OnGrains", "OnWalls", "Missed"))
    check(emitted == grains + walls + missed, f"{emitted} {grains} {walls} {missed}")
    check(data["point", "SprayHits"].sum() == grains)
    return emitted


def the_cone_is_visible():
    flat = nozzle(Position=[0, 0, 1], FullAngle=90, AcrossAngle=20, Up=[0, 1, 0], ShownLength=0.5, NozzleName="top", StopTime=3)
    data = fetch(flat)
    points = arrays(data)["points"]
    check(data.GetNumberOfPolys() == 48 and len(points) == 49)
    check(numpy.allclose(numpy.linalg.norm(points[1:] - points[0], axis=1), 0.5), "length")
    wide = numpy.degrees(numpy.arctan2(numpy.abs(points[1:, 1]), 1 - points[1:, 2])).max()
    narrow = numpy.degrees(numpy.arctan2(numpy.abs(points[1:, 0]), 1 - points[1:, 2])).max()
    check(abs(wide - 45) < 1e-6 and abs(narrow - 10) < 0.1, f"{wide} {narrow}")
    spray = arrays(data)["field", "NozzleSpray"]
    check(abs(spray[0][9] - numpy.pi / 2) < 1e-12 and spray[0][16] == 3)
    half = nozzle(FullAngle=180)
    check(numpy.allclose(arrays(fetch(half))["points"][1:, 2], 0.15), "half a sphere is a disc")


def a_run_coats_its_grains():
    plain = simulation()
    before = everything(plain, 0.2)
    s = simulation(SprayNozzles=[nozzle()])
    data = coating(s, 0.2)
    check(books(data) == 21 * 2000, str(data["field", "SprayEmitted"]))
    check(data["field", "SprayOnGrains"][0] > 10000)
    mass, hits, time = (data["point", name] for name in ("CoatingMass", "SprayHits", "SprayTime"))
    check(mass.dtype == numpy.float64 and numpy.allclose(mass, hits * 0.001 * 0.01 / 2000, rtol=1e-12))
    check(numpy.all((time > 0) == (hits > 0)) and time.max() <= 0.21 + 1e-12)
    check(abs(data["field", "CoatingVariation"][0] - mass.std() / mass.mean()) < 1e-9)
    walls = coating(s, 0.2, 2)
    check(("cell", "CoatingMass") in walls)
    table = coating(s, 0.2, 3)
    check(table["row", "SprayEmitted"][0] == 21 * 2000 and ("row", "CoatingVariation") in table)
    check(numpy.isclose(table["row", "SprayedMass"][0], 21 * 0.001 * 0.01, rtol=1e-12))
    check(numpy.isclose(table["row", "SprayedOnGrains"][0], mass.sum(), rtol=1e-12), "no grain has left")
    # it moves as without, and a run without has no arrays of the spray
    sprayed = everything(s, 0.2)
    names = [(port, name) for port in sprayed for name in sprayed[port] if "Spray" in name[1] or "Coating" in name[1]]
    check(len(names) > 8, str(names))
    for port, name in names:
        check(name not in before[port], str(name))
        del sprayed[port][name]
    check(not differences(sprayed, before), str(differences(sprayed, before)))


def rewinding_gives_the_same():
    s = simulation(SprayNozzles=[nozzle(), nozzle(Position=[0.1, 0, 0.1], Axis=[-1, 0, -0.7], Seed=3, Profile="Gaussian")],
                   CoatingPatches=2, EndTime=0.1)
    late, early = everything(s, 0.1), everything(s, 0.03)
    check(late[0]["point", "CoatingPatchMass"].shape[1] == 24)
    check(numpy.allclose(late[0]["point", "CoatingPatchMass"].sum(axis=1), late[0]["point", "CoatingMass"]))
    patches, mass = late[0]["point", "CoatingPatchMass"], late[0]["point", "CoatingMass"]
    coated = mass > 0
    variation = patches[coated].std(axis=1) / patches[coated].mean(axis=1)
    check(numpy.allclose(late[0]["point", "PatchVariation"][coated], variation) and not late[0]["point", "PatchVariation"][~coated].any())
    check(numpy.isclose(late[3]["row", "PatchVariation"][0], variation.mean()))
    s.FrameMemory = 0
    check(not differences(everything(s, 0.03), early) and not differences(everything(s, 0.1), late))
    path = os.path.join(WORK, "sprayed.dem-checkpoint")
    s.CheckpointFile = path
    s.UpdatePipeline(0.05)
    s.InvokeCommand("SaveCheckpoint")
    other = simulation(SprayNozzles=list(s.SprayNozzles), CoatingPatches=2, EndTime=0.1, RestartFile=path, RaySearch="Uniform Grid")
    check(not differences(everything(other, 0.1), late))
    # steering keeps what was sprayed
    s.WhenChanged = "Steer"
    s.UpdatePipeline(0.06)
    s.Gravity = [0, 0, 2]
    steered = coating(s, 0.1)
    check(books(steered) == books(late[0]) and not numpy.array_equal(steered["point", "SprayHits"], late[0]["point", "SprayHits"]))


def a_changed_nozzle_sprays_again():
    n = nozzle()
    s = simulation(SprayNozzles=[n], EndTime=0.1)
    before = coating(s, 0.05)["point", "CoatingMass"].sum()
    n.MassRate = 0.002
    check(numpy.isclose(coating(s, 0.05)["point", "CoatingMass"].sum(), 2 * before))
    # or goes on spraying, from the next sample on
    s.WhenChanged = "Steer"
    s.UpdatePipeline(0.02)
    n.MassRate = 0.001
    mass = coating(s, 0.05, 3)["row", "SprayedMass"][0]
    check(numpy.isclose(mass, 3 * 0.002 * 0.01 + 3 * 0.001 * 0.01), mass)
    n.Position = [0.5, 0, 5]
    n.Axis = [0, 0, 1]
    hits = coating(s, 0.05)["field", "SprayOnGrains"][0]
    late = coating(s, 0.08)
    check(books(late) == 9 * 2000 and late["field", "SprayOnGrains"][0] == hits > 0, "it is turned away from the grains")
    s.WhenChanged = "Restart"
    # several nozzles as one multi-block
    s.SprayNozzles = [simple.GroupDatasets(Input=[n, nozzle(Seed=1)])]
    check(books(coating(s, 0.05)) == 2 * 6 * 2000)


def a_nozzle_moves_with_a_wall():
    sheet = simple.Plane(Origin=[-0.2, -0.2, 0.3], Point1=[0.2, -0.2, 0.3], Point2=[-0.2, 0.2, 0.3])
    belt = simple.DEMWall(Input=sheet, WallName="belt", Motion="Translation", Velocity=[10, 0, 0])
    fixed = simulation(Walls=[belt], SprayNozzles=[nozzle(FullAngle=10)], EndTime=0.05)
    carried = simulation(Walls=[belt], SprayNozzles=[nozzle(FullAngle=10, MovesWith="belt")], EndTime=0.05)
    a, b = coating(fixed, 0.05), coating(carried, 0.05)
    check(a["field", "SprayOnGrains"][0] > 3 * b["field", "SprayOnGrains"][0] > 0)


def of_a_case_file():
    path = os.path.join(WORK, "sprayed.dem")
    with open(path, "w") as out:
        out.write(CASE)
    reader = simple.DEMCaseReader(FileName=path, Device="CPU")
    data = coating(reader, 0.1)
    check(books(data) == 6 * 1000 and data["point", "CoatingPatchMass"].shape[1] == 6)
    with open(path, "w") as out:
        out.write(CASE.replace('"full_angle": 40', '"full_angle": 240'))
    expect(lambda: simple.DEMCaseReader(FileName=path, Device="CPU").UpdatePipeline(0), "/nozzles/0/full_angle", "180")


def the_filter_coats_as_the_run():
    n = nozzle()
    s = simulation(SprayNozzles=[n], CoatingPatches=1)
    plain = simulation()
    f = simple.DEMSprayCoating(Input=plain, Nozzles=[n], CoatingPatches=1, Device="CPU")
    floor = simple.Plane(Origin=[-1, -1, -0.0], Point1=[1, -1, 0], Point2=[-1, 1, 0])
    for time in (0.1, 0.2, 0.05):
        a, b = coating(s, time), coating(f, time)
        books(b)
        for name in ("CoatingMass", "SprayHits", "SprayTime", "CoatingPatchMass"):
            x, y = a["point", name], b["point", name]
            check(numpy.allclose(x, y, rtol=1e-12) if name != "SprayHits" else numpy.array_equal(x, y), f"{name} at {time}")
        check(a["field", "SprayEmitted"][0] == b["field", "SprayEmitted"][0])
    check(b["field", "SprayOnWalls"][0] == 0)
    f.Surfaces = [floor]
    with_floor = coating(f, 0.05)
    check(with_floor["field", "SprayOnWalls"][0] > 0 and books(with_floor) == books(b))
    f.RaySearch = "Uniform Grid"
    check(numpy.array_equal(coating(f, 0.05)["point", "SprayHits"], with_floor["point", "SprayHits"]))


def points_of_any_code():
    points = vtk.vtkPoints()
    for x in (0, 0.05):
        points.InsertNextPoint(x, 0, 0)
    grid = vtk.vtkUnstructuredGrid()
    grid.SetPoints(points)
    diameter = numpy_to_vtk(numpy.array([0.02, 0.02]), deep=1)
    diameter.SetName("diameter")
    grid.GetPointData().AddArray(diameter)
    f = simple.DEMSprayCoating(Input=produced(grid), Nozzles=[nozzle(Position=[0, 0, 0.1], FullAngle=90, RaysPerSample=100000)],
                               Device="CPU")
    data = coating(f, 0)
    hits = data["point", "SprayHits"]
    expected = [(1 - numpy.sqrt(1 - (0.01 / d) ** 2)) / (1 - numpy.cos(numpy.pi / 4)) * 1e5 for d in (0.1, numpy.hypot(0.1, 0.05))]
    check(numpy.all(numpy.abs(hits - expected) < 4 * numpy.sqrt(expected)), f"{hits} {expected}")
    check(books(data) == 100000)


def series(steps, radius=0.01):
    """A source of grains; `steps` has the time, the positions and the Ids (or None) of each time step.
    A single one has no time."""
    times, positions, ids = (list(values) for values in zip(*steps))
    source = simple.ProgrammableSource(OutputDataSetType="vtkPolyData")
    if len(times) > 1:
        source.ScriptRequestInformation = f"""
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
info.Set(executive.TIME_STEPS(), {times}, {len(times)})
info.Set(executive.TIME_RANGE(), {[times[0], times[-1]]}, 2)
"""
    source.Script = f"""
import numpy
executive = self.GetExecutive()
info = executive.GetOutputInformation(0)
key = executive.UPDATE_TIME_STEP()
time = info.Get(key) if info.Has(key) else {times[0]}
k = int(numpy.argmin(numpy.abs(numpy.array({times}) - time)))
points, ids = {positions}[k], {ids}[k]
output.Points = numpy.array(points, dtype=float)
output.PointData.append(numpy.full(len(points), float({radius})), "Radius")
if ids is not None:
    output.PointData.append(numpy.array(ids, dtype=numpy.int64), "Id")
"""
    return source


ROW = [[-0.03, 0, 0], [0, 0, 0], [0.03, 0, 0.02]]


def the_variation_is_of_the_grains_that_are_there():
    above = nozzle(Position=[0, 0, 0.1], FullAngle=90, RaysPerSample=20000)
    steps = [(0.0, ROW, [4, 7, 9]), (0.5, ROW, [4, 7, 9]), (1.0, [ROW[2], ROW[0]], [9, 4]), (1.5, ROW, [4, 12, 9])]
    f = simple.DEMSprayCoating(Input=series(steps), Nozzles=[above], Device="CPU")
    gone = 0
    for time, size in ((0.0, 3), (0.5, 3), (1.0, 2), (1.5, 3), (1.0, 2)):
        data = coating(f, time)
        mass = data["point", "CoatingMass"]
        check(len(mass) == size and mass.min() > 0, f"{mass} at {time}")
        variation = data["field", "CoatingVariation"][0]
        check(abs(variation - mass.std() / mass.mean()) < 1e-9, f"{variation} at {time}")
        if time == 0.5:
            gone = data["point", "SprayHits"][1]
        # rays of the grain that left stay counted
        rays = data["point", "SprayHits"].sum() + (gone if time > 0.5 else 0)
        check(data["field", "SprayOnGrains"][0] == rays, f"rays at {time}")
    check(gone > 100)


def ids_differ():
    above = nozzle(Position=[0, 0, 0.1], FullAngle=90)
    f = simple.DEMSprayCoating(Input=series([(0.0, ROW, [4, 7, 7])]), Nozzles=[above], Device="CPU")
    expect(lambda: f.UpdatePipeline(0), "The Ids of the grains must differ, but Id 7 appears twice.", "different Ids")
    # without Ids, coating belongs to the number of the point
    f = simple.DEMSprayCoating(Input=series([(0.0, ROW, None), (1.0, ROW[:2], None)]), Nozzles=[above], Device="CPU")
    before, after = coating(f, 0.0)["point", "SprayHits"], coating(f, 1.0)["point", "SprayHits"]
    check(len(after) == 2 and numpy.all(after > before[:2]), f"{before} {after}")


def a_changed_device_keeps_the_coating():
    frames = series([(t, ROW, [4, 7, 9]) for t in (0.0, 0.5, 1.0)])
    f = simple.DEMSprayCoating(Input=frames, Nozzles=[nozzle(Position=[0, 0, 0.1], FullAngle=90)], Device="CPU")
    expected = coating(f, 1.0)["point", "SprayHits"]
    coating(f, 0.5)
    f.Device = "Auto"
    data = coating(f, 1.0)
    check(books(data) == 3 * 2000 and numpy.array_equal(data["point", "SprayHits"], expected))


def samples_last_until_the_end_of_the_spray():
    still = [[0, 0, 0]]
    spray = nozzle(Position=[0, 0, 0.2], FullAngle=1, MassRate=0.5, RaysPerSample=100, SampleInterval=0.3, StopTime=1)
    frames = series([(t, still, [0]) for t in (0.0, 0.3, 0.6, 0.9, 1.2)], 0.05)
    f = simple.DEMSprayCoating(Input=frames, Nozzles=[spray], Device="CPU")
    run = simulation(series([(0.0, still, [0])], 0.05), Gravity=[0, 0, 0], EndTime=1.2, OutputInterval=0.3,
                     TimeStep=1e-4, AutomaticDomain=0, Domain=[-1, 1, -1, 1, -1, 1], SprayNozzles=[spray])
    for source in (f, run):
        data = coating(source, 1.2)
        check(books(data) == 400 and data["point", "SprayHits"][0] == 400, str(data["point", "SprayHits"]))
        check(abs(data["point", "CoatingMass"][0] - 0.5) < 1e-12, str(data["point", "CoatingMass"]))
        check(abs(data["point", "SprayTime"][0] - 1) < 1e-12, str(data["point", "SprayTime"]))


def time_steps_below_0_are_found():
    """Nothing is sprayed there, since StartTime is 0 or later."""
    frames = series([(-2.0, ROW, [4, 7, 9]), (-1.0, ROW[:2], [4, 7]), (0.0, ROW[:1], [4]), (1.0, ROW[:1], [4])])
    f = simple.DEMSprayCoating(Input=frames, Nozzles=[nozzle(Position=[0, 0, 0.1], FullAngle=90)], Device="CPU")
    for time, grains, samples in ((-2.0, 3, 0), (-1.0, 2, 0), (0.0, 1, 1), (1.0, 1, 2), (-1.0, 2, 0)):
        data = coating(f, time)
        check(len(data["points"]) == grains and books(data) == 2000 * samples, f"{len(data['points'])} at {time}")


def a_checkpoint_continues_with_a_later_stop():
    path = os.path.join(WORK, "stopped.dem-checkpoint")

    def saved(**properties):
        s = simulation(SprayNozzles=[nozzle(**properties)], EndTime=0.05, CheckpointFile=path)
        s.UpdatePipeline(0.04)
        s.InvokeCommand("SaveCheckpoint")

    def restarted(**properties):
        return simulation(SprayNozzles=[nozzle(**properties)], EndTime=0.1, RestartFile=path)

    saved(StopTime=0.06)
    whole = everything(simulation(SprayNozzles=[nozzle()], EndTime=0.1), 0.1)
    wrong = differences(everything(restarted(), 0.1), whole)
    check(not wrong, str(wrong))
    expect(lambda: restarted(StopTime=0.03).UpdatePipeline(0.1), "Stop Time of nozzle 0",
           "is 0.03 s here and 0.06 s in the saved state", "start the run from the beginning")
    # the sample at 0.04 s is cut short by this end
    expect(lambda: restarted(StopTime=0.045).UpdatePipeline(0.1), "is 0.045 s here and 0.06 s in the saved state")
    expect(lambda: restarted(MassRate=2).UpdatePipeline(0.1), "a property of nozzle 0",
           "other than Stop Time has changed", "start the run from the beginning")
    expect(lambda: restarted(StopTime=0.06, StartTime=0.04).UpdatePipeline(0.1), "holds the coating of other nozzles")
    # a first sample at the time of the state is not dropped either
    saved(StartTime=0.04)
    expect(lambda: restarted(StartTime=0.04, MassRate=2).UpdatePipeline(0.1), "holds the coating of other nozzles")


def patches_fit_in_memory():
    points = vtk.vtkPoints()
    points.SetNumberOfPoints(200000)
    for i in range(200000):
        points.SetPoint(i, i % 60, i // 60 % 60, -1 - i // 3600)
    grid = vtk.vtkPolyData()
    grid.SetPoints(points)
    radius = numpy_to_vtk(numpy.full(200000, 0.4), deep=1)
    radius.SetName("Radius")
    grid.GetPointData().AddArray(radius)
    f = simple.DEMSprayCoating(Input=produced(grid), Nozzles=[nozzle()], CoatingPatches=32, Device="CPU")
    expect(lambda: f.UpdatePipeline(0), "Coating Patches = 32 for 200000 grains would take 9.2 GiB",
           "Set Coating Patches to 29 or less")


def refused():
    def says(words, **properties):
        expect(lambda: nozzle(**properties).UpdatePipeline(), *words)

    says(["Axis has no length", "Give it the direction"], Axis=[0, 0, 0])
    says(["Axis is (0, 0, 1e+200), too long to be a direction"], Axis=[0, 0, 1e200])
    says(["Up is (1e+200, 0, 0), too long to be a direction"], Up=[1e200, 0, 0])
    says(["Full Angle is 200 degrees", "two nozzles"], FullAngle=200)
    says(["Mass Rate is -1 kg/s"], MassRate=-1)
    says(["parallel to Axis"], AcrossAngle=10, Up=[0, 0, 1])
    says(["Stop Time"], StartTime=2, StopTime=1)
    s = simulation(SprayNozzles=[nozzle(MovesWith="drum")])
    expect(lambda: s.UpdatePipeline(0), "names the wall 'drum'", "no walls")
    s = simulation(SprayNozzles=[nozzle(SampleInterval=1e-9)])
    expect(lambda: s.UpdatePipeline(0), "Sample Interval is 1e-09 s", "less than the time step")
    s = simulation(SprayNozzles=[simple.Sphere()])
    expect(lambda: s.UpdatePipeline(0), "is no nozzle", "DEM Nozzle")
    f = simple.DEMSprayCoating(Input=packing(), Nozzles=[nozzle(MovesWith="drum")], Device="CPU")
    expect(lambda: f.UpdatePipeline(0), "moves with the wall 'drum'", "Clear Moves With")
    # a wrong value changes nothing of what is shown before
    n = nozzle()
    s = simulation(SprayNozzles=[n], EndTime=0.05)
    good = coating(s, 0.05)
    n.Axis = [0, 0, 0]
    with Messages():
        s.UpdatePipeline(0.05)
    n.Axis = [0, 0, -1]
    check(numpy.array_equal(coating(s, 0.05)["point", "SprayHits"], good["point", "SprayHits"]))


main(the_cone_is_visible, a_run_coats_its_grains, rewinding_gives_the_same, a_changed_nozzle_sprays_again, a_nozzle_moves_with_a_wall,
     of_a_case_file, the_filter_coats_as_the_run, points_of_any_code, the_variation_is_of_the_grains_that_are_there,
     ids_differ, a_changed_device_keeps_the_coating, samples_last_until_the_end_of_the_spray,
     time_steps_below_0_are_found, a_checkpoint_continues_with_a_later_stop, patches_fit_in_memory, refused)
