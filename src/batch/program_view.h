// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What kernels read of a compiled robot, see program.h. The common subset of C, C++ and CUDA.

#include "base/view_block.h"
#include "math/frame.h"

// Largest angle that the kernels accept; larger ones are reduced in double.
#define WK_LANE_ANGLE 8.0

// How a column is computed. Operations with an origin compute origins; the others compute axes.
typedef enum wkOpKind {
    wk_opRotation,    // into and into + 1: the axes from[0] and from[1] rotated by an angle
    wk_opSum1,        // origin + factors[0] * from[0]
    wk_opSum2,        // and so on
    wk_opSum3,        //
    wk_opMix2,        // factors[0] * from[0] + factors[1] * from[1]
    wk_opMix3,        // and so on
    wk_opTranslation, // origin + (factors[0] * value + offsets[0]) * from[0] + the same of others
    wk_opGiven,       // into, into + 1 and into + 2: from[0..2] times a matrix in the scratch
} wkOpKind;

typedef struct wkOp {
    int32_t kind;
    int32_t from[3]; // columns
    int32_t origin;  // column; -1: none
    int32_t into;    // the first column written
    int32_t value;   // number of the rotation, variable, or given matrix
    float factors[3];
    float offsets[3]; // of a translation; factors and offsets are zero for unused columns
} wkOp;

// An angle: factor * variable + offset.
typedef struct wkJointAngle {
    int32_t variable;
    float factor;
    float offset; // from -pi to pi: whole revolutions are left out
    // For angles that are too large for the kernels: as in the robot, with whole revolutions, and without
    // the additional rotation of the frame.
    double exactFactor;
    double exactOffset;
    double shiftSine;
    double shiftCosine;
} wkJointAngle;

// A length, and its maximum for which the radii are valid.
typedef struct wkLengthLimit {
    int32_t variable;
    float limit;
} wkLengthLimit;

// Columns of a frame.
typedef struct wkProgramFrame {
    int32_t x, y, z; // axes
    int32_t origin;  // origin
} wkProgramFrame;

// A frame of the program in the frame of the rigid group of the robot, and bounds on the rounding of the kernels
// in it.
typedef struct wkFramePlacement {
    wkMat3d axes;         // may mirror
    wkVec3d origin;       //
    double rotationError; // of the matrix, as a Frobenius norm
    double originError;   // of the origin
    double away;          // largest distance of the origin from that of the program
} wkFramePlacement;

// Spheres that move as one and have the same rules: those of a link, or of one attached object.
typedef struct wkPart {
    int32_t rigidGroup; // its frame; frame 0 does not move
    int32_t firstSphere, sphereCount;
    int32_t firstRun, runCount;
    int32_t side;          // link, or linkCount + number of the attached object, as in body_set.h
    float x, y, z, radius; // a sphere around all, in the frame of the rigid group
} wkPart;

// Spheres of a part with zeros in the same coordinates.
typedef struct wkSphereRun {
    int32_t first, end;
    int32_t pattern; // bit k: coordinate k is not zero
} wkSphereRun;

// Two parts that must not touch.
typedef struct wkPartPair {
    int32_t a, b;
} wkPartPair;

// A view of a block (base/view_block.h): its numbers, and pointers to its arrays. The block holds all that
// kernels read of a robot, and may be copied to another address or device as it is.
typedef struct wkProgram {
    // Numbers, stored in the block.
    wkVec3d origin;          // floats are relative to it
    wkAabb reach;            // contains all spheres in all configurations, relative to `origin`
    int32_t variableCount;   // length of a configuration
    int32_t rigidGroupCount; // frames
    int32_t columnCount;
    int32_t constantCount; // columns of `constants`: the first columns
    int32_t opCount;
    int32_t rotationCount;
    int32_t lengthCount;
    int32_t givenCount;
    int32_t partCount;
    int32_t sphereCount;
    int32_t modelSphereCount; // spheres of the sphere model: the first spheres
    int32_t runCount;
    int32_t pairCount;
    float largestRadius;

    // Offsets into the scratch, in vectors of lanes; columns come first, x, y, z each.
    int32_t valuesAt;     // variables
    int32_t sinesAt;      // sine and cosine of each rotation
    int32_t givensAt;     // nine for each
    int32_t centersAt;    // x, y, z of the sphere around each part
    int32_t spheresAt;    // x, y, z of each sphere
    int32_t scratchCount; // size of the scratch
    bool
        isHuge; // too large for squares of floats: every configuration needs the double-precision path

    // Arrays in the block.
    wkProgramFrame* frames;
    wkFramePlacement* placements; // of the frames
    float* constants;             // x, y, z of each
    wkOp* ops;
    wkJointAngle* rotations;
    wkLengthLimit* lengths;
    float* limits;   // lower and upper one of each variable, wider by the rounding of floats
    int32_t* givens; // the first variables of floating joints: see wk_opGiven
    wkPart* parts;
    wkSphereRun* runs;
    float* x; // centers of spheres in the frames of their rigid groups
    float* y;
    float* z;
    float* radius;    // with the padding of the link, and the rounding slack
    int32_t* numbers; // of spheres in the sphere model; larger for those of attached objects
    wkSphere3d*
        exact; // the same spheres in the frames of the robot's rigid groups, without rounding slack
    wkPartPair* pairs;

    const struct wkRobot* robot; // on the host alone
    wkBlockHead* block;          // owned by programs of wkProgram_Create
    size_t byteCount;            // of the block
} wkProgram;
