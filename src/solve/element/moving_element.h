// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Two moving elements as one function of time and of two weights: the difference of a point on A and a point on B,
//
//     F(t, u, w) = base(t) + u U(t) + w W(t),
//
// with base, U and W linear in t. They touch where F is zero. F is affine in each of its three parameters, so that in
// a cell [t0, t1] x [u0, u1] x [w0, w1] it stays in the convex hull of its values at the eight vertices.

#include "math/double_double.h"
#include "whisker/element_cast.h"

// Parameters of F.
enum {
    WK_ELEMENT_T,
    WK_ELEMENT_U,
    WK_ELEMENT_W,
    WK_ELEMENT_PARAMETERS
};

// Bound on the rounding of each coordinate of F, where the largest coordinate of base, U and W is below 1. In units
// u = 2^-53: the differences 1, their values at t 3, both for three terms with weights up to 1; products and sums 8;
// the scalar product with a direction 9, whose coordinates add up to 1. Less than 32 in total, doubled.
#define WK_ELEMENT_NOISE 0x1p-47

// The same with double-double numbers, whose unit is 2^-104.
#define WK_ELEMENT_FINE_NOISE 0x1p-96

typedef struct wkMovingElement {
    wkVec3d base[2]; // at t = 0 and t = 1, in scaled units
    wkVec3d u[2];
    wkVec3d w[2];
    wkDdVec fineBase[2]; // the same without rounding; valid when `isFine`
    wkDdVec fineU[2];
    wkDdVec fineW[2];
    double noise;    // of each coordinate of F
    int exponent;    // a scaled unit is 2^exponent metres
    bool isTriangle; // weights are those with u + w <= 1; otherwise both are up to 1
    bool isFine;     // F is computed with double-double numbers
} wkMovingElement;

// A box of parameters, inside [0, 1]^3.
typedef struct wkElementCell {
    double lower[WK_ELEMENT_PARAMETERS];
    double upper[WK_ELEMENT_PARAMETERS];
} wkElementCell;

// Which points make the difference: from `a` along the edge to `aU` with weight u, and from `b` along the edges to
// `bU` and `bW`. An edge from a point to itself is none.
typedef struct wkElementRow {
    const char* name;
    int a, aU;
    int b, bU, bW;
    bool isTriangle;
} wkElementRow;

// By wkElementKind.
extern const wkElementRow wkElementTable[];

// Prepares the function of a pair of elements with finite coordinates.
void wkPrepareElement(wkElementKind kind, const wkVec3d start[4], const wkVec3d end[4],
                      wkMovingElement* element);

// Computes F with double-double numbers from now on.
void wkRefineElement(wkElementKind kind, const wkVec3d start[4], const wkVec3d end[4],
                     wkMovingElement* element);

// Shrinks a cell around the zeros of F in it.
// @param spread receives how far F extends in the cell along each parameter
// @return false: there are none, for certain
bool wkClipElementCell(const wkMovingElement* element, wkElementCell* cell,
                       double spread[WK_ELEMENT_PARAMETERS]);

// Proves that F has a zero in a cell.
bool wkHoldsContact(const wkMovingElement* element, const wkElementCell* cell);

// Values of base, U and W at an instant.
typedef struct wkElementTerms {
    wkVec3d base;
    wkVec3d u;
    wkVec3d w;
} wkElementTerms;

WK_FN wkVec3d wkElementLerp(const wkVec3d ends[2], double t)
{
    return wkMulAdd(wkScale(1.0 - t, ends[0]), t, ends[1]);
}

WK_FN wkElementTerms wkElementTermsAt(const wkMovingElement* element, double t)
{
    wkElementTerms terms = {wkElementLerp(element->base, t), wkElementLerp(element->u, t),
                            wkElementLerp(element->w, t)};
    return terms;
}

// The difference of A and B for weights of known terms, in doubles.
WK_FN wkVec3d wkElementGap(const wkElementTerms* terms, double u, double w)
{
    return wkMulAdd(wkMulAdd(terms->base, u, terms->u), w, terms->w);
}

WK_FN wkDdVec wkFineLerp(const wkDdVec ends[2], double t)
{
    wkDoubleDouble share = {t, 0.0};
    return wkDdVecAdd(wkDdScale(wkDdSum(1.0, -t), ends[0]), wkDdScale(share, ends[1]));
}

// F without the rounding of doubles; for fine elements.
WK_FN wkDdVec wkFineGap(const wkMovingElement* element, double t, double u, double w)
{
    wkDoubleDouble shareU = {u, 0.0}, shareW = {w, 0.0};
    wkDdVec onU = wkDdScale(shareU, wkFineLerp(element->fineU, t));
    wkDdVec onW = wkDdScale(shareW, wkFineLerp(element->fineW, t));
    return wkDdVecAdd(wkDdVecAdd(wkFineLerp(element->fineBase, t), onU), onW);
}
