// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries about occupancy maps against brute force: every cell is asked on its own, as a box, from
// the queries about convex shapes and meshes, which are proven elsewhere.

#include "kit.h"
#include "scenes/fields.h"
#include "scenes/maps.h"
#include "scenes/mesh_zoo.h"

#include <float.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PARTS 20000

static wkZoo zoo;
static wkFieldScene fields[WK_FIELD_KIND_COUNT];
static wkMapPart parts[MAX_PARTS];
static double distances[MAX_PARTS];

// A map and another body near it.
typedef struct mapCase {
    wkOctree* octree;
    wkShape map;
    wkPose mapPose;
    wkShape other;
    wkPose otherPose;
    const char* kind;
    double scale; // of the numbers in the frame of the map
    double world;
} mapCase;

// What the parts of the map say.
typedef struct expectation {
    int32_t count;
    double least; // infinite without any
    double leastOccupied;
    double leastUnknown;
} expectation;

static void printCase(const mapCase* c)
{
    const wkPose *p = &c->mapPose, *o = &c->otherPose;
    print_message("  map \"%s\", resolution %.17g, rounding %.17g, padding %.17g, threshold %.17g, "
                  "unknown %d at (%.17g %.17g %.17g) (%.17g %.17g %.17g %.17g)\n",
                  c->kind, wkOctree_Def(c->octree).resolution, c->map.rounding, c->map.padding,
                  c->map.map.occupiedProbability, (int)c->map.map.unknown, p->position.x,
                  p->position.y, p->position.z, p->rotation.x, p->rotation.y, p->rotation.z,
                  p->rotation.w);
    print_message("  %s, rounding %.17g, padding %.17g at (%.17g %.17g %.17g) (%.17g %.17g %.17g "
                  "%.17g)\n",
                  wkShapeTypeName(c->other.type), c->other.rounding, c->other.padding,
                  o->position.x, o->position.y, o->position.z, o->rotation.x, o->rotation.y,
                  o->rotation.z, o->rotation.w);
}

static void failAbout(const mapCase* c, const char* what, double got, double wanted)
{
    printCase(c);
    fail_msg("%s: %.17g, expected %.17g (off by %g, scale %g)", what, got, wanted, got - wanted,
             c->scale);
}

static double toleranceOf(const mapCase* c)
{
    wkShapeType type = c->other.type;
    bool isCurved = type == wk_shapeCylinder || type == wk_shapeCone || type == wk_shapeEllipsoid;
    double share = isCurved ? 1e-6 : 1e-11;
    return share * c->scale + 1e-14 * c->world;
}

// How deep a box is in a solid that is not convex depends on which of its vertices are lowest, and so
// on the last digits where several are: there it counts that they overlap.
static double comparable(const mapCase* c, double distance)
{
    bool isTree = c->other.type == wk_shapeMesh || c->other.type == wk_shapeHeightField;
    return isTree ? fmax(distance, 0.0) : distance;
}

static bool areSame(const mapCase* c, double a, double b)
{
    return fabs(comparable(c, a) - comparable(c, b)) <= toleranceOf(c);
}

static void askParts(const mapCase* c, expectation* e)
{
    e->count = wkMapParts(&c->map, c->mapPose, parts, MAX_PARTS);
    assert_true(e->count <= MAX_PARTS);
    e->least = e->leastOccupied = e->leastUnknown = INFINITY;
    for (int32_t i = 0; i < e->count; i++) {
        distances[i] =
            wkDistance(&c->other, c->otherPose, &parts[i].shape, parts[i].pose, NULL).distance;
        double* kind = parts[i].isUnknown ? &e->leastUnknown : &e->leastOccupied;
        *kind = fmin(*kind, distances[i]);
    }
    e->least = fmin(e->leastOccupied, e->leastUnknown);
}

static wkPose randomPose(wkRng* rng, double reach)
{
    wkPose pose = wkMakePose(wkRngRange(rng, -reach, reach), wkRngRange(rng, -reach, reach),
                             wkRngRange(rng, -reach, reach));
    pose.rotation = wkRngChance(rng, 3)
                        ? pose.rotation
                        : (wkRngChance(rng, 4) ? wkRngRightAngles(rng) : wkRngRotation(rng));
    return pose;
}

static wkShape randomOther(wkRng* rng, int type, double resolution)
{
    double size = resolution * wkRngLogRange(rng, 0.3, 12.0);
    if (type == wk_shapeMesh) {
        const wkZooRow* row = &zoo.rows[wkRngBelow(rng, WK_ZOO_COUNT)];
        while (row->reach > 10.0 || row->reach < 0.01) {
            row = &zoo.rows[wkRngBelow(rng, WK_ZOO_COUNT)];
        }
        return wkMakeMesh(row->variants[0]);
    }
    if (type == wk_shapeHeightField) {
        return wkMakeHeightField(fields[wkRngBelow(rng, WK_FIELD_KIND_COUNT)].field);
    }
    return wkRandomShape(rng, wkKitBank(), (wkShapeType)type, size);
}

static mapCase makeCase(wkRng* rng, int kind, int type)
{
    static const wkUnknownRule rules[] = {wk_unknownFree, wk_unknownFree, wk_unknownOccupied,
                                          wk_unknownReported};
    static const double thresholds[] = {0.0, 0.0, 0.3, 0.5, 0.7, 0.95};
    mapCase c;
    memset(&c, 0, sizeof c);
    // meshes and fields are about a metre across
    bool isTree = type == wk_shapeMesh || type == wk_shapeHeightField;
    double resolution = isTree ? wkRngLogRange(rng, 0.05, 0.5) : wkRngLogRange(rng, 0.01, 1.0);
    c.kind = wkMapKindName(kind);
    c.octree = wkMakeMap(kind, resolution, wkRngNext(rng));
    assert_non_null(c.octree);
    c.map = wkMakeOctree(c.octree);
    c.map.map.unknown = rules[wkRngBelow(rng, 4)];
    c.map.map.occupiedProbability = thresholds[wkRngBelow(rng, 6)];
    c.map.rounding = wkRngChance(rng, 4) ? wkRngRange(rng, 0.0, resolution) : 0.0;
    c.map.padding = wkRngChance(rng, 4) ? wkRngRange(rng, -0.4, 0.6) * resolution : 0.0;
    c.other = randomOther(rng, type, resolution);
    c.mapPose = randomPose(rng, wkRngChance(rng, 4) ? 1e4 : 1.0);
    double away = resolution * (wkRngChance(rng, 3) ? 40.0 : 14.0);
    wkPose relative = randomPose(rng, away);
    c.otherPose = wkMulPose(c.mapPose, relative);
    bool isVast = c.map.map.unknown != wk_unknownFree || wkMapIsVast(kind);
    c.scale = 40.0 * resolution + wkSceneLength(relative.position) +
              (isTree ? 4.0 : 12.0 * resolution) + (isVast ? 65536.0 * resolution : 0.0);
    c.world = wkSceneLength(c.mapPose.position) + c.scale;
    return c;
}

typedef void checkFcn(const mapCase* c, wkRng* rng);

// Every kind of map against every type but maps.
static void forAll(checkFcn* check, int count, uint64_t salt)
{
    wkRng rng = wkMakeRng(wkKitSeed() + salt);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; kind++) {
        for (int type = 1; type < wk_shapeOctree; type++) {
            for (int n = 0; n < wkKitCases(count); n++) {
                mapCase c = makeCase(&rng, kind, type);
                check(&c, &rng);
                wkOctree_Destroy(c.octree);
            }
        }
    }
}

static void checkPart(const mapCase* c, const expectation* e, int64_t id, double distance)
{
    for (int32_t i = 0; i < e->count; i++) {
        if (parts[i].id == id && areSame(c, distances[i], distance)) {
            return;
        }
    }
    failAbout(c, "no such cell at that distance", distance, e->least);
}

static void checkDistance(const mapCase* c, wkRng* rng)
{
    (void)rng;
    expectation e;
    askParts(c, &e);
    wkDistanceResult r = wkDistance(&c->other, c->otherPose, &c->map, c->mapPose, NULL);
    if (e.least == INFINITY) {
        assert_true(r.distance == DBL_MAX && r.status == wk_statusBound && r.partB == -1);
        return;
    }
    if (e.least == WK_UNBOUNDED_DISTANCE) {
        assert_true(r.distance == WK_UNBOUNDED_DISTANCE);
        return;
    }
    if (!areSame(c, r.distance, e.least)) {
        failAbout(c, "distance", r.distance, e.least);
    }
    checkPart(c, &e, r.partB, r.distance);
    // the points are as far apart as the answer says
    wkVec3d apart = wkSceneSub(wkSceneSub(r.pointB, r.pointA), wkSceneScale(r.normal, r.distance));
    if (!(wkSceneLength(apart) <= 4.0 * toleranceOf(c))) {
        failAbout(c, "points", wkSceneLength(apart), 0.0);
    }
    bool isReported = c->map.map.unknown == wk_unknownReported;
    double unknown = comparable(c, e.leastUnknown), known = comparable(c, e.leastOccupied);
    bool isUnknown = unknown < known - toleranceOf(c), isKnown = known < unknown - toleranceOf(c);
    if (isReported && (isUnknown || isKnown)) {
        assert_int_equal(r.status == wk_statusUnknown, isUnknown);
    }
    // the other way round it is the same, bit for bit
    wkDistanceResult s = wkDistance(&c->map, c->mapPose, &c->other, c->otherPose, NULL);
    assert_true(s.distance == r.distance && s.partA == r.partB && s.partB == r.partA);
    assert_memory_equal(&s.pointA, &r.pointB, sizeof s.pointA);
    assert_memory_equal(&s.pointB, &r.pointA, sizeof s.pointB);
}

static void distance_is_that_of_the_nearest_cell(void** state)
{
    (void)state;
    forAll(checkDistance, 10, 1);
}

static void checkVerdict(const mapCase* c, wkRng* rng)
{
    wkDistanceResult r = wkDistance(&c->other, c->otherPose, &c->map, c->mapPose, NULL);
    double resolution = wkOctree_Def(c->octree).resolution;
    const double margins[] = {
        0.0,
        r.distance,
        nextafter(r.distance, -INFINITY),
        nextafter(r.distance, INFINITY),
        r.distance - 1e-13 * c->scale,
        r.distance + 1e-13 * c->scale,
        wkRngRange(rng, -2.0, 10.0) * resolution,
    };
    for (int i = 0; i < 7; i++) {
        wkCollideRequest request = wkDefaultCollideRequest();
        request.margin = margins[i];
        if (!(fabs(margins[i]) < 1e29)) {
            continue;
        }
        wkCollideResult v = wkCollide(&c->other, c->otherPose, &c->map, c->mapPose, &request);
        if (v.isTouching != (r.distance <= margins[i])) {
            failAbout(c, "verdict at a margin", margins[i], r.distance);
        }
        wkCollideResult w = wkCollide(&c->map, c->mapPose, &c->other, c->otherPose, &request);
        assert_int_equal(w.isTouching, v.isTouching);
        assert_int_equal(w.status, v.status);
    }
}

static void collide_says_what_distance_says(void** state)
{
    (void)state;
    forAll(checkVerdict, 12, 2);
}

static void checkContacts(const mapCase* c, wkRng* rng)
{
    static wkContact contacts[MAX_PARTS];
    expectation e;
    askParts(c, &e);
    double resolution = wkOctree_Def(c->octree).resolution;
    wkCollideRequest request = wkDefaultCollideRequest();
    request.margin = wkRngChance(rng, 2) ? 0.0 : wkRngRange(rng, -0.5, 2.0) * resolution;
    request.margin = comparable(c, request.margin);
    request.contacts = contacts;
    request.contactCapacity = MAX_PARTS;
    wkCollideResult r = wkCollide(&c->other, c->otherPose, &c->map, c->mapPose, &request);
    int32_t least = 0, most = 0;
    double tolerance = toleranceOf(c);
    for (int32_t i = 0; i < e.count; i++) {
        least += distances[i] < request.margin - tolerance;
        most += distances[i] <= request.margin + tolerance;
    }
    if (r.contactCount < least || r.contactCount > most) {
        failAbout(c, "number of contacts", r.contactCount, least);
    }
    assert_int_equal(r.isTouching, r.contactCount > 0);
    for (int32_t i = 0; i < r.contactCount && i < 50; i++) {
        assert_true(i == 0 || contacts[i - 1].depth >= contacts[i].depth);
        checkPart(c, &e, contacts[i].partB, -contacts[i].depth);
    }
    if (c->map.map.unknown == wk_unknownReported && least == most && r.isTouching &&
        fabs(e.leastOccupied - request.margin) > tolerance) {
        assert_int_equal(r.status == wk_statusUnknown, e.leastOccupied > request.margin);
    }
    // a small buffer has the deepest of them
    wkContact few[3];
    request.contacts = few;
    request.contactCapacity = 3;
    wkCollideResult s = wkCollide(&c->other, c->otherPose, &c->map, c->mapPose, &request);
    assert_int_equal(s.contactCount, r.contactCount < 3 ? r.contactCount : 3);
    for (int32_t i = 0; i < s.contactCount; i++) {
        assert_true(few[i].depth == contacts[i].depth && few[i].partB == contacts[i].partB);
    }
}

static void contacts_are_the_cells_within_the_margin(void** state)
{
    (void)state;
    forAll(checkContacts, 5, 3);
}

static void checkRequests(const mapCase* c, wkRng* rng)
{
    wkDistanceResult exact = wkDistance(&c->other, c->otherPose, &c->map, c->mapPose, NULL);
    wkDistanceRequest request = wkDefaultDistanceRequest();
    double resolution = wkOctree_Def(c->octree).resolution;

    request.cutoff = wkRngRange(rng, 0.0, 10.0) * resolution;
    wkDistanceResult cut = wkDistance(&c->other, c->otherPose, &c->map, c->mapPose, &request);
    if (exact.distance <= request.cutoff) {
        assert_true(cut.distance == exact.distance && cut.partB == exact.partB);
    } else {
        assert_true(cut.distance > request.cutoff && cut.distance <= exact.distance);
        assert_true(cut.status == wk_statusBound);
    }

    request = wkDefaultDistanceRequest();
    request.tolerance = wkRngRange(rng, 0.0, 2.0) * resolution;
    wkDistanceResult near = wkDistance(&c->other, c->otherPose, &c->map, c->mapPose, &request);
    assert_true(near.distance <= exact.distance);
    double lowest =
        exact.distance > 0.0 ? fmax(exact.distance - request.tolerance, 0.0) : exact.distance;
    if (!(near.distance >= lowest - toleranceOf(c)) && exact.distance < DBL_MAX) {
        failAbout(c, "distance with tolerance", near.distance, lowest);
    }

    request = wkDefaultDistanceRequest();
    request.isSigned = false;
    wkDistanceResult positive = wkDistance(&c->other, c->otherPose, &c->map, c->mapPose, &request);
    if (!(positive.distance == fmax(exact.distance, 0.0))) {
        failAbout(c, "unsigned distance", positive.distance, fmax(exact.distance, 0.0));
    }
    if (exact.distance <= 0.0) {
        wkVec3d apart = wkSceneSub(positive.pointA, positive.pointB);
        if (!(wkSceneLength(apart) <= 4.0 * toleranceOf(c))) {
            failAbout(c, "common point", wkSceneLength(apart), 0.0);
        }
    }
}

static void requests_are_kept(void** state)
{
    (void)state;
    forAll(checkRequests, 8, 4);
}

static void checkRay(const mapCase* c, wkRng* rng)
{
    wkRay ray = {c->otherPose.position, wkRngDirection(rng), INFINITY};
    if (wkRngChance(rng, 3)) {
        ray.direction = wkRotateVector(c->mapPose, wkSceneVec(0.0, 0.0, wkRngSign(rng)));
    }
    ray.maxDistance = wkRngChance(rng, 3) ? wkRngRange(rng, 0.0, c->scale) : (double)INFINITY;
    int32_t count = wkMapParts(&c->map, c->mapPose, parts, MAX_PARTS);
    double first = INFINITY, known = INFINITY;
    for (int32_t i = 0; i < count; i++) {
        wkRayResult r = wkShape_RayCast(&parts[i].shape, parts[i].pose, ray);
        first = r.isHit ? fmin(first, r.distance) : first;
        known = r.isHit && !parts[i].isUnknown ? fmin(known, r.distance) : known;
    }
    wkRayResult r = wkShape_RayCast(&c->map, c->mapPose, ray);
    double tolerance = 1e-11 * c->scale + 1e-12 * c->world;
    if (r.isHit != (first < INFINITY)) {
        // a grazed edge is a matter of rounding
        wkShape wider = c->map;
        wider.padding += (r.isHit ? 1.0 : -1.0) * 1e-9 * c->scale;
        bool isGrazing = wkShape_RayCast(&wider, c->mapPose, ray).isHit;
        if (isGrazing != (first < INFINITY)) {
            failAbout(c, "ray", r.isHit ? r.distance : (double)INFINITY, first);
        }
        return;
    }
    assert_int_equal(wkShape_RayHits(&c->map, c->mapPose, ray), r.isHit);
    if (r.isHit && !(fabs(r.distance - first) <= tolerance)) {
        failAbout(c, "ray", r.distance, first);
    }
    bool isReported = c->map.map.unknown == wk_unknownReported;
    if (r.isHit && isReported && fabs(known - first) > tolerance) {
        assert_int_equal(r.status, wk_statusUnknown);
    }
    if (r.isHit && c->map.map.unknown == wk_unknownFree) {
        wkCell cell;
        assert_int_equal(wkOctree_FindCell(c->octree, wkCellId_FromBits(r.part), &cell), wk_ok);
    }
}

static void rays_meet_the_first_cell(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 5);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; kind++) {
        for (int n = 0; n < wkKitCases(120); n++) {
            mapCase c = makeCase(&rng, kind, wk_shapeSphere);
            checkRay(&c, &rng);
            wkOctree_Destroy(c.octree);
        }
    }
}

static void points_are_nearest_to_the_nearest_cell(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 6);
    for (int kind = 1; kind < WK_MAP_KIND_COUNT; kind++) {
        for (int n = 0; n < wkKitCases(60); n++) {
            mapCase c = makeCase(&rng, kind, wk_shapeSphere);
            wkVec3d point = c.otherPose.position;
            int32_t count = wkMapParts(&c.map, c.mapPose, parts, MAX_PARTS);
            double least = INFINITY;
            for (int32_t i = 0; i < count; i++) {
                least = fmin(least, wkShape_PointDistance(&parts[i].shape, parts[i].pose, point));
            }
            wkPointResult r = wkShape_ClosestPoint(&c.map, c.mapPose, point, INFINITY);
            double d = wkShape_PointDistance(&c.map, c.mapPose, point);
            if (least == INFINITY) {
                assert_true(r.distance == INFINITY && d == INFINITY);
            } else if (!(fabs(r.distance - least) <= toleranceOf(&c) &&
                         fabs(d - least) <= toleranceOf(&c))) {
                failAbout(&c, "closest point", r.distance, least);
            }
            assert_int_equal(wkShape_ContainsPoint(&c.map, c.mapPose, point), !(d > 0.0));
            wkOctree_Destroy(c.octree);
        }
    }
}

static double along(const wkVec3d* v, int axis)
{
    return ((const double*)v)[axis];
}

static void bounds_are_those_of_occupied_cells(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed() + 7);
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; kind++) {
        for (int n = 0; n < wkKitCases(30); n++) {
            mapCase c = makeCase(&rng, kind, wk_shapeSphere);
            bool isEndless = c.map.map.unknown != wk_unknownFree;
            wkPose identity = wkIdentityPose();
            wkAabb box = wkShape_Bounds(&c.map, identity);
            wkVec3d direction = wkRngDirection(&rng);
            wkVec3d support = wkShape_Support(&c.map, identity, direction);
            int32_t count = wkMapParts(&c.map, identity, parts, MAX_PARTS);
            wkAabb wanted = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
            double furthest = -INFINITY, volume = 0.0;
            for (int32_t i = 0; i < count; i++) {
                wkAabb part = wkShape_Bounds(&parts[i].shape, parts[i].pose);
                for (int k = 0; k < 3; k++) {
                    double* low = (double*)&wanted.lower + k;
                    double* high = (double*)&wanted.upper + k;
                    *low = fmin(*low, along(&part.lower, k));
                    *high = fmax(*high, along(&part.upper, k));
                }
                wkVec3d point = wkShape_Support(&parts[i].shape, parts[i].pose, direction);
                furthest = fmax(furthest, wkSceneDot(point, direction));
                parts[i].shape.rounding = 0.0;
                volume += wkShape_Mass(&parts[i].shape).volume;
            }
            for (int k = 0; k < 3; k++) {
                double low = along(&box.lower, k), high = along(&box.upper, k);
                double off = 1e-11 * c.scale;
                if (isEndless) {
                    assert_true(low == -INFINITY && high == INFINITY);
                } else if (count == 0) {
                    assert_true(low > high);
                } else if (!(fabs(low - along(&wanted.lower, k)) <= off &&
                             fabs(high - along(&wanted.upper, k)) <= off)) {
                    failAbout(&c, "bounds", low, along(&wanted.lower, k));
                }
            }
            wkMass mass = wkShape_Mass(&c.map);
            if (isEndless) {
                assert_true(mass.volume == INFINITY);
            } else {
                assert_true(fabs(mass.volume - volume) <= 1e-12 * volume);
            }
            if (!isEndless && count > 0) {
                double off = 1e-11 * c.scale;
                assert_true(fabs(wkSceneDot(support, direction) - furthest) <= off);
            }
            wkOctree_Destroy(c.octree);
        }
    }
}

// Two maps.
static void maps_are_asked_about_maps(void** state)
{
    (void)state;
    static wkMapPart partsB[MAX_PARTS];
    wkRng rng = wkMakeRng(wkKitSeed() + 8);
    for (int kindA = 0; kindA < WK_MAP_KIND_COUNT; kindA++) {
        for (int kindB = 0; kindB < WK_MAP_KIND_COUNT; kindB++) {
            for (int n = 0; n < wkKitCases(3); n++) {
                mapCase c = makeCase(&rng, kindA, wk_shapeSphere);
                double resolution =
                    wkOctree_Def(c.octree).resolution * wkRngLogRange(&rng, 0.2, 3.0);
                wkOctree* second = wkMakeMap(kindB, resolution, wkRngNext(&rng));
                c.other = wkMakeOctree(second);
                c.other.rounding = wkRngChance(&rng, 3) ? wkRngRange(&rng, 0.0, resolution) : 0.0;
                c.scale += 40.0 * resolution;
                int32_t countA = wkMapParts(&c.map, c.mapPose, parts, MAX_PARTS);
                int32_t countB = wkMapParts(&c.other, c.otherPose, partsB, MAX_PARTS);
                double least = INFINITY;
                wkDistanceRequest request = wkDefaultDistanceRequest();
                for (int32_t i = 0; i < countA; i++) {
                    for (int32_t j = 0; j < countB && (double)countA * countB < 4e5; j++) {
                        request.cutoff = least;
                        least = fmin(least, wkDistance(&parts[i].shape, parts[i].pose,
                                                       &partsB[j].shape, partsB[j].pose, &request)
                                                .distance);
                    }
                }
                wkDistanceResult r = wkDistance(&c.map, c.mapPose, &c.other, c.otherPose, NULL);
                wkDistanceResult s = wkDistance(&c.other, c.otherPose, &c.map, c.mapPose, NULL);
                assert_true(r.distance == s.distance && r.partA == s.partB && r.partB == s.partA);
                if (least < INFINITY && !(fabs(r.distance - least) <= toleranceOf(&c))) {
                    failAbout(&c, "two maps", r.distance, least);
                }
                checkVerdict(&c, &rng);
                wkOctree_Destroy(c.octree);
                wkOctree_Destroy(second);
            }
        }
    }
}

static int setUp(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; kind++) {
        if (!wkFieldScene_Create(kind, 6, 5, 7, &fields[kind])) {
            return -1;
        }
    }
    return wkZoo_Create(&zoo, 3) ? 0 : -1;
}

static int tearDown(void** state)
{
    (void)state;
    for (int kind = 0; kind < WK_FIELD_KIND_COUNT; kind++) {
        wkFieldScene_Destroy(&fields[kind]);
    }
    wkZoo_Destroy(&zoo);
    wkKitEnd();
    return wkGetByteCount() == 0 ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(distance_is_that_of_the_nearest_cell),
        cmocka_unit_test(collide_says_what_distance_says),
        cmocka_unit_test(contacts_are_the_cells_within_the_margin),
        cmocka_unit_test(requests_are_kept),
        cmocka_unit_test(rays_meet_the_first_cell),
        cmocka_unit_test(points_are_nearest_to_the_nearest_cell),
        cmocka_unit_test(bounds_are_those_of_occupied_cells),
        cmocka_unit_test(maps_are_asked_about_maps),
    };
    return cmocka_run_group_tests_name("property.map_queries", tests, setUp, tearDown);
}
