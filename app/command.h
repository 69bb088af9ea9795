// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by all commands of the program.

// Exit statuses of all commands.
typedef enum wkExit {
    wk_exitDone = 0,    // success; check and motion: everything is free;
                        // spheres: the spheres cover the robot
    wk_exitTrouble = 1, // incomplete: some questions refused, a file not written;
        // check and motion: a collision; spheres: parts of the robot are not covered
    wk_exitUsage = 2,       // wrong command line; check, motion, acm and spheres: or a wrong file
    wk_exitInterrupted = 3, // ended by a signal; results so far are kept
} wkExit;

// Runs a command; argv[0] is its own name, followed by its arguments.
typedef int wkCommandFcn(int argc, char** argv);

// whisker acm ROBOT -o FILE
int wkRunAcm(int argc, char** argv);

// whisker ask [FILE]
int wkRunAsk(int argc, char** argv);

// whisker batch ROBOT --states FILE -o FILE
int wkRunBatch(int argc, char** argv);

// whisker check ROBOT (--q NUMBERS | --states FILE)
int wkRunCheck(int argc, char** argv);

// whisker cloud FILE... -o FILE
int wkRunCloud(int argc, char** argv);

// whisker demo [ROBOT]
int wkRunDemo(int argc, char** argv);

// whisker fk ROBOT (--q NUMBERS | --states FILE)
int wkRunFk(int argc, char** argv);

// whisker gpu [--device NUMBER] [--costs]
int wkRunGpu(int argc, char** argv);

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
