// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Answers queries about objects: one row per query.

#include "ask.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Maximum number of contacts of an answer, which only meshes and height fields reach.
#define MOST_CONTACTS (1 << 16)

// Maximum number of boxes of an answer, and of cubes visited to find them: about a second.
#define MOST_BOXES (1 << 16)
#define MOST_COST_WORK (1 << 22)

// A question whose objects have been read.
typedef struct question {
    const wkJson* json;
    wkAskObject a;
    wkAskObject b;
    wkText* answer;
    wkAskError* error;
} question;

static void appendName(wkText* text, const char* name)
{
    wkText_AppendString(text, ",\"");
    wkText_AppendString(text, name);
    wkText_AppendString(text, "\":");
}

static void appendNumber(wkText* text, const char* name, double number)
{
    appendName(text, name);
    wkText_AppendNumber(text, number);
}

static void appendVec3(wkText* text, const char* name, wkVec3d vector)
{
    appendName(text, name);
    wkText_AppendVec3(text, vector);
}

// Appends the index of a triangle of a mesh or height field, or the code of an octree cell, which a double
// holds exactly; nothing when there is none.
static void appendPart(wkText* text, const char* name, int64_t part)
{
    if (part >= 0) {
        appendNumber(text, name, (double)part);
    }
}

static void appendBool(wkText* text, const char* name, bool value)
{
    appendName(text, name);
    wkText_AppendString(text, value ? "true" : "false");
}

static void appendNull(wkText* text, const char* name)
{
    appendName(text, name);
    wkText_AppendString(text, "null");
}

// Appends how reliable the answer is. Returns false when it is not: numbers have overflowed, and JSON cannot
// hold the library's conservative answer.
static bool appendStatus(const question* q, wkStatus status)
{
    if (status == wk_statusInvalid) {
        return wkAskFail(q->error, "out_of_range", "the numbers are too large to be answered");
    }
    if (status == wk_statusBound || status == wk_statusLocal) {
        appendBool(q->answer, "exact", false);
    }
    if (status == wk_statusLocal) {
        appendBool(q->answer, "local", true);
    }
    if (status == wk_statusNotWatertight) {
        appendBool(q->answer, "notWatertight", true);
    }
    if (status == wk_statusUnknown) {
        appendBool(q->answer, "unknown", true);
    }
    if (status == wk_statusUnbounded) {
        appendBool(q->answer, "unbounded", true);
    }
    return true;
}

// Appends the status of a verdict, which stays exact where only a depth is not.
static bool appendVerdict(const question* q, wkStatus status)
{
    return appendStatus(q, status == wk_statusLocal ? wk_statusExact : status);
}

static bool answerCollide(const question* q)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    if (!wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askAny, &request.margin,
                             q->error)) {
        return false;
    }
    wkCollideResult result = wkCollide(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, &request);
    appendBool(q->answer, "collide", result.isTouching);
    return appendVerdict(q, result.status);
}

static void appendContacts(const question* q, const wkContact* contacts, int32_t count)
{
    appendName(q->answer, "contacts");
    wkText_AppendString(q->answer, "[");
    for (int32_t i = 0; i < count; i++) {
        wkText_AppendString(q->answer, i == 0 ? "{\"point\":" : ",{\"point\":");
        wkText_AppendVec3(q->answer, contacts[i].point);
        appendVec3(q->answer, "normal", contacts[i].normal);
        appendNumber(q->answer, "depth", contacts[i].depth);
        appendPart(q->answer, "part_a", contacts[i].partA);
        appendPart(q->answer, "part_b", contacts[i].partB);
        wkText_AppendString(q->answer, "}");
    }
    wkText_AppendString(q->answer, "]");
}

static bool answerContacts(const question* q)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    int maxContacts = WK_MAX_CONTACTS;
    if (!wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askAny, &request.margin,
                             q->error) ||
        !wkAskOptionalCount(wkAskFind(q->json, "", "max_contacts"), &maxContacts, q->error)) {
        return false;
    }
    wkContact few[WK_MAX_CONTACTS];
    wkContact* many = NULL;
    request.contactCapacity = maxContacts < MOST_CONTACTS ? maxContacts : MOST_CONTACTS;
    request.contacts = maxContacts > 0 ? few : NULL;
    if (request.contactCapacity > WK_MAX_CONTACTS) {
        many = malloc((size_t)request.contactCapacity * sizeof *many);
        if (many == NULL) {
            return wkAskFail(q->error, "out_of_memory", "max_contacts is %d: too many",
                             maxContacts);
        }
        request.contacts = many;
    }
    wkCollideResult result = wkCollide(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, &request);
    appendBool(q->answer, "collide", result.isTouching);
    appendContacts(q, request.contacts, result.contactCount);
    free(many);
    return appendVerdict(q, result.status);
}

static bool appendDistance(const question* q, wkDistanceResult result)
{
    appendNumber(q->answer, "distance", result.distance);
    appendVec3(q->answer, "point_a", result.pointA);
    appendVec3(q->answer, "point_b", result.pointB);
    appendVec3(q->answer, "normal", result.normal);
    appendPart(q->answer, "part_a", result.partA);
    appendPart(q->answer, "part_b", result.partB);
    return appendStatus(q, result.status);
}

static bool answerDistance(const question* q)
{
    wkDistanceRequest request = wkDefaultDistanceRequest();
    request.isSigned = false;
    if (!wkAskOptionalNumber(wkAskFind(q->json, "", "cutoff"), wk_askNotNegative, &request.cutoff,
                             q->error)) {
        return false;
    }
    wkDistanceResult result = wkDistance(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, &request);
    result.distance = fmax(result.distance, 0.0);
    return appendDistance(q, result);
}

static bool answerSignedDistance(const question* q)
{
    return appendDistance(q, wkDistance(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, NULL));
}

// Appends a side of a box: numbers, with null where the shape is unbounded.
static void appendSide(wkText* text, const char* name, wkVec3d side)
{
    const double numbers[3] = {side.x, side.y, side.z};
    appendName(text, name);
    for (int i = 0; i < 3; i++) {
        wkText_AppendString(text, i == 0 ? "[" : ",");
        if (isinf(numbers[i])) {
            wkText_AppendString(text, "null");
        } else {
            wkText_AppendNumber(text, numbers[i]);
        }
    }
    wkText_AppendString(text, "]");
}

static bool isInfinite(wkVec3d v)
{
    return isinf(v.x) || isinf(v.y) || isinf(v.z);
}

static bool answerBounds(const question* q)
{
    wkAabb box = wkShape_Bounds(&q->a.shape, q->a.pose);
    if (box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z) {
        appendNull(q->answer, "min");
        appendNull(q->answer, "max");
        appendBool(q->answer, "empty", true);
        return true;
    }
    appendSide(q->answer, "min", box.lower);
    appendSide(q->answer, "max", box.upper);
    bool isUnbounded = isInfinite(box.lower) || isInfinite(box.upper);
    return appendStatus(q, isUnbounded ? wk_statusUnbounded : wk_statusExact);
}

static bool readRay(const question* q, wkRay* ray)
{
    ray->maxDistance = INFINITY;
    if (!wkAskVec3(wkAskFind(q->json, "", "origin"), wk_askAny, &ray->origin, q->error) ||
        !wkAskVec3(wkAskFind(q->json, "", "direction"), wk_askAny, &ray->direction, q->error) ||
        !wkAskOptionalNumber(wkAskFind(q->json, "", "max_distance"), wk_askNotNegative,
                             &ray->maxDistance, q->error)) {
        return false;
    }
    wkVec3d d = ray->direction;
    if (d.x == 0.0 && d.y == 0.0 && d.z == 0.0) {
        return wkAskFail(q->error, "zero_direction", "direction is zero, must point somewhere");
    }
    return true;
}

static bool answerRayCast(const question* q)
{
    wkRay ray;
    if (!readRay(q, &ray)) {
        return false;
    }
    wkRayResult result = wkShape_RayCast(&q->a.shape, q->a.pose, ray);
    appendBool(q->answer, "hit", result.isHit);
    if (result.isHit) {
        appendNumber(q->answer, "distance", result.distance);
        appendVec3(q->answer, "point", result.point);
        appendVec3(q->answer, "normal", result.normal);
        appendPart(q->answer, "part", result.part);
    } else {
        appendNull(q->answer, "distance");
        appendNull(q->answer, "point");
        appendNull(q->answer, "normal");
    }
    return appendStatus(q, result.status);
}

// Reads the motion of the other body, if any: its pose and that of its member `to`.
static bool readWay(const question* q, const char* name, const wkAskObject* body, wkPose poses[2],
                    int32_t* count)
{
    char owner[8];
    snprintf(owner, sizeof owner, "%s.to", name);
    wkAskField to = wkAskFind(wkJson_Find(q->json, name), name, "to");
    poses[0] = body->pose;
    *count = to.value != NULL ? 2 : 1;
    if (to.value == NULL) {
        return true;
    }
    if (!wkJson_Is(to.value, wk_jsonKindObject)) {
        return wkAskFail(q->error, "bad_field", "%s must be an object with xyz and quat", owner);
    }
    const char* const lists[] = {WK_ASK_POSE_MEMBERS, NULL};
    return wkAskCheckMembers(to.value, owner, lists, q->error) &&
           wkAskReadPose(to.value, owner, &poses[1], q->error);
}

static bool readCostDef(const question* q, const wkShape* map, wkCostDef* def)
{
    def->maxWork = MOST_COST_WORK;
    def->countsUnknown = map->map.unknown != wk_unknownFree;
    return wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askAny, &def->margin,
                               q->error) &&
           wkAskOptionalNumber(wkAskFind(q->json, "", "min_probability"), wk_askNotNegative,
                               &def->minProbability, q->error);
}

static void appendBoxes(wkText* text, const wkCostBox* boxes, int64_t count)
{
    appendName(text, "boxes");
    wkText_AppendString(text, "[");
    for (int64_t i = 0; i < count; i++) {
        wkText_AppendString(text, i == 0 ? "{\"min\":" : ",{\"min\":");
        wkText_AppendVec3(text, boxes[i].box.lower);
        appendVec3(text, "max", boxes[i].box.upper);
        appendNumber(text, "probability", boxes[i].probability);
        appendNumber(text, "cost", boxes[i].probability * boxes[i].volume);
        wkText_AppendString(text, "}");
    }
    wkText_AppendString(text, "]");
}

static bool appendCost(const question* q, const wkCost* cost)
{
    int maxBoxes = MOST_BOXES;
    if (!wkAskOptionalCount(wkAskFind(q->json, "", "max_boxes"), &maxBoxes, q->error)) {
        return false;
    }
    wkCostInfo totals = wkCost_Info(cost);
    int32_t capacity = maxBoxes < MOST_BOXES ? maxBoxes : MOST_BOXES;
    capacity = totals.boxCount < capacity ? (int32_t)totals.boxCount : capacity;
    wkCostBox* boxes = malloc((size_t)(capacity + 1) * sizeof *boxes);
    if (boxes == NULL) {
        return wkAskFail(q->error, "out_of_memory", "%d boxes are too many", (int)capacity);
    }
    wkCost_Boxes(cost, boxes, capacity);
    appendBoxes(q->answer, boxes, capacity);
    free(boxes);
    appendNumber(q->answer, "total", totals.weightedVolume);
    appendNumber(q->answer, "volume", totals.volume);
    appendNumber(q->answer, "count", (double)totals.boxCount);
    return true;
}

static bool answerCost(const question* q)
{
    bool isMapFirst = q->a.shape.type == wk_shapeOctree;
    const wkAskObject* map = isMapFirst ? &q->a : &q->b;
    const wkAskObject* body = isMapFirst ? &q->b : &q->a;
    if (map->shape.type != wk_shapeOctree) {
        return wkAskFail(q->error, "bad_field", "neither a nor b is an octree, one must be");
    }
    const char* mapName = isMapFirst ? "a" : "b";
    if (wkJson_Find(wkJson_Find(q->json, mapName), "to") != NULL) {
        return wkAskFail(q->error, "bad_field", "%s.to: the octree stands still, %s may move",
                         mapName, isMapFirst ? "b" : "a");
    }
    wkCostDef def = wkDefaultCostDef();
    wkPose poses[2];
    int32_t count = 0;
    if (!readCostDef(q, &map->shape, &def) ||
        !readWay(q, isMapFirst ? "b" : "a", body, poses, &count)) {
        return false;
    }
    wkCost* cost = NULL;
    wkResult result = wkCost_Create(&def, &cost);
    if (result == wk_ok) {
        result = wkCost_AddMotion(cost, &map->shape, map->pose, &body->shape, poses, count);
    }
    bool isAnswered = result == wk_ok
                          ? appendCost(q, cost)
                          : wkAskFail(q->error, wkResultName(result), "%s", wkGetLastError());
    wkCost_Destroy(cost);
    return isAnswered;
}

typedef struct queryRow {
    const char* name;
    bool (*answer)(const question* q); // NULL: a query that this release does not have yet
    int objectCount;                   // 1: about `a` alone, 2: about `a` and `b`
    const char* members;               // its own, besides those of every question
    const char* objectMembers;         // of `a` and `b`, besides those of every object
} queryRow;

// clang-format off
static const queryRow queries[] = {
    {"collide",         answerCollide,        2, "margin", ""},
    {"distance",        answerDistance,       2, "cutoff", ""},
    {"signed_distance", answerSignedDistance, 2, "", ""},
    {"contacts",        answerContacts,       2, "max_contacts margin", ""},
    {"bounds",          answerBounds,         1, "", ""},
    {"raycast",         answerRayCast,        1, "origin direction max_distance", ""},
    {"cast",            NULL,                 2, "motion tolerance margin", "to"},
    {"cast_elements",   NULL,                 0, "kind t0 t1 tolerance", ""},
    {"probability",     NULL,                 2, "", ""},
    {"cost",            answerCost,           2, "margin min_probability max_boxes", "to"},
};
// clang-format on

#define QUERY_COUNT (sizeof queries / sizeof queries[0])

// Members of every question; `b` is one of those about two objects.
#define QUESTION_MEMBERS "id query a"

void wkAskListQueries(wkText* text)
{
    for (size_t i = 0; i < QUERY_COUNT; i++) {
        if (queries[i].answer != NULL) {
            char members[120];
            snprintf(members, sizeof members, "%s %s%s%s", queries[i].objectCount > 1 ? "a b" : "a",
                     queries[i].members, queries[i].objectMembers[0] != '\0' ? "; of a or b: " : "",
                     queries[i].objectMembers);
            wkAskListRow(text, queries[i].name, members);
        }
    }
    wkAskListRow(text, "each also", "id query");
}

static const queryRow* findQuery(const char* name, wkAskError* error)
{
    wkSuggestion nearest = {0};
    for (size_t i = 0; i < QUERY_COUNT; i++) {
        if (strcmp(queries[i].name, name) == 0) {
            return &queries[i];
        }
        wkSuggestion_Try(&nearest, name, queries[i].name, strlen(queries[i].name));
    }
    wkAskFail(error, "unknown_query", "query is '%.40s', which is no query%s", name,
              wkSuggestion_Hint(&nearest).text);
    return NULL;
}

// Finds the query of a question and checks that all members belong to it.
static const queryRow* readQuery(const wkJson* json, wkAskError* error)
{
    const char* name = NULL;
    wkAskField field = wkAskFind(json, "", "query");
    if (field.value == NULL) {
        // a misspelt member may have been meant as the query
        const char* lists[QUERY_COUNT + 3] = {QUESTION_MEMBERS, "b"};
        for (size_t i = 0; i < QUERY_COUNT; i++) {
            lists[i + 2] = queries[i].members;
        }
        if (!wkAskCheckMembers(json, "the question", lists, error)) {
            return NULL;
        }
    }
    const queryRow* query = wkAskString(field, &name, error) ? findQuery(name, error) : NULL;
    if (query == NULL) {
        return NULL;
    }
    if (query->answer == NULL) {
        wkAskFail(error, "unsupported", "query is %s, which this version does not have yet", name);
        return NULL;
    }
    const char* const lists[] = {QUESTION_MEMBERS, query->objectCount > 1 ? "b" : "",
                                 query->members, NULL};
    return wkAskCheckMembers(json, "the question", lists, error) ? query : NULL;
}

static bool readObject(const wkJson* json, const char* name, const queryRow* query,
                       wkAskCache* cache, wkAskObject* object, wkAskError* error)
{
    const wkJson* value = wkJson_Find(json, name);
    if (value == NULL) {
        return wkAskFail(error, "missing_field", "%s is missing", name);
    }
    wkAskContext context = {.name = name, .extraMembers = query->objectMembers, .cache = cache};
    return wkAskReadJson(value, &context, object, error);
}

bool wkAskAnswer(const wkJson* json, wkAskCache* cache, wkText* answer, wkAskError* error)
{
    const queryRow* query = readQuery(json, error);
    if (query == NULL) {
        return false;
    }
    question q = {.json = json, .answer = answer, .error = error};
    bool isAnswered =
        readObject(json, "a", query, cache, &q.a, error) &&
        (query->objectCount < 2 || readObject(json, "b", query, cache, &q.b, error)) &&
        query->answer(&q);
    wkAskReleaseObject(&q.a);
    wkAskReleaseObject(&q.b);
    return isAnswered;
}
