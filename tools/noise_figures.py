# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""The figure of docs/noisy_clouds.md."""

import math

from figure import BLUE, GREEN, GREY, INK, ORANGE, RED, Figure


def draw_noise(f, center, deviation, color, most):
    """Circles of one standard deviation and more."""
    for k in range(most, 0, -1):
        f.circle(center, k * deviation, stroke=color, width=0.9, dash="3 3")
    f.dot(center, color)


def draw_point(f):
    """A point near a body, between a sphere inside and one outside."""
    middle, radius, point, deviation = (190.0, 420.0), 240.0, (190.0, 148.0), 21.0
    arc = [(middle[0] + radius * math.sin(a / 40.0), middle[1] - radius * math.cos(a / 40.0))
           for a in range(-28, 29)]
    f.polygon(arc + [(arc[-1][0], 320), (arc[0][0], 320)], stroke=BLUE[0], fill=BLUE[1])
    top = middle[1] - radius
    f.circle((middle[0], top + 66), 66, stroke=RED, width=1.6)
    f.circle((middle[0], top - 75), 75, stroke=GREEN, width=1.6)
    f.line((40, top), (340, top), stroke=GREY, dash="5 4", width=1.2)
    draw_noise(f, point, deviation, ORANGE[0], 3)
    f.text((190, top + 100), "all inside", RED, size=12)
    f.text((190, top - 118), "all free", GREEN, size=12)
    f.text((338, top - 7), "half-space", GREY, "end", size=12)
    f.text((60, 306), "body", BLUE[0], "start", size=12)
    f.text((190, 348), "the probability of one point, between known ones", size=12)


def draw_surface(f):
    """Two clouds with different noise, and the surface that is as many deviations from both."""
    def bend(x, offset):
        return offset - 0.0016 * (x - 640.0) ** 2

    for i in range(9):
        x = 480.0 + 40.0 * i
        draw_noise(f, (x, bend(x, 130.0)), 11.0, ORANGE[0], 2)
        draw_noise(f, (x, bend(x, 262.0)), 22.0, BLUE[0], 2)
    line = [(460.0 + 4.0 * i, bend(460.0 + 4.0 * i, 174.0)) for i in range(91)]
    for a, b in zip(line, line[1:]):
        f.line(a, b, stroke=INK, width=2.2)
    f.text((640, 84), "less noise", ORANGE[0], size=12)
    f.text((640, 336), "more noise", BLUE[0], size=12)
    f.text((838, bend(838, 174.0) + 5), "surface", INK, "start", size=12)
    f.text((640, 364), "the surface that separates two clouds", size=12)


def draw_noisy_clouds(folder):
    f = Figure(910, 384)
    draw_point(f)
    draw_surface(f)
    f.write(folder, "noisy_clouds")


FIGURES = (draw_noisy_clouds,)
