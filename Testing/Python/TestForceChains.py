"""Force chains of a running simulation and of LIGGGHTS files, compared with the definition in plain
numpy."""
import os

import numpy
from dem_testing import DATA, Messages, arrays, check, fetch, main, packing, simulation
from paraview import simple

OTHER = os.path.join(DATA, "Reference", "OtherCodes")


def chains_of(source, time=0.0, **properties):
    c = simple.DEMForceChains(Input=source, **properties)
    c.UpdatePipeline(time)
    return c


def unit(v):
    return v / numpy.linalg.norm(v, axis=-1)[..., None]


def defined_chains(x, r, pairs, ends, points, forces, factor, angle):
    """Force chains after Peters et al. 2005, as defined in Kernels/Analysis/ForceChains.h. `pairs`
    are indices; negative ones are walls."""
    n = len(x)
    stress, touches = numpy.zeros((n, 3, 3)), numpy.zeros(n, bool)
    for (i, j), (a, b), p, f in zip(pairs, ends, points, forces):
        stress[i] += numpy.outer(p - a, f)
        touches[i] = True
        if j >= 0:
            stress[j] -= numpy.outer(p - b, f)
            touches[j] = True
    stress = (stress + stress.transpose(0, 2, 1)) / 2 / (4 / 3 * numpy.pi * r ** 3)[:, None, None]
    values, vectors = numpy.linalg.eigh(stress)
    load, direction = numpy.maximum(0, -values[:, 0]), vectors[:, :, 0]
    part = load > factor * load[touches].mean()
    chosen = {}
    for c, ((i, j), (a, b)) in enumerate(zip(pairs, ends)):
        if j < 0 or not (part[i] and part[j]):
            continue
        d = unit(b - a)
        along = [d @ direction[i], -d @ direction[j]]
        if min(abs(along[0]), abs(along[1])) < numpy.cos(numpy.radians(angle)):
            continue
        for grain, cosine in zip((i, j), along):
            score = numpy.floor(abs(cosine) * 2 ** 30 + 0.5)
            if score > chosen.get((grain, cosine > 0), (-1, None))[0]:
                chosen[grain, cosine > 0] = (score, c)
    partner = {i: [] for i in range(n)}
    for c, (i, j) in enumerate(pairs):
        if j >= 0 and all(any(chosen.get((g, side), (0, None))[1] == c for side in (True, False)) for g in (i, j)):
            partner[i].append(j)
            partner[j].append(i)
    found, seen = [], set()
    for i in range(n):
        if len(partner[i]) == 1 and i not in seen:
            chain, last = [i], None
            while chain[-1] != last:
                last = chain[-1]
                seen.add(last)
                chain += [j for j in partner[last] if j not in seen][:1]
            if len(chain) >= 3:
                found.append(chain)
    return found, load


def polylines(data):
    """Ids along each line."""
    ids, lines = arrays(data)["point", "Id"], data.GetLines()
    from vtkmodules.util.numpy_support import vtk_to_numpy
    offsets, places = vtk_to_numpy(lines.GetOffsetsArray()), vtk_to_numpy(lines.GetConnectivityArray())
    return [list(ids[places[a:b]]) for a, b in zip(offsets[:-1], offsets[1:])]


def solver_contacts(s, time):
    grains, contacts = arrays(fetch(s, 0, time)), arrays(fetch(s, 1, time))
    names = grains["point", "Id"]
    pairs = numpy.where(contacts["cell", "ParticleIds"] >= 0, numpy.searchsorted(names, contacts["cell", "ParticleIds"]), -1)
    ends = contacts["points"].reshape(-1, 2, 3)
    r = grains["point", "Radius"].astype(float)
    points = ends[:, 0] + unit(ends[:, 1] - ends[:, 0]) * (r[pairs[:, 0]] - contacts["cell", "Overlap"] / 2)[:, None]
    forces = contacts["cell", "NormalForce"].astype(float) + contacts["cell", "TangentialForce"]
    return grains, contacts, names, (grains["points"], r, pairs, ends, points, forces)


def bed(**properties):
    """About five hundred grains of many sizes that fall into a narrow box and settle."""
    grains = packing(LowerCorner=[-0.02, -0.02, 0], Size=[0.04, 0.04, 0.16], Spacing=0.008, RadiusDistribution="Uniform",
                     MinimumRadius=0.0025, MaximumRadius=0.0038, Velocity=[0.1, 0.05, -0.5])
    values = dict(AutomaticDomain=0, Domain=[-0.02, 0.02, -0.02, 0.02, 0, 0.17], EndTime=0.4, OutputInterval=0.02)
    values.update(properties)
    return simulation(grains, **values)


def live_at_several_times():
    s = bed()
    c = chains_of(s, StressFactor=0.9, LargestAngle=40)
    sizes = set()
    for t in (0.4, 0.1, 0.16, 0.4):
        c.UpdatePipeline(t)
        lines, particles = fetch(c, 0), arrays(fetch(c, 1))
        grains, contacts, names, given = solver_contacts(s, t)
        expected, load = defined_chains(*given, 0.9, 40)
        check(len(expected) > 5, f"{len(expected)} chains at {t} are too few for a test")
        got = polylines(lines)
        rings = [line for line in got if line[0] == line[-1]]
        check([line for line in got if line[0] != line[-1]] == [[names[i] for i in chain] for chain in expected], f"chains at {t}")
        check(numpy.allclose(particles["point", "Load"], load, rtol=1e-5, atol=1e-5 * load.max()))
        check(numpy.array_equal(particles["point", "Id"], names) and numpy.array_equal(particles["points"], grains["points"]))
        # The stress that the solver computes has the same smallest eigenvalue.
        xx, yy, zz, xy, yz, xz = grains["point", "Stress"].astype(float).T
        matrices = numpy.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
        own = numpy.maximum(0, -numpy.linalg.eigvalsh(matrices)[:, 0])
        check(numpy.allclose(particles["point", "Load"], own, rtol=1e-4, atol=1e-4 * own.max()))
        member = -numpy.ones(len(names), int)
        force = numpy.linalg.norm(contacts["cell", "NormalForce"].astype(float), axis=1)
        number = {frozenset(pair): k for k, pair in enumerate(given[2]) if pair[1] >= 0}
        cells = arrays(lines)
        for k, chain in enumerate(expected):
            member[chain] = k
            links = [force[number[frozenset(pair)]] for pair in zip(chain[:-1], chain[1:])]
            check(abs(cells["cell", "MeanForce"][k] - numpy.mean(links)) < 1e-5 * numpy.mean(links))
            length = numpy.linalg.norm(numpy.diff(grains["points"][chain], axis=0), axis=1).sum()
            check(abs(cells["cell", "Length"][k] - length) < 1e-9)
            check(cells["cell", "GrainCount"][k] == len(chain) and cells["cell", "ChainId"][k] == k)
        if not rings:
            check(numpy.array_equal(particles["point", "ForceChain"], member))
        check(numpy.array_equal(particles["point", "InForceChain"], particles["point", "ForceChain"] >= 0))
        sizes.add(len(got))
    check(len(sizes) > 1, "the slider changes nothing")


def a_network_in_between_changes_nothing():
    s = bed()
    direct = chains_of(s, 0.4)
    behind = chains_of(s, 0.4, ListOfContacts=simple.DEMContactNetwork(Input=s))
    a, b = arrays(fetch(direct, 0)), arrays(fetch(behind, 0))
    check(len(a["cell", "ChainId"]) > 3)
    check(all(numpy.array_equal(a[key], b[key]) for key in a if key[0] in ("cell", "point", "points")))


def strong_network():
    s = bed()
    c = chains_of(s, 0.4, Method="Strong Network", ForceFactor=1.5)
    got = arrays(fetch(c, 0))
    contacts = arrays(fetch(s, 1, 0.4))
    force = numpy.linalg.norm(contacts["cell", "NormalForce"].astype(float), axis=1)
    strong = force > 1.5 * force.mean()
    check(5 < strong.sum() < len(force))
    check(numpy.allclose(got["cell", "MeanForce"], force[strong], rtol=1e-6))
    check(numpy.array_equal(got["point", "Id"], contacts["cell", "ParticleIds"][strong].ravel()))
    ids = contacts["cell", "ParticleIds"][strong]
    check(set(arrays(fetch(c, 1))["point", "Id"][arrays(fetch(c, 1))["point", "InForceChain"] > 0]) == set(ids[ids >= 0]))


def events_between_two_times():
    s = bed(OutputInterval=0.005)
    c = chains_of(s, 0.095)
    check(fetch(c, 2).GetNumberOfRows() == 0, "events before a second time was asked for")
    earlier = polylines(fetch(c, 0))
    c.UpdatePipeline(0.1)
    later = polylines(fetch(c, 0))
    table = arrays(fetch(c, 2))
    def links(chains):
        return {frozenset(pair) for chain in chains for pair in zip(chain[:-1], chain[1:])}
    born = [k for k, chain in enumerate(later) if not links([chain]) & links(earlier)]
    died = [k for k, chain in enumerate(earlier) if not links([chain]) & links(later)]
    check(born and died and len(died) < len(earlier), "nothing to compare")
    kind = table["row", "Event"]
    check(list(table["row", "ChainId"][kind == "Birth"]) == born and list(table["row", "ChainId"][kind == "Death"]) == died)
    place = {t: dict(zip(arrays(fetch(s, 0, t))["point", "Id"], arrays(fetch(s, 0, t))["points"])) for t in (0.095, 0.1)}
    def bend(three, t):
        a, b, e = (place[t][i] for i in three)
        return numpy.degrees(numpy.arccos(numpy.clip(unit(b - a) @ unit(e - b), -1, 1)))
    bent = {(k, chain[m + 1]): bend(chain[m:m + 3], 0.1) - bend(chain[m:m + 3], 0.095)
            for k, chain in enumerate(earlier) for m in range(len(chain) - 2)
            if all(numpy.linalg.norm(place[0.1][i] - place[0.1][j]) < 2 * numpy.linalg.norm(place[0.095][i] - place[0.095][j])
                   for i, j in zip(chain[m:m + 2], chain[m + 1:m + 3]))}
    expected = {key: angle for key, angle in bent.items() if angle > 1}
    buckled = kind == "Buckling"
    got = dict(zip(zip(table["row", "ChainId"][buckled], table["row", "GrainId"][buckled]), table["row", "BucklingAngle"][buckled]))
    check(expected, "nothing buckles")
    check(set(got) == set(expected) and all(abs(got[key] - expected[key]) < 1e-6 for key in got))
    check(abs(table["row", "FromTime"] - 0.095).max() < 1e-12 and abs(table["row", "ToTime"] - 0.1).max() < 1e-12)
    c.UpdatePipeline(0.095)  # going back gives the same events, forward in time
    again = arrays(fetch(c, 2))
    check(all(numpy.array_equal(table[key], again[key]) for key in table if key[0] == "row"))


def events_are_of_one_run():
    """A change upstream starts another run. Its chains are not compared with those of the old run.
    """
    s = bed(OutputInterval=0.005)
    c = chains_of(s, 0.095)
    c.UpdatePipeline(0.1)
    check(fetch(c, 2).GetNumberOfRows() > 0)
    s.Friction = 0.05
    c.UpdatePipeline(0.1)
    check(fetch(c, 2).GetNumberOfRows() == 0, "events between two runs")
    c.UpdatePipeline(0.095)
    check(fetch(c, 2).GetNumberOfRows() > 0, "events of the new run")


def liggghts_files():
    reader = simple.LegacyVTKReader(FileNames=[os.path.join(OTHER, "liggghts_bed.vtk")])
    listed = simple.LegacyVTKReader(FileNames=[os.path.join(OTHER, "liggghts_contacts.vtk")])
    grains, theirs = arrays(fetch(reader, 0, 0.0)), arrays(fetch(listed, 0, 0.0))
    names = grains["point", "id"]
    order = numpy.argsort(names)
    pairs = order[numpy.searchsorted(names[order], numpy.stack([theirs["cell", "id1"], theirs["cell", "id2"]], 1).astype(int))]
    ends = theirs["points"].reshape(-1, 2, 3).astype(float)
    r = grains["point", "radius"].astype(float)
    points = ends[:, 0] + unit(ends[:, 1] - ends[:, 0]) * (r[pairs[:, 0]] - theirs["cell", "delta"] / 2)[:, None]
    forces = theirs["cell", "force_normal"] + theirs["cell", "force_tangential"]
    expected, load = defined_chains(grains["points"].astype(float), r, pairs, ends, points, forces, 1, 45)
    check(len(expected) > 3)
    c = chains_of(reader, 0.0, ListOfContacts=listed)
    check(polylines(fetch(c, 0)) == [[names[i] for i in chain] for chain in expected])
    # Without contacts of the file, forces are estimated from overlaps.
    estimated = simple.DEMContactNetwork(Input=reader, ForceLaw="Hertz")
    check(len(polylines(fetch(chains_of(reader, 0.0, ListOfContacts=estimated), 0))) > 3)


def tube_takes_them():
    c = chains_of(bed(), 0.4)
    tube = simple.Tube(Input=c, Radius=0.0005)
    tube.UpdatePipeline(0.4)
    check(tube.GetDataInformation().GetNumberOfCells() >= arrays(fetch(c, 0))["cell", "ChainId"].size)


def bad_and_empty_input():
    def expect(source, *words, **properties):
        with Messages() as messages:
            c = chains_of(source, 0.4, **properties)
        for word in words:
            check(word in messages.text, f"expected {word!r} in: {messages.text[:1500] or '(no message)'}")
        check(len(arrays(fetch(c, 0))["points"]) == 0 and fetch(c, 2).GetNumberOfRows() == 0)
    s = bed()
    s.UpdatePipeline(0.4)
    expect(packing(), "contacts with their forces", "DEM Contact Network")
    expect(s, "carry no forces", "Force Law", ListOfContacts=simple.DEMContactNetwork(Input=s, ContactSource="Radii"))
    expect(s, "120", "degrees", LargestAngle=120)
    expect(s, "stress factor is -1", StressFactor=-1)
    none = simple.Threshold(Input=packing(), Scalars=["POINTS", "Radius"], LowerThreshold=5, UpperThreshold=6)
    full, empty = chains_of(s, 0.4), chains_of(none, 0.0)
    for port in (0, 2):
        own = {key for key in arrays(fetch(full, port)) if key[0] in ("point", "cell", "row")}
        check({key for key in arrays(fetch(empty, port)) if key[0] in ("point", "cell", "row")} == own, str(own))
    check(("point", "ForceChain") in arrays(fetch(empty, 1)) and ("point", "Load") in arrays(fetch(empty, 1)))


main(live_at_several_times, a_network_in_between_changes_nothing, strong_network, events_between_two_times, events_are_of_one_run, liggghts_files,
     tube_takes_them, bad_and_empty_input)
