"""A view shows the data after a change under way: each output of both methods in its representation, and filters on
the run, in scripts and in the window."""
import numpy
from dem_testing import check, main, simulation, window
from images import coloured, screenshot, white_view
from mpm_testing import mpm
from paraview import simple

TIME = 0.15


def picture(view, name):
    return screenshot(view, "steering_look_" + name)


def shown(make, kind):
    """Shows the source or output that `make` makes of a run `kind`, alone in a view, steers the run and looks again."""
    run = simulation(WhenChanged="Steer") if kind == "DEM" else mpm(WhenChanged="Steer")
    what = make(run)
    view = white_view((200, 150), ([0.4, -0.35, 0.25], [0, 0, 0.03]))
    scene = simple.GetAnimationScene()
    scene.UpdateAnimationUsingDataTimeSteps()
    scene.AnimationTime = view.ViewTime = TIME
    display = simple.Show(what, view)
    simple.Render(view)
    name = f"{kind}: {what.Port if hasattr(what, 'Port') else what.GetXMLName()} as {display.Representation}"
    before = picture(view, "before")
    check(coloured(before) > 100, f"{name}: {coloured(before)} pixels before the change")
    for gravity in ([5, 0, -9.81], [0, 5, -9.81]):
        run.Gravity = gravity
        simple.Render(view)
        after = picture(view, "after")
        check(numpy.abs(after - before).mean() < 1e-3, f"{name}: {coloured(after)} of {coloured(before)} pixels after gravity became {gravity}")
    check(len(run.SteeringEvents.splitlines()) == 2 and str(TIME) in run.SteeringEvents, run.SteeringEvents)
    scene.AnimationTime = view.ViewTime = 0.2
    simple.Render(view)
    check(coloured(picture(view, "later")) > 100, f"{name}: nothing at a later time")
    simple.Delete(view)


def outputs_of_dem():
    for port in (0, 1, 2):
        shown(lambda run, port=port: simple.OutputPort(run, port), "DEM")


def outputs_of_mpm():
    for port in (0, 1, 2):
        shown(lambda run, port=port: simple.OutputPort(run, port), "MPM")


def filters_on_runs():
    for name in ("DEMContactNetwork", "DEMCellAverage"):
        shown(lambda run, name=name: getattr(simple, name)(Input=run), "DEM")
    shown(lambda run: simple.DEMCellAverage(Input=run), "MPM")


def in_the_window():
    with window():
        outputs_of_dem()
        outputs_of_mpm()


def a_table_of_materials_in_the_window():
    """The window completes the lists of materials after an update."""
    with window():
        run = simulation()
        view = white_view((200, 150), ([0.4, -0.35, 0.25], [0, 0, 0.03]))
        simple.Show(run, view)
        simple.Render(view)
        run.MaterialName = ["Grain", "Steel"]
        simple.Render(view)
        check(coloured(picture(view, "materials")) > 100, "grains vanish")
        check(list(run.MaterialDensity) == [run.Density] * 2, str(list(run.MaterialDensity)))


main(outputs_of_dem, outputs_of_mpm, filters_on_runs, in_the_window, a_table_of_materials_in_the_window)
