// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Many threads ask about the same meshes at once, each in its own order, and get the bits that one
// thread alone gets. Under the thread sanitizer this also proves that nothing is written.

#include "kit.h"
#include "scenes/mesh_zoo.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define THREAD_COUNT 8
#define CONTACT_CAPACITY 32

typedef struct answer {
    double distance;
    wkVec3d points[2];
    int64_t parts[2];
    bool isTouching;
    int32_t contactCount;
    wkContact contacts[CONTACT_CAPACITY];
} answer;

typedef struct job {
    const wkZooPair* pairs;
    const answer* expected;
    int count;
    int first; // where this thread starts
    int step;  // and how it walks, coprime to count
    int differentCount;
} job;

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

static void* work(void* argument)
{
    job* j = (job*)argument;
    answer now;
    int index = j->first;
    for (int i = 0; i < j->count; i++) {
        askEverything(&j->pairs[index], index, &now);
        j->differentCount += sameAnswer(&now, &j->expected[index]) ? 0 : 1;
        index = (index + j->step) % j->count;
    }
    return NULL;
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

    pthread_t threads[THREAD_COUNT];
    job jobs[THREAD_COUNT];
    for (int i = 0; i < THREAD_COUNT; i++) {
        jobs[i] = (job){pairs, expected, count, i * count / THREAD_COUNT, 1 + 2 * i, 0};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &jobs[i]), 0);
    }
    int different = 0;
    for (int i = 0; i < THREAD_COUNT; i++) {
        pthread_join(threads[i], NULL);
        different += jobs[i].differentCount;
    }
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
