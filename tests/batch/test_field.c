// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The clearance field against the plain way: every kind of surroundings and every shape, rules and
// safety distances, places far from everything and numbers that are none.

#include "field_kit.h"

#include "base/memory.h"
#include "batch/field_map_cells.h"
#include "scenes/maps.h"

#include <math.h>

static wkFieldDef defOf(const wkRobotScene* scene, double reach, double largest)
{
    wkFieldDef def = {.scene = scene,
                      .reach = {{-reach, -reach, -reach}, {reach, reach, reach}},
                      .largestRadius = largest};
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
    static sphereRows rows;
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
                fillSpheres(&all.rng, 1.3, 0.12, &rows);
                compareSpheres(field, side, &rows, &freeCount, &openCount);
            }
            wkField_Destroy(field);
            wkFreeSurroundings(&all);
        }
    }
    // something is proven at one look
    assert_true(freeCount > openCount);
}

// A scene with the built-in robot, to which shapes are added one by one.
typedef struct plainScene {
    wkRobot* robot;
    wkRobotScene* scene;
    int count;
} plainScene;

static plainScene makeScene(wkVec3d origin)
{
    plainScene made = {NULL, NULL, 0};
    assert_int_equal(wkRobot_CreateBuiltIn(&made.robot), wk_ok);
    wkRobotSceneDef def = wkDefaultRobotSceneDef();
    def.robot = made.robot;
    def.scene.origin = origin;
    assert_int_equal(wkRobotScene_Create(&def, &made.scene), wk_ok);
    return made;
}

static void freeScene(plainScene* made)
{
    wkRobotScene_Destroy(made->scene);
    wkRobot_Destroy(made->robot);
}

static void addShape(plainScene* made, wkShape shape, wkPose pose)
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

static wkPose randomPose(wkRng* rng, wkVec3d about, double size)
{
    wkVec3d way = wkVec(wkRngRange(rng, -size, size), wkRngRange(rng, -size, size),
                        wkRngRange(rng, -size, size));
    wkPose pose = {wkAdd(about, way), wkRngRotation(rng)};
    return pose;
}

// Compares spheres about the origin of a field.
static void compareScene(const plainScene* made, const wkFieldDef* def, double reach, wkRng* rng,
                         int* freeCount, int* openCount)
{
    static sphereRows rows;
    wkField* field = createField(def);
    fillSpheres(rng, reach, def->largestRadius > 0.0 ? def->largestRadius : 0.05, &rows);
    compareSpheres(field, 0, &rows, freeCount, openCount);
    assert_ptr_equal(field->scene, made->scene);
    wkField_Destroy(field);
}

typedef wkShape makeShapeFcn(wkRng* rng, const wkShapeBank* bank, wkShapeType type);

static wkShape ordinary(wkRng* rng, const wkShapeBank* bank, wkShapeType type)
{
    return wkRandomShape(rng, bank, type, 0.3);
}

static wkShape onGrid(wkRng* rng, const wkShapeBank* bank, wkShapeType type)
{
    return wkGridShape(rng, bank, type, 0.125);
}

static wkShape stretched(wkRng* rng, const wkShapeBank* bank, wkShapeType type)
{
    return wkStretchedShape(rng, bank, type, 0.05, 200.0);
}

static wkShape withoutSize(wkRng* rng, const wkShapeBank* bank, wkShapeType type)
{
    return wkZeroSizeShape(rng, bank, type);
}

static wkShape drawnIn(wkRng* rng, const wkShapeBank* bank, wkShapeType type)
{
    wkShape shape = wkRandomShape(rng, bank, type, 0.6);
    shape.padding = -0.15 * wkRngUnit(rng);
    return shape;
}

static void every_shape_is_an_obstacle(void** unused)
{
    (void)unused;
    static makeShapeFcn* const makers[] = {ordinary, onGrid, stretched, withoutSize, drawnIn};
    wkShapeBank bank;
    wkShapeBank_Create(&bank, 5);
    wkRng rng = wkMakeRng(77);
    int freeCount = 0, openCount = 0;
    for (size_t kind = 0; kind < sizeof makers / sizeof makers[0]; ++kind) {
        for (int type = 1; type <= WK_SCENE_TYPE_COUNT; ++type) {
            plainScene made = makeScene(wkVec(0.0, 0.0, 0.0));
            for (int i = 0; i < 2; ++i) {
                wkPose pose = randomPose(&rng, wkVec(0.0, 0.0, 0.0), 0.8);
                pose.rotation = kind == 1 ? wkRngRightAngles(&rng) : pose.rotation;
                addShape(&made, makers[kind](&rng, &bank, (wkShapeType)type), pose);
            }
            wkFieldDef def = defOf(made.scene, 1.0, 0.1);
            compareScene(&made, &def, 1.0, &rng, &freeCount, &openCount);
            freeScene(&made);
        }
    }
    assert_true(freeCount > 4 * openCount);
    wkShapeBank_Destroy(&bank);
}

// Where a field is, how large and how fine.
typedef struct roomKind {
    const char* name;
    double from; // the origin, along each axis
    double reach;
    double largestRadius;
    double cellSize;
    double size;    // of objects
    double objects; // how far they are from the origin
} roomKind;

static void rooms_of_every_kind_match_brute_force(void** unused)
{
    (void)unused;
    static const roomKind rows[] = {
        {"far from zero", 1e6, 1.0, 0.1, 0.0, 0.3, 1.0},
        {"without end", 0.0, INFINITY, 0.1, 0.0, 0.3, 1.0},
        {"huge objects", 0.0, 1.0, 0.1, 0.0, 1e4, 1e4},
        {"larger objects still", 0.0, 1.0, 0.1, 0.0, 1e9, 1e9},
        {"tiny objects", 0.0, 0.1, 0.01, 0.0, 1e-3, 0.1},
        {"a point", 0.0, 0.0, 0.1, 0.0, 0.3, 0.3},
        {"coarse cells", 0.0, 1.0, 0.1, 0.5, 0.3, 1.0},
        {"fine cells", 0.0, 0.3, 0.05, 0.004, 0.1, 0.3},
        {"spheres without size", 0.0, 1.0, 0.0, 0.0, 0.3, 1.0},
        {"spheres larger than the room", 0.0, 1.0, 5.0, 0.0, 0.3, 1.0},
        {"objects beyond the room", 0.0, 0.5, 0.1, 0.0, 0.3, 9.0},
        {"vast room", 0.0, 500.0, 0.1, 0.0, 60.0, 500.0},
    };
    wkShapeBank bank;
    wkShapeBank_Create(&bank, 6);
    wkRng rng = wkMakeRng(78);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; ++i) {
        const roomKind* row = &rows[i];
        wkVec3d origin = wkVec(row->from, -row->from, row->from);
        plainScene made = makeScene(origin);
        for (int k = 0; k < 8; ++k) {
            wkShape shape =
                wkRandomShape(&rng, &bank, k < 5 ? wk_shapeBox : wk_shapeCapsule, row->size);
            addShape(&made, shape, randomPose(&rng, origin, row->objects));
        }
        wkFieldDef def = defOf(made.scene, row->reach, row->largestRadius);
        def.origin = origin;
        def.reach.lower = wkAdd(def.reach.lower, origin);
        def.reach.upper = wkAdd(def.reach.upper, origin);
        def.cellSize = row->cellSize;
        int freeCount = 0, openCount = 0;
        double wide = row->reach < 1e3 ? row->reach + 0.1 : 1.5;
        compareScene(&made, &def, wide, &rng, &freeCount, &openCount);
        freeScene(&made);
    }
    wkShapeBank_Destroy(&bank);
}

static void nothing_around_is_free(void** unused)
{
    (void)unused;
    plainScene made = makeScene(wkVec(0.0, 0.0, 0.0));
    wkFieldDef def = defOf(made.scene, INFINITY, 0.1);
    wkRng rng = wkMakeRng(79);
    int freeCount = 0, openCount = 0;
    compareScene(&made, &def, 2.0, &rng, &freeCount, &openCount);
    // all but those that are larger than was said
    assert_true(freeCount > SPHERE_COUNT * 9 / 10);

    // an empty map is nothing as well
    wkOctree* octree = NULL;
    assert_int_equal(wkOctree_Create(NULL, &octree), wk_ok);
    addShape(&made, wkMakeOctree(octree), wkIdentityPose());
    freeCount = openCount = 0;
    compareScene(&made, &def, 2.0, &rng, &freeCount, &openCount);
    assert_true(freeCount > SPHERE_COUNT * 9 / 10);
    freeScene(&made);
    wkOctree_Destroy(octree);
}

static wkHeightField* makeHills(wkRng* rng)
{
    double heights[8 * 8];
    for (int i = 0; i < 8 * 8; ++i) {
        heights[i] = wkRngRange(rng, -0.2, 0.3);
    }
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    def.heights = heights;
    def.columns = 8;
    def.rows = 8;
    def.sizeX = def.sizeY = 1.5;
    def.minHeight = -0.4;
    wkHeightField* field = NULL;
    assert_int_equal(wkHeightField_Create(&def, &field), wk_ok);
    return field;
}

static void hills_and_maps_of_every_kind_are_obstacles(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(80);
    int freeCount = 0, openCount = 0;
    for (int kind = 0; kind < WK_MAP_KIND_COUNT * 3; ++kind) {
        plainScene made = makeScene(wkVec(0.0, 0.0, 0.0));
        wkOctree* octree = wkMakeMap(kind / 3, kind % 2 == 0 ? 0.05 : 0.031, 9);
        wkHeightField* hills = makeHills(&rng);
        wkShape map = wkMakeOctree(octree);
        map.map.unknown = (wkUnknownRule)(wk_unknownFree + kind % 3);
        map.rounding = wkRngChance(&rng, 3) ? 0.02 : 0.0;
        map.padding = wkRngChance(&rng, 3) ? wkRngRange(&rng, -0.01, 0.02) : 0.0;
        wkPose pose = randomPose(&rng, wkVec(0.0, 0.0, 0.0), 0.2);
        pose.rotation = kind % 4 == 0 ? wkIdentityPose().rotation : pose.rotation;
        addShape(&made, map, pose);
        if (kind % 3 == 0) {
            addShape(&made, wkMakeHeightField(hills), randomPose(&rng, wkVec(0, 0, -0.5), 0.3));
        }
        wkFieldDef def = defOf(made.scene, 0.8, 0.1);
        compareScene(&made, &def, 0.9, &rng, &freeCount, &openCount);
        freeScene(&made);
        wkHeightField_Destroy(hills);
        wkOctree_Destroy(octree);
    }
    assert_true(freeCount > 0);
}

// A cube of a map that is turned in any way, in front of a grid of its own.
typedef struct rotatedCube {
    wkFieldMap map;
    wkMapCube cube;
    wkField field;
    wkFieldGrid grid;
} rotatedCube;

static void makeRotatedCube(wkRng* rng, rotatedCube* t)
{
    memset(t, 0, sizeof *t);
    wkPose pose = randomPose(rng, wkVec(0.0, 0.0, 0.0), 0.05);
    t->map.frame = wkFrameFromPose(pose);
    t->map.perMetre = wkRngRange(rng, 5.0, 40.0);
    t->cube.edge = 1 << wkRngBelow(rng, 3);
    t->cube.lower[0] = -t->cube.edge / 2;
    t->field.reach = 0.5;
    t->field.step = 0.002f;
    t->grid.size = 0.05f;
    for (int axis = 0; axis < 3; ++axis) {
        t->grid.count[axis] = 12;
        t->grid.lower[axis] = -0.3f;
    }
}

static double awayFromCube(const rotatedCube* t, wkVec3d point)
{
    wkVec3d local = wkScale(t->map.perMetre, wkFrameLocal(&t->map.frame, point));
    wkVec3d gap = wkVec(0.0, 0.0, 0.0);
    double at[3] = {local.x, local.y, local.z}, out[3];
    for (int axis = 0; axis < 3; ++axis) {
        double low = t->cube.lower[axis], high = low + t->cube.edge;
        out[axis] = fmax(fmax(low - at[axis], at[axis] - high), 0.0);
    }
    gap = wkVec(out[0], out[1], out[2]);
    return wkLength(gap) / t->map.perMetre;
}

// No point of a cell is nearer to a map that is turned than its lower bound, nor further than the upper.
static void cells_bound_rotated_maps_from_both_sides(void** unused)
{
    (void)unused;
    wkRng rng = wkMakeRng(81);
    for (int i = 0; i < 300; ++i) {
        rotatedCube t;
        makeRotatedCube(&rng, &t);
        wkMapMarks marks;
        assert_int_equal(wkMapMarks_Create(&t.field, &t.grid, 0.0, &marks), wk_ok);
        wkMapMarks_Add(&marks, &t.map, &t.cube, false);
        assert_int_equal(wkMapMarks_Spread(&marks, &t.grid, &t.map), wk_ok);
        for (int cell = 0; cell < 12 * 12 * 12; ++cell) {
            const int at[3] = {cell % 12, cell / 12 % 12, cell / 144};
            double nearest = INFINITY, furthest = 0.0;
            // distances from a cube are convex: the vertices of a cell are furthest
            for (int k = 0; k < 27; ++k) {
                wkVec3d point = wkVec(-0.3 + 0.05 * (at[0] + 0.5 * (k % 3)),
                                      -0.3 + 0.05 * (at[1] + 0.5 * (k / 3 % 3)),
                                      -0.3 + 0.05 * (at[2] + 0.5 * (k / 9)));
                double away = awayFromCube(&t, point);
                nearest = fmin(nearest, away);
                furthest = fmax(furthest, away);
            }
            double low = (t.map.cells[cell] & 0xff) * (double)t.field.step;
            double high = (t.map.cells[cell] >> 8) * (double)t.field.step;
            assert_true(low <= nearest + 1e-9);
            if (t.map.cells[cell] >> 8 < WK_FIELD_FAR && !(high >= furthest - 1e-9)) {
                fail_msg("case %d: a point is %.6g away, at most %.6g was told", i, furthest, high);
            }
        }
        wkFree(t.map.cells, t.map.cellBytes);
        wkMapMarks_Destroy(&marks);
    }
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_field_says_what_every_object_says),
        cmocka_unit_test(every_shape_is_an_obstacle),
        cmocka_unit_test(rooms_of_every_kind_match_brute_force),
        cmocka_unit_test(nothing_around_is_free),
        cmocka_unit_test(hills_and_maps_of_every_kind_are_obstacles),
        cmocka_unit_test(cells_bound_rotated_maps_from_both_sides),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
