# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of docs/batches.md."""

import math

from figure import BLUE, GREEN, GREY, INK, ORANGE, RED, Figure

CELL = 30
LEFT, TOP = 40, 44
COLUMNS, ROWS = 13, 9
BOX = (LEFT + 5 * CELL - 8, TOP + 3 * CELL + 6, LEFT + 8 * CELL + 2, TOP + 5 * CELL - 4)


def corners(x, y, width, height):
    return [(x, y), (x + width, y), (x + width, y + height), (x, y + height)]


def gap(x, y):
    """Distance of a point from the box."""
    dx = max(BOX[0] - x, x - BOX[2], 0.0)
    dy = max(BOX[1] - y, y - BOX[3], 0.0)
    return math.hypot(dx, dy)


def bounds(column, row):
    """The least and the greatest distance of a point of a cell."""
    x, y = LEFT + column * CELL, TOP + row * CELL
    nearest = math.hypot(max(BOX[0] - x - CELL, x - BOX[2], 0.0), max(BOX[1] - y - CELL, y - BOX[3], 0.0))
    return nearest, max(gap(*p) for p in corners(x, y, CELL, CELL))


def draw_cells(f, radius):
    for row in range(ROWS):
        for column in range(COLUMNS):
            least, most = bounds(column, row)
            fill = "#e2f4ea" if least > radius else "#f7c9d3" if most <= radius else "#fde4c8"
            f.polygon(corners(LEFT + column * CELL, TOP + row * CELL, CELL, CELL), stroke="white", fill=fill,
                      width=1.2)
    f.polygon([(BOX[0], BOX[1]), (BOX[2], BOX[1]), (BOX[2], BOX[3]), (BOX[0], BOX[3])], stroke=INK, fill="#c9ced6")
    f.text(((BOX[0] + BOX[2]) / 2, (BOX[1] + BOX[3]) / 2 + 5), "object", size=12)


def draw_field(folder):
    f = Figure(900, 350)
    radius = 40
    draw_cells(f, radius)
    for x, y, color in ((LEFT + 60, TOP + 50, GREEN), (LEFT + 200, TOP + 76, RED), (LEFT + 258, TOP + 198, ORANGE[0])):
        f.circle((x, y), radius, stroke=color, width=2.4)
        f.dot((x, y), color)
    x = LEFT + COLUMNS * CELL + 50
    words = (("free", GREEN, "no point of the cell is nearer to anything than the radius"),
             ("touching", RED, "no point of the cell is further from something than the radius"),
             ("undecided", ORANGE[0], "the objects listed for the brick around the cell are checked"))
    f.text((x, TOP + 24), "What the cell of a center decides about spheres of one radius:", INK, "start")
    for i, (name, color, meaning) in enumerate(words):
        y = TOP + 70 + i * 58
        f.circle((x + 10, y - 5), 9, stroke=color, width=2.4)
        f.text((x + 30, y), name, color, "start", weight="bold")
        f.text((x + 30, y + 20), meaning, GREY, "start", size=12)
    f.write(folder, "batch_field")


def draw_intervals(f, y, intervals, color, words):
    left, width = 70, 560
    for start, end, state in intervals:
        a, b = left + start * width, left + end * width
        f.line((a, y), (b, y), stroke=color, width=1.6)
        for x in (a, b):
            f.line((x, y - 6), (x, y + 6), stroke=color, width=1.6)
        middle = (a + b) / 2
        if state == "free":
            f.polygon(corners(a + 2, y - 9, b - a - 4, 18), stroke="none", fill="#bfe6d1", width=0)
            f.dot((middle, y), GREEN)
        else:
            f.dot((middle, y), ORANGE[0])
    f.text((left + width + 24, y + 4), words, GREY, "start", size=12)


def draw_motion(folder):
    f = Figure(900, 250)
    f.text((70, 30), "t = 0", anchor="start")
    f.text((630, 30), "t = 1", anchor="end")
    draw_intervals(f, 62, [(0, .25, "free"), (.25, .5, "free"), (.5, .75, "open"), (.75, 1, "free")], BLUE[0],
              "four lanes, one check: three proven")
    draw_intervals(f, 122, [(.5, .625, "free"), (.625, .75, "open")], BLUE[0], "the other one in halves, again in lanes")
    draw_intervals(f, 182, [(.625, .6875, "free"), (.6875, .75, "free")], BLUE[0], "all proven: the motion is free")
    f.dot((80, 228), GREEN)
    f.text((94, 232), "free with spheres grown by how far they move within the interval", GREY, "start", size=12)
    f.dot((480, 228), ORANGE[0])
    f.text((494, 232), "free in its middle, not yet proven around it", GREY, "start", size=12)
    f.write(folder, "batch_motion")


FIGURES = (draw_field, draw_motion)
