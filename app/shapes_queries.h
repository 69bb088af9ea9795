// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Every kind of query about the ten shapes and a mesh, printed with its time.

#include "shapes_scene.h"

// Prints name, volume, centroid, size of the bounds and a triangle count for each body.
void wkPrintShapes(const wkShapesScene* scene);

// Prints one row per kind of query, with the median time of a call.
void wkPrintQueries(const wkShapesScene* scene);

// Prints signed distances of all pairs, and the median time of a distance and of a collision test.
void wkPrintPairs(const wkShapesScene* scene);
