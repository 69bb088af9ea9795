# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""The figure about sphere trees; draw_figures.py calls it."""

import math

from figure import BLUE, GREEN, GREY, INK, ORANGE, RED, Figure

# A link seen from the side: x, and half of its width there.
SECTIONS = ((90, 62), (170, 58), (250, 36), (330, 36), (410, 48))
MIDDLE = 165
SPHERES = 60


def outline():
    return [(x, MIDDLE - half) for x, half in SECTIONS] + [(x, MIDDLE + half) for x, half in reversed(SECTIONS)]


def to_edge(p, a, b):
    along = (b[0] - a[0], b[1] - a[1])
    share = ((p[0] - a[0]) * along[0] + (p[1] - a[1]) * along[1]) / (along[0] ** 2 + along[1] ** 2)
    share = min(max(share, 0.0), 1.0)
    return math.hypot(p[0] - a[0] - share * along[0], p[1] - a[1] - share * along[1])


def is_inside(p, points):
    found = False
    for a, b in zip(points, points[1:] + points[:1]):
        if (a[1] > p[1]) != (b[1] > p[1]) and p[0] < a[0] + (p[1] - a[1]) * (b[0] - a[0]) / (b[1] - a[1]):
            found = not found
    return found


def pack(points):
    """Circles inside of a polygon, the largest that fits first."""
    cells = [(x + 0.5, y + 0.5) for x in range(90, 410) for y in range(100, 230)]
    edges = list(zip(points, points[1:] + points[:1]))
    clearances = {p: min(to_edge(p, a, b) for a, b in edges) for p in cells if is_inside(p, points)}
    circles = []
    for _ in range(SPHERES):
        center = max(clearances, key=clearances.get)
        radius = clearances[center]
        circles.append((center, radius))
        clearances = {p: min(c, math.hypot(p[0] - center[0], p[1] - center[1]) - radius)
                      for p, c in clearances.items()}
    return circles


def cover():
    """A circle around each section of the link."""
    circles = []
    for (left, low), (right, high) in zip(SECTIONS, SECTIONS[1:]):
        # the centre on the axis from which both pairs of corners are equally far
        middle = ((right ** 2 + high ** 2) - (left ** 2 + low ** 2)) / (2 * (right - left))
        circles.append(((middle, MIDDLE), math.hypot(left - middle, low)))
    return circles


def nearest(circles, points):
    """The pair of a circle and a point with the least distance."""
    pairs = ((math.hypot(p[0] - c[0], p[1] - c[1]) - r, c, r, p) for c, r in circles for p in points)
    return min(pairs)


def toward(center, radius, point):
    length = math.hypot(point[0] - center[0], point[1] - center[1])
    return (center[0] + radius * (point[0] - center[0]) / length, center[1] + radius * (point[1] - center[1]) / length)


def draw_sphere_tree(folder):
    f = Figure(900, 330)
    inner, outer = pack(outline()), cover()
    cloud = [(560 + 34 * math.sin(0.21 * i) + 3 * math.sin(7.0 * i), 40 + 8.4 * i) for i in range(31)]
    for center, radius in outer:
        f.circle(center, radius, stroke=ORANGE[0], fill=ORANGE[1], width=1.2, dash="5 4")
    f.polygon(outline(), stroke=INK, fill="white", width=2.0)
    for center, radius in inner:
        f.circle(center, radius, stroke=BLUE[0], fill=BLUE[1], width=1.0)
    for point in cloud:
        f.dot(point, GREY, 3.0)
    for circles, color, words, row in ((inner, BLUE[0], "upper", 0), (outer, ORANGE[0], "lower", 1)):
        _, center, radius, point = nearest(circles, cloud)
        start = toward(center, radius, point)
        f.line(start, point, stroke=color, width=2.2)
        f.dot(point, RED, 4.0)
        f.field((700, 120 + 44 * row), words, color, "start")
    f.text((700, 138), "to the nearest inner sphere", GREY, size=12, anchor="start")
    f.text((700, 182), "to the nearest outer sphere", GREY, size=12, anchor="start")
    f.text((700, 226), "the link is between the two", GREEN, size=12, anchor="start")
    f.text((250, 310), "inner spheres do not overlap, outer spheres cover", INK)
    f.text((560, 318), "raw points", GREY)
    f.write(folder, "sphere_tree")


FIGURES = (draw_sphere_tree,)
