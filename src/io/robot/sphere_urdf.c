// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads spheres from a URDF whose links are made of spheres. Its joints are compared with those of the robot:
// if a link had another pose, so would its spheres. The spheres of a link that the robot lacks go to the link
// that it is fixed to, if the robot has that one.

#include "io/robot/sphere_builder.h"
#include "io/robot/urdf_builder.h"

#include <math.h>
#include <string.h>

// Tolerance for the joints of two descriptions of one robot, which are rounded: metres, and half-angle sine.
#define FRAME_TOLERANCE 1e-4

// Maximum number of fixed joints from a link that the robot lacks to one that it has; also ends cycles.
#define MAX_FIXED_JOINTS 64

// A link of the robot that receives spheres, and the pose of their frame on it.
typedef struct carrier {
    int32_t link; // -1: none, the spheres are dropped
    bool isOther; // not the link that the file names
    wkPose pose;  // identity, unless isOther
} carrier;

static wkResult readBody(wkSphereBuilder* builder, const wkXmlFile* file,
                         const wkXmlElement* element, const carrier* on)
{
    const wkXmlElement* geometry = wkXmlElement_Child(element, "geometry");
    const wkXmlElement* sphere = wkXmlElement_Child(geometry, "sphere");
    if (geometry == NULL || geometry->firstChild == NULL ||
        (sphere == NULL && builder->options->skipsOtherBodies)) {
        return wk_ok;
    }
    if (sphere == NULL) {
        return wkXmlFile_Fail(file, geometry, wk_errorUnsupported, "<%.40s> is no sphere",
                              geometry->firstChild->name);
    }
    wkSphere3d fitted = {{0.0, 0.0, 0.0}, 0.0};
    wkPose pose = wkIdentityPose();
    wkResult result = wkXmlFile_NeedNumbers(file, sphere, "radius", &fitted.radius, 1);
    if (result == wk_ok) {
        result = wkUrdf_ReadOrigin(file, element, &pose);
    }
    if (result == wk_ok && fitted.radius < 0.0) {
        result =
            wkXmlFile_Fail(file, sphere, wk_errorRange, "radius: %g is negative", fitted.radius);
    }
    if (result == wk_ok) {
        fitted.center = on->isOther ? wkTransformPoint(on->pose, pose.position) : pose.position;
        wkSphereBuilder_Add(builder, on->link, fitted);
    }
    return result;
}

// Returns the parent joint of a link; NULL when there is none.
static const wkXmlElement* findJoint(const wkXmlFile* file, const char* link)
{
    const wkXmlElement* joint = wkXmlElement_Child(file->root, "joint");
    for (; joint != NULL; joint = wkXmlElement_Next(joint, "joint")) {
        const char* child = wkXmlElement_Value(wkXmlElement_Child(joint, "child"), "link");
        if (child != NULL && strcmp(child, link) == 0) {
            break;
        }
    }
    return joint;
}

// Follows fixed joints from a link to one that the robot has; link -1 when there is none.
static wkResult findCarrier(const wkSphereBuilder* builder, const wkXmlFile* file, const char* name,
                            carrier* found)
{
    found->link = wkRobot_FindLink(builder->robot, name);
    found->isOther = found->link < 0;
    found->pose = wkIdentityPose();
    for (int step = 0; found->link < 0 && step < MAX_FIXED_JOINTS; step++) {
        const wkXmlElement* joint = findJoint(file, name);
        const char* type = wkXmlElement_Value(joint, "type");
        name = wkXmlElement_Value(wkXmlElement_Child(joint, "parent"), "link");
        if (name == NULL || type == NULL || strcmp(type, "fixed") != 0) {
            break;
        }
        wkPose origin = wkIdentityPose();
        wkResult result = wkUrdf_ReadOrigin(file, joint, &origin);
        if (result != wk_ok) {
            return result;
        }
        found->pose = wkMulPose(origin, found->pose);
        found->link = wkRobot_FindLink(builder->robot, name);
    }
    return wk_ok;
}

static wkResult readLink(wkSphereBuilder* builder, const wkXmlFile* file,
                         const wkXmlElement* element)
{
    const char* name = NULL;
    wkResult result = wkXmlFile_NeedValue(file, element, "name", &name);
    const wkXmlElement* body = wkXmlElement_Child(element, "collision");
    if (result != wk_ok || body == NULL) {
        return result; // a frame without shapes: the robot may lack it
    }
    carrier on;
    result = findCarrier(builder, file, name, &on);
    if (result == wk_ok && !(on.isOther && on.link >= 0)) {
        result = wkSphereBuilder_FindLink(builder, name, element->line, &on.link);
    }
    for (; body != NULL && result == wk_ok; body = wkXmlElement_Next(body, "collision")) {
        result = readBody(builder, file, body, &on);
    }
    return result;
}

// Returns the difference of two poses: of their positions, and the sine of half the angle between them.
static double poseDifference(wkPose a, wkPose b)
{
    wkVec3d d = {a.position.x - b.position.x, a.position.y - b.position.y,
                 a.position.z - b.position.z};
    wkQuat p = a.rotation, q = b.rotation;
    double cosine = p.x * q.x + p.y * q.y + p.z * q.z + p.w * q.w;
    double sine = sqrt(fmax(0.0, 1.0 - cosine * cosine));
    return fmax(sine, sqrt(d.x * d.x + d.y * d.y + d.z * d.z));
}

// Compares a joint with the robot's joint between the same parent and child.
static wkResult checkJoint(const wkSphereBuilder* builder, const wkXmlFile* file,
                           const wkXmlElement* element)
{
    const char* parent = wkXmlElement_Value(wkXmlElement_Child(element, "parent"), "link");
    const char* child = wkXmlElement_Value(wkXmlElement_Child(element, "child"), "link");
    int32_t link = child != NULL ? wkRobot_FindLink(builder->robot, child) : -1;
    wkLinkInfo info = wkRobot_Link(builder->robot, link);
    if (parent == NULL || info.parentJoint < 0 || !builder->isLinkNamed[link] ||
        strcmp(wkRobot_Link(builder->robot, info.parentLink).name, parent) != 0) {
        return wk_ok;
    }
    wkPose origin = wkIdentityPose();
    wkResult result = wkUrdf_ReadOrigin(file, element, &origin);
    if (result != wk_ok) {
        return result;
    }
    double difference =
        poseDifference(origin, wkRobot_Joint(builder->robot, info.parentJoint).origin);
    if (difference > FRAME_TOLERANCE) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              "link \"%.80s\" is not where the robot has it: its spheres would be "
                              "elsewhere, too",
                              child);
    }
    return wk_ok;
}

wkResult wkSphereBuilder_ReadUrdf(wkSphereBuilder* builder)
{
    wkXmlFile file = {0};
    wkResult result = wkXmlFile_Parse(&file, builder->source, &builder->arena);
    if (result != wk_ok) {
        return result;
    }
    if (strcmp(file.root->name, "robot") != 0) {
        return wkIoFailNumberedLine(file.name, (size_t)file.root->line, wk_errorParse,
                                    "the root is <%.40s>, that of URDF is <robot>",
                                    file.root->name);
    }
    int32_t capacity = 0;
    for (const wkXmlElement* link = wkXmlElement_Child(file.root, "link"); link != NULL;
         link = wkXmlElement_Next(link, "link")) {
        capacity += wkXmlElement_CountChildren(link, "collision");
    }
    result = wkSphereBuilder_Reserve(builder, capacity);
    for (const wkXmlElement* link = wkXmlElement_Child(file.root, "link");
         link != NULL && result == wk_ok; link = wkXmlElement_Next(link, "link")) {
        result = readLink(builder, &file, link);
    }
    const wkXmlElement* joint = wkXmlElement_Child(file.root, "joint");
    for (; joint != NULL && result == wk_ok && !builder->options->ignoresFrames;
         joint = wkXmlElement_Next(joint, "joint")) {
        result = checkJoint(builder, &file, joint);
    }
    return result;
}
