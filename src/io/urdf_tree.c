// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Whether links and joints form one tree, and joints do not follow each other in circles.
// wkRobot_Create would refuse that too, but only here the lines are known.

#include "io/urdf_draft.h"

static wkResult findCarriers(wkUrdfDraft* draft)
{
    for (int32_t joint = 0; joint < draft->def.jointCount; joint++) {
        int32_t child = draft->jointChildren[joint];
        int32_t other = draft->linkJoints[child];
        if (other >= 0) {
            return wkXmlFile_Fail(&draft->urdf, draft->jointElements[joint], wk_errorParse,
                                  "joint \"%.80s\" (line %d) carries link \"%.80s\" already",
                                  draft->joints[other].name, (int)draft->jointElements[other]->line,
                                  draft->links[child]);
        }
        draft->linkJoints[child] = joint;
    }
    return wk_ok;
}

static wkResult checkRoots(const wkUrdfDraft* draft)
{
    int32_t root = -1;
    for (int32_t link = 0; link < draft->def.linkCount; link++) {
        if (draft->linkJoints[link] >= 0) {
            continue;
        }
        if (root >= 0) {
            return wkXmlFile_Fail(&draft->urdf, draft->linkElements[link], wk_errorParse,
                                  "no joint carries it, nor link \"%.80s\" (line %d): two roots",
                                  draft->links[root], (int)draft->linkElements[root]->line);
        }
        root = link;
    }
    return wk_ok;
}

// An item from which `next` leads back to itself; -1: none. `seen` is zero, and is filled with who has
// come by, so that nobody goes a way twice.
static int32_t findCircle(const int32_t* next, int32_t count, int32_t* seen)
{
    for (int32_t start = 0; start < count; start++) {
        int32_t item = start;
        while (item >= 0 && seen[item] == 0) {
            seen[item] = start + 1;
            item = next[item];
        }
        if (item >= 0 && seen[item] == start + 1) {
            return item;
        }
    }
    return -1;
}

static wkResult checkLoops(wkUrdfDraft* draft)
{
    size_t count = (size_t)draft->def.linkCount;
    int32_t* seen = wkIoArena_TakeArray(&draft->arena, count, sizeof *seen);
    int32_t* parents = wkIoArena_TakeArray(&draft->arena, count, sizeof *parents);
    if (seen == NULL || parents == NULL) {
        return wkXmlFile_FailMemory(&draft->urdf);
    }
    for (size_t link = 0; link < count; link++) {
        int32_t joint = draft->linkJoints[link];
        parents[link] = joint >= 0 ? draft->jointParents[joint] : -1;
    }
    int32_t link = findCircle(parents, draft->def.linkCount, seen);
    if (link < 0) {
        return wk_ok;
    }
    return wkXmlFile_Fail(&draft->urdf, draft->jointElements[draft->linkJoints[link]],
                          wk_errorParse, "joints go round from link \"%.80s\" back to it",
                          draft->links[link]);
}

static wkResult checkMimics(wkUrdfDraft* draft)
{
    size_t count = (size_t)draft->def.jointCount;
    int32_t* seen = wkIoArena_TakeArray(&draft->arena, count, sizeof *seen);
    int32_t* followed = wkIoArena_TakeArray(&draft->arena, count, sizeof *followed);
    if (seen == NULL || followed == NULL) {
        return wkXmlFile_FailMemory(&draft->urdf);
    }
    for (size_t joint = 0; joint < count; joint++) {
        const char* mimic = draft->joints[joint].mimic;
        followed[joint] = mimic != NULL ? wkIoNames_Find(&draft->jointNames, mimic) : -1;
    }
    int32_t joint = findCircle(followed, draft->def.jointCount, seen);
    if (joint < 0) {
        return wk_ok;
    }
    return wkXmlFile_Fail(&draft->urdf, wkXmlElement_Child(draft->jointElements[joint], "mimic"),
                          wk_errorParse, "joints follow each other in a circle");
}

wkResult wkUrdf_CheckTree(wkUrdfDraft* draft)
{
    wkResult result = findCarriers(draft);
    if (result == wk_ok) {
        result = checkRoots(draft);
    }
    if (result == wk_ok) {
        result = checkLoops(draft);
    }
    return result == wk_ok ? checkMimics(draft) : result;
}
