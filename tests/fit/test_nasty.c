// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Meshes with faults, of every size, and shapes that are padded inward: random points
// of triangles and of spheres say whether they are covered, and how far spheres stick out.
// WHISKER_FIT_ROUNDS: how many times each kind is made; more of them find more.

#include "fit_kit.h"

#include <math.h>
#include <stdlib.h>

#define MOST_VERTICES 64
#define MOST_TRIANGLES 96
#define MOST_SPHERES 256

typedef struct nastyMesh {
    wkVec3d vertices[MOST_VERTICES];
    int32_t triangles[3 * MOST_TRIANGLES];
    int32_t vertexCount, triangleCount;
} nastyMesh;

static void addVertex(nastyMesh* mesh, double x, double y, double z)
{
    mesh->vertices[mesh->vertexCount++] = (wkVec3d){x, y, z};
}

static void addTriangle(nastyMesh* mesh, int32_t a, int32_t b, int32_t c)
{
    int32_t* t = mesh->triangles + 3 * mesh->triangleCount++;
    t[0] = a;
    t[1] = b;
    t[2] = c;
}

static void addRandomVertices(nastyMesh* mesh, wkRng* rng, int count, wkVec3d size)
{
    for (int i = 0; i < count; i++) {
        addVertex(mesh, size.x * wkRngRange(rng, -1.0, 1.0), size.y * wkRngRange(rng, -1.0, 1.0),
                  size.z * wkRngRange(rng, -1.0, 1.0));
    }
}

static void addRandomTriangles(nastyMesh* mesh, wkRng* rng, int count)
{
    for (int i = 0; i < count; i++) {
        addTriangle(mesh, wkRngBelow(rng, mesh->vertexCount), wkRngBelow(rng, mesh->vertexCount),
                    wkRngBelow(rng, mesh->vertexCount));
    }
}

// Triangles that share edges by the dozen and cut each other; some are points or segments.
static void makeSoup(nastyMesh* mesh, wkRng* rng)
{
    addRandomVertices(mesh, rng, 12, (wkVec3d){1.0, 1.0, 1.0});
    addRandomTriangles(mesh, rng, 40);
}

// Needles: two vertices as good as in one place.
static void makeSlivers(nastyMesh* mesh, wkRng* rng)
{
    for (int i = 0; i < 16; i++) {
        addRandomVertices(mesh, rng, 2, (wkVec3d){1.0, 0.7, 0.2});
        wkVec3d v = mesh->vertices[mesh->vertexCount - 1];
        double little = pow(10.0, wkRngRange(rng, -9.0, -2.0));
        addVertex(mesh, v.x + little, v.y, v.z - little);
        addTriangle(mesh, 3 * i, 3 * i + 1, 3 * i + 2);
    }
}

// All in a plane, all on a line, or all in a point.
static void makeFlat(nastyMesh* mesh, wkRng* rng)
{
    int kind = wkRngBelow(rng, 3);
    addRandomVertices(mesh, rng, 10, (wkVec3d){1.0, kind < 2 ? 0.5 : 0.0, 0.0});
    for (int i = 0; i < 10 && kind == 1; i++) {
        mesh->vertices[i].x = mesh->vertices[i].y = 0.3;
    }
    addRandomTriangles(mesh, rng, 12);
}

// Closed or open: rings of a tube whose radii go to and fro, with lids, one of them, or none.
static void makeTube(nastyMesh* mesh, wkRng* rng)
{
    enum {
        rings = 7,
        sides = 6
    };
    for (int i = 0; i < rings; i++) {
        double radius = wkRngRange(rng, 0.02, 0.8), height = wkRngRange(rng, -1.0, 1.0);
        for (int k = 0; k < sides; k++) {
            double angle = 2.0 * 3.14159265358979 * k / sides;
            addVertex(mesh, radius * cos(angle), radius * sin(angle), height);
        }
    }
    for (int i = 0; i < rings - 1; i++) {
        for (int k = 0; k < sides; k++) {
            int32_t a = i * sides + k, b = i * sides + (k + 1) % sides;
            addTriangle(mesh, a, b, a + sides);
            addTriangle(mesh, b, b + sides, a + sides);
        }
    }
    int lids = wkRngBelow(rng, 3);
    for (int k = 1; k + 1 < sides; k++) {
        int32_t top = (rings - 1) * sides;
        if (lids > 0) {
            addTriangle(mesh, 0, k + 1, k);
        }
        if (lids > 1) {
            addTriangle(mesh, top, top + k, top + k + 1);
        }
    }
}

// Tetrahedra that overlap, some of them inside out.
static void makeTetrahedra(nastyMesh* mesh, wkRng* rng)
{
    static const int32_t faces[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2};
    for (int i = 0; i < 6; i++) {
        addRandomVertices(mesh, rng, 4, (wkVec3d){1.0, 1.0, 0.3});
        for (int k = 0; k < 4; k++) {
            addTriangle(mesh, 4 * i + faces[3 * k], 4 * i + faces[3 * k + 1],
                        4 * i + faces[3 * k + 2]);
        }
    }
}

static const struct {
    const char* name;
    void (*make)(nastyMesh* mesh, wkRng* rng);
} kinds[] = {
    {"soup", makeSoup}, {"slivers", makeSlivers},       {"flat", makeFlat},
    {"tube", makeTube}, {"tetrahedra", makeTetrahedra},
};
#define KIND_COUNT ((int)(sizeof kinds / sizeof kinds[0]))

// Metres; the last ones are far from the origin as well.
static const struct {
    double scale, away;
} sizes[] = {{1.0, 0.0}, {1e-6, 0.0}, {1e5, 0.0}, {0.1, 30.0}};
#define SIZE_COUNT ((int)(sizeof sizes / sizeof sizes[0]))

static void moveMesh(nastyMesh* mesh, double scale, double away)
{
    for (int32_t i = 0; i < mesh->vertexCount; i++) {
        wkVec3d v = mesh->vertices[i];
        mesh->vertices[i] = (wkVec3d){scale * v.x + away, scale * v.y, scale * v.z};
    }
}

static wkVec3d pointOf(const wkTriangle* t, wkRng* rng)
{
    double u = wkRngUnit(rng), v = wkRngUnit(rng);
    if (u + v > 1.0) {
        u = 1.0 - u;
        v = 1.0 - v;
    }
    u = wkRngChance(rng, 4) ? 0.0 : u;
    v = wkRngChance(rng, 4) ? 0.0 : v;
    wkVec3d a = t->points[0], b = t->points[1], c = t->points[2];
    return (wkVec3d){a.x + u * (b.x - a.x) + v * (c.x - a.x),
                     a.y + u * (b.y - a.y) + v * (c.y - a.y),
                     a.z + u * (b.z - a.z) + v * (c.z - a.z)};
}

static double outsideOf(const wkSphere3d* spheres, int32_t count, wkVec3d point)
{
    double nearest = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        double away = wkSceneLength(wkSceneSub(point, spheres[i].center)) - spheres[i].radius;
        nearest = fmin(nearest, away);
    }
    return nearest;
}

// How far points of triangles are outside of all spheres. What is within the padding of them belongs to the
// shape, too.
static double meshGap(const wkShape* shape, const wkSphere3d* spheres, int32_t count, int points,
                      wkRng* rng)
{
    int32_t triangleCount = wkMesh_Info(shape->mesh).triangleCount;
    double worst = -INFINITY;
    for (int i = 0; i < points && triangleCount > 0; i++) {
        wkTriangle t = wkMesh_Triangle(shape->mesh, wkRngBelow(rng, triangleCount));
        wkVec3d point = pointOf(&t, rng), d = wkRngDirection(rng);
        double padding = fmax(shape->padding, 0.0);
        point =
            (wkVec3d){point.x + padding * d.x, point.y + padding * d.y, point.z + padding * d.z};
        worst = fmax(worst, outsideOf(spheres, count, point));
    }
    return worst;
}

// Where a mesh leaks, a point is no further outside than from what counts as inside, and that may be
// nearer than any triangle.
static bool isInsideNear(const wkShape* shape, wkVec3d point, double distance, wkRng* rng)
{
    for (int i = 0; i < 300000; i++) {
        wkVec3d d = wkRngDirection(rng);
        double r = distance * wkRngUnit(rng);
        wkVec3d other = {point.x + r * d.x, point.y + r * d.y, point.z + r * d.z};
        if (wkShape_PointDistance(shape, wkIdentityPose(), other) <= 0.0) {
            return true;
        }
    }
    return false;
}

// Whether points all over spheres, not only on them, are no further outside than that.
static double furthestOut(const wkShape* shape, const wkSphere3d* spheres, int32_t count,
                          int points, double protrusion, wkRng* rng)
{
    bool isLeaky = shape->type == wk_shapeMesh && !wkMesh_Info(shape->mesh).isClosed;
    double worst = 0.0;
    for (int i = 0; i < points && count > 0; i++) {
        const wkSphere3d* sphere = &spheres[wkRngBelow(rng, count)];
        wkVec3d d = wkRngDirection(rng);
        double r = sphere->radius * (wkRngChance(rng, 2) ? 1.0 : cbrt(wkRngUnit(rng)));
        wkVec3d point = {sphere->center.x + r * d.x, sphere->center.y + r * d.y,
                         sphere->center.z + r * d.z};
        double out = wkShape_PointDistance(shape, wkIdentityPose(), point);
        if (out > worst &&
            (out <= protrusion || !isLeaky || !isInsideNear(shape, point, protrusion, rng))) {
            worst = out;
        }
    }
    return worst;
}

static bool isLong(void)
{
    return getenv("WHISKER_FIT_ROUNDS") != NULL;
}

static int pointCount(void)
{
    return isLong() ? 100000 : WK_CASES(2000);
}

static int roundCount(void)
{
    const char* rounds = getenv("WHISKER_FIT_ROUNDS");
    return rounds != NULL ? atoi(rounds) : 1;
}

static void checkMesh(nastyMesh* nasty, const char* name, double scale, double away, wkRng* rng)
{
    static wkSphere3d spheres[MOST_SPHERES];
    wkModel model = {.vertices = nasty->vertices,
                     .vertexCount = nasty->vertexCount,
                     .indices = nasty->triangles,
                     .triangleCount = nasty->triangleCount};
    wkMesh* mesh = fitMakeSolid(&model);
    wkShape shape = wkMakeMesh(mesh);
    static const double paddings[3] = {0.0, 0.05, -0.05};
    shape.padding = scale * paddings[wkRngBelow(rng, 3)];
    wkFitDef def = wkDefaultFitDef();
    def.accuracy = scale * wkRngRange(rng, 0.15, 0.6);
    def.count = wkRngChance(rng, 3) ? 1 + wkRngBelow(rng, 12) : 0;
    def.maxCount = MOST_SPHERES;
    int32_t count = 0;
    wkFitInfo report = {0}, measured = {0};
    assert_int_equal(wkShape_FitSpheres(&shape, &def, spheres, MOST_SPHERES, &count, &report),
                     wk_ok);
    double slack = FIT_ROUNDING * (scale + away);
    double gap = meshGap(&shape, spheres, count, pointCount(), rng);
    assert_int_equal(wkShape_MeasureSpheres(&shape, spheres, count, 0.01 * scale, &measured),
                     wk_ok);
    // a mesh that leaks is not made thinner
    shape.padding = wkMesh_Info(mesh).isClosed ? shape.padding : fmax(shape.padding, 0.0);
    double proven = fmin(report.protrusion, measured.protrusion) + slack;
    double out = furthestOut(&shape, spheres, count, pointCount(), proven, rng);
    if (gap > slack || out > proven || measured.gap > 1e-4 * scale) {
        fail_msg("%s of %g m, padding %g, count %d, accuracy %g: gap %g (%g), out %g of %g, %g",
                 name, scale, shape.padding, (int)def.count, def.accuracy, gap, measured.gap, out,
                 report.protrusion, measured.protrusion);
    }
    wkMesh_Destroy(mesh);
}

static void nasty_meshes_are_covered(void** state)
{
    (void)state;
    for (int round = 0; round < roundCount(); round++) {
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)round);
        // every third one has each kind and each size in it
        for (int i = 0; i < KIND_COUNT * SIZE_COUNT; i += isLong() ? 1 : 3) {
            nastyMesh mesh = {.vertexCount = 0};
            int size = i / KIND_COUNT;
            kinds[i % KIND_COUNT].make(&mesh, &rng);
            moveMesh(&mesh, sizes[size].scale, sizes[size].away);
            checkMesh(&mesh, kinds[i % KIND_COUNT].name, sizes[size].scale, sizes[size].away, &rng);
        }
    }
}

// The surface of what padding leaves is as deep inside of the shape as it takes away: points that queries
// find on it are in spheres.
static void what_inward_padding_leaves_is_covered(void** state)
{
    (void)state;
    for (int i = 0; i < FIT_CONVEX_COUNT * roundCount(); i++) {
        wkRng rng = wkMakeRng(wkKitSeed() + (uint64_t)i);
        wkSphere3d spheres[MOST_SPHERES];
        wkFitInfo report = {0};
        wkFitDef def = wkDefaultFitDef();
        int32_t count = 0, testedCount = 0;
        wkShape shape = wkRandomShape(&rng, wkKitBank(), fitConvexTypes[i % FIT_CONVEX_COUNT], 0.3);
        shape.padding = -wkRngRange(&rng, 0.0, 0.2);
        def.accuracy = wkRngRange(&rng, 0.05, 0.2);
        assert_int_equal(wkShape_FitSpheres(&shape, &def, spheres, MOST_SPHERES, &count, &report),
                         wk_ok);
        wkAabb box = wkShape_Bounds(&shape, wkIdentityPose());
        for (int k = 0; k < WK_CASES(500); k++) {
            wkVec3d point = {wkRngRange(&rng, box.lower.x, box.upper.x),
                             wkRngRange(&rng, box.lower.y, box.upper.y),
                             wkRngRange(&rng, box.lower.z, box.upper.z)};
            wkPointResult near = wkShape_ClosestPoint(&shape, wkIdentityPose(), point, INFINITY);
            // the point of a core that is too thin to be padded is none of its surface
            double off = wkShape_PointDistance(&shape, wkIdentityPose(), near.point);
            if (fabs(off) > 1e-9) {
                continue;
            }
            testedCount++;
            if (outsideOf(spheres, count, near.point) > FIT_ROUNDING) {
                fail_msg("%s, padding %g: bare by %g", wkShapeTypeName(shape.type), shape.padding,
                         outsideOf(spheres, count, near.point));
            }
        }
        double out = furthestOut(&shape, spheres, count, WK_CASES(2000), report.protrusion, &rng);
        assert_true(out <= report.protrusion + FIT_ROUNDING);
        assert_true(testedCount == 0 || count > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nasty_meshes_are_covered),
        cmocka_unit_test(what_inward_padding_leaves_is_covered),
    };
    int failed = cmocka_run_group_tests_name("fit.nasty", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
