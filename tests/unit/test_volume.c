// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounding volumes, all kinds alike: nothing is left outside, no bound is above the truth, and both
// hold to the last bit, so they are checked in long double against the floats that are stored.

#include "volume_kit.h"

static void expectAllIn(wkVolumeKind kind, int setKind, const void* volume, const wkFitted* set)
{
    for (int32_t i = 0; i < set->count; ++i) {
        if (!kindTable[kind].isIn(volume, set->points[i])) {
            fail_msg("%s, set %d: point %d (%.17g %.17g %.17g) is outside",
                     wkVolumeTable[kind].name, setKind, i, set->points[i].x, set->points[i].y,
                     set->points[i].z);
        }
    }
}

static void fit_leaves_no_point_outside(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    FOR_EACH_KIND(kind)
    {
        FOR_EACH_SET(setKind)
        {
            for (int i = 0; i < 200; ++i) {
                wkFitted set = makeFitted(&rng, kind, setKind);
                expectAllIn(kind, (int)setKind, set.volume, &set);
            }
        }
    }
}

static void box_is_around_the_volume(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    FOR_EACH_KIND(kind)
    {
        FOR_EACH_SET(setKind)
        {
            for (int i = 0; i < 50; ++i) {
                wkFitted set = makeFitted(&rng, kind, setKind);
                wkObb box = wkVolumeTable[kind].box(set.volume);
                double size = wkVolumeTable[kind].size(set.volume);
                assert_true(size >= 0.0 && size >= 2.0 * wkMaxAbs(box.half) * (1.0 - 1e-6));
                double slack = 1e-15 * (reachOf(&set) + wkMaxAbs(box.half));
                for (int32_t k = 0; k < set.count; ++k) {
                    wkVec3d local = wkAbs(wkFrameLocal(&box.frame, set.points[k]));
                    wkVec3d beyond = wkSub(local, box.half);
                    assert_true(beyond.x <= slack && beyond.y <= slack && beyond.z <= slack);
                }
            }
        }
    }
}

static void merge_holds_both(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    FOR_EACH_KIND(kind)
    {
        FOR_EACH_SET(setA)
        {
            FOR_EACH_SET(setB)
            {
                for (int i = 0; i < 10; ++i) {
                    wkFitted a = makeFitted(&rng, kind, setA), b = makeFitted(&rng, kind, setB);
                    _Alignas(8) char merged[WK_VOLUME_BYTES], again[WK_VOLUME_BYTES];
                    wkVolumeTable[kind].merge(a.volume, b.volume, merged);
                    expectAllIn(kind, (int)setA, merged, &a);
                    expectAllIn(kind, (int)setB, merged, &b);
                    // into one of the two
                    memcpy(again, a.volume, sizeof again);
                    wkVolumeTable[kind].merge(again, b.volume, again);
                    assert_memory_equal(again, merged, wkVolumeTable[kind].byteCount);
                }
            }
        }
    }
}

static void boxes_fit_boxes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 6);
    for (int i = 0; i < 100; ++i) {
        wkVec3d half = wkVec(1.0, wkRngRange(&rng, 0.4, 0.8), wkRngRange(&rng, 0.05, 0.3));
        wkFitted set = boxVertices(wk_volumeObb, half);
        wkFrame frame = randomFrame(&rng, 10.0);
        for (int32_t k = 0; k < set.count; ++k) {
            set.points[k] = wkFramePoint(&frame, set.points[k]);
        }
        fitSet(wk_volumeObb, &set);
        wkObb box = wkVolumeTable[wk_volumeObb].box(set.volume);
        assertNear(box.half.x * box.half.y * box.half.z, half.x * half.y * half.z, 1e-4);
    }
}

static void spheres_are_the_smallest(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 7);
    for (int i = 0; i < 100; ++i) {
        // a sphere through the vertices of a box, with points inside it
        wkFitted set = boxVertices(wk_volumeSphere, wkVec(1.0, 2.0, 3.0));
        for (int32_t k = set.count; k < MAX_POINTS; ++k) {
            set.points[k] = wkScale(3.5 * wkRngUnit(&rng), wkRngDirection(&rng));
        }
        set.count = MAX_POINTS;
        fitSet(wk_volumeSphere, &set);
        assertNear(wkVolumeTable[wk_volumeSphere].size(set.volume), 2.0 * sqrt(14.0), 1e-4);
    }
}

static void made_axes_are_orthonormal(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 8);
    wkVec3d directions[2] = {{0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}};
    wkMat3d axes;
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(0.0, 2.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(NAN, 2.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(INFINITY, 2.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    directions[0] = wkVec(0.0, 0.0, 1.0);
    directions[1] = wkVec(NAN, 0.0, 0.0);
    assert_false(wkMakeAxes(directions, &axes));
    for (int i = 0; i < 1000; ++i) {
        directions[0] = wkScale(wkRngLogRange(&rng, 1e-200, 1e200), wkRngDirection(&rng));
        directions[1] = wkScale(wkRngLogRange(&rng, 1e-200, 1e200), wkRngDirection(&rng));
        assert_true(wkMakeAxes(directions, &axes));
        assertNear(wkLength(axes.x), 1.0, 1e-15);
        assertNear(wkLength(axes.y), 1.0, 1e-15);
        assertNear(wkDot(axes.x, axes.y), 0.0, 1e-15);
        assertVecNear(wkCross(axes.x, axes.y), axes.z, 1e-15);
    }
}

static void floats_are_next_to_their_doubles(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 9);
    for (int i = 0; i < 100000; ++i) {
        double value = wkRngSign(&rng) * wkRngLogRange(&rng, 1e-60, 1e38);
        float down = wkRoundDown(value), up = wkRoundUp(value);
        assert_true((double)down <= value && value <= (double)up);
        double apart = (double)up - (double)down;
        assert_true(apart <= 4.0 * (double)FLT_EPSILON * fabs(value) + 2.0 * (double)FLT_MIN);
    }
    assert_true(wkRoundDown(0.0) == 0.0f && wkRoundUp(0.0) == 0.0f);
    assert_true(wkRoundUp(1e-300) > 0.0f && wkRoundDown(-1e-300) < 0.0f);
    assert_true(wkRoundUp(-1e-300) == 0.0f && wkRoundDown(1e-300) == 0.0f);
    assert_true(wkRoundUp(1.5) == 1.5f && wkRoundDown(-1.5) == -1.5f);
}

static void names_lead_back_to_kinds(void** state)
{
    (void)state;
    FOR_EACH_KIND(kind)
    {
        wkVolumeKind found = wk_volumeAabb;
        assert_int_equal(wkVolumeKindFromName(wkVolumeKindName(kind), &found), wk_ok);
        assert_int_equal(found, kind);
        assert_true(wkVolumeTable[kind].byteCount <= WK_VOLUME_BYTES);
    }
    wkVolumeKind kept = wk_volumeAabb;
    assert_int_equal(wkVolumeKindFromName("sphere", &kept), wk_ok);
    assert_int_equal(kept, wk_volumeSphere);
    assert_int_equal(wkVolumeKindFromName("cube", &kept), wk_errorArgument);
    assert_int_equal(wkVolumeKindFromName(NULL, &kept), wk_errorArgument);
    assert_int_equal(kept, wk_volumeSphere);
    assert_string_equal(wkVolumeKindName(WK_VOLUME_KIND_COUNT), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fit_leaves_no_point_outside),
        cmocka_unit_test(box_is_around_the_volume),
        cmocka_unit_test(merge_holds_both),
        cmocka_unit_test(boxes_fit_boxes),
        cmocka_unit_test(spheres_are_the_smallest),
        cmocka_unit_test(made_axes_are_orthonormal),
        cmocka_unit_test(floats_are_next_to_their_doubles),
        cmocka_unit_test(names_lead_back_to_kinds),
    };
    return cmocka_run_group_tests_name("volume", tests, NULL, NULL);
}
