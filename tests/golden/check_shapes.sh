#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_shapes.sh WHISKER EXPECTED: shows the shapes and compares what it prints, times and instruction set
# aside, then looks at the picture's first bytes.
set -u
whisker=$1 expected=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$whisker" shapes --picture "$scratch/shapes.png" >"$scratch/printed" || exit 1
sed -e "s|$scratch/||" -e 's/ *[0-9][0-9]* ns/ # ns/g' -e '1s/([a-z0-9]*)/(#)/' \
    "$scratch/printed" >"$scratch/masked"
if [ "$expected" = - ]; then
    cat "$scratch/masked"
    exit 0
fi
diff -u "$expected" "$scratch/masked" || exit 1
[ "$(head -c 8 "$scratch/shapes.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || {
    echo "not a PNG file"
    exit 1
}
