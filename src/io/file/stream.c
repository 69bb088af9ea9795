// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads descriptions that may come through a pipe: the standard input, FIFOs and devices are read to their
// end, up to a limit.

#define _POSIX_C_SOURCE 200809L // open, fstat

#include "io/file/format.h"

#include "whisker/detail/library.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Limit of the readers of descriptions; a device such as /dev/zero has no end.
#define MAX_BYTES ((size_t)64 << 20)
#define FIRST_BYTES ((size_t)1 << 16)

// Growing array of bytes.
typedef struct buffer {
    uint8_t* bytes;
    size_t count;
    size_t capacity;
} buffer;

// Moves the bytes into a block of the given size.
static bool resize(buffer* b, size_t capacity)
{
    uint8_t* bytes = wkAllocate(capacity);
    if (bytes == NULL) {
        return false;
    }
    if (b->count > 0) {
        memcpy(bytes, b->bytes, b->count);
    }
    wkRelease(b->bytes, b->capacity);
    b->bytes = bytes;
    b->capacity = capacity;
    return true;
}

static wkResult readUntilEnd(int file, const char* name, buffer* b)
{
    for (;;) {
        if (b->count == b->capacity) {
            if (b->count >= MAX_BYTES) {
                return wkIoFail(name, wk_errorParse, "has more than the %zu bytes that are read",
                                MAX_BYTES);
            }
            if (!resize(b, b->capacity > 0 ? 2 * b->capacity : FIRST_BYTES)) {
                return wkIoFail(name, wk_errorMemory, "no memory for more than %zu bytes",
                                b->count);
            }
        }
        ssize_t count = read(file, b->bytes + b->count, b->capacity - b->count);
        if (count < 0 && errno != EINTR) {
            return wkIoFailErrno(name, "cannot be read");
        }
        if (count == 0) {
            return wk_ok;
        }
        b->count += count > 0 ? (size_t)count : 0;
    }
}

// Reads a stream to its end, into a block of exactly its size.
static wkResult readStream(int file, wkIoSource* source)
{
    buffer b = {NULL, 0, 0};
    wkResult result = readUntilEnd(file, source->name, &b);
    if (result == wk_ok && !resize(&b, b.count > 0 ? b.count : 1)) {
        result = wkIoFail(source->name, wk_errorMemory, "no memory for %zu bytes", b.count);
    }
    if (result != wk_ok) {
        wkRelease(b.bytes, b.capacity);
        return result;
    }
    source->bytes = b.bytes;
    source->ownBytes = b.bytes;
    source->byteCount = b.count;
    return wk_ok;
}

wkResult wkIoReadInput(const char* path, wkIoSource* source)
{
    if (strcmp(path, "-") == 0) {
        source->name = "standard input";
        source->path = NULL;
        return readStream(STDIN_FILENO, source);
    }
    struct stat about;
    bool isStream = stat(path, &about) == 0 &&
                    (S_ISFIFO(about.st_mode) || S_ISCHR(about.st_mode) || S_ISSOCK(about.st_mode));
    if (!isStream) {
        return wkIoReadFile(path, source);
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return wkIoFailErrno(path, "cannot be opened");
    }
    source->path = NULL;
    wkResult result = readStream(file, source);
    close(file);
    return result;
}
