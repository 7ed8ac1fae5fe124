"""Dumps of LIGGGHTS and LAMMPS: every frame is compared with the lines of its file at every time.
Also series, wildcards, and files that are errors."""
import glob
import math
import os

import numpy
from dem_testing import DATA, WORK, Messages, arrays, check, fetch, main
from paraview import servermanager, simple

CODES = os.path.join(DATA, "Reference", "OtherCodes")
LIGGGHTS = os.path.join(CODES, "liggghts.dump")


def frames(path):
    """Frames of a file, parsed by splitting lines: {step: {column: values sorted by id}}."""
    out, lines, i = {}, open(path).read().split("\n"), 0
    while i < len(lines):
        if lines[i] == "ITEM: TIMESTEP":
            step = int(lines[i + 1])
        if lines[i] == "ITEM: NUMBER OF ATOMS":
            count = int(lines[i + 1])
        if lines[i].startswith("ITEM: ATOMS"):
            rows = numpy.array([[float(v) for v in line.split()] for line in lines[i + 1:i + 1 + count]])
            names = lines[i].split()[2:]
            rows = rows[numpy.argsort(rows[:, names.index("id")])]
            out[step] = {name: rows[:, k] for k, name in enumerate(names)}
            i += count
        i += 1
    return out


def xyz(frame, *names):
    return numpy.stack([frame[n] for n in names], axis=1)


def liggghts_at_every_time():
    expected = frames(LIGGGHTS)
    reader = simple.DEMDumpReader(FileNames=[LIGGGHTS], TimeStep=2e-5)
    reader.UpdatePipelineInformation()
    check(numpy.allclose(reader.TimestepValues, [0.05, 0.1, 0.15, 0.2], rtol=1e-12), str(list(reader.TimestepValues)))
    for time, step in ((0.2, 10000), (0.05, 2500), (0.15, 7500), (0.12, 5000), (-1, 2500), (9, 10000), (0.1, 5000)):
        data = fetch(reader, 0, time)
        got, frame = arrays(data), expected[step]
        check(got["field", "Step"][0] == step, f"at {time}: step {got['field', 'Step'][0]}")
        check(abs(data.GetInformation().Get(data.DATA_TIME_STEP()) - step * 2e-5) < 1e-12)
        check(numpy.array_equal(got["points"], xyz(frame, "x", "y", "z")))
        for name, columns in (("Velocity", ("vx", "vy", "vz")), ("Force", ("fx", "fy", "fz")),
                              ("AngularVelocity", ("omegax", "omegay", "omegaz"))):
            check(numpy.array_equal(got["point", name], xyz(frame, *columns)), name)
        check(numpy.array_equal(got["point", "Id"], numpy.arange(1, 151)))
        check(numpy.array_equal(got["point", "Radius"], frame["radius"]))
        check(numpy.array_equal(got["point", "Material"] + 1, frame["type"]) and got["point", "Material"].dtype == "int32")
        check(numpy.array_equal(got["point", "type"], frame["type"]))
        check(list(got["field", "Box"].ravel()) == [0, 0.04, 0, 0.04, 0, 0.08] and list(got["field", "Periodic"].ravel()) == [1, 0, 0])
    check(data.GetNumberOfVerts() == 150 and data.GetPointData().GetScalars().GetName() == "Velocity")
    check(data.GetPointData().GetGlobalIds().GetName() == "Id")


def a_periodic_box_is_offered_to_a_simulation():
    """The dump's box is periodic along x from 0 to 0.04 m: a run of it warns how to keep the
    period, and then keeps it."""
    reader = simple.DEMDumpReader(FileNames=[LIGGGHTS], TimeStep=2e-5)
    reader.UpdatePipeline(0.2)
    values = dict(Particles=reader, EndTime=0.001, OutputInterval=0.001, Device="CPU", RelaxInitialOverlaps=1)
    with Messages() as messages:
        s = simple.DEMSimulation(**values)
        s.UpdatePipeline(0)
    check("is periodic along x (0 to 0.04 m), the domain is not" in messages.text and "set Exit X to Periodic" in messages.text, messages.text)
    with Messages() as messages:
        s = simple.DEMSimulation(ExitX="Periodic", **values)
        s.UpdatePipeline(0.001)
    check("periodic" not in messages.text, messages.text)
    def box():
        return list(arrays(fetch(s))["field", "Box"].ravel())

    before = box()
    check(before[:2] == [0, 0.04] and before[2] < 0 and before[3] > 0.04, str(before))
    s.WhenChanged, s.Gravity = "Steer", [0, 1, -9.81]
    s.UpdatePipeline(0.001)
    s.Threads = 1  # computes the run again with its changes
    s.UpdatePipeline(0.001)
    check(box() == before, f"{box()}, before {before}")


def lammps_scaled_positions_and_times():
    path = os.path.join(CODES, "lammps.lammpstrj")
    expected = frames(path)
    reader = simple.DEMDumpReader(FileNames=[path], TimeStep=123, ConstantRadius=0.004)
    reader.UpdatePipelineInformation()
    check(numpy.allclose(reader.TimestepValues, [0, 0.02, 0.04, 0.06], atol=1e-12), str(list(reader.TimestepValues)))
    got = arrays(fetch(reader, 0, 0.04))
    check(numpy.allclose(got["points"], 0.06 * xyz(expected[2000], "xs", "ys", "zs"), atol=1e-15))
    check(set(got["point", "Radius"]) == {0.004} and got["field", "Units"][0] == "si")
    reader.UseTimesOfFile = 0
    reader.UpdatePipelineInformation()
    check(list(reader.TimestepValues) == [0, 123e3, 246e3, 369e3])


def a_series_and_a_wildcard():
    names = sorted(glob.glob(os.path.join(CODES, "lammps_*.dump")), reverse=True)
    check(len(names) == 4)
    for given in (names, [os.path.join(CODES, "lammps_*.dump")], [os.path.join(CODES, "lammps_?.dump")] + names[:-1]):
        reader = simple.DEMDumpReader(FileNames=given, TimeStep=2e-5)
        reader.UpdatePipelineInformation()
        check(numpy.allclose(reader.TimestepValues, [0, 0.02, 0.04, 0.06]), str(list(reader.TimestepValues)))
        for step in (3000, 0, 2000):
            frame = frames(os.path.join(CODES, f"lammps_{step}.dump"))[step]
            got = arrays(fetch(reader, 0, step * 2e-5))
            check(numpy.array_equal(got["points"], xyz(frame, "xu", "yu", "zu")), f"step {step}")
            check(numpy.array_equal(got["point", "Radius"], 0.5 * frame["diameter"]))
        simple.Delete(reader)


def a_run_that_goes_on():
    text = open(LIGGGHTS).read()
    first = text.index("ITEM: TIMESTEP\n7500")
    path = os.path.join(WORK, "growing.dump")
    with open(path, "w") as out:
        out.write(text[:first + 2000])
    with Messages() as messages:
        reader = simple.DEMDumpReader(FileNames=[path])
        reader.UpdatePipelineInformation()
        check(list(reader.TimestepValues) == [2500, 5000])
        reader.UpdatePipeline(5000)
    check("cut off" in messages.text and "It was left out" in messages.text, messages.text)
    with open(path, "w") as out:
        out.write(text)
    reader.InvokeCommand("Refresh")
    reader.UpdatePipelineInformation()
    check(list(reader.TimestepValues) == [2500, 5000, 7500, 10000], str(list(reader.TimestepValues)))
    check(arrays(fetch(reader, 0, 7500))["field", "Step"][0] == 7500)
    # Of frames with equal times the last one is used.
    other = os.path.join(WORK, "continued.dump")
    with open(other, "w") as out:
        out.write(text[text.index("ITEM: TIMESTEP\n7500"):].replace(" 0.0035 \n", " 0.00175 \n"))
    reader.FileNames = [path, other]
    check(set(arrays(fetch(reader, 0, 7500))["point", "Radius"]) == {0.0025, 0.00175})
    check(set(arrays(fetch(reader, 0, 5000))["point", "Radius"]) == {0.0025, 0.0035})


def steps_that_begin_again():
    """Two runs in one file, the second after reset_timestep 0: all frames are read, in their order.
    """
    path = os.path.join(WORK, "appended.dump")
    with open(path, "w") as out:
        for step, x in ((0, .1), (100, .2), (200, .3), (0, .4), (100, .5), (200, .6)):
            out.write(f"ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
                      f"ITEM: ATOMS id x y z radius\n1 {x} .5 .5 .01\n")
    with Messages() as messages:
        reader = simple.DEMDumpReader(FileNames=[path], TimeStep=0.01)
        reader.UpdatePipelineInformation()
    check("begin again" in messages.text, messages.text)
    check(numpy.allclose(reader.TimestepValues, numpy.arange(6.0)), str(list(reader.TimestepValues)))
    xs = [arrays(fetch(reader, 0, float(t)))["points"][0][0] for t in range(6)]
    check(numpy.allclose(xs, [.1, .2, .3, .4, .5, .6]), str(xs))
    simple.Delete(reader)


def compressed_files():
    """Files compressed by gzip give the same grains, also when ParaView chooses the reader by the
    name."""
    import gzip
    text = open(LIGGGHTS).read()
    for name in ("dump.10.gz", "packed.lammpstrj.gz", "run.dump.gz"):
        path = os.path.join(WORK, name)
        with gzip.open(path, "wt") as out:
            out.write(text)
        reader = simple.OpenDataFile(path)
        check(reader is not None and reader.GetXMLName() == "DEMDumpReader", name)
        plain = simple.DEMDumpReader(FileNames=[LIGGGHTS])
        reader.UpdatePipelineInformation()
        plain.UpdatePipelineInformation()
        check(list(reader.TimestepValues) == list(plain.TimestepValues))
        check(numpy.array_equal(arrays(fetch(reader, 0, 5000))["points"], arrays(fetch(plain, 0, 5000))["points"]))
        simple.Delete(reader)
        simple.Delete(plain)
    path = os.path.join(WORK, "half.dump.gz")
    with open(os.path.join(WORK, "run.dump.gz"), "rb") as whole, open(path, "wb") as out:
        out.write(whole.read()[:500])
    with Messages() as messages:
        reader = simple.DEMDumpReader(FileNames=[path])
        reader.UpdatePipeline(0)
    check("is cut off" in messages.text, messages.text)
    simple.Delete(reader)


def types_are_types_of_grains():
    """Types of a file are never the wall material. They are rows of Table Of Materials, or one
    material with a warning; deviating masses cause a warning."""
    def dump(types, mass=0.0042):
        path = os.path.join(WORK, "types.dump")
        with open(path, "w") as out:
            out.write(f"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n{len(types)}\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
                      "ITEM: ATOMS id type x y z radius mass\n" +
                      "".join(f"{k + 1} {t} {0.1 * (k + 1)} .5 .5 .01 {mass}\n" for k, t in enumerate(types)))
        return simple.DEMDumpReader(FileNames=[path])

    volume = 4 / 3 * math.pi * 0.01 ** 3

    def densities(reader, **options):
        with Messages() as messages:
            s = simple.DEMSimulation(Particles=reader, Device="CPU", EndTime=0.01, Density=1000, WallDensity=7000, **options)
            out = fetch(s, 0, 0.0)
        mass = arrays(out)["point", "Mass"] if out.GetNumberOfPoints() else []
        simple.Delete(s)
        return [round(m / volume, 3) for m in mass], messages.text

    got, text = densities(dump([1, 2, 3]))
    check(got == [1000, 1000, 1000], str(got))
    check("3 types" in text and "Table Of Materials" in text, text)
    check('"Mass" 3 of 3 grains have another mass' in text and "0.0042 kg" in text, text)
    got, text = densities(dump([1, 1], 1000 * volume))
    check(got == [1000, 1000] and "WARN" not in text and "mass" not in text, text)
    table = os.path.join(WORK, "types.csv")
    with open(table, "w") as out:
        out.write("Name,Density\nLight,500\nHeavy,8000\n")
    materials = simple.CSVReader(FileName=[table])
    got, text = densities(dump([2, 1]), TableOfMaterials=materials)
    check(got == [8000, 500], str(got))
    got, text = densities(dump([1, 3]), TableOfMaterials=materials)
    check(got == [] and "Table Of Materials has 2 rows" in text, text)


def columns_by_any_name():
    """A table of grains: names in any case, radii or diameters, velocity components, as input of
    the simulation and of the analysis."""
    for header, row in (("x,y,z,radius,vx,vy,vz", "{x},0,.1,.01,.5,0,.25"), ("X,Y,Z,DIAMETER,Vx,Vy,Vz", "{x},0,.1,.02,.5,0,.25"),
                        ("x,y,z,d,VX,VY,VZ", "{x},0,.1,.02,.5,0,.25"), ("x,y,z,r,vx,vy,vz", "{x},0,.1,.01,.5,0,.25")):
        path = os.path.join(WORK, "grains.csv")
        with open(path, "w") as out:
            out.write(header + "\n" + row.format(x=0) + "\n" + row.format(x=.05) + "\n")
        names = header.split(",")
        grains = simple.TableToPoints(Input=simple.CSVReader(FileName=[path]), XColumn=names[0], YColumn=names[1], ZColumn=names[2])
        s = simple.DEMSimulation(Particles=grains, Device="CPU", EndTime=.01)
        for data in (arrays(fetch(s, 0, 0.0)),):
            check(numpy.allclose(data["point", "Radius"], [.01, .01]), header)
            check(numpy.allclose(data["point", "Velocity"], [[.5, 0, .25]] * 2), header)
        table = fetch(simple.DEMStatistics(Input=grains), 0, 0.0)
        check(abs(table.GetValueByName(0, "MeanSpeed").ToDouble() - math.hypot(.5, .25)) < 1e-7, header)
        simple.Delete(s)


def refusals():
    text = open(LIGGGHTS).read()
    cases = [
        (text.replace("pp ff ff\n0 0.04", "abc origin pp ff ff\n0 0.04 0"), "triclinic", "line 5"),
        (text.replace("0.0336905", "nan"), "not finite", "line 10"),
        (text.replace("0.0336905", "0.0336905e"), "found '0.0336905e'", "line 10"),
        (open(os.path.join(CODES, "liggghts_contacts.dump")).read(), "dump local", "line 3"),
        (open(os.path.join(CODES, "liggghts_10000.vtk")).read(), "this is no LAMMPS or LIGGGHTS text dump"),
        ("", "the file is empty"),
    ]
    path = os.path.join(WORK, "refused.dump")
    for content, *words in cases:
        with open(path, "w") as out:
            out.write(content)
        with Messages() as messages:
            reader = simple.DEMDumpReader(FileNames=[path])
            reader.UpdatePipeline(0)
        for word in words:
            check(word in messages.text, f"{word!r} is not in: {messages.text[:600]}")
        check(fetch(reader).GetNumberOfPoints() == 0)
        simple.Delete(reader)
    for names, word in ((["/nowhere/a.dump"], "does not exist"), (["/nowhere/*.dump"], "no file has such a name"),
                        ([WORK], "this is a folder")):
        with Messages() as messages:
            simple.DEMDumpReader(FileNames=names).UpdatePipeline(0)
        check(word in messages.text, f"{word!r} is not in: {messages.text[:600]}")
    with Messages() as messages:
        simple.DEMDumpReader(FileNames=[LIGGGHTS], TimeStep=0).UpdatePipeline(0)
    check("Time Step must be > 0" in messages.text, messages.text)


def no_grains_but_all_arrays():
    path = os.path.join(WORK, "none.dump")
    with open(path, "w") as out:
        out.write("ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n0\nITEM: BOX BOUNDS ff ff ff\n0 1\n0 1\n0 1\n"
                  "ITEM: ATOMS id type x y z vx vy vz radius c_7\n")
    got = arrays(fetch(simple.DEMDumpReader(FileNames=[path]), 0, 0))
    check({key[1] for key in got if key[0] == "point"} == {"Id", "Radius", "Velocity", "Material", "type", "c_7"}, str(got.keys()))
    check(got["points"].shape == (0, 3))


def found_by_name():
    for name in (LIGGGHTS, os.path.join(CODES, "lammps.lammpstrj"), os.path.join(CODES, "lammps_0.dump")):
        reader = simple.OpenDataFile(name)
        check(reader is not None and reader.SMProxy.GetXMLName() == "DEMDumpReader", name)
        check(len(reader.TimestepValues) in (1, 4))
    named = os.path.join(WORK, "dump.7500")
    with open(named, "w") as out:
        out.write(open(LIGGGHTS).read())
    check(simple.OpenDataFile(named).SMProxy.GetXMLName() == "DEMDumpReader")


def contacts_as_liggghts_found_them():
    """DEM Contact Network on a dump with a periodic border: pairs and overlaps are compared with
    those that LIGGGHTS wrote."""
    lines = open(os.path.join(CODES, "liggghts_contacts.dump")).read().split("\n")
    start = next(i for i, line in enumerate(lines) if line.startswith("ITEM: ENTRIES"))
    rows = numpy.array([[float(v) for v in line.split()] for line in lines[start + 1:] if line.strip()])
    expected = {tuple(sorted(pair)): overlap for pair, overlap in zip(rows[:, 6:8].astype(int).tolist(), rows[:, 18])}
    check(len(expected) == 276 and rows[:, 8].sum() > 5, "the file has contacts over the border")
    reader = simple.DEMDumpReader(FileNames=[LIGGGHTS], TimeStep=2e-5)
    network = simple.DEMContactNetwork(Input=reader)  # the dump states the period
    got = arrays(fetch(network, 0, 0.2))
    found = {tuple(sorted(pair)): overlap for pair, overlap in zip(got["cell", "ParticleIds"].tolist(), got["cell", "Overlap"])}
    # Positions below 0.1 m have six digits in the file, so distances of centres are accurate to
    # sqrt(3) times 1e-7 m.
    rounding = 1.8e-7
    for pair in set(expected) | set(found):
        check(abs(expected.get(pair, 0) - found.get(pair, 0)) < rounding, f"{pair}: {expected.get(pair)} and {found.get(pair)}")
    check(len(set(expected) & set(found)) > 270, f"{len(found)} contacts")
    network.PeriodicOfData = 0
    check(len(arrays(fetch(network, 0, 0.2))["cell", "Overlap"]) <= len(found) - rows[:, 8].sum(), "none over the border")
    network.Periodic, network.PeriodicBox = [1, 0, 0], [0, 0.04, 0, 0, 0, 0]
    check(numpy.array_equal(arrays(fetch(network, 0, 0.2))["cell", "ParticleIds"], got["cell", "ParticleIds"]), "given by hand")


def temporal_filters():
    """Tracks of grains over the frames, by Id."""
    reader = simple.DEMDumpReader(FileNames=[LIGGGHTS], TimeStep=2e-5)
    expected = frames(LIGGGHTS)
    data = servermanager.Fetch(simple.TemporalStatistics(Input=reader))
    mean = arrays(data)["point", "Force_average"]
    check(numpy.allclose(mean, sum(xyz(f, "fx", "fy", "fz") for f in expected.values()) / 4, atol=1e-12))


main(liggghts_at_every_time, a_periodic_box_is_offered_to_a_simulation, lammps_scaled_positions_and_times, a_series_and_a_wildcard, a_run_that_goes_on, steps_that_begin_again,
     compressed_files, types_are_types_of_grains, columns_by_any_name, refusals, no_grains_but_all_arrays, found_by_name, contacts_as_liggghts_found_them, temporal_filters)
