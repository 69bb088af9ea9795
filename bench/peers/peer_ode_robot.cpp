// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// ODE's side of the rows about a robot among obstacles: a space of bodies against one of obstacles.

#include "../tests/scenes/scene_math.h"
#include "peers/peers.h"

#include <ode/ode.h>

#include <exception>
#include <list>
#include <memory>
#include <vector>

namespace {

enum class Kind {
    hash,
    quadtree,
    simple
};

// What a mesh of ODE borrows.
struct Arrays {
    std::vector<dReal> vertices;
    std::vector<dTriIndex> faceVertices;
    dTriMeshDataID data;
};

struct OdePose {
    dVector3 position;
    dMatrix3 rotation;
};

struct RobotJob {
    wkPeerRobotJob job;
    wkAnswer* answers;
    dSpaceID bodySpace;
    dSpaceID obstacleSpace;
    std::vector<dGeomID> bodies;
    std::vector<OdePose> poses;
    std::list<Arrays> arrays;
};

OdePose odePose(const wkPose& pose)
{
    wkSceneFrame frame = wkMakeSceneFrame(pose);
    const wkVec3d& x = frame.axes[0];
    const wkVec3d& y = frame.axes[1];
    const wkVec3d& z = frame.axes[2];
    return {{pose.position.x, pose.position.y, pose.position.z, 0.0},
            {x.x, y.x, z.x, 0.0, x.y, y.y, z.y, 0.0, x.z, y.z, z.z, 0.0}};
}

void put(dGeomID geom, const OdePose& pose)
{
    dGeomSetPosition(geom, pose.position[0], pose.position[1], pose.position[2]);
    dGeomSetRotation(geom, pose.rotation);
}

dGeomID makeMesh(RobotJob& r, dSpaceID space, const wkMesh* mesh)
{
    wkMeshInfo info = wkMesh_Info(mesh);
    r.arrays.emplace_back();
    Arrays& arrays = r.arrays.back();
    for (int32_t i = 0; i < info.vertexCount; i++) {
        wkVec3d v = wkMesh_Vertex(mesh, i);
        arrays.vertices.insert(arrays.vertices.end(), {v.x, v.y, v.z});
    }
    for (int32_t i = 0; i < info.triangleCount; i++) {
        int32_t faceVertices[3];
        wkMesh_TriangleIndices(mesh, i, faceVertices);
        for (int32_t vertex : faceVertices) {
            arrays.faceVertices.push_back(static_cast<dTriIndex>(vertex));
        }
    }
    arrays.data = dGeomTriMeshDataCreate();
    dGeomTriMeshDataBuildDouble(arrays.data, arrays.vertices.data(), 3 * sizeof(dReal),
                                info.vertexCount, arrays.faceVertices.data(),
                                3 * info.triangleCount, 3 * sizeof(dTriIndex));
    return dCreateTriMesh(space, arrays.data, nullptr, nullptr, nullptr);
}

// The types that the robots and obstacles have; NULL for others.
dGeomID makeGeom(RobotJob& r, dSpaceID space, const wkShape& shape)
{
    switch (shape.type) {
    case wk_shapeSphere:
        return dCreateSphere(space, shape.sphere.radius);
    case wk_shapeBox:
        return dCreateBox(space, 2.0 * shape.box.half.x, 2.0 * shape.box.half.y,
                          2.0 * shape.box.half.z);
    case wk_shapeCylinder:
        return dCreateCylinder(space, shape.cylinder.radius, 2.0 * shape.cylinder.halfLength);
    case wk_shapeMesh:
        return makeMesh(r, space, shape.mesh);
    default:
        return nullptr;
    }
}

dSpaceID makeSpace(Kind kind)
{
    const dVector3 middle = {0.0, 0.0, 1.0, 0.0};
    const dVector3 extents = {4.0, 4.0, 4.0, 0.0};
    return kind == Kind::hash       ? dHashSpaceCreate(nullptr)
           : kind == Kind::quadtree ? dQuadTreeSpaceCreate(nullptr, middle, extents, 4)
                                    : dSimpleSpaceCreate(nullptr);
}

bool fill(RobotJob& r, Kind kind)
{
    const wkRobotCase& made = *r.job.robotCase;
    r.bodySpace = dSimpleSpaceCreate(nullptr);
    r.obstacleSpace = makeSpace(kind);
    for (int i = 0; i < made.bodyCount; i++) {
        r.bodies.push_back(makeGeom(r, r.bodySpace, *wkRobot_Body(made.robot, i).shape));
        if (r.bodies.back() == nullptr) {
            return false;
        }
    }
    for (int i = 0; i < made.obstacleCount; i++) {
        dGeomID geom = makeGeom(r, r.obstacleSpace, made.obstacles[i]);
        if (geom == nullptr) {
            return false;
        }
        put(geom, odePose(made.obstaclePoses[i]));
    }
    for (int i = 0; i < made.count * made.bodyCount; i++) {
        r.poses.push_back(odePose(made.bodyPoses[i]));
    }
    return true;
}

void close(RobotJob* r)
{
    dSpaceDestroy(r->bodySpace);
    dSpaceDestroy(r->obstacleSpace);
    for (Arrays& arrays : r->arrays) {
        dGeomTriMeshDataDestroy(arrays.data);
    }
    dCloseODE();
    delete r;
}

struct Finding {
    bool isFirst;
    double count;
};

void checkPair(void* data, dGeomID a, dGeomID b)
{
    auto& finding = *static_cast<Finding*>(data);
    if (finding.isFirst && finding.count > 0.0) {
        return;
    }
    dContactGeom contact;
    if (dCollide(a, b, 1 | CONTACTS_UNIMPORTANT, &contact, sizeof contact) > 0) {
        finding.count += 1.0;
    }
}

void* open(const wkPeerRobotJob* job, wkAnswer* answers, Kind kind)
try {
    if (job->task != wk_robotFirst && job->task != wk_robotAll) {
        return nullptr;
    }
    auto r = std::make_unique<RobotJob>();
    dInitODE2(0);
    r->job = *job;
    r->answers = answers;
    if (!fill(*r, kind)) {
        close(r.release());
        return nullptr;
    }
    return r.release();
} catch (const std::exception&) {
    return nullptr;
}

} // namespace

void* wkOpenOdeRobotHash(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, Kind::hash);
}

void* wkOpenOdeRobotQuadtree(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, Kind::quadtree);
}

void* wkOpenOdeRobotSimple(const wkPeerRobotJob* job, wkAnswer* answers)
{
    return open(job, answers, Kind::simple);
}

void wkPassOdeRobot(void* handle)
{
    auto& r = *static_cast<RobotJob*>(handle);
    const OdePose* pose = r.poses.data();
    for (int i = 0; i < r.job.robotCase->count; i++) {
        for (dGeomID body : r.bodies) {
            put(body, *pose++);
        }
        Finding finding = {r.job.task == wk_robotFirst, 0.0};
        dSpaceCollide2(reinterpret_cast<dGeomID>(r.bodySpace),
                       reinterpret_cast<dGeomID>(r.obstacleSpace), &finding, checkPair);
        r.answers[i] = finding.count;
    }
}

void wkCloseOdeRobot(void* handle)
{
    close(static_cast<RobotJob*>(handle));
}
