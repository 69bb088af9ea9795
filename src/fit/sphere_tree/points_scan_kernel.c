// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Scans of points: see points_scan.h. Compiled once per instruction set.

#include "fit/sphere_tree/points_scan.h"
#include "simd/simd_float.h"

// A block of points relative to the origin of the scan. Points that are not finite, and those behind the last,
// are NaN: no comparison is true for them.
typedef struct block {
    _Alignas(64) float x[WK_SCAN_BLOCK];
    _Alignas(64) float y[WK_SCAN_BLOCK];
    _Alignas(64) float z[WK_SCAN_BLOCK];
    _Alignas(64) float radii[WK_SCAN_BLOCK];
    float lower[3], upper[3];
    float maxRadius;
    float size; // largest coordinate
    int64_t first, step;
    int32_t count;
} block;

// A walk of registers of points through a hierarchy.
typedef struct walk {
    wkPointsScan* scan;
    const wkScanTarget* target;
    wkScanBest* best;
    const block* points;
    int32_t index;  // of the target
    float rounding; // of a distance in this block
    float bound;    // pairs that are further do not matter, rounding included
} walk;

static const char* pointAt(const wkPointsScan* scan, int64_t index)
{
    return scan->layout.data + index * scan->layout.stride;
}

// Contiguous floats, the most frequent layout: the compiler makes shuffles of it.
static void loadPacked(const wkPointsScan* scan, block* b)
{
    const char* data = pointAt(scan, b->first);
    float origin[3] = {(float)scan->origin.x, (float)scan->origin.y, (float)scan->origin.z};
    for (int32_t i = 0; i < b->count; ++i) {
        b->x[i] = wkFloatAt(data + 12 * (size_t)i) - origin[0];
        b->y[i] = wkFloatAt(data + 12 * (size_t)i + 4) - origin[1];
        b->z[i] = wkFloatAt(data + 12 * (size_t)i + 8) - origin[2];
    }
}

static void loadFloats(const wkPointsScan* scan, block* b)
{
    const int32_t* offsets = scan->layout.offsets;
    float origin[3] = {(float)scan->origin.x, (float)scan->origin.y, (float)scan->origin.z};
    const char* point = pointAt(scan, b->first);
    int64_t bytes = b->step * scan->layout.stride;
    for (int32_t i = 0; i < b->count; ++i) {
        const char* at = point + i * bytes;
        b->x[i] = wkFloatAt(at + offsets[0]) - origin[0];
        b->y[i] = wkFloatAt(at + offsets[1]) - origin[1];
        b->z[i] = wkFloatAt(at + offsets[2]) - origin[2];
    }
}

static void loadDoubles(const wkPointsScan* scan, block* b)
{
    for (int32_t i = 0; i < b->count; ++i) {
        wkVec3d position =
            wkSub(wkScanPosition(&scan->layout, b->first + i * b->step), scan->origin);
        b->x[i] = (float)position.x;
        b->y[i] = (float)position.y;
        b->z[i] = (float)position.z;
    }
}

// Remembers the first point whose radius is not valid.
WK_RARE_FN void reportPoint(wkPointsScan* scan, int64_t index)
{
    int64_t before = atomic_load(&scan->badPoint);
    while (index < before && !atomic_compare_exchange_weak(&scan->badPoint, &before, index)) {
    }
}

static float radiusAt(wkPointsScan* scan, int64_t index)
{
    float own = wkScanOwnRadius(&scan->layout, index);
    if (WK_UNLIKELY(!wkIsScanRadius(own))) {
        reportPoint(scan, index);
        return 0.0f;
    }
    return wkRoundUp((double)own + scan->radius);
}

static void loadRadii(wkPointsScan* scan, block* b)
{
    b->maxRadius = wkRoundUp(scan->radius);
    if (scan->layout.radiusOffset < 0) {
        for (int32_t i = 0; i < WK_SCAN_BLOCK; ++i) {
            b->radii[i] = b->maxRadius;
        }
        return;
    }
    for (int32_t i = 0; i < b->count; ++i) {
        b->radii[i] = radiusAt(scan, b->first + i * b->step);
        b->maxRadius = b->radii[i] > b->maxRadius ? b->radii[i] : b->maxRadius;
    }
}

static void load(wkPointsScan* scan, block* b)
{
    const wkCloudLayout* layout = &scan->layout;
    bool isPacked = !layout->isDouble && b->step == 1 && layout->stride == 12 &&
                    layout->offsets[0] == 0 && layout->offsets[1] == 4 && layout->offsets[2] == 8;
    if (isPacked) {
        loadPacked(scan, b);
    } else if (!layout->isDouble) {
        loadFloats(scan, b);
    } else {
        loadDoubles(scan, b);
    }
    for (int32_t i = b->count; i < WK_SCAN_BLOCK; ++i) {
        b->x[i] = b->y[i] = b->z[i] = NAN;
    }
    if (layout->radiusOffset >= 0) {
        loadRadii(scan, b);
    }
}

// The least and the largest of the lanes.
WK_FORCE_FN void reduce(wkFloatW least, wkFloatW most, float* lower, float* upper)
{
    _Alignas(64) float low[WK_FLOAT_LANES], high[WK_FLOAT_LANES];
    wkStoreF(low, least);
    wkStoreF(high, most);
    *lower = low[0];
    *upper = high[0];
    for (int i = 1; i < WK_FLOAT_LANES; ++i) {
        *lower = low[i] < *lower ? low[i] : *lower;
        *upper = high[i] > *upper ? high[i] : *upper;
    }
}

// Makes points NaN that are not finite, and bounds the others.
static void boundBlock(block* b)
{
    wkFloatW none = wkSplatF(0.0f), infinite = wkSplatF(INFINITY), minus = wkSplatF(-INFINITY);
    wkFloatW least[3] = {infinite, infinite, infinite}, most[3] = {minus, minus, minus};
    for (int i = 0; i < WK_SCAN_BLOCK; i += WK_FLOAT_LANES) {
        wkFloatW p[3] = {wkLoadF(b->x + i), wkLoadF(b->y + i), wkLoadF(b->z + i)};
        // zero times a number that is not finite is NaN
        wkFloatW mark = wkMulF(none, wkAddF(wkAddF(wkAbsF(p[0]), wkAbsF(p[1])), wkAbsF(p[2])));
        wkStoreF(b->x + i, wkAddF(p[0], mark));
        for (int axis = 0; axis < 3; ++axis) {
            wkFloatW finite = wkAddF(p[axis], mark);
            least[axis] = wkSelectGreaterF(least[axis], finite, finite, least[axis]);
            most[axis] = wkSelectGreaterF(finite, most[axis], finite, most[axis]);
        }
    }
    b->size = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        reduce(least[axis], most[axis], &b->lower[axis], &b->upper[axis]);
        float low = fabsf(b->lower[axis]), high = fabsf(b->upper[axis]);
        float size = low > high ? low : high;
        b->size = size > b->size ? size : b->size;
    }
}

WK_FORCE_FN wkFloatW outside(float lower, float upper, wkFloatW value)
{
    wkFloatW below = wkSubF(wkSplatF(lower), value), above = wkSubF(value, wkSplatF(upper));
    return wkMaxF(wkSplatF(0.0f), wkMaxF(below, above));
}

// Returns a bit for each hierarchy whose bounding sphere is near enough to the box of a block.
static unsigned findTargets(const wkPointsScan* scan, const block* b)
{
    _Alignas(64) float bounds[WK_SCAN_TARGETS];
    for (int i = 0; i < WK_SCAN_TARGETS; ++i) {
        bounds[i] = atomic_load_explicit(&scan->bounds[i], memory_order_relaxed);
    }
    unsigned found = 0;
    for (int i = 0; i < WK_SCAN_TARGETS; i += WK_FLOAT_LANES) {
        wkFloatW dx = outside(b->lower[0], b->upper[0], wkLoadF(scan->x + i));
        wkFloatW dy = outside(b->lower[1], b->upper[1], wkLoadF(scan->y + i));
        wkFloatW dz = outside(b->lower[2], b->upper[2], wkLoadF(scan->z + i));
        wkFloatW square = wkAddF(wkAddF(wkMulF(dx, dx), wkMulF(dy, dy)), wkMulF(dz, dz));
        wkFloatW size = wkAddF(wkLoadF(scan->sizes + i), wkSplatF(b->size));
        wkFloatW limit =
            wkAddF(wkAddF(wkLoadF(bounds + i), wkLoadF(scan->radii + i)),
                   wkAddF(wkSplatF(b->maxRadius), wkMulF(wkSplatF(WK_SCAN_ROUNDING), size)));
        limit = wkMaxF(limit, wkSplatF(0.0f));
        found |= wkNotAboveBitsF(square, wkMulF(limit, limit)) << i;
    }
    return found & ((1u << scan->targetCount) - 1u);
}

// Lowers the bound that all threads share.
static void shareBound(walk* w, double distance)
{
    // beyond a body that decides, spheres tell nothing about depths
    float bound = wkRoundUp(w->target->exact != NULL && distance < 0.0 ? 0.0 : distance);
    _Atomic float* shared = &w->scan->bounds[w->index];
    float before = atomic_load_explicit(shared, memory_order_relaxed);
    while (bound < before &&
           !atomic_compare_exchange_weak_explicit(shared, &before, bound, memory_order_relaxed,
                                                  memory_order_relaxed)) {
    }
    bound = bound < before ? bound : before;
    w->bound = bound + w->rounding;
}

// The distance of a pair in doubles, the radius of the point subtracted.
static double measure(const walk* w, int64_t point, int32_t sphere)
{
    const wkScanTarget* target = w->target;
    wkVec3d local = wkFrameLocal(&target->at.frame, wkScanPosition(&w->scan->layout, point));
    double radius = w->scan->radius + (double)wkScanOwnRadius(&w->scan->layout, point);
    double distance = wkDistanceToSphere(&target->at.spheres[sphere], local) - radius;
    if (target->exact != NULL) {
        distance = distance <= (double)w->bound ? target->exact(target, local) - radius : INFINITY;
    }
    return distance;
}

WK_APART_FN void evaluate(walk* w, int32_t slot, int32_t sphere)
{
    int64_t point = w->points->first + slot * w->points->step;
    wkScanBest found = {measure(w, point, sphere), point, sphere};
    if (w->target->touched != NULL) {
        if (found.distance <= 0.0) {
            __atomic_store_n(&w->target->touched[sphere], 1, __ATOMIC_RELAXED);
        }
    } else if (wkIsBetterPair(&found, w->best)) {
        *w->best = found;
        shareBound(w, found.distance);
    }
}

// Points in lanes, in the frame of a tree.
typedef struct lanes {
    wkFloatW x, y, z;
    wkFloatW radii;
} lanes;

// Returns a bit for each lane that is within the bound of a sphere.
WK_FORCE_FN unsigned compare(const lanes* p, float x, float y, float z, float limit)
{
    wkFloatW dx = wkSubF(p->x, wkSplatF(x)), dy = wkSubF(p->y, wkSplatF(y));
    wkFloatW dz = wkSubF(p->z, wkSplatF(z));
    wkFloatW square = wkAddF(wkAddF(wkMulF(dx, dx), wkMulF(dy, dy)), wkMulF(dz, dz));
    wkFloatW reach = wkMaxF(wkAddF(p->radii, wkSplatF(limit)), wkSplatF(0.0f));
    return wkGreaterBitsF(wkMulF(reach, reach), square);
}

// Whether a lane is within the bound of the box of all spheres. Links are long, so it is tighter than their sphere.
WK_FORCE_FN bool isNearBox(const lanes* p, const wkSphereSet* set, float bound)
{
    wkFloatW dx = outside(set->lower[0], set->upper[0], p->x);
    wkFloatW dy = outside(set->lower[1], set->upper[1], p->y);
    wkFloatW dz = outside(set->lower[2], set->upper[2], p->z);
    wkFloatW square = wkAddF(wkAddF(wkMulF(dx, dx), wkMulF(dy, dy)), wkMulF(dz, dz));
    wkFloatW reach = wkMaxF(wkAddF(p->radii, wkSplatF(bound)), wkSplatF(0.0f));
    return wkNotAboveBitsF(square, wkMulF(reach, reach)) != 0;
}

static void descend(walk* w, const lanes* p, int32_t start)
{
    uint32_t stack[WK_SPHERE_MAX_DEPTH * WK_SPHERE_WIDTH];
    int count = 0;
    stack[count++] = 0;
    while (count > 0) {
        const wkSphereNode* node = &w->target->at.nodes[stack[--count]];
        for (int slot = 0; slot < WK_SPHERE_WIDTH; ++slot) {
            uint32_t link = node->link[slot];
            unsigned near = compare(p, node->x[slot], node->y[slot], node->z[slot],
                                    w->bound + node->radius[slot]);
            if (near != 0 && !wkIsSphereSlot(link)) {
                stack[count++] = link;
                continue;
            }
            for (; near != 0; near &= near - 1) {
                evaluate(w, start + __builtin_ctz(near), (int32_t)(link & ~WK_SPHERE_LEAF));
            }
        }
    }
}

WK_FORCE_FN wkFloatW turn(const float row[3], wkFloatW x, wkFloatW y, wkFloatW z)
{
    return wkAddF(wkAddF(wkMulF(wkSplatF(row[0]), x), wkMulF(wkSplatF(row[1]), y)),
                  wkMulF(wkSplatF(row[2]), z));
}

// Compares the points of a block with one hierarchy.
static void walkBlock(wkPointsScan* scan, const block* b, int32_t index, wkScanBest* best)
{
    const wkScanTarget* target = &scan->targets[index];
    float rounding = WK_SCAN_ROUNDING * (b->size + scan->sizes[index]);
    float shared = atomic_load_explicit(&scan->bounds[index], memory_order_relaxed);
    walk w = {scan, target, best, b, index, rounding, shared + rounding};
    for (int32_t i = 0; i < b->count; i += WK_FLOAT_LANES) {
        lanes p = {wkLoadF(b->x + i), wkLoadF(b->y + i), wkLoadF(b->z + i), wkLoadF(b->radii + i)};
        if (compare(&p, scan->x[index], scan->y[index], scan->z[index],
                    w.bound + scan->radii[index]) == 0) {
            continue;
        }
        wkFloatW x = wkSubF(p.x, wkSplatF(target->at.start[0]));
        wkFloatW y = wkSubF(p.y, wkSplatF(target->at.start[1]));
        wkFloatW z = wkSubF(p.z, wkSplatF(target->at.start[2]));
        lanes local = {turn(target->at.rows[0], x, y, z), turn(target->at.rows[1], x, y, z),
                       turn(target->at.rows[2], x, y, z), p.radii};
        if (isNearBox(&local, target->at.set, w.bound)) {
            descend(&w, &local, i);
        }
    }
}

extern wkScanPointsFcn WK_KERNEL(wkScanPoints);
void WK_KERNEL(wkScanPoints)(wkPointsScan* scan, int64_t first, int64_t end, int64_t step,
                             wkScanBest* best)
{
    block b = {.step = step};
    loadRadii(scan, &b);
    for (int64_t at = first; at < end; at += WK_SCAN_BLOCK * step) {
        int64_t left = (end - at + step - 1) / step;
        b.first = at;
        b.count = (int32_t)(left < WK_SCAN_BLOCK ? left : WK_SCAN_BLOCK);
        load(scan, &b);
        boundBlock(&b);
        for (unsigned near = findTargets(scan, &b); near != 0; near &= near - 1) {
            int32_t index = __builtin_ctz(near);
            walkBlock(scan, &b, index, &best[index]);
        }
    }
}
