// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Reads lines of any length from a file, a pipe or a terminal, without waiting longer than needed.

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// Longer lines are dropped while they are read, so that memory is bounded.
#define WK_LINE_CAPACITY ((size_t)64 << 20)

typedef struct wkLineReader {
    int file;     // descriptor
    FILE* answer; // flushed before every read, since the writer may be waiting for it

    char* data;      // bytes read and not yet used
    size_t capacity; // bytes allocated
    size_t start;    // first byte not yet used
    size_t end;      // end of the bytes read
    size_t scanned;  // bytes before this one hold no line end
    bool isAtEnd;    // nothing more to read
    int error;       // errno of a read that failed; 0: none
} wkLineReader;

typedef struct wkLine {
    const char* data; // valid until the next line is read; may hold any byte but a newline
    size_t length;    // without the line end
    bool isTooLong;   // longer than WK_LINE_CAPACITY or the memory available: data is not set
} wkLine;

// Returns the next line. The last one needs no line end.
// @return false at the end of the input, and after a read error (`error` is set)
bool wkLineReader_Next(wkLineReader* reader, wkLine* line);

void wkLineReader_Free(wkLineReader* reader);
