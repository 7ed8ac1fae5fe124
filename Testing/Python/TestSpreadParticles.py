"""Grains of any source that lie on several ranks: every filter takes them together, as if they were on one."""
import numpy
from dem_testing import Messages, arrays, check, fetch
from parallel_testing import RANK, RANKS, judge
from paraview import simple

EACH = 50
TOTAL = EACH * RANKS
RADIUS, SPACING = 0.01, 0.019

# A row of grains, of which each rank has every RANKS-th: grain i touches i - 1 and i + 1, which are on other ranks.
ROW = f"""
import numpy
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkParallelCore import vtkMultiProcessController
ids = numpy.arange({EACH}) * {RANKS} + vtkMultiProcessController.GetGlobalController().GetLocalProcessId()
places = numpy.zeros((len(ids), 3))
places[:, 0] = {SPACING} * ids
points = vtkPoints()
points.SetData(numpy_to_vtk(places, deep=True))
output.SetPoints(points)
for name, values in (("Id", ids), ("Radius", numpy.full(len(ids), {RADIUS})), ("Mass", numpy.ones(len(ids)))):
    array = numpy_to_vtk(values, deep=True)
    array.SetName(name)
    output.GetPointData().AddArray(array)
"""
PIECES = "self.GetOutputInformation(0).Set(self.CAN_HANDLE_PIECE_REQUEST(), 1)"

row = simple.ProgrammableSource(OutputDataSetType="vtkPolyData", Script=ROW, ScriptRequestInformation=PIECES)
with Messages() as messages:
    network = simple.DEMContactNetwork(Input=row, ForceLaw="Linear Spring", NormalStiffness=1000, Device="CPU")
    lines = arrays(fetch(network, 0))
    chains = arrays(fetch(simple.DEMForceChains(Input=row, ListOfContacts=network, Method="Strong Network", ForceFactor=0.5, Device="CPU"), 0))
    cells = simple.DEMCellAverage(Input=row, Dimensions=[1, 1, 1], Device="CPU")
    average = arrays(fetch(simple.IntegrateVariables(Input=cells), 0))
    fields = arrays(fetch(simple.DEMCoarseGraining(Input=row, Device="CPU"), 0))
    statistics = arrays(fetch(simple.DEMStatistics(Input=row, MixingIndices=0, Device="CPU"), 0))


def test():
    check(not messages.text, messages.text)
    pairs = lines["cell", "ParticleIds"]
    check(numpy.array_equal(pairs, numpy.column_stack([numpy.arange(TOTAL - 1), numpy.arange(1, TOTAL)])), pairs)
    check(numpy.allclose(lines["cell", "Overlap"], 2 * RADIUS - SPACING, rtol=1e-6), lines["cell", "Overlap"])
    check(len(chains["points"]) > 0, "no strong network")
    check(statistics["row", "ParticleCount"][0] == TOTAL, statistics)
    check(abs(average["cell", "MassDensity"][0] - TOTAL) < 1e-9 * TOTAL, average["cell", "MassDensity"])  # 1 kg each
    check(fields["point", "MassDensity"].max() > 0, "no field")


judge(test)
