#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that code asks rows of tables, not types of shapes.

What depends on the type of a shape is in the row of that type, so that a new shape is a row and not a search
through the project. This looks for comparisons with a type (`== wk_shapeBox`), for cases of a switch and for
tables by type outside of the files that hold the rows. A file that may know a type is listed below with the
reason. Prints one line per finding and exits with 1; a listed file that knows no type any more is named as a
note.
"""

import pathlib
import re
import sys

# Where rows live: CONTRIBUTING.md says which of them a new shape needs.
TABLES = {
    "src/geom/convex_table.c": "convex shapes",
    "src/tree/bvh/tree_shape.c": "hierarchies",
    "src/query/pair/shape_class.c": "the kind of every type",
    "src/query/pair/pair_table.c": "pairs of convex shapes",
    "src/cuda/cuda_field_objects.c": "shapes in live fields of a GPU",
    "src/solve/core_support.c": "supports, for instances of GJK",
    "src/solve/feature.c": "features of cores",
    "src/solve/newton/newton_distance.c": "pairs whose distance Newton's method finds",
    "src/solve/depth_list/depth_table.c": "pairs whose ways out are listed",
    "src/solve/global_depth/support_sum.c": "terms of curved cores",
}

FAST = "a faster path; other types take the general one"
MESH = "only meshes have what is computed here, such as hulls around them"
SPHERE = "a sphere is its own sphere model"
SURFACE = "half-spaces and planes leave a solid, or are left, in closed form"
MAP = "maps are the subject"
CLOUD = "clouds are the subject"

# Files that may know a type, and why.
ALLOWED = {
    "src/geom/convex.h": "spheres and capsules are swept cores",
    "src/solve/depth_list/depth_round.c": "the pair is known: cylinder or cone",
    "src/query/solid/solid.c": SURFACE,
    "src/query/tree/tree_query.c": SURFACE,
    "src/query/tree/tree_shape_queries.c": SURFACE,
    "src/query/map/map_cells.c": SURFACE,
    "src/query/map/map_query.h": MAP,
    "src/query/map/cost.c": MAP,
    "src/query/separation/separation.c": "depths of clouds are true ones; planes stay between the parts of a solid",
    "src/query/noise/cloud_noise.c": CLOUD,
    "src/batch/field_cloud.c": CLOUD,
    "src/query/noise/point_noise.c": "closed forms of probabilities; other types have bounds",
    "src/query/ray/surface_ray.h": FAST,
    "src/query/ray/ray_cast.c": FAST,
    "src/query/ray/tree_ray.c": "meshes store a tighter sphere",
    "src/query/pair/shape_extent.c": "nearly round meshes get a sphere",
    "src/fit/prove.c": SPHERE,
    "src/fit/voids.c": SPHERE,
    "src/fit/fit_segment.c": FAST,
    "src/fit/fit_surface.c": "meshes are closed, and searched by SIMD kernels",
    "src/fit/sphere_tree/sphere_tree.c": "meshes are solids or surfaces, and may have lids",
    "src/robot/body_collide.c": MESH,
    "src/robot/robot_hulls.c": MESH,
    "src/robot/monitor/robot_alarm.c": FAST,
    "src/robot/object_hulls.c": MESH,
    "src/robot/robot_fill_parts.c": MESH,
    "src/robot/chain_box.c": "boxes of configurations are proven for these",
    "src/robot/robot_query.c": FAST,
    "src/robot/builtin.c": "the built-in robot's own list of shapes",
    "src/robot/sphere_fit_plan.c": SPHERE,
    "src/batch/program_attached.c": FAST,
    "src/batch/field_objects.c": FAST,
    "src/batch/batch_bodies.c": SPHERE,
    "src/batch/self_piece_boxes.c": FAST,
    "src/batch/self_piece_points.c": FAST,
    "src/batch/self_sweep.c": MESH,
    "app/check_draw.c": CLOUD,
    "app/check_study.c": CLOUD,
    "app/job_clouds.c": CLOUD,
    "app/demo_room.c": "the demonstration's own list of shapes",
    "app/ask_cost.c": MAP,
    "app/world_file.c": "warns of empty meshes and maps",
    "app/world_warnings.c": "warns of open meshes and of maps",
    "app/info_robot.c": "prints figures of meshes",
}

FOLDERS = ["src", "app"]
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
NAME = r"wk_shape(?!None\b|TypeCount\b)[A-Z]\w*"
KNOWS = re.compile(rf"[=!]=\s*{NAME}|[<>]=?\s*{NAME}|\bcase\s+{NAME}|(?<![\w\]])\[\s*{NAME}")


def findings(path):
    """Yields (line, text) of each place of a file that depends on a type."""
    text = path.read_text(encoding="utf-8")
    code = COMMENT.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    for match in KNOWS.finditer(code):
        yield code.count("\n", 0, match.start()) + 1, match.group()


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")
    listed, troubles = TABLES.keys() | ALLOWED.keys(), 0
    for path in (p for folder in FOLDERS for p in sorted((root / folder).rglob("*.[ch]"))):
        name = path.relative_to(root).as_posix()
        found = list(findings(path))
        if name not in listed:
            for line, text in found:
                print(f"{name}:{line}: `{text}`: depends on a type; put it into the row of the type")
                troubles += 1
        elif not found:
            print(f"note: {name} is listed in tools/check_types.py and knows no type any more")
    for name in sorted(listed):
        if not (root / name).exists():
            print(f"note: {name} is listed in tools/check_types.py and does not exist")
    print(f"types: {'asked by row' if troubles == 0 else f'{troubles} troubles'}")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
