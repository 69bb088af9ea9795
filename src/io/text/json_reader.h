// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads JSON value by value. It needs nothing but the C library and allocates nothing, so that the library
// and the command share it, each with a tree and an allocator of its own.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Maximum nesting of objects and arrays.
#define WK_JSON_MAX_DEPTH 64

typedef enum wkJsonEvent {
    wk_jsonOpenObject,
    wk_jsonOpenArray,
    wk_jsonClose, // of the innermost object or array
    wk_jsonKey,   // its value follows
    wk_jsonString,
    wk_jsonNumber,
    wk_jsonTrue,
    wk_jsonFalse,
    wk_jsonNull,
    wk_jsonEnd,    // the whole text has been read
    wk_jsonFailed, // see `problem`
} wkJsonEvent;

typedef struct wkJsonReader {
    const char* problem; // why reading failed; NULL: it did not
    size_t line;         // of the latest event or the problem, counted from 1
    const char* start;   // of the latest event, as written: from here ...
    const char* at;      // ... to here
    const char* text;    // of a key or string without escapes, or of a number; not terminated
    size_t length;       // bytes of `text`
    const char* end;
    const char* lineStart;
    char* scratch;    // where texts with escapes are decoded
    uint64_t objects; // one bit per open object or array, the innermost lowest; 1: object
    int depth;        // number of open objects and arrays
    bool hasKey;      // a key has been read, and not yet its value
    bool isFirst;     // an object or array has been opened, and no member read yet
    bool hasRoot;
} wkJsonReader;

// Starts at the first byte; a byte order mark is skipped. The text is borrowed.
// @param scratch `byteCount` bytes that live as long as the reader
wkJsonReader wkJsonReader_Start(const char* bytes, size_t byteCount, char* scratch);

// Reads the next event. After wk_jsonEnd and wk_jsonFailed it is repeated.
wkJsonEvent wkJsonReader_Next(wkJsonReader* reader);

// Returns the column of the problem in its line, in characters counted from 1.
size_t wkJsonReader_Column(const wkJsonReader* reader);

// Returns the bytes of the UTF-8 character at `bytes`; 0 for an invalid one (truncated, over-long, surrogate).
size_t wkUtf8Length(const char* bytes, size_t count);
