// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by commands about robots: a robot with its obstacles from the command line, and configurations from
// numbers, names or files.

#include "robot_options.h"
#include "text_buffer.h"
#include "world_file.h"

// Options of commands that check against obstacles.
typedef struct wkJobOptions {
    wkRobotOptions robot;
    wkOptionList maps;
    wkOptionList mapPoses; // none, one for all maps, or one for each
    wkOptionList clouds;
    wkOptionList cloudPoses; // as those of maps
    wkOptionList cloudRadii;
    double cloudSpacing; // 0: not given
    const char* unknown; // rule for unknown cells of maps
    const char* world;
    const char* group;
    bool skipsSelf; // --no-self, and so on
    bool skipsWorld;
    bool skipsLimits;
    bool isJson;
} wkJobOptions;

#define WK_JOB_OPTION_COUNT (WK_ROBOT_OPTION_COUNT + 13)

// Fills in the rows of the options.
void wkJobOptions_Rows(wkJobOptions* options, wkOption rows[WK_JOB_OPTION_COUNT]);

// Text about the options for the help of a command.
extern const char wkJobOptionsHelp[];

// Returns the request that the options select.
wkRobotRequest wkJobOptions_Request(const wkJobOptions* options);

typedef struct wkRobotJob {
    const char* command; // for messages
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkOctree* maps[WK_OPTION_LIST];
    wkCloud* clouds[WK_OPTION_LIST];
    wkWorld world;
    int32_t group; // -1: the whole robot
    int32_t variableCount;
} wkRobotJob;

// Prints an error to stderr and returns false.
bool wkRobotJob_Complain(const wkRobotJob* job, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Returns whether the library has done it, after its message on stderr if it has not.
bool wkRobotJob_HasDone(const wkRobotJob* job, wkResult result);

// Prints a warning to stderr.
void wkRobotJob_Warn(const wkRobotJob* job, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Loads the robot alone: a URDF file, or "builtin". Returns false after a message on stderr.
bool wkRobotJob_LoadRobot(wkRobotJob* job, const char* command, const char* path,
                          const wkRobotOptions* options);

// Selects the group whose variables numbers without names set; NULL: the whole robot.
bool wkRobotJob_ChooseGroup(wkRobotJob* job, const char* name);

// Makes a state of the robot, for commands without a scene.
bool wkRobotJob_MakeState(wkRobotJob* job);

// Loads the robot and its obstacles.
bool wkRobotJob_Open(wkRobotJob* job, const char* command, const char* path,
                     const wkJobOptions* options);
void wkRobotJob_Close(wkRobotJob* job);

// Writes a text to standard output and empties it. Returns false, after a message, on a write error.
bool wkRobotJob_Print(const wkRobotJob* job, wkText* text);

// Whole configurations, one after the other.
typedef struct wkConfigurations {
    double* values; // freed with free()
    int count;
} wkConfigurations;

// Returns a hint with the variable name nearest to an unknown name.
wkHint wkRobotJob_NearestVariable(const wkRobotJob* job, const char* name);

// Finds the index of a link named by an option. Returns false, after a message, for an unknown name.
bool wkRobotJob_FindLink(const wkRobotJob* job, const char* option, const char* name,
                         int32_t* link);

// Return how many variables numbers without names set, and which.
int wkRobotJob_PlainCount(const wkRobotJob* job);
int32_t wkRobotJob_PlainVariable(const wkRobotJob* job, int index);

// The columns of a file of configurations.
typedef struct wkColumns {
    int32_t count;
    const char* const* names;        // NULL: none
    const char* const* commentNames; // of wkTableData; NULL: none
} wkColumns;

// Finds the variable of each column of a file: by the names, or if these are NULL in the order of
// PlainVariable. A comment that contains names of variables counts as names. Returns false, after a message,
// when a column is unknown or duplicate.
bool wkRobotJob_MatchColumns(const wkRobotJob* job, const char* path, wkColumns columns,
                             int32_t* variables);

// Reads a named state, numbers "0.1,0.2,...", or pairs "elbow=0.3,wrist=1". Numbers set the variables of the
// group, or of the whole robot; other variables keep their defaults.
bool wkRobotJob_ReadText(const wkRobotJob* job, const char* text, wkConfigurations* list);

// Reads the rows of a file, whose columns are named as variables, or are in the order of numbers above.
bool wkRobotJob_ReadFile(const wkRobotJob* job, const char* path, wkConfigurations* list);

// Reads from a text, or if that is NULL from a file, which must have a row.
bool wkRobotJob_ReadConfigurations(const wkRobotJob* job, const char* text, const char* path,
                                   wkConfigurations* list);

// Number of slices checked in parallel, each with its own state.
#define WK_JOB_SLICES 16
bool wkRobotJob_MakeStates(const wkRobotJob* job, wkRobotState* states[WK_JOB_SLICES]);
void wkRobotJob_FreeStates(wkRobotState* states[WK_JOB_SLICES]);
