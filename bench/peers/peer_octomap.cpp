// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// OctoMap as a peer.

#include "peers/peers.h"

#include <octomap/octomap.h>

#include <cmath>
#include <fstream>
#include <string>

namespace {

struct Map {
    octomap::OcTree tree;
    octomap::Pointcloud cloud;
    octomap::point3d origin;
    explicit Map(double resolution) : tree(resolution)
    {
    }
};

} // namespace

void* wkOpenOctoMap(double resolution, const wkScan* scan)
{
    Map* map = new Map(resolution);
    map->cloud.reserve((size_t)scan->points.count);
    for (int32_t i = 0; i < scan->points.count; i++) {
        const float* p = scan->points.points + 3 * (size_t)i;
        if (std::isfinite(p[0]) && std::isfinite(p[1]) && std::isfinite(p[2])) {
            map->cloud.push_back(p[0], p[1], p[2]);
        }
    }
    map->origin =
        octomap::point3d((float)scan->origin.x, (float)scan->origin.y, (float)scan->origin.z);
    return map;
}

void wkInsertOctoMap(void* handle, bool isExact)
{
    Map* map = static_cast<Map*>(handle);
    map->tree.insertPointCloud(map->cloud, map->origin, -1.0, false, !isExact);
}

long wkCountWrongOctoMap(void* handle, const wkOctree* ours)
{
    Map* map = static_cast<Map*>(handle);
    long leafCount = 0, wrongCount = 0;
    for (auto leaf = map->tree.begin_leafs(); leaf != map->tree.end_leafs(); ++leaf) {
        octomap::OcTreeKey key = leaf.getIndexKey();
        wkCell cell = wkOctree_CellAt(ours, wkCellKey{key[0], key[1], key[2]});
        leafCount++;
        wrongCount += cell.logOdds != leaf->getLogOdds() || cell.depth != (int)leaf.getDepth();
    }
    return wrongCount + std::labs(leafCount - (long)wkOctree_Info(ours).leafCount);
}

double wkCountBytesOctoMap(void* handle)
{
    return (double)static_cast<Map*>(handle)->tree.memoryUsage();
}

void wkCloseOctoMap(void* handle)
{
    delete static_cast<Map*>(handle);
}

// The header as OctoMap reads it, line by line, and then its own reading of the cells; without the
// lines that it would print.
void* wkReadOctoMap(const char* path)
{
    std::ifstream file(path, std::ios::binary);
    std::string line;
    double resolution = 0.0;
    bool isShort = std::getline(file, line) && line.find("binary") != std::string::npos;
    while (std::getline(file, line) && line != "data") {
        if (line.compare(0, 4, "res ") == 0) {
            resolution = std::stod(line.substr(4));
        }
    }
    if (!file || resolution <= 0.0) {
        return nullptr;
    }
    Map* map = new Map(resolution);
    if (isShort) {
        map->tree.readBinaryData(file);
    } else {
        map->tree.readData(file);
    }
    return map;
}
