// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Options of commands, as rows of a table.

#include "plain_number.h"
#include "whisker/math.h"

#include "whisker/digest.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum wkOptionKind {
    wk_optionFlag,   // bool: present or not
    wk_optionText,   // const char*
    wk_optionOutput, // const char*: a file to be written
    wk_optionOffset, // double: a length of any sign
    wk_optionSize,   // double: a length or angle above 0
    wk_optionBound,  // double: a length or angle, 0 or more
    wk_optionShare,  // double: from 0 to 1
    wk_optionCount,  // int, >= 1
    wk_optionList,   // wkOptionList: may be given several times
} wkOptionKind;

#define WK_OPTION_LIST 64

typedef struct wkOptionList {
    const char* items[WK_OPTION_LIST];
    int count;
} wkOptionList;

typedef struct wkOption {
    const char* name; // with its dashes
    wkOptionKind kind;
    void* value;
} wkOption;

// More than any command has.
#define WK_MAX_OPTIONS 64

// Removes the options from a command line, written `--name value` or `--name=value`. The name of the command
// and its operands remain, in their order. Refuses, with a message on stderr, unknown options, values of the
// wrong kind, options given twice that are not lists, and output files that cannot be written or that the
// command line also names elsewhere (outputs.h).
// @param optionCount at most WK_MAX_OPTIONS
// @return false when something was refused
bool wkTakeOptions(int* argc, char** argv, const wkOption* options, size_t optionCount);

// Adds the name and value of an option to a digest.
void wkOption_AddTo(const wkOption* option, wkDigestBuilder* builder);

// Returns true when the only argument asks for help.
bool wkWantsHelp(int argc, char** argv);

// Returns false, after a message, unless the command line has exactly one operand, which `what` describes.
bool wkTakesOne(int argc, char** argv, const char* what);

// Reads a length or angle of 0 or more, as wk_optionBound does, whose words for it these are.
#define WK_LENGTH_WORDS "a number from 0 to 100000"
bool wkReadLength(const char* text, double* length);

// Reads numbers separated by commas.
// @return their count; -1: an invalid number, or more than `capacity`
int wkReadNumbers(const char* text, double* numbers, int capacity);

// Reads a pose: "x,y,z", "x,y,z,roll,pitch,yaw" in radians, or "x,y,z,qx,qy,qz,qw".
// @return false for any other form, and for a quaternion not of length 1
bool wkReadPose(const char* text, wkPose* pose);
