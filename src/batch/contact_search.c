// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches for spheres that can touch. The variables between two parts span a box. Pairs that touch in the
// middle of a box are found, and pairs whose distance there exceeds their motion within the box are done
// with. The box is halved for the others.

#include "batch/contact_search.h"

#include "batch/program_builder.h"
#include "math/angle.h"
#include "robot/kinematics.h"

// Boxes are not halved when spheres move by less within them, in metres, or after the next number of boxes:
// pairs that are open then count as touching.
#define SMALL_MOTION 1e-3
#define MOST_BOXES 3000
// The same limit for all pairs of parts together, in spheres placed and pairs compared.
#define MOST_WORK 8000000

// Rounding of doubles, in metres.
#define APART_SLACK 1e-7

typedef struct box {
    double middle[WK_CONTACT_VARIABLES];
    double half[WK_CONTACT_VARIABLES];
} box;

static bool isRevolute(const wkRigidGroup* rigidGroup)
{
    return rigidGroup->type == wk_jointRevolute || rigidGroup->type == wk_jointContinuous;
}

// Finds the joints of both parts up to their common ancestor.
// @return false: there are too many, or one is planar or floating
static bool findJoints(wkContactSearch* s)
{
    const wkRigidGroup* rigidGroups = s->program->robot->rigidGroups;
    int32_t a = s->a.part->rigidGroup, b = s->b.part->rigidGroup;
    s->a.jointCount = s->b.jointCount = 0;
    while (a != b) {
        int32_t* higher = a > b ? &a : &b;
        wkContactBranch* side = a > b ? &s->a : &s->b;
        bool isKnown =
            isRevolute(&rigidGroups[*higher]) || rigidGroups[*higher].type == wk_jointPrismatic;
        if (side->jointCount == WK_CONTACT_JOINTS || !isKnown) {
            return false;
        }
        side->joints[side->jointCount++] = *higher;
        *higher = rigidGroups[*higher].parent;
    }
    return true;
}

// Returns the index of a variable in the search, and adds it when it is new.
// @return -1: there are too many
static int findVariable(wkContactSearch* s, int32_t variable)
{
    for (int k = 0; k < s->variableCount; k++) {
        if (s->variables[k] == variable) {
            return k;
        }
    }
    if (s->variableCount == WK_CONTACT_VARIABLES) {
        return -1;
    }
    s->variables[s->variableCount] = variable;
    return s->variableCount++;
}

static bool findVariables(wkContactSearch* s)
{
    const wkContactBranch* sides[2] = {&s->a, &s->b};
    s->variableCount = 0;
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < sides[side]->jointCount; k++) {
            const wkRigidGroup* rigidGroup =
                &s->program->robot->rigidGroups[sides[side]->joints[k]];
            if (findVariable(s, rigidGroup->variable) < 0) {
                return false;
            }
        }
    }
    return true;
}

// Returns whether the joints that follow a variable have the same pose after a full revolution of it.
static bool areWhole(const wkContactSearch* s, int32_t variable)
{
    const wkContactBranch* sides[2] = {&s->a, &s->b};
    for (int side = 0; side < 2; side++) {
        for (int k = 0; k < sides[side]->jointCount; k++) {
            const wkRigidGroup* rigidGroup =
                &s->program->robot->rigidGroups[sides[side]->joints[k]];
            bool isSame = isRevolute(rigidGroup) && rigidGroup->factor == rint(rigidGroup->factor);
            if (rigidGroup->variable == variable && !isSame) {
                return false;
            }
        }
    }
    return true;
}

// Sets the box of all values within limits.
// @return false: it is unbounded
static bool findBox(const wkContactSearch* s, box* whole)
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

// Returns the largest distance of a prismatic joint from its origin.
static double longestTranslation(const wkContactSearch* s, const wkRigidGroup* rigidGroup,
                                 const box* whole)
{
    if (isRevolute(rigidGroup)) {
        return 0.0;
    }
    double longest = 0.0;
    for (int k = 0; k < s->variableCount; k++) {
        if (s->variables[k] == rigidGroup->variable) {
            longest = fabs(rigidGroup->factor) * (fabs(whole->middle[k]) + whole->half[k]);
        }
    }
    return longest + fabs(rigidGroup->offset);
}

static double awayFromAxis(const wkRigidGroup* rigidGroup, wkVec3d point)
{
    return wkLength(wkCross(rigidGroup->axis, point));
}

// Sets the levers of a sphere: its maximum distances from the axes of its joints, going inward.
static void setLevers(wkContactSearch* s, wkContactBranch* side, int32_t sphere, const box* whole)
{
    wkVec3d center = s->program->exact[side->part->firstSphere + sphere].center;
    double away = wkLength(center), past = 0.0;
    wkVec3d from = center; // point that the next axis rotates, up to `past` metres away from it
    for (int v = 0; v < WK_CONTACT_VARIABLES; v++) {
        side->levers[sphere][v] = 0.0;
    }
    for (int k = 0; k < side->jointCount; k++) {
        const wkRigidGroup* rigidGroup = &s->program->robot->rigidGroups[side->joints[k]];
        double lever = isRevolute(rigidGroup) ? awayFromAxis(rigidGroup, from) + past : 1.0;
        side->levers[sphere][findVariable(s, rigidGroup->variable)] +=
            fabs(rigidGroup->factor) * lever;
        past = away + longestTranslation(s, rigidGroup, whole);
        from = rigidGroup->origin.position;
        away = past + wkLength(from);
    }
}

static void placeBranch(const wkContactSearch* s, wkContactBranch* side, const box* b)
{
    wkPose pose = wkIdentityPose();
    for (int k = side->jointCount - 1; k >= 0; k--) {
        wkPose inParent = wkPlaceJoint(&s->program->robot->rigidGroups[side->joints[k]], s->q);
        pose = wkMulUnitPose(&pose, &inParent);
    }
    for (int32_t i = 0; i < side->part->sphereCount; i++) {
        wkVec3d center = s->program->exact[side->part->firstSphere + i].center;
        side->centers[i] = wkAdd(pose.position, wkRotateByUnit(pose.rotation, center));
        side->motions[i] = 0.0;
        for (int v = 0; v < s->variableCount; v++) {
            side->motions[i] += side->levers[i][v] * b->half[v];
        }
    }
}

// Returns the radius of a sphere in the kernels plus its rounding slack once more: the kernels may have the
// center off by that much.
static double largestRadius(const wkProgram* program, int32_t sphere)
{
    return 2.0 * (double)program->radius[sphere] - program->exact[sphere].radius;
}

// Returns the gap between two spheres, less the rounding of floats.
static double gapOf(const wkContactSearch* s, int32_t i, int32_t k)
{
    double radii = largestRadius(s->program, s->a.part->firstSphere + i) +
                   largestRadius(s->program, s->b.part->firstSphere + k);
    double reach = radii + s->margin;
    return wkLength(wkSub(s->a.centers[i], s->b.centers[k])) - reach -
           WK_CONTACT_SHARE * fabs(reach) - APART_SLACK;
}

// Classifies the open pairs of a box in its middle.
// @param left receives pairs that are neither found touching nor proven apart
// @param motion set to the largest motion of these pairs
// @return number of pairs left
static int cull(wkContactSearch* s, const box* b, const uint16_t* open, int count, uint16_t* left,
                double* motion)
{
    int32_t otherCount = s->b.part->sphereCount;
    int leftCount = 0;
    s->work += count + s->a.part->sphereCount + otherCount;
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

// Returns the variable that moves spheres most within a box.
static int widest(const wkContactSearch* s, const box* b)
{
    int best = 0;
    double most = -1.0;
    const wkContactBranch* sides[2] = {&s->a, &s->b};
    for (int v = 0; v < s->variableCount; v++) {
        double lever = 0.0;
        for (int side = 0; side < 2; side++) {
            for (int32_t i = 0; i < sides[side]->part->sphereCount; i++) {
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

static void check(wkContactSearch* s, const box* b, const uint16_t* open, int count, int halvings)
{
    uint16_t* left = s->open + (size_t)(halvings + 1) * WK_CONTACT_PAIRS;
    double motion = 0.0;
    int leftCount = cull(s, b, open, count, left, &motion);
    if (leftCount == 0) {
        return;
    }
    bool isLast = motion < SMALL_MOTION || halvings == WK_CONTACT_HALVINGS ||
                  ++s->boxCount > MOST_BOXES || s->work > MOST_WORK;
    for (int n = 0; n < leftCount && isLast; n++) {
        s->canTouch[left[n]] = 1;
    }
    int v = widest(s, b);
    for (int side = -1; side <= 1 && !isLast; side += 2) {
        box halved = *b;
        halved.half[v] = 0.5 * b->half[v];
        halved.middle[v] = b->middle[v] + side * halved.half[v];
        check(s, &halved, left, leftCount, halvings + 1);
    }
}

bool wkContactSearch_Run(wkContactSearch* s, const wkPartPair* pair)
{
    s->a.part = &s->program->parts[pair->a];
    s->b.part = &s->program->parts[pair->b];
    int64_t count = (int64_t)s->a.part->sphereCount * s->b.part->sphereCount;
    box whole = {{0.0}, {0.0}};
    if (count > WK_CONTACT_PAIRS || !findJoints(s) || !findVariables(s) || !findBox(s, &whole)) {
        return false;
    }
    for (int32_t i = 0; i < s->a.part->sphereCount; i++) {
        setLevers(s, &s->a, i, &whole);
    }
    for (int32_t i = 0; i < s->b.part->sphereCount; i++) {
        setLevers(s, &s->b, i, &whole);
    }
    for (int32_t n = 0; n < (int32_t)count; n++) {
        s->open[n] = (uint16_t)n;
        s->canTouch[n] = 0;
    }
    s->boxCount = 0;
    check(s, &whole, s->open, (int)count, 0);
    return true;
}
