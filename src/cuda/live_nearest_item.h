// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The nearest live point or object of a sphere of the robot. The word of its cell bounds the distance below; where that leaves
// a nearer one possible, the points of the bricks within the best distance so far are compared, and the objects of the tiles
// that it reaches. All that is nearer than the reach of a field is in it, so no distance is larger than the reach less the
// radius of the sphere. The common subset of C, C++ and CUDA.

#include "cuda/live_field_item.h"
#include "cuda/live_object_item.h"

// The nearest pair so far. Distances are not above those of exact arithmetic.
typedef struct wkLivePair {
    double distance;
    int32_t part,
        sphere;     // of the robot; -1: no point, but what the cutoff or the reach leaves open
    int32_t live;   // index of the field
    int32_t object; // of the field; -1: a point
    wkLivePoint point;
    float away[3];  // from the closest position to the center of the sphere; 0 inside an object
    bool isUnknown; // a sphere is where a field knows nothing
} wkLivePair;

// A sphere of the robot in the frame of a field.
typedef struct wkLiveSphere {
    float center[3];
    double radius; // with all rounding
    int32_t part, sphere, live;
} wkLiveSphere;

// Of equally near points the order of the list, which is any, must not matter.
WK_FN bool wkIsLivePointBefore(wkLivePoint a, wkLivePoint b)
{
    if (a.x != b.x) {
        return a.x < b.x;
    }
    if (a.y != b.y) {
        return a.y < b.y;
    }
    return a.z != b.z ? a.z < b.z : a.radius < b.radius;
}

// Sets a lower bound on the distance of a center from all points and objects; minus infinity where it may be inside of some.
// @return false where nothing is known of the points around it
WK_FN bool wkLiveField_LeastAt(const wkLiveField* field, const float center[3], float* least)
{
    const wkFieldGrid* grid = &field->grid;
    int32_t cell[3];
    *least = -INFINITY;
    if (!field->isKnown || field->status->badMark != 0) {
        return false;
    }
    for (int axis = 0; axis < 3; ++axis) {
        cell[axis] = wkLiveCell(grid, axis, wkLivePosition(grid, axis, center[axis]));
        if (cell[axis] < 1 || cell[axis] >= grid->count[axis] - 1) {
            return false;
        }
    }
    uint32_t word = grid->words[cell[0] + grid->count[0] * (cell[1] + grid->count[1] * cell[2])];
    float away = (float)(word & 0xff) * grid->step;
    *least = !(away > 0.0f) ? -INFINITY : away < field->reach ? away : field->reach;
    return true;
}

// Takes a pair if it is nearer than the best so far.
// @param object -1: the point
WK_FN void wkLivePair_Take(wkLivePair* pair, const wkLiveSphere* sphere, double distance,
                           int32_t object, wkLivePoint point, const float away[3])
{
    bool isSame = pair->sphere == sphere->sphere && pair->live == sphere->live;
    bool isBefore = object < pair->object ||
                    (object < 0 && pair->object < 0 && wkIsLivePointBefore(point, pair->point));
    if (distance < pair->distance || (distance == pair->distance && isSame && isBefore)) {
        pair->distance = distance;
        pair->part = sphere->part;
        pair->sphere = sphere->sphere;
        pair->live = sphere->live;
        pair->object = object;
        pair->point = point;
        for (int axis = 0; axis < 3; ++axis) {
            pair->away[axis] = away[axis];
        }
    }
}

WK_FN void wkLivePair_Offer(wkLivePair* pair, const wkLiveSphere* sphere, wkLivePoint point)
{
    const float away[3] = {sphere->center[0] - point.x, sphere->center[1] - point.y,
                           sphere->center[2] - point.z};
    float square = away[0] * away[0] + away[1] * away[1] + away[2] * away[2];
    // as in wkTouchesLivePoint: the length is off by less than one part in 2^20
    double length = (double)sqrtf(square) * (1.0 - 0x1p-20);
    wkLivePair_Take(pair, sphere, length - (double)point.radius - sphere->radius, -1, point, away);
}

// Offers an object. What rounding makes of it is in its radius, as in wkTouchesLiveObject; further away than the reach, in the
// length.
WK_FN void wkLivePair_OfferObject(wkLivePair* pair, const wkLiveSphere* sphere,
                                  const wkLiveObject* object, int32_t index)
{
    const float* a = object->axes;
    float dx = sphere->center[0] - object->x, dy = sphere->center[1] - object->y,
          dz = sphere->center[2] - object->z;
    float u = a[0] * dx + a[1] * dy + a[2] * dz;
    float v = a[3] * dx + a[4] * dy + a[5] * dz;
    float w = a[6] * dx + a[7] * dy + a[8] * dz;
    float across = fabsf(u), halfV = object->half[1];
    float beyondV = 0.0f;
    if (halfV < 0.0f) {
        across = sqrtf(u * u + v * v); // of a cylinder
    } else {
        beyondV = wkBeyondHalf(fabsf(v), halfV);
    }
    float beyondU = wkBeyondHalf(across, object->half[0]);
    float beyondW = wkBeyondHalf(fabsf(w), object->half[2]);
    float square = beyondU * beyondU + beyondV * beyondV + beyondW * beyondW;
    double length = (double)sqrtf(square) * (1.0 - 0x1p-20);
    float alongU = u > 0.0f ? beyondU : -beyondU, alongV = v > 0.0f ? beyondV : -beyondV;
    float alongW = w > 0.0f ? beyondW : -beyondW;
    if (halfV < 0.0f) {
        float share = across > 0.0f ? beyondU / across : 0.0f;
        alongU = u * share;
        alongV = v * share;
    }
    float away[3];
    for (int axis = 0; axis < 3; ++axis) {
        away[axis] = alongU * a[axis] + alongV * a[3 + axis] + alongW * a[6 + axis];
    }
    wkLivePoint none = {0.0f, 0.0f, 0.0f, 0.0f};
    wkLivePair_Take(pair, sphere, length - (double)object->radius - sphere->radius, index, none,
                    away);
}

// Returns how far from a center all is that is nearer to the sphere than the best so far, rounded up; the reach at most.
WK_FN float wkLiveReachOf(const wkLiveField* field, const wkLivePair* pair, double radius)
{
    double range = pair->distance + radius;
    if (!(range < (double)field->reach)) {
        return field->reach;
    }
    float grown = range > 0.0 ? (float)range * 1.00001f + 1e-6f : 1e-6f;
    return grown < field->reach ? grown : field->reach;
}

// Offers the points of the chosen bricks of a tile.
WK_FN void wkLivePair_OfferTile(const wkLiveField* field, const wkLiveSearch* search,
                                const int32_t tile[3], uint64_t bricks, float largest,
                                const wkLiveSphere* sphere, wkLivePair* pair)
{
    const wkFieldGrid* grid = &field->grid;
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    int32_t first = (tile[0] + acrossX * (tile[1] + acrossY * tile[2])) * WK_LIVE_PARTS;
    for (; bricks != 0; bricks &= bricks - 1) {
        int part = wkLowestBit64(bricks);
        const int32_t at[3] = {part % WK_LIVE_SPLIT, part / WK_LIVE_SPLIT % WK_LIVE_SPLIT,
                               part / (WK_LIVE_SPLIT * WK_LIVE_SPLIT)};
        float square = 0.0f;
        for (int axis = 0; axis < 3; ++axis) {
            float beyond = wkBeyondBrick(search->at[axis], tile[axis] * WK_LIVE_SPLIT + at[axis]);
            square += beyond * beyond;
        }
        // as in wkBeginLiveSearch, with what is found since
        float reach = wkLiveReachOf(field, pair, sphere->radius);
        float limit = (reach + largest) * grid->perMetre * 1.00001f + 0.001f;
        if (square > limit * limit) {
            continue;
        }
        wkLiveRange range = field->ranges[first + part];
        for (uint32_t i = range.first; i < range.first + range.count; ++i) {
            wkLivePair_Offer(pair, sphere, wkLoadLivePoint(field->points, i));
        }
    }
}

// Offers the objects in the list of a tile.
WK_FN void wkLivePair_OfferObjects(const wkLiveField* field, const wkLiveObjects* objects,
                                   const int32_t tile[3], const wkLiveSphere* sphere,
                                   wkLivePair* pair)
{
    if (objects->listedCount == 0) {
        return;
    }
    const wkFieldGrid* grid = &field->grid;
    int32_t acrossX = grid->count[0] / WK_LIVE_TILE, acrossY = grid->count[1] / WK_LIVE_TILE;
    wkLiveRange range = objects->tiles[tile[0] + acrossX * (tile[1] + acrossY * tile[2])];
    for (uint32_t i = range.first; i < range.first + range.count; ++i) {
        uint32_t index = objects->list[i];
        wkLivePair_OfferObject(pair, sphere, &objects->objects[index], (int32_t)index);
    }
}

// Compares a sphere with the points and objects that may be nearer to it than the best so far.
WK_FN void wkLivePair_Search(const wkLiveField* field, const wkLiveObjects* objects,
                             const wkLiveSphere* sphere, wkLivePair* pair)
{
    wkLiveSearch search;
    bool isOpen = !(pair->distance + sphere->radius < (double)field->reach);
    if (!wkBeginLiveSearch(field, sphere->center, wkLiveReachOf(field, pair, sphere->radius),
                           &search)) {
        pair->isUnknown = true;
        return;
    }
    float largest;
    memcpy(&largest, &field->status->largestRadius, sizeof largest);
    int32_t tile[3];
    for (tile[2] = search.first[2] / WK_LIVE_SPLIT; tile[2] <= search.last[2] / WK_LIVE_SPLIT;
         ++tile[2]) {
        for (tile[1] = search.first[1] / WK_LIVE_SPLIT; tile[1] <= search.last[1] / WK_LIVE_SPLIT;
             ++tile[1]) {
            for (tile[0] = search.first[0] / WK_LIVE_SPLIT;
                 tile[0] <= search.last[0] / WK_LIVE_SPLIT; ++tile[0]) {
                uint64_t bricks = wkLiveBricksIn(field, &search, tile);
                wkLivePair_OfferTile(field, &search, tile, bricks, largest, sphere, pair);
                wkLivePair_OfferObjects(field, objects, tile, sphere, pair);
            }
        }
    }
    for (int32_t i = objects->largeFirst; i < objects->largeEnd; ++i) {
        wkLivePair_OfferObject(pair, sphere, &objects->objects[i], i);
    }
    double beyond = (double)field->reach - sphere->radius;
    if (isOpen && beyond < pair->distance) {
        pair->distance = beyond; // there may be something further away
        pair->part = pair->sphere = pair->live = pair->object = -1;
    }
}
