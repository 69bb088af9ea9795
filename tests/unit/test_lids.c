// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A solid with holes is one body for all queries: its triangles, the lids that close them, and what
// both enclose.

#include "mesh_check.h"
#include "solid_sets.h"
#include "tree/lid_fill.h"
#include "whisker/query.h"
#include "whisker/robot.h"
#include "whisker/robot_scene.h"

#include <float.h>

static wkMesh* makeSolid(const meshSet* set)
{
    wkMeshDef def = defOfSet(set);
    def.isSolid = true;
    return createMesh(&def);
}

static wkPose poseAt(wkVec3d p)
{
    wkPose pose = {p, {0.0, 0.0, 0.0, 1.0}};
    return pose;
}

static wkPose drawPose(wkRng* rng)
{
    wkVec3d axis = wkRngDirection(rng);
    double angle = wkRngRange(rng, 0.0, 3.0), s = sin(0.5 * angle);
    wkPose pose = {wkScale(wkRngRange(rng, 0.0, 1.8), wkRngDirection(rng)),
                   {s * axis.x, s * axis.y, s * axis.z, cos(0.5 * angle)}};
    return pose;
}

static bool isTouching(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    return wkCollide(a, poseA, b, poseB, NULL).isTouching;
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
        wkPointResult near = wkClosestPoint(&box, wkIdentityPose(), p, INFINITY);
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
    static const char* const links[] = {"base", "ball"};
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
                double point = wkClosestPoint(&solid, wkIdentityPose(), p, INFINITY).distance;
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
            wkRayResult hit = wkRayCast(&solid, wkIdentityPose(), ray);
            wkVec3d way = wkNormalizeOr(ray.direction, wkVec(1.0, 0.0, 0.0));
            bool isIn = wkShape_ContainsPoint(&solid, wkIdentityPose(), from);
            assert_true(!isIn || (hit.isHit && hit.distance == 0.0));
            for (int t = 0; t < 50; ++t) {
                double at = wkRngRange(&rng, 0.0, 4.5);
                wkVec3d p = wkMulAdd(from, at, way);
                double d = wkClosestPoint(&solid, wkIdentityPose(), p, INFINITY).distance;
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
            wkVec3d corner =
                wkTransformPoint(wkInvPose(pose), closed.vertices[closed.triangles[0]]);
            bool isAround = wkShape_ContainsPoint(&b, wkIdentityPose(), corner);
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

static void lidsAreSmallWhereHolesAre(void** state)
{
    (void)state;
    static const struct {
        meshSet (*make)(int32_t size);
        double least, most; // area
    } rows[] = {
        {openBoxSet, 4.0 - 1e-9, 4.0 + 1e-9},
        {crackedSet, 0.0, 1e-4},
        {junctionSet, 0.0, 0.0},
        {bowlSet, 2.4, 2.9}, // a disc of radius 0.95 or a little less
        {cubeSet, 0.0, 0.0},
    };
    for (int i = 0; i < (int)(sizeof rows / sizeof *rows); ++i) {
        meshSet set = rows[i].make(24);
        wkMesh* mesh = makeSolid(&set);
        wkMeshInfo info = wkMesh_Info(mesh);
        print_message("%d loops, %d lids, %g m2\n", info.boundaryLoopCount, info.lidCount,
                      info.lidArea);
        assert_true(info.lidArea >= rows[i].least && info.lidArea <= rows[i].most);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// A flat star with long rays and many vertices: all of it is filled, and nothing beside it.
static void flatLoopsAreFilledOnce(void** state)
{
    (void)state;
    static const int32_t counts[] = {3, 4, 7, 20, 64, 65, 200, 4000};
    for (int i = 0; i < 8; ++i) {
        int32_t count = counts[i];
        wkVec3d* vertices = calloc((size_t)count, sizeof *vertices);
        int32_t* loop = calloc((size_t)count, sizeof *loop);
        int32_t* triangles = calloc((size_t)count, 3 * sizeof *triangles);
        void* scratch = malloc(wkFillBytes(count));
        double area = 0.0, filled = 0.0;
        for (int32_t k = 0; k < count; ++k) {
            double t = 6.28318530717958648 * k / count, r = 1.0 + 0.6 * sin(5.0 * t);
            vertices[k] = wkVec(r * cos(t), r * sin(t), 0.0);
            loop[k] = k;
        }
        for (int32_t k = 0; k < count; ++k) {
            area += 0.5 * wkCross(vertices[k], vertices[(k + 1) % count]).z;
        }
        wkFillLoop(vertices, loop, count, scratch, triangles);
        for (int32_t k = 0; k < count - 2; ++k) {
            const int32_t* t = triangles + 3 * k;
            wkVec3d u = wkSub(vertices[t[1]], vertices[t[0]]);
            filled += 0.5 * wkLength(wkCross(u, wkSub(vertices[t[2]], vertices[t[0]])));
        }
        print_message("%d vertices: %g m2 of %g\n", count, filled, area);
        assert_true(filled >= fabs(area) - 1e-12 && filled <= 1.02 * fabs(area) + 1e-12);
        free(vertices);
        free(loop);
        free(triangles);
        free(scratch);
    }
}

// Vertices of an open box move: the lid goes with them. Triangles of a cube that shared places part:
// new lids close what opens between them.
static void lidsFollowAMeshThatDeforms(void** state)
{
    (void)state;
    for (int isTorn = 0; isTorn < 2; ++isTorn) {
        meshSet set = isTorn ? latticeSet(3) : openBoxSet(0);
        wkMeshDef def = wkDefaultMeshDef();
        def.isSolid = true;
        wkMeshBuilder* builder;
        assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
        assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
        assert_int_equal(wkMeshBuilder_AddPart(builder, set.vertices, set.vertexCount,
                                               set.triangles, set.triangleCount),
                         wk_ok);
        assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
        const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
        for (int32_t i = 0; i < set.vertexCount; ++i) {
            wkVec3d* v = &set.vertices[i];
            bool isAbove = isTorn ? i >= 5 * set.vertexCount / 6 : v->z > 0.0;
            v->z += isAbove ? 0.5 + 0.1 * v->x : 0.0; // the face above, all of it or its rim
        }
        for (int round = 0; round < 3; ++round) {
            assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_ReplaceVertices(builder, 0, set.vertices, set.vertexCount), wk_ok);
            assert_int_equal(wkMeshBuilder_EndReplace(builder, round == 1), wk_ok);
            assert_true(wkMeshBuilder_Mesh(builder) == mesh);
            assertSoundTree(mesh);
            wkMeshInfo info = wkMesh_Info(mesh);
            assert_false(info.isClosed);
            assert_true(info.lidCount >= 2 && info.boundaryLoopCount >= 1);
            wkShape solid = wkMakeMesh(mesh);
            assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.1, 0.9)));
            bool isInGap = wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.1, 1.2));
            double gap =
                wkClosestPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.1, 1.2), INFINITY).distance;
            assert_int_equal(isInGap,
                             !isTorn); // the face flies off, and the hole below it is closed
            assert_true(isTorn ? gap > 0.1 && gap < 0.3 : gap < -0.1);
        }
        // the block is as good as any other
        wkMesh* copy;
        assert_int_equal(wkMesh_FromBlock(wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount, &copy),
                         wk_ok);
        assert_int_equal(wkMesh_Info(copy).lidCount, wkMesh_Info(mesh).lidCount);
        wkMesh_Destroy(copy);
        wkMeshBuilder_Destroy(builder);
        freeSet(&set);
    }
}

static wkMeshBuilder* buildSolid(const meshSet* set)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = true;
    wkMeshBuilder* builder;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
    assert_int_equal(wkMeshBuilder_AddPart(builder, set->vertices, set->vertexCount, set->triangles,
                                           set->triangleCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    return builder;
}

// Two pyramids over a polygon, one above and one below.
static meshSet spinnerSet(int32_t count)
{
    meshSet set = makeSet(count + 2, 2 * count);
    for (int32_t i = 0; i < count; ++i) {
        double t = 6.28318530717958648 * i / count;
        set.vertices[i] = wkVec(cos(t), sin(t), 0.0);
        setTriangle(&set, 2 * i, i, (i + 1) % count, count);
        setTriangle(&set, 2 * i + 1, (i + 1) % count, i, count + 1);
    }
    set.vertices[count] = wkVec(0.0, 0.0, 1.0);
    set.vertices[count + 1] = wkVec(0.0, 0.0, -1.0);
    return set;
}

// A closed solid that becomes flat: every triangle is there from both sides then, and there is no room
// for lids.
static void solidsThatBecomeFlatAreBuiltAnew(void** state)
{
    (void)state;
    for (int isUpdate = 0; isUpdate < 2; ++isUpdate) {
        meshSet set = spinnerSet(2000);
        wkMeshBuilder* builder = buildSolid(&set);
        const wkMesh* mesh = wkMeshBuilder_Mesh(builder);
        size_t byteCount = wkMesh_Info(mesh).byteCount;
        for (int32_t i = 0; i < set.vertexCount; ++i) {
            set.vertices[i].z = 0.0;
        }
        if (isUpdate) {
            assert_int_equal(wkMeshBuilder_BeginUpdate(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_UpdateVertices(builder, 0, set.vertices, set.vertexCount), wk_ok);
            assert_int_equal(wkMeshBuilder_EndUpdate(builder, true), wk_ok);
        } else {
            assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_ReplaceVertices(builder, 0, set.vertices, set.vertexCount), wk_ok);
            assert_int_equal(wkMeshBuilder_EndReplace(builder, true), wk_ok);
        }
        assert_true(wkMesh_Info(mesh).byteCount == byteCount);
        assert_int_equal(wkMesh_Info(mesh).triangleCount, set.triangleCount);
        wkShape solid = wkMakeMesh(mesh), sphere = wkMakeSphere(0.01);
        assert_true(isTouching(&sphere, poseAt(wkVec(0.5, 0.1, 0.0)), &solid, wkIdentityPose()));
        wkMesh* copy;
        assert_int_equal(wkMesh_FromBlock(wkMesh_Block(mesh), byteCount, &copy), wk_ok);
        wkMesh_Destroy(copy);
        wkMeshBuilder_Destroy(builder);
        freeSet(&set);
    }
}

// A cube whose triangles have vertices of their own, with a little noise.
static meshSet looseSet(double noise)
{
    meshSet whole = latticeSet(6), set = makeSet(3 * whole.triangleCount, whole.triangleCount);
    wkRng rng = wkMakeRng(17);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        set.vertices[i] = wkMulAdd(whole.vertices[whole.triangles[i]], noise, wkRngDirection(&rng));
        set.triangles[i] = i;
    }
    freeSet(&whole);
    return set;
}

// Seams are sewn in a builder's mesh as in any other, at first and after vertices have parted.
static void buildersSewSeams(void** state)
{
    (void)state;
    for (int isExact = 0; isExact < 2; ++isExact) {
        meshSet set = looseSet(isExact ? 0.0 : 1e-6), noisy = looseSet(1e-6);
        wkMeshBuilder* builder = buildSolid(&set);
        wkShape solid = wkMakeMesh(wkMeshBuilder_Mesh(builder));
        for (int round = 0; round < 3; ++round) {
            assert_true(fabs(wkMesh_Info(solid.mesh).volumeInside - 8.0) < 1e-4);
            assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.1, 0.2, 0.3)));
            assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
            assert_int_equal(
                wkMeshBuilder_ReplaceVertices(builder, 0, noisy.vertices, noisy.vertexCount),
                wk_ok);
            assert_int_equal(wkMeshBuilder_EndReplace(builder, round == 1), wk_ok);
        }
        wkMeshBuilder_Destroy(builder);
        freeSet(&set);
        freeSet(&noisy);
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

// Hulls in blocks do not depend on the order of triangles, which is another one in the block.
static void convexSolidsAreSavedAnywhere(void** state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        meshSet set = k % 2 == 0 ? cubeSet(0) : ballSet(8 + k, 0.0);
        double far = 2.5e6 * (k - k % 2);
        moveSet(&set, 1.0, wkVec(far, far, -3.0));
        set.triangleCount -= k % 4 == 3; // closed by a lid
        wkMesh *mesh = makeSolid(&set), *copy;
        wkResult result = wkMesh_FromBlock(wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount, &copy);
        if (result != wk_ok) {
            fail_msg("set %d: %s", k, wkGetLastError());
        }
        wkMesh_Destroy(copy);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// A ball that is there from both sides, beside a cube or as an insert that fills a cavity of it, whatever
// comes first and whatever the orientation of the cube.
static void piecesFromBothSidesCountOnce(void** state)
{
    (void)state;
    for (int k = 0; k < 16; ++k) {
        meshSet outside = cubeSet(0), front = ballSet(9, 0.0), back = ballSet(9, 0.0);
        double reach = k & 1 ? 3.0 : 0.0;
        moveSet(&front, 0.5, wkVec(reach, 0.0, 0.0));
        moveSet(&back, 0.5, wkVec(reach, 0.0, 0.0));
        flipSet(k & 2 ? &front : &back);
        if (k & 4) {
            flipSet(&outside);
        }
        meshSet both = joinSets(front, back);
        meshSet set = k & 8 ? joinSets(both, outside) : joinSets(outside, both);
        wkMesh* mesh = makeSolid(&set);
        wkShape solid = wkMakeMesh(mesh), sphere = wkMakeSphere(0.01);
        wkVec3d inside = wkVec(reach + 0.1, 0.1, 0.1);
        assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), inside));
        assert_true(isTouching(&sphere, poseAt(inside), &solid, wkIdentityPose()));
        assert_true(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(0.8, 0.8, 0.8)));
        assert_false(wkShape_ContainsPoint(&solid, wkIdentityPose(), wkVec(2.0, 0.1, 0.2)));
        assert_true(wkMesh_Info(mesh).isClosed);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// Random triangles over few places: edges used many times, both ways, several loops at a vertex.
static void anyTrianglesCanBeClosed(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(7);
    for (int k = 0; k < 300; ++k) {
        meshSet set = makeSet(wkRngBelow(&rng, 12) + 3, wkRngBelow(&rng, 40) + 1);
        for (int32_t i = 0; i < set.vertexCount; ++i) {
            // coordinates of a coarse lattice: many vertices share places or lines
            set.vertices[i] =
                wkVec(rint(wkRngRange(&rng, -2.0, 2.0)), rint(wkRngRange(&rng, -2.0, 2.0)),
                      rint(wkRngRange(&rng, -2.0, 2.0)));
        }
        for (int32_t i = 0; i < 3 * set.triangleCount; ++i) {
            set.triangles[i] = wkRngBelow(&rng, set.vertexCount);
        }
        wkMesh* mesh = makeSolid(&set);
        meshSet closed = closedSet(mesh);
        wkShape solid = wkMakeMesh(mesh);
        for (int i = 0; i < 20; ++i) {
            wkVec3d p = wkVec(wkRngRange(&rng, -2.1, 2.1), wkRngRange(&rng, -2.1, 2.1),
                              wkRngRange(&rng, -2.1, 2.1));
            double winding = windingBySum(&closed, p);
            assert_true(fabs(winding - rint(winding)) < 1e-6);
            assert_int_equal(wkShape_ContainsPoint(&solid, wkIdentityPose(), p),
                             rint(winding) != 0.0);
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
        freeSet(&closed);
    }
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
        cmocka_unit_test(lidsAreSmallWhereHolesAre),
        cmocka_unit_test(flatLoopsAreFilledOnce),
        cmocka_unit_test(lidsFollowAMeshThatDeforms),
        cmocka_unit_test(solidsThatBecomeFlatAreBuiltAnew),
        cmocka_unit_test(buildersSewSeams),
        cmocka_unit_test(shrunkSolidsAreTouchedThroughCracks),
        cmocka_unit_test(convexSolidsAreSavedAnywhere),
        cmocka_unit_test(piecesFromBothSidesCountOnce),
        cmocka_unit_test(anyTrianglesCanBeClosed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
