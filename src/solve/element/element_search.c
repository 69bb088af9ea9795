// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The first contact of two moving elements, by inclusion: cells of (t, u, w) are clipped around the zeros of F, those
// without are dropped, the others divided, and the one that begins first is always the next. So everything before the
// next cell is proven free, and the search ends when the elements are within the tolerance at its beginning. After
// Wang, Ferguson, Schneider, Jiang, Attene, Panozzo, "A Large Scale Benchmark and an Inclusion-Based Algorithm for
// Continuous Collision Detection" (2021), with clipping along many directions instead of boxes, so that the number of
// cells does not grow with the inverse of the gap.

#include "solve/element/element_search.h"

#include <math.h>

// Cells that wait. When they are too many, the search ends at the first of them.
#define HEAP_CAPACITY 128

// A cell that clipping leaves larger than this, along each parameter, is divided.
#define GOOD_SHARE 0.5

// Distances are not told apart below so many times the rounding of F.
#define LEAST_TOLERANCE 8.0

// Cells around a contact that are tried for a proof: half their width, in units of the rounding of F, at first and
// from one to the next.
#define PROOF_WIDTH 64.0
#define PROOF_GROWTH 4096.0
#define PROOF_COUNT 3
#define NEWTON_STEPS 4

// Most cells with numbers of twice the digits. Of the 1,250 pairs of tests/property/test_element_data.c none that is
// proven free takes more than eight.
#define FINE_ITERATIONS 32

typedef struct heapCell {
    wkElementCell cell;
    int32_t level; // how often it was divided or clipped
} heapCell;

typedef struct elementSearch {
    wkMovingElement element;
    double tolerance; // in scaled units
    heapCell heap[HEAP_CAPACITY];
    int32_t count;
} elementSearch;

// A point of both elements at an instant.
typedef struct elementPoint {
    double t, u, w;
    wkVec3d gap; // of B and A, in scaled units: F
} elementPoint;

// Whether a cell is searched before another: it begins earlier, or at the same time and is smaller.
static bool isBefore(const heapCell* a, const heapCell* b)
{
    double timeA = a->cell.lower[WK_ELEMENT_T], timeB = b->cell.lower[WK_ELEMENT_T];
    return timeA < timeB || (timeA == timeB && a->level > b->level);
}

static void addCell(elementSearch* s, const wkElementCell* cell, int32_t level)
{
    heapCell added = {*cell, level};
    int32_t at = s->count++;
    while (at > 0 && isBefore(&added, &s->heap[(at - 1) / 2])) {
        s->heap[at] = s->heap[(at - 1) / 2];
        at = (at - 1) / 2;
    }
    s->heap[at] = added;
}

static heapCell takeFirst(elementSearch* s)
{
    heapCell first = s->heap[0], last = s->heap[--s->count];
    int32_t at = 0;
    for (int32_t child = 1; child < s->count; child = 2 * at + 1) {
        child += child + 1 < s->count && isBefore(&s->heap[child + 1], &s->heap[child]);
        if (!isBefore(&s->heap[child], &last)) {
            break;
        }
        s->heap[at] = s->heap[child];
        at = child;
    }
    s->heap[at] = last;
    return first;
}

static double limitOfW(const elementSearch* s, double u)
{
    return s->element.isTriangle ? 1.0 - u : 1.0;
}

static elementPoint pointAt(const elementSearch* s, const wkElementTerms* terms, double t, double u,
                            double w)
{
    elementPoint point = {t, u, wkClamp(w, 0.0, limitOfW(s, u)), {0.0, 0.0, 0.0}};
    point.gap = s->element.isFine ? wkCoarse(wkFineGap(&s->element, t, u, point.w))
                                  : wkElementGap(terms, u, point.w);
    return point;
}

// Finds weights at which the elements come close at an instant: the minimum of |base + u U + w W|, then one weight
// after the other within its limits. Any weights are valid; those of the minimum end the search soonest.
static elementPoint approachAt(const elementSearch* s, const wkElementTerms* terms, double t,
                               double u, double w)
{
    double uu = wkDot(terms->u, terms->u), uw = wkDot(terms->u, terms->w);
    double ww = wkDot(terms->w, terms->w), bu = wkDot(terms->base, terms->u);
    double bw = wkDot(terms->base, terms->w), determinant = uu * ww - uw * uw;
    if (determinant > 1e-12 * uu * ww) {
        u = (uw * bw - ww * bu) / determinant;
        w = (uw * bu - uu * bw) / determinant;
    }
    u = wkClamp(u, 0.0, 1.0);
    if (ww > 0.0) {
        w = -(bw + u * uw) / ww;
    }
    w = wkClamp(w, 0.0, 1.0);
    if (uu > 0.0) {
        u = wkClamp(-(bu + w * uw) / uu, 0.0, limitOfW(s, w));
    }
    return pointAt(s, terms, t, u, w);
}

// Chooses a point of both elements at the beginning of a cell: the closest ones, or those in the middle of the cell,
// which are within any tolerance once the cell is small enough.
static elementPoint choosePoint(const elementSearch* s, const wkElementCell* cell)
{
    double t = cell->lower[WK_ELEMENT_T];
    double u = 0.5 * (cell->lower[WK_ELEMENT_U] + cell->upper[WK_ELEMENT_U]);
    double w = 0.5 * (cell->lower[WK_ELEMENT_W] + cell->upper[WK_ELEMENT_W]);
    wkElementTerms terms = wkElementTermsAt(&s->element, t);
    elementPoint middle = pointAt(s, &terms, t, u, w), near = approachAt(s, &terms, t, u, w);
    return wkLengthSquared(near.gap) < wkLengthSquared(middle.gap) ? near : middle;
}

// Divides a cell along the parameter with the largest spread of F that can be divided.
// @return false: none can
static bool divideCell(elementSearch* s, const wkElementCell* cell, int32_t level,
                       const double spread[WK_ELEMENT_PARAMETERS])
{
    int along = -1;
    double best = 0.0, middle = 0.0;
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        double half = 0.5 * (cell->lower[k] + cell->upper[k]);
        if (half > cell->lower[k] && half < cell->upper[k] && spread[k] > best) {
            along = k;
            best = spread[k];
            middle = half;
        }
    }
    if (along < 0) {
        return false;
    }
    wkElementCell part = *cell;
    part.upper[along] = middle;
    addCell(s, &part, level + 1);
    part = *cell;
    part.lower[along] = middle;
    addCell(s, &part, level + 1);
    return true;
}

static bool isClippedWell(const wkElementCell* before, const wkElementCell* after)
{
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        double width = before->upper[k] - before->lower[k];
        if (after->upper[k] - after->lower[k] < GOOD_SHARE * width) {
            return true;
        }
    }
    return false;
}

// Moves a point to the zero of F near it.
// @param reach receives how far each parameter moves for a unit of F
// @return false: the derivative of F is singular
static bool findZero(const elementSearch* s, elementPoint* point, double reach[3])
{
    const wkMovingElement* element = &s->element;
    wkElementTerms ends[2] = {wkElementTermsAt(element, 0.0), wkElementTermsAt(element, 1.0)};
    for (int i = 0; i < NEWTON_STEPS; ++i) {
        wkElementTerms terms = wkElementTermsAt(element, point->t);
        wkVec3d gap = wkElementGap(&terms, point->u, point->w);
        wkVec3d rate = wkSub(wkElementGap(&ends[1], point->u, point->w),
                             wkElementGap(&ends[0], point->u, point->w));
        wkVec3d rows[3] = {wkCross(terms.u, terms.w), wkCross(terms.w, rate),
                           wkCross(rate, terms.u)};
        double determinant = wkDot(rate, rows[0]);
        if (!(fabs(determinant) > 1e-200)) {
            return false;
        }
        point->t -= wkDot(rows[0], gap) / determinant;
        point->u -= wkDot(rows[1], gap) / determinant;
        point->w -= wkDot(rows[2], gap) / determinant;
        for (int k = 0; k < 3; ++k) {
            reach[k] = wkSumAbs(rows[k]) / fabs(determinant);
        }
    }
    return true;
}

// Finds a time by which the elements touch for certain: the end of a cell that holds a zero and lies inside.
static double proveContact(const elementSearch* s, elementPoint point)
{
    double reach[3];
    if (!findZero(s, &point, reach)) {
        return INFINITY;
    }
    double middle[3] = {point.t, point.u, point.w}, width = PROOF_WIDTH * s->element.noise;
    for (int i = 0; i < PROOF_COUNT; ++i) {
        wkElementCell cell;
        bool isInside = true;
        for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
            cell.lower[k] = middle[k] - width * reach[k];
            cell.upper[k] = middle[k] + width * reach[k];
            isInside &= cell.lower[k] >= 0.0 && cell.upper[k] <= 1.0;
        }
        if (s->element.isTriangle) {
            isInside &= cell.upper[WK_ELEMENT_U] + cell.upper[WK_ELEMENT_W] < 1.0;
        }
        if (isInside && wkHoldsContact(&s->element, &cell)) {
            return cell.upper[WK_ELEMENT_T];
        }
        width *= PROOF_GROWTH;
    }
    return INFINITY;
}

static wkVec3d lerpPoint(const wkVec3d start[4], const wkVec3d end[4], int index, double t)
{
    return wkAdd(wkScale(1.0 - t, start[index]), wkScale(t, end[index]));
}

// Fills in the witnesses at a point.
static void setWitnesses(const elementSearch* s, const wkElementRow* row, const wkVec3d start[4],
                         const wkVec3d end[4], const elementPoint* at, wkElementCastResult* result)
{
    wkVec3d a = lerpPoint(start, end, row->a, at->t), b = lerpPoint(start, end, row->b, at->t);
    wkVec3d aU = lerpPoint(start, end, row->aU, at->t), bU = lerpPoint(start, end, row->bU, at->t);
    wkVec3d bW = lerpPoint(start, end, row->bW, at->t);
    result->pointA = wkAdd(wkScale(1.0 - at->u, a), wkScale(at->u, aU));
    double rest = s->element.isTriangle ? 1.0 - at->u - at->w : 1.0 - at->w;
    result->pointB = wkAdd(wkScale(rest, b), wkScale(at->w, bW));
    if (s->element.isTriangle) {
        result->pointB = wkAdd(result->pointB, wkScale(at->u, bU));
    }
    double distance = wkLength(at->gap);
    result->distance = ldexp(distance, s->element.exponent);

    // points that coincide leave the normal of the elements, on the side from which they came
    wkElementTerms terms = wkElementTermsAt(&s->element, at->t);
    wkElementTerms first = wkElementTermsAt(&s->element, 0.0);
    wkElementTerms last = wkElementTermsAt(&s->element, 1.0);
    wkVec3d rate = wkSub(wkElementGap(&last, at->u, at->w), wkElementGap(&first, at->u, at->w));
    wkVec3d across =
        wkNormalizeOr(wkCross(terms.u, terms.w), wkNormalizeOr(rate, wkVec(0.0, 0.0, 1.0)));
    across = wkDot(across, rate) < 0.0 ? wkNeg(across) : across;
    bool isApart = distance > LEAST_TOLERANCE * s->element.noise;
    result->normal = isApart ? wkNormalizeOr(wkNeg(at->gap), across) : across;
}

typedef enum outcome {
    outcomeFree,
    outcomeContact,
    outcomeStuck
} outcome;

// Searches until a cell begins with a contact, or none is left. The cell is kept.
// @param iterations counts on
// @param point receives the contact, or where the search ended
static outcome search(elementSearch* s, int32_t maxIterations, int32_t* iterations,
                      elementPoint* point)
{
    while (s->count > 0) {
        heapCell next = takeFirst(s);
        wkElementCell cell = next.cell;
        double spread[WK_ELEMENT_PARAMETERS];
        bool isStuck = *iterations >= maxIterations || s->count + 2 > HEAP_CAPACITY;
        *iterations += !isStuck;
        if (!isStuck && !wkClipElementCell(&s->element, &cell, spread)) {
            continue;
        }
        if (s->count > 0 && cell.lower[WK_ELEMENT_T] > s->heap[0].cell.lower[WK_ELEMENT_T]) {
            addCell(s, &cell, next.level + 1);
            continue;
        }
        *point = choosePoint(s, &cell);
        bool isContact = wkLength(point->gap) <= s->tolerance;
        if (isStuck || isContact || isClippedWell(&next.cell, &cell)) {
            addCell(s, &cell, next.level + 1);
        } else if (!divideCell(s, &cell, next.level, spread)) {
            addCell(s, &cell, next.level + 1);
            isStuck = true;
        }
        if (isStuck || isContact) {
            return isContact ? outcomeContact : outcomeStuck;
        }
    }
    return outcomeFree;
}

// Elements that come within the tolerance may pass each other. Goes on from where the search ended, with numbers of
// twice the digits and no tolerance.
static bool areFree(elementSearch* s, wkElementKind kind, const wkVec3d start[4],
                    const wkVec3d end[4], int32_t* iterations)
{
    elementPoint point;
    wkRefineElement(kind, start, end, &s->element);
    s->tolerance = LEAST_TOLERANCE * s->element.noise;
    return search(s, *iterations + FINE_ITERATIONS, iterations, &point) == outcomeFree;
}

wkElementCastResult wkSearchElements(wkElementKind kind, const wkVec3d start[4],
                                     const wkVec3d end[4], double until, double tolerance,
                                     int32_t maxIterations)
{
    elementSearch s;
    wkPrepareElement(kind, start, end, &s.element);
    s.tolerance = wkMaxD(ldexp(tolerance, -s.element.exponent), LEAST_TOLERANCE * s.element.noise);
    wkElementCell whole = {{0.0, 0.0, 0.0}, {until, 1.0, 1.0}};
    s.count = 0;
    addCell(&s, &whole, 0);
    wkElementCastResult result = {.status = wk_statusExact, .time = 1.0, .touchingBy = INFINITY};
    elementPoint point;
    outcome reached = search(&s, maxIterations, &result.iterations, &point);
    if (reached == outcomeFree) {
        return result;
    }
    double touchingBy = proveContact(&s, point);
    wkMovingElement coarse = s.element;
    if (touchingBy == INFINITY && areFree(&s, kind, start, end, &result.iterations)) {
        return result;
    }
    s.element = coarse;
    result.isTouching = true;
    result.status = reached == outcomeContact ? wk_statusExact : wk_statusBound;
    result.time = point.t;
    result.touchingBy = wkMaxD(point.t, touchingBy);
    setWitnesses(&s, &wkElementTable[kind], start, end, &point, &result);
    return result;
}
