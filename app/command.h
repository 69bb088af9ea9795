// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What every command of the program shares.

// Exit statuses of all commands.
typedef enum wkExit {
    wk_exitDone = 0,    // everything went well
    wk_exitTrouble = 1, // the work was done in part: some questions refused, a file not written
    wk_exitUsage = 2,   // the command line itself was wrong
} wkExit;

// A command gets its own name as argv[0] and the rest of the command line behind it.
typedef int wkCommandFcn(int argc, char** argv);

// whisker ask [FILE]
int wkRunAsk(int argc, char** argv);

// whisker demo [--picture FILE]
int wkRunDemo(int argc, char** argv);

// whisker info [OPTION...] FILE...
int wkRunInfo(int argc, char** argv);
