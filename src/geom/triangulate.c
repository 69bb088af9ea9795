// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Lofts, and the two kinds that shapes need: profiles rotated about an axis, and polygons swept with a
// sphere.

#include "geom/triangulate.h"

#include "base/error.h"
#include "geom/steiner.h"

// A profile or prism has at most this many arcs: the four vertices of a box.
#define ARC_CAPACITY 4

wkResult wkTriangulationReserve(wkTriangulation* out, int32_t vertexCount, int32_t triangleCount)
{
    out->vertexCount = vertexCount;
    out->triangleCount = triangleCount;
    if (out->vertices == NULL && out->indices == NULL) {
        return wk_ok;
    }
    if (out->vertices == NULL || out->vertexCapacity < vertexCount) {
        return wkFail(wk_errorRange, "triangulation: needs capacity for %d vertices, has %d",
                      vertexCount, out->vertices != NULL ? out->vertexCapacity : 0);
    }
    if (out->indices == NULL || out->triangleCapacity < triangleCount) {
        return wkFail(wk_errorRange, "triangulation: needs capacity for %d triangles, has %d",
                      triangleCount, out->indices != NULL ? out->triangleCapacity : 0);
    }
    return wk_ok;
}

// Appends a triangle, unless two of its vertices coincide: such a sliver closes no gap.
static int32_t* addTriangle(int32_t* indices, int a, int b, int c)
{
    if (a != b && b != c && c != a) {
        *indices++ = a;
        *indices++ = b;
        *indices++ = c;
    }
    return indices;
}

// Appends fans over both caps, the bottom one facing down. The fans start at different vertices, so that the
// two sides of a flat piece share no diagonal.
static int32_t* addCaps(int32_t* indices, int capCount, int topStart)
{
    for (int i = 2; i < capCount; ++i) {
        indices = addTriangle(indices, 1, (i + 1) % capCount, i);
        indices = addTriangle(indices, topStart, topStart + i - 1, topStart + i);
    }
    return indices;
}

// Appends the strips between the caps and the rings. Vertices are in the order bottom cap, rings, top cap.
static int32_t* addStrips(int32_t* indices, const wkLoft* loft, int topStart)
{
    for (int column = 0; column < loft->columnCount; ++column) {
        int next = (column + 1) % loft->columnCount;
        int lower = loft->vertex(loft->context, column);
        int lowerNext = loft->vertex(loft->context, next);
        int vertex = topStart + lower, vertexNext = topStart + lowerNext;
        for (int ring = 0; ring <= loft->ringCount; ++ring) {
            bool isLast = ring == loft->ringCount;
            int start = loft->capCount + ring * loft->columnCount;
            int upper = isLast ? vertex : start + column;
            int upperNext = isLast ? vertexNext : start + next;
            indices = addTriangle(indices, lower, lowerNext, upperNext);
            indices = addTriangle(indices, lower, upperNext, upper);
            lower = upper;
            lowerNext = upperNext;
        }
    }
    return indices;
}

wkResult wkTriangulateLoft(const wkLoft* loft, wkTriangulation* out)
{
    int capTriangles = loft->capCount > 2 ? 2 * (loft->capCount - 2) : 0;
    int vertexCount =
        loft->isFlat ? loft->capCount : 2 * loft->capCount + loft->ringCount * loft->columnCount;
    // a column has a triangle at each cap, and a second one where the vertices differ
    int capSides = loft->capCount > 1 ? loft->capCount : 0;
    int sideTriangles = loft->isFlat ? 0 : 2 * (loft->ringCount * loft->columnCount + capSides);
    wkResult result = wkTriangulationReserve(out, vertexCount, capTriangles + sideTriangles);
    if (result != wk_ok || out->vertices == NULL) {
        return result;
    }

    wkVec3d* vertices = out->vertices;
    for (int i = 0; i < loft->capCount; ++i) {
        *vertices++ = loft->cap(loft->context, false, i);
    }
    for (int ring = 0; ring < loft->ringCount; ++ring) {
        for (int column = 0; column < loft->columnCount; ++column) {
            *vertices++ = loft->ring(loft->context, ring, column);
        }
    }
    for (int i = 0; i < loft->capCount && !loft->isFlat; ++i) {
        *vertices++ = loft->cap(loft->context, true, i);
    }

    int topStart = vertexCount - loft->capCount;
    int32_t* indices = addCaps(out->indices, loft->capCount, topStart);
    if (!loft->isFlat) {
        addStrips(indices, loft, topStart);
    }
    return wk_ok;
}

// Returns the steps of an arc when a full turn has `segments`.
static int arcSteps(double angle, int segments)
{
    double steps = ceil(angle / (2.0 * WK_PI) * segments - 1e-9);
    return steps > 1.0 ? (int)steps : 1;
}

typedef struct profileLoft {
    const wkProfileArc* arcs;
    int arcCount;
    int segments;
    int steps[ARC_CAPACITY];
    int firstStep[ARC_CAPACITY]; // 1 where the arc starts on the axis, at the pole
    int firstRing[ARC_CAPACITY + 1];
    double bottom, top;
} profileLoft;

static wkVec3d profileRing(const void* context, int ring, int column)
{
    const profileLoft* profile = (const profileLoft*)context;
    int a = 0;
    while (ring >= profile->firstRing[a + 1]) {
        ++a;
    }
    const wkProfileArc* arc = &profile->arcs[a];
    int step = ring - profile->firstRing[a] + profile->firstStep[a];
    double angle = arc->from + (arc->to - arc->from) * step / profile->steps[a];
    double radius = arc->radius + arc->arcRadius * cos(angle);
    double around = 2.0 * WK_PI * column / profile->segments;
    return wkVec(radius * cos(around), radius * sin(around), arc->z + arc->arcRadius * sin(angle));
}

static wkVec3d profileCap(const void* context, bool isTop, int vertex)
{
    (void)vertex;
    const profileLoft* profile = (const profileLoft*)context;
    return wkVec(0.0, 0.0, isTop ? profile->top : profile->bottom);
}

static int profileVertex(const void* context, int column)
{
    (void)context, (void)column;
    return 0;
}

wkResult wkTriangulateProfile(const wkProfileArc* arcs, int arcCount, double bottom, double top,
                              int segments, wkTriangulation* out)
{
    profileLoft profile = {arcs, arcCount, segments, {0}, {0}, {0}, bottom, top};
    for (int i = 0; i < arcCount; ++i) {
        const wkProfileArc* arc = &arcs[i];
        bool isOnAxis = arc->radius == 0.0;
        profile.steps[i] = arc->arcRadius > 0.0 ? arcSteps(arc->to - arc->from, segments) : 1;
        profile.firstStep[i] = isOnAxis && i == 0;
        int ringCount = arc->arcRadius > 0.0 ? profile.steps[i] + 1 : 1;
        ringCount -= isOnAxis && i == 0;
        ringCount -= isOnAxis && i == arcCount - 1;
        profile.firstRing[i + 1] = profile.firstRing[i] + (ringCount > 0 ? ringCount : 0);
    }
    wkLoft loft = {
        &profile,     profile.firstRing[arcCount], segments, 1, false, profileRing, profileCap,
        profileVertex};
    return wkTriangulateLoft(&loft, out);
}

typedef struct prismLoft {
    const wkRoundedPrism* prism;
    int quarterSteps;
    int steps[ARC_CAPACITY];            // columns around a vertex, minus one
    double start[ARC_CAPACITY];         // angle of the outward normal of the edge before a vertex
    double exteriorAngle[ARC_CAPACITY]; // exterior angle
    int firstColumn[ARC_CAPACITY + 1];
} prismLoft;

static int prismVertex(const void* context, int column)
{
    const prismLoft* loft = (const prismLoft*)context;
    int vertex = 0;
    while (column >= loft->firstColumn[vertex + 1]) {
        ++vertex;
    }
    return vertex;
}

// Maps a point from the prism's frame to the frame of the shape.
static wkVec3d placePrism(const wkRoundedPrism* prism, double x, double y, double z)
{
    wkVec3d inPlane = wkMulAdd(wkScale(x, prism->x), y, prism->y);
    return wkAdd(prism->origin, wkMulAdd(inPlane, z, prism->z));
}

static wkVec3d prismRing(const void* context, int ring, int column)
{
    const prismLoft* loft = (const prismLoft*)context;
    const wkRoundedPrism* prism = loft->prism;
    int vertex = prismVertex(context, column);
    int step = column - loft->firstColumn[vertex];
    double angle = loft->start[vertex] + loft->exteriorAngle[vertex] * step / loft->steps[vertex];

    // rings below the middle belong to the lower polygon, the others to the upper one
    bool isUpper = ring >= loft->quarterSteps;
    int rise = ring + 1 - loft->quarterSteps - (isUpper && prism->half > 0.0);
    double slope = 0.5 * WK_PI * rise / loft->quarterSteps;
    double across = prism->radius * cos(slope);
    double z = (isUpper ? prism->half : -prism->half) + prism->radius * sin(slope);
    return placePrism(prism, prism->vertices[vertex].x + across * cos(angle),
                      prism->vertices[vertex].y + across * sin(angle), z);
}

static wkVec3d prismCap(const void* context, bool isTop, int vertex)
{
    const wkRoundedPrism* prism = ((const prismLoft*)context)->prism;
    double z = prism->half + prism->radius;
    return placePrism(prism, prism->vertices[vertex].x, prism->vertices[vertex].y, isTop ? z : -z);
}

// Returns the angle of the outward normal of the edge that ends in a vertex.
static double normalAngle(const wkRoundedPrism* prism, int vertex)
{
    if (prism->angles != NULL) {
        return prism->angles[vertex];
    }
    wkVec3d from = prism->vertices[(vertex + prism->vertexCount - 1) % prism->vertexCount];
    wkVec3d to = prism->vertices[vertex];
    return atan2(from.x - to.x, to.y - from.y);
}

wkResult wkTriangulatePrism(const wkRoundedPrism* prism, int segments, wkTriangulation* out)
{
    prismLoft loft = {prism, arcSteps(0.5 * WK_PI, segments), {0}, {0}, {0}, {0}};
    int count = prism->vertexCount;
    bool isRound = prism->radius > 0.0;
    for (int i = 0; i < count; ++i) {
        loft.start[i] = normalAngle(prism, i);
        double exteriorAngle =
            count > 1 ? normalAngle(prism, (i + 1) % count) - loft.start[i] : 0.0;
        loft.exteriorAngle[i] = exteriorAngle > 0.0 ? exteriorAngle : exteriorAngle + 2.0 * WK_PI;
        loft.steps[i] = arcSteps(loft.exteriorAngle[i], segments);
        // a full turn ends where it starts
        int columnCount = count > 1 ? loft.steps[i] + 1 : loft.steps[i];
        loft.firstColumn[i + 1] = loft.firstColumn[i] + (isRound ? columnCount : 1);
    }
    int ringCount = 2 * loft.quarterSteps - (prism->half > 0.0 ? 0 : 1);
    wkLoft description = {&loft,
                          isRound ? ringCount : 0,
                          loft.firstColumn[count],
                          count,
                          !isRound && prism->half == 0.0,
                          prismRing,
                          prismCap,
                          prismVertex};
    return wkTriangulateLoft(&description, out);
}
