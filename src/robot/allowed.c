// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The allowed collision matrix: rules for pairs of names.

#include "robot/allowed_rows.h"

#include "base/error.h"
#include "base/memory.h"

#include "whisker/detail/counts.h"

#include <string.h>

const char* wkAllowedRuleName(wkAllowedRule rule)
{
    static const char* const names[WK_ALLOWED_RULE_COUNT] = {
        [wk_ruleChecked] = "checked",
        [wk_ruleAllowed] = "allowed",
        [wk_ruleAsked] = "asked",
    };
    return (unsigned)rule < WK_ALLOWED_RULE_COUNT ? names[rule] : "";
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

void wkAllowed_Destroy(wkAllowed* allowed)
{
    if (allowed == NULL) {
        return;
    }
    for (int32_t i = 0; i < allowed->count; ++i) {
        wkFreeAllowedEntry(&allowed->entries[i]);
    }
    wkFree(allowed->entries, (size_t)allowed->capacity * sizeof *allowed->entries);
    wkFree(allowed, sizeof *allowed);
}

static wkResult setPair(wkAllowed* allowed, const char* nameA, const char* nameB, wkRuling given)
{
    bool isOrdered = strcmp(nameA, nameB) <= 0;
    const char *first = isOrdered ? nameA : nameB, *last = isOrdered ? nameB : nameA;
    // adding the later name shifts no entry before it, but may reallocate the array
    bool hasBoth =
        wkNeedAllowedEntry(allowed, first) != NULL && wkNeedAllowedEntry(allowed, last) != NULL;
    wkAllowedPartner* p = hasBoth ? wkNeedPartner(allowed, wkFindAllowedEntry(allowed, first),
                                                  wkFindAllowedEntry(allowed, last))
                                  : NULL;
    if (p == NULL) {
        wkDropIdleName(allowed, first);
        wkDropIdleName(allowed, last);
        return wkFail(wk_errorMemory, "allowed pairs: no memory for another pair");
    }
    p->ruling = given;
    return wk_ok;
}

static bool isName(const char* name)
{
    return name != NULL && name[0] != '\0';
}

static wkResult checkRuling(const wkAllowed* allowed, const wkRuling* given)
{
    if (allowed == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: no rules to change");
    }
    if ((unsigned)given->rule >= WK_ALLOWED_RULE_COUNT) {
        return wkFail(wk_errorArgument, "allowed pairs: rule %d is none", (int)given->rule);
    }
    if (given->rule == wk_ruleAsked && given->fcn == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: no function to ask");
    }
    return wk_ok;
}

static wkResult setChecked(wkAllowed* allowed, const char* nameA, const char* nameB,
                           const wkRuling* given)
{
    if (!isName(nameA) || !isName(nameB)) {
        return wkFail(wk_errorArgument, "allowed pairs: a name is missing");
    }
    wkResult result = checkRuling(allowed, given);
    return result == wk_ok ? setPair(allowed, nameA, nameB, *given) : result;
}

wkResult wkAllowed_Set(wkAllowed* allowed, const char* nameA, const char* nameB, wkAllowedRule rule)
{
    wkRuling given = {rule, NULL, NULL};
    return setChecked(allowed, nameA, nameB, &given);
}

wkResult wkAllowed_SetFcn(wkAllowed* allowed, const char* nameA, const char* nameB,
                          wkAllowedFcn* fcn, void* context)
{
    wkRuling given = {wk_ruleAsked, fcn, context};
    return setChecked(allowed, nameA, nameB, &given);
}

wkResult wkAllowed_SetDefault(wkAllowed* allowed, const char* name, wkAllowedRule rule,
                              wkAllowedFcn* fcn, void* context)
{
    if (!isName(name)) {
        return wkFail(wk_errorArgument, "allowed pairs: a name is missing");
    }
    bool isAsked = rule == wk_ruleAsked;
    wkRuling given = {rule, isAsked ? fcn : NULL, isAsked ? context : NULL};
    wkResult result = checkRuling(allowed, &given);
    if (result != wk_ok) {
        return result;
    }
    wkAllowedEntry* e = wkNeedAllowedEntry(allowed, name);
    if (e == NULL) {
        return wkFail(wk_errorMemory, "allowed pairs: no memory for another name");
    }
    e->hasDefault = true;
    e->defaultRuling = given;
    return wk_ok;
}

// The names may be those of the entries, so no entry is dropped before the names were last read.
static void clearPair(wkAllowed* allowed, const char* nameA, const char* nameB)
{
    bool isOrdered = strcmp(nameA, nameB) <= 0, hasFirst = false, hasLast = false;
    int32_t first = wkFindAllowedIndex(allowed, isOrdered ? nameA : nameB, &hasFirst);
    int32_t last = wkFindAllowedIndex(allowed, isOrdered ? nameB : nameA, &hasLast);
    if (!hasFirst || !hasLast) {
        return;
    }
    wkAllowedEntry *e = &allowed->entries[first], *other = &allowed->entries[last];
    bool hasRule = false;
    int32_t index = wkFindPartner(e, other->name, &hasRule);
    if (!hasRule) {
        return;
    }
    wkAllowedPartner* p = &e->partners[index];
    --e->partnerCount;
    memmove(p, p + 1, (size_t)(e->partnerCount - index) * sizeof *p);
    --e->mentionCount;
    --other->mentionCount;
    --allowed->pairCount;
    wkDropIdle(allowed, last);
    if (first != last) {
        wkDropIdle(allowed, first);
    }
}

static void clearName(wkAllowed* allowed, const char* name)
{
    wkAllowedEntry* e = wkFindAllowedEntry(allowed, name);
    if (e == NULL) {
        return;
    }
    // the entry stays until the end: `name` may be its own
    e->hasDefault = true;
    for (int32_t i = allowed->count - 1; i >= 0; --i) {
        clearPair(allowed, allowed->entries[i].name, name);
    }
    e = wkFindAllowedEntry(allowed, name);
    e->hasDefault = false;
    wkDropIdle(allowed, (int32_t)(e - allowed->entries));
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

static bool copyPartners(const wkAllowed* allowed, const wkAllowedEntry* from, wkAllowedEntry* into)
{
    if (from->partnerCount == 0) {
        return true;
    }
    size_t byteCount = (size_t)from->partnerCount * sizeof *from->partners;
    into->partners = (wkAllowedPartner*)wkAlloc(byteCount);
    if (into->partners == NULL) {
        return false;
    }
    memcpy(into->partners, from->partners, byteCount);
    into->partnerCapacity = into->partnerCount = from->partnerCount;
    into->mentionCount = from->mentionCount;
    for (int32_t i = 0; i < into->partnerCount; ++i) {
        into->partners[i].name = wkFindAllowedEntry(allowed, from->partners[i].name)->name;
    }
    return true;
}

// Copies the names first, so that rows can refer to them.
static bool copyEntries(const wkAllowed* from, wkAllowed* into)
{
    for (int32_t i = 0; i < from->count; ++i) {
        wkAllowedEntry* e = wkNeedAllowedEntry(into, from->entries[i].name);
        if (e == NULL) {
            return false;
        }
        e->mentionCount = from->entries[i].mentionCount;
        e->hasDefault = from->entries[i].hasDefault;
        e->defaultRuling = from->entries[i].defaultRuling;
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
static const wkRuling* stricter(const wkAllowedEntry* a, const wkAllowedEntry* b)
{
    static const int strictness[WK_ALLOWED_RULE_COUNT] = {
        [wk_ruleChecked] = 2,
        [wk_ruleAsked] = 1,
        [wk_ruleAllowed] = 0,
    };
    bool hasA = a != NULL && a->hasDefault, hasB = b != NULL && b->hasDefault;
    if (hasA && hasB) {
        return strictness[a->defaultRuling.rule] >= strictness[b->defaultRuling.rule]
                   ? &a->defaultRuling
                   : &b->defaultRuling;
    }
    return hasA ? &a->defaultRuling : (hasB ? &b->defaultRuling : NULL);
}

static const wkRuling* findRuling(const wkAllowed* allowed, const char* nameA, const char* nameB)
{
    bool isOrdered = strcmp(nameA, nameB) <= 0, isThere = false;
    const wkAllowedEntry* first = wkFindAllowedEntry(allowed, isOrdered ? nameA : nameB);
    const wkAllowedEntry* last = wkFindAllowedEntry(allowed, isOrdered ? nameB : nameA);
    int32_t index = first != NULL && last != NULL ? wkFindPartner(first, last->name, &isThere) : 0;
    return isThere ? &first->partners[index].ruling : stricter(first, last);
}

bool wkAllowed_HasRule(const wkAllowed* allowed, const char* nameA, const char* nameB)
{
    return findRuling(allowed, nameA, nameB) != NULL;
}

wkAllowedRule wkAllowed_Get(const wkAllowed* allowed, const char* nameA, const char* nameB,
                            wkAllowedFcn** fcn, void** context)
{
    static const wkRuling checked = {wk_ruleChecked, NULL, NULL};
    bool canHave = allowed != NULL && nameA != NULL && nameB != NULL;
    const wkRuling* found = canHave ? findRuling(allowed, nameA, nameB) : NULL;
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
    const wkAllowedEntry* e = allowed->entries;
    for (; index >= e->partnerCount; ++e) {
        index -= e->partnerCount;
    }
    *nameA = e->name;
    *nameB = e->partners[index].name;
    *rule = e->partners[index].ruling.rule;
    return true;
}
