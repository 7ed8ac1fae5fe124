#!/usr/bin/env python3
"""Writes the STL files of the ready cases into this folder.

    python3 make_geometry.py

Lengths in metres, z up. Plain Python, no packages. Binary STL unless a file is meant to be read by people.
"""

import math
import os
import struct

FOLDER = os.path.dirname(os.path.abspath(__file__))


def sub(a, b):
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


def normal(t):
    u, v = sub(t[1], t[0]), sub(t[2], t[0])
    n = (u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0])
    size = math.sqrt(sum(c * c for c in n))
    return tuple(c / size for c in n)


def quad(a, b, c, d):
    return [(a, b, c), (a, c, d)]


def write(name, triangles, ascii=False):
    path = os.path.join(FOLDER, name)
    if ascii:
        with open(path, "w") as f:
            f.write("solid %s\n" % name[:-4])
            for t in triangles:
                f.write("  facet normal %.6g %.6g %.6g\n    outer loop\n" % normal(t))
                for p in t:
                    f.write("      vertex %.9g %.9g %.9g\n" % p)
                f.write("    endloop\n  endfacet\n")
            f.write("endsolid %s\n" % name[:-4])
    else:
        with open(path, "wb") as f:
            f.write(("ParaGrain geometry: " + name).encode().ljust(80))
            f.write(struct.pack("<I", len(triangles)))
            for t in triangles:
                f.write(struct.pack("<12fH", *normal(t), *t[0], *t[1], *t[2], 0))
    print("%-26s %5d triangles, %6d bytes" % (name, len(triangles), os.path.getsize(path)))


def circle(radius, z, facets):
    """Corners of a polygon with the area of the circle."""
    step = 2 * math.pi / facets
    r = radius * math.sqrt(step / math.sin(step))
    return [(r * math.cos(i * step), r * math.sin(i * step), z) for i in range(facets)]


def band(low, high):
    n = len(low)
    return [t for i in range(n) for t in quad(low[i], low[(i + 1) % n], high[(i + 1) % n], high[i])]


def disc(ring, upward=True):
    fan = [(ring[0], ring[i], ring[i + 1]) for i in range(1, len(ring) - 1)]
    return fan if upward else [(a, c, b) for a, b, c in fan]


def square(half, z):
    return [(-half, -half, z), (half, -half, z), (half, half, z), (-half, half, z)]


def hopper_discharge():
    """Hopper after Pacevic and others (2022): a cubic part of 1 m above a pyramid 0.4 m high, orifice 0.5 m wide,
    at the rim of a box of 8 m x 8 m x 0.5 m."""
    orifice = 0.5
    outlet, corner, top = square(0.25, orifice), square(0.5, orifice + 0.4), square(0.5, orifice + 1.4)
    write("hopper.stl", band(outlet, corner) + band(corner, top), ascii=True)
    write("hopper_gate.stl", quad(*square(0.27, orifice)), ascii=True)
    floor, rim = square(4, 0), square(4, 0.5)
    write("hopper_box.stl", quad(*floor) + band(floor, rim), ascii=True)


def rotating_drum():
    """Drum of 1 m diameter and 0.4 m length about the y axis, with 6 lifters; its two ends apart, so that they can be hidden."""
    facets, lifters, radius, half = 96, 6, 0.5, 0.2
    height, width = 0.06, 2  # of a lifter: m, facets
    step = 2 * math.pi / facets

    def at(r, i, y):
        return (r * math.cos(i * step), y, r * math.sin(i * step))

    shell, every = [], facets // lifters

    def strip(p, q):
        shell.extend(quad(p(-half), q(-half), q(half), p(half)))

    def point(r, i):
        return lambda y: at(r, i, y)

    for i in range(facets):
        if i % every < width:
            strip(point(radius - height, i), point(radius - height, i + 1))
        else:
            strip(point(radius, i), point(radius, i + 1))
        if i % every == 0:
            strip(point(radius, i), point(radius - height, i))
        if i % every == width:
            strip(point(radius - height, i), point(radius, i))
    write("drum.stl", shell)
    ends = []
    for y in (-half, half):
        for i in range(0, facets, 4):
            ends.append(((0, y, 0), at(1.02 * radius, i, y), at(1.02 * radius, i + 4, y)))
    write("drum_ends.stl", ends)


def avalanche():
    """A channel 10 m long and 3 m wide, inclined by 25 degrees, that runs out on a plane with a low rim."""
    angle, length, half, side = math.radians(25), 10.0, 1.5, 1.5
    along = (-math.cos(angle), 0, math.sin(angle))  # up the slope, from its foot at the origin
    out = (math.sin(angle), 0, math.cos(angle))     # away from the bottom

    def at(s, y, h):
        return (s * along[0] + h * out[0], y, s * along[2] + h * out[2])

    bottom = quad(at(length, -half, 0), at(0, -half, 0), at(0, half, 0), at(length, half, 0))
    sides = [t for y in (-half, half) for t in quad(at(length, y, 0), at(0, y, 0), at(0, y, side), at(length, y, side))]
    back = quad(at(length, -half, 0), at(length, half, 0), at(length, half, side), at(length, -half, side))
    write("chute.stl", bottom + sides + back, ascii=True)
    low = [(-1, -6, 0), (15, -6, 0), (15, 6, 0), (-1, 6, 0)]
    high = [(x, y, 0.6) for x, y, _ in low]
    # The side towards the chute stays open: grains there are under the channel.
    rim = [t for i in range(3) for t in quad(low[i], low[i + 1], high[i + 1], high[i])]
    write("runout.stl", quad(*low) + rim, ascii=True)
    # Where the grains are at the start: the upper part of the channel, a closed surface.
    a = [at(9.98, y, 0.01) for y in (-half, half)] + [at(5.6, y, 0.01) for y in (half, -half)]
    b = [at(9.98, y, 1.4) for y in (-half, half)] + [at(5.6, y, 1.4) for y in (half, -half)]
    write("avalanche_region.stl", quad(*reversed(a)) + quad(*b) + band(a, b), ascii=True)


def mixer():
    """Four blades on a shaft about the z axis, 20 mm to 96 mm from it, pitched by 45 degrees and 5 mm thick, and the two halves of the
    space above them, around a shaft, in which grains begin."""
    inner, outer, low, high, thick = 0.02, 0.096, 0.002, 0.034, 0.005
    blades = []
    for k in range(4):
        a = k * math.pi / 2

        def at(r, s, z, a=a):  # r along the blade, s across it
            return (r * math.cos(a) - s * math.sin(a), r * math.sin(a) + s * math.cos(a), z)

        rise = high - low
        section = [(-rise / 2, high), (rise / 2, low), (rise / 2 + thick, low), (-rise / 2 + thick, high)]
        near, far = ([at(r, s, z) for s, z in section] for r in (inner, outer))
        blades += band(far, near) + quad(*near) + quad(*reversed(far))
    write("mixer_blades.stl", blades)
    facets, shaft, radius, bottom, top = 48, 0.019, 0.098, 0.042, 0.3
    for name, turn in (("mixer_left.stl", math.pi / 2), ("mixer_right.stl", -math.pi / 2)):
        angles = [turn + math.pi * i / facets for i in range(facets + 1)]
        (il, ih), (ol, oh) = ([[(r * math.cos(a), r * math.sin(a), z) for a in angles] for z in (bottom, top)] for r in (shaft, radius))
        sides = quad(il[0], ol[0], oh[0], ih[0]) + quad(ol[-1], il[-1], ih[-1], oh[-1])
        for i in range(facets):
            j = i + 1
            sides += quad(ol[i], ol[j], oh[j], oh[i]) + quad(il[j], il[i], ih[i], ih[j])
            sides += quad(ih[i], oh[i], oh[j], ih[j]) + quad(ol[i], il[i], il[j], ol[j])
        write(name, sides)


def demo_hopper():
    """Cylindrical hopper, bore 150 mm, with a shallow cone (30 degrees from the horizontal) to an orifice of 60 mm at z = 0."""
    facets, orifice, bore, height = 64, 0.03, 0.075, 0.26
    cone = (bore - orifice) * math.tan(math.radians(30))
    outlet, corner, top = (circle(orifice, 0, facets), circle(bore, cone, facets), circle(bore, height, facets))
    write("demo_hopper.stl", band(outlet, corner) + band(corner, top))
    write("demo_gate.stl", disc(circle(orifice + 0.004, 0, facets)))
    write("demo_region.stl", band(outlet, corner) + band(corner, top) + disc(top) + disc(outlet, upward=False))


if __name__ == "__main__":
    hopper_discharge()
    rotating_drum()
    avalanche()
    mixer()
    demo_hopper()
