# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""A sheet to draw figures of the manual on: SVG, lengths in pixels, y points down."""

import math

INK = "#2b2f36"
GREY = "#8a919c"
BLUE = ("#2f62b5", "#d3e2fa")
ORANGE = ("#c4701a", "#fde4c8")
GREEN = "#12805c"
RED = "#c2274b"
CODE = "monospace"
WORDS = "Helvetica, Arial, sans-serif"


class Figure:
    """Collects SVG elements on a white sheet."""

    def __init__(self, width, height):
        self.size = width, height
        self.parts = []

    def add(self, text):
        self.parts.append(text)

    def path(self, data, stroke=INK, fill="none", width=1.6, dash=None, opacity=1.0):
        style = f' stroke-dasharray="{dash}"' if dash else ""
        style += f' fill-opacity="{opacity:g}"' if opacity < 1.0 else ""
        self.add(f'<path d="{data}" stroke="{stroke}" fill="{fill}" stroke-width="{width}"{style}/>')

    def line(self, a, b, **style):
        self.path(f"M{a[0]:.1f} {a[1]:.1f}L{b[0]:.1f} {b[1]:.1f}", **style)

    def polygon(self, points, **style):
        self.path("M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points) + "Z", **style)

    def ellipse(self, center, rx, ry, stroke=INK, fill="none", width=1.6, dash=None):
        x, y = center
        style = f' stroke-dasharray="{dash}"' if dash else ""
        self.add(f'<ellipse cx="{x:.1f}" cy="{y:.1f}" rx="{rx:.1f}" ry="{ry:.1f}" stroke="{stroke}" '
                 f'fill="{fill}" stroke-width="{width}"{style}/>')

    def circle(self, center, radius, **style):
        self.ellipse(center, radius, radius, **style)

    def dot(self, point, color=INK, radius=3.6):
        self.circle(point, radius, stroke="white", fill=color, width=1)

    def text(self, point, words, color=INK, anchor="middle", font=WORDS, size=13, weight="normal"):
        words = words.replace("&", "&amp;").replace("<", "&lt;")
        self.add(f'<text x="{point[0]:.1f}" y="{point[1]:.1f}" fill="{color}" text-anchor="{anchor}" '
                 f'font-family="{font}" font-size="{size}" font-weight="{weight}">{words}</text>')

    def field(self, point, words, color=INK, anchor="middle"):
        self.text(point, words, color, anchor, CODE)

    def title(self, point, words):
        self.text(point, words, weight="bold")

    def arrow(self, a, b, color=INK, width=2.0, dash=None, head=9.0):
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = math.hypot(dx, dy) or 1.0
        dx, dy = dx / length, dy / length
        neck = b[0] - head * dx, b[1] - head * dy
        self.line(a, neck, stroke=color, width=width, dash=dash)
        side = 0.45 * head
        self.polygon([b, (neck[0] - side * dy, neck[1] + side * dx),
                      (neck[0] + side * dy, neck[1] - side * dx)], stroke=color, fill=color, width=0.5)

    def measure(self, a, b, words=None, color=INK, place=None, anchor="middle"):
        """A length: a thin line with ticks at its ends."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        length = math.hypot(dx, dy) or 1.0
        nx, ny = -4.5 * dy / length, 4.5 * dx / length
        self.line(a, b, stroke=color, width=1.2)
        for x, y in (a, b):
            self.line((x - nx, y - ny), (x + nx, y + ny), stroke=color, width=1.2)
        if words:
            self.field(place or ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2 - 7), words, color, anchor)

    def write(self, folder, name):
        width, height = self.size
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
                f'viewBox="0 0 {width} {height}">\n<rect width="{width}" height="{height}" rx="8" '
                'fill="white"/>\n')
        (folder / f"{name}.svg").write_text(head + "\n".join(self.parts) + "\n</svg>\n", "utf-8")


def rotate(points, angle, center):
    """Points turned clockwise as seen on the sheet, about the origin, and moved to `center`."""
    c, s = math.cos(angle), math.sin(angle)
    return [(center[0] + c * x - s * y, center[1] + s * x + c * y) for x, y in points]


def rectangle(w, h):
    return [(-w, -h), (w, -h), (w, h), (-w, h)]


def grown(points, radius):
    """Path of a convex polygon (clockwise on the sheet) with a disc of `radius` swept over it."""
    data = ""
    count = len(points)
    for i in range(count):
        (ax, ay), (bx, by) = points[i], points[(i + 1) % count]
        length = math.hypot(bx - ax, by - ay)
        nx, ny = radius * (by - ay) / length, -radius * (bx - ax) / length
        data += (f"M{ax + nx:.1f} {ay + ny:.1f}" if i == 0 else
                 f"A{radius} {radius} 0 0 1 {ax + nx:.1f} {ay + ny:.1f}")
        data += f"L{bx + nx:.1f} {by + ny:.1f}"
    (ax, ay), (bx, by) = points[0], points[1]
    length = math.hypot(bx - ax, by - ay)
    return data + (f"A{radius} {radius} 0 0 1 {ax + radius * (by - ay) / length:.1f} "
                   f"{ay - radius * (bx - ax) / length:.1f}Z")
