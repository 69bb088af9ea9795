#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Checks the words of the public headers: CONTRIBUTING.md, "Public names", states the rules.

    check_surface.py SOURCE_DIR

Prints one line per trouble and exits with 1.
"""

import pathlib
import re
import sys

# Structs with a default that are things of the world and no definition or request: they keep their noun.
THINGS = {"wkCamera", "wkCloudFrame", "wkCudaFrame", "wkDepthImage", "wkDepthNoise", "wkScan"}
# Functions that take an array of pointers to a type.
PLURALS = {"wkCudaBatches": "wkCudaBatch"}
# Structs of hooks, which functions take that are not about them.
HOOKS = {"wkAllocator", "wkParallel"}
# Parameters that point to a struct of a kind are called by that kind.
ROLES = re.compile(r"\bwk\w+?(Def|Request|Info|Result)\s*\*\s*(\w+)$")
# Called with the context first, like kernels: (arguments, index of the item).
TASKS = {"wkTaskFcn"}
# Words of other projects for a definition, a request or figures.
STRAYS = re.compile(r"(Options|Settings|Params|Config|Desc|Report|Stats|Totals|Statistics)$")

DEFAULT = re.compile(r"^WK_API (wk\w+) wkDefault(\w+)\(void\);", re.MULTILINE)
STRUCT = re.compile(r"^typedef struct (wk\w+) \{\n(.*?)^\} \1;", re.MULTILINE | re.DOTALL)
OPAQUE = re.compile(r"^typedef struct (wk\w+) \1;", re.MULTILINE)
FUNCTION = re.compile(r"^WK_(?:API|INLINE)\s+([^;(]*?)\b(wk\w+)\s*\(([^;{]*)\)(?:;|\n\{)", re.MULTILINE | re.DOTALL)
CALLBACK = re.compile(r"^typedef [\w* ]+\b(wk\w+Fcn)\(([^;]*)\);", re.MULTILINE | re.DOTALL)
NUMBER = re.compile(r"^typedef (?!struct|enum|union)[\w ]+ (wk\w+);", re.MULTILINE)
ENUM = re.compile(r"^typedef enum (wk\w+) \{\n(.*?)^\} \1;", re.MULTILINE | re.DOTALL)
POINTER = re.compile(r"\b(wk\w+)\s*\*")
VALUE = re.compile(r"^\s*(wk_\w+)\s*(?:=|,)", re.MULTILINE)
COUNT = re.compile(r"^#define (WK_\w+_COUNT) \((wk_\w+) \+ 1\)", re.MULTILINE)
CASE = re.compile(r'^    \{"(wk\w+)", try\w+\},', re.MULTILINE)


def check_default(struct, default, structs):
    """What is wrong with a struct that a wkDefault function returns."""
    if f"wk{default}" != struct:
        yield f"wkDefault{default}: returns {struct}; the default of a struct has its name"
    first = structs.get(struct, "").strip().splitlines()[:1]
    if not first or not re.match(r"uint32_t cookie;", first[0].strip()):
        yield f"{struct}: its first field is no `uint32_t cookie`, although it has a default"
    if not re.search(r"(Def|Request)$", struct) and struct not in THINGS:
        yield f"{struct}: has a default; it makes (…Def) or asks (…Request)"


def check_function(name, result, parameters, types):
    """What is wrong with the name of a function."""
    noun, _, verb = name.partition("_")
    if noun in PLURALS and f"{PLURALS[noun]}* const* " in parameters:
        noun = PLURALS[noun]
    pointers = POINTER.findall(parameters)
    first = POINTER.match(re.sub(r"^\s*(const )?", "", parameters))
    if verb and noun not in types:
        yield f"{name}: {noun} is no public type"
    elif verb and noun not in pointers + result.split() + re.findall(r"\bwk\w+", parameters):
        yield f"{name}: neither takes nor returns a {noun}"
    elif (not verb and not name.startswith("wkMake") and first and first.group(1) in types - HOOKS
          and pointers.count(first.group(1)) == 1):
        yield f"{name}: a function of one {first.group(1)} is called {first.group(1)}_Verb"
    for role, given in (role for p in parameters.split(",") for role in ROLES.findall(p.strip())):
        if given.rstrip("s") != role.lower():
            yield f"{name}: the parameter {given} is called {role.lower()}, as in all functions"
    if re.search(r".Count$", verb):
        yield f"{name}: a figure belongs to {noun}Info"
    if verb == "Info" and not result.strip().endswith(f"{noun}Info"):
        yield f"{name}: returns {result.strip()}, expected {noun}Info"


def check_ids(structs, text):
    """Ids that are numbers, which compilers mix up, or that lack one of their functions."""
    for name in NUMBER.findall(text):
        yield f"{name}: is a number; an id is a struct with one field, as in id.h"
    functions = {name for _, name, _ in FUNCTION.findall(text)}
    for name in sorted(name for name in structs if name.endswith("Id")):
        wanted = {f"{name}_{verb}" for verb in ("IsNull", "Equals", "ToBits", "FromBits")}
        for missing in sorted(wanted - functions):
            yield f"{name}: has no {missing}"
        if f"static const {name} wk_null{name[2:]} = {{0}};" not in text:
            yield f"{name}: has no wk_null{name[2:]}, which is all zeros"


def check_callbacks(text):
    """Callbacks whose context is not their last parameter."""
    for name, parameters in CALLBACK.findall(text):
        if "void* context" in parameters and not parameters.endswith("void* context") and name not in TASKS:
            yield f"{name}: the context is the last parameter of a callback"


def check_enums(text):
    """Counts in enums, and counts in detail/counts.h that are not those of the last value."""
    enums = [VALUE.findall(body) for _, body in ENUM.findall(text)]
    for name in (value for values in enums for value in values if value.endswith("Count")):
        yield f"{name}: the number of values belongs to detail/counts.h"
    last = {values[-1] for values in enums if values}
    for name, value in COUNT.findall(text):
        if value not in last and name != "WK_CONVEX_TYPE_COUNT":
            yield f"{name}: {value} is not the last value of an enum"


def troubles(text, cases):
    """Yields one line for each name that breaks a rule."""
    structs = dict(STRUCT.findall(text))
    types = set(structs) | set(OPAQUE.findall(text))
    defaults = DEFAULT.findall(text)
    for struct, default in defaults:
        yield from check_default(struct, default, structs)
    for struct in sorted(structs):
        if STRAYS.search(struct):
            yield f"{struct}: a struct makes (…Def), asks (…Request) or tells figures (…Info)"
    for result, name, parameters in FUNCTION.findall(text):
        yield from check_function(name, result, parameters, types)
    yield from check_ids(structs, text)
    yield from check_callbacks(text)
    yield from check_enums(text)
    for name in sorted({struct for struct, _ in defaults} ^ cases):
        yield f"{name}: tests/*/*cookies*.c try each struct with a default, and no other"


def main():
    root = pathlib.Path(sys.argv[1])
    headers = sorted((root / "include").rglob("*.h"))
    text = "\n".join(header.read_text(encoding="utf-8") for header in headers)
    cases = {case for source in (root / "tests").glob("*/*cookies*.c")
             for case in CASE.findall(source.read_text(encoding="utf-8"))}
    found = list(troubles(text, cases))
    for line in found:
        print(line)
    print(f"names: {len(FUNCTION.findall(text))} functions, {len(found)} troubles")
    return 1 if found or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
