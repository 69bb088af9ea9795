// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Balls of a robot on their way from a file.

#include "io/document.h"
#include "io/xml.h"

typedef struct wkSphereDraft {
    const wkRobot* robot;
    const wkSphereLoadOptions* options;
    const wkIoSource* source;
    wkIoArena arena;
    wkLinkBall* balls;
    int32_t count;
    bool* isLinkSeen; // of each link of the robot: the file has named it
    wkDigest proof;   // that the file has; zeros: none
    wkSphereLoadReport report;
} wkSphereDraft;

// Room for that many balls: as many as the file can hold.
wkResult wkSphereDraft_Reserve(wkSphereDraft* draft, int32_t capacity);

// Number of a link that the file names in a line; -1 when the robot lacks it and that is fine. A link
// that was named before is refused.
wkResult wkSphereDraft_FindLink(wkSphereDraft* draft, const char* name, int32_t line,
                                int32_t* link);

// Appends a ball, of which there is room for one more.
void wkSphereDraft_Add(wkSphereDraft* draft, int32_t link, wkBall ball);

// The kinds of files.
wkResult wkSphereDraft_ReadJson(wkSphereDraft* draft);
wkResult wkSphereDraft_ReadYaml(wkSphereDraft* draft);
wkResult wkSphereDraft_ReadUrdf(wkSphereDraft* draft);

// Writers of them.
wkIoSinkFcn wkWriteSphereJson, wkWriteSphereYaml, wkWriteSphereUrdf;
