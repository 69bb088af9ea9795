// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Scenes of spheres along x.

#include "kit.h"
#include "scenes/rng.h"
#include "scenes/scene_math.h"
#include "whisker/detail/counts.h"
#include "whisker/octree.h"
#include "whisker/scene.h"

#include <math.h>
#include <string.h>

static inline wkScene* makeScene(wkBroadPhase phase, uint8_t tag)
{
    wkSceneDef def = wkDefaultSceneDef();
    def.broadPhase = phase;
    def.tag = tag;
    wkScene* scene;
    assert_int_equal(wkScene_Create(&def, &scene), wk_ok);
    return scene;
}

static inline wkObjectDef sphereAt(double x)
{
    wkObjectDef def = wkDefaultObjectDef();
    def.shape = wkMakeSphere(0.5);
    def.pose = wkMakePose(x, 0.0, 0.0);
    return def;
}

static inline wkObjectId addSphere(wkScene* scene, double x)
{
    wkObjectDef def = sphereAt(x);
    wkObjectId id;
    assert_int_equal(wkScene_Add(scene, &def, &id), wk_ok);
    return id;
}

static inline bool countPair(wkObjectId a, wkObjectId b, void* context)
{
    (void)a;
    (void)b;
    ++*(int*)context;
    return true;
}
