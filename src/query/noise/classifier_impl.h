// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// A support vector machine over the points of two clouds. The value at a position is a sum over all points of a
// Gaussian kernel times a coefficient, plus a constant. Noise makes the kernel of a point wider and lower: it
// is the mean over all positions that the point can have.

#include "math/frame.h"
#include "whisker/cloud_classifier.h"

// A point that is classified, in the frame of A.
typedef struct wkClassifiedPoint {
    wkVec3d position;
    double variance;
    double radius;
    double side;        // 1: of A, -1: of B
    double weight;      // margin that it demands, 0 to 1
    double coefficient; // of its kernel: 0 or more
    int64_t part;       // index among the points of its definition
} wkClassifiedPoint;

struct wkCloudClassifier {
    wkCloudClassifierInfo info;
    wkFrame frame;   // of A in the world
    double square;   // of the width
    double constant; // of the value
    int32_t count;
    size_t byteCount;
    wkClassifiedPoint points[];
};

// Selects the points of a cloud that are nearest to another one: side, position and noise are set.
// @param deviation of points without one of their own
// @return number of points, at most `capacity`
int32_t wkSelectNearest(const wkCloud* cloud, const wkFrame* frame, double deviation,
                        const wkCloud* other, const wkFrame* otherFrame, double side,
                        wkClassifiedPoint* points, int32_t capacity);

// Finds the coefficients and the constant.
// @return false: no memory
bool wkSolveClassifier(wkCloudClassifier* classifier, const wkCloudClassifierDef* def);
