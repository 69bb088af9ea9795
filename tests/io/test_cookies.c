// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Every struct that starts from a wkDefault function is refused by its name when it did not, or when it comes
// from the header of another version.

#include "cookie_cases.h"

#include "whisker/detail/library.h"

#include <stdio.h>
#include <string.h>

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

static void checkCase(const stage* s, const cookieCase* c)
{
    char missing[100], other[100];
    snprintf(missing, sizeof missing, "%s: not initialised by wkDefault%s()", c->type, c->type + 2);
    snprintf(other, sizeof other, "%s: from another header: version ", c->type);
    assert_true(c->isRefused(s, MARK_BIT));
    assert_string_equal(wkGetLastError(), missing);
    assert_true(c->isRefused(s, VERSION_BIT));
    assert_memory_equal(wkGetLastError(), other, strlen(other));
    wkSetLastError(wk_ok, "");
    c->isRefused(s, 0);
    assert_null(strstr(wkGetLastError(), "initialised"));
    assert_null(strstr(wkGetLastError(), "another header"));
}

static void structs_without_their_cookie_are_refused_by_name(void** state)
{
    (void)state;
    wkSetAssertFcn(ignoreAssert);
    stage s;
    setUp(&s);
    const cookieCases sets[] = {cookiesOfShapes(), cookiesOfRobots()};
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < sets[k].count; i++) {
            checkCase(&s, &sets[k].cases[i]);
        }
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
