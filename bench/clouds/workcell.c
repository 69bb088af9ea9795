// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points on the surfaces of a work cell, uniform by area, with the noise of a sensor.

#include "clouds/workcell.h"

#include "../tests/scenes/rng.h"
#include "robot/robot_case.h"

#include "whisker/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SEED 5u
#define SENSOR_NOISE 0.0015 // metres
#define SEGMENTS 32

// Triangles of surfaces, and the sums of their areas.
typedef struct surface {
    wkVec3d (*triangles)[3];
    double* areas;
    int count;
    int capacity;
} surface;

static void freeSurface(surface* s)
{
    free(s->triangles);
    free(s->areas);
}

static bool reserve(surface* s, int more)
{
    int needed = s->count + more;
    if (needed <= s->capacity) {
        return true;
    }
    int capacity = 2 * needed;
    void* triangles = realloc(s->triangles, (size_t)capacity * sizeof *s->triangles);
    s->triangles = triangles != NULL ? triangles : s->triangles;
    double* areas = realloc(s->areas, (size_t)capacity * sizeof *areas);
    s->areas = areas != NULL ? areas : s->areas;
    if (triangles == NULL || areas == NULL) {
        return false;
    }
    s->capacity = capacity;
    return true;
}

static void addTriangle(surface* s, wkVec3d a, wkVec3d b, wkVec3d c)
{
    wkVec3d normal = wkSceneCross(wkSceneSub(b, a), wkSceneSub(c, a));
    double area = 0.5 * wkSceneLength(normal);
    s->areas[s->count] = (s->count > 0 ? s->areas[s->count - 1] : 0.0) + area;
    s->triangles[s->count][0] = a;
    s->triangles[s->count][1] = b;
    s->triangles[s->count][2] = c;
    s->count++;
}

static bool addShape(surface* s, const wkShape* shape, wkPose pose)
{
    wkTriangulation out = {0};
    wkShape_Triangulate(shape, SEGMENTS, 1.0, &out); // counts
    out.vertexCapacity = out.vertexCount;
    out.triangleCapacity = out.triangleCount;
    out.vertices = malloc(sizeof(wkVec3d) * (size_t)out.vertexCount + 1);
    out.indices = malloc(3 * sizeof(int32_t) * (size_t)out.triangleCount + 1);
    bool isGood = out.vertices != NULL && out.indices != NULL && reserve(s, out.triangleCount) &&
                  wkShape_Triangulate(shape, SEGMENTS, 1.0, &out) == wk_ok;
    for (int i = 0; isGood && i < out.triangleCount; i++) {
        wkVec3d vertices[3];
        for (int k = 0; k < 3; k++) {
            vertices[k] = wkTransformPoint(pose, out.vertices[out.indices[3 * i + k]]);
        }
        addTriangle(s, vertices[0], vertices[1], vertices[2]);
    }
    free(out.vertices);
    free(out.indices);
    return isGood;
}

static bool addRobot(surface* s, const wkRobotState* state)
{
    const wkRobot* robot = wkRobotState_Robot(state);
    for (int i = 0; i < wkRobot_Info(robot).bodyCount; i++) {
        if (!addShape(s, wkRobot_Body(robot, i).shape, wkRobotState_BodyPose(state, i))) {
            return false;
        }
    }
    return true;
}

static const struct {
    double size[3];
    double center[3];
} furniture[] = {
    {{3.0, 3.0, 0.02}, {0.8, 0.0, -0.61}},   // floor
    {{0.02, 3.0, 1.2}, {2.3, 0.0, 0.0}},     // walls
    {{3.0, 0.02, 1.2}, {0.8, 1.5, 0.0}},     //
    {{0.5, 0.5, 0.7}, {1.1, -0.8, -0.25}},   // table
    {{0.15, 0.15, 0.25}, {1.1, -0.8, 0.23}}, // object on it
};

// Where the second robot is.
static wkPose poseBeside(void)
{
    wkPose beside = wkMakePose(1.9, 1.0, 0.0);
    beside.rotation = (wkQuat){0.0, 0.0, 1.0, 0.0};
    return beside;
}

static bool addCell(surface* s, wkRobotState* state)
{
    for (size_t i = 0; i < sizeof furniture / sizeof furniture[0]; i++) {
        const double *size = furniture[i].size, *center = furniture[i].center;
        wkShape box = wkMakeBox(size[0], size[1], size[2]);
        if (!addShape(s, &box, wkMakePose(center[0], center[1], center[2]))) {
            return false;
        }
    }
    const double* q = wkRobotState_Configuration(state);
    wkPose home = wkIdentityPose();
    bool isGood = wkRobotState_Set(state, poseBeside(), q) == wk_ok && addRobot(s, state);
    return wkRobotState_Set(state, home, q) == wk_ok && isGood;
}

// The triangle at a share of the area.
static int findTriangle(const surface* s, double area)
{
    int lower = 0, upper = s->count - 1;
    while (lower < upper) {
        int middle = (lower + upper) / 2;
        lower = s->areas[middle] <= area ? middle + 1 : lower;
        upper = s->areas[middle] <= area ? upper : middle;
    }
    return lower;
}

static float* samplePoints(const surface* s, int count, double noise)
{
    float* points = malloc(3 * sizeof(float) * (size_t)count);
    wkRng rng = wkMakeRng(SEED);
    for (int i = 0; points != NULL && i < count; i++) {
        double area = wkRngRange(&rng, 0.0, s->areas[s->count - 1]);
        const wkVec3d* t = s->triangles[findTriangle(s, area)];
        double u = wkRngUnit(&rng), v = wkRngUnit(&rng);
        bool isOutside = u + v > 1.0;
        u = isOutside ? 1.0 - u : u;
        v = isOutside ? 1.0 - v : v;
        wkVec3d p = wkSceneAdd(t[0], wkSceneAdd(wkSceneScale(wkSceneSub(t[1], t[0]), u),
                                                wkSceneScale(wkSceneSub(t[2], t[0]), v)));
        p = wkSceneAdd(p, wkSceneScale(wkRngDirection(&rng), noise * wkRngUnit(&rng)));
        points[3 * i] = (float)p.x;
        points[3 * i + 1] = (float)p.y;
        points[3 * i + 2] = (float)p.z;
    }
    return points;
}

static wkResult loadRobot(wkRobot** robot)
{
    char path[1024];
    wkRobotDataPath("abb_irb1600/irb1600_8_145.urdf", path, (int)sizeof path);
    return wkRobot_Load(path, NULL, NULL, robot) == wk_ok ? wk_ok : wkRobot_CreateBuiltIn(robot);
}

bool wkWorkcell_Open(wkWorkcell* cell)
{
    memset(cell, 0, sizeof *cell);
    surface robot = {0}, around = {0};
    if (loadRobot(&cell->robot) == wk_ok &&
        wkRobotState_Create(cell->robot, &cell->state) == wk_ok && addRobot(&robot, cell->state) &&
        addCell(&around, cell->state)) {
        cell->robotPoints = samplePoints(&robot, WK_WORKCELL_ROBOT, 0.0);
        cell->cellPoints = samplePoints(&around, WK_WORKCELL_LARGE, SENSOR_NOISE);
    }
    freeSurface(&robot);
    freeSurface(&around);
    bool isGood = cell->robotPoints != NULL && cell->cellPoints != NULL;
    if (!isGood) {
        fprintf(stderr, "work cell: left out: %s\n", wkGetLastError());
        wkWorkcell_Close(cell);
    }
    return isGood;
}

void wkWorkcell_Close(wkWorkcell* cell)
{
    free(cell->robotPoints);
    free(cell->cellPoints);
    wkRobotState_Destroy(cell->state);
    wkRobot_Destroy(cell->robot);
}

static wkResult addKnown(wkRobotScene* scene, const char* kind, int index, const wkShape* shape,
                         wkPose pose)
{
    char name[32];
    snprintf(name, sizeof name, "%s %d", kind, index);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = shape;
    def.shapeCount = 1;
    def.pose = pose;
    return wkRobotScene_Add(scene, &def);
}

wkResult wkWorkcell_AddKnown(const wkWorkcell* cell, wkRobotScene* scene)
{
    wkResult result = wk_ok;
    for (int i = 0; i < (int)(sizeof furniture / sizeof furniture[0]) && result == wk_ok; i++) {
        const double *size = furniture[i].size, *center = furniture[i].center;
        wkShape box = wkMakeBox(size[0], size[1], size[2]);
        result = addKnown(scene, "furniture", i, &box, wkMakePose(center[0], center[1], center[2]));
    }
    for (int i = 0; i < wkRobot_Info(cell->robot).bodyCount && result == wk_ok; i++) {
        wkPose pose = wkMulPose(poseBeside(), wkRobotState_BodyPose(cell->state, i));
        result = addKnown(scene, "robot", i, wkRobot_Body(cell->robot, i).shape, pose);
    }
    return result;
}

wkCloud* wkWorkcell_Cloud(const float* points, int count)
{
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = count;
    wkCloud* cloud = NULL;
    return wkCloud_Create(&def, &cloud) == wk_ok ? cloud : NULL;
}
