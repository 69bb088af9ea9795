// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The allowed collision matrix: rules for pairs of names. Names are sorted; each has a sorted row of the
// later names that it has a rule with. A name is stored as long as a rule mentions it.

#include "robot/allowed_impl.h"

#include "base/error.h"
#include "base/memory.h"

#include <string.h>

// A rule, and for wk_ruleAsked the function that decides.
typedef struct ruling {
    wkAllowedRule rule;
    wkAllowedFcn* fcn;
    void* context;
} ruling;

// The other name of a pair.
typedef struct partner {
    const char* name; // text of another entry
    ruling ruling;
} partner;

typedef struct entry {
    char* name;
    int32_t mentionCount; // number of pairs that it is part of
    bool hasDefault;
    ruling defaultValue; // for names that it has no rule with
    partner* partners;
    int32_t partnerCount;
    int32_t partnerCapacity;
} entry;

struct wkAllowed {
    entry* entries;
    int32_t count;
    int32_t capacity;
    int32_t pairCount;
};

const char* wkAllowedRuleName(wkAllowedRule rule)
{
    static const char* const names[wk_ruleCount] = {
        [wk_ruleChecked] = "checked",
        [wk_ruleAllowed] = "allowed",
        [wk_ruleAsked] = "asked",
    };
    return (unsigned)rule < wk_ruleCount ? names[rule] : "";
}

wkResult wkAllowed_Create(wkAllowed** allowed)
{
    wkAllowed* made = (wkAllowed*)wkAlloc(sizeof *made);
    *allowed = made;
    if (made == NULL) {
        return wkFail(wk_errorMemory, "allowed pairs: no memory");
    }
    memset(made, 0, sizeof *made);
    return wk_ok;
}

static void freeEntry(entry* e)
{
    wkFree(e->name, strlen(e->name) + 1);
    wkFree(e->partners, (size_t)e->partnerCapacity * sizeof *e->partners);
}

void wkAllowed_Destroy(wkAllowed* allowed)
{
    if (allowed == NULL) {
        return;
    }
    for (int32_t i = 0; i < allowed->count; ++i) {
        freeEntry(&allowed->entries[i]);
    }
    wkFree(allowed->entries, (size_t)allowed->capacity * sizeof *allowed->entries);
    wkFree(allowed, sizeof *allowed);
}

// Returns the index of the first element that is not before the name. Elements begin with their names.
static int32_t findName(const void* array, int32_t count, size_t elementBytes, const char* name,
                        bool* isThere)
{
    int32_t first = 0, end = count;
    *isThere = false;
    while (first < end && !*isThere) {
        int32_t middle = first + (end - first) / 2;
        const char* there = (const char*)array + (size_t)middle * elementBytes;
        int order = strcmp(*(const char* const*)(const void*)there, name);
        first = order < 0 ? middle + 1 : first;
        end = order < 0 ? end : middle;
        *isThere = order == 0;
    }
    return end;
}

static int32_t findIndex(const wkAllowed* allowed, const char* name, bool* isThere)
{
    return findName(allowed->entries, allowed->count, sizeof(entry), name, isThere);
}

static int32_t findPartner(const entry* e, const char* name, bool* isThere)
{
    return findName(e->partners, e->partnerCount, sizeof(partner), name, isThere);
}

static entry* findEntry(const wkAllowed* allowed, const char* name)
{
    bool isThere = false;
    int32_t index = findIndex(allowed, name, &isThere);
    return isThere ? &allowed->entries[index] : NULL;
}

// Grows the capacity of an array for one more element of `elementBytes` bytes.
// @return false: no memory, and nothing has changed
static bool growByOne(void** array, int32_t count, int32_t* capacity, size_t elementBytes)
{
    if (count < *capacity) {
        return true;
    }
    int32_t wider = *capacity < 4 ? 4 : 2 * *capacity;
    void* grown = wkAlloc((size_t)wider * elementBytes);
    if (grown == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(grown, *array, (size_t)count * elementBytes);
    }
    wkFree(*array, (size_t)*capacity * elementBytes);
    *array = grown;
    *capacity = wider;
    return true;
}

// Returns the entry of a name, and adds it when there is none.
// @return NULL: no memory
static entry* needEntry(wkAllowed* allowed, const char* name)
{
    bool isThere = false;
    int32_t index = findIndex(allowed, name, &isThere);
    if (isThere) {
        return &allowed->entries[index];
    }
    void* entries = allowed->entries;
    bool hasCapacity = growByOne(&entries, allowed->count, &allowed->capacity, sizeof(entry));
    allowed->entries = (entry*)entries;
    size_t byteCount = strlen(name) + 1;
    char* text = hasCapacity ? (char*)wkAlloc(byteCount) : NULL;
    if (text == NULL) {
        return NULL;
    }
    memcpy(text, name, byteCount);
    entry* e = &allowed->entries[index];
    memmove(e + 1, e, (size_t)(allowed->count - index) * sizeof *e);
    memset(e, 0, sizeof *e);
    e->name = text;
    ++allowed->count;
    return e;
}

// Removes an entry that no rule mentions.
static void dropIdle(wkAllowed* allowed, int32_t index)
{
    entry* e = &allowed->entries[index];
    if (e->hasDefault || e->mentionCount > 0) {
        return;
    }
    freeEntry(e);
    --allowed->count;
    memmove(e, e + 1, (size_t)(allowed->count - index) * sizeof *e);
}

static void dropIdleName(wkAllowed* allowed, const char* name)
{
    bool isThere = false;
    int32_t index = findIndex(allowed, name, &isThere);
    if (isThere) {
        dropIdle(allowed, index);
    }
}

static partner* needPartner(wkAllowed* allowed, entry* first, entry* last)
{
    bool isThere = false;
    int32_t index = findPartner(first, last->name, &isThere);
    if (isThere) {
        return &first->partners[index];
    }
    void* partners = first->partners;
    bool hasCapacity =
        growByOne(&partners, first->partnerCount, &first->partnerCapacity, sizeof(partner));
    first->partners = (partner*)partners;
    if (!hasCapacity) {
        return NULL;
    }
    partner* p = &first->partners[index];
    memmove(p + 1, p, (size_t)(first->partnerCount - index) * sizeof *p);
    p->name = last->name;
    ++first->partnerCount;
    ++first->mentionCount;
    ++last->mentionCount;
    ++allowed->pairCount;
    return p;
}

static wkResult setPair(wkAllowed* allowed, const char* nameA, const char* nameB, ruling given)
{
    bool isOrdered = strcmp(nameA, nameB) <= 0;
    const char *first = isOrdered ? nameA : nameB, *last = isOrdered ? nameB : nameA;
    // adding the later name shifts no entry before it, but may reallocate the array
    bool hasBoth = needEntry(allowed, first) != NULL && needEntry(allowed, last) != NULL;
    partner* p =
        hasBoth ? needPartner(allowed, findEntry(allowed, first), findEntry(allowed, last)) : NULL;
    if (p == NULL) {
        dropIdleName(allowed, first);
        dropIdleName(allowed, last);
        return wkFail(wk_errorMemory, "allowed pairs: no memory for another pair");
    }
    p->ruling = given;
    return wk_ok;
}

static bool isName(const char* name)
{
    return name != NULL && name[0] != '\0';
}

static wkResult checkRuling(const wkAllowed* allowed, const ruling* given)
{
    if (allowed == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: no rules to change");
    }
    if ((unsigned)given->rule >= wk_ruleCount) {
        return wkFail(wk_errorArgument, "allowed pairs: rule %d is none", (int)given->rule);
    }
    if (given->rule == wk_ruleAsked && given->fcn == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: no function to ask");
    }
    return wk_ok;
}

static wkResult setChecked(wkAllowed* allowed, const char* nameA, const char* nameB,
                           const ruling* given)
{
    if (!isName(nameA) || !isName(nameB)) {
        return wkFail(wk_errorArgument, "allowed pairs: a name is missing");
    }
    wkResult result = checkRuling(allowed, given);
    return result == wk_ok ? setPair(allowed, nameA, nameB, *given) : result;
}

wkResult wkAllowed_Set(wkAllowed* allowed, const char* nameA, const char* nameB, wkAllowedRule rule)
{
    ruling given = {rule, NULL, NULL};
    return setChecked(allowed, nameA, nameB, &given);
}

wkResult wkAllowed_SetFcn(wkAllowed* allowed, const char* nameA, const char* nameB,
                          wkAllowedFcn* fcn, void* context)
{
    ruling given = {wk_ruleAsked, fcn, context};
    return setChecked(allowed, nameA, nameB, &given);
}

wkResult wkAllowed_SetDefault(wkAllowed* allowed, const char* name, wkAllowedRule rule,
                              wkAllowedFcn* fcn, void* context)
{
    if (!isName(name)) {
        return wkFail(wk_errorArgument, "allowed pairs: a name is missing");
    }
    bool isAsked = rule == wk_ruleAsked;
    ruling given = {rule, isAsked ? fcn : NULL, isAsked ? context : NULL};
    wkResult result = checkRuling(allowed, &given);
    if (result != wk_ok) {
        return result;
    }
    entry* e = needEntry(allowed, name);
    if (e == NULL) {
        return wkFail(wk_errorMemory, "allowed pairs: no memory for another name");
    }
    e->hasDefault = true;
    e->defaultValue = given;
    return wk_ok;
}

// The names may be those of the entries, so no entry is dropped before the names were last read.
static void clearPair(wkAllowed* allowed, const char* nameA, const char* nameB)
{
    bool isOrdered = strcmp(nameA, nameB) <= 0, hasFirst = false, hasLast = false;
    int32_t first = findIndex(allowed, isOrdered ? nameA : nameB, &hasFirst);
    int32_t last = findIndex(allowed, isOrdered ? nameB : nameA, &hasLast);
    if (!hasFirst || !hasLast) {
        return;
    }
    entry *e = &allowed->entries[first], *other = &allowed->entries[last];
    bool hasRule = false;
    int32_t index = findPartner(e, other->name, &hasRule);
    if (!hasRule) {
        return;
    }
    partner* p = &e->partners[index];
    --e->partnerCount;
    memmove(p, p + 1, (size_t)(e->partnerCount - index) * sizeof *p);
    --e->mentionCount;
    --other->mentionCount;
    --allowed->pairCount;
    dropIdle(allowed, last);
    if (first != last) {
        dropIdle(allowed, first);
    }
}

static void clearName(wkAllowed* allowed, const char* name)
{
    entry* e = findEntry(allowed, name);
    if (e == NULL) {
        return;
    }
    // the entry stays until the end: `name` may be its own
    e->hasDefault = true;
    for (int32_t i = allowed->count - 1; i >= 0; --i) {
        clearPair(allowed, allowed->entries[i].name, name);
    }
    e = findEntry(allowed, name);
    e->hasDefault = false;
    dropIdle(allowed, (int32_t)(e - allowed->entries));
}

void wkAllowed_Clear(wkAllowed* allowed, const char* nameA, const char* nameB)
{
    if (allowed == NULL || nameA == NULL) {
        return;
    }
    if (nameB != NULL) {
        clearPair(allowed, nameA, nameB);
    } else {
        clearName(allowed, nameA);
    }
}

static bool copyPartners(const wkAllowed* allowed, const entry* from, entry* into)
{
    if (from->partnerCount == 0) {
        return true;
    }
    size_t byteCount = (size_t)from->partnerCount * sizeof *from->partners;
    into->partners = (partner*)wkAlloc(byteCount);
    if (into->partners == NULL) {
        return false;
    }
    memcpy(into->partners, from->partners, byteCount);
    into->partnerCapacity = into->partnerCount = from->partnerCount;
    into->mentionCount = from->mentionCount;
    for (int32_t i = 0; i < into->partnerCount; ++i) {
        into->partners[i].name = findEntry(allowed, from->partners[i].name)->name;
    }
    return true;
}

// Copies the names first, so that rows can refer to them.
static bool copyEntries(const wkAllowed* from, wkAllowed* into)
{
    for (int32_t i = 0; i < from->count; ++i) {
        entry* e = needEntry(into, from->entries[i].name);
        if (e == NULL) {
            return false;
        }
        e->mentionCount = from->entries[i].mentionCount;
        e->hasDefault = from->entries[i].hasDefault;
        e->defaultValue = from->entries[i].defaultValue;
    }
    for (int32_t i = 0; i < from->count; ++i) {
        if (!copyPartners(into, &from->entries[i], &into->entries[i])) {
            return false;
        }
    }
    into->pairCount = from->pairCount;
    return true;
}

wkResult wkAllowed_Copy(const wkAllowed* allowed, wkAllowed** copy)
{
    *copy = NULL;
    if (allowed == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: nothing to copy");
    }
    wkAllowed* made = NULL;
    wkResult result = wkAllowed_Create(&made);
    if (result != wk_ok) {
        return result;
    }
    if (!copyEntries(allowed, made)) {
        wkAllowed_Destroy(made);
        return wkFail(wk_errorMemory, "allowed pairs: no memory for %d pairs",
                      (int)allowed->pairCount);
    }
    *copy = made;
    return wk_ok;
}

void wkAllowed_Swap(wkAllowed* a, wkAllowed* b)
{
    wkAllowed kept = *a;
    *a = *b;
    *b = kept;
}

// Returns the stricter one of two default rules; the first name's where they are equal.
static const ruling* stricter(const entry* a, const entry* b)
{
    static const int strictness[wk_ruleCount] = {
        [wk_ruleChecked] = 2,
        [wk_ruleAsked] = 1,
        [wk_ruleAllowed] = 0,
    };
    bool hasA = a != NULL && a->hasDefault, hasB = b != NULL && b->hasDefault;
    if (hasA && hasB) {
        return strictness[a->defaultValue.rule] >= strictness[b->defaultValue.rule]
                   ? &a->defaultValue
                   : &b->defaultValue;
    }
    return hasA ? &a->defaultValue : (hasB ? &b->defaultValue : NULL);
}

static const ruling* findRuling(const wkAllowed* allowed, const char* nameA, const char* nameB)
{
    bool isOrdered = strcmp(nameA, nameB) <= 0, isThere = false;
    const entry* first = findEntry(allowed, isOrdered ? nameA : nameB);
    const entry* last = findEntry(allowed, isOrdered ? nameB : nameA);
    int32_t index = first != NULL && last != NULL ? findPartner(first, last->name, &isThere) : 0;
    return isThere ? &first->partners[index].ruling : stricter(first, last);
}

bool wkAllowed_HasRule(const wkAllowed* allowed, const char* nameA, const char* nameB)
{
    return findRuling(allowed, nameA, nameB) != NULL;
}

wkAllowedRule wkAllowed_Get(const wkAllowed* allowed, const char* nameA, const char* nameB,
                            wkAllowedFcn** fcn, void** context)
{
    static const ruling checked = {wk_ruleChecked, NULL, NULL};
    bool canHave = allowed != NULL && nameA != NULL && nameB != NULL;
    const ruling* found = canHave ? findRuling(allowed, nameA, nameB) : NULL;
    found = found != NULL ? found : &checked;
    if (fcn != NULL) {
        *fcn = found->fcn;
    }
    if (context != NULL) {
        *context = found->context;
    }
    return found->rule;
}

int32_t wkAllowed_Count(const wkAllowed* allowed)
{
    return allowed != NULL ? allowed->pairCount : 0;
}

bool wkAllowed_Pair(const wkAllowed* allowed, int32_t index, const char** nameA, const char** nameB,
                    wkAllowedRule* rule)
{
    if (allowed == NULL || index < 0 || index >= allowed->pairCount) {
        return false;
    }
    const entry* e = allowed->entries;
    for (; index >= e->partnerCount; ++e) {
        index -= e->partnerCount;
    }
    *nameA = e->name;
    *nameB = e->partners[index].name;
    *rule = e->partners[index].ruling.rule;
    return true;
}
