#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles each public header alone, as C17 and as C++17, with every compiler that is present, and
looks whether whisker.h brings all of them but io*.h and cuda*.h, which belong to other libraries.

    check_headers.py INCLUDE_DIR [C_COMPILER]
"""

import pathlib
import shutil
import subprocess
import sys

WARNINGS = ["-Wall", "-Wextra", "-pedantic", "-Wshadow", "-Wconversion", "-Werror"]
LANGUAGES = {"c": ["-x", "c", "-std=c17"], "c++": ["-x", "c++", "-std=c++17"]}
TWINS = {"gcc": "g++", "clang": "clang++"}


def compilers(configured):
    """(compiler, language) pairs to try: the configured one, then gcc and clang."""
    pairs = [(configured, "c")] if configured else []
    for c_compiler, cxx_compiler in TWINS.items():
        pairs += [(c_compiler, "c"), (cxx_compiler, "c++")]
    return [(name, language) for name, language in pairs if shutil.which(name)]


def is_apart(header):
    """True for headers that whisker.h leaves out: itself, and those of the libraries whisker-io and whisker-cuda."""
    return header.name == "whisker.h" or header.stem.split("_")[0] in ("io", "cuda")


def check_whole(include, compiler):
    """Headers that whisker.h should include and does not, or the other way round."""
    command = [compiler, "-x", "c", "-std=c17", f"-I{include}", "-M", "-"]
    run = subprocess.run(command, input='#include "whisker/whisker.h"\n', text=True,
                         capture_output=True, check=True)
    there = {pathlib.Path(word).name for word in run.stdout.split() if "/whisker/" in word
             and "/detail/" not in word}
    expected = {header.name for header in (include / "whisker").glob("*.h") if not is_apart(header)}
    return sorted(expected ^ (there - {"whisker.h"}))


def main():
    include = pathlib.Path(sys.argv[1])
    configured = sys.argv[2] if len(sys.argv) > 2 else None
    headers = sorted(include.rglob("*.h"))
    failed = 0
    for name in check_whole(include, configured or "cc"):
        failed += 1
        print(f"{name}: whisker.h includes all headers but those of whisker-io and whisker-cuda (io*.h, cuda*.h), and no other")
    for compiler, language in compilers(configured):
        for header in headers:
            # the typedef keeps a header of macros alone from being an empty translation unit
            source = f'#include "{header.relative_to(include)}"\ntypedef int unit;\n'
            command = [compiler, *LANGUAGES[language], *WARNINGS, f"-I{include}", "-fsyntax-only", "-"]
            run = subprocess.run(command, input=source, text=True, capture_output=True, check=False)
            if run.returncode != 0:
                failed += 1
                print(f"{header.name} does not compile alone with {compiler}:\n{run.stderr}")
    print(f"headers: {len(headers)} headers, {len(compilers(configured))} compilers, {failed} failures")
    return 1 if failed or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
