// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Writes a JSON file for people and programs: one member per line, indented.

#include "text_buffer.h"

#include <stdint.h>

typedef struct wkJsonWriter {
    wkText text;    // errors are remembered here
    int depth;      // number of open objects and arrays
    bool hasMember; // of the innermost
} wkJsonWriter;

// Open an object '{' or an array '['. `name` is that of the member; NULL in an array and for the root.
void wkJsonWriter_Open(wkJsonWriter* writer, const char* name, char bracket);
void wkJsonWriter_Close(wkJsonWriter* writer, char bracket);

// Append a value. A string that is NULL becomes null.
void wkJsonWriter_String(wkJsonWriter* writer, const char* name, const char* value);
void wkJsonWriter_Number(wkJsonWriter* writer, const char* name, double value);
void wkJsonWriter_Integer(wkJsonWriter* writer, const char* name, int64_t value);
void wkJsonWriter_Bool(wkJsonWriter* writer, const char* name, bool value);

// Writes the file, and frees the text.
wkResult wkJsonWriter_Save(wkJsonWriter* writer, const char* path);
