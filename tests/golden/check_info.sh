#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_info.sh WHISKER EXPECTED: what `whisker info` says of a mesh, points, maps, robots and of files
# that it cannot read, memory and what rounding leaves aside. Run in the folder of the tests; an EXPECTED of -
# prints instead of comparing.
set -u
whisker=$1 expected=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$whisker" info golden/cube.obj fuzz/corpus/ply/ascii fuzz/corpus/ply/points fuzz/corpus/pcd/binary \
    fuzz/corpus/bt/wall fuzz/corpus/ot/depths fuzz/corpus/bt/empty fuzz/corpus/bt/cells_cut \
    builtin golden/nothing.obj golden/check_info.sh >"$scratch/all" 2>&1
status=$?
"$whisker" info --srdf golden/arm.srdf --package none=/none --meshes hull golden/arm.urdf \
    golden/nothing.urdf golden/arm.xacro >>"$scratch/all" 2>&1
"$whisker" info golden/arm.urdf golden/open.obj golden/doubtful.obj >>"$scratch/all" 2>&1
"$whisker" info --meshes ball golden/arm.urdf >>"$scratch/all" 2>&1
"$whisker" info --colour golden/arm.urdf >>"$scratch/all" 2>&1
sed -e 's/[0-9]* KiB/# KiB/' -e 's/-[0-9.]*e-16/0/g' "$scratch/all" >"$scratch/printed"
if [ "$expected" = - ]; then
    cat "$scratch/printed"
    exit 0
fi
diff -u "$expected" "$scratch/printed" || exit 1
[ $status = 1 ] || {
    echo "exit status $status"
    exit 1
}
