#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the project uses the field's words.

A roboticist who knows FCL, MoveIt or OctoMap reads our names, comments, documents and messages without a
dictionary. The tables below hold the words that were once private to this project and the words to use
instead. An identifier, of a public function or of a local variable, is split into its parts (`wkSphereModel` is
sphere, model), so a banned part is found in every name. Prose is comments, string literals and documents. Prints
one line per finding and exits with 1.
"""

import pathlib
import re
import sys

# Parts of identifiers and base names of files.
PARTS = {
    "ball": "sphere", "balls": "spheres",
    "draft": "builder", "drafts": "builders",
    "corner": "vertex", "corners": "vertices",
    "crew": "body set", "jacket": "loose hull",
    "mover": "rigid group", "movers": "rigid groups",
    "asker": "source", "askers": "sources",
    "sieve": "cull", "sieves": "culls", "sift": "cull",
    "squeeze": "local search", "squeezes": "local searches", "polish": "refine", "polished": "refined",
    "skin": "surface", "looks": "checks",
    "door": "entry", "doors": "entry grid",
    "beam": "ray", "beams": "rays",
    "flaws": "noise", "harden": "to maximum likelihood", "straighten": "rectify",
    "held": "attached", "unseen": "unobserved", "seen": "observed, visited", "still": "static, invariant",
    "told": "reported, decided", "tell": "report", "tells": "reports", "places": "poses, positions, slots",
    "span": "interval", "spans": "intervals",
    "slide": "translation", "slides": "translations",
    "judge": "classify", "look": "check",
    "sound": "valid", "usual": "default",
    "foot": "surface point", "feet": "surface points",
}

# Whole words of prose.
WORDS = {
    "ball": "sphere", "balls": "spheres",
    "crew": "body set", "mover": "rigid group", "movers": "rigid groups",
    "asker": "source", "askers": "sources", "sieve": "culling", "sift": "cull",
    "squeeze": "local search", "jacket": "loose hull", "flaws": "noise model",
    "nobody": "name who", "somebody": "name who", "whoever": "name who", "everybody": "name who",
    "anew": "again", "likewise": "in the same way", "polish": "refine",
}

# "place" is a verb: placeSpheres, wkBodyCull_Place. As a noun it has meant a pose, a position and an index.
NOUN_PLACE = re.compile(r"^(?:place|\w*(?:[a-z]Place|PLACE))$|^placeOf|^PLACE_")

FOLDERS = ["include", "src", "app", "docs", "tests", "bench", "examples"]
CODE = {".c", ".h", ".inl", ".cpp", ".cu", ".cuh"}
TOKEN = re.compile(r'(?P<prose>/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*")|(?P<name>[A-Za-z_]\w*)', re.DOTALL)
NAME_PART = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+")
WORD = re.compile(r"[A-Za-z_]\w*")


def parts_of(name):
    """The parts of an identifier in lower case."""
    return [part.lower() for part in NAME_PART.findall(name)]


def in_name(name):
    """(banned part, word to use) of each banned part of an identifier."""
    found = [(part, PARTS[part]) for part in parts_of(name) if part in PARTS]
    return found + [("place", "pose, position, slot")] if NOUN_PLACE.match(name) else found


def in_prose(text):
    """(offset, banned word, word to use) of each finding in a comment, a string or a document."""
    for match in WORD.finditer(text):
        word = match.group(0)
        if word.lower() in WORDS and word.isalpha():
            yield match.start(), word, WORDS[word.lower()]
        elif not word.isalpha() or not (word.islower() or word.istitle()):
            for part, use in in_name(word):
                yield match.start(), f"{word} ({part})", use


def in_code(text):
    """The same for a source file, whose names count as well."""
    for match in TOKEN.finditer(text):
        if match.group("name"):
            for part, use in in_name(match.group("name")):
                yield match.start(), f"{match.group('name')} ({part})", use
        else:
            for offset, word, use in in_prose(match.group(0)):
                yield match.start() + offset, word, use


def check(root):
    """All findings in a tree, as lines."""
    found = []
    paths = [p for folder in FOLDERS for p in sorted((root / folder).rglob("*"))] + [root / "README.md"]
    for path in paths:
        if path.suffix not in CODE | {".md"}:
            continue
        name = path.relative_to(root)
        for part, use in in_name(path.stem):
            found.append(f'{name}:1: error: file name: "{part}"; say "{use}"')
        text = path.read_text(encoding="utf-8")
        scan = in_code if path.suffix in CODE else in_prose
        for offset, word, use in scan(text):
            line = text.count("\n", 0, offset) + 1
            found.append(f'{name}:{line}: error: "{word}"; say "{use}"')
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    found = check(root)
    for line in found:
        print(line)
    if not found:
        print("words: the field's, in names, comments and documents")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
