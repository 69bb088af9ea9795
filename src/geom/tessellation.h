// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Tessellation of the surfaces of convex shapes, padding and rounding included: see wkShapeFacts.

#include "geom/convex.h"

bool wkTessellateSphere(const wkShape* shape, double offset, wkTessellationSink* sink);
bool wkTessellateCapsule(const wkShape* shape, double offset, wkTessellationSink* sink);
bool wkTessellateBox(const wkShape* shape, double offset, wkTessellationSink* sink);
bool wkTessellateCylinder(const wkShape* shape, double offset, wkTessellationSink* sink);
bool wkTessellateCone(const wkShape* shape, double offset, wkTessellationSink* sink);
bool wkTessellateEllipsoid(const wkShape* shape, double offset, wkTessellationSink* sink);
bool wkTessellateTriangle(const wkShape* shape, double offset, wkTessellationSink* sink);
bool wkTessellateHull(const wkShape* shape, double offset, wkTessellationSink* sink);
