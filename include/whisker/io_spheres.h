// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_spheres.h
/// Sphere models of robots from files and into files. Part of io.h.

#include "whisker/io_load.h"
#include "whisker/sphere_model.h"

/// What there is to say about a file of spheres that was loaded.
typedef struct wkSphereLoadReport {
    char format[8];  ///< that was read: "json", "yaml" or "urdf"
    bool isCovering; ///< the file says that the spheres cover their robot. The model does not take
                     ///< its word: wkSphereModel_Info tells what is proven
    bool
        hasProof; ///< the file holds the digest of a proof for these spheres on this robot, so that
                  ///< nothing had to be proven again
    double protrusion;        ///< how far they stick out as the file says; infinity: it does not
    double padding;           ///< of the options, where it was added to the radii; 0: it was not
    int32_t unknownLinkCount; ///< links that the robot lacks, with their spheres left out
    int32_t
        disabledSphereCount; ///< spheres of negative radius, by which cuRobo says "not this one"
    char warning
        [WK_WARNING_CAPACITY]; ///< what looks wrong, such as another robot's name, or a claim to
                               ///< cover the robot that does not hold; else ""
} wkSphereLoadReport;

/// How spheres are loaded. Start from `wkDefaultSphereLoadOptions()`.
typedef struct wkSphereLoadOptions {
    const char* format; ///< "json", "yaml" or "urdf"; NULL (default): as the extension says, else
                        ///< the content
    bool
        skipsUnknownLinks; ///< default false: a link that the robot lacks is refused, since its spheres
                           ///< would be missing; true: it is left out
    bool skipsOtherBodies; ///< default false: a collision element of a URDF that is no sphere is
                           ///< refused; true: it is left out
    bool ignoresFrames; ///< default false: a URDF whose joints put links elsewhere than the robot's
                        ///< is refused, since its spheres would be elsewhere too
    bool
        skipsProof; ///< default false: where the file has no valid proof, it is found out whether the
    ///< spheres cover the robot, in up to seconds; true: they then count as not covering
    double
        padding; ///< added to the radius of every sphere, for a robot whose bodies have that padding,
                 ///< unless a proof in the file says that the spheres cover the padded bodies as
                 ///< they are; >= 0; default 0
    const wkParallel* parallel; ///< threads for that; NULL (default): the calling one
    wkSphereLoadReport* report; ///< filled in on success; NULL (default): not wanted
    uint32_t cookie;            ///< set by wkDefaultSphereLoadOptions()
} wkSphereLoadOptions;

/// The defaults above.
WK_API wkSphereLoadOptions wkDefaultSphereLoadOptions(void);

/// Reads the spheres of a robot: our JSON; the YAML of cuRobo, whose buffers around spheres are added to
/// them, and that of smpl; a URDF whose links are made of spheres. All of it comes in bit by bit. Whether the
/// spheres cover the robot is proven, or known from the digest of a proof in the file: wkSphereModel_Info.
/// @param robot borrowed: links are looked up by their names
/// @param options NULL means `wkDefaultSphereLoadOptions()`
/// @param model set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (broken, or no such file; names line and
///         field), wk_errorNotFinite, wk_errorRange (a radius, naming the line), wk_errorUnsupported
///         (unknown format, or libyaml or expat is missing), wk_errorMemory, wk_errorArgument
WK_API wkResult wkSphereModel_Load(const char* path, const wkRobot* robot,
                                   const wkSphereLoadOptions* options, wkSphereModel** model);

/// Reads what would be the content of a file.
/// @param options its format NULL: as the content says
/// @return as wkSphereModel_Load
WK_API wkResult wkSphereModel_Parse(const void* bytes, size_t byteCount, const wkRobot* robot,
                                    const wkSphereLoadOptions* options, wkSphereModel** model);

/// Fits spheres as wkSphereModel_Fit does, unless they are in a cache: a folder with a file for each robot and
/// way to fit, named by their digest. A file is taken when the proof in it holds for this robot, so that one that
/// was cut or edited is not; new spheres are written whole. A folder that cannot be read or written is no error.
/// @param fit NULL means `wkDefaultSphereFit()`
/// @param folder made where it is missing, and the one that it is in; NULL or "": no cache
/// @param model set to NULL on failure
/// @param isCached whether the spheres are from the cache; NULL: not wanted
/// @return as wkSphereModel_Fit
WK_API wkResult wkSphereModel_FitCached(const wkRobot* robot, const wkSphereFit* fit,
                                        const char* folder, wkSphereModel** model, bool* isCached);

/// Writes spheres in the format of the extension: .json, .yml or .yaml (as cuRobo reads it), .urdf (joints
/// and limits of the robot, spheres in place of its shapes). Every bit of the spheres comes back.
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorArgument
WK_API wkResult wkSphereModel_Save(const char* path, const wkSphereModel* model);
