// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "batch_kit.h"

#include <math.h>

// Pieces of a box along one of its edges, of about this length.
#define PIECE_LENGTH 0.1
#define MOST_PIECES 6

// Spheres around the pieces of a box.
static int coverBox(const wkAabb* box, wkSphere3d spheres[MOST_PIECES * MOST_PIECES * MOST_PIECES])
{
    double lower[3] = {box->lower.x, box->lower.y, box->lower.z};
    double upper[3] = {box->upper.x, box->upper.y, box->upper.z};
    int count[3];
    double piece[3], square = 0.0;
    for (int k = 0; k < 3; ++k) {
        double wanted = fmin(ceil((upper[k] - lower[k]) / PIECE_LENGTH), MOST_PIECES);
        count[k] = wanted > 1.0 ? (int)wanted : 1;
        piece[k] = (upper[k] - lower[k]) / count[k];
        square += 0.25 * piece[k] * piece[k];
    }
    int made = 0;
    for (int i = 0; i < count[0] * count[1] * count[2]; ++i) {
        int at[3] = {i % count[0], i / count[0] % count[1], i / count[0] / count[1]};
        wkSphere3d sphere = {{lower[0] + (at[0] + 0.5) * piece[0],
                              lower[1] + (at[1] + 0.5) * piece[1],
                              lower[2] + (at[2] + 0.5) * piece[2]},
                             sqrt(square) * (1.0 + 1e-12)};
        spheres[made++] = sphere;
    }
    return made;
}

wkSphereModel* wkSpheresOnBodies(const wkRobot* robot, double share)
{
    int32_t bodyCount = wkRobot_Info(robot).bodyCount, count = 0;
    wkSphere3d pieces[MOST_PIECES * MOST_PIECES * MOST_PIECES];
    size_t most = sizeof pieces / sizeof *pieces;
    wkLinkSphere* spheres = (wkLinkSphere*)calloc((size_t)bodyCount * most + 1, sizeof *spheres);
    assert_non_null(spheres);
    for (int32_t i = 0; i < bodyCount; ++i) {
        wkBodyInfo body = wkRobot_Body(robot, i);
        wkAabb box = wkShape_Bounds(body.shape, wkIdentityPose());
        int made = coverBox(&box, pieces);
        for (int k = 0; k < made; ++k) {
            spheres[count].link = body.link;
            spheres[count].sphere.center = wkTransformPoint(body.pose, pieces[k].center);
            spheres[count++].sphere.radius = share * pieces[k].radius;
        }
    }
    wkSphereModel* model = NULL;
    assert_int_equal(wkSphereModel_Create(robot, spheres, count, &model), wk_ok);
    free(spheres);
    return model;
}

double* wkRandomRows(const wkRobot* robot, uint64_t seed, int32_t count)
{
    int32_t length = wkRobot_Info(robot).variableCount;
    double* rows = (double*)malloc(((size_t)count * (size_t)length + 1) * sizeof *rows);
    assert_non_null(rows);
    for (int32_t i = 0; i < count; ++i) {
        wkRobot_RandomConfiguration(robot, &seed, rows + (size_t)i * (size_t)length);
    }
    return rows;
}

double* wkNeighbourRows(const wkRobot* robot, const double* rows, uint64_t seed, int32_t count,
                        double size)
{
    int32_t length = wkRobot_Info(robot).variableCount;
    double* others = wkRandomRows(robot, seed, count);
    for (int32_t i = 0; i < count; ++i) {
        const double* from = rows + (size_t)i * (size_t)length;
        double* to = others + (size_t)i * (size_t)length;
        double way = wkRobot_ConfigurationDistance(robot, from, to);
        wkRobot_Interpolate(robot, from, to, way > size ? size / way : 1.0, to);
    }
    return others;
}

wkBatch* wkCreateBatch(const wkBatchDef* def)
{
    wkBatch* batch = NULL;
    if (wkBatch_Create(def, &batch) != wk_ok) {
        fail_msg("%s", wkGetLastError());
    }
    return batch;
}

wkPose wkChooseBase(const wkBatchDef* def, const double* rows, int32_t count, int tries)
{
    wkRng rng = wkMakeRng(9);
    wkBatchDef tried = *def;
    tried.cellSize = 0.4; // verdicts are the same, and made in less time
    wkPose best = def->base;
    int32_t mostMixed = -1;
    uint8_t* verdicts = (uint8_t*)malloc((size_t)count);
    assert_non_null(verdicts);
    for (int i = 0; i < tries; ++i) {
        wkVec3d at = {wkRngRange(&rng, -1.6, 1.6), wkRngRange(&rng, -1.6, 1.6),
                      wkRngRange(&rng, 0.0, 0.6)};
        tried.base = wkMakePoseRpy(at, wkRngRange(&rng, -0.1, 0.1), wkRngRange(&rng, -0.1, 0.1),
                                   wkRngRange(&rng, -3.0, 3.0));
        if (tries == 1) {
            best = tried.base;
            break;
        }
        wkBatch* batch = wkCreateBatch(&tried);
        assert_int_equal(wkBatch_CheckStates(batch, NULL, rows, count, verdicts), wk_ok);
        wkBatch_Destroy(batch);
        int32_t freeCount = 0;
        for (int32_t k = 0; k < count; ++k) {
            freeCount += verdicts[k] == wk_verdictFree;
        }
        int32_t mixed = freeCount < count - freeCount ? freeCount : count - freeCount;
        if (mixed > mostMixed) {
            mostMixed = mixed;
            best = tried.base;
        }
    }
    free(verdicts);
    return best;
}

void wkMakeBatchCase(wkBatchCase* c, int kind, bool isHolding, int32_t stateCount,
                     int32_t motionCount)
{
    wkSurroundingsKind one = wkSurroundingsKinds[kind];
    one.isHolding = isHolding;
    wkMakeSurroundings(&one, 29, &c->all);
    c->model = wkSpheresOnBodies(c->all.robot, 0.6);
    c->def = wkDefaultBatchDef();
    c->def.scene = c->all.scene;
    c->def.spheres = c->model;
    c->def.cellSize = 0.08; // made in less time
    c->rows = wkRandomRows(c->all.robot, 3, stateCount);
    c->ends = wkNeighbourRows(c->all.robot, c->rows, 4, motionCount, 0.6);
    int32_t tried = stateCount < WK_CASES(200) ? stateCount : WK_CASES(200);
    c->def.base = wkChooseBase(&c->def, c->rows, tried, isHolding ? 1 : 4);
}

void wkFreeBatchCase(wkBatchCase* c)
{
    free(c->rows);
    free(c->ends);
    wkSphereModel_Destroy(c->model);
    wkFreeSurroundings(&c->all);
}
