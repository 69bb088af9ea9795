// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth images as PNG files of 16-bit grey, by libpng with the memory of the library.

#include "io/file/format.h"

// Most pixels of a row or column.
#define WK_IO_MAX_SIDE 16384

// Pixels that belong to the library. The data comes first: what the user holds is this.
typedef struct wkIoDepth {
    wkDepthData data;
    size_t pixelCount; // that there is room for
} wkIoDepth;

// Fills in the pixels. Another size than the camera's is refused before they are decoded; the camera may
// be NULL.
wkResult wkIoReadPng(const wkIoSource* source, const wkCamera* camera, wkIoDepth* depth);

// Bytes of a file to be; given back with wkIoFreePng.
typedef struct wkIoPngBytes {
    uint8_t* bytes;
    size_t count;
    size_t capacity;
} wkIoPngBytes;

wkResult wkIoWritePng(const char* name, const wkDepthData* data, wkIoPngBytes* file);
void wkIoFreePng(wkIoPngBytes* file);
