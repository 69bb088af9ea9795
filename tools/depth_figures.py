# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of docs/depth_images.md."""

from figure import BLUE, GREEN, GREY, INK, ORANGE, RED, Figure

CAMERA = 70.0, 190.0
STEP = 0.016  # slope of a pixel
EDGE = 13  # pixels to each side


def depth_of(pixel):
    """What a pixel has measured; None: nothing."""
    if 5 <= pixel <= 7:
        return None
    return 360.0 if -8 <= pixel <= -3 else 690.0


def at(depth, slope):
    return CAMERA[0] + depth, CAMERA[1] + slope * depth


def wedge(pixel, near, far):
    """The part of what a pixel sees between two depths."""
    low, high = (pixel - 0.5) * STEP, (pixel + 0.5) * STEP
    return [at(near, low), at(far, low), at(far, high), at(near, high)]


def draw_views(f):
    """What each pixel proves, and the surface it has seen."""
    for pixel in range(-EDGE, EDGE + 1):
        depth = depth_of(pixel)
        if depth is None:
            f.polygon(wedge(pixel, 0, 760), stroke="none", fill="#eceef1", width=0)
            continue
        f.polygon(wedge(pixel, 0, depth - 8), stroke="none", fill="#e2f4ea", width=0)
        f.polygon(wedge(pixel, depth - 8, depth + 34), stroke="none", fill="#f7c9d3", width=0)
        if depth < 600:
            f.polygon(wedge(pixel, depth + 34, 760), stroke="none", fill="#fde4c8", width=0)
        f.line(at(depth, (pixel - 0.5) * STEP), at(depth, (pixel + 0.5) * STEP), stroke=BLUE[0], width=3.2)
    for pixel in range(-EDGE, EDGE + 2):
        f.line(CAMERA, at(760, (pixel - 0.5) * STEP), stroke="white", width=0.7)
    for side in (-EDGE - 0.5, EDGE + 0.5):
        f.line(CAMERA, at(760, side * STEP), stroke=GREY, dash="5 4", width=1.2)


def draw_verdicts(folder):
    f = Figure(900, 400)
    draw_views(f)
    f.polygon([(CAMERA[0] - 34, CAMERA[1] - 13), (CAMERA[0] - 10, CAMERA[1] - 13), (CAMERA[0], CAMERA[1] - 6),
               (CAMERA[0], CAMERA[1] + 6), (CAMERA[0] - 10, CAMERA[1] + 13), (CAMERA[0] - 34, CAMERA[1] + 13)],
              stroke=INK, fill="#d5d9df")
    f.text((CAMERA[0] - 20, CAMERA[1] + 34), "camera", size=12)
    spheres = ((270, 0.030, 19, "free", GREEN), (372, -0.088, 21, "hit", RED),
             (540, -0.085, 22, "occluded", ORANGE[0]), (500, 0.096, 19, "unobserved", GREY),
             (540, 0.222, 21, "unobserved", GREY))
    for depth, slope, radius, name, color in spheres:
        x, y = at(depth, slope)
        f.circle((x, y), radius, stroke=color, width=2.6)
        f.text((x, y - radius - 7), name, color, weight="bold")
    f.text(at(724, -0.243), "observed, within its thickness", RED, "end", size=12)
    f.text(at(300, 0.30), "outside of the view", GREY, size=12)
    f.text(at(640, 0.105), "nothing was measured", GREY, size=12)
    f.text(at(655, -0.085), "behind what was observed", ORANGE[0], size=12)
    f.text(at(180, 0.0), "proven free", GREEN, size=12)
    f.write(folder, "depth_verdicts")


def draw_window(f):
    """The window of a sphere, and the entry of the pyramid that covers it."""
    x, y, side = 60, 36, 15
    stride = 4 * side
    left, top = x + 2 * stride, y + 2 * stride
    f.polygon(corners(left - 2 * stride, top - 2 * stride, 5 * stride), stroke=BLUE[0], fill="#eef4fd", width=2)
    f.polygon(corners(left, top, stride), stroke=BLUE[0], fill="#a9c5f2")
    for i in range(1, 20):
        f.line((x + i * side, y), (x + i * side, y + 20 * side), stroke="white", width=0.8)
        f.line((x, y + i * side), (x + 20 * side, y + i * side), stroke="white", width=0.8)
    f.measure((left + stride, top - 12), (left + 3 * stride, top - 12), color=BLUE[0])
    f.text((left + 2 * stride, top - 19), "margin", BLUE[0], size=12)
    f.text((left + stride / 2, top + 14), "stride", BLUE[0], size=12)
    center, radius = (left + 1.2 * side, top + 2.7 * side), 6.6 * side
    f.circle(center, radius, stroke=GREEN, width=2)
    f.polygon(corners(center[0] - radius, center[1] - radius, 2 * radius), stroke=GREEN, dash="5 4", width=1.3)
    f.dot(center, GREEN)
    f.text((x + 10 * side, y + 20 * side + 22), "a sphere, its window, and the entry that covers it", size=12)


def corners(left, top, side):
    return [(left, top), (left + side, top), (left + side, top + side), (left, top + side)]


def draw_levels(f):
    """One table with all levels."""
    x, y, width, height = 560, 36, 150, 120
    for first, name in ((0, "2 strides"), (190, "3 strides")):
        top, rows, columns = y, height, width
        for level in range(5):
            f.polygon([(x + first, top), (x + first + columns, top), (x + first + columns, top + rows),
                       (x + first, top + rows)], stroke=BLUE[0], fill=BLUE[1] if level % 2 == 0 else "#eef4fd")
            if level < 3:
                f.text((x + first + columns / 2, top + rows / 2 + 5), f"{2 << level} px", size=12)
            top, rows, columns = top + rows, rows / 2, columns / 2
        f.text((x + first + width / 2, y + 20 * 15 + 22), f"margins of {name}", size=12)


def draw_pyramid(folder):
    f = Figure(930, 376)
    draw_window(f)
    draw_levels(f)
    f.write(folder, "depth_pyramid")


FIGURES = (draw_verdicts, draw_pyramid)
