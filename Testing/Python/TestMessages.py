"""Invalid input gives a message that names the fault, and ParaView continues. Each test checks the
text."""
import os
import struct

from dem_testing import WORK, Messages, arrays, check, damaged, expect, fetch, main, packing, simulation
from mpm_testing import mpm
from paraview import simple


def refused(s, *words):
    expect(lambda: s.UpdatePipeline(0.0), *words)
    check(s.GetDataInformation().GetNumberOfPoints() == 0)
    for port in range(4):
        check(fetch(s, port) is not None)


def points(**expressions):
    """Two points 2 cm apart, with arrays made by Calculator."""
    line = simple.Line(Point1=[0, 0, 0], Point2=[0.02, 0, 0], Resolution=1)
    for name, expression in expressions.items():
        line = simple.Calculator(Input=line, ResultArrayName=name, Function=expression)
    return line


def empty_input():
    nothing = simple.Threshold(Input=packing(), Scalars=["POINTS", "Radius"], LowerThreshold=5, UpperThreshold=6, registrationName="Nothing")
    refused(simulation(nothing), "Particles input is empty: Nothing has no points")


def missing_radius():
    refused(simulation(points(Size="0.005")), "no point array \"Radius\"", "Size", "Calculator")


def negative_radius():
    refused(simulation(points(Radius="-0.005")), "radius", "-0.005")


def nan_radius():
    line = simple.Line(Point1=[0, 0, 0], Point2=[0.02, 0, 0], Resolution=1)
    undefined = simple.ProgrammableFilter(Input=line, Script="output.PointData.append(inputs[0].Points[:, 0] * float('nan'), 'Radius')")
    refused(simulation(undefined), "radius", "nan")


def radius_with_components():
    refused(simulation(points(Radius="coords")), "Radius", "3 components", "needs 1")


def text_or_fractions_for_numbers():
    """Materials and shapes given as text, or as fractions, are errors. They must not be read as 0,
    which is the grain material or a sphere."""
    for name in ("Shape", "Material", "Radius"):
        script = (f"from vtkmodules.vtkCommonCore import vtkStringArray\nwords = vtkStringArray()\nwords.SetName('{name}')\n"
                  "output.PointData.append(inputs[0].PointData['Radius'], 'Radius')\n"
                  "for word in ('Cube', 'Cube'):\n    words.InsertNextValue(word)\noutput.VTKObject.GetPointData().AddArray(words)")
        refused(simulation(simple.ProgrammableFilter(Input=points(Radius="0.005"), Script=script)), f"\"{name}\" holds text", "numbers")
    refused(simulation(points(Radius="0.005", Shape="0.5")), "Shape 0.5", "0 (Sphere)")
    refused(simulation(points(Radius="0.005", Material="0.5")), "Material 0.5", "Grain, Wall")
    expect(lambda: simple.MPMSimulation(Particles=points(Radius="0.005", Material="0.5"), Device="CPU").UpdatePipeline(0.0), "Material 0.5")


def arrays_that_are_too_short():
    script = ("from vtkmodules.vtkCommonCore import vtkDoubleArray\nfew = vtkDoubleArray()\nfew.SetName('Mass')\nfew.InsertNextValue(1)\n"
              "output.PointData.append(inputs[0].PointData['Radius'], 'Radius')\noutput.VTKObject.GetPointData().AddArray(few)")
    short = simple.ProgrammableFilter(Input=points(Radius="0.005"), Script=script)
    for consumer in (simulation(short), simple.MPMSimulation(Particles=short, Device="CPU"), simple.DEMStatistics(Input=short), simple.DEMShapes(Input=short)):
        expect(lambda proxy=consumer: proxy.UpdatePipeline(0.0), 'the point array "Mass" has 1 values for 2 points', "Pass Arrays")


def overlapping_particles():
    refused(simulation(points(Radius="0.02")), "overlap", "Relax Initial Overlaps")
    s = simulation(points(Radius="0.011"), RelaxInitialOverlaps=1)
    s.UpdatePipeline(0.0)
    check(s.GetDataInformation().GetNumberOfPoints() == 2)


def bad_materials():
    for name, value, words in (("YoungsModulus", -1, ["Young's Modulus", "Grain"]), ("PoissonsRatio", 0.7, ["Poisson's Ratio", "Grain"]),
                               ("Density", 0, ["Density", "Grain"]), ("Restitution", 1.5, ["Restitution", "Grain"]),
                               ("Restitution", 0, ["Restitution", "Grain"]), ("Friction", -0.1, ["Friction", "Grain"]),
                               ("WallYoungsModulus", 0, ["Young's Modulus", "Wall"]), ("WallRestitution", 0, ["Restitution", "Wall"])):
        refused(simulation(**{name: value}), *words)


def unknown_material():
    refused(simulation(packing(Material="Cheese", registrationName="Soft")), "Soft: material \"Cheese\" is unknown", "Grain, Wall", "Table Of Materials")


def material_out_of_range():
    refused(simulation(points(Radius="0.005", Material="7")), "Material 7", "Grain, Wall")


def bad_table():
    path = os.path.join(WORK, "bad.csv")
    with open(path, "w") as out:
        out.write("Title,YoungsModulus\nGlass,1e6\n")
    refused(simulation(TableOfMaterials=simple.CSVReader(FileName=[path])), "no column \"Name\"", "Title, YoungsModulus")
    with open(path, "w") as out:
        out.write("Name,YoungsModulus\nGlass,stiff\n")
    refused(simulation(TableOfMaterials=simple.CSVReader(FileName=[path])), "row 0", "YoungsModulus", "\"stiff\" is no number")


def csv(text, name="columns.csv"):
    path = os.path.join(WORK, name)
    with open(path, "w") as out:
        out.write(text)
    return simple.CSVReader(FileName=[path])


def misspelt_columns_of_tables():
    """A column that resembles a known one, which the table lacks, is an error. Others give one warning."""
    def tried(make, **tables):
        with Messages() as messages:
            make(**tables).UpdatePipeline(0)
        return messages.text

    dem, mpm_known = "Name, YoungsModulus, PoissonsRatio, Density, Restitution", "Name, Law, Density, YoungsModulus, PoissonsRatio"
    for column, nearest in (("Desnity", "Density"), ("density", "Density"), ("Density (kg/m3)", "Density"), ("Young's Modulus", "YoungsModulus"),
                            ("Young", "YoungsModulus"), ("Frction", "Friction"), ("rolling_friction", "RollingFriction"), ("Restitutions", "Restitution")):
        text = tried(simulation, TableOfMaterials=csv(f"Name,{column}\nGlass,0.5\n"))
        check("ERR" in text and f'Table Of Materials, column "{column}"' in text and f'The nearest is "{nearest}"' in text and f"Known are: {dem}" in text, text)
    for column, nearest in (("Desnity", "Density"), ("law", "Law"), ("YieldStres", "YieldStress"), ("Gama", "Gamma"), ("BulkModulus [Pa]", "BulkModulus")):
        text = tried(mpm, TableOfMaterials=csv(f"Name,{column}\nGlass,0.5\n"))
        check("ERR" in text and f'column "{column}"' in text and f'The nearest is "{nearest}"' in text and f"Known are: {mpm_known}" in text, text)
    text = tried(simulation, TableOfPairs=csv("First,Second,Restituton\nGrain,Wall,0.5\n"))
    check("ERR" in text and 'Table Of Pairs, column "Restituton"' in text and 'The nearest is "Restitution"' in text and "Known are: First, Second, Restitution, Friction" in text, text)
    # Own columns, those beside the known one, and those of the other method.
    glass = "Name,Density,Colour,Supplier,{},vtkOriginalIndices\nGlass,2500,red,me,1,0\n"
    for make, column in ((lambda **t: simulation(packing(Material="Glass"), **t), "DensitySource"), (lambda **t: simulation(packing(Material="Glass"), **t), "FrictionAngle"),
                         (mpm, "Friction"), (mpm, "Densities")):
        text = tried(make, TableOfMaterials=csv(glass.format(column)))
        check("ERR" not in text and text.count("arning") == 1 and f'not used are the columns "Colour", "Supplier", "{column}"' in text and "Known are: Name" in text, text)
        check("vtkOriginalIndices" not in text, text)
    text = tried(simulation, TableOfPairs=csv("First,Second,Friction,YoungsModulus\nGrain,Wall,0.5,1e6\n"))
    check("ERR" not in text and 'not used are the columns "YoungsModulus"' in text, text)
    check(not tried(simulation, TableOfMaterials=csv("Name,Density\nGlass,2500\n")), "a plain table gives a message")


def bad_lists_of_materials():
    good = dict(MaterialName=["Glass", "Steel"], MaterialDensity=[2500, 7800])
    for changed, words in ((dict(MaterialDensity=[2500]), ["Density", "1 value for 2 names"]),
                           (dict(MaterialDensity=[2500, -1]), ["Material #2", "Steel", "Density", "-1"]),
                           (dict(MaterialRestitution=[0, 1]), ["Material #1", "Glass", "Restitution", "(0, 1]"]),
                           (dict(MaterialName=["Glass", "Glass"]), ["Material #2", "Name", "Material #1"]),
                           (dict(MaterialName=["Glass", ""]), ["Material #2", "no name"]),
                           (dict(MaterialName=[]), ["2 values for 0 names"])):
        refused(simulation(**dict(good, **changed)), *words)
    path = os.path.join(WORK, "three.csv")
    with open(path, "w") as out:
        out.write("Name\nGlass\nSteel\nWood\n")
    table = simple.CSVReader(FileName=[path])
    refused(simulation(TableOfMaterials=table, **good), "Materials (2)", "Table Of Materials (3 rows)")
    with open(path, "w") as out:
        out.write("Name,Density\nGlass,2500\nSteel,0\n")
    words = ("row 1", "Steel", "Density", "above 0")
    refused(simulation(TableOfMaterials=simple.CSVReader(FileName=[path])), *words)


def bad_linear_model():
    s = simulation()
    s.ContactModel = "Linear Spring-Dashpot"
    s.ContactModel.StiffnessMode = "Normal Stiffness"
    s.ContactModel.NormalStiffness = 0
    refused(s, "Normal Stiffness", "> 0")


def gear_does_not_go_with_cdt():
    s = simulation(Integrator="Gear Predictor-Corrector")
    s.RollingModel = "CDT"
    refused(s, "Gear Predictor-Corrector", "CDT", "EPSD")
    s.RollingModel = "EPSD"
    s.UpdatePipeline(0.01)
    check(s.GetDataInformation().GetNumberOfPoints() > 0)


def bad_times():
    s = simulation()
    expect(lambda: (setattr(s, "OutputInterval", 0), s.UpdatePipelineInformation()), "Output Interval must be > 0 s, but is 0.")
    with Messages() as messages:
        s.UpdatePipeline(0.0)
    check(messages.text.count("Output Interval") <= 1, messages.text)
    expect(lambda: (setattr(s, "OutputInterval", 1e-12), s.UpdatePipelineInformation()), "Output Interval", "10 million")


def no_output_but_the_start():
    s = simulation(EndTime=0.1, OutputInterval=5)
    with Messages() as messages:
        s.UpdatePipeline(0.1)
    check("Output Interval, 5 s, is longer than End Time, 0.1 s" in messages.text and "rror" not in messages.text, messages.text)
    with Messages() as messages:
        simulation(OutputInterval=0.1).UpdatePipeline(0.0)
    check(not messages.text, messages.text)
    with Messages() as messages:
        s = simulation(EndTime=0)
        for friction in (0.1, 0.2):
            s.Friction = friction
            s.UpdatePipeline(0.0)
    check(messages.text.count("End Time is 0 s: the start is shown and nothing is computed.") == 1, messages.text)


def step_too_large():
    refused(simulation(TimeStep=0.005), "Time Step 0.005 s is too large")
    refused(simulation(TimeStep=1), "Time Step 1 s is too large")


def domain_leaves_particles_out():
    refused(simulation(AutomaticDomain=0, Domain=[-0.01, 0.01, -0.1, 0.1, -0.1, 0.1]), "domain", "particle")


def walls_that_are_none():
    line = simple.Line(registrationName="Edge")
    refused(simulation(Walls=[line]), "Edge", "no surface", "no polygons")
    empty = simple.ExtractSurface(Input=simple.Threshold(Input=simple.Wavelet(), Scalars=["POINTS", "RTData"], LowerThreshold=1e6,
                                                         UpperThreshold=2e6))
    refused(simulation(Walls=[empty]), "ExtractSurface", "is empty")


def a_failed_input_is_told_once():
    """An error of a packing is the only message: the simulation does not also report an empty
    input."""
    broken = packing(Radius=-1)
    s = simulation(broken)
    text = expect(lambda: s.UpdatePipeline(0.0), "Radius")
    check(text.count("ERROR") <= 1 and text.count("ERR|") <= 1 and "empty" not in text, text)
    broken.Radius = 0.005
    with Messages() as messages:
        s.UpdatePipeline(0.0)
    check(not messages.text and s.GetDataInformation().GetNumberOfPoints() > 0, messages.text)


def a_missing_file_is_told_by_its_reader():
    for wrapped in (False, True):
        wall = simple.STLReader(FileNames=[os.path.join(WORK, "none.stl")])
        wall = simple.DEMWall(Input=wall) if wrapped else wall
        with Messages() as messages:
            simulation(Walls=[wall]).UpdatePipeline(0.0)
        check("none.stl" in messages.text and "vtkDEMSimulation" not in messages.text, messages.text)
    with Messages() as messages:
        simulation(simple.DEMDumpReader(FileNames=[os.path.join(WORK, "no such.dump")])).UpdatePipeline(0.0)
    check(messages.text.count("no such.dump: this file does not exist") == 1 and "vtkDEMSimulation" not in messages.text, messages.text)


def renamed_inputs():
    """Messages use the names in the pipeline browser. A new name alone does not restart the run."""
    grains = packing(Material="Cheese")
    s = simulation(grains)
    simple.RenameSource("Cheese balls", grains)
    refused(s, "Cheese balls: material \"Cheese\"")


def types_and_radii_of_zero():
    grains = points(Radius="0.005", type="coordsX*0")
    simple.RenameSource("Imported", grains)
    refused(simulation(grains), "Imported: point 0 has the type 0; types are integers, counted from 1")
    grains = points(Radius="0.005*(coordsX<0.01)")
    simple.RenameSource("Empty ones", grains)
    refused(simulation(grains), "Empty ones: point 1 has the Radius 0 m; a grain needs a finite radius above 0")


def said(times=(0.0,), **properties):
    s = simulation(**properties)
    with Messages() as messages:
        for time in times:
            s.UpdatePipeline(time)
        s.Friction = 0.123
        s.UpdatePipeline(times[0])
    check("rror" not in messages.text and s.GetDataInformation().GetNumberOfPoints() > 0, messages.text)
    return messages.text


def scenes_that_are_perhaps_not_meant():
    """One warning a run, which names the input of the wall."""
    plate = dict(Origin=[-0.05, -0.05, -0.01], Point1=[0.05, -0.05, -0.01], Point2=[-0.05, 0.05, -0.01])
    floor = simple.Plane(registrationName="Good floor", **plate)
    check(said(Walls=[floor]) == "")
    far = simple.Transform(Input=floor, registrationName="Far floor")
    far.Transform.Translate = [20, 0, 0]
    text = said(Walls=[floor, far])
    check(text.count("Far floor is 19.92 m away from the nearest grain, and no grain falls onto it.") == 1, text)
    text = said(Walls=[far], AutomaticDomain=0, Domain=[-0.1, 0.1, -0.1, 0.1, -0.1, 0.1])
    check(text.count("Far floor lies outside of Domain (x -0.1 to 0.1, y -0.1 to 0.1, z -0.1 to 0.1 m)") == 1, text)
    large = simple.Transform(Input=floor)
    large.Transform.Scale = [1000, 1000, 1]
    wall = simple.DEMWall(Input=large, WallName="Hopper", registrationName="Case")
    text = said(Walls=[wall])
    check(text.count("Case (\"Hopper\") is 141.4 m large, all grains together ") == 1 and "scale it by 0.001" in text, text)
    text = said(TimeStep=2e-5, OutputInterval=1e-5, EndTime=2e-5)
    check(text.count("Time Step, 2e-05 s, is longer than Output Interval: steps are as long as the interval, 1e-05 s.") == 1, text)


def the_automatic_domain_is_told():
    """The automatic domain has room for grains that are thrown. Grains that still reach its border
    cause one warning a run."""
    up = packing(Velocity=[0, 0, 2], Count=1)
    s = simulation(up, EndTime=0.3)
    with Messages() as messages:
        heights = [arrays(fetch(s, 0, 0.01 * k))["points"][0, 2] for k in range(31)]
    bottom = heights[0]
    flight = [bottom + 2 * 0.01 * k - 4.905 * (0.01 * k) ** 2 for k in range(31)]
    check(sorted(abs(a - b) for a, b in zip(heights, flight))[-1] < 1e-4 and not messages.text, messages.text)
    s.UpdatePropertyInformation()
    check(abs(s.DomainInUse[5] - (bottom + 0.005 + 4 / 19.62) - 0.01 - 0.05 * (0.01 + 4 / 19.62)) < 1e-6, str(list(s.DomainInUse)))
    plate = simple.Plane(Origin=[-0.01, -0.01, -0.01], Point1=[0.01, -0.01, -0.01], Point2=[-0.01, 0.01, -0.01])
    s = simulation(Walls=[plate], EndTime=0.3)
    with Messages() as messages:
        s.UpdatePipeline(0.3)
    check(not messages.text, f"grains that rest on a border: {messages.text}")
    s = simulation(ExitZ="Remove", EndTime=0.3)
    with Messages() as messages:
        for k in range(31):
            s.UpdatePipeline(0.01 * k)
    check(messages.text.count(" left the automatic domain (x ") == 1 and
          messages.text.count("switch Automatic Domain off and set Domain") == 1, messages.text)
    # A plate carries its grains along.
    lift = simple.Plane(Origin=[-0.4, -0.4, -0.005], Point1=[0.4, -0.4, -0.005], Point2=[-0.4, 0.4, -0.005])
    lift = simple.DEMWall(Input=lift, Motion="Translation", Velocity=[0, 0, 0.5], StartTime=0.1)
    s = simulation(Walls=[lift], EndTime=0.5)
    with Messages() as messages:
        height = arrays(fetch(s, 0, 0.5))["points"][:, 2]
    check(height.min() > 0.19 and not messages.text, messages.text)


def clumps_that_lose_volume():
    box = simple.Box(XLength=0.01, YLength=0.01, ZLength=0.01)
    for size, lost in ((1, "of 1 sphere has 48 % less volume than its surface"), (60, None)):
        grains = packing(Shape="Clump From Surface", ShapeSurface=simple.Sphere(ThetaResolution=60, PhiResolution=60) if lost is None else box,
                         ClumpSize=size, Spacing=0.02)
        with Messages() as messages:
            grains.UpdatePipeline()
        check(lost in messages.text if lost else not messages.text, messages.text)


def walls_with_bad_triangles():
    flat = simple.Calculator(Input=simple.Plane(), CoordinateResults=1, Function="0*coords")
    refused(simulation(Walls=[simple.DEMWall(Input=flat, WallName="Flat")]), "Flat", "none of its 2 triangles has an area")
    flat = simple.Calculator(Input=simple.Sphere(), CoordinateResults=1, Function="0*coords")
    refused(simulation(Walls=[simple.DEMWall(Input=flat, WallName="Flat")]), "Flat", "triangles has an area")
    script = "output.VTKObject.ShallowCopy(inputs[0].VTKObject); output.Points = inputs[0].Points * float('nan')"
    far = simple.ProgrammableFilter(Input=simple.Sphere(), Script=script)
    refused(simulation(Walls=[simple.DEMWall(Input=far, WallName="Far")]), "Far", "finite")


def write_stl(name, content):
    path = os.path.join(WORK, name)
    with open(path, "wb") as out:
        out.write(content)
    return path


def walls_with_a_needle():
    """Facets whose corners lie on a line, and polygons with two corners, are skipped. One warning
    counts them."""
    facet = "facet normal 0 0 1\nouter loop\nvertex {}\nvertex {}\nvertex {}\nendloop\nendfacet\n"
    path = os.path.join(WORK, "needle.stl")
    with open(path, "w") as out:
        out.write("solid a\n" + facet.format("-0.1 -0.1 0", "0.1 -0.1 0", "0.1 0.1 0") + facet.format("-0.1 -0.1 0", "0 -0.1 0", "0.1 -0.1 0") +
                  facet.format("-0.1 -0.1 0", "0.1 0.1 0", "-0.1 0.1 0") + "endsolid a\n")
    wall = simple.DEMWall(Input=simple.STLReader(FileNames=[path]), WallName="Floor")
    s = simulation(packing(LowerCorner=[-0.03, -0.03, 0.001]), Walls=[wall], EndTime=0.02)
    with Messages() as messages:
        for time in (0.0, 0.02):
            s.UpdatePipeline(time)
        s.Gravity = [0, 0, -5]
        s.UpdatePipeline(0.0)
    check(messages.text.count("(\"Floor\"): 1 of its 3 triangles has no area and is skipped; the first is triangle 1") == 1, messages.text)
    check("ERR" not in messages.text and s.GetDataInformation().GetNumberOfPoints() > 0, messages.text)
    pressure = arrays(fetch(s, 2))["cell", "Pressure"]
    check(len(pressure) >= 3, str(pressure))


def appended_packings():
    """Append Datasets and Merge Blocks keep only the field data of their first input: materials are
    found by their keys, and lost shapes are an error."""
    path = os.path.join(WORK, "two.csv")
    with open(path, "w") as out:
        out.write("Name,Density\nLight,500\nHeavy,8000\n")
    table = simple.CSVReader(FileName=[path])
    one = dict(Size=[.02] * 3, Spacing=.02, RadiusDistribution="Single", Radius=.005, Count=1)
    light = simple.DEMPacking(LowerCorner=[0, 0, 0], Material="Light", **one)
    heavy = simple.DEMPacking(LowerCorner=[.05, 0, 0], Material="Heavy", **one)
    cube = simple.DEMPacking(LowerCorner=[.05, 0, 0], Material="Heavy", Shape="Cube", **one)
    tablet = simple.DEMPacking(LowerCorner=[0, 0, 0], Material="Light", Shape="Tablet", **one)
    joins = (lambda many: simple.AppendDatasets(Input=many), lambda many: simple.MergeBlocks(Input=simple.GroupDatasets(Input=many)))
    for join in joins:
        s = simulation(join([light, heavy]), TableOfMaterials=table)
        found = arrays(fetch(s, 0, 0.0))
        density = found["point", "Mass"] / (4 / 3 * 3.141592653589793 * .005 ** 3)
        check(abs(sorted(density)[0] - 500) < 1 and abs(sorted(density)[1] - 8000) < 10, str(density))
        refused(simulation(join([light, heavy])), "Light")
        refused(simulation(join([tablet, cube]), TableOfMaterials=table), "another shape", "Group Datasets", "list of Particles")
        refused(simulation(join([light, cube]), TableOfMaterials=table), "Shape 1", "Group Datasets")
        refused(simulation(join([cube, light]), TableOfMaterials=table), "Orientation", "Group Datasets")
    s = simulation(simple.GroupDatasets(Input=[tablet, cube]), TableOfMaterials=table)
    check(len(arrays(fetch(s, 0, 0.0))["point", "Mass"]) == 2)


def broken_stl():
    head = b"\0" * 80 + struct.pack("<I", 1000)
    cut = write_stl("cut.stl", head + b"\0" * 50)
    expect(lambda: simple.STLReader(FileNames=[cut]).UpdatePipeline())
    with Messages() as messages:
        s = simulation(Walls=[simple.STLReader(FileNames=[cut])])
        s.UpdatePipeline(0.0)
    check(messages.text.strip(), "a cut STL file gave no message")
    case = os.path.join(WORK, "cut.dem")
    with open(case, "w") as out:
        out.write('{"version": 1, "walls": [{"type": "mesh", "file": "cut.stl"}]}')
    expect(lambda: simple.DEMCaseReader(FileName=case).UpdatePipeline(0.0), "cut.dem")


def broken_case():
    path = os.path.join(WORK, "broken.dem")
    for content, words in (("", ["broken.dem"]), ("{\n  \"version\": 1,\n  oops\n}", ["broken.dem", "3"]),
                           ("{\"version\": 99}", ["broken.dem", "version"]), ("[]", ["broken.dem"])):
        with open(path, "w") as out:
            out.write(content)
        text = expect(lambda: simple.DEMCaseReader(FileName=path).UpdatePipeline(0.0), *words)
        check(text.count(path) == 1, text)
    expect(lambda: simple.DEMCaseReader(FileName=os.path.join(WORK, "missing.dem")).UpdatePipeline(0.0), "missing.dem")


def broken_checkpoint():
    good = os.path.join(WORK, "good.dem-checkpoint")
    s = simulation(CheckpointFile=good)
    s.UpdatePipeline(0.1)
    s.InvokeCommand("SaveCheckpoint")
    before = arrays(fetch(s, 0))
    for path in damaged(good):
        s.CheckpointFile = path
        expect(lambda: s.InvokeCommand("LoadCheckpoint"), "not loaded", os.path.basename(path))
        refused(simulation(RestartFile=path), os.path.basename(path))
    s.UpdatePipeline(0.1)
    check((arrays(fetch(s, 0))["points"] == before["points"]).all(), "a bad checkpoint disturbed the run")
    s.CheckpointFile = ""
    expect(lambda: s.InvokeCommand("SaveCheckpoint"), "Checkpoint File is empty")
    s.CheckpointFile = os.path.join(WORK, "no", "such", "folder.dem-checkpoint")
    expect(lambda: s.InvokeCommand("SaveCheckpoint"), "not saved", "folder.dem-checkpoint")
    other = simulation(packing(Count=5), RestartFile=good)
    expect(lambda: other.UpdatePipeline(0.0), "checkpoint")
    s = simulation(packing(Shape="Tablet", Spacing=0.015), CheckpointFile=os.path.join(WORK, "tablets.dem-checkpoint"))
    s.UpdatePipeline(0.02)
    s.InvokeCommand("SaveCheckpoint")
    for shape in (dict(Shape="Cube"), dict(Shape="Tablet", TabletCupRadius=0.03)):
        other = simulation(packing(Spacing=0.015, **shape), RestartFile=s.CheckpointFile)
        expect(lambda: other.UpdatePipeline(0.0), "shapes", "Load it into the scene that made it")


def no_cuda():
    s = simulation(Device="CUDA")
    with Messages() as messages:
        s.UpdatePipeline(0.0)
    if s.GetDataInformation().GetNumberOfPoints() == 0:
        check("CUDA" in messages.text, messages.text)
    else:
        s.UpdatePropertyInformation()
        check("CUDA" in s.DeviceInUse and not messages.text, messages.text)


def bad_packings():
    for properties, words in ((dict(Radius=-1), ["radius"]), (dict(Radius=1), ["fit"]), (dict(Count=100000), ["100000"]),
                              (dict(Size=[0, 0, 0]), []), (dict(Material=""), None)):
        if words is None:
            continue
        expect(lambda: packing(**properties).UpdatePipeline(), *words)
    expect(lambda: packing(Region=simple.Line()).UpdatePipeline(), "region", "no surface")


def a_failed_run_shows_how_far_it_came():
    # The plate squeezes the grains until their overlaps are too large.
    plate = simple.Plane(Origin=[-0.1, -0.1, 0.08], Point1=[0.1, -0.1, 0.08], Point2=[-0.1, 0.1, 0.08])
    press = simple.DEMWall(Input=plate, Motion="Translation", Velocity=[0, 0, -1])
    s = simulation(Walls=[press], AutomaticDomain=0, Domain=[-0.05, 0.05, -0.05, 0.05, -0.01, 0.1])
    s.UpdatePipeline(0.02)
    expect(lambda: s.UpdatePipeline(0.2), "particle", "t =")
    check(s.GetDataInformation().GetNumberOfPoints() > 0, "the failed run shows nothing")
    s.UpdatePipeline(0.01)
    check(abs(arrays(fetch(s, 3))["row", "Time"][0] - 0.01) < 1e-9)


main(empty_input, missing_radius, negative_radius, nan_radius, radius_with_components, text_or_fractions_for_numbers, arrays_that_are_too_short, overlapping_particles, bad_materials, a_failed_input_is_told_once, a_missing_file_is_told_by_its_reader,
     renamed_inputs, types_and_radii_of_zero, scenes_that_are_perhaps_not_meant, the_automatic_domain_is_told, clumps_that_lose_volume,
     unknown_material, material_out_of_range, bad_table, misspelt_columns_of_tables, bad_lists_of_materials, bad_linear_model, gear_does_not_go_with_cdt, bad_times, no_output_but_the_start, step_too_large, domain_leaves_particles_out,
     walls_that_are_none, walls_with_bad_triangles, walls_with_a_needle, appended_packings, broken_stl, broken_case, broken_checkpoint, no_cuda, bad_packings,
     a_failed_run_shows_how_far_it_came)
