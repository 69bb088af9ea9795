// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Version, names of results and the assert hook.

#include "whisker/base.h"
#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>

const char* wkResultName(wkResult result)
{
#define RESULT_ROW(name, value, text)                                                              \
    case name:                                                                                     \
        return text;

    switch (result) {
        WK_RESULT_LIST(RESULT_ROW)
    }
#undef RESULT_ROW
    return "unknown";
}

wkVersion wkGetVersion(void)
{
    wkVersion version = {WK_VERSION_MAJOR, WK_VERSION_MINOR, WK_VERSION_PATCH};
    return version;
}

static bool printAndStop(const char* condition, const char* file, int line)
{
    fprintf(stderr, "%s:%d: whisker assert failed: %s\n", file, line, condition);
    return true;
}

static wkAssertFcn* assertFcn = printAndStop;

void wkSetAssertFcn(wkAssertFcn* fcn)
{
    assertFcn = fcn != NULL ? fcn : printAndStop;
}

void wkAssertFailed(const char* condition, const char* file, int line)
{
    if (assertFcn(condition, file, line)) {
        abort();
    }
}
