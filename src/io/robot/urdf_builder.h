// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Builder of a robot: the content of URDF and SRDF, with the elements that it came from, until
// wkRobot_Create takes it.

#include "io/text/names.h"
#include "io/text/xml.h"

// A mesh file with a scale; one or several bodies use it.
typedef struct wkBuilderMesh {
    const wkXmlElement* element; // the first element that names it
    const char* link;            // link of that element
    const char* path;
    wkVec3d scale;
    wkRobotMeshMode mode;
    wkMesh* mesh; // solid or surface; NULL when the file has no triangles
    wkHull** hulls;
    int32_t hullCount;
    int64_t triangleCount;
    wkResult result;
    char words[512]; // error message
    char warning[WK_WARNING_CAPACITY];
} wkBuilderMesh;

// A shape on a link. The shape of a mesh is set when the mesh is loaded.
typedef struct wkBuilderBody {
    wkBodyDef def;
    int32_t mesh; // -1: none
} wkBuilderBody;

typedef struct wkUrdfBuilder {
    wkIoArena arena;
    const wkRobotLoadDef* options;
    const char* path; // of the URDF; NULL: parsed from memory
    wkXmlFile urdf;
    wkXmlFile srdf;
    wkRobotDef def; // its arrays are the ones below, in the arena
    // per link; the capacity is one more than the URDF has
    const char** links;
    const wkXmlElement** linkElements;
    int32_t* linkJoints; // index of the parent joint; -1: none
    // per joint, with one more as well
    wkJointDef* joints;
    const wkXmlElement** jointElements;
    int32_t* jointParents; // indices of links
    int32_t* jointChildren;
    wkIoNames linkNames;
    wkIoNames jointNames;
    wkIoNames groupNames;
    wkIoNames virtualNames; // of joints that only the SRDF has
    wkBuilderBody* bodies;
    wkBuilderMesh** meshes;
    int32_t bodyCount;
    int32_t meshCount;
    wkRobotLoadInfo report;
    wkMesh** ownMeshes; // that the robot adopts
    wkHull** ownHulls;
    int32_t ownMeshCount;
    int32_t ownHullCount;
} wkUrdfBuilder;

// Counts a warning, keeps the first one for the report and passes each to the caller's function.
void wkUrdfBuilder_Warn(wkUrdfBuilder* builder, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The same about an element, which the message then names.
void wkUrdfBuilder_WarnOf(wkUrdfBuilder* builder, const wkXmlFile* file,
                          const wkXmlElement* element, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Warns about doubtful properties of a loaded mesh.
void wkUrdfBuilder_WarnOfMesh(wkUrdfBuilder* builder, const wkBuilderMesh* mesh);

// Refuses a robot without collision shapes, unless that is allowed; warns about links without shapes.
wkResult wkUrdfBuilder_CheckBodies(wkUrdfBuilder* builder);

// Read the parts of a URDF, in this order.
wkResult wkUrdf_ReadRoot(wkUrdfBuilder* builder);
wkResult wkUrdf_ReadLinks(wkUrdfBuilder* builder);
wkResult wkUrdf_ReadJoints(wkUrdfBuilder* builder);
wkResult wkUrdf_CheckTree(wkUrdfBuilder* builder);
wkResult wkUrdf_ReadBodies(wkUrdfBuilder* builder);

// Reads the origin of an element; identity when it has none.
wkResult wkUrdf_ReadOrigin(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose);

// Loads the meshes, and sets the shapes of their bodies.
wkResult wkUrdfBuilder_LoadMeshes(wkUrdfBuilder* builder);
wkResult wkUrdfBuilder_PlaceBodies(wkUrdfBuilder* builder);

// Frees the builder's meshes; with `isTaken` the meshes and hulls themselves belong to a robot and stay.
void wkUrdfBuilder_DropMeshes(wkUrdfBuilder* builder, bool isTaken);

// Read the parts of an SRDF.
wkResult wkSrdf_ReadRoot(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadVirtualJoint(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadGroups(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadStates(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadEndEffectors(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadPairs(wkUrdfBuilder* builder);
