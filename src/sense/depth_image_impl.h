// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads the pixels of depth images that have been checked. C, C++ and CUDA.

#include "base/compiler.h"
#include "whisker/depth_image.h"

#include <math.h>
#include <string.h>

// Maximum number of pixels of a row or column.
#define WK_MAX_IMAGE_SIDE 16384

// Returns the start of a row.
WK_FN const void* wkDepthRow(const wkDepthImage* image, int32_t v)
{
    size_t pixelBytes = image->type == wk_depthFloat ? sizeof(float) : sizeof(uint16_t);
    size_t rowBytes =
        image->rowBytes > 0 ? (size_t)image->rowBytes : (size_t)image->camera.width * pixelBytes;
    return (const char*)image->pixels + (size_t)v * rowBytes;
}

// Converts a measured value to metres; NaN: it is not a measurement.
WK_FN float wkMetres(double value, double scale)
{
    float metres = (float)(value * scale);
    return metres > 0.0f && metres < INFINITY ? metres : NAN;
}

// Reads a pixel of a row, which may begin at any byte, as in messages and files that are used in place.
WK_FN uint16_t wkWordInRow(const void* row, int32_t u)
{
    uint16_t value = 0;
    memcpy(&value, (const char*)row + (size_t)u * sizeof value, sizeof value);
    return value;
}

WK_FN float wkFloatInRow(const void* row, int32_t u)
{
    float value = 0.0f;
    memcpy(&value, (const char*)row + (size_t)u * sizeof value, sizeof value);
    return value;
}

// Returns the depth of a pixel of a row in metres; NaN where nothing was measured.
WK_FN float wkDepthInRow(const wkDepthImage* image, const void* row, int32_t u)
{
    double value =
        image->type == wk_depthFloat ? (double)wkFloatInRow(row, u) : (double)wkWordInRow(row, u);
    return wkMetres(value, image->scale);
}

// Returns the depth of a pixel in metres; NaN where nothing was measured, and outside of the image.
WK_FN float wkDepthAt(const wkDepthImage* image, int32_t u, int32_t v)
{
    bool isInside = u >= 0 && v >= 0 && u < image->camera.width && v < image->camera.height;
    return isInside ? wkDepthInRow(image, wkDepthRow(image, v), u) : NAN;
}
