#!/usr/bin/env python3
"""Holds the schema of .dem files, the panels and the setters of the VTK classes equal to the rows of the scenes of all methods:
Scene/Describe.h, Walls/WallRows.h, Spray/NozzleRows.h, Scene/Packing/PackingRows.h and MaterialPoint/MpmDescribe.h in Kernels; and the arrays that a
panel offers to Particles/Columns.h.

check_properties.py PROGRAM: PROGRAM prints the rows as JSON (PrintProperties.cpp). Names each property that is missing or differs, and
exits 1 if there is one.
check_properties.py PROGRAM notice: makes faults on purpose and exits 1 if one of them is not named.
"""
import copy
import json
import os
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

# The objects of the schema in which the rows of a struct stand; "" is the document itself.
SCHEMA = {"Material": ["material"], "ContactModel": ["contact_model"], "HeatOptions": ["heat_transfer"], "FluidOptions": ["fluid"],
          "BroadPhaseOptions": ["broad_phase_options", ""],
          "NeighborListOptions": ["neighbor_list_options", ""], "AveragesOptions": ["averages"], "Domain": ["domain"],
          "Motion": ["motion"], "WallHeat": ["thermal"], "Wall": ["wall"], "ParticleInput": ["particles"], "Scene": [""],
          "PackingSpec": ["packing"], "Nozzle": ["nozzle"], "SprayOptions": [""], "StoreOptions": [""]}
# Keys of these objects that are no property: references to other parts, and other ways to state a property.
NO_PROPERTY = {"": {"$schema", "version", "method", "description", "materials", "pairs", "shapes", "particles", "packings", "walls", "domain",
                    "contact_model", "heat_transfer", "fluid", "broad_phase_options", "neighbor_list_options", "averages", "events", "nozzles"},
               "nozzle": {"description"},
               "material": {"description"}, "packing": {"description", "region"}, "wall": {"description", "file", "scale", "offset", "wall_contact", "wall_friction"}, "motion": {"rpm"},
               "thermal": {"value"}}
# The same for scenes of the Material Point Method, Data/mpm.schema.json.
MPM_SCHEMA = {"MpmMaterial": ["material"], "MpmDomain": ["domain"], "MpmWallContact": [""], "MpmImplicitOptions": ["implicit"], "MpmScene": [""]}
MPM_NO_PROPERTY = {"": {"$schema", "version", "method", "description", "materials", "bodies", "points_per_axis", "jitter", "seed", "walls", "domain",
                        "implicit", "events"},
                   "material": {"name", "description"}}
# The proxy and the class of a property: the first that has it.
DEM = (("DEMSimulation", "vtkDEMSimulation"), ("LinearSpringDashpot", "vtkDEMLinearSpringDashpot"), ("EPSD", "vtkDEMRollingEPSD"),
       ("Conduction", "vtkDEMHeatConduction"), ("GivenField", "vtkDEMFluidGivenField"), ("VolumeAveragedFlow", "vtkDEMFluidVolumeAveraged"))
PACKING = (("DEMPacking", "vtkDEMPacking"),)
WALL = (("DEMWall", "vtkDEMWall"),)
MPM = (("MPMSimulation", "vtkMPMSimulation"),)
NOZZLE = (("DEMNozzle", "vtkDEMNozzle"),)
PROXIES = {"PackingSpec": PACKING, "Motion": WALL, "WallHeat": WALL, "Wall": WALL, "Nozzle": NOZZLE, "MpmDomain": MPM, "MpmWallContact": MPM,
           "MpmImplicitOptions": MPM, "MpmScene": MPM}
# Properties of a DEM material that a wall does not have.
NOT_OF_WALLS = {"Name", "Density", "HeatCapacity"}
# Properties of these proxies without a row: switches of the panel, and sizes of what is read or made before the scene.
NO_ROW = {"DEMPacking": {"Size", "IntersectBox", "ShapeSize", "TabletDiameter", "TabletCupRadius", "TabletBeltHeight", "TabletEdgeRadius",
                         "BrickEdges", "ClumpSize"},
          "DEMWall": {"OwnMaterial", "ShownSize", "AddMotion"}, "DEMAnalyticWall": {"OwnMaterial", "ShownSize"},
          "DEMNozzle": {"ShownLength"},
          "MPMSimulation": {"FillSurfaces", "PointsPerAxis", "Jitter", "Seed", "AutomaticDomain", "WhenChanged"}}
# Defaults of the panels of MPM materials that are not those of the class: sand.
PRESETS = {("Drucker-Prager", "Density"): 1600, ("Drucker-Prager", "YoungsModulus"): 1e6}
# Functions that hand the values of a class to the scene.
READERS = ("Read\\w*", "Fill\\w*", "Get\\w+Material", "RequestData")


def number(text):
    try:
        return float(text)
    except (TypeError, ValueError):
        return None


def read(*path):
    with open(os.path.join(ROOT, *path), encoding="utf-8") as text:
        return text.read()


class Sources:
    """The texts that are compared with the rows."""

    def __init__(self, program):
        self.rows = json.loads(subprocess.run([program], check=True, capture_output=True, text=True).stdout)
        self.schema = json.loads(read("Data", "dem.schema.json"))
        self.mpm_schema = json.loads(read("Data", "mpm.schema.json"))
        self.proxies = {}
        self.mpm_materials = {}
        folder = os.path.join(ROOT, "ServerManagerXML")
        for name in sorted(os.listdir(folder)):
            if name == "WallProperties.xml.in":
                continue  # Wall.xml.in includes it
            text = read("ServerManagerXML", name).replace("@PARAGRAIN_WALL_PROPERTIES@", read("ServerManagerXML", "WallProperties.xml.in"))
            if "ServerManagerConfiguration" not in text:
                text = f"<ServerManagerConfiguration><Fragment name=\"{name}\">{text}</Fragment></ServerManagerConfiguration>"
            tree = ElementTree.fromstring(text)
            for proxy in tree.iter():
                if proxy.tag.endswith("Proxy") or proxy.tag == "Fragment":
                    self.proxies.setdefault(proxy.get("name") or "", []).extend(proxy)
            for group in tree.iter("ProxyGroup"):
                if group.get("name") == "mpm_materials":
                    self.mpm_materials = {proxy.get("label"): proxy for proxy in group}
        self.labels = dict(re.findall(r'^  \{ "(\w+)", "([^"]*)" \},$', read("Filters", "detail", "vtkDEMLabels.cxx"), re.M))
        self.resources = read("Plugin", "Resources", "ParaGrain.qrc")
        self.classes = {}
        for base, _, files in os.walk(os.path.join(ROOT, "Filters")):
            for name in files:
                if name.endswith((".h", ".cxx")):
                    self.classes[name] = read(os.path.relpath(os.path.join(base, name), ROOT))

    def properties(self, proxy, name):
        """The XML elements of a property; a proxy may take it from a fragment of its file."""
        own = [e for e in self.proxies.get(proxy, ()) if e.get("name") == name]
        if own or proxy != "DEMSimulation":
            return own
        return [e for part, elements in self.proxies.items() if part.endswith(".xml.in") for e in elements if e.get("name") == name]

    def text_of(self, name, extension):
        """The text of a class and of its bases in Filters."""
        text = self.classes.get(name + extension, "")
        base = re.search(rf"\nclass\s+(?:\w+\s+)?{name}\s*:\s*public\s+(\w+)", self.classes.get(name + ".h", ""))
        return text + (self.text_of(base.group(1), extension) if base else "")


# --- schema ---

def check_keys(sources, schema, name, structs, no_property):
    """Each row with a key has an equal entry of the schema, and each entry has a row."""
    wrong = []
    definitions = schema["definitions"]
    shared = {**sources.schema["definitions"], **definitions}

    def properties(where):
        return (definitions[where] if where else schema)["properties"]

    known = {where: set(names) for where, names in no_property.items()}
    for struct, places in structs.items():
        for row in sources.rows[struct]:
            key = row["key"]
            if not key:
                continue
            found = [(where, properties(where)[key]) for where in places if key in properties(where)]
            if not found:
                wrong.append(f"Data/{name} has no key '{key}' of {struct}")
                continue
            where, node = found[0]
            known.setdefault(where, set()).add(key)
            for fault in schema_faults(row, node, resolved(node, shared)):
                wrong.append(f"Data/{name}, key '{key}' of {struct}: {fault}")
            if row["mixed"]:
                pair = definitions["pair"]["properties"].get(key)
                faults = ["is missing"] if pair is None else schema_faults({**row, "default": None}, pair, pair)
                wrong += [f"Data/{name}, key '{key}' of pair: {fault}" for fault in faults]
            if row["per_particle"]:
                packed = definitions["packing"]["properties"].get(key)
                known.setdefault("packing", set()).add(key)
                faults = ["is missing"] if packed is None else schema_faults({**row, "type": "number", "default": None}, packed, packed)
                wrong += [f"Data/{name}, key '{key}' of packing: {fault}" for fault in faults]
    for where in sorted({place for places in structs.values() for place in places}):
        for key in sorted(set(properties(where)) - known.get(where, set())):
            wrong.append(f"Data/{name}, {where or 'document'}: the key '{key}' has no row in Kernels/Scene/Describe.h")
    return wrong


def check_events(schema, name, events):
    listed = schema["definitions"]["event"]["properties"]["property"]["enum"]
    return [f"Data/{name}, property of an event: '{event}' is {'missing' if event in events else 'not steered'}"
            for event in sorted(set(events) ^ set(listed))]


def check_schema(sources):
    def steered(*structs):
        return [row["property"] for struct in structs for row in sources.rows[struct] if row["steered"]]

    material = steered("Material")
    events = steered("Scene", "Motion", "WallHeat") + material + ["Wall" + name for name in material] + [
        "Nozzle" + name for name in steered("Nozzle")]
    return (check_keys(sources, sources.schema, "dem.schema.json", SCHEMA, NO_PROPERTY)
            + check_events(sources.schema, "dem.schema.json", events)
            + check_keys(sources, sources.mpm_schema, "mpm.schema.json", MPM_SCHEMA, MPM_NO_PROPERTY)
            + check_events(sources.mpm_schema, "mpm.schema.json", steered("MpmScene", "MpmMaterial", "MpmDomain", "MpmWallContact", "Motion")))


def resolved(node, definitions):
    return definitions[node["$ref"].rsplit("/", 1)[1]] if "$ref" in node else node


def schema_faults(row, node, target):
    faults = []
    kind = row["type"]
    if kind == "integer" and target.get("type") == "string":
        return []  # an index, which files state as a name
    if kind in ("number", "integer", "integers") and not row.get("choices"):
        limits = target["items"] if kind == "integers" else target
        # A default of the schema may bound integers from above, where the type of the solver does.
        for key, name in (("above", "exclusiveMinimum"), ("lower", "minimum"), ("upper", "maximum")):
            if key in row and limits.get(name) != row[key]:
                faults.append(f"{name} is {limits.get(name)}, but its row says {row[key]}")
            if key not in row and name in limits and not (name == "maximum" and kind.startswith("integer")):
                faults.append(f"{name} is {limits[name]}, but its row has no such limit")
    if row.get("choices") and target.get("enum") != row["choices"]:
        faults.append(f"the values are {target.get('enum')}, but its row says {row['choices']}")
    if "names" in row and kind == "enumeration" and target.get("enum") != row["names"]:
        faults.append(f"the names are {target.get('enum')}, but its row says {row['names']}")
    default = node.get("default", target.get("default"))
    if default is not None and default != row["default"]:
        faults.append(f"the default is {default}, but its row says {row['default']}")
    if default is None and row["default"] is not None and kind in ("number", "integer", "boolean", "enumeration", "integers") and needs_default(row):
        faults.append("the default is missing")
    said = node.get("description", "") + " " + target.get("description", "")
    if row["unit"] and kind != "other" and not has_unit(said, row["unit"]):
        faults.append(f"the description does not say the unit {row['unit']}")
    return faults


def needs_default(row):
    # Of walls and motions: needed by some kinds, without a default. Of MPM: automatic, and angles that the solver states in radians.
    return row["key"] not in ("grid_spacing", "friction_angle", "fast_friction_angle",
                              "kind", "material", "radius", "end_radius", "rate", "amplitude", "frequency", "stop", "wall_material")


def has_unit(text, unit):
    text = text.replace("\u00b3", "^3").replace("\u00b2", "^2")
    return re.search(rf"(?<![\w/^]){re.escape(unit)}(?![\w/^])", text) is not None


# --- panels and VTK classes ---

def panel_names(struct, row):
    """The panel properties of a row, with the way in which they show it."""
    name = row["panel"]
    if row["type"] == "enumeration of each axis":
        return [(name + axis, "value") for axis in "XYZ"]
    if row["type"] == "enumeration of each border":
        return [(name + axis + side, "value") for axis in "XYZ" for side in ("Lower", "Upper")]
    if struct != "Material":
        return [(name, "value")]
    return ([(name, "value"), ("Wall" + name, "value"), ("Material" + name, "list")] if name != "Name" else [("Material" + name, "list")])


def label_faults(sources, element, name, way):
    """Messages name a property by its label, which vtkDEMLabels knows if it is not the name."""
    label = element.get("label")
    if way == "list" or label in (None, name) or sources.labels.get(name) == label:
        return []
    return [f"Filters/detail/vtkDEMLabels.cxx: no entry shows {name} as '{label}'"]


def property_faults(sources, row, proxies, name, way="value"):
    found = [(proxy, cls, sources.properties(proxy, name)) for proxy, cls in proxies]
    found = [entry for entry in found if entry[2]]
    if not found:
        return [f"ServerManagerXML, {' and '.join(proxy for proxy, _ in proxies)} have no property {name}. If another proxy has it, "
                "name that proxy in check_properties.py"]
    proxy, cls, elements = found[0]
    return label_faults(sources, elements[0], name, way) + ([f"ServerManagerXML, {proxy}, {name}: {fault}" for fault in xml_faults(row, elements[0], way)]
            + [f"Filters, {cls}, {name}: {fault}" for fault in class_faults(sources, row, cls, name, way)])


def check_panels(sources):
    wrong = []
    for struct, rows in sources.rows.items():
        for row in rows:
            if struct in ("Columns", "MpmMaterial") or not row["in_panel"]:
                continue
            for name, way in panel_names(struct, row):
                wrong += property_faults(sources, row, PROXIES.get(struct, DEM), name, way)
            if struct == "Material":
                elements = sources.properties("DEMMaterial", row["property"])
                faults = xml_faults(row, elements[0], "entry") if elements else ["is missing"]
                wrong += [f"ServerManagerXML, DEMMaterial, {row['property']}: {fault}" for fault in faults]
                if row["property"] not in NOT_OF_WALLS:
                    wrong += property_faults(sources, row, WALL, row["property"])
    return wrong + check_mpm_materials(sources) + check_rows_exist(sources)


def check_mpm_materials(sources):
    """Each kind of material is a proxy with the properties that apply to it; all are of one class."""
    rows = sources.rows["MpmMaterial"]
    wrong = []
    kinds = rows[0]["names"]
    wrong += [f"ServerManagerXML, mpm_materials: there is no kind '{label}'" for label in sorted(set(sources.mpm_materials) - set(kinds))]
    for number_of_kind, kind in enumerate(kinds):
        proxy = sources.mpm_materials.get(kind)
        if proxy is None:
            wrong.append(f"ServerManagerXML, mpm_materials has no proxy '{kind}'")
            continue
        elements = {e.get("name"): e for e in proxy if e.tag.endswith("VectorProperty")}
        law = elements.pop("Law", None)
        if law is None or {law.get("default_values"), *(law.find("IntRangeDomain").get(end) for end in ("min", "max"))} != {str(number_of_kind)}:
            wrong.append(f"ServerManagerXML, {kind}: its Law is not {number_of_kind}")
        for row in rows[1:]:
            name = row["panel"]
            element = elements.pop(name, None)
            if kind not in row["kinds"]:
                wrong += [f"ServerManagerXML, {kind}: {name} does not apply to it"] if element is not None else []
                continue
            if (kind, name) in PRESETS:
                row = {**row, "panel_default": str(PRESETS[kind, name])}
            faults = ["is missing"] if element is None else xml_faults(row, element, "value")
            wrong += [f"ServerManagerXML, {kind}, {name}: {fault}" for fault in faults]
        wrong += [f"ServerManagerXML, {kind}, {name}: it has no row in Kernels/MaterialPoint/MpmDescribe.h" for name in elements]
    for row in rows[1:]:
        wrong += [f"Filters, vtkMPMMaterial, {row['panel']}: {fault}"
                  for fault in class_faults(sources, row, "vtkMPMMaterial", row["panel"], "value")]
    return wrong


def check_rows_exist(sources):
    """Numbers and choices of these panels have a row, or are listed above."""
    wrong = []
    for proxy, without in NO_ROW.items():
        described = "DEMWall" if proxy == "DEMAnalyticWall" else proxy
        known = {name for struct, rows in sources.rows.items() for row in rows if PROXIES.get(struct, DEM)[0][0] == described
                 for name, _ in panel_names(struct, row)}
        if described == "DEMWall":
            known |= {row["property"] for row in sources.rows["Material"]} - NOT_OF_WALLS
        names = {e.get("name") for e in sources.proxies[proxy]
                 if e.tag in ("DoubleVectorProperty", "IntVectorProperty") and (e.get("command") or "").startswith("Set")
                 and not e.get("repeat_command")}
        wrong += [f"ServerManagerXML, {proxy}, {name}: it has no row" for name in sorted(names - known - without)]
        wrong += [f"ServerManagerXML, {proxy}: there is no {name}, which {__file__} lists" for name in sorted(without - names)]
    return wrong


def panel_default(row):
    """The default as numbers."""
    if "panel_default" in row:
        return [float(x) for x in row["panel_default"].split()]
    default = row["default"]
    if "names" in row:
        return [row["names"].index(default)]
    return [float(x) for x in default] if isinstance(default, list) else [float(default)]


def xml_faults(row, element, way):
    if row["type"] == "other":
        return []
    faults = []
    if way != "entry" and element.get("command") not in (("Set" if way == "value" else "Add") + element.get("name"),):
        faults.append(f"its command is {element.get('command')}")
    text = " ".join(element.findtext("Documentation", "").split())
    if way != "list":
        values = [number(x) for x in element.get("default_values", "").split()]
        if values != panel_default(row):
            faults.append(f"the default is {element.get('default_values')}, but its row says {panel_default(row)}")
        said = re.search(r"Default: (.*?)\.(?: |$)", text)
        if said and "names" in row and said.group(1) != row["names"][int(panel_default(row)[0])]:
            faults.append(f"its text says the default {said.group(1)}")
        if said and "names" not in row and [number(x) for x in said.group(1).split()] != panel_default(row):
            faults.append(f"its text says the default {said.group(1)}")
        faults += xml_range_faults(row, element)
    if row["type"] in ("number", "integer", "integers", "vector"):
        unit = row["panel_unit"]
        if unit:
            if not has_unit(text, unit):
                faults.append(f"its text does not say the unit {unit}")
            labels = [label.get("label") for label in element.iter("ComponentLabel")]
            if labels and any(label.strip() for label in labels[1:]) is False:
                labels = labels[:1]  # one label for all components
            faults += [f"its label {label} does not say the unit {unit}" for label in labels
                       if not has_unit(label, unit.replace("degrees", "deg"))]
        elif "without unit" not in text and not row.get("choices"):
            faults.append("its text does not say 'without unit'")
    return faults


def xml_range_faults(row, element):
    if row["type"] == "boolean":
        return [] if element.find("BooleanDomain") is not None else ["it has no BooleanDomain"]
    entries = [(entry.get("value"), entry.get("text")) for entry in element.iter("Entry")]
    if "names" in row:
        wanted = [(str(i), name) for i, name in enumerate(row["names"])]
        return [] if entries == wanted else [f"its entries are {entries}, but its row says {wanted}"]
    if row.get("choices"):
        wanted = [(str(i), str(i)) for i in row["choices"]]
        return [] if entries == wanted else [f"its entries are {entries}, but its row says {wanted}"]
    domain = element.find("DoubleRangeDomain") if element.tag.startswith("Double") else element.find("IntRangeDomain")
    if domain is None:
        return ["it has no range"]
    wanted = (row.get("above", row.get("lower")), row.get("upper"))
    found = (number(domain.get("min")), number(domain.get("max")))
    return [] if found == wanted else [f"its range is {found}, but its row says {wanted}"]


def class_faults(sources, row, cls, name, way):
    header, source = sources.text_of(cls, ".h"), sources.text_of(cls, ".cxx")
    faults = []
    function = ("Set" if way == "value" else "Add") + name
    setter = re.search(rf"(?:void {function}\(|vtkSet\w*Macro\(\s*{name}\b)", header)
    if not setter:
        faults.append("it has no setter")
    if way == "list":
        return faults
    comment = header[header.rfind("/**", 0, setter.start()):setter.start()] if setter else ""
    if setter and row["panel_unit"] and not has_unit(comment, row["panel_unit"]):
        faults.append(f"the comment of its setter does not say the unit {row['panel_unit']}")
    values = re.search(rf"^\s+(?:double|int|bool) {name}(?:\[\d\])? = ([^;]*);", header, re.M)
    # A class may give another first value to an array of its base.
    copied = re.search(rf"const double (\w+)\[\d\] = ([^;]*);\s+std::copy_n\(\1, \d, this->{name}\);", source)
    values = re.search(r"= ([^;]*);", copied.group(0)) if copied else values
    found = initializer(values.group(1), enumerators(header)) if values else None
    if found != panel_default(row):
        faults.append(f"its member begins with {values and values.group(1)}, but its row says {panel_default(row)}")
    if f'"{name}: "' not in source and f'"{name}:"' not in source:
        faults.append("PrintSelf does not print it")
    readers = "".join(body for body in re.findall(rf"::(?:{'|'.join(READERS)})\(.*?\n}}", source, re.S))
    if f"this->{name}" not in readers:
        faults.append("no function hands it to the scene")
    return faults


# --- columns of the particles ---

UNIT = r"(?:m|s|Pa|MiB|K|degrees|pixels|%|kg/m\^3|J/m\^2|m/s(?:\^2)?|(?:rad|degrees)/s|N/m|Hz|1/s|Pa s)"
# Their widgets are those of ParaView's own representations.
OF_PARAVIEW = {"Position", "Orientation", "Origin"}


def shows_label(element):
    """Whether ParaView draws component labels: beside text fields of doubles, not beside integers and sliders."""
    domains = [e for e in element if e.tag.endswith("Domain")]
    last = max(domains, key=lambda e: e.get("name"), default=None)  # the one that the widget takes
    slider = last is not None and (last.tag != "DoubleRangeDomain" or (last.get("min") and last.get("max")))
    return element.tag == "DoubleVectorProperty" and (element.get("number_of_elements") != "1" or not slider)


def check_units(sources):
    """A number whose text has a unit shows it in the panel: by a label beside it, or in the title of its group."""
    wrong = []
    for proxy, elements in sources.proxies.items():
        titles, collected = {}, set()
        for group in (e for e in elements if e.tag == "PropertyGroup"):
            names = {e.get("name") for e in group if e.tag == "Property"}
            if group.get("panel_widget") == "PropertyCollection":
                collected |= names  # shown by another proxy
            else:
                titles.update(dict.fromkeys(names, group.get("label")))
        for e in elements:
            name = e.get("name")
            if (e.tag not in ("DoubleVectorProperty", "IntVectorProperty") or e.get("information_only") or e.get("panel_visibility") == "never"
                    or e.find("EnumerationDomain") is not None or name in collected or (proxy == "DEMSpheresRepresentation" and name in OF_PARAVIEW)):
                continue
            labels = [label.get("label") for label in e.iter("ComponentLabel")]
            if labels and not shows_label(e):
                wrong.append(f"ServerManagerXML, {proxy}, {name}: ParaView shows its label {labels[0]} only beside a text field of a double")
            unit = re.search(rf"\bin ({UNIT})[;,.]", " ".join(e.findtext("Documentation", "").split()))
            if unit and not labels and "(" not in titles.get(name, "") and not e.get("repeat_command"):
                wrong.append(f"ServerManagerXML, {proxy}, {name}: the panel does not show its unit {unit.group(1)}")
    return wrong


def check_icons(sources):
    """A command of the menu Granular has an icon, which is a resource."""
    resources = set(re.findall(r"<file>([^<]*)</file>", sources.resources))
    wrong = []
    for proxy, elements in sources.proxies.items():
        for menu in (m for e in elements for m in e.iter("ShowInMenu") if m.get("category") == "Granular"):
            icon = (menu.get("icon") or "").rpartition("/")[2]
            if icon not in resources:
                wrong.append(f"ServerManagerXML, {proxy}: " + (f"Plugin/Resources has no icon {icon}" if icon else "it has no icon in the menu"))
    return wrong


def check_columns(sources):
    """Passive columns: their names in inputs, and the selection and the units of the arrays that are shown."""
    wrong = []
    element = sources.properties("DEMSimulation", "ParticleArrays")[0]
    parts = element.get("default_values").split(",")
    selected = dict(zip(parts[::2], parts[1::2]))
    offered = [string.get("value") for string in element.iter("String")]
    units = dict(re.findall(r'\{ "(\w+)", "([^"]*)" \}', read("Plugin", "Representations", "vtkSMDEMColoring.cxx")))
    for row in sources.rows["Columns"]:
        name = row["name"]
        where = f"Kernels/Particles/Columns.h, {name}: "
        if row["input"] not in ("", name):
            wrong.append(where + f"the input is {row['input']}")
        if row["default"] != row["property_default"]:
            wrong.append(where + f"the default is {row['default']}, but that of its property is {row['property_default']}")
        if not row["shown"]:
            continue
        if selected.get(name) != "0" or name not in offered:
            wrong.append(where + "ParticleArrays of RunProperties.xml.in does not offer it, off by default")
        if row["unit"] and (units.get(name) != row["unit"]):
            wrong.append(where + f"its unit in legends (vtkSMDEMColoring.cxx) is {units.get(name)}")
    if int(element.get("number_of_elements")) != len(parts) or list(selected) != offered:
        wrong.append("RunProperties.xml.in, ParticleArrays: its numbers of arrays differ")
    return wrong


def enumerators(header):
    """The values of the enumerators in a header."""
    values = {}
    for body in re.findall(r"\benum \w+\s*\{([^}]*)\}", header):
        following = 0
        for entry in body.split(","):
            name, _, given = (part.strip() for part in entry.partition("="))
            value = number(given) if given else following
            values[name] = value
            following = (value or 0) + 1
    return values


def initializer(text, names):
    values = []
    for part in text.strip("{} ").split(","):
        part = {"true": "1", "false": "0"}.get(part.strip(), part.strip())
        part = str(names.get(part, part))
        quotient = part.split("/")
        if any(number(x) is None for x in quotient):
            return None
        values.append(number(part) if len(quotient) == 1 else number(quotient[0]) / number(quotient[1]))
    return values


def check(sources):
    return check_schema(sources) + check_panels(sources) + check_columns(sources) + check_units(sources) + check_icons(sources)


# --- a test of the test ---

def row_of(sources, struct, name):
    return next(row for row in sources.rows[struct] if name in (row["key"], row["property"]))


def notices(sources):
    """Faults made on purpose, and a text that a message about each must have."""
    def change_row(struct, key, **values):
        return lambda s: row_of(s, struct, key).update(values)

    def new_row(s):
        s.rows["Material"].append({**row_of(s, "Material", "Friction"), "key": "colour_index", "property": "ColourIndex",
                                   "panel": "ColourIndex"})

    def edit_class(name, old, new):
        def edit(s):
            assert old in s.classes[name], (name, old)
            s.classes[name] = s.classes[name].replace(old, new)
        return edit

    def edit_xml(name, attribute, value, proxy="DEMSimulation"):
        def edit(s):
            s.properties(proxy, name)[0].set(attribute, value)
        return edit

    def edit_material(kind, name, attribute, value):
        def edit(s):
            next(e for e in s.mpm_materials[kind] if e.get("name") == name).set(attribute, value)
        return edit

    def drop_property(proxy, name):
        def edit(s):
            s.proxies[proxy] = [e for e in s.proxies[proxy] if e.get("name") != name]
        return edit

    def add_property(proxy, name):
        def edit(s):
            element = ElementTree.Element("DoubleVectorProperty", {"name": name, "command": "Set" + name})
            (s.mpm_materials[proxy] if proxy in s.mpm_materials else s.proxies[proxy]).append(element)
        return edit

    def edit_schema(where, key, name, value):
        def edit(s):
            s.schema["definitions"][where]["properties"][key][name] = value
        return edit

    return [
        (new_row, "no key 'colour_index'"), (new_row, "no property ColourIndex"), (new_row, "no property WallColourIndex"),
        (change_row("Scene", "skin", panel_unit="mm"), "Skin: its text does not say the unit mm"),
        (change_row("Scene", "skin", default=0.5), "Skin: the default is 0"),
        (change_row("Scene", "skin", upper=1.0), "Skin: its range is"),
        (change_row("Scene", "skin", upper=1.0), "key 'skin' of Scene: maximum is None"),
        (change_row("BroadPhaseOptions", "CellOrder", names=["Row Major", "Tiles"]), "CellOrder: its entries"),
        (change_row("Material", "Density", steered=True), "property of an event: 'Density' is missing"),
        (edit_xml("Density", "default_values", "2600"), "DEMSimulation, Density: the default is 2600"),
        (edit_xml("Density", "command", "SetWeight"), "Density: its command is SetWeight"),
        (edit_schema("material", "density", "exclusiveMinimum", 1), "key 'density' of Material: exclusiveMinimum"),
        (edit_schema("packing", "temperature", "minimum", 1), "key 'temperature' of packing: minimum"),
        (lambda s: s.rows["Columns"].append({**s.rows["Columns"][0], "name": "Wetness"}), "Wetness: ParticleArrays"),
        (edit_xml("ParticleArrays", "default_values", "Velocity,1,Temperature,1"), "Temperature: ParticleArrays"),
        (lambda s: s.rows["Columns"][0].update(unit="degC"), "Temperature: its unit in legends"),
        (lambda s: s.rows["Columns"][0].update(default=0), "Temperature: the default is 0"),
        (edit_schema("material", "density", "default", 1), "key 'density' of Material: the default is 1"),
        (lambda s: s.schema["definitions"]["contact_model"]["properties"].update(colour={}), "the key 'colour' has no row"),
        (edit_class("vtkDEMSimulation.h", "void SetDensity(", "void SetWeight("), "Density: it has no setter"),
        (edit_class("vtkDEMSimulation.h", "double Density = 2500", "double Density = 1"), "Density: its member begins with 1"),
        (edit_class("vtkDEMSimulation.cxx", '"Density: "', '"Weight: "'), "Density: PrintSelf"),
        (edit_class("vtkDEMSimulation.cxx", "this->Skin;\n  scene.contact", "0;\n  scene.contact"), "Skin: no function hands it"),
        (lambda s: s.labels.pop("SurfaceEnergy"), "no entry shows SurfaceEnergy as 'Surface Energy'"),
        # units and icons
        (lambda s: next(e for e in s.proxies["DEMSimulation"] if e.get("label") == "Gravity (m/s²)").set("label", "Gravity"),
         "Gravity: the panel does not show its unit m/s^2"),
        (lambda s: s.properties("DEMStatistics", "HeightPercentile")[0].findall("DoubleRangeDomain")[1].set("name", "a"),
         "HeightPercentile: ParaView shows its label % only"),
        (lambda s: setattr(s, "resources", s.resources.replace("Shapes.svg", "")), "DEMShapes: Plugin/Resources has no icon Shapes.svg"),
        # panels of packings and walls
        (change_row("PackingSpec", "Jitter", upper=2.0), "DEMPacking, Jitter: its range is"),
        (change_row("PackingSpec", "Jitter", upper=2.0), "key 'jitter' of PackingSpec: maximum is 1"),
        (change_row("PackingSpec", "AngularVelocity", panel_unit="rad/s"), "AngularVelocity: its text does not say the unit rad/s"),
        (edit_xml("Radius", "default_values", "0.02", "DEMPacking"), "DEMPacking, Radius: the default is 0.02"),
        (edit_class("vtkDEMPacking.h", "int Arrangement = JITTERED_LATTICE", "int Arrangement = RANDOM"), "Arrangement: its member begins with RANDOM"),
        (edit_class("vtkDEMPacking.cxx", "spec.jitter = this->Jitter;", ""), "Jitter: no function hands it"),
        (add_property("DEMPacking", "Colour"), "DEMPacking, Colour: it has no row"),
        (change_row("Motion", "stop", panel_default="1e8"), "DEMWall, StopTime: the default is 1e9"),
        (change_row("Motion", "phase", panel_unit="rad"), "DEMWall, Phase: its text does not say the unit rad"),
        (drop_property("DEMWall", "Amplitude"), "DEMWall have no property Amplitude"),
        (edit_xml("Friction", "default_values", "0.4", "DEMWall"), "DEMWall, Friction: the default is 0.4"),
        (edit_class("vtkDEMWall.cxx", '"Origin: "', '"Middle: "'), "Origin: PrintSelf"),
        # panels of nozzles
        (change_row("Nozzle", "MassRate", above=1.0), "DEMNozzle, MassRate: its range is"),
        (edit_xml("FullAngle", "default_values", "60", "DEMNozzle"), "DEMNozzle, FullAngle: the default is 60"),
        (edit_class("vtkDEMNozzle.cxx", "nozzle.seed = this->Seed;", ""), "Seed: no function hands it"),
        (edit_schema("nozzle", "mass_rate", "default", 1), "key 'mass_rate' of Nozzle: the default is 1"),
        # files and panels of MPM
        (change_row("MpmScene", "flip_fraction", upper=2.0), "mpm.schema.json, key 'flip_fraction' of MpmScene: maximum is 1"),
        (change_row("MpmMaterial", "law", names=["Corotated"]), "mpm.schema.json, key 'law' of MpmMaterial: the names are"),
        (lambda s: s.mpm_schema["definitions"]["implicit"]["properties"].update(colour={}), "implicit: the key 'colour' has no row"),
        (change_row("MpmMaterial", "Density", steered=True), "mpm.schema.json, property of an event: 'Density' is missing"),
        (change_row("MpmScene", "CourantNumber", upper=2.0), "MPMSimulation, CourantNumber: its range is"),
        (change_row("MpmScene", "Kernel", names=["Quadratic"]), "MPMSimulation, Kernel: its entries"),
        (change_row("MpmDomain", "border", panel_default="0"), "MPMSimulation, BorderXUpper: the default is 2"),
        (change_row("MpmWallContact", "WallContactFriction", panel="Grip"), "MPMSimulation have no property Grip"),
        (change_row("MpmImplicitOptions", "NewtonTolerance", default=1e-5), "NewtonTolerance: its text says the default 1e-6"),
        (edit_class("vtkMPMSimulation.cxx", "domain[6] = { -1, 1,", "domain[6] = { -2, 1,"), "Domain: its member begins with { -2, 1"),
        (edit_class("vtkMPMSimulation.cxx", "scene.cfl = this->CourantNumber;", ""), "CourantNumber: no function hands it"),
        (add_property("MPMSimulation", "Colour"), "MPMSimulation, Colour: it has no row"),
        (change_row("MpmMaterial", "Viscosity", kinds=["Fluid", "Corotated"]), "Corotated, Viscosity: is missing"),
        (change_row("MpmMaterial", "Viscosity", kinds=[]), "Fluid: Viscosity does not apply to it"),
        (change_row("MpmMaterial", "Law", names=["Corotated"]), "there is no kind 'Fluid'"),
        (edit_material("Von Mises", "Law", "default_values", "3"), "Von Mises: its Law is not 4"),
        (edit_material("Von Mises", "YieldStress", "default_values", "3"), "Von Mises, YieldStress: the default is 3"),
        (add_property("Fluid", "Colour"), "Fluid, Colour: it has no row"),
        (edit_class("vtkMPMMaterial.h", "double Gamma = 7", "double Gamma = 1"), "vtkMPMMaterial, Gamma: its member begins with 1"),
    ]


def notice(sources):
    wrong = []
    for fault, text in notices(sources):
        spoiled = copy.deepcopy(sources)
        fault(spoiled)
        if not any(text in line for line in check(spoiled)):
            wrong.append(f"not noticed: {text}")
    return wrong


def main():
    sources = Sources(sys.argv[1])
    wrong = notice(sources) if sys.argv[2:] == ["notice"] else check(sources)
    for line in wrong:
        print(line)
    print(f"{len(wrong)} faults")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
