// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Answers the query `probability`: how probably a noisy cloud touches a body.

#include "ask_question.h"

// Maximum number of points and nodes examined: about a second.
#define MOST_NOISE_WORK ((int64_t)1 << 24)

// Whether points of a noisy cloud are missing: only clouds have a sigma.
static bool isThinned(const wkAskObject* object)
{
    return object->sigma > 0.0 && wkCloud_Info(object->shape.cloud).mergedCount > 0;
}

bool wkAnswerProbability(const wkAskQuestion* q)
{
    bool isNoisy = q->a.sigma > 0.0 || q->b.sigma > 0.0;
    if (!isNoisy) {
        return wkAskFail(q->error, "bad_field",
                         "neither a nor b is a cloud with a sigma above 0, one must be");
    }
    wkNoiseRequest request = wkDefaultNoiseRequest();
    request.deviationA = q->a.sigma;
    request.deviationB = q->b.sigma;
    request.maxWork = MOST_NOISE_WORK;
    if (!wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askAny, &request.margin,
                             q->error)) {
        return false;
    }
    if (isThinned(&q->a) || isThinned(&q->b)) {
        return wkAskFail(q->error, "bad_field",
                         "%s has a spacing and a sigma; a probability needs all points",
                         isThinned(&q->a) ? "a" : "b");
    }
    wkNoiseResult result =
        wkCollisionProbability(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, &request);
    if (result.status == wk_noiseInvalid) {
        return wkAskFail(q->error, "out_of_range", "the numbers are too large to be answered");
    }
    double middle = 0.5 * (result.independentLower + result.independentUpper);
    wkAskAppendNumber(q->answer, "probability", middle);
    wkAskAppendNumber(q->answer, "lower", result.lower);
    wkAskAppendNumber(q->answer, "upper", result.upper);
    wkAskAppendNumber(q->answer, "independent_lower", result.independentLower);
    wkAskAppendNumber(q->answer, "independent_upper", result.independentUpper);
    wkAskAppendPart(q->answer, "part_a", result.partA);
    wkAskAppendPart(q->answer, "part_b", result.partB);
    if (result.status == wk_noiseStopped) {
        wkAskAppendBool(q->answer, "exact", false);
    }
    return true;
}
