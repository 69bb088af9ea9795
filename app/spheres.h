// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Results of `whisker spheres` about a robot made of spheres, and its report.

#include "picture.h"
#include "whisker/io.h"

// Quality of the spheres of a link.
typedef struct wkSphereRow {
    int32_t link;
    wkFitInfo report;
} wkSphereRow;

typedef struct wkSphereStudy {
    const char* origin; // origin of the spheres, as text
    const wkRobot* robot;
    const wkSphereModel* model;
    const double* q;   // configuration drawn
    wkSphereRow* rows; // one per link with bodies or spheres
    int rowCount;
    wkFitInfo all;
    double fitSeconds;
    double measureSeconds;
} wkSphereStudy;

#define WK_SPHERE_PICTURES 4

// A picture with its caption.
typedef struct wkSpherePicture {
    const char* title;
    const char* words;
    wkPicture picture;
} wkSpherePicture;

// Draws the spheres over the shapes, from several sides, uncovered surface red. False: out of memory.
bool wkSphereStudy_Draw(const wkSphereStudy* study, int width,
                        wkSpherePicture pictures[WK_SPHERE_PICTURES]);

// Writes a self-contained HTML page.
bool wkSphereStudy_WriteReport(const wkSphereStudy* study,
                               wkSpherePicture pictures[WK_SPHERE_PICTURES], const char* path);
