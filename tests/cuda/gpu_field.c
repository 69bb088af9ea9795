// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "gpu_field.h"

#include "cuda_runtime_api.h"
#include "gpu_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void openCuda(wkCuda** cuda)
{
    wkCudaDef def = wkDefaultCudaDef();
    assert_int_equal(wkCuda_Create(&def, cuda), wk_ok);
}

wkCudaFieldRequest fieldRequestOf(const fieldCase* c)
{
    wkCudaFieldRequest request = wkDefaultCudaFieldRequest();
    request.radius = c->radius;
    request.ownSpheres = c->own;
    request.ownCount = c->ownCount;
    request.ownPadding = c->ownPadding;
    request.allowsEmpty = true;
    return request;
}

// Replaces the points, where they are and in any layout.
wkResult tryFieldUpdate(fieldCase* c, const wkCloudView* view, wkCudaMemory memory)
{
    wkCudaFieldRequest request = fieldRequestOf(c);
    return wkCudaField_Update(c->field, view, memory, c->pose, &request);
}

static double cellSizeOf(const fieldCase* c)
{
    return wkCudaField_Info(c->field).cellSize;
}

// Draws a region of few cells, anywhere.
void drawFieldDef(fieldCase* c, wkRng* rng)
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
    c->def.objectCapacity = c->objectCapacity;
    c->longest = 2.0 * size;
    assert_int_equal(wkCudaField_Create(&c->def, &c->field), wk_ok);
}

wkVec3d drawInRegion(const wkAabb* region, wkRng* rng, double grown)
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

void drawFieldCloud(fieldCase* c, wkRng* rng, cloudKind kind)
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
void drawFieldSpheres(fieldCase* c, wkRng* rng)
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
bool isFieldVerdictRight(const fieldCase* c, const float s[4], uint8_t verdict)
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

void checkFieldVerdicts(const fieldCase* c)
{
    for (int32_t i = 0; i < MOST_SPHERES; i++) {
        const float* s = c->spheres[i];
        if (!isFieldVerdictRight(c, s, c->verdicts[i])) {
            wkVec3d at = {(double)s[0], (double)s[1], (double)s[2]};
            print_error("sphere %d: %g %g %g radius %g is %s, distance %.9g, reach %g, cells %g\n",
                        i, at.x, at.y, at.z, (double)s[3], wkVerdictName((wkVerdict)c->verdicts[i]),
                        distanceTo(c, at, 0.0), c->def.reach, cellSizeOf(c));
            fail();
        }
    }
}

void checkFieldSpheres(fieldCase* c)
{
    memset(c->verdicts, 0x55, sizeof c->verdicts);
    assert_int_equal(
        wkCudaField_CheckSpheres(c->field, c->spheres[0], wk_memoryHost, MOST_SPHERES, c->verdicts),
        wk_ok);
}

void updateField(fieldCase* c)
{
    assert_int_equal(tryFieldUpdate(c, &c->view, wk_memoryHost), wk_ok);
}

void checkFieldCounts(const fieldCase* c)
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

// The order of points and where they and the spheres are does not matter.
void expectSameElsewhere(fieldCase* c)
{
    static uint8_t again[MOST_SPHERES];
    if (c->count > 0 && c->view.stride % (c->view.isDouble ? 8 : 4) == 0) {
        void* points = copyToGpu(c->bytes, (size_t)c->view.stride * (size_t)c->count);
        wkCloudView view = c->view;
        view.data = points;
        assert_int_equal(tryFieldUpdate(c, &view, wk_memoryDevice), wk_ok);
        cudaFree(points);
    } else if (c->count > 0) {
        reverse(c);
        updateField(c);
    }
    void* spheres = copyToGpu(c->spheres, sizeof c->spheres);
    assert_int_equal(wkCudaField_CheckSpheres(c->field, (const float*)spheres, wk_memoryDevice,
                                              MOST_SPHERES, again),
                     wk_ok);
    cudaFree(spheres);
    assert_memory_equal(again, c->verdicts, sizeof again);
}
