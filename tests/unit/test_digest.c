// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Digests are BLAKE2b, and change with everything that verdicts depend on. Progress is told in order, and
// a cancelled one stays cancelled.

#include "base/progress_report.h"

#include "unit_kit.h"
#include "whisker/whisker.h"

static void check_text(const uint8_t* bytes, size_t count, size_t piece, const char* expected)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin(NULL);
    for (size_t done = 0; done < count; done += piece) {
        size_t left = count - done;
        wkDigestBuilder_AddBytes(&builder, bytes + done, left < piece ? left : piece);
    }
    char text[WK_DIGEST_TEXT_BYTES];
    wkDigest_ToText(wkDigestBuilder_End(&builder), text);
    assert_string_equal(text, expected);
}

// The values are those of another implementation, Python's hashlib.
static void digests_are_blake2b(void** state)
{
    (void)state;
    uint8_t bytes[1000], ramp[128];
    for (int i = 0; i < 1000; i++) {
        bytes[i] = (uint8_t)(i % 251);
    }
    for (int i = 0; i < 128; i++) {
        ramp[i] = (uint8_t)i;
    }
    check_text(bytes, 0, 1, "0e5751c026e543b2e8ab2eb06099daa1d1e5df47778f7787faab45cdf12fe3a8");
    check_text((const uint8_t*)"abc", 3, 3,
               "bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319");
    const size_t pieces[] = {1, 7, 127, 128, 129, 1000};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++) {
        check_text(ramp, 128, pieces[i],
                   "c3582f71ebb2be66fa5dd750f80baae97554f3b015663c8be377cfcb2488c1d1");
        check_text(bytes, 1000, pieces[i],
                   "b372d0608f720c8c3dd41e9c8eecb10143b41abe520b616607e754bf79c08331");
    }
}

static void text_goes_there_and_back(void** state)
{
    (void)state;
    wkDigestBuilder builder = wkDigestBuilder_Begin("there and back 1");
    wkDigest digest = wkDigestBuilder_End(&builder), read, none;
    memset(&none, 0, sizeof none);
    char text[WK_DIGEST_TEXT_BYTES];
    wkDigest_ToText(digest, text);
    assert_true(wkDigest_FromText(text, &read));
    assert_true(wkDigest_Equals(read, digest));
    assert_false(wkDigest_Equals(none, none)); // no digest is no agreement
    text[63] = 'x';
    assert_false(wkDigest_FromText(text, &read));
    text[63] = '\0';
    assert_false(wkDigest_FromText(text, &read));
    assert_false(wkDigest_FromText(NULL, &read));
    assert_false(wkDigest_FromText("", &read));
}

static wkDigest shapeDigest(wkShape shape)
{
    wkDigestBuilder builder = wkDigestBuilder_Begin("shape");
    wkDigestBuilder_AddShape(&builder, &shape);
    return wkDigestBuilder_End(&builder);
}

static void check_different(const wkDigest* digests, int count)
{
    for (int i = 0; i < count; i++) {
        for (int k = 0; k < i; k++) {
            assert_false(wkDigest_Equals(digests[i], digests[k]));
        }
    }
}

static void every_number_of_a_shape_counts(void** state)
{
    (void)state;
    wkShape padded = wkMakeBox(1.0, 2.0, 3.0), rounded = padded;
    padded.padding = 1e-9;
    rounded.rounding = 1e-9;
    const wkDigest digests[] = {
        shapeDigest(wkMakeSphere(1.0)),
        shapeDigest(wkMakeSphere(nextafter(1.0, 2.0))),
        shapeDigest(wkMakeCapsule(1.0, 2.0)),
        shapeDigest(wkMakeCylinder(1.0, 2.0)),
        shapeDigest(wkMakeCone(1.0, 2.0)),
        shapeDigest(wkMakeBox(1.0, 2.0, 3.0)),
        shapeDigest(wkMakeBox(1.0, 2.0, nextafter(3.0, 4.0))),
        shapeDigest(wkMakeEllipsoid(0.5, 1.0, 1.5)),
        shapeDigest(padded),
        shapeDigest(rounded),
        shapeDigest((wkShape){0}),
    };
    check_different(digests, (int)(sizeof digests / sizeof digests[0]));
    assert_true(wkDigest_Equals(digests[0], shapeDigest(wkMakeSphere(1.0))));
}

// A tetrahedron.
static const wkVec3d faceVertices[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
static const int32_t faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};

static wkDigest meshDigest(const wkMeshDef* def)
{
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(def, &mesh), wk_ok);
    wkDigest digest = shapeDigest(wkMakeMesh(mesh));
    wkMesh_Destroy(mesh);
    return digest;
}

static void every_vertex_of_a_mesh_counts_and_its_tree_does_not(void** state)
{
    (void)state;
    wkVec3d moved[4];
    memcpy(moved, faceVertices, sizeof moved);
    moved[3].z = nextafter(moved[3].z, 2.0);
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = faceVertices;
    def.vertexCount = 4;
    def.triangles = &faces[0][0];
    def.triangleCount = 4;
    wkMeshDef other = def, solid = def, fewer = def, tree = def;
    other.vertices = moved;
    solid.isSolid = !def.isSolid;
    fewer.triangleCount = 3;
    tree.volume = wk_volumeObbRss;
    tree.split = wk_splitMorton;
    const wkDigest digests[] = {meshDigest(&def), meshDigest(&other), meshDigest(&solid),
                                meshDigest(&fewer)};
    check_different(digests, 4);
    assert_true(wkDigest_Equals(digests[0], meshDigest(&tree)));
}

static void cells_of_a_map_count(void** state)
{
    (void)state;
    wkOctreeDef def = wkDefaultOctreeDef();
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(&def, &octree), wk_ok);
    wkDigest digests[3];
    digests[0] = shapeDigest(wkMakeOctree(octree));
    wkCellKey key = {32768, 32768, 32768};
    assert_int_equal(wkOctree_SetLogOdds(octree, key, WK_OCTREE_DEPTH, 1.0f), wk_ok);
    digests[1] = shapeDigest(wkMakeOctree(octree));
    wkShape careful = wkMakeOctree(octree);
    careful.map.unknown = wk_unknownOccupied;
    digests[2] = shapeDigest(careful);
    check_different(digests, 3);
    wkOctree_Destroy(octree);
}

// A robot of two links, one body and one joint, that a test changes by a bit.
typedef struct robotParts {
    const char* links[2];
    wkJointDef joint;
    wkBodyDef body;
    wkDisabledPairDef pair;
    int32_t pairCount;
} robotParts;

static robotParts plainParts(void)
{
    robotParts parts = {.links = {"base", "arm"}, .joint = wkDefaultJointDef()};
    parts.joint.name = "shoulder";
    parts.joint.type = wk_jointRevolute;
    parts.joint.parent = "base";
    parts.joint.child = "arm";
    parts.joint.upper = 1.0;
    parts.body = (wkBodyDef){"arm", NULL, wkMakeBox(1.0, 0.5, 0.25), wkIdentityPose()};
    parts.pair = (wkDisabledPairDef){"base", "arm", NULL};
    return parts;
}

static wkDigest robotDigest(const robotParts* parts, wkDigest digestOf(const wkRobot*))
{
    wkRobotDef def = wkDefaultRobotDef();
    def.links = parts->links;
    def.linkCount = 2;
    def.joints = &parts->joint;
    def.jointCount = 1;
    def.bodies = &parts->body;
    def.bodyCount = 1;
    def.disabledPairs = &parts->pair;
    def.disabledPairCount = parts->pairCount;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_Create(&def, &robot), wk_ok);
    wkDigest digest = digestOf(robot);
    wkRobot_Destroy(robot);
    return digest;
}

static void robots_have_two_digests(void** state)
{
    (void)state;
    robotParts plain = plainParts(), name = plain, moved = plain, size = plain;
    robotParts limit = plain, pair = plain;
    name.links[1] = name.joint.child = name.body.link = name.pair.linkB = "boom";
    moved.body.pose.position.x = 1e-12;
    size.body.shape = wkMakeBox(1.0, 0.5, nextafter(0.25, 1.0));
    limit.joint.upper = 1.5;
    pair.pairCount = 1;
    const robotParts* all[] = {&plain, &name, &moved, &size, &limit, &pair};
    wkDigest whole[6], bodies[6];
    for (int i = 0; i < 6; i++) {
        whole[i] = robotDigest(all[i], wkRobot_Digest);
        bodies[i] = robotDigest(all[i], wkRobot_BodyDigest);
    }
    check_different(whole, 6);
    check_different(bodies, 4);
    assert_true(wkDigest_Equals(bodies[4], bodies[0])); // limits and pairs are no geometry
    assert_true(wkDigest_Equals(bodies[5], bodies[0]));
    wkDigest none = wkRobot_Digest(NULL);
    assert_false(wkDigest_Equals(none, none));
}

static void every_sphere_counts(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    const wkLinkSphere spheres[3][2] = {
        {{0, {{0, 0, 0}, 0.1}}, {1, {{0, 0, 0}, 0.2}}},
        {{0, {{0, 0, 0}, 0.1}}, {2, {{0, 0, 0}, 0.2}}},
        {{0, {{0, 0, 0}, 0.1}}, {1, {{0, 0, 0}, 0.2000001}}},
    };
    wkDigest digests[4];
    for (int i = 0; i < 4; i++) {
        wkSphereModel* model = NULL;
        int32_t count = i < 3 ? 2 : 1;
        assert_int_equal(wkSphereModel_Create(robot, spheres[i % 3], count, &model), wk_ok);
        digests[i] = wkSphereModel_Digest(model);
        wkSphereModel_Destroy(model);
    }
    check_different(digests, 4);
    wkRobot_Destroy(robot);
}

typedef struct progressLog {
    int64_t done;
    int64_t total;
    int calls;
    int callsLeft;
} progressLog;

static bool recordProgress(int64_t done, int64_t total, void* context)
{
    progressLog* t = context;
    assert_true(done >= t->done && done <= total && total > 0);
    t->done = done;
    t->total = total;
    t->calls++;
    return t->callsLeft-- > 0;
}

static void progress_is_reported_in_order_and_cancelled_once(void** state)
{
    (void)state;
    progressLog t = {.callsLeft = 1};
    wkProgressMeter meter;
    wkProgressMeter_Start(&meter, recordProgress, &t, 10);
    assert_true(wkProgressMeter_Add(&meter, 4)); // told at once
    assert_int_equal(t.done, 4);
    assert_int_equal(t.total, 10);
    bool goesOn = true;
    for (int i = 0; i < 100000000 && goesOn; i++) {
        goesOn = wkProgressMeter_Add(&meter, 0); // told again after a while, and cancelled
    }
    assert_false(goesOn);
    assert_int_equal(t.calls, 2);
    assert_false(wkProgressMeter_Add(&meter, 1));
    assert_true(wkProgressMeter_IsCancelled(&meter));
    assert_int_equal(t.calls, 2);
    wkProgressMeter_Start(&meter, NULL, NULL, 0);
    assert_true(wkProgressMeter_Add(&meter, 1));
    assert_false(wkProgressMeter_IsCancelled(NULL));
    assert_true(wkProgressMeter_Add(NULL, 1));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_blake2b),
        cmocka_unit_test(text_goes_there_and_back),
        cmocka_unit_test(every_number_of_a_shape_counts),
        cmocka_unit_test(every_vertex_of_a_mesh_counts_and_its_tree_does_not),
        cmocka_unit_test(cells_of_a_map_count),
        cmocka_unit_test(robots_have_two_digests),
        cmocka_unit_test(every_sphere_counts),
        cmocka_unit_test(progress_is_reported_in_order_and_cancelled_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
