// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Point cloud builder: growth, columns of numbers, origin and scale, and a check of the result.

#include "io/points/point_builder.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// Farther from the origin than this, the spacing of floats is more than a centimetre.
#define FARTHEST_EXPECTED 131072.0

// Up to here floats are 0.06 mm apart, and no origin is needed.
#define FARTHEST_WITHOUT_ORIGIN 1000.0

// A difference of two doubles is exact to this share of the larger.
#define SHARE_OF_ROUNDING 0x1p-53

#define POINT_BYTES (3 * sizeof(float))

static wkIoCloud* createCloud(const wkLoadDef* options)
{
    wkIoCloud* cloud = wkAllocate(sizeof *cloud);
    if (cloud != NULL) {
        memset(cloud, 0, sizeof *cloud);
        cloud->data.sensor = wkIdentityPose();
        cloud->data.origin = options->origin;
        cloud->findsOrigin = options->findsOrigin;
    }
    return cloud;
}

void wkIoCloud_Destroy(wkIoCloud* cloud)
{
    if (cloud != NULL) {
        wkRelease(cloud->data.points, cloud->capacity * POINT_BYTES);
        wkRelease(cloud, sizeof *cloud);
    }
}

wkResult wkIoCloud_Reserve(wkIoCloud* cloud, const wkIoSource* source, uint64_t count)
{
    if (count <= cloud->capacity) {
        return wk_ok;
    }
    if (count > INT32_MAX) {
        return wkIoFail(source->name, wk_errorRange, "more than %d points", INT32_MAX);
    }
    float* larger = wkAllocate((size_t)count * POINT_BYTES);
    if (larger == NULL) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for %llu points",
                        (unsigned long long)count);
    }
    if (cloud->data.count > 0) {
        memcpy(larger, cloud->data.points, (size_t)cloud->data.count * POINT_BYTES);
    }
    wkRelease(cloud->data.points, cloud->capacity * POINT_BYTES);
    cloud->data.points = larger;
    cloud->capacity = (size_t)count;
    return wk_ok;
}

static double farthest(wkVec3d vertex)
{
    return fmax(fabs(vertex.x), fmax(fabs(vertex.y), fabs(vertex.z)));
}

// Chooses the origin by the first finite point: whole metres, which doubles subtract exactly from anything near.
static void findOrigin(wkIoCloud* cloud, wkVec3d point)
{
    if (cloud->findsOrigin && wkIoIsFinite(point)) {
        bool isFar = farthest(point) > FARTHEST_WITHOUT_ORIGIN;
        wkVec3d near = {round(point.x), round(point.y), round(point.z)};
        cloud->data.origin = isFar ? near : (wkVec3d){0.0, 0.0, 0.0};
        cloud->findsOrigin = false;
    }
}

void wkIoCloud_Put(wkIoCloud* cloud, size_t index, const double coordinates[3])
{
    findOrigin(cloud, (wkVec3d){coordinates[0], coordinates[1], coordinates[2]});
    const double origin[3] = {cloud->data.origin.x, cloud->data.origin.y, cloud->data.origin.z};
    for (size_t axis = 0; axis < 3; axis++) {
        double before = cloud->axisRounding, moved = 0.0;
        wkIoCloud_Store(coordinates[axis] - origin[axis], &cloud->data.points[3 * index + axis],
                        &moved);
        if (origin[axis] != 0.0 && moved < INFINITY) {
            moved += SHARE_OF_ROUNDING * fabs(coordinates[axis]);
        }
        cloud->axisRounding = moved > before && moved < INFINITY ? moved : before;
    }
}

// Appends floats, the most common type: bits are copied, so that every NaN is preserved.
WK_FORCE_FN void addFloats(float* points, const wkIoColumn columns[3], size_t count, bool isBig)
{
    const uint8_t *x = columns[0].first, *y = columns[1].first, *z = columns[2].first;
    size_t strideX = columns[0].stride, strideY = columns[1].stride, strideZ = columns[2].stride;
    for (size_t i = 0; i < count; i++, points += 3) {
        points[0] = wkIoFloat(wkIoLoad32As(x, isBig));
        points[1] = wkIoFloat(wkIoLoad32As(y, isBig));
        points[2] = wkIoFloat(wkIoLoad32As(z, isBig));
        x += strideX;
        y += strideY;
        z += strideZ;
    }
}

void wkIoCloud_AddColumns(wkIoCloud* cloud, const wkIoColumn columns[3], size_t count, bool isBig)
{
    float* points = cloud->data.points;
    bool areFloats = columns[0].type == wk_numberFloat && columns[1].type == wk_numberFloat &&
                     columns[2].type == wk_numberFloat;
    bool isCopied = areFloats && !cloud->findsOrigin && farthest(cloud->data.origin) == 0.0;
    if (isCopied) {
        isBig ? addFloats(points, columns, count, true) : addFloats(points, columns, count, false);
    }
    for (size_t i = 0; i < count && !isCopied; i++) {
        double coordinates[3];
        for (int axis = 0; axis < 3; axis++) {
            const uint8_t* at = columns[axis].first + i * columns[axis].stride;
            coordinates[axis] = wkIoLoadNumber(at, columns[axis].type, isBig);
        }
        wkIoCloud_Put(cloud, i, coordinates);
    }
    cloud->data.count = (int32_t)count;
}

void wkIoCloud_WarnOfRest(wkIoCloud* cloud, size_t byteCount)
{
    if (byteCount > 0) {
        wkIoWarn(cloud->warning, "%zu bytes after the last of %d points", byteCount,
                 cloud->data.count);
    }
}

static wkVec3d scaled(wkVec3d v, wkVec3d scale)
{
    return (wkVec3d){v.x * scale.x, v.y * scale.y, v.z * scale.z};
}

static void scalePoints(wkIoCloud* cloud, wkVec3d scale)
{
    wkPointData* data = &cloud->data;
    double before = cloud->axisRounding * fmax(fabs(scale.x), fmax(fabs(scale.y), fabs(scale.z)));
    cloud->axisRounding = 0.0;
    for (size_t i = 0; i < (size_t)data->count; i++) {
        float* p = data->points + 3 * i;
        wkIoCloud_Store((double)p[0] * scale.x, &p[0], &cloud->axisRounding);
        wkIoCloud_Store((double)p[1] * scale.y, &p[1], &cloud->axisRounding);
        wkIoCloud_Store((double)p[2] * scale.z, &p[2], &cloud->axisRounding);
    }
    cloud->axisRounding += before;
    data->sensor.position = scaled(data->sensor.position, scale);
    data->origin = scaled(data->origin, scale);
}

// Computes the bounds of the finite points, all zero when there are none; returns their number.
static int32_t measure(const wkPointData* data, wkAabb* bounds)
{
    float lower[3] = {INFINITY, INFINITY, INFINITY};
    float upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    int32_t finiteCount = 0;
    for (size_t i = 0; i < (size_t)data->count; i++) {
        const float* p = data->points + 3 * i;
        double sum = (double)p[0] + (double)p[1] + (double)p[2];
        if (sum - sum != 0.0) {
            continue;
        }
        finiteCount++;
        for (int axis = 0; axis < 3; axis++) {
            lower[axis] = p[axis] < lower[axis] ? p[axis] : lower[axis];
            upper[axis] = p[axis] > upper[axis] ? p[axis] : upper[axis];
        }
    }
    memset(bounds, 0, sizeof *bounds);
    if (finiteCount > 0) {
        *bounds = (wkAabb){{(double)lower[0], (double)lower[1], (double)lower[2]},
                           {(double)upper[0], (double)upper[1], (double)upper[2]}};
    }
    return finiteCount;
}

static void warnOfBounds(wkIoCloud* cloud, int32_t finiteCount, wkAabb bounds)
{
    double away = fmax(farthest(bounds.lower), farthest(bounds.upper));
    if (finiteCount == 0) {
        wkIoWarn(cloud->warning, "holds no finite points");
    } else if (away > FARTHEST_EXPECTED) {
        float apart = nextafterf((float)away, INFINITY) - (float)away;
        wkIoWarn(cloud->warning, "points are %g m from the origin, where floats are %g m apart",
                 away, (double)apart);
    }
}

// The sensor is relative to the origin, too.
static void moveSensor(wkPointData* data)
{
    if (data->hasSensor) {
        data->sensor.position.x -= data->origin.x;
        data->sensor.position.y -= data->origin.y;
        data->sensor.position.z -= data->origin.z;
    }
}

// Applies the scale, computes bounds, counts points that are not finite, and fills in the report.
static wkResult finish(wkIoCloud* cloud, const wkIoSource* source, const wkIoFormat* format)
{
    wkPointData* data = &cloud->data;
    moveSensor(data);
    wkVec3d scale = source->options->scale;
    if (scale.x != 1.0 || scale.y != 1.0 || scale.z != 1.0) {
        scalePoints(cloud, scale);
    }
    if (!wkIsValidPose(data->sensor)) {
        return wkIoFail(source->name, wk_errorNotFinite, "the scale moves the sensor too far");
    }
    if ((int64_t)data->width * data->height != data->count) {
        data->width = data->count;
        data->height = 1;
    }
    wkAabb bounds;
    int32_t finiteCount = measure(data, &bounds);
    warnOfBounds(cloud, finiteCount, bounds);
    wkLoadInfo* report = source->info;
    if (report != NULL) {
        memset(report, 0, sizeof *report);
        snprintf(report->format, sizeof report->format, "%s", format->name);
        memcpy(report->warning, cloud->warning, sizeof report->warning);
        report->bounds = bounds;
        report->notFiniteCount = data->count - finiteCount;
        report->origin = data->origin;
    }
    return wk_ok;
}

wkResult wkIoCloud_Read(const wkIoSource* source, const wkIoFormat* format, wkIoCloud** out)
{
    *out = NULL;
    wkIoCloud* cloud = createCloud(source->options);
    wkResult result = cloud != NULL
                          ? format->readPoints(source, cloud)
                          : wkIoFail(source->name, wk_errorMemory, "no memory to start with");
    result = result == wk_ok ? finish(cloud, source, format) : result;
    if (result != wk_ok) {
        wkIoCloud_Destroy(cloud);
        return result;
    }
    *out = cloud;
    return wk_ok;
}
