// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

/// @file counts.h
/// Numbers of enum values. Not stable: they grow with new values. Included by no other header, for the
/// sources, tests and commands of this project; programs name the last value that they know.

#define WK_SHAPE_TYPE_COUNT (wk_shapeCloud + 1)           ///< of wkShapeType
#define WK_CONVEX_TYPE_COUNT (wk_shapePlane + 1)          ///< convex types are from 1 up to here
#define WK_VOLUME_KIND_COUNT (wk_volumeSphere + 1)        ///< of wkVolumeKind
#define WK_SPLIT_METHOD_COUNT (wk_splitMorton + 1)        ///< of wkSplitMethod
#define WK_ELEMENT_KIND_COUNT (wk_elementEdgeEdge + 1)    ///< of wkElementKind
#define WK_BROAD_PHASE_COUNT (wk_broadBrute + 1)          ///< of wkBroadPhase
#define WK_DISTORTION_COUNT (wk_distortionFisheye + 1)    ///< of wkDistortion
#define WK_DEPTH_VERDICT_COUNT (wk_depthHit + 1)          ///< of wkDepthVerdict
#define WK_DEPTH_METHOD_COUNT (wk_depthByPixels + 1)      ///< of wkDepthMethod
#define WK_JOINT_TYPE_COUNT (wk_jointFloating + 1)        ///< of wkJointType
#define WK_ALLOWED_RULE_COUNT (wk_ruleAsked + 1)          ///< of wkAllowedRule
#define WK_ALLOWED_REASON_COUNT (wk_reasonProven + 1)     ///< of wkAllowedReason
#define WK_VERDICT_COUNT (wk_verdictInvalid + 1)          ///< of wkVerdict
#define WK_EXACTNESS_COUNT (wk_exactnessRefined + 1)      ///< of wkExactness
#define WK_BACKEND_COUNT (wk_backendCpu + 1)              ///< of wkBackend
#define WK_ARRAY_TYPE_COUNT (wk_arrayFloat + 1)           ///< of wkArrayType
#define WK_ROBOT_MESH_MODE_COUNT (wk_robotMeshPieces + 1) ///< of wkRobotMeshMode
