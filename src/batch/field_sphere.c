// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks one sphere against a field exactly: the objects that its brick lists, the nearest first; or the
// whole scene for spheres that are beyond the grid or larger than it was made for.

#include "batch/field.h"
#include "batch/field_build.h"
#include "batch/field_cloud.h"
#include "batch/field_list_item.h"
#include "batch/field_map_item.h"
#include "simd/quad.h"
#include "whisker/query.h"

#include <string.h>

// Returns how far a point is beyond the faces of a box, along each of its axes. The fourth lane is unused.
WK_FORCE_FN wkQuad beyondFaces(const wkFieldBox* box, const float center[3])
{
    wkQuad rows[3], half;
    for (int axis = 0; axis < 3; ++axis) {
        memcpy(&rows[axis], box->row[axis], sizeof rows[axis]);
    }
    wkQuad along = rows[0] * wkQuadOf(center[0] - box->center[0]) +
                   rows[1] * wkQuadOf(center[1] - box->center[1]) +
                   rows[2] * wkQuadOf(center[2] - box->center[2]);
    half = wkMakeQuad(rows[0][3], rows[1][3], rows[2][3], 0.0f);
    return wkMaxQuad(along, -along) - half;
}

// Returns whether a sphere touches a box. Inside the box, which matters where the swept sphere has a negative
// radius, the nearest face counts.
WK_FORCE_FN bool touchesBox(const wkFieldBox* box, const float center[3], float radius)
{
    wkQuad beyond = beyondFaces(box, center);
    wkQuad out = wkMaxQuad(beyond, wkQuadOf(0.0f));
    out = out * out;
    float square = out[0] + out[1] + out[2], reach = radius + box->sphere;
    if (WK_LIKELY(reach >= 0.0f)) {
        return !(square > reach * reach);
    }
    return !(beyond[0] > reach) && !(beyond[1] > reach) && !(beyond[2] > reach);
}

// Returns the distance of a point from a box.
static float boxDistance(const wkFieldBox* box, const float center[3])
{
    wkQuad beyond = beyondFaces(box, center);
    wkQuad out = wkMaxQuad(beyond, wkQuadOf(0.0f));
    out = out * out;
    float deepest = fmaxf(fmaxf(beyond[0], beyond[1]), beyond[2]);
    return sqrtf(out[0] + out[1] + out[2]) + fminf(deepest, 0.0f) - box->sphere;
}

static wkPose poseOfSphere(const wkField* field, const float center[3])
{
    return wkMakePose(field->origin.x + (double)center[0], field->origin.y + (double)center[1],
                      field->origin.z + (double)center[2]);
}

static wkShape sphereOf(float radius)
{
    wkShape sphere = {.type = wk_shapeSphere};
    sphere.sphere.radius = (double)radius;
    return sphere;
}

// Returns the verdict of touching a shape of the scene.
static wkVerdict checkSlot(const wkField* field, int32_t slotIndex, const wkShape* sphere,
                           const wkPose* pose)
{
    wkSceneObject object = wkScene_ObjectAt(field->scene->world, slotIndex);
    wkShape storage;
    wkCollideResult touch =
        wkCollide(sphere, *pose, wkWholeShape(object.shape, &storage), *object.pose, NULL);
    wkVerdict touched = touch.status == wk_statusUnknown ? wk_verdictUnknown : wk_verdictWorld;
    return touch.isTouching ? touched : wk_verdictFree;
}

// Checks an object other than a box without rules.
WK_APART_FN wkVerdict checkOther(const wkField* field, int32_t object, int32_t side,
                                 const float center[3], float radius)
{
    const wkFieldObject* o = &field->objects[object];
    if (wkField_MayTouchRuled(field, o->rule, side)) {
        return wk_verdictFree;
    }
    if (o->isBox) {
        return touchesBox(&field->boxes[object], center, radius) ? wk_verdictWorld : wk_verdictFree;
    }
    if (o->map >= 0 && !field->maps[o->map].isAsked) {
        return wkFieldMap_CheckSphere(&field->maps[o->map], field->mapBits, center, radius);
    }
    wkShape sphere = sphereOf(radius);
    wkPose pose = poseOfSphere(field, center);
    return checkSlot(field, o->slotIndex, &sphere, &pose);
}

// Returns whether a side may touch the object at a slot of the scene.
static bool mayTouchSlot(const wkField* field, int32_t slotIndex, int32_t side)
{
    int32_t object = field->scene->slots[slotIndex].object;
    return field->scene->table.objects[object].hasRules &&
           wkHasBit(wkAllowedSides(field->scene, object), side);
}

static bool isSolidSlot(const wkField* field, int32_t slotIndex)
{
    wkSceneObject object = wkScene_ObjectAt(field->scene->world, slotIndex);
    return object.shape != NULL && !object.isEmpty;
}

// Returns a lower bound on the distance of a slot from a point, by its box.
static double gapOfSlot(const wkField* field, int32_t slotIndex, const float center[3])
{
    wkAabb bounds = wkField_BoundsOfSlot(field, slotIndex);
    wkVec3d point = wkVec((double)center[0], (double)center[1], (double)center[2]);
    wkVec3d out = wkMax(wkSub(bounds.lower, point), wkSub(point, bounds.upper));
    out = wkMax(out, wkVec(0.0, 0.0, 0.0));
    return wkLength(out) * (1.0 - 1e-12);
}

WK_RARE_FN wkVerdict checkAll(const wkField* field, int32_t side, const float center[3],
                              float radius)
{
    wkShape sphere = sphereOf(radius);
    wkPose pose = poseOfSphere(field, center);
    if (!wkIsFiniteSphere(center, radius)) {
        return wk_verdictWorld;
    }
    wkVerdict verdict = wk_verdictFree;
    int32_t slotCount = wkScene_SlotCount(field->scene->world);
    for (int32_t slotIndex = 0; slotIndex < slotCount; ++slotIndex) {
        if (!isSolidSlot(field, slotIndex) || mayTouchSlot(field, slotIndex, side) ||
            gapOfSlot(field, slotIndex, center) > (double)radius) {
            continue;
        }
        wkVerdict found = checkSlot(field, slotIndex, &sphere, &pose);
        if (found == wk_verdictWorld) {
            return found;
        }
        verdict = found == wk_verdictUnknown ? found : verdict;
    }
    return verdict;
}

// Checks the clouds near a brick.
WK_APART_FN bool touchesClouds(const wkField* field, int32_t side, int32_t brick,
                               const float center[3], float radius)
{
    for (int32_t i = 0; i < field->cloudCount; ++i) {
        const wkCloudObject* object = &field->cloudObjects[i];
        if (wkField_MayTouchRuled(field, object->rule, side)) {
            continue;
        }
        if (field->clouds == NULL) {
            wkShape sphere = sphereOf(radius);
            wkPose pose = poseOfSphere(field, center);
            if (checkSlot(field, object->slotIndex, &sphere, &pose) != wk_verdictFree) {
                return true;
            }
        } else if (wkFieldCloud_Touches(field->clouds[i], brick, center, radius)) {
            return true;
        }
    }
    return false;
}

wkVerdict wkField_CheckSphere(const wkField* field, int32_t side, const float center[3],
                              float radius)
{
    const wkFieldLayer* layer = &field->layers[field->layerOfSide[side]];
    wkFieldList list;
    if (WK_UNLIKELY(!wkField_IsListed(field, radius) || !wkFieldList_Find(layer, center, &list))) {
        return checkAll(field, side, center, radius);
    }
    wkVerdict verdict = wk_verdictFree;
    for (int32_t i = wkFieldList_Next(&list, -1); i >= 0; i = wkFieldList_Next(&list, i)) {
        wkFieldEntry entry = list.entries[i];
        if ((float)(entry & 0xffu) * field->step > radius) {
            break;
        }
        int32_t object = (int32_t)(entry >> 8);
        if (WK_LIKELY(object < field->plainCount)) {
            if (touchesBox(&field->boxes[object], center, radius)) {
                return wk_verdictWorld;
            }
            continue;
        }
        wkVerdict found = checkOther(field, object, side, center, radius);
        if (found == wk_verdictWorld) {
            return found;
        }
        verdict = found == wk_verdictUnknown ? found : verdict;
    }
    if (field->cloudCount > 0 && touchesClouds(field, side, list.brick, center, radius)) {
        return wk_verdictWorld;
    }
    return verdict;
}

// Returns the signed distance between a sphere and the object at a slot, up to a cutoff.
static double distanceOfSlot(const wkField* field, int32_t slotIndex, const float center[3],
                             float radius, double cutoff)
{
    wkSceneObject object = wkScene_ObjectAt(field->scene->world, slotIndex);
    wkShape sphere = sphereOf(radius), storage;
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = wkMaxD(cutoff, 0.0);
    return wkDistance(&sphere, poseOfSphere(field, center), wkWholeShape(object.shape, &storage),
                      *object.pose, &request)
        .distance;
}

static double distanceOfObject(const wkField* field, int32_t object, const float center[3],
                               float radius, double cutoff)
{
    return field->objects[object].isBox
               ? (double)boxDistance(&field->boxes[object], center) - (double)radius
               : distanceOfSlot(field, field->objects[object].slotIndex, center, radius, cutoff);
}

// A sphere during a traversal of the scene.
typedef struct sceneCheck {
    const wkField* field;
    int32_t side;
    const float* center;
    float radius;
    double least;
    wkNearSearch search;
} sceneCheck;

// Returns the distance from the center beyond which an object is no nearer than the best so far.
static double limitOf(const sceneCheck* check)
{
    return wkMaxD(check->least + (double)check->radius, 0.0);
}

static bool checkCandidate(const wkCandidate* candidate, void* context)
{
    sceneCheck* check = (sceneCheck*)context;
    int32_t slotIndex = candidate->slotIndex;
    if (isSolidSlot(check->field, slotIndex) &&
        !mayTouchSlot(check->field, slotIndex, check->side)) {
        double distance =
            distanceOfSlot(check->field, slotIndex, check->center, check->radius, check->least);
        check->least = wkMinD(check->least, distance);
        check->search.limit = limitOf(check);
    }
    return true;
}

static double distanceOfAll(const wkField* field, int32_t side, const float center[3], float radius,
                            double cutoff)
{
    if (!wkIsFiniteSphere(center, radius)) {
        return -INFINITY;
    }
    sceneCheck check = {
        .field = field, .side = side, .center = center, .radius = radius, .least = cutoff};
    wkVec3d point = poseOfSphere(field, center).position;
    wkAabb box = {point, point};
    check.search = (wkNearSearch){
        .limit = limitOf(&check), .depthLimit = INFINITY, .fcn = checkCandidate, .context = &check};
    wkScene_VisitNear(field->scene->world, &box, &check.search);
    return check.least;
}

// Returns the distance of the nearest object of a list, up to a limit within its reach; minus infinity where
// lists do not give the depth of the sphere.
static double distanceOfListed(const wkField* field, int32_t side, const float center[3],
                               float radius, wkFieldList list, double limit)
{
    double least = limit;
    for (int32_t i = wkFieldList_Next(&list, -1); i >= 0; i = wkFieldList_Next(&list, i)) {
        float away = (float)(list.entries[i] & 0xffu) * field->step;
        // entries at zero may be at any depth inside
        if (away > 0.0f && (double)away - (double)radius >= least) {
            break;
        }
        int32_t object = (int32_t)(list.entries[i] >> 8);
        if (wkField_MayTouchRuled(field, field->objects[object].rule, side)) {
            continue;
        }
        double distance = distanceOfObject(field, object, center, radius, least);
        if (!(distance > 0.0) && field->objects[object].isPiece) {
            return -INFINITY;
        }
        least = wkMinD(least, distance);
    }
    // boxes are clipped so far from the region that any face near a point of it is a face of the object
    return least + (double)radius > -field->reach ? least : -INFINITY;
}

// Returns the distance of the nearest cloud, up to a limit within the reach of the lists.
static double distanceOfClouds(const wkField* field, int32_t side, int32_t brick,
                               const float center[3], float radius, double limit)
{
    double least = limit;
    for (int32_t i = 0; i < field->cloudCount; ++i) {
        const wkCloudObject* object = &field->cloudObjects[i];
        if (wkField_MayTouchRuled(field, object->rule, side)) {
            continue;
        }
        if (field->clouds == NULL) {
            least = wkMinD(least, distanceOfSlot(field, object->slotIndex, center, radius, least));
        } else {
            float away = wkRoundUp(least + (double)radius);
            float found = wkFieldCloud_Distance(field->clouds[i], brick, center, away);
            least = found < away ? wkMinD(least, (double)found - (double)radius) : least;
        }
    }
    return least;
}

double wkField_SphereDistance(const wkField* field, int32_t side, const float center[3],
                              float radius, double cutoff)
{
    const wkFieldLayer* layer = &field->layers[field->layerOfSide[side]];
    wkFieldList list;
    if (!wkField_IsListed(field, radius) || !wkFieldList_Find(layer, center, &list)) {
        return distanceOfAll(field, side, center, radius, cutoff);
    }
    // lists contain all objects nearer than this
    double known = (double)((float)WK_FIELD_FAR * field->step) - (double)radius;
    double limit = wkMinD(cutoff, known);
    double least = distanceOfClouds(field, side, list.brick, center, radius, limit);
    least = distanceOfListed(field, side, center, radius, list, least);
    bool isFound = least > -INFINITY && (least < limit || limit == cutoff);
    return isFound ? least : distanceOfAll(field, side, center, radius, cutoff);
}
