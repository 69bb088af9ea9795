// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Each row runs its query once for the text and many times for the timing. A time is the median over blocks
// of calls, so that interrupts do not show.

#include "shapes_queries.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define BLOCK_COUNT 31
#define BLOCK_SECONDS 2e-4
#define MAX_TRIANGLES 256 // more than lie on the floor

// Arguments of a query.
typedef struct subject {
    const wkShapesBody* a;
    const wkShapesBody* b; // NULL: about `a` alone
    wkRay ray;
} subject;

// Runs a query. Returns a number, so that no call is optimized away; with `words` it also writes the result.
typedef double askFcn(const subject* s, char* words, size_t size);

typedef struct row {
    const char* query;
    wkShapesSlot a;
    wkShapesSlot b; // wk_shapesBodyCount: about `a` alone
    askFcn* ask;
} row;

// Rounds numbers near zero to zero, without a sign.
static double tidy(double number)
{
    return fabs(number) < 5e-5 ? 0.0 : number;
}

static int sayVec3(char* words, size_t size, const char* before, wkVec3d v)
{
    return snprintf(words, size, "%s(%.3f, %.3f, %.3f)", before, tidy(v.x), tidy(v.y), tidy(v.z));
}

static double askCollide(const subject* s, char* words, size_t size)
{
    wkCollideResult result = wkCollide(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose, NULL);
    if (words != NULL) {
        snprintf(words, size, "%s", result.isTouching ? "they touch" : "free");
    }
    return result.isTouching;
}

static double askMargin(const subject* s, char* words, size_t size)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = 1.0;
    wkCollideResult result =
        wkCollide(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose, &request);
    if (words != NULL) {
        snprintf(words, size, "%s a margin of 1 m", result.isTouching ? "within" : "beyond");
    }
    return result.isTouching;
}

static double askContacts(const subject* s, char* words, size_t size)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    wkCollideResult result =
        wkCollide(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose, &request);
    if (words != NULL && result.contactCount > 0) {
        snprintf(words, size, "%d points, deepest %.4f m", result.contactCount,
                 tidy(contacts[0].depth));
    } else if (words != NULL) {
        snprintf(words, size, "none");
    }
    return result.contactCount;
}

// Meshes have a contact for each triangle touched.
static double askTriangles(const subject* s, char* words, size_t size)
{
    static wkContact contacts[MAX_TRIANGLES];
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = contacts;
    request.contactCapacity = MAX_TRIANGLES;
    wkCollideResult result =
        wkCollide(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose, &request);
    if (words != NULL) {
        snprintf(words, size, "%d triangles, deepest %.4f m", result.contactCount,
                 tidy(contacts[0].depth));
    }
    return result.contactCount;
}

static double askClosest(const subject* s, char* words, size_t size)
{
    wkPointResult result = wkShape_ClosestPoint(&s->a->shape, s->a->pose, s->ray.origin, INFINITY);
    if (words != NULL) {
        int length = sayVec3(words, size, "", result.point);
        snprintf(words + length, size - (size_t)length, " on triangle %" PRId64, result.part);
    }
    return result.distance;
}

static double askDistance(const subject* s, char* words, size_t size)
{
    wkDistanceResult result = wkDistance(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose, NULL);
    if (words != NULL) {
        int length = snprintf(words, size, "%.4f m", tidy(result.distance));
        sayVec3(words + length, size - (size_t)length, " along ", result.normal);
    }
    return result.distance;
}

static double askWithin(const subject* s, char* words, size_t size)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cutoff = 0.25;
    wkDistanceResult result =
        wkDistance(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose, &request);
    if (words != NULL) {
        bool isBeyond = result.distance > request.cutoff;
        snprintf(words, size, "%s the cutoff of 0.25 m", isBeyond ? "beyond" : "within");
    }
    return result.distance;
}

static double askWarm(const subject* s, char* words, size_t size)
{
    static wkPairCache cache;
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.cache = &cache;
    wkDistanceResult result =
        wkDistance(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose, &request);
    if (words != NULL) {
        snprintf(words, size, "%.4f m, started from the last answer", tidy(result.distance));
    }
    return result.distance;
}

static double askPenetration(const subject* s, char* words, size_t size)
{
    wkPenetrationResult result = wkPenetration(&s->a->shape, s->a->pose, &s->b->shape, s->b->pose);
    if (words != NULL) {
        int length = snprintf(words, size, "%.4f m", tidy(result.depth));
        sayVec3(words + length, size - (size_t)length, ", move by ", result.translation);
    }
    return result.depth;
}

static double askRayCast(const subject* s, char* words, size_t size)
{
    wkRayResult result = wkShape_RayCast(&s->a->shape, s->a->pose, s->ray);
    if (words != NULL && result.isHit) {
        int length = snprintf(words, size, "after %.4f m", tidy(result.distance));
        sayVec3(words + length, size - (size_t)length, " at ", result.point);
    } else if (words != NULL) {
        snprintf(words, size, "a miss");
    }
    return result.distance;
}

static double askBounds(const subject* s, char* words, size_t size)
{
    wkAabb box = wkShape_Bounds(&s->a->shape, s->a->pose);
    if (words != NULL) {
        int length = sayVec3(words, size, "", box.lower);
        sayVec3(words + length, size - (size_t)length, " to ", box.upper);
    }
    return box.lower.x;
}

static double askSupport(const subject* s, char* words, size_t size)
{
    wkVec3d point = wkShape_Support(&s->a->shape, s->a->pose, (wkVec3d){1.0, 1.0, 1.0});
    if (words != NULL) {
        sayVec3(words, size, "furthest along (1, 1, 1): ", point);
    }
    return point.x;
}

static double askContains(const subject* s, char* words, size_t size)
{
    bool isInside = wkShape_ContainsPoint(&s->a->shape, s->a->pose, s->a->pose.position);
    if (words != NULL) {
        snprintf(words, size, "its origin is %s", isInside ? "inside" : "outside");
    }
    return isInside;
}

static double askPoint(const subject* s, char* words, size_t size)
{
    double distance = wkShape_PointDistance(&s->a->shape, s->a->pose, s->ray.origin);
    if (words != NULL) {
        snprintf(words, size, "%.4f m from the ray's origin", tidy(distance));
    }
    return distance;
}

static double askVolume(const subject* s, char* words, size_t size)
{
    wkMass mass = wkShape_Mass(&s->a->shape);
    if (words != NULL) {
        int length = snprintf(words, size, "%.4f cubic metres", mass.volume);
        sayVec3(words + length, size - (size_t)length, " about ", mass.centroid);
    }
    return mass.volume;
}

#define ALONE wk_shapesBodyCount

// clang-format off
static const row rows[] = {
    {"collide",         wk_shapesSphere,    wk_shapesBox,       askCollide},
    {"collide",         wk_shapesBox,       wk_shapesCapsule,   askCollide},
    {"collide",         wk_shapesMesh,      wk_shapesBox,       askCollide},
    {"with a margin",   wk_shapesSphere,    wk_shapesBox,       askMargin},
    {"contacts",        wk_shapesBox,       wk_shapesCapsule,   askContacts},
    {"contacts",        wk_shapesCylinder,  wk_shapesHalfspace, askContacts},
    {"contacts",        wk_shapesMesh,      wk_shapesHalfspace, askTriangles},
    {"signed distance", wk_shapesSphere,    wk_shapesBox,       askDistance},
    {"signed distance", wk_shapesConvex,    wk_shapesTriangle,  askDistance},
    {"signed distance", wk_shapesEllipsoid, wk_shapesPlane,     askDistance},
    {"signed distance", wk_shapesMesh,      wk_shapesEllipsoid, askDistance},
    {"within a cutoff", wk_shapesConvex,    wk_shapesTriangle,  askWithin},
    {"warm start",      wk_shapesConvex,    wk_shapesEllipsoid, askWarm},
    {"penetration",     wk_shapesBox,       wk_shapesCapsule,   askPenetration},
    {"ray cast",        wk_shapesCone,      ALONE,            askRayCast},
    {"ray cast",        wk_shapesHalfspace, ALONE,            askRayCast},
    {"closest point",   wk_shapesMesh,      ALONE,            askClosest},
    {"bounds",          wk_shapesEllipsoid, ALONE,            askBounds},
    {"support",         wk_shapesConvex,    ALONE,            askSupport},
    {"contains",        wk_shapesCone,      ALONE,            askContains},
    {"contains",        wk_shapesMesh,      ALONE,            askContains},
    {"point distance",  wk_shapesCylinder,  ALONE,            askPoint},
    {"volume",          wk_shapesConvex,    ALONE,            askVolume},
};
// clang-format on

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compareDoubles(const void* a, const void* b)
{
    double x = *(const double*)a;
    double y = *(const double*)b;
    return (x > y) - (x < y);
}

static volatile double sink; // receives results of timed calls, so that they are computed

static double timeCalls(askFcn* ask, const subject* s, int callCount)
{
    double start = now();
    for (int i = 0; i < callCount; i++) {
        sink = ask(s, NULL, 0);
    }
    return now() - start;
}

// Returns the median nanoseconds of a call.
static double measure(askFcn* ask, const subject* s)
{
    int callCount = 1;
    while (timeCalls(ask, s, callCount) < BLOCK_SECONDS && callCount < (1 << 20)) {
        callCount *= 2;
    }
    double times[BLOCK_COUNT];
    for (int i = 0; i < BLOCK_COUNT; i++) {
        times[i] = 1e9 * timeCalls(ask, s, callCount) / callCount;
    }
    qsort(times, BLOCK_COUNT, sizeof times[0], compareDoubles);
    return times[BLOCK_COUNT / 2];
}

void wkPrintShapes(const wkShapesScene* scene)
{
    printf("%-10s %9s   %-24s %-27s %9s\n", "shape", "volume", "size of its bounds", "place",
           "triangles");
    for (int i = 0; i < wk_shapesBodyCount; i++) {
        const wkShapesBody* body = &scene->bodies[i];
        wkAabb box = wkShape_Bounds(&body->shape, body->pose);
        wkTriangulation triangles = {0};
        wkShape_Triangulate(&body->shape, 32, 1.0, &triangles);
        char size[64];
        char position[64];
        snprintf(size, sizeof size, "%.3f x %.3f x %.3f", box.upper.x - box.lower.x,
                 box.upper.y - box.lower.y, box.upper.z - box.lower.z);
        sayVec3(position, sizeof position, "", body->pose.position);
        printf("%-10s %9.4f   %-24s %-27s %9d\n", body->name, wkShape_Mass(&body->shape).volume,
               size, position, triangles.triangleCount);
    }
}

void wkPrintQueries(const wkShapesScene* scene)
{
    printf("%-16s %-10s %-10s %-58s %9s\n", "query", "a", "b", "answer", "time");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const row* r = &rows[i];
        char words[128];
        subject s = {&scene->bodies[r->a], r->b == ALONE ? NULL : &scene->bodies[r->b], scene->ray};
        r->ask(&s, words, sizeof words);
        printf("%-16s %-10s %-10s %-58s %6.0f ns\n", r->query, s.a->name,
               s.b != NULL ? s.b->name : "", words, measure(r->ask, &s));
    }
}

#define PAIR_COUNT (wk_shapesBodyCount * (wk_shapesBodyCount - 1) / 2)

// Returns the median over all pairs of the median time of each.
static double medianOfPairs(const wkShapesScene* scene, askFcn* ask)
{
    double times[PAIR_COUNT] = {0};
    size_t count = 0;
    for (wkShapesSlot a = 0; a < wk_shapesBodyCount; a++) {
        for (wkShapesSlot b = a + 1; b < wk_shapesBodyCount; b++) {
            subject s = {&scene->bodies[a], &scene->bodies[b], scene->ray};
            times[count++] = measure(ask, &s);
        }
    }
    qsort(times, count, sizeof times[0], compareDoubles);
    return times[count / 2];
}

void wkPrintPairs(const wkShapesScene* scene)
{
    printf("signed distance of every pair, metres\n%-10s", "");
    for (int b = 1; b < wk_shapesBodyCount; b++) {
        printf(" %9.9s", scene->bodies[b].name);
    }
    printf("\n");
    for (wkShapesSlot a = 0; a + 1 < wk_shapesBodyCount; a++) {
        printf("%-10s", scene->bodies[a].name);
        for (wkShapesSlot b = 1; b < wk_shapesBodyCount; b++) {
            subject s = {&scene->bodies[a], &scene->bodies[b], scene->ray};
            double distance = b > a ? askDistance(&s, NULL, 0) : 0.0;
            if (b <= a) {
                printf(" %9s", "");
            } else if (distance == WK_UNBOUNDED_DISTANCE) {
                printf(" %9s", "unbounded");
            } else {
                printf(" %9.4f", tidy(distance));
            }
        }
        printf("\n");
    }
    printf("median of the %d pairs: distance %.0f ns, collide %.0f ns\n", PAIR_COUNT,
           medianOfPairs(scene, askDistance), medianOfPairs(scene, askCollide));
}
