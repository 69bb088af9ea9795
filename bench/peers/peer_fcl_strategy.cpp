// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's side of the rows about bodies in front of a map: its tree of bodies against an octree of
// OctoMap, or against a tree of boxes made from it. Boxes are meshes where the bodies are, as in the
// paper.

#include "../tests/scenes/to_fcl.hpp"
#include "peers/peers.h"

#include <fcl/fcl.h>
#include <octomap/octomap.h>

#include <exception>
#include <memory>
#include <vector>

namespace {

using Manager = fcl::DynamicAABBTreeCollisionManagerd;
using Mesh = fcl::BVHModel<fcl::OBBRSSd>;
using Objects = std::vector<std::unique_ptr<fcl::CollisionObjectd>>;

constexpr int levelOfBuild = 2; // of four, the one that the paper's pipeline uses

struct Strategy {
    wkStrategyJob job;
    wkAnswer* answers = nullptr;
    bool hasMeshes = false; // and nothing else
    std::shared_ptr<octomap::OcTree> tree;
    std::shared_ptr<fcl::OcTreed> octree;
    std::unique_ptr<fcl::CollisionObjectd> map;
    Objects bodies;
    Objects boxes;
    Manager bodyManager;
    std::unique_ptr<Manager> boxManager;
};

std::shared_ptr<fcl::CollisionGeometryd> makeMesh(const wkModel& model)
{
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int32_t i = 0; i < model.vertexCount; i++) {
        vertices.push_back(wkToFcl(model.vertices[i]));
    }
    for (int32_t i = 0; i < model.triangleCount; i++) {
        const int32_t* faceVertices = &model.indices[3 * static_cast<size_t>(i)];
        triangles.emplace_back(static_cast<size_t>(faceVertices[0]),
                               static_cast<size_t>(faceVertices[1]),
                               static_cast<size_t>(faceVertices[2]));
    }
    auto mesh = std::make_shared<Mesh>();
    mesh->beginModel();
    mesh->addSubModel(vertices, triangles);
    mesh->endModel();
    return mesh;
}

// The types that the scenes have.
std::shared_ptr<fcl::CollisionGeometryd> makeShape(const wkShape& shape)
{
    if (shape.type == wk_shapeSphere) {
        return std::make_shared<fcl::Sphered>(shape.sphere.radius);
    }
    if (shape.type == wk_shapeBox) {
        return std::make_shared<fcl::Boxd>(2.0 * wkToFcl(shape.box.half));
    }
    return std::make_shared<fcl::Cylinderd>(shape.cylinder.radius, 2.0 * shape.cylinder.halfLength);
}

std::vector<fcl::CollisionObjectd*> pointersTo(const Objects& objects)
{
    std::vector<fcl::CollisionObjectd*> pointers;
    for (const auto& object : objects) {
        pointers.push_back(object.get());
    }
    return pointers;
}

void makeBoxes(Strategy& s)
{
    auto cells = s.octree->toBoxes();
    s.boxes.clear();
    s.boxes.reserve(cells.size());
    for (const auto& cell : cells) {
        fcl::Transform3d pose = fcl::Transform3d::Identity();
        pose.translation() = fcl::Vector3d(cell[0], cell[1], cell[2]);
        fcl::Boxd box(cell[3], cell[3], cell[3]);
        std::shared_ptr<fcl::CollisionGeometryd> geometry;
        if (s.hasMeshes) {
            auto mesh = std::make_shared<Mesh>();
            fcl::generateBVHModel(*mesh, box, fcl::Transform3d::Identity());
            geometry = mesh;
        } else {
            geometry = std::make_shared<fcl::Boxd>(box);
        }
        geometry->computeLocalAABB();
        s.boxes.push_back(std::make_unique<fcl::CollisionObjectd>(geometry, pose));
    }
}

std::unique_ptr<Manager> build(const std::vector<fcl::CollisionObjectd*>& boxes)
{
    auto manager = std::make_unique<Manager>();
    manager->tree_init_level = levelOfBuild;
    manager->registerObjects(boxes);
    manager->setup();
    return manager;
}

void placeObjects(Strategy& s, int placement)
{
    const wkStrategyScene& scene = *s.job.scene;
    for (int i = 0; i < scene.bodyCount; i++) {
        auto& body = *s.bodies[static_cast<size_t>(i)];
        body.setTransform(wkToFcl(scene.poses[placement * scene.bodyCount + i]));
        body.computeAABB();
    }
    s.bodyManager.update();
}

// Counts bodies that touch something; one that did is not asked again.
struct Touching {
    std::vector<char> isTouching;
    double count = 0.0;
};

size_t* indexOf(const fcl::CollisionObjectd* object)
{
    return static_cast<size_t*>(object->getUserData());
}

bool countTouching(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data)
{
    auto& touching = *static_cast<Touching*>(data);
    const size_t* index = indexOf(a) != nullptr ? indexOf(a) : indexOf(b);
    if (!touching.isTouching[*index]) {
        fcl::CollisionRequestd request;
        fcl::CollisionResultd result;
        if (fcl::collide(a, b, request, result) > 0) {
            touching.isTouching[*index] = 1;
            touching.count += 1.0;
        }
    }
    return false;
}

template <class Data> void collide(Strategy& s, Data& data, fcl::CollisionCallBack<double> callback)
{
    if (s.job.isDirect) {
        s.bodyManager.collide(s.map.get(), &data, callback);
    } else {
        s.bodyManager.collide(s.boxManager.get(), &data, callback);
    }
}

double ask(Strategy& s)
{
    if (s.job.query == wk_strategyFirst) {
        fcl::DefaultCollisionData<double> data;
        collide(s, data, fcl::DefaultCollisionFunction<double>);
        return data.result.isCollision() ? 1.0 : 0.0;
    }
    if (s.job.query == wk_strategyAll) {
        Touching touching;
        touching.isTouching.resize(s.bodies.size());
        collide(s, touching, countTouching);
        return touching.count;
    }
    fcl::DefaultDistanceData<double> data;
    if (s.job.isDirect) {
        s.bodyManager.distance(s.map.get(), &data, fcl::DefaultDistanceFunction<double>);
    } else {
        s.bodyManager.distance(s.boxManager.get(), &data, fcl::DefaultDistanceFunction<double>);
    }
    return data.result.min_distance;
}

// Cells stay single ones, as in the paper's tables.
void makeMap(Strategy& s)
{
    const wkStrategyScene& scene = *s.job.scene;
    s.tree = std::make_shared<octomap::OcTree>(scene.cellSize);
    for (int i = 0; i < scene.cellCount; i++) {
        const wkAabb& cell = scene.cells[i];
        s.tree->updateNode(0.5 * (cell.lower.x + cell.upper.x), 0.5 * (cell.lower.y + cell.upper.y),
                           0.5 * (cell.lower.z + cell.upper.z), true, true);
    }
    s.tree->updateInnerOccupancy();
    s.octree = std::make_shared<fcl::OcTreed>(s.tree);
    s.octree->computeLocalAABB();
    s.map = std::make_unique<fcl::CollisionObjectd>(s.octree);
}

void makeBodies(Strategy& s)
{
    const wkStrategyScene& scene = *s.job.scene;
    s.hasMeshes = true;
    for (int i = 0; i < scene.bodyCount; i++) {
        bool isMesh = scene.models[i].triangleCount > 0;
        s.hasMeshes = s.hasMeshes && isMesh;
        auto geometry = isMesh ? makeMesh(scene.models[i]) : makeShape(scene.shapes[i]);
        geometry->computeLocalAABB();
        auto body = std::make_unique<fcl::CollisionObjectd>(geometry, wkToFcl(scene.poses[i]));
        body->setUserData(new size_t(static_cast<size_t>(i)));
        s.bodies.push_back(std::move(body));
    }
    s.bodyManager.registerObjects(pointersTo(s.bodies));
    s.bodyManager.setup();
}

} // namespace

void* wkOpenFclStrategy(const wkStrategyJob* job, wkAnswer* answers)
try {
    auto s = std::make_unique<Strategy>();
    s->job = *job;
    s->answers = answers;
    makeBodies(*s);
    makeMap(*s);
    if (!job->isDirect) {
        makeBoxes(*s);
        s->boxManager = build(pointersTo(s->boxes));
    }
    return s.release();
} catch (const std::exception&) {
    return nullptr;
}

void wkPassFclStrategy(void* handle)
{
    Strategy& s = *static_cast<Strategy*>(handle);
    if (s.job.task == wk_strategyBoxes) {
        makeBoxes(s);
        s.answers[0] = static_cast<double>(s.boxes.size());
    } else if (s.job.task == wk_strategyBuild) {
        s.answers[0] = static_cast<double>(build(pointersTo(s.boxes))->size());
    } else {
        for (int i = 0; i < s.job.itemCount; i++) {
            if (s.job.scene->placementCount > 1) {
                placeObjects(s, i);
            }
            s.answers[i] = ask(s);
        }
    }
}

void wkCloseFclStrategy(void* handle)
{
    auto* s = static_cast<Strategy*>(handle);
    for (auto& body : s->bodies) {
        delete indexOf(body.get());
    }
    delete s;
}
