// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A clearance field of points on a GPU, with clouds and spheres of all kinds, and what all points in doubles say.

#include "kit.h"
#include "scenes/rng.h"
#include "whisker/cuda.h"

#define MOST_POINTS 3000
#define MOST_SPHERES 400
#define MOST_OWN 3

// Bytes of a point in memory: three coordinates and a radius, or those as doubles and a float.
#define MOST_POINT_BYTES 40

// A frame of points, in any layout, and the field of it.
typedef struct fieldCase {
    wkCuda* cuda;
    wkCudaField* field;
    wkCudaFieldDef def;
    double longest;         // edge of the region
    int32_t objectCapacity; // of the next definition
    int32_t count;
    wkVec3d points[MOST_POINTS]; // in their frame, as they are stored
    float radii[MOST_POINTS];
    bool hasRadii;
    double radius; // of all
    wkSphere3d own[MOST_OWN];
    int32_t ownCount;
    double ownPadding;
    wkPose pose;
    wkCloudView view;
    char bytes[MOST_POINTS * MOST_POINT_BYTES];
    _Alignas(16) float spheres[MOST_SPHERES][4];
    uint8_t verdicts[MOST_SPHERES];
} fieldCase;

typedef enum cloudKind {
    emptyCloud,
    onePoint,
    equalPoints,
    pointsOnBorders, // of cells
    surfacePoints,
    widePoints, // most of them beyond the region
    crowdedPoints,
    cloudKindCount,
} cloudKind;

void openCuda(wkCuda** cuda);

wkCudaFieldRequest fieldRequestOf(const fieldCase* c);

// Replaces the points, where they are and in any layout.
wkResult tryFieldUpdate(fieldCase* c, const wkCloudView* view, wkCudaMemory memory);

// Draws a region of few cells, anywhere.
void drawFieldDef(fieldCase* c, wkRng* rng);

wkVec3d drawInRegion(const wkAabb* region, wkRng* rng, double grown);

void drawFieldCloud(fieldCase* c, wkRng* rng, cloudKind kind);

// Draws spheres in the region, around it, and at any distance of its points.
void drawFieldSpheres(fieldCase* c, wkRng* rng);

// Returns whether a verdict is right.
bool isFieldVerdictRight(const fieldCase* c, const float s[4], uint8_t verdict);

void checkFieldVerdicts(const fieldCase* c);

void checkFieldSpheres(fieldCase* c);

void updateField(fieldCase* c);

void checkFieldCounts(const fieldCase* c);

// The order of points and where they and the spheres are does not matter.
void expectSameElsewhere(fieldCase* c);
