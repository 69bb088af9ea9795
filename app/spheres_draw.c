// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Pictures of a robot made of balls: its shapes behind glass.

#include "spheres.h"

#include "vector.h"

#include <math.h>
#include <stdlib.h>

#define FIELD_OF_VIEW 0.50
#define FRAME 1.06 // room around the robot

static const wkColor bodyPaint = {0.66, 0.67, 0.69};
static const wkColor barePaint = {0.80, 0.02, 0.04};

// Balls of neighbouring links differ.
static const wkColor glassPaints[] = {
    {0.05, 0.36, 0.72}, {0.86, 0.46, 0.04}, {0.08, 0.48, 0.26}, {0.52, 0.20, 0.62}};

#define GLASS_PAINTS ((int32_t)(sizeof glassPaints / sizeof glassPaints[0]))

// What the paint of a link's shapes has to know.
typedef struct linkPaint {
    const wkBall* balls; // of the link, in the world
    int32_t count;
} linkPaint;

// The robot as it stands there.
typedef struct set {
    wkPose* links;
    wkBall* balls;
    linkPaint* paints; // of each link
    wkAabb box;        // around everything
} set;

// Surfaces that no ball covers are red.
static wkColor paintBody(const void* context, wkVec3d point, wkVec3d normal)
{
    const linkPaint* paint = context;
    const double slack = 1e-6; // of the floats that meshes are stored in
    (void)normal;
    for (int32_t i = 0; i < paint->count; i++) {
        const wkBall* ball = &paint->balls[i];
        if (wkVec_Length(wkVec_Sub(point, ball->center)) <= ball->radius + slack) {
            return bodyPaint;
        }
    }
    return barePaint;
}

static void includeBox(wkAabb* all, wkVec3d lower, wkVec3d upper)
{
    all->lower = (wkVec3d){fmin(all->lower.x, lower.x), fmin(all->lower.y, lower.y),
                           fmin(all->lower.z, lower.z)};
    all->upper = (wkVec3d){fmax(all->upper.x, upper.x), fmax(all->upper.y, upper.y),
                           fmax(all->upper.z, upper.z)};
}

static void freeSet(set* s)
{
    free(s->links);
    free(s->balls);
    free(s->paints);
    *s = (set){0};
}

static void measureSet(const wkSphereStudy* study, set* s)
{
    s->box = (wkAabb){{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
    for (int32_t i = 0; i < wkSphereModel_Info(study->model).ballCount; i++) {
        wkVec3d c = s->balls[i].center;
        double r = s->balls[i].radius;
        includeBox(&s->box, (wkVec3d){c.x - r, c.y - r, c.z - r},
                   (wkVec3d){c.x + r, c.y + r, c.z + r});
    }
    for (int32_t i = 0; i < wkRobot_Info(study->robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(study->robot, i);
        wkAabb box = wkShape_Bounds(body.shape, wkMulPose(s->links[body.link], body.pose));
        includeBox(&s->box, box.lower, box.upper);
    }
    if (!isfinite(s->box.lower.x + s->box.upper.z)) {
        s->box = (wkAabb){{-1.0, -1.0, 0.0}, {1.0, 1.0, 1.0}};
    }
}

static bool makeSet(const wkSphereStudy* study, set* s)
{
    size_t linkCount = (size_t)wkRobot_Info(study->robot).linkCount;
    size_t ballCount = (size_t)wkSphereModel_Info(study->model).ballCount;
    *s = (set){.links = calloc(linkCount, sizeof *s->links),
               .balls = calloc(ballCount + 1, sizeof *s->balls),
               .paints = calloc(linkCount, sizeof *s->paints)};
    if (s->links == NULL || s->balls == NULL || s->paints == NULL) {
        freeSet(s);
        return false;
    }
    wkRobot_LinkPoses(study->robot, wkIdentityPose(), study->q, s->links);
    wkSphereModel_Place(study->model, wkIdentityPose(), study->q, s->balls);
    for (size_t i = 0; i < linkCount; i++) {
        wkLinkBalls balls = wkSphereModel_Link(study->model, (int32_t)i);
        s->paints[i] = (linkPaint){s->balls + balls.first, balls.count};
    }
    measureSet(study, s);
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

static void addBalls(const wkSphereStudy* study, const set* s, wkStage* stage)
{
    int32_t linkCount = wkRobot_Info(study->robot).linkCount, shown = 0;
    for (int32_t link = 0; link < linkCount; link++) {
        wkLinkBalls balls = wkSphereModel_Link(study->model, link);
        for (int32_t i = balls.first; i < balls.first + balls.count; i++) {
            wkVec3d center = s->balls[i].center;
            wkVisibles_Add(&stage->glass, wkMakeSphere(s->balls[i].radius),
                           wkMakePose(center.x, center.y, center.z),
                           glassPaints[shown % GLASS_PAINTS]);
        }
        shown += balls.count > 0 ? 1 : 0;
    }
}

// A camera that has everything in view, looking from a direction.
static wkViewpoint lookFrom(const set* s, wkVec3d direction, const wkPicture* picture)
{
    wkVec3d middle = wkVec_MulAdd(s->box.lower, 0.5, wkVec_Sub(s->box.upper, s->box.lower));
    wkVec3d unit = wkVec_Unit(direction);
    wkViewpoint view = wkMakeViewpoint(wkVec_Add(middle, unit), middle, FIELD_OF_VIEW,
                                       picture->width, picture->height);
    double tanX = FRAME * 2.0 * view.focal / picture->width;
    double tanY = FRAME * 2.0 * view.focal / picture->height;
    double away = 0.1;
    for (int i = 0; i < 8; i++) {
        wkVec3d corner = {i & 1 ? s->box.upper.x : s->box.lower.x,
                          i & 2 ? s->box.upper.y : s->box.lower.y,
                          i & 4 ? s->box.upper.z : s->box.lower.z};
        wkVec3d offset = wkVec_Sub(corner, middle);
        double nearer = wkVec_Dot(offset, unit);
        away = fmax(away, nearer + tanX * fabs(wkVec_Dot(offset, view.right)));
        away = fmax(away, nearer + tanY * fabs(wkVec_Dot(offset, view.down)));
    }
    view.eye = wkVec_MulAdd(middle, away, unit);
    return view;
}

static bool drawFrom(const wkSphereStudy* study, const set* s, wkVec3d direction, bool hasBalls,
                     wkPicture* picture)
{
    wkStage stage = wkMakeStage();
    stage.lamp = wkVec_Unit((wkVec3d){0.50, -0.45, 0.80});
    stage.fineSteps = 3;
    stage.lampRayCount = 12;
    stage.skySteps = 2;
    stage.hasFloor = true;
    stage.floor =
        wkMakeVisible(wkMakeHalfspace((wkVec3d){0.0, 0.0, 1.0}, 0.0),
                      wkMakePose(0.0, 0.0, fmin(s->box.lower.z, 0.0)), (wkColor){0.5, 0.5, 0.5});
    addRobot(study, s, &stage);
    if (hasBalls) {
        addBalls(study, s, &stage);
    }
    wkViewpoint view = lookFrom(s, direction, picture);
    bool isDrawn = wkRenderStage(&stage, &view, picture);
    wkStage_Free(&stage);
    return isDrawn;
}

static const struct {
    wkVec3d direction; // from the robot to the eye
    bool hasBalls;
    const char* title;
    const char* words;
} views[WK_SPHERE_PICTURES] = {
    {{1.0, -0.9, 0.42},
     true,
     "Balls over shapes",
     "Balls of each link in their colour, as glass over the shapes that they stand for. Surfaces "
     "that "
     "no ball covers would be red."},
    {{1.0, -0.9, 0.42},
     false,
     "Shapes alone",
     "What the balls stand for; red where no ball covers it."},
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
        isDrawn = wkPicture_Create(&pictures[i].picture, width, width) &&
                  drawFrom(study, &s, views[i].direction, views[i].hasBalls, &pictures[i].picture);
    }
    freeSet(&s);
    return isDrawn;
}
