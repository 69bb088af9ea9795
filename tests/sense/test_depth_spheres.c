// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Spheres before depth images: free is a proof, and all methods give the same verdicts.

#include "depth_kit.h"

#include "sense/depth_sphere_item.h"
#include "sense/sphere_rows.h"
#include "unit/unit_kit.h"

#include "whisker/detail/counts.h"

#define SPHERE_COUNT 640

typedef struct testRoom {
    wkTestImage made;
    wkDepthMapDef def;
    wkDepthMap* map;
    wkSphere3d spheres[SPHERE_COUNT]; // in the frame of the camera
    wkSphere3d placed[SPHERE_COUNT];
} testRoom;

static const int32_t sizes[][2] = {{1, 1},     {2, 1},     {1, 40},   {7, 5},
                                   {16, 16},   {33, 20},   {64, 48},  {160, 120},
                                   {101, 203}, {320, 240}, {640, 480}};
#define SIZE_COUNT (int)(sizeof sizes / sizeof sizes[0])

static void makeRoom(testRoom* room, int number)
{
    wkRng rng = wkMakeRng(100u + (uint64_t)number);
    const int32_t* size = sizes[number % SIZE_COUNT];
    room->made = wkMakeTestImage(&rng, size[0], size[1]);
    room->def = wkTestTrust(&rng);
    int32_t spare = number % 2 == 0 ? 2 : 130; // maps are made for larger images too
    assert_int_equal(wkDepthMap_Create(size[0] + spare, size[1] + spare, &room->map), wk_ok);
    assert_int_equal(wkDepthMap_Update(room->map, &room->made.image, &room->def, NULL), wk_ok);
    for (int i = 0; i < SPHERE_COUNT; ++i) {
        room->spheres[i] = wkTestSphere(&rng, &room->made.image.camera);
        room->placed[i] = wkSphereInWorld(room->made.image.pose, room->spheres[i]);
    }
}

static void endRoom(testRoom* room)
{
    wkDepthMap_Destroy(room->map);
    free(room->made.depths);
}

static void methods_agree(void** state)
{
    (void)state;
    static testRoom room;
    static wkDepthVerdict verdicts[WK_DEPTH_METHOD_COUNT][SPHERE_COUNT];
    int counts[WK_DEPTH_VERDICT_COUNT] = {0};
    for (int n = 0; n < SIZE_COUNT; ++n) {
        makeRoom(&room, n);
        const wkDepthMap* maps[1] = {room.map};
        for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
            wkDepthMap_CheckSpheres(maps, 1, room.placed, SPHERE_COUNT, (wkDepthMethod)m,
                                    verdicts[m]);
        }
        for (int i = 0; i < SPHERE_COUNT; ++i) {
            assert_int_equal(verdicts[wk_depthByLines][i], verdicts[wk_depthByPixels][i]);
            assert_int_equal(verdicts[wk_depthByPyramid][i], verdicts[wk_depthByPixels][i]);
            ++counts[verdicts[wk_depthByPixels][i]];
        }
        endRoom(&room);
    }
    assert_int_equal(counts[wk_depthUnchecked], 0);
    for (int k = wk_depthFree; k < WK_DEPTH_VERDICT_COUNT; ++k) {
        print_message("%s: %d\n", wkDepthVerdictName((wkDepthVerdict)k), counts[k]);
        assert_true(counts[k] > 100);
    }
}

// By the definition alone: a pixel sees the point, and its depth, however wrong, is beyond it.
static bool isPointFree(const testRoom* room, wkVec3d p)
{
    const wkCamera* c = &room->made.image.camera;
    double u = floor(p.x / p.z * c->fx + c->cx + 0.5), v = floor(p.y / p.z * c->fy + c->cy + 0.5);
    if (!(p.z > 0.0 && u >= 0 && v >= 0 && u < c->width && v < c->height)) {
        return false;
    }
    double depth = (double)room->made.depths[(size_t)v * (size_t)c->width + (size_t)u];
    double noise = room->def.noise + room->def.noiseSquare * depth * depth;
    return depth >= room->def.minDepth && p.z <= depth - noise && p.z <= room->def.maxDepth;
}

static wkVec3d pointOfSphere(wkRng* rng, wkSphere3d sphere, double padding)
{
    // mostly of the surface, which sticks out furthest
    double share = wkRngChance(rng, 4) ? wkRngUnit(rng) : 1.0;
    wkVec3d way = wkRngDirection(rng), c = sphere.center;
    double r = share * (sphere.radius + padding);
    return (wkVec3d){c.x + r * way.x, c.y + r * way.y, c.z + r * way.z};
}

static void free_spheres_are_free(void** state)
{
    (void)state;
    static testRoom room;
    static wkDepthVerdict verdicts[SPHERE_COUNT];
    wkRng rng = wkMakeRng(7);
    for (int n = 0; n < 2 * SIZE_COUNT; ++n) {
        makeRoom(&room, n);
        const wkDepthMap* maps[1] = {room.map};
        wkDepthMap_CheckSpheres(maps, 1, room.placed, SPHERE_COUNT, wk_depthByPyramid, verdicts);
        for (int i = 0; i < SPHERE_COUNT; ++i) {
            for (int k = 0; k < 200 && verdicts[i] == wk_depthFree; ++k) {
                wkVec3d p = pointOfSphere(&rng, room.spheres[i], room.def.padding);
                assert_true(isPointFree(&room, p));
            }
        }
        endRoom(&room);
    }
}

// A sphere that stays clear of everything, by far more than a pixel, is said to be free.
static void clear_spheres_are_free(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(3);
    wkTestImage made = wkMakeTestImage(&rng, 320, 240);
    made.image.camera = wkDefaultCamera();
    made.image.camera.width = 320;
    made.image.camera.height = 240;
    made.image.camera.cx = 159.5;
    made.image.camera.cy = 119.5;
    for (int i = 0; i < 320 * 240; ++i) {
        made.depths[i] = i % 320 < 160 ? 2.0f : 1.0f;
    }
    wkDepthMap* map = NULL;
    assert_int_equal(wkDepthMap_Create(320, 240, &map), wk_ok);
    assert_int_equal(wkDepthMap_Update(map, &made.image, NULL, NULL), wk_ok);
    const struct {
        wkSphere3d sphere;
        wkDepthVerdict verdict;
    } cases[] = {
        {{{0.0, 0.0, 0.5}, 0.1}, wk_depthFree},
        {{{0.0, 0.0, 0.8}, 0.1}, wk_depthFree},
        {{{0.0, 0.0, 0.95}, 0.1}, wk_depthHit},
        {{{0.0, 0.0, 1.5}, 0.1}, wk_depthOccluded},
        {{{-0.2, 0.0, 1.5}, 0.1}, wk_depthFree},
        {{{-0.2, 0.0, 1.95}, 0.1}, wk_depthHit},
        {{{-0.2, 0.0, 2.4}, 0.1}, wk_depthOccluded},
        {{{-0.1, 0.0, 1.5}, 0.12}, wk_depthOccluded},
        {{{-1.0, 0.0, 0.5}, 0.1}, wk_depthUnobserved},
        {{{0.0, 0.0, -1.0}, 0.1}, wk_depthUnobserved},
        {{{0.0, 0.0, 0.0}, 0.1}, wk_depthUnobserved},
        {{{0.0, 0.0, 0.0}, 3.0}, wk_depthHit},
        {{{0.0, 0.0, 0.5}, 0.0}, wk_depthFree},
        {{{0.2, 0.0, 3.0}, 0.0}, wk_depthOccluded},
        {{{0.0, 0.0, 1e20}, 1.0}, wk_depthOccluded},
        {{{0.0, 0.0, 50.0}, 1e6}, wk_depthHit},
        {{{NAN, 0.0, 0.5}, 0.1}, wk_depthUnobserved},
        {{{0.0, 0.0, 0.5}, NAN}, wk_depthUnobserved},
        {{{0.0, 0.0, 0.5}, -0.1}, wk_depthUnobserved},
        {{{0.0, INFINITY, 0.5}, 0.1}, wk_depthUnobserved},
    };
    const wkDepthMap* maps[1] = {map};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
        wkSphere3d placed = cases[i].sphere;
        placed = wkSphereInWorld(made.image.pose, placed);
        for (int m = 0; m < WK_DEPTH_METHOD_COUNT; ++m) {
            wkDepthVerdict verdict = WK_DEPTH_VERDICT_COUNT;
            wkDepthMap_CheckSpheres(maps, 1, &placed, 1, (wkDepthMethod)m, &verdict);
            if (verdict != cases[i].verdict) {
                print_error("case %zu by %s: %s\n", i, wkDepthMethodName((wkDepthMethod)m),
                            wkDepthVerdictName(verdict));
            }
            assert_int_equal(verdict, cases[i].verdict);
        }
    }
    wkDepthMap_Destroy(map);
    free(made.depths);
}

// Lanes of every instruction set prove the same spheres, and nothing that the oracle does not.
static void lanes_prove_less(void** state)
{
    (void)state;
    static testRoom room;
    int provenCount = 0, freeCount = 0, clearCount = 0, untouchedCount = 0;
    for (int n = 0; n < SIZE_COUNT; ++n) {
        makeRoom(&room, n);
        for (int first = 0; first + 64 <= SPHERE_COUNT; first += 64) {
            static wkSphereRows rows;
            static wkCameraSphere inCamera[64];
            unsigned findings[64];
            for (int i = 0; i < 64; ++i) {
                wkSphere3d b = room.spheres[first + i];
                rows.x[i] = (float)b.center.x;
                rows.y[i] = (float)b.center.y;
                rows.z[i] = (float)b.center.z;
                rows.radius[i] = i == 63 ? NAN : (float)b.radius;
                wkVec3d center = {(double)rows.x[i], (double)rows.y[i], (double)rows.z[i]};
                inCamera[i] =
                    wkDepthMap_See(room.map, center, (double)(float)b.radius + room.def.padding);
            }
            wkFindByPixels(room.map, inCamera, 64, findings);
            uint64_t scalar = wkProveSpheresOf(wk_isaScalar)(&room.map->view, &rows, 64);
            uint64_t touch = wkProveSpheresClearOf(wk_isaScalar)(&room.map->view, &rows, 64);
            for (int isa = 0; isa < wk_isaCount; ++isa) {
                wkProveSpheresFcn* prove = wkProveSpheresOf((wkIsa)isa);
                if (prove != NULL) {
                    assert_true(prove(&room.map->view, &rows, 64) == scalar);
                    prove = wkProveSpheresClearOf((wkIsa)isa);
                    assert_true(prove(&room.map->view, &rows, 64) == touch);
                }
            }
            assert_true(scalar >> 63 == 1 && touch >> 63 == 1); // not a number
            for (int i = 0; i < 63; ++i) {
                bool isProven = (scalar >> i & 1u) == 0;
                assert_true(!isProven || findings[i] == 0);
                provenCount += isProven;
                freeCount += findings[i] == 0;
                bool isClear = (touch >> i & 1u) == 0;
                bool isUntouched = (findings[i] & (wk_findHit | wk_findOccluded)) == 0;
                assert_true(!isClear || isUntouched);
                clearCount += isClear;
                untouchedCount += isUntouched;
            }
        }
        endRoom(&room);
    }
    print_message("proven by lanes: %d of %d free spheres\n", provenCount, freeCount);
    print_message("proven clear: %d of %d\n", clearCount, untouchedCount);
    assert_true(provenCount > freeCount / 4 && clearCount > untouchedCount / 4);
}

// Who knows that a sphere is unobserved in part gets the same answer about the rest.
static void what_is_known_is_not_looked_for(void** state)
{
    (void)state;
    static testRoom room;
    static wkCameraSphere inCamera[SPHERE_COUNT];
    static unsigned findings[SPHERE_COUNT];
    for (int n = 0; n < SIZE_COUNT; ++n) {
        makeRoom(&room, n);
        for (int i = 0; i < SPHERE_COUNT; ++i) {
            wkSphere3d b = room.spheres[i];
            inCamera[i] = wkDepthMap_See(room.map, b.center, b.radius + room.def.padding);
        }
        wkFindByPixels(room.map, inCamera, SPHERE_COUNT, findings);
        for (int i = 0; i < SPHERE_COUNT; ++i) {
            unsigned known =
                wkDepthMap_FindByPyramid(room.map, &inCamera[i], wk_findUnobserved, false);
            unsigned all = wkDepthMap_FindByPyramid(room.map, &inCamera[i], 0u, true);
            assert_int_equal(wkVerdictOf(known), wkVerdictOf(findings[i] | wk_findUnobserved));
            assert_int_equal(wkVerdictOf(all), wkVerdictOf(findings[i]));
            if ((findings[i] & wk_findHit) == 0) {
                assert_int_equal(all, findings[i]);
            }
        }
        endRoom(&room);
    }
}

// A sphere that touches the plane through an edge of the image from outside, but for a share of its place
// that floats hardly tell.
static wkSphere3d sphereAtEdge(wkRng* rng, const wkDepthMap* map)
{
    const double slopes[4] = {map->left, map->right, map->top, map->bottom};
    const double lengths[4] = {map->leftLength, map->rightLength, map->topLength,
                               map->bottomLength};
    int edge = wkRngBelow(rng, 4);
    double z = wkRngRange(rng, -1.0, 3.0), along = wkRngRange(rng, -2.0, 2.0);
    wkSphere3d sphere = {{along, along, z}, wkRngLogRange(rng, 1e-4, 0.3)};
    wkCameraSphere inCamera = wkDepthMap_See(map, sphere.center, sphere.radius + map->def.padding);
    double way = (edge % 2 == 0 ? -1.0 : 1.0) * inCamera.grown * lengths[edge];
    double offset = slopes[edge] * z + way;
    offset += wkRngRange(rng, -3e-7, 3e-7) * (fabs(offset) + fabs(z) + 2.0);
    *(edge < 2 ? &sphere.center.x : &sphere.center.y) = offset;
    return sphere;
}

// How far a sphere is beyond the planes through the edges, or behind the camera, with all that it is grown
// by.
static double wayOut(const wkDepthMap* map, const wkCameraSphere* sphere)
{
    wkVec3d c = sphere->center;
    double sideways = fmax((map->left * c.z - c.x) / map->leftLength,
                           (c.x - map->right * c.z) / map->rightLength);
    double upright = fmax((map->top * c.z - c.y) / map->topLength,
                          (c.y - map->bottom * c.z) / map->bottomLength);
    return fmax(fmax(sideways, upright), -c.z) - sphere->grown;
}

// Before a wall right at the camera nothing is clear but what is out of view, and that is proven to the
// last float.
static void spheres_past_an_edge_are_past_it(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(23);
    int outCount = 0, provenCount = 0;
    for (int n = 0; n < 40; ++n) {
        wkTestImage made = wkMakeTestImage(&rng, 16, 12);
        for (int i = 0; i < 16 * 12; ++i) {
            made.depths[i] = 1e-3f;
        }
        wkDepthMapDef trust = {.cookie = wkDefaultDepthMapDef().cookie, .maxDepth = INFINITY};
        wkDepthMap* map = NULL;
        assert_int_equal(wkDepthMap_Create(16, 12, &map), wk_ok);
        assert_int_equal(wkDepthMap_Update(map, &made.image, &trust, NULL), wk_ok);
        for (int k = 0; k < 20; ++k) {
            static wkSphereRows rows;
            for (int i = 0; i < 64; ++i) {
                wkSphere3d b = sphereAtEdge(&rng, map);
                rows.x[i] = (float)b.center.x;
                rows.y[i] = (float)b.center.y;
                rows.z[i] = (float)b.center.z;
                rows.radius[i] = (float)b.radius;
            }
            uint64_t touch = wkProveSpheresClearOfMachine()(&map->view, &rows, 64);
            for (int i = 0; i < 64; ++i) {
                wkVec3d center = {(double)rows.x[i], (double)rows.y[i], (double)rows.z[i]};
                wkCameraSphere inCamera = wkDepthMap_See(map, center, (double)rows.radius[i]);
                bool isClear = (touch >> i & 1u) == 0;
                assert_true(!isClear || wayOut(map, &inCamera) >= 0.0);
                outCount += wayOut(map, &inCamera) >= 0.0;
                provenCount += isClear;
            }
        }
        wkDepthMap_Destroy(map);
        free(made.depths);
    }
    print_message("proven out of view: %d of %d\n", provenCount, outCount);
    assert_true(provenCount > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(methods_agree),
        cmocka_unit_test(free_spheres_are_free),
        cmocka_unit_test(clear_spheres_are_free),
        cmocka_unit_test(lanes_prove_less),
        cmocka_unit_test(what_is_known_is_not_looked_for),
        cmocka_unit_test(spheres_past_an_edge_are_past_it),
    };
    return cmocka_run_group_tests_name("sense.depth_spheres", tests, NULL, NULL);
}
