// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The cubes of a map near a box, which verdicts begin with: no cell within reach is left out, none is
// found where there is none, and all instruction sets find the same.

#include "query/map/map_query.h"
#include "scenes/maps.h"
#include "unit_kit.h"

#define MAP_COUNT 3 // of each kind
#define BOX_COUNT 1000
#define PART_CAPACITY 40000
#define RESOLUTION 0.1

// A straight box in the frame of the map, and how far from it cells matter.
typedef struct viewpoint {
    wkVec3d center;
    wkVec3d half;
    double reach;
} viewpoint;

// From less than a cell to all of the map, on the grid now and then.
static viewpoint randomViewpoint(wkRng* rng)
{
    double coordinate = 24.0 * RESOLUTION;
    viewpoint at = {.reach = wkRngChance(rng, 2) ? 0.0 : wkRngLogRange(rng, 1e-3, 1.0)};
    double* center = &at.center.x;
    double* half = &at.half.x;
    for (int k = 0; k < 3; ++k) {
        center[k] = wkRngRange(rng, -coordinate, coordinate);
        half[k] = wkRngLogRange(rng, 0.1 * RESOLUTION, 30.0 * RESOLUTION);
        if (wkRngChance(rng, 4)) {
            center[k] = RESOLUTION * (double)wkRngBelow(rng, 16);
            half[k] = RESOLUTION * (double)wkRngBelow(rng, 4);
        }
    }
    return at;
}

// Between the box and a cell.
static double gapOf(const viewpoint* at, const wkMapPart* cell)
{
    wkVec3d apart = wkAbs(wkSub(cell->pose.position, at->center));
    wkVec3d gap = wkSub(apart, wkAdd(at->half, cell->shape.box.half));
    return wkLength(wkMax(gap, wkVec(0.0, 0.0, 0.0)));
}

static bool isInside(const wkOctree* octree, const wkMapPart* cell, const wkCube* cube)
{
    double half = wkCubeHalf(octree, cube);
    wkVec3d apart = wkAbs(wkSub(cell->pose.position, wkCubeCenter(octree, cube)));
    return wkMaxAbs(wkAdd(apart, cell->shape.box.half)) < half + 1e-3 * RESOLUTION;
}

static bool isFound(const wkOctree* octree, const wkMapPart* cell, const wkCubes* near)
{
    bool found = false;
    for (int i = 0; i < near->count; ++i) {
        found = found || isInside(octree, cell, &near->cubes[i]);
    }
    return found;
}

static void expectNear(const wkMapLanes* lanes, const wkMapView* view, const wkMapPart* parts,
                       int32_t partCount, const viewpoint* at)
{
    wkCubes near;
    bool isAny = lanes->findNear(view, at->center, at->half, at->reach, &near);
    // boxes are compared by keys: vertices are not rounded
    double nearest = INFINITY, vertex = sqrt(3.0);
    for (int32_t i = 0; i < partCount; ++i) {
        double gap = gapOf(at, &parts[i]);
        nearest = wkMinD(nearest, gap);
        if (gap <= at->reach && !(isAny && isFound(view->octree, &parts[i], &near))) {
            fail_msg("a cell %g away is left out, reach %g", gap, at->reach);
        }
    }
    if (isAny && nearest > vertex * (at->reach + 0.01 * RESOLUTION)) {
        fail_msg("nothing is nearer than %g, reach %g", nearest, at->reach);
    }
}

static void no_cell_within_reach_is_left_out(void** state)
{
    (void)state;
    static wkMapPart parts[PART_CAPACITY];
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT * MAP_COUNT; ++kind) {
        wkOctree* octree = wkMakeMap(kind / MAP_COUNT, RESOLUTION, wkRngNext(&rng));
        assert_non_null(octree);
        wkShape shape = wkMakeOctree(octree);
        int32_t partCount = wkMapParts(&shape, wkIdentityPose(), parts, PART_CAPACITY);
        assert_in_range(partCount, 0, PART_CAPACITY);
        wkMapView view = wkViewOfMap(&shape);
        for (int i = 0; i < BOX_COUNT; ++i) {
            viewpoint at = randomViewpoint(&rng);
            for (int isa = 0; isa < wk_isaCount; ++isa) {
                const wkMapLanes* lanes = wkMapLanesOf((wkIsa)isa);
                if (lanes != NULL) {
                    expectNear(lanes, &view, parts, partCount, &at);
                }
            }
        }
        wkOctree_Destroy(octree);
    }
}

static void instruction_sets_find_the_same_cubes(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; ++kind) {
        wkOctree* octree = wkMakeMap(kind, RESOLUTION, wkRngNext(&rng));
        assert_non_null(octree);
        wkShape shape = wkMakeOctree(octree);
        wkMapView view = wkViewOfMap(&shape);
        for (int i = 0; i < BOX_COUNT; ++i) {
            viewpoint at = randomViewpoint(&rng);
            wkCubes first, other;
            bool isAny =
                wkMapLanesOfMachine()->findNear(&view, at.center, at.half, at.reach, &first);
            for (int isa = 0; isa < wk_isaCount; ++isa) {
                const wkMapLanes* lanes = wkMapLanesOf((wkIsa)isa);
                if (lanes == NULL) {
                    continue;
                }
                assert_int_equal(lanes->findNear(&view, at.center, at.half, at.reach, &other),
                                 isAny);
                if (isAny) {
                    assert_int_equal(other.count, first.count);
                    assert_memory_equal(other.cubes, first.cubes,
                                        sizeof *first.cubes * (size_t)first.count);
                }
            }
        }
        wkOctree_Destroy(octree);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cell_within_reach_is_left_out),
        cmocka_unit_test(instruction_sets_find_the_same_cubes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
