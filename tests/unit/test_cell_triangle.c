// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// A cell and a triangle: what the axes say is what the distance says, and they say something about
// nearly all of them.

#include "query/map/cell_triangle.h"
#include "unit_kit.h"
#include "whisker/query.h"

#define TRIANGLE_COUNT 20000

typedef void bendFcn(wkRng* rng, wkVec3d faceVertices[3]);

static void leave(wkRng* rng, wkVec3d faceVertices[3])
{
    (void)rng, (void)faceVertices;
}

// Edges along the axes of the cell, or nearly so.
static void rectify(wkRng* rng, wkVec3d faceVertices[3])
{
    double off = wkRngChance(rng, 2) ? 0.0 : wkRngLogRange(rng, 1e-16, 1e-3);
    faceVertices[1] = wkAdd(faceVertices[0], wkVec(wkRngRange(rng, -2.0, 2.0), off, 0.0));
    faceVertices[2] = wkAdd(faceVertices[0], wkVec(off, wkRngRange(rng, -2.0, 2.0), off));
}

static void thin(wkRng* rng, wkVec3d faceVertices[3])
{
    double width = wkRngChance(rng, 4) ? 0.0 : wkRngLogRange(rng, 1e-17, 1e-2);
    double share = wkRngUnit(rng);
    faceVertices[2] = wkMulAdd(faceVertices[0], share, wkSub(faceVertices[1], faceVertices[0]));
    faceVertices[2] = wkMulAdd(faceVertices[2], width, wkRngDirection(rng));
}

// A vertex on the surface of the cell, or nearly so.
static void touch(wkRng* rng, wkVec3d faceVertices[3])
{
    double off = wkRngChance(rng, 2) ? 0.0 : wkRngSign(rng) * wkRngLogRange(rng, 1e-16, 1e-6);
    double x = wkRngRange(rng, -1.0, 1.0), y = wkRngRange(rng, -1.0, 1.0);
    wkVec3d shift = wkSub(wkVec(x, y, 1.0 + off), faceVertices[0]);
    for (int i = 0; i < 3; ++i) {
        faceVertices[i] = wkAdd(faceVertices[i], shift);
        faceVertices[i].z = wkMaxD(faceVertices[i].z, faceVertices[0].z);
    }
}

static const struct {
    const char* name;
    bendFcn* bend;
    double unsure; // no more than this share
} kinds[] = {
    {"any", leave, 0.001},
    {"straight", rectify, 0.05},
    {"thin", thin, 1.0},
    {"touching", touch, 1.0},
};

static wkVec3d randomVertex(wkRng* rng, double reach)
{
    double x = wkRngRange(rng, -reach, reach), y = wkRngRange(rng, -reach, reach);
    return wkVec(x, y, wkRngRange(rng, -reach, reach));
}

static void expectSide(wkCellSide side, double half, const wkVec3d faceVertices[3], double limit)
{
    wkShape cell = wkMakeBox(2.0 * half, 2.0 * half, 2.0 * half);
    wkShape triangle = wkMakeTriangle(faceVertices[0], faceVertices[1], faceVertices[2]);
    double distance =
        wkDistance(&cell, wkIdentityPose(), &triangle, wkIdentityPose(), NULL).distance;
    bool isRight = side == wk_cellOverlaps ? distance < 0.0 : distance > limit;
    if (!isRight) {
        fail_msg("side %d, distance %g, limit %g", (int)side, distance, limit);
    }
}

static void sides_are_those_of_the_distance(void** state)
{
    (void)state;
    wkRng rng = wkMakeRng(UNIT_SEED);
    for (size_t kind = 0; kind < sizeof kinds / sizeof *kinds; ++kind) {
        int unsureCount = 0;
        for (int i = 0; i < TRIANGLE_COUNT; ++i) {
            double scale = wkRngLogRange(&rng, 1e-3, 1e3), reach = wkRngLogRange(&rng, 0.1, 20.0);
            wkVec3d middle = randomVertex(&rng, 2.0), faceVertices[3];
            for (int k = 0; k < 3; ++k) {
                faceVertices[k] = wkAdd(middle, randomVertex(&rng, reach));
            }
            kinds[kind].bend(&rng, faceVertices);
            for (int k = 0; k < 3; ++k) {
                faceVertices[k] = wkScale(scale, faceVertices[k]);
            }
            double limit = wkRngChance(&rng, 2) ? 0.0 : scale * wkRngLogRange(&rng, 1e-6, 1.0);
            wkCellSide side = wkClassifyCell(scale, faceVertices, limit);
            if (side != wk_cellUnsure) {
                expectSide(side, scale, faceVertices, limit);
            } else if (limit == 0.0) {
                ++unsureCount;
            }
        }
        print_message("%s: unsure about %d of %d\n", kinds[kind].name, unsureCount, TRIANGLE_COUNT);
        assert_true(unsureCount <= kinds[kind].unsure * TRIANGLE_COUNT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sides_are_those_of_the_distance),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
