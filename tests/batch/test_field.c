// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The clearance field against the plain way: every kind of surroundings and every shape, rules and
// safety distances, places far from everything and numbers that are none.

#include "field_kit.h"

#include <math.h>

static wkFieldDef defOf(const wkRobotScene* scene, double reach, double largest)
{
    wkFieldDef def = {
        scene, {0.0, 0.0, 0.0}, {{-reach, -reach, -reach}, {reach, reach, reach}}, largest, 0.0,
        NULL};
    return def;
}

static wkField* createField(const wkFieldDef* def)
{
    wkField* field = NULL;
    assert_int_equal(wkField_Create(def, &field), wk_ok);
    assert_non_null(field);
    return field;
}

static void a_field_says_what_every_object_says(void** unused)
{
    (void)unused;
    static ballRows rows;
    int freeCount = 0, openCount = 0;
    for (int kind = 0; kind < WK_SURROUNDINGS_COUNT; ++kind) {
        for (uint64_t seed = 1; seed <= 2; ++seed) {
            wkSurroundings all;
            wkMakeSurroundings(&wkSurroundingsKinds[kind], seed, &all);
            wkFieldDef def = defOf(all.scene, 1.2, 0.12);
            def.origin = wkVec(0.1, -0.2, 0.3);
            wkField* field = createField(&def);
            int32_t sideCount = all.scene->robot->info.linkCount + all.scene->holdCount;
            for (int32_t side = 0; side < sideCount; side += 3) {
                fillBalls(&all.rng, 1.3, 0.12, &rows);
                compareBalls(field, side, &rows, &freeCount, &openCount);
            }
            wkField_Destroy(field);
            wkFreeSurroundings(&all);
        }
    }
    // something is proven at one look
    assert_true(freeCount > openCount);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_says_what_every_object_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
