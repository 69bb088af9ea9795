# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""check_worlds.py WHISKER FOLDER DATA: what `whisker check --world` makes of world files.

Each row of the tables below is a world file and the words that its refusal must have, or the verdict
of the built-in robot in it.
"""

import json
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile

BOX = {"name": "box", "type": "box", "size": [0.1, 0.1, 0.1], "xyz": [5, 0, 0]}
TRIANGLES = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n"


def world(**members):
    return {"objects": [BOX], **members}


def object_with(**members):
    return {"objects": [{**BOX, **members}]}


# Unknown names at every level: each is refused with where it stands and the nearest known name.
MISSPELT = [
    ({"objcts": []}, 'the world has no member "objcts": did you mean "objects"?'),
    (world(catgories={}), 'the world has no member "catgories": did you mean "categories"?'),
    (object_with(catgory="a"), 'objects[0] has no member "catgory": did you mean "category"?'),
    (object_with(pading=0.1), 'objects[0] has no member "pading": did you mean "padding"?'),
    (object_with(xzy=[0, 0, 1]), 'objects[0] has no member "xzy": did you mean "xyz"?'),
    (object_with(radius=1), 'objects[0] has no member "radius"'),
    ({"objects": [{"name": "a", "shapes": [{"type": "sphere", "raduis": 1}]}]},
     'objects[0].shapes[0] has no member "raduis": did you mean "radius"?'),
    ({"objects": [{"name": "a", "shapes": [{"type": "sphere", "radius": 1, "name": "b"}]}]},
     'objects[0].shapes[0] has no member "name"'),
    ({"objects": [{"name": "a", "shaps": []}]},
     'objects[0] has no member "shaps": did you mean "shapes"?'),
    ({"objects": [{"name": "a", "type": "mesh", "file": "a.obj", "sold": True}]},
     'objects[0] has no member "sold": did you mean "solid"?'),
    ({"objects": [{"name": "a", "type": "octree", "file": "a.bt", "treshold": 0.5}]},
     'objects[0] has no member "treshold": did you mean "threshold"?'),
    (object_with(type="bxo"), 'objects[0].type is \'bxo\', which is no type: did you mean "box"?'),
    ({"categories": {"fragile": 0.05}, **object_with(category="fragil")},
     'objects[0].category is "fragil", which is neither "static" nor in categories: '
     'did you mean "fragile"?'),
    (object_with(category="statc"), 'did you mean "static"?'),
    ({"categories": {"fragile": "0.05"}}, "categories.fragile is a string, must be a number"),
    (world(attached=[{"object": "box", "lnk": "torso_link"}]),
     'attached[0] has no member "lnk": did you mean "link"?'),
    (world(attached=[7]), "attached[0] must be an object"),
    (world(allowed=[["box", "torso_lnk"]]),
     'allowed[0]: "torso_lnk" is neither a link nor an object: did you mean "torso_link"?'),
    (world(allowed=[["box", "torso_link\0x"]]), "allowed[0] must be a list of two names"),
    (world(attached=[{"object": "box", "link": "torso_link", "touch": ["torso_link\0x"]}]),
     "attached[0].touch[0] must be a string"),
    ({"objects": [{"name": "a", "shapes": {"b": {"type": "sphere", "radius": 1}}}]},
     "objects[0].shapes must be a list of 1 to"),
    ({"objects": [7]}, "objects[0] must be an object"),
    ({"objects": {}}, "objects must be a list"),
]


CUBE = {"name": "a", "type": "mesh", "file": "cube.obj", "xyz": [9, 0, 0]}
FLAT_WORLD = "(noname)+\n* a\n1\nmesh\n3 0\n0 0 0\n1 0 0\n0 1 0\n9 9 9\n0 0 0 1\n0 0 0 0\n.\n"
EMPTY_SDF = ("<sdf version='1.6'><model name='m'><link name='l'><collision name='c'><geometry><mesh>"
             "<uri>none.obj</uri></mesh></geometry></collision></link></model></sdf>")

# Objects that would vanish are refused: file name, content, words of the refusal, and whether
# --allow-empty takes them.
VANISHING = [
    ("none.json", {"objects": [{**CUBE, "file": "none.obj"}]}, "none.obj: the mesh has 1 vertices and no tri", True),
    ("arrays.json", {"objects": [{"name": "a", "type": "mesh", "vertices": [], "triangles": []}]},
     "objects[0]: the mesh has no triangles", True),
    ("none.scene", FLAT_WORLD, "no triangles", True),
    ("none.sdf", EMPTY_SDF, "none.obj: the mesh has 1 vertices and no triangles", True),
    ("padding.json", object_with(padding=-0.06), "objects[0].padding is -0.06 m, which leaves nothing", False),
    ("scale.json", {"objects": [{**CUBE, "scale": [1, 0, 1]}]}, "objects[0].scale has a factor 0", False),
    ("arrays_scale.json", {"objects": [{"name": "a", "type": "mesh", "vertices": [], "triangles": [], "scale": 2}]},
     "scale is for a file", False),
]

# Meshes of another unit than metres: file name, content, words of the warning; None: none.
SIZES = [
    ("large.json", {"objects": [{**CUBE, "scale": 500, "xyz": [2000, 0, 0]}]},
     'large.json: object "a": 1000 x 1000 x 1000 m is large'),
    ("small.json", {"objects": [{**CUBE, "scale": 5e-5}]}, 'object "a": 0.0001 x 0.0001 x 0.0001 m is small'),
    ("fine.json", {"objects": [{**CUBE, "scale": [1, 2, 0.5]}]}, None),
    ("large.sdf", EMPTY_SDF.replace("none.obj</uri>", "cube.obj</uri><scale>500 500 500</scale>"),
     "cube.obj: 1000 x 1000 x 1000 m is large"),
]


class Failures:
    def __init__(self):
        self.count = 0

    def expect(self, holds, what, result):
        if not holds:
            self.count += 1
            print(f"{what}\n  status {result.returncode}\n  {result.stdout}{result.stderr}")


def check(whisker, path, *more, **options):
    command = [whisker, "check", "builtin", "--q", "home", "--world", path, *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, **options)


def refuse_misspelt(whisker, folder, failures):
    for number, (content, words) in enumerate(MISSPELT):
        path = os.path.join(folder, f"misspelt_{number}.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file)
        result = check(whisker, path)
        holds = result.returncode == 2 and words in result.stderr and path in result.stderr
        failures.expect(holds, f"{content}\n  should say: {words}", result)


def write(folder, name, content):
    path = os.path.join(folder, name)
    with open(path, "w", encoding="utf-8") as file:
        file.write(content if isinstance(content, str) else json.dumps(content))
    return path


def refuse_vanishing(whisker, golden, folder, failures):
    write(folder, "none.obj", "v 0 0 0\n")
    shutil.copy(os.path.join(golden, "cube.obj"), folder)
    for name, content, words, is_allowed in VANISHING:
        path = write(folder, name, content)
        result = check(whisker, path)
        failures.expect(result.returncode == 2 and words in result.stderr, f"{name} should say: {words}", result)
        result = check(whisker, path, "--allow-empty")
        failures.expect((result.returncode == 0) == is_allowed, f"{name} --allow-empty", result)


def warn_of_sizes(whisker, folder, failures):
    for name, content, words in SIZES:
        result = check(whisker, write(folder, name, content))
        holds = words in result.stderr if words is not None else result.stderr == ""
        failures.expect(result.returncode in (0, 1) and holds, f"{name} should say: {words}", result)


# Paths in a world file are relative to the world file, wherever the command runs.
def find_files_beside(whisker, folder, failures):
    inner = os.path.join(folder, "worlds")
    os.makedirs(os.path.join(inner, "meshes"))
    with open(os.path.join(inner, "meshes", "a.obj"), "w", encoding="utf-8") as file:
        file.write(TRIANGLES)
    mesh = {"name": "a", "type": "mesh", "file": "meshes/a.obj", "xyz": [5, 0, 0]}
    with open(os.path.join(inner, "mesh.json"), "w", encoding="utf-8") as file:
        json.dump({"objects": [mesh]}, file)
    for path, where in (("worlds/mesh.json", folder), ("mesh.json", inner),
                        (os.path.join(inner, "mesh.json"), "/")):
        result = check(whisker, path, cwd=where)
        failures.expect(result.returncode == 0, f"{path} from {where}", result)


# Robots and worlds through the standard input and FIFOs; paths in them start at the working directory.
def read_pipes(whisker, golden, folder, failures):
    text = json.dumps({"objects": [{"name": "a", "type": "mesh", "file": "worlds/meshes/a.obj"}]})
    result = check(whisker, "-", cwd=folder, input=text)
    failures.expect(result.returncode == 1 and "world: " in result.stdout, "world from -", result)
    fifo = os.path.join(folder, "fifo")
    os.mkfifo(fifo)
    with subprocess.Popen(["sh", "-c", 'printf %s "$1" >"$2"', "sh", text, fifo]):
        result = check(whisker, fifo, cwd=folder)
    failures.expect(result.returncode == 1 and "world: " in result.stdout, "world from FIFO", result)
    result = check(whisker, "-", input='{"objcts": []}')
    failures.expect("standard input: the world has no member" in result.stderr, "its name", result)
    with open(os.path.join(golden, "arm.urdf"), encoding="utf-8") as file:
        urdf = file.read()
    for words in (["-"], ["-", "--srdf", os.path.join(golden, "arm.srdf")], ["/dev/stdin"]):
        result = subprocess.run([whisker, "check", *words, "--q", "0.2,0,0"], input=urdf, text=True,
                                cwd=golden, capture_output=True, timeout=60, check=False)
        failures.expect(result.returncode == 0, f"robot from {words}", result)
    result = check(whisker, "-", "--srdf", "-", input="")
    failures.expect(result.returncode == 2 and "standard input (-) can stand" in result.stderr,
                    "two readers of the standard input", result)


# A map with a pose is as far away as the same map in a world file.
def place_maps(whisker, golden, failures):
    corner = os.path.join(golden, "corner.bt")
    base = [whisker, "check", "builtin", "--q", "home", "--clearance", "--json"]

    def run(*words, **options):
        return subprocess.run([*base, *words], capture_output=True, text=True, timeout=60,
                              check=False, **options)

    world = {"objects": [{"name": corner, "type": "octree", "file": corner, "xyz": [1, 2, 3],
                          "rpy": [0.1, 0.2, 0.3]}]}
    placed = run("--map", corner, "--map-pose", "1,2,3,0.1,0.2,0.3")
    same = run("--world", "-", input=json.dumps(world))
    failures.expect(placed.stdout == same.stdout != "", "--map-pose", placed)
    for words, expected in (
            (("--map", corner, "--map-pose", "1,2"), '"1,2" is none of x,y,z,'),
            (("--map-pose", "1,2,3"), "1 poses for 0 maps"),
            (("--map", corner, "--map-pose", "1,2,3", "--map-pose", "1,2,3"), "2 poses for 1 maps")):
        result = run(*words)
        failures.expect(result.returncode == 2 and expected in result.stderr, words, result)
    result = run("--map", corner, "--map", corner, "--map-pose", "1,2,3", "--map-pose", "9,9,9")
    failures.expect(result.returncode == 0, "one map twice", result)


# One world in four formats: a box turned about z, and a cylinder.
SAME_WORLDS = {
    "a.json": json.dumps({"objects": [
        {"name": "box", "type": "box", "size": [0.2, 0.4, 0.6], "xyz": [1.5, 0.5, 0.75],
         "quat": [0, 0, 0.6, 0.8]},
        {"name": "can", "type": "cylinder", "radius": 0.125, "length": 0.5, "xyz": [1, -1, 1]}]}),
    "a.scene": "(noname)+\n* box\n1\nbox\n0.2 0.4 0.6\n1.5 0.5 0.75\n0 0 0.6 0.8\n0 0 0 0\n"
               "* can\n1\ncylinder\n0.125 0.5\n1 -1 1\n0 0 0 1\n0 0 0 0\n.\n",
    "a.yaml": "world:\n  collision_objects:\n  - id: box\n    header: {frame_id: base_link}\n"
              "    primitives: [{type: box, dimensions: [0.2, 0.4, 0.6]}]\n    primitive_poses: "
              "[{position: [1.5, 0.5, 0.75], orientation: [0, 0, 0.6, 0.8]}]\n  - id: can\n"
              "    primitives: [{type: cylinder, dimensions: [0.5, 0.125]}]\n    primitive_poses: "
              "[{position: [1, -1, 1], orientation: [0, 0, 0, 1]}]\n",
    "a.world": "<sdf version='1.9'><world name='w'><model name='box'><link name='l'><pose "
               "rotation_format='quat_xyzw'>1.5 0.5 0.75 0 0 0.6 0.8</pose><collision name='c'>"
               "<geometry><box><size>0.2 0.4 0.6</size></box></geometry></collision></link></model>"
               "<model name='can'><pose>1 -1 1 0 0 0</pose><link name='l'><collision name='c'>"
               "<geometry><cylinder><radius>0.125</radius><length>0.5</length></cylinder></geometry>"
               "</collision></link></model></world></sdf>",
}


def compare_formats(whisker, folder, failures):
    expected = None
    for name, content in SAME_WORLDS.items():
        with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
            file.write(content)
        result = check(whisker, os.path.join(folder, name), "--clearance", "--json")
        expected = expected if expected is not None else result.stdout
        failures.expect(result.returncode == 0 and result.stdout == expected, name, result)
    result = check(whisker, os.path.join(folder, "a.world"), "--clearance", "--json", "--package",
                   "x")
    failures.expect(result.returncode == 2, "--package", result)
    path = os.path.join(folder, "broken.world")
    with open(path, "w", encoding="utf-8") as file:
        file.write("<sdf version='1.9'><world name='w'>\n<actor name='a'/></world></sdf>")
    result = check(whisker, path)
    failures.expect(result.returncode == 2 and f"{path}:2: " in result.stderr, "actor", result)


# A robot, spheres of a file that cover it, and an object 2 cm beside it: with a padding of 5 cm both the
# shapes and the spheres touch.
def grow_spheres(whisker, folder, failures):
    urdf = write(folder, "block.urdf", """<robot name="block"><link name="base"/><link name="block"><collision>
<geometry><box size="0.2 0.2 0.2"/></geometry></collision></link><joint name="turn" type="continuous">
<parent link="base"/><child link="block"/></joint></robot>""")
    beside = write(folder, "beside.json", {"objects": [
        {"name": "bead", "type": "sphere", "radius": 0.01, "xyz": [0, 0, 0.13]}]})
    states = write(folder, "still.csv", "0\n")
    spheres = os.path.join(folder, "block.json")

    def run(*words):
        return subprocess.run([whisker, *words], capture_output=True, text=True, timeout=60, check=False)

    result = run("spheres", urdf, "-o", spheres, "--accuracy", "0.015")
    failures.expect(result.returncode == 0, "spheres", result)
    for padding, verdict in (("0.05", "world 1"), ("0", "free 1"), ("-0.01", "free 1")):
        result = run("batch", urdf, "--world", beside, "--states", states, "--spheres", spheres, "--padding", padding,
                     "-o", os.path.join(folder, "verdicts.npy"))
        holds = verdict in result.stderr and "do not cover" not in result.stderr
        failures.expect(holds, f"--spheres with --padding {padding}: {verdict}", result)


# Planning scenes of MotionBenchMaker, where they are.
def read_problems(whisker, data, folder, failures):
    path = os.path.join(data, "problems", "mbm_panda_0001-0050.tar.xz")
    if not os.path.exists(path):
        print(f"skipped: no {path}; WHISKER_DATA names another folder")
        failures.count += "WHISKER_DATA" in os.environ
        return
    with tarfile.open(path) as archive:
        for member in archive:
            if member.name.endswith("/scene0001.yaml"):
                scene = os.path.join(folder, "scene.yaml")
                with open(scene, "wb") as file:
                    file.write(archive.extractfile(member).read())
                result = check(whisker, scene)
                failures.expect(result.returncode in (0, 1), member.name, result)


def main():
    whisker, golden = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    failures = Failures()
    with tempfile.TemporaryDirectory() as folder:
        refuse_misspelt(whisker, folder, failures)
        refuse_vanishing(whisker, golden, folder, failures)
        warn_of_sizes(whisker, folder, failures)
        find_files_beside(whisker, folder, failures)
        read_pipes(whisker, golden, folder, failures)
        place_maps(whisker, golden, failures)
        grow_spheres(whisker, folder, failures)
        compare_formats(whisker, folder, failures)
        read_problems(whisker, os.environ.get("WHISKER_DATA", sys.argv[3]), folder, failures)
    sys.exit(1 if failures.count else 0)


if __name__ == "__main__":
    main()
