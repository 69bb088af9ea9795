// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearances of batches on a GPU among live points and objects: the least of those of the CPU and of the distances of all
// spheres from all points in doubles, never above; points larger than spheres, with radii of their own; gradients beside
// slopes; points in any order and several fields; what fields do not know; failures of the GPU at every call.

#include "batch/batch_impl.h"
#include "batch_kit.h"
#include "cuda/live_nearest_item.h"
#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_kit.h"
#include "robot/robot_scene_impl.h"
#include "whisker/cuda.h"

#include <math.h>
#include <string.h>

#define EMULATED_STATES 48
#define REAL_STATES 500
#define EMULATED_POINTS 60
#define REAL_POINTS 2000
#define POINT_RADIUS 0.004
#define OBJECTS 8
#define CUTOFF 0.3
#define REACH 0.6 // of fields: the cutoff and the largest sphere

// Centers of spheres are placed by floats, as in the batch: distances may be above those of doubles by this.
#define PLACING 4e-6
// And below, by rounding in a region of some metres, and by what the spheres of the batch are larger for theirs.
#define BELOW 1e-5

// Configurations at which derivatives are compared, which takes most of the time.
#define SLOPE_STATES 100

typedef struct liveClearances {
    wkBatchCase c;
    wkBatch* batch;
    wkCuda* cuda;
    wkCudaBatch* onGpu;
    wkCudaField* field;
    wkAabb region; // of centers
    wkCudaClearancesRequest request;
    int32_t count, length, sphereCount, pointCount, objectCount;
    wkShape shapes[OBJECTS]; // of the field
    wkPose poses[OBJECTS];
    wkSphere3d* spheres; // of a configuration
    float (*points)[4];  // with radii of their own
    double pointRadius;  // of all
    double below;        // by which clearances may be below those of exact arithmetic
    float* alone;        // of the CPU, without points
    float* found;
    float* gradients;
} liveClearances;

static void* take(size_t count, size_t size)
{
    void* memory = calloc(count + 1, size);
    assert_non_null(memory);
    return memory;
}

static const double* rowOf(const liveClearances* m, int32_t state)
{
    return m->c.rows + (size_t)state * (size_t)m->length;
}

// Places the spheres of a configuration, with padding and margin.
static void placeSpheres(const liveClearances* m, const double* row)
{
    wkSphereModel_PlaceLinks(m->c.model, m->c.def.base, row, m->spheres);
    for (int32_t i = 0; i < m->sphereCount; i++) {
        double padding = m->c.def.scene->paddings[wkSphereModel_Sphere(m->c.model, i).link];
        m->spheres[i].radius += fmax(padding, 0.0) + m->c.def.margin;
    }
}

// Returns the least distance of the spheres from points and objects, by all pairs; at most what is known within a reach.
static double distanceOfAll(const liveClearances* m, const double* row, double reach)
{
    double least = CUTOFF;
    placeSpheres(m, row);
    for (int32_t i = 0; i < m->sphereCount; i++) {
        wkSphere3d sphere = m->spheres[i];
        least = fmin(least, reach - sphere.radius);
        for (int32_t k = 0; k < m->pointCount; k++) {
            const float* p = m->points[k];
            wkVec3d way = {(double)p[0] - sphere.center.x, (double)p[1] - sphere.center.y,
                           (double)p[2] - sphere.center.z};
            double radii = sphere.radius + m->pointRadius + (double)p[3];
            least = fmin(least, wkLength(way) - radii);
        }
        for (int32_t k = 0; k < m->objectCount; k++) {
            double away = wkShape_PointDistance(&m->shapes[k], m->poses[k], sphere.center);
            least = fmin(least, away - sphere.radius);
        }
    }
    return least;
}

static wkResult tryField(const liveClearances* m, double cellSize, double reach,
                         wkCudaField** field)
{
    wkCudaFieldDef def = wkDefaultCudaFieldDef();
    def.cuda = m->cuda;
    def.region = m->region;
    def.cellSize = cellSize;
    def.reach = reach;
    def.pointCapacity = 4096;
    def.objectCapacity = OBJECTS;
    def.pointBytes = (size_t)1 << 20;
    return wkCudaField_Create(&def, field);
}

static wkResult tryUpdatePart(const liveClearances* m, wkCudaField* field, int32_t first,
                              int32_t count)
{
    wkCloudView view = wkMakeCloudView(m->points + first, count);
    view.stride = sizeof *m->points;
    view.radiusOffset = 3 * sizeof(float);
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.radius = m->pointRadius;
    request.allowsEmpty = true;
    return wkCudaField_Update(field, &view, wk_memoryHost, wkIdentityPose(), &request);
}

static wkResult tryUpdate(const liveClearances* m)
{
    return tryUpdatePart(m, m->field, 0, m->pointCount);
}

static wkResult tryGpu(liveClearances* m, double reach)
{
    m->field = NULL;
    wkResult result = createOnGpu(m->batch, 0, &m->cuda, &m->onGpu);
    result = result == wk_ok ? tryField(m, 0.12, reach, &m->field) : result;
    m->request = wkDefaultCudaClearancesRequest();
    m->request.where.fields = &m->field;
    m->request.where.fieldCount = 1;
    m->request.gradients = m->gradients;
    return result;
}

static void closeGpu(liveClearances* m)
{
    wkCudaField_Destroy(m->field);
    destroyOnGpu(m->cuda, m->onGpu);
}

// Draws points at any distance from spheres of any configuration, on both sides of their boundaries.
static void drawPoints(liveClearances* m, wkRng* rng)
{
    for (int32_t i = 0; i < m->pointCount; i++) {
        placeSpheres(m, rowOf(m, wkRngBelow(rng, m->count)));
        wkSphere3d sphere = m->spheres[wkRngBelow(rng, m->sphereCount)];
        wkVec3d way = wkRngDirection(rng);
        double off = wkRngLogRange(rng, 1e-4, 0.4) * (wkRngChance(rng, 8) ? -1.0 : 1.0);
        double length = fmax(sphere.radius + m->pointRadius + off, 0.0);
        m->points[i][0] = (float)(sphere.center.x + length * way.x);
        m->points[i][1] = (float)(sphere.center.y + length * way.y);
        m->points[i][2] = (float)(sphere.center.z + length * way.z);
        m->points[i][3] = 0.0f;
    }
}

static void findRegion(liveClearances* m)
{
    wkAabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < m->count; i++) {
        placeSpheres(m, rowOf(m, i));
        for (int32_t k = 0; k < m->sphereCount; k++) {
            all.lower = wkMin(all.lower, m->spheres[k].center);
            all.upper = wkMax(all.upper, m->spheres[k].center);
        }
    }
    wkVec3d around = {0.8, 0.8, 0.8}; // for attached objects
    m->region.lower = wkSub(all.lower, around);
    m->region.upper = wkAdd(all.upper, around);
}

static void openLive(liveClearances* m, int kind)
{
    memset(m, 0, sizeof *m);
    m->count = emulatedIsUsed() ? EMULATED_STATES : WK_CASES(REAL_STATES);
    m->pointCount = emulatedIsUsed() ? EMULATED_POINTS : REAL_POINTS;
    wkMakeBatchCase(&m->c, kind, false, m->count, 1);
    m->length = wkRobot_Info(m->c.all.robot).variableCount;
    m->sphereCount = wkSphereModel_Info(m->c.model).sphereCount;
    m->c.def.exactness = wk_exactnessSpheres;
    m->c.def.margin = kind % 3 == 0 ? 0.01 : 0.0;
    for (int32_t i = 0; i < m->count * m->length; i++) {
        m->c.rows[i] = (double)(float)m->c.rows[i];
    }
    m->batch = wkCreateBatch(&m->c.def);
    size_t count = (size_t)m->count;
    m->spheres = (wkSphere3d*)take((size_t)m->sphereCount, sizeof *m->spheres);
    m->pointRadius = POINT_RADIUS;
    m->below = BELOW;
    const wkProgram* program = m->batch->program;
    for (int32_t i = 0; i < program->sphereCount; i++) {
        double larger = (double)program->radius[i] - program->exact[i].radius;
        m->below = fmax(m->below, BELOW + larger);
    }
    m->points = (float(*)[4])take((size_t)m->pointCount, sizeof *m->points);
    m->alone = (float*)take(count, sizeof(float));
    m->found = (float*)take(count, sizeof(float));
    m->gradients = (float*)take(count * (size_t)m->length, sizeof(float));
    wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)kind);
    findRegion(m);
    drawPoints(m, &rng);
    assert_int_equal(wkBatch_Clearances(m->batch, NULL, m->c.rows, m->count, CUTOFF, m->alone),
                     wk_ok);
}

static void closeLive(liveClearances* m)
{
    free(m->spheres);
    free(m->points);
    free(m->alone);
    free(m->found);
    free(m->gradients);
    wkBatch_Destroy(m->batch);
    wkFreeBatchCase(&m->c);
}

static void compute(liveClearances* m)
{
    size_t count = (size_t)m->count;
    memset(m->found, 0xee, count * sizeof(float));
    memset(m->gradients, 0xee, count * (size_t)m->length * sizeof(float));
    wkResult result =
        wkCudaBatch_Clearances(m->onGpu, m->c.rows, m->count, &m->request, CUTOFF, m->found);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

// Checks clearances by all pairs.
// @return configurations to which a point is nearest
static int32_t compareAll(const liveClearances* m, double reach)
{
    int32_t nearer = 0;
    for (int32_t i = 0; i < m->count; i++) {
        double found = (double)m->found[i], alone = (double)m->alone[i];
        double points = distanceOfAll(m, rowOf(m, i), reach);
        double truth = fmin(alone, points);
        bool isOfBatch = found == alone && alone <= points + PLACING;
        // what is inside an object touches, however deep it is
        bool isInside = m->objectCount > 0 && points <= 0.0 && found <= PLACING;
        if (!isOfBatch && !isInside && !(found <= truth + PLACING && found >= truth - m->below)) {
            fail_msg("configuration %d: %.9g; the batch alone is at %.9g, points at %.9g", (int)i,
                     found, alone, points);
        }
        nearer += points < alone - m->below;
    }
    return nearer;
}

// Returns how many derivatives agree with slopes of distances by all pairs, where points are nearest.
static int32_t countAgreeing(const liveClearances* m, int32_t* total)
{
    int32_t agreeing = 0;
    double* row = (double*)take((size_t)m->length, sizeof *row);
    for (int32_t i = 0; i < m->count && i < SLOPE_STATES; i++) {
        double points = distanceOfAll(m, rowOf(m, i), INFINITY);
        bool isClear = m->objectCount == 0 || points > -0.01;
        for (int32_t k = 0; k < m->length && isClear && points < (double)m->alone[i] - 0.02; k++) {
            double at[2], change = 1.0 / 256.0;
            for (int side = 0; side < 2; side++) {
                memcpy(row, rowOf(m, i), (size_t)m->length * sizeof *row);
                row[k] += side == 0 ? -change : change;
                at[side] = distanceOfAll(m, row, INFINITY);
            }
            double slope = (at[1] - at[0]) / (2.0 * change);
            double gradient = (double)m->gradients[i * m->length + k];
            if (gradient == gradient) {
                agreeing += fabs(slope - gradient) < 0.01 + 0.02 * fabs(slope);
                ++*total;
            }
        }
    }
    free(row);
    return agreeing;
}

static void clearances_are_the_least_of_all_pairs(void** state)
{
    (void)state;
    int32_t nearer = 0, agreeing = 0, total = 0;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        liveClearances m;
        openLive(&m, kind);
        assert_int_equal(tryGpu(&m, REACH), wk_ok);
        assert_int_equal(tryUpdate(&m), wk_ok);
        compute(&m);
        int32_t ofPoints = compareAll(&m, REACH),
                left = (int32_t)wkCudaBatch_Info(m.onGpu).leftCount;
        printf("%s: points are nearest to %d of %d, the CPU decides %d\n",
               wkSurroundingsKinds[kind].name, (int)ofPoints, (int)m.count, (int)left);
        nearer += ofPoints;
        agreeing += countAgreeing(&m, &total);
        closeGpu(&m);
        closeLive(&m);
    }
    printf("gradients: %d of %d agree\n", (int)agreeing, (int)total);
    assert_true(nearer > 20 && total > 100 && agreeing > total * 9 / 10);
}

static double largestRadius(const liveClearances* m)
{
    double largest = 0.0;
    placeSpheres(m, rowOf(m, 0));
    for (int32_t i = 0; i < m->sphereCount; i++) {
        largest = fmax(largest, m->spheres[i].radius);
    }
    return largest;
}

// Points around the centers of spheres are nearer than those that touch larger spheres: words, which end at 0, do not tell
// how deep any of them is.
static void points_larger_than_spheres_count(void** state)
{
    (void)state;
    int32_t nearer = 0, deep = 0;
    for (int kind = 0; kind < 8; kind += 7) {
        liveClearances m;
        openLive(&m, kind);
        wkRng rng = wkMakeRng(wkKitSeed() + 33);
        m.pointRadius = 0.05;
        drawPoints(&m, &rng);
        for (int32_t i = 0; i < m.pointCount; i++) {
            m.points[i][3] = (float)wkRngRange(&rng, 0.0, 0.1);
        }
        assert_int_equal(tryGpu(&m, REACH), wk_ok);
        assert_int_equal(tryUpdate(&m), wk_ok);
        compute(&m);
        nearer += compareAll(&m, REACH);
        double largest = largestRadius(&m);
        for (int32_t i = 0; i < m.count; i++) {
            deep += (double)m.found[i] < -largest;
        }
        closeGpu(&m);
        closeLive(&m);
    }
    assert_true(nearer > 20 && deep > 10);
}

static void drawObject(liveClearances* m, int32_t i, wkRng* rng)
{
    placeSpheres(m, rowOf(m, wkRngBelow(rng, m->count)));
    wkSphere3d near = m->spheres[wkRngBelow(rng, m->sphereCount)];
    double size = i == 0 ? 1.5 : wkRngLogRange(rng, 0.01, 0.3); // one is in no list
    m->shapes[i] = i % 4 == 0   ? wkMakeBox(size, 0.5 * size, 0.2 * size)
                   : i % 4 == 1 ? wkMakeSphere(size)
                   : i % 4 == 2 ? wkMakeCapsule(0.3 * size, size)
                                : wkMakeCylinder(size, 0.4 * size);
    wkVec3d way = wkScale(size + near.radius + 0.1, wkRngDirection(rng));
    m->poses[i] = wkMakePoseRpy(wkAdd(near.center, way), wkRngRange(rng, -3.0, 3.0),
                                wkRngRange(rng, -1.5, 1.5), wkRngRange(rng, -3.0, 3.0));
}

// Draws objects of all kinds, large and small ones, that few configurations touch.
static void drawObjects(liveClearances* m, wkRng* rng)
{
    int32_t pointCount = m->pointCount, objectCount = 0;
    m->pointCount = 0;
    for (int tries = 0; objectCount < OBJECTS - 1 && tries < 2000; tries++) {
        drawObject(m, objectCount, rng);
        m->objectCount = objectCount + 1;
        int32_t touching = 0;
        for (int32_t k = 0; k < m->count && k < EMULATED_STATES; k++) {
            touching += distanceOfAll(m, rowOf(m, k), INFINITY) <= 0.0;
        }
        objectCount += touching < 8;
    }
    assert_int_equal(objectCount, OBJECTS - 1);
    wkVec3d up = {0.0, 0.0, 1.0};
    m->shapes[objectCount] = wkMakeHalfspace(up, m->region.lower.z + 0.45);
    m->poses[objectCount] = wkIdentityPose();
    m->objectCount = OBJECTS;
    m->pointCount = pointCount;
}

static void objects_of_fields_count_too(void** state)
{
    (void)state;
    int32_t nearer = 0, agreeing = 0, total = 0;
    for (int kind = 0; kind < 8; kind += 7) {
        liveClearances m;
        openLive(&m, kind);
        wkRng rng = wkMakeRng(wkKitSeed() + 77);
        drawObjects(&m, &rng);
        for (int hasPoints = 0; hasPoints < 2; hasPoints++) {
            m.pointCount = hasPoints == 1 ? EMULATED_POINTS : 0;
            assert_int_equal(tryGpu(&m, REACH), wk_ok);
            assert_int_equal(wkCudaField_SetObjects(m.field, m.shapes, m.poses, m.objectCount),
                             wk_ok);
            assert_int_equal(tryUpdate(&m), wk_ok);
            compute(&m);
            nearer += compareAll(&m, REACH);
            agreeing += countAgreeing(&m, &total);
            closeGpu(&m);
        }
        closeLive(&m);
    }
    printf("objects are nearest %d times; gradients: %d of %d agree\n", (int)nearer, (int)agreeing,
           (int)total);
    assert_true(nearer > 20 && total > 0 && agreeing > total * 9 / 10);
}

static void expectSame(const liveClearances* m, const float* found, const float* gradients)
{
    assert_memory_equal(m->found, found, (size_t)m->count * sizeof *found);
    assert_memory_equal(m->gradients, gradients,
                        (size_t)m->count * (size_t)m->length * sizeof *gradients);
}

// Of equally near points, which are about the sphere, the order in which they come does not choose one.
static void ties_do_not_depend_on_order(void** state)
{
    (void)state;
    wkLivePoint points[6];
    for (int i = 0; i < 6; i++) {
        float at[3] = {1.0f, 2.0f, 3.0f};
        at[i / 2] += i % 2 == 0 ? 0.5f : -0.5f;
        points[i] = (wkLivePoint){at[0], at[1], at[2], 0.25f};
    }
    wkLiveSphere sphere = {{1.0f, 2.0f, 3.0f}, 0.125, 1, 2, 0};
    for (int first = 0; first < 6; first++) {
        wkLivePair pair = {.distance = 1.0, .part = -1, .sphere = -1, .live = -1, .object = -1};
        for (int i = 0; i < 6; i++) {
            wkLivePair_Offer(&pair, &sphere, points[(first + i) % 6]);
        }
        assert_true(pair.away[0] == 0.5f && pair.away[1] == 0.0f && pair.away[2] == 0.0f);
    }
}

// Where numbers are, the order of points and their fields change no bit.
static void layouts_and_orders_change_nothing(void** state)
{
    (void)state;
    for (int kind = 0; kind < 8;
         kind += 7) { // among boxes, and among meshes, where the CPU decides
        liveClearances m;
        openLive(&m, kind);
        memcpy(m.points[1], m.points[0], sizeof m.points[0]); // equally near
        assert_int_equal(tryGpu(&m, REACH), wk_ok);
        assert_int_equal(tryUpdate(&m), wk_ok);
        compute(&m);
        size_t count = (size_t)m.count, numbers = count * (size_t)m.length;
        float* found = (float*)take(count, sizeof *found);
        float* gradients = (float*)take(numbers, sizeof *gradients);
        float* rows = (float*)take(numbers, sizeof *rows);
        memcpy(found, m.found, count * sizeof *found);
        memcpy(gradients, m.gradients, numbers * sizeof *gradients);
        for (size_t i = 0; i < numbers; i++) {
            rows[i] = (float)m.c.rows[i];
        }
        void *rowsOnGpu = copyToGpu(rows, numbers * sizeof *rows),
             *foundOnGpu = copyToGpu(rows, count * sizeof *found),
             *gradientsOnGpu = copyToGpu(rows, numbers * sizeof *gradients);
        wkCudaClearancesRequest request = m.request;
        request.where.areFloats = true;
        request.where.statesIn = request.where.verdictsIn = wk_memoryDevice;
        request.gradients = (float*)gradientsOnGpu;
        assert_int_equal(wkCudaBatch_Clearances(m.onGpu, rowsOnGpu, m.count, &request, CUTOFF,
                                                (float*)foundOnGpu),
                         wk_ok);
        assert_int_equal(
            cudaMemcpyAsync(m.found, foundOnGpu, count * sizeof *found, cudaMemcpyDeviceToHost, 0),
            cudaSuccess);
        assert_int_equal(cudaMemcpyAsync(m.gradients, gradientsOnGpu, numbers * sizeof *gradients,
                                         cudaMemcpyDeviceToHost, 0),
                         cudaSuccess);
        assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
        expectSame(&m, found, gradients);
        cudaFree(rowsOnGpu);
        cudaFree(foundOnGpu);
        cudaFree(gradientsOnGpu);
        for (int32_t i = 0; i < m.pointCount / 2; i++) { // reversed
            float point[4];
            memcpy(point, m.points[i], sizeof point);
            memcpy(m.points[i], m.points[m.pointCount - 1 - i], sizeof point);
            memcpy(m.points[m.pointCount - 1 - i], point, sizeof point);
        }
        assert_int_equal(tryUpdate(&m), wk_ok);
        compute(&m);
        expectSame(&m, found, gradients);
        wkCudaField* fields[2] = {m.field, NULL};
        int32_t half = m.pointCount / 2;
        assert_int_equal(tryField(&m, 0.2, REACH, &fields[1]), wk_ok);
        assert_int_equal(tryUpdatePart(&m, fields[0], 0, half), wk_ok);
        assert_int_equal(tryUpdatePart(&m, fields[1], half, m.pointCount - half), wk_ok);
        m.request.where.fields = fields;
        m.request.where.fieldCount = 2;
        compute(&m);
        compareAll(&m, REACH);
        wkCudaField_Destroy(fields[1]);
        free(found);
        free(gradients);
        free(rows);
        closeGpu(&m);
        closeLive(&m);
    }
}

static void expectUnknown(liveClearances* m)
{
    compute(m);
    for (int32_t i = 0; i < m->count; i++) {
        assert_true(isnan(m->found[i]));
        for (int32_t k = 0; k < m->length; k++) {
            assert_true(isnan(m->gradients[i * m->length + k]));
        }
    }
}

static void what_fields_do_not_know_is_not_clear(void** state)
{
    (void)state;
    int32_t limited = 0; // by the reach
    for (int kind = 0; kind < 8; kind += 7) {
        liveClearances m;
        openLive(&m, kind);
        double reach = largestRadius(&m) + 0.02;
        assert_int_equal(tryGpu(&m, reach), wk_ok);
        expectUnknown(&m); // before the first frame
        // with a reach that is less than the cutoff
        assert_int_equal(tryUpdate(&m), wk_ok);
        compute(&m);
        compareAll(&m, reach);
        m.pointCount = 0;
        assert_int_equal(tryUpdate(&m), wk_ok);
        compute(&m);
        limited += compareAll(&m, reach);
        // where a robot is partly beyond the region
        wkCudaField* small = NULL;
        m.region.upper.x = m.region.lower.x + 1.0;
        assert_int_equal(tryField(&m, 0.12, REACH, &small), wk_ok);
        assert_int_equal(tryUpdatePart(&m, small, 0, 0), wk_ok);
        m.request.where.fields = &small;
        compute(&m);
        int32_t unknown = 0;
        for (int32_t i = 0; i < m.count; i++) {
            bool isBeyond = false;
            placeSpheres(&m, rowOf(&m, i));
            for (int32_t k = 0; k < m.sphereCount; k++) {
                isBeyond = isBeyond || m.spheres[k].center.x > m.region.upper.x + 0.5;
            }
            assert_true(!isBeyond || isnan(m.found[i]));
            unknown += isBeyond;
        }
        assert_true(unknown > 0);
        wkCudaField_Destroy(small);
        closeGpu(&m);
        closeLive(&m);
    }
    assert_true(limited > 0);
}

static void arguments_are_checked(void** state)
{
    (void)state;
    liveClearances m;
    openLive(&m, 0);
    assert_int_equal(tryGpu(&m, REACH), wk_ok);
    assert_int_equal(tryUpdate(&m), wk_ok);
    wkCudaClearancesRequest bad = m.request;
    bad.where.fieldCount = 5;
    assert_int_equal(wkCudaBatch_Clearances(m.onGpu, m.c.rows, 1, &bad, CUTOFF, m.found),
                     wk_errorRange);
    assert_true(isnan(m.found[0]));
    wkCudaField* none = NULL;
    bad = m.request;
    bad.where.fields = &none;
    assert_int_equal(wkCudaBatch_Clearances(m.onGpu, m.c.rows, 1, &bad, CUTOFF, m.found),
                     wk_errorArgument);
    double* rows = (double*)take((size_t)m.length, sizeof *rows);
    memcpy(rows, m.c.rows, (size_t)m.length * sizeof *rows);
    rows[0] = (double)NAN;
    assert_int_equal(wkCudaBatch_Clearances(m.onGpu, rows, 1, &m.request, CUTOFF, m.found), wk_ok);
    assert_true(isnan(m.found[0]));
    assert_int_equal(
        wkCudaBatch_Clearances(m.onGpu, m.c.rows, 4, &m.request, (double)INFINITY, m.found), wk_ok);
    assert_int_equal(wkCudaBatch_Clearances(m.onGpu, m.c.rows, 4, &m.request, 1e-9, m.found),
                     wk_ok);
    free(rows);
    closeGpu(&m);
    closeLive(&m);
}

// Where the GPU fails, no clearance is known.
static wkResult reportClearances(void* context)
{
    liveClearances* m = (liveClearances*)context;
    wkResult result = tryGpu(m, REACH);
    result = result == wk_ok ? tryUpdatePart(m, m->field, 0, 4) : result;
    if (result == wk_ok) {
        m->found[0] = 1.0f;
        result = wkCudaBatch_Clearances(m->onGpu, m->c.rows, 1, &m->request, CUTOFF, m->found);
        assert_true(isnan(m->found[0]) == (result != wk_ok));
    }
    wkCudaField_Destroy(m->field);
    wkCudaBatch_Destroy(m->onGpu);
    wkCuda_Destroy(m->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    liveClearances m;
    openLive(&m, 7);
    assert_true(failEverywhere(reportClearances, &m) > 0);
    closeLive(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clearances_are_the_least_of_all_pairs),
        cmocka_unit_test(points_larger_than_spheres_count),
        cmocka_unit_test(objects_of_fields_count_too),
        cmocka_unit_test(ties_do_not_depend_on_order),
        cmocka_unit_test(layouts_and_orders_change_nothing),
        cmocka_unit_test(what_fields_do_not_know_is_not_clear),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(any_call_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
