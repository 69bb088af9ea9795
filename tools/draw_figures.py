#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the figures of the manual: docs/images/*.svg.

usage: draw_figures.py [FOLDER]

One function per figure; lengths are pixels, y points down. The picture of the README is not among them:
`whisker demo` draws that one.
"""

import math
import pathlib
import sys

import batch_figures
import depth_figures
import mesh_figures
import noise_figures
import sphere_figures
from figure import BLUE, CODE, GREEN, GREY, INK, ORANGE, RED, Figure, grown, rectangle, rotate


def shapes_one(f, c):
    """Sphere, capsule, box, cylinder, cone."""
    stroke, fill = BLUE
    x, y = c(0)
    f.circle((x, y), 42, stroke=stroke, fill=fill)
    f.ellipse((x, y), 42, 12, stroke=stroke, dash="3 3", width=1)
    f.measure((x, y), (x + 42, y), "radius", place=(x + 46, y - 18), anchor="start")
    f.dot((x, y))
    x, y = c(1)
    f.path(f"M{x - 22} {y - 26}A22 22 0 0 1 {x + 22} {y - 26}L{x + 22} {y + 26}A22 22 0 0 1 {x - 22} "
           f"{y + 26}Z", stroke=stroke, fill=fill)
    f.line((x, y - 26), (x, y + 26), stroke=INK, width=2.2)
    f.dot((x, y - 26))
    f.dot((x, y + 26))
    f.measure((x, y - 26), (x + 22, y - 26), "radius", place=(x + 28, y - 22), anchor="start")
    f.measure((x - 34, y - 26), (x - 34, y + 26), "length", place=(x - 42, y + 4), anchor="end")
    x, y = c(2)
    front = [(x - 42, y - 20), (x + 22, y - 20), (x + 22, y + 40), (x - 42, y + 40)]
    f.polygon(front, stroke=stroke, fill=fill)
    f.polygon([front[0], (x - 20, y - 40), (x + 44, y - 40), front[1]], stroke=stroke, fill=fill)
    f.polygon([front[1], (x + 44, y - 40), (x + 44, y + 20), front[2]], stroke=stroke, fill=fill)
    f.field((x - 10, y + 55), "sizeX")
    f.field((x + 40, y + 44), "sizeY", anchor="start")
    f.field((x - 48, y + 14), "sizeZ", anchor="end")
    x, y = c(3)
    f.path(f"M{x - 36} {y - 34}L{x - 36} {y + 34}A36 11 0 0 0 {x + 36} {y + 34}L{x + 36} {y - 34}",
           stroke=stroke, fill=fill)
    f.ellipse((x, y - 34), 36, 11, stroke=stroke, fill="#e6effc")
    f.measure((x, y - 34), (x + 36, y - 34), "radius", place=(x + 18, y - 50))
    f.measure((x - 46, y - 34), (x - 46, y + 34), "length", place=(x - 53, y + 4), anchor="end")
    x, y = c(4)
    f.path(f"M{x} {y - 44}L{x - 40} {y + 32}A40 12 0 0 0 {x + 40} {y + 32}Z", stroke=stroke, fill=fill)
    f.path(f"M{x - 40} {y + 32}A40 12 0 0 1 {x + 40} {y + 32}", stroke=stroke, dash="3 3", width=1)
    f.measure((x, y + 32), (x + 40, y + 32), "radius", place=(x + 46, y + 36), anchor="start")
    f.measure((x - 50, y - 44), (x - 50, y + 32), "length", place=(x - 57, y - 2), anchor="end")
    f.dot((x, y - 6))
    f.field((x + 8, y - 38), "apex", anchor="start")


def shapes_two(f, c):
    """Ellipsoid, triangle, hull, half-space, plane."""
    stroke, fill = BLUE
    x, y = c(0)
    f.ellipse((x, y), 54, 32, stroke=stroke, fill=fill)
    f.ellipse((x, y), 54, 11, stroke=stroke, dash="3 3", width=1)
    f.measure((x, y), (x + 54, y), "radiusX", place=(x + 56, y - 24), anchor="start")
    f.measure((x, y), (x, y - 32), "radiusZ", place=(x + 4, y - 38))
    f.measure((x, y), (x - 18, y + 10), "radiusY", place=(x - 12, y + 25))
    x, y = c(1)
    corners = [(x - 44, y + 30), (x + 46, y + 16), (x - 4, y - 42)]
    f.polygon(corners, stroke=stroke, fill=fill)
    for point, name, shift in zip(corners, "abc", ((-10, 10), (10, 10), (0, -9))):
        f.dot(point)
        f.field((point[0] + shift[0], point[1] + shift[1]), name)
    x, y = c(2)
    ring = [(x + r * math.cos(t), y + 0.92 * r * math.sin(t)) for r, t in
            ((44, -1.9), (46, -0.75), (46, 0.25), (44, 1.25), (44, 2.25), (46, 3.3))]
    f.polygon(ring, stroke=stroke, fill=fill)
    middle = (x - 2, y - 8), (x + 8, y + 16)
    for i, j in ((0, 0), (1, 0), (2, 1), (3, 1), (4, 1), (5, 0)):
        f.line(ring[i], middle[j], stroke=stroke, width=1)
    f.line(*middle, stroke=stroke, width=1)
    for point in ring + list(middle):
        f.dot(point, radius=3)
    f.field((x, y + 62), "points or faces")
    x, y = c(3)
    f.path(f"M{x - 66} {y}L{x + 66} {y}L{x + 66} {y + 44}L{x - 66} {y + 44}Z", stroke="none", fill=fill)
    f.line((x - 66, y), (x + 66, y), stroke=stroke)
    f.arrow((x, y), (x, y - 40), GREEN)
    f.field((x + 8, y - 28), "normal", GREEN, "start")
    f.text((x - 36, y + 27), "solid", size=12, color=stroke)
    f.measure((x + 54, y + 34), (x + 54, y), "offset", place=(x + 48, y + 22), anchor="end")
    f.dot((x + 54, y + 34))
    x, y = c(4)
    f.polygon([(x - 66, y + 16), (x - 26, y - 18), (x + 66, y - 18), (x + 26, y + 16)], stroke=stroke,
              fill=fill)
    f.arrow((x, y), (x, y - 44), GREEN)
    f.field((x + 8, y - 34), "normal", GREEN, "start")
    f.text((x - 10, y + 34), "no inside", size=12, color=stroke)


def draw_shapes(folder):
    f = Figure(980, 330)
    for row, draw, names in ((0, shapes_one, "Sphere Capsule Box Cylinder Cone"),
                             (1, shapes_two, "Ellipsoid Triangle Hull Halfspace Plane")):
        draw(f, lambda column, row=row: (104 + 192 * column, 68 + 162 * row))
        for column, name in enumerate(names.split()):
            f.text((104 + 192 * column, 150 + 162 * row), f"wkMake{name}", font=CODE, size=13, weight="bold")
    f.write(folder, "ten_shapes")


def draw_core(folder):
    f = Figure(900, 250)
    corners = rotate([(-46, 34), (-30, -34), (50, 30)], 0.0, (0, 0))
    panels = (("core", 0, 0, "what the maker describes"), ("rounding 18", 18, 0, "part of the body"),
              ("rounding 18, padding 16", 18, 16, "safety distance around it"),
              ("padding -10", 0, -10, "the shape counts as smaller"))
    for i, (name, rounding, padding, words) in enumerate(panels):
        center = 115 + 224 * i, 118
        points = [(center[0] + x, center[1] + y) for x, y in corners]
        if padding > 0:
            f.path(grown(points, rounding + padding), stroke=RED, dash="5 4", width=1.4)
        if rounding:
            f.path(grown(points, rounding), stroke=BLUE[0], fill=BLUE[1])
        f.polygon(points, stroke=BLUE[0], fill="#a9c5f2" if rounding else BLUE[1])
        if padding < 0:
            s = 1 + padding / inradius(points)
            inner = incenter(points)
            f.polygon([(inner[0] + s * (x - inner[0]), inner[1] + s * (y - inner[1])) for x, y in points],
                      stroke=RED, dash="5 4", width=1.4)
        f.title((center[0], 212), name)
        f.text((center[0], 232), words, GREY, size=12)
    x, y = 115 + 224, 118
    f.measure((x + 10, y + 32), (x + 10, y + 50), color=INK)
    f.text((x + 18, y + 46), "18", size=12, anchor="start")
    x += 224
    f.measure((x + 10, y + 50), (x + 10, y + 66), color=RED)
    f.text((x + 18, y + 62), "16", RED, size=12, anchor="start")
    f.write(folder, "core_and_sphere")


def incenter(p):
    sides = [math.dist(p[(i + 1) % 3], p[(i + 2) % 3]) for i in range(3)]
    return tuple(sum(s * q[k] for s, q in zip(sides, p)) / sum(sides) for k in (0, 1))


def inradius(p):
    area = abs((p[1][0] - p[0][0]) * (p[2][1] - p[0][1]) - (p[2][0] - p[0][0]) * (p[1][1] - p[0][1])) / 2
    return 2 * area / sum(math.dist(p[i], p[(i + 1) % 3]) for i in range(3))


def two_bodies(f, box_center, ball_center, radius):
    """A box A and a sphere B, with their names."""
    f.polygon(rotate(rectangle(70, 56), 0.0, box_center), stroke=BLUE[0], fill=BLUE[1])
    f.ellipse(ball_center, radius, radius, stroke=ORANGE[0], fill=ORANGE[1])


def draw_distance(folder):
    f = Figure(900, 270)
    # apart
    y = 118
    two_bodies(f, (120, y), (350, y), 52)
    a, b = (190, y), (298, y)
    f.measure(a, b, "distance", RED, (244, y + 22))
    f.dot(a, BLUE[0])
    f.dot(b, ORANGE[0])
    f.field((182, y - 8), "pointA", BLUE[0], "end")
    f.field((306, y - 8), "pointB", ORANGE[0], "start")
    f.arrow((210, y - 34), (264, y - 34), GREEN)
    f.field((237, y - 44), "normal", GREEN)
    f.title((120, y + 30), "A")
    f.title((350, y + 30), "B")
    f.text((235, 228), "apart: distance > 0", weight="bold")
    f.text((235, 248), "pointB - pointA = distance * normal", GREY, font=CODE, size=12)
    # overlapping
    two_bodies(f, (600, y), (700, y), 62)
    f.polygon(rotate(rectangle(70, 56), 0.0, (600, y)), stroke=BLUE[0], fill=BLUE[1], opacity=0.5)
    a, b = (670, y), (638, y)
    for x, _ in (a, b):
        f.line((x, y), (x, y + 72), stroke=GREY, width=1, dash="3 3")
    f.measure((638, y + 72), (670, y + 72), "-distance", RED, (630, y + 76), "end")
    f.dot(a, BLUE[0])
    f.dot(b, ORANGE[0])
    f.field((678, y - 8), "pointA", BLUE[0], "start")
    f.field((630, y - 8), "pointB", ORANGE[0], "end")
    f.arrow((700, y - 76), (754, y - 76), GREEN)
    f.field((727, y - 86), "normal", GREEN)
    f.title((560, y + 30), "A")
    f.title((730, y + 30), "B")
    f.text((665, 228), "overlapping: distance < 0, by the depth", weight="bold")
    f.text((665, 248), "moving B by -distance * normal makes them touch", GREY, size=12)
    f.write(folder, "distance")


def draw_penetration(folder):
    f = Figure(900, 270)
    y = 124
    f.polygon(rotate(rectangle(150, 36), 0.0, (230, y + 50)), stroke=BLUE[0], fill=BLUE[1])
    before, after = (230, y - 4), (230, y - 50)
    f.polygon(rotate(rectangle(60, 64), 0.0, before), stroke=ORANGE[0], fill=ORANGE[1], opacity=0.75)
    f.polygon(rotate(rectangle(60, 64), 0.0, after), stroke=ORANGE[0], dash="5 4", width=1.3)
    top, bottom = y + 14, y + 60
    f.measure((312, top), (312, bottom), "depth", RED, (320, y + 41), "start")
    f.dot((260, top), BLUE[0])
    f.dot((260, bottom), ORANGE[0])
    f.field((258, top - 8), "pointA", BLUE[0], "end")
    f.field((258, bottom + 16), "pointB", ORANGE[0], "end")
    f.arrow((160, y + 14), (160, y - 32), GREEN)
    f.field((152, y - 12), "translation", GREEN, "end")
    f.title((100, y + 56), "A")
    f.title((230, y - 24), "B")
    f.text((230, 256), "B moved by translation just touches A", GREY, size=12)
    # several ways out
    f.polygon(rotate(rectangle(110, 70), 0.0, (660, y)), stroke=BLUE[0], fill=BLUE[1])
    f.polygon(rotate(rectangle(44, 26), 0.0, (700, y + 26)), stroke=ORANGE[0], fill=ORANGE[1], opacity=0.75)
    for end, best in (((770 + 44, y + 26), False), ((700, y + 70 + 26), True), ((700, y - 70 - 26), False)):
        f.arrow((700, y + 26), end, GREEN if best else GREY, 2.2 if best else 1.4, None if best else "4 3")
    f.polygon(rotate(rectangle(44, 26), 0.0, (700, y + 96)), stroke=ORANGE[0], dash="5 4", width=1.3)
    f.field((752, y + 100), "translation", GREEN, "start")
    f.title((590, y - 40), "A")
    f.title((676, y + 32), "B")
    f.text((560, 256), "of all ways out, the shortest", GREY, size=12)
    f.write(folder, "penetration")


def draw_contacts(folder):
    f = Figure(900, 280)
    # side view of a crate sunk into a table
    y = 150
    f.polygon(rotate(rectangle(170, 34), 0.0, (220, y + 34)), stroke=BLUE[0], fill=BLUE[1])
    f.polygon(rotate(rectangle(80, 52), 0.0, (220, y - 28)), stroke=ORANGE[0], fill=ORANGE[1], opacity=0.75)
    for x in (140, 300):
        f.dot((x, y + 12), RED, 4.5)
        f.arrow((x, y + 12), (x, y - 30), GREEN)
    f.measure((330, y), (330, y + 24), "depth", RED, (338, y + 16), "start")
    f.field((128, y + 16), "point", RED, "end")
    f.field((132, y - 20), "normal", GREEN, "end")
    f.title((80, y + 52), "A")
    f.title((220, y - 36), "B")
    f.text((220, 252), "from the side: each point lies midway between the surfaces", GREY, size=12)
    # from above
    f.polygon(rotate(rectangle(150, 86), 0.0, (660, 122)), stroke=BLUE[0], fill=BLUE[1])
    crate = rotate(rectangle(70, 48), 0.35, (680, 120))
    f.polygon(crate, stroke=ORANGE[0], fill=ORANGE[1], opacity=0.75)
    for i, point in enumerate(crate):
        f.dot(point, RED, 4.5)
        f.field((point[0] + (9 if i in (1, 2) else -9), point[1] + (0 if i < 2 else 10)), f"[{i}]", RED,
                "start" if i in (1, 2) else "end")
    f.field((520, 60), "contacts", RED, "start")
    f.title((540, 190), "A")
    f.title((680, 126), "B")
    f.text((660, 252), "from above: the vertices of the common area", GREY, size=12)
    f.write(folder, "contacts")


def draw_margin(folder):
    f = Figure(900, 190)
    left, right, y = 60, 840, 62
    zero, margin, cutoff = 360, 558, 700
    f.path(f"M{left} {y - 16}L{margin} {y - 16}L{margin} {y + 16}L{left} {y + 16}Z", stroke="none",
           fill="#fbdfe5")
    f.path(f"M{left} {y - 16}L{zero} {y - 16}L{zero} {y + 16}L{left} {y + 16}Z", stroke="none",
           fill="#f3b3c1")
    f.arrow((left, y), (right, y), INK, 1.6)
    for x, words in ((zero, "0"), (margin, "margin"), (cutoff, "cutoff")):
        f.line((x, y - 22), (x, y + 22), stroke=INK, width=1.4)
        f.field((x, y - 30), words)
    f.text((right + 10, y - 14), "signed distance", size=12, anchor="end", color=GREY)
    f.text(((left + zero) / 2, y + 38), "overlapping", RED)
    f.text(((zero + margin) / 2, y + 38), "apart", INK)
    f.arrow((margin, y + 56), (left, y + 56), RED, 1.4)
    f.text(((left + margin) / 2, y + 76), "wkCollide: isTouching, up to and including the margin", RED)
    f.arrow((cutoff, y + 56), (right, y + 56), GREEN, 1.4)
    f.text(((cutoff + right) / 2, y + 76), "wkDistance may stop with", GREEN)
    f.text(((cutoff + right) / 2, y + 94), "a bound above the cutoff", GREEN)
    f.write(folder, "margin")


def draw_ray(folder):
    f = Figure(900, 230)
    y = 100
    f.circle((330, y), 74, stroke=BLUE[0], fill=BLUE[1])
    origin = (60, y - 34)
    hit = (330 - math.sqrt(74 * 74 - 34 * 34), y - 34)
    normal = ((hit[0] - 330) / 74, -34 / 74)
    f.line(origin, (520, y - 34), stroke=GREY, width=1.2, dash="4 4")
    f.arrow(origin, (130, y - 34), ORANGE[0], 2.6)
    f.measure((60, y + 14), (hit[0], y + 14), "distance", RED, ((60 + hit[0]) / 2, y + 32))
    f.measure((60, y + 88), (520, y + 88), "maxDistance", GREY, (290, y + 106))
    f.arrow(hit, (hit[0] + 52 * normal[0], hit[1] + 52 * normal[1]), GREEN)
    f.dot(origin, ORANGE[0], 4.5)
    f.dot(hit, RED, 4.5)
    f.field((60, y - 46), "origin", ORANGE[0])
    f.field((104, y - 16), "direction", ORANGE[0])
    f.field((hit[0] + 10, hit[1] + 18), "point", RED, "start")
    f.field((hit[0] - 54, hit[1] - 26), "normal", GREEN, "end")
    # from inside
    f.circle((700, y), 74, stroke=BLUE[0], fill=BLUE[1])
    f.arrow((690, y), (750, y - 20), ORANGE[0], 2.6)
    f.dot((690, y), RED, 4.5)
    f.field((696, y + 22), "origin, point", RED)
    f.text((700, y + 106), "from inside: a hit at distance 0", GREY, size=12)
    f.write(folder, "ray_cast")


def draw_measures(folder):
    f = Figure(900, 270)
    center = (190, 124)
    box = rotate(rectangle(88, 44), 0.5, center)
    xs, ys = [p[0] for p in box], [p[1] for p in box]
    f.polygon([(min(xs), min(ys)), (max(xs), min(ys)), (max(xs), max(ys)), (min(xs), max(ys))], stroke=RED,
              dash="5 4", width=1.3)
    f.polygon(box, stroke=BLUE[0], fill=BLUE[1])
    f.dot((min(xs), max(ys)), RED)
    f.dot((max(xs), min(ys)), RED)
    f.field((min(xs), max(ys) + 18), "lower", RED)
    f.field((max(xs), min(ys) - 9), "upper", RED)
    f.dot(center)
    f.field((center[0] + 8, center[1] + 16), "centroid")
    f.title((190, 250), "wkShape_Bounds, wkShape_Mass")
    # support
    center = (470, 130)
    box = rotate(rectangle(80, 42), 0.5, center)
    f.polygon(box, stroke=BLUE[0], fill=BLUE[1])
    direction = (math.cos(-0.6), math.sin(-0.6))
    best = max(box, key=lambda p: p[0] * direction[0] + p[1] * direction[1])
    side = (-direction[1], direction[0])
    f.line((best[0] - 62 * side[0], best[1] - 62 * side[1]), (best[0] + 62 * side[0], best[1] + 62 * side[1]),
           stroke=GREY, dash="4 4", width=1.2)
    f.arrow(center, (center[0] + 52 * direction[0], center[1] + 52 * direction[1]), GREEN)
    f.field((center[0] + 2, center[1] + 20), "direction", GREEN)
    f.dot(best, RED, 4.5)
    f.field((best[0] + 12, best[1] + 2), "support", RED, "start")
    f.title((470, 250), "wkShape_Support")
    # point distance
    center = (740, 130)
    box = rotate(rectangle(84, 48), 0.0, center)
    f.polygon(box, stroke=BLUE[0], fill=BLUE[1])
    f.measure((824, 96), (870, 96), "+", RED, (847, 88))
    f.dot((870, 96), ORANGE[0], 4.5)
    f.measure((760, 178), (760, 150), "-", RED, (770, 168))
    f.dot((760, 150), ORANGE[0], 4.5)
    f.field((750, 146), "contained", ORANGE[0], "end")
    f.title((740, 250), "wkShape_PointDistance")
    f.write(folder, "measures")


FIGURES = (draw_shapes, draw_core, draw_measures, draw_distance, draw_penetration, draw_contacts, draw_margin,
           draw_ray)


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else root / "docs" / "images"
    groups = (mesh_figures, depth_figures, batch_figures, noise_figures, sphere_figures)
    for draw in FIGURES + tuple(draw for group in groups for draw in group.FIGURES):
        draw(folder)


if __name__ == "__main__":
    main()
