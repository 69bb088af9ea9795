// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions on a GPU among live points. What is free touches no point at any instant, by all points in doubles; what is far from
// them is free; contacts are contacts. Points at any distance from the way of a sphere, on both sides of its boundary; several
// fields; fields that are not known; motions that the CPU decides about; pieces of any length; failures at every call.

#include "batch_kit.h"
#include "cuda/cuda_batch.h"
#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_kit.h"
#include "robot/robot_scene_impl.h"
#include "whisker/cuda.h"

#include <math.h>
#include <string.h>

// On an emulated GPU, an interval takes a millisecond.
#define EMULATED_MOTIONS 9
#define REAL_MOTIONS 400
#define MOTION_PIECE 64
#define POINT_RADIUS 0.004
#define INSTANTS 48

// Metres by which live points may touch too early: rounding in a region of ten metres, and of floats in the batch.
#define LIVE_BAND 1e-4
// Motions this far from all points are proven free of them: they are not nearer than the tolerance of the request.
#define FREE_MARGIN 4e-4

typedef struct liveMotions {
    wkBatchCase c;
    wkBatch* batch;
    wkCuda* cuda;
    wkCudaBatch* onGpu;
    wkCudaField* field;
    wkCudaMotionsRequest request; // with the field
    int32_t count, length, sphereCount, pointCount;
    double cellSize; // of the field
    bool isHolding;
    wkSphere3d* spheres; // of a configuration
    float (*points)[3];
    wkBatchMotionResult* found;
    wkBatchMotionResult* expected; // of the CPU, without points
} liveMotions;

// Places the spheres of the model at a time of a motion, with padding and margin.
static void placeAt(const liveMotions* m, int32_t motion, double time)
{
    double* q = (double*)malloc((size_t)m->length * sizeof *q);
    assert_non_null(q);
    size_t at = (size_t)motion * (size_t)m->length;
    wkRobot_Interpolate(m->c.all.robot, m->c.rows + at, m->c.ends + at, time, q);
    wkSphereModel_PlaceLinks(m->c.model, m->c.def.base, q, m->spheres);
    for (int32_t i = 0; i < m->sphereCount; i++) {
        int32_t link = wkSphereModel_Sphere(m->c.model, i).link;
        double padding = m->c.def.scene->paddings[link];
        m->spheres[i].radius += fmax(padding, 0.0) + m->c.def.margin;
    }
    free(q);
}

// Returns the distance between the robot and the nearest point at a time of a motion, by all spheres and points.
static double gapAt(const liveMotions* m, int32_t motion, double time)
{
    double least = INFINITY;
    placeAt(m, motion, time);
    for (int32_t i = 0; i < m->sphereCount; i++) {
        wkVec3d center = m->spheres[i].center;
        for (int32_t k = 0; k < m->pointCount; k++) {
            const float* p = m->points[k];
            wkVec3d way = {(double)p[0] - center.x, (double)p[1] - center.y,
                           (double)p[2] - center.z};
            least = fmin(least, wkLength(way) - m->spheres[i].radius - POINT_RADIUS);
        }
    }
    return least;
}

// Draws a point at any distance of a sphere on its way.
static void drawPoint(liveMotions* m, wkRng* rng, float point[3])
{
    placeAt(m, wkRngBelow(rng, m->count), wkRngUnit(rng));
    wkSphere3d sphere = m->spheres[wkRngBelow(rng, m->sphereCount)];
    double off = wkRngLogRange(rng, 1e-7, 0.1) * wkRngSign(rng);
    wkVec3d way = wkRngDirection(rng);
    double length = fmax(sphere.radius + POINT_RADIUS + off, 0.0);
    point[0] = (float)(sphere.center.x + length * way.x);
    point[1] = (float)(sphere.center.y + length * way.y);
    point[2] = (float)(sphere.center.z + length * way.z);
}

// Whether a point is touched by some motions at most, of those that are tried.
static bool isTouchedByFew(const liveMotions* m, float point[3])
{
    liveMotions one = *m;
    float(*points)[3] = (float(*)[3])point;
    int32_t touching = 0, tried = m->count < 20 ? m->count : 20;
    one.points = points;
    one.pointCount = 1;
    for (int32_t i = 0; i < tried; i++) {
        double least = INFINITY;
        for (int k = 0; k <= 8; k++) {
            least = fmin(least, gapAt(&one, i, 0.125 * k));
        }
        touching += least <= 0.0;
    }
    return touching <= tried / 8;
}

// Draws points at any distance of spheres on their way, but none that most motions touch.
static void drawPoints(liveMotions* m, wkRng* rng)
{
    for (int32_t i = 0, tries = 0; i < m->pointCount; tries++) {
        drawPoint(m, rng, m->points[i]);
        if (tries > 60 * i + 60) {
            m->points[i][2] = 1000.0f;
        }
        i += isTouchedByFew(m, m->points[i]);
    }
}

// Makes a field around all motions.
static wkResult tryField(const liveMotions* m, double cellSize, wkCudaField** field)
{
    wkAabb all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < 3 * m->count; i++) {
        placeAt(m, i / 3, 0.5 * (i % 3));
        for (int32_t k = 0; k < m->sphereCount; k++) {
            all.lower = wkMin(all.lower, m->spheres[k].center);
            all.upper = wkMax(all.upper, m->spheres[k].center);
        }
    }
    wkVec3d around = {0.8, 0.8, 0.8}; // for attached objects
    wkCudaFieldDef def = wkDefaultCudaFieldDef();
    def.cuda = m->cuda;
    def.region.lower = wkSub(all.lower, around);
    def.region.upper = wkAdd(all.upper, around);
    def.cellSize = cellSize;
    def.reach = 0.4;
    def.pointCapacity = def.objectCapacity = 4096;
    def.pointBytes = (size_t)1 << 20;
    return wkCudaField_Create(&def, field);
}

static wkResult tryUpdate(wkCudaField* field, float (*points)[3], int32_t count)
{
    wkCloudView view = wkMakeCloudView(points, count);
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.radius = POINT_RADIUS;
    request.allowsEmpty = true;
    return wkCudaField_Update(field, &view, wk_memoryHost, wkIdentityPose(), &request);
}

// The same with points as objects.
static wkResult tryObjects(wkCudaField* field, float (*points)[3], int32_t count)
{
    static wkShape shapes[4096];
    static wkPose poses[4096];
    for (int32_t i = 0; i < count; i++) {
        shapes[i] = wkMakeSphere(POINT_RADIUS);
        poses[i] = wkIdentityPose();
        poses[i].position =
            (wkVec3d){(double)points[i][0], (double)points[i][1], (double)points[i][2]};
    }
    wkResult result = wkCudaField_SetObjects(field, shapes, poses, count);
    return result == wk_ok ? tryUpdate(field, points, 0) : result;
}

static wkResult tryGpu(liveMotions* m)
{
    m->field = NULL;
    wkResult result = createOnGpu(m->batch, MOTION_PIECE, &m->cuda, &m->onGpu);
    result = result == wk_ok ? tryField(m, m->cellSize, &m->field) : result;
    m->request = wkDefaultCudaMotionsRequest();
    m->request.where.fields = &m->field;
    m->request.where.fieldCount = 1;
    return result;
}

static void closeGpu(liveMotions* m)
{
    wkCudaField_Destroy(m->field);
    destroyOnGpu(m->cuda, m->onGpu);
}

static void* take(int32_t count, size_t size)
{
    void* memory = calloc((size_t)count + 1, size);
    assert_non_null(memory);
    return memory;
}

// Robots in surroundings, which are made once.
static wkBatchCase cases[WK_SURROUNDINGS_COUNT];
static bool isMade[WK_SURROUNDINGS_COUNT];

static void freeCases(void)
{
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        if (isMade[kind]) {
            wkFreeBatchCase(&cases[kind]);
        }
    }
}

static void openLive(liveMotions* m, int kind, wkExactness exactness)
{
    memset(m, 0, sizeof *m);
    m->count = emulatedIsUsed() ? EMULATED_MOTIONS : WK_CASES(REAL_MOTIONS);
    m->isHolding = kind % 2 == 1;
    if (!isMade[kind]) {
        wkMakeBatchCase(&cases[kind], kind, m->isHolding, m->count, m->count);
        isMade[kind] = true;
    }
    m->c = cases[kind];
    m->length = wkRobot_Info(m->c.all.robot).variableCount;
    m->sphereCount = wkSphereModel_Info(m->c.model).sphereCount;
    m->pointCount = 5 + m->count / 100;
    m->cellSize = 0.12;
    m->c.def.exactness = exactness;
    m->c.def.margin = kind % 3 == 0 ? 0.01 : 0.0;
    m->c.def.checksWorld = kind % 4 != 1;
    m->batch = wkCreateBatch(&m->c.def);
    m->spheres = (wkSphere3d*)take(m->sphereCount, sizeof *m->spheres);
    m->points = (float(*)[3])take(m->pointCount, sizeof *m->points);
    m->found = (wkBatchMotionResult*)take(m->count, sizeof *m->found);
    m->expected = (wkBatchMotionResult*)take(m->count, sizeof *m->expected);
    wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)(10 * kind) + (uint64_t)exactness);
    drawPoints(m, &rng);
}

static void closeLive(liveMotions* m)
{
    free(m->spheres);
    free(m->points);
    free(m->found);
    free(m->expected);
    wkBatch_Destroy(m->batch);
}

static void checkTo(const liveMotions* m, wkBatchMotionResult* found)
{
    memset(found, 0xee, (size_t)m->count * sizeof *found);
    wkResult result =
        wkCudaBatch_CheckMotions(m->onGpu, m->c.rows, m->c.ends, m->count, &m->request, found);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

static bool isContact(uint8_t verdict)
{
    return verdict == wk_verdictSelf || verdict == wk_verdictWorld || verdict == wk_verdictUnknown;
}

static bool isSameResult(const wkBatchMotionResult* a, const wkBatchMotionResult* b)
{
    return a->verdict == b->verdict && a->time == b->time && a->firstIndex == b->firstIndex &&
           a->stepCount == b->stepCount;
}

static void failMotion(const liveMotions* m, int32_t i, const char* why)
{
    const wkBatchMotionResult *found = &m->found[i], *expected = &m->expected[i];
    fail_msg("motion %d: %s: %s at %.9g on the GPU; without points %s at %.9g on the CPU; points "
             "are %.9g away there",
             (int)i, why, wkVerdictName((wkVerdict)found->verdict), (double)found->time,
             wkVerdictName((wkVerdict)expected->verdict), (double)expected->time,
             gapAt(m, i, (double)found->time));
}

// Whether the batch, or the points, are touched at the time that is found.
static bool isContactThere(const liveMotions* m, int32_t i)
{
    double* q = (double*)take(m->length, sizeof *q);
    size_t at = (size_t)i * (size_t)m->length;
    double time = (double)m->found[i].time;
    wkRobot_Interpolate(m->c.all.robot, m->c.rows + at, m->c.ends + at, time, q);
    uint8_t verdict = wk_verdictUnchecked, withPoints = wk_verdictUnchecked;
    assert_int_equal(wkBatch_CheckStates(m->batch, NULL, q, 1, &verdict), wk_ok);
    assert_int_equal(wkCudaBatch_CheckStates(m->onGpu, q, 1, &m->request.where, &withPoints),
                     wk_ok);
    free(q);
    bool isNear = isContact(verdict) || m->isHolding || gapAt(m, i, time) <= LIVE_BAND;
    return isContact(withPoints) && isNear;
}

// Whether no point is touched at any of many instants.
static bool isFreeOfPoints(const liveMotions* m, int32_t i)
{
    double least = INFINITY;
    for (int k = 0; k <= INSTANTS; k++) {
        least = fmin(least, gapAt(m, i, (double)k / INSTANTS));
    }
    return least > 0.0;
}

// Checks what certified motions come to.
static void compareCertified(const liveMotions* m)
{
    for (int32_t i = 0; i < m->count; i++) {
        const wkBatchMotionResult *found = &m->found[i], *expected = &m->expected[i];
        bool isFree = found->verdict == wk_verdictFree;
        bool isByEnds = expected->verdict == wk_verdictLimits;
        if (isByEnds && !isSameResult(found, expected)) {
            failMotion(m, i, "the ends decide");
        }
        if (isFree && !isFreeOfPoints(m, i)) {
            failMotion(m, i, "a point is touched");
        }
        if (isFree && expected->verdict != wk_verdictFree &&
            expected->verdict != wk_verdictUncertain) {
            failMotion(m, i, "free, and not without points");
        }
        if (!isFree && !isByEnds && found->verdict != wk_verdictUncertain &&
            !isContact(found->verdict)) {
            failMotion(m, i, "no verdict");
        }
        if (isContact(found->verdict) && !isSameResult(found, expected) && !isContactThere(m, i)) {
            failMotion(m, i, "no contact");
        }
    }
}

static void addCloud(const liveMotions* m, wkCloud** cloud)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(m->points, m->pointCount);
    def.radius = POINT_RADIUS;
    assert_int_equal(wkCloud_Create(&def, cloud), wk_ok);
    wkShape shape = wkMakeCloud(*cloud);
    wkRobotObjectDef object = wkDefaultRobotObjectDef();
    object.name = "live";
    object.shapes = &shape;
    object.shapeCount = 1;
    if (wkRobotScene_Add(m->c.all.scene, &object) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

// Motions that a batch with a larger robot among the same points proves are free on the GPU.
static void compareWithCloud(const liveMotions* m)
{
    wkCloud* cloud = NULL;
    wkBatchMotionResult* larger = (wkBatchMotionResult*)take(m->count, sizeof *larger);
    addCloud(m, &cloud);
    wkBatchDef def = m->c.def;
    def.checksWorld = true;
    def.margin += FREE_MARGIN;
    wkBatch* batch = wkCreateBatch(&def);
    assert_int_equal(
        wkBatch_CheckMotions(batch, NULL, m->c.rows, m->c.ends, m->count, NULL, larger), wk_ok);
    for (int32_t i = 0; i < m->count; i++) {
        if (larger[i].verdict == wk_verdictFree && m->found[i].verdict != wk_verdictFree) {
            failMotion(m, i, "the CPU proves it free of the points");
        }
    }
    free(larger);
    wkBatch_Destroy(batch);
    assert_int_equal(wkRobotScene_Remove(m->c.all.scene, "live"), wk_ok);
    wkCloud_Destroy(cloud);
}

static void checkFreeMotions(bool hasObjects)
{
    int touching = 0, freeCount = 0, provenForCpu = 0;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind++) {
        int step = emulatedIsUsed() ? 4 : 1;
        for (int exactness = kind % step; exactness < 4; exactness += step) {
            liveMotions m;
            openLive(&m, kind, (wkExactness)exactness);
            assert_int_equal(tryGpu(&m), wk_ok);
            assert_int_equal(wkBatch_CheckMotions(m.batch, NULL, m.c.rows, m.c.ends, m.count,
                                                  &m.request.motion, m.expected),
                             wk_ok);
            assert_int_equal(hasObjects ? tryObjects(m.field, m.points, m.pointCount)
                                        : tryUpdate(m.field, m.points, m.pointCount),
                             wk_ok);
            checkTo(&m, m.found);
            int64_t left = wkCudaBatch_Info(m.onGpu).leftCount;
            compareCertified(&m);
            int proven = 0, uncertain = 0, ended = 0;
            for (int32_t i = 0; i < m.count; i++) {
                proven += m.found[i].verdict == wk_verdictFree;
                uncertain += m.found[i].verdict == wk_verdictUncertain;
                ended += m.expected[i].verdict == wk_verdictFree && isContact(m.found[i].verdict);
            }
            printf("%s, %s: %d of %d free, %d uncertain, %d touch points alone, the CPU decides "
                   "%d\n",
                   wkSurroundingsKinds[kind].name, wkExactnessName((wkExactness)exactness), proven,
                   (int)m.count, uncertain, ended, (int)left);
            touching += ended;
            freeCount += proven;
            provenForCpu += left == m.count || exactness == wk_exactnessFilter ? proven : 0;
            if (exactness != wk_exactnessFilter) { // where bodies decide about clouds
                compareWithCloud(&m);
            }
            closeGpu(&m);
            closeLive(&m);
        }
    }
    assert_true(touching > 10 && freeCount > 10 && provenForCpu > 0);
}

static void free_motions_touch_no_point_at_any_instant(void** state)
{
    (void)state;
    checkFreeMotions(false);
}

static void free_motions_touch_no_object_at_any_instant(void** state)
{
    (void)state;
    checkFreeMotions(true);
}

// Results do not depend on pieces, on the order of motions and points, nor on other motions of the call.
static void pieces_and_orders_change_nothing(void** state)
{
    (void)state;
    for (int kind = 0; kind < 8; kind += 7) { // among boxes, and among meshes
        liveMotions m;
        openLive(&m, kind, kind == 0 ? wk_exactnessSpheres : wk_exactnessRefined);
        assert_int_equal(tryGpu(&m), wk_ok);
        assert_int_equal(tryUpdate(m.field, m.points, m.pointCount), wk_ok);
        checkTo(&m, m.found);
        wkBatchMotionResult* again = (wkBatchMotionResult*)take(m.count, sizeof *again);
        m.onGpu->motions.capacity = 200; // pieces are checked in halves
        checkTo(&m, again);
        for (int32_t i = 0; i < m.count; i++) {
            assert_true(isSameResult(&again[i], &m.found[i]));
        }
        m.onGpu->motions.capacity = 1; // the CPU decides about single motions, which proves nothing
        checkTo(&m, again);
        for (int32_t i = 0; i < m.count; i++) {
            assert_true(again[i].verdict != wk_verdictFree || isSameResult(&again[i], &m.found[i]));
        }
        m.onGpu->motions.capacity = 1 << 14;
        float reversed[1024][3];
        for (int32_t i = 0; i < m.pointCount && i < 1024; i++) {
            memcpy(reversed[i], m.points[m.pointCount - 1 - i], sizeof *reversed);
        }
        assert_int_equal(tryUpdate(m.field, reversed, m.pointCount), wk_ok);
        size_t bytes = (size_t)m.length * sizeof(double);
        for (int32_t i = 0; i < m.count; i += emulatedIsUsed() ? 3 : 1) { // one by one
            ptrdiff_t at = (ptrdiff_t)i * m.length;
            double *from = (double*)copyToGpu(m.c.rows + at, bytes),
                   *to = (double*)copyToGpu(m.c.ends + at, bytes);
            m.request.where.statesIn = wk_memoryDevice;
            assert_int_equal(wkCudaBatch_CheckMotions(m.onGpu, from, to, 1, &m.request, again),
                             wk_ok);
            cudaFree(from);
            cudaFree(to);
            assert_true(isSameResult(&again[0], &m.found[i]));
        }
        free(again);
        closeGpu(&m);
        closeLive(&m);
    }
}

// Points in several fields with cells of other sizes, in any of these.
static void several_fields_are_all_checked(void** state)
{
    (void)state;
    liveMotions m;
    openLive(&m, 0, wk_exactnessSpheres);
    assert_int_equal(tryGpu(&m), wk_ok);
    assert_int_equal(wkBatch_CheckMotions(m.batch, NULL, m.c.rows, m.c.ends, m.count,
                                          &m.request.motion, m.expected),
                     wk_ok);
    wkCudaField* fields[WK_MOST_LIVE] = {m.field, NULL, NULL, NULL};
    for (int i = 0; i < WK_MOST_LIVE; i++) {
        if (i > 0) {
            assert_int_equal(tryField(&m, 0.1 + 0.03 * i, &fields[i]), wk_ok);
        }
        int32_t first = i * m.pointCount / WK_MOST_LIVE,
                last = (i + 1) * m.pointCount / WK_MOST_LIVE;
        assert_int_equal(tryUpdate(fields[i], m.points + first, last - first), wk_ok);
    }
    m.request.where.fields = fields;
    m.request.where.fieldCount = WK_MOST_LIVE;
    checkTo(&m, m.found);
    compareCertified(&m);
    compareWithCloud(&m);
    for (int i = 1; i < WK_MOST_LIVE; i++) {
        wkCudaField_Destroy(fields[i]);
    }
    closeGpu(&m);
    closeLive(&m);
}

static void motions_in_steps_have_the_verdicts_of_their_configurations(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; kind += 2) {
        liveMotions m;
        openLive(&m, kind, (wkExactness)(kind / 2));
        assert_int_equal(tryGpu(&m), wk_ok);
        assert_int_equal(tryUpdate(m.field, m.points, m.pointCount), wk_ok);
        m.request.motion.isCertified = false;
        m.request.motion.wantsFirst = true;
        m.request.motion.step = emulatedIsUsed() ? 0.3 : 0.15;
        checkTo(&m, m.found);
        for (int32_t i = 0; i < m.count; i++) {
            const wkBatchMotionResult* found = &m.found[i];
            int32_t count = found->stepCount;
            if (found->verdict == wk_verdictLimits) {
                continue;
            }
            assert_true(count >= 2);
            double* rows = (double*)take(count * m.length, sizeof *rows);
            uint8_t* verdicts = (uint8_t*)take(count, 1);
            size_t at = (size_t)i * (size_t)m.length;
            for (int32_t k = 0; k < count; k++) {
                wkRobot_Interpolate(m.c.all.robot, m.c.rows + at, m.c.ends + at,
                                    (double)k / (count - 1), rows + k * m.length);
            }
            assert_int_equal(
                wkCudaBatch_CheckStates(m.onGpu, rows, count, &m.request.where, verdicts), wk_ok);
            int32_t first = 0;
            while (first < count && verdicts[first] == wk_verdictFree) {
                first++;
            }
            assert_int_equal(found->firstIndex, first < count ? first : -1);
            assert_int_equal(found->verdict, first < count ? verdicts[first] : wk_verdictFree);
            free(rows);
            free(verdicts);
        }
        closeGpu(&m);
        closeLive(&m);
    }
}

static void expectNoneFree(liveMotions* m)
{
    for (int mode = 0; mode < 2; mode++) {
        m->request.motion.isCertified = mode == 0;
        m->request.motion.step = 0.4;
        checkTo(m, m->found);
        for (int32_t i = 0; i < m->count; i++) {
            assert_true(m->found[i].verdict != wk_verdictFree &&
                        m->found[i].verdict != wk_verdictUnchecked);
        }
    }
}

static void nothing_is_free_of_points_that_are_not_known(void** state)
{
    (void)state;
    for (int exactness = 0; exactness < 4; exactness++) {
        liveMotions m;
        openLive(&m, exactness % 2 == 0 ? 0 : 7, (wkExactness)exactness);
        assert_int_equal(tryGpu(&m), wk_ok);
        expectNoneFree(&m); // before the first frame
        float radii[3][4] = {{0.0f, 0.0f, 90.0f, 0.0f}, {0.0f, 0.0f, 90.0f, -1.0f}};
        wkCloudView view = wkMakeCloudView(radii, 2);
        view.stride = sizeof radii[0];
        view.radiusOffset = 3 * sizeof(float);
        assert_int_not_equal(
            wkCudaField_Update(m.field, &view, wk_memoryHost, wkIdentityPose(), NULL), wk_ok);
        expectNoneFree(&m); // after one that failed
        wkCudaField* fields[2] = {m.field, NULL};
        assert_int_equal(tryField(&m, 0.2, &fields[1]), wk_ok);
        assert_int_equal(tryUpdate(m.field, m.points, 0), wk_ok);
        m.request.where.fields = fields;
        m.request.where.fieldCount = 2;
        expectNoneFree(&m); // one of two
        wkCudaField_Destroy(fields[1]);
        closeGpu(&m);
        closeLive(&m);
    }
}

static void arguments_are_checked(void** state)
{
    (void)state;
    liveMotions m;
    openLive(&m, 0, wk_exactnessSpheres);
    assert_int_equal(tryGpu(&m), wk_ok);
    const double *from = m.c.rows, *to = m.c.ends;
    wkCudaMotionsRequest request = m.request;
    request.where.fieldCount = WK_MOST_LIVE + 1;
    assert_int_equal(wkCudaBatch_CheckMotions(m.onGpu, from, to, 1, &request, m.found),
                     wk_errorRange);
    request.where.fieldCount = -1;
    assert_int_equal(wkCudaBatch_CheckMotions(m.onGpu, from, to, 1, &request, m.found),
                     wk_errorRange);
    wkCudaField* none = NULL;
    request.where.fieldCount = 1;
    request.where.fields = &none;
    assert_int_equal(wkCudaBatch_CheckMotions(m.onGpu, from, to, 1, &request, m.found),
                     wk_errorArgument);
    request = m.request;
    request.motion.wantsFirst = true;
    m.found[0].verdict = wk_verdictFree;
    assert_int_equal(wkCudaBatch_CheckMotions(m.onGpu, from, to, 1, &request, m.found),
                     wk_errorUnsupported);
    assert_int_equal(m.found[0].verdict, wk_verdictUnchecked);
    assert_non_null(strstr(wkGetLastError(), "wantsFirst"));
    closeGpu(&m);
    closeLive(&m);
}

// Where the GPU fails, no motion is free.
static wkResult reportMotions(void* context)
{
    liveMotions* m = (liveMotions*)context;
    wkResult result = tryGpu(m);
    result = result == wk_ok ? tryUpdate(m->field, m->points, m->pointCount) : result;
    for (int mode = 0; mode < 2 && result == wk_ok; mode++) {
        m->request.motion.isCertified = mode == 0;
        m->request.motion.step = 0.4;
        m->found[0].verdict = wk_verdictFree;
        result = wkCudaBatch_CheckMotions(m->onGpu, m->c.rows, m->c.ends, 1, &m->request, m->found);
        assert_true((m->found[0].verdict == wk_verdictUnchecked) == (result != wk_ok));
        assert_true(result != wk_ok || wkCudaBatch_Info(m->onGpu).leftCount > 0);
    }
    wkCudaField_Destroy(m->field);
    wkCudaBatch_Destroy(m->onGpu);
    wkCuda_Destroy(m->cuda);
    return result;
}

// One short motion near one point, since all is done again for each call. It is left to the CPU, whose calls may fail, too.
static void any_call_may_fail(void** state)
{
    (void)state;
    liveMotions m;
    openLive(&m, 7, wk_exactnessRefined);
    m.cellSize = 0.18;
    m.count = m.pointCount = 1;
    double* ends = (double*)take(m.length, sizeof *ends);
    for (int32_t i = 0; i < m.length; i++) {
        ends[i] = m.c.rows[i] + 0.01 * (m.c.ends[i] - m.c.rows[i]);
    }
    m.c.ends = ends;
    assert_true(failEverywhere(reportMotions, &m) > 0);
    free(ends);
    closeLive(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(free_motions_touch_no_point_at_any_instant),
        cmocka_unit_test(free_motions_touch_no_object_at_any_instant),
        cmocka_unit_test(pieces_and_orders_change_nothing),
        cmocka_unit_test(several_fields_are_all_checked),
        cmocka_unit_test(motions_in_steps_have_the_verdicts_of_their_configurations),
        cmocka_unit_test(nothing_is_free_of_points_that_are_not_known),
        cmocka_unit_test(arguments_are_checked),
        cmocka_unit_test(any_call_may_fail),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    freeCases();
    wkKitEnd();
    return failed;
}
