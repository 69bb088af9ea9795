// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Depth images as PNG files of 16-bit grey, through libpng with the library's allocator.

#include "io/file/format.h"

// Maximum number of pixels of a row or column.
#define WK_IO_MAX_SIDE 16384

// Pixels owned by the library. `data` comes first: the user's pointer is this struct.
typedef struct wkIoDepth {
    wkDepthData data;
    size_t pixelCount; // capacity
} wkIoDepth;

// Reads the pixels. An image whose size is not the camera's is refused before decoding; `camera` may be NULL.
wkResult wkIoReadPng(const wkIoSource* source, const wkCamera* camera, wkIoDepth* depth);

// Bytes of an encoded file; freed with wkIoFreePng.
typedef struct wkIoPngBytes {
    uint8_t* bytes;
    size_t count;
    size_t capacity;
} wkIoPngBytes;

wkResult wkIoWritePng(const char* name, const wkDepthData* data, wkIoPngBytes* file);
void wkIoFreePng(wkIoPngBytes* file);
