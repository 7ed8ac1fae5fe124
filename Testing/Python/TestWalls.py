"""Walls that numbers define: DEM Analytic Wall and the kinds of DEM Wall. They do what the same walls of a .dem file do, to the bit; and
walls with several motions."""
import json
import math
import os

from dem_testing import WORK, arrays, check, differences, equal, everything, expect, fetch, main, packing, simulation
from paraview import servermanager, simple

MOTION = dict(Motion="Translation", Velocity=[0, 0, 0.02], StartTime=0.05, StopTime=0.15)
# Each kind: properties here, keys of files there.
WALLS = [
    ("Floor", dict(Kind="Plane", Point1=[0, 0, -0.002], Normal=[0.1, 0, 1]), dict(kind="Plane", origin=[0, 0, -0.002], normal=[0.1, 0, 1])),
    ("Plate", dict(Kind="Rectangle", Point1=[-0.03, -0.03, 0.02], EdgeU=[0.02, 0, 0], EdgeV=[0, 0.03, 0], **MOTION),
     dict(kind="Rectangle", origin=[-0.03, -0.03, 0.02], edge_u=[0.02, 0, 0], edge_v=[0, 0.03, 0],
          motion=dict(kind="Translation", velocity=[0, 0, 0.02], start=0.05, stop=0.15))),
    ("Wire", dict(Kind="Line", Point1=[0.001, -0.05, 0.03], Point2=[0.001, 0.05, 0.035]), dict(kind="Line", origin=[0.001, -0.05, 0.03], end=[0.001, 0.05, 0.035])),
    ("Crate", dict(Kind="Box", Point1=[-0.05, -0.05, -0.1], Point2=[0.05, 0.05, 0.3]), dict(kind="Box", origin=[-0.05, -0.05, -0.1], end=[0.05, 0.05, 0.3])),
    ("Pipe", dict(Kind="Cylinder", Point1=[0.03, -0.06, 0.02], Point2=[0.03, 0.06, 0.02], Radius=0.006),
     dict(kind="Cylinder", origin=[0.03, -0.06, 0.02], end=[0.03, 0.06, 0.02], radius=0.006)),
    ("Funnel", dict(Kind="Cone", Point1=[0, 0, 0], Point2=[0, 0, 0.06], Radius=0.01, EndRadius=0.047),
     dict(kind="Cone", origin=[0, 0, 0], end=[0, 0, 0.06], radius=0.01, end_radius=0.047)),
]
STEP = 5e-5


def grains():
    return packing(Arrangement="Lattice", LowerCorner=[-0.04, -0.04, 0.07], Size=[0.08, 0.08, 0.06])


def of_file(name, walls, materials=()):
    """The scene of grains() and `walls`, keys of a file, with the materials of DEM Simulation."""
    s = simulation(grains())
    def material(prefix, called):
        keys = (("YoungsModulus", "youngs_modulus"), ("PoissonsRatio", "poissons_ratio"), ("Density", "density"), ("Restitution", "restitution"),
                ("Friction", "friction"), ("RollingFriction", "rolling_friction"))
        return dict({key: getattr(s, prefix + label) for label, key in keys}, name=called)
    document = dict(version=1, materials=[material("", "Grain"), material("Wall", "Wall"), *materials], walls=walls, domain=dict(wall_material="Wall"),
                    packings=[dict(kind="Lattice", lower=[-0.04, -0.04, 0.07], upper=[0.04, 0.04, 0.13], radius=0.005, spacing=0.012, material="Grain")],
                    time_step=STEP, end_time=0.2, output_interval=0.01)
    for wall in walls:
        wall.setdefault("material", "Wall")
    path = os.path.join(WORK, name + ".dem")
    with open(path, "w", encoding="utf-8") as text:
        json.dump(document, text)
    simple.Delete(s)
    return simple.DEMCaseReader(FileName=path, Device="CPU")


def expect_equal(run, case, times, names=("Velocity", "AngularVelocity", "Force", "Id"), touches=True):
    for t in times:
        a, b = (arrays(fetch(r, 0, t)) for r in (run, case))
        check(len(a["points"]) > 50 and equal(a["points"], b["points"]), f"t = {t}: other positions")
        for name in names:
            check(equal(a["point", name], b["point", name]), f"t = {t}: {name} differs")
        a, b = (arrays(fetch(r, 2)) for r in (run, case))
        for name in (("cell", "Force"), ("cell", "Pressure"), ("cell", "Wall"), "points"):
            check(equal(a[name], b[name]), f"t = {t}: {name} of the walls differs")
        if touches and t > 0.1:
            check(abs(a["cell", "Force"]).max() > 0, "nothing touches the walls")


def kinds_have_the_bits_of_files():
    proxies = [simple.DEMAnalyticWall(WallName=name, **here) for name, here, _ in WALLS]
    run = simulation(grains(), Walls=proxies, TimeStep=STEP)
    case = of_file("kinds", [dict(there, name=name) for name, _, there in WALLS])
    expect_equal(run, case, (0, 0.08, 0.2))
    check(list(arrays(fetch(run, 2))["field", "WallName"]) == [name for name, *_ in WALLS])
    filters = [simple.DEMWall(WallName=name, **here) for name, here, _ in WALLS]
    same = simulation(grains(), Walls=filters, TimeStep=STEP)
    expect_equal(same, case, (0.2,))


def each_is_shown():
    expected = {"Plane": (4, [-0.5, 0.5]), "Rectangle": (4, [0, 0.4]), "Line": (2, [0, 0]), "Box": (8, [-0.1, 0.2]), "Cylinder": (128, [-0.1, 0.1]),
                "Cone": (128, [-0.2, 0.2])}
    for kind, (points, x) in expected.items():
        wall = simple.DEMAnalyticWall(Kind=kind)
        if kind == "Box":
            wall.Point1, wall.Point2 = [-0.1, -0.1, 0], [0.2, 0.2, 0.2]
        data = fetch(wall)
        bounds = data.GetBounds()
        check(data.GetNumberOfPoints() == points and max(abs(a - b) for a, b in zip(bounds, x)) < 1e-9, f"{kind}: {data.GetNumberOfPoints()}, {bounds}")
    check(simple.DEMAnalyticWall().Kind == "Plane" and simple.DEMWall(Input=simple.Box()).Kind == "Mesh")


def materials_and_heat_come_along():
    here = dict(Kind="Plane", Point1=[0, 0, 0.05], OwnMaterial=1, Friction=0.9, Restitution=0.2, YoungsModulus=3e6)
    run = simulation(grains(), Walls=[simple.DEMAnalyticWall(WallName="Floor", **here)], TimeStep=STEP)
    floor = dict(name="Floor", youngs_modulus=3e6, friction=0.9, restitution=0.2)
    case = of_file("rough", [dict(name="Floor", kind="Plane", origin=[0, 0, 0.05], normal=[0, 0, 1], material="Floor")], [floor])
    expect_equal(run, case, (0.2,))
    hot = simple.DEMAnalyticWall(Kind="Plane", Point1=[0, 0, 0.065], ThermalCondition="Temperature", Temperature=400)
    warm = simulation(grains(), Walls=[hot], HeatTransfer="Conduction")
    check(arrays(fetch(warm, 3, 0.2))["row", "HeatFromWalls"][0] > 0, "the wall heats no grain")


def no_active_source_becomes_the_input():
    """A wall that is made after the simulation would otherwise depend on it."""
    run = simulation(grains())
    for wall in (simple.DEMWall(Kind="Plane", Point1=[0, 0, 0.01]), simple.DEMAnalyticWall(Point1=[0, 0, 0.01])):
        check(wall.GetProperty("Input") is None or wall.Input is None, "the simulation is the input of its wall")
        run.Walls = [wall]
        check(fetch(run, 2, 0.02).GetNumberOfCells() == 1)
        simple.SetActiveSource(run)
    box = simple.Box()
    wall = simple.DEMWall(Input=box)
    check(wall.Input is not None and fetch(wall).GetNumberOfCells() == 6)
    wall.Kind = "Plane"
    wall.UpdateVTKObjects()
    check(wall.Input is None and fetch(wall).GetNumberOfCells() == 1)
    wall.Input, wall.Kind = box, "Mesh"
    check(fetch(wall).GetNumberOfCells() == 6)


def bad_walls_are_refused():
    def shown(**properties):
        return expect(lambda: simple.DEMAnalyticWall(**properties).UpdatePipeline(), "Wall")
    for properties, words in ((dict(Kind="Cylinder", Radius=0), "radius above 0"), (dict(Kind="Cylinder", Radius=-1), "radius"),
                              (dict(Kind="Plane", Normal=[0, 0, 0]), "normal that is not zero"),
                              (dict(Kind="Cone", Radius=0, EndRadius=0), "one of them above 0"),
                              (dict(Kind="Line", Point2=[0, 0, 0]), "two different ends"), (dict(Kind="Box"), "upper corner above its lower corner"),
                              (dict(Kind="Rectangle", EdgeV=[1, 0, 0]), "not parallel"), (dict(Kind="Rectangle", EdgeV=[1, 1, 0]), "right angles"),
                              (dict(Kind="Plane", Motion="Rotation"), "cannot rotate"), (dict(Kind="Plane", ShownSize=0), "Shown Size"),
                              (dict(Kind="Plane", Point1=[math.nan, 0, 0]), "finite"),
                              (dict(Kind="Plane", ThermalCondition="Heat Flux"), "no area")):
        text = shown(**properties)
        check(words in text, f"{properties}: {text}")
    mesh = simple.DEMWall(Kind="Mesh")
    mesh.Input = None
    expect(mesh.UpdatePipeline, "no Input", "Choose a surface")
    # the simulation reports nothing more
    bad = simulation(grains(), Walls=[simple.DEMAnalyticWall(Kind="Cylinder", Radius=0)])
    text = expect(lambda: bad.UpdatePipeline(0.01), "radius above 0")
    check(text.count("radius above 0") == 1, text)


def a_changed_surface_is_refused():
    wall = simple.DEMAnalyticWall(registrationName="Pipe", Kind="Cylinder")
    moved = simple.Transform(registrationName="Moved", Input=wall)
    moved.Transform.Translate = [0.5, 0, 0]
    run = simulation(grains(), Walls=[moved])
    expect(lambda: run.UpdatePipeline(0.01), "Moved", "behind DEM Wall", "Cylinder")
    # as seen from a far origin, where the way is small beside the coordinates
    far = dict(Kind="Box", Point1=[1000, 0, 0], Point2=[1000.1, 0.1, 0.1])
    pushed = simple.Transform(registrationName="Pushed", Input=simple.DEMAnalyticWall(**far))
    pushed.Transform.Translate = [0.005, 0, 0]
    expect(lambda: simulation(grains(), Walls=[pushed]).UpdatePipeline(0.01), "Pushed", "behind DEM Wall", "Box")
    # a cut corner: the box around it stays
    cut = simple.Clip(Input=simple.DEMAnalyticWall(Kind="Box", Point1=[-1, -1, -1], Point2=[1, 1, 1]), ClipType="Plane")
    cut.ClipType.Origin, cut.ClipType.Normal = [0.9, 0.9, 0.9], [1, 1, 1]
    surface = simple.ExtractSurface(registrationName="Cut", Input=cut)
    check(abs(fetch(surface).GetBounds()[1] - 1) < 1e-12)
    expect(lambda: simulation(grains(), Walls=[surface]).UpdatePipeline(0.01), "Cut", "behind DEM Wall", "Box")
    same = simple.Transform(Input=simple.DEMAnalyticWall(Kind="Box", Point1=[-1, -1, -1], Point2=[1, 1, 1]))
    check(fetch(simulation(grains(), Walls=[same]), 2, 0.01).GetNumberOfCells() > 0, "an unchanged surface is refused")
    mesh = simple.DEMWall(Input=moved)  # the polygons, as a mesh
    check(fetch(simulation(grains(), Walls=[mesh]), 2, 0.01).GetNumberOfCells() == 128, "no triangles")


def motions_add_up():
    """A blade turns about its own axis, which circles about the origin: closed form, and a file's list."""
    corners = [(0.02, 0, 0.01), (0.03, 0, 0.01), (0.03, 0, 0.06), (0.02, 0, 0.06)]
    inner = dict(Kind="Rectangle", Point1=corners[0], EdgeU=[0.01, 0, 0], EdgeV=[0, 0, 0.05], Motion="Rotation", Origin=[0.02, 0, 0], RotationRate=-400)
    blade = simple.DEMWall(Input=simple.DEMAnalyticWall(WallName="Blade", **inner), AddMotion=1, Motion="Rotation", RotationRate=150)
    lifted = simple.DEMWall(Input=blade, AddMotion=1, Motion="Translation", Velocity=[0, 0, 0.1], StartTime=0.1)
    run = simulation(grains(), Walls=[lifted], TimeStep=STEP)

    def turn(p, degrees, pivot):
        a = math.radians(degrees)
        x, y = p[0] - pivot, p[1]
        return pivot + math.cos(a) * x - math.sin(a) * y, math.sin(a) * x + math.cos(a) * y, p[2]
    for t in (0, 0.05, 0.2):
        got = arrays(fetch(run, 2, t))["points"]
        for p, q in zip(corners, got):
            x, y, z = turn(turn(p, -400 * t, 0.02), 150 * t, 0)
            check(max(abs(x - q[0]), abs(y - q[1]), abs(z + 0.1 * max(0, t - 0.1) - q[2])) < 1e-9, f"t = {t}: {q}")
    rates = [math.radians(-400), math.radians(150)]
    case = of_file("planet", [dict(name="Blade", kind="Rectangle", origin=corners[0], edge_u=[0.01, 0, 0], edge_v=[0, 0, 0.05], motions=[
        dict(kind="Rotation", origin=[0.02, 0, 0], axis=[0, 0, 1], rate=rates[0]), dict(kind="Rotation", axis=[0, 0, 1], rate=rates[1]),
        dict(kind="Translation", velocity=[0, 0, 0.1], start=0.1)])])
    expect_equal(run, case, (0.2,), touches=False)  # the blade may be free at that moment
    check(differences({0: arrays(fetch(run, 0, 0.2))}, {0: arrays(fetch(simulation(grains(), Walls=[blade], TimeStep=STEP), 0, 0.2))}),
          "the comparison compares nothing")
    # of meshes too, and a motion that is changed is a new run
    sheet = simple.Plane(Origin=[-0.05, -0.05, 0], Point1=[0.05, -0.05, 0], Point2=[-0.05, 0.05, 0])
    first = simple.DEMWall(Input=sheet, WallName="Sheet", Motion="Translation", Velocity=[0, 0, 0.1], StopTime=0.1)
    second = simple.DEMWall(Input=first, AddMotion=1, Motion="Translation", Velocity=[0, 0.2, 0], StartTime=0.1)
    run = simulation(grains(), Walls=[second], WhenChanged="Steer")
    check(abs(arrays(fetch(run, 2, 0.2))["points"].mean(axis=0) - [0, 0.02, 0.01]).max() < 1e-9)
    check(list(arrays(fetch(run, 2))["field", "WallName"]) == ["Sheet"])
    second.Velocity = [0, -0.2, 0]
    check(abs(arrays(fetch(run, 2, 0.2))["points"].mean(axis=0) - [0, -0.02, 0.01]).max() < 1e-9, "the change has no effect")


def added_motions_need_a_wall():
    added = simple.DEMWall(Input=simple.Box(), AddMotion=1, Motion="Rotation")
    expect(added.UpdatePipeline, "no DEM Wall", "Add Motion")
    wall = simple.DEMWall(Input=simple.Box(XLength=0.01, YLength=0.01, ZLength=0.01), Motion="Rotation")
    for _ in range(8):
        wall = simple.DEMWall(Input=wall, AddMotion=1, Motion="Rotation")
    expect(lambda: simulation(grains(), Walls=[wall]).UpdatePipeline(0.01), "9 motions", "8")


def states_keep_them():
    wall = simple.DEMAnalyticWall(registrationName="Pipe", Kind="Cylinder", Radius=0.07)
    blade = simple.DEMWall(registrationName="Turned", Input=wall, AddMotion=1, Motion="Rotation", RotationRate=90)
    run = simulation(grains(), Walls=[blade])
    simple.RenameSource("Run", run)
    before = everything(run, 0.05)
    path = os.path.join(WORK, "analytic.pvsm")
    simple.SaveState(path)
    for proxy in list(simple.GetSources().values()):
        simple.Delete(proxy)
    simple.LoadState(path)
    again = simple.FindSource("Run")
    check(again.Walls[0].AddMotion == 1 and again.Walls[0].Input.Kind == "Cylinder")
    check(not differences(everything(again, 0.05), before), "another run")
    check(servermanager.ProxyManager().GetProxy("sources", "Pipe") is not None)


def mpm_takes_them():
    from mpm_testing import mpm
    floor = simple.DEMAnalyticWall(WallName="Floor", Kind="Plane", Point1=[0, 0, 0])
    run = mpm(Walls=[floor])
    run.UpdatePipeline(0.0)
    check(list(arrays(fetch(run, 2))["field", "WallName"]) == ["Floor"])


main(kinds_have_the_bits_of_files, each_is_shown, materials_and_heat_come_along, no_active_source_becomes_the_input, bad_walls_are_refused,
     a_changed_surface_is_refused, motions_add_up, added_motions_need_a_wall, states_keep_them, mpm_takes_them)
