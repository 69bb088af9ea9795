// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of the reader of planning scenes.

#include "io/text/document.h"
#include "io/world/world_builder.h"

typedef struct wkWorldYaml {
    wkWorldBuilder* builder;
    const wkDocument* document;
    const wkDocNode* frames; // fixed_frame_transforms; NULL: none
} wkWorldYaml;

// Repeats the last error, which has no location, with the location of the node.
wkResult wkWorldYaml_FailAgain(const wkWorldYaml* w, const wkDocNode* node, wkResult result);

// Reads {position, orientation}, or {translation, rotation}; lists of numbers, or maps of x, y, z, w.
wkResult wkWorldYaml_ReadPose(const wkWorldYaml* w, const wkDocNode* node, wkPose* pose);

// Adds the shapes of a collision object to the open object.
wkResult wkWorldYaml_ReadShapes(wkWorldYaml* w, const wkDocNode* object);

// Returns the number of elements of a list; 0 when there is no list.
int32_t wkWorldYaml_Count(const wkDocNode* list);
