#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks what the documents say against the tree.

Relative links resolve, with their anchors; files named in backticks exist; functions and constants named
in documents exist; every public function, field and enum value has a /// comment. Prints one line per
trouble and exits with 1.
"""

import pathlib
import re
import subprocess
import sys

LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
HEADING = re.compile(r"^#+\s+(.*)$", re.MULTILINE)
FENCE = re.compile(r"^```.*?^```", re.MULTILINE | re.DOTALL)
QUOTED_FILE = re.compile(r"`((?:docs|examples|tools|api|cmake)/[\w./-]+\.\w+)`")
NAME = re.compile(r"\bwk(?:[A-Z]\w*|_[a-z]\w*)")
# Sources, by their path or their base name alone; x and a_b stand for names of the reader's own.
QUOTED_SOURCE = re.compile(r"`((?:[\w-]+/)*)([\w-]+\.(?:c|h|cpp|inl))`")
PLACEHOLDER = re.compile(r"(?:^|_)(?:x|a_b)\.|<")
# Programs that a page tells the reader to write.
READERS_OWN = {"first.c"}

FUNCTION = re.compile(r"^WK_(?:API|INLINE)\s[^;(]*?\b(wk\w+)\s*\(")
MEMBER = re.compile(r"^\s{4,}[\w*\s]+[\w\])]\s*(?:=\s*[\w-]+)?[;,]")


def documents(root):
    """The tracked and new markdown files."""
    command = ["git", "-C", str(root), "ls-files", "-co", "--exclude-standard", "*.md"]
    run = subprocess.run(command, text=True, capture_output=True, check=False)
    if run.returncode == 0:
        names = sorted(set(run.stdout.split()))
    else:
        names = sorted(str(p.relative_to(root)) for p in root.rglob("*.md"))
    return [root / name for name in names if (root / name).exists()]


def anchors(text):
    """Anchors that a viewer makes of the headings."""
    found = set()
    for heading in HEADING.findall(FENCE.sub("", text)):
        plain = re.sub(r"[^\w\s-]", "", heading.replace("`", "").lower())
        found.add(re.sub(r"\s", "-", plain.strip()))
    return found


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def check_links(path, text, root):
    """Relative links and their anchors."""
    for match in LINK.finditer(text):
        target, _, anchor = match.group(1).partition("#")
        if re.match(r"[a-z]+:", target):
            continue
        where = (path.parent / target).resolve() if target else path
        line = line_of(text, match.start())
        if not where.exists():
            yield line, f"link to {target}, which does not exist"
        elif anchor and where.suffix == ".md" and anchor not in anchors(where.read_text("utf-8")):
            yield line, f"link to {match.group(1)}: no such heading"
        elif root not in where.parents and where != root:
            yield line, f"link to {target} leaves the project"


def check_names(text, known, sources, root):
    """Files in backticks, and names of the library."""
    for match in QUOTED_SOURCE.finditer(text):
        folder, name = match.groups()
        if PLACEHOLDER.search(name) or name in READERS_OWN:
            continue
        exists = (root / folder / name).exists() if "/" in folder else name in sources
        if not exists and name not in sources:
            yield line_of(text, match.start()), f"names {folder}{name}, which does not exist"
        elif not exists and not folder.startswith("whisker/"):
            yield line_of(text, match.start()), f"names {folder}{name}, which is in another folder"
    for match in QUOTED_FILE.finditer(text):
        if not (root / match.group(1)).exists():
            yield line_of(text, match.start()), f"names {match.group(1)}, which does not exist"
    for match in NAME.finditer(text):
        if match.group(0) not in known:
            yield line_of(text, match.start()), f"names {match.group(0)}, which does not exist"


def known_names(root):
    """Every name of the library, public or not."""
    names = set()
    for folder in ("include", "src", "tests"):
        for path in (root / folder).rglob("*.[ch]"):
            names.update(NAME.findall(path.read_text("utf-8")))
    return names


def check_header(text):
    """Comments on functions, fields and enum values."""
    lines = text.split("\n")
    for index, line in enumerate(lines):
        function = FUNCTION.match(line)
        if function and not lines[index - 1].startswith("///"):
            yield index + 1, f"{function.group(1)} has no /// comment"
        if MEMBER.match(line) and is_in_type(lines, index) and not has_comment(lines, index):
            yield index + 1, f"no ///< comment on: {line.strip()}"


def is_in_type(lines, index):
    """True inside the braces of a struct or enum."""
    for line in reversed(lines[:index]):
        if line.startswith("}") or line.startswith("{"):
            return False
        if line.startswith("typedef ") and line.rstrip().endswith("{"):
            return True
    return False


def has_comment(lines, index):
    """A member's comment stands on its line, above it, or on the next line."""
    if "///" in lines[index] or lines[index - 1].lstrip().startswith("/// "):
        return True
    return index + 1 < len(lines) and lines[index + 1].lstrip().startswith("///<")


def check(root):
    """All troubles of a tree, as lines."""
    known = known_names(root)
    folders = ("include", "src", "app", "bench", "tests", "examples")
    sources = {path.name for folder in folders for path in (root / folder).rglob("*.*")}
    found = []
    for path in documents(root):
        text = path.read_text("utf-8")
        name = str(path.relative_to(root))
        troubles = [*check_links(path, text, root), *check_names(text, known, sources, root)]
        found += [f"{name}:{line}: {words}" for line, words in sorted(troubles)]
    for path in sorted((root / "include").rglob("*.h")):
        name = path.relative_to(root)
        found += [f"{name}:{line}: {words}" for line, words in check_header(path.read_text("utf-8"))]
    return found


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else __file__).resolve()
    root = root if root.is_dir() else root.parent.parent
    found = check(root)
    for line in found:
        print(line)
    print(f"docs: {len(documents(root))} documents, {len(found)} troubles")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
