# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause

"""check_locale.py WHISKER FOLDER: the command prints and writes the same bytes where the locale has a
decimal comma. Makes the locale de_DE.UTF-8 with localedef, and exits with 77 where that is not there.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

LOCALE = "de_DE.UTF-8"

# Words of a command, and the files that it writes.
COMMANDS = [
    (("check", "builtin", "--q", "ready", "--padding", "0.01", "--json"), ()),
    (("check", "builtin", "--states", "{golden}/states.csv", "--world", "{golden}/world.json"), ()),
    (("motion", "builtin", "--from", "home", "--to", "ready", "--json"), ()),
    (("info", "{golden}/cube.obj", "{golden}/corner.bt", "{golden}/arm.urdf"), ()),
    (("spheres", "builtin", "--from", "{golden}/spheres.json", "--tolerance", "0.02", "-o",
      "spheres.yml"), ("spheres.yml",)),
    (("ask", "{golden}/ask_queries.jsonl"), ()),
]

# Times differ from run to run.
TIMES = re.compile(rb"\d+(\.\d+)? ?(ns|us|\xc2\xb5s|ms|s)\b|[\d.e+]+ a second")


def run(whisker, words, files, golden, folder, environment):
    """Everything that a command has printed and written."""
    words = [word.format(golden=golden) for word in words]
    result = subprocess.run([whisker, *words], cwd=folder, env=environment, timeout=120,
                            capture_output=True, check=False)
    parts = [str(result.returncode).encode(), result.stdout, result.stderr]
    for name in files:
        with open(os.path.join(folder, name), "rb") as file:
            parts.append(file.read())
    return [TIMES.sub(b"#", part) for part in parts]


def main():
    whisker, golden = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, LOCALE)
        make = ["localedef", "-i", "de_DE", "-f", "UTF-8", path]
        if shutil.which("localedef") is None or subprocess.run(make, capture_output=True,
                                                               check=False).returncode != 0:
            print("skipped: no localedef that makes a locale with a decimal comma")
            sys.exit(77)
        plain = {**os.environ, "LC_ALL": "C"}
        comma = {**os.environ, "LC_ALL": LOCALE, "LOCPATH": folder}
        trouble = 0
        for words, files in COMMANDS:
            expected = run(whisker, words, files, golden, folder, plain)
            printed = run(whisker, words, files, golden, folder, comma)
            if expected != printed:
                trouble = 1
                print(" ".join(words), expected, printed, sep="\n  ")
    sys.exit(trouble)


if __name__ == "__main__":
    main()
