// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Flat surfaces are triangulated exactly. Curved ones have vertices on the surface and a slack that bounds
// how far the surface bulges out between them. Boxes, cylinders and cones that are rounded or padded outward
// have round edges. Other shapes are a core with a sphere about each of its points: the triangles are those
// of the core, and the sphere's radius is added to the slack. Each point of a surface that is padded inward
// is at the distance of the padding from the core's surface, so the same slack is valid.

#include "geom/tessellation.h"

#include "math/angle.h"
#include "whisker/hull.h"

#define ROTATION_STEPS 96 // around cylinders and cones: bulges are 0.05 % of the radius
#define ROUND_STEPS 24    // along an edge of the octahedron that becomes a sphere
#define EDGE_STEPS 8      // around edges of boxes and cylinders; a power of two

// Vertices of a hull's face are in one plane only up to rounding; as a share of the largest coordinate.
#define HULL_ROUNDING 1e-9

static bool addQuad(wkTessellationSink* sink, wkVec3d a, wkVec3d b, wkVec3d c, wkVec3d d,
                    double slack)
{
    return sink->add(sink, a, b, c, slack) && sink->add(sink, a, c, d, slack);
}

// A sphere of the given radii, cut into octants that are moved apart: it becomes a capsule or a box with
// round edges.
typedef struct roundCore {
    wkVec3d radii;
    wkVec3d apart; // distance from the center, along each axis
    int steps;     // along an edge of the octahedron that becomes the sphere
} roundCore;

// Moves a point into its octant.
static wkVec3d moveApart(const roundCore* core, wkVec3d point, wkVec3d signs)
{
    return wkAdd(point, wkMulVec(signs, core->apart));
}

// Adds a facet of the unit sphere. From its nearest point on, at distance d from the center, radial lines to
// the sphere have lengths of at most 1 - d; the radii scale them as they scale the facet's vertices.
static bool addFacet(const roundCore* core, const wkVec3d unit[3], wkVec3d signs,
                     wkTessellationSink* sink)
{
    wkVec3d normal = wkCross(wkSub(unit[1], unit[0]), wkSub(unit[2], unit[0]));
    double distance = fabs(wkDot(unit[0], wkNormalizeOr(normal, unit[0])));
    wkVec3d faceVertices[3];
    double largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        faceVertices[i] = wkMulVec(core->radii, unit[i]);
        largest = wkMaxD(largest, wkLength(faceVertices[i]));
        faceVertices[i] = moveApart(core, faceVertices[i], signs);
    }
    double slack = largest * wkPositive(1.0 / distance - 1.0 + 1e-15);
    return signs.z > 0.0
               ? sink->add(sink, faceVertices[0], faceVertices[1], faceVertices[2], slack)
               : sink->add(sink, faceVertices[0], faceVertices[2], faceVertices[1], slack);
}

static const wkVec3d octants[8] = {{1, 1, 1},  {-1, 1, 1},  {-1, -1, 1},  {1, -1, 1},
                                   {1, 1, -1}, {-1, 1, -1}, {-1, -1, -1}, {1, -1, -1}};

// Returns a point of a face of the octahedron, pushed out to the unit sphere.
static wkVec3d octantPoint(const roundCore* core, int octant, int i, int j)
{
    double x = i, y = j, z = core->steps - i - j;
    double length = sqrt(x * x + y * y + z * z);
    wkVec3d p = wkVec(x / length, y / length, octants[octant].z * z / length);
    // quarter rotations about z
    wkVec3d rotated[4] = {p, wkVec(-p.y, p.x, p.z), wkVec(-p.x, -p.y, p.z), wkVec(p.y, -p.x, p.z)};
    return rotated[octant % 4];
}

static bool addOctant(const roundCore* core, int octant, wkTessellationSink* sink)
{
    wkVec3d signs = octants[octant];
    for (int i = 0; i < core->steps; ++i) {
        for (int j = 0; i + j < core->steps; ++j) {
            wkVec3d low[3] = {octantPoint(core, octant, i, j), octantPoint(core, octant, i + 1, j),
                              octantPoint(core, octant, i, j + 1)};
            if (!addFacet(core, low, signs, sink)) {
                return false;
            }
            wkVec3d high[3] = {octantPoint(core, octant, i + 1, j),
                               octantPoint(core, octant, i + 1, j + 1),
                               octantPoint(core, octant, i, j + 1)};
            if (i + j + 1 < core->steps && !addFacet(core, high, signs, sink)) {
                return false;
            }
        }
    }
    return true;
}

// Rotates the order of the axes so that it starts with another one.
static wkVec3d shiftAxes(wkVec3d v, int first)
{
    wkVec3d shifted[3] = {v, wkVec(v.z, v.x, v.y), wkVec(v.y, v.z, v.x)};
    return shifted[first];
}

// Adds a quarter of the wall between octants that were moved apart along an axis: all radii are equal then.
static bool addWall(const roundCore* core, int axis, int quarter, wkTessellationSink* sink)
{
    wkVec3d signs = octants[quarter];
    wkVec3d along = wkMulVec(core->apart, shiftAxes(wkVec(0.0, 0.0, 1.0), axis));
    wkVec3d vertex = wkMulVec(core->apart, shiftAxes(wkVec(signs.x, signs.y, 0.0), axis));
    for (int i = 0; i < core->steps && wkMaxAbs(along) > 0.0; ++i) {
        wkVec3d a = octantPoint(core, quarter, core->steps - i, i);
        wkVec3d b = octantPoint(core, quarter, core->steps - i - 1, i + 1);
        double slack = core->radii.x * (1.0 - 0.5 * wkLength(wkAdd(a, b)) + 1e-15);
        a = wkMulAdd(vertex, core->radii.x, shiftAxes(a, axis));
        b = wkMulAdd(vertex, core->radii.x, shiftAxes(b, axis));
        if (!addQuad(sink, wkSub(a, along), wkSub(b, along), wkAdd(b, along), wkAdd(a, along),
                     slack)) {
            return false;
        }
    }
    return true;
}

static bool addRound(const roundCore* core, wkTessellationSink* sink)
{
    for (int octant = 0; octant < 8; ++octant) {
        if (!addOctant(core, octant, sink)) {
            return false;
        }
    }
    for (int i = 0; i < 12; ++i) {
        if (!addWall(core, i / 4, i % 4, sink)) {
            return false;
        }
    }
    return true;
}

// Spheres, capsules and boxes vanish when they are padded inward by more than their size.

bool wkTessellateSphere(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    double radius = shape->sphere.radius + offset;
    roundCore core = {wkVec(radius, radius, radius), {0.0, 0.0, 0.0}, ROUND_STEPS};
    return radius < 0.0 || addRound(&core, sink);
}

bool wkTessellateCapsule(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    double radius = shape->capsule.radius + offset;
    roundCore core = {
        wkVec(radius, radius, radius), {0.0, 0.0, shape->capsule.halfLength}, ROUND_STEPS};
    return radius < 0.0 || addRound(&core, sink);
}

// Adds the offset to the slack of an ellipsoid and of other curved cores.
typedef struct paddedSink {
    wkTessellationSink base;
    wkTessellationSink* sink;
    double offset;
} paddedSink;

static bool addPadded(wkTessellationSink* base, wkVec3d a, wkVec3d b, wkVec3d c, double slack)
{
    paddedSink* padded = (paddedSink*)base;
    return padded->sink->add(padded->sink, a, b, c, slack + padded->offset);
}

bool wkTessellateEllipsoid(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    paddedSink padded = {{addPadded}, sink, fabs(offset)};
    roundCore core = {shape->ellipsoid.radii, {0.0, 0.0, 0.0}, ROUND_STEPS};
    return addRound(&core, &padded.base);
}

// Adds the six flat faces of a box, moved outward.
static bool addFaces(wkVec3d half, double outward, wkTessellationSink* sink)
{
    for (int i = 0; i < 6; ++i) {
        wkVec3d normal = shiftAxes(wkVec(0.0, 0.0, i < 3 ? 1.0 : -1.0), i % 3);
        wkVec3d u = wkMulVec(half, shiftAxes(wkVec(1.0, 0.0, 0.0), i % 3));
        wkVec3d v = wkMulVec(half, shiftAxes(wkVec(0.0, i < 3 ? 1.0 : -1.0, 0.0), i % 3));
        wkVec3d middle = wkMulVec(wkAdd(half, wkVec(outward, outward, outward)), normal);
        wkVec3d low = wkSub(middle, v), high = wkAdd(middle, v);
        if (!addQuad(sink, wkSub(low, u), wkAdd(low, u), wkAdd(high, u), wkSub(high, u), 0.0)) {
            return false;
        }
    }
    return true;
}

bool wkTessellateBox(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    double inward = wkMinD(offset, 0.0), outward = wkPositive(offset);
    wkVec3d h = wkAdd(shape->box.half, wkVec(inward, inward, inward));
    if (h.x < 0.0 || h.y < 0.0 || h.z < 0.0) {
        return true;
    }
    roundCore core = {wkVec(outward, outward, outward), h, EDGE_STEPS};
    return addFaces(h, outward, sink) && (outward == 0.0 || addRound(&core, sink));
}

// Half of the section of a solid of revolution through its axis: from the center of its bottom to that of its
// top. x is the distance from the axis.
typedef struct profile {
    wkVec3d points[2 * EDGE_STEPS + 4];
    int count;
    double slack; // how far arcs bulge
} profile;

static wkVec3d halfWay(wkVec3d a, wkVec3d b)
{
    return wkNormalizeOr(wkAdd(a, b), a);
}

// Adds an arc about a vertex, from one direction to another, by repeated bisection into equal parts.
static void addArc(profile* p, wkVec3d vertex, double radius, wkVec3d from, wkVec3d to)
{
    wkVec3d arc[EDGE_STEPS + 1];
    arc[0] = from;
    arc[EDGE_STEPS] = to;
    for (int step = EDGE_STEPS; step > 1; step /= 2) {
        for (int i = 0; i < EDGE_STEPS; i += step) {
            arc[i + step / 2] = halfWay(arc[i], arc[i + step]);
        }
    }
    double bulge = 1.0 - 0.5 * wkLength(wkAdd(arc[0], arc[1])) + 1e-15;
    p->slack = wkMaxD(p->slack, radius * bulge);
    int last = radius > 0.0 ? EDGE_STEPS : 0;
    for (int i = 0; i <= last; ++i) {
        p->points[p->count++] = wkMulAdd(vertex, radius, arc[i]);
    }
}

// Rotates a line of the profile about the axis by one step, from the direction a to b.
static bool addRotated(wkVec3d low, wkVec3d high, wkVec3d a, wkVec3d b, double slack,
                       wkTessellationSink* sink)
{
    wkVec3d lowZ = wkVec(0.0, 0.0, low.z), highZ = wkVec(0.0, 0.0, high.z);
    wkVec3d lowA = wkMulAdd(lowZ, low.x, a), lowB = wkMulAdd(lowZ, low.x, b);
    wkVec3d highA = wkMulAdd(highZ, high.x, a), highB = wkMulAdd(highZ, high.x, b);
    return (!(low.x > 0.0) || sink->add(sink, lowA, lowB, highA, slack)) &&
           (!(high.x > 0.0) || sink->add(sink, lowB, highB, highA, slack));
}

// Adds two discs, of the bottom and the top radius, with a wall between them. Padding outward makes round
// edges.
static bool addFrustum(double bottom, double top, double half, double offset,
                       wkTessellationSink* sink)
{
    double outward = wkPositive(offset);
    wkVec3d down = wkVec(0.0, 0.0, -1.0), up = wkVec(0.0, 0.0, 1.0);
    wkVec3d side = wkNormalizeOr(wkVec(2.0 * half, 0.0, bottom - top), wkVec(1.0, 0.0, 0.0));
    profile p = {.count = 1};
    p.points[0] = wkVec(0.0, 0.0, -half - outward);
    addArc(&p, wkVec(bottom, 0.0, -half), outward, down, side);
    addArc(&p, wkVec(top, 0.0, half), outward, side, up);
    p.points[p.count++] = wkVec(0.0, 0.0, half + outward);
    double sine = 0.0, cosine = 1.0;
    wkSinCos(WK_PI / ROTATION_STEPS, &sine, &cosine);
    double widest = wkMaxD(bottom, top) + outward;
    double slack = widest * (1.0 - cosine + 1e-15) + p.slack + wkPositive(-offset);
    for (int i = 0; i < ROTATION_STEPS; ++i) {
        wkVec3d a = {0.0, 0.0, 0.0}, b = {0.0, 0.0, 0.0};
        wkSinCos(2.0 * WK_PI / ROTATION_STEPS * i, &a.y, &a.x);
        wkSinCos(2.0 * WK_PI / ROTATION_STEPS * ((i + 1) % ROTATION_STEPS), &b.y, &b.x);
        for (int k = 0; k + 1 < p.count; ++k) {
            if (!addRotated(p.points[k], p.points[k + 1], a, b, slack, sink)) {
                return false;
            }
        }
    }
    return true;
}

bool wkTessellateCylinder(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    const wkCylinder* c = &shape->cylinder;
    return addFrustum(c->radius, c->radius, c->halfLength, offset, sink);
}

bool wkTessellateCone(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    return addFrustum(shape->cone.radius, 0.0, shape->cone.halfLength, offset, sink);
}

bool wkTessellateTriangle(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    const wkVec3d* p = shape->triangle.points;
    return sink->add(sink, p[0], p[1], p[2], fabs(offset));
}

static bool addFace(const wkHull* hull, const wkHullFace* face, double slack,
                    wkTessellationSink* sink)
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

bool wkTessellateHull(const wkShape* shape, double offset, wkTessellationSink* sink)
{
    const wkHull* hull = shape->hull;
    wkHullInfo info = wkHull_Info(hull);
    double reach = 0.0;
    for (int32_t i = 0; i < info.vertexCount; ++i) {
        reach = wkMaxD(reach, wkMaxAbs(wkHull_Vertex(hull, i)));
    }
    double slack = fabs(offset) + HULL_ROUNDING * reach;
    for (int32_t i = 0; i < info.faceCount; ++i) {
        wkHullFace face = wkHull_Face(hull, i);
        if (!addFace(hull, &face, slack, sink)) {
            return false;
        }
    }
    // a point or a segment has no faces
    wkVec3d first = wkHull_Vertex(hull, 0);
    wkVec3d last = wkHull_Vertex(hull, info.vertexCount - 1);
    return info.faceCount > 0 || sink->add(sink, first, last, last, slack);
}
