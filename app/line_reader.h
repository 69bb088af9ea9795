// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Lines of any length from a file, a pipe or a terminal, without waiting longer than needed.

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

// A line beyond this is dropped while it is read: memory stays bounded whatever comes in.
#define WK_LINE_CAPACITY ((size_t)64 << 20)

typedef struct wkLineReader {
    int file;     // descriptor that is read
    FILE* answer; // flushed before every read, since the other side may be waiting for it

    char* data;      // what has been read and not yet been used
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
    bool isTooLong;   // beyond WK_LINE_CAPACITY (or the memory there is): data is not given
} wkLine;

// Next line. The last one needs no line end.
// @return false at the end of the input, and when reading failed (`error` is set)
bool wkLineReader_Next(wkLineReader* reader, wkLine* line);

void wkLineReader_Free(wkLineReader* reader);
