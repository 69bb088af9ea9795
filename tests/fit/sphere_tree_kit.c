// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "sphere_tree_kit.h"

wkSphereTreeDef treeDefOf(const wkSphereTreeBody* bodies, int32_t count, int32_t innerCount)
{
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.bodies = bodies;
    def.bodyCount = count;
    def.innerCount = innerCount;
    def.outerCount = 8;
    return def;
}

wkPose randomPose(wkRng* rng, double reach)
{
    wkPose pose = wkMakePose(wkRngRange(rng, -reach, reach), wkRngRange(rng, -reach, reach),
                             wkRngRange(rng, -reach, reach));
    pose.rotation = wkRngRotation(rng);
    return pose;
}

wkSphereTree* makeTree(const wkSphereTreeDef* def)
{
    wkSphereTree* tree = NULL;
    wkResult result = wkSphereTree_Create(def, &tree);
    if (result != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    assert_non_null(tree);
    return tree;
}

static double toSegment(wkVec3d p, wkVec3d a, wkVec3d b)
{
    wkVec3d along = wkSceneSub(b, a);
    double square = wkSceneDot(along, along);
    double share = square > 0.0 ? wkSceneDot(wkSceneSub(p, a), along) / square : 0.0;
    share = fmin(fmax(share, 0.0), 1.0);
    return wkSceneLength(wkSceneSub(p, wkSceneAdd(a, wkSceneScale(along, share))));
}

// To the plane where the point is above the triangle, else to the nearest edge.
static double toTriangle(wkVec3d p, wkVec3d a, wkVec3d b, wkVec3d c)
{
    wkVec3d normal = wkSceneCross(wkSceneSub(b, a), wkSceneSub(c, a));
    bool isAbove = wkSceneDot(wkSceneCross(wkSceneSub(b, a), wkSceneSub(p, a)), normal) >= 0.0 &&
                   wkSceneDot(wkSceneCross(wkSceneSub(c, b), wkSceneSub(p, b)), normal) >= 0.0 &&
                   wkSceneDot(wkSceneCross(wkSceneSub(a, c), wkSceneSub(p, c)), normal) >= 0.0;
    double length = wkSceneLength(normal);
    if (isAbove && length > 0.0) {
        return fabs(wkSceneDot(wkSceneSub(p, a), normal)) / length;
    }
    return fmin(toSegment(p, a, b), fmin(toSegment(p, b, c), toSegment(p, c, a)));
}

double distanceToTriangles(const wkModel* model, wkVec3d point)
{
    double least = INFINITY;
    for (int32_t i = 0; i < model->triangleCount; i++) {
        const int32_t* t = model->indices + 3 * i;
        least = fmin(least, toTriangle(point, model->vertices[t[0]], model->vertices[t[1]],
                                       model->vertices[t[2]]));
    }
    return least;
}

// The solid angles of all triangles (Van Oosterom and Strackee 1983).
double windingNumber(const wkModel* model, wkVec3d point)
{
    double sum = 0.0;
    for (int32_t i = 0; i < model->triangleCount; i++) {
        const int32_t* t = model->indices + 3 * i;
        wkVec3d a = wkSceneSub(model->vertices[t[0]], point);
        wkVec3d b = wkSceneSub(model->vertices[t[1]], point);
        wkVec3d c = wkSceneSub(model->vertices[t[2]], point);
        double la = wkSceneLength(a), lb = wkSceneLength(b), lc = wkSceneLength(c);
        double below =
            la * lb * lc + wkSceneDot(a, b) * lc + wkSceneDot(b, c) * la + wkSceneDot(c, a) * lb;
        sum += 2.0 * atan2(wkSceneDot(a, wkSceneCross(b, c)), below);
    }
    return sum / (4.0 * 3.14159265358979323846);
}

void checkApart(const wkSphereTree* tree)
{
    int32_t count = wkSphereTree_Info(tree).innerCount;
    for (int32_t i = 0; i < count; i++) {
        wkSphere3d a = wkSphereTree_InnerSphere(tree, i);
        assert_true(a.radius > 0.0);
        for (int32_t k = 0; k < i; k++) {
            wkSphere3d b = wkSphereTree_InnerSphere(tree, k);
            double apart = wkSceneLength(wkSceneSub(a.center, b.center));
            assert_true(apart >= a.radius + b.radius);
        }
    }
}

double distanceToSpheres(const wkPlacedSphereTree* placed, bool isInner, wkVec3d point,
                         double radius, int32_t* sphere)
{
    wkSphereTreeInfo info = wkSphereTree_Info(placed->tree);
    wkVec3d local = wkTransformPoint(wkInvPose(placed->pose), point);
    double least = INFINITY;
    for (int32_t i = 0; i < (isInner ? info.innerCount : info.outerCount); i++) {
        wkSphere3d s = isInner ? wkSphereTree_InnerSphere(placed->tree, i)
                               : wkSphereTree_OuterSphere(placed->tree, i);
        double away = wkSceneLength(wkSceneSub(local, s.center)) - s.radius - radius;
        *sphere = away < least ? i : *sphere;
        least = fmin(least, away);
    }
    return least;
}
