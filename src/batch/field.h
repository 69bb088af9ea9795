// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The clearance field: how far everything around a robot is, for balls by the million.
//
// Space within reach is cut into small cubic cells. Each has two bytes: a distance that no point of the
// cell falls below, and one that none exceeds, both to the nearest object, safety distances and padding
// taken off. So one look tells most balls: a ball is free when its radius is below the first, and
// touches when its radius is not below the second. For the few in between, bricks of 4 x 4 x 4 cells
// list the objects that may matter, the nearest first, and these are evaluated for the ball.
//
// Bounds never err on the wrong side: distances from one place to the next change no more than the way
// between them, bytes are rounded outward, and what floats may do is taken off.
//
// Objects that some sides of the robot may touch are left out for these sides. Sides with the same
// rules share a layer: a field of its own.

#include "base/cpu.h"
#include "robot/robot_scene.h"

// How a field is made.
typedef struct wkFieldDef {
    const wkRobotScene* scene;  // must not change as long as the field is in use
    wkVec3d origin;             // floats are relative to it
    wkAabb reach;               // where centers of balls can be, in the world; may be infinite
    double largestRadius;       // of balls that are told at one look, margins included
    double cellSize;            // metres; 0: chosen
    const wkParallel* parallel; // NULL: on the calling thread
} wkFieldDef;

// A box with a ball around it, as most objects near a robot are: spheres, capsules, boxes, and
// half-spaces and planes cut to the room of the field. One cache line.
typedef struct wkFieldBox {
    _Alignas(
        64) float row[3][4]; // a coordinate of the world along the three axes of the box; fourth:
                             // half the edge along the axis with the number of the row
    float center[3];         // relative to the origin
    float ball;              // radius of the ball around it, any sign, with what rounding may do
} wkFieldBox;

// An object of the scene as the field sees it.
typedef struct wkFieldObject {
    int32_t place;  // in the inner scene
    int32_t rule;   // row of wkField.allowed; -1: every side must stay away
    bool isBox;     // its box stands for it
    bool isConvex;  // its distance is a convex function
    bool isCertain; // who is near enough touches it: not where unknown space is told apart
    bool isFine;    // its distance is asked at every cell, as that takes little time
    double slack;   // what rounding may do to its distance from a point
} wkFieldObject;

// What is near a brick: an object, and how near it may be in steps of the grid.
typedef uint32_t wkFieldEntry; // object * 256 + steps
#define WK_FIELD_MAX_OBJECTS ((1 << 24) - 1)

typedef struct wkFieldBrick {
    uint32_t first; // entry
    uint32_t count;
} wkFieldBrick;

// Cells along an edge of a brick, bricks along an edge of the blocks that a field is made by.
#define WK_FIELD_SPLIT 4
#define WK_FIELD_PARTS (WK_FIELD_SPLIT * WK_FIELD_SPLIT * WK_FIELD_SPLIT)

// The cells, as lanes see them. The outermost ones stand for all that is beyond.
typedef struct wkFieldGrid {
    float lower[3];        // where the first cell begins
    float perMetre;        // cells
    float size;            // of a cell
    float step;            // metres that a one in a byte stands for
    float last[3];         // the middle of the last cell, in cells from the first
    int32_t count[3];      // cells along each axis, multiples of four
    const uint32_t* words; // two cells each, x first; low byte of a cell: steps that everything is
                           // away at least, high byte: that something is away at most
} wkFieldGrid;

// The high byte of cells in which nothing is proven to be near, and the low one of those in which
// everything is as far as matters.
#define WK_FIELD_FAR 255

// A field for sides with the same rules.
typedef struct wkFieldLayer {
    wkFieldGrid grid;
    wkFieldBrick* bricks; // x first
    wkFieldEntry* entries;
    size_t entryCount;
    const uint64_t* applies; // a bit for each ruled object that these sides must stay away from
    bool isMixed;            // their rules differ
} wkFieldLayer;

#define WK_FIELD_LAYERS 4

typedef struct wkField {
    const wkRobotScene* scene;
    wkVec3d origin;
    double reach;        // of cells and entries: larger balls are looked at with all objects
    bool isOpen[3][2];   // nothing is beyond that end of the grid
    int32_t objectCount; // near the grid; others are found in the scene
    int32_t objectCapacity;
    int32_t plainCount; // the first of them: boxes without rules
    wkFieldBox* boxes;  // by object; undefined for those that are none
    wkFieldObject* objects;
    uint64_t* allowed; // rows of sides that a ruled object may touch
    int32_t ruleCount;
    int32_t wordCount; // of such a row
    int32_t sideCount;
    uint8_t* layerOfSide;
    uint64_t* applies; // rows of bits of ruled objects, one for each layer
    int32_t layerCount;
    wkFieldLayer layers[WK_FIELD_LAYERS];
} wkField;

// @param field set to NULL on failure
// @return wk_errorMemory; wk_errorArgument, wk_errorNotFinite or wk_errorRange naming the field
wkResult wkField_Create(const wkFieldDef* def, wkField** field);

void wkField_Destroy(wkField* field);

size_t wkField_ByteCount(const wkField* field);

// The cells that tell about balls of a side.
WK_FN const wkFieldGrid* wkField_GridOf(const wkField* field, int32_t side)
{
    return &field->layers[field->layerOfSide[side]].grid;
}

// Whether a ball touches anything: wk_verdictFree, wk_verdictWorld, or wk_verdictUnknown when unknown
// space alone is touched. As wkCollide has it, and on the safe side by what floats may do. A ball that
// is no number touches.
// @param center relative to the origin of the field
// @param radius margin included, >= 0
wkVerdict wkField_CheckBall(const wkField* field, int32_t side, const float center[3],
                            float radius);

// How far the nearest thing is from a ball, up to the cutoff; never above the truth.
double wkField_BallDistance(const wkField* field, int32_t side, const float center[3], float radius,
                            double cutoff);
