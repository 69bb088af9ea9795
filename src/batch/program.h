// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot with the spheres that stand for it, and for what it holds, compiled for lanes: a short list of
// operations on columns of matrices places all frames of a configuration, and each sphere has a constant
// place in one of them. Lanes hold configurations, so everything here is one number for all lanes.
//
// A frame is four columns: where its x, y and z axes and its origin are in the world, relative to
// `origin`. Frames are chosen so that there is little to compute: each joint turns about z, axes that
// stay what they are in the frame of the parent are its columns, and centers of spheres have many
// zeros. A frame may be left-handed.
//
// What floats can be off by is added to the radius of every sphere, for angles that lanes take and
// lengths up to a limit (states_kernel.h tells which configurations are beyond): a sphere in lanes contains the
// sphere that it stands for.

#include "batch/program_attached.h"
#include "robot/sphere_model_impl.h"
#include "whisker/robot_scene.h"

// What moves a column. Those with a place are added to it: origins. The others are axes.
typedef enum wkOpKind {
    wk_opRotation,    // into and into + 1: the axes from[0] and from[1] turned by an angle
    wk_opSum1,        // place + factors[0] * from[0]
    wk_opSum2,        // and so on
    wk_opSum3,        //
    wk_opMix2,        // factors[0] * from[0] + factors[1] * from[1]
    wk_opMix3,        // and so on
    wk_opTranslation, // place + (factors[0] * value + offsets[0]) * from[0] + the same of others
    wk_opGiven,       // into, into + 1 and into + 2: from[0..2] times a matrix that lanes have
} wkOpKind;

typedef struct wkOp {
    int32_t kind;
    int32_t from[3]; // columns
    int32_t origin;  // column; -1: none
    int32_t into;    // the first column written
    int32_t value;   // number of the turn, variable, or turned matrix
    float factors[3];
    float offsets[3]; // of a slide; factors and offsets are zero for columns that do not count
} wkOp;

// An angle: factor * variable + offset.
typedef struct wkJointAngle {
    int32_t variable;
    float factor;
    float offset; // from -pi to pi: whole turns are left out
    // For angles that are too large for lanes: as the robot has them, with whole turns, and without what
    // the frame is turned by on top.
    double exactFactor;
    double exactOffset;
    double shiftSine;
    double shiftCosine;
} wkJointAngle;

// A length, and how large it may be for the radii to hold.
typedef struct wkLengthLimit {
    int32_t variable;
    float limit;
} wkLengthLimit;

// Columns of a frame.
typedef struct wkProgramFrame {
    int32_t x, y, z; // axes
    int32_t origin;  // origin
} wkProgramFrame;

// A rigid group of spheres with the same rules: those of a link, or of one attached object.
typedef struct wkPart {
    int32_t rigidGroup; // its frame; frame 0 does not move
    int32_t firstSphere, sphereCount;
    int32_t firstRun, runCount;
    int32_t side;          // link, or linkCount + number of the attached object, as in body_set.h
    float x, y, z, radius; // a sphere around all, in the frame of the rigid group
} wkPart;

// Spheres of a part that have zeros at the same places.
typedef struct wkSphereRun {
    int32_t first, end;
    int32_t pattern; // bit k: coordinate k is not zero
} wkSphereRun;

// Two parts that must not touch.
typedef struct wkPartPair {
    int32_t a, b;
} wkPartPair;

// One block of memory.
typedef struct wkProgram {
    size_t byteCount;
    const wkRobot* robot;
    wkVec3d origin;          // floats are relative to it
    wkAabb reach;            // spheres are inside, relative to `origin`, wherever lanes place them
    int32_t variableCount;   // length of a configuration
    int32_t rigidGroupCount; // frames
    int32_t columnCount;
    int32_t constantCount; // columns of `constants`, which are the first ones
    int32_t opCount;
    int32_t rotationCount;
    int32_t lengthCount;
    int32_t givenCount;
    int32_t partCount;
    int32_t sphereCount;
    int32_t modelSphereCount; // of these, those of the sphere model: the first ones
    int32_t runCount;
    int32_t pairCount;
    float largestRadius;
    bool
        isHuge; // too large for squares of floats: every configuration is beyond what lanes are for
    wkProgramFrame* frames;
    float* constants; // x, y, z of each
    wkOp* ops;
    wkJointAngle* rotations;
    wkLengthLimit* lengths;
    float* limits;   // lower and upper one of each variable, wider by what floats are off by
    int32_t* givens; // the first variables of floating joints: see wk_opGiven
    wkPart* parts;
    wkSphereRun* runs;
    float* x; // centers of spheres in the frames of their rigid groups
    float* y;
    float* z;
    float* radius;    // with the padding of the link, and what rounding can do
    int32_t* numbers; // of spheres in the sphere model; beyond those for what is attached
    wkSphere3d*
        exact; // the same spheres in the frames of the robot's rigid groups, without what rounding does
    wkPartPair* pairs;

    // Where things are in the room of lanes, in vectors of lanes; columns come first, x, y, z each.
    int32_t valuesAt;     // variables
    int32_t sinesAt;      // sine and cosine of each turn
    int32_t givensAt;     // nine for each
    int32_t centersAt;    // x, y, z of the sphere around each part
    int32_t spheresAt;    // x, y, z of each sphere
    int32_t scratchCount; // all
} wkProgram;

// @param attached spheres of what the robot holds in the scene
// @param base where the root is; its rotation of any length but zero
// @param program set to NULL on failure
// @return wk_errorMemory; wk_errorArgument when the spheres are those of another robot
wkResult wkProgram_Create(const wkRobotScene* scene, const wkSphereModel* spheres,
                          const wkAttachedSpheres* attached, wkPose base, wkProgram** program);

void wkProgram_Destroy(wkProgram* program);
