// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Sphere trees: how one is made, and its figures.

#include "base/cookie.h"
#include "base/error.h"
#include "base/memory.h"
#include "base/range.h"
#include "fit/sphere_tree/sphere_packing.h"
#include "fit/sphere_tree/sphere_volume.h"
#include "math/frame.h"
#include "math/within.h"
#include "query/pair/shape_class.h"
#include "whisker/fit.h"

#include <string.h>

// Outer spheres of one body, for any accuracy.
#define MOST_OUTER 1024

// Rounding of a pose, relative to the largest coordinate.
#define POSE_SLACK 1e-14

wkSphereTreeDef wkDefaultSphereTreeDef(void)
{
    wkSphereTreeDef def = {
        .cookie = WK_COOKIE(wkSphereTreeDef), .innerCount = 1000, .outerAccuracy = 0.02};
    return def;
}

// The body of a tree while it is made.
typedef struct treeMaker {
    const wkSphereTreeDef* def;
    wkFitSurface surface;
    wkSphereF* spheres[WK_SPHERE_KIND_COUNT]; // of innerCount, and of MOST_OUTER for each body
    int32_t counts[WK_SPHERE_KIND_COUNT];
    int32_t capacities[WK_SPHERE_KIND_COUNT];
    wkSphere3d* fitted; // outer spheres of one body
    double volume;
    double protrusion;
    bool isWatertight;
    wkProgressMeter meter;
} treeMaker;

static wkResult checkDef(const wkSphereTreeDef* def)
{
    if (!WK_HAS_COOKIE(def, wkSphereTreeDef)) {
        return WK_FAIL_COOKIE(def, wkSphereTreeDef);
    }
    if (def->bodies == NULL || def->bodyCount < 1) {
        return wkFail(wk_errorArgument, "sphere tree: bodyCount is %d, expected bodies",
                      def->bodies == NULL ? 0 : (int)def->bodyCount);
    }
    const wkNamedNumber numbers[] = {
        {"innerCount", (double)def->innerCount, 0.0, (double)WK_MOST_INNER},
        {"minRadius", def->minRadius, 0.0, WK_SPHERE_REACH},
        {"outerCount", (double)def->outerCount, 0.0, (double)MOST_OUTER},
        {"outerAccuracy", def->outerAccuracy, 1e-9, WK_SPHERE_REACH},
    };
    return wkCheckNumbers("sphere tree", numbers, sizeof numbers / sizeof numbers[0]);
}

static wkResult refuseBody(int32_t index, const wkShape* shape, const char* reason)
{
    return wkFail(wk_errorUnsupported, "sphere tree: body %d: a %s %s", (int)index,
                  wkShapeTypeName(shape->type), reason);
}

// Refuses what has no inside, or one that wkShape_FitSpheres and queries do not agree about.
static wkResult checkBody(int32_t index, const wkSphereTreeBody* body)
{
    if (body->shape == NULL) {
        return wkFail(wk_errorArgument, "sphere tree: body %d: shape is NULL", (int)index);
    }
    wkResult result = wkShape_Check(body->shape);
    if (result != wk_ok) {
        return result;
    }
    if (!wkIsValidRotation(body->pose.rotation) ||
        !wkIsVecWithin(body->pose.position, WK_SPHERE_REACH)) {
        return wkFail(wk_errorNotFinite, "sphere tree: body %d: its pose is not valid", (int)index);
    }
    const wkShape* shape = body->shape;
    bool isMesh = shape->type == wk_shapeMesh;
    if (!isMesh && wkShapeClassOf(shape)->kind != wk_kindConvex) {
        return refuseBody(index, shape, "has no inside to fill with spheres");
    }
    if (wkShapeFactsOf(shape)->tessellate == NULL) {
        return refuseBody(index, shape, "is unbounded");
    }
    if (isMesh && !wkMesh_Info(shape->mesh).isSolid) {
        return refuseBody(index, shape, "that is a surface has no inside: make it solid");
    }
    return shape->padding == 0.0 ? wk_ok : refuseBody(index, shape, "with padding");
}

static wkResult checkBodies(treeMaker* maker)
{
    maker->isWatertight = true;
    for (int32_t i = 0; i < maker->def->bodyCount; ++i) {
        const wkSphereTreeBody* body = &maker->def->bodies[i];
        wkResult result = checkBody(i, body);
        if (result != wk_ok) {
            return result;
        }
        bool isMesh = body->shape->type == wk_shapeMesh;
        wkMeshInfo mesh = isMesh ? wkMesh_Info(body->shape->mesh) : (wkMeshInfo){.isClosed = true};
        maker->volume += isMesh ? fabs(mesh.volumeInside) : wkShape_Mass(body->shape).volume;
        maker->isWatertight &= mesh.isClosed;
    }
    return wk_ok;
}

static bool reserve(treeMaker* maker)
{
    maker->capacities[wk_spheresInner] = maker->def->innerCount;
    maker->capacities[wk_spheresOuter] = maker->def->bodyCount * MOST_OUTER;
    bool hasMemory = true;
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
        maker->spheres[kind] = wkAlloc(((size_t)maker->capacities[kind] + 1) * sizeof(wkSphereF));
        hasMemory &= maker->spheres[kind] != NULL;
    }
    maker->fitted = wkAlloc(MOST_OUTER * sizeof *maker->fitted);
    return hasMemory && maker->fitted != NULL;
}

static wkResult makeSurface(treeMaker* maker)
{
    int32_t count = maker->def->bodyCount;
    size_t byteCount = (size_t)count * sizeof(wkFitBody);
    wkFitBody* bodies = wkAlloc(byteCount);
    if (bodies == NULL) {
        return wkFail(wk_errorMemory, "sphere tree: out of memory");
    }
    for (int32_t i = 0; i < count; ++i) {
        bodies[i] = (wkFitBody){maker->def->bodies[i].shape, maker->def->bodies[i].pose};
    }
    wkResult result = wkFitSurface_Create(bodies, count, &maker->surface);
    wkFree(bodies, byteCount);
    if (result == wk_ok && maker->surface.pieceCount > 0 &&
        !(maker->surface.reach <= WK_SPHERE_REACH)) {
        result = wkFail(wk_errorRange, "sphere tree: a body reaches to %g, must be within %g",
                        maker->surface.reach, WK_SPHERE_REACH);
    }
    return result;
}

static wkResult packInner(treeMaker* maker)
{
    wkPackingJob job = {
        .surface = &maker->surface,
        .capacity = maker->def->innerCount,
        .minRadius = maker->def->minRadius,
        .parallel = maker->def->parallel,
        .meter = &maker->meter,
    };
    return wkPackSpheres(&job, maker->spheres[wk_spheresInner], &maker->counts[wk_spheresInner]);
}

// A sphere of a body in the frame of the tree, as floats, not smaller.
static wkSphereF storeOuter(const wkSphere3d* sphere, wkPose pose)
{
    wkVec3d center = wkTransformPoint(pose, sphere->center);
    wkSphereF stored = wkSphereAbout(center);
    wkVec3d moved = wkSub(wkCenterOfSphere(&stored), center);
    double slack = POSE_SLACK * (wkMaxAbs(center) + wkMaxAbs(pose.position) + sphere->radius);
    stored.radius = wkRoundUp(sphere->radius + wkLength(moved) + slack);
    return stored;
}

// Asks whether a fit is to continue; its own count of work is another one.
static bool goOn(int64_t done, int64_t total, void* context)
{
    (void)done, (void)total;
    return wkProgressMeter_Add((wkProgressMeter*)context, 0);
}

// Covers each body by itself.
static wkResult coverOuter(treeMaker* maker)
{
    wkFitDef fit = wkDefaultFitDef();
    fit.count = maker->def->outerCount;
    fit.accuracy = maker->def->outerAccuracy;
    fit.maxCount = MOST_OUTER;
    fit.parallel = maker->def->parallel;
    fit.progress = goOn;
    fit.progressContext = &maker->meter;
    for (int32_t i = 0; i < maker->def->bodyCount; ++i) {
        const wkSphereTreeBody* body = &maker->def->bodies[i];
        wkFitInfo info;
        int32_t count;
        wkResult result =
            wkShape_FitSpheres(body->shape, &fit, maker->fitted, MOST_OUTER, &count, &info);
        if (result == wk_ok && !(info.gap <= 0.0) && count > 0) {
            result = refuseBody(i, body->shape, "cannot be covered with spheres");
        }
        if (result != wk_ok) {
            return result;
        }
        maker->protrusion = count > 0 ? wkMaxD(maker->protrusion, info.protrusion) : 0.0;
        for (int32_t k = 0; k < count; ++k) {
            wkSphereF* next = &maker->spheres[wk_spheresOuter][maker->counts[wk_spheresOuter]++];
            *next = storeOuter(&maker->fitted[k], body->pose);
        }
        if (!wkProgressMeter_Add(&maker->meter, 1)) {
            return wkFail(wk_errorCancelled, "sphere tree: cancelled");
        }
    }
    return wk_ok;
}

static double volumeOf(const wkSphereF* spheres, int32_t count)
{
    double volume = 0.0;
    for (int32_t i = 0; i < count; ++i) {
        volume += wkSphereVolume((double)spheres[i].radius);
    }
    return volume;
}

static wkSphereTree layOut(const treeMaker* maker)
{
    wkSphereTree tree = {
        .magic = WK_SPHERE_TREE_MAGIC,
        .version = WK_SPHERE_TREE_VERSION,
        .headerBytes = sizeof(wkSphereTree),
        .volume = maker->volume,
        .innerVolume = volumeOf(maker->spheres[wk_spheresInner], maker->counts[wk_spheresInner]),
        .protrusion = maker->protrusion,
        .isWatertight = maker->isWatertight,
    };
    uint64_t bytes = sizeof tree;
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
        wkSphereSet* set = &tree.sets[kind];
        set->count = maker->counts[kind];
        set->nodeCount = wkPlanSphereNodes(set->count);
        set->sphereOffset = wkReserve(&bytes, (uint64_t)set->count * sizeof(wkSphereF));
        set->nodeOffset = wkReserve(&bytes, (uint64_t)set->nodeCount * sizeof(wkSphereNode));
    }
    tree.byteCount = (bytes + 63u) & ~(uint64_t)63u;
    return tree;
}

// Copies the spheres into a tree and builds its nodes.
static bool fill(wkSphereTree* tree, const treeMaker* maker)
{
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
        wkSphereSet* set = &tree->sets[kind];
        wkSphereF* spheres = (wkSphereF*)((char*)tree + set->sphereOffset);
        wkSphereNode* nodes = (wkSphereNode*)((char*)tree + set->nodeOffset);
        memcpy(spheres, maker->spheres[kind], (size_t)set->count * sizeof *spheres);
        if (!wkBuildSphereNodes(spheres, set->count, nodes, set)) {
            return false;
        }
    }
    const wkSphereSet* outer = &tree->sets[wk_spheresOuter];
    if (outer->count > 0) {
        tree->around.center = wkCenterOfSphere(&outer->around);
        tree->around.radius = (double)outer->around.radius;
    }
    wkSealSphereTree(tree);
    return true;
}

static wkResult makeTree(const treeMaker* maker, wkSphereTree** tree)
{
    wkSphereTree header = layOut(maker);
    wkSphereTree* made = wkAlloc((size_t)header.byteCount);
    if (made != NULL) {
        memset((char*)made, 0, (size_t)header.byteCount);
        *made = header;
    }
    if (made == NULL || !fill(made, maker)) {
        wkFree(made, (size_t)header.byteCount);
        return wkFail(wk_errorMemory, "sphere tree: out of memory");
    }
    *tree = made;
    return wk_ok;
}

static wkResult makeAll(treeMaker* maker, wkSphereTree** tree)
{
    wkResult result = checkBodies(maker);
    if (result == wk_ok && !reserve(maker)) {
        result = wkFail(wk_errorMemory, "sphere tree: out of memory");
    }
    result = result == wk_ok ? makeSurface(maker) : result;
    result = result == wk_ok ? packInner(maker) : result;
    result = result == wk_ok ? coverOuter(maker) : result;
    return result == wk_ok ? makeTree(maker, tree) : result;
}

wkResult wkSphereTree_Create(const wkSphereTreeDef* def, wkSphereTree** tree)
{
    *tree = NULL;
    wkResult result = checkDef(def);
    if (result != wk_ok) {
        return result;
    }
    treeMaker maker = {.def = def};
    wkProgressMeter_Start(&maker.meter, def->progress, def->progressContext,
                          (int64_t)def->innerCount + def->bodyCount);
    result = makeAll(&maker, tree);
    wkFitSurface_Destroy(&maker.surface);
    for (int kind = 0; kind < WK_SPHERE_KIND_COUNT; ++kind) {
        wkFree(maker.spheres[kind], ((size_t)maker.capacities[kind] + 1) * sizeof(wkSphereF));
    }
    wkFree(maker.fitted, MOST_OUTER * sizeof *maker.fitted);
    return result;
}

void wkSphereTree_Destroy(wkSphereTree* tree)
{
    if (tree != NULL) {
        wkFree(tree, (size_t)tree->byteCount);
    }
}

wkSphereTreeInfo wkSphereTree_Info(const wkSphereTree* tree)
{
    wkSphereTreeInfo info = {
        .innerCount = tree->sets[wk_spheresInner].count,
        .outerCount = tree->sets[wk_spheresOuter].count,
        .isWatertight = tree->isWatertight != 0,
        .volume = tree->volume,
        .innerVolume = tree->innerVolume,
        .volumeShare = tree->volume > 0.0 ? tree->innerVolume / tree->volume : 0.0,
        .protrusion = tree->protrusion,
        .around = tree->around,
        .byteCount = (size_t)tree->byteCount,
    };
    return info;
}

static wkSphere3d sphereOf(const wkSphereTree* tree, wkSphereKind kind, int32_t index)
{
    const wkSphereF* sphere = &wkSpheresOf(tree, kind)[index];
    wkSphere3d found = {wkCenterOfSphere(sphere), (double)sphere->radius};
    return found;
}

wkSphere3d wkSphereTree_InnerSphere(const wkSphereTree* tree, int32_t index)
{
    return sphereOf(tree, wk_spheresInner, index);
}

wkSphere3d wkSphereTree_OuterSphere(const wkSphereTree* tree, int32_t index)
{
    return sphereOf(tree, wk_spheresOuter, index);
}
