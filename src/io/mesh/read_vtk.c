// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads the points of a legacy VTK file, in text or in big-endian binary; data after the points is ignored.

#include "io/points/point_builder.h"
#include "io/text/line.h"

#include <string.h>

static const char firstLine[] = "# vtk DataFile";

// clang-format off
static const struct { const char* name; wkIoNumber type; } types[] = {
    {"float", wk_numberFloat}, {"double",       wk_numberDouble},
    {"int",   wk_numberInt32}, {"unsigned_int", wk_numberUint32},
    {"short", wk_numberInt16}, {"long",         wk_numberInt64},
};
// clang-format on

#define TYPE_COUNT ((int)(sizeof types / sizeof types[0]))

typedef struct vtkPoints {
    bool isBinary;
    int64_t count;
    wkIoNumber type;
    const char* body;
} vtkPoints;

bool wkIoMatchVtk(const uint8_t* bytes, size_t byteCount)
{
    return byteCount >= sizeof firstLine - 1 && memcmp(bytes, firstLine, sizeof firstLine - 1) == 0;
}

// Reads the count and type after the word POINTS.
static wkResult readPoints(wkIoLine* line, vtkPoints* points)
{
    if (!wkIoLine_NextInteger(line, &points->count) || points->count < 0 ||
        points->count > INT32_MAX) {
        return wkIoLine_Fail(line, "POINTS: the count is not a number from 0 to 2147483647");
    }
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    for (int i = 0; i < TYPE_COUNT; i++) {
        if (wkIoIsWord(word, wordEnd, types[i].name)) {
            points->type = types[i].type;
            return wk_ok;
        }
    }
    return wkIoLine_Fail(line, "POINTS: a type that is not known");
}

// Reads any title, then ASCII or BINARY, then lines up to the points.
static wkResult readHeader(const wkIoSource* source, vtkPoints* points)
{
    const char* next = (const char*)source->bytes;
    const char* end = next + source->byteCount;
    if (!wkIoMatchVtk(source->bytes, source->byteCount)) {
        return wkIoFail(source->name, wk_errorParse, "does not start with \"%s\"", firstLine);
    }
    for (int number = 1; next < end; number++) {
        wkIoLine line = wkIoLine_At(source, next, &next);
        const char* wordEnd;
        const char* word = number == 2 ? line.at : wkIoLine_Next(&line, &wordEnd);
        if (number == 3) {
            points->isBinary = wkIoIsWord(word, line.end, "binary");
            if (!points->isBinary && !wkIoIsWord(word, line.end, "ascii")) {
                return wkIoLine_Fail(&line, "the third line is neither ASCII nor BINARY");
            }
        } else if (number > 3 && wkIoIsWord(word, line.end, "points")) {
            points->body = next;
            return readPoints(&line, points);
        }
    }
    return wkIoFail(source->name, wk_errorParse, "no line starts with POINTS");
}

static wkResult readText(const wkIoSource* source, const vtkPoints* points, wkIoCloud* cloud)
{
    const char* at = points->body;
    const char* end = (const char*)source->bytes + source->byteCount;
    wkResult result = wk_ok;
    while (cloud->data.count < points->count && result == wk_ok) {
        double coordinates[3] = {0.0, 0.0, 0.0};
        for (int axis = 0; axis < 3; axis++) {
            const char* word = wkIoSkipSpaces(at, end);
            at = wkIoParseNumber(word, end, &coordinates[axis]);
            if (at == NULL || !wkIoIsWordEnd(at, end)) {
                return wkIoFailLine(source, word, wk_errorParse, "point %d: %c is no number",
                                    cloud->data.count, "xyz"[axis]);
            }
        }
        result = wkIoCloud_Add(cloud, source, coordinates);
    }
    return result;
}

wkResult wkIoReadVtk(const wkIoSource* source, wkIoCloud* cloud)
{
    vtkPoints points = {.type = wk_numberFloat};
    wkResult result = readHeader(source, &points);
    if (result != wk_ok) {
        return result;
    }
    size_t bytesLeft = (size_t)((const char*)source->bytes + source->byteCount - points.body);
    size_t numberBytes = wkIoNumberBytes(points.type);
    // in text a digit and a space each, but for the last one
    uint64_t most = points.isBinary ? bytesLeft / (3 * numberBytes) : (bytesLeft + 1) / 6;
    if ((uint64_t)points.count > most) {
        return wkIoFail(source->name, wk_errorParse,
                        "POINTS: %lld, but there are bytes for %llu at most",
                        (long long)points.count, (unsigned long long)most);
    }
    result = wkIoCloud_Reserve(cloud, source, (uint64_t)points.count);
    if (result != wk_ok || !points.isBinary) {
        return result == wk_ok ? readText(source, &points, cloud) : result;
    }
    wkIoColumn columns[3];
    for (size_t axis = 0; axis < 3; axis++) {
        columns[axis] = (wkIoColumn){(const uint8_t*)points.body + axis * numberBytes,
                                     3 * numberBytes, points.type};
    }
    wkIoCloud_AddColumns(cloud, columns, (size_t)points.count, true);
    return wk_ok;
}
