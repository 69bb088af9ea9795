// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Covers a shape with a given number of spheres, or with as many as an accuracy requires.

#include "whisker/fit.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "fit/fit_impl.h"
#include "fit/fit_search.h"
#include "fit/prove.h"
#include "fit/voids.h"
#include "math/vec.h"

#include <string.h>

#define FINER_ROUNDS 3 // rounds of bisection into smaller parts
#define FINER 0.25
#define MOST_SPHERES 100000
#define EXPECTED_SPHERES 32 // where an accuracy is given
#define QUICK_SPHERES 8     // for quick fits: fewer samples
#define LEAST_GROWTH 1.06   // factor on a number of spheres that was too small
#define MOST_GROWTH 1.5
#define CLOSE_ENOUGH 24 // a count that is up to 1/24 too large is accepted

// Size of a void that is found at a single point, as a share of the extent.
#define LEAST_VOID 1e-6

// Tolerance of the reported protrusion, as a share of the extent.
#define REPORT_TOLERANCE 1e-3

wkFitDef wkDefaultFitDef(void)
{
    wkFitDef def = {.accuracy = 0.02, .maxCount = 1024, .cookie = WK_COOKIE(wkFitDef)};
    return def;
}

static wkResult checkDef(const wkFitDef* def, int32_t capacity)
{
    if (!WK_HAS_COOKIE(def, wkFitDef)) {
        return WK_FAIL_COOKIE(def, wkFitDef);
    }
    if (def->count < 0 || def->count > MOST_SPHERES) {
        return wkFail(wk_errorRange, "fit: count is %d, must be 0 to %d", (int)def->count,
                      MOST_SPHERES);
    }
    if (def->maxCount < 1 || def->maxCount > MOST_SPHERES) {
        return wkFail(wk_errorRange, "fit: maxCount is %d, must be 1 to %d", (int)def->maxCount,
                      MOST_SPHERES);
    }
    if (!(fabs(def->accuracy) < INFINITY)) {
        return wkFail(wk_errorNotFinite, "fit: accuracy is not finite");
    }
    if (!(def->accuracy > 0.0)) {
        return wkFail(wk_errorRange, "fit: accuracy is %g, must be > 0", def->accuracy);
    }
    if (capacity < 1) {
        return wkFail(wk_errorRange, "fit: capacity is %d, must be >= 1", (int)capacity);
    }
    return wk_ok;
}

// Covers with `count` spheres, and returns whether they protrude by at most `accuracy`.
static wkResult tryCount(wkFitUnit* unit, int32_t count, double accuracy, wkFitCover* cover,
                         bool* isMet)
{
    wkResult result = wkFitUnit_Cover(unit, count, accuracy, accuracy, cover);
    *isMet = cover->protrusion <= accuracy;
    return result;
}

// Returns a larger count after one that protrudes too far: protrusion falls about inversely with the count.
static int32_t moreThan(int32_t count, double protrusion, double accuracy, int32_t most)
{
    double share = wkMinD(wkMaxD(protrusion / accuracy, LEAST_GROWTH), MOST_GROWTH);
    double more = ceil(share * count);
    return more < most ? (int32_t)more : most;
}

// Returns a count between one that was enough and one that was too small. 0: not worth a try.
static int32_t fewerThan(int32_t enough, int32_t tooFew)
{
    if (enough - tooFew <= 1 + enough / CLOSE_ENOUGH) {
        return 0;
    }
    int32_t fewer = tooFew > 0 ? tooFew + (enough - tooFew) / 2 : enough - enough / 5 - 1;
    return fewer > tooFew ? fewer : tooFew + 1;
}

// Finds a count that suffices, then smaller ones: after the centers have moved, fewer spheres often suffice.
// `best` has capacity for the spheres of the best try.
static wkResult searchCount(wkFitUnit* unit, double accuracy, wkFitCover* cover, wkFitCover* best)
{
    int32_t most = cover->capacity, tooFew = 0;
    int32_t count = wkFitUnit_CountAt(unit, accuracy, most);
    count = count < most ? count : most;
    bool isAnyMet = false;
    best->protrusion = INFINITY;
    for (;;) {
        bool isMet = false;
        wkResult result = tryCount(unit, count, accuracy, cover, &isMet);
        if (result != wk_ok) {
            return result;
        }
        if (isMet || (!isAnyMet && cover->protrusion < best->protrusion)) {
            best->count = cover->count;
            best->protrusion = cover->protrusion;
            memcpy(best->spheres, cover->spheres, (size_t)cover->count * sizeof(wkSphere3d));
        }
        isAnyMet |= isMet;
        tooFew = isMet ? tooFew : count;
        if (!isAnyMet && count >= most) {
            return wk_ok;
        }
        count = isAnyMet ? fewerThan(best->count, tooFew)
                         : moreThan(count, cover->protrusion, accuracy, most);
        if (count == 0) {
            return wk_ok;
        }
    }
}

wkResult wkCoverToAccuracy(wkFitUnit* unit, double accuracy, wkFitCover* cover)
{
    size_t byteCount = (size_t)cover->capacity * sizeof(wkSphere3d);
    wkFitCover best = {wkAlloc(byteCount), cover->capacity, 0, 0.0};
    if (best.spheres == NULL) {
        return wkFail(wk_errorMemory, "fit: out of memory");
    }
    wkResult result = wkSearchSpheres(unit, accuracy, &best);
    bool isFilled = best.count == 0 || unit->isSegment;
    if (result == wk_ok && !isFilled) {
        result = wkFitUnit_Fill(unit, accuracy, best.capacity, &best, &isFilled);
    }
    if (result == wk_ok && (best.count == 0 || !isFilled)) {
        result = searchCount(unit, accuracy, cover, &best);
    }
    if (result == wk_ok) {
        cover->count = best.count;
        cover->protrusion = best.protrusion;
        memcpy(cover->spheres, best.spheres, (size_t)best.count * sizeof(wkSphere3d));
    }
    wkFree(best.spheres, byteCount);
    return result;
}

void wkReportFit(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                 wkFitInfo* report)
{
    wkOutMeasure how = {REPORT_TOLERANCE * surface->extent, WK_MOST_CHECKS, 0.0};
    wkOutCache cache;
    wkOutCache_Create(surface, &cache);
    *report = (wkFitInfo){count, 1.0, 0.0, 0.0, surface->area};
    report->protrusion = wkMeasureProtrusion(&cache, spheres, count, &how);
    wkOutCache_Destroy(&cache);
}

wkResult wkShape_FitSpheres(const wkShape* shape, const wkFitDef* def, wkSphere3d* spheres,
                            int32_t capacity, int32_t* count, wkFitInfo* info)
{
    wkFitDef standard = wkDefaultFitDef();
    def = def != NULL ? def : &standard;
    if (count != NULL) {
        *count = 0;
    }
    if (shape == NULL || spheres == NULL || count == NULL) {
        return wkFail(wk_errorArgument, "fit: %s is NULL",
                      shape == NULL     ? "shape"
                      : spheres == NULL ? "spheres"
                                        : "count");
    }
    wkResult result = checkDef(def, capacity);
    if (result != wk_ok) {
        return result;
    }
    int32_t most = def->count > 0 ? def->count : def->maxCount;
    wkFitCover cover = {spheres, most < capacity ? most : capacity, 0, 0.0};
    wkFitBody body = {shape, wkIdentityPose()};
    wkFitUnit unit;
    wkFitSize size = {cover.capacity, EXPECTED_SPHERES, def->accuracy};
    if (def->count > 0) {
        size = (wkFitSize){cover.capacity, def->count, 0.0};
    }
    result = wkFitUnit_Create(&body, 1, &size, def->parallel, &unit);
    if (result != wk_ok) {
        return result;
    }
    wkProgressMeter meter;
    wkProgressMeter_Start(&meter, def->progress, def->progressContext, 1);
    unit.meter = &meter;
    if (def->count > 0) {
        double guess = wkFitUnit_GuessProtrusion(&unit, cover.capacity);
        result = wkFitUnit_Cover(&unit, cover.capacity, guess, 0.0, &cover);
    } else {
        result = wkCoverToAccuracy(&unit, def->accuracy, &cover);
    }
    if (result == wk_ok) {
        *count = cover.count;
        if (info != NULL) {
            wkReportFit(&unit.surface, spheres, cover.count, info);
            // both bounds are proven
            info->protrusion = wkMinD(info->protrusion, cover.protrusion);
        }
    }
    wkFitUnit_Destroy(&unit);
    return result;
}

wkResult wkFitQuickly(const wkShape* shape, double accuracy, wkSphere3d* spheres, int32_t capacity,
                      int32_t* count)
{
    wkFitBody body = {shape, wkIdentityPose()};
    wkFitUnit unit;
    wkFitSize size = {capacity, QUICK_SPHERES, 0.0};
    wkFitCover cover = {spheres, capacity, 0, 0.0};
    *count = 0;
    wkResult result = wkFitUnit_Create(&body, 1, &size, NULL, &unit);
    if (result != wk_ok) {
        return result;
    }
    if (wkFitUnit_IsEmpty(&unit) || unit.isSegment) {
        result = wkCoverToAccuracy(&unit, accuracy, &cover);
    } else {
        result = wkTakeFirstSpheres(&unit, accuracy, &cover);
    }
    *count = result == wk_ok ? cover.count : 0;
    wkFitUnit_Destroy(&unit);
    return result;
}

static wkResult checkSpheres(const wkSphere3d* spheres, int32_t count, double tolerance)
{
    if (spheres == NULL && count > 0) {
        return wkFail(wk_errorArgument, "fit: spheres is NULL");
    }
    if (count < 0) {
        return wkFail(wk_errorRange, "fit: count is %d, must be >= 0", (int)count);
    }
    if (!(tolerance > 0.0)) {
        return wkFail(wk_errorRange, "fit: tolerance is %g, must be > 0", tolerance);
    }
    for (int32_t i = 0; i < count; ++i) {
        if (!wkIsFiniteVec(spheres[i].center) || !(fabs(spheres[i].radius) < INFINITY)) {
            return wkFail(wk_errorNotFinite, "fit: spheres[%d] is not finite", (int)i);
        }
        if (spheres[i].radius < 0.0) {
            return wkFail(wk_errorRange, "fit: spheres[%d].radius is %g, must be >= 0", (int)i,
                          spheres[i].radius);
        }
    }
    return wk_ok;
}

// Bounds how far points inside solids are from spheres that cover the surface. A void is in the convex hull
// of points on the spheres.
static wkResult measureVoids(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                             double* gap)
{
    wkVoids voids;
    wkResult result = wkFindVoids(surface, spheres, count, &voids);
    if (result == wk_ok && voids.count > 0) {
        wkVec3d size = wkSub(voids.bounds.upper, voids.bounds.lower);
        *gap = wkLength(size) + LEAST_VOID * surface->extent;
    }
    return result;
}

wkResult wkMeasureFit(const wkFitBody* bodies, int32_t bodyCount, const wkSphere3d* spheres,
                      int32_t count, double tolerance, wkFitInfo* report)
{
    wkResult result = checkSpheres(spheres, count, tolerance);
    wkFitSurface surface;
    if (result == wk_ok) {
        result = wkFitSurface_Create(bodies, bodyCount, &surface);
    }
    if (result != wk_ok) {
        return result;
    }
    wkCoverage coverage = {0.0, 0.0};
    double smallest = wkMinD(tolerance, WK_SMALLEST_PART * surface.extent);
    result = wkMeasureCover(&surface, spheres, count, smallest, &coverage);
    // a gap as small as the parts may be spurious: spheres fitted to one of several bodies are tighter
    for (int i = 0; i < FINER_ROUNDS && result == wk_ok && coverage.gap > 0.0; ++i) {
        if (coverage.gap > smallest) {
            break;
        }
        smallest *= FINER;
        result = wkMeasureCover(&surface, spheres, count, smallest, &coverage);
    }
    if (result == wk_ok && coverage.gap == 0.0) {
        result = measureVoids(&surface, spheres, count, &coverage.gap);
    }
    if (result == wk_ok) {
        *report = (wkFitInfo){count, coverage.share, coverage.gap, INFINITY, surface.area};
    }
    if (result == wk_ok && tolerance < INFINITY) {
        wkOutMeasure how = {tolerance, WK_MOST_CHECKS, 0.0};
        wkOutCache cache;
        wkOutCache_Create(&surface, &cache);
        report->protrusion = wkMeasureProtrusion(&cache, spheres, count, &how);
        wkOutCache_Destroy(&cache);
    }
    wkFitSurface_Destroy(&surface);
    return result;
}

wkResult wkShape_MeasureSpheres(const wkShape* shape, const wkSphere3d* spheres, int32_t count,
                                double tolerance, wkFitInfo* info)
{
    if (shape == NULL || info == NULL) {
        return wkFail(wk_errorArgument, "fit: %s is NULL", shape == NULL ? "shape" : "info");
    }
    wkFitBody body = {shape, wkIdentityPose()};
    return wkMeasureFit(&body, 1, spheres, count, tolerance, info);
}
