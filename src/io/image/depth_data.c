// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public functions on depth images in files.

#include "io/image/png.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <string.h>

void wkDepthData_Destroy(wkDepthData* data)
{
    wkIoDepth* depth = (wkIoDepth*)data;
    if (depth != NULL) {
        wkRelease(depth->data.pixels, depth->pixelCount * sizeof(uint16_t));
        wkRelease(depth, sizeof *depth);
    }
}

// The caller's request with its result.
typedef struct request {
    const wkCamera* camera; // required size of the image; NULL: any size
    wkDepthData* data;
} request;

static wkResult read(const wkIoSource* source, void* result)
{
    request* wanted = (request*)result;
    wkIoDepth* depth = wkAllocate(sizeof *depth);
    if (depth == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory to start with");
    }
    memset(depth, 0, sizeof *depth);
    wkResult outcome = wkIoReadPng(source, wanted->camera, depth);
    if (outcome != wk_ok) {
        wkDepthData_Destroy(&depth->data);
        return outcome;
    }
    wanted->data = &depth->data;
    return wk_ok;
}

static wkResult load(const char* path, request wanted, wkDepthData** data)
{
    if (data == NULL) {
        return wkSetLastError(wk_errorArgument, "load: data is NULL");
    }
    wkResult result = wkIoReadFrom(path, read, &wanted);
    *data = wanted.data;
    return result;
}

wkResult wkDepthData_Load(const char* path, wkDepthData** data)
{
    return load(path, (request){NULL, NULL}, data);
}

wkResult wkDepthData_LoadFor(const char* path, const wkCamera* camera, wkDepthData** data)
{
    if (camera == NULL) {
        return wkSetLastError(wk_errorArgument, "load: camera is NULL");
    }
    return load(path, (request){camera, NULL}, data);
}

wkResult wkDepthData_Parse(const void* bytes, size_t byteCount, wkDepthData** data)
{
    request wanted = {NULL, NULL};
    if (data == NULL) {
        return wkSetLastError(wk_errorArgument, "parse: data is NULL");
    }
    wkResult result = wkIoReadBytes("png", bytes, byteCount, read, &wanted);
    *data = wanted.data;
    return result;
}

static void writeBytes(wkIoSink* sink, const void* context)
{
    const wkIoPngBytes* file = (const wkIoPngBytes*)context;
    wkIoSink_Write(sink, file->bytes, file->count);
}

wkResult wkDepthData_Save(const char* path, const wkDepthData* data)
{
    if (path == NULL || data == NULL || data->pixels == NULL) {
        return wkSetLastError(wk_errorArgument, "save: path, data or its pixels are NULL");
    }
    if (data->width < 1 || data->height < 1 || data->width > WK_IO_MAX_SIDE ||
        data->height > WK_IO_MAX_SIDE) {
        return wkIoFail(path, wk_errorRange, "%d x %d pixels, must be 1 to %d", data->width,
                        data->height, WK_IO_MAX_SIDE);
    }
    wkIoPngBytes file = {NULL, 0, 0};
    wkResult result = wkIoWritePng(path, data, &file);
    if (result == wk_ok) {
        result = wkIoWriteFile(path, writeBytes, &file);
    }
    wkIoFreePng(&file);
    return result;
}

// Returns the nearest integer number of units; 0 for no measurement.
static uint16_t unitsOf(float depth, double scale)
{
    double units = floor((double)depth / scale + 0.5);
    return units >= 1.0 && units <= 65535.0 ? (uint16_t)units : 0;
}

wkResult wkDepthImage_Save(const char* path, const wkDepthImage* image, double scale)
{
    wkResult result = wkDepthImage_Check(image);
    if (result != wk_ok) {
        return result;
    }
    if (path == NULL || !(scale > 0.0) || !(scale < INFINITY)) {
        return wkSetLastError(wk_errorArgument, "save: path is NULL, or scale is not above 0");
    }
    wkDepthData data = {.width = image->camera.width, .height = image->camera.height};
    size_t byteCount = (size_t)data.width * (size_t)data.height * sizeof *data.pixels;
    data.pixels = wkAllocate(byteCount);
    if (data.pixels == NULL) {
        return wkIoFail(path, wk_errorMemory, "no memory for %d x %d pixels", data.width,
                        data.height);
    }
    for (int32_t v = 0; v < data.height; ++v) {
        for (int32_t u = 0; u < data.width; ++u) {
            data.pixels[(size_t)v * (size_t)data.width + (size_t)u] =
                unitsOf(wkDepthImage_At(image, u, v), scale);
        }
    }
    result = wkDepthData_Save(path, &data);
    wkRelease(data.pixels, byteCount);
    return result;
}
