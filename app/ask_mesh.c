// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Objects made of many triangles: meshes, inline or from a file, and height fields.

#include "ask.h"

#include "whisker/detail/counts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Maximum number of vertices or triangles of a mesh.
#define MAX_MESH_ITEMS ((size_t)1 << 28)

static bool failVolume(const wkAskReader* reader, const char* name)
{
    char known[128] = "";
    size_t length = 0;
    for (int i = 0; i < WK_VOLUME_KIND_COUNT && length < sizeof known; i++) {
        int added = snprintf(known + length, sizeof known - length, "%s%s", i > 0 ? ", " : "",
                             wkVolumeKindName((wkVolumeKind)i));
        length += (size_t)added;
    }
    return wkAskFail(reader->error, "bad_field", "%s.bv is '%.40s', must be one of %s",
                     reader->name, name, known);
}

static bool readVolume(const wkAskReader* reader, wkVolumeKind* volume)
{
    wkAskField field = wkAskMember(reader, "bv");
    const char* name = NULL;
    if (field.value == NULL) {
        return true;
    }
    if (!wkAskString(field, &name, reader->error)) {
        return false;
    }
    return wkVolumeKindFromName(name, volume) == wk_ok || failVolume(reader, name);
}

// Reads one factor for all axes, or one for each.
static bool readScale(const wkAskReader* reader, wkVec3d* scale)
{
    wkAskField field = wkAskMember(reader, "scale");
    if (field.value == NULL) {
        return true;
    }
    double factor = 1.0;
    bool isRead = wkJson_Is(field.value, wk_jsonKindNumber)
                      ? wkAskNumber(field, wk_askAny, &factor, reader->error)
                      : wkAskVec3(field, wk_askAny, scale, reader->error);
    if (isRead && wkJson_Is(field.value, wk_jsonKindNumber)) {
        *scale = (wkVec3d){factor, factor, factor};
    }
    bool isFine = scale->x != 0.0 && scale->y != 0.0 && scale->z != 0.0;
    return isRead &&
           (isFine ||
            wkAskFail(reader->error, "out_of_range",
                      "%s.scale has a factor 0, which leaves nothing of the mesh", reader->name));
}

static bool loadMesh(wkAskReader* reader, const wkMeshDef* def)
{
    wkLoadInfo report = {0};
    char path[WK_ASK_PATH_CAPACITY];
    if (!wkAskReadPath(reader, path)) {
        return false;
    }
    wkLoadDef options = wkDefaultLoadDef();
    options.isSolid = def->isSolid;
    options.volume = def->volume;
    options.allowsEmpty = reader->allowsEmpty;
    if (!readScale(reader, &options.scale)) {
        return false;
    }
    const wkMesh* mesh = NULL;
    bool isOwned = false;
    wkResult result = wkAskCache_Load(reader->cache, path, &options, &report, &mesh, &isOwned);
    if (result != wk_ok) {
        return wkAskFailLibrary(reader, ".file", result);
    }
    memcpy(reader->object->warning, report.warning, sizeof report.warning);
    reader->object->mesh = isOwned ? (wkMesh*)mesh : NULL;
    reader->object->shape = wkMakeMesh(mesh);
    return true;
}

static bool buildMesh(wkAskReader* reader, wkMeshDef* def)
{
    wkVec3d* vertices = NULL;
    int32_t* triangles = NULL;
    size_t vertexCount = 0, triangleCount = 0;
    bool isRead = wkAskPoints(wkAskMember(reader, "vertices"), 0, MAX_MESH_ITEMS, &vertices,
                              &vertexCount, reader->error) &&
                  wkAskTriangles(wkAskMember(reader, "triangles"), vertexCount, MAX_MESH_ITEMS,
                                 &triangles, &triangleCount, reader->error);
    if (isRead) {
        def->vertices = vertices;
        def->vertexCount = (int32_t)vertexCount;
        def->triangles = triangles;
        def->triangleCount = (int32_t)triangleCount;
        wkResult result = wkMesh_Create(def, &reader->object->mesh);
        isRead = result == wk_ok || wkAskFailLibrary(reader, "", result);
    }
    if (isRead) {
        reader->object->shape = wkMakeMesh(reader->object->mesh);
    }
    free(vertices);
    free(triangles);
    return isRead;
}

bool wkAskReadMesh(wkAskReader* reader)
{
    wkMeshDef def = wkDefaultMeshDef();
    def.isSolid = true; // meshes are solid unless the question states otherwise
    if (!wkAskOptionalBool(wkAskMember(reader, "solid"), &def.isSolid, reader->error) ||
        !readVolume(reader, &def.volume)) {
        return false;
    }
    bool hasFile = wkAskMember(reader, "file").value != NULL;
    bool hasArrays = wkAskMember(reader, "vertices").value != NULL ||
                     wkAskMember(reader, "triangles").value != NULL;
    if (!hasFile && !hasArrays) {
        return wkAskFail(reader->error, "missing_field",
                         "%s has neither a file nor vertices and triangles", reader->name);
    }
    if (hasFile && hasArrays) {
        return wkAskFail(reader->error, "bad_field",
                         "%s has a file and vertices or triangles, must have one or the other",
                         reader->name);
    }
    if (hasArrays && wkAskMember(reader, "scale").value != NULL) {
        return wkAskFail(reader->error, "bad_field",
                         "%s has a scale and vertices, which are in metres: scale is for a file",
                         reader->name);
    }
    return hasFile ? loadMesh(reader, &def) : buildMesh(reader, &def);
}

static bool readSide(const wkAskReader* reader, const char* name, int32_t* count)
{
    int number = 0;
    wkAskField field = wkAskMember(reader, name);
    if (!wkAskCount(field, &number, reader->error)) {
        return false;
    }
    *count = (int32_t)number;
    return number >= 2 || wkAskFail(reader->error, "out_of_range", "%s.%s is %d, must be >= 2",
                                    reader->name, name, number);
}

static bool readExtent(const wkAskReader* reader, const char* name, double* size)
{
    return wkAskNumber(wkAskMember(reader, name), wk_askNotNegative, size, reader->error) &&
           (*size > 0.0 || wkAskFail(reader->error, "out_of_range", "%s.%s is 0, must be > 0",
                                     reader->name, name));
}

// Reads the heights of the grid; allocates only for those that are present.
static bool readHeights(const wkAskReader* reader, const wkHeightFieldDef* def, double** heights)
{
    wkAskField field = wkAskMember(reader, "heights");
    size_t count = (size_t)def->columns * (size_t)def->rows;
    if (wkJson_Is(field.value, wk_jsonKindArray) && wkJson_Count(field.value) != count) {
        return wkAskFail(reader->error, "bad_field",
                         "%s.heights has %zu elements, must have %d * %d = %zu: nx * ny",
                         reader->name, wkJson_Count(field.value), (int)def->columns, (int)def->rows,
                         count);
    }
    bool isArray = wkJson_Is(field.value, wk_jsonKindArray);
    *heights = isArray ? malloc(count * sizeof **heights) : NULL;
    if (isArray && *heights == NULL) {
        return wkAskFail(reader->error, "out_of_memory",
                         "%s.heights need more memory than there is", reader->name);
    }
    return wkAskNumbers(field, wk_askAny, count, *heights, reader->error);
}

// Returns 0, or the lowest height if that is below.
static double defaultBottom(const wkHeightFieldDef* def)
{
    double lowest = 0.0;
    for (size_t i = 0; i < (size_t)def->columns * (size_t)def->rows; i++) {
        lowest = def->heights[i] < lowest ? def->heights[i] : lowest;
    }
    return lowest;
}

bool wkAskReadHeightField(wkAskReader* reader)
{
    wkHeightFieldDef def = wkDefaultHeightFieldDef();
    double* heights = NULL;
    bool isRead = readSide(reader, "nx", &def.columns) && readSide(reader, "ny", &def.rows) &&
                  readExtent(reader, "x_dim", &def.sizeX) &&
                  readExtent(reader, "y_dim", &def.sizeY) && readHeights(reader, &def, &heights);
    if (isRead) {
        def.heights = heights;
        def.minHeight = defaultBottom(&def);
        isRead = wkAskOptionalNumber(wkAskMember(reader, "min_height"), wk_askAny, &def.minHeight,
                                     reader->error);
    }
    if (isRead) {
        wkResult result = wkHeightField_Create(&def, &reader->object->field);
        isRead = result == wk_ok || wkAskFailLibrary(reader, "", result);
    }
    if (isRead) {
        reader->object->shape = wkMakeHeightField(reader->object->field);
    }
    free(heights);
    return isRead;
}
