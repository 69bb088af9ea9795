// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Spheres of a robot on their way from a file.

#include "io/text/document.h"
#include "io/text/xml.h"

typedef struct wkSphereBuilder {
    const wkRobot* robot;
    const wkSphereLoadOptions* options;
    const wkIoSource* source;
    wkIoArena arena;
    wkLinkSphere* spheres;
    int32_t count;
    bool* isLinkSeen; // of each link of the robot: the file has named it
    wkDigest proof;   // that the file has; zeros: none
    wkSphereLoadReport report;
} wkSphereBuilder;

// Room for that many spheres: as many as the file can hold.
wkResult wkSphereBuilder_Reserve(wkSphereBuilder* builder, int32_t capacity);

// Number of a link that the file names in a line; -1 when the robot lacks it and that is fine. A link
// that was named before is refused.
wkResult wkSphereBuilder_FindLink(wkSphereBuilder* builder, const char* name, int32_t line,
                                  int32_t* link);

// Appends a sphere, of which there is room for one more.
void wkSphereBuilder_Add(wkSphereBuilder* builder, int32_t link, wkSphere3d sphere);

// The kinds of files.
wkResult wkSphereBuilder_ReadJson(wkSphereBuilder* builder);
wkResult wkSphereBuilder_ReadYaml(wkSphereBuilder* builder);
wkResult wkSphereBuilder_ReadUrdf(wkSphereBuilder* builder);

// Writers of them.
wkIoSinkFcn wkWriteSphereJson, wkWriteSphereYaml, wkWriteSphereUrdf;
