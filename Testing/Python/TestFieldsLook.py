"""First look of averaged fields: coloured slices that are visible from any side; spheres that
intersect as solid bodies; and the example of a hopper's fields opens."""
import os

import numpy
from dem_testing import DATA, arrays, check, fetch, main, packing, simulation
from images import screenshot, white_view
from paraview import simple

T = 0.15
SIZE = [400, 300]


def picture(view, name):
    simple.Render(view)
    return screenshot(view, name).reshape(SIZE[1], SIZE[0], 3)  # lowest row first


def at_time(t=T):
    view = white_view(SIZE)
    view.ViewTime = t
    simple.GetAnimationScene().AnimationTime = t
    return view


def covered(image):
    return (numpy.abs(image - 1).max(axis=2) > 0.05).mean()


def slices_from_any_side():
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), AccumulateAverages=1, AveragesFillDomain=1)
    for name, source, where in (("cells", simple.DEMCellAverage(Input=s), "CELLS"), ("smooth", simple.DEMCoarseGraining(Input=s), "POINTS"),
                                ("means", simple.OutputPort(s, 4), "CELLS")):
        view = at_time()
        source.UpdatePipeline(T)
        display = simple.Show(source, view)
        check(display.Representation == "DEM Slices" and list(display.ColorArrayName) == [where, "SolidFraction"],
              f"{name}: {display.Representation} {list(display.ColorArrayName)}")
        for side in ([1, 0, 0], [0, -1, 0], [0, 0, 1], [1, -2, 1]):
            view.CameraPosition, view.CameraFocalPoint = side, [0, 0, 0]
            view.CameraViewUp = [0, 1, 0] if side == [0, 0, 1] else [0, 0, 1]
            simple.ResetCamera(view)
            part = covered(picture(view, "slices_" + name))
            check(part > 0.08, f"{name} from {side}: {part:.3f} of the picture")
        display.DEMSlicePositions = [-1, 0.5, -1]
        check(covered(picture(view, "slice_" + name)) < part, "a slice that was switched off is still there")
        simple.Delete(view)


def colours_are_those_of_the_values():
    """One cell has one colour, independent of the slice's angle to the light."""
    s = simulation()
    cell = simple.DEMCellAverage(Input=s, AutomaticBounds=0, Bounds=[-0.04, 0.04, -0.04, 0.04, 0, 0.08], Dimensions=[1, 1, 1])
    view = at_time()
    cell.UpdatePipeline(T)
    simple.Show(cell, view)
    fraction = arrays(fetch(cell, 0, T))["cell", "SolidFraction"][0]
    colors = simple.GetColorTransferFunction("SolidFraction")
    colors.AutomaticRescaleRangeMode = "Never"
    colors.RescaleTransferFunction(0, 0.2)
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [1, -2, 1], [0, 0, 0], [0, 0, 1]
    simple.ResetCamera(view)
    image = picture(view, "slice_colour").reshape(-1, 3)
    shown = image[numpy.abs(image - 1).max(axis=1) > 0.05]
    rgb = [0.0, 0.0, 0.0]
    colors.GetClientSideObject().GetColor(fraction, rgb)
    check(0.02 < fraction < 0.2 and len(shown) > 5000)
    right = numpy.abs(shown - rgb).max(axis=1) < 0.02
    # The rest are edge pixels.
    check(right.mean() > 0.97, f"{right.mean():.3f} of the slices have the colour of {fraction}")


def other_images_are_as_they_were():
    view = at_time(0)
    check(simple.Show(simple.Wavelet(), view).Representation == "Outline")


def spheres_meet_as_bodies():
    """Two overlapping spheres meet where their surfaces intersect, seen from any direction, and a
    plane cuts them."""
    script = """
import vtk
points, radius, which = vtk.vtkPoints(), vtk.vtkDoubleArray(), vtk.vtkDoubleArray()
radius.SetName("Radius")
which.SetName("Which")
cells = vtk.vtkCellArray()
for i, x in enumerate(((-0.5, 0, 0), (0.5, 0, 0.2))):
    points.InsertNextPoint(x)
    radius.InsertNextValue(1)
    which.InsertNextValue(i)
    cells.InsertNextCell(1, [i])
output.SetPoints(points)
output.SetVerts(cells)
output.GetPointData().AddArray(radius)
output.GetPointData().AddArray(which)
"""
    pair = simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=script)
    for parallel in (1, 0):
        view = at_time(0)
        display = simple.Show(pair, view)
        display.Representation = "DEM Spheres"
        simple.ColorBy(display, ("POINTS", "Which"))
        colors = simple.GetColorTransferFunction("Which")
        colors.RGBPoints = [0, 1, 0, 0, 1, 0, 0, 1]  # red left, blue right and nearer
        simple.Render(view)
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, 0, 40], [0, 0, 0], [0, 1, 0]
        view.CameraParallelProjection, view.CameraParallelScale, view.CameraViewAngle = parallel, 1.5, 4.3
        image = picture(view, "bodies")
        middle = image[SIZE[1] // 2]
        blue = numpy.flatnonzero(middle[:, 2] > middle[:, 0] + 0.1)
        scale = 3.0 / SIZE[1] if parallel else 2 * 40 * numpy.tan(numpy.radians(2.15)) / SIZE[1]
        border = (blue.min() - SIZE[0] / 2) * scale
        # Surfaces of equal height over y = 0; flat sprites in the planes of their centres would
        # meet at -0.5.
        x = numpy.linspace(-0.5, 0.5, 100001)
        left, right = numpy.sqrt(1 - (x + 0.5) ** 2), 0.2 + numpy.sqrt(1 - (x - 0.5) ** 2)
        expected = x[numpy.argmax(right > left)]
        check(abs(border - expected) < 0.04, f"border at {border}, expected {expected}")
        plane = simple.Plane(Origin=[-3, -3, 0.6], Point1=[3, -3, 0.6], Point2=[-3, 3, 0.6])
        simple.Show(plane, view).ColorArrayName = [None, ""]
        cut = picture(view, "bodies_cut")[SIZE[1] // 2]
        red = numpy.flatnonzero(cut[:, 0] > cut[:, 2] + 0.2)
        # the left one protrudes from the plane within 0.8 of its centre
        check(abs((red.min() - SIZE[0] / 2) * scale + 1.3) < 0.05, f"the plane cuts at {(red.min() - SIZE[0] / 2) * scale}")
        simple.Delete(plane)
        simple.Delete(view)


def translucent_spheres_are_whole():
    """Two overlapping spheres at half opacity: the nearer one is blended over the farther one, over
    white, as computed from pictures of each alone."""
    def spheres(places):
        script = f"""
import vtk
points, radius, cells = vtk.vtkPoints(), vtk.vtkDoubleArray(), vtk.vtkCellArray()
radius.SetName("Radius")
for i, x in enumerate({places}):
    points.InsertNextPoint(x)
    radius.InsertNextValue(1)
    cells.InsertNextCell(1, [i])
output.SetPoints(points)
output.SetVerts(cells)
output.GetPointData().AddArray(radius)
"""
        return simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=script)
    places = [(-0.5, 0, 0), (0.4, 0, 0.3)]
    images = []
    for chosen, opacity in ((places[:1], 1), (places[1:], 1), (places, 0.5)):
        view = at_time(0)
        display = simple.Show(spheres(chosen), view)
        display.Representation = "DEM Spheres"
        display.Opacity = opacity
        display.ColorArrayName = [None, ""]
        display.DiffuseColor = display.AmbientColor = [0.2, 0.4, 0.8]
        view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, 0, 40], [0, 0, 0], [0, 1, 0]
        view.CameraParallelProjection, view.CameraParallelScale = 1, 1.5
        images.append(picture(view, "translucent"))
        simple.Delete(view)
    left, right, both = images
    in_left, in_right = (numpy.abs(image - 1).max(axis=2) > 0.05 for image in (left, right))
    for inside, *expected in ((in_left & ~in_right, 0.5 * left + 0.5), (in_right & ~in_left, 0.5 * right + 0.5),
                              (in_left & in_right, 0.5 * left + 0.25 * right + 0.25, 0.5 * right + 0.25 * left + 0.25)):
        miss = numpy.min([numpy.abs(both - e).max(axis=2) for e in expected], axis=0)[inside]
        check(len(miss) > 1000 and (miss < 0.03).mean() > 0.97, f"{(miss < 0.03).mean():.3f} of {len(miss)} pixels are as they should be")


def the_state_of_the_hopper_opens():
    simple.LoadState(os.path.join(DATA, "Cases", "hopper_fields.pvsm"))
    column = simple.FindSource("Column")
    check(column is not None and column.TimeWindow == 0.2 and simple.FindSource("Middle") is not None)
    kinds = [view.GetXMLName() for view in simple.GetViews()]
    check(kinds.count("RenderView") >= 2 and kinds.count("XYChartView") == 3, str(kinds))
    column.UpdatePipeline(0.02)
    profile, bars = fetch(column, 1), fetch(column, 2)
    check(profile.GetNumberOfRows() == 30 and bars.GetNumberOfRows() == 210)


main(slices_from_any_side, colours_are_those_of_the_values, other_images_are_as_they_were, spheres_meet_as_bodies, translucent_spheres_are_whole,
     the_state_of_the_hopper_opens)
