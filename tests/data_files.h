// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Robots, meshes and maps of others, which are not part of the project. Tests that need them are skipped
// where they are absent, with a message. Where WHISKER_DATA names their folder, whatever is missing is a
// failure, and a file that is there and does not load is one everywhere.

#include "whisker/io.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>

#define WK_DATA_PATH_CAPACITY 1024

// The folder of the data: WHISKER_DATA, else beside the project.
static inline const char* wkDataFolder(void)
{
    const char* folder = getenv("WHISKER_DATA");
    return folder != NULL ? folder : WHISKER_DATA_DEFAULT;
}

// Writes the path of a file or folder of the data.
// @return false where it is absent
static inline bool wkFindData(const char* name, char path[WK_DATA_PATH_CAPACITY])
{
    struct stat about;
    int length = snprintf(path, WK_DATA_PATH_CAPACITY, "%s/%s", wkDataFolder(), name);
    assert_true(length < WK_DATA_PATH_CAPACITY);
    if (stat(path, &about) == 0) {
        return true;
    }
    if (getenv("WHISKER_DATA") != NULL) {
        fail_msg("WHISKER_DATA is set, but %s is absent", path);
    }
    print_message("skipped: no %s; WHISKER_DATA names another folder\n", path);
    return false;
}

// Skips the test where a file or folder of the data is absent.
static inline void wkSkipWithoutData(const char* name)
{
    char path[WK_DATA_PATH_CAPACITY];
    if (!wkFindData(name, path)) {
        skip();
    }
}

// Loads a robot of the data.
// @param srdf another file of the data, or NULL
// @return NULL where it is absent
static inline wkRobot* wkLoadDataRobot(const char* urdf, const char* srdf)
{
    char path[WK_DATA_PATH_CAPACITY], rules[WK_DATA_PATH_CAPACITY];
    if (!wkFindData(urdf, path) || (srdf != NULL && !wkFindData(srdf, rules))) {
        return NULL;
    }
    wkRobotLoadDef options = wkDefaultRobotLoadDef();
    options.srdf = srdf != NULL ? rules : NULL;
    wkRobot* robot = NULL;
    if (wkRobot_Load(path, &options, NULL, &robot) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return robot;
}
