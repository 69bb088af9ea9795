#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Looks for a fault of ptxas 13.0 in the machine code of kernels, without a GPU.

A pair of registers is cleared (CS2R R38, SRZ), and two cycles later a multiplication writes the same pair. Clearing takes
longer, so that zero may come last: the next instruction still sees the product, those after it see zero. On an H200, checks of
configurations with pairs of spheres read address 0 that way, where a load between the two had ended early. compute-sanitizer
does not see it, since its own instructions come in between.

    tools/check_machine_code.py FILE...    libraries with kernels that are not compressed (nvcc --no-compress)

Exit status 1: found; 2: a file has no machine code that can be read.
"""
import struct
import sys

# An instruction has 16 bytes; the low 9 bits of the first word are its operation, without the forms of its operands.
CLEAR = 0x005  # CS2R
IMAD_WIDE = 0x025  # writes a pair of registers
# arithmetic that ends after a few cycles: MOV SEL FSEL FMNMX IADD3 LEA LOP3 PRMT SHF FMUL FADD FFMA IMAD HFMA2 VIADD
SHORT = {0x002, 0x007, 0x008, 0x009, 0x010, 0x011, 0x012, 0x016, 0x019, 0x020, 0x021, 0x023, 0x024, IMAD_WIDE, 0x035, 0x036}
# cycles in which a later write may be overtaken: seen with 2
CYCLES = 2
EM_CUDA = 190


def read_programs(data):
    """Yields the machine code of GPUs that is inside a file: ELF files of their own."""
    at = data.find(b"\x7fELF\x02")
    while at >= 0:
        if struct.unpack_from("<H", data, at + 18)[0] == EM_CUDA:
            yield data[at:]
        at = data.find(b"\x7fELF\x02", at + 1)


def read_kernels(program):
    """Yields (name, code) of the kernels of a program."""
    table, = struct.unpack_from("<Q", program, 0x28)
    size, count, names = struct.unpack_from("<HHH", program, 0x3A)
    sections = [struct.unpack_from("<IIQQQQ", program, table + i * size) for i in range(count)]
    for section in sections:
        start = sections[names][4] + section[0]
        name = program[start : program.index(b"\0", start)].decode()
        if name.startswith(".text."):
            yield name[6:], program[section[4] : section[4] + section[5]]


def find_faults(code):
    """Returns the addresses of instructions that write a register soon after it was cleared."""
    faults = []
    words = [struct.unpack_from("<QQ", code, at) for at in range(0, len(code), 16)]
    for i, (low, _) in enumerate(words):
        if low & 0x1FF != CLEAR:
            continue
        register, cycles = low >> 16 & 255, 0
        for k in range(i + 1, len(words)):
            cycles += words[k - 1][1] >> 41 & 15  # those after which the next instruction begins
            if cycles > CYCLES:
                break
            operation, written = words[k][0] & 0x1FF, words[k][0] >> 16 & 255
            width = 2 if operation == IMAD_WIDE else 1
            if operation in SHORT and written <= register + 1 and register < written + width:
                faults.append(16 * k)
    return faults


def main(paths):
    if not paths:
        print(__doc__)
        return 2
    status = 0
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        kernels, faults = 0, 0
        for program in read_programs(data):
            for name, code in read_kernels(program):
                kernels += 1
                for address in find_faults(code):
                    faults += 1
                    print(f"{path}: {name}+0x{address:x}: writes a register that was just cleared")
        print(f"{path}: {kernels} kernels, {faults} writes that a cleared register may overtake")
        status = 2 if kernels == 0 else status or (1 if faults else 0)
    return status


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
