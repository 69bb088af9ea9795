// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What is easily missed: robots that were made to find holes in robot scenes.

#include "math/vec.h"
#include "robots.h"
#include "whisker/robot_scene.h"

#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct stage {
    madeRobot made;
    wkRobot* robot;
    wkRobotScene* scene;
    wkRobotState* state;
} stage;

static void openStage(stage* s)
{
    assert_int_equal(wkRobot_Create(&s->made.def, &s->robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = s->robot;
    assert_int_equal(wkRobotScene_Create(&def, &s->scene), wk_ok);
    assert_int_equal(wkRobotState_Create(s->robot, &s->state), wk_ok);
}

static void closeStage(stage* s)
{
    wkRobotState_Destroy(s->state);
    wkRobotScene_Destroy(s->scene);
    wkRobot_Destroy(s->robot);
}

static void addShape(const stage* s, const char* name, wkShape shape, wkPose pose)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    assert_int_equal(wkRobotScene_Add(s->scene, &def), wk_ok);
}

// The configuration with its quaternion turned about an axis of the frame that the joint starts
// from.
static void rotationQuat(const double* q, int axis, double angle, double* turned)
{
    static const wkVec3d axes[3] = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    wkPose turn = wkIdentityPose(), given = wkIdentityPose();
    turn.rotation = wkMakeQuat(axes[axis], angle);
    given.rotation = (wkQuat){q[3], q[4], q[5], q[6]};
    wkQuat result = wkMulPose(turn, given).rotation;
    double numbers[7] = {q[0], q[1], q[2], result.x, result.y, result.z, result.w};
    memcpy(turned, numbers, sizeof numbers);
}

static double clearanceAt(const stage* s, wkPose base, const double* q, double* gradient)
{
    assert_int_equal(wkRobotState_Set(s->state, base, q), wk_ok);
    return wkRobotScene_Clearance(s->scene, s->state, NULL, NULL, gradient).distance;
}

static void gradient_of_a_floating_joint_rotations_as_its_jacobian_does(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(7);
    static stage s;
    memset(&s, 0, sizeof s);
    madeStart(&s.made);
    int root = madeLink(&s.made, -1, wk_jointFixed, wkIdentityPose());
    int body = madeLink(&s.made, root, wk_jointFloating, madeRandomPose(&rng, 0.5));
    madeBody(&s.made, body, wkMakeSphere(0.1), wkMakePose(0.4, 0.3, -0.2));
    openStage(&s);
    addShape(&s, "sphere", wkMakeSphere(0.2), wkMakePose(2.0, 1.0, 0.5));
    for (int i = 0; i < 20; ++i) {
        double q[7], gradient[7], before[7], after[7], step = 1e-5;
        uint64_t seed = (uint64_t)i;
        wkRobot_RandomConfiguration(s.robot, &seed, q);
        wkPose base = madeRandomPose(&rng, 0.3);
        clearanceAt(&s, base, q, gradient);
        for (int axis = 0; axis < 3; ++axis) {
            rotationQuat(q, axis, -step, before);
            rotationQuat(q, axis, step, after);
            double rise = clearanceAt(&s, base, after, NULL) - clearanceAt(&s, base, before, NULL);
            assert_true(fabs(rise / (2.0 * step) - gradient[3 + axis]) < 1e-6);
        }
        assert_true(gradient[6] == 0.0);
    }
    closeStage(&s);
}

// A hand whose second finger follows the first: the group has the first one alone.
static void groups_move_what_follows_their_joints(void** unused)
{
    (void)unused;
    static stage s;
    memset(&s, 0, sizeof s);
    madeStart(&s.made);
    int endEffector = madeLink(&s.made, -1, wk_jointFixed, wkIdentityPose());
    int first = madeLink(&s.made, endEffector, wk_jointPrismatic, wkMakePose(0.1, 0.0, 0.0));
    int second = madeLink(&s.made, endEffector, wk_jointPrismatic, wkMakePose(-0.1, 0.0, 0.0));
    int tip = madeLink(&s.made, second, wk_jointFixed, wkMakePose(0.0, 0.0, 0.3));
    s.made.joints[1].mimic = s.made.joints[0].name;
    s.made.joints[1].mimicFactor = 1.0;
    madeBody(&s.made, first, wkMakeSphere(0.02), wkIdentityPose());
    madeBody(&s.made, tip, wkMakeSphere(0.02), wkIdentityPose());
    const char* joints[] = {s.made.joints[0].name};
    const char* links[] = {s.made.links[first]};
    wkGroupDef group = {"finger", joints, links, 1, 1};
    s.made.def.groups = &group;
    s.made.def.groupCount = 1;
    openStage(&s);
    addShape(&s, "post", wkMakeBox(0.05, 0.05, 0.05), wkMakePose(-0.1, 0.0, 0.4));
    wkMotionRequest request = wkDefaultMotionRequest();
    request.check.group = 0;
    double q0 = 0.0, q1 = 0.1;
    assert_int_equal(wkRobotState_Set(s.state, wkIdentityPose(), &q1), wk_ok);
    assert_int_equal(wkRobotScene_Check(s.scene, s.state, &request.check).verdict, wk_verdictWorld);
    wkPose base = wkIdentityPose();
    wkMotionResult motion = wkRobotScene_CheckMotion(s.scene, s.state, base, &q0, &q1, &request);
    assert_int_equal(motion.verdict, wk_verdictWorld);
    closeStage(&s);
}

static int assertCount;

static bool countAssert(const char* condition, const char* file, int line)
{
    (void)condition, (void)file, (void)line;
    ++assertCount;
    return false;
}

// One release too many must not make a snapshot look idle that a reader uses later.
static void snapshots_survive_a_second_release(void** unused)
{
    (void)unused;
    static stage s;
    memset(&s, 0, sizeof s);
    madeStart(&s.made);
    int root = madeLink(&s.made, -1, wk_jointFixed, wkIdentityPose());
    madeBody(&s.made, root, wkMakeSphere(0.1), wkIdentityPose());
    openStage(&s);
    assert_int_equal(wkRobotScene_Publish(s.scene), wk_ok);
    const wkRobotScene* snapshot = wkRobotScene_Acquire(s.scene);
    wkRobotScene_Release(snapshot);
    assertCount = 0;
    wkSetAssertFcn(countAssert);
    wkRobotScene_Release(snapshot);
    wkSetAssertFcn(NULL);
#if defined(NDEBUG)
    assert_int_equal(assertCount, 0);
#else
    assert_int_equal(assertCount, 1);
#endif
    snapshot = wkRobotScene_Acquire(s.scene);
    for (int i = 0; i < 4; ++i) {
        char name[2] = {(char)('a' + i), '\0'};
        addShape(&s, name, wkMakeSphere(0.1), wkIdentityPose());
        assert_int_equal(wkRobotScene_Publish(s.scene), wk_ok);
        assert_int_equal(wkRobotScene_Count(snapshot), 0);
    }
    wkRobotScene_Release(snapshot);
    closeStage(&s);
}

// A strip of triangles below a box, the last of which is touched least.
static wkMesh* makeStrip(int count)
{
    static wkVec3d vertices[3 * 400];
    static int32_t triangles[3 * 400];
    for (int i = 0; i < count; ++i) {
        double x = 0.001 * i, z = -1e-5 * i;
        vertices[3 * i] = wkVec(x, -0.1, z);
        vertices[3 * i + 1] = wkVec(x + 0.0005, -0.1, z);
        vertices[3 * i + 2] = wkVec(x, 0.1, z);
        for (int k = 0; k < 3; ++k) {
            triangles[3 * i + k] = 3 * i + k;
        }
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = vertices;
    def.vertexCount = 3 * count;
    def.triangles = triangles;
    def.triangleCount = count;
    wkMesh* mesh;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

// Refuses one triangle; NO_TRIANGLE: none. A box has no triangles, which is -1.
#define NO_TRIANGLE (-2)

static bool refuseTriangle(const char* a, const char* b, const wkContact* contact, void* context)
{
    (void)a;
    (void)b;
    return contact->partB != *(const int64_t*)context && contact->partA != *(const int64_t*)context;
}

static void every_contact_is_decided_upon_or_the_pair_touches(void** unused)
{
    (void)unused;
    const struct {
        int count;
        int64_t refused;
        bool isFree;
    } cases[] = {{16, NO_TRIANGLE, true},   {16, 15, false},          {17, NO_TRIANGLE, true},
                 {17, 16, false},           {100, NO_TRIANGLE, true}, {100, 99, false},
                 {300, NO_TRIANGLE, false}, {300, 299, false}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        static stage s;
        memset(&s, 0, sizeof s);
        madeStart(&s.made);
        int root = madeLink(&s.made, -1, wk_jointFixed, wkIdentityPose());
        int body = madeLink(&s.made, root, wk_jointPrismatic, wkIdentityPose());
        madeBody(&s.made, body, wkMakeBox(1.0, 1.0, 0.1), wkMakePose(0.2, 0.0, 0.04));
        openStage(&s);
        wkMesh* mesh = makeStrip(cases[i].count);
        addShape(&s, "strip", wkMakeMesh(mesh), wkIdentityPose());
        wkAllowed* allowed;
        assert_int_equal(wkAllowed_Copy(wkRobotScene_Allowed(s.scene), &allowed), wk_ok);
        int64_t refused = cases[i].refused;
        assert_int_equal(wkAllowed_SetFcn(allowed, "l1", "strip", refuseTriangle, &refused), wk_ok);
        assert_int_equal(wkRobotScene_SetAllowed(s.scene, allowed), wk_ok);
        wkAllowed_Destroy(allowed);
        const double q[1] = {0.0}, other[1] = {1e-6};
        assert_int_equal(wkRobotState_Set(s.state, wkIdentityPose(), q), wk_ok);
        wkVerdict expected = cases[i].isFree ? wk_verdictFree : wk_verdictWorld;
        assert_int_equal(wkRobotScene_Check(s.scene, s.state, NULL).verdict, expected);
        for (int isCertified = 0; isCertified < 2; ++isCertified) {
            wkMotionRequest request = wkDefaultMotionRequest();
            request.isCertified = isCertified != 0;
            wkMotionResult motion =
                wkRobotScene_CheckMotion(s.scene, s.state, wkIdentityPose(), q, other, &request);
            assert_int_equal(motion.verdict == wk_verdictFree, cases[i].isFree);
        }
        closeStage(&s);
        wkMesh_Destroy(mesh);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

static bool acceptShallow(const char* a, const char* b, const wkContact* contact, void* context)
{
    (void)a;
    (void)b;
    (void)context;
    return contact->depth < 0.02;
}

// A body slides out of another. Steps of pairs that a function decides about must not leave out the ends.
static void motions_that_start_in_a_refused_contact_are_not_free(void** unused)
{
    (void)unused;
    const char* const links[] = {"base", "slider"};
    wkJointDef joint = wkDefaultJointDef();
    joint.name = "slide";
    joint.type = wk_jointPrismatic;
    joint.parent = "base";
    joint.child = "slider";
    joint.axis = wkVec(1.0, 0.0, 0.0);
    joint.lower = -1.0;
    joint.upper = 1.0;
    const wkBodyDef bodies[] = {
        {.link = "base", .shape = wkMakeBox(0.4, 0.4, 0.4), .pose = wkIdentityPose()},
        {.link = "slider", .shape = wkMakeBox(0.4, 0.4, 0.4), .pose = wkMakePose(0.4, 0.0, 0.0)}};
    static stage s;
    memset(&s, 0, sizeof s);
    s.made.def = wkDefaultRobotDef();
    s.made.def.links = links;
    s.made.def.linkCount = 2;
    s.made.def.joints = &joint;
    s.made.def.jointCount = 1;
    s.made.def.bodies = bodies;
    s.made.def.bodyCount = 2;
    openStage(&s);
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Create(&allowed), wk_ok);
    assert_int_equal(wkAllowed_SetFcn(allowed, "base", "slider", acceptShallow, NULL), wk_ok);
    assert_int_equal(wkRobotScene_SetAllowed(s.scene, allowed), wk_ok);
    wkAllowed_Destroy(allowed);
    const struct {
        double from, to;
        bool isFree;
    } cases[] = {{-0.01, 0.1, true},  {-0.0201, 0.1, false}, {-0.021, 0.1, false},
                 {-0.03, 0.3, false}, {0.1, -0.0205, false}, {0.1, 0.3, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
        wkMotionResult motion = wkRobotScene_CheckMotion(s.scene, s.state, wkIdentityPose(),
                                                         &cases[i].from, &cases[i].to, NULL);
        assert_int_equal(motion.verdict == wk_verdictFree, cases[i].isFree);
    }
    closeStage(&s);
    assert_int_equal(wkGetByteCount(), 0);
}

// Points of a box's faces and of a sphere about a place far from zero, as triangles that share none.
static wkMesh* makeFarMesh(wkRng* rng, wkVec3d far, int count, int kind)
{
    static wkVec3d vertices[3 * 200];
    static int32_t triangles[3 * 200];
    for (int i = 0; i < 3 * count; ++i) {
        wkVec3d d = wkRngDirection(rng);
        double largest = fmax(fabs(d.x), fmax(fabs(d.y), fabs(d.z)));
        vertices[i] = wkAdd(far, wkScale(kind == 0 ? 0.3 : 0.3 / largest, d));
        triangles[i] = i;
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = vertices;
    def.vertexCount = 3 * count;
    def.triangles = triangles;
    def.triangleCount = count;
    wkMesh* mesh;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

// Meshes in map coordinates: hulls around them are rounded where doubles have few digits left, and must
// still hold them.
// A cube around `far` whose faces have a vertex in their middle, raised by what hulls take for flat.
// @param units of the last place of the largest coordinate
static wkMesh* makeRaisedCube(wkVec3d far, double units)
{
    double raised = units * DBL_EPSILON * fmax(wkMaxAbs(far), 1.0);
    wkVec3d vertices[14];
    int32_t triangles[24 * 3], count = 0;
    for (int i = 0; i < 8; ++i) {
        wkVec3d vertex = wkVec(i & 1 ? 0.3 : -0.3, i & 2 ? 0.3 : -0.3, i & 4 ? 0.3 : -0.3);
        vertices[i] = wkAdd(far, vertex);
    }
    for (int face = 0; face < 6; ++face) {
        int axis = face / 2, bit = 1 << axis, u = 1 << (axis + 1) % 3, v = 1 << (axis + 2) % 3;
        double middle[3] = {0.0, 0.0, 0.0};
        int base = face % 2 == 0 ? 0 : bit;
        middle[axis] = face % 2 == 0 ? -0.3 - raised : 0.3 + raised;
        vertices[8 + face] = wkAdd(far, wkVec(middle[0], middle[1], middle[2]));
        const int ring[4] = {base, base | u, base | u | v, base | v};
        for (int i = 0; i < 4; ++i) {
            bool isUpper = base != 0;
            triangles[count++] = 8 + face;
            triangles[count++] = ring[isUpper ? i : (i + 1) % 4];
            triangles[count++] = ring[isUpper ? (i + 1) % 4 : i];
        }
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = 14;
    def.triangles = triangles;
    def.triangleCount = 24;
    def.isSolid = true;
    wkMesh* mesh;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static void meshes_far_from_zero_stay_in_their_hulls(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(11);
    const double offsets[] = {0.0, 1e3, 5e6, 1e8, 1e10};
    int touchCount = 0, apartCount = 0;
    for (int i = 0; i < 60; ++i) {
        double x = offsets[i % 5];
        wkVec3d far = wkVec(x, 0.9 * x, 50.0);
        int kind = i / 5 % 3, lastCount = kind == 2 ? 6 : 3 * (40 + i);
        wkMesh* mesh =
            kind == 2 ? makeRaisedCube(far, 1.0 + i / 4) : makeFarMesh(&rng, far, 40 + i, kind);
        static stage s;
        memset(&s, 0, sizeof s);
        madeStart(&s.made);
        int root = madeLink(&s.made, -1, wk_jointFixed, wkIdentityPose());
        // moved to zero, or left where it is, with walls as far away
        bool isMoved = i % 2 == 0;
        wkVec3d middle = isMoved ? wkVec(0.0, 0.0, 0.0) : far;
        wkPose back = {wkScale(isMoved ? -1.0 : 0.0, far), wkIdentityPose().rotation};
        madeBody(&s.made, root, wkMakeMesh(mesh), back);
        openStage(&s);
        assert_int_equal(wkRobotState_Set(s.state, wkIdentityPose(), NULL), wk_ok);
        // boxes that end where a vertex is: between touching and not, by what a double tells there
        for (int k = 0; k < 60; ++k) {
            wkVec3d vertex = wkMesh_Vertex(mesh, wkMesh_Info(mesh).vertexCount - 1 -
                                                     wkRngBelow(&rng, lastCount));
            wkVec3d at = wkAdd(vertex, back.position);
            wkVec3d out = wkNormalizeOr(wkSub(at, middle), wkVec(1, 0, 0));
            double sign = wkRngChance(&rng, 2) ? 1.0 : -1.0;
            double off = sign * wkRngLogRange(&rng, 1e-17, 1e-13) * (1.0 + x);
            wkShape shape = wkMakeHalfspace(wkNeg(out), -(wkDot(out, at) + off));
            addShape(&s, "wall", shape, wkIdentityPose());
            wkShape body = wkMakeMesh(mesh);
            bool isTouching = wkCollide(&body, back, &shape, wkIdentityPose(), NULL).isTouching;
            bool isFree = wkRobotScene_Check(s.scene, s.state, NULL).verdict == wk_verdictFree;
            double clearance = wkRobotScene_Clearance(s.scene, s.state, NULL, NULL, NULL).distance;
            double truth = wkDistance(&body, back, &shape, wkIdentityPose(), NULL).distance;
            assert_true(!isTouching || !isFree);
            assert_true(clearance <= truth);
            touchCount += isTouching;
            apartCount += !isTouching;
            assert_int_equal(wkRobotScene_Remove(s.scene, "wall"), wk_ok);
        }
        closeStage(&s);
        wkMesh_Destroy(mesh);
    }
    print_message("touching %d, apart %d\n", touchCount, apartCount);
    assert_true(touchCount > 100 && apartCount > 100);
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gradient_of_a_floating_joint_rotations_as_its_jacobian_does),
        cmocka_unit_test(groups_move_what_follows_their_joints),
        cmocka_unit_test(snapshots_survive_a_second_release),
        cmocka_unit_test(every_contact_is_decided_upon_or_the_pair_touches),
        cmocka_unit_test(motions_that_start_in_a_refused_contact_are_not_free),
        cmocka_unit_test(meshes_far_from_zero_stay_in_their_hulls),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
