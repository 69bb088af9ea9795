// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Mesh builder: growth, scale, and a check of the size.

#include "io/file/format.h"

#include "whisker/detail/library.h"

#include <math.h>
#include <string.h>

// Robots and obstacles are smaller than this; a model in millimetres or inches is not.
#define LARGEST_EXPECTED_EXTENT 100.0
#define SMALLEST_EXPECTED_EXTENT 0.001

wkIoBuilder* wkIoBuilder_Create(void)
{
    wkIoBuilder* builder = wkAllocate(sizeof *builder);
    if (builder != NULL) {
        memset(builder, 0, sizeof *builder);
    }
    return builder;
}

void wkIoBuilder_Destroy(wkIoBuilder* builder)
{
    if (builder != NULL) {
        wkRelease(builder->data.vertices, builder->vertexCapacity * sizeof(wkVec3d));
        wkRelease(builder->data.triangles, builder->triangleCapacity * 3 * sizeof(int32_t));
        wkRelease(builder, sizeof *builder);
    }
}

// Moves an array into a larger one; `array` and `capacity` are unchanged when that fails.
static bool grow(void** array, size_t* capacity, size_t used, size_t wanted, size_t itemBytes)
{
    void* larger = wkAllocate(wanted * itemBytes);
    if (larger == NULL) {
        return false;
    }
    if (used > 0) {
        memcpy(larger, *array, used * itemBytes);
    }
    wkRelease(*array, *capacity * itemBytes);
    *array = larger;
    *capacity = wanted;
    return true;
}

wkResult wkIoBuilder_ReserveVertices(wkIoBuilder* builder, const wkIoSource* source, size_t count)
{
    if (count <= builder->vertexCapacity) {
        return wk_ok;
    }
    if (count > INT32_MAX) {
        // doubling may overshoot; fail only when the array is full
        if (builder->vertexCapacity == INT32_MAX) {
            return wkIoFail(source->name, wk_errorRange, "more than %d vertices", INT32_MAX);
        }
        count = INT32_MAX;
    }
    void* array = builder->data.vertices;
    if (!grow(&array, &builder->vertexCapacity, (size_t)builder->data.vertexCount, count,
              sizeof(wkVec3d))) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for %zu vertices", count);
    }
    builder->data.vertices = array;
    return wk_ok;
}

wkResult wkIoBuilder_ReserveTriangles(wkIoBuilder* builder, const wkIoSource* source, size_t count)
{
    if (count <= builder->triangleCapacity) {
        return wk_ok;
    }
    if (count > WK_IO_MAX_TRIANGLES) {
        if (builder->triangleCapacity == WK_IO_MAX_TRIANGLES) {
            return wkIoFail(source->name, wk_errorRange, "more than %d triangles",
                            WK_IO_MAX_TRIANGLES);
        }
        count = WK_IO_MAX_TRIANGLES;
    }
    void* array = builder->data.triangles;
    if (!grow(&array, &builder->triangleCapacity, (size_t)builder->data.triangleCount, count,
              3 * sizeof(int32_t))) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for %zu triangles", count);
    }
    builder->data.triangles = array;
    return wk_ok;
}

wkResult wkIoBuilder_AddLooseTriangle(wkIoBuilder* builder, const wkIoSource* source,
                                      const wkVec3d faceVertices[3])
{
    int32_t first = builder->data.vertexCount;
    for (int i = 0; i < 3; i++) {
        wkResult result = wkIoBuilder_AddVertex(builder, source, faceVertices[i]);
        if (result != wk_ok) {
            return result;
        }
    }
    return wkIoBuilder_AddTriangle(builder, source, first, first + 1, first + 2);
}

static void scaleVertices(wkMeshData* data, wkVec3d scale)
{
    for (int32_t i = 0; i < data->vertexCount; i++) {
        wkVec3d* v = &data->vertices[i];
        v->x *= scale.x;
        v->y *= scale.y;
        v->z *= scale.z;
    }

    // a reflection would turn the mesh inside out
    if (scale.x * scale.y * scale.z < 0.0) {
        for (int32_t i = 0; i < data->triangleCount; i++) {
            int32_t* faceVertices = data->triangles + 3 * (size_t)i;
            int32_t second = faceVertices[1];
            faceVertices[1] = faceVertices[2];
            faceVertices[2] = second;
        }
    }
}

static wkAabb boundsOf(const wkMeshData* data)
{
    wkAabb bounds = {{0.0, 0.0, 0.0}, {0.0, 0.0, 0.0}};
    if (data->vertexCount > 0) {
        bounds.lower = bounds.upper = data->vertices[0];
    }
    for (int32_t i = 1; i < data->vertexCount; i++) {
        wkVec3d v = data->vertices[i];
        bounds.lower.x = v.x < bounds.lower.x ? v.x : bounds.lower.x;
        bounds.lower.y = v.y < bounds.lower.y ? v.y : bounds.lower.y;
        bounds.lower.z = v.z < bounds.lower.z ? v.z : bounds.lower.z;
        bounds.upper.x = v.x > bounds.upper.x ? v.x : bounds.upper.x;
        bounds.upper.y = v.y > bounds.upper.y ? v.y : bounds.upper.y;
        bounds.upper.z = v.z > bounds.upper.z ? v.z : bounds.upper.z;
    }
    return bounds;
}

static void warnOfSize(wkIoBuilder* builder, wkAabb bounds)
{
    double x = bounds.upper.x - bounds.lower.x;
    double y = bounds.upper.y - bounds.lower.y;
    double z = bounds.upper.z - bounds.lower.z;
    double extent = fmax(x, fmax(y, z));
    if (extent > LARGEST_EXPECTED_EXTENT) {
        wkIoWarn(builder->warning,
                 "%g x %g x %g m is large: is the file in millimetres? (scale 0.001)", x, y, z);
    } else if (extent < SMALLEST_EXPECTED_EXTENT) {
        wkIoWarn(builder->warning, "%g x %g x %g m is small: was it scaled to metres twice?", x, y,
                 z);
    }
}

wkResult wkIoFinish(wkIoBuilder* builder, const wkIoSource* source, wkAabb* bounds)
{
    wkMeshData* data = &builder->data;
    wkVec3d scale = source->options->scale;
    if (scale.x != 1.0 || scale.y != 1.0 || scale.z != 1.0) {
        scaleVertices(data, scale);
    }
    *bounds = boundsOf(data);
    if (!wkIoIsFinite(bounds->lower) || !wkIoIsFinite(bounds->upper)) {
        return wkIoFail(source->name, wk_errorNotFinite, "the scale makes a coordinate infinite");
    }
    if (data->triangleCount == 0) {
        wkIoWarn(builder->warning, "holds no triangles");
    } else {
        warnOfSize(builder, *bounds);
    }
    return wk_ok;
}
