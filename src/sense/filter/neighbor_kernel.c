// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Searches of neighbours. Points are searched in the order of the curve: the distance of the n-th neighbour of the
// point before, plus the distance to it, bounds that of the next, so that a search starts with a bound that is nearly
// tight, and visits boxes in any order. Compiled once per instruction set.

#include "sense/filter/neighbor_kernel.h"

#include "sense/filter/mean_item.h"
#include "simd/pack.h"
#include "simd/simd_int.h"
#include "tree/cloud/curve_kernel.h"

#include <math.h>
#include <string.h>

#define WIDTH WK_POINT_WIDTH

// Squared distances that were found. When they are full, the largest are dropped.
#define EXTRA 512
#define CAPACITY (WK_MAX_NEIGHBORS + 1 + EXTRA + WIDTH)

// Nodes that wait: fifteen on each level but the last, and one.
#define STACK_CAPACITY (WK_POINT_LEVELS * WIDTH)

// More than the rounding of bounds from the point before.
#define BOUND_GROWTH 1.0001f

// Steps of the search for the n-th value that assume evenly spread values; later ones halve the range.
#define EVEN_STEPS 6

// Groups of values that are added side by side.
#define SUMS 8

// Zeros follow sums up to a multiple of this: of SUMS, and of the lanes of every register.
#define PADDING 16

typedef struct search {
    _Alignas(64) float values[CAPACITY];
    const wkPointTree* tree;
    float x, y, z;
    float bound; // squared distances below it are of interest
    int32_t wanted;
    int32_t found;
    _Alignas(64) float kept[CAPACITY];
} search;

// Lower bounds of the squared distances to boxes: rounded as those of points are, so that no point is nearer.
WK_FORCE_FN unsigned findReached(const search* s, const wkPointNode* node)
{
    const float point[3] = {s->x, s->y, s->z};
    unsigned reached = 0;
    for (int i = 0; i < WIDTH; i += WK_FLOAT_LANES) {
        wkFloatW sum = wkSplatF(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            wkFloatW at = wkSplatF(point[axis]);
            wkFloatW past = wkMaxF(wkSubF(wkLoadF(node->lower[axis] + i), at),
                                   wkSubF(at, wkLoadF(node->upper[axis] + i)));
            past = wkMaxF(past, wkSplatF(0.0f));
            sum = wkAddF(sum, wkMulF(past, past));
        }
        reached |= wkGreaterBitsF(wkSplatF(s->bound), sum) << i;
    }
    return reached;
}

WK_FORCE_FN wkFloatW squaresFrom(const search* s, int32_t first)
{
    wkFloatW x = wkSubF(wkLoadF(s->tree->x + first), wkSplatF(s->x));
    wkFloatW y = wkSubF(wkLoadF(s->tree->y + first), wkSplatF(s->y));
    wkFloatW z = wkSubF(wkLoadF(s->tree->z + first), wkSplatF(s->z));
    return wkAddF(wkAddF(wkMulF(x, x), wkMulF(y, y)), wkMulF(z, z));
}

typedef struct leafRule {
    bool (*visit)(search* s, int32_t first); // points of a leaf; false: ends the search
} leafRule;

// Visits the leaves whose boxes are nearer than the bound.
WK_FORCE_FN void visitLeaves(search* s, leafRule rule)
{
    const wkPointTree* tree = s->tree;
    int32_t nodes[STACK_CAPACITY], levels[STACK_CAPACITY], waiting = 1;
    nodes[0] = 0;
    levels[0] = tree->levelCount - 1;
    while (waiting > 0) {
        int32_t n = nodes[--waiting], level = levels[waiting];
        unsigned reached = findReached(s, &tree->nodes[tree->starts[level] + n]);
        for (; reached != 0; reached &= reached - 1) {
            int32_t child = n * WIDTH + __builtin_ctz(reached);
            if (level > 0) {
                nodes[waiting] = child;
                levels[waiting++] = level - 1;
            } else if (!rule.visit(s, child * WIDTH)) {
                return;
            }
        }
    }
}

WK_FORCE_FN int32_t countUpTo(const search* s, float most)
{
    int32_t count = 0;
    for (int32_t i = 0; i < s->found; i += WK_FLOAT_LANES) {
        unsigned bits = ~wkGreaterBitsF(wkLoadF(s->values + i), wkSplatF(most));
        int32_t left = s->found - i;
        bits &= left < WK_FLOAT_LANES ? (1u << left) - 1u : WK_ALL_FLOAT_LANES;
        count += __builtin_popcount(bits);
    }
    return count;
}

static int32_t bitsOf(float value)
{
    int32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float floatOf(int32_t bits)
{
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

// A limit that `wanted` values do not exceed.
typedef struct limit {
    float value;
    int32_t count; // of values up to it: `wanted` or more
    float below; // where `count` is more: all values above this one, up to the limit, are the limit
    int32_t countBelow;
} limit;

// Searches between -1, which no value is below, and the bound. The bits of floats that are 0 or more have their
// order.
static limit findLimit(const search* s)
{
    limit l = {s->bound, s->found, -1.0f, 0};
    for (int step = 0; l.count > s->wanted; ++step) {
        float share = (float)(s->wanted - l.countBelow) / (float)(l.count - l.countBelow);
        float low = l.below > 0.0f ? l.below : 0.0f, middle = low + (l.value - low) * share;
        if (step >= EVEN_STEPS || !(middle < l.value) || !(middle > l.below)) {
            int32_t lowBits = l.below < 0.0f ? -1 : bitsOf(l.below), highBits = bitsOf(l.value);
            if (highBits - lowBits <= 1) {
                return l;
            }
            middle = floatOf(lowBits + (highBits - lowBits) / 2);
        }
        int32_t count = countUpTo(s, middle);
        if (count < s->wanted) {
            l.below = middle;
            l.countBelow = count;
        } else {
            l.value = middle;
            l.count = count;
        }
    }
    return l;
}

// Moves the wanted values, those up to a limit, to another array.
static int32_t keepUpTo(search* s, float most)
{
    int32_t kept = 0;
    for (int32_t i = 0; i < s->found; i += WK_FLOAT_LANES) {
        wkFloatW values = wkLoadF(s->values + i);
        unsigned bits = ~wkGreaterBitsF(values, wkSplatF(most));
        int32_t left = s->found - i;
        bits &= left < WK_FLOAT_LANES ? (1u << left) - 1u : WK_ALL_FLOAT_LANES;
        wkPackF(s->kept + kept, values, bits);
        kept += __builtin_popcount(bits);
    }
    return kept;
}

// The wanted values, the smallest of all that were found, and an upper bound of them.
static float keepWanted(search* s)
{
    limit l = findLimit(s);
    bool isSplit = l.count > s->wanted; // equal values, of which not all are wanted
    int32_t kept = keepUpTo(s, isSplit ? l.below : l.value);
    for (; kept < s->wanted; ++kept) {
        s->kept[kept] = l.value;
    }
    return l.value;
}

static bool collectLeaf(search* s, int32_t first)
{
    for (int32_t i = first; i < first + WIDTH; i += WK_FLOAT_LANES) {
        wkFloatW squares = squaresFrom(s, i);
        unsigned bits = wkGreaterBitsF(wkSplatF(s->bound), squares);
        wkPackF(s->values + s->found, squares, bits);
        s->found += __builtin_popcount(bits);
    }
    if (s->found > CAPACITY - 2 * WIDTH) {
        s->bound = keepWanted(s);
        memcpy(s->values, s->kept, (size_t)s->wanted * sizeof(float));
        s->found = s->wanted;
    }
    return true;
}

// The largest of values that are followed by zeros up to the end of a register.
WK_FORCE_FN float largestOf(const float* values, int32_t count)
{
    float lanes[WK_FLOAT_LANES], largest = 0.0f;
    wkFloatW all = wkLoadF(values);
    for (int32_t i = WK_FLOAT_LANES; i < count; i += WK_FLOAT_LANES) {
        all = wkMaxF(all, wkLoadF(values + i));
    }
    wkStoreAnyF(lanes, all);
    for (int i = 0; i < WK_FLOAT_LANES; ++i) {
        largest = lanes[i] > largest ? lanes[i] : largest;
    }
    return largest;
}

// Sum of the distances of the wanted values, in double precision.
static double sumDistances(search* s)
{
    for (int32_t i = s->wanted; i % PADDING != 0; ++i) {
        s->kept[i] = 0.0f;
    }
    double shift = wkDistanceShift(largestOf(s->kept, s->wanted));
    double sums[SUMS] = {0.0}, sum = 0.0;
    for (int32_t i = 0; i < s->wanted; i += SUMS) {
        for (int k = 0; k < SUMS; ++k) {
            sums[k] += wkRoundedDistance(s->kept[i + k], shift);
        }
    }
    for (int k = 0; k < SUMS; ++k) {
        sum += sums[k];
    }
    return sum;
}

static float squareBetween(const search* s, int32_t i)
{
    float x = s->tree->x[i] - s->x, y = s->tree->y[i] - s->y, z = s->tree->z[i] - s->z;
    return x * x + y * y + z * z;
}

// The squared distance of the furthest of as many points as are wanted, about the i-th: the n-th neighbour is no
// further.
static float boundOfRun(const search* s, int32_t i)
{
    int32_t first = i - s->wanted / 2, last = s->tree->count - s->wanted;
    first = first < 0 ? 0 : first > last ? last : first;
    float furthest = 0.0f;
    for (int32_t k = first; k < first + s->wanted; ++k) {
        float square = squareBetween(s, k);
        furthest = square > furthest ? square : furthest;
    }
    return furthest;
}

static bool isAtSearch(const search* s, int32_t i)
{
    return s->tree->x[i] == s->x && s->tree->y[i] == s->y && s->tree->z[i] == s->z;
}

static void placeSearch(search* s, int32_t i)
{
    s->x = s->tree->x[i];
    s->y = s->tree->y[i];
    s->z = s->tree->z[i];
}

static float growBound(float square)
{
    float grown = square * BOUND_GROWTH + 1e-37f;
    return grown < INFINITY ? grown : INFINITY;
}

static void curvePositions(const wkCurveGrid* grid, const float* x, const float* y, const float* z,
                           uint64_t* positions)
{
    wkPointBlock block;
    memcpy(block.axes[0], x, sizeof block.axes[0]);
    memcpy(block.axes[1], y, sizeof block.axes[1]);
    memcpy(block.axes[2], z, sizeof block.axes[2]);
    wkCurvePositions(grid, &block, positions);
}

static void meanDistances(const wkPointTree* tree, int32_t first, int32_t end, int32_t count,
                          float* means)
{
    search s = {.tree = tree};
    s.wanted = count + 1 < tree->count ? count + 1 : tree->count; // the point itself is one of them
    float reach = INFINITY; // of the wanted ones of the point before
    for (int32_t i = first; i < end; ++i) {
        if (i > first && isAtSearch(&s, i)) { // of equal points, one is searched for
            means[tree->ids[i]] = means[tree->ids[i - 1]];
            continue;
        }
        float between = squareBetween(&s, i);
        placeSearch(&s, i);
        float square = i == first ? boundOfRun(&s, i) : sqrtf(between) + reach;
        s.bound = growBound(i == first ? square : square * square);
        s.found = 0;
        visitLeaves(&s, (leafRule){collectLeaf});
        if (s.found < s.wanted) {
            // distances so large that their squares are infinite
            means[tree->ids[i]] = INFINITY;
            reach = INFINITY;
            continue;
        }
        reach = sqrtf(keepWanted(&s));
        int32_t others = s.wanted - 1;
        means[tree->ids[i]] = others > 0 ? (float)(sumDistances(&s) / (double)others) : 0.0f;
    }
}

static bool countLeaf(search* s, int32_t first)
{
    for (int32_t i = first; i < first + WIDTH; i += WK_FLOAT_LANES) {
        s->found += __builtin_popcount(wkGreaterBitsF(wkSplatF(s->bound), squaresFrom(s, i)));
    }
    return s->found < s->wanted;
}

static void findLonely(const wkPointTree* tree, int32_t first, int32_t end, int32_t count,
                       float squaredRadius, uint8_t* isRemoved)
{
    search s;
    s.tree = tree;
    s.wanted = count + 1; // the point itself is one of them
    s.bound = floatOf(bitsOf(squaredRadius) + 1);
    for (int32_t i = first; i < end; ++i) {
        placeSearch(&s, i);
        s.found = 0;
        if (countLeaf(&s, i / WIDTH * WIDTH)) {
            s.found = 0;
            visitLeaves(&s, (leafRule){countLeaf});
        }
        isRemoved[tree->ids[i]] = s.found < s.wanted;
    }
}

extern const wkNeighborLanes WK_KERNEL(wkNeighborLanes);
const wkNeighborLanes WK_KERNEL(wkNeighborLanes) = {curvePositions, meanDistances, findLonely};
