#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_spheres.sh WHISKER EXPECTED: what is said about balls on the built-in robot, times aside; balls that were
# written are measured alike when they are read; and what is wrong with files and options. An EXPECTED of - prints
# instead of comparing.
set -u
whisker=$1 expected=$2
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
here=$(cd "$(dirname "$0")" && pwd)
cd "$scratch" || exit 1
export XDG_CACHE_HOME="$scratch/cache"

say() {
    echo "$ whisker $*"
    "$whisker" "$@" 2>&1
    echo "status $?"
}

# How many balls a link takes is not for this test to say, but that they cover it.
say_fit() {
    say "$@" | sed -E 's/^([a-z_]+) +[0-9]+ +([0-9.]+) +([0-9.]+) +[0-9.]+$/\1 # \2 \3 #/'
}

{
    say_fit spheres builtin -o balls.json --accuracy 0.06 --tolerance 0.005
    say_fit spheres builtin -o balls.yml --accuracy 0.1 --link-count torso_link=12 --link-accuracy base_link=0.06 \
        --tolerance 0.005
    say_fit spheres builtin --count 60 --tolerance 0.005
    say spheres builtin --from "$here/spheres.json" --tolerance 0.005 --report page.html \
        --picture page.png --size 24 -o copy.urdf
    say spheres builtin --from copy.urdf --tolerance 0.005 --grow 0.2
    say spheres builtin --from "$here/spheres_typo.json"
    say spheres builtin --from balls.json --count 3
    say spheres builtin --count 3 --accuracy 0.1
    say spheres builtin --link-count tail=3
    say spheres builtin --link-count torso_link=x
    say spheres builtin --accuracy -1
    say spheres builtin --accuracy 0
    say spheres builtin --tolerance 0
    say spheres builtin -o balls.txt
    say spheres
} | sed -e "s|$here/||g" -e 's/in [0-9.]* [mun]*s/in #/g' >printed

trouble() {
    echo "$1"
    exit 1
}

# the same balls are measured alike
"$whisker" spheres builtin --from balls.json --tolerance 0.005 | sed '$d' >again
"$whisker" spheres builtin --accuracy 0.06 --tolerance 0.005 | sed '$d' | diff - again || trouble "balls.json is not what was fitted"
[ "$(grep -c 'src="data:image/png;base64,' page.html)" = 4 ] || trouble "pictures are missing"
[ "$(head -c 8 page.png | od -An -tx1 | tr -d ' ')" = 89504e470d0a1a0a ] || trouble "not a PNG file"
if [ "$expected" = - ]; then
    cat printed
    exit 0
fi
diff -u "$expected" printed
