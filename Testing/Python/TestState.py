"""State files (.pvsm and Python) restore a working pipeline with the same data."""
import os

from dem_testing import WORK, check, clear, everything, expect, expect_same, main, packing, simulation
from paraview import simple, smstate


def build():
    p = packing(Velocity=[0.2, 0, 0], Seed=7)
    simple.RenameSource("Grains", p)
    plate = simple.Plane(Origin=[-0.1, -0.1, -0.005], Point1=[0.1, -0.1, -0.005], Point2=[-0.1, 0.1, -0.005])
    wall = simple.DEMWall(Input=plate, WallName="Plate", OwnMaterial=1, Friction=0.9, Motion="Oscillation", Amplitude=0.002)
    s = simulation(p, Walls=[wall, simple.Sphere(Radius=0.01, Center=[0.5, 0, 0])], ExitX="Periodic", ParticleArrays=["Velocity", "Force"],
                   MaterialName=["Grain", "Steel"], MaterialDensity=[2000, 7800])
    s.ContactModel = "Linear Spring-Dashpot"
    s.ContactModel.CollisionTime = 0.002
    s.RollingModel = "EPSD"
    s.RollingModel.RollingDamping = 0.4
    s.RollingFriction = 0.2
    simple.RenameSource("Run", s)
    return s


def same_settings(s):
    check(s.ContactModel.GetXMLLabel() == "Linear Spring-Dashpot" and s.ContactModel.CollisionTime == 0.002)
    check(s.RollingModel.GetXMLLabel() == "EPSD" and s.RollingModel.RollingDamping == 0.4)
    check(s.ExitX == "Periodic" and len(s.Walls) == 2 and list(s.ParticleArrays) == ["Velocity", "Force"])
    check(s.Walls[0].WallName == "Plate")
    check(list(s.MaterialName) == ["Grain", "Steel"] and list(s.MaterialDensity) == [2000, 7800])


def pvsm():
    path = os.path.join(WORK, "state.pvsm")
    expected = everything(build(), 0.1)
    simple.SaveState(path)
    text = open(path).read()
    check('"WallInputs"' not in text, "the list of walls repeats them in the state")
    check('name="Gravity"' in text and 'name="RestartFile"' not in text, "the window would ask for data files")
    clear()
    check(simple.FindSource("Run") is None)
    simple.LoadState(path)
    s = simple.FindSource("Run")
    same_settings(s)
    expect_same(everything(s, 0.1), expected)


def python_state():
    expected = everything(build(), 0.1)
    text = smstate.get_state()
    check("DEMSimulation(" in text and "DEMPacking(" in text, text[:3000])
    clear()
    exec(compile(text, "state", "exec"), {})
    s = simple.FindSource("Run")
    same_settings(s)
    expect_same(everything(s, 0.1), expected)


def state_goes_on_from_its_restart_file():
    checkpoint = os.path.join(WORK, "state.dem-checkpoint")
    path = os.path.join(WORK, "restart.pvsm")
    s = build()
    s.WhenChanged = "Steer"
    s.UpdatePipeline(0.05)
    s.Gravity = [3, 0, -9.81]
    s.UpdatePipeline(0.1)
    s.CheckpointFile = checkpoint
    s.InvokeCommand("SaveCheckpoint")
    expected = everything(s, 0.2)
    s.RestartFile = checkpoint
    simple.SaveState(path)
    clear()
    simple.LoadState(path)
    expect_same(everything(simple.FindSource("Run"), 0.2), expected)


def a_saved_state_belongs_to_scenes_alike():
    """The contract of RunSimulation::restore: counts, materials, contact model, walls and domain are compared, grains are not."""
    checkpoint = os.path.join(WORK, "alike.dem-checkpoint")
    plate = simple.Plane(Origin=[-0.1, -0.1, -0.005], Point1=[0.1, -0.1, -0.005], Point2=[-0.1, 0.1, -0.005])

    def run(particles=None, name="Plate", friction=0.9, **properties):
        wall = simple.DEMWall(Input=plate, WallName=name, OwnMaterial=1, Friction=friction)
        return simulation(particles or packing(Seed=1), Walls=[wall], TimeStep=2e-5, **properties)

    s = run()
    s.UpdatePipeline(0.1)
    s.CheckpointFile = checkpoint
    s.InvokeCommand("SaveCheckpoint")
    expected = everything(s, 0.2)[0]
    for other in (dict(particles=packing(Seed=2)), dict(particles=packing(Velocity=[0.3, 0, 0])), dict(name="Floor"), dict(Skin=0.001), dict(EndTime=0.3)):
        got = everything(run(RestartFile=checkpoint, **other), 0.2)[0]
        check((got["points"] == expected["points"]).all(), f"{other}: not the grains of the state")
    tilted = run(RestartFile=checkpoint, Gravity=[1, 0, -9.81])
    check((everything(tilted, 0.1)[0]["points"] == everything(s, 0.1)[0]["points"]).all(), "gravity changes the saved instant")
    check((everything(tilted, 0.2)[0]["points"] != expected["points"]).any(), "the gravity of the scene has no effect")
    for other, word in ((dict(particles=packing(Size=[0.06, 0.06, 0.05])), "its number of particles"), (dict(friction=0.8), "its materials"),
                        (dict(Density=2000), "its materials"), (dict(RollingModel="EPSD"), "history columns"), (dict(FrictionLimit="Elastic"), "its contact model"), (dict(ExitX="Periodic"), "its domain"),
                        (dict(Precision="Double"), "Precision"), (dict(Integrator="Semi-Implicit Euler"), "Integrator")):
        expect(run(RestartFile=checkpoint, **other).UpdatePipeline, word)


main(pvsm, python_state, state_goes_on_from_its_restart_file, a_saved_state_belongs_to_scenes_alike)
