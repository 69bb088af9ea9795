// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds on the distance of a cloud for the cells of a field.
//
// Below: the squared distance from any set, less the square of the position, is the least of linear functions,
// so it is concave, and within a cell it is above what its values at the vertices interpolate to. So a plane P
// that is below the distances at the eight vertices yields a bound for the whole cell: the squared distance is at
// least P^2 less s^2 / 4 times the sum of 1 - g^2 over the axes, with the edge s of the cell and the slopes g
// of the plane. Boxes around points take the place of points at the vertices.
//
// Above: the distance from one point of the cloud, which is near the middle of the cell.

#include "batch/field_cloud_kernel.h"
#include "simd/eight.h"
#include "simd/simd_int.h"
#include "tree/cloud/cloud_impl.h"

#include <float.h>
#include <math.h>
#include <string.h>

_Static_assert(WK_OCTET == WK_TREE_WIDTH, "a group of points is an octet");

// Half the diagonal of a cube of edge 2, rounded up.
#define SQRT3 1.7320509f

// Boxes are refined until their edges are below this share of a cell, or of the distance.
#define FINE_CELLS 3.5f
#define FINE_SHARE 0.4f

// The number of a box takes the place of the last bits of a squared distance.
#define NUMBER_BITS (WK_NEAR_BOXES - 1)

static const _Alignas(64) int32_t laneNumbers[16] = {0, 1, 2,  3,  4,  5,  6,  7,
                                                     8, 9, 10, 11, 12, 13, 14, 15};

// Rounding of squared distances as a share of these and of the squared size of a cube, with a reserve.
#define SQUARE_ROUNDING 1e-4f

// A cube of cells, and the point that is the nearest to its center so far.
typedef struct nearSearch {
    const wkFieldCloud* cloud;
    wkNearBoxes* boxes;
    float center[3];
    float half;     // half the edge of the cube
    float fine;     // edges of boxes that are not refined
    float furthest; // distance from the center beyond which nothing matters
    float nearest[3];
    float square; // squared distance of that point
} nearSearch;

// Returns the squared distances between a point and eight boxes.
WK_FORCE_FN wkEight boxSquares(const wkCloudOctet* octet, const float center[3])
{
    wkEight zero = wkSplat8(0.0f), sum = zero;
    for (int axis = 0; axis < 3; ++axis) {
        wkEight at = wkSplat8(center[axis]);
        wkEight out = wkMax8(wkSub8(wkLoad8(octet->lower[axis]), at),
                             wkSub8(at, wkLoad8(octet->upper[axis])));
        out = wkMax8(out, zero);
        sum = wkAdd8(sum, wkMul8(out, out));
    }
    return sum;
}

// Returns the squared distances between a point and the points of eight boxes.
WK_FORCE_FN wkEight pointSquares(const wkOctetPoints* points, const float center[3])
{
    wkEight sum = wkSplat8(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        wkEight out = wkSub8(wkLoad8(points->at[axis]), wkSplat8(center[axis]));
        sum = wkAdd8(sum, wkMul8(out, out));
    }
    return sum;
}

// Returns the slot with the least value among those of a mask.
static int leastSlot(wkEight values, unsigned mask, float* least)
{
    _Alignas(32) float all[WK_OCTET];
    wkStore8(all, values);
    int best = -1;
    for (; mask != 0; mask &= mask - 1) {
        int slot = __builtin_ctz(mask);
        if (best < 0 || all[slot] < *least) {
            *least = all[slot];
            best = slot;
        }
    }
    return best;
}

WK_FORCE_FN uint32_t childOf(const wkFieldCloud* cloud, uint32_t octet, int level, int slot)
{
    return (uint32_t)cloud->firsts[level - 1] +
           (octet - (uint32_t)cloud->firsts[level]) * WK_OCTET + (uint32_t)slot;
}

WK_FORCE_FN int levelOf(const wkFieldCloud* cloud, uint32_t octet)
{
    int level = 0;
    while (octet >= (uint32_t)cloud->firsts[level + 1]) {
        ++level;
    }
    return level;
}

// Moves eight points of the cloud into the frame of the field.
WK_FORCE_FN void placeGroup(const wkFieldCloud* cloud, uint32_t group, wkEight placed[3])
{
    const wkPointGroup* from = &wkCloudGroups(cloud->cloud)[group];
    const wkFrame* frame = &cloud->frame;
    const float position[3] = {(float)frame->position.x, (float)frame->position.y,
                               (float)frame->position.z};
    _Alignas(32) float local[3][WK_OCTET];
    memcpy(local[0], from->x, sizeof local[0]);
    memcpy(local[1], from->y, sizeof local[1]);
    memcpy(local[2], from->z, sizeof local[2]);
    if (cloud->isStraight) {
        for (int axis = 0; axis < 3; ++axis) {
            placed[axis] = wkAdd8(wkLoad8(local[axis]), wkSplat8(position[axis]));
        }
        return;
    }
    const wkMat3d* m = &frame->rotation;
    const float rows[3][3] = {{(float)m->x.x, (float)m->y.x, (float)m->z.x},
                              {(float)m->x.y, (float)m->y.y, (float)m->z.y},
                              {(float)m->x.z, (float)m->y.z, (float)m->z.z}};
    for (int axis = 0; axis < 3; ++axis) {
        wkEight sum = wkMul8(wkLoad8(local[0]), wkSplat8(rows[axis][0]));
        sum = wkAdd8(sum, wkMul8(wkLoad8(local[1]), wkSplat8(rows[axis][1])));
        sum = wkAdd8(sum, wkMul8(wkLoad8(local[2]), wkSplat8(rows[axis][2])));
        placed[axis] = wkAdd8(sum, wkSplat8(position[axis]));
    }
}

// Radii of the points of a group; zero where the cloud has none.
static wkEight radiiOf(const wkFieldCloud* cloud, uint32_t group)
{
    const float* radii = wkCloudFloats(cloud->cloud, cloud->cloud->radiusOffset);
    if (radii == NULL) {
        return wkSplat8(0.0f);
    }
    _Alignas(32) float here[WK_OCTET];
    int32_t last = cloud->cloud->pointCount - 1;
    for (int i = 0; i < WK_OCTET; ++i) {
        int32_t rank = (int32_t)group * WK_OCTET + i;
        here[i] = radii[rank < last ? rank : last];
    }
    return wkLoad8(here);
}

// Makes an octet of the points of a group: boxes are their spheres, or points.
static void pointOctet(const wkFieldCloud* cloud, uint32_t group, wkCloudOctet* octet,
                       wkOctetPoints* points)
{
    wkEight placed[3];
    placeGroup(cloud, group, placed);
    wkEight radii = wkAdd8(radiiOf(cloud, group), wkSplat8(cloud->slack));
    for (int axis = 0; axis < 3; ++axis) {
        wkStore8(octet->lower[axis], wkSub8(placed[axis], radii));
        wkStore8(octet->upper[axis], wkAdd8(placed[axis], radii));
        wkStore8(points->at[axis], placed[axis]);
    }
}

static float leastOf(const float* values)
{
    wkQuad low, high;
    memcpy(&low, values, sizeof low);
    memcpy(&high, values + 4, sizeof high);
    wkQuad both = wkMinQuad(low, high);
    float first = both[0] < both[1] ? both[0] : both[1];
    float second = both[2] < both[3] ? both[2] : both[3];
    return first < second ? first : second;
}

static float mostOf(const float* values)
{
    wkQuad low, high;
    memcpy(&low, values, sizeof low);
    memcpy(&high, values + 4, sizeof high);
    wkQuad both = wkMaxQuad(low, high);
    float first = both[0] > both[1] ? both[0] : both[1];
    float second = both[2] > both[3] ? both[2] : both[3];
    return first > second ? first : second;
}

static void placeOctet(const wkFieldCloud* cloud, int32_t octet, wkCloudOctet* boxes,
                       wkOctetPoints* points)
{
    uint32_t groupCount = (uint32_t)WK_GROUP_COUNT(cloud->cloud->pointCount);
    for (int slot = 0; slot < WK_OCTET; ++slot) {
        uint32_t group = (uint32_t)octet * WK_OCTET + (uint32_t)slot;
        if (group >= groupCount) {
            for (int axis = 0; axis < 3; ++axis) {
                boxes->lower[axis][slot] = boxes->upper[axis][slot] = points->at[axis][slot] =
                    WK_FAR_AWAY;
            }
            continue;
        }
        wkCloudOctet each;
        wkOctetPoints placed;
        pointOctet(cloud, group, &each, &placed);
        for (int axis = 0; axis < 3; ++axis) {
            boxes->lower[axis][slot] = leastOf(each.lower[axis]);
            boxes->upper[axis][slot] = mostOf(each.upper[axis]);
            points->at[axis][slot] = placed.at[axis][WK_OCTET / 2];
        }
    }
}

// Takes a point as the nearest if it is.
static void improve(nearSearch* search, const wkOctetPoints* points, unsigned mask, int* best)
{
    float least = search->square;
    int slot = leastSlot(pointSquares(points, search->center), mask, &least);
    *best = slot;
    if (slot >= 0 && least < search->square) {
        search->square = least;
        for (int axis = 0; axis < 3; ++axis) {
            search->nearest[axis] = points->at[axis][slot];
        }
    }
}

// Descends to the points that seem to be the nearest to the center.
static void descend(nearSearch* search, uint32_t octet, int level, unsigned mask)
{
    const wkFieldCloud* cloud = search->cloud;
    int best = -1;
    for (;;) {
        improve(search, &cloud->points[octet], mask, &best);
        if (level == 0) {
            break;
        }
        octet = childOf(cloud, octet, level, best);
        --level;
        mask = 0xff;
    }
    wkCloudOctet boxes;
    wkOctetPoints points;
    pointOctet(cloud, octet * WK_OCTET + (uint32_t)best, &boxes, &points);
    improve(search, &points, 0xff, &best);
}

// Returns the limit of the sum over the axes of `leastAlong`. No point p of a box is the nearest where the plane
// half way to the nearest point q separates it from a cube with the center c and half the edge h: where
// |c - p|^2 - 2 h |p - q|, with the sum over the axes for the latter, is above |c - q|^2.
static float limitOf(const nearSearch* search)
{
    return search->square + SQUARE_ROUNDING * (search->square + search->half * search->half);
}

// Returns the least of (c - p)^2 - 2 h |p - q| for coordinates p of an interval: at c + h or c - h, or at the end
// that is the nearest to it.
WK_FORCE_FN wkEight leastAlong8(const nearSearch* search, int axis, wkEight lower, wkEight upper)
{
    wkEight center = wkSplat8(search->center[axis]), to = wkSplat8(search->nearest[axis]);
    wkEight half = wkSplat8(search->half), edge = wkSplat8(2.0f * search->half);
    wkEight low = wkMin8(wkMax8(wkSub8(center, half), lower), upper);
    wkEight high = wkMin8(wkMax8(wkAdd8(center, half), lower), upper);
    wkEight outLow = wkSub8(low, center), outHigh = wkSub8(high, center);
    return wkMin8(wkSub8(wkMul8(outLow, outLow), wkMul8(edge, wkAbs8(wkSub8(low, to)))),
                  wkSub8(wkMul8(outHigh, outHigh), wkMul8(edge, wkAbs8(wkSub8(high, to)))));
}

// Returns the boxes that may hold the nearest point to some point of the cube, and those of them that need no
// refinement.
WK_FORCE_FN unsigned selectBoxes(const nearSearch* search, const wkCloudOctet* octet, unsigned mask,
                                 unsigned* fine)
{
    wkEight least = wkSplat8(0.0f), size = least;
    for (int axis = 0; axis < 3; ++axis) {
        wkEight lower = wkLoad8(octet->lower[axis]), upper = wkLoad8(octet->upper[axis]);
        least = wkAdd8(least, leastAlong8(search, axis, lower, upper));
        size = wkMax8(size, wkSub8(upper, lower));
    }
    wkEight away = wkSqrt8(boxSquares(octet, search->center));
    unsigned near = wkNotAbove8(least, wkSplat8(limitOf(search))) &
                    wkNotAbove8(away, wkSplat8(search->furthest)) & mask;
    wkEight fineSize =
        wkMax8(wkSplat8(search->fine),
               wkMul8(wkSub8(away, wkSplat8(SQRT3 * search->half)), wkSplat8(FINE_SHARE)));
    *fine = wkNotAbove8(size, fineSize) & near;
    return near;
}

// Adds boxes of an octet to the list of the cube.
// @param id of all of them, or of the first slot where each has its own
static void addBoxes(wkNearBoxes* list, const wkCloudOctet* boxes, const wkOctetPoints* points,
                     unsigned mask, uint32_t id, bool isEachOwn)
{
    for (; mask != 0; mask &= mask - 1) {
        int slot = __builtin_ctz(mask);
        int32_t at = list->count++;
        for (int axis = 0; axis < 3; ++axis) {
            list->lower[axis][at] = boxes->lower[axis][slot];
            list->upper[axis][at] = boxes->upper[axis][slot];
            list->point[axis][at] = points->at[axis][slot];
        }
        list->ids[at] = isEachOwn ? id + (uint32_t)slot : id;
    }
}

// Adds the boxes of an octet that matter in the cube, refined until they are small; points take the place of the
// boxes of the lowest level that are not.
static void visit(nearSearch* search, uint32_t octet, int level, unsigned mask)
{
    const wkFieldCloud* cloud = search->cloud;
    const wkCloudOctet* boxes = &cloud->octets[octet];
    const wkOctetPoints* points = &cloud->points[octet];
    unsigned fine, near = selectBoxes(search, boxes, mask, &fine);
    addBoxes(search->boxes, boxes, points, fine, octet * WK_OCTET, true);
    for (unsigned left = near & ~fine; left != 0; left &= left - 1) {
        int slot = __builtin_ctz(left);
        // boxes that wait to be refined keep a place for themselves
        if (search->boxes->count + WK_OCTET * (WK_CLOUD_LEVELS + WK_OCTET) > WK_NEAR_BOXES) {
            addBoxes(search->boxes, boxes, points, 1u << slot, octet * WK_OCTET, true);
        } else if (level > 0) {
            visit(search, childOf(cloud, octet, level, slot), level - 1, 0xff);
        } else {
            wkCloudOctet eachBox;
            wkOctetPoints each;
            uint32_t group = octet * WK_OCTET + (uint32_t)slot;
            pointOctet(cloud, group, &eachBox, &each);
            unsigned any, nearPoints = selectBoxes(search, &eachBox, 0xff, &any);
            addBoxes(search->boxes, &eachBox, &each, nearPoints, group, false);
        }
    }
}

// Fills the last vector of boxes with some that are far away.
static void padBoxes(wkNearBoxes* list)
{
    for (int32_t i = list->count; i < list->count + WK_FLOAT_LANES; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            list->lower[axis][i] = list->upper[axis][i] = list->point[axis][i] = WK_FAR_AWAY;
        }
    }
}

// Finds the entries of all boxes: the boxes of the level of entries that contain them.
static void liftEntries(const wkFieldCloud* cloud, wkNearBoxes* list)
{
    for (int32_t i = 0; i < list->count; ++i) {
        uint32_t octet = list->ids[i] / WK_OCTET, mask = 1u << list->ids[i] % WK_OCTET;
        int level = levelOf(cloud, octet);
        for (; level < cloud->entryLevel; ++level) {
            uint32_t number = octet - (uint32_t)cloud->firsts[level];
            mask = 1u << number % WK_OCTET;
            octet = (uint32_t)cloud->firsts[level + 1] + number / WK_OCTET;
        }
        list->entries[i] = (wkCloudEntry){octet, (uint16_t)mask, (uint16_t)level};
    }
}

// Sets up the search for a cube of cells.
static nearSearch searchOf(const wkCloudBuild* build, const int32_t cell[3], int32_t cells)
{
    const wkFieldGrid* grid = build->grid;
    nearSearch search;
    search.cloud = build->cloud;
    search.boxes = NULL;
    search.half = 0.5f * grid->size * (float)cells + build->wider;
    search.fine = FINE_CELLS * grid->size;
    search.furthest =
        build->reach + build->cloud->sphere + build->cloud->slack + SQRT3 * search.half;
    search.square = FLT_MAX;
    for (int axis = 0; axis < 3; ++axis) {
        search.center[axis] =
            grid->lower[axis] + grid->size * ((float)cell[axis] + 0.5f * (float)cells);
        search.nearest[axis] = 0.0f;
    }
    return search;
}

// Finds the point of the boxes of the cube that is the nearest to the center of a brick.
static void findNearest(nearSearch* search, const wkNearBoxes* boxes)
{
    _Alignas(64) float least[WK_FLOAT_LANES];
    wkFloatW squares = wkSplatF(FLT_MAX);
    wkIntW kept = wkSplatI(~NUMBER_BITS);
    for (int32_t i = 0; i < boxes->count; i += WK_FLOAT_LANES) {
        wkFloatW sum = wkSplatF(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            wkFloatW out = wkSubF(wkLoadF(&boxes->point[axis][i]), wkSplatF(search->center[axis]));
            sum = wkAddF(sum, wkMulF(out, out));
        }
        wkIntW number = wkAddI(wkLoadI(laneNumbers), wkSplatI(i));
        sum = wkFloatOfBitsI(wkOrI(wkAndI(wkBitsOfF(sum), kept), number));
        squares = wkMinF(squares, sum);
    }
    wkStoreF(least, squares);
    float best = least[0];
    for (int i = 1; i < WK_FLOAT_LANES; ++i) {
        best = least[i] < best ? least[i] : best;
    }
    uint32_t bits;
    memcpy(&bits, &best, sizeof bits);
    int32_t number = (int32_t)(bits & NUMBER_BITS);
    search->square = 0.0f;
    for (int axis = 0; axis < 3; ++axis) {
        search->nearest[axis] = boxes->point[axis][number];
        float out = search->nearest[axis] - search->center[axis];
        search->square += out * out;
    }
    uint32_t octet = boxes->ids[number] / WK_OCTET;
    descend(search, octet, levelOf(search->cloud, octet), 1u << boxes->ids[number] % WK_OCTET);
}

// The same as leastAlong8 for as many boxes as there are lanes.
WK_FORCE_FN wkFloatW leastAlong(const nearSearch* search, int axis, wkFloatW lower, wkFloatW upper)
{
    wkFloatW center = wkSplatF(search->center[axis]), to = wkSplatF(search->nearest[axis]);
    wkFloatW half = wkSplatF(search->half), edge = wkSplatF(2.0f * search->half);
    wkFloatW low = wkMinF(wkMaxF(wkSubF(center, half), lower), upper);
    wkFloatW high = wkMinF(wkMaxF(wkAddF(center, half), lower), upper);
    wkFloatW outLow = wkSubF(low, center), outHigh = wkSubF(high, center);
    return wkMinF(wkSubF(wkMulF(outLow, outLow), wkMulF(edge, wkAbsF(wkSubF(low, to)))),
                  wkSubF(wkMulF(outHigh, outHigh), wkMulF(edge, wkAbsF(wkSubF(high, to)))));
}

// Lists the boxes of the cube that matter in a brick, as selectBoxes does. @return their count
static int32_t selectNear(const nearSearch* search, const wkNearBoxes* boxes, uint16_t* list)
{
    int32_t count = 0;
    wkFloatW limit = wkSplatF(limitOf(search));
    for (int32_t i = 0; i < boxes->count; i += WK_FLOAT_LANES) {
        wkFloatW least = wkSplatF(0.0f);
        for (int axis = 0; axis < 3; ++axis) {
            least = wkAddF(least, leastAlong(search, axis, wkLoadF(&boxes->lower[axis][i]),
                                             wkLoadF(&boxes->upper[axis][i])));
        }
        for (unsigned near = wkNotAboveBitsF(least, limit); near != 0; near &= near - 1) {
            list[count++] = (uint16_t)(i + __builtin_ctz(near));
        }
    }
    return count;
}

// Makes entries of the boxes of a brick: those of an octet follow each other.
static uint32_t makeEntries(const wkNearBoxes* boxes, const uint16_t* list, int32_t count,
                            wkCloudEntry* entries)
{
    uint32_t entryCount = 0;
    wkCloudEntry last = {UINT32_MAX, 0, 0};
    for (int32_t i = 0; i < count; ++i) {
        wkCloudEntry entry = boxes->entries[list[i]];
        if (entry.octet == last.octet) {
            last.mask |= entry.mask;
            continue;
        }
        entries[entryCount] = last;
        entryCount += last.mask != 0 ? 1 : 0;
        last = entry;
    }
    entries[entryCount] = last;
    return entryCount + (last.mask != 0 ? 1 : 0);
}

// Vectors for the 16 points of a layer of a brick.
#define BRICK_GROUPS (16 / WK_FLOAT_LANES)

// Positions of the first vertices of the cells of a brick.
typedef struct brickVertices {
    _Alignas(64) float x[16];
    float y[16];
    float z[WK_FIELD_SPLIT];
} brickVertices;

static void placeBrick(const wkFieldGrid* grid, const int32_t cell[3], brickVertices* vertices)
{
    for (int i = 0; i < 16; ++i) {
        int column = i % WK_FIELD_SPLIT, row = i / WK_FIELD_SPLIT;
        vertices->x[i] = grid->lower[0] + grid->size * (float)(cell[0] + column);
        vertices->y[i] = grid->lower[1] + grid->size * (float)(cell[1] + row);
    }
    for (int z = 0; z < WK_FIELD_SPLIT; ++z) {
        vertices->z[z] = grid->lower[2] + grid->size * (float)(cell[2] + z);
    }
}

WK_FORCE_FN wkFloatW outsideOf(wkFloatW at, float lower, float upper)
{
    wkFloatW out = wkMaxF(wkSubF(wkSplatF(lower), at), wkSubF(at, wkSplatF(upper)));
    return wkMaxF(out, wkSplatF(0.0f));
}

// Computes squared distances between the vertices of a brick and the nearest box.
static void boundBelow(const wkNearBoxes* boxes, const uint16_t* list, int32_t count,
                       const brickVertices* vertices, float squares[WK_FIELD_SPLIT][16])
{
    wkFloatW x[BRICK_GROUPS], y[BRICK_GROUPS], least[BRICK_GROUPS][WK_FIELD_SPLIT];
    wkQuad z, zero = wkQuadOf(0.0f);
    memcpy(&z, vertices->z, sizeof z);
    for (int g = 0; g < BRICK_GROUPS; ++g) {
        x[g] = wkLoadF(&vertices->x[g * WK_FLOAT_LANES]);
        y[g] = wkLoadF(&vertices->y[g * WK_FLOAT_LANES]);
        for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
            least[g][k] = wkSplatF(WK_CLOUD_FAR * WK_CLOUD_FAR);
        }
    }
    for (int32_t i = 0; i < count; ++i) {
        int32_t box = list[i];
        wkQuad up =
            wkMaxQuad(wkQuadOf(boxes->lower[2][box]) - z, z - wkQuadOf(boxes->upper[2][box]));
        up = wkMaxQuad(up, zero);
        up = up * up;
        for (int g = 0; g < BRICK_GROUPS; ++g) {
            wkFloatW outX = outsideOf(x[g], boxes->lower[0][box], boxes->upper[0][box]);
            wkFloatW outY = outsideOf(y[g], boxes->lower[1][box], boxes->upper[1][box]);
            wkFloatW flat = wkAddF(wkMulF(outX, outX), wkMulF(outY, outY));
            for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
                least[g][k] = wkMinF(least[g][k], wkAddF(flat, wkSplatF(up[k])));
            }
        }
    }
    for (int g = 0; g < BRICK_GROUPS; ++g) {
        for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
            wkStoreF(&squares[k][g * WK_FLOAT_LANES], least[g][k]);
        }
    }
}

// Finds points that are near the middle of each of the eight parts of a brick.
static void findPoints(const wkCloudBuild* build, const wkNearBoxes* boxes, const uint16_t* list,
                       int32_t count, const brickVertices* vertices,
                       float points[3][WK_FIELD_EIGHT])
{
    float size = build->grid->size;
    _Alignas(32) float middles[3][WK_FIELD_EIGHT], found[WK_FIELD_EIGHT];
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        int half[3] = {part % 2, part / 2 % 2, part / 4};
        middles[0][part] = vertices->x[0] + size * (float)(1 + 2 * half[0]);
        middles[1][part] = vertices->y[0] + size * (float)(1 + 2 * half[1]);
        middles[2][part] = vertices->z[0] + size * (float)(1 + 2 * half[2]);
    }
    wkEight x = wkLoad8(middles[0]), y = wkLoad8(middles[1]), z = wkLoad8(middles[2]);
    wkEight least = wkSplat8(FLT_MAX), best = wkSplat8(0.0f);
    for (int32_t i = 0; i < count; ++i) {
        int32_t box = list[i];
        wkEight toX = wkSub8(x, wkSplat8(boxes->point[0][box]));
        wkEight toY = wkSub8(y, wkSplat8(boxes->point[1][box]));
        wkEight toZ = wkSub8(z, wkSplat8(boxes->point[2][box]));
        wkEight square = wkAdd8(wkAdd8(wkMul8(toX, toX), wkMul8(toY, toY)), wkMul8(toZ, toZ));
        best = wkPickGreater8(least, square, wkSplat8((float)box), best);
        least = wkMin8(least, square);
    }
    wkStore8(found, best);
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        for (int axis = 0; axis < 3; ++axis) {
            points[axis][part] = boxes->point[axis][(int32_t)found[part]];
        }
    }
}

// Returns a slope in whole numbers, rounded to nearest.
WK_FORCE_FN wkFloatW roundSlope(wkFloatW slope)
{
    wkFloatW large = wkSplatF(0x1.8p23f), most = wkSplatF((float)WK_FIELD_STEEPEST);
    slope = wkMaxF(wkMinF(slope, most), wkSubF(wkSplatF(0.0f), most));
    return wkSubF(wkAddF(slope, large), large);
}

WK_FORCE_FN wkIntW slopeBits(wkFloatW slope, int shift)
{
    return wkShiftLeftI(wkAndI(wkTruncateF(slope), wkSplatI(63)), shift);
}

// Stores the distances of a brick, and the slopes of its cells: those of the distance from the point of their
// part.
static void storeBrick(const wkCloudBuild* build, const int32_t cell[3],
                       const brickVertices* vertices, float squares[WK_FIELD_SPLIT][16],
                       float points[3][WK_FIELD_EIGHT])
{
    const wkFieldGrid* grid = build->grid;
    wkFloatW half = wkSplatF(0.5f * grid->size);
    _Alignas(64) float from[3][16]; // points of the cells of a layer, and of the one above
    for (int k = 0; k < WK_FIELD_SPLIT; ++k) {
        _Alignas(64) float lower[16], upper[16];
        _Alignas(64) int32_t words[16];
        for (int i = 0; i < 16 && k % 2 == 0; ++i) {
            int part = i / 2 % 2 + 2 * (i / 8) + 4 * (k / 2);
            for (int axis = 0; axis < 3; ++axis) {
                from[axis][i] = points[axis][part];
            }
        }
        for (int at = 0; at < 16; at += WK_FLOAT_LANES) {
            wkFloatW x = wkAddF(wkSubF(wkLoadF(&vertices->x[at]), wkLoadF(&from[0][at])), half);
            wkFloatW y = wkAddF(wkSubF(wkLoadF(&vertices->y[at]), wkLoadF(&from[1][at])), half);
            wkFloatW z = wkAddF(wkSubF(wkSplatF(vertices->z[k]), wkLoadF(&from[2][at])), half);
            wkFloatW away = wkSqrtF(wkAddF(wkAddF(wkMulF(x, x), wkMulF(y, y)), wkMulF(z, z)));
            wkFloatW scale =
                wkDivF(wkSplatF((float)(WK_FIELD_STEEPEST + 1)), wkMaxF(away, wkSplatF(1e-9f)));
            wkIntW word = slopeBits(roundSlope(wkMulF(x, scale)), 14);
            word = wkOrI(word, slopeBits(roundSlope(wkMulF(y, scale)), 20));
            word = wkOrI(word, slopeBits(roundSlope(wkMulF(z, scale)), 26));
            wkStoreF(&lower[at], wkSqrtF(wkLoadF(&squares[k][at])));
            wkStoreF(&upper[at], away);
            wkStoreI(&words[at], word);
        }
        for (int y = 0; y < WK_FIELD_SPLIT; ++y) {
            size_t at = (size_t)cell[0] +
                        (size_t)grid->count[0] * ((size_t)(cell[1] + y) +
                                                  (size_t)grid->count[1] * (size_t)(cell[2] + k));
            memcpy(&build->lower[at], &lower[4 * y], 4 * sizeof *lower);
            memcpy(&build->upper[at], &upper[4 * y], 4 * sizeof *upper);
            memcpy(&build->cloud->words[at], &words[4 * y], 4 * sizeof *words);
        }
    }
}

// Stores that a brick is beyond the reach of the cloud.
static uint32_t farBrick(const wkCloudBuild* build, const int32_t cell[3])
{
    const wkFieldGrid* grid = build->grid;
    for (int i = 0; i < 16; ++i) {
        size_t at = (size_t)cell[0] +
                    (size_t)grid->count[0] * ((size_t)(cell[1] + i % 4) +
                                              (size_t)grid->count[1] * (size_t)(cell[2] + i / 4));
        for (size_t x = at; x < at + WK_FIELD_SPLIT; ++x) {
            build->lower[x] = build->upper[x] = WK_CLOUD_FAR;
            build->cloud->words[x] = 0;
        }
    }
    return 0;
}

// Bounds the distances of a brick, and lists its boxes. @return number of entries
static uint32_t boundBrick(const wkCloudBuild* build, const int32_t cell[3], wkCubeScratch* scratch,
                           wkCloudEntry* entries)
{
    const wkNearBoxes* boxes = &scratch->boxes;
    nearSearch search = searchOf(build, cell, WK_FIELD_SPLIT);
    if (boxes->count == 0) {
        return farBrick(build, cell);
    }
    findNearest(&search, boxes);
    int32_t count = selectNear(&search, boxes, scratch->list);
    brickVertices vertices;
    _Alignas(64) float squares[WK_FIELD_SPLIT][16], points[3][WK_FIELD_EIGHT];
    placeBrick(build->grid, cell, &vertices);
    boundBelow(boxes, scratch->list, count, &vertices, squares);
    findPoints(build, boxes, scratch->list, count, &vertices, points);
    storeBrick(build, cell, &vertices, squares, points);
    return makeEntries(boxes, scratch->list, count, entries);
}

static void boundCube(const wkCloudBuild* build, const int32_t cell[3], unsigned parts,
                      wkCubeScratch* scratch, wkCubeEntries* made)
{
    const wkFieldCloud* cloud = build->cloud;
    nearSearch search = searchOf(build, cell, WK_CLOUD_CUBE);
    uint32_t top = (uint32_t)cloud->firsts[cloud->levelCount - 1];
    search.boxes = &scratch->boxes;
    search.boxes->count = 0;
    unsigned used = wkNotAbove8(wkLoad8(cloud->octets[top].lower[0]), wkSplat8(0.5f * WK_FAR_AWAY));
    descend(&search, top, cloud->levelCount - 1, used);
    visit(&search, top, cloud->levelCount - 1, used);
    padBoxes(search.boxes);
    liftEntries(cloud, search.boxes);
    made->count = 0;
    for (int part = 0; part < WK_FIELD_EIGHT; ++part) {
        const int32_t first[3] = {cell[0] + part % 2 * WK_FIELD_SPLIT,
                                  cell[1] + part / 2 % 2 * WK_FIELD_SPLIT,
                                  cell[2] + part / 4 * WK_FIELD_SPLIT};
        wkCloudEntry* entries = &scratch->entries[made->count];
        if ((parts >> part & 1u) != 0) {
            made->counts[part] = boundBrick(build, first, scratch, entries);
        } else {
            made->counts[part] = 1;
            *entries = (wkCloudEntry){0, 0, WK_CLOUD_UNBOUNDED};
        }
        made->count += made->counts[part];
    }
}

// Bounds at the eight vertices of cells.
typedef struct cellVertices {
    wkFloatW values[WK_FIELD_EIGHT]; // x first
} cellVertices;

WK_FORCE_FN cellVertices loadVertices(const float* lower, size_t row, size_t slice)
{
    cellVertices vertices;
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        vertices.values[i] = wkLoadAnyF(lower + (size_t)(i % 2) + (size_t)(i / 2 % 2) * row +
                                        (size_t)(i / 4) * slice);
    }
    return vertices;
}

// Returns the mean slope along an axis, in whole numbers.
WK_FORCE_FN wkFloatW slopeAlong(const cellVertices* vertices, int axis, float size)
{
    wkFloatW sum = wkSplatF(0.0f);
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        bool isUpper = (i >> axis & 1) != 0;
        sum = isUpper ? wkAddF(sum, vertices->values[i]) : wkSubF(sum, vertices->values[i]);
    }
    return roundSlope(wkMulF(sum, wkSplatF((float)(WK_FIELD_STEEPEST + 1) / (4.0f * size))));
}

// Returns the least distance at a vertex over a plane through zero in the middle.
WK_FORCE_FN wkFloatW leastOverPlane(const cellVertices* vertices, wkFloatW x, wkFloatW y,
                                    wkFloatW z)
{
    wkFloatW least = wkSplatF(FLT_MAX);
    for (int i = 0; i < WK_FIELD_EIGHT; ++i) {
        wkFloatW value = vertices->values[i];
        value = i % 2 == 0 ? wkAddF(value, x) : wkSubF(value, x);
        value = i / 2 % 2 == 0 ? wkAddF(value, y) : wkSubF(value, y);
        value = i / 4 == 0 ? wkAddF(value, z) : wkSubF(value, z);
        least = wkMinF(least, value);
    }
    return least;
}

WK_FORCE_FN wkIntW selectInt(wkFloatW a, wkFloatW b, wkIntW chosen, wkIntW other)
{
    return wkBitsOfF(wkSelectGreaterF(a, b, wkFloatOfBitsI(chosen), wkFloatOfBitsI(other)));
}

// Steps below and above a distance, as wkStepsBelow and wkStepsAbove have them.
WK_FORCE_FN wkFloatW limitSteps(wkFloatW steps, int highest)
{
    return wkMinF(wkMaxF(steps, wkSplatF(0.0f)), wkSplatF((float)highest));
}

// Returns what the steepness of a plane along an axis adds to `lowerPlaneInside`.
WK_FORCE_FN wkFloatW steepTerm(wkFloatW along, wkFloatW most, float halfSquare)
{
    wkFloatW square = wkMulF(along, along);
    wkFloatW curved =
        wkDivF(wkMulF(wkMulF(wkSplatF(0.5f), most), square), wkSubF(wkSplatF(halfSquare), square));
    return wkMinF(curved, wkAbsF(along));
}

// Lowers a plane P that is below the distances at the vertices until it is below those in the whole cell, by d.
// Along an axis, u goes from -1 to 1 through the cell, and 2 d P - d^2 has to be at least the sum of
// h^2 (1 - g^2) (1 - u^2), with half the edge h: then (P - d)^2 is below the squared distance. The least of the
// difference is a quadratic function of each u, so for any d up to some D it is enough that 2 d times
// P in the middle - D / 2 - the sum of min(D g^2 / (2 (1 - g^2)), h |g|) is at least the sum of h^2 (1 - g^2).
// @param isKnown above zero where such a d was found
WK_FORCE_FN wkFloatW lowerPlaneInside(wkFloatW middle, wkFloatW lowest, wkFloatW bent, wkFloatW x,
                                      wkFloatW y, wkFloatW z, float half, wkFloatW* isKnown)
{
    wkFloatW zero = wkSplatF(0.0f), tiny = wkSplatF(1e-6f);
    wkFloatW most = wkDivF(bent, wkMaxF(middle, tiny));
    wkFloatW terms = wkAddF(steepTerm(x, most, half * half), steepTerm(y, most, half * half));
    terms = wkAddF(terms, steepTerm(z, most, half * half));
    wkFloatW left = wkSubF(middle, wkAddF(terms, wkMulF(wkSplatF(0.5f), most)));
    wkFloatW down = wkDivF(wkMulF(wkSplatF(0.5f), bent), wkMaxF(left, tiny));
    // all vertices of the plane have to be above zero, and d has to be at most D
    wkFloatW isWithin = wkSubF(wkAddF(left, left), middle);
    *isKnown = wkKeepGreaterF(lowest, zero, isWithin);
    return wkSubF(middle, down);
}

// Makes the words of as many cells as there are lanes.
// @param pointSlopes of the distance from the points of the cells
WK_FORCE_FN wkIntW makeWords(const wkCloudBuild* build, wkIntW pointSlopes, const float* lower,
                             const float* upper)
{
    const wkFieldGrid* grid = build->grid;
    const wkFieldCloud* cloud = build->cloud;
    size_t row = (size_t)grid->count[0], slice = row * (size_t)grid->count[1];
    wkFloatW unit = wkSplatF(0.5f * grid->slope), zero = wkSplatF(0.0f);
    cellVertices vertices = loadVertices(lower, row, slice);
    wkFloatW wholeX = slopeAlong(&vertices, 0, grid->size);
    wkFloatW wholeY = slopeAlong(&vertices, 1, grid->size);
    wkFloatW wholeZ = slopeAlong(&vertices, 2, grid->size);
    wkFloatW x = wkMulF(wholeX, unit), y = wkMulF(wholeY, unit), z = wkMulF(wholeZ, unit);
    wkFloatW least = leastOverPlane(&vertices, x, y, z);
    wkFloatW steep = wkAddF(wkAddF(wkAbsF(x), wkAbsF(y)), wkAbsF(z));

    // the plane at its lowest vertex, and what the bound for the inside of the cell takes off there
    float half = 0.5f * grid->size;
    wkFloatW lowest = wkMaxF(wkSubF(least, steep), zero);
    wkFloatW bent = wkSubF(wkSplatF(3.0f * half * half),
                           wkAddF(wkAddF(wkMulF(x, x), wkMulF(y, y)), wkMulF(z, z)));
    wkFloatW isKnown;
    wkFloatW middle = lowerPlaneInside(least, lowest, bent, x, y, z, half, &isKnown);
    middle = wkSubF(middle, wkSplatF(cloud->sphere + cloud->slack));

    // the plane above
    float wide = half + build->wider;
    wkFloatW away = wkLoadAnyF(upper);
    wkFloatW bentUp = wkDivF(wkSplatF(1.5f * wide * wide), wkMaxF(away, wkSplatF(1e-9f)));
    wkFloatW pointX = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(pointSlopes, 12), 26));
    wkFloatW pointY = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(pointSlopes, 6), 26));
    wkFloatW pointZ = wkToFloatI(wkShiftRightSignI(pointSlopes, 26));
    wkFloatW between = wkAddF(wkAbsF(wkSubF(pointX, wholeX)), wkAbsF(wkSubF(pointY, wholeY)));
    between = wkAddF(between, wkAbsF(wkSubF(pointZ, wholeZ)));
    // the slopes of points are rounded: by half a unit, and one of them by up to one where it is the steepest
    between = wkAddF(between, wkSplatF(2.0f));
    wkFloatW tangent =
        wkAddF(bentUp, wkMulF(between, wkSplatF(wide / (float)(WK_FIELD_STEEPEST + 1))));
    wkFloatW byWay = wkAddF(wkSplatF(SQRT3 * wide), steep);
    wkFloatW most = wkSubF(away, wkSplatF(cloud->sphere - cloud->slack));
    wkFloatW above = wkAddF(most, wkMinF(tangent, byWay));
    most = wkAddF(most, wkSplatF(SQRT3 * wide));

    wkFloatW raised = wkSubF(wkSplatF(grid->bias), wkAddF(wkAddF(x, y), z));
    wkFloatW vertex = wkSubF(wkAddF(middle, raised), wkSplatF(build->wider));
    // nothing is known below where the bound of the inside vanishes
    vertex = wkSelectGreaterF(isKnown, zero, vertex, zero);
    wkFloatW steps =
        limitSteps(wkSubF(wkMulF(vertex, wkSplatF(1.0f / grid->step)), wkSplatF(WK_STEP_ROUNDING)),
                   WK_FIELD_FAR);
    wkIntW whole = wkTruncateF(steps);
    wkFloatW gap = wkSubF(wkAddF(wkAddF(above, raised), wkSplatF(build->wider)),
                          wkMulF(wkToFloatI(whole), wkSplatF(grid->step)));
    wkFloatW flat =
        wkAddF(most, wkSplatF(grid->bias + build->wider - (float)build->flatSteps * grid->step));
    wkFloatW chosen = wkSelectGreaterF(vertex, zero, gap, flat);
    wkIntW gaps = wkTruncateF(limitSteps(
        wkAddF(wkMulF(chosen, wkSplatF(1.0f / grid->gapStep)), wkSplatF(1.0f + WK_STEP_ROUNDING)),
        WK_FIELD_NONE));
    wkIntW plane = wkOrI(whole, slopeBits(wholeX, 14));
    plane = wkOrI(plane, wkOrI(slopeBits(wholeY, 20), slopeBits(wholeZ, 26)));
    plane = selectInt(vertex, zero, plane, wkSplatI(build->flatSteps));
    return wkOrI(plane, wkShiftLeftI(gaps, 8));
}

static void fillSlice(const wkCloudBuild* build, int32_t z)
{
    const wkFieldGrid* grid = build->grid;
    const uint8_t* bricks =
        &build->isBounded[(z / WK_FIELD_SPLIT) * (grid->count[1] / WK_FIELD_SPLIT) *
                          (grid->count[0] / WK_FIELD_SPLIT)];
    for (int32_t y = 1; y < grid->count[1] - 1; ++y) {
        size_t row = (size_t)grid->count[0] * ((size_t)y + (size_t)grid->count[1] * (size_t)z);
        const uint8_t* isBounded =
            &bricks[(y / WK_FIELD_SPLIT) * (grid->count[0] / WK_FIELD_SPLIT)];
        for (int32_t x = 0; x < grid->count[0]; x += WK_FLOAT_LANES) {
            size_t at = row + (size_t)x;
            uint32_t* into = &build->cloud->words[at];
            int32_t left = grid->count[0] - x;
            int32_t count = left < WK_FLOAT_LANES ? left : WK_FLOAT_LANES;
            int any = 0;
            for (int32_t i = 0; i < count; i += WK_FIELD_SPLIT) {
                any |= isBounded[(x + i) / WK_FIELD_SPLIT];
            }
            wkFloatW slopes;
            _Alignas(64) float part[WK_FLOAT_LANES];
            if (count == WK_FLOAT_LANES) {
                slopes = wkLoadAnyF((const float*)(const void*)into);
            } else {
                memcpy(part, into, (size_t)count * sizeof *part);
                slopes = wkLoadF(part);
            }
            wkIntW words = wkSplatI(WK_FIELD_NONE << 8);
            if (any != 0) {
                words = makeWords(build, wkBitsOfF(slopes), &build->lower[at], &build->upper[at]);
            }
            if (count == WK_FLOAT_LANES) {
                wkStoreAnyF((float*)(void*)into, wkFloatOfBitsI(words));
            } else {
                wkStoreF(part, wkFloatOfBitsI(words));
                memcpy(into, part, (size_t)count * sizeof *part);
            }
        }
    }
}

// A plane of a word.
typedef struct wordPlane {
    wkFloatW steps;
    wkFloatW slope[3];
    wkIntW gap;
} wordPlane;

WK_FORCE_FN wordPlane planeOf(wkIntW word)
{
    wordPlane plane;
    plane.steps = wkToFloatI(wkAndI(word, wkSplatI(0xff)));
    plane.slope[0] = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(word, 12), 26));
    plane.slope[1] = wkToFloatI(wkShiftRightSignI(wkShiftLeftI(word, 6), 26));
    plane.slope[2] = wkToFloatI(wkShiftRightSignI(word, 26));
    plane.gap = wkAndI(wkShiftRightI(word, 8), wkSplatI(WK_FIELD_NONE));
    return plane;
}

// Returns how far a plane is below another one in the whole cell, in metres; negative: it is above somewhere.
WK_FORCE_FN wkFloatW belowOf(const wkFieldGrid* grid, const wordPlane* a, const wordPlane* b)
{
    wkFloatW zero = wkSplatF(0.0f), sum = zero;
    for (int axis = 0; axis < 3; ++axis) {
        sum = wkAddF(sum, wkMinF(wkSubF(b->slope[axis], a->slope[axis]), zero));
    }
    return wkAddF(wkMulF(wkSubF(b->steps, a->steps), wkSplatF(grid->step)),
                  wkMulF(sum, wkSplatF(grid->slope)));
}

// Lowers a plane by a length; its upper bound stays where it is.
WK_FORCE_FN wkIntW lowerPlane(const wkFieldGrid* grid, wkIntW word, const wordPlane* plane,
                              wkFloatW by)
{
    wkFloatW down =
        wkToFloatI(wkTruncateF(wkAddF(wkMulF(by, wkSplatF(1.0f / grid->step)), wkSplatF(1.01f))));
    wkFloatW steps = wkSubF(plane->steps, down), zero = wkSplatF(0.0f);
    wkFloatW gap = wkMulF(wkToFloatI(plane->gap), wkSplatF(grid->gapStep));
    // a plane that ends below zero becomes flat
    wkFloatW rise = zero;
    for (int axis = 0; axis < 3; ++axis) {
        rise = wkAddF(rise, wkMaxF(plane->slope[axis], zero));
    }
    wkFloatW flat = wkAddF(wkAddF(gap, wkMulF(plane->steps, wkSplatF(grid->step))),
                           wkMulF(rise, wkSplatF(grid->slope)));
    wkFloatW sloped = wkAddF(gap, wkMulF(down, wkSplatF(grid->step)));
    wkFloatW wide = wkSelectGreaterF(zero, steps, flat, sloped);
    wkIntW gaps = wkTruncateF(limitSteps(
        wkAddF(wkMulF(wide, wkSplatF(1.0f / grid->gapStep)), wkSplatF(1.0f + WK_STEP_ROUNDING)),
        WK_FIELD_NONE));
    // what had no upper bound has none
    gaps = selectInt(wkToFloatI(plane->gap), wkSplatF((float)WK_FIELD_NONE - 0.5f),
                     wkSplatI(WK_FIELD_NONE), gaps);
    wkIntW slopes = wkAndI(word, wkSplatI((int32_t)0xffffc000u));
    wkIntW lowered = wkOrI(slopes, wkTruncateF(wkMaxF(steps, zero)));
    lowered = selectInt(zero, steps, wkSplatI(0), lowered);
    return wkOrI(lowered, wkShiftLeftI(gaps, 8));
}

// Returns the merged words of as many cells as there are lanes.
WK_FORCE_FN wkIntW mergeWords(const wkFieldGrid* grid, wkIntW a, wkIntW b)
{
    wkFloatW zero = wkSplatF(0.0f);
    wordPlane planeA = planeOf(a), planeB = planeOf(b);
    wkFloatW aBelow = belowOf(grid, &planeA, &planeB);
    wkFloatW bBelow = belowOf(grid, &planeB, &planeA);
    wkIntW lowA = selectInt(zero, aBelow, lowerPlane(grid, a, &planeA, wkSubF(zero, aBelow)), a);
    wkIntW lowB = selectInt(zero, bBelow, lowerPlane(grid, b, &planeB, wkSubF(zero, bBelow)), b);
    // the one that has to be lowered by less
    return selectInt(bBelow, aBelow, lowB, lowA);
}

// The number of cells is a multiple of that of lanes, as there are whole bricks.
static void merge(const wkFieldGrid* grid, const uint32_t* words, bool isCertain, int32_t count,
                  uint32_t* into)
{
    wkIntW far = wkSplatI(WK_FIELD_FAR | WK_FIELD_NONE << 8);
    wkIntW more = wkSplatI(isCertain ? 0 : WK_FIELD_NONE << 8);
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkIntW a = wkLoadI((const int32_t*)&into[i]);
        wkIntW b = wkOrI(wkLoadI((const int32_t*)&words[i]), more);
        // most cells are far from all other objects, or from the cloud
        if (wkEqualBitsI(b, far) == WK_ALL_FLOAT_LANES) {
            continue;
        }
        bool isAlone = wkEqualBitsI(a, far) == WK_ALL_FLOAT_LANES;
        wkStoreI((int32_t*)&into[i], isAlone ? b : mergeWords(grid, a, b));
    }
}

// A sphere, or a point, among the points of a cloud.
typedef struct pointSearch {
    const wkFieldCloud* cloud;
    const float* center;
    float local[3]; // the center in the frame of the cloud
    float reach;    // of the sphere, with that of all points
    float square;   // reach squared, or the least squared distance
} pointSearch;

static pointSearch pointSearchOf(const wkFieldCloud* cloud, const float center[3], float reach)
{
    wkVec3d local =
        wkFrameLocal(&cloud->frame, wkVec((double)center[0], (double)center[1], (double)center[2]));
    pointSearch search = {
        cloud, center, {(float)local.x, (float)local.y, (float)local.z}, reach, reach * reach};
    return search;
}

// Returns the squared distances of the points of a group from the center.
WK_FORCE_FN wkEight groupSquares(const pointSearch* search, uint32_t group)
{
    const wkPointGroup* from = &wkCloudGroups(search->cloud->cloud)[group];
    const float* columns[3] = {from->x, from->y, from->z};
    wkEight sum = wkSplat8(0.0f);
    for (int axis = 0; axis < 3; ++axis) {
        _Alignas(32) float column[WK_OCTET];
        memcpy(column, columns[axis], sizeof column);
        wkEight out = wkSub8(wkLoad8(column), wkSplat8(search->local[axis]));
        sum = wkAdd8(sum, wkMul8(out, out));
    }
    return sum;
}

static bool touchesGroup(const pointSearch* search, uint32_t group)
{
    wkEight squares = groupSquares(search, group);
    if (search->cloud->cloud->radiusOffset == 0) {
        return wkNotAbove8(squares, wkSplat8(search->square)) != 0;
    }
    wkEight reach = wkAdd8(radiiOf(search->cloud, group), wkSplat8(search->reach));
    return wkNotAbove8(squares, wkMul8(reach, reach)) != 0;
}

static bool touchesBoxes(const pointSearch* search, uint32_t octet, int level, unsigned mask)
{
    const wkFieldCloud* cloud = search->cloud;
    wkEight squares = boxSquares(&cloud->octets[octet], search->center);
    unsigned near = wkNotAbove8(squares, wkSplat8(search->square)) & mask;
    for (; near != 0; near &= near - 1) {
        int slot = __builtin_ctz(near);
        bool isTouching =
            level == 0 ? touchesGroup(search, octet * WK_OCTET + (uint32_t)slot)
                       : touchesBoxes(search, childOf(cloud, octet, level, slot), level - 1, 0xff);
        if (isTouching) {
            return true;
        }
    }
    return false;
}

static bool touches(const wkFieldCloud* cloud, int32_t brick, const float center[3], float radius)
{
    float reach = radius + cloud->sphere + cloud->slack;
    if (reach < 0.0f) {
        return false;
    }
    // NaN touches
    pointSearch search = pointSearchOf(cloud, center, reach);
    for (uint32_t i = cloud->bricks[brick]; i < cloud->bricks[brick + 1]; ++i) {
        const wkCloudEntry* entry = &cloud->entries[i];
        if (touchesBoxes(&search, entry->octet, entry->level, entry->mask)) {
            return true;
        }
    }
    return false;
}

// Lowers the least distance by the points of a group. Boxes cull by its square, so it is kept at 0 or more: points
// with radii of their own may contain the center.
static void nearGroup(pointSearch* search, uint32_t group, float* least)
{
    _Alignas(32) float away[WK_OCTET];
    wkStore8(away, wkSub8(wkSqrt8(groupSquares(search, group)), radiiOf(search->cloud, group)));
    for (int i = 0; i < WK_OCTET; ++i) {
        *least = away[i] < *least ? away[i] : *least;
    }
    float positive = *least > 0.0f ? *least : 0.0f;
    search->square = positive * positive;
}

static void nearBoxes(pointSearch* search, uint32_t octet, int level, unsigned mask, float* least)
{
    const wkFieldCloud* cloud = search->cloud;
    _Alignas(32) float squares[WK_OCTET];
    wkEight all = boxSquares(&cloud->octets[octet], search->center);
    wkStore8(squares, all);
    unsigned near = wkNotAbove8(all, wkSplat8(search->square)) & mask;
    for (; near != 0; near &= near - 1) {
        int slot = __builtin_ctz(near);
        if (squares[slot] > search->square) {
            continue;
        }
        if (level == 0) {
            nearGroup(search, octet * WK_OCTET + (uint32_t)slot, least);
        } else {
            nearBoxes(search, childOf(cloud, octet, level, slot), level - 1, 0xff, least);
        }
    }
}

static float distance(const wkFieldCloud* cloud, int32_t brick, const float center[3], float limit)
{
    float taken = cloud->sphere + cloud->slack, reach = limit + taken;
    if (reach < 0.0f) {
        return limit;
    }
    pointSearch search = pointSearchOf(cloud, center, reach);
    float least = reach;
    for (uint32_t i = cloud->bricks[brick]; i < cloud->bricks[brick + 1]; ++i) {
        const wkCloudEntry* entry = &cloud->entries[i];
        nearBoxes(&search, entry->octet, entry->level, entry->mask, &least);
    }
    return least < reach ? least - taken : limit;
}

extern const wkFieldCloudLanes WK_KERNEL(wkFieldCloudLanes);
const wkFieldCloudLanes WK_KERNEL(wkFieldCloudLanes) = {placeOctet, boundCube, fillSlice,
                                                        merge,      touches,   distance};
