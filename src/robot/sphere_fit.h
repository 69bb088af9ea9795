// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Fitting spheres to a robot in three steps: which bodies are covered together (sphere_fit_plan.c), how many spheres
// each part gets of a total (sphere_fit_share.c), and the model made of them (sphere_model_fit.c).

#include "fit/fit_impl.h"
#include "robot/sphere_model_impl.h"

// Bodies that are covered together, and their spheres.
typedef struct wkFitPart {
    wkFitUnit unit;
    int32_t link;
    int32_t twin; // an earlier part with the same bodies, whose spheres are used; -1: none
    const wkFitBody* bodies;
    int32_t bodyCount;
    int32_t capacity; // maximum number of spheres
    int32_t count;    // number of spheres; 0: as many as the accuracy needs
    double accuracy;
    wkSphere3d* spheres;
    int32_t sphereCount;
    double protrusion;
    wkSphere3d* oldSpheres; // the spheres before some were moved to other parts
    int32_t oldCount;
    double oldProtrusion;
    bool isTrading;  // gives a sphere away, or gets one
    bool needsCover; // the spheres do not match `count` yet
    wkResult result;
    char words[256];
} wkFitPart;

// A fit in progress.
typedef struct wkFitWork {
    const wkRobot* robot;
    const wkSphereFitDef* fit;
    wkFitBody* bodies; // of all links
    wkShape* copies;   // of bodies with negative padding
    wkFitPart* parts;
    int32_t partCount;
    int32_t bodyCount;
    int32_t expected;  // expected number of spheres of a part
    double protrusion; // required of all parts
    bool isPartial;    // a link with bodies is left out
    wkProgressMeter meter;
} wkFitWork;

// Returns true when a total number of spheres is shared between all parts.
bool wkIsFitShared(const wkFitWork* work);

// Divides the bodies of all links into parts. Fails when a total is less than the number of links.
wkResult wkPlanFit(wkFitWork* work);

// Covers the parts whose `needsCover` is set. Reports the error of the first part that failed.
wkResult wkCoverParts(wkFitWork* work);

// Chooses counts of spheres that give all parts about equal protrusion, and covers the parts.
wkResult wkShareSpheres(wkFitWork* work);
