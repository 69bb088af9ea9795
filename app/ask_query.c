// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads questions and finds their answers: one row per query.

#include "ask_question.h"

#include <stdio.h>
#include <string.h>

typedef struct queryRow {
    const char* name;
    bool (*answer)(const wkAskQuestion* q);
    int objectCount;           // 0: none, 1: about `a` alone, 2: about `a` and `b`
    const char* members;       // its own, besides those of every question
    const char* objectMembers; // of `a` and `b`, besides those of every object
} queryRow;

// clang-format off
static const queryRow queries[] = {
    {"collide",         wkAnswerCollide,        2, "margin", ""},
    {"distance",        wkAnswerDistance,       2, "cutoff", ""},
    {"signed_distance", wkAnswerSignedDistance, 2, "", ""},
    {"contacts",        wkAnswerContacts,       2, "max_contacts margin", ""},
    {"separation",      wkAnswerSeparation,     2, "margin direction max_queries", ""},
    {"bounds",          wkAnswerBounds,         1, "", ""},
    {"raycast",         wkAnswerRayCast,        1, "origin direction max_distance", ""},
    {"cast",            wkAnswerCast,           2, "motion tolerance margin", "to"},
    {"cast_elements",   wkAnswerCastElements,   0, "kind t0 t1 tolerance", ""},
    {"probability",     wkAnswerProbability,    2, "margin", ""},
    {"cost",            wkAnswerCost,           2, "margin min_probability max_boxes", "to"},
};
// clang-format on

#define QUERY_COUNT (sizeof queries / sizeof queries[0])

#define QUESTION_MEMBERS "id query"

// Members for objects, by their number.
static const char* const objectMembers[] = {"", "a", "a b"};

void wkAskListQueries(wkText* text)
{
    for (size_t i = 0; i < QUERY_COUNT; i++) {
        const queryRow* query = &queries[i];
        char members[120];
        snprintf(members, sizeof members, "%s%s%s%s%s", objectMembers[query->objectCount],
                 query->objectCount > 0 ? " " : "", query->members,
                 query->objectMembers[0] != '\0' ? "; of a or b: " : "", query->objectMembers);
        wkAskListRow(text, query->name, members);
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
        const char* lists[QUERY_COUNT + 3] = {QUESTION_MEMBERS, "a b"};
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
    const char* const lists[] = {QUESTION_MEMBERS, objectMembers[query->objectCount],
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
    wkAskQuestion q = {.json = json, .answer = answer, .error = error};
    bool isAnswered =
        (query->objectCount < 1 || readObject(json, "a", query, cache, &q.a, error)) &&
        (query->objectCount < 2 || readObject(json, "b", query, cache, &q.b, error)) &&
        query->answer(&q);
    wkAskReleaseObject(&q.a);
    wkAskReleaseObject(&q.b);
    return isAnswered;
}
