// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// What answers of `ask` must say about each other, for every pair of types in both orders.

#include "ask.h"

#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define TYPE_COUNT 15

// Shapes without their closing brace, so that a pose can follow.
static const char* const shapes[TYPE_COUNT] = {
    "{\"type\":\"sphere\",\"radius\":0.5",
    "{\"type\":\"box\",\"size\":[1,0.75,1.25]",
    "{\"type\":\"capsule\",\"radius\":0.3,\"length\":0.8",
    "{\"type\":\"cylinder\",\"radius\":0.4,\"length\":1",
    "{\"type\":\"cone\",\"radius\":0.5,\"length\":1.2",
    "{\"type\":\"ellipsoid\",\"radii\":[0.3,0.5,0.7]",
    "{\"type\":\"convex\",\"vertices\":[[0,0,0.6],[0.5,0,-0.2],[-0.4,0.4,-0.3],[-0.3,-0.5,-0.2]]",
    "{\"type\":\"halfspace\",\"normal\":[0.6,0,0.8],\"offset\":0.1",
    "{\"type\":\"plane\",\"normal\":[0,0.6,0.8],\"offset\":-0.1",
    "{\"type\":\"triangle\",\"vertices\":[[0,0,0.5],[0.6,0,-0.4],[-0.3,0.5,-0.2]]",
    "{\"type\":\"mesh\",\"solid\":true,\"vertices\":[[0,0,0.6],[0.5,0,-0.2],[-0.4,0.4,-0.3],"
    "[-0.3,-0.5,-0.2]],\"triangles\":[[0,1,2],[0,2,3],[0,3,1],[1,3,2]]",
    "{\"type\":\"heightfield\",\"nx\":3,\"ny\":3,\"x_dim\":1,\"y_dim\":1.2,\"min_height\":-0.4,"
    "\"heights\":[0,0.1,0,0.2,0.5,0.1,0,0.3,0.1]",
    "{\"type\":\"octree\",\"resolution\":0.3,\"occupied\":[[0,0,0],[0.3,0,0],[-0.3,0.3,0.3]]",
    "{\"type\":\"cloud\",\"radius\":0.1,\"points\":[[0,0,0.3],[0.25,0,-0.2],[-0.2,0.3,0.1]]",
    "{\"type\":\"spheres\",\"spheres\":[[0,0,0.3,0.25],[0.25,0,-0.2,0.5],[-0.2,0.3,0.1,0]]",
};

#define POSE_COUNT 4
static const char* const posesA[POSE_COUNT] = {
    ",\"xyz\":[0,0,0]}",
    ",\"xyz\":[0.1,-0.2,0.3],\"rpy\":[0.3,0.2,0.1]}",
    ",\"padding\":0.05,\"rounding\":0.02}",
    ",\"xyz\":[100,200,300],\"quat\":[0,0.6,0,0.8]}",
};
static const char* const posesB[POSE_COUNT] = {
    ",\"xyz\":[2.5,0.1,0.2],\"rpy\":[0.1,-0.4,1]}",
    ",\"xyz\":[0.6,0.1,0.2],\"quat\":[0.6,0,0,0.8]}",
    ",\"padding\":-0.05,\"xyz\":[0,0,0]}",
    ",\"xyz\":[101,201,300.5],\"rpy\":[1,1,1]}",
};

// Asks and expects an answer; the caller releases it.
static json_t* ask(const char* query, const char* a, const char* poseA, const char* b,
                   const char* poseB)
{
    char line[1024];
    snprintf(line, sizeof line, "{\"id\":1,%s,\"a\":%s%s,\"b\":%s%s}", query, a, poseA, b, poseB);
    wkText answer = {0};
    if (!wkAskLine(line, strlen(line), 1, NULL, &answer)) {
        fail_msg("line %s\nanswer %.*s", line, (int)answer.length, answer.data);
    }
    json_t* json = json_loadb(answer.data, answer.length, 0, NULL);
    wkText_Free(&answer);
    assert_non_null(json);
    return json;
}

static double numberOf(const json_t* answer, const char* name)
{
    const json_t* value = json_object_get(answer, name);
    assert_true(json_is_number(value));
    return json_number_value(value);
}

static double lengthOf(const json_t* vector)
{
    assert_int_equal(json_array_size(vector), 3);
    double sum = 0.0;
    for (size_t i = 0; i < 3; i++) {
        double number = json_number_value(json_array_get(vector, i));
        sum += number * number;
    }
    return sqrt(sum);
}

static void checkCollide(int a, int b, int index, double distance)
{
    const double margins[] = {-0.25, 0.0, 0.25, distance};
    for (size_t i = 0; i < sizeof margins / sizeof margins[0]; i++) {
        char query[80];
        snprintf(query, sizeof query, "\"query\":\"collide\",\"margin\":%.17g", margins[i]);
        json_t* answer = ask(query, shapes[a], posesA[index], shapes[b], posesB[index]);
        bool isTouching = json_is_true(json_object_get(answer, "collide"));
        if (isTouching != (distance <= margins[i])) {
            fail_msg("%s and %s, place %d: distance %.17g, margin %.17g, collide %d", shapes[a],
                     shapes[b], index, distance, margins[i], isTouching);
        }
        json_decref(answer);
    }
}

static void checkContacts(int a, int b, int index, double distance)
{
    const char* query = "\"query\":\"contacts\",\"max_contacts\":3";
    json_t* answer = ask(query, shapes[a], posesA[index], shapes[b], posesB[index]);
    const json_t* contacts = json_object_get(answer, "contacts");
    assert_true(json_is_array(contacts));
    assert_in_range(json_array_size(contacts), distance <= 0.0 ? 1 : 0, distance <= 0.0 ? 3 : 0);
    double deepest = INFINITY;
    for (size_t i = 0; i < json_array_size(contacts); i++) {
        const json_t* contact = json_array_get(contacts, i);
        assert_true(numberOf(contact, "depth") <= deepest);
        deepest = numberOf(contact, "depth");
        assert_true(fabs(lengthOf(json_object_get(contact, "normal")) - 1.0) < 1e-12);
    }
    json_decref(answer);
}

static void checkPair(int a, int b, int index)
{
    const char* query = "\"query\":\"signed_distance\"";
    json_t* answer = ask(query, shapes[a], posesA[index], shapes[b], posesB[index]);
    json_t* swapped = ask(query, shapes[b], posesB[index], shapes[a], posesA[index]);
    double distance = numberOf(answer, "distance");
    assert_true(distance == numberOf(swapped, "distance"));
    assert_true(fabs(lengthOf(json_object_get(answer, "normal")) - 1.0) < 1e-12);
    assert_true(
        json_equal(json_object_get(answer, "point_a"), json_object_get(swapped, "point_b")));
    json_decref(answer);
    json_decref(swapped);

    answer = ask("\"query\":\"distance\"", shapes[a], posesA[index], shapes[b], posesB[index]);
    double unsignedDistance = numberOf(answer, "distance");
    assert_true(fabs(unsignedDistance - fmax(distance, 0.0)) <= 1e-9);
    json_decref(answer);

    answer = ask("\"query\":\"distance\",\"cutoff\":0.01", shapes[a], posesA[index], shapes[b],
                 posesB[index]);
    double bound = numberOf(answer, "distance");
    bool isExact = json_object_get(answer, "exact") == NULL;
    assert_true(bound <= unsignedDistance + 1e-12);
    assert_true(isExact || (bound > 0.01 && unsignedDistance > 0.01));
    json_decref(answer);

    checkCollide(a, b, index, distance);
    checkContacts(a, b, index, distance);
}

static void answers_agree_for_every_pair(void** state)
{
    (void)state;
    for (int a = 0; a < TYPE_COUNT; a++) {
        for (int b = 0; b < TYPE_COUNT; b++) {
            for (int index = 0; index < POSE_COUNT; index++) {
                checkPair(a, b, index);
            }
        }
    }
    assert_int_equal(wkGetByteCount(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(answers_agree_for_every_pair)};
    return cmocka_run_group_tests_name("ask_answers", tests, NULL, NULL);
}
