// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A batch in memory. Configurations are looked at by blocks, each in a room that a thread takes from
// the shelf of the batch and puts back: nothing is allocated on the way. What becomes of one of them
// does not depend on the others, so that threads and instruction sets change nothing.

#include "base/cpu.h"
#include "batch/contacts.h"
#include "batch/field.h"
#include "batch/program.h"
#include "batch/self_table.h"
#include "robot/robot_scene.h"
#include "robot/sphere_model.h"
#include "whisker/batch.h"

#include <stdatomic.h>

// Configurations side by side in a room: whole lanes of every instruction set.
#define WK_BATCH_BLOCK 128

// Depth images at a time.
#define WK_BATCH_CAMERAS 64

// Configurations whose balls are placed all at once.
#define WK_PLACED_ROWS 16

// Configurations of one motion in a block; the block has room for so many motions.
#define WK_MOTION_ROWS 8
#define WK_MOTION_SLOTS (WK_BATCH_BLOCK / WK_MOTION_ROWS)

// What is looked at, as bits.
typedef enum wkLookBits {
    wk_lookSelf = 1,
    wk_lookWorld = 2,
    wk_lookDepth = 4,
    wk_lookLimits = 8,
} wkLookBits;

// Parts among objects, and pairs of parts, as bits for each row of a block. What has been proven for a
// span needs no look in its halves. Where there are more than bits, some share one: it stands for all of
// them.
typedef struct wkSpanItems {
    _Alignas(64) int32_t parts[WK_BATCH_BLOCK];
    int32_t pairs[WK_BATCH_BLOCK];
} wkSpanItems;

#define WK_SPAN_BITS 31
#define WK_ALL_SPAN_BITS INT32_MAX

static inline int32_t wkSpanBit(int32_t number)
{
    return 1 << (number % WK_SPAN_BITS);
}

// A block of configurations, and what is found about them.
typedef struct wkLook {
    const double* rows; // configurations, one after the other
    int32_t count;      // at most WK_BATCH_BLOCK
    unsigned bits;      // of wkLookBits
    uint8_t* verdicts;  // one for each row
    // Of spans of motions, whose middles the rows are; NULL: rows alone. For each mover and row, the
    // radians that it turns and the metres that it slides up to the end of the span, never too small;
    // a turn has the sign of its direction, but for floating joints
    const float* turns; // WK_BATCH_BLOCK for each mover
    const float* slides;
    // Of spans: what a ball moves by that is near enough to touch something on the way; 0: none is
    float* open;
    const wkSpanItems* wanted; // of spans: what is to be looked at
    wkSpanItems* unproven;     // of spans that are free in their middle: what is not proven
    const uint8_t* slots;      // of spans: numbers of their motions
    bool wantsAll;             // and whether one contact is not enough for a motion
    bool isWithinLimits;       // and whether their motions are
} wkLook;

// A span of a motion that is not proven yet.
typedef struct wkSpan {
    double middle;
    double half;
    int32_t parts; // what is not proven in it, as in wkSpanItems
    int32_t pairs;
} wkSpan;

#define WK_SPAN_CAPACITY 128

// A motion that a room is busy with.
typedef struct wkMotionSlot {
    int64_t motion; // its number; -1: none
    const double* from;
    const double* to;
    double* rates; // room for what movers do on the whole way
    float* turns;  // the same, never too small; turns with the sign of their direction
    float* slides;
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
    wkSpan* spans;                // WK_SPAN_CAPACITY of them
    wkSpan taken[WK_MOTION_ROWS]; // of the rows
    int32_t spanCount;
    double firstHalf; // of the spans it begins with
    int32_t uncertainCount;
    double time; // of the contact that counts
    uint8_t verdict;
} wkMotionSlot;

// What a thread needs to look at configurations.
struct wkBatchRoom {
    double* rows;      // a block of them
    uint8_t* verdicts; // of the block
    float* lanes;      // what lanes compute: see wkProgram
    float* packed;     // columns of rows that are packed together: see lane_block.h
    uint16_t* packedRows;
    float* turns; // as in wkLook
    float* slides;
    float* open;
    float* spins;           // of spans: turns of movers as vectors, see lane_growth.h
    float* ways;            // of spans: metres that points move by, see lane_growth.h
    uint8_t* slotOfRow;     // as in wkLook
    wkSpanItems* wanted;    // likewise
    wkSpanItems* unproven;  // likewise
    bool* isMoving;         // of movers: in any row
    bool* isStillTurn;      // of turns of the program: the same in all rows, see lane_still.h
    bool* isStillColumn;    // of its columns likewise
    wkMotionSlot* slots;    // WK_MOTION_SLOTS of them
    float* placed;          // balls of WK_PLACED_ROWS configurations: see batch_lanes.h
    float* centers;         // likewise of the balls around parts
    float* bounds;          // metres from these balls' middles: see batch_lanes.h
    wkBall* balls;          // of one configuration
    wkPose* movers;         // of one configuration
    wkRobotState* state;    // for the shapes of the robot
    const double* bodiesAt; // the configuration that wkAreBodiesApart has set it to; NULL: none
    double* chainValues;    // a value for each variable, for cells of tables
    int64_t tableCredit;    // what may be spent on cells of tables: see self_table.c
};

// A look at the spans of motions that are in a room; how many and what for is the caller's.
static inline wkLook wkLookOfSpans(const wkBatchRoom* room)
{
    wkLook look = {
        .rows = room->rows,
        .verdicts = room->verdicts,
        .turns = room->turns,
        .slides = room->slides,
        .open = room->open,
        .wanted = room->wanted,
        .unproven = room->unproven,
        .slots = room->slotOfRow,
    };
    return look;
}

typedef struct wkBatchLanes wkBatchLanes;

typedef _Atomic(uint64_t) wkRoomBits;

// A mover with parts on it, and a point in the middle of these in its frame.
typedef struct wkCarrier {
    int32_t mover;
    int32_t firstWay;
    float x, y, z;
    float reach;   // how far the centers of balls, and of those around parts, are from there
    int32_t parts; // whose ways it has, as in wkSpanItems
    int32_t pairs;
} wkCarrier;

// Members of the crew that are the bodies of a part.
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
    const wkBatchLanes* lanes;

    // What follows is made anew when the scene has changed.
    uint64_t sceneVersion; // that it was made from
    wkHeldBalls held;      // whose shapes are not fitted again
    wkProgram* program;
    wkContacts* contacts;
    wkField* field;
    wkSelfTables* selfTables;
    void* tables; // memory of the next ones
    size_t tableByteCount;
    float margin;        // not below that of the definition
    float* radii;        // of the balls of the program, with the margin
    float* partRadii;    // of the balls around parts, with the margin
    int32_t* partOrder;  // parts in the order in which they are looked at in the world
    int32_t* pairTops;   // of pairs of parts: the mover that carries both, furthest from the root
    wkCarrier* carriers; // movers with parts on them
    int32_t carrierCount;
    // Carriers move by the joints from their own one towards the root, and there is a way for each of
    // these sums. Of a part, the way of all of them; of a pair, the two of joints that do not carry
    // both. -1: there is none
    int32_t* partWays;
    int32_t* pairWays;
    bool* isWayUsed;
    int32_t wayCount;
    float leverSlack;     // metres by which places in lanes may be wrong, and more
    float* ballReaches;   // how far centers of balls are from the point of their carrier,
    float* centerReaches; // those of balls around parts,
    float* partReaches;   // and the furthest one of a part
    float* pairReaches;   // those of balls around what can touch in pairs of parts, two for each
    float* limits;        // of variables: those well within are between these
    float*
        innerRadii; // of spheres about the centers of balls that are inside a body; below 0: none
    wkPartBodies* partBodies; // of parts
    float* bodyReaches; // likewise: how far points of bodies are from the point of their carrier
    bool* hasBodyPair;  // of pairs: both have bodies that are something else than their spheres
    wkBatchRoom* rooms;
    int32_t roomCount;
    wkRoomBits* freeRooms; // a bit for each that nobody is in
    size_t roomByteCount;  // of all rooms together
    void* roomMemory;
};

// A room that nobody else is in; waits where all are taken, which only more callers than processors
// can bring about.
wkBatchRoom* wkTakeRoom(const wkBatch* batch);
void wkGiveRoomBack(const wkBatch* batch, wkBatchRoom* room);

// Rooms for the threads of a batch.
wkResult wkMakeRooms(wkBatch* batch);
void wkFreeRooms(wkBatch* batch);

// Numbers that lanes read for every block.
wkResult wkMakeTables(wkBatch* batch);

// Those of them that are about bodies.
void wkSetPartBodies(wkBatch* batch);

// Whether the bodies of two parts are further apart than the margin in a configuration. False also where the
// configuration is not valid.
// @param q the same pointer means the same configuration until the room is given back
bool wkAreBodiesApart(const wkBatch* batch, wkBatchRoom* room, int32_t pair, const double* q,
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
void wkLookAtBlock(const wkBatch* batch, wkBatchRoom* room, const wkLook* look);

// Tasks of a call: `fcn` for items from `first` on, `count` of them, in a room.
typedef void wkBatchTaskFcn(const wkBatch* batch, wkBatchRoom* room, void* context, int64_t first,
                            int64_t count);
void wkRunBatch(const wkBatch* batch, wkBatchTaskFcn* fcn, void* context, int64_t count,
                int64_t least, int64_t most);

// A verdict about a configuration by the shapes of the robot, where balls say that it touches.
wkVerdict wkJudgeState(const wkBatch* batch, wkBatchRoom* room, const double* q, wkVerdict byBalls);

// What depth images say about a ball in the world, and the policy of a batch makes of it.
wkVerdict wkCheckDepthBall(const wkBatchDef* def, const wkBall* ball);

// How much a ball can grow and still be free by that: never more than is free, less by WK_VERDICT_STEP
// at most, and no more than `limit`. 0 or less: it is not free.
double wkDepthReach(const wkBatchDef* def, const wkBall* ball, double limit);

// Metres, and the share of a distance, to which distances are found that only verdicts tell.
#define WK_VERDICT_STEP 1e-6

// Distances that are looked for where there is no other limit.
#define WK_FARTHEST_CLEARANCE 1e9
