// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a field is made: objects near it, cells, and what lanes do for both.

#include "batch/field.h"

// Cubes side by side, four along each axis, that are bounded together.
typedef struct wkFieldCubes {
    float center[3]; // of all of them
    float edge;      // from one to the next
    float half;      // half an edge, with what rounding may do
} wkFieldCubes;

// How far an object is from any point of a cube, at least and at most.
typedef struct wkFieldBounds {
    _Alignas(64) float lower[WK_FIELD_PARTS]; // x first
    _Alignas(64) float upper[WK_FIELD_PARTS];
} wkFieldBounds;

// Balls by coordinate, aligned for lanes.
typedef struct wkFieldBalls {
    const float* x;
    const float* y;
    const float* z;
    const float* radius;
} wkFieldBalls;

// Compiled once per instruction set.
typedef struct wkFieldLanes {
    void (*boundBox)(const wkFieldBox* box, const wkFieldCubes* cubes, wkFieldBounds* bounds);
    // 0: free, 1: not known, 2: touching; `count` is a multiple of sixteen
    void (*look)(const wkFieldGrid* grid, const wkFieldBalls* balls, int32_t count,
                 uint8_t* answers);
} wkFieldLanes;

const wkFieldLanes* wkFieldLanesOf(wkIsa isa);
const wkFieldLanes* wkFieldLanesOfMachine(void);

// The room of a field: where its grid is.
typedef struct wkFieldRoom {
    wkAabb box; // relative to the origin
    wkVec3d middle;
    double radius; // of a ball about the middle that holds it
} wkFieldRoom;

// The objects of the scene that come within reach of the room, and who may touch them.
wkResult wkField_TakeObjects(wkField* field, const wkFieldRoom* room);

// Sides with the same rules share a layer.
wkResult wkField_MakeLayers(wkField* field);

// Fills the cells and bricks of a layer, whose grid is set up.
wkResult wkField_FillLayer(const wkField* field, wkFieldLayer* layer, const wkParallel* parallel);

void wkField_FreeLayer(wkFieldLayer* layer);

// The box of an object in the world relative to the origin of the field, infinite ends included.
wkAabb wkField_BoundsOfPlace(const wkField* field, int32_t place);

WK_FN const wkShape* wkField_ShapeOf(const wkField* field, int32_t object)
{
    return &field->scene->world->table.shapes[field->objects[object].place];
}

WK_FN const wkPose* wkField_PoseOf(const wkField* field, int32_t object)
{
    return &field->scene->world->table.bodies[field->objects[object].place].pose;
}

// Whether sides of a layer must stay away from an object, all of them or some.
WK_FN bool wkField_Applies(const wkField* field, const wkFieldLayer* layer, int32_t object)
{
    int32_t rule = field->objects[object].rule;
    return rule < 0 || layer->isMixed || wkHasBit(layer->applies, rule);
}

// Sizes of arrays.
WK_FN size_t wkField_RuleBytes(const wkField* field)
{
    return (size_t)field->ruleCount * (size_t)field->wordCount * sizeof *field->allowed;
}

WK_FN size_t wkField_AppliesWords(const wkField* field)
{
    return (size_t)field->ruleCount / 64 + 1;
}

WK_FN size_t wkField_AppliesBytes(const wkField* field)
{
    return (WK_FIELD_LAYERS + 1) * wkField_AppliesWords(field) * sizeof *field->applies;
}

WK_FN int32_t wkField_BrickCount(const wkFieldGrid* grid)
{
    return grid->count[0] / WK_FIELD_SPLIT * (grid->count[1] / WK_FIELD_SPLIT) *
           (grid->count[2] / WK_FIELD_SPLIT);
}

WK_FN size_t wkField_WordBytes(const wkFieldGrid* grid)
{
    return (size_t)grid->count[0] * (size_t)grid->count[1] * (size_t)grid->count[2] * 2;
}
