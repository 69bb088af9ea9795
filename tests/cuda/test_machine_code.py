#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of tools/check_machine_code.py: test_machine_code.py TOOLS"""
import struct
import sys

sys.path.insert(0, sys.argv[1])
import check_machine_code  # noqa: E402

# of a kernel that read address 0 on an H200
CLEAR_R38 = (0x0000000000267805, 0x000FE4000001FF00)  # CS2R R38, SRZ; two cycles
WIDE_R38 = (0x0000000449262825, 0x008FC400078E0244)  # @P2 IMAD.WIDE R38, R73, 0x4, R68; two cycles
LOAD_R20 = (0x0000000014147984, 0x000EA20000000C00)  # LDS.128 R20, [R20]; one cycle


def pack(*instructions):
    return b"".join(struct.pack("<QQ", *one) for one in instructions)


def later(instruction, cycles):
    """The same instruction with another number of cycles until the next one."""
    return instruction[0], instruction[1] & ~(15 << 41) | cycles << 41


def with_register(instruction, register):
    return instruction[0] & ~(255 << 16) | register << 16, instruction[1]


CASES = (
    ("the fault", pack(CLEAR_R38, WIDE_R38), [16]),
    ("behind another instruction", pack(later(CLEAR_R38, 1), LOAD_R20, WIDE_R38), [32]),
    ("the second register of the pair", pack(CLEAR_R38, with_register(WIDE_R38, 39)), [16]),
    ("a pair that begins before", pack(CLEAR_R38, with_register(WIDE_R38, 37)), [16]),
    ("late enough", pack(later(CLEAR_R38, 3), WIDE_R38), []),
    ("other registers", pack(CLEAR_R38, with_register(WIDE_R38, 40)), []),
    ("a load, which ends later", pack(CLEAR_R38, with_register(LOAD_R20, 38)), []),
    ("nothing is cleared", pack(LOAD_R20, WIDE_R38), []),
)

failed = 0
for name, code, expected in CASES:
    found = check_machine_code.find_faults(code)
    if found != expected:
        failed += 1
        print(f"FAILED: {name}: found {found}, expected {expected}")
print(f"{len(CASES) - failed} passed, {failed} failed")
sys.exit(1 if failed else 0)
