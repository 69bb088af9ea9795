// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A solid with holes is one body for all queries: its triangles, the lids that close them, and what
// both enclose.

#include "lid_check.h"
#include "whisker/robot.h"
#include "whisker/robot_scene.h"

static wkPose drawPose(wkRng* rng)
{
    wkVec3d axis = wkRngDirection(rng);
    double angle = wkRngRange(rng, 0.0, 3.0), s = sin(0.5 * angle);
    wkPose pose = {wkScale(wkRngRange(rng, 0.0, 1.8), wkRngDirection(rng)),
                   {s * axis.x, s * axis.y, s * axis.z, cos(0.5 * angle)}};
    return pose;
}

// The first three contradictions that were found, in a box of 2 m that is open above.
static void aCapsuleTouchesWhatItsSphereTouches(void** state)
{
    (void)state;
    meshSet set = openBoxSet(0);
    wkMesh* mesh = makeSolid(&set);
    wkShape box = wkMakeMesh(mesh), sphere = wkMakeSphere(0.1), capsule = wkMakeCapsule(0.1, 1.2);
    for (int i = 0; i <= 40; ++i) {
        // up through the opening: a capsule around the sphere's centre and beyond
        wkVec3d p = wkVec(0.1, 0.2, -0.5 + 0.1 * i);
        bool isSphere = isTouching(&sphere, poseAt(p), &box, wkIdentityPose());
        for (int k = -4; k <= 4; ++k) {
            wkPose around = poseAt(wkAdd(p, wkVec(0.0, 0.0, 0.14 * k)));
            assert_true(!isSphere || isTouching(&capsule, around, &box, wkIdentityPose()));
        }
        assert_int_equal(isSphere, p.z - 0.1 <= 1.0 + 1e-9);
    }
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

static void distancesDoNotJumpAtAnOpening(void** state)
{
    (void)state;
    meshSet set = openBoxSet(0);
    wkMesh* mesh = makeSolid(&set);
    wkShape box = wkMakeMesh(mesh), sphere = wkMakeSphere(0.01);
    for (int i = -50; i <= 50; ++i) {
        wkVec3d p = wkVec(0.0, 0.0, 1.0 + 0.01 * i);
        double d = wkDistance(&sphere, poseAt(p), &box, wkIdentityPose(), NULL).distance;
        assert_true(fabs(d - (0.01 * i - 0.01)) < 1e-9);
        wkPointResult near = wkShape_ClosestPoint(&box, wkIdentityPose(), p, INFINITY);
        assert_true(fabs(near.distance - 0.01 * i) < 1e-9);
        assert_true(i == 0 || near.part >= wkMesh_Info(mesh).triangleCount);
        assert_int_equal(near.status, wk_statusNotWatertight);
        assert_int_equal(wkShape_ContainsPoint(&box, wkIdentityPose(), p), i <= 0);
    }
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

static void certifiedMotionsDoNotPassAnOpening(void** state)
{
    (void)state;
    meshSet set = openBoxSet(0);
    wkMesh* mesh = makeSolid(&set);
    static const char* const links[] = {"base", "sphere"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "slide";
    joint.type = wk_jointPrismatic;
    joint.parent = links[0];
    joint.child = links[1];
    joint.axis = wkVec(0.0, 0.0, 1.0);
    joint.lower = -10.0;
    joint.upper = 10.0;
    wkBodyDef body = {links[1], NULL, wkMakeSphere(0.05), wkIdentityPose()};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    def.bodies = &body;
    def.bodyCount = 1;
    wkRobot* robot;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    wkRobotScene* scene;
    wkRobotState* robotState;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &scene), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &robotState), wk_ok);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "box";
    wkShape shape = wkMakeMesh(mesh);
    wkPose pose = wkIdentityPose();
    object.shapes = &shape;
    object.poses = &pose;
    object.shapeCount = 1;
    assert_int_equal(wkRobotScene_Add(scene, &object), wk_ok);
    double above = 3.0, inside = 0.2, near = 1.2;
    wkMotionRequest request = wkDefaultMotionRequest();
    wkMotionResult in =
        wkRobotScene_CheckMotion(scene, robotState, wkIdentityPose(), &above, &inside, &request);
    assert_int_equal(in.verdict, wk_verdictWorld);
    wkMotionResult free =
        wkRobotScene_CheckMotion(scene, robotState, wkIdentityPose(), &above, &near, &request);
    assert_int_equal(free.verdict, wk_verdictFree);
    wkRobotState_Destroy(robotState);
    wkRobotScene_Destroy(scene);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

// A shape and one that contains it.
static void drawNested(wkRng* rng, wkShape* inner, wkShape* outer)
{
    double r = wkRngRange(rng, 0.005, 0.4), more = wkRngRange(rng, 0.0, 0.3);
    double h = wkRngRange(rng, 0.01, 0.6);
    wkShape pairs[][2] = {
        {wkMakeSphere(r), wkMakeCapsule(r, h)},
        {wkMakeSphere(r), wkMakeBox(2.0 * r, 2.0 * r + more, 2.0 * r)},
        {wkMakeSphere(r), wkMakeCylinder(r + more, 2.0 * r)},
        {wkMakeSphere(r), wkMakeEllipsoid(r, r + more, r)},
        {wkMakeBox(r, r, r), wkMakeSphere(r)},
        {wkMakeCapsule(r, h), wkMakeCapsule(r + more, h)},
        {wkMakeCylinder(r, h), wkMakeBox(2.0 * r, 2.0 * r, h + more)},
        {wkMakeCone(r, h), wkMakeCylinder(r, h)},
    };
    int row = (int)wkRngBelow(rng, (int32_t)(sizeof pairs / sizeof *pairs));
    *inner = pairs[row][0];
    *outer = pairs[row][1];
    if (wkRngChance(rng, 4)) {
        *outer = *inner;
        outer->padding = more; // and inflation
    }
}

static void whatContainsATouchingBodyTouches(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet set = solidSets[i].make(14);
        wkMesh* mesh = makeSolid(&set);
        wkShape solid = wkMakeMesh(mesh);
        wkRng rng = wkMakeRng(101u + (uint64_t)i);
        int touchCount = 0;
        for (int k = 0; k < 300; ++k) {
            wkShape inner, outer;
            drawNested(&rng, &inner, &outer);
            wkPose pose = drawPose(&rng);
            wkDistanceResult of = wkDistance(&inner, pose, &solid, wkIdentityPose(), NULL);
            wkDistanceResult around = wkDistance(&outer, pose, &solid, wkIdentityPose(), NULL);
            bool isInner = isTouching(&inner, pose, &solid, wkIdentityPose());
            bool isOuter = isTouching(&outer, pose, &solid, wkIdentityPose());
            assert_int_equal(isInner, of.distance <= 0.0);
            assert_int_equal(isOuter, around.distance <= 0.0);
            if ((isInner && !isOuter) ||
                (of.distance > 0.0 && around.distance > of.distance + 1e-9)) {
                fail_msg("%s: %s at %.17g, but %s around it at %.17g", solidSets[i].name,
                         wkShapeTypeName(inner.type), of.distance, wkShapeTypeName(outer.type),
                         around.distance);
            }
            touchCount += isInner;
        }
        assert_true(touchCount > 20 && touchCount < 280);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// Signed distances of spheres and points change no faster than they move.
static void distancesAreContinuous(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet set = solidSets[i].make(14);
        wkMesh* mesh = makeSolid(&set);
        wkShape solid = wkMakeMesh(mesh), sphere = wkMakeSphere(0.03);
        wkRng rng = wkMakeRng(131u + (uint64_t)i);
        for (int k = 0; k < 40; ++k) {
            wkVec3d p = wkScale(wkRngRange(&rng, 0.0, 1.4), wkRngDirection(&rng));
            wkVec3d way = wkScale(wkRngLogRange(&rng, 1e-6, 0.1), wkRngDirection(&rng));
            double last = NAN, step = wkLength(way);
            for (int t = 0; t < 30; ++t, p = wkAdd(p, way)) {
                wkDistanceResult d = wkDistance(&sphere, poseAt(p), &solid, wkIdentityPose(), NULL);
                double point = wkShape_ClosestPoint(&solid, wkIdentityPose(), p, INFINITY).distance;
                bool isIn = wkShape_ContainsPoint(&solid, wkIdentityPose(), p);
                if (fabs(d.distance - last) > step + 1e-9) {
                    fail_msg("%s: from %.17g to %.17g in a step of %g at (%.17g %.17g %.17g)",
                             solidSets[i].name, last, d.distance, step, p.x, p.y, p.z);
                }
                assert_true(fabs(point - (d.distance + 0.03)) < 1e-9);
                assert_true(isIn == (point <= 0.0) || fabs(point) < 1e-9);
                last = d.distance;
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// A ray that starts outside meets the surface before any point of it is inside.
static void raysHitBeforeTheyEnter(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet set = solidSets[i].make(14);
        wkMesh* mesh = makeSolid(&set);
        wkShape solid = wkMakeMesh(mesh);
        wkRng rng = wkMakeRng(151u + (uint64_t)i);
        for (int k = 0; k < 200; ++k) {
            wkVec3d from = wkScale(wkRngRange(&rng, 0.2, 3.0), wkRngDirection(&rng));
            wkVec3d to = wkScale(wkRngRange(&rng, 0.0, 1.0), wkRngDirection(&rng));
            wkRay ray = {from, wkSub(to, from), INFINITY};
            wkRayResult hit = wkShape_RayCast(&solid, wkIdentityPose(), ray);
            wkVec3d way = wkNormalizeOr(ray.direction, wkVec(1.0, 0.0, 0.0));
            bool isIn = wkShape_ContainsPoint(&solid, wkIdentityPose(), from);
            assert_true(!isIn || (hit.isHit && hit.distance == 0.0));
            for (int t = 0; t < 50; ++t) {
                double at = wkRngRange(&rng, 0.0, 4.5);
                wkVec3d p = wkMulAdd(from, at, way);
                double d = wkShape_ClosestPoint(&solid, wkIdentityPose(), p, INFINITY).distance;
                assert_true(d > -1e-9 || (hit.isHit && hit.distance <= at + 1e-9));
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// Two solids, one with holes, against the triangles and lids of both one by one.
static void twoSolidsTouchAsTheirSurfacesSay(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet set = solidSets[i].make(10), small = openBoxSet(0);
        moveSet(&small, 0.2, wkVec(0.0, 0.0, 0.0));
        wkMesh *mesh = makeSolid(&set), *other = makeSolid(&small);
        meshSet closed = closedSet(mesh), closedSmall = closedSet(other);
        wkShape a = wkMakeMesh(mesh), b = wkMakeMesh(other);
        wkRng rng = wkMakeRng(171u + (uint64_t)i);
        for (int k = 0; k < 30; ++k) {
            wkPose pose = drawPose(&rng);
            double least = INFINITY;
            for (int32_t s = 0; s < closedSmall.triangleCount; ++s) {
                wkTriangle t = wkMesh_Triangle(other, s);
                wkShape triangle = wkMakeTriangle(t.points[0], t.points[1], t.points[2]);
                least =
                    fmin(least, wkDistance(&triangle, pose, &a, wkIdentityPose(), NULL).distance);
            }
            wkVec3d vertex =
                wkTransformPoint(wkInvPose(pose), closed.vertices[closed.triangles[0]]);
            bool isAround = wkShape_ContainsPoint(&b, wkIdentityPose(), vertex);
            double d = wkDistance(&b, pose, &a, wkIdentityPose(), NULL).distance;
            bool expected = least <= 0.0 || isAround;
            if (fabs(least) > 1e-9) {
                assert_int_equal(d <= 0.0, expected);
                assert_int_equal(isTouching(&b, pose, &a, wkIdentityPose()), expected);
                assert_true(expected || fabs(d - least) < 1e-9);
            }
        }
        wkMesh_Destroy(mesh);
        wkMesh_Destroy(other);
        freeSet(&set);
        freeSet(&small);
        freeSet(&closed);
        freeSet(&closedSmall);
    }
}

// A needle through a crack, of a solid with a negative padding: it touches where a point of it does.
static void shrunkSolidsAreTouchedThroughCracks(void** state)
{
    (void)state;
    meshSet whole = cubeSet(0), set = makeSet(12, 16);
    memcpy(set.vertices, whole.vertices, 8 * sizeof(wkVec3d));
    memcpy(set.triangles, whole.triangles, 30 * sizeof(int32_t));
    static const int32_t above[6][3] = {{4, 8, 10}, {4, 10, 6}, {10, 9, 6},
                                        {8, 5, 11}, {5, 7, 11}, {7, 9, 11}};
    set.vertices[8] = wkVec(0.0, -1.0, 1.0);
    set.vertices[9] = wkVec(0.0, 1.0, 1.0);
    set.vertices[10] = wkVec(-5e-5, 0.0, 1.0);
    set.vertices[11] = wkVec(5e-5, 0.0, 1.0);
    for (int32_t i = 0; i < 6; ++i) {
        setTriangle(&set, 10 + i, above[i][0], above[i][1], above[i][2]);
    }
    wkMesh* mesh = makeSolid(&set);
    wkShape solid = wkMakeMesh(mesh), needle = wkMakeCapsule(0.0, 1.0), point = wkMakeSphere(0.0);
    for (int i = 0; i <= 3; ++i) {
        solid.padding = -0.1 * i;
        assert_true(isTouching(&point, poseAt(wkVec(0.0, 0.0, 0.41)), &solid, wkIdentityPose()));
        wkPose pose = poseAt(wkVec(0.0, 0.0, 0.9)); // from 0.4 to 1.4
        assert_true(isTouching(&needle, pose, &solid, wkIdentityPose()));
        assert_true(wkDistance(&solid, wkIdentityPose(), &needle, pose, NULL).distance <= 0.0);
    }
    wkMesh_Destroy(mesh);
    freeSet(&whole);
    freeSet(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(aCapsuleTouchesWhatItsSphereTouches),
        cmocka_unit_test(distancesDoNotJumpAtAnOpening),
        cmocka_unit_test(certifiedMotionsDoNotPassAnOpening),
        cmocka_unit_test(whatContainsATouchingBodyTouches),
        cmocka_unit_test(distancesAreContinuous),
        cmocka_unit_test(raysHitBeforeTheyEnter),
        cmocka_unit_test(twoSolidsTouchAsTheirSurfacesSay),
        cmocka_unit_test(shrunkSolidsAreTouchedThroughCracks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
