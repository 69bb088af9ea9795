// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Structs of shapes, queries, maps, scenes and sensors, each with a call that must refuse it.

#include "cookie_cases.h"

#include <math.h>
#include <string.h>

static bool tryHull(const stage* s, uint32_t bits)
{
    (void)s;
    wkHullDef def = wkDefaultHullDef();
    def.cookie ^= bits;
    wkHull* hull = NULL;
    wkResult result = wkHull_Create(&def, &hull);
    wkHull_Destroy(hull);
    return result == wk_errorArgument;
}

static bool tryMesh(const stage* s, uint32_t bits)
{
    (void)s;
    wkMeshDef def = wkDefaultMeshDef();
    def.cookie ^= bits;
    wkMesh* mesh = NULL;
    wkResult result = wkMesh_Create(&def, &mesh);
    wkMesh_Destroy(mesh);
    return result == wk_errorArgument;
}

static bool tryHeightField(const stage* s, uint32_t bits)
{
    (void)s;
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.cookie ^= bits;
    wkHeightField* field = NULL;
    wkResult result = wkHeightField_Create(&def, &field);
    wkHeightField_Destroy(field);
    return result == wk_errorArgument;
}

static bool trySeparation(const stage* s, uint32_t bits)
{
    wkSeparationRequest request = wkDefaultSeparationRequest();
    request.cookie ^= bits;
    wkPose identity = wkIdentityPose();
    wkSeparationResult result = wkSeparation(&s->sphere, identity, &s->sphere, identity, &request);
    return result.status == wk_statusInvalid && result.depth == INFINITY;
}

static bool tryClassifier(const stage* s, uint32_t bits)
{
    (void)s;
    wkCloudClassifierDef def = wkDefaultCloudClassifierDef();
    def.cookie ^= bits;
    wkCloudClassifier* classifier = NULL;
    return wkCloudClassifier_Create(&def, &classifier) == wk_errorArgument && classifier == NULL &&
           strstr(wkGetLastError(), "wkCloudClassifierDef") != NULL;
}

static bool tryNoiseRequest(const stage* s, uint32_t bits)
{
    wkNoiseRequest request = wkDefaultNoiseRequest();
    request.cookie ^= bits;
    wkPose identity = wkIdentityPose();
    wkNoiseResult result =
        wkCollisionProbability(&s->sphere, identity, &s->sphere, identity, &request);
    return result.status == wk_noiseInvalid && result.upper == 1.0;
}

static bool tryCloud(const stage* s, uint32_t bits)
{
    (void)s;
    wkCloudDef def = wkDefaultCloudDef();
    def.cookie ^= bits;
    wkCloud* cloud = NULL;
    wkResult result = wkCloud_Create(&def, &cloud);
    wkCloud_Destroy(cloud);
    return result == wk_errorArgument;
}

static bool tryCenters(const stage* s, uint32_t bits)
{
    (void)s;
    wkCenterRequest request = wkDefaultCenterRequest();
    request.cookie ^= bits;
    wkPose home = wkIdentityPose();
    wkCenterResult result = wkCenterDistance(NULL, home, NULL, home, &request);
    return result.status == wk_statusInvalid && result.distance == -INFINITY;
}

static bool tryDistance(const stage* s, uint32_t bits)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cookie ^= bits;
    wkPose far = wkMakePose(9.0, 0.0, 0.0);
    wkDistanceResult result = wkDistance(&s->sphere, wkIdentityPose(), &s->sphere, far, &request);
    return result.status == wk_statusInvalid && result.distance == -INFINITY;
}

static bool tryCast(const stage* s, uint32_t bits)
{
    wkCastRequest request = wkDefaultCastRequest();
    request.cookie ^= bits;
    wkBodyMotion here = wkMakeStaticMotion(wkIdentityPose());
    wkBodyMotion far = wkMakeStaticMotion(wkMakePose(9.0, 0.0, 0.0));
    wkCastResult result = wkCast(&s->sphere, &here, &s->sphere, &far, &request);
    return result.status == wk_statusInvalid && result.isTouching && result.time == 0.0;
}

static bool tryCastElements(const stage* s, uint32_t bits)
{
    (void)s;
    wkElementCastRequest request = wkDefaultElementCastRequest();
    request.cookie ^= bits;
    wkVec3d points[4] = {{9.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    wkElementCastResult result = wkCastElements(wk_elementVertexFace, points, points, &request);
    return result.status == wk_statusInvalid && result.isTouching && result.time == 0.0;
}

static bool tryCastMeshes(const stage* s, uint32_t bits)
{
    (void)s;
    wkMeshCastRequest request = wkDefaultMeshCastRequest();
    request.cookie ^= bits;
    wkMeshCastResult result = wkMeshElements_CastSelf(NULL, &request, NULL, 0);
    return result.status == wk_statusInvalid && result.isTouching && result.time == 0.0;
}

static bool tryCollide(const stage* s, uint32_t bits)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.cookie ^= bits;
    wkPose far = wkMakePose(9.0, 0.0, 0.0);
    wkCollideResult result = wkCollide(&s->sphere, wkIdentityPose(), &s->sphere, far, &request);
    return result.status == wk_statusInvalid && result.isTouching;
}

static bool tryOctree(const stage* s, uint32_t bits)
{
    (void)s;
    wkOctreeDef def = wkDefaultOctreeDef();
    def.cookie ^= bits;
    wkOctree* octree = NULL;
    wkResult result = wkOctree_Create(&def, &octree);
    wkOctree_Destroy(octree);
    return result == wk_errorArgument;
}

static bool tryScan(const stage* s, uint32_t bits)
{
    wkScan scan = wkDefaultScan();
    scan.cookie ^= bits;
    return wkOctree_Insert(s->octree, &scan, NULL) == wk_errorArgument;
}

// Iterations cannot fail: they then visit all known cells.
static bool tryCells(const stage* s, uint32_t bits)
{
    wkCellRequest request = wkDefaultCellRequest();
    request.cookie ^= bits;
    request.wantsOccupied = false;
    wkCellIterator iterator = wkOctree_Cells(s->octree, &request);
    wkCell cell;
    return wkCellIterator_Next(&iterator, &cell);
}

static bool tryCost(const stage* s, uint32_t bits)
{
    (void)s;
    wkCostDef def = wkDefaultCostDef();
    def.cookie ^= bits;
    wkCost* cost = NULL;
    wkResult result = wkCost_Create(&def, &cost);
    wkCost_Destroy(cost);
    return result == wk_errorArgument;
}

static bool tryScene(const stage* s, uint32_t bits)
{
    (void)s;
    wkSceneDef def = wkDefaultSceneDef();
    def.cookie ^= bits;
    wkScene* scene = NULL;
    wkResult result = wkScene_Create(&def, &scene);
    wkScene_Destroy(scene);
    return result == wk_errorArgument;
}

static bool tryObject(const stage* s, uint32_t bits)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = s->sphere;
    def.cookie ^= bits;
    return wkScene_AddMany(s->objects, &def, 1, NULL) == wk_errorArgument;
}

static bool trySceneRequest(const stage* s, uint32_t bits)
{
    wkSceneRequest request = wkDefaultSceneRequest();
    request.cookie ^= bits;
    wkSceneCollideResult result = wkScene_CollidePairs(s->objects, &request);
    return result.status == wk_statusInvalid && result.isTouching;
}

static bool trySceneCast(const stage* s, uint32_t bits)
{
    wkSceneCastRequest request = wkDefaultSceneCastRequest();
    request.cookie ^= bits;
    wkBodyMotion far = wkMakeStaticMotion(wkMakePose(9.0, 0.0, 0.0));
    wkSceneCastResult result = wkScene_Cast(s->objects, &s->sphere, &far, &request);
    return result.contact.status == wk_statusInvalid && result.contact.isTouching;
}

static bool tryImage(const stage* s, uint32_t bits)
{
    (void)s;
    wkDepthImage image = wkDefaultDepthImage();
    image.cookie ^= bits;
    return wkDepthImage_Check(&image) == wk_errorArgument;
}

static bool tryCamera(const stage* s, uint32_t bits)
{
    (void)s;
    wkCamera camera = wkDefaultCamera();
    camera.cookie ^= bits;
    return wkCamera_Check(&camera) == wk_errorArgument;
}

static const uint16_t pixel = 1000;

static wkDepthImage onePixel(void)
{
    wkDepthImage image = wkDefaultDepthImage();
    image.camera.width = image.camera.height = 1;
    image.pixels = &pixel;
    return image;
}

static bool tryPixels(const stage* s, uint32_t bits)
{
    wkDepthImage image = onePixel();
    wkPixelRequest request = wkDefaultPixelRequest();
    request.cookie ^= bits;
    return wkOctree_InsertDepth(s->octree, &image, &request, NULL, wkIdentityPose(), NULL) ==
           wk_errorArgument;
}

static bool tryNoise(const stage* s, uint32_t bits)
{
    wkCamera camera = onePixel().camera;
    wkDepthNoise noise = wkDefaultDepthNoise();
    noise.cookie ^= bits;
    float depth = 0.0f;
    return wkScene_RenderDepth(s->objects, &camera, wkIdentityPose(), &noise, NULL, NULL, &depth) ==
           wk_errorArgument;
}

static bool tryDepthMap(const stage* s, uint32_t bits)
{
    (void)s;
    wkDepthImage image = onePixel();
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(1, 1, &map), wk_ok);
    wkDepthMapDef def = wkDefaultDepthMapDef();
    def.cookie ^= bits;
    wkResult result = wkDepthMap_Update(map, &image, &def, NULL);
    wkDepthMap_Destroy(map);
    return result == wk_errorArgument;
}

static bool tryFilter(const stage* s, uint32_t bits)
{
    (void)s;
    wkFilterRequest request = wkDefaultFilterRequest();
    request.cookie ^= bits;
    wkFilterResult answer;
    wkCloudFilter* filter = NULL;
    if (wkCloudFilter_Create(&filter) != wk_ok) {
        return false;
    }
    wkResult result = wkCloudFilter_Run(filter, &request, &answer);
    wkCloudFilter_Destroy(filter);
    return result == wk_errorArgument;
}

static bool tryFit(const stage* s, uint32_t bits)
{
    wkFitDef def = wkDefaultFitDef();
    def.cookie ^= bits;
    wkSphere3d sphere;
    int32_t count = 0;
    return wkShape_FitSpheres(&s->sphere, &def, &sphere, 1, &count, NULL) == wk_errorArgument;
}

static bool trySphereTree(const stage* s, uint32_t bits)
{
    wkSphereTreeBody body = {&s->sphere, wkIdentityPose()};
    wkSphereTreeDef def = wkDefaultSphereTreeDef();
    def.bodies = &body;
    def.bodyCount = 1;
    def.innerCount = 1;
    def.cookie ^= bits;
    wkSphereTree* tree = NULL;
    wkResult result = wkSphereTree_Create(&def, &tree);
    wkSphereTree_Destroy(tree);
    return result == wk_errorArgument;
}

static bool trySphereTreeRequest(const stage* s, uint32_t bits)
{
    (void)s;
    wkSphereTreeRequest request = wkDefaultSphereTreeRequest();
    request.cookie ^= bits;
    wkCloudView points = wkDefaultCloudDef().points;
    return wkPlacedSphereTree_PointDistances(NULL, 0, &points, wkIdentityPose(), &request, NULL) ==
           wk_errorArgument;
}

static bool tryLoad(const stage* s, uint32_t bits)
{
    (void)s;
    wkLoadDef def = wkDefaultLoadDef();
    def.cookie ^= bits;
    wkMesh* mesh = NULL;
    wkResult result = wkMesh_Load("missing.stl", &def, NULL, &mesh);
    wkMesh_Destroy(mesh);
    return result == wk_errorArgument;
}

static const cookieCase cases[] = {
    {"wkCamera", tryCamera},
    {"wkCellRequest", tryCells},
    {"wkCenterRequest", tryCenters},
    {"wkCloudClassifierDef", tryClassifier},
    {"wkCastRequest", tryCast},
    {"wkElementCastRequest", tryCastElements},
    {"wkMeshCastRequest", tryCastMeshes},
    {"wkCloudDef", tryCloud},
    {"wkCollideRequest", tryCollide},
    {"wkCostDef", tryCost},
    {"wkDepthImage", tryImage},
    {"wkDepthMapDef", tryDepthMap},
    {"wkDepthNoise", tryNoise},
    {"wkDistanceRequest", tryDistance},
    {"wkFilterRequest", tryFilter},
    {"wkFitDef", tryFit},
    {"wkHeightFieldDef", tryHeightField},
    {"wkHullDef", tryHull},
    {"wkLoadDef", tryLoad},
    {"wkMeshDef", tryMesh},
    {"wkNoiseRequest", tryNoiseRequest},
    {"wkObjectDef", tryObject},
    {"wkOctreeDef", tryOctree},
    {"wkPixelRequest", tryPixels},
    {"wkScan", tryScan},
    {"wkSceneDef", tryScene},
    {"wkSceneRequest", trySceneRequest},
    {"wkSceneCastRequest", trySceneCast},
    {"wkSeparationRequest", trySeparation},
    {"wkSphereTreeDef", trySphereTree},
    {"wkSphereTreeRequest", trySphereTreeRequest},
};

cookieCases cookiesOfShapes(void)
{
    cookieCases all = {cases, (int)(sizeof cases / sizeof cases[0])};
    return all;
}
