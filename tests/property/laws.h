// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// The laws of pair queries. Each is a statement that holds for every
// pair of valid shapes and poses.

#include "kit.h"

wkLawFcn wkLawAnswersAreFinite;
wkLawFcn wkLawOrderDoesNotMatter;
wkLawFcn wkLawPointsAreApartByTheDistance;
wkLawFcn wkLawPointsLieOnTheSurfaces;
wkLawFcn wkLawNormalProvesTheDistance;
wkLawFcn wkLawMotionOfTheWorldDoesNotMatter;
wkLawFcn wkLawInflationLowersTheDistance;
wkLawFcn wkLawMovingBackMakesThemTouch;

wkLawFcn wkLawCollideAgreesWithDistance;
wkLawFcn wkLawPenetrationAgreesWithDistance;
wkLawFcn wkLawContactsDescribeTheOverlap;
wkLawFcn wkLawContactsRespectTheBuffer;

wkLawFcn wkLawCutoffKeepsTheVerdict;
wkLawFcn wkLawToleranceGivesALowerBound;
wkLawFcn wkLawUnsignedDistanceIsZeroInside;
wkLawFcn wkLawCacheKeepsTheAnswer;
wkLawFcn wkLawForeignCacheDoesNoHarm;

wkLawFcn wkLawDistanceIsTheTruth;
wkLawFcn wkLawDistanceIsNeverAboveTheTruth;

wkLawFcn wkLawPointDistanceIsTheTruth;
wkLawFcn wkLawSupportIsTheFurthestPoint;
wkLawFcn wkLawBoundsAreTight;
wkLawFcn wkLawRayStopsAtTheSurface;
