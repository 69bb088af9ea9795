// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkCastElements: refuses what is not valid, and searches.

#include "whisker/element_cast.h"

#include "base/assert.h"
#include "base/cookie.h"
#include "solve/element/element_search.h"
#include "whisker/detail/counts.h"

#include <math.h>

wkElementCastRequest wkDefaultElementCastRequest(void)
{
    wkElementCastRequest request = {
        .cookie = WK_COOKIE(wkElementCastRequest), .tolerance = 1e-6, .maxIterations = 2000};
    return request;
}

static wkElementCastResult invalidResult(void)
{
    wkElementCastResult result = {.isTouching = true, .status = wk_statusInvalid};
    result.touchingBy = INFINITY;
    return result;
}

static wkElementCastResult refuseRequest(const wkElementCastRequest* request)
{
    bool hasCookie = WK_HAS_COOKIE(request, wkElementCastRequest);
    WK_ASSERT(hasCookie);
    WK_FAIL_COOKIE(request, wkElementCastRequest);
    return invalidResult();
}

// Coordinate by coordinate: sums of large ones may overflow.
static bool areFinite(const wkVec3d points[4])
{
    bool isFinite = true;
    for (int i = 0; i < 4; ++i) {
        isFinite &= isfinite(points[i].x) && isfinite(points[i].y) && isfinite(points[i].z);
    }
    return isFinite;
}

wkElementCastResult wkCastElements(wkElementKind kind, const wkVec3d start[4], const wkVec3d end[4],
                                   const wkElementCastRequest* request)
{
    wkElementCastRequest defaultRequest = wkDefaultElementCastRequest();
    request = request != NULL ? request : &defaultRequest;
    if (request->cookie != WK_COOKIE(wkElementCastRequest)) {
        return refuseRequest(request);
    }
    bool isUsable = (unsigned)kind < WK_ELEMENT_KIND_COUNT && areFinite(start) && areFinite(end);
    if (!isUsable || !(request->tolerance >= 0.0) || request->maxIterations < 1) {
        return invalidResult();
    }
    return wkSearchElements(kind, start, end, 1.0, request->tolerance, request->maxIterations);
}
