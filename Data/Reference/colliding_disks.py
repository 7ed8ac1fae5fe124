"""The kinetic energy of two colliding elastic disks by finite elements: the problem of Sulsky, Chen and Schreyer 1994, section 5.1.

    python3 Data/Reference/colliding_disks.py > Data/Reference/colliding_disks.csv

Two disks of radius 0.2 m, E = 1000 Pa, nu = 0.3, 1000 kg/m^3, plane strain, centres at (0.2, 0.2) and (0.8, 0.8), meet at 0.1 m/s along each
axis. The paper shows its energies as a figure and gives no numbers; these are computed anew, with nothing of this project: by symmetry
one disk meets a rigid, smooth plane halfway. Total Lagrangian bilinear quadrilaterals with 2 x 2 Gauss points, lumped mass, velocity Verlet,
neo-Hookean P = mu F + (lambda ln J - mu) F^-T, a penalty on rim nodes behind the plane. `check` shows convergence in mesh and penalty.
Columns: time s, kinetic energy, strain energy, speed of a centre along the line of centres; energies over the first kinetic energy, the
speed over the first.
"""
import sys

import numpy

R, E, NU, RHO = 0.2, 1000.0, 0.3, 1000.0
SPEED, GAP = 0.1 * 2 ** 0.5, 0.3 * 2 ** 0.5 - 0.2  # to the plane halfway


def disk(n):
    """n x n quadrilaterals: squares in the middle, circles at the rim."""
    s = numpy.linspace(-1, 1, n + 1)
    x, y = numpy.meshgrid(s, s, indexing="ij")
    r, length = numpy.maximum(abs(x), abs(y)), numpy.hypot(x, y)
    length[length == 0] = 1
    rim = r ** 2
    points = R * numpy.stack([0.75 * x * (1 - rim) + rim * x * r / length, 0.75 * y * (1 - rim) + rim * y * r / length], -1).reshape(-1, 2)
    i, j = numpy.meshgrid(range(n), range(n), indexing="ij")
    k = (i * (n + 1) + j).ravel()
    return points, numpy.stack([k, k + n + 1, k + n + 2, k + 1], -1)


def collide(n, penalty=80.0, end=4.0):
    rest, quads = disk(n)
    mu, lam = E / 2 / (1 + NU), E * NU / (1 + NU) / (1 - 2 * NU)
    g = 3 ** -0.5
    slope = numpy.array([numpy.array([[b - 1, a - 1], [1 - b, -1 - a], [1 + b, 1 + a], [-1 - b, 1 - a]]) / 4
                         for a, b in ((-g, -g), (g, -g), (g, g), (-g, g))])
    jacobian = numpy.einsum("eai,qaj->eqij", rest[quads], slope)
    area = numpy.linalg.det(jacobian)
    gradient = numpy.einsum("qaj,eqji->eqai", slope, numpy.linalg.inv(jacobian))
    mass = numpy.zeros(len(rest))
    numpy.add.at(mass, quads, (area.sum(1) * RHO / 4)[:, None] * numpy.ones(4))
    rim = numpy.isclose(numpy.hypot(rest[:, 0], rest[:, 1]), R)
    stiffness = numpy.where(rim, 2 * numpy.pi * R / rim.sum(), 0) * penalty * E / R
    edge = min(numpy.linalg.norm(rest[quads[:, a]] - rest[quads[:, (a + 1) % 4]], axis=1).min() for a in range(4))
    steps = int(end / (0.25 * edge / ((lam + 2 * mu) / RHO) ** 0.5)) + 1
    dt = end / steps
    x, v, rows = rest + [R + GAP, 0], numpy.zeros_like(rest), []
    v[:, 0] = -SPEED
    for step in range(steps + 1):
        f = numpy.einsum("eai,eqaj->eqij", x[quads], gradient)
        j, inverse = numpy.linalg.det(f), numpy.linalg.inv(f).swapaxes(-1, -2)
        p = mu * f + (lam * numpy.log(j) - mu)[..., None, None] * inverse
        density = mu / 2 * ((f ** 2).sum((-1, -2)) - 2) - mu * numpy.log(j) + lam / 2 * numpy.log(j) ** 2
        force, depth = numpy.zeros_like(x), numpy.maximum(-x[:, 0], 0)
        numpy.add.at(force, quads, -numpy.einsum("eqij,eqaj,eq->eai", p, gradient, area))
        force[:, 0] += stiffness * depth
        kick = 0.5 * dt * force / mass[:, None]
        now = v + kick if step else v
        rows.append((step * dt, 0.5 * (mass[:, None] * now ** 2).sum(), (density * area).sum() + 0.5 * (stiffness * depth ** 2).sum(),
                     -(mass * now[:, 0]).sum() / mass.sum() / SPEED))
        v = now + kick
        x = x + dt * v
    rows = numpy.array(rows)
    rows[:, 1:3] /= rows[0, 1]
    return rows


def main():
    if sys.argv[1:] == ["check"]:
        for n, penalty in ((16, 80), (32, 80), (32, 20), (48, 80), (48, 320)):
            rows = collide(n, penalty)
            least = rows[:, 1].argmin()
            print(f"{n} x {n}, penalty {penalty}: least kinetic {rows[least, 1]:.4f} at {rows[least, 0]:.3f} s, last {rows[-1, 1]:.4f}, "
                  f"speed {rows[-1, 3]:.4f}, energy {(rows[:, 1] + rows[:, 2]).min():.5f} to {(rows[:, 1] + rows[:, 2]).max():.5f}")
        return
    rows = collide(32)
    print("# Data/Reference/colliding_disks.py: time s, kinetic energy, strain energy, speed of a centre; see there")
    for t in numpy.arange(0, 4.001, 0.04):
        print(",".join(f"{v:.5f}" for v in [t] + [numpy.interp(t, rows[:, 0], rows[:, k]) for k in (1, 2, 3)]))


main()
