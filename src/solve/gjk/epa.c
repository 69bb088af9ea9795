// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Penetration depth by the expanding polytope algorithm (van den Bergen 2001): a polytope inside B - A grows
// at its face nearest the origin until that face lies on the surface. The face's distance is a lower bound of
// the depth, the support along its normal an upper bound. The answer is the smallest upper bound found, so it
// is safe even at the iteration cap or a numerical dead end.

#include "solve/gjk/epa.h"

#include "solve/core_support.h"
#include "solve/depth_list/depth_list.h"
#include "solve/depth_list/depth_points.h"
#include "solve/gjk/inside_simplex.h"
#include "solve/gjk/polytope.h"
#include "solve/manifold.h"
#include "solve/newton/refine_contact.h"

#include <string.h>

// Shares of wkPair.scale: the gap at which curved pairs and polytopes have converged, and the thickness below
// which B - A counts as flat.
#define WK_EPA_CURVED_GAP 1e-9
#define WK_EPA_POLYTOPE_GAP 2e-15
#define WK_EPA_FLAT 1e-14

// Curved pairs: when no face is nearer than the best way out less this share of wkPair.scale, the best is
// proven to be the shortest.
#define WK_EPA_CURVED_PROOF 3e-7

// Curved pairs try Newton's method on a face whose gap is below this share of the depth.
#define WK_EPA_REFINE 0.03

// The same as a share of wkPair.scale, for depths near zero.
#define WK_EPA_REFINE_NEAR 1e-4

// Points of polytopes may be this share of wkPair.scale off them.
#define WK_EPA_OFF 1e-13

// Points that are further apart across the normal than this share of wkPair.scale are recomputed.
#define WK_EPA_ACROSS 1e-7

// Angle of the first ring about the way out: 55 degrees.
#define WK_EPA_RING_COSINE 0.5735764363510461
#define WK_EPA_RING_SINE 0.8191520442889918

// Faces within eight degrees of a contact are not tried again.
#define WK_EPA_CONTACT_COSINE 0.99

typedef struct overlap {
    const wkPair* pair;
    wkCoreSupport support;
    double flat;
    wkPolytope polytope;
} overlap;

// Returns the point of B - A furthest along `direction`.
static wkCsoPoint furthest(overlap* o, wkVec3d direction)
{
    return wkCoreSupportAlong(&o->support, o->pair, direction);
}

// Answers for cores that only touch, or B - A without thickness along `normal`: nothing to expand.
static void answerFlat(overlap* o, const wkSimplex* s, wkVec3d normal, wkSolution* out)
{
    double up = wkDot(normal, furthest(o, normal).w);
    double down = -wkDot(normal, furthest(o, wkNeg(normal)).w);
    bool isUp = up <= down;
    out->distance = isUp ? -up : -down;
    out->normal = isUp ? wkNeg(normal) : normal;
    out->pointA = wkSimplexPointA(s);
    out->pointB = out->pointA;
    out->status = wk_statusExact;
}

// Adds the support along +-direction that is further from the first point along it; returns false when
// neither is.
static bool addFurther(overlap* o, wkSimplex* s, wkVec3d direction)
{
    wkCsoPoint up = furthest(o, direction), down = furthest(o, wkNeg(direction));
    double heightUp = wkDot(direction, wkCsoEdge(&s->point[0], &up));
    double heightDown = -wkDot(direction, wkCsoEdge(&s->point[0], &down));
    if (!(wkMaxD(heightUp, heightDown) > o->flat)) {
        return false;
    }
    s->point[s->count] = heightUp >= heightDown ? up : down;
    s->weight[s->count] = 0.0;
    s->count += 1;
    return true;
}

// Builds the first polytope around the origin; returns false when B - A is flat, with its normal.
static bool startPolytope(overlap* o, wkSimplex* s, wkVec3d* flatNormal)
{
    if (s->count == 4) {
        if (wkPolytope_StartTetrahedron(&o->polytope, s, o->flat)) {
            return true;
        }
        wkKeepNearestFace(s);
    }

    // a point: away along any axis
    static const wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    for (int k = 0; k < 3 && s->count == 1; ++k) {
        addFurther(o, s, axes[k]);
    }
    *flatNormal = axes[2];
    if (s->count == 1) {
        return false;
    }

    // a segment: away across it
    if (s->count == 2) {
        wkVec3d along = wkNormalizeOr(wkCsoEdge(&s->point[0], &s->point[1]), axes[0]);
        wkVec3d across = wkPerpendicular(along);
        *flatNormal = across;
        if (!addFurther(o, s, across) && !addFurther(o, s, wkCross(along, across))) {
            return false;
        }
    }

    // a triangle: an apex on either side
    wkVec3d normal =
        wkCross(wkCsoEdge(&s->point[0], &s->point[1]), wkCsoEdge(&s->point[0], &s->point[2]));
    *flatNormal = normal = wkNormalizeOr(normal, axes[2]);
    wkCsoPoint top = furthest(o, normal), bottom = furthest(o, wkNeg(normal));
    bool hasTop = wkDot(normal, wkCsoEdge(&s->point[0], &top)) > o->flat;
    bool hasBottom = -wkDot(normal, wkCsoEdge(&s->point[0], &bottom)) > o->flat;
    return wkPolytope_StartBipyramid(&o->polytope, s, hasTop ? &top : NULL,
                                     hasBottom ? &bottom : NULL);
}

// Starts around the side of B - A that the origin is nearest to, opposite to its middle: a ring of three
// points, one in front of them and one behind. Returns false when they do not surround the origin.
static bool startTowardsOrigin(overlap* o)
{
    // any direction is valid when the middles coincide
    wkVec3d back = o->pair->centers;
    double apart = wkLength(back);
    bool isConcentric = !(apart > 1e-3 * o->pair->scale);
    back = isConcentric ? wkVec(1.0, 0.0, 0.0) : wkScale(1.0 / apart, back);
    wkVec3d u = wkPerpendicular(back), v = wkCross(back, u);
    const double c = WK_EPA_RING_COSINE, s = WK_EPA_RING_SINE;
    const double sign[3][2] = {{1.0, 0.0}, {-0.5, 0.8660254037844386}, {-0.5, -0.8660254037844386}};
    wkSimplex ring;
    ring.count = 4;
    for (int i = 0; i < 3; ++i) {
        wkVec3d direction =
            wkMulAdd(wkMulAdd(wkScale(-c, back), s * sign[i][0], u), s * sign[i][1], v);
        ring.point[i] = furthest(o, direction);
    }
    ring.point[3] = furthest(o, back);
    wkPolytope* p = &o->polytope;
    if (!wkPolytope_StartTetrahedron(p, &ring, 1e-6 * o->pair->scale)) {
        return false;
    }
    for (int f = 0; f < 4; ++f) {
        if (!(p->offset[f] > 0.0)) {
            return false;
        }
    }
    return true;
}

// The search for the face that contains the nearest point of the surface.
typedef struct depthSearch {
    const wkGoal* goal;
    double gap;
    double bestDepth;
    bool isCurved;
    bool isStuck;          // a face could not be resolved
    bool isVerdict;        // a limit was reached: no points are needed
    bool hasPoints;        // the best one came with its points ...
    uint8_t bestVertex[3]; // ... or is that of these vertices
    bool hasContact;       // Newton's method has found a contact ...
    wkVec3d contactNormal; // ... out of B - A along this normal
} depthSearch;

// Runs Newton's method from the triangle of three vertices, out along `normal`.
static bool refineVertices(const overlap* o, const uint8_t c[3], wkVec3d normal, double gap,
                           wkSolution* out)
{
    const wkPolytope* p = &o->polytope;
    wkCsoPoint vertex[3] = {p->point[c[0]], p->point[c[1]], p->point[c[2]]};
    wkTriangleRegion region = wkClosestOnTriangle(vertex[0].w, wkCsoEdge(&vertex[0], &vertex[1]),
                                                  wkCsoEdge(&vertex[0], &vertex[2]));
    wkContactGuess guess = {3, vertex, region.weight, wkNeg(normal)};
    return wkRefineContact(o->pair, &guess, false, gap, out);
}

// Runs Newton's method from a face near the surface: a better upper bound, with its points.
static void refineFace(overlap* o, int face, depthSearch* search, wkSolution* out)
{
    const wkPolytope* p = &o->polytope;
    wkSolution refined;
    if (!refineVertices(o, p->vertex[face], wkPolytope_Normal(p, face), search->gap, &refined)) {
        return;
    }
    search->hasContact = true;
    search->contactNormal = wkNeg(refined.normal);
    if (-refined.distance <= search->bestDepth) {
        search->bestDepth = -refined.distance;
        search->hasPoints = true;
        refined.iterations = out->iterations;
        refined.status = out->status;
        *out = refined;
    }
}

// Computes the points of a face's answer: on the curved surfaces when Newton's method finds them, else on
// the face.
static void placeOnFace(const overlap* o, const depthSearch* search, wkSolution* out)
{
    wkSolution refined;
    wkVec3d normal = wkNeg(out->normal);
    if (search->isCurved && refineVertices(o, search->bestVertex, normal, search->gap, &refined) &&
        refined.distance >= out->distance - search->gap) {
        refined.iterations = out->iterations;
        refined.status = out->status;
        *out = refined;
        return;
    }
    double noise = WK_EPA_POLYTOPE_GAP * o->pair->scale + search->gap;
    out->pointA =
        wkPolytope_PointA(&o->polytope, search->bestVertex, normal, -out->distance, noise);
    out->pointB = wkMulAdd(out->pointA, out->distance, out->normal);
}

// Returns true when Newton's method has already been run near this normal.
static bool isAtContact(const depthSearch* search, wkVec3d normal)
{
    return search->hasContact && wkDot(normal, search->contactNormal) > WK_EPA_CONTACT_COSINE;
}

// Visits the nearest face: returns true when the search is over.
static bool visitFace(overlap* o, int face, depthSearch* search, wkSolution* out)
{
    const wkGoal* goal = search->goal;
    double band = WK_VERDICT_BAND * o->pair->scale;
    double lower = o->polytope.offset[face];
    wkVec3d normal = wkPolytope_Normal(&o->polytope, face);
    wkCsoPoint next = furthest(o, normal);
    double upper = wkDot(normal, next.w);
    out->iterations += 1;
    if (upper < search->bestDepth) {
        search->bestDepth = upper;
        search->hasPoints = false;
        memcpy(search->bestVertex, o->polytope.vertex[face], sizeof search->bestVertex);
        out->distance = -upper;
        out->normal = wkNeg(normal);
    }
    if (upper - lower <= search->gap) {
        out->status = search->isStuck ? wk_statusBound : wk_statusExact;
        return true;
    }
    bool isFree = -upper > goal->cutoff + band;
    bool isTouching = !search->isStuck && -lower <= goal->touching - band;
    if (isFree || isTouching) {
        out->distance = isFree ? -upper : -lower;
        search->isVerdict = true;
        return true;
    }
    bool isNearSurface =
        upper - lower <= WK_EPA_REFINE * upper + WK_EPA_REFINE_NEAR * o->pair->scale;
    bool isKnown = search->hasPoints && isAtContact(search, normal);
    if (search->isCurved && isNearSurface && !isKnown) {
        refineFace(o, face, search, out);
    }
    if (!wkPolytope_Grow(&o->polytope, face, &next, WK_EPA_POLYTOPE_GAP * o->pair->scale)) {
        // rounding or memory prevents progress at this face: the answer stays a bound
        search->isStuck = true;
        wkPolytope_Settle(&o->polytope, face);
    }
    return false;
}

static void expand(overlap* o, const wkGoal* goal, wkSolution* out)
{
    const double scale = o->pair->scale;
    bool isPolytope =
        wkConvexTable[o->pair->a->type].isPolytope && wkConvexTable[o->pair->b->type].isPolytope;
    double gap = (isPolytope ? WK_EPA_POLYTOPE_GAP : WK_EPA_CURVED_GAP) * scale;
    double proof = (isPolytope ? WK_EPA_POLYTOPE_GAP : WK_EPA_CURVED_PROOF) * scale;
    depthSearch search = {.goal = goal, .gap = gap, .bestDepth = INFINITY, .isCurved = !isPolytope};
    out->status = wk_statusBound;
    for (bool isOver = false; !isOver;) {
        // a face's own points lie on chords: without better ones the surface must be approached closely
        int face = wkPolytope_Nearest(&o->polytope);
        double allowed = search.hasPoints ? proof : gap;
        if (face < 0 || o->polytope.key[face] >= search.bestDepth - allowed) {
            out->status = search.isStuck ? wk_statusBound : wk_statusExact;
            isOver = true;
        } else {
            isOver = visitFace(o, face, &search, out);
        }
    }
    if (search.isVerdict) {
        return;
    }
    if (!search.hasPoints) {
        placeOnFace(o, &search, out);
    }
    wkVec3d across = wkSub(out->pointB, wkMulAdd(out->pointA, out->distance, out->normal));
    if (wkMaxAbs(across) > WK_EPA_ACROSS * scale) {
        // within the proof's tolerance the normal may be tilted: points opposite to each other are better
        wkPlaceWitness(o->pair, out);
    }
    double off = (search.isCurved ? WK_EPA_CURVED_GAP : WK_EPA_OFF) * scale;
    if (out->status == wk_statusBound || !wkAreInCores(o->pair, out, off)) {
        wkImproveUnproven(o->pair, out);
    }
}

static void prepare(overlap* o, const wkPair* pair, wkCsoPoint* points)
{
    o->pair = pair;
    o->support = wkMakeCoreSupport(pair);
    o->flat = WK_EPA_FLAT * pair->scale;
    o->polytope.point = points;
    o->polytope.isFine = pair->isFine;
}

// The polytope's faces are in this stack frame, its points in the caller's, so that neither frame is large.
static __attribute__((noinline)) void solveDepth(const wkPair* pair, const wkGoal* goal,
                                                 wkSimplex* simplex, wkCsoPoint* points,
                                                 wkSolution* solution)
{
    overlap o;
    prepare(&o, pair, points);
    wkVec3d flatNormal;
    if (!startTowardsOrigin(&o) && !startPolytope(&o, simplex, &flatNormal)) {
        answerFlat(&o, simplex, flatNormal, solution);
        return;
    }
    expand(&o, goal, solution);
}

static __attribute__((noinline)) bool solveDeep(const wkPair* pair, const wkGoal* goal,
                                                wkCsoPoint* points, wkSolution* solution)
{
    overlap o;
    prepare(&o, pair, points);
    if (!startTowardsOrigin(&o)) {
        return false;
    }
    solution->iterations = 0;
    expand(&o, goal, solution);
    return true;
}

void wkSolveOverlap(const wkPair* pair, const wkGoal* goal, wkSimplex* simplex,
                    wkSolution* solution)
{
    if (!goal->wantsDepth) {
        wkAnswerCommonPoint(pair, simplex, solution);
        return;
    }
    if (!wkIsDecidedBySimplex(pair, goal, simplex, solution) &&
        !wkDepthByFeatures(pair, solution)) {
        wkCsoPoint points[WK_POLYTOPE_VERTICES];
        solveDepth(pair, goal, simplex, points, solution);
    }
}

bool wkSolveDeep(const wkPair* pair, const wkGoal* goal, wkSolution* solution)
{
    if (wkDepthByFeatures(pair, solution)) {
        solution->iterations = 0;
        return true;
    }
    wkCsoPoint points[WK_POLYTOPE_VERTICES];
    return solveDeep(pair, goal, points, solution);
}
