// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files that appear under their names whole or not at all. The content goes to a temporary file beside the
// target, which is renamed when all of it is on the disk. Until then, and when anything fails, the previous
// content stays.

#include "whisker/io.h"

#define WK_IO_PATH_CAPACITY 4096

typedef struct wkIoOutput {
    int file;
    bool isPlain;                        // a device or a pipe: written to directly, never renamed
    const char* path;                    // as the caller has passed it, for messages; borrowed
    char target[WK_IO_PATH_CAPACITY];    // the path with symbolic links followed
    char temporary[WK_IO_PATH_CAPACITY]; // receives the bytes until the rename
} wkIoOutput;

// Opens the temporary file. It can be read and written, and belongs to this process alone.
// @param ending suffix of the temporary file, after the name of the target; NULL: a new unique name
// @param isKept continue with an existing temporary file; false: start with an empty one
// @return wk_errorFile with a message: the folder is missing, or target or folder cannot be written to
wkResult wkIoOutput_Open(wkIoOutput* output, const char* path, const char* ending, bool isKept);

// Writes all bytes at a position of the file; to a device or pipe at its end, whatever the position.
bool wkIoOutput_WriteAt(const wkIoOutput* output, const void* bytes, size_t byteCount, int64_t at);

// Flushes everything to the disk, renames the file to its target, and closes it.
// @param isKept the temporary file stays when that fails
wkResult wkIoOutput_Commit(wkIoOutput* output, bool isKept);

// Closes without the rename.
// @param isKept the temporary file stays
void wkIoOutput_Abandon(wkIoOutput* output, bool isKept);
