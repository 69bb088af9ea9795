// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that robots and worlds name: meshes, and other descriptions.

#include "io/file/arena.h"
#include "whisker/io.h"

#define WK_IO_PATH_CAPACITY 4096
#define WK_IO_FINDER_WORDS 480

// Where to look.
typedef struct wkIoFinder {
    const char* folder; // of the description that names the files; "." when it has none
    const wkRobotPackage* packages;
    int32_t packageCount;
} wkIoFinder;

// Finds the ordinary file that a name stands for.
// @param words what went wrong, and where it was looked for; unchanged on success
// @return wk_errorFile, wk_errorUnsupported
wkResult wkIoFinder_Find(const wkIoFinder* finder, const char* uri, char path[WK_IO_PATH_CAPACITY],
                         char words[WK_IO_FINDER_WORDS]);

// Folder of a file, "." for a path of NULL; NULL: no memory. Lives in the arena.
const char* wkIoFolderOf(const char* path, wkIoArena* arena);
