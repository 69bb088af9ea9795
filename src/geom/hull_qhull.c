// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Hull of points in space, through qhull (Barber, Dobkin, Huhdanpaa, "The Quickhull algorithm for
// convex hulls", 1996). Qhull keeps its own memory with malloc; all of it is released before this
// file returns. It reports trouble by longjmp and in words: both stay in here, nothing is printed.

#if defined(WK_HAS_QHULL)
#define _POSIX_C_SOURCE 200809L // fmemopen
#endif

#include "geom/hull_draft.h"

#include "base/error.h"
#include "base/memory.h"

#if defined(WK_HAS_QHULL)

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <string.h>

// Room for qhull's first words when it fails.
#define WORDS_CAPACITY 256

// Loops of all facets. Inside setjmp: the functions called here may leave by longjmp.
static wkResult readFacets(qhT* qh, wkHullDraft* draft)
{
    facetT* facet;
    vertexT *vertex, **vertexp;
    int64_t cornerCount = 0;
    int32_t faceCount = 0;
    FORALLfacets
    {
        cornerCount += qh_setsize(qh, facet->vertices);
        ++faceCount;
    }
    if (cornerCount > INT32_MAX) {
        return wkFail(wk_errorRange, "hull: more than %d edges", INT32_MAX);
    }
    wkResult result = wkDraftReserve(draft, faceCount, (int32_t)cornerCount);
    if (result != wk_ok) {
        return result;
    }
    FORALLfacets
    {
        setT* loop = qh_facet3vertex(qh, facet);
        FOREACHvertex_(loop)
        {
            if (draft->cornerCount < draft->cornerCapacity) {
                draft->corners[draft->cornerCount++] = (int32_t)qh_pointid(qh, vertex->point);
            }
        }
        qh_settempfree(qh, &loop);
        draft->faceStarts[++draft->faceCount] = draft->cornerCount;
    }
    return wk_ok;
}

// Qhull orders loops by a convention of its own, and the axes may mirror: the volume tells.
static void turnOutward(wkHullDraft* draft)
{
    double volume = 0.0;
    for (int32_t face = 0; face < draft->faceCount; ++face) {
        wkVec3d base = wkCornerPoint(draft, draft->faceStarts[face]);
        volume += wkDot(wkSub(base, draft->center), wkDraftAreaVector(draft, face));
    }
    if (volume >= 0.0) {
        return;
    }
    for (int32_t face = 0; face < draft->faceCount; ++face) {
        int32_t i = draft->faceStarts[face], k = draft->faceStarts[face + 1] - 1;
        for (; i < k; ++i, --k) {
            int32_t kept = draft->corners[i];
            draft->corners[i] = draft->corners[k];
            draft->corners[k] = kept;
        }
    }
}

static wkResult runQhull(qhT* qh, wkHullDraft* draft, double* coordinates, FILE* words,
                         const char* options)
{
    char command[32];
    snprintf(command, sizeof command, "%s", options);
    qh_zero(qh, words);
    int status = qh_new_qhull(qh, 3, draft->pointCount, coordinates, False, command, words, words);
    wkResult result = wk_ok;
    if (status == 0) {
        // qh_new_qhull took its own setjmp with it; without a new one
        // an error would end the program
        qh->NOerrexit = False;
        status = setjmp(qh->errexit);
        if (status == 0) {
            result = readFacets(qh, draft);
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

// True when the loops close; qhull's merging of facets can leave them open.
static wkResult checkClosed(const wkHullDraft* draft)
{
    wkHullEdges edges;
    wkResult result = wkFindHullEdges(draft, &edges);
    if (result != wk_ok) {
        return result;
    }
    bool isClosed = edges.openFace < 0;
    wkReleaseHullEdges(&edges);
    return isClosed ? wk_ok : wk_errorArgument;
}

wkResult wkDraftQhull(wkHullDraft* draft, const wkHullAxes* axes)
{
    size_t coordinateBytes = 3 * (size_t)draft->pointCount * sizeof(double);
    double* coordinates = wkAlloc(coordinateBytes);
    qhT* qh = wkAlloc(sizeof *qh);
    char text[WORDS_CAPACITY] = "";
    FILE* words = fmemopen(text, sizeof text, "w");
    wkResult result = wk_errorArgument;
    if (coordinates == NULL || qh == NULL || words == NULL) {
        result = wkFail(wk_errorMemory, "hull: no memory for %d points", (int)draft->pointCount);
        goto cleanup;
    }

    for (int32_t i = 0; i < draft->pointCount; ++i) {
        wkVec3d local = wkToHullAxes(axes, draft->points[i]);
        coordinates[3 * (size_t)i + 0] = local.x;
        coordinates[3 * (size_t)i + 1] = local.y;
        coordinates[3 * (size_t)i + 2] = local.z;
    }

    // facets as polygons first, then cut into triangles, which qhull keeps closed more often
    static const char* const attempts[] = {"qhull Pp", "qhull Qt Pp"};
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts && result == wk_errorArgument; ++i) {
        result = runQhull(qh, draft, coordinates, words, attempts[i]);
        if (result == wk_ok) {
            result = checkClosed(draft);
        }
    }
    if (result == wk_ok) {
        turnOutward(draft);
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

wkResult wkDraftQhull(wkHullDraft* draft, const wkHullAxes* axes)
{
    (void)draft;
    (void)axes;
    return wkFail(wk_errorUnsupported, "hull: this build has no qhull; give the faces");
}

#endif
