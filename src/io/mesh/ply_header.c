// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The header of a PLY file, one statement per line.

#include "io/mesh/ply.h"
#include "io/text/line.h"

#include <string.h>

typedef struct typeName {
    const char* name;
    wkIoNumber type;
} typeName;

// clang-format off
static const typeName typeNames[] = {
    {"char",   wk_numberInt8},   {"int8",    wk_numberInt8},
    {"uchar",  wk_numberUint8},  {"uint8",   wk_numberUint8},
    {"short",  wk_numberInt16},  {"int16",   wk_numberInt16},
    {"ushort", wk_numberUint16}, {"uint16",  wk_numberUint16},
    {"int",    wk_numberInt32},  {"int32",   wk_numberInt32},
    {"uint",   wk_numberUint32}, {"uint32",  wk_numberUint32},
    {"float",  wk_numberFloat},  {"float32", wk_numberFloat},
    {"double", wk_numberDouble}, {"float64", wk_numberDouble},
};

static const char* const encodingNames[wk_plyEncodingCount] = {
    [wk_plyAscii]  = "ascii",
    [wk_plyLittle] = "binary_little_endian",
    [wk_plyBig]    = "binary_big_endian",
};

static const char* const kindNames[wk_plyOther] = {
    [wk_plyVertex] = "vertex",
    [wk_plyFace]   = "face",
    [wk_plyStrips] = "tristrips",
};

// Names of properties that are used, by the kind of their element.
static const struct { const char* name; wkPlyElementKind kind; wkPlyRole role; } roles[] = {
    {"x",              wk_plyVertex, wk_plyX},
    {"y",              wk_plyVertex, wk_plyY},
    {"z",              wk_plyVertex, wk_plyZ},
    {"vertex_indices", wk_plyFace,   wk_plyIndices},
    {"vertex_index",   wk_plyFace,   wk_plyIndices},
    {"vertex_indices", wk_plyStrips, wk_plyIndices},
    {"vertex_index",   wk_plyStrips, wk_plyIndices},
};
// clang-format on

#define COUNT_OF(array) ((int)(sizeof(array) / sizeof((array)[0])))

bool wkIoMatchPly(const uint8_t* bytes, size_t byteCount)
{
    return byteCount >= 4 && memcmp(bytes, "ply", 3) == 0 && wkIoIsSpace((char)bytes[3]);
}

static wkResult readFormat(wkIoLine* line, wkPlyHeader* header)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    for (int i = 0; i < wk_plyEncodingCount; i++) {
        if (wkIoIsWord(word, wordEnd, encodingNames[i])) {
            header->encoding = (wkPlyEncoding)i;
            return wk_ok;
        }
    }
    return wkIoLine_Fail(line, "format is none of ascii, binary_little_endian, binary_big_endian");
}

static wkResult readElement(wkIoLine* line, wkPlyHeader* header)
{
    if (header->elementCount == WK_PLY_MAX_ELEMENTS) {
        return wkIoFailLine(line->source, line->at, wk_errorParse, "header: more than %d elements",
                            WK_PLY_MAX_ELEMENTS);
    }
    const char* nameEnd;
    const char* name = wkIoLine_Next(line, &nameEnd);
    int64_t count;
    if (!wkIoLine_NextInteger(line, &count) || count < 0) {
        return wkIoLine_Fail(line, "element: the count is not a number >= 0");
    }
    int kind = 0;
    while (kind < wk_plyOther && !wkIoIsWord(name, nameEnd, kindNames[kind])) {
        kind++;
    }
    bool isVertex = kind == wk_plyVertex;
    if (isVertex && header->vertexElement >= 0) {
        return wkIoLine_Fail(line, "element vertex stands there twice");
    }
    if (isVertex) {
        header->vertexElement = header->elementCount;
    }
    wkPlyElement element = {name,
                            (int32_t)(nameEnd - name),
                            (wkPlyElementKind)kind,
                            (uint64_t)count,
                            header->propertyCount,
                            0};
    header->elements[header->elementCount++] = element;
    return wk_ok;
}

static bool readType(wkIoLine* line, wkIoNumber* type)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    for (int i = 0; i < COUNT_OF(typeNames); i++) {
        if (wkIoIsWord(word, wordEnd, typeNames[i].name)) {
            *type = typeNames[i].type;
            return true;
        }
    }
    return false;
}

static wkPlyRole findRole(wkPlyElementKind kind, const char* name, const char* nameEnd)
{
    for (int i = 0; i < COUNT_OF(roles); i++) {
        if (roles[i].kind == kind && wkIoIsWord(name, nameEnd, roles[i].name)) {
            return roles[i].role;
        }
    }
    return wk_plySkipped;
}

static wkResult readProperty(wkIoLine* line, wkPlyHeader* header)
{
    if (header->elementCount == 0) {
        return wkIoLine_Fail(line, "property before any element");
    }
    if (header->propertyCount == WK_PLY_MAX_PROPERTIES) {
        return wkIoFailLine(line->source, line->at, wk_errorParse,
                            "header: more than %d properties", WK_PLY_MAX_PROPERTIES);
    }
    wkPlyProperty property = {NULL, 0, wk_numberFloat, wk_numberUint8, false, wk_plySkipped};
    wkIoLine ahead = *line;
    const char* wordEnd;
    const char* word = wkIoLine_Next(&ahead, &wordEnd);
    property.isList = wkIoIsWord(word, wordEnd, "list");
    if (property.isList) {
        *line = ahead;
        if (!readType(line, &property.countType) || property.countType >= wk_numberFloat) {
            return wkIoLine_Fail(line, "property list: expected an integer type for the count");
        }
    }
    if (!readType(line, &property.type)) {
        return wkIoLine_Fail(line, "property: unknown type");
    }
    wkPlyElement* element = &header->elements[header->elementCount - 1];
    const char* nameEnd;
    property.name = wkIoLine_Next(line, &nameEnd);
    property.nameLength = (int32_t)(nameEnd - property.name);
    property.role = findRole(element->kind, property.name, nameEnd);
    if (property.role != wk_plySkipped && property.isList != (property.role == wk_plyIndices)) {
        return wkIoLine_Fail(line, "property: x, y, z must be numbers and vertex_indices a list");
    }
    if (property.role == wk_plyIndices && property.type >= wk_numberFloat) {
        return wkIoLine_Fail(line, "property: vertex_indices must be of an integer type");
    }
    header->properties[header->propertyCount++] = property;
    element->propertyCount++;
    return wk_ok;
}

static wkResult skipLine(wkIoLine* line, wkPlyHeader* header)
{
    (void)line;
    (void)header;
    return wk_ok;
}

// clang-format off
static const struct { const char* word; wkResult (*read)(wkIoLine*, wkPlyHeader*); } statements[] = {
    {"format",   readFormat},
    {"element",  readElement},
    {"property", readProperty},
    {"comment",  skipLine},
    {"obj_info", skipLine},
};
// clang-format on

static wkResult readStatement(wkIoLine* line, wkPlyHeader* header)
{
    const char* wordEnd;
    const char* word = wkIoLine_Next(line, &wordEnd);
    if (word == wordEnd) {
        return wk_ok;
    }
    for (int i = 0; i < COUNT_OF(statements); i++) {
        if (wkIoIsWord(word, wordEnd, statements[i].word)) {
            return statements[i].read(line, header);
        }
    }
    return wkIoLine_Fail(line,
                         "a line starts with none of format, element, property, comment, obj_info, "
                         "end_header");
}

// Counts the properties of an element with a role.
static int countRole(const wkPlyHeader* header, const wkPlyElement* element, wkPlyRole role)
{
    int count = 0;
    for (int32_t i = 0; i < element->propertyCount; i++) {
        count += header->properties[element->firstProperty + i].role == role ? 1 : 0;
    }
    return count;
}

// Checks that x, y and z occur once each, and one vertex list in faces and strips.
static wkResult checkRoles(const wkIoSource* source, const wkPlyHeader* header)
{
    if (header->vertexElement < 0) {
        return wkIoFail(source->name, wk_errorParse, "header: no element vertex");
    }
    for (int axis = 0; axis < 3; axis++) {
        int count = countRole(header, &header->elements[header->vertexElement], (wkPlyRole)axis);
        if (count != 1) {
            return wkIoFail(source->name, wk_errorParse,
                            "header: element vertex has %d properties %c, must have one", count,
                            "xyz"[axis]);
        }
    }
    for (int32_t i = 0; i < header->elementCount; i++) {
        const wkPlyElement* element = &header->elements[i];
        int count = countRole(header, element, wk_plyIndices);
        if ((element->kind == wk_plyFace || element->kind == wk_plyStrips) && count != 1) {
            return wkIoFail(source->name, wk_errorParse,
                            "header: element %s has %d lists vertex_indices, must have one",
                            kindNames[element->kind], count);
        }
    }
    return wk_ok;
}

wkResult wkPlyReadHeader(const wkIoSource* source, wkPlyHeader* header)
{
    memset(header, 0, sizeof *header);
    header->encoding = wk_plyEncodingCount;
    header->vertexElement = -1;
    const char* start = (const char*)source->bytes;
    const char* end = start + source->byteCount;
    if (!wkIoMatchPly(source->bytes, source->byteCount)) {
        return wkIoFail(source->name, wk_errorParse, "does not start with \"ply\"");
    }
    for (const char* at = wkIoNextLine(start, end); at < end;) {
        const char* next;
        wkIoLine line = wkIoLine_At(source, at, &next);
        if (wkIoIsWord(at, line.end, "end_header")) {
            if (header->encoding == wk_plyEncodingCount) {
                return wkIoLine_Fail(&line, "no line with the format before the end");
            }
            header->body = (const uint8_t*)next;
            return checkRoles(source, header);
        }
        wkResult result = readStatement(&line, header);
        if (result != wk_ok) {
            return result;
        }
        at = next;
    }
    return wkIoFailLine(source, end, wk_errorParse, "the file ends inside the header");
}
