// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the tests of files of spheres share.

#include "io_kit.h"

#include <string.h>

// Formats that a build may lack.
static inline bool readsSphereFormat(const char* format)
{
    wkRobot* robot = NULL;
    wkSphereModel* model = NULL;
    wkSphereLoadDef options = wkDefaultSphereLoadDef();
    options.format = format;
    assert_int_equal(wkRobot_CreateBuiltIn(&robot), wk_ok);
    wkResult result = wkSphereModel_Parse("", 0, robot, &options, NULL, &model);
    assert_true(result != wk_ok && model == NULL);
    wkRobot_Destroy(robot);
    return result != wk_errorUnsupported;
}

// The same spheres on the same links, bit by bit.
static inline void expectSameSpheres(const wkSphereModel* a, const wkSphereModel* b)
{
    int32_t count = wkSphereModel_Info(a).sphereCount;
    assert_int_equal(count, wkSphereModel_Info(b).sphereCount);
    for (int32_t i = 0; i < count; i++) {
        wkLinkSphere sphereA = wkSphereModel_Sphere(a, i), sphereB = wkSphereModel_Sphere(b, i);
        const char* nameA = wkRobot_Link(wkSphereModel_Info(a).robot, sphereA.link).name;
        const char* nameB = wkRobot_Link(wkSphereModel_Info(b).robot, sphereB.link).name;
        assert_string_equal(nameA, nameB);
        if (memcmp(&sphereA.sphere, &sphereB.sphere, sizeof(wkSphere3d)) != 0) {
            fail_msg("sphere %d of %s: %a %a %a %a instead of %a %a %a %a", (int)i, nameA,
                     sphereB.sphere.center.x, sphereB.sphere.center.y, sphereB.sphere.center.z,
                     sphereB.sphere.radius, sphereA.sphere.center.x, sphereA.sphere.center.y,
                     sphereA.sphere.center.z, sphereA.sphere.radius);
        }
    }
}
