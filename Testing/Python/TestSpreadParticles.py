"""Several ranks: particles on more than one rank give an error message in every filter, and no rank
hangs."""
from dem_testing import Messages, check
from parallel_testing import RANK, RANKS, judge
from paraview import simple

failed = []
ball = simple.Sphere(Radius=0.03, ThetaResolution=16)  # each rank has a piece
grains = simple.Calculator(Input=ball, ResultArrayName="Radius", Function="0.002")
ball.UpdatePipeline()
for name, what in (("DEMContactNetwork", "the contact network"), ("DEMForceChains", "force chains"), ("DEMCellAverage", "an average"),
                   ("DEMCoarseGraining", "an average"), ("DEMStatistics", "DEM Statistics")):
    with Messages() as messages:
        proxy = getattr(simple, name)(Input=grains)
        proxy.UpdatePipeline()
    for word in (f"spread over {RANKS} processes", what, "Read them on one process"):
        if RANK == 0 and word not in messages.text:
            failed.append(f"{name}: '{word}' is not in: {messages.text[:500]}")
    simple.Delete(proxy)
judge(lambda: check(not failed, "\n".join(failed)))
