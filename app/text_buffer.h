// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A growing piece of text that JSON is written into. Trouble is remembered instead of returned, so
// that a writer reads as a list of lines and asks once, at the end.

#include "whisker/math.h"

typedef struct wkText {
    char* data;         // not terminated; NULL while empty
    size_t length;      // bytes in use
    size_t capacity;    // bytes allocated
    bool isOutOfMemory; // something could not be appended
    bool isNotFinite;   // a number was NaN or infinite, which JSON cannot say
} wkText;

// Forgets what comes after the first `length` bytes, and the trouble with it.
void wkText_Truncate(wkText* text, size_t length);

// Gives the memory back; the text is empty and usable afterwards.
void wkText_Free(wkText* text);

void wkText_Append(wkText* text, const char* bytes, size_t count);
void wkText_AppendString(wkText* text, const char* string);

// Shortest decimal form that reads back as the same double; whole numbers without a point.
void wkText_AppendNumber(wkText* text, double number);

// [x,y,z]
void wkText_AppendVec3(wkText* text, wkVec3d vector);

// A JSON string with its quotes. Bytes that are not UTF-8 become U+FFFD.
void wkText_AppendQuoted(wkText* text, const char* bytes, size_t count);
