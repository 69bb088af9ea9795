// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// OctoMap files: a few lines of text, then the cells as wkOctree_Decode reads them. All headers of OctoMap
// 1.9 are read, its oldest ones included, except those without a size: OctoMap reads such a file as an empty
// map.

#include "io/file/bytes.h"
#include "io/file/format.h"
#include "io/text/text_reader.h"

#include "whisker/detail/library.h"

#include <stdio.h>
#include <string.h>

// One row per kind of file.
typedef struct fileKind {
    const char* firstLine; // the only difference by which the two kinds are recognized
    wkOctreeCode code;
    size_t bytesPerCube; // at least; times 8 for the short code, whose cubes hold eight
    int cubesPerUnit;
    bool isCommon; // written by all kinds of trees, without their data beyond OcTree
} fileKind;

static const fileKind kinds[] = {
    [wk_octreeCodeShort] = {"# Octomap OcTree binary file", wk_octreeCodeShort, 2, 8, true},
    [wk_octreeCodeFull] = {"# Octomap OcTree file", wk_octreeCodeFull, 5, 1, false},
};

// Before the text header was introduced, .bt files began with three numbers: the kind of tree, the
// resolution and the number of cubes.
#define OLD_TREE 3
#define OLD_RESOLUTION_AT 4
#define OLD_SIZE_AT 12
#define OLD_BYTES 16

// Content of a header.
typedef struct header {
    const fileKind* kind;
    bool hasId;
    int64_t size; // number of cubes; -1: not given
    double resolution;
    size_t byteCount; // size of the header: offset of the cells
} header;

static bool startsAs(const fileKind* kind, const uint8_t* bytes, size_t byteCount)
{
    size_t length = strlen(kind->firstLine);
    return byteCount > length && memcmp(bytes, kind->firstLine, length) == 0;
}

bool wkIoMatchBt(const uint8_t* bytes, size_t byteCount)
{
    return startsAs(&kinds[wk_octreeCodeShort], bytes, byteCount);
}

bool wkIoMatchOt(const uint8_t* bytes, size_t byteCount)
{
    return startsAs(&kinds[wk_octreeCodeFull], bytes, byteCount);
}

static const fileKind* kindOfLine(const wkIoSource* source)
{
    bool isShort = wkIoMatchBt(source->bytes, source->byteCount);
    bool isFull = wkIoMatchOt(source->bytes, source->byteCount);
    return isShort ? &kinds[wk_octreeCodeShort] : isFull ? &kinds[wk_octreeCodeFull] : NULL;
}

// Compares a word; case matters, as in OctoMap.
static bool isToken(const char* at, const char* end, const char* word)
{
    size_t length = strlen(word);
    return (size_t)(end - at) >= length && memcmp(at, word, length) == 0 &&
           wkIoIsWordEnd(at + length, end);
}

// Returns the length of the rest of a line, for error messages.
static int lengthOfLine(const char* at, const char* end)
{
    const char* stop = at;
    while (stop < end && *stop != '\n' && *stop != '\r' && stop - at < 40) {
        stop++;
    }
    return (int)(stop - at);
}

static wkResult readId(const wkIoSource* source, const char* at, const char* end, header* h)
{
    // the oldest files have a number as name
    bool isKnown = h->kind->isCommon || isToken(at, end, "OcTree") || isToken(at, end, "1");
    if (!isKnown) {
        return wkIoFailLine(source, at, wk_errorUnsupported,
                            "id \"%.*s\": only OcTree is read, not its relatives",
                            lengthOfLine(at, end), at);
    }
    h->hasId = true;
    return wk_ok;
}

static wkResult readSize(const wkIoSource* source, const char* at, const char* end, header* h)
{
    const char* stop = wkIoParseInteger(at, end, &h->size);
    if (stop == NULL || !wkIoIsWordEnd(stop, end) || h->size < 0) {
        return wkIoFailLine(source, at, wk_errorParse, "size \"%.*s\" is not a number of cubes",
                            lengthOfLine(at, end), at);
    }
    return wk_ok;
}

static wkResult readResolution(const wkIoSource* source, const char* at, const char* end, header* h)
{
    const char* stop = wkIoParseNumber(at, end, &h->resolution);
    if (stop == NULL || !wkIoIsWordEnd(stop, end) || !(h->resolution > 0.0)) {
        return wkIoFailLine(source, at, wk_errorParse, "res \"%.*s\" is not a length above 0",
                            lengthOfLine(at, end), at);
    }
    return wk_ok;
}

// Keywords of the header, each followed by a value.
typedef struct keyword {
    const char* word;
    wkResult (*read)(const wkIoSource* source, const char* at, const char* end, header* h);
} keyword;

static const keyword keywords[] = {
    {"id", readId},
    {"size", readSize},
    {"res", readResolution},
};

#define KEYWORD_COUNT ((int)(sizeof keywords / sizeof keywords[0]))

static const keyword* findKeyword(const char* at, const char* end)
{
    for (int i = 0; i < KEYWORD_COUNT; i++) {
        if (isToken(at, end, keywords[i].word)) {
            return &keywords[i];
        }
    }
    return NULL;
}

static wkResult readWords(const wkIoSource* source, header* h)
{
    const char* start = (const char*)source->bytes;
    const char* end = start + source->byteCount;
    const char* at = wkIoSkipSpaces(wkIoNextLine(start, end), end);
    for (; at < end; at = wkIoSkipSpaces(at, end)) {
        if (isToken(at, end, "data")) {
            h->byteCount = (size_t)(wkIoNextLine(at, end) - start);
            return wk_ok;
        }
        const keyword* found = findKeyword(at, end);
        if (found == NULL) {
            at = wkIoNextLine(at, end); // a comment, or a line that OctoMap skips as well
            continue;
        }
        at = wkIoSkipSpaces(wkIoSkipWord(at, end), end);
        wkResult result = found->read(source, at, end, h);
        if (result != wk_ok) {
            return result;
        }
        at = wkIoSkipWord(at, end);
    }
    return wk_ok;
}

static bool isOld(const wkIoSource* source)
{
    return source->byteCount >= OLD_BYTES && wkIoLoad32(source->bytes) == OLD_TREE;
}

static wkResult readOldHeader(const wkIoSource* source, header* h)
{
    h->kind = &kinds[wk_octreeCodeShort];
    h->resolution = wkIoDouble(wkIoLoad64(source->bytes + OLD_RESOLUTION_AT));
    h->size = wkIoLoad32(source->bytes + OLD_SIZE_AT);
    h->byteCount = OLD_BYTES;
    if (!(h->resolution > 0.0)) {
        return wkIoFailByte(source, source->bytes + OLD_RESOLUTION_AT, wk_errorParse,
                            "the resolution is %g, not a length above 0", h->resolution);
    }
    return wk_ok;
}

static wkResult readHeader(const wkIoSource* source, header* h)
{
    *h = (header){.kind = kindOfLine(source), .size = -1};
    if (h->kind == NULL && isOld(source)) {
        return readOldHeader(source, h);
    }
    if (h->kind == NULL) {
        return wkIoFail(source->name, wk_errorParse,
                        "line 1 is neither \"%s\" nor \"%s\": not a map of OctoMap",
                        kinds[wk_octreeCodeShort].firstLine, kinds[wk_octreeCodeFull].firstLine);
    }
    wkResult result = readWords(source, h);
    if (result != wk_ok) {
        return result;
    }
    const char* missing = h->byteCount == 0        ? "data"
                          : !h->hasId              ? "id"
                          : !(h->resolution > 0.0) ? "res"
                          : h->size < 0            ? "size"
                                                   : NULL;
    if (missing != NULL) {
        return wkIoFail(source->name, wk_errorParse, "the header has no line \"%s\"", missing);
    }
    return wk_ok;
}

// Refuses a size that the file cannot hold, before memory is allocated.
static wkResult checkSize(const wkIoSource* source, const header* h)
{
    size_t byteCount = source->byteCount - h->byteCount;
    int64_t most = (int64_t)(byteCount / h->kind->bytesPerCube) * h->kind->cubesPerUnit + 1;
    if (h->size > most) {
        return wkIoFail(source->name, wk_errorParse,
                        "size is %lld cubes, but %zu bytes hold %lld at most", (long long)h->size,
                        byteCount, (long long)most);
    }
    return wk_ok;
}

// Converts an error's byte offset in the cells, as libwhisker reports it, to an offset in the file.
static wkResult failInCells(const wkIoSource* source, const header* h, wkResult result)
{
    static const char lead[] = "cells: byte ";
    char words[200];
    snprintf(words, sizeof words, "%s", wkGetLastError());
    int64_t byte = 0;
    const char* rest = strncmp(words, lead, sizeof lead - 1) == 0
                           ? wkIoParseInteger(words + sizeof lead - 1, words + strlen(words), &byte)
                           : NULL;
    if (rest == NULL || strncmp(rest, ": ", 2) != 0) {
        return wkIoFail(source->name, result, "%s", words);
    }
    return wkIoFailByte(source, source->bytes + h->byteCount + byte, result, "%s", rest + 2);
}

static wkResult decode(const wkIoSource* source, const header* h, wkOctree** octree)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = h->resolution;
    wkOctreeCodeInfo info;
    size_t byteCount = h->size > 0 ? source->byteCount - h->byteCount : 0;
    wkResult result = wkOctree_Decode(&def, h->kind->code, source->bytes + h->byteCount, byteCount,
                                      &info, octree);
    if (result != wk_ok) {
        return failInCells(source, h, result);
    }
    if (info.cubeCount != h->size) {
        result = wkIoFail(source->name, wk_errorParse, "size is %lld cubes, but there are %lld",
                          (long long)h->size, (long long)info.cubeCount);
    } else if (info.byteCount != source->byteCount - h->byteCount) {
        result = wkIoFailByte(source, source->bytes + h->byteCount + info.byteCount, wk_errorParse,
                              "the map ends here, the file goes on");
    }
    if (result != wk_ok) {
        wkOctree_Destroy(*octree);
        *octree = NULL;
    }
    return result;
}

wkResult wkIoReadOctomap(const wkIoSource* source, wkOctree** octree)
{
    header h;
    wkResult result = readHeader(source, &h);
    if (result == wk_ok) {
        result = checkSize(source, &h);
    }
    return result == wk_ok ? decode(source, &h, octree) : result;
}

static wkResult takeMap(const wkIoSource* source, const wkIoFormat* format, void* result)
{
    return format->readMap(source, (wkOctree**)result);
}

wkResult wkOctree_Load(const char* path, wkOctree** octree)
{
    if (path == NULL || octree == NULL) {
        return wkSetLastError(wk_errorArgument, "load: path or octree is NULL");
    }
    *octree = NULL;
    return wkIoLoad(path, wk_ioMap, NULL, NULL, takeMap, octree);
}

wkResult wkOctree_Parse(const void* bytes, size_t byteCount, wkOctree** octree)
{
    if ((bytes == NULL && byteCount > 0) || octree == NULL) {
        return wkSetLastError(wk_errorArgument, "parse: bytes or octree is NULL");
    }
    *octree = NULL;
    wkIoSource source = {.name = "octree", .bytes = bytes, .byteCount = byteCount, .extension = ""};
    return wkIoReadOctomap(&source, octree);
}

// Writing.

typedef struct cells {
    const fileKind* kind;
    double resolution;
    wkOctreeCodeInfo info;
    void* bytes;
} cells;

static void writeCells(wkIoSink* sink, const void* context)
{
    const cells* c = (const cells*)context;
    wkIoSink_Print(sink, "%s\n", c->kind->firstLine);
    wkIoSink_Print(sink, "# (feel free to add / change comments, "
                         "but leave the first line as it is!)\n#\n");
    wkIoSink_Print(sink, "id OcTree\nsize %lld\n", (long long)c->info.cubeCount);
    char resolution[WK_IO_NUMBER_CAPACITY];
    wkIoSink_Print(sink, "res %s\n", wkIoWriteNumber(c->resolution, resolution));
    wkIoSink_Print(sink, "data\n");
    wkIoSink_Write(sink, c->bytes, c->info.byteCount);
}

static wkResult saveCells(const char* path, const wkOctree* octree, const fileKind* kind)
{
    cells c = {.kind = kind, .resolution = wkOctree_Def(octree).resolution};
    c.info = wkOctree_Encode(octree, kind->code, NULL);
    size_t capacityLeft = c.info.byteCount > 0 ? c.info.byteCount : 1;
    c.bytes = wkAllocate(capacityLeft);
    if (c.bytes == NULL) {
        return wkIoFail(path, wk_errorMemory, "no memory for %zu bytes", capacityLeft);
    }
    wkOctree_Encode(octree, kind->code, c.bytes);
    wkResult result = wkIoWriteFile(path, writeCells, &c);
    wkRelease(c.bytes, capacityLeft);
    return result;
}

wkResult wkIoSaveOt(const char* path, const wkOctree* octree)
{
    return saveCells(path, octree, &kinds[wk_octreeCodeFull]);
}

// Saves the map thresholded to maximum likelihood, with cells merged into the largest possible cubes.
wkResult wkIoSaveBt(const char* path, const wkOctree* octree)
{
    wkOctree* copy = NULL;
    wkResult result = wkOctree_Copy(octree, &copy);
    if (result == wk_ok) {
        result = wkOctree_ToMaximumLikelihood(copy);
    }
    if (result == wk_ok) {
        result = saveCells(path, copy, &kinds[wk_octreeCodeShort]);
    }
    wkOctree_Destroy(copy);
    return result;
}

wkResult wkOctree_Save(const char* path, const wkOctree* octree)
{
    if (path == NULL || octree == NULL) {
        return wkSetLastError(wk_errorArgument, "save: path or octree is NULL");
    }
    const wkIoFormat* format = NULL;
    wkResult result = wkIoFormat_ForPath(path, wk_ioMap, &format);
    return result == wk_ok ? format->saveMap(path, octree) : result;
}
