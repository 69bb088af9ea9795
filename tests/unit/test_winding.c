// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is inside a solid mesh, against the sum of the solid angles of its triangles and lids.

#include "mesh_unit_check.h"
#include "solid_sets.h"
#include "tree/mesh/crossing.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"

static wkMesh* makeSolid(const meshSet* set, wkVolumeKind kind)
{
    wkMeshDef def = defOfSet(set);
    def.isSolid = true;
    def.volume = kind;
    return createMesh(&def);
}

// Near the surface, near vertices, inside the bounds and far from them.
static wkVec3d drawPoint(wkRng* rng, const meshSet* set)
{
    const int32_t* faceVertices = set->triangles + 3 * wkRngBelow(rng, set->triangleCount);
    wkVec3d a = set->vertices[faceVertices[0]], b = set->vertices[faceVertices[1]];
    wkVec3d c = set->vertices[faceVertices[2]];
    wkVec3d on = wkScale(1.0 / 3.0, wkAdd(wkAdd(a, b), c));
    switch (wkRngBelow(rng, 4)) {
    case 0:
        return wkMulAdd(on, wkRngLogRange(rng, 1e-9, 0.3), wkRngDirection(rng));
    case 1:
        return wkMulAdd(a, wkRngLogRange(rng, 1e-9, 0.3), wkRngDirection(rng));
    case 2:
        return wkScale(wkRngRange(rng, 0.0, 1.6), wkRngDirection(rng));
    default:
        return wkScale(wkRngLogRange(rng, 1.0, 1e6), wkRngDirection(rng));
    }
}

static bool isInBounds(const wkMesh* mesh, wkVec3d p)
{
    wkAabb box = wkMesh_Info(mesh).bounds;
    wkVec3d near = wkMin(wkMax(p, box.lower), box.upper);
    return near.x == p.x && near.y == p.y && near.z == p.z;
}

// Fails unless a point is said to be where the sum of solid angles has it. With its lids a solid is
// closed: the sum is whole, but for what rounding adds near triangles.
static bool checkPoint(const char* name, const wkMesh* mesh, const meshSet* closed, wkVec3d p)
{
    double winding = windingBySum(closed, p);
    bool isInside = wkMeshContains(mesh, p);
    wkShape solid = wkMakeMesh(mesh);
    double distance = wkShape_ClosestPoint(&solid, wkIdentityPose(), p, INFINITY).distance;
    if (fabs(distance) < 1e-12 * (1.0 + wkMaxAbs(p))) {
        return isInside; // on the surface, where the sum is not defined
    }
    if (fabs(winding - rint(winding)) > 1e-6) {
        fail_msg("%s: (%.17g %.17g %.17g): the sum is %.9g, so it leaks", name, p.x, p.y, p.z,
                 winding);
    }
    if (isInside != (rint(winding) != 0.0) || isInside != (distance <= 0.0)) {
        fail_msg("%s: (%.17g %.17g %.17g) is %s, at %g, but the sum is %g", name, p.x, p.y, p.z,
                 isInside ? "inside" : "outside", distance, winding);
    }
    return isInside;
}

static void containmentIsWhatTheSumSays(void** state)
{
    (void)state;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet set = solidSets[i].make(24);
        wkMesh* mesh = makeSolid(&set, (wkVolumeKind)(i % WK_VOLUME_KIND_COUNT));
        meshSet closed = closedSet(mesh);
        wkMeshInfo info = wkMesh_Info(mesh);
        assert_int_equal(info.isClosed, solidSets[i].isClosed);
        assert_int_equal(info.isConvex, solidSets[i].isConvex);
        assert_int_equal(info.triangleCount, set.triangleCount);
        assert_int_equal(info.boundaryLoopCount == 0, solidSets[i].isClosed);
        wkRng rng = wkMakeRng(11u + (uint64_t)i);
        int insideCount = 0;
        for (int k = 0; k < 400; ++k) {
            insideCount += checkPoint(solidSets[i].name, mesh, &closed, drawPoint(&rng, &set));
        }
        print_message("%s: %d inside, %d loops, %d lids\n", solidSets[i].name, insideCount,
                      info.boundaryLoopCount, info.lidCount);
        assert_true(insideCount > 20 && insideCount < 380);
        wkMesh_Destroy(mesh);
        freeSet(&set);
        freeSet(&closed);
    }
}

// One of the six rays from a point.
static wkColumn columnAlong(const wkMesh* mesh, wkVec3d point, int side)
{
    wkColumn column = wkColumnOf(mesh, point);
    column.w = side / 2;
    column.u = (column.w + 1) % 3;
    column.v = (column.w + 2) % 3;
    column.isUpward = side % 2 == 1;
    return column;
}

// Every ray from a point and every instruction set count the same, except where they doubt.
// Returns how many do.
static int checkRays(const wkMesh* mesh, wkVec3d point, int32_t expected)
{
    int doubtCount = 0;
    for (int side = 0; side < 6; ++side) {
        wkColumn column = columnAlong(mesh, point, side);
        wkCrossings any = wkCountAnyCrossings(mesh, &column);
        doubtCount += any.isDoubtful;
        if (!any.isDoubtful && any.winding != expected) {
            fail_msg("(%.17g %.17g %.17g), ray %d: %d, expected %d", point.x, point.y, point.z,
                     side, any.winding, expected);
        }
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            wkCountCrossingsFcn* count = wkCountCrossingsOf((wkIsa)isa);
            if (count != NULL && mesh->kind == wk_volumeAabb) {
                wkCrossings lanes = count(mesh, &column);
                assert_int_equal(lanes.isDoubtful, any.isDoubtful);
                assert_true(lanes.isDoubtful || lanes.winding == expected);
            }
        }
    }
    return doubtCount;
}

// Straight above, below and beside a vertex or the middle of an edge: a ray goes through it.
static wkVec3d drawInLine(wkRng* rng, const meshSet* set)
{
    const int32_t* faceVertices = set->triangles + 3 * wkRngBelow(rng, set->triangleCount);
    wkVec3d a = set->vertices[faceVertices[0]], b = set->vertices[faceVertices[1]];
    wkVec3d p = wkRngChance(rng, 2) ? a : wkMiddle(a, b);
    (&p.x)[wkRngBelow(rng, 3)] = wkRngRange(rng, -1.3, 1.3);
    return p;
}

static void raysThroughVerticesAndEdgesCountOnce(void** state)
{
    (void)state;
    int insideCount = 0, doubtCount = 0, count = 0;
    for (int i = 0; i < SOLID_SET_COUNT; ++i) {
        meshSet given = solidSets[i].make(16);
        wkMesh* mesh = makeSolid(&given, i % 3 == 0 ? wk_volumeObb : wk_volumeAabb);
        meshSet set = closedSet(mesh);
        wkRng rng = wkMakeRng(71u + (uint64_t)i);
        for (int k = 0; k < 400; ++k) {
            wkVec3d p = drawInLine(&rng, &set);
            double winding = windingBySum(&set, p);
            wkShape solid = wkMakeMesh(mesh);
            double distance = wkShape_ClosestPoint(&solid, wkIdentityPose(), p, INFINITY).distance;
            if (fabs(distance) > 1e-9 && isInBounds(mesh, p)) {
                ++count;
                insideCount += rint(winding) != 0.0;
                doubtCount += checkRays(mesh, p, (int32_t)rint(winding));
                assert_int_equal(wkMeshContains(mesh, p), rint(winding) != 0.0);
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&given);
        freeSet(&set);
    }
    print_message("%d of %d inside, %d rays in doubt\n", insideCount, count, doubtCount);
    assert_true(insideCount > 500 && insideCount < count - 500);
    assert_int_equal(doubtCount, 0);
}

// All of a lattice and the points between: rays along edges, through vertices and along diagonals.
static void latticesAreSolid(void** state)
{
    (void)state;
    static const int32_t sizes[] = {1, 2, 8, 10};
    for (int i = 0; i < 4; ++i) {
        int32_t size = sizes[i], count = 2 * size + 1;
        for (int isTwo = 0; isTwo < 2; ++isTwo) {
            // a second one at the same place counts twice
            meshSet set = isTwo ? joinSets(latticeSet(size), latticeSet(size)) : latticeSet(size);
            wkMesh* mesh = makeSolid(&set, wk_volumeAabb);
            assert_true(wkMesh_Info(mesh).isClosed);
            for (int32_t k = 0; k < count * count * count; ++k) {
                int32_t x = k % count, y = k / count % count, z = k / count / count;
                wkVec3d p =
                    wkVec((double)x / size - 1.0, (double)y / size - 1.0, (double)z / size - 1.0);
                if (wkMaxAbs(p) < 1.0) {
                    assert_int_equal(checkRays(mesh, p, isTwo ? 2 : 1), 0);
                    assert_true(wkMeshContains(mesh, p));
                }
            }
            wkMesh_Destroy(mesh);
            freeSet(&set);
        }
    }
}

// Left of, on and right of an edge, by less than rounding in plain arithmetic can tell.
static void sidesAreExact(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(17);
    for (int k = 0; k < 1000; ++k) {
        // a third of the way from one end to the other, every other time at the origin: there the
        // step aside is lost in any difference
        double way[2] = {rint(wkRngRange(&rng, 1.0, 3e7)), rint(wkRngRange(&rng, -3e7, 3e7))};
        double middle[2] = {0.0, 0.0}, step = ldexp(1.0, k % 2 == 0 ? -20 : -60);
        for (int i = 0; i < 2 && k % 2 == 0; ++i) {
            middle[i] = rint(wkRngRange(&rng, -3e7, 3e7));
        }
        double scale = ldexp(1.0, (int)wkRngBelow(&rng, 60) - 50);
        double left[2], right[2];
        for (int i = 0; i < 2; ++i) {
            left[i] = scale * (middle[i] - way[i]);
            right[i] = scale * (middle[i] + 2.0 * way[i]);
        }
        for (int side = -1; side <= 1; ++side) {
            double point[2] = {scale * middle[0], scale * (middle[1] + side * step)};
            bool isDoubtful = false;
            assert_int_equal(wkExactSide(left, right, point, &isDoubtful), side);
            assert_false(isDoubtful);
        }
    }
    bool isDoubtful = false;
    double small[3][2] = {{1e-170, 1e-170}, {-1e-170, 1e-170}, {1e-171, 3e-171}};
    wkExactSide(small[0], small[1], small[2], &isDoubtful);
    assert_false(isDoubtful);
    double mixed[3][2] = {{1.0, 1.0}, {1.0, 1.0}, {1e-170, 1e-171}};
    wkExactSide(mixed[0], mixed[1], mixed[2], &isDoubtful);
    assert_true(isDoubtful);
}

static void scaleAndPositionDoNotMatter(void** state)
{
    (void)state;
    static const double scales[] = {1e-140, 1e-20, 1e-3, 1.0, 1e7, 4e14};
    for (int i = 0; i < (int)(sizeof scales / sizeof *scales); ++i) {
        meshSet set = torusSet(16);
        moveSet(&set, scales[i], wkVec(0.5 * scales[i], 0.0, -scales[i]));
        wkMesh* mesh = makeSolid(&set, wk_volumeAabb);
        wkRng rng = wkMakeRng(5);
        for (int k = 0; k < 200; ++k) {
            wkVec3d p = wkScale(wkRngRange(&rng, 0.0, 1.6), wkRngDirection(&rng));
            double ring = sqrt(p.x * p.x + p.y * p.y) - 1.0, depth = sqrt(ring * ring + p.z * p.z);
            wkVec3d position = wkMulAdd(wkVec(0.5 * scales[i], 0.0, -scales[i]), scales[i], p);
            if (depth < 0.3 || depth > 0.36) {
                assert_int_equal(wkMeshContains(mesh, position), depth < 0.3);
            }
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
    }
}

static void surfacesAndEmptySolidsContainNothing(void** state)
{
    (void)state;
    meshSet cube = cubeSet(0), empty = emptySet(0);
    wkMeshDef def = defOfSet(&cube);
    wkMesh* surface = createMesh(&def);
    wkMesh* nothing = makeSolid(&empty, wk_volumeAabb);
    wkVec3d points[] = {{0.0, 0.0, 0.0}, {0.5, 0.5, 0.5}, {NAN, 0.0, 0.0}, {INFINITY, 0.0, 0.0}};
    for (int i = 0; i < 4; ++i) {
        assert_false(wkMeshContains(surface, points[i]));
        assert_false(wkMeshContains(nothing, points[i]));
    }
    wkMesh_Destroy(surface);
    wkMesh_Destroy(nothing);
    freeSet(&cube);
    freeSet(&empty);
}

// Above, on and below the plane of a triangle, by less than rounding in plain arithmetic can tell.
static void heightsAreExact(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(23);
    for (int k = 0; k < 1000; ++k) {
        double scale = ldexp(1.0, (int)wkRngBelow(&rng, 900) - 450);
        double faceVertices[3][3], point[3];
        for (int i = 0; i < 9; ++i) {
            faceVertices[i / 3][i % 3] = rint(wkRngRange(&rng, -3e7, 3e7));
        }
        for (int side = -1; side <= 1; ++side) {
            // the mean of vertices whose coordinates are multiples of 3, and a step aside
            wkColumn column = {.u = 0, .v = 1, .w = 2, .isUpward = true};
            for (int i = 0; i < 3; ++i) {
                point[i] = faceVertices[0][i] + faceVertices[1][i] + faceVertices[2][i];
                column.point[i] = scale * (point[i] + (i == 2 ? side * ldexp(1.0, -24) : 0.0));
            }
            double scaled[3][3];
            for (int i = 0; i < 9; ++i) {
                scaled[i / 3][i % 3] = 3.0 * scale * faceVertices[i / 3][i % 3];
            }
            const double* a = faceVertices[0];
            const double *b = faceVertices[1], *c = faceVertices[2];
            double facing = (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
            bool isDoubtful = false;
            int found = wkExactHeight(&column, scaled[0], scaled[1], scaled[2], &isDoubtful);
            assert_int_equal(found, facing > 0.0 ? -side : facing < 0.0 ? side : 0);
            assert_false(isDoubtful);
        }
    }
}

static void hostileSolidsAnswerTheSum(void** state)
{
    (void)state;
    for (int i = 0; i < MESH_SET_COUNT; ++i) {
        meshSet set = meshSets[i].make(20);
        wkMesh* mesh = makeSolid(&set, wk_volumeAabb);
        meshSet closed = closedSet(mesh);
        wkRng rng = wkMakeRng(3);
        for (int k = 0; k < 100 && set.triangleCount > 0; ++k) {
            checkPoint(meshSets[i].name, mesh, &closed, drawPoint(&rng, &set));
        }
        wkMesh_Destroy(mesh);
        freeSet(&set);
        freeSet(&closed);
    }
}

static void refittedSolidsAreThoseBuiltAnew(void** state)
{
    (void)state;
    meshSet set = ordinarySet(24), moved = ordinarySet(24);
    for (int32_t i = 0; i < set.vertexCount; ++i) {
        wkVec3d v = moved.vertices[i];
        moved.vertices[i] = wkVec(1.7 * v.x + 0.3 * v.z * v.z, v.y, 0.6 * v.z);
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = true;
    wkMeshBuilder* builder;
    assert_int_equal(wkMeshBuilder_Create(&def, &builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginModel(builder, 0, 0), wk_ok);
    assert_int_equal(wkMeshBuilder_AddPart(builder, set.vertices, set.vertexCount, set.triangles,
                                           set.triangleCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_EndModel(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_BeginReplace(builder), wk_ok);
    assert_int_equal(wkMeshBuilder_ReplaceVertices(builder, 0, moved.vertices, moved.vertexCount),
                     wk_ok);
    assert_int_equal(wkMeshBuilder_EndReplace(builder, false), wk_ok);
    wkRng rng = wkMakeRng(9);
    for (int k = 0; k < 400; ++k) {
        wkVec3d p = drawPoint(&rng, &moved);
        double winding = fabs(windingBySum(&moved, p));
        assert_true(fabs(winding - 0.5) < 1e-9 ||
                    wkMeshContains(wkMeshBuilder_Mesh(builder), p) == (winding > 0.5));
    }
    wkMeshBuilder_Destroy(builder);
    freeSet(&set);
    freeSet(&moved);
}

static void solidsStayBelow64BytesATriangle(void** state)
{
    (void)state;
    meshSet set = ordinarySet(72);
    wkMesh* mesh = makeSolid(&set, wk_volumeAabb);
    wkMeshInfo info = wkMesh_Info(mesh);
    double own = (double)info.byteCount - 24.0 * info.vertexCount - 12.0 * info.triangleCount;
    print_message("%.1f bytes a triangle\n", own / info.triangleCount);
    assert_true(own < 64.0 * info.triangleCount);
    wkMesh_Destroy(mesh);
    freeSet(&set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(containmentIsWhatTheSumSays),
        cmocka_unit_test(raysThroughVerticesAndEdgesCountOnce),
        cmocka_unit_test(latticesAreSolid),
        cmocka_unit_test(sidesAreExact),
        cmocka_unit_test(heightsAreExact),
        cmocka_unit_test(scaleAndPositionDoNotMatter),
        cmocka_unit_test(surfacesAndEmptySolidsContainNothing),
        cmocka_unit_test(hostileSolidsAnswerTheSum),
        cmocka_unit_test(refittedSolidsAreThoseBuiltAnew),
        cmocka_unit_test(solidsStayBelow64BytesATriangle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
