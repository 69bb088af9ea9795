// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Where the search for the depth starts.

#include "solve/cover_seed.h"

// Edges that are parallel up to this squared sine have no direction across both.
#define WK_SEED_PARALLEL 1e-12

static void offer(const wkForm* form, const wkDescentStart* start, wkSeed* best)
{
    double height = wkForm_Height(form, start->direction);
    if (height < best->height) {
        best->start = *start;
        best->height = height;
    }
}

// A direction and its opposite, which is the higher one of a symmetric form on one side of `way`.
static void offerBoth(const wkForm* form, wkVec3d d, int edge0, int edge1, wkSeed* best)
{
    wkDescentStart start = {wkDot(form->way, d) > 0.0 ? wkNeg(d) : d, {edge0, edge1}};
    offer(form, &start, best);
    if (!form->isSymmetric) {
        start.direction = wkNeg(start.direction);
        offer(form, &start, best);
    }
}

void wkOfferAxes(const wkForm* form, wkSeed* best)
{
    for (int i = 0; i < form->edgeCount; ++i) {
        for (int j = i + 1; j < form->edgeCount; ++j) {
            wkVec3d across = wkCross(form->edge[i], form->edge[j]);
            double squared = wkDot(across, across);
            double lengths = form->edgeLength[i] * form->edgeLength[j];
            if (squared > WK_SEED_PARALLEL * lengths * lengths) {
                offerBoth(form, wkScale(1.0 / sqrt(squared), across), i, j, best);
            }
        }
    }
    for (int i = 0; i < form->roundCount; ++i) {
        if (form->round[i].radius > 0.0) {
            offerBoth(form, form->round[i].axis, -1, -1, best);
        }
    }
}

wkVec3d wkGuessWayOut(const wkForm* form)
{
    wkSym3d m = form->round[0].matrix;
    for (int i = 1; i < form->roundCount; ++i) {
        const wkSym3d* r = &form->round[i].matrix;
        m.xx += r->xx, m.yy += r->yy, m.zz += r->zz;
        m.xy += r->xy, m.xz += r->xz, m.yz += r->yz;
    }
    for (int i = 0; i < form->edgeCount; ++i) {
        wkVec3d e = form->edge[i];
        m.xx += e.x * e.x, m.yy += e.y * e.y, m.zz += e.z * e.z;
        m.xy += e.x * e.y, m.xz += e.x * e.z, m.yz += e.y * e.z;
    }
    wkSym3d adjugate = {m.yy * m.zz - m.yz * m.yz, m.xx * m.zz - m.xz * m.xz,
                        m.xx * m.yy - m.xy * m.xy, m.xz * m.yz - m.xy * m.zz,
                        m.xy * m.yz - m.xz * m.yy, m.xy * m.xz - m.yz * m.xx};
    return wkNormalizeOr(wkNeg(wkMulSV(&adjugate, form->way)), wkVec(0.0, 0.0, 1.0));
}
