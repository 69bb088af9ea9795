// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A box and a swept rectangle along the same axes, in the 64 bytes of a cache line. The larger of the two
// lower bounds holds for the content.

#include "bv/obb.h"
#include "bv/rss.h"
#include "bv/volume_rows.h"

typedef struct wkObbRssVolume {
    wkPackedQuat packedQuat;
    wkBoxPart box;
    wkRectPart rect;
} wkObbRssVolume;

_Static_assert(sizeof(wkObbRssVolume) == WK_OBBRSS_BYTES, "the table knows the size");

void wkFitObbRss(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume)
{
    wkObbRssVolume* both = volume;
    wkSpheres spheres = wkPointSpheres(points, count);
    wkExtents extents = wkMeasureExtents(&spheres, axes);
    wkMat3d sorted = wkSortAxes(axes, &extents);
    both->packedQuat = wkMakePackedQuat(&sorted);
    wkMat3d rotated = wkPackedQuatAxes(both->packedQuat);
    extents = wkMeasureExtents(&spheres, &rotated);
    both->box = wkMakeBoxPart(&extents, &rotated);
    both->rect = wkFitRectPart(&spheres, &rotated, &extents);
}

wkObb wkBoxOfObbRss(const void* volume)
{
    const wkObbRssVolume* both = volume;
    wkMat3d axes = wkPackedQuatAxes(both->packedQuat);
    return wkBoxPartObb(&both->box, &axes);
}

double wkSizeOfObbRss(const void* volume)
{
    return 2.0 * wkMaxAbs(wkVecFromFloats(((const wkObbRssVolume*)volume)->box.half));
}

// Contents that a merged volume must enclose: the vertices of both boxes, and of both rectangles as spheres.
typedef struct mergeSet {
    wkVec3d boxVertices[16];
    wkVec3d rectVertices[8];
    double slack;
    double radius[2];
} mergeSet;

static mergeSet makeMergeSet(const wkObbRssVolume* a, const wkObbRssVolume* b)
{
    mergeSet set;
    const wkObbRssVolume* volumes[2] = {a, b};
    set.slack = 0.0;
    for (int i = 0; i < 2; ++i) {
        wkObb box = wkBoxOfObbRss(volumes[i]);
        wkObbVertices(&box, set.boxVertices + 8 * i);
        wkRectVertices(&volumes[i]->rect, &box.frame.rotation, set.rectVertices + 4 * i);
        double reach = wkSumAbs(box.frame.position) + wkSumAbs(box.half);
        set.slack = wkMaxD(set.slack, WK_VOLUME_SLACK * reach);
    }
    set.radius[0] = (double)a->rect.radius + set.slack;
    set.radius[1] = (double)b->rect.radius + set.slack;
    return set;
}

static wkObbRssVolume fitMergeSet(const mergeSet* set, const wkMat3d* axes)
{
    wkSpheres vertices = {set->boxVertices, 16, 16, {set->slack, set->slack}};
    wkSpheres spheres = {set->rectVertices, 8, 4, {set->radius[0], set->radius[1]}};
    wkExtents extents = wkMeasureExtents(&vertices, axes);
    wkMat3d sorted = wkSortAxes(axes, &extents);
    wkObbRssVolume both = {.packedQuat = wkMakePackedQuat(&sorted)};
    wkMat3d rotated = wkPackedQuatAxes(both.packedQuat);
    extents = wkMeasureExtents(&vertices, &rotated);
    both.box = wkMakeBoxPart(&extents, &rotated);
    extents = wkMeasureExtents(&spheres, &rotated);
    both.rect = wkFitRectPart(&spheres, &rotated, &extents);
    return both;
}

static double surface(const wkObbRssVolume* both)
{
    wkVec3d half = wkVecFromFloats(both->box.half);
    return half.x * half.y + half.y * half.z + half.z * half.x;
}

void wkMergeObbRss(const void* a, const void* b, void* merged)
{
    const wkObbRssVolume* first = a;
    const wkObbRssVolume* second = b;
    mergeSet set = makeMergeSet(first, second);

    // choose the smallest box along the axes of either, or those of all vertices
    const wkMat3d choices[3] = {wkPackedQuatAxes(first->packedQuat),
                                wkPackedQuatAxes(second->packedQuat),
                                wkSpreadAxes(set.boxVertices, 16)};
    wkObbRssVolume best = fitMergeSet(&set, &choices[0]);
    for (int i = 1; i < 3; ++i) {
        wkObbRssVolume candidate = fitMergeSet(&set, &choices[i]);
        best = surface(&candidate) < surface(&best) ? candidate : best;
    }
    *(wkObbRssVolume*)merged = best;
}

double wkGapObbRss(const wkFrame* bInA, const void* a, const void* b)
{
    const wkObbRssVolume* first = a;
    const wkObbRssVolume* second = b;
    wkMat3d axesA = wkPackedQuatAxes(first->packedQuat),
            axesB = wkPackedQuatAxes(second->packedQuat);
    wkVec3d boxA = wkVecFromFloats(first->box.center), boxB = wkVecFromFloats(second->box.center);
    wkVec3d rectA = wkVecFromFloats(first->rect.center);
    wkVec3d rectB = wkVecFromFloats(second->rect.center);
    wkFrame between = wkFrameBetween(bInA, &axesA, boxA, &axesB, boxB);
    double byBox =
        wkBoxGap(&between, wkVecFromFloats(first->box.half), wkVecFromFloats(second->box.half));
    between.position = wkMulTMV(&axesA, wkSub(wkFramePoint(bInA, rectB), rectA));
    double byRect = wkRectGap(&between, &first->rect, &second->rect);

    // rounding error of the differences of far positions
    double far = wkSumAbs(bInA->position) + wkMaxD(wkSumAbs(boxA), wkSumAbs(rectA)) +
                 wkMaxD(wkSumAbs(boxB), wkSumAbs(rectB));
    return wkPositive(wkMaxD(byBox, byRect) - WK_VOLUME_SLACK * far);
}
