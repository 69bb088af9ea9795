// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Carlson's symmetric elliptic integrals, for the surface of ellipsoids.

// The integral of sqrt((a x)^2 + (b y)^2 + (c z)^2) over the unit sphere: that of the support
// function of an ellipsoid with semi-axes a, b, c >= 0. Zeros are allowed.
double wkSupportIntegral(double a, double b, double c);
