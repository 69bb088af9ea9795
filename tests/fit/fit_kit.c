// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "fit_kit.h"

#include "whisker/detail/counts.h"

#include <math.h>
#include <stdlib.h>

const wkShapeType fitConvexTypes[FIT_CONVEX_COUNT] = {
    wk_shapeSphere, wk_shapeCapsule,   wk_shapeBox,      wk_shapeCylinder,
    wk_shapeCone,   wk_shapeEllipsoid, wk_shapeTriangle, wk_shapeHull};

void fitSurface_Create(const wkShape* shape, fitSurface* surface)
{
    wkTriangulation out = {0};
    wkShape_Triangulate(shape, 32, 1.0, &out);
    *surface = (fitSurface){.shape = *shape};
    surface->vertices = malloc((size_t)(out.vertexCount + 1) * sizeof(wkVec3d));
    surface->indices = malloc((size_t)(out.triangleCount + 1) * 3 * sizeof(int32_t));
    assert_true(surface->vertices != NULL && surface->indices != NULL);
    out.vertices = surface->vertices;
    out.indices = surface->indices;
    out.vertexCapacity = out.vertexCount;
    out.triangleCapacity = out.triangleCount;
    assert_int_equal(wkShape_Triangulate(shape, 32, 1.0, &out), wk_ok);
    surface->triangleCount = out.triangleCount;
    wkAabb bounds = wkShape_Bounds(shape, wkIdentityPose());
    surface->size = wkSceneLength(wkSceneSub(bounds.upper, bounds.lower));
}

void fitSurface_Destroy(fitSurface* surface)
{
    free(surface->vertices);
    free(surface->indices);
}

wkVec3d fitSurface_Point(const fitSurface* surface, wkRng* rng)
{
    const int32_t* vertices = surface->indices + 3 * wkRngBelow(rng, surface->triangleCount);
    double u = wkRngUnit(rng), v = wkRngUnit(rng);
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    // vertices and edges are where spheres are most likely to miss
    u = wkRngChance(rng, 4) ? 0.0 : u;
    v = wkRngChance(rng, 4) ? 0.0 : v;
    wkVec3d a = surface->vertices[vertices[0]], b = surface->vertices[vertices[1]];
    wkVec3d c = surface->vertices[vertices[2]];
    wkVec3d point = {a.x + u * (b.x - a.x) + v * (c.x - a.x),
                     a.y + u * (b.y - a.y) + v * (c.y - a.y),
                     a.z + u * (b.z - a.z) + v * (c.z - a.z)};
    if (surface->shape.type >= WK_CONVEX_TYPE_COUNT) {
        return point;
    }
    return wkShape_ClosestPoint(&surface->shape, wkIdentityPose(), point, INFINITY).point;
}

double fitWorstGap(const fitSurface* surface, const wkSphere3d* spheres, int32_t count, int points,
                   wkRng* rng)
{
    double worst = -INFINITY;
    for (int i = 0; i < points && surface->triangleCount > 0; i++) {
        wkVec3d point = fitSurface_Point(surface, rng);
        double nearest = INFINITY;
        for (int32_t k = 0; k < count; k++) {
            double away = wkSceneLength(wkSceneSub(point, spheres[k].center)) - spheres[k].radius;
            nearest = fmin(nearest, away);
        }
        worst = fmax(worst, nearest);
    }
    return worst;
}

double fitWorstProtrusion(const wkShape* shape, const wkSphere3d* spheres, int32_t count,
                          int points, wkRng* rng)
{
    double worst = -INFINITY;
    for (int32_t k = 0; k < count; k++) {
        for (int i = 0; i < points; i++) {
            wkVec3d d = wkRngDirection(rng);
            double r = spheres[k].radius;
            wkVec3d point = {spheres[k].center.x + r * d.x, spheres[k].center.y + r * d.y,
                             spheres[k].center.z + r * d.z};
            worst = fmax(worst, wkShape_PointDistance(shape, wkIdentityPose(), point));
        }
    }
    return worst;
}

void fitCheckCovered(const wkSphereModel* model, const wkBodyInfo* body, int points, wkRng* rng)
{
    fitSurface surface;
    fitSurface_Create(body->shape, &surface);
    wkLinkSpheres own = wkSphereModel_Link(model, body->link);
    for (int i = 0; i < points; i++) {
        wkVec3d point = wkTransformPoint(body->pose, fitSurface_Point(&surface, rng));
        double nearest = INFINITY;
        for (int32_t k = 0; k < own.count; k++) {
            wkSphere3d sphere = wkSphereModel_Sphere(model, own.first + k).sphere;
            double away = wkSceneLength(wkSceneSub(point, sphere.center)) - sphere.radius;
            nearest = fmin(nearest, away);
        }
        assert_true(nearest <= FIT_ROUNDING);
    }
    fitSurface_Destroy(&surface);
}

wkMesh* fitMakeSolid(const wkModel* model)
{
    wkMeshDef def = wkModel_MeshDef(model);
    def.isSolid = true;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}
