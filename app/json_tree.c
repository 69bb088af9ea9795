// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Makes a tree of the events of the library's JSON reader. Values and texts lie in a few large chunks.

#include "json_tree.h"

#include "io/text/json_reader.h"
#include "io/text/text_reader.h"

#include <math.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FIRST_CHUNK ((size_t)4096)
#define MAX_CHUNK ((size_t)1 << 24)

// Objects with at most this many members are compared key by key for duplicates; larger ones are sorted.
#define FEW_MEMBERS 12

// Largest whole number below which all whole numbers are doubles.
#define LARGEST_INTEGER 9007199254740992.0

typedef struct wkJsonChunk {
    struct wkJsonChunk* next;
    size_t used;
    size_t capacity;
    alignas(max_align_t) char bytes[];
} wkJsonChunk;

// A parse in progress.
typedef struct parser {
    wkJsonTree* tree;
    wkJsonReader reader;
    const char* key;                 // of the next value
    wkJson* open[WK_JSON_MAX_DEPTH]; // from the root inward
    wkJson* last[WK_JSON_MAX_DEPTH]; // newest member of each; NULL: none yet
    int depth;
} parser;

// @return NULL when out of memory
static void* allocate(wkJsonTree* tree, size_t byteCount)
{
    size_t needed = (byteCount + alignof(max_align_t) - 1) & ~(alignof(max_align_t) - 1);
    wkJsonChunk* chunk = tree->chunks;
    if (chunk == NULL || chunk->capacity - chunk->used < needed) {
        size_t capacity = chunk == NULL ? FIRST_CHUNK : 2 * chunk->capacity;
        capacity = capacity < MAX_CHUNK ? capacity : MAX_CHUNK;
        capacity = capacity > needed ? capacity : needed;
        chunk = malloc(sizeof *chunk + capacity);
        if (chunk == NULL) {
            tree->isOutOfMemory = true;
            return NULL;
        }
        *chunk = (wkJsonChunk){tree->chunks, 0, capacity};
        tree->chunks = chunk;
    }
    void* memory = chunk->bytes + chunk->used;
    chunk->used += needed;
    return memory;
}

static bool fail(parser* p, const char* format, const char* name)
{
    p->tree->line = p->reader.line;
    p->tree->column = wkJsonReader_Column(&p->reader);
    snprintf(p->tree->message, sizeof p->tree->message, format, name);
    return false;
}

// Copies the text of the latest event.
static const char* copyText(parser* p)
{
    char* copy = allocate(p->tree, p->reader.length + 1);
    if (copy != NULL) {
        memcpy(copy, p->reader.text, p->reader.length);
        copy[p->reader.length] = '\0';
    }
    return copy;
}

static bool takeKey(parser* p)
{
    if (memchr(p->reader.text, '\0', p->reader.length) != NULL) {
        return fail(p, "a key has a %s character in it", "zero");
    }
    p->key = copyText(p);
    return p->key != NULL;
}

static int compareKeys(const void* a, const void* b)
{
    const char *const *first = a, *const *second = b;
    return strcmp(*first, *second);
}

// Returns a key that occurs twice; NULL: none, or out of memory.
static const char* findDuplicate(wkJsonTree* tree, const wkJson* object)
{
    if (object->count <= FEW_MEMBERS) {
        for (const wkJson* a = object->first; a != NULL; a = a->next) {
            for (const wkJson* b = a->next; b != NULL; b = b->next) {
                if (strcmp(a->key, b->key) == 0) {
                    return a->key;
                }
            }
        }
        return NULL;
    }
    const char** sorted = allocate(tree, object->count * sizeof *sorted);
    if (sorted == NULL) {
        return NULL;
    }
    size_t count = 0;
    for (const wkJson* member = object->first; member != NULL; member = member->next) {
        sorted[count++] = member->key;
    }
    qsort(sorted, count, sizeof *sorted, compareKeys);
    for (size_t i = 1; i < count; i++) {
        if (strcmp(sorted[i - 1], sorted[i]) == 0) {
            return sorted[i];
        }
    }
    return NULL;
}

static bool closeInnermost(parser* p)
{
    wkJson* closed = p->open[--p->depth];
    closed->sourceLength = (size_t)(p->reader.at - closed->source);
    const char* twice = closed->kind == wk_jsonKindObject ? findDuplicate(p->tree, closed) : NULL;
    return twice == NULL ? !p->tree->isOutOfMemory
                         : fail(p, "key \"%.80s\" occurs twice in an object", twice);
}

// Appends a value to the innermost open object or array.
static wkJson* addValue(parser* p, wkJsonKind kind)
{
    wkJson* value = allocate(p->tree, sizeof *value);
    if (value == NULL) {
        return NULL;
    }
    *value = (wkJson){.kind = kind,
                      .key = p->key,
                      .source = p->reader.start,
                      .sourceLength = (size_t)(p->reader.at - p->reader.start)};
    p->key = NULL;
    if (p->depth == 0) {
        p->tree->root = value;
        return value;
    }
    wkJson *parent = p->open[p->depth - 1], *last = p->last[p->depth - 1];
    *(last != NULL ? &last->next : &parent->first) = value;
    p->last[p->depth - 1] = value;
    parent->count++;
    return value;
}

static bool openValue(parser* p, wkJsonKind kind)
{
    wkJson* value = addValue(p, kind);
    if (value != NULL) {
        p->open[p->depth] = value;
        p->last[p->depth++] = NULL;
    }
    return value != NULL;
}

static bool takeNumber(parser* p)
{
    wkJson* value = addValue(p, wk_jsonKindNumber);
    const char* end = p->reader.text + p->reader.length;
    if (value == NULL) {
        return false;
    }
    return wkIoParseNumber(p->reader.text, end, &value->number) == end ||
           fail(p, "a number has more than %s digits", "100000");
}

static bool takeString(parser* p)
{
    wkJson* value = addValue(p, wk_jsonKindString);
    if (value == NULL) {
        return false;
    }
    value->count = p->reader.length;
    value->string = copyText(p);
    return value->string != NULL;
}

static bool takeBool(parser* p, bool isTrue)
{
    wkJson* value = addValue(p, wk_jsonKindBool);
    if (value != NULL) {
        value->isTrue = isTrue;
    }
    return value != NULL;
}

static bool takeEvent(parser* p, wkJsonEvent event)
{
    switch (event) {
    case wk_jsonOpenObject:
        return openValue(p, wk_jsonKindObject);
    case wk_jsonOpenArray:
        return openValue(p, wk_jsonKindArray);
    case wk_jsonClose:
        return closeInnermost(p);
    case wk_jsonKey:
        return takeKey(p);
    case wk_jsonString:
        return takeString(p);
    case wk_jsonNumber:
        return takeNumber(p);
    case wk_jsonTrue:
    case wk_jsonFalse:
        return takeBool(p, event == wk_jsonTrue);
    case wk_jsonNull:
        return addValue(p, wk_jsonKindNull) != NULL;
    case wk_jsonFailed:
        return fail(p, "%s", p->reader.problem);
    default:
        return true;
    }
}

bool wkJsonTree_Parse(wkJsonTree* tree, const char* bytes, size_t byteCount)
{
    *tree = (wkJsonTree){0};
    bool hasEscapes = byteCount > 0 && memchr(bytes, '\\', byteCount) != NULL;
    char* scratch = hasEscapes ? allocate(tree, byteCount) : NULL;
    if (hasEscapes && scratch == NULL) {
        return false;
    }
    parser p = {.tree = tree, .reader = wkJsonReader_Start(bytes, byteCount, scratch)};
    wkJsonEvent event = wk_jsonNull;
    bool isRead = true;
    while (isRead && event != wk_jsonEnd) {
        event = wkJsonReader_Next(&p.reader);
        isRead = takeEvent(&p, event);
    }
    tree->root = isRead ? tree->root : NULL;
    return isRead;
}

void wkJsonTree_Free(wkJsonTree* tree)
{
    while (tree->chunks != NULL) {
        wkJsonChunk* chunk = tree->chunks;
        tree->chunks = chunk->next;
        free(chunk);
    }
    *tree = (wkJsonTree){0};
}

bool wkJson_Is(const wkJson* value, wkJsonKind kind)
{
    return value != NULL && value->kind == kind;
}

const wkJson* wkJson_Find(const wkJson* object, const char* key)
{
    if (!wkJson_Is(object, wk_jsonKindObject)) {
        return NULL;
    }
    const wkJson* member = object->first;
    while (member != NULL && strcmp(member->key, key) != 0) {
        member = member->next;
    }
    return member;
}

const wkJson* wkJson_First(const wkJson* value)
{
    return value != NULL ? value->first : NULL;
}

size_t wkJson_Count(const wkJson* value)
{
    bool hasMembers = value != NULL && value->kind <= wk_jsonKindArray;
    return hasMembers ? value->count : 0;
}

const char* wkJson_String(const wkJson* value)
{
    bool isText = wkJson_Is(value, wk_jsonKindString) && strlen(value->string) == value->count;
    return isText ? value->string : NULL;
}

int64_t wkJson_Integer(const wkJson* value)
{
    bool isInteger = wkJson_Is(value, wk_jsonKindNumber) && trunc(value->number) == value->number &&
                     fabs(value->number) < LARGEST_INTEGER;
    return isInteger ? (int64_t)value->number : 0;
}
