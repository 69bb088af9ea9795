// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds the known name nearest to an unknown one, by edit distance.

#include "suggestion.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

// Longer names are neither known nor near to a known one.
#define MAX_NAME 64

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Returns the edit distance (Levenshtein, with swapped neighbours as one edit): the number of letters
// missing, surplus, wrong or swapped.
static size_t countEdits(const char* a, size_t lengthA, const char* b, size_t lengthB)
{
    size_t rows[3][MAX_NAME + 1];
    size_t *before = rows[0], *above = rows[1], *row = rows[2];
    for (size_t j = 0; j <= lengthB; j++) {
        above[j] = j;
    }
    for (size_t i = 1; i <= lengthA; i++) {
        row[0] = i;
        for (size_t j = 1; j <= lengthB; j++) {
            size_t wrong = above[j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0);
            row[j] = least(wrong, least(above[j], row[j - 1]) + 1);
            bool isSwap = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            row[j] = isSwap ? least(row[j], before[j - 2] + 1) : row[j];
        }
        size_t* spare = before;
        before = above;
        above = row;
        row = spare;
    }
    return above[lengthB];
}

// Returns the edits accepted as a typing error in a name of that length.
static size_t allowedEdits(size_t length)
{
    return length <= 4 ? 1 : length <= 7 ? 2 : 3;
}

void wkSuggestion_Try(wkSuggestion* nearest, const char* name, const char* known, size_t length)
{
    size_t nameLength = strlen(name);
    if (nameLength > MAX_NAME || length > MAX_NAME) {
        return;
    }
    size_t edits = countEdits(name, nameLength, known, length);
    bool isBetter = nearest->name == NULL || edits < nearest->edits;
    if (isBetter && edits <= allowedEdits(nameLength) && edits < nameLength) {
        *nearest = (wkSuggestion){known, length, edits};
    }
}

wkHint wkSuggestion_Hint(const wkSuggestion* nearest)
{
    wkHint hint = {""};
    if (nearest->name != NULL) {
        snprintf(hint.text, sizeof hint.text, ": did you mean \"%.*s\"?", (int)nearest->length,
                 nearest->name);
    }
    return hint;
}
