// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Tables of pairs of parts say what the bodies say: within cells and where these meet, at limits, beyond
// them and after whole turns, with mimic and prismatic joints, padding and a margin.

#include "base/random.h"
#include "batch/batch_kernel.h"
#include "batch_kit.h"

#include <math.h>
#include <string.h>

#define STATE_COUNT WK_CASES(20000)

typedef enum armKind {
    armBounded,
    armContinuous,
    armMimic,
    armPrismatic,
    armKindCount,
} armKind;

// A hook: a solid that is not convex.
static wkMesh* makeHook(void)
{
    static const double outline[6][2] = {{0.0, 0.0},   {0.3, 0.0},   {0.3, 0.15},
                                         {0.24, 0.15}, {0.24, 0.05}, {0.0, 0.05}};
    static const int32_t caps[4][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4}, {0, 4, 5}};
    wkVec3d points[12];
    int32_t vertices[20][3];
    for (int i = 0; i < 12; i++) {
        points[i] = wkVec(outline[i % 6][0] - 0.15, i < 6 ? -0.03 : 0.03, outline[i % 6][1]);
    }
    for (int i = 0; i < 4; i++) {
        for (int k = 0; k < 3; k++) {
            vertices[i][k] = caps[i][k];
            vertices[4 + i][k] = caps[i][2 - k] + 6;
        }
    }
    for (int i = 0; i < 6; i++) {
        int32_t next = (i + 1) % 6, sides[2][3] = {{i, i + 6, next + 6}, {i, next + 6, next}};
        memcpy(vertices[8 + 2 * i], sides, sizeof sides);
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = points;
    def.vertexCount = 12;
    def.triangles = &vertices[0][0];
    def.triangleCount = 20;
    def.isSolid = true;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    assert_true(wkMesh_Info(mesh).isClosed && !wkMesh_Info(mesh).isConvex);
    return mesh;
}

// A base, an upper arm and a forearm whose end comes back to the base: two variables lie between them, or
// one where the second joint mimics the first one.
static wkRobot* makeArm(armKind kind, const wkMesh* mesh)
{
    const char* links[] = {"base", "upper", "fore"};
    wkJointDef joints[2] = {wkDefaultJointDef(), wkDefaultJointDef()};
    for (int i = 0; i < 2; i++) {
        joints[i].name = i == 0 ? "shoulder" : "elbow";
        joints[i].type = wk_jointRevolute;
        joints[i].parent = links[i];
        joints[i].child = links[i + 1];
        joints[i].axis = i == 0 ? wkVec(0.0, 0.0, 1.0) : wkVec(0.0, 1.0, 0.0);
        joints[i].origin = i == 0 ? wkMakePose(0.0, 0.0, 0.1) : wkMakePose(0.2, 0.0, 0.0);
        joints[i].lower = -2.5;
        joints[i].upper = 2.8;
    }
    if (kind == armContinuous) {
        joints[0].type = joints[1].type = wk_jointContinuous;
    } else if (kind == armMimic) {
        joints[1].mimic = "shoulder";
        joints[1].mimicFactor = -1.5;
        joints[1].mimicOffset = 0.3;
    } else if (kind == armPrismatic) {
        joints[0].type = wk_jointPrismatic;
        joints[0].lower = -0.3;
        joints[0].upper = 0.3;
    }
    wkBodyDef bodies[] = {
        {"base", NULL, wkMakeBox(0.16, 0.12, 0.2), wkMakePose(0.0, 0.0, -0.02)},
        {"base", NULL, wkMakeCapsule(0.03, 0.1), wkMakePose(0.0, 0.05, 0.15)},
        {"upper", NULL, wkMakeSphere(0.02), wkMakePose(0.1, 0.0, 0.0)},
        {"fore", NULL, wkMakeMesh(mesh), wkMakePose(0.15, 0.0, 0.0)},
    };
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 3;
    def.joints = joints;
    def.jointCount = 2;
    def.bodies = bodies;
    def.bodyCount = 4;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    return robot;
}

// The table of the pair that has one. The parts of the other pairs are neighbours.
static int32_t findTable(const wkBatch* batch)
{
    int32_t found = -1;
    for (int32_t i = 0; i < batch->program->pairCount; i++) {
        found = batch->selfTables->ofPairs[i] != NULL ? i : found;
    }
    assert_true(found >= 0);
    return found;
}

// Values for the variables of a table: anywhere within limits, where cells of some size meet, or at a
// limit and beyond; some of them after whole turns, and some off by the last bits of a float.
static void drawValues(const wkSelfTable* table, uint64_t* seed, double* q)
{
    for (int32_t i = 0; i < table->variableCount; i++) {
        double lower = table->chain.lower[i], upper = table->chain.upper[i];
        double share = wkNextShare(seed), value = lower + share * (upper - lower);
        int kind = (int)(wkNextShare(seed) * 6.0);
        if (kind == 1 || kind == 2) {
            double count = (double)(table->count >> (WK_TABLE_SHIFT * (int)(share * 3.0)));
            value = lower + floor(wkNextShare(seed) * count) * (upper - lower) / count;
        } else if (kind == 3) {
            value = (share < 0.5 ? lower : upper) + (wkNextShare(seed) - 0.5) * 0.01;
        }
        if (kind == 2 || kind == 3) {
            value *= 1.0 + ((int)(wkNextShare(seed) * 9.0) - 4) * 0x1p-24;
        }
        double turns = kind == 4 ? floor(wkNextShare(seed) * 5.0) - 2.0 : 0.0;
        q[table->variables[i]] = value + turns * 2.0 * WK_PI;
    }
}

typedef struct tableCase {
    wkRobotScene* scene;
    wkRobotState* state;
    wkBatch* batch;
    int32_t pair;
    long decidedCount; // configurations that a table decided
} tableCase;

// What the bodies say, what the table says, and what the batch says.
static void checkState(tableCase* c, const double* q)
{
    wkBatchScratch* scratch = wkOwnScratch(c->batch);
    scratch->tableCredit = INT32_MAX; // cells are classified whatever that costs
    wkBoxVerdict verdict = wkSelfTable_Ask(c->batch, scratch, c->pair, q);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksLimits = false;
    request.margin = c->batch->def.margin;
    assert_int_equal(wkRobotState_Set(c->state, wkIdentityPose(), q), wk_ok);
    bool isFree = wkRobotScene_Check(c->scene, c->state, &request).verdict == wk_verdictFree;
    assert_true(verdict != wk_boxUnknown && verdict != (isFree ? wk_boxTouching : wk_boxApart));
    c->decidedCount += verdict != wk_boxOpen ? 1 : 0;
    for (int pass = 0; pass < 2; pass++) {
        uint8_t asked = wk_verdictUnchecked;
        assert_int_equal(wkBatch_CheckStates(c->batch, NULL, q, 1, &asked), wk_ok);
        assert_int_equal(asked == wk_verdictFree, isFree);
    }
}

static void checkArm(armKind kind, const wkMesh* mesh, double padding, double margin)
{
    wkRobot* robot = makeArm(kind, mesh);
    tableCase c = {.scene = NULL};
    wkRobotSceneDef sceneDef = wkDefaultRobotSceneDef();
    sceneDef.robot = robot;
    assert_int_equal(wkRobotScene_Create(&sceneDef, &c.scene), wk_ok);
    assert_int_equal(wkRobotScene_SetPadding(c.scene, 2, padding), wk_ok);
    assert_int_equal(wkRobotState_Create(robot, &c.state), wk_ok);
    wkSphereModel* spheres = wkSpheresOnBodies(robot, 1.0);
    wkBatchDef def = wkDefaultBatchDef();
    def.scene = c.scene;
    def.spheres = spheres;
    def.exactness = wk_exactnessSelf;
    def.checksLimits = false;
    def.margin = margin;
    c.batch = wkCreateBatch(&def);
    if (padding < 0.0) {
        for (int32_t i = 0; i < c.batch->program->pairCount; i++) {
            assert_null(c.batch->selfTables->ofPairs[i]);
        }
    } else {
        c.pair = findTable(c.batch);
        const wkSelfTable* table = c.batch->selfTables->ofPairs[c.pair];
        assert_int_equal(table->variableCount, kind == armMimic ? 1 : 2);
        uint64_t seed = 11;
        double q[4] = {0.0};
        for (int i = 0; i < STATE_COUNT; i++) {
            drawValues(table, &seed, q);
            checkState(&c, q);
        }
        print_message("arm %d, padding %g, margin %g: the table tells %.1f %%\n", (int)kind,
                      padding, margin, 100.0 * (double)c.decidedCount / STATE_COUNT);
        assert_true(c.decidedCount > STATE_COUNT / 2);
    }
    wkBatch_Destroy(c.batch);
    wkSphereModel_Destroy(spheres);
    wkRobotState_Destroy(c.state);
    wkRobotScene_Destroy(c.scene);
    wkRobot_Destroy(robot);
}

static void tables_say_what_bodies_say(void** state)
{
    (void)state;
    wkMesh* mesh = makeHook();
    for (int kind = 0; kind < armKindCount; kind++) {
        checkArm((armKind)kind, mesh, 0.0, 0.0);
        checkArm((armKind)kind, mesh, 0.01, 0.005);
        checkArm((armKind)kind, mesh, -0.01, 0.0);
    }
    wkMesh_Destroy(mesh);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_say_what_bodies_say),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
