#!/usr/bin/env python3
# SPDX-FileCopyrightText: The Whisker authors
# SPDX-License-Identifier: BSD-3-Clause
"""Writes the manual page and the bash completion of the command from what its --help says.

usage: make_man.py WHISKER MANUAL_PAGE COMPLETION
"""

import pathlib
import re
import subprocess
import sys

COMMAND = re.compile(r"^  ([a-z]+) +(.*)$")
OPTION = re.compile(r"^  (-[-a-z]+)", re.MULTILINE)


def ask(*words):
    """What the program prints; it must succeed."""
    return subprocess.run([str(word) for word in words], text=True, capture_output=True,
                          check=True).stdout


def commands(whisker):
    """Names of the commands, in the order of the help."""
    rows = (COMMAND.match(line) for line in ask(whisker, "--help").splitlines())
    return [row.group(1) for row in rows if row]


def escape(text):
    """Text as troff reads it: no line is taken for a request, no dash for a hyphen."""
    lines = text.rstrip("\n").replace("\\", "\\e").replace("-", "\\-").splitlines()
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in lines)


def manual(whisker, helps):
    version = ask(whisker, "--version").split()[1]
    parts = [f'.TH WHISKER 1 "" "whisker {version}" "User Commands"',
             ".SH NAME", "whisker \\- collision checking for robots",
             ".SH SYNOPSIS", ".B whisker", ".I COMMAND", "[\\fIARGUMENTS\\fR]",
             ".SH DESCRIPTION", ".nf", escape(ask(whisker, "--help")), ".fi"]
    for name, words in helps.items():
        parts += [f".SH WHISKER {name.upper()}", ".nf", escape(words), ".fi"]
    parts += [".SH SEE ALSO", "The pages in share/doc/whisker; commands.md has examples."]
    return "\n".join(parts) + "\n"


def completion(helps):
    rows = "\n".join(f"        {name}) options='{' '.join(sorted(set(OPTION.findall(words))))}' ;;"
                     for name, words in helps.items())
    return f"""# bash completion of whisker; written by tools/make_man.py
_whisker()
{{
    local word=${{COMP_WORDS[COMP_CWORD]}} options=
    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W '{' '.join(helps)} --help --version' -- "$word")
        return
    fi
    case ${{COMP_WORDS[1]}} in
{rows}
    esac
    if [[ $word == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$options --help" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word")
    fi
}}
complete -o filenames -F _whisker whisker
"""


def main():
    whisker = pathlib.Path(sys.argv[1])
    helps = {name: ask(whisker, name, "--help") for name in commands(whisker)}
    pathlib.Path(sys.argv[2]).write_text(manual(whisker, helps), encoding="utf-8")
    pathlib.Path(sys.argv[3]).write_text(completion(helps), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
