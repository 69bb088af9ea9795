// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Loads and saves meshes, with their hierarchy or without.

#include "io/file/bytes.h"
#include "io/file/format.h"

#include "whisker/detail/library.h"

#include <stdio.h>
#include <string.h>

// The first bytes of wkMesh_Block() on a little-endian machine.
static const char blockMagic[] = "whwkMesh";

#define MAGIC_BYTES 8

bool wkIoMatchBlock(const uint8_t* bytes, size_t byteCount)
{
    return byteCount >= MAGIC_BYTES && memcmp(bytes, blockMagic, MAGIC_BYTES) == 0;
}

static wkResult blockToMesh(const wkIoSource* source, wkMesh** mesh)
{
    wkResult result = wkMesh_FromBlock(source->bytes, source->byteCount, mesh);
    return result == wk_ok ? wk_ok : wkIoFailAgain(source, result);
}

// Copies the original vertices and triangles of a mesh.
static wkResult copyMesh(const wkMesh* mesh, const wkIoSource* source, wkIoBuilder* builder)
{
    wkMeshInfo info = wkMesh_Info(mesh);
    wkResult result = wkIoBuilder_ReserveVertices(builder, source, (size_t)info.vertexCount);
    if (result == wk_ok) {
        result = wkIoBuilder_ReserveTriangles(builder, source, (size_t)info.triangleCount);
    }
    for (int32_t i = 0; i < info.vertexCount && result == wk_ok; i++) {
        result = wkIoBuilder_AddVertex(builder, source, wkMesh_Vertex(mesh, i));
    }
    for (int32_t i = 0; i < info.triangleCount && result == wk_ok; i++) {
        int32_t faceVertices[3];
        wkMesh_TriangleIndices(mesh, i, faceVertices);
        result = wkIoBuilder_AddTriangle(builder, source, faceVertices[0], faceVertices[1],
                                         faceVertices[2]);
    }
    return result;
}

wkResult wkIoReadBlock(const wkIoSource* source, wkIoBuilder* builder)
{
    wkMesh* mesh = NULL;
    wkResult result = blockToMesh(source, &mesh);
    if (result == wk_ok) {
        result = copyMesh(mesh, source, builder);
    }
    wkMesh_Destroy(mesh);
    return result;
}

wkResult wkIoCheckTriangles(const char* name, const wkLoadDef* options, int32_t vertexCount,
                            int32_t triangleCount)
{
    return triangleCount > 0 || options->allowsEmpty
               ? wk_ok
               : wkIoFail(
                     name, wk_errorArgument,
                     "the mesh has %d vertices and no triangles, so that nothing would ever touch "
                     "it; allowsEmpty (--allow-empty) takes it as it is",
                     vertexCount);
}

static wkResult buildMesh(const wkIoSource* source, const wkIoFormat* format, wkMesh** mesh)
{
    wkMeshData* data = NULL;
    wkResult result = wkIoRead(source, format, &data);
    if (result != wk_ok) {
        return result;
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = data->vertices;
    def.vertexCount = data->vertexCount;
    def.triangles = data->triangles;
    def.triangleCount = data->triangleCount;
    def.isSolid = source->options->isSolid;
    def.volume = source->options->volume;
    def.split = source->options->split;
    def.parallel = source->options->parallel;
    result =
        wkIoCheckTriangles(source->name, source->options, data->vertexCount, data->triangleCount);
    if (result == wk_ok) {
        result = wkMesh_Create(&def, mesh);
        result = result == wk_ok ? wk_ok : wkIoFailAgain(source, result);
    }
    wkMeshData_Destroy(data);
    return result;
}

// Fills the report for a mesh loaded from a block.
static void reportBlock(wkMeshInfo info, wkLoadInfo* report)
{
    memset(report, 0, sizeof *report);
    snprintf(report->format, sizeof report->format, "whisker");
    if (info.triangleCount > 0) {
        report->bounds = info.bounds;
    }
}

// Loads a block as it is, unless the options require another solidity.
static wkResult loadBlock(const wkIoSource* source, const wkIoFormat* format, wkMesh** mesh)
{
    const wkLoadDef* options = source->options;
    if (options->scale.x != 1.0 || options->scale.y != 1.0 || options->scale.z != 1.0) {
        return wkIoFail(source->name, wk_errorArgument, "a .whisker file cannot be scaled");
    }
    wkResult result = blockToMesh(source, mesh);
    if (result != wk_ok) {
        return result;
    }
    wkMeshInfo info = wkMesh_Info(*mesh);
    if (info.isSolid == options->isSolid && (info.triangleCount > 0 || options->allowsEmpty)) {
        if (source->info != NULL) {
            reportBlock(info, source->info);
        }
        return wk_ok;
    }
    wkMesh_Destroy(*mesh);
    *mesh = NULL;
    wkLoadDef ownOptions = *options;
    ownOptions.volume = info.volume;
    wkIoSource own = *source;
    own.options = &ownOptions;
    return buildMesh(&own, format, mesh);
}

static wkResult takeMesh(const wkIoSource* source, const wkIoFormat* format, void* result)
{
    wkMesh** mesh = (wkMesh**)result;
    return format->readMesh == wkIoReadBlock ? loadBlock(source, format, mesh)
                                             : buildMesh(source, format, mesh);
}

wkResult wkMesh_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info, wkMesh** mesh)
{
    if (path == NULL || mesh == NULL) {
        return wkSetLastError(wk_errorArgument, "load: path or mesh is NULL");
    }
    *mesh = NULL;
    return wkIoLoad(path, wk_ioMesh, def, info, takeMesh, mesh);
}

static void writeBlock(wkIoSink* sink, const void* context)
{
    const wkMesh* mesh = (const wkMesh*)context;
    wkIoSink_Write(sink, wkMesh_Block(mesh), wkMesh_Info(mesh).byteCount);
}

wkResult wkMesh_Save(const char* path, const wkMesh* mesh)
{
    if (path == NULL || mesh == NULL) {
        return wkSetLastError(wk_errorArgument, "save: path or mesh is NULL");
    }
    const wkIoFormat* format = wkIoFormat_Find(wkIoExtension(path));
    if (format != NULL && format->readMesh == wkIoReadBlock) {
        return wkIoWriteFile(path, writeBlock, mesh);
    }
    wkIoSource source = {.name = path, .path = path, .extension = ""};
    wkIoBuilder* builder = wkIoBuilder_Create();
    wkResult result = builder != NULL ? copyMesh(mesh, &source, builder)
                                      : wkIoFail(path, wk_errorMemory, "no memory to start with");
    if (result == wk_ok) {
        result = wkMeshData_Save(path, &builder->data);
    }
    wkIoBuilder_Destroy(builder);
    return result;
}
