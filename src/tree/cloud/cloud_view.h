// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How points lie in the caller's memory: a wkCloudView, checked, with all defaults filled in (wkCloudView_LayOut).

#include "base/compiler.h"
#include "whisker/cloud.h"
#include "whisker/detail/device.h" // wkCloudView_LayOut

#include <string.h>

typedef struct wkCloudLayout {
    const char* data;
    int64_t count;
    int64_t stride;     // bytes from one point to the next
    int64_t pointBytes; // from the start of a point to the end of its last field
    int32_t offsets[3]; // of x, y and z
    int32_t radiusOffset;
    int32_t deviationOffset;
    int32_t timeOffset; // -1: points have no times
    int32_t timeType;
    double timeBase;
    bool isDouble;
} wkCloudLayout;

// Returns the time of a point of a view with times, in seconds.
double wkTimeAt(const wkCloudLayout* layout, const char* point);

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
