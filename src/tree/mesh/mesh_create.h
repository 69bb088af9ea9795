// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Creates the block of a mesh.

#include "tree/bvh/refit.h"
#include "tree/mesh/mesh_impl.h"
#include "tree/mesh/topology.h"

// Input for a mesh beside its definition.
typedef struct wkMeshExtras {
    // for previous vertices and for every hierarchy of the same triangles: blocks of the same counts
    // then have the same layout
    bool hasCapacity;
    const wkVec3d* previous; // positions before an update, as many as vertices; NULL: none
    int32_t lidCount;  // the last triangles of the definition are lids; they are kept as long as
                       // they close the surface, and made again otherwise
    int32_t loopCount; // loops closed by those lids
    int32_t hullCount; // parts bounded by hulls among those lids: these are made again
    double sewnGap;    // gap sewn by those lids
    int32_t triangleCapacity; // of an earlier mesh with the wanted layout; 0: none
} wkMeshExtras;

// Returns wk_ok, or an error that names what is not valid in a definition, its arrays aside.
wkResult wkCheckMeshDef(const wkMeshDef* def);

// Returns wk_ok, or an error that names the first invalid vertex; `first` is the index of the first one.
wkResult wkCheckVertices(const wkVec3d* vertices, int32_t count, int32_t first);

// Checks counts, vertices and the indices of triangles.
wkResult wkCheckMeshArrays(const wkMeshDef* def);

// wkMesh_Create with extras.
wkResult wkCreateMesh(const wkMeshDef* def, const wkMeshExtras* extras, wkMesh** mesh);

// Writes the data that follows from the positions of the vertices, except for the volumes. `components` of
// the topology are in tree order.
void wkWriteShape(wkMesh* mesh, const wkTopology* topology);
