// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How points lie in the caller's memory: a wkCloudView, checked, with all defaults filled in.

#include "base/compiler.h"
#include "whisker/cloud.h"

#include <string.h>

typedef struct wkCloudLayout {
    const char* data;
    int64_t count;
    int64_t stride;     // bytes from one point to the next
    int32_t offsets[3]; // of x, y and z
    int32_t radiusOffset;
    int32_t deviationOffset;
    bool isDouble;
} wkCloudLayout;

// Checks a view. Nothing of its points is read.
// @return wk_errorRange, wk_errorArgument naming the field
wkResult wkLayOutCloud(const wkCloudView* view, wkCloudLayout* layout);

WK_FN float wkFloatAt(const char* bytes)
{
    float number;
    memcpy(&number, bytes, sizeof number);
    return number;
}

WK_FN double wkDoubleAt(const char* bytes)
{
    double number;
    memcpy(&number, bytes, sizeof number);
    return number;
}
