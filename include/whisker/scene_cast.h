// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file scene_cast.h
/// The first object of a scene that a moving shape touches. See docs/casts.md.

#include "whisker/cast.h"
#include "whisker/scene.h"

/// Options of a cast through a scene. Start from `wkDefaultSceneCastRequest()`.
typedef struct wkSceneCastRequest {
    uint32_t cookie;      ///< set by wkDefaultSceneCastRequest()
    wkSceneRequest scene; ///< filters alone; its margin must be 0: that of the cast counts
    wkCastRequest cast;   ///< `maxIterations` is for each object, `cache` is not used
} wkSceneCastRequest;

/// The defaults of both.
WK_API wkSceneCastRequest wkDefaultSceneCastRequest(void);

/// The first contact of a moving shape with a scene.
typedef struct wkSceneCastResult {
    wkObjectId id; ///< of the object; null: none, or the arguments are not valid
    wkCastResult
        contact; ///< as of `wkCast` of the shape, which is A, and the object, which is B: no object
                 ///< touches before `time`
    int64_t pairCount; ///< objects that were cast against
} wkSceneCastResult;

/// Finds the first object that a shape touches on its way. The objects stand still, and all of them are free at
/// every instant before `contact.time`. Of several objects with the same time any may be reported.
///
/// Objects are found by the swept bounds of the shape. Allocates nothing; any number of threads may share the
/// scene.
/// @param request NULL means `wkDefaultSceneCastRequest()`
/// @return always filled. Arguments that are not valid, and a scene with a map or mesh that has changed without
///         wkScene_SetShape, give touching at time 0 with wk_statusInvalid
WK_API wkSceneCastResult wkScene_Cast(const wkScene* scene, const wkShape* shape,
                                      const wkBodyMotion* motion,
                                      const wkSceneCastRequest* request);
