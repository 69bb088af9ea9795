# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""The figures about meshes and height fields, one function each; draw_figures.py calls them."""

import math

from figure import BLUE, GREEN, GREY, INK, ORANGE, RED, Figure, rectangle, rotate


def draw_height_field(folder):
    f = Figure(900, 300)
    columns, rows, bottom = 9, 5, -0.9

    def height(i, j):
        return 1.1 * math.exp(-0.35 * ((i - 4.5) ** 2 + 1.4 * (j - 2) ** 2)) + 0.12 * math.sin(1.7 * i + j)

    def place(i, j, z):
        return (120 + 62 * i + 26 * j, 190 - 15 * j - 62 * z)

    def top(i, j):
        return place(i, j, height(i, j))

    for j in reversed(range(rows - 1)):
        for i in range(columns - 1):
            f.polygon((top(i, j), top(i, j + 1), top(i + 1, j + 1)), stroke=BLUE[0], fill=BLUE[1], width=0.9)
            f.polygon((top(i, j), top(i + 1, j), top(i + 1, j + 1)), stroke=BLUE[0], fill=BLUE[1], width=0.9)
    for j in reversed(range(rows - 1)):
        ends = (columns - 1, j), (columns - 1, j + 1)
        f.polygon([top(*ends[0]), top(*ends[1]), place(*ends[1], bottom), place(*ends[0], bottom)], stroke=GREY,
                  fill="#c3cad6", width=0.9)
    for i in range(columns - 1):
        f.polygon((top(i, 0), top(i + 1, 0), place(i + 1, 0, bottom), place(i, 0, bottom)), stroke=GREY,
                  fill="#e4e8ee", width=0.9)
    for i in range(columns):
        f.dot(top(i, 0), ORANGE[0], 3.2)
    f.field((100, 176), "heights", ORANGE[0], "end")
    f.measure((120, 268), (616, 268), "sizeX", RED, (368, 286))
    f.measure((634, 246), (738, 186), "sizeY", RED, (712, 232))
    f.field((106, 250), "minHeight", GREY, "end")
    f.text((790, 90), "two triangles a cell", BLUE[0])
    f.text((790, 140), "walls and bottom", GREY)
    f.write(folder, "height_field")


def outline(count):
    """Points of a closed bumpy curve that stands for a mesh."""
    points = []
    for i in range(count):
        t = 2 * math.pi * i / count
        r = 1.0 + 0.22 * math.cos(3 * t + 0.4) + 0.10 * math.cos(7 * t)
        points.append((205 + 148 * r * math.cos(t), 176 + 104 * r * math.sin(t)))
    return points


def draw_slots(f, corner, name, colors, size=24):
    """A node: eight slots side by side. Returns the middle of each slot's lower edge."""
    x, y = corner
    f.text((x - 8, y + 17), name, anchor="end", size=12)
    for i in range(8):
        fill = colors[i] if i < len(colors) else "white"
        f.polygon([(x + i * size, y), (x + (i + 1) * size, y), (x + (i + 1) * size, y + size),
                   (x + i * size, y + size)], stroke=INK, fill=fill, width=1.2)
    return [(x + (i + 0.5) * size, y + size) for i in range(8)]


def draw_hierarchy(folder):
    f = Figure(940, 370)
    parts = [(0, 3), (3, 10), (13, 3), (16, 2), (18, 3), (21, 9), (30, 4), (34, 2)]
    below = {1: [(3, 3), (6, 2), (8, 3), (11, 2)], 5: [(21, 2), (23, 3), (26, 2), (28, 2)]}
    points = outline(36)
    points.append(points[0])

    def bounds(first, count, grow):
        xs, ys = zip(*points[first:first + count + 1])
        return [(min(xs) - grow, min(ys) - grow), (max(xs) + grow, min(ys) - grow),
                (max(xs) + grow, max(ys) + grow), (min(xs) - grow, max(ys) + grow)]

    f.polygon(bounds(0, 36, 14), stroke=GREY, width=1.4)
    for index, (first, count) in enumerate(parts):
        color = BLUE if index in below else ORANGE
        f.polygon(bounds(first, count, 6), stroke=color[0], fill=color[1], width=1.4, opacity=0.55)
        for leaf in below.get(index, []):
            f.polygon(bounds(*leaf, 1.5), stroke=ORANGE[0], fill=ORANGE[1], width=1.1, opacity=0.8)
    f.path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points), width=1.8)
    for point in points[:-1]:
        f.dot(point, radius=2.6)
    f.text((205, 340), "the mesh: 36 triangles, drawn as edges", GREY, size=12)

    grey, node, leaf = "#d9dde3", BLUE[1], ORANGE[1]
    stem = draw_slots(f, (560, 26), "node 0, the stem", [grey])
    root = draw_slots(f, (560, 98), "node 1", [node if i in below else leaf for i in range(8)])
    left = [(494 + 24 * i, 204) for i in range(4)]
    right = [(748 + 24 * i, 204) for i in range(4)]
    strip, step, top = 440, 13, 268
    leaves = [(part, root[i]) for i, part in enumerate(parts) if i not in below]
    leaves += list(zip(below[1], left)) + list(zip(below[5], right))
    for i in range(36):
        f.polygon([(strip + step * i, top), (strip + step * (i + 1), top), (strip + step * (i + 1), top + 20),
                   (strip + step * i, top + 20)], stroke=GREY, fill="white", width=0.8)
    for (first, count), start in leaves:
        middle = strip + step * (first + count / 2)
        f.line(start, (middle, top - 4), stroke=ORANGE[0], width=0.9)
        f.polygon([(strip + step * first + 1, top), (strip + step * (first + count) - 1, top),
                   (strip + step * (first + count) - 1, top + 20), (strip + step * first + 1, top + 20)],
                  stroke=ORANGE[0], fill=leaf, width=1.4)
    draw_slots(f, (482, 180), "node 2", [leaf] * 4)
    draw_slots(f, (736, 180), "node 3", [leaf] * 4)
    f.arrow(stem[0], (572, 98), INK, 1.4, head=7)
    f.arrow(root[1], (528, 180), BLUE[0], 1.6, head=7)
    f.arrow(root[5], (790, 180), BLUE[0], 1.6, head=7)
    f.text((674, 312), "triangles in tree order: a leaf is a range of them", GREY, size=12)
    f.text((674, 340), "a slot holds a bounding volume and a link: to a node, to a leaf, or empty", GREY,
           size=12)
    f.write(folder, "hierarchy")


def draw_solid(folder):
    f = Figure(900, 385)
    columns = (("a sphere inside", 190), ("a sphere across the surface", 475), ("a ray from inside", 760))
    for row, (name, y) in enumerate((("surface", 104), ("solid", 268))):
        f.text((20, y + 4), name, weight="bold", anchor="start")
        for i, (_, x) in enumerate(columns):
            f.polygon(rotate(rectangle(100, 62), 0.0, (x, y)), stroke=BLUE[0],
                      fill=BLUE[1] if row else "white", width=2.4)
            if i < 2:
                center = (x + (44 if i == 0 else 78), y)
                f.circle(center, 34, stroke=ORANGE[0], fill=ORANGE[1])
                f.dot(center, radius=2.4)
    x, y = columns[0][1], 104
    f.measure((x + 78, y), (x + 100, y), "22", RED, (x + 108, y + 4), "start")
    x, y = columns[1][1], 104
    f.measure((x + 100, y + 44), (x + 112, y + 44), "-12", RED, (x + 120, y + 48), "start")
    f.line((x + 112, y), (x + 112, y + 44), stroke=GREY, width=1, dash="3 3")
    x, y = columns[0][1], 268
    f.measure((x + 10, y + 44), (x + 100, y + 44), "-90", RED, (x + 4, y + 48), "end")
    f.line((x + 10, y), (x + 10, y + 44), stroke=GREY, width=1, dash="3 3")
    x, y = columns[1][1], 268
    f.measure((x + 44, y + 44), (x + 100, y + 44), "-56", RED, (x + 38, y + 48), "end")
    f.line((x + 44, y), (x + 44, y + 44), stroke=GREY, width=1, dash="3 3")
    x, y = columns[2][1], 104
    f.line((x - 30, y), (x + 100, y), stroke=GREY, width=1.2, dash="4 4")
    f.arrow((x - 30, y), (x + 20, y), ORANGE[0], 2.6)
    f.dot((x + 100, y), RED, 4.5)
    f.text((x - 30, y - 12), "meets the wall", RED, size=12, anchor="start")
    x, y = columns[2][1], 268
    f.arrow((x - 30, y), (x + 20, y), ORANGE[0], 2.6)
    f.dot((x - 30, y), RED, 4.5)
    f.text((x - 30, y - 12), "a hit at distance 0", RED, size=12, anchor="start")
    for words, x in columns:
        f.title((x, 362), words)
    f.write(folder, "surface_solid")


def draw_state(f, center, name):
    f.ellipse(center, 62, 28, stroke=BLUE[0], fill=BLUE[1])
    f.text((center[0], center[1] + 5), name, weight="bold")


def draw_states(folder):
    f = Figure(940, 330)
    empty, building, built = (90, 165), (360, 165), (640, 165)
    replacing, updating = (640, 46), (640, 284)
    for center, name in ((empty, "empty"), (building, "building"), (built, "built"), (replacing, "replacing"),
                         (updating, "updating")):
        draw_state(f, center, name)
    f.arrow((152, 165), (298, 165), GREEN)
    f.field((225, 156), "BeginModel", GREEN)
    f.arrow((420, 158), (580, 158), GREEN)
    f.field((500, 149), "EndModel", GREEN)
    f.arrow((580, 174), (420, 174), GREEN)
    f.field((500, 192), "BeginModel", GREEN)
    f.field((360, 116), "AddVertices", ORANGE[0])
    f.field((360, 132), "AddTriangles, AddPart", ORANGE[0])
    for other, name, sign in ((replacing, "Replace", -1), (updating, "Update", 1)):
        y = built[1] + 28 * sign
        end = other[1] - 28 * sign
        f.arrow((620, y), (620, end), GREEN)
        f.arrow((660, end), (660, y), GREEN)
        f.field((612, (y + end) / 2 + 4), f"Begin{name}", GREEN, "end")
        f.field((668, (y + end) / 2 + 4), f"End{name}", GREEN, "start")
        f.field((710, other[1] + 4), f"{name}Vertices", ORANGE[0], "start")
    f.field((712, 158), "wkMeshBuilder_Mesh", INK, "start")
    f.text((712, 178), "may be queried", GREY, size=12, anchor="start")
    f.field((90, 284), "Cancel", GREY, "start")
    f.text((90, 304), "from any Begin: back, nothing changed", GREY, size=12, anchor="start")
    f.write(folder, "mesh_states")


FIGURES = (draw_height_field, draw_hierarchy, draw_solid, draw_states)
