// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A program under construction. Everything is computed in double, together with bounds on the rounding of
// the floats.

#include "batch/program.h"

// Half a unit in the last place of 1.
#define WK_FLOAT_ROUNDING 0x1p-24

// Error of an angle in the kernels: rounded from double, or between two such angles. And the error of sine
// and cosine of the kernels for it, see angle_kernel.h.
#define WK_ANGLE_SLACK 0x1p-20
#define WK_SINE_SLACK 0x1p-21

// Limits of variables are widened by this length, and this share of them, where floats are
// compared with them.
#define WK_LIMIT_SLACK 1e-5

// Largest length of joints without limits that the kernels accept.
#define WK_LANE_LENGTH 64.0

// Coordinates below, in metres, count as zero; components of unit vectors below the next number too.
#define WK_ZERO_LENGTH 1e-9
#define WK_ZERO_FACTOR 1e-7

// A sphere, in the frame of its rigid group of the robot.
typedef struct wkBuilderSphere {
    wkVec3d center;
    double radius; // with padding
    int32_t rigidGroup;
    int32_t side;
    int32_t number;  // see wkProgram.numbers
    wkVec3d local;   // rounded, in the frame of the program
    double slack;    // of the radius
    int32_t pattern; // see wkSphereRun
} wkBuilderSphere;

// A frame of the program, one for each rigid group of the robot.
typedef struct wkBuilderFrame {
    wkProgramFrame columns;
    wkMat3d axes;         // its axes in the frame of the rigid group of the robot; may mirror
    wkVec3d origin;       // its origin in the same frame
    double rotationError; // bound on the error of the matrix, as a Frobenius norm
    double originError;   // bound on the error of the origin
    wkVec3d middle;       // the origin is never further than `reach` from here
    double reach;
} wkBuilderFrame;

typedef struct wkBuilderColumn {
    bool isConstant;
    wkVec3d value;
} wkBuilderColumn;

typedef struct wkProgramBuilder {
    const wkRobot* robot;
    wkMat3d base; // rotation
    wkBuilderSphere* spheres;
    wkSphere3d* scratch; // as many as `spheres`
    wkPart* parts;
    wkSphereRun* runs;
    int32_t* partOfSide; // -1: none
    int32_t sphereCount;
    int32_t partCount;
    int32_t runCount;
    wkBuilderFrame* frames;
    wkBuilderColumn* columns;
    wkOp* ops;
    wkJointAngle* rotations;
    wkLengthLimit* lengths;
    int32_t* givens;
    int32_t columnCount;
    int32_t opCount;
    int32_t rotationCount;
    int32_t lengthCount;
    int32_t givenCount;
} wkProgramBuilder;

// Maximum number of columns and operations of the frame of one rigid group.
#define WK_RIGID_GROUP_COLUMNS 12

// Chooses the frames of all rigid groups, and the operations that compute them.
void wkBuilderFrames(wkProgramBuilder* builder);

// Returns what a program keeps of the placement of a frame.
wkFramePlacement wkPlacementOf(const wkBuilderFrame* frame);

// Transforms a sphere into the frame of its rigid group, and bounds its rounding.
void wkPlaceBuilderSphere(const wkProgramBuilder* builder, wkBuilderSphere* sphere);

// Groups the spheres, in the frames, into parts. Those of one side are consecutive.
void wkBuilderParts(wkProgramBuilder* builder);

// Returns the radius of a sphere in the kernels, as a double.
double wkPaddedRadius(const wkBuilderSphere* sphere);
