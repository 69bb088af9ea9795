// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Finds shapes that borrow geometry that can change, and the counter that changes with it.

#include "tree/content.h"

#include "tree/mesh/mesh_impl.h"
#include "tree/octree/octree_impl.h"

// Only builders make meshes with space for previous vertices, and only builders move vertices.
static const uint64_t* counterOfMesh(const wkShape* shape)
{
    return shape->mesh->previousOffset != 0 ? &shape->mesh->checksum : NULL;
}

static const uint64_t* counterOfMap(const wkShape* shape)
{
    return &shape->map.octree->version;
}

// Shapes that are not listed never change.
static const uint64_t* (*const counters[wk_shapeTypeCount])(const wkShape*) = {
    [wk_shapeMesh] = counterOfMesh,
    [wk_shapeOctree] = counterOfMap,
};

wkContentMark wkMarkContent(const wkShape* shape)
{
    wkContentMark mark = {NULL, 0};
    if (counters[shape->type] != NULL) {
        mark.now = counters[shape->type](shape);
        mark.then = mark.now != NULL ? *mark.now : 0;
    }
    return mark;
}
