// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// FCL 0.7 with OBBRSS, which it uses for verdicts and distances alike.

#include "oracle_mesh.h"
#include "scenes/to_fcl.hpp"

#include <fcl/fcl.h>

#include <memory>
#include <vector>

struct wkFclMesh {
    fcl::BVHModel<fcl::OBBRSSd> model;
};

wkFclMesh* wkFclMesh_Create(const wkModel* model)
{
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int32_t i = 0; i < model->vertexCount; i++) {
        const wkVec3d& v = model->vertices[i];
        vertices.emplace_back(v.x, v.y, v.z);
    }
    for (size_t i = 0; i < static_cast<size_t>(model->triangleCount); i++) {
        const int32_t* faceVertices = &model->indices[3 * i];
        triangles.emplace_back(static_cast<size_t>(faceVertices[0]),
                               static_cast<size_t>(faceVertices[1]),
                               static_cast<size_t>(faceVertices[2]));
    }
    auto mesh = std::make_unique<wkFclMesh>();
    mesh->model.beginModel(model->triangleCount, model->vertexCount);
    mesh->model.addSubModel(vertices, triangles);
    return mesh->model.endModel() == fcl::BVH_OK ? mesh.release() : nullptr;
}

void wkFclMesh_Destroy(wkFclMesh* mesh)
{
    delete mesh;
}

wkOpinion wkFclMesh_Ask(const wkFclMesh* a, wkPose poseA, const wkFclMesh* b, wkPose poseB)
{
    wkOpinion opinion = {};
    try {
        fcl::CollisionRequestd collide(1, false);
        fcl::CollisionResultd contacts;
        opinion.isTouching = fcl::collide(&a->model, wkToFcl(poseA), &b->model, wkToFcl(poseB),
                                          collide, contacts) > 0;
        fcl::DistanceRequestd request(true);
        fcl::DistanceResultd result;
        opinion.distance =
            fcl::distance(&a->model, wkToFcl(poseA), &b->model, wkToFcl(poseB), request, result);
        // overlapping meshes answer -1 or the like, which is no depth
        opinion.hasDistance = opinion.distance > 0.0;
    } catch (const std::exception&) {
        opinion.hasFailed = true;
    }
    return opinion;
}
