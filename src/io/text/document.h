// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// JSON and YAML as one kind of tree: maps, lists, and texts with their lines. Who reads a document
// need not know which of the two it was.

#include "io/file/arena.h"
#include "io/file/format.h"

// Maps and lists within each other.
#define WK_DOC_MAX_DEPTH 64

typedef enum wkDocKind {
    wk_docText, // whatever is written in one place: words, numbers, true, null
    wk_docList,
    wk_docMap,
} wkDocKind;

typedef struct wkDocNode wkDocNode;

struct wkDocNode {
    wkDocKind kind;
    bool isQuoted;    // a text that is certainly no number
    int32_t line;     // of the file, the first being 1
    int32_t count;    // of children
    const char* key;  // in a map; NULL elsewhere
    const char* text; // UTF-8; "" for lists and maps
    const wkDocNode* parent;
    const wkDocNode* firstChild;
    const wkDocNode* next; // with the same parent
};

typedef struct wkDocument {
    const char* name;      // as in wkIoSource
    const wkDocNode* root; // an empty text when there is nothing
    int32_t nodeCount;
} wkDocument;

// Read a document. The tree lives in the arena; the name is borrowed. Keys of a map are all
// different, everything ends within WK_DOC_MAX_DEPTH.
wkResult wkDocument_ParseJson(wkDocument* document, const wkIoSource* source, wkIoArena* arena);
wkResult wkDocument_ParseYaml(wkDocument* document, const wkIoSource* source, wkIoArena* arena);

// A document on its way. Readers name what they find in its order.
typedef struct wkDocBuilder {
    const wkIoSource* source;
    wkIoArena* arena;
    wkDocNode* root;
    const char* key; // of what comes next in a map; NULL: none yet
    int32_t depth;   // of what is open
    int32_t nodeCount;
    wkDocNode* open[WK_DOC_MAX_DEPTH]; // from the root inward
    wkDocNode* last[WK_DOC_MAX_DEPTH]; // child of each; NULL: none yet
} wkDocBuilder;

wkDocBuilder wkDocBuilder_Start(const wkIoSource* source, wkIoArena* arena);

// Each may fail for lack of memory; Open for depth, Close for a key that a map has twice.
wkResult wkDocBuilder_AddKey(wkDocBuilder* builder, const char* text, size_t length, size_t line);
wkResult wkDocBuilder_AddText(wkDocBuilder* builder, const char* text, size_t length, bool isQuoted,
                              size_t line);
wkResult wkDocBuilder_Open(wkDocBuilder* builder, wkDocKind kind, size_t line);
wkResult wkDocBuilder_Close(wkDocBuilder* builder);

// Puts a copy of a node and of everything below it where the next value goes. Texts are shared, and lines
// are those of the original. `budget` counts down by the nodes that were made, and fails at 0.
wkResult wkDocBuilder_AddCopy(wkDocBuilder* builder, const wkDocNode* node, int32_t* budget,
                              size_t line);

// Takes a child out of what is open.
void wkDocBuilder_Drop(wkDocBuilder* builder, const wkDocNode* child);

// The node that was added last to what is open; NULL: none yet.
const wkDocNode* wkDocBuilder_Last(const wkDocBuilder* builder);

// True within a map, before the value's key.
bool wkDocBuilder_WantsKey(const wkDocBuilder* builder);

// What was found, as a document.
wkResult wkDocBuilder_Finish(const wkDocBuilder* builder, wkDocument* document);

// More bytes than any document here has: fails when there are more.
wkResult wkDocBuilder_CheckSize(const wkIoSource* source);

// Value of a key; NULL when there is none, or `node` is NULL or no map.
const wkDocNode* wkDocNode_Find(const wkDocNode* node, const char* key);

// True for what stands for nothing: null, ~, or no word at all.
bool wkDocNode_IsEmpty(const wkDocNode* node);

// Keeps "file:line: path.to[3].node: words", and gives `result` back.
wkResult wkDocument_Fail(const wkDocument* document, const wkDocNode* node, wkResult result,
                         const char* format, ...) __attribute__((format(printf, 4, 5)));

// Value of a key that must be there.
wkResult wkDocument_Need(const wkDocument* document, const wkDocNode* map, const char* key,
                         const wkDocNode** node);

// A finite number.
wkResult wkDocument_Number(const wkDocument* document, const wkDocNode* node, double* value);

// A finite number behind a key that must be there.
wkResult wkDocument_NeedNumber(const wkDocument* document, const wkDocNode* map, const char* key,
                               double* value);

// Fails unless the node is of that kind.
wkResult wkDocument_NeedKind(const wkDocument* document, const wkDocNode* node, wkDocKind kind);

// True or false.
wkResult wkDocument_Bool(const wkDocument* document, const wkDocNode* node, bool* value);
