// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

#include "query/cast/cast_track.h"

#include "geom/convex.h"

static double supportAlong(const wkShape* shape, wkVec3d direction)
{
    return wkDot(direction, wkConvexRowOf(shape)->support(shape, direction));
}

static void makeSide(const wkShape* shape, const wkPreparedMotion* motion, wkVec3d direction,
                     wkTrackSide* side)
{
    wkVec3d local = wkMulTMV(&motion->startRotation, direction), axis = motion->way.axis;
    side->start = wkDot(direction, motion->startPosition);
    side->along = wkDot(direction, motion->along);
    side->chord = wkDot(direction, motion->chord);
    side->across = wkDot(direction, motion->across);
    side->middle = wkScale(wkDot(local, axis), axis);
    side->even = wkSub(local, side->middle);
    side->odd = wkCross(local, axis);
    bool isTurning = motion->way.halfAngle > 0.0;
    side->reach = isTurning ? NAN : supportAlong(shape, local);
}

void wkMakeTrack(const wkCastPair* pair, wkVec3d direction, wkCastTrack* track)
{
    makeSide(pair->a, &pair->motionA, direction, &track->a);
    makeSide(pair->b, &pair->motionB, wkNeg(direction), &track->b);
}

// Returns how far a body reaches along its direction.
static double reachAt(const wkShape* shape, const wkPreparedMotion* motion, const wkTrackSide* side,
                      double t)
{
    wkArcShare arc = {t, 0.0, 1.0};
    double reach = side->reach;
    if (reach != reach) {
        double sine = 0.0, cosine = 1.0;
        wkSinCos(t * motion->way.halfAngle, &sine, &cosine);
        arc = wkArcShareAt(motion, t, sine, cosine);
        double evenShare = (cosine - sine) * (cosine + sine), oddShare = 2.0 * sine * cosine;
        wkVec3d local =
            wkMulAdd(wkMulAdd(side->middle, evenShare, side->even), oddShare, side->odd);
        reach = supportAlong(shape, local);
    }
    double around = arc.cosine * side->chord - arc.sine * side->across;
    return side->start + t * side->along + arc.share * around + reach;
}

double wkTrackGap(const wkCastPair* pair, const wkCastTrack* track, double t)
{
    return -(reachAt(pair->a, &pair->motionA, &track->a, t) +
             reachAt(pair->b, &pair->motionB, &track->b, t));
}
