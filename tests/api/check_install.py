#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Installs the libraries into a temporary prefix and builds a consumer of both three ways.

    check_install.py SOURCE_DIR BUILD_DIR C_COMPILER

The ways are find_package, pkg-config and add_subdirectory; the last one also leaves qhull and assimp
out, to show that both stand on the C library alone. Before that it looks for pages and examples, and
whether the manual page lists every option of every command. It compiles the library anew, and so does it in
the shortest way there is: one row of vector code, nothing optimised.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile


def run(*command, **options):
    """Runs a command; its output is shown when it fails."""
    words = [str(word) for word in command]
    result = subprocess.run(words, text=True, capture_output=True, check=False, **options)
    if result.returncode != 0:
        print(f"$ {' '.join(words)}\n{result.stdout}{result.stderr}")
        sys.exit(1)
    return result.stdout.strip()


def cmake_consumer(source, work, compiler, build_type, *settings):
    """Configures and builds the consumer project; returns its program."""
    run("cmake", "-S", source / "tests/api/consumer", "-B", work, "-G", "Ninja",
        f"-DCMAKE_C_COMPILER={compiler}", f"-DCMAKE_BUILD_TYPE={build_type}", *settings)
    run("cmake", "--build", work, "--parallel", "2")
    return work / "consumer"


def find_package(source, work, prefix, compiler):
    program = cmake_consumer(source, work, compiler, "Release", f"-DCMAKE_PREFIX_PATH={prefix}")
    return run(program)


def pkg_config(source, work, prefix, compiler):
    folder = next(prefix.rglob("whisker.pc")).parent
    environment = dict(os.environ, PKG_CONFIG_PATH=str(folder))
    flags = run("pkg-config", "--cflags", "--libs", "whisker-io", env=environment).split()
    library_dir = run("pkg-config", "--variable=libdir", "whisker", env=environment)
    work.mkdir()
    run(compiler, "-std=c17", source / "tests/api/consumer/main.c", "-o", work / "consumer", *flags,
        f"-Wl,-rpath,{library_dir}")
    version = run("pkg-config", "--modversion", "whisker-io", env=environment)
    answer = run(work / "consumer")
    if not answer.startswith(f"whisker {version}:"):
        print(f"whisker-io.pc says {version}, the library: {answer}")
        sys.exit(1)
    return answer


def add_subdirectory(source, work, _prefix, compiler):
    program = cmake_consumer(source, work, compiler, "Debug", f"-DWHISKER_SOURCE={source}",
                             "-DWHISKER_ISA=scalar", "-DWHISKER_QHULL=OFF", "-DWHISKER_ASSIMP=OFF",
                             "-DWHISKER_CUDA=OFF")
    return run(program)


def check_pages(source, prefix):
    """Whether pages, examples, manual page and completion are there and say what they should."""
    docs = next(prefix.rglob("commands.md")).parent.parent
    missing = [name for name in ("LICENSE", "README.md", "docs/threads.md", "docs/images/demo.png",
                                 "examples/01_two_shapes.c") if not (docs / name).is_file()]
    pages = {page.name for page in (source / "docs").glob("*.md")}
    missing += sorted(pages - {page.name for page in (docs / "docs").glob("*.md")})
    whisker = prefix / "bin/whisker"
    if whisker.is_file():
        manual = (prefix / "share/man/man1/whisker.1").read_text("utf-8").replace("\\-", "-")
        completion = (prefix / "share/bash-completion/completions/whisker").read_text("utf-8")
        commands = re.findall(r"^  ([a-z]+) ", run(whisker, "--help"), re.MULTILINE)
        for command in commands:
            options = re.findall(r"^  (-[-a-z]+)", run(whisker, command, "--help"), re.MULTILINE)
            row = re.search(rf"^ +{command}\) (.*)$", completion, re.MULTILINE)
            missing += [f"manual page: {command} {option}" for option in options
                        if f"\n  {option}" not in manual]
            missing += [f"completion: {command} {option}" for option in options
                        if row is None or option not in row.group(1)]
        print(f"manual page: {len(commands)} commands")
    if missing:
        print("installed without: " + ", ".join(missing))
        sys.exit(1)


def main():
    source, build = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    compiler = sys.argv[3]
    with tempfile.TemporaryDirectory(prefix="whisker-install-") as name:
        scratch = pathlib.Path(name)
        prefix = scratch / "prefix"
        run("cmake", "--install", build, "--prefix", prefix)
        check_pages(source, prefix)
        answers = {}
        for way in (find_package, pkg_config, add_subdirectory):
            answers[way.__name__] = way(source, scratch / way.__name__, prefix, compiler)
            print(f"{way.__name__}: {answers[way.__name__]}")
    if len(set(answers.values())) != 1:
        print("the three consumers disagree")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
