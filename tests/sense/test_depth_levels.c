// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The levels and entries of depth maps: least depths of blocks and of what is around them, the same in all lanes,
// for images of every size.

#include "depth_map_kit.h"

// Rows give the same bits in all lanes, and what the plain function says.
static void rows_are_the_same_in_all_lanes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(4);
    wkDepthRecipe recipes[] = {{1.0f, 0.0f, WK_FARTHEST, 0.001f, 0.003f, 0.05f},
                               {0.001f, 0.4f, 4.0f, 0.0f, 0.0f, 0.0f},
                               {1e9f, 0.0f, WK_FARTHEST, 1e9f, 1e9f, 1e9f}};
    _Alignas(64) static float values[64], freeTo[64], end[64];
    _Alignas(64) static uint16_t words[64];
    const float special[] = {0.0f, -1.0f, NAN, INFINITY, -INFINITY, 1e-40f, 1e38f, 4.0f, 400.0f};
    for (int i = 0; i < 64; ++i) {
        words[i] = (uint16_t)(wkRngChance(&rng, 5) ? 0 : wkRngBelow(&rng, 65536));
        values[i] = i < 9 ? special[i] : (float)wkRngRange(&rng, 0.0, 6.0);
    }
    for (size_t r = 0; r < sizeof recipes / sizeof recipes[0]; ++r) {
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkDepthLanes* lanes = wkDepthLanesOf((wkIsa)isa);
            for (int isFloat = 0; isFloat < 2 && lanes != NULL; ++isFloat) {
                int32_t count = isFloat ? lanes->proveFloats(&recipes[r], values, 64, freeTo, end)
                                        : lanes->proveWords(&recipes[r], words, 64, freeTo, end);
                int32_t expected = 0;
                for (int i = 0; i < 64; ++i) {
                    float value = isFloat ? values[i] : (float)words[i];
                    float depth = value * recipes[r].scale;
                    wkProvenDepth plain = wkProveDepth(&recipes[r], value);
                    expected += depth > recipes[r].minDepth && depth < INFINITY;
                    assert_memory_equal(&plain.freeTo, &freeTo[i], sizeof(float));
                    assert_memory_equal(&plain.surfaceEnd, &end[i], sizeof(float));
                }
                assert_int_equal(count, expected);
            }
        }
    }
}

// Bounds of a block of pixels, one by one.
typedef struct plainBlock {
    float free, nearest, end;
} plainBlock;

static plainBlock blockOf(const wkDepthMap* map, int32_t left, int32_t top, int32_t side)
{
    plainBlock block = {WK_FARTHEST, WK_FARTHEST, WK_NO_SURFACE};
    for (int32_t v = top; v < top + side && v < map->camera.height; ++v) {
        for (int32_t u = left; u < left + side && u < map->camera.width; ++u) {
            int32_t i = v * map->pitch + u;
            bool isSurface = map->surfaceEnd[i] >= 0.0f;
            block.free = fminf(block.free, map->freeTo[i]);
            block.nearest = isSurface ? fminf(block.nearest, map->freeTo[i]) : block.nearest;
            block.end = fmaxf(block.end, map->surfaceEnd[i]);
        }
    }
    return block;
}

// A bound is on the safe side, and by no more than short depths are apart.
static bool isJustBelow(float bound, float value)
{
    value = fminf(value, 0x1.ffep13f); // the most that they tell
    return bound <= value && (bound > value * (1.0f - 0x1p-11f) || value < WK_SHORT_LEAST * 1.001f);
}

static void compareSurfaces(wkSurfaceRange range, plainBlock block)
{
    if (block.end < 0.0f) {
        assert_true(range.nearest == WK_FARTHEST && range.farthest == WK_NO_SURFACE);
        return;
    }
    assert_true(isJustBelow(range.nearest, block.nearest));
    assert_true(range.farthest >= block.end);
    assert_true(range.farthest < block.end * (1.0f + 0x1p-11f) || block.end > 0x1.ffep13f ||
                block.end < WK_SHORT_LEAST);
}

static void levels_are_least_depths(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {5, 3}, {64, 33}, {130, 100}, {161, 97}};
    // metres, and what short depths tell no more
    static const double scales[] = {1.0, 1e-6, 1e6, 1e-4, 4000.0};
    for (size_t n = 0; n < 5 * sizeof sizes / sizeof sizes[0]; ++n) {
        wkRng rng = wkMakeRng(31u + n);
        wkTestImage made = wkMakeTestImage(&rng, sizes[n / 5][0], sizes[n / 5][1]);
        made.image.scale *= scales[n % 5];
        wkDepthMap* map = mapOf(&made.image, NULL, NULL);
        for (int32_t k = 0; k < map->levelCount; ++k) {
            const wkDepthLevel* level = &map->levels[k];
            for (int32_t i = 0; i < level->width * level->height; ++i) {
                int32_t u = i % level->width, v = i / level->width, side = 2 << k;
                plainBlock block = blockOf(map, u * side, v * side, side);
                const int16_t* free = level->values[wk_depthOfFree];
                const int16_t* nearest = level->values[wk_depthOfSurfaces];
                int32_t at = v * level->pitch + u;
                assert_true(isJustBelow(wkShortDepth(free[at]), block.free));
                assert_true(isJustBelow(wkShortDepth(nearest[at]), block.nearest));
                if (k % 3 == 2 && k / 3 < map->surfaceLevelCount) {
                    compareSurfaces(wkSurfaceLevel_Range(&map->surfaces[k / 3], u, v), block);
                }
            }
        }
        wkDepthMap_Destroy(map);
        free(made.depths);
    }
}

// All that an entry of the pyramid is about, pixel by pixel.
static float leastAround(const wkDepthMap* map, int32_t u, int32_t v, int32_t stride, int32_t reach,
                         wkDepthKind kind)
{
    float least = WK_FARTHEST;
    int32_t left = (u - reach) * stride, top = (v - reach) * stride;
    for (int32_t y = top < 0 ? 0 : top; y < (v + reach + 1) * stride && y < map->camera.height;
         ++y) {
        for (int32_t x = left < 0 ? 0 : left; x < (u + reach + 1) * stride && x < map->camera.width;
             ++x) {
            int32_t i = y * map->pitch + x;
            bool counts = kind == wk_depthOfFree || map->surfaceEnd[i] >= 0.0f;
            least = counts ? fminf(least, map->freeTo[i]) : least;
        }
    }
    return least;
}

// Entries of both tables, for narrow margins and for wide ones.
static void entries_are_least_depths_around(void** state)
{
    (void)state;
    static const int32_t sizes[][2] = {{1, 1}, {9, 31}, {64, 33}, {131, 75}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
        wkRng rng = wkMakeRng(71u + n);
        wkTestImage made = wkMakeTestImage(&rng, sizes[n][0], sizes[n][1]);
        wkDepthMap* map = mapOf(&made.image, NULL, NULL);
        int32_t rows = (int32_t)map->view.doubleRows;
        for (int32_t k = 0; k < map->tableCount; ++k) {
            const wkDepthLevel* level = &map->levels[map->tableFirst + k];
            for (int32_t i = 0; i < 4 * level->width * level->height; ++i) {
                int32_t isWide = i & 1, kind = i >> 1 & 1;
                int32_t u = (i >> 2) % level->width, v = (i >> 2) / level->width;
                int32_t row = rows - (rows >> k) + v + isWide * rows;
                const int16_t* table = map->view.entries + kind * map->view.surfaceOffset;
                float least = leastAround(map, u, v, 2 << (map->tableFirst + k), 2 + isWide,
                                          (wkDepthKind)kind);
                assert_true(isJustBelow(wkShortDepth(table[row * map->view.pitch + u]), least));
            }
        }
        wkDepthMap_Destroy(map);
        free(made.depths);
    }
}

// A map for large images takes small and odd ones, at no more memory than three times the pixels.
static void sizes_of_all_kinds_fit(void** state)
{
    (void)state;
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(8192, 8192, &map), wk_ok);
    assert_true(wkDepthMap_Info(map).byteCount < (size_t)8192 * 8192 * 12);
    static const int32_t sizes[][2] = {{1, 1}, {8192, 2}, {2, 8192}, {8191, 17}, {300, 300}};
    for (size_t n = 0; n < sizeof sizes / sizeof sizes[0]; ++n) {
        int32_t width = sizes[n][0], height = sizes[n][1];
        wkDepthImage image = wkDefaultDepthImage();
        image.camera.width = width;
        image.camera.height = height;
        image.camera.fx = image.camera.fy = 0.5 * (width > height ? width : height);
        image.camera.cx = 0.5 * (width - 1);
        image.camera.cy = 0.5 * (height - 1);
        size_t count = (size_t)width * (size_t)height;
        uint16_t* pixels = (uint16_t*)malloc(count * sizeof *pixels);
        for (size_t i = 0; i < count; ++i) {
            pixels[i] = 2000;
        }
        image.pixels = pixels;
        assert_int_equal(wkDepthMap_Update(map, &image, NULL, NULL), wk_ok);
        for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
            const wkDepthMap* maps[1] = {map};
            wkSphere3d point = {{0.0, 0.0, 1.0}, 0.0}, behind = {{0.0, 0.0, 2.5}, 0.0};
            assert_int_equal(wkDepthMap_CheckSpheres(maps, 1, &point, 1, (wkDepthMethod)m, NULL),
                             wk_depthFree);
            assert_int_equal(wkDepthMap_CheckSpheres(maps, 1, &behind, 1, (wkDepthMethod)m, NULL),
                             wk_depthOccluded);
        }
        free(pixels);
    }
    wkDepthMap_Destroy(map);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_the_same_in_all_lanes),
        cmocka_unit_test(levels_are_least_depths),
        cmocka_unit_test(entries_are_least_depths_around),
        cmocka_unit_test(sizes_of_all_kinds_fit),
    };
    return cmocka_run_group_tests_name("sense.depth_levels", tests, NULL, NULL);
}
