// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Names that a JSON object may use. A name outside its list is refused with the nearest known one: a
// member that is skipped in silence would lose what it was meant to say.

#include "ask.h"

#include <stdio.h>
#include <string.h>

// Longer names are neither known nor near to one that is.
#define MAX_NAME 64

// Longest part of an unknown name that a message repeats.
#define SHOWN_NAME 40

// Words of a list, one after the other.
typedef struct word {
    const char* start;
    size_t length;
} word;

// @param at position in the list; moves behind the word
// @return false behind the last word
static bool nextWord(const char** at, word* found)
{
    *at += strspn(*at, " ");
    found->start = *at;
    found->length = strcspn(*at, " ");
    *at += found->length;
    return found->length > 0;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

// Edit distance (Levenshtein, with swapped neighbours as one edit): how many letters are missing,
// surplus, wrong or swapped.
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

// Edits that a slip of the pen makes in a name of that length.
static size_t allowedEdits(size_t length)
{
    return length <= 4 ? 1 : length <= 7 ? 2 : 3;
}

void wkAskNearest_Try(wkAskNearest* nearest, const char* name, const char* known, size_t length)
{
    size_t nameLength = strlen(name);
    if (nameLength > MAX_NAME || length > MAX_NAME) {
        return;
    }
    size_t edits = countEdits(name, nameLength, known, length);
    bool isBetter = nearest->name == NULL || edits < nearest->edits;
    if (isBetter && edits <= allowedEdits(nameLength) && edits < nameLength) {
        *nearest = (wkAskNearest){known, length, edits};
    }
}

wkAskHint wkAskNearest_Hint(const wkAskNearest* nearest)
{
    wkAskHint hint = {""};
    if (nearest->name != NULL) {
        snprintf(hint.text, sizeof hint.text, ": did you mean \"%.*s\"?", (int)nearest->length,
                 nearest->name);
    }
    return hint;
}

// True when a list has the name; otherwise the nearest of its names competes.
static bool findName(const char* list, const char* name, wkAskNearest* nearest)
{
    word known;
    for (const char* at = list; nextWord(&at, &known);) {
        if (strlen(name) == known.length && memcmp(name, known.start, known.length) == 0) {
            return true;
        }
        wkAskNearest_Try(nearest, name, known.start, known.length);
    }
    return false;
}

bool wkAskCheckMembers(const json_t* object, const char* owner, const char* const* lists,
                       wkAskError* error)
{
    const char* name;
    json_t* value;
    json_object_foreach((json_t*)object, name, value)
    {
        wkAskNearest nearest = {0};
        bool isKnown = false;
        for (size_t i = 0; lists[i] != NULL && !isKnown; i++) {
            isKnown = findName(lists[i], name, &nearest);
        }
        if (!isKnown) {
            return wkAskFail(error, "unknown_field", "%s has no member \"%.*s\"%s", owner,
                             SHOWN_NAME, name, wkAskNearest_Hint(&nearest).text);
        }
    }
    return true;
}

void wkAskListRow(wkText* text, const char* name, const char* members)
{
    char line[160];
    snprintf(line, sizeof line, "  %-16s %s\n", name, members);
    wkText_AppendString(text, line);
}
