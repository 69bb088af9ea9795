// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Legends: all lengths are in units of the letter height, which scales with the picture's width.

#include "picture_legend.h"

#include <math.h>
#include <stdio.h>

#define LETTER_SHARE 0.0105 // letter height relative to the width of the picture
#define MIN_LETTER 8.0      // pixels below which there is no legend
#define PANEL_WIDTH 21.0
#define ROW 2.1
#define BAR_ROWS 3.0 // rows that a colour bar takes
#define PADDING 1.1

static const wkColor ink = {0.13, 0.15, 0.20};
static const wkColor paper = {0.98, 0.985, 0.99};

static void fill(wkPicture* picture, double left, double top, double right, double bottom,
                 wkColor color, double opacity)
{
    for (int y = (int)floor(top); y < (int)ceil(bottom); y++) {
        for (int x = (int)floor(left); x < (int)ceil(right); x++) {
            // pixels at the rim are covered in part
            double across = fmin(x + 1.0, right) - fmax(x, left);
            double down = fmin(y + 1.0, bottom) - fmax(y, top);
            wkPicture_Blend(picture, x, y, color, opacity * fmax(across, 0.0) * fmax(down, 0.0));
        }
    }
}

static void writeLine(const wkLegend* legend, double x, const char* words)
{
    const wkLettering lettering = {legend->text, ink, paper, 0.0};
    wkPicture_Write(legend->picture, x, legend->pen, words, &lettering);
}

wkLegend wkLegend_Open(wkPicture* picture, int rowCount, int barCount)
{
    wkLegend legend = {.picture = picture, .text = LETTER_SHARE * picture->width};
    double unit = legend.text;
    if (unit < MIN_LETTER) {
        legend.picture = NULL;
        return legend;
    }
    double height = (ROW * (rowCount + BAR_ROWS * barCount) + 2.0 * PADDING - 0.6) * unit;
    double left = 1.2 * unit, bottom = picture->height - 1.2 * unit;
    legend.width = PANEL_WIDTH * unit;
    fill(picture, left, bottom - height, left + legend.width + 2.0 * PADDING * unit, bottom, paper,
         0.86);
    legend.left = left + PADDING * unit;
    legend.pen = bottom - height + (PADDING + 1.0) * unit;
    return legend;
}

void wkLegend_AddKey(wkLegend* legend, wkColor color, const char* words)
{
    if (legend->picture == NULL) {
        return;
    }
    double unit = legend->text;
    fill(legend->picture, legend->left, legend->pen - 1.1 * unit, legend->left + 1.3 * unit,
         legend->pen + 0.2 * unit, wkScreenColor(color), 1.0);
    writeLine(legend, legend->left + 2.1 * unit, words);
    legend->pen += ROW * unit;
}

void wkLegend_AddBar(wkLegend* legend, wkRampFcn* ramp, const char* title, double low, double high,
                     const char* unit)
{
    if (legend->picture == NULL) {
        return;
    }
    double letter = legend->text;
    writeLine(legend, legend->left, title);
    legend->pen += ROW * letter;
    double top = legend->pen - 1.2 * letter;
    for (int i = 0; i < (int)legend->width; i++) {
        fill(legend->picture, legend->left + i, top, legend->left + i + 1.0, top + 1.4 * letter,
             wkScreenColor(ramp(i / legend->width)), 1.0);
    }
    legend->pen += ROW * letter;
    for (int i = 0; i <= 2; i++) {
        char words[32];
        double value = low + 0.5 * i * (high - low);
        snprintf(words, sizeof words, i == 2 ? "%.3g %s" : "%.3g", value, unit);
        double aside = 0.5 * i * (legend->width - wkMeasureText(words, letter));
        writeLine(legend, legend->left + aside, words);
    }
    legend->pen += ROW * letter;
}

void wkPicture_WriteAt(wkPicture* picture, const wkViewpoint* camera, wkVec3d point,
                       const char* words)
{
    const wkLettering lettering = {LETTER_SHARE * picture->width, ink, paper, 0.75};
    double x = 0.0, y = 0.0;
    if (lettering.height >= MIN_LETTER && wkProjectPoint(camera, point, &x, &y)) {
        wkPicture_Write(picture, x - 0.5 * wkMeasureText(words, lettering.height), y, words,
                        &lettering);
    }
}
