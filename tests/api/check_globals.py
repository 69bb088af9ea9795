#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the library keeps no writable state but the start-up hooks and the CPU dispatch.

    check_globals.py LIBRARY

A new name here has to be argued for: hidden state is what makes queries unsafe to share. Thread-local
words (the text of wkGetLastError) live in sections of their own and are not counted.
"""

import re
import subprocess
import sys

ALLOWED = {
    "allocator",  # wkSetAllocator
    "assertFcn",  # wkSetAssertFcn
    "allocatedBytes",  # wkGetByteCount, atomic
    "known",  # instruction set, found once, atomic
    "chosen",  # lane functions for that instruction set (base/isa_table.h), atomic
}
# Put there by the compiler and the C library's start files.
RUNTIME = re.compile(r"^(completed\.\d+|__\w+|_edata|_end|\.\w+)$")
WRITABLE_SECTIONS = {".data", ".bss"}


def writable(library):
    """Names of the objects in writable sections, without what compilers add to static locals."""
    table = subprocess.run(["objdump", "-t", library], text=True, capture_output=True, check=True)
    for line in table.stdout.splitlines():
        fields = line.split()
        if WRITABLE_SECTIONS.intersection(fields[1:-1]) and not RUNTIME.match(fields[-1]):
            # gcc writes known.0 and clang wkGetIsa.known
            yield next(part for part in reversed(fields[-1].split(".")) if not part.isdigit())


def main():
    names = set(writable(sys.argv[1]))
    strangers = sorted(names - ALLOWED)
    for name in strangers:
        print(f"writable global that nobody argued for: {name}")
    print(f"globals: {len(names)} writable, {len(strangers)} unexpected")
    return 1 if strangers else 0


if __name__ == "__main__":
    sys.exit(main())
