// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bodies and poses of the pair scenes. Sizes and distributions are those of the published figures
// of the peers, so that rows can be compared.

#include "pair_scenes.h"

#include "rng.h"

#include <stdlib.h>

#define PI 3.14159265358979323846

// Largest gap or depth of a near scene, as a share of the sum of the radii.
#define NEAR_SHARE 0.03

// Triangles are thin: their centres come closer, so that about half of
// the mixed pairs still overlap.
#define TRIANGLE_SHARE 0.62

static const char* const bodyNames[wk_bodyCount] = {
    [wk_bodySphere] = "sphere",       [wk_bodyBox] = "box",
    [wk_bodyCapsule] = "capsule",     [wk_bodyCylinder] = "cylinder",
    [wk_bodyCone] = "cone",           [wk_bodyEllipsoid] = "ellipsoid",
    [wk_bodyConvex] = "convex",       [wk_bodyTriangle] = "triangle",
    [wk_bodyHalfspace] = "halfspace", [wk_bodyPlane] = "plane",
};

static const char* const kindNames[wk_pairKindCount] = {
    [wk_pairMixed] = "mixed",
    [wk_pairSeparated] = "separated",
    [wk_pairNear] = "near",
    [wk_pairOverlapping] = "overlapping",
};

// Radius of a sphere about the origin inside each body; a disc in its plane for the triangle.
static const double innerRadii[wk_bodyCount] = {
    [wk_bodySphere] = 0.5,   [wk_bodyBox] = 0.3,      [wk_bodyCapsule] = 0.3,
    [wk_bodyCylinder] = 0.4, [wk_bodyCone] = 0.21,    [wk_bodyEllipsoid] = 0.4,
    [wk_bodyConvex] = 0.48,  [wk_bodyTriangle] = 0.2,
};

const char* wkBodyName(wkBody body)
{
    return bodyNames[body];
}

const char* wkPairKindName(wkPairKind kind)
{
    return kindNames[kind];
}

// A sphere of 7 rings of 8 cells: 50 vertices.
#define SPHERE_STACKS 7
#define SPHERE_SLICES 8
#define SPHERE_VERTICES (2 + (SPHERE_STACKS - 1) * SPHERE_SLICES)
#define SPHERE_TRIANGLES (2 * (SPHERE_STACKS - 1) * SPHERE_SLICES)

static int32_t sphereIndex(int stack, int slice)
{
    if (stack == 0) {
        return 0;
    }
    if (stack == SPHERE_STACKS) {
        return SPHERE_VERTICES - 1;
    }
    return (int32_t)(1 + (stack - 1) * SPHERE_SLICES + slice % SPHERE_SLICES);
}

static wkHull* makeSphereHull(double radius)
{
    wkVec3d points[SPHERE_VERTICES];
    for (int stack = 0; stack <= SPHERE_STACKS; stack++) {
        double polar = PI * stack / SPHERE_STACKS;
        for (int slice = 0; slice < SPHERE_SLICES; slice++) {
            double turn = 2.0 * PI * slice / SPHERE_SLICES;
            double across = radius * sin(polar);
            points[sphereIndex(stack, slice)] =
                wkSceneVec(across * cos(turn), across * sin(turn), radius * cos(polar));
        }
    }

    // two triangles per cell, one in the cells at the poles
    int32_t sizes[SPHERE_TRIANGLES];
    int32_t indices[3 * SPHERE_TRIANGLES];
    int32_t count = 0;
    for (int stack = 0; stack < SPHERE_STACKS; stack++) {
        for (int slice = 0; slice < SPHERE_SLICES; slice++) {
            int32_t vertices[4] = {sphereIndex(stack, slice), sphereIndex(stack + 1, slice),
                                   sphereIndex(stack + 1, slice + 1),
                                   sphereIndex(stack, slice + 1)};
            for (int half = 0; half < 2; half++) {
                int32_t triangle[3] = {vertices[0], vertices[1 + half], vertices[2 + half]};
                bool isFlat = triangle[0] == triangle[2] || triangle[0] == triangle[1] ||
                              triangle[1] == triangle[2];
                if (isFlat) {
                    continue;
                }
                sizes[count] = 3;
                for (int k = 0; k < 3; k++) {
                    indices[3 * count + k] = triangle[k];
                }
                count++;
            }
        }
    }

    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = SPHERE_VERTICES;
    def.faceSizes = sizes;
    def.faceIndices = indices;
    def.faceCount = count;
    wkHull* hull = NULL;
    return wkHull_Create(&def, &hull) == wk_ok ? hull : NULL;
}

bool wkPairBodies_Create(wkPairBodies* set)
{
    set->hull = makeSphereHull(0.55);
    if (set->hull == NULL) {
        return false;
    }
    wkVec3d up = {0.0, 0.0, 1.0};
    wkVec3d vertices[3] = {{-0.5, -0.4, 0.0}, {0.6, -0.3, 0.0}, {0.05, 0.6, 0.0}};
    set->shapes[wk_bodySphere] = wkMakeSphere(0.5);
    set->shapes[wk_bodyBox] = wkMakeBox(0.9, 0.7, 0.6);
    set->shapes[wk_bodyCapsule] = wkMakeCapsule(0.3, 0.8);
    set->shapes[wk_bodyCylinder] = wkMakeCylinder(0.4, 0.8);
    set->shapes[wk_bodyCone] = wkMakeCone(0.5, 0.9);
    set->shapes[wk_bodyEllipsoid] = wkMakeEllipsoid(0.6, 0.4, 0.5);
    set->shapes[wk_bodyConvex] = wkMakeHull(set->hull);
    set->shapes[wk_bodyTriangle] = wkMakeTriangle(vertices[0], vertices[1], vertices[2]);
    set->shapes[wk_bodyHalfspace] = wkMakeHalfspace(up, 0.0);
    set->shapes[wk_bodyPlane] = wkMakePlane(up, 0.0);
    return true;
}

void wkPairBodies_Destroy(wkPairBodies* set)
{
    wkHull_Destroy(set->hull);
    set->hull = NULL;
}

double wkBodyRadius(const wkPairBodies* set, wkBody body)
{
    static const double radii[wk_bodyCount] = {
        [wk_bodySphere] = 0.5,
        [wk_bodyCapsule] = 0.7,
        [wk_bodyEllipsoid] = 0.6,
        [wk_bodyConvex] = 0.55,
    };
    const wkShape* shape = &set->shapes[body];
    double radius = radii[body];
    if (body == wk_bodyBox) {
        radius = wkSceneLength(shape->box.half);
    } else if (body == wk_bodyCylinder) {
        radius = hypot(shape->cylinder.radius, shape->cylinder.halfLength);
    } else if (body == wk_bodyCone) {
        radius = hypot(shape->cone.radius, shape->cone.halfLength);
    } else if (body == wk_bodyTriangle) {
        radius = wkSceneLength(shape->triangle.points[1]);
    }
    return radius;
}

static bool isEndless(wkBody body)
{
    return body == wk_bodyHalfspace || body == wk_bodyPlane;
}

// Places the bounded body of a pair along the normal of the endless one.
static void placeOnPlane(const wkPairBodies* set, wkBody bounded, wkPairKind kind, double share,
                         wkPose plane, wkPose* pose)
{
    double radius = wkBodyRadius(set, bounded);
    double offset = radius * (2.8 * share - 0.6);
    if (kind == wk_pairSeparated || kind == wk_pairNear) {
        offset = radius + 0.01 + share;
    } else if (kind == wk_pairOverlapping) {
        offset = innerRadii[bounded] * (2.0 * share - 1.0);
        if (bounded == wk_bodyTriangle) {
            offset = 0.0;
        }
    }
    wkSceneFrame frame = wkMakeSceneFrame(plane);
    pose->position = wkSceneAdd(plane.position, wkSceneScale(frame.axes[2], offset));
}

// Offset of B's centre from A's for two bounded bodies.
static wkVec3d boundedOffset(const wkPairBodies* set, wkBody a, wkBody b, wkPairKind kind,
                             double share, wkVec3d direction, const wkPosePair* poses)
{
    double radiusSum = wkBodyRadius(set, a) + wkBodyRadius(set, b);
    bool hasTriangle = a == wk_bodyTriangle || b == wk_bodyTriangle;
    double offset = 1.45 * radiusSum * share * (hasTriangle ? TRIANGLE_SHARE : 1.0);
    if (kind == wk_pairSeparated || kind == wk_pairNear) {
        offset = radiusSum + 0.01 + share;
    } else if (kind == wk_pairOverlapping) {
        offset = 0.9 * share * (innerRadii[a] + innerRadii[b]);
    }

    // a triangle covers its centre within its own plane only
    if (kind == wk_pairOverlapping && hasTriangle) {
        wkSceneFrame frame = wkMakeSceneFrame(a == wk_bodyTriangle ? poses->a : poses->b);
        double height = wkSceneDot(direction, frame.axes[2]);
        direction = wkSceneSub(direction, wkSceneScale(frame.axes[2], height));
        offset = 0.9 * share * (a == b ? innerRadii[a] : innerRadii[a == wk_bodyTriangle ? b : a]);
    }
    return wkSceneScale(direction, offset);
}

// Moves B along the line of the closest points until the gap is small, or a small overlap. The
// direction of the gap stays the one of a separated pair, so the gap is exact.
static void bringNear(const wkPairBodies* set, wkBody a, wkBody b, double share, wkPosePair* poses)
{
    double size = wkBodyRadius(set, a) + wkBodyRadius(set, b);
    double gap = NEAR_SHARE * size * (2.0 * share - 1.0);
    wkDistanceResult result =
        wkDistance(&set->shapes[a], poses->a, &set->shapes[b], poses->b, NULL);
    wkVec3d shift = wkSceneScale(result.normal, gap - result.distance);
    poses->b.position = wkSceneAdd(poses->b.position, shift);
}

void wkMakePairPoses(const wkPairBodies* set, wkBody a, wkBody b, wkPairKind kind, uint64_t seed,
                     int count, wkPosePair* poses)
{
    wkRng rng = wkMakeRng(seed + 100000u * (uint64_t)kind + 1000u * (uint64_t)a + (uint64_t)b);
    for (int i = 0; i < count; i++) {
        wkPosePair* pair = &poses[i];
        pair->a.rotation = wkRngRotation(&rng);
        pair->b.rotation = wkRngRotation(&rng);
        pair->a.position.x = wkRngRange(&rng, -3.0, 3.0);
        pair->a.position.y = wkRngRange(&rng, -3.0, 3.0);
        pair->a.position.z = wkRngRange(&rng, -3.0, 3.0);
        wkVec3d direction = wkRngDirection(&rng);
        double share = wkRngUnit(&rng);
        if (isEndless(b)) {
            pair->b.position = pair->a.position;
            placeOnPlane(set, a, kind, share, pair->b, &pair->a);
        } else {
            wkVec3d offset = boundedOffset(set, a, b, kind, share, direction, pair);
            pair->b.position = wkSceneAdd(pair->a.position, offset);
        }
        if (kind == wk_pairNear) {
            bringNear(set, a, b, wkRngUnit(&rng), pair);
        }
    }
}

wkHull* wkMakeScatteredHull(int count, uint64_t seed)
{
    wkVec3d* points = (wkVec3d*)malloc(sizeof(wkVec3d) * (size_t)count);
    if (points == NULL) {
        return NULL;
    }

    // all on one egg, so that every point is a vertex
    wkRng rng = wkMakeRng(seed);
    for (int i = 0; i < count; i++) {
        wkVec3d direction = wkRngDirection(&rng);
        points[i] = wkSceneVec(0.55 * direction.x, 0.5 * direction.y, 0.6 * direction.z);
    }
    wkHullDef def = wkDefaultHullDef();
    def.points = points;
    def.pointCount = count;
    wkHull* hull = NULL;
    bool isMade = wkHull_Create(&def, &hull) == wk_ok;
    free(points);
    return isMade ? hull : NULL;
}

void wkMakeDriftPoses(double radiusSum, uint64_t seed, int count, wkPosePair* poses)
{
    wkRng rng = wkMakeRng(seed);
    wkPose poseA = {{0.3, -0.2, 0.1}, wkRngRotation(&rng)};
    wkQuat start = wkRngRotation(&rng);
    wkVec3d axis = wkRngDirection(&rng);
    const double stepAngle = PI / 180.0;
    const double stepLength = 0.01;

    double travelled = 0.0;
    for (int i = 0; i < count; i++) {
        // the distance swings slowly, the bearing turns
        double swing = 0.5 - 0.5 * cos(travelled / (0.5 * radiusSum));
        double distance = radiusSum * (0.75 + 0.75 * swing);
        double bearing = stepLength * i / radiusSum;
        wkVec3d offset = wkSceneVec(cos(bearing), sin(bearing), 0.3 * sin(0.7 * bearing));
        wkPose turn = {{0.0, 0.0, 0.0}, wkMakeQuat(axis, stepAngle * i)};
        wkPose base = {{0.0, 0.0, 0.0}, start};
        poses[i].a = poseA;
        poses[i].b = wkMulPose(turn, base);
        poses[i].b.position = wkSceneAdd(poseA.position, wkSceneScale(offset, distance));
        travelled += stepLength;
    }
}
