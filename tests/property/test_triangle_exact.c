// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Two triangles with vertices on a grid against exact arithmetic: fractions of integers, no rounding
// anywhere. Verdicts must be right wherever the distance is more than the stated precision away
// from zero, and two triangles that have a point in common are never called free.

#include "kit.h"

#include <float.h>
#include <stdlib.h>

__extension__ typedef __int128 wide;

// Coordinates are whole numbers up to this: no product below leaves 127 bits.
#define GRID 1024

typedef struct point {
    int64_t x, y, z;
} point;

typedef struct gridTriangle {
    point vertices[3];
} gridTriangle;

// A squared distance, over > 0.
typedef struct fraction {
    wide over;
    wide under;
} fraction;

static point sub(point a, point b)
{
    point p = {a.x - b.x, a.y - b.y, a.z - b.z};
    return p;
}

static int64_t dot(point a, point b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z;
}

static point cross(point a, point b)
{
    point p = {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
    return p;
}

static fraction whole(int64_t over)
{
    fraction f = {over, 1};
    return f;
}

static fraction square(int64_t over, int64_t under)
{
    fraction f = {(wide)over * over, under};
    return f;
}

static fraction lesser(fraction a, fraction b)
{
    return a.over * b.under <= b.over * a.under ? a : b;
}

static fraction pointToSegment(point p, point start, point end)
{
    point along = sub(end, start), between = sub(p, start);
    int64_t length = dot(along, along), t = dot(between, along);
    if (t <= 0 || t >= length) {
        point rest = t <= 0 ? between : sub(p, end);
        return whole(dot(rest, rest));
    }
    point off = cross(between, along);
    fraction f = {(wide)off.x * off.x + (wide)off.y * off.y + (wide)off.z * off.z, length};
    return f;
}

// Between the ends, or where both lines are closest if that is on both segments.
static fraction segmentToSegment(point a, point b, point c, point d)
{
    fraction best = lesser(lesser(pointToSegment(a, c, d), pointToSegment(b, c, d)),
                           lesser(pointToSegment(c, a, b), pointToSegment(d, a, b)));
    point u = sub(b, a), v = sub(d, c), w = sub(c, a), normal = cross(u, v);
    int64_t length = dot(normal, normal);
    int64_t s = dot(cross(w, v), normal), t = dot(cross(w, u), normal);
    if (length > 0 && s >= 0 && s <= length && t >= 0 && t <= length) {
        best = lesser(best, square(dot(w, normal), length));
    }
    return best;
}

static fraction pointToFace(point p, const gridTriangle* t, fraction best)
{
    const point* c = t->vertices;
    point normal = cross(sub(c[1], c[0]), sub(c[2], c[0]));
    int64_t length = dot(normal, normal);
    bool isInside = length > 0;
    for (int i = 0; i < 3 && isInside; i++) {
        point edge = sub(c[(i + 1) % 3], c[i]);
        isInside = dot(cross(edge, sub(p, c[i])), normal) >= 0;
    }
    return isInside ? lesser(best, square(dot(sub(p, c[0]), normal), length)) : best;
}

// Whether the segment passes through the triangle from one side to the other.
static bool isPiercing(point p, point q, const gridTriangle* t)
{
    const point* c = t->vertices;
    point normal = cross(sub(c[1], c[0]), sub(c[2], c[0]));
    int64_t heightP = dot(sub(p, c[0]), normal), heightQ = dot(sub(q, c[0]), normal);
    if (!((heightP < 0 && heightQ > 0) || (heightP > 0 && heightQ < 0))) {
        return false;
    }
    int positive = 0, negative = 0;
    for (int i = 0; i < 3; i++) {
        point from = sub(c[i], p), to = sub(c[(i + 1) % 3], p);
        int64_t volume = dot(sub(q, p), cross(from, to));
        positive += volume > 0;
        negative += volume < 0;
    }
    return positive == 0 || negative == 0;
}

static fraction exactSquare(const gridTriangle* a, const gridTriangle* b)
{
    point between = sub(a->vertices[0], b->vertices[0]);
    fraction best = whole(dot(between, between));
    for (int i = 0; i < 3; i++) {
        point startA = a->vertices[i], endA = a->vertices[(i + 1) % 3];
        if (isPiercing(startA, endA, b) ||
            isPiercing(b->vertices[i], b->vertices[(i + 1) % 3], a)) {
            return whole(0);
        }
        best = pointToFace(startA, b, best);
        best = pointToFace(b->vertices[i], a, best);
        for (int j = 0; j < 3; j++) {
            best = lesser(best,
                          segmentToSegment(startA, endA, b->vertices[j], b->vertices[(j + 1) % 3]));
        }
    }
    return best;
}

static point randomPoint(wkRng* rng, int size)
{
    point p = {wkRngBelow(rng, 2 * size + 1) - size, wkRngBelow(rng, 2 * size + 1) - size,
               wkRngBelow(rng, 2 * size + 1) - size};
    return p;
}

// A point of the grid on, or next to, a segment.
static point pointBeside(wkRng* rng, point a, point b)
{
    point d = sub(b, a);
    int64_t share = wkRngBelow(rng, 9);
    point p = {a.x + d.x * share / 8, a.y + d.y * share / 8, a.z + d.z * share / 8};
    return p;
}

static gridTriangle randomTriangle(wkRng* rng, int size)
{
    gridTriangle t = {{randomPoint(rng, size), randomPoint(rng, size), randomPoint(rng, size)}};
    return t;
}

typedef void makeFcn(wkRng* rng, gridTriangle* a, gridTriangle* b);

static void makeFree(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    int size = 1 << (1 + wkRngBelow(rng, 10));
    *a = randomTriangle(rng, size);
    *b = randomTriangle(rng, size);
}

static void makeCoplanar(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    makeFree(rng, a, b);
    int kind = wkRngBelow(rng, 3);
    for (int i = 0; i < 6; i++) {
        point* p = i < 3 ? &a->vertices[i] : &b->vertices[i - 3];
        p->z = kind == 0 ? 5 : kind == 1 ? p->x : -p->z / 64 * 64;
    }
}

static void makeSharedVertex(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    makeFree(rng, a, b);
    b->vertices[wkRngBelow(rng, 3)] = a->vertices[wkRngBelow(rng, 3)];
}

static void makeSharedEdge(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    makeFree(rng, a, b);
    int first = wkRngBelow(rng, 3);
    b->vertices[first] = a->vertices[1];
    b->vertices[(first + 1 + wkRngBelow(rng, 2)) % 3] = a->vertices[0];
}

// A vertex on, or a step of the grid beside, an edge or the face of the other.
static void makeTouching(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    makeFree(rng, a, b);
    point surfacePoint = pointBeside(rng, a->vertices[0], a->vertices[1]);
    b->vertices[0] =
        wkRngChance(rng, 2) ? surfacePoint : pointBeside(rng, surfacePoint, a->vertices[2]);
}

// Edges that cross in a point of the grid: both are twice as long as their way to it.
static void makeCrossing(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    makeFree(rng, a, b);
    gridTriangle* both[2] = {a, b};
    point middle = randomPoint(rng, GRID / 4);
    for (int i = 0; i < 2; i++) {
        point step = randomPoint(rng, 1 << (1 + wkRngBelow(rng, 7)));
        both[i]->vertices[0] = (point){middle.x + step.x, middle.y + step.y, middle.z + step.z};
        both[i]->vertices[1] = (point){middle.x - step.x, middle.y - step.y, middle.z - step.z};
    }
}

// The third vertex next to the line through the others.
static void makeNeedles(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    makeFree(rng, a, b);
    a->vertices[2] = pointBeside(rng, a->vertices[0], a->vertices[1]);
    if (wkRngChance(rng, 2)) {
        b->vertices[2] = pointBeside(rng, b->vertices[0], b->vertices[1]);
    }
    if (wkRngChance(rng, 2)) {
        b->vertices[1] = pointBeside(rng, a->vertices[0], a->vertices[1]);
    }
}

// Points and segments.
static void makeDegenerate(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    makeTouching(rng, a, b);
    a->vertices[2] = a->vertices[wkRngBelow(rng, 2)];
    if (wkRngChance(rng, 2)) {
        b->vertices[1] = b->vertices[0];
    }
    if (wkRngChance(rng, 3)) {
        b->vertices[2] = b->vertices[0];
    }
}

// The same or a multiple of it: parallel, shifted, smaller inside.
static void makeParallel(wkRng* rng, gridTriangle* a, gridTriangle* b)
{
    *a = randomTriangle(rng, GRID / 4);
    point shift = randomPoint(rng, 1 << wkRngBelow(rng, 9));
    int64_t factor = wkRngBelow(rng, 5) - 2;
    for (int i = 0; i < 3; i++) {
        point p = a->vertices[i];
        b->vertices[i] =
            (point){factor * p.x + shift.x, factor * p.y + shift.y, factor * p.z + shift.z};
    }
}

static makeFcn* const makers[] = {makeFree,       makeCoplanar,   makeSharedVertex,
                                  makeSharedEdge, makeTouching,   makeCrossing,
                                  makeNeedles,    makeDegenerate, makeParallel};

#define MAKER_COUNT ((int)(sizeof makers / sizeof *makers))

// A pair with what is known about it, at some power of two.
typedef struct exactCase {
    gridTriangle a;
    gridTriangle b;
    fraction square;
    double factor;
    double distance; // rounded once
} exactCase;

static bool isInGrid(const gridTriangle* t)
{
    for (int i = 0; i < 3; i++) {
        point p = t->vertices[i];
        if (llabs(p.x) > GRID || llabs(p.y) > GRID || llabs(p.z) > GRID) {
            return false;
        }
    }
    return true;
}

static exactCase makeCase(wkRng* rng, int maker)
{
    exactCase c;
    do {
        makers[maker](rng, &c.a, &c.b);
    } while (!isInGrid(&c.a) || !isInGrid(&c.b));
    c.square = exactSquare(&c.a, &c.b);
    c.factor = ldexp(1.0, wkRngBelow(rng, 3) == 0 ? wkRngBelow(rng, 79) - 39 : 0);
    long double ratio = (long double)c.square.over / (long double)c.square.under;
    c.distance = (double)(sqrtl(ratio) * (long double)c.factor);
    return c;
}

static void toVertices(const gridTriangle* t, double factor, wkVec3d vertices[3])
{
    for (int i = 0; i < 3; i++) {
        point p = t->vertices[i];
        vertices[i] = wkSceneVec(factor * (double)p.x, factor * (double)p.y, factor * (double)p.z);
    }
}

static double scaleOf(const exactCase* c)
{
    int64_t largest = 1;
    for (int i = 0; i < 6; i++) {
        point p = i < 3 ? c->a.vertices[i] : c->b.vertices[i - 3];
        int64_t sum = llabs(p.x) + llabs(p.y) + llabs(p.z);
        largest = sum > largest ? sum : largest;
    }
    return c->factor * (double)largest;
}

static void failAbout(const exactCase* c, const char* what, double got)
{
    for (int i = 0; i < 6; i++) {
        point p = i < 3 ? c->a.vertices[i] : c->b.vertices[i - 3];
        print_message("(%d %d %d)%s", (int)p.x, (int)p.y, (int)p.z, i % 3 == 2 ? "\n" : " ");
    }
    fail_msg("%s: %.17g, exactly %.17g at the scale %g", what, got, c->distance, c->factor);
}

static void checkShapes(const exactCase* c, const wkShape* a, const wkShape* b)
{
    wkPose identity = wkIdentityPose();
    wkDistanceResult r = wkDistance(a, identity, b, identity, NULL);
    bool isTouching = wkCollide(a, identity, b, identity, NULL).isTouching;
    double tolerance = 1e-12 * scaleOf(c);
    if (c->square.over == 0 && !(isTouching && r.distance <= 0.0)) {
        failAbout(c, "called free", r.distance);
    }
    if (c->distance > tolerance && (isTouching || !(r.distance > 0.0))) {
        failAbout(c, "called touching", r.distance);
    }
    if (c->square.over > 0 && !(fabs(r.distance - c->distance) <= tolerance)) {
        failAbout(c, "distance", r.distance);
    }
    // never above the truth: the square of a double against a fraction, with room for long double
    long double distance = (long double)r.distance / (long double)c->factor;
    if (r.distance > 0.0 && distance * distance * (long double)c->square.under >
                                (long double)c->square.over * (1.0L + 4.0L * LDBL_EPSILON)) {
        failAbout(c, "distance above the truth", r.distance);
    }
}

static void triangles_are_classified_exactly(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int maker = 0; maker < MAKER_COUNT; maker++) {
        for (int n = 0; n < wkKitCases(20000); n++) {
            exactCase c = makeCase(&rng, maker);
            wkVec3d a[3], b[3];
            toVertices(&c.a, c.factor, a);
            toVertices(&c.b, c.factor, b);
            wkShape first = wkMakeTriangle(a[0], a[1], a[2]);
            wkShape second = wkMakeTriangle(b[0], b[1], b[2]);
            checkShapes(&c, &first, &second);
            checkShapes(&c, &second, &first);
        }
    }
}

static wkMesh* meshOf(const wkVec3d vertices[3])
{
    static const int32_t indices[3] = {0, 1, 2};
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = false;
    def.vertices = vertices;
    def.vertexCount = 3;
    def.triangles = indices;
    def.triangleCount = 1;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    return mesh;
}

static void meshes_of_one_triangle_are_classified_exactly(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    for (int maker = 0; maker < MAKER_COUNT; maker++) {
        for (int n = 0; n < wkKitCases(5000); n++) {
            exactCase c = makeCase(&rng, maker);
            wkVec3d a[3], b[3];
            toVertices(&c.a, c.factor, a);
            toVertices(&c.b, c.factor, b);
            wkMesh *meshA = meshOf(a), *meshB = meshOf(b);
            wkShape first = wkMakeMesh(meshA), second = wkMakeMesh(meshB);
            wkShape plain = wkMakeTriangle(b[0], b[1], b[2]);
            checkShapes(&c, &first, &second);
            checkShapes(&c, &first, &plain);
            wkMesh_Destroy(meshA);
            wkMesh_Destroy(meshB);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_are_classified_exactly),
        cmocka_unit_test(meshes_of_one_triangle_are_classified_exactly),
    };
    int failures = cmocka_run_group_tests_name("triangle_exact", tests, NULL, NULL);
    wkKitEnd();
    return failures;
}
