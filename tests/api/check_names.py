#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that a search of the sources finds every function that a debugger can stop in.

    check_names.py LIBRARY SOURCES

Macros that paste names make functions whose names stand nowhere; a comment line beside each use names them.
Suffixes of instruction sets, as in wkFieldLanes_avx2, are left out.
"""

import pathlib
import re
import subprocess
import sys

ISA = re.compile(r"_(scalar|sse2|avx2|avx512|neon)$")


def defined(library):
    """Names of the global functions and constants of a library."""
    table = subprocess.run(["nm", "--defined-only", "--extern-only", library], text=True,
                           capture_output=True, check=True)
    for line in table.stdout.splitlines():
        fields = line.split()
        if len(fields) == 3 and fields[2].startswith("wk"):
            yield ISA.sub("", fields[2])


def main():
    words = set()
    for path in pathlib.Path(sys.argv[2]).rglob("*"):
        if path.suffix in {".c", ".h", ".inl"}:
            words.update(re.findall(r"\w+", path.read_text(encoding="utf-8")))
    names = set(defined(sys.argv[1]))
    missing = sorted(names - words)
    for name in missing:
        print(f"{name} is pasted by a macro: name it in a comment line beside the use of the macro")
    print(f"names: {len(names)} functions and constants, {len(missing)} that a search does not find")
    return 1 if missing or not names else 0


if __name__ == "__main__":
    sys.exit(main())
