// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "clouds/paper_tables.h"

const wkPaperRow wkPaperTables[WK_PAPER_ROWS] = {
    {"cloud", 0, 0, {9.694, 25.268}},        {"1+1mm", 1, 1, {3.369, 5.29}},
    {"10+1mm", 10, 1, {4.647, 2.450}},       {"100+1mm", 100, 1, {0.443, 0.754}},
    {"10+10mm", 10, 10, {2.049, 1.459}},     {"100+10mm", 100, 10, {0.156, 0.246}},
    {"100+100mm", 100, 100, {0.070, 0.068}},
};

static wkCloud* cloudOfCells(const float* points, int count, int millimetres)
{
    wkOctreeDef def = wkDefaultOctreeDef();
    def.resolution = 1e-3 * millimetres;
    wkOctree* octree = NULL;
    wkResult result = wkOctree_Create(&def, &octree);
    for (int i = 0; i < count && result == wk_ok; i++) {
        wkVec3d p = {(double)points[3 * i], (double)points[3 * i + 1], (double)points[3 * i + 2]};
        wkCellKey key;
        if (wkOctree_KeyAt(octree, p, &key)) {
            result = wkOctree_SetLogOdds(octree, key, WK_OCTREE_DEPTH, 1.0f);
        }
    }
    wkCloud* cloud = NULL;
    if (result == wk_ok) {
        wkCloud_FromOctree(octree, 0.0, &cloud);
    }
    wkOctree_Destroy(octree);
    return cloud;
}

wkCloud* wkPaperElements(const float* points, int count, int millimetres)
{
    return millimetres > 0 ? cloudOfCells(points, count, millimetres)
                           : wkWorkcell_Cloud(points, count);
}
