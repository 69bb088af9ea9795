// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scenes of many objects: carts drive through a hall with shelves. Finds the pairs that are about to touch,
// the closest pair, and the first object on the ray of a sensor.

#include "whisker/whisker.h"

#include <stdio.h>

#define SHELF_COUNT 60
#define CART_COUNT 4

// Categories of objects; pairs of two shelves are not checked.
enum {
    SHELF = 1,
    CART = 2
};

typedef struct cart {
    const char* name;
    wkPose pose;
    double speed; // metres per second, along x
    wkObjectId id;
} cart;

static bool addShelves(wkScene* scene)
{
    wkObjectDef shelves[SHELF_COUNT];
    for (int i = 0; i < SHELF_COUNT; i++) {
        shelves[i] = wkDefaultObjectDef();
        shelves[i].shape = wkMakeBox(1.0, 0.6, 2.0);
        shelves[i].pose = wkMakePose(1.5 * (i % 10), 2.5 * (i / 10), 1.0);
        shelves[i].category = SHELF;
        shelves[i].mask = CART;
    }
    return wkScene_AddMany(scene, shelves, SHELF_COUNT, NULL) == wk_ok;
}

static bool addCart(wkScene* scene, cart* c)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = wkMakeCylinder(0.4, 0.8);
    def.pose = c->pose;
    def.category = CART;
    def.mask = CART | SHELF;
    def.user = c; // comes back with wkScene_Get
    return wkScene_Add(scene, &def, &c->id) == wk_ok;
}

static const char* nameOf(const wkScene* scene, wkObjectId id)
{
    wkObjectDef def;
    bool isCart = wkScene_Get(scene, id, &def) == wk_ok && def.user != NULL;
    return isCart ? ((const cart*)def.user)->name : "a shelf";
}

int main(void)
{
    static cart carts[CART_COUNT] = {
        {"Ada", {{0.0, 1.25, 0.4}, {0.0, 0.0, 0.0, 1.0}}, 1.5, {0}},
        {"Bob", {{10.5, 1.35, 0.4}, {0.0, 0.0, 0.0, 1.0}}, -1.0, {0}},
        {"Cy", {{3.0, 6.2, 0.4}, {0.0, 0.0, 0.0, 1.0}}, 1.0, {0}},
        {"Di", {{6.0, 8.75, 0.4}, {0.0, 0.0, 0.0, 1.0}}, 0.5, {0}},
    };
    wkScene* scene = NULL;
    bool isReady = wkScene_Create(NULL, &scene) == wk_ok && addShelves(scene);
    for (int i = 0; i < CART_COUNT && isReady; i++) {
        isReady = addCart(scene, &carts[i]);
    }
    if (!isReady) {
        fprintf(stderr, "%s\n", wkGetLastError());
        wkScene_Destroy(scene);
        return 1;
    }

    wkSceneHit hits[8];
    wkSceneRequest near = wkDefaultSceneRequest();
    near.margin = 0.1; // touching, or closer than this
    near.hits = hits;
    near.hitCapacity = 8;
    for (int second = 0; second <= 4; second++) {
        for (int i = 0; i < CART_COUNT; i++) {
            wkPose pose = carts[i].pose;
            pose.position.x += carts[i].speed * second;
            wkScene_Move(scene, carts[i].id, pose);
        }
        wkScene_Update(scene); // answers are right without it, too
        wkSceneDistanceResult d = wkScene_DistancePairs(scene, NULL);
        wkSceneCollideResult c = wkScene_CollidePairs(scene, &near);
        printf("%d s: closest are %s and %s, %.2f m; too close: %d\n", second, nameOf(scene, d.a),
               nameOf(scene, d.b), d.closest.distance, (int)c.hitCount);
    }

    // A laser on Cy points along the aisle, from above its own edge.
    wkRay ray = {{7.5, 6.2, 0.4}, {1.0, 0.35, 0.0}, 20.0};
    wkSceneRayResult hit = wkScene_RayCast(scene, ray, NULL);
    printf("a beam meets %s after %.2f m\n", nameOf(scene, hit.id), hit.hit.distance);
    wkScene_Destroy(scene);
    return 0;
}
