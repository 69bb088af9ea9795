// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// YAML through libyaml. An alias is read as a copy of the node that its anchor marks, and the key << merges
// keys of other maps that the map lacks. A few nested aliases can expand to more than fits into memory, so
// copies are limited. Memory of libyaml itself is not counted: it supports no allocator but malloc.

#include "io/text/document.h"

#if !defined(WK_HAS_YAML)

wkResult wkDocument_ParseYaml(wkDocument* document, const wkIoSource* source, wkIoArena* arena)
{
    (void)document;
    (void)arena;
    return wkIoFail(source->name, wk_errorUnsupported,
                    "YAML needs libyaml, which this build lacks; JSON is read without it");
}

#else

#include <string.h>
#include <yaml.h>

static size_t lineOf(yaml_mark_t mark)
{
    return mark.line + 1;
}

static wkResult failAt(const wkIoSource* source, yaml_mark_t mark, const char* words)
{
    return wkIoFailNumberedLine(source->name, lineOf(mark), wk_errorParse, "YAML: %s", words);
}

static wkResult failAsParser(const wkIoSource* source, const yaml_parser_t* parser)
{
    if (parser->error == YAML_MEMORY_ERROR) {
        return wkIoFail(source->name, wk_errorMemory, "no memory to read YAML");
    }
    return failAt(source, parser->problem_mark,
                  parser->problem != NULL ? parser->problem : "it cannot be read");
}

// Maximum number of nodes that all aliases of a file may expand to.
#define MAX_COPIES (1 << 18)
#define MAX_ANCHORS (1 << 16)
#define BUCKET_COUNT 256

// Maximum number of keys of a map with <<, which are searched for each key.
#define MAX_MERGED_KEYS 1024

// An anchor with its node. A later anchor of the same name precedes an earlier one.
typedef struct anchor {
    const char* name;
    const wkDocNode* node;
    struct anchor* next;
} anchor;

typedef struct yamlReader {
    wkDocBuilder builder;
    int32_t budget; // nodes that aliases may yet expand to
    int32_t anchorCount;
    anchor* buckets[BUCKET_COUNT];
} yamlReader;

static anchor** bucketOf(yamlReader* r, const char* name)
{
    unsigned h = 0;
    for (const char* c = name; *c != '\0'; c++) {
        h = 31 * h + (unsigned char)*c;
    }
    return &r->buckets[h % BUCKET_COUNT];
}

// Registers the anchor of a node, if it has one.
static wkResult addAnchor(yamlReader* r, const yaml_char_t* name, const wkDocNode* node,
                          const yaml_event_t* event)
{
    if (name == NULL) {
        return wk_ok;
    }
    const char* text = (const char*)name;
    anchor* added = wkIoArena_Alloc(r->builder.arena, sizeof *added);
    char* copy = wkIoArena_CopyText(r->builder.arena, text, strlen(text));
    if (added == NULL || copy == NULL) {
        return wkIoFail(r->builder.source->name, wk_errorMemory, "no memory for what it describes");
    }
    if (r->anchorCount++ == MAX_ANCHORS) {
        return failAt(r->builder.source, event->start_mark, "more than 65536 anchors");
    }
    anchor** bucket = bucketOf(r, text);
    *added = (anchor){copy, node, *bucket};
    *bucket = added;
    return wk_ok;
}

static wkResult addScalar(yamlReader* r, const yaml_event_t* event)
{
    const char* text = (const char*)event->data.scalar.value;
    size_t length = event->data.scalar.length, line = lineOf(event->start_mark);
    if (wkDocBuilder_WantsKey(&r->builder)) {
        return event->data.scalar.anchor == NULL
                   ? wkDocBuilder_AddKey(&r->builder, text, length, line)
                   : failAt(r->builder.source, event->start_mark, "a key has an anchor");
    }
    bool isQuoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    wkResult result = wkDocBuilder_AddText(&r->builder, text, length, isQuoted, line);
    return result == wk_ok
               ? addAnchor(r, event->data.scalar.anchor, wkDocBuilder_Last(&r->builder), event)
               : result;
}

static wkResult open(yamlReader* r, const yaml_event_t* event, wkDocKind kind)
{
    if (wkDocBuilder_WantsKey(&r->builder)) {
        return failAt(r->builder.source, event->start_mark, "a key is a list or a map");
    }
    wkResult result = wkDocBuilder_Open(&r->builder, kind, lineOf(event->start_mark));
    if (result != wk_ok) {
        return result;
    }
    const yaml_char_t* name =
        kind == wk_docMap ? event->data.mapping_start.anchor : event->data.sequence_start.anchor;
    return addAnchor(r, name, r->builder.open[r->builder.depth - 1], event);
}

static bool isOpen(const wkDocBuilder* builder, const wkDocNode* node)
{
    for (int32_t i = 0; i < builder->depth; i++) {
        if (builder->open[i] == node) {
            return true;
        }
    }
    return false;
}

static wkResult addAlias(yamlReader* r, const yaml_event_t* event)
{
    const char* name = (const char*)event->data.alias.anchor;
    const anchor* found = *bucketOf(r, name);
    while (found != NULL && strcmp(found->name, name) != 0) {
        found = found->next;
    }
    wkDocBuilder* builder = &r->builder;
    size_t line = lineOf(event->start_mark);
    if (found == NULL) {
        return wkIoFailNumberedLine(builder->source->name, line, wk_errorParse,
                                    "YAML: no anchor &%.80s stands before the alias", name);
    }
    if (isOpen(builder, found->node)) {
        return wkIoFailNumberedLine(builder->source->name, line, wk_errorParse,
                                    "YAML: *%.80s stands for a part of itself", name);
    }
    if (wkDocBuilder_WantsKey(builder)) {
        const char* text = found->node->text;
        return found->node->kind == wk_docText
                   ? wkDocBuilder_AddKey(builder, text, strlen(text), line)
                   : failAt(builder->source, event->start_mark, "a key is a list or a map");
    }
    return wkDocBuilder_AddCopy(builder, found->node, &r->budget, line);
}

// Copies the values of keys that a map lacks from another map.
static wkResult mergeMap(yamlReader* r, const wkDocNode* map, const wkDocNode* from)
{
    if (from->kind != wk_docMap) {
        return wkIoFailNumberedLine(r->builder.source->name, (size_t)from->line, wk_errorParse,
                                    "YAML: << stands for a map or a list of maps");
    }
    wkResult result = wk_ok;
    for (const wkDocNode* child = from->firstChild; child != NULL && result == wk_ok;
         child = child->next) {
        if (map->count > MAX_MERGED_KEYS) {
            return wkIoFailNumberedLine(r->builder.source->name, (size_t)map->line, wk_errorParse,
                                        "YAML: << in a map of more than %d keys", MAX_MERGED_KEYS);
        }
        if (wkDocNode_Find(map, child->key) == NULL) {
            r->builder.key = child->key;
            result = wkDocBuilder_AddCopy(&r->builder, child, &r->budget, (size_t)map->line);
        }
    }
    return result;
}

// Resolves the key << of a map that ends here. Of several maps, earlier ones take precedence.
static wkResult merge(yamlReader* r)
{
    wkDocNode* map = r->builder.open[r->builder.depth - 1];
    const wkDocNode* given = wkDocNode_Find(map, "<<");
    if (map->kind != wk_docMap || given == NULL) {
        return wk_ok;
    }
    wkResult result = wk_ok;
    if (given->kind == wk_docList) {
        for (const wkDocNode* from = given->firstChild; from != NULL && result == wk_ok;
             from = from->next) {
            result = mergeMap(r, map, from);
        }
    } else {
        result = mergeMap(r, map, given);
    }
    wkDocBuilder_Drop(&r->builder, given);
    return result;
}

static wkResult close(yamlReader* r)
{
    wkResult result = merge(r);
    return result == wk_ok ? wkDocBuilder_Close(&r->builder) : result;
}

// Handles an event of the parser. Other events do not affect the content.
static wkResult takeEvent(yamlReader* r, const yaml_event_t* event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return addScalar(r, event);
    case YAML_SEQUENCE_START_EVENT:
        return open(r, event, wk_docList);
    case YAML_MAPPING_START_EVENT:
        return open(r, event, wk_docMap);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return close(r);
    case YAML_ALIAS_EVENT:
        return addAlias(r, event);
    case YAML_DOCUMENT_START_EVENT:
        return r->builder.root == NULL
                   ? wk_ok
                   : failAt(r->builder.source, event->start_mark, "a second document follows");
    default:
        return wk_ok;
    }
}

wkResult wkDocument_ParseYaml(wkDocument* document, const wkIoSource* source, wkIoArena* arena)
{
    yaml_parser_t parser;
    wkResult result = wkDocBuilder_CheckSize(source);
    if (result != wk_ok) {
        return result;
    }
    if (!yaml_parser_initialize(&parser)) {
        return wkIoFail(source->name, wk_errorMemory, "no memory to read YAML");
    }
    yaml_parser_set_input_string(&parser, source->bytes, source->byteCount);
    yamlReader reader = {.builder = wkDocBuilder_Start(source, arena), .budget = MAX_COPIES};
    for (bool isDone = false; !isDone && result == wk_ok;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            result = failAsParser(source, &parser);
            break;
        }
        result = takeEvent(&reader, &event);
        isDone = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return result == wk_ok ? wkDocBuilder_Finish(&reader.builder, document) : result;
}

#endif
