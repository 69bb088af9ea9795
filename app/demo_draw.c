// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pictures of the demo: the room, the last depth image, the map with the robot coloured by its clearance,
// and the doubtful cells along a motion.

#include "demo.h"

#include "cells_mesh.h"
#include "picture_legend.h"
#include "vector.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GHOST_COUNT 5 // robots drawn along the motion

// Maps have many cells, for which fewer rays suffice.
#define CELL_LAMP_RAYS 5
#define CELL_SKY_STEPS 2

// Ends of the colour bars, in metres of the unscaled room, and in probabilities.
#define TOP_HEIGHT 1.9
#define FAR_CLEARANCE 0.35
#define LEAST_DOUBT 0.3
#define MOST_DOUBT 0.9

#define RULER_PARTS 4

// clang-format off
static const wkColor shellPaint = {0.72, 0.73, 0.75};
static const wkColor jointPaint = {0.07, 0.075, 0.085};
static const wkColor accentPaint = {0.80, 0.25, 0.02};
// clang-format on

// Returns a colour from dark blue over green to yellow, for heights and depths.
static wkColor coolToWarm(double share)
{
    static const wkColor colors[] = {{0.05, 0.04, 0.22}, {0.03, 0.20, 0.42}, {0.03, 0.38, 0.34},
                                     {0.22, 0.50, 0.14}, {0.75, 0.58, 0.06}, {0.95, 0.80, 0.30}};
    return wkRampColor(colors, 6, share);
}

// Darkens cells along their edges.
static double edgeShade(const wkOctree* map, wkVec3d point, wkVec3d normal)
{
    double size = wkOctree_Def(map).resolution, nearest = 0.5;
    const double positions[3] = {point.x / size, point.y / size, point.z / size};
    const double facing[3] = {fabs(normal.x), fabs(normal.y), fabs(normal.z)};
    for (int i = 0; i < 3; i++) {
        double offset = fabs(positions[i] - round(positions[i]));
        nearest = facing[i] < 0.5 ? fmin(nearest, offset) : nearest;
    }
    return nearest < 0.06 ? 0.72 : 1.0;
}

static wkColor shade(wkColor color, double factor)
{
    return (wkColor){color.r * factor, color.g * factor, color.b * factor};
}

static wkColor paintHeight(const void* context, wkVec3d point, wkVec3d normal)
{
    const wkDemo* demo = context;
    double share = point.z / (TOP_HEIGHT * demo->scale);
    return shade(coolToWarm(share), edgeShade(demo->map, point, normal));
}

static wkColor blueToRed(double share)
{
    static const wkColor colors[] = {{0.05, 0.22, 0.62}, {0.50, 0.30, 0.55}, {0.80, 0.08, 0.08}};
    return wkRampColor(colors, 3, share);
}

static wkColor paintProbability(const void* context, wkVec3d point, wkVec3d normal)
{
    const wkOctree* map = context;
    wkCellKey key = {0, 0, 0};
    wkVec3d inside = wkVec_MulAdd(point, -0.1 * wkOctree_Def(map).resolution, normal);
    if (!wkOctree_KeyAt(map, inside, &key)) {
        return blueToRed(0.0);
    }
    double share =
        (wkOctree_CellAt(map, key).probability - LEAST_DOUBT) / (MOST_DOUBT - LEAST_DOUBT);
    return shade(blueToRed(share), edgeShade(map, point, normal));
}

static wkColor bodyPaint(const wkRobot* robot, int32_t body)
{
    int32_t link = wkRobot_Body(robot, body).link;
    bool isFinger = strstr(wkRobot_Link(robot, link).name, "finger") != NULL;
    if (isFinger) {
        return accentPaint;
    }
    return body % 2 == 0 ? shellPaint : jointPaint;
}

static void addRobot(wkDemo* demo, wkStage* stage, const double* linkDistances)
{
    for (int32_t i = 0; i < wkRobot_Info(demo->robot).bodyCount; i++) {
        wkBodyInfo body = wkRobot_Body(demo->robot, i);
        wkColor color = linkDistances != NULL
                            ? wkRedToGreen(linkDistances[body.link] / (FAR_CLEARANCE * demo->scale))
                            : bodyPaint(demo->robot, i);
        wkVisibles_Add(&stage->bodies, *body.shape, wkRobotState_BodyPose(demo->state, i), color);
    }
}

static void addRoom(const wkDemo* demo, wkStage* stage)
{
    for (int i = 0; i < demo->room.count; i++) {
        const wkRoomThing* thing = &demo->room.things[i];
        if (thing->isDrawn) {
            wkVisibles_Add(&stage->bodies, thing->shape, thing->pose, thing->color);
        }
    }
}

static wkViewpoint viewpointOf(const wkDemo* demo, const wkPicture* picture)
{
    const wkVec3d eye = {3.25, -2.95, 2.25};
    const wkVec3d target = {0.25, 0.12, 0.80};
    return wkMakeViewpoint(wkVec_Scale(demo->scale, eye), wkVec_Scale(demo->scale, target), 0.72,
                           picture->width, picture->height);
}

static double rulerLength(const wkDemo* demo)
{
    return wkRoundLength(1.2 * demo->scale);
}

static wkVec3d rulerStart(const wkDemo* demo)
{
    return (wkVec3d){-1.5 * demo->scale, -0.4 * demo->scale, 0.034 * demo->scale};
}

// Adds a ruler on the floor, with sections of two colours.
static void addRuler(const wkDemo* demo, wkStage* stage)
{
    static const wkColor paints[2] = {{0.02, 0.02, 0.03}, {0.85, 0.85, 0.82}};
    double part = rulerLength(demo) / RULER_PARTS, width = 0.035 * demo->scale;
    wkVec3d start = rulerStart(demo);
    for (int i = 0; i < RULER_PARTS; i++) {
        wkPose pose = wkMakePose(start.x, start.y + (i + 0.5) * part, start.z);
        wkVisibles_Add(&stage->bodies, wkMakeBox(width, part, 0.012 * demo->scale), pose,
                       paints[i % 2]);
    }
}

static bool render(const wkDemo* demo, wkStage* stage, wkDemoPicture* picture)
{
    wkViewpoint camera = viewpointOf(demo, &picture->picture);
    addRuler(demo, stage);
    bool isDrawn = wkRenderStage(stage, &camera, &picture->picture);
    wkStage_Free(stage);
    char words[32];
    wkVec3d middle = rulerStart(demo);
    middle.x += 0.22 * demo->scale;
    middle.y += 0.5 * rulerLength(demo);
    snprintf(words, sizeof words, "%g m", rulerLength(demo));
    wkPicture_WriteAt(&picture->picture, &camera, middle, words);
    return isDrawn;
}

static bool drawRoom(wkDemo* demo, wkDemoPicture* picture)
{
    wkStage stage = wkMakeReportStage();
    addRoom(demo, &stage);
    addRobot(demo, &stage, NULL);
    snprintf(picture->words, sizeof picture->words,
             demo->isBuiltIn
                 ? "What is really there. The robot does not know it: it has a depth camera on its "
                   "head."
                 : "What is really there, made to the reach of the robot. The planner does not "
                   "know it: depth cameras stand around the table.");
    return render(demo, &stage, picture);
}

// Returns the least and largest depth of the last view, rounded a little.
static void depthRange(const wkDemo* demo, double* low, double* high)
{
    const wkCamera* camera = &demo->view.camera;
    *low = INFINITY;
    *high = -INFINITY;
    for (int i = 0; i < camera->width * camera->height; i++) {
        double depth = (double)demo->depths[i];
        if (!isnan(depth)) {
            *low = fmin(*low, depth);
            *high = fmax(*high, depth);
        }
    }
    if (!(*low < *high)) {
        *low = 0.0;
        *high = 1.0;
    }
}

static wkColor nearToFar(double share)
{
    return coolToWarm(1.0 - share);
}

// Draws the depths of the last view: near is bright, no measurement is black.
static bool drawDepths(wkDemo* demo, wkDemoPicture* picture)
{
    wkPicture* to = &picture->picture;
    const wkCamera* camera = &demo->view.camera;
    double low, high;
    depthRange(demo, &low, &high);
    for (int y = 0; y < to->height; y++) {
        for (int x = 0; x < to->width; x++) {
            int column = x * camera->width / to->width, row = y * camera->height / to->height;
            double depth = (double)wkDepthImage_At(&demo->view, column, row);
            wkColor color = {0.0, 0.0, 0.0};
            to->pixels[y * to->width + x] =
                isnan(depth) ? color : wkScreenColor(nearToFar((depth - low) / (high - low)));
        }
    }
    static const char* const key = "not measured";
    wkLegend legend = wkLegend_Open(to, &key, 1, 1);
    wkLegend_AddBar(&legend, nearToFar, "depth", low, high, "m");
    wkLegend_AddKey(&legend, (wkColor){0.0, 0.0, 0.0}, key);
    snprintf(picture->words, sizeof picture->words,
             "One of the %d views: %d x %d depths with noise, steps and holes. The robot's own "
             "pixels are taken out.",
             demo->size.viewCount, camera->width, camera->height);
    return true;
}

// Adds the surface of a map, coloured cell by cell.
static void addCells(wkStage* stage, wkVisibles* to, const wkMesh* mesh, const void* context,
                     wkPaintFcn* paint)
{
    stage->lampRayCount = CELL_LAMP_RAYS;
    stage->skySteps = CELL_SKY_STEPS;
    wkVisible* cells =
        mesh != NULL ? wkVisibles_Add(to, wkMakeMesh(mesh), wkIdentityPose(), shellPaint) : NULL;
    if (cells != NULL) {
        cells->paint = paint;
        cells->paintContext = context;
    }
}

static bool drawMap(wkDemo* demo, wkDemoPicture* picture)
{
    // walls on the near side are left out, so that the picture shows the inside of the room
    const double s = demo->scale;
    const wkAabb inside = {{-9.0 * s, -1.9 * s, -0.2 * s}, {2.6 * s, 9.0 * s, 9.0 * s}};
    wkMesh* cells = NULL;
    double* distances = calloc((size_t)wkRobot_Info(demo->robot).linkCount, sizeof *distances);
    bool isDrawn = false;
    if (distances != NULL && wkMeshOfCells(demo->map, inside, &cells) == wk_ok) {
        wkRobotScene_Clearance(demo->scene, demo->state, NULL, distances, NULL);
        wkStage stage = wkMakeReportStage();
        addCells(&stage, &stage.bodies, cells, demo, paintHeight);
        addRobot(demo, &stage, distances);
        isDrawn = render(demo, &stage, picture);
        wkLegend legend = wkLegend_Open(&picture->picture, NULL, 0, 2);
        wkLegend_AddBar(&legend, coolToWarm, "cells: height", 0.0, TOP_HEIGHT * s, "m");
        wkLegend_AddBar(&legend, wkRedToGreen, "robot: clearance", 0.0, FAR_CLEARANCE * s, "m");
        snprintf(picture->words, sizeof picture->words,
                 "Occupied cells of the map, %.3g m each, coloured by height; links of the robot "
                 "coloured by their distance to everything else. Where nothing is drawn nothing "
                 "was seen, or there is nothing.",
                 wkOctree_Def(demo->map).resolution);
    }
    wkMesh_Destroy(cells);
    free(distances);
    return isDrawn;
}

// Makes a map of the cells of the cost, all occupied.
static wkResult mapOfCost(const wkDemo* demo, wkOctree** map)
{
    wkOctreeDef def = wkOctree_Def(demo->map);
    def.lowestProbability = 1e-3;
    def.occupiedProbability = 1e-2;
    wkResult result = wkOctree_Create(&def, map);
    int64_t count = wkCost_Boxes(demo->cost, NULL, 0);
    wkCostBox* boxes = malloc(((size_t)count + 1) * sizeof *boxes);
    if (boxes == NULL) {
        return wkDemo_OutOfMemory();
    }
    wkCost_Boxes(demo->cost, boxes, (int32_t)count);
    for (int64_t i = 0; i < count && result == wk_ok; i++) {
        double p = fmin(fmax(boxes[i].probability, 0.02), 0.97);
        wkCell cell;
        result = wkOctree_FindCell(demo->map, boxes[i].cell, &cell);
        if (result == wk_ok) {
            result = wkOctree_SetLogOdds(*map, cell.key, cell.depth, (float)log(p / (1.0 - p)));
        }
    }
    free(boxes);
    return result;
}

static bool drawCost(wkDemo* demo, wkDemoPicture* picture)
{
    const wkAabb everywhere = {{-INFINITY, -INFINITY, -INFINITY}, {INFINITY, INFINITY, INFINITY}};
    wkOctree* map = NULL;
    wkMesh* cells = NULL;
    double* q = wkDemo_MakeConfigurations(demo, 1);
    bool isDrawn = false;
    if (q != NULL && mapOfCost(demo, &map) == wk_ok &&
        wkMeshOfCells(map, everywhere, &cells) == wk_ok) {
        wkStage stage = wkMakeReportStage();
        addRoom(demo, &stage);
        addCells(&stage, &stage.glass, cells, map, paintProbability);
        for (int i = 0; i < GHOST_COUNT; i++) {
            double t = (double)i / (GHOST_COUNT - 1);
            wkRobot_Interpolate(demo->robot, demo->shown.q0, demo->shown.q1, t, q);
            wkRobotState_Set(demo->state, demo->base, q);
            addRobot(demo, &stage, NULL);
        }
        isDrawn = render(demo, &stage, picture);
        wkLegend legend = wkLegend_Open(&picture->picture, NULL, 0, 1);
        wkLegend_AddBar(&legend, blueToRed, "probability of an obstacle", LEAST_DOUBT, MOST_DOUBT,
                        "");
        snprintf(picture->words, sizeof picture->words,
                 "A motion (%s) in %d steps, and around it the cells on its way that are "
                 "doubtful or were never seen: the cost of trusting it.",
                 wkVerdictName(demo->shown.verdict), GHOST_COUNT);
    }
    wkMesh_Destroy(cells);
    wkOctree_Destroy(map);
    free(q);
    return isDrawn;
}

typedef struct drawing {
    bool (*draw)(wkDemo* demo, wkDemoPicture* picture);
    bool isDepth; // with the aspect ratio of the camera
    const char* title;
} drawing;

static const drawing drawings[WK_DEMO_PICTURES] = {
    {drawRoom, false, "The room"},
    {drawDepths, true, "What a camera sees"},
    {drawMap, false, "What the robot knows"},
    {drawCost, false, "What a motion costs"},
};

bool wkDemo_Draw(wkDemo* demo, wkDemoPicture pictures[WK_DEMO_PICTURES])
{
    double start = wkNow();
    wkPicture* list[WK_DEMO_PICTURES];
    bool isDrawn = true;
    for (int i = 0; i < WK_DEMO_PICTURES && isDrawn; i++) {
        int width = demo->size.pictureWidth;
        int height = drawings[i].isDepth ? width * 3 / 4 : width * 9 / 16;
        pictures[i].title = drawings[i].title;
        list[i] = &pictures[i].picture;
        wkRobotState_Set(demo->state, demo->base, demo->ready);
        isDrawn = wkPicture_Create(&pictures[i].picture, width, height) &&
                  drawings[i].draw(demo, &pictures[i]);
    }
    isDrawn = isDrawn && wkEncodePictures(list, WK_DEMO_PICTURES);
    demo->stages[wk_demoPictures].seconds = wkNow() - start;
    return isDrawn;
}
