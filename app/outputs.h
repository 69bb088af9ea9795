// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Output files of a command must differ from its inputs and from each other, and must be writable before any
// work begins. Files are the same when device and inode are, whatever their paths: symbolic and hard links
// count. All commands declare their outputs and the files they read here; options do so by themselves
// (options.h).

#include <stdbool.h>

// Declares an output file; NULL is ignored. Returns false, after a message on stderr, if it cannot be
// written: its folder is missing, it is a folder itself, or permission is denied.
bool wkOutputs_Add(const char* command, const char* path);

// Resolves a chain of symbolic links, whether or not the file exists: files beside an output are placed
// beside the result. Returns false, after a message, when the chain does not end or the path is too long.
#define WK_PATH_CAPACITY 4096
bool wkOutputs_FollowLinks(const char* command, const char* path, char target[WK_PATH_CAPACITY]);

// Notes a file that is read, if there are outputs; ignores NULL and files that are not regular.
void wkOutputs_NoteRead(const char* path);

// Returns false, after a message on stderr, when an output is a file read so far, or another output.
bool wkOutputs_AreApart(const char* command);
