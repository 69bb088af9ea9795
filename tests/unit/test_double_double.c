// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers of twice the digits: identities that doubles miss by far.

#include "math/double_double.h"
#include "unit_kit.h"

// Of the largest number that takes part.
#define DD_TOLERANCE 1e-30

static wkDoubleDouble randomDd(wkRng* rng)
{
    double high = wkRngSign(rng) * wkRngLogRange(rng, 1e-6, 1e6);
    return wkDdOf(high, high * wkRngRange(rng, -1e-16, 1e-16));
}

static wkDdVec randomDdVec(wkRng* rng)
{
    wkDdVec v = {randomDd(rng), randomDd(rng), randomDd(rng)};
    return v;
}

static void assertNone(wkDoubleDouble rest, double size)
{
    if (!(fabs(rest.high) <= DD_TOLERANCE * size)) {
        fail_msg("%g is left, tolerance %g", rest.high, DD_TOLERANCE * size);
    }
}

static double sizeOf(wkDdVec v)
{
    return wkLength(wkCoarse(v));
}

static void sums_and_products_lose_nothing(void** state)
{
    (void)state;
    wkDoubleDouble sum = wkDdSum(1e16, 1.0), product = wkDdProduct(1e8 + 1.0, 1e8 - 1.0);
    assert_true(sum.high == 1e16 && sum.low == 1.0);
    assert_true(product.high == 1e16 && product.low == -1.0);
}

static void quotients_and_roots_lead_back(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 20000; ++i) {
        wkDoubleDouble a = randomDd(&rng), b = randomDd(&rng), square = wkDdMul(a, a);
        assertNone(wkDdSub(wkDdMul(wkDdDiv(a, b), b), a), fabs(a.high));
        wkDoubleDouble root = wkDdRoot(square);
        assertNone(wkDdSub(wkDdMul(root, root), square), square.high);
        wkDoubleDouble sum = wkDdAdd(a, b);
        assertNone(wkDdSub(wkDdSub(sum, b), a), fabs(a.high) + fabs(b.high));
    }
    wkDoubleDouble negative = {-1.0, 0.0};
    assert_true(wkDdRoot(negative).high == 0.0);
}

static void cross_products_are_at_right_angles(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 20000; ++i) {
        wkDdVec a = randomDdVec(&rng), b = randomDdVec(&rng);
        wkDdVec across = wkDdCross(a, b);
        double size = sizeOf(a) * sizeOf(a) * sizeOf(b);
        assertNone(wkDdDot(across, a), 10.0 * size);
        // a long edge less another one: the short side counts
        wkDdVec c = wkDdVecAdd(a, wkDdScale((wkDoubleDouble){1e-9, 0.0}, b));
        wkDdVec scaled = wkDdScale((wkDoubleDouble){1e-9, 0.0}, across);
        wkDdVec rest = wkDdVecSub(wkDdCross(a, c), scaled);
        assertNone(rest.x, 10.0 * sizeOf(a) * (sizeOf(a) + sizeOf(b)));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sums_and_products_lose_nothing),
        cmocka_unit_test(quotients_and_roots_lead_back),
        cmocka_unit_test(cross_products_are_at_right_angles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
