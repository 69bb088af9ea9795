// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Parts of an SDF reader.

#include "io/text/xml.h"
#include "io/world/world_builder.h"

// Maximum nesting of frames and models, and of files that include others.
#define WK_SDF_MAX_DEPTH 32
#define WK_SDF_MAX_FILES 8

// Maximum number of includes of a world, nested ones counted each time.
#define WK_SDF_MAX_INCLUDES 1000

// State shared by all parts.
typedef struct wkSdfReader {
    wkWorldBuilder* builder;
    int64_t budget; // name comparisons left, which bounds the time for a hostile file
    int32_t fileDepth;
    int32_t includeCount;
} wkSdfReader;

// A world or model, relative to whose frame the poses of its children are given.
typedef struct wkSdfScope {
    const wkXmlFile* file;
    const wkXmlElement* element;
    bool isWorld;
} wkSdfScope;

// Reads "x y z roll pitch yaw" of the child <pose>; identity without one.
wkResult wkSdf_ReadPose(const wkXmlFile* file, const wkXmlElement* element, wkPose* pose);

// Computes the pose of a child (model, link, joint, frame) in the frame of its scope, through the frames that
// it is relative to.
wkResult wkSdf_ResolvePose(wkSdfReader* reader, const wkSdfScope* scope,
                           const wkXmlElement* element, wkPose* pose);

// Reads the shape of a <geometry>. An empty geometry gives the type wk_shapeNone.
wkResult wkSdf_ReadShape(wkSdfReader* reader, const wkXmlFile* file, const wkXmlElement* geometry,
                         wkShape* shape);

// Repeats the last error, which has no location, with the location of the element.
wkResult wkSdf_FailAgain(const wkXmlFile* file, const wkXmlElement* element, wkResult result);

// Returns the text of an element without surrounding white space, in the arena; NULL: out of memory.
const char* wkSdf_Text(wkSdfReader* reader, const wkXmlElement* element);
