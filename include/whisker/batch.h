// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file batch.h
/// Configurations by the million: is each one free, is each motion, how far is everything.
///
/// A `wkBatch` is made from a robot scene, spheres that stand for the robot, and depth images. It takes
/// configurations in lanes, as many at once as the machine has, on as many threads as it is given. A
/// configuration that is said to be free is free: spheres cover the robot, and what rounding can do is
/// added to them. See docs/batches.md.

#include "whisker/depth.h"
#include "whisker/robot_scene.h"
#include "whisker/sphere_model.h"

/// Many checks at once.
typedef struct wkBatch wkBatch;

/// Which geometry decides.
typedef enum wkExactness {
    wk_exactnessSpheres = 0, ///< the spheres: what they touch counts as touched by the robot
    wk_exactnessFilter =
        1, ///< spheres say what is free; the rest is looked at with the shapes of the
           ///< robot, as by wkRobotScene_Check. Depth images know spheres alone, and
           ///< spheres that do not cover the robot still say what is free
    wk_exactnessSelf =
        2, ///< spheres decide about all that is around the robot. Where spheres of two links, or of a
    ///< link and an attached object, touch, the shapes of these two decide: spheres that stick out
    ///< would make links that are always near each other touch in free configurations
    wk_exactnessCount = 3, ///< number of values, not an exactness
} wkExactness;

/// Lower-case name: "spheres", "filter", "self".
WK_API const char* wkExactnessName(wkExactness exactness);

/// How a batch is made. Start from `wkDefaultBatchDef()`.
typedef struct wkBatchDef {
    const wkRobotScene* scene; ///< borrowed; must not change while the batch is in use, except
                               ///< before wkBatch_Refresh: until then every call returns
                               ///< wk_errorState. A snapshot is fine
    const wkSphereModel*
        spheres; ///< borrowed; NULL (default): fitted to 2 cm, which takes seconds.
                 ///< Free is about the robot where they cover it, else about them
    const wkDepthMap* const* depthMaps; ///< borrowed, with the maps; NULL (default): none
    int32_t depthMapCount;              ///< 64 at most; default 0
    bool occludedIsFree;                ///< what is behind surfaces may be touched; default false
    bool unobservedIsFree;              ///< what no camera has seen likewise; default false
    wkExactness exactness;              ///< default wk_exactnessSelf
    wkPose base;                        ///< where the root of the robot is; default identity
    bool checksLimits;                  ///< default true, as the others
    bool checksSelf;                    ///< spheres of links that must not touch, with what is held
    bool checksWorld;                   ///< spheres with objects and maps of the scene
    bool checksDepth;                   ///< spheres with the depth images
    double margin;                      ///< touching means distance <= margin; to 1e5; default 0
    double cellSize;                    ///< of the field of distances, metres; 0 (default): chosen;
                                        ///< larger where there would be too many cells
    bool allowsEmpty;           ///< default false: a sphere model without spheres is refused,
                                ///< since every configuration would be free; true: it is taken
    const wkParallel* parallel; ///< threads of all calls; NULL (default): the calling one
    wkProgressFcn*
        progress; ///< told about the fit of spheres where none are given, which takes seconds,
                  ///< and may cancel it; NULL (default): nobody is
    void* progressContext; ///< passed to it
    uint32_t cookie;       ///< set by wkDefaultBatchDef()
} wkBatchDef;

/// The defaults above, without a scene.
WK_API wkBatchDef wkDefaultBatchDef(void);

/// Makes a batch ready.
/// @param batch set to NULL on failure
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the field; wk_errorArgument for a
///         model without spheres (see allowsEmpty), and for spheres on a link without collision shapes
///         under wk_exactnessFilter; wk_errorState: a map or mesh of the scene has
///         changed without wkRobotScene_Refresh; wk_errorMemory; wk_errorCancelled
WK_API wkResult wkBatch_Create(const wkBatchDef* def, wkBatch** batch);

/// Releases a batch; NULL is fine.
WK_API void wkBatch_Destroy(wkBatch* batch);

/// Takes in what has changed in the scene: objects, and maps and meshes after wkRobotScene_Refresh.
/// Depth maps are read on every call and need no refresh.
/// @return as wkBatch_Create: the batch is as it was
WK_API wkResult wkBatch_Refresh(wkBatch* batch);

/// Figures of a batch.
typedef struct wkBatchInfo {
    int32_t variableCount;    ///< length of a configuration
    int32_t sphereCount;      ///< of the robot and what it holds
    int32_t robotSphereCount; ///< of the robot alone, as wkBatch_PlaceSpheres gives them
    bool
        isCovering; ///< the spheres are proven to cover the robot: free is free for the robot. Else
                    ///< it is free for the spheres alone, and summaries have to say so
    int32_t pairCount; ///< pairs of links, and held objects, that are looked at
    int32_t laneCount; ///< configurations side by side
    double cellSize;   ///< of the field of distances; 0: there is none
    size_t byteCount;  ///< memory
} wkBatchInfo;

/// The figures; zeros for NULL.
WK_API wkBatchInfo wkBatch_Info(const wkBatch* batch);

/// Are configurations free? Allocates nothing.
/// @param configurations `count` of them, one after the other
/// @param verdicts one byte for each, a wkVerdict: wk_verdictFree, or what was found first. All are
///        wk_verdictUnchecked before the work begins, and stay so when the call is refused
/// @return wk_errorArgument; wk_errorState: the scene, or a map or mesh in it, has changed since the
///         batch was made, and all verdicts are wk_verdictInvalid. Configurations that are not finite
///         have wk_verdictInvalid
WK_API wkResult wkBatch_CheckStates(const wkBatch* batch, const double* configurations,
                                    int64_t count, uint8_t* verdicts);

/// How far is the nearest thing from the spheres of each configuration? Allocates nothing.
/// @param cutoff what is further away is not looked for; metres, > 0
/// @param clearances one for each, of spheres whatever the exactness: the cutoff where nothing is nearer, NaN
///        for a configuration that is not finite. Above 0 never above the truth; not above 0 where spheres
///        touch, without saying how deep the robot does. The robot itself is included, and so is space
///        that depth images do not show to be free: surfaces, and what is occluded or unobserved unless
///        the batch forgives it; limits are not. All are NaN before the
///        work begins, and stay so when the call is refused
/// @return wk_errorArgument, wk_errorRange; wk_errorState as wkBatch_CheckStates, with NaN everywhere
WK_API wkResult wkBatch_Clearances(const wkBatch* batch, const double* configurations,
                                   int64_t count, double cutoff, float* clearances);

/// How motions are looked at. Start from `wkDefaultBatchMotion()`.
typedef struct wkBatchMotion {
    bool isCertified; ///< default true: free means free at every instant; false: at steps alone
    double
        step; ///< largest change of a variable between steps, in radians or metres; default 0.02.
              ///< A motion of more than 16777216 of them is wk_verdictUncertain
    double tolerance; ///< metres: a certified motion that comes nearer than this may be uncertain;
                      ///< default 1e-3
    bool wantsFirst;  ///< the first contact in time, not any; default false
    uint32_t cookie;  ///< set by wkDefaultBatchMotion()
} wkBatchMotion;

/// The defaults above.
WK_API wkBatchMotion wkDefaultBatchMotion(void);

/// What became of a motion.
typedef struct wkBatchMotionResult {
    uint8_t verdict; ///< a wkVerdict; wk_verdictUncertain: neither proven free nor found touching
    float time;      ///< of the contact found, in [0, 1]; 1 for a free motion
    int32_t
        firstIndex; ///< the step, counted from 0, that touches: the first one if asked for, else any;
                    ///< -1: none, or certified
    int32_t
        stepCount; ///< configurations from one end to the other, where it is not certified; else
                   ///< configurations looked at
} wkBatchMotionResult;

/// Are the motions from each configuration of `from` to that of `to`, as wkRobot_Interpolate has them,
/// free? Allocates nothing.
/// @param motion NULL means `wkDefaultBatchMotion()`
/// @param results one for each. All are wk_verdictUnchecked with a time of NaN before the work begins, and
///        stay so when the call is refused
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorState as wkBatch_CheckStates
WK_API wkResult wkBatch_CheckMotions(const wkBatch* batch, const double* from, const double* to,
                                     int64_t count, const wkBatchMotion* motion,
                                     wkBatchMotionResult* results);

/// Where the spheres of many configurations are, in the world.
/// @param spheres x, y, z, radius of each sphere of each configuration: those of the model in their order, and
///        none of what is held; radii with the padding of their links and what floats may do, NaN for what
///        is not finite
/// @return wk_errorArgument, wk_errorRange; wk_errorState as wkBatch_CheckStates, with NaN everywhere
WK_API wkResult wkBatch_PlaceSpheres(const wkBatch* batch, const double* configurations,
                                     int64_t count, float* spheres);
