// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Whisker's side of the mesh rows, and its meshes for those who need them.

#include "peers/mesh_peer.h"

// A mesh of a model with the defaults but for its volumes; NULL when it cannot be made.
wkMesh* wkBuildModel(const wkModel* model, wkVolumeKind volume, wkSplitMethod split);
