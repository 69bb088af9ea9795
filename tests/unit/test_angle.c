// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sine and cosine against those of the C library.

#include "unit_kit.h"

#include "math/angle.h"
#include "scenes/rng.h"

#include <float.h>

// Units in the last place of `exact` by which a number is off.
static double ulpsOff(double value, double exact)
{
    int exponent = 0;
    frexp(exact, &exponent);
    return fabs(value - exact) / fmax(ldexp(1.0, exponent - 53), 0x1p-1074);
}

// That of the C library is off by a little more than half a unit itself.
#define ALLOWED_ULPS 1.01

static void check(double angle)
{
    double s = 0.0, c = 0.0;
    wkSinCos(angle, &s, &c);
    if (!(ulpsOff(s, sin(angle)) <= ALLOWED_ULPS) || !(ulpsOff(c, cos(angle)) <= ALLOWED_ULPS)) {
        fail_msg("sine and cosine of %.17g are %.17g %.17g, not %.17g %.17g", angle, s, c,
                 sin(angle), cos(angle));
    }
}

static void sine_and_cosine_are_those_of_the_library(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(3);
    for (int i = 0; i < 400000; i++) {
        check(wkRngRange(&rng, -7.0, 7.0));
        check(wkRngSign(&rng) * wkRngLogRange(&rng, 1e-300, 1e6));
    }
}

static void angles_next_to_whole_quarters_are_as_good(void** state)
{
    (void)state;
    for (int i = 0; i < 640000; i++) {
        double angle = (double)i * (0.5 * WK_PI);
        check(angle);
        check(-nextafter(angle, INFINITY));
        check((double)i * (0.25 * WK_PI));
    }
}

static void huge_angles_are_as_good(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(5);
    for (int i = 0; i < 100000; i++) {
        check(wkRngSign(&rng) * ldexp(wkRngRange(&rng, 0.5, 1.0), 20 + wkRngBelow(&rng, 1005)));
    }
    check(DBL_MAX);
    check(-WK_LARGE_ANGLE);
    check(nextafter(WK_LARGE_ANGLE, 0.0));
}

static void known_angles_are_exact(void** state)
{
    (void)state;
    static const struct {
        double angle, sine, cosine;
    } rows[] = {
        {0.0, 0.0, 1.0},
        {0.5 * WK_PI, 1.0, 0x1.1a62633145c07p-54},
        {0x1p-1074, 0x1p-1074, 1.0},
        // the double that is closest to a whole number of quarters (Kahan)
        {0x1.6ac5b262ca1ffp+849, 1.0, -0x1.14ae72e6ba22fp-61},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        double s = 0.0, c = 0.0;
        wkSinCos(rows[i].angle, &s, &c);
        assert_true(s == rows[i].sine && c == rows[i].cosine);
    }
    const double none[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        double s = 0.0, c = 0.0;
        wkSinCos(none[i], &s, &c);
        assert_true(s != s && c != c);
    }
}

static void arcs_are_those_of_the_library(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(7);
    for (int i = 0; i < 200000; i++) {
        double x = wkRngLogRange(&rng, 1e-30, 1e3), y = wkRngLogRange(&rng, 1e-30, 1e3);
        y = wkRngChance(&rng, 2) ? wkRngUnit(&rng) * x : y;
        double arc = wkArc(x, y), exact = atan2(y, x);
        if (!(ulpsOff(arc, exact) <= 2.0)) {
            fail_msg("arc of %.17g %.17g is %.17g, not %.17g", x, y, arc, exact);
        }
    }
    assert_true(wkArc(0.0, 0.0) == 0.0);
    assert_true(wkArc(0.0, 2.0) == 0.5 * WK_PI);
    assert_true(wkArc(3.0, 0.0) == 0.0);
}

static void rotations_go_the_short_way(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(9);
    for (int i = 0; i < 10000; i++) {
        double angle = wkRngRange(&rng, -100.0, 100.0);
        double turn = wkShortestAngle(angle);
        assert_true(fabs(turn) <= WK_PI + 1e-13);
        assert_true(fabs(sin(angle) - sin(turn)) < 1e-13);
        assert_true(fabs(cos(angle) - cos(turn)) < 1e-13);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sine_and_cosine_are_those_of_the_library),
        cmocka_unit_test(angles_next_to_whole_quarters_are_as_good),
        cmocka_unit_test(huge_angles_are_as_good),
        cmocka_unit_test(known_angles_are_exact),
        cmocka_unit_test(arcs_are_those_of_the_library),
        cmocka_unit_test(rotations_go_the_short_way),
    };
    return cmocka_run_group_tests_name("unit.angle", tests, NULL, NULL);
}
