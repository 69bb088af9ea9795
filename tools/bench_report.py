#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes docs/benchmarks.md, or the numbers in the README, from the JSON lines of a benchmark run.

usage: bench_report.py RUN.jsonl > docs/benchmarks.md
       bench_report.py RUN.jsonl --readme README.md
"""

import argparse
import json
import pathlib
import sys

BODIES = ["sphere", "box", "capsule", "cylinder", "cone", "ellipsoid", "convex"]
OTHERS = ["triangle", "halfspace", "plane"]
QUERIES = ["collide", "contacts", "distance"]
KINDS = ["mixed", "separated", "near", "overlapping"]

INTRODUCTION = """# Benchmarks

<!-- Written by tools/bench_report.py from {source}; edit that, not this page. -->

Every figure comes from one run on one pinned core, ours and the peer in alternating blocks on the
same questions, CPU time of the thread. A ratio is the median over blocks of theirs / ours, and the
spread is its interquartile range over the median. Every timed answer is checked: a free pair by two
points and a separating plane that agree, an overlap by a common point, a depth by a translation that
separates and a search for a shorter one. `wrong` counts ours, `peer wrong` theirs (a verdict when the
surfaces are more than 1e-6 m apart or inside each other, a distance or depth that is off by more than
1e-3 m, an exception). Of FCL's two solvers the faster one counts, pair by pair; with libccd its depths
come from portal refinement and separate the pair, but often by more than the smallest translation.

To repeat it: `make bench`, or a part with `make bench ROWS='pairs/box-*'`, or the long sizes with
`make bench FULL=1`; then `tools/bench_report.py build/bench.jsonl > docs/benchmarks.md`.

- machine: {machine}
- library: {run}, instruction set {isa}, compiler {compiler}
- peers: {peers}
- questions per row: {questions}, blocks per side: {blocks}
"""

MESHES = """
## Meshes

The moving model moves from a random free pose towards a random point of the fixed one
until they touch, then on or back by up to 3 % of the smaller model's size: 200 poses, 500 in a long
run, about half of them overlapping. FCL's volumes that can answer a query do two passes; the fastest is measured and
named. Contacts are all pairs of triangles, with depth. Every verdict, count of contacts and distance is
compared with a second implementation (plain boxes, triangles by features and separating axes), which
is itself compared with all pairs of triangles on some poses; contacts are checked one by one. Rays are
those of a 640 by 480 depth image, one at a time; Embree computes in single precision.

"""

ROBOTS = """
## Robots

A configuration from its numbers to the answer on one core, every other one free of the robot itself. *fk*
places all links; *self* asks whether the robot touches itself; *valid* also about 30 objects around it;
*clearance* finds the nearest of all pairs; *motion* proves that the way to a configuration near by is free
at every instant, or finds where it is not, and *checks* is how many configurations that took. FCL has its
poses ready, while the kinematics is in our time. *load* is by the clock on the wall, after the system was
asked to forget the files.

"""

GROWTH = """
## Growth of meshes

One knot with more and more triangles, touched by a small one that shrinks with them.

"""

KIND_INTRODUCTION = """
## Kinds of volumes, ways of splitting, and fronts

Two knots of 10,000 triangles, 100 poses near contact; then 400 steps of a swaying motion.

"""

FIELDS = """
## Height fields

Ground of 257 by 257 heights, 131,072 triangles, against a solid mesh of the same surface: our own, since
FCL has no height fields. A sphere, a box and a knot of 2,400 triangles, half a metre across, stand near the
surface, many of them overlapping; distances are signed. Both sides have to agree.

"""

# Sections with one line per row: title, words, how their rows begin.
SECTIONS = [
    ("Separations", "Two solids of 1,700 to 100,000 triangles that overlap, in random poses: a translation that separates them, "
     "with at most 200 or 2,000 distances. Wrong are bodies that touch after it, and a lower bound above its length. *factor* is "
     "the largest ratio of its length to the shortest of 300 random directions in small steps, *local* the depth of wkPenetration, "
     "which does not separate. No peer answers this.", ("separation/",)),
    ("Broad phases", "Boxes of many sizes on the move: each frame moves all of them and finds all pairs "
     "that overlap, which are compared with those of brute force. Libraries take turns after some frames; "
     "whole rounds through 24 of them are compared.", ("broad/",)),
    ("Dynamic trees and sensor maps, as in ICRA 2013", "The four tables of Pan et al., *Real-time "
     "collision detection and distance computation on point cloud sensor data*: trees over the cells of "
     "an octree, queries on the boxes made from it, and queries on the octree itself. Every answer is "
     "compared with all cells as boxes.", ("icra13/", "tree/")),
    ("Costs of maps", "What the 88 links of a robot, as boxes, meet in a real map: at a pose, and on a path "
     "of 17 cm from there. A query is all links.", ("cost/",)),
    ("Occupancy maps", "Frames of 640 by 480 points unless a row says otherwise, of a simulated room and "
     "of a real office; every cell has the log-odds of OctoMap's, to the bit.", ("octree/",)),
    ("A robot among obstacles, as in ICRA 2012", "The PR2 in random configurations among 100 obstacles of "
     "one type, as in table 5 of Pan et al., *FCL: a general purpose library for collision and proximity "
     "queries*. A question moves all bodies and renews the broad phase; where the links are is known "
     "before, and the robot is not checked against itself. *first* ends at the first pair that touches, "
     "which Bullet cannot; *all* finds all pairs. Where answers differ, all triangles decide who is "
     "right. The last rows are geometric means over the fastest peer of each type.", ("icra12/",)),
    ("Point clouds", "A room of as many points as a row says, each a sphere of 1 cm, and 300,000 where it says nothing. *build* "
     "makes a cloud of the caller's points, beside the index of each peer; *frame* and *kinect* are frames of 640 by 480 "
     "points on one and on two threads, the latter by the clock on the wall. Bodies and the built-in robot are at random "
     "places of the room; answers are compared with those of all points, one by one. Of FCL, the octree of the same points "
     "tests surfaces alone. *growth* asks the same among more and more points, and ends in the exponent. *cloud/frame* is "
     "a new frame, without the points on the robot, and 1,000 configurations of a Panda.",
     ("cloud/build/", "cloud/collide/", "cloud/distance/", "cloud/growth/", "cloud/frame")),
    ("Filters of point clouds", "A frame of a depth camera on one thread, beside PCL: a generated one, and one of a real "
     "office. Points that one of both keeps and the other one does not are wrong, and so are voxels with another centroid.",
     ("filter/",)),
    ("Sphere trees against raw points", "The least distance of all points, without any structure on them, from 15,000 inner "
     "spheres, beside a tree that is asked about each point, and beside all pairs.", ("cloud/ist/",)),
    ("Noisy point clouds", "Bounds of the probability that a frame of 307,200 points, with a deviation that grows with the "
     "square of the distance, touches a body, over poses from free to touching; *classifier* is the surface that separates the "
     "frame from 1,000 points. No peer answers this.", ("cloud/noise/",)),
    ("Clouds against clouds", "The nearest points of a robot as a cloud and of its cell, as in Kaldestad, Hovland and "
     "Anisi, *3D sensor-based obstacle detection comparing octrees and point clouds using CUDA*: point clouds, and octrees "
     "with cells of 1, 10 and 100 mm. *exhaustive* compares all pairs, beside a third of the multiply-adds that the core "
     "can do, and with two threads beside one; everything else is beside that search. *elsewhere* is the paper's graphics card.",
     ("kaldestad/", "cloud/exhaustive/", "cloud/hierarchy/")),
    ("Spheres that cover robots", "Covering all bodies of a robot with a given number of spheres, or with as "
     "many as stick out by no more than 2 cm, and how far the worst one sticks out, beside published sets of "
     "as many spheres on the same meshes. Wrong are links with a point of their surface outside of all spheres.",
     ("fit/",)),
    ("Depth images", "A robot of 209 spheres, its arms in random poses, and a depth image of 640 by 480 "
     "pixels, as in Marshall, *A novel method for fast collision detection on the PR2*; from joint angles to "
     "the verdict. The peer is the bloom method of that paper, written again in plain C: it knows one radius "
     "for all spheres and has the one with which its verdicts are right most often; wrong ones are poses that "
     "it lets pass and poses that it refuses. All of the robot is in view and must be proven free; *head* has "
     "the camera on the head, and what it does not observe may be touched; *noise* also has the noise and the "
     "holes of a Kinect; *pixels*, *lines* and *pyramid* are the "
     "three methods on one pose at a time. *elsewhere* is what the paper has.", ("marshall/",)),
    ("Batches", "The Panda as 59 spheres, among boxes of 2 to 20 cm and in a map of 2.5 cm made from them; "
     "configurations are random ones, or lie along motions of one radian. Times are those of one "
     "configuration or one motion. FCL does the same one after the other, with its poses ready. *elsewhere* "
     "is what code generated for this one robot took on a 2.8 GHz core with AVX2, checking all boxes one by "
     "one. Every verdict is compared with all boxes.", ("batch/",)),
    ("Batches among point clouds", "The same robot among the points of a sensor, each configuration on one thread. *build* is a "
     "new cloud and a batch that is refreshed to it, *first* the same and one configuration. *elsewhere* is what code generated "
     "for this one robot took, with the fastest structure that misses no point.", ("batch/panda/cloud/",)),
]

# How rows begin that have tables of their own.
TABLES = ("pairs/", "mesh/", "heightfield/", "robot/", "setup/", "memory/")


def read_run(path):
    """The header of the first run in the file, all rows by (row, peer), and all rows in order."""
    head, rows, entries = {}, {}, []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            entry = json.loads(line)
            if "run" in entry:
                head = head or entry
            else:
                rows[entry["row"], entry.get("peer")] = entry
                entries.append(entry)
    return head, rows, entries


def row_name(pair, query, kind):
    return f"pairs/{pair}/{query}" + ("" if kind == "mixed" else f"/{kind}")


def table(header, lines):
    out = ["| " + " | ".join(header) + " |", "| --- |" + " ---: |" * (len(header) - 1)]
    out += ["| " + " | ".join(line) + " |" for line in lines]
    return "\n".join(out) + "\n"


def number(value):
    return f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def summary(rows):
    lines = []
    for kind in KINDS:
        for query in QUERIES:
            for peer in ("fcl", "bullet"):
                row = rows.get((row_name("geomean", query, kind), peer))
                if row is None:
                    continue
                least = row["least_row"].split("/")[1]
                bar = f"{row['bar']:g}x" if "bar" in row else ""
                lines.append([f"{query}, {kind}", peer, number(row["ours"]), number(row["theirs"]),
                              f"**{row['ratio']:.2f}x**", bar, f"{row['least']:.2f}x {least}",
                              str(row["wrong"]), str(row["peer_wrong"])])
    return table(["28 pairs", "peer", "ours ns", "theirs ns", "ratio", "bar", "least", "wrong",
                  "peer wrong"], lines)


def pair_names():
    names = [f"{a}-{b}" for i, a in enumerate(BODIES) for b in BODIES[i:]]
    names += [f"{a}-triangle" for a in BODIES] + ["triangle-triangle"]
    return names + [f"{a}-{b}" for b in OTHERS[1:] for a in BODIES + ["triangle"]]


def cell(rows, pair, query, kind):
    name = row_name(pair, query, kind)
    sides = [rows[name, peer] for peer in ("fcl", "bullet") if (name, peer) in rows]
    alone = rows.get((name, None))
    if alone is None and not sides:
        return ""
    text = number((sides or [alone])[0]["ours"])
    for side in sides:
        flag = f" ({side['peer_wrong']} wrong)" if side["peer_wrong"] else ""
        text += f", {side['peer']} {side['ratio']:.1f}x{flag}"
    return text


def pairs(rows, kind):
    lines = []
    for pair in pair_names():
        cells = [cell(rows, pair, query, kind) for query in QUERIES + ["signed_distance"]]
        if any(cells):
            lines.append([pair] + cells)
    return table(["pair"] + QUERIES + ["signed distance"], lines)


def meshes(rows):
    """Every mesh row that has a peer."""
    lines = []
    for (name, peer), row in rows.items():
        if not name.startswith("mesh/") or peer is None or name.startswith("mesh/front/"):
            continue
        bar = f"{row['bar']:.2g}x" if "bar" in row else ""
        lines.append([f"`{name}`", number(row["ours"] / 1e3), " ".join([peer, row.get("variant", "")]),
                      number(row["theirs"] / 1e3), f"**{row['ratio']:.2f}x**", bar,
                      f"{row['spread']:.2f}", str(row["wrong"]), str(row["peer_wrong"])])
    return table(["row", "ours µs", "peer", "theirs µs", "ratio", "bar", "spread", "wrong",
                  "peer wrong"], lines)


def growth(rows):
    """Times of one query over the sizes, and the fitted exponent."""
    queries, sizes = {}, []
    for (name, _), row in rows.items():
        parts = name.split("/")
        if parts[:2] != ["mesh", "growth"]:
            continue
        size = parts[3] if len(parts) > 3 else "exponent"
        sizes += [size] if size not in sizes else []
        value = number(row["ours"] / 1e3) if len(parts) > 3 else f"{row['ours']:.2f}"
        queries.setdefault(parts[2], {})[size] = value
    lines = [[query] + [cells.get(size, "") for size in sizes] for query, cells in queries.items()]
    return table(["µs at"] + sizes, lines)


def kinds(rows):
    """Our volumes and our ways of splitting side by side, then what a front gains."""
    lines = {}
    for (name, _), row in rows.items():
        parts = name.split("/")
        if parts[0] == "mesh" and parts[1] in ("kinds", "splits"):
            lines.setdefault(parts[2], []).append(number(row["ours"] / 1e3))
    text = table(["µs", "collide-first", "collide-all", "distance", "build"],
                 [[f"`{kind}`"] + cells for kind, cells in lines.items()])
    fronts = [[name.split("/")[2], number(row["ours"] / 1e3), number(row["theirs"] / 1e3),
               f"{row['ratio']:.2f}x"]
              for (name, _), row in rows.items() if name.startswith("mesh/front/")]
    return text + "\n" + table(["coherent motion", "with a front µs", "without µs", "gain"], fronts)


def mesh_bytes(rows):
    lines = [[name.split("/")[1], f"{row['ours']:.1f}"] for (name, _), row in rows.items()
             if name.startswith("mesh/") and name.endswith("/bytes")]
    return table(["model", "bytes for each triangle"], lines)


def fields(rows):
    lines = []
    for (name, _), row in rows.items():
        if name.startswith("heightfield/"):
            lines.append([f"`{name}`", number(row["ours"] / 1000), number(row["theirs"] / 1000),
                          f"{row['ratio']:.2f}x", f"{row['spread']:.2f}", str(row["wrong"])])
    return table(["row", "ours µs", "mesh µs", "ratio", "spread", "wrong"], lines)


def in_unit(value, unit):
    """A number that is pleasant to read, and its unit."""
    for larger, factor in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if unit == "ns" and value >= factor:
            return f"{number(value / factor)} {larger}"
    return f"{number(value)} {unit}"


def home_of(name):
    """The longest beginning of a row's name that a section or a table has; None: the page has no place for it."""
    homes = [prefix for _, _, prefixes in SECTIONS for prefix in prefixes] + list(TABLES)
    return max((prefix for prefix in homes if name.startswith(prefix)), key=len, default=None)


def section(entries, prefixes):
    """One line per row and way of a peer to answer it."""
    lines = []
    wanted = [row for row in entries if home_of(row["row"]) in prefixes]
    limits = [(words, field) for words, field in (("elsewhere", "paper"), ("at most", "most"))
              if any(field in row for row in wanted)]
    for row in wanted:
        name, peer, unit = row["row"], row.get("peer"), row["unit"]
        theirs = in_unit(row["theirs"], unit) if peer else ""
        ratio = f"**{row['ratio']:.2f}x**" if peer else ""
        bar = f"{row['bar']:.3g}x" if "bar" in row else ""
        lines.append([f"`{name}`", in_unit(row["ours"], unit),
                      " ".join([peer or "", row.get("variant", "")]).strip(), theirs, ratio, bar] +
                     [in_unit(row[field], unit) if field in row else "" for _, field in limits] +
                     [f"{row['spread']:.2f}" if "spread" in row else "", str(row["wrong"]),
                      str(row.get("peer_wrong", ""))])
    return table(["row", "ours", "peer", "theirs", "ratio", "bar"] + [words for words, _ in limits] +
                 ["spread", "wrong", "peer wrong"], lines) if lines else ""


def robots(entries):
    """Times and rates of configurations and motions."""
    lines = []
    for row in entries:
        name, peer, unit = row["row"], row.get("peer"), row["unit"]
        if not name.startswith("robot/"):
            continue
        rate = f"{1e9 / row['ours']:,.0f}" if unit == "ns" and not name.endswith("/load") else ""
        theirs = f"{1e9 / row['theirs']:,.0f}" if peer else ""
        ratio = f"**{row['ratio']:.2f}x**" if peer else ""
        bar = f"{row['bar']:.3g}x" if "bar" in row else ""
        lines.append([f"`{name}`", in_unit(row["ours"], unit), rate, peer or "", theirs, ratio, bar,
                      str(row["wrong"]), str(row.get("peer_wrong", ""))])
    return table(["row", "ours", "a second", "peer", "a second", "ratio", "bar", "wrong", "peer wrong"],
                 lines)


def hulls(rows):
    lines = []
    for (name, peer), row in rows.items():
        if not name.startswith(("pairs/hull-hull/", "setup/", "memory/")):
            continue
        theirs = f"{number(row['theirs'])}, {row['ratio']:.2f}x" if peer else ""
        lines.append([f"`{name}`", number(row["ours"]), row["unit"], peer or "", theirs,
                      str(row["wrong"]), str(row.get("peer_wrong", ""))])
    return table(["row", "ours", "unit", "peer", "theirs", "wrong", "peer wrong"], lines)


# The few numbers of the README, each beside the fastest of its peers: words, row.
README_ROWS = [
    ("Panda (59 spheres) among 16 boxes, one configuration of many", "batch/panda/16-boxes/random"),
    ("a motion of one radian among 100 boxes, 33 steps", "batch/motion/sampled"),
    ("PR2 (209 spheres) against a depth image, from joint angles to the verdict", "marshall/poses"),
    ("Panda with its meshes, itself and 30 objects", "robot/panda/valid"),
    ("PR2 with its meshes, itself and 30 objects", "robot/pr2/valid"),
    ("307,200 points of a depth camera into a 5 cm octree", "octree/insert/5cm/room/second"),
    ("88 links of a robot against 22,500 occupied cells", "icra13/table4/robot/first"),
    ("10,000 boxes move, all overlapping pairs", "broad/10k/slow"),
    ("300,000 points become a point cloud", "cloud/build/300k"),
    ("distance of a robot from 300,000 points", "cloud/distance/robot"),
    ("statistical outliers of a depth frame, 50 neighbours", "filter/statistical_50/made"),
    ("two convex shapes, do they touch (28 pairs)", "pairs/geomean/collide"),
    ("distance of two convex shapes (28 pairs)", "pairs/geomean/distance"),
    ("distance of two meshes (six pairs)", "mesh/geomean/distance"),
]
PEER_NAMES = {"fcl": "FCL", "octomap": "OctoMap", "bullet": "Bullet", "ode": "ODE", "pcl": "PCL"}
BEGIN, END = "<!-- numbers: begin -->", "<!-- numbers: end -->"


def readme_numbers(head, entries):
    """The table of the README."""
    lines = []
    for words, name in README_ROWS:
        sides = [row for row in entries if row["row"] == name and row.get("peer") not in (None, "whisker")]
        if sides:
            side = min(sides, key=lambda row: row["ratio"])
            lines.append([words, in_unit(side["ours"], side["unit"]),
                          f"{PEER_NAMES.get(side['peer'], side['peer'])}, {in_unit(side['theirs'], side['unit'])}",
                          f"{side['ratio']:.1f}x", str(side["wrong"])])
    return (f"{BEGIN}\n\n" + table(["the same work on one core", "Whisker", "fastest peer", "", "wrong"], lines) +
            f"\n{head['machine']}, gcc {head['compiler']}, {head['isa']}.\n\n{END}")


def write_readme(path, head, entries):
    page = pathlib.Path(path)
    text = page.read_text("utf-8")
    begin, end = text.index(BEGIN), text.index(END) + len(END)
    page.write_text(text[:begin] + readme_numbers(head, entries) + text[end:], "utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", help="file written by whisker-bench-peers --json")
    parser.add_argument("--readme", metavar="FILE", help="renew the numbers in this page instead")
    options = parser.parse_args()
    head, rows, entries = read_run(options.run)
    for name in sorted({row["row"] for row in entries if home_of(row["row"]) is None}):
        print(f"{name}: no section of the page has it", file=sys.stderr)
    if options.readme:
        write_readme(options.readme, head, entries)
        return
    write = sys.stdout.write
    write(INTRODUCTION.format(source=options.run, **head))
    write("\n## All 28 pairs of solid shapes\n\nGeometric means; *least* is the pair with the "
          "smallest ratio.\n\n" + summary(rows))
    for kind in KINDS:
        write(f"\n## Pair by pair, {kind} poses\n\nNanoseconds of ours, then how many times that "
              "each peer takes.\n\n" + pairs(rows, kind))
    if any(name.startswith("mesh/") for name, _ in rows):
        write(MESHES + meshes(rows) + GROWTH + growth(rows) + KIND_INTRODUCTION + kinds(rows) +
              "\n## Memory of meshes\n\nBeyond the vertices and indices themselves.\n\n" +
              mesh_bytes(rows))
    if any(name.startswith("heightfield/") for name, _ in rows):
        write(FIELDS + fields(rows))
    for title, words, prefixes in SECTIONS:
        lines = section(entries, prefixes)
        if lines:
            write(f"\n## {title}\n\n{words}\n\n{lines}")
    if any(name.startswith("robot/") for name, _ in rows):
        write(ROBOTS + robots(entries))
    write("\n## Hulls in coherent motion, set-up, memory\n\n" + hulls(rows))


if __name__ == "__main__":
    main()
