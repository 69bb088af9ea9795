// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Names that a JSON object may use. An unknown name is refused with a suggestion: a member that is silently
// skipped would lose its meaning.

#include "ask.h"

#include <stdio.h>
#include <string.h>

// Longest part of an unknown name that a message repeats.
#define SHOWN_NAME 40

// Words of a list, one after the other.
typedef struct word {
    const char* start;
    size_t length;
} word;

// @param at position in the list; advances past the word
// @return false after the last word
static bool nextWord(const char** at, word* found)
{
    *at += strspn(*at, " ");
    found->start = *at;
    found->length = strcspn(*at, " ");
    *at += found->length;
    return found->length > 0;
}

// Returns true when a list has the name; otherwise its nearest name becomes a suggestion.
static bool findName(const char* list, const char* name, wkSuggestion* nearest)
{
    word known;
    for (const char* at = list; nextWord(&at, &known);) {
        if (strlen(name) == known.length && memcmp(name, known.start, known.length) == 0) {
            return true;
        }
        wkSuggestion_Try(nearest, name, known.start, known.length);
    }
    return false;
}

bool wkAskCheckMembers(const wkJson* object, const char* owner, const char* const* lists,
                       wkAskError* error)
{
    for (const wkJson* member = wkJson_First(object); member != NULL; member = member->next) {
        wkSuggestion nearest = {0};
        bool isKnown = false;
        for (size_t i = 0; lists[i] != NULL && !isKnown; i++) {
            isKnown = findName(lists[i], member->key, &nearest);
        }
        if (!isKnown) {
            return wkAskFail(error, "unknown_field", "%s has no member \"%.*s\"%s", owner,
                             SHOWN_NAME, member->key, wkSuggestion_Hint(&nearest).text);
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
