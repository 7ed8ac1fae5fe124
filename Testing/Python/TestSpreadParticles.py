"""Several ranks: particles on more than one rank give an error message in every filter, and no rank
hangs."""
from dem_testing import Messages, check, fetch
from paraview import simple
from vtkmodules.vtkParallelCore import vtkMultiProcessController

controller = vtkMultiProcessController.GetGlobalController()
rank = controller.GetLocalProcessId()
failed = []
ball = simple.Sphere(Radius=0.03, ThetaResolution=16)  # each rank has a piece
grains = simple.Calculator(Input=ball, ResultArrayName="Radius", Function="0.002")
ball.UpdatePipeline()
for name, what in (("DEMContactNetwork", "the contact network"), ("DEMForceChains", "force chains"), ("DEMCellAverage", "an average"),
                   ("DEMCoarseGraining", "an average"), ("DEMStatistics", "DEM Statistics")):
    with Messages() as messages:
        proxy = getattr(simple, name)(Input=grains)
        proxy.UpdatePipeline()
    for word in (f"spread over {controller.GetNumberOfProcesses()} processes", what, "Read them on one process"):
        if rank == 0 and word not in messages.text:
            failed.append(f"{name}: '{word}' is not in: {messages.text[:500]}")
    simple.Delete(proxy)
if rank == 0:
    for line in failed:
        print("FAILED", line, flush=True)
    if not failed:
        print("ALL PASSED", flush=True)
