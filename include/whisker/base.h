// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file base.h
/// Export macros, results of functions that can fail, and the hooks a program may replace.

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
    WK_ROW(wk_errorCancelled, 9, "cancelled")

/// What a function that can fail returns. The words are in `wkGetLastError()`.
typedef enum wkResult {
    wk_ok = 0,               ///< done
    wk_errorMemory = 1,      ///< the allocator returned NULL
    wk_errorNotFinite = 2,   ///< a number is NaN or infinite
    wk_errorRange = 3,       ///< a number lies outside its stated range, such as a negative radius
    wk_errorArgument = 4,    ///< an argument is missing or contradicts another one
    wk_errorUnsupported = 5, ///< this build or this release cannot do it
    wk_errorState = 6,       ///< calls came in the wrong order
    wk_errorFile = 7,        ///< a file could not be opened, read or written
    wk_errorParse = 8,       ///< a file or block does not hold what it should; says where
    wk_errorCancelled = 9,   ///< a progress function returned false
} wkResult;

/// Short stable name of a result, such as "not_finite"; "unknown" for a number that is none.
WK_API const char* wkResultName(wkResult result);

/// Words for the last failure on this thread: what was wrong and where; "" when nothing failed yet.
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

/// Replaces the memory functions; NULL brings back the C library's. Call it at start-up, before
/// anything is created: memory is released by the functions that are set at that time.
WK_API void wkSetAllocator(const wkAllocator* allocator);

/// Bytes that the library holds at this moment; 0 once everything created has been destroyed.
WK_API size_t wkGetByteCount(void);

/// Memory from the allocator above, counted like the library's own: for libraries that stand on this
/// one, such as whisker-io.
/// @return 64-byte aligned with undefined content, or NULL
WK_API void* wkAllocate(size_t byteCount);

/// Gives it back; NULL is fine. `byteCount` is the one it was taken with.
WK_API void wkRelease(void* memory, size_t byteCount);

/// Keeps words for wkGetLastError() on this thread, cut where they are too long; for libraries that
/// stand on this one.
/// @return `result`, so that callers write `return wkSetLastError(wk_errorFile, words);`
WK_API wkResult wkSetLastError(wkResult result, const char* words);

/// One of the tasks of a parallel loop.
typedef void wkTaskFcn(void* context, int32_t task);

/// Threads for long work such as building: ours, or the host program's own parallel loop.
typedef struct wkParallel {
    /// Calls `task(context, i)` for every i below taskCount, in any order and on any thread, and
    /// returns when all are done. NULL: `threadCount` threads of our own.
    void (*run)(wkTaskFcn* task, void* context, int32_t taskCount, void* host);
    void* host;          ///< passed back to `run`
    int32_t threadCount; ///< for our own threads, the calling one included; 0: one per processor
} wkParallel;

/// Calls `task(context, i)` for every i below `taskCount`, in any order; returns when all are done. For
/// libraries that stand on this one.
/// @param parallel NULL: on the calling thread
WK_API void wkRunTasks(const wkParallel* parallel, wkTaskFcn* task, void* context,
                       int32_t taskCount);

/// Called again and again while long work goes on, such as a fit of spheres: to show a bar, and to cancel.
/// Calls come from the threads that do the work, never from two at once, at most a hundred times a second
/// or so; `done` never falls.
/// @param context as given with the function
/// @param done how much of the work is done, from 0 to `total`
/// @param total all of the work, > 0; may grow while the work goes on
/// @return false to cancel: the function that does the work then returns wk_errorCancelled, and what it
///         was to make is not made
typedef bool wkProgressFcn(void* context, int64_t done, int64_t total);

/// Called when a caller's bug is found in a build with asserts.
/// @return true to stop in the debugger or abort, false to go on with the safe answer
typedef bool wkAssertFcn(const char* condition, const char* file, int line);

/// Replaces the assert handler; NULL brings back the one that prints and aborts. For start-up.
WK_API void wkSetAssertFcn(wkAssertFcn* fcn);

/// Name of the instruction set that vector code runs with: "scalar", "sse2", "avx2", "avx512",
/// "neon". The environment variable WHISKER_ISA, read once, forces a lower one. Answers do not
/// depend on it.
WK_API const char* wkGetIsaName(void);
