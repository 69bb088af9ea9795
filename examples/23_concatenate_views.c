// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Many views of a camera that a robot carries become one cloud in the base frame: the head looks around, each view is
// added at the pose that the camera had, and an arm motion is checked against all of them.

#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>

#define COLUMNS 80
#define ROWS 60
#define VIEW_COUNT 5

// What the camera sees of a shelf: five boards and a back.
static int takeView(const wkScene* shelf, wkPose camera, float* points)
{
    int count = 0;
    for (int i = 0; i < COLUMNS * ROWS; i++) {
        wkVec3d ray = {(i % COLUMNS - 0.5 * COLUMNS) / 80.0, (i / COLUMNS - 0.5 * ROWS) / 80.0,
                       1.0};
        double length = sqrt(ray.x * ray.x + ray.y * ray.y + 1.0);
        wkRay world = {camera.position, wkRotateVector(camera, ray), 3.0};
        wkSceneRayResult r = wkScene_RayCast(shelf, world, NULL);
        if (r.hit.isHit) {
            points[3 * count] = (float)(r.hit.distance / length * ray.x);
            points[3 * count + 1] = (float)(r.hit.distance / length * ray.y);
            points[3 * count++ + 2] = (float)(r.hit.distance / length);
        }
    }
    return count;
}

static wkResult makeShelf(wkScene** shelf)
{
    wkResult result = wkScene_Create(NULL, shelf);
    for (int i = 0; i < 6 && result == wk_ok; i++) {
        wkObjectDef def = wkDefaultObjectDef();
        wkObjectId id;
        def.shape = i < 5 ? wkMakeBox(0.4, 3.0, 0.03) : wkMakeBox(0.02, 3.0, 2.0);
        def.pose = i < 5 ? wkMakePose(1.3, 0.0, 0.3 + 0.35 * i) : wkMakePose(1.5, 0.0, 1.0);
        result = wkScene_Add(*shelf, &def, &id);
    }
    return result;
}

// The head turns from right to left, and every view is added where the camera was.
static wkResult collectViews(const wkRobot* robot, const wkScene* shelf, wkRobotState* state,
                             wkCloudBuilder* builder)
{
    static float points[COLUMNS * ROWS * 3];
    wkResult result = wk_ok;
    int32_t pan = wkRobot_FindVariable(robot, "head_pan_joint");
    int32_t camera = wkRobot_FindLink(robot, "head_camera");
    double q[32];
    for (int i = 0; i < VIEW_COUNT && result == wk_ok; i++) {
        wkRobot_DefaultConfiguration(robot, q);
        q[pan] = -0.8 + 0.4 * i;
        wkRobotState_Set(state, wkIdentityPose(), q);
        wkPose pose = wkRobotState_LinkPose(state, camera); // when the view was taken
        wkSensorViewDef view = wkDefaultSensorViewDef();
        view.points = wkMakeCloudView(points, takeView(shelf, pose, points));
        view.pose = pose;
        result = wkCloudBuilder_AddView(builder, &view);
        printf("view %d: %d points in all\n", i, (int)wkCloudBuilder_Info(builder).pointCount);
    }
    return result;
}

static wkResult run(wkRobot* robot, wkScene* shelf, wkRobotState* state, wkCloudBuilder* builder,
                    wkCloud** cloud)
{
    wkResult result = collectViews(robot, shelf, state, builder);
    wkCloudDef def = wkDefaultCloudDef();
    def.radius = 0.01;
    def.spacing =
        0.02; // of points that several views saw, one stays, with a radius that covers the others
    result = result == wk_ok ? wkCloudBuilder_Build(builder, &def, cloud) : result;
    if (result != wk_ok) {
        return result;
    }
    printf("cloud: %d points, %.1f m wide\n", (int)wkCloud_Info(*cloud).pointCount,
           wkCloud_Info(*cloud).bounds.upper.y - wkCloud_Info(*cloud).bounds.lower.y);
    wkShape obstacle = wkMakeCloud(*cloud), hand = wkMakeBox(0.2, 0.1, 0.06);
    for (int i = 0; i < 4; i++) { // into the shelf between two boards, and into a board
        wkPose pose = wkMakePose(0.9 + 0.1 * i, 0.2, i < 3 ? 1.17 : 1.3);
        wkDistanceResult r = wkDistance(&hand, pose, &obstacle, wkIdentityPose(), NULL);
        const wkViewPoint* p = &wkCloudBuilder_Points(builder)[r.partB];
        printf("hand at x %.1f: %s, nearest point of view %d at (%.1f, %.1f, %.1f)\n",
               pose.position.x, r.distance > 0.0 ? "free" : "touches", (int)p->view, p->position.x,
               p->position.y, p->position.z);
    }
    return wk_ok;
}

int main(void)
{
    wkRobot* robot = NULL;
    wkScene* shelf = NULL;
    wkRobotState* state = NULL;
    wkCloudBuilder* builder = NULL;
    wkCloud* cloud = NULL;
    wkResult result = wkRobot_CreateBuiltIn(&robot);
    result = result == wk_ok ? makeShelf(&shelf) : result;
    result = result == wk_ok ? wkRobotState_Create(robot, &state) : result;
    result = result == wk_ok ? wkCloudBuilder_Create(&builder) : result;
    result = result == wk_ok ? run(robot, shelf, state, builder, &cloud) : result;
    if (result != wk_ok) {
        fprintf(stderr, "%s\n", wkGetLastError());
    }
    wkCloud_Destroy(cloud);
    wkCloudBuilder_Destroy(builder);
    wkRobotState_Destroy(state);
    wkScene_Destroy(shelf);
    wkRobot_Destroy(robot);
    return result == wk_ok ? 0 : 1;
}
