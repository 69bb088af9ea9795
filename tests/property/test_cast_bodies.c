// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Casts of meshes, height fields, maps and clouds, among each other and with convex shapes, against verdicts at
// many instants.

#include "cast_check.h"
#include "scenes/fields.h"
#include "scenes/maps.h"
#include "scenes/mesh_models.h"
#include "whisker/whisker.h"

#include <stdlib.h>
#include <string.h>

#define BODY_COUNT 8
#define POINT_COUNT 200

// Bodies of about the size of a metre that are not convex.
typedef struct bodies {
    wkMesh* knot;
    wkMesh* blob; // solid
    wkMesh* open; // solid, with a hole
    wkHeightField* field;
    wkOctree* octree;
    wkCloud* cloud;
    wkShape shapes[BODY_COUNT];
} bodies;

static bodies all;

static wkMesh* makeMesh(wkModel* model, bool isSolid, int32_t dropped)
{
    wkMeshDef def = wkModel_MeshDef(model);
    def.isSolid = isSolid;
    def.triangleCount -= dropped;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkModel_Free(model);
    memset(model, 0, sizeof *model);
    return mesh;
}

static wkCloud* makeCloud(void)
{
    static float points[3 * POINT_COUNT];
    wkRng rng = wkMakeRng(7);
    for (int i = 0; i < 3 * POINT_COUNT; i++) {
        points[i] = (float)wkRngRange(&rng, -0.7, 0.7);
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points = wkMakeCloudView(points, POINT_COUNT);
    def.radius = 0.02;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    return cloud;
}

static int makeBodies(void** state)
{
    (void)state;
    wkModel model;
    memset(&model, 0, sizeof model);
    bool isMade = wkModel_AddKnot(&model, 0.5, 0.1, 40, 6);
    all.knot = makeMesh(&model, false, 0);
    isMade = isMade && wkModel_AddBlob(&model, wkSceneVec(0.2, 0.0, 0.0), 0.5, 0.2, 8, 12);
    all.blob = makeMesh(&model, true, 0);
    isMade = isMade && wkModel_AddBlob(&model, wkSceneVec(0.0, 0.0, 0.0), 0.5, 0.1, 6, 8);
    all.open = makeMesh(&model, true, 3);
    double* heights = wkMakeHeights(1, 9, 9, 3);
    assert_true(isMade && heights != NULL);
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = heights;
    def.columns = def.rows = 9;
    def.sizeX = def.sizeY = 1.5;
    def.minHeight = -0.5;
    assert_int_equal(wkHeightField_Create(&def, &all.field), wk_ok);
    free(heights);
    all.octree = wkMakeMap(2, 0.1, 1);
    all.cloud = makeCloud();
    wkShape shapes[BODY_COUNT] = {wkMakeMesh(all.knot),     wkMakeMesh(all.blob),
                                  wkMakeMesh(all.open),     wkMakeHeightField(all.field),
                                  wkMakeOctree(all.octree), wkMakeCloud(all.cloud),
                                  wkMakeMesh(all.blob),     wkMakeOctree(all.octree)};
    shapes[6].rounding = 0.05;
    shapes[6].padding = -0.1;
    shapes[7].map.unknown = wk_unknownReported;
    memcpy(all.shapes, shapes, sizeof shapes);
    return 0;
}

static int freeBodies(void** state)
{
    (void)state;
    wkMesh_Destroy(all.knot);
    wkMesh_Destroy(all.blob);
    wkMesh_Destroy(all.open);
    wkHeightField_Destroy(all.field);
    wkOctree_Destroy(all.octree);
    wkCloud_Destroy(all.cloud);
    return 0;
}

static int boundCount, touchCount, freeCount;

static void checkBodies(wkRng* rng, int a, int b)
{
    wkMovingPair pair;
    uint64_t state = rng->state;
    wkShapeType typeA = a < BODY_COUNT ? wk_shapeSphere : (wkShapeType)(1 + a - BODY_COUNT);
    wkShapeType typeB = b < BODY_COUNT ? wk_shapeSphere : (wkShapeType)(1 + b - BODY_COUNT);
    wkMakeMovingPair(rng, wkKitBank(), typeA, typeB, &pair);
    pair.a = a < BODY_COUNT ? all.shapes[a] : pair.a;
    pair.b = b < BODY_COUNT ? all.shapes[b] : pair.b;
    wkCastResult r = castPair(&pair);
    if (r.status == wk_statusUnknown) {
        r.status = wk_statusExact;
    }
    checkCast(&pair, &r, 24, state);

    // bodies that may overlap a little are not proven free once they do
    bool mayOverlap = pair.margin < 0.0 || pair.a.padding + pair.b.padding < 0.0;
    boundCount += r.status == wk_statusBound && !mayOverlap;
    touchCount += r.isTouching && r.status != wk_statusBound;
    freeCount += !r.isTouching;
}

static void casts_of_bodies_agree_with_all_instants(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int a = 0; a < BODY_COUNT + WK_SCENE_TYPE_COUNT; a++) {
        for (int b = 0; b < BODY_COUNT + WK_SCENE_TYPE_COUNT; b++) {
            bool isPair = a < BODY_COUNT || b < BODY_COUNT;
            for (int i = 0; isPair && i < wkKitCases(3); i++) {
                checkBodies(&rng, a, b);
            }
        }
    }
    print_message("%d touch, %d free, %d not decided\n", touchCount, freeCount, boundCount);
    assert_true(boundCount <= (touchCount + freeCount) / 200);
}

static void a_cloud_falls_on_the_ground(void** state)
{
    (void)state;
    wkShape cloudPoint = wkMakeCloud(all.cloud),
            ground = wkMakeHalfspace(wkSceneVec(0.0, 0.0, 1.0), 0.0);
    wkVec3d down = wkSceneVec(0.0, 0.0, -1.0);
    double low = -wkShape_Support(&cloudPoint, wkIdentityPose(), down).z;
    wkBodyMotion falling =
        wkMakeLinearMotion(wkMakePose(0.0, 0.0, 2.0 + low), wkMakePose(0.0, 0.0, -2.0 + low));
    wkBodyMotion here = wkMakeStaticMotion(wkIdentityPose());
    wkCastResult r = wkCast(&cloudPoint, &falling, &ground, &here, NULL);
    assert_true(r.isTouching && r.status == wk_statusExact);
    assert_true(r.time <= 0.5 + 1e-9 && r.touchingBy >= 0.5 - 1e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(casts_of_bodies_agree_with_all_instants),
        cmocka_unit_test(a_cloud_falls_on_the_ground),
    };
    int failures = cmocka_run_group_tests(tests, makeBodies, freeBodies);
    wkKitEnd();
    return failures;
}
