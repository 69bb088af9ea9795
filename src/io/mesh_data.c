// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public functions on mesh data: choose a row of the table, read, weld, finish.

#include "io/format.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

// "load" in letters; options without it did not start from wkDefaultLoadOptions().
#define LOAD_OPTIONS_COOKIE 0x64616f6cu

wkLoadOptions wkDefaultLoadOptions(void)
{
    wkLoadOptions options = {.scale = {1.0, 1.0, 1.0},
                             .volume = wk_volumeAabb,
                             .split = wk_splitSah,
                             .cookie = LOAD_OPTIONS_COOKIE};
    return options;
}

wkResult wkIoCheckOptions(const wkLoadOptions** options, wkLoadOptions* defaults)
{
    if (*options == NULL) {
        *defaults = wkDefaultLoadOptions();
        *options = defaults;
    }
    if ((*options)->cookie != LOAD_OPTIONS_COOKIE) {
        return wkSetLastError(wk_errorArgument,
                              "load: the options must start from wkDefaultLoadOptions()");
    }
    wkVec3d scale = (*options)->scale;
    if (!wkIoIsFinite(scale) || scale.x == 0.0 || scale.y == 0.0 || scale.z == 0.0) {
        return wkSetLastError(wk_errorRange, "load: a factor of the scale is 0 or not finite");
    }
    return wk_ok;
}

wkResult wkIoChooseFormat(const wkIoSource* source, const wkIoFormat** format)
{
    const char* wanted = source->options->format;
    const wkIoFormat* row = wanted != NULL ? wkIoFormat_Find(wanted)
                                           : wkIoFormat_Match(source->bytes, source->byteCount);
    if (row == NULL && wanted == NULL) {
        row = wkIoFormat_Find(source->extension);
    }
    if (row == NULL && wanted == NULL && source->extension[0] != '\0') {
        row = wkIoFormat_Others();
    }
    *format = row;
    if (row == NULL) {
        char names[128];
        wkIoFormat_List(false, names, sizeof names);
        return wkIoFail(source->name, wk_errorUnsupported, "format \"%.40s\" is none of %s",
                        wanted != NULL ? wanted : "", names);
    }
    return wk_ok;
}

static void fillReport(const wkIoSource* source, const wkIoFormat* format, const wkIoDraft* draft,
                       wkAabb bounds)
{
    wkLoadReport* report = source->options->report;
    if (report != NULL) {
        bool isOther = format == wkIoFormat_Others();
        snprintf(report->format, sizeof report->format, "%s",
                 isOther ? source->extension : format->name);
        memcpy(report->warning, draft->warning, sizeof report->warning);
        report->bounds = bounds;
    }
}

wkResult wkIoRead(const wkIoSource* source, const wkIoFormat* format, wkMeshData** data)
{
    wkAabb bounds;
    wkIoDraft* draft = wkIoDraft_Create();
    wkResult result = draft != NULL
                          ? format->read(source, draft)
                          : wkIoFail(source->name, wk_errorMemory, "no memory to start with");
    if (result == wk_ok && format->repeatsCorners && !source->options->keepsCorners) {
        result = wkIoWeld(draft, source);
    }
    if (result == wk_ok) {
        result = wkIoFinish(draft, source, &bounds);
    }
    if (result != wk_ok) {
        wkIoDraft_Destroy(draft);
        return result;
    }
    fillReport(source, format, draft, bounds);
    *data = &draft->data;
    return wk_ok;
}

wkResult wkIoOpen(const char* path, const wkLoadOptions* options, wkLoadOptions* defaults,
                  wkIoSource* source, const wkIoFormat** format)
{
    wkResult result = wkIoCheckOptions(&options, defaults);
    if (result != wk_ok) {
        return result;
    }
    *source = (wkIoSource){path, path, NULL, 0, options, wkIoExtension(path)};
    result = wkIoReadFile(path, source);
    if (result != wk_ok) {
        return result;
    }
    result = wkIoChooseFormat(source, format);
    if (result != wk_ok) {
        wkIoUnread(source);
    }
    return result;
}

wkResult wkMeshData_Load(const char* path, const wkLoadOptions* options, wkMeshData** data)
{
    if (path == NULL || data == NULL) {
        return wkSetLastError(wk_errorArgument, "load: path or data is NULL");
    }
    *data = NULL;
    wkLoadOptions defaults;
    wkIoSource source;
    const wkIoFormat* format = NULL;
    wkResult result = wkIoOpen(path, options, &defaults, &source, &format);
    if (result == wk_ok) {
        result = wkIoRead(&source, format, data);
        wkIoUnread(&source);
    }
    return result;
}

wkResult wkMeshData_Parse(const void* bytes, size_t byteCount, const char* format,
                          const wkLoadOptions* options, wkMeshData** data)
{
    if ((bytes == NULL && byteCount > 0) || data == NULL) {
        return wkSetLastError(wk_errorArgument, "parse: bytes or data is NULL");
    }
    *data = NULL;
    wkLoadOptions defaults;
    wkResult result = wkIoCheckOptions(&options, &defaults);
    if (result != wk_ok) {
        return result;
    }
    static const uint8_t none[1] = {0};
    wkLoadOptions withFormat = *options;
    withFormat.format = format;
    const char* name = format != NULL ? format : "";
    wkIoSource source = {format != NULL ? format : "bytes",
                         NULL,
                         byteCount > 0 ? bytes : none,
                         byteCount,
                         &withFormat,
                         name};
    const wkIoFormat* row = NULL;
    result = wkIoChooseFormat(&source, &row);
    return result == wk_ok ? wkIoRead(&source, row, data) : result;
}

void wkMeshData_Destroy(wkMeshData* data)
{
    // the data is the first member of its draft
    wkIoDraft_Destroy((wkIoDraft*)data);
}

// What a writer may rely on.
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

// What is handed through to the writer.
typedef struct writing {
    const wkIoFormat* format;
    const wkMeshData* data;
} writing;

static void writeData(wkIoSink* sink, const void* context)
{
    const writing* w = (const writing*)context;
    w->format->write(sink, w->data);
}

wkResult wkMeshData_Save(const char* path, const wkMeshData* data)
{
    if (path == NULL || data == NULL) {
        return wkSetLastError(wk_errorArgument, "save: path or data is NULL");
    }
    writing w = {wkIoFormat_Find(wkIoExtension(path)), data};
    if (w.format == NULL || w.format->write == NULL) {
        char names[128];
        wkIoFormat_List(true, names, sizeof names);
        return wkIoFail(path, wk_errorUnsupported, "extension \"%.40s\" is none of %s",
                        wkIoExtension(path), names);
    }
    wkResult result = checkData(path, w.format, data);
    return result == wk_ok ? wkIoWriteFile(path, writeData, &w) : result;
}
