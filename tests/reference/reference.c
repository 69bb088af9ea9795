// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Chooses the method of the reference solver; half-spaces and planes are exact formulas.

#include "reference_body.h"

#include <math.h>

// Polytopes with more axis evaluations than this are left to the search.
#define AXES_WORK_LIMIT 4.0e6

static bool isFlatUnbounded(const wkRefBody* body)
{
    return body->kind == wk_coreHalfspace || body->kind == wk_corePlane;
}

static wkVec3d toDouble(wkVec3r v)
{
    wkVec3d d = {(double)v.x, (double)v.y, (double)v.z};
    return d;
}

// Bounds are rounded outward when they become double.
static wkReference finish(wkRefBracket core, wkReal radii)
{
    wkReference r = {.normal = toDouble(core.normal)};
    r.lower = (double)(core.lower - radii);
    r.upper = (double)(core.upper - radii);
    if (r.lower > core.lower - radii) {
        r.lower = nextafter(r.lower, -INFINITY);
    }
    if (r.upper < core.upper - radii) {
        r.upper = nextafter(r.upper, INFINITY);
    }
    return r;
}

static wkReference unbounded(void)
{
    wkReference r = {WK_UNBOUNDED_DISTANCE, WK_UNBOUNDED_DISTANCE, {0.0, 0.0, 1.0}, true};
    return r;
}

// Two unbounded bodies are apart by a finite amount only if they face each other exactly.
static wkRefBracket solvePlanes(const wkRefBody* a, const wkRefBody* b, bool* isBounded)
{
    wkReal cosine = wkRefDot(a->normal, b->normal);
    wkReal sign = cosine > 0.0L ? 1.0L : -1.0L;
    wkVec3r turn = wkRefCross(a->normal, b->normal);
    bool isFacing = a->kind == wk_corePlane || b->kind == wk_corePlane || sign < 0.0L;
    *isBounded = isFacing && wkRefLength(turn) < 1e-15L;

    // along A's normal A ends at its offset and B begins at its own
    wkReal begin = sign * b->offset;
    wkReal ahead = begin - a->offset; // B on the outer side of A
    wkRefBracket r = {ahead, ahead, a->normal};
    bool mayLieBehind = a->kind == wk_corePlane && (b->kind == wk_corePlane || sign > 0.0L);
    bool mayLieAhead = b->kind == wk_corePlane || sign < 0.0L;
    if (mayLieBehind && (!mayLieAhead || -ahead > ahead)) {
        r = (wkRefBracket){-ahead, -ahead, wkRefScale(a->normal, -1.0L)};
    }
    return r;
}

// A bounded body against a half-space or plane. `sign` is 1 when the plane is A.
static wkRefBracket solveAgainstPlane(const wkRefBody* plane, const wkRefBody* body, wkReal sign)
{
    wkVec3r n = plane->normal;
    wkVec3r back = wkRefScale(n, -1.0L);
    wkReal above = wkRefDot(n, wkRefSupport(body, back)) - plane->offset;
    wkReal below = plane->offset - wkRefDot(n, wkRefSupport(body, n));
    if (plane->kind == wk_corePlane && below > above) {
        return (wkRefBracket){below, below, wkRefScale(back, sign)};
    }
    return (wkRefBracket){above, above, wkRefScale(n, sign)};
}

static wkReference solve(const wkRefBody* a, const wkRefBody* b, int budget, bool mayUseAxes)
{
    wkReal radii = a->radius + b->radius;
    if (isFlatUnbounded(a) && isFlatUnbounded(b)) {
        bool isBounded;
        wkRefBracket r = solvePlanes(a, b, &isBounded);
        return isBounded ? finish(r, radii) : unbounded();
    }
    if (isFlatUnbounded(a)) {
        return finish(solveAgainstPlane(a, b, 1.0L), radii);
    }
    if (isFlatUnbounded(b)) {
        return finish(solveAgainstPlane(b, a, -1.0L), radii);
    }
    double work = (double)(a->edgeCount + 1) * (b->edgeCount + 1) * (a->pointCount + b->pointCount);
    bool arePolytopes = a->kind == wk_corePoints && b->kind == wk_corePoints;
    if (mayUseAxes && arePolytopes && work < AXES_WORK_LIMIT) {
        return finish(wkRefSolveAxes(a, b), radii);
    }
    return finish(wkRefSolveSearch(a, b, budget), radii);
}

static wkReference solveShapes(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                               int budget, bool mayUseAxes)
{
    wkRefBody bodyA, bodyB;
    wkRefBody_Create(&bodyA, a, poseA, poseA.position);
    wkRefBody_Create(&bodyB, b, poseB, poseA.position);
    wkReference r = solve(&bodyA, &bodyB, budget, mayUseAxes);
    wkRefBody_Destroy(&bodyA);
    wkRefBody_Destroy(&bodyB);
    return r;
}

wkReference wkReferenceDistance(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                int budget)
{
    return solveShapes(a, poseA, b, poseB, budget, true);
}

wkReference wkReferenceSearch(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                              int budget)
{
    return solveShapes(a, poseA, b, poseB, budget, false);
}

// Largest n.x over a core; infinite when the core has no end along n.
static wkReal extentAlong(const wkRefBody* body, wkVec3r n)
{
    if (!isFlatUnbounded(body)) {
        return wkRefDot(n, wkRefSupport(body, n));
    }
    // normals from double precision are parallel to some 1e-16
    wkReal cosine = wkRefDot(n, body->normal);
    bool isAlong = wkRefLength(wkRefCross(n, body->normal)) < 4e-16L;
    bool hasEnd = isAlong && (cosine > 0.0L || body->kind == wk_corePlane);
    return hasEnd ? (cosine > 0.0L ? body->offset : -body->offset) : INFINITY;
}

double wkReferenceGap(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                      wkVec3d normal)
{
    wkRefBody bodyA, bodyB;
    wkRefBody_Create(&bodyA, a, poseA, poseA.position);
    wkRefBody_Create(&bodyB, b, poseB, poseA.position);
    wkVec3r n = wkRefVec(normal.x, normal.y, normal.z);
    n = wkRefScale(n, 1.0L / wkRefLength(n));
    wkReal gap = -extentAlong(&bodyA, n) - extentAlong(&bodyB, wkRefScale(n, -1.0L));
    gap -= bodyA.radius + bodyB.radius;
    wkRefBody_Destroy(&bodyA);
    wkRefBody_Destroy(&bodyB);
    return (double)gap;
}
