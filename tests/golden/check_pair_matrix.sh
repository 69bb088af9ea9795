#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_pair_matrix.sh PROGRAM PAGE: the page is what the program prints.
if "$1" | diff -u "$2" -; then
    exit 0
fi
echo "docs/pair_matrix.md is not what the table says; renew it with: $1 > $2"
exit 1
