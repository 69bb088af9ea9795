// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hull of points in space, through qhull (Barber, Dobkin, Huhdanpaa, "The Quickhull algorithm for convex
// hulls", 1996). Qhull allocates with malloc; all of it is released before this file returns. It reports
// errors by longjmp and as text: both stay in this file, nothing is printed.

#if defined(WK_HAS_QHULL)
#define _POSIX_C_SOURCE 200809L // fmemopen
#endif

#include "geom/hull_builder.h"

#include "base/error.h"
#include "base/memory.h"

#if defined(WK_HAS_QHULL)

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <string.h>

// Capacity for the start of qhull's error message.
#define WORDS_CAPACITY 256

// Reads the loops of all facets. Inside setjmp: the functions called here may leave by longjmp.
static wkResult readFacets(qhT* qh, wkHullBuilder* builder)
{
    facetT* facet;
    vertexT *vertex, **vertexp;
    int64_t vertexCount = 0;
    int32_t faceCount = 0;
    FORALLfacets
    {
        vertexCount += qh_setsize(qh, facet->vertices);
        ++faceCount;
    }
    if (vertexCount > INT32_MAX) {
        return wkFail(wk_errorRange, "hull: more than %d edges", INT32_MAX);
    }
    wkResult result = wkBuilderReserve(builder, faceCount, (int32_t)vertexCount);
    if (result != wk_ok) {
        return result;
    }
    FORALLfacets
    {
        setT* loop = qh_facet3vertex(qh, facet);
        FOREACHvertex_(loop)
        {
            if (builder->vertexCount < builder->vertexCapacity) {
                builder->vertices[builder->vertexCount++] = (int32_t)qh_pointid(qh, vertex->point);
            }
        }
        qh_settempfree(qh, &loop);
        builder->faceStarts[++builder->faceCount] = builder->vertexCount;
    }
    return wk_ok;
}

// Orients the loops outward. Qhull has its own convention, and the axes may mirror: the volume decides.
static void orientOutward(wkHullBuilder* builder)
{
    double volume = 0.0;
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        wkVec3d base = wkVertexPoint(builder, builder->faceStarts[face]);
        volume += wkDot(wkSub(base, builder->center), wkBuilderAreaVector(builder, face));
    }
    if (volume >= 0.0) {
        return;
    }
    for (int32_t face = 0; face < builder->faceCount; ++face) {
        int32_t i = builder->faceStarts[face], k = builder->faceStarts[face + 1] - 1;
        for (; i < k; ++i, --k) {
            int32_t kept = builder->vertices[i];
            builder->vertices[i] = builder->vertices[k];
            builder->vertices[k] = kept;
        }
    }
}

static wkResult runQhull(qhT* qh, wkHullBuilder* builder, double* coordinates, FILE* words,
                         const char* options)
{
    char command[32];
    snprintf(command, sizeof command, "%s", options);
    qh_zero(qh, words);
    int status =
        qh_new_qhull(qh, 3, builder->pointCount, coordinates, False, command, words, words);
    wkResult result = wk_ok;
    if (status == 0) {
        // qh_new_qhull removed its own setjmp; without a new one an error would end the program
        qh->NOerrexit = False;
        status = setjmp(qh->errexit);
        if (status == 0) {
            result = readFacets(qh, builder);
        }
        qh->NOerrexit = True;
    }

    int longCount, longBytes;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &longCount, &longBytes);
    if (status == qh_ERRmem) {
        return wkFail(wk_errorMemory, "hull: qhull ran out of memory");
    }
    return status == 0 ? result : wk_errorArgument;
}

// Checks that the loops close; qhull's merging of facets can leave them open.
static wkResult checkClosed(const wkHullBuilder* builder)
{
    wkHullEdges edges;
    wkResult result = wkFindHullEdges(builder, &edges);
    if (result != wk_ok) {
        return result;
    }
    bool isClosed = edges.openFace < 0;
    wkReleaseHullEdges(&edges);
    return isClosed ? wk_ok : wk_errorArgument;
}

wkResult wkBuilderQhull(wkHullBuilder* builder, const wkHullAxes* axes)
{
    size_t coordinateBytes = 3 * (size_t)builder->pointCount * sizeof(double);
    double* coordinates = wkAlloc(coordinateBytes);
    qhT* qh = wkAlloc(sizeof *qh);
    char text[WORDS_CAPACITY] = "";
    FILE* words = fmemopen(text, sizeof text, "w");
    wkResult result = wk_errorArgument;
    if (coordinates == NULL || qh == NULL || words == NULL) {
        result = wkFail(wk_errorMemory, "hull: no memory for %d points", (int)builder->pointCount);
        goto cleanup;
    }

    for (int32_t i = 0; i < builder->pointCount; ++i) {
        wkVec3d local = wkToHullAxes(axes, builder->points[i]);
        coordinates[3 * (size_t)i + 0] = local.x;
        coordinates[3 * (size_t)i + 1] = local.y;
        coordinates[3 * (size_t)i + 2] = local.z;
    }

    // facets as polygons first, then cut into triangles, which qhull keeps closed more often
    static const char* const attempts[] = {"qhull Pp", "qhull Qt Pp"};
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts && result == wk_errorArgument; ++i) {
        result = runQhull(qh, builder, coordinates, words, attempts[i]);
        if (result == wk_ok) {
            result = checkClosed(builder);
        }
    }
    if (result == wk_ok) {
        orientOutward(builder);
    } else if (result == wk_errorArgument) {
        fflush(words);
        text[strcspn(text, "\r\n")] = '\0';
        result = wkFail(wk_errorArgument, "hull: qhull failed: %s", text);
    }

cleanup:
    if (words != NULL) {
        fclose(words);
    }
    wkFree(qh, sizeof *qh);
    wkFree(coordinates, coordinateBytes);
    return result;
}

#else

wkResult wkBuilderQhull(wkHullBuilder* builder, const wkHullAxes* axes)
{
    (void)builder;
    (void)axes;
    return wkFail(wk_errorUnsupported, "hull: this build has no qhull; give the faces");
}

#endif
