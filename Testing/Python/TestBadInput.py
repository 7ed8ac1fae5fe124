"""Analysis filters with invalid input: the message names the fault, outputs are empty, nothing
crashes, and the filter works again with valid input."""
import os

import numpy

from dem_testing import DATA, Messages, arrays, check, fetch, main, packing, produced, simulation
from paraview import simple
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData

FILTERS = ("DEMContactNetwork", "DEMForceChains", "DEMCellAverage", "DEMCoarseGraining", "DEMStatistics")
T = 0.2


def said(name, time=T, **properties):
    """The messages of a filter with this input, and the filter."""
    with Messages() as messages:
        proxy = getattr(simple, name)(**properties)
        proxy.UpdatePipeline(time)
    return messages.text, proxy


def refused(name, *words, **properties):
    text, proxy = said(name, **properties)
    for word in words:
        check(word in text, f"{name}: expected {word!r} in: {text[:1000] or '(no message)'}")
    with Messages():  # the message may repeat
        data = fetch(proxy, 0)
    size = data.GetNumberOfCells() if data.IsA("vtkDataSet") else (data.GetValueByName(0, "ParticleCount").ToInt() if data.GetNumberOfRows() else 0)
    check(size == 0, f"{name}: {size} cells or grains in spite of the message")


def changed(source, array, place, value, where="PointData"):
    """A copy of the data in which one number is damaged."""
    script = f"""
import numpy
values = numpy.array(inputs[0].{where}['{array}'], dtype=float)
values[{place}] = {value}
output.{where}.append(values, '{array}')
"""
    return simple.ProgrammableFilter(Input=source, Script=script, CopyArrays=1)


def no_points():
    """Empty input is not an error: outputs are empty."""
    bare, none = vtkPolyData(), vtkPolyData()
    none.SetPoints(vtkPoints())
    for data in (bare, none):
        for name in FILTERS:
            text, proxy = said(name, 0.0, Input=produced(data))
            check(text == "", f"{name}: {text[:500]}")
            for port in range(proxy.SMProxy.GetNumberOfOutputPorts()):
                got = fetch(proxy, port)
                if got.IsA("vtkDataSet"):
                    check(got.GetNumberOfCells() == 0 and got.GetNumberOfPoints() == 0, f"{name}, port {port}")


def no_radii():
    for name in FILTERS:
        refused(name, "no radii", "Calculator", Input=simple.Line())


def numbers_that_are_none():
    s = simulation()
    s.UpdatePipeline(T)
    for name in FILTERS:
        refused(name, "Point 7 has the radius", "above 0 and finite", Input=changed(s, "Radius", 7, "float('nan')"))
        refused(name, "Point 7 has the radius", Input=changed(s, "Radius", 7, "-0.001"))
    for name in ("DEMCellAverage", "DEMCoarseGraining", "DEMStatistics"):
        refused(name, "Point 3 has the Velocity", "not a finite number", Input=changed(s, "Velocity", "3, 1", "float('inf')"))
        refused(name, "Point 3 has the mass", Input=changed(s, "Mass", 3, 0))
    for name in FILTERS:
        script = """
import numpy
output.ShallowCopy(inputs[0].VTKObject)
places = numpy.array(inputs[0].Points)
places[5, 0] = float("nan")
output.Points = places
"""
        refused(name, "Point 5 lies at (nan", "not a finite place", Input=simple.ProgrammableFilter(Input=s, Script=script))


def contacts_that_do_not_belong():
    s = simulation(EndTime=0.3)
    other = simulation(packing(Size=[0.1, 0.1, 0.1]), EndTime=0.3)
    early = simple.ForceTime(Input=simple.OutputPort(s, 1), ForcedTime=0.15)
    for name in ("DEMContactNetwork", "DEMForceChains", "DEMCellAverage", "DEMCoarseGraining"):
        s.UpdatePipeline(T)
        refused(name, "another time", "0.15", "0.2", Input=s, ListOfContacts=early)
        other.UpdatePipeline(T)
        refused(name, "do not match", "Id", Input=s, ListOfContacts=simple.OutputPort(other, 1))
        refused(name, "NormalForce of contact 2", "nan", Input=s,
                ListOfContacts=changed(simple.OutputPort(s, 1), "NormalForce", "2, 0", "float('nan')", "CellData"))
        refused(name, "ParticleIds", Input=s, ListOfContacts=simple.PassArrays(Input=simple.OutputPort(s, 1), CellDataArrays=["Overlap"]))


def windows_and_grids():
    s = simulation()
    for name in ("DEMCellAverage", "DEMCoarseGraining"):
        refused(name, "longer than the run", "0.5 s", "0.2 s", Input=s, TimeWindow=0.5)
        bed = simple.LegacyVTKReader(FileNames=[os.path.join(DATA, "Reference", "OtherCodes", "liggghts_bed.vtk")])
        refused(name, "no time steps", Input=bed, TimeWindow=0.1, time=0.0)
    plane = simple.Wavelet(WholeExtent=[0, 5, 0, 5, 0, 0])
    refused("DEMCellAverage", "6 x 6 x 1", "plane", Input=s, SamplingGrid=plane)
    refused("DEMCellAverage", "no volume", Input=s, AutomaticBounds=0, Bounds=[0, 1, 0, 0, 0, 1])
    refused("DEMCellAverage", "limit", Input=s, AutomaticBounds=0, CellSize=1e-5)
    refused("DEMCoarseGraining", "limit", Input=s, Dimensions=[4000, 4000, 4000])


def blocks_are_read_together():
    """Grains in several blocks touch across them. Arrays that only some blocks have are missing
    from all."""
    bed = simple.LegacyVTKReader(FileNames=[os.path.join(DATA, "Reference", "OtherCodes", "liggghts_bed.vtk")])
    halves = [simple.Threshold(Input=bed, Scalars=["POINTS", "id"], LowerThreshold=a, UpperThreshold=b) for a, b in ((0, 90.5), (90.5, 1e9))]
    for parts in (halves, halves + [simple.Threshold(Input=bed, Scalars=["POINTS", "id"], LowerThreshold=-2, UpperThreshold=-1)], [bed]):
        blocks = simple.GroupDatasets(Input=parts)
        pairs = []
        for source in (bed, blocks):
            network = simple.DEMContactNetwork(Input=source, ForceLaw="Hertz")
            found = arrays(fetch(network, 0, 0.0))
            check(not fetch(network, 0).IsA("vtkCompositeDataSet"))
            pairs.append({tuple(sorted(pair)) for pair in found["cell", "ParticleIds"].tolist()})
            chains = simple.DEMForceChains(Input=source, ListOfContacts=simple.GroupDatasets(Input=[network]) if source is blocks else network)
            pairs[-1] |= {tuple(row) for row in arrays(fetch(chains, 0, 0.0))["points"].round(6).tolist()}
            for name, port, where, array in (("DEMCellAverage", 0, "cell", "SolidFraction"), ("DEMCoarseGraining", 0, "point", "SolidFraction"),
                                             ("DEMStatistics", 0, "row", "BedHeight"), ("DEMStatistics", 1, "row", "PairCount")):
                got = arrays(fetch(getattr(simple, name)(Input=source), port, 0.0))[where, array]
                pairs.append(got)
        one, other = pairs[:5], pairs[5:]
        check(len(one[0]) > 397 and one[0] == other[0], "contacts and chains of blocks")
        for a, b in zip(one[1:], other[1:]):
            check(a.shape == b.shape and numpy.allclose(a, b, rtol=1e-12, atol=1e-15), "fields of blocks")
    bare = simple.PassArrays(Input=halves[1], PointDataArrays=["id"])
    for name in FILTERS:
        refused(name, "no radii", Input=simple.GroupDatasets(Input=[halves[0], bare]), time=0.0)


def they_work_again():
    """After an error the same filter works with valid input."""
    s = simulation()
    for name in FILTERS:
        with Messages() as messages:
            proxy = getattr(simple, name)(Input=s, RadiusArray="none such")
            proxy.UpdatePipeline(T)
        check("none such" in messages.text, name)
        proxy.RadiusArray = "Automatic"
        with Messages() as messages:
            proxy.UpdatePipeline(T)
        check(messages.text == "", f"{name}: {messages.text[:500]}")
        data = fetch(proxy, 1 if name == "DEMForceChains" else 0)
        check((data.GetNumberOfPoints() if data.IsA("vtkDataSet") else data.GetNumberOfRows()) > 0, name)


main(no_points, no_radii, numbers_that_are_none, contacts_that_do_not_belong, windows_and_grids, blocks_are_read_together, they_work_again)
