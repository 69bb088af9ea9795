// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// PLY: rows of numbers as the header describes them, in text or in either byte order.

#include "io/mesh/ply.h"
#include "io/points/point_builder.h"
#include "io/text/text_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// A byte for the count, 3, and three 4-byte indices: the most common form of a face.
#define TRIANGLE_BYTES 13

typedef struct plyReader {
    const wkIoSource* source;
    wkIoBuilder* builder; // NULL: vertices are points and go to the cloud
    wkIoCloud* cloud;
    const wkPlyHeader* header;
    const uint8_t* at;
    const uint8_t* end;
    int32_t vertexCount; // from the header; indices must be below it
    const wkPlyElement* element;
    uint64_t row;
} plyReader;

static wkResult failRow(const plyReader* reader, const uint8_t* at, wkResult result,
                        const wkPlyProperty* property, const char* words)
{
    const wkPlyElement* element = reader->element;
    bool isText = reader->header->encoding == wk_plyAscii;
    int nameLength = element->nameLength < 40 ? element->nameLength : 40;
    int propertyLength = property->nameLength < 40 ? property->nameLength : 40;
    return (isText ? wkIoFailLine : wkIoFailByte)(
        reader->source, at, result, "%.*s %llu, %.*s: %s", nameLength, element->name,
        (unsigned long long)reader->row, propertyLength, property->name, words);
}

// The same for a number that was read.
static wkResult failNumber(const plyReader* reader, const uint8_t* at,
                           const wkPlyProperty* property, double number, const char* words)
{
    char found[120];
    snprintf(found, sizeof found, "%s, found %.10g", words, number);
    return failRow(reader, at, wk_errorParse, property, found);
}

// Reads the next number in any encoding.
static wkResult readNumber(plyReader* reader, const wkPlyProperty* property, wkIoNumber type,
                           double* value)
{
    if (reader->header->encoding != wk_plyAscii) {
        size_t byteCount = wkIoNumberBytes(type);
        if ((size_t)(reader->end - reader->at) < byteCount) {
            return failRow(reader, reader->at, wk_errorParse, property, "the file ends here");
        }
        *value = wkIoLoadNumber(reader->at, type, reader->header->encoding == wk_plyBig);
        reader->at += byteCount;
        return wk_ok;
    }
    const char* end = (const char*)reader->end;
    const char* word = wkIoSkipSpaces((const char*)reader->at, end);
    const char* at = wkIoParseNumber(word, end, value);
    if (at == NULL || !wkIoIsWordEnd(at, end)) {
        return failRow(reader, (const uint8_t*)word, wk_errorParse, property,
                       word == end ? "the file ends here" : "is not a number");
    }
    reader->at = (const uint8_t*)at;
    return wk_ok;
}

// Returns the minimum size of a number: in text a digit and a space.
static size_t leastBytes(const plyReader* reader, wkIoNumber type)
{
    return reader->header->encoding == wk_plyAscii ? 2 : wkIoNumberBytes(type);
}

// Returns the bytes left; in text the last number needs no space after it.
static size_t bytesLeft(const plyReader* reader)
{
    return (size_t)(reader->end - reader->at) + (reader->header->encoding == wk_plyAscii ? 1 : 0);
}

static wkResult readListCount(plyReader* reader, const wkPlyProperty* property, uint32_t* count)
{
    const uint8_t* start = reader->at;
    double number = 0.0;
    wkResult result = readNumber(reader, property, property->countType, &number);
    if (result != wk_ok) {
        return result;
    }
    if (!(number >= 0.0 && number <= (double)UINT32_MAX && number == floor(number))) {
        return failNumber(reader, start, property, number, "the count of a list is no count");
    }
    *count = (uint32_t)number;
    if (*count > bytesLeft(reader) / leastBytes(reader, property->type)) {
        return failNumber(reader, start, property, number,
                          "a list is longer than the rest of the file");
    }
    return wk_ok;
}

static wkResult readIndex(plyReader* reader, const wkPlyProperty* property, int32_t* index)
{
    const uint8_t* start = reader->at;
    double number = 0.0;
    wkResult result = readNumber(reader, property, property->type, &number);
    if (result == wk_ok && !(number >= 0.0 && number < (double)reader->vertexCount)) {
        result = failNumber(reader, start, property, number, "no vertex has this index");
    }
    if (result == wk_ok && number != floor(number)) {
        result = failNumber(reader, start, property, number, "an index is not a whole number");
    }
    if (result == wk_ok) {
        *index = (int32_t)number;
    }
    return result;
}

// Reads a polygon as a fan around its first vertex.
static wkResult readPolygon(plyReader* reader, const wkPlyProperty* property)
{
    const uint8_t* start = reader->at;
    uint32_t count = 0;
    int32_t first = 0, previous = 0, index = 0;
    wkResult result = readListCount(reader, property, &count);
    if (result == wk_ok && count < 3) {
        result = failNumber(reader, start, property, count, "a face has less than 3 vertices");
    }
    for (uint32_t i = 0; i < count && result == wk_ok; i++) {
        result = readIndex(reader, property, &index);
        if (result == wk_ok && i >= 2) {
            result =
                wkIoBuilder_AddTriangle(reader->builder, reader->source, first, previous, index);
        }
        first = i == 0 ? index : first;
        previous = index;
    }
    return result;
}

// Reads a strip: each vertex makes a triangle with the two before it, with alternating orientation; a
// negative index starts a new strip.
static wkResult readStrip(plyReader* reader, const wkPlyProperty* property)
{
    uint32_t count = 0, length = 0;
    int32_t before = 0, previous = 0;
    wkResult result = readListCount(reader, property, &count);
    for (uint32_t i = 0; i < count && result == wk_ok; i++) {
        const uint8_t* start = reader->at;
        double number = 0.0;
        result = readNumber(reader, property, property->type, &number);
        if (result == wk_ok && number < 0.0) {
            length = 0;
            continue;
        }
        int32_t index = 0;
        reader->at = start;
        result = result == wk_ok ? readIndex(reader, property, &index) : result;
        if (result == wk_ok && length >= 2) {
            bool isFlipped = length % 2 == 1;
            result = wkIoBuilder_AddTriangle(reader->builder, reader->source,
                                             isFlipped ? previous : before,
                                             isFlipped ? before : previous, index);
        }
        before = previous;
        previous = index;
        length++;
    }
    return result;
}

static wkResult skipList(plyReader* reader, const wkPlyProperty* property)
{
    uint32_t count = 0;
    double ignored;
    wkResult result = readListCount(reader, property, &count);
    if (result == wk_ok && reader->header->encoding != wk_plyAscii) {
        reader->at += count * wkIoNumberBytes(property->type);
        return wk_ok;
    }
    for (uint32_t i = 0; i < count && result == wk_ok; i++) {
        result = readNumber(reader, property, property->type, &ignored);
    }
    return result;
}

// Reads one row, property by property; numbers with a role are stored in `coordinates` by role.
static wkResult readRow(plyReader* reader, double coordinates[3])
{
    const wkPlyProperty* property = &reader->header->properties[reader->element->firstProperty];
    wkResult result = wk_ok;
    for (int32_t i = 0; i < reader->element->propertyCount && result == wk_ok; i++, property++) {
        const uint8_t* start = reader->at;
        double number = 0.0;
        if (property->role == wk_plyIndices) {
            bool isStrip = reader->element->kind == wk_plyStrips;
            result = isStrip ? readStrip(reader, property) : readPolygon(reader, property);
        } else if (property->isList) {
            result = skipList(reader, property);
        } else {
            result = readNumber(reader, property, property->type, &number);
        }
        if (result == wk_ok && property->role <= wk_plyZ) {
            coordinates[property->role] = number;
            if (!isfinite(number) && reader->builder != NULL) {
                result = failRow(reader, start, wk_errorNotFinite, property, "is not finite");
            }
        }
    }
    return result;
}

// Reads the rows from the current one on.
static wkResult readRows(plyReader* reader)
{
    bool isVertex = reader->element->kind == wk_plyVertex;
    wkResult result = wk_ok;
    for (; reader->row < reader->element->count && result == wk_ok; reader->row++) {
        double coordinates[3] = {0.0, 0.0, 0.0};
        result = readRow(reader, coordinates);
        if (isVertex && result == wk_ok && reader->builder == NULL) {
            result = wkIoCloud_Add(reader->cloud, reader->source, coordinates);
        } else if (isVertex && result == wk_ok) {
            wkVec3d vertex = {coordinates[0], coordinates[1], coordinates[2]};
            result = wkIoBuilder_AddVertex(reader->builder, reader->source, vertex);
        }
    }
    return result;
}

// Returns the minimum size of a row, which is exact for binary rows without lists.
static size_t rowBytes(const plyReader* reader, bool* isFixed)
{
    size_t sum = 0;
    *isFixed = reader->header->encoding != wk_plyAscii;
    for (int32_t i = 0; i < reader->element->propertyCount; i++) {
        const wkPlyProperty* property =
            &reader->header->properties[reader->element->firstProperty + i];
        sum += leastBytes(reader, property->isList ? property->countType : property->type);
        *isFixed = *isFixed && !property->isList;
    }
    return sum;
}

// Returns the offset of a coordinate in a row without lists before it.
static size_t offsetOf(const plyReader* reader, wkPlyRole role, wkIoNumber* type)
{
    const wkPlyProperty* property = &reader->header->properties[reader->element->firstProperty];
    size_t offset = 0;
    for (; property->role != role; property++) {
        offset += wkIoNumberBytes(property->type);
    }
    *type = property->type;
    return offset;
}

// Reads points at fixed offsets, of any types.
static void readFixedPoints(plyReader* reader, size_t stride, bool isBig)
{
    wkIoColumn columns[3];
    for (int axis = 0; axis < 3; axis++) {
        columns[axis].first = reader->at + offsetOf(reader, (wkPlyRole)axis, &columns[axis].type);
        columns[axis].stride = stride;
    }
    wkIoCloud_AddColumns(reader->cloud, columns, (size_t)reader->vertexCount, isBig);
    reader->at += (size_t)reader->vertexCount * stride;
    reader->row = reader->element->count;
}

// Reads vertices with x, y, z as floats or doubles at fixed offsets, the most common form. Stops before the
// first one that is not finite, so that readRows reports it.
WK_FORCE_FN void readFixedVertices(plyReader* reader, size_t stride, bool isBig)
{
    wkIoNumber types[3];
    size_t x = offsetOf(reader, wk_plyX, &types[0]);
    size_t y = offsetOf(reader, wk_plyY, &types[1]);
    size_t z = offsetOf(reader, wk_plyZ, &types[2]);
    bool isFloat = types[0] == wk_numberFloat;
    if (types[1] != types[0] || types[2] != types[0] || types[0] < wk_numberFloat) {
        return;
    }
    wkVec3d* vertices = reader->builder->data.vertices;
    const uint8_t* at = reader->at;
    int32_t count = 0;
    for (; count < reader->vertexCount; count++, at += stride) {
        wkVec3d v;
        if (isFloat) {
            v.x = (double)wkIoFloat(wkIoLoad32As(at + x, isBig));
            v.y = (double)wkIoFloat(wkIoLoad32As(at + y, isBig));
            v.z = (double)wkIoFloat(wkIoLoad32As(at + z, isBig));
        } else {
            v.x = wkIoDouble(wkIoLoad64As(at + x, isBig));
            v.y = wkIoDouble(wkIoLoad64As(at + y, isBig));
            v.z = wkIoDouble(wkIoLoad64As(at + z, isBig));
        }
        if (!wkIoIsFinite(v)) {
            break;
        }
        vertices[count] = v;
    }
    reader->at = at;
    reader->builder->data.vertexCount = count;
    reader->row = (uint64_t)count;
}

// Reads triangles as one byte, 3, and three 32-bit indices, the most common form. Stops before the first row
// of another form.
WK_FORCE_FN void readFixedTriangles(plyReader* reader, bool isBig)
{
    const wkPlyProperty* property = &reader->header->properties[reader->element->firstProperty];
    bool isDefault = reader->element->propertyCount == 1 && property->role == wk_plyIndices &&
                     wkIoNumberBytes(property->countType) == 1 &&
                     (property->type == wk_numberInt32 || property->type == wk_numberUint32);
    wkMeshData* data = &reader->builder->data;
    uint32_t limit = (uint32_t)reader->vertexCount;
    while (isDefault && reader->row < reader->element->count &&
           reader->end - reader->at >= TRIANGLE_BYTES &&
           (size_t)data->triangleCount < reader->builder->triangleCapacity && reader->at[0] == 3) {
        uint32_t a = wkIoLoad32As(reader->at + 1, isBig);
        uint32_t b = wkIoLoad32As(reader->at + 5, isBig);
        uint32_t c = wkIoLoad32As(reader->at + 9, isBig);
        if (a >= limit || b >= limit || c >= limit) {
            break;
        }
        int32_t* faceVertices = data->triangles + 3 * (size_t)data->triangleCount++;
        faceVertices[0] = (int32_t)a;
        faceVertices[1] = (int32_t)b;
        faceVertices[2] = (int32_t)c;
        reader->at += TRIANGLE_BYTES;
        reader->row++;
    }
}

// Reads the rows of a common form at the start of a binary element and leaves the rest.
static void readDefaultRows(plyReader* reader, size_t stride, bool isFixed)
{
    bool isBig = reader->header->encoding == wk_plyBig;
    if (reader->element->kind == wk_plyVertex && isFixed && reader->builder == NULL) {
        readFixedPoints(reader, stride, isBig);
    } else if (reader->element->kind == wk_plyVertex && isFixed) {
        isBig ? readFixedVertices(reader, stride, true) : readFixedVertices(reader, stride, false);
    } else if (reader->element->kind == wk_plyFace && reader->builder != NULL) {
        isBig ? readFixedTriangles(reader, true) : readFixedTriangles(reader, false);
    }
}

// Reserves capacity for the rows, whose count is known to fit into the file.
static wkResult reserve(plyReader* reader)
{
    size_t count = (size_t)reader->element->count;
    if (reader->element->kind == wk_plyVertex && reader->builder == NULL) {
        return wkIoCloud_Reserve(reader->cloud, reader->source, count);
    }
    if (reader->element->kind == wk_plyVertex) {
        return wkIoBuilder_ReserveVertices(reader->builder, reader->source, count);
    }
    if (reader->element->kind == wk_plyFace && reader->builder != NULL &&
        count <= WK_IO_MAX_TRIANGLES) {
        return wkIoBuilder_ReserveTriangles(reader->builder, reader->source, count);
    }
    return wk_ok;
}

static wkResult readElement(plyReader* reader)
{
    const wkPlyElement* element = reader->element;
    bool isFixed;
    size_t least = rowBytes(reader, &isFixed);
    reader->row = 0;
    if (least == 0 || element->count == 0) {
        return wk_ok;
    }
    if (element->count > bytesLeft(reader) / least) {
        int nameLength = element->nameLength < 40 ? element->nameLength : 40;
        return wkIoFail(reader->source->name, wk_errorParse,
                        "element %.*s: the header says %llu rows, there are bytes for %zu at most",
                        nameLength, element->name, (unsigned long long)element->count,
                        bytesLeft(reader) / least);
    }
    wkResult result = reserve(reader);
    if (result != wk_ok) {
        return result;
    }
    if (isFixed && element->kind == wk_plyOther) {
        reader->at += element->count * least;
        return wk_ok;
    }
    if (reader->header->encoding != wk_plyAscii) {
        readDefaultRows(reader, least, isFixed);
    }
    return readRows(reader);
}

static wkResult startReader(const wkIoSource* source, wkPlyHeader* header, plyReader* reader)
{
    wkResult result = wkPlyReadHeader(source, header);
    if (result != wk_ok) {
        return result;
    }
    uint64_t vertexCount = header->elements[header->vertexElement].count;
    if (vertexCount > INT32_MAX) {
        return wkIoFail(source->name, wk_errorParse, "header: %llu vertices are too many",
                        (unsigned long long)vertexCount);
    }
    *reader = (plyReader){.source = source,
                          .header = header,
                          .at = header->body,
                          .end = source->bytes + source->byteCount,
                          .vertexCount = (int32_t)vertexCount};
    return wk_ok;
}

wkResult wkIoReadPly(const wkIoSource* source, wkIoBuilder* builder)
{
    wkPlyHeader header;
    plyReader reader;
    wkResult result = startReader(source, &header, &reader);
    for (int32_t i = 0; result == wk_ok && i < header.elementCount; i++) {
        reader.builder = builder;
        reader.element = &header.elements[i];
        result = readElement(&reader);
    }
    return result;
}

// Bytes after the last row; blanks at the end of a text do not count.
static size_t countRest(plyReader* reader)
{
    bool isText = reader->header->encoding == wk_plyAscii;
    while (isText && reader->at < reader->end && *reader->at <= ' ') {
        reader->at++;
    }
    return (size_t)(reader->end - reader->at);
}

wkResult wkIoReadPlyPoints(const wkIoSource* source, wkIoCloud* cloud)
{
    wkPlyHeader header;
    plyReader reader;
    wkResult result = startReader(source, &header, &reader);

    // elements before the vertices are skipped, and those after them are not read
    for (int32_t i = 0; result == wk_ok && i <= header.vertexElement; i++) {
        wkPlyElement* element = &header.elements[i];
        for (int32_t k = 0; i < header.vertexElement && k < element->propertyCount; k++) {
            header.properties[element->firstProperty + k].role = wk_plySkipped;
        }
        reader.cloud = cloud;
        reader.element = element;
        result = readElement(&reader);
    }
    if (result == wk_ok && header.vertexElement == header.elementCount - 1) {
        wkIoCloud_WarnOfRest(cloud, countRest(&reader));
    }
    return result;
}
