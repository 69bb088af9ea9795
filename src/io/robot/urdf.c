// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The outer parts of a URDF: its root, the names of its links, and origins. A xacro file is told from
// a URDF here.

#include "io/robot/urdf_builder.h"

#include <stdio.h>
#include <string.h>

#define PATH_CAPACITY 512

static bool startsWith(const char* text, const char* start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool endsWith(const char* text, const char* end)
{
    size_t length = strlen(text), endLength = strlen(end);
    return length >= endLength && strcmp(text + length - endLength, end) == 0;
}

static bool hasMacroValue(const wkXmlElement* element)
{
    for (int32_t i = 0; i < element->attributeCount; i++) {
        const char* value = element->attributes[i].value;
        if (strstr(value, "${") != NULL || strstr(value, "$(") != NULL) {
            return true;
        }
    }
    return false;
}

// The first element that only xacro understands; NULL in a URDF, even one that xacro has written.
static const wkXmlElement* findMacro(const wkXmlFile* file)
{
    bool isXacro = endsWith(file->name, ".xacro");
    const wkXmlElement* element = file->root;
    while (element != NULL && !startsWith(element->name, "xacro:") &&
           !(isXacro && hasMacroValue(element))) {
        element = wkXmlElement_Walk(element);
    }
    return element;
}

// What xacro's result should be called: the name without ".xacro", ending in ".urdf".
static void nameExpanded(const char* name, char* expanded, size_t capacity)
{
    int length = (int)strlen(name);
    length -= endsWith(name, ".xacro") ? (int)strlen(".xacro") : 0;
    bool isUrdf = length >= 5 && strncmp(name + length - 5, ".urdf", 5) == 0;
    length -= isUrdf ? (int)strlen(".urdf") : 0;
    snprintf(expanded, capacity, "%.*s%s.urdf", length, name,
             isUrdf && !endsWith(name, ".xacro") ? "_expanded" : "");
}

static wkResult failXacro(const wkXmlFile* file, const wkXmlElement* macro)
{
    char expanded[PATH_CAPACITY];
    nameExpanded(file->name, expanded, sizeof expanded);
    return wkIoFailNumberedLine(
        file->name, (size_t)macro->line, wk_errorUnsupported,
        "<%.40s> is xacro, not URDF; expand it first: xacro %.150s -o %.150s", macro->name,
        file->name, expanded);
}

wkResult wkUrdf_ReadRoot(wkUrdfBuilder* builder)
{
    const wkXmlFile* file = &builder->urdf;
    const wkXmlElement* macro = findMacro(file);
    if (macro != NULL) {
        return failXacro(file, macro);
    }
    if (strcmp(file->root->name, "robot") != 0) {
        return wkIoFailNumberedLine(file->name, (size_t)file->root->line, wk_errorParse,
                                    "the root is <%.40s>, that of URDF is <robot>",
                                    file->root->name);
    }
    return wkXmlFile_NeedValue(file, file->root, "name", &builder->def.name);
}

// Room for the links and joints of the file and for those of a virtual joint.
static bool takeArrays(wkUrdfBuilder* builder, size_t linkCount, size_t jointCount)
{
    wkIoArena* arena = &builder->arena;
    builder->links = wkIoArena_AllocArray(arena, linkCount, sizeof *builder->links);
    builder->linkElements = wkIoArena_AllocArray(arena, linkCount, sizeof(wkXmlElement*));
    builder->linkJoints = wkIoArena_AllocArray(arena, linkCount, sizeof *builder->linkJoints);
    builder->joints = wkIoArena_AllocArray(arena, jointCount, sizeof *builder->joints);
    builder->jointElements = wkIoArena_AllocArray(arena, jointCount, sizeof(wkXmlElement*));
    builder->jointParents = wkIoArena_AllocArray(arena, jointCount, sizeof *builder->jointParents);
    builder->jointChildren =
        wkIoArena_AllocArray(arena, jointCount, sizeof *builder->jointChildren);
    return builder->links != NULL && builder->linkElements != NULL && builder->linkJoints != NULL &&
           builder->joints != NULL && builder->jointElements != NULL &&
           builder->jointParents != NULL && builder->jointChildren != NULL &&
           wkIoNames_Init(&builder->linkNames, arena, linkCount) &&
           wkIoNames_Init(&builder->jointNames, arena, jointCount);
}

wkResult wkUrdf_ReadLinks(wkUrdfBuilder* builder)
{
    const wkXmlFile* file = &builder->urdf;
    int32_t linkCount = wkXmlElement_CountChildren(file->root, "link");
    int32_t jointCount = wkXmlElement_CountChildren(file->root, "joint");
    if (!takeArrays(builder, (size_t)linkCount + 1, (size_t)jointCount + 1)) {
        return wkXmlFile_FailMemory(file);
    }
    if (linkCount == 0) {
        return wkXmlFile_Fail(file, file->root, wk_errorParse, "it has no links");
    }
    for (const wkXmlElement* link = wkXmlElement_Child(file->root, "link"); link != NULL;
         link = wkXmlElement_Next(link, "link")) {
        const char* name = NULL;
        wkResult result = wkXmlFile_NeedValue(file, link, "name", &name);
        if (result != wk_ok) {
            return result;
        }
        int32_t number = builder->def.linkCount;
        int32_t other = wkIoNames_Add(&builder->linkNames, name, number);
        if (other >= 0) {
            return wkXmlFile_Fail(file, link, wk_errorParse, "line %d has a link of that name",
                                  (int)builder->linkElements[other]->line);
        }
        builder->links[number] = name;
        builder->linkElements[number] = link;
        builder->linkJoints[number] = -1;
        builder->def.linkCount++;
    }
    return wk_ok;
}

wkResult wkUrdf_ReadOrigin(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose)
{
    const wkXmlElement* origin = wkXmlElement_Child(element, "origin");
    double xyz[3] = {0.0, 0.0, 0.0}, rpy[3] = {0.0, 0.0, 0.0}, quat[4] = {0.0, 0.0, 0.0, 0.0};
    wkResult result = wkXmlFile_ReadNumbers(file, origin, "xyz", xyz, 3);
    if (result == wk_ok) {
        result = wkXmlFile_ReadNumbers(file, origin, "rpy", rpy, 3);
    }
    if (result == wk_ok) {
        result = wkXmlFile_ReadNumbers(file, origin, "quat_xyzw", quat, 4);
    }
    if (result != wk_ok) {
        return result;
    }
    wkVec3d position = {xyz[0], xyz[1], xyz[2]};
    *pose = wkMakePoseRpy(position, rpy[0], rpy[1], rpy[2]);
    if (wkXmlElement_Value(origin, "quat_xyzw") != NULL) {
        wkQuat rotation = {quat[0], quat[1], quat[2], quat[3]};
        pose->rotation = rotation;
    }
    if (!wkIsValidPose(*pose)) {
        return wkXmlFile_Fail(file, origin, wk_errorParse, "its numbers give no pose");
    }
    return wk_ok;
}
