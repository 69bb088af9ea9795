// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public functions on mesh data: find the row of the table, read, weld, finish.

#include "io/file/format.h"

#include "whisker/detail/library.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static void fillReport(const wkIoSource* source, const wkIoFormat* format,
                       const wkIoBuilder* builder, wkAabb bounds)
{
    wkLoadInfo* report = source->info;
    if (report != NULL) {
        bool isOther = format == wkIoFormat_Others();
        snprintf(report->format, sizeof report->format, "%s",
                 isOther ? source->extension : format->name);
        memcpy(report->warning, builder->warning, sizeof report->warning);
        report->bounds = bounds;
        report->notFiniteCount = 0;
    }
}

wkResult wkIoRead(const wkIoSource* source, const wkIoFormat* format, wkMeshData** data)
{
    wkAabb bounds;
    wkIoBuilder* builder = wkIoBuilder_Create();
    wkResult result = builder != NULL
                          ? format->readMesh(source, builder)
                          : wkIoFail(source->name, wk_errorMemory, "no memory to start with");
    if (result == wk_ok && format->repeatsVertices && !source->options->keepsVertices) {
        result = wkIoWeld(builder, source);
    }
    if (result == wk_ok) {
        result = wkIoFinish(builder, source, &bounds);
    }
    if (result != wk_ok) {
        wkIoBuilder_Destroy(builder);
        return result;
    }
    fillReport(source, format, builder, bounds);
    *data = &builder->data;
    return wk_ok;
}

static wkResult takeMesh(const wkIoSource* source, const wkIoFormat* format, void* result)
{
    return wkIoRead(source, format, (wkMeshData**)result);
}

wkResult wkMeshData_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info,
                         wkMeshData** data)
{
    if (path == NULL || data == NULL) {
        return wkSetLastError(wk_errorArgument, "load: path or data is NULL");
    }
    *data = NULL;
    return wkIoLoad(path, wk_ioMesh, def, info, takeMesh, data);
}

wkResult wkMeshData_Parse(const void* bytes, size_t byteCount, const char* format,
                          const wkLoadDef* def, wkLoadInfo* info, wkMeshData** data)
{
    if ((bytes == NULL && byteCount > 0) || data == NULL) {
        return wkSetLastError(wk_errorArgument, "parse: bytes or data is NULL");
    }
    *data = NULL;
    return wkIoParse(bytes, byteCount, format, wk_ioMesh, def, info, takeMesh, data);
}

void wkMeshData_Destroy(wkMeshData* data)
{
    // the data is the first member of its builder
    wkIoBuilder_Destroy((wkIoBuilder*)data);
}

// Checks the preconditions of the writers.
static wkResult checkData(const char* path, const wkIoFormat* format, const wkMeshData* data)
{
    if (data->vertexCount < 0 || data->triangleCount < 0 ||
        (data->vertexCount > 0 && data->vertices == NULL) ||
        (data->triangleCount > 0 && data->triangles == NULL)) {
        return wkIoFail(path, wk_errorArgument, "a count is negative or an array is NULL");
    }
    double limit = format->writesFloats ? (double)FLT_MAX : DBL_MAX;
    for (int32_t i = 0; i < data->vertexCount; i++) {
        wkVec3d v = data->vertices[i];
        if (!wkIoIsFinite(v)) {
            return wkIoFail(path, wk_errorNotFinite, "vertex %d is not finite", i);
        }
        if (fabs(v.x) > limit || fabs(v.y) > limit || fabs(v.z) > limit) {
            return wkIoFail(path, wk_errorRange, "vertex %d is too far away for %s", i,
                            format->name);
        }
    }
    for (size_t i = 0; i < 3 * (size_t)data->triangleCount; i++) {
        int32_t index = data->triangles[i];
        if (index < 0 || index >= data->vertexCount) {
            return wkIoFail(path, wk_errorRange, "triangle %zu: vertex %d, but there are %d", i / 3,
                            index, data->vertexCount);
        }
    }
    return wk_ok;
}

// Context of the writer.
typedef struct writing {
    const wkIoFormat* format;
    const wkMeshData* data;
} writing;

static void writeData(wkIoSink* sink, const void* context)
{
    const writing* w = (const writing*)context;
    w->format->writeMesh(sink, w->data);
}

wkResult wkMeshData_Save(const char* path, const wkMeshData* data)
{
    if (path == NULL || data == NULL) {
        return wkSetLastError(wk_errorArgument, "save: path or data is NULL");
    }
    writing w = {NULL, data};
    wkResult result = wkIoFormat_ForPath(path, wk_ioMesh, &w.format);
    if (result == wk_ok) {
        result = checkData(path, w.format, data);
    }
    return result == wk_ok ? wkIoWriteFile(path, writeData, &w) : result;
}
