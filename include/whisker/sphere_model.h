// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file sphere_model.h
/// A robot made of spheres: each link has a few, and one around them all. Batches and depth images look
/// at these. See docs/sphere_models.md.

#include "whisker/fit.h"
#include "whisker/robot_scene.h"

/// Spheres on the links of a robot. Built once, never changes.
typedef struct wkSphereModel wkSphereModel;

/// A sphere on a link.
typedef struct wkLinkSphere {
    int32_t link;      ///< number of the link
    wkSphere3d sphere; ///< in the frame of the link
} wkLinkSphere;

/// A model of given spheres.
/// @param robot borrowed
/// @param spheres in any order; those of a link stay in theirs
/// @param model set to NULL on failure
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the sphere, wk_errorMemory
WK_API wkResult wkSphereModel_Create(const wkRobot* robot, const wkLinkSphere* spheres,
                                     int32_t count, wkSphereModel** model);

/// How a robot is covered. Start from `wkDefaultSphereFit()`.
typedef struct wkSphereFit {
    int32_t count; ///< spheres of the whole robot, shared out so that they stick out
                   ///< evenly; 0 (default): as many as the accuracy takes
    double
        accuracy; ///< metres that spheres may stick out; default 0.02. A link has 1024 spheres at
                  ///< most: where it takes more, the figures tell how far they stick out
    const int32_t*
        linkCounts; ///< for each link, in place of the two above; 0: its accuracy below, or
                    ///< not this link at all; NULL (default): none
    const double* linkAccuracies; ///< for each link likewise, where there is no count
    double padding;               ///< added to the radius of every sphere; >= 0; default 0
    const wkParallel* parallel;   ///< threads to use; NULL (default): the calling one
    wkProgressFcn* progress; ///< told about progress, and may cancel; NULL (default): nobody is
    void* progressContext;   ///< passed to it
    uint32_t cookie;         ///< set by wkDefaultSphereFit()
} wkSphereFit;

/// The defaults above.
WK_API wkSphereFit wkDefaultSphereFit(void);

/// Covers all bodies of a robot with spheres. Bodies that are spheres are taken as they are.
/// @param fit NULL means `wkDefaultSphereFit()`
/// @return as wkFitSpheres, naming the link; wk_errorCancelled
WK_API wkResult wkSphereModel_Fit(const wkRobot* robot, const wkSphereFit* fit,
                                  wkSphereModel** model);

/// Releases a model; NULL is fine.
WK_API void wkSphereModel_Destroy(wkSphereModel* model);

/// Figures of a model.
typedef struct wkSphereModelInfo {
    const wkRobot* robot; ///< as given
    int32_t sphereCount;  ///< of all links
    int32_t linkCount;    ///< links that have spheres
    bool isCovering; ///< proven, by a fit, wkSphereModel_Prove or wkSphereModel_AcceptProof: no
                     ///< body has a point, on its surface or inside, that is outside its spheres
    double gap; ///< likewise: how far a point of a body is from the spheres of its link at most;
                ///< 0: they cover; infinity: not known, or a link has none
    int32_t bareLink;  ///< the link that the gap is on; -1: none, or not known
    double protrusion; ///< likewise: how far a sphere sticks out at most; infinity: not known
    size_t byteCount;  ///< memory
} wkSphereModelInfo;

/// The figures; zeros for NULL.
WK_API wkSphereModelInfo wkSphereModel_Info(const wkSphereModel* model);

/// Digest of the spheres of a model and the collision bodies of its robot: what a proof of covering is
/// about. All zeros for NULL.
WK_API wkDigest wkSphereModel_Digest(const wkSphereModel* model);

/// A sphere, by number: those of one link follow each other, links ascend. Link -1: out of range.
WK_API wkLinkSphere wkSphereModel_Sphere(const wkSphereModel* model, int32_t index);

/// The spheres of a link.
typedef struct wkLinkSpheres {
    int32_t first; ///< number of the first one
    int32_t count; ///< 0: the link has none
    wkSphere3d
        around; ///< a sphere around them all, in the frame of the link; radius 0 without spheres
} wkLinkSpheres;

/// The spheres of a link.
WK_API wkLinkSpheres wkSphereModel_Link(const wkSphereModel* model, int32_t link);

/// Where all spheres are in a configuration.
/// @param base where the root is in the world
/// @param spheres room for all of them
WK_API void wkSphereModel_PlaceLinks(const wkSphereModel* model, wkPose base, const double* q,
                                     wkSphere3d* spheres);

/// The same model with spheres for what the robot holds in a scene, on the links that hold it: for masks of
/// depth images. Batches know what is held by themselves.
/// @param scene of the robot of the model, as it is now
/// @param fit how each shape is covered; NULL means `wkDefaultFitDef()`
/// @param holding set to NULL on failure
/// @return wk_errorArgument, and as wkFitSpheres
WK_API wkResult wkSphereModel_Hold(const wkSphereModel* model, const wkRobotScene* scene,
                                   const wkFitDef* fit, wkSphereModel** holding);

/// Where all spheres are in a state, such as for the mask of a depth image (depth.h).
/// @param state of the robot of the model
/// @param spheres room for all of them
WK_API void wkSphereModel_PlaceState(const wkSphereModel* model, const wkRobotState* state,
                                     wkSphere3d* spheres);

/// How well the spheres of a link stand for its bodies. Spheres of other links do not count, those of links that
/// are fixed to it neither.
/// @param tolerance as for wkMeasureSpheres
/// @return wk_errorArgument, wk_errorRange, wk_errorUnsupported, wk_errorMemory
WK_API wkResult wkSphereModel_Measure(const wkSphereModel* model, int32_t link, double tolerance,
                                      wkFitReport* report);

/// Finds out whether the spheres cover all bodies of the robot and how far they stick out, and keeps that in
/// the figures of the model, which are else those of a fit alone. Call it before the model is shared with
/// other threads.
/// @param tolerance as for wkSphereModel_Measure; infinity: only whether they cover, in less time. The
///        protrusion stays as it is
/// @param parallel threads to use; NULL: the calling one
/// @return as wkSphereModel_Measure: the figures are as they were
WK_API wkResult wkSphereModel_Prove(wkSphereModel* model, double tolerance,
                                    const wkParallel* parallel);

/// What a proof of covering leaves: a digest of the spheres, the collision bodies of the robot and the
/// protrusion, to be kept in a file with them. All zeros for a model that is not proven to cover.
WK_API wkDigest wkSphereModel_Proof(const wkSphereModel* model);

/// Takes over a proof that wkSphereModel_Proof gave for the same spheres on the same robot: the figures then
/// say that they cover. Nobody is asked to believe anything: a sphere, link, shape or vertex that differs makes
/// another digest. Call it before the model is shared with other threads.
/// @param protrusion as the proof found it
/// @return false when the proof is about something else: the figures are as they were
WK_API bool wkSphereModel_AcceptProof(wkSphereModel* model, wkDigest proof, double protrusion);
