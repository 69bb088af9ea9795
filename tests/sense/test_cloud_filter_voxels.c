// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Voxels of points in every arrangement that tables of voxels treat in a way of their own, against all pairs.

#include "filter_kit.h"

#define COUNT 3000

// Arrangements: a table is filled in one pass where the first points are many in a voxel, in two passes otherwise, and
// in two passes after all where the blocks of the table are not enough.
typedef enum arrangement {
    allInOne,
    allAlone,
    pairs,
    fewVoxels,
    manyVoxels,
    oneThenAlone,
    aloneThenOne,
    arrangementCount
} arrangement;

// Voxel of a point, as its numbers along the axes.
static wkVec3d drawVoxel(wkRng* rng, arrangement kind, int32_t i)
{
    // four voxels apart, each is in a block of its own
    int32_t layer = i / 225, pairLayer = i / 800;
    wkVec3d alone = wkVec(4.0 * (i % 15), 4.0 * (i / 15 % 15), 4.0 * layer);
    switch (kind) {
    case allInOne:
        return wkVec(0.0, 0.0, 0.0);
    case allAlone:
        return alone;
    case pairs:
        return wkVec(i / 2 % 20, i / 40 % 20, pairLayer);
    case fewVoxels:
        return wkVec(wkRngBelow(rng, 6), wkRngBelow(rng, 6), wkRngBelow(rng, 6));
    case manyVoxels:
        return wkVec(wkRngBelow(rng, 15), wkRngBelow(rng, 15), wkRngBelow(rng, 15));
    case oneThenAlone:
        return i < COUNT / 10 ? wkVec(0.0, 0.0, 0.0) : alone;
    default:
        return i < COUNT / 2 ? alone : wkVec(1.0, 2.0, 3.0);
    }
}

static void drawPoints(filterKit* kit, arrangement kind, double size, double offset)
{
    kit->count = COUNT;
    for (int32_t i = 0; i < COUNT; i++) {
        wkVec3d inside =
            wkVec(wkRngRange(&kit->rng, 0.1, 0.9), wkRngRange(&kit->rng, 0.1, 0.9), 0.5);
        wkVec3d voxel = wkAdd(drawVoxel(&kit->rng, kind, i), inside);
        kit->points[i] = wkAdd(wkVec(offset, -offset, 0.0), wkScale(size, voxel));
        if (i % 89 == 70) {
            kit->points[i].z = i % 2 == 0 ? NAN : INFINITY;
        }
    }
}

// Of each voxel, the point nearest to its middle is kept, and the centroid is the mean of its points.
static void checkKept(const filterKit* kit, double size, double offset)
{
    static float voxels[COUNT][3];
    static double squares[COUNT];
    float inverse = 1.0f / (float)size;
    int32_t inVoxels = 0, finiteCount = 0;
    for (int32_t i = 0; i < COUNT; i++) {
        const double p[3] = {kit->points[i].x, kit->points[i].y, kit->points[i].z};
        squares[i] = 0.0;
        for (int axis = 0; axis < 3; axis++) {
            voxels[i][axis] = floorf((float)p[axis] * inverse);
            double from = p[axis] - ((double)voxels[i][axis] + 0.5) * size;
            squares[i] += from * from;
        }
        finiteCount += isFinitePoint(kit->points[i]);
    }
    // ranks have 8 bits for the square of half the diagonal
    double rank = 0.76 * size * size / 256.0 + 1e-5 * size * size;
    for (int32_t k = 0; k < kit->result.keptCount; k++) {
        int32_t kept = kit->result.kept[k];
        wkVec3d sum = wkVec(0.0, 0.0, 0.0);
        double count = 0.0;
        for (int32_t i = 0; i < COUNT; i++) {
            if (isFinitePoint(kit->points[i]) && voxels[i][0] == voxels[kept][0] &&
                voxels[i][1] == voxels[kept][1] && voxels[i][2] == voxels[kept][2]) {
                assert_true(squares[kept] <= squares[i] + rank);
                assert_true(i == kept || kit->result.marks[i] != wk_markKept);
                sum = wkAdd(sum, kit->points[i]);
                count += 1.0;
            }
        }
        inVoxels += (int32_t)count;
        if (kit->result.centroids != NULL) {
            const float* c = kit->result.centroids + 3 * (size_t)k;
            assertVecNear(wkVec((double)c[0], (double)c[1], (double)c[2]),
                          wkScale(1.0 / count, sum), (offset + 100.0 * size) * 0x1p-22);
        }
    }
    assert_int_equal(inVoxels, finiteCount);
}

static void every_arrangement_is_that_of_all_pairs(void** state)
{
    (void)state;
    // the last ones are a million metres away, where floats are 6 cm apart, and large and small
    const double sizes[] = {0.0625, 2.0, 1e9, 1e-9}, offsets[] = {0.0, 1e6, 0.0, 0.0};
    for (int kind = 0; kind < arrangementCount; kind++) {
        for (int s = 0; s < 4; s++) {
            filterKit* kit = makeFilterKit(UNIT_SEED + (uint64_t)(kind * 4 + s));
            for (int layout = 0; layout < 3; layout++) {
                drawPoints(kit, (arrangement)kind, sizes[s], offsets[s]);
                layOutPoints(kit, layout);
                wkFilterStep step = wkMakeVoxelFilter(sizes[s]);
                step.voxel.hasCentroids = layout != 2;
                runFilter(kit, &step, 1);
                checkKept(kit, sizes[s], offsets[s]);
            }
            freeFilterKit(kit);
        }
    }
}

// Voxels of the points that a step before has left, which are read by their indices.
static void voxels_after_a_crop_are_those_of_its_points(void** state)
{
    (void)state;
    for (int kind = 0; kind < arrangementCount; kind++) {
        filterKit* kit = makeFilterKit(UNIT_SEED + 100 + (uint64_t)kind);
        drawPoints(kit, (arrangement)kind, 0.0625, 0.0);
        layOutPoints(kit, 1);
        wkAabb box = {{-INFINITY, -INFINITY, -INFINITY}, {0.5, INFINITY, INFINITY}};
        wkFilterStep steps[] = {wkMakeBoxFilter(box, wkIdentityPose()), wkMakeVoxelFilter(0.0625)};
        steps[1].voxel.hasCentroids = true;
        runFilter(kit, steps, 2);
        for (int32_t i = 0; i < COUNT; i++) {
            kit->points[i].x = kit->points[i].x > 0.5 ? NAN : kit->points[i].x;
        }
        checkKept(kit, 0.0625, 0.0);
        freeFilterKit(kit);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_arrangement_is_that_of_all_pairs),
        cmocka_unit_test(voxels_after_a_crop_are_those_of_its_points),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
