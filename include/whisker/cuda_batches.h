// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file cuda_batches.h
/// Batches on a GPU: configurations, motions and clearances by the million, as wkBatch has them. A part of cuda.h; programs
/// may include either. See docs/gpu.md.

#include "whisker/batch.h"
#include "whisker/cuda.h"

/// A batch in the memory of a GPU. One call at a time; several of these may be used by several threads at once.
typedef struct wkCudaBatch wkCudaBatch;

/// What is kept on the GPU. Start from `wkDefaultCudaBatchDef()`.
typedef struct wkCudaBatchDef {
    uint32_t cookie;      ///< set by wkDefaultCudaBatchDef()
    wkCuda* cuda;         ///< borrowed; default NULL
    const wkBatch* batch; ///< copied to the GPU, and borrowed: it decides on the CPU what the GPU
                          ///< cannot; default NULL
    int64_t pieceCount; ///< configurations that are sent and checked at once, a multiple of 32 from
                        ///< 1024 to 67108864; default 1048576. Memory of the GPU is for three
                        ///< pieces, whatever the length of a call
    int64_t motionCount; ///< motions that are checked at once, a multiple of 32 from 0 to 4194304;
                         ///< default 65536. Each takes about a kilobyte of the GPU. 0: motions
                         ///< are not checked
} wkCudaBatchDef;

/// The defaults above.
WK_API wkCudaBatchDef wkDefaultCudaBatchDef(void);

/// Copies a batch to a GPU, and allocates all memory that calls need.
/// @param batch set to NULL on failure
/// @return wk_errorArgument, wk_errorRange naming the field; wk_errorMemory naming the bytes that the GPU lacks;
///         wk_errorUnsupported: libwhisker is of another build than this library; wk_errorDevice
WK_API wkResult wkCudaBatch_Create(const wkCudaBatchDef* def, wkCudaBatch** batch);

/// Releases a batch; NULL is fine. The batch that it was made of stays.
WK_API void wkCudaBatch_Destroy(wkCudaBatch* batch);

/// Copies the batch again, after wkBatch_Refresh; does nothing where it has not been refreshed.
/// @return as wkCudaBatch_Create; on failure the copy is unchanged, and calls are refused
WK_API wkResult wkCudaBatch_Refresh(wkCudaBatch* batch);

/// Properties of a batch on a GPU.
typedef struct wkCudaBatchInfo {
    size_t byteCount;  ///< memory of the GPU
    int64_t leftCount; ///< configurations or motions of the last call that the CPU decided
    bool isShared;     ///< frames of the robot fit into shared memory, which is fastest
} wkCudaBatchInfo;

/// Returns the properties; zeros for NULL.
WK_API wkCudaBatchInfo wkCudaBatch_Info(const wkCudaBatch* batch);

/// Where configurations and verdicts are. Start from `wkDefaultCudaStatesRequest()`. Calls that are refused take back the
/// results that they find there, as they do on any other failure; but for a request that was not initialised, which does
/// not say where they are, and for results on a GPU that is not there or lost.
typedef struct wkCudaStatesRequest {
    uint32_t cookie;         ///< set by wkDefaultCudaStatesRequest()
    bool areFloats;          ///< configurations are floats; default false: doubles
    wkCudaMemory statesIn;   ///< memory of the configurations; default wk_memoryHost
    wkCudaMemory verdictsIn; ///< memory of the verdicts; default wk_memoryHost
    bool asBits; ///< a bit for each configuration, set for wk_verdictFree alone, from the lowest of
                 ///< each word of 32 on, in whole words; default false: a wkVerdict in a byte each
    wkCudaField* const*
        fields; ///< of live points and objects that no sphere may touch either, on the GPU of the
                ///< batch: a contact is wk_verdictWorld, whatever the exactness. Configurations
                ///< with numbers that floats do not hold are wk_verdictUncertain then. Borrowed;
                ///< default NULL
    int32_t fieldCount; ///< 0 to 4; default 0
} wkCudaStatesRequest;

/// The defaults above.
WK_API wkCudaStatesRequest wkDefaultCudaStatesRequest(void);

/// Checks configurations for collision, with the verdicts of wkBatch_CheckStates for every one of them. Configurations of
/// the host are sent while others are checked. What the GPU cannot decide, such as spheres near meshes, and pairs of links
/// that bodies decide about, is decided by the batch on the CPU. Nothing is allocated.
/// @param configurations `count` configurations, one after the other, as the request says
/// @param request NULL means `wkDefaultCudaStatesRequest()`
/// @param verdicts as the request says: all wk_verdictUnchecked, or bits of 0, on failure
/// @return wk_errorArgument, wk_errorRange naming the argument; wk_errorState: the batch was refreshed since, or its
///         scene has changed, and all verdicts are wk_verdictInvalid; wk_errorDevice: the GPU failed
WK_API wkResult wkCudaBatch_CheckStates(wkCudaBatch* batch, const void* configurations,
                                        int64_t count, const wkCudaStatesRequest* request,
                                        void* verdicts);

/// Checks configurations as wkCudaBatch_CheckStates does, on several GPUs: each gets a part of them, faster ones more of a
/// long call. Verdicts do not depend on who computes them. Only one thread of the host is used for all GPUs, besides those
/// of the batch. Nothing is allocated.
///
/// A call of fewer configurations than `batchCount` pieces is cut into as many equal parts, a longer one into pieces.
/// Configurations and verdicts in pinned memory, that of wkCuda_AllocatePinned of any GPU, are on their way to all GPUs at
/// once; others are sent to one after the other, which takes longer than to check them. `leftCount` of each batch is that
/// of its part.
///
/// Motions are checked on one GPU; several may be used by a thread for each.
/// @param batches copies of the same batch, each of them once, on GPUs of any kind; two may be on the same one
/// @param batchCount 1 to 64
/// @param configurations `count` configurations, one after the other, as the request says
/// @param request NULL means `wkDefaultCudaStatesRequest()`. With several batches, configurations and verdicts are in the
///        memory of the host, and `fields` are refused: both belong to one GPU
/// @param verdicts as the request says: all wk_verdictUnchecked, or bits of 0, on failure
/// @return as wkCudaBatch_CheckStates; wk_errorState: one of the batches is not fresh, and all verdicts are
///         wk_verdictInvalid; wk_errorDevice: one of the GPUs failed
WK_API wkResult wkCudaBatches_CheckStates(wkCudaBatch* const* batches, int32_t batchCount,
                                          const void* configurations, int64_t count,
                                          const wkCudaStatesRequest* request, void* verdicts);

/// A frame of a depth camera whose points no sphere may touch. Start from `wkDefaultCudaFrame()`.
typedef struct wkCudaFrame {
    uint32_t cookie;           ///< set by wkDefaultCudaFrame()
    wkCudaField* field;        ///< its points are replaced by those of the image; default NULL
    wkCudaCamera* camera;      ///< of the image, on the GPU of the field; default NULL
    const wkDepthImage* image; ///< default NULL
    wkCudaMemory pixelsIn;     ///< memory of the pixels; default wk_memoryHost, faster if pinned
    wkCudaFieldRequest points; ///< how they are taken; default wkDefaultCudaFieldRequest()
} wkCudaFrame;

/// The defaults above.
WK_API wkCudaFrame wkDefaultCudaFrame(void);

/// Replaces the points of a field by those of a depth image and checks configurations among them: wkCudaField_UpdateFromDepth
/// and wkCudaBatch_CheckStates with this field in one submission, so that the GPU does not wait for the host in
/// between. Nothing is allocated.
/// @param batch on the GPU of the field
/// @param frame copied
/// @param configurations as for wkCudaBatch_CheckStates
/// @param request NULL means `wkDefaultCudaStatesRequest()`. Its fields count, too, but for that of the frame, which must not
///        be one of them; 3 at most
/// @param verdicts as for wkCudaBatch_CheckStates: all wk_verdictUnchecked, or bits of 0, where the frame is refused
/// @return as wkCudaField_UpdateFromDepth, then as wkCudaBatch_CheckStates; nothing is known in the field after a failure
WK_API wkResult wkCudaBatch_CheckFrame(wkCudaBatch* batch, const wkCudaFrame* frame,
                                       const void* configurations, int64_t count,
                                       const wkCudaStatesRequest* request, void* verdicts);

/// How motions are checked on a GPU. Start from `wkDefaultCudaMotionsRequest()`.
typedef struct wkCudaMotionsRequest {
    uint32_t cookie;           ///< set by wkDefaultCudaMotionsRequest()
    wkMotionRequest motion;    ///< with the restrictions of wkBatch_CheckMotions; default
                               ///< wkDefaultMotionRequest()
    wkCudaStatesRequest where; ///< `verdictsIn` is the memory of the results; `asBits` is refused;
                               ///< `fields` are of live points that no sphere may touch either;
                               ///< default wkDefaultCudaStatesRequest()
} wkCudaMotionsRequest;

/// The defaults above.
WK_API wkCudaMotionsRequest wkDefaultCudaMotionsRequest(void);

/// Checks the motions from each configuration of `from` to that of `to` for collision, as wkBatch_CheckMotions does. What the
/// GPU cannot decide is decided by the batch on the CPU. Nothing is allocated.
///
/// In steps (`isCertified` false) all results are those of wkBatch_CheckMotions, in every field.
///
/// Certified, wk_verdictFree means that the motion is proven free at every instant, by the intervals and the bounds of the CPU.
/// - A motion is free on the GPU if and only if it is free on the CPU, but for those that are wk_verdictUncertain there: the
///   GPU may prove them, or find a contact. Those that are wk_verdictUncertain on the GPU are not free on the CPU.
/// - Limits and motions that are not finite have the results of the CPU.
/// - Of a motion with several contacts, another one may be found: verdicts of contacts (wk_verdictSelf, World, Unknown) and
///   `time` may differ. The robot touches at `time`, where wkBatch_CheckStates finds a contact, too.
/// - `stepCount` differs: all intervals of the same length are checked before a contact ends the search.
/// - With `wantsFirst`, the CPU decides about motions that are not free, which takes it longer; results are then those of
///   the CPU.
/// Results do not depend on the GPU, nor on the other motions of the call.
///
/// The CPU decides about all motions of robots with floating joints; about those of batches with depth images, of
/// wk_exactnessFilter, and near objects that it decides about for configurations, where these are not decided above; about
/// those where bodies of two links decide (wk_exactnessSelf, wk_exactnessRefined) and spheres inside them do not touch; and
/// about those with more than 1024 intervals, or 4096 steps.
///
/// With live points (`where.fields`), no sphere of the robot touches one of them at any instant of a certified motion that is
/// free, nor in any step of one that is checked in steps. A contact with them is wk_verdictWorld, whatever the exactness: at
/// `time` a sphere is as near to a point as wkCudaBatch_CheckStates has it. The CPU does not know these points:
/// - Certified, the GPU goes on with live points alone where the CPU decides about the rest. The CPU gets motions that are
///   proven free of live points, and they are free if they are for the CPU, too.
/// - Motions that the GPU does not prove free of live points are never free: wk_verdictUncertain, unless a contact is found.
///   These are all motions of robots with floating joints, those with numbers that floats do not hold, with more than
///   2048 intervals, or 4096 steps, and those that come nearer to a point than about the tolerance.
/// - Before the first frame of a field, or after one that failed, no motion is free.
/// - Of certified motions any contact ends the search: `wantsFirst` is refused. In steps it is not.
/// - In steps, what touches is not checked again by the CPU with wk_exactnessFilter: wkCudaBatch_CheckStates decides each step.
/// @param from `count` configurations, one after the other, as the request says
/// @param to as `from`
/// @param request NULL means `wkDefaultCudaMotionsRequest()`
/// @param results array of `count`: all wk_verdictUnchecked with a time of NaN on failure
/// @return wk_errorArgument, wk_errorRange naming the argument or the field; wk_errorUnsupported: `wantsFirst` of certified
///         motions with live points; wk_errorState: the batch was refreshed since, or its scene has changed, and all verdicts
///         are wk_verdictInvalid; wk_errorState with unchecked verdicts: motionCount of the definition is 0; wk_errorDevice:
///         the GPU failed
WK_API wkResult wkCudaBatch_CheckMotions(wkCudaBatch* batch, const void* from, const void* to,
                                         int64_t count, const wkCudaMotionsRequest* request,
                                         wkBatchMotionResult* results);

/// What is computed besides clearances, and where. Start from `wkDefaultCudaClearancesRequest()`.
typedef struct wkCudaClearancesRequest {
    uint32_t cookie; ///< set by wkDefaultCudaClearancesRequest()
    wkCudaStatesRequest
        where; ///< `verdictsIn` is the memory of clearances and gradients; `asBits` is refused;
               ///< points and objects of `fields` are obstacles, too; default
               ///< wkDefaultCudaStatesRequest()
    float*
        gradients; ///< derivatives of each clearance by each variable, `count` times the length of
                   ///< a configuration, metres per radian or metre; default NULL: none
} wkCudaClearancesRequest;

/// The defaults above.
WK_API wkCudaClearancesRequest wkDefaultCudaClearancesRequest(void);

/// Computes the clearances of configurations, with the results of wkBatch_Clearances for every one of them, bit for bit.
/// Nothing is allocated. Where an object that is not one of boxes, spheres and capsules may be nearest, such as a map, a cloud
/// or a mesh, the CPU decides.
///
/// A gradient is that of the distance between the nearest two: a sphere of the robot, and a box or another sphere of it. It is
/// taken by moving each variable by 1/256 radian or metre both ways, and is off by about a thousandth of a metre per
/// radian at most for robots of a few metres, besides the curvature of what is nearest. Where several pairs are equally near
/// it is that of one of them.
/// - 0 for all variables where nothing is nearer than the cutoff.
/// - Where the CPU decides, it is an approximation: of the sphere for which the clearance field has the least bound, along the
///   slope of the field there, which is 0 far from all objects and deep in them.
/// - NaN for all variables of configurations that are not finite or too large for floats, and with depth images; for
///   parts of quaternions.
///
/// With live fields (`where.fields`), a clearance is the least of the above and the distances of all spheres from all points and
/// objects of these fields, computed on the GPU alone. Such a distance is never above that of the sphere as the batch
/// places it, and below by 1e-5 of the longest edge of the region at most; a value <= 0 means that the sphere touches. The
/// gradient is that of the nearest pair; it is 0 where the center of the sphere is in an object. Results do not depend on
/// the order of points.
/// - A field knows what is within its `reach` of a center. So a clearance is at most the reach less the radius of the
///   largest sphere, with a gradient of 0 where that is what limits it: a reach of the cutoff and that radius limits nothing.
/// - NaN, with its gradient, where a sphere is beyond the region of a field, before the first frame of a field or after
///   one that failed, and where a number is too large for floats: nothing is known of the points there.
/// @param configurations `count` configurations, one after the other, as the request says
/// @param request NULL means `wkDefaultCudaClearancesRequest()`
/// @param cutoff maximum distance to search, metres, > 0
/// @param clearances one per configuration; with the gradients, all NaN on failure
/// @return wk_errorArgument, wk_errorRange naming the argument or the field; wk_errorState: the batch was refreshed since, or
///         its scene has changed; wk_errorDevice: the GPU failed
WK_API wkResult wkCudaBatch_Clearances(wkCudaBatch* batch, const void* configurations,
                                       int64_t count, const wkCudaClearancesRequest* request,
                                       double cutoff, float* clearances);

/// Computes the clearances of configurations as wkCudaBatch_Clearances does, on several GPUs, as wkCudaBatches_CheckStates
/// does. Nothing is allocated.
/// @param batches copies of the same batch, each of them once, on GPUs of any kind; two may be on the same one
/// @param batchCount 1 to 64
/// @param configurations `count` configurations, one after the other, as the request says
/// @param request NULL means `wkDefaultCudaClearancesRequest()`. With several batches, configurations, clearances and
///        gradients are in the memory of the host, and `fields` are refused
/// @param cutoff maximum distance to search, metres, > 0
/// @param clearances one per configuration; with the gradients, all NaN on failure
/// @return as wkCudaBatch_Clearances; wk_errorState: one of the batches is not fresh; wk_errorDevice: one of the GPUs failed
WK_API wkResult wkCudaBatches_Clearances(wkCudaBatch* const* batches, int32_t batchCount,
                                         const void* configurations, int64_t count,
                                         const wkCudaClearancesRequest* request, double cutoff,
                                         float* clearances);
