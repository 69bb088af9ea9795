// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The pictures of the demo: the room, what the camera saw of it, the map with the robot coloured by
// its clearance, and the doubtful cells on the way of a motion.

#include "demo.h"

#include "cells_mesh.h"
#include "vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GHOST_COUNT 5 // robots drawn along the motion

// Maps have many cells: fewer rays show them as well.
#define CELL_LAMP_RAYS 5
#define CELL_SKY_STEPS 2

// clang-format off
static const wkColor shellPaint = {0.72, 0.73, 0.75};
static const wkColor jointPaint = {0.07, 0.075, 0.085};
static const wkColor accentPaint = {0.80, 0.25, 0.02};
// clang-format on

static wkColor mix(wkColor a, wkColor b, double share)
{
    return (wkColor){a.r + share * (b.r - a.r), a.g + share * (b.g - a.g),
                     a.b + share * (b.b - a.b)};
}

// A colour between neighbours of a ramp; `share` from 0 to 1.
static wkColor ramp(const wkColor* colors, int count, double share)
{
    double place = fmin(fmax(share, 0.0), 1.0) * (count - 1);
    int low = (int)fmin(floor(place), count - 2);
    return mix(colors[low], colors[low + 1], place - low);
}

// Dark blue over green to yellow, as for heights and depths.
static wkColor coolToWarm(double share)
{
    static const wkColor colors[] = {{0.05, 0.04, 0.22}, {0.03, 0.20, 0.42}, {0.03, 0.38, 0.34},
                                     {0.22, 0.50, 0.14}, {0.75, 0.58, 0.06}, {0.95, 0.80, 0.30}};
    return ramp(colors, 6, share);
}

static wkColor clearanceColor(double distance)
{
    static const wkColor colors[] = {{0.72, 0.02, 0.03},
                                     {0.85, 0.30, 0.02},
                                     {0.85, 0.66, 0.04},
                                     {0.30, 0.55, 0.08},
                                     {0.05, 0.42, 0.16}};
    return ramp(colors, 5, distance / 0.35);
}

// Cells look like cells: darker along their edges.
static double edgeShade(const wkOctree* map, wkVec3d point, wkVec3d normal)
{
    double size = wkOctree_Def(map).resolution, nearest = 0.5;
    const double places[3] = {point.x / size, point.y / size, point.z / size};
    const double facing[3] = {fabs(normal.x), fabs(normal.y), fabs(normal.z)};
    for (int i = 0; i < 3; i++) {
        double offset = fabs(places[i] - round(places[i]));
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
    return shade(coolToWarm(point.z / 1.9), edgeShade(context, point, normal));
}

static wkColor paintProbability(const void* context, wkVec3d point, wkVec3d normal)
{
    const wkOctree* map = context;
    static const wkColor colors[] = {{0.10, 0.30, 0.62}, {0.55, 0.40, 0.62}, {0.80, 0.10, 0.10}};
    wkCellKey key = {0, 0, 0};
    wkVec3d inside = wkVec_MulAdd(point, -0.1 * wkOctree_Def(map).resolution, normal);
    if (!wkOctree_KeyAt(map, inside, &key)) {
        return colors[0];
    }
    double share = (wkOctree_CellAt(map, key).probability - 0.3) / 0.6;
    return shade(ramp(colors, 3, share), edgeShade(map, point, normal));
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
        wkColor color = linkDistances != NULL ? clearanceColor(linkDistances[body.link])
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

static wkStage makeStage(void)
{
    wkStage stage = wkMakeStage();
    stage.lamp = wkVec_Unit((wkVec3d){0.45, -0.40, 0.80});
    stage.fineSteps = 2;
    stage.lampRayCount = 12;
    return stage;
}

static bool render(wkStage* stage, wkDemoPicture* picture)
{
    const wkVec3d eye = {3.25, -2.95, 2.25};
    const wkVec3d target = {0.25, 0.12, 0.80};
    wkViewpoint camera =
        wkMakeViewpoint(eye, target, 0.72, picture->picture.width, picture->picture.height);
    bool isDrawn = wkRenderStage(stage, &camera, &picture->picture);
    wkStage_Free(stage);
    return isDrawn;
}

static bool drawRoom(wkDemo* demo, wkDemoPicture* picture)
{
    wkStage stage = makeStage();
    addRoom(demo, &stage);
    addRobot(demo, &stage, NULL);
    return render(&stage, picture);
}

// Depths of the last view: near is bright, nothing is black.
static bool drawDepths(wkDemo* demo, wkDemoPicture* picture)
{
    wkPicture* to = &picture->picture;
    for (int y = 0; y < to->height; y++) {
        for (int x = 0; x < to->width; x++) {
            const wkCamera* camera = &demo->view.camera;
            int column = x * camera->width / to->width, row = y * camera->height / to->height;
            double depth = (double)wkDepthImage_At(&demo->view, column, row);
            wkColor color = {0.0, 0.0, 0.0};
            if (!isnan(depth)) {
                color = coolToWarm(1.0 - (depth - 0.4) / 3.2);
                color = (wkColor){sqrt(color.r), sqrt(color.g), sqrt(color.b)};
            }
            to->pixels[y * to->width + x] = color;
        }
    }
    return true;
}

// The surface of a map, painted cell by cell.
static void addCells(wkStage* stage, const wkMesh* mesh, const wkOctree* map, wkPaintFcn* paint)
{
    stage->lampRayCount = CELL_LAMP_RAYS;
    stage->skySteps = CELL_SKY_STEPS;
    wkVisible* cells = mesh != NULL ? wkVisibles_Add(&stage->bodies, wkMakeMesh(mesh),
                                                     wkIdentityPose(), shellPaint)
                                    : NULL;
    if (cells != NULL) {
        cells->paint = paint;
        cells->paintContext = map;
    }
}

static bool drawMap(wkDemo* demo, wkDemoPicture* picture)
{
    // walls on the near side are left out, for the picture to look into the room
    const wkAabb inside = {{-9.0, -1.9, -0.2}, {2.6, 9.0, 9.0}};
    wkMesh* cells = NULL;
    double* distances = calloc((size_t)wkRobot_Info(demo->robot).linkCount, sizeof *distances);
    bool isDrawn = false;
    if (distances != NULL && wkMeshOfCells(demo->map, inside, &cells) == wk_ok) {
        wkRobotScene_Clearance(demo->scene, demo->state, NULL, distances, NULL);
        wkStage stage = makeStage();
        addCells(&stage, cells, demo->map, paintHeight);
        addRobot(demo, &stage, distances);
        isDrawn = render(&stage, picture);
    }
    wkMesh_Destroy(cells);
    free(distances);
    return isDrawn;
}

// The cells of the cost as a map of their own, in which all of them are occupied.
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
        wkStage stage = makeStage();
        addRoom(demo, &stage);
        addCells(&stage, cells, map, paintProbability);
        for (int i = 0; i < GHOST_COUNT; i++) {
            double t = (double)i / (GHOST_COUNT - 1);
            wkRobot_Interpolate(demo->robot, demo->shown.q0, demo->shown.q1, t, q);
            wkRobotState_Set(demo->state, wkIdentityPose(), q);
            addRobot(demo, &stage, NULL);
        }
        isDrawn = render(&stage, picture);
    }
    wkMesh_Destroy(cells);
    wkOctree_Destroy(map);
    free(q);
    return isDrawn;
}

typedef struct drawing {
    bool (*draw)(wkDemo* demo, wkDemoPicture* picture);
    const char* state; // of the robot
    bool isDepth;      // has the shape of the camera's pictures
    const char* title;
    const char* words;
} drawing;

// clang-format off
static const drawing drawings[WK_DEMO_PICTURES] = {
    {drawRoom, "ready", false, "The room",
     "What is really there. The robot does not know it: it has a depth camera on its head."},
    {drawDepths, "ready", true, "What the camera sees",
     "One of the views: 640 x 480 depths with noise, steps and holes; near is bright, black is nothing."},
    {drawMap, "ready", false, "What the robot knows",
     "Occupied cells of the map, coloured by height; links of the robot coloured by their clearance,"
     " from red (touching) to green (35 cm and more)."},
    {drawCost, "ready", false, "What a motion costs",
     "A motion over the table, and the cells on its way that are doubtful or"
     " were never seen: blue for the less, red for the more probable."},
};
// clang-format on

bool wkDemo_Draw(wkDemo* demo, wkDemoPicture pictures[WK_DEMO_PICTURES])
{
    double start = wkNow();
    double* q = wkDemo_MakeConfigurations(demo, 1);
    bool isDrawn = q != NULL;
    for (int i = 0; i < WK_DEMO_PICTURES && isDrawn; i++) {
        int width = demo->size.pictureWidth;
        int height = drawings[i].isDepth ? width * 3 / 4 : width * 9 / 16;
        pictures[i].title = drawings[i].title;
        pictures[i].words = drawings[i].words;
        wkDemo_Configure(demo, drawings[i].state, q);
        wkRobotState_Set(demo->state, wkIdentityPose(), q);
        isDrawn = wkPicture_Create(&pictures[i].picture, width, height) &&
                  drawings[i].draw(demo, &pictures[i]);
    }
    free(q);
    demo->stages[wk_demoPictures].seconds = wkNow() - start;
    return isDrawn;
}
