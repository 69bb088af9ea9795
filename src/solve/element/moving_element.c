// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// How two moving elements become one function, scaled so that no product overflows or vanishes.

#include "solve/element/moving_element.h"

#include "base/error.h"
#include "whisker/detail/counts.h"

#include <math.h>
#include <string.h>

// Coordinates above this are made smaller before they are subtracted, by 2^-LARGE_EXPONENT.
#define LARGE 1e300
#define LARGE_EXPONENT 40

// What a coordinate loses when it is made smaller and becomes denormal.
#define DENORMAL_EXPONENT (-1072)

// clang-format off
const wkElementRow wkElementTable[] = {
    [wk_elementVertexFace] = {"vertex-face", 0, 0, 1, 2, 3, true},
    [wk_elementEdgeEdge]   = {"edge-edge",   0, 1, 2, 2, 3, false},
};
// clang-format on

static double largestOf(const wkVec3d points[4])
{
    return wkMaxD(wkMaxD(wkMaxAbs(points[0]), wkMaxAbs(points[1])),
                  wkMaxD(wkMaxAbs(points[2]), wkMaxAbs(points[3])));
}

// Halves coordinates, where they are large, so that no difference overflows.
static bool copyPoints(const wkVec3d start[4], const wkVec3d end[4], wkVec3d points[2][4])
{
    bool isLarge = wkMaxD(largestOf(start), largestOf(end)) > LARGE;
    double factor = isLarge ? ldexp(1.0, -LARGE_EXPONENT) : 1.0;
    for (int i = 0; i < 4; ++i) {
        points[0][i] = wkScale(factor, start[i]);
        points[1][i] = wkScale(factor, end[i]);
    }
    return isLarge;
}

// A power of two that may itself be out of range.
typedef struct powerOfTwo {
    double first;
    double second; // the power is their product
} powerOfTwo;

// 2^exponent for -1022 to 1023, from the bits of a double.
static double twoTo(int exponent)
{
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double power;
    memcpy(&power, &bits, sizeof power);
    return power;
}

static powerOfTwo makePower(int exponent)
{
    powerOfTwo power = {twoTo(exponent / 2), twoTo(exponent - exponent / 2)};
    return power;
}

static wkVec3d multiply(const powerOfTwo* power, wkVec3d v)
{
    return wkScale(power->second, wkScale(power->first, v));
}

static double noiseOf(double rounding, bool isLarge, int exponent)
{
    return isLarge ? rounding + ldexp(1.0, DENORMAL_EXPONENT - exponent) : rounding;
}

// One of the two differences in U is of a point from itself, zero without rounding.
static void subtract(const wkElementRow* row, const wkVec3d points[4], int end,
                     wkMovingElement* element)
{
    wkVec3d a = points[row->a], b = points[row->b];
    element->base[end] = wkSub(a, b);
    element->u[end] = wkSub(wkSub(points[row->aU], a), wkSub(points[row->bU], b));
    element->w[end] = wkSub(b, points[row->bW]);
}

void wkPrepareElement(wkElementKind kind, const wkVec3d start[4], const wkVec3d end[4],
                      wkMovingElement* element)
{
    const wkElementRow* row = &wkElementTable[kind];
    wkVec3d points[2][4];
    bool isLarge = copyPoints(start, end, points);
    subtract(row, points[0], 0, element);
    subtract(row, points[1], 1, element);
    double size = 0.0;
    for (int i = 0; i < 2; ++i) {
        size = wkMaxD(size, wkMaxAbs(element->base[i]));
        size = wkMaxD(size, wkMaxD(wkMaxAbs(element->u[i]), wkMaxAbs(element->w[i])));
    }
    int exponent = 0;
    frexp(size, &exponent);
    powerOfTwo power = makePower(-exponent);
    for (int i = 0; i < 2; ++i) {
        element->base[i] = multiply(&power, element->base[i]);
        element->u[i] = multiply(&power, element->u[i]);
        element->w[i] = multiply(&power, element->w[i]);
    }
    element->noise = noiseOf(WK_ELEMENT_NOISE, isLarge, exponent);
    element->exponent = isLarge ? exponent + LARGE_EXPONENT : exponent;
    element->isTriangle = row->isTriangle;
    element->isFine = false;
}

// The difference of two points in scaled units, without rounding.
static wkDdVec subtractFine(wkVec3d a, wkVec3d b, const powerOfTwo* power)
{
    wkDoubleDouble x = wkDdSum(a.x, -b.x), y = wkDdSum(a.y, -b.y), z = wkDdSum(a.z, -b.z);
    wkVec3d high = multiply(power, wkVec(x.high, y.high, z.high));
    wkVec3d low = multiply(power, wkVec(x.low, y.low, z.low));
    wkDdVec result = {{high.x, low.x}, {high.y, low.y}, {high.z, low.z}};
    return result;
}

void wkRefineElement(wkElementKind kind, const wkVec3d start[4], const wkVec3d end[4],
                     wkMovingElement* element)
{
    const wkElementRow* row = &wkElementTable[kind];
    wkVec3d points[2][4];
    bool isLarge = copyPoints(start, end, points);
    int exponent = isLarge ? element->exponent - LARGE_EXPONENT : element->exponent;
    powerOfTwo power = makePower(-exponent);
    for (int i = 0; i < 2; ++i) {
        const wkVec3d* p = points[i];
        element->fineBase[i] = subtractFine(p[row->a], p[row->b], &power);
        element->fineU[i] = row->isTriangle ? subtractFine(p[row->b], p[row->bU], &power)
                                            : subtractFine(p[row->aU], p[row->a], &power);
        element->fineW[i] = subtractFine(p[row->b], p[row->bW], &power);
    }
    element->noise = noiseOf(WK_ELEMENT_FINE_NOISE, isLarge, exponent);
    element->isFine = true;
}

const char* wkElementKindName(wkElementKind kind)
{
    return (unsigned)kind < WK_ELEMENT_KIND_COUNT ? wkElementTable[kind].name : "none";
}

wkResult wkElementKindFromName(const char* name, wkElementKind* kind)
{
    for (int i = 0; name != NULL && i < WK_ELEMENT_KIND_COUNT; ++i) {
        if (strcmp(name, wkElementTable[i].name) == 0) {
            *kind = (wkElementKind)i;
            return wk_ok;
        }
    }
    return wkFail(wk_errorArgument, "\"%.40s\" is no kind of elements: vertex-face, edge-edge",
                  name != NULL ? name : "");
}
