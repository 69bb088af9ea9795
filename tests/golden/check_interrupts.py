#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""Runs `whisker batch` and ends it by signals, a kill, and files that may not grow: what is under the name
of the output is always a whole answer, old or new, and --resume gives the bytes of an undisturbed run.

usage: check_interrupts.py WHISKER FOLDER
"""

import json
import os
import pathlib
import random
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import time

COUNT = 300_000  # rows: several pieces, some seconds
COLUMNS = 11
OLD = b"what was there before"


def write_states(path, seed):
    """Random rows, repeated, as an array of NumPy."""
    numbers = random.Random(seed)
    rows = [struct.pack(f"<{COLUMNS}f", *(numbers.uniform(-1.5, 1.5) for _ in range(COLUMNS)))
            for _ in range(1000)]
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({COUNT}, {COLUMNS}), }}"
    header = header.ljust(117) + "\n"
    with open(path, "wb") as file:
        file.write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode())
        for i in range(0, COUNT, 1000):
            file.write(b"".join(rows[i // 1000 % 7:] + rows[:i // 1000 % 7]))


def values(path):
    """The bytes of a u1 array."""
    data = pathlib.Path(path).read_bytes()
    assert data[:6] == b"\x93NUMPY", path
    return data[10 + struct.unpack("<H", data[8:10])[0]:]


class Case:
    """One output in a folder of its own."""

    def __init__(self, whisker, folder):
        self.base = [whisker, "batch", "builtin", "--states", "states.npy", "--threads", "1",
                     "--spheres", f"{folder}/spheres.json", "--world", f"{folder}/world.json",
                     "--cloud", "cloud.xyz", "--cloud-radius", "0.1", "--exactness", "filter", "--no-limits"]

    def start(self, *more, **options):
        """The command, running."""
        return subprocess.Popen([*self.base, "-o", "out.npy", *more], text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)

    def run(self, *more, **options):
        """Status and words of the command."""
        process = self.start(*more, **options)
        words = "".join(process.communicate(timeout=300))
        return process.returncode, words


def wait_for_rows(process):
    """Until the partial file has verdicts in it."""
    for _ in range(3000):
        time.sleep(0.01)
        assert process.poll() is None, process.communicate()
        try:
            if any(values("out.npy.partial")[:1000]):
                return
        except (OSError, struct.error, AssertionError):
            pass
    raise AssertionError("no verdicts for 30 s")


def check_old():
    """An output that was there before a run failed is still there."""
    assert pathlib.Path("out.npy").read_bytes() == OLD


def check_signal(case, number, expected):
    """A signal: a partial file, a status of its own, and a run that goes on to the same bytes."""
    pathlib.Path("out.npy").write_bytes(OLD)
    process = case.start()
    wait_for_rows(process)
    process.send_signal(number)
    words = process.communicate(timeout=120)[1]
    assert process.returncode == 3, (process.returncode, words)
    assert "--resume goes on" in words and f"of {COUNT} configurations" in words, words
    check_old()
    partial = values("out.npy.partial")
    done = json.loads(pathlib.Path("out.npy.partial.json").read_text(encoding="utf-8"))["done"]
    assert 0 < done < COUNT
    assert partial[:done] == expected[:done]
    assert not any(partial[done:]), "rows that were not checked must read as unchecked"
    return done


def check_refused(case, what):
    """--resume with something else: refused, naming what."""
    status, words = case.run("--resume")
    assert status == 2 and what in words, (status, words)
    check_old()


def check_resumed(case, expected):
    """--resume: the bytes of an undisturbed run, and nothing else is left."""
    status, words = case.run("--resume")
    assert status == 0, words
    assert values("out.npy") == expected
    assert not list(pathlib.Path(".").glob("*.partial*")), os.listdir(".")
    about = json.loads(pathlib.Path("out.npy.json").read_text(encoding="utf-8"))
    assert about["values"]["unchecked"] == 0 and about["values"]["free"] == 1
    assert about["count"] == COUNT and sum(about["counts"].values()) == COUNT, about


def check_second(case):
    """A second run with the same output: refused, with what stands in its way."""
    for more in [], ["--resume"]:
        status, words = case.run(*more)
        assert status == 2 and "out.npy: cannot be written: another run writes it" in words, words
        assert "out.npy.partial" in words, words
    check_old()


def check_kill(case, expected):
    """kill -9: the old file is there, and no row of the partial one reads as free without being so."""
    pathlib.Path("out.npy").write_bytes(OLD)
    process = case.start()
    wait_for_rows(process)
    check_second(case)
    process.kill()
    process.communicate()
    check_old()
    partial = values("out.npy.partial")
    assert all(found in (0, true) for found, true in zip(partial, expected))
    status, words = case.run()
    assert status == 0 and values("out.npy") == expected, words


def check_limit(case):
    """A file that cannot grow, as on a full disk: a message, and the old file."""
    pathlib.Path("out.npy").write_bytes(OLD)
    limit = COUNT // 2
    status, words = case.run(
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit)))
    assert status == 2 and "cannot be written" in words, (status, words)
    check_old()


def main():
    whisker, folder = (os.path.abspath(path) for path in sys.argv[1:3])
    with tempfile.TemporaryDirectory(prefix="whisker-interrupts-") as scratch:
        os.chdir(scratch)
        os.environ["XDG_CACHE_HOME"] = f"{scratch}/cache"
        write_states("states.npy", 1)
        cloud = pathlib.Path("cloud.xyz")
        cloud.write_text("0.5 0.5 1\n0.5 0.5 1.1\n", encoding="utf-8")
        case = Case(whisker, folder)
        status, words = case.run()
        assert status == 0, words
        expected = values("out.npy")
        assert 0 not in expected and len(set(expected)) > 1

        check_signal(case, signal.SIGINT, expected)
        write_states("states.npy", 2)
        check_refused(case, "configurations changed")
        write_states("states.npy", 1)
        case.base += ["--margin", "0.01"]
        check_refused(case, "options changed")
        case.base = case.base[:-2]
        points = cloud.read_text(encoding="utf-8")
        cloud.write_text(points.replace("1.1", "1.2"), encoding="utf-8")
        check_refused(case, "world changed")
        cloud.write_text(points, encoding="utf-8")
        about = pathlib.Path("out.npy.partial.json")
        ours = about.read_text(encoding="utf-8")
        about.write_text(ours.replace("whisker batch partial 1", "whisker batch partial 0"), encoding="utf-8")
        check_refused(case, 'format "whisker batch partial 0", expected "whisker batch partial 1"')
        about.write_text(ours, encoding="utf-8")
        whole = pathlib.Path("out.npy.partial").read_bytes()
        changed = bytearray(whole)
        changed[200] = 3 - changed[200] if changed[200] in (1, 2) else 1
        pathlib.Path("out.npy.partial").write_bytes(changed)
        check_refused(case, "results so far changed")
        pathlib.Path("out.npy.partial").write_bytes(whole)
        check_resumed(case, expected)

        check_signal(case, signal.SIGTERM, expected)
        check_resumed(case, expected)
        check_kill(case, expected)
        check_limit(case)
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
