#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs `whisker batch` with the emulated library for GPUs, and compares what it writes with what the CPU writes.

    check_batch_command.py WHISKER LIBRARIES OTHER_LAYOUT FOLDER LINKAGE

LIBRARIES is the folder of the emulated library, OTHER_LAYOUT a library to preload that is libwhisker of another build, or
-, FOLDER has the files of the golden tests, LINKAGE is "shared" or "static", of libwhisker.
"""

import json
import os
import pathlib
import random
import re
import struct
import subprocess
import sys
import tempfile

COLUMNS = 11
UNIT = 65536  # rows of the smallest block
COUNT = UNIT + 500
LARGE = 8 * UNIT  # motions, from which on auto takes a GPU beside one thread
FREE, UNCERTAIN = 1, 6
BEYOND = [9.0] * COLUMNS  # limits, which is found soonest


def write_array(path, rows, count):
    """`count` rows of f4 as an array of NumPy: some given ones at its ends, the others beyond limits."""
    header = f"{{'descr': '<f4', 'fortran_order': False, 'shape': ({count}, {COLUMNS}), }}".ljust(117) + "\n"
    half = len(rows) // 2
    packed = [struct.pack(f"<{COLUMNS}f", *row) for row in rows]
    filler = struct.pack(f"<{COLUMNS}f", *BEYOND) * (count - len(rows))
    pathlib.Path(path).write_bytes(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header.encode() +
                                   b"".join(packed[:half]) + filler + b"".join(packed[half:]))


def random_rows(seed, count):
    """Configurations of the built-in robot, of which some are free."""
    numbers = random.Random(seed)
    return [[numbers.uniform(-0.3, 0.3) for _ in range(COLUMNS)] for _ in range(count)]


def make_files():
    """Files of configurations, and a library that is none."""
    starts, ends = random_rows(1, 1200), random_rows(2, 1200)
    starts[7][3] = starts[900][0] = float("nan")
    write_array("states.npy", starts, COUNT)
    write_array("ends.npy", ends, COUNT)
    write_array("many.npy", starts[:300], LARGE)
    write_array("many_ends.npy", ends[:300], LARGE)
    names = "wrist_flex_joint,shoulder_pan_joint\n" + "0.9,0\n0,0.8\n0,9\n0,0\n" * 20
    pathlib.Path("named.csv").write_text(names, encoding="utf-8")
    pathlib.Path("broken").mkdir()


def values(path):
    """The numbers of an array, u1 or f4."""
    data = pathlib.Path(path).read_bytes()
    size = 10 + struct.unpack("<H", data[8:10])[0]
    kind = "f" if b"'<f4'" in data[:size] else "B"
    return struct.unpack(f"<{(len(data) - size) // struct.calcsize(kind)}{kind}", data[size:])


class Command:
    """`whisker batch` with the built-in robot among obstacles."""

    def __init__(self, whisker, libraries, folder):
        self.base = [whisker, "batch", "builtin", "--spheres", f"{folder}/spheres.json", "--world",
                     f"{folder}/world.json", "--json"]
        self.libraries = libraries

    def run(self, *more, **environment):
        """Status, words of standard error, and the line of JSON."""
        variables = {**os.environ, "LD_LIBRARY_PATH": self.libraries, **environment}
        done = subprocess.run([*self.base, *more], env=variables, text=True, capture_output=True, timeout=300, check=False)
        return done.returncode, done.stderr, json.loads(done.stdout) if done.stdout else {}

    def expect(self, status, words, *more, **environment):
        """A run that ends with a status and says certain words; returns the line of JSON."""
        found, said, line = self.run(*more, **environment)
        assert found == status and words in said, (more, environment, found, said)
        return line

    def finish(self, backend, output, *more, **environment):
        """A run that ends well, checked by the given ones; returns the bytes of its output."""
        line = self.expect(0, "", "-o", output, *more, **environment)
        about = json.loads(pathlib.Path(f"{output}.json").read_text(encoding="utf-8"))
        assert line["backend"] == about["backend"] == backend, (more, line, about)
        return pathlib.Path(output).read_bytes()


def check_equal(command):
    """Outputs of which equality to the bit is promised."""
    states, ends = ("--states", "states.npy"), ("--to", "ends.npy")
    for more in ((*states,), (*states, "--exactness", "filter"), (*states, "--exactness", "self", "--margin", "0.02"),
                 (*states, "--clearance", "0.1"), ("--states", "named.csv"), ("--states", "named.csv", "--clearance", "0.3"),
                 (*states, "--motions", "--step", "0.1"), (*states, *ends, "--steps")):
        cpu = command.finish("cpu", "cpu.npy", *more, "--gpu", "never")
        gpu = command.finish("gpu", "gpu.npy", *more, "--gpu", "always")
        assert cpu == gpu, more
        assert len(set(values("cpu.npy"))) > 1, more
    more = (*states, *ends, "--step", "0.1", "--times")
    command.finish("cpu", "cpu.npy", *more, "cpu_times.npy", "--gpu", "never")
    command.finish("gpu", "gpu.npy", *more, "gpu_times.npy", "--gpu", "0")
    assert pathlib.Path("cpu_times.npy").read_bytes() == pathlib.Path("gpu_times.npy").read_bytes()


def compare_certified(cpu, gpu):
    """What is promised of certified motions: the same ones are free, but for those that are uncertain on the CPU."""
    cpu, gpu = values(cpu), values(gpu)
    assert len(cpu) == len(gpu) and FREE in cpu and len(set(cpu)) > 2
    assert 0 not in cpu and 0 not in gpu
    for a, b in zip(cpu, gpu):
        assert a == UNCERTAIN or (a == FREE) == (b == FREE), (a, b)


def check_certified(command):
    """Certified motions, with times and without."""
    more = ("--states", "states.npy", "--to", "ends.npy")
    command.finish("cpu", "cpu.npy", *more, "--gpu", "never")
    command.finish("gpu", "gpu.npy", *more, "--gpu", "always")
    compare_certified("cpu.npy", "gpu.npy")
    command.finish("cpu", "cpu.npy", *more, "--gpu", "never", "--times", "cpu_times.npy")
    command.finish("gpu", "gpu.npy", *more, "--gpu", "always", "--times", "gpu_times.npy")
    compare_certified("cpu.npy", "gpu.npy")
    both = zip(values("cpu.npy"), values("cpu_times.npy"), values("gpu_times.npy"))
    assert all(verdict == UNCERTAIN or a == b or (a != a and b != b) for verdict, a, b in both)


def check_choice(command, other_layout):
    """Which of both checks, what is said of it, and what --gpu refuses."""
    old = b"what was there before"
    pathlib.Path("out.npy").write_bytes(old)
    always = ("--states", "states.npy", "-o", "out.npy", "--gpu", "always")
    command.expect(2, "none can be used: cuda: there is no NVIDIA GPU", *always, EMULATED_DEVICES="0")
    command.expect(2, "must be -1 to 0", *always[:-1], "1")
    name = next(pathlib.Path(command.libraries).glob("libwhisker-cuda.so.*")).name
    pathlib.Path("broken", name).write_bytes(b"")
    command.expect(2, f"none can be used: {name} cannot be loaded", *always, LD_LIBRARY_PATH="broken")
    if other_layout != "-":
        command.expect(2, "libwhisker is of another build", *always, LD_PRELOAD=other_layout)
    for wrong in "x", "", "-1", "10000", "Always":
        command.expect(2, "must be auto, always, never or the number of a GPU", *always[:-1], wrong)
    assert pathlib.Path("out.npy").read_bytes() == old
    few = ("--states", "named.csv", "-o", "out.npy")
    assert "GPU" not in command.run(*few)[1]
    command.expect(0, "on the CPU: 80 configurations, a GPU pays from about", *few, "--gpu", "auto")
    command.expect(0, "on the CPU: --gpu never", *few, "--gpu", "never")
    command.expect(0, "on GPU 0 (emulated): --gpu 0", *few, "--gpu", "0")


def last_call(command, more):
    """The number of the last call of CUDA that a run needs: it belongs to the second block."""
    first, end = 0, 1024
    while first < end:
        call = (first + end) // 2
        status = command.run(*more, "-o", "probe.npy", "--gpu", "always", EMULATED_FAIL_CALL=str(call))[0]
        assert status in (0, 2)
        first, end = (first, call) if status == 0 else (call + 1, end)
    return first - 1


def check_ended(command):
    """--gpu always, and a GPU that fails in the second block: --resume goes on, on either where nothing can differ."""
    more = ("--states", "states.npy", "--clearance", "0.1")
    cpu = command.finish("cpu", "cpu.npy", *more)
    call = last_call(command, more)
    for late in 0, 1:  # a kernel fails before the call that waits for it
        command.expect(2, "--gpu always: the GPU failed: cuda: ", *more, "-o", "out.npy", "--gpu", "always",
                       EMULATED_FAIL_CALL=str(call - 4 * late), EMULATED_FAIL_LATE=str(late))
        assert command.finish("both", "out.npy", *more, "--resume", "--gpu", "never") == cpu


def end_certified(command, more, call):
    """A run of certified motions whose first block is of a GPU, which then fails."""
    command.expect(2, "the GPU failed", *more, "-o", "out.npy", "--gpu", "always", EMULATED_FAIL_CALL=str(call))
    about = pathlib.Path("out.npy.partial.json")
    assert json.loads(about.read_text(encoding="utf-8"))["backend"] == "gpu"
    return about


def check_bound(command):
    """Certified motions of an interrupted run: what a GPU has begun the CPU does not finish in silence, nor the reverse."""
    more = ("--states", "states.npy", "--to", "ends.npy")
    command.finish("cpu", "cpu.npy", *more, "--gpu", "never")
    gpu = command.finish("gpu", "gpu.npy", *more, "--gpu", "always")
    call = last_call(command, more)
    about = end_certified(command, more, call)
    resume = (*more, "-o", "out.npy", "--resume")
    command.expect(2, "were checked on a GPU, whose results may differ from those of the CPU", *resume, "--gpu", "never")
    command.expect(2, "on a GPU (as the first motions): none can be used: cuda: there is", *resume, EMULATED_DEVICES="0")
    ours = about.read_text(encoding="utf-8")
    for name, words, *options in (("cpu", "were checked on the CPU, whose results may differ", "--gpu", "always"),
                                  ("tpu", 'backend "tpu", expected "cpu", "gpu" or "both"')):
        about.write_text(json.dumps({**json.loads(ours), "backend": name}), encoding="utf-8")
        command.expect(2, words, *resume, *options)
    about.write_text(ours, encoding="utf-8")
    check_second_failure(command, resume, call)
    end_certified(command, more, call)
    assert command.finish("gpu", "out.npy", *more, "--resume") == gpu


def check_second_failure(command, resume, most):
    """The GPU of the second run fails as well: the CPU goes on, and says so."""
    kept = {path: path.read_bytes() for path in pathlib.Path(".").glob("out.npy.partial*")}
    assert len(kept) == 2
    for call in range(most, 0, -4):
        for path, data in kept.items():
            path.write_bytes(data)
        status, said, line = command.run(*resume, EMULATED_FAIL_CALL=str(call))
        assert status == 0, said
        if line["backend"] == "both":
            break
    assert line["backend"] == "both" and f"the CPU goes on after {UNIT} motions" in said, (line, said)
    compare_certified("cpu.npy", "out.npy")


def check_failing(command):
    """auto, with enough motions, and a GPU that fails at any time: all is checked, and the same is written."""
    more = ("--states", "many.npy", "--to", "many_ends.npy", "--step", "0.1", "--threads", "1")
    cpu = command.finish("cpu", "cpu.npy", *more, "--gpu", "never")
    line = command.expect(0, "on the CPU: no GPU can be used: cuda: there is", *more, "-o", "out.npy", EMULATED_DEVICES="0")
    assert line["backend"] == "cpu" and pathlib.Path("out.npy").read_bytes() == cpu
    backends = set()
    for call, late in ((None, 0), (0, 0), (60, 0), (90, 1), (120, 0), (180, 1)):
        failing = {} if call is None else {"EMULATED_FAIL_CALL": str(call), "EMULATED_FAIL_LATE": str(late)}
        status, said, line = command.run(*more, "-o", "out.npy", **failing)
        assert status == 0 and pathlib.Path("out.npy").read_bytes() == cpu, (call, late, said)
        backends.add(line["backend"])
        taken_over = re.search(r"the GPU failed: cuda: .*; the CPU goes on after (\d+) motions", said)
        assert (line["backend"] == "both") == (taken_over is not None and taken_over[1] != "0"), (line, said)
    assert backends == {"cpu", "gpu", "both"}, backends


def check_blocks(command):
    """Blocks of a GPU, which are larger than those of the CPU, and a CPU that resumes behind them."""
    for more in (("--states", "many.npy", "--to", "many_ends.npy"), ("--states", "many.npy", "--motions")):
        more = (*more, "--step", "0.1", "--times", "times.npy")
        cpu = command.finish("cpu", "cpu.npy", *more, "--gpu", "never"), pathlib.Path("times.npy").read_bytes()
        command.expect(2, "the GPU failed", *more, "-o", "out.npy", "--gpu", "always", EMULATED_FAIL_CALL="180")
        done = json.loads(pathlib.Path("out.npy.partial.json").read_text(encoding="utf-8"))["done"]
        assert UNIT <= done < LARGE - 1, done  # blocks grow where the machine is not busy
        found = command.finish("both", "out.npy", *more, "--resume", "--gpu", "never"), pathlib.Path("times.npy").read_bytes()
        assert found == cpu, more


def main():
    whisker, libraries, folder = (os.path.abspath(sys.argv[i]) for i in (1, 2, 4))
    other_layout = os.path.abspath(sys.argv[3]) if sys.argv[3] != "-" else "-"
    linkage = sys.argv[5]
    command = Command(whisker, libraries, folder)
    with tempfile.TemporaryDirectory(prefix="whisker-batch-gpu-") as scratch:
        os.chdir(scratch)
        os.environ["XDG_CACHE_HOME"] = f"{scratch}/cache"
        make_files()
        if linkage == "static":
            command.expect(2, "uses another copy of libwhisker", "--states", "named.csv", "-o", "out.npy", "--gpu", "always")
        else:
            check_choice(command, other_layout)
            check_equal(command)
            check_certified(command)
            check_ended(command)
            check_bound(command)
            check_failing(command)
            check_blocks(command)
        os.chdir("/")
    return 0


if __name__ == "__main__":
    sys.exit(main())
