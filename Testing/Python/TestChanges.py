"""Effects of changes: restart, steering, checkpoints, commands, interruption, walls, materials,
borders, contact models."""
import os

import numpy
import run_testing
from dem_testing import (WORK, Messages, arrays, check, differences, everything, expect, fetch, kept, main, packing,
                         progress, simulation, time_of)
from paraview import servermanager, simple


def statistic(proxy, name, when=None):
    table = arrays(fetch(proxy, 3, when))
    return table["row", name][0]


def restart_begins_at_zero():
    expected = everything(simulation(packing(), Friction=0.1), 0.1)
    s = simulation(packing())
    before = everything(s, 0.1)
    s.Friction = 0.1
    check(not differences(everything(s, 0.1), expected))
    s.Friction = 0.5
    check(not differences(everything(s, 0.1), before))


def equal_inputs_keep_the_run():
    p = packing()
    s = simulation(p, OutputInterval=0.1)
    s.UpdatePipeline(0.2)
    rebuilds = fetch(s, 3).GetColumnByName("ListRebuilds").GetValue(0)
    p.Seed = 2
    p.UpdatePipeline()
    p.Seed = 1
    s.Threads = 0
    s.UpdatePipeline(0.2)
    check(fetch(s, 3).GetColumnByName("ListRebuilds").GetValue(0) == rebuilds)
    p.Seed = 2
    other = everything(s, 0.2)
    p.Seed = 1
    check(differences(everything(s, 0.2), other), "a changed input changed nothing")


def contact_models_matter():
    s = simulation(packing())
    hertz = everything(s, 0.2)
    s.ContactModel = "Linear Spring-Dashpot"
    linear = everything(s, 0.2)
    check(differences(hertz, linear))
    s.ContactModel.CollisionTime = 0.002
    softer = everything(s, 0.2)
    check(differences(softer, linear), "a parameter of the model changed nothing")
    s.ContactModel.StiffnessMode = "Normal Stiffness"
    check(differences(everything(s, 0.2), softer))
    s.ContactModel = "Hertz-Mindlin"
    check(not differences(everything(s, 0.2), hertz))
    s.RollingFriction = 0.3
    s.RollingModel = "EPSD"
    check(differences(everything(s, 0.2), hertz))


def steering_changes_the_future_only():
    s = simulation(packing(), WhenChanged="Steer")
    plain = {t: everything(s, t) for t in (0.05, 0.1)}
    s.Gravity = [0, 0, 9.81]
    up = everything(s, 0.2)
    check(not differences(everything(s, 0.05), plain[0.05]), "the past changed")
    check(not differences(everything(s, 0.1), plain[0.1]), "the moment of the change changed")
    check(not differences(everything(s, 0.2), up), "replay forgot the change")
    lifted = up[0]["points"][:, 2].mean() - plain[0.1][0]["points"][:, 2].mean()
    check(lifted > 0.01, f"grains did not rise: {lifted}")
    s.ExitX = "Periodic"  # cannot be steered
    check(differences(everything(s, 0.2), up))


def a_failure_is_cured_by_steering():
    plain = {t: everything(simulation(packing(), Precision="Double"), t) for t in (0.05, 0.1)}
    path = os.path.join(WORK, "before-failure.dem-checkpoint")
    s = simulation(packing(), Precision="Double", WhenChanged="Steer", CheckpointFile=path)
    s.UpdatePipeline(0.05)
    s.Gravity = [0, 0, -1e300]
    for t in (0.1, 0.2):
        expect(lambda: s.UpdatePipeline(t), "no longer at a finite place")
        check(not differences({0: arrays(s.GetClientSideObject().GetOutputDataObject(0))}, plain[0.05]), "what is shown is not what was before")
    s.InvokeCommand("SaveCheckpoint")
    check(not differences(everything(simulation(packing(), Precision="Double", RestartFile=path), 0.05), plain[0.05]), "the checkpoint")
    s.Gravity = [0, 0, -9.81]
    check(not differences(everything(s, 0.1), plain[0.1]), "the cured run")
    check(not differences(everything(s, 0.05), plain[0.05]), "the moment of the failure")


def checkpoint_goes_on_with_the_same_bits():
    path = os.path.join(WORK, "run.dem-checkpoint")
    s = simulation(packing())
    s.UpdatePipeline(0.1)
    expected = everything(s, 0.2)
    s.UpdatePipeline(0.1)
    s.CheckpointFile = path
    s.InvokeCommand("SaveCheckpoint")  # saves the time shown, although the solver has reached 0.2 s
    again = simulation(packing(), RestartFile=path)
    check(not differences(everything(again, 0.2), expected))
    check(not differences(everything(again, 0.05), everything(s, 0.05)))
    third = simulation(packing(), CheckpointFile=path)
    third.UpdatePipeline(0.0)
    third.InvokeCommand("LoadCheckpoint")
    check(not differences(everything(third, 0.2), expected))
    third.InvokeCommand("Reset")
    check(not differences(everything(third, 0.2), expected))


def another_end_goes_on():
    run_testing.another_end_goes_on(simulation, 0.1, 0.2)


def an_automatic_domain_belongs_to_its_run():
    """Automatic borders of moving walls stay during a run, return with its steering events, and
    grow with a longer run."""
    def lift(speed):
        plane = simple.Plane(Origin=[-.2, -.2, -.005], Point1=[.2, -.2, -.005], Point2=[-.2, .2, -.005])
        return simple.DEMWall(Input=plane, Motion="Translation", Velocity=[0, 0, speed])

    def domain(s):
        s.UpdatePropertyInformation()
        return list(s.DomainInUse)
    wall = lift(.1)
    s = simulation(Walls=[wall], WhenChanged="Steer")
    early = everything(s, 0.05)
    s.UpdatePipeline(0.1)
    borders = domain(s)
    wall.Velocity = [0, 0, .5]
    steered = everything(s, 0.2)
    check(domain(s) == borders and s.SteeringEvents, str(domain(s)))
    check(not differences(early, everything(s, 0.05)), "steering changed the past")
    again = simulation(Walls=[lift(.5)], WhenChanged="Steer", SteeringEvents=s.SteeringEvents)
    check(not differences(steered, everything(again, 0.2)), "other bits from the steering events")
    check(domain(again) == borders, str(domain(again)))
    events = s.SteeringEvents
    s.EndTime = 0.22  # a larger box would discard the changes
    s.UpdatePipeline(0.22)
    check(s.SteeringEvents == events and domain(s) == borders, f"{s.SteeringEvents} {domain(s)}")
    check(not differences(early, everything(s, 0.05)), "a later end changed the past")
    # A run that continues from a state keeps the borders of the state.
    file = os.path.join(WORK, "lift.chk")
    s = simulation(Walls=[lift(.1)], CheckpointFile=file)
    s.UpdatePipeline(0.1)
    s.InvokeCommand("SaveCheckpoint")
    borders, expected = domain(s), everything(s, 0.2)
    longer = simulation(Walls=[lift(.1)], EndTime=0.4, RestartFile=file)
    check(not differences(expected, everything(longer, 0.2)), "the state does not go on")
    check(domain(longer) == borders, f"{domain(longer)}, before {borders}")
    s = simulation(Walls=[lift(.5)])
    s.UpdatePipeline(0.1)
    borders = domain(s)
    s.EndTime = 0.1
    s.UpdatePipeline(0.1)
    check(domain(s) == borders)
    s.EndTime = 0.4
    heights = arrays(fetch(s, 0, 0.4))["points"][:, 2]
    check(domain(s)[5] > borders[5] + .09 and heights.min() > .19, str(domain(s)))


def interruption_keeps_what_was_reached():
    s = simulation(packing(Size=[0.2, 0.2, 0.2]), EndTime=2, OutputInterval=1)
    texts, data, reached = run_testing.interrupted(s, 1.0)
    check(texts and texts[0].startswith("DEM t="), str(texts[:3]))
    check(data.GetNumberOfPoints() > 1000, "the interruption emptied the output")
    check(0 < reached < 1, f"reached {reached}")


def interruption_can_go_on():
    s = simulation(packing(Size=[0.1, 0.1, 0.1]), EndTime=0.4, OutputInterval=0.2)
    expected = everything(simulation(packing(Size=[0.1, 0.1, 0.1]), EndTime=0.4, OutputInterval=0.2), 0.2)
    with progress(s, lambda algorithm: algorithm.SetAbortExecute(1)):
        s.UpdatePipeline(0.2)
    s.UpdatePipeline(0.2)
    check(time_of(kept(s)) == 0.2)
    check(not differences(everything(s, 0.2), expected))


def one_abort_stops_all_ports():
    """ParaView's Abort button sets the flag once; the other ports are updated after the first."""
    s = simulation(packing(Size=[0.2, 0.2, 0.2]), EndTime=2, OutputInterval=1)
    calls = []

    def once(algorithm):
        calls.append(algorithm)
        if len(calls) == 12:
            getattr(algorithm, "SetAbortExecuteAndUpdateTime", lambda: algorithm.SetAbortExecute(1))()

    with progress(s, once):
        s.UpdatePipeline(1.0)
    reached = time_of(kept(s))
    check(0 < reached < 1, f"reached {reached} after {len(calls)} calls")
    s.UpdatePipeline(1.0)
    check(time_of(kept(s)) == 1, "the next request goes on")


def monitor_shows_slices():
    run_testing.monitor_shows_slices(lambda **properties: simulation(packing(Size=[0.1, 0.1, 0.1]), **properties), 2)


def a_window_watches_one_time():
    """The behaviour of the window: requests of the scene's time are answered in slices, from t = 0
    after a restart; requests of other times are answered completely."""
    s = simulation(packing(Size=[0.1, 0.1, 0.1]), EndTime=2, OutputInterval=0.1, MonitorInterval=0.05)

    def shown(time):
        s.UpdatePipeline(time)
        return time_of(kept(s))

    check(shown(0.1) == 0.1, "scripts get whole times")
    s.SMProxy.GetProperty("WatchedTime").SetElement(0, 2)
    s.UpdateVTKObjects()
    seen = [shown(2)]
    check(0.1 < seen[0] < 2, str(seen))
    s.Gravity = [0, 0, -5]
    check(shown(2) == 0, "a restart shows its start at once")
    while seen[-1] < 2 - 1e-9 and len(seen) < 1000:
        s.GetClientSideObject().Modified()
        seen.append(shown(2))
    check(abs(seen[-1] - 2) < 1e-9 and seen[1:] == sorted(seen[1:]), str(seen))
    # A filter over time gets complete answers, also for the watched time.
    def mean(run):
        statistics = simple.TemporalStatistics(Input=run)
        return arrays(servermanager.Fetch(statistics))["point", "Velocity_average"]

    values = dict(EndTime=0.3, OutputInterval=0.1)
    watched = simulation(packing(Size=[0.1, 0.1, 0.1]), MonitorInterval=0.05, **values)
    watched.SMProxy.GetProperty("WatchedTime").SetElement(0, 0.2)
    watched.UpdateVTKObjects()
    check(numpy.array_equal(mean(watched), mean(simulation(packing(Size=[0.1, 0.1, 0.1]), **values))), "a slice in a mean over time")
    s.MonitorInWindow = 0
    s.Gravity = [0, 0, -9.81]
    check(abs(shown(2) - 2) < 1e-9, "switched off")


def walls_carry_material_and_motion():
    plate = simple.Plane(Origin=[-0.1, -0.1, -0.005], Point1=[0.1, -0.1, -0.005], Point2=[-0.1, 0.1, -0.005], XResolution=4,
                         YResolution=4)
    wall = simple.DEMWall(Input=plate, WallName="Plate", OwnMaterial=1, Friction=0.9, Motion="Translation",
                          Velocity=[0, 0, 0.1], StartTime=0.05)
    s = simulation(packing(), Walls=[wall])
    at = {t: everything(s, t) for t in (0.0, 0.05, 0.2)}
    check(len(at[0.0][2]["cell", "Pressure"]) == 32, "a quad is two triangles")
    check(numpy.allclose(at[0.05][2]["points"][:, 2], -0.005))
    check(numpy.allclose(at[0.2][2]["points"][:, 2], -0.005 + 0.15 * 0.1))
    check(at[0.2][2]["cell", "Force"][:, 2].sum() < 0, "the grains do not press on the plate")
    check(at[0.2][2]["field", "WallName"][0] == "Plate")
    check((at[0.2][1]["cell", "ParticleIds"][:, 1] == -1).any(), "no contact with the wall")
    bare = everything(simulation(packing(), Walls=[plate]), 0.2)
    check(differences(bare, at[0.2]))
    two = everything(simulation(packing(), Walls=[wall, simple.Sphere(Radius=0.01, Center=[0, 0, 0.5])]), 0.2)
    check(set(two[2]["cell", "Wall"]) == {0, 1})


def motions():
    plate = simple.Plane(Origin=[0, 0, 0], Point1=[1, 0, 0], Point2=[0, 1, 0])
    turning = simple.DEMWall(Input=plate, Motion="Rotation", RotationRate=90, Axis=[0, 0, 2])
    s = simulation(packing(LowerCorner=[0, 0, 2]), Walls=[turning], EndTime=1, OutputInterval=1, Gravity=[0, 0, 0])
    corners = everything(s, 1)[2]["points"]
    check(any(numpy.allclose(p, [0, 1, 0], atol=1e-9) for p in corners) and
          any(numpy.allclose(p, [-1, 0, 0], atol=1e-9) for p in corners), str(corners))
    shaking = simple.DEMWall(Input=plate, Motion="Oscillation", Amplitude=0.01, Frequency=0.25, Phase=0, Axis=[0, 0, 1])
    s.Walls = [shaking]
    check(numpy.allclose(everything(s, 1)[2]["points"][:, 2], 0.01))


def materials_by_table():
    path = os.path.join(WORK, "materials.csv")
    with open(path, "w") as out:
        out.write("Name,YoungsModulus,PoissonsRatio,Density,Restitution,Friction\n"
                  "Glass,6e6,0.25,2500,0.9,0.2\nSteel,9e6,0.3,7800,0.7,0.3\n")
    pairs = os.path.join(WORK, "pairs.csv")
    with open(pairs, "w") as out:
        out.write("First,Second,Restitution,Friction\nGlass,Steel,0.5,0.9\n")
    table, pair_table = simple.CSVReader(FileName=[path]), simple.CSVReader(FileName=[pairs])
    light = packing(Material="Glass")
    heavy = packing(Material="Steel", LowerCorner=[-0.03, -0.03, 0.07])
    s = simulation([light, heavy], TableOfMaterials=table, TableOfPairs=pair_table)
    got = everything(s, 0.1)[0]
    material, mass = got["point", "Material"], got["point", "Mass"]
    check(set(material) == {0, 1})
    volume = 4 / 3 * numpy.pi * 0.005 ** 3
    check(numpy.allclose(mass[material == 0], 2500 * volume, rtol=1e-5) and
          numpy.allclose(mass[material == 1], 7800 * volume, rtol=1e-5))
    check(list(got["field", "Materials"]) == ["Glass", "Steel", "Grain", "Wall"])
    check(len(set(got["point", "Id"])) == len(material), "ids of two packings collide")


def materials_by_lists():
    """Material lists of the panel equal a table to the last bit. A change restarts the run."""
    path = os.path.join(WORK, "listed.csv")
    with open(path, "w") as out:
        out.write("Name,YoungsModulus,Density,Restitution,Friction\n"
                  "Glass,6e6,2500,0.9,0.2\nSteel,9e6,7800,0.7,0.3\n")
    grains = [packing(Material="Glass"), packing(Material="Steel", LowerCorner=[-0.03, -0.03, 0.07])]
    expected = everything(simulation(grains, TableOfMaterials=simple.CSVReader(FileName=[path])), 0.2)
    # Another order than in the table; missing values are those of the grain material.
    s = simulation(grains, MaterialFriction=[0.2, 0.3], MaterialDensity=[2500, 7800],
                   MaterialName=["Glass", "Steel"], MaterialRestitution=[0.9, 0.7],
                   MaterialYoungsModulus=[6e6, 9e6])
    got = everything(s, 0.2)
    check(not differences(got, expected), str(differences(got, expected)))
    s.MaterialDensity = [2500, 5000]
    mass = everything(s, 0.0)[0]["point", "Mass"]
    check(abs(max(mass) / min(mass) - 2) < 1e-5, f"masses {set(mass)}")
    # The names Grain and Wall replace the two materials of the simulation.
    s = simulation(MaterialName=["Grain"], MaterialDensity=[5000])
    got = everything(s, 0.0)[0]
    check(list(got["field", "Materials"]) == ["Grain", "Wall"], str(got["field", "Materials"]))
    check(numpy.allclose(got["point", "Mass"], 5000 * 4 / 3 * numpy.pi * 0.005 ** 3, rtol=1e-5))


def blocks_are_inputs_of_one_scene():
    """Grouped packings and walls form one scene, equal to the last bit to the same inputs connected
    one by one."""
    def scene(joined):
        grains = [packing(), packing(Shape="Tablet", Spacing=0.015, LowerCorner=[-0.03, -0.03, 0.07])]
        floor = simple.Plane(Origin=[-0.1, -0.1, -0.02], Point1=[0.1, -0.1, -0.02], Point2=[-0.1, 0.1, -0.02])
        lid = simple.Plane(Origin=[-0.1, -0.1, 0.2], Point1=[0.1, -0.1, 0.2], Point2=[-0.1, 0.1, 0.2])
        walls = [simple.DEMWall(Input=floor, WallName="Floor"),
                 simple.DEMWall(Input=lid, WallName="Lid", OwnMaterial=1, Motion="Translation", Velocity=[0, 0, -0.3])]
        inputs = (simple.GroupDatasets(Input=grains), simple.GroupDatasets(Input=walls)) if joined else (grains, walls)
        return simulation(inputs[0], Walls=inputs[1]), grains[0]
    expected = everything(scene(False)[0], 0.2)
    check(len(set(expected[0]["point", "Shape"])) == 2)
    together, spheres = scene(True)
    got = everything(together, 0.2)
    check(not differences(got, expected), str(differences(got, expected)))
    ids = got[1]["cell", "ParticleIds"]
    check((numpy.diff(numpy.isin(ids, numpy.nonzero(got[0]["point", "Shape"])[0]), axis=1) != 0).any(), "grains of two blocks never meet")
    # A changed block changes the scene.
    spheres.Count = 3
    check(len(arrays(fetch(together, 0, 0.05))["points"]) == (got[0]["point", "Shape"] == 1).sum() + 3)
    # The partitions of one surface are one wall.
    floor = simple.Plane(Origin=[-0.1, -0.1, -0.02], Point1=[0.1, -0.1, -0.02], Point2=[-0.1, 0.1, -0.02], XResolution=4, YResolution=4)
    pieces = simple.RedistributeDataSet(Input=simple.DEMWall(Input=floor, WallName="Floor"), NumberOfPartitions=3, PreservePartitionsInOutput=1)
    walls = simulation(Walls=[simple.ExtractSurface(Input=pieces)])
    got = everything(walls, 0.2)[2]
    check(list(got["field", "WallName"]) == ["Floor"] and len(got["cell", "Wall"]) == 32 and not got["cell", "Wall"].any(), got["cell", "Wall"])
    check(statistic(walls, "LostCount", 0.2) == 0 and (got["cell", "Pressure"] > 0).any())
    image = simple.GroupDatasets(Input=[packing(), simple.Wavelet(registrationName="Wavelet1")],
                                 registrationName="Mixed")
    grains = simple.GroupDatasets(Input=[packing()], registrationName="Grains alone")
    for properties, words in ((dict(particles=image), ("Mixed, block \"Wavelet1\" is a vtkImageData", "Extract Block")),
                              (dict(Walls=image), ("Mixed, block \"Wavelet1\" is a vtkImageData", "Extract Surface")),
                              (dict(Walls=grains), ("Grains alone is empty",))):
        with Messages() as messages:
            fetch(simulation(**properties), 0, 0.0)
        check(all(word in messages.text for word in words), messages.text)


def borders():
    p = packing(Velocity=[0.5, 0, 0])
    common = dict(AutomaticDomain=0, Domain=[-0.04, 0.04, -0.04, 0.04, -0.01, 0.1], Gravity=[0, 0, 0])
    removing = simulation(p, ExitX="Remove", **common)
    check(statistic(removing, "LostCount", 0.2) > 0)
    check(statistic(removing, "LostCount") + statistic(removing, "ParticleCount") == statistic(removing, "ParticleCount", 0.0))
    wrapping = simulation(p, ExitX="Periodic", **common)
    check(statistic(wrapping, "LostCount", 0.2) == 0)
    x = arrays(fetch(wrapping, 0))["points"][:, 0]
    check((numpy.abs(x) <= 0.04 + 1e-6).all(), "wrapped particles lie outside")
    free = simulation(p, LimitDomain=0, Gravity=[0, 0, 0])
    check(numpy.allclose(arrays(fetch(free, 0, 0.2))["points"][:, 0] - arrays(fetch(free, 0, 0.0))["points"][:, 0], 0.1, atol=1e-4))


def packings():
    for arrangement in ("Lattice", "Jittered Lattice", "Random"):
        for distribution in ("Single", "Uniform", "Normal", "Log-Normal", "Tabulated"):
            p = packing(Arrangement=arrangement, RadiusDistribution=distribution, MinimumRadius=0.004, MaximumRadius=0.006,
                        RadiusDeviation=0.0005, RadiusTable=[0.004, 0.5, 0.005, 0.5])
            got = arrays(fetch(p))
            r = got["point", "Radius"]
            check(len(r) > 20 and (r >= 0.004 - 1e-9).all() and (r <= 0.006 + 1e-9).all(), f"{arrangement} {distribution} {len(r)}")
            low, high = (got["points"] - r[:, None]).min(axis=0), (got["points"] + r[:, None]).max(axis=0)
            check((low >= [-0.03 - 1e-9, -0.03 - 1e-9, -1e-9]).all() and (high <= [0.03 + 1e-9, 0.03 + 1e-9, 0.06 + 1e-9]).all())
    ball = simple.Sphere(Radius=0.05, ThetaResolution=32, PhiResolution=32)
    inside = arrays(fetch(packing(Region=ball)))
    far = numpy.linalg.norm(inside["points"], axis=1) + inside["point", "Radius"]
    check(len(far) > 50 and (far < 0.05).all())
    check(len(arrays(fetch(packing(Count=17)))["points"]) == 17)


def a_simulation_starts_from_another():
    run_testing.starts_from_another(simulation(packing()), simulation)


main(restart_begins_at_zero, equal_inputs_keep_the_run, contact_models_matter, steering_changes_the_future_only,
     a_failure_is_cured_by_steering, checkpoint_goes_on_with_the_same_bits, another_end_goes_on,
     an_automatic_domain_belongs_to_its_run, interruption_keeps_what_was_reached, interruption_can_go_on, one_abort_stops_all_ports,
     monitor_shows_slices, a_window_watches_one_time, walls_carry_material_and_motion, motions, materials_by_table, materials_by_lists, blocks_are_inputs_of_one_scene, borders, packings,
     a_simulation_starts_from_another)
