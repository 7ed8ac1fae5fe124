"""A client of a server of two ranks, which share the run: the slider, filters, steering and a picture, against a run in this process.
The arguments start the server's ranks."""
import sys

import numpy
from dem_testing import PORTS, arrays, check, clear, connected_server, expect_same, fetch, main, packing, simulation
from images import coloured, pixels, screenshot, white_view
from parallel_testing import shown
from paraview import simple

TIMES = (0.06, 0.04, 0.08)  # the second lies before the first


def scene(**properties):
    grains = packing(LowerCorner=[0, 0, 0.01], Size=[0.2, 0.2, 0.2], Spacing=0.0105, RadiusDistribution="Single", Radius=0.005, Velocity=[0.3, 0.1, -1])
    return simulation(grains, EndTime=0.08, OutputInterval=0.02, YoungsModulus=1e6, Threads=1, **properties)


def results():
    run = scene(WhenChanged="Steer")
    out = {t: shown(run, t) for t in TIMES}
    network = simple.DEMContactNetwork(Input=run, ListOfContacts=simple.OutputPort(run, 1), Device="CPU")
    network.UpdatePipeline(0.08)
    out["network"] = {0: arrays(fetch(network, 0))}
    out["network"][0].pop(("field", "Device"))  # with the number of threads
    run.UpdatePipeline(0.06)
    run.Gravity = [4, 0, -9.81]
    out["steered"] = shown(run, 0.08)
    for ports in out.values():
        for port in (PORTS["Walls"], PORTS["Fluid"], PORTS["Averages"]):  # ParaView sends empty data without its arrays
            ports.pop(port, None)
    return out, fetch(run, PORTS["Statistics"]).GetColumnByName("Devices").GetValue(0)


def a_run_on_two_ranks_of_a_server():
    expected, devices = results()
    check(devices == 1, devices)
    check(len(expected[0.08][0]["points"]) > 5000 and len(expected[0.08][1]["points"]) > 200, "the scene is too small")
    check(not numpy.array_equal(expected["steered"][0]["points"], expected[0.08][0]["points"]), "steering")
    clear()
    with connected_server(sys.argv[1:]):
        got, devices = results()
        check(devices == 2, f"{devices} devices")
        for name, ports in expected.items():
            expect_same(got[name], ports, str(name))
        view = white_view()
        view.ViewTime = 0.08
        simple.Show(scene(), view)
        simple.ResetCamera(view)
        picture = screenshot(view, "server")
        check(coloured(picture) > 2000, "nothing in the picture")


main(a_run_on_two_ranks_of_a_server)
