// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reading through read(2) shows when the input has run dry. The answers are then flushed, so that a slow
// source gets each one at once and a fast one gets them in large blocks.

#include "line_reader.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BLOCK_SIZE ((size_t)64 << 10)

// Moves the unused bytes to the front and makes capacity for one more block.
static bool growBuffer(wkLineReader* reader)
{
    size_t used = reader->end - reader->start;
    if (reader->start > 0) {
        memmove(reader->data, reader->data + reader->start, used);
        reader->scanned -= reader->start;
        reader->start = 0;
        reader->end = used;
    }

    // grow by doubling; after a very long line return to the default size
    size_t capacity = reader->capacity > 0 ? reader->capacity : 2 * BLOCK_SIZE;
    while (capacity < used + BLOCK_SIZE) {
        capacity *= 2;
    }
    if (capacity > 16 * BLOCK_SIZE && used < BLOCK_SIZE) {
        capacity = 2 * BLOCK_SIZE;
    }
    if (capacity == reader->capacity) {
        return true;
    }
    char* data = realloc(reader->data, capacity);
    if (data == NULL) {
        return capacity < reader->capacity;
    }
    reader->data = data;
    reader->capacity = capacity;
    return true;
}

// Reads one block after the unused bytes. Returns false when out of memory.
static bool fill(wkLineReader* reader)
{
    if (!growBuffer(reader)) {
        return false;
    }
    fflush(reader->answer);
    ssize_t count = -1;
    do {
        count = read(reader->file, reader->data + reader->end, BLOCK_SIZE);
    } while (count < 0 && errno == EINTR);
    if (count < 0) {
        reader->error = errno;
    }
    if (count <= 0) {
        reader->isAtEnd = true;
        return true;
    }
    reader->end += (size_t)count;
    return true;
}

// Finds the end of the current line in the bytes read.
static char* findLineEnd(wkLineReader* reader)
{
    size_t unscanned = reader->end - reader->scanned;
    char* found = unscanned > 0 ? memchr(reader->data + reader->scanned, '\n', unscanned) : NULL;
    if (found == NULL) {
        reader->scanned = reader->end;
    }
    return found;
}

bool wkLineReader_Next(wkLineReader* reader, wkLine* line)
{
    *line = (wkLine){0};
    char* lineEnd = findLineEnd(reader);
    while (lineEnd == NULL && !reader->isAtEnd) {
        bool hasMemory = fill(reader);
        if (!hasMemory || reader->end - reader->start > WK_LINE_CAPACITY) {
            // drop bytes without a line end and continue the search
            line->isTooLong = true;
            reader->start = reader->scanned;
        }
        if (!hasMemory && reader->capacity < BLOCK_SIZE) {
            reader->error = ENOMEM;
            reader->isAtEnd = true;
        }
        lineEnd = findLineEnd(reader);
    }
    if (lineEnd == NULL && reader->start == reader->end) {
        return line->isTooLong && reader->error == 0;
    }
    size_t next = lineEnd != NULL ? (size_t)(lineEnd - reader->data) : reader->end;
    if (!line->isTooLong) {
        line->data = reader->data + reader->start;
        line->length = next - reader->start;
    }
    reader->start = lineEnd != NULL ? next + 1 : next;
    reader->scanned = reader->start;
    return true;
}

void wkLineReader_Free(wkLineReader* reader)
{
    free(reader->data);
    reader->data = NULL;
    reader->capacity = reader->start = reader->end = reader->scanned = 0;
}
