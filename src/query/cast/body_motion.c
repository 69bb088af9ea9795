// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Motions of a body: the table of kinds, and the kinds that one or two poses define.

#include "base/error.h"
#include "geom/check.h"
#include "query/cast/motion_row.h"

// Rotations are refused when their length is further from 1.
#define LENGTH_TOLERANCE 1e-3

static const wkMotionRates noRates = {0.0, 0.0, 0.0, 0.0};

wkPose wkNoPose(void)
{
    wkPose none = {{NAN, NAN, NAN}, {NAN, NAN, NAN, NAN}};
    return none;
}

bool wkIsMotionPose(wkPose pose)
{
    double length = sqrt(wkQuatLengthSquared(pose.rotation));
    return wkIsValidPoint(pose.position) && fabs(length - 1.0) <= LENGTH_TOLERANCE;
}

wkResult wkCheckMotionPose(const char* motion, const char* field, wkPose pose)
{
    const double coordinates[3] = {pose.position.x, pose.position.y, pose.position.z};
    for (int i = 0; i < 3; ++i) {
        if (!isfinite(coordinates[i])) {
            return wkFail(wk_errorNotFinite, "%s motion: %s.position.%c is %g, must be finite",
                          motion, field, "xyz"[i], coordinates[i]);
        }
    }
    if (!wkIsValidPoint(pose.position)) {
        return wkFail(wk_errorRange, "%s motion: %s.position is (%g %g %g), must be within %g",
                      motion, field, pose.position.x, pose.position.y, pose.position.z,
                      WK_MAX_LENGTH);
    }
    double length = sqrt(wkQuatLengthSquared(pose.rotation));
    if (!isfinite(length)) {
        return wkFail(wk_errorNotFinite, "%s motion: %s.rotation is (%g %g %g %g), must be finite",
                      motion, field, pose.rotation.x, pose.rotation.y, pose.rotation.z,
                      pose.rotation.w);
    }
    if (!wkIsMotionPose(pose)) {
        return wkFail(wk_errorRange, "%s motion: %s.rotation has length %g, must be 1", motion,
                      field, length);
    }
    return wk_ok;
}

static wkResult noneCheck(const wkBodyMotion* motion)
{
    return wkFail(wk_errorArgument, "motion: kind is %d, which is no motion",
                  motion != NULL ? (int)motion->kind : 0);
}

static wkPose nonePoseAt(const wkPreparedMotion* prepared, double t)
{
    (void)prepared, (void)t;
    return wkNoPose();
}

static wkMotionRates noneRates(const wkPreparedMotion* prepared, double t0, double t1)
{
    (void)prepared, (void)t0, (void)t1;
    wkMotionRates unknown = {INFINITY, INFINITY, INFINITY, INFINITY};
    return unknown;
}

static wkResult staticCheck(const wkBodyMotion* motion)
{
    return wkCheckMotionPose("static", "pose", motion->pose);
}

// What motions with one axis of rotation have in common.
static void prepareUniform(wkPreparedMotion* prepared, wkVec3d position)
{
    prepared->isUniform = true;
    prepared->startPosition = position;
    prepared->startRotation = wkMatFromQuat(prepared->way.from);
    prepared->cosineHalf = 1.0;
}

static void staticPrepare(wkPreparedMotion* prepared)
{
    const wkPose* pose = &prepared->motion->pose;
    prepared->way.from = wkNormalizeQuat(pose->rotation);
    prepareUniform(prepared, pose->position);
}

static wkPose staticPoseAt(const wkPreparedMotion* prepared, double t)
{
    (void)t;
    return prepared->motion->pose;
}

static wkMotionRates staticRates(const wkPreparedMotion* prepared, double t0, double t1)
{
    (void)prepared, (void)t0, (void)t1;
    return noRates;
}

static wkResult checkEnds(const char* name, const wkEndPoses* ends)
{
    wkResult result = wkCheckMotionPose(name, "start", ends->start);
    return result == wk_ok ? wkCheckMotionPose(name, "end", ends->end) : result;
}

static wkResult linearCheck(const wkBodyMotion* motion)
{
    return checkEnds("linear", &motion->ends);
}

static wkResult screwCheck(const wkBodyMotion* motion)
{
    return checkEnds("screw", &motion->ends);
}

// What motions between two poses have in common.
static wkVec3d prepareEnds(wkPreparedMotion* prepared)
{
    const wkEndPoses* ends = &prepared->motion->ends;
    prepared->way = wkWayBetween(ends->start.rotation, ends->end.rotation);
    prepared->rates = noRates;
    prepared->rates.angularSpeed =
        2.0 * prepared->way.halfAngle * (1.0 + WK_RATE_ROUNDING) + WK_ANGLE_ROUNDING;
    double largest = wkMaxD(wkSumAbs(ends->start.position), wkSumAbs(ends->end.position));
    prepared->positionRounding = WK_POSITION_ROUNDING * largest;
    prepared->angleRounding = WK_ANGLE_ROUNDING * (1.0 + prepared->way.halfAngle);
    if (prepared->way.halfAngle == 0.0) {
        prepared->rates.angularSpeed = prepared->angleRounding = 0.0;
    }
    prepareUniform(prepared, ends->start.position);
    return wkSub(ends->end.position, ends->start.position);
}

static wkQuat rotationAt(const wkPreparedMotion* prepared, double t)
{
    const wkRotationWay* way = &prepared->way;
    return way->halfAngle > 0.0 ? wkRotationAt(way, t) : way->from;
}

static void linearPrepare(wkPreparedMotion* prepared)
{
    prepared->along = prepareEnds(prepared);
    prepared->rates.speed = wkLength(prepared->along) * (1.0 + WK_RATE_ROUNDING);
}

static wkPose linearPoseAt(const wkPreparedMotion* prepared, double t)
{
    const wkEndPoses* ends = &prepared->motion->ends;
    wkPose pose = {wkLerp(ends->start.position, ends->end.position, t), rotationAt(prepared, t)};
    return pose;
}

static wkMotionRates endsRates(const wkPreparedMotion* prepared, double t0, double t1)
{
    (void)t0, (void)t1;
    return prepared->rates;
}

// The half angle of a screw, below which an arc is its chord to the last digit.
#define STRAIGHT_ANGLE 1e-100

// Splits the way of the origin into a part along the axis of the screw and the chord of an arc around it. The
// radius of the arc follows from the chord; the axis itself may be very far away and is not computed.
static void screwPrepare(wkPreparedMotion* prepared)
{
    wkVec3d change = prepareEnds(prepared);
    wkPose start = {{0.0, 0.0, 0.0}, prepared->way.from};
    wkVec3d axis = wkRotateVector(start, prepared->way.axis);
    prepared->along = wkScale(wkDot(change, axis), axis);
    prepared->chord = wkSub(change, prepared->along);
    prepared->across = wkCross(axis, prepared->chord);

    // an arc by the angle 2 h is h / sin(h) times as long as its chord
    double half = prepared->way.halfAngle, stretch = 1.0;
    if (half > STRAIGHT_ANGLE) {
        wkSinCos(half, &prepared->sineHalf, &prepared->cosineHalf);
        stretch = half / prepared->sineHalf;
    }
    double around = wkLength(prepared->chord) * stretch * (1.0 + WK_RATE_ROUNDING);
    double along = wkLength(prepared->along);
    prepared->rates.speed = sqrt(along * along + around * around) * (1.0 + WK_RATE_ROUNDING);
    prepared->rates.acceleration = prepared->rates.angularSpeed * around * (1.0 + WK_RATE_ROUNDING);
    prepared->positionRounding += WK_POSITION_ROUNDING * (along + around);
}

static wkPose screwPoseAt(const wkPreparedMotion* prepared, double t)
{
    double sine = 0.0, cosine = 1.0;
    wkSinCos(t * prepared->way.halfAngle, &sine, &cosine);
    wkArcShare arc = wkArcShareAt(prepared, t, sine, cosine);
    wkVec3d chord = wkMulSub(wkScale(arc.cosine, prepared->chord), arc.sine, prepared->across);
    wkVec3d moved = wkMulAdd(wkScale(t, prepared->along), arc.share, chord);
    wkPose pose = {wkAdd(prepared->startPosition, moved),
                   wkRotationBy(&prepared->way, sine, cosine)};
    return pose;
}

static wkResult checkBound(const char* field, double bound, bool mayBeUnknown)
{
    if (bound != bound || (!mayBeUnknown && !isfinite(bound))) {
        return wkFail(wk_errorNotFinite, "function motion: %s is %g, must be %s", field, bound,
                      mayBeUnknown ? "a number" : "finite");
    }
    if (!(bound >= 0.0)) {
        return wkFail(wk_errorRange, "function motion: %s is %g, must be >= 0", field, bound);
    }
    return wk_ok;
}

static wkResult functionCheck(const wkBodyMotion* motion)
{
    const wkFunctionPath* path = &motion->function;
    if (path->poseAt == NULL) {
        return wkFail(wk_errorArgument, "function motion: poseAt is NULL, expected a function");
    }
    wkResult result = checkBound("maxSpeed", path->maxSpeed, false);
    result = result == wk_ok ? checkBound("maxAngularSpeed", path->maxAngularSpeed, false) : result;
    result = result == wk_ok ? checkBound("maxAcceleration", path->maxAcceleration, true) : result;
    return result == wk_ok
               ? checkBound("maxAngularAcceleration", path->maxAngularAcceleration, true)
               : result;
}

static void functionPrepare(wkPreparedMotion* prepared)
{
    const wkFunctionPath* path = &prepared->motion->function;
    prepared->rates.speed = path->maxSpeed;
    prepared->rates.angularSpeed = path->maxAngularSpeed;
    prepared->rates.acceleration = path->maxAcceleration;
    prepared->rates.angularAcceleration = path->maxAngularAcceleration;

    // what the function rounds is unknown: as much as the motions above, for the positions of either end
    wkPose start = path->poseAt(0.0, path->context), end = path->poseAt(1.0, path->context);
    double largest = wkMaxD(wkSumAbs(start.position), wkSumAbs(end.position)) + path->maxSpeed;
    prepared->positionRounding = WK_POSITION_ROUNDING * largest;
    prepared->angleRounding = WK_ANGLE_ROUNDING * (1.0 + path->maxAngularSpeed);
}

static wkPose functionPoseAt(const wkPreparedMotion* prepared, double t)
{
    const wkFunctionPath* path = &prepared->motion->function;
    wkPose pose = path->poseAt(t, path->context);
    return wkIsValidPose(pose) ? pose : wkNoPose();
}

// clang-format off
const wkBodyMotionRow wkBodyMotionTable[WK_BODY_MOTION_KIND_COUNT] = {
    [wk_bodyMotionNone]     = {"none", noneCheck, NULL, nonePoseAt, NULL, noneRates},
    [wk_bodyMotionStatic]    = {"static", staticCheck, staticPrepare, staticPoseAt, NULL, staticRates},
    [wk_bodyMotionLinear]   = {"linear", linearCheck, linearPrepare, linearPoseAt, NULL, endsRates},
    [wk_bodyMotionScrew]    = {"screw", screwCheck, screwPrepare, screwPoseAt, NULL, endsRates},
    [wk_bodyMotionSpline]   = {"spline", wkSplineCheck, wkSplinePrepare, wkSplinePoseAt, wkSplineNextKnot, wkSplineRates},
    [wk_bodyMotionSampled]  = {"sampled", wkSampledCheck, wkSampledPrepare, wkSampledPoseAt, wkSampledNextKnot, wkSampledRates},
    [wk_bodyMotionFunction] = {"function", functionCheck, functionPrepare, functionPoseAt, NULL, endsRates},
};
// clang-format on

static const wkBodyMotionRow* rowOf(const wkBodyMotion* motion)
{
    bool isKnown = motion != NULL && (unsigned)motion->kind < WK_BODY_MOTION_KIND_COUNT;
    return &wkBodyMotionTable[isKnown ? motion->kind : wk_bodyMotionNone];
}

void wkPrepareMotion(const wkBodyMotion* motion, wkPreparedMotion* prepared)
{
    *prepared = (wkPreparedMotion){.motion = motion, .row = rowOf(motion)};
    if (prepared->row->prepare != NULL) {
        prepared->row->prepare(prepared);
    }
}

wkPose wkMotionPoseAt(const wkPreparedMotion* prepared, double t)
{
    return prepared->row->poseAt(prepared, wkClamp(t, 0.0, 1.0));
}

double wkMotionNextKnot(const wkPreparedMotion* prepared, double t)
{
    return prepared->row->nextKnot != NULL ? prepared->row->nextKnot(prepared, t) : 1.0;
}

wkResult wkBodyMotion_Check(const wkBodyMotion* motion)
{
    return rowOf(motion)->check(motion);
}

wkPose wkBodyMotion_PoseAt(const wkBodyMotion* motion, double t)
{
    if (t != t || wkBodyMotion_Check(motion) != wk_ok) {
        return wkNoPose();
    }
    wkPreparedMotion prepared;
    wkPrepareMotion(motion, &prepared);
    // cppcheck-suppress returnDanglingLifetime
    return wkMotionPoseAt(&prepared, t);
}

const char* wkBodyMotionKindName(wkBodyMotionKind kind)
{
    bool isKnown = (unsigned)kind < WK_BODY_MOTION_KIND_COUNT;
    return wkBodyMotionTable[isKnown ? kind : wk_bodyMotionNone].name;
}

// Returns the motion, or one of no kind when it is not valid.
static wkBodyMotion checked(wkBodyMotion motion)
{
    wkBodyMotion none = {.kind = wk_bodyMotionNone};
    return wkBodyMotion_Check(&motion) == wk_ok ? motion : none;
}

wkBodyMotion wkMakeStaticMotion(wkPose pose)
{
    wkBodyMotion motion = {.kind = wk_bodyMotionStatic, .pose = pose};
    return checked(motion);
}

wkBodyMotion wkMakeLinearMotion(wkPose start, wkPose end)
{
    wkBodyMotion motion = {.kind = wk_bodyMotionLinear, .ends = {start, end}};
    return checked(motion);
}

wkBodyMotion wkMakeScrewMotion(wkPose start, wkPose end)
{
    wkBodyMotion motion = {.kind = wk_bodyMotionScrew, .ends = {start, end}};
    return checked(motion);
}

wkBodyMotion wkMakeSplineMotion(const wkSplineControl* controls, int32_t count)
{
    wkBodyMotion motion = {.kind = wk_bodyMotionSpline, .spline = {controls, count}};
    return checked(motion);
}

wkBodyMotion wkMakeSampledMotion(const wkMotionSample* samples, int32_t count)
{
    wkBodyMotion motion = {.kind = wk_bodyMotionSampled, .sampled = {samples, count}};
    return checked(motion);
}

wkBodyMotion wkMakeFunctionMotion(wkPoseFcn* poseAt, void* context, double maxSpeed,
                                  double maxAngularSpeed)
{
    wkBodyMotion motion = {
        .kind = wk_bodyMotionFunction,
        .function = {poseAt, context, maxSpeed, maxAngularSpeed, INFINITY, INFINITY}};
    return checked(motion);
}
