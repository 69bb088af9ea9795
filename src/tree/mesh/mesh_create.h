// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Making the block of a mesh.

#include "tree/bvh/refit.h"
#include "tree/mesh/mesh_impl.h"
#include "tree/mesh/topology.h"

// What a mesh is made from beside its definition.
typedef struct wkMeshExtras {
    bool
        hasCapacity; // for previous vertices and for every hierarchy of the same triangles: blocks of
                     // the same counts then have the same layout
    const wkVec3d* previous; // places before an update, as many as vertices; NULL: none
    int32_t lidCount;  // the last triangles of the definition are lids; they are kept as long as
                       // they close the surface, and made again otherwise
    int32_t loopCount; // that those lids close
    double sewnGap;    // that those lids sew
    int32_t triangleCapacity; // of an earlier mesh whose layout is wanted; 0: none
} wkMeshExtras;

// wk_ok, or what is wrong with a definition, its arrays aside.
wkResult wkCheckMeshDef(const wkMeshDef* def);

// wk_ok, or the first vertex that a mesh may not have; `first` is the index of the first one.
wkResult wkCheckVertices(const wkVec3d* vertices, int32_t count, int32_t first);

// wkMesh_Create with extras.
wkResult wkCreateMesh(const wkMeshDef* def, const wkMeshExtras* extras, wkMesh** mesh);

// Writes what follows from the places of the vertices, but for the volumes. `components` of the
// topology are in tree order.
void wkWriteShape(wkMesh* mesh, const wkTopology* topology);
