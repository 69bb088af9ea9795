// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "peers/fcl_geometry.hpp"

#include "../tests/scenes/to_fcl.hpp"

#include <vector>

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

static Geometry makeTriangle(const wkTriangle& triangle)
{
    auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Vector3d> vertices;
    for (const wkVec3d& point : triangle.points) {
        vertices.push_back(wkToFcl(point));
    }
    mesh->beginModel();
    mesh->addSubModel(vertices, {fcl::Triangle(0, 1, 2)});
    mesh->endModel();
    return mesh;
}

static Geometry makeConvex(const wkHull* hull)
{
    auto vertices = std::make_shared<std::vector<fcl::Vector3d>>();
    auto faces = std::make_shared<std::vector<int>>();
    for (int32_t i = 0; i < wkHull_Info(hull).vertexCount; i++) {
        vertices->push_back(wkToFcl(wkHull_Vertex(hull, i)));
    }
    for (int32_t i = 0; i < wkHull_Info(hull).faceCount; i++) {
        wkHullFace face = wkHull_Face(hull, i);
        faces->push_back(face.indexCount);
        faces->insert(faces->end(), face.indices, face.indices + face.indexCount);
    }
    return std::make_shared<fcl::Convexd>(vertices, wkHull_Info(hull).faceCount, faces);
}

Geometry wkMakeFclGeometry(const wkShape& shape)
{
    switch (shape.type) {
    case wk_shapeSphere:
        return std::make_shared<fcl::Sphered>(shape.sphere.radius);
    case wk_shapeCapsule:
        return std::make_shared<fcl::Capsuled>(shape.capsule.radius,
                                               2.0 * shape.capsule.halfLength);
    case wk_shapeBox:
        return std::make_shared<fcl::Boxd>(2.0 * wkToFcl(shape.box.half));
    case wk_shapeCylinder:
        return std::make_shared<fcl::Cylinderd>(shape.cylinder.radius,
                                                2.0 * shape.cylinder.halfLength);
    case wk_shapeCone:
        return std::make_shared<fcl::Coned>(shape.cone.radius, 2.0 * shape.cone.halfLength);
    case wk_shapeEllipsoid:
        return std::make_shared<fcl::Ellipsoidd>(wkToFcl(shape.ellipsoid.radii));
    case wk_shapeTriangle:
        return makeTriangle(shape.triangle);
    case wk_shapeHull:
        return makeConvex(shape.hull);
    case wk_shapeHalfspace:
        return std::make_shared<fcl::Halfspaced>(wkToFcl(shape.halfspace.normal),
                                                 shape.halfspace.offset);
    case wk_shapePlane:
        return std::make_shared<fcl::Planed>(wkToFcl(shape.plane.normal), shape.plane.offset);
    default:
        return nullptr;
    }
}

Geometry wkMakeFclModel(const wkModel& model)
{
    auto mesh = std::make_shared<fcl::BVHModel<fcl::OBBRSSd>>();
    std::vector<fcl::Vector3d> vertices;
    std::vector<fcl::Triangle> triangles;
    for (int32_t i = 0; i < model.vertexCount; i++) {
        vertices.push_back(wkToFcl(model.vertices[i]));
    }
    for (int32_t i = 0; i < model.triangleCount; i++) {
        const int32_t* index = &model.indices[3 * i];
        triangles.emplace_back(size_t(index[0]), size_t(index[1]), size_t(index[2]));
    }
    mesh->beginModel(model.triangleCount, model.vertexCount);
    mesh->addSubModel(vertices, triangles);
    mesh->endModel();
    return mesh;
}
