// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Distance requests with a cutoff and a tolerance together, for every pair of types: the answer is never above the
// distance of a request without both, and below the lesser of distance and cutoff by no more than the tolerance.

#include "kit.h"
#include "scenes/fields.h"
#include "scenes/maps.h"
#include "scenes/mesh_zoo.h"

#include "whisker/cloud.h"
#include "whisker/detail/counts.h"

#include <float.h>
#include <math.h>

#define POINT_COUNT 60
#define CELL_SIZE 0.1

static wkZoo zoo;
static wkFieldScene fields[WK_FIELD_KIND_COUNT];
static wkOctree* maps[WK_MAP_KIND_COUNT];
static wkCloud* cloud;
static wkFront* front;

typedef wkShape drawFcn(wkRng* rng, int type);

static wkShape drawConvex(wkRng* rng, int type)
{
    return wkRandomShape(rng, wkKitBank(), (wkShapeType)type, wkRngLogRange(rng, 0.1, 1.0));
}

static wkShape drawSurface(wkRng* rng, int type)
{
    (void)type;
    const wkZooRow* row;
    do {
        row = &zoo.rows[wkRngBelow(rng, WK_ZOO_COUNT)];
    } while (row->reach > 10.0 || row->reach < 0.1);
    return wkMakeMesh(row->variants[wkRngBelow(rng, WK_ZOO_VARIANTS)]);
}

static wkShape drawSolid(wkRng* rng, int type)
{
    (void)type;
    const wkFieldScene* scene = &fields[wkRngBelow(rng, WK_FIELD_KIND_COUNT)];
    return wkMakeMesh(wkRngChance(rng, 2) ? scene->mesh : scene->closed);
}

static wkShape drawField(wkRng* rng, int type)
{
    (void)type;
    return wkMakeHeightField(fields[wkRngBelow(rng, WK_FIELD_KIND_COUNT)].field);
}

static wkShape drawMap(wkRng* rng, int type)
{
    (void)type;
    wkShape map = wkMakeOctree(maps[wkRngBelow(rng, WK_MAP_KIND_COUNT)]);
    map.map.unknown = wkRngChance(rng, 6) ? wk_unknownReported : wk_unknownFree;
    return map;
}

static wkShape drawCloud(wkRng* rng, int type)
{
    (void)rng, (void)type;
    return wkMakeCloud(cloud);
}

// Convex types come first, each drawn by the first row.
static drawFcn* const draws[] = {drawConvex, drawSurface, drawSolid, drawField, drawMap, drawCloud};

#define BODY_COUNT (WK_SCENE_TYPE_COUNT + (int)(sizeof draws / sizeof draws[0]) - 1)

typedef struct limitCase {
    wkShape a;
    wkShape b;
    wkPose poseA;
    wkPose poseB;
    bool isSigned;
    bool isFollowed; // by a front
} limitCase;

// A body with margins, which may shrink it.
static wkShape drawBody(wkRng* rng, int body)
{
    bool isConvex = body < WK_SCENE_TYPE_COUNT;
    wkShape shape = draws[isConvex ? 0 : body - WK_SCENE_TYPE_COUNT + 1](rng, body + 1);
    if (!isConvex && wkRngChance(rng, 2)) {
        bool isMap = shape.type == wk_shapeOctree;
        shape.padding = isMap ? wkRngRange(rng, -0.4, 0.6) * CELL_SIZE : wkRngRange(rng, -0.2, 0.1);
    }
    return shape;
}

static wkPose drawPose(wkRng* rng, double size)
{
    wkPose pose = {wkSceneScale(wkRngDirection(rng), wkRngRange(rng, 0.0, size)),
                   wkRngRotation(rng)};
    return pose;
}

static limitCase drawCase(wkRng* rng, int bodyA, int bodyB)
{
    limitCase c = {.a = drawBody(rng, bodyA), .b = drawBody(rng, bodyB)};
    c.poseA = drawPose(rng, 2.0);
    c.poseB = wkMulPose(c.poseA, drawPose(rng, wkRngChance(rng, 2) ? 1.0 : 3.0));
    c.isSigned = !wkRngChance(rng, 3);
    c.isFollowed = wkRngChance(rng, 3);
    return c;
}

static wkDistanceResult ask(const limitCase* c, double cutoff, double tolerance)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = c->isSigned;
    request.cutoff = cutoff;
    request.tolerance = tolerance;
    request.front = c->isFollowed ? front : NULL;
    return wkDistance(&c->a, c->poseA, &c->b, c->poseB, &request);
}

// General solvers of curved shapes are exact to 1e-6 of the size; cubes of some maps are as large as the whole map.
static double roundingOf(const limitCase* c, double distance)
{
    bool isVast = c->a.type == wk_shapeOctree || c->b.type == wk_shapeOctree;
    double size =
        10.0 + (fabs(distance) < 1e9 ? fabs(distance) : 0.0) + (isVast ? 65536.0 * CELL_SIZE : 0.0);
    bool isCurved = false;
    const wkShapeType types[2] = {c->a.type, c->b.type};
    for (int i = 0; i < 2; ++i) {
        isCurved = isCurved || types[i] == wk_shapeCylinder || types[i] == wk_shapeCone ||
                   types[i] == wk_shapeEllipsoid;
    }
    return (isCurved ? 1e-6 : 1e-11) * size;
}

static void checkLimits(const limitCase* c, const wkDistanceResult* full, double cutoff,
                        double tolerance)
{
    wkDistanceResult r = ask(c, cutoff, tolerance);
    double rounding = roundingOf(c, full->distance);
    double least = fmin(full->distance, cutoff) - tolerance - rounding;
    if (!(r.distance <= full->distance + rounding) || !(r.distance >= least)) {
        fail_msg("%s and %s, paddings %g and %g, %s%s: distance %.17g (%s), with cutoff %.17g and "
                 "tolerance %.17g it is %.17g (%s)",
                 wkShapeTypeName(c->a.type), wkShapeTypeName(c->b.type), c->a.padding, c->b.padding,
                 c->isSigned ? "signed" : "unsigned", c->isFollowed ? " with a front" : "",
                 full->distance, wkStatusName(full->status), cutoff, tolerance, r.distance,
                 wkStatusName(r.status));
    }
}

static void checkCase(wkRng* rng, const limitCase* c)
{
    wkDistanceResult full = ask(c, INFINITY, 0.0);
    if (full.status == wk_statusUnbounded || !(full.distance < DBL_MAX)) {
        return; // no distance, or nothing to be near
    }
    double size = fmax(fabs(full.distance), 0.05);
    // most cutoffs are above the distance by less than the tolerance: results between them are tempting
    for (int i = 0; i < 4; ++i) {
        double tolerance = size * wkRngLogRange(rng, 1e-3, 2.0);
        double cutoff = full.distance + (i == 0 ? wkRngRange(rng, -0.5, 1.0) * size
                                                : wkRngRange(rng, 0.0, 1.0) * tolerance);
        checkLimits(c, &full, cutoff, tolerance);
        checkLimits(c, &full, INFINITY, tolerance);
    }
    checkLimits(c, &full, full.distance, size);
    checkLimits(c, &full, 0.0, size);
}

static void no_cutoff_hides_what_a_tolerance_left_out(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int a = 0; a < BODY_COUNT; ++a) {
        for (int b = 0; b < BODY_COUNT; ++b) {
            bool isConvex = a < WK_SCENE_TYPE_COUNT && b < WK_SCENE_TYPE_COUNT;
            for (int n = 0; n < wkKitCases(isConvex ? 10 : 60); ++n) {
                limitCase c = drawCase(&rng, a, b);
                checkCase(&rng, &c);
            }
        }
    }
}

static wkCloud* makeCloud(void)
{
    static float points[POINT_COUNT][4]; // x, y, z, radius
    wkRng rng = wkMakeRng(11);
    for (int i = 0; i < POINT_COUNT; ++i) {
        for (int k = 0; k < 3; ++k) {
            points[i][k] = (float)wkRngRange(&rng, -1.0, 1.0);
        }
        points[i][3] = (float)wkRngRange(&rng, 0.0, 0.05);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(points, POINT_COUNT);
    def.points.stride = sizeof points[0];
    def.points.radiusOffset = 12;
    wkCloud* made = NULL;
    return wkCloud_Create(&def, &made) == wk_ok ? made : NULL;
}

static int setUp(void** state)
{
    (void)state;
    bool isMade = wkZoo_Create(&zoo, 3);
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; ++kind) {
        isMade = isMade && wkFieldScene_Create(kind, 9, 7, 7, &fields[kind]);
    }
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; ++kind) {
        maps[kind] = wkMakeMap(kind, CELL_SIZE, 5);
        isMade = isMade && maps[kind] != NULL;
    }
    cloud = makeCloud();
    isMade = isMade && cloud != NULL && wkFront_Create(64, &front) == wk_ok;
    return isMade ? 0 : -1;
}

static int tearDown(void** state)
{
    (void)state;
    wkFront_Destroy(front);
    wkCloud_Destroy(cloud);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; ++kind) {
        wkOctree_Destroy(maps[kind]);
    }
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; ++kind) {
        wkFieldScene_Destroy(&fields[kind]);
    }
    wkZoo_Destroy(&zoo);
    wkKitEnd();
    return wkGetByteCount() == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(no_cutoff_hides_what_a_tolerance_left_out),
    };
    return cmocka_run_group_tests_name("property.distance_limits", tests, setUp, tearDown);
}
