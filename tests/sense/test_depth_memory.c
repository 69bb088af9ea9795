// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Depth maps when there is no memory, and that only their creation asks for any.

#include "../unit/unit_kit.h"
#include "depth_kit.h"
#include "memory/failing.h"
#include "memory/malloc_hook.h"

#include "whisker/detail/counts.h"

static void creation_survives_any_failure(void** state)
{
    (void)state;
    failing f = {0, -1, 0};
    wkAllocator allocator = {allocateOrFail, releaseCounted, &f};
    wkSetAllocator(&allocator);
    long failureCount = 0;
    for (wkResult result = wk_errorMemory; result != wk_ok; ++failureCount) {
        wkDepthMap* map = NULL;
        f = (failing){0, failureCount, 0};
        result = wkDepthMap_Create(64, 48, &map);
        assert_int_equal(result == wk_ok, map != NULL);
        assert_true(result == wk_ok || result == wk_errorMemory);
        assert_true(result == wk_ok ? f.allocatedBytes > 0 : f.allocatedBytes == 0);
        wkDepthMap_Destroy(map);
        assert_int_equal(f.allocatedBytes, 0);
    }
    assert_true(failureCount > 1);
    wkSetAllocator(NULL);
}

static void nothing_else_allocates(void** state)
{
    (void)state;
    if (!wkHasMallocHook()) {
        print_message("allocations cannot be counted here\n");
        skip();
    }
    wkRng rng = wkMakeRng(1);
    wkTestImage made = wkMakeTestImage(&rng, 64, 48);
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(64, 48, &map), wk_ok);
    const wkDepthMap* maps[2] = {map, map};
    wkSphere3d spheres[200];
    wkDepthVerdict verdicts[200];
    for (int i = 0; i < 200; ++i) {
        spheres[i] = wkSphereInWorld(made.image.pose, wkTestSphere(&rng, &made.image.camera));
    }
    long before = wkMallocCalls();
    for (int distortion = 0; distortion < WK_DISTORTION_COUNT; ++distortion) {
        wkDepthMask mask = {spheres, 20, 0.01, wk_maskShadow};
        made.image.camera.distortion = (wkDistortion)distortion;
        wkResult result = wkDepthMap_Update(map, &made.image, NULL, &mask);
        for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
            wkDepthMap_CheckSpheres(maps, 2, spheres, 200, (wkDepthMethod)m, verdicts);
        }
        wkDepthMap_Clearance(maps, 2, spheres, 200, 1.0);
        wkDepthMap_Info(map);
        assert_int_equal(result, wk_ok);
    }
    assert_int_equal(wkMallocCalls() - before, 0);
    wkDepthMap_Destroy(map);
    free(made.depths);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(creation_survives_any_failure),
        cmocka_unit_test(nothing_else_allocates),
    };
    return cmocka_run_group_tests_name("sense.depth_memory", tests, NULL, NULL);
}
