#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_demo.sh WHISKER: the short demo runs through all of its stages, writes a report with four
# pictures and a picture, and says what to type next; with the built-in robot and with one of a file,
# a small arm that needs a pedestal.
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
tail -n 1 "$scratch/printed" | grep -q 'whisker shapes' && grep -q '^next: *whisker demo ROBOT.urdf' "$scratch/printed" &&
    grep -q 'What to type next' "$scratch/demo.html" || {
    echo "what to type next is missing"
    exit 1
}

link() { # name, length, half of it
    echo "<link name='$1'><collision><origin xyz='0 0 $3'/><geometry>
    <cylinder radius='0.04' length='$2'/></geometry></collision></link>"
}
joint() { # name, parent, child, height, axis
    echo "<joint name='$1' type='revolute'><parent link='$2'/><child link='$3'/><origin xyz='0 0 $4'/>
    <axis xyz='$5'/><limit lower='-2.5' upper='2.5' effort='1' velocity='1'/></joint>"
}
{
    echo "<robot name='three &lt;sticks&gt;'>"
    link base 0.1 0.05
    link lower 0.1 0.05
    link upper 0.4 0.2
    link tip 0.4 0.2
    joint pan base lower 0.11 '0 0 1'
    joint lift lower upper 0.11 '0 1 0'
    joint bend upper tip 0.41 '0 1 0'
    echo "</robot>"
} >"$scratch/arm.urdf"
"$whisker" demo "$scratch/arm.urdf" --quick --report "$scratch/arm.html" >"$scratch/printed" || exit 1
cat "$scratch/printed"
grep -q '61 objects; three <sticks>: 4 links, 4 bodies, 3 variables' "$scratch/printed" &&
    grep -q "^next: *whisker info $scratch/arm.urdf" "$scratch/printed" &&
    grep -q 'three &lt;sticks&gt;' "$scratch/arm.html" &&
    [ "$(grep -c 'src="data:image/png;base64,' "$scratch/arm.html")" = 4 ] || {
    echo "the demo of another robot is not as expected"
    exit 1
}
for wrong in "$scratch/none.urdf" "builtin builtin"; do
    # shellcheck disable=SC2086 # two words
    "$whisker" demo $wrong --quick --report "$scratch/wrong.html" 2>"$scratch/said"
    [ $? = 2 ] && [ -s "$scratch/said" ] && [ ! -e "$scratch/wrong.html" ] || {
        echo "demo $wrong is not refused"
        exit 1
    }
done
