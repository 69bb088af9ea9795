// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds a document from the parts that its reader adds in order.

#include "io/text/document.h"
#include "io/text/names.h"

#include <string.h>

// More than any file of spheres has.
#define MAX_BYTES ((size_t)64 << 20)

static wkResult failMemory(const wkIoSource* source)
{
    return wkIoFail(source->name, wk_errorMemory, "no memory for what it describes");
}

wkResult wkDocBuilder_CheckSize(const wkIoSource* source)
{
    return source->byteCount <= MAX_BYTES
               ? wk_ok
               : wkIoFail(source->name, wk_errorParse,
                          "%zu bytes are more than the %zu that are read", source->byteCount,
                          MAX_BYTES);
}

wkDocBuilder wkDocBuilder_Start(const wkIoSource* source, wkIoArena* arena)
{
    wkDocBuilder builder = {.source = source, .arena = arena};
    return builder;
}

bool wkDocBuilder_WantsKey(const wkDocBuilder* builder)
{
    return builder->depth > 0 && builder->open[builder->depth - 1]->kind == wk_docMap &&
           builder->key == NULL;
}

// Copies a text. Texts become C strings, so an embedded zero is refused.
static wkResult copyText(wkDocBuilder* builder, const char* text, size_t length, size_t line,
                         const char** copy)
{
    if (length > 0 && memchr(text, '\0', length) != NULL) {
        return wkIoFailNumberedLine(builder->source->name, line, wk_errorParse,
                                    "a text has a zero in it");
    }
    *copy = wkIoArena_CopyText(builder->arena, text, length);
    return *copy != NULL ? wk_ok : failMemory(builder->source);
}

wkResult wkDocBuilder_AddKey(wkDocBuilder* builder, const char* text, size_t length, size_t line)
{
    return copyText(builder, text, length, line, &builder->key);
}

// Appends a new node after its siblings.
static wkResult addNode(wkDocBuilder* builder, wkDocKind kind, size_t line, wkDocNode** node)
{
    wkDocNode* added = wkIoArena_Alloc(builder->arena, sizeof *added);
    if (added == NULL) {
        return failMemory(builder->source);
    }
    added->kind = kind;
    added->line = (int32_t)line;
    added->key = builder->key;
    added->text = "";
    builder->key = NULL;
    builder->nodeCount++;
    *node = added;
    if (builder->depth == 0) {
        builder->root = added;
        return wk_ok;
    }
    int32_t top = builder->depth - 1;
    wkDocNode* parent = builder->open[top];
    added->parent = parent;
    if (builder->last[top] != NULL) {
        builder->last[top]->next = added;
    } else {
        parent->firstChild = added;
    }
    builder->last[top] = added;
    parent->count++;
    return wk_ok;
}

wkResult wkDocBuilder_AddText(wkDocBuilder* builder, const char* text, size_t length, bool isQuoted,
                              size_t line)
{
    wkDocNode* node = NULL;
    wkResult result = addNode(builder, wk_docText, line, &node);
    if (result != wk_ok) {
        return result;
    }
    node->isQuoted = isQuoted;
    return copyText(builder, text, length, line, &node->text);
}

wkResult wkDocBuilder_Open(wkDocBuilder* builder, wkDocKind kind, size_t line)
{
    if (builder->depth == WK_DOC_MAX_DEPTH) {
        return wkIoFailNumberedLine(builder->source->name, line, wk_errorParse,
                                    "lists and maps are nested too deep: more than %d levels",
                                    WK_DOC_MAX_DEPTH);
    }
    wkDocNode* node = NULL;
    wkResult result = addNode(builder, kind, line, &node);
    if (result == wk_ok) {
        builder->open[builder->depth] = node;
        builder->last[builder->depth] = NULL;
        builder->depth++;
    }
    return result;
}

const wkDocNode* wkDocBuilder_Last(const wkDocBuilder* builder)
{
    return builder->depth > 0 ? builder->last[builder->depth - 1] : builder->root;
}

void wkDocBuilder_Drop(wkDocBuilder* builder, const wkDocNode* child)
{
    wkDocNode* parent = builder->open[builder->depth - 1];
    wkDocNode* before = NULL;
    for (wkDocNode* node = parent->firstChild; node != child; node = node->next) {
        before = node;
    }
    if (before == NULL) {
        parent->firstChild = child->next;
    } else {
        before->next = child->next;
    }
    if (builder->last[builder->depth - 1] == child) {
        builder->last[builder->depth - 1] = before;
    }
    parent->count--;
}

wkResult wkDocBuilder_AddCopy(wkDocBuilder* builder, const wkDocNode* node, int32_t* budget,
                              size_t line)
{
    if (--*budget < 0) {
        return wkIoFailNumberedLine(builder->source->name, line, wk_errorParse,
                                    "YAML: aliases stand for too many values");
    }
    if (node->kind == wk_docText) {
        wkDocNode* added = NULL;
        wkResult result = addNode(builder, wk_docText, (size_t)node->line, &added);
        if (result == wk_ok) {
            added->isQuoted = node->isQuoted;
            added->text = node->text;
        }
        return result;
    }
    wkResult result = wkDocBuilder_Open(builder, node->kind, (size_t)node->line);
    for (const wkDocNode* child = node->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        builder->key = child->key;
        result = wkDocBuilder_AddCopy(builder, child, budget, line);
    }
    builder->depth -= result == wk_ok ? 1 : 0; // its keys were checked before
    return result;
}

// Refuses duplicate keys: readers differ in which value they use.
static wkResult checkKeys(const wkDocBuilder* builder, const wkDocNode* map)
{
    wkIoNames names;
    if (map->count < 2) {
        return wk_ok;
    }
    if (!wkIoNames_Init(&names, builder->arena, (size_t)map->count)) {
        return failMemory(builder->source);
    }
    for (const wkDocNode* child = map->firstChild; child != NULL; child = child->next) {
        int32_t line = wkIoNames_Add(&names, child->key, child->line);
        if (line >= 0) {
            return wkIoFailNumberedLine(builder->source->name, (size_t)child->line, wk_errorParse,
                                        "key \"%.80s\" is there already, in line %d", child->key,
                                        (int)line);
        }
    }
    return wk_ok;
}

wkResult wkDocBuilder_Close(wkDocBuilder* builder)
{
    const wkDocNode* node = builder->open[--builder->depth];
    return node->kind == wk_docMap ? checkKeys(builder, node) : wk_ok;
}

wkResult wkDocBuilder_Finish(const wkDocBuilder* builder, wkDocument* document)
{
    static const wkDocNode nothing = {.kind = wk_docText, .line = 1, .text = ""};
    document->name = builder->source->name;
    document->root = builder->root != NULL ? builder->root : &nothing;
    document->nodeCount = builder->nodeCount;
    return wk_ok;
}
