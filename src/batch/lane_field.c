// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Bounds of the distance between a box and 64 cubes, as many at a time as there are lanes, and looks at
// the cells that they make.
//
// Along an axis of the box a cube reaches as far from its center as the sum of its half edges does. So
// no point of it is nearer along that axis than its center less that reach, nor further than its center
// and that reach, and the three axes add up like coordinates. For boxes that are not turned this is
// exact.

#include "batch/lane_field.h"
#include "batch/field_build.h"

#include <math.h>

// Where cubes are along each axis, in edges from the middle.
_Static_assert(WK_FIELD_SPLIT == 4, "places below are those of four");
#define FOUR_TIMES(a) a, a, a, a
#define ALONG_X -1.5f, -0.5f, 0.5f, 1.5f
#define ALONG_Y FOUR_TIMES(-1.5f), FOUR_TIMES(-0.5f), FOUR_TIMES(0.5f), FOUR_TIMES(1.5f)
#define LAYER(a) FOUR_TIMES(a), FOUR_TIMES(a), FOUR_TIMES(a), FOUR_TIMES(a)
static const _Alignas(64) float places[3][WK_FIELD_PARTS] = {
    {FOUR_TIMES(ALONG_X), FOUR_TIMES(ALONG_X), FOUR_TIMES(ALONG_X), FOUR_TIMES(ALONG_X)},
    {ALONG_Y, ALONG_Y, ALONG_Y, ALONG_Y},
    {LAYER(-1.5f), LAYER(-0.5f), LAYER(0.5f), LAYER(1.5f)},
};

// Signed distance from a box, by how far beyond its faces something is along each axis.
WK_FORCE_FN wkFloatW signedDistance(const wkFloatW beyond[3])
{
    wkFloatW zero = wkSplatF(0.0f), square = zero;
    for (int k = 0; k < 3; ++k) {
        wkFloatW out = wkMaxF(beyond[k], zero);
        square = wkAddF(square, wkMulF(out, out));
    }
    wkFloatW deepest = wkMaxF(wkMaxF(beyond[0], beyond[1]), beyond[2]);
    return wkAddF(wkSqrtF(square), wkMinF(deepest, zero));
}

static void boundBox(const wkFieldBox* box, const wkFieldCubes* cubes, wkFieldBounds* bounds)
{
    // along each axis of the box: the middle of all cubes, the way from one to the next along an axis of
    // the world, and how far a cube reaches beyond its center
    float middle[3], way[3][3], reach[3];
    for (int k = 0; k < 3; ++k) {
        middle[k] = 0.0f;
        reach[k] = 0.0f;
        for (int axis = 0; axis < 3; ++axis) {
            middle[k] += box->row[axis][k] * (cubes->center[axis] - box->center[axis]);
            reach[k] += fabsf(box->row[axis][k]) * cubes->half;
            way[k][axis] = box->row[axis][k] * cubes->edge;
        }
    }
    wkFloatW ball = wkSplatF(box->ball);
    for (int i = 0; i < WK_FIELD_PARTS; i += WK_FLOAT_LANES) {
        wkFloatW x = wkLoadF(&places[0][i]), y = wkLoadF(&places[1][i]);
        wkFloatW z = wkLoadF(&places[2][i]), near[3], far[3];
        for (int k = 0; k < 3; ++k) {
            wkFloatW along =
                wkAddF(wkAddF(wkMulF(x, wkSplatF(way[k][0])), wkMulF(y, wkSplatF(way[k][1]))),
                       wkAddF(wkMulF(z, wkSplatF(way[k][2])), wkSplatF(middle[k])));
            wkFloatW beyond = wkSubF(wkAbsF(along), wkSplatF(box->row[k][3]));
            near[k] = wkSubF(beyond, wkSplatF(reach[k]));
            far[k] = wkAddF(beyond, wkSplatF(reach[k]));
        }
        wkStoreF(&bounds->lower[i], wkSubF(signedDistance(near), ball));
        wkStoreF(&bounds->upper[i], wkSubF(signedDistance(far), ball));
    }
}

static void look(const wkFieldGrid* grid, const wkFieldBalls* balls, int32_t count,
                 uint8_t* answers)
{
    for (int32_t i = 0; i < count; i += WK_FLOAT_LANES) {
        wkFieldBits bits = wkLookAtField(grid, wkLoadF(&balls->x[i]), wkLoadF(&balls->y[i]),
                                         wkLoadF(&balls->z[i]), wkLoadF(&balls->radius[i]));
        for (int lane = 0; lane < WK_FLOAT_LANES; ++lane) {
            answers[i + lane] = (uint8_t)((bits.open >> lane & 1u) + (bits.touching >> lane & 1u));
        }
    }
}

extern const wkFieldLanes WK_LANE(wkFieldLanes);
const wkFieldLanes WK_LANE(wkFieldLanes) = {boundBox, look};
