// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The points of a cloud that are nearest to another one: a heap of the nearest so far, the furthest of them on top.

#include "query/noise/classifier_impl.h"

#include "query/pair/shape_class.h"
#include "tree/cloud/cloud_impl.h"

// While points are selected, their distance is in the field `coefficient`.
static bool isFurther(const wkClassifiedPoint* a, const wkClassifiedPoint* b)
{
    return a->coefficient > b->coefficient ||
           (a->coefficient == b->coefficient && a->part > b->part);
}

static void pushPoint(wkClassifiedPoint* heap, int32_t count, const wkClassifiedPoint* added)
{
    int32_t i = count;
    for (; i > 0 && isFurther(added, &heap[(i - 1) / 2]); i = (i - 1) / 2) {
        heap[i] = heap[(i - 1) / 2];
    }
    heap[i] = *added;
}

static void replaceTop(wkClassifiedPoint* heap, int32_t count, const wkClassifiedPoint* added)
{
    int32_t i = 0;
    for (int32_t child = 1; child < count; child = 2 * i + 1) {
        child += child + 1 < count && isFurther(&heap[child + 1], &heap[child]);
        if (!isFurther(&heap[child], added)) {
            break;
        }
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = *added;
}

int32_t wkSelectNearest(const wkCloud* cloud, const wkFrame* frame, double deviation,
                        const wkCloud* other, const wkFrame* otherFrame, double side,
                        wkClassifiedPoint* points, int32_t capacity)
{
    const float* deviations = wkCloudFloats(cloud, cloud->deviationOffset);
    wkShape body = wkMakeCloud(other);
    const wkShapeClass* kind = wkShapeClassOf(&body);
    int32_t count = 0;
    for (int32_t rank = 0; rank < cloud->pointCount; ++rank) {
        bool isFull = count == capacity;
        wkVec3d position = wkFramePoint(frame, wkCloudPosition(cloud, rank));
        wkPointResult closest;
        kind->closestPoint(&body, wkFrameLocal(otherFrame, position),
                           isFull ? points[0].coefficient : INFINITY, &closest);
        double own = deviations != NULL ? (double)deviations[rank] : deviation;
        wkClassifiedPoint point = {
            .position = position,
            .variance = own * own,
            .radius = wkCloudRadius(cloud, rank),
            .side = side,
            .coefficient = closest.distance,
            .part = wkCloudIds(cloud)[rank],
        };
        if (!isFull) {
            pushPoint(points, count++, &point);
        } else if (isFurther(&points[0], &point)) {
            replaceTop(points, count, &point);
        }
    }
    return count;
}
