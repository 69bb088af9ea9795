// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Proves that pairs of links never touch, or finds a configuration in which they do. A short search proves
// pairs that are far apart, descents find most of those that touch, and a long search is left for the
// others.

#include "robot/allowed_prove.h"

#include "base/error.h"
#include "base/memory.h"
#include "base/random.h"

#include "whisker/detail/library.h"

#include <stdatomic.h>
#include <string.h>

// Maximum number of threads.
#define WORKER_COUNT 32
// Tests in the short search.
#define SHORT_BUDGET 256
// With at most this many variables the budget is larger, by the factor below.
#define FEW_VARIABLES 2
#define FEW_FACTOR 16
// Descents for two bodies.
#define START_COUNT 16

typedef struct worker {
    double* q;
    wkChainBox* stack;
} worker;

typedef struct proofRun {
    const wkProofs* proofs;
    worker workers[WORKER_COUNT];
    atomic_int next; // first pair that no worker has taken
} proofRun;

static size_t valueBytes(const wkProofs* proofs)
{
    return ((size_t)proofs->bodySet->robot->info.variableCount + 1) * sizeof(double);
}

static void closeRun(proofRun* run)
{
    for (int i = 0; i < WORKER_COUNT; ++i) {
        wkFree(run->workers[i].q, valueBytes(run->proofs));
        wkFree(run->workers[i].stack, WK_CHAIN_BOXES * sizeof(wkChainBox));
    }
}

static wkResult openRun(const wkProofs* proofs, proofRun* run)
{
    memset(run, 0, sizeof *run);
    run->proofs = proofs;
    atomic_init(&run->next, 0);
    for (int i = 0; i < WORKER_COUNT; ++i) {
        worker* one = &run->workers[i];
        one->q = (double*)wkAlloc(valueBytes(proofs));
        one->stack = (wkChainBox*)wkAlloc(WK_CHAIN_BOXES * sizeof(wkChainBox));
        if (one->q == NULL || one->stack == NULL) {
            closeRun(run);
            return wkFail(wk_errorMemory, "allowed pairs: no memory to prove %d pairs",
                          (int)proofs->pairCount);
        }
        memset(one->q, 0, valueBytes(proofs));
    }
    return wk_ok;
}

// Decides about two bodies. Without a long search hard pairs stay open.
static wkChainVerdict settleBodies(const wkChainPair* pair, uint64_t seed, int32_t* budget)
{
    int32_t shortBudget = *budget < SHORT_BUDGET ? *budget : SHORT_BUDGET;
    wkChainVerdict verdict = wkSearchChain(pair, &shortBudget);
    if (verdict == wk_chainOpen && wkDescendChain(pair, seed, START_COUNT)) {
        verdict = wk_chainTouching;
    }
    return verdict == wk_chainOpen ? wkSearchChain(pair, budget) : verdict;
}

// Few variables are worth more tests: the search terminates, and the links are often so near to each
// other that samples would cost as much.
static int32_t budgetOf(const wkProofs* proofs, const wkChain* chain)
{
    int64_t budget = proofs->budget;
    budget *= chain->variableCount <= FEW_VARIABLES ? FEW_FACTOR : 1;
    return budget < INT32_MAX ? (int32_t)budget : INT32_MAX;
}

// Decides about all bodies of one link against all of the other.
static wkChainVerdict settleLinks(const wkProofs* proofs, const worker* one, int32_t index)
{
    const wkBodySet* bodySet = proofs->bodySet;
    const wkLinkPair* links = &proofs->pairs[index];
    const wkLinkInfo* a = &bodySet->robot->links[links->linkA].info;
    const wkLinkInfo* b = &bodySet->robot->links[links->linkB].info;
    wkChain chain;
    if (!wkChain_Find(bodySet->robot, bodySet->bodies[a->firstBody].rigidGroup,
                      bodySet->bodies[b->firstBody].rigidGroup, &chain)) {
        return wk_chainOpen;
    }
    wkChainPair pair = {
        .chain = &chain, .margin = proofs->margin, .q = one->q, .stack = one->stack};
    wkChainVerdict verdict = wk_chainApart;
    int32_t budget = budgetOf(proofs, &chain);
    uint64_t seed = wkMixBits(proofs->seed + WK_GOLDEN_STEP * ((uint64_t)index + 1));
    for (int32_t i = a->firstBody; i < a->firstBody + a->bodyCount; ++i) {
        for (int32_t k = b->firstBody; k < b->firstBody + b->bodyCount; ++k) {
            pair.a = &bodySet->bodies[i];
            pair.b = &bodySet->bodies[k];
            if (pair.a->isEmpty || pair.b->isEmpty) {
                continue;
            }
            wkChainVerdict found = settleBodies(&pair, wkNextBits(&seed), &budget);
            if (found == wk_chainTouching) {
                return found;
            }
            // one open pair leaves the links open, so long searches are of no use any more
            verdict = found == wk_chainOpen ? found : verdict;
            budget = verdict == wk_chainOpen && budget > SHORT_BUDGET ? SHORT_BUDGET : budget;
        }
    }
    return verdict;
}

static void settleSome(void* context, int32_t task)
{
    proofRun* run = (proofRun*)context;
    const wkProofs* proofs = run->proofs;
    while (wkProgressMeter_Add(proofs->meter, 0)) {
        int32_t index = atomic_fetch_add_explicit(&run->next, 1, memory_order_relaxed);
        if (index >= proofs->pairCount) {
            return;
        }
        proofs->pairs[index].verdict = settleLinks(proofs, &run->workers[task], index);
        wkProgressMeter_Add(proofs->meter, WK_PROOF_STEPS);
    }
}

wkResult wkProvePairs(const wkProofs* proofs)
{
    proofRun run;
    wkResult result = openRun(proofs, &run);
    if (result == wk_ok) {
        wkRunTasks(proofs->parallel, settleSome, &run, WORKER_COUNT);
        closeRun(&run);
    }
    return result;
}
