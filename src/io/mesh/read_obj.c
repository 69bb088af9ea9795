// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// OBJ: lines that start with a word. Vertices ("v") and faces ("f") are read; statements about appearance or
// curved surfaces are skipped.

#include "io/file/format.h"
#include "io/text/text_reader.h"

#include <math.h>
#include <string.h>

// Estimated bytes per vertex or face line, for the first reservation.
#define BYTES_PER_LINE 40

typedef struct objReader {
    const wkIoSource* source;
    wkIoBuilder* builder;
    const char* end;
    // The largest index so far and its position: faces may precede their vertices.
    int64_t largestIndex;
    const char* largestAt;
} objReader;

// Skips blanks, and line ends after a backslash.
static const char* skipBlanks(const char* at, const char* end)
{
    for (;;) {
        at = wkIoSkipBlanks(at, end);
        if (at == end || *at != '\\') {
            return at;
        }
        const char* next = wkIoSkipBlanks(at + 1, end);
        if (next == end || *next != '\n') {
            return at;
        }
        at = next + 1;
    }
}

// Returns true at the end of a statement.
static bool isStatementEnd(const char* at, const char* end)
{
    return at == end || *at == '\n' || *at == '#';
}

// Skips to the next line; a backslash continues a statement, but not a comment.
static const char* skipStatement(const char* at, const char* end)
{
    bool isComment = at < end && *at == '#';
    const char* next = wkIoNextLine(at, end);
    while (!isComment && next < end) {
        const char* last = next - 2;
        while (last > at && wkIoIsBlank(*last)) {
            last--;
        }
        if (last < at || *last != '\\') {
            break;
        }
        at = next;
        next = wkIoNextLine(at, end);
    }
    return next;
}

static wkResult failCoordinate(const objReader* reader, const char* at, wkResult result, int axis)
{
    const char* words = result == wk_errorParse ? "is not a number" : "is not finite";
    return wkIoFailLine(reader->source, at, result, "v: vertex %d: %c %s",
                        reader->builder->data.vertexCount, "xyz"[axis], words);
}

static wkResult readVertex(objReader* reader, const char** cursor)
{
    const char* at = *cursor;
    double coordinates[3];
    for (int axis = 0; axis < 3; axis++) {
        const char* word = skipBlanks(at, reader->end);
        at = wkIoParseNumber(word, reader->end, &coordinates[axis]);
        if (at == NULL || !(wkIoIsWordEnd(at, reader->end) || *at == '\\' || *at == '#')) {
            return failCoordinate(reader, word, wk_errorParse, axis);
        }
        if (!isfinite(coordinates[axis])) {
            return failCoordinate(reader, word, wk_errorNotFinite, axis);
        }
    }
    // a weight or a colour may follow
    *cursor = skipStatement(at, reader->end);
    wkVec3d vertex = {coordinates[0], coordinates[1], coordinates[2]};
    return wkIoBuilder_AddVertex(reader->builder, reader->source, vertex);
}

// Skips the rest of a face vertex, "/texture/normal", which collision does not use.
static const char* skipOtherIndices(const char* at, const char* end)
{
    while (at < end && (wkIoIsDigit(*at) || *at == '/' || *at == '-')) {
        at++;
    }
    return at;
}

// Reads the index of a vertex, counted from 0.
static wkResult readFaceVertex(objReader* reader, const char** cursor, int32_t* index)
{
    const char* word = *cursor;
    int64_t number;
    const char* at = wkIoParseInteger(word, reader->end, &number);
    if (at != NULL && at < reader->end && *at == '/') {
        at = skipOtherIndices(at, reader->end);
    }
    if (at == NULL || !(wkIoIsWordEnd(at, reader->end) || *at == '\\' || *at == '#')) {
        return wkIoFailLine(reader->source, word, wk_errorParse,
                            "f: a vertex is not of the form v, v/vt, v//vn or v/vt/vn");
    }
    int32_t vertexCount = reader->builder->data.vertexCount;
    if (number == 0 || number < -(int64_t)vertexCount || number > INT32_MAX) {
        return wkIoFailLine(reader->source, word, wk_errorParse,
                            "f: vertex %lld, but there are %d so far", (long long)number,
                            vertexCount);
    }
    if (number > reader->largestIndex) {
        reader->largestIndex = number;
        reader->largestAt = word;
    }
    *index = (int32_t)(number > 0 ? number - 1 : vertexCount + number);
    *cursor = at;
    return wk_ok;
}

// Reads a polygon as a fan around its first vertex.
static wkResult readFace(objReader* reader, const char** cursor)
{
    const char* start = *cursor;
    int32_t first = 0, previous = 0, index = 0;
    int count = 0;
    for (;;) {
        *cursor = skipBlanks(*cursor, reader->end);
        if (isStatementEnd(*cursor, reader->end)) {
            break;
        }
        wkResult result = readFaceVertex(reader, cursor, &index);
        if (result == wk_ok && count >= 2) {
            result =
                wkIoBuilder_AddTriangle(reader->builder, reader->source, first, previous, index);
        }
        if (result != wk_ok) {
            return result;
        }
        first = count == 0 ? index : first;
        previous = index;
        count += count < 3 ? 1 : 0;
    }
    if (count < 3) {
        return wkIoFailLine(reader->source, start, wk_errorParse,
                            "f: a face has %d vertices, must have at least 3", count);
    }
    *cursor = wkIoNextLine(*cursor, reader->end);
    return wk_ok;
}

// Returns true at a statement of that single letter.
static bool isStatement(const char* at, const char* end, char letter)
{
    return *at == letter && at + 1 < end && (wkIoIsBlank(at[1]) || at[1] == '\\');
}

wkResult wkIoReadObj(const wkIoSource* source, wkIoBuilder* builder)
{
    const char* at = (const char*)source->bytes;
    objReader reader = {source, builder, at + source->byteCount, 0, at};
    size_t lineGuess = source->byteCount / BYTES_PER_LINE / 2;
    wkResult result = wkIoBuilder_ReserveVertices(builder, source, lineGuess);
    if (result == wk_ok) {
        result = wkIoBuilder_ReserveTriangles(builder, source, lineGuess);
    }
    while (result == wk_ok) {
        at = wkIoSkipSpaces(at, reader.end);
        if (at == reader.end) {
            break;
        }
        if (isStatement(at, reader.end, 'v')) {
            at++;
            result = readVertex(&reader, &at);
        } else if (isStatement(at, reader.end, 'f')) {
            at++;
            result = readFace(&reader, &at);
        } else {
            at = skipStatement(at, reader.end);
        }
    }
    if (result == wk_ok && reader.largestIndex > builder->data.vertexCount) {
        result = wkIoFailLine(source, reader.largestAt, wk_errorParse,
                              "f: vertex %lld, but there are only %d",
                              (long long)reader.largestIndex, builder->data.vertexCount);
    }
    return result;
}
