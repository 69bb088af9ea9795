// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// JSON and YAML as the same kind of tree: maps, lists, and texts with their lines. Users of a document do not
// depend on its format.

#include "io/file/arena.h"
#include "io/file/format.h"

// Maximum nesting of maps and lists.
#define WK_DOC_MAX_DEPTH 64

typedef enum wkDocKind {
    wk_docText, // a scalar: words, numbers, true, null
    wk_docList,
    wk_docMap,
} wkDocKind;

typedef struct wkDocNode wkDocNode;

struct wkDocNode {
    wkDocKind kind;
    bool isQuoted;    // a text that is never a number
    int32_t line;     // of the file, starting at 1
    int32_t count;    // of children
    const char* key;  // in a map; NULL elsewhere
    const char* text; // UTF-8; "" for lists and maps
    const wkDocNode* parent;
    wkDocNode* firstChild;
    wkDocNode* next; // with the same parent
};

typedef struct wkDocument {
    const char* name;      // as in wkIoSource
    const wkDocNode* root; // an empty text when the document is empty
    int32_t nodeCount;
} wkDocument;

// Read a document. The tree lives in the arena; the name is borrowed. Keys of a map are unique, and nesting
// is at most WK_DOC_MAX_DEPTH.
wkResult wkDocument_ParseJson(wkDocument* document, const wkIoSource* source, wkIoArena* arena);
wkResult wkDocument_ParseYaml(wkDocument* document, const wkIoSource* source, wkIoArena* arena);

// Builder of a document. Readers add its parts in file order.
typedef struct wkDocBuilder {
    const wkIoSource* source;
    wkIoArena* arena;
    wkDocNode* root;
    const char* key; // of the next value in a map; NULL: none yet
    int32_t depth;   // number of open maps and lists
    int32_t nodeCount;
    wkDocNode* open[WK_DOC_MAX_DEPTH]; // from the root inward
    wkDocNode* last[WK_DOC_MAX_DEPTH]; // newest child of each; NULL: none yet
} wkDocBuilder;

wkDocBuilder wkDocBuilder_Start(const wkIoSource* source, wkIoArena* arena);

// Each may fail when out of memory; Open at the maximum depth, Close at a duplicate key.
wkResult wkDocBuilder_AddKey(wkDocBuilder* builder, const char* text, size_t length, size_t line);
wkResult wkDocBuilder_AddText(wkDocBuilder* builder, const char* text, size_t length, bool isQuoted,
                              size_t line);
wkResult wkDocBuilder_Open(wkDocBuilder* builder, wkDocKind kind, size_t line);
wkResult wkDocBuilder_Close(wkDocBuilder* builder);

// Appends a deep copy of a node as the next value. Texts are shared, and lines are those of the original.
// `budget` counts down by the number of copied nodes; the copy fails at 0.
wkResult wkDocBuilder_AddCopy(wkDocBuilder* builder, const wkDocNode* node, int32_t* budget,
                              size_t line);

// Removes a child from the open map or list.
void wkDocBuilder_Drop(wkDocBuilder* builder, const wkDocNode* child);

// Returns the newest child of the open map or list; NULL: none yet.
const wkDocNode* wkDocBuilder_Last(const wkDocBuilder* builder);

// Returns true in a map when a key must come next.
bool wkDocBuilder_WantsKey(const wkDocBuilder* builder);

// Returns the finished document.
wkResult wkDocBuilder_Finish(const wkDocBuilder* builder, wkDocument* document);

// Fails when a source has more bytes than any supported document.
wkResult wkDocBuilder_CheckSize(const wkIoSource* source);

// Returns the value of a key; NULL when there is none, or `node` is NULL or not a map.
const wkDocNode* wkDocNode_Find(const wkDocNode* node, const char* key);

// Returns true for empty values: null, ~, or no text.
bool wkDocNode_IsEmpty(const wkDocNode* node);

// Sets the last error to "file:line: path.to[3].node: message", and returns `result`.
wkResult wkDocument_Fail(const wkDocument* document, const wkDocNode* node, wkResult result,
                         const char* format, ...) __attribute__((format(printf, 4, 5)));

// Returns the value of a required key.
wkResult wkDocument_Need(const wkDocument* document, const wkDocNode* map, const char* key,
                         const wkDocNode** node);

// Reads a finite number.
wkResult wkDocument_Number(const wkDocument* document, const wkDocNode* node, double* value);

// Reads a finite number from a required key.
wkResult wkDocument_NeedNumber(const wkDocument* document, const wkDocNode* map, const char* key,
                               double* value);

// Fails unless the node is of that kind.
wkResult wkDocument_NeedKind(const wkDocument* document, const wkDocNode* node, wkDocKind kind);

// Reads true or false.
wkResult wkDocument_Bool(const wkDocument* document, const wkDocNode* node, bool* value);
