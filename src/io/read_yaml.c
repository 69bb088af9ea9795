// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// YAML through libyaml. Aliases are refused: no file that is read here needs them, and a few nested
// ones can stand for more than fits into memory. What libyaml takes for itself is not counted: it
// knows no allocator but malloc.

#include "io/document.h"

#if !defined(WK_HAS_YAML)

wkResult wkDocument_ParseYaml(wkDocument* document, const wkIoSource* source, wkIoArena* arena)
{
    (void)document;
    (void)arena;
    return wkIoFail(source->name, wk_errorUnsupported,
                    "YAML needs libyaml, which this build lacks; JSON is read without it");
}

#else

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

static wkResult addScalar(wkDocBuilder* builder, const yaml_event_t* event)
{
    const char* text = (const char*)event->data.scalar.value;
    size_t length = event->data.scalar.length, line = lineOf(event->start_mark);
    if (wkDocBuilder_WantsKey(builder)) {
        return wkDocBuilder_AddKey(builder, text, length, line);
    }
    bool isQuoted = event->data.scalar.style != YAML_PLAIN_SCALAR_STYLE;
    return wkDocBuilder_AddText(builder, text, length, isQuoted, line);
}

static wkResult open(wkDocBuilder* builder, const yaml_event_t* event, wkDocKind kind)
{
    return wkDocBuilder_WantsKey(builder)
               ? failAt(builder->source, event->start_mark, "a key is a list or a map")
               : wkDocBuilder_Open(builder, kind, lineOf(event->start_mark));
}

// Takes what the parser has found. Other events say nothing about the content.
static wkResult takeEvent(wkDocBuilder* builder, const yaml_event_t* event)
{
    switch (event->type) {
    case YAML_SCALAR_EVENT:
        return addScalar(builder, event);
    case YAML_SEQUENCE_START_EVENT:
        return open(builder, event, wk_docList);
    case YAML_MAPPING_START_EVENT:
        return open(builder, event, wk_docMap);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT:
        return wkDocBuilder_Close(builder);
    case YAML_ALIAS_EVENT:
        return failAt(builder->source, event->start_mark, "aliases are not read");
    case YAML_DOCUMENT_START_EVENT:
        return builder->root == NULL
                   ? wk_ok
                   : failAt(builder->source, event->start_mark, "a second document follows");
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
    wkDocBuilder builder = wkDocBuilder_Start(source, arena);
    for (bool isDone = false; !isDone && result == wk_ok;) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            result = failAsParser(source, &parser);
            break;
        }
        result = takeEvent(&builder, &event);
        isDone = event.type == YAML_STREAM_END_EVENT;
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    return result == wk_ok ? wkDocBuilder_Finish(&builder, document) : result;
}

#endif
