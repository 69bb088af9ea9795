// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Structs of robots, what is around them, batches and files, each with a call that must refuse it.

#include "cookie_cases.h"

#include <stdlib.h>

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

// Makes a trajectory that rests, with a definition whose cookie has other bits.
static wkResult makeTrajectory(const stage* s, uint32_t bits, wkTrajectory** trajectory)
{
    static const double times[2] = {0.0, 1.0}, none = 0.0;
    static const int32_t noVariable = 0;
    wkTrajectoryDef def = wkDefaultTrajectoryDef();
    def.robot = s->robot;
    def.times = times;
    def.positions = &none;
    def.variables = &noVariable;
    def.count = 2;
    def.cookie ^= bits;
    return wkTrajectory_Create(&def, trajectory);
}

static bool tryTrajectory(const stage* s, uint32_t bits)
{
    wkTrajectory* trajectory = NULL;
    wkResult result = makeTrajectory(s, bits, &trajectory);
    wkTrajectory_Destroy(trajectory);
    return result == wk_errorArgument;
}

static bool tryTrajectoryRequest(const stage* s, uint32_t bits)
{
    wkTrajectory* trajectory = NULL;
    assert_int_equal(makeTrajectory(s, 0, &trajectory), wk_ok);
    wkTrajectoryRequest request = wkDefaultTrajectoryRequest();
    request.cookie ^= bits;
    wkMotionResult result =
        wkRobotScene_CheckTrajectory(s->scene, s->state, wkIdentityPose(), trajectory, &request);
    wkTrajectory_Destroy(trajectory);
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

static const cookieCase cases[] = {
    {"wkAlarmRequest", tryAlarm},
    {"wkAllowedRequest", tryAllowed},
    {"wkBatchDef", tryBatch},
    {"wkCloudFrame", tryCloudFrame},
    {"wkCloudStreamDef", tryCloudStream},
    {"wkExpectRequest", tryExpect},
    {"wkJointDef", tryJoint},
    {"wkMotionRequest", tryMotion},
    {"wkReachRequest", tryReach},
    {"wkRobotCloudDef", tryRobotCloud},
    {"wkRobotDef", tryRobot},
    {"wkRobotLoadDef", tryRobotLoad},
    {"wkRobotObjectDef", tryRobotObject},
    {"wkRobotRequest", tryRobotRequest},
    {"wkRobotSceneDef", tryRobotScene},
    {"wkSensorViewDef", tryView},
    {"wkSphereFitDef", trySphereFit},
    {"wkSphereLoadDef", trySphereLoad},
    {"wkTrajectoryDef", tryTrajectory},
    {"wkTrajectoryRequest", tryTrajectoryRequest},
    {"wkWorldLoadDef", tryWorldLoad},
};

cookieCases cookiesOfRobots(void)
{
    cookieCases all = {cases, (int)(sizeof cases / sizeof cases[0])};
    return all;
}
