// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// One sphere against the objects that its brick lists: what field_sphere.c does on the host, as far as the blocks of a
// field and of its clouds tell. Nothing may be fused. Code of this header is C, C++ and CUDA.

#include "batch/field_cloud_item.h"
#include "batch/field_list_item.h"
#include "batch/field_map_item.h"

// Returns how far a point is beyond the faces of a box, along one of its axes.
WK_FN float wkBeyondFaces(const wkFieldBox* box, int axis, const float way[3])
{
    float along =
        box->row[0][axis] * way[0] + box->row[1][axis] * way[1] + box->row[2][axis] * way[2];
    return (along > -along ? along : -along) - box->row[axis][3];
}

// Returns whether a sphere touches a box. Inside the box, which matters where the swept sphere has a negative
// radius, the nearest face counts.
WK_FN bool wkFieldBox_Touches(const wkFieldBox* box, const float center[3], float radius)
{
    const float way[3] = {center[0] - box->center[0], center[1] - box->center[1],
                          center[2] - box->center[2]};
    float beyondX = wkBeyondFaces(box, 0, way), outX = beyondX > 0.0f ? beyondX : 0.0f;
    float beyondY = wkBeyondFaces(box, 1, way), outY = beyondY > 0.0f ? beyondY : 0.0f;
    float beyondZ = wkBeyondFaces(box, 2, way), outZ = beyondZ > 0.0f ? beyondZ : 0.0f;
    float reach = radius + box->sphere;
    if (WK_LIKELY(reach >= 0.0f)) {
        return !(outX * outX + outY * outY + outZ * outZ > reach * reach);
    }
    return !(beyondX > reach) && !(beyondY > reach) && !(beyondZ > reach);
}

// Returns the verdict of an object of a list; wk_verdictUnchecked: it is evaluated in the scene.
WK_FN wkVerdict wkFieldItem_CheckObject(const wkField* field, int32_t object, int32_t side,
                                        const float center[3], float radius)
{
    // boxes without rules come first
    if (object >= field->plainCount) {
        const wkFieldObject* o = &field->objects[object];
        if (wkField_MayTouchRuled(field, o->rule, side)) {
            return wk_verdictFree;
        }
        if (!o->isBox) {
            return o->map >= 0 && !field->maps[o->map].isAsked
                       ? wkFieldMap_CheckSphere(&field->maps[o->map], field->mapBits, center,
                                                radius)
                       : wk_verdictUnchecked;
        }
    }
    return wkFieldBox_Touches(&field->boxes[object], center, radius) ? wk_verdictWorld
                                                                     : wk_verdictFree;
}

// The same of a cloud.
WK_FN wkVerdict wkFieldItem_CheckCloud(const wkField* field, int32_t index, int32_t side,
                                       int32_t brick, const float center[3], float radius)
{
    if (wkField_MayTouchRuled(field, field->cloudObjects[index].rule, side)) {
        return wk_verdictFree;
    }
    if (field->clouds == NULL) {
        return wk_verdictUnchecked;
    }
    return wkFieldCloudItem_Touches(field->clouds[index], brick, center, radius) ? wk_verdictWorld
                                                                                 : wk_verdictFree;
}

// Merges the verdicts of two objects: a touch decides, then the host, then unknown space.
WK_FN wkVerdict wkWorseOfField(wkVerdict a, wkVerdict b)
{
    if (a == wk_verdictWorld || b == wk_verdictWorld) {
        return wk_verdictWorld;
    }
    if (a == wk_verdictUnchecked || b == wk_verdictUnchecked) {
        return wk_verdictUnchecked;
    }
    return a == wk_verdictUnknown ? a : b;
}

// Returns the verdict of all objects but clouds; wk_verdictUnchecked as in wkFieldItem_CheckSphere.
// @param brick set to that of the sphere; -1: the verdict is that of the whole field
WK_FN wkVerdict wkFieldItem_CheckObjects(const wkField* field, int32_t side, const float center[3],
                                         float radius, int32_t* brick)
{
    const wkFieldLayer* layer = &field->layers[field->layerOfSide[side]];
    wkFieldList list;
    *brick = -1;
    if (!wkField_IsListed(field, radius) || !wkFieldList_Find(layer, center, &list)) {
        return wkIsFiniteSphere(center, radius) ? wk_verdictUnchecked : wk_verdictWorld;
    }
    wkVerdict verdict = wk_verdictFree;
    WK_KEEP_LOOP
    for (int32_t i = wkFieldList_Next(&list, -1); i >= 0; i = wkFieldList_Next(&list, i)) {
        wkFieldEntry entry = list.entries[i];
        if ((float)(entry & 0xffu) * field->step > radius) {
            break;
        }
        verdict = wkWorseOfField(
            verdict, wkFieldItem_CheckObject(field, (int32_t)(entry >> 8), side, center, radius));
        if (verdict == wk_verdictWorld) {
            return verdict;
        }
    }
    *brick = field->cloudCount > 0 ? list.brick : -1;
    return verdict;
}

// Returns what wkField_CheckSphere returns, or wk_verdictUnchecked where the host decides: spheres that are beyond the
// grid or larger than it was made for; and spheres that touch nothing else near an object that is evaluated in the
// scene, which is none of boxes, maps with bits, and clouds of the field.
// @param field a view whose pointers are valid here; the scene is not read
WK_FN wkVerdict wkFieldItem_CheckSphere(const wkField* field, int32_t side, const float center[3],
                                        float radius)
{
    int32_t brick;
    wkVerdict verdict = wkFieldItem_CheckObjects(field, side, center, radius, &brick);
    WK_KEEP_LOOP
    for (int32_t i = 0; i < field->cloudCount && brick >= 0; ++i) {
        verdict =
            wkWorseOfField(verdict, wkFieldItem_CheckCloud(field, i, side, brick, center, radius));
        if (verdict == wk_verdictWorld) {
            return verdict;
        }
    }
    return verdict;
}
