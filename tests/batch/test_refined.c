// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The default exactness of batches: what it calls free is free, its verdicts do not depend on the order of
// configurations or on threads, maps prove what they say, and what bodies sweep about a joint covers them
// wherever the joint is.

#include "arm_kit.h"
#include "base/random.h"
#include "batch/batch_kernel.h"
#include "batch/self_sweep.h"
#include "math/vec.h"
#include "memory/fail_every.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(20000)
#define POINT_COUNT WK_CASES(20000)
#define REFRESH_COUNT WK_CASES(2000)

// A slanted solid: neither convex shapes of the library nor its box are near it.
static wkMesh* makeWedge(void)
{
    static const double positions[4][3] = {
        {0.0, 0.0, -0.05}, {0.08, 0.01, 0.0}, {-0.03, 0.07, 0.02}, {0.01, -0.02, 0.15}};
    static const int32_t triangles[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}};
    wkVec3d vertices[4];
    for (int i = 0; i < 4; i++) {
        vertices[i] = wkVec(positions[i][0], positions[i][1], positions[i][2]);
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = 4;
    def.triangles = &triangles[0][0];
    def.triangleCount = 4;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    assert_true(wkMesh_Info(mesh).isClosed);
    return mesh;
}

// The last joint is of the given type.
static wkRobot* makeArm(const wkMesh* mesh, wkJointType last)
{
    wkJointDef joints[3];
    wkFillArmJoints(0.12, joints);
    for (int i = 0; i < 3; i++) {
        joints[i].lower = last == wk_jointPrismatic && i == 2 ? -0.1 : -2.5;
        joints[i].upper = last == wk_jointPrismatic && i == 2 ? 0.1 : 2.8;
    }
    joints[2].type = last;
    wkBodyDef bodies[] = {
        {"base", NULL, wkMakeBox(0.16, 0.12, 0.2), wkMakePose(0.0, 0.0, -0.02)},
        {"base", NULL, wkMakeCapsule(0.03, 0.1), wkMakePose(0.0, 0.05, 0.15)},
        {"upper", NULL, wkMakeSphere(0.02), wkMakePose(0.05, 0.0, 0.0)},
        {"fore", NULL, wkMakeBox(0.03, 0.02, 0.02), wkMakePose(0.05, 0.0, 0.0)},
        {"hand", NULL, wkMakeMesh(mesh), wkMakePose(0.06, 0.0, 0.02)},
        {"hand", NULL, wkMakeBox(0.02, 0.04, 0.06), wkMakePose(0.02, 0.01, 0.0)},
    };
    return wkMakeArm(joints, bodies, 6);
}

static bool isFree(const armCase* c, const double* q)
{
    wkRobotRequest request = wkDefaultRobotRequest();
    request.margin = c->def.margin;
    assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q), wk_ok);
    return wkRobotScene_Check(c->scene, c->state, &request).verdict == wk_verdictFree;
}

static void assertApart(const armCase* c, const wkBatch* batch, int32_t pair)
{
    wkPartBodies a = batch->partBodies[batch->program->pairs[pair].a];
    wkPartBodies b = batch->partBodies[batch->program->pairs[pair].b];
    const wkBodySet* set = c->scene->bodySet->bodySet;
    for (int32_t k = a.first; k < a.end; k++) {
        for (int32_t n = b.first; n < b.end; n++) {
            wkStatus status;
            assert_false(wkIsCheckedPair(set, k, n) &&
                         wkCollideBodies(&set->bodies[k], wkBodyPose(set, c->state, k),
                                         &set->bodies[n], wkBodyPose(set, c->state, n),
                                         c->def.margin, &status));
        }
    }
}

// Where a map says apart the bodies of all its pairs are, whatever the joint does that was left out.
static int checkMaps(const armCase* c, const wkBatch* batch, const double* q)
{
    int apartCount = 0;
    assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q), wk_ok);
    for (int32_t i = 0; i < batch->program->pairCount; i++) {
        int32_t map = batch->selfTables->mapOfPair[i];
        if (map >= 0 && wkSelfMap_Find(batch->selfTables->maps[map], q) == wk_mapApart) {
            assertApart(c, batch, i);
            apartCount++;
        }
    }
    return apartCount;
}

// Values at which cells meet, at limits, and after full revolutions, off by the last bits of a float.
static void moveToCellEdge(const wkBatch* batch, uint64_t* seed, double* q)
{
    const wkSelfTables* tables = batch->selfTables;
    for (int32_t i = 0; i < tables->mapCount; i++) {
        const wkSelfMap* map = tables->maps[i];
        for (int32_t k = 0; k < map->variableCount; k++) {
            double size = 1.0 / (double)map->scale[k];
            double share = wkNextShare(seed), bits = floor(wkNextShare(seed) * 9.0) - 4.0;
            double value = (double)map->lower[k] + floor(share * (map->count + 1)) * size;
            q[map->variables[k]] = value * (1.0 + bits * 0x1p-24);
        }
    }
}

static void checkArm(wkJointType last, const wkMesh* mesh, double padding, double margin)
{
    wkRobot* robot = makeArm(mesh, last);
    armCase c = openArm(robot, padding, margin);
    wkParallel parallel = {NULL, NULL, 4};
    wkBatch* batches[2] = {NULL, wkCreateBatch(&c.def)};
    c.def.parallel = &parallel;
    batches[0] = wkCreateBatch(&c.def);
    double* rows = wkRandomRows(robot, 23, STATE_COUNT);
    uint8_t* verdicts = (uint8_t*)calloc(STATE_COUNT, 1);
    int freeCount = 0, lostCount = 0, apartCount = 0;
    uint64_t seed = 41;
    assert_non_null(verdicts);
    assert_int_equal(wkBatch_CheckStates(batches[0], NULL, rows, STATE_COUNT, verdicts), wk_ok);
    for (int i = STATE_COUNT - 1; i >= 0; i--) {
        const double* q = rows + (ptrdiff_t)i * 3;
        uint8_t again = wk_verdictUnchecked;
        assert_int_equal(wkBatch_CheckStates(batches[1], NULL, q, 1, &again), wk_ok);
        assert_int_equal(again, verdicts[i]);
        bool isTruly = isFree(&c, q);
        assert_true(isTruly || verdicts[i] != wk_verdictFree);
        freeCount += isTruly ? 1 : 0;
        lostCount += isTruly && verdicts[i] != wk_verdictFree ? 1 : 0;
        apartCount += checkMaps(&c, batches[0], q);
        double edge[3] = {q[0], q[1], q[2]};
        moveToCellEdge(batches[0], &seed, edge);
        apartCount += checkMaps(&c, batches[0], edge);
    }
    print_message("joint %d, padding %g, margin %g: %d free, %d lost; apart by maps %d\n",
                  (int)last, padding, margin, freeCount, lostCount, apartCount);
    assert_true(freeCount > STATE_COUNT / 10 && lostCount <= freeCount / 50);
    free(verdicts);
    free(rows);
    wkBatch_Destroy(batches[0]);
    wkBatch_Destroy(batches[1]);
    closeArm(&c);
    wkRobot_Destroy(robot);
}

static void free_by_default_is_free_in_any_order(void** state)
{
    (void)state;
    wkMesh* mesh = makeWedge();
    checkArm(wk_jointRevolute, mesh, 0.0, 0.0);
    checkArm(wk_jointContinuous, mesh, 0.01, 0.005);
    checkArm(wk_jointRevolute, mesh, -0.005, 0.0);
    checkArm(wk_jointPrismatic, mesh, 0.0, 0.0);
    wkMesh_Destroy(mesh);
}

// A point is no deeper outside of all cylinders than what padding a body has beyond it.
static void checkSwept(const wkCollisionBody* swept, int32_t count, wkVec3d point)
{
    double least = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double distance =
            wkShape_ClosestPoint(&swept[i].shape, swept[i].inRigidGroup, point, INFINITY).distance;
        least = fmin(least, distance);
    }
    assert_true(least <= 0.0);
}

static void sweeps_cover_bodies_at_every_angle(void** state)
{
    (void)state;
    wkMesh* mesh = makeWedge();
    wkRobot* robot = makeArm(mesh, wk_jointRevolute);
    armCase c = openArm(robot, 0.01, 0.0);
    const wkBodySet* set = c.scene->bodySet->bodySet;
    int32_t first = set->count - 2, group = set->bodies[first].rigidGroup;
    wkCollisionBody swept[WK_SWEPT_SLICES];
    const wkCollisionBody* bodies[2] = {&set->bodies[first], &set->bodies[first + 1]};
    int32_t count = wkSweepBodies(bodies, 2, &robot->rigidGroups[group], swept);
    assert_true(count > 1);
    uint64_t seed = 5;
    for (int i = 0; i < POINT_COUNT; i++) {
        double q[3] = {0.0, 0.0, -4.0 + 8.0 * wkNextShare(&seed)};
        wkPose pose = wkPlaceJoint(&robot->rigidGroups[group], q);
        const wkCollisionBody* body = &set->bodies[first + i % 2];
        wkVec3d share = wkVec(wkNextShare(&seed), wkNextShare(&seed), wkNextShare(&seed));
        wkVec3d within = wkSub(wkScale(2.0, share), wkVec(1.0, 1.0, 1.0));
        wkVec3d point =
            wkTransformPoint(body->inRigidGroup, wkAdd(body->middle, wkMulVec(within, body->half)));
        if (wkShape_ClosestPoint(&body->shape, body->inRigidGroup, point, INFINITY).distance <=
            0.0) {
            checkSwept(swept, count, wkTransformPoint(pose, point));
        }
    }
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
}

// What a new batch says about random configurations.
static void checkAgainstNew(const armCase* c, const wkBatch* batch, const wkRobot* robot)
{
    wkBatch* fresh = wkCreateBatch(&c->def);
    double* rows = wkRandomRows(robot, 31, REFRESH_COUNT);
    uint8_t verdicts[2][REFRESH_COUNT];
    assert_int_equal(wkBatch_CheckStates(fresh, NULL, rows, REFRESH_COUNT, verdicts[0]), wk_ok);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, REFRESH_COUNT, verdicts[1]), wk_ok);
    assert_memory_equal(verdicts[0], verdicts[1], REFRESH_COUNT);
    free(rows);
    wkBatch_Destroy(fresh);
}

static void a_change_of_the_world_keeps_tables(void** state)
{
    (void)state;
    wkMesh* mesh = makeWedge();
    wkRobot* robot = makeArm(mesh, wk_jointRevolute);
    armCase c = openArm(robot, 0.0, 0.0);
    wkBatch* batch = wkCreateBatch(&c.def);
    const wkSelfTables* tables = batch->selfTables;
    uint64_t serial = batch->bodySetSerial;
    wkShape box = wkMakeBox(0.1, 0.1, 0.1);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "box";
    object.shapes = &box;
    object.shapeCount = 1;
    object.pose = wkMakePose(0.3, 0.0, 0.1);
    assert_int_equal(wkRobotScene_Add(c.scene, &object), wk_ok);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    assert_ptr_equal(batch->selfTables, tables);
    checkAgainstNew(&c, batch, robot);
    assert_int_equal(wkRobotScene_SetPadding(c.scene, 3, 0.02), wk_ok);
    assert_int_equal(wkBatch_Refresh(batch), wk_ok);
    assert_true(batch->bodySetSerial != serial);
    checkAgainstNew(&c, batch, robot);
    wkBatch_Destroy(batch);
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
}

// Makes and refreshes a batch. One that could not be refreshed still has its tables.
static wkResult makeAndRefresh(void* context)
{
    wkBatch* batch = NULL;
    wkResult result = wkBatch_Create((const wkBatchDef*)context, &batch);
    assert_int_equal(result == wk_ok, batch != NULL);
    if (batch != NULL) {
        const wkSelfTables* tables = batch->selfTables;
        result = wkBatch_Refresh(batch);
        assert_true(tables != NULL && batch->selfTables == tables);
    }
    wkBatch_Destroy(batch);
    return result;
}

static void failing_memory_is_survived(void** state)
{
    (void)state;
    wkMesh* mesh = makeWedge();
    wkRobot* robot = makeArm(mesh, wk_jointPrismatic);
    armCase c = openArm(robot, 0.0, 0.0);
    assert_true(failEveryAllocationOf(makeAndRefresh, &c.def) > 10);
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_by_default_is_free_in_any_order),
        cmocka_unit_test(a_change_of_the_world_keeps_tables),
        cmocka_unit_test(failing_memory_is_survived),
        cmocka_unit_test(sweeps_cover_bodies_at_every_angle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
