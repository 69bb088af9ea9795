// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cells of a triangle: see clip.h.

#include "fit/clip.h"

// Points count as those of a ball when they are up to this far beyond the plane, as a share of the largest
// square: far above what rounding does to it, so that no point is left out of all cells.
#define BEYOND 1e-13

// A ball as seen from a corner of the triangle.
typedef struct seenBall {
    wkVec3d center;
    double power;  // square of its distance less that of its radius
    double square; // their sum
} seenBall;

static seenBall seeBall(wkBall ball, wkVec3d origin)
{
    wkVec3d center = wkSub(ball.center, origin);
    double distance = wkLengthSquared(center), radius = ball.radius * ball.radius;
    seenBall seen = {center, distance - radius, distance + radius};
    return seen;
}

// How much a point would rather belong to another ball, for each point of a cell; up to 0 it stays. That is
// linear along edges. Returns how many points stay.
static int preferOther(const seenBall* ball, const seenBall* other, double size, wkVec3d origin,
                       const wkClipCell* cell, double preferences[WK_CLIP_POINTS])
{
    wkVec3d slope = wkScale(2.0, wkSub(other->center, ball->center));
    double square = wkMaxD(wkMaxD(ball->square, other->square), size);
    double offset = ball->power - other->power - BEYOND * square;
    int stayCount = 0;
    for (int i = 0; i < cell->count; ++i) {
        preferences[i] = wkDot(slope, wkSub(cell->points[i], origin)) + offset;
        stayCount += preferences[i] <= 0.0;
    }
    return stayCount;
}

// Leaves the part of a cell that stays. False: no room.
static bool clipCell(const double preferences[WK_CLIP_POINTS], wkClipCell* cell)
{
    wkClipCell whole = *cell;
    cell->count = 0;
    for (int i = 0; i < whole.count; ++i) {
        if (cell->count + 2 > WK_CLIP_POINTS) {
            return false;
        }
        int next = i + 1 < whole.count ? i + 1 : 0;
        wkVec3d a = whole.points[i], b = whole.points[next];
        double atA = preferences[i], atB = preferences[next];
        if (atA <= 0.0) {
            cell->points[cell->count++] = a;
        }
        if ((atA <= 0.0) != (atB <= 0.0)) {
            cell->points[cell->count++] = wkMulAdd(a, atA / (atA - atB), wkSub(b, a));
        }
    }
    return true;
}

static bool makeCell(const seenBall* balls, int count, int index, double size, wkVec3d origin,
                     wkClipCell* cell)
{
    for (int i = 0; i < count && cell->count > 0; ++i) {
        double preferences[WK_CLIP_POINTS];
        int stayCount =
            i == index ? cell->count
                       : preferOther(&balls[index], &balls[i], size, origin, cell, preferences);
        if (stayCount == 0) {
            cell->count = 0;
        } else if (stayCount < cell->count && !clipCell(preferences, cell)) {
            return false;
        }
    }
    return true;
}

bool wkClipTriangle(const wkVec3d corners[3], const wkBall* balls, int count, wkClipCell* cells)
{
    seenBall seen[WK_CLIP_BALLS];
    wkVec3d origin = corners[0];
    double size = wkMaxD(wkLengthSquared(wkSub(corners[1], origin)),
                         wkLengthSquared(wkSub(corners[2], origin)));
    for (int i = 0; i < count; ++i) {
        seen[i] = seeBall(balls[i], origin);
    }
    for (int i = 0; i < count; ++i) {
        cells[i].count = 3;
        for (int k = 0; k < 3; ++k) {
            cells[i].points[k] = corners[k];
        }
        if (!makeCell(seen, count, i, size, origin, &cells[i])) {
            return false;
        }
    }
    return true;
}
