// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file io_spheres.h
/// Loads and saves sphere models of robots. Part of io.h.

#include "whisker/io_load.h"
#include "whisker/sphere_model.h"

/// Figures of a loaded file of spheres.
typedef struct wkSphereLoadInfo {
    char format[8];           ///< format read: "json", "yaml" or "urdf"
    bool isCovering;          ///< the file claims that the spheres cover their robot. This claim is
                              ///< not trusted: wkSphereModel_Info has the proven figures
    bool hasProof;            ///< the file contains the digest of a proof for these spheres on this
                              ///< robot, so that no new proof was needed
    double protrusion;        ///< protrusion stated in the file; infinity: none
    double padding;           ///< padding of the options that was added to the radii; 0: none
    int32_t unknownLinkCount; ///< links that the robot lacks; their spheres are left out
    int32_t disabledSphereCount; ///< spheres of negative radius, which are disabled in cuRobo
    char warning
        [WK_WARNING_CAPACITY]; ///< such as another robot's name, or a false claim to cover the
                               ///< robot; else ""
} wkSphereLoadInfo;

/// Options of loading spheres. Start from `wkDefaultSphereLoadDef()`.
typedef struct wkSphereLoadDef {
    uint32_t cookie;    ///< set by wkDefaultSphereLoadDef()
    const char* format; ///< "json", "yaml" or "urdf"; NULL (default): from the extension, else from
                        ///< the content
    bool skipsUnknownLinks; ///< default false: a link that the robot lacks is refused, since its
                            ///< spheres would be missing; true: it is left out
    bool skipsOtherBodies;  ///< default false: a collision element of a URDF that is no sphere is
                            ///< refused; true: it is left out
    bool ignoresFrames;     ///< default false: a URDF whose link poses differ from the robot's is
                            ///< refused, since its spheres would have other poses, too
    bool skipsProof; ///< default false: without a valid proof in the file, covering is proven or
                     ///< refuted, within seconds; true: the spheres then count as not covering
    double padding;  ///< added to the radius of every sphere, for robots whose bodies have this
                     ///< padding, unless a proof in the file states that the spheres cover the
                     ///< padded bodies already; >= 0; default 0
    const wkParallel* parallel; ///< threads of the proof; NULL (default): the calling one
} wkSphereLoadDef;

/// The defaults above.
WK_API wkSphereLoadDef wkDefaultSphereLoadDef(void);

/// Reads the spheres of a robot: JSON of Whisker; YAML of cuRobo, whose buffers are added to the radii, and
/// of smpl; a URDF whose links are made of spheres. Numbers are read exactly. Whether the spheres cover the
/// robot (wkSphereModel_Info) is proven, or known from the digest of a proof in the file.
/// @param robot borrowed; links are found by name
/// @param def NULL means `wkDefaultSphereLoadDef()`
/// @param info filled in on success; NULL: not wanted
/// @param model set to NULL on failure
/// @return wk_errorFile (cannot be read), wk_errorParse (malformed, or not a file of spheres; names line
///         and field), wk_errorNotFinite, wk_errorRange (a radius, naming the line), wk_errorUnsupported
///         (unknown format, or libyaml or expat is missing), wk_errorMemory, wk_errorArgument
WK_API wkResult wkSphereModel_Load(const char* path, const wkRobot* robot,
                                   const wkSphereLoadDef* def, wkSphereLoadInfo* info,
                                   wkSphereModel** model);

/// Parses the content of a file from memory.
/// @param def with format NULL: detected from the content
/// @return as wkSphereModel_Load
WK_API wkResult wkSphereModel_Parse(const void* bytes, size_t byteCount, const wkRobot* robot,
                                    const wkSphereLoadDef* def, wkSphereLoadInfo* info,
                                    wkSphereModel** model);

/// Fits spheres like wkSphereModel_Fit, unless they are in a cache: a folder with a file for each robot and
/// options of the fit, named by their digest. A file is used only when its proof holds for this robot, so
/// truncated or edited files are ignored. New spheres are written atomically. A folder that cannot be read
/// or written is no error.
/// @param def NULL means `wkDefaultSphereFitDef()`
/// @param folder created when missing, with its parent; NULL or "": no cache
/// @param isCached set to whether the spheres are from the cache; NULL: not wanted
/// @param model set to NULL on failure
/// @return as wkSphereModel_Fit
WK_API wkResult wkSphereModel_FitCached(const wkRobot* robot, const wkSphereFitDef* def,
                                        const char* folder, bool* isCached, wkSphereModel** model);

/// Writes spheres in the format of the extension: .json, .yml or .yaml (as cuRobo reads it), .urdf (joints
/// and limits of the robot, spheres instead of its shapes). Numbers are written exactly.
/// @return wk_errorFile, wk_errorUnsupported (extension), wk_errorArgument
WK_API wkResult wkSphereModel_Save(const char* path, const wkSphereModel* model);
