// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Writers of the three mesh formats.

#include "io/file/bytes.h"
#include "io/file/format.h"
#include "io/text/text_reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Digits with which every double reads back exactly.
#define MAX_DIGITS 17
#define LEAST_DIGITS 15

static uint32_t floatBits(double value)
{
    float narrow = (float)value;
    uint32_t bits;
    memcpy(&bits, &narrow, sizeof bits);
    return bits;
}

static uint64_t doubleBits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

// Returns the unit normal by the right-hand rule; zero for a triangle without area.
static wkVec3d normalOf(wkVec3d a, wkVec3d b, wkVec3d c)
{
    wkVec3d u = {b.x - a.x, b.y - a.y, b.z - a.z}, v = {c.x - a.x, c.y - a.y, c.z - a.z};
    wkVec3d n = {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
    double length = sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    double factor = length > 0.0 && isfinite(length) ? 1.0 / length : 0.0;
    wkVec3d unit = {n.x * factor, n.y * factor, n.z * factor};
    wkVec3d none = {0.0, 0.0, 0.0};
    return factor > 0.0 && isfinite(factor) ? unit : none;
}

static void storeFloats(uint8_t* at, wkVec3d v)
{
    wkIoStore32(at, floatBits(v.x));
    wkIoStore32(at + 4, floatBits(v.y));
    wkIoStore32(at + 8, floatBits(v.z));
}

void wkIoWriteStl(wkIoSink* sink, const wkMeshData* data)
{
    // not "solid": some readers would take the file for ASCII
    uint8_t header[84] = "binary stl";
    wkIoStore32(header + 80, (uint32_t)data->triangleCount);
    wkIoSink_Write(sink, header, sizeof header);
    for (int32_t i = 0; i < data->triangleCount; i++) {
        const int32_t* faceVertices = data->triangles + 3 * (size_t)i;
        wkVec3d a = data->vertices[faceVertices[0]];
        wkVec3d b = data->vertices[faceVertices[1]];
        wkVec3d c = data->vertices[faceVertices[2]];
        uint8_t triangle[50] = {0};
        storeFloats(triangle, normalOf(a, b, c));
        storeFloats(triangle + 12, a);
        storeFloats(triangle + 24, b);
        storeFloats(triangle + 36, c);
        wkIoSink_Write(sink, triangle, sizeof triangle);
    }
}

// Replaces the decimal point of the locale, of one byte or several, by '.': it is the only part that is
// neither a digit, a sign nor an exponent.
static void writePoint(char* text)
{
    size_t kept = 0;
    for (size_t i = 0; text[i] != '\0'; i++) {
        if (strchr("0123456789+-eE.", text[i]) != NULL) {
            text[kept++] = text[i];
        } else if (kept > 0 && text[kept - 1] != '.') {
            text[kept++] = '.';
        }
    }
    text[kept] = '\0';
}

const char* wkIoWriteNumber(double value, char text[WK_IO_NUMBER_CAPACITY])
{
    double back = NAN;
    for (int digits = LEAST_DIGITS; digits <= MAX_DIGITS && back != value; digits++) {
        snprintf(text, WK_IO_NUMBER_CAPACITY, "%.*g", digits, value);
        writePoint(text);
        wkIoParseNumber(text, text + strlen(text), &back);
    }
    return text;
}

void wkIoWriteObj(wkIoSink* sink, const wkMeshData* data)
{
    char x[WK_IO_NUMBER_CAPACITY], y[WK_IO_NUMBER_CAPACITY], z[WK_IO_NUMBER_CAPACITY];
    for (int32_t i = 0; i < data->vertexCount; i++) {
        wkVec3d v = data->vertices[i];
        wkIoSink_Print(sink, "v %s %s %s\n", wkIoWriteNumber(v.x, x), wkIoWriteNumber(v.y, y),
                       wkIoWriteNumber(v.z, z));
    }
    for (int32_t i = 0; i < data->triangleCount; i++) {
        const int32_t* faceVertices = data->triangles + 3 * (size_t)i;
        wkIoSink_Print(sink, "f %lld %lld %lld\n", faceVertices[0] + 1ll, faceVertices[1] + 1ll,
                       faceVertices[2] + 1ll);
    }
}

void wkIoWritePly(wkIoSink* sink, const wkMeshData* data)
{
    wkIoSink_Print(sink,
                   "ply\nformat binary_little_endian 1.0\nelement vertex %d\n"
                   "property double x\nproperty double y\nproperty double z\n"
                   "element face %d\nproperty list uchar int vertex_indices\nend_header\n",
                   data->vertexCount, data->triangleCount);
    for (int32_t i = 0; i < data->vertexCount; i++) {
        uint8_t row[24];
        wkIoStore64(row, doubleBits(data->vertices[i].x));
        wkIoStore64(row + 8, doubleBits(data->vertices[i].y));
        wkIoStore64(row + 16, doubleBits(data->vertices[i].z));
        wkIoSink_Write(sink, row, sizeof row);
    }
    for (int32_t i = 0; i < data->triangleCount; i++) {
        uint8_t row[13] = {3};
        for (size_t vertex = 0; vertex < 3; vertex++) {
            wkIoStore32(row + 1 + 4 * vertex, (uint32_t)data->triangles[3 * (size_t)i + vertex]);
        }
        wkIoSink_Write(sink, row, sizeof row);
    }
}
