// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Points are joined as doubles, and written relative to an origin near the first one: files far from the origin of their
// frame, such as those of maps, lose nothing. Where clouds are too far apart for that, a warning says what is lost.

#include "cloud_points.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

// Points further away than this are written relative to an origin: floats are 0.06 mm apart there.
#define FAR_AWAY 1024.0

// Files are written as floats relative to one origin. Less than this is no worth a word.
#define LARGEST_ROUNDING 1e-4

static void warn(const char* path, const char* words)
{
    fprintf(stderr, "whisker cloud: warning: %s: %s\n", path, words);
}

static wkResult failMemory(void)
{
    return wkSetLastError(wk_errorMemory, "no memory for the points");
}

static wkResult append(wkJoinedPoints* points, const wkPointData* data, wkPose pose)
{
    if (data->count > INT32_MAX - points->count) {
        return wkSetLastError(wk_errorRange, "the files have more than 2147483647 points");
    }
    size_t total = (size_t)points->count + (size_t)data->count;
    double* larger = realloc(points->coordinates, (3 * total + 1) * sizeof *larger);
    if (larger == NULL) {
        return failMemory();
    }
    points->coordinates = larger;
    for (int32_t i = 0; i < data->count; i++) {
        const float* p = data->points + 3 * (size_t)i;
        wkVec3d given = {(double)p[0] + data->origin.x, (double)p[1] + data->origin.y,
                         (double)p[2] + data->origin.z};
        bool isFinite = isfinite(given.x) && isfinite(given.y) && isfinite(given.z);
        wkVec3d moved = isFinite ? wkTransformPoint(pose, given) : (wkVec3d){NAN, NAN, NAN};
        double* to = larger + 3 * ((size_t)points->count + (size_t)i);
        to[0] = moved.x;
        to[1] = moved.y;
        to[2] = moved.z;
    }
    points->count += data->count;
    return wk_ok;
}

// Keeps the rows and the sensor of the only file. A sensor is relative to the origin of the points; without one, it is
// where the coordinates of the file are 0.
static void takeRows(wkJoinedPoints* points, const wkPointData* data, wkPose pose)
{
    wkPose sensor = data->sensor;
    if (data->hasSensor) {
        sensor.position.x += data->origin.x;
        sensor.position.y += data->origin.y;
        sensor.position.z += data->origin.z;
    }
    points->width = data->width;
    points->height = data->height;
    points->hasSensor = data->hasSensor;
    points->sensor = wkMulPose(pose, sensor);
}

wkResult wkJoinedPoints_Load(wkJoinedPoints* points, char** paths, const wkPose* poses, int count)
{
    wkResult result = wk_ok;
    *points = (wkJoinedPoints){.sensor = wkIdentityPose()};
    for (int i = 0; i < count && result == wk_ok; i++) {
        wkPointData* data = NULL;
        wkLoadDef def = wkDefaultLoadDef();
        wkLoadInfo info;
        def.findsOrigin = true;
        result = wkPointData_Load(paths[i], &def, &info, &data);
        if (result == wk_ok && info.warning[0] != '\0') {
            warn(paths[i], info.warning);
        }
        result = result == wk_ok ? append(points, data, poses[i]) : result;
        if (result == wk_ok && count == 1) {
            takeRows(points, data, poses[i]);
        }
        wkPointData_Destroy(data);
    }
    return result;
}

void wkJoinedPoints_Free(wkJoinedPoints* points)
{
    free(points->coordinates);
    *points = (wkJoinedPoints){0};
}

// Returns whole coordinates near the first finite point, if that is far away.
static wkVec3d chooseOrigin(const double* coordinates, int32_t count)
{
    for (int32_t i = 0; i < count; i++) {
        const double* p = coordinates + 3 * (size_t)i;
        double furthest = fmax(fabs(p[0]), fmax(fabs(p[1]), fabs(p[2])));
        if (isfinite(p[0] + p[1] + p[2])) {
            return furthest > FAR_AWAY ? (wkVec3d){round(p[0]), round(p[1]), round(p[2])}
                                       : (wkVec3d){0.0, 0.0, 0.0};
        }
    }
    return (wkVec3d){0.0, 0.0, 0.0};
}

// Rounds a point to floats relative to the origin. Returns how far that moves it; 0 when it is not finite.
static double roundPoint(const double* p, wkVec3d origin, float* rounded)
{
    const double from[3] = {origin.x, origin.y, origin.z};
    double square = 0.0;
    for (int axis = 0; axis < 3; axis++) {
        double exact = p[axis] - from[axis];
        rounded[axis] = (float)exact;
        double moved = (double)rounded[axis] - exact;
        square += moved * moved;
    }
    return square > 0.0 ? sqrt(square) : 0.0;
}

wkResult wkJoinedPoints_Save(const wkJoinedPoints* points, const int32_t* kept, int32_t keptCount,
                             const char* path)
{
    int32_t count = kept != NULL ? keptCount : points->count;
    wkVec3d origin = chooseOrigin(points->coordinates, points->count);
    wkPointData data = {.count = count, .sensor = wkIdentityPose(), .origin = origin};
    data.points = malloc((3 * (size_t)count + 1) * sizeof *data.points);
    if (data.points == NULL) {
        return failMemory();
    }
    double rounding = 0.0;
    for (int32_t i = 0; i < count; i++) {
        const double* p = points->coordinates + 3 * (size_t)(kept != NULL ? kept[i] : i);
        rounding = fmax(rounding, roundPoint(p, origin, data.points + 3 * (size_t)i));
    }
    data.width = kept == NULL ? points->width : 0;
    data.height = kept == NULL ? points->height : 0;
    data.hasSensor = points->hasSensor;
    data.sensor = points->sensor;
    data.sensor.position.x -= origin.x;
    data.sensor.position.y -= origin.y;
    data.sensor.position.z -= origin.z;
    wkResult result = wkPointData_Save(path, &data);
    if (result == wk_ok && rounding > LARGEST_ROUNDING) {
        char words[160];
        snprintf(words, sizeof words,
                 "points are so far apart that floats move them by up to %.2g m; a radius as much "
                 "larger covers that",
                 rounding);
        warn(path, words);
    }
    free(data.points);
    return result;
}
