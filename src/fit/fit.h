// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What covering a shape and covering a robot have in common.

#include "fit/unit.h"

// As few balls as are found to stick out by at most `accuracy`, or as many as there is room for.
wkResult wkCoverToAccuracy(wkFitUnit* unit, double accuracy, wkFitCover* cover);

// Covers a shape, proven, in a tenth of the time of wkFitBalls and with some more balls. They stick out by about
// `accuracy`, and further where that takes more than `capacity` balls.
// @return as wkFitBalls
wkResult wkFitQuickly(const wkShape* shape, double accuracy, wkBall* balls, int32_t capacity,
                      int32_t* count);

// Of balls that are proven to cover the skin.
void wkReportFit(const wkSkin* skin, const wkBall* balls, int32_t count, wkFitReport* report);

// Of any balls.
wkResult wkMeasureFit(const wkFitBody* bodies, int32_t bodyCount, const wkBall* balls,
                      int32_t count, double tolerance, wkFitReport* report);
