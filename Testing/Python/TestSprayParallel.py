"""A spray on one rank, then on two: coating of the run and of DEM Spray Coating, and an error of the filter on all
ranks. The first run stores the data, the second compares."""
from dem_testing import Messages, arrays, check, expect_same, fetch, packing, simulation
from parallel_testing import RANKS, judge, stored
from paraview import simple

nozzle = simple.DEMNozzle(Position=[0, 0, 0.15], FullAngle=40, RaysPerSample=2000)
with Messages() as messages:
    run = simulation(SprayNozzles=[nozzle], CoatingPatches=1, EndTime=0.05, Threads=1)
    coated = simple.DEMSprayCoating(Input=simulation(EndTime=0.05, Threads=1), Nozzles=[nozzle], Device="CPU")
    results = {}
    for t in (0.05, 0.02):
        results[t] = {0: arrays(fetch(run, 0, t)), 3: arrays(fetch(run, 3, t))}
        results[t][4] = arrays(fetch(coated, 0, t))
        results[t][4].pop(("field", "Device"))  # the device name contains the number of threads
with Messages() as refusal:
    coated.CoatingPatches = 99
    coated.UpdatePipeline(0.05)
    coated.CoatingPatches = 0
    again = arrays(fetch(coated, 0, 0.05))


def test():
    check(not messages.text, messages.text)
    check("Coating Patches is 99" in refusal.text, refusal.text)
    check(results[0.05][0]["field", "SprayOnGrains"][0] > 3000)
    check((again["point", "SprayHits"] == results[0.05][4]["point", "SprayHits"]).all())
    one = stored("spray", results)
    for t in results if RANKS > 1 else ():
        expect_same(results[t], one[t], f"t = {t}")


judge(test)
