// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// One walk over all parts of a surface with three uses: to make spheres cover it, to decide whether they do,
// and to find where they do not. Each part keeps a list of the spheres that reach it, which keeps candidates
// few. When few enough are left, they are checked together (clip.h) and the part is not cut.

#include "fit/prove.h"

#include "base/error.h"
#include "base/memory.h"
#include "fit/clip.h"
#include "math/vec.h"

// Cuts along the longest edge: two of them halve the size of a triangle.
#define DEEPEST 64

// Rounding error of a distance, as a share of coordinates: a part counts as inside a sphere only when it is
// inside by that much.
#define INSIDE_ROUNDING 1e-14

// Spheres are grown by this much more than needed: a later check cuts the surface elsewhere, and points where
// three spheres meet are then outside the surface by more than the error of a distance.
#define GROWN_ROUNDING 1e-8

#define EASY 1.004       // a growth of the radius too small to be worth a cut
#define EASY_LIMIT 1.002 // and of the largest protrusion
#define MAX_CUTS 300000  // beyond it, parts may be larger by this factor
#define COARSE 16.0
#define BLOCK 32 // pieces that are checked together first

typedef struct coverWalk {
    const wkFitSurface* surface;
    const wkSphere3d* spheres;
    wkSphere3d* growing; // the same, where they may grow; NULL: they are only read
    const double* distances;
    int32_t count;
    int32_t* lists; // DEEPEST + 1 lists of `count` spheres, and one as scratch
    double smallest;
    double rounding;
    double limit;     // spheres that protrude no further may grow a little instead of a cut
    int64_t cutsLeft; // before coarser parts are accepted
    bool isMeasuring;
    wkFitPoints* missing; // receives small parts that no sphere contains; NULL: not wanted
    bool isFull;
    double covered, area; // of the surface
    double gap;
} coverWalk;

static double reachOf(const wkSurfacePiece* part, wkVec3d center)
{
    double square = 0.0;
    for (int i = 0; i < 3; ++i) {
        square = wkMaxD(square, wkLengthSquared(wkSub(part->faceVertices[i], center)));
    }
    return sqrt(square) + part->slack;
}

static wkVec3d middleOf(const wkSurfacePiece* part)
{
    const wkVec3d* p = part->faceVertices;
    return wkScale(1.0 / 3.0, wkAdd(wkAdd(p[0], p[1]), p[2]));
}

static double areaOf(const wkSurfacePiece* part)
{
    const wkVec3d* p = part->faceVertices;
    return 0.5 * wkLength(wkCross(wkSub(p[1], p[0]), wkSub(p[2], p[0])));
}

// Writes the spheres of `from` that reach a part to `to`; returns -1 when one of them contains it.
static int32_t listReaching(const coverWalk* walk, const wkSurfacePiece* part, double size,
                            const int32_t* from, int32_t fromCount, int32_t* to)
{
    wkVec3d middle = middleOf(part);
    int32_t count = 0;
    for (int32_t i = 0; i < fromCount; ++i) {
        const wkSphere3d* sphere = &walk->spheres[from[i]];
        double square = wkLengthSquared(wkSub(middle, sphere->center));
        double reach = sphere->radius + size;
        if (square > reach * reach) {
            continue;
        }
        if (square <= sphere->radius * sphere->radius &&
            reachOf(part, sphere->center) + walk->rounding <= sphere->radius) {
            return -1;
        }
        to[count++] = from[i];
    }
    return count;
}

// Returns a bounding sphere of pieces, slack included.
static wkSphere3d aroundPieces(const wkSurfacePiece* pieces, int32_t count)
{
    wkAabb bounds = {pieces[0].faceVertices[0], pieces[0].faceVertices[0]};
    for (int32_t i = 0; i < 3 * count; ++i) {
        bounds.lower = wkMin(bounds.lower, pieces[i / 3].faceVertices[i % 3]);
        bounds.upper = wkMax(bounds.upper, pieces[i / 3].faceVertices[i % 3]);
    }
    wkSphere3d around = {wkMiddle(bounds.lower, bounds.upper), 0.0};
    for (int32_t i = 0; i < count; ++i) {
        around.radius = wkMaxD(around.radius, reachOf(&pieces[i], around.center));
    }
    return around;
}

// Lists the spheres that reach consecutive pieces. A sphere that grows until it reaches them may be missing:
// it is not needed, since the part that it grew for is covered.
static int32_t listNear(const coverWalk* walk, wkSphere3d around, int32_t* list)
{
    int32_t count = 0;
    for (int32_t i = 0; i < walk->count; ++i) {
        double reach = walk->spheres[i].radius + around.radius;
        double square = wkLengthSquared(wkSub(walk->spheres[i].center, around.center));
        list[count] = i;
        count += square <= reach * reach;
    }
    return count;
}

// Returns the sphere that protrudes least after growing around the part; of a list, or of all spheres.
static int32_t bestToGrow(const coverWalk* walk, const wkSurfacePiece* part, const int32_t* list,
                          int32_t count, double* radius)
{
    int32_t best = -1;
    double least = INFINITY;
    for (int32_t i = 0; i < count; ++i) {
        int32_t index = list != NULL ? list[i] : i;
        double reach = reachOf(part, walk->spheres[index].center) + 2.0 * walk->rounding;
        double protrusion = reach + walk->distances[index];
        if (protrusion < least) {
            least = protrusion;
            *radius = reach;
            best = index;
        }
    }
    return best;
}

// Grows a sphere if the part is small. Larger parts are cut, unless a sphere needs very little growth.
static bool growOne(coverWalk* walk, const wkSurfacePiece* part, bool isSmall, const int32_t* list,
                    int32_t count)
{
    double radius = 0.0;
    int32_t sphere = isSmall ? bestToGrow(walk, part, NULL, walk->count, &radius)
                             : bestToGrow(walk, part, list, count, &radius);
    if (sphere < 0) {
        return false;
    }
    double now = walk->spheres[sphere].radius;
    bool isEasy = radius <= now * EASY && radius + walk->distances[sphere] <= walk->limit;
    if (isSmall || isEasy) {
        walk->growing[sphere].radius = wkMaxD(now, radius);
    }
    return isSmall || isEasy;
}

// Bounds how far points of the part are from the nearest sphere.
static double gapOf(const coverWalk* walk, const wkSurfacePiece* part)
{
    double least = INFINITY;
    for (int32_t i = 0; i < walk->count; ++i) {
        double reach = reachOf(part, walk->spheres[i].center);
        least = wkMinD(least, reach + walk->rounding - walk->spheres[i].radius);
    }
    return least;
}

// Adds the center of a part that no sphere contains, unless a sphere of the list contains the center.
static void addMissing(coverWalk* walk, const wkSurfacePiece* part, const int32_t* list,
                       int32_t count)
{
    wkFitPoint point = {middleOf(part), {0.0, 0.0, 0.0}, part->slack, INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        const wkSphere3d* sphere = &walk->spheres[list[i]];
        double away = wkLength(wkSub(point.position, sphere->center)) + part->slack;
        point.rank = wkMinD(point.rank, away - sphere->radius);
    }
    if (point.rank > walk->limit) {
        walk->isFull |= !wkFitPoints_Offer(walk->missing, &point);
    }
}

// Spheres of a list with radii reduced by the slack of a part. Spheres with nothing left are dropped.
typedef struct clipSpheres {
    wkSphere3d spheres[WK_CLIP_SPHERES];
    int32_t indices[WK_CLIP_SPHERES];
    wkClipCell cells[WK_CLIP_SPHERES];
    double needed[WK_CLIP_SPHERES]; // radius with which a sphere contains its cell, slack included
    int count;
} clipSpheres;

static void listForClip(const coverWalk* walk, const wkSurfacePiece* part, const int32_t* list,
                        int32_t count, clipSpheres* clip)
{
    double less = part->slack + walk->rounding;
    clip->count = 0;
    for (int32_t i = 0; i < count; ++i) {
        wkSphere3d sphere = walk->spheres[list[i]];
        sphere.radius -= less;
        if (sphere.radius >= 0.0) {
            clip->indices[clip->count] = list[i];
            clip->spheres[clip->count++] = sphere;
        }
    }
}

// Adds the vertices of its cell that a sphere does not contain.
static void addVertices(coverWalk* walk, const wkSurfacePiece* part, const clipSpheres* clip,
                        int sphere)
{
    const wkClipCell* cell = &clip->cells[sphere];
    const wkSphere3d* own = &clip->spheres[sphere];
    for (int i = 0; i < cell->count; ++i) {
        double beyond = wkLength(wkSub(cell->points[i], own->center)) - own->radius;
        wkFitPoint point = {cell->points[i], {0.0, 0.0, 0.0}, part->slack, beyond};
        if (beyond > walk->limit) {
            walk->isFull |= !wkFitPoints_Offer(walk->missing, &point);
        }
    }
}

// Returns whether a sphere contains its cell, or does after very little growth.
static bool isEasyToHave(const coverWalk* walk, const clipSpheres* clip, int sphere)
{
    int32_t index = clip->indices[sphere];
    double now = walk->spheres[index].radius, needed = clip->needed[sphere];
    return needed <= now || (walk->distances != NULL && needed <= now * EASY &&
                             needed + walk->distances[index] <= walk->limit);
}

// Checks a part against all spheres that reach it together. Returns true if it needs no cut.
static bool clipPart(coverWalk* walk, const wkSurfacePiece* part, const int32_t* list,
                     int32_t count)
{
    clipSpheres clip;
    listForClip(walk, part, list, count, &clip);
    if (clip.count == 0 ||
        !wkClipTriangle(part->faceVertices, clip.spheres, clip.count, clip.cells)) {
        return false;
    }
    bool isEasy = true;
    for (int i = 0; i < clip.count; ++i) {
        double square = 0.0;
        for (int k = 0; k < clip.cells[i].count; ++k) {
            wkVec3d away = wkSub(clip.cells[i].points[k], clip.spheres[i].center);
            square = wkMaxD(square, wkLengthSquared(away));
        }
        bool hasAll = square <= clip.spheres[i].radius * clip.spheres[i].radius;
        clip.needed[i] = hasAll ? 0.0 : sqrt(square) + part->slack + 2.0 * walk->rounding;
        isEasy = isEasy && isEasyToHave(walk, &clip, i);
        if (walk->missing != NULL && !hasAll) {
            addVertices(walk, part, &clip, i);
        }
    }
    for (int i = 0; i < clip.count && isEasy && walk->distances != NULL; ++i) {
        wkSphere3d* sphere = &walk->growing[clip.indices[i]];
        sphere->radius = wkMaxD(sphere->radius, clip.needed[i]);
    }
    return isEasy || walk->missing != NULL;
}

// Returns whether a part that no sphere contains needs no further cut; `list`: the spheres that reach it.
static bool isDone(coverWalk* walk, const wkSurfacePiece* part, double size, int depth,
                   const int32_t* list, int32_t count)
{
    double smallest = walk->cutsLeft > 0 ? walk->smallest : COARSE * walk->smallest;
    bool isSmall = size - part->slack <= smallest || depth == DEEPEST;
    if (walk->missing != NULL) {
        if (isSmall || count == 0) {
            addMissing(walk, part, list, count);
        }
        return isSmall || walk->isFull;
    }
    if (!walk->isMeasuring) {
        return growOne(walk, part, isSmall, list, count);
    }
    if (!isSmall && count > 0) {
        return false;
    }
    double gap = gapOf(walk, part);
    if (isSmall || gap <= walk->gap) {
        walk->gap = wkMaxD(walk->gap, gap);
        return true;
    }
    return false;
}

static void cutLongest(const wkSurfacePiece* part, wkSurfacePiece* first, wkSurfacePiece* second)
{
    int longest = 0;
    double square = -1.0;
    for (int i = 0; i < 3; ++i) {
        double edge =
            wkLengthSquared(wkSub(part->faceVertices[(i + 1) % 3], part->faceVertices[i]));
        if (edge > square) {
            square = edge;
            longest = i;
        }
    }
    int next = (longest + 1) % 3;
    wkVec3d middle = wkMiddle(part->faceVertices[longest], part->faceVertices[next]);
    *first = *part;
    *second = *part;
    first->faceVertices[next] = middle;
    second->faceVertices[longest] = middle;
}

static void walkPart(coverWalk* walk, const wkSurfacePiece* part, const int32_t* list,
                     int32_t count, int depth)
{
    int32_t* own = walk->lists + (size_t)depth * ((size_t)walk->count + 1);
    double size = reachOf(part, middleOf(part));
    int32_t reaching = listReaching(walk, part, size, list, count, own);
    if (reaching < 0) {
        walk->covered += walk->isMeasuring ? areaOf(part) : 0.0;
        return;
    }
    if (reaching <= WK_CLIP_SPHERES && clipPart(walk, part, own, reaching)) {
        walk->covered += walk->isMeasuring ? areaOf(part) : 0.0;
        return;
    }
    if (isDone(walk, part, size, depth, own, reaching)) {
        return;
    }
    walk->cutsLeft--;
    wkSurfacePiece halves[2];
    cutLongest(part, &halves[0], &halves[1]);
    walkPart(walk, &halves[0], own, reaching, depth + 1);
    walkPart(walk, &halves[1], own, reaching, depth + 1);
}

// Returns true for a part of a spherical body that one sphere contains entirely, such as a copy of the body:
// by its triangles such a sphere would protrude by their slack.
static bool isKept(const coverWalk* walk, const wkSurfacePiece* part)
{
    const wkSurfaceSolid* solid = &walk->surface->solids[part->solid];
    if (solid->shape.type != wk_shapeSphere) {
        return false;
    }
    double radius = solid->shape.sphere.radius + solid->shape.rounding + solid->shape.padding;
    for (int32_t i = 0; i < walk->count; ++i) {
        const wkSphere3d* sphere = &walk->spheres[i];
        double away = wkLength(wkSub(solid->pose.position, sphere->center));
        bool isInside = away + radius + walk->rounding <= sphere->radius;
        if (isInside || (away == 0.0 && radius <= sphere->radius)) {
            return true;
        }
    }
    return false;
}

// Walks a block of consecutive pieces, which are close to each other.
static void walkBlock(coverWalk* walk, int32_t first, int32_t count)
{
    const wkSurfacePiece* pieces = walk->surface->pieces + first;
    int32_t listed = listNear(walk, aroundPieces(pieces, count), walk->lists);
    for (int32_t i = 0; i < count; ++i) {
        double area = areaOf(&pieces[i]);
        if (isKept(walk, &pieces[i])) {
            walk->covered += area;
        } else {
            walkPart(walk, &pieces[i], walk->lists, listed, 1);
        }
        walk->area += area;
    }
}

static wkResult walkAll(coverWalk* walk)
{
    size_t byteCount = (size_t)(DEEPEST + 1) * ((size_t)walk->count + 1) * sizeof(int32_t);
    walk->lists = wkAlloc(byteCount);
    if (walk->lists == NULL) {
        return wkFail(wk_errorMemory, "fit: out of memory");
    }
    int32_t count = walk->surface->pieceCount;
    for (int32_t i = 0; i < count; i += BLOCK) {
        walkBlock(walk, i, count - i < BLOCK ? count - i : BLOCK);
    }
    wkFree(walk->lists, byteCount);
    return wk_ok;
}

wkResult wkGrowToCover(const wkFitSurface* surface, wkSphere3d* spheres, const double* distances,
                       int32_t count, double smallest)
{
    coverWalk walk = {.surface = surface,
                      .spheres = spheres,
                      .growing = spheres,
                      .distances = distances,
                      .count = count};
    walk.smallest = smallest;
    walk.rounding = GROWN_ROUNDING * surface->reach;
    walk.cutsLeft = MAX_CUTS;
    for (int32_t i = 0; i < count; ++i) {
        walk.limit = wkMaxD(walk.limit, EASY_LIMIT * (spheres[i].radius + distances[i]));
    }
    return walkAll(&walk);
}

wkResult wkFindMissing(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                       double smallest, double tolerance, wkFitPoints* points)
{
    coverWalk walk = {.surface = surface, .spheres = spheres, .count = count, .missing = points};
    walk.smallest = smallest;
    walk.rounding = INSIDE_ROUNDING * surface->reach;
    walk.cutsLeft = MAX_CUTS;
    walk.limit = tolerance;
    wkResult result = wk_ok;
    do {
        walk.isFull = false;
        wkFitPoints_Clear(points, surface->bounds.lower, 2.0 * walk.smallest);
        result = walkAll(&walk);
        walk.smallest *= 1.5;
    } while (result == wk_ok && walk.isFull);
    return result;
}

wkResult wkMeasureCover(const wkFitSurface* surface, const wkSphere3d* spheres, int32_t count,
                        double tolerance, wkCoverage* coverage)
{
    coverWalk walk = {.surface = surface, .spheres = spheres, .count = count, .isMeasuring = true};
    walk.smallest = tolerance;
    walk.rounding = INSIDE_ROUNDING * surface->reach;
    walk.cutsLeft = MAX_CUTS;
    if (count == 0) {
        bool isEmpty = surface->pieceCount == 0;
        *coverage = (wkCoverage){isEmpty ? 1.0 : 0.0, isEmpty ? 0.0 : INFINITY};
        return wk_ok;
    }
    wkResult result = walkAll(&walk);
    if (result == wk_ok) {
        double share = walk.area > 0.0 ? walk.covered / walk.area : 0.0;
        *coverage = (wkCoverage){walk.gap > 0.0 ? wkMinD(share, 1.0) : 1.0, walk.gap};
    }
    return result;
}
