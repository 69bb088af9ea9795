// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Answers queries about one or two shapes.

#include "ask_question.h"

#include <math.h>
#include <stdlib.h>

// Maximum number of contacts of an answer, which only meshes and height fields reach.
#define MOST_CONTACTS (1 << 16)

// Maximum number of distances for a separation: some seconds.
#define MOST_QUERIES 100000

bool wkAnswerCollide(const wkAskQuestion* q)
{
    wkCollideRequest request = wkDefaultCollideRequest();
    if (!wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askAny, &request.margin,
                             q->error)) {
        return false;
    }
    wkCollideResult result = wkCollide(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, &request);
    wkAskAppendBool(q->answer, "collide", result.isTouching);
    return wkAskAppendVerdict(q, result.status);
}

static void appendContacts(const wkAskQuestion* q, const wkContact* contacts, int32_t count)
{
    wkAskAppendName(q->answer, "contacts");
    wkText_AppendString(q->answer, "[");
    for (int32_t i = 0; i < count; i++) {
        wkText_AppendString(q->answer, i == 0 ? "{\"point\":" : ",{\"point\":");
        wkText_AppendVec3(q->answer, contacts[i].point);
        wkAskAppendVec3(q->answer, "normal", contacts[i].normal);
        wkAskAppendNumber(q->answer, "depth", contacts[i].depth);
        wkAskAppendPart(q->answer, "part_a", contacts[i].partA);
        wkAskAppendPart(q->answer, "part_b", contacts[i].partB);
        wkText_AppendString(q->answer, "}");
    }
    wkText_AppendString(q->answer, "]");
}

bool wkAnswerContacts(const wkAskQuestion* q)
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
    wkAskAppendBool(q->answer, "collide", result.isTouching);
    appendContacts(q, request.contacts, result.contactCount);
    free(many);
    return wkAskAppendVerdict(q, result.status);
}

static bool appendDistance(const wkAskQuestion* q, wkDistanceResult result)
{
    wkAskAppendNumber(q->answer, "distance", result.distance);
    wkAskAppendVec3(q->answer, "point_a", result.pointA);
    wkAskAppendVec3(q->answer, "point_b", result.pointB);
    wkAskAppendVec3(q->answer, "normal", result.normal);
    wkAskAppendPart(q->answer, "part_a", result.partA);
    wkAskAppendPart(q->answer, "part_b", result.partB);
    return wkAskAppendStatus(q, result.status);
}

bool wkAnswerDistance(const wkAskQuestion* q)
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

bool wkAnswerSignedDistance(const wkAskQuestion* q)
{
    return appendDistance(q, wkDistance(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, NULL));
}

bool wkAnswerSeparation(const wkAskQuestion* q)
{
    wkSeparationRequest request = wkDefaultSeparationRequest();
    wkAskField direction = wkAskFind(q->json, "", "direction");
    int maxQueries = request.maxQueries;
    if (!wkAskOptionalNumber(wkAskFind(q->json, "", "margin"), wk_askNotNegative, &request.margin,
                             q->error) ||
        !wkAskOptionalCount(wkAskFind(q->json, "", "max_queries"), &maxQueries, q->error) ||
        (direction.value != NULL &&
         !wkAskVec3(direction, wk_askAny, &request.direction, q->error))) {
        return false;
    }
    wkVec3d d = request.direction;
    if (direction.value != NULL && d.x == 0.0 && d.y == 0.0 && d.z == 0.0) {
        return wkAskFail(q->error, "zero_direction", "direction is zero, must point somewhere");
    }
    if (maxQueries < 1) {
        return wkAskFail(q->error, "out_of_range", "max_queries is %d, must be >= 1", maxQueries);
    }
    request.maxQueries = maxQueries < MOST_QUERIES ? maxQueries : MOST_QUERIES;
    wkSeparationResult result =
        wkSeparation(&q->a.shape, q->a.pose, &q->b.shape, q->b.pose, &request);
    if (result.depth < INFINITY) {
        wkAskAppendNumber(q->answer, "depth", result.depth);
        wkAskAppendVec3(q->answer, "translation", result.translation);
    } else {
        wkAskAppendNull(q->answer, "depth");
        wkAskAppendNull(q->answer, "translation");
    }
    wkAskAppendNumber(q->answer, "lower", result.lower);
    wkAskAppendPart(q->answer, "part_a", result.partA);
    wkAskAppendPart(q->answer, "part_b", result.partB);
    return wkAskAppendStatus(q, result.status);
}

// Appends a side of a box: numbers, with null where the shape is unbounded.
static void appendSide(wkText* text, const char* name, wkVec3d side)
{
    const double numbers[3] = {side.x, side.y, side.z};
    wkAskAppendName(text, name);
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

bool wkAnswerBounds(const wkAskQuestion* q)
{
    wkAabb box = wkShape_Bounds(&q->a.shape, q->a.pose);
    if (box.lower.x > box.upper.x || box.lower.y > box.upper.y || box.lower.z > box.upper.z) {
        wkAskAppendNull(q->answer, "min");
        wkAskAppendNull(q->answer, "max");
        wkAskAppendBool(q->answer, "empty", true);
        return true;
    }
    appendSide(q->answer, "min", box.lower);
    appendSide(q->answer, "max", box.upper);
    bool isUnbounded = isInfinite(box.lower) || isInfinite(box.upper);
    return wkAskAppendStatus(q, isUnbounded ? wk_statusUnbounded : wk_statusExact);
}

static bool readRay(const wkAskQuestion* q, wkRay* ray)
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

bool wkAnswerRayCast(const wkAskQuestion* q)
{
    wkRay ray;
    if (!readRay(q, &ray)) {
        return false;
    }
    wkRayResult result = wkShape_RayCast(&q->a.shape, q->a.pose, ray);
    wkAskAppendBool(q->answer, "hit", result.isHit);
    if (result.isHit) {
        wkAskAppendNumber(q->answer, "distance", result.distance);
        wkAskAppendVec3(q->answer, "point", result.point);
        wkAskAppendVec3(q->answer, "normal", result.normal);
        wkAskAppendPart(q->answer, "part", result.part);
    } else {
        wkAskAppendNull(q->answer, "distance");
        wkAskAppendNull(q->answer, "point");
        wkAskAppendNull(q->answer, "normal");
    }
    return wkAskAppendStatus(q, result.status);
}
