// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries about solid meshes, against sums and minima over all triangles, and the laws that hold for
// every pair.

#include "mesh_unit_check.h"
#include "solid_sets.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

static wkMesh* makeMesh(const meshSet* set, bool isSolid)
{
    wkMeshDef def = defOfSet(set);
    def.isSolid = isSolid;
    return createMesh(&def);
}

static wkPose poseAt(double x, double y, double z)
{
    wkPose pose = {{x, y, z}, {0.0, 0.0, 0.0, 1.0}};
    return pose;
}

static double surfaceDistance(const meshSet* set, wkVec3d p)
{
    double best = INFINITY;
    wkShape point = wkMakeSphere(0.0);
    for (int32_t i = 0; i < set->triangleCount; ++i) {
        const int32_t* t = set->triangles + 3 * i;
        wkShape triangle =
            wkMakeTriangle(set->vertices[t[0]], set->vertices[t[1]], set->vertices[t[2]]);
        best = fmin(
            best,
            wkDistance(&point, poseAt(p.x, p.y, p.z), &triangle, wkIdentityPose(), NULL).distance);
    }
    return best;
}

static wkVec3d drawPosition(wkRng* rng)
{
    return wkScale(wkRngRange(rng, 0.0, 1.7), wkRngDirection(rng));
}

static void spheresAnswerTheSignedDistance(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet given = solidSets[i].make(12);
        wkMesh* mesh = makeMesh(&given, true);
        meshSet set = closedSet(mesh);
        wkShape solid = wkMakeMesh(mesh);
        wkRng rng = wkMakeRng(21u + (uint64_t)i);
        for (int k = 0; k < 60; ++k) {
            wkVec3d p = drawPosition(&rng);
            double winding = fabs(windingBySum(&set, p)), radius = wkRngRange(&rng, 0.0, 0.3);
            wkShape sphere = wkMakeSphere(k % 2 == 0 ? 0.0 : radius);
            radius = sphere.sphere.radius;
            solid.padding = k % 3 == 0 ? wkRngRange(&rng, -0.1, 0.1) : 0.0;
            double expected = surfaceDistance(&set, p) * (winding > 0.5 ? -1.0 : 1.0);
            wkDistanceResult d =
                wkDistance(&sphere, poseAt(p.x, p.y, p.z), &solid, wkIdentityPose(), NULL);
            if (fabs(winding - 0.5) > 1e-6) {
                assertNear(d.distance, expected - radius - solid.padding, 1e-12);
                bool hasLids = wkMesh_Info(mesh).lidCount > 0;
                assert_int_equal(d.status, hasLids ? wk_statusNotWatertight : wk_statusExact);
                wkVec3d end = wkMulAdd(d.pointA, d.distance, d.normal);
                assertNear(wkLength(wkSub(end, d.pointB)), 0.0, 1e-12);
                assert_true(d.partB >= 0);
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&given);
        freeSet(&set);
    }
}

static wkShape drawShape(wkRng* rng)
{
    wkShape shapes[] = {
        wkMakeSphere(wkRngRange(rng, 0.01, 0.6)),
        wkMakeCapsule(wkRngRange(rng, 0.01, 0.3), wkRngRange(rng, 0.01, 0.8)),
        wkMakeBox(wkRngRange(rng, 0.01, 0.8), wkRngRange(rng, 0.01, 0.8), 0.2),
        wkMakeCylinder(wkRngRange(rng, 0.01, 0.3), wkRngRange(rng, 0.01, 0.8)),
        wkMakeCone(wkRngRange(rng, 0.01, 0.3), wkRngRange(rng, 0.01, 0.8)),
        wkMakeEllipsoid(wkRngRange(rng, 0.01, 0.3), wkRngRange(rng, 0.01, 0.3), 0.4),
        wkMakeTriangle(wkScale(0.4, wkRngDirection(rng)), wkScale(0.4, wkRngDirection(rng)),
                       wkScale(0.4, wkRngDirection(rng))),
        wkMakeHalfspace(wkRngDirection(rng), wkRngRange(rng, -1.0, 1.0)),
        wkMakePlane(wkRngDirection(rng), wkRngRange(rng, -1.0, 1.0)),
    };
    wkShape shape = shapes[wkRngBelow(rng, 9)];
    shape.padding = wkRngChance(rng, 3) ? wkRngRange(rng, -0.05, 0.1) : 0.0;
    return shape;
}

#define CONTACTS 600

static bool collides(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB, double margin)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    return wkCollide(a, poseA, b, poseB, &request).isTouching;
}

// What holds for every pair.
static void checkLaws(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    wkDistanceResult d = wkDistance(a, poseA, b, poseB, NULL);
    wkDistanceResult s = wkDistance(b, poseB, a, poseA, NULL);
    assert_memory_equal(&d.distance, &s.distance, sizeof d.distance);
    assert_memory_equal(&d.pointA, &s.pointB, sizeof d.pointA);
    assertNear(wkLength(d.normal), 1.0, 1e-9);
    assertNear(wkLength(wkSub(wkMulAdd(d.pointA, d.distance, d.normal), d.pointB)), 0.0, 1e-6);

    double margins[] = {
        0.0, d.distance, nextafter(d.distance, -INFINITY), d.distance + 0.01, d.distance - 0.01,
        0.1, -0.1};
    for (int i = 0; i < 7; ++i) {
        bool expected = d.distance <= margins[i];
        if (collides(a, poseA, b, poseB, margins[i]) != expected ||
            collides(b, poseB, a, poseA, margins[i]) != expected) {
            fail_msg("%s and %s: distance %.17g, margin %.17g, but %d", wkShapeTypeName(a->type),
                     wkShapeTypeName(b->type), d.distance, margins[i], !expected);
        }
        static wkContact contacts[CONTACTS];
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = margins[i];
        request.contacts = contacts;
        request.contactCapacity = CONTACTS;
        wkCollideResult c = wkCollide(a, poseA, b, poseB, &request);
        assert_int_equal(c.isTouching, expected);
        assert_int_equal(c.contactCount > 0, expected);
        if (expected) {
            assert_true(contacts[0].depth == -d.distance);
        }
    }

    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    wkDistanceResult u = wkDistance(a, poseA, b, poseB, &request);
    if (u.distance != fmax(d.distance, 0.0)) {
        fail_msg("%s and %s: unsigned %.17g, signed %.17g", wkShapeTypeName(a->type),
                 wkShapeTypeName(b->type), u.distance, d.distance);
    }
    request.isSigned = true;
    request.cutoff = d.distance - 0.05;
    wkDistanceResult far = wkDistance(a, poseA, b, poseB, &request);
    assert_true(far.distance > request.cutoff && far.distance <= d.distance);
    request.cutoff = d.distance + 0.05;
    assert_true(wkDistance(a, poseA, b, poseB, &request).distance == d.distance);

    wkPenetrationResult p = wkPenetration(a, poseA, b, poseB);
    assertNear(p.depth, fmax(-d.distance, 0.0), 0.0);
    assertNear(wkLength(p.translation), p.depth, 1e-9);
}

static wkPose drawPose(wkRng* rng)
{
    wkPose pose = {drawPosition(rng), wkRngRotation(rng)};
    return pose;
}

static void shapesKeepTheLaws(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet set = solidSets[i].make(12);
        wkMesh* mesh = makeMesh(&set, true);
        wkShape solid = wkMakeMesh(mesh);
        wkRng rng = wkMakeRng(31u + (uint64_t)i);
        for (int k = 0; k < WK_CASES(150); ++k) {
            wkShape shape = drawShape(&rng);
            solid.padding = wkRngChance(&rng, 3) ? wkRngRange(&rng, -0.05, 0.1) : 0.0;
            checkLaws(&shape, drawPose(&rng), &solid, drawPose(&rng));
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

static void meshesKeepTheLaws(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet sets[2] = {solidSets[i].make(10), solidSets[(i + 3) % SOLID_SET_COUNT].make(10)};
        moveSet(&sets[1], 0.4, wkVec(0.0, 0.0, 0.0));
        wkRng rng = wkMakeRng(41u + (uint64_t)i);
        for (int k = 0; k < 12; ++k) {
            wkMesh* meshes[2] = {makeMesh(&sets[0], k % 3 != 0), makeMesh(&sets[1], k % 3 != 1)};
            wkShape a = wkMakeMesh(meshes[0]), b = wkMakeMesh(meshes[1]);
            a.padding = k % 4 == 0 ? 0.02 : 0.0;
            checkLaws(&a, drawPose(&rng), &b, drawPose(&rng));
            wkMesh_Destroy(meshes[0]);
            wkMesh_Destroy(meshes[1]);
        }
        freeSet(&sets[0]);
        freeSet(&sets[1]);
    }
}

typedef struct knownCase {
    const char* name;
    wkShape shape;
    wkVec3d position;
    double distance;
    bool isSimple; // the same without a hull
} knownCase;

// A sphere or a cube that is no convex mesh: there is a speck far away.
static meshSet addSpeck(meshSet set)
{
    meshSet speck = cubeSet(0);
    moveSet(&speck, 1e-3, wkVec(50.0, 0.0, 0.0));
    return joinSets(set, speck);
}

// In a cube from -1 to 1: as it is, inside out, and without a hull.
static void depthsInACubeAreKnown(void** state)
{
    (void)state;
    const knownCase cases[] = {
        {"box inside", wkMakeBox(0.4, 0.2, 0.2), {0.5, 0.1, 0.0}, -0.7, true},
        {"capsule inside", wkMakeCapsule(0.1, 0.4), {0.0, 0.0, 0.5}, -0.8, true},
        {"box across", wkMakeBox(1.0, 0.2, 0.2), {1.2, 0.1, 0.0}, -0.3, true},
        {"box mostly in", wkMakeBox(1.0, 0.2, 0.2), {0.8, 0.1, 0.05}, -0.7, true},
        {"box at an edge", wkMakeBox(1.0, 1.0, 1.0), {1.4, 0.1, 1.0}, -0.1, true},
        {"capsule across", wkMakeCapsule(0.1, 0.8), {0.1, 0.2, 1.0}, -0.5, true},
        {"sphere across", wkMakeSphere(0.3), {0.1, 1.1, 0.2}, -0.2, true},
        {"box outside", wkMakeBox(1.0, 0.2, 0.2), {1.7, 0.1, 0.0}, 0.2, true},
        {"half-space", wkMakeHalfspace(wkVec(0, 0, 1), 0.25), {0, 0, 0}, -1.25, true},
        {"plane", wkMakePlane(wkVec(0, 0, 1), 0.25), {0, 0, 0}, -0.75, true},
        {"all around", wkMakeBox(4.0, 4.0, 4.0), {0.5, 0.0, 0.0}, -2.5, false},
    };
    for (int variant = 0; variant < 3; ++variant) {
        meshSet set = variant < 2 ? cubeSet(0) : addSpeck(cubeSet(0));
        if (variant == 1) {
            flipSet(&set);
        }
        wkMesh* mesh = makeMesh(&set, true);
        assert_int_equal(wkMesh_Info(mesh).isConvex, variant < 2);
        wkShape cube = wkMakeMesh(mesh);
        for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
            const knownCase* c = &cases[i];
            wkDistanceResult d =
                wkDistance(&c->shape, poseAt(c->position.x, c->position.y, c->position.z), &cube,
                           wkIdentityPose(), NULL);
            if ((variant < 2 || c->isSimple) && fabs(d.distance - c->distance) > 1e-9) {
                fail_msg("%s: %.17g, expected %g", c->name, d.distance, c->distance);
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// Boxes and a mesh of two cubes far apart, of which they touch one: the depth is no less than that in the cube, and
// no more than out of the bounds of the mesh, whatever triangles they cross.
static void depthsEndAtTheBounds(void** state)
{
    (void)state;
    meshSet far = cubeSet(0);
    moveSet(&far, 0.5, wkVec(20.0, 0.0, 0.0));
    meshSet set = cubeSet(0);
    moveSet(&set, 0.5, wkVec(0.0, 0.0, 0.0));
    set = joinSets(set, far);
    wkMesh* mesh = makeMesh(&set, true);
    wkShape solid = wkMakeMesh(mesh), cube = wkMakeBox(1.0, 1.0, 1.0);
    wkRng rng = wkMakeRng(82);
    int touchCount = 0;
    for (int i = 0; i < 4000; ++i) {
        double size = wkRngRange(&rng, 0.2, 3.0);
        wkShape box = wkMakeBox(size, wkRngRange(&rng, 0.2, 3.0), 2.0);
        wkPose pose = {wkScale(1.5, wkRngDirection(&rng)), wkIdentityPose().rotation};
        pose.rotation = i % 2 == 0 ? pose.rotation : wkRngRotation(&rng);
        double truth = wkDistance(&box, pose, &cube, wkIdentityPose(), NULL).distance;
        double found = wkDistance(&box, pose, &solid, wkIdentityPose(), NULL).distance;
        wkAabb reach = wkShape_Bounds(&box, pose);
        double ways[5] = {0.5 + reach.upper.x, 0.5 + reach.upper.y, 0.5 + reach.upper.z,
                          0.5 - reach.lower.y, 0.5 - reach.lower.z};
        double most = ways[0];
        for (int k = 1; k < 5; ++k) {
            most = fmin(most, ways[k]);
        }
        if (!(found >= -fmax(most, -truth) - 1e-6) || (i % 2 == 0 && !(found <= truth + 1e-9)) ||
            (found <= 0.0) != (truth <= 0.0)) {
            fail_msg("case %d: %.17g, in the cube %.17g, out of the bounds %.17g", i, found, truth,
                     -most);
        }
        touchCount += truth <= 0.0;
    }
    assert_true(touchCount > 500);
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

// A rod straight into a sphere that is no convex mesh: triangles smaller than the rod is thick must
// not offer ways out aside.
static void depthsDoNotShrinkWithTriangles(void** state)
{
    (void)state;
    static const int32_t sizes[] = {6, 12, 24, 48};
    for (int i = 0; i < 4; ++i) {
        meshSet set = addSpeck(sphereSet(sizes[i]));
        wkMesh* mesh = makeMesh(&set, true);
        assert_false(wkMesh_Info(mesh).isConvex);
        wkShape solid = wkMakeMesh(mesh),
                rods[] = {wkMakeBox(0.1, 0.1, 1.0), wkMakeCapsule(0.05, 0.9),
                          wkMakeCylinder(0.05, 1.0)};
        wkRng rng = wkMakeRng(81u + (uint64_t)i);
        for (int k = 0; k < 30; ++k) {
            wkPose pose = {{0.0, 0.0, 0.0}, wkRngRotation(&rng)};
            pose.position = wkRotateVector(pose, wkVec(0.0, 0.0, 1.0));
            wkDistanceResult d = wkDistance(&rods[k % 3], pose, &solid, wkIdentityPose(), NULL);
            // the faces are that near to the centre; through those at a slant it is further
            double nearest = cos(3.15 / sizes[i]) * cos(3.15 / sizes[i]);
            if (-d.distance < nearest - 0.51 || -d.distance > 0.55) {
                fail_msg("%s in %d triangles: %g", wkShapeTypeName(rods[k % 3].type),
                         set.triangleCount, d.distance);
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

// Whatever is left out on the way, the depth is the same to the last bit.
static void depthsDoNotDependOnTheHierarchy(void** state)
{
    (void)state;
    meshSet set = torusSet(10);
    wkMesh* meshes[WK_VOLUME_KIND_COUNT + 2];
    for (int i = 0; i < WK_VOLUME_KIND_COUNT + 2; ++i) {
        wkMeshDef def = defOfSet(&set);
        def.isSolid = true;
        def.volume = i < WK_VOLUME_KIND_COUNT ? (wkVolumeKind)i : wk_volumeAabb;
        def.split = i < WK_VOLUME_KIND_COUNT
                        ? wk_splitSah
                        : (i == WK_VOLUME_KIND_COUNT ? wk_splitMorton : wk_splitMedian);
        meshes[i] = createMesh(&def);
    }
    wkRng rng = wkMakeRng(91);
    int overlapCount = 0;
    for (int k = 0; k < WK_CASES(1000); ++k) {
        wkShape shape = drawShape(&rng), first = wkMakeMesh(meshes[0]);
        wkPose pose = drawPose(&rng);
        double distance = wkDistance(&shape, pose, &first, wkIdentityPose(), NULL).distance;
        overlapCount += distance < 0.0;
        for (int i = 1; i < WK_VOLUME_KIND_COUNT + 2; ++i) {
            wkShape other = wkMakeMesh(meshes[i]);
            assertNear(wkDistance(&shape, pose, &other, wkIdentityPose(), NULL).distance, distance,
                       0.0);
        }
    }
    assert_true(overlapCount > WK_CASES(200));
    for (int i = 0; i < WK_VOLUME_KIND_COUNT + 2; ++i) {
        wkMesh_Destroy(meshes[i]);
    }
    freeSet(&set);
}

// A cube of half the given size in the solid, at a place.
static wkDistanceResult smallCube(const wkShape* solid, double half, wkVec3d position, bool isSolid)
{
    meshSet set = cubeSet(0);
    moveSet(&set, half, wkVec(0.0, 0.0, 0.0));
    wkMesh* mesh = makeMesh(&set, isSolid);
    wkShape cube = wkMakeMesh(mesh);
    wkDistanceResult d = wkDistance(&cube, poseAt(position.x, position.y, position.z), solid,
                                    wkIdentityPose(), NULL);
    wkMesh_Destroy(mesh);
    freeSet(&set);
    return d;
}

static void meshesInsideMeshesAreDeep(void** state)
{
    (void)state;
    meshSet box = cubeSet(0), shell = shellSet(24);
    wkMesh* meshes[2] = {makeMesh(&box, true), makeMesh(&shell, true)};
    wkShape cube = wkMakeMesh(meshes[0]), hollow = wkMakeMesh(meshes[1]);
    for (int isSolid = 0; isSolid < 2; ++isSolid) {
        wkVec3d aside = wkVec(0.5, 0.1, 0.0), cavity = wkVec(0.1, 0.0, 0.0);
        assertNear(smallCube(&cube, 0.2, aside, isSolid != 0).distance, -0.7, 1e-9);
        assert_true(smallCube(&hollow, 0.1, cavity, isSolid != 0).distance > 0.2);
        assert_true(smallCube(&hollow, 0.05, wkVec(-0.7, 0.0, 0.0), isSolid != 0).distance < -0.1);
        assertNear(smallCube(&cube, 0.2, wkVec(1.5, 0.0, 0.0), isSolid != 0).distance, 0.3, 1e-9);

        // bodies that nearly fill the solid are inside, too
        for (int i = 0; i < 6; ++i) {
            double half = 0.45 + 0.1 * i, off = 0.9 * (1.0 - half);
            assert_true(smallCube(&cube, half, wkVec(off, -off, off), isSolid != 0).distance < 0.0);
        }

        // half of it inside
        assertNear(smallCube(&cube, 0.2, wkVec(1.05, 0.2, 0.1), isSolid != 0).distance, -0.15,
                   1e-9);
    }
    for (int i = 0; i < 2; ++i) {
        wkMesh_Destroy(meshes[i]);
    }
    freeSet(&box);
    freeSet(&shell);
}

static wkHull* hullOfSet(const meshSet* set)
{
    wkHullDef def = wkDefaultHullDef();
    def.points = set->vertices;
    def.pointCount = set->vertexCount;
    wkHull* hull;
    assert_int_equal(wkHull_Create(&def, &hull), wk_ok);
    return hull;
}

static void convexSolidsAreTheirHulls(void** state)
{
    (void)state;
    meshSet sets[4] = {cubeSet(0), sphereSet(10), cubeSet(0), sphereSet(9)};
    moveSet(&sets[0], 0.6, wkVec(0.1, 0.0, 0.0));
    moveSet(&sets[2], 0.5, wkVec(0.0, 0.1, 0.0));
    flipSet(&sets[2]);
    flipSet(&sets[3]);
    wkRng rng = wkMakeRng(61);
    wkMesh* meshes[4];
    wkHull* hulls[4];
    wkShape solids[4], convex[4];
    for (int i = 0; i < 4; ++i) {
        meshes[i] = makeMesh(&sets[i], true);
        hulls[i] = hullOfSet(&sets[i]);
        solids[i] = wkMakeMesh(meshes[i]);
        convex[i] = wkMakeHull(hulls[i]);
    }
    int overlapCount = 0;
    for (int k = 0; k < WK_CASES(400); ++k) {
        int i = k % 4;
        wkShape other = drawShape(&rng);
        int next = (i + 1) % 4;
        bool isMesh = k % 5 == 0;
        wkPose poseA = drawPose(&rng), poseB = drawPose(&rng);
        wkDistanceResult got =
            wkDistance(&solids[i], poseA, isMesh ? &solids[next] : &other, poseB, NULL);
        wkDistanceResult expected =
            wkDistance(&convex[i], poseA, isMesh ? &convex[next] : &other, poseB, NULL);
        double tolerance = other.type == wk_shapeEllipsoid || other.type == wk_shapeCone ||
                                   other.type == wk_shapeCylinder
                               ? 1e-7
                               : 1e-12;
        overlapCount += expected.distance < 0.0;
        if (fabs(got.distance - expected.distance) > tolerance) {
            fail_msg("%s: %.17g, the hull %.17g", isMesh ? "mesh" : wkShapeTypeName(other.type),
                     got.distance, expected.distance);
        }
        assert_true(got.distance >= 0.0 || got.status == wk_statusExact);
        assert_true(got.partA >= 0);
    }
    assert_true(overlapCount > WK_CASES(40));
    for (int i = 0; i < 4; ++i) {
        wkMesh_Destroy(meshes[i]);
        wkHull_Destroy(hulls[i]);
        freeSet(&sets[i]);
    }
}

static void commonPointsAreInBoth(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet given = solidSets[i].make(12);
        wkMesh* mesh = makeMesh(&given, true);
        meshSet set = closedSet(mesh);
        wkShape solid = wkMakeMesh(mesh);
        wkRng rng = wkMakeRng(51u + (uint64_t)i);
        wkDistanceRequest request = wkDefaultDistanceRequest();
        request.isSigned = false;
        for (int k = 0; k < WK_CASES(100); ++k) {
            wkShape shape = drawShape(&rng);
            shape.padding = 0.0;
            wkPose pose = drawPose(&rng);
            wkDistanceResult d = wkDistance(&shape, pose, &solid, wkIdentityPose(), &request);
            if (d.distance == 0.0) {
                if (wkLength(wkSub(d.pointA, d.pointB)) > 1e-9) {
                    fail_msg("%s: two common points", wkShapeTypeName(shape.type));
                }
                double outside = wkShape_PointDistance(&shape, pose, d.pointA);
                if (outside > 1e-7) {
                    fail_msg("%s: common point %g outside of it", wkShapeTypeName(shape.type),
                             outside);
                }
                assert_true(fabs(windingBySum(&set, d.pointA)) > 0.5 ||
                            surfaceDistance(&set, d.pointA) < 1e-9);
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&given);
        freeSet(&set);
    }
}

static void emptySolidsTouchNothing(void** state)
{
    (void)state;
    meshSet none = emptySet(0), box = cubeSet(0);
    wkMesh *empty = makeMesh(&none, true), *mesh = makeMesh(&box, true);
    wkShape nothing = wkMakeMesh(empty), cube = wkMakeMesh(mesh), sphere = wkMakeSphere(1.0);
    const wkShape* others[] = {&cube, &sphere, &nothing};
    for (int i = 0; i < 3; ++i) {
        assert_false(collides(&nothing, wkIdentityPose(), others[i], wkIdentityPose(), 10.0));
        assert_true(
            wkDistance(others[i], wkIdentityPose(), &nothing, wkIdentityPose(), NULL).distance >
            1e300);
    }
    wkPose nowhere = poseAt(NAN, 0.0, 0.0);
    assert_int_equal(wkDistance(&cube, nowhere, &sphere, wkIdentityPose(), NULL).status,
                     wk_statusInvalid);
    wkMesh_Destroy(empty);
    wkMesh_Destroy(mesh);
    freeSet(&none);
    freeSet(&box);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheresAnswerTheSignedDistance),
        cmocka_unit_test(shapesKeepTheLaws),
        cmocka_unit_test(meshesKeepTheLaws),
        cmocka_unit_test(depthsInACubeAreKnown),
        cmocka_unit_test(depthsEndAtTheBounds),
        cmocka_unit_test(depthsDoNotShrinkWithTriangles),
        cmocka_unit_test(depthsDoNotDependOnTheHierarchy),
        cmocka_unit_test(meshesInsideMeshesAreDeep),
        cmocka_unit_test(convexSolidsAreTheirHulls),
        cmocka_unit_test(commonPointsAreInBoth),
        cmocka_unit_test(emptySolidsTouchNothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
