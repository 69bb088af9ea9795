// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// tree/100k/<task>: 100,000 boxes of 1 m, each meeting about eight others, that go back and forth by
// up to 5 cm per axis: what building and moving one by one cost, and finding all pairs.
// Trees made in different ways must find as many.

#include "broad/tree_rows.h"

#include "measure.h"
#include "tree/dynamic/dyn_tree.h"

#include "../tests/scenes/rng.h"

#include <stdlib.h>
#include <string.h>

#define SEED 7u
#define BOX_COUNT 100000
#define REACH 23.2
#define STEP 0.05
#define BLOCKS 7

typedef struct moving {
    wkDynLeaf* frames[2];
    wkDynTree* tree;
    int frame;
    long found;
} moving;

static wkVec3d randomVec(wkRng* rng, double reach)
{
    double x = wkRngRange(rng, -reach, reach), y = wkRngRange(rng, -reach, reach);
    return wkSceneVec(x, y, wkRngRange(rng, -reach, reach));
}

static wkFloatBox boxAbout(wkVec3d center)
{
    wkVec3d half = wkSceneVec(0.5, 0.5, 0.5), origin = wkSceneVec(0.0, 0.0, 0.0);
    wkAabb box = {wkSceneSub(center, half), wkSceneAdd(center, half)};
    return wkFloatBoxAround(&box, origin);
}

static bool openMoving(moving* m)
{
    memset(m, 0, sizeof *m);
    wkRng rng = wkMakeRng(SEED);
    for (int i = 0; i < 2; i++) {
        m->frames[i] = (wkDynLeaf*)calloc(BOX_COUNT, sizeof(wkDynLeaf));
        if (m->frames[i] == NULL) {
            return false;
        }
    }
    for (int32_t name = 0; name < BOX_COUNT; name++) {
        wkVec3d center = randomVec(&rng, REACH);
        m->frames[0][name].name = m->frames[1][name].name = name;
        m->frames[0][name].box = boxAbout(center);
        m->frames[1][name].box = boxAbout(wkSceneAdd(center, randomVec(&rng, STEP)));
    }
    return wkDynTree_Create(&m->tree) == wk_ok &&
           wkDynTree_Build(m->tree, m->frames[0], BOX_COUNT, wk_dynFull) == wk_ok;
}

static void closeMoving(moving* m)
{
    wkDynTree_Destroy(m->tree);
    free(m->frames[0]);
    free(m->frames[1]);
}

// Every task but the last one brings the tree to the other frame.
static const wkDynLeaf* nextFrame(moving* m)
{
    m->frame = 1 - m->frame;
    return m->frames[m->frame];
}

static void buildFull(void* context)
{
    moving* m = (moving*)context;
    wkDynTree_Build(m->tree, nextFrame(m), BOX_COUNT, wk_dynFull);
}

static void buildFast(void* context)
{
    moving* m = (moving*)context;
    wkDynTree_Build(m->tree, nextFrame(m), BOX_COUNT, wk_dynFast);
}

static void moveEach(void* context)
{
    moving* m = (moving*)context;
    const wkDynLeaf* leaves = nextFrame(m);
    for (int32_t name = 0; name < BOX_COUNT; name++) {
        wkDynTree_Move(m->tree, name, leaves[name].box);
    }
}

static void insertEach(void* context)
{
    moving* m = (moving*)context;
    const wkDynLeaf* leaves = nextFrame(m);
    wkDynTree_Build(m->tree, NULL, 0, wk_dynFast);
    for (int32_t name = 0; name < BOX_COUNT; name++) {
        wkDynTree_Insert(m->tree, &leaves[name]);
    }
}

static bool countPair(int32_t a, int32_t b, void* context)
{
    (void)a;
    (void)b;
    ++((moving*)context)->found;
    return true;
}

static void findPairs(void* context)
{
    moving* m = (moving*)context;
    m->found = 0;
    wkDynTree_VisitPairs(m->tree, countPair, m);
}

// Pairs are found in the tree that the task before them left.
static const struct {
    const char* name;
    void (*pass)(void* context);
    bool isPairs;
} tasks[] = {
    {"build-full", buildFull, false},   {"build-full-pairs", findPairs, true},
    {"build-morton", buildFast, false}, {"build-morton-pairs", findPairs, true},
    {"insert", insertEach, false},      {"insert-pairs", findPairs, true},
    {"move", moveEach, false},          {"move-pairs", findPairs, true},
};

// Pairs of the frame that the tree is at, found in a tree of its own.
static long expectedPairs(const moving* m)
{
    moving other = *m;
    other.tree = NULL;
    if (wkDynTree_Create(&other.tree) == wk_ok &&
        wkDynTree_Build(other.tree, m->frames[m->frame], BOX_COUNT, wk_dynFull) == wk_ok) {
        findPairs(&other);
    }
    wkDynTree_Destroy(other.tree);
    return other.found;
}

void wkRunMovingTreeRows(wkBench* bench)
{
    moving m;
    bool isOpen = !bench->isListing && openMoving(&m);
    for (size_t i = 0; i < sizeof tasks / sizeof *tasks; i++) {
        wkBenchRow row;
        memset(&row, 0, sizeof row);
        snprintf(row.name, sizeof row.name, "tree/100k/%s", tasks[i].name);
        bool isWanted = wkBench_Wants(bench, row.name);
        if (!isOpen) {
            continue;
        }
        if (!isWanted) {
            tasks[i].pass(&m);
            continue;
        }
        wkBenchSide side = {.pass = tasks[i].pass, .context = &m};
        wkMeasure(&side, 1, 1, BLOCKS);
        row.unit = "ns";
        row.ours = side.median;
        row.spread = wkBlockSpread(&side, BLOCKS);
        row.n = BOX_COUNT;
        row.wrong = tasks[i].isPairs && m.found != expectedPairs(&m) ? 1 : 0;
        wkBench_Emit(bench, &row);
    }
    if (!bench->isListing) {
        closeMoving(&m);
    }
}
