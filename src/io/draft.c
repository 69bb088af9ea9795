// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Vertices and triangles on their way from a file: growth, scale, and a look at the size.

#include "io/format.h"

#include <math.h>
#include <string.h>

// What robots meet is smaller and larger than this; a model in millimetres or inches is not.
#define LARGEST_USUAL_EXTENT 100.0
#define SMALLEST_USUAL_EXTENT 0.001

wkIoDraft* wkIoDraft_Create(void)
{
    wkIoDraft* draft = wkAllocate(sizeof *draft);
    if (draft != NULL) {
        memset(draft, 0, sizeof *draft);
    }
    return draft;
}

void wkIoDraft_Destroy(wkIoDraft* draft)
{
    if (draft != NULL) {
        wkRelease(draft->data.vertices, draft->vertexCapacity * sizeof(wkVec3d));
        wkRelease(draft->data.triangles, draft->triangleCapacity * 3 * sizeof(int32_t));
        wkRelease(draft, sizeof *draft);
    }
}

// Moves an array into a larger one; `array` and `capacity` stay as they are when that fails.
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

wkResult wkIoDraft_ReserveVertices(wkIoDraft* draft, const wkIoSource* source, size_t count)
{
    if (count <= draft->vertexCapacity) {
        return wk_ok;
    }
    if (count > INT32_MAX) {
        // growth may overshoot; only a full array is too many
        if (draft->vertexCapacity == INT32_MAX) {
            return wkIoFail(source->name, wk_errorRange, "more than %d vertices", INT32_MAX);
        }
        count = INT32_MAX;
    }
    void* array = draft->data.vertices;
    if (!grow(&array, &draft->vertexCapacity, (size_t)draft->data.vertexCount, count,
              sizeof(wkVec3d))) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for %zu vertices", count);
    }
    draft->data.vertices = array;
    return wk_ok;
}

wkResult wkIoDraft_ReserveTriangles(wkIoDraft* draft, const wkIoSource* source, size_t count)
{
    if (count <= draft->triangleCapacity) {
        return wk_ok;
    }
    if (count > WK_IO_MAX_TRIANGLES) {
        if (draft->triangleCapacity == WK_IO_MAX_TRIANGLES) {
            return wkIoFail(source->name, wk_errorRange, "more than %d triangles",
                            WK_IO_MAX_TRIANGLES);
        }
        count = WK_IO_MAX_TRIANGLES;
    }
    void* array = draft->data.triangles;
    if (!grow(&array, &draft->triangleCapacity, (size_t)draft->data.triangleCount, count,
              3 * sizeof(int32_t))) {
        return wkIoFail(source->name, wk_errorMemory, "no memory for %zu triangles", count);
    }
    draft->data.triangles = array;
    return wk_ok;
}

wkResult wkIoDraft_AddLooseTriangle(wkIoDraft* draft, const wkIoSource* source,
                                    const wkVec3d corners[3])
{
    int32_t first = draft->data.vertexCount;
    for (int i = 0; i < 3; i++) {
        wkResult result = wkIoDraft_AddVertex(draft, source, corners[i]);
        if (result != wk_ok) {
            return result;
        }
    }
    return wkIoDraft_AddTriangle(draft, source, first, first + 1, first + 2);
}

static void scaleVertices(wkMeshData* data, wkVec3d scale)
{
    for (int32_t i = 0; i < data->vertexCount; i++) {
        wkVec3d* v = &data->vertices[i];
        v->x *= scale.x;
        v->y *= scale.y;
        v->z *= scale.z;
    }

    // a mirror would turn the mesh inside out
    if (scale.x * scale.y * scale.z < 0.0) {
        for (int32_t i = 0; i < data->triangleCount; i++) {
            int32_t* corners = data->triangles + 3 * (size_t)i;
            int32_t second = corners[1];
            corners[1] = corners[2];
            corners[2] = second;
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

static void warnOfSize(wkIoDraft* draft, wkAabb bounds)
{
    double x = bounds.upper.x - bounds.lower.x;
    double y = bounds.upper.y - bounds.lower.y;
    double z = bounds.upper.z - bounds.lower.z;
    double extent = fmax(x, fmax(y, z));
    if (extent > LARGEST_USUAL_EXTENT) {
        wkIoWarn(draft->warning,
                 "%g x %g x %g m is large: is the file in millimetres? (scale 0.001)", x, y, z);
    } else if (extent < SMALLEST_USUAL_EXTENT) {
        wkIoWarn(draft->warning, "%g x %g x %g m is small: was it scaled to metres twice?", x, y,
                 z);
    }
}

wkResult wkIoFinish(wkIoDraft* draft, const wkIoSource* source, wkAabb* bounds)
{
    wkMeshData* data = &draft->data;
    wkVec3d scale = source->options->scale;
    if (scale.x != 1.0 || scale.y != 1.0 || scale.z != 1.0) {
        scaleVertices(data, scale);
    }
    *bounds = boundsOf(data);
    if (!wkIoIsFinite(bounds->lower) || !wkIoIsFinite(bounds->upper)) {
        return wkIoFail(source->name, wk_errorNotFinite, "the scale makes a coordinate infinite");
    }
    if (data->triangleCount == 0) {
        wkIoWarn(draft->warning, "holds no triangles");
    } else {
        warnOfSize(draft, *bounds);
    }
    return wk_ok;
}
