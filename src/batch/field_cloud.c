// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Creation of a cloud on the grid of a field: its boxes, then cubes of two bricks along each edge, each a task,
// then the words of all cells.

#include "batch/field_cloud.h"

#include "base/error.h"
#include "base/isa_table.h"
#include "base/memory.h"
#include "batch/batch_reach.h"
#include "batch/field_cloud_kernel.h"
#include "geom/convex.h"
#include "tree/cloud/cloud_impl.h"

#include "whisker/detail/library.h"

#include <string.h>

WK_DEFINE_LANES(const wkFieldCloudLanes, wkFieldCloudLanes)

// Rounding of the position of a point and of its distance from another one, both in floats, as a share of
// their coordinates: a dozen roundings of half a unit each.
#define FLOAT_SHARE 0x1p-20

// Clouds with a rounding of more than this share of the reach are queried as shapes.
#define MAX_SLACK_SHARE 1e-3

// Rounding of a coordinate of a cell.
#define CELL_FLOAT_ROUNDING 0x1p-21f

// Mean edge of the boxes of entries, in cells, and how many of them are measured.
#define ENTRY_CELLS 5.0
#define ENTRY_SAMPLES 256

// Octets that a task places.
#define PLACED_OCTETS 256

// Returns the rounding of distances from the points of a cloud in the frame of the field.
static double slackOf(const wkField* field, int32_t slotIndex)
{
    wkSceneObject object = wkScene_ObjectAt(field->scene->world, slotIndex);
    const wkCloud* cloud = object.shape->cloud;
    double size = wkMaxAbs(cloud->bounds.lower) + wkMaxAbs(cloud->bounds.upper) +
                  wkSumAbs(wkSub(object.pose->position, field->origin)) + field->reach;
    return FLOAT_SHARE * size + 1e-15 * wkSumAbs(object.pose->position);
}

bool wkFieldCloud_Fits(const wkField* field, int32_t slotIndex)
{
    const wkShape* shape = wkScene_ObjectAt(field->scene->world, slotIndex).shape;
    return shape->type == wk_shapeCloud && shape->cloud->pointCount > 0 &&
           slackOf(field, slotIndex) <= MAX_SLACK_SHARE * field->reach;
}

static bool isStraight(const wkMat3d* m)
{
    return m->x.x == 1.0 && m->y.y == 1.0 && m->z.z == 1.0;
}

// Sets everything but the arrays.
static void describe(const wkField* field, const wkFieldGrid* grid, int32_t slotIndex,
                     wkFieldCloud* cloud)
{
    wkShape copy;
    const wkShape* shape = wkField_ShapeOfSlot(field, slotIndex, &copy);
    const wkPose* pose = wkScene_ObjectAt(field->scene->world, slotIndex).pose;
    cloud->holderCount = 1;
    cloud->cloud = shape->cloud;
    cloud->stamp = wkScene_StampAt(field->scene->world, slotIndex);
    cloud->pose = *pose;
    cloud->origin = field->origin;
    cloud->reach = field->reach;
    cloud->slotIndex = slotIndex;
    cloud->frame = wkFrameFromPose(*pose);
    cloud->frame.position = wkSub(pose->position, field->origin);
    cloud->isStraight = isStraight(&cloud->frame.rotation);
    bool hasRadii = shape->cloud->radiusOffset != 0;
    cloud->sphere = (float)(wkShapeRadius(shape) + (hasRadii ? 0.0 : shape->cloud->radius));
    cloud->slack = wkRoundUp(slackOf(field, slotIndex) + 0x1p-23 * (double)cloud->sphere);
    cloud->grid = *grid;
    cloud->grid.words = NULL;
}

// Counts the octets of all levels, up to one that is alone in its level.
static void planLevels(wkFieldCloud* cloud)
{
    int32_t count = WK_GROUP_COUNT(cloud->cloud->pointCount), first = 0;
    do {
        count = WK_GROUP_COUNT(count);
        cloud->firsts[cloud->levelCount++] = first;
        first += count;
    } while (count > 1);
    cloud->firsts[cloud->levelCount] = first;
}

static wkResult takeMemory(wkFieldCloud* cloud)
{
    cloud->wordBytes = wkField_WordBytes(&cloud->grid);
    cloud->octetBytes = (size_t)cloud->firsts[cloud->levelCount] * sizeof *cloud->octets;
    cloud->pointBytes = (size_t)cloud->firsts[cloud->levelCount] * sizeof *cloud->points;
    cloud->brickBytes = ((size_t)wkField_BrickCount(&cloud->grid) + 1) * sizeof *cloud->bricks;
    cloud->words = (uint32_t*)wkAlloc(cloud->wordBytes);
    cloud->octets = (wkCloudOctet*)wkAlloc(cloud->octetBytes);
    cloud->points = (wkOctetPoints*)wkAlloc(cloud->pointBytes);
    cloud->bricks = (uint32_t*)wkAlloc(cloud->brickBytes);
    return cloud->words != NULL && cloud->octets != NULL && cloud->points != NULL &&
                   cloud->bricks != NULL
               ? wk_ok
               : wkFail(wk_errorMemory, "field: no memory for a cloud of %d points",
                        (int)cloud->cloud->pointCount);
}

static void placeOctets(void* context, int32_t task)
{
    wkFieldCloud* cloud = (wkFieldCloud*)context;
    int32_t end = (task + 1) * PLACED_OCTETS;
    end = end < cloud->firsts[1] ? end : cloud->firsts[1];
    for (int32_t i = task * PLACED_OCTETS; i < end; ++i) {
        cloud->lanes->placeOctet(cloud, i, &cloud->octets[i], &cloud->points[i]);
    }
}

// Sets a box around the boxes of an octet, with one of their points.
static void setAround(const wkFieldCloud* cloud, int32_t below, int32_t octet, int slot)
{
    const wkCloudOctet* boxes = &cloud->octets[below];
    const wkOctetPoints* points = &cloud->points[below];
    int count = 1;
    while (count < WK_OCTET && points->at[0][count] < 0.5f * WK_FAR_AWAY) {
        ++count;
    }
    for (int axis = 0; axis < 3; ++axis) {
        float lower = boxes->lower[axis][0], upper = boxes->upper[axis][0];
        for (int i = 1; i < count; ++i) {
            lower = boxes->lower[axis][i] < lower ? boxes->lower[axis][i] : lower;
            upper = boxes->upper[axis][i] > upper ? boxes->upper[axis][i] : upper;
        }
        cloud->octets[octet].lower[axis][slot] = lower;
        cloud->octets[octet].upper[axis][slot] = upper;
        cloud->points[octet].at[axis][slot] = points->at[axis][count / 2];
    }
}

static void setFarAway(const wkFieldCloud* cloud, int32_t octet, int slot)
{
    for (int axis = 0; axis < 3; ++axis) {
        cloud->octets[octet].lower[axis][slot] = cloud->octets[octet].upper[axis][slot] =
            cloud->points[octet].at[axis][slot] = WK_FAR_AWAY;
    }
}

static void placeLevels(wkFieldCloud* cloud)
{
    for (int level = 1; level < cloud->levelCount; ++level) {
        int32_t first = cloud->firsts[level], end = cloud->firsts[level + 1];
        for (int32_t i = 0; i < (end - first) * WK_OCTET; ++i) {
            int32_t below = cloud->firsts[level - 1] + i, octet = first + i / WK_OCTET;
            if (below < first) {
                setAround(cloud, below, octet, i % WK_OCTET);
            } else {
                setFarAway(cloud, octet, i % WK_OCTET);
            }
        }
    }
}

// Chooses the level of entries: a few boxes that are about as large as a sphere of a robot, to descend from.
static void chooseEntryLevel(wkFieldCloud* cloud)
{
    double enough = ENTRY_CELLS * (double)cloud->grid.size, mean = 0.0;
    for (int level = 0; level < cloud->levelCount && mean < enough; ++level) {
        int32_t count = 0;
        double sum = 0.0;
        int32_t step = 1 + (cloud->firsts[level + 1] - cloud->firsts[level]) / ENTRY_SAMPLES;
        for (int32_t i = cloud->firsts[level]; i < cloud->firsts[level + 1]; i += step, ++count) {
            const wkCloudOctet* octet = &cloud->octets[i];
            double edge = 0.0;
            for (int axis = 0; axis < 3; ++axis) {
                edge = wkMaxD(edge, (double)(octet->upper[axis][0] - octet->lower[axis][0]));
            }
            sum += edge;
        }
        mean = sum / count;
        cloud->entryLevel = level;
    }
}

static int32_t cubeCount(const wkCloudBuild* build)
{
    return build->cubes[0] * build->cubes[1] * build->cubes[2];
}

static void cellOfCube(const wkCloudBuild* build, int32_t cube, int32_t cell[3])
{
    cell[0] = cube % build->cubes[0] * WK_CLOUD_CUBE;
    cell[1] = cube / build->cubes[0] % build->cubes[1] * WK_CLOUD_CUBE;
    cell[2] = cube / (build->cubes[0] * build->cubes[1]) * WK_CLOUD_CUBE;
}

static int32_t brickOf(const wkFieldGrid* grid, const int32_t cell[3], int part)
{
    const int32_t at[3] = {cell[0] / WK_FIELD_SPLIT + part % 2,
                           cell[1] / WK_FIELD_SPLIT + part / 2 % 2,
                           cell[2] / WK_FIELD_SPLIT + part / 4};
    for (int axis = 0; axis < 3; ++axis) {
        if (at[axis] >= grid->count[axis] / WK_FIELD_SPLIT) {
            return -1;
        }
    }
    return at[0] +
           grid->count[0] / WK_FIELD_SPLIT * (at[1] + grid->count[1] / WK_FIELD_SPLIT * at[2]);
}

// Returns whether spheres can be in a cube of cells.
static bool isReached(const wkCloudBuild* build, const int32_t cell[3], int32_t cells)
{
    const wkFieldGrid* grid = build->grid;
    double lower[3], upper[3];
    for (int axis = 0; axis < 3; ++axis) {
        lower[axis] = (double)grid->lower[axis] + (double)grid->size * cell[axis];
        upper[axis] = lower[axis] + (double)grid->size * cells;
    }
    return build->reachCells == NULL || wkReach_Meets(build->reachCells, lower, upper);
}

// Returns bits of the bricks of a cube that are inside the grid and that spheres can be in.
static unsigned reachedParts(const wkCloudBuild* build, const int32_t cell[3])
{
    unsigned parts = 0;
    for (int part = 0; part < WK_FIELD_EIGHT && isReached(build, cell, WK_CLOUD_CUBE); ++part) {
        const int32_t first[3] = {cell[0] + part % 2 * WK_FIELD_SPLIT,
                                  cell[1] + part / 2 % 2 * WK_FIELD_SPLIT,
                                  cell[2] + part / 4 * WK_FIELD_SPLIT};
        int32_t brick = brickOf(build->grid, cell, part);
        if (brick >= 0 && isReached(build, first, WK_FIELD_SPLIT)) {
            parts |= 1u << part;
            build->isBounded[brick] = 1;
        }
    }
    return parts;
}

static void makeCube(const wkCloudBuild* build, int32_t cube, wkCubeScratch* scratch)
{
    wkCubeEntries* made = &build->made[cube];
    int32_t cell[3];
    cellOfCube(build, cube, cell);
    unsigned parts = reachedParts(build, cell);
    if (parts == 0) {
        return;
    }
    build->cloud->lanes->boundCube(build, cell, parts, scratch, made);
    size_t byteCount = made->count * sizeof *made->entries;
    made->entries = byteCount > 0 ? (wkCloudEntry*)wkAlloc(byteCount) : NULL;
    made->hasFailed = byteCount > 0 && made->entries == NULL;
    if (made->entries != NULL) {
        memcpy(made->entries, scratch->entries, byteCount);
    }
}

// Makes a row of cubes, as a task: its scratch is large.
static void makeCubes(void* context, int32_t row)
{
    const wkCloudBuild* build = (const wkCloudBuild*)context;
    wkCubeScratch* scratch = (wkCubeScratch*)wkAlloc(sizeof *scratch);
    for (int32_t i = row * build->cubes[0]; i < (row + 1) * build->cubes[0]; ++i) {
        build->made[i].hasFailed = scratch == NULL;
        if (scratch != NULL) {
            makeCube(build, i, scratch);
        }
    }
    wkFree(scratch, sizeof *scratch);
}

// Counts the entries of the bricks of all cubes, or copies them. Bricks that no sphere was expected in have one
// entry that tells so.
static void gatherPass(const wkCloudBuild* build, bool isCopy)
{
    static const wkCloudEntry unbounded = {0, 0, WK_CLOUD_UNBOUNDED};
    wkFieldCloud* cloud = build->cloud;
    for (int32_t i = 0; i < cubeCount(build); ++i) {
        const wkCubeEntries* made = &build->made[i];
        const wkCloudEntry* from = made->entries;
        int32_t cell[3];
        cellOfCube(build, i, cell);
        for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
            int32_t brick = brickOf(build->grid, cell, part);
            uint32_t count = made->counts[part];
            if (brick >= 0 && build->isBounded[brick] == 0) {
                count = 1;
            }
            if (brick >= 0 && !isCopy) {
                cloud->bricks[brick] = count;
            } else if (brick >= 0 && count > 0) {
                memcpy(&cloud->entries[cloud->bricks[brick]],
                       build->isBounded[brick] == 0 ? &unbounded : from, count * sizeof *from);
            }
            from = from != NULL ? from + made->counts[part] : NULL;
        }
    }
}

// Concatenates the entries of all cubes, in the order of bricks.
static wkResult gatherEntries(const wkCloudBuild* build)
{
    wkFieldCloud* cloud = build->cloud;
    memset(cloud->bricks, 0, cloud->brickBytes);
    gatherPass(build, false);
    size_t total = 0;
    for (int32_t i = 0; i <= wkField_BrickCount(build->grid); ++i) {
        uint32_t here = cloud->bricks[i];
        cloud->bricks[i] = (uint32_t)total;
        total += here;
    }
    cloud->entryBytes = (total + 1) * sizeof *cloud->entries;
    cloud->entries = (wkCloudEntry*)(total < INT32_MAX ? wkAlloc(cloud->entryBytes) : NULL);
    if (cloud->entries == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %zu boxes of a cloud", total);
    }
    gatherPass(build, true);
    return wk_ok;
}

static void fillSlice(void* context, int32_t z)
{
    const wkCloudBuild* build = (const wkCloudBuild*)context;
    build->cloud->lanes->fillSlice(build, z + 1);
}

static void fillUnknown(const wkCloudBuild* build)
{
    size_t count = build->cloud->wordBytes / sizeof(uint32_t);
    for (size_t i = 0; i < count + WK_LANE_PADDING; ++i) {
        build->lower[i] = 0.0f;
        build->upper[i] = WK_CLOUD_FAR;
    }
    memset(build->cloud->words, 0, build->cloud->wordBytes);
}

// The outermost cells stand for the space beyond, which the layers know about.
static void clearOutermost(const wkCloudBuild* build)
{
    const int32_t* count = build->grid->count;
    uint32_t* row = build->cloud->words;
    for (int32_t z = 0; z < count[2]; ++z) {
        for (int32_t y = 0; y < count[1]; ++y, row += count[0]) {
            bool isOuter = z == 0 || z == count[2] - 1 || y == 0 || y == count[1] - 1;
            int32_t step = isOuter ? 1 : count[0] - 1;
            for (int32_t x = 0; x < count[0]; x += step) {
                row[x] = (uint32_t)(WK_FIELD_FAR | WK_FIELD_NONE << 8);
            }
        }
    }
}

static wkResult fillWords(wkCloudBuild* build, const wkParallel* parallel)
{
    int32_t count = cubeCount(build);
    fillUnknown(build);
    memset(build->made, 0, (size_t)count * sizeof *build->made);
    wkRunTasks(parallel, makeCubes, build, build->cubes[1] * build->cubes[2]);
    bool hasFailed = false;
    for (int32_t i = 0; i < count; ++i) {
        hasFailed = hasFailed || build->made[i].hasFailed;
    }
    wkResult result =
        hasFailed ? wkFail(wk_errorMemory, "field: no memory for a cloud") : gatherEntries(build);
    if (result == wk_ok) {
        wkRunTasks(parallel, fillSlice, build, build->grid->count[2] - 2);
        clearOutermost(build);
    }
    for (int32_t i = 0; i < count; ++i) {
        wkFree(build->made[i].entries, build->made[i].count * sizeof(wkCloudEntry));
    }
    return result;
}

static wkResult build(const wkField* field, wkFieldCloud* cloud, const wkParallel* parallel)
{
    const wkFieldGrid* grid = &cloud->grid;
    wkCloudBuild b;
    memset(&b, 0, sizeof b);
    b.cloud = cloud;
    b.grid = grid;
    b.reach = (float)field->reach;
    b.reachCells = field->reachCells;
    float largest = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        b.cubes[axis] = (grid->count[axis] + WK_CLOUD_CUBE - 1) / WK_CLOUD_CUBE;
        largest = fmaxf(largest, fabsf(grid->lower[axis]) + grid->size * (float)grid->count[axis]);
    }
    b.wider = (float)WK_CELL_ROUNDING * grid->size + CELL_FLOAT_ROUNDING * largest;
    double deepest = (double)(cloud->sphere + cloud->slack + b.wider) +
                     (cloud->cloud->radiusOffset != 0 ? cloud->cloud->maxRadius : 0.0);
    b.flatSteps =
        wkStepsBelow((float)((double)grid->bias - deepest), 1.0f / grid->step, WK_FIELD_FAR);
    int32_t octets = cloud->firsts[1];
    wkRunTasks(parallel, placeOctets, cloud, (octets + PLACED_OCTETS - 1) / PLACED_OCTETS);
    placeLevels(cloud);
    chooseEntryLevel(cloud);
    size_t madeBytes = (size_t)cubeCount(&b) * sizeof *b.made;
    size_t floatBytes = cloud->wordBytes + WK_LANE_PADDING * sizeof(float);
    size_t brickCount = (size_t)wkField_BrickCount(grid);
    b.lower = (float*)wkAlloc(2 * floatBytes);
    b.isBounded = b.lower != NULL ? (uint8_t*)wkAlloc(brickCount) : NULL;
    b.made = b.isBounded != NULL ? (wkCubeEntries*)wkAlloc(madeBytes) : NULL;
    wkResult result = wk_errorMemory;
    if (b.made != NULL) {
        b.upper = b.lower + floatBytes / sizeof(float);
        memset(b.isBounded, 0, brickCount);
        result = fillWords(&b, parallel);
    } else {
        result = wkFail(result, "field: no memory for a cloud");
    }
    wkFree(b.made, madeBytes);
    wkFree(b.isBounded, brickCount);
    wkFree(b.lower, 2 * floatBytes);
    return result;
}

wkResult wkFieldCloud_Create(const wkField* field, const wkFieldGrid* grid, int32_t slotIndex,
                             const wkFieldCloudLanes* lanes, const wkParallel* parallel,
                             wkFieldCloud** out)
{
    *out = NULL;
    wkFieldCloud* cloud = (wkFieldCloud*)wkAlloc(sizeof *cloud);
    if (cloud == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for a cloud");
    }
    memset(cloud, 0, sizeof *cloud);
    cloud->lanes = lanes;
    describe(field, grid, slotIndex, cloud);
    planLevels(cloud);
    wkResult result = takeMemory(cloud);
    result = result == wk_ok ? build(field, cloud, parallel) : result;
    if (result != wk_ok) {
        wkFieldCloud_Drop(cloud);
        return result;
    }
    *out = cloud;
    return wk_ok;
}

bool wkFieldCloud_IsSame(const wkFieldCloud* cloud, const wkField* field, const wkFieldGrid* grid,
                         int32_t slotIndex)
{
    const wkScene* world = field->scene->world;
    wkFieldGrid own = *grid;
    own.words = NULL;
    return cloud->slotIndex == slotIndex && cloud->stamp == wkScene_StampAt(world, slotIndex) &&
           memcmp(&cloud->pose, wkScene_ObjectAt(world, slotIndex).pose, sizeof cloud->pose) == 0 &&
           memcmp(&cloud->origin, &field->origin, sizeof cloud->origin) == 0 &&
           cloud->reach == field->reach && memcmp(&cloud->grid, &own, sizeof own) == 0;
}

void wkFieldCloud_Drop(wkFieldCloud* cloud)
{
    if (cloud != NULL && --cloud->holderCount == 0) {
        wkFree(cloud->entries, cloud->entryBytes);
        wkFree(cloud->bricks, cloud->brickBytes);
        wkFree(cloud->points, cloud->pointBytes);
        wkFree(cloud->octets, cloud->octetBytes);
        wkFree(cloud->words, cloud->wordBytes);
        wkFree(cloud, sizeof *cloud);
    }
}

size_t wkFieldCloud_ByteCount(const wkFieldCloud* cloud)
{
    return sizeof *cloud + cloud->wordBytes + cloud->octetBytes + cloud->pointBytes +
           cloud->brickBytes + cloud->entryBytes;
}

void wkFieldCloud_Merge(const wkFieldCloud* cloud, bool isCertain, uint32_t* words)
{
    cloud->lanes->merge(&cloud->grid, cloud->words, isCertain,
                        (int32_t)(cloud->wordBytes / sizeof *words), words);
}

bool wkFieldCloud_Touches(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                          float radius)
{
    return cloud->lanes->touches(cloud, brick, center, radius);
}

float wkFieldCloud_Distance(const wkFieldCloud* cloud, int32_t brick, const float center[3],
                            float limit)
{
    return cloud->lanes->distance(cloud, brick, center, limit);
}
