// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Files whose triangles do not say clearly what they enclose: what was hollow once, its smallest input.

#include "broken_sets.h"
#include "lid_check.h"
#include "whisker/octree.h"

// A point, and whether it is inside.
typedef struct probe {
    wkVec3d at;
    bool isInside;
} probe;

// Fails unless a small sphere touches the solid of a set at the points inside of it and at no other, whatever
// the order of its triangles.
static void expectProbes(const char* name, const meshSet* set, const probe* probes, int count)
{
    wkRng rng = wkMakeRng(3);
    meshSet shuffled = copySet(set);
    for (int round = 0; round < 6; ++round) {
        wkMesh* mesh = makeSolid(&shuffled);
        wkShape solid = wkMakeMesh(mesh), sphere = wkMakeSphere(0.01);
        for (int i = 0; i < count; ++i) {
            wkVec3d at = probes[i].at;
            if (isTouching(&sphere, poseAt(at), &solid, wkIdentityPose()) != probes[i].isInside ||
                wkShape_ContainsPoint(&solid, wkIdentityPose(), at) != probes[i].isInside) {
                fail_msg("%s, order %d: (%g %g %g) is %s", name, round, at.x, at.y, at.z,
                         probes[i].isInside ? "free" : "not free");
            }
        }
        wkMesh_Destroy(mesh);
        shuffleTriangles(&shuffled, &rng);
    }
    freeSet(&shuffled);
}

static void expectInside(const char* name, const meshSet* set, wkVec3d at, bool isExpected)
{
    expectProbes(name, set, &(probe){at, isExpected}, 1);
}

// Every triangle once or twice more, in one direction or the other, and some flipped.
static void copiesAndFlipsTogetherAreSolid(void** state)
{
    (void)state;
    for (int k = 0; k < 20; ++k) {
        wkRng rng = wkMakeRng(900u + (uint64_t)k);
        meshSet set = k % 2 == 0 ? latticeSet(4) : sphereSet(9);
        int32_t* times = calloc((size_t)set.triangleCount, sizeof *times);
        for (int32_t i = 0; i < set.triangleCount; ++i) {
            times[i] = 1 + wkRngBelow(&rng, 3);
        }
        repeatTriangles(&set, &rng, times, k % 3 == 0);
        for (int32_t i = 0; i < set.triangleCount; i += 7) {
            flipTriangle(set.triangles + 3 * i);
        }
        expectInside("copies and flips", &set, wkVec(0.1, 0.2, 0.3), true);
        expectInside("copies and flips", &set, wkVec(0.1, 0.2, 1.3), false);
        free(times);
        freeSet(&set);
    }
}

// A box that is there from both sides, without some of its triangles.
static void openBoxesFromBothSidesAreSolid(void** state)
{
    (void)state;
    for (int32_t missing = 0; missing < 12; ++missing) {
        meshSet back = latticeSet(3), set = joinSets(latticeSet(3), back);
        for (int32_t i = set.triangleCount / 2; i < set.triangleCount; ++i) {
            flipTriangle(set.triangles + 3 * i);
        }
        set.triangleCount -= missing;
        expectInside("both sides", &set, wkVec(0.1, 0.2, 0.3), true);
        freeSet(&set);
    }
}

// A face of a box: squares, from which it keeps the gap at its rim.
static meshSet panelBox(int32_t size, double gap, double half)
{
    meshSet set = latticeSet(size);
    int32_t perFace = set.vertexCount / 6;
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        double* v = &set.vertices[i].x;
        int axis = i / perFace / 2;
        for (int k = 0; k < 3; ++k) {
            v[k] *= k == axis ? half : half - gap;
        }
    }
    return set;
}

static void panelsWithGapsAreSolid(void** state)
{
    (void)state;
    static const double gaps[] = {1e-7, 1e-6, 1e-5, 1e-4, 5e-4, 2e-3};
    for (int i = 0; i < 6; ++i) {
        for (int32_t size = 1; size <= 3; ++size) {
            meshSet set = panelBox(size, gaps[i], 0.5);
            if (size == 2) {
                for (int32_t k = 0; k < 8; ++k) {
                    flipTriangle(set.triangles + 3 * k); // a panel the other way round
                }
            }
            expectInside("panels", &set, wkVec(0.1, 0.2, 0.3), true);
            expectInside("panels", &set, wkVec(0.1, 0.2, 0.6), false);
            wkMesh* mesh = makeSolid(&set);
            wkShape solid = wkMakeMesh(mesh), sphere = wkMakeSphere(0.01);
            wkPose pose = poseAt(wkVec(0.0, 0.0, 0.0));
            assert_int_equal(wkCollide(&sphere, pose, &solid, wkIdentityPose(), NULL).status,
                             wk_statusNotWatertight);
            assert_true(fabs(wkMesh_Info(mesh).volumeInside) > 0.95);
            wkMesh_Destroy(mesh);
            freeSet(&set);
        }
    }
}

// Sheets stay sheets: nothing is enclosed however far their vertices are sewn.
static void sheetsAreNotFilled(void** state)
{
    (void)state;
    meshSet set = latticeSet(40);
    set.triangleCount /= 6;
    expectInside("sheet", &set, wkVec(-0.9, 0.2, 0.3), false);
    set.triangleCount *= 2; // two opposite faces
    expectInside("sheets", &set, wkVec(-0.9, 0.2, 0.3), false);
    expectInside("sheets", &set, wkVec(0.0, 0.2, 0.3), false);
    freeSet(&set);
}

static void overlappingPiecesOfAnyOrientationAreSolid(void** state)
{
    (void)state;
    for (int k = 0; k < 8; ++k) {
        meshSet first = latticeSet(2), second = sphereSet(8), third = cubeSet(0);
        moveSet(&second, 0.8, wkVec(0.9, 0.1, 0.0));
        moveSet(&third, 0.5, wkVec(-0.8, 0.9, 0.2));
        meshSet* sets[3] = {&first, &second, &third};
        for (int i = 0; i < 3; ++i) {
            if (k >> i & 1) {
                flipSet(sets[i]);
            }
        }
        meshSet set = joinSets(joinSets(first, second), third);
        expectInside("first and second", &set, wkVec(0.8, 0.2, 0.3), true);
        expectInside("first and third", &set, wkVec(-0.7, 0.8, 0.2), true);
        expectInside("first", &set, wkVec(-0.5, -0.5, -0.5), true);
        expectInside("second", &set, wkVec(1.4, 0.2, 0.1), true);
        expectInside("none", &set, wkVec(1.4, 1.2, 0.1), false);
        freeSet(&set);
    }
}

// Cubes of 2 m with their centers on a grid, of which the bits of `doubled` say which are there from both sides.
static meshSet cubesOnGrid(const wkVec3d* centers, int count, unsigned doubled)
{
    meshSet set = makeSet(0, 0);
    for (int i = 0; i < count; ++i) {
        for (int side = 0; side < ((doubled >> i & 1u) != 0 ? 2 : 1); ++side) {
            meshSet cube = latticeSet(2);
            moveSet(&cube, 1.0, centers[i]);
            if (side == 1) {
                flipSet(&cube);
            }
            set = joinSets(set, cube);
        }
    }
    return set;
}

// Cubes that share faces, edges or parts of their volume, some or all of them from both sides: the walls between
// them are inside.
static void touchingCubesFromBothSidesAreSolid(void** state)
{
    (void)state;
    static const struct {
        int count;
        wkVec3d centers[3];
    } rows[] = {
        {2, {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}}},
        {2, {{0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}},
        {2, {{0.0, 0.0, 0.0}, {2.0, 1.0, 0.0}}},
        {2, {{0.0, 0.0, 0.0}, {2.0, 2.0, 0.0}}},
        {3, {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {0.0, 2.0, 0.0}}},
        {3, {{0.0, 0.0, 0.0}, {2.0, 0.0, 0.0}, {1.0, 2.0, 0.0}}},
        {3, {{1.0, 0.0, 1.0}, {1.0, 1.0, 0.0}, {1.0, 0.0, 0.0}}},
        {3, {{1.0, 0.0, 1.0}, {0.0, 0.0, 1.0}, {1.0, 1.0, 1.0}}},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; ++row) {
        for (unsigned doubled = 0; doubled < 1u << rows[row].count; ++doubled) {
            meshSet set = cubesOnGrid(rows[row].centers, rows[row].count, doubled);
            char name[40];
            snprintf(name, sizeof name, "cubes %d, doubled %x", (int)row, doubled);
            probe probes[3 * 8 + 1];
            int count = 8 * rows[row].count;
            for (int i = 0; i < count; ++i) {
                wkVec3d way =
                    wkVec(i & 1 ? 0.6 : -0.57, i & 2 ? 0.55 : -0.62, i & 4 ? 0.58 : -0.61);
                probes[i] = (probe){wkAdd(rows[row].centers[i / 8], way), true};
            }
            probes[count] = (probe){wkVec(-2.5, -1.7, -1.3), false};
            expectProbes(name, &set, probes, count + 1);
            freeSet(&set);
        }
    }
}

// A cube from -1 to 1 with a slot from above, a few hundredths wide, as one piece.
static meshSet slotSet(void)
{
    static const double xs[4] = {-1.0, 0.1, 0.14, 1.0}, zs[3] = {-1.0, -0.9, 1.0};
    static const bool isFilled[2][3] = {{true, true, true}, {true, false, true}};
    meshSet set = makeSet(24, 60);
    int32_t count = 0;
    for (int32_t i = 0; i < 24; ++i) {
        set.vertices[i] = wkVec(xs[i % 4], i / 12 == 0 ? -1.0 : 1.0, zs[i % 12 / 4]);
    }
    for (int32_t z = 0; z < 2; ++z) {
        for (int32_t x = 0; x < 3; ++x) {
            if (!isFilled[z][x]) {
                continue;
            }
            int32_t a = 4 * z + x, b = a + 1, c = a + 5, d = a + 4; // of the front, anticlockwise
            const int32_t ring[4] = {a, b, c, d};
            const bool isOpen[4] = {z == 0 || !isFilled[z - 1][x], x == 2 || !isFilled[z][x + 1],
                                    z == 1 || !isFilled[z + 1][x], x == 0 || !isFilled[z][x - 1]};
            setTriangle(&set, count++, a, b, c);
            setTriangle(&set, count++, a, c, d);
            setTriangle(&set, count++, a + 12, c + 12, b + 12);
            setTriangle(&set, count++, a + 12, d + 12, c + 12);
            for (int k = 0; k < 4; ++k) {
                int32_t from = ring[k], to = ring[(k + 1) % 4];
                if (isOpen[k]) {
                    setTriangle(&set, count++, to, from, from + 12);
                    setTriangle(&set, count++, to, from + 12, to + 12);
                }
            }
        }
    }
    set.triangleCount = count;
    return set;
}

// An inverted piece that passes a slot of the piece around it is not the wall of a cavity, wherever its triangles
// are: it is flipped. Where it does not, it stays a cavity.
static void invertedPiecesThatPokeOutAreSolid(void** state)
{
    (void)state;
    for (int i = 0; i < 2; ++i) {
        meshSet inner = cubeSet(0);
        moveSet(&inner, i == 0 ? 0.8 : 0.3, i == 0 ? wkVec(0.0, 0.0, 0.0) : wkVec(-0.5, 0.0, 0.0));
        flipSet(&inner);
        meshSet set = joinSets(slotSet(), inner);
        expectInside("slot", &set, wkVec(-0.5, 0.1, 0.1), i == 0);
        expectInside("slot", &set, wkVec(-0.95, 0.1, 0.1), true);
        expectInside("slot", &set, wkVec(0.12, 0.1, 0.9), false);
        freeSet(&set);
    }
}

// A nested piece of the other orientation is the wall of a cavity, also when all of it is inside out.
static void cavitiesStayCavities(void** state)
{
    (void)state;
    for (int k = 0; k < 4; ++k) {
        meshSet cavity = sphereSet(8), other = cubeSet(0);
        moveSet(&cavity, 0.5, wkVec(0.1, 0.0, 0.0));
        moveSet(&other, 0.5, wkVec(3.0, 0.0, 0.0));
        flipSet(&cavity);
        meshSet set = joinSets(joinSets(cubeSet(0), cavity), other);
        if (k & 1) {
            flipSet(&set);
        }
        if (k & 2) {
            set.triangleCount -= 1; // a hole elsewhere
        }
        expectInside("cavity", &set, wkVec(0.1, 0.1, 0.1), false);
        expectInside("wall", &set, wkVec(0.9, 0.8, 0.7), true);
        expectInside("other", &set, wkVec(3.1, 0.1, 0.2), true);
        freeSet(&set);
    }
}

// A piece from both sides that touches another one in a vertex, an edge or a face.
static void doubledPiecesThatTouchOthersAreSolid(void** state)
{
    (void)state;
    static const wkVec3d ways[] = {{2.0, 2.0, 2.0}, {2.0, 2.0, 0.0}, {2.0, 0.0, 0.0}};
    for (int k = 0; k < 12; ++k) {
        meshSet front = k & 1 ? latticeSet(2) : cubeSet(0),
                back = k & 1 ? latticeSet(2) : cubeSet(0);
        wkVec3d way = ways[k / 4];
        moveSet(&front, 1.0, way);
        moveSet(&back, 1.0, way);
        flipSet(&back);
        meshSet other = k & 1 ? latticeSet(2) : cubeSet(0), both = joinSets(front, back);
        meshSet set = k & 2 ? joinSets(both, other) : joinSets(other, both);
        expectInside("doubled", &set, wkMulAdd(way, 1.0, wkVec(0.1, 0.2, 0.3)), true);
        expectInside("beside", &set, wkVec(0.1, 0.2, 0.3), true);
        expectInside("outside", &set, wkVec(-1.5, 0.2, 0.3), false);
        freeSet(&set);
    }
}

// Two cells with a wall between them that both have: nothing needs to be closed.
static void wallsBetweenCellsAreLeftAlone(void** state)
{
    (void)state;
    meshSet second = latticeSet(2);
    moveSet(&second, 1.0, wkVec(2.0, 0.0, 0.0));
    meshSet set = joinSets(latticeSet(2), second);
    wkMesh* mesh = makeSolid(&set);
    assert_int_equal(wkMesh_Info(mesh).lidCount, 0);
    wkMesh_Destroy(mesh);
    expectInside("cells", &set, wkVec(0.9, 0.2, 0.3), true);
    expectInside("cells", &set, wkVec(1.1, 0.2, 0.3), true);
    freeSet(&set);
}

// A map against a solid that lids close says so, touching, near and far.
static void mapsSayThatASolidIsNotWatertight(void** state)
{
    (void)state;
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.1;
    wkOctree* octree;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    wkAabb cell = {{0.01, 0.01, 0.01}, {0.09, 0.09, 0.09}};
    assert_int_equal(wkOctree_FillBox(octree, cell, 2.0f), wk_ok);
    wkShape map = wkMakeOctree(octree);
    for (int isOpen = 0; isOpen < 2; ++isOpen) {
        meshSet set = isOpen ? openBoxSet(0) : cubeSet(0);
        wkMesh* mesh = makeSolid(&set);
        wkShape solid = wkMakeMesh(mesh);
        wkStatus expected = isOpen ? wk_statusNotWatertight : wk_statusExact;
        wkPose far = poseAt(wkVec(0.0, 0.0, 3.0)), within = poseAt(wkVec(0.0, 0.0, 0.2));
        wkDistanceRequest request = wkDefaultDistanceRequest();
        assert_int_equal(wkDistance(&map, far, &solid, wkIdentityPose(), &request).status,
                         expected);
        assert_int_equal(wkDistance(&solid, wkIdentityPose(), &map, far, &request).status,
                         expected);
        assert_int_equal(wkCollide(&map, far, &solid, wkIdentityPose(), NULL).status, expected);
        assert_int_equal(wkCollide(&map, within, &solid, wkIdentityPose(), NULL).status, expected);
        request.isSigned = false;
        assert_int_equal(wkDistance(&map, within, &solid, wkIdentityPose(), &request).status,
                         expected);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
    wkOctree_Destroy(octree);
}

// A beam right through a solid that shrinks: its ends are outside, its middle is deep.
static void gridRaysThroughShrunkSolidsTouch(void** state)
{
    (void)state;
    for (int k = 0; k < 40; ++k) {
        wkRng rng = wkMakeRng(40u + (uint64_t)k);
        meshSet set = k % 2 == 0 ? solidSphereSet(12, 0.1) : torusSet(10);
        wkMesh* mesh = makeSolid(&set);
        wkShape solid = wkMakeMesh(mesh);
        wkShape gridRays[] = {wkMakeCapsule(0.0, 6.0), wkMakeCapsule(0.01, 6.0),
                              wkMakeBox(0.02, 0.02, 6.0), wkMakeCylinder(0.01, 6.0)};
        wkVec3d middle = k % 2 == 0 ? wkVec(0.0, 0.0, 0.0) : wkVec(1.0, 0.0, 0.0);
        wkPose pose = {middle, wkRngRotation(&rng)};
        solid.padding = -wkRngRange(&rng, 0.01, 0.25);
        wkShape point = wkMakeSphere(0.0);
        bool isDeep = isTouching(&point, poseAt(middle), &solid, wkIdentityPose());
        for (int i = 0; i < 4 && isDeep; ++i) {
            wkDistanceResult d = wkDistance(&gridRays[i], pose, &solid, wkIdentityPose(), NULL);
            assert_true(isTouching(&gridRays[i], pose, &solid, wkIdentityPose()));
            assert_true(d.distance <= 0.0);
            wkDistanceRequest request = wkDefaultDistanceRequest();
            request.isSigned = false;
            assert_true(
                wkDistance(&gridRays[i], pose, &solid, wkIdentityPose(), &request).distance <= 0.0);
        }
        assert_true(isDeep);
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(copiesAndFlipsTogetherAreSolid),
        cmocka_unit_test(openBoxesFromBothSidesAreSolid),
        cmocka_unit_test(panelsWithGapsAreSolid),
        cmocka_unit_test(sheetsAreNotFilled),
        cmocka_unit_test(overlappingPiecesOfAnyOrientationAreSolid),
        cmocka_unit_test(touchingCubesFromBothSidesAreSolid),
        cmocka_unit_test(invertedPiecesThatPokeOutAreSolid),
        cmocka_unit_test(cavitiesStayCavities),
        cmocka_unit_test(doubledPiecesThatTouchOthersAreSolid),
        cmocka_unit_test(wallsBetweenCellsAreLeftAlone),
        cmocka_unit_test(mapsSayThatASolidIsNotWatertight),
        cmocka_unit_test(gridRaysThroughShrunkSolidsTouch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
