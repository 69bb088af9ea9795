// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// From links to a description.

#include "robot_88.h"

#include "links.h"

#include "whisker/detail/library.h"

#include <stdio.h>
#include <stdlib.h>

#define NAME_CAPACITY 32

// The description and what it points to.
typedef struct description {
    wkLinks links;
    char linkNames[WK_LINK_COUNT][NAME_CAPACITY];
    char jointNames[WK_LINK_COUNT][NAME_CAPACITY];
    const char* names[WK_LINK_COUNT];
    wkJointDef joints[WK_LINK_COUNT];
    wkBodyDef bodies[WK_LINK_COUNT];
    wkMesh* meshes[WK_LINK_COUNT];
    int32_t meshCount;
} description;

static void nameLink(description* d, int index)
{
    snprintf(d->linkNames[index], NAME_CAPACITY, "link_%02d", index);
    snprintf(d->jointNames[index], NAME_CAPACITY, "joint_%02d", index);
    d->names[index] = d->linkNames[index];
}

// The joint that carries a link.
static wkJointDef jointOf(const description* d, int index)
{
    const wkLink* link = &d->links.links[index];
    wkJointDef joint = wkDefaultJointDef();
    joint.name = d->jointNames[index];
    joint.type = link->limit > 0.0 ? wk_jointRevolute : wk_jointFixed;
    joint.parent = d->linkNames[link->parent];
    joint.child = d->linkNames[index];
    joint.origin.position = link->offset;
    joint.axis = wkSceneVec(link->axis == 0, link->axis == 1, link->axis == 2);
    joint.lower = -link->limit;
    joint.upper = link->limit;
    return joint;
}

static wkResult addBody(description* d, int index)
{
    const wkLink* link = &d->links.links[index];
    wkBodyDef body = {d->linkNames[index], NULL, link->shape, wkIdentityPose()};
    if (link->isMesh) {
        wkMeshDef def = wkDefaultMeshDef();
        def.isSolid = false;
        def.vertices = link->model.vertices;
        def.vertexCount = link->model.vertexCount;
        def.triangles = link->model.indices;
        def.triangleCount = link->model.triangleCount;
        wkResult result = wkMesh_Create(&def, &d->meshes[d->meshCount]);
        if (result != wk_ok) {
            return result;
        }
        body.shape = wkMakeMesh(d->meshes[d->meshCount++]);
    }
    d->bodies[index] = body;
    return wk_ok;
}

static wkResult describe(description* d, wkRobotDef* def)
{
    if (!wkLinks_Make(&d->links)) {
        return wkSetLastError(wk_errorMemory, "robot 88: no memory for the models");
    }
    wkResult result = wk_ok;
    for (int i = 0; i < WK_LINK_COUNT && result == wk_ok; i++) {
        nameLink(d, i);
        result = addBody(d, i);
        if (i > 0) {
            d->joints[i - 1] = jointOf(d, i);
        }
    }
    def->name = "robot_88";
    def->links = d->names;
    def->linkCount = WK_LINK_COUNT;
    def->joints = d->joints;
    def->jointCount = WK_LINK_COUNT - 1;
    def->bodies = d->bodies;
    def->bodyCount = WK_LINK_COUNT;
    return result;
}

wkResult wkMakeRobot88(wkRobot** robot)
{
    *robot = NULL;
    description* d = (description*)calloc(1, sizeof *d);
    if (d == NULL) {
        return wkSetLastError(wk_errorMemory, "robot 88: no memory for the description");
    }
    wkRobotDef def = wkDefaultRobotDef();
    wkResult result = describe(d, &def);
    if (result == wk_ok) {
        result = wkRobot_Create(&def, robot);
    }
    if (result == wk_ok) {
        result = wkRobot_Adopt(*robot, d->meshes, d->meshCount, NULL, 0);
    }
    if (result != wk_ok) {
        wkRobot_Destroy(*robot);
        *robot = NULL;
    }
    for (int32_t i = 0; i < d->meshCount && result != wk_ok; i++) {
        wkMesh_Destroy(d->meshes[i]);
    }
    wkLinks_Free(&d->links);
    free(d);
    return result;
}
