#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# Answers about meshes are the same, bit for bit, with every instruction set of this machine.
# usage: check_mesh_isa.sh path/to/test_property_mesh_queries
first=
for isa in scalar sse2 avx2 avx512 neon; do
    hash=$(WHISKER_ISA=$isa "$1" --hash | tail -n 1) || exit 1
    echo "$isa: $hash"
    : "${first:=$hash}"
    if [ "$hash" != "$first" ]; then
        echo "differs from the first"
        exit 1
    fi
done
