// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Suggestions for misspelt names.

#include <stddef.h>

// The known name with the fewest edits from an unknown one. Starts as all zeros.
typedef struct wkSuggestion {
    const char* name; // not terminated; NULL: none is near
    size_t length;
    size_t edits;
} wkSuggestion;

// ': did you mean "margin"?', or nothing.
typedef struct wkHint {
    char text[96];
} wkHint;

// Compares a known name of `length` bytes, and keeps it if it is nearer.
void wkSuggestion_Try(wkSuggestion* nearest, const char* name, const char* known, size_t length);
wkHint wkSuggestion_Hint(const wkSuggestion* nearest);
