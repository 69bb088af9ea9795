// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From the deepest point and the clipped faces of a pair to the caller's contacts.

#include "query/contacts.h"

#include "solve/manifold.h"

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

// Moves to the front the points that span the contact area: the deepest, then each time the one furthest
// from those already chosen. Returns how many are worth keeping.
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
static int addDeepest(const wkPrepared* p, const wkSolution* s, wkCorePoint* points, int count)
{
    int deepest = count > 0 ? deepestOf(points, count) : -1;
    bool isFlat = count > 0 && points[deepest].depth >= -s->distance - WK_EQUAL_DEPTH * p->pair.scale;
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

int32_t wkMakeContacts(const wkPrepared* p, const wkSolution* s, double margin, wkContact* contacts,
                       int32_t capacity)
{
    wkCorePoint points[WK_MANIFOLD_CAPACITY];
    double depthRange = wkCoreLimit(p, margin) - s->distance;
    int count = capacity > 1 && s->status != wk_statusUnbounded
                    ? wkFaceContacts(&p->pair, s, depthRange, points)
                    : 0;
    count = addDeepest(p, s, points, count);
    count = chooseSpread(points, count, capacity < WK_MAX_CONTACTS ? capacity : WK_MAX_CONTACTS);
    sortByDepth(points, count);

    wkVec3d normal = wkPreparedDirection(p, s->normal);
    for (int i = 0; i < count; ++i) {
        // midway between the surface of A and that of B
        double depth = points[i].depth;
        double middle = 0.5 * (p->radiusA - p->radiusB - depth);
        wkVec3d point = wkMulAdd(points[i].pointA, middle, s->normal);
        contacts[i].point = wkPreparedPoint(p, point);
        contacts[i].normal = p->isSwapped ? wkNeg(normal) : normal;
        contacts[i].depth = -wkShapeDistance(p, -depth);
    }
    return count;
}
