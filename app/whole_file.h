// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads an input as a whole.

#include "ask.h"

typedef struct wkWholeFile {
    const char* name; // for messages: the path, or "standard input"
    char* bytes;
    size_t count;
} wkWholeFile;

// Reads a file or pipe, or the standard input for "-". Free the file also when this fails.
bool wkWholeFile_Read(wkWholeFile* file, const char* path, wkAskError* error);
void wkWholeFile_Free(wkWholeFile* file);
