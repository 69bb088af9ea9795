// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Orders boxes before they are grouped: halves of halves along the longest side, large boxes last.

#include "scene/packed_boxes.h"

// A selection needs about 1.5 rounds per bit of the count.
#define SELECT_ROUNDS 64
// Boxes larger than most by this factor are sorted last, where they enlarge few groups.
#define LARGE_FACTOR 8.0f

static float longestSide(const wkFloatBox* box)
{
    float x = box->upper[0] - box->lower[0], y = box->upper[1] - box->lower[1];
    float z = box->upper[2] - box->lower[2];
    float longest = x > y ? x : y;
    return z > longest ? z : longest;
}

// A size that few boxes exceed; unbounded boxes are ignored.
static float largeSize(const wkDynLeaf* items, int32_t count)
{
    double sum = 0.0;
    int32_t sizedCount = 0;
    for (int32_t i = 0; i < count; ++i) {
        float size = longestSide(&items[i].box);
        if (size < FLT_MAX) {
            sum += (double)size;
            ++sizedCount;
        }
    }
    return LARGE_FACTOR * (float)(sizedCount > 0 ? sum / sizedCount : 0.0);
}

// Collects the centers of all boxes, those of large boxes last.
// @return number of boxes that are not large
static int32_t makePoints(wkPackPoint* points, const wkDynLeaf* items, int32_t count)
{
    float large = largeSize(items, count);
    int32_t front = 0, back = count;
    for (int32_t i = 0; i < count; ++i) {
        const wkFloatBox* box = &items[i].box;
        bool isSmall = longestSide(box) <= large;
        wkPackPoint* point = &points[isSmall ? front++ : --back];
        for (int axis = 0; axis < 3; ++axis) {
            point->middle[axis] = 0.5f * box->lower[axis] + 0.5f * box->upper[axis];
        }
        point->item = i;
    }
    return front;
}

static int longestAxis(const wkPackPoint* points, int32_t count)
{
    float lower[3] = {INFINITY, INFINITY, INFINITY}, upper[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int32_t i = 0; i < count; ++i) {
        for (int axis = 0; axis < 3; ++axis) {
            float middle = points[i].middle[axis];
            lower[axis] = middle < lower[axis] ? middle : lower[axis];
            upper[axis] = middle > upper[axis] ? middle : upper[axis];
        }
    }
    float x = upper[0] - lower[0], y = upper[1] - lower[1], z = upper[2] - lower[2];
    return x >= y && x >= z ? 0 : (y >= z ? 1 : 2);
}

static float middleOfThree(float a, float b, float c)
{
    float low = a < b ? a : b, high = a < b ? b : a;
    return c < low ? low : (c > high ? high : c);
}

// Moves the `middle` smallest points along an axis to the front (Hoare's selection). When the limit of
// rounds is reached the rest stays as it is: groups are looser then but still correct.
static void selectFirst(wkPackPoint* points, int32_t count, int32_t middle, int axis)
{
    int32_t first = 0, last = count - 1;
    for (int round = 0; round < SELECT_ROUNDS && first < last; ++round) {
        float pivot = middleOfThree(points[first].middle[axis],
                                    points[first + (last - first) / 2].middle[axis],
                                    points[last].middle[axis]);
        int32_t i = first, j = last;
        while (i <= j) {
            while (points[i].middle[axis] < pivot) {
                ++i;
            }
            while (points[j].middle[axis] > pivot) {
                --j;
            }
            if (i <= j) {
                wkPackPoint point = points[i];
                points[i++] = points[j];
                points[j--] = point;
            }
        }
        if (middle <= j) {
            last = j;
        } else if (middle >= i) {
            first = i;
        } else {
            break;
        }
    }
}

// Orders points so that each run of `unit` points, a power of eight, is close together, and so is each
// eighth of a run.
static void arrange(wkPackPoint* points, int32_t count, int32_t unit)
{
    while (unit > 1 && count <= unit) {
        unit /= WK_GROUP;
    }
    if (unit < WK_GROUP) {
        return;
    }
    int32_t units = (count + unit - 1) / unit;
    int32_t half = (units + 1) / 2 * unit;
    selectFirst(points, count, half, longestAxis(points, count));
    arrange(points, half, unit);
    arrange(points + half, count - half, unit);
}

void wkArrangeBoxes(wkPackPoint* points, const wkDynLeaf* items, int32_t count, int32_t unit)
{
    arrange(points, makePoints(points, items, count), unit);
}
