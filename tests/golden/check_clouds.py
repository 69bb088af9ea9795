#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""What commands make of point clouds.

usage: check_clouds.py WHISKER

A cloud is as far away as spheres at its points, whatever its format, and whether it comes from the command line or
from a world file. What a cloud does not stop is said: points that are not finite, and gaps that a link fits through.
"""

import json
import math
import os
import pathlib
import random
import struct
import subprocess
import sys
import tempfile

RADIUS = 0.05
POINTS = [(0.75, 0.25 * i - 0.5, 0.5 + 0.125 * i) for i in range(5)]
NAN = float("nan")


def npy(points, kind="<f4", letter="f"):
    """Points as an array of NumPy."""
    words = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(points)}, 3), }}\n".encode()
    data = b"".join(struct.pack(f"<3{letter}", *point) for point in points)
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words + data


def lines(points, between=" "):
    """A line for each point."""
    return "".join(between.join(str(number) for number in point) + "\n" for point in points)


def formats(points):
    """The same points in every format: name and content."""
    count = len(points)
    yield "a.pcd", f"FIELDS x y z\nPOINTS {count}\nDATA ascii\n{lines(points)}"
    yield "a.ply", (f"ply\nformat ascii 1.0\nelement vertex {count}\nproperty float x\nproperty float y\n"
                    f"property float z\nend_header\n{lines(points)}")
    yield "a.npy", npy(points)
    yield "doubles.npy", npy(points, "<f8", "d")
    yield "a.bin", b"".join(struct.pack("<4f", *point, 0.5) for point in points)
    yield "a.csv", "x,y,z\n" + lines(points, ",")
    yield "a.xyz", lines(points)
    yield "a.vtk", f"# vtk DataFile Version 3.0\nt\nASCII\nDATASET POLYDATA\nPOINTS {count} float\n{lines(points)}"


def write(name, content):
    """A file of text or bytes; returns its name."""
    data = content if isinstance(content, bytes) else content.encode()
    pathlib.Path(name).write_bytes(data)
    return name


def write_world(name, **members):
    """A world file."""
    return write(name, json.dumps(members))


class Command:
    """Runs of the command, and failures."""

    def __init__(self, whisker):
        self.whisker = whisker
        self.failures = 0

    def run(self, *words, **options):
        """A finished run."""
        return subprocess.run([self.whisker, *words], capture_output=True, text=True, timeout=60, check=False,
                              **options)

    def check(self, *words, **options):
        """A run of whisker check about one configuration."""
        return self.run("check", "builtin", "--q", "ready", "--clearance", "--json", *words, **options)

    def expect(self, holds, what, result):
        """Counts and prints a failure."""
        if not holds:
            self.failures += 1
            print(f"{what}\n  status {result.returncode}\n  {result.stdout}{result.stderr}")


def clearance(result):
    """Distance and link of the answer of check."""
    found = json.loads(result.stdout)["world_clearance"]
    return found["distance"], found["a"]


def compare_with_spheres(command):
    """Every format, once and in pairs, from the command line and from a world."""
    spheres = [{"type": "sphere", "radius": RADIUS, "xyz": point} for point in POINTS]
    world = write_world("spheres.json", objects=[{"name": "spheres", "shapes": spheres}])
    expected = clearance(command.check("--world", world))
    for name, content in formats(POINTS):
        write(name, content)
        result = command.check("--cloud", name, "--cloud-radius", str(RADIUS))
        holds = result.returncode == 0 and result.stderr.count("\n") <= 1
        holds = holds and math.isclose(clearance(result)[0], expected[0], abs_tol=1e-9)
        command.expect(holds and clearance(result)[1] == expected[1], f"{name}: expected {expected}", result)
        world = write_world("cloud.json", objects=[{"name": name, "type": "cloud", "file": name, "radius": RADIUS}])
        same = command.check("--world", world)
        command.expect(same.stdout == result.stdout, f"{name} in a world", same)
        verdict = command.check("--cloud", name, "--cloud-radius", str(RADIUS), "--no-self", "--margin",
                                str(expected[0] + 1e-6))
        command.expect(json.loads(verdict.stdout)["verdict"] == "world", f"{name} with a margin", verdict)


def place_clouds(command):
    """Poses and radii for one cloud or for all, and objects that keep their names apart."""
    moved = [(x - 1, y - 2, z - 3) for x, y, z in POINTS]
    write("moved.xyz", lines(moved))
    plain = clearance(command.check("--cloud", "a.xyz", "--cloud-radius", "0.1"))
    for pose in ("1,2,3", "1,2,3,0,0,0", "1,2,3,0,0,0,1"):
        result = command.check("--cloud", "moved.xyz", "--cloud-pose", pose, "--cloud-radius", "0.1")
        command.expect(math.isclose(clearance(result)[0], plain[0], abs_tol=1e-6), f"--cloud-pose {pose}", result)
    twice = command.check("--cloud", "moved.xyz", "--cloud", "a.xyz", "--cloud-pose", "9,9,9", "--cloud-pose", "0,0,0",
                          "--cloud-radius", "0", "--cloud-radius", "0.1")
    command.expect(clearance(twice) == plain, "two clouds with their own poses and radii", twice)
    again = command.check("--cloud", "a.xyz", "--cloud", "a.xyz", "--cloud-pose", "9,9,9", "--cloud-pose", "0,0,0",
                          "--cloud-radius", "0.1")
    found = json.loads(again.stdout)["world_clearance"]
    command.expect(found["b"] == "a.xyz#2" and found["distance"] == plain[0], "one file twice", again)
    thinned = command.check("--cloud", "a.xyz", "--cloud-radius", "0.1", "--cloud-spacing", "0.2")
    command.expect(clearance(thinned)[0] <= plain[0], "a thinned cloud is never further away", thinned)


def place_far_clouds(command):
    """Coordinates of a map, which a pose brings to the robot, are as exact as those near it."""
    here = (500000.0, 4649776.0, 64.0)
    write("map.npy", npy([tuple(x + d for x, d in zip(point, here)) for point in POINTS], "<f8", "d"))
    plain = clearance(command.check("--cloud", "a.xyz", "--cloud-radius", "0.1"))
    result = command.check("--cloud", "map.npy", "--cloud-radius", "0.1", "--cloud-pose=-500000,-4649776,-64")
    command.expect(math.isclose(clearance(result)[0], plain[0], abs_tol=1e-6), "--cloud-pose of a map", result)
    cloud = {"name": "map", "type": "cloud", "file": "map.npy", "radius": 0.1, "xyz": [-x for x in here]}
    result = command.check("--world", write_world("world.json", objects=[cloud]))
    command.expect(math.isclose(clearance(result)[0], plain[0], abs_tol=1e-6), "a map in a world", result)
    question = {"query": "distance", "a": {**{k: v for k, v in cloud.items() if k != "name"}, "radius": 0},
                "b": {"type": "sphere", "radius": 0.25}}
    result = command.run("ask", input=(json.dumps(question) + "\n") * 2)
    nearest = min(math.dist(point, (0, 0, 0)) for point in POINTS) - 0.25
    found = [json.loads(line)["distance"] for line in result.stdout.splitlines()]
    command.expect(len(found) == 2 and all(math.isclose(d, nearest, abs_tol=1e-6) for d in found), "ask", result)
    result = command.run("info", "map.npy")
    for said in ("origin     (500001, 4649776, 65), from", "spacing    0.2795 m", "bounds     (-0.25, -0.5, -0.5) to"):
        command.expect(said in result.stdout, f"info should say {said}", result)


def read_pipes(command):
    """A cloud from the standard input and from a FIFO."""
    text = pathlib.Path("a.pcd").read_text(encoding="utf-8")
    plain = clearance(command.check("--cloud", "a.pcd"))
    result = command.check("--cloud", "-", input=text)
    found = json.loads(result.stdout)["world_clearance"]
    command.expect(clearance(result) == plain and found["b"] == "standard input", "a cloud from -", result)
    os.mkfifo("fifo")
    with subprocess.Popen(["sh", "-c", "cat a.pcd > fifo"]):
        result = command.check("--cloud", "fifo")
    command.expect(clearance(result) == plain, "a cloud from a FIFO", result)
    for words in (("--cloud", "-", "--cloud", "-"), ("--cloud", "-", "--world", "-")):
        result = command.check(*words, input=text)
        command.expect(result.returncode == 2 and "standard input (-) can stand" in result.stderr, words, result)
    result = command.check("--cloud", "-", input="1 2 3\n")
    command.expect(result.returncode == 2 and "standard input: format" in result.stderr, "xyz from -", result)


# Words of the command line, status, and what standard error says; "" for nothing.
SAID = [
    (("--cloud", "some.npy"), 0, "some.npy: 2 of 7 points are not finite and are left out"),
    (("--cloud", "none.npy"), 2, "none.npy: has 3 points, none of them finite"),
    (("--cloud", "none.npy", "--allow-empty"), 0, "none.npy: the cloud has no points"),
    (("--cloud", "empty.npy"), 2, "empty.npy: has 0 points, none of them finite"),
    (("--cloud", "utm.npy"), 0, "utm.npy: the nearest point is 4.68e+06 m from the base of the robot, out of its reach"),
    (("--cloud", "utm.npy", "--cloud-pose=-500000,-4649770,0"), 0, ""),
    (("--cloud", "columns.npy"), 2, "columns.npy: byte"),
    (("--cloud", "torn.npy"), 2, "torn.npy: floats move its points by up to"),
    (("--cloud", "cut.npy"), 2, "cut.npy: "),
    (("--cloud", "nothing.pcd"), 2, "nothing.pcd: cannot be opened"),
    (("--cloud", "."), 2, ".: is not an ordinary file"),
    (("--cloud", "a.txt"), 2, 'a.txt: format "txt" is none of those that hold points'),
    (("--cloud", "wide.xyz", "--cloud-pose", "2,0,0"), 0,
     "wide.xyz: neighbours are 0.1 m apart (median), which leaves gaps of 0.1 m between their spheres: link "
     "left_finger_link, 0.016 m thin, fits through; a radius of 0.071 m closes them"),
    (("--cloud", "wide.xyz", "--cloud-pose", "2,0,0", "--cloud-radius", "0.01"), 0, "leaves gaps of 0.08 m"),
    (("--cloud", "wide.xyz", "--cloud-pose", "2,0,0", "--cloud-radius", "0.071"), 0, ""),
    (("--cloud", "fine.xyz", "--cloud-pose", "2,0,0"), 0, ""),
    (("--cloud", "one.xyz"), 0, ""),
    (("--cloud", "same.xyz"), 0, ""),
    (("--cloud", "a.xyz", "--cloud-radius", "-1"), 2, "--cloud-radius needs a number from 0 to 100000, not '-1'"),
    (("--cloud", "a.xyz", "--cloud-radius", "nan"), 2, "--cloud-radius needs a number"),
    (("--cloud", "a.xyz", "--cloud-radius", "1e9"), 2, "radius"),
    (("--cloud", "a.xyz", "--cloud-radius", "0", "--cloud-radius", "0"), 2, "2 radii for 1 clouds"),
    (("--cloud-radius", "0.1"), 2, "1 radii for 0 clouds"),
    (("--cloud", "a.xyz", "--cloud-pose", "1,2"), 2, '--cloud-pose: "1,2" is none of x,y,z,'),
    (("--cloud-pose", "1,2,3"), 2, "--cloud-pose: 1 poses for 0 clouds"),
    (("--cloud", "a.xyz", "--cloud-spacing", "0"), 2, "--cloud-spacing needs a number above 0"),
    (("--cloud-spacing", "0.1"), 2, "--cloud-spacing is about a --cloud"),
    (("--cloud", "a.xyz", "--no-world"), 2, "--no-world contradicts --map, --cloud and --world"),
    (("--clouds", "a.xyz"), 2, 'unknown option --clouds: did you mean "--cloud"?'),
    (("--cloud-raduis", "1"), 2, 'did you mean "--cloud-radius"?'),
]


def grid(step, count=20):
    """Points of a wall."""
    return [(0.0, step * i, step * k) for i in range(count) for k in range(count)]


CLOUD = {"name": "scan", "type": "cloud", "file": "a.xyz"}

# Objects of a world, status, and what standard error says.
WORLDS = [
    ({**CLOUD, "raduis": 1}, 2, 'objects[0] has no member "raduis": did you mean "radius"?'),
    ({**CLOUD, "file": "nothing.pcd"}, 2, "objects[0].file: ./nothing.pcd: cannot be opened"),
    ({**CLOUD, "file": "-"}, 2, "objects[0].file: ./-: cannot be opened"),
    ({**CLOUD, "file": "none.npy"}, 2, "none.npy: has 3 points, none of them finite"),
    ({**CLOUD, "file": "some.npy"}, 0, 'object "scan": 2 of 7 points are not finite and are left out'),
    ({**CLOUD, "file": "wide.xyz", "xyz": [2, 0, 0]}, 0, 'object "scan": neighbours are 0.1 m apart (median)'),
    ({**CLOUD, "file": "wide.xyz", "xyz": [2, 0, 0], "padding": 0.071}, 0, ""),
    ({**CLOUD, "file": "wide.xyz", "xyz": [2, 0, 0], "spacing": 0.5}, 0, ""),
    ({**CLOUD, "radius": 0.01, "padding": -0.02}, 2, "objects[0].padding is -0.02 m, which leaves nothing"),
    ({"name": "scan", "type": "cloud", "points": []}, 2, "objects[0]: the cloud has no points"),
    ({"name": "scan", "type": "cloud", "points": [[2, 0, 0]]}, 0, ""),
    ({"name": "scan", "shapes": [{"type": "cloud", "points": [[2, 0, 0]]}, {"type": "sphere", "radius": 0.1}],
      "xyz": [3, 0, 0]}, 0, ""),
    ({"name": "tree", "type": "spheres", "spheres": [[2, 0, 0, 0.1], [3, 0, 0, 0.1], [4, 0, 0, 0.1]]}, 0, ""),
    ({"name": "tree", "type": "spheres", "spheres": [[2, 0, 0, -0.1]]}, 2, "objects[0].spheres[0][3] is -0.1"),
]


def read_worlds(command):
    """Clouds and spheres as objects of a world."""
    for thing, status, said in WORLDS:
        result = command.check("--world", write_world("world.json", objects=[thing]))
        is_quiet = said != "" or result.stderr == ""
        command.expect(result.returncode == status and said in result.stderr and is_quiet, f"{thing}: {said}", result)
    write_world("world.json", objects=[{"name": "scan", "type": "cloud", "points": []}])
    result = command.check("--world", "world.json", "--allow-empty")
    command.expect(result.returncode == 0 and "the cloud has no points" in result.stderr, "--allow-empty", result)
    attached = [{"object": "scan", "link": "gripper_link"}]
    write_world("world.json", objects=[{"name": "scan", "type": "cloud", "points": [[2, 0, 0]]}], attached=attached)
    result = command.check("--world", "world.json")
    command.expect(result.returncode == 2 and "scan has a shape of type cloud" in result.stderr, "attached", result)


def keep_distances(command):
    """The safety distance of a category, and allowed pairs, are those of a cloud, too."""
    plain = clearance(command.check("--cloud", "a.xyz"))
    world = {"categories": {"people": 0.05}, "objects": [{**CLOUD, "category": "people"}]}
    result = command.check("--world", write_world("world.json", **world))
    holds = math.isclose(clearance(result)[0], plain[0] - 0.05, abs_tol=1e-9)
    command.expect(holds and clearance(result)[1] == plain[1], "a safety distance", result)
    result = command.check("--world", write_world("world.json", **world, allowed=[["scan", plain[1]]]))
    command.expect(clearance(result)[1] != plain[1], "an allowed pair", result)


def say_what_is_doubtful(command):
    """Warnings and refusals."""
    write("some.npy", npy([*POINTS, (NAN, 0, 0), (0, float("inf"), 0)]))
    write("none.npy", npy([(NAN, NAN, NAN)] * 3))
    write("empty.npy", npy([]))
    write("utm.npy", npy([(500000.123, 4649776.337, 12.5)], "<f8", "d"))
    write("torn.npy", npy([(500000.123, 4649776.337, 12.5), (0.1, 0.1, 0.1)], "<f8", "d"))
    write("cut.npy", npy(POINTS)[:-3])
    write("columns.npy", npy([(0.0, 0.0, 0.0)] * 9).replace(b"(9, 3)", b"(3, 9)"))
    write("a.txt", lines(POINTS))
    write("wide.xyz", lines(grid(0.1)))
    write("fine.xyz", lines(grid(0.01)))
    write("one.xyz", "5 5 5\n")
    write("same.xyz", "5 5 5\n" * 9)
    for words, status, said in SAID:
        result = command.check(*words)
        is_quiet = said != "" or "--cloud" not in words or result.stderr == ""
        command.expect(result.returncode == status and said in result.stderr and is_quiet, f"{words}: {said}", result)


def check_motions(command):
    """A wall of points between two configurations is found at every instant, though both ends are free."""
    wall = [(0.02 * i, 0.55, 0.02 * k) for i in range(20, 50) for k in range(20, 60)]
    write("wall.xyz", lines(wall))
    ends = ("--from", "shoulder_pan_joint=0", "--to", "shoulder_pan_joint=1.6", "--cloud", "wall.xyz")
    result = command.run("motion", "builtin", *ends, "--cloud-radius", "0.01", "--first", "--json")
    found = json.loads(result.stdout)
    holds = result.returncode == 1 and found["verdict"] == "world" and 0 < found["time"] < 1
    command.expect(holds and found["first"]["b"] == "wall.xyz", "a motion through a wall of points", result)
    result = command.run("motion", "builtin", *ends, "--cloud-pose", "0,9,0")
    command.expect(result.returncode == 0 and "0 free" in result.stdout, "the wall is far away", result)


# Words of whisker cloud about a grid of 400 points, and how many of them are left.
FILTERS = [
    ((), 400),
    (("--range", "0,0.055"), 30),
    (("--range", "0,0.055", "--sensor", "0,0.19,0.19"), 30),
    (("--range", "1,2"), 0),
    (("--box=-1,-1,-1,1,0.0949,1",), 200),
    (("--box=-1,-1,-1,1,0.0949,1", "--outside"), 200),
    (("--box=-1,-1,-1,1,0.0949,1", "--box-pose", "0,0.02,0"), 240),
    (("--voxel", "0.04"), 25),
    (("--voxel", "0.04", "--sparse", "0.0101,3"), 25),  # outliers first: later they would be all that is left
    (("--sparse", "0.0101,4"), 324),
    (("--sparse", "0.0101,3"), 396),
    (("--statistical", "4,0.5"), 324),
    (("--box=-1,-1,-1,1,0.0949,1", "--voxel", "0.04"), 15),
    (("--robot", "builtin", "--q", "ready", "--near", "0.01", "--pose", "9,0,0"), 0),
    (("--robot", "builtin", "--q", "ready", "--self", "0.01", "--pose", "9,0,0"), 400),
]

# Words of whisker cloud, and what it says when it refuses them.
REFUSED_FILTERS = [
    (("fine.xyz",), "wants FILEs and -o FILE"),
    (("-o", "out.pcd"), "wants FILEs and -o FILE"),
    (("fine.xyz", "-o", "out.foo"), 'extension "foo" is none of'),
    (("fine.xyz", "-o", "fine.xyz"), "same file"),
    (("nothing.pcd", "-o", "out.pcd"), "nothing.pcd: cannot be opened"),
    (("fine.xyz", "-o", "out.pcd", "--range", "2,1"), "--range wants MIN,MAX"),
    (("fine.xyz", "-o", "out.pcd", "--sensor", "0,0,0"), "--sensor is about --range"),
    (("fine.xyz", "-o", "out.pcd", "--box", "1,1,1,0,0,0"), "--box wants X,Y,Z,X,Y,Z"),
    (("fine.xyz", "-o", "out.pcd", "--outside"), "--box-pose and --outside are about --box"),
    (("fine.xyz", "-o", "out.pcd", "--voxel", "0"), "--voxel needs a number above 0"),
    (("fine.xyz", "-o", "out.pcd", "--statistical", "0,1"), "--statistical wants COUNT,SIGMAS"),
    (("fine.xyz", "-o", "out.pcd", "--sparse", "1"), "--sparse wants RADIUS,COUNT"),
    (("fine.xyz", "-o", "out.pcd", "--self", "0.1"), "--self and --near need --robot and --q"),
    (("fine.xyz", "-o", "out.pcd", "--robot", "builtin", "--q", "redy", "--self", "0"), "'redy'"),
    (("fine.xyz", "-o", "out.pcd", "--pose", "1,2"), "--pose wants x,y,z"),
    (("fine.xyz", "-o", "out.pcd", "--pose", "0,0,0", "--pose", "0,0,0"), "--pose must be given once"),
    (("fine.xyz", "-o", "out.pcd", "--voxl", "1"), 'did you mean "--voxel"?'),
]


def filter_clouds(command):
    """Filters, joined clouds, and formats into each other."""
    for words, left in FILTERS:
        result = command.run("cloud", "fine.xyz", "-o", "out.ply", *words)
        said = command.run("info", "out.ply").stdout
        command.expect(result.returncode == 0 and f"  points     {left}: {left} finite" in said, f"{words}: {left}", result)
    pathlib.Path("out.pcd").unlink(missing_ok=True)
    for words, said in REFUSED_FILTERS:
        result = command.run("cloud", *words)
        is_left = pathlib.Path("out.pcd").exists()
        command.expect(result.returncode == 2 and said in result.stderr and not is_left, f"{words}: {said}", result)
    plain = clearance(command.check("--cloud", "a.xyz", "--cloud-radius", "0.1"))
    for name in ("out.pcd", "out.ply", "out.npy", "out.bin", "out.las"):
        result = command.run("cloud", "a.xyz", "-o", name)
        found = clearance(command.check("--cloud", name, "--cloud-radius", "0.1"))
        command.expect(math.isclose(found[0], plain[0], abs_tol=2e-4), f"a.xyz as {name}", result)
    result = command.run("cloud", "moved.xyz", "fine.xyz", "--pose", "1,2,3", "--pose", "9,9,9", "-o", "joined.pcd")
    found = clearance(command.check("--cloud", "joined.pcd", "--cloud-radius", "0.1"))
    command.expect(math.isclose(found[0], plain[0], abs_tol=1e-6), "two clouds in one", result)
    result = command.run("cloud", "map.npy", "-o", "map.pcd", "--voxel", "0.01")
    found = clearance(command.check("--cloud", "map.pcd", "--cloud-radius", "0.1", "--cloud-pose=-500000,-4649776,-64"))
    command.expect(math.isclose(found[0], plain[0], abs_tol=1e-6), "a map keeps its coordinates", result)
    result = command.run("cloud", "none.npy", "-o", "none.pcd")
    command.expect(result.returncode == 0 and "no point is left" in result.stderr, "nothing is left", result)


def keep_obstacles_near_the_robot(command):
    """Points that are a little further from the robot than --self stay, whatever the link."""
    source, near = random.Random(7), []
    while len(near) < 4:
        point = (source.uniform(0.3, 0.9), source.uniform(-0.1, 0.1), source.uniform(0.6, 1.1))
        if 0.006 < clearance(command.check("--cloud", write("one.xyz", lines([point]))))[0] < 0.012:
            near.append(point)
    write("near.xyz", lines(near))
    robot = ("--robot", "builtin", "--q", "ready")
    for metres, left in (("0.005", 4), ("0.013", 0)):
        result = command.run("cloud", "near.xyz", "-o", "left.pcd", *robot, "--self", metres)
        command.expect(f"self: {4 - left} removed, {left} left" in result.stderr, f"--self {metres}", result)


def say_what_is_lost(command):
    """Warnings of files, clouds that are too far apart for floats, and ranges about 0,0,0 of a file."""
    write("rest.ply", pathlib.Path("a.ply").read_bytes() + b"1 2 3\n")
    result = command.run("cloud", "rest.ply", "-o", "out.pcd")
    command.expect("rest.ply: 6 bytes after the last of 5 points" in result.stderr, "a file with a rest", result)
    result = command.run("cloud", "map.npy", "a.xyz", "-o", "out.pcd")
    command.expect("out.pcd: points are so far apart that floats move them by up to" in result.stderr, "joined", result)
    result = command.run("cloud", "map.npy", "-o", "out.pcd", "--range", "0,9")
    command.expect("range: 5 removed, 0 left" in result.stderr, "a range about 0,0,0 of a map", result)


def draw_pictures(command):
    """A picture and a report of the first configuration that is not free."""
    write("two.csv", "shoulder_pan_joint\n0\n1.2\n")
    words = ("--states", "two.csv", "--cloud", "wall.xyz", "--cloud-radius", "0.01", "--size", "160")
    result = command.run("check", "builtin", *words, "--picture", "p.png", "--report", "r.html")
    if "has no libpng" in result.stderr:
        print("skipped: this build draws no pictures")
        return
    command.expect(result.returncode == 1 and "1 world" in result.stdout, "the second one touches", result)
    data = pathlib.Path("p.png").read_bytes()
    command.expect(data[:8] == b"\x89PNG\r\n\x1a\n" and struct.unpack(">II", data[16:24]) == (160, 90), "PNG", result)
    page = pathlib.Path("r.html").read_text(encoding="utf-8")
    for said in ("2 configurations: 1 free, 1 world", "Configuration 1: world", "wall.xyz", "<td>cloud</td>", ">1200<",
                 "The nearest pair", "colour of their distance"):
        command.expect(said in page, f"the report should say {said}", result)
    result = command.run("check", "builtin", "--q", "ready", "--picture", "alone.png", "--size", "64")
    command.expect(result.returncode == 0 and pathlib.Path("alone.png").exists(), "a robot without obstacles", result)


def check_batches(command):
    """Verdicts of a batch are free only where those of check are, and its description names the clouds."""
    numbers = random.Random(5)
    rows = [[round(numbers.uniform(-1.0, 1.0), 3) if i > 2 else 0 for i in range(11)] for _ in range(300)]
    write("states.csv", "".join(",".join(map(str, row)) + "\n" for row in rows))
    words = ("builtin", "--states", "states.csv", "--cloud", "wall.xyz", "--cloud-pose", "0,-0.5,0", "--no-limits")
    exact = command.run("check", *words, "--json")
    batch = command.run("batch", *words, "-o", "out.npy", "--no-cache", "--exactness", "filter")
    data = pathlib.Path("out.npy").read_bytes()
    verdicts = data[10 + struct.unpack("<H", data[8:10])[0]:]
    expected = [json.loads(line)["verdict"] for line in exact.stdout.splitlines()]
    command.expect(len(set(expected) & {"free", "world"}) == 2, "both verdicts occur", exact)
    wrong = [i for i, verdict in enumerate(verdicts) if (verdict == 1) != (expected[i] == "free")]
    command.expect(not wrong, f"batch and check differ at {wrong[:5]}", batch)
    about = json.loads(pathlib.Path("out.npy.json").read_text(encoding="utf-8"))
    command.expect(about["clouds"] == ["wall.xyz"], "the description of the verdicts", batch)
    first = next(i for i, verdict in enumerate(verdicts) if verdict != 1)
    result = command.run("batch", *words, "-o", "out.npy", "--exactness", "filter", "--report", "b.html", "--size", "64")
    if "has no libpng" not in result.stderr:
        page = pathlib.Path("b.html").read_text(encoding="utf-8")
        holds = f"Configuration {first}: world" in page and "<code>whisker batch</code>" in page
        command.expect(result.returncode == 0 and holds, f"the report of a batch shows {first}", result)
    result = command.run("batch", *words, "-o", "wall.xyz")
    command.expect(result.returncode == 2 and "same file" in result.stderr, "a cloud as output", result)


def main():
    command = Command(os.path.abspath(sys.argv[1]))
    with tempfile.TemporaryDirectory(prefix="whisker-clouds-") as scratch:
        os.chdir(scratch)
        compare_with_spheres(command)
        place_clouds(command)
        place_far_clouds(command)
        read_pipes(command)
        say_what_is_doubtful(command)
        read_worlds(command)
        keep_distances(command)
        check_motions(command)
        filter_clouds(command)
        keep_obstacles_near_the_robot(command)
        say_what_is_lost(command)
        draw_pictures(command)
        check_batches(command)
        os.chdir("/")
    return 1 if command.failures else 0


if __name__ == "__main__":
    sys.exit(main())
