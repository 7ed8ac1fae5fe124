#!/usr/bin/env python3
"""Draws the icons of ParaGrain's sources and filters into this folder, as SVG of 24 x 24.

    python3 make_icons.py
"""
import os

FOLDER = os.path.dirname(os.path.abspath(__file__))
GRAIN, DARK, LIGHT, FORCE, LINE = "#4a7fc1", "#27476e", "#a9c6ea", "#d9482b", "#5a5f66"


def grain(x, y, r, fill=GRAIN):
    return f'<circle cx="{x}" cy="{y}" r="{r}" fill="{fill}" stroke="{DARK}" stroke-width="0.8"/>'


def line(x0, y0, x1, y1, width, color):
    return f'<line x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}" stroke="{color}" stroke-width="{width}" stroke-linecap="round"/>'


def square(x, y, size, fill):
    return f'<rect x="{x}" y="{y}" width="{size}" height="{size}" fill="{fill}"/>'


HEAP = [(4.5, 18.5), (12, 18.5), (19.5, 18.5), (8.2, 12), (15.8, 12), (12, 5.5)]
BOX = '<path d="M2 4 V22 H22 V4" fill="none" stroke="%s" stroke-width="1.8"/>' % LINE

ICONS = {
    # grains on a lattice
    "Packing": [grain(4.7 + 7.3 * i, 4.7 + 7.3 * j, 3.2, GRAIN if (i + j) % 2 else LIGHT) for i in range(3) for j in range(3)],
    # grains that fall into a box
    "Simulation": [BOX, grain(6.5, 17.7, 3.1), grain(13.3, 17.7, 3.1, LIGHT), grain(10, 11.6, 3.1, LIGHT), grain(17, 9, 3.1),
                   line(17, 1.5, 17, 4, 1.2, FORCE)],
    # a soft block full of points on a grid
    "MaterialPoints": [line(2, 2 + 6.7 * k, 22, 2 + 6.7 * k, 0.6, LINE) for k in range(4)]
                      + [line(2 + 6.7 * k, 2, 2 + 6.7 * k, 22, 0.6, LINE) for k in range(4)]
                      + ['<path d="M5 7 Q12 3 19 7 Q22 13 20 19 Q12 21 4 19 Q2 13 5 7 Z" fill="%s" fill-opacity="0.75" stroke="%s" stroke-width="0.8"/>'
                         % (LIGHT, DARK)]
                      + [f'<circle cx="{x}" cy="{y}" r="1.1" fill="{DARK}"/>' for x in (7, 12, 17) for y in (8.5, 12.5, 16.5)],
    # a chute with a grain on it
    "Wall": ['<path d="M2 6 L14 18 H22" fill="none" stroke="%s" stroke-width="3.2" stroke-linejoin="round"/>' % LINE, grain(12, 8.6, 4.2)],
    # links between all centres, as wide as the force
    "ContactNetwork": [line(*HEAP[a], *HEAP[b], w, FORCE) for a, b, w in
                       ((0, 3, 1), (1, 3, 2.6), (1, 4, 1), (2, 4, 2.2), (3, 4, 1), (3, 5, 2.8), (4, 5, 1.6), (0, 1, 0.8), (1, 2, 0.8))]
                      + [grain(x, y, 1.7) for x, y in HEAP],
    # one row of grains carries the load through the others
    "ForceChains": [grain(x, y, 3.4, "#e3e8ee") for x, y in HEAP if (x, y) not in (HEAP[5], HEAP[3], HEAP[0])]
                   + [grain(*HEAP[k], 3.4, LIGHT) for k in (5, 3, 0)]
                   + [line(*HEAP[5], *HEAP[3], 2.6, FORCE), line(*HEAP[3], *HEAP[0], 2.6, FORCE)],
    # a grid of cells over a grain
    "CellAverage": [square(2 + 5 * i, 2 + 5 * j, 5, c) for j, row in enumerate(("0121", "1332", "1332", "0220"))
                    for i, c in enumerate(("#eef2f7", "#c3d6ef", "#8fb3e0", "#4a7fc1")[int(k)] for k in row)]
                   + [line(2, 2 + 5 * k, 22, 2 + 5 * k, 0.7, LINE) for k in range(5)] + [line(2 + 5 * k, 2, 2 + 5 * k, 22, 0.7, LINE) for k in range(5)],
    # grains that melt into a smooth field
    "CoarseGraining": ['<defs><radialGradient id="g"><stop offset="0" stop-color="%s"/><stop offset="1" stop-color="%s" stop-opacity="0"/>'
                       '</radialGradient></defs>' % (GRAIN, GRAIN)]
                      + [f'<circle cx="{x}" cy="{y}" r="7.5" fill="url(#g)"/>' for x, y in ((8, 8), (16, 10), (10, 16))]
                      + [f'<circle cx="{x}" cy="{y}" r="1.2" fill="{DARK}"/>' for x, y in ((8, 8), (16, 10), (10, 16))],
    # a clump, a tablet and a box
    "Shapes": [grain(5.6, 7.2, 3.6), grain(10.4, 5.6, 3.6), grain(8.6, 10.2, 3.6),
               '<path d="M13 12 Q17.5 8 22 12 V15 Q17.5 19 13 15 Z" fill="%s" stroke="%s" stroke-width="0.8"/>' % (LIGHT, DARK),
               '<path d="M2 16.5 L7 14.5 L11.5 17 V21 L6.5 23 L2 20.5 Z M2 16.5 L6.5 19 L11.5 17 M6.5 19 V23" fill="%s" stroke="%s"'
               ' stroke-width="0.8" stroke-linejoin="round"/>' % (GRAIN, DARK)],
    # a nozzle, its spray and a grain
    "Nozzle": ['<path d="M9 2 H15 V6 L13.2 8.5 H10.8 L9 6 Z" fill="%s"/>' % LINE]
              + [line(12 + 0.25 * x, 10.2, 12 + x, 16.5 - 0.1 * abs(x), 1.1, FORCE) for x in (-7, -3.5, 0, 3.5, 7)]
              + [grain(x, 20, 2.4, GRAIN if x == 12 else LIGHT) for x in (6.5, 12, 17.5)],
    # grains with a coat
    "SprayCoating": [grain(x, y, 3.6, LIGHT) for x, y in HEAP[:3]]
                    + [f'<path d="M{x - 3.6} {y} A3.6 3.6 0 0 1 {x + 3.6} {y}" fill="none" stroke="{FORCE}" stroke-width="2.2"/>' for x, y in HEAP[:3]]
                    + [line(6 + 6 * k, 2, 5 + 7 * k, 10.5, 1.1, FORCE) for k in range(3)],
    # a curve with error bars
    "Statistics": ['<path d="M3 2 V21 H22" fill="none" stroke="%s" stroke-width="1.5"/>' % LINE]
                  + [line(x, y - 3, x, y + 3, 1, FORCE) + f'<circle cx="{x}" cy="{y}" r="1.7" fill="{FORCE}"/>'
                     for x, y in ((7, 15), (11, 10), (15, 8), (19, 6.5))],
}


def main():
    for name, shapes in ICONS.items():
        with open(os.path.join(FOLDER, name + ".svg"), "w") as out:
            out.write('<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24" viewBox="0 0 24 24">\n  ' + "\n  ".join(shapes) + "\n</svg>\n")
    with open(os.path.join(FOLDER, "ParaGrain.qrc"), "w") as out:
        out.write('<RCC>\n  <qresource prefix="/ParaGrain">\n' + "".join(f"    <file>{name}.svg</file>\n" for name in ICONS)
                  + "  </qresource>\n</RCC>\n")


main()
