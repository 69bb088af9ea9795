// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres for attached objects, on the links that they are attached to.

#include "robot/sphere_model_impl.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/vec.h"

// Collects the spheres of a model.
typedef struct builder {
    const wkRobotScene* scene;
    wkFitDef fit;
    int32_t most;        // maximum number of spheres of one shape
    wkSphere3d* scratch; // for one shape
    wkLinkSphere* spheres;
    int32_t count;
    size_t capacity;
    double protrusion;
} builder;

static int32_t countAttachedShapes(const wkRobotScene* scene)
{
    int32_t count = 0;
    for (int32_t i = 0; i < wkRobotScene_Count(scene); ++i) {
        wkRobotObjectInfo object = wkRobotScene_Object(scene, i);
        count += object.link >= 0 ? object.shapeCount : 0;
    }
    return count;
}

static wkResult addShape(builder* d, const wkRobotObjectInfo* object, const wkShape* shape,
                         wkPose linkFromShape)
{
    wkFitInfo report = {0};
    int32_t count = 0;
    wkResult result = wkShape_FitSpheres(shape, &d->fit, d->scratch, d->most, &count, &report);
    for (int32_t i = 0; i < count && result == wk_ok; ++i) {
        wkLinkSphere* sphere = &d->spheres[d->count++];
        sphere->link = object->link;
        sphere->sphere.radius = d->scratch[i].radius;
        sphere->sphere.center = wkTransformPoint(linkFromShape, d->scratch[i].center);
    }
    d->protrusion = wkMaxD(d->protrusion, report.protrusion);
    return result;
}

static wkResult addAttached(builder* d)
{
    wkResult result = wk_ok;
    for (int32_t i = 0; i < wkRobotScene_Count(d->scene) && result == wk_ok; ++i) {
        wkRobotObjectInfo object = wkRobotScene_Object(d->scene, i);
        for (int32_t k = 0; k < object.shapeCount && object.link >= 0 && result == wk_ok; ++k) {
            wkPose objectFromShape = wkIdentityPose();
            const wkShape* shape = wkRobotScene_ObjectShape(d->scene, i, k, &objectFromShape);
            result = addShape(d, &object, shape, wkMulPose(object.pose, objectFromShape));
        }
    }
    return result;
}

static wkResult checkHold(const wkSphereModel* model, const wkRobotScene* scene,
                          const wkFitDef* fit)
{
    if (model == NULL || scene == NULL || wkRobotScene_Robot(scene) != model->info.robot) {
        return wkFail(wk_errorArgument,
                      "sphere model: model or scene is NULL, or they are of two robots");
    }
    if (fit->count < 0 || fit->maxCount < 1) {
        return wkFail(wk_errorRange, "sphere model: count is %d, maxCount %d", (int)fit->count,
                      (int)fit->maxCount);
    }
    return wk_ok;
}

wkResult wkSphereModel_Hold(const wkSphereModel* model, const wkRobotScene* scene,
                            const wkFitDef* def, wkSphereModel** holding)
{
    if (holding == NULL) {
        return wkFail(wk_errorArgument, "sphere model: holding is NULL");
    }
    *holding = NULL;
    builder d = {.scene = scene, .fit = def != NULL ? *def : wkDefaultFitDef()};
    wkResult result = checkHold(model, scene, &d.fit);
    if (result != wk_ok) {
        return result;
    }
    d.most = d.fit.count > 0 ? d.fit.count : d.fit.maxCount;
    d.capacity =
        (size_t)model->info.sphereCount + (size_t)countAttachedShapes(scene) * (size_t)d.most + 1;
    d.protrusion = model->info.protrusion;
    d.scratch = wkAlloc((size_t)d.most * sizeof *d.scratch);
    d.spheres = wkAlloc(d.capacity * sizeof *d.spheres);
    if (d.scratch == NULL || d.spheres == NULL) {
        result = wkFail(wk_errorMemory, "sphere model: no memory for what is attached");
        goto cleanup;
    }
    for (; d.count < model->info.sphereCount; ++d.count) {
        d.spheres[d.count] = model->spheres[d.count];
    }
    result = addAttached(&d);
    if (result == wk_ok) {
        result = wkSphereModel_Create(model->info.robot, d.spheres, d.count, holding);
    }
    if (result == wk_ok) {
        (*holding)->info.isCovering = model->info.isCovering;
        (*holding)->info.gap = model->info.gap;
        (*holding)->info.bareLink = model->info.bareLink;
        (*holding)->info.protrusion = d.protrusion;
    }

cleanup:
    wkFree(d.scratch, (size_t)d.most * sizeof *d.scratch);
    wkFree(d.spheres, d.capacity * sizeof *d.spheres);
    return result;
}
