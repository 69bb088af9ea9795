// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What `whisker info` says about the surface of meshes.

#include "whisker/mesh.h"

// Lines about a mesh: pieces, whether it is watertight and convex, area and volume.
void wkPrintMesh(const wkMeshInfo* info);

// The same in one line, with the name of the link that has it.
void wkPrintLinkMesh(const char* link, const wkMeshInfo* info);
