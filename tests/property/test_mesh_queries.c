// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries about meshes against brute force: every triangle, or pair of triangles, is asked on its
// own from the queries about convex shapes, which are proven elsewhere. Answers must not depend on
// volumes, splits, instruction sets and the order of arguments.

#include "kit.h"
#include "scenes/mesh_zoo.h"

#include "whisker/detail/counts.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PARTS 128
#define MAX_PAIRS (MAX_PARTS * MAX_PARTS)

static wkZoo zoo;

// Signed distances of all parts of A to all parts of B.
typedef struct brute {
    double distances[MAX_PAIRS];
    int32_t countA;
    int32_t countB;
    double least; // infinite without any
    double above; // what the true distance is not above
} brute;

static brute expected;

// How far two certified answers about the same may be apart.
static double toleranceOf(const wkZooPair* pair)
{
    bool isCurved = pair->b.row == NULL &&
                    (pair->b.shape.type == wk_shapeCylinder || pair->b.shape.type == wk_shapeCone ||
                     pair->b.shape.type == wk_shapeEllipsoid);
    return (isCurved ? 1e-6 : 1e-12) * pair->scale + DBL_MIN;
}

static void printBody(const wkZooBody* body)
{
    const wkPose* p = &body->pose;
    print_message("  %s, rounding %.17g, padding %.17g at (%.17g %.17g %.17g) (%.17g %.17g %.17g "
                  "%.17g)\n",
                  body->row != NULL ? body->row->name : wkShapeTypeName(body->shape.type),
                  body->shape.rounding, body->shape.padding, p->position.x, p->position.y,
                  p->position.z, p->rotation.x, p->rotation.y, p->rotation.z, p->rotation.w);
}

static void failAbout(const wkZooPair* pair, const char* what, double got, double wanted)
{
    printBody(&pair->a);
    printBody(&pair->b);
    fail_msg("%s: %.17g, expected %.17g (off by %g, scale %g)", what, got, wanted, got - wanted,
             pair->scale);
}

static void askParts(const wkZooPair* pair)
{
    expected.countA = wkZooPartCount(&pair->a);
    expected.countB = wkZooPartCount(&pair->b);
    expected.least = expected.above = INFINITY;
    double radii = pair->a.shape.rounding + pair->a.shape.padding + pair->b.shape.rounding +
                   pair->b.shape.padding;
    assert_true(expected.countA <= MAX_PARTS && expected.countB <= MAX_PARTS);
    for (int32_t i = 0; i < expected.countA; i++) {
        wkShape a = wkZooPart(&pair->a, i);
        for (int32_t j = 0; j < expected.countB; j++) {
            wkShape b = wkZooPart(&pair->b, j);
            wkDistanceResult r = wkDistance(&a, pair->a.pose, &b, pair->b.pose, NULL);
            expected.distances[i * expected.countB + j] = r.distance;
            expected.least = fmin(expected.least, r.distance);
            // points prove that cores are no further apart; overlaps are only bounded from below
            double gap = wkSceneLength(wkSceneSub(r.pointB, r.pointA));
            bool isApart = r.distance > 0.0 && r.distance + radii > 0.0;
            expected.above = fmin(expected.above, isApart ? gap : INFINITY);
        }
    }
}

typedef void checkFcn(const wkZooPair* pair);

// Every mesh against every kind of convex shape.
static void forAllShapes(checkFcn* check, int count)
{
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int row = 0; row < WK_ZOO_COUNT; row++) {
        for (int type = 1; type <= WK_SCENE_TYPE_COUNT; type++) {
            for (int n = 0; n < wkKitCases(count); n++) {
                wkZooPair pair = wkZooRandomPair(&zoo, wkKitBank(), &rng, row, (wkShapeType)type);
                check(&pair);
            }
        }
    }
}

static void forAllMeshes(checkFcn* check, int count)
{
    wkRng rng = wkMakeRng(wkKitSeed() + 1);
    for (int row = 0; row < WK_ZOO_COUNT; row++) {
        for (int n = 0; n < wkKitCases(count); n++) {
            wkZooPair pair = wkZooRandomPair(&zoo, wkKitBank(), &rng, row, wk_shapeMesh);
            check(&pair);
        }
    }
}

static wkDistanceResult ask(const wkZooPair* pair, int variantA, int variantB,
                            const wkDistanceRequest* request)
{
    wkShape a = wkZooShape(&pair->a, variantA), b = wkZooShape(&pair->b, variantB);
    return wkDistance(&a, pair->a.pose, &b, pair->b.pose, request);
}

static wkDistanceResult askSwapped(const wkZooPair* pair, int variantA, int variantB)
{
    wkShape a = wkZooShape(&pair->a, variantA), b = wkZooShape(&pair->b, variantB);
    return wkDistance(&b, pair->b.pose, &a, pair->a.pose, NULL);
}

// Far from the origin points of the world are rounded.
static double pointTolerance(const wkZooPair* pair)
{
    return toleranceOf(pair) + 1e-15 * pair->world;
}

// The point is on the surface of one part of the body.
static void checkPoint(const wkZooPair* pair, const wkZooBody* body, wkVec3d point, int64_t index)
{
    if (body->row == NULL) {
        assert_int_equal(index, -1);
        return;
    }
    assert_in_range(index, 0, wkZooPartCount(body) - 1);
    wkShape part = wkZooPart(body, index), dot = wkMakeSphere(0.0);
    wkPose pose = {point, {0.0, 0.0, 0.0, 1.0}};
    double off = wkDistance(&part, body->pose, &dot, pose, NULL).distance;
    // a negative radius leaves nothing: its points are up to as far from the triangle itself
    double radius = fmin(body->shape.rounding + body->shape.padding, 0.0);
    double tolerance = 4.0 * pointTolerance(pair);
    if (!(off >= -radius - tolerance && off <= tolerance - 2.0 * radius)) {
        failAbout(pair, "point off the surface of its triangle", off, 0.0);
    }
}

static void checkWitnesses(const wkZooPair* pair, const wkDistanceResult* r)
{
    double tolerance = 4.0 * pointTolerance(pair);
    wkVec3d between = wkSceneSub(r->pointB, r->pointA);
    wkVec3d off = wkSceneSub(between, wkSceneScale(r->normal, r->distance));
    if (!(fabs(wkSceneLength(r->normal) - 1.0) <= 1e-9)) {
        failAbout(pair, "length of the normal", wkSceneLength(r->normal), 1.0);
    }
    if (!(wkSceneLength(off) <= tolerance)) {
        failAbout(pair, "points off the normal", wkSceneLength(off), 0.0);
    }
    checkPoint(pair, &pair->a, r->pointA, r->partA);
    checkPoint(pair, &pair->b, r->pointB, r->partB);
}

static void checkDistance(const wkZooPair* pair)
{
    askParts(pair);
    wkDistanceResult r = ask(pair, 0, 0, NULL);
    if (expected.least == INFINITY) {
        if (!(r.distance == DBL_MAX && r.status == wk_statusBound && r.partA == -1 &&
              r.partB == -1 && fabs(wkSceneLength(r.pointA)) <= DBL_MAX)) {
            failAbout(pair, "distance of an empty mesh", r.distance, DBL_MAX);
        }
        return;
    }
    double tolerance = toleranceOf(pair);
    if (!(fabs(r.distance - expected.least) <= tolerance)) {
        failAbout(pair, "distance", r.distance, expected.least);
    }
    if (!(r.distance <= expected.above + 1e-15 * pair->world)) {
        failAbout(pair, "distance above the truth", r.distance, expected.above);
    }
    checkWitnesses(pair, &r);
}

static void distances_are_those_of_the_closest_triangles(void** state)
{
    (void)state;
    forAllShapes(checkDistance, 8);
    forAllMeshes(checkDistance, 3);
}

static bool isEmpty(const wkZooPair* pair)
{
    return wkZooPartCount(&pair->a) == 0 || wkZooPartCount(&pair->b) == 0;
}

static bool isSame(double a, double b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

// Variants of both bodies: alike, and mixed.
static void checkVariants(const wkZooPair* pair)
{
    double first = ask(pair, 0, 0, NULL).distance;
    for (int i = 0; i < WK_ZOO_VARIANTS; i++) {
        int mixed = (7 * i + 5) % WK_ZOO_VARIANTS;
        wkDistanceResult alike = ask(pair, i, i, NULL);
        wkDistanceResult swapped = askSwapped(pair, i, mixed);
        if (!isSame(alike.distance, first) || !isSame(swapped.distance, first)) {
            print_message("%s, split %d, mixed with %s\n",
                          wkVolumeKindName((wkVolumeKind)(i / WK_SPLIT_METHOD_COUNT)),
                          i % WK_SPLIT_METHOD_COUNT,
                          wkVolumeKindName((wkVolumeKind)(mixed / WK_SPLIT_METHOD_COUNT)));
            failAbout(pair, "distance with other volumes",
                      isSame(alike.distance, first) ? swapped.distance : alike.distance, first);
        }
    }
}

static void distances_depend_on_no_volume_split_or_order(void** state)
{
    (void)state;
    forAllShapes(checkVariants, 3);
    forAllMeshes(checkVariants, 5);
}

static bool touches(const wkZooPair* pair, int variant, double margin, bool isSwapped)
{
    wkShape a = wkZooShape(&pair->a, variant), b = wkZooShape(&pair->b, variant);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    wkCollideResult r = isSwapped ? wkCollide(&b, pair->b.pose, &a, pair->a.pose, &request)
                                  : wkCollide(&a, pair->a.pose, &b, pair->b.pose, &request);
    return r.isTouching;
}

static void checkVerdicts(const wkZooPair* pair)
{
    double distance = ask(pair, 0, 0, NULL).distance, size = pair->scale;
    double margins[] = {
        0.0,         distance,     nextafter(distance, -INFINITY), nextafter(distance, INFINITY),
        0.01 * size, -0.01 * size, distance + 1e-3 * size,         distance - 1e-3 * size,
        INFINITY,    -INFINITY};
    for (int i = 0; i < (int)(sizeof margins / sizeof *margins); i++) {
        int variant = (i * 11 + 3) % WK_ZOO_VARIANTS;
        bool isTouching = distance <= margins[i];
        if (touches(pair, 0, margins[i], false) != isTouching ||
            touches(pair, variant, margins[i], i % 2 == 0) != isTouching) {
            failAbout(pair, "verdict that the distance does not give", margins[i], distance);
        }
    }
}

static void verdicts_say_what_distances_say(void** state)
{
    (void)state;
    forAllShapes(checkVerdicts, 6);
    forAllMeshes(checkVerdicts, 6);
}

typedef struct contactSet {
    wkContact contacts[MAX_PAIRS + 1];
    int32_t count;
    bool isTouching;
} contactSet;

static void findContacts(const wkZooPair* pair, int variant, double margin, int32_t capacity,
                         contactSet* set)
{
    wkShape a = wkZooShape(&pair->a, variant), b = wkZooShape(&pair->b, variant);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    request.contacts = set->contacts;
    request.contactCapacity = capacity;
    wkCollideResult r = wkCollide(&a, pair->a.pose, &b, pair->b.pose, &request);
    set->count = r.contactCount;
    set->isTouching = r.isTouching;
}

static double* distanceOf(const wkContact* c)
{
    int64_t a = c->partA < 0 ? 0 : c->partA, b = c->partB < 0 ? 0 : c->partB;
    return &expected.distances[a * expected.countB + b];
}

// All parts that touch are there, once each and with their depths; the deepest first.
static void checkSet(const wkZooPair* pair, double margin, const contactSet* set)
{
    static bool isListed[MAX_PAIRS];
    double tolerance = toleranceOf(pair);
    memset(isListed, 0, sizeof isListed);
    for (int32_t i = 0; i < set->count; i++) {
        const wkContact* c = &set->contacts[i];
        double* distance = distanceOf(c);
        if (isListed[distance - expected.distances]) {
            failAbout(pair, "contact given twice", (double)c->partA, (double)c->partB);
        }
        isListed[distance - expected.distances] = true;
        if (!(fabs(-c->depth - *distance) <= tolerance) || !(-c->depth <= margin)) {
            print_message("parts %" PRId64 " and %" PRId64 "\n", c->partA, c->partB);
            failAbout(pair, "depth of a contact", -c->depth, *distance);
        }
        if (i > 0 && !(c->depth <= set->contacts[i - 1].depth)) {
            failAbout(pair, "contact deeper than the one before", c->depth, c[-1].depth);
        }
    }
    for (int32_t k = 0; k < expected.countA * expected.countB; k++) {
        if (!isListed[k] && expected.distances[k] < margin - tolerance) {
            failAbout(pair, "missing contact", INFINITY, expected.distances[k]);
        }
    }
    if (set->isTouching != (set->count > 0)) {
        failAbout(pair, "contacts without touching", set->count, set->isTouching);
    }
}

// With less room the deepest stay, and the first ones found are some of all.
static void checkCapacity(const wkZooPair* pair, double margin, const contactSet* all)
{
    static contactSet few;
    int32_t capacities[] = {1, all->count / 2, all->count - 1};
    for (int i = 0; i < 3; i++) {
        if (capacities[i] <= 0 || capacities[i] > all->count) {
            continue;
        }
        findContacts(pair, (13 * i + 1) % WK_ZOO_VARIANTS, margin, capacities[i], &few);
        if (few.count != capacities[i] ||
            memcmp(few.contacts, all->contacts, sizeof(wkContact) * (size_t)few.count) != 0) {
            failAbout(pair, "contacts with little room", few.count, capacities[i]);
        }
    }
}

static void checkFirstFound(const wkZooPair* pair, double margin, const contactSet* all)
{
    static wkContact found[MAX_PAIRS];
    wkShape a = wkZooShape(&pair->a, 0), b = wkZooShape(&pair->b, 0);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = margin;
    request.contacts = found;
    request.contactCapacity = 1 + all->count / 3;
    request.stopsWhenFull = true;
    wkCollideResult r = wkCollide(&a, pair->a.pose, &b, pair->b.pose, &request);
    int32_t least = all->count < request.contactCapacity ? all->count : request.contactCapacity;
    if (r.contactCount != least || r.isTouching != all->isTouching) {
        failAbout(pair, "contacts that were found first", r.contactCount, least);
    }
    for (int32_t i = 0; i < r.contactCount; i++) {
        if (!(-found[i].depth <= margin)) {
            failAbout(pair, "contact that does not touch", -found[i].depth, margin);
        }
    }
}

static void checkContacts(const wkZooPair* pair)
{
    static contactSet all, other;
    askParts(pair);
    double distance = ask(pair, 0, 0, NULL).distance;
    double margins[] = {0.0, 0.02 * pair->scale, -0.01 * pair->scale};
    for (int i = 0; i < 3; i++) {
        int32_t capacity = expected.countA * expected.countB + 1;
        findContacts(pair, 0, margins[i], capacity, &all);
        checkSet(pair, margins[i], &all);
        if (all.count > 0 && !isSame(all.contacts[0].depth, -distance) && distance != 0.0) {
            failAbout(pair, "depth of the first contact", all.contacts[0].depth, -distance);
        }
        findContacts(pair, (int)(pair->a.pose.rotation.x * 1e6) & 31, margins[i], capacity, &other);
        if (other.count != all.count ||
            memcmp(all.contacts, other.contacts, sizeof(wkContact) * (size_t)all.count) != 0) {
            failAbout(pair, "contacts with other volumes", other.count, all.count);
        }
        checkCapacity(pair, margins[i], &all);
        checkFirstFound(pair, margins[i], &all);
    }
}

static void contacts_are_those_of_all_triangles(void** state)
{
    (void)state;
    forAllShapes(checkContacts, 4);
    forAllMeshes(checkContacts, 3);
}

static void checkCutoff(const wkZooPair* pair, const wkDistanceResult* full)
{
    double cutoffs[] = {full->distance, nextafter(full->distance, -INFINITY),
                        full->distance + 0.1 * pair->scale, full->distance - 0.01 * pair->scale,
                        0.0};
    for (int i = 0; i < 5; i++) {
        wkDistanceRequest request = wkDefaultDistanceRequest();
        request.cutoff = cutoffs[i];
        wkDistanceResult r = ask(pair, (5 * i + 2) % WK_ZOO_VARIANTS, i, &request);
        bool isBeyond = full->distance > cutoffs[i];
        bool isRight = isBeyond ? r.distance > cutoffs[i] && r.distance <= full->distance &&
                                      r.status == wk_statusBound
                                : isSame(r.distance, full->distance) && r.status == full->status;
        if (!isRight) {
            print_message("cutoff %.17g, status %s\n", cutoffs[i], wkStatusName(r.status));
            failAbout(pair, "distance with a cutoff", r.distance, full->distance);
        }
    }
}

static void checkTolerance(const wkZooPair* pair, const wkDistanceResult* full)
{
    double tolerances[] = {1e-3 * pair->scale, 0.1 * pair->scale, fabs(full->distance),
                           2.0 * fabs(full->distance)};
    for (int i = 0; i < 4; i++) {
        wkDistanceRequest request = wkDefaultDistanceRequest();
        request.tolerance = tolerances[i];
        double got = ask(pair, (9 * i + 4) % WK_ZOO_VARIANTS, i, &request).distance;
        double least = full->distance - tolerances[i] * (1.0 + 1e-12) - toleranceOf(pair);
        if (!(got <= full->distance) || !(got >= least)) {
            print_message("tolerance %.17g\n", tolerances[i]);
            failAbout(pair, "distance with a tolerance", got, full->distance);
        }
    }
}

static void checkUnsigned(const wkZooPair* pair, const wkDistanceResult* full)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    wkDistanceResult r = ask(pair, 0, 0, &request);
    wkDistanceResult other = ask(pair, 21, 14, &request);
    double wanted = fmax(full->distance, 0.0);
    if (!isSame(r.distance, wanted) || !isSame(other.distance, wanted)) {
        failAbout(pair, "unsigned distance", r.distance, wanted);
    }
    if (wanted > 0.0) {
        checkWitnesses(pair, &r);
        return;
    }
    // a negative radius leaves nothing that could be common
    double radiusA = pair->a.shape.rounding + pair->a.shape.padding;
    double radiusB = pair->b.shape.rounding + pair->b.shape.padding;
    if (radiusA < 0.0 || radiusB < 0.0) {
        return;
    }
    double tolerance = 4.0 * pointTolerance(pair);
    wkShape dot = wkMakeSphere(0.0), a = wkZooPart(&pair->a, r.partA);
    wkShape b = wkZooPart(&pair->b, r.partB < 0 ? 0 : r.partB);
    wkPose poseAtA = {r.pointA, {0.0, 0.0, 0.0, 1.0}}, poseAtB = {r.pointB, {0.0, 0.0, 0.0, 1.0}};
    double offA = wkDistance(&a, pair->a.pose, &dot, poseAtA, NULL).distance;
    double offB = wkDistance(&b, pair->b.pose, &dot, poseAtB, NULL).distance;
    double apart = wkSceneLength(wkSceneSub(r.pointA, r.pointB));
    if (!(offA <= tolerance) || !(offB <= tolerance) || !(apart <= tolerance)) {
        print_message("off by %g and %g\n", offA, offB);
        failAbout(pair, "common point", apart, 0.0);
    }
}

static void checkRequests(const wkZooPair* pair)
{
    if (isEmpty(pair)) {
        return;
    }
    wkDistanceResult full = ask(pair, 0, 0, NULL);
    checkCutoff(pair, &full);
    checkTolerance(pair, &full);
    checkUnsigned(pair, &full);
}

static void requests_are_kept(void** state)
{
    (void)state;
    forAllShapes(checkRequests, 8);
    forAllMeshes(checkRequests, 5);
}

static void checkStatus(const wkZooPair* pair)
{
    wkDistanceResult r = ask(pair, 0, 0, NULL);
    bool isHalfspace = pair->b.row == NULL && pair->b.shape.type == wk_shapeHalfspace;
    wkStatus status = r.distance < 0.0 && !isHalfspace ? wk_statusLocal : wk_statusExact;
    bool mayBeBound = toleranceOf(pair) > 1e-9 * pair->scale || isEmpty(pair);
    if (r.status != status && !(mayBeBound && r.status == wk_statusBound)) {
        failAbout(pair, wkStatusName(r.status), r.distance, r.distance);
    }
}

static void overlapping_surfaces_are_local(void** state)
{
    (void)state;
    forAllShapes(checkStatus, 4);
    forAllMeshes(checkStatus, 3);
}

// Boxes on a grid that share a face, an edge or a vertex touch, whatever the scale.
static void stacks_that_touch_exactly_touch(void** state)
{
    (void)state;
    static const wkVec3d steps[] = {{1.0, 0.0, 0.0}, {1.0, 1.5, 0.0}, {1.0, 1.5, 0.5},
                                    {0.0, 0.0, 0.5}, {0.5, 1.5, 0.0}, {0.25, 0.5, 0.5}};
    for (int row = 4; row < WK_ZOO_COUNT; row += WK_ZOO_COUNT - 5) { // the box and the large box
        double scale = zoo.rows[row].reach / 0.75;
        for (int i = 0; i < 6; i++) {
            wkZooPair pair = {.a = {.row = &zoo.rows[row], .pose = wkIdentityPose()},
                              .b = {.row = &zoo.rows[row], .pose = wkIdentityPose()}};
            pair.b.pose.position = wkSceneScale(steps[i], scale);
            pair.scale = pair.world = 4.0 * scale;
            for (int variant = 0; variant < WK_ZOO_VARIANTS; variant++) {
                wkDistanceResult r = ask(&pair, variant, variant, NULL);
                if (!touches(&pair, variant, 0.0, false) || !(r.distance <= 0.0) ||
                    !(r.distance >= -1e-12 * pair.scale)) {
                    failAbout(&pair, "distance of boxes that touch", r.distance, 0.0);
                }
            }
        }
    }
}

static uint64_t hash = 0xcbf29ce484222325u;

static void addToHash(const void* bytes, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        hash = (hash ^ ((const unsigned char*)bytes)[i]) * 0x100000001b3u;
    }
}

static void hashAnswers(const wkZooPair* pair)
{
    static contactSet all;
    for (int variant = 0; variant < WK_ZOO_VARIANTS; variant += 5) {
        double distance = ask(pair, variant, variant, NULL).distance;
        addToHash(&distance, sizeof distance);
    }
    findContacts(pair, 0, 0.01 * pair->scale, MAX_PAIRS, &all);
    for (int32_t i = 0; i < all.count; i++) {
        addToHash(&all.contacts[i], sizeof all.contacts[i]);
    }
}

// Prints a number that stands for many answers, to be compared between instruction sets.
static int printHash(void)
{
    wkRng rng = wkMakeRng(wkKitSeed() + 3);
    for (int row = 0; row < WK_ZOO_COUNT; row++) {
        for (int type = 1; type <= wk_shapeMesh; type++) {
            for (int n = 0; n < wkKitCases(type == wk_shapeMesh ? 20 : 5); n++) {
                wkZooPair pair = wkZooRandomPair(&zoo, wkKitBank(), &rng, row, (wkShapeType)type);
                hashAnswers(&pair);
            }
        }
    }
    printf("%016llx\n", (unsigned long long)hash);
    return 0;
}

int main(int argc, char** argv)
{
    if (!wkZoo_Create(&zoo, wkKitSeed())) {
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distances_are_those_of_the_closest_triangles),
        cmocka_unit_test(distances_depend_on_no_volume_split_or_order),
        cmocka_unit_test(verdicts_say_what_distances_say),
        cmocka_unit_test(contacts_are_those_of_all_triangles),
        cmocka_unit_test(requests_are_kept),
        cmocka_unit_test(overlapping_surfaces_are_local),
        cmocka_unit_test(stacks_that_touch_exactly_touch),
    };
    bool isHash = argc > 1 && strcmp(argv[1], "--hash") == 0;
    int failures =
        isHash ? printHash() : cmocka_run_group_tests_name("mesh_queries", tests, NULL, NULL);
    wkZoo_Destroy(&zoo);
    wkKitEnd();
    return failures;
}
