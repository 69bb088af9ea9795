// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Samples and sites. Both only guide the search: the proof does not depend on them.

#include "fit/surface_samples.h"

#include "base/memory.h"
#include "base/parallel.h"

#include "whisker/detail/library.h"

#define DEEPEST 40
#define COARSER 1.25 // cells grow by this factor until the points fit
#define SHRINK_STEPS 12
#define BLOCK 32       // points of one task
#define GRID_STEPS 8   // grid sites along each edge of the bounds
#define SITE_CELL 0.75 // of the cell size of samples: sites may be a little closer to each other

typedef struct sampler {
    wkFitPoints* samples;
    wkVec3d middle;
    wkVec3d normal;
    double step;
    bool isFull;
} sampler;

static void offerSample(sampler* s, wkVec3d position)
{
    double outer = wkLengthSquared(wkSub(position, s->middle));
    wkFitPoint point = {position, s->normal, 0.0, outer};
    s->isFull |= !wkFitPoints_Offer(s->samples, &point);
}

// Bisects the longest edge until none is longer than a step.
static void samplePart(sampler* s, const wkVec3d faceVertices[3], int depth)
{
    int longest = 0;
    double square = -1.0;
    for (int i = 0; i < 3; ++i) {
        double edge = wkLengthSquared(wkSub(faceVertices[(i + 1) % 3], faceVertices[i]));
        if (edge > square) {
            square = edge;
            longest = i;
        }
    }
    if (square <= s->step * s->step || depth == DEEPEST) {
        for (int i = 0; i < 3; ++i) {
            offerSample(s, faceVertices[i]);
        }
        return;
    }
    if (s->isFull) {
        return;
    }
    int next = (longest + 1) % 3, other = (longest + 2) % 3;
    wkVec3d middle = wkMiddle(faceVertices[longest], faceVertices[next]);
    wkVec3d first[3] = {faceVertices[longest], middle, faceVertices[other]};
    wkVec3d second[3] = {middle, faceVertices[next], faceVertices[other]};
    samplePart(s, first, depth + 1);
    samplePart(s, second, depth + 1);
}

static bool sampleAll(const wkFitSurface* surface, sampler* s)
{
    s->isFull = false;
    wkFitPoints_Clear(s->samples, surface->bounds.lower, s->step);
    for (int32_t i = 0; i < surface->pieceCount && !s->isFull; ++i) {
        const wkSurfacePiece* piece = &surface->pieces[i];
        const wkVec3d* p = piece->faceVertices;
        s->normal =
            wkNormalizeOr(wkCross(wkSub(p[1], p[0]), wkSub(p[2], p[0])), wkVec(0.0, 0.0, 0.0));
        samplePart(s, p, 0);
    }
    return !s->isFull;
}

void wkSampleSurface(const wkFitSurface* surface, int32_t count, wkFitPoints* samples)
{
    sampler s = {.samples = samples};
    s.middle = wkMiddle(surface->bounds.lower, surface->bounds.upper);
    int32_t capacity = samples->capacity;
    samples->capacity = count < capacity ? count : capacity;
    s.step = wkMaxD(sqrt(surface->area / count), surface->extent / count);
    while (!sampleAll(surface, &s)) {
        s.step *= COARSER;
    }
    samples->capacity = capacity;
}

// Returns the center of the largest inscribed sphere that touches the surface at a point with the given
// normal: a large sphere shrinks to the nearest point inside it.
static wkVec3d shrinkSphere(const wkFitSurface* surface, wkVec3d position, wkVec3d inward)
{
    double radius = 0.5 * surface->extent;
    wkVec3d center = position;
    for (int step = 0; step < SHRINK_STEPS; ++step) {
        center = wkMulAdd(position, radius, inward);
        wkClosestOnSurface closest = wkFitSurface_QuickClosest(surface, center);
        if (closest.distance < 0.0 && -closest.distance >= radius * (1.0 - 1e-3)) {
            break;
        }
        wkVec3d toClosest = wkSub(closest.point, position);
        double along = wkDot(toClosest, inward);
        double smaller = along > 0.0 ? 0.5 * wkLengthSquared(toClosest) / along : 0.0;
        radius = smaller < 0.999 * radius ? smaller : 0.5 * radius;
    }
    return center;
}

// Returns the medial point behind a point of the surface; the point itself if there is none.
static wkVec3d medialPoint(const wkFitSurface* surface, wkVec3d position, wkVec3d normal)
{
    double little = 1e-4 * surface->extent;
    for (int side = 0; side < 2; ++side) {
        wkVec3d inward = wkScale(side == 0 ? -1.0 : 1.0, normal);
        if (wkFitSurface_QuickClosest(surface, wkMulAdd(position, little, inward)).distance < 0.0) {
            return shrinkSphere(surface, position, inward);
        }
    }
    return position;
}

// Work shared by tasks: each point is written by one task.
typedef struct siteWork {
    const wkFitSurface* surface;
    const wkFitPoints* samples;
    wkVec3d* middles; // one per sample
    wkFitPoints* sites;
} siteWork;

static int32_t blockEnd(int32_t task, int32_t count)
{
    return count - task * BLOCK < BLOCK ? count : (task + 1) * BLOCK;
}

static void findMiddles(void* context, int32_t task)
{
    siteWork* work = context;
    const wkFitPoints* samples = work->samples;
    for (int32_t i = task * BLOCK; i < blockEnd(task, samples->count); ++i) {
        work->middles[i] =
            medialPoint(work->surface, wkFitPoints_At(samples, i), samples->normals[i]);
    }
}

static void findDistances(void* context, int32_t task)
{
    siteWork* work = context;
    wkFitPoints* sites = work->sites;
    for (int32_t i = task * BLOCK; i < blockEnd(task, sites->count); ++i) {
        sites->length[i] =
            wkFitSurface_QuickClosest(work->surface, wkFitPoints_At(sites, i)).distance +
            work->surface->slack;
    }
}

static int32_t blocksOf(int32_t count)
{
    return (count + BLOCK - 1) / BLOCK;
}

static void offerSites(const siteWork* work)
{
    const wkAabb* bounds = &work->surface->bounds;
    for (int32_t i = 0; i < work->samples->count; ++i) {
        wkFitPoint point = {work->middles[i], {0.0, 0.0, 0.0}, 0.0, 0.0};
        wkFitPoints_Offer(work->sites, &point);
    }
    // a grid over the bounds, for spheres larger than inscribed ones
    for (int i = 0; i < GRID_STEPS * GRID_STEPS * GRID_STEPS; ++i) {
        int x = i % GRID_STEPS, y = i / GRID_STEPS % GRID_STEPS, z = i / (GRID_STEPS * GRID_STEPS);
        wkVec3d share = wkScale(1.0 / GRID_STEPS, wkVec(x + 0.5, y + 0.5, z + 0.5));
        wkVec3d size = wkSub(bounds->upper, bounds->lower);
        wkFitPoint point = {wkAdd(bounds->lower, wkMulVec(share, size)), {0.0, 0.0, 0.0}, 0.0, 0.0};
        wkFitPoints_Offer(work->sites, &point);
    }
}

bool wkFindSites(const wkFitSurface* surface, const wkFitPoints* samples,
                 const wkParallel* parallel, wkFitPoints* sites)
{
    size_t byteCount = (size_t)samples->count * sizeof(wkVec3d);
    siteWork work = {surface, samples, wkAlloc(byteCount), sites};
    if (work.middles == NULL) {
        return false;
    }
    wkRunTasks(parallel, findMiddles, &work, blocksOf(samples->count));
    wkFitPoints_Clear(sites, surface->bounds.lower, SITE_CELL * samples->cell);
    offerSites(&work);
    wkFree(work.middles, byteCount);
    wkRunTasks(parallel, findDistances, &work, blocksOf(sites->count));
    return true;
}
