// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Builds the tree from the events of expat. Entity declarations are refused: no supported file needs them,
// and a few nested entities can expand to more text than fits into memory.

#include "io/text/xml.h"

#include "io/text/text_reader.h"

#include "whisker/detail/library.h"

#include <stdalign.h>
#include <string.h>

#if !defined(WK_HAS_EXPAT)

wkResult wkXmlFile_Parse(wkXmlFile* file, const wkIoSource* source, wkIoArena* arena)
{
    (void)arena;
    file->name = source->name;
    file->root = NULL;
    return wkIoFail(source->name, wk_errorUnsupported, "XML needs expat, which this build lacks");
}

#else

#include <expat.h>

// More than any description of a robot has.
#define MAX_BYTES (64 << 20)
#define MAX_DEPTH 100

typedef struct treeBuilder {
    XML_Parser parser;
    const wkIoSource* source;
    wkIoArena* arena;
    size_t skippedLines;                // before the bytes passed to expat
    int32_t depth;                      // number of open elements
    wkXmlElement* open[MAX_DEPTH];      // from the root inward
    wkXmlElement* lastChild[MAX_DEPTH]; // of each; NULL: none yet
    wkXmlElement* root;
    bool keepsText;
    char* text; // since the last tag
    size_t textLength;
    size_t textCapacity;
    wkResult result;
} treeBuilder;

// The size of each block of expat is stored in front of it, since expat frees without a size.
#define SIZE_BYTES alignof(max_align_t)

static void* allocate(size_t byteCount)
{
    char* memory = byteCount < SIZE_MAX / 2 ? wkAllocate(byteCount + SIZE_BYTES) : NULL;
    if (memory == NULL) {
        return NULL;
    }
    memcpy(memory, &byteCount, sizeof byteCount);
    return memory + SIZE_BYTES;
}

static size_t sizeOf(const void* memory)
{
    size_t byteCount;
    memcpy(&byteCount, (const char*)memory - SIZE_BYTES, sizeof byteCount);
    return byteCount;
}

static void release(void* memory)
{
    if (memory != NULL) {
        wkRelease((char*)memory - SIZE_BYTES, sizeOf(memory) + SIZE_BYTES);
    }
}

static void* reallocate(void* memory, size_t byteCount)
{
    void* other = allocate(byteCount);
    if (other != NULL && memory != NULL) {
        size_t old = sizeOf(memory);
        memcpy(other, memory, old < byteCount ? old : byteCount);
        release(memory);
    }
    return other;
}

static const XML_Memory_Handling_Suite memorySuite = {allocate, reallocate, release};

static size_t currentLine(const treeBuilder* b)
{
    return (size_t)XML_GetCurrentLineNumber(b->parser) + b->skippedLines;
}

static void stop(treeBuilder* b, wkResult result, const char* words)
{
    b->result = wkIoFailNumberedLine(b->source->name, currentLine(b), result, "%s", words);
    XML_StopParser(b->parser, XML_FALSE);
}

static const wkXmlAttribute* copyAttributes(treeBuilder* b, const XML_Char** given, int32_t count)
{
    wkXmlAttribute* copies = wkIoArena_AllocArray(b->arena, (size_t)count + 1, sizeof *copies);
    for (int32_t i = 0; i < count && copies != NULL; i++) {
        const char* name = given[2 * i];
        const char* value = given[2 * i + 1];
        copies[i].name = wkIoArena_CopyText(b->arena, name, strlen(name));
        copies[i].value = wkIoArena_CopyText(b->arena, value, strlen(value));
        if (copies[i].name == NULL || copies[i].value == NULL) {
            return NULL;
        }
    }
    return copies;
}

// Appends an element after its siblings.
static void hangUp(treeBuilder* b, wkXmlElement* element)
{
    if (b->depth == 0) {
        b->root = element;
        return;
    }
    int32_t top = b->depth - 1;
    element->parent = b->open[top];
    if (b->lastChild[top] != NULL) {
        b->lastChild[top]->next = element;
    } else {
        b->open[top]->firstChild = element;
    }
    b->lastChild[top] = element;
}

static void XMLCALL startElement(void* context, const XML_Char* name, const XML_Char** attributes)
{
    treeBuilder* b = (treeBuilder*)context;
    if (b->result != wk_ok) {
        return;
    }
    if (b->depth == MAX_DEPTH) {
        stop(b, wk_errorParse, "elements are nested too deep");
        return;
    }
    wkXmlElement* element = wkIoArena_Alloc(b->arena, sizeof *element);
    char* copy = wkIoArena_CopyText(b->arena, name, strlen(name));
    int32_t count = 0;
    while (attributes[2 * count] != NULL) {
        count++;
    }
    const wkXmlAttribute* copies = copyAttributes(b, attributes, count);
    if (element == NULL || copy == NULL || copies == NULL) {
        stop(b, wk_errorMemory, "no memory for its elements");
        return;
    }
    element->name = copy;
    element->attributes = copies;
    element->attributeCount = count;
    element->line = (int32_t)currentLine(b);
    hangUp(b, element);
    b->open[b->depth] = element;
    b->lastChild[b->depth] = NULL;
    b->depth++;
    b->textLength = 0;
}

// Collects text, which comes in pieces. The buffer doubles, so all buffers together take twice the longest.
static void XMLCALL addText(void* context, const XML_Char* text, int length)
{
    treeBuilder* b = (treeBuilder*)context;
    size_t needed = b->textLength + (size_t)length;
    if (b->result != wk_ok) {
        return;
    }
    if (needed > b->textCapacity) {
        char* larger = wkIoArena_Alloc(b->arena, 2 * needed + 256);
        if (larger == NULL) {
            stop(b, wk_errorMemory, "no memory for its text");
            return;
        }
        if (b->textLength > 0) {
            memcpy(larger, b->text, b->textLength);
        }
        b->text = larger;
        b->textCapacity = 2 * needed + 256;
    }
    memcpy(b->text + b->textLength, text, (size_t)length);
    b->textLength = needed;
}

static void XMLCALL endElement(void* context, const XML_Char* name)
{
    treeBuilder* b = (treeBuilder*)context;
    (void)name;
    if (b->result != wk_ok) {
        return;
    }
    wkXmlElement* element = b->open[--b->depth];
    if (b->keepsText && element->firstChild == NULL) {
        element->text = wkIoArena_CopyText(b->arena, b->text, b->textLength);
        if (element->text == NULL) {
            stop(b, wk_errorMemory, "no memory for its text");
        }
    }
}

static void XMLCALL refuseEntity(void* context, const XML_Char* name, int isParameter,
                                 const XML_Char* value, int valueLength, const XML_Char* base,
                                 const XML_Char* systemId, const XML_Char* publicId,
                                 const XML_Char* notation)
{
    (void)name;
    (void)isParameter;
    (void)value;
    (void)valueLength;
    (void)base;
    (void)systemId;
    (void)publicId;
    (void)notation;
    stop((treeBuilder*)context, wk_errorParse, "entities are not read");
}

// Skips blank lines before the first element, as other readers do. A UTF-8 byte order mark may precede or
// follow them.
static const char* skipBlanks(treeBuilder* b, const char* at, const char* end)
{
    static const char mark[] = "\xef\xbb\xbf";
    for (int i = 0; i < 2; i++) {
        for (; at < end && wkIoIsSpace(*at); at++) {
            b->skippedLines += *at == '\n' ? 1 : 0;
        }
        if (end - at >= 3 && memcmp(at, mark, 3) == 0) {
            at += 3;
        }
    }
    return at;
}

static wkResult failAsExpat(const treeBuilder* b)
{
    enum XML_Error error = XML_GetErrorCode(b->parser);
    if (error == XML_ERROR_NO_MEMORY) {
        return wkIoFail(b->source->name, wk_errorMemory, "no memory to read XML");
    }
    return wkIoFailNumberedLine(b->source->name, currentLine(b), wk_errorParse, "XML: %s",
                                XML_ErrorString(error));
}

static wkResult runParser(treeBuilder* b)
{
    const char* start = (const char*)b->source->bytes;
    const char* end = start + b->source->byteCount;
    const char* at = skipBlanks(b, start, end);
    XML_SetUserData(b->parser, b);
    XML_SetElementHandler(b->parser, startElement, endElement);
    XML_SetEntityDeclHandler(b->parser, refuseEntity);
    if (b->keepsText) {
        XML_SetCharacterDataHandler(b->parser, addText);
    }
    enum XML_Status status = XML_Parse(b->parser, at, (int)(end - at), 1);
    if (b->result != wk_ok) {
        return b->result;
    }
    return status == XML_STATUS_OK ? wk_ok : failAsExpat(b);
}

wkResult wkXmlFile_Parse(wkXmlFile* file, const wkIoSource* source, wkIoArena* arena)
{
    file->name = source->name;
    file->root = NULL;
    if (source->byteCount > MAX_BYTES) {
        return wkIoFail(source->name, wk_errorParse, "%zu bytes are more than the %d that are read",
                        source->byteCount, MAX_BYTES);
    }
    treeBuilder b = {
        .source = source, .arena = arena, .keepsText = file->keepsText, .text = (char[1]){0}};
    b.parser = XML_ParserCreate_MM(NULL, &memorySuite, NULL);
    if (b.parser == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory to read XML");
    }
    wkResult result = runParser(&b);
    XML_ParserFree(b.parser);
    file->root = result == wk_ok ? b.root : NULL;
    return result;
}

#endif
