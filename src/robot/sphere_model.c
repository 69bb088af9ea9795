// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sphere models: sorted spheres on the links of a robot, a bounding sphere for each link, positions.

#include "robot/sphere_model_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/within.h"
#include "robot/kinematics.h"

#include <float.h>
#include <string.h>

#define BLOCK_ALIGNMENT 64

// Steps towards the smallest enclosing sphere. After n steps the radius is about 1/n too large.
#define AROUND_STEPS 1000

// Maximum length: squares and sums stay finite.
#define LARGEST_LENGTH 1e60

// More than the rounding of a sum of a distance and a radius.
#define AROUND_ROUNDING (1.0 + 8.0 * DBL_EPSILON)

// Returns how far the spheres reach from a center, and the sphere that reaches furthest.
static double reachFrom(wkVec3d center, const wkSphere3d* spheres, int32_t count, int32_t* furthest)
{
    double reach = 0.0;
    for (int32_t i = 0; i < count; i++) {
        double one = wkLength(wkSub(spheres[i].center, center)) + spheres[i].radius;
        if (one >= reach) {
            reach = one;
            *furthest = i;
        }
    }
    return reach;
}

// Steps towards the sphere that reaches furthest, shorter each time (Badoiu and Clarkson 2003).
wkSphere3d wkSphereAround(const wkSphere3d* spheres, int32_t count)
{
    wkSphere3d best = {{0.0, 0.0, 0.0}, 0.0};
    if (count <= 1) {
        return count == 1 ? spheres[0] : best;
    }
    wkVec3d center = spheres[0].center;
    best.radius = INFINITY;
    for (int32_t step = 1; step <= AROUND_STEPS; step++) {
        int32_t furthest = 0;
        double reach = reachFrom(center, spheres, count, &furthest);
        if (reach < best.radius) {
            best.center = center;
            best.radius = reach;
        }
        const wkSphere3d* sphere = &spheres[furthest];
        wkVec3d toSphere = wkSub(sphere->center, center);
        double away = wkLength(toSphere);
        // to the far side of that sphere, not to its center
        double stretch = away > 0.0 ? reach / away : 0.0;
        center = wkMulAdd(center, stretch / (step + 1.0), toSphere);
    }
    best.radius *= AROUND_ROUNDING;
    return best;
}

static wkResult checkSphere(const wkRobot* robot, const wkLinkSphere* sphere, int32_t index)
{
    if (sphere->link < 0 || sphere->link >= robot->info.linkCount) {
        return wkFail(wk_errorArgument, "sphere model: spheres[%d].link is %d, the robot has %d",
                      (int)index, (int)sphere->link, (int)robot->info.linkCount);
    }
    wkVec3d center = sphere->sphere.center;
    double radius = sphere->sphere.radius;
    if (!wkIsFiniteVec(center) || !(fabs(radius) < INFINITY)) {
        return wkFail(wk_errorNotFinite, "sphere model: spheres[%d] is not finite", (int)index);
    }
    if (radius < 0.0) {
        return wkFail(wk_errorRange, "sphere model: spheres[%d].radius is %g, must be >= 0",
                      (int)index, radius);
    }
    if (!wkIsVecWithin(center, LARGEST_LENGTH) || radius > LARGEST_LENGTH) {
        return wkFail(wk_errorRange, "sphere model: spheres[%d] is larger than %g m", (int)index,
                      LARGEST_LENGTH);
    }
    return wk_ok;
}

static wkResult checkSpheres(const wkRobot* robot, const wkLinkSphere* spheres, int32_t count)
{
    if (robot == NULL || (spheres == NULL && count > 0)) {
        return wkFail(wk_errorArgument, "sphere model: %s is NULL",
                      robot == NULL ? "robot" : "spheres");
    }
    if (count < 0) {
        return wkFail(wk_errorRange, "sphere model: count is %d, must be >= 0", (int)count);
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < count && result == wk_ok; i++) {
        result = checkSphere(robot, &spheres[i], i);
    }
    return result;
}

static size_t roundUp(size_t byteCount)
{
    return (byteCount + BLOCK_ALIGNMENT - 1) / BLOCK_ALIGNMENT * BLOCK_ALIGNMENT;
}

static wkSphereModel* allocate(int32_t linkCount, int32_t sphereCount)
{
    size_t spheresAt = roundUp(sizeof(wkSphereModel));
    size_t linksAt = spheresAt + roundUp((size_t)sphereCount * sizeof(wkLinkSphere));
    size_t byteCount = linksAt + roundUp((size_t)linkCount * sizeof(wkLinkSpheres));
    char* block = (char*)wkAlloc(byteCount);
    if (block == NULL) {
        return NULL;
    }
    memset(block, 0, byteCount);
    wkSphereModel* model = (wkSphereModel*)block;
    model->spheres = (wkLinkSphere*)(block + spheresAt);
    model->links = (wkLinkSpheres*)(block + linksAt);
    model->info.byteCount = byteCount;
    model->info.sphereCount = sphereCount;
    return model;
}

// Sorts spheres by link; those of a link keep their order.
static void sortSpheres(wkSphereModel* model, const wkLinkSphere* spheres, int32_t robotLinkCount)
{
    for (int32_t i = 0; i < model->info.sphereCount; i++) {
        ++model->links[spheres[i].link].count;
    }
    int32_t first = 0;
    for (int32_t i = 0; i < robotLinkCount; i++) {
        model->links[i].first = first;
        first += model->links[i].count;
        model->info.linkCount += model->links[i].count > 0;
        model->links[i].count = 0;
    }
    for (int32_t i = 0; i < model->info.sphereCount; i++) {
        wkLinkSpheres* link = &model->links[spheres[i].link];
        model->spheres[link->first + link->count++] = spheres[i];
    }
}

// Computes a sphere around those of each link.
static wkResult setAround(wkSphereModel* model, int32_t robotLinkCount)
{
    size_t scratchByteCount =
        (size_t)model->info.sphereCount * sizeof(wkSphere3d) + BLOCK_ALIGNMENT;
    wkSphere3d* scratch = (wkSphere3d*)wkAlloc(scratchByteCount);
    if (scratch == NULL) {
        return wkFail(wk_errorMemory, "sphere model: no memory");
    }
    for (int32_t i = 0; i < robotLinkCount; i++) {
        wkLinkSpheres* link = &model->links[i];
        for (int32_t k = 0; k < link->count; k++) {
            scratch[k] = model->spheres[link->first + k].sphere;
        }
        link->around = wkSphereAround(scratch, link->count);
    }
    wkFree(scratch, scratchByteCount);
    return wk_ok;
}

wkResult wkSphereModel_Create(const wkRobot* robot, const wkLinkSphere* spheres, int32_t count,
                              wkSphereModel** model)
{
    if (model == NULL) {
        return wkFail(wk_errorArgument, "sphere model: model is NULL");
    }
    *model = NULL;
    wkResult result = checkSpheres(robot, spheres, count);
    if (result != wk_ok) {
        return result;
    }
    wkSphereModel* made = allocate(robot->info.linkCount, count);
    if (made == NULL) {
        return wkFail(wk_errorMemory, "sphere model: no memory for %d spheres", (int)count);
    }
    made->info.robot = robot;
    made->info.gap = INFINITY;
    made->info.bareLink = -1;
    made->info.protrusion = INFINITY;
    sortSpheres(made, spheres, robot->info.linkCount);
    result = setAround(made, robot->info.linkCount);
    if (result != wk_ok) {
        wkSphereModel_Destroy(made);
        return result;
    }
    *model = made;
    return wk_ok;
}

void wkSphereModel_Destroy(wkSphereModel* model)
{
    if (model != NULL) {
        wkFree(model, model->info.byteCount);
    }
}

wkSphereModelInfo wkSphereModel_Info(const wkSphereModel* model)
{
    wkSphereModelInfo none = {0};
    return model != NULL ? model->info : none;
}

wkLinkSphere wkSphereModel_Sphere(const wkSphereModel* model, int32_t index)
{
    wkLinkSphere none = {-1, {{0.0, 0.0, 0.0}, 0.0}};
    bool isThere = model != NULL && index >= 0 && index < model->info.sphereCount;
    return isThere ? model->spheres[index] : none;
}

wkLinkSpheres wkSphereModel_Link(const wkSphereModel* model, int32_t link)
{
    wkLinkSpheres none = {0, 0, {{0.0, 0.0, 0.0}, 0.0}};
    bool isThere = model != NULL && link >= 0 && link < model->info.robot->info.linkCount;
    return isThere ? model->links[link] : none;
}

// Maximum number of rigid groups with poses on the stack.
#define RIGID_GROUP_CAPACITY 128

// Computes the pose of a link from the joints between it and the root, without memory for rigid groups.
static wkPose placeLinkAlone(const wkRobot* robot, const wkPose* base, const double* q,
                             int32_t link)
{
    wkPose placed = robot->links[link].pose;
    for (int32_t i = robot->links[link].rigidGroup; i > 0; i = robot->rigidGroups[i].parent) {
        wkPose inParent = wkPlaceJoint(&robot->rigidGroups[i], q);
        placed = wkMulUnitPose(&inParent, &placed);
    }
    return wkMulUnitPose(base, &placed);
}

void wkSphereModel_PlaceLinks(const wkSphereModel* model, wkPose base, const double* q,
                              wkSphere3d* spheres)
{
    if (model == NULL || spheres == NULL) {
        return;
    }
    const wkRobot* robot = model->info.robot;
    wkPose rigidGroups[RIGID_GROUP_CAPACITY];
    bool isSmall = robot->rigidGroupCount <= RIGID_GROUP_CAPACITY;
    if (isSmall) {
        wkPlaceRigidGroups(robot, base, q, rigidGroups);
    }
    base.rotation = wkNormalizeQuat(base.rotation);
    for (int32_t i = 0; i < robot->info.linkCount; i++) {
        const wkLinkSpheres* link = &model->links[i];
        if (link->count == 0) {
            continue;
        }
        wkPose pose =
            isSmall ? wkMulUnitPose(&rigidGroups[robot->links[i].rigidGroup], &robot->links[i].pose)
                    : placeLinkAlone(robot, &base, q, i);
        for (int32_t k = link->first; k < link->first + link->count; k++) {
            spheres[k] = model->spheres[k].sphere;
            spheres[k].center =
                wkAdd(pose.position, wkRotateByUnit(pose.rotation, spheres[k].center));
        }
    }
}
