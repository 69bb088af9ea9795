// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The clearance field: how far everything around a robot is, for spheres by the million.
//
// Space within reach is cut into small cubic cells. Each holds a plane that no distance falls below: a
// distance at its first vertex and how it grows from there, to the nearest object, safety distances and
// padding taken off; and how far above it they are at most. So one look tells most spheres: a sphere is free
// when its radius is below the plane, and touches when its radius is not below what it may be. For the few in
// between, bricks of 4 x 4 x 4 cells list the objects that may matter, the nearest first, and these are
// evaluated for the sphere.
//
// Planes because distances to convex bodies are convex functions, which lie above their tangents, and
// because next to a flat face they are planes: what a plane leaves open is thinner by far than a cell.
//
// Bounds never err on the wrong side: numbers are rounded outward, and what floats may do is taken off.
//
// Objects that some sides of the robot may touch are left out for these sides. Sides with the same
// rules share a layer: a field of its own.

#include "base/cpu.h"
#include "batch/field_map.h"
#include "robot/robot_scene_impl.h"

// How a field is made.
typedef struct wkFieldDef {
    const wkRobotScene* scene;  // must not change as long as the field is in use
    wkVec3d origin;             // floats are relative to it
    wkAabb reach;               // where centers of spheres can be, in the world; may be infinite
    double largestRadius;       // of spheres that are told at one look, margins included
    double cellSize;            // metres; 0: chosen
    const wkParallel* parallel; // NULL: on the calling thread
} wkFieldDef;

// A box with a sphere around it, as most objects near a robot are: spheres, capsules, boxes, and
// half-spaces and planes cut to the room of the field. One cache line.
typedef struct wkFieldBox {
    _Alignas(
        64) float row[3][4]; // a coordinate of the world along the three axes of the box; fourth:
                             // half the edge along the axis with the number of the row
    float center[3];         // relative to the origin
    float sphere;            // radius of the sphere around it, with what rounding may do
} wkFieldBox;

// An object of the scene as the field sees it.
typedef struct wkFieldObject {
    int32_t slotIndex; // in the inner scene
    int32_t rule;      // row of wkField.allowed; -1: every side must stay away
    int32_t map;       // number among the maps; -1: it is none
    bool isBox;        // its box stands for it
    bool isPiece;      // its box is one of many that do: how deep one is inside is not told by them
    bool isFine;       // its distance is asked at every cell, as that takes little time
    double slack;      // what rounding may do to its distance from a point
} wkFieldObject;

// What is near a brick: an object, and how near it may be, in shares of the reach.
typedef uint32_t wkFieldEntry; // object * 256 + steps
#define WK_FIELD_MAX_OBJECTS ((1 << 24) - 1)

// Objects near a brick, and which of them matter in each of its eight parts of 2 x 2 x 2 cells: a bit for
// each of the first fifteen, and one for all others.
typedef struct wkFieldBrick {
    uint32_t first; // entry
    uint32_t count;
    uint16_t masks[8];
} wkFieldBrick;

#define WK_FIELD_MASKED 15

// Cells along an edge of a brick, bricks along an edge of the blocks that a field is made by.
#define WK_FIELD_SPLIT 4
#define WK_FIELD_PARTS (WK_FIELD_SPLIT * WK_FIELD_SPLIT * WK_FIELD_SPLIT)
#define WK_FIELD_EIGHT 8

// The cells, as lanes see them. The outermost ones stand for all that is beyond.
typedef struct wkFieldGrid {
    float lower[3];   // where the first cell begins
    float perMetre;   // cells
    float size;       // of a cell
    float step;       // metres that a one in the distance of a plane stands for
    float bias;       // metres that all planes are raised by
    float slope;      // metres for a one in a slope, over a cell
    float gapStep;    // metres for a one in what distances are above the plane at most
    float last[3];    // the middle of the last cell, in cells from the first
    int32_t count[3]; // cells along each axis, multiples of four
    const uint32_t*
        words; // x first; from the lowest bit: 8 bits distance of the plane, 6 bits what
               // distances are above it at most, 6 bits each slope along x, y, z
} wkFieldGrid;

// The highest numbers: planes as far as matters, and cells in which nothing is proven to be near.
#define WK_FIELD_FAR 255
#define WK_FIELD_NONE 63

// Slopes from -1 to 1 are whole numbers up to here, over the next power of two.
#define WK_FIELD_STEEPEST 31

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
    double reach;        // of cells and entries: larger spheres are looked at with all objects
    float step;          // metres that a one in an entry stands for
    bool isOpen[3][2];   // nothing is beyond that end of the grid
    int32_t objectCount; // near the grid; others are found in the scene
    int32_t objectCapacity;
    int32_t plainCount; // the first of them: boxes without rules
    wkFieldBox* boxes;  // by object; undefined for those that are none
    wkFieldObject* objects;
    wkFieldMap* maps;
    int32_t mapCount;
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

// The cells that tell about spheres of a side.
WK_FN const wkFieldGrid* wkField_GridOf(const wkField* field, int32_t side)
{
    return &field->layers[field->layerOfSide[side]].grid;
}

// Whether a sphere touches anything: wk_verdictFree, wk_verdictWorld, or wk_verdictUnknown when unknown
// space alone is touched. As wkCollide has it, and on the safe side by what floats may do. A sphere that
// is no number touches, and is infinitely deep inside.
// @param center relative to the origin of the field
// @param radius margin included, >= 0
wkVerdict wkField_CheckSphere(const wkField* field, int32_t side, const float center[3],
                              float radius);

// How far the nearest thing is from a sphere, up to the cutoff, which may be any number; below zero where
// it touches, by how deep. Never above the truth.
double wkField_SphereDistance(const wkField* field, int32_t side, const float center[3],
                              float radius, double cutoff);
