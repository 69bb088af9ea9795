// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The public functions on point data: find the row of the table, read, finish; and the writers.

#include "io/points/point_builder.h"

#include "whisker/detail/library.h"

#include <stdio.h>
#include <string.h>

static wkResult takePoints(const wkIoSource* source, const wkIoFormat* format, void* result)
{
    wkIoCloud* cloud;
    wkResult outcome = wkIoCloud_Read(source, format, &cloud);
    *(wkPointData**)result = outcome == wk_ok ? &cloud->data : NULL;
    return outcome;
}

wkResult wkPointData_Load(const char* path, const wkLoadDef* def, wkLoadInfo* info,
                          wkPointData** data)
{
    if (path == NULL || data == NULL) {
        return wkSetLastError(wk_errorArgument, "load: path or data is NULL");
    }
    *data = NULL;
    return wkIoLoad(path, wk_ioPoints, def, info, takePoints, data);
}

wkResult wkPointData_Parse(const void* bytes, size_t byteCount, const char* format,
                           const wkLoadDef* def, wkLoadInfo* info, wkPointData** data)
{
    if ((bytes == NULL && byteCount > 0) || data == NULL) {
        return wkSetLastError(wk_errorArgument, "parse: bytes or data is NULL");
    }
    *data = NULL;
    return wkIoParse(bytes, byteCount, format, wk_ioPoints, def, info, takePoints, data);
}

void wkPointData_Destroy(wkPointData* data)
{
    // the data is the first member of its cloud
    wkIoCloud_Destroy((wkIoCloud*)data);
}

static bool hasOrigin(const wkPointData* data)
{
    return data->origin.x != 0.0 || data->origin.y != 0.0 || data->origin.z != 0.0;
}

// Checks the precondition of the writers: counts agree, and the format has an origin if the points do.
static wkResult checkPoints(const char* path, const wkIoFormat* format, wkPointData* data)
{
    if (data->count < 0 || (data->count > 0 && data->points == NULL)) {
        return wkIoFail(path, wk_errorArgument, "the count is negative or points is NULL");
    }
    if (data->width == 0 && data->height == 0) {
        data->width = data->count;
        data->height = 1;
    }
    if (data->width < 0 || data->height < 0 || (int64_t)data->width * data->height != data->count) {
        return wkIoFail(path, wk_errorArgument, "width %d times height %d is not the count, %d",
                        data->width, data->height, data->count);
    }
    if (data->hasSensor && !wkIsValidPose(data->sensor)) {
        return wkIoFail(path, wk_errorNotFinite, "the pose of the sensor is none");
    }
    if (!wkIoIsFinite(data->origin)) {
        return wkIoFail(path, wk_errorNotFinite, "the origin is %g %g %g", data->origin.x,
                        data->origin.y, data->origin.z);
    }
    return hasOrigin(data) && format->writesFloats
               ? wkIoFail(path, wk_errorUnsupported, "%s has floats only, and no origin of points",
                          format->name)
               : wk_ok;
}

// Context of the writer.
typedef struct writing {
    const wkIoFormat* format;
    wkPointData data;
} writing;

static void writePoints(wkIoSink* sink, const void* context)
{
    const writing* w = (const writing*)context;
    w->format->writePoints(sink, &w->data);
}

wkResult wkPointData_Save(const char* path, const wkPointData* data)
{
    if (path == NULL || data == NULL) {
        return wkSetLastError(wk_errorArgument, "save: path or data is NULL");
    }
    writing w = {NULL, *data};
    wkResult result = wkIoFormat_ForPath(path, wk_ioPoints, &w.format);
    if (result == wk_ok) {
        result = checkPoints(path, w.format, &w.data);
    }
    return result == wk_ok ? wkIoWriteFile(path, writePoints, &w) : result;
}

// Writers. All of them write floats, or doubles of points with an origin, least significant byte first.

static void writeDoubles(wkIoSink* sink, const wkPointData* data)
{
    const double origin[3] = {data->origin.x, data->origin.y, data->origin.z};
    for (size_t i = 0; i < (size_t)data->count; i++) {
        uint8_t row[24];
        for (size_t axis = 0; axis < 3; axis++) {
            double coordinate = (double)data->points[3 * i + axis] + origin[axis];
            uint64_t bits;
            memcpy(&bits, &coordinate, sizeof bits);
            wkIoStore64(row + 8 * axis, bits);
        }
        wkIoSink_Write(sink, row, sizeof row);
    }
}

// Writes each point, followed by `tail` zero bytes if it has floats.
static void writeNumbers(wkIoSink* sink, const wkPointData* data, size_t tail)
{
    if (hasOrigin(data)) {
        writeDoubles(sink, data);
        return;
    }
    for (size_t i = 0; i < (size_t)data->count; i++) {
        uint8_t row[16] = {0};
        for (size_t axis = 0; axis < 3; axis++) {
            uint32_t bits;
            memcpy(&bits, &data->points[3 * i + axis], sizeof bits);
            wkIoStore32(row + 4 * axis, bits);
        }
        wkIoSink_Write(sink, row, 12 + tail);
    }
}

void wkIoWritePcd(wkIoSink* sink, const wkPointData* data)
{
    wkPose sensor = data->hasSensor ? data->sensor : wkIdentityPose();
    wkVec3d origin = data->hasSensor ? data->origin : (wkVec3d){0.0, 0.0, 0.0};
    double view[7] = {sensor.position.x + origin.x,
                      sensor.position.y + origin.y,
                      sensor.position.z + origin.z,
                      sensor.rotation.w,
                      sensor.rotation.x,
                      sensor.rotation.y,
                      sensor.rotation.z};
    int size = hasOrigin(data) ? 8 : 4;
    wkIoSink_Print(sink,
                   "# .PCD v0.7 - Point Cloud Data file format\nVERSION 0.7\n"
                   "FIELDS x y z\nSIZE %d %d %d\nTYPE F F F\nCOUNT 1 1 1\n",
                   size, size, size);
    wkIoSink_Print(sink, "WIDTH %d\nHEIGHT %d\nVIEWPOINT", data->width, data->height);
    for (int i = 0; i < 7; i++) {
        char text[WK_IO_NUMBER_CAPACITY];
        wkIoSink_Print(sink, " %s", wkIoWriteNumber(view[i], text));
    }
    wkIoSink_Print(sink, "\nPOINTS %d\nDATA binary\n", data->count);
    writeNumbers(sink, data, 0);
}

void wkIoWritePlyPoints(wkIoSink* sink, const wkPointData* data)
{
    const char* type = hasOrigin(data) ? "double" : "float";
    wkIoSink_Print(sink,
                   "ply\nformat binary_little_endian 1.0\nelement vertex %d\n"
                   "property %s x\nproperty %s y\nproperty %s z\nend_header\n",
                   data->count, type, type, type);
    writeNumbers(sink, data, 0);
}

// As numpy writes it: the header ends with a newline, at a multiple of 64 bytes.
void wkIoWriteNpy(wkIoSink* sink, const wkPointData* data)
{
    static const uint8_t start[10] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 118, 0};
    bool isImage = data->height != 1;
    char shape[24] = "", words[118], header[128];
    if (isImage) {
        snprintf(shape, sizeof shape, "%d, ", data->height);
    }
    int length = snprintf(words, sizeof words,
                          "{'descr': '<f%d', 'fortran_order': False, 'shape': (%s%d, 3), }",
                          hasOrigin(data) ? 8 : 4, shape, data->width);
    memset(header, ' ', sizeof header);
    memcpy(header, start, sizeof start);
    memcpy(header + sizeof start, words, (size_t)length);
    header[sizeof header - 1] = '\n';
    wkIoSink_Write(sink, header, sizeof header);
    writeNumbers(sink, data, 0);
}

void wkIoWriteKitti(wkIoSink* sink, const wkPointData* data)
{
    writeNumbers(sink, data, 4); // the intensity
}
