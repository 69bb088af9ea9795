#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks that the library keeps no writable state but the start-up hooks and per-thread words.

    check_globals.py LIBRARY

A new name here has to be argued for: hidden state is what makes queries unsafe to share.
"""

import re
import subprocess
import sys

# Set at start-up, before anything is created.
ALLOWED = re.compile(
    r"^(allocator|assertFcn|byteCount|isaRow|dispatch)(\.\d+)?$"
)
# Put there by the compiler and the C library's start files.
RUNTIME = re.compile(r"^(completed\.\d+|__dso_handle|__TMC_END__|_edata|_end|__bss_start|\.\w+|_fini|_init)$")
# One per thread: the words of wkGetLastError().
THREAD_SECTIONS = {".tbss", ".tdata"}
WRITABLE_SECTIONS = {".data", ".bss"}


def writable(library):
    """Yields the names of the objects in writable sections."""
    table = subprocess.run(["objdump", "-t", library], text=True, capture_output=True, check=True)
    for line in table.stdout.splitlines():
        fields = line.split()
        for section in WRITABLE_SECTIONS:
            if section in fields[1:-1]:
                yield fields[-1]


def main():
    names = {name for name in writable(sys.argv[1]) if not RUNTIME.match(name)}
    strangers = sorted(name for name in names if not ALLOWED.match(name))
    for name in strangers:
        print(f"writable global that nobody argued for: {name}")
    print(f"globals: {len(names)} writable, {len(strangers)} unexpected")
    return 1 if strangers else 0


if __name__ == "__main__":
    sys.exit(main())
