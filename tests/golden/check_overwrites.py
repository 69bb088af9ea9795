#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""Gives every command that writes files an output that it also reads, by its own name, through links, in
pairs, or where nothing can be written: it is refused before any work, and no file changes.

usage: check_overwrites.py WHISKER FOLDER
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

URDF = """<robot name="one"><link name="a"><collision><geometry><mesh filename="cube.obj"/></geometry></collision>
</link><link name="b"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="j" type="revolute"><parent link="a"/><child link="b"/><origin xyz="0 0 2"/><axis xyz="0 0 1"/>
<limit lower="-1" upper="1" effort="1" velocity="1"/></joint></robot>
"""
SRDF = '<robot name="one"><group name="all"><joint name="j"/></group></robot>\n'
SDF_MESH = "<collision name='c'><geometry><mesh><uri>sdf.obj</uri></mesh></geometry></collision>"
SDF_MODEL = f"<sdf version='1.6'><model name='m'><link name='l'>{SDF_MESH}</link></model></sdf>"
SDF_WORLD = "<sdf version='1.6'><world name='w'><include><uri>model.sdf</uri></include></world></sdf>"
YAML_WORLD = "world:\n  collision_objects:\n  - id: mesh\n    meshes: [{resource: yaml.obj}]\n"
WORLD = '{"objects": [{"name": "thing", "type": "mesh", "file": "thing.obj", "xyz": [9, 9, 9]}]}\n'


def make_files(folder):
    """A robot with a mesh, a world with another, configurations, points, and links to some of them."""
    shutil.copy(f"{folder}/cube.obj", "cube.obj")
    shutil.copy(f"{folder}/cube.obj", "thing.obj")
    shutil.copy(f"{folder}/cube.obj", "sdf.obj")
    shutil.copy(f"{folder}/cube.obj", "yaml.obj")
    for name, text in (("one.urdf", URDF), ("one.srdf", SRDF), ("world.json", WORLD), ("q.csv", "0\n0.5\n"),
                       ("points.xyz", "1 0 0\n1 0.1 0\n"), ("world.sdf", SDF_WORLD), ("model.sdf", SDF_MODEL),
                       ("world.yaml", YAML_WORLD)):
        pathlib.Path(name).write_text(text, encoding="utf-8")
    os.symlink("one.srdf", "soft.srdf")
    os.link("cube.obj", "hard.json")
    os.mkdir("folder")
    os.symlink("folder/late.npy", "link.npy")
    shutil.copy("q.csv", "folder/late.npy.partial")


def commands(whisker):
    """Command lines that must be refused."""
    spheres, acm = ("spheres", "one.urdf"), ("acm", "one.urdf", "--srdf", "one.srdf")
    batch = ("batch", "one.urdf", "--states", "q.csv")
    subprocess.run([whisker, "map", "-o", "room.bt", "points.xyz"], check=True, capture_output=True)
    yield *spheres, "-o", "one.urdf"
    yield *spheres, "-o", "./one.urdf"
    yield *spheres, "-o", "hard.json"
    yield *spheres, "--report", "cube.obj"
    yield *spheres, "--picture", "one.urdf"
    yield *spheres, "--report", "new", "--picture", "folder/../new"
    yield *spheres, "-o", "nowhere/new.json"
    yield *spheres, "-o", "folder"
    yield *acm, "-o", "one.srdf"
    yield *acm, "-o", "soft.srdf"
    yield *acm, "-o", "cube.obj"
    yield "check", "one.urdf", "--states", "q.csv", "--picture", "q.csv"
    yield "check", "one.urdf", "--states", "q.csv", "--cloud", "points.xyz", "--report", "points.xyz"
    yield *batch, "-o", "q.csv"
    yield *batch, "-o", "cube.obj"
    yield *batch, "--world", "world.json", "-o", "thing.obj"
    yield *batch, "--cloud", "points.xyz", "-o", "points.xyz"
    yield *batch, "--cloud", "points.xyz", "-o", "./folder/../points.xyz"
    yield *batch, "--world", "world.json", "-o", "world"
    yield *batch, "--world", "world.sdf", "-o", "sdf.obj"
    yield *batch, "--world", "world.sdf", "-o", "model.sdf"
    yield *batch, "--world", "world.yaml", "-o", "yaml.obj"
    yield "batch", "one.urdf", "--states", "folder/late.npy.partial", "-o", "link.npy"
    yield *batch, "-o", "new", "--motions", "--times", "./new"
    yield *batch, "-o", "nowhere/new.npy"
    yield "map", "-o", "room.bt", "--onto", "room.bt", "points.xyz"
    yield "map", "-o", "points.xyz", "points.xyz"
    yield "demo", "--report", "nowhere/demo.html"
    yield "demo", "--report", "same", "--picture", "same"
    yield "shapes", "--picture", "nowhere/shapes.png"


def contents():
    """All files with their bytes."""
    return {path: path.read_bytes() for path in pathlib.Path(".").rglob("*") if path.is_file()}


def main():
    whisker, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    failures = 0
    with tempfile.TemporaryDirectory(prefix="whisker-overwrites-") as scratch:
        os.chdir(scratch)
        make_files(folder)
        for words in commands(whisker):
            before = contents()
            run = subprocess.run([whisker, *words], text=True, capture_output=True, check=False, timeout=60)
            is_refused = run.returncode == 2 and ("same file" in run.stderr or "cannot be written" in run.stderr)
            if not is_refused or contents() != before:
                failures += 1
                print(f"whisker {' '.join(words)}: status {run.returncode}, files "
                      f"{'changed' if contents() != before else 'as before'}: {run.stderr.strip()}")
        for words in (("spheres", "one.urdf", "-o", "new.urdf", "--count", "20", "--tolerance", "0.05"),
                      ("acm", "one.urdf", "-o", "/dev/null")):
            run = subprocess.run([whisker, *words], text=True, capture_output=True, check=False, timeout=60)
            if run.returncode != 0:
                failures += 1
                print(f"whisker {' '.join(words)}: {run.stderr}")
        os.chdir("/")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
