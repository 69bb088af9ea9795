// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From the deepest point and the clipped faces of a pair to the caller's contacts.

#include "query/contacts.h"

#include "solve/manifold.h"
#include "solve/placed.h"

// Points of a manifold as deep as the deepest one, up to this share of wkPair.scale.
#define WK_EQUAL_DEPTH 1e-9

static int deepestOf(const wkCorePoint* points, int count)
{
    int best = 0;
    for (int i = 1; i < count; ++i) {
        best = points[i].depth > points[best].depth ? i : best;
    }
    return best;
}

// Moves to the front the points that span the contact area: the deepest, then each time the one
// furthest from those already chosen. Returns how many are worth keeping.
static int chooseSpread(wkCorePoint* points, int count, int capacity)
{
    double nearest[WK_MANIFOLD_CAPACITY];
    for (int i = 0; i < count; ++i) {
        nearest[i] = INFINITY;
    }
    int pick = deepestOf(points, count);
    int chosen = 0;
    while (chosen < count && chosen < capacity) {
        wkCorePoint point = points[pick];
        double squared = nearest[pick];
        points[pick] = points[chosen];
        nearest[pick] = nearest[chosen];
        if (chosen > 0 && !(squared > 0.0)) {
            break;
        }
        points[chosen++] = point;
        pick = chosen;
        for (int i = chosen; i < count; ++i) {
            wkVec3d apart = wkSub(points[i].pointA, point.pointA);
            nearest[i] = wkMinD(nearest[i], wkDot(apart, apart));
            pick = nearest[i] > nearest[pick] ? i : pick;
        }
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

// The deepest point must be among the contacts, with the depth that wkDistance reports.
static int addDeepest(const wkSolution* s, double size, wkCorePoint* points, int count)
{
    int deepest = count > 0 ? deepestOf(points, count) : -1;
    bool isFlat = count > 0 && points[deepest].depth >= -s->distance - WK_EQUAL_DEPTH * size;
    if (!isFlat) {
        deepest = count < WK_MANIFOLD_CAPACITY ? count++ : count - 1;
        points[deepest].pointA = s->pointA;
    }
    points[deepest].depth = -s->distance;
    for (int i = 0; i < count; ++i) {
        points[i].depth = wkMinD(points[i].depth, -s->distance);
    }
    return count;
}

// The clipped faces, in the frame of A.
static int32_t makeManifold(const wkQuestion* q, const wkDistanceResult* answer, bool isSwapped,
                            wkContact* contacts, int32_t capacity)
{
    wkPlaced placed;
    wkPlacePair(q, &placed);
    double radii = q->radiusA + q->radiusB;
    wkVec3d surfaceA = wkMulTMV(&placed.worldFromA, wkSub(answer->pointA, q->poseA->position));
    wkSolution s = {.distance = answer->distance + radii,
                    .normal = wkMulTMV(&placed.worldFromA, answer->normal)};
    s.pointA = wkMulSub(surfaceA, q->radiusA, s.normal);
    s.pointB = wkMulAdd(s.pointA, s.distance, s.normal);

    wkCorePoint points[WK_MANIFOLD_CAPACITY];
    double size = placed.ballA.radius + wkMaxAbs(placed.ballA.center) + fabs(s.distance);
    int count = wkFaceContacts(&placed.pair, &s, q->cutoff - answer->distance, points);
    count = addDeepest(&s, size, points, count);
    count = chooseSpread(points, count, capacity);
    sortByDepth(points, count);
    wkVec3d normal = isSwapped ? wkNeg(answer->normal) : answer->normal;
    for (int i = 0; i < count; ++i) {
        // midway between the surface of A and that of B
        double middle = 0.5 * (q->radiusA - q->radiusB - points[i].depth);
        wkVec3d point = wkMulAdd(points[i].pointA, middle, s.normal);
        contacts[i].point = wkAdd(wkMulMV(&placed.worldFromA, point), q->poseA->position);
        contacts[i].normal = normal;
        contacts[i].depth = points[i].depth + radii;
        contacts[i].partA = contacts[i].partB = -1;
    }
    contacts[0].depth = -answer->distance;
    return count;
}

int32_t wkMakeContacts(const wkQuestion* q, const wkDistanceResult* answer, bool isSwapped,
                       wkContact* contacts, int32_t capacity)
{
    if (capacity > 1 && answer->status != wk_statusUnbounded) {
        return makeManifold(q, answer, isSwapped, contacts,
                            capacity < WK_MAX_CONTACTS ? capacity : WK_MAX_CONTACTS);
    }
    contacts->point = wkMiddle(answer->pointA, answer->pointB);
    contacts->normal = isSwapped ? wkNeg(answer->normal) : answer->normal;
    contacts->depth = -answer->distance;
    contacts->partA = contacts->partB = -1;
    return 1;
}
