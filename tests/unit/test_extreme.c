// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finite input gives finite answers, at the ends of the range of double too.

#include "unit_kit.h"

#include "whisker/detail/counts.h"
#include "whisker/query.h"

// Zero, the largest length, one that underflows when squared, ordinary ones, and all magnitudes.
static double anySize(wkRng* rng)
{
    static const double special[4] = {0.0, 1e-300, 9e59, 1.0};
    int kind = wkRngBelow(rng, 8);
    return kind < 4 ? special[kind] : wkRngLogRange(rng, 1e-60, 9e59);
}

static wkVec3d anyPoint(wkRng* rng)
{
    double x = wkRngSign(rng) * anySize(rng), y = wkRngSign(rng) * anySize(rng);
    return wkVec(x, y, wkRngSign(rng) * anySize(rng));
}

static wkShape anySphere(wkRng* rng)
{
    return wkMakeSphere(anySize(rng));
}

static wkShape anyCapsule(wkRng* rng)
{
    double radius = anySize(rng);
    return wkMakeCapsule(radius, anySize(rng));
}

static wkShape anyBox(wkRng* rng)
{
    double x = anySize(rng), y = anySize(rng);
    return wkMakeBox(x, y, anySize(rng));
}

static wkShape anyCylinder(wkRng* rng)
{
    double radius = anySize(rng);
    return wkMakeCylinder(radius, anySize(rng));
}

static wkShape anyCone(wkRng* rng)
{
    double radius = anySize(rng);
    return wkMakeCone(radius, anySize(rng));
}

static wkShape anyEllipsoid(wkRng* rng)
{
    double x = anySize(rng), y = anySize(rng);
    return wkMakeEllipsoid(x, y, anySize(rng));
}

static wkShape anyTriangle(wkRng* rng)
{
    wkVec3d a = anyPoint(rng), b = anyPoint(rng);
    return wkMakeTriangle(a, b, anyPoint(rng));
}

static wkShape anyHalfspace(wkRng* rng)
{
    wkVec3d normal = wkRngDirection(rng);
    return wkMakeHalfspace(normal, anySize(rng));
}

static wkShape anyPlane(wkRng* rng)
{
    wkVec3d normal = wkRngDirection(rng);
    return wkMakePlane(normal, -anySize(rng));
}

// Hulls have their own tests: their numbers were checked when they were built.
static wkShape (*const makers[WK_CONVEX_TYPE_COUNT])(wkRng*) = {
    [wk_shapeSphere] = anySphere,     [wk_shapeCapsule] = anyCapsule,
    [wk_shapeBox] = anyBox,           [wk_shapeCylinder] = anyCylinder,
    [wk_shapeCone] = anyCone,         [wk_shapeEllipsoid] = anyEllipsoid,
    [wk_shapeTriangle] = anyTriangle, [wk_shapeHalfspace] = anyHalfspace,
    [wk_shapePlane] = anyPlane,
};

static bool isUnit(wkVec3d v)
{
    return fabs(wkLength(v) - 1.0) < 1e-13;
}

static void checkRow(const wkShape* shape, wkVec3d point, wkVec3d direction)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkProjection p = row->project(shape, point);
    UNIT_CHECK(isfinite(p.distance) && wkIsFiniteVec(p.point) && isUnit(p.normal), shape,
               "point %g %g %g: distance %g", point.x, point.y, point.z, p.distance);
    wkMass mass = row->mass(shape);
    UNIT_CHECK(mass.volume >= 0.0 && wkIsFiniteVec(mass.centroid) && mass.inertia[0][0] >= 0.0 &&
                   mass.inertia[2][2] >= 0.0,
               shape, "volume %g", mass.volume);
    wkInnerOuterSpheres sphere = row->sphere(shape);
    UNIT_CHECK(sphere.radius >= 0.0 && wkIsFiniteVec(sphere.center), shape, "sphere %g",
               sphere.radius);
    wkFace face;
    row->face(shape, direction, 0.99985, &face);
    for (int i = 0; i < face.count; ++i) {
        UNIT_CHECK(wkIsFiniteVec(face.points[i]), shape, "vertex %d of a face", i);
    }
}

static void checkPublic(const wkShape* shape, wkPose pose, wkVec3d point, wkRay ray)
{
    wkAabb bounds = wkShape_Bounds(shape, pose);
    UNIT_CHECK(bounds.lower.x <= INFINITY && bounds.upper.z >= -INFINITY, shape, "bounds");
    UNIT_CHECK(wkIsFiniteVec(wkShape_Support(shape, pose, point)), shape, "support");
    UNIT_CHECK(wkShape_PointDistance(shape, pose, point) < INFINITY, shape, "point distance");
    wkRayResult r = wkShape_RayCast(shape, pose, ray);
    bool isValid = isfinite(r.distance) && wkIsFiniteVec(r.point) && isUnit(r.normal);
    UNIT_CHECK(isValid || !r.isHit || r.status == wk_statusInvalid, shape, "ray: %g", r.distance);
}

static void finite_input_gives_finite_answers(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int type = 1; type < WK_CONVEX_TYPE_COUNT; ++type) {
        for (int i = 0; i < 4000 && makers[type] != NULL; ++i) {
            wkShape shape = makers[type](&rng);
            UNIT_CHECK(shape.type == (wkShapeType)type, &shape, "%s", wkGetLastError());
            shape.rounding = wkRngChance(&rng, 3) ? anySize(&rng) : 0.0;
            shape.padding = wkRngChance(&rng, 3) ? anyPoint(&rng).x : 0.0;
            wkPose pose = {anyPoint(&rng), wkRngRotation(&rng)};
            wkRay ray = {anyPoint(&rng), anyPoint(&rng), INFINITY};
            checkRow(&shape, anyPoint(&rng), wkRngDirection(&rng));
            checkPublic(&shape, pose, anyPoint(&rng), ray);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finite_input_gives_finite_answers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
