// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// LAS 1.2 with points of format 0: x, y and z as multiples of a scale, relative to an offset, which is the
// origin of the points.

#include "io/file/bytes.h"
#include "io/points/las.h"
#include "io/points/point_builder.h"

#include <string.h>

#define POINT_BYTES 20
#define FINEST_SCALE 1e-4 // 0.1 mm
#define MOST_STEPS 2147483647.0

// The return of a point: the first of one.
#define RETURN_BYTE 14
#define ONLY_RETURN 0x09

typedef struct lasWriter {
    wkIoSink* sink;
    const wkPointData* data;
    uint32_t count; // of finite points
    double scale;
    double lower[3]; // of all steps
    double upper[3];
} lasWriter;

static bool isFinite(const float* point)
{
    return isfinite(point[0]) && isfinite(point[1]) && isfinite(point[2]);
}

// The least power of ten with which integers reach the farthest coordinate.
static double chooseScale(const wkPointData* data)
{
    double farthest = 0.0, scale = FINEST_SCALE;
    for (size_t i = 0; i < (size_t)data->count; i++) {
        const float* p = data->points + 3 * i;
        for (int axis = 0; axis < 3 && isFinite(p); axis++) {
            farthest = fmax(farthest, fabs((double)p[axis]));
        }
    }
    while (farthest / scale > MOST_STEPS) {
        scale *= 10.0;
    }
    return scale;
}

static double stepsOf(const lasWriter* w, const float* point, int axis)
{
    return round((double)point[axis] / w->scale);
}

static void measure(lasWriter* w)
{
    for (size_t i = 0; i < (size_t)w->data->count; i++) {
        const float* p = w->data->points + 3 * i;
        for (int axis = 0; axis < 3 && isFinite(p); axis++) {
            double steps = stepsOf(w, p, axis);
            w->lower[axis] = w->count == 0 ? steps : fmin(w->lower[axis], steps);
            w->upper[axis] = w->count == 0 ? steps : fmax(w->upper[axis], steps);
        }
        w->count += isFinite(p) ? 1 : 0;
    }
}

static void storeDouble(uint8_t* at, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    wkIoStore64(at, bits);
}

static void writeHeader(const lasWriter* w)
{
    const double offset[3] = {w->data->origin.x, w->data->origin.y, w->data->origin.z};
    uint8_t header[WK_LAS_HEADER_BYTES] = {0};
    // the fields behind both texts are zero or written later: the zeros at their ends do no harm
    memcpy(header, WK_LAS_MAGIC, sizeof WK_LAS_MAGIC);
    memcpy(header + WK_LAS_SOFTWARE, "Whisker", sizeof "Whisker");
    header[WK_LAS_MAJOR] = 1;
    header[WK_LAS_MINOR] = 2;
    header[WK_LAS_HEADER_SIZE] = WK_LAS_HEADER_BYTES;
    wkIoStore32(header + WK_LAS_DATA_OFFSET, WK_LAS_HEADER_BYTES);
    header[WK_LAS_RECORD_SIZE] = POINT_BYTES;
    wkIoStore32(header + WK_LAS_COUNT, w->count);
    wkIoStore32(header + WK_LAS_BY_RETURN, w->count);
    for (int axis = 0; axis < 3; axis++) {
        storeDouble(header + WK_LAS_SCALE + 8 * axis, w->scale);
        storeDouble(header + WK_LAS_OFFSET + 8 * axis, offset[axis]);
        storeDouble(header + WK_LAS_BOUNDS + 16 * axis, w->upper[axis] * w->scale + offset[axis]);
        storeDouble(header + WK_LAS_BOUNDS + 16 * axis + 8,
                    w->lower[axis] * w->scale + offset[axis]);
    }
    wkIoSink_Write(w->sink, header, sizeof header);
}

void wkIoWriteLas(wkIoSink* sink, const wkPointData* data)
{
    lasWriter w = {.sink = sink, .data = data, .scale = chooseScale(data)};
    measure(&w);
    writeHeader(&w);
    for (size_t i = 0; i < (size_t)data->count; i++) {
        const float* p = data->points + 3 * i;
        uint8_t point[POINT_BYTES] = {0};
        for (int axis = 0; axis < 3 && isFinite(p); axis++) {
            wkIoStore32(point + 4 * axis, (uint32_t)(int32_t)stepsOf(&w, p, axis));
        }
        point[RETURN_BYTE] = ONLY_RETURN;
        if (isFinite(p)) {
            wkIoSink_Write(sink, point, sizeof point);
        }
    }
}
