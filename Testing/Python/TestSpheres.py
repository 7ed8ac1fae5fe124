"""First look in the render view: DEM Spheres for particles and transparent walls. Three images are
compared with stored ones."""
import os

import numpy
from dem_testing import DATA, WORK, arrays, check, fetch, main, packing, simulation
from images import coloured, pixels, screenshot, white_view
from paraview import servermanager, simple

THRESHOLD = 0.02  # mean difference of colour, of 1: a few pixels at edges differ between drivers


def view(size=300):
    return white_view([size, size], ([0.3, -0.25, 0.2], [0, 0, 0.02]))


def compare(image, name):
    baseline = os.path.join(DATA, "Baseline", name + ".png")
    if os.environ.get("PARAGRAIN_NEW_BASELINES"):
        import shutil
        shutil.copy(os.path.join(WORK, name + ".png"), baseline)
    expected = pixels(baseline)
    check(expected.shape == image.shape, f"{name}: other size")
    difference = numpy.abs(image - expected).mean()
    check(difference < THRESHOLD, f"{name}: the picture differs from the stored one by {difference:.4f}, limit {THRESHOLD}")
    check(numpy.abs(1 - expected).mean() > THRESHOLD, f"{name}: a white picture would pass")


def solid(display):
    simple.ColorBy(display, None)
    display.AmbientColor = display.DiffuseColor = [0.8, 0.5, 0.2]


def packing_image():
    v = view()
    p = packing(RadiusDistribution="Uniform", MinimumRadius=0.003, MaximumRadius=0.006)
    display = simple.Show(p, v)
    check(display.Representation == "DEM Spheres", display.Representation)
    solid(display)
    image = screenshot(v, "Packing")
    check(coloured(image) > 5000, "no grains in the picture")
    compare(image, "Packing")
    display.DEMRadiusFactor = 0.5
    check(coloured(screenshot(v, "PackingHalf")) < 0.9 * coloured(image), "the radius factor does nothing")


def simulation_image():
    v = view()
    plate = simple.Plane(Origin=[-0.05, -0.05, -0.004], Point1=[0.05, -0.05, -0.004], Point2=[-0.05, 0.05, -0.004])
    s = simulation(packing(), Walls=[plate])
    simple.Hide(plate, v)
    solid(simple.Show(s, v))
    walls = simple.Show(simple.OutputPort(s, 2), v)
    check(walls.Representation == "DEM Walls", walls.Representation)
    contacts = simple.Show(simple.OutputPort(s, 1), v)
    check(contacts.Representation == "Surface", contacts.Representation)
    simple.Hide(simple.OutputPort(s, 1), v)
    v.ViewTime = 0.2
    compare(screenshot(v, "Simulation"), "Simulation")


def grains_are_seen_through_walls():
    v = view()
    p = packing()
    box = simple.Box(XLength=0.12, YLength=0.12, ZLength=0.12, Center=[0, 0, 0.02])
    s = simulation(p, Walls=[box])
    simple.Hide(box, v)
    solid(simple.Show(s, v))
    def seen(name):  # pixels in the colour of grains, of any saturation
        image = screenshot(v, name)
        return int((image[:, 0] > image[:, 2] + 0.1).sum())

    alone = seen("NoWalls")
    walls = simple.Show(simple.OutputPort(s, 2), v)
    check(seen("Through") > 0.9 * alone > 1000, "the walls hide the grains")
    check(coloured(pixels(os.path.join(WORK, "Through.png"))) > 2 * alone, "the walls are not seen")
    walls.DEMWallOpacity = 1
    check(seen("Opaque") < 0.1 * alone, "DEM Wall Opacity does nothing")
    walls.Opacity = 0.2
    check(seen("Both") > 0.9 * alone, "Opacity does nothing")


def contacts_wait_for_a_click():
    controller = servermanager.vtkSMParaViewPipelineControllerWithRendering()
    s = simulation()
    wanted = [controller.GetPreferredViewType(s.SMProxy, k) for k in range(4)]
    check(wanted[1] == wanted[3] == "None" and wanted[0] != "None" and wanted[2] != "None", str(wanted))


def one_sphere_has_its_radius():
    v = view()
    v.CameraParallelProjection = 1
    v.CameraPosition, v.CameraFocalPoint, v.CameraViewUp = [0, -1, 0], [0, 0, 0], [0, 0, 1]
    v.CameraParallelScale = 0.03  # half the height of the picture, in m
    one = packing(LowerCorner=[-0.01, -0.01, -0.01], Size=[0.02, 0.02, 0.02], Count=1, Radius=0.01, Arrangement="Lattice", Spacing=0.02)
    solid(simple.Show(one, v))
    area = coloured(screenshot(v, "One")) * (0.06 / 300) ** 2
    check(abs(area / (numpy.pi * 0.01 ** 2) - 1) < 0.02, f"the disc's area is {area}")


def perspective_is_exact():
    """Two spheres that intersect, far from the middle of a wide view: silhouettes and the line where
    they meet are those of finely triangulated spheres, which ParaView draws as surfaces."""
    spheres = [(0.01, [0.012, 0.0, 0.006], [1, 0, 0]), (0.006, [0.006, -0.008, 0.008], [0, 0, 1])]

    def picture(name, parallel, add):
        v = view(400)
        for radius, centre, colour in spheres:
            display = add(v, radius, centre)
            if display.ColorArrayName[1]:
                simple.ColorBy(display, None)
            display.AmbientColor = display.DiffuseColor = colour
        simple.Render(v)  # the first rendering resets the camera
        v.CameraPosition, v.CameraFocalPoint, v.CameraViewUp = [0, -0.03, 0], [0, 0, 0], [0, 0, 1]
        v.CameraViewAngle, v.CameraParallelProjection, v.CameraParallelScale = 80, parallel, 0.02
        image = screenshot(v, name)
        return [image[:, 0] > image[:, 2] + 0.05, image[:, 2] > image[:, 0] + 0.05]

    def sprite(v, radius, centre):
        corner = [c - radius for c in centre]
        return simple.Show(packing(LowerCorner=corner, Size=[2 * radius] * 3, Count=1, Radius=radius,
                                   Arrangement="Lattice", Spacing=2 * radius), v)

    def surface(v, radius, centre):
        return simple.Show(simple.Sphere(Radius=radius, Center=centre, ThetaResolution=200, PhiResolution=200), v)

    for parallel in (0, 1):
        drawn, expected = (picture(f"{name}{parallel}", parallel, add)
                           for name, add in (("Sprites", sprite), ("Surfaces", surface)))
        for k in (0, 1):
            area, wrong = expected[k].sum(), (drawn[k] != expected[k]).sum()
            check(area > 1000, f"sphere {k} is not in the picture")
            check(wrong < 0.02 * area, f"sphere {k}, parallel {parallel}: {wrong} of {area} pixels differ")


def magenta(image):
    """Number of pixels in the colour of a selection, shaded or not."""
    return int(((image[:, 0] > 0.3) & (image[:, 2] > 0.3) & (image[:, 1] < 0.1)).sum())


def selected_grains_have_shells():
    v = view()
    v.CameraParallelProjection = 1
    v.CameraPosition, v.CameraFocalPoint, v.CameraViewUp = [0, -1, 0], [0, 0, 0], [0, 0, 1]
    v.CameraParallelScale = 0.03
    size = dict(LowerCorner=[-0.01, -0.01, -0.01], Size=[0.02, 0.02, 0.02], Spacing=0.02)
    one = packing(Count=1, Radius=0.01, Arrangement="Lattice", **size)
    display = simple.Show(one, v)
    solid(display)
    check(magenta(screenshot(v, "Unselected")) == 0)
    for kind in ("POINT", "CELL"):
        simple.QuerySelect(QueryString="id == 0", FieldType=kind, Source=one)
        area = magenta(screenshot(v, "Shell" + kind)) * (0.06 / 300) ** 2
        check(abs(area / (numpy.pi * 0.0102 ** 2) - 1) < 0.02, f"{kind}: the shell's area is {area}")
    display.DEMRadiusFactor = 0.5
    small = magenta(screenshot(v, "ShellHalf")) * (0.06 / 300) ** 2
    check(abs(small / area - 0.25) < 0.02, f"a shell of half the size has the area {small}")
    display.Representation = "Points"
    check(magenta(screenshot(v, "ShellPoints")) < 100, "a shell where grains are shown as points")
    display.Representation = "DEM Spheres"
    simple.ClearSelection(one)
    check(magenta(screenshot(v, "Cleared")) == 0, "the shell stays after the selection")
    simple.QuerySelect(QueryString="id == 0", FieldType="POINT", Source=one)
    simple.Hide(one, v)
    check(magenta(screenshot(v, "Hidden")) == 0, "the shell stays after its grain")


def a_picked_facet_shows_its_grain():
    v = view()
    tablets = packing(Shape="Tablet", Count=2, Spacing=0.016)
    surfaces = simple.DEMShapes(Input=tablets)
    display = simple.Show(surfaces, v)
    check(display.Representation == "DEM Shapes", display.Representation)
    solid(display)
    both = coloured(screenshot(v, "Tablets"))
    simple.QuerySelect(QueryString="id == 0", FieldType="CELL", Source=surfaces)
    one = magenta(screenshot(v, "PickedFacet"))
    check(0.35 * both < one < 0.65 * both, f"{one} pixels of one tablet, {both} of two")
    display.Representation = "Surface"
    check(magenta(screenshot(v, "PickedSurface")) < 0.2 * one, "a facet is as large as its grain")
    display.Representation = "DEM Shapes"
    simple.ClearSelection(surfaces)
    check(magenta(screenshot(v, "ClearedFacet")) == 0, "the grain stays after the selection")


def what_is_picked_is_what_is_seen():
    """A click in a picture of tablets and spheres selects the grain that is drawn there."""
    for first in (0, 1):
        v = view()
        both = [packing(Shape="Tablet", Spacing=0.016), packing(LowerCorner=[-0.03, -0.03, 0.06])]
        s = simulation(simple.GroupDatasets(Input=both if first == 0 else both[::-1]))
        solid(simple.Show(s, v))
        simple.Render(v)  # the first rendering resets the camera
        v.CameraParallelProjection = 1
        v.CameraPosition, v.CameraFocalPoint = [0, -1, 0.05], [0, 0, 0.05]
        v.CameraViewUp = [0, 0, 1]
        v.CameraParallelScale = 0.075
        for row, shape in ((90, 1), (210, 0)):
            simple.SelectSurfacePoints(Rectangle=[145, row - 20, 155, row + 20], View=v)
            picture = screenshot(v, f"Picked{first}{shape}")
            picked = simple.ExtractSelection(Input=s)
            data = arrays(fetch(picked))
            check(len(data["points"]) > 0, f"nothing is picked of shape {shape}")
            check(set(data["point", "Shape"]) == {shape}, f"picked {data['point', 'Shape']}")
            near = 0.0025 + 0.008  # half the rectangle plus a grain
            heights = 0.05 + (row - 150) * 0.15 / 300
            check((abs(data["points"][:, 0]) < near).all(), f"picked at x {data['points'][:, 0]}")
            check((abs(data["points"][:, 2] - heights) < 0.01 + 0.008).all(), f"picked at z {data['points'][:, 2]}, expected {heights}")
            check(magenta(picture) > 100, f"picked grains of shape {shape} are not seen")
            simple.Delete(picked)
            simple.ClearSelection(s)


def bounds_hold_whole_spheres():
    v = view()
    p = packing(LowerCorner=[-0.02, -0.02, -0.02], Size=[0.04, 0.04, 0.04], Count=1, Radius=0.019,
                Arrangement="Lattice", Spacing=0.04)
    simple.Show(p, v)
    v.ResetCamera()
    image = screenshot(v, "Bounds")
    frame = image.reshape(300, 300, 3)
    edge = numpy.concatenate([frame[0], frame[-1], frame[:, 0], frame[:, -1]])
    check(coloured(image) > 20000 and numpy.abs(edge - 1).max() < 0.05, "the sphere is cut off after Reset Camera")


def threshold_keeps_the_look():
    v = view()
    fast = simple.Threshold(Input=packing(), Scalars=["POINTS", "Id"], LowerThreshold=0, UpperThreshold=20)
    display = simple.Show(fast, v)
    display.Representation = "DEM Spheres"
    solid(display)
    check(coloured(screenshot(v, "Threshold")) > 1000)


def data_without_radius():
    v = view()
    display = simple.Show(simple.Sphere(Radius=0.05), v)
    display.Representation = "DEM Spheres"
    check(coloured(screenshot(v, "NoRadius")) > 100)


def materials_have_names():
    v = view()
    grains = [packing(Material="Glass"), packing(Material="Steel", LowerCorner=[-0.03, -0.03, 0.07])]
    s = simulation(grains, MaterialName=["Glass", "Steel"])
    display = simple.Show(s, v)
    simple.ColorBy(display, ("POINTS", "Material"))
    image = screenshot(v, "Materials")
    colours = simple.GetColorTransferFunction("Material")
    check(colours.InterpretValuesAsCategories == 1, "the map of materials is continuous")
    expected = ["0", "Glass", "1", "Steel", "2", "Grain", "3", "Wall"]
    check(list(colours.Annotations) == expected, str(list(colours.Annotations)))
    red, blue = image[:, 0], image[:, 2]
    check((red > blue + 0.2).sum() > 1000, "no orange grains of the first material")
    check((blue > red + 0.2).sum() > 1000, "no blue grains of the second material")
    # Texts of the user remain until the materials change.
    colours.Annotations = expected[:1] + ["Beads"] + expected[2:]
    s.UpdatePipeline(0.1)
    check(colours.Annotations[1] == "Beads", "a text of the user is lost")
    s.MaterialName = ["Glas", "Steel"]
    grains[0].Material = "Glas"
    s.UpdatePipeline(0.1)
    check(colours.Annotations[1] == "Glas", "the name of a material is not followed")


def a_legend_has_the_materials_of_what_it_colours():
    """Not those of other runs. Walls of their own material that are called as another have other names."""
    def names():
        return list(simple.GetColorTransferFunction("Material").Annotations)[1::2]

    def run(*materials):
        grains = [packing(Material=name, LowerCorner=[-0.03, -0.03, 0.07 * k]) for k, name in enumerate(materials)]
        s = simulation(grains, MaterialName=list(materials))
        s.UpdatePipeline(0)
        return s

    many, few = ["Clay", "Glass", "Steel", "Grain", "Wall"], ["Dry", "Sticky", "Grain", "Wall"]
    v = view()
    hidden, shown = run("Clay", "Glass", "Steel"), run("Dry", "Sticky")
    check(names() == few, str(names()))
    display = simple.Show(shown, v)
    simple.ColorBy(display, ("POINTS", "Material"))
    simple.Render(v)
    check(names() == few, f"a run that is hidden: {names()}")
    other = simple.Show(simple.Threshold(Input=hidden, Scalars=["POINTS", "Radius"], UpperThreshold=1), v)
    simple.ColorBy(other, ("POINTS", "Material"))
    check(names() == many, f"through a filter: {names()}")
    display.Visibility = 0
    check(names() == many, f"the other is hidden: {names()}")
    display.Visibility = 1
    check(names() == few + ["Wall"], f"both are shown: {names()}")
    other.Visibility = 0
    check(names() == few, f"one is hidden again: {names()}")

    def wall(**properties):
        return simple.DEMWall(Input=simple.Plane(Origin=[-1, -1, -.1], Point1=[1, -1, -.1], Point2=[-1, 1, -.1]), OwnMaterial=1, **properties)

    s = simulation(Walls=[wall(WallName="Wall"), wall(WallName="Plate"), wall(WallName="Plate"), wall()], MaterialName=["Glass"])
    got = list(arrays(fetch(s, 0, 0))["field", "Materials"])
    check(got == ["Glass", "Grain", "Wall", "Wall (wall 0)", "Plate", "Plate (wall 2)", "Wall 3"], str(got))


main(packing_image, simulation_image, grains_are_seen_through_walls, contacts_wait_for_a_click,
     one_sphere_has_its_radius, perspective_is_exact, selected_grains_have_shells, a_picked_facet_shows_its_grain,
     what_is_picked_is_what_is_seen, bounds_hold_whole_spheres, threshold_keeps_the_look, data_without_radius, materials_have_names,
     a_legend_has_the_materials_of_what_it_colours)
