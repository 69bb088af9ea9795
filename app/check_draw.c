// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pictures of `whisker check`. Of a cloud, the points near the robot are drawn, which a room around it would
// hide; each has the colour of its distance from the robot.

#include "check_study.h"

#include "cloud_spacing.h"
#include "picture_fit.h"
#include "picture_legend.h"
#include "vector.h"

#include "whisker/detail/library.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SURROUNDINGS 0.45 // of the extent of the robot: how far around it points are drawn
#define POINT_SHARE 0.4   // radius of a drawn point, of the distance of its neighbours
#define DOT_SHARE 0.011   // radius of a mark, of the extent of a picture
#define LINE_SHARE 0.0035
#define CLOSE_UP 0.16   // extent of the second picture, of the first
#define NAME_LETTERS 32 // of a name in the legend
#define WORDS 96        // bytes of a row of the legend

// clang-format off
static const wkColor shellPaint = {0.70, 0.71, 0.73};
static const wkColor nearestPaint = {0.85, 0.42, 0.06};
static const wkColor attachedPaint = {0.30, 0.42, 0.60};
static const wkColor objectPaint = {0.42, 0.46, 0.52};
static const wkColor markPaint = {0.90, 0.02, 0.55};
// clang-format on

// What both pictures show.
typedef struct checkSet {
    const wkCheckStudy* study;
    wkScene* robot;   // its bodies and attached objects
    wkAabb bounds;    // of the robot
    double extent;    // diagonal of the bounds
    double reach;     // points further from the robot than this are not drawn
    wkCloud** clouds; // drawn ones, one per object shape; NULL: none
    int cloudCount;
    double floor;
    int64_t drawnCount;
    int64_t leftCount; // points that are not drawn
} checkSet;

static wkColor nearToFar(double share)
{
    static const wkColor colors[] = {{0.80, 0.01, 0.04}, {0.90, 0.30, 0.02}, {0.90, 0.72, 0.05},
                                     {0.16, 0.52, 0.30}, {0.04, 0.24, 0.58}, {0.05, 0.06, 0.30}};
    return wkRampColor(colors, 6, share);
}

static double distanceToRobot(const checkSet* set, wkVec3d point, double cutoff)
{
    wkShape dot = wkMakeSphere(0.0);
    wkSceneRequest request = wkDefaultSceneRequest();
    request.cutoff = cutoff;
    request.isSigned = false;
    return wkScene_DistanceShape(set->robot, &dot, wkMakePose(point.x, point.y, point.z), &request)
        .closest.distance;
}

static wkColor paintPoint(const void* context, wkVec3d point, wkVec3d normal)
{
    const checkSet* set = context;
    (void)normal;
    return nearToFar(distanceToRobot(set, point, set->reach) / set->reach);
}

static void includeBox(wkAabb* bounds, wkAabb box)
{
    bounds->lower =
        (wkVec3d){fmin(bounds->lower.x, box.lower.x), fmin(bounds->lower.y, box.lower.y),
                  fmin(bounds->lower.z, box.lower.z)};
    bounds->upper =
        (wkVec3d){fmax(bounds->upper.x, box.upper.x), fmax(bounds->upper.y, box.upper.y),
                  fmax(bounds->upper.z, box.upper.z)};
}

static wkResult addToRobot(checkSet* set, const wkShape* shape, wkPose pose)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = *shape;
    def.pose = pose;
    wkObjectId id;
    includeBox(&set->bounds, wkShape_Bounds(shape, pose));
    return wkScene_Add(set->robot, &def, &id);
}

// Returns the pose of a shape of an object, which may be attached.
static wkPose shapePose(const wkCheckStudy* study, const wkRobotObjectInfo* object, wkPose inObject)
{
    wkPose pose =
        object->link < 0
            ? object->pose
            : wkMulPose(wkRobotState_LinkPose(study->job->state, object->link), object->pose);
    return wkMulPose(pose, inObject);
}

static wkResult makeRobot(checkSet* set)
{
    const wkCheckStudy* study = set->study;
    const wkRobotScene* scene = study->job->scene;
    wkResult result = wkScene_Create(NULL, &set->robot);
    for (int32_t i = 0; i < wkRobot_Info(study->job->robot).bodyCount && result == wk_ok; i++) {
        result = addToRobot(set, wkRobot_Body(study->job->robot, i).shape,
                            wkRobotState_BodyPose(study->job->state, i));
    }
    for (int32_t i = 0; i < wkRobotScene_Count(scene) && result == wk_ok; i++) {
        wkRobotObjectInfo object = wkRobotScene_Object(scene, i);
        for (int32_t k = 0; k < object.shapeCount && object.link >= 0 && result == wk_ok; k++) {
            wkPose inObject;
            const wkShape* shape = wkRobotScene_ObjectShape(scene, i, k, &inObject);
            result = addToRobot(set, shape, shapePose(study, &object, inObject));
        }
    }
    if (result == wk_ok) {
        wkScene_Update(set->robot);
        set->extent = wkVec_Length(wkVec_Sub(set->bounds.upper, set->bounds.lower));
        set->extent = isfinite(set->extent) && set->extent > 0.0 ? set->extent : 1.0;
        set->reach = wkRoundLength(SURROUNDINGS * set->extent);
        set->floor = set->bounds.lower.z;
    }
    return result;
}

// Makes a cloud of the points near the robot, as large as its spheres, and large enough to be visible.
static wkResult cropCloud(checkSet* set, const wkCloud* cloud, wkPose pose, wkCloud** drawn)
{
    wkCloudSpacing spacing = {0.0, 0.0};
    int32_t count = wkCloud_Info(cloud).pointCount, kept = 0;
    wkVec3d* points = malloc(((size_t)count + 1) * sizeof *points);
    wkResult result = points != NULL ? wkMeasureSpacing(cloud, &spacing) : wk_errorMemory;
    for (int32_t i = 0; i < count && result == wk_ok; i++) {
        wkVec3d point = wkCloud_Point(cloud, i).position;
        wkVec3d inWorld = wkTransformPoint(pose, point);
        if (distanceToRobot(set, inWorld, set->reach) < set->reach) {
            points[kept++] = point;
            set->floor = fmin(set->floor, inWorld.z);
        }
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = kept;
    def.allowsEmpty = true; // none may be near enough to be drawn
    def.points.isDouble = true;
    def.radius = fmax(0.5 * (spacing.distance - spacing.gap),
                      fmax(POINT_SHARE * spacing.distance, LINE_SHARE * set->extent));
    if (result == wk_ok) {
        result = wkCloud_Create(&def, drawn);
    }
    set->drawnCount += kept;
    set->leftCount += count - kept;
    free(points);
    return result;
}

static int countShapes(const wkRobotScene* scene)
{
    int count = 0;
    for (int32_t i = 0; i < wkRobotScene_Count(scene); i++) {
        count += wkRobotScene_Object(scene, i).shapeCount;
    }
    return count;
}

static wkResult makeClouds(checkSet* set)
{
    const wkRobotScene* scene = set->study->job->scene;
    wkResult result = wk_ok;
    set->clouds = calloc((size_t)countShapes(scene) + 1, sizeof(void*));
    if (set->clouds == NULL) {
        return wk_errorMemory;
    }
    for (int32_t i = 0; i < wkRobotScene_Count(scene); i++) {
        wkRobotObjectInfo object = wkRobotScene_Object(scene, i);
        for (int32_t k = 0; k < object.shapeCount && result == wk_ok; k++) {
            wkPose inObject;
            const wkShape* shape = wkRobotScene_ObjectShape(scene, i, k, &inObject);
            wkCloud** drawn = &set->clouds[set->cloudCount++];
            if (shape->type == wk_shapeCloud) {
                result =
                    cropCloud(set, shape->cloud, shapePose(set->study, &object, inObject), drawn);
            }
        }
    }
    return result;
}

static void freeSet(checkSet* set)
{
    wkScene_Destroy(set->robot);
    for (int i = 0; i < set->cloudCount; i++) {
        wkCloud_Destroy(set->clouds[i]);
    }
    free(set->clouds);
}

static void addBodies(const checkSet* set, wkStage* stage)
{
    const wkRobotJob* job = set->study->job;
    const wkRobotSide* nearest = &set->study->nearest.a;
    for (int32_t i = 0; i < wkRobot_Info(job->robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(job->robot, i);
        bool isNearest = nearest->kind == wk_sideLink && nearest->index == body.link;
        wkVisibles_Add(&stage->bodies, *body.shape, wkRobotState_BodyPose(job->state, i),
                       isNearest ? nearestPaint : shellPaint);
    }
}

// Adds the objects of the scene; `clouds` are in their order.
static void addObjects(const checkSet* set, wkStage* stage)
{
    const wkRobotScene* scene = set->study->job->scene;
    const wkRobotSide* nearest = &set->study->nearest.a;
    int number = 0;
    for (int32_t i = 0; i < wkRobotScene_Count(scene); i++) {
        wkRobotObjectInfo object = wkRobotScene_Object(scene, i);
        bool isNearest = nearest->kind == wk_sideAttached && nearest->index == i;
        for (int32_t k = 0; k < object.shapeCount; k++) {
            wkPose inObject;
            wkShape shape = *wkRobotScene_ObjectShape(scene, i, k, &inObject);
            const wkCloud* drawn = set->clouds[number++];
            shape = drawn != NULL ? wkMakeCloud(drawn) : shape;
            wkVisible* visible =
                wkVisibles_Add(&stage->bodies, shape, shapePose(set->study, &object, inObject),
                               isNearest          ? nearestPaint
                               : object.link >= 0 ? attachedPaint
                                                  : objectPaint);
            if (visible != NULL && drawn != NULL) {
                visible->paint = paintPoint;
                visible->paintContext = set;
            }
        }
    }
}

// Returns whether something hides a point from a direction.
// @param first of the bodies that may hide it
static bool isHidden(const checkSet* set, const wkStage* stage, int first, wkVec3d point,
                     wkVec3d direction)
{
    wkRay ray = {wkVec_MulAdd(point, 0.03 * set->extent, direction), direction, INFINITY};
    bool isHit = false;
    for (int i = first; i < stage->bodies.count && !isHit; i++) {
        const wkVisible* body = &stage->bodies.items[i];
        isHit = wkShape_RayCast(&body->shape, body->pose, ray).isHit;
    }
    return isHit;
}

// Counts what is hidden from a direction: the closest points, and bodies of the robot behind objects.
static int countHidden(const checkSet* set, const wkStage* stage, wkVec3d direction)
{
    const wkCheckStudy* study = set->study;
    int bodyCount = wkRobot_Info(study->job->robot).bodyCount, hiddenCount = 0;
    if (study->nearest.b.kind != wk_sideNone) {
        hiddenCount += isHidden(set, stage, 0, study->onRobot, direction) ? bodyCount : 0;
        hiddenCount += isHidden(set, stage, 0, study->onObject, direction) ? bodyCount : 0;
    }
    for (int i = 0; i < bodyCount; i++) {
        wkVec3d middle = stage->bodies.items[i].middle;
        hiddenCount += isHidden(set, stage, bodyCount, middle, direction) ? 1 : 0;
    }
    return hiddenCount;
}

// Returns the direction to a camera that sees the nearest pair: the front right, or the next side that does.
static wkVec3d chooseDirection(const checkSet* set, const wkStage* stage)
{
    enum {
        sideCount = 8,
        heightCount = 2
    };
    wkVec3d best = {1.0, -0.9, 0.42};
    int least = INT_MAX;
    for (int i = 0; i < sideCount * heightCount && least > 0; i++) {
        // sides alternate to the left and to the right of the first one
        int turn = (i / heightCount + 1) / 2 * (i / heightCount % 2 == 0 ? 1 : -1);
        double angle = -0.733 + turn * 0.785398;
        wkVec3d direction =
            wkVec_Unit((wkVec3d){cos(angle), sin(angle), i % heightCount == 0 ? 0.32 : 0.85});
        int hidden = countHidden(set, stage, direction);
        best = hidden < least ? direction : best;
        least = hidden < least ? hidden : least;
    }
    return best;
}

static void addMarks(const checkSet* set, double extent, wkStage* stage)
{
    const wkCheckStudy* study = set->study;
    wkStage_AddDot(stage, study->onRobot, DOT_SHARE * extent, markPaint);
    wkStage_AddDot(stage, study->onObject, DOT_SHARE * extent, markPaint);
    wkStage_AddLine(stage, study->onRobot, study->onObject, LINE_SHARE * extent, markPaint);
}

// Returns a name without the folder of a file, and of a long one the end, which tells many of them apart.
static const char* shortName(const char* name)
{
    const char* slash = strrchr(name, '/');
    const char* start = slash != NULL && slash[1] != '\0' ? slash + 1 : name;
    size_t length = strlen(start);
    return length > NAME_LETTERS ? start + length - NAME_LETTERS : start;
}

static void addLegend(const checkSet* set, wkPicture* picture)
{
    const wkCheckStudy* study = set->study;
    bool hasPair = study->nearest.b.kind != wk_sideNone;
    char note[WORDS], words[2][WORDS];
    const char* rows[3];
    int count = 0;
    if (set->leftCount > 0) {
        snprintf(note, sizeof note, "not drawn: %lld points beyond %g m", (long long)set->leftCount,
                 set->reach);
        rows[count++] = note;
    }
    if (hasPair) {
        snprintf(words[0], WORDS, "nearest: %s", shortName(study->nearest.a.name));
        snprintf(words[1], WORDS, "%.1f mm to %s", 1e3 * study->nearest.distance,
                 shortName(study->nearest.b.name));
        rows[count++] = words[0];
        rows[count++] = words[1];
    }
    if (count == 0 && set->drawnCount == 0) {
        return;
    }
    wkLegend legend = wkLegend_Open(picture, rows, count, set->drawnCount > 0 ? 1 : 0);
    if (set->drawnCount > 0) {
        wkLegend_AddBar(&legend, nearToFar, "points: distance to robot", 0.0, set->reach, "m");
    }
    if (set->leftCount > 0) {
        wkLegend_AddNote(&legend, note);
    }
    if (hasPair) {
        wkLegend_AddKey(&legend, nearestPaint, words[0]);
        wkLegend_AddKey(&legend, markPaint, words[1]);
    }
}

static bool drawFrom(const checkSet* set, const wkSphere3d* parts, size_t partCount, double extent,
                     wkCheckPicture* picture)
{
    wkStage stage = wkMakeReportStage();
    stage.skySteps = 2;
    wkStage_AddFloor(&stage, set->floor);
    addBodies(set, &stage);
    addObjects(set, &stage);
    if (stage.bodies.isOutOfMemory) {
        wkStage_Free(&stage);
        return false;
    }
    wkVec3d direction = chooseDirection(set, &stage);
    bool hasPair = set->study->nearest.b.kind != wk_sideNone;
    if (hasPair) {
        addMarks(set, extent, &stage);
    }
    wkViewpoint view = wkFitViewpoint(parts, partCount, direction, &picture->picture);
    bool isDrawn = wkRenderStage(&stage, &view, &picture->picture);
    wkStage_Free(&stage);
    addLegend(set, &picture->picture);
    wkVec3d middle = {0.5 * (set->bounds.lower.x + set->bounds.upper.x),
                      0.5 * (set->bounds.lower.y + set->bounds.upper.y),
                      0.5 * (set->bounds.lower.z + set->bounds.upper.z)};
    wkPicture_AddScale(&picture->picture, &view, hasPair ? set->study->onRobot : middle);
    return isDrawn;
}

// The robot and what is around it.
static bool drawAll(const checkSet* set, wkCheckPicture* picture)
{
    wkSphere3d parts[10];
    wkPartsOfBox(set->bounds, parts);
    size_t count = 8;
    if (set->study->nearest.b.kind != wk_sideNone && set->study->nearest.distance < set->reach) {
        parts[count++] = (wkSphere3d){set->study->onObject, 0.2 * set->reach};
    }
    int length = snprintf(picture->words, sizeof picture->words,
                          "Configuration %lld: %s. The nearest link is orange.",
                          (long long)set->study->index, wkVerdictName(set->study->check.verdict));
    if (set->leftCount + set->drawnCount > 0) {
        snprintf(picture->words + length, sizeof picture->words - (size_t)length,
                 " Points of clouds have the colour of their distance from the robot; %lld points "
                 "further away than %g m are not drawn.",
                 (long long)set->leftCount, set->reach);
    }
    return drawFrom(set, parts, count, set->extent, picture);
}

// The nearest pair, from near by.
static bool drawNearest(const checkSet* set, wkCheckPicture* picture)
{
    const wkCheckStudy* study = set->study;
    double radius = fmax(CLOSE_UP * set->extent, 0.8 * fabs(study->nearest.distance));
    wkSphere3d parts[2] = {{study->onRobot, radius}, {study->onObject, radius}};
    snprintf(
        picture->words, sizeof picture->words,
        "%.1f mm of clearance are left between %.100s and %.100s, safety distances and padding "
        "taken off.",
        1e3 * study->nearest.distance, study->nearest.a.name, study->nearest.b.name);
    return drawFrom(set, parts, 2, 2.0 * radius, picture);
}

bool wkCheckStudy_Draw(const wkCheckStudy* study, int width,
                       wkCheckPicture pictures[WK_CHECK_PICTURES])
{
    static const char* const titles[WK_CHECK_PICTURES] = {"The robot and what is around it",
                                                          "The nearest pair"};
    checkSet set = {.study = study,
                    .bounds = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}}};
    wkPicture* list[WK_CHECK_PICTURES] = {NULL};
    bool isDrawn = makeRobot(&set) == wk_ok && makeClouds(&set) == wk_ok;
    int count = study->nearest.b.kind != wk_sideNone ? 2 : 1;
    for (int i = 0; i < count && isDrawn; i++) {
        pictures[i].title = titles[i];
        list[i] = &pictures[i].picture;
        isDrawn = wkPicture_Create(&pictures[i].picture, width, width * 9 / 16) &&
                  (i == 0 ? drawAll : drawNearest)(&set, &pictures[i]);
    }
    freeSet(&set);
    if (!isDrawn) {
        wkSetLastError(wk_errorMemory, "no memory for the pictures");
    }
    return isDrawn && wkEncodePictures(list, WK_CHECK_PICTURES);
}
