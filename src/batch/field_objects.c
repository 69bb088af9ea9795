// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The objects of a scene in a field: boxes where these represent the object exactly, and which sides
// of the robot may touch which objects.

#include "batch/field_build.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/field_cloud.h"
#include "geom/convex.h"
#include "math/frame.h"
#include "tree/bvh/tree_view.h"

#include "whisker/detail/counts.h"

#include <float.h>
#include <string.h>

// Rounding of the distance between a point and a box, both in floats, as a share of their
// coordinates: a dozen roundings of half a unit each.
#define FLOAT_SHARE 0x1p-20

// The same in doubles, with a reserve for solvers.
#define DOUBLE_SHARE 1e-12
#define DOUBLE_SLACK 1e-9

// Boxes with a rounding of more than this share of the reach are queried as shapes.
#define MAX_SLACK_SHARE 1e-3

// A box with any pose and size, in doubles.
typedef struct placedBox {
    wkMat3d axes;     // in the world
    wkVec3d position; // of its frame, relative to the origin of the field
    double lower[3];  // along its axes, may be infinite
    double upper[3];
} placedBox;

wkAabb wkField_BoundsOfSlot(const wkField* field, int32_t slotIndex)
{
    wkAabb box = wkScene_WorldBoxAt(field->scene->world, slotIndex);
    wkAabb local = {wkSub(box.lower, field->origin), wkSub(box.upper, field->origin)};
    return local;
}

static void setEnds(placedBox* box, wkVec3d half)
{
    const double halves[3] = {half.x, half.y, half.z};
    for (int k = 0; k < 3; ++k) {
        box->lower[k] = -halves[k];
        box->upper[k] = halves[k];
    }
}

static void placeSphere(const wkShape* shape, placedBox* box)
{
    (void)shape;
    setEnds(box, wkVec(0.0, 0.0, 0.0));
}

static void placeCapsule(const wkShape* shape, placedBox* box)
{
    setEnds(box, wkVec(0.0, 0.0, shape->capsule.halfLength));
}

static void placeBox(const wkShape* shape, placedBox* box)
{
    setEnds(box, shape->box.half);
}

// The third axis is the normal.
static void placeHalfspace(const wkShape* shape, placedBox* box)
{
    wkVec3d normal = shape->halfspace.normal, u = {0.0, 0.0, 0.0}, v = {0.0, 0.0, 0.0};
    wkTangents(normal, &u, &v);
    wkMat3d rotated = {wkMulMV(&box->axes, u), wkMulMV(&box->axes, v), wkMulMV(&box->axes, normal)};
    box->axes = rotated;
    setEnds(box, wkVec(INFINITY, INFINITY, INFINITY));
    box->upper[2] = shape->halfspace.offset;
}

static void placePlane(const wkShape* shape, placedBox* box)
{
    placeHalfspace(shape, box);
    box->upper[2] = box->lower[2] = shape->plane.offset;
}

// Converts shapes that are boxes with a swept sphere; NULL for all others.
typedef void placeFcn(const wkShape* shape, placedBox* box);
static placeFcn* const placeTable[WK_SHAPE_TYPE_COUNT] = {
    [wk_shapeSphere] = placeSphere, [wk_shapeCapsule] = placeCapsule,     [wk_shapeBox] = placeBox,
    [wk_shapePlane] = placePlane,   [wk_shapeHalfspace] = placeHalfspace,
};

// Clips a box to the space within reach of the region, so that floats are exact enough for the rest.
// @return false when nothing is left
static bool cutBox(placedBox* box, const wkFieldRegion* region, double reach)
{
    wkVec3d middle = wkMulTMV(&box->axes, wkSub(region->middle, box->position));
    const double middles[3] = {middle.x, middle.y, middle.z};
    double wide = region->radius + reach;
    for (int k = 0; k < 3; ++k) {
        box->lower[k] = wkMaxD(box->lower[k], middles[k] - wide);
        box->upper[k] = wkMinD(box->upper[k], middles[k] + wide);
        if (!(box->lower[k] <= box->upper[k])) {
            return false;
        }
    }
    return true;
}

// @return false when floats are too coarse for it
static bool narrowBox(const placedBox* from, double sphere, const wkFieldRegion* region,
                      double reach, wkFieldBox* box)
{
    wkVec3d middle =
        wkVec(0.5 * (from->lower[0] + from->upper[0]), 0.5 * (from->lower[1] + from->upper[1]),
              0.5 * (from->lower[2] + from->upper[2]));
    wkVec3d center = wkAdd(from->position, wkMulMV(&from->axes, middle));
    wkVec3d half =
        wkVec(0.5 * (from->upper[0] - from->lower[0]), 0.5 * (from->upper[1] - from->lower[1]),
              0.5 * (from->upper[2] - from->lower[2]));
    double size = wkSumAbs(region->middle) + region->radius + reach + wkSumAbs(center) +
                  wkSumAbs(half) + fabs(sphere);
    double slack = FLOAT_SHARE * size + DOUBLE_SHARE * wkSumAbs(from->position);
    if (!(slack <= MAX_SLACK_SHARE * reach)) {
        return false;
    }
    const wkMat3d* m = &from->axes;
    const double rows[3][3] = {
        {m->x.x, m->y.x, m->z.x}, {m->x.y, m->y.y, m->z.y}, {m->x.z, m->y.z, m->z.z}};
    for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < 3; ++k) {
            box->row[axis][k] = (float)rows[axis][k];
        }
        box->row[axis][3] = (float)wkAlongAxis(&half, axis);
        box->center[axis] = (float)wkAlongAxis(&center, axis);
    }
    box->sphere = (float)(sphere + slack);
    return true;
}

bool wkField_MakeBox(const wkField* field, const wkFieldRegion* region, const wkFrame* frame,
                     const double lower[3], const double upper[3], double sphere, wkFieldBox* box)
{
    placedBox placed = {frame->rotation,
                        frame->position,
                        {lower[0], lower[1], lower[2]},
                        {upper[0], upper[1], upper[2]}};
    memset(box, 0, sizeof *box);
    return narrowBox(&placed, sphere, region, field->reach + fabs(sphere), box);
}

// Returns whether the bounds of an object are within reach of the region.
static bool isNearRegion(const wkField* field, const wkFieldRegion* region, int32_t slotIndex)
{
    wkAabb bounds = wkField_BoundsOfSlot(field, slotIndex);
    for (int k = 0; k < 3; ++k) {
        double gap = wkMaxD(wkAlongAxis(&region->box.lower, k) - wkAlongAxis(&bounds.upper, k),
                            wkAlongAxis(&bounds.lower, k) - wkAlongAxis(&region->box.upper, k));
        if (gap > field->reach) {
            return false;
        }
    }
    return true;
}

// Classifies an object.
// @return false when it is too far from the region to matter
static bool describe(const wkField* field, const wkFieldRegion* region, int32_t slotIndex,
                     wkFieldObject* object, wkFieldBox* box)
{
    wkShape copy;
    const wkShape* shape = wkField_ShapeOfSlot(field, slotIndex, &copy);
    const wkPose* pose = wkScene_ObjectAt(field->scene->world, slotIndex).pose;
    double sphere = wkShapeRadius(shape);
    object->slotIndex = slotIndex;
    object->rule = -1;
    object->map = -1;
    object->isBox = object->isPiece = false;
    object->isFine = shape->type < WK_CONVEX_TYPE_COUNT;
    object->slack =
        DOUBLE_SLACK + DOUBLE_SHARE * (wkSumAbs(field->origin) + wkSumAbs(pose->position) +
                                       wkSumAbs(region->middle) + region->radius);
    memset(box, 0, sizeof *box); // entries that are not boxes are bounded too, with results unused
    if (placeTable[shape->type] != NULL) {
        placedBox placed;
        placed.axes = wkMatFromQuat(pose->rotation);
        placed.position = wkSub(pose->position, field->origin);
        placeTable[shape->type](shape, &placed);
        double reach = field->reach + fabs(sphere);
        if (!cutBox(&placed, region, reach)) {
            return false;
        }
        object->isBox = narrowBox(&placed, sphere, region, reach, box);
    }
    return true;
}

static bool isThere(const wkField* field, int32_t slotIndex)
{
    wkSceneObject object = wkScene_ObjectAt(field->scene->world, slotIndex);
    return object.shape != NULL && !object.isEmpty;
}

// Returns the rule row of the object that a slot belongs to; -1: it has no rules.
static int32_t ruleOfSlot(const wkField* field, int32_t slotIndex, const int32_t* ruleOfObject)
{
    return ruleOfObject[field->scene->slots[slotIndex].object];
}

// Copies the rules of the objects that have some.
static void copyRules(wkField* field, int32_t* ruleOfObject)
{
    const wkRobotScene* scene = field->scene;
    int32_t count = 0;
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        ruleOfObject[i] = -1;
        if (scene->table.objects[i].hasRules && scene->table.objects[i].link < 0) {
            memcpy(&field->allowed[(size_t)count * (size_t)field->wordCount],
                   wkAllowedSides(scene, i), (size_t)field->wordCount * sizeof *field->allowed);
            ruleOfObject[i] = count++;
        }
    }
}

static int32_t countRules(const wkRobotScene* scene)
{
    int32_t count = 0;
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        count += scene->table.objects[i].hasRules && scene->table.objects[i].link < 0;
    }
    return count;
}

// Writes the near objects into the arrays, boxes without rules first.
static void fillObjects(wkField* field, const wkFieldRegion* region, const int32_t* ruleOfObject,
                        wkFieldObject* found, wkFieldBox* boxes)
{
    int32_t slotCount = wkScene_SlotCount(field->scene->world), foundCount = 0;
    for (int32_t slotIndex = 0; slotIndex < slotCount; ++slotIndex) {
        if (!isThere(field, slotIndex) || !isNearRegion(field, region, slotIndex)) {
            continue;
        }
        if (wkFieldCloud_Fits(field, slotIndex)) {
            wkCloudObject cloud = {slotIndex, ruleOfSlot(field, slotIndex, ruleOfObject)};
            field->cloudObjects[field->cloudCount++] = cloud;
        } else if (describe(field, region, slotIndex, &found[foundCount], &boxes[foundCount])) {
            found[foundCount].rule = ruleOfSlot(field, slotIndex, ruleOfObject);
            field->plainCount += found[foundCount].isBox && found[foundCount].rule < 0;
            ++foundCount;
        }
    }
    int32_t plain = 0, other = field->plainCount;
    for (int32_t i = 0; i < foundCount; ++i) {
        int32_t to = found[i].isBox && found[i].rule < 0 ? plain++ : other++;
        field->objects[to] = found[i];
        field->boxes[to] = boxes[i];
    }
    field->objectCount = foundCount;
}

wkResult wkField_TakeObjects(wkField* field, const wkFieldRegion* region)
{
    const wkRobotScene* scene = field->scene;
    field->objectCapacity = wkScene_SlotCount(scene->world);
    size_t n = (size_t)field->objectCapacity, objectCount = (size_t)scene->objectCount;
    field->ruleCount = countRules(scene);
    field->wordCount = scene->ruleWordCount;
    field->allowedWordCount = (field->ruleCount + 1) * field->wordCount;
    field->appliesWordCount = (int32_t)((WK_FIELD_LAYERS + 1) * wkField_AppliesWords(field));
    field->objects = (wkFieldObject*)wkAlloc((n + 1) * sizeof *field->objects);
    field->boxes = (wkFieldBox*)wkAlloc((n + 1) * sizeof *field->boxes);
    field->cloudCapacity = (int32_t)n + 1;
    field->cloudObjects = (wkCloudObject*)wkAlloc((n + 1) * sizeof *field->cloudObjects);
    field->allowed = (uint64_t*)wkAlloc(wkField_RuleBytes(field));
    wkFieldObject* found = (wkFieldObject*)wkAlloc(n * sizeof *found);
    wkFieldBox* boxes = (wkFieldBox*)wkAlloc(n * sizeof *boxes);
    int32_t* ruleOfObject = (int32_t*)wkAlloc(objectCount * sizeof *ruleOfObject);
    wkResult result = wk_ok;
    if (field->objects == NULL || field->boxes == NULL || field->cloudObjects == NULL ||
        field->allowed == NULL || found == NULL || boxes == NULL || ruleOfObject == NULL) {
        result = wkFail(wk_errorMemory, "field: no memory for %d objects", (int)n);
    } else {
        copyRules(field, ruleOfObject);
        fillObjects(field, region, ruleOfObject, found, boxes);
    }
    if (result == wk_ok && field->objectCount > WK_FIELD_MAX_OBJECTS) {
        result = wkFail(wk_errorRange, "field: more than %d shapes", (int)WK_FIELD_MAX_OBJECTS);
    }
    wkFree(ruleOfObject, objectCount * sizeof *ruleOfObject);
    wkFree(boxes, n * sizeof *boxes);
    wkFree(found, n * sizeof *found);
    return result;
}

void wkField_FreeObjects(wkField* field)
{
    size_t n = (size_t)field->objectCapacity + 1;
    wkFree(field->boxes, n * sizeof *field->boxes);
    wkFree(field->objects, n * sizeof *field->objects);
}

// Sets a bit for each object with rules that a side must not touch.
static void appliesTo(const wkField* field, int32_t side, uint64_t* row)
{
    memset(row, 0, wkField_AppliesWords(field) * sizeof *row);
    for (int32_t rule = 0; rule < field->ruleCount; ++rule) {
        const uint64_t* allowed = &field->allowed[(size_t)rule * (size_t)field->wordCount];
        wkSetBit(row, rule, !wkHasBit(allowed, side));
    }
}

wkResult wkField_MakeLayers(wkField* field)
{
    size_t words = wkField_AppliesWords(field);
    field->sideCount = field->wordCount * 64;
    field->layerOfSide = (uint8_t*)wkAlloc((size_t)field->sideCount);
    field->applies = (uint64_t*)wkAlloc((WK_FIELD_LAYERS + 1) * words * sizeof *field->applies);
    if (field->layerOfSide == NULL || field->applies == NULL) {
        return wkFail(wk_errorMemory, "field: no memory for %d sides", (int)field->sideCount);
    }
    // the last row is scratch for the current side
    uint64_t* row = &field->applies[WK_FIELD_LAYERS * words];
    for (int32_t side = 0; side < field->sideCount; ++side) {
        appliesTo(field, side, row);
        int32_t layer = 0;
        while (layer < field->layerCount &&
               (field->layers[layer].isMixed ||
                memcmp(&field->applies[(size_t)layer * words], row, words * sizeof *row) != 0)) {
            ++layer;
        }
        if (layer == field->layerCount && layer < WK_FIELD_LAYERS) {
            uint64_t* own = &field->applies[(size_t)layer * words];
            memcpy(own, row, words * sizeof *row);
            field->layers[layer].appliesAt = own - field->applies;
            ++field->layerCount;
        } else if (layer == field->layerCount) {
            layer = WK_FIELD_LAYERS - 1;
            field->layers[layer].isMixed = true;
        }
        field->layerOfSide[side] = (uint8_t)layer;
    }
    return wk_ok;
}
