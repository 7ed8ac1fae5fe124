"""Creates every proxy, sets every property and reads it back; no message may appear. Checks texts,
labels and visibility of the panels."""
import os

from dem_testing import DATA, check, main, packing, simulation
from mpm_testing import mpm
from paraview import make_name_valid, servermanager, simple


def other_value(prop, name):
    """A valid value that differs from the present one."""
    xml = prop.SMProperty
    domains = xml.NewDomainIterator()
    domains.Begin()
    while not domains.IsAtEnd():
        domain = domains.GetDomain()
        if domain.IsA("vtkSMBooleanDomain"):
            return 0 if xml.GetElement(0) else 1
        if domain.IsA("vtkSMEnumerationDomain"):
            names = [domain.GetEntryText(i) for i in range(domain.GetNumberOfEntries())]
            return names[-1]
        domains.Next()
    if xml.IsA("vtkSMStringVectorProperty"):
        return "Sphere" if name == "Shape" else "another"
    values = [xml.GetElement(i) for i in range(xml.GetNumberOfElements())]
    values = [v + 1 if xml.IsA("vtkSMIntVectorProperty") else 0.5 * v + 0.125 for v in values]
    return values[0] if len(values) == 1 else values


def set_all(proxy, skip=()):
    count = 0
    for name in proxy.ListProperties():
        prop = proxy.GetProperty(name)
        xml = prop.SMProperty
        if xml.GetInformationOnly() or xml.GetIsInternal() or xml.IsA("vtkSMProxyProperty") or name in skip or not xml.GetCommand():
            continue
        if not (xml.IsA("vtkSMVectorProperty")):
            continue
        if xml.GetRepeatable() or xml.GetRepeatCommand():
            continue
        wanted = other_value(prop, name)
        setattr(proxy, name, wanted)
        got = getattr(proxy, name)
        same = got == wanted or (isinstance(wanted, list) and list(got) == wanted)
        check(same, f"{name}: set {wanted!r}, got {got!r}")
        check(make_name_valid(xml.GetXMLLabel()) == name, f"{name}: the label {xml.GetXMLLabel()!r} gives another name in scripts")
        check(xml.GetDocumentation() and xml.GetDocumentation().GetDescription().strip(), f"{name} is not documented")
        count += 1
    proxy.UpdateVTKObjects()
    return count


def packing_properties():
    p = packing()
    check(set_all(p) >= 15)
    p.RadiusTable = [0.004, 0.25, 0.006, 0.75]
    check(list(p.RadiusTable) == [0.004, 0.25, 0.006, 0.75])
    check(p.Region is None)
    p.Region = simple.Sphere()
    check(p.Region is not None)


def packing_takes_no_active_object():
    simple.Sphere()
    check(simple.DEMPacking().Region is None, "the active object became the region")


def wall_properties():
    check(set_all(simple.DEMWall(Input=simple.Box())) == 34)
    check(set_all(simple.DEMAnalyticWall()) == 33)


def nozzle_properties():
    n = simple.DEMNozzle()
    check(set_all(n) == 15)
    check(set_all(simple.DEMSprayCoating(Input=packing(), Nozzles=[n])) >= 3)


def wall_of_a_file_is_neutral():
    """The wall of an STL file is transparent and is not coloured by the solid numbers of the file.
    """
    tray = simple.STLReader(FileNames=[os.path.join(DATA, "Geometry", "tray.stl")])
    tray.UpdatePipeline()
    check(tray.CellData.GetArray("STLSolidLabeling") is not None, "the reader gives no numbers of solids any more")
    wall = simple.DEMWall(Input=tray)
    wall.UpdatePipeline()
    check(wall.CellData.GetArray("STLSolidLabeling") is None, "the wall has the numbers of solids")
    check(wall.GetDataInformation().GetNumberOfCells() == tray.GetDataInformation().GetNumberOfCells())
    shown = simple.Show(wall, simple.CreateRenderView())
    check(shown.Representation == "DEM Walls", f"the wall is shown as {shown.Representation}")
    check(shown.ColorArrayName[1] is None or not shown.ColorArrayName[1], f"the wall is coloured by {shown.ColorArrayName[1]}")


def simulation_properties():
    s = simulation()
    check(set_all(s) == 88)
    for model in ("Hertz-Mindlin", "Linear Spring-Dashpot"):
        s.ContactModel = model
        check(s.ContactModel.GetXMLLabel() == model)
    check(set_all(s.ContactModel) == 4)
    for model in ("None", "CDT", "EPSD"):
        s.RollingModel = model
        check(s.RollingModel.GetXMLLabel() == model)
    check(set_all(s.RollingModel) == 1)
    s.HeatTransfer = "Conduction"
    check(set_all(s.HeatTransfer) == 9)
    s.FluidCoupling = "Given Field"
    check(set_all(s.FluidCoupling) == 11)
    s.FluidCoupling = "Volume-Averaged Flow"
    check(set_all(s.FluidCoupling) == 23)
    walls = [simple.Box(), simple.Sphere()]
    s.Walls = walls
    check(len(s.Walls) == 2)
    s.Walls = []
    check(len(s.Walls) == 0)
    s.ParticleArrays = ["Velocity"]
    check(list(s.ParticleArrays) == ["Velocity"])


def mpm_properties():
    run = mpm()
    check(set_all(run) == 51, "number of properties")
    fields = {"Corotated": 3, "Fixed Corotated": 3, "Neo-Hookean": 3, "Drucker-Prager": 9, "Von Mises": 5, "Fluid": 4, "Linear Elastic": 3,
              "St. Venant-Kirchhoff": 3}
    for label, count in fields.items():
        run.MaterialModel = label
        check(run.MaterialModel.GetXMLLabel() == label)
        check(set_all(run.MaterialModel, skip=("Law",)) == count, label)
    walls = [simple.Box(), simple.Sphere()]
    run.Walls = walls
    check(len(run.Walls) == 2)
    run.Walls = []
    check(len(run.Walls) == 0)
    run.Particles = [simple.Box(), simple.Sphere()]
    check(len(run.Particles) == 2)
    plain = simple.MPMSimulation(Particles=simple.Box())
    expected = dict(TimeStep=0, EndTime=1, OutputInterval=0.01, CourantNumber=0.4, FillSurfaces=1, PointsPerAxis=2, Jitter=0, GridSpacing=0,
                    WallContact="Separate", AutomaticDomain=1, BorderZLower="Separate", Transfer="APIC", Kernel="Quadratic",
                    Integrator="Explicit", Precision="Single", Device="Auto", Monitor=0, MonitorInWindow=1, RestartFile="", CheckpointFile="", FrameMemory=1024)
    for name, value in expected.items():
        check(getattr(plain, name) == value, f"{name} is {getattr(plain, name)!r}, not {value!r}")
    check(plain.MaterialModel.GetXMLLabel() == "Fixed Corotated")


def reader_properties():
    reader = simple.DEMCaseReader()
    check(reader.CheckpointInterval == -1 and reader.CheckpointsKept == -1, "the file does not say when checkpoints are written")
    check(set_all(reader, skip=("FileName",)) >= 8)


# Choices for which the panel shows a property.
SHOWN_WITH = {
    "Temperature": ("ThermalCondition", {"Temperature"}), "HeatFlux": ("ThermalCondition", {"Heat Flux"}),
    "CellOrder": ("BroadPhase", {"Sorted Grid"}),
    "CellSort": ("BroadPhase", {"Sorted Grid", "Hierarchical Grid"}),
    "CellsPerParticle": ("BroadPhase", {"Sorted Grid", "Linked Cells", "Fixed Cells"}),
    "LinkedCells": ("BroadPhase", {"Linked Cells"}),
    "FixedCells": ("BroadPhase", {"Fixed Cells"}),
    "CellCapacity": ("BroadPhase", {"Fixed Cells"}),
    "HashFunction": ("BroadPhase", {"Hashed Infinite Grid"}),
    "HashTableFactor": ("BroadPhase", {"Hashed Infinite Grid"}),
    "HashOrder": ("BroadPhase", {"Hashed Infinite Grid"}),
    "BVHKeyBits": ("BroadPhase", {"BVH"}),
    "HalfSearch": ("BroadPhase", {"Sorted Grid", "BVH"}),
    "SortSteps": ("SortParticles", {"Every Steps"}),
    "SortTime": ("SortParticles", {"Every Time"}),
    "StaticSize": ("NeighborList", {"Static", "Hybrid", "None", "Split Loop"}),
    "SymmetricList": ("NeighborList", {"Static", "Dynamic", "Hybrid"}),
    "ThreadPer": ("NeighborList", {"Static", "Dynamic", "Hybrid", "Split Loop"}),
    "Point1": ("Kind", {"Plane", "Rectangle", "Line", "Box", "Cylinder", "Cone"}),
    "Point2": ("Kind", {"Line", "Box", "Cylinder", "Cone"}),
    "Normal": ("Kind", {"Plane"}),
    "EdgeU": ("Kind", {"Rectangle"}),
    "EdgeV": ("Kind", {"Rectangle"}),
    ("DEMWall", "Radius"): ("Kind", {"Cylinder", "Cone"}),
    "EndRadius": ("Kind", {"Cone"}),
    "ShownSize": ("Kind", {"Plane"}),
    "ListOrder": ("NeighborList", {"Static", "Dynamic", "Hybrid"}),
    "Velocity": ("Motion", {"Translation"}),
    "RotationRate": ("Motion", {"Rotation"}),
    "Amplitude": ("Motion", {"Oscillation"}),
    "Frequency": ("Motion", {"Oscillation"}),
    "Phase": ("Motion", {"Oscillation"}),
    "StartTime": ("Motion", {"Rotation", "Translation", "Oscillation"}),
    "StopTime": ("Motion", {"Rotation", "Translation", "Oscillation"}),
    "FlipFraction": ("Transfer", {"FLIP"}),
    "NewtonTolerance": ("Integrator", {"Implicit Midpoint", "Backward Euler"}),
    "NewtonIterations": ("Integrator", {"Implicit Midpoint", "Backward Euler"}),
    "LinearTolerance": ("Integrator", {"Implicit Midpoint", "Backward Euler"}),
    "LinearIterations": ("Integrator", {"Implicit Midpoint", "Backward Euler"}),
    "Spacing": ("Arrangement", {"Lattice", "Jittered Lattice"}),
    "Jitter": ("Arrangement", {"Jittered Lattice"}),
    "Radius": ("RadiusDistribution", {"Single", "Normal", "Log-Normal"}),
    "MinimumRadius": ("RadiusDistribution", {"Uniform", "Normal", "Log-Normal"}),
    "MaximumRadius": ("RadiusDistribution", {"Uniform", "Normal", "Log-Normal"}),
    "RadiusDeviation": ("RadiusDistribution", {"Normal", "Log-Normal"}),
    "RadiusTable": ("RadiusDistribution", {"Tabulated"}),
    "YoungsModulus": ("ForceLaw", {"Hertz"}),
    "PoissonsRatio": ("ForceLaw", {"Hertz"}),
    "NormalStiffness": ("ForceLaw", {"Linear Spring"}),
    "StressFactor": ("Method", {"Force Chains"}),
    "LargestAngle": ("Method", {"Force Chains"}),
    "FewestGrains": ("Method", {"Force Chains"}),
    "BucklingAngle": ("Method", {"Force Chains"}),
    "ForceFactor": ("Method", {"Strong Network"}),
}


def decorators(element):
    for k in range(element.GetNumberOfNestedElements() if element else 0):
        nested = element.GetNestedElement(k)
        if nested.GetAttribute("type") == "GenericDecorator":
            yield nested
        yield from decorators(nested)


def entries(prop):
    """Texts of an enumeration by value; empty for other properties."""
    domain = prop.FindDomain("vtkSMEnumerationDomain") if prop else None
    return {str(domain.GetEntryValue(i)): domain.GetEntryText(i) for i in range(domain.GetNumberOfEntries())} if domain else {}


def choices_show_their_options():
    seen = set()
    s = simulation()
    for proxy in (s, simple.DEMWall(Input=simple.Box()), mpm(), packing(), simple.DEMContactNetwork(Input=s), simple.DEMForceChains(Input=s)):
        for name in proxy.ListProperties():
            shown = {}
            for decorator in decorators(proxy.GetProperty(name).SMProperty.GetHints()):
                other = decorator.GetAttribute("property")
                texts = entries(proxy.SMProxy.GetProperty(other))
                # A property also stays visible while its own value is not the default.
                if not texts or other == name:
                    continue
                values = (decorator.GetAttribute("values") or decorator.GetAttribute("value")).split()
                check(set(values) <= set(texts), f"{name}: {other} has no choice {values}")
                chosen = {texts[v] for v in values}
                shown.setdefault(other, set()).update(set(texts.values()) - chosen if decorator.GetAttribute("inverse") == "1" else chosen)
            if shown:
                key = (proxy.GetXMLName(), name) if (proxy.GetXMLName(), name) in SHOWN_WITH else name
                check(shown == dict([SHOWN_WITH.get(key, (None, None))]), f"{name} is shown with {shown}")
                seen.add(key)
    check(seen == set(SHOWN_WITH), f"shown always: {set(SHOWN_WITH) - seen}")


def defaults():
    s = simple.DEMSimulation(Particles=simple.DEMPacking())
    expected = dict(TimeStep=0, EndTime=1, OutputInterval=0.01, TangentialHistory=1, FrictionLimit="Total",
                    TangentialDamping="Mindlin", ClampNormalForce=0, LimitDomain=1, AutomaticDomain=1, ExitX="Wall",
                    ExitY="Wall", ExitZ="Wall", Device="Auto", Precision="Mixed", Integrator="Velocity Verlet",
                    BroadPhase="Automatic", CellOrder="Row Major", CellSort="Counting", CellsPerParticle=8, LinkedCells="Loose", FixedCells="Column Major", CellCapacity=8,
                    HashFunction="Morton", HashTableFactor=2, HashOrder="Z-Order Curve", BVHKeyBits="63", HalfSearch=0, TriangleSearch="BVH", SortParticles="Every Rebuild",
                    SortSteps=1000, SortTime=1e-3, NeighborList="Automatic", StaticSize=0, SymmetricList=0, ThreadPer="Particle", ListOrder="Sorted",
                    Skin=0, ContactStatistics=0, FrameMemory=1024, SnapshotMemory=1024, DeviceFrameMemory=2048, WhenChanged="Restart",
                    SteeringEvents="", Monitor=0, MonitorInWindow=1, RestartFile="", CheckpointFile="", CheckpointInterval=0, CheckpointsKept=2,
                    AccumulateAverages=0, AveragesFillDomain=1, AveragesFrom=0, AveragesTo=0, AveragesInterval=0, AveragesMemoryLimit=4096,
                    RaySearch="Automatic", CoatingPatches=0)
    for name, value in expected.items():
        check(getattr(s, name) == value, f"{name} is {getattr(s, name)!r}, not {value!r}")
    check(list(s.Gravity) == [0, 0, -9.81])
    check(s.ContactModel.GetXMLLabel() == "Hertz-Mindlin" and s.RollingModel.GetXMLLabel() == "None")


def all_proxies():
    s = simulation()
    nozzle = simple.DEMNozzle()
    return [nozzle, simple.DEMSprayCoating(Input=s, Nozzles=[nozzle]), s, packing(), simple.DEMWall(Input=simple.Box()), simple.DEMAnalyticWall(), mpm(), simple.DEMCaseReader(), simple.DEMContactNetwork(Input=s),
            simple.DEMForceChains(Input=s), simple.DEMCellAverage(Input=s), simple.DEMCoarseGraining(Input=s), simple.DEMStatistics(Input=s)]


def component_labels(prop):
    hints = prop.GetHints()
    labels = hints.FindNestedElementByName("ShowComponentLabels") if hints else None
    return [labels.GetNestedElement(i).GetAttribute("label") for i in range(labels.GetNumberOfNestedElements())] if labels else []


def panels_fit():
    """The panel is 260 pixels wide by default. Labels between the components of a vector do not
    fit."""
    automatic = 0
    for proxy in all_proxies():
        for name in proxy.ListProperties():
            prop = proxy.GetProperty(name).SMProperty
            if not prop.IsA("vtkSMDoubleVectorProperty"):
                continue
            where = f"{proxy.GetXMLName()} {name}"
            labels = component_labels(prop)
            if prop.GetNumberOfElements() == 3 and name not in ("BrickEdges", "Velocity"):
                check(not labels, f"{where}: labels {labels} between its components")
            if prop.GetNumberOfElements() == 6:
                check(not labels or [n[:5] for n in labels] == ["X min", "X max", "Y min", "Y max", "Z min", "Z max"], f"{where}: {labels}")
            if prop.GetNumberOfElements() == 1 and "0 = automatic" in prop.GetDocumentation().GetDescription():
                check("0 = auto" in "".join(labels), f"{where}: the panel does not say that 0 is automatic: {labels}")
                automatic += 1
    check(automatic >= 4, f"{automatic} automatic values")


# Phrases of older texts that users did not understand.
ODD = ("nobody", "Least radius", "What walls do", "at least;", "is no surface", "sees the grains through", "no spheres", "as many as", "in place of",
       "is told", "takes part", "carry no material", "what is missing", "that tell", "under way", "anew")


def texts_are_plain():
    """A text ends with the default of its property and contains none of the phrases in ODD."""
    defaults = 0
    prototypes = servermanager.ProxyManager()
    s = simulation()
    models = []
    for model in ("Hertz-Mindlin", "Linear Spring-Dashpot"):
        s.ContactModel = model
        models.append(s.ContactModel)
    for proxy in all_proxies() + models:
        documented = [(proxy.GetXMLName(), proxy.SMProxy.GetDocumentation().GetDescription())]
        for name in proxy.ListProperties():
            prop = proxy.GetProperty(name).SMProperty
            text = " ".join(prop.GetDocumentation().GetDescription().split()) if prop.GetDocumentation() else ""
            documented.append((f"{proxy.GetXMLName()} {name}", text))
            if not prop.IsA("vtkSMDoubleVectorProperty") or prop.GetInformationOnly() or prop.GetRepeatable() or not prop.GetCommand():
                continue
            said = text.rpartition("Default: ")[2].rstrip(".").split()
            default = prototypes.GetPrototypeProxy(proxy.GetXMLGroup(), proxy.GetXMLName()).GetProperty(prop.GetXMLName())
            expected = [default.GetElement(i) for i in range(default.GetNumberOfElements())]
            check([float(v) for v in said] == expected, f"{proxy.GetXMLName()} {name}: the text says {said}, the default is {expected}")
            defaults += 1
        for where, text in documented:
            for odd in ODD:
                check(odd not in " ".join(text.split()), f"{where}: {odd!r} in its text")
    check(defaults > 80, f"{defaults} defaults")


def walls_by_names():
    """The list Wall Inputs and the input Walls have the same content, in scripts too."""
    def names(run):
        return [servermanager.ProxyManager().GetProxyName("sources", w.SMProxy) for w in run.Walls]

    for make in (simulation, mpm):
        a, b, c = (simple.Plane(registrationName=name) for name in "ABC")
        box = simple.Box(registrationName="B")  # another source of the same name
        run = make(Walls=[a, b])
        check(list(run.WallInputs) == ["A", "B"], str(list(run.WallInputs)))
        run.WallInputs = ["B", "C"]
        check(names(run) == ["B", "C"] and run.Walls[0].SMProxy == b.SMProxy, str(names(run)))
        run.WallInputs = ["C", "B (2)", "no such name"]
        check(names(run) == ["C", "B"] and run.Walls[1].SMProxy == box.SMProxy, str(names(run)))
        check(list(run.WallInputs) == ["C", "B (2)"], str(list(run.WallInputs)))
        run.Walls = [a]
        check(list(run.WallInputs) == ["A"], str(list(run.WallInputs)))
        run.WallInputs = []
        check(len(run.Walls) == 0, str(names(run)))
        for proxy in (run, a, b, c, box):
            simple.Delete(proxy)


def panels_hide_nothing_needed():
    s = simulation()
    for run in (s, mpm(), simple.DEMCaseReader()):
        check(run.GetProperty("WhenChanged").SMProperty.GetPanelVisibility() == "default", "When Changed is hidden")
        check(run.SMProxy.GetProperty("Reset").GetXMLLabel() == "Restart From 0", "two buttons are called Reset")
        run.InvokeCommand("Reset")
    for run in (s, mpm()):
        check(run.SMProxy.GetProperty("TableOfMaterials").GetPanelVisibility() == "default", "materials are hidden")
    wall = simple.DEMWall(Input=simple.Box()).SMProxy
    groups = {wall.GetPropertyGroup(i).GetXMLLabel(): wall.GetPropertyGroup(i).GetPanelWidget() for i in range(wall.GetNumberOfPropertyGroups())}
    check(groups.get("Axis (m)") == "InteractiveCylinder", f"an axis is not a plane: {groups}")


main(walls_by_names, texts_are_plain, panels_fit, panels_hide_nothing_needed, packing_properties, packing_takes_no_active_object, wall_properties, nozzle_properties, wall_of_a_file_is_neutral, simulation_properties, mpm_properties, reader_properties,
     choices_show_their_options, defaults)
