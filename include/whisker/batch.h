// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file batch.h
/// Batches: checks millions of configurations and motions for collision, and computes their clearances.
///
/// A `wkBatch` is made from a robot scene, a sphere model of the robot, and depth images. It checks
/// configurations in SIMD lanes: a call without a context on the threads of the batch, one call at a time;
/// calls with contexts on the threads that make them, any number at once. Its verdict "free" is conservative: the
/// spheres cover the robot, and their radii include the rounding errors. See docs/batches.md.

#include "whisker/depth.h"
#include "whisker/robot_scene.h"
#include "whisker/sphere_model.h"

/// A robot scene prepared for many checks at once.
typedef struct wkBatch wkBatch;

/// The memory of a thread that calls a batch. Several threads may call one batch at the same time when each
/// has a context of its own.
typedef struct wkBatchContext wkBatchContext;

/// Which geometry decides a collision.
typedef enum wkExactness {
    wk_exactnessSpheres = 0, ///< the spheres: a contact of a sphere is a contact of the robot
    wk_exactnessFilter = 1, ///< configurations with free spheres are free, also when the spheres do
                            ///< not cover the robot; the others are checked with the robot's shapes
                            ///< like wkRobotScene_Check. Depth images are checked with spheres only
    wk_exactnessSelf = 2,   ///< spheres decide contacts with the surroundings. When spheres of two
                            ///< links, or of a link and an attached object, touch, the shapes
                            ///< decide: protruding spheres of close links touch in free
                            ///< configurations, too
    wk_exactnessRefined = 3, ///< faster than wk_exactnessSelf: when spheres of two links touch,
                             ///< tables of joint values decide, or the spheres where few free
                             ///< configurations are lost. About 1.5 % of random free ones count
                             ///< as touching; a configuration with a contact is never free
} wkExactness;

/// Lower-case name: "spheres", "filter", "self", "refined".
WK_API const char* wkExactnessName(wkExactness exactness);

/// What computes the answers of a batch.
typedef enum wkBackend {
    wk_backendCpu = 0, ///< SIMD kernels on the threads of the batch or of the caller
} wkBackend;

/// Lower-case name: "cpu"; "unknown" for other values.
WK_API const char* wkBackendName(wkBackend backend);

/// Definition of a batch. Start from `wkDefaultBatchDef()`.
typedef struct wkBatchDef {
    uint32_t cookie;           ///< set by wkDefaultBatchDef()
    const wkRobotScene* scene; ///< borrowed; must not change while the batch is in use, except
                               ///< before wkBatch_Refresh: until then every call returns
                               ///< wk_errorState. Snapshots are accepted
    const wkSphereModel*
        spheres; ///< borrowed; NULL (default): fitted to 2 cm, which takes seconds.
                 ///< "Free" holds for the robot when they cover it, else for them
    const wkDepthMap* const* depthMaps; ///< borrowed, with the maps; NULL (default): none
    int32_t depthMapCount;              ///< at most 64; default 0
    bool occludedIsFree;                ///< occluded space counts as free; default false
    bool unobservedIsFree;              ///< unobserved space counts as free; default false
    wkExactness exactness;              ///< default wk_exactnessRefined
    wkBackend backend;                  ///< default wk_backendCpu
    wkPose base;                        ///< pose of the robot's root link; default identity
    bool checksLimits;                  ///< joint limits; default true
    bool checksSelf;            ///< links and attached objects with each other; default true
    bool checksWorld;           ///< objects and maps of the scene; default true
    bool checksDepth;           ///< depth images; default true
    double margin;              ///< touching means distance <= margin; to 1e5; default 0
    double cellSize;            ///< of the clearance field, metres; 0 (default): chosen;
                                ///< increased when there would be too many cells
    bool allowsEmpty;           ///< default false: a sphere model without spheres is refused,
                                ///< since every configuration would be free; true: it is accepted
    const wkParallel* parallel; ///< threads of creation, refresh and calls without a context; NULL
                                ///< (default): the calling one. Those of the library start with
                                ///< the batch, sleep between calls, and end with it. With a
                                ///< `run`, calls use `threadCount` at most; 0: one per processor
    wkProgressFcn* progress;    ///< reports the sphere fit of `spheres` NULL, which takes seconds,
                                ///< and may cancel it; NULL (default): none
    void* progressContext;      ///< passed to `progress`
} wkBatchDef;

/// The defaults above, without a scene.
WK_API wkBatchDef wkDefaultBatchDef(void);

/// Creates a batch.
/// @param batch set to NULL on failure
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field; wk_errorArgument for a
///         model without spheres (see allowsEmpty), and for spheres on a link without collision shapes
///         under wk_exactnessFilter; wk_errorState: a map or mesh of the scene has
///         changed without wkRobotScene_Refresh; wk_errorMemory; wk_errorCancelled
WK_API wkResult wkBatch_Create(const wkBatchDef* def, wkBatch** batch);

/// Releases a batch; NULL is fine.
WK_API void wkBatch_Destroy(wkBatch* batch);

/// Updates the batch after changes of the scene: objects, and maps and meshes after wkRobotScene_Refresh.
/// Depth maps are re-read on every call; no refresh is needed.
/// @return as wkBatch_Create; on failure the batch is unchanged
WK_API wkResult wkBatch_Refresh(wkBatch* batch);

/// Creates a context for one more thread. The threads of the batch have theirs already: a program that calls
/// from one thread needs none.
/// @param batch must outlive the context
/// @param context set to NULL on failure
/// @return wk_errorArgument, wk_errorMemory
WK_API wkResult wkBatchContext_Create(const wkBatch* batch, wkBatchContext** context);

/// Releases a context; NULL is fine. After wkBatch_Refresh a context is refused, and only this is left to do.
WK_API void wkBatchContext_Destroy(wkBatchContext* context);

/// Properties of a batch.
typedef struct wkBatchInfo {
    wkBackend backend;        ///< what computes the answers
    int32_t variableCount;    ///< length of a configuration
    int32_t sphereCount;      ///< spheres of the robot and its attached objects
    int32_t robotSphereCount; ///< spheres of the robot alone, as in wkBatch_PlaceSpheres
    bool isCovering;          ///< the spheres are proven to cover the robot: "free" holds for the
                              ///< robot. Else it holds for the spheres alone, and reports must
                              ///< state this
    int32_t pairCount;        ///< pairs of links and attached objects that are checked
    int32_t laneCount;        ///< configurations in a SIMD register
    double cellSize;          ///< of the clearance field; 0: there is none
    int32_t threadCount;      ///< threads of a call without a context, at most
    size_t byteCount;         ///< memory in use, without contexts of callers
} wkBatchInfo;

/// Returns the properties; zeros for NULL.
WK_API wkBatchInfo wkBatch_Info(const wkBatch* batch);

/// Checks configurations for collision. Allocates nothing.
/// @param context of the calling thread, on which alone the call runs then, without locks; NULL: the call
///        runs on the threads of the batch, in their contexts, and no other call may do so at the same time.
///        Calls of a few configurations run on the calling thread in either case and wake no other
/// @param configurations `count` configurations, one after the other
/// @param verdicts one byte per configuration, a wkVerdict: wk_verdictFree, or the first reason found;
///        wk_verdictInvalid for a configuration that is not finite. All are set to wk_verdictUnchecked
///        before the work begins, and stay so when the call is refused
/// @return wk_errorArgument; wk_errorState: the scene, or a map or mesh in it, has changed since the
///         batch was made, and all verdicts are wk_verdictInvalid; wk_errorState with unchecked verdicts:
///         another call is running in the same context, or on the threads of the batch, or the context
///         is older than the last wkBatch_Refresh
WK_API wkResult wkBatch_CheckStates(const wkBatch* batch, wkBatchContext* context,
                                    const double* configurations, int64_t count, uint8_t* verdicts);

/// Computes the distance from the robot's spheres to the nearest obstacle in each configuration. Allocates
/// nothing.
/// @param context as in wkBatch_CheckStates
/// @param cutoff maximum distance to search, metres, > 0
/// @param clearances one per configuration, of the spheres with any exactness: the cutoff when nothing is
///        nearer, NaN for a configuration that is not finite. A value > 0 is a lower bound; a value <= 0
///        means that spheres touch, not how deep the robot does. Obstacles are objects, the robot itself
///        and what depth images do not show to be free: surfaces, and occluded or unobserved space unless
///        the batch counts it as free. Limits are ignored. All are set to NaN before the work begins, and
///        stay so when the call is refused
/// @return wk_errorArgument, wk_errorRange; wk_errorState as wkBatch_CheckStates, with NaN everywhere
WK_API wkResult wkBatch_Clearances(const wkBatch* batch, wkBatchContext* context,
                                   const double* configurations, int64_t count, double cutoff,
                                   float* clearances);

/// Result of the check of a motion.
typedef struct wkBatchMotionResult {
    uint8_t verdict; ///< a wkVerdict; wk_verdictUncertain: neither proven free nor found touching
    float time;      ///< of the contact found, in [0, 1]; 1 for a free motion
    int32_t firstIndex; ///< index of a step in contact, from 0: the first one with `wantsFirst`,
                        ///< else any; -1: none, or certified
    int32_t stepCount;  ///< not certified: configurations from one end to the other; certified:
                        ///< configurations checked
} wkBatchMotionResult;

/// Checks the motions from each configuration of `from` to that of `to` for collision, interpolated like
/// wkRobot_Interpolate. Allocates nothing.
/// @param context as in wkBatch_CheckStates
/// @param request NULL means `wkDefaultMotionRequest()`. What is checked is part of wkBatchDef: a `check` other
///        than wkDefaultRobotRequest() is refused. Spheres are checked without `maxCheckCount`; a motion of
///        more than 16777216 steps is wk_verdictUncertain
/// @param results one per motion. All are wk_verdictUnchecked with a time of NaN before the work begins, and
///        stay so when the call is refused
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorState as wkBatch_CheckStates
WK_API wkResult wkBatch_CheckMotions(const wkBatch* batch, wkBatchContext* context,
                                     const double* from, const double* to, int64_t count,
                                     const wkMotionRequest* request, wkBatchMotionResult* results);

/// Computes the spheres of many configurations in the world frame. Allocates nothing.
/// @param context as in wkBatch_CheckStates
/// @param spheres x, y, z, radius of each sphere of each configuration: those of the model in their order,
///        without attached objects. Radii include the padding of their links and the rounding errors of
///        floats. NaN for configurations that are not finite, and everywhere when the call is refused
/// @return wk_errorArgument, wk_errorRange; wk_errorState as wkBatch_CheckStates
WK_API wkResult wkBatch_PlaceSpheres(const wkBatch* batch, wkBatchContext* context,
                                     const double* configurations, int64_t count, float* spheres);
