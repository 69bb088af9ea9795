// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What tests of solids with lids share.

#include "mesh_unit_check.h"
#include "solid_sets.h"
#include "whisker/query.h"

static inline wkMesh* makeSolid(const meshSet* set)
{
    wkMeshDef def = defOfSet(set);
    def.isSolid = true;
    return createMesh(&def);
}

static inline wkPose poseAt(wkVec3d p)
{
    wkPose pose = {p, {0.0, 0.0, 0.0, 1.0}};
    return pose;
}

static inline bool isTouching(const wkShape* a, wkPose poseA, const wkShape* b, wkPose poseB)
{
    return wkCollide(a, poseA, b, poseB, NULL).isTouching;
}
