// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Robots from descriptions: their order, their names, and what is refused.

#include "whisker/robot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void types_of_joints_have_names(void** state)
{
    (void)state;
    for (int type = 0; type < wk_jointTypeCount; type++) {
        assert_int_equal(wkJointTypeFromName(wkJointTypeName((wkJointType)type)), type);
    }
    assert_int_equal(wkJointTypeFromName("rigid"), wk_jointTypeCount);
    assert_int_equal(wkJointTypeFromName(NULL), wk_jointTypeCount);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_of_joints_have_names),
    };
    return cmocka_run_group_tests_name("robot.model", tests, NULL, NULL);
}
