// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Numbers of twice the digits: identities that doubles miss by far.

#include "math/fine.h"
#include "unit.h"

// Of the largest number that takes part.
#define FINE_TOLERANCE 1e-30

static wkFine randomFine(wkRng* rng)
{
    double high = wkRngSign(rng) * wkRngLogRange(rng, 1e-6, 1e6);
    return wkFineOf(high, high * wkRngRange(rng, -1e-16, 1e-16));
}

static wkFineVec randomFineVec(wkRng* rng)
{
    wkFineVec v = {randomFine(rng), randomFine(rng), randomFine(rng)};
    return v;
}

static void assertNone(wkFine rest, double size)
{
    if (!(fabs(rest.high) <= FINE_TOLERANCE * size)) {
        fail_msg("%g is left, tolerance %g", rest.high, FINE_TOLERANCE * size);
    }
}

static double sizeOf(wkFineVec v)
{
    return wkLength(wkCoarse(v));
}

static void sums_and_products_lose_nothing(void** state)
{
    (void)state;
    wkFine sum = wkFineSum(1e16, 1.0), product = wkFineProduct(1e8 + 1.0, 1e8 - 1.0);
    assert_true(sum.high == 1e16 && sum.low == 1.0);
    assert_true(product.high == 1e16 && product.low == -1.0);
}

static void quotients_and_roots_lead_back(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 20000; ++i) {
        wkFine a = randomFine(&rng), b = randomFine(&rng), square = wkFineMul(a, a);
        assertNone(wkFineSub(wkFineMul(wkFineDiv(a, b), b), a), fabs(a.high));
        wkFine root = wkFineRoot(square);
        assertNone(wkFineSub(wkFineMul(root, root), square), square.high);
        wkFine sum = wkFineAdd(a, b);
        assertNone(wkFineSub(wkFineSub(sum, b), a), fabs(a.high) + fabs(b.high));
    }
    wkFine negative = {-1.0, 0.0};
    assert_true(wkFineRoot(negative).high == 0.0);
}

static void cross_products_are_at_right_angles(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < 20000; ++i) {
        wkFineVec a = randomFineVec(&rng), b = randomFineVec(&rng);
        wkFineVec across = wkFineCross(a, b);
        double size = sizeOf(a) * sizeOf(a) * sizeOf(b);
        assertNone(wkFineDot(across, a), 10.0 * size);
        // a long edge less another one: the short side counts
        wkFineVec c = wkFineVecAdd(a, wkFineScale((wkFine){1e-9, 0.0}, b));
        wkFineVec scaled = wkFineScale((wkFine){1e-9, 0.0}, across);
        wkFineVec rest = wkFineVecSub(wkFineCross(a, c), scaled);
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
