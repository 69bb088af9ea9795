// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Splits by surface: the same for every instruction set, and nothing is lost.

#include "tree/bvh/bvh.h"

#include "kit.h"

#define MOST_ITEMS 3000

// Numbers of items around every limit at which the way of splitting changes.
static const int32_t counts[] = {3,  4,   5,   8,   9,   16,  17,  63,        64,
                                 65, 255, 256, 257, 511, 512, 513, MOST_ITEMS};
#define COUNT_COUNT ((int)(sizeof counts / sizeof counts[0]))

static _Alignas(64) wkBvhItem given[MOST_ITEMS], expected[MOST_ITEMS], found[MOST_ITEMS];

// Boxes anywhere, in a plane, on a line, or all at one place.
static void makeItems(wkRng* rng, int32_t count, int dimension)
{
    for (int32_t i = 0; i < count; ++i) {
        given[i].lower = wkQuadOf(1.0f);
        given[i].upper = wkQuadOf(1.0f);
        for (int axis = 0; axis < dimension; ++axis) {
            given[i].lower[axis] = (float)wkRngRange(rng, -10.0, 10.0);
            given[i].upper[axis] = given[i].lower[axis] + (float)wkRngUnit(rng);
        }
        wkSetItemIndex(&given[i], i);
    }
}

static void assertSameBox(wkBvhBox a, wkBvhBox b)
{
    for (int axis = 0; axis < 3; ++axis) {
        assert_true(a.lower[axis] == b.lower[axis] && a.upper[axis] == b.upper[axis]);
    }
}

static void assertSameRange(const wkBvhRange* a, const wkBvhRange* b)
{
    assert_int_equal(a->first, b->first);
    assert_int_equal(a->count, b->count);
    assertSameBox(a->box, b->box);
    assertSameBox(a->centers, b->centers);
}

// Halves follow each other, and know what is in them.
static void assertWhole(const wkBvhItem* items, int32_t count, const wkBvhRange halves[2])
{
    assert_int_equal(halves[0].first, 0);
    assert_int_equal(halves[1].first, halves[0].count);
    assert_int_equal(halves[0].count + halves[1].count, count);
    assert_true(halves[0].count > 0 && halves[1].count > 0);
    static bool isThere[MOST_ITEMS];
    memset(isThere, 0, sizeof isThere);
    for (int32_t i = 0; i < count; ++i) {
        int32_t index = wkItemIndex(&items[i]);
        assert_false(isThere[index]);
        isThere[index] = true;
        assertSameBox(items[i], given[index]);
    }
    for (int k = 0; k < 2; ++k) {
        wkBvhRange range = wkGatherRange(items, halves[k].first, halves[k].count);
        assertSameRange(&halves[k], &range);
    }
}

static void every_instruction_set_splits_alike(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(31u);
    wkBvhRule rule = {.split = wkSplitBySurface};
    for (int test = 0; test < 4 * COUNT_COUNT; ++test) {
        int32_t count = counts[test / 4];
        size_t byteCount = (size_t)count * sizeof given[0];
        makeItems(&rng, count, test % 4);
        wkBvhRange whole = wkGatherRange(given, 0, count), halves[2];
        memcpy(expected, given, byteCount);
        wkSplitBySurface(&rule, expected, &whole, halves);
        assertWhole(expected, count, halves);
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            wkSplitRangeFcn* split = wkSurfaceSplitOf((wkIsa)isa);
            if (split != NULL) {
                wkBvhRange own[2];
                memcpy(found, given, byteCount);
                split(&rule, found, &whole, own);
                assert_memory_equal(found, expected, byteCount);
                assertSameRange(&own[0], &halves[0]);
                assertSameRange(&own[1], &halves[1]);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_instruction_set_splits_alike)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
