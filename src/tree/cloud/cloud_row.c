// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The row of point clouds in the table of hierarchies: validity, the view for walks, mass, display, digest.

#include "base/error.h"
#include "geom/check.h"
#include "geom/triangulate.h"
#include "tree/bvh/tree_shape.h"
#include "tree/cloud/cloud_impl.h"

#include <string.h>

bool wkCloudIsValid(const wkShape* shape)
{
    return shape->cloud != NULL && wkHasValidMargins(shape, 0.0);
}

wkResult wkCloudCheck(const wkShape* shape)
{
    if (shape->cloud == NULL) {
        return wkFail(wk_errorArgument, "cloud: is NULL");
    }
    return wkCheckMargins("cloud", shape);
}

static void itemOf(const void* source, int32_t index, wkItem* item)
{
    const wkCloud* cloud = (const wkCloud*)source;
    memset(&item->shape, 0, sizeof item->shape);
    item->shape.type = wk_shapeSphere;
    item->shape.sphere.radius = wkCloudRadius(cloud, index);
    item->pose.position = wkCloudPosition(cloud, index);
    item->pose.rotation = (wkQuat){0.0, 0.0, 0.0, 1.0};
}

void wkCloudTreeView(const wkShape* shape, wkTreeView* view)
{
    const wkCloud* cloud = shape->cloud;
    bool isEmpty = cloud->pointCount == 0;
    *view = (wkTreeView){
        .tree = wkCloudTree(cloud),
        .item = itemOf,
        .groups = wkCloudGroups(cloud),
        .pointRadius = cloud->maxRadius,
        .source = cloud,
        .content = cloud->checksum,
        .ids = wkCloudIds(cloud),
        .itemCount = cloud->pointCount,
        .givenCount = cloud->pointCount,
        .bounds = cloud->bounds,
        .reach =
            isEmpty ? 0.0 : wkMaxD(wkMaxAbs(cloud->bounds.lower), wkMaxAbs(cloud->bounds.upper)),
    };
}

// A cloud has no volume: its spheres bound what a sensor measured. The centroid is that of the points.
wkMass wkCloudMass(const wkShape* shape)
{
    const wkCloud* cloud = shape->cloud;
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    for (int32_t i = 0; i < cloud->pointCount; ++i) {
        sum = wkAdd(sum, wkCloudPosition(cloud, i));
    }
    wkMass mass;
    memset(&mass, 0, sizeof mass);
    mass.centroid = cloud->pointCount > 0 ? wkScale(1.0 / cloud->pointCount, sum) : sum;
    return mass;
}

// An octahedron for each point, with its vertices on the sphere.
wkResult wkCloudTriangulate(const wkShape* shape, wkTriangulation* out)
{
    static const int8_t axes[6][3] = {{1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                      {0, -1, 0}, {0, 0, 1},  {0, 0, -1}};
    static const int8_t faces[8][3] = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4},
                                       {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    const wkCloud* cloud = shape->cloud;
    if (cloud->pointCount > INT32_MAX / 24) {
        return wkFail(wk_errorRange, "cloud: too many points to triangulate: %d",
                      (int)cloud->pointCount);
    }
    wkResult result = wkTriangulationReserve(out, 6 * cloud->pointCount, 8 * cloud->pointCount);
    if (result != wk_ok || out->vertices == NULL) {
        return result;
    }
    for (int32_t i = 0; i < cloud->pointCount; ++i) {
        double radius = wkMaxD(wkCloudRadius(cloud, i) + wkShapeRadius(shape), 0.0);
        wkVec3d center = wkCloudPosition(cloud, i);
        for (int k = 0; k < 6; ++k) {
            wkVec3d axis = wkVec(axes[k][0], axes[k][1], axes[k][2]);
            out->vertices[6 * (size_t)i + (size_t)k] = wkMulAdd(center, radius, axis);
        }
        for (size_t k = 0; k < 24; ++k) {
            out->indices[24 * (size_t)i + k] = 6 * i + faces[k / 3][k % 3];
        }
    }
    return wk_ok;
}

// The checksum stands for the points: the same points in the same order make the same block.
void wkCloudDigest(wkDigestBuilder* builder, const wkShape* shape)
{
    const wkCloud* cloud = shape->cloud;
    wkDigestBuilder_AddInteger(builder, cloud->pointCount);
    wkDigestBuilder_AddInteger(builder, (int64_t)cloud->checksum);
}
