// SPDX-FileCopyrightText: The Whisker authors
// SPDX-License-Identifier: BSD-3-Clause

// Legends: all lengths are in units of the letter height, which scales with the picture's width.

#include "picture_legend.h"

#include "vector.h"

#include <math.h>
#include <stdio.h>

#define LETTER_SHARE 0.0105 // letter height relative to the width of the picture
#define MIN_LETTER 8.0      // pixels below which there is no legend
#define PANEL_WIDTH 21.0    // the least
#define KEY_WIDTH 2.1       // of the colour before the words of a key
#define ROW 2.1
#define BAR_ROWS 3.0 // rows that a colour bar takes
#define PADDING 1.1
#define SCALE_SHARE 0.22 // longest scale relative to the width of the picture
#define SCALE_PARTS 4

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

wkLegend wkLegend_Open(wkPicture* picture, const char* const* words, int rowCount, int barCount)
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
    for (int i = 0; i < rowCount; i++) {
        legend.width = fmax(legend.width, KEY_WIDTH * unit + wkMeasureText(words[i], unit));
    }
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
    writeLine(legend, legend->left + KEY_WIDTH * unit, words);
    legend->pen += ROW * unit;
}

void wkLegend_AddNote(wkLegend* legend, const char* words)
{
    if (legend->picture != NULL) {
        writeLine(legend, legend->left, words);
        legend->pen += ROW * legend->text;
    }
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

wkColor wkRampColor(const wkColor* colors, int count, double share)
{
    double position = fmin(fmax(share, 0.0), 1.0) * (count - 1);
    int low = (int)fmin(floor(position), count - 2);
    wkColor a = colors[low], b = colors[low + 1];
    double part = position - low;
    return (wkColor){a.r + part * (b.r - a.r), a.g + part * (b.g - a.g), a.b + part * (b.b - a.b)};
}

wkColor wkRedToGreen(double share)
{
    static const wkColor colors[] = {{0.72, 0.02, 0.03},
                                     {0.85, 0.30, 0.02},
                                     {0.85, 0.66, 0.04},
                                     {0.30, 0.55, 0.08},
                                     {0.05, 0.42, 0.16}};
    return wkRampColor(colors, 5, share);
}

double wkRoundLength(double length)
{
    double power = pow(10.0, floor(log10(length)));
    double share = length / power;
    return power * (share >= 5.0 ? 5.0 : share >= 2.0 ? 2.0 : 1.0);
}

void wkPicture_AddScale(wkPicture* picture, const wkViewpoint* camera, wkVec3d point)
{
    double letter = LETTER_SHARE * picture->width;
    double depth = wkVec_Dot(wkVec_Sub(point, camera->eye), camera->forward);
    if (letter < MIN_LETTER || !(depth > 0.0)) {
        return;
    }
    double length = wkRoundLength(SCALE_SHARE * picture->width * depth / camera->focal);
    double width = length * camera->focal / depth, right = picture->width - 2.4 * letter;
    double bottom = picture->height - 2.3 * letter, left = right - width;
    char words[32];
    snprintf(words, sizeof words, length < 1.0 ? "%g mm" : "%g m",
             length < 1.0 ? 1e3 * length : length);
    fill(picture, left - 1.2 * letter, bottom - 3.4 * letter, right + 1.2 * letter,
         bottom + 1.1 * letter, paper, 0.86);
    for (int i = 0; i < SCALE_PARTS; i++) {
        fill(picture, left + i * width / SCALE_PARTS, bottom - 0.6 * letter,
             left + (i + 1) * width / SCALE_PARTS, bottom,
             i % 2 == 0 ? ink : (wkColor){0.7, 0.71, 0.74}, 1.0);
    }
    const wkLettering lettering = {letter, ink, paper, 0.0};
    wkPicture_Write(picture, 0.5 * (left + right - wkMeasureText(words, letter)),
                    bottom - 1.4 * letter, words, &lettering);
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
