// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The demo's scene with the answers drawn into it: witness points of distances, contacts, the
// bounds of a shape, a ray and what it hits. Marks are shapes too: capsules, cones and spheres.

#include "picture.h"

#include "vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_RADIUS 0.014
#define DOT_RADIUS 0.045
#define PANE_HALF_WIDTH 1.15
#define PANE_HALF_HEIGHT 0.95
#define MAX_GAPS 5

static const wkColor distanceInk = {0.95, 0.62, 0.02};
static const wkColor contactInk = {0.90, 0.05, 0.16};
static const wkColor rayInk = {0.02, 0.62, 0.34};
static const wkColor boundsInk = {0.10, 0.13, 0.20};

// How a body is painted, and where its name stands: pixels right of and below the projected middle
// of its bounds' front edge on the floor.
typedef struct look {
    wkColor paint;
    double right;
    double below;
} look;

// clang-format off
static const look looks[wk_demoBodyCount] = {
    [wk_demoSphere]    = {{0.62, 0.06, 0.05}, 0.0, 26.0},
    [wk_demoBox]       = {{0.03, 0.16, 0.52}, -6.0, 34.0},
    [wk_demoCapsule]   = {{0.80, 0.26, 0.02}, 136.0, -178.0},
    [wk_demoCylinder]  = {{0.02, 0.33, 0.32}, 0.0, -204.0},
    [wk_demoCone]      = {{0.26, 0.08, 0.46}, -36.0, 22.0},
    [wk_demoEllipsoid] = {{0.80, 0.50, 0.03}, 0.0, 28.0},
    [wk_demoConvex]    = {{0.07, 0.36, 0.08}, 0.0, 26.0},
    [wk_demoTriangle]  = {{0.66, 0.08, 0.26}, 0.0, 24.0},
    [wk_demoMesh]      = {{0.05, 0.30, 0.42}, 0.0, 24.0},
    [wk_demoHalfspace] = {{0.52, 0.53, 0.56}, 0.0, 0.0},
    [wk_demoPlane]     = {{0.25, 0.56, 0.80}, 0.0, -12.0},
};
// clang-format on

static void addMark(wkStage* stage, wkShape shape, wkPose pose, wkColor color)
{
    if (stage->markCount < WK_STAGE_MARKS) {
        stage->marks[stage->markCount++] = wkMakeVisible(shape, pose, color);
    }
}

static void addDot(wkStage* stage, wkVec3d point, double radius, wkColor color)
{
    addMark(stage, wkMakeSphere(radius), wkMakePose(point.x, point.y, point.z), color);
}

// Turns z into a unit direction.
static wkQuat turnZTo(wkVec3d direction)
{
    const wkVec3d z = {0.0, 0.0, 1.0};
    wkVec3d axis = wkVec_Cross(z, direction);
    if (wkVec_Length(axis) < 1e-9) {
        axis = (wkVec3d){1.0, 0.0, 0.0};
    }
    return wkMakeQuat(axis, acos(fmin(fmax(direction.z, -1.0), 1.0)));
}

static void addLine(wkStage* stage, wkVec3d from, wkVec3d to, double radius, wkColor color)
{
    wkVec3d along = wkVec_Sub(to, from);
    double length = wkVec_Length(along);
    if (length > 0.0) {
        wkPose pose = {wkVec_MulAdd(from, 0.5, along), turnZTo(wkVec_Unit(along))};
        addMark(stage, wkMakeCapsule(radius, length), pose, color);
    }
}

static void addArrow(wkStage* stage, wkVec3d from, wkVec3d direction, double length, wkColor color)
{
    const double head = 0.13;
    wkVec3d neck = wkVec_MulAdd(from, length - head, direction);
    wkPose pose = {wkVec_MulAdd(neck, 0.5 * head, direction), turnZTo(direction)};
    addLine(stage, from, neck, LINE_RADIUS, color);
    addMark(stage, wkMakeCone(0.05, head), pose, color);
}

// What was found, for the words beside the marks.
typedef struct answers {
    wkDistanceResult gaps[MAX_GAPS];
    double gapRight[MAX_GAPS]; // where their words go, in pixels
    double gapBelow[MAX_GAPS];
    int gapCount;
    wkRayResult hit;
    wkVec3d contact; // middle of the arrows' tips
    int contactCount;
    wkVec3d bounds; // a corner
} answers;

static void addDistance(wkStage* stage, const wkDemoBody* a, const wkDemoBody* b, double right,
                        double below, answers* found)
{
    wkDistanceResult result = wkDistance(&a->shape, a->pose, &b->shape, b->pose, NULL);
    addLine(stage, result.pointA, result.pointB, LINE_RADIUS, distanceInk);
    addDot(stage, result.pointA, DOT_RADIUS, distanceInk);
    addDot(stage, result.pointB, DOT_RADIUS, distanceInk);
    found->gapRight[found->gapCount] = right;
    found->gapBelow[found->gapCount] = below;
    found->gaps[found->gapCount++] = result;
}

static void addContacts(wkStage* stage, const wkDemoBody* a, const wkDemoBody* b, answers* found)
{
    const double arrowLength = 0.78;
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    wkCollideResult result = wkCollide(&a->shape, a->pose, &b->shape, b->pose, &request);
    for (int32_t i = 0; i < result.contactCount; i++) {
        addDot(stage, contacts[i].point, DOT_RADIUS, contactInk);
        addArrow(stage, contacts[i].point, contacts[i].normal, arrowLength, contactInk);
        wkVec3d tip = wkVec_MulAdd(contacts[i].point, arrowLength, contacts[i].normal);
        found->contact = wkVec_MulAdd(found->contact, 1.0 / result.contactCount, tip);
    }
    found->contactCount = result.contactCount;
}

static void addBounds(wkStage* stage, const wkDemoBody* body, answers* found)
{
    wkAabb box = wkShape_Bounds(&body->shape, body->pose);
    const wkVec3d ends[2] = {box.lower, box.upper};
    const double radius = 0.6 * LINE_RADIUS;
    for (int i = 0; i < 4; i++) {
        const wkVec3d* p = &ends[i & 1];
        const wkVec3d* q = &ends[i >> 1];
        addLine(stage, (wkVec3d){box.lower.x, p->y, q->z}, (wkVec3d){box.upper.x, p->y, q->z},
                radius, boundsInk);
        addLine(stage, (wkVec3d){p->x, box.lower.y, q->z}, (wkVec3d){p->x, box.upper.y, q->z},
                radius, boundsInk);
        addLine(stage, (wkVec3d){p->x, q->y, box.lower.z}, (wkVec3d){p->x, q->y, box.upper.z},
                radius, boundsInk);
    }
    found->bounds = (wkVec3d){box.upper.x, box.lower.y, box.lower.z};
}

static void addRay(wkStage* stage, const wkDemoBody* body, wkRay ray, answers* found)
{
    wkRayResult hit = wkRayCast(&body->shape, body->pose, ray);
    addLine(stage, ray.origin, hit.point, LINE_RADIUS, rayInk);
    addDot(stage, ray.origin, DOT_RADIUS, rayInk);
    addDot(stage, hit.point, DOT_RADIUS, rayInk);
    addArrow(stage, hit.point, hit.normal, 0.5, rayInk);
    found->hit = hit;
}

static void setStage(wkStage* stage, const wkDemoScene* scene)
{
    for (int i = 0; i < wk_demoHalfspace; i++) {
        const wkDemoBody* body = &scene->bodies[i];
        stage->bodies[stage->bodyCount++] = wkMakeVisible(body->shape, body->pose, looks[i].paint);
    }
    stage->bodies[wk_demoMesh].shape.mesh = scene->skin;
    const wkDemoBody* floor = &scene->bodies[wk_demoHalfspace];
    const wkDemoBody* pane = &scene->bodies[wk_demoPlane];
    stage->floor = wkMakeVisible(floor->shape, floor->pose, looks[wk_demoHalfspace].paint);
    stage->pane = wkMakeVisible(pane->shape, pane->pose, looks[wk_demoPlane].paint);
    stage->paneHalfWidth = PANE_HALF_WIDTH;
    stage->paneHalfHeight = PANE_HALF_HEIGHT;
}

typedef struct canvas {
    wkPicture* picture;
    wkCamera camera;
} canvas;

static void writeAt(canvas* c, wkVec3d point, double right, double below, const char* text,
                    wkColor ink)
{
    const wkLettering lettering = {14.0, ink, {0.95, 0.96, 0.98}, 0.7};
    double x = 0.0;
    double y = 0.0;
    if (wkProjectPoint(&c->camera, point, &x, &y)) {
        double width = wkMeasureText(text, lettering.height);
        wkPicture_Write(c->picture, x + right - 0.5 * width, y + below, text, &lettering);
    }
}

static void writeNames(canvas* c, const wkDemoScene* scene)
{
    const wkColor ink = {0.13, 0.15, 0.20};
    for (int i = 0; i < wk_demoHalfspace; i++) {
        const wkDemoBody* body = &scene->bodies[i];
        wkAabb box = wkShape_Bounds(&body->shape, body->pose);
        wkVec3d foot = {0.5 * (box.lower.x + box.upper.x), box.lower.y, 0.0};
        writeAt(c, foot, looks[i].right, looks[i].below, body->name, ink);
    }
    wkVec3d top = scene->bodies[wk_demoPlane].pose.position;
    top.z += PANE_HALF_HEIGHT;
    writeAt(c, top, 0.0, looks[wk_demoPlane].below, scene->bodies[wk_demoPlane].name, ink);
    writeAt(c, (wkVec3d){3.3, -2.7, 0.0}, 0.0, 0.0, scene->bodies[wk_demoHalfspace].name, ink);
}

static wkVec3d middle(wkVec3d a, wkVec3d b)
{
    return wkVec_MulAdd(a, 0.5, wkVec_Sub(b, a));
}

// The answers in words, beside their marks and in their colours.
static void writeAnswers(canvas* c, const answers* found, const wkDemoScene* scene)
{
    const wkColor distanceText = {0.62, 0.36, 0.0};
    const wkColor contactText = {0.72, 0.04, 0.18};
    const wkColor rayText = {0.0, 0.42, 0.24};
    const wkColor boundsText = {0.20, 0.24, 0.32};
    char words[32];
    for (int i = 0; i < found->gapCount; i++) {
        const wkDistanceResult* gap = &found->gaps[i];
        snprintf(words, sizeof words, "%.2f m", gap->distance);
        writeAt(c, middle(gap->pointA, gap->pointB), found->gapRight[i], found->gapBelow[i], words,
                distanceText);
    }
    snprintf(words, sizeof words, "%d contacts", found->contactCount);
    writeAt(c, found->contact, 0.0, -18.0, words, contactText);
    snprintf(words, sizeof words, "ray %.2f m", found->hit.distance);
    writeAt(c, middle(scene->ray.origin, found->hit.point), 74.0, -2.0, words, rayText);
    writeAt(c, found->bounds, 4.0, 20.0, "bounds", boundsText);
}

bool wkDrawDemo(const wkDemoScene* scene, wkPicture* picture)
{
    wkStage* stage = calloc(1, sizeof *stage);
    if (stage == NULL) {
        return false;
    }
    setStage(stage, scene);
    answers found = {0};
    const wkDemoBody* bodies = scene->bodies;
    addDistance(stage, &bodies[wk_demoSphere], &bodies[wk_demoBox], 4.0, 26.0, &found);
    addDistance(stage, &bodies[wk_demoSphere], &bodies[wk_demoCylinder], -14.0, -16.0, &found);
    addDistance(stage, &bodies[wk_demoEllipsoid], &bodies[wk_demoPlane], 58.0, 4.0, &found);
    addDistance(stage, &bodies[wk_demoConvex], &bodies[wk_demoTriangle], -2.0, -18.0, &found);
    addDistance(stage, &bodies[wk_demoMesh], &bodies[wk_demoEllipsoid], 44.0, 16.0, &found);
    addContacts(stage, &bodies[wk_demoBox], &bodies[wk_demoCapsule], &found);
    addBounds(stage, &bodies[wk_demoEllipsoid], &found);
    addRay(stage, &bodies[wk_demoCone], scene->ray, &found);

    const wkVec3d eye = {0.45, -11.7, 4.4};
    const wkVec3d target = {0.2, 0.3, 0.74};
    canvas c = {picture, wkMakeCamera(eye, target, 0.752, picture->width, picture->height)};
    bool isDrawn = wkRenderStage(stage, &c.camera, picture);
    free(stage);
    writeNames(&c, scene);
    writeAnswers(&c, &found, scene);
    return isDrawn;
}
