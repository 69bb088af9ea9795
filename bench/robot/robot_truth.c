// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The truth about a configuration: all pairs of bodies, and of meshes all triangles, one by one. Where
// none of them meet, the winding number of a few points says what is inside of a solid.

#include "mesh/mesh_check.h"
#include "robot/robot_case.h"

#include "../tests/scenes/scene_math.h"

typedef struct placedShape {
    const wkShape* shape;
    wkPose pose;
} placedShape;

static bool areApart(const wkAabb* a, const wkAabb* b)
{
    return a->lower.x > b->upper.x || b->lower.x > a->upper.x || a->lower.y > b->upper.y ||
           b->lower.y > a->upper.y || a->lower.z > b->upper.z || b->lower.z > a->upper.z;
}

static wkAabb boundsOf(const wkVec3d faceVertices[3])
{
    wkAabb box = {faceVertices[0], faceVertices[0]};
    for (int i = 1; i < 3; i++) {
        wkVec3d c = faceVertices[i];
        box.lower =
            wkSceneVec(fmin(box.lower.x, c.x), fmin(box.lower.y, c.y), fmin(box.lower.z, c.z));
        box.upper =
            wkSceneVec(fmax(box.upper.x, c.x), fmax(box.upper.y, c.y), fmax(box.upper.z, c.z));
    }
    return box;
}

static void verticesOf(const placedShape* mesh, int32_t index, wkVec3d faceVertices[3])
{
    int32_t numbers[3];
    wkMesh_TriangleIndices(mesh->shape->mesh, index, numbers);
    wkSceneFrame frame = wkMakeSceneFrame(mesh->pose);
    for (int i = 0; i < 3; i++) {
        faceVertices[i] = wkSceneToWorldPoint(&frame, wkMesh_Vertex(mesh->shape->mesh, numbers[i]));
    }
}

static bool meetsTriangle(const placedShape* one, const wkVec3d faceVertices[3])
{
    wkAabb box = boundsOf(faceVertices);
    if (one->shape->type != wk_shapeMesh) {
        wkShape triangle = wkMakeTriangle(faceVertices[0], faceVertices[1], faceVertices[2]);
        wkAabb around = wkShape_Bounds(one->shape, one->pose);
        return !areApart(&around, &box) &&
               wkCollide(one->shape, one->pose, &triangle, wkIdentityPose(), NULL).isTouching;
    }
    int32_t count = wkMesh_Info(one->shape->mesh).triangleCount;
    for (int32_t i = 0; i < count; i++) {
        wkVec3d others[3];
        verticesOf(one, i, others);
        wkAabb around = boundsOf(others);
        if (!areApart(&around, &box) && wkTriangleGap(others, faceVertices) <= 0.0) {
            return true;
        }
    }
    return false;
}

static wkVec3d between(wkVec3d from, wkVec3d to)
{
    return wkSceneVec(to.x - from.x, to.y - from.y, to.z - from.z);
}

static double dotOf(wkVec3d a, wkVec3d b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

// Half the solid angle of a triangle (Van Oosterom and Strackee 1983).
static double halfAngle(wkVec3d point, const wkVec3d faceVertices[3])
{
    wkVec3d a = between(point, faceVertices[0]), b = between(point, faceVertices[1]);
    wkVec3d c = between(point, faceVertices[2]);
    wkVec3d across =
        wkSceneVec(b.y * c.z - b.z * c.y, b.z * c.x - b.x * c.z, b.x * c.y - b.y * c.x);
    double la = sqrt(dotOf(a, a)), lb = sqrt(dotOf(b, b)), lc = sqrt(dotOf(c, c));
    return atan2(dotOf(a, across),
                 la * lb * lc + dotOf(a, b) * lc + dotOf(b, c) * la + dotOf(c, a) * lb);
}

// Sum of those halves where a point is neither inside nor outside.
#define HALF_WINDING 3.141592653589793

static bool isInside(const placedShape* solid, wkVec3d point)
{
    double sum = 0.0;
    int32_t count = wkMesh_Info(solid->shape->mesh).triangleCount;
    for (int32_t i = 0; i < count; i++) {
        wkVec3d faceVertices[3];
        verticesOf(solid, i, faceVertices);
        sum += halfAngle(point, faceVertices);
    }
    return fabs(sum) > HALF_WINDING;
}

// Points of a body that are asked about, spread over its triangles.
#define POINT_COUNT 8

static bool hasPointInside(const placedShape* solid, const placedShape* other)
{
    if (solid->shape->type != wk_shapeMesh || !wkMesh_Info(solid->shape->mesh).isSolid) {
        return false;
    }
    if (other->shape->type != wk_shapeMesh) {
        return isInside(solid, wkShape_Support(other->shape, other->pose, wkSceneVec(1, 0, 0)));
    }
    int32_t count = wkMesh_Info(other->shape->mesh).triangleCount;
    for (int32_t i = 0; i < POINT_COUNT && count > 0; i++) {
        wkVec3d faceVertices[3];
        verticesOf(other, (int32_t)((int64_t)i * count / POINT_COUNT), faceVertices);
        if (isInside(solid, faceVertices[0])) {
            return true;
        }
    }
    return false;
}

static bool touch(placedShape a, placedShape b)
{
    wkAabb boxA = wkShape_Bounds(a.shape, a.pose), boxB = wkShape_Bounds(b.shape, b.pose);
    if (areApart(&boxA, &boxB)) {
        return false;
    }
    if (a.shape->type != wk_shapeMesh && b.shape->type != wk_shapeMesh) {
        return wkCollide(a.shape, a.pose, b.shape, b.pose, NULL).isTouching;
    }
    placedShape mesh = a.shape->type == wk_shapeMesh ? a : b;
    placedShape other = a.shape->type == wk_shapeMesh ? b : a;
    wkAabb box = a.shape->type == wk_shapeMesh ? boxB : boxA;
    int32_t count = wkMesh_Info(mesh.shape->mesh).triangleCount;
    for (int32_t i = 0; i < count; i++) {
        wkVec3d faceVertices[3];
        verticesOf(&mesh, i, faceVertices);
        wkAabb around = boundsOf(faceVertices);
        if (!areApart(&around, &box) && meetsTriangle(&other, faceVertices)) {
            return true;
        }
    }
    return hasPointInside(&mesh, &other) || hasPointInside(&other, &mesh);
}

static placedShape bodyOf(const wkRobotCase* made, int configuration, int body)
{
    placedShape placed = {
        wkRobot_Body(made->robot, body).shape,
        made->bodyPoses[(size_t)configuration * (size_t)made->bodyCount + (size_t)body]};
    return placed;
}

static double countSelf(const wkRobotCase* made, int configuration)
{
    double count = 0.0;
    for (int a = 0; a < made->bodyCount; a++) {
        for (int b = a + 1; b < made->bodyCount; b++) {
            count += made->isChecked[a * made->bodyCount + b] &&
                     touch(bodyOf(made, configuration, a), bodyOf(made, configuration, b));
        }
    }
    return count;
}

static double countWorld(const wkRobotCase* made, int configuration)
{
    double count = 0.0;
    for (int a = 0; a < made->bodyCount; a++) {
        for (int b = 0; b < made->obstacleCount; b++) {
            placedShape obstacle = {&made->obstacles[b], made->obstaclePoses[b]};
            count += touch(bodyOf(made, configuration, a), obstacle);
        }
    }
    return count;
}

double wkRobotTruth(const wkRobotCase* made, wkRobotTask task, int configuration)
{
    bool asksSelf = task == wk_robotSelf || task == wk_robotValid;
    double count = asksSelf ? countSelf(made, configuration) : 0.0;
    if (task != wk_robotSelf && count <= 0.0) {
        count += countWorld(made, configuration);
    }
    return task == wk_robotAll ? count : count > 0.0 ? 1.0 : 0.0;
}

static double distanceOf(placedShape a, placedShape b)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    return wkDistance(a.shape, a.pose, b.shape, b.pose, &request).distance;
}

double wkRobotNearest(const wkRobotCase* made, int configuration)
{
    double nearest = INFINITY;
    for (int a = 0; a < made->bodyCount; a++) {
        placedShape body = bodyOf(made, configuration, a);
        for (int b = a + 1; b < made->bodyCount; b++) {
            if (made->isChecked[a * made->bodyCount + b]) {
                nearest = fmin(nearest, distanceOf(body, bodyOf(made, configuration, b)));
            }
        }
        for (int b = 0; b < made->obstacleCount; b++) {
            placedShape obstacle = {&made->obstacles[b], made->obstaclePoses[b]};
            nearest = fmin(nearest, distanceOf(body, obstacle));
        }
    }
    return nearest;
}
