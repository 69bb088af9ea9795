// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Builder of the sphere model of a robot.

#include "io/text/document.h"
#include "io/text/xml.h"

typedef struct wkSphereBuilder {
    const wkRobot* robot;
    const wkSphereLoadDef* options;
    const wkIoSource* source;
    wkIoArena arena;
    wkLinkSphere* spheres;
    int32_t count;
    bool* isLinkNamed; // per link of the robot: the file has named it
    wkDigest proof;    // in the file; zeros: none
    wkSphereLoadInfo report;
} wkSphereBuilder;

// Reserves capacity for as many spheres as the file can hold.
wkResult wkSphereBuilder_Reserve(wkSphereBuilder* builder, int32_t capacity);

// Finds the index of a link named in a line; -1 when the robot lacks it and the options allow that. Refuses a
// link that was named before.
wkResult wkSphereBuilder_FindLink(wkSphereBuilder* builder, const char* name, int32_t line,
                                  int32_t* link);

// Appends a sphere, within the reserved capacity.
void wkSphereBuilder_Add(wkSphereBuilder* builder, int32_t link, wkSphere3d sphere);

// Readers of the formats.
wkResult wkSphereBuilder_ReadJson(wkSphereBuilder* builder);
wkResult wkSphereBuilder_ReadYaml(wkSphereBuilder* builder);
wkResult wkSphereBuilder_ReadUrdf(wkSphereBuilder* builder);

// Writers of the formats.
wkIoSinkFcn wkWriteSphereJson, wkWriteSphereYaml, wkWriteSphereUrdf;
