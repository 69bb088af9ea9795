// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The sphere tree of a link.

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "whisker/sphere_tree.h"

wkResult wkSphereTree_CreateForLink(const wkRobot* robot, int32_t link, const wkSphereTreeDef* def,
                                    wkSphereTree** tree)
{
    *tree = NULL;
    wkSphereTreeDef used = def != NULL ? *def : wkDefaultSphereTreeDef();
    if (!WK_HAS_COOKIE(&used, wkSphereTreeDef)) {
        return WK_FAIL_COOKIE(&used, wkSphereTreeDef);
    }
    int32_t linkCount = robot != NULL ? wkRobot_Info(robot).linkCount : 0;
    if (link < 0 || link >= linkCount) {
        return wkFail(wk_errorRange, "sphere tree: link is %d, must be 0 to %d", (int)link,
                      (int)linkCount - 1);
    }
    wkLinkInfo info = wkRobot_Link(robot, link);
    if (info.bodyCount == 0) {
        return wk_ok;
    }
    size_t byteCount = (size_t)info.bodyCount * sizeof(wkSphereTreeBody);
    wkSphereTreeBody* bodies = wkAlloc(byteCount);
    if (bodies == NULL) {
        return wkFail(wk_errorMemory, "sphere tree: out of memory");
    }
    for (int32_t i = 0; i < info.bodyCount; ++i) {
        wkBodyInfo body = wkRobot_Body(robot, info.firstBody + i);
        bodies[i] = (wkSphereTreeBody){body.shape, body.pose};
    }
    used.bodies = bodies;
    used.bodyCount = info.bodyCount;
    wkResult result = wkSphereTree_Create(&used, tree);
    wkFree(bodies, byteCount);
    return result;
}
