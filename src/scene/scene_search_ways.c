// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches that not every broad phase supports: along rays, and nearest first.

#include "scene/scene_search.h"

#include "query/pair/content_cull.h"

// How much less than it is wkFloatBoxGap may return, relative to the gap: 1e-15 on purpose, and its rounding.
#define GAP_ROUNDING 4e-15

// A few boxes, each much larger than the one before, and then everything: where an object is near, it is
// found early and the limit ends the search; otherwise little time is lost.
#define BOX_COUNT 5
static const double growths[BOX_COUNT] = {0x1p0, 0x1p3, 0x1p9, 0x1p20, INFINITY};

bool wkVisitNearByBoxes(wkSearch* search, wkDynVisitFcn* fcn)
{
    const wkScene* scene = search->in;
    double size = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
        double side = (double)search->box.upper[axis] - (double)search->box.lower[axis];
        size = side > size && side < INFINITY ? side : size;
    }
    size = size > 0.0 ? size : 1.0;
    for (int i = 0; i < BOX_COUNT; ++i) {
        double radius = wkMinD(growths[i] * size, search->limit);
        wkFloatBox box = wkGrownFloatBox(search->box, wkMaxD(radius, 0.0));
        if (!scene->row->visitBox(scene->broad, &box, fcn, search)) {
            return false;
        }
        if (search->limit <= radius) {
            break;
        }
        // a gap up to this is less than the radius, whatever its rounding
        search->visited = radius * (1.0 - GAP_ROUNDING);
    }
    return true;
}

// A search that culls boxes by the content of a shape.
typedef struct cullSearch {
    wkGroupCull cull;
    wkVec3d origin; // of the boxes
    wkSearch* search;
    wkDynVisitFcn* fcn;
    double reach; // maximum distance from the content
} cullSearch;

static unsigned cullBoxes(const wkEightBoxes* boxes, unsigned lanes, void* context)
{
    const cullSearch* s = (const cullSearch*)context;
    double reach = wkMinD(s->reach, s->search->limit);
    return wkGroupCull_Pass(&s->cull, boxes, s->origin, reach, lanes);
}

static bool classifyCulled(int32_t name, void* context)
{
    const cullSearch* s = (const cullSearch*)context;
    return s->fcn(name, s->search);
}

// The closest pair is searched next to the content first, and then at growing distances. A box that passed before is
// visited again: whether it was visited cannot be told from the smaller reach, since it depended on the boxes around
// it, which rounding may cull at a reach that the box itself passes.
#define REACH_COUNT 12

bool wkVisitGroups(wkSearch* search, wkDynVisitFcn* fcn)
{
    const wkScene* scene = search->in;
    cullSearch s = {.origin = scene->def.origin, .search = search, .fcn = fcn};
    wkGroupCull_Place(&s.cull, search->culling, search->cullingPose);
    s.reach = search->isFixed ? INFINITY : wkFirstReach(search->culling);
    for (int i = 0;; ++i) {
        wkFloatBox box = wkGrownFloatBox(search->box, wkMaxD(search->limit, 0.0));
        if (!scene->row->visitGroups(scene->broad, &box, cullBoxes, classifyCulled, &s)) {
            return false;
        }
        if (search->limit <= s.reach) {
            return true;
        }
        s.reach = i < REACH_COUNT ? 2.0 * s.reach : INFINITY;
    }
}

typedef struct raySearch {
    wkSearch* search;
    const wkScene* scene;
    wkVec3d origin;  // in the coordinates of the scene's boxes
    wkVec3d inverse; // one over the direction
} raySearch;

static bool classifyOnRay(const raySearch* ray, int32_t slotIndex)
{
    const wkSearch* search = ray->search;
    const wkObjectRow* row = &ray->scene->table.rows[slotIndex];
    const wkSceneRequest* request = search->request;
    wkFloatBox box = wkBoxOfRow(row);
    bool isOut = (row->category & request->mask) == 0 || (request->category & row->mask) == 0 ||
                 !(wkFloatBoxEntry(&box, ray->origin, ray->inverse, search->limit) < INFINITY);
    if (isOut || (request->accepts != NULL &&
                  !request->accepts(wk_nullObjectId, wkIdOfSlot(ray->scene, slotIndex),
                                    request->acceptsContext))) {
        return true;
    }
    return search->fcn(WK_QUERY_SOURCE, slotIndex, search->context);
}

static bool classifyKnownOnRay(int32_t slotIndex, void* context)
{
    const raySearch* ray = (const raySearch*)context;
    return ray->scene->table.slots[slotIndex].waiting >= 0 || classifyOnRay(ray, slotIndex);
}

// Box around a ray up to a length.
static wkFloatBox boxOfRay(const wkRay* ray, wkVec3d origin, double length)
{
    wkAabb box = {ray->origin, ray->origin};
    for (int axis = 0; axis < 3; ++axis) {
        double along = wkAlongAxis(&ray->direction, axis);
        // avoids 0 * infinity: the ray does not move along this axis
        double end = along != 0.0 ? along * length : 0.0;
        ((double*)&box.lower)[axis] += wkMinD(end, 0.0);
        ((double*)&box.upper)[axis] += wkMaxD(end, 0.0);
    }
    wkFloatBox around = wkFloatBoxAround(&box, origin);
    // covers the rounding of the end
    double slack = 1e-14 * wkMaxAbs(ray->origin) + (length < INFINITY ? 1e-14 * length : 0.0);
    return wkGrownFloatBox(around, slack);
}

bool wkSearchRay(wkSearch* search, const wkScene* scene, const wkRay* ray)
{
    wkVec3d d = ray->direction;
    raySearch aimed = {search, scene, wkSub(ray->origin, scene->def.origin),
                       wkVec(1.0 / d.x, 1.0 / d.y, 1.0 / d.z)};
    for (int32_t i = 0; i < scene->waitingCount; ++i) {
        if (!classifyOnRay(&aimed, scene->table.waiting[i])) {
            return false;
        }
    }
    if (scene->row->visitRay != NULL) {
        return scene->row->visitRay(scene->broad, aimed.origin, aimed.inverse, &search->limit,
                                    classifyKnownOnRay, &aimed);
    }
    wkFloatBox box = boxOfRay(ray, scene->def.origin, search->limit);
    return scene->row->visitBox(scene->broad, &box, classifyKnownOnRay, &aimed);
}
