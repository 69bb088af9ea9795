// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot on its way from its files: what URDF and SRDF say, with the elements that said it, until
// wkRobot_Create takes it.

#include "io/text/names.h"
#include "io/text/xml.h"

// A mesh file with a scale, as it stands for one body or several.
typedef struct wkBuilderMesh {
    const wkXmlElement* element; // the first that names it
    const char* link;            // of that element
    const char* path;
    wkVec3d scale;
    wkRobotMeshMode mode;
    wkMesh* mesh; // solid or surface; NULL when the file has no triangles
    wkHull** hulls;
    int32_t hullCount;
    int64_t triangleCount;
    wkResult result;
    char words[512]; // of a failure
    char warning[WK_WARNING_CAPACITY];
} wkBuilderMesh;

// A shape on a link. That of a mesh has no shape until the mesh is there.
typedef struct wkBuilderBody {
    wkBodyDef def;
    int32_t mesh; // -1: none
} wkBuilderBody;

typedef struct wkUrdfBuilder {
    wkIoArena arena;
    const wkRobotLoadOptions* options;
    const char* path; // of the URDF; NULL: it came from memory
    wkXmlFile urdf;
    wkXmlFile srdf;
    wkRobotDef def; // its arrays are those below, in the arena
    // of each link; one more has room than the URDF has
    const char** links;
    const wkXmlElement** linkElements;
    int32_t* linkJoints; // the joint that carries it; -1: none
    // of each joint, likewise
    wkJointDef* joints;
    const wkXmlElement** jointElements;
    int32_t* jointParents; // links
    int32_t* jointChildren;
    wkIoNames linkNames;
    wkIoNames jointNames;
    wkIoNames groupNames;
    wkIoNames virtualNames; // of joints that only the SRDF knows
    wkBuilderBody* bodies;
    wkBuilderMesh** meshes;
    int32_t bodyCount;
    int32_t meshCount;
    wkRobotLoadReport report;
} wkUrdfBuilder;

// Counts a warning, keeps the first one for the report and hands each to the caller's function.
void wkUrdfBuilder_Warn(wkUrdfBuilder* builder, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The same about an element, which the words then name.
void wkUrdfBuilder_WarnOf(wkUrdfBuilder* builder, const wkXmlFile* file,
                          const wkXmlElement* element, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

// Warns of what is doubtful about a mesh that was loaded.
void wkUrdfBuilder_WarnOfMesh(wkUrdfBuilder* builder, const wkBuilderMesh* mesh);

// Refuses a robot that nothing can touch, unless that is allowed; warns of links without shapes.
wkResult wkUrdfBuilder_CheckBodies(wkUrdfBuilder* builder);

// The parts of a URDF, in the order in which they are read.
wkResult wkUrdf_ReadRoot(wkUrdfBuilder* builder);
wkResult wkUrdf_ReadLinks(wkUrdfBuilder* builder);
wkResult wkUrdf_ReadJoints(wkUrdfBuilder* builder);
wkResult wkUrdf_CheckTree(wkUrdfBuilder* builder);
wkResult wkUrdf_ReadBodies(wkUrdfBuilder* builder);

// The origin of an element; identity when it has none.
wkResult wkUrdf_ReadOrigin(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose);

// Loads the meshes, and puts shapes in place of them into the description.
wkResult wkUrdfBuilder_LoadMeshes(wkUrdfBuilder* builder);
wkResult wkUrdfBuilder_PlaceBodies(wkUrdfBuilder* builder);

// Gives back what holds the meshes, and the meshes and hulls themselves unless a robot has taken them.
void wkUrdfBuilder_DropMeshes(wkUrdfBuilder* builder, bool isTaken);

// What an SRDF adds to the description.
wkResult wkSrdf_ReadRoot(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadVirtualJoint(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadGroups(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadStates(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadEndEffectors(wkUrdfBuilder* builder);
wkResult wkSrdf_ReadPairs(wkUrdfBuilder* builder);
