// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The terms of each core.

#include "solve/global_depth/support_sum.h"

#include "whisker/detail/counts.h"

#include <stddef.h>

// Lengths below this share of wkPair.scale are zero: the term vanishes in rounding.
#define WK_FORM_NONE 1e-14

// Thinner round terms (share of their own size) have kinks of a kind that is not handled here.
#define WK_FORM_THIN 1e-4

// One of the two cores: its axes in the frame of A, and its sign in B - A.
typedef struct placedCore {
    const wkShape* shape;
    wkMat3d axes;
    bool isOfB;
} placedCore;

static void addEdge(wkSupportSum* supportSum, const placedCore* core, double length, wkVec3d axis)
{
    if (length > WK_FORM_NONE * supportSum->scale) {
        supportSum->edge[supportSum->edgeCount] = wkScale(length, axis);
        supportSum->edgeLength[supportSum->edgeCount] = length;
        supportSum->isEdgeOfB[supportSum->edgeCount] = core->isOfB;
        supportSum->edgeCount += 1;
    }
}

static wkRoundTerm* addRound(wkSupportSum* supportSum, const placedCore* core, wkVec3d radii)
{
    wkRoundTerm* round = &supportSum->round[supportSum->roundCount++];
    round->matrix = wkSumOfSquares(&core->axes, wkMulVec(radii, radii));
    round->radius = 0.0;
    round->axis = round->apex = wkVec(0.0, 0.0, 0.0);
    round->isCone = false;
    round->isOfB = core->isOfB;
    return round;
}

static wkRoundTerm* addDisc(wkSupportSum* supportSum, const placedCore* core, double radius)
{
    wkRoundTerm* round = addRound(supportSum, core, wkVec(radius, radius, 0.0));
    round->radius = radius;
    round->axis = core->axes.z;
    return round;
}

static void addCapsule(wkSupportSum* supportSum, const placedCore* core)
{
    addEdge(supportSum, core, core->shape->capsule.halfLength, core->axes.z);
}

static void addBox(wkSupportSum* supportSum, const placedCore* core)
{
    wkVec3d half = core->shape->box.half;
    addEdge(supportSum, core, half.x, core->axes.x);
    addEdge(supportSum, core, half.y, core->axes.y);
    addEdge(supportSum, core, half.z, core->axes.z);
}

static void addCylinder(wkSupportSum* supportSum, const placedCore* core)
{
    double radius = core->shape->cylinder.radius;
    supportSum->isValid = supportSum->isValid && radius > WK_FORM_NONE * supportSum->scale;
    addEdge(supportSum, core, core->shape->cylinder.halfLength, core->axes.z);
    addDisc(supportSum, core, radius);
}

// A is negated: its apex points the other way in B - A. A cone with zero length is a disc, with zero radius a
// segment.
static void addCone(wkSupportSum* supportSum, const placedCore* core)
{
    double radius = core->shape->cone.radius, half = core->shape->cone.halfLength;
    if (half == 0.0 && radius > 0.0) {
        addDisc(supportSum, core, radius);
        return;
    }
    if (radius == 0.0) {
        addEdge(supportSum, core, half, core->axes.z);
        return;
    }
    supportSum->isValid =
        supportSum->isValid && wkMinD(radius, half) > WK_FORM_THIN * wkMaxD(radius, half);
    wkRoundTerm* round = addDisc(supportSum, core, radius);
    round->axis = core->isOfB ? round->axis : wkNeg(round->axis);
    round->apex = wkScale(half, round->axis);
    round->isCone = true;
    supportSum->isSymmetric = false;
}

// An ellipsoid with a single nonzero radius is a segment.
static void addEllipsoid(wkSupportSum* supportSum, const placedCore* core)
{
    wkVec3d r = core->shape->ellipsoid.radii;
    if ((r.x == 0.0) + (r.y == 0.0) + (r.z == 0.0) >= 2) {
        addEdge(supportSum, core, r.x, core->axes.x);
        addEdge(supportSum, core, r.y, core->axes.y);
        addEdge(supportSum, core, r.z, core->axes.z);
        return;
    }
    double least = wkMinD(wkMinD(r.x, r.y), r.z), most = wkMaxAbs(r);
    supportSum->isValid = supportSum->isValid && least > WK_FORM_THIN * most;
    supportSum->roundness += least * least / most; // its smallest radius of curvature
    addRound(supportSum, core, r);
}

typedef void addTermsFcn(wkSupportSum* supportSum, const placedCore* core);

// clang-format off
static addTermsFcn* const termTable[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeCapsule]   = addCapsule,
    [wk_shapeBox]       = addBox,
    [wk_shapeCylinder]  = addCylinder,
    [wk_shapeCone]      = addCone,
    [wk_shapeEllipsoid] = addEllipsoid,
};
// clang-format on

static void clear(wkSupportSum* supportSum, wkVec3d way, double scale)
{
    supportSum->way = way;
    supportSum->scale = scale;
    supportSum->edgeCount = supportSum->roundCount = 0;
    supportSum->roundness = 0.0;
    supportSum->isSymmetric = supportSum->isValid = true;
}

bool wkMakeSupportSum(const wkPair* pair, wkSupportSum* supportSum)
{
    addTermsFcn *addA = termTable[pair->a->type], *addB = termTable[pair->b->type];
    if (addA == NULL || addB == NULL) {
        return false;
    }
    static const wkMat3d own = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    placedCore a = {pair->a, own, false}, b = {pair->b, pair->bInA.rotation, true};
    clear(supportSum, pair->bInA.position, pair->scale);
    addA(supportSum, &a);
    addB(supportSum, &b);
    return supportSum->isValid && supportSum->roundCount > 0;
}

double wkSupportSum_Height(const wkSupportSum* supportSum, wkVec3d d)
{
    double height = wkDot(supportSum->way, d);
    for (int i = 0; i < supportSum->edgeCount; ++i) {
        height += fabs(wkDot(supportSum->edge[i], d));
    }
    for (int i = 0; i < supportSum->roundCount; ++i) {
        const wkRoundTerm* round = &supportSum->round[i];
        double reach = sqrt(wkMaxD(wkDot(d, wkMulSV(&round->matrix, d)), 0.0));
        double apex = wkDot(round->apex, d);
        height += wkMaxD(reach - apex, apex);
    }
    return height;
}
