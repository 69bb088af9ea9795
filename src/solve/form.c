// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The terms of each core.

#include "solve/form.h"

#include <stddef.h>

// Lengths below this share of wkPair.scale are none: the term vanishes in rounding.
#define WK_FORM_NONE 1e-14

// Thinner round terms (share of their own size) have kinks of a kind that is not looked for here.
#define WK_FORM_THIN 1e-4

// One of the two cores: its axes in the frame of A, and which side of B - A it is on.
typedef struct placedCore {
    const wkShape* shape;
    wkMat3d axes;
    bool isOfB;
} placedCore;

static void addEdge(wkForm* form, const placedCore* core, double length, wkVec3d axis)
{
    if (length > WK_FORM_NONE * form->scale) {
        form->edge[form->edgeCount] = wkScale(length, axis);
        form->edgeLength[form->edgeCount] = length;
        form->isEdgeOfB[form->edgeCount] = core->isOfB;
        form->edgeCount += 1;
    }
}

static wkRoundTerm* addRound(wkForm* form, const placedCore* core, wkVec3d radii)
{
    wkRoundTerm* round = &form->round[form->roundCount++];
    round->matrix = wkSumOfSquares(&core->axes, wkMulVec(radii, radii));
    round->radius = 0.0;
    round->axis = round->apex = wkVec(0.0, 0.0, 0.0);
    round->isCone = false;
    round->isOfB = core->isOfB;
    return round;
}

static wkRoundTerm* addDisc(wkForm* form, const placedCore* core, double radius)
{
    wkRoundTerm* round = addRound(form, core, wkVec(radius, radius, 0.0));
    round->radius = radius;
    round->axis = core->axes.z;
    return round;
}

static void addCapsule(wkForm* form, const placedCore* core)
{
    addEdge(form, core, core->shape->capsule.halfLength, core->axes.z);
}

static void addBox(wkForm* form, const placedCore* core)
{
    wkVec3d half = core->shape->box.half;
    addEdge(form, core, half.x, core->axes.x);
    addEdge(form, core, half.y, core->axes.y);
    addEdge(form, core, half.z, core->axes.z);
}

static void addCylinder(wkForm* form, const placedCore* core)
{
    double radius = core->shape->cylinder.radius;
    form->isSound = form->isSound && radius > WK_FORM_NONE * form->scale;
    addEdge(form, core, core->shape->cylinder.halfLength, core->axes.z);
    addDisc(form, core, radius);
}

// A counts from its far side: its apex points the other way in B - A. Without a length it is a disc,
// without a radius a segment.
static void addCone(wkForm* form, const placedCore* core)
{
    double radius = core->shape->cone.radius, half = core->shape->cone.halfLength;
    if (half == 0.0 && radius > 0.0) {
        addDisc(form, core, radius);
        return;
    }
    if (radius == 0.0) {
        addEdge(form, core, half, core->axes.z);
        return;
    }
    form->isSound = form->isSound && wkMinD(radius, half) > WK_FORM_THIN * wkMaxD(radius, half);
    wkRoundTerm* round = addDisc(form, core, radius);
    round->axis = core->isOfB ? round->axis : wkNeg(round->axis);
    round->apex = wkScale(half, round->axis);
    round->isCone = true;
    form->isSymmetric = false;
}

// One with a single radius is a segment.
static void addEllipsoid(wkForm* form, const placedCore* core)
{
    wkVec3d r = core->shape->ellipsoid.radii;
    if ((r.x == 0.0) + (r.y == 0.0) + (r.z == 0.0) >= 2) {
        addEdge(form, core, r.x, core->axes.x);
        addEdge(form, core, r.y, core->axes.y);
        addEdge(form, core, r.z, core->axes.z);
        return;
    }
    double least = wkMinD(wkMinD(r.x, r.y), r.z), most = wkMaxAbs(r);
    form->isSound = form->isSound && least > WK_FORM_THIN * most;
    form->roundness += least * least / most; // its smallest radius of curvature
    addRound(form, core, r);
}

typedef void addTermsFcn(wkForm* form, const placedCore* core);

// clang-format off
static addTermsFcn* const termTable[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeCapsule]   = addCapsule,
    [wk_shapeBox]       = addBox,
    [wk_shapeCylinder]  = addCylinder,
    [wk_shapeCone]      = addCone,
    [wk_shapeEllipsoid] = addEllipsoid,
};
// clang-format on

static void clear(wkForm* form, wkVec3d way, double scale)
{
    form->way = way;
    form->scale = scale;
    form->edgeCount = form->roundCount = 0;
    form->roundness = 0.0;
    form->isSymmetric = form->isSound = true;
}

bool wkMakeForm(const wkPair* pair, wkForm* form)
{
    addTermsFcn *addA = termTable[pair->a->type], *addB = termTable[pair->b->type];
    if (addA == NULL || addB == NULL) {
        return false;
    }
    static const wkMat3d own = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    placedCore a = {pair->a, own, false}, b = {pair->b, pair->bInA.rotation, true};
    clear(form, pair->bInA.position, pair->scale);
    addA(form, &a);
    addB(form, &b);
    return form->isSound && form->roundCount > 0;
}

double wkForm_Height(const wkForm* form, wkVec3d d)
{
    double height = wkDot(form->way, d);
    for (int i = 0; i < form->edgeCount; ++i) {
        height += fabs(wkDot(form->edge[i], d));
    }
    for (int i = 0; i < form->roundCount; ++i) {
        const wkRoundTerm* round = &form->round[i];
        double reach = sqrt(wkMaxD(wkDot(d, wkMulSV(&round->matrix, d)), 0.0));
        double apex = wkDot(round->apex, d);
        height += wkMaxD(reach - apex, apex);
    }
    return height;
}
