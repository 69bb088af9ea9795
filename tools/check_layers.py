#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that no #include climbs and that no source is forgotten.

A file under src/ includes its own folder, lower layers and the public headers; folders side by side on
one layer do not include each other, and of some folders higher layers include the interface alone. Public
headers include public headers only, and programs (app, examples) see nothing of src/ but headers of sources
that are compiled into the command too. Every .c file of src/ is named in src/CMakeLists.txt. No two files
share a base name and no two types share a name, so that a reader who searches for one finds one. The table
of folders in docs/architecture.md is complete. No layer above the queries asks whether a shape is a map.
Prints one line per trouble and exits with 1.
"""

import pathlib
import re
import sys

# From the bottom up; folders on one line stand side by side.
LAYERS = [
    ["base"],
    ["math", "simd"],
    ["bv"],
    ["geom"],
    ["solve", "tree"],
    ["query"],
    ["scene", "sense", "fit"],
    ["robot"],
    ["batch", "io"],
    ["cuda"],
]
HEIGHT = {folder: height for height, folders in enumerate(LAYERS) for folder in folders}

# Folders whose other headers are their own: what higher layers include of them.
INTERFACES = {"scene": {"scene/candidates.h"}}

# Layers above this one ask the row of a shape (query/pair/shape_class.h) what maps need, never for the type.
MAP_LAYER = "query"
MAP_TYPE = re.compile(r"\bwk_shapeOctree\b")

# Folders that use the library as a stranger would.
PROGRAMS = ["app", "examples"]

# Headers of sources that need no other part of the library, and are compiled into the command too.
COMPILED_IN = {"io/text/json_reader.h", "io/text/text_reader.h"}

# Folders whose files and types have names of their own. Tests of one subject in several folders
# (test_mesh.c) and the main.c of each program may share theirs, and the types of simd/ exist once per
# instruction set.
NAMED = ["include", "src", "app", "bench", "tests"]
SHARED_NAME = re.compile(r"test_\w+\.c|main\.c")
TYPE = re.compile(r"^typedef (?:struct|enum|union) (wk\w+) \{", re.MULTILINE)

# Folders with a row in the table of docs/architecture.md.
LISTED = ["src", "app", "bench"]
FOLDER_ROW = re.compile(r"^\| `([a-z_/]+)` \|", re.MULTILINE)

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SUFFIXES = {".c", ".h", ".inl", ".cu", ".cuh", ".cpp", ".hpp"}


def includes(path):
    """Yields (line number, name) of each quoted include of a file."""
    text = path.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match.group(1)


def sources(folder):
    """All source files under a folder, in a stable order."""
    return sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES)


def complaint(folder, name):
    """Why a file of src/<folder> may not include `name`; None when it may."""
    target = name.split("/")[0]
    if target == "whisker":
        return None
    if "/" not in name:
        return f'write "{folder}/{name}": includes start at src/'
    if target not in HEIGHT:
        return f'"{name}" is in no layer'
    if target != folder and name not in INTERFACES.get(target, {name}):
        allowed = " and ".join(sorted(INTERFACES[target]))
        return f'"{name}" is a header of {target} alone: include {allowed}'
    if target == folder or HEIGHT[target] < HEIGHT[folder]:
        return None
    return f'"{name}" climbs: {folder} is layer {HEIGHT[folder]}, {target} is layer {HEIGHT[target]}'


def named_maps(root):
    """Yields (path, line, words) where a layer above the queries asks whether a shape is a map."""
    for path in sources(root / "src"):
        if HEIGHT.get(path.relative_to(root / "src").parts[0], 0) > HEIGHT[MAP_LAYER]:
            text = path.read_text(encoding="utf-8")
            for match in MAP_TYPE.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                yield path, line, "asks for maps: ask the row of the shape (query/pair/shape_class.h)"


def shared_names(root):
    """Yields (path, line, words) of files and types whose name is taken already."""
    files, types = {}, {}
    for path in (p for folder in NAMED for p in sources(root / folder)):
        if not SHARED_NAME.fullmatch(path.name):
            other = files.setdefault(path.name, path)
            if other != path:
                yield path, 1, f"the name is taken by {other.relative_to(root)}"
        text = path.read_text(encoding="utf-8")
        for match in () if path.parent.name == "simd" else TYPE.finditer(text):
            other = types.setdefault(match.group(1), path)
            if other != path:
                line = text.count("\n", 0, match.start(1)) + 1
                yield path, line, f"{match.group(1)} is a type of {other.relative_to(root)}"


def unlisted_folders(root):
    """Yields (path, line, words) where the table of folders in the architecture page is not true."""
    page = root / "docs/architecture.md"
    text = page.read_text(encoding="utf-8")
    listed = {m.group(1): text.count("\n", 0, m.start()) + 1 for m in FOLDER_ROW.finditer(text)}
    there = {str(p.parent.relative_to(root)) for folder in LISTED for p in sources(root / folder)}
    for folder in sorted(there - set(listed)):
        yield page, 1, f"the table of folders lacks {folder}"
    for folder in sorted(set(listed) - there):
        yield page, listed[folder], f"there are no sources in {folder}"


def check(root):
    """All complaints about a tree, as lines."""
    found = []

    def tell(path, line, words):
        found.append(f"{path.relative_to(root)}:{line}: error: {words}")

    listed = set((root / "src/CMakeLists.txt").read_text(encoding="utf-8").replace(")", " ").split())
    for path in sources(root / "src"):
        if path.suffix == ".c" and str(path.relative_to(root / "src")) not in listed:
            tell(path, 1, "is not built: name it in src/CMakeLists.txt")
        folder = path.relative_to(root / "src").parts[0]
        if folder not in HEIGHT:
            tell(path, 1, f"folder src/{folder} is in no layer")
            continue
        for line, name in includes(path):
            words = complaint(folder, name)
            if words:
                tell(path, line, words)
    for path, line, words in [*shared_names(root), *unlisted_folders(root), *named_maps(root)]:
        tell(path, line, words)
    for path in sources(root / "include"):
        for line, name in includes(path):
            if not name.startswith("whisker/"):
                tell(path, line, f'public headers include "whisker/..." alone, not "{name}"')
    for program in PROGRAMS:
        for path in sources(root / program):
            for line, name in includes(path):
                if name.split("/")[0] in HEIGHT and name not in COMPILED_IN:
                    tell(path, line, f'programs use public headers alone, not "{name}"')
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    found = check(root)
    for line in found:
        print(line)
    if not found:
        print("layers: every include stays in its layer or goes down")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
