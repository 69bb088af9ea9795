// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The nearest neighbours of a sample of points are found in a second cloud of the same points with radius 0,
// where the nearest sphere is the nearest point.

#include "cloud_spacing.h"

#include "vector.h"

#include "whisker/detail/library.h"
#include "whisker/query.h"

#include <math.h>
#include <stdlib.h>

#define MAX_SAMPLES 501 // odd: the median is one of them

// Ranks on either side of a point among which a neighbour is searched first, to limit the exact search.
#define NEAR_RANKS 8

static wkResult makePlainCloud(const wkCloud* cloud, wkCloud** plain)
{
    int32_t count = wkCloud_Info(cloud).pointCount;
    wkVec3d* positions = malloc(((size_t)count + 1) * sizeof *positions);
    if (positions == NULL) {
        return wkSetLastError(wk_errorMemory, "no memory to measure the spacing of points");
    }
    for (int32_t i = 0; i < count; i++) {
        positions[i] = wkCloud_Point(cloud, i).position;
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = positions;
    def.points.count = count;
    def.points.isDouble = true;
    def.mergesDuplicates = true;
    def.allowsEmpty = true;
    wkResult result = wkCloud_Create(&def, plain);
    free(positions);
    return result;
}

// Returns the distance of a point from its nearest neighbour; infinity: it has none.
static double distanceToNeighbour(const wkCloud* plain, int32_t count, int32_t rank)
{
    wkVec3d position = wkCloud_Point(plain, rank).position;
    double nearest = INFINITY;
    for (int32_t k = rank - NEAR_RANKS; k <= rank + NEAR_RANKS; k++) {
        if (k != rank && k >= 0 && k < count) {
            wkVec3d away = wkCloud_Point(plain, k).position;
            nearest = fmin(nearest, wkVec_Length(wkVec_Sub(away, position)));
        }
    }
    // the deepest contact is the point itself, the second its neighbour
    wkContact contacts[2];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = 2;
    request.margin = nearest;
    wkShape point = wkMakeSphere(0.0), all = wkMakeCloud(plain);
    wkPose pose = wkMakePose(position.x, position.y, position.z);
    int32_t found = isfinite(nearest)
                        ? wkCollide(&point, pose, &all, wkIdentityPose(), &request).contactCount
                        : 0;
    return found == 2 ? fmin(nearest, -contacts[1].depth) : nearest;
}

static int compareNumbers(const void* a, const void* b)
{
    double x = *(const double*)a, y = *(const double*)b;
    return (x > y) - (x < y);
}

static double medianOf(double* numbers, int count)
{
    qsort(numbers, (size_t)count, sizeof *numbers, compareNumbers);
    return numbers[count / 2];
}

wkResult wkMeasureSpacing(const wkCloud* cloud, wkCloudSpacing* spacing)
{
    wkCloud* plain = NULL;
    double distances[MAX_SAMPLES], radii[MAX_SAMPLES];
    *spacing = (wkCloudSpacing){0.0, 0.0};
    wkResult result = makePlainCloud(cloud, &plain);
    if (result != wk_ok) {
        return result;
    }
    int32_t count = wkCloud_Info(plain).pointCount;
    int sampleCount = count < MAX_SAMPLES ? count : MAX_SAMPLES;
    for (int i = 0; i < sampleCount && count > 1; i++) {
        int32_t rank = (int32_t)((int64_t)i * count / sampleCount);
        distances[i] = distanceToNeighbour(plain, count, rank);
        radii[i] = wkCloud_Point(cloud, rank).radius; // has at least as many points
    }
    if (count > 1) {
        spacing->distance = medianOf(distances, sampleCount);
        spacing->gap = spacing->distance - 2.0 * medianOf(radii, sampleCount);
    }
    wkCloud_Destroy(plain);
    return wk_ok;
}

double wkClosingRadius(const wkCloudSpacing* spacing)
{
    return sqrt(0.5) * spacing->distance; // the middle of a square is as far from its vertices
}
