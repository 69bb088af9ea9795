// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Arrays of NumPy larger than memory, to be written: the file has its full size from the start, and
// pieces go to their places.

#define _POSIX_C_SOURCE 200809L // open, pwrite, posix_fallocate

#include "io/format.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

// With the magic word, a multiple of 64 as NumPy wants it.
#define HEADER_BYTES 128
#define MAGIC_BYTES 10

static const struct {
    const char* name;
    size_t byteCount;
} types[wk_arrayTypeCount] = {
    [wk_arrayUint8] = {"|u1", 1},
    [wk_arrayInt32] = {"<i4", 4},
    [wk_arrayFloat] = {"<f4", 4},
};

struct wkArrayFile {
    int file;
    wkArrayType type;
    int64_t count;
    size_t pathLength;
    char path[];
};

static wkResult failToWrite(const char* path)
{
    return wkIoFailErrno(path, "cannot be written");
}

// All bytes, whatever number of them the system takes at once.
static bool writeAll(int file, const void* bytes, size_t byteCount, int64_t at)
{
    const char* left = (const char*)bytes;
    while (byteCount > 0) {
        ssize_t done = pwrite(file, left, byteCount, (off_t)at);
        if (done <= 0 && errno != EINTR) {
            return false;
        }
        size_t written = done > 0 ? (size_t)done : 0;
        left += written;
        at += (int64_t)written;
        byteCount -= written;
    }
    return true;
}

static void makeHeader(wkArrayType type, int64_t count, char header[HEADER_BYTES])
{
    char words[HEADER_BYTES];
    int length =
        snprintf(words, sizeof words, "{'descr': '%s', 'fortran_order': False, 'shape': (%lld,), }",
                 types[type].name, (long long)count);
    memset(header, ' ', HEADER_BYTES);
    memcpy(header, "\x93NUMPY\x01", 7);
    header[7] = 0;
    header[8] = HEADER_BYTES - MAGIC_BYTES;
    header[9] = 0;
    memcpy(header + MAGIC_BYTES, words, (size_t)length);
    header[HEADER_BYTES - 1] = '\n';
}

static wkResult writeStart(const wkArrayFile* file)
{
    char header[HEADER_BYTES];
    makeHeader(file->type, file->count, header);
    int64_t byteCount = HEADER_BYTES + file->count * (int64_t)types[file->type].byteCount;
    bool isWritten = writeAll(file->file, header, sizeof header, 0) &&
                     ftruncate(file->file, (off_t)byteCount) == 0;
    return isWritten ? wk_ok : failToWrite(file->path);
}

wkResult wkArrayFile_Create(const char* path, wkArrayType type, int64_t count, wkArrayFile** out)
{
    if (path == NULL || out == NULL || (unsigned)type >= (unsigned)wk_arrayTypeCount) {
        return wkSetLastError(wk_errorArgument, "array file: path, type or place is not valid");
    }
    *out = NULL;
    if (count < 0 || count > INT64_MAX / 16) {
        return wkIoFail(path, wk_errorRange, "the count is negative or too large");
    }
    size_t length = strlen(path);
    wkArrayFile* file = (wkArrayFile*)wkAllocate(sizeof *file + length + 1);
    if (file == NULL) {
        return wkIoFail(path, wk_errorMemory, "no memory");
    }
    file->file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    file->type = type;
    file->count = count;
    file->pathLength = length;
    memcpy(file->path, path, length + 1);
    wkResult result = file->file >= 0 ? writeStart(file) : failToWrite(path);
    if (result != wk_ok) {
        if (file->file >= 0) {
            close(file->file);
            wkIoRemoveFile(path);
        }
        wkRelease(file, sizeof *file + length + 1);
        return result;
    }
    *out = file;
    return wk_ok;
}

wkResult wkArrayFile_Write(wkArrayFile* file, int64_t first, int64_t count, const void* numbers)
{
    if (file == NULL || (numbers == NULL && count > 0)) {
        return wkSetLastError(wk_errorArgument, "array file: file or numbers are NULL");
    }
    if (first < 0 || count < 0 || count > file->count - first) {
        return wkIoFail(file->path, wk_errorRange, "the array has no such place");
    }
    size_t size = types[file->type].byteCount;
    int64_t at = HEADER_BYTES + first * (int64_t)size;
    return writeAll(file->file, numbers, (size_t)count * size, at) ? wk_ok
                                                                   : failToWrite(file->path);
}

wkResult wkArrayFile_Close(wkArrayFile* file)
{
    if (file == NULL) {
        return wk_ok;
    }
    bool isClosed = close(file->file) == 0;
    wkResult result = isClosed ? wk_ok : failToWrite(file->path);
    wkRelease(file, sizeof *file + file->pathLength + 1);
    return result;
}
