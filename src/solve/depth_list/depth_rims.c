// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two rims. A smooth minimum of the depth over the normals of both is a minimum of the distance between
// circle i about the origin and circle j negated about p, with x = p - radiusJ uj(angle) its point. The
// nearest point of circle i is known, which leaves a function of one angle,
//
//     f = x.z x.z + (radiusI - rho)^2,    rho = |(x.x, x.y)|,
//
// and the depth is its root. A normal of rim i points out of the circle and to its side of the plane: rho <=
// radiusI and side x.z <= 0; and y >= 0 restricts it to half a circle with x.y >= 0.
//
// That leaves an interval of angles, which is bisected until each cell is known to hold no minimum below the
// best depth, or exactly one. With rI and rJ the radii, let a minimum at t have a root below `depth`, in a
// cell of width w. The root of f has a slope of at most rJ, so that in the whole cell |x.z| and |rI - rho|
// stay below D = depth + rJ w. There the second derivative of f / 2 stays below bend = rJ (rJ + sqrt(5) D),
// and the magnitude of the third one below
//
//     twist = 3 rJ rJ (1 + ratio / 2) + D rJ (2 + 3 ratio + 3 ratio ratio),   ratio = rJ / least rho,
//
// because the direction ui from the axis of i to x rotates at most at that rate. So
//  - the nearer end of the cell, at most w / 2 from t, has f / 2 above that of t by at most
//    bend w w / 8;
//  - f / 2 falls at the first end, or rises at the last one, by at most bend w;
//  - the normal, along rI ui - x, points out of rim j and to its side at t, by at most `depth`; its
//    parts along uj and the axis of j change at a rate of at most rI ratio + D and rI sine ratio;
//  - where the second derivatives at the ends together exceed twist w, the second derivative is positive
//    in between and there is one minimum if f falls at the first end and rises at the last one; none
//    otherwise;
//  - where they are together below -twist w, there is none.

#include "solve/depth_list/depth_rims.h"

#include <stdbool.h>

// Limit of bisections of a cell.
#define WK_RIM_HALVINGS 14

// Newton steps in a cell with one minimum, and the step (radians) after which no further one matters.
#define WK_RIM_NEWTON 24
#define WK_RIM_LAST_ANGLE 1e-8

// An arc is longer than its chord by less than these factors, up to a quarter turn and up to half a turn.
#define WK_RIM_QUARTER 1.1108
#define WK_RIM_HALF 1.5708

// A point of rim j, and f / 2 with its derivatives by the angle.
typedef struct rimNode {
    double c, s; // cosine and sine of the angle
    wkVec3d x;
    double rho;
    double ux, uy; // of ui
    double spare;  // rI - rho
    double f, slope, bend;
} rimNode;

static rimNode nodeAt(const wkRimPair* r, double c, double s)
{
    double rj = r->radiusJ, rk = rj * r->cosine, rs = rj * r->sine;
    rimNode n;
    n.c = c, n.s = s;
    n.x = wkVec(r->p.x - rk * c, r->p.y - rj * s, r->p.z + rs * c);
    n.rho = sqrt(n.x.x * n.x.x + n.x.y * n.x.y);
    double inverse = n.rho > 0.0 ? 1.0 / n.rho : 0.0;
    n.ux = n.x.x * inverse, n.uy = n.x.y * inverse;
    n.spare = r->radiusI - n.rho;

    // x moves by (dx, dy, dz): out from the axis of i by `rise`, and around it
    double dx = rk * s, dy = -rj * c, dz = -rs * s;
    double rise = n.ux * dx + n.uy * dy, around = n.ux * dy - n.uy * dx;
    double riseRate = around * around * inverse + n.ux * (rk * c) + n.uy * (rj * s);
    n.f = 0.5 * (n.x.z * n.x.z + n.spare * n.spare);
    n.slope = n.x.z * dz - n.spare * rise;
    n.bend = dz * dz - n.x.z * (rs * c) + rise * rise - n.spare * riseRate;
    return n;
}

typedef enum cellContent {
    nothing,
    oneMinimum,
    notKnown
} cellContent;

static bool isBeyond(double first, double last, double sway, double low, double high)
{
    double middle = 0.5 * (first + last);
    return middle + sway < low || middle - sway > high;
}

// Returns true when the normal fits rim j nowhere in the cell, or only with a depth of more than `limit`.
static bool isOffJ(const wkRimPair* r, const rimNode* a, const rimNode* b, double ratio, double w,
                   double reach, double limit)
{
    double rs = r->sideJ * r->radiusI * r->sine, height = r->sideJ * r->alongJ;
    double low = -r->leanJ * limit;
    if (isBeyond(rs * a->ux - height, rs * b->ux - height, 0.5 * fabs(rs) * ratio * w, low,
                 limit)) {
        return true;
    }
    double px = r->cosine * r->p.x - r->sine * r->p.z, py = r->p.y;
    double alongA = r->radiusI * (r->cosine * a->ux * a->c + a->uy * a->s) - px * a->c - py * a->s;
    double alongB = r->radiusI * (r->cosine * b->ux * b->c + b->uy * b->s) - px * b->c - py * b->s;
    return isBeyond(alongA, alongB, 0.5 * (r->radiusI * ratio + reach) * w, -r->radiusJ,
                    limit - r->radiusJ);
}

static cellContent searchInside(const wkRimPair* r, const rimNode* a, const rimNode* b, double w,
                                double limit)
{
    double rj = r->radiusJ;
    double reach = limit + rj * w, bend = rj * (rj + 2.24 * reach);
    if (wkMinD(a->f, b->f) - 0.125 * bend * w * w >= 0.5 * limit * limit || a->slope < -bend * w ||
        b->slope > bend * w || wkMaxD(a->spare, b->spare) < -0.5 * rj * w) {
        return nothing;
    }
    double rho = 0.5 * (a->rho + b->rho - rj * w);
    if (!(rho > 0.0)) {
        return notKnown;
    }
    double ratio = rj / rho;
    if (isOffJ(r, a, b, ratio, w, reach, limit)) {
        return nothing;
    }
    double twist = rj * (rj * (3.0 + 1.5 * ratio) + reach * (2.0 + 3.0 * ratio * (1.0 + ratio)));
    double bends = a->bend + b->bend;
    if (bends > twist * w) {
        return a->slope <= 0.0 && b->slope >= 0.0 ? oneMinimum : nothing;
    }
    return bends < -twist * w ? nothing : notKnown;
}

static rimNode nodeBetween(const wkRimPair* r, const rimNode* a, const rimNode* b, double share)
{
    double c = a->c + share * (b->c - a->c), s = a->s + share * (b->s - a->s);
    double scale = 1.0 / sqrt(c * c + s * s);
    return nodeAt(r, scale * c, scale * s);
}

// Returns the midpoint; the ends may be up to half a turn apart, where their sum may have no direction.
static rimNode nodeMidway(const wkRimPair* r, const rimNode* a, const rimNode* b)
{
    double c = a->c + b->c, s = a->s + b->s;
    if (c * c + s * s < 1.0) {
        c = b->s - a->s, s = a->c - b->c;
    }
    double scale = 1.0 / sqrt(c * c + s * s);
    return nodeAt(r, scale * c, scale * s);
}

// Finds the one minimum of a cell, by Newton's method between ends that close in on it.
static rimNode minimumBetween(const wkRimPair* r, rimNode a, rimNode b)
{
    double drop = b.slope - a.slope;
    rimNode n = nodeBetween(r, &a, &b, drop > 0.0 ? -a.slope / drop : 0.5);
    for (int step = 0; step < WK_RIM_NEWTON; ++step) {
        if (n.slope <= 0.0) {
            a = n;
        } else {
            b = n;
        }
        double angle = n.bend > 0.0 ? -n.slope / n.bend : INFINITY;
        double c = n.c - angle * n.s, s = n.s + angle * n.c;
        bool isLast = fabs(angle) < WK_RIM_LAST_ANGLE;
        if (isLast || (a.c * s - a.s * c >= 0.0 && b.s * c - b.c * s >= 0.0)) {
            double scale = 1.0 / sqrt(c * c + s * s);
            n = nodeAt(r, scale * c, scale * s);
        } else {
            n = nodeMidway(r, &a, &b);
        }
        if (isLast) {
            break;
        }
    }
    return n;
}

// Returns the normal at a minimum: across both rims, or along the vector between them where they are
// parallel.
static wkVec3d normalAt(const wkRimPair* r, const rimNode* n)
{
    double out = r->sine * n->s, up = r->cosine * n->s * n->ux - n->c * n->uy;
    if ((out * out + up * up) * r->radiusJ * r->radiusJ < 2.0 * n->f) {
        out = n->spare, up = -n->x.z;
    }
    double scale = 1.0 / sqrt(out * out + up * up);
    return wkVec(scale * out * n->ux, scale * out * n->uy, scale * up);
}

// Keeps the minimum when its normal belongs to both rims and its depth is below `limit`.
static bool keepNearer(const wkRimPair* r, const rimNode* n, double limit, wkRimContact* contact)
{
    if (!(n->rho > 0.0)) {
        return false;
    }
    wkVec3d d = normalAt(r, n);
    double acrossJ = r->cosine * d.x - r->sine * d.z, alongJ = r->sine * d.x + r->cosine * d.z;
    bool isOnI = r->sideI * d.z >= -r->leanI;
    bool isOnJ = r->sideJ * alongJ >= -r->leanJ && acrossJ * n->c + d.y * n->s >= 0.0;
    double depth = r->radiusI * sqrt(d.x * d.x + d.y * d.y) +
                   r->radiusJ * sqrt(acrossJ * acrossJ + d.y * d.y) - wkDot(r->p, d);
    if (!isOnI || !isOnJ || !(depth < limit)) {
        return false;
    }
    contact->depth = depth;
    contact->normal = d;
    return true;
}

// Restricts `low` and `high` to where low1 <= slope t <= high1.
static void cutTo(double slope, double low1, double high1, double* low, double* high)
{
    if (slope == 0.0) {
        *high = low1 <= 0.0 && high1 >= 0.0 ? *high : *low - 1.0;
        return;
    }
    double inverse = 1.0 / slope;
    double first = inverse * low1, last = inverse * high1;
    *low = wkMaxD(*low, wkMinD(first, last));
    *high = wkMinD(*high, wkMaxD(first, last));
}

// Returns true when the plane of one rim keeps it too far from the other.
static bool areApart(const wkRimPair* r, double limit)
{
    double heightI = r->sideI * r->p.z, swayI = r->radiusJ * r->sine;
    double heightJ = r->sideJ * r->alongJ, swayJ = r->radiusI * r->sine;
    return heightI + swayI < -limit || heightI - swayI > r->leanI * limit ||
           heightJ + swayJ < -limit || heightJ - swayJ > r->leanJ * limit;
}

// One rim in the frame of the other: its middle, and the distances of the other's points from it.
typedef struct rimView {
    double radius, other;
    double x, z;
    double side, lean;
} rimView;

// Computes the cosines that the angle of the other's points may have at a minimum below `limit`; returns
// false when there are none.
static bool findInterval(const wkRimPair* r, const rimView* v, double limit, double* low,
                         double* high)
{
    double height = v->side * v->z;
    *low = -1.0, *high = 1.0;
    cutTo(v->side * v->other * r->sine, -limit - height, v->lean * limit - height, low, high);
    cutTo(v->other * r->cosine, v->x - v->radius, v->x + v->radius, low, high);
    if (r->p.y < v->other) {
        double sine = r->p.y / v->other, least = sqrt(1.0 - sine * sine);
        *low = *low > -least ? wkMaxD(*low, least) : *low;
        *high = *high < least ? wkMinD(*high, -least) : *high;
    }
    return *low <= *high;
}

wkRimSearch wkSearchRims(const wkRimPair* r, double tolerance, wkRimContact* contact)
{
    double limit = contact->depth - tolerance, low, high;
    rimView fromI = {r->radiusI, r->radiusJ, r->p.x, r->p.z, r->sideI, r->leanI};
    rimView fromJ = {r->radiusJ, r->radiusI, r->sine * r->p.z - r->cosine * r->p.x,
                     r->alongJ,  r->sideJ,   r->leanJ};
    if (!(r->radiusJ > 0.0) || !(limit > 0.0) || areApart(r, limit) ||
        !findInterval(r, &fromJ, limit, &low, &high) ||
        !findInterval(r, &fromI, limit, &low, &high)) {
        return wk_rimsFarther;
    }
    wkRimSearch result = wk_rimsFarther;
    rimNode first = nodeAt(r, high, sqrt(1.0 - high * high));
    rimNode ends[WK_RIM_HALVINGS + 1];
    double widths[WK_RIM_HALVINGS + 1];
    ends[0] = nodeAt(r, low, sqrt(1.0 - low * low));
    double dc = high - low, ds = first.s - ends[0].s;
    double chordSquared = dc * dc + ds * ds;
    widths[0] = sqrt(chordSquared) * (chordSquared <= 2.0 ? WK_RIM_QUARTER : WK_RIM_HALF);
    for (int top = 0; top >= 0;) {
        cellContent content = searchInside(r, &first, &ends[top], widths[top], limit);
        if (content == notKnown) {
            if (top == WK_RIM_HALVINGS) {
                return wk_rimsUnknown;
            }
            widths[top] *= 0.5;
            widths[top + 1] = widths[top];
            ends[top + 1] = nodeMidway(r, &first, &ends[top]);
            top += 1;
            continue;
        }
        if (content == oneMinimum) {
            rimNode n = minimumBetween(r, first, ends[top]);
            if (keepNearer(r, &n, limit, contact)) {
                result = wk_rimsNearer;
                limit = contact->depth - tolerance;
            }
        }
        first = ends[top--];
    }
    return result;
}
