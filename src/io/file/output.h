// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Files to be written: they appear under their names whole or not at all. What is written goes to a
// temporary file beside the target, which is renamed when all of it is on the disk. Until then, and when
// anything fails, what was there before stays.

#include "whisker/io.h"

#define WK_IO_PATH_CAPACITY 4096

typedef struct wkIoOutput {
    int file;
    bool isPlain;                        // a device or a pipe: written to directly, never renamed
    const char* path;                    // as the caller has it, for messages; borrowed
    char target[WK_IO_PATH_CAPACITY];    // the path with symbolic links followed
    char temporary[WK_IO_PATH_CAPACITY]; // where the bytes go until the end
} wkIoOutput;

// Opens the temporary file. It can be read and written, and belongs to this process alone.
// @param ending of the temporary file, behind the name of the target; NULL: a name that is not taken
// @param isKept go on with the temporary file that is there; false: an empty one
// @return wk_errorFile in words: the folder is missing, or target or folder cannot be written to
wkResult wkIoOutput_Open(wkIoOutput* output, const char* path, const char* ending, bool isKept);

// All bytes at a position of the file; of a device or pipe at its end, whatever the position.
bool wkIoOutput_WriteAt(const wkIoOutput* output, const void* bytes, size_t byteCount, int64_t at);

// Brings everything to the disk, and the file to its name; closes it.
// @param isKept the temporary file stays when that fails
wkResult wkIoOutput_Commit(wkIoOutput* output, bool isKept);

// Closes without giving the file its name.
// @param isKept the temporary file stays
void wkIoOutput_Abandon(wkIoOutput* output, bool isKept);
