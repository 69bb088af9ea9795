// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is doubtful about the objects of a world file.

#include "robot_job.h"

static void warnOfMesh(const wkRobotJob* job, const char* name, const wkMesh* mesh)
{
    wkMeshInfo info = wkMesh_Info(mesh);
    if (info.triangleCount == 0) {
        wkRobotJob_Warn(job, "object \"%.100s\": the mesh has no triangles", name);
    } else if (info.isSolid && !info.isClosed) {
        wkRobotJob_Warn(job,
                        "object \"%.100s\": the mesh is not watertight: what its open edges "
                        "enclose counts as solid",
                        name);
    }
}

static void warnOfShape(const wkRobotJob* job, const char* name, const wkShape* shape)
{
    if (shape->type == wk_shapeMesh) {
        warnOfMesh(job, name, shape->mesh);
    } else if (shape->type == wk_shapeOctree &&
               wkOctree_Stats(shape->map.octree).occupiedCount == 0) {
        wkRobotJob_Warn(job, "object \"%.100s\": the map has no occupied cells", name);
    }
}

void wkRobotJob_WarnOfWorld(const wkRobotJob* job, const char* path, int32_t first)
{
    if (wkRobotScene_Count(job->scene) == first) {
        wkRobotJob_Warn(job, "%.300s: the world has no objects", path);
    }
    for (int32_t i = first; i < wkRobotScene_Count(job->scene); i++) {
        wkRobotObjectInfo object = wkRobotScene_Object(job->scene, i);
        for (int32_t k = 0; k < object.shapeCount; k++) {
            warnOfShape(job, object.name, wkRobotScene_ObjectShape(job->scene, i, k, NULL));
        }
    }
}
