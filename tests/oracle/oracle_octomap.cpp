// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "oracle_octomap.h"

#include <cmath>
#include <memory>
#include <string>

#include <octomap/octomap.h>

struct wkTheirMap {
    std::unique_ptr<octomap::OcTree> tree;
};

static octomap::OcTreeKey keyOf(wkCellKey key)
{
    return octomap::OcTreeKey(key.x, key.y, key.z);
}

static wkCellKey ownKeyOf(const octomap::OcTreeKey& key)
{
    return wkCellKey{key[0], key[1], key[2]};
}

wkTheirMap* wkTheirMap_Create(const wkOctreeDef* def)
{
    auto tree = std::make_unique<octomap::OcTree>(def->resolution);
    tree->setProbHit(def->hitProbability);
    tree->setProbMiss(def->missProbability);
    tree->setClampingThresMin(def->lowestProbability);
    tree->setClampingThresMax(def->highestProbability);
    tree->setOccupancyThres(def->occupiedProbability);
    return new wkTheirMap{std::move(tree)};
}

static bool isShort(const std::string& name)
{
    return name.size() > 3 && name.compare(name.size() - 3, 3, ".bt") == 0;
}

wkTheirMap* wkTheirMap_Read(const char* path)
{
    std::string name = path;
    std::unique_ptr<octomap::OcTree> tree;
    if (isShort(name)) {
        tree = std::make_unique<octomap::OcTree>(0.1);
        if (!tree->readBinary(name)) {
            return nullptr;
        }
    } else {
        std::unique_ptr<octomap::AbstractOcTree> any(octomap::AbstractOcTree::read(name));
        tree.reset(dynamic_cast<octomap::OcTree*>(any.get()));
        if (tree == nullptr) {
            return nullptr;
        }
        any.release();
    }
    tree->prune();
    return new wkTheirMap{std::move(tree)};
}

bool wkTheirMap_Write(wkTheirMap* map, const char* path)
{
    return isShort(path) ? map->tree->writeBinary(path) : map->tree->write(path);
}

void wkTheirMap_Expand(wkTheirMap* map)
{
    map->tree->expand();
}

void wkTheirMap_Destroy(wkTheirMap* map)
{
    delete map;
}

double wkTheirMap_Resolution(const wkTheirMap* map)
{
    return map->tree->getResolution();
}

wkTheirNumbers wkTheirMap_Numbers(const wkTheirMap* map)
{
    const octomap::OcTree& tree = *map->tree;
    return wkTheirNumbers{tree.getProbHitLog(), tree.getProbMissLog(),
                          tree.getClampingThresMinLog(), tree.getClampingThresMaxLog(),
                          tree.getOccupancyThresLog()};
}

void wkTheirMap_Observe(wkTheirMap* map, wkCellKey key, bool isHit)
{
    map->tree->updateNode(keyOf(key), isHit);
}

void wkTheirMap_Add(wkTheirMap* map, wkCellKey key, float change)
{
    map->tree->updateNode(keyOf(key), change);
}

void wkTheirMap_Set(wkTheirMap* map, wkCellKey key, float logOdds)
{
    map->tree->setNodeValue(keyOf(key), logOdds);
}

static octomap::point3d toPoint(wkVec3d v)
{
    return octomap::point3d((float)v.x, (float)v.y, (float)v.z);
}

static bool isFinite(const float* point)
{
    return std::isfinite(point[0]) && std::isfinite(point[1]) && std::isfinite(point[2]);
}

void wkTheirMap_Insert(wkTheirMap* map, const wkScan* scan)
{
    octomap::Pointcloud cloud;
    size_t step = scan->points.stride > 0 ? (size_t)scan->points.stride / 4 : 3;
    cloud.reserve((size_t)scan->points.count);
    for (size_t i = 0; i < (size_t)scan->points.count; ++i) {
        const float* point = scan->points.points + i * step;
        if (isFinite(point)) {
            cloud.push_back(point[0], point[1], point[2]);
        }
    }
    double range = std::isinf(scan->maxRange) ? -1.0 : scan->maxRange;
    wkQuat q = scan->frame.rotation;
    octomath::Quaternion turn((float)q.w, (float)q.x, (float)q.y, (float)q.z);
    octomap::pose6d frame(toPoint(scan->frame.position), turn);
    map->tree->insertPointCloud(cloud, toPoint(scan->origin), frame, range, false, !scan->isExact);
}

void wkTheirMap_Threshold(wkTheirMap* map)
{
    map->tree->toMaxLikelihood();
    map->tree->prune();
}

bool wkTheirMap_KeyAt(const wkTheirMap* map, wkVec3d point, wkCellKey* key)
{
    octomap::OcTreeKey found(0, 0, 0);
    bool isInside = map->tree->coordToKeyChecked(point.x, point.y, point.z, found);
    *key = ownKeyOf(found);
    return isInside;
}

void wkTheirMap_Visit(const wkTheirMap* map, wkTheirLeafFcn* fcn, void* context)
{
    const octomap::OcTree& tree = *map->tree;
    for (auto it = tree.begin_leafs(), end = tree.end_leafs(); it != end; ++it) {
        wkTheirLeaf leaf{ownKeyOf(it.getIndexKey()), (int32_t)it.getDepth(), it->getLogOdds(),
                         tree.isNodeOccupied(*it),   it->getOccupancy(),     it.getSize()};
        fcn(&leaf, context);
    }
}

int64_t wkTheirMap_LeafCount(const wkTheirMap* map)
{
    return (int64_t)map->tree->getNumLeafNodes();
}

int64_t wkTheirMap_NodeCount(const wkTheirMap* map)
{
    return (int64_t)map->tree->size();
}

size_t wkTheirMap_ByteCount(const wkTheirMap* map)
{
    return map->tree->memoryUsage();
}
