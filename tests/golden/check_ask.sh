#!/bin/sh
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_ask.sh WHISKER COMPARE QUESTIONS EXPECTED STATUS: asks the questions of a file, once by name
# and once through a pipe, and compares the answers and the exit status. Files that the questions
# name stand beside them.
set -u
whisker=$1 compare=$2 questions=$3 expected=$4 status=$5
cd "$(dirname "$questions")" || exit 1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$whisker" ask "$questions" >"$scratch/file.jsonl"
got=$?
if [ $got -ne "$status" ]; then
    echo "exit status $got, expected $status"
    exit 1
fi
cat "$questions" | "$whisker" ask >"$scratch/pipe.jsonl"
cmp "$scratch/file.jsonl" "$scratch/pipe.jsonl" || exit 1
"$compare" "$expected" "$scratch/file.jsonl"
