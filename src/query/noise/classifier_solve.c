// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sequential minimal optimisation (Platt 1998) of the support vector machine, two coefficients at a time, chosen by the
// largest violation and the largest gain (Fan, Chen and Lin 2005). Each point demands a margin of its own, its
// weight, so that the surface is as many standard deviations away from the points of both clouds.

#include "query/noise/classifier_impl.h"

#include "base/memory.h"
#include "math/vec.h"

// Curvature along a pair of equal points: small, and positive.
#define LEAST_CURVATURE 1e-12

typedef struct solver {
    wkCloudClassifier* classifier;
    int32_t count;
    double penalty;
    double* kernel;   // count * count
    double* gradient; // of the objective, by coefficient
} solver;

// Mean of the kernel over the noise of both points.
static double kernelOf(double square, const wkClassifiedPoint* a, const wkClassifiedPoint* b)
{
    double wide = square + a->variance + b->variance, share = square / wide;
    double apart = wkLengthSquared(wkSub(a->position, b->position));
    return share * sqrt(share) * exp(-0.5 * apart / wide);
}

static void fillKernel(const solver* s)
{
    const wkCloudClassifier* c = s->classifier;
    for (int32_t i = 0; i < s->count; ++i) {
        for (int32_t k = 0; k <= i; ++k) {
            double value = kernelOf(c->square, &c->points[i], &c->points[k]);
            s->kernel[(size_t)i * (size_t)s->count + (size_t)k] = value;
            s->kernel[(size_t)k * (size_t)s->count + (size_t)i] = value;
        }
    }
}

static const double* rowOf(const solver* s, int32_t i)
{
    return s->kernel + (size_t)i * (size_t)s->count;
}

// Whether a coefficient can change so that its point pulls the surface towards B, or towards A.
static bool canRise(const solver* s, const wkClassifiedPoint* p)
{
    return p->side > 0.0 ? p->coefficient < s->penalty : p->coefficient > 0.0;
}

static bool canFall(const solver* s, const wkClassifiedPoint* p)
{
    return p->side > 0.0 ? p->coefficient > 0.0 : p->coefficient < s->penalty;
}

typedef struct workingPair {
    int32_t rise;
    int32_t fall;
    double highest; // violation that the constant must exceed
    double lowest;  // and that it must not exceed
} workingPair;

static double violationOf(const solver* s, int32_t i)
{
    return -s->classifier->points[i].side * s->gradient[i];
}

static workingPair findPair(const solver* s)
{
    const wkClassifiedPoint* points = s->classifier->points;
    workingPair pair = {-1, -1, -INFINITY, INFINITY};
    for (int32_t i = 0; i < s->count; ++i) {
        double violation = violationOf(s, i);
        if (canRise(s, &points[i]) && violation > pair.highest) {
            pair.highest = violation;
            pair.rise = i;
        }
    }
    double best = 0.0;
    for (int32_t i = 0; i < s->count && pair.rise >= 0; ++i) {
        double violation = violationOf(s, i), gap = pair.highest - violation;
        if (!canFall(s, &points[i])) {
            continue;
        }
        pair.lowest = wkMinD(pair.lowest, violation);
        const double* row = rowOf(s, pair.rise);
        double curvature = row[pair.rise] + rowOf(s, i)[i] - 2.0 * row[i];
        double gain = gap > 0.0 ? gap * gap / wkMaxD(curvature, LEAST_CURVATURE) : 0.0;
        if (gain > best) {
            best = gain;
            pair.fall = i;
        }
    }
    return pair;
}

// Moves two coefficients along the line on which their constraint holds, as far as the objective falls.
static void stepPair(const solver* s, const workingPair* pair)
{
    wkClassifiedPoint *up = &s->classifier->points[pair->rise],
                      *down = &s->classifier->points[pair->fall];
    const double *rowUp = rowOf(s, pair->rise), *rowDown = rowOf(s, pair->fall);
    double curvature = rowUp[pair->rise] + rowDown[pair->fall] - 2.0 * rowUp[pair->fall];
    double gap = violationOf(s, pair->rise) - violationOf(s, pair->fall);
    double step = gap / wkMaxD(curvature, LEAST_CURVATURE);
    step = wkMinD(step, up->side > 0.0 ? s->penalty - up->coefficient : up->coefficient);
    step = wkMinD(step, down->side > 0.0 ? down->coefficient : s->penalty - down->coefficient);
    up->coefficient = wkClamp(up->coefficient + up->side * step, 0.0, s->penalty);
    down->coefficient = wkClamp(down->coefficient - down->side * step, 0.0, s->penalty);
    for (int32_t i = 0; i < s->count; ++i) {
        s->gradient[i] += step * s->classifier->points[i].side * (rowUp[i] - rowDown[i]);
    }
}

static void solve(solver* s, const wkCloudClassifierDef* def)
{
    wkCloudClassifier* c = s->classifier;
    for (int32_t i = 0; i < s->count; ++i) {
        c->points[i].coefficient = 0.0;
        s->gradient[i] = -c->points[i].weight;
    }
    workingPair pair = findPair(s);
    while (c->info.iterationCount < def->maxIterations) {
        c->info.isConverged = pair.fall < 0 || pair.highest - pair.lowest <= def->tolerance;
        if (c->info.isConverged) {
            break;
        }
        stepPair(s, &pair);
        c->info.iterationCount += 1;
        pair = findPair(s);
    }
    c->constant = 0.5 * (pair.highest + pair.lowest);
}

bool wkSolveClassifier(wkCloudClassifier* classifier, const wkCloudClassifierDef* def)
{
    size_t count = (size_t)classifier->count, bytes = (count + 1) * count * sizeof(double);
    double* memory = wkAlloc(bytes);
    if (memory == NULL) {
        return false;
    }
    solver s = {
        .classifier = classifier,
        .count = classifier->count,
        .penalty = def->penalty,
        .kernel = memory,
        .gradient = memory + count * count,
    };
    fillKernel(&s);
    solve(&s, def);
    wkFree(memory, bytes);
    return true;
}
