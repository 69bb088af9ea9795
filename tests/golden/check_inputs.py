#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""What commands make of inputs that are misspelt, in another order, or not what they seem.

usage: check_inputs.py WHISKER FOLDER

Each row is a command line with what must be in its output, standard error included, and its status.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import zlib

URDF = """<robot name="two"><link name="base"/>
<link name="upper"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="lower"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>
<axis xyz="0 0 1"/><limit lower="-0.5" upper="0.5" effort="1" velocity="1"/></joint></robot>
"""

# Configurations as text. The elbow goes to 0.5 only: columns in the wrong order are beyond its limits.
TABLES = {
    "plain.csv": "2,0\n",
    "savetxt.txt": "# elbow shoulder\n0.000e+00 2.000e+00\n",
    "commas.csv": "# made by hand\n#elbow,shoulder\n0,2\n",
    "comment.csv": "# two numbers\n2,0\n",
    "later.csv": "2,0\n# elbow shoulder\n2,0\n",
    "named.csv": "# shoulder elbow\nelbow,shoulder\n0,2\n",
    "mixed.csv": "# elbow sholder\n0,2\n",
    "twice.csv": "# elbow elbow\n0,2\n",
    "misspelt.csv": "elbow,sholder\n0,2\n",
}

FREE, TROUBLE, REFUSED = 0, 1, 2

SCENE = "robot_model_name: {}\nworld:\n  collision_objects: []\n"
CAMERA = "width 4\nheight 3\nfx 4\nfy 4\n"


def array(kind, item):
    """A zero for each joint, as an array of NumPy of that kind of numbers."""
    words = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': (1, 2), }}\n".encode()
    return b"\x93NUMPY\x01\x00" + struct.pack("<H", len(words)) + words + item + item


def image(width, height):
    """A wall two metres away, as a PNG of 16 bits."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    row = b"\0" + struct.pack(">H", 2000) * width
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 16, 0, 0, 0, 0)) +
            chunk(b"IDAT", zlib.compress(row * height)) + chunk(b"IEND", b""))


FILES = {
    "half.npy": array("<f2", b"\0\0"),
    "bool.npy": array("|b1", b"\0"),
    "cube.stl": b"solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\n"
                b"endfacet\nendsolid a\n",
    "short.npy": array("<i2", b"\0\0"),
    "ours.yaml": SCENE.format("two").encode(),
    "other.yaml": SCENE.format("three").encode(),
    "other.srdf": b'<robot name="three"><group name="all"><joint name="elbow"/></group></robot>',
    "one.urdf": b'<robot name="one"><link name="base"><collision><geometry><box size="0.1 0.1 0.1"/></geometry>'
                b"</collision></link></robot>",
    "wall.png": image(4, 3),
    "nowhere.txt": CAMERA.encode(),
    "somewhere.txt": (CAMERA + "pose 0 0 1 0 0 0 1\n").encode(),
}

# Words of the command line, status, what is said; "not:" in front: what is not said. Words behind < are the name
# of a file for the standard input.
ROWS = [
    ("check two.urdf --states plain.csv", FREE, "0 free"),
    # headers of numpy.savetxt
    ("check two.urdf --states savetxt.txt", FREE, "0 free"),
    ("check two.urdf --states commas.csv", FREE, "0 free"),
    ("check two.urdf --states comment.csv", FREE, "0 free"),
    ("check two.urdf --states later.csv", FREE, "1 free"),
    ("check two.urdf --states named.csv", FREE, "0 free"),
    ("check two.urdf --states mixed.csv", REFUSED,
     "mixed.csv: column 'sholder' is no variable of the robot: did you mean \"shoulder\"?"),
    ("check two.urdf --states twice.csv", REFUSED, "twice.csv: column 'elbow' is there twice"),
    ("check two.urdf --states misspelt.csv", REFUSED, 'did you mean "shoulder"?'),
    ("batch two.urdf --states savetxt.txt -o out.npy", FREE, "free 1"),
    ("batch two.urdf --states mixed.csv -o out.npy", REFUSED, 'did you mean "shoulder"?'),
    ("fk two.urdf --states savetxt.txt --link lower", FREE, "lower -0.41614683654714"),
    # misspelt words of the command line
    ("chek two.urdf --q 0,0", REFUSED, "unknown command 'chek': did you mean \"check\"?; try: whisker --help"),
    ("check two.urdf --worlds w.json --q 0,0", REFUSED,
     'unknown option --worlds: did you mean "--world"?; try: whisker check --help'),
    ("check two.urdf --clearnce=1 --q 0,0", REFUSED, 'unknown option --clearnce: did you mean "--clearance"?'),
    ("check two.urdf --q elbw=0.1", REFUSED, "the robot has no variable 'elbw': did you mean \"elbow\"?"),
    ("fk two.urdf --q 0,0 --link uper", REFUSED, "--link: the robot has no link 'uper': did you mean \"upper\"?"),
    ("spheres two.urdf --link-count uper=4 -o out.json", REFUSED, 'did you mean "upper"?'),
    ("check two.urdf surplus --q 0,0", REFUSED, "'surplus' is one too many: ROBOT is 'two.urdf'"),
    ("check --q 0,0", REFUSED, "ROBOT is missing"),
    # the standard input
    ("check two.urdf --states - < plain.csv", FREE, "0 free"),
    ("check two.urdf --states - < savetxt.txt", FREE, "0 free"),
    ("batch two.urdf --states - -o out.npy < plain.csv", FREE, "free 1"),
    ("batch two.urdf --states - -o out.npy < short.npy", FREE, "free 1"),
    ("check - --states - < plain.csv", REFUSED, "the standard input (-) can stand for one input only"),
    ("info - < two.urdf", FREE, "-: a robot, two"),
    ("info - < two.urdf", FREE, "variables  2"),
    ("info - < short.npy", TROUBLE, "/dev/stdin"),
    ("info - < cube.stl", FREE, "a mesh, stl"),
    # arrays of other kinds of numbers
    ("check two.urdf --states short.npy", FREE, "0 free"),
    ("check two.urdf --states half.npy", REFUSED, "descr is none of f4, f8, i1 to i8 and u1 to u8"),
    ("batch two.urdf --states bool.npy -o out.npy", REFUSED, "halves and bools are not read"),
    # cameras and robots of others
    ("map --depth wall.png --camera nowhere.txt -o out.bt", FREE, "nowhere.txt: the camera has no pose"),
    ("map --depth wall.png --camera somewhere.txt -o out.bt", FREE, "not:no pose"),
    ("batch two.urdf --states plain.csv -o out.npy --depth wall.png --camera nowhere.txt", FREE,
     "warning: nowhere.txt: the camera has no pose: it is taken to be at the origin of the world"),
    ("check two.urdf --q 0,0 --world other.yaml", FREE, 'the planning scene is for robot "three", not "two"'),
    ("check two.urdf --q 0,0 --world ours.yaml", FREE, "not:planning scene"),
    ("check two.urdf --q 0,0 --srdf other.srdf", FREE, 'other.srdf:1: <robot>: the URDF describes "two"'),
    # an accuracy that is out of reach
    ("spheres one.urdf --accuracy 1e-6", TROUBLE, "asked for"),
    ("spheres one.urdf --accuracy 1e-6 --best-effort", FREE, "asked for"),
    ("check builtin --q ready --group arn", REFUSED, "the robot has no group 'arn': did you mean \"arm\"?"),
]


def main():
    whisker = os.path.abspath(sys.argv[1])
    failures = 0
    with tempfile.TemporaryDirectory(prefix="whisker-inputs-") as scratch:
        os.chdir(scratch)
        pathlib.Path("two.urdf").write_text(URDF, encoding="utf-8")
        for name, text in TABLES.items():
            pathlib.Path(name).write_text(text, encoding="utf-8")
        for name, content in FILES.items():
            pathlib.Path(name).write_bytes(content)
        for words, status, expected in ROWS:
            command, _, source = words.partition(" < ")
            content = pathlib.Path(source).read_bytes() if source else b""
            run = subprocess.run([whisker, *command.split()], input=content, capture_output=True, check=False, timeout=60)
            said = (run.stdout + run.stderr).decode()
            is_said = expected in said if not expected.startswith("not:") else expected[4:] not in said
            if run.returncode != status or not is_said:
                failures += 1
                print(f"whisker {words}: status {run.returncode}, expected {status} and: {expected}\n{said}")
        os.chdir("/")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
