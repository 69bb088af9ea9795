// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Checks that links and joints form one tree, and that mimic joints form no cycle. wkRobot_Create would
// refuse that too, but only here the lines are known.

#include "io/robot/urdf_builder.h"

static wkResult findCarriers(wkUrdfBuilder* builder)
{
    for (int32_t joint = 0; joint < builder->def.jointCount; joint++) {
        int32_t child = builder->jointChildren[joint];
        int32_t other = builder->linkJoints[child];
        if (other >= 0) {
            return wkXmlFile_Fail(&builder->urdf, builder->jointElements[joint], wk_errorParse,
                                  "joint \"%.80s\" (line %d) carries link \"%.80s\" already",
                                  builder->joints[other].name,
                                  (int)builder->jointElements[other]->line, builder->links[child]);
        }
        builder->linkJoints[child] = joint;
    }
    return wk_ok;
}

static wkResult checkRoots(const wkUrdfBuilder* builder)
{
    int32_t root = -1;
    for (int32_t link = 0; link < builder->def.linkCount; link++) {
        if (builder->linkJoints[link] >= 0) {
            continue;
        }
        if (root >= 0) {
            return wkXmlFile_Fail(&builder->urdf, builder->linkElements[link], wk_errorParse,
                                  "no joint carries it, nor link \"%.80s\" (line %d): two roots",
                                  builder->links[root], (int)builder->linkElements[root]->line);
        }
        root = link;
    }
    return wk_ok;
}

// Finds an item from which `next` leads back to itself; -1: none. `visited` is zero on entry and marks visited
// items, so that each is visited once.
static int32_t findCircle(const int32_t* next, int32_t count, int32_t* visited)
{
    for (int32_t start = 0; start < count; start++) {
        int32_t item = start;
        while (item >= 0 && visited[item] == 0) {
            visited[item] = start + 1;
            item = next[item];
        }
        if (item >= 0 && visited[item] == start + 1) {
            return item;
        }
    }
    return -1;
}

static wkResult checkLoops(wkUrdfBuilder* builder)
{
    size_t count = (size_t)builder->def.linkCount;
    int32_t* visited = wkIoArena_AllocArray(&builder->arena, count, sizeof *visited);
    int32_t* parents = wkIoArena_AllocArray(&builder->arena, count, sizeof *parents);
    if (visited == NULL || parents == NULL) {
        return wkXmlFile_FailMemory(&builder->urdf);
    }
    for (size_t link = 0; link < count; link++) {
        int32_t joint = builder->linkJoints[link];
        parents[link] = joint >= 0 ? builder->jointParents[joint] : -1;
    }
    int32_t link = findCircle(parents, builder->def.linkCount, visited);
    if (link < 0) {
        return wk_ok;
    }
    return wkXmlFile_Fail(&builder->urdf, builder->jointElements[builder->linkJoints[link]],
                          wk_errorParse, "joints go round from link \"%.80s\" back to it",
                          builder->links[link]);
}

static wkResult checkMimics(wkUrdfBuilder* builder)
{
    size_t count = (size_t)builder->def.jointCount;
    int32_t* visited = wkIoArena_AllocArray(&builder->arena, count, sizeof *visited);
    int32_t* followed = wkIoArena_AllocArray(&builder->arena, count, sizeof *followed);
    if (visited == NULL || followed == NULL) {
        return wkXmlFile_FailMemory(&builder->urdf);
    }
    for (size_t joint = 0; joint < count; joint++) {
        const char* mimic = builder->joints[joint].mimic;
        followed[joint] = mimic != NULL ? wkIoNames_Find(&builder->jointNames, mimic) : -1;
    }
    int32_t joint = findCircle(followed, builder->def.jointCount, visited);
    if (joint < 0) {
        return wk_ok;
    }
    return wkXmlFile_Fail(&builder->urdf,
                          wkXmlElement_Child(builder->jointElements[joint], "mimic"), wk_errorParse,
                          "joints follow each other in a circle");
}

wkResult wkUrdf_CheckTree(wkUrdfBuilder* builder)
{
    wkResult result = findCarriers(builder);
    if (result == wk_ok) {
        result = checkRoots(builder);
    }
    if (result == wk_ok) {
        result = checkLoops(builder);
    }
    return result == wk_ok ? checkMimics(builder) : result;
}
