// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Every struct that starts from a wkDefault function is refused by its name when it did not, or when it comes
// from the header of another version.

#include "io_kit.h"

#include "whisker/detail/library.h"
#include "whisker/io.h"
#include "whisker/whisker.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A robot, a scene and a map, for structs that are given together with these.
typedef struct stage {
    wkRobot* robot;
    wkRobotState* state;
    wkRobotScene* scene;
    wkScene* objects;
    wkOctree* octree;
    wkShape sphere;
} stage;

// Passes a struct whose cookie is changed by `bits` to a function that must refuse it, and returns whether
// the answer is the one for bad arguments.
typedef bool tryFcn(const stage* s, uint32_t bits);

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

static bool tryRobotCloud(const stage* s, uint32_t bits)
{
    wkRobotCloudDef def = wkDefaultRobotCloudDef();
    def.cookie ^= bits;
    def.robot = s->robot;
    wkRobotCloud* cloud = NULL;
    wkResult result = wkRobotCloud_Create(&def, &cloud);
    wkRobotCloud_Destroy(cloud);
    return result == wk_errorArgument;
}

static bool tryAlarm(const stage* s, uint32_t bits)
{
    wkAlarmRequest request = wkDefaultAlarmRequest();
    request.cookie ^= bits;
    return wkRobotCloud_Check(NULL, s->scene, s->state, &request, NULL).alarm == wk_alarmInvalid;
}

static bool tryReach(const stage* s, uint32_t bits)
{
    wkReachRequest request = wkDefaultReachRequest();
    request.cookie ^= bits;
    int32_t count = 0;
    return wkRobotScene_ReachSpheres(s->scene, s->state, &request, NULL, 0, &count) ==
           wk_errorArgument;
}

static bool tryExpect(const stage* s, uint32_t bits)
{
    wkExpectRequest request = wkDefaultExpectRequest();
    request.cookie ^= bits;
    return wkRobotScene_FindExpected(s->scene, s->state, &request, NULL, NULL) == wk_errorArgument;
}

static bool tryDistance(const stage* s, uint32_t bits)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cookie ^= bits;
    wkPose far = wkMakePose(9.0, 0.0, 0.0);
    wkDistanceResult result = wkDistance(&s->sphere, wkIdentityPose(), &s->sphere, far, &request);
    return result.status == wk_statusInvalid && result.distance == -INFINITY;
}

static bool tryCollide(const stage* s, uint32_t bits)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.cookie ^= bits;
    wkPose far = wkMakePose(9.0, 0.0, 0.0);
    wkCollideResult result = wkCollide(&s->sphere, wkIdentityPose(), &s->sphere, far, &request);
    return result.status == wk_statusInvalid && result.isTouching;
}

static bool tryCloudStream(const stage* s, uint32_t bits)
{
    wkCloudStreamDef def = wkDefaultCloudStreamDef();
    def.cookie ^= bits;
    def.scene = s->scene;
    def.name = "stream";
    wkCloudStream* stream = NULL;
    wkResult result = wkCloudStream_Create(&def, &stream);
    wkCloudStream_Destroy(stream);
    return result == wk_errorArgument;
}

static bool tryCloudFrame(const stage* s, uint32_t bits)
{
    wkCloudStreamDef def = wkDefaultCloudStreamDef();
    def.scene = s->scene;
    def.name = "stream";
    def.minPointCount = 0;
    wkCloudStream* stream = NULL;
    wkCloudFrame frame = wkDefaultCloudFrame();
    frame.cookie ^= bits;
    wkResult result = wkCloudStream_Create(&def, &stream);
    result = result == wk_ok ? wkCloudStream_Push(stream, &frame) : result;
    wkCloudStream_Destroy(stream);
    return result == wk_errorArgument;
}

static bool tryView(const stage* s, uint32_t bits)
{
    (void)s;
    wkSensorViewDef def = wkDefaultSensorViewDef();
    def.cookie ^= bits;
    wkCloudBuilder* builder = NULL;
    wkResult result = wkCloudBuilder_Create(&builder);
    result = result == wk_ok ? wkCloudBuilder_AddView(builder, &def) : result;
    wkCloudBuilder_Destroy(builder);
    return result == wk_errorArgument;
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

static bool tryRobot(const stage* s, uint32_t bits)
{
    (void)s;
    wkRobotDef def = wkDefaultRobotDef();
    def.cookie ^= bits;
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Create(&def, &robot);
    wkRobot_Destroy(robot);
    return result == wk_errorArgument;
}

static bool tryJoint(const stage* s, uint32_t bits)
{
    (void)s;
    static const char* const links[] = {"a", "b"};
    wkJointDef joint = wkDefaultJointDef();
    joint.cookie ^= bits;
    wkRobotDef def = wkDefaultRobotDef();
    def.links = links;
    def.linkCount = 2;
    def.joints = &joint;
    def.jointCount = 1;
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Create(&def, &robot);
    wkRobot_Destroy(robot);
    return result == wk_errorArgument;
}

static bool tryAllowed(const stage* s, uint32_t bits)
{
    wkAllowedRequest request = wkDefaultAllowedRequest();
    request.sampleCount = 1;
    request.proofBudget = 0;
    request.cookie ^= bits;
    size_t linkCount = (size_t)wkRobot_Info(s->robot).linkCount;
    wkAllowedReason* reasons = (wkAllowedReason*)calloc(linkCount * linkCount, sizeof *reasons);
    wkResult result = wkRobot_SampleAllowed(s->robot, &request, reasons, NULL);
    free(reasons);
    return result == wk_errorArgument;
}

static bool tryRobotScene(const stage* s, uint32_t bits)
{
    (void)s;
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.cookie ^= bits;
    wkRobotScene* scene = NULL;
    wkResult result = wkRobotScene_Create(&def, &scene);
    wkRobotScene_Destroy(scene);
    return result == wk_errorArgument;
}

static bool tryRobotObject(const stage* s, uint32_t bits)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.cookie ^= bits;
    return wkRobotScene_Add(s->scene, &def) == wk_errorArgument;
}

static bool tryRobotRequest(const stage* s, uint32_t bits)
{
    wkRobotRequest request = wkDefaultRobotRequest();
    request.cookie ^= bits;
    return wkRobotScene_Check(s->scene, s->state, &request).verdict == wk_verdictInvalid;
}

static bool tryMotion(const stage* s, uint32_t bits)
{
    wkMotionRequest request = wkDefaultMotionRequest();
    request.cookie ^= bits;
    const double* q = wkRobotState_Configuration(s->state);
    wkMotionResult result =
        wkRobotScene_CheckMotion(s->scene, s->state, wkIdentityPose(), q, q, &request);
    return result.verdict == wk_verdictInvalid;
}

static bool tryBatch(const stage* s, uint32_t bits)
{
    (void)s;
    wkBatchDef def = wkDefaultBatchDef();
    def.cookie ^= bits;
    wkBatch* batch = NULL;
    wkResult result = wkBatch_Create(&def, &batch);
    wkBatch_Destroy(batch);
    return result == wk_errorArgument;
}

static bool trySphereFit(const stage* s, uint32_t bits)
{
    wkSphereFitDef def = wkDefaultSphereFitDef();
    def.count = bits == 0 ? -1 : 0; // refused in any case: a fit takes seconds
    def.cookie ^= bits;
    wkSphereModel* model = NULL;
    wkResult result = wkSphereModel_Fit(s->robot, &def, &model);
    wkSphereModel_Destroy(model);
    return result == wk_errorArgument;
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

static bool tryRobotLoad(const stage* s, uint32_t bits)
{
    (void)s;
    wkRobotLoadDef def = wkDefaultRobotLoadDef();
    def.cookie ^= bits;
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Load("missing.urdf", &def, NULL, &robot);
    wkRobot_Destroy(robot);
    return result == wk_errorArgument;
}

static bool trySphereLoad(const stage* s, uint32_t bits)
{
    wkSphereLoadDef def = wkDefaultSphereLoadDef();
    def.cookie ^= bits;
    wkSphereModel* model = NULL;
    wkResult result = wkSphereModel_Load("missing.json", s->robot, &def, NULL, &model);
    wkSphereModel_Destroy(model);
    return result == wk_errorArgument;
}

static bool tryWorldLoad(const stage* s, uint32_t bits)
{
    (void)s;
    wkWorldLoadDef def = wkDefaultWorldLoadDef();
    def.cookie ^= bits;
    wkWorldData* world = NULL;
    wkResult result = wkWorldData_Load("missing.scene", &def, &world);
    wkWorldData_Destroy(world);
    return result == wk_errorArgument;
}

// All structs with a default; tests/api/check_surface.py compares the list with the headers.
static const struct {
    const char* type;
    tryFcn* isRefused;
} cases[] = {
    {"wkAlarmRequest", tryAlarm},
    {"wkAllowedRequest", tryAllowed},
    {"wkBatchDef", tryBatch},
    {"wkCamera", tryCamera},
    {"wkCellRequest", tryCells},
    {"wkCenterRequest", tryCenters},
    {"wkCloudClassifierDef", tryClassifier},
    {"wkCloudDef", tryCloud},
    {"wkCloudFrame", tryCloudFrame},
    {"wkCloudStreamDef", tryCloudStream},
    {"wkCollideRequest", tryCollide},
    {"wkCostDef", tryCost},
    {"wkDepthImage", tryImage},
    {"wkDepthMapDef", tryDepthMap},
    {"wkDepthNoise", tryNoise},
    {"wkDistanceRequest", tryDistance},
    {"wkExpectRequest", tryExpect},
    {"wkFilterRequest", tryFilter},
    {"wkFitDef", tryFit},
    {"wkHeightFieldDef", tryHeightField},
    {"wkHullDef", tryHull},
    {"wkJointDef", tryJoint},
    {"wkLoadDef", tryLoad},
    {"wkMeshDef", tryMesh},
    {"wkMotionRequest", tryMotion},
    {"wkNoiseRequest", tryNoiseRequest},
    {"wkObjectDef", tryObject},
    {"wkOctreeDef", tryOctree},
    {"wkPixelRequest", tryPixels},
    {"wkReachRequest", tryReach},
    {"wkRobotCloudDef", tryRobotCloud},
    {"wkRobotDef", tryRobot},
    {"wkRobotLoadDef", tryRobotLoad},
    {"wkRobotObjectDef", tryRobotObject},
    {"wkRobotRequest", tryRobotRequest},
    {"wkRobotSceneDef", tryRobotScene},
    {"wkScan", tryScan},
    {"wkSceneDef", tryScene},
    {"wkSceneRequest", trySceneRequest},
    {"wkSensorViewDef", tryView},
    {"wkSeparationRequest", trySeparation},
    {"wkSphereFitDef", trySphereFit},
    {"wkSphereLoadDef", trySphereLoad},
    {"wkSphereTreeDef", trySphereTree},
    {"wkSphereTreeRequest", trySphereTreeRequest},
    {"wkWorldLoadDef", tryWorldLoad},
};

static void setUp(stage* s)
{
    memset(s, 0, sizeof *s);
    s->sphere = wkMakeSphere(1.0);
    assert_int_equal(wkRobot_CreateBuiltIn(&s->robot), wk_ok);
    assert_int_equal(wkRobotState_Create(s->robot, &s->state), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = s->robot;
    assert_int_equal(wkRobotScene_Create(&def, &s->scene), wk_ok);
    assert_int_equal(wkScene_Create(NULL, &s->objects), wk_ok);
    assert_int_equal(wkOctree_Create(NULL, &s->octree), wk_ok);
    wkCellKey key = {32768, 32768, 32768};
    assert_int_equal(wkOctree_Observe(s->octree, key, true), wk_ok);
}

static void tearDown(stage* s)
{
    wkOctree_Destroy(s->octree);
    wkScene_Destroy(s->objects);
    wkRobotScene_Destroy(s->scene);
    wkRobotState_Destroy(s->state);
    wkRobot_Destroy(s->robot);
    assert_int_equal(wkGetByteCount(), 0);
}

// Builds with asserts stop at queries whose request is not initialised; the test goes on to their answer.
static bool ignoreAssert(const char* condition, const char* file, int line)
{
    (void)condition, (void)file, (void)line;
    return false;
}

// A bit of the mark makes a cookie a number that no wkDefault function sets; a bit of the version makes it
// that of another header.
#define MARK_BIT 0x01000000u
#define VERSION_BIT 0x00010000u

static void structs_without_their_cookie_are_refused_by_name(void** state)
{
    (void)state;
    wkSetAssertFcn(ignoreAssert);
    stage s;
    setUp(&s);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char missing[100], other[100];
        snprintf(missing, sizeof missing, "%s: not initialised by wkDefault%s()", cases[i].type,
                 cases[i].type + 2);
        snprintf(other, sizeof other, "%s: from another header: version ", cases[i].type);
        assert_true(cases[i].isRefused(&s, MARK_BIT));
        assert_string_equal(wkGetLastError(), missing);
        assert_true(cases[i].isRefused(&s, VERSION_BIT));
        assert_memory_equal(wkGetLastError(), other, strlen(other));
        wkSetLastError(wk_ok, "");
        cases[i].isRefused(&s, 0);
        assert_null(strstr(wkGetLastError(), "initialised"));
        assert_null(strstr(wkGetLastError(), "another header"));
    }
    tearDown(&s);
    wkSetAssertFcn(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(structs_without_their_cookie_are_refused_by_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
