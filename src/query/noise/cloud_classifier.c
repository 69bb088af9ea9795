// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robust classification of two noisy clouds, after Pan, Chitta and Manocha (2011): two clouds are apart when a surface
// separates them, and the probability that a point is on the wrong side of the best one estimates that of a
// collision.

#include "query/noise/classifier_impl.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "geom/check.h"
#include "math/gaussian.h"
#include "tree/cloud/cloud_impl.h"

#include <string.h>

// The width that is chosen, as a share of the size of the part of the clouds that is classified.
#define WIDTH_SHARE 0.5

// Points with little noise demand this share of the margin of those with the most.
#define LEAST_WEIGHT 0.05

// Steps of Newton's method to the surface, and the longest one as a share of the width.
#define MAX_STEPS 12
#define LONGEST_STEP 0.5

wkCloudClassifierDef wkDefaultCloudClassifierDef(void)
{
    wkCloudClassifierDef def = {
        .cookie = WK_COOKIE(wkCloudClassifierDef),
        .poseA = wkIdentityPose(),
        .poseB = wkIdentityPose(),
        .penalty = 1e4,
        .tolerance = 1e-3,
        .maxPoints = 512,
        .maxIterations = 200000,
    };
    return def;
}

static wkResult checkDef(const wkCloudClassifierDef* def)
{
    if (!WK_HAS_COOKIE(def, wkCloudClassifierDef)) {
        return WK_FAIL_COOKIE(def, wkCloudClassifierDef);
    }
    const wkNamedNumber numbers[] = {
        {"deviationA", def->deviationA, 0.0, 4.0 * WK_CLOUD_REACH},
        {"deviationB", def->deviationB, 0.0, 4.0 * WK_CLOUD_REACH},
        {"width", def->width, 0.0, WK_CLOUD_REACH},
        {"penalty", def->penalty, 1e-3, 1e9},
        {"tolerance", def->tolerance, 1e-6, 0.5},
        {"maxPoints", (double)def->maxPoints, 2.0, 4096.0},
        {"maxIterations", (double)def->maxIterations, 1.0, INT32_MAX},
    };
    wkResult result = wkCheckNumbers("classifier", numbers, sizeof numbers / sizeof numbers[0]);
    if (result != wk_ok) {
        return result;
    }
    if (def->a == NULL || def->b == NULL || def->a->pointCount == 0 || def->b->pointCount == 0) {
        bool isA = def->a == NULL || def->a->pointCount == 0;
        const wkCloud* cloud = isA ? def->a : def->b;
        return wkFail(wk_errorArgument, "classifier: %s is %s, expected a cloud with points",
                      isA ? "a" : "b", cloud == NULL ? "NULL" : "empty");
    }
    double apart = wkMaxAbs(wkSub(def->poseA.position, def->poseB.position));
    bool isValid = wkAreValidPoses(&def->poseA, &def->poseB) && apart <= WK_CLOUD_REACH;
    return isValid ? wk_ok : wkFail(wk_errorNotFinite, "classifier: a pose is not valid");
}

// Weights are proportional to deviations, so that the margin is the same number of them for all points.
static void setWeights(wkCloudClassifier* c)
{
    double largest = 0.0;
    for (int32_t i = 0; i < c->count; ++i) {
        largest = wkMaxD(largest, c->points[i].variance);
    }
    for (int32_t i = 0; i < c->count; ++i) {
        double share = largest > 0.0 ? sqrt(c->points[i].variance / largest) : 1.0;
        c->points[i].weight = wkMaxD(share, LEAST_WEIGHT);
    }
}

static double chooseWidth(const wkCloudClassifier* c)
{
    wkVec3d lower = c->points[0].position, upper = lower;
    double spread = 0.0;
    for (int32_t i = 0; i < c->count; ++i) {
        lower = wkMin(lower, c->points[i].position);
        upper = wkMax(upper, c->points[i].position);
        spread = wkMaxD(spread, c->points[i].radius + sqrt(c->points[i].variance));
    }
    // noise alone, where all points are at one position
    double size = wkLength(wkSub(upper, lower)) + spread;
    return size > 0.0 ? WIDTH_SHARE * size : 1.0;
}

// Value and gradient at a position in the frame of A.
static double evaluate(const wkCloudClassifier* c, wkVec3d position, wkVec3d* gradient)
{
    double value = c->constant;
    *gradient = wkVec(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < c->count; ++i) {
        const wkClassifiedPoint* p = &c->points[i];
        if (p->coefficient > 0.0) {
            double wide = c->square + p->variance, share = c->square / wide;
            wkVec3d to = wkSub(p->position, position);
            double kernel = share * sqrt(share) * exp(-0.5 * wkLengthSquared(to) / wide);
            double term = p->side * p->coefficient * kernel;
            value += term;
            *gradient = wkMulAdd(*gradient, term / wide, to);
        }
    }
    return value;
}

// Signed distance from the surface: length of the way there by Newton's method, which follows the gradient.
static double distanceFrom(const wkCloudClassifier* c, wkVec3d position, double value,
                           wkVec3d gradient)
{
    double longest = LONGEST_STEP * c->info.width;
    wkVec3d at = position;
    double now = value;
    for (int step = 0; step < MAX_STEPS; ++step) {
        double slope = wkLength(gradient);
        if (!(slope > 0.0)) {
            return value > 0.0 ? WK_CLOUD_REACH : -WK_CLOUD_REACH;
        }
        double length = wkClamp(now / slope, -longest, longest);
        at = wkMulSub(at, length / slope, gradient);
        if (fabs(length) <= 1e-6 * c->info.width) {
            break;
        }
        now = evaluate(c, at, &gradient);
    }
    return copysign(wkLength(wkSub(at, position)), value);
}

wkClassifierValue wkCloudClassifier_Evaluate(const wkCloudClassifier* classifier, wkVec3d point)
{
    wkVec3d local = wkFrameLocal(&classifier->frame, point), gradient;
    wkClassifierValue result;
    result.value = evaluate(classifier, local, &gradient);
    result.distance = distanceFrom(classifier, local, result.value, gradient);
    wkVec3d normal = wkNormalizeOr(gradient, wkVec(0.0, 0.0, 0.0));
    result.normal = wkMulMV(&classifier->frame.rotation, normal);
    return result;
}

// Probability that the sphere of a point reaches across the surface.
static double crossing(const wkCloudClassifier* c, const wkClassifiedPoint* p, bool* isWrong)
{
    wkVec3d gradient;
    double value = evaluate(c, p->position, &gradient);
    double away = p->side * distanceFrom(c, p->position, value, gradient) - p->radius;
    *isWrong = p->side * value < 0.0;
    return p->variance > 0.0 ? wkNormalTail(away / sqrt(p->variance)) : (double)(away <= 0.0);
}

static void estimate(wkCloudClassifier* c)
{
    wkCloudClassifierInfo* info = &c->info;
    double logFree = 0.0, largest[2] = {-1.0, -1.0};
    for (int32_t i = 0; i < c->count; ++i) {
        const wkClassifiedPoint* p = &c->points[i];
        bool isWrong;
        double probability = crossing(c, p, &isWrong);
        int side = p->side > 0.0 ? 0 : 1;
        logFree += log1p(-probability);
        if (probability > largest[side]) {
            largest[side] = probability;
            *(side == 0 ? &info->partA : &info->partB) = p->part;
        }
        info->wrongCount += isWrong;
        info->supportCount += p->coefficient > 0.0;
    }
    info->probability = 0.0 - expm1(logFree);
    info->likeliest = wkMaxD(largest[0], largest[1]);
    info->pointCount = c->count;
}

static void selectPoints(const wkCloudClassifierDef* def, wkCloudClassifier* c)
{
    wkMat3d rotation;
    wkFrame identity = {{{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}}, {0.0, 0.0, 0.0}};
    wkFrame bInA = wkRelativeFrame(&def->poseA, &def->poseB, &rotation);
    int32_t half = def->maxPoints / 2;
    c->frame = (wkFrame){rotation, def->poseA.position};
    c->count =
        wkSelectNearest(def->a, &identity, def->deviationA, def->b, &bInA, 1.0, c->points, half);
    c->count += wkSelectNearest(def->b, &bInA, def->deviationB, def->a, &identity, -1.0,
                                c->points + c->count, half);
    setWeights(c);
}

wkResult wkCloudClassifier_Create(const wkCloudClassifierDef* def, wkCloudClassifier** classifier)
{
    *classifier = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    size_t byteCount =
        sizeof(wkCloudClassifier) + (size_t)def->maxPoints * sizeof(wkClassifiedPoint);
    wkCloudClassifier* made = wkAlloc(byteCount);
    if (made != NULL) {
        memset(made, 0, sizeof *made);
        made->byteCount = byteCount;
        made->info.partA = made->info.partB = -1;
        selectPoints(def, made);
        made->info.width = def->width > 0.0 ? def->width : chooseWidth(made);
        made->square = made->info.width * made->info.width;
    }
    if (made == NULL || !wkSolveClassifier(made, def)) {
        wkCloudClassifier_Destroy(made);
        return wkFail(wk_errorMemory, "classifier: no memory for %d points", (int)def->maxPoints);
    }
    estimate(made);
    *classifier = made;
    return wk_ok;
}

void wkCloudClassifier_Destroy(wkCloudClassifier* classifier)
{
    if (classifier != NULL) {
        wkFree(classifier, classifier->byteCount);
    }
}

wkCloudClassifierInfo wkCloudClassifier_Info(const wkCloudClassifier* classifier)
{
    return classifier->info;
}
