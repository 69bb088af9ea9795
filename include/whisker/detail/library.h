// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file library.h
/// Memory, messages and parallel loops for libraries built on this one, such as whisker-io. Not stable:
/// programs do not need it, and it may change with any version.

#include "whisker/base.h"

/// Allocates memory with the allocator of wkSetAllocator, counted like the library's own.
/// @return 64-byte aligned with undefined content, or NULL
WK_API void* wkAllocate(size_t byteCount);

/// Releases memory of wkAllocate; NULL is fine. `byteCount` is the one given to wkAllocate.
WK_API void wkRelease(void* memory, size_t byteCount);

/// Sets the message of wkGetLastError() on this thread, truncated when too long.
/// @return `result`, so that callers write `return wkSetLastError(wk_errorFile, words);`
WK_API wkResult wkSetLastError(wkResult result, const char* words);

/// Calls `task(context, i)` for every i below `taskCount`, in any order; returns when all are done.
/// @param parallel NULL: on the calling thread
WK_API void wkRunTasks(const wkParallel* parallel, wkTaskFcn* task, void* context,
                       int32_t taskCount);
