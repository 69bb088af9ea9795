// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the commands about robots share: a robot with its surroundings from the command line, and
// configurations from numbers, names or files.

#include "robot_options.h"
#include "text_buffer.h"
#include "world_file.h"

// Options of those that ask about surroundings.
typedef struct wkJobOptions {
    wkRobotOptions robot;
    wkOptionList maps;
    wkOptionList mapPoses; // none, one for all maps, or one for each
    const char* unknown;   // rule for unknown cells of maps
    const char* world;
    const char* group;
    bool skipsSelf; // --no-self, and likewise the others
    bool skipsWorld;
    bool skipsLimits;
    bool isJson;
} wkJobOptions;

#define WK_JOB_OPTION_COUNT (WK_ROBOT_OPTION_COUNT + 9)

// The rows of their table.
void wkJobOptions_Rows(wkJobOptions* options, wkOption rows[WK_JOB_OPTION_COUNT]);

// Words about them for the help of a command.
extern const char wkJobOptionsHelp[];

// What is checked, as the options say.
wkRobotRequest wkJobOptions_Request(const wkJobOptions* options);

typedef struct wkRobotJob {
    const char* command; // for messages
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
    wkOctree* maps[WK_OPTION_LIST];
    wkWorld world;
    int32_t group; // -1: all of the robot
    int32_t variableCount;
} wkRobotJob;

// Says on stderr what is wrong, and gives back false.
bool wkRobotJob_Complain(const wkRobotJob* job, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Says on stderr what is doubtful though the work goes on.
void wkRobotJob_Warn(const wkRobotJob* job, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The robot alone: a URDF file, or "builtin". False with words on stderr.
bool wkRobotJob_LoadRobot(wkRobotJob* job, const char* command, const char* path,
                          const wkRobotOptions* options);

// Numbers without names stand for the variables of this group; NULL: all of the robot.
bool wkRobotJob_ChooseGroup(wkRobotJob* job, const char* name);

// A state of the robot, for commands without a scene.
bool wkRobotJob_MakeState(wkRobotJob* job);

// The robot and everything around it.
bool wkRobotJob_Open(wkRobotJob* job, const char* command, const char* path,
                     const wkJobOptions* options);
void wkRobotJob_Close(wkRobotJob* job);

// Writes a text to standard output and empties it. False, with a message, when some of it is lost.
bool wkRobotJob_Print(const wkRobotJob* job, wkText* text);

// Configurations, whole ones, one after the other.
typedef struct wkConfigurations {
    double* values; // given back with free()
    int count;
} wkConfigurations;

// The variable that was probably meant by a name.
wkHint wkRobotJob_NearestVariable(const wkRobotJob* job, const char* name);

// The number of a link of an option. False, with a message, when the robot has none of that name.
bool wkRobotJob_FindLink(const wkRobotJob* job, const char* option, const char* name,
                         int32_t* link);

// How many variables numbers without names stand for, and which.
int wkRobotJob_PlainCount(const wkRobotJob* job);
int32_t wkRobotJob_PlainVariable(const wkRobotJob* job, int index);

// The columns of a file of configurations.
typedef struct wkColumns {
    int32_t count;
    const char* const* names;        // NULL: none
    const char* const* commentNames; // of wkTableData; NULL: none
} wkColumns;

// Finds which variable each column of a file stands for: by the names, or where these are NULL in the
// order of PlainVariable. A comment that has names of variables counts as names. False, with a message, when a
// column is unknown or there twice.
bool wkRobotJob_MatchColumns(const wkRobotJob* job, const char* path, wkColumns columns,
                             int32_t* variables);

// From a named state, numbers "0.1,0.2,...", or pairs "elbow=0.3,wrist=1": numbers stand for the
// variables of the group, or of the whole robot; the others are as by default.
bool wkRobotJob_ReadText(const wkRobotJob* job, const char* text, wkConfigurations* list);

// The rows of a file, whose columns are named as variables, or stand for them as numbers do above.
bool wkRobotJob_ReadFile(const wkRobotJob* job, const char* path, wkConfigurations* list);

// One of the two: from a text, or where that is NULL from a file, which must have a row.
bool wkRobotJob_ReadConfigurations(const wkRobotJob* job, const char* text, const char* path,
                                   wkConfigurations* list);

// Number of places that are checked at the same time, each with a state of its own.
#define WK_JOB_SLICES 16
bool wkRobotJob_MakeStates(const wkRobotJob* job, wkRobotState* states[WK_JOB_SLICES]);
void wkRobotJob_FreeStates(wkRobotState* states[WK_JOB_SLICES]);
