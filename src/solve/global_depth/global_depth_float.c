// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A support sum in single precision, and the SIMD kernel of this machine.

#include "solve/global_depth/global_depth_kernel.h"

#include "base/isa_table.h"

WK_DEFINE_LANES(wkGlobalDepthBoundFcn, wkGlobalDepthBound)

static void narrow(wkVec3d v, double scale, float out[3])
{
    out[0] = (float)(scale * v.x), out[1] = (float)(scale * v.y), out[2] = (float)(scale * v.z);
}

static void narrowRound(const wkRoundTerm* round, double scale, wkFloatRound* out)
{
    const wkSym3d* m = &round->matrix;
    double squared = scale * scale;
    out->xx = (float)(squared * m->xx), out->yy = (float)(squared * m->yy);
    out->zz = (float)(squared * m->zz), out->xy = (float)(squared * m->xy);
    out->xz = (float)(squared * m->xz), out->yz = (float)(squared * m->yz);
    out->trace = out->xx + out->yy + out->zz;
    narrow(round->apex, scale, out->apex);
    double slope = sqrt(round->radius * round->radius + 4.0 * wkDot(round->apex, round->apex));
    out->inverseSlope = round->isCone ? (float)(1.0 / (scale * slope)) : 0.0f;
}

void wkNarrowSupportSum(const wkSupportSum* supportSum, wkFloatSupportSum* out)
{
    double scale = 1.0 / supportSum->scale;
    out->edgeCount = supportSum->edgeCount;
    out->roundCount = supportSum->roundCount;
    narrow(supportSum->way, scale, out->way);
    for (int i = 0; i < supportSum->edgeCount; ++i) {
        narrow(supportSum->edge[i], scale, out->edge[i]);
        out->inverseLength[i] = (float)(supportSum->scale / supportSum->edgeLength[i]);
    }
    for (int i = 0; i < supportSum->roundCount; ++i) {
        narrowRound(&supportSum->round[i], scale, &out->round[i]);
    }
}
