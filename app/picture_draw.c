// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The demo's scene with the answers drawn into it: witness points of distances, contacts, the bounds
// of a shape, a ray and what it hits. Marks are shapes too: capsules, cones and spheres.

#include "picture.h"

#include "vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define LINE_RADIUS 0.014
#define DOT_RADIUS 0.045
#define ARROW_LENGTH 0.42

static const wkColor distanceInk = {0.95, 0.62, 0.02};
static const wkColor contactInk = {0.90, 0.05, 0.16};
static const wkColor rayInk = {0.02, 0.62, 0.34};
static const wkColor boundsInk = {0.10, 0.13, 0.20};

// clang-format off
static const wkColor paints[wk_demoBodyCount] = {
    [wk_demoSphere]    = {0.86, 0.16, 0.13},
    [wk_demoBox]       = {0.09, 0.33, 0.76},
    [wk_demoCapsule]   = {0.95, 0.52, 0.07},
    [wk_demoCylinder]  = {0.08, 0.55, 0.50},
    [wk_demoCone]      = {0.45, 0.20, 0.68},
    [wk_demoEllipsoid] = {0.93, 0.70, 0.10},
    [wk_demoConvex]    = {0.20, 0.58, 0.18},
    [wk_demoTriangle]  = {0.88, 0.22, 0.48},
    [wk_demoHalfspace] = {0.60, 0.61, 0.64},
    [wk_demoPlane]     = {0.46, 0.72, 0.90},
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

static void addArrow(wkStage* stage, wkVec3d from, wkVec3d direction, wkColor color)
{
    const double head = 0.13;
    wkVec3d neck = wkVec_MulAdd(from, ARROW_LENGTH - head, direction);
    wkPose pose = {wkVec_MulAdd(neck, 0.5 * head, direction), turnZTo(direction)};
    addLine(stage, from, neck, LINE_RADIUS, color);
    addMark(stage, wkMakeCone(0.05, head), pose, color);
}

static wkDistanceResult addDistance(wkStage* stage, const wkDemoBody* a, const wkDemoBody* b)
{
    wkDistanceResult result = wkDistance(&a->shape, a->pose, &b->shape, b->pose, NULL);
    addLine(stage, result.pointA, result.pointB, LINE_RADIUS, distanceInk);
    addDot(stage, result.pointA, DOT_RADIUS, distanceInk);
    addDot(stage, result.pointB, DOT_RADIUS, distanceInk);
    return result;
}

static void addContacts(wkStage* stage, const wkDemoBody* a, const wkDemoBody* b)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    wkCollideResult result = wkCollide(&a->shape, a->pose, &b->shape, b->pose, &request);
    for (int32_t i = 0; i < result.contactCount; i++) {
        addDot(stage, contacts[i].point, DOT_RADIUS, contactInk);
        addArrow(stage, contacts[i].point, contacts[i].normal, contactInk);
    }
}

static void addBounds(wkStage* stage, const wkDemoBody* body)
{
    wkAabb box = wkShape_Bounds(&body->shape, body->pose);
    const wkVec3d ends[2] = {box.lower, box.upper};
    for (int i = 0; i < 4; i++) {
        const wkVec3d* p = &ends[i & 1];
        const wkVec3d* q = &ends[i >> 1];
        addLine(stage, (wkVec3d){box.lower.x, p->y, q->z}, (wkVec3d){box.upper.x, p->y, q->z},
                0.6 * LINE_RADIUS, boundsInk);
        addLine(stage, (wkVec3d){p->x, box.lower.y, q->z}, (wkVec3d){p->x, box.upper.y, q->z},
                0.6 * LINE_RADIUS, boundsInk);
        addLine(stage, (wkVec3d){p->x, q->y, box.lower.z}, (wkVec3d){p->x, q->y, box.upper.z},
                0.6 * LINE_RADIUS, boundsInk);
    }
}

static wkVec3d addRay(wkStage* stage, const wkDemoBody* body, wkRay ray)
{
    wkRayResult hit = wkRayCast(&body->shape, body->pose, ray);
    addLine(stage, ray.origin, hit.point, LINE_RADIUS, rayInk);
    addDot(stage, hit.point, DOT_RADIUS, rayInk);
    addArrow(stage, hit.point, hit.normal, rayInk);
    return hit.point;
}

// Where the answers' labels go.
typedef struct captions {
    wkVec3d distance;
    wkVec3d contacts;
    wkVec3d ray;
    wkVec3d bounds;
    double distanceValue;
} captions;

static void setStage(wkStage* stage, const wkDemoScene* scene, captions* notes)
{
    for (int i = 0; i < wk_demoHalfspace; i++) {
        const wkDemoBody* body = &scene->bodies[i];
        stage->bodies[stage->bodyCount++] = wkMakeVisible(body->shape, body->pose, paints[i]);
    }
    const wkDemoBody* floor = &scene->bodies[wk_demoHalfspace];
    const wkDemoBody* pane = &scene->bodies[wk_demoPlane];
    stage->floor = wkMakeVisible(floor->shape, floor->pose, paints[wk_demoHalfspace]);
    stage->pane = wkMakeVisible(pane->shape, pane->pose, paints[wk_demoPlane]);
    stage->paneHalfWidth = 1.15;
    stage->paneHalfHeight = 0.95;

    const wkDemoBody* bodies = scene->bodies;
    wkDistanceResult gap = addDistance(stage, &bodies[wk_demoSphere], &bodies[wk_demoBox]);
    addContacts(stage, &bodies[wk_demoBox], &bodies[wk_demoCapsule]);
    addBounds(stage, &bodies[wk_demoEllipsoid]);
    wkVec3d hit = addRay(stage, &bodies[wk_demoCone], scene->ray);
    addDistance(stage, &bodies[wk_demoConvex], &bodies[wk_demoTriangle]);
    addDistance(stage, &bodies[wk_demoCylinder], &bodies[wk_demoSphere]);
    addDistance(stage, &bodies[wk_demoEllipsoid], &bodies[wk_demoPlane]);

    notes->distance = wkVec_MulAdd(gap.pointA, 0.5, wkVec_Sub(gap.pointB, gap.pointA));
    notes->distanceValue = gap.distance;
    notes->ray = wkVec_MulAdd(scene->ray.origin, 0.45, wkVec_Sub(hit, scene->ray.origin));
}

static void writeCentered(wkPicture* picture, const wkCamera* camera, wkVec3d point, double dx,
                          double dy, const char* text, const wkLettering* lettering)
{
    double x = 0.0;
    double y = 0.0;
    if (wkProjectPoint(camera, point, &x, &y)) {
        double width = wkMeasureText(text, lettering->height);
        wkPicture_Write(picture, x + dx - 0.5 * width, y + dy, text, lettering);
    }
}

// Names stand on the floor before each body.
static void writeNames(wkPicture* picture, const wkCamera* camera, const wkDemoScene* scene)
{
    const wkLettering plain = {15.0, {0.13, 0.15, 0.20}, {0.93, 0.94, 0.96}, 0.55};
    for (int i = 0; i < wk_demoBodyCount; i++) {
        const wkDemoBody* body = &scene->bodies[i];
        wkVec3d foot = {3.1, -2.6, 0.0};
        double drop = 24.0;
        if (i < wk_demoHalfspace) {
            wkAabb box = wkShape_Bounds(&body->shape, body->pose);
            foot = (wkVec3d){0.5 * (box.lower.x + box.upper.x), box.lower.y, 0.0};
        } else if (i == wk_demoPlane) {
            foot = body->pose.position;
            foot.z += 0.95;
            drop = -12.0;
        }
        writeCentered(picture, camera, foot, 0.0, drop, body->name, &plain);
    }
}

bool wkDrawDemo(const wkDemoScene* scene, wkPicture* picture)
{
    captions notes;
    wkStage* stage = calloc(1, sizeof *stage);
    if (stage == NULL) {
        return false;
    }
    setStage(stage, scene, &notes);
    const wkVec3d eye = {0.6, -11.5, 5.0};
    const wkVec3d target = {0.1, 0.2, 0.45};
    wkCamera camera = wkMakeCamera(eye, target, 0.72, picture->width, picture->height);
    bool isDrawn = wkRenderStage(stage, &camera, picture);
    free(stage);
    writeNames(picture, &camera, scene);
    return isDrawn;
}
