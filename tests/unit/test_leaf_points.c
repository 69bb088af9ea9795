// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds of eight points at a time are never above the distances that they bound, and not far below.

#include "query/tree/leaf_points_kernel.h"
#include "unit_kit.h"

#include "whisker/query.h"

#include <float.h>

static wkPointGroup drawGroup(wkRng* rng, double size)
{
    wkPointGroup group;
    for (int i = 0; i < WK_TREE_WIDTH; i++) {
        group.x[i] = (float)wkRngRange(rng, -size, size);
        group.y[i] = (float)wkRngRange(rng, -size, size);
        group.z[i] = (float)wkRngRange(rng, -size, size);
    }
    return group;
}

static wkVec3d pointOf(const wkPointGroup* group, int i)
{
    wkVec3d point = {(double)group->x[i], (double)group->y[i], (double)group->z[i]};
    return point;
}

// Triangles of every kind: ordinary, slivers, and with vertices that coincide.
static wkPointTriangle drawTriangle(wkRng* rng, double size, wkShape* shape)
{
    *shape = (wkShape){.type = wk_shapeTriangle};
    int kind = wkRngBelow(rng, 4);
    wkPointTriangle t;
    for (int i = 0; i < 3; i++) {
        for (int axis = 0; axis < 3; axis++) {
            double width = kind == 1 && i == 2 ? 1e-4 * size : size;
            double from = kind == 1 && i == 2 ? (double)t.vertices[0][axis] : 0.0;
            t.vertices[i][axis] = (float)(from + wkRngRange(rng, -width, width));
        }
    }
    if (kind == 2) { // on a line, but for rounding
        for (int axis = 0; axis < 3; axis++) {
            t.vertices[2][axis] = 0.3f * t.vertices[0][axis] + 0.7f * t.vertices[1][axis];
        }
    }
    if (kind == 3 && wkRngBelow(rng, 3) == 0) {
        memcpy(t.vertices[1], t.vertices[0], sizeof t.vertices[0]);
    }
    for (int i = 0; i < 3; i++) {
        shape->triangle.points[i] =
            (wkVec3d){(double)t.vertices[i][0], (double)t.vertices[i][1], (double)t.vertices[i][2]};
    }
    wkPreparePointTriangle(&t);
    return t;
}

static void triangle_bounds_hold(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int n = 0; n < 20000; n++) {
        double size = wkRngLogRange(&rng, 1e-6, 1e6);
        wkShape shape;
        wkPointTriangle triangle = drawTriangle(&rng, size, &shape);
        _Alignas(32) wkPointGroup group =
            drawGroup(&rng, wkRngBelow(&rng, 2) == 0 ? size : 3.0 * size);
        for (int isa = 0; isa < wk_isaCount; isa++) {
            const wkLeafPointLanes* lanes = wkLeafPointLanesOf((wkIsa)isa);
            _Alignas(32) float bounds[WK_TREE_WIDTH];
            if (lanes == NULL) {
                continue;
            }
            unsigned mask = lanes->boundTriangle(&triangle, &group, INFINITY, bounds);
            assert_int_equal(mask, 0xff);
            for (int i = 0; i < WK_TREE_WIDTH; i++) {
                double exact =
                    fabs(wkShape_PointDistance(&shape, wkIdentityPose(), pointOf(&group, i)));
                if ((double)bounds[i] > exact + 2e-6 * size) {
                    fail_msg("case %d, isa %d: bound %g above %g, size %g", n, isa,
                             (double)bounds[i], exact, size);
                }
                double loose = triangle.isSliver ? 0.05 : 2e-3;
                assert_true((double)bounds[i] > exact - loose * size);
            }
        }
    }
}

static void point_bounds_hold(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    for (int n = 0; n < 2000; n++) {
        double size = wkRngLogRange(&rng, 1e-6, 1e6);
        _Alignas(32) wkPointGroup group = drawGroup(&rng, size), other = drawGroup(&rng, size);
        const float point[3] = {other.x[0], other.y[0], other.z[0]};
        _Alignas(32) float bounds[WK_TREE_WIDTH];
        wkLeafPointLanesOfMachine()->boundPoint(point, &group, 0.5f, bounds);
        for (int i = 0; i < WK_TREE_WIDTH; i++) {
            wkVec3d apart = wkSub(pointOf(&group, i), pointOf(&other, 0));
            assert_true(fabs(wkLength(apart) - (double)bounds[i]) < 2e-6 * size);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangle_bounds_hold),
        cmocka_unit_test(point_bounds_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
