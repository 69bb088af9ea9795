// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#define _POSIX_C_SOURCE 200809L // getpid

#include "io_kit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_FILES 64
#define PATH_CAPACITY 128

static char paths[MAX_FILES][PATH_CAPACITY];
static int pathCount;

void wkBytes_Add(wkBytes* bytes, const void* data, size_t count)
{
    if (bytes->count + count > bytes->capacity) {
        bytes->capacity = 2 * (bytes->count + count) + 256;
        bytes->data = realloc(bytes->data, bytes->capacity);
        assert_non_null(bytes->data);
    }
    if (count > 0) {
        memcpy(bytes->data + bytes->count, data, count);
    }
    bytes->count += count;
}

void wkBytes_Print(wkBytes* bytes, const char* format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    assert_true(length >= 0 && length < (int)sizeof text);
    wkBytes_Add(bytes, text, (size_t)length);
}

void wkBytes_AddNumber(wkBytes* bytes, uint64_t bits, int size, bool isBig)
{
    for (int i = 0; i < size; i++) {
        uint8_t byte = (uint8_t)(bits >> (8 * (isBig ? size - 1 - i : i)));
        wkBytes_Add(bytes, &byte, 1);
    }
}

void wkBytes_AddFloat(wkBytes* bytes, float value, bool isBig)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    wkBytes_AddNumber(bytes, bits, 4, isBig);
}

void wkBytes_AddDouble(wkBytes* bytes, double value, bool isBig)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    wkBytes_AddNumber(bytes, bits, 8, isBig);
}

void wkBytes_Free(wkBytes* bytes)
{
    free(bytes->data);
    memset(bytes, 0, sizeof *bytes);
}

// The longest copy that starts at `at`, by trying them all.
static size_t findCopy(const uint8_t* data, size_t count, size_t at, size_t* distance)
{
    size_t best = 0;
    for (size_t back = 1; back <= at && back <= 8192; back++) {
        size_t length = 0;
        while (at + length < count && length < 264 &&
               data[at + length] == data[at + length - back]) {
            length++;
        }
        if (length > best) {
            best = length;
            *distance = back;
        }
    }
    return best;
}

void wkBytes_AddPcdColumns(wkBytes* bytes, const uint8_t* columns, size_t count)
{
    wkBytes packed = {0};
    for (size_t at = 0; at < count;) {
        size_t distance = 0, length = findCopy(columns, count, at, &distance);
        if (length < 3) {
            wkBytes_AddNumber(&packed, 0, 1, false); // a run of one byte
            wkBytes_Add(&packed, columns + at++, 1);
            continue;
        }
        size_t code = length - 2 < 7 ? length - 2 : 7;
        wkBytes_AddNumber(&packed, code << 5 | (distance - 1) >> 8, 1, false);
        if (code == 7) {
            wkBytes_AddNumber(&packed, length - 9, 1, false);
        }
        wkBytes_AddNumber(&packed, (distance - 1) & 255, 1, false);
        at += length;
    }
    wkBytes_AddNumber(bytes, packed.count, 4, false);
    wkBytes_AddNumber(bytes, count, 4, false);
    wkBytes_Add(bytes, packed.data, packed.count);
    wkBytes_Free(&packed);
}

const char* wkTestPath(const char* name)
{
    assert_true(pathCount < MAX_FILES);
    char* path = paths[pathCount++];
    const char* folder = getenv("TMPDIR");
    snprintf(path, PATH_CAPACITY, "%s/whisker_io_%ld_%s", folder != NULL ? folder : "/tmp",
             (long)getpid(), name);
    return path;
}

void wkWriteFile(const char* path, const void* data, size_t count)
{
    FILE* file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(data, 1, count, file), count);
    assert_int_equal(fclose(file), 0);
}

wkBytes wkReadFile(const char* path)
{
    wkBytes bytes = {NULL, 0, 0};
    FILE* file = fopen(path, "rb");
    assert_non_null(file);
    uint8_t part[4096];
    for (size_t count; (count = fread(part, 1, sizeof part, file)) > 0;) {
        wkBytes_Add(&bytes, part, count);
    }
    fclose(file);
    return bytes;
}

void wkRemoveFiles(void)
{
    while (pathCount > 0) {
        remove(paths[--pathCount]);
    }
}

wkMeshData wkMakeTorus(int rings)
{
    const double turn = 6.283185307179586;
    size_t count = (size_t)rings * (size_t)rings;
    wkMeshData torus = {malloc(count * sizeof(wkVec3d)), rings * rings,
                        malloc(6 * count * sizeof(int32_t)), 2 * rings * rings};
    assert_non_null(torus.vertices);
    assert_non_null(torus.triangles);
    int32_t* vertex = torus.triangles;
    for (int i = 0; i < rings; i++) {
        for (int j = 0; j < rings; j++) {
            double u = turn * i / rings, v = turn * j / rings;
            wkVec3d point = {(1.0 + 0.3 * cos(v)) * cos(u), (1.0 + 0.3 * cos(v)) * sin(u),
                             0.3 * sin(v)};
            int a = i * rings + j, b = (i + 1) % rings * rings + j;
            int c = (i + 1) % rings * rings + (j + 1) % rings, d = i * rings + (j + 1) % rings;
            int32_t two[6] = {a, b, c, a, c, d};
            torus.vertices[a] = point;
            memcpy(vertex, two, sizeof two);
            vertex += 6;
        }
    }
    return torus;
}

void wkFreeTorus(wkMeshData* torus)
{
    free(torus->vertices);
    free(torus->triangles);
}

wkMeshData* wkMustParse(const void* data, size_t count, const char* format,
                        const wkLoadDef* options, wkLoadInfo* info)
{
    wkMeshData* mesh = NULL;
    if (wkMeshData_Parse(data, count, format, options, info, &mesh) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return mesh;
}

wkMeshData* wkMustLoad(const char* path, const wkLoadDef* options, wkLoadInfo* info)
{
    wkMeshData* mesh = NULL;
    if (wkMeshData_Load(path, options, info, &mesh) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return mesh;
}

bool wkReadsFormat(const char* name)
{
    for (int32_t i = 0; wkMeshFormatName(i) != NULL; i++) {
        if (strcmp(wkMeshFormatName(i), name) == 0) {
            return true;
        }
    }
    return false;
}

void wkExpectRefusal(wkResult result, const void* object, wkResult expected, const char* words)
{
    if (result != expected || object != NULL || strstr(wkGetLastError(), words) == NULL) {
        fail_msg("%s instead of %s with \"%s\": %s", wkResultName(result), wkResultName(expected),
                 words, wkGetLastError());
    }
    assert_int_equal(wkGetByteCount(), 0);
}
