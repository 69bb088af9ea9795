#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""What commands make of inputs that are misspelt, in another order, or not what they seem.

usage: check_inputs.py WHISKER FOLDER

Each row is a command line with what must be in its output, standard error included, and its status.
"""

import os
import pathlib
import subprocess
import sys
import tempfile

URDF = """<robot name="two"><link name="base"/>
<link name="upper"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<link name="lower"><collision><geometry><box size="0.1 0.1 0.1"/></geometry></collision></link>
<joint name="shoulder" type="revolute"><parent link="base"/><child link="upper"/><origin xyz="0 0 1"/>
<axis xyz="0 0 1"/><limit lower="-3" upper="3" effort="1" velocity="1"/></joint>
<joint name="elbow" type="revolute"><parent link="upper"/><child link="lower"/><origin xyz="1 0 0"/>
<axis xyz="0 0 1"/><limit lower="-0.5" upper="0.5" effort="1" velocity="1"/></joint></robot>
"""

# Configurations as text. The elbow goes to 0.5 only: columns in the wrong order are beyond its limits.
TABLES = {
    "plain.csv": "2,0\n",
    "savetxt.txt": "# elbow shoulder\n0.000e+00 2.000e+00\n",
    "commas.csv": "# made by hand\n#elbow,shoulder\n0,2\n",
    "comment.csv": "# two numbers\n2,0\n",
    "later.csv": "2,0\n# elbow shoulder\n2,0\n",
    "named.csv": "# shoulder elbow\nelbow,shoulder\n0,2\n",
    "mixed.csv": "# elbow sholder\n0,2\n",
    "twice.csv": "# elbow elbow\n0,2\n",
    "misspelt.csv": "elbow,sholder\n0,2\n",
}

FREE, REFUSED = 0, 2

# Words of the command line, status, what is said.
ROWS = [
    ("check two.urdf --states plain.csv", FREE, "0 free"),
    # headers of numpy.savetxt
    ("check two.urdf --states savetxt.txt", FREE, "0 free"),
    ("check two.urdf --states commas.csv", FREE, "0 free"),
    ("check two.urdf --states comment.csv", FREE, "0 free"),
    ("check two.urdf --states later.csv", FREE, "1 free"),
    ("check two.urdf --states named.csv", FREE, "0 free"),
    ("check two.urdf --states mixed.csv", REFUSED,
     "mixed.csv: column 'sholder' is no variable of the robot: did you mean \"shoulder\"?"),
    ("check two.urdf --states twice.csv", REFUSED, "twice.csv: column 'elbow' is there twice"),
    ("check two.urdf --states misspelt.csv", REFUSED, 'did you mean "shoulder"?'),
    ("batch two.urdf --states savetxt.txt -o out.npy", FREE, "free 1"),
    ("batch two.urdf --states mixed.csv -o out.npy", REFUSED, 'did you mean "shoulder"?'),
    ("fk two.urdf --states savetxt.txt --link lower", FREE, "lower -0.41614683654714"),
    # misspelt words of the command line
    ("chek two.urdf --q 0,0", REFUSED, "unknown command 'chek': did you mean \"check\"?; try: whisker --help"),
    ("check two.urdf --worlds w.json --q 0,0", REFUSED,
     'unknown option --worlds: did you mean "--world"?; try: whisker check --help'),
    ("check two.urdf --clearnce=1 --q 0,0", REFUSED, 'unknown option --clearnce: did you mean "--clearance"?'),
    ("check two.urdf --q elbw=0.1", REFUSED, "the robot has no variable 'elbw': did you mean \"elbow\"?"),
    ("fk two.urdf --q 0,0 --link uper", REFUSED, "--link: the robot has no link 'uper': did you mean \"upper\"?"),
    ("spheres two.urdf --link-count uper=4 -o out.json", REFUSED, 'did you mean "upper"?'),
    ("check builtin --q ready --group arn", REFUSED, "the robot has no group 'arn': did you mean \"arm\"?"),
]


def main():
    whisker = os.path.abspath(sys.argv[1])
    failures = 0
    with tempfile.TemporaryDirectory(prefix="whisker-inputs-") as scratch:
        os.chdir(scratch)
        pathlib.Path("two.urdf").write_text(URDF, encoding="utf-8")
        for name, text in TABLES.items():
            pathlib.Path(name).write_text(text, encoding="utf-8")
        for words, status, expected in ROWS:
            run = subprocess.run([whisker, *words.split()], text=True, capture_output=True, check=False, timeout=60)
            if run.returncode != status or expected not in run.stdout + run.stderr:
                failures += 1
                print(f"whisker {words}: status {run.returncode}, expected {status} and: {expected}\n"
                      f"{run.stdout}{run.stderr}")
        os.chdir("/")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
