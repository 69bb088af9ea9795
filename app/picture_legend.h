// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// Legends in a picture: panels with a title, colour bars and keys.

#include "picture.h"

// A panel in the lower left vertex of a picture, which grows downward as things are written into it.
typedef struct wkLegend {
    wkPicture* picture;
    double left;
    double pen;   // where the next line goes
    double width; // of its content
    double text;  // height of a letter
} wkLegend;

// Draws the background of a panel for `rowCount` keys and notes, wide enough for their words, and `barCount` colour
// bars.
wkLegend wkLegend_Open(wkPicture* picture, const char* const* words, int rowCount, int barCount);

// Adds the meaning of a colour; the colour is linear light, as paint is.
void wkLegend_AddKey(wkLegend* legend, wkColor color, const char* words);

// Adds a line of words alone.
void wkLegend_AddNote(wkLegend* legend, const char* words);

// Interpolates colours; `share` from 0, the first, to 1, the last.
wkColor wkRampColor(const wkColor* colors, int count, double share);

// Returns the colour of a clearance: red for 0, green for what is far away.
wkColor wkRedToGreen(double share);

// Adds a colour bar for numbers from `low` to `high`, with a title and three numbers below.
typedef wkColor wkRampFcn(double share);
void wkLegend_AddBar(wkLegend* legend, wkRampFcn* ramp, const char* title, double low, double high,
                     const char* unit);

// Returns a round number of at most `length`: 1, 2 or 5 times a power of ten.
double wkRoundLength(double length);

// Adds a scale in the lower right, which holds at the depth of a point of the scene.
void wkPicture_AddScale(wkPicture* picture, const wkViewpoint* camera, wkVec3d point);

// Writes words beside a point of the scene.
void wkPicture_WriteAt(wkPicture* picture, const wkViewpoint* camera, wkVec3d point,
                       const char* words);
