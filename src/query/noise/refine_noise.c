// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Narrows the probability that one noisy point touches a body. A cube about the point holds nearly all positions
// that it can have. It is cut into boxes, the most probable first, until each is known to touch or to be free, or until
// the number of distances is used up. One axis is the normal at the closest point, and a distance
// decides about a box in two ways: signed distances change by at most half the diagonal, and those of a convex body are
// above every tangent and, within a box, below the highest of its vertices.

#include "query/noise/point_noise.h"

#include <string.h>

// Half the edge of the cube, in deviations: a position is outside with a probability below 8e-12.
#define CUBE_HALF 7.0f
#define CUBE_MISS 8e-12

// Distance of the positions at which normals are compared, in deviations.
#define NORMAL_STEP 2.0

// How much each sphere is larger than the last.
#define FINE_FACTOR 1.5

// Deviation, as a share of the largest coordinate of a body, up to which boxes narrow the bounds.
#define LARGEST_SHARE 2.0

// Boxes that wait. Each cut replaces one by at most two.
#define BOX_CAPACITY 256

// Covers rounding of normals, of diagonals and of positions in a box.
#define ROUNDING_SHARE 1e-9

// Part of the length of a side that counts where the distance does not change along it.
#define LEAST_SHARE 0.02

// Covers what sums of the probabilities of boxes lose to rounding.
#define SUM_ERROR 1e-12

// Longer sides are cut this far from the end that is nearer to the point, where most of the probability is; shorter
// ones are cut in the middle. Floats hold all coordinates without rounding.
#define LONG_SIDE 2.0f
#define FIRST_PART 1.0f

// A box, in deviations from the point along the axes.
typedef struct box {
    float lower[3];
    float upper[3];
    int axis;    // to cut across
    double mass; // upper bound of its probability
} box;

typedef struct refinement {
    const wkNoiseBody* body;
    const wkNoisyPoint* point;
    wkVec3d axes[3];
    int32_t countLeft;   // of distances
    wkProbability found; // of boxes that touch
    double undecided;    // probability of boxes that wait
    int boxCount;
    box boxes[BOX_CAPACITY]; // a heap, the most probable on top
} refinement;

typedef enum side {
    sideFree,
    sideTouching,
    sideBoth
} side;

static wkVec3d positionOf(const refinement* r, const float at[3])
{
    wkVec3d position = r->point->position;
    for (int k = 0; k < 3; ++k) {
        position = wkMulAdd(position, r->point->deviation * (double)at[k], r->axes[k]);
    }
    return position;
}

// Returns how far a position is from touching, in deviations: exact up to `cutoff`.
static double excessAt(refinement* r, const float at[3], double cutoff, wkVec3d* normal)
{
    const wkNoisyPoint* point = r->point;
    double furthest = point->reach + point->slack + cutoff * point->deviation;
    wkPointResult closest = wkNoiseDistance(r->body, positionOf(r, at), furthest);
    r->countLeft -= 1;
    *normal = closest.normal;
    return (closest.distance - point->reach) / point->deviation;
}

// Whether all vertices of a box touch a convex body: then so does everything between them.
static bool doVerticesTouch(refinement* r, const box* b, double slack)
{
    for (int vertex = 0; vertex < 8; ++vertex) {
        float at[3];
        for (int k = 0; k < 3; ++k) {
            at[k] = (vertex >> k & 1) != 0 ? b->upper[k] : b->lower[k];
        }
        wkVec3d normal;
        if (!(excessAt(r, at, 0.0, &normal) + slack < 0.0)) {
            return false;
        }
    }
    return true;
}

// Decides about a box, and across which axis it is cut if it is undecided: the longest, for a convex body the one
// along which the distance changes most.
static side decide(refinement* r, box* b)
{
    double slack = r->point->slack / r->point->deviation;
    double half[3], diagonal = 0.0, extent = 0.0, most = 0.0;
    float center[3];
    for (int k = 0; k < 3; ++k) {
        center[k] = 0.5f * (b->lower[k] + b->upper[k]);
        half[k] = 0.5 * (double)(b->upper[k] - b->lower[k]);
        diagonal += half[k] * half[k];
    }
    diagonal = (1.0 + ROUNDING_SHARE) * sqrt(diagonal);
    wkVec3d normal;
    double excess = excessAt(r, center, 1.01 * diagonal, &normal);
    for (int k = 0; k < 3; ++k) {
        double share = r->body->isConvex ? fabs(wkDot(normal, r->axes[k])) : 1.0;
        double weight = (LEAST_SHARE + share) * half[k];
        extent += (share + ROUNDING_SHARE) * half[k];
        b->axis = weight > most ? k : b->axis;
        most = wkMaxD(most, weight);
    }
    if (excess - slack > (r->body->isConvex ? wkMinD(extent, diagonal) : diagonal)) {
        return sideFree;
    }
    if (excess + slack < -diagonal) {
        return sideTouching;
    }
    bool mayTouch = r->body->isConvex && excess + slack < -extent && r->countLeft >= 8;
    return mayTouch && doVerticesTouch(r, b, slack) ? sideTouching : sideBoth;
}

static wkProbability massOf(const box* b)
{
    wkProbability mass = {1.0, 1.0};
    for (int k = 0; k < 3; ++k) {
        wkProbability slab = wkSlabProbability((double)b->lower[k], (double)b->upper[k]);
        mass.lower *= slab.lower;
        mass.upper *= slab.upper;
    }
    return mass;
}

static void push(refinement* r, const box* added)
{
    int i = r->boxCount++;
    for (; i > 0 && r->boxes[(i - 1) / 2].mass < added->mass; i = (i - 1) / 2) {
        r->boxes[i] = r->boxes[(i - 1) / 2];
    }
    r->boxes[i] = *added;
}

static box pop(refinement* r)
{
    box top = r->boxes[0], last = r->boxes[--r->boxCount];
    int i = 0;
    for (int child = 1; child < r->boxCount; child = 2 * i + 1) {
        child += child + 1 < r->boxCount && r->boxes[child + 1].mass > r->boxes[child].mass;
        if (!(r->boxes[child].mass > last.mass)) {
            break;
        }
        r->boxes[i] = r->boxes[child];
        i = child;
    }
    r->boxes[i] = last;
    return top;
}

// Decides about a box, or lets it wait.
static void take(refinement* r, box* b)
{
    wkProbability mass = massOf(b);
    b->mass = mass.upper;
    side found = decide(r, b);
    if (found == sideTouching) {
        r->found.lower += mass.lower;
        r->found.upper += mass.upper;
    } else if (found == sideBoth) {
        push(r, b);
        r->undecided += mass.upper;
    }
}

static void cut(refinement* r, const box* b)
{
    int axis = b->axis;
    float lower = b->lower[axis], upper = b->upper[axis];
    float at = 0.5f * (lower + upper);
    if (upper - lower > LONG_SIDE && lower * upper >= 0.0f) {
        at = lower >= 0.0f ? lower + FIRST_PART : upper - FIRST_PART;
    }
    box near = *b, far = *b;
    near.upper[axis] = far.lower[axis] = at;
    take(r, &near);
    take(r, &far);
}

// Chooses the axes: one along an edge near the point, where the normal changes least and boxes need not be cut, and one along
// the normal of a face beside it.
static void chooseAxes(const wkNoiseBody* body, const wkNoisyPoint* point, wkVec3d normal,
                       wkVec3d axes[3])
{
    wkVec3d sides[2], changes[2];
    wkTangents(normal, &sides[0], &sides[1]);
    for (int k = 0; k < 2; ++k) {
        double step = NORMAL_STEP * point->deviation;
        wkVec3d ahead = wkMulAdd(point->position, step, sides[k]);
        wkVec3d behind = wkMulSub(point->position, step, sides[k]);
        changes[k] = wkSub(wkNoiseDistance(body, ahead, INFINITY).normal,
                           wkNoiseDistance(body, behind, INFINITY).normal);
    }
    // the larger axis of a symmetric matrix of two rows
    double a = wkDot(sides[0], changes[0]), d = wkDot(sides[1], changes[1]);
    double b = 0.5 * (wkDot(sides[0], changes[1]) + wkDot(sides[1], changes[0]));
    double half = 0.5 * (a - d), root = sqrt(half * half + b * b);
    wkVec3d most = half > 0.0 ? wkAdd(wkScale(half + root, sides[0]), wkScale(b, sides[1]))
                              : wkAdd(wkScale(b, sides[0]), wkScale(root - half, sides[1]));
    most = wkNormalizeOr(most, sides[0]);
    wkVec3d ahead = wkMulAdd(point->position, NORMAL_STEP * point->deviation, most);
    wkVec3d face = wkNormalizeOr(wkNoiseDistance(body, ahead, INFINITY).normal, normal);
    axes[0] = fabs(wkDot(face, most)) < 0.9
                  ? face
                  : normal; // else they would not be exactly at right angles
    axes[2] = wkNormalizeOr(wkCross(axes[0], most), sides[1]);
    axes[1] = wkCross(axes[2], axes[0]);
}

wkProbability wkRefinePointNoise(const wkNoiseBody* body, const wkNoisyPoint* point,
                                 wkProbability known, int32_t count)
{
    // coordinates of boxes are sums with the position: rounding must not matter beside a deviation; and boxes do not become
    // as small as a body that is small beside the noise
    bool isFine = point->deviation > 0.0 && 1e3 * point->slack < point->deviation &&
                  point->deviation <= LARGEST_SHARE * body->coreReach;
    if (!isFine || count <= 0) {
        return known;
    }
    refinement r;
    r.body = body;
    r.point = point;
    r.countLeft = count;
    r.found = (wkProbability){0.0, 0.0};
    r.undecided = 0.0;
    r.boxCount = 0;
    wkPointResult closest = wkNoiseDistance(body, point->position, INFINITY);
    known = wkBoundSphereNoise(body, point, &closest, FINE_FACTOR, known);
    chooseAxes(body, point, closest.normal, r.axes);
    if (body->isConvex) {
        wkVec3d across = wkNormalizeOr(wkCross(closest.normal, r.axes[2]), r.axes[1]);
        known.upper = wkMinD(known.upper, wkWedgeNoise(body, point, across));
    }
    const float h = CUBE_HALF;
    box all = {{-h, -h, -h}, {h, h, h}, 0, 1.0};
    take(&r, &all);
    while (r.boxCount > 0 && r.boxCount + 2 <= BOX_CAPACITY && r.countLeft > 0) {
        box top = pop(&r);
        r.undecided -= top.mass;
        cut(&r, &top);
    }
    known.lower = wkMaxD(known.lower, r.found.lower - SUM_ERROR);
    known.upper = wkMinD(known.upper, r.found.upper + r.undecided + CUBE_MISS + SUM_ERROR);
    return known;
}
