// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Finds files that robots and worlds refer to: meshes, and other descriptions.

#include "io/file/arena.h"
#include "whisker/io.h"

#define WK_IO_PATH_CAPACITY 4096
#define WK_IO_FINDER_WORDS 480

// Where to search.
typedef struct wkIoFinder {
    const char* folder; // of the description that refers to the files; "." when it has none
    const wkRobotPackage* packages;
    int32_t packageCount;
} wkIoFinder;

// Checks the packages of load options.
// @param caller what is loaded, for the message
wkResult wkIoCheckPackages(const char* caller, const wkRobotPackage* packages,
                           int32_t packageCount);

// Finds the regular file that a URI stands for.
// @param words error message with the folders searched; unchanged on success
// @return wk_errorFile, wk_errorUnsupported
wkResult wkIoFinder_Find(const wkIoFinder* finder, const char* uri, char path[WK_IO_PATH_CAPACITY],
                         char words[WK_IO_FINDER_WORDS]);

// Returns the folder of a file, "." for a path of NULL; NULL: out of memory. Lives in the arena.
const char* wkIoFolderOf(const char* path, wkIoArena* arena);
