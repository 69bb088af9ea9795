// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Flat pieces of cores, from which contact manifolds are cut.

#include "unit_kit.h"

// One degree, as in manifolds.
#define COSINE 0.99985

static wkFace faceOf(const wkShape* shape, wkVec3d direction)
{
    wkFace face;
    face.count = -1;
    wkConvexRowOf(shape)->face(shape, direction, COSINE, &face);
    return face;
}

static void bodies_show_the_faces_they_have(void** state)
{
    (void)state;
    double half = 0.70710678118654752;
    wkVec3d vertex = wkScale(1.0 / sqrt(3.0), wkVec(1.0, 1.0, 1.0));
    wkVec3d up = wkVec(0.0, 0.0, 1.0), side = wkVec(1.0, 0.0, 0.0);
    wkVec3d slanted = wkVec(half, 0.0, half);
    wkShape triangle =
        wkMakeTriangle(wkVec(0.0, 0.0, 0.0), wkVec(1.0, 0.0, 0.0), wkVec(0.0, 1.0, 0.0));
    const struct {
        wkShape shape;
        wkVec3d direction;
        int count;
    } cases[] = {
        {wkMakeSphere(1.0), up, 1},
        {wkMakeCapsule(1.0, 2.0), side, 2},
        {wkMakeCapsule(1.0, 2.0), slanted, 1},
        {wkMakeBox(1.0, 1.0, 1.0), up, 4},
        {wkMakeBox(1.0, 1.0, 1.0), slanted, 2},
        {wkMakeBox(1.0, 1.0, 1.0), vertex, 1},
        {wkMakeBox(1.0, 0.0, 1.0), up, 2},
        {wkMakeBox(0.0, 0.0, 1.0), up, 1},
        {wkMakeCylinder(1.0, 2.0), up, 16},
        {wkMakeCylinder(1.0, 2.0), side, 2},
        {wkMakeCylinder(1.0, 2.0), slanted, 1},
        {wkMakeCylinder(0.0, 2.0), up, 1},
        {wkMakeCone(1.0, 1.0), wkNeg(up), 16},
        {wkMakeCone(1.0, 1.0), slanted, 2},
        {wkMakeCone(1.0, 1.0), up, 1},
        {wkMakeEllipsoid(1.0, 2.0, 3.0), up, 1},
        {triangle, wkNeg(up), 3},
        {triangle, wkVec(0.0, -1.0, 0.0), 2},
        {triangle, wkVec(-half, -half, 0.0), 1},
        {wkMakePlane(up, 0.0), up, 0},
        {wkMakeHalfspace(up, 0.0), up, 0},
    };
    for (int i = 0; i < (int)(sizeof cases / sizeof cases[0]); ++i) {
        wkFace face = faceOf(&cases[i].shape, cases[i].direction);
        UNIT_CHECK(face.count == cases[i].count, &cases[i].shape, "case %d: %d points", i,
                   face.count);
    }
}

static void checkFace(const wkShape* shape, wkVec3d direction)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkFace face = faceOf(shape, direction);
    double size = unitSize(shape), sine = sqrt(1.0 - COSINE * COSINE);
    double top = wkDot(direction, row->support(shape, direction));
    UNIT_CHECK(face.count >= 1 && face.count <= WK_FACE_CAPACITY, shape, "%d points", face.count);

    // on the surface, and no further below the furthest point than the angle allows
    for (int i = 0; i < face.count; ++i) {
        double off = row->project(shape, face.points[i]).distance;
        double below = top - wkDot(direction, face.points[i]);
        UNIT_CHECK(fabs(off) <= 1e-14 * size, shape, "point %d is off by %g", i, off);
        UNIT_CHECK(below >= -1e-14 * size && below <= 2.0 * size * (sine + 1e-14), shape,
                   "point %d of %d is %g below", i, face.count, below);
    }

    // a polygon turns anticlockwise seen against the direction
    wkVec3d area = wkVec(0.0, 0.0, 0.0);
    for (int i = 1; i + 1 < face.count; ++i) {
        wkVec3d turn = wkCross(wkSub(face.points[i], face.points[0]),
                               wkSub(face.points[i + 1], face.points[0]));
        area = wkAdd(area, turn);
    }
    double length = wkLength(area);
    UNIT_CHECK(!(length > 1e-9 * size * size) || wkDot(area, direction) >= 0.99 * length, shape,
               "face looks %g away", wkDot(area, direction) / length);
}

static void faces_lie_on_the_surface_across_the_direction(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    for (int type = 1; type < wk_shapeHalfspace; ++type) {
        for (int i = 0; i < 2000; ++i) {
            wkShape shape = unitShape(&rng, &bank, (wkShapeType)type, i % UNIT_KIND_COUNT);
            wkVec3d direction = wkRngDirection(&rng);
            if (i % 3 != 0) {
                // the normal of some part of the surface, tilted a little
                wkVec3d tilt = wkScale(wkRngLogRange(&rng, 1e-16, 0.1), wkRngDirection(&rng));
                wkVec3d near = unitPoint(&rng, &shape);
                wkVec3d normal = wkConvexRowOf(&shape)->project(&shape, near).normal;
                direction = wkNormalizeOr(wkAdd(normal, tilt), direction);
            }
            checkFace(&shape, direction);
        }
    }
    wkShapeBank_Destroy(&bank);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_show_the_faces_they_have),
        cmocka_unit_test(faces_lie_on_the_surface_across_the_direction),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
