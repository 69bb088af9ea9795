// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bodies of a body set that are near each other, in the order in which they are best checked.

#include "bv/float_box.h"
#include "robot/body_kernel.h"

// Pairs that are stored at a time.
#define PAIR_CAPACITY 128
// Pairs that the kernel returns at a time when the nearest of all are kept.
#define BATCH_CAPACITY 64

// Orders pairs by gap, and pairs of equal gaps by their numbers.
static bool isBefore(const wkBodyPair* x, const wkBodyPair* y)
{
    if (x->gap != y->gap) {
        return x->gap < y->gap;
    }
    return x->a != y->a ? x->a < y->a : x->b < y->b;
}

// A heap with the last pair of the order on top.
typedef struct pairHeap {
    wkBodyPair pairs[PAIR_CAPACITY];
    int32_t count;
} pairHeap;

// Replaces the top by a pair and sifts it down.
static void sink(wkBodyPair* pairs, int32_t count, wkBodyPair pair)
{
    int32_t at = 0;
    for (int32_t child = 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && isBefore(&pairs[child], &pairs[child + 1]);
        if (!isBefore(&pair, &pairs[child])) {
            break;
        }
        pairs[at] = pairs[child];
        at = child;
    }
    pairs[at] = pair;
}

static void push(pairHeap* heap, wkBodyPair pair)
{
    int32_t at = heap->count++;
    for (; at > 0 && isBefore(&heap->pairs[(at - 1) / 2], &pair); at = (at - 1) / 2) {
        heap->pairs[at] = heap->pairs[(at - 1) / 2];
    }
    heap->pairs[at] = pair;
}

// Sorts into ascending order.
static void sortHeap(pairHeap* heap)
{
    for (int32_t count = heap->count; count > 1; --count) {
        wkBodyPair last = heap->pairs[0];
        sink(heap->pairs, count - 1, heap->pairs[count - 1]);
        heap->pairs[count - 1] = last;
    }
}

static void sortPairs(wkBodyPair* pairs, int32_t count)
{
    for (int32_t i = 1; i < count; ++i) {
        wkBodyPair pair = pairs[i];
        int32_t at = i;
        for (; at > 0 && isBefore(&pair, &pairs[at - 1]); --at) {
            pairs[at] = pairs[at - 1];
        }
        pairs[at] = pair;
    }
}

// Visits deep overlaps first: the deeper boxes overlap, the more likely their bodies touch.
bool wkVisitBodyPairsWith(const wkBodyKernels* lanes, const wkBodySet* bodySet,
                          const wkBodyBoxes* placed, double margin, const float* reach,
                          wkBodyPairFcn* fcn, void* context)
{
    wkBodyPair pairs[PAIR_CAPACITY];
    wkBodyPairCursor cursor = {0, 0};
    while (cursor.a < bodySet->count) {
        int32_t count =
            lanes->findMeeting(bodySet, placed, margin, reach, &cursor, pairs, PAIR_CAPACITY);
        sortPairs(pairs, count);
        for (int32_t i = 0; i < count; ++i) {
            if (!fcn(pairs[i].a, pairs[i].b, context)) {
                return false;
            }
        }
    }
    return true;
}

bool wkVisitBodyPairs(const wkBodySet* bodySet, const wkRobotState* state, double margin,
                      const float* reach, wkBodyPairFcn* fcn, void* context)
{
    return wkVisitBodyPairsWith(wkBodyKernelsOfMachine(), bodySet, &state->placed,
                                wkPositive(margin), reach, fcn, context);
}

// Collects the nearest pairs behind `last`, up to the capacity.
// @return whether there may be more
static bool collectNear(const wkBodyKernels* lanes, const wkBodySet* bodySet,
                        const wkBodyBoxes* placed, double limit, const wkBodyPair* last,
                        pairHeap* heap)
{
    wkBodyPair batch[BATCH_CAPACITY];
    wkBodyPairCursor cursor = {0, 0};
    float within = wkFloatAbove(limit);
    bool isCut = false;
    heap->count = 0;
    while (cursor.a < bodySet->count) {
        int32_t count = lanes->findNear(bodySet, placed, within, &cursor, batch, BATCH_CAPACITY);
        for (int32_t i = 0; i < count; ++i) {
            if (last != NULL && !isBefore(last, &batch[i])) {
                continue;
            }
            if (heap->count < PAIR_CAPACITY) {
                push(heap, batch[i]);
                continue;
            }
            isCut = true;
            if (isBefore(&batch[i], &heap->pairs[0])) {
                sink(heap->pairs, heap->count, batch[i]);
            }
            within = heap->pairs[0].gap;
        }
    }
    sortHeap(heap);
    return isCut;
}

bool wkVisitNearBodyPairsWith(const wkBodyKernels* lanes, const wkBodySet* bodySet,
                              const wkBodyBoxes* placed, const double* limit, wkBodyPairFcn* fcn,
                              void* context)
{
    pairHeap heap;
    wkBodyPair last;
    bool isLeft = true;
    for (const wkBodyPair* behind = NULL; isLeft; behind = &last) {
        isLeft = collectNear(lanes, bodySet, placed, *limit, behind, &heap);
        for (int32_t i = 0; i < heap.count; ++i) {
            if ((double)heap.pairs[i].gap > *limit) {
                return true;
            }
            if (!fcn(heap.pairs[i].a, heap.pairs[i].b, context)) {
                return false;
            }
        }
        last = heap.pairs[heap.count > 0 ? heap.count - 1 : 0];
    }
    return true;
}

bool wkVisitNearBodyPairs(const wkBodySet* bodySet, const wkRobotState* state, const double* limit,
                          wkBodyPairFcn* fcn, void* context)
{
    return wkVisitNearBodyPairsWith(wkBodyKernelsOfMachine(), bodySet, &state->placed, limit, fcn,
                                    context);
}
