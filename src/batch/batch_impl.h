// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch in memory. Configurations are checked in blocks, each in the scratch of a context: checks allocate
// nothing. The verdict about a configuration does not depend on the others, so that threads and instruction
// sets change nothing.

#include "base/cpu.h"
#include "base/thread_pool.h"
#include "batch/batch_contacts.h"
#include "batch/batch_reach.h"
#include "batch/check_bits.h"
#include "batch/field.h"
#include "batch/program.h"
#include "batch/self_table.h"
#include "robot/robot_scene_impl.h"
#include "robot/sphere_model_impl.h"
#include "whisker/batch.h"

#include <stdatomic.h>

// Configurations in a scratch: a multiple of the lanes of every instruction set.
#define WK_BATCH_BLOCK 128

// Words with a bit for each of them.
#define WK_ROW_WORDS (WK_BATCH_BLOCK / 64)

// Maximum number of depth images.
#define WK_BATCH_CAMERAS 64

// Configurations whose spheres are placed at a time.
#define WK_PLACED_ROWS 16

// Configurations of one motion in a block; the block has capacity for WK_MOTION_SLOTS motions.
#define WK_MOTION_ROWS 8
#define WK_MOTION_SLOTS (WK_BATCH_BLOCK / WK_MOTION_ROWS)

// Parts against objects, and pairs of parts, as bits for each row of a block. What has been proven for an
// interval is not checked in its halves. Where there are more items than bits, several items share a bit,
// which stands for all of them.
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

// A block of configurations, and the results for them.
typedef struct wkBlockCheck {
    const double* rows; // consecutive configurations
    int32_t count;      // at most WK_BATCH_BLOCK
    unsigned bits;      // of wkCheckBits
    uint8_t* verdicts;  // one for each row
    // For intervals of motions, with the rows as their middles; NULL: rows alone. For each rigid group and
    // row, the rotation in radians and the translation in metres up to the end of the interval, rounded up;
    // a rotation has the sign of its direction, except for floating joints
    const float* rotations; // WK_BATCH_BLOCK for each rigid group
    const float* translations;
    // For intervals: motion of a sphere that is near enough to touch something within the interval; 0: none
    float* open;
    const wkIntervalItems* wanted; // of intervals: the items to check
    wkIntervalItems* unproven;     // of intervals that are free in their middle: items not proven
    const uint8_t* slots;          // of intervals: numbers of their motions
    bool wantsAll;                 // of intervals: one contact does not end the check of a motion
    bool isWithinLimits;           // of intervals: their motions are within limits
} wkBlockCheck;

// An interval of a motion that is not proven yet.
typedef struct wkMotionInterval {
    double middle;
    double half;
    int32_t parts; // items not proven in it, as in wkIntervalItems
    int32_t pairs;
} wkMotionInterval;

#define WK_INTERVAL_CAPACITY 128

// A motion that a scratch is working on.
typedef struct wkMotionSlot {
    int64_t motion; // its number; -1: none
    const double* from;
    const double* to;
    double* rates;    // scratch for the motion of rigid groups on the whole way
    float* rotations; // the same, rounded up; with the sign of the direction
    float* translations;
    int32_t first;    // its rows in the block
    int32_t rowCount; // of this round
    int32_t checkCount;
    bool isNew; // nothing of it has been checked yet
    // in steps
    int32_t stepCount;             // configurations from one end to the other
    int32_t next;                  // index of the next step, from coarse to fine
    int32_t bitCount;              // of the numbers that are bit-reversed for that order
    int32_t steps[WK_MOTION_ROWS]; // of the rows
    int32_t hit;                   // the step with the contact to report; -1: none
    // certified
    wkMotionInterval* intervals;            // WK_INTERVAL_CAPACITY of them
    wkMotionInterval taken[WK_MOTION_ROWS]; // of the rows
    int32_t intervalCount;
    double firstHalf; // half length of the initial intervals
    int32_t uncertainCount;
    double time; // of the contact to report
    uint8_t verdict;
} wkMotionSlot;

// Memory of a thread that checks configurations.
struct wkBatchScratch {
    double* rows;      // configurations of a block
    uint8_t* verdicts; // of the block
    float* lanes;      // vectors of the SIMD kernels: see wkProgram
    float* packed;     // columns of rows that are packed together: see block_kernel.h
    uint16_t* packedRows;
    float* rotations; // as in wkBlockCheck
    float* translations;
    float* open;
    float* spins; // of intervals: rotations of rigid groups as vectors, see motion_bound_kernel.h
    float* ways;  // of intervals: metres that points move by, see motion_bound_kernel.h
    uint8_t* slotOfRow;        // as in wkBlockCheck
    wkIntervalItems* wanted;   // as in wkBlockCheck
    wkIntervalItems* unproven; // as in wkBlockCheck
    bool* isMoving;            // of rigid groups: it moves in any row
    bool*
        isInvariantRotation; // of rotations of the program: the same in all rows, see invariant_kernel.h
    bool* isInvariantColumn; // of columns of the program: the same in all rows
    wkMotionSlot* slots;     // WK_MOTION_SLOTS of them
    float* placed;           // spheres of WK_PLACED_ROWS configurations: see batch_kernel.h
    float* centers;          // the same for the spheres around parts
    float* bounds;           // distances of the centers of spheres: see batch_kernel.h
    wkSphere3d* spheres;     // of one configuration
    wkPose* rigidGroups;     // of one configuration
    wkRobotState* state;     // for the shapes of the robot
    const double*
        bodiesAt;        // the configuration that wkAreBodiesApart has set `state` to; NULL: none
    double* chainValues; // a value for each variable, for cells of tables
    uint64_t* putOff; // of pairs: rows that are decided after all pairs, see self_contact_kernel.h
    int32_t* putOffPairs; // pairs with such rows
    int64_t tableCredit;  // budget for cells of tables: see self_table.c
};

// Returns a check of the intervals of motions in a scratch; the caller sets its count and bits.
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
typedef struct wkBatchBackend wkBatchBackend; // batch_backend.h

// A scratch with its memory, which begins with the context. A batch owns one for each of its threads; callers
// make others.
struct wkBatchContext {
    wkBatchScratch scratch;
    const wkBatch* batch;  // of a caller's context; NULL: the context belongs to its batch
    uint64_t refreshCount; // as in the batch, when the context was made
    atomic_bool
        isInUse; // a call is running; of those that belong to a batch, the first counts for all
    size_t byteCount;
};

// A rigid group with parts on it, and a reference point in the middle of these in its frame.
typedef struct wkCarrier {
    int32_t rigidGroup;
    int32_t firstWay;
    float x, y, z;
    float reach; // largest distance from the point to a center of a sphere, or of one around a part
    int32_t parts; // whose motion bounds it has, as in wkIntervalItems
    int32_t pairs;
} wkCarrier;

// Bodies of the body set that are the bodies of a part.
typedef struct wkPartBodies {
    int32_t first, end;
} wkPartBodies;

// Lengths of the tables of a batch.
typedef struct wkTableCounts {
    int32_t sphereCount, partCount, pairCount, groupCount, variableCount; // as in the program
    int32_t wayCapacity;                                                  // motion bounds at most
} wkTableCounts;

struct wkBatch {
    wkBatchDef def; // its list of depth maps is a copy
    const wkRobot* robot;
    wkSphereModel* ownSpheres; // made when none were given
    const wkDepthMap** maps;
    wkThreadPool* pool;     // NULL: one thread, or threads of the host program
    wkParallel parallel;    // runs on the pool, or is that of the host program
    wkRobotRequest request; // for the shapes of the robot
    const wkBatchBackend* backend;
    const wkBatchKernels* lanes;

    // The following fields are rebuilt when the scene has changed.
    uint64_t sceneVersion;      // version that they were made from
    uint64_t refreshCount;      // how often they have been made
    wkAttachedSpheres attached; // kept: unchanged shapes are not fitted again
    wkProgram* program;
    wkContacts* contacts;
    wkReach* reach; // NULL: not known
    wkField* field;
    uint64_t
        clearParts; // bits of parts that never move and touch nothing around; the first 64 parts
    wkSelfTables* selfTables;
    uint64_t bodySetSerial; // of the bodies that these are about

    // A view of the block with the tables of the kernels: numbers first, then arrays.
    wkBlockHead* tables;
    size_t tableByteCount;
    wkTableCounts counts;
    float margin; // at least that of the definition
    int32_t carrierCount;
    int32_t wayCount;
    float leverSlack;    // metres of rounding in positions of the kernels, rounded up
    float* radii;        // of the spheres of the program, with the margin
    float* partRadii;    // of the spheres around parts, with the margin
    int32_t* partOrder;  // order in which parts are checked against the world
    int32_t* pairTops;   // of pairs of parts: the last rigid group from the root that carries both
    wkCarrier* carriers; // rigid groups with parts on them
    // Carriers move by the joints from their own one towards the root, and there is a motion bound (way) for
    // each of these sums. A part has the bound of all of its joints; a pair has two, for the joints that do
    // not carry both. -1: there is none
    int32_t* partWays;
    int32_t* pairWays;
    bool* isWayUsed;
    float* sphereReaches; // distances of sphere centers from the point of their carrier,
    float* centerReaches; // the same for spheres around parts,
    float* partReaches;   // and the largest one of a part
    float* pairReaches;   // of spheres around what can touch in pairs of parts, two for each
    float* limits;        // of variables: values between these are within limits despite rounding
    float* innerRadii;    // of spheres about the same centers that are inside a body; below 0: none
    wkPartBodies* partBodies; // of parts
    float* bodyReaches; // of parts: distances of points of bodies from the point of their carrier
    bool* hasBodyPair;  // of pairs: both have bodies that differ from their spheres, and these are
                        // not left to the spheres

    wkBatchContext** contexts; // of the threads of the batch
    int32_t contextCount;
};

// Makes the contexts for the threads of a batch.
wkResult wkMakeContexts(wkBatch* batch);
void wkFreeContexts(wkBatch* batch);

// Returns the scratch of the batch for the calling thread, while no call is running.
static inline wkBatchScratch* wkOwnScratch(const wkBatch* batch)
{
    return &batch->contexts[0]->scratch;
}

// Makes the tables that the kernels read for every block of configurations.
wkResult wkMakeTables(wkBatch* batch);

// Lets a batch read its tables from a copy of their memory, which it does not own.
// @return wk_errorArgument, see wkBlock_Bind
wkResult wkBindTables(const void* block, size_t byteCount, wkBatch* batch);

// Sets those of them that are about bodies.
void wkSetPartBodies(wkBatch* batch);

// Returns whether the bodies of two parts are further apart than the margin in a configuration. False also
// where the configuration is not valid.
// @param q the same pointer means the same configuration until the next block
bool wkAreBodiesApart(const wkBatch* batch, wkBatchScratch* scratch, int32_t pair, const double* q,
                      double margin);

// Returns whether bodies, or tables of them, decide about a pair of parts whose spheres touch.
static inline bool wkAsksBodies(const wkBatch* batch, int32_t pair)
{
    wkExactness exactness = batch->def.exactness;
    return (exactness == wk_exactnessSelf || exactness == wk_exactnessRefined) &&
           batch->hasBodyPair[pair];
}

// Chooses the test of each pair of parts whose spheres touch, for wk_exactnessRefined.
// @return wk_errorMemory
wkResult wkChooseSelfTests(wkBatch* batch);

// Chooses spheres inside bodies that find contacts, for pairs of parts that use convex pieces.
// @return wk_errorMemory
wkResult wkChooseInnerPairs(wkBatch* batch);

// Orders pairs of parts for early verdicts.
// @return wk_errorMemory
wkResult wkOrderPairs(wkBatch* batch);

// Checks that a context is one of the batch as it is now; NULL is fine.
wkResult wkCheckContext(const char* caller, const wkBatch* batch, const wkBatchContext* context);

// Returns the wkCheckBits of a batch.
static inline unsigned wkBatchBits(const wkBatch* batch)
{
    const wkBatchDef* def = &batch->def;
    bool hasDepth = def->checksDepth && def->depthMapCount > 0;
    return (def->checksLimits ? (unsigned)wk_checkLimits : 0u) |
           (def->checksSelf ? (unsigned)wk_checkSelf : 0u) |
           (def->checksWorld ? (unsigned)wk_checkWorld : 0u) |
           (hasDepth ? (unsigned)wk_checkDepth : 0u);
}

// Checks a block.
void wkCheckBlock(const wkBatch* batch, wkBatchScratch* scratch, const wkBlockCheck* check);

// What a call does with each of its items, and how many of them are worth waking a thread for.
typedef struct wkBatchWork {
    const char* caller;
    // Processes `count` items from `first` on, in a scratch.
    void (*process)(const wkBatch* batch, wkBatchScratch* scratch, const void* call, int64_t first,
                    int64_t count);
    int64_t least; // items of a piece; pieces are multiples of it
    int64_t most;
} wkBatchWork;

// Processes all items of a call: in the context of the caller on the calling thread, or in those of the batch
// on its threads.
// @param context NULL: those of the batch
// @return wk_errorState when another call is running in the same context; nothing is processed then
wkResult wkRunBatch(const wkBatchWork* work, const wkBatch* batch, wkBatchContext* context,
                    const void* call, int64_t count);

// Returns the verdict about a configuration by the shapes of the robot, where its spheres touch.
wkVerdict wkClassifyState(const wkBatch* batch, wkBatchScratch* scratch, const double* q,
                          wkVerdict bySpheres);

// Returns the verdict of depth images and of the policy of a batch for a sphere in the world.
wkVerdict wkCheckDepthSphere(const wkBatchDef* def, const wkSphere3d* sphere);

// Returns how much a sphere can grow and stay free by that verdict: a lower bound, too small by at most
// WK_VERDICT_STEP, and at most `limit`. 0 or less: the sphere is not free.
double wkDepthReach(const wkBatchDef* def, const wkSphere3d* sphere, double limit);

// Resolution, in metres and as a share of the distance, of distances found by bisection over verdicts.
#define WK_VERDICT_STEP 1e-6

// Maximum clearance where there is no other limit.
#define WK_FARTHEST_CLEARANCE 1e9
