// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects in clearance fields on a GPU, against the distances of shapes on the CPU: a sphere is never free where an object or
// a point touches it, and touches only where one is within a stated slack; for shapes and maps of all sizes, alone and among
// points; what is refused; failures of the GPU at every call.

#include "cuda_runtime_api.h"
#include "failing_gpu.h"
#include "gpu_field.h"
#include "math/vec.h"
#include "whisker/octree.h"

#include <math.h>
#include <string.h>

#define MOST_OBJECTS 24
#define CAPACITY 20000

typedef struct objectCase {
    fieldCase f;
    wkShape shapes[MOST_OBJECTS];
    wkPose poses[MOST_OBJECTS];
    wkOctree* maps[MOST_OBJECTS]; // of the shapes that are maps; else NULL
    int32_t count;
    bool hasMaps;
} objectCase;

// ---- objects ----

static wkOctree* makeMap(wkRng* rng, double resolution, bool hasUnknown)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = fmin(fmax(resolution, 1e-6), 1e6);
    wkOctree* map = NULL;
    assert_int_equal(wkOctree_Create(&def, &map), wk_ok);
    double edge = def.resolution * wkRngRange(rng, 1.0, 16.0);
    wkAabb box = {{-edge, -edge, -edge}, {edge, edge, edge}};
    if (hasUnknown) {
        assert_int_equal(wkOctree_FillBox(map, box, -1.0f), wk_ok);
    }
    if (wkRngChance(rng, 2)) {
        wkAabb half = {box.lower, {0.0, edge, edge}}; // large cubes
        assert_int_equal(wkOctree_FillBox(map, half, 1.0f), wk_ok);
    }
    int32_t count = wkRngBelow(rng, 60);
    for (int32_t i = 0; i < count; i++) {
        wkCellKey key = {(uint16_t)(32748 + wkRngBelow(rng, 40)),
                         (uint16_t)(32748 + wkRngBelow(rng, 40)),
                         (uint16_t)(32760 + wkRngBelow(rng, 16))};
        wkOctree_SetLogOdds(map, key, WK_OCTREE_DEPTH, wkRngChance(rng, 3) ? -1.0f : 1.0f);
    }
    return map;
}

// Draws a tiny sphere at a vertex of a cell: the first one begins 1.05 cells before the region.
static void drawAtVertex(objectCase* c, wkRng* rng, int32_t i)
{
    double size = wkCudaField_Info(c->f.field).cellSize, at[3];
    for (int axis = 0; axis < 3; axis++) {
        at[axis] = size * (-1.05 + wkRngBelow(rng, 8) + wkRngSign(rng) * 1e-3);
    }
    c->shapes[i] = wkMakeSphere(wkRngChance(rng, 2) ? 0.0 : 1e-4 * size);
    c->poses[i] = wkIdentityPose();
    c->poses[i].position = wkAdd(c->f.def.region.lower, (wkVec3d){at[0], at[1], at[2]});
}

static void drawObject(objectCase* c, wkRng* rng, int32_t i)
{
    c->maps[i] = NULL;
    if (wkRngChance(rng, 6)) {
        drawAtVertex(c, rng, i);
        return;
    }
    double most = wkRngChance(rng, 6) ? 30.0 : 0.4;
    double sizes[3];
    for (int axis = 0; axis < 3; axis++) {
        sizes[axis] = wkRngChance(rng, 12) ? 0.0 : c->f.longest * wkRngLogRange(rng, 1e-3, most);
    }
    wkShape* shape = &c->shapes[i];
    switch (wkRngBelow(rng, c->hasMaps ? 7 : 6)) {
    case 0:
        *shape = wkMakeSphere(sizes[0]);
        break;
    case 1:
        *shape = wkMakeCapsule(sizes[0], sizes[1]);
        break;
    case 2:
        *shape = wkMakeCylinder(sizes[0], sizes[1]);
        break;
    case 3: {
        wkVec3d normal = wkRngChance(rng, 3) ? (wkVec3d){0.0, 0.0, 1.0} : wkRngDirection(rng);
        *shape = wkRngChance(rng, 2) ? wkMakeHalfspace(normal, sizes[0])
                                     : wkMakePlane(normal, -sizes[0]);
        break;
    }
    case 6: {
        bool hasUnknown = wkRngChance(rng, 4);
        double size = wkCudaField_Info(c->f.field).cellSize;
        c->maps[i] = makeMap(rng, size * wkRngLogRange(rng, 0.3, 4.0), hasUnknown);
        *shape = wkMakeOctree(c->maps[i]);
        shape->map.unknown = hasUnknown ? wk_unknownReported : wk_unknownFree;
        break;
    }
    default:
        *shape = wkMakeBox(sizes[0], sizes[1], sizes[2]);
        break;
    }
    shape->rounding = wkRngChance(rng, 4) ? 0.05 * sizes[2] : 0.0;
    shape->padding = wkRngChance(rng, 4) ? 0.02 * c->f.longest : 0.0;
    bool isFar = most > 1.0 || wkRngChance(rng, 4);
    c->poses[i].position = drawInRegion(&c->f.def.region, rng, isFar ? 2.0 : 0.1);
    c->poses[i].rotation = wkRngChance(rng, 3) ? (wkQuat){0.0, 0.0, 0.0, 1.0} : wkRngRotation(rng);
}

static void freeObjects(objectCase* c)
{
    for (int32_t i = 0; i < c->count; i++) {
        wkOctree_Destroy(c->maps[i]);
    }
    c->count = 0;
}

static void drawObjects(objectCase* c, wkRng* rng)
{
    freeObjects(c);
    int32_t most = c->f.objectCapacity < MOST_OBJECTS ? c->f.objectCapacity : MOST_OBJECTS;
    c->count = wkRngBelow(rng, wkRngChance(rng, 4) ? most : 4);
    for (int32_t i = 0; i < c->count; i++) {
        drawObject(c, rng, i);
    }
    if (wkCudaField_SetObjects(c->f.field, c->shapes, c->poses, c->count) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
}

// ---- verdicts ----

static wkVec3d centerOf(const float s[4])
{
    return (wkVec3d){(double)s[0], (double)s[1], (double)s[2]};
}

// Draws spheres at any distance of objects.
static void drawNearObjects(objectCase* c, wkRng* rng)
{
    for (int32_t i = 0; i < MOST_SPHERES && c->count > 0; i += wkRngChance(rng, 4) ? 2 : 1) {
        float* s = c->f.spheres[i];
        wkVec3d at = drawInRegion(&c->f.def.region, rng, 0.0);
        s[0] = (float)at.x;
        s[1] = (float)at.y;
        s[2] = (float)at.z;
        int32_t k = wkRngBelow(rng, c->count);
        double gap = wkShape_PointDistance(&c->shapes[k], c->poses[k], centerOf(s));
        double off = wkRngSign(rng) * c->f.longest * wkRngLogRange(rng, 1e-8, 1e-2);
        s[3] = gap + off >= 0.0 && gap + off <= c->f.def.reach ? (float)(gap + off) : s[3];
    }
}

// How much too early a sphere may touch an object.
static double slackOf(const objectCase* c, const wkShape* shape)
{
    double size = shape->type == wk_shapeSphere     ? shape->sphere.radius
                  : shape->type == wk_shapeCapsule  ? shape->capsule.radius
                  : shape->type == wk_shapeCylinder ? shape->cylinder.radius
                                                    : 0.0;
    return 5e-6 * (c->f.longest + c->f.def.reach) +
           3e-6 * (size + shape->rounding + shape->padding) +
           1e-12 * wkLength(c->f.def.region.upper);
}

static bool isRight(const objectCase* c, const float s[4], uint8_t verdict)
{
    bool isRightOfPoints = isFieldVerdictRight(&c->f, s, verdict);
    bool isFree = verdict == wk_verdictFree;
    if (!isRightOfPoints && (isFree || verdict != wk_verdictWorld)) {
        return false;
    }
    bool isNear = false;
    for (int32_t i = 0; i < c->count && !isNear; i++) {
        double gap = wkShape_PointDistance(&c->shapes[i], c->poses[i], centerOf(s));
        double slack =
            isFree ? -1e-9 * (1.0 + fabs(gap)) * c->f.longest : slackOf(c, &c->shapes[i]);
        isNear = gap <= (double)s[3] + slack;
    }
    return isFree ? !isNear : isRightOfPoints || isNear;
}

static void checkVerdicts(objectCase* c)
{
    checkFieldSpheres(&c->f);
    for (int32_t i = 0; i < MOST_SPHERES; i++) {
        const float* s = c->f.spheres[i];
        if (!isRight(c, s, c->f.verdicts[i])) {
            print_error("sphere %d: %.9g %.9g %.9g radius %.9g is %s\n", (int)i, (double)s[0],
                        (double)s[1], (double)s[2], (double)s[3],
                        wkVerdictName((wkVerdict)c->f.verdicts[i]));
            for (int32_t k = 0; k < c->count; k++) {
                print_error("  %s: %.9g\n", wkShapeTypeName(c->shapes[k].type),
                            wkShape_PointDistance(&c->shapes[k], c->poses[k], centerOf(s)));
            }
            fail();
        }
    }
}

static void verdicts_are_those_of_all_objects(void** state)
{
    (void)state;
    static objectCase c;
    wkRng rng = wkMakeRng(wkKitSeed());
    openCuda(&c.f.cuda);
    for (int i = 0; i < wkKitCasesOfKinds(10, 1) * cloudKindCount; i++) {
        // without maps, there is memory for few objects, and lists are short
        c.hasMaps = i % 2 == 0;
        c.f.objectCapacity = c.hasMaps ? CAPACITY : 3 + wkRngBelow(&rng, 8);
        drawFieldDef(&c.f, &rng);
        for (int frame = 0; frame < 3; frame++) { // nothing of a frame stays but for objects
            if (frame != 1) {
                drawObjects(&c, &rng);
            }
            drawFieldCloud(&c.f, &rng, (cloudKind)((i + frame) % cloudKindCount));
            updateField(&c.f);
            drawFieldSpheres(&c.f, &rng);
            drawNearObjects(&c, &rng);
            checkVerdicts(&c);
        }
        expectSameElsewhere(&c.f);
        wkCudaField_Destroy(c.f.field);
        freeObjects(&c);
    }
    wkCuda_Destroy(c.f.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

// ---- what is known when, and what is refused ----

// A field without points, and a box of 20 cm in its middle.
static void openBox(objectCase* c)
{
    memset(c, 0, sizeof *c);
    openCuda(&c->f.cuda);
    c->f.def = wkDefaultCudaFieldDef();
    c->f.def.cuda = c->f.cuda;
    c->f.def.cellSize = 0.1;
    c->f.def.pointCapacity = 1000;
    c->f.def.pointBytes = (size_t)1 << 20;
    c->f.def.objectCapacity = 4;
    c->f.longest = 2.0;
    c->f.pose = wkIdentityPose();
    c->f.view = wkMakeCloudView(c->f.bytes, 0);
    c->count = 1;
    for (int i = 0; i < MOST_OBJECTS; i++) {
        c->shapes[i] = wkMakeBox(0.2, 0.2, 0.2);
        c->poses[i] = wkIdentityPose();
    }
    assert_int_equal(wkCudaField_Create(&c->f.def, &c->f.field), wk_ok);
}

static void closeBox(objectCase* c)
{
    wkCudaField_Destroy(c->f.field);
    wkCuda_Destroy(c->f.cuda);
    assert_int_equal(emulatedByteCount(), 0);
}

static wkResult trySet(objectCase* c)
{
    return wkCudaField_SetObjects(c->f.field, c->shapes, c->poses, c->count);
}

static void expectVerdict(objectCase* c, float x, float radius, wkVerdict expected)
{
    _Alignas(16) const float sphere[4] = {x, 0.0f, 0.0f, radius};
    uint8_t verdict = 0x55;
    assert_int_equal(wkCudaField_CheckSpheres(c->f.field, sphere, wk_memoryHost, 1, &verdict),
                     wk_ok);
    assert_int_equal(verdict, expected);
}

static void objects_count_from_the_next_update_on(void** state)
{
    (void)state;
    static objectCase c;
    openBox(&c);
    updateField(&c.f);
    expectVerdict(&c, 0.2f, 0.09f, wk_verdictFree);
    assert_int_equal(trySet(&c), wk_ok);
    assert_int_equal(wkCudaField_Info(c.f.field).objectCount, 1);
    assert_false(wkCudaField_Info(c.f.field).isKnown);
    expectVerdict(&c, 0.8f, 0.01f, wk_verdictWorld);
    for (int frame = 0; frame < 2; frame++) { // it stays
        updateField(&c.f);
        expectVerdict(&c, 0.0f, 0.0f, wk_verdictWorld);
        expectVerdict(&c, 0.2f, 0.0999f, wk_verdictFree);
        expectVerdict(&c, 0.2f, 0.1001f, wk_verdictWorld);
        expectVerdict(&c, 0.8f, 0.01f, wk_verdictFree);
    }
    c.poses[0].position.x = 0.6; // it moves
    assert_int_equal(trySet(&c), wk_ok);
    updateField(&c.f);
    expectVerdict(&c, 0.2f, 0.15f, wk_verdictFree);
    expectVerdict(&c, 0.8f, 0.11f, wk_verdictWorld);
    c.poses[0].position.x = 6.0; // out of reach
    assert_int_equal(trySet(&c), wk_ok);
    assert_int_equal(wkCudaField_Info(c.f.field).objectCount, 0);
    updateField(&c.f);
    expectVerdict(&c, 0.8f, 0.11f, wk_verdictFree);
    c.poses[0].position.x = 0.0;
    assert_int_equal(trySet(&c), wk_ok);
    assert_int_equal(wkCudaField_SetObjects(c.f.field, NULL, NULL, 0), wk_ok);
    c.f.view = wkMakeCloudView(NULL, 0);
    updateField(&c.f);
    expectVerdict(&c, 0.0f, 0.1f, wk_verdictFree);
    closeBox(&c);
}

// The objects are refused, and so are updates until others are set.
static void expectRefused(objectCase* c, wkResult expected, const char* words)
{
    assert_int_equal(trySet(c), expected);
    if (strstr(wkGetLastError(), words) == NULL) {
        fail_msg("\"%s\" has no \"%s\"", wkGetLastError(), words);
    }
    assert_int_equal(tryFieldUpdate(&c->f, &c->f.view, wk_memoryHost), wk_errorArgument);
    assert_non_null(strstr(wkGetLastError(), "wkCudaField_SetObjects"));
    expectVerdict(c, 0.8f, 0.01f, wk_verdictWorld);
    c->shapes[0] = c->shapes[1] = wkMakeBox(0.2, 0.2, 0.2);
    c->poses[0] = c->poses[1] = wkIdentityPose();
    c->count = 1;
    assert_int_equal(trySet(c), wk_ok);
    updateField(&c->f);
    expectVerdict(c, 0.8f, 0.01f, wk_verdictFree);
    expectVerdict(c, 0.2f, 0.1001f, wk_verdictWorld);
}

static void bad_objects_are_refused(void** state)
{
    (void)state;
    static objectCase c;
    openBox(&c);
    assert_int_equal(wkCudaField_SetObjects(NULL, c.shapes, c.poses, 1), wk_errorArgument);
    c.count = -1;
    expectRefused(&c, wk_errorRange, "count is -1");
    c.count = INT32_MIN;
    expectRefused(&c, wk_errorRange, "count is -2147483648");
    c.count = 5;
    expectRefused(&c, wk_errorRange,
                  "5 objects and cells of maps can be reached, objectCapacity is 4");
    c.poses[0].position.y = NAN;
    expectRefused(&c, wk_errorNotFinite, "poses[0]");
    c.count = 2;
    c.poses[1].rotation = (wkQuat){0.0, 0.0, 0.0, 0.0};
    expectRefused(&c, wk_errorNotFinite, "poses[1]");
    c.poses[0].position.z = -1e16;
    expectRefused(&c, wk_errorRange, "shapes[0]");
    c.shapes[0].box.half.y = -0.1;
    expectRefused(&c, wk_errorRange, "shapes[0]");
    c.shapes[0].box.half.y = NAN;
    expectRefused(&c, wk_errorNotFinite, "shapes[0]");
    c.shapes[0].padding = -0.01;
    expectRefused(&c, wk_errorRange, "shapes[0] has a padding of -0.01 m");
    c.shapes[0] = wkMakeSphere(1e20);
    expectRefused(&c, wk_errorRange, "shapes[0]");
    c.shapes[0] = wkMakeCone(0.1, 0.1);
    expectRefused(&c, wk_errorUnsupported, "shapes[0] is a cone");
    c.shapes[0] = wkMakeEllipsoid(0.1, 0.2, 0.3);
    expectRefused(&c, wk_errorUnsupported, "shapes[0] is a ellipsoid");
    c.shapes[0] = (wkShape){.type = wk_shapeNone};
    assert_int_not_equal(trySet(&c), wk_ok);
    c.shapes[0] = (wkShape){.type = (wkShapeType)77};
    assert_int_not_equal(trySet(&c), wk_ok);
    c.shapes[0] = wkMakeBox(0.2, 0.2, 0.2);
    assert_int_equal(wkCudaField_SetObjects(c.f.field, NULL, c.poses, 1), wk_errorArgument);
    assert_int_equal(wkCudaField_SetObjects(c.f.field, c.shapes, NULL, 1), wk_errorArgument);
    assert_int_equal(tryFieldUpdate(&c.f, &c.f.view, wk_memoryHost), wk_errorArgument);
    closeBox(&c);

    // a field that has no memory for objects
    openBox(&c);
    wkCudaField_Destroy(c.f.field);
    c.f.def.objectCapacity = 0;
    assert_int_equal(wkCudaField_Create(&c.f.def, &c.f.field), wk_ok);
    assert_int_equal(trySet(&c), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "objectCapacity is 0"));
    wkCudaField* field = c.f.field;
    c.f.def.objectCapacity = -1;
    assert_int_equal(wkCudaField_Create(&c.f.def, &c.f.field), wk_errorRange);
    assert_non_null(strstr(wkGetLastError(), "objectCapacity is -1"));
    c.f.field = field;
    closeBox(&c);
}

static void maps_of_all_states_are_taken(void** state)
{
    (void)state;
    static objectCase c;
    openBox(&c);
    wkOctree* map = NULL;
    assert_int_equal(wkOctree_Create(NULL, &map), wk_ok);
    c.shapes[0] = wkMakeOctree(map);
    assert_int_equal(trySet(&c), wk_ok); // nothing is occupied
    assert_int_equal(wkCudaField_Info(c.f.field).objectCount, 0);
    updateField(&c.f);
    expectVerdict(&c, 0.0f, 0.1f, wk_verdictFree);
    c.shapes[0].map.unknown = wk_unknownOccupied; // all of it
    assert_int_equal(trySet(&c), wk_ok);
    updateField(&c.f);
    expectVerdict(&c, 0.5f, 0.01f, wk_verdictWorld);
    c.poses[0].position.x = 5000.0; // beyond the map all is unknown
    expectRefused(&c, wk_errorRange, "shapes[0] is a map whose unknown cells are solid");
    wkAabb box = {{0.0, 0.0, 0.0}, {0.4, 0.4, 0.4}};
    assert_int_equal(wkOctree_FillBox(map, box, 1.0f), wk_ok);
    wkCellKey key = {32760, 32768, 32768};
    assert_int_equal(wkOctree_SetLogOdds(map, key, WK_OCTREE_DEPTH, 0.2f), wk_ok);
    c.shapes[0] = wkMakeOctree(map);
    assert_int_equal(trySet(&c), wk_ok);
    updateField(&c.f);
    expectVerdict(&c, -0.3f, 0.049f, wk_verdictFree); // the cell begins at -0.4 m
    expectVerdict(&c, -0.3f, 0.051f, wk_verdictWorld);
    c.shapes[0].map.occupiedProbability = 0.7;
    assert_int_equal(trySet(&c), wk_ok);
    updateField(&c.f);
    expectVerdict(&c, -0.3f, 0.051f, wk_verdictFree);
    expectVerdict(&c, -0.1f, 0.11f, wk_verdictWorld);
    wkOctree_Destroy(map);
    expectVerdict(&c, -0.1f, 0.11f, wk_verdictWorld); // the map is not needed any more
    closeBox(&c);
}

// Creates a field, sets objects, updates it and checks spheres; every failure leaves all verdicts unchecked.
static wkResult runStory(void* context)
{
    objectCase* c = (objectCase*)context;
    wkCudaDef cudaDef = wkDefaultCudaDef();
    c->f.cuda = NULL;
    c->f.field = NULL;
    wkResult result = wkCuda_Create(&cudaDef, &c->f.cuda);
    if (result == wk_ok) {
        c->f.def.cuda = c->f.cuda;
        result = wkCudaField_Create(&c->f.def, &c->f.field);
    }
    result = result == wk_ok ? trySet(c) : result;
    result = result == wk_ok ? tryFieldUpdate(&c->f, &c->f.view, wk_memoryHost) : result;
    if (result == wk_ok) {
        memset(c->f.verdicts, wk_verdictFree, sizeof c->f.verdicts);
        result =
            wkCudaField_CheckSpheres(c->f.field, c->f.spheres[0], wk_memoryHost, 20, c->f.verdicts);
        for (int i = 0; i < 20; i++) {
            assert_true(result == wk_ok ? isRight(c, c->f.spheres[i], c->f.verdicts[i])
                                        : c->f.verdicts[i] == wk_verdictUnchecked);
        }
    }
    wkCudaField_Destroy(c->f.field);
    wkCuda_Destroy(c->f.cuda);
    return result;
}

static void any_call_may_fail(void** state)
{
    (void)state;
    static objectCase c;
    wkRng rng = wkMakeRng(wkKitSeed());
    openBox(&c);
    c.count = 4;
    c.shapes[1] = wkMakeSphere(0.9); // in no list of tiles
    c.poses[1].position.z = 1.5;
    drawFieldSpheres(&c.f, &rng);
    drawNearObjects(&c, &rng);
    closeBox(&c);
    failEverywhere(runStory, &c);
}

// A GPU that fails during an update leaves nothing known until the next frame, which sends the objects again.
static void a_failed_update_leaves_nothing_free(void** state)
{
    (void)state;
    static objectCase c;
    openBox(&c);
    wkResult result = wk_errorDevice;
    for (int call = 0; emulatedIsUsed() && result != wk_ok; call++) {
        c.poses[0].position.x = 0.5;
        assert_int_equal(trySet(&c), wk_ok);
        updateField(&c.f);
        expectVerdict(&c, 0.0f, 0.11f, wk_verdictFree);
        c.poses[0].position.x = 0.0;
        assert_int_equal(trySet(&c), wk_ok);
        emulatedFailCall(call, 700, 0);
        result = tryFieldUpdate(&c.f, &c.f.view, wk_memoryHost);
        emulatedFailCall(-1, 0, 0);
        expectVerdict(&c, 0.5f, 0.01f, result == wk_ok ? wk_verdictFree : wk_verdictWorld);
        updateField(&c.f);
        expectVerdict(&c, 0.0f, 0.11f, wk_verdictWorld);
        expectVerdict(&c, 0.5f, 0.11f, wk_verdictFree);
        assert_true(call < 40);
    }
    closeBox(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(verdicts_are_those_of_all_objects),
        cmocka_unit_test(objects_count_from_the_next_update_on),
        cmocka_unit_test(bad_objects_are_refused),
        cmocka_unit_test(maps_of_all_states_are_taken),
        cmocka_unit_test(any_call_may_fail),
        cmocka_unit_test(a_failed_update_leaves_nothing_free),
    };
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
