"""DEM Cell Average and DEM Coarse Graining on a running simulation, compared with numpy."""
import math
import os

import numpy
from dem_testing import DATA, arrays, check, differences, expect, fetch, main, packing, produced, simulation
from paraview import simple
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkImageData, vtkPolyData

T = 0.15  # s; the grains lie in a heap and still move
CELLS = ["MassDensity", "NumberDensity", "SolidFraction", "Velocity", "GranularTemperature", "AngularVelocity", "KineticStress",
         "ContactStress", "CoordinationNumber", "SpeciesFraction"]
POINTS = ["MassDensity", "MomentumDensity", "Velocity", "SolidFraction", "GranularTemperature", "KineticStress", "ContactStress",
          "WallForceDensity"]


def moving(**properties):
    return simulation(packing(Velocity=[0.3, 0.1, 0]), **properties)


def instant(s, t=T):
    """Grains and contacts as numpy arrays in double precision."""
    grains = {key[1] if isinstance(key, tuple) else key: value.astype(float) for key, value in arrays(fetch(s, 0, t)).items()
              if key == "points" or key[0] == "point"}
    data = arrays(fetch(s, 1, t))
    ends = data["points"].reshape(-1, 2, 3)
    contacts = dict(first=ends[:, 0], line=ends[:, 1] - ends[:, 0], ids=data["cell", "ParticleIds"],
                    force=data["cell", "NormalForce"].astype(float) + data["cell", "TangentialForce"].astype(float))
    return grains, contacts


def image(proxy, t=T, port=0):
    data = fetch(proxy, port, t)
    return data, {key[1]: value for key, value in arrays(data).items() if key != "points" and key[0] in ("cell", "point", "row")}


def symmetric(force, line):
    t = numpy.einsum("ni,nj->nij", force, line)
    t = 0.5 * (t + t.transpose(0, 2, 1))
    return numpy.stack([t[:, 0, 0], t[:, 1, 1], t[:, 2, 2], t[:, 0, 1], t[:, 1, 2], t[:, 0, 2]], axis=1)


def near(a, b, relative, what):
    a, b = numpy.asarray(a, float), numpy.asarray(b, float)
    size = max(numpy.abs(b).max(), 1e-300)
    check(a.shape == b.shape and numpy.abs(a - b).max() <= relative * size, f"{what}: {a} against {b}")


def nothing_is_lost():
    s = moving()
    grains, contacts = instant(s)
    check(len(contacts["line"]) > 50, "too few contacts for a test")
    average = simple.DEMCellAverage(Input=s, Dimensions=[20, 20, 20])
    data, got = image(average)
    check(set(got) == set(CELLS), str(sorted(got)))
    v = numpy.prod(data.GetSpacing())
    check(data.GetDimensions() == (21, 21, 21), str(data.GetDimensions()))
    low, high = (grains["points"] - grains["Radius"][:, None]).min(axis=0), (grains["points"] + grains["Radius"][:, None]).max(axis=0)
    near(data.GetBounds(), numpy.stack([low, high], axis=1).ravel(), 1e-12, "bounds")
    near(got["MassDensity"].sum() * v, grains["Mass"].sum(), 1e-12, "mass")
    near(got["NumberDensity"].sum() * v, len(grains["Mass"]), 1e-12, "number")
    near(got["SolidFraction"].sum() * v, (4 / 3 * math.pi * grains["Radius"] ** 3).sum(), 1e-12, "volume")
    near((got["MassDensity"][:, None] * got["Velocity"]).sum(axis=0) * v, (grains["Mass"][:, None] * grains["Velocity"]).sum(axis=0),
         1e-12, "momentum")
    near(got["ContactStress"].sum(axis=0) * v, symmetric(contacts["force"], contacts["line"]).sum(axis=0), 1e-9, "stress")
    z = (got["NumberDensity"] * got["CoordinationNumber"]).sum() / got["NumberDensity"].sum()
    near(z, grains["CoordinationNumber"].mean(), 1e-12, "coordination number")
    _, table = image(average, port=1)
    check(set(table) == set(CELLS) | {"Height", "Lower", "Upper"}, str(sorted(table)))
    thick = table["Upper"] - table["Lower"]
    area = v / data.GetSpacing()[2] * (data.GetDimensions()[0] - 1) * (data.GetDimensions()[1] - 1)
    near((table["MassDensity"] * thick).sum() * area, grains["Mass"].sum(), 1e-12, "mass in slabs")


def default_cells_hold_several_grains():
    for source, used in ((simulation(), (2, 2, 2)), (packing(Size=[0.012, 0.06, 0.012]), (1, 2, 1)),
                         (packing(Size=[0.9, 0.06, 0.012], Spacing=0.02), (20, 2, 1))):
        data, got = image(simple.DEMCellAverage(Input=source), 0)
        check(data.GetDimensions() == (21, 21, 21), str(data.GetDimensions()))
        spacing = numpy.array(data.GetSpacing())
        check((spacing >= 0.025 - 1e-12).all(), f"cells of {spacing} m, grains of 0.01 m")
        held = got["NumberDensity"].reshape(20, 20, 20) > 0
        bounds = fetch(source, 0, 0).GetBounds()
        for axis in range(3):
            cells = numpy.flatnonzero(held.any(axis=tuple({0, 1, 2} - {2 - axis})))
            check(len(cells) == used[axis] and (numpy.diff(cells) == 1).all(), f"axis {axis}: the grains are in cells {cells}")
            edges = [data.GetBounds()[2 * axis] + spacing[axis] * k for k in (cells[0], cells[-1] + 1)]
            near(sum(edges), bounds[2 * axis] + bounds[2 * axis + 1], 1e-9, "middle of the grid")
        near(got["MassDensity"].sum() * numpy.prod(spacing), 2500 * len(fetch(source, 0, 0).GetPointData().GetArray("Radius").GetTuple(0))
             * fetch(source, 0, 0).GetNumberOfPoints() * 4 / 3 * math.pi * 0.005 ** 3, 1e-6, "mass")
        _, table = image(simple.DEMCellAverage(Input=source), 0, port=1)
        check(len(table["Height"]) == used[2] and (table["SolidFraction"] > 0.05).all(), f"profile of {len(table['Height'])} slabs")


def centres_in_cells_as_numpy_counts_them():
    s = moving()
    grains, _ = instant(s)
    bounds, n = [-0.04, 0.05, -0.05, 0.04, -0.01, 0.05], [4, 5, 6]
    average = simple.DEMCellAverage(Input=s, AutomaticBounds=0, Bounds=bounds, Dimensions=n,
                                    GrainShare="Centre In Cell")
    data, got = image(average)
    check(list(data.GetDimensions()) == [k + 1 for k in n])
    v = numpy.prod(data.GetSpacing())
    edges = [numpy.linspace(bounds[2 * k], bounds[2 * k + 1], n[k] + 1) for k in range(3)]

    def total(weights):
        return numpy.histogramdd(grains["points"], edges, weights=weights)[0].transpose(2, 1, 0).ravel()

    mass = total(grains["Mass"])
    check((mass > 0).sum() > 20 and (mass == 0).sum() > 5)
    near(got["MassDensity"] * v, mass, 1e-12, "mass")
    filled = mass > 0
    mean = numpy.stack([total(grains["Mass"] * grains["Velocity"][:, k]) for k in range(3)], axis=1)[filled] / mass[filled, None]
    near(got["Velocity"][filled], mean, 1e-9, "velocity")
    square = total(grains["Mass"] * (grains["Velocity"] ** 2).sum(axis=1))[filled] / mass[filled]
    near(got["GranularTemperature"][filled], (square - (mean ** 2).sum(axis=1)) / 3, 1e-8, "temperature")
    spin = numpy.stack([total(grains["Mass"] * grains["AngularVelocity"][:, k]) for k in range(3)], axis=1)[filled] / mass[filled, None]
    near(got["AngularVelocity"][filled], spin, 1e-9, "spin")
    check((got["Velocity"][~filled] == 0).all())


def contacts_from_a_second_input_are_the_same():
    s = moving()
    a = image(simple.DEMCellAverage(Input=s))[1]
    b = image(simple.DEMCellAverage(Input=s, ListOfContacts=simple.OutputPort(s, 1)))[1]
    check(numpy.abs(a["ContactStress"]).max() > 0)
    for name in CELLS:
        check(numpy.array_equal(a[name], b[name]), name)


def any_order_of_times():
    s = moving()
    average = simple.DEMCellAverage(Input=s)
    sliced = simple.Slice(Input=average, SliceType="Plane")
    sliced.SliceType.Origin, sliced.SliceType.Normal = [0, 0, 0.001], [0, 1, 0]
    times = [0.0, 0.1, 0.2]
    expected = {t: arrays(fetch(average, 0, t)) for t in times}
    sizes = {t: fetch(average, 0, t).GetBounds() for t in times}
    check(len(set(sizes.values())) > 1, f"the grid does not follow the grains: {sizes}")
    for t in (0.2, 0.0, 0.1, 0.2):
        check(not differences({0: arrays(fetch(average, 0, t))}, {0: expected[t]}), f"t = {t}")
        cut = fetch(sliced, 0, t)
        check(cut.GetNumberOfCells() > 0 and cut.GetCellData().HasArray("Velocity"), f"t = {t}: {cut}")
        bounds = fetch(average, 0, t).GetBounds()
        check(abs(cut.GetBounds()[0] - bounds[0]) < 1e-7 and abs(cut.GetBounds()[5] - bounds[5]) < 1e-7, f"{cut.GetBounds()} {bounds}")


def profiles_at_given_heights():
    s = moving()
    grains, _ = instant(s)
    heights = [-0.005, 0.004, 0.013, 0.03]
    average = simple.DEMCellAverage(Input=s, AutomaticBounds=0, Bounds=[-0.1, 0.1, -0.1, 0.1, -0.01, 0.1], CellSize=0.02,
                                    ProfileHeights=heights)
    _, table = image(average, port=1)
    near(table["Lower"], heights[:-1], 1e-15, "heights")
    near(table["Height"], [(a + b) / 2 for a, b in zip(heights, heights[1:])], 1e-15, "heights")
    z, r = grains["points"][:, 2], grains["Radius"]

    def below(h):  # fraction of each sphere below a height
        t = numpy.clip(h - (z - r), 0, 2 * r)
        return t * t * (3 * r - t) / (4 * r ** 3)

    for i in range(3):
        share = below(heights[i + 1]) - below(heights[i])
        mass = (share * grains["Mass"]).sum()
        near(table["MassDensity"][i], mass / (0.04 * (heights[i + 1] - heights[i])), 1e-12, "density of a slab")
        near(table["Velocity"][i], (share[:, None] * grains["Mass"][:, None] * grains["Velocity"]).sum(axis=0) / mass, 1e-9, "its velocity")


def windows_are_means_over_outputs():
    s = moving()
    options = dict(AutomaticBounds=0, Bounds=[-0.06, 0.06, -0.06, 0.06, -0.01, 0.05], CellSize=0.02)
    one = simple.DEMCellAverage(Input=s, **options)
    times = [0.11, 0.12, 0.13, 0.14, 0.15]
    values = [image(one, t)[1] for t in times]
    profiles = [image(one, t, 1)[1] for t in times]
    window = simple.DEMCellAverage(Input=s, TimeWindow=0.04, **options)
    data, got = image(window)
    check(set(got) == set(CELLS) | {name + "StandardError" for name in CELLS} | {"Count"}, str(sorted(got)))
    check(data.GetFieldData().GetArray("OutputCount").GetValue(0) == 5)
    check(abs(data.GetInformation().Get(data.DATA_TIME_STEP()) - T) < 1e-12)
    for samples, mean in ((values, got), (profiles, image(window, T, 1)[1])):
        for name in ("MassDensity", "ContactStress", "SolidFraction", "KineticStress"):
            all_values = numpy.stack([v[name] for v in samples])
            near(mean[name], all_values.mean(axis=0), 1e-12, name)
            near(mean[name + "StandardError"], all_values.std(axis=0, ddof=1) / math.sqrt(5), 1e-7, name + "StandardError")
        rho = numpy.stack([v["MassDensity"] for v in samples])
        n = (rho > 0).sum(axis=0)
        check((mean["Count"] == n).all())
        some, many = n > 0, n > 1
        v = numpy.stack([sample["Velocity"] for sample in samples])
        with numpy.errstate(invalid="ignore", divide="ignore"):
            expected = (rho[:, :, None] * v).sum(axis=0) / rho.sum(axis=0)[:, None]
            error = numpy.sqrt((n / (n - 1))[:, None] * (rho[:, :, None] ** 2 * (v - expected) ** 2).sum(axis=0)) / rho.sum(axis=0)[:, None]
        near(mean["Velocity"][some], expected[some], 1e-12, "velocity")
        near(mean["VelocityStandardError"][many], error[many], 1e-7, "error of the velocity")
        check(numpy.isnan(mean["VelocityStandardError"][n < 2]).all())
    # Near the start there are fewer outputs.
    check(image(window, 0.02)[0].GetFieldData().GetArray("OutputCount").GetValue(0) == 3)
    check(image(window, 0.0)[0].GetFieldData().GetArray("OutputCount").GetValue(0) == 1)
    # Other filters of the simulation still show the time they requested.
    check(abs(arrays(fetch(s, 3, T))["row", "Time"][0] - T) < 1e-12)
    # Automatic bounds are those of the time shown.
    automatic = simple.DEMCellAverage(Input=s, TimeWindow=0.04)
    check(image(automatic)[0].GetBounds() == image(simple.DEMCellAverage(Input=s))[0].GetBounds())


def lucy(d, w):
    q = d / w
    return numpy.where(q < 1, 105 / (16 * math.pi * w ** 3) * (-3 * q ** 4 + 8 * q ** 3 - 6 * q ** 2 + 1), 0)


def coarse_graining_is_what_the_papers_say():
    s = moving()
    grains, contacts = instant(s)
    w = 0.014
    floor = (contacts["first"] + contacts["line"])[contacts["ids"][:, 1] < 0].mean(axis=0)
    line = simple.Line(Point1=floor + [-0.03, 0, -0.002], Point2=floor + [0.03, 0.004, 0.022], Resolution=30)
    proxy = simple.DEMCoarseGraining(Input=s, SamplingPoints=line, Width=w)
    data, got = image(proxy)
    check(data.IsA("vtkPolyData") and data.GetNumberOfLines() == 1)
    check(set(POINTS) <= set(got), str(sorted(got)))
    points = numpy.array([data.GetPoint(i) for i in range(data.GetNumberOfPoints())])
    s_mid = (numpy.arange(2000) + 0.5) / 2000
    compared = 0
    for i, x in enumerate(points):
        phi = lucy(numpy.linalg.norm(grains["points"] - x, axis=1), w)
        rho = (grains["Mass"] * phi).sum()
        near(got["MassDensity"][i], rho, 1e-9, "density") if rho else check(got["MassDensity"][i] == 0)
        if not rho:
            continue
        compared += 1
        u = (grains["Mass"][:, None] * grains["Velocity"] * phi[:, None]).sum(axis=0) / rho
        near(got["Velocity"][i], u, 1e-9, "velocity")
        near(got["MomentumDensity"][i], rho * u, 1e-9, "momentum")
        d = grains["Velocity"] - u
        near(got["GranularTemperature"][i], (grains["Mass"] * phi * (d ** 2).sum(axis=1)).sum() / rho / 3, 1e-8, "temperature")
        kinetic = -symmetric(d * (grains["Mass"] * phi)[:, None], d).sum(axis=0)
        near(got["KineticStress"][i], kinetic, 1e-8, "kinetic stress")
        places = contacts["first"][:, None, :] + s_mid[None, :, None] * contacts["line"][:, None, :] - x
        along = lucy(numpy.linalg.norm(places, axis=2), w).mean(axis=1)
        near(got["ContactStress"][i], symmetric(contacts["force"] * along[:, None], contacts["line"]).sum(axis=0), 1e-5, "contact stress")
        walls = contacts["ids"][:, 1] < 0
        at_wall = lucy(numpy.linalg.norm((contacts["first"] + contacts["line"])[walls] - x, axis=1), w)
        force = (contacts["force"][walls] * at_wall[:, None]).sum(axis=0)
        near(got["WallForceDensity"][i], force, 1e-6, "wall force") if numpy.abs(force).max() > 0 else None
    check(compared > 15, f"only {compared} points compared")
    check(numpy.abs(got["WallForceDensity"]).max() > 0, "no wall near the line")


def coarse_graining_keeps_mass_and_momentum():
    s = moving()
    grains, _ = instant(s)
    for kernel, width in (("Lucy", 0.03), ("Gauss", 0.01)):
        proxy = simple.DEMCoarseGraining(Input=s, Kernel=kernel, Width=width, Dimensions=[48, 48, 48])
        data, got = image(proxy)
        check(data.IsA("vtkImageData") and max(data.GetSpacing()) < 0.03 / 8, str(data.GetSpacing()))
        v = numpy.prod(data.GetSpacing())
        near(got["MassDensity"].sum() * v, grains["Mass"].sum(), 1e-3, "mass")
        momentum = (grains["Mass"][:, None] * grains["Velocity"]).sum(axis=0)
        near(got["MomentumDensity"].sum(axis=0) * v, momentum, 1e-3, "momentum")
    data, got = image(simple.DEMCoarseGraining(Input=s), 0.05)
    check(data.GetDimensions() == (32, 32, 32) and got["MassDensity"].max() > 0)


def coarse_graining_in_time():
    s = moving()
    plane = simple.Plane(Origin=[-0.03, 0, 0], Point1=[0.03, 0, 0], Point2=[-0.03, 0, 0.03], XResolution=8, YResolution=5)
    one = simple.DEMCoarseGraining(Input=s, SamplingPoints=plane)
    values = [image(one, t)[1] for t in (0.13, 0.14, 0.15)]
    got = image(simple.DEMCoarseGraining(Input=s, SamplingPoints=plane, TimeWindow=0.02))[1]
    stack = numpy.stack([v["ContactStress"] for v in values])
    near(got["ContactStress"], stack.mean(axis=0), 1e-12, "mean")
    near(got["ContactStressStandardError"], stack.std(axis=0, ddof=1) / math.sqrt(3), 1e-7, "error")


def a_settled_bed_carries_its_weight():
    # At rest and without friction on the walls, the stress at a level carries the weight of the
    # grains with centres above it.
    s = simulation(packing(Size=[0.06, 0.06, 0.12]), EndTime=1.5, OutputInterval=0.1, Restitution=0.3, AutomaticDomain=0,
                   Domain=[-0.03, 0.03, -0.03, 0.03, 0, 0.2], Friction=0.2, WallFriction=0)
    grains, _ = instant(s, 1.5)
    check(numpy.abs(grains["Velocity"]).max() < 2e-3, "the bed is not at rest")
    heights = [0.004 * k for k in range(21)]
    average = simple.DEMCellAverage(Input=s, AutomaticBounds=0, Bounds=[-0.03, 0.03, -0.03, 0.03, 0, 0.1], ProfileHeights=heights)
    _, table = image(average, 1.5, 1)
    total = 9.81 * grains["Mass"].sum() / 0.0036
    check(total > 500, f"too light a bed: {total} Pa")
    for low, high, stress in zip(table["Lower"], table["Upper"], table["ContactStress"][:, 2]):
        above = numpy.clip((grains["points"][:, 2] - low) / (high - low), 0, 1)
        weight = 9.81 * (grains["Mass"] * above).sum() / 0.0036
        check(abs(-stress - weight) < 0.01 * total, f"from {low} m to {high} m: {stress} Pa, weight {weight} Pa")


def uniform_grid(extent, origin=(0, 0, 0), spacing=(1, 1, 1)):
    data = vtkImageData()
    data.SetExtent(extent)
    data.SetOrigin(origin)
    data.SetSpacing(spacing)
    return produced(data)


def grids_of_an_input():
    s = moving()
    grid = uniform_grid([-3, 3, -2, 4, 0, 5], [0.001, 0, 0], [0.01, 0.011, 0.012])
    data, got = image(simple.DEMCellAverage(Input=s, SamplingGrid=grid))
    check(data.GetExtent() == (-3, 3, -2, 4, 0, 5) and abs(data.GetBounds()[0] + 0.029) < 1e-12, f"{data.GetExtent()} {data.GetBounds()}")
    check(len(got["MassDensity"]) == 180 and got["MassDensity"].max() > 0)


def refused(proxy, *words, time=T):
    expect(lambda: proxy.UpdatePipeline(time), *words, exact=True)


def bad_input_is_refused():
    s = moving()
    refused(simple.DEMCellAverage(Input=s, AutomaticBounds=0, CellSize=1e-4), "10000 x 10000 x 10000", "TiB", "limit")
    refused(simple.DEMCellAverage(Input=s, CellSize=0.01), "Automatic Bounds is on")
    plane = simple.Plane()
    flat = uniform_grid([0, 3, 0, 3, 0, 0])
    refused(simple.DEMCellAverage(Input=s, SamplingGrid=flat), "4 x 4 x 1", "plane")
    refused(simple.DEMCellAverage(Input=s, AutomaticBounds=0, Bounds=[0, 1, 0, 1, 2, 2]), "no volume")
    refused(simple.DEMCellAverage(Input=s, TimeWindow=0.3), "longer than the run", "0.3 s", "0.2 s")
    refused(simple.DEMCellAverage(Input=s, TimeWindow=-1), "Time Window is -1")
    refused(simple.DEMCellAverage(Input=packing(), TimeWindow=0.1), "no time steps")
    refused(simple.DEMCellAverage(Input=s, ProfileHeights=[0, 0.02, 0.01]), "must ascend")
    refused(simple.DEMCellAverage(Input=s, Periodic=[1, 0, 0]), "periodic", "Automatic Bounds")
    refused(simple.DEMCellAverage(Input=plane), "adius")
    refused(simple.DEMCellAverage(Input=simulation(packing(Radius=0.004, Spacing=0.02)), ListOfContacts=simple.OutputPort(s, 1)), "Ids")
    refused(simple.DEMCoarseGraining(Input=s, Width=-1), "Width is -1")
    refused(simple.DEMCoarseGraining(Input=s, Dimensions=[3000, 3000, 3000]), "27000000000 points", "limit")


def empty_input_gives_empty_output():
    s = moving()
    none = simple.Threshold(Input=s, Scalars=["POINTS", "Radius"], LowerThreshold=5, UpperThreshold=6)
    for window in (0, 0.05):
        average = simple.DEMCellAverage(Input=none, TimeWindow=window)
        check(fetch(simple.Slice(Input=average), 0, T).GetNumberOfCells() == 0)
        data, got = image(average)
        check(data.GetNumberOfCells() == 0 and set(CELLS) <= set(got), str(got))
        check(len(image(simple.DEMCellAverage(Input=none), port=1)[1]["Height"]) == 0)
        data, got = image(simple.DEMCoarseGraining(Input=none, TimeWindow=window))
        check(data.GetNumberOfPoints() == 0 and set(POINTS) <= set(got), str(got))
    data, got = image(simple.DEMCellAverage(Input=none, AutomaticBounds=0, Bounds=[0, 1, 0, 1, 0, 1], CellSize=0.5))
    check(len(got["MassDensity"]) == 8 and not got["MassDensity"].any())


def contacts_over_periodic_borders():
    """A dump states its period. The mean number of contacts equals that of the list that LIGGGHTS
    wrote, including pairs across the border."""
    folder = os.path.join(DATA, "Reference", "OtherCodes")
    reader = simple.DEMDumpReader(FileNames=[os.path.join(folder, "liggghts.dump")], TimeStep=2e-5)
    lines = open(os.path.join(folder, "liggghts_contacts.dump")).read().split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("ITEM: ENTRIES"))
    listed = len([line for line in lines[start + 1:] if line.strip()])
    _, got = image(simple.DEMCellAverage(Input=reader, AutomaticBounds=0, Bounds=[-1, 1] * 3, Dimensions=[1, 1, 1]), 0.2)
    near(got["CoordinationNumber"], [2 * listed / 150], 1e-9, "coordination number")


def particles_of_another_code():
    # No mass, no Ids, diameters instead of radii: contacts are found, forces are unknown.
    places = numpy.array([[x, y, z] for z in range(4) for y in range(4) for x in range(4)], float)
    points, diameter = vtkPoints(), numpy_to_vtk(numpy.full(64, 1.0 + 1e-6), deep=1)
    points.SetData(numpy_to_vtk(places, deep=1))
    diameter.SetName("Diameter")
    data = vtkPolyData()
    data.SetPoints(points)
    data.GetPointData().AddArray(diameter)
    source = produced(data)
    data, got = image(simple.DEMCellAverage(Input=source, Density=1000, AutomaticBounds=0, Bounds=[-0.5, 3.5] * 3, Dimensions=[1, 1, 1]), 0)
    near(got["SolidFraction"], [math.pi / 6], 1e-5, "solid fraction")
    near(got["MassDensity"], [1000 * math.pi / 6], 1e-5, "mass density")
    near(got["CoordinationNumber"], [4.5], 1e-5, "coordination number")  # 144 contacts of 64 grains
    # Forces and velocities are unknown, which differs from 0.
    for name in ("ContactStress", "Velocity", "GranularTemperature", "KineticStress", "AngularVelocity"):
        check(numpy.isnan(got[name]).all(), f"{name}: {got[name]}")
    data, smooth = image(simple.DEMCoarseGraining(Input=source, Density=1000), 0)
    for name in ("ContactStress", "WallForceDensity", "Velocity", "MomentumDensity", "GranularTemperature", "KineticStress"):
        check(numpy.isnan(smooth[name]).all(), f"{name}: {smooth[name]}")
    check(numpy.isfinite(smooth["MassDensity"]).all() and smooth["MassDensity"].max() > 0)
    named = simple.Calculator(Input=source, ResultArrayName="Size of grain", Function="0.25*Diameter")
    data, smaller = image(simple.DEMCellAverage(Input=named, Density=1000, RadiusArray="Size of grain", AutomaticBounds=0,
                                                Bounds=[-0.5, 3.5] * 3, Dimensions=[1, 1, 1]), 0)
    near(smaller["SolidFraction"], [math.pi / 48], 1e-5, "solid fraction of half the size")


main(nothing_is_lost, default_cells_hold_several_grains, centres_in_cells_as_numpy_counts_them, contacts_from_a_second_input_are_the_same, any_order_of_times,
     profiles_at_given_heights, windows_are_means_over_outputs, coarse_graining_is_what_the_papers_say,
     coarse_graining_keeps_mass_and_momentum, coarse_graining_in_time, a_settled_bed_carries_its_weight, grids_of_an_input,
     bad_input_is_refused, empty_input_gives_empty_output, contacts_over_periodic_borders,
     particles_of_another_code)
