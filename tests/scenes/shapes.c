// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Generators of shapes. Each generator is one table with a row per type.

#include "shapes.h"

#include "whisker/detail/counts.h"

#include <string.h>

typedef wkShape makeFcn(wkRng* rng, const wkShapeBank* bank, double size, double aspect);

const wkHull* wkShapeBank_Pick(const wkShapeBank* bank, wkRng* rng, wkBankKind kind)
{
    const wkHull* found[WK_BANK_CAPACITY];
    int count = 0;
    for (int i = 0; i < bank->count; i++) {
        if (bank->kinds[i] == kind) {
            found[count++] = bank->hulls[i];
        }
    }
    return count > 0 ? found[wkRngBelow(rng, count)] : bank->hulls[0];
}

// A length near `size`, now and then longer by up to `aspect`.
static double pickLength(wkRng* rng, double size, double aspect)
{
    double length = size * wkRngRange(rng, 0.3, 1.0);
    return aspect > 1.0 && wkRngChance(rng, 2) ? length * wkRngLogRange(rng, 1.0, aspect) : length;
}

static wkShape makeSphere(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank, (void)aspect;
    return wkMakeSphere(0.5 * pickLength(rng, size, 1.0));
}

static wkShape makeCapsule(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank;
    return wkMakeCapsule(0.3 * pickLength(rng, size, 1.0), pickLength(rng, size, aspect));
}

static wkShape makeBox(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank;
    double x = pickLength(rng, size, aspect);
    double y = pickLength(rng, size, aspect);
    return wkMakeBox(x, y, pickLength(rng, size, 1.0));
}

static wkShape makeCylinder(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank;
    double radius = 0.5 * pickLength(rng, size, aspect);
    return wkMakeCylinder(radius, pickLength(rng, size, aspect));
}

static wkShape makeCone(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank;
    double radius = 0.5 * pickLength(rng, size, aspect);
    return wkMakeCone(radius, pickLength(rng, size, aspect));
}

static wkShape makeEllipsoid(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank;
    double x = 0.5 * pickLength(rng, size, aspect);
    double y = 0.5 * pickLength(rng, size, aspect);
    return wkMakeEllipsoid(x, y, 0.5 * pickLength(rng, size, 1.0));
}

static wkShape makeTriangle(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank;
    wkVec3d a = wkSceneScale(wkRngDirection(rng), pickLength(rng, size, 1.0));
    wkVec3d b = wkSceneScale(wkRngDirection(rng), pickLength(rng, size, 1.0));
    wkVec3d c = wkSceneScale(wkRngDirection(rng), pickLength(rng, size, aspect));
    if (aspect > 1.0 && wkRngChance(rng, 3)) {
        // a needle: the third vertex beside the line of the others
        double along = wkRngRange(rng, -0.5, 1.5);
        double aside = size / wkRngLogRange(rng, 1.0, aspect);
        c = wkSceneAdd(wkSceneAdd(a, wkSceneScale(wkSceneSub(b, a), along)),
                       wkSceneScale(wkRngDirection(rng), aside));
    }
    return wkMakeTriangle(a, b, c);
}

static wkShape makeHull(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)aspect;
    wkBankKind kind = wkRngChance(rng, 6) ? wk_bankLarge : wk_bankSolid;
    kind = size < 0.01 ? wk_bankTiny : size > 100.0 ? wk_bankHuge : kind;
    return wkMakeHull(wkShapeBank_Pick(bank, rng, kind));
}

static wkShape makeHalfspace(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank, (void)aspect;
    return wkMakeHalfspace(wkRngDirection(rng), size * wkRngRange(rng, -0.5, 0.5));
}

static wkShape makePlane(wkRng* rng, const wkShapeBank* bank, double size, double aspect)
{
    (void)bank, (void)aspect;
    return wkMakePlane(wkRngDirection(rng), size * wkRngRange(rng, -0.5, 0.5));
}

// clang-format off
static makeFcn* const makers[WK_CONVEX_TYPE_COUNT] = {
    [wk_shapeSphere]    = makeSphere,
    [wk_shapeCapsule]   = makeCapsule,
    [wk_shapeBox]       = makeBox,
    [wk_shapeCylinder]  = makeCylinder,
    [wk_shapeCone]      = makeCone,
    [wk_shapeEllipsoid] = makeEllipsoid,
    [wk_shapeTriangle]  = makeTriangle,
    [wk_shapeHull]      = makeHull,
    [wk_shapeHalfspace] = makeHalfspace,
    [wk_shapePlane]     = makePlane,
};
// clang-format on

wkShape wkRandomShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type, double size)
{
    wkShape shape = makers[type](rng, bank, size, 1.0);
    if (wkRngChance(rng, 4)) {
        shape.rounding = 0.2 * size * wkRngUnit(rng);
    }
    if (wkRngChance(rng, 8)) {
        shape.padding = 0.05 * size * wkRngRange(rng, -1.0, 1.0);
    }
    return shape;
}

wkShape wkStretchedShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type, double size,
                         double aspect)
{
    return makers[type](rng, bank, size, aspect);
}

// 1 to 4 steps.
static double gridLength(wkRng* rng, double step)
{
    return step * (double)(1 + wkRngBelow(rng, 4));
}

static wkVec3d gridPoint(wkRng* rng, double step)
{
    double x = step * (double)(wkRngBelow(rng, 5) - 2);
    double y = step * (double)(wkRngBelow(rng, 5) - 2);
    return wkSceneVec(x, y, step * (double)(wkRngBelow(rng, 5) - 2));
}

static wkVec3d gridAxis(wkRng* rng)
{
    wkVec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    return wkSceneScale(axes[wkRngBelow(rng, 3)], wkRngSign(rng));
}

wkShape wkGridShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type, double step)
{
    double x = gridLength(rng, step);
    double y = gridLength(rng, step);
    double z = gridLength(rng, step);
    wkVec3d a = gridPoint(rng, step);
    wkVec3d b = gridPoint(rng, step);
    wkVec3d c = gridPoint(rng, step);
    // clang-format off
    wkShape shapes[WK_CONVEX_TYPE_COUNT] = {
        [wk_shapeSphere]    = wkMakeSphere(x),
        [wk_shapeCapsule]   = wkMakeCapsule(x, 2.0 * y),
        [wk_shapeBox]       = wkMakeBox(2.0 * x, 2.0 * y, 2.0 * z),
        [wk_shapeCylinder]  = wkMakeCylinder(x, 2.0 * y),
        [wk_shapeCone]      = wkMakeCone(x, 2.0 * y),
        [wk_shapeEllipsoid] = wkMakeEllipsoid(x, y, z),
        [wk_shapeTriangle]  = wkMakeTriangle(a, b, c),
        [wk_shapeHull]      = wkMakeHull(bank->hulls[0]),
        [wk_shapeHalfspace] = wkMakeHalfspace(gridAxis(rng), x),
        [wk_shapePlane]     = wkMakePlane(gridAxis(rng), x),
    };
    // clang-format on
    return shapes[type];
}

wkShape wkZeroSizeShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type)
{
    // each size is 0 or ordinary
    double x = wkRngChance(rng, 2) ? 0.0 : wkRngRange(rng, 0.1, 1.0);
    double y = wkRngChance(rng, 2) ? 0.0 : wkRngRange(rng, 0.1, 1.0);
    double z = wkRngChance(rng, 2) ? 0.0 : wkRngRange(rng, 0.1, 1.0);
    wkVec3d a = wkSceneScale(wkRngDirection(rng), x);
    wkVec3d b = wkSceneScale(wkRngDirection(rng), y);
    // clang-format off
    wkShape shapes[WK_CONVEX_TYPE_COUNT] = {
        [wk_shapeSphere]    = wkMakeSphere(0.0),
        [wk_shapeCapsule]   = wkMakeCapsule(x, y),
        [wk_shapeBox]       = wkMakeBox(x, y, z),
        [wk_shapeCylinder]  = wkMakeCylinder(x, y),
        [wk_shapeCone]      = wkMakeCone(x, y),
        [wk_shapeEllipsoid] = wkMakeEllipsoid(x, y, z),
        [wk_shapeTriangle]  = wkMakeTriangle(a, b, wkRngChance(rng, 2) ? b : wkSceneScale(b, 0.5)),
        [wk_shapeHull]      = wkMakeHull(wkShapeBank_Pick(bank, rng, wk_bankFlat)),
        [wk_shapeHalfspace] = wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), 0.0),
        [wk_shapePlane]     = wkMakePlane(wkSceneVec(0.0, 0.0, 1.0), 0.0),
    };
    // clang-format on
    return shapes[type];
}

double wkShapeReach(const wkShape* shape)
{
    if (shape->type == wk_shapeHalfspace || shape->type == wk_shapePlane) {
        return 1.0 + fabs(shape->plane.offset);
    }
    wkAabb box = wkShape_Bounds(shape, wkIdentityPose());
    wkVec3d far = {fmax(-box.lower.x, box.upper.x), fmax(-box.lower.y, box.upper.y),
                   fmax(-box.lower.z, box.upper.z)};
    return wkSceneLength(far);
}
