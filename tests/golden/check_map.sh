#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_map.sh WHISKER EXPECTED: maps that `whisker map` makes from clouds written here, as `whisker info` shows
# them, and what it refuses. An EXPECTED of - prints instead of comparing.
set -u
whisker=$1 expected=$2
case $expected in /*|-) ;; *) expected=$PWD/$expected ;; esac
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
case $whisker in */*) whisker=$(cd "$(dirname "$whisker")" && pwd)/$(basename "$whisker") ;; esac
cd "$scratch" || exit 2

say() {
    echo "$ whisker $*"
    "$whisker" "$@" 2>&1
    echo "status $?"
}

# a wall one metre ahead, a point that a sensor has missed, one that is far away
for i in 0 1 2 3 4 5 6 7 8 9; do
    echo "1.05 0.$i""5 0.05"
done >wall.xyz
{ cat wall.xyz; echo "nan 0 0"; echo "90000 0 0"; } >holes.xyz
: >empty.xyz

{
    say map -o wall.bt wall.xyz --resolution 0.1
    say info wall.bt
    say map -o moved.ot wall.xyz --resolution=0.1 --pose 0,0,2,0,0,1.5707963267948966
    say info moved.ot
    say map -o both.bt wall.xyz wall.xyz --resolution 0.1 --pose 0,0,0 --pose 0,0,1,0,0,0,1 --origin 0,0,0.05
    say info both.bt
    say map -o more.bt --onto wall.bt wall.xyz --pose 1,0,0
    say info more.bt
    say map -o points.bt wall.xyz --resolution 0.1 --occupied-only
    say info points.bt
    say map -o near.bt wall.xyz --resolution 0.1 --max-range 0.5
    say map -o holes.bt holes.xyz --resolution 0.1
    say map -o empty.bt empty.xyz
    say map -o wall.bt
    say map wall.xyz
    say map -o bad.bt nothing.xyz
    say map -o bad.bt wall.xyz --resolution 0
    say map -o bad.bt wall.xyz --pose 1,2
    say map -o bad.bt wall.xyz --pose 0,0,0,0,0,0,0
    say map -o bad.bt wall.xyz --pose 0,0,0 --pose 0,0,0
    say map -o bad.bt --onto wall.bt wall.xyz --resolution 0.1
    say map -o bad.bt wall.xyz --max-range -1
    say map -o bad.bt wall.xyz --depth image.png
    say map -o nowhere/bad.bt wall.xyz
    say map -o bad.stl wall.xyz
    ls bad.* 2>/dev/null
} | sed -e 's/; [0-9.]* s$/; # s/' >printed
if [ "$expected" = - ]; then
    cat printed
    exit 0
fi
diff -u "$expected" printed
