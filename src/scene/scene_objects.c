// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Adds, removes, moves and changes objects. Every change is complete when its function returns; the
// broad phase is changed by updates.

#include "base/cookie.h"
#include "base/error.h"
#include "geom/convex.h"
#include "query/pair/shape_class.h"
#include "scene/scene_impl.h"
#include "simd/narrow.h"

#include <inttypes.h>
#include <string.h>

#define LARGEST_COORDINATE 1e60
// Rounding bound of a sum of a few numbers, relative to the largest, with a margin.
#define SUM_ROUNDING 4e-15
// The first generation of a slot: scenes with other tags start at other values.
#define FIRST_GENERATION(tag) (1u + ((uint32_t)(tag) << 24))

wkObjectDef wkDefaultObjectDef(void)
{
    wkObjectDef def;
    memset(&def, 0, sizeof def);
    def.pose = wkIdentityPose();
    def.category = 1u;
    def.mask = UINT32_MAX;
    def.cookie = WK_COOKIE(wkObjectDef);
    return def;
}

// Reports why no object has an id.
WK_RARE_FN void reportMissing(const wkScene* scene, wkObjectId id, const char* caller)
{
    uint32_t there = (uint32_t)id.bits, generation = (uint32_t)(id.bits >> 32);
    bool isKnown = there < (uint32_t)scene->slotCount;
    uint32_t next = isKnown ? scene->table.slots[there].generation : 0u;
    bool wasHere = isKnown && generation < next && generation >= FIRST_GENERATION(scene->def.tag);
    wkFail(wk_errorArgument, "%s: %s 0x%" PRIx64, caller,
           wkObjectId_IsNull(id) ? "no object has the id"
           : wasHere             ? "the object was removed that had the id"
                                 : "this scene never gave out the id",
           id.bits);
}

int32_t wkFindSlot(const wkScene* scene, wkObjectId id, const char* caller)
{
    int32_t slotIndex = wkSlotOfId(scene, id);
    if (WK_UNLIKELY(slotIndex < 0)) {
        reportMissing(scene, id, caller);
    }
    return slotIndex;
}

// False for NaN too.
static bool isNear(wkVec3d position)
{
    return (fabs(position.x) <= LARGEST_COORDINATE) & (fabs(position.y) <= LARGEST_COORDINATE) &
           (fabs(position.z) <= LARGEST_COORDINATE);
}

static wkResult checkPose(const char* caller, wkPose pose)
{
    if (!wkIsValidPose(pose)) {
        return wkFail(wk_errorNotFinite, "%s: pose is not finite, or its rotation is zero", caller);
    }
    if (!isNear(pose.position)) {
        return wkFail(wk_errorRange, "%s: pose.position is beyond %g", caller, LARGEST_COORDINATE);
    }
    return wk_ok;
}

wkResult wkCheckObject(const wkObjectDef* def)
{
    if (!WK_HAS_COOKIE(def, wkObjectDef)) {
        return WK_FAIL_COOKIE(def, wkObjectDef);
    }
    wkResult result = wkShape_Check(&def->shape);
    return result == wk_ok ? checkPose("object", def->pose) : result;
}

// One unit in the last place, which exceeds the error of rounding to the nearest float.
static wkQuad stepOf(wkQuad nearest)
{
    return wkMaxQuad(nearest, -nearest) * FLT_EPSILON + FLT_MIN;
}

// Sets a box beyond the range of float.
WK_RARE_FN void setLargeBox(wkObjectRow* row, wkVec3d from, wkVec3d slack, const wkAabb* around)
{
    wkAabb box = {wkSub(wkAdd(from, around->lower), slack),
                  wkAdd(wkAdd(from, around->upper), slack)};
    wkFloatBox largest = wkFloatBoxAround(&box, wkVec(0.0, 0.0, 0.0));
    memcpy(row->lower, largest.lower, sizeof row->lower);
    memcpy(row->upper, largest.upper, sizeof row->upper);
}

// Sets the box that candidates are tested by, rounded outward: x and y side by side, and both ends
// along z.
WK_FORCE_FN void setBox(wkScene* scene, int32_t slotIndex, wkVec3d position, const wkAabb* around)
{
    wkObjectRow* row = &scene->table.rows[slotIndex];
    wkVec3d origin = scene->def.origin, from = wkSub(position, origin);
    wkVec3d slack = wkScale(SUM_ROUNDING, wkAdd(wkAbs(position), wkAbs(origin)));
    wkTwin fromXy = wkMakeTwin(from.x, from.y), slackXy = wkMakeTwin(slack.x, slack.y);
    wkTwin lower = fromXy + wkMakeTwin(around->lower.x, around->lower.y) - slackXy;
    wkTwin upper = fromXy + wkMakeTwin(around->upper.x, around->upper.y) + slackXy;
    wkTwin alongZ = wkTwinOf(from.z) + wkMakeTwin(around->lower.z, around->upper.z) +
                    wkMakeTwin(-slack.z, slack.z);
    wkQuad low = wkNarrow(lower, alongZ), high = wkNarrow(upper, wkSwapTwin(alongZ));
    wkQuad largest = wkMaxQuad(wkMaxQuad(low, -low), wkMaxQuad(high, -high));
    if (WK_UNLIKELY(wkQuadMask(largest < FLT_MAX) != 0xfu)) {
        setLargeBox(row, from, slack, around);
        return;
    }
    low = wkQuadWithBits(low - stepOf(low), row->category);
    high = wkQuadWithBits(high + stepOf(high), row->mask);
    memcpy(row, &low, sizeof low);
    memcpy((char*)row + sizeof low, &high, sizeof high);
}

// Sets a pose and what depends on it.
WK_FORCE_FN void setPose(wkScene* scene, int32_t slotIndex, const wkPose* pose)
{
    wkObjectTable* table = &scene->table;
    wkObjectBody* body = &table->bodies[slotIndex];
    wkAabb around =
        wkRotateExtent(&table->extents[slotIndex], &table->shapes[slotIndex], pose->rotation);
    setBox(scene, slotIndex, pose->position, &around);
    body->pose = *pose;
    body->around = around;
}

static void setFilter(wkScene* scene, int32_t slotIndex)
{
    const wkObjectBody* body = &scene->table.bodies[slotIndex];
    wkObjectRow* row = &scene->table.rows[slotIndex];
    bool isEmpty = scene->table.slots[slotIndex].isEmpty;
    row->category = isEmpty ? 0u : body->category;
    row->mask = isEmpty ? 0u : body->mask;
}

// Sets a shape, whose filter and pose are known, and what depends on it.
static void setShape(wkScene* scene, int32_t slotIndex, const wkShape* shape, const wkPose* pose)
{
    scene->table.slots[slotIndex].stamp = ++scene->stampCount;
    scene->table.shapes[slotIndex] = *shape;
    scene->table.extents[slotIndex] = wkMakeExtent(shape);
    scene->table.slots[slotIndex].isEmpty = wkIsEmptyShape(shape);
    wkScene_Mark(scene, slotIndex);
    setFilter(scene, slotIndex);
    setPose(scene, slotIndex, pose);
}

static bool isSameRotation(wkQuat a, wkQuat b)
{
    return (a.x == b.x) & (a.y == b.y) & (a.z == b.z) & (a.w == b.w);
}

// Takes a free slot; capacity for one is reserved.
static int32_t takeSlot(wkScene* scene)
{
    int32_t slotIndex = scene->freeSlot;
    if (slotIndex < 0) {
        slotIndex = scene->slotCount++;
        scene->table.slots[slotIndex].generation = FIRST_GENERATION(scene->def.tag);
    } else {
        scene->freeSlot = scene->table.slots[slotIndex].next;
        scene->lastFreeSlot = scene->freeSlot < 0 ? -1 : scene->lastFreeSlot;
    }
    return slotIndex;
}

static void releaseSlot(wkScene* scene, int32_t slotIndex)
{
    wkObjectSlot* slot = &scene->table.slots[slotIndex];
    slot->generation += slot->generation == UINT32_MAX ? 2u : 1u; // 0 is no generation
    slot->next = -1;
    if (scene->lastFreeSlot >= 0) {
        scene->table.slots[scene->lastFreeSlot].next = slotIndex;
    } else {
        scene->freeSlot = slotIndex;
    }
    scene->lastFreeSlot = slotIndex;
}

static wkObjectId putObject(wkScene* scene, const wkObjectDef* def)
{
    int32_t slotIndex = takeSlot(scene);
    wkObjectBody* body = &scene->table.bodies[slotIndex];
    body->user = def->user;
    body->category = def->category;
    body->mask = def->mask;
    wkObjectSlot* slot = &scene->table.slots[slotIndex];
    slot->mark = -1;
    setShape(scene, slotIndex, &def->shape, &def->pose);
    slot->next = WK_SLOT_IN_USE;
    slot->waiting = -1;
    slot->isPlaced = false;
    ++scene->objectCount;
    return wkIdOfSlot(scene, slotIndex);
}

wkResult wkScene_ReserveMore(wkScene* scene, int32_t count)
{
    if (count > INT32_MAX - scene->objectCount) {
        return wkFail(wk_errorRange, "scene: more than %d objects", (int)INT32_MAX);
    }
    return wkScene_Reserve(scene, scene->objectCount + count);
}

wkResult wkScene_Add(wkScene* scene, const wkObjectDef* def, wkObjectId* id)
{
    if (scene == NULL || id == NULL) {
        return wkFail(wk_errorArgument, "scene: scene or id is NULL");
    }
    *id = wk_nullObjectId;
    wkResult result = wkCheckObject(def);
    result = result == wk_ok ? wkScene_ReserveMore(scene, 1) : result;
    if (result == wk_ok) {
        *id = putObject(scene, def);
        wkScene_Watch(scene, wkSlotInId(*id));
    }
    return result;
}

wkResult wkScene_AddMany(wkScene* scene, const wkObjectDef* defs, int32_t count, wkObjectId* ids)
{
    if (scene == NULL || count < 0 || (defs == NULL && count > 0)) {
        return wkFail(wk_errorArgument, "scene: scene or defs is NULL, or count is negative");
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < count && result == wk_ok; ++i) {
        result = wkCheckObject(&defs[i]);
    }
    result = result == wk_ok ? wkScene_ReserveMore(scene, count) : result;
    for (int32_t i = 0; i < count; ++i) {
        wkObjectId id = result == wk_ok ? putObject(scene, &defs[i]) : wk_nullObjectId;
        if (ids != NULL) {
            ids[i] = id;
        }
        if (result == wk_ok) {
            wkScene_Enlist(scene, wkSlotInId(id));
        }
    }
    if (result == wk_ok) {
        wkScene_Update(scene);
    }
    return result;
}

wkResult wkScene_Remove(wkScene* scene, wkObjectId id)
{
    int32_t slotIndex = wkFindSlot(scene, id, "wkScene_Remove");
    if (slotIndex < 0) {
        return wk_errorArgument;
    }
    wkScene_Forget(scene, slotIndex);
    wkScene_Unmark(scene, slotIndex);
    releaseSlot(scene, slotIndex);
    --scene->objectCount;
    return wk_ok;
}

// A move that rotates the object.
WK_APART_FN wkResult rotateObject(wkScene* scene, int32_t slotIndex, const wkPose* pose)
{
    bool isValid = isNear(pose->position) && wkIsValidRotation(pose->rotation);
    wkResult result = WK_LIKELY(isValid) ? wk_ok : checkPose("wkScene_Move", *pose);
    if (result == wk_ok) {
        setPose(scene, slotIndex, pose);
        wkScene_Watch(scene, slotIndex);
    }
    return result;
}

wkResult wkScene_Move(wkScene* scene, wkObjectId id, wkPose pose)
{
    int32_t slotIndex = wkFindSlot(scene, id, "wkScene_Move");
    if (slotIndex < 0) {
        return wk_errorArgument;
    }
    wkObjectBody* body = &scene->table.bodies[slotIndex];
    if (!isSameRotation(pose.rotation, body->pose.rotation) || !isNear(pose.position)) {
        return rotateObject(scene, slotIndex, &pose);
    }
    // most moves have no rotation: the bounds translate
    body->pose.position = pose.position;
    setBox(scene, slotIndex, pose.position, &body->around);
    wkScene_Watch(scene, slotIndex);
    return wk_ok;
}

wkResult wkScene_SetShape(wkScene* scene, wkObjectId id, const wkShape* shape)
{
    int32_t slotIndex = wkFindSlot(scene, id, "wkScene_SetShape");
    if (slotIndex < 0) {
        return wk_errorArgument;
    }
    wkResult result = wkShape_Check(shape);
    if (result == wk_ok) {
        wkPose pose = scene->table.bodies[slotIndex].pose;
        setShape(scene, slotIndex, shape, &pose);
        // even when it fits into the old box, which may be far too large now
        wkScene_Enlist(scene, slotIndex);
        wkScene_UpdateWhenLong(scene, false);
    }
    return result;
}

wkResult wkScene_SetFilter(wkScene* scene, wkObjectId id, uint32_t category, uint32_t mask)
{
    int32_t slotIndex = wkFindSlot(scene, id, "wkScene_SetFilter");
    if (slotIndex < 0) {
        return wk_errorArgument;
    }
    wkObjectBody* body = &scene->table.bodies[slotIndex];
    body->category = category;
    body->mask = mask;
    setFilter(scene, slotIndex);
    return wk_ok;
}

bool wkScene_Has(const wkScene* scene, wkObjectId id)
{
    return wkSlotOfId(scene, id) >= 0;
}

wkResult wkScene_Get(const wkScene* scene, wkObjectId id, wkObjectDef* def)
{
    int32_t slotIndex = wkFindSlot(scene, id, "wkScene_Get");
    if (slotIndex < 0) {
        return wk_errorArgument;
    }
    const wkObjectBody* body = &scene->table.bodies[slotIndex];
    def->shape = scene->table.shapes[slotIndex];
    def->pose = body->pose;
    def->category = body->category;
    def->mask = body->mask;
    def->user = body->user;
    def->cookie = WK_COOKIE(wkObjectDef);
    return wk_ok;
}

int32_t wkScene_Count(const wkScene* scene)
{
    return scene->objectCount;
}

wkObjectId wkScene_Next(const wkScene* scene, wkObjectId previous)
{
    int64_t slotIndex = wkObjectId_IsNull(previous) ? 0 : (int64_t)(uint32_t)previous.bits + 1;
    for (; slotIndex < scene->slotCount; ++slotIndex) {
        if (scene->table.slots[slotIndex].next == WK_SLOT_IN_USE) {
            return wkIdOfSlot(scene, (int32_t)slotIndex);
        }
    }
    return wk_nullObjectId;
}
