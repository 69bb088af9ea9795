#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the library keeps no writable state but the start-up hooks and the CPU dispatch.

    check_globals.py LIBRARY [SRC INCLUDE COMPILER]

Looks for writable objects of the library, static locals included, and for thread-local ones. With the
sources it also looks for caches that readers could write: atomic fields that are not listed here, and casts
that take const away. A new name has to be argued for: hidden state is what makes queries unsafe to share.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

ALLOWED = {
    "allocator",  # wkSetAllocator
    "assertFcn",  # wkSetAssertFcn
    "allocatedBytes",  # wkGetByteCount, atomic
    "wkChosenIsa",  # instruction set of all kernels, found once, atomic
}
ALLOWED_THREAD = {
    "message",  # wkGetLastError
}
# Atomic variables and fields: none belongs to a shape, mesh, map, scene or robot that queries read, but for
# counts of owners and readers.
ALLOWED_ATOMIC = {
    "allocatedBytes",
    "wkChosenIsa",
    "published",  # snapshots: the writer publishes, readers read
    "readerCount",  # snapshots: changed by acquire and release, which are calls of their own
    "ownerCount",  # pages of maps: changed by copies and writers
    "done",  # progress of a long call, and the fields below
    "total",
    "isTelling",
    "isCancelled",
    "next",  # the next task of a call on several threads
    "touchCounts",  # results of such a call
    "bounds",  # the same: distances that tasks share
    "square",  # the same: the least squared distance so far
    "badPoint",  # the same: a point that is refused
    "lastTime",  # of a stream of clouds: the writer sets it, wkCloudStream_IsFresh reads it
    "cells",  # the same: cells that a scan crosses
}
# Put there by the compiler and the C library's start files.
RUNTIME = re.compile(r"^(completed\.\d+|__\w+|_edata|_end|\.\w+)$")
WRITABLE_SECTIONS = {".data", ".bss"}
THREAD_SECTIONS = {".tdata", ".tbss"}

ATOMIC = re.compile(
    r"^\s*(?:static |extern )?(?:_Atomic\([^)]*\)|_Atomic \w+|atomic_(?:int|uint|bool|flag|\w*char|size_t|\w+_t))"
    r"\*? (\w+)(?:\[[^\]]*\])?(?: = [^&;][^;]*)?;",
    re.MULTILINE,
)
# Kernels read what other sources hand them, and need a flag for each instruction set.
KERNEL = re.compile(r"_kernel(_\w+)?\.c$")
FLAGS = ["-std=c17", "-fsyntax-only", "-Wcast-qual", "-DWK_ISA_HAS_SCALAR=1"]
# Parts for which other libraries are needed; a source whose header is not installed is left out.
FLAGS += [f"-DWK_HAS_{name}=1" for name in ("ASSIMP", "EXPAT", "PNG", "QHULL", "YAML")]
NOT_INSTALLED = re.compile(r"fatal error: .*No such file|fatal error: '.*' file not found")
DISCARDED = re.compile(r"^(\S+?:\d+):\d+: \w+: (.*(?:discards|drops).*'?const'?.*)$", re.MULTILINE)


def objects(library, sections):
    """Names of the objects in some sections, without what compilers add to static locals."""
    table = subprocess.run(["objdump", "-t", library], text=True, capture_output=True, check=True)
    for line in table.stdout.splitlines():
        fields = line.split()
        if sections.intersection(fields[1:-1]) and not RUNTIME.match(fields[-1]):
            # gcc writes known.0 and clang wkGetIsa.known
            yield next(part for part in reversed(fields[-1].split(".")) if not part.isdigit())


def atomics(source):
    """Yields (path, line, name) of each atomic variable or field of the sources."""
    for path in sorted(p for p in source.rglob("*") if p.suffix in {".c", ".h"}):
        text = path.read_text(encoding="utf-8")
        for match in ATOMIC.finditer(text):
            yield path, text.count("\n", 0, match.start(1)) + 1, match.group(1)


def casts(source, include, compiler):
    """Places where a cast takes const away, as the compiler prints them."""

    def of(path):
        command = [compiler, *FLAGS, f"-I{include}", f"-I{source}", str(path)]
        english = {**os.environ, "LC_ALL": "C"}
        done = subprocess.run(command, text=True, capture_output=True, check=False, env=english)
        if NOT_INSTALLED.search(done.stderr):
            return []
        if done.returncode != 0:
            return [f"{path}: {done.stderr}"]
        return [f"{where}: {words}" for where, words in DISCARDED.findall(done.stderr)]

    paths = [p for p in sorted(source.rglob("*.c")) if not KERNEL.search(p.name)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return sorted({line for lines in pool.map(of, paths) for line in lines})


def main():
    names = set(objects(sys.argv[1], WRITABLE_SECTIONS))
    found = [f"writable global that nobody argued for: {name}" for name in sorted(names - ALLOWED)]
    threads = set(objects(sys.argv[1], THREAD_SECTIONS))
    found += [f"thread-local state that nobody argued for: {name}" for name in sorted(threads - ALLOWED_THREAD)]
    if len(sys.argv) > 2:
        source = pathlib.Path(sys.argv[2]).resolve()
        for path, line, name in atomics(source):
            if name not in ALLOWED_ATOMIC:
                found.append(f"{path}:{line}: atomic state that nobody argued for: {name}")
        found += casts(source, sys.argv[3], sys.argv[4])
    for line in found:
        print(line)
    print(f"globals: {len(names)} writable, {len(found)} unexpected")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
