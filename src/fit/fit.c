// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Covers a shape with a given number of balls, or with as many as an accuracy takes.

#include "whisker/fit.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/fit.h"
#include "fit/prove.h"

#define FINER_ROUNDS 3 // of cutting what may be covered into smaller parts
#define FINER 0.25
#define FIT_COOKIE 0x46495431u
#define MOST_BALLS 100000
#define EXPECTED_BALLS 32 // where an accuracy is given

// How exactly it is told how far balls stick out, as a share of the extent.
#define REPORT_TOLERANCE 1e-3

wkFitDef wkDefaultFitDef(void)
{
    wkFitDef def = {0, 0.02, 1024, NULL, FIT_COOKIE};
    return def;
}

static wkResult checkDef(const wkFitDef* def, int32_t capacity)
{
    if (def->cookie != FIT_COOKIE) {
        return wkFail(wk_errorArgument, "fit: start from wkDefaultFitDef()");
    }
    if (def->count < 0 || def->count > MOST_BALLS) {
        return wkFail(wk_errorRange, "fit: count is %d, must be 0 to %d", (int)def->count,
                      MOST_BALLS);
    }
    if (def->maxCount < 1 || def->maxCount > MOST_BALLS) {
        return wkFail(wk_errorRange, "fit: maxCount is %d, must be 1 to %d", (int)def->maxCount,
                      MOST_BALLS);
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

// Covers with so many balls, and says whether they stick out no further than they may.
static wkResult tryCount(wkFitUnit* unit, int32_t count, double accuracy, wkFitCover* cover,
                         bool* isMet)
{
    wkResult result = wkFitUnit_Cover(unit, count, accuracy, cover);
    if (result == wk_ok && unit->skin.isLeaky && cover->protrusion <= accuracy) {
        wkFitReport report;
        wkReportFit(&unit->skin, cover->balls, cover->count, &report);
        cover->protrusion = report.protrusion;
    }
    *isMet = cover->protrusion <= accuracy;
    return result;
}

wkResult wkCoverToAccuracy(wkFitUnit* unit, double accuracy, wkFitCover* cover)
{
    int32_t most = cover->capacity;
    int32_t enough = wkFitUnit_CountAt(unit, accuracy, most);
    int32_t tooFew = 0, last = 0;
    bool isMet = false;
    enough = enough < most ? enough : most;
    wkResult result = tryCount(unit, enough, accuracy, cover, &isMet);
    while (result == wk_ok && !isMet && enough < most) {
        tooFew = enough;
        enough = most - enough < enough / 8 + 1 ? most : enough + enough / 8 + 1;
        result = tryCount(unit, enough, accuracy, cover, &isMet);
    }
    // fewer often do when they have been moved to better places
    last = enough;
    while (result == wk_ok && isMet && enough - tooFew > 1) {
        bool isEnough = false;
        last = tooFew > 0 ? tooFew + (enough - tooFew) / 2 : enough - enough / 4 - 1;
        last = last > tooFew ? last : tooFew + 1;
        last = last < 1 ? 1 : last;
        result = tryCount(unit, last, accuracy, cover, &isEnough);
        enough = isEnough ? last : enough;
        tooFew = isEnough ? tooFew : last;
    }
    if (result == wk_ok && last != enough) {
        result = tryCount(unit, enough, accuracy, cover, &isMet);
    }
    return result;
}

void wkReportFit(const wkSkin* skin, const wkBall* balls, int32_t count, wkFitReport* report)
{
    double tolerance = REPORT_TOLERANCE * skin->extent;
    *report = (wkFitReport){count, 1.0, 0.0, 0.0, skin->area};
    report->protrusion = wkMeasureProtrusion(skin, balls, count, tolerance, WK_MOST_LOOKS);
}

wkResult wkFitBalls(const wkShape* shape, const wkFitDef* def, wkBall* balls, int32_t capacity,
                    int32_t* count, wkFitReport* report)
{
    wkFitDef standard = wkDefaultFitDef();
    def = def != NULL ? def : &standard;
    if (count != NULL) {
        *count = 0;
    }
    if (shape == NULL || balls == NULL || count == NULL) {
        return wkFail(wk_errorArgument, "fit: %s is NULL",
                      shape == NULL   ? "shape"
                      : balls == NULL ? "balls"
                                      : "count");
    }
    wkResult result = checkDef(def, capacity);
    if (result != wk_ok) {
        return result;
    }
    int32_t most = def->count > 0 ? def->count : def->maxCount;
    wkFitCover cover = {balls, most < capacity ? most : capacity, 0, 0.0};
    wkFitBody body = {shape, wkIdentityPose()};
    wkFitUnit unit;
    result = wkFitUnit_Create(&body, 1, cover.capacity,
                              def->count > 0 ? def->count : EXPECTED_BALLS, def->parallel, &unit);
    if (result != wk_ok) {
        return result;
    }
    if (def->count > 0) {
        double guess = wkFitUnit_GuessProtrusion(&unit, cover.capacity);
        result = wkFitUnit_Cover(&unit, cover.capacity, guess, &cover);
    } else {
        result = wkCoverToAccuracy(&unit, def->accuracy, &cover);
    }
    if (result == wk_ok) {
        *count = cover.count;
        if (report != NULL) {
            wkReportFit(&unit.skin, balls, cover.count, report);
        }
    }
    wkFitUnit_Destroy(&unit);
    return result;
}

static wkResult checkBalls(const wkBall* balls, int32_t count, double tolerance)
{
    if (balls == NULL && count > 0) {
        return wkFail(wk_errorArgument, "fit: balls is NULL");
    }
    if (count < 0) {
        return wkFail(wk_errorRange, "fit: count is %d, must be >= 0", (int)count);
    }
    if (!(tolerance > 0.0) || !(tolerance < INFINITY)) {
        return wkFail(wk_errorRange, "fit: tolerance is %g, must be > 0", tolerance);
    }
    for (int32_t i = 0; i < count; ++i) {
        if (!wkIsFiniteVec(balls[i].center) || !(fabs(balls[i].radius) < INFINITY)) {
            return wkFail(wk_errorNotFinite, "fit: balls[%d] is not finite", (int)i);
        }
        if (balls[i].radius < 0.0) {
            return wkFail(wk_errorRange, "fit: balls[%d].radius is %g, must be >= 0", (int)i,
                          balls[i].radius);
        }
    }
    return wk_ok;
}

wkResult wkMeasureFit(const wkFitBody* bodies, int32_t bodyCount, const wkBall* balls,
                      int32_t count, double tolerance, wkFitReport* report)
{
    wkResult result = checkBalls(balls, count, tolerance);
    wkSkin skin;
    if (result == wk_ok) {
        result = wkSkin_Create(bodies, bodyCount, &skin);
    }
    if (result != wk_ok) {
        return result;
    }
    wkCoverage coverage = {0.0, 0.0};
    double smallest = wkMinD(tolerance, WK_SMALLEST_PART * skin.extent);
    result = wkMeasureCover(&skin, balls, count, smallest, &coverage);
    // a gap as small as the parts may be none: balls that were fitted to one body of several are tighter
    for (int i = 0; i < FINER_ROUNDS && result == wk_ok && coverage.gap > 0.0; ++i) {
        if (coverage.gap > smallest) {
            break;
        }
        smallest *= FINER;
        result = wkMeasureCover(&skin, balls, count, smallest, &coverage);
    }
    if (result == wk_ok) {
        *report = (wkFitReport){count, coverage.share, coverage.gap, 0.0, skin.area};
        report->protrusion = wkMeasureProtrusion(&skin, balls, count, tolerance, WK_MOST_LOOKS);
    }
    wkSkin_Destroy(&skin);
    return result;
}

wkResult wkMeasureBalls(const wkShape* shape, const wkBall* balls, int32_t count, double tolerance,
                        wkFitReport* report)
{
    if (shape == NULL || report == NULL) {
        return wkFail(wk_errorArgument, "fit: %s is NULL", shape == NULL ? "shape" : "report");
    }
    wkFitBody body = {shape, wkIdentityPose()};
    return wkMeasureFit(&body, 1, balls, count, tolerance, report);
}
