// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Carlson's duplication method (B. C. Carlson, Numerical computation of real or complex elliptic
// integrals, 1995; series as in the NIST Digital Library of Mathematical Functions, 19.36).

#include "geom/elliptic.h"

#include "geom/steiner.h"

// The series are cut after terms of the fifth power, so this spread leaves less than an ulp.
#define MAX_SPREAD 1e-3

// A duplication divides the spread by four; from a ratio of 1e120 about 400 are needed at most.
#define MAX_STEPS 600

static double largestOf(double a, double b, double c)
{
    return wkMaxD(wkMaxD(a, b), c);
}

// Computes R_F and R_D together: they share their steps. At most one of x and y is zero, z > 0.
static void carlsonFD(double x, double y, double z, double* f, double* d)
{
    double sum = 0.0, factor = 1.0;
    for (int i = 0; i < MAX_STEPS; ++i) {
        double mean = 0.2 * (x + y + 3.0 * z);
        if (largestOf(fabs(x - mean), fabs(y - mean), fabs(z - mean)) < MAX_SPREAD * mean) {
            break;
        }
        double rootX = sqrt(x), rootY = sqrt(y), rootZ = sqrt(z);
        double lambda = rootX * (rootY + rootZ) + rootY * rootZ;
        sum += factor / (rootZ * (z + lambda));
        factor *= 0.25;
        x = 0.25 * (x + lambda);
        y = 0.25 * (y + lambda);
        z = 0.25 * (z + lambda);
    }

    double mean = (x + y + z) / 3.0;
    double dx = 1.0 - x / mean, dy = 1.0 - y / mean, dz = -(dx + dy);
    double e2 = dx * dy - dz * dz, e3 = dx * dy * dz;
    *f = (1.0 + e2 * (e2 / 24.0 - 0.1 - 3.0 * e3 / 44.0) + e3 / 14.0) / sqrt(mean);

    mean = 0.2 * (x + y + 3.0 * z);
    dx = 1.0 - x / mean;
    dy = 1.0 - y / mean;
    dz = -(dx + dy) / 3.0;
    e2 = dx * dy - 6.0 * dz * dz;
    e3 = (3.0 * dx * dy - 8.0 * dz * dz) * dz;
    double e4 = 3.0 * (dx * dy - dz * dz) * dz * dz;
    double e5 = dx * dy * dz * dz * dz;
    double series = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0 -
                    9.0 * e2 * e3 / 52.0 + 3.0 * e5 / 26.0;
    *d = 3.0 * sum + factor * series / (mean * sqrt(mean));
}

double wkSupportIntegral(double a, double b, double c)
{
    double largest = largestOf(a, b, c);
    double smallest = wkMinD(wkMinD(a, b), c);
    double middle = wkMaxD(wkMinD(a, b), wkMinD(wkMaxD(a, b), c));
    if (!(largest > 0.0)) {
        return 0.0;
    }

    // a segment, also when the other semi-axes are too short to change a digit
    smallest /= largest;
    middle /= largest;
    if (middle < 1e-12) {
        return 2.0 * WK_PI * largest;
    }

    // 4 pi R_G; with the middle argument last all terms are positive
    double x = smallest * smallest, z = middle * middle;
    double f, d;
    carlsonFD(x, 1.0, z, &f, &d);
    double twice = z * f + (1.0 - z) * (z - x) * d / 3.0 + smallest / middle;
    return 2.0 * WK_PI * largest * twice;
}
