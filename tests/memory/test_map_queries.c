// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Queries about maps allocate nothing, neither through the library's allocator nor past it.

#include "kit.h"
#include "malloc_hook.h"
#include "scenes/maps.h"

// Every query on one pair.
static void askEverything(const wkShape* map, wkPose pose, const wkShape* other, wkPose otherPose)
{
    wkContact contacts[WK_MAX_CONTACTS];
    wkDistanceRequest distance = wkDefaultDistanceRequest();
    distance.isSigned = false;
    wkCollideRequest collide = wkDefaultCollideRequest();
    collide.contacts = contacts;
    collide.contactCapacity = WK_MAX_CONTACTS;
    wkDistance(other, otherPose, map, pose, NULL);
    wkDistance(map, pose, other, otherPose, &distance);
    wkCollide(other, otherPose, map, pose, NULL);
    wkCollide(map, pose, other, otherPose, &collide);
    wkPenetration(map, pose, other, otherPose);
    wkRay ray = {otherPose.position, {0.3, -0.2, 0.1}, INFINITY};
    wkShape_RayCast(map, pose, ray);
    wkShape_RayHits(map, pose, ray);
    wkShape_ClosestPoint(map, pose, ray.origin, INFINITY);
    wkShape_Bounds(map, pose);
    wkShape_Support(map, pose, ray.direction);
    wkShape_PointDistance(map, pose, ray.origin);
    wkShape_ContainsPoint(map, pose, ray.origin);
    wkShape_Mass(map);
    wkShape_Check(map);
}

static void map_queries_allocate_nothing(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(wkKitSeed());
    wkKitBank();
    for (int kind = 0; kind < WK_MAP_KIND_COUNT; kind++) {
        wkOctree* octree = wkMakeMap(kind, 0.1, wkRngNext(&rng));
        wkOctree* second = wkMakeMap((kind + 3) % WK_MAP_KIND_COUNT, 0.07, wkRngNext(&rng));
        assert_true(octree != NULL && second != NULL);
        for (int type = 1; type <= wk_shapeOctree; type++) {
            bool isMap = type == wk_shapeOctree;
            if (!isMap && type > WK_SCENE_TYPE_COUNT) {
                continue;
            }
            wkShape map = wkMakeOctree(octree);
            wkShape other = isMap ? wkMakeOctree(second)
                                  : wkRandomShape(&rng, wkKitBank(), (wkShapeType)type, 0.3);
            map.map.unknown = (wkUnknownRule)(wk_unknownFree + wkRngBelow(&rng, 3));
            wkPose pose = {{0.1, 0.2, 0.3}, wkRngRotation(&rng)};
            wkPose otherPose = {{0.5, 0.4, 0.0}, wkRngRotation(&rng)};
            long before = wkMallocCalls();
            askEverything(&map, pose, &other, otherPose);
            assert_int_equal(wkMallocCalls() - before, 0);
        }
        wkOctree_Destroy(octree);
        wkOctree_Destroy(second);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(map_queries_allocate_nothing),
    };
    int failed = cmocka_run_group_tests_name("memory of map queries", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
