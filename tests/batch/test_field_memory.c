// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What a field keeps, and what becomes of it on bad days: no memory, bad parameters, spheres that are no
// numbers, more rules than layers; and threads, which change nothing.

#include "field_kit.h"
#include "memory/fail_every.h"

#include <math.h>

static wkFieldDef defOf(const wkRobotScene* scene)
{
    wkFieldDef def = {.scene = scene,
                      .reach = {{-1.0, -1.0, -1.0}, {1.0, 1.0, 1.0}},
                      .largestRadius = 0.1,
                      .cellSize = 0.1};
    return def;
}

// Surroundings with a map whose unknown cells count, rules and categories.
static void makeAll(wkSurroundings* all)
{
    wkSurroundingsKind kind = {.name = "all",
                               .objectCount = 12,
                               .size = 0.3,
                               .hasMap = true,
                               .unknown = wk_unknownReported,
                               .hasFloor = true,
                               .hasCategories = true,
                               .hasRules = true};
    wkMakeSurroundings(&kind, 3, all);
}

// A field that could not be made leaves nothing to destroy.
static wkResult makeField(void* context)
{
    wkField* field = NULL;
    wkResult result = wkField_Create((const wkFieldDef*)context, &field);
    assert_int_equal(result == wk_ok, field != NULL);
    wkField_Destroy(field);
    return result;
}

static void every_failing_allocation_is_survived(void** unused)
{
    (void)unused;
    wkSurroundings all;
    makeAll(&all);
    wkFieldDef def = defOf(all.scene);
    def.cellSize = 0.2;
    assert_true(failEveryAllocationOf(makeField, &def) > 10);
    wkFreeSurroundings(&all);
}

static void bad_definitions_are_refused_by_name(void** unused)
{
    (void)unused;
    wkSurroundings all;
    makeAll(&all);
    wkFieldDef bad[8];
    for (int i = 0; i < 8; ++i) {
        bad[i] = defOf(all.scene);
    }
    bad[0].scene = NULL;
    bad[1].origin.y = NAN;
    bad[2].reach.lower.z = NAN;
    bad[3].largestRadius = -1.0;
    bad[4].largestRadius = NAN;
    bad[5].cellSize = -0.1;
    bad[6].cellSize = NAN;
    bad[7].largestRadius = INFINITY;
    static const char* const names[8] = {"scene",         "origin",   "reach",    "largestRadius",
                                         "largestRadius", "cellSize", "cellSize", "largestRadius"};
    for (int i = 0; i < 8; ++i) {
        wkField* field = (wkField*)&all;
        assert_int_not_equal(wkField_Create(&bad[i], &field), wk_ok);
        assert_null(field);
        assert_non_null(strstr(wkGetLastError(), names[i]));
    }
    wkField* field = NULL;
    assert_int_equal(wkField_Create(NULL, &field), wk_errorArgument);
    wkField_Destroy(NULL);
    wkFreeSurroundings(&all);
}

static void spheres_that_are_no_numbers_are_never_free(void** unused)
{
    (void)unused;
    static const float numbers[] = {NAN, INFINITY, -INFINITY, 3e38f, -3e38f};
    static sphereRows rows;
    wkSurroundings all;
    makeAll(&all);
    wkFieldDef def = defOf(all.scene);
    wkField* field = NULL;
    assert_int_equal(wkField_Create(&def, &field), wk_ok);
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        float* slots[4] = {&rows.x[i], &rows.y[i], &rows.z[i], &rows.radius[i]};
        for (int k = 0; k < 4; ++k) {
            *slots[k] = 0.01f * (float)(i % 50);
        }
        float number = numbers[i / 4 % 5];
        *slots[i % 4] = i % 4 == 3 ? fabsf(number) : number;
    }
    uint64_t open[SPHERE_COUNT / 64], touching[SPHERE_COUNT / 64];
    checkSpheres(wkField_GridOf(field, 0), &rows, open, touching);
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        bool isNone = !(fabsf(*(const float* [4]){&rows.x[i], &rows.y[i], &rows.z[i],
                                                  &rows.radius[i]}[i % 4]) < INFINITY);
        assert_true(!isNone || (open[i / 64] >> (i % 64) & 1u) != 0);
        float center[3] = {rows.x[i], rows.y[i], rows.z[i]};
        wkVerdict verdict = wkField_CheckSphere(field, 0, center, rows.radius[i]);
        assert_true(!isNone || verdict != wk_verdictFree);
        (void)wkField_SphereDistance(field, 0, center, rows.radius[i], 0.1);
    }
    wkField_Destroy(field);
    wkFreeSurroundings(&all);
}

// Many objects, each of which other links may touch.
static void more_rules_than_layers_are_kept(void** unused)
{
    (void)unused;
    static sphereRows rows;
    wkSurroundings all;
    wkMakeSurroundings(&(wkSurroundingsKind){.name = "none"}, 4, &all);
    wkAllowed* allowed = NULL;
    assert_int_equal(wkAllowed_Copy(wkRobotScene_Allowed(all.scene), &allowed), wk_ok);
    int32_t linkCount = all.scene->robot->info.linkCount;
    char name[32];
    for (int i = 0; i < 40; ++i) {
        snprintf(name, sizeof name, "sphere %d", i);
        wkPose pose = wkMakePose(wkRngRange(&all.rng, -1.0, 1.0), wkRngRange(&all.rng, -1.0, 1.0),
                                 wkRngRange(&all.rng, -1.0, 1.0));
        assert_int_equal(wkAddSphere(all.scene, name, 0.15, pose), wk_ok);
        const char* link = all.scene->robot->links[i % linkCount].info.name;
        if (i % 3 != 0) {
            assert_int_equal(wkAllowed_Set(allowed, link, name, wk_ruleAllowed), wk_ok);
        }
    }
    assert_int_equal(wkRobotScene_SetAllowed(all.scene, allowed), wk_ok);
    wkAllowed_Destroy(allowed);
    wkFieldDef def = defOf(all.scene);
    wkField* field = NULL;
    assert_int_equal(wkField_Create(&def, &field), wk_ok);
    assert_int_equal(field->layerCount, WK_FIELD_LAYERS);
    assert_true(field->layers[WK_FIELD_LAYERS - 1].isMixed);
    int freeCount = 0, openCount = 0;
    for (int32_t side = 0; side < linkCount; ++side) {
        fillSpheres(&all.rng, 1.0, 0.1, &rows);
        compareSpheres(field, side, &rows, &freeCount, &openCount);
    }
    assert_true(freeCount > openCount);
    wkField_Destroy(field);
    wkFreeSurroundings(&all);
}

static void threads_change_nothing(void** unused)
{
    (void)unused;
    wkSurroundings all;
    makeAll(&all);
    wkFieldDef def = defOf(all.scene);
    def.cellSize = 0.0;
    wkField *one = NULL, *two = NULL;
    assert_int_equal(wkField_Create(&def, &one), wk_ok);
    wkParallel parallel = {NULL, NULL, 2};
    def.parallel = &parallel;
    assert_int_equal(wkField_Create(&def, &two), wk_ok);
    assert_int_equal(one->layerCount, two->layerCount);
    assert_int_equal(wkField_ByteCount(one), wkField_ByteCount(two));
    for (int32_t i = 0; i < one->layerCount; ++i) {
        const wkFieldLayer *a = &one->layers[i], *b = &two->layers[i];
        assert_memory_equal(a->grid.words, b->grid.words, wkField_WordBytes(&a->grid));
        assert_memory_equal(a->entries, b->entries,
                            (size_t)(a->entryCount - 1) * sizeof *a->entries);
        assert_memory_equal(a->bricks, b->bricks,
                            (size_t)wkField_BrickCount(&a->grid) * sizeof *a->bricks);
    }
    wkField_Destroy(one);
    wkField_Destroy(two);
    wkFreeSurroundings(&all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_failing_allocation_is_survived),
        cmocka_unit_test(bad_definitions_are_refused_by_name),
        cmocka_unit_test(spheres_that_are_no_numbers_are_never_free),
        cmocka_unit_test(more_rules_than_layers_are_kept),
        cmocka_unit_test(threads_change_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
