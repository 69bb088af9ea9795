#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""What `whisker batch` says and writes about files that are made here.

    check_batch.py WHISKER FOLDER EXPECTED

FOLDER has the files of this kind of tests. The transcript, times aside, must be as EXPECTED, or is printed when that
is -; arrays that are written must be those that the transcript shows in words.
"""

import ast
import difflib
import os
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

FORMATS = {"<f8": "d", "<f4": "f", "|u1": "B", "<i4": "i"}
VARIABLES = 11
SIZE = (64, 48)  # pixels of the image


def write_array(path, rows, kind="<f8", columns=VARIABLES):
    """Rows of numbers as an array of NumPy."""
    words = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': ({len(rows)}, {columns}), }}"
    words += " " * (-(len(words) + 11) % 64) + "\n"
    flat = [number for row in rows for number in row]
    data = struct.pack(f"<{len(flat)}{FORMATS[kind]}", *flat)
    head = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words.encode()
    pathlib.Path(path).write_bytes(head + data)


def show_array(path):
    """An array of the command in words: its type and its numbers."""
    data = pathlib.Path(path).read_bytes()
    size = 10 + struct.unpack("<H", data[8:10])[0]
    head = ast.literal_eval(data[10:size].decode())
    numbers = struct.unpack(f"<{head['shape'][0]}{FORMATS[head['descr']]}", data[size:])
    shown = " ".join(f"{n:.2f}" if isinstance(n, float) else str(n) for n in numbers)
    return f"{path}: {head['descr']} {head['shape']}: {shown}\n"


def write_image(path, width, height, depth):
    """A wall at one depth, as a PNG of 16 bits."""
    def chunk(kind, data):
        tail = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + tail
    row = b"\0" + struct.pack(">H", depth) * width
    head = struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)
    pathlib.Path(path).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) +
                                   chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))


def make_files():
    """Configurations of the built-in robot, and a camera three metres in front of it that looks at it."""
    rest = [0.0] * VARIABLES
    turned = [0.0, 0.0, 0.8] + [0.0] * 8
    lowered = [0.0, 0.0, 0.0, 0.0, 0.4, -0.6, 0.0, -0.3, 0.9, 0.6, 0.0]  # onto the table
    beyond, broken = [9.0] * VARIABLES, list(rest)
    broken[5] = float("nan")
    rows = [rest, turned, lowered, beyond, broken]
    write_array("states.npy", rows)
    write_array("floats.npy", rows, "<f4")
    write_array("ends.npy", rows[1:] + rows[:1])
    write_array("none.npy", [])
    write_array("narrow.npy", [row[:7] for row in rows], columns=7)
    write_array("short.npy", rows[:2])
    write_array("whole.npy", [[0] * VARIABLES], "<i4")
    pathlib.Path("cut.npy").write_bytes(pathlib.Path("states.npy").read_bytes()[:-8])
    bare = '{"robot": "whisker", "collision_spheres": {"torso_link": [{"center": [0, 0, 0], "radius": 0.1}]}}'
    pathlib.Path("bare.json").write_text(bare, encoding="utf-8")
    text = "\n".join(",".join(str(number) for number in row) for row in rows[:2]) + "\n"
    pathlib.Path("states.csv").write_text(text, encoding="utf-8")
    names = "wrist_flex_joint,shoulder_pan_joint\n0.9,0\n0,0.8\n"
    pathlib.Path("named.csv").write_text(names, encoding="utf-8")
    pathlib.Path("twice.csv").write_text(names.replace("wrist_flex", "shoulder_pan"), encoding="utf-8")
    pathlib.Path("empty.csv").write_text("# no rows\n", encoding="utf-8")
    for name, depth in (("far.png", 9000), ("near.png", 2500)):
        write_image(name, *SIZE, depth)
    write_image("small.png", 8, 8, 9000)
    camera = f"width {SIZE[0]}\nheight {SIZE[1]}\nfx 24\nfy 24\ndepth_units_m 0.001\n"
    # the axis of the camera is -x of the world
    pathlib.Path("camera.txt").write_text(camera + "pose 3 0 0.8 -0.5 -0.5 0.5 0.5\n",
                                          encoding="utf-8")
    os.symlink("/dev/null", "device.npy")


def commands(folder):
    """Arguments of the command, and the arrays that it writes then."""
    world, balls = ("--world", f"{folder}/world.json"), ("--spheres", f"{folder}/spheres.json")
    states = ("--states", "states.npy", "-o", "out.npy")
    motions = ("--states", "states.npy", "-o", "out.npy", "--to", "ends.npy")
    seen = ("--camera", "camera.txt", "--depth")
    yield (*states, *balls), ("out.npy",)
    yield (*states, "--spheres", "bare.json"), ("out.npy",)
    yield (*states, *balls, *world), ("out.npy",)
    yield ("--states", "floats.npy", "-o", "out.npy", *balls, *world), ("out.npy",)
    yield (*states, *balls, *world, "--json", "--threads", "1"), ("out.npy",)
    yield (*states, *balls, *world, "--exactness", "filter"), ("out.npy",)
    yield (*states, *balls, *world, "--margin", "0.3"), ("out.npy",)
    yield (*states, *balls, "--clearance", "0.5", *world), ("out.npy",)
    yield (*states, *balls, "--clearance", "0.5", *world, "--no-self"), ("out.npy",)
    yield (*states, *balls, "--clearance", "0.5", "--no-world"), ("out.npy",)
    yield (*states, *balls, *world, "--no-limits"), ("out.npy",)
    yield (*states, *balls, "--clearance", "0.5", *world, "--json"), ("out.npy",)
    yield (*states, *balls, "--map", f"{folder}/corner.bt"), ("out.npy",)
    yield (*states, *balls, *world, "--motions", "--times", "times.npy"), ("out.npy", "times.npy")
    yield (*motions, *balls, *world, "--certified"), ("out.npy",)
    yield ("--states", "none.npy", "-o", "out.npy", *balls), ("out.npy",)
    yield ("--states", "empty.csv", "-o", "out.npy", *balls), ("out.npy",)
    yield ("--states", "whole.npy", "-o", "out.npy", *balls), ("out.npy",)
    yield ("--states", "states.csv", "-o", "out.npy", *balls, *world), ("out.npy",)
    yield ("--states", "named.csv", "-o", "out.npy", *balls, *world), ("out.npy",)
    yield ("--states", "twice.csv", "-o", "bad.npy", *balls), ()
    yield ("--states", "named.csv", "--to", "states.csv", "-o", "out.npy", *balls), ("out.npy",)
    yield (*states, *balls, *seen, "far.png"), ("out.npy",)
    yield (*states, *balls, *seen, "near.png"), ("out.npy",)
    yield (*states, *balls, *seen, "near.png", "--occluded-free", "--unseen-free"), ("out.npy",)
    yield (*states, *balls, *seen, "far.png", "--clearance", "0.4"), ("out.npy",)
    yield ("--states", "narrow.npy", "-o", "bad.npy"), ()
    yield ("--states", "cut.npy", "-o", "bad.npy"), ()
    yield ("--states", "nothing.npy", "-o", "bad.npy"), ()
    yield ("--states", "states.npy", "-o", "bad.npy", "--to", "short.npy"), ()
    yield ("--states", "states.npy", "-o", "./states.npy"), ()
    yield ("--states", "states.npy", "-o", "bad.npy", "--motions", "--times", "bad.npy"), ()
    yield ("--states", "states.npy", "-o", "far.png", *seen, "near.png", *seen, "far.png"), ()
    yield (*motions, "--times", "camera.txt", *seen, "near.png"), ()
    yield ("--states", "states.npy", "-o", "nowhere/bad.npy", *balls), ()
    yield ("--states", "states.npy", "-o", "device.npy", *balls), ()
    yield ("--states", "states.npy"), ()
    yield (*motions, "--motions"), ()
    yield (*motions, "--clearance", "0.1"), ()
    yield (*states, "--certified"), ()
    yield (*states, "--step", "0.1"), ()
    yield (*states, "--tolerance", "0.1"), ()
    yield (*states, "--clearance", "0"), ()
    yield (*motions, "--step", "0"), ()
    yield (*motions, "--certified", "--step", "0.1"), ()
    yield (*states, "--margin", "-1"), ()
    yield (*states, "--exactness", "shapes"), ()
    yield (*states, "--depth", "far.png"), ()
    yield (*states, *balls, *seen, "small.png"), ()
    yield (*states, "--spheres", f"{folder}/spheres_typo.json"), ()


def transcript(whisker, folder):
    """All that is said and written."""
    text = ""
    for arguments, arrays in commands(folder):
        words = ["batch", "builtin", *arguments]
        run = subprocess.run([whisker, *words], text=True, capture_output=True, check=False)
        text += f"$ whisker {' '.join(words)}\n{run.stdout}{run.stderr}status {run.returncode}\n"
        text += "".join(map(show_array, arrays))
    text += f"bad files: {len(list(pathlib.Path('.').glob('bad*')))}\n"
    text += f"device is there: {os.path.lexists('device.npy')}\n"
    text = text.replace(f"{folder}/", "")
    text = re.sub(r"whisker batch: \d+ spheres fitted in .*\n", "", text)  # where it took long
    text = re.sub(r'"seconds":[0-9.]+', '"seconds":#', text)
    return re.sub(r" in [0-9.]+ s(:?.*?); \S+ a second", r" in # s\1", text)


def main():
    whisker, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    expected = None if sys.argv[3] == "-" else pathlib.Path(sys.argv[3]).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="whisker-batch-") as scratch:
        os.chdir(scratch)
        os.environ["XDG_CACHE_HOME"] = f"{scratch}/cache"
        make_files()
        printed = transcript(whisker, folder)
        os.chdir("/")
    if expected is None:
        print(printed, end="")
        return 0
    lines = list(difflib.unified_diff(expected.splitlines(), printed.splitlines(), "expected",
                                      "printed", lineterm=""))
    print("\n".join(lines))
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
