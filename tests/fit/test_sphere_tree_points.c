// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distances of raw points and of trees: equal to all pairs, intervals that contain the exact distance, in every
// layout, with any threads; penetration volumes by all pairs.

#include "points_case.h"

#include <stdlib.h>
#include <string.h>

static wkVec3d pointOf(const pointsCase* c, int64_t index)
{
    const float* p = c->points + 3 * index;
    return wkTransformPoint(c->pose, wkSceneVec((double)p[0], (double)p[1], (double)p[2]));
}

// The exact distance of a body of a tree from a point.
static double exactDistance(const pointsCase* c, int tree, wkVec3d point)
{
    const wkSphereTreeBody* body = &c->bodies[tree % 4];
    wkVec3d local = wkTransformPoint(wkInvPose(c->trees[tree].pose), point);
    return wkShape_ClosestPoint(body->shape, body->pose, local, INFINITY).distance;
}

static void checkTree(const pointsCase* c, int tree, int64_t count, double radius,
                      const wkSphereTreeResult* found)
{
    double inner = INFINITY, outer = INFINITY, exact = INFINITY;
    for (int64_t i = 0; i < count; i++) {
        int32_t sphere = -1;
        wkVec3d point = pointOf(c, i);
        inner = fmin(inner, distanceToSpheres(&c->trees[tree], true, point, radius, &sphere));
        outer = fmin(outer, distanceToSpheres(&c->trees[tree], false, point, radius, &sphere));
        exact = i % 16 == 0 ? fmin(exact, exactDistance(c, tree, point) - radius) : exact;
    }
    assert_true(fabs(found->upper - inner) < 1e-11);
    assert_true(fabs(found->lower - fmax(outer, 0.0)) < 1e-11);
    assert_true(found->lower <= fmax(exact, 0.0));
    int32_t sphere = -1;
    wkVec3d nearest = pointOf(c, found->point);
    double own = distanceToSpheres(&c->trees[tree], true, nearest, radius, &sphere);
    assert_true(fabs(own - inner) < 1e-11);
    assert_true(exactDistance(c, tree, nearest) - radius <= found->upper + 1e-9);
    wkSphereVerdict verdict = found->upper <= 0.0  ? wk_sphereCollision
                              : found->lower > 0.0 ? wk_sphereFree
                                                   : wk_sphereUndecided;
    assert_int_equal(found->verdict, verdict);
}

static void all_pairs_give_the_same_distances(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    wkSphereTreeResult results[TREES];
    const double gaps[] = {0.0, 0.4, 0.9};
    for (int i = 0; i < 3; i++) {
        drawCase(c, &rng, 0.2, gaps[i]);
        request.radius = i == 1 ? 0.02 : 0.0;
        int64_t count = i == 2 ? POINTS : 700 + 31 * i;
        wkCloudView view = viewOf(c, count);
        assert_int_equal(
            wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, &request, results),
            wk_ok);
        // all points against all spheres takes long: of the large cloud, two trees
        for (int k = 0; k < (i == 2 ? 2 : TREES); k++) {
            checkTree(c, k, count, request.radius, &results[k]);
        }
    }
}

static void bodies_decide_when_they_are_given(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    wkSphereTreeResult results[TREES], spheres[TREES];
    const double gaps[] = {0.0, 0.35, 0.6};
    for (int i = 0; i < 3; i++) {
        drawCase(c, &rng, 0.1, gaps[i]);
        wkCloudView view = viewOf(c, 600);
        assert_int_equal(
            wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, NULL, spheres),
            wk_ok);
        for (int k = 1; k < TREES; k++) {
            c->trees[k].bodies = &c->bodies[k % 4];
            c->trees[k].bodyCount = 1;
        }
        assert_int_equal(
            wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, NULL, results),
            wk_ok);
        assert_true(results[0].upper == spheres[0].upper && results[0].lower == spheres[0].lower);
        for (int k = 1; k < TREES; k++) {
            double exact = INFINITY;
            for (int64_t p = 0; p < view.count; p++) {
                exact = fmin(exact, exactDistance(c, k, pointOf(c, p)));
            }
            assert_true(fabs(results[k].upper - exact) < 1e-7);
            assert_true(results[k].lower <= fmax(exact, 0.0) && results[k].upper >= exact);
            assert_true(results[k].upper <= spheres[k].upper + 1e-7);
            assert_true(results[k].lower >= spheres[k].lower - 1e-7);
            assert_int_equal(results[k].verdict,
                             exact <= -1e-7 ? wk_sphereCollision : results[k].verdict);
        }
    }
}

// Same points as doubles in records with radii, backwards, and with points that are not finite between them.
static void layouts_do_not_matter(void** state)
{
    (void)state;
    typedef struct record {
        double x;
        float radius;
        double y;
        double z;
    } record;
    enum {
        count = 3000
    };
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    drawCase(c, &rng, 0.3, 0.6);
    wkCloudView plain = viewOf(c, count);
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    request.radius = 0.01;
    wkSphereTreeResult expected[TREES], results[TREES];
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(c->trees, TREES, &plain, c->pose, &request, expected),
        wk_ok);
    record* records = calloc(2 * count, sizeof *records);
    assert_non_null(records);
    for (int i = 0; i < count; i++) {
        const float* p = c->points + 3 * i;
        records[2 * i] = (record){(double)p[0], 0.01f - 0.0f, (double)p[1], (double)p[2]};
        double bad = i % 3 == 0 ? NAN : i % 3 == 1 ? INFINITY : -INFINITY;
        records[2 * i + 1] = (record){i % 2 == 0 ? bad : 0.0, 0.0f, i % 2 == 0 ? 0.0 : bad, 0.0};
    }
    wkCloudView view = wkDefaultCloudDef().points;
    view.data = (const char*)(records + 2 * count - 1);
    view.count = 2 * count;
    view.stride = -(int64_t)sizeof *records;
    view.isDouble = true;
    view.yOffset = (int32_t)offsetof(record, y);
    view.zOffset = (int32_t)offsetof(record, z);
    view.radiusOffset = (int32_t)offsetof(record, radius);
    request.radius = 0.0;
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, &request, results),
        wk_ok);
    for (int i = 0; i < TREES; i++) {
        // 0.01 as a float is a little less
        assert_true(fabs(results[i].upper - expected[i].upper) < 1e-8);
        assert_true(fabs(results[i].lower - expected[i].lower) < 1e-8);
        assert_int_equal(2 * count - 1 - results[i].point, 2 * expected[i].point);
    }
    records[1].radius = -0.5f;
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, &request, results),
        wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "point 5998"));
    assert_int_equal(results[0].verdict, wk_sphereUndecided);
    free(records);
}

// Millions of metres from the origin, as doubles: the same distances to a micrometre, and sound bounds.
static void map_coordinates_do_not_matter(void** state)
{
    (void)state;
    enum {
        count = 2000
    };
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    drawCase(c, &rng, 0.3, 0.5);
    wkCloudView near = viewOf(c, count);
    wkSphereTreeResult expected[TREES], results[TREES];
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(c->trees, TREES, &near, c->pose, NULL, expected), wk_ok);
    wkVec3d there = {431250.25, 5411870.5, 312.125};
    double* far = malloc(3 * count * sizeof *far);
    assert_non_null(far);
    for (int i = 0; i < count; i++) {
        wkVec3d point = wkSceneAdd(pointOf(c, i), there);
        far[3 * i] = point.x;
        far[3 * i + 1] = point.y;
        far[3 * i + 2] = point.z;
    }
    for (int i = 0; i < TREES; i++) {
        c->trees[i].pose.position = wkSceneAdd(c->trees[i].pose.position, there);
    }
    wkCloudView view = near;
    view.data = far;
    view.isDouble = true;
    wkPose here = wkIdentityPose();
    assert_int_equal(wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, here, NULL, results),
                     wk_ok);
    for (int i = 0; i < TREES; i++) {
        assert_true(fabs(results[i].upper - expected[i].upper) < 1e-6);
        assert_true(fabs(results[i].lower - expected[i].lower) < 1e-6);
        assert_true(results[i].lower <= fmax(expected[i].upper, 0.0));
    }
    free(far);
}

static void threads_do_not_matter(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    drawCase(c, &rng, 0.3, 0.0);
    // the same points again: the first of equals is reported
    memcpy(c->points + 3 * (POINTS / 2), c->points, 3 * (POINTS / 2) * sizeof *c->points);
    wkCloudView view = viewOf(c, POINTS);
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    wkSphereTreeResult alone[TREES], together[TREES];
    memset(alone, 0, sizeof alone);
    memset(together, 0, sizeof together);
    assert_int_equal(
        wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, &request, alone), wk_ok);
    uint8_t marks[2][4096];
    double volumes[2][TREES];
    assert_int_equal(wkPlacedSphereTree_PointVolumes(c->trees, TREES, &view, c->pose, &request,
                                                     marks[0], sizeof marks[0], volumes[0]),
                     wk_ok);
    for (int32_t threads = 2; threads < 5; threads++) {
        wkParallel parallel = {.threadCount = threads};
        request.parallel = &parallel;
        assert_int_equal(
            wkPlacedSphereTree_PointDistances(c->trees, TREES, &view, c->pose, &request, together),
            wk_ok);
        for (int i = 0; i < TREES; i++) {
            assert_true(alone[i].upper == together[i].upper && alone[i].lower == together[i].lower);
            assert_true(alone[i].point == together[i].point &&
                        alone[i].sphere == together[i].sphere);
            assert_true(alone[i].outerPoint == together[i].outerPoint);
            assert_true(alone[i].point < POINTS / 2 && alone[i].outerPoint < POINTS / 2);
        }
        assert_int_equal(wkPlacedSphereTree_PointVolumes(c->trees, TREES, &view, c->pose, &request,
                                                         marks[1], sizeof marks[1], volumes[1]),
                         wk_ok);
        assert_memory_equal(volumes[0], volumes[1], sizeof volumes[0]);
    }
}

static void penetration_is_that_of_all_pairs(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    uint8_t touched[4096];
    double volumes[TREES];
    for (int round = 0; round < 2; round++) {
        drawCase(c, &rng, 0.1, 0.0);
        request.radius = round * 0.01;
        wkCloudView view = viewOf(c, 500);
        assert_int_equal(wkPlacedSphereTree_PointVolumes(c->trees, TREES, &view, c->pose, &request,
                                                         touched, sizeof touched, volumes),
                         wk_ok);
        const uint8_t* mark = touched;
        for (int k = 0; k < TREES; k++) {
            double volume = 0.0;
            for (int32_t i = 0; i < wkSphereTree_Info(c->trees[k].tree).innerCount; i++, mark++) {
                wkSphere3d s = wkSphereTree_InnerSphere(c->trees[k].tree, i);
                wkVec3d center = wkTransformPoint(c->trees[k].pose, s.center);
                double least = INFINITY;
                for (int64_t p = 0; p < view.count; p++) {
                    double away = wkSceneLength(wkSceneSub(center, pointOf(c, p)));
                    least = fmin(least, away - s.radius - request.radius);
                }
                assert_int_equal(*mark, fabs(least) < 1e-12 ? *mark : least <= 0.0);
                volume += *mark ? 4.0 / 3.0 * acos(-1.0) * pow(s.radius, 3.0) : 0.0;
            }
            assert_true(fabs(volumes[k] - volume) < 1e-12);
        }
        assert_int_equal(wkPlacedSphereTree_PointVolumes(c->trees, TREES, &view, c->pose, &request,
                                                         touched, 5, volumes),
                         wk_errorArgument);
    }
}

static void pairs_of_trees_are_all_pairs_of_spheres(void** state)
{
    (void)state;
    pointsCase* c = sharedCase();
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(40); i++) {
        drawCase(c, &rng, i % 2 == 0 ? 0.1 : 0.5, 0.0);
        const wkPlacedSphereTree* a = &c->trees[i % 4];
        const wkPlacedSphereTree* b = &c->trees[4 + i / 4 % 4];
        double inner = INFINITY, outer = INFINITY, volume = 0.0;
        for (int32_t k = 0; k < wkSphereTree_Info(b->tree).innerCount; k++) {
            wkSphere3d s = wkSphereTree_InnerSphere(b->tree, k);
            int32_t sphere = -1;
            wkVec3d center = wkTransformPoint(b->pose, s.center);
            inner = fmin(inner, distanceToSpheres(a, true, center, s.radius, &sphere));
            for (int32_t m = 0; m < wkSphereTree_Info(a->tree).innerCount; m++) {
                wkSphere3d t = wkSphereTree_InnerSphere(a->tree, m);
                double d = wkSceneLength(wkSceneSub(wkTransformPoint(a->pose, t.center), center));
                double over = s.radius + t.radius - d, less = fabs(s.radius - t.radius);
                double lens = acos(-1.0) * over * over *
                              (d * d + 2.0 * d * (s.radius + t.radius) - 3.0 * less * less) /
                              (12.0 * d);
                double whole = 4.0 / 3.0 * acos(-1.0) * pow(fmin(s.radius, t.radius), 3.0);
                volume += over <= 0.0 ? 0.0 : d <= less ? whole : lens;
            }
        }
        for (int32_t k = 0; k < wkSphereTree_Info(b->tree).outerCount; k++) {
            wkSphere3d s = wkSphereTree_OuterSphere(b->tree, k);
            int32_t sphere = -1;
            wkVec3d center = wkTransformPoint(b->pose, s.center);
            outer = fmin(outer, distanceToSpheres(a, false, center, s.radius, &sphere));
        }
        wkSphereTreeResult found = wkDistanceOfSphereTrees(a, b, NULL);
        assert_true(fabs(found.upper - inner) < 1e-11);
        assert_true(fabs(found.lower - fmax(outer, 0.0)) < 1e-11);
        assert_true(fabs(wkPenetrationVolume(a, b) - volume) < 1e-12);
        assert_true(fabs(wkPenetrationVolume(b, a) - volume) < 1e-12);
        wkPose frames[2];
        for (int k = 0; k < 2; k++) {
            const wkPlacedSphereTree* one = k == 0 ? a : b;
            frames[k] = wkMulPose(one->pose, c->bodies[(one - c->trees) % 4].pose);
        }
        wkDistanceResult exact = wkDistance(&c->shapes[i % 4], frames[0],
                                            &c->shapes[(4 + i / 4 % 4) % 4], frames[1], NULL);
        assert_true(found.lower <= fmax(exact.distance, 0.0) + 1e-9);
        assert_true(found.upper >= exact.distance - 1e-9 || exact.distance < 0.0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_pairs_give_the_same_distances),
        cmocka_unit_test(bodies_decide_when_they_are_given),
        cmocka_unit_test(layouts_do_not_matter),
        cmocka_unit_test(map_coordinates_do_not_matter),
        cmocka_unit_test(threads_do_not_matter),
        cmocka_unit_test(penetration_is_that_of_all_pairs),
        cmocka_unit_test(pairs_of_trees_are_all_pairs_of_spheres),
    };
    int failed = cmocka_run_group_tests_name("fit.sphere_tree_points", tests, openCase, closeCase);
    wkKitEnd();
    return failed;
}
