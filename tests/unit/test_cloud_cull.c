// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Eight boxes before a cloud: none that a sphere is within reach of is left out, by any instruction set, and those
// that are left in are near a sphere.

#include "query/cloud/cloud_cull.h"
#include "query/pair/content_cull.h"
#include "unit_kit.h"

#include "whisker/cloud.h"
#include "whisker/query.h"

#include <float.h>

#define MAX_POINTS 400

typedef struct cullCase {
    float points[MAX_POINTS][4]; // x, y, z, radius
    int32_t count;
    wkCloud* cloud;
    wkShape shape;
    wkPose pose;
    wkVec3d origin; // of the boxes
    wkEightBoxes boxes;
    double reach;
    bool isStraight;
} cullCase;

static wkVec3d drawVec(wkRng* rng, double size)
{
    return wkVec(wkRngRange(rng, -size, size), wkRngRange(rng, -size, size),
                 wkRngRange(rng, -size, size));
}

// Boxes of all sizes about the cloud; some are points, some have no end.
static void drawBoxes(wkRng* rng, cullCase* c)
{
    for (int lane = 0; lane < WK_GROUP; lane++) {
        wkVec3d middle = wkAdd(wkSub(c->pose.position, c->origin), drawVec(rng, 2.0));
        double half = wkRngBelow(rng, 6) == 0 ? 0.0 : wkRngLogRange(rng, 1e-3, 1.0);
        const double at[3] = {middle.x, middle.y, middle.z};
        for (int k = 0; k < 3; k++) {
            double wide = half * wkRngRange(rng, 0.3, 1.0);
            c->boxes.lower[k][lane] = (float)(at[k] - wide);
            c->boxes.upper[k][lane] = (float)(at[k] + wide);
        }
    }
}

static void makeCase(wkRng* rng, int n, cullCase* c)
{
    static const int32_t counts[] = {1, 8, 9, 70, MAX_POINTS};
    static const double radii[] = {0.0, 0.02, 0.2, 1e4};
    c->count = counts[n % 5];
    for (int32_t i = 0; i < c->count; i++) {
        wkVec3d p = drawVec(rng, 1.0);
        double radius = radii[n / 5 % 4] * wkRngRange(rng, 0.5, 1.0);
        // half of the clouds are flat, as what a sensor sees
        const double numbers[4] = {p.x, p.y, n % 2 == 0 ? 0.125 : p.z, radius};
        for (int k = 0; k < 4; k++) {
            c->points[i][k] = (float)numbers[k];
        }
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(c->points, c->count);
    def.points.stride = sizeof c->points[0];
    def.points.radiusOffset = 12;
    assert_int_equal(wkCloud_Create(&def, &c->cloud), wk_ok);
    c->shape = wkMakeCloud(c->cloud);
    c->shape.padding = wkRngBelow(rng, 3) == 0 ? wkRngRange(rng, -0.01, 0.1) : 0.0;
    c->isStraight = wkRngBelow(rng, 2) == 0;
    double far = wkRngBelow(rng, 3) == 0 ? 1e3 : 0.1;
    c->pose.position = drawVec(rng, far);
    c->pose.rotation = c->isStraight ? wkIdentityPose().rotation : wkRngRotation(rng);
    c->origin = drawVec(rng, far);
    c->reach = wkRngBelow(rng, 2) == 0 ? 0.0 : wkRngLogRange(rng, 1e-3, 0.5);
    drawBoxes(rng, c);
}

// How far the box of a lane is from the nearest sphere, asked one by one.
static double distanceOfLane(const cullCase* c, int lane)
{
    const wkEightBoxes* b = &c->boxes;
    wkVec3d lower =
        wkVec((double)b->lower[0][lane], (double)b->lower[1][lane], (double)b->lower[2][lane]);
    wkVec3d upper =
        wkVec((double)b->upper[0][lane], (double)b->upper[1][lane], (double)b->upper[2][lane]);
    wkVec3d size = wkSub(upper, lower), middle = wkAdd(c->origin, wkMiddle(lower, upper));
    wkShape box = wkMakeBox(size.x, size.y, size.z);
    wkPose at = {middle, {0.0, 0.0, 0.0, 1.0}};
    double nearest = INFINITY;
    for (int32_t i = 0; i < c->count; i++) {
        wkShape sphere = wkMakeSphere((double)c->points[i][3]);
        sphere.padding = c->shape.padding;
        wkPose own =
            wkMakePose((double)c->points[i][0], (double)c->points[i][1], (double)c->points[i][2]);
        wkPose pose = wkMulPose(c->pose, own);
        nearest = fmin(nearest, wkDistance(&box, at, &sphere, pose, NULL).distance);
    }
    return nearest;
}

static void checkLane(const cullCase* c, int lane, bool isIn)
{
    double distance = distanceOfLane(c, lane);
    if (distance <= c->reach && !isIn) {
        fail_msg("a box at %g of a sphere is left out, reach %g", distance, c->reach);
    }
    // vertices of what is within reach are further away, radii may differ, and rounding counts too
    double wide = wkCloud_Info(c->cloud).maxRadius + fabs(c->shape.padding);
    double far = 1.74 * (c->reach + 2.0 * wide) + 0.05 + 1e-5 * wide;
    if (c->isStraight && distance > far && isIn) {
        fail_msg("a box at %g of all spheres is left in, reach %g", distance, c->reach);
    }
}

static void boxes_near_spheres_are_let_through(void** state)
{
    (void)state;
    static cullCase c;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int n = 0; n < WK_CASES(600); n++) {
        makeCase(&rng, n, &c);
        unsigned lanes = n % 3 == 0 ? 0xffu : (unsigned)wkRngBelow(&rng, 256);
        wkCloudCull cull;
        wkCloudCull_Init(&cull, &c.shape, &c.pose);
        unsigned in = wkCloudCull_Pass(&cull, &c.boxes, c.origin, c.reach, lanes);
        assert_int_equal(in & ~lanes, 0);
        for (int isa = 0; isa < wk_isaCount && lanes != 0; isa++) {
            wkCullByCloudFcn* fcn = wkCullByCloudOf((wkIsa)isa);
            if (fcn != NULL) {
                assert_int_equal(fcn(&cull, &c.boxes, c.origin, c.reach, lanes), in);
            }
        }
        for (int lane = 0; lane < WK_GROUP; lane++) {
            if ((lanes >> lane & 1u) != 0) {
                checkLane(&c, lane, (in >> lane & 1u) != 0);
            }
        }
        wkCloud_Destroy(c.cloud);
    }
}

// A cloud of spheres of one radius, whose sizes and positions are in proportion to `scale`.
static void makeScaledCase(wkRng* rng, double scale, cullCase* c)
{
    static const double radii[] = {0.0, 0.02, 1.0, 1e4};
    float radius = (float)(scale * radii[wkRngBelow(rng, 4)]);
    c->count = 1 + wkRngBelow(rng, 40);
    for (int32_t i = 0; i < c->count; i++) {
        wkVec3d p = drawVec(rng, scale);
        c->points[i][0] = (float)p.x;
        c->points[i][1] = (float)p.y;
        c->points[i][2] = (float)p.z;
        c->points[i][3] = radius;
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(c->points, c->count);
    def.points.stride = sizeof c->points[0];
    def.points.radiusOffset = 12;
    def.maxRounding = 1.0; // of the largest scale
    assert_int_equal(wkCloud_Create(&def, &c->cloud), wk_ok);
    c->shape = wkMakeCloud(c->cloud);
    c->shape.padding = wkRngBelow(rng, 2) == 0 ? 0.0 : scale * wkRngRange(rng, 0.0, 0.1);
    c->isStraight = wkRngBelow(rng, 2) == 0;
    double far = scale * (wkRngBelow(rng, 3) == 0 ? 1e3 : 1.0);
    c->pose.position = drawVec(rng, far);
    c->pose.rotation = c->isStraight ? wkIdentityPose().rotation : wkRngRotation(rng);
    c->origin = wkRngBelow(rng, 2) == 0 ? c->pose.position : drawVec(rng, far);
    c->reach = wkRngBelow(rng, 2) == 0 ? 0.0 : scale * wkRngLogRange(rng, 1e-3, 10.0);
}

// A direction of the world: an axis of the cloud, where the cull has no reserve but rounding, or a diagonal.
static wkVec3d drawDirection(wkRng* rng, const cullCase* c)
{
    double sign = wkRngBelow(rng, 2) == 0 ? 1.0 : -1.0;
    int axis = wkRngBelow(rng, 4);
    wkVec3d own = axis == 0   ? wkVec(sign, 0.0, 0.0)
                  : axis == 1 ? wkVec(0.0, sign, 0.0)
                  : axis == 2 ? wkVec(0.0, 0.0, sign)
                              : wkScale(sign / sqrt(3.0), wkVec(1.0, -1.0, 1.0));
    return c->isStraight ? own : wkRotateVector(c->pose, own);
}

// Boxes that begin at radius, padding and reach from the centre of a sphere, but for the rounding of floats.
static void drawBoxesAtReach(wkRng* rng, double scale, cullCase* c)
{
    for (int lane = 0; lane < WK_GROUP; lane++) {
        const float* p = c->points[wkRngBelow(rng, c->count)];
        wkVec3d center = wkTransformPoint(c->pose, wkVec((double)p[0], (double)p[1], (double)p[2]));
        wkVec3d way = drawDirection(rng, c);
        double apart = (double)p[3] + c->shape.padding + c->reach;
        wkVec3d from = wkSub(wkMulAdd(center, apart, way), c->origin);
        // a box that is not along its axes would come nearer than it begins
        double size = c->isStraight ? scale * wkRngLogRange(rng, 1e-4, 1.0) : 0.0;
        const double at[3] = {from.x, from.y, from.z}, along[3] = {way.x, way.y, way.z};
        for (int k = 0; k < 3; k++) {
            c->boxes.lower[k][lane] = (float)(at[k] - (along[k] > 0.0 ? 0.0 : size));
            c->boxes.upper[k][lane] = (float)(at[k] + (along[k] < 0.0 ? 0.0 : size));
        }
    }
}

// Those that floats place a little beyond the reach may be left out; nearly half of them are within.
static void boxes_at_exactly_the_reach_are_let_through(void** state)
{
    (void)state;
    static cullCase c;
    wkRng rng = wkMakeRng(UNIT_SEED + 2);
    for (int n = 0; n < WK_CASES(2600); n++) {
        double scale = pow(10.0, n % 13 - 6);
        makeScaledCase(&rng, scale, &c);
        drawBoxesAtReach(&rng, scale, &c);
        wkCloudCull cull;
        wkCloudCull_Init(&cull, &c.shape, &c.pose);
        unsigned in = 0xffu; // by every instruction set
        for (int isa = 0; isa < wk_isaCount; isa++) {
            wkCullByCloudFcn* fcn = wkCullByCloudOf((wkIsa)isa);
            in &= fcn != NULL ? fcn(&cull, &c.boxes, c.origin, c.reach, 0xffu) : 0xffu;
        }
        for (int lane = 0; lane < WK_GROUP; lane++) {
            double distance = distanceOfLane(&c, lane);
            if (distance <= c.reach && (in >> lane & 1u) == 0) {
                fail_msg("scale %g: a box at %.17g of a sphere is left out, reach %.17g", scale,
                         distance, c.reach);
            }
        }
        wkCloud_Destroy(c.cloud);
    }
}

static void boxes_without_end_are_let_through(void** state)
{
    (void)state;
    static cullCase c;
    wkRng rng = wkMakeRng(UNIT_SEED + 1);
    makeCase(&rng, 3, &c);
    wkCloudCull cull;
    wkCloudCull_Init(&cull, &c.shape, &c.pose);
    for (int lane = 0; lane < 4; lane++) {
        c.boxes.lower[lane % 3][lane] = lane == 0 ? -INFINITY : lane == 1 ? -FLT_MAX : NAN;
        c.boxes.upper[lane % 3][lane] = lane == 1 ? FLT_MAX : INFINITY;
    }
    assert_int_equal(wkCloudCull_Pass(&cull, &c.boxes, c.origin, 0.0, 0x0fu), 0x0fu);
    assert_int_equal(wkCloudCull_Pass(&cull, &c.boxes, c.origin, 0.0, 0xffu) & 0x0fu, 0x0fu);
    assert_int_equal(wkCloudCull_Pass(&cull, &c.boxes, c.origin, INFINITY, 0xffu), 0xffu);
    cull.position = wkVec(1e60, -1e60, 1e50);
    assert_int_equal(wkCloudCull_Pass(&cull, &c.boxes, wkVec(0.0, 0.0, 0.0), 0.0, 0xffu), 0xffu);
    assert_int_equal(wkCloudCull_Pass(&cull, &c.boxes, c.origin, 0.0, 0u), 0u);
    wkCloud_Destroy(c.cloud);
}

// An empty cloud is at the largest distance, which belongs to a reach without end.
static void empty_clouds_cull_nothing(void** state)
{
    (void)state;
    wkCloudDef def = wkDefaultCloudDef();
    def.allowsEmpty = true;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    wkShape shape = wkMakeCloud(cloud);
    wkPose pose = wkIdentityPose();
    wkBoxCull cull;
    wkBoxCull_Place(&cull, &shape, &pose);
    wkAabb box = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}};
    assert_true(wkBoxCull_Passes(&cull, &box, INFINITY));
    assert_true(wkFirstReach(&shape) > 0.0);
    wkCloud_Destroy(cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_near_spheres_are_let_through),
        cmocka_unit_test(boxes_at_exactly_the_reach_are_let_through),
        cmocka_unit_test(boxes_without_end_are_let_through),
        cmocka_unit_test(empty_clouds_cull_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
