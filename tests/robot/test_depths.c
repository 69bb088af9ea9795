// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Among solids and surfaces depths are local, and may be larger than the overlap of the bounds:
// clearances, distances of scenes and checks with a negative margin are still those of all pairs.

#include "cases.h"
#include "math/vec.h"
#include "plain.h"
#include "robots.h"
#include "scenes/mesh_models.h"
#include "whisker/detail/counts.h"
#include "whisker/query.h"
#include "whisker/scene.h"

#include <math.h>
#include <stdio.h>

#define SOLID_COUNT 8
#define STATE_COUNT WK_CASES(40)
#define LARGEST 1.0

static wkPlainItems list; // too large for a stack

// Bars in the form of a U, knots and bumpy spheres: none of them convex.
static wkMesh* makeBody(wkRng* rng, bool isSolid)
{
    wkModel model = {0};
    double size = wkRngRange(rng, 0.2, LARGEST);
    const wkVec3d bar = {size, 0.2 * size, 0.2 * size}, leg = {0.15 * size, 0.2 * size, size};
    switch (wkRngBelow(rng, 3)) {
    case 0:
        assert_true(wkModel_AddKnot(&model, 0.3 * size, 0.15 * size, 24, 6));
        break;
    case 1:
        assert_true(wkModel_AddBlob(&model, (wkVec3d){0.0, 0.0, 0.0}, size, 0.5, 8, 12));
        break;
    default:
        assert_true(wkModel_AddBox(&model, wkMakePose(0.0, 0.0, 0.0), bar, 1) &&
                    wkModel_AddBox(&model, wkMakePose(size, 0.0, size), leg, 1) &&
                    wkModel_AddBox(&model, wkMakePose(-size, 0.0, size), leg, 1));
        break;
    }
    wkMeshDef def = wkModel_MeshDef(&model);
    def.isSolid = isSolid;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkModel_Free(&model);
    return mesh;
}

static wkPose poseNear(wkRng* rng)
{
    wkPose pose = wkMakePose(wkRngRange(rng, -1.0, 1.0), wkRngRange(rng, -1.0, 1.0),
                             wkRngRange(rng, 0.0, 1.5));
    pose.rotation = wkRngRotation(rng);
    return pose;
}

static void addBodies(wkSurroundings* all)
{
    for (int i = 0; i < SOLID_COUNT; ++i) {
        char name[32];
        snprintf(name, sizeof name, "body%d", i);
        wkMesh* mesh = makeBody(&all->rng, wkRngBelow(&all->rng, 3) > 0);
        wkShape shape = wkMakeMesh(mesh);
        all->meshes[all->meshCount++] = mesh;
        wkRobotObjectDef def = wkDefaultRobotObjectDef();
        def.name = name;
        def.shapes = &shape;
        def.shapeCount = 1;
        def.pose = poseNear(&all->rng);
        assert_int_equal(wkRobotScene_Add(all->scene, &def), wk_ok);
    }
}

// The least signed distance of all pairs, and how many are no further apart than the margin.
static double leastOfAll(const wkSurroundings* all, const wkRobotRequest* request, int* count)
{
    double least = request->cutoff;
    *count = 0;
    for (int a = 0; a < list.count; ++a) {
        for (int b = a + 1; b < list.count; ++b) {
            const wkPlainItem *itemA = &list.items[a], *itemB = &list.items[b];
            if (wkIsPlainPair(all, itemA, itemB, request)) {
                double d = wkDistance(&itemA->shape, itemA->pose, &itemB->shape, itemB->pose, NULL)
                               .distance;
                least = fmin(least, d);
                *count += d <= request->margin ? 1 : 0;
            }
        }
    }
    return least;
}

static void checkState(wkSurroundings* all, int kind, int state)
{
    static double ofLinks[64];
    wkPlaceAtRandom(all);
    wkListItems(all, &list);
    wkRobotRequest request = wkDefaultRobotRequest();
    request.checksLimits = false;
    request.checksSelf = state % 3 != 1;
    request.checksWorld = state % 3 != 2;
    request.margin = -wkRngLogRange(&all->rng, 1e-3, 1.0);
    int touchCount;
    double least = leastOfAll(all, &request, &touchCount);
    wkRobotClearanceResult alone =
        wkRobotScene_Clearance(all->scene, all->state, &request, NULL, NULL);
    wkRobotClearanceResult each =
        wkRobotScene_Clearance(all->scene, all->state, &request, ofLinks, NULL);
    if (!(fabs(alone.distance - least) < 1e-6) || !(fabs(each.distance - least) < 1e-6)) {
        fail_msg("kind %d, state %d: %.17g, by links %.17g, and every pair says %.17g", kind, state,
                 alone.distance, each.distance, least);
    }
    bool isFree = wkRobotScene_Check(all->scene, all->state, &request).verdict == wk_verdictFree;
    if (isFree != (touchCount == 0)) {
        fail_msg("kind %d, state %d: margin %.17g, deepest %.17g, %d pairs are deeper: free %d",
                 kind, state, request.margin, least, touchCount, isFree);
    }
}

static void clearance_is_the_deepest_pair(void** unused)
{
    (void)unused;
    for (int k = 0; k < WK_SURROUNDINGS_COUNT; ++k) {
        wkSurroundings all;
        wkSurroundingsKind kind = wkSurroundingsKinds[k];
        kind.hasRules = false;
        wkMakeSurroundings(&kind, 170u + (uint64_t)k, &all);
        addBodies(&all);
        for (int i = 0; i < STATE_COUNT; ++i) {
            checkState(&all, k, i);
        }
        wkFreeSurroundings(&all);
    }
}

// Two cubes that are not convex together.
static wkMesh* makeCubes(void)
{
    const wkVec3d half = {1.0, 1.0, 1.0}, small = {0.5, 0.5, 0.5};
    wkModel model = {0};
    assert_true(wkModel_AddBox(&model, wkMakePose(0.0, 0.0, 0.0), half, 1) &&
                wkModel_AddBox(&model, wkMakePose(3.0, 0.0, 0.0), small, 1));
    wkMeshDef def = wkModel_MeshDef(&model);
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkModel_Free(&model);
    return mesh;
}

// Bodies of one robot: a box on a solid, and two boxes that overlap a little less. Whichever pair comes first, the
// deepest one is found.
static void deepest_pair_of_a_robot_is_found_in_any_order(void** unused)
{
    (void)unused;
    static madeRobot made;
    static const int orders[4][4] = {{0, 1, 2, 3}, {2, 3, 0, 1}, {1, 2, 0, 3}, {3, 0, 2, 1}};
    wkMesh* mesh = makeCubes();
    const wkShape shapes[4] = {wkMakeMesh(mesh), wkMakeBox(2.0, 2.0, 2.0), wkMakeBox(2.0, 2.0, 2.0),
                               wkMakeBox(2.0, 2.0, 2.0)};
    const wkPose poses[4] = {wkMakePose(0.0, 0.0, 0.0), wkMakePose(0.1, 0.05, 1.9),
                             wkMakePose(20.0, 0.0, 0.0), wkMakePose(20.0, 1.95, 0.0)};
    double deep = wkDistance(&shapes[0], poses[0], &shapes[1], poses[1], NULL).distance;
    double other = wkDistance(&shapes[2], poses[2], &shapes[3], poses[3], NULL).distance;
    assert_true(deep < other && other < -0.01);
    for (int k = 0; k < 4; ++k) {
        madeStart(&made);
        made.def.linkCount = made.def.jointCount = made.def.bodyCount = 0;
        int root = madeLink(&made, -1, wk_jointFixed, wkIdentityPose());
        for (int i = 0; i < 4; ++i) {
            int link = madeLink(&made, root, wk_jointPrismatic, poses[orders[k][i]]);
            madeBody(&made, link, shapes[orders[k][i]], wkIdentityPose());
        }
        wkRobot* robot = NULL;
        wkRobotState* state = NULL;
        wkRobotScene* scene = NULL;
        assert_int_equal(wkRobot_Create(&made.def, &robot), wk_ok);
        assert_int_equal(wkRobotState_Create(robot, &state), wk_ok);
        wkRobotSceneDef def = wkDefaultRobotSceneDef();
        def.robot = robot;
        assert_int_equal(wkRobotScene_Create(&def, &scene), wk_ok);
        const double zeros[4] = {0.0, 0.0, 0.0, 0.0};
        wkRobotState_Set(state, wkIdentityPose(), zeros);
        double found = wkRobotScene_Clearance(scene, state, NULL, NULL, NULL).distance;
        if (!(fabs(found - deep) < 1e-9)) {
            fail_msg("order %d: %.17g, expected %.17g", k, found, deep);
        }
        wkRobotScene_Destroy(scene);
        wkRobotState_Destroy(state);
        wkRobot_Destroy(robot);
    }
    wkMesh_Destroy(mesh);
}

typedef struct crowd {
    wkMesh* meshes[2 * SOLID_COUNT];
    wkShape shapes[2 * SOLID_COUNT];
    wkPose poses[2 * SOLID_COUNT];
} crowd;

static void fillCrowd(crowd* c, wkRng* rng)
{
    for (int i = 0; i < 2 * SOLID_COUNT; ++i) {
        c->meshes[i] = i % 2 == 0 ? makeBody(rng, i % 4 == 0) : NULL;
        c->shapes[i] = c->meshes[i] != NULL ? wkMakeMesh(c->meshes[i])
                                            : wkMakeBox(wkRngRange(rng, 0.05, LARGEST),
                                                        wkRngRange(rng, 0.05, LARGEST), 0.1);
        c->poses[i] = poseNear(rng);
    }
}

static void emptyCrowd(crowd* c)
{
    for (int i = 0; i < 2 * SOLID_COUNT; ++i) {
        wkMesh_Destroy(c->meshes[i]);
    }
}

static void checkCrowd(const crowd* c, wkBroadPhase phase)
{
    double least = INFINITY;
    for (int a = 0; a < 2 * SOLID_COUNT; ++a) {
        for (int b = a + 1; b < 2 * SOLID_COUNT; ++b) {
            double d =
                wkDistance(&c->shapes[a], c->poses[a], &c->shapes[b], c->poses[b], NULL).distance;
            least = fmin(least, d);
        }
    }
    wkSceneDef def = wkDefaultSceneDef();
    def.broadPhase = phase;
    wkScene* scene = NULL;
    assert_int_equal(wkScene_Create(&def, &scene), wk_ok);
    for (int i = 0; i < 2 * SOLID_COUNT; ++i) {
        wkObjectDef object = wkDefaultObjectDef();
        object.shape = c->shapes[i];
        object.pose = c->poses[i];
        wkObjectId id;
        assert_int_equal(wkScene_Add(scene, &object, &id), wk_ok);
    }
    wkScene_Update(scene);
    double found = wkScene_DistancePairs(scene, NULL).closest.distance;
    if (!(fabs(found - least) < 1e-6)) {
        fail_msg("broad phase %d: %.17g, and every pair says %.17g", (int)phase, found, least);
    }
    wkSceneRequest request = wkDefaultSceneRequest();
    request.margin = least;
    assert_true(wkScene_CollidePairs(scene, &request).isTouching);
    wkScene_Destroy(scene);
}

static void scene_distance_is_the_deepest_pair(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(5);
    for (int i = 0; i < STATE_COUNT; ++i) {
        crowd c;
        fillCrowd(&c, &rng);
        for (int phase = 0; phase < WK_BROAD_PHASE_COUNT; ++phase) {
            checkCrowd(&c, (wkBroadPhase)phase);
        }
        emptyCrowd(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearance_is_the_deepest_pair),
        cmocka_unit_test(deepest_pair_of_a_robot_is_found_in_any_order),
        cmocka_unit_test(scene_distance_is_the_deepest_pair),
    };
    return cmocka_run_group_tests_name("robot.depths", tests, NULL, NULL);
}
