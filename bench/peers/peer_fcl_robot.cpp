// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL's side of the rows about robots: trees of bodies and of obstacles, as two trees or one body after
// the other. Boxes along the axes as volumes of meshes are fitted again for every pose, which takes far
// longer than others: they are left out.

#include "../tests/scenes/to_fcl.hpp"
#include "peers/peers.h"

#include <fcl/fcl.h>

#include <exception>
#include <memory>
#include <vector>

namespace {

using Manager = fcl::DynamicAABBTreeCollisionManagerd;
using Objects = std::vector<std::unique_ptr<fcl::CollisionObjectd>>;
using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct Way {
    bool isObbRss;
    bool isPerBody;
    fcl::GJKSolverType solver;
};

struct RobotJob {
    wkPeerRobotJob job;
    Way way;
    wkAnswer* answers = nullptr;
    Objects bodies;
    Objects obstacles;
    std::vector<size_t> numbers; // of the bodies, for their user data
    std::vector<fcl::Transform3d> poses;
    Manager bodyManager;
    Manager obstacleManager;
};

template <class Volume> Geometry makeMesh(const wkMesh* mesh)
{
    wkMeshInfo info = wkMesh_Info(mesh);
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int32_t i = 0; i < info.vertexCount; i++) {
        vertices.push_back(wkToFcl(wkMesh_Vertex(mesh, i)));
    }
    for (int32_t i = 0; i < info.triangleCount; i++) {
        int32_t faceVertices[3];
        wkMesh_TriangleIndices(mesh, i, faceVertices);
        triangles.emplace_back(static_cast<size_t>(faceVertices[0]),
                               static_cast<size_t>(faceVertices[1]),
                               static_cast<size_t>(faceVertices[2]));
    }
    auto made = std::make_shared<fcl::BVHModel<Volume>>();
    made->beginModel();
    made->addSubModel(vertices, triangles);
    made->endModel();
    return made;
}

// The types that the robots and obstacles have; NULL for others.
Geometry makeGeometry(const wkShape& shape, bool isObbRss)
{
    switch (shape.type) {
    case wk_shapeSphere:
        return std::make_shared<fcl::Sphered>(shape.sphere.radius);
    case wk_shapeBox:
        return std::make_shared<fcl::Boxd>(2.0 * wkToFcl(shape.box.half));
    case wk_shapeCylinder:
        return std::make_shared<fcl::Cylinderd>(shape.cylinder.radius,
                                                2.0 * shape.cylinder.halfLength);
    case wk_shapeMesh:
        return isObbRss ? makeMesh<fcl::OBBRSSd>(shape.mesh) : makeMesh<fcl::OBBd>(shape.mesh);
    default:
        return nullptr;
    }
}

bool addObject(Objects& objects, const wkShape& shape, const wkPose& pose, bool isObbRss)
{
    Geometry geometry = makeGeometry(shape, isObbRss);
    if (geometry == nullptr) {
        return false;
    }
    geometry->computeLocalAABB();
    objects.push_back(std::make_unique<fcl::CollisionObjectd>(geometry, wkToFcl(pose)));
    return true;
}

void enter(Manager& manager, const Objects& objects)
{
    std::vector<fcl::CollisionObjectd*> pointers;
    for (const auto& object : objects) {
        pointers.push_back(object.get());
    }
    manager.registerObjects(pointers);
    manager.setup();
}

bool fill(RobotJob& r)
{
    const wkRobotCase& made = *r.job.robotCase;
    auto bodyCount = static_cast<size_t>(made.bodyCount);
    for (int i = 0; i < made.bodyCount; i++) {
        const wkShape& shape = *wkRobot_Body(made.robot, i).shape;
        if (!addObject(r.bodies, shape, made.bodyPoses[i], r.way.isObbRss)) {
            return false;
        }
        r.numbers.push_back(static_cast<size_t>(i));
    }
    for (size_t i = 0; i < bodyCount; i++) {
        r.bodies[i]->setUserData(&r.numbers[i]);
    }
    for (int i = 0; i < made.obstacleCount; i++) {
        if (!addObject(r.obstacles, made.obstacles[i], made.obstaclePoses[i], r.way.isObbRss)) {
            return false;
        }
    }
    for (size_t i = 0; i < bodyCount * static_cast<size_t>(made.count); i++) {
        r.poses.push_back(wkToFcl(made.bodyPoses[i]));
    }
    enter(r.bodyManager, r.bodies);
    enter(r.obstacleManager, r.obstacles);
    return true;
}

struct Finding {
    const RobotJob* job;
    bool isFirst;
    double count;
};

bool checkPair(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data)
{
    auto& finding = *static_cast<Finding*>(data);
    fcl::CollisionRequestd request;
    request.gjk_solver_type = finding.job->way.solver;
    fcl::CollisionResultd result;
    if (fcl::collide(a, b, request, result) > 0) {
        finding.count += 1.0;
        return finding.isFirst;
    }
    return false;
}

bool checkSelf(fcl::CollisionObjectd* a, fcl::CollisionObjectd* b, void* data)
{
    const wkRobotCase& made = *static_cast<Finding*>(data)->job->job.robotCase;
    size_t numberA = *static_cast<size_t*>(a->getUserData());
    size_t numberB = *static_cast<size_t*>(b->getUserData());
    bool isChecked = made.isChecked[numberA * static_cast<size_t>(made.bodyCount) + numberB];
    return isChecked && checkPair(a, b, data);
}

void checkWorld(RobotJob& r, Finding& finding)
{
    if (!r.way.isPerBody) {
        r.obstacleManager.collide(&r.bodyManager, &finding, checkPair);
        return;
    }
    for (auto& body : r.bodies) {
        r.obstacleManager.collide(body.get(), &finding, checkPair);
        if (finding.isFirst && finding.count > 0.0) {
            return;
        }
    }
}

void placeBodies(RobotJob& r, int configuration)
{
    const fcl::Transform3d* poses = &r.poses[static_cast<size_t>(configuration) * r.bodies.size()];
    for (size_t i = 0; i < r.bodies.size(); i++) {
        r.bodies[i]->setTransform(poses[i]);
        r.bodies[i]->computeAABB();
    }
}

double ask(RobotJob& r, int configuration)
{
    wkRobotTask task = r.job.task;
    bool asksSelf = task == wk_robotSelf || task == wk_robotValid;
    Finding finding = {&r, task != wk_robotAll, 0.0};
    placeBodies(r, configuration);
    if (asksSelf || !r.way.isPerBody) {
        r.bodyManager.update();
    }
    if (asksSelf) {
        r.bodyManager.collide(&finding, checkSelf);
    }
    if (task != wk_robotSelf && finding.count <= 0.0) {
        checkWorld(r, finding);
    }
    return finding.count;
}

void* open(const wkPeerRobotJob* job, wkAnswer* answers, Way way)
try {
    bool isAnswered = job->task <= wk_robotValid && (job->task != wk_robotSelf || !way.isPerBody);
    auto r = std::make_unique<RobotJob>();
    r->job = *job;
    r->way = way;
    r->answers = answers;
    return isAnswered && fill(*r) ? r.release() : nullptr;
} catch (const std::exception&) {
    return nullptr;
}

} // namespace

void* wkOpenFclRobot(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, {false, false, fcl::GST_LIBCCD});
}

void* wkOpenFclRobotObbRss(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, {true, false, fcl::GST_LIBCCD});
}

void* wkOpenFclRobotIndep(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, {false, false, fcl::GST_INDEP});
}

void* wkOpenFclRobotPerBody(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, {false, true, fcl::GST_LIBCCD});
}

void* wkOpenFclRobotPerBodyIndep(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, {false, true, fcl::GST_INDEP});
}

void wkPassFclRobot(void* handle)
{
    auto& r = *static_cast<RobotJob*>(handle);
    for (int i = 0; i < r.job.robotCase->count; i++) {
        bool isDecided = r.job.stepCount > 0 && i % r.job.stepCount > 0 && r.answers[i - 1] > 0.0;
        r.answers[i] = isDecided ? r.answers[i - 1] : ask(r, i);
    }
}

void wkCloseFclRobot(void* handle)
{
    delete static_cast<RobotJob*>(handle);
}
