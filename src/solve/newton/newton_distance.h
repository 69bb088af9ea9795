// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The distance of separated curved cores by Newton's method from the start: surface points of cylinders,
// cones and boxes have closed forms, and so have supports of ellipsoids. No single step needs to be correct:
// an answer counts only when the plane across it proves it, and GJK takes over where none does.

#include "solve/pair.h"

typedef enum wkMeeting {
    wk_meetingUnknown,     // not found: use GJK
    wk_meetingApart,       // the solution is filled, proven to `gap`
    wk_meetingOverlapping, // pointA of the solution lies inside both cores
} wkMeeting;

// Depends on the pair and `gap` alone, so that all kinds of queries get the same bits. Cores nearer than
// twice WK_VERDICT_BAND, or overlapping by less than it, are left to GJK.
wkMeeting wkNewtonDistance(const wkPair* pair, double gap, wkSolution* solution);

// Returns true when wkNewtonDistance finds overlaps as fast as distances.
bool wkDoesDecide(const wkPair* pair);
