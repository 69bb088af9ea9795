// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot scene in memory: an inner scene of shapes, the body set of the robot, and who is who. A snapshot
// is a robot scene too. What a scene and its snapshots have in common is shared and counted; only the
// thread that writes looks at these counts.

#include "robot/body_set.h"
#include "robot/robot_names.h"
#include "scene/scene_impl.h"

// What stays the same about an object. One block of memory.
typedef struct wkRobotThing {
    int32_t holderCount; // the scene and snapshots that have it
    size_t byteCount;
    const char* name;
    const char* category;
    wkShape* shapes; // as given
    wkPose* poses;   // in the frame of the object
    int32_t shapeCount;
    void* user;
    wkObjectId* ids;      // of the shapes in the inner scene of the writer; 0 while attached
    wkContentMark* marks; // of the shapes: what hulls were computed from; the writer's
} wkRobotThing;

// Hulls around the meshes of an object. They are made anew when a mesh has changed, while snapshots
// keep those they have.
typedef struct wkObjectHulls {
    int32_t holderCount; // the scene and snapshots that have them
    int32_t count;       // of the shapes
    size_t byteCount;
    wkHull** hulls; // by shape; NULL: none. Shapes with one mesh share it
} wkObjectHulls;

// An object, by its number. The name comes first, for wkNames.
typedef struct wkRobotObject {
    const char* name;
    wkRobotThing* thing;
    wkPose pose;          // in the world, or in the frame of its link
    int32_t link;         // that it is attached to; -1: none
    int32_t attached;     // its number among those attached; -1: none
    bool hasRules;        // with a side of the robot: see wkRobotScene.rules
    wkObjectHulls* hulls; // NULL: none of its shapes has one
} wkRobotObject;

// Objects with what is known by their numbers, in one allocation.
typedef struct wkRobotObjectTable {
    void* memory;
    size_t byteCount;
    int32_t capacity;
    wkRobotObject* objects;
    int32_t* slots; // of their names
    uint64_t*
        rules; // of an object: a row of sides it may touch, and one of sides it is asked about
} wkRobotObjectTable;

// What an object of the inner scene is, by place.
typedef struct wkRobotSlot {
    int32_t object;
    int32_t shape;
} wkRobotSlot;

// An object that the robot holds; its number is its place in an array.
typedef struct wkRobotHold {
    int32_t object;
    int32_t link;
    wkPose inLink; // where it is in the frame of the link
    int32_t touchLinkCount;
    int32_t* touchLinks; // the writer's; NULL: none
} wkRobotHold;

typedef struct wkRobotCategory {
    char* name;
    double safetyDistance;
} wkRobotCategory;

#define WK_MAX_CATEGORIES 64

// Rules that a scene and its snapshots share.
typedef struct wkSharedRules {
    int32_t holderCount;
    wkAllowed* allowed;
} wkSharedRules;

// A body set likewise, and which of its bodies belong to a group or are carried by it.
typedef struct wkSharedBodySet {
    int32_t holderCount;
    wkBodySet* bodySet;
    uint64_t* groups; // a row of bits for each group, as long as those of the body set
    size_t groupByteCount;
} wkSharedBodySet;

struct wkRobotScene {
    const wkRobot* robot;
    wkScene* world;
    wkSharedRules* rules;
    wkSharedBodySet* bodySet;
    wkRobotObjectTable table;
    wkNames names; // of the objects
    int32_t objectCount;
    int32_t ruleWordCount; // words of a row of sides
    wkRobotSlot* slots;    // by place of the inner scene
    int32_t slotCapacity;
    wkRobotHold holds[WK_MAX_ATTACHED_SHAPES];
    int32_t holdCount;
    uint64_t version; // grows with every change, for what is computed from the scene

    // What follows is the writer's alone.
    double* paddings; // of the links
    wkRobotCategory categories[WK_MAX_CATEGORIES];
    int32_t categoryCount;

    wkSnapshots snapshots;
    wkSnapshot* self; // of a snapshot: its own place
};

// Rows of rules: sides an object may touch, and sides it is asked about.
WK_FN uint64_t* wkAllowedSides(const wkRobotScene* scene, int32_t object)
{
    return &scene->table.rules[(size_t)object * 2 * (size_t)scene->ruleWordCount];
}

WK_FN uint64_t* wkAskedSides(const wkRobotScene* scene, int32_t object)
{
    return wkAllowedSides(scene, object) + scene->ruleWordCount;
}

WK_FN bool wkHasBit(const uint64_t* row, int32_t bit)
{
    return (row[bit / 64] >> (bit % 64) & 1) != 0;
}

WK_FN void wkSetBit(uint64_t* row, int32_t bit, bool isSet)
{
    uint64_t mask = UINT64_C(1) << (bit % 64);
    row[bit / 64] = isSet ? row[bit / 64] | mask : row[bit / 64] & ~mask;
}

// Fails for NULL and for snapshots, which nobody writes.
wkResult wkCheckWriter(const wkRobotScene* scene, const char* caller);

// Whether the geometry of the robot and of all objects is what boxes and hulls were computed from.
// Otherwise writes a message, and queries answer `invalid`.
bool wkIsFreshRobotScene(const wkRobotScene* scene, const char* caller);

// Room for so many objects, and so many more shapes in the inner scene.
wkResult wkRobotScene_Reserve(wkRobotScene* scene, int32_t objectCount, int32_t shapeCount);
void wkRobotObjectTable_Free(wkRobotObjectTable* table);
wkResult wkRobotObjectTable_Create(int32_t capacity, int32_t ruleWordCount,
                                   wkRobotObjectTable* table);

// The table of names anew, for numbers that have changed.
void wkIndexNames(wkRobotScene* scene);

// Hulls around the meshes among shapes; NULL when there are none.
// @return wk_errorMemory
wkResult wkObjectHulls_Create(const wkShape* shapes, int32_t shapeCount, wkObjectHulls** hulls);

// A convex shape around an object of the inner scene: itself, or a hull, which is put into `room`;
// NULL: there is none.
const wkShape* wkConvexAroundSlot(const wkRobotScene* scene, int32_t slotIndex, wkShape* storage);

// Gives up what is shared; NULL is fine.
void wkRobotThing_Drop(wkRobotThing* thing);
void wkObjectHulls_Drop(wkObjectHulls* hulls);
void wkSharedRules_Drop(wkSharedRules* rules);
void wkSharedBodySet_Drop(wkSharedBodySet* bodySet);

// A body set for the objects of a scene.
wkResult wkMakeSharedBodySet(const wkRobotScene* scene, const wkAllowed* allowed,
                             const double* paddings, const wkRobotHold* holds, int32_t holdCount,
                             wkSharedBodySet** bodySet);

// Puts the shapes of an object into the inner scene, which has room for them, or takes them out.
void wkEnterWorld(wkRobotScene* scene, int32_t object);
void wkLeaveWorld(wkRobotScene* scene, int32_t object);

// Whether the shapes of an object can be in the inner scene with a safety distance, and at a pose.
wkResult wkCheckShapes(const wkRobotThing* thing, double safetyDistance);
wkResult wkCheckSlots(const char* caller, const wkRobotThing* thing, wkPose pose);

// Safety distance of a category; 0 for one that nobody mentioned.
double wkSafetyDistance(const wkRobotScene* scene, const char* category);

// Gives the shapes of an object in the inner scene their safety distance, and the bounds they have now.
void wkRefreshShapes(wkRobotScene* scene, const wkRobotThing* thing, double safetyDistance);

// Rules of an object with all sides, and of all objects with those that are attached.
void wkSetRulesOfObject(wkRobotScene* scene, int32_t object);
void wkSetRulesOfHolds(wkRobotScene* scene);

// Takes what is attached with another body set: holds that are no more give their memory back.
void wkTakeHolds(wkRobotScene* scene, const wkRobotHold* holds, int32_t holdCount,
                 wkSharedBodySet* bodySet);

// The holds without one of them, whose place the last one takes.
// @return number of those left
int32_t wkHoldsWithout(const wkRobotScene* scene, int32_t hold, wkRobotHold* holds);

void wkRobotScene_DestroySnapshots(wkRobotScene* scene);
