// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects of a field on a GPU: shapes are checked, and become boxes and cylinders with a distance around them, in the frame
// of the field. Nothing is sent before the next frame.

#include "cuda/cuda_field_impl.h"
#include "cuda/live_object_item.h"

#include "fit/sphere_tree/scan_item.h"
#include "math/frame.h"
#include "math/round.h"
#include "query/map/map_query.h"
#include "whisker/octree.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// A map has as many cells on each side of its origin.
#define MAP_CELLS 32768.0

// An object before it is rounded: its frame, and a box or a cylinder in it.
typedef struct exactObject {
    wkFrame frame; // in that of the field
    wkVec3d lower, upper;
    double radius; // around it
    double
        cylinder; // radius of a cylinder along z, which x and y of the box do not have; negative: a box
} exactObject;

// The objects of a call.
typedef struct objectsCall {
    wkCudaField* field;
    int32_t index;      // of the shape
    int64_t needed;     // objects that there must be memory for
    wkVec3d halfRegion; // with the reach, and a little more
} objectsCall;

// What objects of one size and rotation have in common.
typedef struct sizedObject {
    wkLiveObject rounded; // but for its center
    double extent[3];     // of its bounds, from the center
} sizedObject;

// ---- one object ----

// Cuts an object along an axis of its frame to what a sphere of the region can reach. The closest position of what is left is
// that of the whole.
// @return whether anything is left
static bool cutInterval(double middle, double reach, double* lower, double* upper)
{
    *lower = wkMaxD(*lower, middle - reach);
    *upper = wkMinD(*upper, middle + reach);
    return *lower <= *upper;
}

// @return whether spheres of the region can reach what is left
static bool cutObject(const objectsCall* call, exactObject* object)
{
    wkVec3d origin = {0.0, 0.0, 0.0}; // the middle of the region
    wkVec3d middle = wkFrameLocal(&object->frame, origin);
    double reach = wkLength(call->halfRegion) + object->radius;
    reach += 1e-9 * (reach + wkMaxAbs(middle));
    bool isBox = object->cylinder < 0.0;
    return cutInterval(middle.z, reach, &object->lower.z, &object->upper.z) &&
           (!isBox || (cutInterval(middle.x, reach, &object->lower.x, &object->upper.x) &&
                       cutInterval(middle.y, reach, &object->lower.y, &object->upper.y)));
}

// Rounds an object, but for its center.
// @param half sizes of a box, or the radius of a cylinder and half its length along z
// @param farthest coordinate of the center, and what doubles lose of it
static sizedObject sizeObject(const objectsCall* call, const wkMat3d* axes, wkVec3d half,
                              bool isBox, double radius, double farthest)
{
    const wkLiveField* field = &call->field->build.field;
    sizedObject sized = {
        .rounded = {.axes = {(float)axes->x.x, (float)axes->x.y, (float)axes->x.z, (float)axes->y.x,
                             (float)axes->y.y, (float)axes->y.z, (float)axes->z.x, (float)axes->z.y,
                             (float)axes->z.z},
                    .half = {wkRoundUp(half.x), isBox ? wkRoundUp(half.y) : WK_LIVE_CYLINDER,
                             wkRoundUp(half.z)}}};
    double cell = 1.0 / (double)field->grid.perMetre;
    double reach = wkMaxD((double)field->reach, 2.0 * cell); // of spheres around cells, too
    double rounding = wkLiveObjectRounding(wkLength(half) + radius, reach, farthest);
    wkLiveObject* made = &sized.rounded;
    made->radius = wkRoundUp(radius + rounding);
    for (int axis = 0; axis < 3; ++axis) {
        double x = fabs((double)made->axes[axis]), y = fabs((double)made->axes[3 + axis]);
        double z = fabs((double)made->axes[6 + axis]);
        double across = isBox ? x * (double)made->half[0] + y * (double)made->half[1]
                              : hypot(x, y) * (double)made->half[0];
        sized.extent[axis] = across + z * (double)made->half[2] + (double)made->radius;
    }
    return sized;
}

// Finds the cells that the bounds of a rounded object reach into.
// @return false: spheres of the region cannot reach it
static bool boundObject(const objectsCall* call, const sizedObject* sized, wkLiveBounds* bounds)
{
    const wkFieldGrid* grid = &call->field->build.field.grid;
    const float center[3] = {sized->rounded.x, sized->rounded.y, sized->rounded.z};
    double perMetre = (double)grid->perMetre;
    memset(bounds, 0, sizeof *bounds);
    for (int axis = 0; axis < 3; ++axis) {
        double at = (double)center[axis], around = wkAlongAxis(&call->halfRegion, axis);
        double lower = wkMaxD(at - sized->extent[axis], -around);
        double upper = wkMinD(at + sized->extent[axis], around);
        if (!(lower <= upper)) {
            return false;
        }
        double first = (lower - (double)grid->lower[axis]) * perMetre - 0.01;
        double last = (upper - (double)grid->lower[axis]) * perMetre + 0.01;
        double most = (double)(grid->count[axis] - 1);
        bounds->first[axis] = (uint8_t)wkClamp(first, 0.0, most);
        bounds->last[axis] = (uint8_t)wkClamp(last, 0.0, most);
    }
    return true;
}

// Returns the number of tiles that bounds reach into.
static int32_t countTiles(const wkLiveBounds* bounds)
{
    int32_t count = 1;
    for (int axis = 0; axis < 3; ++axis) {
        count *= bounds->last[axis] / WK_LIVE_TILE - bounds->first[axis] / WK_LIVE_TILE + 1;
    }
    return count;
}

// Adds an object at a center: in front where it fits into the lists of tiles, else behind. Those that no sphere can reach are
// left out.
static void addSized(objectsCall* call, sizedObject sized, wkVec3d center)
{
    wkFieldObjects* objects = &call->field->objects;
    wkLiveBounds bounds;
    sized.rounded.x = (float)center.x;
    sized.rounded.y = (float)center.y;
    sized.rounded.z = (float)center.z;
    if (!boundObject(call, &sized, &bounds)) {
        return;
    }
    ++call->needed;
    if (objects->listedCount + objects->largeCount == objects->capacity) {
        return; // refused in the end, with the number that is needed
    }
    int32_t tiles = countTiles(&bounds);
    bool isListed = tiles <= WK_LIVE_MOST_TILES &&
                    objects->tileCount + tiles <= (int64_t)objects->capacity * WK_LIVE_LISTED;
    int32_t at = isListed ? objects->listedCount++ : objects->capacity - ++objects->largeCount;
    objects->tileCount += isListed ? tiles : 0;
    objects->pinned[at] = sized.rounded;
    objects->pinnedBounds[at] = bounds;
}

// What doubles may lose of positions in a frame, in terms of what floats lose of as many metres.
static double lostIn(const wkFrame* frame, wkVec3d local)
{
    return 1e-7 * (wkMaxAbs(frame->position) + wkMaxAbs(local));
}

static void addObject(objectsCall* call, exactObject object)
{
    if (!cutObject(call, &object)) {
        return;
    }
    bool isBox = object.cylinder < 0.0;
    wkVec3d half = wkScale(0.5, wkSub(object.upper, object.lower));
    wkVec3d middle = wkMiddle(object.lower, object.upper);
    wkVec3d center = wkFramePoint(&object.frame, middle);
    if (!isBox) {
        half = (wkVec3d){object.cylinder, 0.0, half.z};
    }
    double farthest = wkMaxAbs(center) + lostIn(&object.frame, middle);
    addSized(call, sizeObject(call, &object.frame.rotation, half, isBox, object.radius, farthest),
             center);
}

// ---- shapes ----

static void addBox(objectsCall* call, const wkFrame* frame, wkVec3d half, double radius)
{
    exactObject box = {*frame, wkNeg(half), half, radius, -1.0};
    addObject(call, box);
}

static wkResult addSphere(objectsCall* call, const wkFrame* frame, const wkShape* shape,
                          double around)
{
    wkVec3d none = {0.0, 0.0, 0.0};
    addBox(call, frame, none, shape->sphere.radius + around);
    return wk_ok;
}

static wkResult addCapsule(objectsCall* call, const wkFrame* frame, const wkShape* shape,
                           double around)
{
    wkVec3d half = {0.0, 0.0, shape->capsule.halfLength};
    addBox(call, frame, half, shape->capsule.radius + around);
    return wk_ok;
}

static wkResult addBoxShape(objectsCall* call, const wkFrame* frame, const wkShape* shape,
                            double around)
{
    addBox(call, frame, shape->box.half, around);
    return wk_ok;
}

static wkResult addCylinder(objectsCall* call, const wkFrame* frame, const wkShape* shape,
                            double around)
{
    wkVec3d half = {0.0, 0.0, shape->cylinder.halfLength};
    exactObject cylinder = {*frame, wkNeg(half), half, around, shape->cylinder.radius};
    addObject(call, cylinder);
    return wk_ok;
}

// Adds the space between two planes with a normal, of which a box is left that the region reaches.
static wkResult addLayer(objectsCall* call, const wkFrame* frame, wkVec3d normal, double lower,
                         double upper, double around)
{
    double length = wkLength(normal), endless = (double)INFINITY;
    wkVec3d n = wkScale(1.0 / length, normal);
    wkMat3d local = {.z = n};
    wkTangents(n, &local.x, &local.y);
    wkFrame turned = {{wkMulMV(&frame->rotation, local.x), wkMulMV(&frame->rotation, local.y),
                       wkMulMV(&frame->rotation, local.z)},
                      frame->position};
    // a normal that is not quite a unit scales distances up to the reach
    double radius = around + fabs(length - 1.0) * (double)call->field->build.field.reach;
    exactObject layer = {turned,
                         {-endless, -endless, lower / length},
                         {endless, endless, upper / length},
                         radius,
                         -1.0};
    addObject(call, layer);
    return wk_ok;
}

static wkResult addHalfspace(objectsCall* call, const wkFrame* frame, const wkShape* shape,
                             double around)
{
    const wkHalfspace* solid = &shape->halfspace;
    return addLayer(call, frame, solid->normal, -(double)INFINITY, solid->offset, around);
}

static wkResult addPlane(objectsCall* call, const wkFrame* frame, const wkShape* shape,
                         double around)
{
    const wkPlane* plane = &shape->plane;
    return addLayer(call, frame, plane->normal, plane->offset, plane->offset, around);
}

// Returns the box of the region and what spheres in it reach, in the frame of a map.
static wkAabb reachInMap(const objectsCall* call, const wkFrame* frame, double around)
{
    wkVec3d origin = {0.0, 0.0, 0.0}, grown = {around, around, around};
    wkVec3d middle = wkFrameLocal(frame, origin), half = wkAdd(call->halfRegion, grown);
    const wkMat3d* m = &frame->rotation;
    wkVec3d extent = {wkDot(wkAbs(m->x), half), wkDot(wkAbs(m->y), half), wkDot(wkAbs(m->z), half)};
    extent = wkAdd(extent, wkScale(1e-9, wkAdd(extent, wkAbs(middle))));
    return (wkAabb){wkSub(middle, extent), wkAdd(middle, extent)};
}

// Adds the cells of a map. Those of a size are rounded once, but for large ones, which are cut.
static void addCells(objectsCall* call, const wkFrame* frame, wkCellIterator* iterator,
                     double around)
{
    double reach = wkLength(call->halfRegion), lastSize = -1.0;
    sizedObject sized = {.extent = {0.0, 0.0, 0.0}};
    for (wkCell cell; wkCellIterator_Next(iterator, &cell);) {
        double h = 0.5 * cell.size;
        wkVec3d half = {h, h, h};
        if (cell.size > 0.25 * reach) {
            exactObject cube = {*frame, wkSub(cell.center, half), wkAdd(cell.center, half), around,
                                -1.0};
            addObject(call, cube);
            continue;
        }
        if (cell.size != lastSize) {
            // centers that are further away are those of cells that are left out
            double farthest = 2.0 * (reach + cell.size + around);
            farthest += lostIn(frame, frame->position) + 1e-7 * farthest;
            sized = sizeObject(call, &frame->rotation, half, true, around, farthest);
            lastSize = cell.size;
        }
        addSized(call, sized, wkFramePoint(frame, cell.center));
    }
}

static wkResult addMap(objectsCall* call, const wkFrame* frame, const wkShape* shape, double around)
{
    wkCellRequest request = wkDefaultCellRequest();
    request.box = reachInMap(call, frame, around);
    request.wantsFree = false;
    request.wantsUnknown = shape->map.unknown != wk_unknownFree;
    request.occupiedProbability = shape->map.occupiedProbability;
    double edge = MAP_CELLS * wkOctree_Def(shape->map.octree).resolution;
    if (request.wantsUnknown &&
        !(wkMaxAbs(request.box.lower) < edge && wkMaxAbs(request.box.upper) < edge)) {
        return wkFailCuda(
            wk_errorRange,
            "cuda field: shapes[%d] is a map whose unknown cells are solid: the region "
            "is beyond the map, where everything is unknown",
            (int)call->index);
    }
    wkCellIterator iterator = wkOctree_Cells(shape->map.octree, &request);
    addCells(call, frame, &iterator, around);
    return wk_ok;
}

// What is done with shapes of a type.
typedef struct shapeRule {
    // @param around distance around the core of the shape
    wkResult (*add)(objectsCall* call, const wkFrame* frame, const wkShape* shape, double around);
    bool isFinite; // its size has to be within WK_SCAN_REACH; maps are smaller, others have none
} shapeRule;

static const shapeRule shapeRules[] = {
    [wk_shapeSphere] = {addSphere, true},        [wk_shapeCapsule] = {addCapsule, true},
    [wk_shapeBox] = {addBoxShape, true},         [wk_shapeCylinder] = {addCylinder, true},
    [wk_shapeHalfspace] = {addHalfspace, false}, [wk_shapePlane] = {addPlane, false},
};
static const shapeRule mapRule = {addMap, false};

// Returns the rule of a type; NULL: there is none.
static const shapeRule* ruleOf(wkShapeType type)
{
    size_t count = sizeof shapeRules / sizeof shapeRules[0];
    if (wkIsMapType(type)) {
        return &mapRule;
    }
    return (size_t)type < count && shapeRules[type].add != NULL ? &shapeRules[type] : NULL;
}

static wkResult checkShape(int32_t index, const wkShape* shape, wkPose pose)
{
    wkResult result = wkShape_Check(shape);
    if (result != wk_ok) {
        char why[200];
        snprintf(why, sizeof why, "%s", wkGetLastError());
        return wkFailCuda(result, "cuda field: shapes[%d]: %s", (int)index, why);
    }
    const shapeRule* rule = ruleOf(shape->type);
    if (rule == NULL) {
        return wkFailCuda(
            wk_errorUnsupported,
            "cuda field: shapes[%d] is a %s, must be a sphere, capsule, box, cylinder, "
            "halfspace, plane or octree",
            (int)index, wkShapeTypeName(shape->type));
    }
    if (!(shape->padding >= 0.0)) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: shapes[%d] has a padding of %g m, must be >= 0", (int)index,
                          shape->padding);
    }
    if (!wkIsValidPose(pose)) {
        return wkFailCuda(wk_errorNotFinite,
                          "cuda field: poses[%d] is not finite, or its rotation is zero",
                          (int)index);
    }
    wkVec3d upper = {0.0, 0.0, 0.0}; // all other shapes are about their origin
    if (rule->isFinite) {
        upper = wkShape_Bounds(shape, wkIdentityPose()).upper;
    }
    if (wkMaxAbs(pose.position) > WK_SCAN_REACH || wkMaxAbs(upper) > WK_SCAN_REACH ||
        shape->rounding + shape->padding > WK_SCAN_REACH) {
        return wkFailCuda(wk_errorRange, "cuda field: shapes[%d] is larger than or beyond %g m",
                          (int)index, WK_SCAN_REACH);
    }
    return wk_ok;
}

static wkResult addShape(objectsCall* call, const wkShape* shape, wkPose pose)
{
    wkResult result = checkShape(call->index, shape, pose);
    if (result != wk_ok) {
        return result;
    }
    wkFrame frame = wkFrameFromPose(pose);
    frame.position = wkSub(frame.position, call->field->origin);
    double around = shape->rounding + shape->padding;
    return ruleOf(shape->type)->add(call, &frame, shape, around);
}

// ---- all of them ----

// The region, as far as spheres in it reach, and cells around it.
static wkVec3d reachedHalf(const wkCudaField* field)
{
    const wkLiveField* view = &field->build.field;
    double size = 1.0 / (double)view->grid.perMetre, around = (double)view->reach + 2.0 * size;
    double half[3];
    for (int axis = 0; axis < 3; ++axis) {
        // of both sides of the grid, which is larger behind
        double behind = (double)view->grid.count[axis] * size + (double)view->grid.lower[axis];
        half[axis] = wkMaxD(behind, -(double)view->grid.lower[axis]) + around;
    }
    return wkVec(half[0], half[1], half[2]);
}

static wkResult addShapes(objectsCall* call, const wkShape* shapes, const wkPose* poses,
                          int32_t count)
{
    wkResult result = wk_ok;
    for (; call->index < count && result == wk_ok; ++call->index) {
        result = addShape(call, &shapes[call->index], poses[call->index]);
    }
    if (result == wk_ok && call->needed > call->field->objects.capacity) {
        return wkFailCuda(wk_errorRange,
                          "cuda field: %" PRId64
                          " objects and cells of maps can be reached, objectCapacity is %d",
                          call->needed, (int)call->field->objects.capacity);
    }
    return result;
}

wkResult wkCudaField_SetObjects(wkCudaField* field, const wkShape* shapes, const wkPose* poses,
                                int32_t count)
{
    if (field == NULL) {
        return wkFailCuda(wk_errorArgument, "cuda field: field is NULL");
    }
    wkForgetFrame(field);
    wkFieldObjects* objects = &field->objects;
    objects->isSet = objects->isSent = false;
    objects->listedCount = objects->largeCount = 0;
    objects->tileCount = 0;
    if (count < 0) {
        return wkFailCuda(wk_errorRange, "cuda field: count is %d, must be 0 or more", (int)count);
    }
    if (count > 0 && (shapes == NULL || poses == NULL)) {
        return wkFailCuda(wk_errorArgument, "cuda field: shapes or poses are NULL, count is %d",
                          (int)count);
    }
    objectsCall call = {.field = field, .halfRegion = reachedHalf(field)};
    wkResult result = addShapes(&call, shapes, poses, count);
    objects->isSet = result == wk_ok;
    if (result != wk_ok) {
        objects->listedCount = objects->largeCount = 0;
    }
    return result;
}

// ---- frames ----

// Copies a range of objects.
static cudaError_t sendRange(const wkFieldObjects* objects, int32_t first, int32_t count,
                             cudaStream_t stream)
{
    if (count == 0) {
        return cudaSuccess;
    }
    cudaError_t error =
        cudaMemcpyAsync(objects->objects + first, objects->pinned + first,
                        (size_t)count * sizeof(wkLiveObject), cudaMemcpyHostToDevice, stream);
    return error == cudaSuccess
               ? cudaMemcpyAsync(objects->bounds + first, objects->pinnedBounds + first,
                                 (size_t)count * sizeof(wkLiveBounds), cudaMemcpyHostToDevice,
                                 stream)
               : error;
}

wkResult wkBeginObjects(wkCudaField* field, cudaStream_t stream)
{
    wkFieldObjects* objects = &field->objects;
    if (!objects->isSet) {
        return wkFailCuda(
            wk_errorArgument,
            "cuda field: the last objects were refused, wkCudaField_SetObjects has to "
            "be called again");
    }
    objects->view = (wkLiveObjects){
        .objects = objects->objects,
        .list = objects->list,
        .tiles = objects->tiles,
        .listedCount = objects->listedCount,
        .largeFirst = objects->capacity - objects->largeCount,
        .largeEnd = objects->capacity,
    };
    if (objects->isSent || !wkHasLiveObjects(&objects->view)) {
        return wk_ok;
    }
    cudaError_t error = cudaMemsetAsync(objects->tiles, 0, objects->clearBytes, stream);
    error = error == cudaSuccess ? sendRange(objects, 0, objects->listedCount, stream) : error;
    error = error == cudaSuccess
                ? sendRange(objects, objects->view.largeFirst, objects->largeCount, stream)
                : error;
    return wkTakeCudaError(error, "sending objects");
}

cudaError_t wkSubmitObjects(wkCudaField* field, cudaStream_t stream)
{
    wkFieldObjects* objects = &field->objects;
    if (!wkHasLiveObjects(&objects->view)) {
        return cudaSuccess;
    }
    const wkLiveObjectBuild build = {.build = field->build,
                                     .objects = objects->view,
                                     .bounds = objects->bounds,
                                     .list = objects->list,
                                     .tiles = objects->tiles,
                                     .listCount = objects->listCount,
                                     .cellRadius = objects->cellRadius};
    cudaError_t error = objects->isSent ? cudaSuccess : wkLaunchLiveTiles(&build, stream);
    objects->isSent = error == cudaSuccess;
    return error == cudaSuccess ? wkLaunchLiveMarks(&build, stream) : error;
}
