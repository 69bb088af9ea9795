// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Arrays of NumPy larger than memory, to be read: the file is mapped, and pages that were read are given
// back.

#define _DEFAULT_SOURCE // madvise

#include "io/npy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct wkTableMap {
    uint8_t* bytes; // the whole file
    size_t byteCount;
    const uint8_t* body;
    wkIoNumber type;
    int64_t rowCount;
    int32_t columnCount;
};

// The file as bytes; an empty one has none.
static wkResult mapFile(const char* path, wkTableMap* map)
{
    int file = open(path, O_RDONLY | O_CLOEXEC);
    struct stat about;
    bool isThere = file >= 0 && fstat(file, &about) == 0;
    if (isThere && about.st_size > 0) {
        void* bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_SHARED, file, 0);
        isThere = bytes != MAP_FAILED;
        map->bytes = isThere ? (uint8_t*)bytes : NULL;
        map->byteCount = isThere ? (size_t)about.st_size : 0;
    }
    int trouble = errno;
    if (file >= 0) {
        close(file);
    }
    errno = trouble;
    return isThere ? wk_ok : wkIoFailErrno(path, "cannot be read");
}

static wkResult readHeader(const char* path, wkTableMap* map)
{
    wkIoSource source = {
        .name = path, .path = path, .bytes = map->bytes, .byteCount = map->byteCount};
    wkNpyHeader header;
    wkResult result = wkIoReadNpyHeader(&source, &header);
    if (result != wk_ok) {
        return result;
    }
    bool isReal = header.type == wk_numberFloat || header.type == wk_numberDouble;
    if (!isReal || header.isBig) {
        return wkIoFailNpy(&source, &header, "descr", "is neither <f4 nor <f8");
    }
    if (header.dimensionCount > 2) {
        return wkIoFailNpy(&source, &header, "shape", "has more than two sizes");
    }
    bool isRow = header.dimensionCount == 1;
    if (header.isFortran && !isRow) {
        return wkIoFailNpy(&source, &header, "fortran_order", "is True, must be False");
    }
    map->type = header.type;
    map->body = header.body;
    map->rowCount = isRow ? 1 : header.shape[0];
    int64_t columnCount = isRow ? header.shape[0] : header.shape[1];
    uint64_t rowBytes = (uint64_t)columnCount * wkIoNumberBytes(header.type);
    if (rowBytes > 0 && (uint64_t)map->rowCount > header.bodyByteCount / rowBytes) {
        return wkIoFail(
            path, wk_errorParse, "header: shape has %lld rows, but there are bytes for %llu",
            (long long)map->rowCount, (unsigned long long)(header.bodyByteCount / rowBytes));
    }
    map->columnCount = (int32_t)columnCount;
    return wk_ok;
}

wkResult wkTableMap_Open(const char* path, wkTableMap** out)
{
    if (path == NULL || out == NULL) {
        return wkSetLastError(wk_errorArgument, "table map: path or the place for it is NULL");
    }
    *out = NULL;
    wkTableMap* map = (wkTableMap*)wkAllocate(sizeof *map);
    if (map == NULL) {
        return wkIoFail(path, wk_errorMemory, "no memory");
    }
    memset(map, 0, sizeof *map);
    wkResult result = mapFile(path, map);
    result = result == wk_ok ? readHeader(path, map) : result;
    if (result != wk_ok) {
        wkTableMap_Close(map);
        return result;
    }
    madvise(map->bytes, map->byteCount, MADV_SEQUENTIAL);
    *out = map;
    return wk_ok;
}

void wkTableMap_Close(wkTableMap* map)
{
    if (map == NULL) {
        return;
    }
    if (map->bytes != NULL) {
        munmap(map->bytes, map->byteCount);
    }
    wkRelease(map, sizeof *map);
}

int64_t wkTableMap_RowCount(const wkTableMap* map)
{
    return map != NULL ? map->rowCount : 0;
}

int32_t wkTableMap_ColumnCount(const wkTableMap* map)
{
    return map != NULL ? map->columnCount : 0;
}

// Whole pages of what was read are given back; they come again from the file.
static void dropPages(const wkTableMap* map, size_t first, size_t end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t from = first / page * page, to = end / page * page;
    if (to > from) {
        madvise(map->bytes + from, to - from, MADV_DONTNEED);
    }
}

wkResult wkTableMap_Read(wkTableMap* map, int64_t first, int64_t count, double* values)
{
    if (map == NULL || (values == NULL && count > 0)) {
        return wkSetLastError(wk_errorArgument, "table map: map or values are NULL");
    }
    if (first < 0 || count < 0 || count > map->rowCount - first) {
        return wkSetLastError(wk_errorRange, "table map: there are no such rows");
    }
    size_t length = (size_t)map->columnCount, numberBytes = wkIoNumberBytes(map->type);
    const uint8_t* at = map->body + (size_t)first * length * numberBytes;
    size_t numberCount = (size_t)count * length;
    if (map->type == wk_numberDouble) {
        memcpy(values, at, numberCount * sizeof *values);
    } else {
        for (size_t i = 0; i < numberCount; i++) {
            float number;
            memcpy(&number, at + i * sizeof number, sizeof number);
            values[i] = (double)number;
        }
    }
    size_t start = (size_t)(at - map->bytes);
    dropPages(map, start, start + numberCount * numberBytes);
    return wk_ok;
}
