// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Kernels that check the motions of a batch.
//
// Certified motions: work items are intervals, not motions, in rounds. Each round checks all open intervals of all motions
// of a piece, a lane for each, and puts the halves of those that it neither proves nor finds touching into the queue of the
// next round, with the parts and pairs that are not proven. So lanes are full however different motions are, intervals go
// from coarse to fine as on the CPU, and contacts are found early. What a motion comes to is kept by the number of the
// round: an interval is left out only for what earlier rounds have found out. So results do not depend on the order in
// which warps run.
//
// With live points (motion_live.h), what the CPU decides about a motion are the objects and the robot itself: the search goes
// on with the points alone, and the CPU gets the motion if all of it is proven free of them.
//
// Motions in steps: each round makes the next configurations of all motions that are open, and wkCudaBatch_CheckStates
// checks them.

#include "cuda/device_batch.h"
#include "whisker/batch.h"

#ifdef __cplusplus
extern "C" {
#endif

// Rounds of certified motions: intervals are halved up to 2^-30 of the motion.
#define WK_MOTION_ROUNDS 31

// Intervals of a motion that are checked before the CPU decides about it.
#define WK_MOTION_CHECKS 1024

// Bits of parts and of pairs, as WK_INTERVAL_BITS.
#define WK_MOTION_BITS 31

// Steps of a motion in a round, as many as on the CPU.
#define WK_STEPS_AT_ONCE 8

// A variable of a configuration.
typedef struct wkDeviceVariable {
    double lower, upper;
    int32_t isContinuous;
    int32_t unused;
} wkDeviceVariable;

// A rigid group and its joint. No joint is a floating one: the CPU checks the motions of robots that have any.
typedef struct wkDeviceJoint {
    WK_ALIGNAS(16) double factor;
    int32_t type; // of wkJointType
    int32_t parent;
    int32_t variable;
    wkItemColumn x, y, origin; // of its frame
    int32_t unused[2];
} wkDeviceJoint;

// A point in the middle of what a rigid group carries, in its frame: see wkCarrier.
typedef struct wkDeviceCarrier {
    WK_ALIGNAS(16) float x;
    float y, z;
    float reach;
} wkDeviceCarrier;

// What motions need of a batch besides wkDeviceBatch. All pointers are to memory of the device.
typedef struct wkDeviceMotionTables {
    const wkDeviceVariable* variables;
    const wkDeviceJoint* joints;     // by rigid group
    const wkDeviceCarrier* carriers; // by rigid group; zeros where it carries nothing
    const int32_t* pairTops;         // these, and what follows, as in the batch
    const float* sphereReaches;
    const float* centerReaches;
    const float* partReaches;
    const float* pairReaches;
    int32_t jointCount; // rigid groups
    float leverSlack;
} wkDeviceMotionTables;

// An interval of a motion that is not proven yet.
typedef struct wkMotionItem {
    WK_ALIGNAS(16) uint32_t motion;
    uint32_t node;        // 2^k + i: interval i of 2^k equal ones; or an end, see below
    int32_t parts, pairs; // items that are not proven in it, as in wkIntervalItems
} wkMotionItem;

// Nodes for the ends of a motion, which are intervals of no length.
#define WK_NODE_FIRST 0xfffffffeu
#define WK_NODE_LAST 0xffffffffu

// Why the search in a motion ended, the stronger reason first.
typedef enum wkMotionStop {
    wk_stopHost = 0,      // the CPU decides; with live points the search goes on with these alone
    wk_stopUncertain = 1, // as on the CPU, too many intervals are neither proven nor found touching
} wkMotionStop;

#define WK_NO_CONTACT 0xffffffffffffffffull
#define WK_NO_STOP 0xffffffffu

// A motion that is being checked.
typedef struct wkDeviceMotion {
    WK_ALIGNAS(16)
    unsigned long long
        contact;   // round << 40 | node << 8 | verdict: the least of all. With live points
                   // wk_verdictUncertain ends the search, too
    uint32_t stop; // 2 * round + wkMotionStop: the least of all
    uint32_t checkCount;
    uint32_t uncertainCount;
    uint32_t uncertainAt; // bits of the least time, a float
    uint8_t decided;      // a wkVerdict that the ends decide; wk_verdictUnchecked: they do not
    uint8_t isWithinLimits;
    uint8_t decidedAt; // time, 0 or 1
    uint8_t unused;
    uint32_t firstLevel; // of the intervals of the first round
} wkDeviceMotion;

// Motions to check.
typedef struct wkDeviceMotions {
    wkDeviceBatch batch;
    wkDeviceMotionTables tables;
    wkItemRow from, to; // the first ones
    int64_t count;
    wkBatchMotionResult* results;
    uint32_t* hostQueue; // motions that the CPU decides, `count` at most
    uint32_t* hostCount;
    double tolerance;
    int32_t wantsFirst; // what is not proven is left to the CPU, which finds the first contact
    int32_t blockCount; // of a round
    uint32_t capacity;  // of a queue
    wkDeviceMotion* motions;
    float* rates; // rotation and translation of each joint of each motion, as in wkMotionSlot
    wkMotionItem* items[2]; // queues of rounds, in turn
    uint32_t*
        counts;     // items of each round, WK_MOTION_ROUNDS + 1: above the capacity, items are lost
    float* numbers; // memory of all warps; NULL: shared memory suffices for it and the tables
} wkDeviceMotions;

// A motion in steps that is open.
typedef struct wkStepMotion {
    uint32_t motion;
    int32_t stepCount;
    int32_t next; // in the order of steps; -1: the end comes first
    int32_t bitCount;
    int32_t hit; // step with the contact to report; -1: none
    uint32_t verdict;
    int32_t steps[WK_STEPS_AT_ONCE]; // of this round; -1: none
} wkStepMotion;

// Motions to check in steps.
typedef struct wkDeviceSteps {
    wkDeviceMotionTables tables;
    int32_t variableCount;
    int32_t checksLimits;
    int32_t wantsFirst;
    int32_t leavesTouching;
    wkItemRow from, to;
    int64_t count;
    double step;
    wkBatchMotionResult* results;
    uint32_t* hostQueue;
    uint32_t* hostCount;
    wkStepMotion* open[2]; // those of this round, and of the next
    uint32_t* openCounts;  // of both
    double* rows;          // WK_STEPS_AT_ONCE for each open motion
    const uint8_t* verdicts;
} wkDeviceSteps;

// Live points and objects of a call.
typedef struct wkDeviceLives {
    int32_t count; // 0: none
    wkDeviceLive fields[WK_MOST_LIVE];
    wkLiveObjects objects[WK_MOST_LIVE];
} wkDeviceLives;

// Bytes of shared memory of a block that checks intervals.
size_t wkMotionsSharedBytes(const wkDeviceMotions* motions, bool isShared);

// Floats of an interval in the memory of a warp: those of its configuration, and the rates of its joints.
WK_FN int32_t wkMotionNumberCount(const wkDeviceBatch* batch, const wkDeviceMotionTables* tables)
{
    return batch->numberCount + 2 * tables->jointCount;
}

// Counts the blocks that run at once on a multiprocessor, and lets them use shared memory.
// @param mostBytes of shared memory that a block may have
cudaError_t wkCountMotionBlocks(const wkDeviceMotions* motions, bool isShared, wkLiveKind kind,
                                size_t mostBytes, int* count);

// Checks certified motions, in all rounds.
cudaError_t wkLaunchCertifyMotions(const wkDeviceMotions* motions, const wkDeviceLives* lives,
                                   cudaStream_t stream);

// Begins motions in steps: those that their ends do not decide are in open[0].
cudaError_t wkLaunchBeginSteps(const wkDeviceSteps* steps, cudaStream_t stream);

// Makes the next configurations of the motions in open[0].
cudaError_t wkLaunchFillSteps(const wkDeviceSteps* steps, uint32_t openCount, cudaStream_t stream);

// Reads their verdicts: motions that are done get their results, the others go to open[1].
cudaError_t wkLaunchLearnSteps(const wkDeviceSteps* steps, uint32_t openCount, cudaStream_t stream);

// Copies the ends of motions in the queue of the CPU, as doubles.
// @param rows `count` rows
cudaError_t wkLaunchGatherEnds(wkItemRow ends, int32_t length, const uint32_t* queue, int64_t count,
                               double* rows, cudaStream_t stream);

// Writes results of motions in the queue of the CPU: result i belongs to queue[i].
cudaError_t wkLaunchScatterMotions(const uint32_t* queue, int64_t count,
                                   const wkBatchMotionResult* from, wkBatchMotionResult* to,
                                   cudaStream_t stream);

// Sets all results to one.
cudaError_t wkLaunchFillMotions(wkBatchMotionResult result, int64_t count, wkBatchMotionResult* to,
                                cudaStream_t stream);

#ifdef __cplusplus
}
#endif
