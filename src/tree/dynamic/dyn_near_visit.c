// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Visits with a shrinking limit: hits of a ray, leaves near a box, pairs of near leaves. Depth first with
// the nearer branch first, because the sooner the limit is low the more is culled.

#include "tree/dynamic/dyn_node.h"

#define NEAR_STACK 128
#define NEAR_PAIR_STACK 512

// A visit of the leaves of a tree; queries put it first in a struct of their own.
typedef struct nearVisit {
    const wkDynNode* nodes;
    const double* limit; // re-read each time
    wkDynVisitFcn* fcn;
    void* context;
    wkFloatBox box;  // for near visits
    wkVec3d origin;  // for ray visits
    wkVec3d inverse; //
} nearVisit;

// Lower bound of the distance of the leaves below a node; infinite: none.
typedef struct nearRule {
    double (*bound)(const nearVisit* visit, const wkDynNode* node);
} nearRule;

static double boxBound(const nearVisit* visit, const wkDynNode* node)
{
    wkFloatBox box = wkDynFloatBox(node);
    return wkFloatBoxGap(&visit->box, &box);
}

static double rayBound(const nearVisit* visit, const wkDynNode* node)
{
    wkFloatBox box = wkDynFloatBox(node);
    return wkFloatBoxEntry(&box, visit->origin, visit->inverse, *visit->limit);
}

WK_FORCE_FN bool isWithin(const nearVisit* visit, double bound)
{
    return bound < INFINITY && !(bound > *visit->limit);
}

// Traverses without a stack, for trees too deep for one.
WK_FORCE_FN bool walkNear(const nearVisit* visit, nearRule rule, uint32_t top)
{
    const wkDynNode* nodes = visit->nodes;
    for (uint32_t node = top; node != WK_DYN_NONE;) {
        uint32_t link = nodes[node].link;
        bool isNear = isWithin(visit, rule.bound(visit, &nodes[node]));
        if (isNear && !wkIsDynLeaf(link)) {
            node = link;
            continue;
        }
        if (isNear && !visit->fcn(wkDynName(link), visit->context)) {
            return false;
        }
        node = wkSkipDynNode(nodes, node, top);
    }
    return true;
}

WK_FORCE_FN bool visitNear(const nearVisit* visit, nearRule rule)
{
    struct {
        uint32_t node;
        double bound;
    } stack[NEAR_STACK];
    const wkDynNode* nodes = visit->nodes;
    int count = 1;
    stack[0].node = 0;
    stack[0].bound = rule.bound(visit, &nodes[0]);
    while (count > 0) {
        uint32_t node = stack[--count].node, link = nodes[node].link;
        if (!isWithin(visit, stack[count].bound)) {
            continue;
        }
        if (wkIsDynLeaf(link)) {
            if (!visit->fcn(wkDynName(link), visit->context)) {
                return false;
            }
        } else if (WK_UNLIKELY(count + 2 > NEAR_STACK)) {
            if (!walkNear(visit, rule, node)) {
                return false;
            }
        } else {
            double first = rule.bound(visit, &nodes[link]);
            double second = rule.bound(visit, &nodes[link + 1]);
            uint32_t nearer = second < first ? 1 : 0;
            stack[count].node = link + (nearer ^ 1);
            stack[count++].bound = nearer == 0 ? second : first;
            stack[count].node = link + nearer;
            stack[count++].bound = nearer == 0 ? first : second;
        }
    }
    return true;
}

bool wkDynTree_VisitRay(const wkDynTree* tree, wkVec3d origin, wkVec3d inverseDirection,
                        const double* limit, wkDynVisitFcn* fcn, void* context)
{
    nearVisit visit = {.nodes = tree->nodes,
                       .limit = limit,
                       .fcn = fcn,
                       .context = context,
                       .origin = origin,
                       .inverse = inverseDirection};
    return tree->leafCount == 0 || visitNear(&visit, (nearRule){rayBound});
}

bool wkDynTree_VisitNear(const wkDynTree* tree, const wkFloatBox* box, const double* limit,
                         wkDynVisitFcn* fcn, void* context)
{
    nearVisit visit = {
        .nodes = tree->nodes, .limit = limit, .fcn = fcn, .context = context, .box = *box};
    return tree->leafCount == 0 || visitNear(&visit, (nearRule){boxBound});
}

// A visit of pairs of leaves, of one tree or of two.
typedef struct nearPairVisit {
    const wkDynNode* a;
    const wkDynNode* b;
    bool isSelf; // each pair of one tree once, and no leaf with itself
    const double* limit;
    wkDynPairFcn* fcn;
    void* context;
} nearPairVisit;

// One leaf of the first tree, for a visit of the second.
typedef struct nearPartner {
    const nearPairVisit* visit;
    int32_t name;
    bool isSelf; // only with names above its own: the other leaf reports the rest
} nearPartner;

static bool visitNearPartner(int32_t name, void* context)
{
    const nearPartner* p = (const nearPartner*)context;
    return (p->isSelf && name <= p->name) || p->visit->fcn(p->name, name, p->visit->context);
}

// Traverses without a stack: every leaf below `topA` by itself.
WK_APART_FN bool walkNearPairs(const nearPairVisit* visit, uint32_t topA, uint32_t topB)
{
    for (uint32_t node = topA; node != WK_DYN_NONE;) {
        uint32_t link = visit->a[node].link;
        if (!wkIsDynLeaf(link)) {
            node = link;
            continue;
        }
        nearPartner p = {visit, wkDynName(link), visit->isSelf && topA == topB};
        nearVisit one = {.nodes = visit->b,
                         .limit = visit->limit,
                         .fcn = visitNearPartner,
                         .context = &p,
                         .box = wkDynFloatBox(&visit->a[node])};
        if (!walkNear(&one, (nearRule){boxBound}, topB)) {
            return false;
        }
        node = wkSkipDynNode(visit->a, node, topA);
    }
    return true;
}

typedef struct nearPair {
    uint32_t a;
    uint32_t b;
    double bound;
} nearPair;

typedef struct nearStack {
    nearPair pairs[NEAR_PAIR_STACK];
    int count;
} nearStack;

// Pushes a pair below those above `base` that are nearer.
static void pushNear(nearStack* stack, int base, const nearPairVisit* visit, uint32_t a, uint32_t b)
{
    wkFloatBox boxA = wkDynFloatBox(&visit->a[a]), boxB = wkDynFloatBox(&visit->b[b]);
    // a node may contain any pair, the closest ones included
    bool isSame = visit->isSelf && a == b;
    nearPair pair = {a, b, isSame ? -INFINITY : wkFloatBoxGap(&boxA, &boxB)};
    int slot = stack->count++;
    for (; slot > base && stack->pairs[slot - 1].bound < pair.bound; --slot) {
        stack->pairs[slot] = stack->pairs[slot - 1];
    }
    stack->pairs[slot] = pair;
}

// Opens two nodes of which at least one is not a leaf.
static void openNear(nearStack* stack, const nearPairVisit* visit, const nearPair* pair)
{
    uint32_t linkA = visit->a[pair->a].link, linkB = visit->b[pair->b].link;
    bool isSame = visit->isSelf && pair->a == pair->b;
    uint32_t firstA = wkIsDynLeaf(linkA) ? pair->a : linkA;
    uint32_t firstB = wkIsDynLeaf(linkB) ? pair->b : linkB;
    uint32_t countA = wkIsDynLeaf(linkA) ? 1 : 2, countB = wkIsDynLeaf(linkB) ? 1 : 2;
    int base = stack->count;
    for (uint32_t i = 0; i < countA; ++i) {
        for (uint32_t k = isSame ? i : 0; k < countB; ++k) {
            pushNear(stack, base, visit, firstA + i, firstB + k);
        }
    }
}

static bool visitNearPairs(const nearPairVisit* visit)
{
    nearStack stack;
    stack.count = 0;
    pushNear(&stack, 0, visit, 0, 0);
    while (stack.count > 0) {
        nearPair pair = stack.pairs[--stack.count];
        if (pair.bound > *visit->limit) {
            continue;
        }
        uint32_t linkA = visit->a[pair.a].link, linkB = visit->b[pair.b].link;
        if (wkIsDynLeaf(linkA) && wkIsDynLeaf(linkB)) {
            bool isSame = visit->isSelf && pair.a == pair.b;
            if (!isSame && !visit->fcn(wkDynName(linkA), wkDynName(linkB), visit->context)) {
                return false;
            }
        } else if (WK_UNLIKELY(stack.count + 4 > NEAR_PAIR_STACK)) {
            if (!walkNearPairs(visit, pair.a, pair.b)) {
                return false;
            }
        } else {
            openNear(&stack, visit, &pair);
        }
    }
    return true;
}

bool wkDynTree_VisitNearPairs(const wkDynTree* tree, const double* limit, wkDynPairFcn* fcn,
                              void* context)
{
    nearPairVisit visit = {tree->nodes, tree->nodes, true, limit, fcn, context};
    return tree->leafCount < 2 || visitNearPairs(&visit);
}

bool wkDynTree_VisitNearPairsOf(const wkDynTree* a, const wkDynTree* b, const double* limit,
                                wkDynPairFcn* fcn, void* context)
{
    nearPairVisit visit = {a->nodes, b->nodes, false, limit, fcn, context};
    return a->leafCount == 0 || b->leafCount == 0 || visitNearPairs(&visit);
}
