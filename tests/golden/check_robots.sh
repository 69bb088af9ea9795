#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_robots.sh WHISKER EXPECTED: what check, motion and acm say about the built-in robot, rates and
# places aside, and about what is wrong with files and options. Run in the folder of the tests; an EXPECTED of - prints
# instead of comparing.
set -u
whisker=$1 expected=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

say() {
    echo "$ whisker $*"
    "$whisker" "$@" 2>&1
    echo "status $?"
}

# sayOf TEXT ARGUMENTS: the same with a text for printf as the standard input.
sayOf() {
    text=$1
    shift
    printf '%s\n' "$ printf '$text' | whisker $*"
    printf "$text" | "$whisker" "$@" 2>&1
    echo "status $?"
}

{
    say check builtin --q ready
    say check builtin --q ready --clearance --json
    say check builtin --world golden/world.json --states golden/states.csv
    say check builtin --world=golden/world.json --states golden/states.csv --summary
    say check builtin --world golden/world.json --states golden/states.csv --json --contacts 4
    say check builtin --group arm --q 0,0,0,0,0,0,0
    say check builtin --q shoulder_lift_joint=0.3,torso_lift_joint=0.2
    say motion builtin --from home --to ready --world golden/world.json
    say motion builtin --path golden/states.csv --world golden/world.json --first --json
    say motion builtin --from home --to ready --step 0.05
    say acm builtin -o "$scratch/out.srdf" --samples 500
    grep -c '<disable_collisions' "$scratch/out.srdf"
    say acm builtin -o "$scratch/out.srdf" --samples 500 --sampled-never
    grep -c "evidence=\"sampled\"" "$scratch/out.srdf"
    grep -c "evidence=\"proven\"" "$scratch/out.srdf"
    say check builtin --q ready --world golden/world.json --clearance
    say check builtin --q ready --world golden/world.json --clearance --no-self
    say check builtin --q ready --no-world --no-limits --clearance
    say check builtin --q shoulder_lift_joint=9 --no-limits --no-self
    say check builtin --q ready --no-self --no-world --no-limits
    say check builtin --q ready --no-world --world golden/world.json
    say check builtin --q 1,2,3
    say check builtin --q redy
    say check builtin --q ready --q home
    say check builtin --q --json
    say check builtin --json=yes --q ready
    say check builtin --q ready --contacts 1e9
    say check builtin --q elbow=1
    say check builtin --q ready --group tail
    say check builtin --q ready --states golden/states.csv
    say check builtin --q ready --map golden/nothing.bt
    say check builtin --q ready --world golden/states.csv
    say check builtin --q ready --world golden/world_typo.json
    say check builtin --states golden/states_none.csv
    say check builtin --states golden/states_twice.csv
    say check builtin --q ready --padding 0.05
    say check builtin --q ready --colour
    say check golden/arms.urdf --srdf golden/arms.srdf --q fold
    say check golden/arms.urdf --srdf golden/arms.srdf --q fold --group left_arm
    say check golden/arms.urdf --srdf golden/arms.srdf --q rest
    say check golden/arm.urdf --srdf golden/arm.srdf --world golden/world_inside.json --q lift=0.1
    say check golden/arm.urdf --meshes surface --world golden/world_inside.json --q lift=0.1
    say check golden/bare.urdf --q 1
    say check golden/bare.urdf --visual --q 1
    say check golden/bare.urdf --allow-empty --q 1
    say check builtin --q home --world golden/world_empty.json --map fuzz/corpus/bt/empty
    say check nothing.urdf --q ready
    say fk builtin --q ready --link torso_link
    say fk builtin --q torso_lift_joint=0.2 --link torso_link --json
    say fk builtin --states golden/states.csv --link torso_link
    say fk builtin --group arm --q 0,0,0,0,0,0,0 --link base_link
    say fk builtin --q ready --link tail
    say fk builtin
    say motion builtin --from home
    say acm builtin
    say motion builtin --trajectory golden/trajectory.csv
    say motion builtin --trajectory golden/trajectory.json --world golden/world.json --first
    say motion builtin --trajectory golden/trajectory.json --world golden/world.json --first --json
    say motion builtin --trajectory golden/trajectory.csv --step 0.1
    say motion builtin --trajectory golden/trajectory.csv --path golden/states.csv
    say motion builtin --path golden/states.csv --shorter-way
    say motion builtin --trajectory golden/nothing.csv
    say motion builtin --trajectory golden/world.json
    for text in 'time,wrist_roll_joint\n0,3\n1,-3\n' 't,wrist_roll_joint\n0,3\n' 'time,wrist_rol_joint\n0,3\n' \
        'time,right_finger_joint\n0,0\n' 'time,elbow_flex_joint\n\n0,0\n0,1\n' \
        'time,elbow_flex_joint\n0,0\n1,0.5,2\n' 'time,elbow_flex_joint\n0,0\n1,half\n' \
        'time,elbow_flex_joint\n0,0\n1,nan\n' 'time,elbow_flex_joint\n0,0\n' 'time,elbow_flex_joint_velocity\n0,0\n' \
        'time,elbow_flex_joint,head_pan_joint,head_pan_joint_velocity\n0,0,0,0\n' \
        'time,elbow_flex_joint,elbow_flex_joint_velocity\n0,2,2\n1,2,0\n' '# nothing\n' \
        '{"joint_names": ["elbow"], "points": []}' '{"joint_names": ["elbow_flex_joint"], "points": [], "point": 1}' \
        '{"joint_names": ["elbow_flex_joint"],\n"points": [\n{"positions": [0], "time_from_start": 0},\n{"positions": [0]}]}' \
        '{"joint_names": ["elbow_flex_joint"],\n"points": [\n{"positions": [0, 1], "time_from_start": 0}]}' \
        '{"joint_names": ["elbow_flex_joint"],\n"points": [\n{"positions": [0], "time_from_start": {"sec": 1.5}}]}' \
        '{"joint_names": ["elbow_flex_joint"],\n"points": [{"positions": [0], "velocities": [0], "time_from_start": 0},\n{"positions": [0], "time_from_start": 1}]}' \
        '{"joint_names": [\n'; do
        sayOf "$text" motion builtin --trajectory -
    done
    sayOf 'time,wrist_roll_joint\n0,3\n1,-3\n' motion builtin --trajectory - --shorter-way
} | sed -e "s|$scratch/||g" -e 's/; [0-9]* a second/; # a second/' -e 's/\[[-0-9.e,]*\]/[#]/g' \
    -e 's/"\(depth\|distance\)":[-0-9.e]*/"\1":#/g' >"$scratch/printed"
if [ "$expected" = - ]; then
    cat "$scratch/printed"
    exit 0
fi
diff -u "$expected" "$scratch/printed"
