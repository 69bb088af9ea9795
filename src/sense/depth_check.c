// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Verdicts of cameras about spheres.

#include "sense/depth_sphere_item.h"

#include "whisker/detail/counts.h"

static wkFindSpheresFcn* const methods[WK_DEPTH_METHOD_COUNT] = {
    [wk_depthByPyramid] = wkFindByPyramids,
    [wk_depthByLines] = wkFindByLines,
    [wk_depthByPixels] = wkFindByPixels,
};

// Computes verdicts of one camera on the spheres that no earlier camera has proven free.
static void askCamera(const wkDepthMap* map, const wkSphere3d* spheres, int32_t count,
                      wkFindSpheresFcn* find, wkDepthVerdict* verdicts)
{
    wkCameraSphere inCamera[WK_MAX_CAMERA_SPHERES];
    int32_t numbers[WK_MAX_CAMERA_SPHERES], inViewCount = 0;
    unsigned findings[WK_MAX_CAMERA_SPHERES];
    for (int32_t i = 0; i < count; ++i) {
        bool isAsked = verdicts[i] != wk_depthFree;
        if (isAsked && wkDepthMap_Place(map, &spheres[i], &inCamera[inViewCount])) {
            numbers[inViewCount++] = i;
        }
    }
    if (inViewCount > 0) {
        find(map, inCamera, inViewCount, findings);
    }
    for (int32_t i = 0; i < inViewCount; ++i) {
        // cppcheck-suppress uninitvar
        wkDepthVerdict verdict = wkVerdictOf(findings[i]), *known = &verdicts[numbers[i]];
        *known = verdict == wk_depthFree || verdict > *known ? verdict : *known;
    }
}

unsigned wkFindInDepths(const wkDepthMap* const* maps, int32_t mapCount, const wkSphere3d* sphere,
                        bool isUnobservedFree, bool isComplete)
{
    unsigned found = wk_findUnobserved;
    // with several cameras it matters whether one of them has observed all of the sphere
    unsigned known = isUnobservedFree && mapCount == 1 ? (unsigned)wk_findUnobserved : 0u;
    for (int32_t i = 0; i < mapCount; ++i) {
        wkCameraSphere inCamera;
        if (wkDepthMap_Place(maps[i], sphere, &inCamera)) {
            unsigned here = wkDepthMap_FindByPyramid(maps[i], &inCamera, known, isComplete);
            if (here == 0) {
                return 0u;
            }
            unsigned both = found & here & wk_findUnobserved;
            found = ((found | here) & ~(unsigned)wk_findUnobserved) | both;
        }
    }
    return found;
}

wkDepthVerdict wkDepthMap_CheckSpheres(const wkDepthMap* const* maps, int32_t mapCount,
                                       const wkSphere3d* spheres, int32_t count,
                                       wkDepthMethod method, wkDepthVerdict* verdicts)
{
    wkFindSpheresFcn* find = methods[(unsigned)method < WK_DEPTH_METHOD_COUNT ? method : 0];
    wkDepthVerdict worst = wk_depthFree, own[WK_MAX_CAMERA_SPHERES];
    for (int32_t first = 0; first < count; first += WK_MAX_CAMERA_SPHERES) {
        int32_t here =
            count - first < WK_MAX_CAMERA_SPHERES ? count - first : WK_MAX_CAMERA_SPHERES;
        // cppcheck-suppress legacyUninitvar
        wkDepthVerdict* found = verdicts != NULL ? verdicts + first : own;
        for (int32_t i = 0; i < here; ++i) {
            found[i] = wk_depthUnobserved;
        }
        for (int32_t i = 0; i < mapCount; ++i) {
            askCamera(maps[i], spheres + first, here, find, found);
        }
        for (int32_t i = 0; i < here; ++i) {
            worst = found[i] > worst ? found[i] : worst;
        }
        if (worst == wk_depthHit && verdicts == NULL) {
            break;
        }
    }
    return count > 0 ? worst : wk_depthUnchecked;
}
