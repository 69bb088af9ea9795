// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The header of a PLY file: its elements in file order, each with its properties.

#include "io/file/format.h"
#include "io/text/number.h"

// More than any program writes; a file with more is refused.
#define WK_PLY_MAX_ELEMENTS 32
#define WK_PLY_MAX_PROPERTIES 256

typedef enum wkPlyEncoding {
    wk_plyAscii,
    wk_plyLittle,
    wk_plyBig,
    wk_plyEncodingCount,
} wkPlyEncoding;

// Meaning of a property for a mesh.
typedef enum wkPlyRole {
    wk_plyX,
    wk_plyY,
    wk_plyZ,
    wk_plyIndices,
    wk_plySkipped,
} wkPlyRole;

typedef struct wkPlyProperty {
    const char* name; // in the file, not terminated
    int32_t nameLength;
    wkIoNumber type;
    wkIoNumber countType; // of a list
    bool isList;
    wkPlyRole role;
} wkPlyProperty;

typedef enum wkPlyElementKind {
    wk_plyVertex,
    wk_plyFace,
    wk_plyStrips,
    wk_plyOther,
} wkPlyElementKind;

typedef struct wkPlyElement {
    const char* name; // in the file, not terminated
    int32_t nameLength;
    wkPlyElementKind kind;
    uint64_t count;
    int32_t firstProperty;
    int32_t propertyCount;
} wkPlyElement;

typedef struct wkPlyHeader {
    wkPlyEncoding encoding;
    int32_t elementCount;
    int32_t propertyCount;
    int32_t vertexElement; // -1: none
    const uint8_t* body;   // first byte after the header
    wkPlyElement elements[WK_PLY_MAX_ELEMENTS];
    wkPlyProperty properties[WK_PLY_MAX_PROPERTIES];
} wkPlyHeader;

// Reads and checks the header.
wkResult wkPlyReadHeader(const wkIoSource* source, wkPlyHeader* header);
