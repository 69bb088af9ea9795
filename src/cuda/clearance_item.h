// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The clearance of one configuration that is placed: what batch/batch_clearance.c and batch/field_sphere.c compute, by the
// same operations in the same order, as far as boxes tell. Where something else may be nearer than the best distance so
// far, the host decides. Nothing may be fused. The common subset of C, C++ and CUDA.

#include "batch/check_bits.h"
#include "batch/field_item.h"
#include "batch/field_sphere_item.h"
#include "cuda/device_batch.h"

// As in batch/batch_kernel.c.
#define WK_CLEARANCE_ROUNDING 0x1p-20f

// What is compared with maps and clouds is larger by this share and so many metres: they are left to the host where their
// rounding could matter.
#define WK_CLEARANCE_SHARE 1.00001f
#define WK_CLEARANCE_METRES 1e-6f

// The nearest pair so far.
typedef struct wkClearanceItem {
    double nearest;
    int32_t part, sphere;     // of the robot; -1: nothing is nearer than the cutoff
    int32_t otherPart, other; // another sphere of it; -1: an object
    int32_t object;           // a box, where there is no other sphere
    bool isHost;              // the host decides
} wkClearanceItem;

// The tables of a batch that configurations read, see wkDeviceTables.
typedef struct wkClearanceTables {
    const wkDevicePart* parts;
    const wkDeviceSphere* spheres;
} wkClearanceTables;

WK_FN wkVec3d wkClearancePoint(wkVec3f p)
{
    return wkVec((double)p.x, (double)p.y, (double)p.z);
}

WK_FN wkVec3f wkClearanceCenter(const wkClearanceTables* tables, int32_t part, int32_t sphere,
                                wkItemScratch scratch)
{
    wkItemFrame frame = wkReadFrame(scratch, tables->parts[part].axes);
    const wkDeviceSphere* s = &tables->spheres[sphere];
    return wkPlaceItemPoint(&frame, s->x, s->y, s->z);
}

// Returns whether two spheres may be nearer than the best distance so far, without a square root.
WK_FN bool wkClearance_MayBeNearer(const wkClearanceItem* item, wkVec3d between, double radii)
{
    double reach = item->nearest + radii;
    return reach > 0.0 && wkLengthSquared(between) < reach * reach;
}

WK_FN void wkClearance_CheckPair(const wkDeviceBatch* batch, const wkClearanceTables* tables,
                                 wkPartPair pair, wkItemScratch scratch, wkClearanceItem* item)
{
    const wkProgram* program = &batch->program;
    const wkPart *a = &program->parts[pair.a], *b = &program->parts[pair.b];
    wkItemFrame frameA = wkReadFrame(scratch, tables->parts[pair.a].axes);
    wkItemFrame frameB = wkReadFrame(scratch, tables->parts[pair.b].axes);
    wkVec3d aroundA = wkClearancePoint(wkPlaceItemPoint(&frameA, a->x, a->y, a->z));
    wkVec3d aroundB = wkClearancePoint(wkPlaceItemPoint(&frameB, b->x, b->y, b->z));
    double radii = (double)tables->parts[pair.a].radius + (double)b->radius;
    if (!wkClearance_MayBeNearer(item, wkSub(aroundA, aroundB), radii)) {
        return;
    }
    for (int32_t i = a->firstSphere; i < a->firstSphere + a->sphereCount; ++i) {
        const wkDeviceSphere* s = &tables->spheres[i];
        wkVec3d center = wkClearancePoint(wkPlaceItemPoint(&frameA, s->x, s->y, s->z));
        double radius = (double)s->radius;
        if (!wkClearance_MayBeNearer(item, wkSub(center, aroundB), radius + (double)b->radius)) {
            continue;
        }
        for (int32_t k = b->firstSphere; k < b->firstSphere + b->sphereCount; ++k) {
            const wkDeviceSphere* o = &tables->spheres[k];
            wkVec3d between =
                wkSub(center, wkClearancePoint(wkPlaceItemPoint(&frameB, o->x, o->y, o->z)));
            double both = radius + (double)program->radius[k];
            if (wkClearance_MayBeNearer(item, between, both)) {
                double distance = wkLength(between) - both;
                bool isNearer = distance < item->nearest;
                item->part = isNearer ? pair.a : item->part;
                item->sphere = isNearer ? i : item->sphere;
                item->otherPart = isNearer ? pair.b : item->otherPart;
                item->other = isNearer ? k : item->other;
                item->nearest = wkMinD(item->nearest, distance);
            }
        }
    }
}

WK_FN float wkClearance_BoxDistance(const wkFieldBox* box, const float center[3])
{
    const float way[3] = {center[0] - box->center[0], center[1] - box->center[1],
                          center[2] - box->center[2]};
    float beyondX = wkBeyondFaces(box, 0, way), outX = beyondX > 0.0f ? beyondX : 0.0f;
    float beyondY = wkBeyondFaces(box, 1, way), outY = beyondY > 0.0f ? beyondY : 0.0f;
    float beyondZ = wkBeyondFaces(box, 2, way), outZ = beyondZ > 0.0f ? beyondZ : 0.0f;
    float deepest = fmaxf(fmaxf(beyondX, beyondY), beyondZ);
    return sqrtf(outX * outX + outY * outY + outZ * outZ) + fminf(deepest, 0.0f) - box->sphere;
}

// Returns whether an object that is no box may be nearer to a sphere than a distance.
WK_FN bool wkClearance_IsOtherNear(const wkField* field, int32_t object, const float center[3],
                                   float reach)
{
    const wkFieldObject* o = &field->objects[object];
    return o->map < 0 || field->maps[o->map].isAsked || !(reach > 0.0f) ||
           wkFieldMap_CheckSphere(&field->maps[o->map], field->mapBits, center, reach) !=
               wk_verdictFree;
}

// Returns the radius of a sphere with all that is nearer to another one than a distance, rounded up.
WK_FN float wkClearance_ReachOf(double distance, float radius)
{
    return (float)(distance + (double)radius) * WK_CLEARANCE_SHARE + WK_CLEARANCE_METRES;
}

WK_FN bool wkClearance_IsCloudNear(const wkField* field, const wkFieldList* list, int32_t side,
                                   const float center[3], float reach)
{
    bool isNear = field->cloudCount > 0 && !(reach > 0.0f);
    for (int32_t i = 0; i < field->cloudCount && !isNear; ++i) {
        isNear =
            wkFieldItem_CheckCloud(field, i, side, list->brick, center, reach) != wk_verdictFree;
    }
    return isNear;
}

// Measures a sphere against the objects of its brick.
WK_FN void wkClearance_CheckSphere(const wkDeviceBatch* batch, const wkClearanceTables* tables,
                                   int32_t part, int32_t sphere, const float center[3],
                                   wkClearanceItem* item)
{
    const wkField* field = &batch->field;
    const wkDevicePart* p = &tables->parts[part];
    float radius = tables->spheres[sphere].radius;
    wkFieldList list;
    if (!wkField_IsListed(field, radius) ||
        !wkFieldList_Find(&field->layers[p->layer], center, &list)) {
        item->isHost = true;
        return;
    }
    // lists contain all objects nearer than this
    double known = (double)((float)WK_FIELD_FAR * field->step) - (double)radius;
    double cutoff = item->nearest, limit = wkMinD(cutoff, known), least = limit;
    int32_t nearest = -1;
    bool isHost =
        wkClearance_IsCloudNear(field, &list, p->side, center, wkClearance_ReachOf(least, radius));
    for (int32_t i = wkFieldList_Next(&list, -1); i >= 0 && !isHost;
         i = wkFieldList_Next(&list, i)) {
        float away = (float)(list.entries[i] & 0xffu) * field->step;
        // entries at zero may be at any depth inside
        if (away > 0.0f && (double)away - (double)radius >= least) {
            break;
        }
        int32_t object = (int32_t)(list.entries[i] >> 8);
        const wkFieldObject* o = &field->objects[object];
        if (wkField_MayTouchRuled(field, o->rule, p->side)) {
            continue;
        }
        if (!o->isBox) {
            isHost =
                wkClearance_IsOtherNear(field, object, center, wkClearance_ReachOf(least, radius));
            continue;
        }
        double distance =
            (double)wkClearance_BoxDistance(&field->boxes[object], center) - (double)radius;
        isHost = !(distance > 0.0) && o->isPiece;
        nearest = distance < least ? object : nearest;
        least = wkMinD(least, distance);
    }
    bool isFound = least + (double)radius > -field->reach && (least < limit || limit == cutoff);
    item->isHost = item->isHost || isHost || !isFound;
    if (!item->isHost && least < item->nearest) {
        item->part = part;
        item->sphere = sphere;
        item->otherPart = item->other = -1;
        item->object = nearest;
    }
    item->nearest = wkMinD(item->nearest, least);
}

// Returns a lower bound on the distance of a sphere from objects. Cells do not give depths.
WK_FN double wkClearance_BoundOf(const wkDeviceBatch* batch, const wkFieldGrid* grid,
                                 const float center[3], float radius)
{
    float reach = (float)batch->field.reach;
    float bias = grid->bias + WK_CLEARANCE_ROUNDING * (grid->bias + reach);
    float away = wkFieldItem_Find(grid, center).least - bias;
    away = away < reach ? away : reach;
    return away > 0.0f ? (double)away - (double)radius : -(double)INFINITY;
}

// Visits all spheres of the robot: finds the one with the least bound, or measures those with a bound below the best
// distance so far.
// @param first the sphere with the least bound; -1: it is searched for
// @param firstPart its part
WK_FN void wkClearance_VisitSpheres(const wkDeviceBatch* batch, const wkClearanceTables* tables,
                                    wkItemScratch scratch, int32_t* first, int32_t* firstPart,
                                    bool isSearch, wkClearanceItem* item)
{
    double least = item->nearest;
    for (int32_t i = 0; i < batch->program.partCount && !item->isHost; ++i) {
        const wkDevicePart* part = &tables->parts[i];
        const wkFieldGrid* grid = &batch->field.layers[part->layer].grid;
        wkItemFrame frame = wkReadFrame(scratch, part->axes);
        int32_t end = part->firstSphere + part->sphereCount;
        for (int32_t k = part->firstSphere; k < end; ++k) {
            const wkDeviceSphere* s = &tables->spheres[k];
            wkVec3f at = wkPlaceItemPoint(&frame, s->x, s->y, s->z);
            const float center[3] = {at.x, at.y, at.z};
            double bound = wkClearance_BoundOf(batch, grid, center, s->radius);
            if (isSearch && bound < least) {
                least = bound;
                *first = k;
                *firstPart = i;
            } else if (!isSearch && k != *first && bound < item->nearest) {
                wkClearance_CheckSphere(batch, tables, i, k, center, item);
            }
        }
    }
}

WK_FN void wkClearance_CheckWorld(const wkDeviceBatch* batch, const wkClearanceTables* tables,
                                  wkItemScratch scratch, int32_t* first, int32_t* firstPart,
                                  wkClearanceItem* item)
{
    wkClearance_VisitSpheres(batch, tables, scratch, first, firstPart, true, item);
    if (*first >= 0) {
        wkVec3f at = wkClearanceCenter(tables, *firstPart, *first, scratch);
        const float center[3] = {at.x, at.y, at.z};
        wkClearance_CheckSphere(batch, tables, *firstPart, *first, center, item);
        wkClearance_VisitSpheres(batch, tables, scratch, first, firstPart, false, item);
    }
}

// Returns the direction in which the distance of a point from a box grows most; of unit length, but for rounding.
WK_FN wkVec3f wkClearance_AwayFromBox(const wkFieldBox* box, const float center[3])
{
    const float way[3] = {center[0] - box->center[0], center[1] - box->center[1],
                          center[2] - box->center[2]};
    float beyond[3], square = 0.0f;
    int deepest = 0;
    for (int k = 0; k < 3; ++k) {
        beyond[k] = wkBeyondFaces(box, k, way);
        square = square + (beyond[k] > 0.0f ? beyond[k] * beyond[k] : 0.0f);
        deepest = beyond[k] > beyond[deepest] ? k : deepest;
    }
    wkVec3f away = wkMakeVec3f(0.0f, 0.0f, 0.0f);
    for (int k = 0; k < 3; ++k) {
        float along = box->row[0][k] * way[0] + box->row[1][k] * way[1] + box->row[2][k] * way[2];
        float out = square > 0.0f ? (beyond[k] > 0.0f ? beyond[k] / sqrtf(square) : 0.0f)
                                  : (k == deepest ? 1.0f : 0.0f);
        float share = along < 0.0f ? -out : out;
        away = wkAdd3f(away,
                       wkMul3f(wkMakeVec3f(box->row[0][k], box->row[1][k], box->row[2][k]), share));
    }
    return away;
}

// Returns the vector with unit length; zero stays so.
WK_FN wkVec3f wkClearance_Unit(wkVec3f v)
{
    float length = sqrtf((v.x * v.x + v.y * v.y) + v.z * v.z);
    return length > 0.0f ? wkMul3f(v, 1.0f / length) : v;
}

// Returns the direction in which the clearance grows most with the center of the nearest sphere.
WK_FN wkVec3f wkClearance_Away(const wkDeviceBatch* batch, const wkClearanceTables* tables,
                               wkItemScratch scratch, const wkClearanceItem* item)
{
    wkVec3f at = wkClearanceCenter(tables, item->part, item->sphere, scratch);
    const float center[3] = {at.x, at.y, at.z};
    if (item->other >= 0) {
        wkVec3f other = wkClearanceCenter(tables, item->otherPart, item->other, scratch);
        return wkClearance_Unit(wkSub3f(at, other));
    }
    if (item->object >= 0) {
        return wkClearance_AwayFromBox(&batch->field.boxes[item->object], center);
    }
    // what the field knows, where the host decides
    const wkFieldGrid* grid = &batch->field.layers[tables->parts[item->part].layer].grid;
    uint32_t word = wkFieldItem_Find(grid, center).word;
    return wkClearance_Unit(wkMakeVec3f(wkFieldItem_Slope(word, 20), wkFieldItem_Slope(word, 26),
                                        wkFieldItem_Slope(word, 32)));
}
