// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What holds for every reader of points: it refuses with words, or gives as many points as it says,
// and the report counts those that are not finite; and nothing is left behind.

#include "whisker/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

static void fuzzFail(const char* what)
{
    fprintf(stderr, "%s; last words: %s\n", what, wkGetLastError());
    abort();
}

static void fuzzCheck(const wkPointData* cloud, const wkLoadInfo* report)
{
    int32_t notFiniteCount = 0;
    for (int64_t i = 0; i < cloud->count; i++) {
        const float* p = cloud->points + 3 * i;
        notFiniteCount += isfinite(p[0]) && isfinite(p[1]) && isfinite(p[2]) ? 0 : 1;
    }
    if (notFiniteCount != report->notFiniteCount) {
        fuzzFail("the report counts otherwise");
    }
    if ((int64_t)cloud->width * cloud->height != cloud->count) {
        fuzzFail("rows do not give the count");
    }
    if (!wkIsValidPose(cloud->sensor)) {
        fuzzFail("the pose of the sensor is none");
    }
}

static int fuzzPoints(const uint8_t* data, size_t size, const char* format)
{
    wkPointData* cloud = NULL;
    wkLoadInfo report;
    wkLoadDef options = wkDefaultLoadDef();
    wkResult result = wkPointData_Parse(data, size, format, &options, &report, &cloud);
    if ((result == wk_ok) != (cloud != NULL)) {
        fuzzFail("result and cloud disagree");
    }
    if (result == wk_ok) {
        fuzzCheck(cloud, &report);
    } else if (wkGetLastError()[0] == '\0') {
        fuzzFail("refused without words");
    }
    wkPointData_Destroy(cloud);
    if (wkGetByteCount() != 0) {
        fuzzFail("memory was left behind");
    }
    return 0;
}
