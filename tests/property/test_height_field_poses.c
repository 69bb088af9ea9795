// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rays, points and measures of height fields: those of the mesh of the same solid.

#include "kit.h"
#include "scenes/fields.h"

#define TOLERANCE 1e-12

typedef struct fieldSize {
    int32_t columns;
    int32_t rows;
} fieldSize;

static const fieldSize sizes[] = {{2, 2}, {3, 2},   {2, 9},
                                  {7, 5}, {40, 17}, {WK_CASES(300), WK_CASES(200)}};

#define SIZE_COUNT ((int)(sizeof sizes / sizeof *sizes))

// A field with its oracle, somewhere in the world.
typedef struct body {
    const wkFieldScene* scene;
    wkShape field;
    wkShape oracle;
    wkPose pose;
    double size; // of the numbers involved
} body;

typedef void checkFcn(const body* b, wkRng* rng);

static void forAllFields(checkFcn* check, int count)
{
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; kind++) {
        for (int i = 0; i < SIZE_COUNT; i++) {
            wkFieldScene scene;
            assert_true(wkFieldScene_Create(kind, sizes[i].columns, sizes[i].rows, wkRngNext(&rng),
                                            &scene));
            body b = {&scene, wkMakeHeightField(scene.field), wkMakeMesh(scene.closed),
                      wkIdentityPose(), 0.0};
            for (int n = 0; n < wkKitCases(count); n++) {
                if (n > 0) {
                    b.pose.position =
                        wkSceneScale(wkRngDirection(&rng), wkRngRange(&rng, 0.0, 20.0));
                    b.pose.rotation = wkRngRotation(&rng);
                }
                b.field.padding = b.oracle.padding = n % 3 == 0 ? 0.0 : 0.05;
                b.size = 30.0 + wkSceneLength(scene.half);
                check(&b, &rng);
            }
            wkFieldScene_Destroy(&scene);
        }
    }
}

static wkVec3d positionOf(const body* b, wkRng* rng)
{
    return wkTransformPoint(b->pose, wkFieldScene_Place(b->scene, rng));
}

static void failAbout(const body* b, const char* what, wkVec3d position, double got,
                      double expected)
{
    fail_msg("%d x %d, padding %g, field at (%.17g %.17g %.17g) (%.17g %.17g %.17g %.17g), place "
             "(%.17g %.17g %.17g): %s is %.17g, expected %.17g",
             (int)wkHeightField_Info(b->scene->field).columns,
             (int)wkHeightField_Info(b->scene->field).rows, b->field.padding, b->pose.position.x,
             b->pose.position.y, b->pose.position.z, b->pose.rotation.x, b->pose.rotation.y,
             b->pose.rotation.z, b->pose.rotation.w, position.x, position.y, position.z, what, got,
             expected);
}

static void checkRay(const body* b, wkRng* rng)
{
    for (int i = 0; i < 20; i++) {
        wkVec3d from = positionOf(b, rng), to = positionOf(b, rng);
        wkRay ray = {from, wkSceneSub(to, from), INFINITY};
        wkRayResult got = wkShape_RayCast(&b->field, b->pose, ray);
        wkRayResult expected = wkShape_RayCast(&b->oracle, b->pose, ray);
        if (got.isHit != expected.isHit || wkShape_RayHits(&b->field, b->pose, ray) != got.isHit) {
            failAbout(b, "hit", from, got.isHit, expected.isHit);
        }
        if (got.isHit && !(fabs(got.distance - expected.distance) <= 1e-9 * b->size)) {
            failAbout(b, "ray distance", from, got.distance, expected.distance);
        }
        if (got.status != expected.status) {
            failAbout(b, "status", from, got.status, expected.status);
        }
    }
}

static void rays_meet_what_they_meet_of_the_mesh(void** state)
{
    (void)state;
    forAllFields(checkRay, 10);
}

static void checkPoint(const body* b, wkRng* rng)
{
    for (int i = 0; i < 20; i++) {
        wkVec3d point = positionOf(b, rng);
        wkPointResult got = wkShape_ClosestPoint(&b->field, b->pose, point, INFINITY);
        wkPointResult expected = wkShape_ClosestPoint(&b->oracle, b->pose, point, INFINITY);
        if (!(fabs(got.distance - expected.distance) <= TOLERANCE * b->size)) {
            failAbout(b, "distance of a point", point, got.distance, expected.distance);
        }
        if (got.status != expected.status) {
            failAbout(b, "status", point, got.status, expected.status);
        }
        bool isInside = wkShape_ContainsPoint(&b->field, b->pose, point);
        if (isInside != !(wkShape_PointDistance(&b->field, b->pose, point) > 0.0) ||
            (fabs(expected.distance) > 1e-9 && isInside != (expected.distance < 0.0))) {
            failAbout(b, "containment", point, isInside, expected.distance);
        }
    }
}

static void points_are_as_far_as_from_the_mesh(void** state)
{
    (void)state;
    forAllFields(checkPoint, 10);
}

static void checkMeasures(const body* b, wkRng* rng)
{
    wkVec3d way = wkRngDirection(rng);
    wkVec3d got = wkShape_Support(&b->field, b->pose, way);
    wkVec3d expected = wkShape_Support(&b->oracle, b->pose, way);
    double height = wkSceneDot(way, got), top = wkSceneDot(way, expected);
    if (!(fabs(height - top) <= TOLERANCE * b->size)) {
        failAbout(b, "support", way, height, top);
    }
    wkAabb bounds = wkShape_Bounds(&b->field, b->pose);
    assert_true(bounds.lower.x <= got.x && got.x <= bounds.upper.x);
    assert_true(bounds.lower.y <= got.y && got.y <= bounds.upper.y);
    assert_true(bounds.lower.z <= got.z && got.z <= bounds.upper.z);
}

static void support_is_that_of_the_mesh_and_in_bounds(void** state)
{
    (void)state;
    forAllFields(checkMeasures, 20);
}

static void checkMass(const body* b, wkRng* rng)
{
    (void)rng;
    wkMass got = wkShape_Mass(&b->field), expected = wkShape_Mass(&b->oracle);
    if (!(fabs(got.volume - expected.volume) <= 1e-10 * expected.volume)) {
        failAbout(b, "volume", b->pose.position, got.volume, expected.volume);
    }
    if (!(wkSceneLength(wkSceneSub(got.centroid, expected.centroid)) <= 1e-9 * b->size)) {
        failAbout(b, "centroid", b->pose.position, got.centroid.z, expected.centroid.z);
    }
    for (int i = 0; i < 3; i++) {
        double scale = 1e-8 * (expected.inertia[0][0] + expected.inertia[1][1]);
        if (!(fabs(got.inertia[i][i] - expected.inertia[i][i]) <= scale)) {
            failAbout(b, "inertia", b->pose.position, got.inertia[i][i], expected.inertia[i][i]);
        }
    }
}

static void mass_is_that_of_the_mesh(void** state)
{
    (void)state;
    forAllFields(checkMass, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rays_meet_what_they_meet_of_the_mesh),
        cmocka_unit_test(points_are_as_far_as_from_the_mesh),
        cmocka_unit_test(support_is_that_of_the_mesh_and_in_bounds),
        cmocka_unit_test(mass_is_that_of_the_mesh),
    };
    return cmocka_run_group_tests_name("height_field_poses", tests, NULL, NULL);
}
