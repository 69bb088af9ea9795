// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file sphere_model.h
/// Sphere models: spheres on the links of a robot, and a bounding sphere for each link. Batches and depth
/// maps check these spheres. See docs/sphere_models.md.

#include "whisker/fit.h"
#include "whisker/robot_scene.h"

/// Spheres on the links of a robot. Built once, never changes.
typedef struct wkSphereModel wkSphereModel;

/// A sphere on a link.
typedef struct wkLinkSphere {
    int32_t link;      ///< index of the link
    wkSphere3d sphere; ///< in the frame of the link
} wkLinkSphere;

/// Creates a model of given spheres.
/// @param robot borrowed
/// @param spheres in any order; the order within a link is kept
/// @param model set to NULL on failure
/// @return wk_errorArgument, wk_errorRange or wk_errorNotFinite naming the sphere, wk_errorMemory
WK_API wkResult wkSphereModel_Create(const wkRobot* robot, const wkLinkSphere* spheres,
                                     int32_t count, wkSphereModel** model);

/// Options of a sphere fit. Start from `wkDefaultSphereFitDef()`.
typedef struct wkSphereFitDef {
    uint32_t cookie; ///< set by wkDefaultSphereFitDef()
    int32_t count; ///< spheres of the whole robot, distributed for equal protrusion of the links; 0
                   ///< (default): as many as the accuracy needs
    double
        accuracy; ///< largest protrusion in metres; default 0.02. A link has at most 1024 spheres;
                  ///< if it needs more, wkSphereModel_Info reports the larger protrusion
    const int32_t* linkCounts; ///< per link, instead of `count` and `accuracy`; 0: its accuracy in
                               ///< `linkAccuracies`, else no spheres; NULL (default): none
    const double* linkAccuracies; ///< per link, for links with count 0; NULL (default): none
    double padding;               ///< added to the radius of every sphere; >= 0; default 0
    const wkParallel* parallel;   ///< threads to use; NULL (default): the calling one
    wkProgressFcn* progress;      ///< reports progress and may cancel; NULL (default): none
    void* progressContext;        ///< passed to `progress`
} wkSphereFitDef;

/// The defaults above.
WK_API wkSphereFitDef wkDefaultSphereFitDef(void);

/// Covers all bodies of a robot with spheres. Bodies that are spheres are copied.
/// @param def NULL means `wkDefaultSphereFitDef()`
/// @return as wkShape_FitSpheres, naming the link; wk_errorCancelled
WK_API wkResult wkSphereModel_Fit(const wkRobot* robot, const wkSphereFitDef* def,
                                  wkSphereModel** model);

/// Releases a model; NULL is fine.
WK_API void wkSphereModel_Destroy(wkSphereModel* model);

/// Properties of a model.
typedef struct wkSphereModelInfo {
    const wkRobot* robot; ///< as given
    int32_t sphereCount;  ///< of all links
    int32_t linkCount;    ///< links that have spheres
    bool isCovering;  ///< proven by a fit, wkSphereModel_Prove or wkSphereModel_AcceptProof: all
                      ///< points of bodies, on the surface and inside, are in spheres of their link
    double gap;       ///< proven upper bound of the distance from points of a body to the spheres
                      ///< of its link; 0: covered; infinity: not known, or a link has no spheres
    int32_t bareLink; ///< the link with the largest gap; -1: none, or not known
    double protrusion; ///< proven upper bound of the protrusion of spheres; infinity: not known
    size_t byteCount;  ///< memory in use
} wkSphereModelInfo;

/// Returns the properties; zeros for NULL.
WK_API wkSphereModelInfo wkSphereModel_Info(const wkSphereModel* model);

/// Digest of the spheres of a model and the collision bodies of its robot, to which a proof of covering
/// refers. All zeros for NULL.
WK_API wkDigest wkSphereModel_Digest(const wkSphereModel* model);

/// Returns a sphere by its index: sorted by link, consecutive within a link. Link -1: out of range.
WK_API wkLinkSphere wkSphereModel_Sphere(const wkSphereModel* model, int32_t index);

/// The spheres of a link.
typedef struct wkLinkSpheres {
    int32_t first;     ///< index of the first sphere
    int32_t count;     ///< 0: the link has none
    wkSphere3d around; ///< bounding sphere, in the frame of the link; radius 0 without spheres
} wkLinkSpheres;

/// Returns the spheres of a link.
WK_API wkLinkSpheres wkSphereModel_Link(const wkSphereModel* model, int32_t link);

/// Computes all spheres of a configuration in the world.
/// @param base pose of the root link in the world
/// @param spheres array of sphereCount
WK_API void wkSphereModel_PlaceLinks(const wkSphereModel* model, wkPose base, const double* q,
                                     wkSphere3d* spheres);

/// Creates a model with additional spheres for the attached objects of a scene, on their links: for masks
/// of depth images. Batches include attached objects by themselves.
/// @param scene of the robot of the model, in its current state
/// @param def how each shape is covered; NULL means `wkDefaultFitDef()`
/// @param holding set to NULL on failure
/// @return wk_errorArgument, and as wkShape_FitSpheres
WK_API wkResult wkSphereModel_Hold(const wkSphereModel* model, const wkRobotScene* scene,
                                   const wkFitDef* def, wkSphereModel** holding);

/// Computes all spheres of a state in the world, such as for the mask of a depth image (depth.h).
/// @param state of the robot of the model
/// @param spheres array of sphereCount
WK_API void wkSphereModel_PlaceState(const wkSphereModel* model, const wkRobotState* state,
                                     wkSphere3d* spheres);

/// Measures how well the spheres of a link fit its bodies. Spheres of other links are ignored, also of
/// links that are fixed to it.
/// @param tolerance as for wkShape_MeasureSpheres
/// @return wk_errorArgument, wk_errorRange, wk_errorUnsupported, wk_errorMemory
WK_API wkResult wkSphereModel_Measure(const wkSphereModel* model, int32_t link, double tolerance,
                                      wkFitInfo* info);

/// Proves whether the spheres cover all bodies of the robot, measures their protrusion, and stores both in
/// the properties of the model, which otherwise come from a fit only. Call it before the model is shared
/// with other threads.
/// @param tolerance as for wkSphereModel_Measure; infinity: proves covering only, which is faster; the
///        protrusion stays unchanged
/// @param parallel threads to use; NULL: the calling one
/// @return as wkSphereModel_Measure; on failure the properties are unchanged
WK_API wkResult wkSphereModel_Prove(wkSphereModel* model, double tolerance,
                                    const wkParallel* parallel);

/// Returns the certificate of a proof of covering: a digest of the spheres, the collision bodies of the
/// robot and the protrusion, to be stored with the spheres. All zeros for a model that is not proven to
/// cover.
WK_API wkDigest wkSphereModel_Proof(const wkSphereModel* model);

/// Accepts a proof that wkSphereModel_Proof returned for the same spheres on the same robot: the properties
/// then state that they cover. A different sphere, link, shape or vertex gives another digest, and the proof
/// is rejected. Call it before the model is shared with other threads.
/// @param protrusion of the model that was proven
/// @return false when the proof is for other spheres or another robot: the properties are unchanged
WK_API bool wkSphereModel_AcceptProof(wkSphereModel* model, wkDigest proof, double protrusion);
