// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Verdicts of batches on a GPU: those of the CPU for every configuration, in surroundings of all kinds, with every
// exactness, number type and memory; batches that are stale; failures of the GPU at every call.

#include "batch_kit.h"
#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "whisker/cuda.h"

#include <math.h>
#include <string.h>

// On an emulated GPU, a configuration takes milliseconds.
#define EMULATED_STATES 500
#define REAL_STATES 40000
#define PIECE 1024

static int32_t stateCount(void)
{
    return WK_CASES(emulatedIsUsed() ? EMULATED_STATES : REAL_STATES);
}

// A batch on both sides, and configurations.
typedef struct batchOnGpu {
    wkBatchCase c;
    wkBatch* batch;
    wkCuda* cuda;
    wkCudaBatch* onGpu;
    int32_t count, length;
    uint8_t* expected;
} batchOnGpu;

static wkResult tryGpu(batchOnGpu* b)
{
    wkCudaDef def = wkDefaultCudaDef();
    wkCudaBatchDef batchDef = wkDefaultCudaBatchDef();
    b->cuda = NULL;
    b->onGpu = NULL;
    wkResult result = wkCuda_Create(&def, &b->cuda);
    batchDef.cuda = b->cuda;
    batchDef.batch = b->batch;
    batchDef.pieceCount = PIECE;
    return result == wk_ok ? wkCudaBatch_Create(&batchDef, &b->onGpu) : result;
}

static void closeGpu(batchOnGpu* b)
{
    wkCudaBatch_Destroy(b->onGpu);
    wkCuda_Destroy(b->cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// Replaces some configurations by some that are near their limits, beyond them, far away or not finite.
static void spoilRows(batchOnGpu* b, wkRng* rng)
{
    const double hostile[] = {NAN, INFINITY, -INFINITY, 1e300, -1e30, 1e5, 7.9, -8.1, 9.0, 1e-40};
    for (int32_t i = 0; i < b->count; i++) {
        double* row = b->c.rows + (size_t)i * (size_t)b->length;
        int32_t variable = wkRngBelow(rng, b->length);
        wkVariableInfo info = wkRobot_Variable(b->c.all.robot, variable);
        if (wkRngChance(rng, 40)) {
            row[variable] = hostile[wkRngBelow(rng, 10)];
        } else if (wkRngChance(rng, 20) && isfinite(info.lower) && isfinite(info.upper)) {
            double limit = wkRngChance(rng, 2) ? info.lower : info.upper;
            row[variable] = limit + wkRngRange(rng, -1.0, 1.0) * pow(10.0, -wkRngRange(rng, 0, 12));
        }
    }
}

// Rounds the configurations to floats, as those that are sent as such.
static void roundRows(batchOnGpu* b)
{
    for (int32_t i = 0; i < b->count * b->length; i++) {
        b->c.rows[i] = (double)(float)b->c.rows[i];
    }
}

static void createBatch(batchOnGpu* b)
{
    b->batch = wkCreateBatch(&b->c.def);
    b->expected = (uint8_t*)malloc((size_t)b->count);
    assert_non_null(b->expected);
    assert_int_equal(wkBatch_CheckStates(b->batch, NULL, b->c.rows, b->count, b->expected), wk_ok);
}

static void openBatch(batchOnGpu* b, int kind, wkExactness exactness, bool checksLimits)
{
    memset(b, 0, sizeof *b);
    b->count = stateCount();
    wkMakeBatchCase(&b->c, kind, kind % 2 == 1, b->count, 1);
    b->length = wkRobot_Info(b->c.all.robot).variableCount;
    b->c.def.exactness = exactness;
    b->c.def.checksLimits = checksLimits;
    b->c.def.margin = kind % 3 == 0 ? 0.01 : 0.0;
    wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)kind);
    spoilRows(b, &rng);
    roundRows(b);
    createBatch(b);
}

static void closeBatch(batchOnGpu* b)
{
    free(b->expected);
    wkBatch_Destroy(b->batch);
    wkFreeBatchCase(&b->c);
}

static void* copyToGpu(const void* bytes, size_t byteCount)
{
    void* memory = NULL;
    assert_int_equal(cudaMalloc(&memory, byteCount), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(memory, bytes, byteCount, cudaMemcpyHostToDevice, 0),
                     cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    return memory;
}

static void compareVerdicts(const batchOnGpu* b, const uint8_t* found, bool asBits)
{
    for (int32_t i = 0; i < b->count; i++) {
        int got = asBits ? found[i / 8] >> i % 8 & 1 : found[i];
        int wanted = asBits ? b->expected[i] == wk_verdictFree : b->expected[i];
        if (got != wanted) {
            fail_msg("configuration %d: %s%s on the GPU, %s on the CPU", (int)i,
                     asBits ? "bit " : "", asBits ? (got ? "1" : "0") : wkVerdictName(got),
                     wkVerdictName(b->expected[i]));
        }
    }
    for (int32_t i = b->count; asBits && i % 32 != 0; i++) {
        assert_int_equal(found[i / 8] >> i % 8 & 1, 0); // beyond the last one
    }
}

// Checks all configurations in one way.
static void checkWay(batchOnGpu* b, const wkCudaStatesRequest* request)
{
    size_t numbers = (size_t)b->count * (size_t)b->length, capacity = (size_t)b->count + 64;
    float* floats = (float*)malloc(numbers * sizeof *floats);
    uint8_t* found = (uint8_t*)malloc(capacity);
    assert_true(floats != NULL && found != NULL);
    for (size_t i = 0; i < numbers; i++) {
        floats[i] = (float)b->c.rows[i];
    }
    memset(found, 0xee, capacity);
    const void* rows = request->areFloats ? (const void*)floats : b->c.rows;
    size_t bytes = numbers * (request->areFloats ? sizeof(float) : sizeof(double));
    void *rowsOnGpu = NULL, *foundOnGpu = NULL;
    if (request->statesIn == wk_memoryDevice) {
        rowsOnGpu = copyToGpu(rows, bytes);
    }
    if (request->verdictsIn == wk_memoryDevice) {
        foundOnGpu = copyToGpu(found, capacity);
    }
    wkResult result =
        wkCudaBatch_CheckStates(b->onGpu, rowsOnGpu != NULL ? rowsOnGpu : rows, b->count, request,
                                foundOnGpu != NULL ? foundOnGpu : (void*)found);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    if (foundOnGpu != NULL) {
        assert_int_equal(cudaMemcpyAsync(found, foundOnGpu, capacity, cudaMemcpyDeviceToHost, 0),
                         cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    }
    compareVerdicts(b, found, request->asBits);
    cudaFree(rowsOnGpu);
    cudaFree(foundOnGpu);
    free(floats);
    free(found);
}

static void checkAllWays(batchOnGpu* b, int first, int count)
{
    for (int way = first; way < first + count; way++) {
        wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
        request.areFloats = (way & 1) != 0;
        request.statesIn = (way & 2) != 0 ? wk_memoryDevice : wk_memoryHost;
        request.verdictsIn = (way & 4) != 0 ? wk_memoryDevice : wk_memoryHost;
        request.asBits = (way & 8) != 0;
        checkWay(b, &request);
    }
}

static void verdicts_are_those_of_the_cpu(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        for (int exactness = 0; exactness < 4; exactness++) {
            batchOnGpu b;
            openBatch(&b, kind, (wkExactness)exactness, (kind + exactness) % 3 != 0);
            assert_int_equal(tryGpu(&b), wk_ok);
            checkAllWays(&b, 3 * kind % 16, 1);
            int64_t left = wkCudaBatch_Info(b.onGpu).leftCount;
            print_message("%s, %s: the CPU decides %.2f %%\n", wkSurroundingsKinds[kind].name,
                          wkExactnessName((wkExactness)exactness),
                          100.0 * (double)left / (double)b.count);
            closeGpu(&b);
            closeBatch(&b);
        }
    }
}

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

static void memory_and_numbers_change_nothing(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 1, wk_exactnessRefined, true);
    assert_int_equal(tryGpu(&b), wk_ok);
    checkAllWays(&b, 0, 16);
    closeGpu(&b);
    closeBatch(&b);
}

// A batch that is not that of its scene any more is refused, on the CPU and on the GPU.
static void stale_batches_are_refused(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 0, wk_exactnessSpheres, true);
    b.count = b.count < 300 ? b.count : 300;
    assert_int_equal(tryGpu(&b), wk_ok);
    wkAddSphere(b.c.all.scene, "new", 0.4, wkMakePose(0.3, 0.1, 0.5));
    uint8_t found[300];
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, NULL, found),
                     wk_errorState);
    for (int32_t i = 0; i < b.count; i++) {
        assert_int_equal(found[i], wk_verdictInvalid);
    }
    assert_int_equal(wkBatch_Refresh(b.batch), wk_ok);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, NULL, found),
                     wk_errorState);
    assert_non_null(strstr(wkGetLastError(), "wkCudaBatch_Refresh"));
    assert_int_equal(found[0], wk_verdictInvalid);
    assert_int_equal(wkCudaBatch_Refresh(b.onGpu), wk_ok);
    assert_int_equal(wkBatch_CheckStates(b.batch, NULL, b.c.rows, b.count, b.expected), wk_ok);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, NULL, found), wk_ok);
    compareVerdicts(&b, found, false);
    closeGpu(&b);
    closeBatch(&b);
}

// A robot may need more shared memory than a GPU has, and more for its pairs than there is for tables.
static void shared_memory_changes_nothing(void** state)
{
    (void)state;
    if (!emulatedIsUsed()) {
        skip();
    }
    for (int exactness = 0; exactness < 4; exactness += 3) {
        batchOnGpu b;
        openBatch(&b, 4, (wkExactness)exactness, true);
        emulatedSetShared(20000);
        assert_int_equal(tryGpu(&b), wk_ok);
        assert_false(wkCudaBatch_Info(b.onGpu).isShared);
        checkAllWays(&b, 6, 1);
        closeGpu(&b);
        emulatedSetShared((size_t)1 << 20);
        closeBatch(&b);
    }
}

// ---- live points ----

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

static void addCloud(wkRobotScene* scene, const wkCloud* cloud)
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
    def.pointBytes = (size_t)1 << 20;
    assert_int_equal(wkCudaField_Create(&def, &live->field), wk_ok);
}

static void updateLive(const liveCase* live)
{
    wkCloudView view = wkMakeCloudView((void*)live->points, LIVE_POINTS);
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.radius = LIVE_RADIUS;
    assert_int_equal(
        wkCudaField_Update(live->field, &view, wk_memoryHost, wkIdentityPose(), &request), wk_ok);
}

static bool isContact(int verdict)
{
    return verdict == wk_verdictWorld || verdict == wk_verdictSelf;
}

// Checks against the verdicts of batches with the cloud in their scene, with the points as they are and a little larger:
// free means free, and touching means touching that.
static void compareLive(const batchOnGpu* b, const uint8_t* found, const uint8_t* exact,
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
    if (!(liveCount > b->count / 100)) {
        fail_msg("live points change %d of %d verdicts", liveCount, (int)b->count);
    }
}

static void live_points_are_as_a_cloud(void** state)
{
    (void)state;
    for (int exactness = 0; exactness < 4; exactness++) {
        batchOnGpu b;
        static liveCase live;
        openBatch(&b, 0, (wkExactness)exactness, true);
        drawLive(&live, &b, wkKitSeed() + (uint64_t)exactness);
        assert_int_equal(tryGpu(&b), wk_ok);
        openLive(&live, &b);
        uint8_t *found = (uint8_t*)malloc((size_t)b.count),
                *exact = (uint8_t*)malloc((size_t)b.count);
        uint8_t* larger = (uint8_t*)malloc((size_t)b.count);
        assert_true(found != NULL && exact != NULL && larger != NULL);
        wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
        request.fields = &live.field;
        request.fieldCount = 1;
        // before the first frame, everything touches
        assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, &request, found),
                         wk_ok);
        for (int32_t i = 0; i < b.count; i++) {
            assert_true(found[i] != wk_verdictFree && found[i] != wk_verdictUnknown);
        }
        updateLive(&live);
        assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, b.count, &request, found),
                         wk_ok);
        wkRobotScene* scene = b.c.all.scene;
        addCloud(scene, live.cloud);
        wkBatch* with = wkCreateBatch(&b.c.def);
        assert_int_equal(wkBatch_CheckStates(with, NULL, b.c.rows, b.count, exact), wk_ok);
        wkBatch_Destroy(with);
        wkBatchDef def = b.c.def;
        def.margin += LIVE_BAND;
        with = wkCreateBatch(&def);
        assert_int_equal(wkBatch_CheckStates(with, NULL, b.c.rows, b.count, larger), wk_ok);
        wkBatch_Destroy(with);
        compareLive(&b, found, exact, larger);
        free(found);
        free(exact);
        free(larger);
        wkCudaField_Destroy(live.field);
        closeGpu(&b);
        closeBatch(&b);
        wkCloud_Destroy(live.cloud);
    }
}

static void arguments_are_checked(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 0, wk_exactnessSpheres, true);
    assert_int_equal(tryGpu(&b), wk_ok);
    uint8_t found[4] = {9, 9, 9, 9};
    wkCudaStatesRequest request = wkDefaultCudaStatesRequest();
    assert_int_equal(wkCudaBatch_CheckStates(NULL, b.c.rows, 1, NULL, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, NULL, 1, NULL, found), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, NULL, NULL), wk_errorArgument);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, -1, NULL, found), wk_errorRange);
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, NULL, 0, NULL, NULL), wk_ok);
    request.statesIn = (wkCudaMemory)2;
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, &request, found),
                     wk_errorArgument);
    request = wkDefaultCudaStatesRequest();
    request.fieldCount = 5;
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, &request, found), wk_errorRange);
    request.fieldCount = 1;
    assert_int_equal(wkCudaBatch_CheckStates(b.onGpu, b.c.rows, 1, &request, found),
                     wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "fields[0]"));
    wkCudaBatchDef def = wkDefaultCudaBatchDef();
    wkCudaBatch* other = NULL;
    assert_int_equal(wkCudaBatch_Create(&def, NULL), wk_errorArgument);
    assert_int_equal(wkCudaBatch_Create(&def, &other), wk_errorArgument);
    def.cuda = b.cuda;
    assert_int_equal(wkCudaBatch_Create(&def, &other), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "batch is NULL"));
    def.batch = b.batch;
    const int64_t wrong[] = {0, -32, 1000, 1 << 27, 1025};
    for (int i = 0; i < 5; i++) {
        def.pieceCount = wrong[i];
        assert_int_equal(wkCudaBatch_Create(&def, &other), wk_errorRange);
        assert_null(other);
    }
    assert_int_equal(wkCudaBatch_Refresh(NULL), wk_errorArgument);
    wkCudaBatch_Destroy(NULL);
    assert_int_equal(wkCudaBatch_Info(NULL).byteCount, 0);
    closeGpu(&b);
    closeBatch(&b);
}

// Where the GPU fails, no configuration is free.
static wkResult checkOnce(void* context)
{
    batchOnGpu* b = (batchOnGpu*)context;
    uint8_t found[40];
    memset(found, wk_verdictFree, sizeof found);
    wkResult result = tryGpu(b);
    if (result == wk_ok) {
        result = wkCudaBatch_CheckStates(b->onGpu, b->c.rows, 40, NULL, found);
        for (int32_t i = 0; i < 40; i++) {
            assert_int_equal(found[i], result == wk_ok ? b->expected[i] : wk_verdictUnchecked);
        }
    }
    wkCudaBatch_Destroy(b->onGpu);
    wkCuda_Destroy(b->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    batchOnGpu b;
    openBatch(&b, 1, wk_exactnessRefined, true);
    assert_true(failEverywhere(checkOnce, &b) > 0);
    closeBatch(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_the_cpu),
        cmocka_unit_test(spheres_among_clouds_are_decided_on_the_gpu),
        cmocka_unit_test(memory_and_numbers_change_nothing),
        cmocka_unit_test(stale_batches_are_refused),
        cmocka_unit_test(shared_memory_changes_nothing),
        cmocka_unit_test(live_points_are_as_a_cloud),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(any_call_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
