// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Faces given by the caller: copied and checked. A closed surface in one piece whose faces are convex, whose
// edges all bend the same way and whose vertices have less than a full turn of angle around them bounds a
// convex body (van Heijenoort 1952), so each check involves neighbours only.

#include "geom/hull_builder.h"

#include "base/error.h"
#include "base/memory.h"
#include "geom/steiner.h"

#include <string.h>

// Vertices may leave the plane of their face, and edges bend inward, by this share of the extent.
#define GIVEN_SLACK 1e-9

// Rounding error of a sum of angles, in radians.
#define ANGLE_SLACK 1e-6

static wkResult copyFaces(wkHullBuilder* builder, const wkHullDef* def)
{
    int64_t vertexCount = 0;
    for (int32_t face = 0; face < def->faceCount; ++face) {
        if (def->faceSizes[face] < 3) {
            return wkFail(wk_errorRange, "hull: face %d has %d vertices, must be >= 3", (int)face,
                          (int)def->faceSizes[face]);
        }
        vertexCount += def->faceSizes[face];
    }
    if (vertexCount > INT32_MAX) {
        return wkFail(wk_errorRange, "hull: more than %d vertices of faces", INT32_MAX);
    }
    wkResult result = wkBuilderReserve(builder, def->faceCount, (int32_t)vertexCount);
    if (result != wk_ok) {
        return result;
    }
    for (int32_t face = 0; face < def->faceCount; ++face) {
        for (int32_t i = 0; i < def->faceSizes[face]; ++i) {
            int32_t index = def->faceIndices[builder->vertexCount];
            if (index < 0 || index >= def->pointCount) {
                return wkFail(wk_errorRange, "hull: face %d names point %d of %d", (int)face,
                              (int)index, (int)def->pointCount);
            }
            builder->vertices[builder->vertexCount++] = index;
        }
        builder->faceStarts[++builder->faceCount] = builder->vertexCount;
    }
    return wk_ok;
}

// Plane of a face, for signed heights above it.
typedef struct facePlane {
    wkVec3d origin;
    wkVec3d normal;
} facePlane;

static facePlane planeOf(const wkHullBuilder* builder, int32_t face)
{
    facePlane plane = {wkVertexPoint(builder, builder->faceStarts[face]),
                       wkBuilderNormal(builder, face)};
    return plane;
}

static double heightOver(facePlane plane, wkVec3d point)
{
    return wkDot(plane.normal, wkSub(point, plane.origin));
}

// Checks that a face is planar and convex, and that all vertices of the faces across its edges are below it.
static wkResult checkFace(const wkHullBuilder* builder, const wkHullEdges* edges, int32_t face)
{
    double slack = GIVEN_SLACK * builder->extent;
    facePlane plane = planeOf(builder, face);
    if (wkLengthSquared(plane.normal) == 0.0) {
        return wkFail(wk_errorArgument, "hull: face %d has no area", (int)face);
    }
    for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1]; ++i) {
        if (fabs(heightOver(plane, wkVertexPoint(builder, i))) > slack) {
            return wkFail(wk_errorArgument, "hull: face %d is not planar", (int)face);
        }
        int32_t next = wkNextVertex(builder, face, i), last = wkNextVertex(builder, face, next);
        wkVec3d along = wkSub(wkVertexPoint(builder, next), wkVertexPoint(builder, i));
        wkVec3d inward = wkNormalizeOr(wkCross(plane.normal, along), plane.normal);
        if (wkDot(inward, wkSub(wkVertexPoint(builder, last), wkVertexPoint(builder, i))) <
            -slack) {
            return wkFail(wk_errorArgument,
                          "hull: face %d is not convex, or not anticlockwise from outside",
                          (int)face);
        }
        int32_t across = edges->faces[edges->twins[i]];
        for (int32_t k = builder->faceStarts[across]; k < builder->faceStarts[across + 1]; ++k) {
            if (heightOver(plane, wkVertexPoint(builder, k)) > slack) {
                return wkFail(wk_errorArgument,
                              "hull: faces %d and %d do not bend outward: not convex, or not "
                              "anticlockwise from outside",
                              (int)face, (int)across);
            }
        }
    }
    return wk_ok;
}

// Returns the angle of a face at one of its vertices.
static double vertexAngle(const wkHullBuilder* builder, int32_t face, int32_t before,
                          int32_t vertex)
{
    wkVec3d here = wkVertexPoint(builder, vertex);
    wkVec3d a = wkSub(wkVertexPoint(builder, before), here);
    wkVec3d b = wkSub(wkVertexPoint(builder, wkNextVertex(builder, face, vertex)), here);
    return atan2(wkLength(wkCross(a, b)), wkDot(a, b));
}

// Checks that the angles around every used point, and those inside every face, sum to at most a full turn;
// marks all used points.
static wkResult checkAngles(const wkHullBuilder* builder, double* angles)
{
    const double fullTurn = 2.0 * WK_PI;
    memset(angles, 0, (size_t)builder->pointCount * sizeof *angles);
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        int32_t count = builder->faceStarts[face + 1] - builder->faceStarts[face];
        double sum = 0.0;
        int32_t before = builder->faceStarts[face + 1] - 1;
        for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1];
             before = i++) {
            double angle = vertexAngle(builder, face, before, i);
            sum += angle;
            angles[builder->vertices[i]] += angle;
            if (angles[builder->vertices[i]] > fullTurn + ANGLE_SLACK) {
                return wkFail(wk_errorArgument, "hull: face %d: too many faces meet at point %d",
                              (int)face, (int)builder->vertices[i]);
            }
        }

        // a loop that turns left everywhere but winds twice has smaller angles than a polygon
        if (sum < 0.5 * fullTurn * (double)(count - 2) - ANGLE_SLACK * (double)count) {
            return wkFail(wk_errorArgument, "hull: face %d crosses itself", (int)face);
        }
    }
    return wk_ok;
}

// Checks that all faces can be reached from the first one.
static wkResult checkOnePiece(const wkHullBuilder* builder, const wkHullEdges* edges,
                              int32_t* queue, char* isReached)
{
    memset(isReached, 0, (size_t)builder->faceCount);
    queue[0] = 0;
    isReached[0] = 1;
    int32_t count = 1;
    for (int32_t i = 0; i < count; ++i) {
        for (int32_t k = builder->faceStarts[queue[i]]; k < builder->faceStarts[queue[i] + 1];
             ++k) {
            int32_t across = edges->faces[edges->twins[k]];
            if (!isReached[across]) {
                isReached[across] = 1;
                queue[count++] = across;
            }
        }
    }
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        if (!isReached[face]) {
            return wkFail(wk_errorArgument, "hull: face %d is not joined to face 0", (int)face);
        }
    }
    return wk_ok;
}

// Checks that points which no face uses are inside; `angles` is zero for them.
static wkResult checkUnused(const wkHullBuilder* builder, const double* angles)
{
    double slack = GIVEN_SLACK * builder->extent;
    for (int32_t i = 0; i < builder->pointCount; ++i) {
        if (angles[i] > 0.0) {
            continue;
        }
        for (int32_t face = 0; face < builder->faceCount; ++face) {
            if (heightOver(planeOf(builder, face), builder->points[i]) > slack) {
                return wkFail(wk_errorArgument, "hull: point %d lies outside face %d", (int)i,
                              (int)face);
            }
        }
    }
    return wk_ok;
}

static wkResult checkFaces(const wkHullBuilder* builder, const wkHullEdges* edges)
{
    if (edges->openFace >= 0) {
        return wkFail(wk_errorArgument,
                      "hull: face %d has an edge that is not shared with one other face, the other "
                      "way round",
                      (int)edges->openFace);
    }
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        wkResult result = checkFace(builder, edges, face);
        if (result != wk_ok) {
            return result;
        }
    }

    size_t angleBytes = (size_t)builder->pointCount * sizeof(double);
    size_t queueBytes = (size_t)builder->faceCount * (sizeof(int32_t) + sizeof(char));
    double* angles = wkAlloc(angleBytes);
    int32_t* queue = wkAlloc(queueBytes);
    wkResult result = wk_ok;
    if (angles == NULL || queue == NULL) {
        result =
            wkFail(wk_errorMemory, "hull: no memory to check %d faces", (int)builder->faceCount);
        goto cleanup;
    }
    result = checkOnePiece(builder, edges, queue, (char*)(queue + builder->faceCount));
    if (result == wk_ok) {
        result = checkAngles(builder, angles);
    }
    if (result == wk_ok) {
        result = checkUnused(builder, angles);
    }

cleanup:
    wkFree(angles, angleBytes);
    wkFree(queue, queueBytes);
    return result;
}

wkResult wkBuilderGiven(wkHullBuilder* builder, const wkHullDef* def)
{
    wkResult result = copyFaces(builder, def);
    if (result != wk_ok) {
        return result;
    }
    wkHullEdges edges;
    result = wkFindHullEdges(builder, &edges);
    if (result == wk_ok) {
        result = checkFaces(builder, &edges);
        wkReleaseHullEdges(&edges);
    }
    return result;
}
