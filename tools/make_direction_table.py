#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes src/solve/global_depth/direction_table.c, the triangles and caps that cover all directions.

The triangles of an icosahedron on the unit sphere are divided in four, twice, at the midpoints of their
edges. `make_direction_table.py` writes the file, `make_direction_table.py --check` compares.
"""
import math
import pathlib
import sys

TARGET = pathlib.Path(__file__).resolve().parent.parent / "src/solve/global_depth/direction_table.c"

# added to the sine of a cap: more than what single precision may lose
ROUND_UP = 2e-6

GOLDEN = (1.0 + math.sqrt(5.0)) / 2.0
ICOSAHEDRON_VERTICES = [
    (-1, GOLDEN, 0), (1, GOLDEN, 0), (-1, -GOLDEN, 0), (1, -GOLDEN, 0),
    (0, -1, GOLDEN), (0, 1, GOLDEN), (0, -1, -GOLDEN), (0, 1, -GOLDEN),
    (GOLDEN, 0, -1), (GOLDEN, 0, 1), (-GOLDEN, 0, -1), (-GOLDEN, 0, 1),
]
ICOSAHEDRON_TRIANGLES = [
    (0, 11, 5), (0, 5, 1), (0, 1, 7), (0, 7, 10), (0, 10, 11),
    (1, 5, 9), (5, 11, 4), (11, 10, 2), (10, 7, 6), (7, 1, 8),
    (3, 9, 4), (3, 4, 2), (3, 2, 6), (3, 6, 8), (3, 8, 9),
    (4, 9, 5), (2, 4, 11), (6, 2, 10), (8, 6, 7), (9, 8, 1),
]

HEAD = """\
// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Written by tools/make_direction_table.py, not by hand. The triangles of an icosahedron on the unit sphere, divided in
// four once (80 triangles) and twice (320) at the midpoints of their edges. Triangle i of the second half of the first
// level is opposite to triangle i of its first half. Each triangle has the axis and the sine of the cap that contains
// it; sines are rounded up.

#include "solve/global_depth/direction_table.h"

// clang-format off
"""
TAIL = """\
// clang-format on

const wkDirectionLevel wkDirectionLevels[WK_COVER_LEVELS] = {
    {{firstX, firstY, firstZ, firstSine, firstCosecant, firstVersed}, firstVertex},
    {{secondX, secondY, secondZ, secondSine, secondCosecant, secondVersed}, secondVertex},
};
"""


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def normalized(v):
    length = math.sqrt(dot(v, v))
    return tuple(x / length for x in v)


class Sphere:
    """Vertices on the unit sphere, each stored once."""

    def __init__(self):
        self.vertices = [normalized(v) for v in ICOSAHEDRON_VERTICES]
        self.middles = {}

    def middle(self, a, b):
        key = (min(a, b), max(a, b))
        if key not in self.middles:
            self.middles[key] = len(self.vertices)
            both = zip(self.vertices[a], self.vertices[b])
            self.vertices.append(normalized(tuple(x + y for x, y in both)))
        return self.middles[key]

    def cut(self, triangles):
        """Triangle i becomes the triangles 4 i to 4 i + 3."""
        pieces = []
        for a, b, c in triangles:
            ab, bc, ca = self.middle(a, b), self.middle(b, c), self.middle(c, a)
            pieces += [(a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca)]
        return pieces

    def opposite(self, vertex):
        v = self.vertices[vertex]
        return min(range(len(self.vertices)), key=lambda i: dot(v, self.vertices[i]))

    def in_opposite_halves(self, triangles):
        """Reorders them: triangle i of the second half is opposite to triangle i of the first."""
        half, seen = [], set()
        for triangle in triangles:
            opposite = tuple(self.opposite(v) for v in triangle)
            if frozenset(triangle) not in seen:
                half.append((triangle, opposite))
                seen |= {frozenset(triangle), frozenset(opposite)}
        assert 2 * len(half) == len(triangles) == len(seen)
        return [first for first, _ in half] + [second for _, second in half]

    def cap(self, triangle):
        """Axis and sine of the cap about the middle of a triangle that contains its vertices."""
        points = [self.vertices[v] for v in triangle]
        axis = normalized(tuple(sum(axes) for axes in zip(*points)))
        cosine = min(dot(axis, point) for point in points)
        return axis, math.sin(math.acos(cosine)) + ROUND_UP


def number(x):
    return f"{float(f'{x:.9g}')!r}f"


def braced(items):
    return "{" + ", ".join(items) + "}"


def lines(items):
    """Items in lines of at most 100 columns."""
    rows = [""]
    for item in items:
        if len(rows[-1]) + len(item) > 93:
            rows.append("")
        rows[-1] += item + ", "
    return "\n    ".join(row.rstrip() for row in rows).rstrip(",")


def floats(name, values):
    return f"static _Alignas(64) const float {name}[] = {{\n    {lines(map(number, values))}}};\n"


def level(sphere, name, triangles):
    caps = [sphere.cap(t) for t in triangles]
    sines = [sine for _, sine in caps]
    arrays = [floats(name + "XYZ"[k], [axis[k] for axis, _ in caps]) for k in range(3)]
    arrays.append(floats(name + "Sine", sines))
    arrays.append(floats(name + "Cosecant", [1 / s for s in sines]))
    arrays.append(floats(name + "Versed", [1 / (1 + math.sqrt(1 - s * s)) for s in sines]))
    indices = lines(braced(map(str, t)) for t in triangles)
    arrays.append(f"static const uint8_t {name}Vertex[][3] = {{\n    {indices}}};\n")
    return arrays


def table():
    sphere = Sphere()
    first = sphere.in_opposite_halves(sphere.cut(ICOSAHEDRON_TRIANGLES))
    second = sphere.cut(first)
    arrays = level(sphere, "first", first) + level(sphere, "second", second)
    vertices = lines(braced(map(number, v)) for v in sphere.vertices)
    arrays.append(f"const float wkDirectionVertex[WK_COVER_VERTICES][3] = {{\n    {vertices}}};\n")
    return HEAD + "\n".join(arrays) + TAIL


def main():
    if sys.argv[1:] == ["--check"]:
        if TARGET.read_text() != table():
            print(f"{TARGET}: not as {pathlib.Path(__file__).name} writes it")
            return 1
    else:
        TARGET.write_text(table())
    return 0


if __name__ == "__main__":
    sys.exit(main())
