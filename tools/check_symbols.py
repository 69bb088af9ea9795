#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Compares what a library exports with its list in api/ and with its public headers.

    check_symbols.py LIBRARY [ROOT]             say what differs, exit with 1
    check_symbols.py --update LIBRARY [ROOT]    write the list anew, for review as a diff
"""

import pathlib
import re
import subprocess
import sys

# List and first word of the headers of a library that does not take the rest: api/symbols.txt and all
# other headers.
PARTS = {"libwhisker-io": ("symbols_io.txt", "io"), "libwhisker-cuda": ("symbols_cuda.txt", "cuda")}

DECLARATION = re.compile(r"^WK_API\s[^;(]*?\b(wk\w+)\s*\(", re.MULTILINE)


def exported(library):
    """Names that a program can link against."""
    command = ["nm", "-D", "--defined-only", "--format=posix", library]
    table = subprocess.run(command, text=True, capture_output=True, check=True)
    names = {line.split()[0].split("@")[0] for line in table.stdout.splitlines()}
    return names - {"_init", "_fini", "_edata", "_end", "__bss_start"}


def part_of(library):
    """The name of the list of a library, and a test whether a header is its own."""
    name = pathlib.Path(library).name.split(".")[0]
    if name in PARTS:
        listing, prefix = PARTS[name]
        return listing, lambda path: path.stem.split("_")[0] == prefix
    taken = {prefix for _, prefix in PARTS.values()}
    return "symbols.txt", lambda path: path.stem.split("_")[0] not in taken


def declared(include, is_own):
    """Names that the headers promise."""
    headers = (path for path in sorted(include.rglob("*.h")) if is_own(path))
    texts = (path.read_text(encoding="utf-8") for path in headers)
    return {name for text in texts for name in DECLARATION.findall(text)}


def tell(names, words):
    """Prints names with what is wrong about them; returns how many."""
    for name in sorted(names):
        print(f"{name}: {words}")
    return len(names)


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    library = arguments[0]
    root = pathlib.Path(arguments[1]) if len(arguments) > 1 else pathlib.Path(__file__).parent.parent
    list_name, is_own = part_of(library)
    listing = root / "api" / list_name
    symbols = exported(library)

    if "--update" in sys.argv:
        listing.write_text("".join(f"{name}\n" for name in sorted(symbols)), encoding="utf-8")

    listed = set(listing.read_text(encoding="utf-8").split())
    promised = declared(root / "include", is_own)
    wrong = tell(symbols - listed, f"exported, but not in api/{list_name}")
    wrong += tell(listed - symbols, f"in api/{list_name}, but not exported")
    wrong += tell(promised - symbols, "declared in a header, but not exported")
    wrong += tell(symbols - promised, "exported, but declared in no public header of it")
    print(f"symbols: {len(symbols)} exported, {wrong} differences")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
