// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The law above all: the distance is the one that the reference solver proves.

#include "laws.h"

#include "reference/reference.h"

static wkReference truthOf(const wkScenePair* pair)
{
    return wkReferenceDistance(&pair->a, pair->poseA, &pair->b, pair->poseB,
                               WK_REFERENCE_BUDGET / 4);
}

static bool isNotAbove(const wkScenePair* pair, const wkReference* truth, const wkDistanceResult* r,
                       wkMessage* message)
{
    if (truth->isUnbounded || r->status == wk_statusUnbounded) {
        // planes that are parallel up to rounding may be called either
        bool isSafe = r->distance == WK_UNBOUNDED_DISTANCE;
        return isSafe ||
               wkBroken(message, "no translation separates, but distance is %g", r->distance);
    }
    bool isSafe = r->distance <= truth->upper + wkPairRounding(pair);
    return isSafe || wkBroken(message, "distance %.17g is above the truth %.17g ... %.17g by %g",
                              r->distance, truth->lower, truth->upper, r->distance - truth->upper);
}

bool wkLawDistanceIsNeverAboveTheTruth(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkReference truth = truthOf(pair);
    wkDistanceResult r = wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
    return isNotAbove(pair, &truth, &r, message);
}

bool wkLawDistanceIsTheTruth(const wkScenePair* pair, uint64_t seed, wkMessage* message)
{
    (void)seed;
    wkReference truth = truthOf(pair);
    wkDistanceResult r = wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
    if (!isNotAbove(pair, &truth, &r, message)) {
        return false;
    }
    if (truth.isUnbounded || r.status == wk_statusUnbounded) {
        return true;
    }
    // caps of iterations are no excuse here: the scenes are within the stated ranges
    double tolerance = wkPairTolerance(pair) + wkPairRounding(pair);
    if (!(r.distance >= truth.lower - tolerance)) {
        return wkBroken(
            message, "distance %.17g (%s) is below the truth %.17g ... %.17g by %g, tolerance %g",
            r.distance, wkStatusName(r.status), truth.lower, truth.upper, truth.lower - r.distance,
            tolerance);
    }
    return true;
}
