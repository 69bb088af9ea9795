// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How a field is made: objects near it, bounds of their distances, and what lanes do for both.

#include "batch/field.h"
#include "math/frame.h"
#include "scene/extent.h"

// Cubes side by side that are bounded together, two along each axis.
typedef struct wkFieldCubes {
    float center[3]; // of all of them
    float edge;      // from one to the next
    float half;      // half an edge, with what rounding may do
    int32_t cell[3]; // the first cell in them
    int32_t cells;   // along an edge of one
} wkFieldCubes;

// How far an object is from any point of each of eight cubes, at least and at most; x first.
typedef struct wkEightBounds {
    _Alignas(64) float lower[WK_FIELD_EIGHT];
    float upper[WK_FIELD_EIGHT];
} wkEightBounds;

// Tangents to the distance from an object in the middle of eight cubes.
typedef struct wkEightPlane {
    _Alignas(64) float distance[WK_FIELD_EIGHT];
    float core[WK_FIELD_EIGHT]; // the same without the sphere around the object
    float gradient[3][WK_FIELD_EIGHT];
    float lowest[WK_FIELD_EIGHT]; // that the distance is anywhere in the cube; not always known
} wkEightPlane;

// A plane in each of eight cubes that the least of several distances is above, and how far.
typedef struct wkFittedPlane {
    _Alignas(64) float lower[WK_FIELD_EIGHT]; // in the middle
    float upper[WK_FIELD_EIGHT];              // the same for a plane that it is below
    float slope[3][WK_FIELD_EIGHT];           // of both, in whole numbers
    float most[WK_FIELD_EIGHT];               // that the distance is anywhere
} wkFittedPlane;

// Spheres by coordinate, aligned for lanes.
typedef struct wkFieldSpheres {
    const float* x;
    const float* y;
    const float* z;
    const float* radius;
} wkFieldSpheres;

// Compiled once per instruction set.
typedef struct wkFieldLanes {
    // bounds of several boxes
    void (*boundBoxes)(const wkFieldBox* boxes, const int32_t* objects, int32_t count,
                       const wkFieldCubes* cubes, wkEightBounds* bounds);
    // tangents to the distances of several boxes
    void (*planeBoxes)(const wkFieldBox* boxes, const int32_t* objects, int32_t count,
                       const wkFieldCubes* cubes, wkEightPlane* planes);
    // planes that hold for several tangents, and for distances known to be within bounds
    void (*fitPlanes)(const wkEightPlane* planes, int32_t count, float halfEdge,
                      const wkEightBounds* others, wkFittedPlane* fitted);
    // for each of several tangents, a bit for each cube in which it may be the least. Nothing matters
    // beyond the limit of a cube, which what is nearer lowers
    void (*selectParts)(wkEightPlane* planes, int32_t count, float halfEdge, float* limit,
                        uint8_t* masks);
    // a bit for each sphere, as wkCheckField gives them; `count` is a multiple of 64
    void (*check)(const wkFieldGrid* grid, const wkFieldSpheres* spheres, int32_t count,
                  uint64_t* open, uint64_t* touching);
} wkFieldLanes;

const wkFieldLanes* wkFieldLanesOf(wkIsa isa);
const wkFieldLanes* wkFieldLanesOfMachine(void);

// The room of a field: where its grid is.
typedef struct wkFieldRegion {
    wkAabb box; // relative to the origin
    wkVec3d middle;
    double radius; // of a sphere about the middle that holds it
} wkFieldRegion;

// The objects of the scene that come within reach of the room, and who may touch them.
wkResult wkField_TakeObjects(wkField* field, const wkFieldRegion* region);

void wkField_FreeObjects(wkField* field);

// Sides with the same rules share a layer.
wkResult wkField_MakeLayers(wkField* field);

// Fills the cells and bricks of a layer, whose grid is set up.
wkResult wkField_FillLayer(const wkField* field, wkFieldLayer* layer, const wkParallel* parallel);

void wkField_FreeLayer(wkFieldLayer* layer);

// The box of an object in the world relative to the origin of the field, infinite ends included.
wkAabb wkField_BoundsOfSlot(const wkField* field, int32_t slotIndex);

// A box between two vertices in a frame that is seen from the origin of the field, with a sphere around it.
// @return false when floats are too coarse for it
bool wkField_MakeBox(const wkField* field, const wkFieldRegion* region, const wkFrame* frame,
                     const double lower[3], const double upper[3], double sphere, wkFieldBox* box);

// Puts boxes in the place of maps that are made of them; see field_map_boxes.h.
struct wkMapBoxes;
wkResult wkField_TakeMapBoxes(wkField* field, const struct wkMapBoxes* boxes);

// Bits of the maps among the objects, and while the field is made bytes for the cells of the grid, which
// all layers share.
wkResult wkField_TakeMaps(wkField* field, const wkFieldRegion* region, const wkFieldGrid* grid);
void wkField_DropMapCells(wkField* field);
void wkField_FreeMaps(wkField* field);

// Bounds of the distance of an object that is no box.
void wkField_BoundByEight(const wkField* field, int32_t object, const wkFieldCubes* cubes,
                          wkEightBounds* bounds);

// What rounding may do to the place of a cell, as a share of its size.
#define WK_CELL_ROUNDING 1e-3

// Steps that a distance is at least or at most, up to a highest number, rounded outward by a little more
// than floats need.
#define WK_STEP_ROUNDING 0.01f

WK_FN int wkStepsBelow(float distance, float perStep, int highest)
{
    float steps = distance * perStep - WK_STEP_ROUNDING;
    steps = steps > 0.0f ? steps : 0.0f;
    steps = steps < (float)highest ? steps : (float)highest;
    return (int)steps;
}

WK_FN int wkStepsAbove(float distance, float perStep, int highest)
{
    float steps = distance * perStep + (1.0f + WK_STEP_ROUNDING);
    steps = steps > 0.0f ? steps : 0.0f;
    steps = steps < (float)highest ? steps : (float)highest;
    return (int)steps;
}

// What a field holds of a place: negative padding takes nothing from the core, as it takes nothing from
// the spheres of the robot. `room` holds the copy where one is needed.
WK_FN const wkShape* wkField_ShapeOfSlot(const wkField* field, int32_t slotIndex, wkShape* region)
{
    return wkWholeShape(&field->scene->world->table.shapes[slotIndex], region);
}

WK_FN const wkShape* wkField_ShapeOf(const wkField* field, int32_t object, wkShape* region)
{
    return wkField_ShapeOfSlot(field, field->objects[object].slotIndex, region);
}

WK_FN const wkPose* wkField_PoseOf(const wkField* field, int32_t object)
{
    return &field->scene->world->table.bodies[field->objects[object].slotIndex].pose;
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
    return ((size_t)field->ruleCount + 1) * (size_t)field->wordCount * sizeof *field->allowed;
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
    return (size_t)grid->count[0] * (size_t)grid->count[1] * (size_t)grid->count[2] *
           sizeof *grid->words;
}
