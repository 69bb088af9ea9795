// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// The depth is the minimum of the support function h of B - A over all unit directions. A direction from a
// first scan of all of them leads downhill to a stationary one; a cap of directions about that certainly
// holds nothing lower (direction_cap.c). The rest of the sphere is split into triangles, each inside a cap
// with a lower bound of h (global_depth_kernel.c). Triangles whose bound stays below the best height are
// split again, and where that finds a lower height, or keeps failing, another descent gives a better height
// or another cap. When no triangle is left the height is proven.

#include "solve/depth_list/depth_list.h"

#include "solve/core_support.h"
#include "solve/depth_list/depth_points.h"
#include "solve/global_depth/direction_cap.h"
#include "solve/global_depth/direction_table.h"
#include "solve/global_depth/global_depth_start.h"

#include <stddef.h>
#include <string.h>

// Capacity for waiting triangles, limit of splits, and capacity for caps.
#define WK_COVER_WAITING 48
#define WK_COVER_ROUNDS 9
#define WK_COVER_CAPS 6

// Rounds that only split.
#define WK_COVER_PATIENCE 3

// Error of single precision, as a share of the scale, and of a unit direction.
#define WK_COVER_MARGIN 1e-5f
#define WK_COVER_SIGN 1e-6f

typedef struct floatVec {
    float x, y, z;
} floatVec;

// Directions in which nothing is lower than the best height: those that reach `level` along the axis.
typedef struct floatCap {
    floatVec axis;
    float level;
} floatCap;

// A triangle on the sphere, and its index in the table of its level.
typedef struct directions {
    floatVec vertex[3];
    int index;
} directions;

typedef struct cover {
    wkSupportSum supportSum;
    wkFloatSupportSum lanes;
    wkStationary best;
    floatCap caps[WK_COVER_CAPS];
    int capCount;
    int waitingCount;
    directions waiting[WK_COVER_WAITING];
    floatVec lowest; // axis of the waiting triangle with the least height ...
    float lowestHeight;
    int visited;
    double inverseScale;
} cover;

static wkDescentStart startAt(floatVec axis)
{
    wkVec3d d = wkVec((double)axis.x, (double)axis.y, (double)axis.z);
    wkDescentStart start = {wkScale(1.0 / wkLength(d), d), {-1, -1}};
    return start;
}

static bool isInCap(const floatCap* cap, const directions* t)
{
    float least = INFINITY;
    for (int i = 0; i < 3; ++i) {
        floatVec v = t->vertex[i];
        float along = cap->axis.x * v.x + cap->axis.y * v.y + cap->axis.z * v.z;
        least = along < least ? along : least;
    }
    return least >= cap->level;
}

// Returns true when no direction of a triangle can be the answer.
static bool isSettled(const cover* c, const directions* t)
{
    bool isSettled = false;
    for (int i = 0; i < c->capCount; ++i) {
        isSettled = isSettled || isInCap(&c->caps[i], t);
    }
    return isSettled;
}

static void addCap(cover* c, wkVec3d axis, double cosine)
{
    floatCap cap = {{(float)axis.x, (float)axis.y, (float)axis.z}, (float)cosine + WK_COVER_SIGN};
    c->caps[c->capCount++] = cap;
}

// Descends from a direction: finds a lower height or another cap.
static bool explore(cover* c, const wkDescentStart* start)
{
    wkStationary found;
    if (c->capCount == WK_COVER_CAPS || !wkDescend(&c->supportSum, start, &found)) {
        return false;
    }
    if (found.height < c->best.height) {
        c->best = found;
    }
    wkDirectionCap cap = wkMakeDirectionCap(&c->supportSum, &found, c->best.height);
    addCap(c, cap.axis, cap.cosine);
    return true;
}

// Adds a triangle to the waiting list; returns false when the list is full.
static bool await(cover* c, const directions* t, floatVec axis, float height)
{
    if (c->waitingCount == WK_COVER_WAITING) {
        return false;
    }
    c->waiting[c->waitingCount++] = *t;
    if (height < c->lowestHeight) {
        c->lowestHeight = height;
        c->lowest = axis;
    }
    return true;
}

static float neededBound(const cover* c)
{
    return (float)(c->best.height * c->inverseScale) + WK_COVER_MARGIN;
}

static floatVec vertexOf(int index)
{
    const float* v = wkDirectionVertex[index];
    floatVec vertex = {v[0], v[1], v[2]};
    return vertex;
}

static floatVec axisOf(const wkFloatCaps* caps, int i)
{
    floatVec axis = {caps->x[i], caps->y[i], caps->z[i]};
    return axis;
}

static directions triangleOf(const wkDirectionLevel* level, int i)
{
    const uint8_t* vertex = level->vertex[i];
    directions t = {{vertexOf(vertex[0]), vertexOf(vertex[1]), vertexOf(vertex[2])}, i};
    return t;
}

// Returns the index of the lowest: eight running minima side by side, then the index of the least of them.
static int findLowest(const float height[WK_DIRECTION_FIRST])
{
    float least[8], all = INFINITY;
    memcpy(least, height, sizeof least);
    for (int i = 8; i < WK_DIRECTION_FIRST; i += 8) {
        for (int k = 0; k < 8; ++k) {
            least[k] = height[i + k] < least[k] ? height[i + k] : least[k];
        }
    }
    for (int k = 0; k < 8; ++k) {
        all = least[k] < all ? least[k] : all;
    }
    int lowest = 0;
    while (lowest < WK_DIRECTION_FIRST - 1 && height[lowest] != all) {
        lowest += 1;
    }
    return lowest;
}

// Evaluates all caps of the first level. Those of a symmetric support sum come in pairs of opposites.
static void searchAround(const cover* c, const wkFloatCaps* caps, wkFloatBounds* out)
{
    if (!c->supportSum.isSymmetric) {
        wkGlobalDepthBoundOfMachine()(&c->lanes, caps, WK_DIRECTION_FIRST, out, NULL);
        return;
    }
    _Alignas(64) float bound[WK_COVER_HALF_PADDED], height[WK_COVER_HALF_PADDED];
    wkFloatBounds opposite = {bound, height};
    wkGlobalDepthBoundOfMachine()(&c->lanes, caps, WK_COVER_HALF_PADDED, out, &opposite);
    memcpy(out->bound + WK_COVER_HALF, bound, WK_COVER_HALF * sizeof *bound);
    memcpy(out->height + WK_COVER_HALF, height, WK_COVER_HALF * sizeof *height);
}

// Runs the first scan of all directions.
static bool coverAll(cover* c)
{
    const wkDirectionLevel* level = &wkDirectionLevels[0];
    _Alignas(64) float bound[WK_DIRECTION_FIRST], height[WK_DIRECTION_FIRST];
    wkFloatBounds out = {bound, height};
    searchAround(c, &level->caps, &out);
    int lowest = findLowest(height);
    wkSeed best = {startAt(axisOf(&level->caps, lowest)),
                   c->supportSum.scale * (double)height[lowest]};
    wkOfferAxes(&c->supportSum, &best);
    if (!explore(c, &best.start)) {
        return false;
    }
    float needed = neededBound(c);
    c->visited = WK_DIRECTION_FIRST;
    for (int i = 0; i < WK_DIRECTION_FIRST; ++i) {
        if (bound[i] >= needed) {
            continue;
        }
        directions t = triangleOf(level, i);
        if (!isSettled(c, &t) && !await(c, &t, axisOf(&level->caps, i), height[i])) {
            return false;
        }
    }
    return true;
}

static floatVec between(floatVec a, floatVec b)
{
    floatVec m = {a.x + b.x, a.y + b.y, a.z + b.z};
    float scale = 1.0f / sqrtf(m.x * m.x + m.y * m.y + m.z * m.z);
    m.x *= scale, m.y *= scale, m.z *= scale;
    return m;
}

// Smaller triangles and the caps around them, as arrays for the SIMD kernel.
typedef struct pieces {
    int count;
    directions triangle[4 * WK_COVER_WAITING];
    _Alignas(64) float x[4 * WK_COVER_WAITING];
    _Alignas(64) float y[4 * WK_COVER_WAITING];
    _Alignas(64) float z[4 * WK_COVER_WAITING];
    _Alignas(64) float sine[4 * WK_COVER_WAITING];
    _Alignas(64) float cosecant[4 * WK_COVER_WAITING];
    _Alignas(64) float versed[4 * WK_COVER_WAITING];
    _Alignas(64) float bound[4 * WK_COVER_WAITING];
    _Alignas(64) float height[4 * WK_COVER_WAITING];
} pieces;

// Adds a triangle of a level beyond the tables; its cap is set later.
static void addPiece(pieces* p, floatVec a, floatVec b, floatVec d)
{
    int i = p->count++;
    directions t = {{a, b, d}, -1};
    p->triangle[i] = t;
    p->x[i] = a.x + b.x + d.x, p->y[i] = a.y + b.y + d.y, p->z[i] = a.z + b.z + d.z;
}

// Sets the caps about the middles of pieces that are no larger than `sine`.
static void setCaps(pieces* p, float sine)
{
    float cosecant = 1.0f / sine, versed = 1.0f / (1.0f + sqrtf(1.0f - sine * sine));
    for (int i = 0; i < p->count; ++i) {
        float scale = 1.0f / sqrtf(p->x[i] * p->x[i] + p->y[i] * p->y[i] + p->z[i] * p->z[i]);
        p->x[i] *= scale, p->y[i] *= scale, p->z[i] *= scale;
        p->sine[i] = sine, p->cosecant[i] = cosecant, p->versed[i] = versed;
    }
}

static void copyFour(float* to, const float* from)
{
    memcpy(to, from, 4 * sizeof *to);
}

// The four parts of a triangle of the first level are in the table.
static void addTablePieces(pieces* p, const directions* t)
{
    const wkDirectionLevel* level = &wkDirectionLevels[1];
    int from = 4 * t->index, i = p->count;
    copyFour(p->x + i, level->caps.x + from), copyFour(p->y + i, level->caps.y + from);
    copyFour(p->z + i, level->caps.z + from), copyFour(p->sine + i, level->caps.sine + from);
    copyFour(p->cosecant + i, level->caps.cosecant + from);
    copyFour(p->versed + i, level->caps.versed + from);
    for (int k = 0; k < 4; ++k) {
        p->triangle[i + k] = triangleOf(level, from + k);
        p->triangle[i + k].index = -1;
    }
    p->count += 4;
}

static void addPieces(pieces* p, const directions* t)
{
    const floatVec* v = t->vertex;
    floatVec ab = between(v[0], v[1]), bc = between(v[1], v[2]), ca = between(v[2], v[0]);
    addPiece(p, v[0], ab, ca);
    addPiece(p, ab, v[1], bc);
    addPiece(p, ca, bc, v[2]);
    addPiece(p, ab, bc, ca);
}

static void cutWaiting(const cover* c, float sine, pieces* p)
{
    p->count = 0;
    for (int i = 0; i < c->waitingCount; ++i) {
        const directions* t = &c->waiting[i];
        if (isSettled(c, t)) {
            continue;
        }
        if (t->index >= 0) {
            addTablePieces(p, t);
        } else {
            addPieces(p, t);
        }
    }
    if (c->waitingCount > 0 && c->waiting[0].index < 0) {
        setCaps(p, sine);
    }
}

// Splits the waiting triangles; returns false when too many are left.
static __attribute__((noinline)) bool coverWaiting(cover* c, float sine)
{
    pieces p;
    cutWaiting(c, sine, &p);
    if (p.count == 0) {
        c->waitingCount = 0;
        return true;
    }
    int padded = (p.count + WK_COVER_GROUP - 1) / WK_COVER_GROUP * WK_COVER_GROUP;
    for (int i = p.count; i < padded; ++i) {
        p.x[i] = p.y[i] = 0.0f, p.z[i] = 1.0f;
        p.sine[i] = p.cosecant[i] = p.versed[i] = 1.0f;
    }
    wkFloatCaps caps = {p.x, p.y, p.z, p.sine, p.cosecant, p.versed};
    wkFloatBounds out = {p.bound, p.height};
    wkGlobalDepthBoundOfMachine()(&c->lanes, &caps, padded, &out, NULL);
    float needed = neededBound(c);
    c->waitingCount = 0;
    c->lowestHeight = INFINITY;
    c->visited += p.count;
    for (int i = 0; i < p.count; ++i) {
        if (p.bound[i] < needed && !isSettled(c, &p.triangle[i]) &&
            !await(c, &p.triangle[i], axisOf(&caps, i), p.height[i])) {
            return false;
        }
    }
    return true;
}

// B - A is a sphere of radius `roundness` swept over a smaller convex set. At a depth less than that the
// origin is outside that set, which has one nearest point: any local minimum is the global one.
static bool isShallow(cover* c)
{
    wkVec3d d = wkGuessWayOut(&c->supportSum);
    if (!(wkSupportSum_Height(&c->supportSum, d) <
          WK_SUPPORT_SUM_SHALLOW * c->supportSum.roundness)) {
        return false;
    }
    wkDescentStart start = {d, {-1, -1}};
    return wkDescend(&c->supportSum, &start, &c->best) && c->best.height < c->supportSum.roundness;
}

static bool answer(const cover* c, const wkPair* pair, wkSolution* out)
{
    out->iterations = c->visited;
    return wkAnswerStationary(pair, &c->best, out);
}

bool wkGlobalDepth(const wkPair* pair, wkSolution* out)
{
    cover c;
    if (!wkMakeSupportSum(pair, &c.supportSum)) {
        return false;
    }
    c.visited = 0;
    if (isShallow(&c)) {
        return answer(&c, pair, out);
    }
    c.inverseScale = 1.0 / c.supportSum.scale;
    wkNarrowSupportSum(&c.supportSum, &c.lanes);
    c.capCount = c.waitingCount = 0;
    c.best.height = INFINITY;
    c.lowestHeight = INFINITY;
    if (c.supportSum.isSymmetric) {
        // half of the directions have a lower mirror image
        addCap(&c, wkNormalizeOr(c.supportSum.way, c.supportSum.way), 0.0);
    }
    if (!coverAll(&c)) {
        return false;
    }
    static const float sines[WK_COVER_ROUNDS] = {0.0f,    0.0952f, 0.0478f, 0.0240f, 0.0121f,
                                                 0.0061f, 0.0031f, 0.0016f, 0.0009f};
    for (int round = 0; c.waitingCount > 0; ++round) {
        bool isLower = c.lowestHeight < neededBound(&c) - 2.0f * WK_COVER_MARGIN;
        if (isLower || round > WK_COVER_PATIENCE) {
            wkDescentStart start = startAt(c.lowest);
            explore(&c, &start);
        }
        if (round == WK_COVER_ROUNDS || !coverWaiting(&c, sines[round])) {
            return false;
        }
    }
    return answer(&c, pair, out);
}
