// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Calls that are refused leave no result of an earlier call behind: every call of cuda.h, with every argument that it
// refuses, finds results that look free, or near, and takes them back. Also where results are on the GPU, and where it is
// lost.

#include "../sense/depth_kit.h"
#include "cuda_runtime_api.h"
#include "gpu_batch.h"
#include "gpu_kit.h"
#include "whisker/detail/library.h"

#include <math.h>
#include <string.h>

#define COUNT 40
#define WIDTH 24
#define HEIGHT 16
#define MOST_VARIABLES 64

typedef struct refusedCase {
    batchOnGpu b;
    wkTestImage room;
    wkSphereTree* tree;
    wkPlacedSphereTree placed;
    wkCudaTrees* trees;
    wkCudaCamera* camera;
    wkCudaDepthMap* map;
    wkCudaField* field;
    wkCudaFilter* filter;
    wkCudaScan* scan;
    wkCloud* cloud;
    wkCudaCloud* onGpu;
    float points[8][3];
    wkCloudView view;
    void* resultsOnGpu;
} refusedCase;

static void openObjects(refusedCase* r)
{
    wkCudaTreesDef trees = wkDefaultCudaTreesDef();
    trees.cuda = r->b.cuda;
    trees.trees = (const wkSphereTree* const*)&r->tree;
    trees.treeCount = 1;
    trees.pointBytes = (size_t)1 << 20;
    assert_int_equal(wkCudaTrees_Create(&trees, &r->trees), wk_ok);
    wkCudaCameraDef camera = wkDefaultCudaCameraDef();
    camera.cuda = r->b.cuda;
    camera.camera = r->room.image.camera;
    assert_int_equal(wkCudaCamera_Create(&camera, &r->camera), wk_ok);
    wkCudaDepthMapDef map = wkDefaultCudaDepthMapDef();
    map.cuda = r->b.cuda;
    map.camera = r->room.image.camera;
    assert_int_equal(wkCudaDepthMap_Create(&map, &r->map), wk_ok);
    wkCudaFieldDef field = wkDefaultCudaFieldDef();
    field.cuda = r->b.cuda;
    field.cellSize = 0.2;
    field.pointCapacity = WIDTH * HEIGHT;
    assert_int_equal(wkCudaField_Create(&field, &r->field), wk_ok);
    wkCudaFilterDef filter = wkDefaultCudaFilterDef();
    filter.cuda = r->b.cuda;
    filter.pointCapacity = 64;
    assert_int_equal(wkCudaFilter_Create(&filter, &r->filter), wk_ok);
    wkCudaScanDef scan = wkDefaultCudaScanDef();
    scan.cuda = r->b.cuda;
    scan.brickCapacity = 64;
    assert_int_equal(wkCudaScan_Create(&scan, &r->scan), wk_ok);
    wkCudaCloudDef cloud = wkDefaultCudaCloudDef();
    cloud.cuda = r->b.cuda;
    cloud.cloud = r->cloud;
    assert_int_equal(wkCudaCloud_Create(&cloud, &r->onGpu), wk_ok);
}

static void openCase(refusedCase* r)
{
    memset(r, 0, sizeof *r);
    openStates(&r->b, 0, wk_exactnessSpheres, true, COUNT);
    assert_int_equal(tryGpu(&r->b), wk_ok);
    assert_true(r->b.length <= MOST_VARIABLES);
    wkRng rng = wkMakeRng(wkKitSeed());
    r->room = wkMakeTestImage(&rng, WIDTH, HEIGHT);
    for (int i = 0; i < 8; i++) {
        r->points[i][0] = 0.1f * (float)i;
    }
    r->view = wkMakeCloudView(r->points, 8);
    wkCloudDef cloud = wkDefaultCloudDef();
    cloud.points = r->view;
    assert_int_equal(wkCloud_Create(&cloud, &r->cloud), wk_ok);
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.innerCount = 20;
    wkShape box = wkMakeBox(0.1, 0.2, 0.1);
    wkSphereTreeBody body = {&box, wkIdentityPose()};
    def.bodies = &body;
    def.bodyCount = 1;
    assert_int_equal(wkSphereTree_Create(&def, &r->tree), wk_ok);
    r->placed = (wkPlacedSphereTree){.tree = r->tree, .pose = wkIdentityPose()};
    openObjects(r);
    char zeros[4096] = {0};
    r->resultsOnGpu = copyToGpu(zeros, sizeof zeros);
}

static void closeCase(refusedCase* r)
{
    cudaFree(r->resultsOnGpu);
    wkCudaTrees_Destroy(r->trees);
    wkCudaCamera_Destroy(r->camera);
    wkCudaDepthMap_Destroy(r->map);
    wkCudaField_Destroy(r->field);
    wkCudaFilter_Destroy(r->filter);
    wkCudaScan_Destroy(r->scan);
    wkCudaCloud_Destroy(r->onGpu);
    wkCloud_Destroy(r->cloud);
    wkSphereTree_Destroy(r->tree);
    free(r->room.depths);
    closeGpu(&r->b);
    closeBatch(&r->b);
}

// ---- verdicts of configurations ----

// Bytes that are free for each configuration, or free bits.
static void expectNoneFree(const refusedCase* r, const wkCudaStatesRequest* request, uint8_t* found)
{
    size_t bytes = request->asBits ? 2 * sizeof(uint32_t) : COUNT;
    if (request->verdictsIn == wk_memoryDevice) {
        cudaMemcpyAsync(found, r->resultsOnGpu, bytes, cudaMemcpyDeviceToHost, 0);
        cudaStreamSynchronize(0);
    }
    for (size_t i = 0; i < bytes; i++) {
        assert_true(request->asBits ? found[i] == 0 : found[i] != wk_verdictFree);
    }
}

typedef wkResult checkFcn(refusedCase* r, const wkCudaStatesRequest* request, void* verdicts);

// Calls with verdicts that look free.
static void expectRefused(refusedCase* r, checkFcn* check, wkCudaStatesRequest request)
{
    for (int way = 0; way < 4; way++) {
        uint8_t found[COUNT];
        memset(found, way % 2 == 0 ? wk_verdictFree : 0xff, sizeof found);
        cudaMemcpyAsync(r->resultsOnGpu, found, sizeof found, cudaMemcpyHostToDevice, 0);
        cudaStreamSynchronize(0);
        request.asBits = way % 2 == 1;
        request.verdictsIn = way < 2 ? wk_memoryHost : wk_memoryDevice;
        wkSetLastError(wk_ok, "");
        wkResult result = check(r, &request, way < 2 ? found : r->resultsOnGpu);
        assert_int_not_equal(result, wk_ok);
        assert_null(strstr(wkGetLastError(), "clearing")); // why it was refused
        assert_true(strlen(wkGetLastError()) > 0);
        expectNoneFree(r, &request, found);
    }
}

static wkResult checkStates(refusedCase* r, const wkCudaStatesRequest* request, void* verdicts)
{
    return wkCudaBatch_CheckStates(r->b.onGpu, r->b.c.rows, COUNT, request, verdicts);
}

static wkResult checkNothing(refusedCase* r, const wkCudaStatesRequest* request, void* verdicts)
{
    return wkCudaBatch_CheckStates(r->b.onGpu, NULL, COUNT, request, verdicts);
}

static wkResult checkTwice(refusedCase* r, const wkCudaStatesRequest* request, void* verdicts)
{
    wkCudaBatch* batches[2] = {r->b.onGpu, r->b.onGpu};
    return wkCudaBatches_CheckStates(batches, 2, r->b.c.rows, COUNT, request, verdicts);
}

static wkResult checkSecondMissing(refusedCase* r, const wkCudaStatesRequest* request,
                                   void* verdicts)
{
    wkCudaBatch* batches[2] = {r->b.onGpu, NULL};
    return wkCudaBatches_CheckStates(batches, 2, r->b.c.rows, COUNT, request, verdicts);
}

static wkResult checkFrameOf(refusedCase* r, wkCudaFrame frame, const void* rows,
                             const wkCudaStatesRequest* request, void* verdicts)
{
    wkCudaFieldRequest known = wkDefaultCudaFieldRequest();
    assert_int_equal(
        wkCudaField_Update(r->field, &r->view, wk_memoryHost, wkIdentityPose(), &known), wk_ok);
    wkResult result = wkCudaBatch_CheckFrame(r->b.onGpu, &frame, rows, COUNT, request, verdicts);
    bool isNamed = frame.cookie == wkDefaultCudaFrame().cookie && frame.field != NULL;
    assert_int_equal(wkCudaField_Info(r->field).isKnown, !isNamed);
    return result;
}

static wkCudaFrame frameOf(refusedCase* r)
{
    wkCudaFrame frame = wkDefaultCudaFrame();
    frame.field = r->field;
    frame.camera = r->camera;
    frame.image = &r->room.image;
    return frame;
}

static wkResult checkFrame(refusedCase* r, const wkCudaStatesRequest* request, void* verdicts)
{
    return checkFrameOf(r, frameOf(r), r->b.c.rows, request, verdicts);
}

static wkResult checkFrameWithoutRows(refusedCase* r, const wkCudaStatesRequest* request,
                                      void* verdicts)
{
    return checkFrameOf(r, frameOf(r), NULL, request, verdicts);
}

static wkResult checkFrameWithoutField(refusedCase* r, const wkCudaStatesRequest* request,
                                       void* verdicts)
{
    wkCudaFrame frame = frameOf(r);
    frame.field = NULL;
    return checkFrameOf(r, frame, r->b.c.rows, request, verdicts);
}

static wkResult checkFrameWithoutImage(refusedCase* r, const wkCudaStatesRequest* request,
                                       void* verdicts)
{
    wkCudaFrame frame = frameOf(r);
    frame.image = NULL;
    return checkFrameOf(r, frame, r->b.c.rows, request, verdicts);
}

static wkResult checkFrameWithRadius(refusedCase* r, const wkCudaStatesRequest* request,
                                     void* verdicts)
{
    wkCudaFrame frame = frameOf(r);
    frame.points.radius = (double)NAN;
    return checkFrameOf(r, frame, r->b.c.rows, request, verdicts);
}

static wkResult checkFrameElsewhere(refusedCase* r, const wkCudaStatesRequest* request,
                                    void* verdicts)
{
    wkCudaFrame frame = frameOf(r);
    frame.pixelsIn = (wkCudaMemory)2;
    return checkFrameOf(r, frame, r->b.c.rows, request, verdicts);
}

static wkResult checkCoveredFrame(refusedCase* r, const wkCudaStatesRequest* request,
                                  void* verdicts)
{
    static float covered[WIDTH * HEIGHT];
    wkDepthImage image = r->room.image;
    image.pixels = covered;
    wkCudaFrame frame = frameOf(r);
    frame.image = &image;
    return checkFrameOf(r, frame, r->b.c.rows, request, verdicts);
}

static void verdicts_of_configurations_are_taken_back(void** state)
{
    (void)state;
    static refusedCase r;
    openCase(&r);
    wkCudaStatesRequest good = wkDefaultCudaStatesRequest(), bad = good;
    checkFcn* const always[] = {checkNothing,           checkTwice,
                                checkSecondMissing,     checkFrameWithoutRows,
                                checkFrameWithoutField, checkFrameWithoutImage,
                                checkFrameWithRadius,   checkFrameElsewhere,
                                checkCoveredFrame};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        expectRefused(&r, always[i], good);
    }
    for (int i = 0; i < 2; i++) {
        checkFcn* check = i == 0 ? checkStates : checkFrame;
        bad.statesIn = (wkCudaMemory)7;
        expectRefused(&r, check, bad);
        bad = good;
        bad.fieldCount = 5;
        expectRefused(&r, check, bad);
        bad.fieldCount = 1;
        expectRefused(&r, check, bad);
        bad.fieldCount = -1;
        expectRefused(&r, check, bad);
        bad = good;
    }
    // a scene that has changed
    wkAddSphere(r.b.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    expectRefused(&r, checkStates, good);
    expectRefused(&r, checkFrame, good);
    closeCase(&r);
}

static void verdicts_of_a_lost_gpu_are_taken_back(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    static refusedCase r;
    openCase(&r);
    uint8_t found[COUNT];
    memset(found, wk_verdictFree, sizeof found);
    emulatedFailCall(0, 999, 1);
    assert_int_equal(wkCudaBatch_CheckStates(r.b.onGpu, r.b.c.rows, COUNT, NULL, found),
                     wk_errorDevice);
    emulatedFailCall(-1, 0, 0);
    for (int i = 0; i < COUNT; i++) {
        assert_int_equal(found[i], wk_verdictUnchecked);
    }
    closeCase(&r);
}

// ---- motions and clearances ----

static void expectRefusedMotions(refusedCase* r, wkCudaMotionsRequest request, const double* from,
                                 wkVerdict expected)
{
    for (int way = 0; way < 2; way++) {
        wkBatchMotionResult found[COUNT];
        for (int i = 0; i < COUNT; i++) {
            found[i] = (wkBatchMotionResult){wk_verdictFree, 1.0f, -1, 1};
        }
        cudaMemcpyAsync(r->resultsOnGpu, found, sizeof found, cudaMemcpyHostToDevice, 0);
        cudaStreamSynchronize(0);
        request.where.verdictsIn = way == 0 ? wk_memoryHost : wk_memoryDevice;
        wkBatchMotionResult* results = way == 0 ? found : (wkBatchMotionResult*)r->resultsOnGpu;
        assert_int_not_equal(
            wkCudaBatch_CheckMotions(r->b.onGpu, from, r->b.c.rows, COUNT, &request, results),
            wk_ok);
        if (way == 1) {
            cudaMemcpyAsync(found, r->resultsOnGpu, sizeof found, cudaMemcpyDeviceToHost, 0);
            cudaStreamSynchronize(0);
        }
        for (int i = 0; i < COUNT; i++) {
            assert_int_equal(found[i].verdict, expected);
            assert_true(expected == wk_verdictInvalid ? found[i].time == 0.0f
                                                      : isnan(found[i].time));
        }
    }
}

static void results_of_motions_are_taken_back(void** state)
{
    (void)state;
    static refusedCase r;
    openCase(&r);
    const double* rows = r.b.c.rows;
    wkCudaMotionsRequest good = wkDefaultCudaMotionsRequest(), bad = good;
    expectRefusedMotions(&r, good, NULL, wk_verdictUnchecked);
    bad.where.asBits = true;
    expectRefusedMotions(&r, bad, rows, wk_verdictUnchecked);
    bad = good;
    bad.where.statesIn = (wkCudaMemory)2;
    expectRefusedMotions(&r, bad, rows, wk_verdictUnchecked);
    bad = good;
    bad.where.fieldCount = 1;
    expectRefusedMotions(&r, bad, rows, wk_verdictUnchecked);
    bad = good;
    bad.motion.step = (double)NAN;
    expectRefusedMotions(&r, bad, rows, wk_verdictUnchecked);
    bad = good;
    bad.motion.cookie = 0;
    expectRefusedMotions(&r, bad, rows, wk_verdictUnchecked);
    bad = good;
    bad.motion.wantsFirst = bad.motion.isCertified = true;
    bad.where.fields = &r.field;
    bad.where.fieldCount = 1;
    expectRefusedMotions(&r, bad, rows, wk_verdictUnchecked);
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    def.cuda = r.b.cuda;
    def.batch = r.b.batch;
    def.pieceCount = 1024;
    def.motionCount = 0;
    wkCudaBatch *without = NULL, *with = r.b.onGpu;
    assert_int_equal(wkCudaBatch_Create(&def, &without), wk_ok);
    r.b.onGpu = without;
    expectRefusedMotions(&r, good, rows, wk_verdictUnchecked);
    r.b.onGpu = with;
    wkCudaBatch_Destroy(without);
    wkAddSphere(r.b.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    expectRefusedMotions(&r, good, rows, wk_verdictInvalid);
    closeCase(&r);
}

static void expectRefusedClearances(refusedCase* r, wkCudaClearancesRequest request,
                                    const double* rows, double cutoff)
{
    for (int way = 0; way < 2; way++) {
        static float found[COUNT], gradients[COUNT * MOST_VARIABLES];
        for (int i = 0; i < COUNT; i++) {
            found[i] = 1.0f;
        }
        for (int i = 0; i < COUNT * MOST_VARIABLES; i++) {
            gradients[i] = 1.0f;
        }
        cudaMemcpyAsync(r->resultsOnGpu, found, sizeof found, cudaMemcpyHostToDevice, 0);
        cudaStreamSynchronize(0);
        request.where.verdictsIn = way == 0 ? wk_memoryHost : wk_memoryDevice;
        request.gradients = way == 0 ? gradients : NULL;
        assert_int_not_equal(wkCudaBatch_Clearances(r->b.onGpu, rows, COUNT, &request, cutoff,
                                                    way == 0 ? found : (float*)r->resultsOnGpu),
                             wk_ok);
        if (way == 1) {
            cudaMemcpyAsync(found, r->resultsOnGpu, sizeof found, cudaMemcpyDeviceToHost, 0);
            cudaStreamSynchronize(0);
        }
        for (int i = 0; i < COUNT; i++) {
            assert_true(isnan(found[i]));
        }
        for (int i = 0; i < COUNT * r->b.length && way == 0; i++) {
            assert_true(isnan(gradients[i]));
        }
    }
}

static void clearances_are_taken_back(void** state)
{
    (void)state;
    static refusedCase r;
    openCase(&r);
    const double* rows = r.b.c.rows;
    wkCudaClearancesRequest good = wkDefaultCudaClearancesRequest(), bad = good;
    expectRefusedClearances(&r, good, NULL, 0.1);
    expectRefusedClearances(&r, good, rows, (double)NAN);
    expectRefusedClearances(&r, good, rows, 0.0);
    bad.where.asBits = true;
    expectRefusedClearances(&r, bad, rows, 0.1);
    bad = good;
    bad.where.statesIn = (wkCudaMemory)2;
    expectRefusedClearances(&r, bad, rows, 0.1);
    bad = good;
    bad.where.fieldCount = 1;
    expectRefusedClearances(&r, bad, rows, 0.1);
    wkAddSphere(r.b.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    expectRefusedClearances(&r, good, rows, 0.1);
    float clearance = 1.0f;
    assert_int_not_equal(wkCudaBatches_Clearances(NULL, 1, rows, 1, NULL, 0.1, &clearance), wk_ok);
    assert_true(isnan(clearance));
    closeCase(&r);
}

// ---- points and images ----

static void expectUndecided(wkResult result, wkSphereTreeResult* found)
{
    assert_int_not_equal(result, wk_ok);
    assert_int_equal(found->verdict, wk_sphereUndecided);
    assert_true(found->lower == 0.0 && found->upper == INFINITY && found->point == -1);
    *found = (wkSphereTreeResult){wk_sphereFree, 1.0, 1.0, 0, 0, 0, 0};
}

static void distances_of_trees_are_taken_back(void** state)
{
    (void)state;
    static refusedCase r;
    openCase(&r);
    const wkPlacedSphereTree* placed = &r.placed;
    const wkCloudView* view = &r.view;
    wkPose pose = wkIdentityPose(), wrong = pose;
    wrong.position.x = (double)NAN;
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    request.cookie = 0;
    wkCudaMemory none = (wkCudaMemory)2;
    wkSphereTreeResult found = {wk_sphereFree, 1.0, 1.0, 0, 0, 0, 0};
    wkCudaTrees* t = r.trees;
    wkSphereTreeResult* to = &found;
    expectUndecided(
        wkCudaTrees_PointDistances(NULL, placed, 1, view, wk_memoryHost, pose, NULL, to), to);
    expectUndecided(wkCudaTrees_PointDistances(t, NULL, 1, view, wk_memoryHost, pose, NULL, to),
                    to);
    expectUndecided(wkCudaTrees_PointDistances(t, placed, 1, NULL, wk_memoryHost, pose, NULL, to),
                    to);
    expectUndecided(wkCudaTrees_PointDistances(t, placed, 1, view, none, pose, NULL, to), to);
    expectUndecided(wkCudaTrees_PointDistances(t, placed, 1, view, wk_memoryHost, wrong, NULL, to),
                    to);
    expectUndecided(
        wkCudaTrees_PointDistances(t, placed, 1, view, wk_memoryHost, pose, &request, to), to);
    assert_int_not_equal(
        wkCudaTrees_PointDistances(t, placed, 1, view, wk_memoryHost, pose, NULL, NULL), wk_ok);
    const wkDepthImage* image = &r.room.image;
    expectUndecided(wkCudaCamera_DepthDistances(NULL, t, placed, 1, image, wk_memoryHost, NULL, to),
                    to);
    expectUndecided(
        wkCudaCamera_DepthDistances(r.camera, NULL, placed, 1, image, wk_memoryHost, NULL, to), to);
    expectUndecided(
        wkCudaCamera_DepthDistances(r.camera, t, placed, 1, NULL, wk_memoryHost, NULL, to), to);
    expectUndecided(wkCudaCamera_DepthDistances(r.camera, t, placed, 1, image, none, NULL, to), to);
    uint8_t touched[1000];
    double volume = 0.0;
    assert_int_not_equal(wkCudaTrees_PointVolumes(t, placed, 1, view, none, pose, NULL, touched,
                                                  sizeof touched, &volume),
                         wk_ok);
    assert_true(isnan(volume));
    volume = 0.0;
    assert_int_not_equal(wkCudaTrees_PointVolumes(t, placed, 1, view, wk_memoryHost, pose, NULL,
                                                  touched, 0, &volume),
                         wk_ok);
    assert_true(isnan(volume));
    assert_int_not_equal(wkCudaTrees_PointVolumes(t, placed, 1, view, none, pose, NULL, touched,
                                                  sizeof touched, NULL),
                         wk_ok);
    closeCase(&r);
}

static void expectUnchecked(wkResult result, uint8_t* verdict)
{
    assert_int_not_equal(result, wk_ok);
    assert_int_equal(*verdict, wk_verdictUnchecked);
    *verdict = wk_verdictFree;
}

static void verdicts_of_spheres_are_taken_back(void** state)
{
    (void)state;
    static refusedCase r;
    openCase(&r);
    float sphere[4] = {0.0f, 0.0f, 0.0f, 0.1f};
    wkCudaMemory none = (wkCudaMemory)2;
    uint8_t found = wk_verdictFree;
    expectUnchecked(wkCudaField_CheckSpheres(NULL, sphere, wk_memoryHost, 1, &found), &found);
    expectUnchecked(wkCudaField_CheckSpheres(r.field, NULL, wk_memoryHost, 1, &found), &found);
    expectUnchecked(wkCudaField_CheckSpheres(r.field, sphere, none, 1, &found), &found);
    _Static_assert(wk_depthUnchecked == (int)wk_verdictUnchecked, "both are expected");
    _Static_assert(wk_depthFree == (int)wk_verdictFree, "both are set before");
    wkDepthVerdict stop = wk_depthHit;
    expectUnchecked(wkCudaDepthMap_CheckSets(NULL, sphere, wk_memoryHost, 1, 1, stop, &found),
                    &found);
    expectUnchecked(wkCudaDepthMap_CheckSets(r.map, NULL, wk_memoryHost, 1, 1, stop, &found),
                    &found);
    expectUnchecked(wkCudaDepthMap_CheckSets(r.map, sphere, none, 1, 1, stop, &found), &found);
    expectUnchecked(wkCudaDepthMap_CheckSets(r.map, sphere, wk_memoryHost, -1, 1, stop, &found),
                    &found);
    expectUnchecked(
        wkCudaDepthMap_CheckSets(r.map, sphere, wk_memoryHost, 1, 1, wk_depthFree, &found), &found);
    closeCase(&r);
}

static void fields_that_are_refused_are_not_known(void** state)
{
    (void)state;
    static refusedCase r;
    openCase(&r);
    wkPose wrong = wkIdentityPose();
    wrong.rotation = (wkQuat){0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 6; i++) {
        wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
        assert_int_equal(
            wkCudaField_Update(r.field, &r.view, wk_memoryHost, wkIdentityPose(), &request), wk_ok);
        assert_true(wkCudaField_Info(r.field).isKnown);
        request.cookie ^= i == 0 ? 1u : 0u;
        request.ownCount = i == 1 ? 1 : 0;
        wkCudaMemory memory = i == 2 ? (wkCudaMemory)2 : wk_memoryHost;
        wkResult result =
            i == 4   ? wkCudaField_UpdateFromDepth(r.field, NULL, &r.room.image, memory, &request)
            : i == 5 ? wkCudaField_UpdateFromDepth(r.field, r.camera, NULL, memory, &request)
                     : wkCudaField_Update(r.field, &r.view, memory,
                                          i == 3 ? wrong : wkIdentityPose(), &request);
        assert_int_not_equal(result, wk_ok);
        assert_false(wkCudaField_Info(r.field).isKnown);
    }
    // objects, of which a field of this definition has none
    wkShape sphere = wkMakeSphere(0.1);
    wkPose pose = wkIdentityPose();
    for (int i = 0; i < 4; i++) {
        assert_int_equal(wkCudaField_SetObjects(r.field, NULL, NULL, 0), wk_ok);
        assert_int_equal(wkCudaField_Update(r.field, &r.view, wk_memoryHost, pose, NULL), wk_ok);
        assert_true(wkCudaField_Info(r.field).isKnown);
        const wkShape* shapes = i == 0 ? NULL : &sphere;
        const wkPose* poses = i == 1 ? NULL : i == 2 ? &wrong : &pose;
        assert_int_not_equal(wkCudaField_SetObjects(r.field, shapes, poses, i == 3 ? -1 : 1),
                             wk_ok);
        assert_false(wkCudaField_Info(r.field).isKnown);
        float inside[4] = {0.5f, 0.5f, 0.5f, 0.01f};
        uint8_t verdict = wk_verdictFree;
        assert_int_equal(wkCudaField_CheckSpheres(r.field, inside, wk_memoryHost, 1, &verdict),
                         wk_ok);
        assert_int_equal(verdict, wk_verdictWorld);
        assert_int_not_equal(wkCudaField_Update(r.field, &r.view, wk_memoryHost, pose, NULL),
                             wk_ok);
        assert_false(wkCudaField_Info(r.field).isKnown);
    }
    closeCase(&r);
}

// ---- numbers that are not where they are said to be ----

static void expectSaid(wkResult result, const char* words)
{
    assert_int_equal(result, wk_errorArgument);
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("%s: %s", words, wkGetLastError());
    }
}

// Kernels that read such numbers would end all use of the GPU.
static void numbers_elsewhere_are_refused(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip(); // some GPUs read all memory of the host
    }
    static refusedCase r;
    openCase(&r);
    char* there = (char*)r.resultsOnGpu;
    static double numbers[COUNT * MOST_VARIABLES];
    double* rows = (double*)copyToGpu(r.b.c.rows, sizeof(double) * COUNT * (size_t)r.b.length);
    wkCudaMemory onGpu = wk_memoryDevice;
    wkPose pose = wkIdentityPose();

    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    request.statesIn = onGpu;
    uint8_t found[COUNT];
    wkCudaBatch* batch = r.b.onGpu;
    expectSaid(wkCudaBatch_CheckStates(batch, numbers, COUNT, &request, found),
               "configurations are not in the memory of GPU 0");
    expectSaid(wkCudaBatch_CheckStates(batch, (char*)rows + 4, 1, &request, found),
               "configurations on the GPU are not aligned to 8 bytes");
    request.areFloats = true;
    assert_int_equal(wkCudaBatch_CheckStates(batch, (char*)rows + 4, 1, &request, found), wk_ok);
    expectSaid(wkCudaBatch_CheckStates(batch, (char*)rows + 2, 1, &request, found),
               "configurations on the GPU are not aligned to 4 bytes");
    request = wkDefaultCudaStatesRequest();
    request.verdictsIn = onGpu;
    expectSaid(wkCudaBatch_CheckStates(batch, r.b.c.rows, COUNT, &request, found),
               "verdicts are not in the memory of GPU 0");
    assert_int_equal(wkCudaBatch_CheckStates(batch, r.b.c.rows, COUNT, &request, there + 1), wk_ok);
    request.asBits = true;
    expectSaid(wkCudaBatch_CheckStates(batch, r.b.c.rows, COUNT, &request, there + 2),
               "verdicts on the GPU are not aligned to 4 bytes");

    wkCudaClearancesRequest clearances = wkDefaultCudaClearancesRequest();
    clearances.where.verdictsIn = onGpu;
    float values[COUNT];
    expectSaid(wkCudaBatch_Clearances(batch, r.b.c.rows, COUNT, &clearances, 0.1, values),
               "clearances are not in the memory");
    clearances.gradients = values;
    expectSaid(
        wkCudaBatch_Clearances(batch, r.b.c.rows, COUNT, &clearances, 0.1, (float*)(void*)there),
        "gradients are not in the memory");
    wkCudaMotionsRequest motions = wkDefaultCudaMotionsRequest();
    motions.where.statesIn = onGpu;
    wkBatchMotionResult ends[COUNT];
    expectSaid(wkCudaBatch_CheckMotions(batch, rows, numbers, 1, &motions, ends),
               "configurations are not in the memory");
    motions = wkDefaultCudaMotionsRequest();
    motions.where.verdictsIn = onGpu;
    expectSaid(wkCudaBatch_CheckMotions(batch, r.b.c.rows, r.b.c.rows, 1, &motions, ends),
               "results are not in the memory");

    wkSphereTreeResult tree;
    const float* spheres = (const float*)(const void*)numbers;
    expectSaid(wkCudaTrees_PointDistances(r.trees, &r.placed, 1, &r.view, onGpu, pose, NULL, &tree),
               "points are not in the memory");
    expectSaid(wkCudaField_Update(r.field, &r.view, onGpu, pose, NULL),
               "points are not in the memory");
    expectSaid(wkCudaField_UpdateFromDepth(r.field, r.camera, &r.room.image, onGpu, NULL),
               "pixels are not in the memory");
    expectSaid(wkCudaField_CheckSpheres(r.field, spheres, onGpu, 1, found), "spheres ");
    expectSaid(wkCudaDepthMap_Update(r.map, &r.room.image, onGpu, NULL, NULL),
               "pixels are not in the memory");
    expectSaid(wkCudaDepthMap_CheckSets(r.map, spheres, onGpu, 1, 1, wk_depthHit, found),
               "spheres ");
    wkCudaFilterRequest filter = wkDefaultCudaFilterRequest();
    wkCudaFilterResult filtered;
    filter.filter.points = r.view;
    filter.pointsIn = onGpu;
    expectSaid(wkCudaFilter_Run(r.filter, &filter, &filtered), "points are not in the memory");
    wkOctreeDef octreeDef = wkDefaultOctreeDef();
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&octreeDef, &octree), wk_ok);
    wkScan scan = wkDefaultScan();
    scan.points = (wkPointsView){r.points[0], 8, 0};
    expectSaid(wkCudaScan_Insert(r.scan, octree, &scan, onGpu, NULL),
               "points are not in the memory");
    scan.points = (wkPointsView){(const float*)(const void*)(there + 2), 8, 0};
    expectSaid(wkCudaScan_Insert(r.scan, octree, &scan, onGpu, NULL), "aligned to 4 bytes");
    wkOctree_Destroy(octree);
    cudaFree(rows);
    closeCase(&r);
}

// ---- all other results ----

static bool isZero(const void* bytes, size_t byteCount)
{
    bool isAny = false;
    for (size_t i = 0; i < byteCount; i++) {
        isAny = isAny || ((const char*)bytes)[i] != 0;
    }
    return !isAny;
}

static void figures_are_taken_back(void** state)
{
    (void)state;
    static refusedCase r;
    openCase(&r);
    wkCudaFilterRequest request = wkDefaultCudaFilterRequest();
    wkCudaFilterResult filtered;
    memset(&filtered, 1, sizeof filtered);
    request.pointsIn = (wkCudaMemory)2;
    assert_int_not_equal(wkCudaFilter_Run(r.filter, &request, &filtered), wk_ok);
    assert_true(isZero(&filtered, sizeof filtered));
    wkScan scan = wkDefaultScan();
    wkScanInfo info;
    for (int i = 0; i < 3; i++) {
        memset(&info, 1, sizeof info);
        assert_int_not_equal(wkCudaScan_Insert(i == 0 ? NULL : r.scan, NULL, &scan,
                                               i == 1 ? (wkCudaMemory)2 : wk_memoryHost, &info),
                             wk_ok);
        assert_true(isZero(&info, sizeof info));
    }
    wkPose wrong = wkIdentityPose();
    wrong.position.x = (double)NAN;
    wkCenterResult center =
        wkCudaCloud_CenterDistance(r.onGpu, wrong, r.onGpu, wkIdentityPose(), NULL);
    assert_true(center.status == wk_statusInvalid && center.distance == -INFINITY);
    center = wkCudaCloud_CenterDistance(r.onGpu, wrong, NULL, wkIdentityPose(), NULL);
    assert_true(center.status == wk_statusInvalid && center.distance == -INFINITY);
    wkCenterChoice choice;
    center = wkCudaCosts_CenterDistance(NULL, r.onGpu, wkIdentityPose(), r.onGpu, wkIdentityPose(),
                                        NULL, &choice);
    assert_true(center.status == wk_statusInvalid && center.distance == -INFINITY);
    assert_true(choice.seconds[0] == INFINITY);
    wkCudaCostsDef def = wkDefaultCudaCostsDef();
    def.runSeconds = (double)NAN;
    wkCudaCosts costs;
    wkCpuGpuCost cost;
    wkCudaRobotCosts robotCosts;
    memset(&costs, 1, sizeof costs);
    assert_int_not_equal(wkCuda_MeasureCosts(r.b.cuda, &def, &costs), wk_ok);
    assert_true(isZero(&costs, sizeof costs));
    memset(&cost, 1, sizeof cost);
    assert_int_not_equal(wkCudaBatch_MeasureCosts(r.b.onGpu, r.b.c.rows, COUNT, &def, &cost),
                         wk_ok);
    assert_true(isZero(&cost, sizeof cost));
    memset(&cost, 1, sizeof cost);
    assert_int_not_equal(wkCudaTrees_MeasureCosts(r.trees, &r.placed, 1, &r.view, wkIdentityPose(),
                                                  NULL, &def, &cost),
                         wk_ok);
    assert_true(isZero(&cost, sizeof cost));
    memset(&robotCosts, 1, sizeof robotCosts);
    assert_int_not_equal(wkCuda_MeasureRobotCosts(r.b.cuda, &def, &robotCosts), wk_ok);
    assert_true(isZero(&robotCosts, sizeof robotCosts));
    closeCase(&r);
}

static void objects_that_are_refused_are_null(void** state)
{
    (void)state;
    static char some;
    wkCuda* cuda = (wkCuda*)(void*)&some;
    void* pinned = &some;
    wkCudaTrees* trees = (wkCudaTrees*)(void*)&some;
    wkCudaCamera* camera = (wkCudaCamera*)(void*)&some;
    wkCudaDepthMap* map = (wkCudaDepthMap*)(void*)&some;
    wkCudaField* field = (wkCudaField*)(void*)&some;
    wkCudaFilter* filter = (wkCudaFilter*)(void*)&some;
    wkCudaScan* scan = (wkCudaScan*)(void*)&some;
    wkCudaCloud* cloud = (wkCudaCloud*)(void*)&some;
    wkCudaBatch* batch = (wkCudaBatch*)(void*)&some;
    wkCudaDef def = wkDefaultCudaDef();
    def.device = -2;
    wkCudaTreesDef treesDef = wkDefaultCudaTreesDef();
    wkCudaCameraDef cameraDef = wkDefaultCudaCameraDef();
    wkCudaDepthMapDef mapDef = wkDefaultCudaDepthMapDef();
    wkCudaFieldDef fieldDef = wkDefaultCudaFieldDef();
    wkCudaFilterDef filterDef = wkDefaultCudaFilterDef();
    wkCudaScanDef scanDef = wkDefaultCudaScanDef();
    wkCudaCloudDef cloudDef = wkDefaultCudaCloudDef();
    wkCudaBatchDef batchDef = wkDefaultCudaBatchDef();
    assert_int_not_equal(wkCuda_Create(&def, &cuda), wk_ok);
    assert_int_not_equal(wkCuda_AllocatePinned(NULL, 1, &pinned), wk_ok);
    assert_int_not_equal(wkCudaTrees_Create(&treesDef, &trees), wk_ok);
    assert_int_not_equal(wkCudaCamera_Create(&cameraDef, &camera), wk_ok);
    assert_int_not_equal(wkCudaDepthMap_Create(&mapDef, &map), wk_ok);
    assert_int_not_equal(wkCudaField_Create(&fieldDef, &field), wk_ok);
    assert_int_not_equal(wkCudaFilter_Create(&filterDef, &filter), wk_ok);
    assert_int_not_equal(wkCudaScan_Create(&scanDef, &scan), wk_ok);
    assert_int_not_equal(wkCudaCloud_Create(&cloudDef, &cloud), wk_ok);
    assert_int_not_equal(wkCudaBatch_Create(&batchDef, &batch), wk_ok);
    assert_true(cuda == NULL && pinned == NULL && trees == NULL && camera == NULL && map == NULL);
    assert_true(field == NULL && filter == NULL && scan == NULL && cloud == NULL && batch == NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_of_configurations_are_taken_back),
        cmocka_unit_test(verdicts_of_a_lost_gpu_are_taken_back),
        cmocka_unit_test(results_of_motions_are_taken_back),
        cmocka_unit_test(clearances_are_taken_back),
        cmocka_unit_test(distances_of_trees_are_taken_back),
        cmocka_unit_test(verdicts_of_spheres_are_taken_back),
        cmocka_unit_test(fields_that_are_refused_are_not_known),
        cmocka_unit_test(numbers_elsewhere_are_refused),
        cmocka_unit_test(figures_are_taken_back),
        cmocka_unit_test(objects_that_are_refused_are_null),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
