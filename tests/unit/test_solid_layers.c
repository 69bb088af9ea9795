// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Solids with negative paddings touch where a point is deep enough in both, whether or not a vertex is; where
// they are apart, the distance is no larger than the truth.

#include "lid_check.h"

#include <float.h>

// A box between two points.
static meshSet boxSet(wkVec3d lower, wkVec3d upper)
{
    meshSet set = cubeSet(0);
    wkVec3d half = wkScale(0.5, wkSub(upper, lower)), middle = wkMiddle(lower, upper);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        wkVec3d v = set.vertices[i];
        set.vertices[i] = wkAdd(middle, wkVec(v.x * half.x, v.y * half.y, v.z * half.z));
    }
    return set;
}

// A cube from -1 to 1, and a small one beside it: not convex.
static wkMesh* makePair(void)
{
    meshSet small = cubeSet(0);
    moveSet(&small, 0.5, wkVec(3.0, 0.0, 0.0));
    meshSet set = joinSets(cubeSet(0), small);
    wkMesh* mesh = makeSolid(&set);
    freeSet(&set);
    return mesh;
}

static wkMesh* makeBar(bool isSolid)
{
    meshSet set = joinSets(boxSet(wkVec(-0.05, -3.0, -0.05), wkVec(0.05, 3.0, 0.05)),
                           boxSet(wkVec(-0.05, -3.0, 4.0), wkVec(0.05, 3.0, 4.1)));
    wkMeshDef def = defOfSet(&set);
    def.isSolid = isSolid;
    wkMesh* mesh = createMesh(&def);
    freeSet(&set);
    return mesh;
}

static void assertTouching(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    assert_true(isTouching(a, poseA, b, poseB));
    assert_true(isTouching(b, poseB, a, poseA));
    assert_true(wkDistance(a, poseA, b, poseB, NULL).distance <= 0.0);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    assert_true(wkDistance(a, poseA, b, poseB, &request).distance == 0.0);
}

// The distance is at most the truth, and not far below it.
static void assertApart(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                        double truth)
{
    double d = wkDistance(a, poseA, b, poseB, NULL).distance;
    if (isTouching(a, poseA, b, poseB) || !(d > 0.45 * truth) || !(d < truth + 1e-9)) {
        fail_msg("distance %.17g, expected %.17g", d, truth);
    }
}

// All vertices of the beam are outside, and no edge of the cube meets it.
static void barsTouchTheMiddle(void** state)
{
    (void)state;
    wkMesh* pair = makePair();
    wkShape cubes = wkMakeMesh(pair);
    for (int i = 0; i < 2; ++i) {
        wkMesh* mesh = makeBar(i == 0);
        wkShape bar = wkMakeMesh(mesh);
        for (int k = 1; k < 10; ++k) {
            cubes.padding = -0.1 * k;
            assertTouching(&bar, wkIdentityPose(), &cubes, wkIdentityPose());
            assertTouching(&bar, poseAt(wkVec(-0.95 + 0.1 * k, 0.0, 0.0)), &cubes,
                           wkIdentityPose());
            assertApart(&bar, poseAt(wkVec(-1.05, 0.0, 0.0)), &cubes, wkIdentityPose(), 0.1 * k);
            assertApart(&bar, poseAt(wkVec(0.0, 0.0, -1.04)), &cubes, wkIdentityPose(),
                        0.1 * k - 0.01);
        }
        wkMesh_Destroy(mesh);
    }
    wkMesh_Destroy(pair);
}

// Surfaces that coincide, or nearly so: no point of one is deep in the other.
static void coincidentSolidsTouch(void** state)
{
    (void)state;
    wkMesh* pair = makePair();
    wkShape a = wkMakeMesh(pair), b = a;
    for (int k = 1; k < 10; ++k) {
        b.padding = -0.1 * k;
        a.padding = k % 2 == 0 ? -0.05 : 0.0;
        wkVec3d shift = wkScale(0.01 * k, wkVec(0.3, -0.2, 0.1));
        assertTouching(&a, wkIdentityPose(), &b, wkIdentityPose());
        assertTouching(&a, poseAt(shift), &b, wkIdentityPose());
        double layers = -(a.padding + b.padding);
        assertApart(&a, poseAt(wkVec(0.0, 0.1, 1.999)), &b, wkIdentityPose(), layers - 0.001);
    }
    wkMesh_Destroy(pair);
}

// One end of a rod is deep, the other is next to the surface: the shortest way out is not that of all of it.
static void rodsInsideTouchWithTheirDeepEnd(void** state)
{
    (void)state;
    meshSet set = joinSets(boxSet(wkVec(0.0, -1.0, -1.0), wkVec(3.0, 1.0, 1.0)),
                           boxSet(wkVec(-3.0, -0.1, -0.1), wkVec(0.5, 0.1, 0.1)));
    meshSet rod = joinSets(boxSet(wkVec(-2.8, -0.09, -0.09), wkVec(2.0, -0.07, -0.07)),
                           boxSet(wkVec(-2.8, 0.07, 0.07), wkVec(-2.0, 0.09, 0.09)));
    wkMesh *mesh = makeSolid(&set), *rods = makeSolid(&rod);
    wkShape solid = wkMakeMesh(mesh), inner = wkMakeMesh(rods), box = wkMakeBox(4.8, 0.02, 0.02);
    for (int k = 1; k < 9; ++k) {
        solid.padding = -0.1 * k;
        assertTouching(&inner, wkIdentityPose(), &solid, wkIdentityPose());
        assertTouching(&box, poseAt(wkVec(-0.4, -0.08, -0.08)), &solid, wkIdentityPose());
    }
    wkMesh_Destroy(mesh);
    wkMesh_Destroy(rods);
    freeSet(&set);
    freeSet(&rod);
}

// Depth of a point in a core, negative outside.
static double depthIn(wkShape core, wkPose pose, wkVec3d point)
{
    core.padding = 0.0;
    return -wkShape_ClosestPoint(&core, pose, point, INFINITY).distance;
}

static wkShape drawShape(wkRng* rng, wkMesh** mesh)
{
    static const char* const names[] = {"bumpy", "torus", "knot", "two"};
    const char* name = names[wkRngBelow(rng, 4)];
    *mesh = NULL;
    if (wkRngChance(rng, 4)) {
        double x = wkRngRange(rng, 0.05, 2.0), y = wkRngRange(rng, 0.05, 2.0);
        return wkMakeBox(x, y, wkRngRange(rng, 0.05, 2.0));
    }
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        if (strcmp(solidSets[i].name, name) == 0) {
            meshSet set = solidSets[i].make(6);
            *mesh = makeSolid(&set);
            freeSet(&set);
        }
    }
    return wkMakeMesh(*mesh);
}

// A point that is deep enough in both proves that they touch, by at least its distance from that.
static void deepPointsAreNotFree(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(15);
    int deepCount = 0, freeCount = 0;
    for (int k = 0; k < WK_CASES(400); ++k) {
        wkMesh* meshes[2];
        wkShape a = drawShape(&rng, &meshes[0]), b = drawShape(&rng, &meshes[1]);
        a.padding = -wkRngLogRange(&rng, 1e-3, 0.3);
        b.padding = -wkRngLogRange(&rng, 1e-3, 0.3);
        double reach = wkRngRange(&rng, 0.0, 2.0);
        wkVec3d at = wkScale(reach, wkRngDirection(&rng));
        wkPose poseA = {at, wkRngRotation(&rng)}, poseB = wkIdentityPose();
        double distance = wkDistance(&a, poseA, &b, poseB, NULL).distance;
        assert_int_equal(isTouching(&a, poseA, &b, poseB), distance <= 0.0);
        freeCount += distance > 0.0;
        for (int i = 0; i < 300; ++i) {
            double x = wkRngRange(&rng, -1.5, 1.5), y = wkRngRange(&rng, -1.5, 1.5);
            wkVec3d p = wkVec(x, y, wkRngRange(&rng, -1.5, 1.5));
            double depthA = depthIn(a, poseA, p), depthB = depthIn(b, poseB, p);
            if (depthA < 0.0 || depthB < 0.0) {
                continue;
            }
            deepCount += depthA + a.padding >= 0.0 && depthB + b.padding >= 0.0;
            double most = wkMaxD(-a.padding - depthA, 0.0) + wkMaxD(-b.padding - depthB, 0.0);
            if (!(distance <= most + 1e-9)) {
                fail_msg("case %d: distance %.17g, depths %.17g and %.17g, paddings %.17g %.17g", k,
                         distance, depthA, depthB, a.padding, b.padding);
            }
        }
        wkMesh_Destroy(meshes[0]);
        wkMesh_Destroy(meshes[1]);
    }
    print_message("%d deep points, %d free pairs\n", deepCount, freeCount);
    assert_true(deepCount > WK_CASES(100) && freeCount > WK_CASES(50));
}

// A cutoff below zero asks for deeper pairs: it ends no search that would find one.
static void cutoffsHideNoDepth(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(16);
    int deepCount = 0;
    for (int k = 0; k < WK_CASES(400); ++k) {
        wkMesh* meshes[2];
        wkShape a = drawShape(&rng, &meshes[0]), b = drawShape(&rng, &meshes[1]);
        a.padding = -wkRngLogRange(&rng, 1e-3, 0.3);
        b.padding = wkRngRange(&rng, -0.3, 0.2);
        wkVec3d at = wkScale(wkRngRange(&rng, 0.0, 2.0), wkRngDirection(&rng));
        wkPose poseA = {at, wkRngRotation(&rng)}, poseB = wkIdentityPose();
        double full = wkDistance(&a, poseA, &b, poseB, NULL).distance;
        const double cutoffs[4] = {full + 1e-3, 0.5 * full, full - 1e-3, 2.0 * full};
        for (int i = 0; i < 4; ++i) {
            wkDistanceRequest request = wkDefaultDistanceRequest();
            request.cutoff = cutoffs[i];
            double found = wkDistance(&a, poseA, &b, poseB, &request).distance;
            bool isRight = full <= cutoffs[i] ? fabs(found - full) < 1e-9
                                              : found > cutoffs[i] &&
                                                    found <= full + 4.0 * DBL_EPSILON * fabs(full);
            if (!isRight) {
                fail_msg("case %d: distance %.17g, with cutoff %.17g it is %.17g", k, full,
                         cutoffs[i], found);
            }
        }
        deepCount += full < 0.0;
        wkMesh_Destroy(meshes[0]);
        wkMesh_Destroy(meshes[1]);
    }
    assert_true(deepCount > WK_CASES(100));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(barsTouchTheMiddle),
        cmocka_unit_test(coincidentSolidsTouch),
        cmocka_unit_test(rodsInsideTouchWithTheirDeepEnd),
        cmocka_unit_test(deepPointsAreNotFree),
        cmocka_unit_test(cutoffsHideNoDepth),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
