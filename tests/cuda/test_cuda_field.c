// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Clearance fields of points on a GPU against all points in doubles: a sphere is never free where a point touches it, and
// touches only where a point is within a stated slack; for clouds of all kinds and spheres near their points; failures of
// the GPU at every call.

#include "../sense/depth_kit.h"
#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "scenes/rng.h"
#include "whisker/cuda.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_POINTS 3000
#define MOST_SPHERES 400
#define MOST_OWN 3

// Bytes of a point in memory: three coordinates and a radius, or those as doubles and a float.
#define MOST_POINT_BYTES 40

// A frame of points, in any layout, and the field of it.
typedef struct fieldCase {
    wkCuda* cuda;
    wkCudaField* field;
    wkCudaFieldDef def;
    double longest; // edge of the region
    int32_t count;
    wkVec3d points[MOST_POINTS]; // in their frame, as they are stored
    float radii[MOST_POINTS];
    bool hasRadii;
    double radius; // of all
    wkSphere3d own[MOST_OWN];
    int32_t ownCount;
    double ownPadding;
    wkPose pose;
    wkCloudView view;
    char bytes[MOST_POINTS * MOST_POINT_BYTES];
    _Alignas(16) float spheres[MOST_SPHERES][4];
    uint8_t verdicts[MOST_SPHERES];
} fieldCase;

typedef enum cloudKind {
    emptyCloud,
    onePoint,
    equalPoints,
    pointsOnBorders, // of cells
    surfacePoints,
    widePoints, // most of them beyond the region
    crowdedPoints,
    cloudKindCount,
} cloudKind;

static void openCuda(wkCuda** cuda)
{
    wkCudaDef def = wkDefaultCudaDef();
    assert_int_equal(wkCuda_Create(&def, cuda), wk_ok);
}

static wkCudaFieldRequest requestOf(const fieldCase* c)
{
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.radius = c->radius;
    request.ownSpheres = c->own;
    request.ownCount = c->ownCount;
    request.ownPadding = c->ownPadding;
    return request;
}

// Replaces the points, where they are and in any layout.
static wkResult tryUpdate(fieldCase* c, const wkCloudView* view, wkCudaMemory memory)
{
    wkCudaFieldRequest request = requestOf(c);
    return wkCudaField_Update(c->field, view, memory, c->pose, &request);
}

static double cellSizeOf(const fieldCase* c)
{
    return wkCudaField_Info(c->field).cellSize;
}

// Draws a region of few cells, anywhere.
static void drawDef(fieldCase* c, wkRng* rng)
{
    c->def = wkDefaultCudaFieldDef();
    c->def.cuda = c->cuda;
    double size = wkRngLogRange(rng, 0.001, 3.0), far = wkRngChance(rng, 3) ? 1e4 : 1.0;
    wkVec3d middle = {far * wkRngRange(rng, -1.0, 1.0), far * wkRngRange(rng, -1.0, 1.0), 0.0};
    double edges[3];
    for (int axis = 0; axis < 3; axis++) {
        edges[axis] = size * wkRngRange(rng, 0.3, 1.0);
    }
    edges[wkRngBelow(rng, 3)] = size;
    c->def.region.lower = (wkVec3d){middle.x - edges[0], middle.y - edges[1], middle.z - edges[2]};
    c->def.region.upper = (wkVec3d){middle.x + edges[0], middle.y + edges[1], middle.z + edges[2]};
    c->def.cellSize = 2.0 * size / wkRngRange(rng, 5.0, wkRngChance(rng, 4) ? 70.0 : 28.0);
    c->def.reach = c->def.cellSize * wkRngLogRange(rng, 0.1, 20.0);
    c->def.pointCapacity = MOST_POINTS;
    c->def.pointBytes = (size_t)1 << 20;
    c->def.ownCapacity = MOST_OWN;
    c->longest = 2.0 * size;
    assert_int_equal(wkCudaField_Create(&c->def, &c->field), wk_ok);
}

static wkVec3d drawInRegion(const wkAabb* region, wkRng* rng, double grown)
{
    double share[3];
    for (int axis = 0; axis < 3; axis++) {
        share[axis] = wkRngRange(rng, -grown, 1.0 + grown);
    }
    wkVec3d lower = region->lower, upper = region->upper;
    return (wkVec3d){lower.x + share[0] * (upper.x - lower.x),
                     lower.y + share[1] * (upper.y - lower.y),
                     lower.z + share[2] * (upper.z - lower.z)};
}

// Draws a point in the world.
static wkVec3d drawPoint(const fieldCase* c, wkRng* rng, cloudKind kind)
{
    const wkAabb* region = &c->def.region;
    double size = cellSizeOf(c);
    wkVec3d p = drawInRegion(region, rng, kind == widePoints ? 1.5 : 0.0);
    switch (kind) {
    case pointsOnBorders: // the first cell begins 1.05 cells before the region
        p.x = region->lower.x + size * (-1.05 + wkRngBelow(rng, 12) + wkRngRange(rng, -1e-4, 1e-4));
        p.y = region->lower.y + size * (-1.05 + wkRngBelow(rng, 12));
        p.z = region->lower.z + (wkRngChance(rng, 2) ? size * (-1.05 + wkRngBelow(rng, 12)) : 0.0);
        break;
    case surfacePoints:
        p.z = region->lower.z + 0.3 * (region->upper.z - region->lower.z) +
              0.1 * (p.x - region->lower.x);
        break;
    case crowdedPoints: {
        wkVec3d d = wkRngDirection(rng);
        p = region->lower;
        p = (wkVec3d){p.x + size * (2.0 + d.x), p.y + size * (2.0 + d.y), p.z + size * (2.0 + d.z)};
        break;
    }
    default:
        break;
    }
    return p;
}

// Writes points into their layout, and keeps what is stored.
static void storePoints(fieldCase* c, wkRng* rng)
{
    bool isDouble = wkRngChance(rng, 2);
    int32_t size = isDouble ? 8 : 4, gap = wkRngBelow(rng, 3);
    int32_t pointBytes = 3 * size + 4 + gap; // not aligned with a gap
    c->view = wkMakeCloudView(c->bytes, c->count);
    c->view.isDouble = isDouble;
    c->view.stride = pointBytes;
    c->view.radiusOffset = c->hasRadii ? 3 * size : -1;
    for (int32_t i = 0; i < c->count; i++) {
        double given[3] = {c->points[i].x, c->points[i].y, c->points[i].z};
        char* to = c->bytes + i * pointBytes;
        for (int axis = 0; axis < 3; axis++) {
            float narrow = (float)given[axis];
            memcpy(to + axis * size, isDouble ? (const void*)&given[axis] : (const void*)&narrow,
                   (size_t)size);
            given[axis] = isDouble ? given[axis] : (double)narrow;
        }
        memcpy(to + 3 * size, &c->radii[i], sizeof c->radii[i]);
        c->points[i] = (wkVec3d){given[0], given[1], given[2]};
    }
}

static void drawCloud(fieldCase* c, wkRng* rng, cloudKind kind)
{
    bool isSparse = kind == pointsOnBorders; // each of them is the nearest of much space
    c->count = 1 + wkRngBelow(rng, isSparse ? 5 : MOST_POINTS);
    c->count = kind == emptyCloud ? 0 : kind == onePoint ? 1 : c->count;
    c->hasRadii = wkRngChance(rng, 2);
    c->radius = wkRngChance(rng, 2) ? wkRngRange(rng, 0.0, cellSizeOf(c)) : 0.0;
    wkVec3d middle = drawInRegion(&c->def.region, rng, 0.0);
    c->pose = (wkPose){middle, isSparse || wkRngChance(rng, 3) ? (wkQuat){0.0, 0.0, 0.0, 1.0}
                                                               : wkRngRotation(rng)};
    wkPose toFrame = wkInvPose(c->pose);
    bool isTainted = wkRngChance(rng, 2);
    for (int32_t i = 0; i < c->count; i++) {
        c->points[i] = i > 0 && kind == equalPoints
                           ? c->points[0]
                           : wkTransformPoint(toFrame, drawPoint(c, rng, kind));
        c->radii[i] =
            (float)wkRngRange(rng, 0.0, wkRngChance(rng, 20) ? 3.0 : 0.5) * (float)cellSizeOf(c);
        if (isTainted && wkRngChance(rng, 10)) {
            const double odd[] = {NAN, INFINITY, -INFINITY, 1e30, -3e38};
            c->points[i].y = odd[wkRngBelow(rng, 5)];
        }
    }
    storePoints(c, rng);
    c->ownCount = wkRngChance(rng, 2) ? 0 : 1 + wkRngBelow(rng, MOST_OWN);
    c->ownPadding = wkRngChance(rng, 2) ? 0.0 : cellSizeOf(c);
    for (int32_t i = 0; i < c->ownCount; i++) {
        wkVec3d center = drawInRegion(&c->def.region, rng, 0.1);
        if (c->count > 0 && wkRngChance(rng, 2)) {
            center = wkTransformPoint(c->pose, c->points[wkRngBelow(rng, c->count)]);
        }
        c->own[i] = (wkSphere3d){center, c->longest * wkRngLogRange(rng, 0.003, 0.3)};
        bool isFinite = isfinite(center.x) && isfinite(center.y) && isfinite(center.z) &&
                        fabs(center.x) + fabs(center.y) + fabs(center.z) < 1e9;
        c->own[i].center = isFinite ? center : c->def.region.lower;
    }
}

// The radius of a point, its own and that of all.
static double radiusOf(const fieldCase* c, int32_t point)
{
    return c->radius + (c->hasRadii ? (double)c->radii[point] : 0.0);
}

// Returns whether a point is on the robot itself, by more than a margin.
static bool isOwn(const fieldCase* c, wkVec3d p, double margin)
{
    for (int32_t i = 0; i < c->ownCount; i++) {
        wkVec3d o = c->own[i].center;
        double distance = hypot(hypot(p.x - o.x, p.y - o.y), p.z - o.z);
        if (distance < c->own[i].radius + c->ownPadding - margin) {
            return true;
        }
    }
    return false;
}

// Returns the distance from a position to the nearest sphere around a point; infinity: none.
// @param margin points are left out that are as deep inside the robot itself
static double distanceTo(const fieldCase* c, wkVec3d at, double margin)
{
    double least = (double)INFINITY;
    for (int32_t i = 0; i < c->count; i++) {
        wkVec3d p = c->points[i];
        if (isfinite(p.x) && isfinite(p.y) && isfinite(p.z)) {
            p = wkTransformPoint(c->pose, p);
            double distance = hypot(hypot(p.x - at.x, p.y - at.y), p.z - at.z) - radiusOf(c, i);
            least = distance < least && !isOwn(c, p, margin) ? distance : least;
        }
    }
    return least;
}

// Draws spheres in the region, around it, and at any distance of its points.
static void drawSpheres(fieldCase* c, wkRng* rng)
{
    const float hostile[] = {NAN, INFINITY, -INFINITY, -1.0f, 1e31f, -3e38f, 1e-45f};
    for (int32_t i = 0; i < MOST_SPHERES; i++) {
        double radius = c->def.reach * wkRngLogRange(rng, 1e-3, wkRngChance(rng, 20) ? 2.0 : 1.0);
        wkVec3d at = drawInRegion(&c->def.region, rng, wkRngChance(rng, 10) ? 0.2 : 0.0);
        if (c->count > 0 && wkRngChance(rng, 2)) {
            int32_t point = wkRngBelow(rng, c->count);
            double off = wkRngSign(rng) * c->longest * wkRngLogRange(rng, 1e-8, 0.1);
            double away = wkRngChance(rng, 20) ? 0.0 : radius + radiusOf(c, point) + off;
            wkVec3d direction = wkRngDirection(rng), p = c->points[point];
            p = wkTransformPoint(c->pose, p);
            at = (wkVec3d){p.x + away * direction.x, p.y + away * direction.y,
                           p.z + away * direction.z};
        }
        if (c->count > 0 && wkRngChance(rng, 4)) {
            // beyond whole cells along an axis: bounds are tight for points at borders of cells
            int32_t point = wkRngBelow(rng, c->count);
            double size = cellSizeOf(c), cells = 1 + wkRngBelow(rng, 12);
            at = wkTransformPoint(c->pose, c->points[point]);
            at.x += wkRngSign(rng) * size * (cells + 3e-4);
            radius = cells * size * (1.0 + wkRngRange(rng, -1e-3, 1e-3)) - radiusOf(c, point);
        }
        float* s = c->spheres[i];
        s[0] = (float)at.x;
        s[1] = (float)at.y;
        s[2] = (float)at.z;
        s[3] = (float)(wkRngChance(rng, 30) ? 0.0 : radius);
        if (wkRngChance(rng, 40)) {
            s[wkRngBelow(rng, 4)] = hostile[wkRngBelow(rng, 7)];
        }
    }
}

static bool isInRegion(const wkAabb* region, const float s[4], double margin)
{
    double x = (double)s[0], y = (double)s[1], z = (double)s[2];
    return x >= region->lower.x + margin && x <= region->upper.x - margin &&
           y >= region->lower.y + margin && y <= region->upper.y - margin &&
           z >= region->lower.z + margin && z <= region->upper.z - margin;
}

// Returns whether a verdict is right.
static bool isRight(const fieldCase* c, const float s[4], uint8_t verdict)
{
    double radius = (double)s[3];
    if (verdict != wk_verdictFree && verdict != wk_verdictWorld) {
        return false;
    }
    bool isFinite = isfinite(s[0]) && isfinite(s[1]) && isfinite(s[2]);
    if (!isFinite || !(s[3] >= 0.0f) || radius > 1.001 * c->def.reach) {
        return verdict == wk_verdictWorld;
    }
    wkVec3d at = {(double)s[0], (double)s[1], (double)s[2]};
    double slack = 2e-6 * c->longest;
    bool isDecided = isInRegion(&c->def.region, s, 0.0) && radius <= c->def.reach;
    if (verdict == wk_verdictFree) {
        // two cells around the region are decided at most
        return distanceTo(c, at, 0.0) > radius &&
               isInRegion(&c->def.region, s, -10.0 * cellSizeOf(c));
    }
    return !isDecided || distanceTo(c, at, 20.0 * slack) <= radius + slack;
}

static void checkVerdicts(const fieldCase* c)
{
    for (int32_t i = 0; i < MOST_SPHERES; i++) {
        const float* s = c->spheres[i];
        if (!isRight(c, s, c->verdicts[i])) {
            wkVec3d at = {(double)s[0], (double)s[1], (double)s[2]};
            print_error("sphere %d: %g %g %g radius %g is %s, distance %.9g, reach %g, cells %g\n",
                        i, at.x, at.y, at.z, (double)s[3], wkVerdictName((wkVerdict)c->verdicts[i]),
                        distanceTo(c, at, 0.0), c->def.reach, cellSizeOf(c));
            fail();
        }
    }
}

static void checkSpheres(fieldCase* c)
{
    memset(c->verdicts, 0x55, sizeof c->verdicts);
    assert_int_equal(
        wkCudaField_CheckSpheres(c->field, c->spheres[0], wk_memoryHost, MOST_SPHERES, c->verdicts),
        wk_ok);
}

static void update(fieldCase* c)
{
    assert_int_equal(tryUpdate(c, &c->view, wk_memoryHost), wk_ok);
}

static void checkCounts(const fieldCase* c)
{
    wkCudaFieldInfo info = wkCudaField_Info(c->field);
    int64_t notFinite = 0;
    for (int32_t i = 0; i < c->count; i++) {
        wkVec3d p = c->points[i];
        notFinite += isfinite(p.x) && isfinite(p.y) && isfinite(p.z) ? 0 : 1;
    }
    assert_true(info.isKnown);
    assert_int_equal(info.notFiniteCount, notFinite);
    assert_int_equal(info.pointCount + info.notFiniteCount + info.beyondCount + info.ownCount,
                     c->count);
}

// Reverses the order of points.
static void reverse(fieldCase* c)
{
    c->view.data = (const char*)c->view.data + (c->count - 1) * c->view.stride;
    c->view.stride = -c->view.stride;
}

// Copies what a view shows to the GPU.
static void* sendBytes(const void* bytes, size_t count)
{
    void* there = NULL;
    assert_int_equal(cudaMalloc(&there, count), cudaSuccess);
    assert_int_equal(cudaMemcpyAsync(there, bytes, count, cudaMemcpyHostToDevice, 0), cudaSuccess);
    assert_int_equal(cudaStreamSynchronize(0), cudaSuccess);
    return there;
}

// The order of points and where they and the spheres are does not matter.
static void expectSameElsewhere(fieldCase* c)
{
    static uint8_t again[MOST_SPHERES];
    if (c->count > 0 && c->view.stride % (c->view.isDouble ? 8 : 4) == 0) {
        void* points = sendBytes(c->bytes, (size_t)c->view.stride * (size_t)c->count);
        wkCloudView view = c->view;
        view.data = points;
        assert_int_equal(tryUpdate(c, &view, wk_memoryDevice), wk_ok);
        cudaFree(points);
    } else if (c->count > 0) {
        reverse(c);
        update(c);
    }
    void* spheres = sendBytes(c->spheres, sizeof c->spheres);
    assert_int_equal(wkCudaField_CheckSpheres(c->field, (const float*)spheres, wk_memoryDevice,
                                              MOST_SPHERES, again),
                     wk_ok);
    cudaFree(spheres);
    assert_memory_equal(again, c->verdicts, sizeof again);
}

static void verdicts_are_those_of_all_points(void** state)
{
    (void)state;
    static fieldCase c;
    wkRng rng = wkMakeRng(wkKitSeed());
    openCuda(&c.cuda);
    for (int i = 0; i < wkKitCasesOfKinds(4, 1) * cloudKindCount; i++) {
        drawDef(&c, &rng);
        for (int frame = 0; frame < 2; frame++) { // nothing of a frame stays
            drawCloud(&c, &rng, (cloudKind)((i + frame) % cloudKindCount));
            update(&c);
            drawSpheres(&c, &rng);
            checkSpheres(&c);
            checkVerdicts(&c);
            checkCounts(&c);
        }
        expectSameElsewhere(&c);
        wkCudaField_Destroy(c.field);
    }
    wkCuda_Destroy(c.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// A field with one point in the middle.
static void openPoint(fieldCase* c)
{
    memset(c, 0, sizeof *c);
    openCuda(&c->cuda);
    c->def = wkDefaultCudaFieldDef();
    c->def.cuda = c->cuda;
    c->def.cellSize = 0.1;
    c->def.pointCapacity = 100000;
    c->def.pointBytes = (size_t)1 << 20;
    c->def.ownCapacity = MOST_OWN;
    c->longest = 2.0;
    c->count = 1;
    c->pose = wkIdentityPose();
    c->view = wkMakeCloudView(c->bytes, 1);
    assert_int_equal(wkCudaField_Create(&c->def, &c->field), wk_ok);
}

static void closePoint(fieldCase* c)
{
    wkCudaField_Destroy(c->field);
    wkCuda_Destroy(c->cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static void expectVerdict(fieldCase* c, float x, float radius, wkVerdict expected)
{
    _Alignas(16) const float sphere[4] = {x, 0.0f, 0.0f, radius};
    uint8_t verdict = 0x55;
    assert_int_equal(wkCudaField_CheckSpheres(c->field, sphere, wk_memoryHost, 1, &verdict), wk_ok);
    assert_int_equal(verdict, expected);
}

static void nothing_is_known_without_a_frame(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    assert_false(wkCudaField_Info(c.field).isKnown);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictWorld);
    update(&c);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictFree);
    expectVerdict(&c, 0.5f, 0.2f, wk_verdictFree);
    expectVerdict(&c, 0.5f, 0.21f, wk_verdictWorld); // beyond the reach
    expectVerdict(&c, 0.1f, 0.0999f, wk_verdictFree);
    expectVerdict(&c, 0.1f, 0.1f, wk_verdictWorld);
    expectVerdict(&c, 1.0f, 0.01f, wk_verdictFree);
    expectVerdict(&c, 3.0f, 0.01f, wk_verdictWorld); // beyond the region
    uint8_t verdict = 7;
    assert_int_equal(wkCudaField_CheckSpheres(c.field, NULL, wk_memoryHost, 0, &verdict), wk_ok);
    assert_int_equal(verdict, 7);

    // a frame that is refused leaves nothing known
    c.view.count = 100001;
    assert_int_equal(tryUpdate(&c, &c.view, wk_memoryHost), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "pointCapacity is 100000"));
    assert_false(wkCudaField_Info(c.field).isKnown);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictWorld);
    c.view.count = 0;
    update(&c);
    expectVerdict(&c, 0.0f, 0.2f, wk_verdictFree);
    closePoint(&c);
}

static void expectFrameRefused(fieldCase* c, wkResult expected, const char* words)
{
    assert_int_equal(tryUpdate(c, &c->view, wk_memoryHost), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    expectVerdict(c, 0.5f, 0.01f, wk_verdictWorld);
    assert_int_equal(wkCudaField_Info(c->field).pointCount, 0);
}

static void bad_frames_are_refused(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    wkCloudView good = c.view;
    c.pose.position.x = NAN;
    expectFrameRefused(&c, wk_errorNotFinite, "pose is not finite");
    c.pose.position.x = 1e16;
    expectFrameRefused(&c, wk_errorRange, "pose.position");
    c.pose = wkIdentityPose();
    c.radius = -0.1;
    expectFrameRefused(&c, wk_errorRange, "radius is -0.1");
    c.radius = 0.0;
    c.ownCount = 4;
    expectFrameRefused(&c, wk_errorRange, "ownCount is 4");
    c.ownCount = 1;
    c.own[0].radius = NAN;
    expectFrameRefused(&c, wk_errorNotFinite, "ownSpheres[0]");
    c.own[0] = (wkSphere3d){{0.0, 0.0, INFINITY}, 0.1};
    expectFrameRefused(&c, wk_errorNotFinite, "ownSpheres[0]");
    c.ownPadding = -1.0;
    expectFrameRefused(&c, wk_errorRange, "ownPadding is -1");
    c.ownPadding = 0.0;
    c.ownCount = 0;
    c.view.xOffset = -5;
    expectFrameRefused(&c, wk_errorRange, "xOffset");
    // the first of the points with a bad radius
    c.view = good;
    c.view.count = 900;
    c.view.stride = 16;
    c.view.radiusOffset = 12;
    for (int i = 0; i < 900; i++) {
        float radius = i == 612 || i == 613 || i == 899 ? -1.0f : 0.0f;
        memcpy(c.bytes + 16 * i + 12, &radius, sizeof radius);
    }
    expectFrameRefused(&c, wk_errorRange, "point 612 ");
    assert_int_equal(wkCudaField_Update(NULL, &good, wk_memoryHost, c.pose, NULL),
                     wk_errorArgument);
    assert_int_equal(wkCudaField_Update(c.field, NULL, wk_memoryHost, c.pose, NULL),
                     wk_errorArgument);
    assert_int_equal(wkCudaField_Update(c.field, &good, (wkCudaMemory)2, c.pose, NULL),
                     wk_errorArgument);
    c.view = good;
    update(&c);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictFree);
    closePoint(&c);
}

static void expectSpheresRefused(wkCudaField* field, const float* spheres, wkCudaMemory memory,
                                 int64_t count, wkResult expected, const char* words)
{
    uint8_t verdict = 1;
    assert_int_equal(wkCudaField_CheckSpheres(field, spheres, memory, count, &verdict), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_int_equal(verdict, count > 0 ? wk_verdictUnchecked : 1);
}

static void bad_spheres_are_refused(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    const float* s = c.spheres[0];
    expectSpheresRefused(NULL, s, wk_memoryHost, 1, wk_errorArgument, "field or spheres");
    expectSpheresRefused(c.field, NULL, wk_memoryHost, 1, wk_errorArgument, "field or spheres");
    expectSpheresRefused(c.field, s, (wkCudaMemory)9, 1, wk_errorArgument, "memory is 9");
    expectSpheresRefused(c.field, s, wk_memoryHost, -1, wk_errorRange, "count is -1");
    expectSpheresRefused(c.field, s + 1, wk_memoryDevice, 1, wk_errorArgument, "aligned");
    assert_int_equal(wkCudaField_CheckSpheres(c.field, s, wk_memoryHost, 1, NULL),
                     wk_errorArgument);
    closePoint(&c);
}

// A field of the points of a camera, and the image.
typedef struct depthCase {
    fieldCase c;
    wkTestImage room;
    wkPixelRequest pixels;
    wkCudaCamera* camera;
    float points[97 * 70][3]; // of the CPU
    int32_t index[97 * 70];
} depthCase;

static void openDepth(depthCase* d, wkRng* rng)
{
    memset(d, 0, sizeof *d);
    fieldCase* c = &d->c;
    openCuda(&c->cuda);
    d->room = wkMakeTestImage(rng, 97, 70);
    d->pixels = wkDefaultPixelRequest();
    d->pixels.step = 1 + wkRngBelow(rng, 2);
    wkCudaCameraDef def = wkDefaultCudaCameraDef();
    def.cuda = c->cuda;
    def.camera = d->room.image.camera;
    def.pixels = d->pixels;
    assert_int_equal(wkCudaCamera_Create(&def, &d->camera), wk_ok);
    drawDef(c, rng);
    wkCudaField_Destroy(c->field);
    // around a point in the image
    wkVec3d p = wkTransformPoint(d->room.image.pose, (wkVec3d){0.0, 0.0, 1.0});
    c->def.region.lower = (wkVec3d){p.x - 0.5, p.y - 0.6, p.z - 0.7};
    c->def.region.upper = (wkVec3d){p.x + 0.5, p.y + 0.6, p.z + 0.7};
    c->def.cellSize = 0.05;
    c->def.reach = 0.2;
    c->def.pointCapacity = 97 * 70;
    assert_int_equal(wkCudaField_Create(&c->def, &c->field), wk_ok);
    c->longest = 1.4;
    c->pose = d->room.image.pose;
    c->radius = 0.01;
    c->own[0] = (wkSphere3d){p, 0.3};
    c->ownCount = 1;
    c->count = wkDepthImage_Points(&d->room.image, &d->pixels, d->points[0], d->index, 97 * 70);
    c->view = wkMakeCloudView(d->points, c->count);
}

static void closeDepth(depthCase* d)
{
    wkCudaField_Destroy(d->c.field);
    wkCudaCamera_Destroy(d->camera);
    wkCuda_Destroy(d->c.cuda);
    free(d->room.depths);
    assert_int_equal(emulatedByteCount(), 0);
}

static wkResult updateFromDepth(depthCase* d, wkCudaMemory memory)
{
    wkCudaFieldRequest request = requestOf(&d->c);
    return wkCudaField_UpdateFromDepth(d->c.field, d->camera, &d->room.image, memory, &request);
}

static void depth_images_are_their_points(void** state)
{
    (void)state;
    static depthCase d;
    static uint8_t expected[MOST_SPHERES];
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(6); i++) {
        openDepth(&d, &rng);
        for (int32_t k = 0; k < MOST_SPHERES; k++) {
            wkVec3d at = drawInRegion(&d.c.def.region, &rng, 0.0);
            float sphere[4] = {(float)at.x, (float)at.y, (float)at.z,
                               (float)wkRngRange(&rng, 0.0, 0.2)};
            memcpy(d.c.spheres[k], sphere, sizeof sphere);
        }
        update(&d.c);
        checkSpheres(&d.c);
        memcpy(expected, d.c.verdicts, sizeof expected);
        wkCudaFieldInfo byPoints = wkCudaField_Info(d.c.field);
        assert_int_equal(updateFromDepth(&d, wk_memoryHost), wk_ok);
        checkSpheres(&d.c);
        assert_memory_equal(expected, d.c.verdicts, sizeof expected);
        wkCudaFieldInfo info = wkCudaField_Info(d.c.field);
        assert_int_equal(info.pointCount, byPoints.pointCount);
        assert_int_equal(info.ownCount, byPoints.ownCount);
        assert_int_equal(info.beyondCount, byPoints.beyondCount);

        // an image of another camera is refused, and nothing is known
        d.room.image.camera.fx += 1.0;
        assert_int_equal(updateFromDepth(&d, wk_memoryHost), wk_errorArgument);
        assert_non_null(strstr(wkGetLastError(), "fx"));
        assert_false(wkCudaField_Info(d.c.field).isKnown);
        assert_int_equal(
            wkCudaField_UpdateFromDepth(NULL, d.camera, &d.room.image, wk_memoryHost, NULL),
            wk_errorArgument);
        assert_int_equal(
            wkCudaField_UpdateFromDepth(d.c.field, NULL, &d.room.image, wk_memoryHost, NULL),
            wk_errorArgument);
        closeDepth(&d);
    }
}

// A GPU that fails while points are made of pixels leaves nothing known.
static void a_failed_image_leaves_nothing_free(void** state)
{
    (void)state;
    static depthCase d;
    wkRng rng = wkMakeRng(wkKitSeed());
    openDepth(&d, &rng);
    wkResult result = wk_errorDevice;
    for (int call = 0; emulatedIsUsed() && result != wk_ok; call++) {
        assert_int_equal(updateFromDepth(&d, wk_memoryHost), wk_ok);
        emulatedFailCall(call, 700, 0);
        result = updateFromDepth(&d, wk_memoryHost);
        emulatedFailCall(-1, 0, 0);
        assert_int_equal(wkCudaField_Info(d.c.field).isKnown, result == wk_ok);
        assert_true(call < 40);
    }
    closeDepth(&d);
}

static void expectNoField(const wkCudaFieldDef* def, wkResult expected, const char* words)
{
    wkCudaField* field = (wkCudaField*)&field;
    assert_int_equal(wkCudaField_Create(def, &field), expected);
    assert_non_null(strstr(wkGetLastError(), words));
    assert_null(field);
}

static void bad_definitions_are_refused(void** state)
{
    (void)state;
    wkCudaFieldDef good = wkDefaultCudaFieldDef(), def = good;
    expectNoField(NULL, wk_errorArgument, "wkCudaFieldDef");
    expectNoField(&def, wk_errorArgument, "cuda is NULL");
    openCuda(&good.cuda);
    assert_int_equal(wkCudaField_Create(&good, NULL), wk_errorArgument);
    def = good;
    def.region.lower.y = NAN;
    expectNoField(&def, wk_errorNotFinite, "region");
    def = good;
    def.region.upper.z = -1.0;
    expectNoField(&def, wk_errorRange, "region");
    const double sizes[] = {-1.0, 1e-9, 2.0 / 255.0, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        def = good;
        def.cellSize = sizes[i];
        expectNoField(&def, wk_errorRange, "cellSize");
    }
    const double reaches[] = {0.0, -1.0, 1.0, NAN, INFINITY};
    for (int i = 0; i < 5; i++) {
        def = good;
        def.reach = reaches[i];
        expectNoField(&def, wk_errorRange, "reach");
    }
    def = good;
    def.pointCapacity = 0;
    expectNoField(&def, wk_errorRange, "pointCapacity is 0");
    def = good;
    def.pointBytes = 1000;
    expectNoField(&def, wk_errorRange, "pointBytes is 1000");
    def = good;
    def.ownCapacity = -1;
    expectNoField(&def, wk_errorRange, "ownCapacity is -1");
    if (emulatedIsUsed()) {
        emulatedSetMemory((size_t)1 << 20);
        expectNoField(&good, wk_errorMemory, "bytes on the GPU");
        emulatedSetMemory((size_t)1 << 30);
    }
    wkCudaField_Destroy(NULL);
    wkCudaFieldInfo none = wkCudaField_Info(NULL);
    assert_true(!none.isKnown && none.byteCount == 0);
    wkCuda_Destroy(good.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// More points than a slot has, and more spheres than have verdicts at once.
static void frames_of_any_size_are_sent(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    int32_t count = 60000;
    float(*points)[3] = malloc((size_t)count * sizeof *points);
    assert_non_null(points);
    for (int32_t i = 0; i < count; i++) {
        points[i][0] = i == count - 1 ? 0.0f : 0.6f;
        points[i][1] = points[i][2] = 0.0f;
    }
    c.view = wkMakeCloudView(points, count);
    update(&c);
    assert_int_equal(wkCudaField_Info(c.field).pointCount, count);
    expectVerdict(&c, 0.1f, 0.0999f, wk_verdictFree);
    expectVerdict(&c, 0.1f, 0.11f, wk_verdictWorld);
    expectVerdict(&c, 0.5f, 0.11f, wk_verdictWorld);
    expectVerdict(&c, 0.5f, 0.0999f, wk_verdictFree);
    free(points);
    closePoint(&c);
}

// Creates a field, updates it and checks spheres; every failure leaves all verdicts unchecked.
static wkResult runStory(void* context)
{
    fieldCase* c = (fieldCase*)context;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    memset(c->verdicts, wk_verdictFree, sizeof c->verdicts);
    c->cuda = NULL;
    c->field = NULL;
    wkResult result = wkCuda_Create(&cudaDef, &c->cuda);
    if (result == wk_ok) {
        c->def.cuda = c->cuda;
        result = wkCudaField_Create(&c->def, &c->field);
    }
    if (result == wk_ok) {
        result = tryUpdate(c, &c->view, wk_memoryHost);
    }
    if (result == wk_ok) {
        result = wkCudaField_CheckSpheres(c->field, c->spheres[0], wk_memoryHost, 20, c->verdicts);
        for (int i = 0; i < 20; i++) {
            assert_true(result == wk_ok ? isRight(c, c->spheres[i], c->verdicts[i])
                                        : c->verdicts[i] == wk_verdictUnchecked);
        }
    }
    wkCudaField_Destroy(c->field);
    wkCuda_Destroy(c->cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    static fieldCase c;
    wkRng rng = wkMakeRng(wkKitSeed());
    openPoint(&c);
    c.def.cellSize = 0.3;
    c.def.pointCapacity = MOST_POINTS;
    drawCloud(&c, &rng, surfacePoints);
    drawSpheres(&c, &rng);
    closePoint(&c);
    failEverywhere(runStory, &c);
}

// A GPU that fails during an update leaves nothing known until the next frame.
static void a_failed_update_leaves_nothing_free(void** state)
{
    (void)state;
    static fieldCase c;
    openPoint(&c);
    wkResult result = wk_errorDevice;
    for (int call = 0; emulatedIsUsed() && result != wk_ok; call++) {
        emulatedFailCall(-1, 0, 0);
        update(&c);
        expectVerdict(&c, 0.5f, 0.01f, wk_verdictFree);
        emulatedFailCall(call, 700, 0);
        result = tryUpdate(&c, &c.view, wk_memoryHost);
        emulatedFailCall(-1, 0, 0);
        expectVerdict(&c, 0.5f, 0.01f, result == wk_ok ? wk_verdictFree : wk_verdictWorld);
        assert_true(call < 30);
    }
    closePoint(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_all_points),
        cmocka_unit_test(nothing_is_known_without_a_frame),
        cmocka_unit_test(bad_frames_are_refused),
        cmocka_unit_test(bad_spheres_are_refused),
        cmocka_unit_test(bad_definitions_are_refused),
        cmocka_unit_test(frames_of_any_size_are_sent),
        cmocka_unit_test(any_call_may_fail),
        cmocka_unit_test(a_failed_update_leaves_nothing_free),
        cmocka_unit_test(depth_images_are_their_points),
        cmocka_unit_test(a_failed_image_leaves_nothing_free),
    };
    return cmocka_run_group_tests_name("cuda_field", tests, NULL, NULL);
}
