// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Warnings about doubtful objects of a world file, and about objects that are left out.

#include "world_file.h"

#include "cloud_gaps.h"

#include <stdarg.h>
#include <stdio.h>

static void warn(const wkWorldLoadDef* options, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

static void warn(const wkWorldLoadDef* options, const char* format, ...)
{
    char message[480];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    if (options->warn != NULL) {
        options->warn(message, options->warnContext);
    }
}

static void warnOfMesh(const char* name, const wkAskObject* object, const wkWorldLoadDef* options)
{
    wkMeshInfo info = wkMesh_Info(object->shape.mesh);
    if (object->warning[0] != '\0') {
        warn(options, "object \"%.100s\": %s", name, object->warning);
    }
    if (info.isSolid && info.triangleCount > 0 && !info.isClosed) {
        warn(options,
             "object \"%.100s\": the mesh is not watertight: what its open edges enclose counts as "
             "solid",
             name);
    } else if (info.isSolid && info.lidCount > 0) {
        warn(options,
             "object \"%.100s\": triangles are there from both sides or face different ways: what "
             "they enclose counts as solid",
             name);
    }
    if (info.hullCount > 0) {
        warn(options,
             "object \"%.100s\": triangles contradict each other: parts taken as their convex "
             "hulls: %d",
             name, (int)info.hullCount);
    }
    if (info.sewnGap > 0.0) {
        warn(options, "object \"%.100s\": gaps of up to %.2g m between open edges are closed", name,
             info.sewnGap);
    }
}

// Returns false when out of memory.
static bool warnOfCloud(const char* name, const wkAskObject* object, const wkRobot* robot,
                        const wkWorldLoadDef* options)
{
    wkCloudInfo info = wkCloud_Info(object->shape.cloud);
    char words[WK_GAP_WORDS];
    if (info.pointCount == 0) {
        warn(options, "object \"%.100s\": the cloud has no points: nothing touches it", name);
        return true;
    }
    if (object->warning[0] != '\0') {
        warn(options, "object \"%.100s\": %s", name, object->warning);
    }
    if (info.notFiniteCount > 0) {
        warn(options, "object \"%.100s\": %d of %d points are not finite and are left out", name,
             info.notFiniteCount, info.notFiniteCount + info.pointCount + info.mergedCount);
    }
    if (object->isUnion) {
        return true;
    }
    if (wkFindGaps(robot, &object->shape, words) != wk_ok) {
        return false;
    }
    if (words[0] != '\0') {
        warn(options, "object \"%.100s\": %s", name, words);
    }
    return true;
}

bool wkWorld_WarnOfShape(const char* name, const wkAskObject* object, const wkRobot* robot,
                         const wkWorldLoadDef* options)
{
    const wkShape* shape = &object->shape;
    if (shape->type == wk_shapeMesh) {
        warnOfMesh(name, object, options);
    } else if (shape->type == wk_shapeOctree &&
               wkOctree_Info(shape->map.octree).occupiedCount == 0) {
        warn(options, "object \"%.100s\": the map has no occupied cells", name);
    }
    return shape->type != wk_shapeCloud || warnOfCloud(name, object, robot, options);
}
