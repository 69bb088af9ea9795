// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A robot on its way from its files: what URDF and SRDF say, with the elements that said it, until
// wkRobot_Create takes it.

#include "io/names.h"
#include "io/xml.h"

// A mesh file with a scale, as it stands for one body or several.
typedef struct wkDraftMesh {
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
} wkDraftMesh;

// A shape on a link. That of a mesh has no shape until the mesh is there.
typedef struct wkDraftBody {
    wkBodyDef def;
    int32_t mesh; // -1: none
} wkDraftBody;

typedef struct wkUrdfDraft {
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
    wkDraftBody* bodies;
    wkDraftMesh** meshes;
    int32_t bodyCount;
    int32_t meshCount;
    wkRobotLoadReport report;
} wkUrdfDraft;

// Counts a warning, keeps the first one for the report and hands each to the caller's function.
void wkUrdfDraft_Warn(wkUrdfDraft* draft, const char* format, ...)
    __attribute__((format(printf, 2, 3)));

// The same about an element, which the words then name.
void wkUrdfDraft_WarnOf(wkUrdfDraft* draft, const wkXmlFile* file, const wkXmlElement* element,
                        const char* format, ...) __attribute__((format(printf, 4, 5)));

// Warns of what is doubtful about a mesh that was loaded.
void wkUrdfDraft_WarnOfMesh(wkUrdfDraft* draft, const wkDraftMesh* mesh);

// Refuses a robot that nothing can touch, unless that is allowed; warns of links without shapes.
wkResult wkUrdfDraft_CheckBodies(wkUrdfDraft* draft);

// The parts of a URDF, in the order in which they are read.
wkResult wkUrdf_ReadRoot(wkUrdfDraft* draft);
wkResult wkUrdf_ReadLinks(wkUrdfDraft* draft);
wkResult wkUrdf_ReadJoints(wkUrdfDraft* draft);
wkResult wkUrdf_CheckTree(wkUrdfDraft* draft);
wkResult wkUrdf_ReadBodies(wkUrdfDraft* draft);

// The origin of an element; identity when it has none.
wkResult wkUrdf_ReadOrigin(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose);

// Loads the meshes, and puts shapes in place of them into the description.
wkResult wkUrdfDraft_LoadMeshes(wkUrdfDraft* draft);
wkResult wkUrdfDraft_PlaceBodies(wkUrdfDraft* draft);

// Gives back what holds the meshes, and the meshes and hulls themselves unless a robot has taken them.
void wkUrdfDraft_DropMeshes(wkUrdfDraft* draft, bool isTaken);

// What an SRDF adds to the description.
wkResult wkSrdf_ReadRoot(wkUrdfDraft* draft);
wkResult wkSrdf_ReadVirtualJoint(wkUrdfDraft* draft);
wkResult wkSrdf_ReadGroups(wkUrdfDraft* draft);
wkResult wkSrdf_ReadStates(wkUrdfDraft* draft);
wkResult wkSrdf_ReadEndEffectors(wkUrdfDraft* draft);
wkResult wkSrdf_ReadPairs(wkUrdfDraft* draft);
