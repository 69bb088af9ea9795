// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Simulated depth images are computed by tiles, with most objects culled. Each pixel must have the
// depth that wkScene_RayCast gives for its ray, to the bit: for every type and proportion of shapes,
// every lens, cameras among and inside objects, and scenes too large to be culled by tiles.

#include "../memory/failing.h"
#include "../unit/unit_kit.h"
#include "lenses.h"
#include "scenes/maps.h"

#include "math/vec.h"
#include "sense/depth_tiles.h"
#include "whisker/mesh.h"

#define WIDTH 72
#define HEIGHT 50
#define PIXELS (WIDTH * HEIGHT)
#define SCENE_COUNT 60

static wkCamera smallCamera(const namedLens* lens)
{
    wkCamera camera = cameraWith(lens);
    camera.width = WIDTH;
    camera.height = HEIGHT;
    camera.fx = camera.fy = 50.0;
    camera.cx = 0.5 * (WIDTH - 1);
    camera.cy = 0.5 * (HEIGHT - 1);
    return camera;
}

static float castPixel(const wkScene* scene, const wkCamera* camera, wkPose pose, const void* skip,
                       int u, int v)
{
    wkVec3d slope = wkCamera_Unproject(camera, u, v);
    if (!isfinite(slope.z)) {
        return NAN;
    }
    wkRay ray = {pose.position, wkRotateVector(pose, slope), INFINITY};
    wkSceneRayResult hit = wkScene_RayCast(scene, ray, NULL);
    wkObjectDef object = wkDefaultObjectDef();
    if (wkObjectId_IsNull(hit.id) || !(hit.hit.distance > 0.0)) {
        return NAN;
    }
    assert_int_equal(wkScene_Get(scene, hit.id, &object), wk_ok);
    return skip != NULL && object.user == skip ? NAN : (float)(hit.hit.distance / wkLength(slope));
}

// Compares an image with single rays and returns how many pixels see something.
static int compareWithRays(const wkScene* scene, const wkCamera* camera, wkPose pose,
                           const void* skip, const float* depths)
{
    int count = 0;
    for (int p = 0; p < PIXELS; p++) {
        float expected = castPixel(scene, camera, pose, skip, p % WIDTH, p / WIDTH);
        bool isSame = isnan(expected) ? isnan(depths[p]) != 0 : depths[p] == expected;
        if (!isSame) {
            print_error("pixel %d %d: %.9g, by its ray %.9g\n", p % WIDTH, p / WIDTH,
                        (double)depths[p], (double)expected);
        }
        assert_true(isSame);
        count += !isnan(expected);
    }
    return count;
}

static void add(wkScene* scene, const wkShape* shape, wkPose pose, void* user)
{
    wkObjectDef def = wkDefaultObjectDef();
    wkObjectId id = wk_nullObjectId;
    def.shape = *shape;
    def.pose = pose;
    def.user = user;
    // shapes that a scene refuses are not for this test
    wkScene_Add(scene, &def, &id);
}

static wkPose randomPose(wkRng* rng, double reach)
{
    wkVec3d position = {wkRngRange(rng, -reach, reach), wkRngRange(rng, -reach, reach),
                        wkRngRange(rng, -reach, reach)};
    bool isStraight = wkRngChance(rng, 3);
    double turn = isStraight ? 0.0 : 3.0;
    return wkMakePoseRpy(position, turn * wkRngUnit(rng), turn * wkRngUnit(rng),
                         turn * wkRngUnit(rng));
}

static wkMesh* makeTent(void)
{
    const wkVec3d vertices[5] = {
        {-0.5, -0.5, 0.0}, {0.5, -0.5, 0.0}, {0.5, 0.5, 0.1}, {-0.5, 0.5, 0.0}, {0.0, 0.1, 0.7}};
    const int32_t triangles[12] = {0, 1, 4, 1, 2, 4, 2, 3, 4, 3, 0, 4};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    wkMesh* mesh = NULL;
    def.vertices = vertices;
    def.vertexCount = 5;
    def.triangles = triangles;
    def.triangleCount = 4;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static void fillScene(wkRng* rng, const wkShapeBank* bank, const wkMesh* mesh, const wkOctree* map,
                      wkScene* scene, void* user)
{
    int count = 4 + wkRngBelow(rng, 60);
    double reach = wkRngRange(rng, 1.0, 6.0);
    for (int i = 0; i < count; i++) {
        // what has no end would hide all the rest
        int type = 1 + wkRngBelow(rng, WK_SCENE_TYPE_COUNT);
        bool isEndless = type == wk_shapeHalfspace || type == wk_shapePlane;
        if (isEndless && !wkRngChance(rng, 12)) {
            continue;
        }
        wkShape shape = unitShape(rng, bank, (wkShapeType)type, wkRngBelow(rng, 5));
        add(scene, &shape, randomPose(rng, reach), wkRngChance(rng, 4) ? user : NULL);
    }
    wkShape tent = wkMakeMesh(mesh), cells = wkMakeOctree(map);
    add(scene, &tent, randomPose(rng, reach), NULL);
    tent.padding = 0.05;
    add(scene, &tent, randomPose(rng, reach), user);
    if (wkRngChance(rng, 2)) {
        add(scene, &cells, randomPose(rng, reach), NULL);
    }
}

static void images_have_the_depths_of_single_rays(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    wkShapeBank bank;
    wkShapeBank_Create(&bank, UNIT_SEED);
    wkMesh* mesh = makeTent();
    wkOctree* map = wkMakeMap(0, 0.1, UNIT_SEED);
    static float depths[PIXELS];
    int user = 0, observedCount = 0;
    for (int i = 0; i < SCENE_COUNT; i++) {
        wkScene* scene = NULL;
        assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
        fillScene(&rng, &bank, mesh, map, scene, &user);
        wkCamera camera = smallCamera(&lensTable[i % LENS_COUNT]);
        wkPose pose = randomPose(&rng, 3.0);
        const void* skip = wkRngChance(&rng, 2) ? &user : NULL;
        assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, NULL, skip, NULL, depths),
                         wk_ok);
        observedCount += compareWithRays(scene, &camera, pose, skip, depths);
        wkScene_Destroy(scene);
    }
    assert_true(observedCount > SCENE_COUNT * PIXELS / 5);
    wkOctree_Destroy(map);
    wkMesh_Destroy(mesh);
    wkShapeBank_Destroy(&bank);
}

// A wall that fills the image hides what is behind it and nothing that sticks out of it.
static void objects_in_front_of_a_wall_are_observed(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    static float depths[PIXELS];
    wkCamera camera = smallCamera(&lensTable[0]);
    for (int i = 0; i < 40; i++) {
        wkScene* scene = NULL;
        assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
        wkShape wall = wkMakeBox(60.0, 60.0, wkRngRange(&rng, 0.0, 0.5));
        add(scene, &wall,
            wkMakePoseRpy((wkVec3d){0.0, 0.0, 3.0}, wkRngRange(&rng, -0.6, 0.6),
                          wkRngRange(&rng, -0.6, 0.6), 0.3),
            NULL);
        for (int k = 0; k < 80; k++) {
            wkShape knob = wkMakeSphere(wkRngLogRange(&rng, 0.003, 0.3));
            add(scene, &knob,
                wkMakePose(wkRngRange(&rng, -2.0, 2.0), wkRngRange(&rng, -2.0, 2.0),
                           wkRngRange(&rng, 1.0, 4.0)),
                NULL);
        }
        wkPose pose = wkIdentityPose();
        assert_int_equal(wkScene_RenderDepth(scene, &camera, pose, NULL, NULL, NULL, depths),
                         wk_ok);
        compareWithRays(scene, &camera, pose, NULL, depths);
        wkScene_Destroy(scene);
    }
}

static wkScene* makeCrowd(int count)
{
    wkScene* scene = NULL;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    assert_int_equal(wkScene_Create(NULL, &scene), wk_ok);
    for (int i = 0; i < count; i++) {
        wkShape crumb = wkMakeSphere(0.02);
        add(scene, &crumb,
            wkMakePose(wkRngRange(&rng, -2.0, 2.0), wkRngRange(&rng, -2.0, 2.0),
                       wkRngRange(&rng, 1.0, 4.0)),
            NULL);
    }
    wkScene_Update(scene);
    return scene;
}

// More objects than a tile can list, more than are culled by tiles at all, and no memory for it.
static void crowds_are_observed_without_tiles(void** state)
{
    (void)state;
    static const int counts[2] = {9000, WK_MAX_DEPTH_TARGETS + 1};
    static float depths[PIXELS];
    wkCamera camera = smallCamera(&lensTable[0]);
    for (int i = 0; i < 2; i++) {
        wkScene* scene = makeCrowd(counts[i]);
        failing f = {0, -1, 0};
        assert_int_equal(
            wkScene_RenderDepth(scene, &camera, wkIdentityPose(), NULL, NULL, NULL, depths), wk_ok);
        compareWithRays(scene, &camera, wkIdentityPose(), NULL, depths);
        wkScene_Destroy(scene);

        wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
        wkSetAllocator(&allocator);
        scene = makeCrowd(40);
        f.callCount = 0;
        f.failAt = 0;
        assert_int_equal(
            wkScene_RenderDepth(scene, &camera, wkIdentityPose(), NULL, NULL, NULL, depths), wk_ok);
        f.failAt = -1;
        compareWithRays(scene, &camera, wkIdentityPose(), NULL, depths);
        wkScene_Destroy(scene);
        assert_true(f.allocatedBytes == 0);
        wkSetAllocator(NULL);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_have_the_depths_of_single_rays),
        cmocka_unit_test(objects_in_front_of_a_wall_are_observed),
        cmocka_unit_test(crowds_are_observed_without_tiles),
    };
    return cmocka_run_group_tests_name("sense.depth_tiles", tests, NULL, NULL);
}
