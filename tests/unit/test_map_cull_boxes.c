// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight boxes in front of a map: none that a cell is within reach of is left out, by any instruction
// set, and those that are left in are near a cell.

#include "query/map/map_cull_boxes.h"
#include "scenes/maps.h"
#include "scenes/scene_math.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define SEED 4711
#define ROUND_COUNT 40
#define PART_CAPACITY 4096

typedef struct cullCase {
    wkOctree* octree;
    wkShape map;
    wkPose pose;
    wkVec3d origin; // of the boxes
    wkEightBoxes boxes;
    double reach;
    bool isStraight;
} cullCase;

static wkVec3d randomVec(wkRng* rng, double size)
{
    return wkSceneVec(wkRngRange(rng, -size, size), wkRngRange(rng, -size, size),
                      wkRngRange(rng, -size, size));
}

// Boxes of all sizes about the map; some are points, some have no end.
static void makeBoxes(cullCase* c, wkRng* rng)
{
    double size = c->octree->def.resolution;
    for (int lane = 0; lane < WK_GROUP; ++lane) {
        wkVec3d position =
            wkSceneAdd(wkSceneSub(c->pose.position, c->origin), randomVec(rng, 24.0 * size));
        double half = wkRngChance(rng, 6) ? 0.0 : wkRngLogRange(rng, 0.05 * size, 8.0 * size);
        const double middle[3] = {position.x, position.y, position.z};
        for (int k = 0; k < 3; ++k) {
            double wide = half * wkRngRange(rng, 0.3, 1.0);
            c->boxes.lower[k][lane] = (float)(middle[k] - wide);
            c->boxes.upper[k][lane] = (float)(middle[k] + wide);
        }
        if (wkRngChance(rng, 20)) {
            c->boxes.lower[wkRngBelow(rng, 3)][lane] = -FLT_MAX;
        }
    }
}

static cullCase makeCase(wkRng* rng, int kind)
{
    cullCase c = {.isStraight = wkRngChance(rng, 2)};
    double resolution = wkRngChance(rng, 3) ? 1e-3 : wkRngRange(rng, 0.02, 3.0);
    c.octree = wkMakeMap(kind, resolution, wkRngNext(rng));
    assert_non_null(c.octree);
    c.map = wkMakeOctree(c.octree);
    c.map.padding = wkRngChance(rng, 3) ? wkRngRange(rng, 0.0, 2.0) * resolution : 0.0;
    // not where floats are coarser than cells: there everything is let through
    double far = wkRngChance(rng, 3) ? 1e3 * resolution : 0.0;
    c.pose.position = randomVec(rng, far + resolution);
    c.pose.rotation = c.isStraight ? wkIdentityPose().rotation : wkRngRotation(rng);
    c.origin = randomVec(rng, far);
    c.reach = wkRngChance(rng, 2) ? 0.0 : wkRngLogRange(rng, 0.01, 20.0) * resolution;
    makeBoxes(&c, rng);
    return c;
}

static void boxOfLane(const cullCase* c, int lane, wkAabb* box)
{
    const float(*l)[WK_GROUP] = c->boxes.lower;
    const float(*u)[WK_GROUP] = c->boxes.upper;
    box->lower = wkSceneAdd(c->origin,
                            wkSceneVec((double)l[0][lane], (double)l[1][lane], (double)l[2][lane]));
    box->upper = wkSceneAdd(c->origin,
                            wkSceneVec((double)u[0][lane], (double)u[1][lane], (double)u[2][lane]));
}

// How far the box of a lane is from the nearest cell, by asking all of them.
static double distanceOfLane(const cullCase* c, int lane)
{
    wkAabb box;
    boxOfLane(c, lane, &box);
    wkVec3d size = wkSceneSub(box.upper, box.lower);
    wkVec3d middle = wkSceneScale(wkSceneAdd(box.lower, box.upper), 0.5);
    wkShape shape = wkMakeBox(size.x, size.y, size.z);
    wkPose pose = wkMakePose(middle.x, middle.y, middle.z);
    static wkMapPart parts[PART_CAPACITY];
    int32_t count = wkMapParts(&c->map, c->pose, parts, PART_CAPACITY);
    assert_true(count <= PART_CAPACITY);
    double nearest = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        nearest =
            fmin(nearest, wkDistance(&shape, pose, &parts[i].shape, parts[i].pose, NULL).distance);
    }
    return nearest;
}

static bool hasEnd(const cullCase* c, int lane)
{
    return c->boxes.lower[0][lane] > -FLT_MAX && c->boxes.lower[1][lane] > -FLT_MAX &&
           c->boxes.lower[2][lane] > -FLT_MAX;
}

static void checkLane(const cullCase* c, int lane, bool isIn)
{
    if (!hasEnd(c, lane)) {
        return;
    }
    double distance = distanceOfLane(c, lane), resolution = c->octree->def.resolution;
    if (distance <= c->reach && !isIn) {
        fail_msg("a box at %g of a cell is left out, reach %g", distance, c->reach);
    }
    // vertices of what is within reach are further away, and rounding counts too
    double far = 1.74 * (c->reach + 2.0 * c->map.padding) + 0.1 * resolution;
    if (c->isStraight && distance > far && isIn) {
        fail_msg("a box at %g of all cells is left in, reach %g", distance, c->reach);
    }
}

// Without the doors of a map first, and with them.
static void checkCase(const cullCase* c, unsigned lanes)
{
    for (int time = 0; time < 3; ++time) {
        wkMapBoxCull cull;
        wkMapBoxCull_Init(&cull, &c->map, &c->pose);
        unsigned in = wkMapBoxCull_Pass(&cull, &c->boxes, c->origin, c->reach, lanes);
        assert_int_equal(in & ~lanes, 0);
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            wkCullBoxesFcn* fcn = wkCullBoxesOf((wkIsa)isa);
            if (fcn != NULL) {
                assert_int_equal(fcn(&cull, &c->boxes, c->origin, c->reach, lanes), in);
            }
        }
        for (int lane = 0; lane < WK_GROUP; ++lane) {
            if ((lanes >> lane & 1u) != 0) {
                checkLane(c, lane, (in >> lane & 1u) != 0);
            }
        }
    }
}

static void boxes_near_cells_are_let_through(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED);
    for (int i = 0; i < ROUND_COUNT; ++i) {
        for (int kind = 0; kind < WK_MAP_KIND_COUNT; ++kind) {
            cullCase c = makeCase(&rng, kind);
            checkCase(&c, i % 3 == 0 ? 0xffu : (unsigned)wkRngBelow(&rng, 256));
            wkOctree_Destroy(c.octree);
        }
    }
}

static void nothing_is_left_out_of_unknown_space(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 1);
    cullCase c = makeCase(&rng, 1);
    c.map.map.unknown = wk_unknownOccupied;
    wkMapBoxCull cull;
    wkMapBoxCull_Init(&cull, &c.map, &c.pose);
    assert_int_equal(wkMapBoxCull_Pass(&cull, &c.boxes, c.origin, 0.0, 0xa5u), 0xa5u);
    wkOctree_Destroy(c.octree);
}

static void boxes_beyond_all_numbers_are_let_through(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(SEED + 2);
    cullCase c = makeCase(&rng, 1);
    c.pose.position = wkSceneVec(1e60, -1e60, 1e50);
    wkMapBoxCull cull;
    wkMapBoxCull_Init(&cull, &c.map, &c.pose);
    assert_int_equal(wkMapBoxCull_Pass(&cull, &c.boxes, wkSceneVec(0.0, 0.0, 0.0), INFINITY, 0xffu),
                     0xffu);
    assert_int_equal(wkMapBoxCull_Pass(&cull, &c.boxes, wkSceneVec(0.0, 0.0, 0.0), 1e300, 0xffu),
                     0xffu);
    wkOctree_Destroy(c.octree);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_near_cells_are_let_through),
        cmocka_unit_test(nothing_is_left_out_of_unknown_space),
        cmocka_unit_test(boxes_beyond_all_numbers_are_let_through),
    };
    return cmocka_run_group_tests_name("boxes in front of maps", tests, NULL, NULL);
}
