# Grains of two sizes settle in a box: a sample of the files that Yade's VTKRecorder writes.
from yade import pack
import random
random.seed(1)
O.materials.append(FrictMat(young=5e6, poisson=0.3, density=2500, frictionAngle=0.46, label='grain'))
O.bodies.append(geom.facetBox((0, 0, 0.06), (0.015, 0.015, 0.06), wallMask=31))
for k in range(12):
    for i in range(3):
        for j in range(3):
            r = 0.003 if random.random() < 0.5 else 0.0042
            O.bodies.append(sphere((-0.01 + 0.01 * i + random.uniform(-2e-4, 2e-4), -0.01 + 0.01 * j + random.uniform(-2e-4, 2e-4), 0.005 + 0.0095 * k), r, material='grain'))
O.engines = [ForceResetter(), InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Facet_Aabb()]),
             InteractionLoop([Ig2_Sphere_Sphere_ScGeom(), Ig2_Facet_Sphere_ScGeom()], [Ip2_FrictMat_FrictMat_MindlinPhys(en=0.4, es=0.4)], [Law2_ScGeom_MindlinPhys_Mindlin()]),
             NewtonIntegrator(gravity=(0, 0, -9.81), damping=0.1),
             ]
O.dt = 1e-5
O.run(60000, True)
rec = VTKRecorder(fileName='yade_', recorders=['spheres', 'id', 'velocity', 'mass', 'materialId'], ascii=True, multiblock=False)
rec.dead=False
O.engines = O.engines + [rec]
rec.iterPeriod = 1
O.step()
print("spheres", len(O.bodies), "interactions", sum(1 for i in O.interactions if i.isReal))
