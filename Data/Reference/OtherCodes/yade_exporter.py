# 150 spheres fall into a box; Yade's VTKExporter. Yade 2023.02a (Debian 12): yade -n -x yade_exporter.py
from yade import export, pack

O.materials.append(FrictMat(young=5e6, poisson=0.3, frictionAngle=0.46, density=2500, label="grains"))
O.bodies.append(geom.facetBox((0.02, 0.02, 0.04), (0.02, 0.02, 0.04), wallMask=63))
grains = pack.SpherePack()
grains.makeCloud((0, 0, 0), (0.04, 0.04, 0.08), rMean=0.0027, rRelFuzz=0.2, num=150, seed=1)
grains.toSimulation(material="grains")
O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()]),
    InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_FrictPhys()],
                    [Law2_ScGeom_FrictPhys_CundallStrack()]),
    NewtonIntegrator(gravity=(0, 0, -9.81), damping=0.3),
]
O.dt = 0.5 * PWaveTimeStep()
O.run(int(0.3 / O.dt), True)
vtk = export.VTKExporter("yade_exporter")
vtk.exportSpheres(what={"mass": "b.state.mass", "velocity": "b.state.vel"})
