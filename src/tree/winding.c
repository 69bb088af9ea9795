// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Winding numbers. With q the point, the solid angle of a surface is the integral of n . f(x) over
// it, f(x) = (x - q) / |x - q|^3. Around the centre of a node, f is expanded to first order; its
// second derivatives are at most 6 / distance^4, so the rest is below 3 * spread / distance^4, with
// the distance of the ball around the triangles.

#include "tree/winding.h"

#include "math/round.h"
#include "tree/crossing.h"

// Floats of a dipole are rounded once on each level of the hierarchy, and so is its centre.
#define ROUNDING (4e-7 * WK_TREE_MAX_DEPTH)

#define FOUR_PI 12.566370614359172

// From metres to lengths in dipoles.
typedef struct scaling {
    wkVec3d center;
    double inverse;
} scaling;

static scaling scalingOf(const wkMesh* mesh)
{
    scaling s = {mesh->ballCenter, 1.0 / mesh->ballRadius};
    return s;
}

static wkVec3d scalePoint(const scaling* s, wkVec3d point)
{
    return wkScale(s->inverse, wkSub(point, s->center));
}

// What is added up about some triangles: dipoles as doubles.
typedef struct moments {
    wkVec3d center;
    double radius;
    wkVec3d moment;
    double area;
    double turn[5];
    double spread;
} moments;

static moments momentsOfDipole(const wkDipole* d)
{
    moments m = {wkVec(d->center[0], d->center[1], d->center[2]),
                 d->radius,
                 wkVec(d->moment[0], d->moment[1], d->moment[2]),
                 d->area,
                 {d->turn[0], d->turn[1], d->turn[2], d->turn[3], d->turn[4]},
                 d->spread};
    return m;
}

static moments momentsOfTriangle(const wkMesh* mesh, const scaling* s, int32_t item)
{
    wkVec3d corners[3];
    wkMeshCorners(mesh, item, corners);
    for (int i = 0; i < 3; ++i) {
        corners[i] = scalePoint(s, corners[i]);
    }
    moments m = {.center = wkScale(1.0 / 3.0, wkAdd(wkAdd(corners[0], corners[1]), corners[2]))};
    wkVec3d cross = wkCross(wkSub(corners[1], corners[0]), wkSub(corners[2], corners[0]));
    m.moment = wkScale(0.5, cross);
    m.area = wkLength(m.moment);
    double squares = 0.0, largest = 0.0;
    for (int i = 0; i < 3; ++i) {
        double square = wkLengthSquared(wkSub(corners[i], m.center));
        squares += square;
        largest = wkMaxD(largest, square);
    }
    m.radius = sqrt(largest);
    m.spread = m.area / 12.0 * squares;
    return m;
}

// Adds triangles to a sum whose centre is known.
static void addMoments(moments* sum, const moments* m)
{
    wkVec3d way = wkSub(m->center, sum->center), n = m->moment;
    double away = wkLength(way), third = wkDot(n, way) / 3.0;
    sum->radius = wkMaxD(sum->radius, away + m->radius);
    sum->moment = wkAdd(sum->moment, n);
    sum->area += m->area;
    double turn[5] = {n.x * way.x - third, n.y * way.y - third, 0.5 * (n.x * way.y + n.y * way.x),
                      0.5 * (n.x * way.z + n.z * way.x), 0.5 * (n.y * way.z + n.z * way.y)};
    for (int i = 0; i < 5; ++i) {
        sum->turn[i] += m->turn[i] + turn[i];
    }
    // the centre of area is where it is said to be, but for rounding
    sum->spread += m->spread + m->area * (away * away + ROUNDING * away);
}

// Lists what is in a node: its nodes as they are, and triangles one by one.
// @return how many
static int listBelow(const wkMesh* mesh, const scaling* s, const wkTree* tree, uint32_t node,
                     moments* list)
{
    const wkLink* links = wkTreeLinks(tree, node);
    int count = 0;
    for (int slot = 0; slot < WK_TREE_WIDTH && links[slot] != WK_LINK_EMPTY; ++slot) {
        wkLink link = links[slot];
        if (!wkIsLeaf(link)) {
            list[count++] = momentsOfDipole(&wkMeshDipoles(mesh)[link]);
            continue;
        }
        int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
        for (int32_t item = first; item < end; ++item) {
            list[count++] = momentsOfTriangle(mesh, s, item);
        }
    }
    return count;
}

static wkVec3d centerOf(const moments* list, int count)
{
    wkVec3d sum = wkVec(0.0, 0.0, 0.0);
    double area = 0.0;
    for (int i = 0; i < count; ++i) {
        sum = wkMulAdd(sum, list[i].area, list[i].center);
        area += list[i].area;
    }
    wkVec3d any = count > 0 ? list[0].center : sum;
    return area > 0.0 ? wkScale(1.0 / area, sum) : any;
}

static void writeDipole(const moments* m, wkDipole* d)
{
    d->moment[0] = (float)m->moment.x;
    d->moment[1] = (float)m->moment.y;
    d->moment[2] = (float)m->moment.z;
    d->radius = wkRoundUp(m->radius * (1.0 + 1e-14));
    d->area = wkRoundUp(m->area * (1.0 + 1e-14));
    d->spread = wkRoundUp(m->spread * (1.0 + 1e-14));
    for (int i = 0; i < 5; ++i) {
        d->turn[i] = (float)m->turn[i];
    }
}

// What is below a node comes after it, so the last come first.
void wkWriteDipoles(wkMesh* mesh)
{
    wkDipole* dipoles = (wkDipole*)((char*)mesh + mesh->dipoleOffset);
    wkTree tree = wkMeshTree(mesh);
    scaling s = scalingOf(mesh);
    for (int32_t i = mesh->nodeCount - 1; i >= 0 && mesh->triangleCount > 0; --i) {
        moments list[WK_TREE_WIDTH * WK_TREE_WIDTH];
        int count = listBelow(mesh, &s, &tree, (uint32_t)i, list);
        wkVec3d center = centerOf(list, count);
        wkDipole* d = &dipoles[i];
        d->center[0] = (float)center.x;
        d->center[1] = (float)center.y;
        d->center[2] = (float)center.z;

        // about the centre as it is stored
        moments sum = {.center = wkVec(d->center[0], d->center[1], d->center[2])};
        for (int k = 0; k < count; ++k) {
            addMoments(&sum, &list[k]);
        }
        writeDipole(&sum, d);
    }
}

// A sum of angles, each half a solid angle: the argument of a product of complex numbers. One
// arctangent at the end does for all of them when full turns are counted on the way.
typedef struct turns {
    double real;
    double imaginary;
    double count; // of full turns
} turns;

static void addAngle(turns* t, double real, double imaginary)
{
    if (real == 0.0 && imaginary == 0.0) {
        return; // no area, or seen from its edge
    }
    double product = t->real * real - t->imaginary * imaginary;
    double across = t->real * imaginary + t->imaginary * real;
    bool isUp = across >= 0.0;
    if (t->imaginary >= 0.0 && imaginary >= 0.0 && !isUp) {
        t->count += 1.0;
    } else if (t->imaginary < 0.0 && imaginary < 0.0 && isUp) {
        t->count -= 1.0;
    }
    double size = fabs(product) + fabs(across);
    double scale = size > 1e-60 && size < 1e60 ? 1.0 : 1.0 / size;
    t->real = scale * product;
    t->imaginary = scale * across;
}

// Winding number of what was added.
static double windingOf(const turns* t)
{
    return t->count + 2.0 / FOUR_PI * atan2(t->imaginary, t->real);
}

// The solid angle of a triangle (Van Oosterom and Strackee 1983).
static void addTriangle(const wkMesh* mesh, wkVec3d point, double inverse, int32_t item, turns* t)
{
    wkVec3d corners[3];
    wkMeshCorners(mesh, item, corners);
    wkVec3d a = wkScale(inverse, wkSub(corners[0], point));
    wkVec3d b = wkScale(inverse, wkSub(corners[1], point));
    wkVec3d c = wkScale(inverse, wkSub(corners[2], point));
    double lengthA = wkLength(a), lengthB = wkLength(b), lengthC = wkLength(c);
    double real = lengthA * lengthB * lengthC + wkDot(a, b) * lengthC + wkDot(b, c) * lengthA +
                  wkDot(c, a) * lengthB;
    addAngle(t, real, wkDot(a, wkCross(b, c)));
}

// A winding number and what it may be off by.
typedef struct measured {
    double value;
    double error;
} measured;

// Takes a node as a whole where it is far enough for its size.
// @return false when it is not
static bool addDipole(const wkDipole* d, wkVec3d point, double tolerance, measured* sum)
{
    wkVec3d u = wkVec((double)d->center[0] - point.x, (double)d->center[1] - point.y,
                      (double)d->center[2] - point.z);
    double square = wkLengthSquared(u), distance = sqrt(square);
    double gap = distance - (double)d->radius, gapSquare = gap * gap;
    double spread = 3.0 * (double)d->spread, area = (double)d->area;
    if (!(gap > 0.0) || !(spread <= tolerance * area * gapSquare)) {
        return false;
    }
    double xx = d->turn[0], yy = d->turn[1];
    double bend = xx * u.x * u.x + yy * u.y * u.y - (xx + yy) * u.z * u.z +
                  2.0 * ((double)d->turn[2] * u.x * u.y + (double)d->turn[3] * u.x * u.z +
                         (double)d->turn[4] * u.y * u.z);
    double first =
        u.x * (double)d->moment[0] + u.y * (double)d->moment[1] + u.z * (double)d->moment[2];
    sum->value += (first * square - 3.0 * bend) / (FOUR_PI * square * square * distance);
    sum->error += (spread + 2.0 * ROUNDING * area * gapSquare) / (FOUR_PI * gapSquare * gapSquare);
    return true;
}

// Winding number with nodes as a whole where the rest of their series is below `tolerance` times
// their solid angle, if all of it were seen from the front; 0: by triangles alone.
static measured measure(const wkMesh* mesh, wkVec3d point, double tolerance)
{
    wkTree tree = wkMeshTree(mesh);
    scaling s = scalingOf(mesh);
    wkVec3d scaled = scalePoint(&s, point);
    const wkDipole* dipoles = wkMeshDipoles(mesh);
    measured sum = {0.0, 0.0};
    turns t = {1.0, 0.0, 0.0};
    uint32_t stack[WK_TREE_MAX_DEPTH * (WK_TREE_WIDTH - 1) + WK_TREE_WIDTH];
    int count = 0;
    stack[count++] = 0;
    while (count > 0) {
        uint32_t node = stack[--count];
        if (tolerance > 0.0 && addDipole(&dipoles[node], scaled, tolerance, &sum)) {
            continue;
        }
        const wkLink* links = wkTreeLinks(&tree, node);
        for (int slot = 0; slot < WK_TREE_WIDTH && links[slot] != WK_LINK_EMPTY; ++slot) {
            wkLink link = links[slot];
            if (!wkIsLeaf(link)) {
                stack[count++] = link;
                continue;
            }
            int32_t first = wkLeafFirst(link), end = first + wkLeafCount(link);
            for (int32_t item = first; item < end; ++item) {
                addTriangle(mesh, point, s.inverse, item, &t);
            }
        }
    }
    sum.value += windingOf(&t);
    return sum;
}

// Whether a winding number is known well enough. That of a closed mesh is a whole number: it is
// enough that no other one is within reach.
static bool isDecided(const wkMesh* mesh, const measured* m)
{
    double whole = rint(m->value);
    return mesh->isClosed ? fabs(m->value - whole) + m->error < 0.9
                          : fabs(fabs(m->value) - 0.5) > m->error;
}

static bool isWithin(const wkAabb* box, wkVec3d p)
{
    return p.x >= box->lower.x && p.x <= box->upper.x && p.y >= box->lower.y &&
           p.y <= box->upper.y && p.z >= box->lower.z && p.z <= box->upper.z;
}

bool wkMeshContains(const void* source, wkVec3d point)
{
    const wkMesh* mesh = (const wkMesh*)source;
    if (mesh->dipoleOffset == 0 || mesh->triangleCount == 0 || !isWithin(&mesh->bounds, point)) {
        return false;
    }
    if (mesh->isClosed) {
        wkColumn column = wkColumnOf(mesh, point);
        wkCrossings count = mesh->kind == wk_volumeAabb ? wkCountCrossingsOfMachine()(mesh, &column)
                                                        : wkCountAnyCrossings(mesh, &column);
        if (!count.isDoubtful) {
            return count.winding != 0;
        }
    }
    static const double tolerances[] = {0.25, 0.05, 0.0};
    measured m = {0.0, 0.0};
    for (int i = 0; i < 3; ++i) {
        m = measure(mesh, point, tolerances[i]);
        if (isDecided(mesh, &m)) {
            break;
        }
    }
    return fabs(m.value) > 0.5;
}
