// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that a command writes must not be among those that it reads, nor be one and the same, and are to be
// writable before any work begins. Files are the same when device and inode are, whatever their paths:
// symbolic and hard links count. All commands declare their outputs and note what they read here; options
// do it by themselves (options.h).

#include <stdbool.h>

// Declares a file to be written; NULL is fine. False, with a message on standard error, when that cannot
// work: its folder is missing, it is a folder itself, or it may not be written to.
bool wkOutputs_Add(const char* command, const char* path);

// The path that a chain of symbolic links leads to, whether there is a file or not: files beside an output
// belong beside that one. False, with a message, when the chain does not end or the path is too long.
#define WK_PATH_CAPACITY 4096
bool wkOutputs_FollowLinks(const char* command, const char* path, char target[WK_PATH_CAPACITY]);

// Notes a file that is read, when there are outputs; NULL and what is no ordinary file are fine.
void wkOutputs_NoteRead(const char* path);

// False, with a message on standard error, when an output is a file that was read so far, or another output.
bool wkOutputs_AreApart(const char* command);
