// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writes NumPy arrays larger than memory: the file has its full size from the start, and blocks are written
// at their positions. Unwritten parts never look like results: integers are 0, which is "unchecked" for
// verdicts, and floats are NaN.

#define _POSIX_C_SOURCE 200809L // posix_fallocate, pread

#include "io/file/format.h"
#include "io/file/output.h"

#include "whisker/detail/counts.h"
#include "whisker/detail/library.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// Including the magic bytes, a multiple of 64 as NumPy requires.
#define HEADER_BYTES 128
#define MAGIC_BYTES 10

#define FILL_COUNT 2048 // floats set per write

static const struct {
    const char* name;
    size_t byteCount;
} types[WK_ARRAY_TYPE_COUNT] = {
    [wk_arrayUint8] = {"|u1", 1},
    [wk_arrayInt32] = {"<i4", 4},
    [wk_arrayFloat] = {"<f4", 4},
};

struct wkArrayFile {
    wkIoOutput output;
    wkArrayType type;
    int64_t count;
    int64_t next; // of a device or pipe: the only position that can be written to
    size_t pathLength;
    char path[];
};

static wkResult failToWrite(const char* path)
{
    return wkIoFailErrno(path, "cannot be written");
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

static int64_t sizeOf(const wkArrayFile* file)
{
    return HEADER_BYTES + file->count * (int64_t)types[file->type].byteCount;
}

// Sets the size and reserves the space if the file system supports that.
static bool reserve(const wkArrayFile* file)
{
    off_t byteCount = (off_t)sizeOf(file);
    int reason = posix_fallocate(file->output.file, 0, byteCount);
    if (reason == 0) {
        return true;
    }
    errno = reason;
    bool isMissing = reason == EOPNOTSUPP || reason == EINVAL || reason == ENODEV;
    return isMissing && ftruncate(file->output.file, byteCount) == 0;
}

static bool fillWithNan(const wkArrayFile* file)
{
    float numbers[FILL_COUNT];
    for (int i = 0; i < FILL_COUNT; ++i) {
        numbers[i] = NAN;
    }
    for (int64_t done = 0; done < file->count; done += FILL_COUNT) {
        int64_t left = file->count - done;
        size_t byteCount = (size_t)(left < FILL_COUNT ? left : FILL_COUNT) * sizeof *numbers;
        int64_t at = HEADER_BYTES + done * (int64_t)sizeof *numbers;
        if (!wkIoOutput_WriteAt(&file->output, numbers, byteCount, at)) {
            return false;
        }
    }
    return true;
}

static wkResult start(wkArrayFile* file)
{
    char header[HEADER_BYTES];
    makeHeader(file->type, file->count, header);
    bool isStarted = wkIoOutput_WriteAt(&file->output, header, sizeof header, 0);
    if (!file->output.isPlain) {
        isStarted =
            isStarted && reserve(file) && (file->type != wk_arrayFloat || fillWithNan(file));
    }
    return isStarted ? wk_ok : failToWrite(file->path);
}

// Checks that the partial file was made by wkArrayFile_Create with the same header.
static wkResult goOn(wkArrayFile* file)
{
    char header[HEADER_BYTES], found[HEADER_BYTES];
    struct stat about;
    makeHeader(file->type, file->count, header);
    bool isSame = fstat(file->output.file, &about) == 0 && about.st_size == sizeOf(file) &&
                  pread(file->output.file, found, sizeof found, 0) == HEADER_BYTES &&
                  memcmp(header, found, sizeof header) == 0;
    return isSame ? wk_ok
                  : wkIoFail(file->output.temporary, wk_errorParse,
                             "is not the beginning of an array of %lld %s", (long long)file->count,
                             types[file->type].name);
}

static void release(wkArrayFile* file)
{
    wkRelease(file, sizeof *file + file->pathLength + 1);
}

static wkResult openArray(const char* path, wkArrayType type, int64_t count, bool isKept,
                          wkArrayFile** out)
{
    if (path == NULL || out == NULL || (unsigned)type >= (unsigned)WK_ARRAY_TYPE_COUNT) {
        return wkSetLastError(wk_errorArgument,
                              "array file: the path, type or output pointer is not valid");
    }
    *out = NULL;
    if (count < 0 || count > INT64_MAX / 16) {
        return wkIoFail(path, wk_errorRange, "count is %lld, expected 0 to %lld", (long long)count,
                        (long long)(INT64_MAX / 16));
    }
    size_t length = strlen(path);
    wkArrayFile* file = (wkArrayFile*)wkAllocate(sizeof *file + length + 1);
    if (file == NULL) {
        return wkIoFail(path, wk_errorMemory, "no memory");
    }
    file->type = type;
    file->count = count;
    file->next = 0;
    file->pathLength = length;
    memcpy(file->path, path, length + 1);
    wkResult result = wkIoOutput_Open(&file->output, file->path, WK_ARRAY_PARTIAL, isKept);
    if (result == wk_ok) {
        result = isKept ? goOn(file) : start(file);
    }
    if (result != wk_ok) {
        wkIoOutput_Abandon(&file->output, isKept);
        release(file);
        return result;
    }
    *out = file;
    return wk_ok;
}

wkResult wkArrayFile_Create(const char* path, wkArrayType type, int64_t count, wkArrayFile** out)
{
    return openArray(path, type, count, false, out);
}

wkResult wkArrayFile_Resume(const char* path, wkArrayType type, int64_t count, wkArrayFile** out)
{
    return openArray(path, type, count, true, out);
}

static wkResult checkRange(const wkArrayFile* file, int64_t first, int64_t count,
                           const void* numbers)
{
    if (file == NULL || (numbers == NULL && count > 0)) {
        return wkSetLastError(wk_errorArgument, "array file: file or numbers are NULL");
    }
    if (first < 0 || count < 0 || count > file->count - first) {
        return wkIoFail(file->path, wk_errorRange,
                        "%lld elements from index %lld on, but the array has %lld",
                        (long long)count, (long long)first, (long long)file->count);
    }
    return wk_ok;
}

wkResult wkArrayFile_Read(const wkArrayFile* file, int64_t first, int64_t count, void* numbers)
{
    wkResult result = checkRange(file, first, count, numbers);
    if (result != wk_ok) {
        return result;
    }
    if (file->output.isPlain) {
        return wkIoFail(file->path, wk_errorUnsupported, "is a device or a pipe: cannot be read");
    }
    size_t size = types[file->type].byteCount;
    char* to = (char*)numbers;
    int64_t at = HEADER_BYTES + first * (int64_t)size;
    for (size_t left = (size_t)count * size; left > 0;) {
        ssize_t done = pread(file->output.file, to, left, (off_t)at);
        if (done == 0 || (done < 0 && errno != EINTR)) {
            return wkIoFailErrno(file->output.temporary, "cannot be read");
        }
        size_t read = done > 0 ? (size_t)done : 0;
        to += read;
        at += (int64_t)read;
        left -= read;
    }
    return wk_ok;
}

wkResult wkArrayFile_Write(wkArrayFile* file, int64_t first, int64_t count, const void* numbers)
{
    wkResult result = checkRange(file, first, count, numbers);
    if (result != wk_ok) {
        return result;
    }
    if (file->output.isPlain && first != file->next) {
        return wkIoFail(file->path, wk_errorRange, "is a device or a pipe: number %lld comes next",
                        (long long)file->next);
    }
    size_t size = types[file->type].byteCount;
    int64_t at = HEADER_BYTES + first * (int64_t)size;
    file->next = first + count;
    return wkIoOutput_WriteAt(&file->output, numbers, (size_t)count * size, at)
               ? wk_ok
               : failToWrite(file->path);
}

wkResult wkArrayFile_Flush(wkArrayFile* file)
{
    if (file == NULL) {
        return wkSetLastError(wk_errorArgument, "array file: file is NULL");
    }
    bool isFlushed = file->output.isPlain || fdatasync(file->output.file) == 0;
    return isFlushed ? wk_ok : failToWrite(file->path);
}

wkResult wkArrayFile_Close(wkArrayFile* file)
{
    if (file == NULL) {
        return wk_ok;
    }
    wkResult result = wkIoOutput_Commit(&file->output, true);
    release(file);
    return result;
}

void wkArrayFile_Leave(wkArrayFile* file, bool isKept)
{
    if (file != NULL) {
        wkIoOutput_Abandon(&file->output, isKept);
        release(file);
    }
}
