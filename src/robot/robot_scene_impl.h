// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot scene in memory: an inner scene of shapes, the body set of the robot, and the objects that shapes
// belong to. A snapshot is a robot scene too. Data common to a scene and its snapshots is reference-counted;
// only the writing thread reads and changes these counts.

#include "base/bit_rows.h"
#include "base/snapshots.h"
#include "robot/body_set.h"
#include "robot/robot_names.h"
#include "scene/candidates.h"

// The immutable part of an object. One block of memory.
typedef struct wkRobotThing {
    int32_t holderCount; // references from the scene and its snapshots
    size_t byteCount;
    const char* name;
    const char* category;
    wkShape* shapes; // as given
    wkPose* poses;   // in the frame of the object
    int32_t shapeCount;
    void* user;
    wkObjectId* ids;      // of the shapes in the writer's inner scene; null while attached
    wkContentMark* marks; // content of each shape when its hull was computed; writer only
    bool isStale;         // marked as out of date; writer only
    wkReleaseFcn* release;
    void* releaseContext;
} wkRobotThing;

// Hulls around the meshes of an object. They are rebuilt when a mesh has changed, while snapshots
// keep the old hulls.
typedef struct wkObjectHulls {
    int32_t holderCount; // references from the scene and its snapshots
    int32_t count;       // number of shapes
    size_t byteCount;
    wkHull** hulls; // by shape; NULL: none. Shapes with the same mesh share a hull
} wkObjectHulls;

// An object, by its number. The name comes first, for wkNames.
typedef struct wkRobotObject {
    const char* name;
    wkRobotThing* thing;
    wkPose pose;          // in the world, or in the frame of its link
    int32_t link;         // that it is attached to; -1: not attached
    int32_t attached;     // its index among the attached objects; -1: not attached
    bool hasRules;        // about a side of the robot: see wkRobotObjectTable.rules
    wkObjectHulls* hulls; // NULL: none of its shapes has one
} wkRobotObject;

// Objects and their rules by object number, in one allocation.
typedef struct wkRobotObjectTable {
    void* memory;
    size_t byteCount;
    int32_t capacity;
    wkRobotObject* objects;
    int32_t* slots; // hash slots of their names
    uint64_t*
        rules; // two rows for each object: sides that it may touch, and sides with a contact callback
} wkRobotObjectTable;

// What an object consists of, while it is prepared or after it was replaced.
typedef struct wkObjectContent {
    wkRobotThing* thing;
    wkObjectHulls* hulls; // NULL: none of its shapes has one
    wkPose pose;
} wkObjectContent;

// Object and shape of an entry of the inner scene, by slot index.
typedef struct wkRobotSlot {
    int32_t object;
    int32_t shape;
} wkRobotSlot;

// An attached object; its number is its index in `holds`.
typedef struct wkRobotHold {
    int32_t object;
    int32_t link;
    wkPose inLink; // pose in the frame of the link
    int32_t touchLinkCount;
    int32_t* touchLinks; // writer only; NULL: none
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

// A shared body set, and for each group which of its bodies belong to it or are carried by it.
typedef struct wkSharedBodySet {
    int32_t holderCount;
    uint64_t serial; // unique among the body sets of a scene
    wkBodySet* bodySet;
    uint64_t* groups; // a row of bits for each group, as long as a row of the body set
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
    wkRobotSlot* slots;    // by slot index of the inner scene
    int32_t slotCapacity;
    wkRobotHold holds[WK_MAX_ATTACHED_SHAPES];
    int32_t holdCount;
    uint64_t version;             // grows with every change; caches compare it
    double largestSafetyDistance; // of all categories; 0 or more

    // The following fields are for the writer alone.
    uint64_t bodySetCount; // body sets made so far
    double* paddings;      // of the links
    wkRobotCategory categories[WK_MAX_CATEGORIES];
    int32_t categoryCount;

    wkSnapshots snapshots;
    wkSnapshot* self; // of a snapshot: its entry in `snapshots`
};

// Rows of rules of an object: sides that it may touch, and sides with a contact callback.
WK_FN uint64_t* wkAllowedSides(const wkRobotScene* scene, int32_t object)
{
    return &scene->table.rules[(size_t)object * 2 * (size_t)scene->ruleWordCount];
}

WK_FN uint64_t* wkAskedSides(const wkRobotScene* scene, int32_t object)
{
    return wkAllowedSides(scene, object) + scene->ruleWordCount;
}

WK_FN void wkSetBit(uint64_t* row, int32_t bit, bool isSet)
{
    uint64_t mask = UINT64_C(1) << (bit % 64);
    row[bit / 64] = isSet ? row[bit / 64] | mask : row[bit / 64] & ~mask;
}

// Fails for NULL and for snapshots, which are read-only.
wkResult wkCheckWriter(const wkRobotScene* scene, const char* caller);

// Returns whether boxes and hulls match the current geometry of the robot and of all objects.
// Otherwise writes a message, and queries return `invalid`.
bool wkIsFreshRobotScene(const wkRobotScene* scene, const char* caller);

// Reserves capacity for `objectCount` objects, and for `shapeCount` more shapes in the inner scene.
wkResult wkRobotScene_Reserve(wkRobotScene* scene, int32_t objectCount, int32_t shapeCount);
void wkRobotObjectTable_Free(wkRobotObjectTable* table);
wkResult wkRobotObjectTable_Create(int32_t capacity, int32_t ruleWordCount,
                                   wkRobotObjectTable* table);

// Rebuilds the table of names after object numbers have changed.
void wkIndexNames(wkRobotScene* scene);

// Builds hulls around the meshes among shapes; NULL when there are none.
// @return wk_errorMemory
wkResult wkObjectHulls_Create(const wkShape* shapes, int32_t shapeCount, wkObjectHulls** hulls);

// Returns a convex shape around an object of the inner scene: its own shape, or a hull, which is written to
// `storage`; NULL: there is none.
const wkShape* wkConvexAroundSlot(const wkRobotScene* scene, int32_t slotIndex, wkShape* storage);

// Copies a definition into a block of its own, with one holder.
wkResult wkRobotThing_Create(const wkRobotObjectDef* def, wkRobotThing** out);

// Checks a definition, except for its name, and makes its content. Reserves capacity for one more object with
// these shapes.
wkResult wkObjectContent_Create(wkRobotScene* scene, const wkRobotObjectDef* def,
                                wkObjectContent* content);

// Frees content that no scene has used: `release` is not called.
void wkObjectContent_Cancel(wkObjectContent* content);

// Adds an object with a name that is not in use; cannot fail.
void wkAddContent(wkRobotScene* scene, const wkObjectContent* content);

// Exchanges the content of an object, which is not attached; cannot fail. Shapes that stay where they are keep
// their slots in the inner scene, and shapes that are the same cost nothing.
void wkExchangeContent(wkRobotScene* scene, int32_t object, wkObjectContent* content);

// Returns the number of an object; -1 with an error message.
int32_t wkFindObject(const wkRobotScene* scene, const char* name, const char* caller);

// Returns the mark of a shape in the inner scene.
WK_FN wkContentMark wkMarkOfShape(const wkRobotThing* thing, int32_t index)
{
    return thing->isStale ? wkOutOfDateMark() : thing->marks[index];
}

// Releases a reference; NULL is allowed.
void wkRobotThing_Drop(wkRobotThing* thing);
void wkObjectHulls_Drop(wkObjectHulls* hulls);
void wkSharedRules_Drop(wkSharedRules* rules);
void wkSharedBodySet_Drop(wkSharedBodySet* bodySet);

// Builds a body set for the objects of a scene.
wkResult wkMakeSharedBodySet(wkRobotScene* scene, const wkAllowed* allowed, const double* paddings,
                             const wkRobotHold* holds, int32_t holdCount,
                             wkSharedBodySet** bodySet);

// Adds the shapes of an object from `first` on to the inner scene, which has the capacity, or removes them.
void wkEnterWorld(wkRobotScene* scene, int32_t object, int32_t first);
void wkLeaveWorld(wkRobotScene* scene, wkRobotThing* thing, int32_t first);

// Returns the pose of a shape of an object that has a pose.
WK_FN wkPose wkPoseOfShape(const wkRobotThing* thing, wkPose pose, int32_t index)
{
    return wkMulPose(pose, thing->poses[index]);
}

// Checks that the shapes of an object can be in the inner scene with a safety distance, and at a pose.
wkResult wkCheckShapes(const wkRobotThing* thing, double safetyDistance);
wkResult wkCheckSlots(const char* caller, const wkRobotThing* thing, wkPose pose);

// Returns the safety distance of a category; 0 when none was set.
double wkSafetyDistance(const wkRobotScene* scene, const char* category);

// Gives the shapes of an object in the inner scene their safety distance and their current bounds.
void wkRefreshShapes(wkRobotScene* scene, const wkRobotThing* thing, double safetyDistance);

// Set the rules of one object with all sides, and of all objects with the attached ones.
void wkSetRulesOfObject(wkRobotScene* scene, int32_t object);
void wkSetRulesOfHolds(wkRobotScene* scene);

// Replaces attached objects and body set; frees the memory of holds that are gone.
void wkTakeHolds(wkRobotScene* scene, const wkRobotHold* holds, int32_t holdCount,
                 wkSharedBodySet* bodySet);

// Copies the holds without one of them; the last hold takes its index.
// @return number of holds left
int32_t wkHoldsWithout(const wkRobotScene* scene, int32_t hold, wkRobotHold* holds);

void wkRobotScene_DestroySnapshots(wkRobotScene* scene);
