// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The parts of the proof by covering: forms are support functions, descents end where nothing near is
// lower, caps and bounds hold wherever one looks, and every instruction set says the same.

#include "unit_kit.h"

#include "solve/core_support.h"
#include "solve/global_depth/direction_cap.h"
#include "solve/global_depth/direction_table.h"

#define CASE_COUNT 400
#define CHECK_COUNT 40

// What single precision may lose, as a share of the scale.
#define FLOAT_OFF 1e-5f

static const wkShapeType types[] = {wk_shapeCapsule, wk_shapeBox, wk_shapeCylinder, wk_shapeCone,
                                    wk_shapeEllipsoid};

typedef struct coverCase {
    wkShape a, b;
    wkPair pair;
    wkSupportSum form;
} coverCase;

// Two shapes of ordinary proportions that overlap, or do not.
static void placeCase(wkRng* rng, coverCase* c)
{
    c->a = wkRandomShape(rng, NULL, types[wkRngBelow(rng, 5)], 1.0);
    c->b = wkRandomShape(rng, NULL, types[wkRngBelow(rng, 5)], 1.0);
    wkInnerOuterSpheres sphereA = wkConvexTable[c->a.type].sphere(&c->a),
                        sphereB = wkConvexTable[c->b.type].sphere(&c->b);
    double reach = 0.7 * (sphereA.radius + sphereB.radius) * wkRngUnit(rng);
    wkPair pair = {.a = &c->a, .b = &c->b};
    pair.bInA.rotation = wkMatFromQuat(wkRngRotation(rng));
    pair.bInA.position = wkScale(reach, wkRngDirection(rng));
    pair.scale = wkMaxAbs(pair.bInA.position) + sphereA.radius + sphereB.radius;
    c->pair = pair;
}

// Such a case with a form: few shapes are too thin for one.
static void makeCase(wkRng* rng, coverCase* c)
{
    int tries = 0;
    do {
        placeCase(rng, c);
        assert_true(++tries < 20);
    } while (!wkMakeSupportSum(&c->pair, &c->form));
}

// A unit direction at most `sine` away from another.
static wkVec3d nearTo(wkRng* rng, wkVec3d axis, double sine)
{
    wkVec3d side = wkNormalizeOr(wkCross(axis, wkRngDirection(rng)), wkPerpendicular(axis));
    double s = sine * sqrt(wkRngUnit(rng));
    return wkMulAdd(wkScale(sqrt(1.0 - s * s), axis), s, side);
}

static void forms_are_support_functions(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < CASE_COUNT; ++i) {
        coverCase c;
        makeCase(&rng, &c);
        wkCoreSupport support = wkMakeCoreSupport(&c.pair);
        for (int k = 0; k < CHECK_COUNT; ++k) {
            wkVec3d d = wkRngDirection(&rng);
            double height = wkDot(d, wkCoreSupportAlong(&support, &c.pair, d).w);
            assertNear(wkSupportSum_Height(&c.form, d), height, 1e-14 * c.pair.scale);
        }
    }
}

static void descents_end_where_nothing_near_is_lower(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    int found = 0;
    for (int i = 0; i < CASE_COUNT; ++i) {
        coverCase c;
        makeCase(&rng, &c);
        wkDescentStart start = {wkRngDirection(&rng), {-1, -1}};
        wkStationary at;
        if (!wkDescend(&c.form, &start, &at) || !(at.height > 1e-3 * c.pair.scale)) {
            continue;
        }
        found += 1;
        double off = 1e-9 * c.pair.scale;
        wkVec3d sum = wkAdd(c.form.way, wkAdd(at.supportA, at.supportB));
        assertVecNear(sum, wkScale(at.height, at.direction), off);
        assert_true(at.height == wkSupportSum_Height(&c.form, at.direction));
        wkDirectionCap cap = wkMakeDirectionCap(&c.form, &at, at.height);
        for (int k = 0; k < CHECK_COUNT && cap.cosine <= 1.0; ++k) {
            wkVec3d d = nearTo(&rng, cap.axis, sqrt(1.0 - cap.cosine * cap.cosine));
            UNIT_CHECK(wkSupportSum_Height(&c.form, d) >= at.height - off, &c.b,
                       "case %d: %.17g inside a cap of %.17g", i, wkSupportSum_Height(&c.form, d),
                       at.height);
        }
    }
    assert_true(found > CASE_COUNT / 2);
}

static void bounds_hold_over_their_caps(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    const wkFloatCaps* caps = &wkDirectionLevels[0].caps;
    for (int i = 0; i < CASE_COUNT; ++i) {
        coverCase c;
        makeCase(&rng, &c);
        wkFloatSupportSum lanes;
        wkNarrowSupportSum(&c.form, &lanes);
        _Alignas(64) float bound[WK_DIRECTION_FIRST], height[WK_DIRECTION_FIRST];
        wkFloatBounds out = {bound, height};
        wkGlobalDepthBoundOfMachine()(&lanes, caps, WK_DIRECTION_FIRST, &out, NULL);
        for (int k = 0; k < WK_DIRECTION_FIRST; ++k) {
            wkVec3d axis = wkVec((double)caps->x[k], (double)caps->y[k], (double)caps->z[k]);
            float computed = (float)(wkSupportSum_Height(&c.form, axis) / c.pair.scale);
            assertNear((double)height[k], (double)computed, (double)FLOAT_OFF);
            wkVec3d d = nearTo(&rng, wkNormalizeOr(axis, axis), (double)caps->sine[k]);
            float other = (float)(wkSupportSum_Height(&c.form, d) / c.pair.scale);
            UNIT_CHECK(other >= bound[k] - FLOAT_OFF, &c.b, "case %d cap %d: %.9g below %.9g", i, k,
                       (double)other, (double)bound[k]);
        }
    }
}

static void every_instruction_set_gives_the_same_bounds(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (int i = 0; i < CASE_COUNT; ++i) {
        coverCase c;
        makeCase(&rng, &c);
        wkFloatSupportSum lanes;
        wkNarrowSupportSum(&c.form, &lanes);
        _Alignas(64) float first[4][WK_DIRECTION_FIRST], other[4][WK_DIRECTION_FIRST];
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            wkGlobalDepthBoundFcn* bounds = wkGlobalDepthBoundOf((wkIsa)isa);
            float(*to)[WK_DIRECTION_FIRST] = isa == wk_isaScalar ? first : other;
            wkFloatBounds out = {to[0], to[1]}, opposite = {to[2], to[3]};
            if (bounds != NULL) {
                bounds(&lanes, &wkDirectionLevels[0].caps, WK_DIRECTION_FIRST, &out, &opposite);
                assert_memory_equal(to, first, sizeof first);
            }
        }
    }
}

// Vertices of a triangle lie in its cap, and the four parts of one lie in it.
static void tables_cover_the_sphere(void** state)
{
    (void)state;
    for (int level = 0; level < WK_COVER_LEVELS; ++level) {
        const wkDirectionLevel* table = &wkDirectionLevels[level];
        int count = level == 0 ? WK_DIRECTION_FIRST : 4 * WK_DIRECTION_FIRST;
        double solidAngle = 0.0;
        for (int i = 0; i < count; ++i) {
            wkVec3d v[3];
            for (int k = 0; k < 3; ++k) {
                const float* p = wkDirectionVertex[table->vertex[i][k]];
                v[k] = wkVec((double)p[0], (double)p[1], (double)p[2]);
                double along = (double)table->caps.x[i] * v[k].x +
                               (double)table->caps.y[i] * v[k].y +
                               (double)table->caps.z[i] * v[k].z;
                double sine = (double)table->caps.sine[i];
                assert_true(along >= sqrt(1.0 - sine * sine));
            }
            // Van Oosterom and Strackee's formula
            double volume = fabs(wkDot(v[0], wkCross(v[1], v[2])));
            double rest = 1.0 + wkDot(v[0], v[1]) + wkDot(v[1], v[2]) + wkDot(v[2], v[0]);
            solidAngle += 2.0 * atan2(volume, rest);
        }
        assertNear(solidAngle, 4.0 * 3.14159265358979323846, 1e-5);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_are_support_functions),
        cmocka_unit_test(descents_end_where_nothing_near_is_lower),
        cmocka_unit_test(bounds_hold_over_their_caps),
        cmocka_unit_test(every_instruction_set_gives_the_same_bounds),
        cmocka_unit_test(tables_cover_the_sphere),
    };
    return cmocka_run_group_tests_name("depth by covering all directions", tests, NULL, NULL);
}
