// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// cost/<map>/<what>: the cells of a real map that a robot's links meet, as boxes, at places and on ways
// through it; a question is all links. No peer has costs of this kind. The occupied cells of a place are
// compared with those that all leaves of the map give, one by one. Maps come from the data folder; rows without theirs are
// left out.

#include "bench.h"
#include "measure.h"

#include "../tests/scenes/links.h"
#include "../tests/scenes/scene_math.h"

#include "whisker/cost.h"
#include "whisker/io.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEED 41u
#define POSE_COUNT 10
#define WAY_POSES 4
#define WAY_STEP 0.05 // metres, of the base

static const struct {
    const char* name;
    const char* path;
} maps[] = {
    {"geb079", "geb079.bt"},
    {"office1_5cm", "derived/office1_5cm.ot"},
};

// A robot at places in a map.
typedef struct costCase {
    wkOctree* octree;
    wkShape map;
    wkShape shapes[WK_LINK_COUNT]; // boxes about the links
    wkPose (*poses)[WK_LINK_COUNT];
    wkCost* cost;
    wkVec3d step; // from one pose of a way to the next
    int poseCount;
    double volumes[POSE_COUNT]; // weighted, of the last pass
    wkResult result;
} costCase;

static void closeCase(costCase* c)
{
    wkCost_Destroy(c->cost);
    wkOctree_Destroy(c->octree);
    free(c->poses);
}

// A box of about the size of a link.
static wkShape boxAbout(const wkLink* link)
{
    if (!link->isMesh) {
        wkAabb box = wkShape_Bounds(&link->shape, wkIdentityPose());
        wkVec3d size = wkSceneSub(box.upper, box.lower);
        return wkMakeBox(size.x, size.y, size.z);
    }
    double side = 2.0 * wkModel_Radius(&link->model) / sqrt(3.0);
    return wkMakeBox(side, side, side);
}

// Robots stand on what the map knows, well inside.
static void placeRobots(costCase* c, const wkLinks* links)
{
    wkRng rng = wkMakeRng(SEED);
    wkAabb bounds = wkOctree_Info(c->octree).bounds;
    for (int i = 0; i < POSE_COUNT; i++) {
        wkVec3d index = {wkRngRange(&rng, bounds.lower.x, bounds.upper.x),
                         wkRngRange(&rng, bounds.lower.y, bounds.upper.y), bounds.lower.z};
        wkLinks_Pose(links, &rng, index, c->poses[i]);
    }
    for (int i = 0; i < WK_LINK_COUNT; i++) {
        c->shapes[i] = boxAbout(&links->links[i]);
    }
}

static bool openCase(costCase* c, const char* row, const char* path)
{
    memset(c, 0, sizeof *c);
    if (wkOctree_Load(path, &c->octree) != wk_ok || wkCost_Create(NULL, &c->cost) != wk_ok) {
        fprintf(stderr, "%s: left out: %s\n", row, wkGetLastError());
        closeCase(c);
        return false;
    }
    c->map = wkMakeOctree(c->octree);
    c->step = (wkVec3d){WAY_STEP, 0.5 * WAY_STEP, 0.0};
    c->poses = calloc(POSE_COUNT, sizeof *c->poses);
    wkLinks* links = calloc(1, sizeof *links);
    bool isReady = c->poses != NULL && links != NULL && wkLinks_Make(links);
    if (isReady) {
        placeRobots(c, links);
    }
    if (links != NULL) {
        wkLinks_Free(links);
    }
    free(links);
    if (!isReady) {
        closeCase(c);
    }
    return isReady;
}

// What all links meet at each place, or on the way from it.
static void passPoses(void* context)
{
    costCase* c = (costCase*)context;
    for (int i = 0; i < POSE_COUNT; i++) {
        wkCost_Clear(c->cost);
        for (int k = 0; k < WK_LINK_COUNT; k++) {
            wkPose way[WAY_POSES];
            for (int step = 0; step < c->poseCount; step++) {
                way[step] = c->poses[i][k];
                way[step].position = wkSceneAdd(way[step].position, wkSceneScale(c->step, step));
            }
            wkResult result = wkCost_AddMotion(c->cost, &c->map, wkIdentityPose(), &c->shapes[k],
                                               way, c->poseCount);
            c->result = result == wk_ok ? c->result : result;
        }
        c->volumes[i] = wkCost_Info(c->cost).weightedVolume;
    }
}

static bool isMet(const costCase* c, int index, wkVec3d center, double size)
{
    wkShape cube = wkMakeBox(size, size, size);
    wkPose pose = wkMakePose(center.x, center.y, center.z);
    for (int k = 0; k < WK_LINK_COUNT; k++) {
        if (wkCollide(&c->shapes[k], c->poses[index][k], &cube, pose, NULL).isTouching) {
            return true;
        }
    }
    return false;
}

// Single cells of a leaf that a robot at that place meets.
static long countMet(const costCase* c, int index, const wkCell* leaf)
{
    if (!isMet(c, index, leaf->center, leaf->size)) {
        return 0;
    }
    int edge = 1 << (WK_OCTREE_DEPTH - leaf->depth);
    double size = leaf->size / edge;
    wkVec3d half = {0.5 * leaf->size, 0.5 * leaf->size, 0.5 * leaf->size};
    wkVec3d vertex = wkSceneSub(leaf->center, half);
    long count = 0;
    for (int i = 0; i < edge * edge * edge; i++) {
        int x = i % edge, y = i / edge % edge, z = i / edge / edge;
        wkVec3d steps = {x + 0.5, y + 0.5, z + 0.5};
        count += isMet(c, index, wkSceneAdd(vertex, wkSceneScale(steps, size)), size) ? 1 : 0;
    }
    return count;
}

// Occupied cells that are met and not counted, or the other way round.
static long countWrong(const costCase* c, int index)
{
    wkCost* cost = NULL;
    wkCostDef def = wkDefaultCostDef();
    def.countsUnknown = false;
    def.minProbability = wkOctree_Def(c->octree).occupiedProbability;
    if (wkCost_Create(&def, &cost) != wk_ok) {
        return 1;
    }
    for (int k = 0; k < WK_LINK_COUNT; k++) {
        wkCost_AddShape(cost, &c->map, wkIdentityPose(), &c->shapes[k], c->poses[index][k]);
    }
    long count = (long)wkCost_Info(cost).cellCount;
    wkCost_Destroy(cost);
    wkCellRequest filter = wkDefaultCellRequest();
    filter.wantsFree = false;
    wkCellIterator leaves = wkOctree_Cells(c->octree, &filter);
    for (wkCell leaf; wkCellIterator_Next(&leaves, &leaf);) {
        count -= countMet(c, index, &leaf);
    }
    return labs(count);
}

static void runMap(wkBench* bench, const char* name, costCase* c, int poseCount)
{
    c->poseCount = poseCount;
    wkBenchSide side = {.pass = passPoses, .context = c};
    wkMeasure(&side, 1, POSE_COUNT, bench->blockCount);
    wkBenchRow row = {.unit = "ns", .n = POSE_COUNT};
    snprintf(row.name, sizeof row.name, "%s", name);
    row.ours = side.median;
    row.spread = wkBlockSpread(&side, bench->blockCount);
    row.wrong = (c->result != wk_ok ? 1 : 0) + countWrong(c, 0);
    wkBench_Emit(bench, &row);
}

void wkRunCostRows(wkBench* bench)
{
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++) {
        char poseRow[WK_ROW_NAME_CAPACITY], ways[WK_ROW_NAME_CAPACITY], path[1024];
        snprintf(poseRow, sizeof poseRow, "cost/%s/place", maps[i].name);
        snprintf(ways, sizeof ways, "cost/%s/way", maps[i].name);
        const char* folder = getenv("WHISKER_DATA");
        snprintf(path, sizeof path, "%s/octomap/%s", folder != NULL ? folder : WK_DATA_FOLDER,
                 maps[i].path);
        bool wantsPoses = wkBench_Wants(bench, poseRow), wantsWays = wkBench_Wants(bench, ways);
        costCase c;
        if (!(wantsPoses || wantsWays) || !openCase(&c, poseRow, path)) {
            continue;
        }
        if (wantsPoses) {
            runMap(bench, poseRow, &c, 1);
        }
        if (wantsWays) {
            runMap(bench, ways, &c, WAY_POSES);
        }
        closeCase(&c);
    }
}
