// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Element casts: contacts that are exact by construction, known times, sampled motions, symmetries, bad input.

#include "asserts.h"
#include "scenes/scene_math.h"
#include "whisker/whisker.h"

#include <math.h>
#include <string.h>

typedef struct elementCase {
    wkElementKind kind;
    wkVec3d start[4];
    wkVec3d end[4];
} elementCase;

static wkElementCastResult castCase(const elementCase* c)
{
    return wkCastElements(c->kind, c->start, c->end, NULL);
}

static void failCase(const elementCase* c, const wkElementCastResult* r, const char* reason)
{
    const double* start = &c->start[0].x;
    const double* end = &c->end[0].x;
    print_message("%s, start:", wkElementKindName(c->kind));
    for (int i = 0; i < 12; ++i) {
        print_message(" %.17g,", start[i]);
    }
    print_message("\nend:");
    for (int i = 0; i < 12; ++i) {
        print_message(" %.17g,", end[i]);
    }
    fail_msg("\n%s: touching %d, %s, between %.17g and %.17g, distance %g", reason,
             (int)r->isTouching, wkStatusName(r->status), r->time, r->touchingBy, r->distance);
}

// Coordinates in 64ths, so that points at t = 1/2 and weights in quarters are exact; few different ones, so that
// elements are often coplanar, parallel, or without area.
static double gridNumber(wkRng* rng, int reach)
{
    return (double)(wkRngBelow(rng, 2 * reach + 1) - reach) * 0.0625;
}

static wkVec3d gridPoint(wkRng* rng, int reach)
{
    return wkSceneVec(gridNumber(rng, reach), gridNumber(rng, reach), gridNumber(rng, reach));
}

static wkVec3d middleOf(const elementCase* c, int index)
{
    return wkSceneScale(wkSceneAdd(c->start[index], c->end[index]), 0.5);
}

// A pair that touches at t = 1/2, without any rounding.
static elementCase touchingCase(wkRng* rng, wkElementKind kind, int reach)
{
    elementCase c = {.kind = kind};
    for (int i = 0; i < 4; ++i) {
        c.start[i] = gridPoint(rng, reach);
        c.end[i] = gridPoint(rng, reach);
    }
    double u = 0.25 * wkRngBelow(rng, 5), w = 0.25 * wkRngBelow(rng, 5);
    wkVec3d target;
    if (kind == wk_elementVertexFace) {
        w = fmin(w, 1.0 - u);
        target = wkSceneAdd(
            wkSceneScale(middleOf(&c, 1), 1.0 - u - w),
            wkSceneAdd(wkSceneScale(middleOf(&c, 2), u), wkSceneScale(middleOf(&c, 3), w)));
    } else {
        // the end a0 of edge A follows from a1, for u = 0, 1/2
        u = 0.5 * wkRngBelow(rng, 2);
        target =
            wkSceneAdd(wkSceneScale(middleOf(&c, 2), 1.0 - w), wkSceneScale(middleOf(&c, 3), w));
        target =
            wkSceneScale(wkSceneSub(target, wkSceneScale(middleOf(&c, 1), u)), 1.0 / (1.0 - u));
    }
    c.start[0] = wkSceneSub(wkSceneScale(target, 2.0), c.end[0]);
    return c;
}

static void exact_contacts_are_never_missed(void** state)
{
    (void)state;
    static const int reaches[] = {1, 2, 16, 1 << 20};
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(100000); i++) {
        elementCase c = touchingCase(&rng, (wkElementKind)(i & 1), reaches[wkRngBelow(&rng, 4)]);
        double shift = ldexp(1.0, 40 * (wkRngBelow(&rng, 21) - 10));
        for (int k = 0; k < 4; ++k) {
            c.start[k] = wkSceneScale(c.start[k], shift);
            c.end[k] = wkSceneScale(c.end[k], shift);
        }
        wkElementCastResult r = castCase(&c);
        if (!r.isTouching || !(r.time <= 0.5) || !(r.time <= r.touchingBy)) {
            failCase(&c, &r, "touches at 1/2");
        }
        bool isNear = r.distance <= 1e-6 || r.distance <= 1e-12 * shift * 4e6;
        if (r.status == wk_statusExact && !isNear) {
            failCase(&c, &r, "far apart at its time");
        }
    }
}

// F and its derivatives at an instant: base, U and W as in the header of the implementation.
typedef struct sample {
    wkVec3d base, u, w, normal;
    double height; // signed, not normalised
    double weightU, weightW;
    bool isInside; // well inside of both elements, seen along the normal
} sample;

static wkVec3d cross(wkVec3d a, wkVec3d b)
{
    return wkSceneVec(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}

static sample sampleAt(const elementCase* c, double t)
{
    wkVec3d p[4];
    for (int i = 0; i < 4; ++i) {
        p[i] = wkSceneAdd(wkSceneScale(c->start[i], 1.0 - t), wkSceneScale(c->end[i], t));
    }
    bool isFace = c->kind == wk_elementVertexFace;
    sample s = {.base = wkSceneSub(p[0], isFace ? p[1] : p[2])};
    s.u = isFace ? wkSceneSub(p[1], p[2]) : wkSceneSub(p[1], p[0]);
    s.w = isFace ? wkSceneSub(p[1], p[3]) : wkSceneSub(p[2], p[3]);
    s.normal = cross(s.u, s.w);
    s.height = wkSceneDot(s.normal, s.base);
    double square = wkSceneDot(s.normal, s.normal);
    s.weightU = -wkSceneDot(cross(s.base, s.w), s.normal) / square;
    s.weightW = -wkSceneDot(cross(s.u, s.base), s.normal) / square;
    double limit = isFace ? 1.0 - s.weightU : 1.0;
    s.isInside =
        s.weightU > 0.05 && s.weightU < 0.95 && s.weightW > 0.05 && s.weightW < limit - 0.05;
    return s;
}

#define SAMPLE_COUNT 400

// The first interval between samples in which the elements pass through each other, by the sign of their height.
static double crossingBy(const elementCase* c)
{
    sample last = sampleAt(c, 0.0);
    for (int i = 1; i <= SAMPLE_COUNT; ++i) {
        sample next = sampleAt(c, (double)i / SAMPLE_COUNT);
        bool isSteady = wkSceneDot(last.normal, next.normal) > 0.0 &&
                        fabs(last.weightU - next.weightU) < 0.05 &&
                        fabs(last.weightW - next.weightW) < 0.05;
        if (last.isInside && next.isInside && isSteady && last.height * next.height < 0.0) {
            return (double)i / SAMPLE_COUNT;
        }
        last = next;
    }
    return INFINITY;
}

static elementCase randomCase(wkRng* rng, wkElementKind kind, double speed)
{
    elementCase c = {.kind = kind};
    for (int i = 0; i < 4; ++i) {
        c.start[i] = wkSceneScale(wkRngDirection(rng), wkRngUnit(rng));
        wkVec3d way = wkSceneScale(wkRngDirection(rng), speed * wkRngUnit(rng));
        c.end[i] = wkSceneAdd(c.start[i], way);
    }
    return c;
}

static void sampled_crossings_are_found(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    int count = 0;
    for (int i = 0; i < wkKitCases(4000); i++) {
        elementCase c = randomCase(&rng, (wkElementKind)(i & 1), wkRngLogRange(&rng, 0.01, 3.0));
        wkElementCastResult r = castCase(&c);
        double crossing = crossingBy(&c);
        count += crossing < INFINITY;
        if (crossing < INFINITY && (!r.isTouching || r.time > crossing)) {
            failCase(&c, &r, "crosses in a sample before");
        }
        if (r.status != wk_statusExact) {
            failCase(&c, &r, "not decided");
        }
    }
    assert_true(count > wkKitCases(4000) / 200);
}

// At the time of contact, the library's distance of a point and a triangle is within the tolerance.
static void distances_at_the_time_are_within_the_tolerance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    int count = 0;
    for (int i = 0; i < wkKitCases(20000); i++) {
        elementCase c = randomCase(&rng, (wkElementKind)(i & 1), wkRngLogRange(&rng, 0.01, 3.0));
        wkElementCastResult r = castCase(&c);
        if (!r.isTouching) {
            assert_true(r.time == 1.0 && r.touchingBy == INFINITY && r.distance == 0.0);
            continue;
        }
        wkVec3d p[4];
        for (int k = 0; k < 4; ++k) {
            p[k] =
                wkSceneAdd(wkSceneScale(c.start[k], 1.0 - r.time), wkSceneScale(c.end[k], r.time));
        }
        bool isFace = c.kind == wk_elementVertexFace;
        wkShape a = wkMakeTriangle(p[0], isFace ? p[0] : p[1], isFace ? p[0] : p[1]);
        wkShape b = isFace ? wkMakeTriangle(p[1], p[2], p[3]) : wkMakeTriangle(p[2], p[3], p[3]);
        wkPose here = wkIdentityPose();
        double distance = wkDistance(&a, here, &b, here, NULL).distance;
        double length = wkSceneLength(wkSceneSub(r.pointA, r.pointB));
        if (distance > 1e-6 + 1e-9 || fabs(length - r.distance) > 1e-12) {
            failCase(&c, &r, "points are not where they should be");
        }
        assert_true(fabs(wkSceneLength(r.normal) - 1.0) < 1e-9);
        count++;
    }
    assert_true(count > wkKitCases(20000) / 50);
}

static void swapPoints(wkVec3d points[4], int i, int k)
{
    wkVec3d point = points[i];
    points[i] = points[k];
    points[k] = point;
}

// The same elements, numbered in another way.
static elementCase renumbered(const elementCase* c, int which)
{
    static const int swaps[2][3][4] = {{{1, 2, 0, 0}, {2, 3, 0, 0}, {1, 3, 0, 0}},
                                       {{0, 1, 0, 0}, {2, 3, 0, 0}, {0, 2, 1, 3}}};
    const int* swap = swaps[c->kind][which];
    elementCase other = *c;
    for (int i = 0; i < 4; i += 2) {
        swapPoints(other.start, swap[i], swap[i + 1]);
        swapPoints(other.end, swap[i], swap[i + 1]);
    }
    return other;
}

static void checkTwin(const elementCase* c, const elementCase* twin, double slack)
{
    wkElementCastResult a = castCase(c), b = castCase(twin);
    bool isCertain = a.touchingBy <= 1.0;
    if (isCertain && !b.isTouching) {
        failCase(twin, &b, "a proven contact is lost");
    }
    if (isCertain && b.touchingBy <= 1.0 &&
        (a.time > b.touchingBy + slack || b.time > a.touchingBy + slack)) {
        failCase(twin, &b, "brackets exclude each other");
    }
}

static void numbering_makes_no_difference(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(10000); i++) {
        elementCase c = randomCase(&rng, (wkElementKind)(i & 1), 1.0);
        elementCase twin = renumbered(&c, wkRngBelow(&rng, 3));
        checkTwin(&c, &twin, 0.0);
        checkTwin(&twin, &c, 0.0);
    }
}

static void time_can_run_backwards(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(10000); i++) {
        elementCase c = randomCase(&rng, (wkElementKind)(i & 1), 1.0), back = c;
        memcpy(back.start, c.end, sizeof back.start);
        memcpy(back.end, c.start, sizeof back.end);
        wkElementCastResult a = castCase(&c), b = castCase(&back);
        if (a.touchingBy <= 1.0 && (!b.isTouching || b.time > 1.0 - a.time + 1e-15)) {
            failCase(&back, &b, "a proven contact is lost backwards");
        }
    }
}

static void translations_make_no_difference(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(10000); i++) {
        elementCase c = {.kind = (wkElementKind)(i & 1)};
        for (int k = 0; k < 4; ++k) {
            c.start[k] = gridPoint(&rng, 1000);
            c.end[k] = gridPoint(&rng, 1000);
        }
        elementCase far = c;
        wkVec3d way = gridPoint(&rng, 1 << 29);
        for (int k = 0; k < 4; ++k) {
            far.start[k] = wkSceneAdd(c.start[k], way);
            far.end[k] = wkSceneAdd(c.end[k], way);
        }
        wkElementCastResult a = castCase(&c), b = castCase(&far);
        // all differences are exact
        assert_true(a.isTouching == b.isTouching && a.time == b.time && a.distance == b.distance);
    }
}

static wkElementCastResult castDrop(double from, double to, double side)
{
    elementCase c = {wk_elementVertexFace,
                     {{side, 0.25, from}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                     {{side, 0.25, to}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}};
    return castCase(&c);
}

static void a_vertex_drops_on_a_face(void** state)
{
    (void)state;
    wkElementCastResult r = castDrop(1.0, -1.0, 0.25);
    assert_true(r.isTouching && r.status == wk_statusExact);
    assert_true(r.time <= 0.5 && r.touchingBy >= 0.5);
    assert_true(r.time >= 0.5 - 1e-6 && r.touchingBy <= 0.5 + 1e-6);
    assert_true(r.normal.z < -0.999999 && r.distance <= 1e-6);
    assert_false(castDrop(1.0, 1e-5, 0.25).isTouching);
    assert_false(castDrop(1.0, -1.0, 0.75 + 1e-5).isTouching);
    assert_true(castDrop(1.0, -1.0, 0.75).isTouching);
    assert_true(castDrop(1.0, -1.0, 0.0).isTouching);
    assert_true(castDrop(1.0, 0.0, 0.25).isTouching); // at t = 1
    r = castDrop(0.0, 1.0, 0.25);
    assert_true(r.isTouching && r.time == 0.0 && r.status == wk_statusExact);
    r = castDrop(0.0, 0.0, 0.25); // rests
    assert_true(r.isTouching && r.time == 0.0 && r.iterations < 100);
}

// A vertex moves in the plane of a face, across an edge of it.
static void motions_in_the_plane_are_found(void** state)
{
    (void)state;
    elementCase c = {wk_elementVertexFace,
                     {{-1.0, 0.25, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                     {{1.0, 0.25, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}};
    wkElementCastResult r = castCase(&c);
    assert_true(r.isTouching && r.status == wk_statusExact);
    assert_true(r.time <= 0.5 && r.time >= 0.5 - 1e-6);

    // edges of one line: the end of A reaches that of B at 1/4
    elementCase edges = {wk_elementEdgeEdge,
                         {{-2.0, 0.0, 0.0}, {-1.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}},
                         {{2.0, 0.0, 0.0}, {3.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}}};
    r = castCase(&edges);
    assert_true(r.isTouching && r.status == wk_statusExact);
    assert_true(r.time <= 0.25 && r.time >= 0.25 - 1e-6);

    // parallel ones pass at a distance of 1e-5, or less than the tolerance, which twice the digits tell
    for (int i = 0; i < 2; ++i) {
        edges.start[0].y = edges.start[1].y = edges.end[0].y = edges.end[1].y = i ? 1e-5 : 1e-20;
        assert_false(castCase(&edges).isTouching);
    }
}

// Elements that are points or lines, and those of one point.
static void elements_without_size_are_valid(void** state)
{
    (void)state;
    elementCase c = {.kind = wk_elementEdgeEdge};
    wkElementCastResult r = castCase(&c);
    assert_true(r.isTouching && r.time == 0.0 && r.status == wk_statusExact);
    for (int kind = 0; kind < 2; ++kind) {
        c.kind = (wkElementKind)kind;
        for (int i = 0; i < 4; ++i) {
            c.start[i] = wkSceneVec(0.0, 0.0, 0.0);
            c.end[i] = wkSceneVec(0.0, 0.0, 0.0);
        }
        c.start[0] = c.start[kind] = wkSceneVec(-3.0, 0.0, 0.0);
        c.end[0] = c.end[kind] = wkSceneVec(1.0, 0.0, 0.0);
        r = castCase(&c);
        if (!r.isTouching || r.time > 0.75 || r.time < 0.75 - 1e-6) {
            failCase(&c, &r, "points meet at 3/4");
        }
        c.end[0].y = c.end[kind].y = 1e-3;
        assert_false(castCase(&c).isTouching);
    }
}

// Numbers at the ends of the range of doubles: an answer, and never an exact "free" for a contact.
static void extreme_coordinates_are_answered(void** state)
{
    (void)state;
    static const double sizes[] = {1.7e308, 1e300, 1e155, 1e-155, 1e-300, 1e-310, 4.9e-324};
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < wkKitCases(20000); i++) {
        elementCase c = {.kind = (wkElementKind)(i & 1)};
        double size = sizes[wkRngBelow(&rng, 7)], other = sizes[wkRngBelow(&rng, 7)];
        double* start = &c.start[0].x;
        double* end = &c.end[0].x;
        for (int k = 0; k < 12; ++k) {
            start[k] = (double)(wkRngBelow(&rng, 3) - 1) * (wkRngChance(&rng, 4) ? other : size);
            end[k] = wkRngChance(&rng, 2) ? -start[k] : (double)(wkRngBelow(&rng, 3) - 1) * size;
        }
        wkElementCastResult r = castCase(&c);
        if (!(r.time >= 0.0 && r.time <= 1.0) || r.status == wk_statusInvalid) {
            failCase(&c, &r, "no answer");
        }
        // a point that two elements share at the end
        c.end[0] = c.end[2];
        r = castCase(&c);
        if (!r.isTouching) {
            failCase(&c, &r, "touches at 1");
        }
    }
}

static void bad_input_touches_at_0(void** state)
{
    (void)state;
    elementCase good = {wk_elementVertexFace,
                        {{0.2, 0.2, 5.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}},
                        {{0.2, 0.2, 4.0}, {0.0, 0.0, 0.0}, {1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}}};
    assert_false(castCase(&good).isTouching);
    static const double values[] = {NAN, INFINITY, -INFINITY};
    for (int i = 0; i < 72; ++i) {
        elementCase bad = good;
        double* numbers = i % 2 ? &bad.start[0].x : &bad.end[0].x;
        numbers[i / 6] = values[i / 2 % 3];
        wkElementCastResult r = castCase(&bad);
        assert_true(r.isTouching && r.status == wk_statusInvalid && r.time == 0.0);
    }
    wkElementCastRequest requests[4];
    for (int i = 0; i < 4; ++i) {
        requests[i] = wkDefaultElementCastRequest();
    }
    requests[0].cookie = 0;
    requests[1].tolerance = NAN;
    requests[2].tolerance = -1.0;
    requests[3].maxIterations = 0;
    for (int i = 0; i < 4; ++i) {
        wkElementCastResult r = wkCastElements(good.kind, good.start, good.end, &requests[i]);
        assert_true(r.isTouching && r.status == wk_statusInvalid && r.time == 0.0);
    }
    wkElementCastResult r = wkCastElements((wkElementKind)7, good.start, good.end, NULL);
    assert_true(r.isTouching && r.status == wk_statusInvalid);
    wkElementKind kind = wk_elementEdgeEdge;
    assert_int_equal(wkElementKindFromName("face", &kind), wk_errorArgument);
    assert_int_equal(wkElementKindFromName(NULL, &kind), wk_errorArgument);
    assert_int_equal(kind, wk_elementEdgeEdge);
    assert_int_equal(wkElementKindFromName("vertex-face", &kind), wk_ok);
    assert_int_equal(kind, wk_elementVertexFace);
    assert_string_equal(wkElementKindName((wkElementKind)9), "none");
}

// Too few iterations give an earlier time, never "free".
static void few_iterations_are_safe(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkElementCastRequest request = wkDefaultElementCastRequest();
    request.maxIterations = 1;
    for (int i = 0; i < wkKitCases(10000); i++) {
        elementCase c = randomCase(&rng, (wkElementKind)(i & 1), 2.0);
        wkElementCastResult all = castCase(&c);
        wkElementCastResult few = wkCastElements(c.kind, c.start, c.end, &request);
        if (all.isTouching && all.touchingBy <= 1.0 &&
            (!few.isTouching || few.time > all.touchingBy)) {
            failCase(&c, &few, "later than with more iterations");
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exact_contacts_are_never_missed),
        cmocka_unit_test(sampled_crossings_are_found),
        cmocka_unit_test(distances_at_the_time_are_within_the_tolerance),
        cmocka_unit_test(numbering_makes_no_difference),
        cmocka_unit_test(time_can_run_backwards),
        cmocka_unit_test(translations_make_no_difference),
        cmocka_unit_test(a_vertex_drops_on_a_face),
        cmocka_unit_test(motions_in_the_plane_are_found),
        cmocka_unit_test(elements_without_size_are_valid),
        cmocka_unit_test(extreme_coordinates_are_answered),
        cmocka_unit_test(few_iterations_are_safe),
        cmocka_unit_test_setup_teardown(bad_input_touches_at_0, ignoreAsserts, restoreAsserts),
    };
    int failed = cmocka_run_group_tests_name("element_cast", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
