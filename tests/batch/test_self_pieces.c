// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Convex pieces of parts: they contain all of their bodies, hollows of meshes included. Where the kernels separate
// them the bodies do not touch, with every instruction set alike, and where they are apart the kernels find it
// out. Spheres inside bodies and the order of pairs change no verdict.

#include "base/random.h"
#include "batch/self_piece_boxes.h"
#include "math/vec.h"
#include "pieces_kit.h"
#include "whisker/hull.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(20000)
#define POINT_COUNT WK_CASES(4000)
#define FRAME_SLACK 1e-5 // rounding of vertices to floats

// Distance of a point from the nearest piece of a part, in the frame of the program.
static double distanceFrom(const wkPartPieces* pieces, wkHull* const* hulls, wkVec3d point)
{
    double least = INFINITY;
    for (int32_t i = 0; i < pieces->count; i++) {
        wkShape hull = wkMakeHull(hulls[i]);
        double distance = wkShape_PointDistance(&hull, wkIdentityPose(), point);
        least = fmin(least, distance - (double)wkConvexPieces(pieces)[i].inflation);
    }
    return least;
}

static void makeHulls(const wkPartPieces* pieces, wkHull** hulls)
{
    for (int32_t i = 0; i < pieces->count; i++) {
        const wkConvexPiece* piece = &wkConvexPieces(pieces)[i];
        wkVec3d points[512];
        int32_t count = piece->end - piece->first;
        assert_true(count > 0 && count <= 512);
        for (int32_t k = 0; k < count; k++) {
            int32_t at = piece->first + k;
            points[k] = wkVec((double)wkPieceVertices(pieces, 0)[at],
                              (double)wkPieceVertices(pieces, 1)[at],
                              (double)wkPieceVertices(pieces, 2)[at]);
        }
        wkHullDef def = wkDefaultHullDef();
        def.points = points;
        def.pointCount = count;
        assert_int_equal(wkHull_Create(&def, &hulls[i]), wk_ok);
    }
}

// Points in a body, and on its surface, are in some piece.
static int checkBody(const wkBatch* batch, int32_t part, const wkCollisionBody* body,
                     const wkPartPieces* pieces, wkHull* const* hulls)
{
    const wkFramePlacement* placement =
        &batch->program->placements[batch->program->parts[part].rigidGroup];
    uint64_t seed = 3;
    int insideCount = 0;
    for (int i = 0; i < POINT_COUNT; i++) {
        double x = wkNextShare(&seed), y = wkNextShare(&seed), z = wkNextShare(&seed);
        wkVec3d share = wkVec(2.0 * x - 1.0, 2.0 * y - 1.0, 2.0 * z - 1.0);
        wkVec3d point =
            wkTransformPoint(body->inRigidGroup, wkAdd(body->middle, wkMulVec(share, body->half)));
        wkPointResult closest =
            wkShape_ClosestPoint(&body->shape, body->inRigidGroup, point, INFINITY);
        wkVec3d tested[2] = {closest.point, point}, local;
        for (int k = 0; k < (closest.distance <= 0.0 ? 2 : 1); k++) {
            wkPlaceInProgram(placement, tested[k], &local);
            assert_true(distanceFrom(pieces, hulls, local) <= FRAME_SLACK);
        }
        insideCount += closest.distance <= 0.0 ? 1 : 0;
    }
    return insideCount;
}

static void pieces_contain_bodies(void** state)
{
    (void)state;
    wkMesh* mesh = wkMakeClasp();
    wkRobot* robot = wkMakeClaspArm(mesh);
    armCase c = openArm(robot, 0.01, 0.0);
    wkBatch* batch = wkCreateBatch(&c.def);
    for (int32_t i = 0; i < WK_PIECE_LEVELS * batch->program->partCount; i++) {
        int32_t part = i / WK_PIECE_LEVELS;
        wkPieceLevel level = (wkPieceLevel)(i % WK_PIECE_LEVELS);
        wkPartPieces* pieces = NULL;
        wkHull* hulls[WK_PART_PIECES] = {NULL};
        assert_int_equal(wkPartPieces_Create(batch, part, level, &pieces), wk_ok);
        assert_non_null(pieces);
        makeHulls(pieces, hulls);
        wkPartBodies bodies = batch->partBodies[part];
        for (int32_t k = bodies.first; k < bodies.end; k++) {
            const wkCollisionBody* body = &c.scene->bodySet->bodySet->bodies[k];
            assert_true(checkBody(batch, part, body, pieces, hulls) > POINT_COUNT / 10);
        }
        assert_true(level != wk_piecesWhole || pieces->count == bodies.end - bodies.first);
        for (int32_t k = 0; k < pieces->count; k++) {
            wkHull_Destroy(hulls[k]);
        }
        print_message("part %d: %d pieces, %d vertices\n", (int)part, (int)pieces->count,
                      (int)pieces->vertexCount);
        wkPartPieces_Destroy(pieces);
    }
    wkBatch_Destroy(batch);
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
}

// Checks rows with both instruction sets, with and without inner spheres, and in two orders of pairs.
static void checkAlike(wkBatch* batch, const double* rows, uint8_t* verdicts)
{
    wkSelfTables* tables = batch->selfTables;
    int32_t liveCount = batch->contacts->liveCount, innerCount = 0;
    uint8_t* others = (uint8_t*)calloc(STATE_COUNT, 1);
    assert_non_null(others);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts), wk_ok);
    assert_int_equal(wkChooseInnerPairs(batch), wk_ok);
    for (int32_t i = 0; i < liveCount / 2; i++) {
        int32_t pair = tables->order[i];
        tables->order[i] = tables->order[liveCount - 1 - i];
        tables->order[liveCount - 1 - i] = pair;
    }
    wkBundlePairs(batch);
    for (int32_t i = 0; i < batch->program->pairCount; i++) {
        innerCount += tables->inner[i].count;
    }
    assert_true(innerCount > 0);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, others), wk_ok);
    assert_memory_equal(verdicts, others, STATE_COUNT);
    wkBatch_UseLanes(batch, wkBatchKernelsOf(wk_isaScalar));
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, others), wk_ok);
    assert_memory_equal(verdicts, others, STATE_COUNT);
    free(others);
}

static void checkSeparation(const wkMesh* mesh, int detail, double padding, double margin)
{
    wkRobot* robot = wkMakeClaspArm(mesh);
    armCase c = openArm(robot, padding, margin);
    wkBatch* batch = wkCreateBatch(&c.def);
    wkUsePieces(batch, detail);
    double* rows = wkRandomRows(robot, 7, STATE_COUNT);
    uint8_t* verdicts = (uint8_t*)calloc(STATE_COUNT, 1);
    assert_non_null(verdicts);
    int freeCount = 0, lostCount = 0;
    checkAlike(batch, rows, verdicts);
    for (int i = 0; i < STATE_COUNT; i++) {
        wkRobotRequest request = wkDefaultRobotRequest();
        request.margin = margin;
        assert_int_equal(wkRobotState_Set(c.state, wkIdentityPose(), rows + (ptrdiff_t)i * 3),
                         wk_ok);
        bool isFree = wkRobotScene_Check(c.scene, c.state, &request).verdict == wk_verdictFree;
        bool isCalledFree = verdicts[i] == wk_verdictFree;
        assert_true(isFree || !isCalledFree);
        freeCount += isFree ? 1 : 0;
        lostCount += isFree && !isCalledFree ? 1 : 0;
    }
    print_message("detail %d, padding %g, margin %g: %d of %d free, %d lost\n", detail, padding,
                  margin, freeCount, STATE_COUNT, lostCount);
    assert_true(freeCount > STATE_COUNT / 20);
    assert_true(detail != WK_DETAIL_DIVIDED || lostCount <= freeCount / 25);
    assert_true(detail != WK_DETAIL_TIGHT || lostCount <= freeCount / 100);
    free(verdicts);
    free(rows);
    wkBatch_Destroy(batch);
    closeArm(&c);
    wkRobot_Destroy(robot);
}

static void pieces_that_are_separated_do_not_touch(void** state)
{
    (void)state;
    wkMesh* mesh = wkMakeClasp();
    checkSeparation(mesh, WK_DETAIL_DIVIDED, 0.0, 0.0);
    checkSeparation(mesh, WK_DETAIL_DIVIDED, 0.01, 0.005);
    checkSeparation(mesh, WK_DETAIL_TIGHT, 0.0, 0.0);
    checkSeparation(mesh, WK_DETAIL_TIGHT, 0.01, 0.005);
    checkSeparation(mesh, WK_PIECE_DETAIL(wk_piecesDivided, wk_piecesWhole), 0.0, 0.0);
    checkSeparation(mesh, WK_PIECE_DETAIL(wk_piecesWhole, wk_piecesDivided), 0.0, 0.01);
    checkSeparation(mesh, 0, 0.0, 0.0);
    wkMesh_Destroy(mesh);
}

// Hulls of pieces in the frame of their rigid group.
typedef struct groupHulls {
    const wkPartPieces* pieces;
    int32_t rigidGroup;
    wkHull* hulls[WK_PART_PIECES];
} groupHulls;

static groupHulls makeGroupHulls(const wkBatch* batch, int32_t part)
{
    groupHulls made = {.pieces =
                           batch->selfTables->pieces[WK_PIECE_LEVELS * part + wk_piecesDivided],
                       .rigidGroup = batch->program->parts[part].rigidGroup};
    const wkFramePlacement* placement = &batch->program->placements[made.rigidGroup];
    for (int32_t i = 0; i < made.pieces->count; i++) {
        const wkConvexPiece* piece = &wkConvexPieces(made.pieces)[i];
        wkVec3d points[512];
        for (int32_t k = piece->first; k < piece->end; k++) {
            wkVec3d point = wkMulAdd(placement->origin, (double)wkPieceVertices(made.pieces, 0)[k],
                                     placement->axes.x);
            point = wkMulAdd(point, (double)wkPieceVertices(made.pieces, 1)[k], placement->axes.y);
            points[k - piece->first] =
                wkMulAdd(point, (double)wkPieceVertices(made.pieces, 2)[k], placement->axes.z);
        }
        wkHullDef def = wkDefaultHullDef();
        def.points = points;
        def.pointCount = piece->end - piece->first;
        assert_int_equal(wkHull_Create(&def, &made.hulls[i]), wk_ok);
    }
    return made;
}

// How far the pieces of two parts are apart beyond their inflation.
static double gapOf(const groupHulls* a, const groupHulls* b, const wkPose* poses)
{
    double least = INFINITY;
    for (int32_t i = 0; i < a->pieces->count; i++) {
        for (int32_t k = 0; k < b->pieces->count; k++) {
            wkShape shapeA = wkMakeHull(a->hulls[i]), shapeB = wkMakeHull(b->hulls[k]);
            double distance =
                wkDistance(&shapeA, poses[a->rigidGroup], &shapeB, poses[b->rigidGroup], NULL)
                    .distance;
            double inflation = (double)wkConvexPieces(a->pieces)[i].inflation +
                               (double)wkConvexPieces(b->pieces)[k].inflation;
            least = fmin(least, distance - inflation);
        }
    }
    return least;
}

// Pieces further apart than this, in metres, are separated.
#define SURE_GAP 2e-4

static void planes_are_found_where_there_are_any(void** state)
{
    (void)state;
    wkMesh* mesh = wkMakeClasp();
    wkRobot* robot = wkMakeClaspArm(mesh);
    armCase c = openArm(robot, 0.0, 0.0);
    wkBatch* batch = wkCreateBatch(&c.def);
    wkUsePieces(batch, WK_DETAIL_DIVIDED);
    double* rows = wkRandomRows(robot, 13, STATE_COUNT);
    uint8_t* verdicts = (uint8_t*)calloc(STATE_COUNT, 1);
    groupHulls hulls[8];
    wkPose poses[16];
    int missedCount = 0, touchingCount = 0;
    assert_non_null(verdicts);
    assert_true(batch->program->partCount <= 8 && batch->program->rigidGroupCount <= 16);
    for (int32_t i = 0; i < batch->program->partCount; i++) {
        hulls[i] = makeGroupHulls(batch, i);
    }
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts), wk_ok);
    for (int i = 0; i < STATE_COUNT; i++) {
        if (verdicts[i] == wk_verdictFree) {
            continue;
        }
        double least = INFINITY;
        wkPlaceRigidGroups(robot, wkIdentityPose(), rows + (ptrdiff_t)i * 3, poses);
        for (int32_t k = 0; k < batch->program->pairCount; k++) {
            wkPartPair pair = batch->program->pairs[k];
            least = fmin(least, gapOf(&hulls[pair.a], &hulls[pair.b], poses));
        }
        touchingCount++;
        missedCount += least > SURE_GAP ? 1 : 0;
    }
    print_message("%d called touching, %d of them apart\n", touchingCount, missedCount);
    assert_true(touchingCount > STATE_COUNT / 20 && missedCount <= touchingCount / 500);
    for (int32_t i = 0; i < batch->program->partCount; i++) {
        for (int32_t k = 0; k < hulls[i].pieces->count; k++) {
            wkHull_Destroy(hulls[i].hulls[k]);
        }
    }
    free(verdicts);
    free(rows);
    wkBatch_Destroy(batch);
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
}

// A bar with thick ends, around the x axis.
static wkMesh* makeDumbbell(void)
{
    static const double ends[4] = {-0.3, -0.2, 0.2, 0.3};
    wkVec3d points[24];
    int32_t triangles[44][3], count = 0;
    // rings of four vertices: thick at the ends, and both thick and thin where the bar begins
    static const int rings[6][2] = {{0, 1}, {1, 1}, {1, 0}, {2, 0}, {2, 1}, {3, 1}};
    for (int ring = 0; ring < 6; ring++) {
        double size = rings[ring][1] != 0 ? 0.06 : 0.02;
        for (int k = 0; k < 4; k++) {
            double y = k == 0 || k == 3 ? size : -size, z = k < 2 ? size : -size;
            points[4 * ring + k] = wkVec(ends[rings[ring][0]], y, z);
        }
        for (int k = 0; k < 4 && ring > 0; k++) {
            int32_t a = 4 * ring - 4 + k, b = 4 * ring - 4 + (k + 1) % 4;
            int32_t sides[2][3] = {{a, a + 4, b}, {b, a + 4, b + 4}};
            memcpy(triangles[count], sides, sizeof sides);
            count += 2;
        }
    }
    int32_t caps[4][3] = {{0, 1, 2}, {0, 2, 3}, {20, 22, 21}, {20, 23, 22}};
    memcpy(triangles[count], caps, sizeof caps);
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = points;
    def.vertexCount = 24;
    def.triangles = &triangles[0][0];
    def.triangleCount = 44;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    assert_true(wkMesh_Info(mesh).isClosed);
    return mesh;
}

// No single plane makes its boxes smaller.
static void a_dumbbell_is_divided(void** state)
{
    (void)state;
    wkMesh* mesh = makeDumbbell();
    wkRobot* robot = wkMakeClaspArm(mesh);
    armCase c = openArm(robot, 0.0, 0.0);
    const wkBodySet* set = c.scene->bodySet->bodySet;
    wkAabb boxes[WK_MESH_BOXES];
    int32_t count = wkDivideBody(&set->bodies[set->count - 1], WK_MESH_BOXES, boxes);
    assert_true(count >= 3);
    assert_int_equal(wkDivideBody(&set->bodies[set->count - 1], 1, boxes), 1);
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_contain_bodies),
        cmocka_unit_test(pieces_that_are_separated_do_not_touch),
        cmocka_unit_test(planes_are_found_where_there_are_any),
        cmocka_unit_test(a_dumbbell_is_divided),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
