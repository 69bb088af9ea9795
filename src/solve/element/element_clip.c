// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cells of parameters are clipped around the zeros of F. Along any direction d, d . F is a multi-affine function: in
// a cell it lies between its values at the eight vertices, and at a share s of the way through the cell between the
// chords of the lowest and of the highest values at both ends (Bezier clipping, of degree one). Directions only
// decide how much is clipped, never whether that is right; rounding widens every chord.

#include "solve/element/moving_element.h"

#include <math.h>
#include <string.h>

#define VERTEX_COUNT 8 // bit k of the index: at the upper end of parameter k

// Shorter directions are left out: their products with F might be denormal, beyond the bound on rounding.
#define LEAST_DIRECTION 1e-100

// Rounding of a share, relative, and of a parameter computed from it: twice what they can be.
#define SHARE_ROUNDING 0x1p-49
#define PARAMETER_ROUNDING 0x1p-50

// Of a double-double number that becomes a double.
#define COARSE_ROUNDING 0x1p-52

#define DIRECTION_CAPACITY 10
#define AXIS_COUNT 3

typedef struct vertexValues {
    double at[3][VERTEX_COUNT]; // by coordinate
    wkDdVec fine[VERTEX_COUNT]; // of a fine element
} vertexValues;

// The values of d . F at the vertices of a cell, for one direction.
typedef struct directionValues {
    double values[VERTEX_COUNT];
    double error; // bound on the rounding of each
} directionValues;

// What remains of a cell, in shares of it.
typedef struct shareRange {
    double lower[WK_ELEMENT_PARAMETERS];
    double upper[WK_ELEMENT_PARAMETERS];
} shareRange;

static void evaluateVertices(const wkMovingElement* element, const wkElementTerms ends[2],
                             const wkElementCell* cell, vertexValues* vertices)
{
    for (int i = 0; i < VERTEX_COUNT; ++i) {
        double t = (i & 1) != 0 ? cell->upper[WK_ELEMENT_T] : cell->lower[WK_ELEMENT_T];
        double u = (i & 2) != 0 ? cell->upper[WK_ELEMENT_U] : cell->lower[WK_ELEMENT_U];
        double w = (i & 4) != 0 ? cell->upper[WK_ELEMENT_W] : cell->lower[WK_ELEMENT_W];
        wkVec3d gap = wkElementGap(&ends[i & 1], u, w);
        if (element->isFine) {
            vertices->fine[i] = wkFineGap(element, t, u, w);
            gap = wkCoarse(vertices->fine[i]);
        }
        vertices->at[0][i] = gap.x;
        vertices->at[1][i] = gap.y;
        vertices->at[2][i] = gap.z;
    }
}

static double leastOf(const double values[VERTEX_COUNT])
{
    double a = wkMinD(wkMinD(values[0], values[1]), wkMinD(values[2], values[3]));
    double b = wkMinD(wkMinD(values[4], values[5]), wkMinD(values[6], values[7]));
    return wkMinD(a, b);
}

static double greatestOf(const double values[VERTEX_COUNT])
{
    double a = wkMaxD(wkMaxD(values[0], values[1]), wkMaxD(values[2], values[3]));
    double b = wkMaxD(wkMaxD(values[4], values[5]), wkMaxD(values[6], values[7]));
    return wkMaxD(a, b);
}

// What values of a fine element lose where they become doubles.
static double coarseError(const double values[VERTEX_COUNT])
{
    return COARSE_ROUNDING * wkMaxD(-leastOf(values), greatestOf(values));
}

static bool isFree(const directionValues* along)
{
    return leastOf(along->values) > along->error || greatestOf(along->values) < -along->error;
}

// Keeps the shares where a chord is not above zero.
static void clipChord(double first, double last, double* lower, double* upper)
{
    if (first > 0.0 && last <= 0.0) {
        *lower = wkMaxD(*lower, first / (first - last) * (1.0 - SHARE_ROUNDING));
    } else if (first <= 0.0 && last > 0.0) {
        *upper = wkMinD(*upper, first / (first - last) * (1.0 + SHARE_ROUNDING));
    }
}

// Clips by the values of d . F at the vertices, each with an error.
static void clipAlong(const directionValues* along, shareRange* range)
{
    double error = along->error;
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < VERTEX_COUNT; ++i) {
            int side = i >> k & 1;
            low[side] = wkMinD(low[side], along->values[i]);
            high[side] = wkMaxD(high[side], along->values[i]);
        }
        clipChord(low[0] - error, low[1] - error, &range->lower[k], &range->upper[k]);
        clipChord(-high[0] - error, -high[1] - error, &range->lower[k], &range->upper[k]);
    }
}

// Computes d . F at the vertices.
// @return bound on the rounding of each value
static double projectVertices(const wkMovingElement* element, const vertexValues* vertices,
                              wkVec3d d, double values[VERTEX_COUNT])
{
    for (int i = 0; i < VERTEX_COUNT && !element->isFine; ++i) {
        values[i] = d.x * vertices->at[0][i] + d.y * vertices->at[1][i] + d.z * vertices->at[2][i];
    }
    for (int i = 0; i < VERTEX_COUNT && element->isFine; ++i) {
        values[i] = wkDdDot(wkDdVecOf(d), vertices->fine[i]).high;
    }
    double error = element->noise * wkSumAbs(d);
    return element->isFine ? error + coarseError(values) : error;
}

// Projects the vertices on a direction.
// @return false: F is not zero anywhere in the cell
static bool projectAlong(const wkMovingElement* element, const vertexValues* vertices,
                         wkVec3d direction, directionValues* along)
{
    wkVec3d d = direction;
    if (element->isFine) {
        d = wkScale(1.0 / wkSumAbs(direction), direction);
    }
    along->error = projectVertices(element, vertices, d, along->values);
    return !isFree(along);
}

// The same on a coordinate axis: what boxes around the paths of both elements would show, and more.
static bool projectOnAxis(const wkMovingElement* element, const vertexValues* vertices, int axis,
                          directionValues* along)
{
    memcpy(along->values, vertices->at[axis], sizeof along->values);
    along->error = element->noise + (element->isFine ? coarseError(along->values) : 0.0);
    return !isFree(along);
}

// Directions that depend on one parameter alone, nearly: with columns T, U, W of the derivative of F, the rows of its
// inverse; the same without time, for motions along the plane of the elements; and the gap itself, for elements that
// are parallel or have no area.
static int chooseDirections(const wkElementTerms ends[2], const wkElementCell* cell,
                            wkVec3d directions[DIRECTION_CAPACITY])
{
    double uMiddle = 0.5 * (cell->lower[WK_ELEMENT_U] + cell->upper[WK_ELEMENT_U]);
    double wMiddle = 0.5 * (cell->lower[WK_ELEMENT_W] + cell->upper[WK_ELEMENT_W]);
    wkVec3d first = wkElementGap(&ends[0], uMiddle, wMiddle);
    wkVec3d last = wkElementGap(&ends[1], uMiddle, wMiddle);
    wkVec3d gap = wkMiddle(first, last), t = wkSub(last, first);
    wkVec3d u = wkMiddle(ends[0].u, ends[1].u), w = wkMiddle(ends[0].w, ends[1].w);
    wkVec3d normal = wkCross(u, w);
    wkVec3d along = wkLengthSquared(u) > wkLengthSquared(w) ? u : w;
    wkVec3d apart = wkCross(along, wkCross(gap, along));
    int count = 0;
    directions[count++] = normal;
    directions[count++] = wkCross(w, t);
    directions[count++] = wkCross(t, u);
    directions[count++] = wkCross(normal, u);
    directions[count++] = wkCross(normal, w);
    directions[count++] = wkCross(normal, wkSub(u, w));
    directions[count++] = apart;
    directions[count++] = wkCross(along, apart);
    directions[count++] = along;
    directions[count++] = gap;
    return count;
}

// The normal, then directions in the plane of the elements: neighbours in a smooth surface are free along those.
static const int directionOrder[DIRECTION_CAPACITY] = {0, 3, 4, 5, 1, 2, 6, 7, 8, 9};

static void measureSpread(const vertexValues* vertices, double spread[WK_ELEMENT_PARAMETERS])
{
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        spread[k] = 0.0;
        for (int i = 0; i < VERTEX_COUNT; ++i) {
            int other = i | 1 << k;
            for (int axis = 0; axis < 3; ++axis) {
                spread[k] =
                    wkMaxD(spread[k], fabs(vertices->at[axis][other] - vertices->at[axis][i]));
            }
        }
    }
}

// A cell with all weights of a triangle: its vertices with u = w = 1 are no weights. Those with u = 1, w = 0 take their
// place: slices of the triangle still lie between the chords of both sides.
static void narrowTriangle(const wkMovingElement* element, const wkElementCell* cell,
                           vertexValues* vertices)
{
    const double* lower = cell->lower;
    const double* upper = cell->upper;
    if (!element->isTriangle || lower[WK_ELEMENT_U] > 0.0 || lower[WK_ELEMENT_W] > 0.0 ||
        upper[WK_ELEMENT_U] < 1.0 || upper[WK_ELEMENT_W] < 1.0) {
        return;
    }
    for (int i = 6; i < VERTEX_COUNT; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            vertices->at[axis][i] = vertices->at[axis][i - 4];
        }
        if (element->isFine) {
            vertices->fine[i] = vertices->fine[i - 4];
        }
    }
}

// Applies shares to a cell, rounding outward.
static void shrinkCell(const wkMovingElement* element, const shareRange* range, wkElementCell* cell)
{
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        double lower = cell->lower[k], upper = cell->upper[k], width = upper - lower;
        double rounding = PARAMETER_ROUNDING * upper;
        if (range->lower[k] > 0.0) {
            cell->lower[k] = wkMaxD(lower, lower + range->lower[k] * width - rounding);
        }
        if (range->upper[k] < 1.0) {
            cell->upper[k] = wkMinD(upper, lower + range->upper[k] * width + rounding);
        }
    }
    if (element->isTriangle) {
        double* lower = cell->lower;
        double* upper = cell->upper;
        upper[WK_ELEMENT_U] =
            wkMinD(upper[WK_ELEMENT_U], 1.0 - lower[WK_ELEMENT_W] + PARAMETER_ROUNDING);
        upper[WK_ELEMENT_W] =
            wkMinD(upper[WK_ELEMENT_W], 1.0 - lower[WK_ELEMENT_U] + PARAMETER_ROUNDING);
    }
}

bool wkClipElementCell(const wkMovingElement* element, wkElementCell* cell,
                       double spread[WK_ELEMENT_PARAMETERS])
{
    wkElementTerms ends[2] = {wkElementTermsAt(element, cell->lower[WK_ELEMENT_T]),
                              wkElementTermsAt(element, cell->upper[WK_ELEMENT_T])};
    vertexValues vertices;
    evaluateVertices(element, ends, cell, &vertices);
    narrowTriangle(element, cell, &vertices);

    // most cells are free along some direction; the others are clipped along all of them
    directionValues along[AXIS_COUNT + DIRECTION_CAPACITY];
    int alongCount = 0;
    for (; alongCount < AXIS_COUNT; ++alongCount) {
        if (!projectOnAxis(element, &vertices, alongCount, &along[alongCount])) {
            return false;
        }
    }
    wkVec3d directions[DIRECTION_CAPACITY];
    int count = chooseDirections(ends, cell, directions);
    for (int i = 0; i < count; ++i) {
        wkVec3d direction = directions[directionOrder[i]];
        if (!(wkSumAbs(direction) > LEAST_DIRECTION)) {
            continue;
        }
        if (!projectAlong(element, &vertices, direction, &along[alongCount++])) {
            return false;
        }
    }
    shareRange range = {{0.0, 0.0, 0.0}, {1.0, 1.0, 1.0}};
    for (int i = 0; i < alongCount; ++i) {
        clipAlong(&along[i], &range);
    }
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        if (range.lower[k] > range.upper[k]) {
            return false;
        }
    }
    measureSpread(&vertices, spread);
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        spread[k] *= wkMaxD(0.0, range.upper[k] - range.lower[k]);
    }
    shrinkCell(element, &range, cell);
    // cells across the long side of the triangle may lie outside of it
    return cell->lower[WK_ELEMENT_U] <= cell->upper[WK_ELEMENT_U] &&
           cell->lower[WK_ELEMENT_W] <= cell->upper[WK_ELEMENT_W];
}

// Poincare and Miranda: a function whose k-th component is negative on the lower face and positive on the upper face
// of parameter k, for all k, has a zero in the cell. The rows of the inverse make the three components.
bool wkHoldsContact(const wkMovingElement* element, const wkElementCell* cell)
{
    wkElementTerms ends[2] = {wkElementTermsAt(element, cell->lower[WK_ELEMENT_T]),
                              wkElementTermsAt(element, cell->upper[WK_ELEMENT_T])};
    vertexValues vertices;
    evaluateVertices(element, ends, cell, &vertices);
    wkVec3d directions[DIRECTION_CAPACITY];
    (void)chooseDirections(ends, cell, directions);
    for (int k = 0; k < WK_ELEMENT_PARAMETERS; ++k) {
        double values[VERTEX_COUNT];
        double error = projectVertices(element, &vertices, directions[k], values);
        double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
        for (int i = 0; i < VERTEX_COUNT; ++i) {
            int side = i >> k & 1;
            low[side] = wkMinD(low[side], values[i]);
            high[side] = wkMaxD(high[side], values[i]);
        }
        bool rises = high[0] < -error && low[1] > error;
        bool falls = low[0] > error && high[1] < -error;
        if (!(wkSumAbs(directions[k]) > LEAST_DIRECTION) || !(rises || falls)) {
            return false;
        }
    }
    return true;
}
