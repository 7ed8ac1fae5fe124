#!/usr/bin/env python3
"""Checks the house rules that a machine can check: who may include whom (ARCHITECTURE.md). Exits 1 and names each line that breaks one."""
import os
import re
import sys

root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Each room of Kernels and the rooms it may include, besides itself, from the ground up.
ALLOWED = {
    "Core": set(),
    "Physics": {"Core"},
    "Shapes": {"Core"},
    "BroadPhase": {"Core"},
    "Walls": {"Core", "Shapes", "BroadPhase"},
    "NeighborList": {"Core", "BroadPhase", "Walls"},
    "Analysis": {"Core", "BroadPhase", "Physics", "Walls", "NeighborList"},
    "Spray": {"Core", "Shapes", "BroadPhase", "Walls", "Analysis"},
    "Fluid": {"Core", "Physics"},
    "Scene": {"Core", "Physics", "Shapes", "BroadPhase", "Walls", "NeighborList", "Analysis", "Spray", "Fluid"},
    "Particles": {"Core", "Physics", "BroadPhase", "NeighborList", "Scene"},
    "Integrators": {"Core", "Particles"},
    "Bodies": {"Core", "NeighborList", "Scene", "Particles", "Integrators"},
    "Forces": {"Core", "Physics", "Shapes", "BroadPhase", "Walls", "NeighborList", "Scene", "Particles", "Integrators", "Bodies"},
    "Measure": {"Core", "Walls", "NeighborList", "Analysis", "Spray", "Scene", "Particles", "Bodies", "Forces"},
    "Domain": {"Core", "BroadPhase", "NeighborList", "Particles", "Bodies", "Measure"},
    "Coupling": {"Core", "Physics", "NeighborList", "Analysis", "Fluid", "Scene", "Particles", "Forces", "Measure"},
    "Heat": {"Core", "Physics", "Shapes", "Walls", "NeighborList", "Scene", "Particles", "Bodies", "Forces", "Measure", "Domain"},
    "State": {"Core", "NeighborList", "Scene", "Particles", "Measure"},
    "Solver": {"Core", "Walls", "NeighborList", "Analysis", "Scene", "Particles", "Integrators", "Bodies", "Forces", "Measure",
               "Domain", "Heat", "Coupling", "State"},
    "MaterialPoint": {"Core", "BroadPhase", "Physics", "Walls", "Analysis", "Scene", "Measure"},
}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')
QT = re.compile(r"^Q[A-Z]|^pq[A-Z]|^Qt")
RENDERING = re.compile(r"^vtk(Render|OpenGL|PointGaussian|.*Representation|.*Mapper|Actor)")
ASSEMBLY = re.compile(r"\b(__)?asm(__)?\s*(volatile\s*)?\(")
SOURCES = (".h", ".cuh", ".cu", ".cpp", ".cxx", ".inl", ".in")


def lines(folder):
    for base, _, files in os.walk(os.path.join(root, folder)):
        for name in sorted(files):
            if not name.endswith(SOURCES):
                continue
            path = os.path.join(base, name)
            with open(path, encoding="utf-8") as text:
                for number, line in enumerate(text, 1):
                    yield os.path.relpath(path, root), number, line


def includes(folder):
    for path, number, line in lines(folder):
        match = INCLUDE.match(line)
        if match:
            yield path, number, match.group(1)


def room_of(parts):
    return parts[1] if parts[:2] == ["Solver", "Integrators"] else parts[0]


def check():
    wrong = []
    for path, number, target in includes("Kernels"):
        where = f"{path}:{number}: includes {target}"
        if target.startswith("vtk") or QT.match(target):
            wrong.append(where + ": Kernels know no VTK and no Qt")
        room, other = room_of(path.split(os.sep)[1:]), room_of(target.split("/"))
        if other in ALLOWED and other != room and other not in ALLOWED[room]:
            wrong.append(where + f": {room} may not know {other}")
        if path.endswith(".h") and "detail" not in path and (target.endswith(".cuh") or "cuda" in target):
            # makeWallSet's header is the one place where host code meets the bodies; it holds no CUDA
            if path != os.path.join("Kernels", "Walls", "WallMesh.h"):
                wrong.append(where + ": public headers hold no device code")
    for path, number, line in lines("Kernels"):
        if ASSEMBLY.search(line) and path != os.path.join("Kernels", "Core", "Ptx.cuh"):
            wrong.append(f"{path}:{number}: instructions of a device have a name in Core/Ptx.cuh")
        if "<<<" in line:
            wrong.append(f"{path}:{number}: kernels are launched by cudaLaunchKernelEx, an engine's through its execution policy")
    for path, number, target in includes("Filters"):
        where = f"{path}:{number}: includes {target}"
        if QT.match(target) or RENDERING.match(target):
            wrong.append(where + ": Filters know no Qt and no rendering")
        if target.endswith((".cuh", ".cu")) or "cuda" in target.lower():
            wrong.append(where + ": Filters never see CUDA")
    return wrong + tests() + labels()


def tests():
    """Testing/Kernels has the folders of Kernels, and Support for what several rooms use."""
    wrong, base = [], os.path.join("Testing", "Kernels")
    for folder, _, files in os.walk(os.path.join(root, base)):
        room = os.path.relpath(folder, os.path.join(root, base))
        if room not in (".", "Support") and not os.path.isdir(os.path.join(root, "Kernels", room)):
            wrong.append(f"{os.path.join(base, room)}: Kernels has no such room")
        wrong += [f"{os.path.join(base, name)}: tests stand in the folder of their room" for name in files
                  if room == "." and name.startswith("Test")]
    return wrong


def labels():
    """Messages name properties by the labels of the panels: each entry of vtkDEMLabels is a property and its label in the XML."""
    shown = {}
    folder = os.path.join(root, "ServerManagerXML")
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name), encoding="utf-8") as text:
            for prop, rest in re.findall(r'<\w+Property\s+name="(\w+)"([^>]*)>', text.read()):
                label = re.search(r'label="([^"]*)"', rest)
                shown.setdefault(prop, set()).add(label.group(1) if label else prop)
    path = os.path.join("Filters", "detail", "vtkDEMLabels.cxx")
    with open(os.path.join(root, path), encoding="utf-8") as text:
        entries = re.findall(r'^  \{ "(\w+)", "([^"]*)" \},$', text.read(), re.M)
    wrong = [f"{path}: {prop} is shown as {label!r}, but the panels say {sorted(shown.get(prop, ()))}" for prop, label in entries
             if label not in shown.get(prop, ())]
    if [prop for prop, _ in entries] != sorted({prop for prop, _ in entries}) or len(entries) < 100:
        wrong.append(f"{path}: the entries must ascend")
    return wrong


if __name__ == "__main__":
    found = check()
    for line in found:
        print(line)
    print(f"{len(found)} broken house rules")
    sys.exit(1 if found else 0)
