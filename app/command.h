// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What every command of the program shares.

// Exit statuses of all commands.
typedef enum wkExit {
    wk_exitDone = 0,    // everything went well; check and motion: everything is free;
                        // spheres: the spheres cover the robot
    wk_exitTrouble = 1, // the work was done in part: some questions refused, a file not written;
                        // check and motion: something touches; spheres: parts of the robot are bare
    wk_exitUsage =
        2, // the command line itself was wrong; check, motion, acm and spheres: or a file
    wk_exitInterrupted = 3, // a signal ended the work; what was done so far is kept
} wkExit;

// A command gets its own name as argv[0] and the rest of the command line behind it.
typedef int wkCommandFcn(int argc, char** argv);

// whisker acm ROBOT -o FILE
int wkRunAcm(int argc, char** argv);

// whisker ask [FILE]
int wkRunAsk(int argc, char** argv);

// whisker batch ROBOT --states FILE -o FILE
int wkRunBatch(int argc, char** argv);

// whisker check ROBOT (--q NUMBERS | --states FILE)
int wkRunCheck(int argc, char** argv);

// whisker demo [ROBOT]
int wkRunDemo(int argc, char** argv);

// whisker fk ROBOT (--q NUMBERS | --states FILE)
int wkRunFk(int argc, char** argv);

// whisker info [OPTION...] FILE...
int wkRunInfo(int argc, char** argv);

// whisker map -o FILE [CLOUD...]
int wkRunMap(int argc, char** argv);

// whisker motion ROBOT (--from NUMBERS --to NUMBERS | --path FILE)
int wkRunMotion(int argc, char** argv);

// whisker shapes [--picture FILE]
int wkRunShapes(int argc, char** argv);

// whisker spheres ROBOT [-o FILE]
int wkRunSpheres(int argc, char** argv);
