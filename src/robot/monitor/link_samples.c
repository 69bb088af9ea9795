// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Each triangle of the tessellated surface is halved across its longest edge until the smallest circle around a part
// is no larger than wanted. The sphere about that circle, enlarged by the slack of the tessellation, covers the part of
// the surface that the triangle stands for. Cells move the centre of the sphere to that of their cube, and enlarge it by
// the distance.

#include "robot/monitor/link_samples.h"

#include "base/error.h"
#include "base/memory.h"
#include "math/round.h"
#include "query/pair/shape_class.h"

#include <string.h>

// Circles around parts, as a share of the resolution. A point of a surface is then within the resolution of a sample
// after thinning, see robot_cloud.c.
#define PART_SHARE 0.25
// Not less than half of that where the tessellation is coarse.
#define LEAST_PART_SHARE 0.125

// Halves on the way to a part: edges of 1e5 m become 1e-5 m.
#define MAX_HALVES 80

// Rounding of circles and of positions in double precision, as a share of the largest coordinate.
#define SAMPLE_ROUNDING 1e-12

typedef struct circle {
    wkVec3d center;
    double radius;
} circle;

typedef struct part {
    wkVec3d vertices[3];
} part;

typedef struct sampler {
    wkTessellationSink sink; // first: the tessellation passes it back
    const wkSampleRule* rule;
    wkPose pose; // of the body in the frame of the link
    wkLinkSamples* samples;
    bool isTooMany;
} sampler;

static bool grow(wkLinkSamples* samples)
{
    int32_t capacity = samples->capacity > 0 ? 2 * samples->capacity : 1024;
    wkLinkSample* grown = wkAlloc((size_t)capacity * sizeof *grown);
    if (grown == NULL) {
        return false;
    }
    if (samples->count > 0) {
        memcpy(grown, samples->samples, (size_t)samples->count * sizeof *grown);
    }
    wkFree(samples->samples, (size_t)samples->capacity * sizeof *grown);
    samples->samples = grown;
    samples->capacity = capacity;
    return true;
}

void wkFreeLinkSamples(wkLinkSamples* samples)
{
    wkFree(samples->samples, (size_t)samples->capacity * sizeof *samples->samples);
    *samples = (wkLinkSamples){NULL, 0, 0};
}

static wkVec3d centerOfCell(wkVec3d point, double edge)
{
    wkVec3d center = {(floor(point.x / edge) + 0.5) * edge, (floor(point.y / edge) + 0.5) * edge,
                      (floor(point.z / edge) + 0.5) * edge};
    return center;
}

// Adds a sphere that covers a part of the surface.
static bool addSample(sampler* s, wkVec3d center, double radius)
{
    wkLinkSamples* samples = s->samples;
    wkVec3d at =
        s->rule->kind == wk_robotCloudCells ? centerOfCell(center, s->rule->resolution) : center;
    wkLinkSample sample = {(float)at.x, (float)at.y, (float)at.z, 0.0f};
    wkVec3d stored = {(double)sample.x, (double)sample.y, (double)sample.z};
    double reach = radius + wkLength(wkSub(stored, center));
    sample.radius = wkRoundUp(reach + SAMPLE_ROUNDING * (wkMaxAbs(center) + reach));
    wkLinkSample* last = samples->count > 0 ? &samples->samples[samples->count - 1] : NULL;
    if (last != NULL && last->x == sample.x && last->y == sample.y && last->z == sample.z) {
        last->radius = sample.radius > last->radius ? sample.radius : last->radius;
        return true;
    }
    s->isTooMany = samples->count == s->rule->maxCount;
    if (s->isTooMany || (samples->count == samples->capacity && !grow(samples))) {
        return false;
    }
    samples->samples[samples->count++] = sample;
    return true;
}

// The vertex opposite of the longest edge, and the square of that edge.
static int apexOf(const part* p, double* longest)
{
    int apex = 0;
    *longest = -1.0;
    for (int i = 0; i < 3; ++i) {
        wkVec3d edge = wkSub(p->vertices[(i + 2) % 3], p->vertices[(i + 1) % 3]);
        double square = wkDot(edge, edge);
        apex = square > *longest ? i : apex;
        *longest = square > *longest ? square : *longest;
    }
    return apex;
}

// The smallest circle around a triangle: about the middle of its longest edge, or the circumcircle where the triangle
// is acute. The radius is measured from the centre, so rounding of the centre does no harm.
static circle aroundPart(const part* p, int apex)
{
    wkVec3d a = p->vertices[(apex + 1) % 3], b = p->vertices[(apex + 2) % 3];
    wkVec3d u = wkSub(b, a), v = wkSub(p->vertices[apex], a);
    circle c = {wkMulAdd(a, 0.5, u), 0.0};
    wkVec3d toApex = wkSub(p->vertices[apex], c.center);
    wkVec3d w = wkCross(u, v);
    if (4.0 * wkDot(toApex, toApex) > wkDot(u, u) && wkDot(w, w) > 0.0) {
        wkVec3d sum =
            wkAdd(wkScale(wkDot(v, v), wkCross(w, u)), wkScale(wkDot(u, u), wkCross(v, w)));
        c.center = wkMulAdd(a, 0.5 / wkDot(w, w), sum);
    }
    for (int i = 0; i < 3; ++i) {
        c.radius = wkMaxD(c.radius, wkLength(wkSub(p->vertices[i], c.center)));
    }
    return c;
}

// Adds the samples of a triangle whose surface is within `slack` of it.
static bool addTriangle(sampler* s, const part* whole, double slack)
{
    double resolution = s->rule->resolution;
    double limit = wkMaxD(PART_SHARE * resolution - slack, LEAST_PART_SHARE * resolution);
    part stack[MAX_HALVES + 1];
    int count = 0;
    stack[count++] = *whole;
    while (count > 0) {
        part p = stack[--count];
        double longest;
        int apex = apexOf(&p, &longest);
        bool isWhole = count + 2 > MAX_HALVES;
        if (longest <= 4.0 * limit * limit || isWhole) { // no smaller circle contains the edge
            circle c = aroundPart(&p, apex);
            if (c.radius <= limit || isWhole) {
                if (!addSample(s, c.center, c.radius + slack)) {
                    return false;
                }
                continue;
            }
        }
        wkVec3d a = p.vertices[(apex + 1) % 3], b = p.vertices[(apex + 2) % 3];
        wkVec3d top = p.vertices[apex], middle = wkScale(0.5, wkAdd(a, b));
        stack[count++] = (part){{top, a, middle}};
        stack[count++] = (part){{top, middle, b}};
    }
    return true;
}

static bool sampleTriangle(wkTessellationSink* sink, wkVec3d a, wkVec3d b, wkVec3d c, double slack)
{
    sampler* s = (sampler*)sink;
    part p = {
        {wkTransformPoint(s->pose, a), wkTransformPoint(s->pose, b), wkTransformPoint(s->pose, c)}};
    return addTriangle(s, &p, slack);
}

static wkResult sampleBody(const wkRobot* robot, int32_t body, sampler* s)
{
    const wkRobotBody* b = &robot->bodies[body];
    const wkShapeFacts* facts = wkShapeFactsOf(&b->shape);
    const char* link = robot->links[b->info.link].info.name;
    if (facts->tessellate == NULL) {
        return wkFail(wk_errorUnsupported, "robot cloud: body %d of link '%s': a %s has no samples",
                      (int)body, link, wkShapeTypeName(b->shape.type));
    }
    s->pose = b->info.pose;
    if (facts->tessellate(&b->shape, b->shape.rounding + b->shape.padding, &s->sink)) {
        return wk_ok;
    }
    return s->isTooMany
               ? wkFail(wk_errorRange,
                        "robot cloud: link '%s' needs more than %d samples at resolution %g", link,
                        (int)s->rule->maxCount, s->rule->resolution)
               : wkFail(wk_errorMemory, "robot cloud: no memory for link '%s'", link);
}

wkResult wkSampleLink(const wkRobot* robot, int32_t link, const wkSampleRule* rule,
                      wkLinkSamples* samples)
{
    *samples = (wkLinkSamples){NULL, 0, 0};
    const wkLinkInfo* info = &robot->links[link].info;
    sampler s = {.sink = {sampleTriangle}, .rule = rule, .samples = samples};
    wkResult result = wk_ok;
    for (int32_t i = 0; i < info->bodyCount && result == wk_ok; ++i) {
        result = sampleBody(robot, info->firstBody + i, &s);
    }
    return result;
}
