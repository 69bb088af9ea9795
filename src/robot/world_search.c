// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight members at a time against the objects around the robot.

#include "robot/world_search.h"

#include "base/lanes.h"

#include <string.h>

WK_DEFINE_LANES(wkMeetGroupFcn, wkMeetGroup)

// Those of eight members that are there and looked for.
static unsigned wantedLanes(const wkWorldSearch* search, int32_t first)
{
    int32_t left = search->scene->crew->crew->count - first;
    unsigned lanes = left >= WK_BODY_LANES ? 0xffu : (1u << left) - 1u;
    if (search->members != NULL) {
        lanes &= (unsigned)(search->members[first / 64] >> (first % 64)) & 0xffu;
    }
    return lanes;
}

// Takes the boxes of eight members, with nothing where a lane is not wanted.
static void takeGroup(wkWorldSearch* search)
{
    const wkPlaced* placed = &search->state->placed;
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

// Makes the boxes larger by what their members reach. None becomes smaller: what is inside of it may
// be as thin as nothing.
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

// The least of eight, in halves so that lanes can be used.
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

static wkFloatBox boxAround(const wkMemberGroup* group)
{
    wkFloatBox box;
    for (int axis = 0; axis < 3; ++axis) {
        box.lower[axis] = leastOf(group->lower[axis]);
        box.upper[axis] = greatestOf(group->upper[axis]);
    }
    return box;
}

static bool judgePlace(const wkWorldSearch* search, int32_t place)
{
    const wkScene* world = search->scene->world;
    wkFloatBox box = wkBoxOfRow(&world->table.rows[place]);
    // a box without end meets even what is nowhere
    unsigned lanes = wkMeetGroupOfMachine()(&search->group, &box) & search->lanes;
    for (; lanes != 0; lanes &= lanes - 1) {
        int32_t member = search->first + __builtin_ctz(lanes);
        if (!wkMayTouchPlace(search->scene, member, place) &&
            !search->fcn(member, place, search->context)) {
            return false;
        }
    }
    return true;
}

static bool judgeKnown(int32_t place, void* context)
{
    const wkWorldSearch* search = (const wkWorldSearch*)context;
    return search->scene->world->table.slots[place].waiting >= 0 || judgePlace(search, place);
}

static bool judgeWaiting(const wkWorldSearch* search)
{
    const wkScene* world = search->scene->world;
    for (int32_t i = 0; i < world->waitingCount; ++i) {
        if (!judgePlace(search, world->table.waiting[i])) {
            return false;
        }
    }
    return true;
}

bool wkVisitWorld(wkWorldSearch* search)
{
    const wkScene* world = search->scene->world;
    if (world->objectCount == 0) {
        return true;
    }
    bool isGrown = search->margin > 0.0 || search->reach != NULL;
    int32_t count = search->scene->crew->crew->count;
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
        if (!judgeWaiting(search) ||
            !world->row->visitBox(world->broad, &around, judgeKnown, search)) {
            return false;
        }
    }
    return true;
}

// The sieve of a map; NULL when there are too many maps.
static wkMapSieve* sieveOf(const wkScene* world, int32_t place, wkWorldSieves* sieves)
{
    for (int32_t i = 0; i < sieves->count; ++i) {
        if (sieves->places[i] == place) {
            return &sieves->sieves[i];
        }
    }
    if (sieves->count == WK_SIEVE_COUNT) {
        return NULL;
    }
    wkMapSieve* sieve = &sieves->sieves[sieves->count];
    wkMapSieve_Init(sieve, &world->table.shapes[place], &world->table.bodies[place].pose);
    sieves->places[sieves->count++] = place;
    return sieve;
}

static wkVec3d cornerOf(float* const* corners, int32_t member)
{
    return wkVec((double)corners[0][member], (double)corners[1][member],
                 (double)corners[2][member]);
}

bool wkMayReachPlace(const wkRobotScene* scene, const wkRobotState* state, int32_t member,
                     int32_t place, double reach, wkWorldSieves* sieves)
{
    const wkScene* world = scene->world;
    sieves->near = NULL;
    if (world->table.shapes[place].type != wk_shapeOctree) {
        return true;
    }
    wkMapSieve* sieve = sieveOf(world, place, sieves);
    if (sieve == NULL) {
        return true;
    }
    wkVec3d origin = world->def.origin;
    wkAabb box = {wkAdd(origin, cornerOf(state->placed.lower, member)),
                  wkAdd(origin, cornerOf(state->placed.upper, member))};
    // without cells in it nothing is known
    sieve->near.count = 0;
    bool mayReach = wkMapSieve_Passes(sieve, &box, reach);
    sieves->near = sieve->near.count > 0 ? &sieve->near : NULL;
    return mayReach;
}

// What rounding may do to a distance, and to one between large coordinates.
#define BALL_SLACK 1e-9
#define COORDINATE_SHARE 1e-14

bool wkIsBeyondObject(const wkRobotScene* scene, const wkRobotState* state, int32_t member,
                      int32_t place, double margin)
{
    const wkExtent* extent = &scene->world->table.extents[place];
    const wkObjectBody* body = &scene->world->table.bodies[place];
    const wkCrew* crew = scene->crew->crew;
    const wkCrewMember* m = &crew->members[member];
    wkPose pose = wkCrewPose(crew, state, member);
    // bounds have the turned middle of the extent in theirs
    wkVec3d middle = wkMiddle(body->around.lower, body->around.upper);
    wkVec3d way = wkSub(wkAdd(body->pose.position, middle), pose.position);
    wkQuat back = {-pose.rotation.x, -pose.rotation.y, -pose.rotation.z, pose.rotation.w};
    wkVec3d beyond = wkSub(wkAbs(wkSub(wkRotateByUnit(back, way), m->middle)), m->half);
    beyond = wkMax(beyond, wkVec(0.0, 0.0, 0.0));
    double size = wkSumAbs(body->pose.position) + wkSumAbs(pose.position) + wkSumAbs(m->middle);
    double reach = sqrt(wkDot(extent->half, extent->half)) + extent->disc + extent->ball +
                   wkPositive(margin) + BALL_SLACK + COORDINATE_SHARE * size;
    // never where the extent is not known
    if (wkDot(beyond, beyond) > reach * reach) {
        return true;
    }
    // a ball is no better as a box
    double wider = extent->ball + extent->disc;
    wkTurnedBox box = wkTurnedBoxOf(m, &pose);
    wkTurnedBox object = {wkMatFromQuat(body->pose.rotation), wkAdd(body->pose.position, middle),
                          wkAdd(extent->half, wkVec(wider, wider, extent->ball))};
    return extent->half.z > 0.0 && wkAreBoxesApart(&box, &object, margin, size);
}
