// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// An arm with shapes of every kind whose convex pieces decide about all pairs of parts.

#include "arm_kit.h"
#include "batch/batch_kernel.h"
#include "math/vec.h"

#include <string.h>

// A clasp: a solid that is not convex, with arms that its hull spans.
static inline wkMesh* wkMakeClasp(void)
{
    static const double outline[8][2] = {{0.0, 0.0},   {0.3, 0.0},   {0.3, 0.2},   {0.24, 0.2},
                                         {0.24, 0.06}, {0.06, 0.06}, {0.06, 0.15}, {0.0, 0.15}};
    static const int32_t caps[6][3] = {{0, 1, 4}, {1, 2, 3}, {1, 3, 4},
                                       {0, 4, 5}, {0, 5, 6}, {0, 6, 7}};
    wkVec3d points[16];
    int32_t vertices[28][3];
    for (int i = 0; i < 16; i++) {
        points[i] = wkVec(outline[i % 8][0] - 0.15, i < 8 ? -0.04 : 0.04, outline[i % 8][1]);
    }
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 3; k++) {
            vertices[i][k] = caps[i][k];
            vertices[6 + i][k] = caps[i][2 - k] + 8;
        }
    }
    for (int i = 0; i < 8; i++) {
        int32_t next = (i + 1) % 8, sides[2][3] = {{i, i + 8, next + 8}, {i, next + 8, next}};
        memcpy(vertices[12 + 2 * i], sides, sizeof sides);
    }
    wkMeshDef def = wkDefaultMeshDef();
    def.vertices = points;
    def.vertexCount = 16;
    def.triangles = &vertices[0][0];
    def.triangleCount = 28;
    def.isSolid = true;
    wkMesh* mesh = NULL;
    assert_int_equal(wkMesh_Create(&def, &mesh), wk_ok);
    assert_true(wkMesh_Info(mesh).isClosed && !wkMesh_Info(mesh).isConvex);
    return mesh;
}

// With a shape of every kind.
static inline wkRobot* wkMakeClaspArm(const wkMesh* mesh)
{
    wkJointDef joints[3];
    wkFillArmJoints(0.15, joints);
    wkBodyDef bodies[] = {
        {"base", NULL, wkMakeMesh(mesh), wkMakePose(0.0, 0.0, -0.1)},
        {"base", NULL, wkMakeCapsule(0.03, 0.1), wkMakePose(0.0, 0.1, 0.15)},
        {"upper", NULL, wkMakeCylinder(0.03, 0.1), wkMakePose(0.08, 0.0, 0.0)},
        {"upper", NULL, wkMakeEllipsoid(0.02, 0.03, 0.04), wkMakePose(0.05, 0.05, 0.0)},
        {"fore", NULL, wkMakeBox(0.03, 0.02, 0.06), wkMakePose(0.05, 0.0, 0.0)},
        {"fore", NULL, wkMakeSphere(0.02), wkMakePose(0.02, 0.0, 0.03)},
        {"hand", NULL, wkMakeMesh(mesh), wkMakePose(0.2, 0.0, 0.02)},
    };
    return wkMakeArm(joints, bodies, 7);
}

// Makes pieces of a detail decide about all pairs, without maps.
static inline void wkUsePieces(wkBatch* batch, int detail)
{
    wkSelfTables* tables = batch->selfTables;
    for (int32_t i = 0; i < WK_PIECE_LEVELS * batch->program->partCount; i++) {
        if (tables->pieces[i] == NULL) {
            wkPieceLevel level = (wkPieceLevel)(i % WK_PIECE_LEVELS);
            assert_int_equal(
                wkPartPieces_Create(batch, i / WK_PIECE_LEVELS, level, &tables->pieces[i]), wk_ok);
            assert_non_null(tables->pieces[i]);
        }
    }
    for (int32_t i = 0; i < batch->program->pairCount; i++) {
        tables->usesPieces[i] = true;
        tables->detail[i] = (uint8_t)detail;
        tables->mapOfPair[i] = -1;
        batch->hasBodyPair[i] = true;
    }
    for (int32_t i = 0; i < tables->mapCount; i++) {
        wkSelfMap_Destroy(tables->maps[i]);
    }
    tables->mapCount = 0;
    wkBundlePairs(batch);
}
