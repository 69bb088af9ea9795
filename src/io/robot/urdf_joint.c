// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Joints of a URDF. Effort, dynamics, calibration and the soft limits of safety controllers do not
// affect poses and are skipped.

#include "io/robot/urdf_builder.h"

#include <math.h>

static wkResult readType(const wkXmlFile* file, const wkXmlElement* element, wkJointDef* joint)
{
    const char* type = NULL;
    wkResult result = wkXmlFile_NeedValue(file, element, "type", &type);
    if (result != wk_ok) {
        return result;
    }
    if (wkJointTypeFromName(type, &joint->type) != wk_ok) {
        return wkXmlFile_Fail(file, element, wk_errorParse,
                              "type \"%.40s\" is none of revolute, continuous, prismatic, fixed, "
                              "floating, planar",
                              type);
    }
    return wk_ok;
}

// Reads the link that <parent> or <child> names.
static wkResult readEnd(const wkUrdfBuilder* builder, const wkXmlElement* joint, const char* end,
                        const char** name, int32_t* link)
{
    const wkXmlFile* file = &builder->urdf;
    const wkXmlElement* element = wkXmlElement_Child(joint, end);
    if (element == NULL) {
        return wkXmlFile_Fail(file, joint, wk_errorParse, "it has no <%s>", end);
    }
    wkResult result = wkXmlFile_NeedValue(file, element, "link", name);
    if (result != wk_ok) {
        return result;
    }
    *link = wkIoNames_Find(&builder->linkNames, *name);
    if (*link < 0) {
        return wkXmlFile_Fail(file, element, wk_errorParse, "there is no link \"%.80s\"", *name);
    }
    return wk_ok;
}

static wkResult readAxis(const wkXmlFile* file, const wkXmlElement* element, wkJointDef* joint)
{
    if (joint->type == wk_jointFixed || joint->type == wk_jointFloating) {
        return wk_ok;
    }
    const wkXmlElement* axis = wkXmlElement_Child(element, "axis");
    bool isPlanar = joint->type == wk_jointPlanar;
    double xyz[3] = {isPlanar ? 0.0 : 1.0, 0.0, isPlanar ? 1.0 : 0.0};
    wkResult result = wkXmlFile_ReadNumbers(file, axis, "xyz", xyz, 3);
    if (result != wk_ok) {
        return result;
    }

    // dividing by the largest first keeps the squares of tiny and huge axes in range
    double largest = fmax(fabs(xyz[0]), fmax(fabs(xyz[1]), fabs(xyz[2])));
    if (largest == 0.0) {
        return wkXmlFile_Fail(file, axis, wk_errorParse,
                              "xyz: an axis of length 0 has no direction");
    }
    double x = xyz[0] / largest, y = xyz[1] / largest, z = xyz[2] / largest;
    double length = sqrt(x * x + y * y + z * z);
    wkVec3d unit = {x / length, y / length, z / length};
    joint->axis = unit;
    return wk_ok;
}

static bool hasOneVariable(const wkJointDef* joint)
{
    return joint->type == wk_jointRevolute || joint->type == wk_jointContinuous ||
           joint->type == wk_jointPrismatic;
}

// Reads the largest velocity. Files without a known one often have 0.
static wkResult readVelocity(const wkXmlFile* file, const wkXmlElement* element, wkJointDef* joint)
{
    const wkXmlElement* limit = wkXmlElement_Child(element, "limit");
    if (limit == NULL || !hasOneVariable(joint)) {
        return wk_ok;
    }
    double velocity = INFINITY;
    wkResult result = wkXmlFile_ReadLimit(file, limit, "velocity", &velocity);
    joint->velocity = velocity > 0.0 ? velocity : INFINITY;
    return result;
}

static wkResult readLimits(const wkXmlFile* file, const wkXmlElement* element, wkJointDef* joint)
{
    if (joint->type != wk_jointRevolute && joint->type != wk_jointPrismatic) {
        return wk_ok;
    }
    const wkXmlElement* limit = wkXmlElement_Child(element, "limit");
    if (limit == NULL) {
        return wkXmlFile_Fail(file, element, wk_errorParse, "a %s joint needs a <limit>",
                              wkJointTypeName(joint->type));
    }
    wkResult result = wkXmlFile_ReadLimit(file, limit, "lower", &joint->lower);
    if (result == wk_ok) {
        result = wkXmlFile_ReadLimit(file, limit, "upper", &joint->upper);
    }
    bool isEmpty =
        joint->lower > joint->upper || joint->lower == INFINITY || joint->upper == -INFINITY;
    if (result == wk_ok && isEmpty) {
        return wkXmlFile_Fail(file, limit, wk_errorParse,
                              "lower limit %g and upper limit %g leave no interval", joint->lower,
                              joint->upper);
    }
    return result;
}

static wkResult readMimic(const wkXmlFile* file, const wkXmlElement* element, wkJointDef* joint)
{
    const wkXmlElement* mimic = wkXmlElement_Child(element, "mimic");
    if (mimic == NULL || joint->type == wk_jointFixed) {
        return wk_ok;
    }
    if (!hasOneVariable(joint)) {
        return wkXmlFile_Fail(file, mimic, wk_errorParse, "a %s joint cannot follow another",
                              wkJointTypeName(joint->type));
    }
    wkResult result = wkXmlFile_NeedValue(file, mimic, "joint", &joint->mimic);
    joint->mimicFactor = 1.0;
    joint->mimicOffset = 0.0;
    if (result == wk_ok) {
        result = wkXmlFile_ReadNumbers(file, mimic, "multiplier", &joint->mimicFactor, 1);
    }
    return result == wk_ok ? wkXmlFile_ReadNumbers(file, mimic, "offset", &joint->mimicOffset, 1)
                           : result;
}

static wkResult readJoint(wkUrdfBuilder* builder, const wkXmlElement* element, int32_t number)
{
    const wkXmlFile* file = &builder->urdf;
    wkJointDef* joint = &builder->joints[number];
    *joint = wkDefaultJointDef();
    wkResult result = wkXmlFile_NeedValue(file, element, "name", &joint->name);
    if (result != wk_ok) {
        return result;
    }
    int32_t other = wkIoNames_Add(&builder->jointNames, joint->name, number);
    if (other >= 0) {
        return wkXmlFile_Fail(file, element, wk_errorParse, "line %d has a joint of that name",
                              (int)builder->jointElements[other]->line);
    }
    builder->jointElements[number] = element;
    result = readType(file, element, joint);
    if (result == wk_ok) {
        result =
            readEnd(builder, element, "parent", &joint->parent, &builder->jointParents[number]);
    }
    if (result == wk_ok) {
        result = readEnd(builder, element, "child", &joint->child, &builder->jointChildren[number]);
    }
    if (result == wk_ok) {
        result = wkUrdf_ReadOrigin(file, element, &joint->origin);
    }
    if (result == wk_ok) {
        result = readAxis(file, element, joint);
    }
    if (result == wk_ok) {
        result = readLimits(file, element, joint);
    }
    if (result == wk_ok) {
        result = readVelocity(file, element, joint);
    }
    return result == wk_ok ? readMimic(file, element, joint) : result;
}

static wkResult checkMimic(const wkUrdfBuilder* builder, int32_t joint)
{
    const wkXmlFile* file = &builder->urdf;
    const char* name = builder->joints[joint].mimic;
    if (name == NULL) {
        return wk_ok;
    }
    const wkXmlElement* mimic = wkXmlElement_Child(builder->jointElements[joint], "mimic");
    int32_t other = wkIoNames_Find(&builder->jointNames, name);
    if (other < 0) {
        return wkXmlFile_Fail(file, mimic, wk_errorParse, "there is no joint \"%.80s\"", name);
    }
    if (!hasOneVariable(&builder->joints[other])) {
        return wkXmlFile_Fail(file, mimic, wk_errorParse,
                              "joint \"%.80s\" is %s: there is nothing to follow", name,
                              wkJointTypeName(builder->joints[other].type));
    }
    return wk_ok;
}

wkResult wkUrdf_ReadJoints(wkUrdfBuilder* builder)
{
    const wkXmlElement* root = builder->urdf.root;
    for (const wkXmlElement* joint = wkXmlElement_Child(root, "joint"); joint != NULL;
         joint = wkXmlElement_Next(joint, "joint")) {
        wkResult result = readJoint(builder, joint, builder->def.jointCount);
        if (result != wk_ok) {
            return result;
        }
        builder->def.jointCount++;
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < builder->def.jointCount && result == wk_ok; i++) {
        result = checkMimic(builder, i);
    }
    return result;
}
