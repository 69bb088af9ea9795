// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// How far the points of a cloud are from each other.

#include "whisker/cloud.h"

typedef struct wkCloudSpacing {
    double
        distance; // median of the distances of points from their nearest neighbours; 0: less than two
    double gap;   // what spheres of the median radius leave between them; negative: they overlap
} wkCloudSpacing;

// Measures a sample of the points, all of them in small clouds; points at one position count once.
// @return wk_errorMemory
wkResult wkMeasureSpacing(const wkCloud* cloud, wkCloudSpacing* spacing);

// Returns the radius with which points at that distance on a grid leave no gap in the surface.
double wkClosingRadius(const wkCloudSpacing* spacing);
