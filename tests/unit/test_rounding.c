// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rounding to floats survives the compiler. gcc 12 drops it where it makes one vector of two numbers that become
// floats and doubles again (cmake/WhiskerFlags.cmake): a sphere measured from such a center is too small.

#include "unit_kit.h"

#include "math/round.h"
#include "math/vec.h"
#include "scenes/rng.h"

#define CASE_COUNT 1000

static __attribute__((noinline)) wkVec3d roundPoint(wkVec3d point)
{
    return wkVec((double)(float)point.x, (double)(float)point.y, (double)(float)point.z);
}

typedef struct storedSphere {
    float x, y, z, radius;
} storedSphere;

// A sphere about the stored center of a point, which contains the point.
static __attribute__((noinline)) storedSphere sphereAround(wkVec3d point)
{
    storedSphere sphere = {(float)point.x, (float)point.y, (float)point.z, 0.0f};
    wkVec3d center = wkVec((double)sphere.x, (double)sphere.y, (double)sphere.z);
    sphere.radius = wkRoundUp(wkLength(wkSub(point, center)));
    return sphere;
}

static wkVec3d drawPoint(wkRng* rng)
{
    double x = wkRngRange(rng, -2.0, 2.0), y = wkRngRange(rng, -2.0, 2.0);
    return wkVec(x, y, wkRngRange(rng, -2.0, 2.0));
}

// A number that the compiler knows nothing about.
static double stored(double value)
{
    volatile float rounded = (float)value;
    return (double)rounded;
}

static void points_round_to_floats(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(3);
    for (int i = 0; i < CASE_COUNT; i++) {
        wkVec3d point = drawPoint(&rng), rounded = roundPoint(point);
        assert_true(rounded.x == stored(point.x));
        assert_true(rounded.y == stored(point.y));
        assert_true(rounded.z == stored(point.z));
    }
}

static void spheres_about_stored_centers_contain_points(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(4);
    for (int i = 0; i < CASE_COUNT; i++) {
        wkVec3d point = drawPoint(&rng);
        storedSphere sphere = sphereAround(point);
        wkVec3d center = wkVec(stored(point.x), stored(point.y), stored(point.z));
        assert_true((double)sphere.radius >= wkLength(wkSub(point, center)));
    }
}

static void bounds_round_outward(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(5);
    for (int i = 0; i < CASE_COUNT; i++) {
        wkVec3d point = drawPoint(&rng);
        double values[4] = {point.x, point.y, point.z, point.x * 1e-42};
        float lower[4], upper[4];
        for (int k = 0; k < 4; k++) {
            lower[k] = wkRoundDown(values[k]);
            upper[k] = wkRoundUp(values[k]);
        }
        for (int k = 0; k < 4; k++) {
            assert_true((double)lower[k] <= values[k] && values[k] <= (double)upper[k]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(points_round_to_floats),
        cmocka_unit_test(spheres_about_stored_centers_contain_points),
        cmocka_unit_test(bounds_round_outward),
    };
    return cmocka_run_group_tests_name("rounding", tests, NULL, NULL);
}
