// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds the cells of a map that a shape at one pose meets. Cubes are split down to single cells, uniform
// ones as well, since unknown space is one huge cube at first. The distance of a cube's center from the
// shape nearly always decides whether it is met, and whether it is inside the shape, where all cells that
// count are added without a test; the rest is tested as a box.

#include "query/map/cost_impl.h"

#include "base/error.h"
#include "query/map/map_query.h"
#include "query/pair/point.h"
#include "query/pair/shape_class.h"

// A cube on the stack. Met cells inside it change only when it is popped: what was noted about it
// before stays valid, and so does the index of its block.
typedef struct cube {
    wkCellKey key; // of its lowest cell
    bool isInside; // the shape contains all of it
    int depth;
    wkOctreeChild content;
    wkOctreeChild met;
} cube;

// A shape at one pose.
typedef struct visit {
    wkCostTask* task;
    wkPose atPose;
    wkFrame frame;
    wkAabb bounds; // around everything near enough
    double margin; // between the shape and a piece
    double reach;  // between the shape and a cube without margins
    double (*pointDistance)(const wkShape* shape, wkVec3d point);
} visit;

typedef enum verdict {
    wk_cubeMissed,
    wk_cubeMet,
    wk_cubeInside,
} verdict;

static visit visitOf(wkCostTask* task, const wkPose* atPose, double inflation)
{
    const wkShape* shape = task->shape;
    double far = wkMaxAbs(atPose->position) + wkMapBodyReach(shape) +
                 WK_MIDDLE_KEY * task->octree->def.resolution;
    visit v = {
        .task = task,
        .atPose = *atPose,
        .frame = wkFrameFromPose(*atPose),
        .bounds = wkShape_Bounds(shape, *atPose),
        .margin = task->def->margin + inflation + WK_ROUNDING * far,
        .pointDistance = wkShapeClassOf(shape)->pointDistance,
    };
    v.reach = v.margin + wkShapeRadius(&task->piece);
    wkVec3d around = wkVec(v.reach, v.reach, v.reach);
    v.bounds.lower = wkSub(v.bounds.lower, around);
    v.bounds.upper = wkAdd(v.bounds.upper, around);
    return v;
}

static bool isOutside(const wkAabb* bounds, wkVec3d center, double half)
{
    return center.x - half > bounds->upper.x || center.x + half < bounds->lower.x ||
           center.y - half > bounds->upper.y || center.y + half < bounds->lower.y ||
           center.z - half > bounds->upper.z || center.z + half < bounds->lower.z;
}

// Decides by an exact query.
static bool isTouching(visit* v, wkVec3d center, double half)
{
    wkShape* piece = &v->task->piece;
    piece->box.half = wkVec(half, half, half);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = v->margin;
    wkPose atPose = wkMakePose(center.x, center.y, center.z);
    return wkCollide(v->task->shape, v->atPose, piece, atPose, &request).isTouching;
}

// Classifies a cube by its inscribed and its circumscribed sphere; little is left for exact queries.
static verdict classifyCube(visit* v, const cube* c)
{
    const double rootOfThree = 1.7320508075688774;
    double size = v->task->octree->def.resolution, half = wkHalfOfDepth(c->depth);
    double shift = half - WK_MIDDLE_KEY;
    wkVec3d center = wkScale(
        size, wkVec((double)c->key.x + shift, (double)c->key.y + shift, (double)c->key.z + shift));
    half *= size;
    if (isOutside(&v->bounds, center, half)) {
        return wk_cubeMissed;
    }
    double distance = v->pointDistance(v->task->shape, wkFrameLocal(&v->frame, center));
    double around = rootOfThree * half;
    if (distance - around > v->reach) {
        return wk_cubeMissed;
    }
    if (distance + around <= v->reach) {
        return wk_cubeInside;
    }
    bool isNear = distance - half <= v->reach;
    return isNear || isTouching(v, center, half) ? wk_cubeMet : wk_cubeMissed;
}

static bool hasUnknown(wkOctreeChild content)
{
    return content.link == 0 ? isnan(content.value) : (content.link & WK_OCTREE_HAS_UNKNOWN) != 0;
}

static bool counts(const wkCostTask* task, wkOctreeChild content)
{
    return content.value > task->below || (task->def->countsUnknown && hasUnknown(content));
}

// Worth of a cube that counts: the highest in it.
static float worthOf(const wkCostTask* task, wkOctreeChild content)
{
    bool isKnown = content.value > task->below;
    bool isUnknown = task->def->countsUnknown && hasUnknown(content);
    bool isUnknownHigher = isUnknown && !(isKnown && content.value >= task->unknownWorth);
    return isUnknownHigher ? WK_MET_UNKNOWN : content.value;
}

static wkOctreeChild childOf(const wkOctree* octree, wkOctreeChild content, int depth, int i)
{
    return content.link != 0 ? wkOctreeChildAt(octree, content.link, depth, i) : content;
}

static bool isMet(wkOctreeChild met)
{
    return met.link == 0 && !isnan(met.value);
}

// Lists the children of a cube that count and have not been met yet.
static int openCube(const wkCostTask* task, const cube* c, cube* children)
{
    unsigned edge = 1u << (WK_OCTREE_DEPTH - 1 - c->depth);
    int count = 0;
    for (int i = 0; i < 8; ++i) {
        cube child = {
            .key = {(uint16_t)(c->key.x + (i & 1 ? edge : 0u)),
                    (uint16_t)(c->key.y + (i & 2 ? edge : 0u)),
                    (uint16_t)(c->key.z + (i & 4 ? edge : 0u))},
            .isInside = c->isInside,
            .depth = c->depth + 1,
            .content = childOf(task->octree, c->content, c->depth, i),
            .met = childOf(task->met, c->met, c->depth, i),
        };
        if (counts(task, child.content) && !isMet(child.met)) {
            children[count++] = child;
        }
    }
    return count;
}

wkResult wkCostFailWork(const wkCostTask* task)
{
    return wkFail(wk_errorRange, "cost: more than %lld cubes to visit: see maxWork and maxDepth",
                  (long long)task->def->maxWork);
}

wkResult wkCostAddPose(wkCostTask* task, const wkPose* atPose, double inflation)
{
    visit v = visitOf(task, atPose, inflation);
    cube stack[WK_MAP_STACK];
    stack[0] = (cube){.content = {task->octree->rootValue, task->octree->rootLink},
                      .met = {task->met->rootValue, task->met->rootLink}};
    int count = counts(task, stack[0].content) ? 1 : 0;
    while (count > 0) {
        cube c = stack[--count];
        if (--task->workLeft < 0) {
            return wkCostFailWork(task);
        }
        verdict found = c.isInside ? wk_cubeInside : classifyCube(&v, &c);
        if (found == wk_cubeMissed) {
            continue;
        }
        c.isInside = found == wk_cubeInside;
        bool isWhole = c.depth >= task->def->maxDepth || (c.isInside && c.content.link == 0);
        if (!isWhole) {
            count += openCube(task, &c, stack + count);
        } else if (!wkOctreeSetCube(task->met, wkMortonOfKey(c.key), c.depth,
                                    worthOf(task, c.content))) {
            return wkFail(wk_errorMemory, "cost: no memory for more cells");
        }
    }
    return wk_ok;
}
