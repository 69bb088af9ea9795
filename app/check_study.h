// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A configuration of a robot among its obstacles as pictures and a report: what is nearest to what, and the
// points of clouds coloured by their distance from the robot.

#include "picture.h"
#include "robot_job.h"

// Options of commands that draw a configuration.
typedef struct wkStudyOptions {
    const char* report;
    const char* picture;
    int size; // width of pictures in pixels
} wkStudyOptions;

#define WK_STUDY_OPTION_COUNT 3
#define WK_STUDY_SIZE 960

// For the help of a command.
#define WK_STUDY_OPTIONS_HELP                                                                      \
    "  --report FILE        pictures and figures of one configuration as a page of HTML: the "     \
    "first\n"                                                                                      \
    "                       that is not free, or the first; clouds are coloured by distance\n"     \
    "  --picture FILE       the first of the pictures as a PNG file\n"                             \
    "  --size COUNT         pixels of the width of the pictures (default 960)\n"

// Fills in the rows of the options.
void wkStudyOptions_Rows(wkStudyOptions* options, wkOption rows[WK_STUDY_OPTION_COUNT]);

#define WK_CHECK_PICTURES 2

// A picture with its caption.
typedef struct wkCheckPicture {
    const char* title;
    char words[400];
    wkPicture picture;
} wkCheckPicture;

typedef struct wkCheckStudy {
    const wkRobotJob* job; // its state is that of the configuration
    int64_t index;         // of the configuration, or of the motion that starts there
    const char* what;      // noun for all that were checked: "configurations"
    wkRobotRequest request;
    wkRobotCheckResult check;
    wkRobotClearanceResult nearest; // to the world; of kind none: there is nothing
    wkVec3d onRobot;                // the closest points
    wkVec3d onObject;               // of a cloud: the point itself
    const int64_t* counts;          // of all verdicts
} wkCheckStudy;

// Examines a configuration: checks it again, and finds the nearest pair.
void wkCheckStudy_Examine(wkCheckStudy* study, const wkRobotJob* job, const double* q);

// Draws the robot among its obstacles, and the nearest pair from near by. Returns false when out of memory.
bool wkCheckStudy_Draw(const wkCheckStudy* study, int width,
                       wkCheckPicture pictures[WK_CHECK_PICTURES]);

// Draws and writes the files that are asked for. Returns false after a message on stderr.
bool wkCheckStudy_Write(const wkCheckStudy* study, const wkStudyOptions* options);

// Writes a self-contained HTML page.
bool wkCheckStudy_WriteReport(const wkCheckStudy* study, wkCheckPicture pictures[WK_CHECK_PICTURES],
                              const char* path);
