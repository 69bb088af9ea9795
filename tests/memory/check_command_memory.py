#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Every allocation of the command fails in turn, those of the libraries it uses included.

    check_command_memory.py WHISKER PRELOAD FOLDER [RUNS]

PRELOAD is failing_preload.so, FOLDER has the files of the golden tests. A command whose allocation failed either
answers as ever, or exits with 1 or 2: it never crashes, says that memory ran out, never prints an answer
that it does not give otherwise, and leaves no half of a file. RUNS (default 40) allocations are tried for each
command, spread evenly; all of them with 0.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

CLOUD = "".join(f"1.05 0.{i}5 0.05\n" for i in range(10))
QUESTION = '{"id":1,"query":"distance","a":{"type":"box","size":[1,1,1]},"b":{"type":"sphere","radius":1,"xyz":[3,0,0]}}\n'
ABOUT_CLOUDS = ('{"id":2,"query":"distance","a":{"type":"cloud","file":"cloud.xyz"},"b":{"type":"sphere","radius":1}}\n'
                '{"id":3,"query":"bounds","a":{"type":"spheres","spheres":[[0,0,0,1],[1,0,0,2]]}}\n')


def commands(folder):
    """Arguments, and the file that they write or None."""
    arm = (f"{folder}/arm.urdf", "--srdf", f"{folder}/arm.srdf")
    world = ("--world", f"{folder}/world.json")
    states = ("--states", f"{folder}/states.csv")
    spheres = ("--spheres", f"{folder}/spheres.json")
    yield ("check", "builtin", *states, *world, "--clearance", "--json"), None
    yield ("check", "builtin", "--q", "ready", "--map", f"{folder}/corner.bt"), None
    yield ("check", "builtin", "--q", "ready", "--cloud", "cloud.xyz", "--cloud-spacing", "0.1"), None
    yield ("check", "builtin", "--q", "ready", "--cloud", "cloud.xyz", "--report", "out.html", "--size", "48"), "out.html"
    yield ("motion", "builtin", "--from", "home", "--to", "ready", *world), None
    yield ("batch", "builtin", *states, *world, *spheres, "-o", "out.npy"), "out.npy"
    yield ("fk", "builtin", *states), None
    yield ("info", *arm), None
    yield ("info", f"{folder}/cube.obj", f"{folder}/corner.bt", "cloud.xyz"), None
    yield ("map", "cloud.xyz", "-o", "out.bt"), "out.bt"
    yield ("cloud", "cloud.xyz", "-o", "out.pcd", "--voxel", "0.1", "--statistical", "4,2"), "out.pcd"
    yield ("ask", "questions.jsonl"), None


class Trial:
    """One command under a preloaded library."""

    def __init__(self, whisker, preload, arguments, written):
        self.line = [whisker, *arguments]
        self.preload = preload
        self.written = pathlib.Path(written) if written else None

    def run(self, fail_at=None, fails_on=False):
        """Exit status, standard output, standard error, bytes of the file."""
        if self.written:
            self.written.unlink(missing_ok=True)
        extra = {"LD_PRELOAD": self.preload, "WHISKER_ALLOCATIONS": "allocations",
                 "XDG_CACHE_HOME": "", "HOME": ""}  # no cache
        if fail_at is not None:
            extra["WHISKER_FAIL_AT"] = str(fail_at)
        if fails_on:
            extra["WHISKER_FAIL_ON"] = "1"
        done = subprocess.run(self.line, env={**os.environ, **extra}, capture_output=True, timeout=60,
                              check=False)
        data = self.written.read_bytes() if self.written and self.written.exists() else None
        return done.returncode, done.stdout, done.stderr, data


def find_trouble(usual, found):
    """What is wrong with a run whose allocation failed; None: nothing."""
    status, out, err, data = found
    if status == usual[0] and out == usual[1] and data == usual[3]:
        return None
    if status < 0:
        return f"ended by signal {-status}"
    if status not in (1, 2):
        return f"status {status} and another answer"
    if b"memory" not in err and b"memory" not in out:
        return "failed without a word about memory"
    if data is not None and data != usual[3]:
        return "left half of a file"
    lines = set(usual[1].splitlines())
    other = [line for line in out.splitlines() if line not in lines and b'"error"' not in line]
    return f"printed {other[0]!r}" if other else None


def main():
    whisker, preload, folder = (os.path.abspath(word) for word in sys.argv[1:4])
    run_count = int(sys.argv[4]) if len(sys.argv) > 4 else 40
    troubles = 0
    with tempfile.TemporaryDirectory() as scratch:
        os.chdir(scratch)
        pathlib.Path("cloud.xyz").write_text(CLOUD, encoding="utf-8")
        pathlib.Path("questions.jsonl").write_text(QUESTION * 3 + ABOUT_CLOUDS, encoding="utf-8")
        for arguments, written in commands(folder):
            trial = Trial(whisker, preload, arguments, written)
            usual = trial.run()
            count = int(pathlib.Path("allocations").read_text(encoding="utf-8"))
            step = max(1, count // run_count) if run_count else 1
            failed = 0
            for number in range(0, count, step):
                for fails_on in (False, True):
                    found = trial.run(number, fails_on)
                    failed += found[0] != usual[0]
                    trouble = find_trouble(usual, found)
                    if trouble:
                        troubles += 1
                        print(f"{' '.join(arguments)}: allocation {number}{' and on' if fails_on else ''}: "
                              f"{trouble}; stderr: {found[2].decode(errors='replace').strip()[:200]}")
            print(f"{arguments[0]}: {count} allocations, every {step}. refused, {failed} runs failed with words")
            if usual[0] not in (0, 1) or failed == 0:
                troubles += 1
                print(f"{' '.join(arguments)}: status {usual[0]} without failures: {usual[2][:300]}")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
