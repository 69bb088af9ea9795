// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Base and torso, a head, two arms of 28 links, four casters.

#include "links.h"

#include <string.h>

#define TORSO_LINKS 7
#define HEAD_LINKS 8
#define ARM_LINKS 28
#define CASTER_LINKS 4

// Boxes, cylinders and spheres take turns with meshes of blobs, cylinders and knots.
static bool shapeLink(wkLink* link, int index, double width, double length)
{
    int kind = index / 2 % 3;
    link->isMesh = index % 2 == 1;
    if (!link->isMesh) {
        link->shape = kind == 0   ? wkMakeBox(width, width, length)
                      : kind == 1 ? wkMakeCylinder(0.5 * width, length)
                                  : wkMakeSphere(0.5 * fmax(width, 0.7 * length));
        return true;
    }
    wkModel* model = &link->model;
    wkShape cylinder = wkMakeCylinder(0.5 * width, length);
    wkVec3d origin = {0.0, 0.0, 0.0};
    return kind == 0   ? wkModel_AddBlob(model, origin, 0.5 * width, 0.15, 12, 14)
           : kind == 1 ? wkModel_AddShape(model, &cylinder, 40)
                       : wkModel_AddKnot(model, 0.16 * width, 0.08 * width, 40, 6);
}

// @return its index; -1 when memory is short
static int addLink(wkLinks* links, int parent, wkVec3d offset, int axis, double limit, double width,
                   double length)
{
    int index = links->count;
    wkLink* link = &links->links[index];
    link->parent = parent;
    link->offset = offset;
    link->axis = axis;
    link->limit = limit;
    links->count++;
    return shapeLink(link, index, width, length) ? index : -1;
}

// The one that arms and head are mounted on; -1 when memory is short.
static int addTorso(wkLinks* links)
{
    int last = addLink(links, -1, wkSceneVec(0.0, 0.0, 0.2), 2, 0.0, 0.5, 0.25);
    for (int i = 0; i < TORSO_LINKS && last >= 0; i++) {
        last = addLink(links, last, wkSceneVec(0.0, 0.0, 0.12), 2, i == 0 ? 0.3 : 0.0, 0.25, 0.14);
    }
    return last;
}

static bool addHead(wkLinks* links, int torso)
{
    int last = torso;
    for (int i = 0; i < HEAD_LINKS && last >= 0; i++) {
        last = addLink(links, last, wkSceneVec(0.0, 0.0, 0.04), i % 2 == 1 ? 1 : 2,
                       i % 4 == 0 ? 0.8 : 0.0, 0.14, 0.06);
    }
    return last >= 0;
}

static bool addArm(wkLinks* links, int torso, double side)
{
    static const int axes[3] = {1, 0, 2};
    int last = addLink(links, torso, wkSceneVec(0.05, 0.2 * side, 0.0), 2, 1.5, 0.12, 0.08);
    for (int i = 1; i < ARM_LINKS && last >= 0; i++) {
        last = addLink(links, last, wkSceneVec(0.042, 0.0, 0.0), axes[i / 4 % 3],
                       i % 4 == 0 ? 1.8 : 0.0, 0.11 - 0.0022 * i, 0.06);
    }
    return last >= 0;
}

static bool addCaster(wkLinks* links, double x, double y)
{
    int last = 0;
    for (int i = 0; i < CASTER_LINKS && last >= 0; i++) {
        wkVec3d offset = i == 0 ? wkSceneVec(x, y, -0.05) : wkSceneVec(0.0, 0.0, -0.04);
        last = addLink(links, last, offset, 2, i == 1 ? 3.1 : 0.0, 0.07, 0.05);
    }
    return last >= 0;
}

bool wkLinks_Make(wkLinks* links)
{
    memset(links, 0, sizeof *links);
    int torso = addTorso(links);
    bool isMade = torso >= 0 && addHead(links, torso) && addArm(links, torso, -1.0) &&
                  addArm(links, torso, 1.0);
    for (int i = 0; i < 4 && isMade; i++) {
        isMade = addCaster(links, i % 2 == 1 ? 0.22 : -0.22, i / 2 == 1 ? 0.22 : -0.22);
    }
    return isMade;
}

void wkLinks_Free(wkLinks* links)
{
    for (int i = 0; i < WK_LINK_COUNT; i++) {
        wkModel_Free(&links->links[i].model);
    }
}

static wkQuat rotationAbout(int axis, double angle)
{
    double s = sin(0.5 * angle);
    wkQuat q = {axis == 0 ? s : 0.0, axis == 1 ? s : 0.0, axis == 2 ? s : 0.0, cos(0.5 * angle)};
    return q;
}

static wkQuat multiply(wkQuat a, wkQuat b)
{
    wkQuat q = {a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
                a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
                a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
                a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z};
    return q;
}

void wkLinks_Pose(const wkLinks* links, wkRng* rng, wkVec3d position, wkPose poses[WK_LINK_COUNT])
{
    for (int i = 0; i < links->count; i++) {
        const wkLink* link = &links->links[i];
        double angle = link->limit > 0.0 ? wkRngRange(rng, -link->limit, link->limit) : 0.0;
        wkPose base = {position, {0.0, 0.0, 0.0, 1.0}};
        const wkPose* parent = link->parent < 0 ? &base : &poses[link->parent];
        wkSceneFrame frame = wkMakeSceneFrame(*parent);
        poses[i].position = wkSceneToWorldPoint(&frame, link->offset);
        poses[i].rotation = multiply(parent->rotation, rotationAbout(link->axis, angle));
    }
}
