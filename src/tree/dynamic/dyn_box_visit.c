// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Visits of leaves whose boxes overlap. Whether two boxes overlap is unpredictable, so no branch depends
// on it: every child is written to the stack, and counted only if it overlaps. A tree that is too deep for
// the stack is traversed without one, from node to node through parents.

#include "tree/dynamic/dyn_node.h"

// Exceeds the depth of any tree made by insertion and builds, see wkDynHeightLimit.
#define BOX_STACK 256
#define PAIR_STACK 512

// A visit of the leaves below a node that overlap a box.
typedef struct boxVisit {
    const wkDynNode* nodes;
    wkDynBox box;
    wkDynVisitFcn* fcn;
    void* context;
} boxVisit;

// Traverses without a stack.
WK_APART_FN bool walkBox(const boxVisit* visit, uint32_t top)
{
    const wkDynNode* nodes = visit->nodes;
    for (uint32_t node = top; node != WK_DYN_NONE;) {
        uint32_t link = nodes[node].link;
        bool meets = wkDoDynBoxesMeet(wkNodeDynBox(&nodes[node]), visit->box);
        if (meets && !wkIsDynLeaf(link)) {
            node = link;
            continue;
        }
        if (meets && !visit->fcn(wkDynName(link), visit->context)) {
            return false;
        }
        node = wkSkipDynNode(nodes, node, top);
    }
    return true;
}

// Pairs of children that are not tested yet.
typedef struct boxStack {
    uint32_t links[BOX_STACK];
    uint32_t count;
} boxStack;

// Tests one of two children.
WK_FORCE_FN bool testChild(const boxVisit* visit, const wkDynNode* node, boxStack* stack)
{
    uint32_t link = node->link, isLeaf = link >> 31;
    uint32_t meets = wkDoDynBoxesMeet(wkNodeDynBox(node), visit->box) ? 1 : 0;
    stack->links[stack->count] = link;
    stack->count += meets & ~isLeaf;
    return WK_LIKELY((meets & isLeaf) == 0) || visit->fcn(wkDynName(link), visit->context);
}

WK_FORCE_FN bool testBoth(const boxVisit* visit, uint32_t link, boxStack* stack)
{
    return testChild(visit, &visit->nodes[link + 1], stack) &&
           testChild(visit, &visit->nodes[link], stack);
}

// Visits the leaves below a node that overlaps the box. Two pairs are popped at a time, so that their
// memory accesses overlap.
static bool visitBox(const boxVisit* visit, uint32_t link)
{
    boxStack stack;
    stack.links[0] = link;
    stack.count = 1;
    while (stack.count > 0) {
        uint32_t first = stack.links[--stack.count];
        if (WK_UNLIKELY(stack.count + 4 > BOX_STACK)) {
            if (!walkBox(visit, wkDynParent(visit->nodes, first))) {
                return false;
            }
        } else if (stack.count == 0) {
            if (!testBoth(visit, first, &stack)) {
                return false;
            }
        } else {
            uint32_t second = stack.links[--stack.count];
            if (!testBoth(visit, second, &stack) || !testBoth(visit, first, &stack)) {
                return false;
            }
        }
    }
    return true;
}

static bool visitRoot(const boxVisit* visit)
{
    if (!wkDoDynBoxesMeet(wkNodeDynBox(&visit->nodes[0]), visit->box)) {
        return true;
    }
    uint32_t link = visit->nodes[0].link;
    return wkIsDynLeaf(link) ? visit->fcn(wkDynName(link), visit->context) : visitBox(visit, link);
}

bool wkDynTree_VisitBox(const wkDynTree* tree, const wkFloatBox* box, wkDynVisitFcn* fcn,
                        void* context)
{
    if (tree->leafCount == 0) {
        return true;
    }
    boxVisit visit = {tree->nodes, wkMakeDynBox(box), fcn, context};
    return visitRoot(&visit);
}

// A visit of pairs of leaves below two nodes, of one tree or of two.
typedef struct pairVisit {
    const wkDynNode* a;
    const wkDynNode* b;
    wkDynPairFcn* fcn;
    void* context;
} pairVisit;

// One leaf of the first tree, for a visit of the second.
typedef struct partner {
    const pairVisit* visit;
    int32_t name;
} partner;

static bool visitPartner(int32_t name, void* context)
{
    const partner* p = (const partner*)context;
    return p->visit->fcn(p->name, name, p->visit->context);
}

// Traverses without a stack: every leaf below `topA` by itself.
WK_APART_FN bool walkPairs(const pairVisit* visit, uint32_t topA, uint32_t topB)
{
    const wkDynNode* a = visit->a;
    for (uint32_t node = topA; node != WK_DYN_NONE;) {
        uint32_t link = a[node].link;
        if (!wkIsDynLeaf(link)) {
            node = link;
            continue;
        }
        partner p = {visit, wkDynName(link)};
        boxVisit one = {visit->b, wkNodeDynBox(&a[node]), visitPartner, &p};
        if (!walkBox(&one, topB)) {
            return false;
        }
        node = wkSkipDynNode(a, node, topA);
    }
    return true;
}

// Two nodes that overlap.
typedef struct nodePair {
    uint32_t a;
    uint32_t b;
} nodePair;

typedef struct pairStack {
    nodePair pairs[PAIR_STACK];
    uint32_t count;
} pairStack;

WK_FORCE_FN void pushIfMeeting(pairStack* stack, const pairVisit* visit, uint32_t a, uint32_t b)
{
    nodePair pair = {a, b};
    stack->pairs[stack->count] = pair;
    stack->count += wkDoDynBoxesMeet(wkNodeDynBox(&visit->a[a]), wkNodeDynBox(&visit->b[b]));
}

// Opens two nodes of which at least one is not a leaf.
WK_FORCE_FN void openPair(pairStack* stack, const pairVisit* visit, nodePair pair, uint32_t linkA,
                          uint32_t linkB)
{
    if (wkIsDynLeaf(linkA)) {
        pushIfMeeting(stack, visit, pair.a, linkB);
        pushIfMeeting(stack, visit, pair.a, linkB + 1);
    } else if (wkIsDynLeaf(linkB)) {
        pushIfMeeting(stack, visit, linkA, pair.b);
        pushIfMeeting(stack, visit, linkA + 1, pair.b);
    } else {
        pushIfMeeting(stack, visit, linkA, linkB);
        pushIfMeeting(stack, visit, linkA, linkB + 1);
        pushIfMeeting(stack, visit, linkA + 1, linkB);
        pushIfMeeting(stack, visit, linkA + 1, linkB + 1);
    }
}

static bool visitPairs(const pairVisit* visit, uint32_t a, uint32_t b)
{
    pairStack stack;
    stack.count = 0;
    pushIfMeeting(&stack, visit, a, b);
    while (stack.count > 0) {
        nodePair pair = stack.pairs[--stack.count];
        uint32_t linkA = visit->a[pair.a].link, linkB = visit->b[pair.b].link;
        if (wkIsDynLeaf(linkA) && wkIsDynLeaf(linkB)) {
            if (!visit->fcn(wkDynName(linkA), wkDynName(linkB), visit->context)) {
                return false;
            }
        } else if (WK_UNLIKELY(stack.count + 4 > PAIR_STACK)) {
            if (!walkPairs(visit, pair.a, pair.b)) {
                return false;
            }
        } else {
            openPair(&stack, visit, pair, linkA, linkB);
        }
    }
    return true;
}

// Reports a pair in reverse order.
static bool visitOther(int32_t name, void* context)
{
    const partner* p = (const partner*)context;
    return p->visit->fcn(name, p->name, p->visit->context);
}

// Visits leaves of one tree that overlap the only leaf of the other.
static bool visitSingle(const pairVisit* visit, bool isSecond)
{
    const wkDynNode* single = isSecond ? visit->b : visit->a;
    partner p = {visit, wkDynName(single->link)};
    boxVisit one = {isSecond ? visit->a : visit->b, wkNodeDynBox(single),
                    isSecond ? visitOther : visitPartner, &p};
    return visitRoot(&one);
}

bool wkDynTree_VisitPairs(const wkDynTree* tree, wkDynPairFcn* fcn, void* context)
{
    pairVisit visit = {tree->nodes, tree->nodes, fcn, context};
    // every pair of leaves is below the two children of one node; depth first, because neighbours in
    // the tree are in the cache
    for (uint32_t node = tree->leafCount > 0 ? 0 : WK_DYN_NONE; node != WK_DYN_NONE;) {
        uint32_t link = tree->nodes[node].link;
        if (wkIsDynLeaf(link)) {
            node = wkSkipDynNode(tree->nodes, node, 0);
        } else if (visitPairs(&visit, link, link + 1)) {
            node = link;
        } else {
            return false;
        }
    }
    return true;
}

bool wkDynTree_VisitPairsOf(const wkDynTree* a, const wkDynTree* b, wkDynPairFcn* fcn,
                            void* context)
{
    if (a->leafCount == 0 || b->leafCount == 0) {
        return true;
    }
    pairVisit visit = {a->nodes, b->nodes, fcn, context};
    bool isSingle = a->leafCount == 1 || b->leafCount == 1;
    return isSingle ? visitSingle(&visit, b->leafCount == 1) : visitPairs(&visit, 0, 0);
}
