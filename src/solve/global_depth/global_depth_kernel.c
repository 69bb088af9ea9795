// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lower bounds of a support sum over caps of directions: see direction_cap.c, but about an axis that need not
// be stationary. With w the sum of all support points at the axis n, its height H = w.n and its part T across
// n,
//
//     h(d) >= H cos e - T s + b s^2 >= H - T s + (b - H / (1 + cosine)) s^2,
//
// whose minimum over 0 <= s <= sine has a closed form. The multiplier of a kink is free in [-1, 1]: it is
// chosen proportional to the kink's value, so that kinks outside the cap keep their side and near ones blend.
// Compiled once per instruction set.

#include "solve/global_depth/global_depth_kernel.h"
#include "simd/simd_float.h"

#include <stddef.h>

wkGlobalDepthBoundFcn WK_KERNEL(wkGlobalDepthBound);

// Square of a round term's height below which its direction is lost: its bend is then ignored.
#define WK_COVER_LOST 1e-8f

typedef struct vectorF {
    wkFloatW x, y, z;
} vectorF;

// Sums over the terms.
typedef struct sums {
    vectorF w;
    wkFloatW height;
    wkFloatW xx, yy, zz, xy, xz, yz; // S
} sums;

WK_FORCE_FN vectorF splatV(const float* v)
{
    vectorF w = {wkSplatF(v[0]), wkSplatF(v[1]), wkSplatF(v[2])};
    return w;
}

WK_FORCE_FN wkFloatW dotV(vectorF a, vectorF b)
{
    return wkAddF(wkAddF(wkMulF(a.x, b.x), wkMulF(a.y, b.y)), wkMulF(a.z, b.z));
}

WK_FORCE_FN vectorF mulAddV(vectorF a, wkFloatW s, vectorF b)
{
    vectorF v = {wkAddF(a.x, wkMulF(s, b.x)), wkAddF(a.y, wkMulF(s, b.y)),
                 wkAddF(a.z, wkMulF(s, b.z))};
    return v;
}

WK_FORCE_FN wkFloatW clampOne(wkFloatW a)
{
    return wkMaxF(wkSplatF(-1.0f), wkMinF(wkSplatF(1.0f), a));
}

WK_FORCE_FN wkFloatW rootF(wkFloatW a)
{
    return wkSqrtF(wkMaxF(a, wkSplatF(0.0f)));
}

WK_FORCE_FN void addEdge(sums* s, const wkFloatSupportSum* form, int i, vectorF d,
                         wkFloatW cosecant)
{
    vectorF edge = splatV(form->edge[i]);
    wkFloatW kink = dotV(edge, d);
    wkFloatW inverse = wkMulF(wkSplatF(form->inverseLength[i]), cosecant);
    s->height = wkAddF(s->height, wkAbsF(kink));
    s->w = mulAddV(s->w, clampOne(wkMulF(kink, inverse)), edge);
}

WK_FORCE_FN void addBend(sums* s, const wkFloatRound* r, wkFloatW share, vectorF p)
{
    s->xx = wkAddF(s->xx, wkMulF(share, wkSubF(wkSplatF(r->xx), wkMulF(p.x, p.x))));
    s->yy = wkAddF(s->yy, wkMulF(share, wkSubF(wkSplatF(r->yy), wkMulF(p.y, p.y))));
    s->zz = wkAddF(s->zz, wkMulF(share, wkSubF(wkSplatF(r->zz), wkMulF(p.z, p.z))));
    s->xy = wkAddF(s->xy, wkMulF(share, wkSubF(wkSplatF(r->xy), wkMulF(p.x, p.y))));
    s->xz = wkAddF(s->xz, wkMulF(share, wkSubF(wkSplatF(r->xz), wkMulF(p.x, p.z))));
    s->yz = wkAddF(s->yz, wkMulF(share, wkSubF(wkSplatF(r->yz), wkMulF(p.y, p.z))));
}

WK_FORCE_FN void addRound(sums* s, const wkFloatRound* r, vectorF d, wkFloatW sine,
                          wkFloatW cosecant)
{
    const wkFloatW two = wkSplatF(2.0f), half = wkSplatF(0.5f);
    vectorF rowX = {wkSplatF(r->xx), wkSplatF(r->xy), wkSplatF(r->xz)};
    vectorF rowY = {wkSplatF(r->xy), wkSplatF(r->yy), wkSplatF(r->yz)};
    vectorF rowZ = {wkSplatF(r->xz), wkSplatF(r->yz), wkSplatF(r->zz)};
    vectorF q = {dotV(rowX, d), dotV(rowY, d), dotV(rowZ, d)};
    wkFloatW squared = wkMaxF(dotV(d, q), wkSplatF(WK_COVER_LOST));
    wkFloatW reach = wkSqrtF(squared), inverse = wkDivF(wkSplatF(1.0f), reach);
    vectorF p = {wkMulF(q.x, inverse), wkMulF(q.y, inverse), wkMulF(q.z, inverse)};

    wkFloatW share = wkSplatF(1.0f), top = reach;
    if (r->inverseSlope > 0.0f) {
        vectorF apex = splatV(r->apex);
        wkFloatW toApex = dotV(apex, d);
        wkFloatW kink = wkSubF(reach, wkMulF(two, toApex));
        wkFloatW side = clampOne(wkMulF(kink, wkMulF(wkSplatF(r->inverseSlope), cosecant)));
        share = wkAddF(half, wkMulF(half, side));
        top = wkMaxF(wkSubF(reach, toApex), toApex);
        s->w = mulAddV(s->w, wkSubF(wkSplatF(0.0f), side), apex);
    }
    s->height = wkAddF(s->height, top);
    s->w = mulAddV(s->w, share, p);

    wkFloatW length = dotV(p, p);
    wkFloatW trace = wkSubF(wkSplatF(r->trace), length);
    wkFloatW limit = wkAddF(reach, wkMulF(rootF(wkSubF(length, squared)), sine));
    wkFloatW doubled = wkMulF(two, limit);
    wkFloatW spread = wkMulF(trace, wkMulF(sine, sine));
    wkFloatW bend =
        wkDivF(doubled, wkAddF(wkMulF(doubled, doubled), wkMaxF(spread, wkSplatF(0.0f))));
    addBend(s, r, wkKeepGreaterF(squared, wkSplatF(WK_COVER_LOST), wkMulF(share, bend)), p);
}

// Returns the smaller eigenvalue of S across d: the third one, along d, is zero.
WK_FORCE_FN wkFloatW leastBend(const sums* s)
{
    wkFloatW trace = wkAddF(wkAddF(s->xx, s->yy), s->zz);
    wkFloatW xy = wkSubF(wkMulF(s->xx, s->yy), wkMulF(s->xy, s->xy));
    wkFloatW xz = wkSubF(wkMulF(s->xx, s->zz), wkMulF(s->xz, s->xz));
    wkFloatW yz = wkSubF(wkMulF(s->yy, s->zz), wkMulF(s->yz, s->yz));
    wkFloatW product = wkAddF(wkAddF(xy, xz), yz);
    wkFloatW spread = wkSubF(wkMulF(trace, trace), wkMulF(wkSplatF(4.0f), product));
    return wkMulF(wkSplatF(0.5f), wkSubF(trace, rootF(spread)));
}

// Adds all terms except `way`.
WK_FORCE_FN sums addTerms(const wkFloatSupportSum* form, vectorF d, wkFloatW sine,
                          wkFloatW cosecant)
{
    const wkFloatW zero = wkSplatF(0.0f);
    sums s = {{zero, zero, zero}, zero, zero, zero, zero, zero, zero, zero};
    for (int k = 0; k < form->edgeCount; ++k) {
        addEdge(&s, form, k, d, cosecant);
    }
    for (int k = 0; k < form->roundCount; ++k) {
        addRound(&s, &form->round[k], d, sine, cosecant);
    }
    return s;
}

// Returns the bound with `way` added to the sum.
WK_FORCE_FN wkFloatW boundWith(vectorF way, const sums* s, wkFloatW least, vectorF d, wkFloatW sine,
                               wkFloatW versed)
{
    vectorF w = {wkAddF(s->w.x, way.x), wkAddF(s->w.y, way.y), wkAddF(s->w.z, way.z)};
    wkFloatW along = dotV(w, d);
    wkFloatW across = rootF(wkSubF(dotV(w, w), wkMulF(along, along)));
    wkFloatW bend = wkSubF(least, wkMulF(along, versed));
    wkFloatW steep = wkMaxF(wkMulF(wkSplatF(2.0f), bend), wkSplatF(1e-20f));
    wkFloatW at = wkMinF(sine, wkDivF(across, steep));
    return wkAddF(along, wkMulF(at, wkSubF(wkMulF(bend, at), across)));
}

WK_FORCE_FN void boundLanes(const wkFloatSupportSum* form, const wkFloatCaps* caps, int i,
                            wkFloatBounds* out, wkFloatBounds* opposite)
{
    const wkFloatW zero = wkSplatF(0.0f);
    vectorF d = {wkLoadF(caps->x + i), wkLoadF(caps->y + i), wkLoadF(caps->z + i)};
    wkFloatW sine = wkLoadF(caps->sine + i), versed = wkLoadF(caps->versed + i);
    sums s = addTerms(form, d, sine, wkLoadF(caps->cosecant + i));
    wkFloatW least = leastBend(&s);
    vectorF way = splatV(form->way);
    wkFloatW along = dotV(way, d);
    wkStoreF(out->bound + i, boundWith(way, &s, least, d, sine, versed));
    wkStoreF(out->height + i, wkAddF(s.height, along));
    if (opposite != NULL) {
        vectorF back = {wkSubF(zero, way.x), wkSubF(zero, way.y), wkSubF(zero, way.z)};
        wkStoreF(opposite->bound + i, boundWith(back, &s, least, d, sine, versed));
        wkStoreF(opposite->height + i, wkSubF(s.height, along));
    }
}

void WK_KERNEL(wkGlobalDepthBound)(const wkFloatSupportSum* form, const wkFloatCaps* caps,
                                   int count, wkFloatBounds* out, wkFloatBounds* opposite)
{
    for (int i = 0; i < count; i += WK_FLOAT_LANES) {
        boundLanes(form, caps, i, out, opposite);
    }
}
