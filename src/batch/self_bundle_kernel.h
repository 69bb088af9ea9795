// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Checks bundles of pairs of parts by convex pieces, in lanes: see self_table.h. Boxes around all pieces of a bundle
// rule most rows out. The others are packed, and go through boxes around parts, spheres inside the bodies, which
// find contacts, and the pieces. Lanes hold configurations. Inline, for SIMD files.

#include "batch/self_map_kernel.h"
#include "batch/self_piece_kernel.h"

// The frames of the two parts of a pair, in lanes.
typedef struct wkPairFramesW {
    wkFrameW a, b;
} wkPairFramesW;

// The convex pieces of a part of a pair.
WK_FORCE_FN wkPiecesW wkPiecesOf(const wkBlockRun* run, int32_t number, int side,
                                 const wkFrameW* frame)
{
    wkPartPair pair = run->program->pairs[number];
    wkPiecesW pieces = {
        wkPiecesOfPair(run->batch->selfTables, number, side, side == 0 ? pair.a : pair.b), frame};
    return pieces;
}

// Lanes in which spheres inside the bodies of two parts overlap.
WK_FORCE_FN unsigned wkOverlapInside(const wkBlockRun* run, int32_t number, const wkFrameW* frameA,
                                     const wkFrameW* frameB, unsigned lanes)
{
    const wkProgram* program = run->program;
    const wkInnerPairs* inner = &run->batch->selfTables->inner[number];
    const float* radii = run->batch->innerRadii;
    wkFloatW most = wkSplatF(-1.0f), margin = wkSplatF(run->batch->margin);
    for (int32_t i = 0; i < inner->count; ++i) {
        int32_t a = inner->spheres[i][0], b = inner->spheres[i][1];
        wkVecW centerA = wkPlacePoint(frameA, 7, program->x[a], program->y[a], program->z[a]);
        wkVecW centerB = wkPlacePoint(frameB, 7, program->x[b], program->y[b], program->z[b]);
        most = wkMaxF(most, wkOverlap(centerA, centerB, radii[a] + radii[b], margin));
    }
    return wkOverlapBits(most) & lanes;
}

// Returns the lanes in which the boxes of a bundle are not proven apart.
WK_FORCE_FN unsigned wkNearBundle(const wkBlockRun* run, const wkPairBundle* bundle,
                                  const wkPairFramesW* frames, unsigned lanes)
{
    const wkPieceBox *boxA = &bundle->boxes[0], *boxB = &bundle->boxes[1];
    wkVecW centerA = wkPlacePoint(&frames->a, 7, boxA->x, boxA->y, boxA->z);
    wkVecW centerB = wkPlacePoint(&frames->b, 7, boxB->x, boxB->y, boxB->z);
    lanes &=
        wkOverlapBits(wkOverlap(centerA, centerB, bundle->radius, wkSplatF(run->batch->margin)));
    if (lanes != 0) {
        wkCosinesW cosines = wkFindCosines(&frames->a, &frames->b);
        lanes &= wkNearBoxes(&frames->a, boxA, &frames->b, boxB, &cosines,
                             bundle->inflation + run->batch->margin);
    }
    return lanes;
}

// Packs the rows in which the boxes of a bundle are not proven apart.
WK_FORCE_FN void wkPackBundle(wkBlockRun* run, const wkPairBundle* bundle)
{
    const wkProgram* program = run->program;
    int32_t pair = run->batch->selfTables->bundlePairs[bundle->first];
    bool isMapped = run->batch->selfTables->mapOfPair[pair] >= 0;
    for (int32_t group = 0; group < run->groupCount; ++group) {
        unsigned lanes = isMapped ? wkUnmappedLanes(run, pair, group) : run->live[group];
        if (lanes == 0) {
            continue;
        }
        const float* scratch = wkGroupScratch(run, group);
        wkPairFramesW frames = {wkFrameOf(program, bundle->groups[0], scratch),
                                wkFrameOf(program, bundle->groups[1], scratch)};
        lanes = wkNearBundle(run, bundle, &frames, lanes);
        if (lanes != 0) {
            wkPackFrame(run, &frames.a, lanes, 0);
            wkPackFrame(run, &frames.b, lanes, WK_FRAME_NUMBERS);
            wkPackRows(run, group, lanes);
        }
    }
}

// Decides about a pair by convex pieces, and by spheres inside the bodies, which find most of the rows that touch.
// @return those of the lanes that touch
WK_FORCE_FN unsigned wkSeparateParts(const wkBlockRun* run, int32_t number,
                                     const wkPairFramesW* frames, const wkCosinesW* cosines,
                                     unsigned lanes)
{
    wkPiecesW a = wkPiecesOf(run, number, 0, &frames->a);
    wkPiecesW b = wkPiecesOf(run, number, 1, &frames->b);
    float margin = run->batch->margin;
    lanes &= wkNearBoxes(&frames->a, &a.pieces->box, &frames->b, &b.pieces->box, cosines,
                         a.pieces->inflation + b.pieces->inflation + margin);
    if (lanes == 0) {
        return 0;
    }
    unsigned touching = wkOverlapInside(run, number, &frames->a, &frames->b, lanes);
    unsigned left = lanes & ~touching;
    const wkPairPlane* plane = &run->batch->selfTables->planes[number];
    if (left != 0 && plane->isUsed) {
        left &= ~wkSeparateByPlane(plane, &a, &b, margin);
    }
    if (left != 0) {
        touching |= left & ~wkArePiecesApart(&a, &b, cosines, margin, left);
    }
    return touching;
}

// Checks the pairs of a bundle.
WK_APART_FN void wkCheckBundle(wkBlockRun* run, const wkPairBundle* bundle)
{
    const int32_t* pairs = run->batch->selfTables->bundlePairs + bundle->first;
    wkPackBundle(run, bundle);
    for (int32_t at = 0; at < run->packedCount; at += WK_FLOAT_LANES) {
        wkRowsW rows = wkPackedRows(run, at);
        wkPairFramesW frames = {wkUnpackFrame(run, at, 0),
                                wkUnpackFrame(run, at, WK_FRAME_NUMBERS)};
        wkCosinesW cosines = wkFindCosines(&frames.a, &frames.b);
        unsigned left = rows.lanes;
        for (int32_t i = 0; i < bundle->count && left != 0; ++i) {
            left &= ~wkSeparateParts(run, pairs[i], &frames, &cosines, left);
        }
        wkSettleLanes(run, rows.lanes & ~left, &rows, wk_verdictSelf);
    }
    run->packedCount = 0;
}
