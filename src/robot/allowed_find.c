// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds pairs of links that need not be checked. Random configurations show which pairs touch, and which
// nearly always do; of the others most are proven never to touch or are found touching (allowed_prove.c);
// the rest is sampled until the share of configurations that may have been missed is small.

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "robot/allowed_prove.h"
#include "robot/allowed_study.h"

#include <string.h>

// With a confidence of 95 %, an event that occurs in none of n samples has a probability of at most 3 / n:
// the rule of three. The default is for a probability of 1e-5.
#define CONFIDENCE_FACTOR 3.0
#define DEFAULT_SAMPLE_COUNT 300000
#define DEFAULT_PROOF_BUDGET 50000

// Samples that decide which pairs nearly always touch, in whole chunks: that share needs no more of them.
#define FREQUENT_SAMPLE_COUNT 10240

// Chunks of a task when few pairs are left.
#define LATE_CHUNK_COUNT 16

wkAllowedRequest wkDefaultAllowedRequest(void)
{
    wkAllowedRequest sampling;
    memset(&sampling, 0, sizeof sampling);
    sampling.sampleCount = DEFAULT_SAMPLE_COUNT;
    sampling.seed = 1;
    sampling.alwaysShare = 0.95;
    sampling.proofBudget = DEFAULT_PROOF_BUDGET;
    sampling.cookie = WK_COOKIE(wkAllowedRequest);
    return sampling;
}

static int32_t frequentCountOf(const wkPairStudy* s)
{
    int32_t sampleCount = s->sampling->sampleCount;
    return sampleCount < FREQUENT_SAMPLE_COUNT ? sampleCount : FREQUENT_SAMPLE_COUNT;
}

typedef void pairFcn(wkPairStudy* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason);

// Calls `fcn` for all pairs of links with bodies that have no reason so far.
static void forOpenPairs(wkPairStudy* s, wkAllowedReason* reasons, pairFcn* fcn)
{
    int32_t linkCount = s->robot->info.linkCount;
    for (int32_t a = 0; a < linkCount; ++a) {
        for (int32_t b = a + 1; b < linkCount; ++b) {
            wkAllowedReason* reason = &reasons[wkLinkPairIndex(s->robot, a, b)];
            bool haveBodies =
                s->robot->links[a].info.bodyCount > 0 && s->robot->links[b].info.bodyCount > 0;
            if (haveBodies && *reason == wk_reasonNone) {
                fcn(s, a, b, reason);
                if (*reason != wk_reasonNone) {
                    wkPairStudy_Drop(s, a, b);
                }
            }
        }
    }
}

static void findNeighbours(wkPairStudy* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    *reason = wkAreNeighbours(s->robot, linkA, linkB) ? wk_reasonAdjacent : wk_reasonNone;
}

// Finds pairs that touch in the default configuration; no other one has been checked so far.
static void findDefault(wkPairStudy* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    *reason = wkPairStudy_TouchCount(s, linkA, linkB) > 0 ? wk_reasonDefault : wk_reasonNone;
}

// Returns whether a pair with this many contacts nearly always touches, or may turn out to.
static bool isOften(const wkPairStudy* s, int32_t count)
{
    return (double)count >= s->sampling->alwaysShare * frequentCountOf(s);
}

// Drops a pair that has touched and can no longer touch nearly always: it has to be checked.
static void dropDecided(wkPairStudy* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    (void)reason;
    int32_t touched = wkPairStudy_TouchCount(s, linkA, linkB),
            left = frequentCountOf(s) - s->doneCount;
    if (touched > 0 && !isOften(s, touched + (left > 0 ? left : 0))) {
        wkPairStudy_Drop(s, linkA, linkB);
    }
}

static void findFrequent(wkPairStudy* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    int32_t touched = wkPairStudy_TouchCount(s, linkA, linkB);
    *reason = touched > 0 && isOften(s, touched) ? wk_reasonAlways : wk_reasonNone;
}

static void findNever(wkPairStudy* s, int32_t linkA, int32_t linkB, wkAllowedReason* reason)
{
    bool isNever = wkPairStudy_TouchCount(s, linkA, linkB) == 0 && s->sampling->allowsSampled;
    *reason = isNever ? wk_reasonNever : wk_reasonNone;
}

static wkResult cancelled(const wkPairStudy* s)
{
    return wkFail(wk_errorCancelled, "allowed pairs: cancelled after %d of %d samples",
                  (int)s->doneCount, (int)s->sampling->sampleCount);
}

static bool isOpen(const wkPairStudy* s, const wkAllowedReason* reasons, int32_t linkA,
                   int32_t linkB)
{
    const wkRobotLink* links = s->robot->links;
    return links[linkA].info.bodyCount > 0 && links[linkB].info.bodyCount > 0 &&
           reasons[wkLinkPairIndex(s->robot, linkA, linkB)] == wk_reasonNone &&
           wkPairStudy_TouchCount(s, linkA, linkB) == 0;
}

// Lists the pairs that have touched in no sample.
// @param pairs receives them; NULL: they are only counted
static int32_t listOpen(const wkPairStudy* s, const wkAllowedReason* reasons, wkLinkPair* pairs)
{
    int32_t count = 0;
    for (int32_t a = 0; a < s->robot->info.linkCount; ++a) {
        for (int32_t b = a + 1; b < s->robot->info.linkCount; ++b) {
            if (isOpen(s, reasons, a, b)) {
                wkLinkPair pair = {a, b, wk_chainOpen};
                if (pairs != NULL) {
                    pairs[count] = pair;
                }
                ++count;
            }
        }
    }
    return count;
}

static void keepVerdict(wkPairStudy* s, const wkLinkPair* pair, wkAllowedReason* reasons)
{
    size_t index = wkLinkPairIndex(s->robot, pair->linkA, pair->linkB);
    if (pair->verdict == wk_chainTouching) {
        atomic_fetch_add_explicit(&s->touchCounts[index], 1, memory_order_relaxed);
    } else if (pair->verdict == wk_chainApart) {
        reasons[index] = wk_reasonProven;
    }
    if (pair->verdict != wk_chainOpen) {
        wkPairStudy_Drop(s, pair->linkA, pair->linkB);
    }
}

static wkResult proveOpen(wkPairStudy* s, wkAllowedReason* reasons)
{
    const wkAllowedRequest* sampling = s->sampling;
    int32_t count = sampling->proofBudget > 0 ? listOpen(s, reasons, NULL) : 0;
    if (count == 0) {
        return wk_ok;
    }
    size_t byteCount = (size_t)count * sizeof(wkLinkPair);
    wkLinkPair* pairs = (wkLinkPair*)wkAlloc(byteCount);
    if (pairs == NULL) {
        return wkFail(wk_errorMemory, "allowed pairs: no memory for %d pairs", (int)count);
    }
    listOpen(s, reasons, pairs);
    wkProgressMeter_Extend(&s->meter, (int64_t)count * WK_PROOF_STEPS);
    wkProofs proofs = {.bodySet = s->bodySet,
                       .pairs = pairs,
                       .pairCount = count,
                       .budget = sampling->proofBudget,
                       .margin = sampling->margin,
                       .seed = sampling->seed,
                       .parallel = sampling->parallel,
                       .meter = &s->meter};
    wkResult result = wkProvePairs(&proofs);
    for (int32_t i = 0; result == wk_ok && i < count; ++i) {
        keepVerdict(s, &pairs[i], reasons);
    }
    wkFree(pairs, byteCount);
    return result == wk_ok && wkProgressMeter_IsCancelled(&s->meter) ? cancelled(s) : result;
}

// Called between rounds of samples.
static void endRound(wkPairStudy* s, void* context)
{
    forOpenPairs(s, (wkAllowedReason*)context, dropDecided);
}

// Runs all steps that take time.
static wkResult settleAll(wkPairStudy* s, wkAllowedReason* reasons)
{
    if (!wkPairStudy_Sample(s, frequentCountOf(s), 1, endRound, reasons)) {
        return cancelled(s);
    }
    forOpenPairs(s, reasons, findFrequent);
    wkResult result = proveOpen(s, reasons);
    bool isOver = result != wk_ok || listOpen(s, reasons, NULL) == 0;
    int32_t sampleCount = s->sampling->sampleCount;
    if (!isOver && !wkPairStudy_Sample(s, sampleCount, LATE_CHUNK_COUNT, endRound, reasons)) {
        return cancelled(s);
    }
    if (result == wk_ok) {
        forOpenPairs(s, reasons, findNever);
    }
    return result;
}

static wkPairEvidence evidenceOf(const wkPairStudy* s, const wkAllowedReason* reasons, size_t index)
{
    wkPairEvidence evidence;
    memset(&evidence, 0, sizeof evidence);
    evidence.isProven = reasons[index] == wk_reasonProven;
    evidence.touchCount = atomic_load_explicit(&s->touchCounts[index], memory_order_relaxed);
    evidence.canTouch = evidence.touchCount > 0;
    int32_t sampled = s->sampleCounts[index];
    evidence.sampleCount = sampled < 0 ? s->doneCount : sampled;
    bool isSampled = !evidence.canTouch && evidence.sampleCount > 0;
    double share = isSampled ? wkMinD(CONFIDENCE_FACTOR / evidence.sampleCount, 1.0) : 1.0;
    evidence.missedShare = evidence.isProven ? 0.0 : share;
    return evidence;
}

// Reports the same for both orders of a pair, and nothing for a link with itself or without bodies.
static void reportEvidence(const wkPairStudy* s, const wkAllowedReason* reasons,
                           wkPairEvidence* evidence)
{
    size_t linkCount = (size_t)s->robot->info.linkCount;
    for (size_t a = 0; evidence != NULL && a < linkCount; ++a) {
        for (size_t b = 0; b < linkCount; ++b) {
            bool haveBodies = a != b && s->robot->links[a].info.bodyCount > 0 &&
                              s->robot->links[b].info.bodyCount > 0;
            wkPairEvidence none = {.missedShare = 1.0};
            size_t index = wkLinkPairIndex(s->robot, (int32_t)a, (int32_t)b);
            evidence[a * linkCount + b] = haveBodies ? evidenceOf(s, reasons, index) : none;
        }
    }
}

static void keepDescribed(wkPairStudy* s, wkAllowedReason* reasons)
{
    for (int32_t i = 0; i < s->robot->info.disabledPairCount; ++i) {
        const wkDisabledPairInfo* pair = &s->robot->disabledPairs[i];
        const wkRobotLink* links = s->robot->links;
        if (links[pair->linkA].info.bodyCount > 0 && links[pair->linkB].info.bodyCount > 0) {
            reasons[wkLinkPairIndex(s->robot, pair->linkA, pair->linkB)] = wk_reasonUser;
            wkPairStudy_Drop(s, pair->linkA, pair->linkB);
        }
    }
}

static void mirror(const wkRobot* robot, wkAllowedReason* reasons)
{
    size_t linkCount = (size_t)robot->info.linkCount;
    for (size_t a = 0; a < linkCount; ++a) {
        for (size_t b = 0; b < a; ++b) {
            reasons[a * linkCount + b] = reasons[b * linkCount + a];
        }
    }
}

static wkResult checkSampling(const wkRobot* robot, const wkAllowedRequest* sampling,
                              const wkAllowedReason* reasons)
{
    if (robot == NULL || reasons == NULL) {
        return wkFail(wk_errorArgument, "allowed pairs: %s is NULL",
                      robot == NULL ? "robot" : "reasons");
    }
    if (!WK_HAS_COOKIE(sampling, wkAllowedRequest)) {
        return WK_FAIL_COOKIE(sampling, wkAllowedRequest);
    }
    if (sampling->sampleCount < 1) {
        return wkFail(wk_errorRange, "allowed pairs: sampleCount is %d, must be at least 1",
                      (int)sampling->sampleCount);
    }
    if (sampling->proofBudget < 0) {
        return wkFail(wk_errorRange, "allowed pairs: proofBudget is %d, must be at least 0",
                      (int)sampling->proofBudget);
    }
    if (!(sampling->margin >= 0.0 && sampling->margin < INFINITY)) {
        return wkFail(wk_errorRange, "allowed pairs: margin is %g, must be at least 0 and finite",
                      sampling->margin);
    }
    if (!(sampling->alwaysShare > 0.0)) {
        return wkFail(wk_errorRange, "allowed pairs: alwaysShare is %g, must be above 0",
                      sampling->alwaysShare);
    }
    return wk_ok;
}

wkResult wkRobot_SampleAllowed(const wkRobot* robot, const wkAllowedRequest* request,
                               wkAllowedReason* reasons, wkPairEvidence* evidence)
{
    wkAllowedRequest defaultRequest = wkDefaultAllowedRequest();
    request = request != NULL ? request : &defaultRequest;
    wkResult result = checkSampling(robot, request, reasons);
    wkPairStudy s;
    result = result == wk_ok ? wkPairStudy_Open(robot, request, &s) : result;
    if (result != wk_ok) {
        return result;
    }
    memset(reasons, 0, wkLinkPairCount(robot) * sizeof *reasons);
    if (request->keepsDescribed) {
        keepDescribed(&s, reasons);
    }
    forOpenPairs(&s, reasons, findNeighbours);
    wkPairStudy_TryDefault(&s);
    forOpenPairs(&s, reasons, findDefault);
    result = settleAll(&s, reasons);
    if (result == wk_ok) {
        reportEvidence(&s, reasons, evidence);
        mirror(robot, reasons);
    } else {
        memset(reasons, 0, wkLinkPairCount(robot) * sizeof *reasons);
    }
    wkPairStudy_Close(&s);
    return result;
}
