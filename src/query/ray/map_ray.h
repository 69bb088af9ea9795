// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A ray through a map, in its frame.

#include "query/pair/shape_class.h"

void wkCastMap(const wkShape* shape, const wkLocalRay* ray, wkShapeHit* hit);
bool wkMapIsHit(const wkShape* shape, const wkLocalRay* ray);
