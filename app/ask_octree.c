// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Occupancy maps as objects: cell by cell, or from an OctoMap file.

#include "ask.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CELLS ((size_t)1 << 28)

// Rules for unknown cells, by name.
typedef struct ruleRow {
    const char* name;
    wkUnknownRule rule;
} ruleRow;

static const ruleRow rules[] = {
    {"ignore", wk_unknownFree},
    {"collide", wk_unknownOccupied},
    {"report", wk_unknownReported},
};

static bool readRule(const wkAskReader* reader, wkUnknownRule* rule)
{
    wkAskField field = wkAskMember(reader, "unknown");
    const char* name = NULL;
    if (field.value == NULL) {
        return true;
    }
    if (!wkAskString(field, &name, reader->error)) {
        return false;
    }
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
        if (strcmp(rules[i].name, name) == 0) {
            *rule = rules[i].rule;
            return true;
        }
    }
    return wkAskFail(reader->error, "bad_field",
                     "%s.unknown is '%.40s', must be ignore, collide or report", reader->name,
                     name);
}

static bool loadMap(wkAskReader* reader)
{
    char path[WK_ASK_PATH_CAPACITY];
    if (!wkAskReadPath(reader, path)) {
        return false;
    }
    const wkOctree* octree = NULL;
    bool isOwned = false;
    wkResult result = wkAskCache_LoadMap(reader->cache, path, &octree, &isOwned);
    if (result != wk_ok) {
        return wkAskFailLibrary(reader, ".file", result);
    }
    reader->object->octree = isOwned ? (wkOctree*)octree : NULL;
    reader->object->shape = wkMakeOctree(octree);
    return true;
}

// Sets the cell whose lower vertex is nearest to the maximum occupancy.
static bool occupy(wkAskReader* reader, double resolution, const wkVec3d* vertices, size_t count)
{
    wkOctree* octree = reader->object->octree;
    for (size_t i = 0; i < count; i++) {
        wkVec3d middle = {vertices[i].x + 0.5 * resolution, vertices[i].y + 0.5 * resolution,
                          vertices[i].z + 0.5 * resolution};
        wkCellKey key = {0, 0, 0};
        if (!wkOctree_KeyAt(octree, middle, &key)) {
            return wkAskFail(reader->error, "out_of_range",
                             "%s.occupied[%zu] lies outside the 65536 cells of a map", reader->name,
                             i);
        }
        wkResult result = wkOctree_SetLogOdds(octree, key, WK_OCTREE_DEPTH, INFINITY);
        if (result != wk_ok) {
            return wkAskFailLibrary(reader, "", result);
        }
    }
    return true;
}

static bool buildMap(wkAskReader* reader)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    if (!wkAskNumber(wkAskMember(reader, "resolution"), wk_askNotNegative, &def.resolution,
                     reader->error)) {
        return false;
    }
    wkResult result = wkOctree_Create(&def, &reader->object->octree);
    if (result != wk_ok) {
        return wkAskFailLibrary(reader, "", result);
    }
    wkVec3d* vertices = NULL;
    size_t count = 0;
    bool isRead = wkAskPoints(wkAskMember(reader, "occupied"), 0, MAX_CELLS, &vertices, &count,
                              reader->error) &&
                  occupy(reader, def.resolution, vertices, count);
    free(vertices);
    reader->object->shape = wkMakeOctree(reader->object->octree);
    return isRead;
}

bool wkAskReadOctree(wkAskReader* reader)
{
    bool hasFile = wkAskMember(reader, "file").value != NULL;
    bool hasCells = wkAskMember(reader, "resolution").value != NULL ||
                    wkAskMember(reader, "occupied").value != NULL;
    if (hasFile && hasCells) {
        return wkAskFail(reader->error, "bad_field",
                         "%s has a file and a resolution or cells, must have one or the other",
                         reader->name);
    }
    if (!(hasFile ? loadMap(reader) : buildMap(reader))) {
        return false;
    }
    wkMapShape* map = &reader->object->shape.map;
    return wkAskOptionalNumber(wkAskMember(reader, "threshold"), wk_askNotNegative,
                               &map->occupiedProbability, reader->error) &&
           readRule(reader, &map->unknown);
}
