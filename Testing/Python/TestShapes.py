"""Grains of other shapes than spheres in the pipeline: DEM Packing creates them, DEM Simulation
moves them, DEM Shapes draws them. Invalid input gives a message."""
import json
import os

import numpy
from dem_testing import WORK, Messages, arrays, check, clear, expect, fetch, main, packing, simulation
from paraview import simple
from vtkmodules.vtkFiltersCore import vtkMassProperties, vtkTriangleFilter

KINDS = ("Tablet", "Clump", "Cube", "Tetrahedron", "Octahedron", "Dodecahedron", "Brick")


def small(shape, **properties):
    return packing(**{"Shape": shape, "Spacing": 0.015, **properties})


def enclosed(data):
    """Volume of closed triangle meshes, from tetrahedra to the origin. With the cell array Id, one
    volume a grain."""
    a = arrays(data)
    corners = numpy.array([[data.GetCell(c).GetPointId(k) for k in range(3)] for c in range(data.GetNumberOfCells())])
    p = a["points"].astype(float)[corners]
    parts = numpy.einsum("ij,ij->i", p[:, 0], numpy.cross(p[:, 1], p[:, 2])) / 6
    volume = {}
    for i, v in zip(a["cell", "Id"], parts):
        volume[i] = volume.get(i, 0) + v
    return volume


def packings_state_their_shapes():
    for shape in KINDS:
        p = small(shape)
        a = arrays(fetch(p))
        n = len(a["points"])
        check(n > 5 and (a["point", "Shape"] == 1).all(), shape)
        q = a["point", "Orientation"]
        check(numpy.allclose((q ** 2).sum(axis=1), 1, atol=1e-12))
        check(abs(q.mean(axis=0)).max() < 1.5 / numpy.sqrt(n) and q.std() > 0.3, "random orientations")
        defined = [json.loads(t) for t in a["field", "ShapeDefinitions"]]
        check([d["kind"] for d in defined][0] == "Sphere" and defined[1]["name"] == shape)
        check(numpy.allclose(a["point", "Radius"], 0.005), "radius of the sphere of equal volume")
        simple.Delete(p)


def surfaces_hold_the_volume():
    for shape in KINDS:
        p = small(shape)
        surfaces = simple.DEMShapes(Input=p, Resolution=64)
        volume = enclosed(fetch(surfaces))
        wanted = 4 / 3 * numpy.pi * 0.005 ** 3
        for v in volume.values():
            # The spheres of a clump overlap: their surfaces enclose more than the union.
            check(v > 0.99 * wanted if shape == "Clump" else abs(v / wanted - 1) < 0.01, f"{shape}: {v} and {wanted}")
        for proxy in (surfaces, p):
            simple.Delete(proxy)


def volume_by_vtk(data):
    triangles, properties = vtkTriangleFilter(), vtkMassProperties()
    triangles.SetInputData(data)
    properties.SetInputConnection(triangles.GetOutputPort())
    return properties.GetVolume()


def volumes_match_vtk():
    """The volume from which Radius and mass follow equals the volume that VTK computes from the
    surface."""
    for shape in ("Tablet", "Cube", "Tetrahedron", "Octahedron", "Dodecahedron", "Brick"):
        p = small(shape)
        n = len(arrays(fetch(p))["points"])
        volume = volume_by_vtk(fetch(simple.DEMShapes(Input=p, Resolution=160))) / n
        wanted = 4 / 3 * numpy.pi * 0.005 ** 3
        check(abs(volume / wanted - 1) < (1e-3 if shape == "Tablet" else 1e-5), f"{shape}: {volume} by VTK, {wanted}")
        clear()
    # Surfaces of users: convex ones with several kinds of corners.
    for surface in (simple.Box(XLength=0.02, YLength=0.011, ZLength=0.007), simple.Cone(Resolution=9, Radius=0.01, Height=0.02),
                    simple.Sphere(Radius=0.01, ThetaResolution=8, PhiResolution=6)):
        volume = volume_by_vtk(fetch(surface))
        r = arrays(fetch(small("Polyhedron From Surface", ShapeSurface=surface, ShapeSize="As Stated", Spacing=0)))["point", "Radius"]
        check(numpy.allclose(4 / 3 * numpy.pi * r ** 3, volume, rtol=1e-5), f"{4 / 3 * numpy.pi * r[0] ** 3} and {volume} by VTK")


def tablets_as_stated():
    d, c, b = 0.008, 0.006, 0.002
    p = small("Tablet", ShapeSize="As Stated", TabletDiameter=d, TabletCupRadius=c, TabletBeltHeight=b, RandomOrientation=0)
    h = c - numpy.sqrt(c * c - d * d / 4)  # height of a cap
    sharp = 2 * numpy.pi * h * h * (3 * c - h) / 3 + numpy.pi * d * d / 4 * b
    r = arrays(fetch(p))["point", "Radius"]
    check(numpy.allclose(4 / 3 * numpy.pi * r ** 3, sharp, rtol=0.02), "the edge's rounding takes little")
    surface = arrays(fetch(simple.DEMShapes(Input=p, Resolution=96)))
    # The first tablet, which lies flat.
    own = surface["points"][:len(surface["points"]) // len(r)].astype(float)
    size = own.max(axis=0) - own.min(axis=0)
    check(numpy.allclose(size[:2], d, rtol=2e-3) and abs(size[2] - (2 * h + b)) < 0.02 * d, f"{size}")


def simulation_moves_them():
    for shape in ("Tablet", "Clump", "Brick"):
        p = small(shape)
        s = simulation(p, EndTime=0.1, Density=2000)
        start, end = arrays(fetch(s, 0, 0.0)), arrays(fetch(s, 0, 0.1))
        for name in ("Orientation", "Shape", "Scale", "Radius", "Mass", "AngularVelocity"):
            check(("point", name) in end, name)
        check(numpy.allclose(end["point", "Mass"], 2000 * 4 / 3 * numpy.pi * 0.005 ** 3, rtol=1e-5))
        check(numpy.allclose((end["point", "Orientation"] ** 2).sum(axis=1), 1, atol=1e-5))
        q = arrays(fetch(p))["point", "Orientation"]
        same = abs((start["point", "Orientation"] * q).sum(axis=1))
        check(numpy.allclose(same, 1, atol=1e-5), "starts as it was packed")
        check((end["points"][:, 2] < start["points"][:, 2] - 0.003).any(), "falls")
        check((abs(end["point", "AngularVelocity"]) > 0.1).any(), "turns")
        # Going back and forward gives the same.
        fetch(s, 0, 0.05)
        check(numpy.array_equal(arrays(fetch(s, 0, 0.1))["points"], end["points"]))
        # The output at the start can be simulated again and drawn.
        other = simulation(s, EndTime=0.02, Density=2000)
        anew = arrays(fetch(other, 0, 0.0))
        check(numpy.allclose(abs((anew["point", "Orientation"] * start["point", "Orientation"]).sum(axis=1)), 1, atol=1e-5))
        volume = enclosed(fetch(simple.DEMShapes(Input=s, Resolution=48)))
        check(len(volume) == len(end["points"]))
        clear()


def mixed_shapes_meet():
    shapes = [packing(Size=[0.06, 0.06, 0.03]), small("Tablet", LowerCorner=[-0.03, -0.03, 0.035], Size=[0.06, 0.06, 0.03]),
              small("Cube", LowerCorner=[-0.03, -0.03, 0.07], Size=[0.06, 0.06, 0.03])]
    s = simulation(shapes, EndTime=0.06)
    a = arrays(fetch(s, 0, 0.06))
    check(set(a["point", "Shape"]) == {0, 1, 2})
    check([json.loads(t)["name"] for t in a["field", "ShapeDefinitions"]] == ["Sphere", "Tablet", "Cube"])


def soft_tablets_and_bricks_press_their_edges():
    """An edge that presses beyond the rounding of a tablet's edge was taken for 2 mm deep, which stopped the run at 0.10 s (bricks below:
    0.14 s)."""
    for tablet_z, brick_z in ((0, 0.06), (0.06, 0)):
        stated = dict(ShapeSize="As Stated", Size=[0.12, 0.12, 0.06], Spacing=0)
        tablets = packing(Shape="Tablet", TabletDiameter=0.016, TabletCupRadius=0.016, TabletBeltHeight=0.004, LowerCorner=[-0.06, -0.06, tablet_z],
                          **stated)
        bricks = packing(Shape="Brick", BrickEdges=[0.024, 0.012, 0.008], LowerCorner=[-0.06, -0.06, brick_z], **stated)
        s = simulation(simple.GroupDatasets(Input=[tablets, bricks]), Friction=0.4, YoungsModulus=5e6, EndTime=0.3)
        with Messages() as m:
            s.UpdatePipeline(0.3)
        check("overlaps" not in m.text and abs(s.TimeReached - 0.3) < 1e-9, m.text)


def analyses_know_clumps_by_their_parts():
    """Contacts found from centres and radii equal those of the solver, part by part. Rotational
    energies use the inertia of the shape."""
    s = simulation(small("Clump", Size=[0.06, 0.06, 0.2]), EndTime=0.3, Density=2000)
    solver = arrays(fetch(s, 1, 0.3))
    pairs = solver["cell", "ParticleIds"][:, 1] >= 0
    check(("cell", "ContactPoint") in solver and pairs.sum() > 10)
    found = arrays(fetch(simple.DEMContactNetwork(Input=s, ContactSource="Radii"), 0, 0.3))

    def listed(ids, overlap, point, ends):
        own = sorted(zip([tuple(sorted(i)) for i in ids.tolist()], overlap.tolist(), point.tolist(), ends.tolist()))
        return [entry for entry in own if entry[1] > 1e-8]  # radii are single precision
    a = listed(solver["cell", "ParticleIds"][pairs], solver["cell", "Overlap"][pairs], solver["cell", "ContactPoint"][pairs],
               solver["points"].reshape(-1, 6)[pairs])
    b = listed(found["cell", "ParticleIds"], found["cell", "Overlap"], found["cell", "ContactPoint"], found["points"].reshape(-1, 6))
    check([entry[0] for entry in a] == [entry[0] for entry in b] and len(a) > 10, f"{len(a)} and {len(b)} contacts")
    for k, allowed in ((1, 1e-8), (2, 1e-7), (3, 1e-9)):
        check(numpy.abs(numpy.array([e[k] for e in a]) - numpy.array([e[k] for e in b])).max() < allowed, f"column {k}")
    network = arrays(fetch(simple.DEMContactNetwork(Input=s), 0, 0.3))
    check(numpy.array_equal(network["cell", "ContactPoint"], solver["cell", "ContactPoint"]))
    force = solver["cell", "NormalForce"].astype(float)
    size = numpy.linalg.norm(force, axis=1)
    check(numpy.allclose(network["cell", "Normal"][size > 0], -force[size > 0] / size[size > 0, None], atol=1e-6))
    for shape in ("Clump", "Tablet", "Brick"):
        moving = simulation(small(shape), EndTime=0.1, Density=2000)
        row = arrays(fetch(simple.DEMStatistics(Input=moving), 0, 0.1))
        whole = arrays(fetch(moving, 3, 0.1))["row", "KineticEnergy"][0]
        turning = row["row", "RotationalEnergy"][0]
        check(turning > 1e-3 * whole and abs(row["row", "KineticEnergy"][0] + turning - whole) < 1e-4 * whole, f"{shape}: {turning} {whole}")


def a_surface_becomes_a_shape():
    box = simple.Box(XLength=0.02, YLength=0.01, ZLength=0.01)
    for shape in ("Polyhedron From Surface", "Clump From Surface"):
        p = small(shape, ShapeSurface=box, ShapeSize="As Stated", Spacing=0)
        r = arrays(fetch(p))["point", "Radius"]
        volume = 4 / 3 * numpy.pi * r ** 3
        check(numpy.allclose(volume, 2e-6, rtol=1e-6) if shape[0] == "P" else (0.6 * 2e-6 < volume).all() and (volume <= 2e-6).all(), shape)


def files_of_others_are_written():
    """Files of grains, their surfaces and their network, in formats of renderers and printers.
    Writing .obj must not end ParaView."""
    p = small("Brick")
    run = simulation(p, EndTime=0.02)
    run.UpdatePipeline(0.02)
    surfaces, network = simple.DEMShapes(Input=run), simple.DEMContactNetwork(Input=run)
    for source in (p, run, surfaces, network, simple.Tube(Input=network)):
        path = os.path.join(WORK, "grains.obj")
        simple.SaveData(path, proxy=source)
        with open(path) as file:
            corners = sum(line.startswith("v ") for line in file)
        check(corners == source.GetDataInformation().GetNumberOfPoints(), f"{source}: {corners} points in {path}")
    path = os.path.join(WORK, "grains.stl")
    simple.SaveData(path, proxy=surfaces)
    read = simple.STLReader(FileNames=[path])
    check(fetch(read).GetNumberOfCells() == fetch(surfaces).GetNumberOfCells() > 0)


def refused(make, *words):
    expect(lambda: fetch(make()), *words, exact=True)


def bad_input_is_named():
    refused(lambda: small("Pebble"), "Unknown shape", "Pebble", "Tetrahedron")
    refused(lambda: small("Tablet", TabletCupRadius=0.004), "Tablet", "0.004")
    refused(lambda: small("Tablet", TabletDiameter=0), "Tablet", "0")
    refused(lambda: small("Brick", BrickEdges=[0.01, 0, 0.01]), "Brick")
    refused(lambda: small("Brick", ShapeSize="As Stated", BrickEdges=[0.02, 2e-7, 2e-7]), "its volume is 8e-16", "its size, 0.02", "thicker")
    refused(lambda: small("Clump", ClumpSpheres=[0, 0, 0, -0.002]), "Clump", "-0.002")
    refused(lambda: small("Polyhedron From Surface"), "Shape Surface")
    hollow = simple.Plane()
    refused(lambda: small("Polyhedron From Surface", ShapeSurface=hollow), "Polyhedron From Surface")
    ball = simple.Sphere(ThetaResolution=16, PhiResolution=16)
    refused(lambda: small("Polyhedron From Surface", ShapeSurface=ball), "Polyhedron From Surface", "226 vertices", "64")
    a, b = small("Tablet"), small("Tablet", TabletBeltHeight=0.004, LowerCorner=[-0.03, -0.03, 0.1])
    refused(lambda: simulation([a, b]), "Tablet", "different names")
    b.ShapeName = "Thick"
    with Messages() as m:
        fetch(simulation([a, b], EndTime=0.01))
    check("rror" not in m.text, m.text)
    refused(lambda: simulation(small("Cube"), Integrator="Gear Predictor-Corrector"), "Gear Predictor-Corrector", "Cube")
    refused(lambda: simulation(small("Cube"), NeighborList="Static"), "Static", "Cube")
    points = simple.Calculator(Input=packing(), ResultArrayName="Shape", Function="3", ResultArrayType="Int")
    refused(lambda: simulation(points), "Shape 3", "Sphere")
    with Messages() as m:
        fetch(simple.DEMShapes(Input=simple.Sphere()))
    check("Radius" in m.text and "returned failure" not in m.text, m.text)
    cubes = small("Cube")
    for name, function, word in (("Radius", "-Radius", "Radius -0.005"), ("Shape", "Shape * 9", "Shape 9,"), ("Shape", "Shape / 2", "Shape 0.5"),
                                 ("Orientation", "0 * Orientation", "Orientation")):
        script = f"Radius, Shape, Orientation = [inputs[0].PointData[n] for n in ('Radius', 'Shape', 'Orientation')]\noutput.PointData.append({function}, '{name}')"
        refused(lambda: simple.DEMShapes(Input=simple.ProgrammableFilter(Input=cubes, Script=script, CopyArrays=1)), "Point 0", word)


main(packings_state_their_shapes, surfaces_hold_the_volume, volumes_match_vtk, tablets_as_stated, simulation_moves_them, mixed_shapes_meet,
     soft_tablets_and_bricks_press_their_edges,
     analyses_know_clumps_by_their_parts,
     a_surface_becomes_a_shape, files_of_others_are_written, bad_input_is_named)
