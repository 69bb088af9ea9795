// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One sphere at a time, as other devices decide: look-ups give the bits of the lanes, and verdicts are those of the
// field wherever the host is not needed. In C and, where there is a compiler, in C++.

#include "../cases.h"
#include "batch/field_item.h"
#include "batch/field_sphere_item.h"
#include "field_items.h"
#include "field_kit.h"
#include "scenes/maps.h"

#include <math.h>
#include <stdlib.h>

// Spheres of a scene, and what was decided about them.
typedef struct itemCounts {
    int all;
    int host;        // left to the host
    int hostInGrid;  // of these, spheres that lists are made for
    int verdicts[8]; // of the others
} itemCounts;

static unsigned checkCell(const wkFieldGrid* grid, const float center[3], float radius)
{
    wkFieldCell cell = wkFieldItem_Find(grid, center);
    unsigned isOpen = wkFieldItem_IsOpen(grid, cell, radius) ? 1u : 0u;
    return isOpen != 0 && wkFieldItem_IsTouching(grid, cell, radius) ? isOpen | 2u : isOpen;
}

// Returns whether lists are made for a sphere; told apart from numbers near the limits.
static bool isInLists(const wkField* field, const wkFieldGrid* grid, const float center[3],
                      float radius)
{
    bool isIn = radius >= 0.0f && radius < 0.999f * 255.0f * field->step;
    for (int k = 0; k < 3; ++k) {
        float end = grid->lower[k] + grid->size * (float)(grid->count[k] - 1);
        isIn = isIn && center[k] > grid->lower[k] + 1.001f * grid->size &&
               center[k] < end - 0.001f * grid->size;
    }
    return isIn;
}

// Returns whether an object that may matter to a side is evaluated in the scene.
static bool hasHostObject(const wkField* field, int32_t side)
{
    for (int32_t i = 0; i < field->objectCount; ++i) {
        const wkFieldObject* o = &field->objects[i];
        bool isMap = o->map >= 0 && !field->maps[o->map].isAsked;
        if (!o->isBox && !isMap && !wkField_MayTouchRuled(field, o->rule, side)) {
            return true;
        }
    }
    return field->cloudCount > 0 && field->clouds == NULL;
}

static void failAt(const float center[3], float radius, int32_t side, wkVerdict item,
                   wkVerdict field)
{
    fail_msg("sphere %a %a %a radius %a side %d: %s, the field says %s", (double)center[0],
             (double)center[1], (double)center[2], (double)radius, (int)side, wkVerdictName(item),
             wkVerdictName(field));
}

static void compareSphere(const wkField* field, int32_t side, const float center[3], float radius,
                          bool needsHost, itemCounts* counts)
{
    // nothing but the blocks is read
    wkField view = *field;
    view.scene = NULL;
    view.marks = NULL;
    wkVerdict item = wkFieldItem_CheckSphere(&view, side, center, radius);
    wkVerdict whole = wkField_CheckSphere(field, side, center, radius);
    ++counts->all;
#if defined(HAS_CPP)
    assert_int_equal(item, wkCheckSphereInCpp(&view, side, center, radius));
#endif
    if (item != wk_verdictUnchecked) {
        if (item != whole) {
            failAt(center, radius, side, item, whole);
        }
        ++counts->verdicts[item];
        return;
    }
    bool isIn = isInLists(field, wkField_GridOf(field, side), center, radius);
    if (isIn && !needsHost) {
        failAt(center, radius, side, item, whole);
    }
    ++counts->host;
    counts->hostInGrid += isIn;
}

// Moves some spheres to the surface of what is near, and others to where no sphere should be.
static void spoilSpheres(const wkField* field, int32_t side, wkRng* rng, sphereRows* rows)
{
    static const float odd[] = {NAN, INFINITY, -INFINITY, 1e30f, -1e30f, 3e38f, 0.0f, 1e6f};
    const int oddCount = (int)(sizeof odd / sizeof *odd);
    float* const columns[4] = {rows->x, rows->y, rows->z, rows->radius};
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        if (i % 2 == 0) {
            const float center[3] = {rows->x[i], rows->y[i], rows->z[i]};
            double away = wkField_SphereDistance(field, side, center, 0.0f, 0.2);
            double near = away + (i % 4 == 0 ? 1e-3 : 1e-7) * wkRngRange(rng, -1.0, 1.0);
            rows->radius[i] = near > 0.0 ? (float)near : 0.0f;
        } else if (wkRngChance(rng, 24)) {
            columns[wkRngBelow(rng, 4)][i] = odd[wkRngBelow(rng, oddCount)];
        } else if (wkRngChance(rng, 48)) {
            rows->radius[i] = -rows->radius[i];
        }
    }
}

static void compareRows(const wkField* field, int32_t side, const sphereRows* rows,
                        itemCounts* counts)
{
    const wkFieldGrid* grid = wkField_GridOf(field, side);
    uint64_t open[SPHERE_COUNT / 64], touching[SPHERE_COUNT / 64];
    checkSpheres(grid, rows, open, touching);
    bool needsHost = hasHostObject(field, side);
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        const float center[3] = {rows->x[i], rows->y[i], rows->z[i]};
        unsigned bits = (unsigned)(open[i / 64] >> (i % 64) & 1u) |
                        (unsigned)(touching[i / 64] >> (i % 64) & 1u) << 1;
        assert_int_equal(checkCell(grid, center, rows->radius[i]), bits);
#if defined(HAS_CPP)
        assert_int_equal(wkCheckCellInCpp(grid, center, rows->radius[i]), bits);
#endif
        compareSphere(field, side, center, rows->radius[i], needsHost, counts);
    }
}

// Compares spheres about the origin of a field of a scene.
// @param isSparse spheres are expected at few positions
static void compareReach(const wkRobotScene* scene, int32_t side, int rounds, bool isSparse,
                         wkRng* rng, itemCounts* counts)
{
    static sphereRows rows;
    static wkReach reach;
    wkFieldDef def = {.scene = scene,
                      .origin = wkVec(0.1, -0.2, 0.3),
                      .reach = {{-1.1, -1.4, -0.9}, {1.3, 1.0, 1.5}},
                      .largestRadius = 0.12};
    if (isSparse) {
        wkAabb box = {wkSub(def.reach.lower, def.origin), wkSub(def.reach.upper, def.origin)};
        fillSparseReach(rng, box, &reach);
        def.reachCells = &reach;
    }
    wkField* field = NULL;
    assert_int_equal(wkField_Create(&def, &field), wk_ok);
    for (int i = 0; i < rounds; ++i) {
        fillSpheres(rng, 1.3, 0.12, &rows);
        spoilSpheres(field, side, rng, &rows);
        compareRows(field, side, &rows, counts);
    }
    wkField_Destroy(field);
}

static void compareScene(const wkRobotScene* scene, int32_t side, int rounds, wkRng* rng,
                         itemCounts* counts)
{
    compareReach(scene, side, rounds, false, rng, counts);
}

static void surroundings_of_every_kind_match_the_field(void** unused)
{
    (void)unused;
    itemCounts counts = {0};
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; ++kind) {
        for (uint64_t seed = 11; seed < 11 + WK_CASES(3); ++seed) {
            wkSurroundings all;
            wkMakeSurroundings(&wkSurroundingsKinds[kind], seed, &all);
            int32_t sideCount = all.scene->robot->info.linkCount + all.scene->holdCount;
            for (int32_t side = 0; side < sideCount; side += 4) {
                compareScene(all.scene, side, WK_CASES(5), &all.rng, &counts);
            }
            wkFreeSurroundings(&all);
        }
    }
    assert_true(counts.verdicts[wk_verdictFree] > counts.all / 10);
    assert_true(counts.verdicts[wk_verdictWorld] > counts.all / 10);
    assert_true(counts.verdicts[wk_verdictUnknown] > 0);
    assert_true(counts.hostInGrid > 0);
}

// A scene with the built-in robot, to which shapes are added one by one.
typedef struct itemScene {
    wkRobot* robot;
    wkRobotScene* scene;
    int count;
} itemScene;

static itemScene makeScene(void)
{
    itemScene made = {NULL, NULL, 0};
    assert_int_equal(wkRobot_CreateBuiltIn(&made.robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made.robot;
    assert_int_equal(wkRobotScene_Create(&def, &made.scene), wk_ok);
    return made;
}

static void freeScene(itemScene* made)
{
    wkRobotScene_Destroy(made->scene);
    wkRobot_Destroy(made->robot);
}

static wkPose randomPose(wkRng* rng, double size)
{
    wkPose pose = {wkVec(wkRngRange(rng, -size, size), wkRngRange(rng, -size, size),
                         wkRngRange(rng, -size, size)),
                   wkRngRotation(rng)};
    return pose;
}

static void addShape(itemScene* made, wkShape shape, wkPose pose)
{
    char name[32];
    snprintf(name, sizeof name, "object %d", made->count++);
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    assert_int_equal(wkRobotScene_Add(made->scene, &def), wk_ok);
}

static void shapes_of_every_type_match_the_field(void** unused)
{
    (void)unused;
    wkShapeBank bank;
    wkShapeBank_Create(&bank, 15);
    wkRng rng = wkMakeRng(91);
    itemCounts boxes = {0}, others = {0};
    for (int round = 0; round < WK_CASES(6); ++round) {
        for (int type = 1; type <= WK_SCENE_TYPE_COUNT; ++type) {
            itemScene made = makeScene();
            for (int i = 0; i < 4; ++i) {
                wkPose pose = randomPose(&rng, 0.8);
                pose.rotation = round == 0 ? wkRngRightAngles(&rng) : pose.rotation;
                addShape(&made, wkRandomShape(&rng, &bank, (wkShapeType)type, 0.3), pose);
            }
            bool isBox = type == wk_shapeSphere || type == wk_shapeCapsule || type == wk_shapeBox ||
                         type == wk_shapeHalfspace;
            compareScene(made.scene, 0, 4, &rng, isBox ? &boxes : &others);
            freeScene(&made);
        }
    }
    // boxes stand for these, so that only spheres without lists need the host
    assert_int_equal(boxes.hostInGrid, 0);
    assert_true(boxes.host > 0 && others.hostInGrid > 0);
    wkShapeBank_Destroy(&bank);
}

static void maps_of_every_kind_match_the_field(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(92);
    itemCounts counts = {0};
    for (int kind = 0; kind < WK_MAP_KIND_COUNT * 3; ++kind) {
        for (int i = 0; i < WK_CASES(5); ++i) {
            itemScene made = makeScene();
            wkOctree* octree = wkMakeMap(kind / 3, i % 2 == 0 ? 0.05 : 0.031, (uint64_t)i + 9);
            wkShape map = wkMakeOctree(octree);
            map.map.unknown = (wkUnknownRule)(wk_unknownFree + kind % 3);
            map.rounding = wkRngChance(&rng, 3) ? 0.02 : 0.0;
            map.padding = wkRngChance(&rng, 3) ? wkRngRange(&rng, -0.01, 0.02) : 0.0;
            wkPose pose = randomPose(&rng, 0.2);
            pose.rotation = i % 4 == 0 ? wkIdentityPose().rotation : pose.rotation;
            addShape(&made, map, pose);
            compareScene(made.scene, 0, 4, &rng, &counts);
            freeScene(&made);
            wkOctree_Destroy(octree);
        }
    }
    assert_int_equal(counts.hostInGrid, 0);
    assert_true(counts.verdicts[wk_verdictUnknown] > counts.all / 100);
}

static wkCloud* makeCloud(wkRng* rng, int count, bool hasRadii)
{
    float* points = (float*)calloc((size_t)count * 4, sizeof *points);
    assert_non_null(points);
    bool isFlat = wkRngChance(rng, 2);
    for (int i = 0; i < count; ++i) {
        for (int k = 0; k < 3; ++k) {
            bool isOnFace = isFlat && i % 3 == k;
            points[4 * i + k] =
                (float)(isOnFace ? 0.5 * wkRngSign(rng) : wkRngRange(rng, -0.5, 0.5));
        }
        points[4 * i + 3] = (float)(0.05 * wkRngUnit(rng));
    }
    wkCloudDef def = wkDefaultCloudDef();
    def.points.data = points;
    def.points.count = count;
    def.points.stride = 4 * sizeof(float);
    def.points.radiusOffset = hasRadii ? 3 * (int)sizeof(float) : -1;
    def.radius = wkRngChance(rng, 2) ? 0.0 : 0.01;
    wkCloud* cloud = NULL;
    assert_int_equal(wkCloud_Create(&def, &cloud), wk_ok);
    free(points);
    return cloud;
}

static void clouds_of_every_kind_match_the_field(void** unused)
{
    (void)unused;
    static const int sizes[] = {1, 7, 9, 64, 65, 700, 5000, 40000};
    wkRng rng = wkMakeRng(93);
    itemCounts counts = {0};
    for (int i = 0; i < WK_CASES(64); ++i) {
        itemScene made = makeScene();
        wkCloud* clouds[2];
        for (int k = 0; k < 2; ++k) {
            clouds[k] = makeCloud(&rng, sizes[(i + 3 * k) % 8], i / 8 % 2 == 0);
            wkShape shape = wkMakeCloud(clouds[k]);
            shape.padding = wkRngChance(&rng, 3) ? wkRngRange(&rng, -0.005, 0.02) : 0.0;
            wkPose pose = randomPose(&rng, 0.5);
            pose.rotation = i % 4 == 0 ? wkIdentityPose().rotation : pose.rotation;
            addShape(&made, shape, pose);
        }
        if (i % 3 == 0) {
            addShape(&made, wkMakeBox(0.2, 0.3, 0.1), randomPose(&rng, 0.6));
        }
        compareReach(made.scene, 0, 4, i % 2 == 0, &rng, &counts);
        freeScene(&made);
        wkCloud_Destroy(clouds[0]);
        wkCloud_Destroy(clouds[1]);
    }
    assert_int_equal(counts.hostInGrid, 0);
    assert_true(counts.verdicts[wk_verdictWorld] > counts.all / 50);
    assert_true(counts.verdicts[wk_verdictFree] > counts.all / 10);
}

// Without lists of clouds, spheres that touch nothing else are left to the host.
static void clouds_without_lists_are_left_to_the_host(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(94);
    itemScene made = makeScene();
    wkCloud* cloud = makeCloud(&rng, 100, false);
    addShape(&made, wkMakeCloud(cloud), wkIdentityPose());
    addShape(&made, wkMakeBox(1.0, 1.0, 1.0), wkMakePose(0.3, 0.0, 0.0));
    wkFieldDef def = {
        .scene = made.scene, .reach = {{-1, -1, -1}, {1, 1, 1}}, .largestRadius = 0.1};
    wkField* field = NULL;
    assert_int_equal(wkField_Create(&def, &field), wk_ok);
    wkField view = *field;
    view.clouds = NULL;
    const float inBox[3] = {0.3f, 0.0f, 0.0f}, elsewhere[3] = {-0.6f, 0.1f, 0.0f};
    assert_int_equal(wkFieldItem_CheckSphere(&view, 0, inBox, 0.01f), wk_verdictWorld);
    assert_int_equal(wkFieldItem_CheckSphere(&view, 0, elsewhere, 0.01f), wk_verdictUnchecked);
    wkField_Destroy(field);
    freeScene(&made);
    wkCloud_Destroy(cloud);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(surroundings_of_every_kind_match_the_field),
        cmocka_unit_test(shapes_of_every_type_match_the_field),
        cmocka_unit_test(maps_of_every_kind_match_the_field),
        cmocka_unit_test(clouds_of_every_kind_match_the_field),
        cmocka_unit_test(clouds_without_lists_are_left_to_the_host),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
