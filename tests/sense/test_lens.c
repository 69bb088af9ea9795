// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lenses there and back, and how far they can be told.

#include "../unit/unit_kit.h"
#include "lenses.h"

#include "math/angle.h"
#include "scenes/rng.h"
#include "sense/lens.h"

// Slopes that are tried: up to 80 degrees.
#define STEEPEST 5.7

static double gap(wkSlope a, wkSlope b)
{
    return hypot(a.x - b.x, a.y - b.y);
}

static wkSlope randomSlope(wkRng* rng, double longest)
{
    double length = longest * sqrt(wkRngRange(rng, 0.0, 1.0)), angle = wkRngRange(rng, -4.0, 4.0);
    wkSlope slope = {length * cos(angle), length * sin(angle)};
    return slope;
}

// Limits as slopes, no longer than those that are tried.
static double longestSlope(const wkLens* lens)
{
    bool isAngle = lens->camera.distortion == wk_distortionFisheye;
    return fmin(isAngle ? tan(fmin(lens->limit, 1.5)) : lens->limit, STEEPEST);
}

static void slopes_come_back(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(1);
    for (int i = 0; i < LENS_COUNT; i++) {
        wkCamera camera = cameraWith(&lensTable[i]);
        wkLens lens = wkMakeLens(&camera);
        for (int k = 0; k < 20000; k++) {
            wkSlope slope = randomSlope(&rng, longestSlope(&lens)), bent = {0.0, 0.0};
            assert_true(wkLens_Bend(&lens, slope, &bent));
            wkSlope back = wkLens_Unbend(&lens, bent), again = {0.0, 0.0};
            assert_true(wkLens_Bend(&lens, back, &again));
            // next to a fold the slope is not well told, and next to a pole not what becomes of it
            double slopeOff = gap(back, slope) / (1.0 + hypot(slope.x, slope.y));
            double bentOff = gap(again, bent) / (1.0 + hypot(bent.x, bent.y));
            if (!(fmin(slopeOff, bentOff) < 1e-12)) {
                fail_msg("%s: (%.17g, %.17g) came back as (%.17g, %.17g)", lensTable[i].name,
                         slope.x, slope.y, back.x, back.y);
            }
            if (hypot(slope.x, slope.y) < 0.9 * longestSlope(&lens)) {
                assert_true(slopeOff < 1e-11);
            }
        }
    }
}

// Looks at many slopes: a lens that is one to one keeps the order of three slopes around a vertex.
static void lenses_rotation_no_triangle_over(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(2);
    for (int i = 0; i < LENS_COUNT; i++) {
        wkCamera camera = cameraWith(&lensTable[i]);
        wkLens lens = wkMakeLens(&camera);
        for (int k = 0; k < 20000; k++) {
            wkSlope a = randomSlope(&rng, 0.999 * longestSlope(&lens));
            double h = 1e-6;
            wkSlope b = {a.x + h, a.y}, c = {a.x, a.y + h}, p[3];
            assert_true(wkLens_Bend(&lens, a, &p[0]) && wkLens_Bend(&lens, b, &p[1]) &&
                        wkLens_Bend(&lens, c, &p[2]));
            double area =
                (p[1].x - p[0].x) * (p[2].y - p[0].y) - (p[1].y - p[0].y) * (p[2].x - p[0].x);
            assert_true(area > 0.0);
        }
    }
}

// Where a radial lens folds: found by walking, in steps.
static double foldByWalking(const wkLens* lens)
{
    double previous = 0.0;
    for (int i = 1; i <= 500000; i++) {
        double r = i * 1e-5;
        double t = r * r;
        const double* k = lens->camera.coefficients;
        double under = 1.0 + t * (k[5] + t * (k[6] + t * k[7]));
        double bent = r * (1.0 + t * (k[0] + t * (k[1] + t * k[4]))) / under;
        if (under <= 0.0 || bent <= previous) {
            return r;
        }
        previous = bent;
    }
    return INFINITY;
}

static void radial_lenses_are_inverted_up_to_the_fold(void** state)
{
    (void)state;
    int foldCount = 0;
    for (int i = 0; i < LENS_COUNT; i++) {
        wkCamera camera = cameraWith(&lensTable[i]);
        if (camera.distortion != wk_distortionBrown) {
            continue;
        }
        wkLens lens = wkMakeLens(&camera);
        double fold = foldByWalking(&lens);
        bool isRadial = camera.coefficients[2] == 0.0 && camera.coefficients[3] == 0.0;
        assert_true(lens.limit <= fold);
        if (isRadial && isfinite(fold)) {
            foldCount++;
            assert_true(lens.limit >= fold - 2e-5);
        } else if (isRadial) {
            assert_true(lens.limit >= 5.0);
        }
    }
    assert_true(foldCount >= 2);
}

static void a_fisheye_is_inverted_up_to_the_fold(void** state)
{
    (void)state;
    wkCamera camera = wkDefaultCamera();
    camera.distortion = wk_distortionFisheye;
    camera.coefficients[0] = -0.5;
    wkLens lens = wkMakeLens(&camera);
    assert_true(fabs(lens.limit - sqrt(1.0 / 1.5)) < 1e-8);
    camera.coefficients[0] = 0.0;
    lens = wkMakeLens(&camera);
    assert_true(lens.limit < 0.5 * WK_PI && lens.limit > 0.5 * WK_PI - 1e-5);
}

static void pixels_that_no_slope_reaches_are_nan(void** state)
{
    (void)state;
    for (int i = 0; i < LENS_COUNT; i++) {
        wkCamera camera = cameraWith(&lensTable[i]);
        wkLens lens = wkMakeLens(&camera);
        bool isFolded = longestSlope(&lens) < STEEPEST;
        const double far[4][2] = {{1e7, 0.0}, {-1e7, 3.0}, {NAN, 0.0}, {0.0, INFINITY}};
        for (int k = isFolded ? 0 : 2; k < 4; k++) {
            wkVec3d point = wkCamera_Unproject(&camera, far[k][0], far[k][1]);
            // a pole sends slopes anywhere before it ends the lens
            assert_true(isnan(point.z) || fabs(point.x) + fabs(point.y) < 2.0 * STEEPEST);
            assert_true(k < 2 || isnan(point.z));
        }
    }
}

static void a_known_lens_bends_as_written_down(void** state)
{
    (void)state;
    wkCamera camera = wkDefaultCamera();
    camera.distortion = wk_distortionBrown;
    const double k[8] = {0.1, 0.2, 0.01, 0.02, 0.3, 0.4, 0.5, 0.6};
    double x = 0.3, y = -0.2, t = x * x + y * y;
    for (int i = 0; i < 8; i++) {
        camera.coefficients[i] = k[i];
    }
    double radial = (1 + k[0] * t + k[1] * t * t + k[4] * t * t * t) /
                    (1 + k[5] * t + k[6] * t * t + k[7] * t * t * t);
    double u = 0.0, v = 0.0;
    assert_true(wkCamera_Project(&camera, wkVec(2.0 * x, 2.0 * y, 2.0), &u, &v));
    double bentX = x * radial + 2.0 * k[2] * x * y + k[3] * (t + 2.0 * x * x);
    double bentY = y * radial + k[2] * (t + 2.0 * y * y) + 2.0 * k[3] * x * y;
    assert_true(fabs(u - (525.0 * bentX + 319.5)) < 1e-10);
    assert_true(fabs(v - (525.0 * bentY + 239.5)) < 1e-10);

    camera.distortion = wk_distortionFisheye;
    double r = sqrt(t), a = atan(r), a2 = a * a;
    double bent = a * (1 + a2 * (k[0] + a2 * (k[1] + a2 * (k[2] + a2 * k[3]))));
    assert_true(wkCamera_Project(&camera, wkVec(x, y, 1.0), &u, &v));
    assert_true(fabs(u - (525.0 * bent * x / r + 319.5)) < 1e-10);
    assert_true(fabs(v - (525.0 * bent * y / r + 239.5)) < 1e-10);
}

static void points_behind_the_camera_are_not_observed(void** state)
{
    (void)state;
    for (int i = 0; i < LENS_COUNT; i++) {
        wkCamera camera = cameraWith(&lensTable[i]);
        double u = 0.0, v = 0.0;
        const wkVec3d points[] = {{0, 0, 0},   {0, 0, -1},  {1, 1, -2},        {1, 0, 0},
                                  {NAN, 0, 1}, {0, 0, NAN}, {1e300, 0, 1e-300}};
        for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
            assert_false(wkCamera_Project(&camera, points[k], &u, &v));
            assert_true(isnan(u) && isnan(v));
        }
        assert_true(wkCamera_Project(&camera, wkVec(0.0, 0.0, 3.0), &u, &v));
        assert_true(u == camera.cx && v == camera.cy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slopes_come_back),
        cmocka_unit_test(lenses_rotation_no_triangle_over),
        cmocka_unit_test(radial_lenses_are_inverted_up_to_the_fold),
        cmocka_unit_test(a_fisheye_is_inverted_up_to_the_fold),
        cmocka_unit_test(pixels_that_no_slope_reaches_are_nan),
        cmocka_unit_test(a_known_lens_bends_as_written_down),
        cmocka_unit_test(points_behind_the_camera_are_not_observed),
    };
    return cmocka_run_group_tests_name("sense.lens", tests, NULL, NULL);
}
