// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bodies in front of a map: none with a cell in reach is left out, whatever its size, wherever it is
// and whichever instruction set looks; most of the others are.

#include "query/map/map_candidates.h"
#include "query/map/map_query.h"
#include "scenes/maps.h"
#include "tree/bvh/tree_shape.h"
#include "unit_kit.h"
#include "whisker/mesh.h"
#include "whisker/query.h"

#define ROUND_COUNT 60
#define SINGLE_CELL 1 // the kind of map

// Bodies of all bounded shapes, and a mesh.
typedef struct crowd {
    wkShapeBank bank;
    wkMesh* mesh;
    wkShape shapes[WK_CANDIDATE_BODIES];
    wkPose poses[WK_CANDIDATE_BODIES];
    wkCandidateBody bodies[WK_CANDIDATE_BODIES];
} crowd;

static wkMesh* makeMesh(void)
{
    static const wkVec3d faceVertices[] = {
        {-0.4, -0.1, -0.2}, {0.5, 0.0, -0.1}, {0.1, 0.3, 0.0}, {0.0, 0.1, 0.6}};
    static const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = faceVertices;
    def.vertexCount = 4;
    def.triangles = triangles;
    def.triangleCount = 4;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static wkPose randomPose(wkRng* rng, wkVec3d about, double reach)
{
    wkPose pose = {wkMulAdd(about, reach * wkRngUnit(rng), wkRngDirection(rng)),
                   wkRngRotation(rng)};
    pose.rotation = wkRngChance(rng, 4) ? (wkQuat){0.0, 0.0, 0.0, 1.0} : pose.rotation;
    return pose;
}

static wkShape randomBody(wkRng* rng, const crowd* c, double size)
{
    wkShapeType type = (wkShapeType)(1 + wkRngBelow(rng, WK_SCENE_TYPE_COUNT));
    wkShape shape = wkRngChance(rng, 8) ? wkMakeMesh(c->mesh)
                                        : wkStretchedShape(rng, &c->bank, type, size, 20.0);
    shape.padding = wkRngChance(rng, 4) ? wkRngRange(rng, 0.0, 0.1) : 0.0;
    return shape;
}

static void fillCrowd(crowd* c, wkRng* rng, wkVec3d about, double size)
{
    for (int i = 0; i < WK_CANDIDATE_BODIES; ++i) {
        c->shapes[i] = randomBody(rng, c, size);
        c->poses[i] = randomPose(rng, about, 4.0);
        c->bodies[i] = (wkCandidateBody){&c->shapes[i], &c->poses[i],
                                         wkShape_Bounds(&c->shapes[i], c->poses[i])};
    }
}

typedef struct tally {
    int nearCount;
    int farCount;
    int leftOutCount;
} tally;

static void compareCrowd(const crowd* c, const wkShape* map, wkPose pose, double reach,
                         tally* counts)
{
    wkMapCandidates near;
    wkMapCandidates_Init(&near, map, &pose);
    unsigned found = wkMapCandidates_Bodies(&near, c->bodies, WK_CANDIDATE_BODIES, reach);
    assert_int_equal(found >> WK_CANDIDATE_BODIES, 0);
    for (int i = 0; i < WK_CANDIDATE_BODIES; ++i) {
        wkDistanceRequest request = wkDefaultDistanceRequest();
        request.isSigned = false;
        bool isNear = wkDistance(&c->shapes[i], c->poses[i], map, pose, &request).distance <= reach;
        bool isFound = (found >> i & 1u) != 0;
        if (isNear && !isFound) {
            fail_msg("body %d of type %d was left out, at a reach of %g", i, c->shapes[i].type,
                     reach);
        }
        counts->nearCount += isNear ? 1 : 0;
        counts->farCount += isNear ? 0 : 1;
        counts->leftOutCount += isFound ? 0 : 1;
    }
}

static void bodies_with_a_cell_in_reach_are_never_left_out(void** state)
{
    (void)state;
    static const double scales[] = {1e-3, 1.0, 300.0}; // how far from the origin of the world
    wkRng rng = wkMakeRng(UNIT_SEED);
    crowd c;
    wkShapeBank_Create(&c.bank, UNIT_SEED);
    c.mesh = makeMesh();
    tally counts = {0, 0, 0};
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; ++kind) {
        for (int round = 0; round < ROUND_COUNT; ++round) {
            wkOctree* octree = wkMakeMap(kind, 0.1, wkRngNext(&rng));
            assert_non_null(octree);
            wkShape map = wkMakeOctree(octree);
            map.rounding = wkRngChance(&rng, 4) ? 0.05 : 0.0;
            map.map.occupiedProbability = wkRngChance(&rng, 4) ? 0.6 : 0.0;
            wkPose pose = randomPose(&rng, wkVec(0.0, 0.0, 0.0), scales[round % 3]);
            fillCrowd(&c, &rng, pose.position, wkRngLogRange(&rng, 1e-3, 2.0));
            double reach = wkRngChance(&rng, 3) ? 0.0 : wkRngLogRange(&rng, 1e-6, 3.0);
            compareCrowd(&c, &map, pose, reach, &counts);
            wkOctree_Destroy(octree);
        }
    }
    wkMesh_Destroy(c.mesh);
    wkShapeBank_Destroy(&c.bank);
    assert_true(counts.nearCount > 200);
    // boxes are larger than what is in them, and some bodies are among too many cells to tell
    assert_true(counts.leftOutCount > counts.farCount / 2);
}

// A sphere is told apart from a single cell to the digits that bounds have.
static void verdicts_on_spheres_change_at_their_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    int leftOutCount = 0;
    for (int i = 0; i < 300; ++i) {
        double size = wkRngLogRange(&rng, 1e-2, 10.0);
        wkOctree* octree = wkMakeMap(SINGLE_CELL, size, wkRngNext(&rng));
        assert_non_null(octree);
        wkShape map = wkMakeOctree(octree), sphere = wkMakeSphere(wkRngLogRange(&rng, 1e-3, 1.0));
        wkPose mapPose = randomPose(&rng, wkVec(0.0, 0.0, 0.0), 5.0);
        wkMapCandidates near;
        wkMapCandidates_Init(&near, &map, &mapPose);
        // more than once, as only later searches begin at the doors of the map
        for (int again = 0; again < 3; ++again) {
            wkPose pose = randomPose(&rng, mapPose.position, 20.0 * size);
            wkCandidateBody body = {&sphere, &pose, wkShape_Bounds(&sphere, pose)};
            double distance = wkPositive(wkDistance(&sphere, pose, &map, mapPose, NULL).distance);
            double less = distance - 1e-4 * (distance + size + 1.0);
            assert_int_equal(wkMapCandidates_Bodies(&near, &body, 1, distance), 1);
            assert_int_equal(wkMapCandidates_Bodies(&near, &body, 1, INFINITY), 1);
            if (less > 0.0) {
                assert_int_equal(wkMapCandidates_Bodies(&near, &body, 1, less), 0);
                ++leftOutCount;
            }
        }
        wkOctree_Destroy(octree);
    }
    assert_true(leftOutCount > 500);
}

static void every_instruction_set_lists_the_same_cells(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    int listedCount = 0, nearCount = 0;
    for (int round = 0; round < 400; ++round) {
        wkOctree* octree = wkMakeMap(round % WK_MAP_KIND_COUNT, 0.1, wkRngNext(&rng));
        assert_non_null(octree);
        wkShape map = wkMakeOctree(octree);
        wkMapView view = wkViewOfMap(&map);
        wkCandidateBox boxes[WK_CANDIDATE_BODIES];
        for (int i = 0; i < WK_CANDIDATE_BODIES; ++i) {
            double half = wkRngLogRange(&rng, 1e-2, 1.0);
            boxes[i] = (wkCandidateBox){randomPose(&rng, wkVec(0.0, 0.0, 0.0), 2.0).position,
                                        wkVec(half, half, 0.5 * half)};
        }
        wkMat3d axes = wkMatFromQuat(wkRngRotation(&rng));
        wkMapBody body = {.axes = &axes, .half = wkVec(0.1, 0.2, 0.1)};
        wkCandidateCells first[WK_CANDIDATE_BODIES], other[WK_CANDIDATE_BODIES];
        wkMapCandidateKernelsOf(wk_isaScalar)->listCells(&view, boxes, WK_CANDIDATE_BODIES, first);
        for (int isa = wk_isaScalar + 1; isa < wk_isaCount; ++isa) {
            const wkMapCandidateKernels* lanes = wkMapCandidateKernelsOf((wkIsa)isa);
            if (lanes == NULL) {
                continue;
            }
            lanes->listCells(&view, boxes, WK_CANDIDATE_BODIES, other);
            for (int i = 0; i < WK_CANDIDATE_BODIES; ++i) {
                size_t byteCount = sizeof(float) * (size_t)first[i].count;
                assert_int_equal(other[i].count, first[i].count);
                assert_int_equal(other[i].isFull, first[i].isFull);
                for (int k = 0; k < 3; ++k) {
                    assert_memory_equal(other[i].center[k], first[i].center[k], byteCount);
                }
                assert_memory_equal(other[i].half, first[i].half, byteCount);
                bool isNear =
                    wkMapCandidateKernelsOf(wk_isaScalar)->isAnyNear(&first[i], &body, 0.05);
                assert_int_equal(lanes->isAnyNear(&other[i], &body, 0.05), isNear);
            }
        }
        for (int i = 0; i < WK_CANDIDATE_BODIES; ++i) {
            listedCount += first[i].count;
            nearCount +=
                wkMapCandidateKernelsOf(wk_isaScalar)->isAnyNear(&first[i], &body, 0.05) ? 1 : 0;
        }
        wkOctree_Destroy(octree);
    }
    assert_true(listedCount > 1000 && nearCount > 100);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bodies_with_a_cell_in_reach_are_never_left_out),
        cmocka_unit_test(verdicts_on_spheres_change_at_their_distance),
        cmocka_unit_test(every_instruction_set_lists_the_same_cells),
    };
    return cmocka_run_group_tests_name("near_bodies", tests, NULL, NULL);
}
