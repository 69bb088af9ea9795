#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws docs/images/path_cost.svg: the cells that three paths meet, as the example 12_path_cost finds them.

usage: cost_figure.py PROGRAM [FOLDER]

PROGRAM is the built example; the table that it prints is drawn from above, at the height of the hand.
"""

import pathlib
import subprocess
import sys

from figure import BLUE, GREY, INK, Figure

SCALE = 72.0  # pixels per metre
LEFT, TOP = -0.1, 1.7  # what is drawn of the room, in metres
RIGHT, BOTTOM = 3.3, -1.7
UNKNOWN = "#e3e5e9"
BROWN = "#a4551e"
PATHS = {  # where the hand is sent, as in the example
    "beside the crate": [(0.85, 0.5), (1.1, 0.75), (1.6, 0.75)],
    "behind the crate": [(0.85, 0.5), (2.05, 0.75), (2.3, 0.1)],
    "out of sight": [(0.85, 0.5), (0.85, -0.5), (1.1, -1.2)],
}


def read_table(program):
    """Squares by kind: (x, y, size, probability)."""
    output = subprocess.run([program, "table"], check=True, capture_output=True, text=True).stdout
    squares = {}
    for line in output.splitlines():
        kind, *numbers = line.split(",")
        squares.setdefault(kind, []).append(tuple(map(float, numbers)))
    return squares


class View:
    """One panel: the room from above, x to the right, y up."""

    def __init__(self, figure, corner):
        self.figure, self.corner = figure, corner

    def point(self, x, y):
        x, y = min(max(x, LEFT), RIGHT), min(max(y, BOTTOM), TOP)
        return self.corner[0] + SCALE * (x - LEFT), self.corner[1] + SCALE * (TOP - y)

    def squares(self, squares, **style):
        """All of one style, as one path."""
        data = ""
        for x, y, size, _ in squares:
            (ax, ay), (bx, by) = self.point(x, y), self.point(x + size, y + size)
            if bx > ax and ay > by:
                data += f"M{ax:.4g} {by:.4g}h{bx - ax:.3g}v{ay - by:.3g}h{ax - bx:.3g}z"
        if data:
            self.figure.path(data, **style)


def by_probability(squares):
    groups = {}
    for square in squares:
        groups.setdefault(square[3], []).append(square)
    return sorted(groups.items())


def draw_room(view, squares):
    (ax, ay), (bx, by) = view.point(LEFT, BOTTOM), view.point(RIGHT, TOP)
    view.figure.polygon([(ax, ay), (bx, ay), (bx, by), (ax, by)], stroke=GREY, fill=UNKNOWN, width=1)
    view.squares(squares["free"], stroke="none", fill="white")
    for probability, group in by_probability(squares["free"]):
        # as free as cells get: white; the less sure, the darker
        view.squares(group, stroke="none", fill=BLUE[0], opacity=min(1.0, (probability - 0.119) / 0.4))
    view.squares(squares["occupied"], stroke="none", fill=INK)


def draw_path(view, name, squares):
    for probability, group in by_probability(squares.get(name, [])):
        view.squares(group, stroke=BROWN, fill=BROWN, width=0.8, opacity=probability)
    points = [view.point(x, y) for x, y in PATHS[name]]
    for a, b in zip(points, points[1:]):
        view.figure.arrow(a, b, color=BLUE[0])
    for x, y in points:
        view.figure.dot((x, y), BLUE[0])
    view.figure.dot(view.point(0.05, 0.05), INK, 5)


def draw(program, folder):
    squares = read_table(program)
    width, height = SCALE * (RIGHT - LEFT), SCALE * (TOP - BOTTOM)
    figure = Figure(int(3 * width + 80), int(height + 86))
    for i, name in enumerate(PATHS):
        view = View(figure, (20 + i * (width + 20), 36))
        draw_room(view, squares)
        draw_path(view, name, squares)
        figure.title((20 + i * (width + 20) + width / 2, 24), name)
    legend = [(UNKNOWN, "unknown"), ("white", "free"), ("#a9bfe2", "seldom observed"), (INK, "occupied"),
              (BROWN, "met, the darker the more probable")]
    x = 20
    for color, words in legend:
        y = height + 56
        figure.polygon([(x, y), (x + 14, y), (x + 14, y + 14), (x, y + 14)], stroke=GREY, fill=color, width=1)
        figure.text((x + 20, y + 12), words, anchor="start")
        x += 45 + 7.5 * len(words)
    figure.write(folder, "path_cost")


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    root = pathlib.Path(__file__).resolve().parent.parent
    draw(sys.argv[1], pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else root / "docs" / "images")


if __name__ == "__main__":
    main()
