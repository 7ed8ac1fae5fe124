"""First look of the network and of the chains after Apply: wide lines coloured by force. The state
file of the example opens."""
import os

import numpy
from dem_testing import DATA, check, main, packing, simulation
from images import screenshot
from paraview import simple


def picture(view, name):
    simple.Render(view)
    return 255 * screenshot(view, name)


def shown(proxy, name):
    view = simple.CreateRenderView(ViewSize=[400, 300])
    view.ViewTime = 0.3
    simple.GetAnimationScene().AnimationTime = 0.3
    empty = picture(view, name + "_empty")
    display = simple.Show(proxy, view)
    simple.ResetCamera(view)
    check(display.Representation == "DEM Lines", str(display.Representation))
    changed = numpy.abs(picture(view, name) - empty).sum(axis=1) > 60
    simple.Hide(proxy, view)
    return display, changed.mean()


def network_is_coloured_by_force():
    s = simulation(EndTime=0.3)
    display, part = shown(simple.DEMContactNetwork(Input=s), "network")
    check(display.ColorArrayName[1] == "NormalForceMagnitude", str(list(display.ColorArrayName)))
    check(0.02 < part < 0.9, f"lines cover {part:.3f} of the picture")


def chains_are_coloured_by_force():
    s = simulation(packing(Size=[0.06, 0.06, 0.12]), EndTime=0.3)
    display, part = shown(simple.DEMForceChains(Input=s, StressFactor=0.7), "chains")
    check(display.ColorArrayName[1] == "Force", str(list(display.ColorArrayName)))
    check(0.005 < part < 0.9, f"lines cover {part:.3f} of the picture")


def files_of_other_codes_are_coloured_by_overlap():
    reader = simple.LegacyVTKReader(FileNames=[os.path.join(DATA, "Reference", "OtherCodes", "liggghts_bed.vtk")])
    display, part = shown(simple.DEMContactNetwork(Input=reader), "other")
    check(display.ColorArrayName[1] == "Overlap", str(list(display.ColorArrayName)))
    check(0.02 < part < 0.9, f"lines cover {part:.3f} of the picture")


def a_selected_contact_shows_its_grains():
    """Two grains of 12 and 10 mm radius, 20 mm apart: a selection draws discs of 1.02 times their
    size, only while it lasts."""
    pair = simple.Line(Point1=[-0.01, 0, 0], Point2=[0.01, 0, 0], Resolution=1)
    grains = simple.Calculator(Input=pair, ResultArrayName="Radius", Function="0.011 - 0.1*coordsX")
    network = simple.DEMContactNetwork(Input=grains)
    view = simple.CreateRenderView(ViewSize=[400, 300])
    view.OrientationAxesVisibility = 0
    simple.Show(network, view)
    simple.Render(view)  # the first rendering resets the camera
    view.CameraParallelProjection = 1
    view.CameraPosition, view.CameraFocalPoint = [0, -1, 0], [0, 0, 0]
    view.CameraViewUp = [0, 0, 1]
    view.CameraParallelScale = 0.03  # half the height of the picture, in m

    def area(name):
        image = picture(view, name)
        seen = (image[:, 0] > 76) & (image[:, 2] > 76) & (image[:, 1] < 26)
        return seen.sum() * (0.06 / 300) ** 2

    check(area("unselected") == 0, "the colour of a selection without one")
    simple.QuerySelect(QueryString="id == 0", FieldType="CELL", Source=network)
    x, z = numpy.meshgrid(numpy.arange(-0.03, 0.03, 1e-4), numpy.arange(-0.03, 0.03, 1e-4))
    discs = ((x + 0.01) ** 2 + z ** 2 < 0.01224 ** 2) | ((x - 0.01) ** 2 + z ** 2 < 0.0102 ** 2)
    got, expected = area("selected"), discs.sum() * 1e-8
    check(abs(got / expected - 1) < 0.02, f"the grains cover {got} m^2, {expected} expected")
    simple.ClearSelection(network)
    check(area("cleared") == 0, "the grains stay after the selection")


def the_state_file_opens():
    simple.LoadState(os.path.join(DATA, "Cases", "force_network.pvsm"))
    chains = simple.FindSource("Force Chains")
    check(chains is not None and simple.FindSource("Tubes").VaryRadius == "By Scalar")
    chains.UpdatePipeline(0.05)
    check(chains.GetDataInformation().GetTime() == 0.05, str(chains.GetDataInformation().GetTime()))


main(network_is_coloured_by_force, chains_are_coloured_by_force, files_of_other_codes_are_coloured_by_overlap,
     a_selected_contact_shows_its_grains, the_state_file_opens)
