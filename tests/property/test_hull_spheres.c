// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Slender, oblique and flat hulls, near the origin and far from it, against every type of shape: the
// spheres around and inside a hull must lead to the verdict that the distance has.

#include "kit.h"

// Hulls drawn at random; each meets one shape of every type.
#define HULL_COUNT 24000
#define MOST_POINTS 12

// Points of one plane, of a segment, or of a solid that is up to `aspect` times as long as thick, then
// sheared: the middle of the box around such hulls is often outside of them.
static wkHull* makeHull(wkRng* rng, double* size)
{
    wkVec3d points[MOST_POINTS], axes[3];
    int rank = wkRngChance(rng, 4) ? 1 + wkRngBelow(rng, 2) : 3;
    int count = rank + 1 + wkRngBelow(rng, MOST_POINTS - rank);
    double away = wkRngChance(rng, 3) ? wkRngLogRange(rng, 1.0, 1e6) : 0.0;
    wkVec3d from = wkSceneScale(wkRngDirection(rng), away);
    *size = 0.0;
    for (int k = 0; k < 3; k++) {
        axes[k] = wkSceneScale(wkRngDirection(rng), wkRngLogRange(rng, 1e-3, 1.0));
        *size += wkSceneLength(axes[k]);
    }
    for (int i = 0; i < count; i++) {
        points[i] = from;
        for (int k = 0; k < rank; k++) {
            // vertices of tetrahedra and pyramids as well as those of anything else
            double along = wkRngChance(rng, 2) ? (double)wkRngBelow(rng, 2) : wkRngUnit(rng);
            points[i] = wkSceneAdd(points[i], wkSceneScale(axes[k], along));
        }
    }
    return wkHullOfPoints(points, count);
}

// Near the hull, where the spheres have a say.
static wkScenePair makePair(wkRng* rng, const wkHull* hull, wkShapeType type, double size)
{
    wkScenePair pair;
    pair.a = wkMakeHull(hull);
    pair.poseA = wkIdentityPose();
    pair.b = wkRandomShape(rng, wkKitBank(), type, wkRngLogRange(rng, 0.1, 2.0) * size);
    wkAabb box = wkShape_Bounds(&pair.a, pair.poseA);
    wkVec3d middle = wkSceneScale(wkSceneAdd(box.lower, box.upper), 0.5);
    wkVec3d offset = wkSceneScale(wkRngDirection(rng), wkRngRange(rng, 0.0, 1.5) * size);
    pair.poseB.position = wkSceneAdd(middle, offset);
    pair.poseB.rotation = wkRngRotation(rng);
    return pair;
}

static bool isTouching(const wkScenePair* pair, double margin)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    return wkCollide(&pair->a, pair->poseA, &pair->b, pair->poseB, &request).isTouching;
}

// What the coordinates of a hull far from the origin of its frame leave open: margins that are nearer
// to the distance say nothing there.
static double roundingOf(const wkScenePair* pair)
{
    double away = wkSceneLength(pair->poseB.position);
    return away > 1e3 ? 1e-15 * away : 0.0;
}

static void checkPair(const wkScenePair* pair, wkRng* rng, double size)
{
    wkScenePair swapped = wkSwapPair(pair);
    double d = wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL).distance;
    const double margins[] = {0.0, d, nextafter(d, -INFINITY), wkRngRange(rng, -0.5, 0.5) * size};
    for (int i = 0; i < (int)(sizeof margins / sizeof margins[0]); i++) {
        bool expected = d <= margins[i];
        if (fabs(d - margins[i]) < roundingOf(pair)) {
            continue;
        }
        if (isTouching(pair, margins[i]) != expected ||
            isTouching(&swapped, margins[i]) != expected) {
            wkPrintPair(stderr, pair);
            fail_msg("distance %.17g, margin %.17g: touching %d, swapped %d", d, margins[i],
                     isTouching(pair, margins[i]), isTouching(&swapped, margins[i]));
        }
    }
}

static void collide_agrees_with_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    int count = wkKitCases(HULL_COUNT);
    for (int i = 0; i < count; i++) {
        double size;
        wkHull* hull = makeHull(&rng, &size);
        for (int type = 1; hull != NULL && type <= WK_SCENE_TYPE_COUNT; type++) {
            wkScenePair pair = makePair(&rng, hull, (wkShapeType)type, size);
            checkPair(&pair, &rng, size);
        }
        wkHull_Destroy(hull);
    }
}

// The middle of the box around this tetrahedron is outside of it, and inside of the sphere.
static void middle_of_box_is_no_point_of_hull(void** state)
{
    (void)state;
    const wkVec3d points[] = {{0.0, 0.0, 0.0}, {0.25, 0.0, 0.0}, {0.0, 2.0, 0.0}, {0.0, 0.0, 1.0}};
    wkHull* hull = wkHullOfPoints(points, 4);
    if (hull == NULL) {
        skip(); // built without qhull
    }
    wkScenePair pair = {wkMakeHull(hull), wkMakeSphere(0.45), wkIdentityPose(), wkIdentityPose()};
    pair.poseB.position = (wkVec3d){0.56, 1.05, 0.6};
    double d = wkDistance(&pair.a, pair.poseA, &pair.b, pair.poseB, NULL).distance;
    assert_true(d > 0.118 && d < 0.12);
    assert_false(isTouching(&pair, 0.0));
    wkHull_Destroy(hull);
}

// Flat, and turned out of every axis: the middle of its box is not even in its plane.
static void middle_of_box_is_no_point_of_polygon(void** state)
{
    (void)state;
    const wkVec3d points[] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.25}};
    wkHull* hull = wkHullOfPoints(points, 3);
    if (hull == NULL) {
        skip(); // built without qhull
    }
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < 2000; i++) {
        wkScenePair pair = {wkMakeHull(hull), wkMakeSphere(wkRngRange(&rng, 0.0, 0.3)),
                            wkIdentityPose(), wkIdentityPose()};
        pair.poseB.position = (wkVec3d){wkRngUnit(&rng), wkRngUnit(&rng), 0.3 * wkRngUnit(&rng)};
        checkPair(&pair, &rng, 1.0);
    }
    wkHull_Destroy(hull);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(middle_of_box_is_no_point_of_hull),
        cmocka_unit_test(middle_of_box_is_no_point_of_polygon),
        cmocka_unit_test(collide_agrees_with_distance),
    };
    int failed = cmocka_run_group_tests_name("spheres of hulls", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
