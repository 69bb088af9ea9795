// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of noisy clouds share: clouds, bodies of every type, and Monte Carlo samples with confidence intervals.

#include "scenes/maps.h"
#include "scenes/mesh_models.h"
#include "unit_kit.h"

#include "whisker/cloud_noise.h"

#define NOISE_PI 3.14159265358979323846

// A point with its own radius and deviation, as in a message.
typedef struct noisePoint {
    float x, y, z, radius, deviation;
} noisePoint;

static inline wkCloud* noiseCloud(const noisePoint* points, int count)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = count;
    def.points.stride = sizeof(noisePoint);
    def.points.radiusOffset = offsetof(noisePoint, radius);
    def.points.deviationOffset = offsetof(noisePoint, deviation);
    def.allowsEmpty = true;
    wkCloud* cloud = NULL;
    if (wkCloud_Create(&def, &cloud) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return cloud;
}

// Bodies beyond the convex types: what tests loop over behind them.
enum {
    kindSurface,
    kindSolid,
    kindField,
    kindMap,
    kindCloud,
    kindCount
};

typedef struct noiseBodies {
    wkShapeBank bank;
    wkMesh* surface;
    wkMesh* solid;
    wkHeightField* field;
    wkOctree* map;
    wkCloud* cloud;
    wkShape kinds[kindCount];
} noiseBodies;

// A solid of hills and valleys, a metre long.
static inline wkHeightField* noiseField(void)
{
    enum {
        columns = 12,
        rows = 9
    };
    wkRng rng = wkMakeRng(UNIT_SEED);
    double heights[columns * rows];
    for (int i = 0; i < columns * rows; i++) {
        heights[i] = wkRngRange(&rng, -0.1, 0.2);
    }
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.columns = columns;
    def.rows = rows;
    def.heights = heights;
    def.sizeX = 1.1;
    def.sizeY = 0.9;
    def.minHeight = -0.4;
    wkHeightField* field = NULL;
    assert_int_equal(wkHeightField_Create(&def, &field), wk_ok);
    return field;
}

static inline void noiseBodies_Create(noiseBodies* bodies)
{
    wkShapeBank_Create(&bodies->bank, UNIT_SEED);
    wkModel model = {0};
    assert_true(wkModel_AddKnot(&model, 0.2, 0.1, 60, 12));
    wkMeshDef def = wkModel_MeshDef(&model);
    assert_int_equal(wkMesh_Create(&def, &bodies->surface), wk_ok);
    def.isSolid = true;
    assert_int_equal(wkMesh_Create(&def, &bodies->solid), wk_ok);
    wkModel_Free(&model);
    bodies->field = noiseField();
    bodies->map = wkMakeMap(1, 0.1, UNIT_SEED);
    wkRng rng = wkMakeRng(UNIT_SEED);
    noisePoint points[40];
    for (int i = 0; i < 40; i++) {
        points[i] =
            (noisePoint){(float)wkRngRange(&rng, -0.5, 0.5), (float)wkRngRange(&rng, -0.5, 0.5),
                         (float)wkRngRange(&rng, -0.5, 0.5), 0.05f, 0.0f};
    }
    bodies->cloud = noiseCloud(points, 40);
    bodies->kinds[kindSurface] = wkMakeMesh(bodies->surface);
    bodies->kinds[kindSolid] = wkMakeMesh(bodies->solid);
    bodies->kinds[kindField] = wkMakeHeightField(bodies->field);
    bodies->kinds[kindMap] = wkMakeOctree(bodies->map);
    bodies->kinds[kindCloud] = wkMakeCloud(bodies->cloud);
}

static inline void noiseBodies_Destroy(noiseBodies* bodies)
{
    wkCloud_Destroy(bodies->cloud);
    wkOctree_Destroy(bodies->map);
    wkHeightField_Destroy(bodies->field);
    wkMesh_Destroy(bodies->surface);
    wkMesh_Destroy(bodies->solid);
    wkShapeBank_Destroy(&bodies->bank);
}

// The n-th body: convex types in turn, then the kinds above.
static inline wkShape noiseBody(const noiseBodies* bodies, wkRng* rng, int n)
{
    int turn = n % (WK_SCENE_TYPE_COUNT + kindCount);
    return turn < WK_SCENE_TYPE_COUNT
               ? wkRandomShape(rng, &bodies->bank, (wkShapeType)(1 + turn), 0.5)
               : bodies->kinds[turn - WK_SCENE_TYPE_COUNT];
}

// Two independent normal numbers, by the method of Box and Muller.
static inline void drawNormals(wkRng* rng, double numbers[2])
{
    double length = sqrt(-2.0 * log(1.0 - wkRngUnit(rng))), angle = 2.0 * NOISE_PI * wkRngUnit(rng);
    numbers[0] = length * cos(angle);
    numbers[1] = length * sin(angle);
}

static inline wkVec3d drawNoise(wkRng* rng, double deviation)
{
    double a[2], b[2];
    drawNormals(rng, a);
    drawNormals(rng, b);
    return wkScale(deviation, wkVec(a[0], a[1], b[0]));
}

// Information that tells a frequency from a probability, in nats for each sample.
static inline double divergence(double frequency, double probability)
{
    double sum = 0.0;
    if (frequency > 0.0) {
        sum += frequency * log(frequency / probability);
    }
    if (frequency < 1.0) {
        sum += (1.0 - frequency) * log((1.0 - frequency) / (1.0 - probability));
    }
    return sum;
}

// The interval that holds the probability unless something happens once in ten million times: Chernoff's bound.
typedef struct interval {
    double lower, upper;
} interval;

static inline interval confidence(int hits, int samples)
{
    double frequency = (double)hits / samples, limit = log(2e7) / samples;
    interval found = {0.0, 1.0};
    for (int side = 0; side < 2; side++) {
        double inside = frequency, outside = side == 0 ? 0.0 : 1.0;
        for (int i = 0; i < 60 && inside != outside; i++) {
            double middle = 0.5 * (inside + outside);
            bool isIn = divergence(frequency, middle) <= limit;
            inside = isIn ? middle : inside;
            outside = isIn ? outside : middle;
        }
        *(side == 0 ? &found.lower : &found.upper) = outside;
    }
    return found;
}

// Points about a body, most of them near its surface.
static inline int drawPoints(wkRng* rng, const wkShape* body, wkPose pose, noisePoint* points,
                             int most)
{
    int count = 1 + wkRngBelow(rng, most);
    double deviation = wkRngLogRange(rng, 0.003, 0.3);
    for (int i = 0; i < count; i++) {
        wkVec3d at = wkScale(wkRngRange(rng, 0.0, 1.0), wkRngDirection(rng));
        wkPointResult closest = wkShape_ClosestPoint(body, pose, at, INFINITY);
        if (i % 3 != 0 && fabs(closest.distance) < 10.0) {
            double away = deviation * wkRngRange(rng, -1.0, 4.0);
            at = wkMulAdd(closest.point, away, closest.normal);
        }
        double own = deviation * wkRngRange(rng, 0.5, 1.0);
        points[i] = (noisePoint){(float)at.x, (float)at.y, (float)at.z,
                                 wkRngChance(rng, 2) ? 0.0f : 0.02f, (float)own};
    }
    return count;
}
