// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The parts of a clearance field (batch/field.h): its cells, bricks and objects, as kernels and other devices read
// them. Code of this header is C, C++ and CUDA.

#include "base/compiler.h"
#include "base/view_block.h"
#include "batch/field_grid.h"
#include "batch/field_map.h"
#include "whisker/robot_scene.h"

// A box with a sphere swept around it, which represents most objects near a robot: spheres, capsules, boxes,
// and half-spaces and planes clipped to the region of the field. One cache line.
typedef struct wkFieldBox {
    WK_ALIGNAS(64)
    float row[3][4]; // a coordinate of the world along the three axes of the box; fourth:
                     // half the edge along the axis with the number of the row
    float center[3]; // relative to the origin
    float sphere;    // radius of the swept sphere, with the rounding slack
} wkFieldBox;

// An object of the scene in a field.
typedef struct wkFieldObject {
    int32_t slotIndex; // in the inner scene
    int32_t rule;      // row of wkField.allowed; -1: no side may touch it
    int32_t map;       // index among the maps; -1: not a map
    bool isBox;        // its box represents it
    bool isPiece;      // its box is one of many that represent it: they do not give depths
    bool isFine;       // its distance is evaluated at every cell, as that takes little time
    double slack;      // rounding of its distance from a point
} wkFieldObject;

// A point cloud of the scene in a field.
typedef struct wkCloudObject {
    int32_t slotIndex; // in the inner scene
    int32_t rule;      // as in wkFieldObject
} wkCloudObject;

// An object of a field other than a cloud, to tell whether it has changed.
typedef struct wkObjectMark {
    int32_t slotIndex;
    int32_t rule;
    uint64_t stamp; // of its shape
    wkPose pose;
} wkObjectMark;

// An object near a brick and a lower bound on its distance, in shares of the reach.
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

// Cells along an edge of a brick, and bricks along an edge of the blocks that a field is built in.
#define WK_FIELD_SPLIT 4
#define WK_FIELD_PARTS (WK_FIELD_SPLIT * WK_FIELD_SPLIT * WK_FIELD_SPLIT)
#define WK_FIELD_EIGHT 8

// A field for sides with the same rules.
typedef struct wkFieldLayer {
    wkFieldGrid grid;
    wkFieldBrick* bricks; // x first
    wkFieldEntry* entries;
    int32_t wordCount; // of the grid
    int32_t brickCount;
    int32_t entryCount;
    bool isMixed;      // the rules of its sides differ
    int64_t appliesAt; // the first word of its row of `applies`
} wkFieldLayer;

#define WK_FIELD_LAYERS 4

// A view of a block (base/view_block.h), which may be copied to another address or device as it is: cells,
// bricks, and boxes and bits of maps, which decide nearly all spheres. Each cloud has a block of its own
// (batch/field_cloud.h). Objects that are none of these are evaluated in the scene, on the host. While a field is built, its arrays are allocated one by one.
typedef struct wkField {
    // Numbers, stored in the block.
    wkVec3d origin;
    double reach;        // of cells and entries: larger spheres are checked against all objects
    float step;          // metres per unit of an entry
    bool isOpen[3][2];   // there is no object beyond that end of the grid
    int32_t objectCount; // near the grid; others are found in the scene
    int32_t plainCount;  // the first of them: boxes without rules
    int32_t cloudCount;  // near the grid
    int32_t mapCount;
    int32_t mapWordCount; // of the bits of all maps
    int32_t ruleCount;
    int32_t wordCount; // of a row of `allowed`
    int32_t allowedWordCount;
    int32_t appliesWordCount;
    int32_t sideCount;
    int32_t layerCount;
    wkFieldLayer layers[WK_FIELD_LAYERS];

    // Arrays in the block, like those of the layers.
    wkFieldBox* boxes; // by object; undefined for objects that are not boxes
    wkFieldObject* objects;
    wkCloudObject* cloudObjects;
    wkFieldMap* maps;
    uint64_t* mapBits; // see wkFieldMap; NULL while the field is built
    uint64_t* allowed; // rows of sides that an object with rules may touch
    uint8_t* layerOfSide;
    uint64_t*
        applies; // rows of bits of objects with rules that sides must not touch, one for each layer

    const wkRobotScene* scene;        // on the host alone
    const struct wkReach* reachCells; // as in the definition, while the field is built
    struct wkFieldCloud**
        clouds;          // by cloud, views of their blocks; NULL: clouds are evaluated in the scene
    wkObjectMark* marks; // of all objects but clouds, on the host alone
    int32_t markCount;
    uint32_t*
        words[WK_FIELD_LAYERS]; // of the layers without clouds, on the host alone; NULL: the same
    int32_t objectCapacity;     // while the field is built
    int32_t cloudCapacity;      //
    wkBlockHead* block;         // owned by fields of wkField_Create
    size_t byteCount;           // of the block
} wkField;

WK_FN wkFieldBrick* wkBrickAt(const wkFieldLayer* layer, const int32_t cell[3])
{
    const int32_t* count = layer->grid.count;
    return &layer->bricks[cell[0] / WK_FIELD_SPLIT +
                          count[0] / WK_FIELD_SPLIT *
                              (cell[1] / WK_FIELD_SPLIT +
                               count[1] / WK_FIELD_SPLIT * (cell[2] / WK_FIELD_SPLIT))];
}

// Returns the cells for spheres of a side.
WK_FN const wkFieldGrid* wkField_GridOf(const wkField* field, int32_t side)
{
    return &field->layers[field->layerOfSide[side]].grid;
}
