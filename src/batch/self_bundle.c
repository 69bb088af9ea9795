// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bundles of pairs of parts that use convex pieces. A gripper has many links that do not move relative to each
// other: one test of boxes rules all of them out, and their rows are packed once.

#include "batch/batch_impl.h"
#include "math/round.h"
#include "math/vec.h"

// Share of rounding of a sum of radii.
#define RADIUS_SHARE (1.0 + 0x1p-20)

// The first rigid groups of the parts of a pair, and the map that the pair has.
typedef struct bundleKey {
    int32_t groups[2];
    int32_t map;
} bundleKey;

static bundleKey keyOf(const wkBatch* batch, int32_t pair)
{
    const wkPart* parts = batch->program->parts;
    wkPartPair both = batch->program->pairs[pair];
    bundleKey key = {{parts[both.a].rigidGroup, parts[both.b].rigidGroup},
                     batch->selfTables->mapOfPair[pair]};
    return key;
}

static bool areSame(const bundleKey* a, const bundleKey* b)
{
    return a->groups[0] == b->groups[0] && a->groups[1] == b->groups[1] && a->map == b->map;
}

// Enlarges a box by another one, along one axis.
static void joinAlong(float* center, float* half, float otherCenter, float otherHalf)
{
    double lower = wkMinD((double)*center - (double)*half, (double)otherCenter - (double)otherHalf);
    double upper = wkMaxD((double)*center + (double)*half, (double)otherCenter + (double)otherHalf);
    *center = (float)(0.5 * (lower + upper));
    *half = wkRoundUp(wkMaxD(upper - (double)*center, (double)*center - lower));
}

static void joinBox(wkPieceBox* box, const wkPieceBox* other)
{
    joinAlong(&box->x, &box->half[0], other->x, other->half[0]);
    joinAlong(&box->y, &box->half[1], other->y, other->half[1]);
    joinAlong(&box->z, &box->half[2], other->z, other->half[2]);
}

static double radiusOf(const wkPieceBox* box)
{
    return wkLength(wkVec((double)box->half[0], (double)box->half[1], (double)box->half[2]));
}

// Sets the boxes of a bundle from those of its pairs.
static void setBoxes(const wkBatch* batch, wkPairBundle* bundle)
{
    const wkSelfTables* tables = batch->selfTables;
    double largest[2] = {0.0, 0.0};
    for (int32_t i = 0; i < bundle->count; ++i) {
        int32_t pair = tables->bundlePairs[bundle->first + i];
        wkPartPair parts = batch->program->pairs[pair];
        for (int side = 0; side < 2; ++side) {
            const wkPartPieces* pieces =
                wkPiecesOfPair(tables, pair, side, side == 0 ? parts.a : parts.b);
            if (i == 0) {
                bundle->boxes[side] = pieces->box;
            } else {
                joinBox(&bundle->boxes[side], &pieces->box);
            }
            largest[side] = wkMaxD(largest[side], (double)pieces->inflation);
        }
    }
    double inflation = largest[0] + largest[1];
    double radii = radiusOf(&bundle->boxes[0]) + radiusOf(&bundle->boxes[1]);
    bundle->inflation = wkRoundUp(inflation);
    bundle->radius = wkRoundUp((radii + 2.0 * inflation) * RADIUS_SHARE);
}

void wkBundlePairs(wkBatch* batch)
{
    wkSelfTables* tables = batch->selfTables;
    int32_t liveCount = batch->contacts->liveCount, pairCount = 0;
    tables->bundleCount = 0;
    for (int32_t i = 0; i < liveCount; ++i) {
        bundleKey key = keyOf(batch, tables->order[i]);
        wkPairBundle bundle = {.first = pairCount, .groups = {key.groups[0], key.groups[1]}};
        // pairs before that have the same key are in a bundle already
        bool isNew = tables->usesPieces[tables->order[i]];
        for (int32_t k = 0; k < i && isNew; ++k) {
            bundleKey other = keyOf(batch, tables->order[k]);
            isNew = !(tables->usesPieces[tables->order[k]] && areSame(&key, &other));
        }
        for (int32_t k = i; k < liveCount && isNew; ++k) {
            bundleKey other = keyOf(batch, tables->order[k]);
            if (tables->usesPieces[tables->order[k]] && areSame(&key, &other)) {
                tables->bundlePairs[pairCount++] = tables->order[k];
                ++bundle.count;
            }
        }
        if (isNew) {
            setBoxes(batch, &bundle);
            tables->bundles[tables->bundleCount++] = bundle;
        }
    }
}
