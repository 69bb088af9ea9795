// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of an SDF reader.

#include "io/text/xml.h"
#include "io/world/world_builder.h"

// Frames and models within each other, and files that include others.
#define WK_SDF_MAX_DEPTH 32
#define WK_SDF_MAX_FILES 8

// Includes of a world, those within others counted each time.
#define WK_SDF_MAX_INCLUDES 1000

// What all parts share.
typedef struct wkSdfReader {
    wkWorldBuilder* builder;
    int64_t budget; // names that may still be compared, so that a hostile file comes to an end
    int32_t fileDepth;
    int32_t includeCount;
} wkSdfReader;

// A world or model, whose frame the poses of its children are relative to.
typedef struct wkSdfScope {
    const wkXmlFile* file;
    const wkXmlElement* element;
    bool isWorld;
} wkSdfScope;

// Reads "x y z roll pitch yaw" of the child <pose>; identity without one.
wkResult wkSdf_ReadPose(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose);

// Pose of a child of a scope (model, link, joint, frame) in the frame of the scope, by way of the frames
// that it is relative to.
wkResult wkSdf_ResolvePose(wkSdfReader* reader, const wkSdfScope* scope,
                           const wkXmlElement* element, wkPose* pose);

// Reads the shape of a <geometry>. One that is empty has the type wk_shapeNone.
wkResult wkSdf_ReadShape(wkSdfReader* reader, const wkXmlFile* file, const wkXmlElement* geometry,
                         wkShape* shape);

// With the words of a failure that knows no place.
wkResult wkSdf_FailAgain(const wkXmlFile* file, const wkXmlElement* element, wkResult result);

// The text of an element without the white space around it, in the arena; NULL: no memory.
const char* wkSdf_Text(wkSdfReader* reader, const wkXmlElement* element);
