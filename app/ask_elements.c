// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Answers the query `cast_elements`: the first contact of a vertex and a face, or of two edges, that move.

#include "ask_question.h"

#include <stdlib.h>
#include <string.h>

#define ELEMENT_POINTS 4

static bool readPoints(const wkAskQuestion* q, const char* name, wkVec3d points[ELEMENT_POINTS])
{
    wkVec3d* read = NULL;
    size_t count = 0;
    wkAskField field = wkAskFind(q->json, "", name);
    bool isRead = wkAskPoints(field, ELEMENT_POINTS, ELEMENT_POINTS, &read, &count, q->error);
    if (isRead) {
        memcpy(points, read, ELEMENT_POINTS * sizeof *points);
    }
    free(read);
    return isRead;
}

static bool readKind(const wkAskQuestion* q, wkElementKind* kind)
{
    const char* name = NULL;
    if (!wkAskString(wkAskFind(q->json, "", "kind"), &name, q->error)) {
        return false;
    }
    return wkElementKindFromName(name, kind) == wk_ok ||
           wkAskFail(q->error, "bad_field", "kind is '%.40s', must be vertex-face or edge-edge",
                     name);
}

bool wkAnswerCastElements(const wkAskQuestion* q)
{
    wkElementCastRequest request = wkDefaultElementCastRequest();
    wkElementKind kind = wk_elementVertexFace;
    wkVec3d start[ELEMENT_POINTS], end[ELEMENT_POINTS];
    if (!readKind(q, &kind) || !readPoints(q, "t0", start) || !readPoints(q, "t1", end) ||
        !wkAskOptionalNumber(wkAskFind(q->json, "", "tolerance"), wk_askNotNegative,
                             &request.tolerance, q->error)) {
        return false;
    }
    wkElementCastResult result = wkCastElements(kind, start, end, &request);
    wkCastResult contact = {
        .isTouching = result.isTouching,
        .status = result.status,
        .time = result.time,
        .touchingBy = result.touchingBy,
        .pointA = result.pointA,
        .pointB = result.pointB,
        .normal = result.normal,
    };
    return wkAskAppendCast(q, &contact);
}
