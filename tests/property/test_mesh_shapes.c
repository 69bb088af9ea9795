// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A shape against its own triangulation: the vertices of the mesh are on the surface of the convex
// shape, so it lies inside, and the more steps a turn is cut into the less is missing. Distances
// from the shape and from the mesh bracket each other by as much.

#include "kit.h"

#include <stdlib.h>

#define MAX_VERTICES 40000

static wkVec3d vertices[MAX_VERTICES];
static int32_t indices[3 * 2 * MAX_VERTICES];

// NULL when there is nothing to cut into triangles.
static wkMesh* meshOf(const wkShape* shape, int segments, bool isSolid)
{
    wkTriangulation cut = {.vertices = vertices,
                           .indices = indices,
                           .vertexCapacity = MAX_VERTICES,
                           .triangleCapacity = 2 * MAX_VERTICES};
    wkResult result = wkShape_Triangulate(shape, segments, 1.0, &cut);
    if (result != wk_ok || cut.triangleCount == 0) {
        return NULL;
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = vertices;
    def.vertexCount = cut.vertexCount;
    def.triangles = indices;
    def.triangleCount = cut.triangleCount;
    def.isSolid = isSolid;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

// What is missing between the arcs of a body of that reach and their chords, in two directions.
static double missing(double reach, int segments)
{
    return 2.5 * reach * (1.0 - cos(3.14159265358979 / segments));
}

typedef struct cutCase {
    wkShape shape;
    wkShape other;
    wkPose pose; // of the other
    double reach;
    double scale;
} cutCase;

static cutCase makeCase(wkRng* rng, wkShapeType type)
{
    cutCase c;
    do {
        c.shape = wkRandomShape(rng, wkKitBank(), type, 1.0);
    } while (c.shape.padding < 0.0);
    c.shape.rounding = c.shape.padding = 0.0;
    c.other = wkRandomShape(rng, wkKitBank(),
                            (wkShapeType)(1 + wkRngBelow(rng, WK_SCENE_TYPE_COUNT)), 1.0);
    c.other.padding = fabs(c.other.padding);
    c.reach = wkShapeReach(&c.shape);
    double apart = wkRngRange(rng, 0.0, 1.5) * (c.reach + wkShapeReach(&c.other));
    c.pose = (wkPose){wkSceneScale(wkRngDirection(rng), apart), wkRngRotation(rng)};
    c.scale = c.reach + wkShapeReach(&c.other) + apart;
    return c;
}

static void checkCut(const cutCase* c, int segments)
{
    double whole = wkDistance(&c->shape, wkIdentityPose(), &c->other, c->pose, NULL).distance;
    double less = missing(c->reach, segments), rounding = 2e-6 * c->scale;
    wkMesh* solid = meshOf(&c->shape, segments, true);
    if (solid == NULL) {
        return;
    }
    wkShape cut = wkMakeMesh(solid);
    wkDistanceResult r = wkDistance(&cut, wkIdentityPose(), &c->other, c->pose, NULL);
    // a body that is no wider than what is missing may be cut down to nothing
    bool isApart = whole > rounding, isDeep = whole < -less - rounding;
    if (isApart && !(r.distance >= whole - rounding && r.distance <= whole + less + rounding)) {
        fail_msg("%s cut into %d against %s: %.17g, whole %.17g", wkShapeTypeName(c->shape.type),
                 segments, wkShapeTypeName(c->other.type), r.distance, whole);
    }
    if (isDeep && !(r.distance <= 0.0)) {
        fail_msg("%s cut into %d, inside %s: %.17g, whole %.17g", wkShapeTypeName(c->shape.type),
                 segments, wkShapeTypeName(c->other.type), r.distance, whole);
    }
    wkMesh_Destroy(solid);
}

static void distances_of_triangulations_bracket_those_of_shapes(void** state)
{
    (void)state;
    static const int segments[] = {8, 24, 64};
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int type = 1; type <= WK_SCENE_TYPE_COUNT; type++) {
        if (type == wk_shapeHalfspace || type == wk_shapePlane) {
            continue;
        }
        for (int n = 0; n < wkKitCases(20); n++) {
            cutCase c = makeCase(&rng, (wkShapeType)type);
            for (int i = 0; i < 3; i++) {
                checkCut(&c, segments[i]);
            }
        }
    }
}

// Nothing is lost when there are no arcs.
static void polytopes_are_their_triangulations(void** state)
{
    (void)state;
    static const wkShapeType types[] = {wk_shapeBox, wk_shapeTriangle, wk_shapeHull};
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    for (int n = 0; n < wkKitCases(300); n++) {
        cutCase c = makeCase(&rng, types[n % 3]);
        double whole = wkDistance(&c.shape, wkIdentityPose(), &c.other, c.pose, NULL).distance;
        wkMesh* surface = meshOf(&c.shape, 8, false);
        if (surface == NULL) {
            continue;
        }
        wkShape cut = wkMakeMesh(surface);
        double got = wkDistance(&cut, wkIdentityPose(), &c.other, c.pose, NULL).distance;
        bool isCurved = c.other.type == wk_shapeCylinder || c.other.type == wk_shapeCone ||
                        c.other.type == wk_shapeEllipsoid;
        if (whole > 0.0 && !(fabs(got - whole) <= (isCurved ? 1e-6 : 1e-12) * c.scale)) {
            fail_msg("%s against %s: %.17g, as triangles %.17g", wkShapeTypeName(c.shape.type),
                     wkShapeTypeName(c.other.type), whole, got);
        }
        wkMesh_Destroy(surface);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_of_triangulations_bracket_those_of_shapes),
        cmocka_unit_test(polytopes_are_their_triangulations),
    };
    int failures = cmocka_run_group_tests_name("mesh_shapes", tests, NULL, NULL);
    wkKitEnd();
    return failures;
}
