// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Start directions of the global depth search.

#include "solve/global_depth/global_depth_start.h"

// Edges that are parallel up to this squared sine have no common perpendicular direction.
#define WK_SEED_PARALLEL 1e-12

static void offer(const wkSupportSum* supportSum, const wkDescentStart* start, wkSeed* best)
{
    double height = wkSupportSum_Height(supportSum, start->direction);
    if (height < best->height) {
        best->start = *start;
        best->height = height;
    }
}

// Offers a direction or its opposite, whichever `way` makes lower; both for a sum that is not symmetric.
static void offerBoth(const wkSupportSum* supportSum, wkVec3d d, int edge0, int edge1, wkSeed* best)
{
    wkDescentStart start = {wkDot(supportSum->way, d) > 0.0 ? wkNeg(d) : d, {edge0, edge1}};
    offer(supportSum, &start, best);
    if (!supportSum->isSymmetric) {
        start.direction = wkNeg(start.direction);
        offer(supportSum, &start, best);
    }
}

void wkOfferAxes(const wkSupportSum* supportSum, wkSeed* best)
{
    for (int i = 0; i < supportSum->edgeCount; ++i) {
        for (int j = i + 1; j < supportSum->edgeCount; ++j) {
            wkVec3d across = wkCross(supportSum->edge[i], supportSum->edge[j]);
            double squared = wkDot(across, across);
            double lengths = supportSum->edgeLength[i] * supportSum->edgeLength[j];
            if (squared > WK_SEED_PARALLEL * lengths * lengths) {
                offerBoth(supportSum, wkScale(1.0 / sqrt(squared), across), i, j, best);
            }
        }
    }
    for (int i = 0; i < supportSum->roundCount; ++i) {
        if (supportSum->round[i].radius > 0.0) {
            offerBoth(supportSum, supportSum->round[i].axis, -1, -1, best);
        }
    }
}

wkVec3d wkGuessWayOut(const wkSupportSum* supportSum)
{
    wkSym3d m = supportSum->round[0].matrix;
    for (int i = 1; i < supportSum->roundCount; ++i) {
        const wkSym3d* r = &supportSum->round[i].matrix;
        m.xx += r->xx, m.yy += r->yy, m.zz += r->zz;
        m.xy += r->xy, m.xz += r->xz, m.yz += r->yz;
    }
    for (int i = 0; i < supportSum->edgeCount; ++i) {
        wkVec3d e = supportSum->edge[i];
        m.xx += e.x * e.x, m.yy += e.y * e.y, m.zz += e.z * e.z;
        m.xy += e.x * e.y, m.xz += e.x * e.z, m.yz += e.y * e.z;
    }
    wkSym3d adjugate = {m.yy * m.zz - m.yz * m.yz, m.xx * m.zz - m.xz * m.xz,
                        m.xx * m.yy - m.xy * m.xy, m.xz * m.yz - m.xy * m.zz,
                        m.xy * m.yz - m.xz * m.yy, m.xy * m.xz - m.yz * m.xx};
    return wkNormalizeOr(wkNeg(wkMulSV(&adjugate, supportSum->way)), wkVec(0.0, 0.0, 1.0));
}
