// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Shapes and models as FCL has them.

#include "../tests/scenes/mesh_models.h"

#include <fcl/fcl.h>

#include <memory>

// A triangle is a mesh of one: FCL has no pair functions for its triangle. Null for what FCL does not have.
std::shared_ptr<fcl::CollisionGeometryd> wkMakeFclGeometry(const wkShape& shape);

// A hierarchy of volumes for all of FCL's queries.
std::shared_ptr<fcl::CollisionGeometryd> wkMakeFclModel(const wkModel& model);
