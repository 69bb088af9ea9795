// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A form in single precision, and the lane function of this machine.

#include "solve/cover_lanes.h"

#include "base/lanes.h"

WK_DEFINE_LANES(wkCoverBoundFcn, wkCoverBound)

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

void wkNarrowForm(const wkForm* form, wkFloatForm* out)
{
    double scale = 1.0 / form->scale;
    out->edgeCount = form->edgeCount;
    out->roundCount = form->roundCount;
    narrow(form->way, scale, out->way);
    for (int i = 0; i < form->edgeCount; ++i) {
        narrow(form->edge[i], scale, out->edge[i]);
        out->inverseLength[i] = (float)(form->scale / form->edgeLength[i]);
    }
    for (int i = 0; i < form->roundCount; ++i) {
        narrowRound(&form->round[i], scale, &out->round[i]);
    }
}
