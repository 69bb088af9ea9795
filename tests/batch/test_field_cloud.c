// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Point clouds in a field: verdicts and distances of spheres against all points, one by one; clouds of every
// kind, with other objects, rules, padding and poses; and the same bytes on every instruction set.

#include "../cases.h"
#include "batch/field_cloud_kernel.h"
#include "field_kit.h"
#include "memory/fail_every.h"

#include "whisker/cloud.h"

#include <math.h>
#include <stdlib.h>

#define TURNS WK_CASES(6)

typedef enum pointKind {
    onBox,    // the surface of a box, as a sensor sees it
    inVolume, // anywhere
    onLine,
    atPoint, // all at one position
} pointKind;

typedef struct cloudKind {
    const char* name;
    pointKind kind;
    int count;
    double size;      // of the region of the points
    double radius;    // of all points
    double moreRadii; // up to which points have radii of their own; 0: none
    double padding;
    bool isRotated;
    bool hasBoxes; // other objects around
} cloudKind;

static const cloudKind kinds[] = {
    {"surface", onBox, 4000, 0.6, 0.0, 0.0, 0.0, false, false},
    {"thick", onBox, 4000, 0.6, 0.01, 0.0, 0.0, false, false},
    {"rotated", onBox, 3000, 0.6, 0.002, 0.0, 0.0, true, false},
    {"radii", onBox, 1500, 0.6, 0.001, 0.05, 0.0, true, false},
    {"padded", onBox, 500, 0.6, 0.002, 0.02, 0.03, false, true},
    {"volume", inVolume, 3000, 0.8, 0.0, 0.0, 0.0, false, true},
    {"sparse", inVolume, 20, 0.9, 0.005, 0.0, 0.0, true, true},
    {"line", onLine, 700, 0.7, 0.0, 0.0, 0.0, true, false},
    {"one position", atPoint, 300, 0.3, 0.0, 0.01, 0.0, false, true},
    {"one point", inVolume, 1, 0.3, 0.02, 0.0, 0.0, true, false},
    {"nine points", inVolume, 9, 0.5, 0.0, 0.0, 0.0, false, true},
    {"wide", onBox, 2000, 1.3, 0.002, 0.0, 0.0, true, false},
};
#define KIND_COUNT ((int)(sizeof kinds / sizeof *kinds))

typedef struct cloudScene {
    wkRobot* robot;
    wkRobotScene* scene;
    wkCloud* cloud;
    float* points; // x, y, z, radius
    wkPose pose;
    const cloudKind* kind;
} cloudScene;

static void drawPoint(wkRng* rng, const cloudKind* kind, float* point)
{
    double along[3];
    for (int k = 0; k < 3; ++k) {
        along[k] = wkRngRange(rng, -0.5, 0.5);
    }
    int face = wkRngBelow(rng, 3);
    for (int k = 0; k < 3; ++k) {
        bool isOnFace = kind->kind == onBox && k == face;
        double at = isOnFace ? 0.5 * wkRngSign(rng) : along[kind->kind == onLine ? 0 : k];
        point[k] = (float)(kind->kind == atPoint ? 0.2 : kind->size * at);
    }
    point[3] = (float)(kind->moreRadii * wkRngUnit(rng));
}

static void addObject(cloudScene* made, const char* name, wkShape shape, wkPose pose)
{
    wkRobotObjectDef def = wkDefaultRobotObjectDef();
    def.name = name;
    def.shapes = &shape;
    def.shapeCount = 1;
    def.pose = pose;
    assert_int_equal(wkRobotScene_Add(made->scene, &def), wk_ok);
}

static cloudScene makeScene(const cloudKind* kind, uint64_t seed)
{
    cloudScene made = {.kind = kind, .pose = wkMakePose(0.05, -0.1, 0.02)};
    wkRng rng = wkMakeRng(seed);
    assert_int_equal(wkRobot_CreateBuiltIn(&made.robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made.robot;
    assert_int_equal(wkRobotScene_Create(&def, &made.scene), wk_ok);
    made.points = (float*)calloc((size_t)kind->count * 4, sizeof(float));
    assert_non_null(made.points);
    for (int i = 0; i < kind->count; ++i) {
        drawPoint(&rng, kind, &made.points[4 * i]);
    }
    wkCloudDef cloudDef = wkDefaultCloudDef();
    cloudDef.points.data = made.points;
    cloudDef.points.count = kind->count;
    cloudDef.points.stride = 4 * sizeof(float);
    cloudDef.points.radiusOffset = kind->moreRadii > 0.0 ? 3 * (int)sizeof(float) : -1;
    cloudDef.radius = kind->radius;
    assert_int_equal(wkCloud_Create(&cloudDef, &made.cloud), wk_ok);
    made.pose.rotation = kind->isRotated ? wkRngRotation(&rng) : made.pose.rotation;
    wkShape shape = wkMakeCloud(made.cloud);
    shape.padding = kind->padding;
    addObject(&made, "cloud", shape, made.pose);
    for (int i = 0; i < 3 && kind->hasBoxes; ++i) {
        char name[16];
        snprintf(name, sizeof name, "box %d", i);
        wkPose pose = {wkVec(wkRngRange(&rng, -0.6, 0.6), wkRngRange(&rng, -0.6, 0.6),
                             wkRngRange(&rng, -0.6, 0.6)),
                       wkRngRotation(&rng)};
        addObject(&made, name, wkMakeBox(0.2, 0.3, 0.1), pose);
    }
    return made;
}

static void freeScene(cloudScene* made)
{
    wkRobotScene_Destroy(made->scene);
    wkCloud_Destroy(made->cloud);
    wkRobot_Destroy(made->robot);
    free(made->points);
}

static wkFieldDef defOf(const cloudScene* made)
{
    wkFieldDef def = {.scene = made->scene,
                      .reach = {{-0.8, -0.8, -0.8}, {0.8, 0.8, 0.8}},
                      .largestRadius = 0.12};
    return def;
}

static wkField* createField(const wkFieldDef* def)
{
    wkField* field = NULL;
    assert_int_equal(wkField_Create(def, &field), wk_ok);
    return field;
}

// The distance between a sphere and the cloud, point by point.
static double plainDistance(const cloudScene* made, wkVec3d center, double radius)
{
    double least = INFINITY;
    for (int i = 0; i < made->kind->count; ++i) {
        const float* p = &made->points[4 * i];
        wkVec3d point =
            wkTransformPoint(made->pose, wkVec((double)p[0], (double)p[1], (double)p[2]));
        double more = made->kind->moreRadii > 0.0 ? (double)p[3] : 0.0;
        double away = wkLength(wkSub(point, center)) - more;
        least = away < least ? away : least;
    }
    return least - made->kind->radius - made->kind->padding - radius;
}

// Compares spheres with all points.
// @param reach where spheres are expected; NULL: anywhere
static void compareWithAllPoints(const wkReach* reach)
{
    static sphereRows rows;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        cloudScene made = makeScene(&kinds[kind], 5);
        wkFieldDef def = defOf(&made);
        def.reachCells = reach;
        wkField* field = createField(&def);
        assert_int_equal(field->cloudCount, 1);
        wkRng rng = wkMakeRng(9);
        int openCount = 0, touchCount = 0;
        for (int turn = 0; turn < TURNS; ++turn) {
            uint64_t open[SPHERE_COUNT / 64], touching[SPHERE_COUNT / 64];
            fillSpheres(&rng, 0.8, 0.12, &rows);
            checkSpheres(wkField_GridOf(field, 0), &rows, open, touching);
            for (int i = 0; i < SPHERE_COUNT && !made.kind->hasBoxes; ++i) {
                float center[3] = {rows.x[i], rows.y[i], rows.z[i]};
                wkVec3d at = wkVec((double)center[0], (double)center[1], (double)center[2]);
                double plain = plainDistance(&made, at, (double)rows.radius[i]);
                bool isOpen = (open[i / 64] >> (i % 64) & 1u) != 0;
                bool isTouching = (touching[i / 64] >> (i % 64) & 1u) != 0;
                bool isFree =
                    wkField_CheckSphere(field, 0, center, rows.radius[i]) == wk_verdictFree;
                double distance = wkField_SphereDistance(field, 0, center, rows.radius[i], 0.05);
                if ((isFree ? plain <= 0.0 : plain > FIELD_BAND) || (!isOpen && plain <= 0.0) ||
                    (isTouching && plain > FIELD_BAND) ||
                    fabs(distance - fmin(plain, 0.05)) > FIELD_BAND) {
                    fail_msg("%s, sphere %d: plain %g, %s, open %d, touching %d, distance %g",
                             made.kind->name, i, plain, isFree ? "free" : "not free", isOpen,
                             isTouching, distance);
                }
                openCount += isOpen && !isTouching ? 1 : 0;
                touchCount += plain <= 0.0 ? 1 : 0;
            }
        }
        // cells decide most spheres where they are expected, and there are contacts to be missed
        assert_true(openCount < SPHERE_COUNT * TURNS / 3 || reach != NULL);
        assert_true(touchCount > 0 || made.kind->hasBoxes);
        wkField_Destroy(field);
        freeScene(&made);
    }
}

static void verdicts_are_those_of_all_points(void** unused)
{
    (void)unused;
    compareWithAllPoints(NULL);
}

// Where no sphere was expected, there are no words of cells, and lists contain all points.
static void verdicts_outside_of_the_reach_are_those_of_all_points(void** unused)
{
    (void)unused;
    static wkReach reach;
    wkRng rng = wkMakeRng(12);
    wkAabb box = {{-0.8, -0.8, -0.8}, {0.8, 0.8, 0.8}};
    fillSparseReach(&rng, box, &reach);
    compareWithAllPoints(&reach);
}

static void a_field_with_clouds_says_what_every_object_says(void** unused)
{
    (void)unused;
    static sphereRows rows;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        cloudScene made = makeScene(&kinds[kind], 6);
        wkFieldDef def = defOf(&made);
        def.origin = wkVec(0.1, -0.1, 0.05);
        wkField* field = createField(&def);
        wkRng rng = wkMakeRng(10);
        int freeCount = 0, openCount = 0;
        fillSpheres(&rng, 0.8, 0.12, &rows);
        compareSpheres(field, 0, &rows, &freeCount, &openCount);
        wkField_Destroy(field);
        freeScene(&made);
    }
}

// A copy of the block alone evaluates clouds in the scene.
static void a_copy_of_a_field_gives_the_same_verdicts(void** unused)
{
    (void)unused;
    static sphereRows rows;
    cloudScene made = makeScene(&kinds[3], 7);
    wkFieldDef def = defOf(&made);
    wkField *field = createField(&def), copy;
    assert_int_equal(wkField_Bind(field->block, field->byteCount, made.scene, &copy), wk_ok);
    wkRng rng = wkMakeRng(11);
    fillSpheres(&rng, 0.8, 0.12, &rows);
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        float center[3] = {rows.x[i], rows.y[i], rows.z[i]};
        wkVec3d at = wkVec((double)center[0], (double)center[1], (double)center[2]);
        if (fabs(plainDistance(&made, at, (double)rows.radius[i])) > FIELD_BAND) {
            assert_int_equal(wkField_CheckSphere(&copy, 0, center, rows.radius[i]),
                             wkField_CheckSphere(field, 0, center, rows.radius[i]));
        }
    }
    wkField_Destroy(field);
    freeScene(&made);
}

static void every_instruction_set_makes_the_same_bytes(void** unused)
{
    (void)unused;
    for (int kind = 0; kind < KIND_COUNT; ++kind) {
        cloudScene made = makeScene(&kinds[kind], 8);
        wkFieldDef def = defOf(&made);
        wkField* field = createField(&def);
        const wkFieldCloud* cloud = field->clouds[0];
        for (int isa = 0; isa < wk_isaCount; ++isa) {
            const wkFieldCloudLanes* lanes = wkFieldCloudLanesOf((wkIsa)isa);
            if (lanes == NULL) {
                continue;
            }
            wkFieldCloud* other = NULL;
            wkParallel parallel = {.threadCount = isa % 2 + 1};
            assert_int_equal(wkFieldCloud_Create(field, &cloud->grid, cloud->slotIndex, lanes,
                                                 &parallel, &other),
                             wk_ok);
            assert_memory_equal(other->words, cloud->words, wkField_WordBytes(&cloud->grid));
            assert_int_equal(other->entryCount, cloud->entryCount);
            assert_memory_equal(other->octets, cloud->octets,
                                (size_t)cloud->octetCount * sizeof *cloud->octets);
            assert_memory_equal(other->bricks, cloud->bricks,
                                (size_t)cloud->startCount * sizeof *cloud->bricks);
            assert_memory_equal(other->entries, cloud->entries,
                                (size_t)cloud->entryCount * sizeof *cloud->entries);
            wkFieldCloud_Drop(other);
        }
        wkField_Destroy(field);
        freeScene(&made);
    }
}

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
    cloudScene made = makeScene(&kinds[4], 12);
    wkFieldDef def = defOf(&made);
    def.cellSize = 0.15;
    assert_true(failEveryAllocationOf(makeField, &def) > 20);
    freeScene(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_all_points),
        cmocka_unit_test(verdicts_outside_of_the_reach_are_those_of_all_points),
        cmocka_unit_test(a_field_with_clouds_says_what_every_object_says),
        cmocka_unit_test(a_copy_of_a_field_gives_the_same_verdicts),
        cmocka_unit_test(every_instruction_set_makes_the_same_bytes),
        cmocka_unit_test(every_failing_allocation_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
