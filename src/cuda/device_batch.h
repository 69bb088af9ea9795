// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch in the memory of a GPU, and kernels that check configurations. The blocks of the batch are copied as they are;
// the views here are those of the CPU with pointers to the copies. What every configuration reads is laid out again, in
// tables that go into shared memory.
//
// A warp takes 32 configurations, one for each lane, whose frames go into shared memory, too. Each part of the robot is
// looked up in the clearance field by the sphere around it, by every lane for its own configuration. For those that this
// leaves open, the spheres of the part are divided among all lanes of the warp. A first kernel decides most configurations
// by look-ups and spheres alone, which need few registers. The others go into a queue of a second kernel, which also
// compares spheres with objects, maps and clouds, and convex pieces of links with each other; groups of eight lanes walk
// through clouds (state_cloud.h). What only the CPU can decide goes into a queue of its own. Verdicts are those of the CPU, by
// the same operations on floats; the order in which warps run does not matter.
//
// With live fields, spheres that look-ups in these leave open go into a queue, too, and a third kernel compares each of
// them with points (batch_live.cu): a configuration whose other spheres are free keeps the verdict of the first kernel
// unless one touches. Those that the first kernel would leave to others are checked whole by the second one.

#include "batch/contacts_view.h"
#include "batch/field_view.h"
#include "batch/program_item.h"
#include "batch/program_view.h"
#include "batch/self_tests_view.h"
#include "cuda/live_field.h"

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// Warps of a block.
#define WK_STATE_WARPS 4

// A sphere of the robot in the frame of its rigid group.
typedef struct wkDeviceSphere {
    WK_ALIGNAS(16) float x;
    float y, z;
    float radius; // with the margin
} wkDeviceSphere;

// A part of the robot.
typedef struct wkDevicePart {
    WK_ALIGNAS(16) wkItemAxes axes; // of its rigid group
    float x, y, z;                  // center of the sphere around it, in their frame
    float radius;                   // with the margin
    int32_t firstSphere, sphereCount;
    int32_t side;
    int32_t layer;    // of the field
    float selfRadius; // without the margin
} wkDevicePart;

// Two parts that must not touch, with what decides about them.
typedef struct wkDevicePair {
    WK_ALIGNAS(16) int32_t a;
    int32_t b;
    float radii;               // of the spheres around both, added
    int32_t map;               // of joint values; -1: none
    wkContactSphere around[2]; // as in wkPairContacts
    int32_t firstGroup;        // as in wkPairContacts
    int32_t groupCount;        // -1: all spheres can touch
    bool isTighter;            // as in wkPairContacts
    bool usesPieces;           // convex pieces decide
    bool asksBodies;           // spheres that touch do not decide
} wkDevicePair;

// Tables of a batch, one after the other in one block.
typedef struct wkDeviceTables {
    const char* block;
    uint32_t byteCount;
    uint32_t
        sharedByteCount; // of the first ones, which are in shared memory: all but those from the pairs on, or all
    uint32_t opsAt;        // wkItemOp
    uint32_t partsAt;      // wkDevicePart
    uint32_t spheresAt;    // wkDeviceSphere
    uint32_t selfRadiiAt;  // float, of spheres, without the margin
    uint32_t innerRadiiAt; // float, of spheres inside the bodies; below 0: none
    uint32_t
        worldPartsAt; // int32_t, all parts, those first that are checked against the world, in their order
    uint32_t constantsAt; // see wkItemScratch
    uint32_t
        pairsAt; // wkDevicePair, in the order in which they are checked: those that can touch come first
    uint32_t groupsAt;       // wkContactGroup
    uint32_t groupSpheresAt; // int32_t
    int32_t worldPartCount;
} wkDeviceTables;

// All pointers are to memory of the device.
typedef struct wkDeviceBatch {
    wkProgram program;
    wkContacts contacts;
    wkSelfTables selfTables;
    wkField field; // without layers where there is none
    wkDeviceTables tables;
    const float* innerRadii;   // as in the batch
    const bool* asksBodies;    // of pairs: spheres that touch do not decide
    const float* limits;       // as in the batch
    const double* exactLimits; // lower and upper one of each variable
    int32_t numberCount;       // floats of a configuration in the memory of a warp
    int32_t rowBytes;          // of a configuration of doubles
    float margin;
    unsigned bits;       // of wkCheckBits
    bool leavesTouching; // touching spheres do not decide: the CPU does
    bool leavesFree;     // what is free is checked against depth images by the CPU
} wkDeviceBatch;

// Points that spheres are checked against, too.
typedef struct wkDeviceLive {
    wkLiveField field;
    float offset[3]; // added to centers of spheres: they are in the frame of the field then
    float rounding;  // by which a center may move then
} wkDeviceLive;

// Live fields of a call at most.
#define WK_MOST_LIVE 4

// What the live fields of a call have: kernels are compiled for each of these.
typedef enum wkLiveKind {
    wk_liveNone,        // there are none
    wk_livePoints,      // points alone
    wk_liveWithObjects, // points and objects
    WK_LIVE_KIND_COUNT,
} wkLiveKind;

// @param objects of each of the fields
WK_FN wkLiveKind wkKindOfLives(const wkLiveObjects* objects, int32_t count)
{
    wkLiveKind kind = count > 0 ? wk_livePoints : wk_liveNone;
    for (int32_t i = 0; i < count; ++i) {
        kind = wkHasLiveObjects(&objects[i]) ? wk_liveWithObjects : kind;
    }
    return kind;
}

// A sphere that a look-up in a live field leaves open.
typedef struct wkOpenSphere {
    WK_ALIGNAS(8) float x;
    float y, z;     // in the frame of the field
    float radius;   // with all rounding
    uint32_t state; // configuration
    uint32_t live;  // index of the field
} wkOpenSphere;

// Configurations to check.
typedef struct wkDeviceStates {
    wkDeviceBatch batch;
    const double* doubles; // one after the other; NULL: floats
    const float* floats;
    int64_t count;
    uint8_t* verdicts;
    uint32_t* open;        // queue of the second kernel, `count` at most
    uint32_t* queue;       // of the CPU, `count` at most
    uint32_t* queueCounts; // wkDeviceQueue: 0 before
    wkOpenSphere* spheres; // queue of the third kernel
    uint32_t sphereCapacity;
    float* numbers; // memory of all warps; NULL: shared memory suffices for it and the tables
    int32_t blockCounts[2]; // of the first two kernels
    int32_t liveBlockCount; // of the third one
    int32_t liveCount;
    wkDeviceLive lives[WK_MOST_LIVE];
    wkLiveObjects objects[WK_MOST_LIVE]; // of these
} wkDeviceStates;

// Queues, as indices of their counts.
typedef enum wkDeviceQueue {
    wk_queueOpen,
    wk_queueHost,
    wk_queueSpheres, // may count more than there is space for
    WK_QUEUE_COUNT,
} wkDeviceQueue;

// Bytes of shared memory of a block.
// @param isShared numbers of configurations and tables are in it
size_t wkStatesSharedBytes(const wkDeviceBatch* batch, bool isShared);

// Counts the blocks of the first two kernels that run at once on a multiprocessor, and lets them use shared memory.
// @param mostBytes of shared memory that a block may have
cudaError_t wkCountStateBlocks(const wkDeviceBatch* batch, bool isShared, wkLiveKind kind,
                               size_t mostBytes, int counts[2]);

// Counts the blocks of the third kernel that run at once on a multiprocessor.
cudaError_t wkCountLiveBlocks(wkLiveKind kind, int* count);

// Compares the spheres in the queue of the third kernel with live points and objects.
cudaError_t wkLaunchOpenSpheres(const wkDeviceStates* states, cudaStream_t stream);

// Checks configurations, with all kernels.
cudaError_t wkLaunchCheckStates(const wkDeviceStates* states, cudaStream_t stream);

// Copies the rows of configurations in the queue of the CPU, as doubles.
// @param rows `count` rows
cudaError_t wkLaunchGatherRows(const wkDeviceStates* states, int64_t first, int64_t count,
                               double* rows, cudaStream_t stream);

// Writes verdicts of configurations in the queue of the CPU: verdict i belongs to queue[first + i].
cudaError_t wkLaunchScatterVerdicts(const wkDeviceStates* states, int64_t first, int64_t count,
                                    const uint8_t* verdicts, cudaStream_t stream);

// Packs verdicts of 32 configurations into a word each: a bit is set for those that are free.
cudaError_t wkLaunchPackVerdicts(const uint8_t* verdicts, int64_t count, uint32_t* words,
                                 cudaStream_t stream);

#ifdef __cplusplus
}
#endif
