#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_demo.sh WHISKER: the short demo runs through all of its stages and writes a report with four
# pictures and a picture.
set -u
whisker=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$whisker" demo --quick --report "$scratch/demo.html" --picture "$scratch/demo.png" \
    >"$scratch/printed" || exit 1
cat "$scratch/printed"
stages=$(sed -n '4,11s/ .*//p' "$scratch/printed" | tr '\n' ' ')
[ "$stages" = "room camera map states clearance motions cost pictures " ] || {
    echo "stages: $stages"
    exit 1
}
pictures=$(grep -c 'src="data:image/png;base64,' "$scratch/demo.html")
[ "$pictures" = 4 ] || {
    echo "$pictures pictures in the report"
    exit 1
}
grep -q ' free' "$scratch/printed" || {
    echo "nothing is free"
    exit 1
}
[ "$(head -c 8 "$scratch/demo.png" | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || {
    echo "not a PNG file"
    exit 1
}
