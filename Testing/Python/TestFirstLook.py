"""First look of a new simulation without choices of the user: camera, colours, legends, and the
outline of the domain."""
import math

import numpy
from dem_testing import check, main, packing, simulation, window
from images import coloured, screenshot, white_view
from mpm_testing import mpm
from paraview import servermanager, simple

DOMAIN = dict(AutomaticDomain=0, Domain=[-0.1, 0.1, -0.05, 0.05, 0, 0.15])


def fresh():
    """A view of a session without colour maps."""
    for view in simple.GetRenderViews():
        simple.Delete(view)
    manager = servermanager.ProxyManager()
    for (name, _), proxy in list(manager.GetProxiesInGroup("lookup_tables").items()):
        manager.UnRegisterProxy("lookup_tables", name, proxy)
    return white_view([300, 200])


def end_of_colours(array="Velocity"):
    return simple.GetColorTransferFunction(array).RGBPoints[-4]


def close(a, b, tolerance=1e-6):
    return abs(a - b) <= tolerance * max(abs(a), abs(b))


def colours_fit_a_fall():
    for make, height in ((lambda: simulation(**DOMAIN), 0.15), (mpm, 0.25)):
        view = fresh()
        s = make()
        simple.Show(s, view)
        simple.Render(view)
        check(close(end_of_colours(), math.sqrt(2 * 9.81 * height)), f"{s.GetXMLName()} begins with {end_of_colours()} m/s")
        colours = numpy.array(simple.GetColorTransferFunction("Velocity").RGBPoints).reshape(-1, 4)[:, 1:]
        light = colours @ [0.299, 0.587, 0.114]
        check(colours[0][2] > 0.5 and (numpy.diff(light) > -0.02).all() and light[-1] > light[0] + 0.4, "the map is not sequential")


def colours_fitted_again_fit_a_fall():
    """ParaView fits the range of zeros again when a script chooses the array or shows another run."""
    dem_end, mpm_end = math.sqrt(2 * 9.81 * 0.15), math.sqrt(2 * 9.81 * 0.25)
    view = fresh()
    for make, end in ((lambda: simulation(**DOMAIN), dem_end), (mpm, mpm_end), (lambda: simulation(**DOMAIN), dem_end)):
        s = make()
        display = simple.Show(simple.OutputPort(s, 0), view)
        simple.Render(view)
        check(close(end_of_colours(), end) or end == dem_end and close(end_of_colours(), mpm_end), f"{s.GetXMLName()}: {end_of_colours()} m/s")
        simple.ColorBy(display, ("POINTS", "Velocity", "Magnitude"))
        check(close(end_of_colours(), end) or end == dem_end and close(end_of_colours(), mpm_end), f"{s.GetXMLName()} coloured again: {end_of_colours()} m/s")
        display.RescaleTransferFunctionToDataRange(False, True)
        check(close(end_of_colours(), end), f"{s.GetXMLName()} rescaled: {end_of_colours()} m/s")
        simple.Delete(s)
    view = fresh()
    run = simulation(**DOMAIN)
    display = simple.Show(run, view)
    simple.GetColorTransferFunction("Velocity").RescaleTransferFunction(0, 0.5)
    simple.Render(view)
    check(end_of_colours() == 0.5, f"a script's range became {end_of_colours()} m/s")


def fast_grains_widen_the_colours():
    view = fresh()
    simple.Show(simulation(packing(Velocity=[0, 0, -3]), **DOMAIN), view)
    simple.Render(view)
    check(close(end_of_colours(), 3, 1e-3), f"3 m/s at the start, but the colours end at {end_of_colours()} m/s")
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    view = fresh()
    simple.Show(simulation(Gravity=[0, 0, -98.1], LimitDomain=0, EndTime=0.1), view)
    simple.Render(view)
    check(end_of_colours() == 1e-3, f"the legend of grains at rest without a domain ends at {end_of_colours()} m/s")
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.AnimationTime = 0.05
    simple.Render(view)
    check(close(end_of_colours(), 4.905, 0.02), f"the colours do not grow with time: {end_of_colours()} m/s")
    scene.AnimationTime = 0


def own_ranges_stay():
    view = fresh()
    s = simulation(**DOMAIN)
    display = simple.Show(s, view)
    simple.ColorBy(display, ("POINTS", "Radius"))
    simple.GetColorTransferFunction("Velocity").RescaleTransferFunction(0, 0.5)
    check(end_of_colours() == 0.5, f"a script's range became {end_of_colours()} m/s")
    view = fresh()
    mine = simple.GetColorTransferFunction("Velocity")
    mine.ApplyPreset("Cool to Warm", True)
    before = list(mine.RGBPoints)
    simple.Show(simulation(**DOMAIN), view)
    check([list(mine.RGBPoints)[i::4] for i in (1, 2, 3)] == [before[i::4] for i in (1, 2, 3)], "colours of the session were replaced")


def legends_have_units():
    view = fresh()
    s = simulation(**DOMAIN)
    simple.GetAnimationScene().AnimationTime = view.ViewTime = 0.2
    displays = {"Velocity": simple.Show(s, view)}
    displays["NormalForceMagnitude"] = simple.Show(simple.DEMContactNetwork(Input=s), view)
    units = {"Velocity": "m/s", "NormalForceMagnitude": "N"}
    for array, display in displays.items():
        display.SetScalarBarVisibility(view, True)
        bar = simple.GetScalarBar(simple.GetColorTransferFunction(array), view)
        check(bar.Title == f"{array} ({units[array]})", f"{array}: {bar.Title!r}")
    bar.Title = "NormalForceMagnitude"
    check(bar.Title == "NormalForceMagnitude", "the title of a script was changed")

    view = fresh()  # data of other codes, whose unit is unknown
    foreign = simple.Calculator(Input=simple.Sphere(), ResultArrayName="Velocity", Function="coordsX")
    simple.Show(foreign, view).SetScalarBarVisibility(view, True)
    title = simple.GetScalarBar(simple.GetColorTransferFunction("Velocity"), view).Title
    check(title == "Velocity", title)
    simple.GetAnimationScene().AnimationTime = 0


def walls_show_the_domain():
    view = fresh()
    s = simulation(**DOMAIN)
    simple.UpdatePipeline(0, s)
    display = simple.Show(simple.OutputPort(s, 2), view)
    check(display.Representation == "DEM Walls" and s.GetDataInformation(2).GetNumberOfCells() == 0)
    view.CameraPosition, view.CameraFocalPoint, view.CameraViewUp = [0, -1, 0.075], [0, 0, 0.075], [0, 0, 1]
    simple.ResetCamera(view)
    focus = list(view.CameraFocalPoint)
    check(numpy.abs(numpy.array(focus) - [0, 0, 0.075]).max() < 1e-9, f"the camera was fitted to {focus}")
    with_floor = coloured(screenshot(view, "first_" + "domain"))
    check(with_floor > 1200, f"{with_floor} pixels of outline and floor")
    s.ExitZ = "Remove"
    simple.UpdatePipeline(0, s)
    without_floor = coloured(screenshot(view, "first_" + "outline"))
    check(400 < without_floor < with_floor - 300, f"{without_floor} pixels without a floor, {with_floor} with")
    s.ExitZ, s.Gravity = "Wall", [0, 0, 0]
    simple.UpdatePipeline(0, s)
    check(abs(coloured(screenshot(view, "first_" + "weightless")) - without_floor) < 50, "there is a floor without gravity")
    display.DEMDomainOutline = 0
    check(coloured(screenshot(view, "first_" + "nothing")) == 0, "the outline cannot be switched off")
    display.DEMDomainOutline = 1
    check(coloured(screenshot(view, "first_" + "again")) > 400)
    display.Visibility = 0
    check(coloured(screenshot(view, "first_" + "hidden")) == 0, "hidden walls leave their outline behind")


def field_data_are_no_colours():
    view = fresh()
    s = simulation(**DOMAIN)
    for source in (s, simple.Threshold(Input=s, Scalars=["POINTS", "Radius"], UpperThreshold=1), simple.DEMCellAverage(Input=s)):
        display = simple.Show(source, view)
        domain = display.GetProperty("ColorArrayName").SMProperty.FindDomain("vtkSMArrayListDomain")
        names = {domain.GetString(i) for i in range(domain.GetNumberOfStrings())}
        check("Velocity" in names and not names & {"Time", "Step", "KineticEnergy", "Box", "Gravity"}, f"{source.GetXMLName()}: {names}")


def a_chart_begins_with_energies():
    table = simple.DEMStatistics(Input=simulation())
    chart = simple.Show(simple.OutputPort(table, 3), simple.CreateView("XYChartView"))
    check(list(chart.SeriesVisibility) == ["KineticEnergy", "RotationalEnergy"], str(list(chart.SeriesVisibility)))
    check(chart.XArrayName == "Time" and chart.UseIndexForXAxis == 0 and chart.AttributeType == "Row Data")
    labels = list(chart.SeriesLabel)
    check(labels[labels.index("KineticEnergy") + 1] == "KineticEnergy (J)", str(labels))


def scripts_keep_their_camera():
    view = fresh()
    simple.Show(simulation(**DOMAIN), view)
    simple.ResetCamera(view)
    before = list(view.CameraPosition), list(view.CameraViewUp)
    simple.Render(view)
    check((list(view.CameraPosition), list(view.CameraViewUp)) == before and before[1] == [0, 1, 0], "the camera of a script was moved")


def the_window_looks_from_the_side():
    with window():
        cases = (([0, 0, -9.81], [-0.1, 0.1, -0.05, 0.05, 0, 0.15], [0, 1, 0]), ([0, 0, -9.81], [-0.05, 0.05, -0.1, 0.1, 0, 0.15], [-1, 0, 0]),
                 ([0, -9.81, 0], [-0.1, 0.1, -0.05, 0.1, -0.05, 0.1], [0, 0, -1]), ([9.81, 0, 0], [-0.1, 0.1, -0.05, 0.05, 0, 0.15], [0, 1, 0]),
                 ([2, 0, -9.6], [-0.1, 0.1, -0.05, 0.05, 0, 0.15], [0, 1, 0]))
        for gravity, domain, along in cases:
            view = fresh()
            s = simulation(Gravity=gravity, AutomaticDomain=0, Domain=domain)
            simple.Show(s, view)
            simple.ResetCamera(view)
            simple.Render(view)
            place, focus = numpy.array(view.CameraPosition), numpy.array(view.CameraFocalPoint)
            look = (focus - place) / numpy.linalg.norm(focus - place)
            up = -numpy.array(gravity) / numpy.linalg.norm(gravity)
            check(abs(look @ along) > 0.999, f"gravity {gravity}: the camera looks along {look}")
            check(numpy.abs(numpy.array(view.CameraViewUp) - up).max() < 1e-9, f"gravity {gravity}: up is {list(view.CameraViewUp)}")
            corners = numpy.array([[x, y, z] for x in domain[:2] for y in domain[2:4] for z in domain[4:]]) - place
            slope = math.tan(math.radians(view.CameraViewAngle / 2))
            high = numpy.abs(corners @ up) / (corners @ look) / slope
            wide = numpy.abs(corners @ numpy.cross(look, up)) / (corners @ look) / slope / 1.5
            check(0.85 < max(high.max(), wide.max()) < 0.95, f"gravity {gravity}: the domain fills {max(high.max(), wide.max())} of the picture")
            view.CameraPosition = [1, 2, 3]
            s.UpdatePipeline(0.1)
            simple.Render(view)
            check(list(view.CameraPosition) == [1, 2, 3], "the camera was moved twice")
        for keep in (dict(place=[1, 0.1, 0.2], up=[0, 0, 1]), dict(gravity=[0, 0, 0])):
            view = fresh()
            if "place" in keep:
                view.CameraPosition, view.CameraViewUp = keep["place"], keep["up"]
            simple.Show(simulation(AutomaticDomain=0, Domain=[-0.1, 0.1, -0.05, 0.05, 0, 0.15], Gravity=keep.get("gravity", [0, 0, -9.81])), view)
            before = list(view.CameraPosition), list(view.CameraViewUp)
            simple.Render(view)
            check((list(view.CameraPosition), list(view.CameraViewUp)) == before, f"{keep}: the camera was moved")


def without_a_domain_the_window_fits_the_data():
    with window():
        view = fresh()
        s = simulation(packing(LowerCorner=[-0.03, -0.03, 1]), LimitDomain=0)
        simple.Show(s, view)
        simple.Render(view)
        place, focus = list(view.CameraPosition), list(view.CameraFocalPoint)
        check(list(view.CameraViewUp) == [0, 0, 1] and abs(focus[2] - 1.03) < 0.01 and abs(place[2] - focus[2]) < 1e-9
              and focus[1] - 0.3 < place[1] < focus[1], f"the camera at {place} looks at {focus}")


def results_of_one_input_replace_each_other():
    with window():
        view = fresh()
        s = simulation(packing(Size=[0.06, 0.06, 0.2], Spacing=0.0105), AutomaticDomain=0, Domain=[-0.03, 0.03, -0.03, 0.03, 0, 0.2])
        s.UpdatePipeline(0.2)
        simple.GetAnimationScene().UpdateAnimationUsingDataTimeSteps()
        simple.GetAnimationScene().AnimationTime = view.ViewTime = 0.2
        for names, arrays in ((("DEMContactNetwork", "DEMForceChains"), ("NormalForceMagnitude", "Force")),
                              (("DEMCellAverage", "DEMCoarseGraining"), ("SolidFraction",))):
            displays = []
            for name in names:
                displays.append(simple.Show(getattr(simple, name)(Input=s), view))
                displays[-1].SetScalarBarVisibility(view, True)
                simple.Render(view)
            check([d.Visibility for d in displays] == [0, 1], f"{names} are shown: {[d.Visibility for d in displays]}")
            bars = [simple.GetScalarBar(simple.GetColorTransferFunction(array), view) for array in arrays]
            check([b.Visibility for b in bars][:-1] == [0] * (len(bars) - 1) and bars[-1].Visibility == 1
                  and bars[-1].WindowLocation == "Lower Right Corner", f"{names}: {[(b.Title, b.WindowLocation, b.Visibility) for b in bars]}")
            displays[0].Visibility = 1
            simple.Render(view)
            check(displays[0].Visibility == 1, "what the user shows again is hidden again")
            for display in displays:
                display.SetScalarBarVisibility(view, False)
                display.Visibility = 0
        simple.GetAnimationScene().AnimationTime = 0


def the_window_suggests_cells_of_several_grains():
    s = simulation(**DOMAIN)
    s.UpdatePipeline(0.2)
    check(list(simple.DEMCellAverage(Input=s).Dimensions) == [0, 0, 0], "a script's grid depends on what was shown before")
    with window():
        check(list(simple.DEMCellAverage(Input=simulation()).Dimensions) == [0, 0, 0], "cells for grains that are not known")
        cells = numpy.array(list(simple.DEMCellAverage(Input=s).Dimensions))
        size = numpy.array(s.GetDataInformation(0).GetBounds()).reshape(3, 2) @ [-1, 1] + 0.01
        check((cells == numpy.maximum(numpy.floor(size / 0.025), 1)).all(), f"{cells} cells on {size} m, grains of 0.01 m")
        check(list(simple.DEMCellAverage(Input=s, Dimensions=[20, 20, 20]).Dimensions) == [20, 20, 20], "own dimensions are changed")


main(colours_fit_a_fall, colours_fitted_again_fit_a_fall, fast_grains_widen_the_colours, own_ranges_stay, legends_have_units, walls_show_the_domain,
     field_data_are_no_colours, a_chart_begins_with_energies, scripts_keep_their_camera, the_window_looks_from_the_side, without_a_domain_the_window_fits_the_data,
     results_of_one_input_replace_each_other,
     the_window_suggests_cells_of_several_grains)
