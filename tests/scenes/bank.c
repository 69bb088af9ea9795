// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The hulls of the scenes: regular ones, random ones, and those without volume.

#include "shapes.h"

#include <stdlib.h>
#include <string.h>

static void addHull(wkShapeBank* bank, wkHull* hull, wkBankKind kind)
{
    if (hull != NULL && bank->count < WK_BANK_CAPACITY) {
        bank->kinds[bank->count] = kind;
        bank->hulls[bank->count++] = hull;
    }
}

wkHull* wkHullOfPoints(const wkVec3d* points, int count)
{
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = count;
    wkHull* hull = NULL;
    wkHull_Create(&def, &hull);
    return hull;
}

// The cube of edge 1 has its faces given, so that it exists in every build.
static wkHull* createCube(void)
{
    static const wkVec3d points[8] = {
        {-0.5, -0.5, -0.5}, {0.5, -0.5, -0.5}, {0.5, 0.5, -0.5}, {-0.5, 0.5, -0.5},
        {-0.5, -0.5, 0.5},  {0.5, -0.5, 0.5},  {0.5, 0.5, 0.5},  {-0.5, 0.5, 0.5},
    };
    static const int32_t sizes[6] = {4, 4, 4, 4, 4, 4};
    static const int32_t indices[24] = {0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4,
                                        2, 3, 7, 6, 1, 2, 6, 5, 0, 4, 7, 3};
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = 8;
    def.faceSizes = sizes;
    def.faceIndices = indices;
    def.faceCount = 6;
    wkHull* hull = NULL;
    wkHull_Create(&def, &hull);
    return hull;
}

// Hull of random points on an ellipsoid: every point is a vertex.
static wkHull* createRoundHull(wkRng* rng, int count, wkVec3d radii)
{
    wkVec3d* points = (wkVec3d*)malloc((size_t)count * sizeof *points);
    if (points == NULL) {
        return NULL;
    }
    for (int i = 0; i < count; i++) {
        wkVec3d d = wkRngDirection(rng);
        points[i] = wkSceneVec(radii.x * d.x, radii.y * d.y, radii.z * d.z);
    }
    wkHull* hull = wkHullOfPoints(points, count);
    free(points);
    return hull;
}

// Random points in a box: few of them are vertices.
static wkHull* createBoxyHull(wkRng* rng, int count, wkVec3d half)
{
    wkVec3d points[256];
    for (int i = 0; i < count; i++) {
        points[i] =
            wkSceneVec(half.x * wkRngRange(rng, -1.0, 1.0), half.y * wkRngRange(rng, -1.0, 1.0),
                       half.z * wkRngRange(rng, -1.0, 1.0));
    }
    return wkHullOfPoints(points, count);
}

// A prism or, with `top` 0, a pyramid over a regular polygon.
static wkHull* createPrism(int sides, double radius, double half, double top)
{
    wkVec3d points[128];
    for (int i = 0; i < sides; i++) {
        double angle = 2.0 * 3.14159265358979323846 * (double)i / (double)sides;
        wkVec3d rim = {radius * cos(angle), radius * sin(angle), 0.0};
        points[i] = wkSceneVec(rim.x, rim.y, -half);
        points[sides + i] = wkSceneVec(top * rim.x, top * rim.y, half);
    }
    return wkHullOfPoints(points, top > 0.0 ? 2 * sides : sides + 1);
}

static void addFlatHulls(wkShapeBank* bank, wkRng* rng)
{
    wkVec3d point = {0.1, -0.2, 0.3};
    addHull(bank, wkHullOfPoints(&point, 1), wk_bankFlat);

    wkVec3d segment[3] = {{-0.3, 0.1, 0.2}, {0.4, 0.1, 0.2}, {0.1, 0.1, 0.2}};
    addHull(bank, wkHullOfPoints(segment, 3), wk_bankFlat);

    wkVec3d square[4] = {{-0.5, -0.5, 0.0}, {0.5, -0.5, 0.0}, {0.5, 0.5, 0.0}, {-0.5, 0.5, 0.0}};
    addHull(bank, wkHullOfPoints(square, 4), wk_bankFlat);

    // a polygon in the plane x + y + z = 0, exact in binary
    wkVec3d tilted[6] = {{1, -1, 0}, {-1, 1, 0}, {1, 0, -1}, {-1, 0, 1}, {0, 1, -1}, {0, -1, 1}};
    addHull(bank, wkHullOfPoints(tilted, 6), wk_bankFlat);

    wkVec3d polygon[40];
    for (int i = 0; i < 40; i++) {
        double angle = wkRngRange(rng, 0.0, 6.28);
        polygon[i] = wkSceneVec(0.5 * cos(angle), 0.3 * sin(angle), 0.25);
    }
    addHull(bank, wkHullOfPoints(polygon, 40), wk_bankFlat);
}

void wkShapeBank_Create(wkShapeBank* bank, uint64_t seed)
{
    memset(bank, 0, sizeof *bank);
    wkRng rng = wkMakeRng(seed);
    addHull(bank, createCube(), wk_bankSolid);

    wkVec3d tetrahedron[4] = {
        {0.5, 0.5, 0.5}, {0.5, -0.5, -0.5}, {-0.5, 0.5, -0.5}, {-0.5, -0.5, 0.5}};
    addHull(bank, wkHullOfPoints(tetrahedron, 4), wk_bankSolid);
    wkVec3d octahedron[6] = {{0.5, 0, 0},  {-0.5, 0, 0}, {0, 0.5, 0},
                             {0, -0.5, 0}, {0, 0, 0.5},  {0, 0, -0.5}};
    addHull(bank, wkHullOfPoints(octahedron, 6), wk_bankSolid);

    addHull(bank, createPrism(3, 0.5, 0.3, 1.0), wk_bankSolid);
    addHull(bank, createPrism(6, 0.4, 0.4, 0.5), wk_bankSolid);
    addHull(bank, createPrism(16, 0.4, 0.4, 1.0), wk_bankSolid);
    addHull(bank, createPrism(5, 0.5, 0.4, 0.0), wk_bankSolid);

    for (int i = 0; i < 6; i++) {
        wkVec3d half = {wkRngRange(&rng, 0.1, 0.6), wkRngRange(&rng, 0.1, 0.6),
                        wkRngRange(&rng, 0.1, 0.6)};
        addHull(bank, createBoxyHull(&rng, 8 + 10 * i, half), wk_bankSolid);
        addHull(bank, createRoundHull(&rng, 6 + 6 * i, half), wk_bankSolid);
    }

    // thin ones: a blade and a needle
    addHull(bank, createBoxyHull(&rng, 20, wkSceneVec(0.6, 0.3, 1e-5)), wk_bankSolid);
    addHull(bank, createBoxyHull(&rng, 20, wkSceneVec(1e-5, 1e-5, 0.7)), wk_bankSolid);

    addHull(bank, createRoundHull(&rng, 200, wkSceneVec(0.5, 0.5, 0.5)), wk_bankLarge);
    addHull(bank, createRoundHull(&rng, 500, wkSceneVec(0.6, 0.4, 0.5)), wk_bankLarge);
    addHull(bank, createPrism(64, 0.4, 0.5, 1.0), wk_bankLarge);

    addFlatHulls(bank, &rng);

    addHull(bank, createPrism(6, 0.5e-4, 0.3e-4, 1.0), wk_bankTiny);
    addHull(bank, createRoundHull(&rng, 20, wkSceneVec(0.5e-4, 0.4e-4, 0.3e-4)), wk_bankTiny);
    addHull(bank, createPrism(6, 0.5e4, 0.3e4, 1.0), wk_bankHuge);
    addHull(bank, createRoundHull(&rng, 20, wkSceneVec(0.5e4, 0.4e4, 0.3e4)), wk_bankHuge);
}

void wkShapeBank_Destroy(wkShapeBank* bank)
{
    for (int i = 0; i < bank->count; i++) {
        wkHull_Destroy(bank->hulls[i]);
    }
    memset(bank, 0, sizeof *bank);
}
