// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkCenterDistance: validity, the order of the clouds, and the choice of a method.

#include "whisker/center_distance.h"

#include "base/assert.h"
#include "base/cookie.h"
#include "query/cloud/center_search.h"
#include "query/pair/shape_order.h"
#include "whisker/detail/device.h"

// Up to this many pairs both methods take the same time, and the exhaustive one varies less: see the figures in
// docs/obstacle_detection.md.
#define EXHAUSTIVE_PAIRS 256

wkCenterRequest wkDefaultCenterRequest(void)
{
    wkCenterRequest request = {.cookie = WK_COOKIE(wkCenterRequest), .cutoff = INFINITY};
    return request;
}

typedef struct methodRow {
    const char* name;
    void (*search)(wkCenterSearch* search);
} methodRow;

static const methodRow methods[] = {
    [wk_centersChosen] = {"chosen", NULL},
    [wk_centersExhaustive] = {"exhaustive", wkSearchCentersExhaustively},
    [wk_centersHierarchy] = {"hierarchy", wkSearchCentersByHierarchy},
};

#define METHOD_COUNT (sizeof methods / sizeof methods[0])

const char* wkCenterMethodName(wkCenterMethod method)
{
    return (unsigned)method < METHOD_COUNT ? methods[method].name : "none";
}

static bool isValidRequest(const wkCenterRequest* request)
{
    bool isUsable = WK_HAS_COOKIE(request, wkCenterRequest);
    WK_ASSERT(isUsable);
    if (!isUsable) {
        WK_FAIL_COOKIE(request, wkCenterRequest);
        return false;
    }
    return request->cutoff >= 0.0 && (unsigned)request->method < METHOD_COUNT;
}

static wkCenterMethod choose(const wkCenterSearch* search, wkCenterMethod method,
                             int64_t exhaustivePairs)
{
    if (method != wk_centersChosen) {
        return method;
    }
    int64_t pairs = (int64_t)search->a->pointCount * search->b->pointCount;
    return pairs <= exhaustivePairs ? wk_centersExhaustive : wk_centersHierarchy;
}

// Fewer points come first; the rest of the order is that of all pairs of shapes.
static bool areSwapped(const wkCloud* a, const wkPose* poseA, const wkCloud* b, const wkPose* poseB)
{
    if (a->pointCount != b->pointCount) {
        return a->pointCount > b->pointCount;
    }
    wkShape shapeA = wkMakeCloud(a), shapeB = wkMakeCloud(b);
    return wkAreBodiesSwapped(&shapeA, poseA, &shapeB, poseB);
}

static wkCenterResult makeInvalid(void)
{
    wkCenterResult invalid = {
        .distance = -INFINITY, .rankA = -1, .rankB = -1, .status = wk_statusInvalid};
    return invalid;
}

// Searches on a device. Of several pairs at distance 0, it reports the one of the exhaustive search, too.
static wkResult searchOnDevice(const wkCenterSearcher* searcher, wkCenterMethod method,
                               wkCenterSearch* search)
{
    wkResult result = searcher->find(searcher->device, search, method, &search->pair);
    if (result == wk_ok && wkAreCentersEqual(search)) {
        wkTakeFirstEqualCenters(search);
    }
    return result;
}

// @param searcher NULL: the CPU searches
static wkCenterResult answer(const wkCenterSearcher* searcher, const wkCloud* a,
                             const wkPose* poseA, const wkCloud* b, const wkPose* poseB,
                             const wkCenterRequest* request)
{
    wkMat3d worldFromA;
    wkCenterSearch search = {.a = a,
                             .b = b,
                             .bInA = wkRelativeFrame(poseA, poseB, &worldFromA),
                             .parallel = request->parallel,
                             .pair = {request->cutoff * request->cutoff, -1, -1}};
    wkCenterMethod method = choose(&search, request->method,
                                   searcher != NULL ? searcher->exhaustivePairs : EXHAUSTIVE_PAIRS);
    wkCenterResult result = {.distance = request->cutoff,
                             .rankA = -1,
                             .rankB = -1,
                             .method = method,
                             .status = wk_statusBound};
    if (a->pointCount > 0 && searcher == NULL) {
        methods[method].search(&search);
    } else if (a->pointCount > 0 && searchOnDevice(searcher, method, &search) != wk_ok) {
        return makeInvalid();
    }
    const wkCenterPair* pair = &search.pair;
    if (pair->rankA >= 0) {
        result.distance = sqrt(pair->square);
        result.rankA = pair->rankA;
        result.rankB = pair->rankB;
        result.status = wk_statusExact;
        wkVec3d pointA = wkCloudPosition(a, pair->rankA);
        wkVec3d pointB = wkCenterOfB(&search, pair->rankB);
        result.pointA = wkAdd(wkMulMV(&worldFromA, pointA), poseA->position);
        result.pointB = wkAdd(wkMulMV(&worldFromA, pointB), poseA->position);
    }
    return result;
}

static wkCenterResult swapped(wkCenterResult r)
{
    wkCenterResult result = r;
    result.rankA = r.rankB;
    result.rankB = r.rankA;
    result.pointA = r.pointB;
    result.pointB = r.pointA;
    return result;
}

wkCenterResult wkCenterSearcher_Distance(const wkCenterSearcher* searcher, const wkCloud* a,
                                         wkPose poseA, const wkCloud* b, wkPose poseB,
                                         const wkCenterRequest* request)
{
    wkCenterRequest defaults = wkDefaultCenterRequest();
    request = request != NULL ? request : &defaults;
    if (!isValidRequest(request) || a == NULL || b == NULL || !wkAreValidPoses(&poseA, &poseB)) {
        return makeInvalid();
    }
    return areSwapped(a, &poseA, b, &poseB)
               ? swapped(answer(searcher, b, &poseB, a, &poseA, request))
               : answer(searcher, a, &poseA, b, &poseB, request);
}

wkCenterResult wkCenterDistance(const wkCloud* a, wkPose poseA, const wkCloud* b, wkPose poseB,
                                const wkCenterRequest* request)
{
    return wkCenterSearcher_Distance(NULL, a, poseA, b, poseB, request);
}
