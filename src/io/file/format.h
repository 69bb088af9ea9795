// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shared by readers and writers: sources of bytes, builders of meshes and point clouds, and the table of
// formats. This library uses only the public headers of libwhisker.

#include "base/compiler.h"
#include "whisker/io.h"

// Maximum number of triangles of a mesh.
#define WK_IO_MAX_TRIANGLES (1 << 28)

typedef struct wkIoFormat wkIoFormat;

// The bytes of a file with its name and load options.
typedef struct wkIoSource {
    const char* name; // for error messages: the path, or the name of the format
    const char* path; // NULL when the bytes come from memory
    const uint8_t* bytes;
    size_t byteCount;
    uint8_t* ownBytes; // the same bytes where wkIoUnread releases them; NULL: they are the caller's
    const wkLoadDef* options;
    const char* extension; // of the path, or the name of the format; without a dot
    wkLoadInfo* info;      // to be filled in; NULL: not wanted
} wkIoSource;

// Growing arrays of vertices and triangles. `data` comes first: the user's pointer is the builder.
typedef struct wkIoBuilder {
    wkMeshData data;
    size_t vertexCapacity;
    size_t triangleCapacity;
    char warning[WK_WARNING_CAPACITY];
} wkIoBuilder;

// A growing array of points, with the same layout.
typedef struct wkIoCloud {
    wkPointData data;
    size_t capacity;
    double axisRounding; // metres by which floats moved a coordinate at most
    bool findsOrigin;    // the first finite point decides about the origin
    char warning[WK_WARNING_CAPACITY];
} wkIoCloud;

// A buffered output file.
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

// A row of the table of formats. NULL functions: such files do not hold that content, or are not written.
struct wkIoFormat {
    const char* name;      // and extension, in lower case
    wkIoMatchFcn* matches; // true when the content identifies the format; NULL: it never does
    wkIoReadFcn* readMesh;
    wkIoWriteFcn* writeMesh;
    wkIoReadPointsFcn* readPoints;
    wkIoWritePointsFcn* writePoints;
    wkIoReadMapFcn* readMap;
    wkIoSaveMapFcn* saveMap;
    bool writesFloats; // coordinates are floats: none beyond their range, and no origin of points
    bool repeatsVertices; // triangles do not share vertices, so welding pays
};

// Returns the row for a name or file extension, in any case; NULL when there is none.
const wkIoFormat* wkIoFormat_Find(const char* name);

// Returns the row of that kind that the content identifies; NULL when there is none.
const wkIoFormat* wkIoFormat_Match(wkIoKind kind, const uint8_t* bytes, size_t byteCount);

// Returns the row for all formats that are read through assimp.
const wkIoFormat* wkIoFormat_Others(void);

// Returns true when files of the format hold that kind of content, whether this build reads them or not.
bool wkIoFormat_Holds(const wkIoFormat* format, wkIoKind kind);

// Finds the row for a file to be written, by its extension.
wkResult wkIoFormat_ForPath(const char* path, wkIoKind kind, const wkIoFormat** format);

// Writes the names of all formats that are read (or written), "stl, obj, ...", into a buffer.
void wkIoFormat_List(wkIoKind kind, bool wantsWritten, char* words, size_t capacity);

// Returns the extension of a path without its dot; "" when it has none.
const char* wkIoExtension(const char* path);

// Functions of the table.
wkIoMatchFcn wkIoMatchStl, wkIoMatchPly, wkIoMatchGlb, wkIoMatchBlock;
wkIoReadFcn wkIoReadStl, wkIoReadObj, wkIoReadPly, wkIoReadScene, wkIoReadBlock;
wkIoWriteFcn wkIoWriteStl, wkIoWriteObj, wkIoWritePly;
wkIoMatchFcn wkIoMatchPcd, wkIoMatchNpy, wkIoMatchVtk, wkIoMatchLas;
wkIoReadPointsFcn wkIoReadPcd, wkIoReadPlyPoints, wkIoReadNpy, wkIoReadKitti, wkIoReadVtk,
    wkIoReadCsv, wkIoReadLas;
wkIoWritePointsFcn wkIoWritePcd, wkIoWritePlyPoints, wkIoWriteNpy, wkIoWriteKitti, wkIoWriteLas;
wkIoMatchFcn wkIoMatchBt, wkIoMatchOt;
wkIoReadMapFcn wkIoReadOctomap;
wkIoSaveMapFcn wkIoSaveBt, wkIoSaveOt;

// Set the last error. Each puts the name of the file before the message and returns `result`.
wkResult wkIoFail(const char* name, wkResult result, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

// With the number of the line that contains `at`.
wkResult wkIoFailLine(const wkIoSource* source, const void* at, wkResult result, const char* format,
                      ...) __attribute__((format(printf, 4, 5)));

// With a line number.
wkResult wkIoFailNumberedLine(const char* name, size_t line, wkResult result, const char* format,
                              ...) __attribute__((format(printf, 4, 5)));

// With the offset of the byte at `at`.
wkResult wkIoFailByte(const wkIoSource* source, const void* at, wkResult result, const char* format,
                      ...) __attribute__((format(printf, 4, 5)));

// With the message of errno.
wkResult wkIoFailErrno(const char* path, const char* what);

// With the last error of libwhisker.
wkResult wkIoFailAgain(const wkIoSource* source, wkResult result);

// Keeps a warning about content that is readable but doubtful; only the first one is kept.
void wkIoWarn(char warning[WK_WARNING_CAPACITY], const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// Reads a whole file into memory; `source->bytes` are released with wkIoUnread.
wkResult wkIoReadFile(const char* path, wkIoSource* source);
void wkIoUnread(wkIoSource* source);

// The same for descriptions that may come through a pipe: "-" is the standard input, and a file that is not
// regular is read to its end. Neither has a folder: `source->path` becomes NULL.
wkResult wkIoReadInput(const char* path, wkIoSource* source);

// Builds an object from a source; `result` is the pointer passed by the caller.
typedef wkResult wkIoMakeFcn(const wkIoSource* source, void* result);

// Read a file, or bytes that error messages call by a name. Paths, bytes and results must not be NULL, except
// for zero bytes.
wkResult wkIoReadFrom(const char* path, wkIoMakeFcn* make, void* result);
wkResult wkIoReadBytes(const char* name, const void* bytes, size_t byteCount, wkIoMakeFcn* make,
                       void* result);

// Mesh builders.
wkIoBuilder* wkIoBuilder_Create(void);
void wkIoBuilder_Destroy(wkIoBuilder* builder);

// Reserves capacity for `count` in all. The caller has compared the count with the bytes of the file.
wkResult wkIoBuilder_ReserveVertices(wkIoBuilder* builder, const wkIoSource* source, size_t count);
wkResult wkIoBuilder_ReserveTriangles(wkIoBuilder* builder, const wkIoSource* source, size_t count);

// Appends a triangle with three vertices of its own, for formats without indices.
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

// Merges vertices at exactly the same position; the first of them stays.
wkResult wkIoWeld(wkIoBuilder* builder, const wkIoSource* source);

// Applies the scale, computes bounds, and warns about sizes that suggest another unit.
wkResult wkIoFinish(wkIoBuilder* builder, const wkIoSource* source, wkAabb* bounds);

// Appends to the file; an error is kept until the end.
void wkIoSink_Write(wkIoSink* sink, const void* bytes, size_t byteCount);
void wkIoSink_Print(wkIoSink* sink, const char* format, ...) __attribute__((format(printf, 2, 3)));

// Writes a number as text, with the fewest digits that read back as the same number.
#define WK_IO_NUMBER_CAPACITY 40
const char* wkIoWriteNumber(double value, char text[WK_IO_NUMBER_CAPACITY]);

// Writes a file by calling `write` on a sink. The file appears whole or not at all: if anything fails, the
// previous content stays and no other file is left behind.
typedef void wkIoSinkFcn(wkIoSink* sink, const void* context);
wkResult wkIoWriteFile(const char* path, wkIoSinkFcn* write, const void* context);

// Replaces NULL by the defaults; refuses options that did not start from them.
wkResult wkIoCheckOptions(const wkLoadDef** options, wkLoadDef* defaults);

// Reads a source with a given row of the table into a finished builder.
wkResult wkIoRead(const wkIoSource* source, const wkIoFormat* format, wkMeshData** data);

// Refuses a mesh without triangles unless the options allow it: such an obstacle or link would never collide.
wkResult wkIoCheckTriangles(const char* name, const wkLoadDef* options, int32_t vertexCount,
                            int32_t triangleCount);

// Builds the caller's object from a source; `result` receives its pointer.
typedef wkResult wkIoTakeFcn(const wkIoSource* source, const wkIoFormat* format, void* result);

// Reads a file: checks the options (NULL: the defaults), chooses the row by the options, else the content,
// else the extension, and calls `take`.
wkResult wkIoLoad(const char* path, wkIoKind kind, const wkLoadDef* options, wkLoadInfo* info,
                  wkIoTakeFcn* take, void* result);

// The same for bytes in memory. `format` may be NULL.
wkResult wkIoParse(const void* bytes, size_t byteCount, const char* format, wkIoKind kind,
                   const wkLoadDef* options, wkLoadInfo* info, wkIoTakeFcn* take, void* result);
