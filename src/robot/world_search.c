// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tests eight bodies at a time against the objects around the robot.

#include "robot/world_search.h"

#include "base/isa_table.h"
#include "robot/moved_shapes.h"

#include <string.h>

WK_DEFINE_LANES(wkMeetGroupFcn, wkMeetGroup)

// Returns a bit for each of eight bodies that exists and is searched for.
static unsigned wantedLanes(const wkWorldSearch* search, int32_t first)
{
    int32_t left = search->scene->bodySet->bodySet->count - first;
    unsigned lanes = left >= WK_BODY_LANES ? 0xffu : (1u << left) - 1u;
    if (search->bodies != NULL) {
        lanes &= (unsigned)(search->bodies[first / 64] >> (first % 64)) & 0xffu;
    }
    return lanes;
}

// Copies the boxes of eight bodies; lanes that are not wanted get boxes that meet nothing.
static void takeGroup(wkWorldSearch* search)
{
    const wkBodyBoxes* placed = &search->state->placed;
    for (int axis = 0; axis < 3; ++axis) {
        const float* lower = &placed->lower[axis][search->first];
        const float* upper = &placed->upper[axis][search->first];
        if (WK_LIKELY(search->lanes == 0xffu)) {
            memcpy(search->group.lower[axis], lower, sizeof search->group.lower[axis]);
            memcpy(search->group.upper[axis], upper, sizeof search->group.upper[axis]);
            continue;
        }
        for (int i = 0; i < WK_BODY_LANES; ++i) {
            bool isWanted = (search->lanes >> i & 1u) != 0;
            search->group.lower[axis][i] = isWanted ? lower[i] : INFINITY;
            search->group.upper[axis][i] = isWanted ? upper[i] : -INFINITY;
        }
    }
}

// Grows the boxes by margin and reach. None shrinks for a negative margin: a body in it may have zero
// thickness.
static void growGroup(wkWorldSearch* search)
{
    for (int i = 0; i < WK_BODY_LANES; ++i) {
        double more = search->margin;
        more += search->reach != NULL ? (double)search->reach[search->first + i] : 0.0;
        more = wkPositive(more);
        for (int axis = 0; axis < 3; ++axis) {
            float* lower = &search->group.lower[axis][i];
            float* upper = &search->group.upper[axis][i];
            if (*lower <= *upper) {
                *lower = wkFloatBelow((double)*lower - more);
                *upper = wkFloatAbove((double)*upper + more);
            }
        }
    }
}

// Returns the minimum of eight values; the order of comparisons suits SIMD.
static float leastOf(const float* v)
{
    float halves[4];
    for (int i = 0; i < 4; ++i) {
        halves[i] = v[i] < v[i + 4] ? v[i] : v[i + 4];
    }
    float even = halves[0] < halves[2] ? halves[0] : halves[2];
    float odd = halves[1] < halves[3] ? halves[1] : halves[3];
    return even < odd ? even : odd;
}

static float greatestOf(const float* v)
{
    float halves[4];
    for (int i = 0; i < 4; ++i) {
        halves[i] = v[i] > v[i + 4] ? v[i] : v[i + 4];
    }
    float even = halves[0] > halves[2] ? halves[0] : halves[2];
    float odd = halves[1] > halves[3] ? halves[1] : halves[3];
    return even > odd ? even : odd;
}

static wkFloatBox boxAround(const wkEightBoxes* group)
{
    wkFloatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = leastOf(group->lower[axis]);
        box.upper[axis] = greatestOf(group->upper[axis]);
    }
    return box;
}

// Returns a bit for each of the bodies in `lanes` that has content of an object within reach. Its boxes have grown
// by that already.
static unsigned cullByContent(wkWorldSearch* search, int32_t slotIndex, unsigned lanes)
{
    const wkScene* world = search->scene->world;
    wkSceneObject object = wkScene_ObjectAt(world, slotIndex);
    if (lanes == 0 || !wkIsCulledInGroups(object.shape)) {
        return lanes;
    }
    if (search->culled != slotIndex) {
        wkGroupCull_Place(&search->cull, object.shape, object.pose);
        search->culled = slotIndex;
    }
    return wkGroupCull_Pass(&search->cull, &search->group, wkScene_Origin(world), 0.0, lanes);
}

// Visits the bodies in `lanes` with an object.
static bool visitLanes(wkWorldSearch* search, int32_t slotIndex, unsigned lanes)
{
    for (; lanes != 0; lanes &= lanes - 1) {
        int32_t bodyIndex = search->first + __builtin_ctz(lanes);
        if (!wkMayTouchSlot(search->scene, bodyIndex, slotIndex) &&
            !search->fcn(bodyIndex, slotIndex, search->context)) {
            return false;
        }
    }
    return true;
}

static bool classifyCandidate(const wkCandidate* candidate, void* context)
{
    wkWorldSearch* search = (wkWorldSearch*)context;
    int32_t slotIndex = candidate->slotIndex;
    if (wkFindMovedShape(search->state, slotIndex) != NULL) {
        return true;
    }
    // an unbounded box meets even the empty lanes, hence the mask
    unsigned lanes = wkMeetGroupOfMachine()(&search->group, &candidate->box) & search->lanes;
    return visitLanes(search, slotIndex, cullByContent(search, slotIndex, lanes));
}

// Objects that move are not where the scene has them: each is tested.
static bool visitMoved(wkWorldSearch* search)
{
    const wkMovedShapes* moved = search->state->moved;
    for (int32_t i = 0; i < moved->count; ++i) {
        const wkMovedShape* shape = &moved->shapes[i];
        unsigned lanes =
            wkMeetGroupOfMachine()(&search->group, &shape->boxInMotion) & search->lanes;
        if (!visitLanes(search, shape->slotIndex, lanes)) {
            return false;
        }
    }
    return true;
}

bool wkVisitWorld(wkWorldSearch* search)
{
    const wkScene* world = search->scene->world;
    if (!wkScene_HasObjects(world)) {
        return true;
    }
    search->culled = -1;
    bool isGrown = search->margin > 0.0 || search->reach != NULL;
    int32_t count = search->scene->bodySet->bodySet->count;
    for (int32_t first = 0; first < count; first += WK_BODY_LANES) {
        search->first = first;
        search->lanes = wantedLanes(search, first);
        if (search->lanes == 0) {
            continue;
        }
        takeGroup(search);
        if (isGrown) {
            growGroup(search);
        }
        wkFloatBox around = boxAround(&search->group);
        if (!wkScene_VisitCandidates(world, &around, classifyCandidate, search) ||
            (search->state->hasMoved && !visitMoved(search))) {
            return false;
        }
    }
    return true;
}

// Returns the cull of an object; NULL when there are too many.
static wkBoxCull* cullOf(const wkSceneObject* object, int32_t slotIndex, wkWorldCulls* culls)
{
    for (int32_t i = 0; i < culls->count; ++i) {
        if (culls->slots[i] == slotIndex) {
            return &culls->culls[i];
        }
    }
    if (culls->count == WK_CULL_COUNT) {
        return NULL;
    }
    wkBoxCull* cull = &culls->culls[culls->count];
    wkBoxCull_Place(cull, object->shape, object->pose);
    culls->slots[culls->count++] = slotIndex;
    return cull;
}

static wkVec3d vertexOf(float* const* vertices, int32_t bodyIndex)
{
    return wkVec((double)vertices[0][bodyIndex], (double)vertices[1][bodyIndex],
                 (double)vertices[2][bodyIndex]);
}

bool wkMayReachSlot(const wkRobotScene* scene, const wkRobotState* state, int32_t bodyIndex,
                    int32_t slotIndex, double reach, wkWorldCulls* culls)
{
    const wkScene* world = scene->world;
    culls->passed = NULL;
    wkSceneObject object = wkScene_ObjectAt(world, slotIndex);
    // culls are placed where the scene has the object
    if (!wkIsCulledByContent(object.shape) || wkFindMovedShape(state, slotIndex) != NULL) {
        return true;
    }
    wkBoxCull* cull = cullOf(&object, slotIndex, culls);
    if (cull == NULL) {
        return true;
    }
    wkVec3d origin = wkScene_Origin(world);
    wkAabb box = {wkAdd(origin, vertexOf(state->placed.lower, bodyIndex)),
                  wkAdd(origin, vertexOf(state->placed.upper, bodyIndex))};
    culls->passed = cull;
    return wkBoxCull_Passes(cull, &box, reach);
}

// Rounding of a distance, and its share of large coordinates.
#define SPHERE_SLACK 1e-9
#define COORDINATE_SHARE 1e-14

bool wkIsBeyondObject(const wkRobotScene* scene, const wkRobotState* state, int32_t bodyIndex,
                      int32_t slotIndex, double margin)
{
    if (wkFindMovedShape(state, slotIndex) != NULL) {
        return false;
    }
    wkSceneObject object = wkScene_ObjectAt(scene->world, slotIndex);
    const wkExtent* extent = object.extent;
    const wkBodySet* bodySet = scene->bodySet->bodySet;
    const wkCollisionBody* m = &bodySet->bodies[bodyIndex];
    wkPose pose = wkBodyPose(bodySet, state, bodyIndex);
    // the bounds are centered at the rotated middle of the extent
    wkVec3d middle = wkMiddle(object.around->lower, object.around->upper);
    wkVec3d way = wkSub(wkAdd(object.pose->position, middle), pose.position);
    wkQuat back = {-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w};
    wkVec3d beyond = wkSub(wkAbs(wkSub(wkRotateByUnit(back, way), m->middle)), m->half);
    beyond = wkMax(beyond, wkVec(0.0, 0.0, 0.0));
    double size = wkSumAbs(object.pose->position) + wkSumAbs(pose.position) + wkSumAbs(m->middle);
    double reach = sqrt(wkDot(extent->half, extent->half)) + extent->disc + extent->sphere +
                   wkPositive(margin) + SPHERE_SLACK + COORDINATE_SHARE * size;
    // never true where the extent is unknown
    if (wkDot(beyond, beyond) > reach * reach) {
        return true;
    }
    // the box of a sphere would cull no more
    double wider = extent->sphere + extent->disc;
    wkOrientedBox box = wkOrientedBoxOf(m, &pose);
    wkOrientedBox around = {wkMatFromQuat(object.pose->rotation),
                            wkAdd(object.pose->position, middle),
                            wkAdd(extent->half, wkVec(wider, wider, extent->sphere))};
    return extent->half.z > 0.0 && wkAreBoxesApart(&box, &around, margin, size);
}
