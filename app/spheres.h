// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// What `whisker spheres` has found out about a robot made of spheres, and its report.

#include "picture.h"
#include "whisker/io.h"

// How well the spheres of a link stand for it.
typedef struct wkSphereRow {
    int32_t link;
    wkFitReport report;
} wkSphereRow;

typedef struct wkSphereStudy {
    const char* origin; // where the spheres are from, in words
    const wkRobot* robot;
    const wkSphereModel* model;
    const double* q;   // the configuration that is drawn
    wkSphereRow* rows; // one for each link with bodies or spheres
    int rowCount;
    wkFitReport all;
    double fitSeconds;
    double measureSeconds;
} wkSphereStudy;

#define WK_SPHERE_PICTURES 4

// A picture with what is to be said about it.
typedef struct wkSpherePicture {
    const char* title;
    const char* words;
    wkPicture picture;
} wkSpherePicture;

// The spheres over the shapes, from several sides; what no sphere covers is red. False without memory.
bool wkSphereStudy_Draw(const wkSphereStudy* study, int width,
                        wkSpherePicture pictures[WK_SPHERE_PICTURES]);

// A page that needs no other file.
bool wkSphereStudy_WriteReport(const wkSphereStudy* study,
                               wkSpherePicture pictures[WK_SPHERE_PICTURES], const char* path);
