"""Contact networks of running simulations at any time, and of files of other codes, compared with
plain numpy."""
import os

import numpy
from dem_testing import DATA, arrays, check, expect, fetch, main, packing, simulation
from paraview import simple

OTHER = os.path.join(DATA, "Reference", "OtherCodes")


def network(source, time=0.0, **properties):
    n = simple.DEMContactNetwork(Input=source, **properties)
    n.UpdatePipeline(time)
    return n


def row(proxy, time=None):
    return {name: values[0] for (kind, name), values in arrays(fetch(proxy, 1, time)).items() if kind == "row"}


def overlapping_pairs(x, r):
    """Index pairs i < j, by a loop over all grains."""
    pairs = []
    for i in range(len(x)):
        distance = numpy.linalg.norm(x[i + 1:] - x[i], axis=1)
        pairs += [(i, i + 1 + j) for j in numpy.flatnonzero(distance < r[i] + r[i + 1:])]
    return pairs


def check_scalars(found, grains, ids, ends, normal_force, sliding, walls):
    """Compares the row of Scalars with numpy on the solver's own contacts."""
    z = numpy.zeros(grains, int)
    for pair in ids:
        for end in pair[pair >= 0]:
            z[end] += 1
    n = ends[:, 1] - ends[:, 0]
    n /= numpy.linalg.norm(n, axis=1)[:, None]
    pairs = n[ids[:, 1] >= 0]
    fabric = pairs.T @ pairs / len(pairs)
    f = numpy.linalg.norm(normal_force.astype(float), axis=1)
    deviator = fabric - numpy.eye(3) / 3
    expected = dict(GrainCount=grains, ContactCount=len(ids), WallContactCount=walls, RattlerCount=(z < 2).sum(),
                    CoordinationNumber=z.mean(), MechanicalCoordinationNumber=z[z >= 2].mean(), FabricXX=fabric[0, 0],
                    FabricYY=fabric[1, 1], FabricZZ=fabric[2, 2], FabricXY=fabric[0, 1], FabricYZ=fabric[1, 2],
                    FabricXZ=fabric[0, 2], LargestFabric=numpy.linalg.eigvalsh(fabric)[2],
                    Anisotropy=numpy.sqrt(1.5 * (deviator * deviator).sum()), SlidingFraction=sliding.mean(),
                    MeanNormalForce=f.mean(), LargestNormalForce=f.max())
    for name, value in expected.items():
        check(abs(found[name] - value) < 1e-9 + 1e-6 * abs(value), f"{name}: {found[name]}, expected {value}")


def live_at_several_times():
    s = simulation(packing(Velocity=[0.3, 0.1, 0]), EndTime=0.3, ContactStatistics=1)
    n = network(s)
    seen = {}
    for t in (0.3, 0.15, 0.2, 0.3, 0.12):
        got, solver = arrays(fetch(n, 0, t)), arrays(fetch(s, 1, t))
        particles = arrays(fetch(s, 0, t))
        count = len(solver["cell", "Overlap"])
        check(count > 15, "too few contacts for a test")
        for name in ("ParticleIds", "NormalForce", "TangentialForce", "Overlap", "Sliding", "Age", "SlipDistance", "DissipatedEnergy"):
            check(numpy.array_equal(got["cell", name], solver["cell", name]), f"{name} at {t}")
        check(numpy.array_equal(got["points"], solver["points"]))
        check(numpy.array_equal(got["point", "Id"], solver["cell", "ParticleIds"].ravel()))
        ids, ends = got["cell", "ParticleIds"], got["points"].reshape(-1, 2, 3)
        check(numpy.array_equal(got["cell", "WallContact"], ids[:, 1] < 0))
        for name in ("NormalForce", "TangentialForce"):
            size = numpy.linalg.norm(got["cell", name].astype(float), axis=1)
            check(numpy.allclose(got["cell", name + "Magnitude"], size, rtol=1e-6), name)
        check(numpy.array_equal(got["point", "NormalForceMagnitude"], numpy.repeat(got["cell", "NormalForceMagnitude"], 2)))
        # The contact point halves the overlap on the line of centres.
        d = ends[:, 1] - ends[:, 0]
        n_hat = d / numpy.linalg.norm(d, axis=1)[:, None]
        r = particles["point", "Radius"][ids[:, 0]]
        check(numpy.allclose(got["cell", "Normal"], n_hat, atol=1e-6))
        check(numpy.allclose(got["cell", "ContactPoint"], ends[:, 0] + n_hat * (r - got["cell", "Overlap"] / 2)[:, None], atol=1e-9))
        found = row(n, t)
        check(abs(found["Time"] - t) < 1e-12)
        check_scalars(found, len(particles["points"]), ids, ends, got["cell", "NormalForce"], got["cell", "Sliding"], (ids[:, 1] < 0).sum())
        if t in seen:
            wrong = [name for name in got if not numpy.array_equal(got[name], seen[t][name]) and name[1] != "StepsPerSecond"]
            check(not wrong, f"not the same data again at {t}: {wrong}")
        seen[t] = got
    check(len(seen[0.15]["points"]) != len(seen[0.3]["points"]), "the slider changes nothing")


def without_walls_and_with_given_contacts():
    s = simulation(EndTime=0.3)
    s.UpdatePipeline(0.3)
    plain = arrays(fetch(network(s, 0.3), 0))
    given = arrays(fetch(network(s, 0.3, ListOfContacts=simple.OutputPort(s, 1)), 0))
    check(all(numpy.array_equal(plain[k], given[k]) for k in plain), "port Contacts given or found differ")
    again = arrays(fetch(network(s, 0.3, ListOfContacts=network(s, 0.3)), 0))
    check(all(numpy.array_equal(plain[k], again[k]) for k in plain), "a network of a network differs")
    pairs = plain["cell", "ParticleIds"][:, 1] >= 0
    check(0 < pairs.sum() < len(pairs))
    bare = arrays(fetch(network(s, 0.3, ShowWallContacts=0), 0))
    check(numpy.array_equal(bare["cell", "NormalForce"], plain["cell", "NormalForce"][pairs]))
    check(numpy.array_equal(bare["points"], plain["points"].reshape(-1, 6)[pairs].reshape(-1, 3)))


def radii_find_what_the_solver_found():
    s = simulation(EndTime=0.3)
    solver = arrays(fetch(network(s, 0.3, ShowWallContacts=0), 0))
    found = arrays(fetch(network(s, 0.3, ContactSource="Radii"), 0))
    check(numpy.array_equal(found["cell", "ParticleIds"], solver["cell", "ParticleIds"]))
    # Radius is single precision.
    check(numpy.allclose(found["cell", "Overlap"], solver["cell", "Overlap"], atol=2e-9))
    check(("cell", "NormalForce") not in found, "forces from nowhere")
    estimated = arrays(fetch(network(s, 0.3, ContactSource="Radii", ForceLaw="Hertz", YoungsModulus=2e6, PoissonsRatio=0.2), 0))
    d = found["cell", "Overlap"].astype(float)
    expected = 4 / 3 * 2e6 / (2 * (1 - 0.04)) * numpy.sqrt(0.0025) * d ** 1.5
    check(numpy.allclose(estimated["cell", "NormalForceMagnitude"], expected, rtol=1e-4))


def tube_takes_it():
    n = network(simulation(EndTime=0.3), 0.3)
    tube = simple.Tube(Input=n, Radius=0.0004, VaryRadius="By Scalar", RadiusFactor=5)
    check(tube.Scalars[1] == "NormalForceMagnitude", str(list(tube.Scalars)))
    tube.UpdatePipeline(0.3)
    data = tube.GetDataInformation()
    check(data.GetNumberOfCells() >= arrays(fetch(n, 0))["cell", "Overlap"].size, "Tube dropped lines")
    check(tube.CellData.GetArray("NormalForce") is not None)


def selections_reach_both_by_id():
    s = simulation(EndTime=0.3)
    n = network(s, 0.3)
    def chosen(source):
        picked = simple.Threshold(Input=source, Scalars=["POINTS", "Id"], LowerThreshold=7, UpperThreshold=7, AllScalars=0)
        picked.UpdatePipeline(0.3)
        return arrays(fetch(picked))
    particle, lines = chosen(s), chosen(n)
    check(len(particle["points"]) == 1)
    touching = (arrays(fetch(n, 0))["cell", "ParticleIds"] == 7).any(axis=1).sum()
    check(touching > 0 and len(lines["cell", "Overlap"]) == touching, f"{len(lines['cell', 'Overlap'])} lines, expected {touching}")


def distribution_counts_every_contact():
    n = network(simulation(EndTime=0.3), 0.3, NumberOfBins=12)
    f = arrays(fetch(n, 0))["cell", "NormalForceMagnitude"].astype(float)
    table = {name: values for (kind, name), values in arrays(fetch(n, 2)).items() if kind == "row"}
    counted, edges = numpy.histogram(f / f.mean(), 12, (0, f.max() / f.mean()))
    # The ends of bins are rounded differently.
    check(numpy.abs(table["Count"] - counted).sum() <= 2 and table["Count"].sum() == len(f))
    check(numpy.allclose(table["Force"], (edges[1:] + edges[:-1]) / 2, rtol=1e-6))
    check(numpy.allclose((table["Probability"] * (edges[1] - edges[0])).sum(), 1, rtol=1e-6))
    check(numpy.allclose(table["QModel"], 13.5 * table["Force"] ** 2 * numpy.exp(-3 * table["Force"])))


def scalars_over_time():
    """ParaView's Plot Data Over Time accepts the single row."""
    s = simulation(EndTime=0.3, OutputInterval=0.05)
    n = network(s)
    plot = simple.PlotDataOverTime(Input=simple.OutputPort(n, 1), FieldAssociation="Rows", OnlyReportSelectionStatistics=0)
    plot.UpdatePipeline()
    table = arrays(fetch(plot).GetBlock(0) if fetch(plot).IsA("vtkMultiBlockDataSet") else fetch(plot))
    column = next(values for (kind, name), values in table.items() if name.startswith("CoordinationNumber"))
    expected = [row(n, 0.05 * k)["CoordinationNumber"] for k in range(7)]
    check(numpy.allclose(column.ravel(), expected) and max(expected) > 1, f"{column.ravel()} {expected}")


def liggghts_files():
    bed = simple.LegacyVTKReader(FileNames=[os.path.join(OTHER, "liggghts_bed.vtk")])
    listed = simple.LegacyVTKReader(FileNames=[os.path.join(OTHER, "liggghts_contacts.vtk")])
    grains, theirs = arrays(fetch(bed, 0, 0.0)), arrays(fetch(listed, 0, 0.0))
    ids = numpy.stack([theirs["cell", "id1"], theirs["cell", "id2"]], 1).astype(int)
    found = arrays(fetch(network(bed, 0.0, ForceLaw="Hertz"), 0))
    ours = {tuple(sorted(pair)): i for i, pair in enumerate(found["cell", "ParticleIds"])}
    check(set(ours) == {tuple(sorted(pair)) for pair in ids}, "not the contacts that LIGGGHTS lists")
    check(len(ours) == len(ids) == 397)
    order = [ours[tuple(sorted(pair))] for pair in ids]
    # The file has six digits.
    check(numpy.allclose(found["cell", "Overlap"][order], theirs["cell", "delta"], atol=2e-7))
    # At rest the total force equals the elastic force, apart from damping.
    size = numpy.linalg.norm(theirs["cell", "force_normal"], axis=1)
    check(abs(found["cell", "NormalForceMagnitude"][order] / size - 1)[size > size.mean()].max() < 0.05)

    n = network(bed, 0.0, ListOfContacts=listed)
    got = arrays(fetch(n, 0))
    check(numpy.array_equal(got["cell", "ParticleIds"], ids))
    check(numpy.allclose(got["cell", "NormalForce"], theirs["cell", "force_normal"], rtol=1e-6))
    check(numpy.allclose(got["cell", "TangentialForceMagnitude"], numpy.linalg.norm(theirs["cell", "force_tangential"], axis=1), rtol=1e-5))
    # Forces of the file are repulsive along the line from the second centre to the first, as here.
    n_hat = got["cell", "Normal"]
    check((numpy.einsum("ij,ij->i", got["cell", "NormalForce"], n_hat) < 0).mean() > 0.95)
    scalars = row(n)
    check(abs(scalars["CoordinationNumber"] - 2 * 397 / len(grains["points"])) < 1e-12)


def yade_file():
    bed = simple.XMLUnstructuredGridReader(FileName=[os.path.join(OTHER, "yade_recorder.vtu")])
    grains = arrays(fetch(bed, 0, 0.0))
    found = arrays(fetch(network(bed, 0.0), 0))
    names = grains["point", "id"].astype(int)
    expected = [(names[i], names[j]) for i, j in overlapping_pairs(grains["points"].astype(float), grains["point", "radii"])]
    check(len(expected) > 100)
    check([tuple(pair) for pair in found["cell", "ParticleIds"]] == expected)


def mercury_file():
    """The layout of MercuryDPM: no Ids, no vertices, single precision. The grains are those of a
    LIGGGHTS dump whose contacts LIGGGHTS listed."""
    bed = simple.XMLUnstructuredGridReader(FileName=[os.path.join(OTHER, "mercuryParticle_0.vtu")])
    grains = arrays(fetch(bed, 0, 0.0))
    check(set(name for kind, name in (k for k in grains if isinstance(k, tuple)) if kind == "point") == {"Velocity", "Radius", "speciesType"})
    n = network(bed, 0.0, ForceLaw="Hertz", Periodic=[1, 0, 0], PeriodicBox=[0, 0.04, 0, 1, 0, 1])
    found = arrays(fetch(n, 0))
    lines = open(os.path.join(OTHER, "liggghts_contacts.dump")).read().split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("ITEM: ENTRIES"))
    listed = numpy.array([[float(v) for v in line.split()] for line in lines[start + 1:] if line.strip()])
    rows = [line.split() for line in open(os.path.join(OTHER, "liggghts.dump"))]
    last = max(i for i, line in enumerate(rows) if line[:2] == ["ITEM:", "ATOMS"])
    names = [int(line[rows[last][2:].index("id")]) for line in rows[last + 1:] if line]
    expected = {tuple(sorted(pair)): overlap for pair, overlap in zip(listed[:, 6:8].astype(int).tolist(), listed[:, 18])}
    got = {tuple(sorted((names[i], names[j]))): overlap for (i, j), overlap in zip(found["cell", "ParticleIds"].tolist(), found["cell", "Overlap"])}
    # The file has six digits.
    clear = {pair for pair, overlap in expected.items() if overlap > 5e-7}
    check(clear <= set(got) and all(overlap < 5e-7 for pair, overlap in got.items() if pair not in expected), "not the contacts that LIGGGHTS lists")
    check(all(abs(got[pair] - expected[pair]) < 5e-7 for pair in clear) and len(clear) > 200)
    for name, port, where, array in (("DEMCellAverage", 0, "cell", "Velocity"), ("DEMCoarseGraining", 0, "point", "Velocity"),
                                     ("DEMStatistics", 0, "row", "MeanSpeed")):
        values = arrays(fetch(getattr(simple, name)(Input=bed), port, 0.0))[where, array]
        check(numpy.isfinite(values).all() and numpy.abs(values).max() > 0, name)
    speed = arrays(fetch(simple.DEMStatistics(Input=bed), 0, 0.0))["row", "MeanSpeed"][0]
    check(abs(speed / numpy.linalg.norm(grains["point", "Velocity"], axis=1).mean() - 1) < 1e-6)
    chains = simple.DEMForceChains(Input=bed, ListOfContacts=n)
    check(arrays(fetch(chains, 0, 0.0))["cell", "ChainId"].size > 0, "no chains")


def arrays_of_any_name():
    bed = simple.LegacyVTKReader(FileNames=[os.path.join(OTHER, "liggghts_bed.vtk")])
    expected = arrays(fetch(network(bed), 0))["points"]
    wide = simple.Calculator(Input=bed, ResultArrayName="diameter", Function="2*radius")
    only = simple.PassArrays(Input=wide, PointDataArrays=["diameter", "id"])
    check(numpy.allclose(arrays(fetch(network(only), 0))["points"], expected))
    other = simple.Calculator(Input=only, ResultArrayName="Size of grain", Function="0.5*diameter")
    check(numpy.allclose(arrays(fetch(network(other, RadiusArray="Size of grain"), 0))["points"], expected))
    expect(lambda: network(other, RadiusArray="none such"), "none such", "Size of grain")
    bare = simple.PassArrays(Input=bed, PointDataArrays=["id"])
    expect(lambda: network(bare), "no radii", "id", "Calculator")


def wrong_contacts_are_refused():
    s = simulation(EndTime=0.3)
    early = simple.ForceTime(Input=simple.OutputPort(s, 1), ForcedTime=0.2)
    s.UpdatePipeline(0.3)
    expect(lambda: network(s, 0.3, ListOfContacts=early), "another time", "0.2", "0.3")
    some = simple.Threshold(Input=s, Scalars=["POINTS", "Id"], LowerThreshold=0, UpperThreshold=50)
    expect(lambda: network(some, 0.3, ListOfContacts=simple.OutputPort(s, 1)), "do not match", "Id")
    none = simple.Threshold(Input=s, Scalars=["POINTS", "Id"], LowerThreshold=-5, UpperThreshold=-4)
    expect(lambda: network(none, 0.3, ListOfContacts=simple.OutputPort(s, 1)), "no grains")
    script = "output.CellData.append(inputs[0].CellData['NormalForce'] * float('nan'), 'NormalForce')"
    spoilt = simple.ProgrammableFilter(Input=simple.OutputPort(s, 1), Script=script, CopyArrays=1)
    expect(lambda: network(s, 0.3, ListOfContacts=spoilt), "NormalForce of contact 0", "nan")
    foreign = simple.PassArrays(Input=simple.OutputPort(s, 1), CellDataArrays=["Overlap"])
    expect(lambda: network(s, 0.3, ListOfContacts=foreign), "ParticleIds", "Overlap")
    script = """
import vtk
output.ShallowCopy(inputs[0].VTKObject)
vertices = vtk.vtkCellArray()
for i in range(inputs[0].GetNumberOfCells()):
    vertices.InsertNextCell(1, [i])
output.SetVerts(vertices)
output.SetLines(None)
"""
    points = simple.ProgrammableFilter(Input=simple.OutputPort(s, 1), Script=script)
    for walls in (0, 1):
        expect(lambda: network(s, 0.3, ListOfContacts=points, ShowWallContacts=walls), "of which 0 are lines")
    expect(lambda: network(s, 0.3, ContactSource="Radii", Tolerance=-1), "tolerance is -1")
    expect(lambda: network(s, 0.3, ContactSource="Radii", Periodic=[1, 0, 0], PeriodicBox=[0, 0.01, 0, 1, 0, 1]), "0.010000 m long in x")


def periods_of_a_simulation():
    """Contacts found from radii across a periodic border equal those of the solver. The data state
    the period."""
    grains = packing(LowerCorner=[0, 0, 0], Spacing=0.0105, Velocity=[1, 0.5, 0])
    s = simulation(grains, EndTime=0.3, AutomaticDomain=0, Domain=[0, 0.06, 0, 0.06, 0, 0.2], ExitX="Periodic", ExitY="Periodic")
    ids = arrays(fetch(s, 1, 0.3))["cell", "ParticleIds"]
    places = arrays(fetch(s, 0))
    place = dict(zip(places["point", "Id"], places["points"]))
    expected = {tuple(sorted(pair)) for pair in ids.tolist() if pair[1] >= 0}
    over = [pair for pair in expected if abs(place[pair[0]] - place[pair[1]])[:2].max() > 0.03]
    check(len(over) > 5, f"{len(over)} contacts over borders")
    data = arrays(fetch(s, 0))
    check(list(data["field", "Box"].ravel()) == [0, 0.06, 0, 0.06, 0, 0.2] and list(data["field", "Periodic"].ravel()) == [1, 1, 0])
    found = arrays(fetch(network(s, 0.3, ContactSource="Radii"), 0))["cell", "ParticleIds"]
    check({tuple(sorted(pair)) for pair in found.tolist()} == expected)
    found = arrays(fetch(network(s, 0.3, ContactSource="Radii", PeriodicOfData=0), 0))["cell", "ParticleIds"]
    check({tuple(sorted(pair)) for pair in found.tolist()} == expected - set(over))


def nothing_gives_nothing():
    s = simulation(EndTime=0.3)
    full, empty = network(s, 0.3), None
    none = simple.Threshold(Input=packing(), Scalars=["POINTS", "Radius"], LowerThreshold=5, UpperThreshold=6)
    empty = network(none, 0.0, ForceLaw="Hertz")
    got = arrays(fetch(empty, 0))
    check(len(got["points"]) == 0)
    for name in ("ParticleIds", "NormalForce", "TangentialForce", "NormalForceMagnitude", "TangentialForceMagnitude", "Overlap",
                 "ContactPoint", "Normal", "WallContact"):
        check(("cell", name) in got and len(got["cell", name]) == 0, name)
    for port in (1, 2):
        expected = {key for key in arrays(fetch(full, port)) if key[0] == "row"} - {("row", "SlidingFraction")}
        check({key for key in arrays(fetch(empty, port)) if key[0] == "row"} == expected, f"columns of port {port}")
        check(fetch(empty, port).GetNumberOfRows() == 0)
    start = network(simulation(EndTime=0.3), 0.0)  # no contacts yet
    got = arrays(fetch(start, 0))
    check(("cell", "TangentialForceMagnitude") in got and ("cell", "Sliding") in got and len(got["points"]) == 0)
    check(row(start)["CoordinationNumber"] == 0)


main(live_at_several_times, without_walls_and_with_given_contacts, radii_find_what_the_solver_found, tube_takes_it,
     selections_reach_both_by_id, distribution_counts_every_contact, scalars_over_time, liggghts_files, yade_file, mercury_file, arrays_of_any_name,
     wrong_contacts_are_refused, periods_of_a_simulation, nothing_gives_nothing)
