// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Planes of the faces, and the faces of the edges. A face that is thin up to rounding has its vertices on one
// line and no normal of its own. Any plane through that line with the whole hull below it is valid, such as
// that of a neighbour.

#include "geom/hull_builder.h"
#include "geom/hull_impl.h"

// Passes that propagate normals from face to face; thin faces are seldom surrounded by more thin ones.
#define PASS_COUNT 8

// Returns how far the hull rises above a plane through the face, and the face deviates from it.
static double riseAbove(const wkHullBuilder* builder, const wkHull* hull, int32_t face,
                        wkVec3d normal)
{
    if (wkLengthSquared(normal) == 0.0) {
        return INFINITY;
    }
    wkHullFace loop = wkHull_Face(hull, face);
    wkVec3d base = wkHullVertex(hull, loop.indices[0]);
    wkVec3d top = wkHullVertex(hull, wkHullSupport(hull, normal, loop.indices[0]));
    double rise = wkDot(normal, wkSub(top, base));
    for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1]; ++i) {
        rise = wkMaxD(rise, fabs(wkDot(normal, wkSub(wkVertexPoint(builder, i), base))));
    }
    return rise;
}

// Adopts the normal of a neighbour, or the direction from the middle outward, when the hull rises less above
// it.
static bool improveNormal(const wkHullBuilder* builder, const wkHullEdges* edges,
                          const wkHull* hull, int32_t face, wkHullPlane* planes)
{
    double rise = riseAbove(builder, hull, face, planes[face].normal);
    int32_t first = builder->faceStarts[face], end = builder->faceStarts[face + 1];
    wkVec3d outward = wkSub(wkVertexPoint(builder, first), builder->center);
    wkVec3d candidate = wkNormalizeOr(outward, wkVec(0.0, 0.0, 1.0));
    bool isBetter = false;
    for (int32_t i = first; i <= end && rise > builder->tolerance; ++i) {
        double other = riseAbove(builder, hull, face, candidate);
        if (other < rise) {
            rise = other;
            planes[face].normal = candidate;
            isBetter = true;
        }
        candidate = i < end ? planes[edges->faces[edges->twins[i]]].normal : candidate;
    }
    return isBetter;
}

// Writes the planes again, for SIMD kernels; padding repeats the first.
static void writeFaceLanes(wkHull* hull)
{
    const wkHullPlane* planes = wkHullPlanes(hull);
    double* lanes = (double*)((char*)hull + hull->faceLaneOffset);
    int32_t stride = hull->paddedFaceCount;
    for (int32_t i = 0; i < stride; ++i) {
        wkHullPlane plane = planes[i < hull->faceCount ? i : 0];
        lanes[i] = plane.normal.x;
        lanes[stride + i] = plane.normal.y;
        lanes[2 * stride + i] = plane.normal.z;
        lanes[3 * stride + i] = plane.offset;
    }
}

// A vertex and its twin start the two directions of an edge.
static void writeEdges(const wkHullEdges* edges, wkHull* hull)
{
    const int32_t* vertices = wkHullVertices(hull);
    const wkHullPlane* planes = wkHullPlanes(hull);
    double cosine = 1.0;
    wkHullEdge* out = (wkHullEdge*)((char*)hull + hull->edgeOffset);
    for (int32_t i = 0; i < wkHullFaceStarts(hull)[hull->faceCount]; ++i) {
        int32_t twin = edges->twins[i];
        if (i < twin) {
            wkHullEdge edge = {{vertices[i], vertices[twin]},
                               {edges->faces[i], edges->faces[twin]}};
            *out++ = edge;
            cosine =
                wkMinD(cosine, wkDot(planes[edge.faces[0]].normal, planes[edge.faces[1]].normal));
        }
    }
    hull->edgeCosine = sqrt(0.5 * wkMaxD(1.0 + cosine, 0.0));
}

void wkWriteHullPlanes(const wkHullBuilder* builder, const wkHullEdges* edges, wkHull* hull)
{
    wkHullPlane* planes = (wkHullPlane*)((char*)hull + hull->planeOffset);
    for (int32_t face = 0; face < hull->faceCount; ++face) {
        planes[face].normal = wkBuilderNormal(builder, face);
    }
    bool isBetter = true;
    for (int pass = 0; pass < PASS_COUNT && isBetter; ++pass) {
        isBetter = false;
        for (int32_t face = 0; face < hull->faceCount; ++face) {
            isBetter = improveNormal(builder, edges, hull, face, planes) || isBetter;
        }
    }

    // offset each plane to the outermost vertex
    for (int32_t face = 0; face < hull->faceCount; ++face) {
        planes[face].offset = -INFINITY;
        for (int32_t i = builder->faceStarts[face]; i < builder->faceStarts[face + 1]; ++i) {
            double height = wkDot(planes[face].normal, wkVertexPoint(builder, i));
            planes[face].offset = wkMaxD(planes[face].offset, height);
        }
    }
    writeFaceLanes(hull);
    writeEdges(edges, hull);
}
