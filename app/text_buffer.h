// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A growing text for JSON. Errors are remembered instead of returned, so that a writer is a list of calls
// with one check at the end.

#include "whisker/math.h"

typedef struct wkText {
    char* data;         // not terminated; NULL while empty
    size_t length;      // bytes in use
    size_t capacity;    // bytes allocated
    bool isOutOfMemory; // an append has failed
    bool isNotFinite;   // a number was NaN or infinite, which JSON does not support
} wkText;

// Removes all after the first `length` bytes, and clears errors.
void wkText_Truncate(wkText* text, size_t length);

// Frees the memory; the text is empty and usable afterwards.
void wkText_Free(wkText* text);

void wkText_Append(wkText* text, const char* bytes, size_t count);
void wkText_AppendString(wkText* text, const char* string);

// Appends the shortest decimal form that reads back as the same double; integers without a point.
void wkText_AppendNumber(wkText* text, double number);

// Appends [x,y,z]
void wkText_AppendVec3(wkText* text, wkVec3d vector);

// Appends a JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void wkText_AppendQuoted(wkText* text, const char* bytes, size_t count);
