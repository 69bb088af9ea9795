// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What is well inside a whole body is inside the solid that is made from its damaged triangles, for all
// queries; what is far outside is free.

#include "broken_sets.h"
#include "lid_check.h"
#include "whisker/octree.h"
#include "whisker/query.h"

static inline int caseCount(int count)
{
    return WK_CASES(getenv("WHISKER_LONG") != NULL ? 50 * count : count);
}

static inline wkMesh* makeMesh(const meshSet* set, bool isSolid)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = set->vertices;
    def.vertexCount = set->vertexCount;
    def.triangles = set->triangles;
    def.triangleCount = set->triangleCount;
    def.isSolid = isSolid;
    return createMesh(&def);
}

// Bodies that are about a point.
typedef struct probes {
    wkShape shapes[6];
    const char* names[6];
    int count;
    wkMesh* mesh;
    wkOctree* octree;
} probes;

static inline probes makeProbes(void)
{
    probes p = {.count = 6};
    meshSet cube = cubeSet(0);
    moveSet(&cube, 0.004, wkVec(0.0, 0.0, 0.0));
    p.mesh = makeMesh(&cube, true);
    freeSet(&cube);
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 0.01;
    assert_int_equal(wkOctree_Create(&def, &p.octree), wk_ok);
    wkAabb cell = {{0.001, 0.001, 0.001}, {0.009, 0.009, 0.009}};
    assert_int_equal(wkOctree_FillBox(p.octree, cell, 2.0f), wk_ok);
    p.shapes[0] = wkMakeSphere(0.005);
    p.shapes[1] = wkMakeSphere(0.0);
    p.shapes[2] = wkMakeCapsule(0.002, 0.004);
    p.shapes[3] = wkMakeBox(0.006, 0.006, 0.006);
    p.shapes[4] = wkMakeMesh(p.mesh);
    p.shapes[5] = wkMakeOctree(p.octree);
    return p;
}

static inline void freeProbes(probes* p)
{
    wkMesh_Destroy(p->mesh);
    wkOctree_Destroy(p->octree);
}

// What does not touch at a point, or NULL.
static inline const char* findFree(const probes* p, const wkShape* solid, wkVec3d at, wkVec3d from)
{
    if (!wkShape_ContainsPoint(solid, wkIdentityPose(), at)) {
        return "point";
    }
    if (!(wkShape_ClosestPoint(solid, wkIdentityPose(), at, INFINITY).distance <= 0.0)) {
        return "closest point";
    }
    for (int i = 0; i < p->count; ++i) {
        wkVec3d shift = i == 5 ? wkVec(-0.005, -0.005, -0.005) : wkVec(0.0, 0.0, 0.0);
        wkPose pose = poseAt(wkAdd(at, shift));
        bool isTouching = wkCollide(&p->shapes[i], pose, solid, wkIdentityPose(), NULL).isTouching;
        wkDistanceResult near = wkDistance(solid, wkIdentityPose(), &p->shapes[i], pose, NULL);
        if (!isTouching || !(near.distance <= 0.0)) {
            return wkShapeTypeName(p->shapes[i].type);
        }
    }
    wkRay ray = {from, wkSub(at, from), INFINITY};
    wkRayResult hit = wkShape_RayCast(solid, wkIdentityPose(), ray);
    bool isHit = hit.isHit && hit.distance <= wkLength(ray.direction) + 1e-9;
    return isHit ? NULL : "ray";
}

// @return whether all is well
static inline bool checkInside(uint64_t seed, const brokenBody* broken, const probes* p, wkRng* rng,
                               int* insideCount)
{
    wkMesh *mesh = makeMesh(&broken->set, true), *surface = makeMesh(&broken->whole.set, false);
    wkShape solid = wkMakeMesh(mesh), meshSurface = wkMakeMesh(surface);
    wkAabb bounds = wkMesh_Info(surface).bounds;
    wkVec3d size = wkSub(bounds.upper, bounds.lower);
    bool isWell = true;
    for (int k = 0; k < 60 && isWell; ++k) {
        double x = wkRngUnit(rng), y = wkRngUnit(rng), z = wkRngUnit(rng);
        wkVec3d at = wkVec(bounds.lower.x + size.x * x, bounds.lower.y + size.y * y,
                           bounds.lower.z + size.z * z);
        wkVec3d from = wkMulAdd(at, 3.0 * wkMaxAbs(size) + 1.0, wkRngDirection(rng));
        assert_false(wkShape_ContainsPoint(&solid, wkIdentityPose(), from));
        if (windingBySum(&broken->whole.set, at) < 0.5 ||
            wkShape_ClosestPoint(&meshSurface, wkIdentityPose(), at, INFINITY).distance <
                1.01 * broken->margin + 1e-6) {
            continue;
        }
        *insideCount += 1;
        const char* isFree = findFree(p, &solid, at, from);
        if (isFree != NULL) {
            wkMeshInfo info = wkMesh_Info(mesh);
            isWell = false;
            print_message(
                "seed %llu, damage %x, %d pieces, margin %g: the %s at (%.17g %.17g %.17g) is "
                "free; %d triangles, %d lids\n",
                (unsigned long long)seed, broken->damages, broken->whole.pieceCount, broken->margin,
                isFree, at.x, at.y, at.z, info.triangleCount, info.lidCount);
        }
    }
    wkMesh_Destroy(mesh);
    wkMesh_Destroy(surface);
    return isWell;
}

// @return whether all is well
static inline bool checkSeed(uint64_t seed, unsigned damages, const probes* p, int* insideCount)
{
    wkRng rng = wkMakeRng(seed);
    brokenBody broken = breakBody(&rng, drawBody(&rng), damages);
    bool isWell = checkInside(seed, &broken, p, &rng, insideCount);
    freeBroken(&broken);
    return isWell;
}
