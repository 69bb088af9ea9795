// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Saved files of earlier versions load, or are refused by their version. The texts below are files as version
// 0.1 saved them: they stay as they are when the formats change.

#include "sphere_kit.h"

#include <stdio.h>
#include <stdlib.h>

// Position of the version and of the size of the header in a block, little-endian numbers of 4 bytes.
#define VERSION_AT 8
#define HEADER_BYTES_AT 12

// A surface of two triangles as a block of version 3: bytes in hexadecimal digits, and zN for N zeros.
#define FAR "6b0b5e5d6b0b5e5d6b0b5e5d6b0b5e5d6b0b5e5d6b0b5e5d6b0b5e5d "
#define SAVED_VERSION 3u
static const char savedBlock[] =
    "7768776b4d65736803000000080100008403 z6 71347c7341726e3e0400000002 z11 "
    "02000000010000000100000001 z49 f03f z6 f03f z6 f03f z6 e03f z6 e03f z6 e03fb34c58e87ab6eb3f "
    "z14 f03f z16 8002 z14 4002 z7 03 z6 4003 z6 4001 z6 8003 z78 01000080 "
    "ffffffffffffffffffffffffffffffffffffffffffffffffffffffff z4 " FAR "z4 " FAR "z4 " FAR
    "0000803f" FAR "0000803f" FAR "0000803f" FAR "z36 0100000002 z7 0300000001 z73 f03f z30 f03f "
    "z30 f03f z36 01 z63 01 z63";

// A robot, and spheres that cover it with their proof.
static const char savedRobot[] =
    "<robot name='small'><link name='base'><collision><geometry><box size='0.2 0.1 0.1'/>"
    "</geometry></collision></link><link name='arm'><collision><geometry><sphere radius='0.05'/>"
    "</geometry></collision></link><joint name='j' type='revolute'><parent link='base'/>"
    "<child link='arm'/><origin xyz='0.3 0 0'/><axis xyz='0 0 1'/>"
    "<limit lower='-1' upper='1' effort='1' velocity='1'/></joint></robot>";
#define PROOF "47e8402b829e5f9edf9c3dfa197a9c44dd17d1691b3d07c480975b027bc9df12"
static const char savedSpheres[] =
    "{\n  \"robot\": \"small\",\n  \"covering\": true,\n  \"protrusion\": 0.050000000149999384,\n"
    "  \"proof\": \"" PROOF "\",\n  \"collision_spheres\": {\n    \"base\": [\n"
    "      {\"center\": [-0.05, 0, 0], \"radius\": 0.1},\n"
    "      {\"center\": [0.05, 0, 0], \"radius\": 0.1}\n    ],\n    \"arm\": [\n"
    "      {\"center\": [0, 0, 0], \"radius\": 0.05}\n    ]\n  }\n}\n";

static const char savedSrdf[] =
    "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<robot name=\"small\">\n  <group name=\"arm\">\n"
    "    <link name=\"arm\"/>\n  </group>\n  <group_state name=\"home\" group=\"arm\">\n"
    "    <joint name=\"j\" value=\"0.5\"/>\n  </group_state>\n"
    "  <disable_collisions link1=\"base\" link2=\"arm\" reason=\"Never\" evidence=\"proven\"/>\n"
    "</robot>\n";

static const char savedCamera[] =
    "width 640\nheight 480\nfx 525\nfy 525\ncx 319.5\ncy 239.5\ndepth_units_m 0.001\n"
    "distortion_model brown\ndistortion 0.01 0 0 0 0 0 0 0\npose 1 2 3 0 0 0 1\n";

static uint64_t digitOf(char letter)
{
    return (uint64_t)(letter <= '9' ? letter - '0' : letter - 'a' + 10);
}

// The bytes of a text as above.
static wkBytes bytesOf(const char* text)
{
    wkBytes bytes = {NULL, 0, 0};
    while (*text != '\0') {
        if (*text == ' ') {
            text++;
        } else if (*text == 'z') {
            char* end;
            for (long count = strtol(text + 1, &end, 10); count > 0; count--) {
                wkBytes_AddNumber(&bytes, 0, 1, false);
            }
            text = end;
        } else {
            uint64_t high = digitOf(text[0]), low = digitOf(text[1]);
            wkBytes_AddNumber(&bytes, 16 * high + low, 1, false);
            text += 2;
        }
    }
    return bytes;
}

static uint32_t numberAt(const wkBytes* bytes, size_t at)
{
    uint32_t number;
    memcpy(&number, bytes->data + at, sizeof number);
    return number;
}

static wkResult loadSurface(const char* path, wkMesh** mesh)
{
    wkLoadDef def = wkDefaultLoadDef();
    def.isSolid = false;
    return wkMesh_Load(path, &def, NULL, mesh);
}

// Loads a file of these bytes in which one number is another one.
static wkResult loadWith(const char* path, const wkBytes* bytes, size_t at, uint32_t number,
                         wkMesh** mesh)
{
    uint32_t kept = numberAt(bytes, at);
    memcpy(bytes->data + at, &number, sizeof number);
    wkWriteFile(path, bytes->data, bytes->count);
    memcpy(bytes->data + at, &kept, sizeof kept);
    return loadSurface(path, mesh);
}

// The block of a mesh that this version makes, of the two triangles above.
static wkBytes blockOfToday(void)
{
    const wkVec3d vertices[4] = {
        {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 1.0}};
    const int32_t triangles[6] = {0, 1, 2, 0, 3, 1};
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = 4;
    def.triangles = triangles;
    def.triangleCount = 2;
    def.isSolid = false;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkBytes bytes = {NULL, 0, 0};
    wkBytes_Add(&bytes, wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount);
    wkMesh_Destroy(mesh);
    return bytes;
}

static void blocks_of_version_3_load_or_are_refused_by_it(void** state)
{
    (void)state;
    wkBytes saved = bytesOf(savedBlock), today = blockOfToday();
    assert_int_equal(numberAt(&saved, VERSION_AT), SAVED_VERSION);
    const char* path = wkTestPath("saved.whisker");
    wkWriteFile(path, saved.data, saved.count);
    wkMesh* mesh = NULL;
    wkResult result = loadSurface(path, &mesh);
    if (numberAt(&today, VERSION_AT) == SAVED_VERSION) {
        if (result != wk_ok) {
            fail_msg("a block of this version is refused: %s: raise its version", wkGetLastError());
        }
        wkShape surface = wkMakeMesh(mesh), sphere = wkMakeSphere(0.25);
        wkDistanceResult d =
            wkDistance(&surface, wkIdentityPose(), &sphere, wkMakePose(0.25, 0.25, 0.5), NULL);
        assert_true(wkMesh_Info(mesh).triangleCount == 2 && d.distance <= 0.0 && d.partA == 1);
        d = wkDistance(&surface, wkIdentityPose(), &sphere, wkMakePose(0.25, 0.25, -1.0), NULL);
        assert_true(d.partA == 0 && d.distance <= 0.75 && d.distance > 0.75 - 1e-9);
        wkMesh_Destroy(mesh);
    } else {
        wkExpectRefusal(result, mesh, wk_errorUnsupported, "saved.whisker: mesh block: version 3");
    }
    wkBytes_Free(&saved);
    wkBytes_Free(&today);
    wkRemoveFiles();
}

static void blocks_of_other_versions_are_refused_by_name(void** state)
{
    (void)state;
    wkBytes today = blockOfToday();
    uint32_t version = numberAt(&today, VERSION_AT),
             headerBytes = numberAt(&today, HEADER_BYTES_AT);
    const char* path = wkTestPath("other.whisker");
    const uint32_t others[] = {0u, version - 1u, version + 1u, UINT32_MAX};
    wkMesh* mesh = NULL;
    char words[120];
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
        snprintf(words, sizeof words, "other.whisker: mesh block: version %u, this library has %u",
                 (unsigned)others[i], (unsigned)version);
        wkResult result = loadWith(path, &today, VERSION_AT, others[i], &mesh);
        wkExpectRefusal(result, mesh, wk_errorUnsupported, words);
    }
    // the same version from a compiler with another layout
    snprintf(words, sizeof words,
             "other.whisker: mesh block: header of %u bytes, this library has %u",
             (unsigned)headerBytes + 8u, (unsigned)headerBytes);
    wkResult result = loadWith(path, &today, HEADER_BYTES_AT, headerBytes + 8u, &mesh);
    wkExpectRefusal(result, mesh, wk_errorUnsupported, words);
    wkBytes_Free(&today);
    wkRemoveFiles();
}

static void truncated_blocks_are_refused_with_their_file(void** state)
{
    (void)state;
    wkBytes today = blockOfToday();
    const char* path = wkTestPath("short.whisker");
    for (size_t count = 0; count < today.count; count += count < 300 ? 1 : 37) {
        wkWriteFile(path, today.data, count);
        wkMesh* mesh = NULL;
        wkExpectRefusal(loadSurface(path, &mesh), mesh, wk_errorParse, "short.whisker");
    }
    wkBytes_Free(&today);
    wkRemoveFiles();
}

// Such a file has the size of a binary STL file without triangles, when zeros are at its end.
static void files_cut_off_after_84_bytes_are_no_empty_stl(void** state)
{
    (void)state;
    static const char ply[] = "ply\nformat binary_little_endian 1.0\ncomment ------------------\n"
                              "element vertex 9\n\0\0\0\0";
    assert_int_equal(sizeof ply - 1, 84);
    wkBytes today = blockOfToday();
    wkLoadDef def = wkDefaultLoadDef();
    def.allowsEmpty = true;
    const char* path = wkTestPath("cut");
    const void* starts[] = {ply, today.data};
    for (int i = 0; i < 2; i++) {
        wkMesh* mesh = NULL;
        wkWriteFile(path, starts[i], 84);
        wkExpectRefusal(wkMesh_Load(path, &def, NULL, &mesh), mesh, wk_errorParse, "cut");
    }
    wkBytes_Free(&today);
    wkRemoveFiles();
}

static wkSphereModelInfo infoOf(const char* text, const wkRobot* robot, bool skipsProof,
                                wkSphereLoadInfo* info)
{
    wkSphereModel* model = NULL;
    wkSphereLoadDef def = wkDefaultSphereLoadDef();
    def.skipsProof = skipsProof;
    if (wkSphereModel_Parse(text, strlen(text), robot, &def, info, &model) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    wkSphereModelInfo properties = wkSphereModel_Info(model);
    wkSphereModel_Destroy(model);
    return properties;
}

static void proofs_of_spheres_stay_valid(void** state)
{
    (void)state;
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Parse(savedRobot, strlen(savedRobot), NULL, 0, NULL, NULL, &robot);
    if (result == wk_errorUnsupported) {
        skip(); // a build without expat
    }
    assert_int_equal(result, wk_ok);
    wkSphereLoadInfo info;
    wkSphereModelInfo model = infoOf(savedSpheres, robot, true, &info);
    assert_true(info.hasProof && model.isCovering && model.sphereCount == 3);

    // a proof of another version has another digest: it is not trusted, and the spheres are proven again
    char other[sizeof savedSpheres];
    memcpy(other, savedSpheres, sizeof other);
    *strstr(other, PROOF) = '0';
    model = infoOf(other, robot, true, &info);
    assert_true(!info.hasProof && !model.isCovering);
    model = infoOf(other, robot, false, &info);
    assert_true(!info.hasProof && model.isCovering);
    wkRobot_Destroy(robot);
}

static void descriptions_and_cameras_load(void** state)
{
    (void)state;
    wkDepthImage image = wkDefaultDepthImage();
    assert_int_equal(wkDepthImage_ParseCamera(savedCamera, strlen(savedCamera), &image), wk_ok);
    assert_true(image.camera.distortion == wk_distortionBrown && image.pose.position.z == 3.0 &&
                image.camera.coefficients[0] == 0.01);
    wkRobot* robot = NULL;
    wkResult result = wkRobot_Parse(savedRobot, strlen(savedRobot), savedSrdf, strlen(savedSrdf),
                                    NULL, NULL, &robot);
    if (result == wk_errorUnsupported) {
        skip(); // a build without expat
    }
    assert_int_equal(result, wk_ok);
    wkRobotInfo info = wkRobot_Info(robot);
    assert_true(info.groupCount == 1 && info.stateCount == 1 && info.disabledPairCount == 1);
    assert_string_equal(wkRobot_NamedState(robot, 0).name, "home");
    wkRobot_Destroy(robot);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(blocks_of_version_3_load_or_are_refused_by_it),
        cmocka_unit_test(blocks_of_other_versions_are_refused_by_name),
        cmocka_unit_test(truncated_blocks_are_refused_with_their_file),
        cmocka_unit_test(files_cut_off_after_84_bytes_are_no_empty_stl),
        cmocka_unit_test(proofs_of_spheres_stay_valid),
        cmocka_unit_test(descriptions_and_cameras_load),
    };
    return cmocka_run_group_tests_name("io.saved_versions", tests, NULL, NULL);
}
