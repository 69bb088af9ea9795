// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A program in the making. Everything is computed in double; bounds of what floats will be off by go
// along with it.

#include "batch/program.h"

// Half a unit in the last place of 1.
#define WK_FLOAT_ROUNDING 0x1p-24

// Angles that lanes take; larger ones are turned back in double.
#define WK_LANE_ANGLE 8.0

// What an angle in lanes may be off by when it gets there: rounded from double, or between two that
// are. And what sine and cosine of lanes may be off by then, see angle_kernel.h.
#define WK_ANGLE_SLACK 0x1p-20
#define WK_SINE_SLACK 0x1p-21

// Limits of variables are taken to be wider by this much, and this share of them, where floats are
// compared with them.
#define WK_LIMIT_SLACK 1e-5

// Lengths of joints without limits that lanes take.
#define WK_LANE_LENGTH 64.0

// Coordinates below, in metres, count as zero; factors of unit vectors likewise.
#define WK_ZERO_LENGTH 1e-9
#define WK_ZERO_FACTOR 1e-7

// A sphere to be placed, in the frame of its rigid group of the robot.
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
    wkMat3d axes;   // its axes in the frame of the rigid group of the robot; may mirror
    wkVec3d origin; // its origin likewise
    double
        rotationError; // bound of what the matrix can be off by, as a root of squares of all numbers
    double placeError; // bound of what the origin can be off by
    wkVec3d middle;    // the origin is never further than `reach` from here
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
    wkSphere3d* scratch; // as many
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

// Columns and operations that the frame of one rigid group can take.
#define WK_RIGID_GROUP_COLUMNS 12

// Chooses the frames of all rigid groups, and the operations that place them.
void wkBuilderFrames(wkProgramBuilder* builder);

// Puts a sphere into the frame of its rigid group, and finds what rounding can do to it.
void wkPlaceBuilderSphere(const wkProgramBuilder* builder, wkBuilderSphere* sphere);

// Groups the spheres, in the frames, into parts. Those of one side follow each other.
void wkBuilderParts(wkProgramBuilder* builder);

// The radius of a sphere in lanes, as a double.
double wkPaddedRadius(const wkBuilderSphere* sphere);
