// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The outer parts of a URDF: its root, the names of its links, and origins. A xacro file is told from
// a URDF here.

#include "io/urdf_draft.h"

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

wkResult wkUrdf_ReadRoot(wkUrdfDraft* draft)
{
    const wkXmlFile* file = &draft->urdf;
    const wkXmlElement* macro = findMacro(file);
    if (macro != NULL) {
        return failXacro(file, macro);
    }
    if (strcmp(file->root->name, "robot") != 0) {
        return wkIoFailNumberedLine(file->name, (size_t)file->root->line, wk_errorParse,
                                    "the root is <%.40s>, that of URDF is <robot>",
                                    file->root->name);
    }
    return wkXmlFile_NeedValue(file, file->root, "name", &draft->def.name);
}

// Room for the links and joints of the file and for those of a virtual joint.
static bool takeArrays(wkUrdfDraft* draft, size_t linkCount, size_t jointCount)
{
    wkIoArena* arena = &draft->arena;
    draft->links = wkIoArena_TakeArray(arena, linkCount, sizeof *draft->links);
    draft->linkElements = wkIoArena_TakeArray(arena, linkCount, sizeof(wkXmlElement*));
    draft->linkJoints = wkIoArena_TakeArray(arena, linkCount, sizeof *draft->linkJoints);
    draft->joints = wkIoArena_TakeArray(arena, jointCount, sizeof *draft->joints);
    draft->jointElements = wkIoArena_TakeArray(arena, jointCount, sizeof(wkXmlElement*));
    draft->jointParents = wkIoArena_TakeArray(arena, jointCount, sizeof *draft->jointParents);
    draft->jointChildren = wkIoArena_TakeArray(arena, jointCount, sizeof *draft->jointChildren);
    return draft->links != NULL && draft->linkElements != NULL && draft->linkJoints != NULL &&
           draft->joints != NULL && draft->jointElements != NULL && draft->jointParents != NULL &&
           draft->jointChildren != NULL && wkIoNames_Init(&draft->linkNames, arena, linkCount) &&
           wkIoNames_Init(&draft->jointNames, arena, jointCount);
}

wkResult wkUrdf_ReadLinks(wkUrdfDraft* draft)
{
    const wkXmlFile* file = &draft->urdf;
    int32_t linkCount = wkXmlElement_CountChildren(file->root, "link");
    int32_t jointCount = wkXmlElement_CountChildren(file->root, "joint");
    if (!takeArrays(draft, (size_t)linkCount + 1, (size_t)jointCount + 1)) {
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
        int32_t number = draft->def.linkCount;
        int32_t other = wkIoNames_Add(&draft->linkNames, name, number);
        if (other >= 0) {
            return wkXmlFile_Fail(file, link, wk_errorParse, "line %d has a link of that name",
                                  (int)draft->linkElements[other]->line);
        }
        draft->links[number] = name;
        draft->linkElements[number] = link;
        draft->linkJoints[number] = -1;
        draft->def.linkCount++;
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
