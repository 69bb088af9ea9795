// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Output of `whisker info` about meshes.

#include "whisker/mesh.h"

// Prints lines about a mesh: pieces, whether it is watertight and convex, area and volume.
void wkPrintMesh(const wkMeshInfo* info);

// Prints the same in one line, with the name of its link.
void wkPrintLinkMesh(const char* link, const wkMeshInfo* info);
