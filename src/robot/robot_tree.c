// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The order of links from the root outward, and the joint at the end of each chain of mimics.

#include "base/error.h"
#include "robot/robot_builder.h"

static wkResult findRoot(const wkRobotBuilder* builder, int32_t* root)
{
    const wkRobotDef* def = builder->def;
    *root = -1;
    for (int32_t i = 0; i < def->linkCount; i++) {
        if (builder->carrier[i] >= 0) {
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

// Returns the next link in depth-first order; -1 at the end.
static int32_t nextLink(const wkRobotBuilder* builder, int32_t link)
{
    const wkJointDef* joints = builder->def->joints;
    int32_t joint = builder->firstChild[link];
    while (joint < 0 && builder->carrier[link] >= 0) {
        int32_t carrier = builder->carrier[link];
        joint = builder->nextChild[carrier];
        link = wkNames_Find(&builder->links, joints[carrier].parent);
    }
    return joint >= 0 ? wkNames_Find(&builder->links, joints[joint].child) : -1;
}

// Reports a joint of the circle above a link: climbing as many joints as there are links ends in the
// circle.
static wkResult failCircle(const wkRobotBuilder* builder, int32_t link)
{
    const wkRobotDef* def = builder->def;
    for (int32_t i = 0; i < def->linkCount; i++) {
        link = wkNames_Find(&builder->links, def->joints[builder->carrier[link]].parent);
    }
    return wkFail(wk_errorArgument, "robot '%s': joint '%s' is part of a circle", def->name,
                  def->joints[builder->carrier[link]].name);
}

wkResult wkOrderRobotTree(wkRobotBuilder* builder)
{
    int32_t link = -1, count = 0;
    wkResult result = findRoot(builder, &link);
    if (result != wk_ok) {
        return result;
    }
    for (; link >= 0; link = nextLink(builder, link)) {
        builder->linkRank[link] = count;
        builder->linkOrder[count++] = link;
    }
    for (int32_t i = 0; i < builder->def->linkCount; i++) {
        if (builder->linkRank[i] < 0) {
            return failCircle(builder, i);
        }
    }
    return wk_ok;
}

// Marks of joints during the walk along mimics.
enum {
    notVisited = -2,
    underWay = -3
};

// Multiplies the factors of a joint whose model is resolved.
static void resolve(wkRobotBuilder* builder, int32_t joint, int32_t model)
{
    const wkJointDef* def = &builder->def->joints[joint];
    int32_t last = model >= 0 ? builder->mimicked[model] : -1;
    builder->mimicked[joint] = last >= 0 ? last : model;
    builder->factor[joint] = 1.0;
    builder->offset[joint] = 0.0;
    if (model >= 0) {
        builder->factor[joint] = def->mimicFactor * builder->factor[model];
        builder->offset[joint] = def->mimicFactor * builder->offset[model] + def->mimicOffset;
    }
}

// Walks along the models of a joint to one that is resolved or has none, and back again. `trail` holds
// the joint before each one.
static wkResult followMimics(wkRobotBuilder* builder, int32_t start, int32_t* trail)
{
    const wkJointDef* joints = builder->def->joints;
    int32_t joint = start, source = -1;
    for (;;) {
        int32_t model = wkNames_Find(&builder->joints, joints[joint].mimic);
        trail[joint] = source;
        if (model >= 0 && builder->mimicked[model] == notVisited) {
            builder->mimicked[joint] = underWay;
            source = joint;
            joint = model;
            continue;
        }
        if (model == joint || (model >= 0 && builder->mimicked[model] == underWay)) {
            return wkFail(wk_errorArgument, "joint '%s' mimics '%s' in a circle",
                          joints[joint].name, joints[model].name);
        }
        resolve(builder, joint, model);
        break;
    }
    for (; trail[joint] >= 0; joint = trail[joint]) {
        resolve(builder, trail[joint], joint);
    }
    return wk_ok;
}

wkResult wkResolveMimics(wkRobotBuilder* builder)
{
    const wkRobotDef* def = builder->def;
    // the tree is built: the lists of children are not needed any more, and their memory is reused
    int32_t* trail = builder->nextChild;
    for (int32_t i = 0; i < def->jointCount; i++) {
        builder->mimicked[i] = notVisited;
    }
    wkResult result = wk_ok;
    for (int32_t i = 0; i < def->jointCount && result == wk_ok; i++) {
        if (builder->mimicked[i] == notVisited) {
            result = followMimics(builder, i, trail);
        }
    }
    return result;
}
