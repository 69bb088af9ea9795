// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Many threads ask about the same shapes and hulls at once, each in its own order, and get the bits
// that one thread alone gets. Under the thread sanitizer this also proves that nothing is written.

#include "crowd.h"
#include "kit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What is asked about one pair; plain numbers, so that bits can be compared.
typedef struct answer {
    wkDistanceResult distance;
    wkCollideResult collide;
    wkContact contacts[WK_MAX_CONTACTS];
    wkPenetrationResult penetration;
    wkRayResult ray;
    wkAabb bounds;
    double pointDistance;
} answer;

typedef struct questions {
    const wkScenePair* pairs;
    const answer* expected;
} questions;

// Padding bytes stay zero, as everything is copied member by member into zeroed memory.
static void askEverything(const wkScenePair* pair, answer* out)
{
    memset(out, 0, sizeof *out);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = out->contacts;
    request.contactCapacity = WK_MAX_CONTACTS;
    wkRay ray = {
        {0.1, 0.2, -20.0}, wkSceneSub(pair->poseB.position, wkSceneVec(0.1, 0.2, -20.0)), 1e9};
    out->distance = wkDistance(&pair->a, pair->poseA, &pair->b, pair->poseB, NULL);
    out->collide = wkCollide(&pair->a, pair->poseA, &pair->b, pair->poseB, &request);
    out->penetration = wkPenetration(&pair->a, pair->poseA, &pair->b, pair->poseB);
    out->ray = wkShape_RayCast(&pair->b, pair->poseB, ray);
    out->bounds = wkShape_Bounds(&pair->a, pair->poseA);
    out->pointDistance = wkShape_PointDistance(&pair->a, pair->poseA, pair->poseB.position);
}

static bool sameVec(wkVec3d a, wkVec3d b)
{
    return memcmp(&a, &b, sizeof a) == 0;
}

static bool sameContacts(const answer* a, const answer* b)
{
    for (int i = 0; i < a->collide.contactCount; i++) {
        const wkContact* x = &a->contacts[i];
        const wkContact* y = &b->contacts[i];
        if (!sameVec(x->point, y->point) || !sameVec(x->normal, y->normal) ||
            x->depth != y->depth) {
            return false;
        }
    }
    return true;
}

static bool sameAnswer(const answer* a, const answer* b)
{
    return a->distance.distance == b->distance.distance &&
           a->distance.status == b->distance.status &&
           sameVec(a->distance.pointA, b->distance.pointA) &&
           sameVec(a->distance.pointB, b->distance.pointB) &&
           sameVec(a->distance.normal, b->distance.normal) &&
           a->collide.isTouching == b->collide.isTouching &&
           a->collide.contactCount == b->collide.contactCount && sameContacts(a, b) &&
           a->penetration.depth == b->penetration.depth && a->ray.isHit == b->ray.isHit &&
           a->ray.distance == b->ray.distance &&
           memcmp(&a->bounds, &b->bounds, sizeof a->bounds) == 0 &&
           a->pointDistance == b->pointDistance;
}

static bool isSameAgain(const void* given, int index)
{
    const questions* q = (const questions*)given;
    answer now;
    askEverything(&q->pairs[index], &now);
    return sameAnswer(&now, &q->expected[index]);
}

static int makePairs(wkScenePair* pairs, int capacity)
{
    int count = 0;
    wkRng rng = wkMakeRng(wkKitSeed());
    while (count < capacity) {
        wkShapeType a = (wkShapeType)(1 + wkRngBelow(&rng, WK_SCENE_TYPE_COUNT));
        wkShapeType b = (wkShapeType)(1 + wkRngBelow(&rng, WK_SCENE_TYPE_COUNT));
        const wkNastyKind* kind = &wkNastyKinds[wkRngBelow(&rng, wkNastyKindCount)];
        pairs[count++] = kind->make(&rng, wkKitBank(), a, b);
    }
    return count;
}

static void threads_get_the_same_bits(void** state)
{
    (void)state;
    // a prime, so that every step visits all pairs
    int count = wkKitCases(1) > 1 ? 100003 : 4999;
    wkScenePair* pairs = (wkScenePair*)calloc((size_t)count, sizeof *pairs);
    answer* expected = (answer*)calloc((size_t)count, sizeof *expected);
    assert_true(pairs != NULL && expected != NULL);
    makePairs(pairs, count);
    for (int i = 0; i < count; i++) {
        askEverything(&pairs[i], &expected[i]);
    }
    questions q = {pairs, expected};
    int different = wkAskInCrowd(isSameAgain, &q, count);
    free(pairs);
    free(expected);
    assert_int_equal(different, 0);
}

// Creation is for every thread too; only the same hull needs care.
static void* createAndDestroy(void* argument)
{
    long* failures = (long*)argument;
    for (int i = 0; i < 10; i++) {
        wkShapeBank bank;
        wkShapeBank_Create(&bank, (uint64_t)i);
        *failures += bank.count > 0 ? 0 : 1;
        wkMakeSphere(-1.0);
        *failures += wkGetLastError()[0] != '\0' ? 0 : 1;
        wkShapeBank_Destroy(&bank);
    }
    return NULL;
}

static void hulls_are_created_side_by_side(void** state)
{
    (void)state;
    pthread_t threads[4];
    long failures[4] = {0};
    size_t before = wkGetByteCount();
    for (int i = 0; i < 4; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, createAndDestroy, &failures[i]), 0);
    }
    for (int i = 0; i < 4; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(failures[i], 0);
    }
    assert_int_equal(wkGetByteCount(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_get_the_same_bits),
        cmocka_unit_test(hulls_are_created_side_by_side),
    };
    int failed = cmocka_run_group_tests_name("sharing between threads", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
