// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkCast: searches the first time of contact from the left. Intervals are proven free by bounds, a sample that
// touches ends the search to the right of it, and what lies between is divided until it is no wider than the
// tolerance.

#include "base/assert.h"
#include "base/cookie.h"
#include "query/cast/cast_track.h"
#include "query/pair/shape_class.h"

// Samples that wait to the right of the current one. When they are too many, one is forgotten, which costs time
// and no proof.
#define STACK_CAPACITY 32

// The next sample where nothing approaches, in lengths of the step that is proven: at first, and at most.
#define FIRST_STRIDE 2.0
#define LARGEST_STRIDE 16.0

// Bodies that graze have a gap like a parabola: each step that a normal proves is half as long as the one before, and the gap is
// a quarter of what it was, until it is nearly as small as it gets, two such steps ahead. Where it falls by less, a sample twice
// as far has about the same gap, on the other side.
#define GRAZING_SHARE 0.38
#define GRAZING_JUMP 4.0

// A narrower bracket is not looked for: the resolution of a double at 1.
#define LEAST_TIME 2.3e-16

// A sample that is meant to touch is this share of the tolerance after one that is free.
#define PROBE_SHARE 0.9

typedef struct search {
    wkCastPair pair;
    wkPairCache
        cache; // of polytopes, where the caller has none: the next sample is near the last one
    double tolerance;
    int32_t queryCount;
    int32_t maxCount;
    bool isInvalid;
    bool isWatertight;    // no distance has said otherwise
    wkCastSample start;   // free up to it: bounds begin here
    wkCastTrack track;    // of its normal, where there are tracks
    wkCastTrack measured; // of the sample that was measured last
    wkCastSample waiting[STACK_CAPACITY];
    int32_t waitingCount;
    double knot;     // the motions are smooth up to it
    double last;     // free from this time on, until that of the request
    double until;    // of the request
    double expected; // length of the next step
    double stride;   // next sample where nothing approaches, in lengths of the step that is proven
    double
        lastGap; // of the start before this one, from which a normal has proven what is between; infinity: none
    int32_t probeCount; // samples in a row that were meant to touch and did not
    double width;       // of the bracket when it was last halved
    int32_t stallCount; // samples since then
} search;

wkCastRequest wkDefaultCastRequest(void)
{
    wkCastRequest request = {
        .cookie = WK_COOKIE(wkCastRequest), .tolerance = 1e-6, .until = 1.0, .maxIterations = 1000};
    return request;
}

static wkCastSample* nextWaiting(search* s)
{
    return s->waitingCount > 0 ? &s->waiting[s->waitingCount - 1] : NULL;
}

static void addWaiting(search* s, const wkCastSample* sample)
{
    if (sample->isTouching) {
        s->waitingCount = 0;
    }
    s->waitingCount -= s->waitingCount == STACK_CAPACITY;
    s->waiting[s->waitingCount++] = *sample;
}

// Measures a placed sample.
static bool measure(search* s, wkCastSample* sample)
{
    ++s->queryCount;
    s->isInvalid = !wkMeasureSample(&s->pair, sample, &s->measured);
    s->isWatertight &= sample->closest.status != wk_statusNotWatertight;
    return !s->isInvalid;
}

static bool moveTo(search* s, double t, wkCastSample* sample)
{
    s->isInvalid =
        !wkPlaceSample(&s->pair, t, sample) || !wkAreWithinSpeeds(&s->pair, &s->start, sample);
    return !s->isInvalid;
}

// Bounds the distance from the start on, along its normal.
// @param end without tracks: set to the sample at `to`
static bool boundUntil(search* s, double to, wkCastSample* end, wkCastBound* bound)
{
    if (s->pair.hasTracks) {
        *bound = wkBoundOnTrack(&s->pair, &s->start, &s->track, to);
        return true;
    }
    if (!moveTo(s, to, end)) {
        return false;
    }
    wkCarryNormal(&s->pair, &s->start, NULL, end);
    *bound = wkBoundAlongNormal(&s->pair, &s->start, end);
    return true;
}

// Bounds of the interval from the start on that are tried at once, and how much further than the time at which the gap closes
// along a line: bounds are best in intervals that end there.
#define TRIES 4
#define BEYOND_ROOT 1.03

// What is left to prove of such an interval where no further bound is tried.
#define LEFT_SHARE 0.1

// Proves as much free as the normal of the start allows, up to a time at most. Bounds are better in shorter
// intervals, so the first one is as long as steps were lately, and further ones follow from what it has shown.
// @param end without tracks, where all is free: the sample at `until` with the same normal
static wkCastBound advance(search* s, double until, wkCastSample* end)
{
    double start = s->start.t, to = wkMinD(until, start + s->expected);
    wkCastBound best = {start, until, false, INFINITY}, bound;
    for (int i = 0; i < TRIES && to > start; ++i) {
        if (!boundUntil(s, to, end, &bound)) {
            return best;
        }
        best.isApproaching = bound.isApproaching;
        best.free = wkMaxD(best.free, bound.free);
        bool isFree = best.free >= to;
        if (isFree && to >= until) {
            break;
        }
        double width = to - start, next = BEYOND_ROOT * (bound.root - start);
        next = isFree && !(next < INFINITY) ? until - start : wkMinD(next, until - start);
        bool isSame = fabs(next - width) <= LEFT_SHARE * width;
        if (isSame || best.free - start >= (1.0 - LEFT_SHARE) * next) {
            break;
        }
        to = next >= until - start ? until : start + next;
    }
    s->expected = best.isApproaching ? 2.0 * (best.free - start) : INFINITY;
    return best;
}

// Chooses the next sample before one that touches.
static double chooseBefore(search* s, const wkCastBound* bound, double end)
{
    double start = s->start.t, width = end - start;
    if (width <= 0.5 * s->width) {
        s->width = width;
        s->stallCount = 0;
    }
    if (end - bound->free <= 0.99 * s->tolerance) {
        // proven free, and the bracket is narrow enough; the digits of the sample that touches may be fewer
        // than those of the proof
        return wkMinD(bound->free, end - 0.5 * s->tolerance);
    }
    if (++s->stallCount > 3) {
        s->stallCount = 0;
        s->width = width;
        return 0.5 * (bound->free + end);
    }
    if (bound->free - start <= 0.5 * s->tolerance) {
        return start + wkMinD(PROBE_SHARE * s->tolerance, 0.5 * width);
    }
    return bound->free;
}

// Chooses the next sample where nothing is known of the time to come.
static double chooseAhead(search* s, const wkCastBound* bound)
{
    double length = bound->free - s->start.t;
    if (length <= 0.5 * s->tolerance) {
        length = PROBE_SHARE * s->tolerance * ldexp(1.0, s->probeCount);
        s->probeCount += s->probeCount < 60;
    } else {
        s->probeCount = 0;
        bool isGrazing = s->start.gap - s->pair.margin > GRAZING_SHARE * s->lastGap;
        double ahead = isGrazing ? GRAZING_JUMP : 1.0;
        length *= bound->isApproaching ? ahead : s->stride;
    }
    return wkMinD(s->start.t + length, s->knot);
}

typedef enum progress {
    progressMore,
    progressFree,
    progressBracket,
    progressStuck
} progress;

// Adds a sample between the start and the next one, or makes it the start where it is proven free up to there.
static progress sampleAt(search* s, double at, double provenFree)
{
    wkCastSample sample;
    if (s->queryCount >= s->maxCount || !moveTo(s, at, &sample) || !measure(s, &sample)) {
        return progressStuck;
    }
    if (!sample.isTouching && at <= provenFree) {
        s->lastGap = s->start.gap - s->pair.margin;
        s->start = sample;
        s->track = s->measured;
    } else {
        addWaiting(s, &sample);
    }
    return progressMore;
}

// Proves the interval up to the next sample, which is free, or divides it, down to the resolution of times: bodies
// without thickness that pass through each other touch for that long.
static progress closeGap(search* s, const wkCastSample* next)
{
    wkCastBound bound = wkBoundBetween(&s->pair, &s->start, next);
    if (bound.free >= next->t) {
        s->start = *next;
        if (s->pair.hasTracks) {
            wkMakeTrack(&s->pair, s->start.normal, &s->track);
        }
        --s->waitingCount;
        s->lastGap = INFINITY;
        s->stride = wkMinD(1.5 * s->stride, LARGEST_STRIDE);
        return progressMore;
    }
    s->stride = wkMaxD(0.7 * s->stride, 1.0);
    double at = 0.5 * (bound.free + bound.freeAgain);
    bool isInside = at > s->start.t && at < next->t;
    return isInside ? sampleAt(s, at, bound.free) : progressStuck;
}

// The normal of the start was carried from an earlier time and has proven what it can: computes a new one.
static progress renewNormal(search* s, double provenFree)
{
    if (provenFree > s->start.t) {
        return sampleAt(s, provenFree, provenFree);
    }
    if (s->queryCount >= s->maxCount || !measure(s, &s->start)) {
        return progressStuck;
    }
    s->track = s->measured;
    if (s->start.isTouching) {
        // within the precision of the distance
        wkCastSample touching = s->start;
        addWaiting(s, &touching);
    }
    return progressMore;
}

// Goes on from the start, to the next sample, which touches, or to the next knot.
static progress approach(search* s, const wkCastSample* next)
{
    double until = next != NULL ? next->t : s->knot;
    wkCastSample end;
    wkCastBound bound = advance(s, until, &end);
    if (s->isInvalid) {
        return progressStuck;
    }
    if (next == NULL && bound.free >= until) {
        if (until >= s->last) {
            return progressFree;
        }
        s->start = end;
        return progressMore;
    }
    if (!s->start.isMeasured) {
        return renewNormal(s, bound.free);
    }
    double at = next != NULL ? chooseBefore(s, &bound, until) : chooseAhead(s, &bound);
    bool isInside = at > s->start.t && (at < until || next == NULL);
    return isInside ? sampleAt(s, at, bound.free) : progressStuck;
}

// Goes on to the next knot of the motions.
static progress passKnot(search* s)
{
    if (s->knot >= s->last) {
        return progressFree;
    }
    s->knot = wkMinD(wkMotionNextKnot(&s->pair.motionA, s->start.t),
                     wkMotionNextKnot(&s->pair.motionB, s->start.t));
    s->knot = wkMinD(s->knot, s->last);
    return progressMore;
}

static progress step(search* s)
{
    const wkCastSample* next = nextWaiting(s);
    if (next != NULL && next->isTouching && next->t - s->start.t <= s->tolerance) {
        return progressBracket;
    }
    if (next == NULL && s->start.t >= s->knot) {
        return passKnot(s);
    }
    return next != NULL && !next->isTouching ? closeGap(s, next) : approach(s, next);
}

static wkCastResult invalidResult(int32_t iterations)
{
    wkCastResult result = {
        .isTouching = true,
        .status = wk_statusInvalid,
        .distance = -INFINITY,
        .normal = {0.0, 0.0, 1.0},
        .iterations = iterations,
    };
    return result;
}

// Fills in the witnesses at the start, in the caller's order. Without a contact there are none: the bodies may be
// nearest at another time.
static void setWitnesses(search* s, wkCastResult* result)
{
    if (!s->start.isMeasured && !measure(s, &s->start)) {
        *result = invalidResult(s->queryCount);
        return;
    }
    const wkDistanceResult* closest = &s->start.closest;
    bool isSwapped = s->pair.isSwapped;
    result->distance = closest->distance;
    result->pointA = isSwapped ? closest->pointB : closest->pointA;
    result->pointB = isSwapped ? closest->pointA : closest->pointB;
    result->normal = isSwapped ? wkNeg(closest->normal) : closest->normal;
    result->iterations = s->queryCount;
}

// Lids and unknown cells are part of what an answer means, exact or not.
static wkStatus exactStatus(wkStatus status)
{
    bool isSpecial = status == wk_statusNotWatertight || status == wk_statusUnknown;
    return isSpecial ? status : wk_statusExact;
}

static wkCastResult finish(search* s, progress end)
{
    if (s->isInvalid) {
        return invalidResult(s->queryCount);
    }
    wkCastResult result = {.isTouching = end != progressFree, .status = wk_statusBound};
    result.time = end == progressFree ? s->until : s->start.t;
    result.touchingBy = INFINITY;
    if (s->waitingCount > 0 && s->waiting[0].isTouching) {
        result.touchingBy = s->waiting[0].t;
    }
    result.iterations = s->queryCount;
    if (end != progressFree) {
        setWitnesses(s, &result);
    }
    if (end == progressFree) {
        result.status = s->isWatertight ? wk_statusExact : wk_statusNotWatertight;
    } else if (end == progressBracket && result.status != wk_statusInvalid) {
        result.status = exactStatus(s->waiting[0].closest.status);
    }
    return result;
}

// Bodies that touch at the start have the witnesses of their depth.
static wkCastResult finishAtStart(search* s)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    wkCastSample* start = &s->start;
    ++s->queryCount;
    start->closest = wkDistance(s->pair.a, start->poseA, s->pair.b, start->poseB, &request);
    addWaiting(s, start);
    return finish(s, progressBracket);
}

static bool isUsable(const wkShape* a, const wkBodyMotion* motionA, const wkShape* b,
                     const wkBodyMotion* motionB, const wkCastRequest* request)
{
    bool hasLimits = request->margin == request->margin && request->tolerance >= 0.0 &&
                     request->until > 0.0 && request->until <= 1.0;
    return hasLimits && wkIsValidShape(a) && wkIsValidShape(b) &&
           wkBodyMotion_Check(motionA) == wk_ok && wkBodyMotion_Check(motionB) == wk_ok;
}

static wkCastResult refuseRequest(const wkCastRequest* request)
{
    bool hasCookie = WK_HAS_COOKIE(request, wkCastRequest);
    WK_ASSERT(hasCookie);
    WK_FAIL_COOKIE(request, wkCastRequest);
    return invalidResult(0);
}

static void beginSearch(const wkCastRequest* request, search* s)
{
    s->tolerance = wkMaxD(request->tolerance, LEAST_TIME);
    s->maxCount = request->maxIterations;
    s->cache.count = 0;
    s->cache.direction = wkVec(0.0, 0.0, 0.0);
    s->queryCount = s->waitingCount = s->probeCount = s->stallCount = 0;
    s->isInvalid = false;
    s->isWatertight = true;
    s->knot = 0.0;
    s->last = s->until = request->until;
    s->stride = FIRST_STRIDE;
    s->lastGap = INFINITY;
    s->expected = INFINITY;
    s->width = INFINITY;
}

wkCastResult wkCast(const wkShape* a, const wkBodyMotion* motionA, const wkShape* b,
                    const wkBodyMotion* motionB, const wkCastRequest* request)
{
    wkCastRequest defaultRequest = wkDefaultCastRequest();
    request = request != NULL ? request : &defaultRequest;
    if (request->cookie != WK_COOKIE(wkCastRequest)) {
        return refuseRequest(request);
    }
    if (!isUsable(a, motionA, b, motionB, request)) {
        return invalidResult(0);
    }
    search s;
    wkPrepareCastPair(a, motionA, b, motionB, request, &s.pair);
    beginSearch(request, &s);
    if (s.pair.cache == NULL && s.pair.arePolytopes) {
        s.pair.cache = &s.cache;
    }
    double first = 0.0;
    if (s.pair.hasTracks && !wkSpheresMeet(&s.pair, &first, &s.last)) {
        return finish(&s, progressFree);
    }
    s.isInvalid = !wkPlaceSample(&s.pair, first, &s.start) || !measure(&s, &s.start);
    if (s.isInvalid) {
        return invalidResult(s.queryCount);
    }
    s.track = s.measured;
    if (s.start.isTouching) {
        return finishAtStart(&s);
    }
    progress state = progressMore;
    while (state == progressMore) {
        state = step(&s);
    }
    return finish(&s, state);
}
