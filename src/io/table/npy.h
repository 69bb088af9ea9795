// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The header of a NumPy array.

#include "io/file/format.h"
#include "io/text/number.h"

#define WK_NPY_DIMENSIONS 3

typedef struct wkNpyHeader {
    wkIoNumber type;
    bool isBig;
    bool isFortran; // column-major: the first index runs fastest
    int dimensionCount;
    int64_t shape[WK_NPY_DIMENSIONS];
    const uint8_t* body;
    size_t bodyByteCount;
} wkNpyHeader;

// Reads the header of an array with one to three dimensions.
wkResult wkIoReadNpyHeader(const wkIoSource* source, wkNpyHeader* header);

// Fails with a message about the value of `key`.
wkResult wkIoFailNpy(const wkIoSource* source, const wkNpyHeader* header, const char* key,
                     const char* words);
