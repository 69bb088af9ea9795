// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Building a field: the objects near it, bounds on their distances, and the SIMD kernels for both.

#include "batch/field.h"
#include "math/frame.h"
#include "query/pair/shape_extent.h"

// Eight adjacent cubes that are bounded together, two along each axis.
typedef struct wkFieldCubes {
    float center[3]; // of all of them
    float edge;      // from one to the next
    float half;      // half an edge, with the rounding slack
    int32_t cell[3]; // the first cell in them
    int32_t cells;   // along an edge of one
} wkFieldCubes;

// Lower and upper bounds on the distance of an object from any point of each of eight cubes; x first.
typedef struct wkEightBounds {
    _Alignas(64) float lower[WK_FIELD_EIGHT];
    float upper[WK_FIELD_EIGHT];
} wkEightBounds;

// Tangents to the distance from an object in the middle of each of eight cubes.
typedef struct wkEightPlane {
    _Alignas(64) float distance[WK_FIELD_EIGHT];
    float core[WK_FIELD_EIGHT]; // the same without the swept sphere of the object
    float gradient[3][WK_FIELD_EIGHT];
    float lowest[WK_FIELD_EIGHT]; // lower bound on the distance in the whole cube; not always known
} wkEightPlane;

// A plane below the least of several distances in each of eight cubes, and one above it.
typedef struct wkFittedPlane {
    _Alignas(64) float lower[WK_FIELD_EIGHT]; // in the middle
    float upper[WK_FIELD_EIGHT];              // in the middle, of the plane above
    float slope[3][WK_FIELD_EIGHT];           // of both, in whole numbers
    float most[WK_FIELD_EIGHT];               // upper bound on the distance in the whole cube
} wkFittedPlane;

// Coordinates and radii of spheres, aligned for SIMD.
typedef struct wkFieldSpheres {
    const float* x;
    const float* y;
    const float* z;
    const float* radius;
} wkFieldSpheres;

// Compiled once per instruction set.
typedef struct wkFieldLanes {
    // bounds on the distances of several boxes
    void (*boundBoxes)(const wkFieldBox* boxes, const int32_t* objects, int32_t count,
                       const wkFieldCubes* cubes, wkEightBounds* bounds);
    // tangents to the distances of several boxes
    void (*planeBoxes)(const wkFieldBox* boxes, const int32_t* objects, int32_t count,
                       const wkFieldCubes* cubes, wkEightPlane* planes);
    // planes below several tangents, and below distances known to be within bounds
    void (*fitPlanes)(const wkEightPlane* planes, int32_t count, float halfEdge,
                      const wkEightBounds* others, wkFittedPlane* fitted);
    // for each of several tangents, a bit for each cube in which it may be the least. Nothing matters
    // beyond the limit of a cube; nearer objects lower the limit
    void (*selectParts)(wkEightPlane* planes, int32_t count, float halfEdge, float* limit,
                        uint8_t* masks);
    // a bit for each sphere, as wkCheckField gives them; `count` is a multiple of 64
    void (*check)(const wkFieldGrid* grid, const wkFieldSpheres* spheres, int32_t count,
                  uint64_t* open, uint64_t* touching);
} wkFieldLanes;

const wkFieldLanes* wkFieldLanesOf(wkIsa isa);
const wkFieldLanes* wkFieldLanesOfMachine(void);

// The region of a field: the volume of its grid.
typedef struct wkFieldRegion {
    wkAabb box; // relative to the origin
    wkVec3d middle;
    double radius; // of a sphere about the middle that contains it
} wkFieldRegion;

// Collects the objects of the scene within reach of the region, and the sides that may touch them.
wkResult wkField_TakeObjects(wkField* field, const wkFieldRegion* region);

void wkField_FreeObjects(wkField* field);

// Sides with the same rules share a layer.
wkResult wkField_MakeLayers(wkField* field);

// Fills the cells and bricks of a layer, whose grid is set up.
wkResult wkField_FillLayer(const wkField* field, wkFieldLayer* layer, const wkParallel* parallel);

void wkField_FreeLayer(wkFieldLayer* layer);

// Lowers the bounds of a layer by a cloud, if it applies to the layer.
void wkField_MergeCloud(const wkField* field, wkFieldLayer* layer, int32_t cloud);

// Returns the box of an object in the world relative to the origin of the field; it may be infinite.
wkAabb wkField_BoundsOfSlot(const wkField* field, int32_t slotIndex);

// Makes a box between two vertices in a frame relative to the origin of the field, with a swept sphere.
// @return false when floats are too coarse for it
bool wkField_MakeBox(const wkField* field, const wkFieldRegion* region, const wkFrame* frame,
                     const double lower[3], const double upper[3], double sphere, wkFieldBox* box);

// Replaces maps that are made of boxes by these boxes; see field_map_boxes.h.
struct wkMapBoxes;
wkResult wkField_TakeMapBoxes(wkField* field, const struct wkMapBoxes* boxes);

// Builds the bits of the maps among the objects, and, while the field is built, bytes for the cells of the
// grid, which all layers share.
wkResult wkField_TakeMaps(wkField* field, const wkFieldRegion* region, const wkFieldGrid* grid);
void wkField_DropMapCells(wkField* field);

// Decides where the bits of maps are in the block, and copies them there.
// @param built the maps with their bits, as many as in the field
wkResult wkField_PlaceMapBits(wkField* field);
void wkField_MoveMapBits(wkField* field, const wkFieldMap* built);
void wkField_FreeMaps(wkField* field);

// Computes bounds on the distance of an object that is not a box.
void wkField_BoundByEight(const wkField* field, int32_t object, const wkFieldCubes* cubes,
                          wkEightBounds* bounds);

// Rounding of the position of a cell, as a share of its size.
#define WK_CELL_ROUNDING 1e-3

// Round a distance to steps, down or up, limited to a highest number; outward by slightly more than
// floats need.
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

// Returns the shape of an object for a field: negative padding takes nothing from the core, as it takes
// nothing from the spheres of the robot. `region` receives the copy where one is needed.
WK_FN const wkShape* wkField_ShapeOfSlot(const wkField* field, int32_t slotIndex, wkShape* region)
{
    return wkWholeShape(wkScene_ObjectAt(field->scene->world, slotIndex).shape, region);
}

WK_FN const wkShape* wkField_ShapeOf(const wkField* field, int32_t object, wkShape* region)
{
    return wkField_ShapeOfSlot(field, field->objects[object].slotIndex, region);
}

WK_FN const wkPose* wkField_PoseOf(const wkField* field, int32_t object)
{
    return wkScene_ObjectAt(field->scene->world, field->objects[object].slotIndex).pose;
}

WK_FN size_t wkField_AppliesWords(const wkField* field)
{
    return (size_t)field->ruleCount / 64 + 1;
}

// Returns whether all or some sides of a layer must not touch objects with a rule.
WK_FN bool wkField_RuleApplies(const wkField* field, const wkFieldLayer* layer, int32_t rule)
{
    return rule < 0 || layer->isMixed || wkHasBit(&field->applies[layer->appliesAt], rule);
}

// The same for an object.
WK_FN bool wkField_Applies(const wkField* field, const wkFieldLayer* layer, int32_t object)
{
    return wkField_RuleApplies(field, layer, field->objects[object].rule);
}

// Sizes of arrays.
WK_FN size_t wkField_CloudBytes(const wkField* field)
{
    return (size_t)field->cloudCount * sizeof(void*);
}

WK_FN size_t wkField_RuleBytes(const wkField* field)
{
    return ((size_t)field->ruleCount + 1) * (size_t)field->wordCount * sizeof *field->allowed;
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
