// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's meshes beside ours, near contact: verdicts and distances. All pairs of triangles decide
// where they differ, and ours is never the wrong one. Pairs of models from files are left out where
// the files are not there.

#include "data_files.h"
#include "kit.h"
#include "oracle_mesh.h"

#include <stdlib.h>

// Of the size of a pair: beyond this a difference is not rounding.
#define TOLERANCE 1e-9

static bool makeKnot(wkModel* model)
{
    return wkModel_AddKnot(model, 0.3, 0.12, 60, 8);
}

static bool makeBlob(wkModel* model)
{
    return wkModel_AddBlob(model, wkSceneVec(0.0, 0.0, 0.0), 0.8, 0.25, 30, 30);
}

static bool makeBox(wkModel* model)
{
    return wkModel_AddBox(model, wkIdentityPose(), wkSceneVec(0.5, 0.75, 0.25), 4);
}

static bool makeSoup(wkModel* model)
{
    wkRng rng = wkMakeRng(5);
    bool isMade = true;
    for (int32_t i = 0; i < 300 && isMade; i++) {
        wkVec3d center = wkRngDirection(&rng);
        double size = wkRngLogRange(&rng, 1e-3, 0.5);
        for (int k = 0; k < 3; k++) {
            wkVec3d way = wkSceneScale(wkRngDirection(&rng), size);
            isMade = isMade && wkModel_AddVertex(model, wkSceneAdd(center, way));
        }
        isMade = isMade && wkModel_AddTriangle(model, 3 * i, 3 * i + 1, 3 * i + 2);
    }
    return isMade;
}

// A model made by formula, or from a file of the data folder.
typedef struct source {
    const char* name;
    bool (*make)(wkModel* model);
    const char* path;
    double scale;
} source;

typedef struct sourcePair {
    source a;
    source b;
} sourcePair;

// clang-format off
static const sourcePair pairs[] = {
    {{"knot", makeKnot, NULL, 1.0},                        {"blob", makeBlob, NULL, 1.0}},
    {{"box", makeBox, NULL, 1.0},                          {"box", makeBox, NULL, 1.0}},
    {{"soup", makeSoup, NULL, 1.0},                        {"knot", makeKnot, NULL, 1.0}},
    {{"piano", NULL, "meshes/fcl/rob.obj", 1e-3},          {"room", NULL, "meshes/fcl/env.obj", 1e-3}},
    {{"spot", NULL, "meshes/odedstein/spot_low_resolution.obj", 1.0},
     {"skull", NULL, "meshes/odedstein/skull_low_resolution.obj", 0.2}},
    {{"mug", NULL, "meshes/ycb/025_mug.obj", 1.0},         {"plate", NULL, "meshes/ycb/029_plate.obj", 1.0}},
};
// clang-format on

// A model with both hierarchies.
typedef struct body {
    wkModel model;
    wkMesh* mesh;
    wkFclMesh* theirs;
    double radius;
} body;

static bool loadModel(const char* name, double scale, wkModel* model)
{
    char path[WK_DATA_PATH_CAPACITY];
    if (!wkFindData(name, path)) {
        return false;
    }
    wkMeshData* data = NULL;
    if (wkMeshData_Load(path, NULL, NULL, &data) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    bool isDone = true;
    for (int32_t i = 0; i < data->vertexCount && isDone; i++) {
        isDone = wkModel_AddVertex(model, data->vertices[i]);
    }
    for (int32_t i = 0; i < data->triangleCount && isDone; i++) {
        const int32_t* vertices = data->triangles + 3 * (size_t)i;
        isDone = wkModel_AddTriangle(model, vertices[0], vertices[1], vertices[2]);
    }
    wkMeshData_Destroy(data);
    wkModel_Center(model, scale);
    return isDone;
}

static bool makeBody(const source* from, body* b)
{
    *b = (body){{0}, NULL, NULL, 0.0};
    bool isMade =
        from->make != NULL ? from->make(&b->model) : loadModel(from->path, from->scale, &b->model);
    if (!isMade) {
        wkModel_Free(&b->model);
        return false;
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = b->model.vertices;
    def.vertexCount = b->model.vertexCount;
    def.triangles = b->model.indices;
    def.triangleCount = b->model.triangleCount;
    assert_int_equal(wkMesh_Create(&def, &b->mesh), wk_ok);
    b->theirs = wkFclMesh_Create(&b->model);
    assert_non_null(b->theirs);
    b->radius = wkModel_Radius(&b->model);
    return true;
}

static void freeBody(body* b)
{
    wkMesh_Destroy(b->mesh);
    wkFclMesh_Destroy(b->theirs);
    wkModel_Free(&b->model);
}

// Boxes of single triangles in the world, so that all pairs are looked at in bearable time.
static wkAabb* boundAll(const body* b, wkPose pose)
{
    wkAabb* boxes = (wkAabb*)calloc((size_t)b->model.triangleCount, sizeof *boxes);
    assert_non_null(boxes);
    for (int32_t i = 0; i < b->model.triangleCount; i++) {
        wkTriangle t = wkMesh_Triangle(b->mesh, i);
        wkShape shape = wkMakeTriangle(t.points[0], t.points[1], t.points[2]);
        boxes[i] = wkShape_Bounds(&shape, pose);
    }
    return boxes;
}

static double gapOfBoxes(const wkAabb* a, const wkAabb* b)
{
    double x = fmax(0.0, fmax(a->lower.x - b->upper.x, b->lower.x - a->upper.x));
    double y = fmax(0.0, fmax(a->lower.y - b->upper.y, b->lower.y - a->upper.y));
    double z = fmax(0.0, fmax(a->lower.z - b->upper.z, b->lower.z - a->upper.z));
    return sqrt(x * x + y * y + z * z);
}

// Over all pairs of triangles; 0 when two of them touch.
static double distanceByAll(const body* a, const body* b, wkPose poseB)
{
    wkAabb *boxesA = boundAll(a, wkIdentityPose()), *boxesB = boundAll(b, poseB);
    double best = INFINITY;
    for (int32_t i = 0; i < a->model.triangleCount && best > 0.0; i++) {
        wkTriangle s = wkMesh_Triangle(a->mesh, i);
        wkShape first = wkMakeTriangle(s.points[0], s.points[1], s.points[2]);
        for (int32_t j = 0; j < b->model.triangleCount; j++) {
            if (gapOfBoxes(&boxesA[i], &boxesB[j]) <= best) {
                wkTriangle t = wkMesh_Triangle(b->mesh, j);
                wkShape second = wkMakeTriangle(t.points[0], t.points[1], t.points[2]);
                double d = wkDistance(&first, wkIdentityPose(), &second, poseB, NULL).distance;
                best = fmin(best, fmax(d, 0.0));
            }
        }
    }
    free(boxesA);
    free(boxesB);
    return best;
}

typedef struct tally {
    int asked;
    int failed;
    int disagreed;
    int theirsWrong;
    int oursWrong;
} tally;

static void compare(const body* a, const body* b, wkPose poseB, tally* t)
{
    wkShape first = wkMakeMesh(a->mesh), second = wkMakeMesh(b->mesh);
    double ours = fmax(wkDistance(&first, wkIdentityPose(), &second, poseB, NULL).distance, 0.0);
    bool isTouching = wkCollide(&first, wkIdentityPose(), &second, poseB, NULL).isTouching;
    wkOpinion theirs = wkFclMesh_Ask(a->theirs, wkIdentityPose(), b->theirs, poseB);
    double tolerance = TOLERANCE * (a->radius + b->radius);
    t->asked++;
    assert_true(isTouching == (ours <= 0.0));
    if (theirs.hasFailed) {
        t->failed++;
        return;
    }
    double said = theirs.hasDistance ? theirs.distance : 0.0;
    bool isSame =
        fabs(said - ours) <= tolerance && (theirs.isTouching == isTouching || ours <= tolerance);
    if (isSame) {
        return;
    }
    double truth = distanceByAll(a, b, poseB);
    t->disagreed++;
    bool isVerdictWrong = theirs.isTouching != (truth <= 0.0) && truth > tolerance;
    t->theirsWrong += isVerdictWrong || fabs(said - truth) > tolerance ? 1 : 0;
    if (fabs(ours - truth) > 1e-12 * (a->radius + b->radius)) {
        t->oursWrong++;
        printf("ours %.17g, theirs %.17g, all pairs %.17g\n", ours, theirs.distance, truth);
    }
}

// Near contact: from far away along a line until a step off the distance that is left.
static wkPose makePose(const body* a, const body* b, wkRng* rng)
{
    wkShape first = wkMakeMesh(a->mesh), second = wkMakeMesh(b->mesh);
    wkVec3d way = wkRngDirection(rng);
    wkPose pose = {wkSceneScale(way, a->radius + b->radius), wkRngRotation(rng)};
    wkVec3d aim = wkSceneScale(wkRngDirection(rng), 0.5 * a->radius * wkRngUnit(rng));
    pose.position = wkSceneAdd(pose.position, aim);
    double d = wkDistance(&first, wkIdentityPose(), &second, pose, NULL).distance;
    double step = d * wkRngRange(rng, 0.8, 1.2) + 0.03 * b->radius * wkRngRange(rng, -1.0, 1.0);
    pose.position = wkSceneSub(pose.position, wkSceneScale(way, step));
    return pose;
}

static void fcl_agrees_about_meshes(void** state)
{
    (void)state;
    tally sum = {0};
    printf("%-16s %6s %6s %8s %7s %5s\n", "pair", "asked", "failed", "disagree", "theirs", "ours");
    for (int i = 0; i < (int)(sizeof pairs / sizeof *pairs); i++) {
        body a, b = {{0}, NULL, NULL, 0.0};
        if (!makeBody(&pairs[i].a, &a)) {
            continue;
        }
        if (makeBody(&pairs[i].b, &b)) {
            wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)i);
            tally t = {0};
            for (int n = 0; n < wkKitCases(100); n++) {
                compare(&a, &b, makePose(&a, &b, &rng), &t);
            }
            char name[64];
            snprintf(name, sizeof name, "%s-%s", pairs[i].a.name, pairs[i].b.name);
            printf("%-16s %6d %6d %8d %7d %5d\n", name, t.asked, t.failed, t.disagreed,
                   t.theirsWrong, t.oursWrong);
            sum.oursWrong += t.oursWrong;
            freeBody(&b);
        }
        freeBody(&a);
    }
    assert_int_equal(sum.oursWrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fcl_agrees_about_meshes),
    };
    int failed = cmocka_run_group_tests_name("FCL's meshes", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
