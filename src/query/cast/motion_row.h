// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Table of the motions of a body, one row per kind, and bounds on how fast a body moves during an interval.

#include "math/slerp.h"
#include "whisker/body_motion.h"

#define WK_BODY_MOTION_KIND_COUNT 7

// Bounds for all instants of an interval, never too small; infinite where nothing is known. `speed` and
// `acceleration` are those of the origin of the body's frame.
typedef struct wkMotionRates {
    double speed;
    double angularSpeed;
    double acceleration;
    double angularAcceleration;
} wkMotionRates;

// A motion with what its poses have in common.
typedef struct wkPreparedMotion {
    const wkBodyMotion* motion;
    const struct wkBodyMotionRow* row;

    // static, linear and screw: rates are the same at all times, and the body rotates about one axis
    bool isUniform;
    wkRotationWay way;
    wkMotionRates rates;
    wkVec3d startPosition;
    wkMat3d startRotation;

    // the translation, for a screw along its axis; and the chord of the arc around the axis, with what is across both
    wkVec3d along;
    wkVec3d chord;
    wkVec3d across;
    double sineHalf,
        cosineHalf; // of the half angle of a screw; 0 and 1 where an arc is its chord to the last digit

    // errors of a computed pose: metres of its position, radians of its rotation
    double positionRounding;
    double angleRounding;
} wkPreparedMotion;

// Where a point of an arc is at a time: at the end of a chord that is `share` times as long as that of the whole, rotated back
// by an angle.
typedef struct wkArcShare {
    double share;
    double sine, cosine;
} wkArcShare;

// The point of an arc by the angle 2 h at a part t is at the end of a chord that is sin(t h) / sin(h) times as long as that of
// the whole, rotated back by (1 - t) h.
// @param sine of t h
WK_FN wkArcShare wkArcShareAt(const wkPreparedMotion* prepared, double t, double sine,
                              double cosine)
{
    double s = prepared->sineHalf, c = prepared->cosineHalf;
    wkArcShare straight = {t, 0.0, 1.0};
    wkArcShare arc = {sine / s, s * cosine - c * sine, c * cosine + s * sine};
    return s > 0.0 ? arc : straight;
}

// Functions get times between 0 and 1.
typedef struct wkBodyMotionRow {
    const char* name;

    // fails with the name of the first invalid field
    wkResult (*check)(const wkBodyMotion* motion);

    // fills in what poses have in common; NULL: nothing
    void (*prepare)(wkPreparedMotion* prepared);

    wkPose (*poseAt)(const wkPreparedMotion* prepared, double t);

    // the first time after `t` where rates jump; 1 when there is none. NULL: there are none
    double (*nextKnot)(const wkPreparedMotion* prepared, double t);

    // rates between two times without a knot between them
    wkMotionRates (*rates)(const wkPreparedMotion* prepared, double t0, double t1);
} wkBodyMotionRow;

// Rows by wkBodyMotionKind; the row of wk_bodyMotionNone is never valid.
extern const wkBodyMotionRow wkBodyMotionTable[WK_BODY_MOTION_KIND_COUNT];

// The functions of the rows of splines and of sampled motions.
wkResult wkSplineCheck(const wkBodyMotion* motion);
void wkSplinePrepare(wkPreparedMotion* prepared);
wkPose wkSplinePoseAt(const wkPreparedMotion* prepared, double t);
double wkSplineNextKnot(const wkPreparedMotion* prepared, double t);
wkMotionRates wkSplineRates(const wkPreparedMotion* prepared, double t0, double t1);
wkResult wkSampledCheck(const wkBodyMotion* motion);
void wkSampledPrepare(wkPreparedMotion* prepared);
wkPose wkSampledPoseAt(const wkPreparedMotion* prepared, double t);
double wkSampledNextKnot(const wkPreparedMotion* prepared, double t);
wkMotionRates wkSampledRates(const wkPreparedMotion* prepared, double t0, double t1);

// Prepares a motion that is known to be valid.
void wkPrepareMotion(const wkBodyMotion* motion, wkPreparedMotion* prepared);

// Returns the pose at any time; times before 0 and after 1 count as 0 and 1.
wkPose wkMotionPoseAt(const wkPreparedMotion* prepared, double t);

// Returns the first time after `t`, which is below 1, where rates jump, at most 1.
double wkMotionNextKnot(const wkPreparedMotion* prepared, double t);

// Whether motions accept a pose: coordinates within the limit, a rotation of about unit length.
bool wkIsMotionPose(wkPose pose);

// Returns wk_ok, or the failure with a message such as "linear motion: start.rotation has length 2, must be 1".
wkResult wkCheckMotionPose(const char* motion, const char* field, wkPose pose);

// A pose that no query accepts.
wkPose wkNoPose(void);

// Sums and products of a bound are rounded by less than this share of it.
#define WK_RATE_ROUNDING 1e-12

// Errors of a computed pose: of its position as a share of the largest coordinate, and of its rotation in
// radians for a rotation by one radian. Several times what a few products and sums of doubles are off by.
#define WK_POSITION_ROUNDING 1e-15
#define WK_ANGLE_ROUNDING 2e-15
