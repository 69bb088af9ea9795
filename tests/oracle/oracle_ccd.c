// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// libccd by itself: GJK with EPA, and MPR (XenoCollide). It asks for a
// support function and a centre.

#include "oracle.h"

#include <ccd/ccd.h>
#include <ccd/vec3.h>

typedef struct body {
    const wkShape* shape;
    wkPose pose;
} body;

static void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* point)
{
    const body* b = (const body*)object;
    wkVec3d d = {ccdVec3X(direction), ccdVec3Y(direction), ccdVec3Z(direction)};
    wkVec3d p = wkShape_Support(b->shape, b->pose, d);
    ccdVec3Set(point, p.x, p.y, p.z);
}

static void center(const void* object, ccd_vec3_t* point)
{
    const body* b = (const body*)object;
    wkVec3d c = wkTransformPoint(b->pose, wkShape_Mass(b->shape).centroid);
    ccdVec3Set(point, c.x, c.y, c.z);
}

static ccd_t makeSettings(void)
{
    ccd_t settings;
    CCD_INIT(&settings);
    settings.support1 = settings.support2 = support;
    settings.center1 = settings.center2 = center;
    settings.max_iterations = 100;
    settings.epa_tolerance = 1e-4;
    settings.mpr_tolerance = 1e-5;
    return settings;
}

// MPR needs a centre with volume around it, and GJK here no half-spaces.
static bool isSolid(wkShapeType type)
{
    return type != wk_shapeHalfspace && type != wk_shapePlane && type != wk_shapeTriangle;
}

static bool knows(wkShapeType a, wkShapeType b)
{
    return isSolid(a) && isSolid(b);
}

static wkOpinion askGjk(const wkScenePair* pair)
{
    ccd_t settings = makeSettings();
    body a = {&pair->a, pair->poseA}, b = {&pair->b, pair->poseB};
    wkOpinion opinion = {0};
    ccd_real_t depth;
    ccd_vec3_t way, position;
    opinion.isTouching = ccdGJKIntersect(&a, &b, &settings) != 0;
    if (opinion.isTouching) {
        int result = ccdGJKPenetration(&a, &b, &settings, &depth, &way, &position);
        opinion.hasFailed = result == -2;
        opinion.hasDistance = result == 0;
        opinion.distance = -depth;
    }
    return opinion;
}

// The depth of MPR is no minimum, so its verdict alone is asked.
static wkOpinion askMpr(const wkScenePair* pair)
{
    ccd_t settings = makeSettings();
    body a = {&pair->a, pair->poseA}, b = {&pair->b, pair->poseB};
    wkOpinion opinion = {0};
    opinion.isTouching = ccdMPRIntersect(&a, &b, &settings) != 0;
    return opinion;
}

const wkOracle wkOracleCcdGjk = {"libccd (gjk)", 1e-3, knows, askGjk};
const wkOracle wkOracleCcdMpr = {"libccd (mpr)", 1e-5, knows, askMpr};
