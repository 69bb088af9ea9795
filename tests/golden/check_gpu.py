#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""What `whisker gpu` says, on machines with and without a GPU.

usage: check_gpu.py WHISKER
"""

import subprocess
import sys


def ask(*arguments):
    """Runs `whisker gpu`."""
    return subprocess.run([sys.argv[1], "gpu", *arguments], capture_output=True, text=True, timeout=120)


def main():
    troubles = []
    plain = ask()
    if plain.returncode == 0:
        troubles += [] if plain.stdout.startswith("GPU 0: ") else [f"unexpected: {plain.stdout}"]
    elif plain.returncode != 1 or not plain.stderr.startswith("whisker gpu: no GPU can be used: "):
        troubles.append(f"status {plain.returncode}, {plain.stderr}")
    elif plain.stdout or len(plain.stderr.strip().split(": ", 2)[2]) < 10:
        troubles.append(f"no reason: {plain.stdout}{plain.stderr}")
    costs = ask("--costs")
    if costs.returncode != plain.returncode or (costs.returncode == 0) != ("the GPU pays" in costs.stdout):
        troubles.append(f"--costs: status {costs.returncode}, {costs.stdout}{costs.stderr}")
    if costs.returncode == 1 and (costs.stdout or costs.stderr != plain.stderr):
        troubles.append(f"--costs says another reason: {costs.stdout}{costs.stderr}")
    # a GPU that is not there is not replaced by another one
    other = ask("--device", "1000")
    if other.returncode != 1 or other.stdout:
        troubles.append(f"--device 1000: status {other.returncode}, {other.stdout}")
    for wrong in (("--device", "-1"), ("--device", "x"), ("--device", ""), ("--gpu",), ("0",), ("--costs", "1")):
        answer = ask(*wrong)
        if answer.returncode != 2 or not answer.stderr:
            troubles.append(f"{wrong}: status {answer.returncode}")
    print("\n".join(troubles) or f"gpu: {(plain.stdout or plain.stderr).splitlines()[0]}")
    return 1 if troubles else 0


if __name__ == "__main__":
    sys.exit(main())
