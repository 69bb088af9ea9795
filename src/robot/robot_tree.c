// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of links from the root outward, and what joints mimic in the end.

#include "base/error.h"
#include "robot/robot_draft.h"

static wkResult findRoot(const wkRobotDraft* draft, int32_t* root)
{
    const wkRobotDef* def = draft->def;
    *root = -1;
    for (int32_t i = 0; i < def->linkCount; i++) {
        if (draft->carrier[i] >= 0) {
            continue;
        }
        if (*root >= 0) {
            return wkFail(wk_errorArgument,
                          "robot '%s': links '%s' and '%s' have no joint that "
                          "carries them, but one link alone is the root",
                          def->name, def->links[*root], def->links[i]);
        }
        *root = i;
    }
    if (*root < 0) {
        return wkFail(wk_errorArgument, "robot '%s': its joints go in a circle, without a root",
                      def->name);
    }
    return wk_ok;
}

// The link after this one, depth first; -1 when all are done.
static int32_t nextLink(const wkRobotDraft* draft, int32_t link)
{
    const wkJointDef* joints = draft->def->joints;
    int32_t joint = draft->firstChild[link];
    while (joint < 0 && draft->carrier[link] >= 0) {
        int32_t carrier = draft->carrier[link];
        joint = draft->nextChild[carrier];
        link = wkNames_Find(&draft->links, joints[carrier].parent);
    }
    return joint >= 0 ? wkNames_Find(&draft->links, joints[joint].child) : -1;
}

// Names a joint of the circle that a link hangs on: going back as often as there are links ends
// there.
static wkResult failCircle(const wkRobotDraft* draft, int32_t link)
{
    const wkRobotDef* def = draft->def;
    for (int32_t i = 0; i < def->linkCount; i++) {
        link = wkNames_Find(&draft->links, def->joints[draft->carrier[link]].parent);
    }
    return wkFail(wk_errorArgument, "robot '%s': joint '%s' is part of a circle", def->name,
                  def->joints[draft->carrier[link]].name);
}

wkResult wkOrderRobotTree(wkRobotDraft* draft)
{
    int32_t link = -1, count = 0;
    wkResult result = findRoot(draft, &link);
    if (result != wk_ok) {
        return result;
    }
    for (; link >= 0; link = nextLink(draft, link)) {
        draft->linkRank[link] = count;
        draft->linkOrder[count++] = link;
    }
    for (int32_t i = 0; i < draft->def->linkCount; i++) {
        if (draft->linkRank[i] < 0) {
            return failCircle(draft, i);
        }
    }
    return wk_ok;
}

// Marks of joints on the way along what they mimic.
enum {
    notSeen = -2,
    underWay = -3
};

// Adds up the factors of a joint whose model is resolved.
static void resolve(wkRobotDraft* draft, int32_t joint, int32_t model)
{
    const wkJointDef* def = &draft->def->joints[joint];
    int32_t last = model >= 0 ? draft->mimicked[model] : -1;
    draft->mimicked[joint] = last >= 0 ? last : model;
    draft->factor[joint] = 1.0;
    draft->offset[joint] = 0.0;
    if (model >= 0) {
        draft->factor[joint] = def->mimicFactor * draft->factor[model];
        draft->offset[joint] = def->mimicFactor * draft->offset[model] + def->mimicOffset;
    }
}

// Walks along the models of a joint to one that is resolved or has none, and back again: `trail`
// says who asked.
static wkResult followMimics(wkRobotDraft* draft, int32_t start, int32_t* trail)
{
    const wkJointDef* joints = draft->def->joints;
    int32_t joint = start, asker = -1;
    for (;;) {
        int32_t model = wkNames_Find(&draft->joints, joints[joint].mimic);
        trail[joint] = asker;
        if (model >= 0 && draft->mimicked[model] == notSeen) {
            draft->mimicked[joint] = underWay;
            asker = joint;
            joint = model;
            continue;
        }
        if (model == joint || (model >= 0 && draft->mimicked[model] == underWay)) {
            return wkFail(wk_errorArgument, "joint '%s' mimics '%s' in a circle",
                          joints[joint].name, joints[model].name);
        }
        resolve(draft, joint, model);
        break;
    }
    for (; trail[joint] >= 0; joint = trail[joint]) {
        resolve(draft, trail[joint], joint);
    }
    return wk_ok;
}

wkResult wkResolveMimics(wkRobotDraft* draft)
{
    const wkRobotDef* def = draft->def;
    // the tree is in order: who hangs beside whom is needed no more
    int32_t* trail = draft->nextChild;
    for (int32_t i = 0; i < def->jointCount; i++) {
        draft->mimicked[i] = notSeen;
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < def->jointCount && result == wk_ok; i++) {
        if (draft->mimicked[i] == notSeen) {
            result = followMimics(draft, i, trail);
        }
    }
    return result;
}
