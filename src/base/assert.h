// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Asserts catch the caller's bugs. They vanish in release builds, where queries answer such calls with
// wk_statusInvalid and the safe verdict.

#include <stdbool.h>

// Calls the handler of wkSetAssertFcn; stops the program when the handler asks for it.
void wkAssertFailed(const char* condition, const char* file, int line);

#if defined(NDEBUG)
#define WK_ASSERT(condition) ((void)sizeof(condition))
#else
#define WK_ASSERT(condition)                                                                       \
    ((condition) ? (void)0 : wkAssertFailed(#condition, __FILE__, __LINE__))
#endif
