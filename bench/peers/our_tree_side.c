// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whisker's side of the rows about dynamic trees. Leaves and boxes of floats are made before the
// clock starts, as the objects of others are.

#include "peers/tree_peer.h"

#include "tree/dynamic/dyn_tree.h"

#include <stdlib.h>
#include <string.h>

typedef struct treeJob {
    wkTreeJob job;
    wkDynQuality quality;
    wkDynLeaf* leaves;
    wkFloatBox* queries;
    wkDynTree* tree;
    wkAnswer* answers;
    long found;
} treeJob;

static bool count(int32_t name, void* context)
{
    (void)name;
    ++*(long*)context;
    return true;
}

static double ask(treeJob* t, int query)
{
    t->found = 0;
    wkDynTree_VisitBox(t->tree, &t->queries[query], count, &t->found);
    return (double)t->found;
}

static bool build(treeJob* t)
{
    return wkDynTree_Build(t->tree, t->leaves, t->job.boxCount, t->quality) == wk_ok;
}

static void closeTree(void* handle)
{
    treeJob* t = (treeJob*)handle;
    wkDynTree_Destroy(t->tree);
    free(t->leaves);
    free(t->queries);
    free(t);
}

static void* openTree(const wkTreeJob* job, int level, wkAnswer* answers)
{
    treeJob* t = (treeJob*)calloc(1, sizeof *t);
    if (t == NULL) {
        return NULL;
    }
    t->job = *job;
    t->quality = (wkDynQuality)level;
    t->answers = answers;
    t->leaves = (wkDynLeaf*)calloc((size_t)job->boxCount + 1, sizeof *t->leaves);
    t->queries = (wkFloatBox*)calloc((size_t)job->queryCount + 1, sizeof *t->queries);
    if (t->leaves == NULL || t->queries == NULL || wkDynTree_Create(&t->tree) != wk_ok) {
        closeTree(t);
        return NULL;
    }
    wkVec3d origin = {0.0, 0.0, 0.0};
    for (int i = 0; i < job->boxCount; i++) {
        t->leaves[i].box = wkFloatBoxAround(&job->boxes[i], origin);
        t->leaves[i].name = i;
    }
    for (int i = 0; i < job->queryCount; i++) {
        t->queries[i] = wkFloatBoxAround(&job->queries[i], origin);
    }
    if (!build(t)) {
        closeTree(t);
        return NULL;
    }
    return t;
}

static void passTree(void* handle)
{
    treeJob* t = (treeJob*)handle;
    if (t->job.isBuilt) {
        for (int i = 0; i < t->job.queryCount; i++) {
            t->answers[i] = ask(t, i);
        }
        return;
    }
    double sum = build(t) && t->job.queryCount == 0 ? wkDynTree_Count(t->tree) : 0.0;
    for (int i = 0; i < t->job.queryCount; i++) {
        sum += ask(t, i);
    }
    t->answers[0] = sum;
}

const wkTreePeer wkOurTreeSides[2] = {
    [wk_dynFast] = {"whisker", "morton", wk_dynFast, openTree, passTree, closeTree},
    [wk_dynFull] = {"whisker", "full", wk_dynFull, openTree, passTree, closeTree},
};
