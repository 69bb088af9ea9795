// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The canonical order of pairs that are not two convex shapes.

#include "whisker/shape.h"

// Whether two such shapes, both valid, are not in canonical order. Where both have the same type and
// pose, their content decides and not their address in memory.
bool wkAreBodiesSwapped(const wkShape* a, const wkPose* poseA, const wkShape* b,
                        const wkPose* poseB);
