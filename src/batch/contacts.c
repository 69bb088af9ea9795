// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Balls that can touch within limits. The variables between two parts span a box; in the middle of a box,
// pairs that touch are found, and pairs that are further apart than they can come nearer within the box
// are done with. The box is halved for the others.

#include "batch/contacts.h"

#include "base/error.h"
#include "base/memory.h"
#include "batch/program_draft.h"
#include "math/angle.h"
#include "math/round.h"
#include "robot/kinematics.h"

#include <string.h>

// Variables between two parts, joints to either side, and pairs of balls that are looked at.
#define MOST_VARIABLES 3
#define MOST_JOINTS 16
#define MOST_PAIRS 4096

// Boxes are not halved when balls move no further within them, or when there have been so many: what
// is not known then counts as touching.
#define SMALL_MOTION 1e-3
#define MOST_BOXES 3000
// The same for all pairs of parts together, in balls placed and pairs compared.
#define MOST_WORK 8000000
#define MOST_HALVINGS 48

// What doubles are off by, and a share of lengths that is more than what comparing floats is off by.
#define APART_SLACK 1e-7
#define APART_SHARE 2e-6
#define AROUND_SLACK 1e-9
// Balls around those that can touch are worth a look of their own when they are smaller than this share
// of the balls around parts.
#define TIGHT_SHARE 0.9f

typedef struct box {
    double middle[MOST_VARIABLES];
    double half[MOST_VARIABLES];
} box;

// Balls of one part, and the joints between them and where both parts meet.
typedef struct branch {
    const wkPart* part;
    int32_t joints[MOST_JOINTS]; // movers, from the part inward
    int jointCount;
    wkVec3d* centers;                 // where balls are in the middle of a box
    double (*levers)[MOST_VARIABLES]; // how far they move for one unit of each variable, at most
    double* motions;                  // how far they move within a box
    wkBall* used;                     // those that can touch
} branch;

typedef struct search {
    const wkProgram* program;
    double margin;
    double* q;
    int32_t variables[MOST_VARIABLES];
    int variableCount;
    branch a, b;
    uint8_t* canTouch; // by ball of a, then of b
    uint16_t* open;    // lists of pairs, one for each halving
    int boxCount;
    int64_t work;
} search;

static bool isTurn(const wkMover* mover)
{
    return mover->type == wk_jointRevolute || mover->type == wk_jointContinuous;
}

// Joints of both parts up to where they meet.
// @return false: there are too many, or they are free to go anywhere
static bool findJoints(search* s)
{
    const wkMover* movers = s->program->robot->movers;
    int32_t a = s->a.part->mover, b = s->b.part->mover;
    s->a.jointCount = s->b.jointCount = 0;
    while (a != b) {
        int32_t* higher = a > b ? &a : &b;
        branch* side = a > b ? &s->a : &s->b;
        bool isKnown = isTurn(&movers[*higher]) || movers[*higher].type == wk_jointPrismatic;
        if (side->jointCount == MOST_JOINTS || !isKnown) {
            return false;
        }
        side->joints[side->jointCount++] = *higher;
        *higher = movers[*higher].parent;
    }
    return true;
}

// The number of a variable among those of the search, which it joins.
// @return -1: there are too many
static int findVariable(search* s, int32_t variable)
{
    for (int k = 0; k < s->variableCount; k++) {
        if (s->variables[k] == variable) {
            return k;
        }
    }
    if (s->variableCount == MOST_VARIABLES) {
        return -1;
    }
    s->variables[s->variableCount] = variable;
    return s->variableCount++;
}

static bool findVariables(search* s)
{
    const branch* sides[2] = {&s->a, &s->b};
    s->variableCount = 0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < sides[side]->jointCount; k++) {
            const wkMover* mover = &s->program->robot->movers[sides[side]->joints[k]];
            if (findVariable(s, mover->variable) < 0) {
                return false;
            }
        }
    }
    return true;
}

// Whether the joints that follow a variable stand the same after a whole turn of it.
static bool areWhole(const search* s, int32_t variable)
{
    const branch* sides[2] = {&s->a, &s->b};
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < sides[side]->jointCount; k++) {
            const wkMover* mover = &s->program->robot->movers[sides[side]->joints[k]];
            bool isSame = isTurn(mover) && mover->factor == rint(mover->factor);
            if (mover->variable == variable && !isSame) {
                return false;
            }
        }
    }
    return true;
}

// All values within limits.
// @return false: there is no end to them
static bool findBox(const search* s, box* whole)
{
    for (int k = 0; k < s->variableCount; k++) {
        const wkVariableInfo* info = &s->program->robot->variables[s->variables[k]];
        double lower = info->lower - WK_LIMIT_SLACK * (2.0 + fabs(info->lower));
        double upper = info->upper + WK_LIMIT_SLACK * (2.0 + fabs(info->upper));
        bool isBounded = upper - lower < INFINITY;
        if (!isBounded && !areWhole(s, s->variables[k])) {
            return false;
        }
        whole->middle[k] = isBounded ? 0.5 * (lower + upper) : 0.0;
        whole->half[k] = isBounded ? 0.5 * (upper - lower) : WK_PI;
    }
    return true;
}

// How far a slide of a joint can be from its origin.
static double longestSlide(const search* s, const wkMover* mover, const box* whole)
{
    if (isTurn(mover)) {
        return 0.0;
    }
    double longest = 0.0;
    for (int k = 0; k < s->variableCount; k++) {
        if (s->variables[k] == mover->variable) {
            longest = fabs(mover->factor) * (fabs(whole->middle[k]) + whole->half[k]);
        }
    }
    return longest + fabs(mover->offset);
}

static double awayFromAxis(const wkMover* mover, wkVec3d point)
{
    return wkLength(wkCross(mover->axis, point));
}

// Levers of a ball: how far it can be from the axes of its joints, going inward.
static void setLevers(search* s, branch* side, int32_t ball, const box* whole)
{
    wkVec3d center = s->program->exact[side->part->firstBall + ball].center;
    double away = wkLength(center), past = 0.0;
    wkVec3d from = center; // what the next axis sees: a point, and everything `past` it
    for (int v = 0; v < MOST_VARIABLES; v++) {
        side->levers[ball][v] = 0.0;
    }
    for (int k = 0; k < side->jointCount; k++) {
        const wkMover* mover = &s->program->robot->movers[side->joints[k]];
        double lever = isTurn(mover) ? awayFromAxis(mover, from) + past : 1.0;
        side->levers[ball][findVariable(s, mover->variable)] += fabs(mover->factor) * lever;
        past = away + longestSlide(s, mover, whole);
        from = mover->origin.position;
        away = past + wkLength(from);
    }
}

static void placeBranch(const search* s, branch* side, const box* b)
{
    wkPose pose = wkIdentityPose();
    for (int k = side->jointCount - 1; k >= 0; k--) {
        wkPose inParent = wkPlaceJoint(&s->program->robot->movers[side->joints[k]], s->q);
        pose = wkMulUnitPose(&pose, &inParent);
    }
    for (int32_t i = 0; i < side->part->ballCount; i++) {
        wkVec3d center = s->program->exact[side->part->firstBall + i].center;
        side->centers[i] = wkAdd(pose.position, wkRotateByUnit(pose.rotation, center));
        side->motions[i] = 0.0;
        for (int v = 0; v < s->variableCount; v++) {
            side->motions[i] += side->levers[i][v] * b->half[v];
        }
    }
}

// The radius of a ball in lanes, and as much again as rounding can add: lanes may have the center off by
// that much.
static double largestRadius(const wkProgram* program, int32_t ball)
{
    return 2.0 * (double)program->radius[ball] - program->exact[ball].radius;
}

// How far two balls are apart, not even touching by what floats are off by.
static double gapOf(const search* s, int32_t i, int32_t k)
{
    double radii = largestRadius(s->program, s->a.part->firstBall + i) +
                   largestRadius(s->program, s->b.part->firstBall + k);
    double reach = radii + s->margin;
    return wkLength(wkSub(s->a.centers[i], s->b.centers[k])) - reach - APART_SHARE * fabs(reach) -
           APART_SLACK;
}

// Looks at the open pairs of a box in its middle.
// @param left those that are neither found touching nor proven apart
// @param motion set to how far any of those moves at most
// @return how many are left
static int sift(search* s, const box* b, const uint16_t* open, int count, uint16_t* left,
                double* motion)
{
    int32_t otherCount = s->b.part->ballCount;
    int leftCount = 0;
    s->work += count + s->a.part->ballCount + otherCount;
    *motion = 0.0;
    for (int v = 0; v < s->variableCount; v++) {
        s->q[s->variables[v]] = b->middle[v];
    }
    placeBranch(s, &s->a, b);
    placeBranch(s, &s->b, b);
    for (int n = 0; n < count; n++) {
        int32_t i = open[n] / otherCount, k = open[n] % otherCount;
        if (s->canTouch[open[n]] != 0) {
            continue;
        }
        double gap = gapOf(s, i, k), nearer = s->a.motions[i] + s->b.motions[k];
        s->canTouch[open[n]] = gap <= 0.0;
        if (gap > 0.0 && gap <= nearer) {
            left[leftCount++] = open[n];
            *motion = wkMaxD(*motion, nearer);
        }
    }
    return leftCount;
}

// The variable by which balls move most within a box.
static int widest(const search* s, const box* b)
{
    int best = 0;
    double most = -1.0;
    const branch* sides[2] = {&s->a, &s->b};
    for (int v = 0; v < s->variableCount; v++) {
        double lever = 0.0;
        for (int side = 0; side < 2; side++) {
            for (int32_t i = 0; i < sides[side]->part->ballCount; i++) {
                lever = wkMaxD(lever, sides[side]->levers[i][v]);
            }
        }
        if (lever * b->half[v] > most) {
            most = lever * b->half[v];
            best = v;
        }
    }
    return best;
}

static void look(search* s, const box* b, const uint16_t* open, int count, int halvings)
{
    uint16_t* left = s->open + (size_t)(halvings + 1) * MOST_PAIRS;
    double motion = 0.0;
    int leftCount = sift(s, b, open, count, left, &motion);
    if (leftCount == 0) {
        return;
    }
    bool isLast = motion < SMALL_MOTION || halvings == MOST_HALVINGS ||
                  ++s->boxCount > MOST_BOXES || s->work > MOST_WORK;
    for (int n = 0; n < leftCount && isLast; n++) {
        s->canTouch[left[n]] = 1;
    }
    int v = widest(s, b);
    for (int side = -1; side <= 1 && !isLast; side += 2) {
        box halved = *b;
        halved.half[v] = 0.5 * b->half[v];
        halved.middle[v] = b->middle[v] + side * halved.half[v];
        look(s, &halved, left, leftCount, halvings + 1);
    }
}

// Finds the balls of two parts that can touch.
// @return false: nothing is known
static bool searchPair(search* s, const wkPartPair* pair)
{
    s->a.part = &s->program->parts[pair->a];
    s->b.part = &s->program->parts[pair->b];
    int64_t count = (int64_t)s->a.part->ballCount * s->b.part->ballCount;
    box whole = {{0.0}, {0.0}};
    if (count > MOST_PAIRS || !findJoints(s) || !findVariables(s) || !findBox(s, &whole)) {
        return false;
    }
    for (int32_t i = 0; i < s->a.part->ballCount; i++) {
        setLevers(s, &s->a, i, &whole);
    }
    for (int32_t i = 0; i < s->b.part->ballCount; i++) {
        setLevers(s, &s->b, i, &whole);
    }
    for (int32_t n = 0; n < (int32_t)count; n++) {
        s->open[n] = (uint16_t)n;
        s->canTouch[n] = 0;
    }
    s->boxCount = 0;
    look(s, &whole, s->open, (int)count, 0);
    return true;
}

// Room for more in an array that grows.
static bool grow(void** array, int32_t* capacity, int32_t count, int32_t more, size_t size)
{
    if (count + more <= *capacity) {
        return true;
    }
    int32_t larger = 2 * (count + more);
    void* moved = wkAlloc((size_t)larger * size);
    if (moved == NULL) {
        return false;
    }
    if (count > 0) {
        memcpy(moved, *array, (size_t)count * size);
    }
    wkFree(*array, (size_t)*capacity * size);
    *array = moved;
    *capacity = larger;
    return true;
}

// Takes down what a search has found.
// @return false: no memory
static bool keep(const search* s, wkContacts* contacts, wkPairContacts* pair)
{
    int32_t countA = s->a.part->ballCount, countB = s->b.part->ballCount;
    if (!grow((void**)&contacts->groups, &contacts->groupCapacity, contacts->groupCount, countB,
              sizeof *contacts->groups) ||
        !grow((void**)&contacts->balls, &contacts->ballCapacity, contacts->ballCount,
              countA * countB, sizeof *contacts->balls)) {
        return false;
    }
    pair->firstGroup = contacts->groupCount;
    for (int32_t k = 0; k < countB; k++) {
        wkContactGroup group = {s->b.part->firstBall + k, contacts->ballCount, 0};
        for (int32_t i = 0; i < countA; i++) {
            if (s->canTouch[i * countB + k] != 0) {
                contacts->balls[contacts->ballCount++] = s->a.part->firstBall + i;
                ++group.count;
            }
        }
        if (group.count > 0) {
            contacts->groups[contacts->groupCount++] = group;
        }
    }
    pair->groupCount = contacts->groupCount - pair->firstGroup;
    return true;
}

// A ball around some of those of a part. It is placed in lanes as they are, and off by no more than the
// one that can be off most.
static wkContactBall ballAround(const search* s, const wkPart* part, wkBall* balls, int32_t count)
{
    const wkProgram* program = s->program;
    wkBall around = wkBallAround(balls, count);
    double radius = 0.0, slack = 0.0;
    wkContactBall ball = {(float)around.center.x, (float)around.center.y, (float)around.center.z,
                          0.0f};
    wkVec3d center = wkVec((double)ball.x, (double)ball.y, (double)ball.z);
    for (int32_t i = 0; i < count; i++) {
        double far = wkLength(wkSub(balls[i].center, center)) + balls[i].radius;
        radius = wkMaxD(radius, far);
    }
    for (int32_t i = part->firstBall; i < part->firstBall + part->ballCount; i++) {
        slack = wkMaxD(slack, (double)program->radius[i] - program->exact[i].radius);
    }
    ball.radius =
        wkRoundUp(radius + APART_SHARE * (radius + s->margin) + 3.0 * slack + AROUND_SLACK);
    return ball;
}

static wkBall laneBall(const wkProgram* program, int32_t i)
{
    wkBall ball = {wkVec((double)program->x[i], (double)program->y[i], (double)program->z[i]),
                   (double)program->radius[i]};
    return ball;
}

// Balls around those of either part that can touch.
static void setAround(search* s, wkPairContacts* pair)
{
    const wkProgram* program = s->program;
    int32_t countA = s->a.part->ballCount, countB = s->b.part->ballCount;
    int32_t usedA = 0, usedB = 0;
    for (int32_t i = 0; i < countA; i++) {
        bool isUsed = false;
        for (int32_t k = 0; k < countB; k++) {
            isUsed = isUsed || s->canTouch[i * countB + k] != 0;
        }
        if (isUsed) {
            s->a.used[usedA++] = laneBall(program, s->a.part->firstBall + i);
        }
    }
    for (int32_t k = 0; k < countB; k++) {
        bool isUsed = false;
        for (int32_t i = 0; i < countA; i++) {
            isUsed = isUsed || s->canTouch[i * countB + k] != 0;
        }
        if (isUsed) {
            s->b.used[usedB++] = laneBall(program, s->b.part->firstBall + k);
        }
    }
    if (usedA == 0) {
        return;
    }
    pair->around[0] = ballAround(s, s->a.part, s->a.used, usedA);
    pair->around[1] = ballAround(s, s->b.part, s->b.used, usedB);
    pair->isTighter = pair->around[0].radius + pair->around[1].radius <
                      TIGHT_SHARE * (s->a.part->radius + s->b.part->radius);
}

// Room for a search, in one block.
typedef struct searchRoom {
    double levers[2][MOST_PAIRS][MOST_VARIABLES];
    wkVec3d centers[2][MOST_PAIRS];
    double motions[2][MOST_PAIRS];
    wkBall used[2][MOST_PAIRS];
    uint8_t canTouch[MOST_PAIRS];
    uint16_t open[(MOST_HALVINGS + 2) * MOST_PAIRS];
} searchRoom;

static bool searchAll(search* s, wkContacts* contacts)
{
    for (int32_t i = 0; i < contacts->pairCount; i++) {
        wkPairContacts* pair = &contacts->pairs[i];
        pair->areAll = !searchPair(s, &s->program->pairs[i]);
        if (!pair->areAll && !keep(s, contacts, pair)) {
            return false;
        }
        if (!pair->areAll) {
            setAround(s, pair);
        }
        if (pair->areAll || pair->groupCount > 0) {
            contacts->live[contacts->liveCount++] = i;
        }
    }
    return true;
}

static bool findAll(const wkProgram* program, double margin, wkContacts* contacts)
{
    size_t stateByteCount = (size_t)(program->variableCount + 1) * sizeof(double);
    searchRoom* room = (searchRoom*)wkAlloc(sizeof *room);
    double* q = (double*)wkAlloc(stateByteCount);
    bool isDone = false;
    if (room != NULL && q != NULL) {
        memset(q, 0, stateByteCount);
        search s = {.program = program, .margin = margin, .q = q};
        s.canTouch = room->canTouch;
        s.open = room->open;
        s.a.levers = room->levers[0];
        s.b.levers = room->levers[1];
        s.a.centers = room->centers[0];
        s.b.centers = room->centers[1];
        s.a.motions = room->motions[0];
        s.b.motions = room->motions[1];
        s.a.used = room->used[0];
        s.b.used = room->used[1];
        isDone = searchAll(&s, contacts);
    }
    wkFree(q, stateByteCount);
    wkFree(room, sizeof *room);
    return isDone;
}

wkResult wkContacts_Create(const wkProgram* program, double margin, wkContacts** contacts)
{
    *contacts = NULL;
    size_t pairsAt = (sizeof(wkContacts) + 63) / 64 * 64;
    size_t liveAt = pairsAt + (size_t)program->pairCount * sizeof(wkPairContacts);
    size_t byteCount = liveAt + (size_t)program->pairCount * sizeof(int32_t);
    wkContacts* made = (wkContacts*)wkAlloc(byteCount);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "batch: no memory for %d pairs", (int)program->pairCount);
    }
    memset(made, 0, byteCount);
    made->byteCount = byteCount;
    made->margin = margin;
    made->pairs = (wkPairContacts*)((char*)made + pairsAt);
    made->live = (int32_t*)((char*)made + liveAt);
    made->pairCount = program->pairCount;
    if (!findAll(program, margin, made)) {
        wkContacts_Destroy(made);
        return wkFail(wk_errorMemory, "batch: no memory for pairs of balls");
    }
    *contacts = made;
    return wk_ok;
}

void wkContacts_Destroy(wkContacts* contacts)
{
    if (contacts != NULL) {
        wkFree(contacts->groups, (size_t)contacts->groupCapacity * sizeof *contacts->groups);
        wkFree(contacts->balls, (size_t)contacts->ballCapacity * sizeof *contacts->balls);
        wkFree(contacts, contacts->byteCount);
    }
}
