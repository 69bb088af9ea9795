// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The first contact of a moving shape with a scene: a cast against each object in the swept bounds, none further than the
// first contact so far.

#include "whisker/scene_cast.h"

#include "base/cookie.h"
#include "base/error.h"
#include "query/pair/shape_class.h"
#include "scene/scene_search.h"

#include <string.h>

typedef struct castRun {
    const wkScene* scene;
    const wkShape* shape;
    const wkBodyMotion* motion;
    wkCastRequest request; // until the first contact so far
    wkSceneCastResult result;
} castRun;

static bool castAt(int32_t none, int32_t slotIndex, void* context)
{
    (void)none;
    castRun* run = (castRun*)context;
    const wkObjectTable* table = &run->scene->table;
    wkBodyMotion standing = wkMakeStaticMotion(table->bodies[slotIndex].pose);
    wkCastResult contact =
        wkCast(run->shape, run->motion, &table->shapes[slotIndex], &standing, &run->request);
    ++run->result.pairCount;
    bool isClear = !contact.isTouching && !run->result.contact.isTouching;
    if (isClear && contact.status != wk_statusExact) {
        run->result.contact.status = contact.status; // proven for a mesh that is not watertight
    }
    bool isEarlier = !run->result.contact.isTouching || contact.time < run->result.contact.time;
    if (contact.isTouching && isEarlier) {
        run->result.id = wkIdOfSlot(run->scene, slotIndex);
        run->result.contact = contact;
        run->request.until = contact.time;
    }
    return run->request.until > 0.0;
}

static wkSceneCastResult invalidCast(void)
{
    wkSceneCastResult result;
    memset(&result, 0, sizeof result);
    result.contact.isTouching = true;
    result.contact.status = wk_statusInvalid;
    result.contact.distance = -INFINITY;
    result.contact.normal = wkVec(0.0, 0.0, 1.0);
    return result;
}

wkSceneCastRequest wkDefaultSceneCastRequest(void)
{
    wkSceneCastRequest request = {
        .cookie = WK_COOKIE(wkSceneCastRequest),
        .scene = wkDefaultSceneRequest(),
        .cast = wkDefaultCastRequest(),
    };
    return request;
}

static wkResult checkRequest(const wkSceneCastRequest* request)
{
    if (!WK_HAS_COOKIE(request, wkSceneCastRequest)) {
        return WK_FAIL_COOKIE(request, wkSceneCastRequest);
    }
    if (!WK_HAS_COOKIE(&request->cast, wkCastRequest)) {
        return WK_FAIL_COOKIE(&request->cast, wkCastRequest);
    }
    if (wkSceneRequestOf(&request->scene) == NULL || request->scene.margin != 0.0) {
        return wkFail(wk_errorArgument,
                      "wkScene_Cast: scene was not started from wkDefaultSceneRequest(), or its "
                      "margin is %g, must be 0: that of the cast counts",
                      request->scene.margin);
    }
    const wkCastRequest* cast = &request->cast;
    bool isValid = cast->margin == cast->margin && cast->tolerance >= 0.0 && cast->until > 0.0 &&
                   cast->until <= 1.0;
    return isValid ? wk_ok
                   : wkFail(wk_errorRange,
                            "wkScene_Cast: margin is %g, tolerance %g, until %g: must be a number, "
                            ">= 0, and above 0 up to 1",
                            cast->margin, cast->tolerance, cast->until);
}

wkSceneCastResult wkScene_Cast(const wkScene* scene, const wkShape* shape,
                               const wkBodyMotion* motion, const wkSceneCastRequest* request)
{
    wkSceneCastRequest standard = wkDefaultSceneCastRequest();
    request = request != NULL ? request : &standard;
    if (checkRequest(request) != wk_ok || scene == NULL || !wkIsFreshScene(scene, "scene") ||
        !wkIsValidShape(shape) || wkBodyMotion_Check(motion) != wk_ok) {
        return invalidCast();
    }
    castRun run = {.scene = scene, .shape = shape, .motion = motion, .request = request->cast};
    run.request.cache = NULL; // it is of one pair
    run.result.contact.status = wk_statusExact;
    run.result.contact.time = request->cast.until;
    run.result.contact.touchingBy = INFINITY;
    wkAabb box = wkShape_SweptBounds(shape, motion);
    if (box.lower.x <= box.upper.x) {
        wkSearch search =
            wkMakeSearch(&request->scene, wkPositive(request->cast.margin), true, castAt, &run);
        wkSearchBox(&search, scene, &box);
    }
    return run.result;
}
