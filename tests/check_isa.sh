#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Answers are the same, bit for bit, with every instruction set of this machine.
# usage: check_isa.sh PROGRAM [ARGUMENTS…], whose last line stands for many answers
first=
for isa in scalar sse2 avx2 avx512 neon; do
    hash=$(WHISKER_ISA=$isa "$@" | tail -n 1)
    echo "$isa: $hash"
    : "${first:=$hash}"
    if [ -z "$hash" ] || [ "$hash" != "$first" ]; then
        echo "differs from the first"
        exit 1
    fi
done
