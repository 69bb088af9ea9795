// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PCD: points as the header describes them; in text, in binary point by point, or compressed field by field.

#include "io/points/pcd.h"
#include "io/points/point_builder.h"
#include "io/text/line.h"

#include "whisker/detail/library.h"

// Compressed and expanded size, before the compressed data.
#define SIZES_BYTES 8

// Maximum expansion of LZF: a copy of three bytes gives at most 264.
#define MOST_EXPANSION 88

typedef struct pcdReader {
    const wkIoSource* source;
    wkIoCloud* cloud;
    const wkPcdHeader* header;
    size_t bytesLeft; // after the header
} pcdReader;

static wkResult failCount(const pcdReader* reader, uint64_t most)
{
    return wkIoFail(reader->source->name, wk_errorParse,
                    "header: %lld points, but there are bytes for %llu at most",
                    (long long)reader->header->pointCount, (unsigned long long)most);
}

// Reads a point from one line of text.
static wkResult readRow(const pcdReader* reader, wkIoLine* line, double coordinates[3])
{
    const wkPcdHeader* header = reader->header;
    for (int64_t column = 0; column < header->columnCount; column++) {
        int axis = 0;
        while (axis < 3 && header->fields[header->axes[axis]].column != column) {
            axis++;
        }
        const char* wordEnd;
        const char* word = wkIoLine_Next(line, &wordEnd);
        bool isRead = word < wordEnd;
        if (isRead && axis < 3) {
            isRead = wkIoParseNumber(word, wordEnd, &coordinates[axis]) == wordEnd;
        }
        if (!isRead) {
            return wkIoFailLine(reader->source, word, wk_errorParse,
                                "point %d: number %lld of %lld is missing or none",
                                reader->cloud->data.count, (long long)column + 1,
                                (long long)header->columnCount);
        }
    }
    if (wkIoSkipBlanks(line->at, line->end) < line->end) {
        return wkIoFailLine(reader->source, line->at, wk_errorParse,
                            "point %d: more numbers than FIELDS and COUNT say",
                            reader->cloud->data.count);
    }
    return wk_ok;
}

static wkResult readAscii(const pcdReader* reader)
{
    // a digit and a space each, but for the last one
    uint64_t most = (reader->bytesLeft + 1) / (2 * (uint64_t)reader->header->columnCount);
    int64_t count = reader->header->pointCount;
    if ((uint64_t)count > most) {
        return failCount(reader, most);
    }
    wkResult result = wkIoCloud_Reserve(reader->cloud, reader->source, (uint64_t)count);
    const char* next = (const char*)reader->header->body;
    const char* end = next + reader->bytesLeft;
    while (reader->cloud->data.count < count && result == wk_ok) {
        next = wkIoSkipSpaces(next, end);
        if (next == end) {
            return wkIoFailLine(reader->source, end, wk_errorParse,
                                "the file ends after %d of %lld points", reader->cloud->data.count,
                                (long long)count);
        }
        wkIoLine line = wkIoLine_At(reader->source, next, &next);
        double coordinates[3] = {0.0, 0.0, 0.0};
        result = readRow(reader, &line, coordinates);
        if (result == wk_ok) {
            result = wkIoCloud_Add(reader->cloud, reader->source, coordinates);
        }
    }
    wkIoCloud_WarnOfRest(reader->cloud, (size_t)(end - wkIoSkipSpaces(next, end)));
    return result;
}

static wkResult readBinary(const pcdReader* reader)
{
    const wkPcdHeader* header = reader->header;
    uint64_t count = (uint64_t)header->pointCount;
    if (count > reader->bytesLeft / header->rowBytes) {
        return failCount(reader, reader->bytesLeft / header->rowBytes);
    }
    wkResult result = wkIoCloud_Reserve(reader->cloud, reader->source, count);
    if (result != wk_ok) {
        return result;
    }
    wkIoColumn columns[3];
    for (int axis = 0; axis < 3; axis++) {
        const wkPcdField* field = &header->fields[header->axes[axis]];
        columns[axis] = (wkIoColumn){header->body + field->offset, (size_t)header->rowBytes,
                                     wkIoFindNumber(field->kind, field->size)};
    }
    wkIoCloud_AddColumns(reader->cloud, columns, (size_t)count, false);
    wkIoCloud_WarnOfRest(reader->cloud, reader->bytesLeft - (size_t)(count * header->rowBytes));
    return wk_ok;
}

// Appends points from expanded data: field after field, each for all points.
static wkResult addExpanded(const pcdReader* reader, const uint8_t* expanded)
{
    const wkPcdHeader* header = reader->header;
    uint64_t count = (uint64_t)header->pointCount;
    wkResult result = wkIoCloud_Reserve(reader->cloud, reader->source, count);
    if (result != wk_ok) {
        return result;
    }
    wkIoColumn columns[3];
    for (int axis = 0; axis < 3; axis++) {
        const wkPcdField* field = &header->fields[header->axes[axis]];
        columns[axis] = (wkIoColumn){expanded + field->offset * count, (size_t)field->size,
                                     wkIoFindNumber(field->kind, field->size)};
    }
    wkIoCloud_AddColumns(reader->cloud, columns, (size_t)count, false);
    return wk_ok;
}

static wkResult expand(const pcdReader* reader, const uint8_t* packed, uint32_t packedCount,
                       uint32_t byteCount)
{
    uint8_t* expanded = wkAllocate(byteCount);
    if (expanded == NULL) {
        return wkIoFail(reader->source->name, wk_errorMemory, "no memory for %u bytes", byteCount);
    }
    const uint8_t* broken = wkIoExpandLzf(packed, packedCount, expanded, byteCount);
    wkResult result = broken == NULL
                          ? addExpanded(reader, expanded)
                          : wkIoFailByte(reader->source, broken, wk_errorParse,
                                         "the compressed data does not give %u bytes", byteCount);
    wkRelease(expanded, byteCount);
    return result;
}

static wkResult readCompressed(const pcdReader* reader)
{
    const wkPcdHeader* header = reader->header;
    const uint8_t* body = header->body;
    if (header->pointCount == 0) {
        return wk_ok;
    }
    if (reader->bytesLeft < SIZES_BYTES) {
        return wkIoFailByte(reader->source, body, wk_errorParse,
                            "the file ends before the sizes of compressed data");
    }
    uint32_t packedCount = wkIoLoad32(body), byteCount = wkIoLoad32(body + 4);
    if (packedCount > reader->bytesLeft - SIZES_BYTES) {
        return wkIoFailByte(reader->source, body, wk_errorParse,
                            "compressed size is %u, but %zu bytes follow", packedCount,
                            reader->bytesLeft - SIZES_BYTES);
    }
    if (byteCount / header->rowBytes != (uint64_t)header->pointCount ||
        byteCount % header->rowBytes != 0) {
        return wkIoFailByte(reader->source, body + 4, wk_errorParse,
                            "expanded size is %u, but %lld points have %llu bytes each", byteCount,
                            (long long)header->pointCount, (unsigned long long)header->rowBytes);
    }
    if (byteCount > (uint64_t)packedCount * MOST_EXPANSION) {
        return wkIoFailByte(reader->source, body + 4, wk_errorParse,
                            "expanded size is %u, more than %u bytes can give", byteCount,
                            packedCount);
    }
    // no warning about bytes that follow: PCL pads such files
    return expand(reader, body + SIZES_BYTES, packedCount, byteCount);
}

static wkResult (*const readers[wk_pcdDataCount])(const pcdReader* reader) = {
    [wk_pcdAscii] = readAscii,
    [wk_pcdBinary] = readBinary,
    [wk_pcdCompressed] = readCompressed,
};

static void takeViewpoint(const wkPcdHeader* header, wkIoCloud* cloud)
{
    const double* v = header->viewpoint;
    wkPose sensor = {{v[0], v[1], v[2]}, {v[4], v[5], v[6], v[3]}};
    if (header->hasViewpoint && wkIsValidPose(sensor)) {
        cloud->data.sensor = sensor;
        cloud->data.hasSensor = true;
    } else if (header->hasViewpoint) {
        wkIoWarn(cloud->warning, "VIEWPOINT has a rotation of zero, and was left out");
    }
}

wkResult wkIoReadPcd(const wkIoSource* source, wkIoCloud* cloud)
{
    wkPcdHeader header;
    wkResult result = wkPcdReadHeader(source, &header);
    if (result != wk_ok) {
        return result;
    }
    pcdReader reader = {source, cloud, &header,
                        (size_t)(source->bytes + source->byteCount - header.body)};
    result = readers[header.data](&reader);
    cloud->data.width = (int32_t)header.width;
    cloud->data.height = (int32_t)header.height;
    takeViewpoint(&header, cloud);
    return result;
}
