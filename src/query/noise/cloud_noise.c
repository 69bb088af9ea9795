// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// wkCollisionProbability: bounds of the probability that a noisy cloud touches a body. Whatever the dependence between
// points, it is at least that of the most probable point and at most the sum over all points (Boole's inequality).
// Where points are independent, it is 1 minus the product of their probabilities of being free.
//
// Two clouds are a sum over pairs: each point of A is a sphere, and the deviation of a pair is that of both
// points. Pairs that share a noisy point depend on each other even where points do not.

#include "whisker/cloud_noise.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/range.h"
#include "geom/check.h"
#include "query/noise/noise_walk.h"

#include <string.h>

// Points whose bounds are narrowed, those with the widest.
#define REFINED_CAPACITY 32

// Probabilities whose bounds are closer are not narrowed.
#define LEAST_WIDTH 1e-6

#define LARGEST_DEVIATION (4.0 * WK_CLOUD_REACH)

const char* wkNoiseStatusName(wkNoiseStatus status)
{
    static const char* const names[] = {
        [wk_noiseNone] = "none",       [wk_noiseBounded] = "bounded", [wk_noiseEmpty] = "empty",
        [wk_noiseStopped] = "stopped", [wk_noiseInvalid] = "invalid",
    };
    return (unsigned)status <= (unsigned)wk_noiseInvalid ? names[status] : "none";
}

wkNoiseRequest wkDefaultNoiseRequest(void)
{
    wkNoiseRequest request = {
        .cookie = WK_COOKIE(wkNoiseRequest),
        .tolerance = 1e-4,
        .refinementCount = 256,
        .maxWork = (int64_t)1 << 22,
    };
    return request;
}

static wkResult checkRequest(const wkNoiseRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkNoiseRequest)) {
        return WK_FAIL_COOKIE(request, wkNoiseRequest);
    }
    const wkNamedNumber numbers[] = {
        {"deviationA", request->deviationA, 0.0, LARGEST_DEVIATION},
        {"deviationB", request->deviationB, 0.0, LARGEST_DEVIATION},
        {"margin", request->margin, -WK_MAX_LENGTH, WK_MAX_LENGTH},
        {"tolerance", request->tolerance, 1e-12, 1.0},
        {"refinementCount", (double)request->refinementCount, 0.0, 4096.0},
        {"maxWork", (double)request->maxWork, 1.0, 0x1p62},
    };
    return wkCheckNumbers("noise", numbers, sizeof numbers / sizeof numbers[0]);
}

// The probability of one point, or of one pair of points.
typedef struct chance {
    wkProbability p;
    int64_t partA;
    int64_t partB;
} chance;

// The probability of many: bounds that hold for every dependence, and those for independence.
typedef struct total {
    double lower;
    double upper;        // a sum, which may exceed 1
    double logFreeLower; // logarithm of the probability that all are free, if independent
    double logFreeUpper;
    chance likeliest;
} total;

static const chance noChance = {{0.0, 0.0}, -1, -1};

static void addChance(total* sum, const chance* added)
{
    double middle = added->p.lower + added->p.upper;
    sum->lower = wkMaxD(sum->lower, added->p.lower);
    sum->upper += added->p.upper;
    sum->logFreeLower += log1p(-added->p.upper);
    sum->logFreeUpper += log1p(-added->p.lower);
    if (middle > sum->likeliest.p.lower + sum->likeliest.p.upper) {
        sum->likeliest = *added;
    }
}

// A point whose bounds may be narrowed when all points are known.
typedef struct waiting {
    chance known;
    wkNoisyPoint point;
} waiting;

typedef struct noiseQuery {
    wkNoiseWalk walk; // first: leaves get it
    const wkNoiseRequest* request;
    total sum;
    int64_t evaluatedCount;
    int waitingCount;
    waiting waiting[REFINED_CAPACITY];

    // with two clouds
    const wkShape* other;
    wkNoiseWalk inner;
    total sumOfPoint;
    int64_t part;
    bool areBothNoisy;
} noiseQuery;

static double widthOf(const waiting* w)
{
    return w->known.p.upper - w->known.p.lower;
}

// Keeps the points with the widest bounds; the others are added.
static void keepOrAdd(noiseQuery* q, waiting* w)
{
    if (q->waitingCount < REFINED_CAPACITY) {
        q->waiting[q->waitingCount++] = *w;
        return;
    }
    int narrowest = 0;
    for (int i = 1; i < q->waitingCount; ++i) {
        narrowest = widthOf(&q->waiting[i]) < widthOf(&q->waiting[narrowest]) ? i : narrowest;
    }
    waiting added = *w;
    if (widthOf(&q->waiting[narrowest]) < widthOf(w)) {
        added = q->waiting[narrowest];
        q->waiting[narrowest] = *w;
    }
    addChance(&q->sum, &added.known);
}

static int64_t partOf(const wkNoiseWalk* walk, int32_t rank)
{
    return wkCloudIds(walk->cloud->cloud)[rank];
}

// The lower bound is so near to 1 that nothing can change the result by more than the tolerance.
static wkStep stepAfter(const noiseQuery* q)
{
    return q->sum.lower >= 1.0 - q->request->tolerance ? wk_stepStop : wk_stepOn;
}

static wkStep takePoint(wkNoiseWalk* walk, int32_t rank, const wkNoisyPoint* point)
{
    noiseQuery* q = (noiseQuery*)walk;
    waiting w = {{wkBoundPointNoise(walk->body, point, walk->cutoff), partOf(walk, rank), -1},
                 *point};
    q->evaluatedCount += 1;
    if (widthOf(&w) > LEAST_WIDTH && q->request->refinementCount > 0) {
        keepOrAdd(q, &w);
    } else {
        addChance(&q->sum, &w.known);
    }
    return stepAfter(q);
}

static void refineWaiting(noiseQuery* q)
{
    for (int i = 0; i < q->waitingCount; ++i) {
        waiting* w = &q->waiting[i];
        w->known.p =
            wkRefinePointNoise(q->walk.body, &w->point, w->known.p, q->request->refinementCount);
        addChance(&q->sum, &w->known);
    }
}

static wkStep takePair(wkNoiseWalk* inner, int32_t rank, const wkNoisyPoint* point)
{
    noiseQuery* q = (noiseQuery*)((char*)inner - offsetof(noiseQuery, inner));
    chance pair = {wkBoundPointNoise(inner->body, point, inner->cutoff), q->part,
                   partOf(inner, rank)};
    addChance(&q->sumOfPoint, &pair);
    q->evaluatedCount += 1;
    return q->sumOfPoint.lower >= 1.0 - q->request->tolerance ? wk_stepStop : wk_stepOn;
}

// Whether a noisy point could touch points of another cloud only by being where they are, whose probability is 0.
static bool isPointOnly(const wkNoiseWalk* inner)
{
    double radius = wkShapeRadius(inner->cloud) + inner->cloud->cloud->maxRadius;
    return inner->variance > 0.0 && !(inner->margin + radius > 0.0);
}

// A point of a cloud against another cloud: the largest probability of a pair, and the sum over all.
static wkStep takePointOfPairs(wkNoiseWalk* walk, int32_t rank, const wkNoisyPoint* point)
{
    noiseQuery* q = (noiseQuery*)walk;
    static const wkShape center = {.type = wk_shapeSphere};
    wkNoiseBody body = wkMakeNoiseBody(&center);
    double deviation = wkNoiseDeviation(walk, rank);
    wkNoiseWalk* inner = &q->inner;
    inner->body = &body;
    inner->cloudInBody.position = wkNeg(point->position);
    inner->variance = deviation * deviation;
    inner->margin = point->reach;
    inner->pruned = 0.0;
    q->part = partOf(walk, rank);
    q->sumOfPoint = (total){.likeliest = noChance};
    if (isPointOnly(inner)) {
        inner->prunedCount += inner->cloud->cloud->pointCount;
        return wk_stepOn;
    }
    wkWalkNoise(inner);
    walk->isStopped = walk->isStopped || inner->isStopped;
    walk->pruned += inner->pruned;

    chance found = {{q->sumOfPoint.lower, wkMinD(q->sumOfPoint.upper, 1.0)}, q->part, -1};
    chance likeliest = q->sum.likeliest, pair = q->sumOfPoint.likeliest;
    addChance(&q->sum, &found);
    bool isMore = pair.p.lower + pair.p.upper > likeliest.p.lower + likeliest.p.upper;
    q->sum.likeliest = isMore ? pair : likeliest;
    return walk->isStopped ? wk_stepStop : stepAfter(q);
}

// The result as the caller gets it. Sums lose digits to rounding, a share of each term.
static void finish(const noiseQuery* q, bool isSwapped, wkNoiseResult* result)
{
    const total* sum = &q->sum;
    double pruned = q->walk.pruned;
    double share = WK_TAIL_ERROR + 3e-16 * (double)q->evaluatedCount;
    bool isOpen = q->walk.isStopped || stepAfter(q) == wk_stepStop;
    result->status = q->walk.isStopped ? wk_noiseStopped : wk_noiseBounded;
    result->lower = sum->lower;
    result->upper = isOpen ? 1.0 : wkMinD(1.0, (1.0 + share) * (sum->upper + pruned));
    double least = 0.0 - (1.0 - share) * expm1((1.0 - share) * sum->logFreeUpper);
    double most = (1.0 + share) * (-expm1((1.0 + share) * sum->logFreeLower) + pruned);
    result->independentLower = q->areBothNoisy ? sum->lower : wkMaxD(sum->lower, least);
    result->independentUpper =
        isOpen || q->areBothNoisy ? result->upper : wkMinD(result->upper, most);
    result->partA = isSwapped ? sum->likeliest.partB : sum->likeliest.partA;
    result->partB = isSwapped ? sum->likeliest.partA : sum->likeliest.partB;
    result->partLower = sum->likeliest.p.lower;
    result->partUpper = sum->likeliest.p.upper;
    result->evaluatedCount = q->evaluatedCount;
}

// A body of a query: its shape, its pose, and the noise of its points.
typedef struct noisyBody {
    const wkShape* shape;
    const wkPose* pose;
    double deviation;        // of points without one of their own
    double largestDeviation; // 0: not noisy
} noisyBody;

static bool isCloud(const wkShape* shape)
{
    return shape->type == wk_shapeCloud;
}

static noisyBody makeBody(const wkShape* shape, const wkPose* pose, double deviation)
{
    noisyBody body = {shape, pose, deviation, 0.0};
    if (isCloud(shape)) {
        body.largestDeviation =
            shape->cloud->hasDeviations ? shape->cloud->maxDeviation : deviation;
    }
    return body;
}

// Prepares the walk over the first body, a cloud, in the frame of the other.
static void aimAtBody(noiseQuery* q, const noisyBody* cloud, const noisyBody* other,
                      const wkNoiseBody* target, int64_t* workLeft)
{
    double count = (double)cloud->shape->cloud->pointCount;
    wkMat3d rotation;
    q->walk = (wkNoiseWalk){
        .cloud = cloud->shape,
        .body = target,
        .cloudInBody = wkRelativeFrame(other->pose, cloud->pose, &rotation),
        .deviation = cloud->deviation,
        .margin = q->request->margin,
        .cutoff = wkNoiseCutoff(target, count, q->request->tolerance),
        .eventsEach = 1.0,
        .leaf = takePoint,
        .workLeft = workLeft,
    };
}

// The same where the other one is a cloud, too: for each point of the first there is a walk over the second.
static void aimAtPairs(noiseQuery* q, const noisyBody* cloud, const noisyBody* other)
{
    double count = (double)other->shape->cloud->pointCount;
    double pairCount = count * (double)cloud->shape->cloud->pointCount;
    double tolerance = 0.5 * q->request->tolerance; // for each of the two walks
    q->areBothNoisy = cloud->largestDeviation > 0.0 && other->largestDeviation > 0.0;
    q->walk.leaf = takePointOfPairs;
    q->walk.variance = other->largestDeviation * other->largestDeviation;
    q->walk.eventsEach = count;
    q->walk.cutoff = wkNoiseCutoff(q->walk.body, pairCount, tolerance);
    q->inner = (wkNoiseWalk){
        .cloud = other->shape,
        .cloudInBody = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}},
        .deviation = other->deviation,
        .cutoff = q->walk.cutoff,
        .eventsEach = 1.0,
        .leaf = takePair,
        .workLeft = q->walk.workLeft,
    };
}

static bool isEmptyCloud(const wkShape* shape)
{
    return isCloud(shape) && shape->cloud->pointCount == 0;
}

// Bounds the probability of a cloud against another body.
static void ask(const noisyBody* cloud, const noisyBody* other, const wkNoiseRequest* request,
                bool isSwapped, wkNoiseResult* result)
{
    if (isEmptyCloud(cloud->shape) || isEmptyCloud(other->shape)) {
        result->status = wk_noiseEmpty;
        result->upper = result->independentUpper = result->partUpper = 0.0;
        return;
    }
    noiseQuery q;
    q.request = request;
    q.sum = (total){.likeliest = noChance};
    q.evaluatedCount = 0;
    q.waitingCount = 0;
    q.areBothNoisy = false;
    q.inner.prunedCount = 0;
    wkNoiseBody target = wkMakeNoiseBody(other->shape);
    int64_t workLeft = request->maxWork;
    double chancesEach = 1.0;
    aimAtBody(&q, cloud, other, &target, &workLeft);
    if (isCloud(other->shape)) {
        aimAtPairs(&q, cloud, other);
        chancesEach = (double)other->shape->cloud->pointCount;
    }
    if (!(wkMaxAbs(q.walk.cloudInBody.position) <= 0.1 * WK_MAX_LENGTH)) {
        return;
    }
    wkWalkNoise(&q.walk);
    refineWaiting(&q);
    finish(&q, isSwapped, result);
    result->prunedCount = q.walk.prunedCount * (int64_t)chancesEach + q.inner.prunedCount;
}

// Checks one side. Noise of anything but the points of a cloud would be ignored. A point that stands for others that were
// removed covers where they were measured, not where noise may put them: bounds would not hold.
static wkResult checkSide(const char* side, const wkShape* shape, double deviation)
{
    if (!isCloud(shape)) {
        return deviation == 0.0
                   ? wk_ok
                   : wkFail(wk_errorArgument, "noise: deviation%s is %g, and %s is no cloud", side,
                            deviation, side);
    }
    bool isNoisy = deviation > 0.0 || shape->cloud->hasDeviations;
    return shape->cloud->mergedCount == 0 || !isNoisy
               ? wk_ok
               : wkFail(wk_errorArgument,
                        "noise: %d points of %s are merged with others; make the cloud without "
                        "spacing, mergesDuplicates and voxel filters",
                        (int)shape->cloud->mergedCount, side);
}

static wkResult checkSides(const wkShape* a, const wkShape* b, const wkNoiseRequest* request)
{
    if (!isCloud(a) && !isCloud(b)) {
        return wkFail(wk_errorArgument, "noise: neither A nor B is a cloud");
    }
    wkResult result = checkSide("A", a, request->deviationA);
    return result == wk_ok ? checkSide("B", b, request->deviationB) : result;
}

wkNoiseResult wkCollisionProbability(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB,
                                     const wkNoiseRequest* request)
{
    wkNoiseResult result = {
        .status = wk_noiseInvalid,
        .upper = 1.0,
        .independentUpper = 1.0,
        .partA = -1,
        .partB = -1,
        .partUpper = 1.0,
    };
    wkNoiseRequest standard = wkDefaultNoiseRequest();
    request = request != NULL ? request : &standard;
    if (checkRequest(request) != wk_ok || !wkIsValidShape(a) || !wkIsValidShape(b) ||
        !wkAreValidPoses(&poseA, &poseB) || checkSides(a, b, request) != wk_ok) {
        return result;
    }
    noisyBody first = makeBody(a, &poseA, request->deviationA);
    noisyBody second = makeBody(b, &poseB, request->deviationB);
    // of two clouds the walk starts with a noisy one, whose points are then independent of each other
    bool isSwapped = !isCloud(a) || (isCloud(b) && !(first.largestDeviation > 0.0));
    ask(isSwapped ? &second : &first, isSwapped ? &first : &second, request, isSwapped, &result);
    return result;
}
