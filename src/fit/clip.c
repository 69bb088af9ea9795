// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Cells of a triangle: see clip.h.

#include "fit/clip.h"

// Points count as those of a ball when they are up to this far beyond the plane, as a share of the largest
// square: far above what rounding does to it, so that no point is left out of all cells.
#define BEYOND 1e-13

// Below `limit` where a point belongs to one ball rather than another. It is linear.
typedef struct preference {
    wkVec3d slope;
    double offset;
    double limit;
} preference;

static double powerOf(wkBall ball, wkVec3d origin)
{
    return wkLengthSquared(wkSub(ball.center, origin)) - ball.radius * ball.radius;
}

static double squareOf(wkBall ball, wkVec3d origin)
{
    return wkLengthSquared(wkSub(ball.center, origin)) + ball.radius * ball.radius;
}

static preference preferenceOf(wkBall ball, wkBall other, wkVec3d origin, double size)
{
    preference p = {wkScale(2.0, wkSub(other.center, ball.center)),
                    powerOf(ball, origin) - powerOf(other, origin), 0.0};
    double square = wkMaxD(squareOf(ball, origin), squareOf(other, origin));
    p.limit = BEYOND * wkMaxD(square, size * size);
    return p;
}

// Leaves the part of a cell that belongs to the ball. False: no room.
static bool clipCell(const preference* p, wkVec3d origin, wkClipCell* cell)
{
    wkClipCell whole = *cell;
    cell->count = 0;
    for (int i = 0; i < whole.count; ++i) {
        if (cell->count + 2 > WK_CLIP_POINTS) {
            return false;
        }
        wkVec3d a = whole.points[i], b = whole.points[i + 1 < whole.count ? i + 1 : 0];
        double atA = wkDot(p->slope, wkSub(a, origin)) + p->offset - p->limit;
        double atB = wkDot(p->slope, wkSub(b, origin)) + p->offset - p->limit;
        if (atA <= 0.0) {
            cell->points[cell->count++] = a;
        }
        if ((atA <= 0.0) != (atB <= 0.0)) {
            cell->points[cell->count++] = wkMulAdd(a, atA / (atA - atB), wkSub(b, a));
        }
    }
    return true;
}

bool wkClipTriangle(const wkVec3d corners[3], const wkBall* balls, int count, wkClipCell* cells)
{
    wkVec3d origin = corners[0];
    double size = sqrt(wkMaxD(wkLengthSquared(wkSub(corners[1], origin)),
                              wkLengthSquared(wkSub(corners[2], origin))));
    for (int i = 0; i < count; ++i) {
        wkClipCell* cell = &cells[i];
        cell->count = 3;
        for (int k = 0; k < 3; ++k) {
            cell->points[k] = corners[k];
        }
        for (int k = 0; k < count && cell->count > 0; ++k) {
            preference p = preferenceOf(balls[i], balls[k], origin, size);
            if (k != i && !clipCell(&p, origin, cell)) {
                return false;
            }
        }
    }
    return true;
}
