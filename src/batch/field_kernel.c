// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds on the distance between boxes and eight cubes at a time, planes below these distances, and look-ups
// of the resulting cells.
//
// Along an axis of the box, a cube extends from its center by the sum of the projections of its half edges.
// So no point of it is nearer along that axis than its center less that extent, nor further than its center
// plus that extent, and the three axes add up like coordinates. For boxes that are not rotated this is
// exact.
//
// Written for lanes: eight lanes hold the cubes about a point, and where cells are looked up lanes hold spheres.

#include "batch/field_kernel.h"
#include "batch/field_build.h"
#include "simd/eight.h"

#include <float.h>
#include <math.h>

// Half the diagonal of a cube of edge 2, rounded up.
#define SQRT3 1.7320509f

// Bounds for eight cubes, two along each axis.
typedef struct eightBounds {
    wkEight lower;
    wkEight upper;
} eightBounds;

// Computes the centers of eight cubes about a point.
WK_FORCE_FN void placeEight(const wkFieldCubes* cubes, wkEight position[3])
{
    static const _Alignas(32) float sides[3][WK_FIELD_EIGHT] = {
        {-0.5f, 0.5f, -0.5f, 0.5f, -0.5f, 0.5f, -0.5f, 0.5f},
        {-0.5f, -0.5f, 0.5f, 0.5f, -0.5f, -0.5f, 0.5f, 0.5f},
        {-0.5f, -0.5f, -0.5f, -0.5f, 0.5f, 0.5f, 0.5f, 0.5f},
    };
    for (int axis = 0; axis < 3; ++axis) {
        position[axis] = wkAdd8(wkMul8(wkLoad8(sides[axis]), wkSplat8(cubes->edge)),
                                wkSplat8(cubes->center[axis]));
    }
}

WK_FORCE_FN eightBounds boundEight(const wkFieldBox* box, const wkEight position[3], float halfEdge)
{
    wkEight zero = wkSplat8(0.0f), way[3];
    for (int axis = 0; axis < 3; ++axis) {
        way[axis] = wkSub8(position[axis], wkSplat8(box->center[axis]));
    }
    wkEight near = zero, far = zero, nearest = wkSplat8(-FLT_MAX), furthest = nearest;
    for (int k = 0; k < 3; ++k) {
        wkEight along = wkAdd8(wkAdd8(wkMul8(way[0], wkSplat8(box->row[0][k])),
                                      wkMul8(way[1], wkSplat8(box->row[1][k]))),
                               wkMul8(way[2], wkSplat8(box->row[2][k])));
        float reach =
            (fabsf(box->row[0][k]) + fabsf(box->row[1][k]) + fabsf(box->row[2][k])) * halfEdge;
        wkEight beyond = wkSub8(wkAbs8(along), wkSplat8(box->row[k][3]));
        wkEight least = wkSub8(beyond, wkSplat8(reach)), most = wkAdd8(beyond, wkSplat8(reach));
        nearest = wkMax8(nearest, least);
        furthest = wkMax8(furthest, most);
        least = wkMax8(least, zero);
        most = wkMax8(most, zero);
        near = wkAdd8(near, wkMul8(least, least));
        far = wkAdd8(far, wkMul8(most, most));
    }
    wkEight sphere = wkSplat8(box->sphere);
    eightBounds bounds = {wkSub8(wkAdd8(wkSqrt8(near), wkMin8(nearest, zero)), sphere),
                          wkSub8(wkAdd8(wkSqrt8(far), wkMin8(furthest, zero)), sphere)};
    return bounds;
}

static void boundBoxes(const wkFieldBox* boxes, const int32_t* objects, int32_t count,
                       const wkFieldCubes* cubes, wkEightBounds* bounds)
{
    wkEight position[3];
    placeEight(cubes, position);
    for (int32_t i = 0; i < count; ++i) {
        eightBounds found = boundEight(&boxes[objects[i]], position, cubes->half);
        wkStore8(bounds[i].lower, found.lower);
        wkStore8(bounds[i].upper, found.upper);
    }
}

// Computes the distance and its gradient in the middle of eight cubes. Inside the core the gradient is set
// longer than any other: no plane through such a point is of use.
WK_FORCE_FN void planeEight(const wkFieldBox* box, const wkEight position[3], wkEightPlane* plane)
{
    wkEight zero = wkSplat8(0.0f), way[3], out[3], square = zero, deepest = wkSplat8(-FLT_MAX);
    for (int axis = 0; axis < 3; ++axis) {
        way[axis] = wkSub8(position[axis], wkSplat8(box->center[axis]));
    }
    for (int k = 0; k < 3; ++k) {
        wkEight along = wkAdd8(wkAdd8(wkMul8(way[0], wkSplat8(box->row[0][k])),
                                      wkMul8(way[1], wkSplat8(box->row[1][k]))),
                               wkMul8(way[2], wkSplat8(box->row[2][k])));
        wkEight beyond = wkSub8(wkAbs8(along), wkSplat8(box->row[k][3]));
        wkEight length = wkMax8(beyond, zero);
        deepest = wkMax8(deepest, beyond);
        square = wkAdd8(square, wkMul8(length, length));
        out[k] = wkPickGreater8(along, zero, length, wkSub8(zero, length));
    }
    wkEight distance = wkSqrt8(square);
    wkEight inverse = wkDiv8(wkSplat8(1.0f), wkMax8(distance, wkSplat8(FLT_MIN)));
    for (int k = 0; k < 3; ++k) {
        out[k] = wkPickGreater8(square, zero, wkMul8(out[k], inverse), wkSplat8(4.0f));
    }
    for (int axis = 0; axis < 3; ++axis) {
        wkStore8(plane->gradient[axis], wkAdd8(wkAdd8(wkMul8(out[0], wkSplat8(box->row[axis][0])),
                                                      wkMul8(out[1], wkSplat8(box->row[axis][1]))),
                                               wkMul8(out[2], wkSplat8(box->row[axis][2]))));
    }
    wkStore8(plane->distance,
             wkSub8(wkAdd8(distance, wkMin8(deepest, zero)), wkSplat8(box->sphere)));
    wkStore8(plane->core, distance);
}

static void planeBoxes(const wkFieldBox* boxes, const int32_t* objects, int32_t count,
                       const wkFieldCubes* cubes, wkEightPlane* planes)
{
    wkEight position[3];
    placeEight(cubes, position);
    for (int32_t i = 0; i < count; ++i) {
        planeEight(&boxes[objects[i]], position, &planes[i]);
    }
}

// Rounds a slope to the nearest whole number, by adding and subtracting a large float.
WK_FORCE_FN wkEight roundSlope(wkEight slope)
{
    wkEight most = wkSplat8((float)WK_FIELD_STEEPEST), large = wkSplat8(0x1.8p23f);
    slope = wkMul8(slope, wkSplat8((float)(WK_FIELD_STEEPEST + 1)));
    slope = wkMax8(wkMin8(slope, most), wkSub8(wkSplat8(0.0f), most));
    return wkSub8(wkAdd8(slope, large), large);
}

// Returns the difference of the gradients of two planes, summed over the axes.
WK_FORCE_FN wkEight differenceOf(const wkEightPlane* plane, const wkEight slope[3])
{
    wkEight sum = wkAbs8(wkSub8(wkLoad8(plane->gradient[0]), slope[0]));
    sum = wkAdd8(sum, wkAbs8(wkSub8(wkLoad8(plane->gradient[1]), slope[1])));
    return wkAdd8(sum, wkAbs8(wkSub8(wkLoad8(plane->gradient[2]), slope[2])));
}

// The nearest of several planes, in each lane.
typedef struct nearestPlane {
    wkEight distance;
    wkEight core;
    wkEight slope[3];
} nearestPlane;

WK_FORCE_FN nearestPlane findNearest(const wkEightPlane* planes, int32_t count)
{
    wkEight zero = wkSplat8(0.0f), far = wkSplat8(FLT_MAX);
    nearestPlane nearest = {far, far, {zero, zero, zero}};
    for (int32_t i = 0; i < count; ++i) {
        wkEight distance = wkLoad8(planes[i].distance);
        for (int axis = 0; axis < 3; ++axis) {
            nearest.slope[axis] = wkPickGreater8(
                nearest.distance, distance, wkLoad8(planes[i].gradient[axis]), nearest.slope[axis]);
        }
        nearest.core =
            wkPickGreater8(nearest.distance, distance, wkLoad8(planes[i].core), nearest.core);
        nearest.distance = wkMin8(nearest.distance, distance);
    }
    return nearest;
}

// Bounds from above, for the whole cube, the distance of the nearest object over a plane with that slope.
// From its closest point on the core, which is fixed, the squared distance grows with the squared way:
// the distance is at most way^2 / (2 core) above its own tangent.
WK_FORCE_FN wkEight heightOf(const nearestPlane* nearest, const wkEight slope[3], wkEight half)
{
    wkEight off = wkAbs8(wkSub8(nearest->slope[0], slope[0])), steep = wkAbs8(slope[0]);
    for (int axis = 1; axis < 3; ++axis) {
        off = wkAdd8(off, wkAbs8(wkSub8(nearest->slope[axis], slope[axis])));
        steep = wkAdd8(steep, wkAbs8(slope[axis]));
    }
    wkEight core = wkMax8(nearest->core, wkSplat8(FLT_MIN));
    wkEight bent = wkDiv8(wkMul8(wkSplat8(1.5f), wkMul8(half, half)), core);
    wkEight byTangent = wkAdd8(bent, wkMul8(half, off));
    wkEight byWay = wkMul8(half, wkAdd8(wkSplat8(SQRT3), steep));
    return wkAdd8(nearest->distance, wkMin8(byTangent, byWay));
}

// Steps of the search for a slope. Each step goes a smaller part of the way to the slope of the limiting
// tangent.
#define SLOPE_STEPS 3

// Returns the value in the middle of a plane with that slope below several tangents, and the slope of the
// limiting tangent.
WK_FORCE_FN wkEight lowerToAll(const wkEightPlane* planes, int32_t count, wkEight half,
                               const wkEight slope[3], wkEight lowest, wkEight binding[3])
{
    for (int32_t i = 0; i < count; ++i) {
        wkEight height =
            wkSub8(wkLoad8(planes[i].distance), wkMul8(half, differenceOf(&planes[i], slope)));
        for (int axis = 0; axis < 3; ++axis) {
            binding[axis] =
                wkPickGreater8(lowest, height, wkLoad8(planes[i].gradient[axis]), binding[axis]);
        }
        lowest = wkMin8(lowest, height);
    }
    return lowest;
}

WK_FORCE_FN wkEight steepnessOf(const wkEight slope[3])
{
    return wkAdd8(wkAdd8(wkAbs8(slope[0]), wkAbs8(slope[1])), wkAbs8(slope[2]));
}

// Fits a high plane below the tangents: starts with the slope of the nearest tangent, and moves it towards
// those of the limiting tangents. Objects without a tangent have one bound for the whole cube.
static void fitPlanes(const wkEightPlane* planes, int32_t count, float halfEdge,
                      const wkEightBounds* others, wkFittedPlane* fitted)
{
    wkEight zero = wkSplat8(0.0f), half = wkSplat8(halfEdge);
    wkEight share = wkSplat8(1.0f / (float)(WK_FIELD_STEEPEST + 1));
    wkEight highest = wkSplat8(-FLT_MAX), best[3] = {zero, zero, zero}, slope[3];
    nearestPlane nearest = findNearest(planes, count);
    for (int axis = 0; axis < 3; ++axis) {
        slope[axis] = wkPickGreater8(nearest.core, zero, nearest.slope[axis], zero);
    }
    int steps = count > 1 || others->lower[0] < FLT_MAX ? SLOPE_STEPS : 1;
    for (int step = 0; step < steps; ++step) {
        wkEight whole[3], rounded[3], binding[3] = {zero, zero, zero};
        for (int axis = 0; axis < 3; ++axis) {
            whole[axis] = roundSlope(slope[axis]);
            rounded[axis] = wkMul8(whole[axis], share);
        }
        wkEight lowest = wkSub8(wkLoad8(others->lower), wkMul8(half, steepnessOf(rounded)));
        lowest = lowerToAll(planes, count, half, rounded, lowest, binding);
        wkEight rotation = wkSplat8(1.0f / (float)(step + 2));
        for (int axis = 0; axis < 3; ++axis) {
            best[axis] = wkPickGreater8(lowest, highest, whole[axis], best[axis]);
            slope[axis] = wkAdd8(slope[axis], wkMul8(rotation, wkSub8(binding[axis], slope[axis])));
        }
        highest = wkMax8(highest, lowest);
    }
    for (int axis = 0; axis < 3; ++axis) {
        wkStore8(fitted->slope[axis], best[axis]);
        slope[axis] = wkMul8(best[axis], share);
    }
    wkEight above = wkAdd8(wkLoad8(others->upper), wkMul8(half, steepnessOf(slope)));
    wkStore8(fitted->lower, highest);
    wkStore8(fitted->upper, wkMin8(heightOf(&nearest, slope, half), above));
    wkEight anywhere = wkAdd8(nearest.distance, wkMul8(half, wkSplat8(SQRT3)));
    wkStore8(fitted->most, wkMin8(anywhere, wkLoad8(others->upper)));
}

// An object matters in a cube unless it is beyond the limit, or above the upper bound of the nearest there.
static void selectParts(wkEightPlane* planes, int32_t count, float halfEdge, float* limit,
                        uint8_t* masks)
{
    wkEight half = wkSplat8(halfEdge), zero = wkSplat8(0.0f), known = wkLoad8(limit);
    const wkEight level[3] = {zero, zero, zero};
    nearestPlane nearest = findNearest(planes, count);
    // a plane above the nearest distance; a flat one where the middle is inside the core
    wkEight slope[3];
    for (int axis = 0; axis < 3; ++axis) {
        slope[axis] = wkPickGreater8(nearest.core, zero, nearest.slope[axis], zero);
    }
    wkEight top = heightOf(&nearest, slope, half);
    for (int32_t i = 0; i < count; ++i) {
        wkEight distance = wkLoad8(planes[i].distance);
        wkEight lowest = wkSub8(distance, wkMul8(half, differenceOf(&planes[i], level)));
        wkEight above = wkSub8(distance, wkMul8(half, differenceOf(&planes[i], slope)));
        masks[i] = (uint8_t)(wkNotAbove8(lowest, known) & wkNotAbove8(above, top));
        wkStore8(planes[i].lowest, lowest);
    }
    wkEight anywhere = wkAdd8(nearest.distance, wkMul8(half, wkSplat8(SQRT3)));
    wkStore8(limit, wkMin8(known, anywhere));
}

static void check(const wkFieldGrid* grid, const wkFieldSpheres* spheres, int32_t count,
                  uint64_t* open, uint64_t* touching)
{
    for (int32_t word = 0; word < count / 64; ++word) {
        open[word] = touching[word] = 0;
        for (int32_t i = 0; i < 64; i += WK_FLOAT_LANES) {
            int32_t k = 64 * word + i;
            wkFieldBits bits = wkCheckField(grid, wkLoadF(&spheres->x[k]), wkLoadF(&spheres->y[k]),
                                            wkLoadF(&spheres->z[k]), wkLoadF(&spheres->radius[k]));
            open[word] |= (uint64_t)bits.open << i;
            touching[word] |= (uint64_t)bits.touching << i;
        }
    }
}

extern const wkFieldLanes WK_KERNEL(wkFieldLanes);
const wkFieldLanes WK_KERNEL(wkFieldLanes) = {boundBoxes, planeBoxes, fitPlanes, selectParts,
                                              check};
