// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file base.h
/// Export macros, result codes, and the hooks that a program may replace: memory, threads, asserts.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "whisker/version.h"

#if defined(__GNUC__)
#define WK_VISIBLE __attribute__((visibility("default")))
#else
#define WK_VISIBLE
#endif

/// Marks every public function; carries the C linkage, so headers need no linkage blocks.
#ifdef __cplusplus
#define WK_API extern "C" WK_VISIBLE
#else
#define WK_API extern WK_VISIBLE
#endif

/// Result values, pinned: WK_ROW(name, value, text).
#define WK_RESULT_LIST(WK_ROW)                                                                     \
    WK_ROW(wk_ok, 0, "ok")                                                                         \
    WK_ROW(wk_errorMemory, 1, "out_of_memory")                                                     \
    WK_ROW(wk_errorNotFinite, 2, "not_finite")                                                     \
    WK_ROW(wk_errorRange, 3, "out_of_range")                                                       \
    WK_ROW(wk_errorArgument, 4, "bad_argument")                                                    \
    WK_ROW(wk_errorUnsupported, 5, "unsupported")                                                  \
    WK_ROW(wk_errorState, 6, "wrong_state")                                                        \
    WK_ROW(wk_errorFile, 7, "file")                                                                \
    WK_ROW(wk_errorParse, 8, "parse")                                                              \
    WK_ROW(wk_errorCancelled, 9, "cancelled")                                                      \
    WK_ROW(wk_errorDevice, 10, "device")

/// Returned by functions that can fail. `wkGetLastError()` has the message.
typedef enum wkResult {
    wk_ok = 0,               ///< success
    wk_errorMemory = 1,      ///< the allocator returned NULL
    wk_errorNotFinite = 2,   ///< a number is NaN or infinite
    wk_errorRange = 3,       ///< a number lies outside its stated range, such as a negative radius
    wk_errorArgument = 4,    ///< an argument is missing or contradicts another one
    wk_errorUnsupported = 5, ///< this build or this release cannot do it
    wk_errorState = 6,       ///< calls came in the wrong order
    wk_errorFile = 7,        ///< a file could not be opened, read or written
    wk_errorParse = 8,       ///< a file or block is malformed; the message names the position
    wk_errorCancelled = 9,   ///< a progress function returned false
    wk_errorDevice = 10,     ///< a GPU is missing, too old or has failed; or its driver
} wkResult;

/// Short stable name of a result, such as "not_finite"; "unknown" for a number that is no result.
WK_API const char* wkResultName(wkResult result);

/// Returns the message of the last failure on this thread: what was wrong and where; "" without one.
/// Valid until the next failure on the same thread.
WK_API const char* wkGetLastError(void);

/// Version in use at run time.
typedef struct wkVersion {
    int major; ///< WK_VERSION_MAJOR of the library
    int minor; ///< WK_VERSION_MINOR of the library
    int patch; ///< WK_VERSION_PATCH of the library
} wkVersion;

/// Version of the library that is linked, which may be newer than the headers.
WK_API wkVersion wkGetVersion(void);

/// Memory functions of the host program. Both may be called from any thread.
typedef struct wkAllocator {
    void* (*allocate)(size_t byteCount, void* context); ///< at least 64-byte aligned, or NULL
    void (*release)(void* memory, size_t byteCount, void* context); ///< never called with NULL
    void* context;                                                  ///< passed back as it is
} wkAllocator;

/// Replaces the memory functions; NULL restores those of the C library. Call it at start-up, before
/// anything is created: memory is released with the functions in force at the time of release.
/// By default, blocks of 4 MB and more are aligned to 2 MB and ask the system for large pages.
WK_API void wkSetAllocator(const wkAllocator* allocator);

/// Returns the bytes that the library holds now; 0 once every created object has been destroyed.
WK_API size_t wkGetByteCount(void);

/// One of the tasks of a parallel loop.
typedef void wkTaskFcn(void* context, int32_t task);

/// Threads for long work such as building: the library's own, or the host program's parallel loop.
typedef struct wkParallel {
    /// Calls `task(context, i)` for every i below taskCount, in any order and on any thread, and
    /// returns when all are done. NULL: `threadCount` threads of the library.
    void (*run)(wkTaskFcn* task, void* context, int32_t taskCount, void* host);
    void* host;          ///< passed back to `run`
    int32_t threadCount; ///< of the library's own, with the calling one; 0: one per processor
} wkParallel;

/// Reports the progress of long work, such as a sphere fit, and may cancel it. Called from the threads that
/// do the work, never from two at once, at most about 100 times a second; `done` never decreases.
/// @param done units of work done, from 0 to `total`
/// @param total all units of work, > 0; may grow during the work
/// @param context as given with the function
/// @return false to cancel: the function that does the work then returns wk_errorCancelled and creates
///         nothing
typedef bool wkProgressFcn(int64_t done, int64_t total, void* context);

/// Called when an assert fails because of a caller's bug, in builds with asserts.
/// @return true to stop in the debugger or abort, false to continue with the conservative answer
typedef bool wkAssertFcn(const char* condition, const char* file, int line);

/// Replaces the assert handler; NULL restores the default, which prints and aborts. Call it at start-up.
WK_API void wkSetAssertFcn(wkAssertFcn* fcn);

/// Name of the instruction set of the SIMD kernels: "scalar", "sse2", "avx2", "avx512", "neon". The
/// environment variable WHISKER_ISA, read once, selects a lower one. Results do not depend on it.
WK_API const char* wkGetIsaName(void);
