// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Flat surfaces are their triangles, curved ones have corners on the surface and a slack that bounds
// how far it bulges out between them. What is rounded or padded outward is a core with a ball around
// each of its points: the triangles are those of the core, with that ball for slack. Each point of a
// surface that is padded inward is as far from the core's surface as the padding says, so that the
// same holds.

#include "fit/tiles.h"

#include "base/error.h"
#include "math/angle.h"
#include "whisker/height_field.h"
#include "whisker/hull.h"
#include "whisker/mesh.h"

#define TURN_STEPS 96  // around cylinders and cones: bulges are half a thousandth of the radius
#define ROUND_STEPS 24 // along an edge of the octahedron that becomes a ball

// Corners of a hull's face are in one plane only up to rounding; as a share of the largest coordinate.
#define HULL_ROUNDING 1e-9

typedef bool tileFcn(const wkShape* shape, double offset, wkTileSink* sink);

static bool addQuad(wkTileSink* sink, wkVec3d a, wkVec3d b, wkVec3d c, wkVec3d d, double slack)
{
    return sink->add(sink, a, b, c, slack) && sink->add(sink, a, c, d, slack);
}

// A ball of the given radii whose upper half is moved up by `lift`, and the lower one down.
typedef struct roundCore {
    wkVec3d radii;
    double lift;
} roundCore;

// A facet of the unit ball. From its nearest point on, at distance d from the center, radial lines to
// the ball have lengths of at most 1 - d; the radii stretch them as they stretch the facet's corners.
static bool addFacet(const roundCore* core, const wkVec3d unit[3], double side, wkTileSink* sink)
{
    wkVec3d normal = wkCross(wkSub(unit[1], unit[0]), wkSub(unit[2], unit[0]));
    double distance = fabs(wkDot(unit[0], wkNormalizeOr(normal, unit[0])));
    wkVec3d corners[3];
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        corners[i] = wkMulVec(core->radii, unit[i]);
        largest = wkMaxD(largest, wkLength(corners[i]));
        corners[i].z += side * core->lift;
    }
    double slack = largest * wkPositive(1.0 / distance - 1.0 + 1e-15);
    return side > 0.0 ? sink->add(sink, corners[0], corners[1], corners[2], slack)
                      : sink->add(sink, corners[0], corners[2], corners[1], slack);
}

// A place on a face of the octahedron, pushed out to the unit ball.
static wkVec3d octantPoint(int turn, double side, int i, int j)
{
    double x = i, y = j, z = ROUND_STEPS - i - j;
    double length = sqrt(x * x + y * y + z * z);
    wkVec3d p = wkVec(x / length, y / length, side * z / length);
    // quarters of a turn about z
    wkVec3d turned[4] = {p, wkVec(-p.y, p.x, p.z), wkVec(-p.x, -p.y, p.z), wkVec(p.y, -p.x, p.z)};
    return turned[turn];
}

static bool addOctant(const roundCore* core, int turn, double side, wkTileSink* sink)
{
    for (int i = 0; i < ROUND_STEPS; ++i) {
        for (int j = 0; i + j < ROUND_STEPS; ++j) {
            wkVec3d low[3] = {octantPoint(turn, side, i, j), octantPoint(turn, side, i + 1, j),
                              octantPoint(turn, side, i, j + 1)};
            if (!addFacet(core, low, side, sink)) {
                return false;
            }
            wkVec3d high[3] = {octantPoint(turn, side, i + 1, j),
                               octantPoint(turn, side, i + 1, j + 1),
                               octantPoint(turn, side, i, j + 1)};
            if (i + j + 1 < ROUND_STEPS && !addFacet(core, high, side, sink)) {
                return false;
            }
        }
    }
    return true;
}

// The wall between the two halves, over the equator of one octant.
static bool addWall(const roundCore* core, int turn, wkTileSink* sink)
{
    for (int i = 0; i < ROUND_STEPS && core->lift > 0.0; ++i) {
        wkVec3d a = octantPoint(turn, 1.0, ROUND_STEPS - i, i);
        wkVec3d b = octantPoint(turn, 1.0, ROUND_STEPS - i - 1, i + 1);
        double slack = core->radii.x * (1.0 - 0.5 * wkLength(wkAdd(a, b)) + 1e-15);
        a = wkMulVec(core->radii, a);
        b = wkMulVec(core->radii, b);
        wkVec3d up = wkVec(0.0, 0.0, core->lift);
        if (!addQuad(sink, wkSub(a, up), wkSub(b, up), wkAdd(b, up), wkAdd(a, up), slack)) {
            return false;
        }
    }
    return true;
}

static bool addRound(const roundCore* core, wkTileSink* sink)
{
    for (int turn = 0; turn < 4; ++turn) {
        if (!addOctant(core, turn, 1.0, sink) || !addOctant(core, turn, -1.0, sink) ||
            !addWall(core, turn, sink)) {
            return false;
        }
    }
    return true;
}

// Nothing is left of spheres, capsules and boxes that are padded inward by more than they have.

static bool tileSphere(const wkShape* shape, double offset, wkTileSink* sink)
{
    double radius = shape->sphere.radius + offset;
    roundCore core = {wkVec(radius, radius, radius), 0.0};
    return radius < 0.0 || addRound(&core, sink);
}

static bool tileCapsule(const wkShape* shape, double offset, wkTileSink* sink)
{
    double radius = shape->capsule.radius + offset;
    roundCore core = {wkVec(radius, radius, radius), shape->capsule.halfLength};
    return radius < 0.0 || addRound(&core, sink);
}

// An ellipsoid's slack comes on top of its offset, and so does that of other curved cores.
typedef struct paddedSink {
    wkTileSink base;
    wkTileSink* sink;
    double offset;
} paddedSink;

static bool addPadded(wkTileSink* base, wkVec3d a, wkVec3d b, wkVec3d c, double slack)
{
    paddedSink* padded = (paddedSink*)base;
    return padded->sink->add(padded->sink, a, b, c, slack + padded->offset);
}

static bool tileEllipsoid(const wkShape* shape, double offset, wkTileSink* sink)
{
    paddedSink padded = {{addPadded}, sink, fabs(offset)};
    roundCore core = {shape->ellipsoid.radii, 0.0};
    return addRound(&core, &padded.base);
}

static bool tileBox(const wkShape* shape, double offset, wkTileSink* sink)
{
    double inward = wkMinD(offset, 0.0);
    wkVec3d h = wkAdd(shape->box.half, wkVec(inward, inward, inward));
    if (h.x < 0.0 || h.y < 0.0 || h.z < 0.0) {
        return true;
    }
    wkVec3d corners[8];
    for (int i = 0; i < 8; ++i) {
        corners[i] = wkVec(i & 1 ? h.x : -h.x, i & 2 ? h.y : -h.y, i & 4 ? h.z : -h.z);
    }
    static const int faces[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                    {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
    for (int i = 0; i < 6; ++i) {
        const int* f = faces[i];
        if (!addQuad(sink, corners[f[0]], corners[f[1]], corners[f[2]], corners[f[3]],
                     wkPositive(offset))) {
            return false;
        }
    }
    return true;
}

// Discs of two radii, the bottom one and the top one, with a wall between them.
static bool addFrustum(double bottom, double top, double half, double offset, wkTileSink* sink)
{
    double sine = 0.0, cosine = 1.0;
    wkSinCos(WK_PI / TURN_STEPS, &sine, &cosine);
    double slack = wkMaxD(bottom, top) * (1.0 - cosine + 1e-15) + fabs(offset);
    wkVec3d low = wkVec(0.0, 0.0, -half), high = wkVec(0.0, 0.0, half);
    for (int i = 0; i < TURN_STEPS; ++i) {
        wkVec3d a = {0.0, 0.0, 0.0}, b = {0.0, 0.0, 0.0};
        wkSinCos(2.0 * WK_PI / TURN_STEPS * i, &a.y, &a.x);
        wkSinCos(2.0 * WK_PI / TURN_STEPS * ((i + 1) % TURN_STEPS), &b.y, &b.x);
        wkVec3d lowA = wkMulAdd(low, bottom, a), lowB = wkMulAdd(low, bottom, b);
        wkVec3d highA = wkMulAdd(high, top, a), highB = wkMulAdd(high, top, b);
        if (!sink->add(sink, low, lowB, lowA, slack) ||
            !sink->add(sink, lowA, lowB, highA, slack)) {
            return false;
        }
        bool hasTop = top > 0.0;
        if (hasTop && (!sink->add(sink, lowB, highB, highA, slack) ||
                       !sink->add(sink, high, highA, highB, slack))) {
            return false;
        }
    }
    return true;
}

static bool tileCylinder(const wkShape* shape, double offset, wkTileSink* sink)
{
    const wkCylinder* c = &shape->cylinder;
    return addFrustum(c->radius, c->radius, c->halfLength, offset, sink);
}

static bool tileCone(const wkShape* shape, double offset, wkTileSink* sink)
{
    return addFrustum(shape->cone.radius, 0.0, shape->cone.halfLength, offset, sink);
}

static bool tileTriangle(const wkShape* shape, double offset, wkTileSink* sink)
{
    const wkVec3d* p = shape->triangle.points;
    return sink->add(sink, p[0], p[1], p[2], fabs(offset));
}

static bool addFace(const wkHull* hull, const wkHullFace* face, double slack, wkTileSink* sink)
{
    wkVec3d first = wkHull_Vertex(hull, face->indices[0]);
    for (int32_t i = 2; i < face->indexCount; ++i) {
        if (!sink->add(sink, first, wkHull_Vertex(hull, face->indices[i - 1]),
                       wkHull_Vertex(hull, face->indices[i]), slack)) {
            return false;
        }
    }
    return true;
}

static bool tileHull(const wkShape* shape, double offset, wkTileSink* sink)
{
    const wkHull* hull = shape->hull;
    double reach = 0.0;
    for (int32_t i = 0; i < wkHull_VertexCount(hull); ++i) {
        reach = wkMaxD(reach, wkMaxAbs(wkHull_Vertex(hull, i)));
    }
    double slack = fabs(offset) + HULL_ROUNDING * reach;
    int32_t faceCount = wkHull_FaceCount(hull);
    for (int32_t i = 0; i < faceCount; ++i) {
        wkHullFace face = wkHull_Face(hull, i);
        if (!addFace(hull, &face, slack, sink)) {
            return false;
        }
    }
    // a point or a segment has no faces
    wkVec3d first = wkHull_Vertex(hull, 0);
    wkVec3d last = wkHull_Vertex(hull, wkHull_VertexCount(hull) - 1);
    return faceCount > 0 || sink->add(sink, first, last, last, slack);
}

static bool tileMesh(const wkShape* shape, double offset, wkTileSink* sink)
{
    int32_t count = wkMesh_Info(shape->mesh).triangleCount;
    for (int32_t i = 0; i < count; ++i) {
        wkTriangle t = wkMesh_Triangle(shape->mesh, i);
        if (!sink->add(sink, t.points[0], t.points[1], t.points[2], fabs(offset))) {
            return false;
        }
    }
    return true;
}

static bool tileField(const wkShape* shape, double offset, wkTileSink* sink)
{
    int32_t count = wkHeightField_TriangleCount(shape->heightField);
    for (int32_t i = 0; i < count; ++i) {
        wkTriangle t = wkHeightField_Triangle(shape->heightField, i);
        if (!sink->add(sink, t.points[0], t.points[1], t.points[2], fabs(offset))) {
            return false;
        }
    }
    return true;
}

// Shapes without a row have no end, or are made of cells.
static tileFcn* const tileTable[wk_shapeTypeCount] = {
    [wk_shapeSphere] = tileSphere,     [wk_shapeCapsule] = tileCapsule,
    [wk_shapeBox] = tileBox,           [wk_shapeCylinder] = tileCylinder,
    [wk_shapeCone] = tileCone,         [wk_shapeEllipsoid] = tileEllipsoid,
    [wk_shapeTriangle] = tileTriangle, [wk_shapeHull] = tileHull,
    [wk_shapeMesh] = tileMesh,         [wk_shapeHeightField] = tileField,
};

wkResult wkTileShape(const wkShape* shape, wkTileSink* sink)
{
    tileFcn* tile = tileTable[shape->type];
    if (tile == NULL) {
        return wkFail(wk_errorUnsupported, "fit: a %s cannot be covered with balls",
                      wkShapeTypeName(shape->type));
    }
    return tile(shape, shape->rounding + shape->padding, sink)
               ? wk_ok
               : wkFail(wk_errorMemory, "fit: out of memory");
}
