#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
#
# Installs the Debian packages of tools/packages.txt that are missing.
#   tools/install_packages.sh build test              those needed by these groups
#   tools/install_packages.sh --absent build test     installs nothing; names those that are missing
# Does nothing, and quickly, when all are there. On other systems it says what would be needed and
# leaves the rest to CMake, which names whatever it does not find.
set -u

list=$(dirname "$0")/packages.txt
names_only=
if [ "${1:-}" = --absent ]; then
    names_only=yes
    shift
fi
groups=${*:-build}

wanted=$(awk -v groups="$groups" '
    BEGIN { split(groups, list, " "); for (i in list) isWanted[list[i]] = 1 }
    /^#/ || NF < 2 { next }
    {
        count = split($2, needs, ",")
        for (i = 1; i <= count; i++) if (isWanted[needs[i]]) { print $1; break }
    }' "$list")

if ! command -v apt-get >/dev/null 2>&1 || ! command -v dpkg-query >/dev/null 2>&1; then
    [ -z "$names_only" ] || exit 0
    echo "packages: this is not a Debian system; what Debian calls"
    echo "$wanted" | sed 's/^/    /'
    echo "has to be present (what for: $list)"
    exit 0
fi

missing=
for package in $wanted; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)
    [ "$state" = installed ] || missing="$missing $package"
done
[ -n "$missing" ] || exit 0
if [ -n "$names_only" ]; then
    echo "$missing" | sed 's/^ //'
    exit 0
fi

sudo=
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null 2>&1; then
        echo "packages: neither root nor sudo; ask for:$missing"
        exit 0
    fi
    sudo=sudo
fi

install()
{
    $sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends "$@"
}

echo "packages: installing$missing"
$sudo apt-get update || echo "packages: no fresh package index; trying with the old one"
# shellcheck disable=SC2086 # a list of words
if ! install $missing; then
    # one name that this release does not know must not keep the others away
    for package in $missing; do
        install "$package" || echo "packages: $package could not be installed"
    done
fi
