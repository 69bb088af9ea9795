// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Converts the deepest point and the clipped faces of a pair to the caller's contacts.

#include "query/pair/pair_contacts.h"

#include "solve/manifold.h"

// A point of a manifold is the deepest one when it differs from the depth that wkDistance reports by
// rounding only (relative to the size of A).
#define WK_EQUAL_DEPTH 1e-12

// Contacts closer to another than this fraction of the contact area's length are dropped.
#define WK_SAME_CONTACT 1e-6

// Keeps points that span the contact area: the first, then each time the one furthest from those
// already chosen. Returns the number of points kept.
static int chooseSpread(wkCorePoint* points, int count, int capacity)
{
    double nearest[WK_MANIFOLD_CAPACITY];
    for (int i = 0; i < count; ++i) {
        nearest[i] = INFINITY;
    }
    double least = 0.0;
    int chosen = 1;
    while (chosen < count && chosen < capacity) {
        int pick = chosen;
        for (int i = chosen; i < count; ++i) {
            wkVec3d apart = wkSub(points[i].pointA, points[chosen - 1].pointA);
            nearest[i] = wkMinD(nearest[i], wkDot(apart, apart));
            pick = nearest[i] > nearest[pick] ? i : pick;
        }
        if (!(nearest[pick] > least)) {
            break;
        }
        least = chosen == 1 ? WK_SAME_CONTACT * WK_SAME_CONTACT * nearest[pick] : least;
        wkCorePoint point = points[pick];
        points[pick] = points[chosen];
        nearest[pick] = nearest[chosen];
        points[chosen++] = point;
    }
    return chosen;
}

static void sortByDepth(wkCorePoint* points, int count)
{
    for (int i = 1; i < count; ++i) {
        wkCorePoint point = points[i];
        int k = i;
        for (; k > 0 && points[k - 1].depth < point.depth; --k) {
            points[k] = points[k - 1];
        }
        points[k] = point;
    }
}

// Puts the deepest point first, with the depth that wkDistance reports: a point of the manifold if it
// has one, else the closest point.
static int putDeepestFirst(const wkSolution* s, double size, wkCorePoint* points, int count)
{
    double slack = WK_EQUAL_DEPTH * size, best = -INFINITY;
    int deepest = -1;
    for (int i = 0; i < count; ++i) {
        bool isDeepest = points[i].aside <= slack && fabs(points[i].depth + s->distance) <= slack;
        if (isDeepest && points[i].depth > best) {
            deepest = i;
            best = points[i].depth;
        }
    }
    wkCorePoint first = {.pointA = s->pointA};
    if (deepest >= 0) {
        first = points[deepest];
    } else {
        deepest = count < WK_MANIFOLD_CAPACITY ? count++ : count - 1;
    }
    points[deepest] = points[0];
    points[0] = first;
    points[0].depth = -s->distance;
    for (int i = 1; i < count; ++i) {
        points[i].depth = wkMinD(points[i].depth, -s->distance);
    }
    return count;
}

// Clips the faces, in the frame of A.
static int32_t makeManifold(const wkQuestion* q, const wkPairInFrame* framed,
                            const wkDistanceResult* answer, bool isSwapped, wkContact* contacts,
                            int32_t capacity)
{
    double radii = q->radiusA + q->radiusB;
    wkVec3d surfaceA = wkMulTMV(&framed->worldFromA, wkSub(answer->pointA, q->poseA->position));
    wkSolution s = {.distance = answer->distance + radii,
                    .normal = wkMulTMV(&framed->worldFromA, answer->normal),
                    .status = answer->status};
    s.pointA = wkMulSub(surfaceA, q->radiusA, s.normal);
    s.pointB = wkMulAdd(s.pointA, s.distance, s.normal);

    wkCorePoint points[WK_MANIFOLD_CAPACITY];
    double size = framed->sphereA.radius + wkMaxAbs(framed->sphereA.center) + fabs(s.distance);
    int count = wkFaceContacts(&framed->pair, &s, q->cutoff - answer->distance, points);
    count = putDeepestFirst(&s, size, points, count);
    count = chooseSpread(points, count, capacity);
    sortByDepth(points, count);
    wkVec3d normal = isSwapped ? wkNeg(answer->normal) : answer->normal;
    for (int i = 0; i < count; ++i) {
        // midway between the surface of A and that of B
        double middle = 0.5 * (q->radiusA - q->radiusB - points[i].depth);
        wkVec3d point = wkMulAdd(points[i].pointA, middle, s.normal);
        contacts[i].point = wkAdd(wkMulMV(&framed->worldFromA, point), q->poseA->position);
        contacts[i].normal = normal;
        contacts[i].depth = points[i].depth + radii;
        contacts[i].partA = contacts[i].partB = -1;
    }
    contacts[0].depth = -answer->distance;
    return count;
}

int32_t wkMakeContacts(const wkQuestion* q, const wkPairInFrame* framed,
                       const wkDistanceResult* answer, bool isSwapped, wkContact* contacts,
                       int32_t capacity)
{
    if (capacity > 1 && answer->status != wk_statusUnbounded) {
        wkPairInFrame own;
        if (framed == NULL) {
            wkFramePair(q, &own);
            framed = &own;
        }
        return makeManifold(q, framed, answer, isSwapped, contacts,
                            capacity < WK_MAX_CONTACTS ? capacity : WK_MAX_CONTACTS);
    }
    contacts->point = wkMiddle(answer->pointA, answer->pointB);
    contacts->normal = isSwapped ? wkNeg(answer->normal) : answer->normal;
    contacts->depth = -answer->distance;
    contacts->partA = contacts->partB = -1;
    return 1;
}
