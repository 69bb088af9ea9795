// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes and poses as Bullet has them.

#include "whisker/whisker.h"

#include <btBulletCollisionCommon.h>

#include <memory>

btVector3 wkToBullet(wkVec3d v);
btTransform wkToBullet(wkPose pose);

// Margins are 0 where they are not the radius itself. Null for what Bullet does not have.
std::unique_ptr<btCollisionShape> wkMakeBulletShape(const wkShape& shape);
