#!/bin/bash
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

# check_stream.sh WHISKER: how `whisker ask` behaves as a stream: answers at once, 10,000 lines in
# well under a second, bounded memory, exit statuses, giant lines, a last line without its end.
set -u
whisker=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

check() { # check WHAT ACTUAL EXPECTED
    if [ "$2" != "$3" ]; then
        echo "$1: got '$2', expected '$3'"
        failures=$((failures + 1))
    fi
}

question() { # question ID X
    echo '{"id":'"$1"',"query":"distance","a":{"type":"box","size":[1,2,3]},'\
'"b":{"type":"sphere","radius":0.5,"xyz":['"$2"',0.25,0.125],"quat":[0,0,0,1]}}'
}

# an answer comes before the next question is asked
coproc dialogue { "$whisker" ask; }
partner=$dialogue_PID # bash forgets it when the process ends
for id in 1 2 3; do
    question $id 4 >&"${dialogue[1]}"
    answer=
    read -r -t 10 answer <&"${dialogue[0]}"
    check "dialogue $id" "${answer%%,*}" "{\"id\":$id"
done
exec {dialogue[1]}>&-
wait "$partner"
check "dialogue status" $? 0

# ten thousand lines, in order; the limit is generous for sanitizers and busy machines
for ((i = 0; i < 10000; i++)); do question $i "$i.5"; done >"$scratch/many.jsonl"
start=$(date +%s%N)
"$whisker" ask "$scratch/many.jsonl" >"$scratch/answers.jsonl"
check "many: status" $? 0
elapsed=$((($(date +%s%N) - start) / 1000000))
echo "10000 lines in $elapsed ms"
[ $elapsed -lt 5000 ] || check "many: time" "$elapsed ms" "under 5000 ms"
check "many: count" "$(wc -l <"$scratch/answers.jsonl")" 10000
check "many: last" "$(tail -n 1 "$scratch/answers.jsonl" | cut -d, -f1)" '{"id":9999'

# twenty times the lines take no more memory than once (a sanitizer's own needs are kept out)
if [ -r /proc/self/status ]; then
    mkfifo "$scratch/questions"
    ASAN_OPTIONS=quarantine_size_mb=1 "$whisker" ask "$scratch/questions" >"$scratch/counted" &
    asker=$!
    exec {feed}>"$scratch/questions"
    held() { # held LINES: kilobytes at their peak once that many lines have been answered
        while [ "$(wc -l <"$scratch/counted")" -lt "$1" ]; do sleep 0.05; done
        awk '/VmHWM/ {print $2}' "/proc/$asker/status"
    }
    cat "$scratch/many.jsonl" >&"$feed"
    before=$(held 10000)
    for ((i = 0; i < 19; i++)); do cat "$scratch/many.jsonl"; done >&"$feed"
    after=$(held 200000)
    echo "peak memory $before kB after 10000 lines, $after kB after 200000"
    [ $((after - before)) -lt 4000 ] || check "memory" "$after kB" "about $before kB"
    exec {feed}>&-
    wait $asker
fi

# statuses
echo '{"id":1}' | "$whisker" ask >/dev/null
check "refused: status" $? 1
: | "$whisker" ask
check "empty: status" $? 0
"$whisker" ask "$scratch/none" 2>/dev/null
check "no file: status" $? 2
"$whisker" ask "$scratch" 2>/dev/null
check "folder: status" $? 2
"$whisker" ask --nonsense 2>/dev/null
check "option: status" $? 2
"$whisker" nonsense 2>"$scratch/words"
check "command: status" $? 2
check "command: words" "$(grep -c -- --help "$scratch/words")" 1
"$whisker" >/dev/null 2>&1
check "nothing: status" $? 2
"$whisker" --help >/dev/null && "$whisker" ask --help >/dev/null && "$whisker" --version >/dev/null
check "help: status" $? 0

# blank lines, Windows line ends, a byte-order mark, no line end at the end
printf '\357\273\277%s\r\n\n  \t\r\n%s' "$(question 1 3)" "$(question 2 3)" |
    "$whisker" ask >"$scratch/few.jsonl"
check "few: status" $? 0
check "few: ids" "$(cut -d, -f1 "$scratch/few.jsonl" | tr '\n' ' ')" '{"id":1 {"id":2 '

# giant lines and zero bytes are refused, and the line behind them is answered
{
    head -c 70000000 /dev/zero | tr '\0' x
    echo
    head -c 1000000 /dev/zero
    echo
    head -c 1000000 /dev/zero | tr '\0' '['
    echo
    printf '{"id":"%s"}\n' "$(head -c 8000000 /dev/zero | tr '\0' y)"
    question 5 3
} >"$scratch/giant.jsonl"
"$whisker" ask "$scratch/giant.jsonl" >"$scratch/giant.out"
check "giant: status" $? 1
check "giant: codes" "$(grep -o '"code":"[a-z_]*"' "$scratch/giant.out" | cut -d'"' -f4 | tr '\n' ' ')" \
    "line_too_long bad_json bad_json missing_field "
check "giant: next" "$(tail -n 1 "$scratch/giant.out" | cut -d, -f1)" '{"id":5'

# nobody reads the answers; without the device that is always full there is nothing to show
if [ -c /dev/full ]; then
    "$whisker" ask "$scratch/many.jsonl" >/dev/full 2>/dev/null
    check "full disk: status" $? 2
fi

exit $((failures > 0))
