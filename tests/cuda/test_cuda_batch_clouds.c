// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Configurations on a GPU among point clouds: in the scene of the batch, where the GPU decides all of them as the CPU does,
// and as live fields of points, where free means free of the same points in the scene.

#include "cuda/cuda_batch.h"
#include "gpu_batch.h"

#include <math.h>
#include <string.h>

// Points of a few walls around the base of the robot: many configurations pass between them.
static wkCloud* makeCloud(const batchOnGpu* b, int count, bool hasRadii, wkRng* rng)
{
    float* points = (float*)calloc((size_t)count * 4, sizeof *points);
    assert_non_null(points);
    double walls[6][3];
    for (int i = 0; i < 6; i++) {
        // beside the base
        walls[i][0] = wkRngSign(rng) * wkRngRange(rng, 0.45, 0.9);
        walls[i][1] = wkRngRange(rng, -0.9, 0.9);
        walls[i][2] = wkRngRange(rng, -0.9, 0.9);
    }
    const double base[3] = {b->c.def.base.position.x, b->c.def.base.position.y,
                            b->c.def.base.position.z};
    for (int i = 0; i < count; i++) {
        int wall = wkRngBelow(rng, 6);
        for (int axis = 0; axis < 3; axis++) {
            double thick = axis == wall % 3 ? 0.01 : 0.3;
            points[4 * i + axis] =
                (float)(base[axis] + walls[wall][axis] + wkRngRange(rng, -thick, thick));
        }
        points[4 * i + 3] = (float)wkRngRange(rng, 0.0, 0.04);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = count;
    def.points.stride = 4 * sizeof(float);
    def.points.radiusOffset = hasRadii ? 3 * (int)sizeof(float) : -1;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    free(points);
    return cloud;
}

static void addCloud(batchOnGpu* b, const char* name, const wkCloud* cloud, wkPose pose)
{
    wkShape shape = wkMakeCloud(cloud);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    assert_int_equal(wkRobotScene_Add(b->c.all.scene, &def), wk_ok);
}

// Clouds with few points and with hierarchies of several levels, one or two of them.
static void spheres_among_clouds_are_decided_on_the_gpu(void** state)
{
    (void)state;
    static const int counts[] = {3, 60, 500, 4000, 30000};
    for (int i = 0; i < 20; i++) {
        batchOnGpu b;
        openBatch(&b, 0, wk_exactnessSpheres, true);
        free(b.expected);
        wkBatch_Destroy(b.batch);
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)i);
        wkCloud* clouds[2] = {makeCloud(&b, counts[i % 5], i % 2 == 0, &rng),
                              makeCloud(&b, counts[(i + 2) % 5], i % 2 == 1, &rng)};
        wkPose turned = wkMakePose(0.1, -0.2, 0.05);
        turned.rotation = wkRngRotation(&rng);
        addCloud(&b, "points", clouds[0], wkIdentityPose());
        if (i / 5 % 2 == 1) {
            addCloud(&b, "more points", clouds[1], turned);
        }
        createBatch(&b);
        assert_int_equal(tryGpu(&b), wk_ok);
        checkAllWays(&b, i % 16, 1);
        if (!emulatedIsUsed()) {
            printf("%d points: the CPU decides %.2f %%\n", counts[i % 5],
                   100.0 * (double)wkCudaBatch_Info(b.onGpu).leftCount / (double)b.count);
        }
        closeGpu(&b);
        closeBatch(&b);
        wkCloud_Destroy(clouds[0]);
        wkCloud_Destroy(clouds[1]);
    }
}

#define LIVE_POINTS 1500
#define LIVE_RADIUS 0.01
// Metres by which live points may touch too early: rounding in a region of four metres.
#define LIVE_BAND 4e-5

// Points around the robot on a GPU, and the same as a cloud in the scene of another batch.
typedef struct liveCase {
    float points[LIVE_POINTS][3];
    wkCloud* cloud;
    wkCudaField* field;
} liveCase;

static void addLiveCloud(wkRobotScene* scene, const wkCloud* cloud)
{
    wkShape shape = wkMakeCloud(cloud);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "live";
    object.shapes = &shape;
    object.shapeCount = 1;
    if (wkRobotScene_Add(scene, &object) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

// Draws points in the region that the robot moves in.
static void drawLive(liveCase* live, const batchOnGpu* b, uint64_t seed)
{
    wkRng rng = wkMakeRng(seed);
    wkVec3d at = b->c.def.base.position;
    for (int i = 0; i < LIVE_POINTS; i++) {
        live->points[i][0] = (float)(at.x + wkRngRange(&rng, -1.6, 1.6));
        live->points[i][1] = (float)(at.y + wkRngRange(&rng, -1.6, 1.6));
        live->points[i][2] = (float)(at.z + wkRngRange(&rng, -0.3, 2.2));
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(live->points, LIVE_POINTS);
    def.radius = LIVE_RADIUS;
    assert_int_equal(wkCloud_Create(&def, &live->cloud), wk_ok);
}

static void openLive(liveCase* live, const batchOnGpu* b)
{
    wkVec3d at = b->c.def.base.position;
    wkCudaFieldDef def = wkDefaultCudaFieldDef();
    def.cuda = b->cuda;
    def.region.lower = (wkVec3d){at.x - 2.0, at.y - 2.0, at.z - 1.0};
    def.region.upper = (wkVec3d){at.x + 2.0, at.y + 2.0, at.z + 2.5};
    def.cellSize = 0.1;
    def.reach = 0.3;
    def.pointCapacity = LIVE_POINTS;
    def.objectCapacity = LIVE_POINTS;
    def.pointBytes = (size_t)1 << 20;
    assert_int_equal(wkCudaField_Create(&def, &live->field), wk_ok);
}

// @param objectCount the first points are spheres
static void updateLive(const liveCase* live, int32_t objectCount)
{
    static wkShape shapes[LIVE_POINTS];
    static wkPose poses[LIVE_POINTS];
    for (int i = 0; i < objectCount; i++) {
        const float* p = live->points[i];
        shapes[i] = wkMakeSphere(LIVE_RADIUS);
        poses[i] = wkIdentityPose();
        poses[i].position = (wkVec3d){(double)p[0], (double)p[1], (double)p[2]};
    }
    assert_int_equal(wkCudaField_SetObjects(live->field, shapes, poses, objectCount), wk_ok);
    wkCloudView view =
        wkMakeCloudView((void*)(live->points + objectCount), LIVE_POINTS - objectCount);
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.radius = LIVE_RADIUS;
    request.allowsEmpty = true;
    assert_int_equal(
        wkCudaField_Update(live->field, &view, wk_memoryHost, wkIdentityPose(), &request), wk_ok);
}

static bool isContact(int verdict)
{
    return verdict == wk_verdictWorld || verdict == wk_verdictSelf;
}

// Checks against the verdicts of batches with the cloud in their scene, with the points as they are and a little larger:
// free means free, and touching means touching that.
// @return verdicts that live points change
static int compareLive(const batchOnGpu* b, const uint8_t* found, const uint8_t* exact,
                       const uint8_t* larger)
{
    int liveCount = 0;
    for (int32_t i = 0; i < b->count; i++) {
        if (found[i] == wk_verdictUncertain) {
            continue; // numbers that only the CPU can place
        }
        if (found[i] == wk_verdictFree || found[i] == wk_verdictUnknown) {
            assert_int_equal(found[i], exact[i]);
        } else if (isContact(found[i])) {
            assert_true(isContact(larger[i]));
        } else {
            assert_int_equal(found[i], exact[i]);
        }
        liveCount += found[i] != b->expected[i];
    }
    return liveCount;
}

// Checks points, of which the first ones are spheres.
static void checkLive(int exactness, int32_t objectCount)
{
    batchOnGpu b;
    static liveCase live;
    openBatch(&b, 0, (wkExactness)exactness, true);
    drawLive(&live, &b, wkKitSeed() + (uint64_t)exactness);
    assert_int_equal(tryGpu(&b), wk_ok);
    openLive(&live, &b);
    uint8_t *found = (uint8_t*)malloc((size_t)b.count), *exact = (uint8_t*)malloc((size_t)b.count);
    uint8_t* larger = (uint8_t*)malloc((size_t)b.count);
    assert_true(found != NULL && exact != NULL && larger != NULL);
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    request.fields = &live.field;
    request.fieldCount = 1;
    // before the first frame, everything touches
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, &request, found), wk_ok);
    for (int32_t i = 0; i < b.count; i++) {
        assert_true(found[i] != wk_verdictFree && found[i] != wk_verdictUnknown);
    }
    updateLive(&live, objectCount);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, &request, found), wk_ok);
    wkRobotScene* scene = b.c.all.scene;
    addLiveCloud(scene, live.cloud);
    wkBatch* with = wkCreateBatch(&b.c.def);
    assert_int_equal(wkBatch_CheckStates(with, NULL, b.c.rows, b.count, exact), wk_ok);
    wkBatch_Destroy(with);
    wkBatchDef def = b.c.def;
    def.margin += LIVE_BAND;
    with = wkCreateBatch(&def);
    assert_int_equal(wkBatch_CheckStates(with, NULL, b.c.rows, b.count, larger), wk_ok);
    wkBatch_Destroy(with);
    int liveCount = compareLive(&b, found, exact, larger);
    if (!(liveCount > b.count / 100)) {
        fail_msg("live points change %d of %d verdicts", liveCount, (int)b.count);
    }
    free(found);
    free(exact);
    free(larger);
    wkCudaField_Destroy(live.field);
    closeGpu(&b);
    closeBatch(&b);
    wkCloud_Destroy(live.cloud);
}

static void live_points_are_as_a_cloud(void** state)
{
    (void)state;
    for (int exactness = 0; exactness < 4; exactness++) {
        checkLive(exactness, 0);
    }
}

static void live_objects_are_as_a_cloud(void** state)
{
    (void)state;
    for (int exactness = 0; exactness < 4; exactness++) {
        checkLive(exactness, exactness % 2 == 0 ? LIVE_POINTS / 2 : LIVE_POINTS);
    }
}

#define LIVE_SHAPES 5

// Draws a shape of any type but a map.
static wkShape drawShape(int type, wkRng* rng)
{
    double size = wkRngRange(rng, 0.02, 0.2), other = wkRngRange(rng, 0.02, 0.3);
    wkShape shape = type == 0   ? wkMakeBox(size, other, 0.2)
                    : type == 1 ? wkMakeCapsule(0.5 * size, other)
                    : type == 2 ? wkMakeCylinder(size, other)
                                : wkMakeSphere(0.7 * size);
    shape.rounding = type % 3 == 0 ? 0.02 : 0.0;
    shape.padding = type == 2 ? 0.01 : 0.0;
    return shape;
}

// Draws shapes of all types around the robot, clear of its base.
// @param map the last of them
static void drawShapes(const batchOnGpu* b, const wkOctree* map, wkShape shapes[LIVE_SHAPES],
                       wkPose poses[LIVE_SHAPES], wkRng* rng)
{
    wkVec3d at = b->c.def.base.position;
    for (int i = 0; i < LIVE_SHAPES; i++) {
        shapes[i] = i < LIVE_SHAPES - 1 ? drawShape(i, rng) : wkMakeOctree(map);
        do {
            wkVec3d way = wkScale(wkRngRange(rng, 0.4, 1.3), wkRngDirection(rng));
            poses[i] = (wkPose){wkAdd(at, way), wkRngRotation(rng)};
        } while (wkShape_PointDistance(&shapes[i], poses[i], at) < 0.3);
    }
}

static void addShapes(wkRobotScene* scene, const wkShape shapes[LIVE_SHAPES],
                      const wkPose poses[LIVE_SHAPES])
{
    for (int i = 0; i < LIVE_SHAPES; i++) {
        char name[24];
        snprintf(name, sizeof name, "live %d", i);
        wkRobotObjectDef object = wkDefaultRobotObjectDef();
        object.name = name;
        object.shapes = &shapes[i];
        object.shapeCount = 1;
        object.pose = poses[i];
        if (wkRobotScene_Add(scene, &object) != wk_ok) {
            fail_msg("%s", wkGetLastError());
        }
    }
}

// Checks configurations on the CPU, with a margin on top of that of the batch.
static void checkWithMargin(const batchOnGpu* b, double margin, uint8_t* verdicts)
{
    wkBatchDef def = b->c.def;
    def.margin += margin;
    wkBatch* batch = wkCreateBatch(&def);
    assert_int_equal(wkBatch_CheckStates(batch, NULL, b->c.rows, b->count, verdicts), wk_ok);
    wkBatch_Destroy(batch);
}

static void live_shapes_are_as_in_the_scene(void** state)
{
    (void)state;
    int liveCount = 0, freeCount = 0;
    for (int round = 0; round < 8; round++) {
        // with wk_exactnessFilter, bodies overrule spheres among objects of the scene
        wkExactness exactness = round % 2 == 0 ? wk_exactnessSpheres : wk_exactnessSelf;
        batchOnGpu b;
        static liveCase live;
        wkShape shapes[LIVE_SHAPES];
        wkPose poses[LIVE_SHAPES];
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)round);
        wkOctree* map = NULL;
        assert_int_equal(wkOctree_Create(NULL, &map), wk_ok);
        for (int i = 0; i < 60; i++) {
            wkCellKey key = {(uint16_t)(32764 + wkRngBelow(&rng, 8)),
                             (uint16_t)(32764 + wkRngBelow(&rng, 8)),
                             (uint16_t)(32764 + wkRngBelow(&rng, 8))};
            assert_int_equal(wkOctree_SetLogOdds(map, key, WK_OCTREE_DEPTH, 1.0f), wk_ok);
        }
        openBatch(&b, 0, exactness, true);
        drawShapes(&b, map, shapes, poses, &rng);
        assert_int_equal(tryGpu(&b), wk_ok);
        openLive(&live, &b);
        assert_int_equal(wkCudaField_SetObjects(live.field, shapes, poses, LIVE_SHAPES), wk_ok);
        wkCloudView none = wkMakeCloudView(NULL, 0);
        wkCudaFieldRequest frame = wkDefaultCudaFieldRequest();
        frame.allowsEmpty = true;
        assert_int_equal(
            wkCudaField_Update(live.field, &none, wk_memoryHost, wkIdentityPose(), &frame), wk_ok);
        wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
        request.fields = &live.field;
        request.fieldCount = 1;
        uint8_t* found = (uint8_t*)calloc((size_t)b.count, 3);
        assert_non_null(found);
        uint8_t *exact = found + b.count, *larger = exact + b.count;
        assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, &request, found),
                         wk_ok);
        addShapes(b.c.all.scene, shapes, poses);
        checkWithMargin(&b, 0.0, exact);
        checkWithMargin(&b, LIVE_BAND, larger);
        liveCount += compareLive(&b, found, exact, larger);
        for (int32_t i = 0; i < b.count; i++) {
            freeCount += found[i] == wk_verdictFree;
        }
        free(found);
        wkCudaField_Destroy(live.field);
        closeGpu(&b);
        closeBatch(&b);
        wkOctree_Destroy(map);
    }
    printf("shapes change %d verdicts, %d are free\n", liveCount, freeCount);
    assert_true(liveCount > 20 && freeCount > 20);
}

// Lets bodies decide about all pairs of parts that neither convex pieces nor maps decide about.
// @return whether there are pairs of both kinds
static bool useBodiesAndPieces(wkBatch* batch)
{
    int32_t bodies = 0;
    for (int32_t i = 0; i < batch->program->pairCount; i++) {
        if (!batch->selfTables->usesPieces[i]) {
            batch->selfTables->mapOfPair[i] = -1;
            batch->hasBodyPair[i] = true;
            bodies++;
        }
    }
    return bodies > 0 && batch->selfTables->bundleCount > 0;
}

// Bodies that only the CPU compares may be near each other, and convex pieces, which it need not compare, too.
static void live_points_count_where_bodies_and_pieces_decide(void** state)
{
    (void)state;
    int freeCount = 0;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        batchOnGpu b;
        static liveCase live;
        openStates(&b, kind, wk_exactnessRefined, false, WK_CASES(400));
        if (useBodiesAndPieces(b.batch)) {
            assert_int_equal(wkBatch_CheckStates(b.batch, NULL, b.c.rows, b.count, b.expected),
                             wk_ok);
            assert_int_equal(tryGpu(&b), wk_ok);
            checkAllWays(&b, kind % 8, 1);
            openLive(&live, &b);
            wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
            request.fields = &live.field;
            request.fieldCount = 1;
            uint8_t* found = (uint8_t*)calloc((size_t)b.count, 1);
            assert_non_null(found);
            // before the first frame, everything touches
            assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, &request, found),
                             wk_ok);
            int lost = 0;
            for (int32_t i = 0; i < b.count; i++) {
                freeCount += b.expected[i] == wk_verdictFree;
                lost += found[i] == wk_verdictFree || found[i] == wk_verdictUnknown;
            }
            assert_int_equal(lost, 0);
            free(found);
            wkCudaField_Destroy(live.field);
            closeGpu(&b);
        }
        closeBatch(&b);
    }
    assert_true(freeCount > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_among_clouds_are_decided_on_the_gpu),
        cmocka_unit_test(live_points_are_as_a_cloud),
        cmocka_unit_test(live_objects_are_as_a_cloud),
        cmocka_unit_test(live_shapes_are_as_in_the_scene),
        cmocka_unit_test(live_points_count_where_bodies_and_pieces_decide),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
