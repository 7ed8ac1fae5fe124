"""Helpers of the tests of MPM Simulation: a small soft block and a run of it."""
from paraview import simple


def block(**properties):
    """A cube of 10 cm, 5 cm above the lower border of the domain."""
    values = dict(XLength=0.1, YLength=0.1, ZLength=0.1, Center=[0, 0, 0.1])
    values.update(properties)
    return simple.Box(**values)


def mpm(bodies=None, material="Fixed Corotated", parameters=None, **properties):
    """A run of the block: 0.2 s, 21 outputs, about 2,000 points in cells of 12.5 mm."""
    values = dict(Particles=bodies or block(), EndTime=0.2, OutputInterval=0.01, GridSpacing=0.0125, AutomaticDomain=0,
                  Domain=[-0.125, 0.125, -0.125, 0.125, 0, 0.25], Device="CPU")
    values.update(properties)
    run = simple.MPMSimulation(**values)
    run.MaterialModel = material
    for name, value in dict(dict(YoungsModulus=2e4) if material != "Fluid" else {}, **(parameters or {})).items():
        setattr(run.MaterialModel, name, value)
    return run
