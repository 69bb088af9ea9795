// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Point clouds and unions of spheres as objects, inline or from a file. Both are clouds of the library.

#include "ask.h"

#include "whisker/detail/library.h"

#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Maximum number of points or spheres of an object.
#define MAX_POINTS ((size_t)1 << 28)

// Points that are further away than this from the origin of their frame get an origin of their own, where they are
// far away for their extent: floats at 16 m are 2 micrometres apart.
#define FAR_AWAY 16.0

// Rows of an object or a file: x, y, z, and a radius where there are four columns.
typedef struct pointRows {
    const double* values;
    size_t count;
    size_t columnCount;
} pointRows;

// Returns an origin near the points, with whole coordinates, which keep exact floats exact.
static wkVec3d chooseOrigin(const pointRows* rows)
{
    double origin[3] = {0.0, 0.0, 0.0};
    for (size_t axis = 0; axis < 3 && rows->count > 0; axis++) {
        double lower = INFINITY, upper = -INFINITY;
        for (size_t i = 0; i < rows->count; i++) {
            double x = rows->values[i * rows->columnCount + axis];
            lower = fmin(lower, x);
            upper = fmax(upper, x);
        }
        double furthest = fmax(fabs(lower), fabs(upper));
        bool isFar = furthest > FAR_AWAY && furthest > upper - lower;
        origin[axis] = isFar ? round(0.5 * lower + 0.5 * upper) : 0.0;
    }
    return (wkVec3d){origin[0], origin[1], origin[2]};
}

// A sphere as a cloud reads it.
typedef struct sphereRecord {
    double center[3];
    float radius;
} sphereRecord;

// Returns the spheres with radii as floats, none of them smaller; NULL when out of memory.
static sphereRecord* copySpheres(const pointRows* rows)
{
    sphereRecord* spheres = malloc((rows->count + 1) * sizeof *spheres);
    for (size_t i = 0; i < rows->count && spheres != NULL; i++) {
        const double* row = rows->values + i * rows->columnCount;
        memcpy(spheres[i].center, row, sizeof spheres[i].center);
        float radius = (float)fmin(row[3], (double)FLT_MAX);
        spheres[i].radius = (double)radius < row[3] ? nextafterf(radius, FLT_MAX) : radius;
    }
    return spheres;
}

// Makes a cloud of rows. `def` has its options.
static wkResult createCloud(const pointRows* rows, wkCloudDef def, wkCloud** cloud)
{
    sphereRecord* spheres = NULL;
    def.points.data = rows->values;
    def.points.count = (int64_t)rows->count;
    def.points.isDouble = true;
    def.allowsEmpty = true; // a list of no points is meant; worlds refuse it
    if (rows->columnCount == 4) {
        spheres = copySpheres(rows);
        if (spheres == NULL) {
            return wkSetLastError(wk_errorMemory, "no memory for the spheres");
        }
        def.points.data = spheres;
        def.points.stride = sizeof *spheres;
        def.points.radiusOffset = offsetof(sphereRecord, radius);
    }
    wkResult result = wkCloud_Create(&def, cloud);
    free(spheres);
    return result;
}

// Makes the cloud of an object from the rows of a member.
static bool buildCloud(wkAskReader* reader, const char* member, size_t columnCount, wkCloudDef def)
{
    double* values = NULL;
    pointRows rows = {.columnCount = columnCount};
    wkAskField field = wkAskMember(reader, member);
    bool isRead =
        wkAskRows(field, member, columnCount, MAX_POINTS, &values, &rows.count, reader->error);
    rows.values = values;
    for (size_t i = 0; i < rows.count && columnCount == 4 && isRead; i++) {
        isRead = values[4 * i + 3] >= 0.0 ||
                 wkAskFail(reader->error, "out_of_range", "%s.%s[%zu][3] is %g, must be >= 0",
                           reader->name, member, i, values[4 * i + 3]);
    }
    if (isRead) {
        def.origin = chooseOrigin(&rows);
        wkResult result = createCloud(&rows, def, &reader->object->cloud);
        isRead = result == wk_ok || wkAskFailLibrary(reader, "", result);
    }
    if (isRead) {
        reader->object->origin = def.origin;
        reader->object->shape = wkMakeCloud(reader->object->cloud);
    }
    free(values);
    return isRead;
}

static bool loadCloud(wkAskReader* reader, wkCloudDef def,
                      wkResult (*load)(wkAskCache* cache, const char* path,
                                       const wkLoadDef* options, wkLoadInfo* info,
                                       const wkCloud** cloud, bool* isOwned))
{
    wkLoadInfo report = {0};
    wkLoadDef options = wkDefaultLoadDef();
    char path[WK_ASK_PATH_CAPACITY];
    const wkCloud* cloud = NULL;
    bool isOwned = false;
    options.cloud = def;
    options.findsOrigin = true;
    options.allowsEmpty = reader->allowsEmpty;
    if (!wkAskReadPath(reader, path)) {
        return false;
    }
    wkResult result = load(reader->cache, path, &options, &report, &cloud, &isOwned);
    if (result != wk_ok) {
        return wkAskFailLibrary(reader, ".file", result);
    }
    memcpy(reader->object->warning, report.warning, sizeof report.warning);
    reader->object->origin = report.origin;
    reader->object->cloud = isOwned ? (wkCloud*)cloud : NULL;
    reader->object->shape = wkMakeCloud(cloud);
    return true;
}

// Finds whether the object has a file or the member; it must have one of them.
static bool checkSource(const wkAskReader* reader, const char* member, bool* hasFile)
{
    bool hasRows = wkAskMember(reader, member).value != NULL;
    *hasFile = wkAskMember(reader, "file").value != NULL;
    if (!*hasFile && !hasRows) {
        return wkAskFail(reader->error, "missing_field", "%s has neither %s nor a file",
                         reader->name, member);
    }
    return !*hasFile || !hasRows ||
           wkAskFail(reader->error, "bad_field", "%s has a file and %s, must have one or the other",
                     reader->name, member);
}

bool wkAskReadCloud(wkAskReader* reader)
{
    bool hasFile = false;
    wkCloudDef def = wkDefaultCloudDef();
    wkAskField radius = wkAskMember(reader, "radius"), spacing = wkAskMember(reader, "spacing");
    wkAskField sigma = wkAskMember(reader, "sigma");
    return checkSource(reader, "points", &hasFile) &&
           wkAskOptionalNumber(radius, wk_askNotNegative, &def.radius, reader->error) &&
           wkAskOptionalNumber(spacing, wk_askNotNegative, &def.spacing, reader->error) &&
           wkAskOptionalNumber(sigma, wk_askNotNegative, &reader->object->sigma, reader->error) &&
           (hasFile ? loadCloud(reader, def, wkAskCache_LoadCloud)
                    : buildCloud(reader, "points", 3, def));
}

bool wkAskReadSpheres(wkAskReader* reader)
{
    bool hasFile = false;
    wkCloudDef def = wkDefaultCloudDef();
    reader->object->isUnion = true;
    return checkSource(reader, "spheres", &hasFile) &&
           (hasFile ? loadCloud(reader, def, wkAskCache_LoadSpheres)
                    : buildCloud(reader, "spheres", 4, def));
}

// Checks that a table has a center and a radius in each row.
static wkResult checkTable(const char* path, const wkTableData* table, bool allowsEmpty)
{
    char words[WK_ASK_PATH_CAPACITY];
    int length = 0;
    if (table->columnCount != 4 && table->rowCount > 0) {
        length = snprintf(words, sizeof words,
                          "%.300s: %d numbers in a row, expected 4: x, y, z and a radius", path,
                          table->columnCount);
    } else if (table->rowCount == 0 && !allowsEmpty) {
        length = snprintf(words, sizeof words,
                          "%.300s: has no spheres, so that nothing would ever "
                          "touch them",
                          path);
    }
    for (int32_t i = 0; i < table->rowCount && length == 0; i++) {
        const double* row = table->values + 4 * (size_t)i;
        bool isFine = isfinite(row[0]) && isfinite(row[1]) && isfinite(row[2]) && row[3] >= 0.0;
        if (!isFine) {
            length =
                snprintf(words, sizeof words,
                         "%.300s: row %d: %g %g %g %g, expected finite numbers and a radius of "
                         "0 or more",
                         path, i + 1, row[0], row[1], row[2], row[3]);
        }
    }
    return length == 0 ? wk_ok : wkSetLastError(wk_errorParse, words);
}

wkResult wkLoadSpheres(const char* path, bool allowsEmpty, wkCloud** cloud)
{
    wkTableData* table = NULL;
    wkResult result = wkTableData_Load(path, &table);
    if (result == wk_ok) {
        result = checkTable(path, table, allowsEmpty);
    }
    if (result == wk_ok) {
        pointRows rows = {table->values, (size_t)table->rowCount, 4};
        result = createCloud(&rows, wkDefaultCloudDef(), cloud);
    }
    wkTableData_Destroy(table);
    return result;
}
