// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL as a peer on point clouds: an octree of OctoMap whose cells hold the points.

#include "../tests/scenes/to_fcl.hpp"
#include "peers/peers.h"

#include <fcl/fcl.h>
#include <octomap/octomap.h>

#include <memory>
#include <vector>

namespace {

constexpr double cellSize = 0.02; // a cell is as large as the sphere of a point

struct Index {
    std::shared_ptr<octomap::OcTree> tree = std::make_shared<octomap::OcTree>(cellSize);
    std::unique_ptr<fcl::CollisionObjectd> map;
};

struct Body {
    bool isVerdict;
    std::unique_ptr<fcl::CollisionObjectd> object;
};

std::shared_ptr<fcl::CollisionGeometryd> makeMesh(const wkModel& model)
{
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int32_t i = 0; i < model.vertexCount; i++) {
        vertices.push_back(wkToFcl(model.vertices[i]));
    }
    for (int32_t i = 0; i < model.triangleCount; i++) {
        const int32_t* v = &model.indices[3 * static_cast<size_t>(i)];
        triangles.emplace_back(static_cast<size_t>(v[0]), static_cast<size_t>(v[1]),
                               static_cast<size_t>(v[2]));
    }
    auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    mesh->beginModel();
    mesh->addSubModel(vertices, triangles);
    mesh->endModel();
    return mesh;
}

std::shared_ptr<fcl::CollisionGeometryd> makeGeometry(const wkCloudQuestion& question)
{
    const wkShape& shape = question.shape;
    if (question.model != nullptr) {
        return makeMesh(*question.model);
    }
    if (shape.type == wk_shapeSphere) {
        return std::make_shared<fcl::Sphered>(shape.sphere.radius);
    }
    if (shape.type == wk_shapeBox) {
        return std::make_shared<fcl::Boxd>(2.0 * wkToFcl(shape.box.half));
    }
    if (shape.type == wk_shapeCapsule) {
        return std::make_shared<fcl::Capsuled>(shape.capsule.radius,
                                               2.0 * shape.capsule.halfLength);
    }
    if (shape.type == wk_shapeCylinder) {
        return std::make_shared<fcl::Cylinderd>(shape.cylinder.radius,
                                                2.0 * shape.cylinder.halfLength);
    }
    if (shape.type == wk_shapeCone) {
        return std::make_shared<fcl::Coned>(shape.cone.radius, 2.0 * shape.cone.halfLength);
    }
    if (shape.type == wk_shapeEllipsoid) {
        return std::make_shared<fcl::Ellipsoidd>(wkToFcl(shape.ellipsoid.radii));
    }
    return nullptr;
}

} // namespace

void* wkBuildFclCloud(const float* points, int32_t count)
{
    Index* index = new Index;
    for (int32_t i = 0; i < count; i++) {
        const float* p = points + 3 * static_cast<size_t>(i);
        index->tree->updateNode(octomap::point3d(p[0], p[1], p[2]), true, true);
    }
    index->tree->updateInnerOccupancy();
    index->tree->prune();
    auto octree = std::make_shared<fcl::OcTreed>(index->tree);
    index->map = std::make_unique<fcl::CollisionObjectd>(octree);
    return index;
}

void* wkPrepareFclCloud(const wkCloudQuestion* question)
{
    auto geometry = makeGeometry(*question);
    if (geometry == nullptr) {
        return nullptr;
    }
    return new Body{question->isVerdict, std::make_unique<fcl::CollisionObjectd>(geometry)};
}

double wkAskFclCloud(void* handle, void* asked, wkPose pose)
{
    Index& index = *static_cast<Index*>(handle);
    Body& body = *static_cast<Body*>(asked);
    body.object->setTransform(wkToFcl(pose));
    if (body.isVerdict) {
        fcl::CollisionRequestd request;
        fcl::CollisionResultd result;
        fcl::collide(body.object.get(), index.map.get(), request, result);
        return result.isCollision() ? 0.0 : 1.0;
    }
    fcl::DistanceRequestd request;
    fcl::DistanceResultd result;
    return fcl::distance(body.object.get(), index.map.get(), request, result);
}

void wkReleaseFclCloud(void* body)
{
    delete static_cast<Body*>(body);
}

void wkDestroyFclCloud(void* index)
{
    delete static_cast<Index*>(index);
}
