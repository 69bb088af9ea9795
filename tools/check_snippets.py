#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compiles the C of the documents, and runs what is a whole program.

usage: check_snippets.py SOURCE_DIR LIBRARY C_COMPILER

A block that starts with ```c is a program when it has a main function. It must print what stands in the
block of ```text that follows it, if one does. Any other block is the inside of a function, where the shapes
`a` and `b` and their poses exist, and is only compiled.
"""

import pathlib
import re
import subprocess
import sys
import tempfile

BLOCK = re.compile(r"^```c\n(.*?)^```\n(?:\n*^```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)
FLAGS = ["-std=c17", "-Wall", "-Wextra", "-Werror"]
# A piece of code may leave its results alone.
FRAGMENT_FLAGS = ["-Wno-unused-variable", "-Wno-unused-but-set-variable", "-c"]
FRAGMENT = """#include <whisker/cuda.h>
#include <whisker/io.h>
#include <whisker/whisker.h>
#include <math.h>
#include <stdio.h>
void fragment(const wkShape a, const wkShape b, wkPose poseA, wkPose poseB);
void fragment(const wkShape a, const wkShape b, wkPose poseA, wkPose poseB)
{{
    (void)a, (void)b, (void)poseA, (void)poseB;
    {{
{code}
    }}
}}
"""


def run(command):
    words = [str(word) for word in command]
    result = subprocess.run(words, text=True, capture_output=True, check=False)
    return result.returncode, result.stdout, result.stderr


def check_block(code, expected, include, library, compiler, work):
    """Why a block is wrong; None when it is not."""
    is_program = "int main(" in code
    source = work / "snippet.c"
    source.write_text(code if is_program else FRAGMENT.format(code=code), "utf-8")
    command = [compiler, *FLAGS, "-I", include, source, "-o", work / "snippet"]
    command += [library, f"-Wl,-rpath,{library.parent}", "-lm"] if is_program else FRAGMENT_FLAGS
    status, _, words = run(command)
    if status != 0:
        return f"does not compile:\n{words}"
    if is_program:
        status, printed, _ = run([work / "snippet"])
        if status != 0:
            return f"ends with status {status}"
        if expected is not None and printed != expected:
            return f"prints:\n{printed}instead of:\n{expected}"
    return None


def main():
    root, library, compiler = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
    count, troubles = 0, 0
    with tempfile.TemporaryDirectory(prefix="whisker-snippets-") as work:
        for path in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
            text = path.read_text("utf-8")
            for match in BLOCK.finditer(text):
                count += 1
                trouble = check_block(match.group(1), match.group(2), root / "include", library,
                                      compiler, pathlib.Path(work))
                if trouble:
                    troubles += 1
                    line = text.count("\n", 0, match.start()) + 1
                    print(f"{path.relative_to(root)}:{line}: {trouble}")
    print(f"snippets: {count} blocks, {troubles} troubles")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
