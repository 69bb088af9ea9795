// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds on how far lenses bend lines, against dense samples: no point of a cell falls further beside the
// bilinear patch between its vertices, for lenses as they are sold and for those made to deceive samples.

#include "../unit/unit_kit.h"
#include "lenses.h"

#include "math/angle.h"
#include "scenes/rng.h"
#include "sense/depth_fill.h"
#include "sense/lens_bend.h"

#define CELL 4

// clang-format off
static const namedLens bendTable[] = {
    {"Azure Kinect depth", wk_distortionBrown, {5.4457, 3.3969, 1.0e-4, -5.0e-5, 0.16996, 5.7804, 5.0923, 0.8903}},
    {"Azure Kinect color", wk_distortionBrown, {0.4963, -2.7163, 4.3e-4, -2.9e-4, 1.5976, 0.3769, -2.5333, 1.5207}},
    {"RealSense D435",     wk_distortionBrown, {-0.0552, 0.0657, -7.2e-4, 3.1e-4, -0.0211}},
    {"wide fisheye",       wk_distortionFisheye, {0.0835, -0.0431, 0.0302, -0.0104}},
    {"RealSense T265",     wk_distortionFisheye, {-0.0060, 0.0412, -0.0390, 0.0069}},
    {"fisheye that swings", wk_distortionFisheye, {0.4, -0.6, 0.45, -0.1}},
    {"pole just outside",  wk_distortionBrown, {0.0, 0.0, 0.0, 0.0, 0.0, -0.9, 0.0, 0.0}},
    // the divisor all but vanishes in a narrow ring, which samples on a grid may miss
    {"narrow ring",        wk_distortionBrown, {-11.0, 30.253034075, 0.0, 0.0, 0.0, -11.0, 30.253025, 0.0}},
};
// clang-format on
#define BEND_COUNT ((int)(sizeof bendTable / sizeof bendTable[0]))

typedef struct pixel {
    double u, v;
} pixel;

typedef struct bendCase {
    wkLens lens;
    wkCamera straight;
    wkBendBounds bounds;
    double longest;
} bendCase;

// @param aspect height of a pixel for a width of 1
static bendCase makeCase(const namedLens* lens, double aspect)
{
    wkCamera camera = cameraWith(lens);
    camera.fx *= fmin(aspect, 1.0);
    camera.fy /= fmax(aspect, 1.0);
    bendCase c = {.lens = wkMakeLens(&camera), .straight = wkStraightCamera(&camera)};
    bool isAngle = lens->distortion == wk_distortionFisheye;
    double limit = isAngle ? tan(fmin(c.lens.limit, 1.5)) : c.lens.limit;
    double x = fmax(c.straight.cx, c.straight.width - c.straight.cx) / c.straight.fx;
    double y = fmax(c.straight.cy, c.straight.height - c.straight.cy) / c.straight.fy;
    c.longest = fmin(limit, hypot(x, y));
    c.bounds = wkBoundBending(&c.lens, &c.straight, CELL, c.longest);
    return c;
}

static wkSlope slopeAt(const bendCase* c, double u, double v)
{
    wkSlope s = {(u - c->straight.cx) / c->straight.fx, (v - c->straight.cy) / c->straight.fy};
    return s;
}

static bool pixelAt(const bendCase* c, double u, double v, pixel* p)
{
    wkSlope s = slopeAt(c, u, v);
    return wkLens_Project(&c->lens, wkVec(s.x, s.y, 1.0), &p->u, &p->v);
}

// The furthest that samples of a cell fall beside the patch; below zero: the lens does not have all of it.
static double worstOf(const bendCase* c, double left, double top, int samples, double* length)
{
    pixel vertices[4];
    *length = 0.0;
    for (int i = 0; i < 4; ++i) {
        double u = left + CELL * (i % 2), v = top + CELL * (i / 2);
        wkSlope s = slopeAt(c, u, v);
        *length = fmax(*length, hypot(s.x, s.y));
        if (!pixelAt(c, u, v, &vertices[i])) {
            return -1.0;
        }
    }
    double worst = 0.0;
    for (int i = 0; i <= samples; ++i) {
        for (int k = 0; k <= samples; ++k) {
            double a = (double)i / samples, b = (double)k / samples;
            pixel p;
            if (*length >= c->longest || !pixelAt(c, left + CELL * a, top + CELL * b, &p)) {
                return -1.0;
            }
            double u = (1.0 - b) * ((1.0 - a) * vertices[0].u + a * vertices[1].u) +
                       b * ((1.0 - a) * vertices[2].u + a * vertices[3].u);
            double v = (1.0 - b) * ((1.0 - a) * vertices[0].v + a * vertices[1].v) +
                       b * ((1.0 - a) * vertices[2].v + a * vertices[3].v);
            worst = fmax(worst, fmax(fabs(p.u - u), fabs(p.v - v)));
        }
    }
    return worst;
}

static void checkLens(const namedLens* lens, double aspect, int cellCount, wkRng* rng, bool isReal)
{
    bendCase c = makeCase(lens, aspect);
    double worstShare = 0.0, worstPixels = 0.0, slack = 0.0;
    for (int i = 0; i < cellCount; ++i) {
        double left = wkRngRange(rng, -0.5, c.straight.width - 0.5);
        double top = wkRngRange(rng, -0.5, c.straight.height - 0.5);
        double length, worst = worstOf(&c, left, top, 8, &length);
        if (worst < 0.0) {
            continue;
        }
        double bound = wkBendSlack(&c.bounds, length);
        if (!(worst <= bound)) {
            fail_msg("%s: at (%g, %g) a point is off by %g pixels, at most %g were proven",
                     lens->name, left, top, worst, bound);
        }
        worstShare = fmax(worstShare, worst / bound);
        worstPixels = fmax(worstPixels, worst);
        slack = fmax(slack, bound);
    }
    if (isReal) {
        print_message("%-20s off by %.4f pixels, proven %.4f, %.2f of it used\n", lens->name,
                      worstPixels, slack, worstShare);
        // what is of use: not much more than there is, or next to nothing
        assert_true(slack <= 6.0 * worstPixels + 0.01);
    }
}

static void no_point_of_a_cell_is_further_off_than_proven(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < LENS_COUNT; ++i) {
        checkLens(&lensTable[i], 1.0, 4000, &rng, false);
    }
    for (int i = 0; i < BEND_COUNT; ++i) {
        checkLens(&bendTable[i], 1.0, 8000, &rng, i < 5);
    }
}

// Pixels that are not square: each term of the bound is the largest one for some of them.
static void pixels_of_every_aspect_are_bounded(void** state)
{
    (void)state;
    static const double aspects[] = {0.02, 0.1, 0.25, 4.0, 10.0, 50.0};
    wkRng rng = wkMakeRng(UNIT_SEED + 3);
    for (size_t k = 0; k < sizeof aspects / sizeof aspects[0]; ++k) {
        for (int i = 0; i < LENS_COUNT; ++i) {
            checkLens(&lensTable[i], aspects[k], 1500, &rng, false);
        }
        for (int i = 0; i < BEND_COUNT; ++i) {
            checkLens(&bendTable[i], aspects[k], 1500, &rng, false);
        }
    }
}

static void lenses_of_random_coefficients_are_bounded(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    for (int i = 0; i < 400; ++i) {
        namedLens lens = {"random", i % 2 == 0 ? wk_distortionBrown : wk_distortionFisheye, {0}};
        double size = wkRngLogRange(&rng, 1e-3, i % 3 == 0 ? 50.0 : 1.0);
        for (int k = 0; k < (i % 2 == 0 ? 8 : 4); ++k) {
            bool isTangential = i % 2 == 0 && (k == 2 || k == 3);
            lens.coefficients[k] = wkRngRange(&rng, -size, size) * (isTangential ? 0.01 : 1.0);
        }
        checkLens(&lens, 1.0, 300, &rng, false);
    }
}

// What is bent in a ring narrower than a pixel is bounded where samples on a grid may miss it, and what is
// within the ring is not spoilt by it.
static void rings_narrower_than_a_pixel_are_bounded(void** state)
{
    (void)state;
    bendCase c = makeCase(&bendTable[BEND_COUNT - 1], 1.0);
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    double truly = 0.0, length;
    for (int i = 0; i < 200000; ++i) {
        double u = wkRngRange(&rng, 0.0, c.straight.width), v = 0.5 * c.straight.height;
        truly = fmax(truly, worstOf(&c, u, v, 4, &length));
    }
    assert_true(truly > 0.1 && truly <= c.bounds.slack[WK_BEND_RINGS]);
    assert_true(wkBendSlack(&c.bounds, 0.2) < 0.05);
}

// With one coefficient k, A = 6 k r and B = 2 k r, both largest at the rim: the bound has all four of its terms,
// also where samples of cells do not need one of them.
static void one_coefficient_has_the_bound_of_the_formula(void** state)
{
    (void)state;
    static const double aspects[] = {0.1, 1.0, 10.0};
    const namedLens lens = {"one coefficient", wk_distortionBrown, {0.1}};
    double share = 2.0 / (3.0 * sqrt(3.0)); // M
    for (size_t k = 0; k < sizeof aspects / sizeof aspects[0]; ++k) {
        bendCase c = makeCase(&lens, aspects[k]);
        double along = 6.0 * 0.1 * c.longest, across = 2.0 * 0.1 * c.longest;
        double straight = along + 3.0 * share * across, crossed = share * along + across;
        double u = CELL * CELL / 8.0 / (c.straight.fx * c.straight.fx);
        double v = CELL * CELL / 8.0 / (c.straight.fy * c.straight.fy);
        double expected = fmax(c.lens.camera.fx * (u * straight + v * crossed),
                               c.lens.camera.fy * (u * crossed + v * straight));
        double bound = c.bounds.slack[WK_BEND_RINGS];
        if (!(bound >= expected) || !(bound <= 1.2 * expected + 0.01)) {
            fail_msg("aspect %g: %.17g pixels, expected %.17g", aspects[k], bound, expected);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_point_of_a_cell_is_further_off_than_proven),
        cmocka_unit_test(pixels_of_every_aspect_are_bounded),
        cmocka_unit_test(lenses_of_random_coefficients_are_bounded),
        cmocka_unit_test(rings_narrower_than_a_pixel_are_bounded),
        cmocka_unit_test(one_coefficient_has_the_bound_of_the_formula),
    };
    return cmocka_run_group_tests_name("how far lenses bend", tests, NULL, NULL);
}
