// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// STL: triangles without indices. Binary files have 80 arbitrary bytes, a count, and 50 bytes per triangle;
// ASCII files start with "solid", and so do some binary files.

#include "io/file/bytes.h"
#include "io/file/format.h"
#include "io/text/text_reader.h"

#include <math.h>
#include <string.h>

#define HEADER_BYTES 84
#define TRIANGLE_BYTES 50
#define NORMAL_BYTES 12 // before the vertices; ignored
#define COUNT_OFFSET 80

static uint64_t statedBytes(const uint8_t* bytes)
{
    return HEADER_BYTES + (uint64_t)TRIANGLE_BYTES * wkIoLoad32(bytes + COUNT_OFFSET);
}

// Returns true when the length matches the count exactly, which is very unlikely for text.
static bool isExactlyBinary(const uint8_t* bytes, size_t byteCount)
{
    return byteCount >= HEADER_BYTES && statedBytes(bytes) == byteCount;
}

// Returns true for "solid", the rest of that line, and then a word that only text has; no zeros in the bytes
// of the binary header.
static bool isAscii(const uint8_t* bytes, size_t byteCount)
{
    size_t headBytes = byteCount < HEADER_BYTES ? byteCount : HEADER_BYTES;
    if (byteCount == 0 || memchr(bytes, 0, headBytes) != NULL) {
        return false;
    }
    const char* end = (const char*)bytes + byteCount;
    const char* at = wkIoSkipSpaces((const char*)bytes, end);
    if (!wkIoIsWord(at, end, "solid")) {
        return false;
    }
    const char* second = wkIoSkipSpaces(wkIoNextLine(at, end), end);
    return second == end || wkIoIsWord(second, end, "facet") || wkIoIsWord(second, end, "endsolid");
}

// Returns true for files that start with the mark of another format. Cut off after 84 bytes, with zeros at the
// end, they have the size of a binary stl without triangles.
static bool hasOtherMark(const uint8_t* bytes, size_t byteCount)
{
    return wkIoMatchBlock(bytes, byteCount) || wkIoMatchPly(bytes, byteCount) ||
           wkIoMatchGlb(bytes, byteCount);
}

bool wkIoMatchStl(const uint8_t* bytes, size_t byteCount)
{
    return (isExactlyBinary(bytes, byteCount) && !hasOtherMark(bytes, byteCount)) ||
           isAscii(bytes, byteCount);
}

// Reports the first of nine coordinates that is not finite.
static wkResult failCoordinate(const wkIoSource* source, const uint8_t* at, uint32_t triangle)
{
    int i = 0;
    while (i < 8 && isfinite(wkIoFloat(wkIoLoad32(at + 4 * i)))) {
        i++;
    }
    return wkIoFailByte(source, at + 4 * i, wk_errorNotFinite,
                        "triangle %u, vertex %d (vertex %lld): %c is not finite", triangle, i / 3,
                        3ll * triangle + i / 3, "xyz"[i % 3]);
}

static wkResult readBinary(const wkIoSource* source, wkIoBuilder* builder)
{
    if (source->byteCount < HEADER_BYTES) {
        return wkIoFail(source->name, wk_errorParse,
                        "%zu bytes are too few for the header of a binary stl, and it does not "
                        "start like an ascii one",
                        source->byteCount);
    }
    uint32_t count = wkIoLoad32(source->bytes + COUNT_OFFSET);
    if (statedBytes(source->bytes) > source->byteCount) {
        return wkIoFailByte(source, source->bytes + COUNT_OFFSET, wk_errorParse,
                            "count says %u triangles, there are bytes for %zu", count,
                            (source->byteCount - HEADER_BYTES) / TRIANGLE_BYTES);
    }
    if (count > WK_IO_MAX_TRIANGLES) {
        return wkIoFailByte(source, source->bytes + COUNT_OFFSET, wk_errorRange,
                            "count says %u triangles, at most %d can be used", count,
                            WK_IO_MAX_TRIANGLES);
    }
    if (!isExactlyBinary(source->bytes, source->byteCount)) {
        wkIoWarn(builder->warning, "%llu bytes after the last of %u triangles",
                 (unsigned long long)(source->byteCount - statedBytes(source->bytes)), count);
    }
    wkResult result = wkIoBuilder_ReserveVertices(builder, source, 3 * (size_t)count);
    if (result == wk_ok) {
        result = wkIoBuilder_ReserveTriangles(builder, source, count);
    }
    if (result != wk_ok) {
        return result;
    }

    double* coordinate = (double*)builder->data.vertices;
    int32_t* index = builder->data.triangles;
    const uint8_t* at = source->bytes + HEADER_BYTES + NORMAL_BYTES;
    for (uint32_t triangle = 0; triangle < count; triangle++, at += TRIANGLE_BYTES) {
        // a sum of nine floats is finite in double when all of them are
        double sum = 0.0;
        for (int i = 0; i < 9; i++) {
            coordinate[i] = (double)wkIoFloat(wkIoLoad32(at + 4 * i));
            sum += coordinate[i];
        }
        if (!isfinite(sum)) {
            return failCoordinate(source, at, triangle);
        }
        for (int i = 0; i < 3; i++) {
            index[i] = (int32_t)(3 * triangle) + i;
        }
        coordinate += 9;
        index += 3;
    }
    builder->data.vertexCount = (int32_t)(3 * count);
    builder->data.triangleCount = (int32_t)count;
    return wk_ok;
}

// Source of the words of a text file.
typedef struct wordReader {
    const wkIoSource* source;
    const char* at;
    const char* end;
} wordReader;

static bool takeWord(wordReader* reader, const char* word)
{
    reader->at = wkIoSkipSpaces(reader->at, reader->end);
    if (!wkIoIsWord(reader->at, reader->end, word)) {
        return false;
    }
    reader->at += strlen(word);
    return true;
}

static wkResult expectWord(wordReader* reader, const char* word)
{
    if (takeWord(reader, word)) {
        return wk_ok;
    }
    if (reader->at == reader->end) {
        return wkIoFailLine(reader->source, reader->at, wk_errorParse,
                            "the file ends where \"%s\" should be", word);
    }
    int length = (int)(wkIoSkipWord(reader->at, reader->end) - reader->at);
    return wkIoFailLine(reader->source, reader->at, wk_errorParse,
                        "\"%.*s\" where \"%s\" should be", length < 40 ? length : 40, reader->at,
                        word);
}

static wkResult readVertex(wordReader* reader, int32_t index, wkVec3d* vertex)
{
    wkResult result = expectWord(reader, "vertex");
    double coordinates[3] = {0.0, 0.0, 0.0};
    for (int i = 0; i < 3 && result == wk_ok; i++) {
        const char* word = wkIoSkipSpaces(reader->at, reader->end);
        reader->at = wkIoParseNumber(word, reader->end, &coordinates[i]);
        if (reader->at == NULL || !wkIoIsWordEnd(reader->at, reader->end)) {
            return wkIoFailLine(reader->source, word, wk_errorParse,
                                "vertex %d: %c is not a number", index, "xyz"[i]);
        }
        if (!isfinite(coordinates[i])) {
            return wkIoFailLine(reader->source, word, wk_errorNotFinite,
                                "vertex %d: %c is not finite", index, "xyz"[i]);
        }
    }
    vertex->x = coordinates[0];
    vertex->y = coordinates[1];
    vertex->z = coordinates[2];
    return result;
}

// Reads a facet after the word "facet". The normal is skipped: it follows from the vertices, and many
// programs write invalid ones.
static wkResult readFacet(wordReader* reader, wkIoBuilder* builder)
{
    wkVec3d faceVertices[3] = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    reader->at = wkIoNextLine(reader->at, reader->end);
    wkResult result = expectWord(reader, "outer");
    if (result == wk_ok) {
        result = expectWord(reader, "loop");
    }
    for (int i = 0; i < 3 && result == wk_ok; i++) {
        result = readVertex(reader, builder->data.vertexCount + i, &faceVertices[i]);
    }
    if (result == wk_ok) {
        result = expectWord(reader, "endloop");
    }
    if (result == wk_ok) {
        result = expectWord(reader, "endfacet");
    }
    return result == wk_ok ? wkIoBuilder_AddLooseTriangle(builder, reader->source, faceVertices)
                           : result;
}

static wkResult readAscii(const wkIoSource* source, wkIoBuilder* builder)
{
    const char* text = (const char*)source->bytes;
    wordReader reader = {source, text, text + source->byteCount};

    // several solids in one file are one mesh
    while (takeWord(&reader, "solid")) {
        reader.at = wkIoNextLine(reader.at, reader.end);
        while (takeWord(&reader, "facet")) {
            wkResult result = readFacet(&reader, builder);
            if (result != wk_ok) {
                return result;
            }
        }
        wkResult result = expectWord(&reader, "endsolid");
        if (result != wk_ok) {
            return result;
        }
        reader.at = wkIoNextLine(reader.at, reader.end);
    }
    if (reader.at < reader.end) {
        return expectWord(&reader, "solid");
    }
    return wk_ok;
}

wkResult wkIoReadStl(const wkIoSource* source, wkIoBuilder* builder)
{
    bool isText = !isExactlyBinary(source->bytes, source->byteCount) &&
                  isAscii(source->bytes, source->byteCount);
    return isText ? readAscii(source, builder) : readBinary(source, builder);
}
