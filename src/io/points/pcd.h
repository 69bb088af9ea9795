// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The header of a PCD file: its fields in the order in which every point stores them.

#include "io/file/format.h"
#include "io/text/number.h"

// More than any program writes; a file with more is refused.
#define WK_PCD_MAX_FIELDS 256
#define WK_PCD_MAX_COUNT 65536

typedef enum wkPcdData {
    wk_pcdAscii,
    wk_pcdBinary,
    wk_pcdCompressed,
    wk_pcdDataCount,
} wkPcdData;

typedef struct wkPcdField {
    const char* name; // in the file, not terminated
    int32_t nameLength;
    char kind;       // 'I', 'U' or 'F'; others are skipped
    int64_t size;    // bytes of a number
    int64_t count;   // numbers of this field per point
    int64_t column;  // numbers of a point before this one
    uint64_t offset; // bytes of a point before this one
} wkPcdField;

typedef struct wkPcdHeader {
    int32_t fieldCount;
    wkPcdField fields[WK_PCD_MAX_FIELDS];
    int32_t axes[3]; // indices of the fields x, y, z
    int64_t width;   // -1: not given
    int64_t height;
    int64_t pointCount;
    uint64_t rowBytes;   // of a point
    int64_t columnCount; // numbers of a point
    bool hasViewpoint;
    double viewpoint[7]; // x y z, then the quaternion w x y z
    wkPcdData data;
    const uint8_t* body; // first byte after the header
} wkPcdHeader;

// Reads and checks the header.
wkResult wkPcdReadHeader(const wkIoSource* source, wkPcdHeader* header);

// Decompresses LZF data completely.
// @return NULL, or the input byte at which the output size does not match
const uint8_t* wkIoExpandLzf(const uint8_t* bytes, size_t byteCount, uint8_t* output,
                             size_t outputCount);
