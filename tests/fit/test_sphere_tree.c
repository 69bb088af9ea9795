// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Inner spheres are inside, by all triangles, and apart; outer spheres cover; known packings, refused bodies.

#include "sphere_tree_kit.h"

#include <string.h>

// Every sphere is inside of the triangles: its centre is, and no triangle is nearer than its radius.
static void checkInside(const wkSphereTree* tree, const wkModel* model)
{
    for (int32_t i = 0; i < wkSphereTree_Info(tree).innerCount; i++) {
        wkSphere3d s = wkSphereTree_InnerSphere(tree, i);
        double distance = distanceToTriangles(model, s.center);
        assert_true(s.radius <= distance * (1.0 + 1e-14));
        assert_true(fabs(windingNumber(model, s.center)) > 0.5);
    }
}

typedef bool makeModel(wkModel* model);

static bool makeBlob(wkModel* model)
{
    return wkModel_AddBlob(model, wkSceneVec(0.1, 0.2, -0.1), 0.3, 0.2, 12, 16);
}

static bool makeKnot(wkModel* model)
{
    return wkModel_AddKnot(model, 0.2, 0.06, 48, 8);
}

static bool makeBoxes(wkModel* model)
{
    wkPose there = wkMakePose(0.6, 0.0, 0.0);
    return wkModel_AddBox(model, wkIdentityPose(), wkSceneVec(0.2, 0.1, 0.05), 1) &&
           wkModel_AddBox(model, there, wkSceneVec(0.01, 0.3, 0.2), 2);
}

// Far from the origin floats are coarse: spheres must still be inside.
static bool makeFar(wkModel* model)
{
    return wkModel_AddBlob(model, wkSceneVec(2000.0, -500.0, 100.0), 0.3, 0.1, 8, 10);
}

static void spheres_are_inside_of_meshes(void** state)
{
    (void)state;
    makeModel* const makers[] = {makeBlob, makeKnot, makeBoxes, makeFar};
    const double shares[] = {0.7, 0.55, 0.4, 0.5};
    for (size_t i = 0; i < sizeof makers / sizeof makers[0]; i++) {
        wkModel model = {0};
        assert_true(makers[i](&model));
        wkMesh* mesh = fitMakeSolid(&model);
        wkShape shape = wkMakeMesh(mesh);
        wkSphereTreeBody body = {&shape, wkIdentityPose()};
        wkSphereTreeDef def = treeDefOf(&body, 1, 250);
        wkSphereTree* tree = makeTree(&def);
        wkSphereTreeInfo info = wkSphereTree_Info(tree);
        checkInside(tree, &model);
        checkApart(tree);
        assert_true(info.isWatertight && info.innerCount == 250 && info.outerCount > 0);
        assert_true(info.volumeShare > shares[i] && info.volumeShare < 1.0);
        assert_true(fabs(info.volume - fabs(wkMesh_Info(mesh).volumeInside)) < 1e-12);
        wkSphereTree_Destroy(tree);
        wkMesh_Destroy(mesh);
        wkModel_Free(&model);
    }
}

// Moved into the frame of the tree, by random poses and several bodies.
static void bodies_are_united(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkShape shapes[3] = {wkMakeBox(0.2, 0.1, 0.1), wkMakeCapsule(0.05, 0.3),
                         wkMakeCylinder(0.1, 0.1)};
    wkSphereTreeBody bodies[3];
    double volume = 0.0;
    for (int i = 0; i < 3; i++) {
        bodies[i] = (wkSphereTreeBody){&shapes[i], randomPose(&rng, 0.1)};
        volume += wkShape_Mass(&shapes[i]).volume;
    }
    wkSphereTreeDef def = treeDefOf(bodies, 3, 300);
    wkSphereTree* tree = makeTree(&def);
    checkApart(tree);
    wkSphereTreeInfo info = wkSphereTree_Info(tree);
    assert_true(info.innerCount == 300 && fabs(info.volume - volume) < 1e-12);
    for (int32_t i = 0; i < info.innerCount; i++) {
        wkSphere3d s = wkSphereTree_InnerSphere(tree, i);
        double deepest = INFINITY;
        for (int k = 0; k < 3; k++) {
            deepest =
                fmin(deepest,
                     wkShape_ClosestPoint(&shapes[k], bodies[k].pose, s.center, INFINITY).distance);
        }
        assert_true(deepest <= -s.radius);
        assert_true(wkSceneLength(wkSceneSub(s.center, info.around.center)) + s.radius <=
                    info.around.radius * (1.0 + 1e-12));
    }
    wkSphereTree_Destroy(tree);
}

static void outer_spheres_cover(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkShape shape = wkMakeCone(0.2, 0.5);
    wkSphereTreeBody body = {&shape, randomPose(&rng, 3.0)};
    wkSphereTreeDef def = treeDefOf(&body, 1, 10);
    wkSphereTree* tree = makeTree(&def);
    fitSurface surface;
    fitSurface_Create(&shape, &surface);
    wkPlacedSphereTree placed = {.tree = tree, .pose = wkIdentityPose()};
    for (int i = 0; i < WK_CASES(2000); i++) {
        wkVec3d point = wkTransformPoint(body.pose, fitSurface_Point(&surface, &rng));
        int32_t sphere = -1;
        assert_true(distanceToSpheres(&placed, false, point, 0.0, &sphere) <= 1e-9);
    }
    fitSurface_Destroy(&surface);
    wkSphereTree_Destroy(tree);
}

static void the_largest_sphere_comes_first(void** state)
{
    (void)state;
    wkShape shapes[] = {wkMakeBox(1.0, 1.0, 1.0), wkMakeSphere(0.3), wkMakeCylinder(0.2, 1.0),
                        wkMakeCapsule(0.1, 0.5)};
    const double largest[] = {0.5, 0.3, 0.2, 0.1};
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        wkSphereTreeBody body = {&shapes[i], wkIdentityPose()};
        wkSphereTreeDef def = treeDefOf(&body, 1, 1);
        wkSphereTree* tree = makeTree(&def);
        double radius = wkSphereTree_InnerSphere(tree, 0).radius;
        assert_true(radius <= largest[i] && radius > 0.998 * largest[i]);
        wkSphereTree_Destroy(tree);
    }
}

// A sphere of many triangles is filled by one sphere but for the rest.
static void a_round_mesh_has_one_large_sphere(void** state)
{
    (void)state;
    wkModel model = {0};
    assert_true(wkModel_AddBlob(&model, wkSceneVec(0.0, 0.0, 0.0), 0.5, 0.0, 20, 30));
    wkMesh* mesh = fitMakeSolid(&model);
    wkShape shape = wkMakeMesh(mesh);
    wkSphereTreeBody body = {&shape, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 1);
    wkSphereTree* tree = makeTree(&def);
    assert_true(wkSphereTree_Info(tree).volumeShare > 0.95);
    wkSphereTree_Destroy(tree);
    wkMesh_Destroy(mesh);
    wkModel_Free(&model);
}

static void packing_ends_at_the_least_radius(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 100000);
    def.minRadius = 0.06;
    wkSphereTree* tree = makeTree(&def);
    wkSphereTreeInfo info = wkSphereTree_Info(tree);
    assert_true(info.innerCount > 8 && info.innerCount < 100);
    for (int32_t i = 0; i < info.innerCount; i++) {
        assert_true(wkSphereTree_InnerSphere(tree, i).radius >= 0.06);
    }
    wkSphereTree_Destroy(tree);
    // no sphere at all: the outer spheres alone
    def.innerCount = 0;
    tree = makeTree(&def);
    assert_int_equal(wkSphereTree_Info(tree).innerCount, 0);
    wkSphereTree_Destroy(tree);
}

static void expectRefused(const wkSphereTreeDef* def, wkResult expected, const char* words)
{
    wkSphereTree* tree = NULL;
    wkResult result = wkSphereTree_Create(def, &tree);
    if (result != expected || tree != NULL || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("expected \"%s\" and %d, found \"%s\" and %d", words, (int)expected,
                 wkGetLastError(), (int)result);
    }
}

static void wrong_definitions_are_named(void** state)
{
    (void)state;
    wkShape box = wkMakeBox(1.0, 1.0, 1.0);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    const wkSphereTreeDef good = treeDefOf(&body, 1, 4);
    wkSphereTreeDef def = good;
    def.cookie = 0;
    expectRefused(&def, wk_errorArgument, "wkDefaultSphereTreeDef");
    def = good;
    def.bodyCount = 0;
    expectRefused(&def, wk_errorArgument, "bodyCount");
    def = good;
    def.innerCount = -1;
    expectRefused(&def, wk_errorRange, "innerCount");
    def = good;
    def.minRadius = NAN;
    expectRefused(&def, wk_errorNotFinite, "minRadius");
    def = good;
    def.outerAccuracy = 0.0;
    expectRefused(&def, wk_errorRange, "outerAccuracy");
    body.pose.position.x = INFINITY;
    expectRefused(&good, wk_errorNotFinite, "body 0");
    body.pose.position.x = NAN;
    expectRefused(&good, wk_errorNotFinite, "body 0");
    body = (wkSphereTreeBody){NULL, wkIdentityPose()};
    expectRefused(&good, wk_errorArgument, "body 0");
}

static void bodies_without_inside_are_refused(void** state)
{
    (void)state;
    wkVec3d up = {0.0, 0.0, 1.0};
    wkShape plane = wkMakePlane(up, 0.0);
    wkSphereTreeBody body = {&plane, wkIdentityPose()};
    const wkSphereTreeDef def = treeDefOf(&body, 1, 4);
    expectRefused(&def, wk_errorUnsupported, "plane");
    wkShape padded = wkMakeBox(1.0, 1.0, 1.0);
    padded.padding = 0.1;
    body.shape = &padded;
    expectRefused(&def, wk_errorUnsupported, "padding");
    wkModel model = {0};
    assert_true(makeBlob(&model));
    wkMeshDef meshDef = wkModel_MeshDef(&model);
    meshDef.isSolid = false;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&meshDef, &mesh), wk_ok);
    wkShape surface = wkMakeMesh(mesh);
    body.shape = &surface;
    expectRefused(&def, wk_errorUnsupported, "surface");
    wkMesh_Destroy(mesh);
    wkModel_Free(&model);
    float point[3] = {0.0f, 0.0f, 0.0f};
    wkCloudDef cloudDef = wkDefaultCloudDef();
    cloudDef.points.data = point;
    cloudDef.points.count = 1;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&cloudDef, &cloud), wk_ok);
    wkShape points = wkMakeCloud(cloud);
    body.shape = &points;
    expectRefused(&def, wk_errorUnsupported, "cloud");
    wkCloud_Destroy(cloud);
}

// Holes get lids, and the tree says so; flat, tiny and empty bodies have no inner spheres, or tiny ones.
static void hostile_meshes_stay_inside(void** state)
{
    (void)state;
    wkModel model = {0};
    assert_true(makeBlob(&model));
    model.triangleCount -= 7;
    wkMesh* mesh = fitMakeSolid(&model);
    wkShape shape = wkMakeMesh(mesh);
    wkSphereTreeBody body = {&shape, wkIdentityPose()};
    wkSphereTreeDef def = treeDefOf(&body, 1, 60);
    wkSphereTree* tree = makeTree(&def);
    assert_false(wkSphereTree_Info(tree).isWatertight);
    for (int32_t i = 0; i < wkSphereTree_Info(tree).innerCount; i++) {
        wkSphere3d s = wkSphereTree_InnerSphere(tree, i);
        assert_true(wkShape_ClosestPoint(&shape, wkIdentityPose(), s.center, INFINITY).distance <=
                    -s.radius);
    }
    wkSphereTree_Destroy(tree);
    wkMesh_Destroy(mesh);
    wkModel_Free(&model);

    const double sizes[] = {1e-6, 1e5};
    for (int i = 0; i < 2; i++) {
        wkShape box = wkMakeBox(sizes[i], sizes[i], 0.01 * sizes[i]);
        body.shape = &box;
        def.outerAccuracy = 0.5 * sizes[i];
        tree = makeTree(&def);
        checkApart(tree);
        assert_true(wkSphereTree_Info(tree).innerCount > 0);
        wkSphereTree_Destroy(tree);
    }
    wkMeshDef empty = wkDefaultMeshDef();
    assert_int_equal(wkMesh_Create(&empty, &mesh), wk_ok);
    shape = wkMakeMesh(mesh);
    body.shape = &shape;
    tree = makeTree(&def);
    wkSphereTreeInfo info = wkSphereTree_Info(tree);
    assert_true(info.innerCount == 0 && info.outerCount == 0 && info.volumeShare == 0.0);
    wkSphereTree_Destroy(tree);
    wkMesh_Destroy(mesh);
}

static void links_have_trees(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkSphereTreeDef def = treeDefOf(NULL, 0, 20);
    def.outerCount = 2;
    for (int32_t link = 0; link < wkRobot_Info(robot).linkCount; link++) {
        wkSphereTree* tree = NULL;
        assert_int_equal(wkSphereTree_CreateForLink(robot, link, &def, &tree), wk_ok);
        assert_true((tree != NULL) == (wkRobot_Link(robot, link).bodyCount > 0));
        assert_true(tree == NULL || wkSphereTree_Info(tree).innerCount == 20);
        wkSphereTree_Destroy(tree);
    }
    wkSphereTree* tree = NULL;
    assert_int_equal(wkSphereTree_CreateForLink(robot, -1, &def, &tree), wk_errorRange);
    assert_null(tree);
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_are_inside_of_meshes),
        cmocka_unit_test(bodies_are_united),
        cmocka_unit_test(outer_spheres_cover),
        cmocka_unit_test(the_largest_sphere_comes_first),
        cmocka_unit_test(a_round_mesh_has_one_large_sphere),
        cmocka_unit_test(packing_ends_at_the_least_radius),
        cmocka_unit_test(wrong_definitions_are_named),
        cmocka_unit_test(bodies_without_inside_are_refused),
        cmocka_unit_test(hostile_meshes_stay_inside),
        cmocka_unit_test(links_have_trees),
    };
    int failed = cmocka_run_group_tests_name("fit.sphere_tree", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
