// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What readers and writers share: where bytes come from, where triangles and points go, and the
// table of formats. This library stands on the public headers of libwhisker alone.

#include "base/compiler.h"
#include "whisker/io.h"

// As many triangles as a mesh may have.
#define WK_IO_MAX_TRIANGLES (1 << 28)

typedef struct wkIoFormat wkIoFormat;

// The bytes of a file and what their reader has to know.
typedef struct wkIoSource {
    const char* name; // for the words of failures: the path, or the name of the format
    const char* path; // NULL when the bytes come from memory
    const uint8_t* bytes;
    size_t byteCount;
    const wkLoadOptions* options;
    const char* extension; // of the path, or the name of the format; no dot
} wkIoSource;

// Vertices and triangles that grow. The data comes first: what the user holds is the builder.
typedef struct wkIoBuilder {
    wkMeshData data;
    size_t vertexCapacity;
    size_t triangleCapacity;
    char warning[WK_WARNING_CAPACITY];
} wkIoBuilder;

// Points that grow, in the same manner.
typedef struct wkIoCloud {
    wkPointData data;
    size_t capacity;
    char warning[WK_WARNING_CAPACITY];
} wkIoCloud;

// Where a file is written to: a buffer in front of it.
typedef struct wkIoSink wkIoSink;

typedef bool wkIoMatchFcn(const uint8_t* bytes, size_t byteCount);
typedef wkResult wkIoReadFcn(const wkIoSource* source, wkIoBuilder* builder);
typedef void wkIoWriteFcn(wkIoSink* sink, const wkMeshData* data);
typedef wkResult wkIoReadPointsFcn(const wkIoSource* source, wkIoCloud* cloud);
typedef void wkIoWritePointsFcn(wkIoSink* sink, const wkPointData* data);
typedef wkResult wkIoReadMapFcn(const wkIoSource* source, wkOctree** octree);
typedef wkResult wkIoSaveMapFcn(const char* path, const wkOctree* octree);

// What a file is opened for.
typedef enum wkIoKind {
    wk_ioMesh,
    wk_ioPoints,
    wk_ioMap,
} wkIoKind;

// A row of the table. What it has no function for is not in such files, or not written.
struct wkIoFormat {
    const char* name;      // and extension, in lower case
    wkIoMatchFcn* matches; // true when the content can be nothing else; NULL: it never says
    wkIoReadFcn* readMesh;
    wkIoWriteFcn* writeMesh;
    wkIoReadPointsFcn* readPoints;
    wkIoWritePointsFcn* writePoints;
    wkIoReadMapFcn* readMap;
    wkIoSaveMapFcn* saveMap;
    bool writesFloats;    // coordinates beyond the range of float cannot be written
    bool repeatsVertices; // vertices are not shared between triangles, so welding pays
};

// Row by its name, or by a file's extension, in any case; NULL when there is none.
const wkIoFormat* wkIoFormat_Find(const char* name);

// Row of that kind that the content itself names; NULL when it names none.
const wkIoFormat* wkIoFormat_Match(wkIoKind kind, const uint8_t* bytes, size_t byteCount);

// The row for everything that only assimp knows.
const wkIoFormat* wkIoFormat_Others(void);

// True when such files hold what is asked for, whether this build reads them or not.
bool wkIoFormat_Holds(const wkIoFormat* format, wkIoKind kind);

// Row for a file that is to be written, as its extension says.
wkResult wkIoFormat_ForPath(const char* path, wkIoKind kind, const wkIoFormat** format);

// All names that are read (or written), "stl, obj, ...", into a buffer.
void wkIoFormat_List(wkIoKind kind, bool wantsWritten, char* words, size_t capacity);

// Extension of a path without its dot; "" when it has none.
const char* wkIoExtension(const char* path);

// Rows of the table.
wkIoMatchFcn wkIoMatchStl, wkIoMatchPly, wkIoMatchGlb, wkIoMatchBlock;
wkIoReadFcn wkIoReadStl, wkIoReadObj, wkIoReadPly, wkIoReadScene, wkIoReadBlock;
wkIoWriteFcn wkIoWriteStl, wkIoWriteObj, wkIoWritePly;
wkIoMatchFcn wkIoMatchPcd, wkIoMatchNpy, wkIoMatchVtk;
wkIoReadPointsFcn wkIoReadPcd, wkIoReadPlyPoints, wkIoReadNpy, wkIoReadKitti, wkIoReadVtk,
    wkIoReadCsv;
wkIoWritePointsFcn wkIoWritePcd, wkIoWritePlyPoints, wkIoWriteNpy, wkIoWriteKitti;
wkIoMatchFcn wkIoMatchBt, wkIoMatchOt;
wkIoReadMapFcn wkIoReadOctomap;
wkIoSaveMapFcn wkIoSaveBt, wkIoSaveOt;

// Failures. Each keeps the words behind the name of the file, and gives `result` back.
wkResult wkIoFail(const char* name, wkResult result, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// With the number of the line that `at` points into.
wkResult wkIoFailLine(const wkIoSource* source, const void* at, wkResult result, const char* format,
                      ...) __attribute__((format(printf, 4, 5)));

// With the number of a line.
wkResult wkIoFailNumberedLine(const char* name, size_t line, wkResult result, const char* format,
                              ...) __attribute__((format(printf, 4, 5)));

// With the number of the byte that `at` points to.
wkResult wkIoFailByte(const wkIoSource* source, const void* at, wkResult result, const char* format,
                      ...) __attribute__((format(printf, 4, 5)));

// With what the system says about its last failure.
wkResult wkIoFailErrno(const char* path, const char* what);

// With the words of a failure in libwhisker.
wkResult wkIoFailAgain(const wkIoSource* source, wkResult result);

// Keeps words about something that can be read though it looks wrong; the first ones stay.
void wkIoWarn(char warning[WK_WARNING_CAPACITY], const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The whole file in memory of the library; `source->bytes` is given back with wkIoUnread.
wkResult wkIoReadFile(const char* path, wkIoSource* source);
void wkIoUnread(wkIoSource* source);

// The same for descriptions that may come through a pipe: "-" is the standard input, and what is no
// ordinary file is read to its end. Both have no folder: `source->path` becomes NULL.
wkResult wkIoReadInput(const char* path, wkIoSource* source);

// What is made of a source; `result` is whatever the caller has given.
typedef wkResult wkIoMakeFcn(const wkIoSource* source, void* result);

// Reads a file, or bytes that failures call by a name. Paths, bytes and results must not be NULL, but for
// bytes that are none.
wkResult wkIoReadFrom(const char* path, wkIoMakeFcn* make, void* result);
wkResult wkIoReadBytes(const char* name, const void* bytes, size_t byteCount, wkIoMakeFcn* make,
                       void* result);

// Builders.
wkIoBuilder* wkIoBuilder_Create(void);
void wkIoBuilder_Destroy(wkIoBuilder* builder);

// Room for that many in all. The caller has compared the count with the bytes that are there.
wkResult wkIoBuilder_ReserveVertices(wkIoBuilder* builder, const wkIoSource* source, size_t count);
wkResult wkIoBuilder_ReserveTriangles(wkIoBuilder* builder, const wkIoSource* source, size_t count);

// Appends three vertices as vertices of their own: what formats without indices do.
wkResult wkIoBuilder_AddLooseTriangle(wkIoBuilder* builder, const wkIoSource* source,
                                      const wkVec3d faceVertices[3]);

WK_FN wkResult wkIoBuilder_AddVertex(wkIoBuilder* builder, const wkIoSource* source, wkVec3d vertex)
{
    size_t count = (size_t)builder->data.vertexCount;
    if (WK_UNLIKELY(count == builder->vertexCapacity)) {
        wkResult result = wkIoBuilder_ReserveVertices(builder, source, 2 * count + 64);
        if (result != wk_ok) {
            return result;
        }
    }
    builder->data.vertices[count] = vertex;
    builder->data.vertexCount++;
    return wk_ok;
}

WK_FN wkResult wkIoBuilder_AddTriangle(wkIoBuilder* builder, const wkIoSource* source, int32_t a,
                                       int32_t b, int32_t c)
{
    size_t count = (size_t)builder->data.triangleCount;
    if (WK_UNLIKELY(count == builder->triangleCapacity)) {
        wkResult result = wkIoBuilder_ReserveTriangles(builder, source, 2 * count + 64);
        if (result != wk_ok) {
            return result;
        }
    }
    int32_t* faceVertices = builder->data.triangles + 3 * count;
    faceVertices[0] = a;
    faceVertices[1] = b;
    faceVertices[2] = c;
    builder->data.triangleCount++;
    return wk_ok;
}

// True when all three coordinates are finite numbers.
WK_FN bool wkIoIsFinite(wkVec3d v)
{
    return v.x - v.x == 0.0 && v.y - v.y == 0.0 && v.z - v.z == 0.0;
}

// Makes vertices at exactly the same place one; the first of them stays.
wkResult wkIoWeld(wkIoBuilder* builder, const wkIoSource* source);

// Applies the scale, measures, and warns about sizes that suggest another unit.
wkResult wkIoFinish(wkIoBuilder* builder, const wkIoSource* source, wkAabb* bounds);

// Appends to the file; a failure is kept until the end.
void wkIoSink_Write(wkIoSink* sink, const void* bytes, size_t byteCount);
void wkIoSink_Print(wkIoSink* sink, const char* format, ...) __attribute__((format(printf, 2, 3)));

// A number in text, with the fewest digits that bring it back.
#define WK_IO_NUMBER_CAPACITY 40
const char* wkIoWriteNumber(double value, char text[WK_IO_NUMBER_CAPACITY]);

// Writes a file by calling `write` on a sink. It appears whole or not at all: what was there before stays
// when anything fails, and nothing else is left behind.
typedef void wkIoSinkFcn(wkIoSink* sink, const void* context);
wkResult wkIoWriteFile(const char* path, wkIoSinkFcn* write, const void* context);

// NULL stands for the defaults; refuses options that did not start from them.
wkResult wkIoCheckOptions(const wkLoadOptions** options, wkLoadOptions* defaults);

// Reads with a given row: the way from bytes to a finished builder.
wkResult wkIoRead(const wkIoSource* source, const wkIoFormat* format, wkMeshData** data);

// Refuses a mesh without triangles unless the options allow it: an obstacle or a link that nothing would
// ever touch.
wkResult wkIoCheckTriangles(const char* name, const wkLoadOptions* options, int32_t vertexCount,
                            int32_t triangleCount);

// Makes what the caller wants of a source; `result` is where its pointer goes.
typedef wkResult wkIoTakeFcn(const wkIoSource* source, const wkIoFormat* format, void* result);

// Reads a file: checks the options, for which NULL means the defaults, chooses the row by what the
// options say, else the content, else the extension, and takes it.
wkResult wkIoLoad(const char* path, wkIoKind kind, const wkLoadOptions* options, wkIoTakeFcn* take,
                  void* result);

// The same for bytes in memory. `format` may be NULL.
wkResult wkIoParse(const void* bytes, size_t byteCount, const char* format, wkIoKind kind,
                   const wkLoadOptions* options, wkIoTakeFcn* take, void* result);
