// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What unit tests of shapes share: shapes of every type and proportion, points about them, and
// checks that print what they saw.

#include "cases.h"
#include "geom/convex.h"
#include "scenes/shapes.h"
#include "whisker/hull.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifndef UNIT_SEED
#define UNIT_SEED 20240611u
#endif

// Ordinary, on a grid, needles and plates, without size, tiny, huge.
#define UNIT_KIND_COUNT 6

static inline wkShape unitShape(wkRng* rng, const wkShapeBank* bank, wkShapeType type, int kind)
{
    switch (kind) {
    case 0:
        return wkRandomShape(rng, bank, type, 1.0);
    case 1:
        return wkGridShape(rng, bank, type, 0.25);
    case 2:
        return wkStretchedShape(rng, bank, type, 1.0, 1e5);
    case 3:
        return wkZeroSizeShape(rng, bank, type);
    case 4:
        return wkStretchedShape(rng, bank, type, 1e-4, 10.0);
    default:
        return wkStretchedShape(rng, bank, type, 1e4, 10.0);
    }
}

// Size of a shape, > 0: what errors are measured against.
static inline double unitSize(const wkShape* shape)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkInnerOuterSpheres sphere = row->sphere(shape);
    double reach = wkMaxAbs(sphere.center) + (row->isBounded ? sphere.radius : 1.0);
    return reach + fabs(wkShapeRadius(shape)) + 1e-6;
}

// A point in the shape's frame: near, far, on an axis, at the centre, on the surface or off it by
// little.
static inline wkVec3d unitPoint(wkRng* rng, const wkShape* shape)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    double size = unitSize(shape);
    wkVec3d direction = wkRngDirection(rng);
    wkVec3d surface = row->support(shape, direction);
    switch (wkRngBelow(rng, 8)) {
    case 0:
        return wkScale(size * wkRngRange(rng, 1.0, 3.0), direction);
    case 1:
        return wkScale(size * wkRngLogRange(rng, 1.0, 1e6), direction);
    case 2:
        return surface;
    case 3:
        return wkMulAdd(surface, size * wkRngLogRange(rng, 1e-17, 1e-3), wkRngDirection(rng));
    case 4:
        return wkMulAdd(wkScale(wkRngUnit(rng), surface), size * wkRngLogRange(rng, 1e-17, 1e-3),
                        wkRngDirection(rng));
    case 5: {
        double along = size * wkRngRange(rng, -2.0, 2.0);
        int axis = wkRngBelow(rng, 3);
        return wkVec(axis == 0 ? along : 0.0, axis == 1 ? along : 0.0, axis == 2 ? along : 0.0);
    }
    case 6:
        return wkVec(0.0, 0.0, 0.0);
    default:
        return wkScale(wkRngUnit(rng), surface);
    }
}

static inline void unitPrintShape(const wkShape* shape)
{
    const double* numbers = &shape->triangle.points[0].x;
    print_message("%s: rounding %.17g, padding %.17g, parameters", wkShapeTypeName(shape->type),
                  shape->rounding, shape->padding);
    for (int i = 0; i < (shape->type == wk_shapeTriangle ? 9 : 4); ++i) {
        print_message(" %.17g", numbers[i]);
    }
    print_message("\n");
}

#define UNIT_CHECK(condition, shape, ...)                                                          \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            unitPrintShape(shape);                                                                 \
            print_message(__VA_ARGS__);                                                            \
            print_message("\n");                                                                   \
            fail_msg("%s", #condition);                                                            \
        }                                                                                          \
    } while (0)

static inline void assertNear(double value, double expected, double tolerance)
{
    if (!(fabs(value - expected) <= tolerance)) {
        fail_msg("%.17g, expected %.17g within %g", value, expected, tolerance);
    }
}

static inline void assertVecNear(wkVec3d value, wkVec3d expected, double tolerance)
{
    if (!(wkMaxAbs(wkSub(value, expected)) <= tolerance)) {
        fail_msg("(%.17g %.17g %.17g), expected (%.17g %.17g %.17g)", value.x, value.y, value.z,
                 expected.x, expected.y, expected.z);
    }
}

// A definition that must not become a hull, and what the error must say of it.
static inline void expectRefusal(wkHullDef def, wkResult expected, const char* words)
{
    wkHull* hull = (wkHull*)&def;
    assert_int_equal(wkHull_Create(&def, &hull), expected);
    assert_null(hull);
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", wkGetLastError(), words);
    }
    assert_int_equal(wkGetByteCount(), 0);
}
