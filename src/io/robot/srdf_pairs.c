// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pairs of links that an SRDF excludes from checking: by name, or one link with all others except those
// enabled again. A pair that is disabled by name stays disabled.

#include "io/robot/srdf.h"

// More than the pairs of a thousand links.
#define MAX_PAIRS 1000000

// A set of pairs of links.
typedef struct pairSet {
    uint64_t* slots;  // (lower + 1) << 32 | higher; 0: empty
    size_t slotCount; // a power of two
} pairSet;

static bool initSet(pairSet* set, wkIoArena* arena, size_t capacity)
{
    set->slotCount = 4;
    while (set->slotCount < 2 * capacity) {
        set->slotCount *= 2;
    }
    set->slots = wkIoArena_AllocArray(arena, set->slotCount, sizeof *set->slots);
    return set->slots != NULL;
}

static uint64_t* slotOf(const pairSet* set, int32_t linkA, int32_t linkB, uint64_t* key)
{
    uint64_t lower = (uint64_t)(linkA < linkB ? linkA : linkB);
    uint64_t higher = (uint64_t)(linkA < linkB ? linkB : linkA);
    *key = (lower + 1) << 32 | higher;
    size_t slot = (size_t)((*key * 0x9e3779b97f4a7c15u) >> 20) & (set->slotCount - 1);
    while (set->slots[slot] != 0 && set->slots[slot] != *key) {
        slot = (slot + 1) & (set->slotCount - 1);
    }
    return &set->slots[slot];
}

// Adds a pair; false when it was present.
static bool addPair(pairSet* set, int32_t linkA, int32_t linkB)
{
    uint64_t key;
    uint64_t* slot = slotOf(set, linkA, linkB, &key);
    bool isNew = *slot == 0;
    *slot = key;
    return isNew;
}

static bool hasPair(const pairSet* set, int32_t linkA, int32_t linkB)
{
    uint64_t key;
    return *slotOf(set, linkA, linkB, &key) != 0;
}

typedef struct pairReader {
    wkUrdfBuilder* builder;
    wkDisabledPairDef* pairs;
    pairSet disabled;
    pairSet enabled;
} pairReader;

static void disable(pairReader* r, int32_t linkA, int32_t linkB, const char* reason)
{
    if (linkA != linkB && addPair(&r->disabled, linkA, linkB)) {
        wkDisabledPairDef* pair = &r->pairs[r->builder->def.disabledPairCount++];
        pair->linkA = r->builder->links[linkA];
        pair->linkB = r->builder->links[linkB];
        pair->reason = reason;
    }
}

// Reads the two links of a pair; -1 for a link that the robot lacks, which is counted.
static wkResult readPair(pairReader* r, const wkXmlElement* element, int32_t links[2])
{
    static const char* const attributes[] = {"link1", "link2"};
    for (int i = 0; i < 2; i++) {
        const char* name = NULL;
        wkResult result = wkXmlFile_NeedValue(&r->builder->srdf, element, attributes[i], &name);
        if (result != wk_ok) {
            return result;
        }
        links[i] = wkIoNames_Find(&r->builder->linkNames, name);
    }
    r->builder->report.unknownPairCount += links[0] < 0 || links[1] < 0 ? 1 : 0;
    return wk_ok;
}

// Handles an element for two links of the robot.
typedef void takePairFcn(pairReader* r, const int32_t links[2], const wkXmlElement* element);

static void takeDisabled(pairReader* r, const int32_t links[2], const wkXmlElement* element)
{
    disable(r, links[0], links[1], wkXmlElement_Value(element, "reason"));
}

static void takeEnabled(pairReader* r, const int32_t links[2], const wkXmlElement* element)
{
    (void)element;
    addPair(&r->enabled, links[0], links[1]);
}

static wkResult readPairs(pairReader* r, const char* name, takePairFcn* take)
{
    for (const wkXmlElement* e = wkXmlElement_Child(r->builder->srdf.root, name); e != NULL;
         e = wkXmlElement_Next(e, name)) {
        int32_t links[2] = {-1, -1};
        wkResult result = readPair(r, e, links);
        if (result != wk_ok) {
            return result;
        }
        if (links[0] >= 0 && links[1] >= 0) {
            take(r, links, e);
        }
    }
    return wk_ok;
}

static wkResult readDefaults(pairReader* r)
{
    static const char name[] = "disable_default_collisions";
    for (const wkXmlElement* e = wkXmlElement_Child(r->builder->srdf.root, name); e != NULL;
         e = wkXmlElement_Next(e, name)) {
        int32_t link = -1;
        wkResult result = wkSrdf_FindLink(r->builder, e, "link", &link);
        if (result != wk_ok) {
            return result;
        }
        for (int32_t other = 0; link >= 0 && other < r->builder->def.linkCount; other++) {
            if (!hasPair(&r->enabled, link, other)) {
                disable(r, link, other, NULL);
            }
        }
    }
    return wk_ok;
}

wkResult wkSrdf_ReadPairs(wkUrdfBuilder* builder)
{
    const wkXmlElement* root = builder->srdf.root;
    size_t defaultCount = (size_t)wkXmlElement_CountChildren(root, "disable_default_collisions");
    size_t enabledCount = (size_t)wkXmlElement_CountChildren(root, "enable_collisions");
    size_t count = (size_t)wkXmlElement_CountChildren(root, "disable_collisions") +
                   defaultCount * (size_t)builder->def.linkCount;
    if (count > MAX_PAIRS) {
        return wkXmlFile_Fail(&builder->srdf, root, wk_errorRange, "%zu pairs are more than %d",
                              count, MAX_PAIRS);
    }
    pairReader r = {.builder = builder};
    r.pairs = wkIoArena_AllocArray(&builder->arena, count, sizeof *r.pairs);
    if (r.pairs == NULL || !initSet(&r.disabled, &builder->arena, count) ||
        !initSet(&r.enabled, &builder->arena, enabledCount)) {
        return wkXmlFile_FailMemory(&builder->srdf);
    }
    builder->def.disabledPairs = r.pairs;
    wkResult result = readPairs(&r, "disable_collisions", takeDisabled);
    if (result == wk_ok) {
        result = readPairs(&r, "enable_collisions", takeEnabled);
    }
    if (result == wk_ok) {
        result = readDefaults(&r);
    }
    if (result == wk_ok && builder->report.unknownPairCount > 0) {
        wkUrdfBuilder_Warn(builder, "%s: %d pairs name links that the robot lacks",
                           builder->srdf.name, builder->report.unknownPairCount);
    }
    return result;
}
