// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Reads tables block by block. NumPy arrays may be larger than memory: the file is mapped, and pages are
// released after reading. Text and pipes are read whole.

#define _DEFAULT_SOURCE // madvise

#include "io/table/npy.h"

#include "whisker/detail/library.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

struct wkTableMap {
    uint8_t* bytes; // the whole file
    size_t byteCount;
    wkNpyHeader header; // of the array in `bytes`
    wkTableData* table; // text or a pipe, read whole; NULL: an array that is mapped
    int64_t rowCount;
    int32_t columnCount;
};

// Maps a regular file that starts like a NumPy array. Leaves `bytes` NULL for all others.
static wkResult mapArray(const char* path, wkTableMap* map)
{
    struct stat about;
    // opening a pipe and closing it unread would break its writer
    bool isStream = strcmp(path, "-") == 0 || (stat(path, &about) == 0 && !S_ISREG(about.st_mode));
    if (isStream) {
        return wk_ok;
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    bool isThere = file >= 0 && fstat(file, &about) == 0;
    if (isThere && S_ISREG(about.st_mode) && about.st_size > 0) {
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
    if (map->bytes != NULL && !wkIoMatchNpy(map->bytes, map->byteCount)) {
        munmap(map->bytes, map->byteCount);
        map->bytes = NULL;
    }
    return isThere ? wk_ok : wkIoFailErrno(path, "cannot be read");
}

static wkResult readHeader(const char* path, wkTableMap* map)
{
    wkIoSource source = {
        .name = path, .path = path, .bytes = map->bytes, .byteCount = map->byteCount};
    wkNpyHeader* header = &map->header;
    wkResult result = wkIoReadNpyHeader(&source, header);
    if (result != wk_ok) {
        return result;
    }
    if (header->dimensionCount > 2) {
        return wkIoFailNpy(&source, header, "shape", "is neither (columns,) nor (rows, columns)");
    }
    bool isRow = header->dimensionCount == 1;
    map->rowCount = isRow ? 1 : header->shape[0];
    int64_t columnCount = header->shape[isRow ? 0 : 1];
    uint64_t rowBytes = (uint64_t)columnCount * wkIoNumberBytes(header->type);
    if (rowBytes > 0 && (uint64_t)map->rowCount > header->bodyByteCount / rowBytes) {
        return wkIoFail(
            path, wk_errorParse, "header: shape has %lld rows, but there are bytes for %llu",
            (long long)map->rowCount, (unsigned long long)(header->bodyByteCount / rowBytes));
    }
    map->columnCount = (int32_t)columnCount;
    madvise(map->bytes, map->byteCount, MADV_SEQUENTIAL);
    return wk_ok;
}

static wkResult readWhole(const char* path, wkTableMap* map)
{
    wkResult result = wkTableData_Load(path, &map->table);
    map->rowCount = result == wk_ok ? map->table->rowCount : 0;
    map->columnCount = result == wk_ok ? map->table->columnCount : 0;
    return result;
}

wkResult wkTableMap_Open(const char* path, wkTableMap** out)
{
    if (path == NULL || out == NULL) {
        return wkSetLastError(wk_errorArgument, "table map: path or the output pointer is NULL");
    }
    *out = NULL;
    wkTableMap* map = (wkTableMap*)wkAllocate(sizeof *map);
    if (map == NULL) {
        return wkIoFail(path, wk_errorMemory, "no memory");
    }
    memset(map, 0, sizeof *map);
    wkResult result = mapArray(path, map);
    if (result == wk_ok) {
        result = map->bytes != NULL ? readHeader(path, map) : readWhole(path, map);
    }
    if (result != wk_ok) {
        wkTableMap_Close(map);
        return result;
    }
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
    wkTableData_Destroy(map->table);
    wkRelease(map, sizeof *map);
}

wkTableMapInfo wkTableMap_Info(const wkTableMap* map)
{
    wkTableMapInfo info = {0};
    if (map != NULL) {
        info.rowCount = map->rowCount;
        info.columnCount = map->columnCount;
        info.names = map->table != NULL ? map->table->names : NULL;
        info.commentNames = map->table != NULL ? map->table->commentNames : NULL;
    }
    return info;
}

// Releases whole pages that were read; they can be read from the file again.
static void dropPages(const wkTableMap* map, size_t first, size_t end)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    size_t from = first / page * page, to = end / page * page;
    if (to > from) {
        madvise(map->bytes + from, to - from, MADV_DONTNEED);
    }
}

// Returns true for numbers of the machine's own order, row by row.
static bool isPlain(const wkNpyHeader* header)
{
    return !header->isBig && (!header->isFortran || header->dimensionCount == 1);
}

// Converts floats one after the other, which compilers turn into vectors: asking for the type of each number takes ten
// times as long.
static void convertFloats(const uint8_t* from, size_t count, double* values)
{
    for (size_t i = 0; i < count; i++) {
        float number;
        memcpy(&number, from + i * sizeof number, sizeof number);
        values[i] = number;
    }
}

// Converts numbers of any type and order. Columns of a Fortran array are far apart in the file.
static void convertRows(const wkTableMap* map, size_t first, size_t count, double* values)
{
    const wkNpyHeader* header = &map->header;
    size_t columnCount = (size_t)map->columnCount, numberBytes = wkIoNumberBytes(header->type);
    size_t rowStep = header->isFortran ? 1 : columnCount;
    size_t step = header->isFortran ? (size_t)map->rowCount : 1;
    for (size_t row = 0; row < count; row++) {
        for (size_t column = 0; column < columnCount; column++) {
            const uint8_t* at =
                header->body + ((first + row) * rowStep + column * step) * numberBytes;
            values[row * columnCount + column] = wkIoLoadNumber(at, header->type, header->isBig);
        }
    }
}

static void readArray(const wkTableMap* map, size_t first, size_t count, double* values)
{
    size_t columnCount = (size_t)map->columnCount, numberCount = count * columnCount;
    size_t numberBytes = wkIoNumberBytes(map->header.type);
    const uint8_t* body = map->header.body;
    const uint8_t* from = body + first * columnCount * numberBytes;
    if (isPlain(&map->header) && map->header.type == wk_numberDouble) {
        memcpy(values, from, numberCount * sizeof *values);
    } else if (isPlain(&map->header) && map->header.type == wk_numberFloat) {
        convertFloats(from, numberCount, values);
    } else {
        convertRows(map, first, count, values);
    }
    bool isScattered = map->header.isFortran && map->header.dimensionCount > 1;
    size_t pieceCount = isScattered ? columnCount : 1;
    size_t pieceNumbers = isScattered ? count : numberCount;
    size_t step = isScattered ? (size_t)map->rowCount : 0;
    size_t start =
        (size_t)(body - map->bytes) + first * (isScattered ? 1 : columnCount) * numberBytes;
    for (size_t i = 0; i < pieceCount; i++) {
        size_t at = start + i * step * numberBytes;
        dropPages(map, at, at + pieceNumbers * numberBytes);
    }
}

wkResult wkTableMap_Read(wkTableMap* map, int64_t first, int64_t count, double* values)
{
    if (map == NULL || (values == NULL && count > 0)) {
        return wkSetLastError(wk_errorArgument, "table map: map or values are NULL");
    }
    if (first < 0 || count < 0 || count > map->rowCount - first) {
        return wkIoFail("table map", wk_errorRange,
                        "%lld rows from row %lld on, but the table has %lld", (long long)count,
                        (long long)first, (long long)map->rowCount);
    }
    size_t columnCount = (size_t)map->columnCount;
    if (count == 0 || columnCount == 0) {
        return wk_ok;
    }
    if (map->table != NULL) {
        memcpy(values, map->table->values + (size_t)first * columnCount,
               (size_t)count * columnCount * sizeof *values);
    } else {
        readArray(map, (size_t)first, (size_t)count, values);
    }
    return wk_ok;
}
