// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of a robot made of spheres: its shapes inside transparent spheres.

#include "spheres.h"

#include "picture_fit.h"
#include "vector.h"

#include <math.h>
#include <stdlib.h>

static const wkColor bodyPaint = {0.66, 0.67, 0.69};
static const wkColor barePaint = {0.80, 0.02, 0.04};

// Spheres of neighbouring links have different colours.
static const wkColor glassPaints[] = {
    {0.05, 0.36, 0.72}, {0.86, 0.46, 0.04}, {0.08, 0.48, 0.26}, {0.52, 0.20, 0.62}};

#define GLASS_PAINTS ((int32_t)(sizeof glassPaints / sizeof glassPaints[0]))

// Context of the paint of a link's shapes.
typedef struct linkPaint {
    const wkSphere3d* spheres; // of the link, in the world frame
    int32_t count;
} linkPaint;

// The robot in its configuration.
typedef struct set {
    wkPose* links;
    wkSphere3d* spheres;
    linkPaint* paints; // per link
    wkSphere3d*
        parts; // spheres, and vertices of the boxes of bodies: their hull contains the robot
    size_t partCount;
    double floor; // height of the lowest
} set;

// Paints uncovered surfaces red.
static wkColor paintBody(const void* context, wkVec3d point, wkVec3d normal)
{
    const linkPaint* paint = context;
    const double slack = 1e-6; // for the float precision of meshes
    (void)normal;
    for (int32_t i = 0; i < paint->count; i++) {
        const wkSphere3d* sphere = &paint->spheres[i];
        if (wkVec_Length(wkVec_Sub(point, sphere->center)) <= sphere->radius + slack) {
            return bodyPaint;
        }
    }
    return barePaint;
}

static void freeSet(set* s)
{
    free(s->links);
    free(s->spheres);
    free(s->paints);
    free(s->parts);
    *s = (set){0};
}

static void addPart(set* s, wkSphere3d part)
{
    s->parts[s->partCount++] = part;
    s->floor = fmin(s->floor, part.center.z - part.radius);
}

static void addParts(const wkSphereStudy* study, set* s)
{
    for (int32_t i = 0; i < wkSphereModel_Info(study->model).sphereCount; i++) {
        addPart(s, s->spheres[i]);
    }
    for (int32_t i = 0; i < wkRobot_Info(study->robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(study->robot, i);
        wkAabb box = wkShape_Bounds(body.shape, wkMulPose(s->links[body.link], body.pose));
        wkSphere3d vertices[8];
        wkPartsOfBox(box, vertices);
        for (int k = 0; k < 8 && isfinite(wkVec_Length(wkVec_Sub(box.upper, box.lower))); k++) {
            addPart(s, vertices[k]);
        }
    }
}

static bool makeSet(const wkSphereStudy* study, set* s)
{
    size_t linkCount = (size_t)wkRobot_Info(study->robot).linkCount;
    size_t sphereCount = (size_t)wkSphereModel_Info(study->model).sphereCount;
    size_t partCount = sphereCount + 8 * (size_t)wkRobot_Info(study->robot).bodyCount;
    *s = (set){.links = calloc(linkCount, sizeof *s->links),
               .spheres = calloc(sphereCount + 1, sizeof *s->spheres),
               .paints = calloc(linkCount, sizeof *s->paints),
               .parts = calloc(partCount + 1, sizeof *s->parts)};
    if (s->links == NULL || s->spheres == NULL || s->paints == NULL || s->parts == NULL) {
        freeSet(s);
        return false;
    }
    wkRobot_LinkPoses(study->robot, wkIdentityPose(), study->q, s->links);
    wkSphereModel_PlaceLinks(study->model, wkIdentityPose(), study->q, s->spheres);
    for (size_t i = 0; i < linkCount; i++) {
        wkLinkSpheres spheres = wkSphereModel_Link(study->model, (int32_t)i);
        s->paints[i] = (linkPaint){s->spheres + spheres.first, spheres.count};
    }
    addParts(study, s);
    return true;
}

static void addRobot(const wkSphereStudy* study, const set* s, wkStage* stage)
{
    for (int32_t i = 0; i < wkRobot_Info(study->robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(study->robot, i);
        wkVisible* visible = wkVisibles_Add(&stage->bodies, *body.shape,
                                            wkMulPose(s->links[body.link], body.pose), bodyPaint);
        if (visible != NULL) {
            visible->paint = paintBody;
            visible->paintContext = &s->paints[body.link];
        }
    }
}

static void addSpheres(const wkSphereStudy* study, const set* s, wkStage* stage)
{
    int32_t linkCount = wkRobot_Info(study->robot).linkCount, shown = 0;
    for (int32_t link = 0; link < linkCount; link++) {
        wkLinkSpheres spheres = wkSphereModel_Link(study->model, link);
        for (int32_t i = spheres.first; i < spheres.first + spheres.count; i++) {
            wkVec3d center = s->spheres[i].center;
            wkVisibles_Add(&stage->glass, wkMakeSphere(s->spheres[i].radius),
                           wkMakePose(center.x, center.y, center.z),
                           glassPaints[shown % GLASS_PAINTS]);
        }
        shown += spheres.count > 0 ? 1 : 0;
    }
}

static bool drawFrom(const wkSphereStudy* study, const set* s, wkVec3d direction, bool hasSpheres,
                     wkPicture* picture)
{
    wkStage stage = wkMakeReportStage();
    stage.lampRayCount = 24;
    stage.skySteps = 2;
    wkStage_AddFloor(&stage, s->floor);
    addRobot(study, s, &stage);
    if (hasSpheres) {
        addSpheres(study, s, &stage);
    }
    wkViewpoint view = wkFitViewpoint(s->parts, s->partCount, direction, picture);
    bool isDrawn = wkRenderStage(&stage, &view, picture);
    wkStage_Free(&stage);
    return isDrawn;
}

static const struct {
    wkVec3d direction; // from the robot to the eye
    bool hasSpheres;
    const char* title;
    const char* words;
} views[WK_SPHERE_PICTURES] = {
    {{1.0, -0.9, 0.42},
     true,
     "Spheres over shapes",
     "Spheres of each link in their colour, as glass over the shapes that they stand for. Surfaces "
     "that "
     "no sphere covers would be red."},
    {{1.0, -0.9, 0.42},
     false,
     "Shapes alone",
     "What the spheres stand for; red where no sphere covers it."},
    {{-0.15, -1.0, 0.12}, true, "From the right", "Seen against the y axis."},
    {{1.0, 0.15, 0.12}, true, "From the front", "Seen against the x axis."},
};

bool wkSphereStudy_Draw(const wkSphereStudy* study, int width,
                        wkSpherePicture pictures[WK_SPHERE_PICTURES])
{
    set s;
    bool isDrawn = makeSet(study, &s);
    for (int i = 0; i < WK_SPHERE_PICTURES && isDrawn; i++) {
        pictures[i].title = views[i].title;
        pictures[i].words = views[i].words;
        isDrawn =
            wkPicture_Create(&pictures[i].picture, width, width) &&
            drawFrom(study, &s, views[i].direction, views[i].hasSpheres, &pictures[i].picture);
    }
    wkPicture* list[WK_SPHERE_PICTURES];
    for (int i = 0; i < WK_SPHERE_PICTURES; i++) {
        list[i] = &pictures[i].picture;
    }
    freeSet(&s);
    return isDrawn && wkEncodePictures(list, WK_SPHERE_PICTURES);
}
