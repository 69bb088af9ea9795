// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The three classes of shapes: how each implements the queries on a single shape.

#include "query/pair/shape_class.h"

#include "query/map/map_extent.h"
#include "query/map/map_query.h"
#include "query/pair/content_cull.h"
#include "query/pair/point.h"
#include "query/ray/map_ray.h"
#include "query/ray/surface_ray.h"
#include "query/tree/tree_extent.h"

#include "whisker/detail/counts.h"

static const char* convexName(wkShapeType type)
{
    bool isKnown = (unsigned)type < (unsigned)WK_CONVEX_TYPE_COUNT;
    return wkConvexTable[isKnown ? type : wk_shapeNone].name;
}

static const wkShapeFacts* convexFacts(wkShapeType type)
{
    bool isKnown = (unsigned)type < (unsigned)WK_CONVEX_TYPE_COUNT;
    return &wkConvexTable[isKnown ? type : wk_shapeNone].facts;
}

static bool convexIsValid(const wkShape* shape)
{
    return wkConvexRowOf(shape)->isValid(shape);
}

static wkResult convexCheck(const wkShape* shape)
{
    return wkConvexRowOf(shape)->check(shape);
}

static wkAabb convexBounds(const wkShape* shape, const wkPose* pose)
{
    wkFrame frame = wkFrameFromPose(*pose);
    wkAabb bounds = wkConvexRowOf(shape)->bounds(shape, &frame);

    // a rotation is exact to a few units in the last place of the shape's reach
    double radius = wkShapeRadius(shape);
    double reach = WK_ROUNDING * (wkCoreReach(shape) + fabs(radius));
    wkVec3d slack = wkMulAdd(wkVec(reach, reach, reach), WK_ROUNDING, wkAbs(pose->position));
    wkVec3d margin = wkAdd(slack, wkVec(radius, radius, radius));
    bounds.lower = wkSub(bounds.lower, margin);
    bounds.upper = wkAdd(bounds.upper, margin);
    return bounds;
}

static wkMass convexMass(const wkShape* shape)
{
    return wkConvexRowOf(shape)->mass(shape);
}

static wkResult convexTriangulate(const wkShape* shape, int segments, double extent,
                                  wkTriangulation* out)
{
    return wkConvexRowOf(shape)->triangulate(shape, segments, extent, out);
}

static wkVec3d convexSupport(const wkShape* shape, wkVec3d direction)
{
    const wkConvexRow* row = wkConvexRowOf(shape);
    wkVec3d point = row->support(shape, direction);
    return row->isBounded ? wkMulAdd(point, wkShapeRadius(shape), direction) : point;
}

static double convexPointDistance(const wkShape* shape, wkVec3d point)
{
    return wkPointDistance(shape, point).distance;
}

static void convexClosestPoint(const wkShape* shape, wkVec3d point, double cutoff,
                               wkPointResult* result)
{
    (void)cutoff;
    wkProjection projection = wkPointDistance(shape, point);
    result->distance = projection.distance;
    result->point = wkMulAdd(projection.point, wkShapeRadius(shape), projection.normal);
    result->normal = projection.normal;
    result->status = wk_statusExact;
}

static void convexCast(const wkShape* shape, const wkLocalRay* ray, wkShapeHit* hit)
{
    wkRayHit found = wkCastConvex(shape, ray->origin, ray->direction, ray->maxDistance);
    hit->isHit = found.isHit;
    hit->status = wk_statusExact;
    hit->part = -1;
    hit->distance = found.distance;
    hit->normal = found.normal;
}

static bool convexIsHit(const wkShape* shape, const wkLocalRay* ray)
{
    return wkCastConvex(shape, ray->origin, ray->direction, ray->maxDistance).isHit;
}

static const char* treeName(wkShapeType type)
{
    return wkIsTreeType(type) ? wkTreeShapeTable[type].name : convexName(wk_shapeNone);
}

static const wkShapeFacts* treeFacts(wkShapeType type)
{
    return &wkTreeShapeTable[type].facts;
}

static bool treeIsValid(const wkShape* shape)
{
    const wkTreeShapeRow* row = wkTreeShapeRowOf(shape);
    return row != NULL && row->isValid(shape);
}

static wkResult treeCheck(const wkShape* shape)
{
    const wkTreeShapeRow* row = wkTreeShapeRowOf(shape);
    return row != NULL ? row->check(shape) : convexCheck(shape);
}

static wkMass treeMass(const wkShape* shape)
{
    return wkTreeShapeRowOf(shape)->mass(shape);
}

static wkResult treeTriangulate(const wkShape* shape, int segments, double extent,
                                wkTriangulation* out)
{
    (void)segments, (void)extent;
    return wkTreeShapeRowOf(shape)->triangulate(shape, out);
}

static wkVec3d treeSupport(const wkShape* shape, wkVec3d direction)
{
    return wkMulAdd(wkTreeSupport(shape, direction), wkShapeRadius(shape), direction);
}

// The distance alone, from a function that finds the closest point.
static double distanceFrom(void closestPoint(const wkShape*, wkVec3d, double, wkPointResult*),
                           const wkShape* shape, wkVec3d point)
{
    wkPointResult result = {.distance = -INFINITY, .status = wk_statusInvalid};
    if (wkIsValidPoint(point)) {
        closestPoint(shape, point, INFINITY, &result);
    }
    return result.distance;
}

static double treePointDistance(const wkShape* shape, wkVec3d point)
{
    return distanceFrom(wkClosestInTree, shape, point);
}

static void treeCast(const wkShape* shape, const wkLocalRay* ray, wkShapeHit* hit)
{
    wkTreeHit found;
    if (wkIsBareSurface(shape)) {
        wkCastSurface(shape->mesh, ray, &found);
    } else {
        wkCastTree(shape, ray, &found);
    }
    hit->status = found.status;
    hit->isHit = found.part >= 0;
    if (hit->isHit) {
        hit->part = found.part;
        hit->distance = found.distance;
        hit->normal = found.normal;
    }
}

static bool treeIsHit(const wkShape* shape, const wkLocalRay* ray)
{
    if (!wkIsBareSurface(shape)) {
        return wkTreeIsHit(shape, ray);
    }
    wkRayWalk walk;
    wkCastAtMesh(shape->mesh, ray, true, &walk);
    return walk.item >= 0;
}

static const char* mapName(wkShapeType type)
{
    (void)type;
    return "octree";
}

static const wkShapeFacts* mapFacts(wkShapeType type)
{
    static const wkShapeFacts facts = {.digest = wkMapDigest, .changes = wkMapChanges};
    (void)type;
    return &facts;
}

static double mapPointDistance(const wkShape* shape, wkVec3d point)
{
    return distanceFrom(wkClosestInMap, shape, point);
}

static const wkShapeClass noneClass = {
    .kind = wk_kindNone,
    .name = convexName,
    .facts = convexFacts,
    .isValid = convexIsValid,
    .check = convexCheck,
};

static const wkShapeClass convexClass = {
    .kind = wk_kindConvex,
    .name = convexName,
    .facts = convexFacts,
    .isValid = convexIsValid,
    .check = convexCheck,
    .bounds = convexBounds,
    .mass = convexMass,
    .triangulate = convexTriangulate,
    .support = convexSupport,
    .pointDistance = convexPointDistance,
    .closestPoint = convexClosestPoint,
    .cast = convexCast,
    .isHit = convexIsHit,
};

// Hierarchies differ in what culls candidates; NULL: bounds are enough.
#define WK_TREE_CLASS(CULL)                                                                        \
    {                                                                                              \
        .kind = wk_kindTree, .bodies = &wkTreeBodyRow, .name = treeName, .facts = treeFacts,       \
        .isValid = treeIsValid, .check = treeCheck, .bounds = wkTreeBounds, .mass = treeMass,      \
        .triangulate = treeTriangulate, .support = treeSupport,                                    \
        .pointDistance = treePointDistance, .closestPoint = wkClosestInTree, .cast = treeCast,     \
        .isHit = treeIsHit, .cull = (CULL),                                                        \
    }

static const wkShapeClass treeClass = WK_TREE_CLASS(NULL);
static const wkShapeClass cloudClass = WK_TREE_CLASS(&wkCloudCullRow);

static const wkShapeClass mapClass = {
    .kind = wk_kindMap,
    .bodies = &wkMapBodyRow,
    .name = mapName,
    .facts = mapFacts,
    .isValid = wkMapIsValid,
    .check = wkMapCheck,
    .bounds = wkMapBounds,
    .mass = wkMapMass,
    .triangulate = wkMapTriangulate,
    .support = wkMapSupport,
    .pointDistance = mapPointDistance,
    .closestPoint = wkClosestInMap,
    .cast = wkCastMap,
    .isHit = wkMapIsHit,
    .cull = &wkMapCullRow,
};

// clang-format off
const wkShapeClass* const wkShapeClassTable[WK_SHAPE_TYPE_LIMIT] = {
    [wk_shapeNone]        = &noneClass,
    [wk_shapeSphere]      = &convexClass,
    [wk_shapeCapsule]     = &convexClass,
    [wk_shapeBox]         = &convexClass,
    [wk_shapeCylinder]    = &convexClass,
    [wk_shapeCone]        = &convexClass,
    [wk_shapeEllipsoid]   = &convexClass,
    [wk_shapeTriangle]    = &convexClass,
    [wk_shapeHull]        = &convexClass,
    [wk_shapeHalfspace]   = &convexClass,
    [wk_shapePlane]       = &convexClass,
    [wk_shapeMesh]        = &treeClass,
    [wk_shapeHeightField] = &treeClass,
    [wk_shapeOctree]      = &mapClass,
    [wk_shapeCloud]       = &cloudClass,

    // hierarchies to come: a type without a row in the table of hierarchies is rejected
    [wk_shapeCloud + 1]   = &treeClass,
};
// clang-format on
