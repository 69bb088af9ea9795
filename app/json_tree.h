// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A JSON text as a tree of values.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum wkJsonKind {
    wk_jsonKindObject,
    wk_jsonKindArray,
    wk_jsonKindString,
    wk_jsonKindNumber,
    wk_jsonKindBool,
    wk_jsonKindNull,
} wkJsonKind;

typedef struct wkJson wkJson;

struct wkJson {
    wkJsonKind kind;
    bool isTrue;         // of a boolean
    const char* key;     // in an object; NULL elsewhere
    const wkJson* next;  // with the same parent; NULL: the last one
    const wkJson* first; // of the members of an object or array; NULL: none
    size_t count;        // of members; of bytes of a string
    const char* string;  // decoded, terminated; may contain zeros
    double number;       // infinite when it is too large for a double
    const char* source;  // the value as written, in the parsed text
    size_t sourceLength;
};

// A parsed text, or why it cannot be parsed.
typedef struct wkJsonTree {
    const wkJson* root; // NULL: see below
    bool isOutOfMemory;
    size_t line; // of the error, counted from 1
    size_t column;
    char message[160];
    struct wkJsonChunk* chunks; // memory of the values, newest first
} wkJsonTree;

// Parses a text, which is borrowed. Keys that occur twice in an object are refused. Free the tree also when
// this fails.
bool wkJsonTree_Parse(wkJsonTree* tree, const char* bytes, size_t byteCount);
void wkJsonTree_Free(wkJsonTree* tree);

// Returns true for a value of that kind; false for NULL.
bool wkJson_Is(const wkJson* value, wkJsonKind kind);

// Returns a member of an object; NULL when there is none, or `object` is NULL or not an object.
const wkJson* wkJson_Find(const wkJson* object, const char* key);

// Returns the first member of an object or array and the count of them; NULL and 0 for other values and NULL.
const wkJson* wkJson_First(const wkJson* value);
size_t wkJson_Count(const wkJson* value);

// Returns a string; NULL for other values, those with a zero in them included, and NULL.
const char* wkJson_String(const wkJson* value);

// Returns a whole number; 0 for other values, those beyond 2^53 included, and NULL.
int64_t wkJson_Integer(const wkJson* value);
