// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The bounds that scenes keep of a shape: with every rotation they hold what it reaches, and no more
// than the bounds that are asked of the shape itself, or less where a mesh is round.

#include "unit_kit.h"

#include "query/pair/shape_extent.h"
#include "whisker/mesh.h"

#define CASE_COUNT 300

typedef struct extentScene {
    wkShapeBank bank;
    wkMesh* mesh;
    wkMesh* solid;
} extentScene;

// A tetrahedron away from the origin of its frame.
static wkMesh* makeMesh(bool isSolid)
{
    static const wkVec3d vertices[] = {
        {1.0, 2.0, 3.0}, {1.7, 2.1, 2.9}, {1.2, 2.9, 3.3}, {0.9, 2.2, 4.1}};
    static const int32_t triangles[] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = 4;
    def.triangles = triangles;
    def.triangleCount = 4;
    def.isSolid = isSolid;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static wkShape makeShape(const extentScene* scene, wkRng* rng, int i)
{
    int type = 1 + i % (WK_SCENE_TYPE_COUNT + 2);
    wkShape shape =
        type <= WK_SCENE_TYPE_COUNT
            ? wkRandomShape(rng, &scene->bank, (wkShapeType)type, wkRngLogRange(rng, 1e-6, 1e6))
            : wkMakeMesh(type % 2 == 0 ? scene->mesh : scene->solid);
    shape.padding = wkRngChance(rng, 3) ? wkRngRange(rng, -0.3, 0.3) : shape.padding;
    return shape;
}

static void checkSide(const wkShape* shape, const wkAabb* found, const wkAabb* asked, wkQuat q)
{
    wkPose pose = {{0.0, 0.0, 0.0}, q};
    double size = wkSumAbs(asked->lower) + wkSumAbs(asked->upper);
    double tolerance = 1e-12 * size + 1e-15 * fabs(shape->padding);
    for (int axis = 0; axis < 3; ++axis) {
        double lower = wkAlongAxis(&found->lower, axis), upper = wkAlongAxis(&found->upper, axis);
        double askedLower = wkAlongAxis(&asked->lower, axis);
        double askedUpper = wkAlongAxis(&asked->upper, axis);
        assert_true(lower == askedLower || fabs(lower - askedLower) <= tolerance);
        assert_true(upper == askedUpper || fabs(upper - askedUpper) <= tolerance);
        // what a shape reaches where negative padding leaves something of it
        if (size < 1e30 && shape->rounding + shape->padding >= 0.0) {
            wkVec3d along = wkVec(axis == 0, axis == 1, axis == 2);
            wkVec3d furthest = wkShape_Support(shape, pose, along);
            wkVec3d nearest = wkShape_Support(shape, pose, wkNeg(along));
            assert_true(wkAlongAxis(&furthest, axis) <= upper);
            assert_true(wkAlongAxis(&nearest, axis) >= lower);
        }
    }
}

static void rotated_extents_hold_the_shape(void** state)
{
    (void)state;
    extentScene scene = {.mesh = makeMesh(false), .solid = makeMesh(true)};
    wkShapeBank_Create(&scene.bank, 3);
    wkRng rng = wkMakeRng(11);
    for (int i = 0; i < CASE_COUNT; ++i) {
        wkShape shape = makeShape(&scene, &rng, i);
        wkExtent extent = wkMakeExtent(&shape);
        for (int k = 0; k < 20; ++k) {
            wkQuat q = k % 4 == 0 ? wkRngRightAngles(&rng) : wkRngRotation(&rng);
            double length = k % 5 == 0 ? wkRngLogRange(&rng, 0.1, 10.0) : 1.0;
            q = (wkQuat){q.x * length, q.y * length, q.z * length, q.w * length};
            wkAabb found = wkRotateExtent(&extent, &shape, q);
            wkAabb asked = wkBoundsAround(&shape, q);
            checkSide(&shape, &found, &asked, q);
        }
    }
    wkShapeBank_Destroy(&scene.bank);
    wkMesh_Destroy(scene.mesh);
    wkMesh_Destroy(scene.solid);
}

// The bounds of a box about an octahedron grow when it is turned, those of a sphere do not.
static void round_meshes_are_bounded_by_spheres(void** state)
{
    (void)state;
    static const wkVec3d vertices[] = {{3.0, 0.0, 0.0},  {1.0, 0.0, 0.0}, {2.0, 1.0, 0.0},
                                       {2.0, -1.0, 0.0}, {2.0, 0.0, 1.0}, {2.0, 0.0, -1.0}};
    static const int32_t triangles[] = {0, 2, 4, 2, 1, 4, 1, 3, 4, 3, 0, 4,
                                        2, 0, 5, 1, 2, 5, 3, 1, 5, 0, 3, 5};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = vertices;
    def.vertexCount = 6;
    def.triangles = triangles;
    def.triangleCount = 8;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    wkShape shape = wkMakeMesh(mesh);
    shape.padding = 0.25;
    wkExtent extent = wkMakeExtent(&shape);
    wkRng rng = wkMakeRng(12);
    for (int i = 0; i < CASE_COUNT; ++i) {
        wkPose pose = {{0.0, 0.0, 0.0}, wkRngRotation(&rng)};
        wkAabb found = wkRotateExtent(&extent, &shape, pose.rotation);
        for (int axis = 0; axis < 3; ++axis) {
            double lower = wkAlongAxis(&found.lower, axis);
            double upper = wkAlongAxis(&found.upper, axis);
            assert_true(upper - lower <= 2.5 + 1e-12);
            for (int k = 0; k < 6; ++k) {
                wkVec3d vertex = wkTransformPoint(pose, vertices[k]);
                assert_true(wkAlongAxis(&vertex, axis) + 0.25 <= upper + 1e-15);
                assert_true(wkAlongAxis(&vertex, axis) - 0.25 >= lower - 1e-15);
            }
        }
    }
    wkMesh_Destroy(mesh);
}

static void what_has_no_end_has_no_extent(void** state)
{
    (void)state;
    wkShape plane = wkMakeHalfspace(wkVec(0.0, 0.0, 1.0), 0.0);
    wkExtent extent = wkMakeExtent(&plane);
    wkQuat q = {0.0, 0.0, 0.0, 1.0};
    wkAabb found = wkRotateExtent(&extent, &plane, q);
    assert_true(found.lower.x == -INFINITY && found.upper.y == INFINITY);
    assert_true(found.upper.z >= 0.0 && found.upper.z < 1e-9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rotated_extents_hold_the_shape),
        cmocka_unit_test(round_meshes_are_bounded_by_spheres),
        cmocka_unit_test(what_has_no_end_has_no_extent),
    };
    return cmocka_run_group_tests_name("extents", tests, NULL, NULL);
}
