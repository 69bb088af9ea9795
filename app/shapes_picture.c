// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The ten shapes with results drawn among them: witness points of distances, contacts, the bounds of a shape,
// a ray and its hit.

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

// Paint of a body, and the position of its name: pixels right of and below the projected center of its
// bounds' front edge on the floor.
typedef struct style {
    wkColor paint;
    double right;
    double below;
} style;

// clang-format off
static const style styles[wk_shapesBodyCount] = {
    [wk_shapesSphere]    = {{0.62, 0.06, 0.05}, 0.0, 26.0},
    [wk_shapesBox]       = {{0.03, 0.16, 0.52}, -6.0, 34.0},
    [wk_shapesCapsule]   = {{0.80, 0.26, 0.02}, 136.0, -178.0},
    [wk_shapesCylinder]  = {{0.02, 0.33, 0.32}, 0.0, -204.0},
    [wk_shapesCone]      = {{0.26, 0.08, 0.46}, -36.0, 22.0},
    [wk_shapesEllipsoid] = {{0.80, 0.50, 0.03}, 0.0, 28.0},
    [wk_shapesConvex]    = {{0.07, 0.36, 0.08}, 0.0, 26.0},
    [wk_shapesTriangle]  = {{0.66, 0.08, 0.26}, 0.0, 24.0},
    [wk_shapesMesh]      = {{0.05, 0.30, 0.42}, 0.0, 24.0},
    [wk_shapesHalfspace] = {{0.52, 0.53, 0.56}, 0.0, 0.0},
    [wk_shapesPlane]     = {{0.25, 0.56, 0.80}, 0.0, -12.0},
};
// clang-format on

// Results, for the words beside the marks.
typedef struct answers {
    wkDistanceResult gaps[MAX_GAPS];
    double gapRight[MAX_GAPS]; // position of their words, in pixels
    double gapBelow[MAX_GAPS];
    int gapCount;
    wkRayResult hit;
    wkVec3d contact; // center of the arrows' tips
    int contactCount;
    wkVec3d bounds; // a vertex
} answers;

static void addDistance(wkStage* stage, const wkShapesBody* a, const wkShapesBody* b, double right,
                        double below, answers* found)
{
    wkDistanceResult result = wkDistance(&a->shape, a->pose, &b->shape, b->pose, NULL);
    wkStage_AddLine(stage, result.pointA, result.pointB, LINE_RADIUS, distanceInk);
    wkStage_AddDot(stage, result.pointA, DOT_RADIUS, distanceInk);
    wkStage_AddDot(stage, result.pointB, DOT_RADIUS, distanceInk);
    found->gapRight[found->gapCount] = right;
    found->gapBelow[found->gapCount] = below;
    found->gaps[found->gapCount++] = result;
}

static void addContacts(wkStage* stage, const wkShapesBody* a, const wkShapesBody* b,
                        answers* found)
{
    const double arrowLength = 0.78;
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    wkCollideResult result = wkCollide(&a->shape, a->pose, &b->shape, b->pose, &request);
    for (int32_t i = 0; i < result.contactCount; i++) {
        wkStage_AddDot(stage, contacts[i].point, DOT_RADIUS, contactInk);
        wkStage_AddArrow(stage, contacts[i].point, contacts[i].normal, arrowLength, contactInk);
        wkVec3d tip = wkVec_MulAdd(contacts[i].point, arrowLength, contacts[i].normal);
        found->contact = wkVec_MulAdd(found->contact, 1.0 / result.contactCount, tip);
    }
    found->contactCount = result.contactCount;
}

static void addBounds(wkStage* stage, const wkShapesBody* body, answers* found)
{
    wkAabb box = wkShape_Bounds(&body->shape, body->pose);
    wkStage_AddEdges(stage, box, wkIdentityPose(), 0.6 * LINE_RADIUS, boundsInk);
    found->bounds = (wkVec3d){box.upper.x, box.lower.y, box.lower.z};
}

static void addRay(wkStage* stage, const wkShapesBody* body, wkRay ray, answers* found)
{
    wkRayResult hit = wkShape_RayCast(&body->shape, body->pose, ray);
    wkStage_AddLine(stage, ray.origin, hit.point, LINE_RADIUS, rayInk);
    wkStage_AddDot(stage, ray.origin, DOT_RADIUS, rayInk);
    wkStage_AddDot(stage, hit.point, DOT_RADIUS, rayInk);
    wkStage_AddArrow(stage, hit.point, hit.normal, 0.5, rayInk);
    found->hit = hit;
}

static void setStage(wkStage* stage, const wkShapesScene* scene)
{
    for (int i = 0; i < wk_shapesHalfspace; i++) {
        const wkShapesBody* body = &scene->bodies[i];
        wkShape shape = i == wk_shapesMesh ? wkMakeMesh(scene->surface) : body->shape;
        wkVisibles_Add(&stage->bodies, shape, body->pose, styles[i].paint);
    }
    const wkShapesBody* floor = &scene->bodies[wk_shapesHalfspace];
    const wkShapesBody* pane = &scene->bodies[wk_shapesPlane];
    stage->hasFloor = true;
    stage->hasPane = true;
    stage->floor = wkMakeVisible(floor->shape, floor->pose, styles[wk_shapesHalfspace].paint);
    stage->pane = wkMakeVisible(pane->shape, pane->pose, styles[wk_shapesPlane].paint);
    stage->paneHalfWidth = PANE_HALF_WIDTH;
    stage->paneHalfHeight = PANE_HALF_HEIGHT;
}

typedef struct canvas {
    wkPicture* picture;
    wkViewpoint camera;
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

static void writeNames(canvas* c, const wkShapesScene* scene)
{
    const wkColor ink = {0.13, 0.15, 0.20};
    for (int i = 0; i < wk_shapesHalfspace; i++) {
        const wkShapesBody* body = &scene->bodies[i];
        wkAabb box = wkShape_Bounds(&body->shape, body->pose);
        wkVec3d base = {0.5 * (box.lower.x + box.upper.x), box.lower.y, 0.0};
        writeAt(c, base, styles[i].right, styles[i].below, body->name, ink);
    }
    wkVec3d top = scene->bodies[wk_shapesPlane].pose.position;
    top.z += PANE_HALF_HEIGHT;
    writeAt(c, top, 0.0, styles[wk_shapesPlane].below, scene->bodies[wk_shapesPlane].name, ink);
    writeAt(c, (wkVec3d){3.3, -2.7, 0.0}, 0.0, 0.0, scene->bodies[wk_shapesHalfspace].name, ink);
}

static wkVec3d middle(wkVec3d a, wkVec3d b)
{
    return wkVec_MulAdd(a, 0.5, wkVec_Sub(b, a));
}

// Writes the results beside their marks, in their colours.
static void writeAnswers(canvas* c, const answers* found, const wkShapesScene* scene)
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

bool wkDrawShapes(const wkShapesScene* scene, wkPicture* picture)
{
    wkStage stage = wkMakeStage();
    setStage(&stage, scene);
    answers found = {0};
    const wkShapesBody* bodies = scene->bodies;
    addDistance(&stage, &bodies[wk_shapesSphere], &bodies[wk_shapesBox], 4.0, 26.0, &found);
    addDistance(&stage, &bodies[wk_shapesSphere], &bodies[wk_shapesCylinder], -14.0, -16.0, &found);
    addDistance(&stage, &bodies[wk_shapesEllipsoid], &bodies[wk_shapesPlane], 58.0, 4.0, &found);
    addDistance(&stage, &bodies[wk_shapesConvex], &bodies[wk_shapesTriangle], -2.0, -18.0, &found);
    addDistance(&stage, &bodies[wk_shapesMesh], &bodies[wk_shapesEllipsoid], 44.0, 16.0, &found);
    addContacts(&stage, &bodies[wk_shapesBox], &bodies[wk_shapesCapsule], &found);
    addBounds(&stage, &bodies[wk_shapesEllipsoid], &found);
    addRay(&stage, &bodies[wk_shapesCone], scene->ray, &found);

    const wkVec3d eye = {0.45, -11.7, 4.4};
    const wkVec3d target = {0.2, 0.3, 0.74};
    canvas c = {picture, wkMakeViewpoint(eye, target, 0.752, picture->width, picture->height)};
    bool isDrawn = wkRenderStage(&stage, &c.camera, picture);
    wkStage_Free(&stage);
    writeNames(&c, scene);
    writeAnswers(&c, &found, scene);
    return isDrawn;
}
