// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Many threads ask about the same meshes at once, each in its own order, and get the bits that one
// thread alone gets. Under the thread sanitizer this also proves that nothing is written.

#include "crowd.h"
#include "kit.h"
#include "scenes/mesh_zoo.h"

#include <stdlib.h>
#include <string.h>

#define CONTACT_CAPACITY 32

typedef struct answer {
    double distance;
    wkVec3d points[2];
    int64_t parts[2];
    bool isTouching;
    int32_t contactCount;
    wkContact contacts[CONTACT_CAPACITY];
} answer;

typedef struct questions {
    const wkZooPair* pairs;
    const answer* expected;
} questions;

// Each pair with another variant of its meshes.
static void askEverything(const wkZooPair* pair, int index, answer* out)
{
    memset(out, 0, sizeof *out);
    wkShape a = wkZooShape(&pair->a, index % WK_ZOO_VARIANTS);
    wkShape b = wkZooShape(&pair->b, 3 * index % WK_ZOO_VARIANTS);
    wkDistanceResult d = wkDistance(&a, pair->a.pose, &b, pair->b.pose, NULL);
    wkCollideRequest request = wkDefaultCollideRequest();
    request.contacts = out->contacts;
    request.contactCapacity = CONTACT_CAPACITY;
    wkCollideResult c = wkCollide(&a, pair->a.pose, &b, pair->b.pose, &request);
    out->distance = d.distance;
    out->points[0] = d.pointA;
    out->points[1] = d.pointB;
    out->parts[0] = d.partA;
    out->parts[1] = d.partB;
    out->isTouching = c.isTouching;
    out->contactCount = c.contactCount;
}

static bool sameAnswer(const answer* a, const answer* b)
{
    return memcmp(a, b, offsetof(answer, contacts)) == 0 &&
           memcmp(a->contacts, b->contacts, sizeof(wkContact) * (size_t)a->contactCount) == 0;
}

static bool isSameAgain(const void* given, int index)
{
    const questions* q = (const questions*)given;
    answer now;
    askEverything(&q->pairs[index], index, &now);
    return sameAnswer(&now, &q->expected[index]);
}

static void makePairs(const wkZoo* zoo, wkZooPair* pairs, int count)
{
    wkRng rng = wkMakeRng(wkKitSeed());
    for (int i = 0; i < count; i++) {
        wkShapeType type = (wkShapeType)(1 + wkRngBelow(&rng, wk_shapeMesh));
        pairs[i] = wkZooRandomPair(zoo, wkKitBank(), &rng, i % WK_ZOO_COUNT,
                                   i % 2 == 0 ? wk_shapeMesh : type);
    }
}

static void threads_get_the_same_bits_about_meshes(void** state)
{
    (void)state;
    static wkZoo zoo;
    assert_true(wkZoo_Create(&zoo, wkKitSeed()));
    // a prime, so that every step visits all pairs
    int count = wkKitCases(1) > 1 ? 9973 : 499;
    wkZooPair* pairs = (wkZooPair*)calloc((size_t)count, sizeof *pairs);
    answer* expected = (answer*)calloc((size_t)count, sizeof *expected);
    assert_true(pairs != NULL && expected != NULL);
    makePairs(&zoo, pairs, count);
    for (int i = 0; i < count; i++) {
        askEverything(&pairs[i], i, &expected[i]);
    }
    questions q = {pairs, expected};
    int different = wkAskInCrowd(isSameAgain, &q, count);
    free(pairs);
    free(expected);
    wkZoo_Destroy(&zoo);
    assert_int_equal(different, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_get_the_same_bits_about_meshes),
    };
    int failed = cmocka_run_group_tests_name("meshes shared between threads", tests, NULL, NULL);
    wkKitEnd();
    return failed;
}
