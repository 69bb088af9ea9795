// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Storage of the allowed collision matrix. Names are sorted; each has a sorted row of the later names that it has a
// rule with. A name is stored as long as a rule mentions it.

#include "robot/allowed_impl.h"

// A rule, and for wk_ruleAsked the function that decides.
typedef struct wkRuling {
    wkAllowedRule rule;
    wkAllowedFcn* fcn;
    void* context;
} wkRuling;

// The other name of a pair.
typedef struct wkAllowedPartner {
    const char* name; // text of another entry
    wkRuling ruling;
} wkAllowedPartner;

typedef struct wkAllowedEntry {
    char* name;
    int32_t mentionCount; // number of pairs that it is part of
    bool hasDefault;
    wkRuling defaultRuling; // for names that it has no rule with
    wkAllowedPartner* partners;
    int32_t partnerCount;
    int32_t partnerCapacity;
} wkAllowedEntry;

struct wkAllowed {
    wkAllowedEntry* entries;
    int32_t count;
    int32_t capacity;
    int32_t pairCount;
};

// Frees the text and the row of a name.
void wkFreeAllowedEntry(wkAllowedEntry* e);

// Returns the index of the first entry, or of the first partner of an entry, that is not before the name.
int32_t wkFindAllowedIndex(const wkAllowed* allowed, const char* name, bool* isThere);
int32_t wkFindPartner(const wkAllowedEntry* e, const char* name, bool* isThere);

// Returns the entry of a name; NULL: there is none.
wkAllowedEntry* wkFindAllowedEntry(const wkAllowed* allowed, const char* name);

// Returns the entry of a name, or the pair of two entries in the row of the first, and adds it if it is new; NULL when
// out of memory. Adding an entry may move the others.
wkAllowedEntry* wkNeedAllowedEntry(wkAllowed* allowed, const char* name);
wkAllowedPartner* wkNeedPartner(wkAllowed* allowed, wkAllowedEntry* first, wkAllowedEntry* last);

// Removes an entry that no rule mentions any more.
void wkDropIdle(wkAllowed* allowed, int32_t index);
void wkDropIdleName(wkAllowed* allowed, const char* name);
