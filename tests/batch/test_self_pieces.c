// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Convex pieces of parts: they contain all of their bodies, hollows of meshes included, and where the kernels
// separate them the bodies do not touch, with every instruction set alike.

#include "arm_kit.h"
#include "base/random.h"
#include "batch/batch_kernel.h"
#include "math/vec.h"
#include "whisker/hull.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(20000)
#define POINT_COUNT WK_CASES(4000)
#define FRAME_SLACK 1e-5 // rounding of vertices to floats

// A clasp: a solid that is not convex, with arms that its hull spans.
static wkMesh* makeClasp(void)
{
    static const double outline[8][2] = {{0.0, 0.0},   {0.3, 0.0},   {0.3, 0.2},   {0.24, 0.2},
                                         {0.24, 0.06}, {0.06, 0.06}, {0.06, 0.15}, {0.0, 0.15}};
    static const int32_t caps[6][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4},
                                       {0, 4, 5}, {0, 5, 6}, {0, 6, 7}};
    wkVec3d points[16];
    int32_t vertices[28][3];
    for (int i = 0; i < 16; i++) {
        points[i] = wkVec(outline[i % 8][0] - 0.15, i < 8 ? -0.04 : 0.04, outline[i % 8][1]);
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) {
            vertices[i][k] = caps[i][k];
            vertices[6 + i][k] = caps[i][2 - k] + 8;
        }
    }
    for (int i = 0; i < 8; i++) {
        int32_t next = (i + 1) % 8, sides[2][3] = {{i, i + 8, next + 8}, {i, next + 8, next}};
        memcpy(vertices[12 + 2 * i], sides, sizeof sides);
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = points;
    def.vertexCount = 16;
    def.triangles = &vertices[0][0];
    def.triangleCount = 28;
    def.isSolid = true;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    assert_true(wkMesh_Info(mesh).isClosed && !wkMesh_Info(mesh).isConvex);
    return mesh;
}

// With a shape of every kind.
static wkRobot* makeArm(const wkMesh* mesh)
{
    wkJointDef joints[3];
    wkFillArmJoints(0.15, joints);
    wkBodyDef bodies[] = {
        {"base", NULL, wkMakeMesh(mesh), wkMakePose(0.0, 0.0, -0.1)},
        {"base", NULL, wkMakeCapsule(0.03, 0.1), wkMakePose(0.0, 0.1, 0.15)},
        {"upper", NULL, wkMakeCylinder(0.03, 0.1), wkMakePose(0.08, 0.0, 0.0)},
        {"upper", NULL, wkMakeEllipsoid(0.02, 0.03, 0.04), wkMakePose(0.05, 0.05, 0.0)},
        {"fore", NULL, wkMakeBox(0.03, 0.02, 0.06), wkMakePose(0.05, 0.0, 0.0)},
        {"fore", NULL, wkMakeSphere(0.02), wkMakePose(0.02, 0.0, 0.03)},
        {"hand", NULL, wkMakeMesh(mesh), wkMakePose(0.2, 0.0, 0.02)},
    };
    return wkMakeArm(joints, bodies, 7);
}

// Distance of a point from the nearest piece of a part, in the frame of the program.
static double distanceFrom(const wkPartPieces* pieces, wkHull* const* hulls, wkVec3d point)
{
    double least = INFINITY;
    for (int32_t i = 0; i < pieces->count; i++) {
        wkShape hull = wkMakeHull(hulls[i]);
        double distance = wkShape_PointDistance(&hull, wkIdentityPose(), point);
        least = fmin(least, distance - (double)pieces->pieces[i].inflation);
    }
    return least;
}

static void makeHulls(const wkPartPieces* pieces, wkHull** hulls)
{
    for (int32_t i = 0; i < pieces->count; i++) {
        const wkConvexPiece* piece = &pieces->pieces[i];
        wkVec3d points[512];
        int32_t count = piece->end - piece->first;
        assert_true(count > 0 && count <= 512);
        for (int32_t k = 0; k < count; k++) {
            int32_t at = piece->first + k;
            points[k] = wkVec((double)pieces->x[at], (double)pieces->y[at], (double)pieces->z[at]);
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
    wkMesh* mesh = makeClasp();
    wkRobot* robot = makeArm(mesh);
    armCase c = openArm(robot, 0.01, 0.0);
    wkBatch* batch = wkCreateBatch(&c.def);
    for (int32_t part = 0; part < batch->program->partCount; part++) {
        wkPartPieces* pieces = NULL;
        wkHull* hulls[WK_PART_PIECES] = {NULL};
        assert_int_equal(wkPartPieces_Create(batch, part, &pieces), wk_ok);
        assert_non_null(pieces);
        makeHulls(pieces, hulls);
        wkPartBodies bodies = batch->partBodies[part];
        for (int32_t i = bodies.first; i < bodies.end; i++) {
            const wkCollisionBody* body = &c.scene->bodySet->bodySet->bodies[i];
            assert_true(checkBody(batch, part, body, pieces, hulls) > POINT_COUNT / 10);
        }
        for (int32_t i = 0; i < pieces->count; i++) {
            wkHull_Destroy(hulls[i]);
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

// Makes pieces decide about all pairs, without maps.
static void usePieces(wkBatch* batch)
{
    wkSelfTables* tables = batch->selfTables;
    for (int32_t i = 0; i < batch->program->partCount; i++) {
        if (tables->pieces[i] == NULL) {
            assert_int_equal(wkPartPieces_Create(batch, i, &tables->pieces[i]), wk_ok);
            assert_non_null(tables->pieces[i]);
        }
    }
    for (int32_t i = 0; i < batch->program->pairCount; i++) {
        tables->usesPieces[i] = true;
        tables->mapOfPair[i] = -1;
        batch->hasBodyPair[i] = true;
    }
    for (int32_t i = 0; i < tables->mapCount; i++) {
        wkSelfMap_Destroy(tables->maps[i]);
    }
    tables->mapCount = 0;
}

static void checkSeparation(const wkMesh* mesh, double padding, double margin)
{
    wkRobot* robot = makeArm(mesh);
    armCase c = openArm(robot, padding, margin);
    wkBatch* batch = wkCreateBatch(&c.def);
    usePieces(batch);
    double* rows = wkRandomRows(robot, 7, STATE_COUNT);
    uint8_t* verdicts[2] = {(uint8_t*)calloc(STATE_COUNT, 1), (uint8_t*)calloc(STATE_COUNT, 1)};
    assert_true(verdicts[0] != NULL && verdicts[1] != NULL);
    int freeCount = 0, lostCount = 0;
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts[0]), wk_ok);
    wkBatch_UseLanes(batch, wkBatchKernelsOf(wk_isaScalar));
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts[1]), wk_ok);
    assert_memory_equal(verdicts[0], verdicts[1], STATE_COUNT);
    for (int i = 0; i < STATE_COUNT; i++) {
        wkRobotRequest request = wkDefaultRobotRequest();
        request.margin = margin;
        assert_int_equal(wkRobotState_Set(c.state, wkIdentityPose(), rows + (ptrdiff_t)i * 3),
                         wk_ok);
        bool isFree = wkRobotScene_Check(c.scene, c.state, &request).verdict == wk_verdictFree;
        bool isCalledFree = verdicts[0][i] == wk_verdictFree;
        assert_true(isFree || !isCalledFree);
        freeCount += isFree ? 1 : 0;
        lostCount += isFree && !isCalledFree ? 1 : 0;
    }
    print_message("padding %g, margin %g: %d of %d free, %d lost\n", padding, margin, freeCount,
                  STATE_COUNT, lostCount);
    assert_true(freeCount > STATE_COUNT / 20 && lostCount <= freeCount / 10);
    free(verdicts[0]);
    free(verdicts[1]);
    free(rows);
    wkBatch_Destroy(batch);
    closeArm(&c);
    wkRobot_Destroy(robot);
}

static void pieces_that_are_separated_do_not_touch(void** state)
{
    (void)state;
    wkMesh* mesh = makeClasp();
    checkSeparation(mesh, 0.0, 0.0);
    checkSeparation(mesh, 0.01, 0.005);
    wkMesh_Destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_contain_bodies),
        cmocka_unit_test(pieces_that_are_separated_do_not_touch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
