// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch in memory. Configurations are looked at by blocks, each in a room that a thread takes from
// the shelf of the batch and puts back: nothing is allocated on the way. What becomes of one of them
// does not depend on the others, so that threads and instruction sets change nothing.

#include "base/cpu.h"
#include "batch/batch_contacts.h"
#include "batch/field.h"
#include "batch/program.h"
#include "batch/self_table.h"
#include "robot/robot_scene_impl.h"
#include "robot/sphere_model_impl.h"
#include "whisker/batch.h"

#include <stdatomic.h>

// Configurations side by side in a room: whole lanes of every instruction set.
#define WK_BATCH_BLOCK 128

// Depth images at a time.
#define WK_BATCH_CAMERAS 64

// Configurations whose spheres are placed all at once.
#define WK_PLACED_ROWS 16

// Configurations of one motion in a block; the block has room for so many motions.
#define WK_MOTION_ROWS 8
#define WK_MOTION_SLOTS (WK_BATCH_BLOCK / WK_MOTION_ROWS)

// What is looked at, as bits.
typedef enum wkCheckBits {
    wk_checkSelf = 1,
    wk_checkWorld = 2,
    wk_checkDepth = 4,
    wk_checkLimits = 8,
} wkCheckBits;

// Parts among objects, and pairs of parts, as bits for each row of a block. What has been proven for a
// interval needs no look in its halves. Where there are more than bits, some share one: it stands for all of
// them.
typedef struct wkIntervalItems {
    _Alignas(64) int32_t parts[WK_BATCH_BLOCK];
    int32_t pairs[WK_BATCH_BLOCK];
} wkIntervalItems;

#define WK_INTERVAL_BITS 31
#define WK_ALL_INTERVAL_BITS INT32_MAX

static inline int32_t wkIntervalBit(int32_t number)
{
    return 1 << (number % WK_INTERVAL_BITS);
}

// A block of configurations, and what is found about them.
typedef struct wkBlockCheck {
    const double* rows; // configurations, one after the other
    int32_t count;      // at most WK_BATCH_BLOCK
    unsigned bits;      // of wkCheckBits
    uint8_t* verdicts;  // one for each row
    // Of intervals of motions, whose middles the rows are; NULL: rows alone. For each rigid group and row, the
    // radians that it turns and the metres that it slides up to the end of the interval, never too small;
    // a turn has the sign of its direction, but for floating joints
    const float* rotations; // WK_BATCH_BLOCK for each rigid group
    const float* translations;
    // Of intervals: what a sphere moves by that is near enough to touch something on the way; 0: none is
    float* open;
    const wkIntervalItems* wanted; // of intervals: what is to be looked at
    wkIntervalItems* unproven;     // of intervals that are free in their middle: what is not proven
    const uint8_t* slots;          // of intervals: numbers of their motions
    bool wantsAll;                 // and whether one contact is not enough for a motion
    bool isWithinLimits;           // and whether their motions are
} wkBlockCheck;

// A interval of a motion that is not proven yet.
typedef struct wkMotionInterval {
    double middle;
    double half;
    int32_t parts; // what is not proven in it, as in wkIntervalItems
    int32_t pairs;
} wkMotionInterval;

#define WK_INTERVAL_CAPACITY 128

// A motion that a room is busy with.
typedef struct wkMotionSlot {
    int64_t motion; // its number; -1: none
    const double* from;
    const double* to;
    double* rates;    // room for what rigid groups do on the whole way
    float* rotations; // the same, never too small; turns with the sign of their direction
    float* translations;
    int32_t first;    // its rows in the block
    int32_t rowCount; // of this round
    int32_t checkCount;
    bool isNew; // nothing of it has been looked at yet
    // in steps
    int32_t stepCount;             // configurations from one end to the other
    int32_t next;                  // of the steps in order from coarse to fine
    int32_t bitCount;              // of the numbers that are turned round for that order
    int32_t steps[WK_MOTION_ROWS]; // of the rows
    int32_t hit;                   // the step found touching that counts; -1: none
    // certified
    wkMotionInterval* intervals;            // WK_INTERVAL_CAPACITY of them
    wkMotionInterval taken[WK_MOTION_ROWS]; // of the rows
    int32_t intervalCount;
    double firstHalf; // of the intervals it begins with
    int32_t uncertainCount;
    double time; // of the contact that counts
    uint8_t verdict;
} wkMotionSlot;

// What a thread needs to look at configurations.
struct wkBatchScratch {
    double* rows;      // a block of them
    uint8_t* verdicts; // of the block
    float* lanes;      // what lanes compute: see wkProgram
    float* packed;     // columns of rows that are packed together: see block_kernel.h
    uint16_t* packedRows;
    float* rotations; // as in wkBlockCheck
    float* translations;
    float* open;
    float* spins;       // of intervals: turns of rigid groups as vectors, see motion_bound_kernel.h
    float* ways;        // of intervals: metres that points move by, see motion_bound_kernel.h
    uint8_t* slotOfRow; // as in wkBlockCheck
    wkIntervalItems* wanted;   // likewise
    wkIntervalItems* unproven; // likewise
    bool* isMoving;            // of rigid groups: in any row
    bool*
        isInvariantRotation; // of turns of the program: the same in all rows, see invariant_kernel.h
    bool* isInvariantColumn; // of its columns likewise
    wkMotionSlot* slots;     // WK_MOTION_SLOTS of them
    float* placed;           // spheres of WK_PLACED_ROWS configurations: see batch_kernel.h
    float* centers;          // likewise of the spheres around parts
    float* bounds;           // metres from these spheres' middles: see batch_kernel.h
    wkSphere3d* spheres;     // of one configuration
    wkPose* rigidGroups;     // of one configuration
    wkRobotState* state;     // for the shapes of the robot
    const double* bodiesAt;  // the configuration that wkAreBodiesApart has set it to; NULL: none
    double* chainValues;     // a value for each variable, for cells of tables
    int64_t tableCredit;     // what may be spent on cells of tables: see self_table.c
};

// A look at the intervals of motions that are in a room; how many and what for is the caller's.
static inline wkBlockCheck wkCheckOfIntervals(const wkBatchScratch* scratch)
{
    wkBlockCheck check = {
        .rows = scratch->rows,
        .verdicts = scratch->verdicts,
        .rotations = scratch->rotations,
        .translations = scratch->translations,
        .open = scratch->open,
        .wanted = scratch->wanted,
        .unproven = scratch->unproven,
        .slots = scratch->slotOfRow,
    };
    return check;
}

typedef struct wkBatchKernels wkBatchKernels;

typedef _Atomic(uint64_t) wkScratchBits;

// A rigid group with parts on it, and a point in the middle of these in its frame.
typedef struct wkCarrier {
    int32_t rigidGroup;
    int32_t firstWay;
    float x, y, z;
    float reach;   // how far the centers of spheres, and of those around parts, are from there
    int32_t parts; // whose ways it has, as in wkIntervalItems
    int32_t pairs;
} wkCarrier;

// Bodies of the body set that are the bodies of a part.
typedef struct wkPartBodies {
    int32_t first, end;
} wkPartBodies;

struct wkBatch {
    wkBatchDef def; // depth maps are our own list
    const wkRobot* robot;
    wkSphereModel* ownSpheres; // where none were given
    const wkDepthMap** maps;
    wkParallel parallel;
    wkRobotRequest request; // for the shapes of the robot
    const wkBatchKernels* lanes;

    // What follows is made anew when the scene has changed.
    uint64_t sceneVersion;      // that it was made from
    wkAttachedSpheres attached; // whose shapes are not fitted again
    wkProgram* program;
    wkContacts* contacts;
    wkField* field;
    wkSelfTables* selfTables;
    void* tables; // memory of the next ones
    size_t tableByteCount;
    float margin;       // not below that of the definition
    float* radii;       // of the spheres of the program, with the margin
    float* partRadii;   // of the spheres around parts, with the margin
    int32_t* partOrder; // parts in the order in which they are looked at in the world
    int32_t*
        pairTops; // of pairs of parts: the rigid group that carries both, furthest from the root
    wkCarrier* carriers; // rigid groups with parts on them
    int32_t carrierCount;
    // Carriers move by the joints from their own one towards the root, and there is a way for each of
    // these sums. Of a part, the way of all of them; of a pair, the two of joints that do not carry
    // both. -1: there is none
    int32_t* partWays;
    int32_t* pairWays;
    bool* isWayUsed;
    int32_t wayCount;
    float leverSlack;     // metres by which places in lanes may be wrong, and more
    float* sphereReaches; // how far centers of spheres are from the point of their carrier,
    float* centerReaches; // those of spheres around parts,
    float* partReaches;   // and the furthest one of a part
    float* pairReaches;   // those of spheres around what can touch in pairs of parts, two for each
    float* limits;        // of variables: those well within are between these
    float*
        innerRadii; // of spheres about the centers of spheres that are inside a body; below 0: none
    wkPartBodies* partBodies; // of parts
    float* bodyReaches; // likewise: how far points of bodies are from the point of their carrier
    bool* hasBodyPair;  // of pairs: both have bodies that are something else than their spheres
    wkBatchScratch* scratches;
    int32_t scratchCount;
    wkScratchBits* freeScratches; // a bit for each that nobody is in
    size_t scratchByteCount;      // of all rooms together
    void* scratchMemory;
};

// A room that nobody else is in; waits where all are taken, which only more callers than processors
// can bring about.
wkBatchScratch* wkAcquireScratch(const wkBatch* batch);
void wkReleaseScratch(const wkBatch* batch, wkBatchScratch* scratch);

// Rooms for the threads of a batch.
wkResult wkMakeScratches(wkBatch* batch);
void wkFreeScratches(wkBatch* batch);

// Numbers that lanes read for every block.
wkResult wkMakeTables(wkBatch* batch);

// Those of them that are about bodies.
void wkSetPartBodies(wkBatch* batch);

// Whether the bodies of two parts are further apart than the margin in a configuration. False also where the
// configuration is not valid.
// @param q the same pointer means the same configuration until the room is given back
bool wkAreBodiesApart(const wkBatch* batch, wkBatchScratch* scratch, int32_t pair, const double* q,
                      double margin);

// Whether bodies decide about a pair of parts whose spheres touch.
static inline bool wkAsksBodies(const wkBatch* batch, int32_t pair)
{
    return batch->def.exactness == wk_exactnessSelf && batch->hasBodyPair[pair];
}

// What a caller gave. Robots without variables need no rows.
wkResult wkCheckRows(const char* caller, const wkBatch* batch, const double* rows, int64_t count,
                     const void* results);

// Whether the scene and the geometry in it are what the batch was made from; wk_errorState otherwise, and
// every result must say that nothing was checked.
wkResult wkCheckScene(const char* caller, const wkBatch* batch);

// What a batch looks at.
unsigned wkBatchBits(const wkBatch* batch);

// Looks at a block.
void wkCheckBlock(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check);

// Tasks of a call: `fcn` for items from `first` on, `count` of them, in a room.
typedef void wkBatchTaskFcn(const wkBatch* batch, wkBatchScratch* scratch, void* context,
                            int64_t first, int64_t count);
void wkRunBatch(const wkBatch* batch, wkBatchTaskFcn* fcn, void* context, int64_t count,
                int64_t least, int64_t most);

// A verdict about a configuration by the shapes of the robot, where spheres say that it touches.
wkVerdict wkClassifyState(const wkBatch* batch, wkBatchScratch* scratch, const double* q,
                          wkVerdict bySpheres);

// What depth images say about a sphere in the world, and the policy of a batch makes of it.
wkVerdict wkCheckDepthSphere(const wkBatchDef* def, const wkSphere3d* sphere);

// How much a sphere can grow and still be free by that: never more than is free, less by WK_VERDICT_STEP
// at most, and no more than `limit`. 0 or less: it is not free.
double wkDepthReach(const wkBatchDef* def, const wkSphere3d* sphere, double limit);

// Metres, and the share of a distance, to which distances are found that only verdicts tell.
#define WK_VERDICT_STEP 1e-6

// Distances that are looked for where there is no other limit.
#define WK_FARTHEST_CLEARANCE 1e9
