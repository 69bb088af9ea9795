// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes between links that pass each other within a millimetre. A shoulder as narrow as can be gets one, and hardly
// any free configuration is lost. Whatever a plane is, where it separates two links they do not touch.

#include "arm_kit.h"
#include "base/random.h"
#include "batch/batch_kernel.h"
#include "math/angle.h"
#include "math/round.h"
#include "math/vec.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(5000)
#define PLANE_COUNT 6
#define RIM_VERTICES 120
#define BASE_RADIUS 0.1
#define GAP 0.0005

// A drum of two rims of different radii about z: a solid with more vertices than loose pieces have.
static wkMesh* makeDrum(double lowerRadius, double upperRadius, double height)
{
    static wkVec3d points[2 * RIM_VERTICES];
    static int32_t triangles[4 * RIM_VERTICES][3];
    int32_t count = 0;
    for (int32_t i = 0; i < RIM_VERTICES; i++) {
        double angle = 2.0 * WK_PI * i / RIM_VERTICES;
        points[i] = wkVec(lowerRadius * cos(angle), lowerRadius * sin(angle), 0.0);
        points[RIM_VERTICES + i] =
            wkVec(upperRadius * cos(angle), upperRadius * sin(angle), height);
        int32_t next = (i + 1) % RIM_VERTICES, above = RIM_VERTICES + i;
        int32_t aboveNext = RIM_VERTICES + next;
        int32_t sides[2][3] = {{i, next, aboveNext}, {i, aboveNext, above}};
        memcpy(triangles[count], sides, sizeof sides);
        count += 2;
        if (i > 0 && next > 0) {
            int32_t caps[2][3] = {{0, next, i}, {RIM_VERTICES, above, aboveNext}};
            memcpy(triangles[count], caps, sizeof caps);
            count += 2;
        }
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = points;
    def.vertexCount = 2 * RIM_VERTICES;
    def.triangles = &triangles[0][0];
    def.triangleCount = count;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    assert_true(wkMesh_Info(mesh).isClosed);
    return mesh;
}

// A base, a shoulder on it, and an upper arm that rotates beside the base, with its flat end next to it.
// @param reach from the axis of the arm to its middle
static wkRobot* makeShoulder(const wkMesh* base, const wkMesh* arm, double gap, double reach)
{
    static const char* const links[] = {"base", "shoulder", "upper"};
    wkJointDef joints[2] = {wkDefaultJointDef(), wkDefaultJointDef()};
    joints[0].name = "pan";
    joints[0].parent = "base";
    joints[0].child = "shoulder";
    joints[0].axis = wkVec(0.0, 0.0, 1.0);
    joints[0].origin = wkMakePose(0.0, 0.0, 0.15);
    joints[1].name = "lift";
    joints[1].parent = "shoulder";
    joints[1].child = "upper";
    joints[1].axis = wkVec(0.0, 1.0, 0.0);
    joints[1].origin = wkMakePose(0.0, BASE_RADIUS + gap, 0.0);
    for (int i = 0; i < 2; i++) {
        joints[i].type = wk_jointRevolute;
        joints[i].lower = -3.0;
        joints[i].upper = 3.0;
    }
    wkPose sideways = wkMakePose(reach, 0.0, 0.0); // z of the drum along y of the link
    sideways.rotation = (wkQuat){-sqrt(0.5), 0.0, 0.0, sqrt(0.5)};
    // links next to each other are not checked, and links without bodies do not count
    wkBodyDef bodies[] = {{"base", NULL, wkMakeMesh(base), wkIdentityPose()},
                          {"shoulder", NULL, wkMakeSphere(0.02), wkIdentityPose()},
                          {"upper", NULL, wkMakeMesh(arm), sideways}};
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 3;
    def.joints = joints;
    def.jointCount = 2;
    def.bodies = bodies;
    def.bodyCount = 3;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

typedef struct planeCounts {
    int freeCount, lostCount, touchingCount;
} planeCounts;

// Compares the verdicts of a batch with those of its scene; a configuration that touches is never called free.
static planeCounts compare(const wkRobot* robot, const wkBatch* batch, const armCase* c)
{
    planeCounts counts = {.freeCount = 0};
    double* rows = wkRandomRows(robot, 11, STATE_COUNT);
    uint8_t* verdicts = (uint8_t*)calloc(STATE_COUNT, 1);
    assert_non_null(verdicts);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, STATE_COUNT, verdicts), wk_ok);
    for (int i = 0; i < STATE_COUNT; i++) {
        assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), rows + 2 * (ptrdiff_t)i),
                         wk_ok);
        bool isFree = wkRobotScene_Check(c->scene, c->state, NULL).verdict == wk_verdictFree;
        bool isCalledFree = verdicts[i] == wk_verdictFree;
        assert_true(isFree || !isCalledFree);
        counts.freeCount += isFree ? 1 : 0;
        counts.lostCount += isFree && !isCalledFree ? 1 : 0;
        counts.touchingCount += isFree ? 0 : 1;
    }
    free(verdicts);
    free(rows);
    return counts;
}

static armCase openShoulder(const wkRobot* robot)
{
    armCase c = {.scene = NULL};
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &c.scene), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &c.state), wk_ok);
    c.spheres = wkSpheresOnBodies(robot, 1.0);
    c.def = wkDefaultBatchDef();
    c.def.scene = c.scene;
    c.def.spheres = c.spheres;
    return c;
}

static void narrow_shoulders_get_a_plane(void** state)
{
    (void)state;
    wkMesh *base = makeDrum(BASE_RADIUS, 0.09, 0.14), *arm = makeDrum(0.25, 0.2, 0.1);
    wkRobot* robot = makeShoulder(base, arm, GAP, 0.2);
    armCase c = openShoulder(robot);
    wkBatch* batch = wkCreateBatch(&c.def);
    const wkSelfTables* tables = batch->selfTables;
    assert_int_equal(tables->pairCount, 1);
    planeCounts counts = compare(robot, batch, &c);
    print_message("detail %d, plane %d: %d free, %d lost, %d touching\n", tables->detail[0],
                  tables->planes[0].isUsed, counts.freeCount, counts.lostCount,
                  counts.touchingCount);
    assert_true(tables->usesPieces[0] && tables->detail[0] == WK_DETAIL_TIGHT);
    assert_true(tables->planes[0].isUsed);
    assert_int_equal(counts.freeCount, STATE_COUNT);
    assert_true(counts.lostCount <= STATE_COUNT / 200);
    wkBatch_Destroy(batch);
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(base);
    wkMesh_Destroy(arm);
}

// Gives the pair tight pieces and a random plane, as far out as its part reaches.
static void setRandomPlane(wkBatch* batch, uint64_t* seed)
{
    wkSelfTables* tables = batch->selfTables;
    wkPairPlane plane = {.isUsed = true, .side = wkNextShare(seed) < 0.5 ? 0 : 1};
    wkVec3d normal = wkNormalizeOr(
        wkVec(wkNextShare(seed) - 0.5, wkNextShare(seed) - 0.5, wkNextShare(seed) - 0.5),
        wkVec(0.0, 0.0, 1.0));
    plane.x = (float)normal.x;
    plane.y = (float)normal.y;
    plane.z = (float)normal.z;
    int32_t part = plane.side == 0 ? batch->program->pairs[0].a : batch->program->pairs[0].b;
    const wkPartPieces* pieces = tables->pieces[WK_PIECE_LEVELS * part + wk_piecesTight];
    double reach = -INFINITY, sign = plane.side == 0 ? 1.0 : -1.0;
    for (int32_t i = 0; i < pieces->vertexCount; i++) {
        wkVec3d vertex =
            wkVec((double)wkPieceVertices(pieces, 0)[i], (double)wkPieceVertices(pieces, 1)[i],
                  (double)wkPieceVertices(pieces, 2)[i]);
        wkVec3d along = wkVec((double)plane.x, (double)plane.y, (double)plane.z);
        reach = wkMaxD(reach, sign * wkDot(along, vertex));
    }
    plane.reach = wkRoundUp(reach);
    tables->planes[0] = plane;
    tables->usesPieces[0] = true;
    tables->detail[0] = WK_DETAIL_TIGHT;
    tables->mapOfPair[0] = -1;
    batch->hasBodyPair[0] = true;
    wkBundlePairs(batch);
}

static void no_plane_calls_touching_links_free(void** state)
{
    (void)state;
    wkMesh *base = makeDrum(BASE_RADIUS, 0.09, 0.14), *arm = makeDrum(0.25, 0.2, 0.1);
    wkRobot* robot = makeShoulder(base, arm, -0.02, 0.4); // touches where it hangs down
    armCase c = openShoulder(robot);
    wkBatch* batch = wkCreateBatch(&c.def);
    for (int i = 0; i < WK_PIECE_LEVELS * batch->program->partCount; i++) {
        if (batch->selfTables->pieces[i] == NULL) {
            assert_int_equal(wkPartPieces_Create(batch, i / WK_PIECE_LEVELS,
                                                 (wkPieceLevel)(i % WK_PIECE_LEVELS),
                                                 &batch->selfTables->pieces[i]),
                             wk_ok);
        }
    }
    for (int i = 0; i < batch->selfTables->mapCount; i++) {
        wkSelfMap_Destroy(batch->selfTables->maps[i]);
    }
    batch->selfTables->mapCount = 0;
    uint64_t seed = 5;
    planeCounts all = {.freeCount = 0};
    for (int i = 0; i < PLANE_COUNT; i++) {
        setRandomPlane(batch, &seed);
        planeCounts counts = compare(robot, batch, &c);
        all.touchingCount += counts.touchingCount;
        all.freeCount += counts.freeCount;
    }
    assert_true(all.touchingCount > STATE_COUNT / 4 && all.freeCount > STATE_COUNT / 4);
    wkBatch_Destroy(batch);
    closeArm(&c);
    wkRobot_Destroy(robot);
    wkMesh_Destroy(base);
    wkMesh_Destroy(arm);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(narrow_shoulders_get_a_plane),
        cmocka_unit_test(no_plane_calls_touching_links_free),
    };
    return cmocka_run_group_tests_name("planes between links", tests, NULL, NULL);
}
