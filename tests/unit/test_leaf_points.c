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
static void drawTriangle(wkRng* rng, double size, wkVec3d vertices[3])
{
    int kind = wkRngBelow(rng, 4);
    for (int i = 0; i < 3; i++) {
        bool isNear = kind == 1 && i == 2;
        double width = isNear ? 1e-4 * size : size;
        wkVec3d from = isNear ? vertices[0] : wkVec(0.0, 0.0, 0.0);
        vertices[i] =
            wkAdd(from, wkVec(wkRngRange(rng, -width, width), wkRngRange(rng, -width, width),
                              wkRngRange(rng, -width, width)));
    }
    if (kind == 2) { // on a line, but for rounding
        vertices[2] = wkAdd(wkScale(0.3, vertices[0]), wkScale(0.7, vertices[1]));
    }
    if (kind == 3 && wkRngBelow(rng, 3) == 0) {
        vertices[1] = vertices[0];
    }
}

// The frame of a pose that transforms points.
static wkPointFrame frameOf(wkPose pose)
{
    wkFrame frame = wkFrameFromPose(pose);
    const wkMat3d* m = &frame.rotation;
    wkPointFrame made = {{{(float)m->x.x, (float)m->y.x, (float)m->z.x},
                          {(float)m->x.y, (float)m->y.y, (float)m->z.y},
                          {(float)m->x.z, (float)m->y.z, (float)m->z.z}},
                         {(float)pose.position.x, (float)pose.position.y, (float)pose.position.z}};
    return made;
}

typedef struct leafCase {
    wkShape triangles[WK_TREE_WIDTH];
    wkPointTriangle prepared[WK_TREE_WIDTH];
    int count;
    wkPose pose; // of the points
    _Alignas(32) wkPointGroup group;
    double size;
} leafCase;

static void drawLeaf(wkRng* rng, leafCase* c)
{
    c->size = wkRngLogRange(rng, 1e-6, 1e6);
    c->count = 1 + wkRngBelow(rng, WK_TREE_WIDTH);
    for (int i = 0; i < c->count; i++) {
        c->triangles[i] = (wkShape){.type = wk_shapeTriangle};
        drawTriangle(rng, c->size, c->triangles[i].triangle.points);
        wkMakePointTriangle(c->triangles[i].triangle.points, &c->prepared[i]);
    }
    c->group = drawGroup(rng, wkRngBelow(rng, 2) == 0 ? c->size : 3.0 * c->size);
    c->pose = wkIdentityPose();
    if (wkRngBelow(rng, 2) == 0) {
        c->pose.position = wkScale(c->size, wkRngDirection(rng));
        c->pose.rotation = wkRngRotation(rng);
    }
}

// Whether the bounds of a triangle are below all distances, and not far below those that are not above the limit.
static void checkTriangle(const leafCase* c, int i, float limit, const wkLeafBounds* bounds)
{
    for (int k = 0; k < WK_TREE_WIDTH; k++) {
        wkVec3d point = wkTransformPoint(c->pose, pointOf(&c->group, k));
        double exact = fabs(wkShape_PointDistance(&c->triangles[i], wkIdentityPose(), point));
        bool isIn = (bounds->masks[i] >> k & 1u) != 0;
        assert_true(isIn || exact > (double)limit - 4e-6 * c->size);
        if (!isIn) {
            continue;
        }
        if ((double)bounds->values[i][k] > exact + 4e-6 * c->size) {
            fail_msg("triangle %d, point %d: bound %g above %g, size %g", i, k,
                     (double)bounds->values[i][k], exact, c->size);
        }
        double loose = c->prepared[i].isSliver ? 0.05 : 2e-3;
        assert_true((double)bounds->values[i][k] > exact - loose * c->size);
    }
}

static void triangle_bounds_hold(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int n = 0; n < WK_CASES(4000); n++) {
        leafCase c;
        drawLeaf(&rng, &c);
        wkPointFrame frame = frameOf(c.pose);
        float limit = n % 2 == 0 ? INFINITY : (float)(c.size * wkRngRange(&rng, 0.0, 1.0));
        for (int isa = 0; isa < wk_isaCount; isa++) {
            const wkLeafPointLanes* lanes = wkLeafPointLanesOf((wkIsa)isa);
            wkLeafBounds bounds;
            if (lanes == NULL) {
                continue;
            }
            lanes->boundTriangles(&frame, &c.group, c.prepared, c.count, limit, &bounds);
            for (int i = 0; i < c.count; i++) {
                assert_int_equal(bounds.any >> i & 1u, bounds.masks[i] != 0);
                checkTriangle(&c, i, limit, &bounds);
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
