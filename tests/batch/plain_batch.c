// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "plain_batch.h"

#include "robot/robot_scene_impl.h"
#include "sense/depth_sphere_item.h"

#include <math.h>
#include <stdlib.h>

// As in wkRobotScene_Check.
#define LIMIT_SLACK 1e-9

static void* reserve(int64_t count, size_t size)
{
    void* memory = calloc((size_t)count + 1, size);
    if (memory == NULL) {
        abort();
    }
    return memory;
}

static void setRules(wkPlainBatch* batch)
{
    const wkRobot* robot = wkRobotScene_Robot(batch->def.scene);
    const wkAllowed* rules = wkRobotScene_Allowed(batch->def.scene);
    for (int32_t a = 0; a < batch->linkCount; ++a) {
        for (int32_t b = 0; b < batch->linkCount; ++b) {
            const char* nameA = wkRobot_Link(robot, a).name;
            const char* nameB = wkRobot_Link(robot, b).name;
            bool mayTouch =
                a == b || wkAllowed_Get(rules, nameA, nameB, NULL, NULL) == wk_ruleAllowed;
            batch->isChecked[a * batch->linkCount + b] = !mayTouch;
        }
    }
}

wkPlainBatch wkMakePlainBatch(const wkBatchDef* def)
{
    wkPlainBatch batch = {.def = *def};
    const wkScene* world = def->scene->world;
    batch.sphereCount = wkSphereModel_Info(def->spheres).sphereCount;
    batch.linkCount = wkRobot_Info(wkRobotScene_Robot(def->scene)).linkCount;
    batch.slotCount = wkScene_SlotCount(world);
    batch.links = (int32_t*)reserve(batch.sphereCount, sizeof *batch.links);
    batch.spheres = (wkSphere3d*)reserve(batch.sphereCount, sizeof *batch.spheres);
    batch.isChecked =
        (bool*)reserve((int64_t)batch.linkCount * batch.linkCount, sizeof *batch.isChecked);
    batch.bounds = (wkAabb*)reserve(batch.slotCount, sizeof *batch.bounds);
    for (int32_t i = 0; i < batch.sphereCount; ++i) {
        batch.links[i] = wkSphereModel_Sphere(def->spheres, i).link;
    }
    for (int32_t i = 0; i < batch.slotCount; ++i) {
        wkAabb none = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
        wkSceneObject object = wkScene_ObjectAt(world, i);
        batch.bounds[i] = none;
        if (object.shape != NULL) {
            wkShape shape = *object.shape;
            // boxes with negative padding are no bounds of distances
            shape.padding = fmax(shape.padding, 0.0);
            batch.bounds[i] = wkShape_Bounds(&shape, *object.pose);
        }
    }
    setRules(&batch);
    return batch;
}

void wkFreePlainBatch(wkPlainBatch* batch)
{
    free(batch->links);
    free(batch->spheres);
    free(batch->isChecked);
    free(batch->bounds);
}

static double selfDistance(const wkPlainBatch* batch)
{
    double least = INFINITY;
    for (int32_t i = 0; i < batch->sphereCount; ++i) {
        const bool* isChecked = batch->isChecked + batch->links[i] * batch->linkCount;
        const wkSphere3d* a = &batch->spheres[i];
        for (int32_t j = i + 1; j < batch->sphereCount; ++j) {
            if (isChecked[batch->links[j]]) {
                const wkSphere3d* b = &batch->spheres[j];
                double gap = wkLength(wkSub(a->center, b->center)) - a->radius - b->radius;
                least = fmin(least, gap - batch->def.margin);
            }
        }
    }
    return least;
}

static double gapToBox(const wkAabb* box, wkVec3d point)
{
    double x = fmax(fmax(box->lower.x - point.x, point.x - box->upper.x), 0.0);
    double y = fmax(fmax(box->lower.y - point.y, point.y - box->upper.y), 0.0);
    double z = fmax(fmax(box->lower.z - point.z, point.z - box->upper.z), 0.0);
    return sqrt(x * x + y * y + z * z);
}

// Distance of a sphere to a shape of the inner scene, whose padding holds the safety distance.
static double shapeDistance(const wkPlainBatch* batch, const wkSphere3d* sphere,
                            const wkShape* shape, int32_t slot)
{
    wkShape point = wkMakeSphere(0.0);
    wkPose at = wkMakePose(sphere->center.x, sphere->center.y, sphere->center.z);
    wkPose pose = *wkScene_ObjectAt(batch->def.scene->world, slot).pose;
    return wkDistance(&point, at, shape, pose, NULL).distance - sphere->radius - batch->def.margin;
}

wkShape wkPlainWhole(wkShape shape)
{
    bool isSwept = shape.type == wk_shapeSphere || shape.type == wk_shapeCapsule;
    double solid = shape.rounding + (isSwept ? shape.sphere.radius : 0.0);
    shape.padding = fmax(shape.padding, -solid);
    return shape;
}

// A map whose unknown cells are reported counts twice: what is occupied, and everything.
static void addSlot(const wkPlainBatch* batch, const wkSphere3d* sphere, int32_t slot,
                    wkPlainDistances* distances)
{
    double reach = sphere->radius + batch->def.margin + WK_PLAIN_CUTOFF;
    if (gapToBox(&batch->bounds[slot], sphere->center) > reach) {
        return;
    }
    wkShape shape = wkPlainWhole(*wkScene_ObjectAt(batch->def.scene->world, slot).shape);
    double distance = shapeDistance(batch, sphere, &shape, slot);
    if (shape.type == wk_shapeOctree && shape.map.unknown == wk_unknownReported) {
        distances->unknown = fmin(distances->unknown, distance);
        shape.map.unknown = wk_unknownFree;
        distance = shapeDistance(batch, sphere, &shape, slot);
    }
    distances->world = fmin(distances->world, distance);
}

static void addWorld(const wkPlainBatch* batch, wkPlainDistances* distances)
{
    const wkRobotScene* scene = batch->def.scene;
    for (int32_t slot = 0; slot < batch->slotCount; ++slot) {
        if (wkScene_ObjectAt(scene->world, slot).shape == NULL) {
            continue;
        }
        int32_t object = scene->slots[slot].object;
        for (int32_t i = 0; i < batch->sphereCount; ++i) {
            if (!wkHasBit(wkAllowedSides(scene, object), batch->links[i])) {
                addSlot(batch, &batch->spheres[i], slot, distances);
            }
        }
    }
}

// What one camera finds at all pixels, and several together: a hit or a surface before the sphere counts
// from any of them, what was not seen when none has seen it.
static unsigned findByPixels(const wkBatchDef* def, const wkSphere3d* sphere)
{
    unsigned any = 0, all = wk_findUnobserved;
    for (int32_t i = 0; i < def->depthMapCount; ++i) {
        wkCameraSphere inCamera;
        unsigned here = wk_findUnobserved;
        if (wkDepthMap_Place(def->depthMaps[i], sphere, &inCamera)) {
            wkFindByPixels(def->depthMaps[i], &inCamera, 1, &here);
        }
        if (here == 0) {
            return 0;
        }
        any |= here;
        all &= here;
    }
    return (any & (wk_findHit | wk_findOccluded)) | all;
}

// The worst that the policy of a batch makes of any sphere.
static wkVerdict depthVerdict(const wkPlainBatch* batch, double more)
{
    const wkBatchDef* def = &batch->def;
    wkVerdict worst = wk_verdictFree;
    for (int32_t i = 0; i < batch->sphereCount; ++i) {
        batch->spheres[i].radius += more;
        unsigned found = findByPixels(def, &batch->spheres[i]);
        bool isUnknown = ((found & wk_findOccluded) != 0 && !def->occludedIsFree) ||
                         ((found & wk_findUnobserved) != 0 && !def->unobservedIsFree);
        if ((found & wk_findHit) != 0) {
            worst = wk_verdictWorld;
        } else if (isUnknown && worst == wk_verdictFree) {
            worst = wk_verdictUnknown;
        }
    }
    return worst;
}

static bool isFiniteRow(const wkRobot* robot, const double* q)
{
    bool isFinite = true;
    for (int32_t i = 0; i < wkRobot_Info(robot).variableCount; ++i) {
        isFinite = isFinite && isfinite(q[i]);
    }
    return isFinite;
}

wkPlainDistances wkPlainDistancesOf(const wkPlainBatch* batch, const double* q, double band)
{
    const wkBatchDef* def = &batch->def;
    const wkRobot* robot = wkRobotScene_Robot(def->scene);
    wkPlainDistances distances = {.self = INFINITY,
                                  .world = INFINITY,
                                  .unknown = INFINITY,
                                  .isFinite = isFiniteRow(robot, q)};
    if (!distances.isFinite) {
        return distances;
    }
    distances.isBeyondLimits = wkRobot_FindBeyondLimits(robot, q, LIMIT_SLACK) >= 0;
    wkSphereModel_PlaceLinks(def->spheres, def->base, q, batch->spheres);
    for (int32_t i = 0; i < batch->sphereCount; ++i) {
        // padding below zero takes nothing from spheres
        batch->spheres[i].radius += fmax(def->scene->paddings[batch->links[i]], 0.0);
    }
    if (def->checksSelf) {
        distances.self = selfDistance(batch);
    }
    if (def->checksWorld) {
        addWorld(batch, &distances);
    }
    if (def->checksDepth && def->depthMapCount > 0) {
        distances.depth = depthVerdict(batch, def->margin);
        distances.depthOfLarger = depthVerdict(batch, band);
    }
    return distances;
}

const char* wkFindFault(const wkBatchDef* def, const wkPlainDistances* distances, wkVerdict verdict,
                        double band)
{
    if (!distances->isFinite) {
        return verdict == wk_verdictInvalid ? NULL : "a number is not finite";
    }
    bool isBeyond = def->checksLimits && distances->isBeyondLimits;
    if (isBeyond || verdict == wk_verdictLimits) {
        return isBeyond && verdict == wk_verdictLimits ? NULL : "limits";
    }
    wkVerdict depth = distances->depth, larger = distances->depthOfLarger;
    bool hasSelf = distances->self <= 0.0;
    bool hasWorld = distances->world <= 0.0 || depth == wk_verdictWorld;
    bool hasUnknown = distances->unknown <= 0.0 || depth == wk_verdictUnknown;
    bool mayWorld = distances->world <= band || larger == wk_verdictWorld;
    bool mayUnknown = distances->unknown <= band || larger != wk_verdictFree;
    if (verdict == wk_verdictSelf) {
        return distances->self <= band ? NULL : "it does not touch itself";
    }
    if (hasSelf) {
        return "it touches itself";
    }
    if (verdict == wk_verdictWorld) {
        return mayWorld ? NULL : "it does not touch the world";
    }
    if (hasWorld) {
        return "it touches the world";
    }
    if (verdict == wk_verdictUnknown) {
        return mayUnknown ? NULL : "it touches no unknown space";
    }
    return verdict != wk_verdictFree ? "no such verdict"
           : hasUnknown              ? "it touches unknown space"
                                     : NULL;
}
