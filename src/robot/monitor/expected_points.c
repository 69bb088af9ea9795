// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points that known geometry explains. Points are taken in blocks of neighbours in memory, which are neighbours in space in
// most clouds: a surface whose box misses that of a block is not asked about its points.

#include "whisker/expected_points.h"

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/parallel.h"
#include "base/range.h"
#include "query/pair/shape_class.h"
#include "robot/robot_query.h"
#include "tree/cloud/cloud_view.h"
#include "whisker/detail/library.h"

#include <string.h>

#define BLOCK_POINTS 64
// Blocks of a task.
#define TASK_BLOCKS 64
// Surfaces that are asked together: their boxes are computed once for all points.
#define SURFACE_COUNT 64

#define MAX_TOLERANCE 1e6

wkExpectRequest wkDefaultExpectRequest(void)
{
    wkCloudDef cloud = wkDefaultCloudDef();
    wkExpectRequest request = {
        .cookie = WK_COOKIE(wkExpectRequest),
        .points = cloud.points,
        .pose = {.rotation = {0.0, 0.0, 0.0, 1.0}},
        .tolerance = 0.02,
        .expectsRobot = true,
        .unknownCategory = "unknown",
    };
    return request;
}

// A surface that may explain points.
typedef struct surface {
    const wkShape* shape;
    wkPose pose;
    wkAabb box;      // in the world, larger by the tolerance
    bool isInsideOf; // points inside count: cells and spheres are measurements
    int32_t label;
} surface;

typedef struct expectRun {
    const wkRobotScene* scene;
    const wkRobotState* state;
    const wkExpectRequest* request;
    wkCloudLayout layout;
    wkFrame frame;
    int32_t* labels;
    surface surfaces[SURFACE_COUNT];
    int32_t surfaceCount;
} expectRun;

static wkResult checkRequest(const wkExpectRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkExpectRequest)) {
        return WK_FAIL_COOKIE(request, wkExpectRequest);
    }
    const wkNamedNumber tolerance = {"tolerance", request->tolerance, 0.0, MAX_TOLERANCE};
    if (request->unknownCategory == NULL) {
        return wkFail(wk_errorArgument, "expected points: unknownCategory is NULL");
    }
    if (!wkIsValidPose(request->pose)) {
        return wkFail(wk_errorNotFinite, "expected points: pose is not finite, or has no rotation");
    }
    return wkCheckNumbers("expected points", &tolerance, 1);
}

// A point in the frame of the view.
static wkVec3d givenPoint(const wkCloudLayout* layout, int64_t index)
{
    const char* at = layout->data + index * layout->stride;
    double numbers[3];
    for (int k = 0; k < 3; ++k) {
        const char* number = at + layout->offsets[k];
        numbers[k] = layout->isDouble ? wkDoubleAt(number) : (double)wkFloatAt(number);
    }
    return wkVec(numbers[0], numbers[1], numbers[2]);
}

static bool isInBox(const wkAabb* box, wkVec3d p)
{
    return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y &&
           p.y <= box->upper.y && p.z >= box->lower.z && p.z <= box->upper.z;
}

static bool doBoxesMeet(const wkAabb* a, const wkAabb* b)
{
    return a->lower.x <= b->upper.x && a->upper.x >= b->lower.x && a->lower.y <= b->upper.y &&
           a->upper.y >= b->lower.y && a->lower.z <= b->upper.z && a->upper.z >= b->lower.z;
}

static bool explains(const surface* s, wkVec3d point, double tolerance)
{
    wkPointResult r = wkShape_ClosestPoint(s->shape, s->pose, point, tolerance);
    bool isNear = r.status != wk_statusInvalid && r.distance <= tolerance;
    return isNear && (s->isInsideOf || r.distance >= -tolerance);
}

// Labels the points of a block that the surfaces at hand explain.
static void labelBlock(expectRun* run, int64_t first)
{
    wkVec3d points[BLOCK_POINTS];
    int64_t left = run->layout.count - first;
    int count = left < BLOCK_POINTS ? (int)left : BLOCK_POINTS;
    wkAabb box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int i = 0; i < count; ++i) {
        int32_t* label = &run->labels[first + i];
        points[i] = wkFramePoint(&run->frame, givenPoint(&run->layout, first + i));
        *label = wkIsFiniteVec(points[i]) ? *label : wk_pointNotFinite;
        if (*label == wk_pointUnexpected) {
            box.lower = wkMin(box.lower, points[i]);
            box.upper = wkMax(box.upper, points[i]);
        }
    }
    for (int32_t k = 0; k < run->surfaceCount; ++k) {
        const surface* s = &run->surfaces[k];
        for (int i = 0; doBoxesMeet(&s->box, &box) && i < count; ++i) {
            int32_t* label = &run->labels[first + i];
            if (*label == wk_pointUnexpected && isInBox(&s->box, points[i]) &&
                explains(s, points[i], run->request->tolerance)) {
                *label = s->label;
            }
        }
    }
}

static void labelBlocks(void* context, int32_t task)
{
    expectRun* run = (expectRun*)context;
    int64_t first = (int64_t)task * TASK_BLOCKS * BLOCK_POINTS;
    for (int i = 0; i < TASK_BLOCKS && first < run->layout.count; ++i, first += BLOCK_POINTS) {
        labelBlock(run, first);
    }
}

static void askSurfaces(expectRun* run)
{
    int64_t points = (int64_t)TASK_BLOCKS * BLOCK_POINTS;
    int32_t taskCount = (int32_t)((run->layout.count + points - 1) / points);
    wkRunTasks(run->request->parallel, labelBlocks, run, taskCount);
    run->surfaceCount = 0;
}

static void addSurface(expectRun* run, const wkShape* shape, wkPose pose, int32_t label)
{
    surface* s = &run->surfaces[run->surfaceCount++];
    double tolerance = run->request->tolerance;
    wkVec3d more = wkVec(tolerance, tolerance, tolerance);
    wkAabb box = wkShape_Bounds(shape, pose);
    *s = (surface){.shape = shape, .pose = pose, .label = label};
    s->isInsideOf = !wkIsConvex(shape) && wkShapeFactsOf(shape)->tessellate == NULL;
    s->box.lower = wkSub(box.lower, more);
    s->box.upper = wkAdd(box.upper, more);
    if (run->surfaceCount == SURFACE_COUNT) {
        askSurfaces(run);
    }
}

static void addObject(expectRun* run, int32_t index)
{
    const wkRobotObject* object = &run->scene->table.objects[index];
    const wkRobotThing* thing = object->thing;
    wkPose pose = object->pose;
    if (object->link >= 0) {
        pose = wkMulPose(wkStateLink(run->state, object->link), pose);
    }
    for (int32_t i = 0; i < thing->shapeCount; ++i) {
        addSurface(run, &thing->shapes[i], wkMulPose(pose, thing->poses[i]),
                   wk_pointObject + index);
    }
}

// The robot, then all objects that are known.
static void askAll(expectRun* run)
{
    const wkRobotScene* scene = run->scene;
    const wkRobot* robot = scene->robot;
    for (int32_t i = 0; run->request->expectsRobot && i < robot->info.bodyCount; ++i) {
        wkPose pose = wkBodyPose(scene->bodySet->bodySet, run->state, i);
        addSurface(run, &robot->bodies[i].shape, pose, wk_pointRobot);
    }
    for (int32_t i = 0; i < scene->objectCount; ++i) {
        const char* category = scene->table.objects[i].thing->category;
        if (strcmp(category, run->request->unknownCategory) != 0) {
            addObject(run, i);
        }
    }
    askSurfaces(run); // also without a surface: points that are not finite are found there
}

static wkExpectInfo countLabels(const wkRobotScene* scene, const int32_t* labels, int64_t count)
{
    wkExpectInfo info = {.pointCount = (int32_t)count};
    for (int64_t i = 0; i < count; ++i) {
        int32_t label = labels[i];
        if (label >= wk_pointObject) {
            bool isAttached = scene->table.objects[label - wk_pointObject].link >= 0;
            info.attachedCount += isAttached ? 1 : 0;
            info.objectCount += isAttached ? 0 : 1;
        }
        info.notFiniteCount += label == wk_pointNotFinite ? 1 : 0;
        info.robotCount += label == wk_pointRobot ? 1 : 0;
        info.unexpectedCount += label == wk_pointUnexpected ? 1 : 0;
    }
    return info;
}

static wkResult checkArguments(const wkRobotScene* scene, const wkRobotState* state,
                               const wkExpectRequest* request, wkCloudLayout* layout)
{
    wkResult result = checkRequest(request);
    if (result == wk_ok) {
        result = wkCloudView_LayOut(&request->points, layout);
    }
    return result == wk_ok ? wkCheckUsableState(scene, state, "expected points") : result;
}

static void labelPoints(const wkRobotScene* scene, const wkRobotState* state,
                        const wkExpectRequest* request, const wkCloudLayout* layout,
                        int32_t* labels, wkExpectInfo* info)
{
    expectRun run = {.scene = scene, .state = state, .request = request, .layout = *layout};
    run.frame = wkFrameFromPose(request->pose);
    run.labels = labels;
    for (int64_t i = 0; i < layout->count; ++i) {
        labels[i] = wk_pointUnexpected;
    }
    askAll(&run);
    if (info != NULL) {
        *info = countLabels(scene, labels, layout->count);
    }
}

wkResult wkRobotScene_FindExpected(const wkRobotScene* scene, const wkRobotState* state,
                                   const wkExpectRequest* request, int32_t* labels,
                                   wkExpectInfo* info)
{
    wkCloudLayout layout;
    wkResult result = checkArguments(scene, state, request, &layout);
    if (result == wk_ok && labels == NULL && layout.count > 0) {
        result = wkFail(wk_errorArgument, "expected points: labels is NULL");
    }
    if (result == wk_ok) {
        labelPoints(scene, state, request, &layout, labels, info);
    }
    return result;
}

// A cloud in the frame of the view, and the origin of its own frame there.
typedef struct newPoints {
    wkCloud* cloud;
    wkVec3d origin;
} newPoints;

// Makes a cloud of the unexpected points. The others become NaN, so that indices stay those of the view. Doubles may be
// coordinates of a map: one of the points becomes their origin.
static wkResult makeCloud(const wkCloudLayout* layout, const int32_t* labels, double radius,
                          newPoints* made)
{
    *made = (newPoints){NULL, {0.0, 0.0, 0.0}};
    size_t byteCount = ((size_t)layout->count + 1) * sizeof(wkVec3d);
    wkVec3d* points = wkAlloc(byteCount);
    if (points == NULL) {
        return wkFail(wk_errorMemory, "expected points: no memory");
    }
    for (int64_t i = layout->count - 1; i >= 0; --i) {
        bool isNew = labels[i] == wk_pointUnexpected;
        points[i] = isNew ? givenPoint(layout, i) : wkVec(NAN, NAN, NAN);
        made->origin = isNew && layout->isDouble ? points[i] : made->origin;
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = layout->count;
    def.points.isDouble = true;
    def.origin = made->origin;
    def.radius = radius;
    def.allowsEmpty = true; // all points may be expected
    wkResult result = wkCloud_Create(&def, &made->cloud);
    wkFree(points, byteCount);
    return result;
}

// Refuses a frame that says nothing, and a name that is that of a known object.
static wkResult checkReplacement(const wkRobotScene* scene, const wkExpectRequest* request,
                                 const char* name, const wkExpectInfo* found)
{
    if (found->notFiniteCount == found->pointCount && !request->allowsEmpty) {
        return wkFail(wk_errorArgument,
                      "expected points: none of %d points is finite, and what was unexpected "
                      "before would be lost; allowsEmpty takes such a frame",
                      (int)found->pointCount);
    }
    int32_t index = name != NULL ? wkRobotScene_Find(scene, name) : -1;
    const char* category = index >= 0 ? wkRobotScene_Object(scene, index).category : NULL;
    if (category != NULL && strcmp(category, request->unknownCategory) != 0) {
        return wkFail(wk_errorArgument,
                      "expected points: object %s is of category %s, expected %s: it would be lost",
                      name, category, request->unknownCategory);
    }
    return wk_ok;
}

static void releaseCloud(void* context)
{
    wkCloud_Destroy((wkCloud*)context);
}

static wkResult replaceObject(wkRobotScene* scene, const wkExpectRequest* request, const char* name,
                              const newPoints* points)
{
    wkShape shape = wkMakeCloud(points->cloud);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.category = request->unknownCategory;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.release = releaseCloud;
    def.releaseContext = points->cloud;
    def.pose = request->pose;
    def.pose.position = wkTransformPoint(request->pose, points->origin);
    wkResult result = wkRobotScene_Replace(scene, &def);
    if (result != wk_ok) {
        wkCloud_Destroy(points->cloud);
    }
    return result;
}

wkResult wkRobotScene_ReplaceUnexpected(wkRobotScene* scene, const wkRobotState* state,
                                        const wkExpectRequest* request, const char* name,
                                        double radius, wkExpectInfo* info)
{
    wkCloudLayout layout;
    wkResult result = checkArguments(scene, state, request, &layout);
    if (result != wk_ok) {
        return result;
    }
    size_t byteCount = ((size_t)layout.count + 1) * sizeof(int32_t);
    int32_t* labels = wkAlloc(byteCount);
    if (labels == NULL) {
        return wkFail(wk_errorMemory, "expected points: no memory for %lld labels",
                      (long long)layout.count);
    }
    wkExpectInfo found;
    newPoints points;
    labelPoints(scene, state, request, &layout, labels, &found);
    result = checkReplacement(scene, request, name, &found);
    result = result == wk_ok ? makeCloud(&layout, labels, radius, &points) : result;
    result = result == wk_ok ? replaceObject(scene, request, name, &points) : result;
    wkFree(labels, byteCount);
    if (info != NULL) {
        *info = found;
    }
    return result;
}
