// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth of a cylinder and an ellipsoid; see depth_list.h. In the frame of the cylinder, with half
// length h, radius r and an ellipsoid sqrt(n.M n) about c, the depth along the unit normal n is
//
//     h |n.z| + r |n across z| + sqrt(n.M n) - c.n.
//
// The ways out across a cap (n along z) and across the side (n across z: the ellipsoid's shadow is an
// ellipse) are known. The rim remains, n = cos(a) u + sin(a) z with u across z. There the depth is
//
//     X cos(a) + Y sin(a) + |p, q|,  X = r - c.u,  Y = h - c.z,  p = R cos(a),  q = R' sin(a),
//
// R and R' the reaches along u and z, |p, q|^2 = p p + q q + 2 C p q and C = u.M z / (R R'). X + R is the
// depth across the side along u, at least that of the best side, and |p, q| - p falls when R grows or C
// falls. So for all u of a sector one ellipse, with the largest R and the least C, bounds the depth from
// below: an arc of it, from a = 0 to 90 degrees, whose ends are as far as side and cap. Where its chords are
// no nearer than the best of these, neither is the rim: the chords' normals lie between those at the ends,
// and between two neighbours one point of the arc is far enough along both, hence along all between them.
// Where they are nearer, the rim is the likely answer. Newton's method finds it, and it is proven when it is
// shallow (see global_depth.c); otherwise the global depth search covers all directions.

#include "solve/closed_form/ellipse.h"
#include "solve/depth_list/depth_ellipsoid.h"
#include "solve/depth_list/depth_list.h"
#include "solve/global_depth/global_depth_start.h"
#include "solve/global_depth/support_descent.h"

// Sectors of the normals at the rim, and parts of a sector that is too wide.
#define WK_RIM_SECTORS 8
#define WK_RIM_PARTS 4

typedef struct cylinderView {
    const wkPair* pair;
    wkVec3d center;
    double half, radius;
    wkSym3d m; // of the ellipsoid
    double reachZ;
    double sideDepth; // of the best side
    double roundness; // radius of a sphere that is a Minkowski summand of the ellipsoid
} cylinderView;

typedef struct wayOut {
    double depth;
    wkVec3d normal;
} wayOut;

static void viewFromCylinder(const wkPair* pair, cylinderView* s)
{
    wkVec3d r = pair->b->ellipsoid.radii;
    s->pair = pair;
    s->center = pair->bInA.position;
    s->half = pair->a->cylinder.halfLength;
    s->radius = pair->a->cylinder.radius;
    s->m = wkSumOfSquares(&pair->bInA.rotation, wkMulVec(r, r));
    s->reachZ = sqrt(s->m.zz);
    s->roundness = wkEllipsoidRoundness(pair->b);
}

static double depthAlong(const cylinderView* s, wkVec3d n)
{
    double sine = sqrt(n.x * n.x + n.y * n.y);
    return s->half * fabs(n.z) + s->radius * sine + wkLength(wkEllipsoidStretch(s->pair, n)) -
           wkDot(s->center, n);
}

// Finds the best way across the side: the point of the axis in the shadow along it.
static wayOut crossSide(const cylinderView* s)
{
    wkVec3d r = s->pair->b->ellipsoid.radii;
    const wkMat3d* axes = &s->pair->bInA.rotation;
    double half = 0.5 * (s->m.xx - s->m.yy), root = sqrt(half * half + s->m.xy * s->m.xy);
    wkPlaneVec axis =
        half >= 0.0 ? wkPlaneUnit(half + root, s->m.xy) : wkPlaneUnit(s->m.xy, root - half);
    // the determinant as a sum of squares keeps the digits of a short radius
    double yz = r.y * r.z * axes->x.z, zx = r.z * r.x * axes->y.z, xy = r.x * r.y * axes->z.z;
    double longest = sqrt(0.5 * (s->m.xx + s->m.yy) + root);
    wkEllipse shadow = {longest, sqrt(yz * yz + zx * zx + xy * xy) / longest, 2.0 * root};
    double along = axis.x * s->center.x + axis.y * s->center.y;
    double across = axis.x * s->center.y - axis.y * s->center.x;
    wkPlaneVec n = wkEllipseNormal(&shadow, fabs(along), fabs(across));
    n.x = copysign(n.x, along), n.y = copysign(n.y, across);
    wayOut way;
    way.normal = wkVec(axis.x * n.x - axis.y * n.y, axis.y * n.x + axis.x * n.y, 0.0);
    way.depth = depthAlong(s, way.normal);
    return way;
}

// Normals with u in a sector. For the lower rim, n and c are negated: it is the upper rim of -u.
typedef struct sector {
    double longest, shortest; // bounds of R
    double cosine;            // the least C
    double middle;            // cosine of half the angle whose cosine is C
    double center, spread;    // c.u is within `spread` of `center`
} sector;

// Sine and 1 - cosine of half the width of a sector, and of its whole width.
typedef struct sectorWidth {
    double sine, versed, sineTwice, versedTwice;
} sectorWidth;

WK_FORCE_FN sector makeSector(const cylinderView* s, double ux, double uy, const sectorWidth* width)
{
    double square = ux * ux * s->m.xx + 2.0 * ux * uy * s->m.xy + uy * uy * s->m.yy;
    double rotated = ux * uy * (s->m.yy - s->m.xx) + (ux * ux - uy * uy) * s->m.xy;
    double spread = fabs(square - 0.5 * (s->m.xx + s->m.yy)) * width->versedTwice +
                    fabs(rotated) * width->sineTwice;
    double mixed = ux * s->m.xz + uy * s->m.yz;
    double least =
        mixed - fabs(mixed) * width->versed - fabs(ux * s->m.yz - uy * s->m.xz) * width->sine;
    sector e;
    e.longest = sqrt(square + spread);
    e.shortest = sqrt(wkMaxD(square - spread, 0.0));
    double product = s->reachZ * (least < 0.0 ? e.shortest : e.longest);
    e.cosine = wkMaxD(least / product, -1.0);
    e.middle = sqrt(0.5 + 0.5 * e.cosine);
    e.center = ux * s->center.x + uy * s->center.y;
    e.spread =
        fabs(e.center) * width->versed + fabs(ux * s->center.y - uy * s->center.x) * width->sine;
    return e;
}

// Returns a value >= 0 when the chord from P to Q, with x falling and y rising, is no nearer than `limit`.
WK_FORCE_FN double chordMargin(wkPlaneVec p, wkPlaneVec q, double limit)
{
    double dx = wkMaxD(p.x - q.x, 0.0), dy = wkMaxD(q.y - p.y, 0.0);
    double level = wkMinD(p.x * dy + p.y * dx, q.x * dy + q.y * dx);
    return level * fabs(level) - limit * limit * (dx * dx + dy * dy);
}

// The arc's point at (x, y) in units of the reaches.
typedef struct rimArc {
    double x, y; // of the middle of the ellipse
    double reachX, reachY;
} rimArc;

WK_FORCE_FN wkPlaneVec arcPoint(const rimArc* arc, double x, double y)
{
    wkPlaneVec p = {arc->x + x * arc->reachX, arc->y + y * arc->reachY};
    return p;
}

WK_FORCE_FN rimArc arcOf(const cylinderView* s, const sector* e, double sign)
{
    double side = wkMaxD(s->radius + e->shortest - sign * e->center - e->spread, s->sideDepth);
    rimArc arc = {side - e->longest, s->half - sign * s->center.z, e->longest, s->reachZ};
    return arc;
}

// Returns a value >= 0 when the rim above the sector is no nearer than `limit`: an end of the arc that is
// that far in both directions is sufficient, and so are two chords.
WK_FORCE_FN double sectorMargin(const cylinderView* s, const sector* e, double sign, double limit)
{
    rimArc arc = arcOf(s, e, sign);
    wkPlaneVec first = arcPoint(&arc, 1.0, e->cosine), last = arcPoint(&arc, e->cosine, 1.0);
    wkPlaneVec middle = arcPoint(&arc, e->middle, e->middle);
    double chords = wkMinD(chordMargin(first, middle, limit), chordMargin(middle, last, limit));
    return wkMaxD(chords, wkMaxD(first.y, last.x) - limit);
}

// The same with four chords.
WK_FORCE_FN double partMargin(const cylinderView* s, const sector* e, double sign, double limit)
{
    rimArc arc = arcOf(s, e, sign);
    double quarter = sqrt(0.5 + 0.5 * e->middle);
    double rest = quarter * (4.0 * quarter * quarter - 3.0); // cosine of three quarters
    wkPlaneVec first = arcPoint(&arc, 1.0, e->cosine), second = arcPoint(&arc, quarter, rest);
    wkPlaneVec middle = arcPoint(&arc, e->middle, e->middle);
    wkPlaneVec fourth = arcPoint(&arc, rest, quarter), last = arcPoint(&arc, e->cosine, 1.0);
    return wkMinD(wkMinD(chordMargin(first, second, limit), chordMargin(second, middle, limit)),
                  wkMinD(chordMargin(middle, fourth, limit), chordMargin(fourth, last, limit)));
}

#define WK_HALF_ROOT 0.70710678118654757

static const sectorWidth wholeWidth = {0.38268343236508978, 0.076120467488713262, WK_HALF_ROOT,
                                       0.29289321881345243};
static const sectorWidth partWidth = {0.098017140329560604, 0.0048152733278031137,
                                      0.19509032201612828, 0.019214719596769569};

// Axes of the sectors, and of the parts of the first.
static const double sectorX[WK_RIM_SECTORS] = {1.0,  WK_HALF_ROOT,  0.0, -WK_HALF_ROOT,
                                               -1.0, -WK_HALF_ROOT, 0.0, WK_HALF_ROOT};
static const double sectorY[WK_RIM_SECTORS] = {0.0, WK_HALF_ROOT,  1.0,  WK_HALF_ROOT,
                                               0.0, -WK_HALF_ROOT, -1.0, -WK_HALF_ROOT};
static const double partX[WK_RIM_PARTS] = {0.95694033573220882, 0.99518472667219693,
                                           0.99518472667219693, 0.95694033573220882};
static const double partY[WK_RIM_PARTS] = {-0.29028467725446239, -0.098017140329560604,
                                           0.098017140329560604, 0.29028467725446239};

static bool isFarInParts(const cylinderView* s, double ux, double uy, double sign, double limit)
{
    double margin[WK_RIM_PARTS];
    for (int i = 0; i < WK_RIM_PARTS; ++i) {
        double vx = ux * partX[i] - uy * partY[i], vy = ux * partY[i] + uy * partX[i];
        sector part = makeSector(s, vx, vy, &partWidth);
        margin[i] = partMargin(s, &part, sign, limit);
    }
    return wkMinD(wkMinD(margin[0], margin[1]), wkMinD(margin[2], margin[3])) >= 0.0;
}

// Returns true when neither rim is nearer than `limit`, which is the depth of the best cap or side.
static bool isRimFar(const cylinderView* s, double limit)
{
    double above[WK_RIM_SECTORS], below[WK_RIM_SECTORS];
    for (int i = 0; i < WK_RIM_SECTORS; ++i) {
        sector whole = makeSector(s, sectorX[i], sectorY[i], &wholeWidth);
        above[i] = sectorMargin(s, &whole, 1.0, limit);
        below[i] = sectorMargin(s, &whole, -1.0, limit);
    }
    for (int i = 0; i < WK_RIM_SECTORS; ++i) {
        if ((above[i] < 0.0 && !isFarInParts(s, sectorX[i], sectorY[i], 1.0, limit)) ||
            (below[i] < 0.0 && !isFarInParts(s, sectorX[i], sectorY[i], -1.0, limit))) {
            return false;
        }
    }
    return true;
}

// Returns false where the normal leads to no point of the cylinder: another piece is nearer.
static bool answer(const cylinderView* s, const wayOut* way, wkSolution* out)
{
    wkEllipsoidDeepest(s->pair, way->normal, way->depth, out);
    double off = WK_DEPTH_OFF * s->pair->scale, x = out->pointA.x, y = out->pointA.y;
    return fabs(out->pointA.z) <= s->half + off && sqrt(x * x + y * y) <= s->radius + off;
}

// Solves for the rim, which is or may be nearer than `limit`, the depth of cap and side.
static bool solveRim(const cylinderView* s, double limit, wkSolution* out)
{
    wkSupportSum form;
    wkStationary found;
    if (limit < WK_SUPPORT_SUM_SHALLOW * s->roundness && wkMakeSupportSum(s->pair, &form)) {
        wkDescentStart start = {wkGuessWayOut(&form), {-1, -1}};
        if (wkDescend(&form, &start, &found) && found.height < s->roundness) {
            wkVec3d n = wkNeg(found.direction);
            wayOut way = {depthAlong(s, n), n};
            if (answer(s, &way, out)) {
                return true;
            }
        }
    }
    return wkGlobalDepth(s->pair, out);
}

bool wkDepthCylinderEllipsoid(const wkPair* pair, wkSolution* out)
{
    if (!wkIsEllipsoidSafe(pair)) {
        return false;
    }
    cylinderView s;
    viewFromCylinder(pair, &s);
    wayOut best = crossSide(&s);
    s.sideDepth = best.depth;
    double cap = s.half + s.reachZ - fabs(s.center.z);
    if (cap < best.depth) {
        best.depth = cap;
        best.normal = wkVec(0.0, 0.0, copysign(1.0, s.center.z));
    }
    if (!(best.depth > WK_VERDICT_BAND * pair->scale)) {
        return false;
    }
    bool isStationary = answer(&s, &best, out);
    return (isStationary && (best.depth < s.roundness || isRimFar(&s, best.depth))) ||
           solveRim(&s, best.depth, out);
}
