// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Rectangles swept by a sphere (Larsen, Gottschalk, Lin, Manocha 2000), stored in 40 bytes.
//
// Their distance: half the square of the distance from a point of one rectangle to the other is a
// convex function of its two coordinates, made of pieces of a quadratic. Newton's method with the
// bounds of the rectangle finds its minimum in two or three steps, and every step gives a lower
// bound: the gap between the rectangles along the direction it has found.

#include "bv/rss.h"

#include "bv/volume_rows.h"

// The sphere is this much larger than half the thinnest extent.
#define ROUNDER 1.1

// Limit of search steps. The bound is valid wherever the search stops.
#define MAX_STEPS 8

// The search ends when the bound is this close to the distance, as a share of the distance.
#define CLOSE_ENOUGH 1e-2

// Added to the diagonal of a quadratic, which is flat along a line when planes face each other.
#define FLAT_FLOOR 1e-9

typedef struct wkRssVolume {
    wkPackedQuat packedQuat;
    wkRectPart rect;
} wkRssVolume;

_Static_assert(sizeof(wkRssVolume) == WK_RSS_BYTES, "the table knows the size");

// A rectangle in the plane of the first two axes, relative to the origin of the extents.
typedef struct flatRect {
    double lower[2], upper[2];
} flatRect;

// Returns how far a sphere may lie sideways from the rectangle below it.
static double sideReach(double radius, double height, double sphereRadius)
{
    double spare = radius - sphereRadius;
    return sqrt(wkPositive(spare * spare - height * height));
}

// Returns the smallest rectangle that leaves each sphere within its limit along both axes.
static flatRect shrinkRect(const wkSpheres* spheres, const wkMat3d* axes, const wkExtents* extents,
                           double middle, double radius)
{
    flatRect rect = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    for (int32_t i = 0; i < spheres->count; ++i) {
        wkVec3d p = wkMulTMV(axes, wkSub(spheres->points[i], extents->origin));
        double reach = sideReach(radius, p.z - middle, wkSphereRadius(spheres, i));
        rect.lower[0] = wkMinD(rect.lower[0], p.x + reach);
        rect.lower[1] = wkMinD(rect.lower[1], p.y + reach);
        rect.upper[0] = wkMaxD(rect.upper[0], p.x - reach);
        rect.upper[1] = wkMaxD(rect.upper[1], p.y - reach);
    }
    // every position between crossed ends satisfies all spheres
    for (int k = 0; k < 2; ++k) {
        if (rect.lower[k] > rect.upper[k]) {
            rect.lower[k] = rect.upper[k] = 0.5 * (rect.lower[k] + rect.upper[k]);
        }
    }
    return rect;
}

// Moves the nearest vertex outward along the diagonal for each sphere that is too far from a vertex.
static void stretchVertices(const wkSpheres* spheres, const wkMat3d* axes, const wkExtents* extents,
                            double middle, double radius, flatRect* rect)
{
    for (int32_t i = 0; i < spheres->count; ++i) {
        wkVec3d p = wkMulTMV(axes, wkSub(spheres->points[i], extents->origin));
        double beyondX = wkMaxD(rect->lower[0] - p.x, p.x - rect->upper[0]);
        double beyondY = wkMaxD(rect->lower[1] - p.y, p.y - rect->upper[1]);
        if (WK_LIKELY(!(wkMinD(beyondX, beyondY) > 0.0))) {
            continue;
        }
        double reach = sideReach(radius, p.z - middle, wkSphereRadius(spheres, i));
        if (beyondX * beyondX + beyondY * beyondY <= reach * reach) {
            continue;
        }
        // (beyondX - step)^2 + (beyondY - step)^2 = reach^2
        double aside = 0.5 * (beyondX - beyondY);
        double step =
            0.5 * (beyondX + beyondY) - sqrt(wkPositive(0.5 * reach * reach - aside * aside));
        if (p.x < rect->lower[0]) {
            rect->lower[0] -= step;
        } else {
            rect->upper[0] += step;
        }
        if (p.y < rect->lower[1]) {
            rect->lower[1] -= step;
        } else {
            rect->upper[1] += step;
        }
    }
}

// Returns the radius that encloses all spheres for the stored rectangle.
static double radiusAround(const wkSpheres* spheres, const wkMat3d* axes, const wkRectPart* rect)
{
    wkVec3d center = wkVecFromFloats(rect->center);
    double halfX = (double)rect->half[0], halfY = (double)rect->half[1];
    double squared[2] = {0.0, 0.0}, coordinate = 0.0;
    for (int32_t i = 0; i < spheres->count; ++i) {
        wkVec3d p = wkMulTMV(axes, wkSub(spheres->points[i], center));
        wkVec3d beyond = wkVec(wkPositive(fabs(p.x) - halfX), wkPositive(fabs(p.y) - halfY), p.z);
        int group = i >= spheres->split;
        squared[group] = wkMaxD(squared[group], wkLengthSquared(beyond));
        // where squares underflow the range of double
        coordinate = wkMaxD(coordinate, wkMaxAbs(beyond));
    }
    double first = sqrt(squared[0]) + spheres->radius[0];
    double second = spheres->split < spheres->count ? sqrt(squared[1]) + spheres->radius[1] : 0.0;
    double slack = WK_VOLUME_SLACK * (halfX + halfY + coordinate);
    return wkMaxD(wkMaxD(first, second), coordinate) + slack;
}

wkRectPart wkFitRectPart(const wkSpheres* spheres, const wkMat3d* axes, const wkExtents* extents)
{
    double middle = 0.5 * (extents->lower.z + extents->upper.z);
    // a little rounder than the thinnest extent requires: the ends of a box then fit better
    double radius = ROUNDER * 0.5 * (extents->upper.z - extents->lower.z);
    flatRect flat = shrinkRect(spheres, axes, extents, middle, radius);
    stretchVertices(spheres, axes, extents, middle, radius, &flat);

    wkVec3d center =
        wkVec(0.5 * (flat.lower[0] + flat.upper[0]), 0.5 * (flat.lower[1] + flat.upper[1]), middle);
    wkRectPart rect;
    wkNearestFloats(wkAdd(extents->origin, wkMulMV(axes, center)), rect.center);
    rect.half[0] = (float)(0.5 * (flat.upper[0] - flat.lower[0]));
    rect.half[1] = (float)(0.5 * (flat.upper[1] - flat.lower[1]));
    rect.radius = wkRoundUp(radiusAround(spheres, axes, &rect));
    return rect;
}

void wkRectVertices(const wkRectPart* rect, const wkMat3d* axes, wkVec3d vertices[4])
{
    wkVec3d center = wkVecFromFloats(rect->center);
    wkVec3d x = wkScale((double)rect->half[0], axes->x),
            y = wkScale((double)rect->half[1], axes->y);
    vertices[0] = wkAdd(center, wkAdd(x, y));
    vertices[1] = wkAdd(center, wkSub(x, y));
    vertices[2] = wkSub(center, wkAdd(x, y));
    vertices[3] = wkSub(center, wkSub(x, y));
}

static wkRssVolume fitSpheres(const wkSpheres* spheres, const wkMat3d* axes)
{
    wkExtents extents = wkMeasureExtents(spheres, axes);
    wkMat3d sorted = wkSortAxes(axes, &extents);
    wkRssVolume rss = {.packedQuat = wkMakePackedQuat(&sorted)};
    wkMat3d rotated = wkPackedQuatAxes(rss.packedQuat);
    extents = wkMeasureExtents(spheres, &rotated);
    rss.rect = wkFitRectPart(spheres, &rotated, &extents);
    return rss;
}

void wkFitRss(const wkVec3d* points, int32_t count, const wkMat3d* axes, void* volume)
{
    wkSpheres spheres = wkPointSpheres(points, count);
    *(wkRssVolume*)volume = fitSpheres(&spheres, axes);
}

// Surface of the enclosing box, used in place of that of the volume.
static double surface(const wkRssVolume* rss)
{
    wkVec3d half = wkRectReach(&rss->rect);
    return half.x * half.y + half.y * half.z + half.z * half.x;
}

void wkMergeRss(const void* a, const void* b, void* merged)
{
    const wkRssVolume* first = a;
    const wkRssVolume* second = b;
    const wkMat3d axes[2] = {wkPackedQuatAxes(first->packedQuat),
                             wkPackedQuatAxes(second->packedQuat)};
    wkVec3d vertices[8];
    wkRectVertices(&first->rect, &axes[0], vertices);
    wkRectVertices(&second->rect, &axes[1], vertices + 4);
    double slackA = WK_VOLUME_SLACK * wkSumAbs(vertices[0]);
    double slackB = WK_VOLUME_SLACK * wkSumAbs(vertices[4]);
    wkSpheres spheres = {vertices, 8, 4, {0.0, 0.0}};
    spheres.radius[0] = (double)first->rect.radius + slackA;
    spheres.radius[1] = (double)second->rect.radius + slackB;

    // choose the smallest volume along the axes of either, or those of all vertices
    const wkMat3d choices[3] = {axes[0], axes[1], wkSpreadAxes(vertices, 8)};
    wkRssVolume best = fitSpheres(&spheres, &choices[0]);
    for (int i = 1; i < 3; ++i) {
        wkRssVolume candidate = fitSpheres(&spheres, &choices[i]);
        best = surface(&candidate) < surface(&best) ? candidate : best;
    }
    *(wkRssVolume*)merged = best;
}

wkObb wkBoxOfRss(const void* volume)
{
    const wkRssVolume* rss = volume;
    wkObb box = {{wkPackedQuatAxes(rss->packedQuat), wkVecFromFloats(rss->rect.center)},
                 wkRectReach(&rss->rect)};
    return box;
}

double wkSizeOfRss(const void* volume)
{
    return 2.0 * wkMaxAbs(wkRectReach(&((const wkRssVolume*)volume)->rect));
}

// Moves (u, v) to the minimum of the quadratic with this gradient and these second derivatives at (u, v),
// within a rectangle about the origin.
static void stepInRect(double* u, double* v, double halfU, double halfV, double gradientU,
                       double gradientV, double uu, double uv, double vv)
{
    // reciprocals first: three at a time take as long as one
    double inverseU = 1.0 / uu, inverseV = 1.0 / vv, inverseBoth = 1.0 / (uu * vv - uv * uv);
    double fromU = *u, fromV = *v;
    double freeU = fromU + (uv * gradientV - vv * gradientU) * inverseBoth;
    double newU = wkClamp(freeU, -halfU, halfU);
    // the best v for that u, and the best u for that v: with two unknowns no third round is needed
    double newV = fromV - (gradientV + uv * (newU - fromU)) * inverseV;
    *v = wkClamp(newV, -halfV, halfV);
    *u = wkClamp(fromU - (gradientU + uv * (*v - fromV)) * inverseU, -halfU, halfU);
}

// Returns the vector from A to B at the end of the search for the closest points of two rectangles.
static wkVec3d shortestWay(const wkFrame* bInA, const double halfA[2], const double halfB[2],
                           double radii)
{
    wkVec3d p = bInA->position, x = bInA->rotation.x, y = bInA->rotation.y;
    double u = wkClamp(p.x, -halfA[0], halfA[0]), v = wkClamp(p.y, -halfA[1], halfA[1]);
    for (int step = 0;; ++step) {
        // from the point (u, v) of A to the nearest point of B
        wkVec3d away = wkVec(u - p.x, v - p.y, -p.z);
        double s = wkDot(away, x), t = wkDot(away, y);
        double nearS = wkClamp(s, -halfB[0], halfB[0]), nearT = wkClamp(t, -halfB[1], halfB[1]);
        wkVec3d way = wkSub(wkMulAdd(wkScale(nearS, x), nearT, y), away);

        // B begins there along this direction, but A may reach further than (u, v) by `lost`
        double lost = halfA[0] * fabs(way.x) - u * way.x + halfA[1] * fabs(way.y) - v * way.y;
        double margin = wkLengthSquared(way) - radii * radii;
        if (!(lost > 0.5 * CLOSE_ENOUGH * margin) || !(margin > 0.0) || step == MAX_STEPS) {
            return way;
        }
        double freeS = nearS == s ? 1.0 : 0.0, freeT = nearT == t ? 1.0 : 0.0;
        double uu = 1.0 + FLAT_FLOOR - freeS * x.x * x.x - freeT * y.x * y.x;
        double uv = -(freeS * x.x * x.y + freeT * y.x * y.y);
        double vv = 1.0 + FLAT_FLOOR - freeS * x.y * x.y - freeT * y.y * y.y;
        stepInRect(&u, &v, halfA[0], halfA[1], -way.x, -way.y, uu, uv, vv);
    }
}

double wkRectGap(const wkFrame* bInA, const wkRectPart* a, const wkRectPart* b)
{
    const double halfA[2] = {(double)a->half[0], (double)a->half[1]};
    const double halfB[2] = {(double)b->half[0], (double)b->half[1]};
    double radii = (double)a->radius + (double)b->radius;
    wkVec3d way = shortestWay(bInA, halfA, halfB, radii);

    // the gap along the direction: a valid bound whatever its rounding error and length
    double reach = halfA[0] * fabs(way.x) + halfA[1] * fabs(way.y) +
                   halfB[0] * fabs(wkDot(way, bInA->rotation.x)) +
                   halfB[1] * fabs(wkDot(way, bInA->rotation.y));
    double gap = (wkDot(way, bInA->position) - reach) / wkLength(way);
    double size = wkSumAbs(bInA->position) + halfA[0] + halfA[1] + halfB[0] + halfB[1] + radii;
    return wkPositive(gap - radii - WK_VOLUME_SLACK * size);
}

double wkGapRss(const wkFrame* bInA, const void* a, const void* b)
{
    const wkRssVolume* first = a;
    const wkRssVolume* second = b;
    wkMat3d axesA = wkPackedQuatAxes(first->packedQuat),
            axesB = wkPackedQuatAxes(second->packedQuat);
    wkVec3d centerA = wkVecFromFloats(first->rect.center);
    wkVec3d centerB = wkVecFromFloats(second->rect.center);
    wkFrame between = wkFrameBetween(bInA, &axesA, centerA, &axesB, centerB);
    double lost =
        WK_VOLUME_SLACK * (wkSumAbs(bInA->position) + wkSumAbs(centerA) + wkSumAbs(centerB));
    return wkPositive(wkRectGap(&between, &first->rect, &second->rect) - lost);
}
