// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Makes a document of the events of the JSON reader.

#include "io/text/document.h"
#include "io/text/json_reader.h"

_Static_assert(WK_JSON_MAX_DEPTH == WK_DOC_MAX_DEPTH, "documents are nested as deep as JSON is");

static wkResult takeEvent(wkDocBuilder* builder, const wkJsonReader* r, wkJsonEvent event)
{
    switch (event) {
    case wk_jsonOpenObject:
        return wkDocBuilder_Open(builder, wk_docMap, r->line);
    case wk_jsonOpenArray:
        return wkDocBuilder_Open(builder, wk_docList, r->line);
    case wk_jsonClose:
        return wkDocBuilder_Close(builder);
    case wk_jsonKey:
        return wkDocBuilder_AddKey(builder, r->text, r->length, r->line);
    case wk_jsonFailed:
        return wkIoFailNumberedLine(builder->source->name, r->line, wk_errorParse, "JSON: %s",
                                    r->problem);
    case wk_jsonEnd:
        return wk_ok;
    default:
        return wkDocBuilder_AddText(builder, r->text, r->length, event == wk_jsonString, r->line);
    }
}

wkResult wkDocument_ParseJson(wkDocument* document, const wkIoSource* source, wkIoArena* arena)
{
    wkResult result = wkDocBuilder_CheckSize(source);
    if (result != wk_ok) {
        return result;
    }
    char* scratch = wkIoArena_Alloc(arena, source->byteCount + 1);
    if (scratch == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for what it describes");
    }
    wkDocBuilder builder = wkDocBuilder_Start(source, arena);
    wkJsonReader r = wkJsonReader_Start((const char*)source->bytes, source->byteCount, scratch);
    wkJsonEvent event = wk_jsonNull;
    while (event != wk_jsonEnd && result == wk_ok) {
        event = wkJsonReader_Next(&r);
        result = takeEvent(&builder, &r, event);
    }
    return result == wk_ok ? wkDocBuilder_Finish(&builder, document) : result;
}
