// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation, filling and lookup of maps of joint values. A map is filled from large boxes of joint values to
// small ones. A box in which the bodies are proven apart is set as a whole, and so is a box with bodies that touch
// at its middle and at its vertices.

#include "batch/self_map.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "batch/batch_impl.h"
#include "batch/self_sweep.h"
#include "math/angle.h"

#include "whisker/detail/library.h"

#include <string.h>

#define ALIGNMENT 64

// Radians or metres by which a cell is larger on either side than its share of the range: the tolerance of
// lookups, and the rounding of floats up to WK_MAP_REACH, which is below 5e-6.
#define CELL_SLACK 2e-5

// The first boxes are this many halvings of the range: what a task fills, and all of it in words of its own.
#define TASK_LEVELS 3
// Boxes of this many halvings and more count as touching where they do at all points that are tested.
#define TOUCHING_LEVELS 4
// Values of a joint that was left out, at which bodies have to touch.
#define SWEPT_VALUES 4
// Proofs of one task; when they are used up its other cells are open.
#define MOST_PROOFS 1000

_Static_assert(WK_MAP_PLANE_LEVELS - TASK_LEVELS >= 4 && WK_MAP_LINE_LEVELS - TASK_LEVELS >= 4,
               "two tasks would write the same word");

static size_t roundUp(size_t byteCount)
{
    return (byteCount + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

bool wkCanMapChain(const wkChain* chain)
{
    wkChain rest = *chain;
    bool isOfA = false, isSwept = chain->variableCount == WK_MAP_VARIABLES + 1;
    bool can = chain->variableCount >= 1 && (!isSwept || wkLeaveOuterJoint(&rest, &isOfA)) &&
               rest.variableCount <= WK_MAP_VARIABLES;
    for (int32_t i = 0; i < rest.variableCount && can; ++i) {
        can = rest.upper[i] > rest.lower[i] && fabs(rest.lower[i]) <= WK_MAP_REACH &&
              fabs(rest.upper[i]) <= WK_MAP_REACH;
    }
    return can;
}

static int32_t levelsOf(const wkSelfMap* map)
{
    return map->variableCount == 1 ? WK_MAP_LINE_LEVELS : WK_MAP_PLANE_LEVELS;
}

// A box of joint values: one of 2^level along each variable.
typedef struct mapBox {
    int32_t level;
    int32_t at[WK_MAP_VARIABLES];
} mapBox;

// The filling of a map by several tasks.
typedef struct filling {
    wkSelfMap* map;
    const wkSelfMapDef* def;
    wkChain chain; // of the map: without the joint that is left out
    double margin; // touching means a distance not above
    // the pairs that are proven apart: those of the definition, or of what bodies sweep
    const wkCollisionBody* const* provenA;
    const wkCollisionBody* const* provenB;
    int32_t provenCountA, provenCountB; // 0: the pairs of the definition
    int32_t leftOut;                    // index of the variable that is left out; -1: none
    double* rows;                       // a configuration of scratch for each task
    int32_t rowLength;
} filling;

typedef struct fillTask {
    const filling* all;
    wkChainPair bodies;
    int32_t last; // pair of bodies that decided last: likely to decide again
    int32_t proofCount;
} fillTask;

static int32_t countProven(const filling* all)
{
    return all->leftOut < 0 ? all->def->bodyPairCount : all->provenCountA * all->provenCountB;
}

// Returns whether all bodies are proven apart in a box.
static bool isApart(fillTask* task, const wkChainBox* box)
{
    const filling* all = task->all;
    int32_t count = countProven(all);
    task->bodies.chain = &all->chain;
    ++task->proofCount;
    for (int32_t i = 0; i < count; ++i) {
        int32_t number = (task->last + i) % count;
        if (all->leftOut < 0) {
            task->bodies.a = all->def->bodies[number].a;
            task->bodies.b = all->def->bodies[number].b;
        } else {
            task->bodies.a = all->provenA[number / all->provenCountB];
            task->bodies.b = all->provenB[number % all->provenCountB];
        }
        if (!wkIsChainBoxApart(&task->bodies, box)) {
            task->last = number;
            return false;
        }
    }
    return true;
}

// Returns whether two of the bodies touch.
// @param values of the variables of the map
// @param step of the joint that was left out: from 0 to SWEPT_VALUES
static bool isTouching(fillTask* task, const double* values, int step)
{
    const filling* all = task->all;
    const wkSelfMapDef* def = all->def;
    double complete[WK_MAP_VARIABLES + 1];
    for (int32_t i = 0, k = 0; i < def->chain.variableCount; ++i) {
        double lower = def->chain.lower[i], upper = def->chain.upper[i];
        bool isLeftOut = i == all->leftOut;
        complete[i] = isLeftOut ? lower + step * (upper - lower) / SWEPT_VALUES : values[k];
        k += isLeftOut ? 0 : 1;
    }
    task->bodies.chain = &def->chain;
    task->bodies.a = def->bodies[0].a;
    task->bodies.b = def->bodies[0].b;
    wkPlacedChain placed;
    wkPlaceChain(&task->bodies, complete, &placed);
    const wkChain* chain = &def->chain;
    wkPose identity = wkIdentityPose();
    const wkPose* endA = chain->countOfA > 0 ? &placed.poses[0] : &identity;
    const wkPose* endB =
        chain->countOfA < chain->jointCount ? &placed.poses[chain->jointCount - 1] : &identity;
    for (int32_t i = 0; i < def->bodyPairCount; ++i) {
        const wkCollisionBody *bodyA = def->bodies[i].a, *bodyB = def->bodies[i].b;
        wkStatus status;
        if (wkCollideBodies(bodyA, wkMulUnitPose(endA, &bodyA->inRigidGroup), bodyB,
                            wkMulUnitPose(endB, &bodyB->inRigidGroup), all->margin, &status)) {
            return true;
        }
    }
    return false;
}

static bool isTouchingAtAllAngles(fillTask* task, const double* values)
{
    bool isAll = true;
    for (int step = 0; step < (task->all->leftOut < 0 ? 1 : SWEPT_VALUES) && isAll; ++step) {
        isAll = isTouching(task, values, step);
    }
    return isAll;
}

static bool isTouchingAllOver(fillTask* task, const wkChainBox* box)
{
    int32_t variableCount = task->all->map->variableCount;
    bool isAll = isTouchingAtAllAngles(task, box->middle);
    for (int vertex = 0; vertex < 1 << variableCount && isAll; ++vertex) {
        double values[WK_MAP_VARIABLES];
        for (int32_t i = 0; i < variableCount; ++i) {
            values[i] = box->middle[i] + (vertex >> i & 1 ? box->half[i] : -box->half[i]);
        }
        isAll = isTouching(task, values, vertex % SWEPT_VALUES);
    }
    return isAll;
}

static wkChainBox valuesOf(const wkChain* chain, const mapBox* box)
{
    wkChainBox values = {.share = 1.0};
    for (int32_t i = 0; i < chain->variableCount; ++i) {
        double lower = chain->lower[i], upper = chain->upper[i];
        double size = (upper - lower) / (1 << box->level);
        values.middle[i] = lower + (box->at[i] + 0.5) * size;
        values.half[i] = 0.5 * size + CELL_SLACK;
    }
    return values;
}

// Sets the verdict of all cells of a box.
static void setCells(wkSelfMap* map, const mapBox* box, wkMapVerdict verdict)
{
    int32_t size = map->count >> box->level, rowCount = map->variableCount == 1 ? 1 : size;
    int32_t row = map->variableCount == 1 ? 0 : box->at[0] * size;
    int32_t column = box->at[map->variableCount - 1] * size;
    uint32_t* words = (uint32_t*)(void*)((char*)map + map->wordsAt);
    for (int32_t i = 0; i < rowCount; ++i) {
        for (int32_t k = 0; k < size; ++k) {
            int32_t cell = (row + i) * map->count + column + k;
            words[cell / WK_MAP_WORD_CELLS] |= (uint32_t)verdict << (cell % WK_MAP_WORD_CELLS * 2);
        }
    }
}

static void fillBox(fillTask* task, const mapBox* box)
{
    wkSelfMap* map = task->all->map;
    wkChainBox values = valuesOf(&task->all->chain, box);
    bool isSmallest = box->level == levelsOf(map);
    if (task->proofCount >= MOST_PROOFS) {
        return;
    }
    if (isApart(task, &values)) {
        setCells(map, box, wk_mapApart);
        return;
    }
    bool isTouchingHere = isSmallest
                              ? isTouchingAtAllAngles(task, values.middle)
                              : box->level >= TOUCHING_LEVELS && isTouchingAllOver(task, &values);
    if (isTouchingHere) {
        setCells(map, box, wk_mapTouching);
        return;
    }
    for (int part = 0; part < 1 << map->variableCount && !isSmallest; ++part) {
        mapBox half = {.level = box->level + 1};
        for (int32_t i = 0; i < map->variableCount; ++i) {
            half.at[i] = 2 * box->at[i] + (part >> i & 1);
        }
        fillBox(task, &half);
    }
}

static void runFillTask(void* context, int32_t number)
{
    const filling* all = (const filling*)context;
    fillTask task = {.all = all};
    task.bodies.margin = all->margin;
    task.bodies.q = all->rows + (ptrdiff_t)number * all->rowLength;
    mapBox box = {.level = TASK_LEVELS};
    box.at[0] = number % (1 << TASK_LEVELS);
    box.at[1] = number >> TASK_LEVELS;
    fillBox(&task, &box);
}

static wkResult runFilling(const wkBatch* batch, filling* all)
{
    int32_t taskCount = 1 << (TASK_LEVELS * all->map->variableCount);
    all->rowLength = batch->robot->info.variableCount;
    size_t byteCount = (size_t)taskCount * (size_t)all->rowLength * sizeof(double);
    all->rows = (double*)wkAlloc(byteCount);
    if (all->rows == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    memset(all->rows, 0, byteCount);
    wkRunTasks(batch->def.parallel, runFillTask, all, taskCount);
    wkFree(all->rows, byteCount);
    return wk_ok;
}

// Removes the outermost joint from the chain of a map, and replaces the bodies that it rotates.
// @return the number of cylinders
static int32_t sweepOuter(filling* all, wkCollisionBody* swept, const wkCollisionBody** list)
{
    const wkSelfMapDef* def = all->def;
    bool isOfA = false;
    wkLeaveOuterJoint(&all->chain, &isOfA);
    int32_t joint = isOfA ? 0 : def->chain.jointCount - 1;
    all->leftOut = def->chain.slots[joint];
    int32_t count = wkSweepBodies(isOfA ? def->ofA : def->ofB, isOfA ? def->countA : def->countB,
                                  &def->chain.robot->rigidGroups[def->chain.joints[joint]], swept);
    for (int32_t i = 0; i < count; ++i) {
        list[i] = &swept[i];
    }
    all->provenA = isOfA ? list : def->ofA;
    all->provenB = isOfA ? def->ofB : list;
    all->provenCountA = isOfA ? count : def->countA;
    all->provenCountB = isOfA ? def->countB : count;
    return count;
}

static wkResult fillMap(const wkBatch* batch, const wkSelfMapDef* def, wkSelfMap* map)
{
    filling all = {
        .map = map, .def = def, .chain = def->chain, .margin = batch->def.margin, .leftOut = -1};
    wkCollisionBody swept[WK_SWEPT_SLICES];
    const wkCollisionBody* list[WK_SWEPT_SLICES];
    if (def->chain.variableCount > WK_MAP_VARIABLES) {
        sweepOuter(&all, swept, list);
    }
    map->variableCount = all.chain.variableCount;
    map->count = 1 << levelsOf(map);
    map->settles = true;
    map->decides = all.leftOut < 0;
    for (int32_t i = 0; i < map->variableCount; ++i) {
        double scale = map->count / (all.chain.upper[i] - all.chain.lower[i]);
        map->variables[i] = all.chain.variables[i];
        map->lower[i] = (float)all.chain.lower[i];
        map->scale[i] = (float)scale;
        map->isWhole[i] = all.chain.isWhole[i];
        map->tolerance[i] = (float)(scale * WK_MAP_TOLERANCE);
    }
    return runFilling(batch, &all);
}

wkResult wkSelfMap_Create(const wkBatch* batch, const wkSelfMapDef* def, wkSelfMap** out)
{
    *out = NULL;
    size_t cells = def->chain.variableCount == 1 ? (size_t)1 << WK_MAP_LINE_LEVELS
                                                 : (size_t)1 << (2 * WK_MAP_PLANE_LEVELS);
    size_t wordsAt = roundUp(sizeof(wkSelfMap));
    size_t byteCount = wordsAt + cells / WK_MAP_WORD_CELLS * sizeof(uint32_t);
    char* memory = (char*)wkAlloc(byteCount);
    if (memory == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %zu bytes", byteCount);
    }
    memset(memory, 0, byteCount);
    wkSelfMap* map = (wkSelfMap*)(void*)memory;
    map->byteCount = byteCount;
    map->wordsAt = wordsAt;
    wkResult result = fillMap(batch, def, map);
    if (result != wk_ok) {
        wkSelfMap_Destroy(map);
        return result;
    }
    *out = map;
    return wk_ok;
}

void wkSelfMap_Destroy(wkSelfMap* map)
{
    if (map != NULL) {
        wkFree(map, map->byteCount);
    }
}

// Finds the cell of a value; the same as in wkFindMapCells.
// @return false: the value is not in the map
static bool findCell(const wkSelfMap* map, int32_t i, float value, int32_t* cell)
{
    if (!(fabsf(value) < (float)WK_MAP_REACH)) {
        return false;
    }
    if (map->isWhole[i]) {
        value -= value > (float)WK_PI    ? (float)(2.0 * WK_PI)
                 : value < -(float)WK_PI ? -(float)(2.0 * WK_PI)
                                         : 0.0f;
    }
    float at = (value - map->lower[i]) * map->scale[i];
    if (!(at > -map->tolerance[i] && at < (float)map->count + map->tolerance[i])) {
        return false;
    }
    *cell = (int32_t)fminf(fmaxf(at, 0.0f), (float)map->count - 0.5f);
    return true;
}

wkMapVerdict wkSelfMap_Find(const wkSelfMap* map, const double* q)
{
    int32_t number = 0;
    for (int32_t i = 0; i < map->variableCount; ++i) {
        int32_t cell = 0;
        if (!findCell(map, i, (float)q[map->variables[i]], &cell)) {
            return wk_mapOutside;
        }
        number = number * map->count + cell;
    }
    uint32_t word = wkMapWords(map)[number / WK_MAP_WORD_CELLS];
    return (wkMapVerdict)(word >> (number % WK_MAP_WORD_CELLS * 2) & 3u);
}
