"""DEM Statistics on a running simulation and on files of other codes, compared with numpy. Flow in
any order of times equals a straight run."""
import os
import sys

import numpy
from dem_testing import DATA, Messages, arrays, check, fetch, main, packing, simulation
from paraview import servermanager, simple

CODES = os.path.join(DATA, "Reference", "OtherCodes")
STATISTICS, DISTRIBUTION, FLOW, OVER_TIME = 0, 1, 2, 3


def row(proxy, time=None, port=STATISTICS):
    return {key[1]: value for key, value in arrays(fetch(proxy, port, time)).items() if key[0] == "row"}


def grains(proxy, time):
    return arrays(fetch(proxy, 0, time))


def close(a, b, what="", tolerance=1e-9):
    a, b = numpy.asarray(a, dtype=float), numpy.asarray(b, dtype=float)
    check(a.shape == b.shape and numpy.allclose(a, b, rtol=tolerance, atol=1e-300), f"{what}: {a} and {b}")


def bed_of_a_simulation():
    s = simulation()
    table = simple.DEMStatistics(Input=s)
    for time in (0.2, 0.0, 0.08):
        got, g = row(table, time), grains(s, time)
        m, v = g["point", "Mass"].astype(float), g["point", "Velocity"].astype(float)
        r, w = g["point", "Radius"].astype(float), g["point", "AngularVelocity"].astype(float)
        close(got["Time"], [time])
        check(got["ParticleCount"][0] == len(m))
        close(got["Mass"], [m.sum()])
        close(got["CenterOfMass"], (m[:, None] * g["points"]).sum(axis=0)[None] / m.sum(), "centre")
        close(got["CenterHeight"], [(m * g["points"][:, 2]).sum() / m.sum()])
        close(got["BedHeight"], [numpy.percentile(g["points"][:, 2] + r, 95)], "height")
        close(got["MeanSpeed"], [numpy.linalg.norm(v, axis=1).mean()], "speed")
        close(got["KineticEnergy"], [0.5 * (m * (v ** 2).sum(axis=1)).sum()], "energy")
        close(got["RotationalEnergy"], [0.2 * (m * r ** 2 * (w ** 2).sum(axis=1)).sum()])
        check(numpy.isnan(got["LaceyIndex"][0]) and numpy.isnan(got["NeighborMixing"][0]), "one species")
        check("FlowCount" not in got)
    # Values of the solver itself.
    close(got["KineticEnergy"] + got["RotationalEnergy"], arrays(fetch(s, 3, 0.08))["row", "KineticEnergy"], "solver", 1e-4)


def mixing_of_a_simulation():
    s = simulation(packing(Velocity=[0.2, 0.1, 0]))
    label = simple.Calculator(Input=s, ResultArrayName="Label", Function="if(Id > 60, 3, 1)", ResultArrayType="Int")
    table = simple.DEMStatistics(Input=label, SpeciesArray="Label", LaceyCellSize=0.02, MixingNeighbors=6)
    for time in (0.0, 0.2):
        got, g = row(table, time), grains(label, time)
        x, kind, n = g["points"], g["point", "Label"], len(g["points"])
        cells = {}
        for c, k in zip(map(tuple, numpy.floor(x / 0.02).astype(int)), kind):
            cells.setdefault(c, []).append(k == 3)
        p = (kind == 3).mean()
        variance = sum(len(c) * (numpy.mean(c) - p) ** 2 for c in cells.values()) / n
        s0, sr = p * (1 - p), p * (1 - p) * (len(cells) - 1) / (n - 1)
        close(got["LaceyIndex"], [(s0 - variance) / (s0 - sr)], "Lacey")
        distance = numpy.linalg.norm(x[:, None] - x[None], axis=2)
        numpy.fill_diagonal(distance, 9)
        nearest = numpy.argsort(distance, axis=1, kind="stable")[:, :6]
        unlike = (kind[nearest] != kind[:, None]).mean()
        if time > 0:  # the lattice of the start has equal distances up to rounding
            close(got["NeighborMixing"], [unlike / (2 * p * (1 - p) * n / (n - 1))], "neighbours")
    check(0 <= got["LaceyIndex"][0] < 1.5)


def radial_distribution_of_a_file():
    """A periodic gas of LAMMPS: pairs by numpy, box and borders from the file."""
    reader = simple.DEMDumpReader(FileNames=[os.path.join(CODES, "lammps.lammpstrj")], ConstantRadius=0.004)
    table = simple.DEMStatistics(Input=reader, NumberOfBins=10, LargestDistance=0.03)
    for time in (0.06, 0.0):
        got, x = row(table, time, DISTRIBUTION), grains(reader, time)["points"]
        d = x[:, None] - x[None]
        d = numpy.linalg.norm(d - 0.06 * numpy.round(d / 0.06), axis=2)[numpy.triu_indices(108, 1)]
        pairs = numpy.histogram(d[d < 0.03 * (1 - 1e-12)], bins=10, range=(0, 0.03))[0]
        edges = numpy.linspace(0, 0.03, 11)
        if time > 0:  # in the lattice of the start distances lie on borders of bins
            check(list(got["PairCount"]) == list(pairs), f"{got['PairCount']} {pairs}")
            shell = 4 / 3 * numpy.pi * numpy.diff(edges ** 3)
            close(got["RadialDistribution"], 2 * pairs / 108 / (107 / 0.06 ** 3 * shell), "g")
            close(got["Neighbors"], numpy.cumsum(2 * pairs) / 108)
        close(got["Distance"], 0.5 * (edges[1:] + edges[:-1]))
    table.PeriodicOfData = 0
    inside = row(table, 0.06, DISTRIBUTION)["PairCount"].sum()
    table.Periodic, table.PeriodicBox = [1, 1, 1], [0, 0.06, 0, 0.06, 0, 0.06]
    check(row(table, 0.06, DISTRIBUTION)["PairCount"].sum() > inside)
    table.LargestDistance = 0.031
    with Messages() as messages:
        table.UpdatePipeline(0.06)
    check("is 0.031 m, but the box of the grains allows 0.03 m" in messages.text, messages.text)


def files_of_other_codes():
    reader = simple.DEMDumpReader(FileNames=[os.path.join(CODES, "liggghts.dump")], TimeStep=2e-5)
    table = simple.DEMStatistics(Input=reader)
    got, g = row(table, 0.2), grains(reader, 0.2)
    r = g["point", "Radius"]
    m = 2500 * 4 / 3 * numpy.pi * r ** 3
    close(got["Mass"], [m.sum()])
    close(got["KineticEnergy"], [0.5 * (m * (g["point", "Velocity"] ** 2).sum(axis=1)).sum()])
    check(got["LaceyIndex"][0] > 0.5 and got["NeighborMixing"][0] > 0.7, str(got))
    for name in ("liggghts_10000.vtk", "yade_exporter_spheres.vtk", "mercuryParticle_0.vtu"):
        data = simple.OpenDataFile(os.path.join(CODES, name))
        got = row(simple.DEMStatistics(Input=data, RadialDistribution=0), 0)
        check(got["ParticleCount"][0] == 150 and got["Mass"][0] > 0 and got["BedHeight"][0] > 0.01, f"{name}: {got}")
        if name.startswith("liggghts"):
            close(got["Mass"], [m.sum()], name, 1e-5)  # the masses of the file
        if name.startswith("mercury"):
            close(got["Mass"], [m.sum()], name, 1e-6)
            close(got["BedHeight"], [numpy.percentile(g["points"][:, 2] + r, 95)], name, 1e-6)


def counted(s, times, height):
    """Totals of the grains that fell through a height between outputs, at all times, by numpy."""
    out, total, mass, before = {}, 0, 0.0, None
    for t in times:
        g = grains(s, t)
        now = dict(zip(g["point", "Id"], g["points"][:, 2]))
        m = dict(zip(g["point", "Id"], g["point", "Mass"].astype(float)))
        last = 0.0
        for i, z in now.items():
            if before is not None and i in before:
                step = int(z >= height) - int(before[i] >= height)
                total, mass, last = total + step, mass + step * m[i], last + step * m[i]
        before = now
        out[t] = (total, mass, last)
    return out


def flow_in_any_order():
    """A plane crossed in the fall: every time has the count of a straight run, also after jumps,
    going back and changes of the run."""
    s = simulation()
    times = [k * 0.01 for k in range(21)]
    expected = counted(s, times, 0.03)
    check(expected[0.2][0] < -20, str(expected[0.2]))
    table = simple.DEMStatistics(Input=s, FlowThrough="Plane", Origin=[0, 0, 0.03], Normal=[0, 0, 1], RadialDistribution=0,
                                 MixingIndices=0)

    def compare(order):
        for t in order:
            got = row(table, t)
            check(got["FlowForward"][0] - got["FlowBackward"][0] == got["FlowCount"][0] == expected[round(t, 10)][0],
                  f"at {t}: {got['FlowCount']} and {expected[round(t, 10)]}")
            close(got["FlowMass"], [expected[round(t, 10)][1]], "mass")
            close(got["FlowRate"], [expected[round(t, 10)][2] / 0.01], "rate", 1e-6)

    times = [round(t, 10) for t in times]
    expected = {round(t, 10): v for t, v in expected.items()}
    compare([0.12, 0.03, 0.2, 0.0, 0.12, 0.11, 0.2])
    compare(times[::-1])
    # In another run the old counts are invalid. They are valid again when the run is the old one.
    old = dict(expected)
    s.Gravity = [0, 0, -20]
    expected.update({round(t, 10): v for t, v in counted(s, times, 0.03).items()})
    check(expected[0.1] != old[0.1])
    compare([0.1, 0.2, 0.05])
    s.Gravity = [0, 0, -9.81]
    expected.update(old)
    compare([0.05, 0.2])
    # Count from a later time.
    table.FlowStartTime = 0.1
    for t in (0.2, 0.05, 0.1):
        check(row(table, t)["FlowCount"][0] == (expected[0.2][0] - expected[0.1][0] if t == 0.2 else 0), f"from 0.1 s, at {t}")
    table.FlowStartTime = 0
    compare([0.15])
    table.InvokeCommand("ResetFlow")
    check(row(table, 0.2)["FlowCount"][0] == expected[0.2][0] - expected[0.15][0], "reset at 0.15 s")


def flow_through_a_surface_by_species():
    s = simulation()
    label = simple.Calculator(Input=s, ResultArrayName="Label", Function="if(Id > 60, 3, 1)", ResultArrayType="Int")
    plane = simple.Plane(Origin=[-1, -1, 0.03], Point1=[1, -1, 0.03], Point2=[-1, 1, 0.03], XResolution=7, YResolution=5)
    table = simple.DEMStatistics(Input=label, Surface=plane, FlowThrough="Surface", SpeciesArray="Label", RadialDistribution=0)
    whole = counted(s, [k * 0.01 for k in range(21)], 0.03)
    got = row(table, 0.2, FLOW)
    check(list(got["Species"]) == [1, 3] and got["FlowCount"].sum() == whole[0.2][0], f"{got} {whole[0.2]}")
    close([got["FlowMass"].sum()], [whole[0.2][1]])
    check(row(table, 0.2)["FlowCount"][0] == whole[0.2][0])
    # Half of the surface.
    plane.Point1 = [0, -1, 0.03]
    half = row(table, 0.2)["FlowCount"][0]
    check(whole[0.2][0] < half < 0, f"{half} of {whole[0.2][0]}")
    with Messages() as messages:
        table.Surface = None
        table.UpdatePipeline(0.1)
    check("no Surface is connected" in messages.text, messages.text)


def flow_of_what_leaves():
    """Grains and material points that leave the domain just below a plane are counted, for any
    output interval."""
    for interval in (0.2, 0.05, 0.01):
        s = simulation(packing(Velocity=[0, 0, -1]), OutputInterval=interval, AutomaticDomain=0, Domain=[-0.03, 0.03, -0.03, 0.03, -0.02, 0.2], ExitZ="Remove")
        table = simple.DEMStatistics(Input=s, FlowThrough="Plane", Origin=[0, 0, -0.019], Normal=[0, 0, -1], RadialDistribution=0, MixingIndices=0)
        got, books, start = row(table, 0.2), arrays(fetch(s, 3, 0.2)), arrays(fetch(s, 3, 0))
        lost = books["row", "LostCount"][0]
        check(lost == got["FlowCount"][0] == got["FlowForward"][0] > 90, f"{lost} lost, {got['FlowCount']} counted")
        g = grains(s, 0)
        close(got["FlowMass"], [g["point", "Mass"].astype(float).sum()], "mass", 1e-6)
        left = grains(s, 0.2)
        check(sorted(left["field", "ExitId"]) == list(g["point", "Id"]), "Ids")
        check((left["field", "ExitPosition"][:, 2] < -0.02).all() and (left["field", "ExitPosition"][:, 2] > -0.021).all(), "places")
        before = start["row", "KineticEnergy"][0] + start["row", "PotentialEnergy"][0]
        check(abs(books["row", "EnergyError"][0]) < 1e-3 * before and books["row", "RemovedEnergy"][0] > 0.5 * before, f"energies {books}")
    check(("field", "ExitId") not in grains(simulation(), 0), "nothing can leave")
    body = simple.Box(XLength=0.4, YLength=0.4, ZLength=0.4, Center=[0.5, 0.5, 0.3])
    for interval in (0.25, 0.05):
        s = simple.MPMSimulation(Particles=body, AutomaticDomain=0, Domain=[0, 1, 0, 1, 0, 1], GridSpacing=0.1, BorderZLower="Remove", Device="CPU", EndTime=0.5, OutputInterval=interval)
        table = simple.DEMStatistics(Input=s, FlowThrough="Plane", Origin=[0, 0, 0.001], Normal=[0, 0, -1], RadialDistribution=0, MixingIndices=0)
        at_border = simple.DEMStatistics(Input=s, FlowThrough="Plane", Origin=[0, 0, 0], Normal=[0, 0, 1], RadialDistribution=0, MixingIndices=0)
        lost = arrays(fetch(s, 3, 0.5))["row", "LostCount"][0]
        check(lost == row(table, 0.5)["FlowCount"][0] > 100, f"{lost} points lost, {row(table, 0.5)['FlowCount']} counted")
        check(lost == -row(at_border, 0.5)["FlowCount"][0], f"{row(at_border, 0.5)['FlowCount']} counted at the border itself")


def rows_of_all_times_shown():
    s = simulation(WhenChanged="Steer")
    table = simple.DEMStatistics(Input=s)

    def times():
        return list(numpy.round(row(table, port=OVER_TIME)["Time"], 9))

    shown = {}
    for time in (0.05, 0.2, 0.0, 0.1, 0.1):
        shown[time] = row(table, time)
    over = row(table, port=OVER_TIME)
    check(times() == [0, 0.05, 0.1, 0.2], str(times()))
    for i, time in enumerate(sorted(shown)):
        for name in shown[time]:
            check(numpy.array_equal(over[name][i], shown[time][name][0], equal_nan=True), f"{name} at {time} s")
    s.Gravity = [1, 0, -9.81]  # steered from 0.1 s on
    table.UpdatePipeline(0.1)
    check(times() == [0, 0.05, 0.1], f"after a change at 0.1 s: {times()}")
    table.UpdatePipeline(0.15)
    check(times() == [0, 0.05, 0.1, 0.15], str(times()))
    table.HeightPercentile = 50
    table.UpdatePipeline(0.15)
    # A single row appears twice.
    check(times() == [0.15, 0.15], f"after another setting: {times()}")
    table.UpdatePipeline(0.2)
    s.WhenChanged = "Restart"
    s.Gravity = [0, 0, -1]
    table.UpdatePipeline(0.1)
    check(times() == [0.1, 0.1], f"after a restart: {times()}")
    file = simple.DEMStatistics(Input=packing())
    check(len(row(file, port=OVER_TIME)["Time"]) == 2)


def temporal_plot():
    s = simulation()
    table = simple.DEMStatistics(Input=s, FlowThrough="Plane", Origin=[0, 0, 0.03])
    plot = simple.PlotDataOverTime(Input=table, FieldAssociation="Rows", OnlyReportSelectionStatistics=0)
    plot.UpdatePipeline()
    data = servermanager.Fetch(plot)
    block = data.GetBlock(0)
    names = [block.GetColumnName(i) for i in range(block.GetNumberOfColumns())]
    for name in ("BedHeight", "KineticEnergy", "FlowMass"):
        check(name in names, str(names))
    check(block.GetNumberOfRows() == 21)
    column = [block.GetValueByName(k, "BedHeight").ToDouble() for k in range(21)]
    expected = [row(table, round(k * 0.01, 10))["BedHeight"][0] for k in range(21)]
    close(column, expected, "plot")


def nothing_and_bad_input():
    nothing = simple.Threshold(Input=packing(), Scalars=["POINTS", "Radius"], LowerThreshold=5, UpperThreshold=6)
    table = simple.DEMStatistics(Input=nothing)
    got = row(table, 0)
    check(got["ParticleCount"][0] == 0 and got["Mass"][0] == 0 and "LaceyIndex" in got)
    check(set(row(table, 0, DISTRIBUTION)) == {"Distance", "RadialDistribution", "Neighbors", "PairCount"})
    check(set(row(table, 0, FLOW)) == {"Species", "FlowForward", "FlowBackward", "FlowCount", "FlowMass", "FlowRate"})
    line = simple.Line()
    for particles, properties, word in (
            (line, {}, "no radii"), (packing(), dict(RadiusArray="Nope"), 'no point array "Nope"'),
            (packing(), dict(Up=[0, 0, 0]), "Up is"), (packing(), dict(MixingNeighbors=99), "99 nearest neighbours"),
            (packing(), dict(Density=0), "Density must be > 0"), (packing(), dict(SpeciesArray="Nope"), 'no point array "Nope"'),
            (packing(), dict(Periodic=[1, 0, 0], PeriodicBox=[1, 0, 0, 0, 0, 0]),
             "The periodic box ends in x"),
            (packing(), dict(FlowThrough="Plane", Normal=[0, 0, 0]), "no direction"), (packing(), dict(NumberOfBins=0), "0 bins")):
        with Messages() as messages:
            bad = simple.DEMStatistics(Input=particles, **properties)
            bad.UpdatePipeline(0)
        check(word in messages.text, f"{word!r} is not in: {messages.text[:500]}")
        table = arrays(fetch(bad))
        check(len(table["row", "Mass"]) == 0)


tests = [bed_of_a_simulation, mixing_of_a_simulation, radial_distribution_of_a_file, files_of_other_codes, flow_in_any_order,
         flow_through_a_surface_by_species, flow_of_what_leaves]
# On several ranks ParaView transfers empty tables and plots in another form.
if "parallel" not in sys.argv:
    tests += [rows_of_all_times_shown, temporal_plot, nothing_and_bad_input]
main(*tests)
