// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What the tests of file formats share: bytes that are put together, files in a folder of their
// own, and a torus as a mesh with every vertex shared by six triangles.

#include "../data_files.h"

// Bytes of a file to be.
typedef struct wkBytes {
    uint8_t* data;
    size_t count;
    size_t capacity;
} wkBytes;

void wkBytes_Add(wkBytes* bytes, const void* data, size_t count);
void wkBytes_Print(wkBytes* bytes, const char* format, ...) __attribute__((format(printf, 2, 3)));

// A number of `size` bytes, least significant one first unless `isBig`.
void wkBytes_AddNumber(wkBytes* bytes, uint64_t bits, int size, bool isBig);
void wkBytes_AddFloat(wkBytes* bytes, float value, bool isBig);
void wkBytes_AddDouble(wkBytes* bytes, double value, bool isBig);
void wkBytes_Free(wkBytes* bytes);

// Columns of numbers as PCD compresses them: both sizes, and then LZF.
void wkBytes_AddPcdColumns(wkBytes* bytes, const uint8_t* columns, size_t count);

// The file as a whole; fails the test when that is not possible. Names are made from a short one;
// the files are removed by wkRemoveFiles.
const char* wkTestPath(const char* name);
void wkWriteFile(const char* path, const void* data, size_t count);
wkBytes wkReadFile(const char* path);
void wkRemoveFiles(void);

// A closed surface: rings * rings * 2 triangles.
wkMeshData wkMakeTorus(int rings);
void wkFreeTorus(wkMeshData* torus);

// Parses; fails the test with the words of the library when that is not possible.
wkMeshData* wkMustParse(const void* data, size_t count, const char* format,
                        const wkLoadDef* options, wkLoadInfo* info);
wkMeshData* wkMustLoad(const char* path, const wkLoadDef* options, wkLoadInfo* info);

// True when the build reads this format.
bool wkReadsFormat(const char* name);

// Fails unless a reader has refused its input: with that result and those words, no object, and no memory left.
void wkExpectRefusal(wkResult result, const void* object, wkResult expected, const char* words);
