// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of a reader of planning scenes.

#include "io/text/document.h"
#include "io/world/world_builder.h"

typedef struct wkWorldYaml {
    wkWorldBuilder* builder;
    const wkDocument* document;
    const wkDocNode* frames; // fixed_frame_transforms; NULL: none
} wkWorldYaml;

// With the words of a failure that knows no place.
wkResult wkWorldYaml_FailAgain(const wkWorldYaml* w, const wkDocNode* node, wkResult result);

// {position, orientation}, or {translation, rotation} of a transform; lists of numbers, or maps of x, y, z, w.
wkResult wkWorldYaml_ReadPose(const wkWorldYaml* w, const wkDocNode* node, wkPose* pose);

// Adds the shapes of a collision object to the object that is open.
wkResult wkWorldYaml_ReadShapes(wkWorldYaml* w, const wkDocNode* object);

// Number of elements of a list; 0 when there is no list.
int32_t wkWorldYaml_Count(const wkDocNode* list);
